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
const commandTimeout = 5 * time.Second

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
func (s *Server) SetAccount(a Account) error {
	return s.runCommands(
		command{Command: "deleteClient", Name: a.Name}, command{Command: "deleteRole", Role: a.Name},
		command{Command: "createRole", Role: a.Name, Rules: a.Rules},
		command{Command: "createClient", Name: a.Name, Password: s.password, Roles: []roleName{{a.Name}}})
}

// RemoveAccount removes an account and cuts its connections.
func (s *Server) RemoveAccount(name string) error {
	return s.runCommands(command{Command: "deleteClient", Name: name}, command{Command: "deleteRole", Role: name})
}

// runCommands sends commands to the plugin and returns the first error, except that an account to delete may be missing.
func (s *Server) runCommands(all ...command) error {
	return s.withConn("", func(v *shortConn) error {
		body, err := json.Marshal(map[string]any{"commands": all})
		if err != nil {
			return err
		}
		if err := v.subscribe(controlTopic + "/response"); err != nil {
			return err
		}
		v.publish(controlTopic, body, false)
		for {
			m, err := v.nextMessage()
			if err != nil {
				return err
			}
			if m.topic != controlTopic+"/response" {
				continue
			}
			var answer struct {
				Responses []struct{ Command, Error string }
			}
			if err := json.Unmarshal(m.payload, &answer); err != nil {
				return err
			}
			for _, r := range answer.Responses {
				if r.Error != "" && r.Command != "deleteClient" && r.Command != "deleteRole" {
					return fmt.Errorf("%s: %s", r.Command, r.Error)
				}
			}
			return nil
		}
	})
}

// DeleteSession deletes the stored session of a client, and cuts the client if it is connected.
func (s *Server) DeleteSession(clientID string) error {
	return s.withConn(clientID, func(*shortConn) error { return nil })
}

// DeleteRetained deletes the retained messages on topics that filters cover, except topics for which keep returns true.
func (s *Server) DeleteRetained(filters []string, keep func(topic string) bool) error {
	return s.withConn("", func(v *shortConn) error {
		if err := v.subscribe(filters...); err != nil {
			return err
		}
		v.ping() // Mosquitto answers it after all retained messages
		for cleared := false; ; {
			m, err := v.nextMessage()
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
type shortConn struct {
	conn  net.Conn
	in    *bufio.Reader
	early []message // messages that came before the answer to a subscription
}

// message is a received PUBLISH.
type message struct {
	topic    string
	payload  []byte
	retained bool
}

// withConn connects with the control account and a client id, calls do, and disconnects. An empty clientID is one for short visits. If
// Mosquitto does not run, withConn does nothing.
func (s *Server) withConn(clientID string, do func(*shortConn) error) error {
	if !s.Status().Running {
		return nil
	}
	s.connMu.Lock()
	defer s.connMu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(commandTimeout))
	v := &shortConn{conn: conn, in: bufio.NewReader(conn)}
	if clientID == "" {
		clientID = controlAccount + "/visit"
	}
	body := append(encodeString("MQTT"), 4, 0xc2, 0, 60) // 3.1.1, a clean session, a name and a password, 60 s
	body = append(append(append(body, encodeString(clientID)...), encodeString(controlAccount)...), encodeString(s.password)...)
	v.sendPacket(0x10, body)
	kind, answer, err := v.readPacket()
	if err != nil {
		return fmt.Errorf("mosquitto: it does not let us in: %w", err)
	}
	if kind != 0x20 || len(answer) < 2 || answer[1] != 0 {
		return fmt.Errorf("mosquitto: it does not let us in: packet %#x, % x", kind, answer)
	}
	if err := do(v); err != nil {
		return fmt.Errorf("mosquitto: %w", err)
	}
	v.sendPacket(0xe0, nil)
	_, _ = io.Copy(io.Discard, v.in) // waits until Mosquitto has handled the DISCONNECT
	return nil
}

// encodeString returns a string with its length (MQTT 3.1.1 section 1.5.3).
func encodeString(s string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...)
}

// sendPacket writes a packet. It ignores errors: they appear again when the answer is read.
func (v *shortConn) sendPacket(first byte, body []byte) {
	b, n := []byte{first}, len(body)
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	_, _ = v.conn.Write(append(append(b, byte(n)), body...))
}

func (v *shortConn) publish(topic string, payload []byte, retained bool) {
	first := byte(0x30)
	if retained {
		first |= 1
	}
	v.sendPacket(first, append(encodeString(topic), payload...))
}

func (v *shortConn) ping() { v.sendPacket(0xc0, nil) }

// subscribe subscribes to filters and waits for the answer. Retained messages that come before it are kept in early.
func (v *shortConn) subscribe(filters ...string) error {
	body := []byte{0, 1}
	for _, f := range filters {
		body = append(append(body, encodeString(f)...), 0)
	}
	v.sendPacket(0x82, body)
	for {
		kind, body, err := v.readPacket()
		if err != nil || kind == 0x90 {
			return err
		}
		m, err := parseMessage(kind, body)
		if err != nil {
			return err
		}
		v.early = append(v.early, m)
	}
}

// errPong means that the next packet answers a ping.
var errPong = errors.New("a ping is answered")

// nextMessage returns the next message, or errPong after the answer to a ping.
func (v *shortConn) nextMessage() (message, error) {
	if len(v.early) > 0 {
		m := v.early[0]
		v.early = v.early[1:]
		return m, nil
	}
	kind, body, err := v.readPacket()
	switch {
	case err != nil:
		return message{}, err
	case kind == 0xd0:
		return message{}, errPong
	}
	return parseMessage(kind, body)
}

// parseMessage parses a PUBLISH at QoS 0.
func parseMessage(kind byte, body []byte) (message, error) {
	if kind>>4 != 3 || len(body) < 2 || len(body) < 2+int(binary.BigEndian.Uint16(body)) {
		return message{}, fmt.Errorf("packet %#x instead of a message", kind)
	}
	n := 2 + int(binary.BigEndian.Uint16(body))
	return message{string(body[2:n]), body[n:], kind&1 != 0}, nil
}

// readPacket reads one packet of at most twice MaxPacket.
func (v *shortConn) readPacket() (first byte, body []byte, err error) {
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
