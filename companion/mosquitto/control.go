package mosquitto

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// commandTimeout is the time Mosquitto has to answer one change.
const answerWait = 5 * time.Second

const controlTopic = "$CONTROL/dynamic-security/v1"

// command is a command of the plugin. Fields with zero values are not sent.
type command struct {
	Command  string     `json:"command"`
	Role     string     `json:"rolename,omitempty"`
	Rules    []Rule     `json:"acls,omitempty"`
	Name     string     `json:"username,omitempty"`
	Password string     `json:"password,omitempty"`
	Roles    []roleName `json:"roles,omitempty"`
}

// SetAccount adds an account or replaces its rules, and cuts its connections. If Mosquitto does not run, it does nothing: the next start
// asks for all accounts.
func (s *Server) Set(a Account) error {
	return s.control(
		command{Command: "deleteClient", Name: a.Name}, command{Command: "deleteRole", Role: a.Name},
		command{Command: "createRole", Role: a.Name, Rules: a.Rules},
		command{Command: "createClient", Name: a.Name, Password: s.word, Roles: []roleName{{a.Name}}})
}

// RemoveAccount removes an account and cuts its connections.
func (s *Server) Drop(name string) error {
	return s.control(command{Command: "deleteClient", Name: name}, command{Command: "deleteRole", Role: name})
}

// runCommands sends commands to the plugin and returns the first error, except that an account to delete may be missing.
func (s *Server) control(all ...command) error {
	return s.visit("", func(v *visit) error {
		body, err := json.Marshal(map[string]any{"commands": all})
		if err != nil {
			return err
		}
		if err := v.subscribe(controlTopic + "/response"); err != nil {
			return err
		}
		v.publish(controlTopic, body, false)
		for {
			m, err := v.message()
			if err != nil {
				return err
			}
			if m.topic != controlTopic+"/response" {
				continue
			}
			var said struct {
				Responses []struct{ Command, Error string }
			}
			if err := json.Unmarshal(m.payload, &said); err != nil {
				return err
			}
			for _, r := range said.Responses {
				if r.Error != "" && r.Command != "deleteClient" && r.Command != "deleteRole" {
					return fmt.Errorf("%s: %s", r.Command, r.Error)
				}
			}
			return nil
		}
	})
}

// EndSession deletes the stored session of a client, and cuts the client if it is connected.
func (s *Server) EndSession(client string) error {
	return s.visit(client, func(*visit) error { return nil })
}

// ClearRetained deletes the retained messages on topics that filters cover, except topics for which keep returns true.
func (s *Server) Clear(filters []string, keep func(topic string) bool) error {
	return s.visit("", func(v *visit) error {
		if err := v.subscribe(filters...); err != nil {
			return err
		}
		v.ping() // Mosquitto answers it after all retained messages
		for cleared := false; ; {
			m, err := v.message()
			switch {
			case errors.Is(err, errPong) && !cleared:
				v.ping() // its answer means that Mosquitto has handled the deletions
				cleared = true
			case errors.Is(err, errPong):
				return nil
			case err != nil:
				return err
			case m.retained && !keep(m.topic):
				v.publish(m.topic, nil, true)
			}
		}
	})
}

// shortConn is a connection for one task.
type visit struct {
	conn  net.Conn
	in    *bufio.Reader
	early []told // messages that came before the answer to a subscription
}

// message is a received PUBLISH.
type told struct {
	topic    string
	payload  []byte
	retained bool
}

// withConn connects with the control account and a client id, calls do, and disconnects. If Mosquitto does not run, it does nothing.
func (s *Server) visit(client string, do func(*visit) error) error {
	if !s.Status().Up {
		return nil
	}
	s.controlling.Lock()
	defer s.controlling.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), answerWait)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(answerWait))
	v := &visit{conn: conn, in: bufio.NewReader(conn)}
	if client == "" {
		client = control + "/visit"
	}
	body := append(str("MQTT"), 4, 0xc2, 0, 60) // 3.1.1, a clean session, a name and a password, 60 s
	body = append(append(append(body, str(client)...), str(control)...), str(s.word)...)
	v.send(0x10, body)
	if kind, answer, err := v.packet(); err != nil || kind != 0x20 || len(answer) < 2 || answer[1] != 0 {
		return fmt.Errorf("mosquitto: it does not let us in: % x: %w", answer, errors.Join(err))
	}
	if err := do(v); err != nil {
		return fmt.Errorf("mosquitto: %w", err)
	}
	v.send(0xe0, nil)
	_, _ = io.Copy(io.Discard, v.in) // waits until Mosquitto has handled the DISCONNECT
	return nil
}

// encodeString returns a string with its length (MQTT 3.1.1 section 1.5.3).
func str(s string) []byte { return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...) }

// sendPacket writes a packet. It ignores errors: they appear again when the answer is read.
func (v *visit) send(first byte, body []byte) {
	b, n := []byte{first}, len(body)
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	_, _ = v.conn.Write(append(append(b, byte(n)), body...))
}

func (v *visit) publish(topic string, payload []byte, retained bool) {
	first := byte(0x30)
	if retained {
		first |= 1
	}
	v.send(first, append(str(topic), payload...))
}

func (v *visit) ping() { v.send(0xc0, nil) }

// subscribe subscribes to filters and waits for the answer. Retained messages that come before it are kept in early.
func (v *visit) subscribe(filters ...string) error {
	body := []byte{0, 1}
	for _, f := range filters {
		body = append(append(body, str(f)...), 0)
	}
	v.send(0x82, body)
	for {
		kind, body, err := v.packet()
		if err != nil || kind == 0x90 {
			return err
		}
		m, err := messageOf(kind, body)
		if err != nil {
			return err
		}
		v.early = append(v.early, m)
	}
}

// errPong means that the next packet answers a ping.
var errPong = errors.New("a ping is answered")

// nextMessage returns the next message, or errPong after the answer to a ping.
func (v *visit) message() (told, error) {
	if len(v.early) > 0 {
		m := v.early[0]
		v.early = v.early[1:]
		return m, nil
	}
	kind, body, err := v.packet()
	switch {
	case err != nil:
		return told{}, err
	case kind == 0xd0:
		return told{}, errPong
	}
	return messageOf(kind, body)
}

// parseMessage parses a PUBLISH at QoS 0.
func messageOf(kind byte, body []byte) (told, error) {
	if kind>>4 != 3 || len(body) < 2 || len(body) < 2+int(binary.BigEndian.Uint16(body)) {
		return told{}, fmt.Errorf("packet %#x instead of a message", kind)
	}
	n := 2 + int(binary.BigEndian.Uint16(body))
	return told{string(body[2:n]), body[n:], kind&1 != 0}, nil
}

// readPacket reads one packet of at most twice MaxPacket.
func (v *visit) packet() (first byte, body []byte, err error) {
	if first, err = v.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	size, shift := 0, 0
	for {
		c, err := v.in.ReadByte()
		if err != nil {
			return 0, nil, err
		}
		size |= int(c&0x7f) << shift
		if shift += 7; c < 0x80 {
			break
		}
		if shift > 21 {
			return 0, nil, errors.New("a bad length")
		}
	}
	if size > 2*MaxPacket {
		return 0, nil, fmt.Errorf("a packet of %d bytes", size)
	}
	body = make([]byte, size)
	_, err = io.ReadFull(v.in, body)
	return first, body, err
}
