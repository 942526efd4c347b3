package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/gorilla/websocket"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// plainPhone is an honest phone with its own address that does one thing after the other, so that each can be timed.
// One goroutine uses it.
type plainPhone struct {
	pages  string // host:port
	from   netip.Addr
	tree   wire.Tree
	viewer engine.Viewer
	key    seal.Key
	id     string

	refused []string // the refusals before it had joined

	ws   *websocket.Conn
	in   chan packets.ControlPacket // closed at the end of the connection
	last wire.Update
	seq  uint64
	pid  uint16
}

// tryFor limits one connection attempt. On a busy machine shorter attempts never succeed.
const tryFor = 15 * time.Second

func dialFrom(from netip.Addr) *net.Dialer {
	return &net.Dialer{Timeout: tryFor, LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0))}
}

// joinPlain redeems a link as the page does: it loads the page, its largest file and table.json, then requests the
// seat. Like a browser it tries again when a connection breaks.
func joinPlain(pages, link string, viewer engine.Viewer, from netip.Addr, until time.Time) (*plainPhone, error) {
	p := &plainPhone{pages: pages, from: from, viewer: viewer, seq: uint64(time.Now().UnixMicro())}
	c := &http.Client{Timeout: tryFor, Transport: &http.Transport{DialContext: dialFrom(from).DialContext, MaxConnsPerHost: 6}}
	defer c.CloseIdleConnections()
	ask := func(method, path string, body []byte) ([]byte, error) {
		for {
			req, _ := http.NewRequest(method, "http://"+pages+path, bytes.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			res, err := c.Do(req)
			if err == nil {
				var got []byte
				got, err = io.ReadAll(res.Body)
				res.Body.Close()
				if err == nil && res.StatusCode == http.StatusOK {
					return got, nil
				}
				if err == nil {
					err = fmt.Errorf("%s %s: %s", method, path, res.Status)
				}
			}
			p.refused = append(p.refused, err.Error())
			if time.Now().After(until) {
				return nil, err
			}
			time.Sleep(50 * time.Millisecond) // as a browser pauses before it tries again
		}
	}
	for _, path := range []string{"/", largest()} {
		if _, err := ask("GET", path, nil); err != nil {
			return nil, err
		}
	}
	text, err := ask("GET", "/table.json", nil)
	if err != nil {
		return nil, err
	}
	var table struct{ Base, Table string }
	if err := json.Unmarshal(text, &table); err != nil {
		return nil, err
	}
	levels := strings.Split(table.Base, "/")
	if p.tree, err = wire.NewTree(strings.Join(levels[:len(levels)-2], "/"), levels[len(levels)-2], table.Table); err != nil {
		return nil, err
	}
	_, fragment, _ := strings.Cut(link, "#j=")
	code, err := seal.ParseCode(fragment)
	if err != nil {
		return nil, err
	}
	name := seal.NewPhone()
	joiner := seal.NewJoiner(code, name)
	if text, err = ask("POST", "/join", joiner.Body()); err != nil {
		return nil, err
	}
	grant, err := joiner.OpenAnswer(text)
	if err != nil {
		return nil, err
	}
	p.key, p.id = grant.Key, name.ClientID(p.tree.UserName(viewer))
	return p, p.reconnect(until)
}

// reconnect connects until the view is there, or until the time is over.
func (p *plainPhone) reconnect(until time.Time) (err error) {
	for {
		if err = p.connect(); err == nil || time.Now().After(until) {
			return err
		}
		p.drop()
		time.Sleep(50 * time.Millisecond) // as a page pauses before it tries again
	}
}

// connect makes one attempt: socket, login, subscription, view.
func (p *plainPhone) connect() error {
	user := p.tree.UserName(p.viewer)
	d := websocket.Dialer{NetDialContext: dialFrom(p.from).DialContext, Subprotocols: []string{"mqtt"}, HandshakeTimeout: tryFor}
	ws, _, err := d.Dial("ws://"+p.pages+"/mqtt", nil)
	if err != nil {
		return err
	}
	p.ws, p.in = ws, make(chan packets.ControlPacket, 64)
	go func(in chan packets.ControlPacket) {
		defer close(in)
		for stream := (&frames{ws: ws}); ; {
			c, err := packets.ReadPacket(stream)
			if err != nil {
				return
			}
			in <- c
		}
	}(p.in)
	login := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	login.ProtocolName, login.ProtocolVersion, login.CleanSession, login.Keepalive = "MQTT", 4, true, 30
	login.ClientIdentifier, login.UsernameFlag, login.Username, login.PasswordFlag = p.id, true, user, true
	password, err := seal.ConnectPassword(p.key, p.id, uint64(time.Now().UnixMicro()))
	if err != nil {
		return err
	}
	login.Password = []byte(password)
	sub := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
	sub.MessageID, sub.Topics, sub.Qoss = 1, []string{p.tree.ViewTopic(p.viewer), p.tree.ReplyTopic(p.viewer)}, []byte{1, 1}
	if err := errors.Join(p.write(login), p.write(sub)); err != nil {
		return err
	}
	p.last = wire.Update{}
	for limit := time.Now().Add(tryFor); p.last.V == 0; {
		if _, err := p.read(limit); err != nil {
			return err
		}
	}
	return nil
}

// drop ends the connection without a message, as a phone does that leaves the Wi-Fi.
func (p *plainPhone) drop() {
	if p.ws != nil {
		_ = p.ws.NetConn().(*net.TCPConn).SetLinger(0)
		_ = p.ws.NetConn().Close()
		for range p.in { // packets that came meanwhile do not belong to the next connection
		}
		p.ws = nil
	}
}

func (p *plainPhone) write(c packets.ControlPacket) error {
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		return err
	}
	_ = p.ws.SetWriteDeadline(time.Now().Add(tryFor))
	return p.ws.WriteMessage(websocket.BinaryMessage, b.Bytes())
}

// read reads one packet and acknowledges it; if the packet is the reply to the last act, read returns it.
func (p *plainPhone) read(limit time.Time) (*wire.Reply, error) {
	var c packets.ControlPacket
	select {
	case c = <-p.in:
	case <-time.After(time.Until(limit)):
		return nil, os.ErrDeadlineExceeded
	}
	switch c := c.(type) {
	case nil:
		return nil, net.ErrClosed
	case *packets.ConnackPacket:
		if c.ReturnCode != 0 {
			return nil, fmt.Errorf("CONNACK %d", c.ReturnCode)
		}
	case *packets.PublishPacket:
		if c.Qos > 0 {
			ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
			ack.MessageID = c.MessageID
			if err := p.write(ack); err != nil {
				return nil, err
			}
		}
		if c.TopicName == p.tree.ViewTopic(p.viewer) && len(c.Payload) > 0 {
			var err error
			p.last, err = seal.OpenView(p.key, c.TopicName, c.Payload)
			return nil, err
		}
		if c.TopicName == p.tree.ReplyTopic(p.viewer) {
			if seq, r, err := seal.OpenReply(p.key, c.TopicName, c.Payload); err == nil && seq == p.seq {
				return &r, nil
			}
		}
	}
	return nil, nil
}

// act sends an act and waits for its reply; like the page it reconnects and sends it again when the connection is
// lost meanwhile.
func (p *plainPhone) act(act string, args engine.Args, until time.Time) (r wire.Reply, err error) {
	for time.Now().Before(until) {
		if p.ws == nil {
			if err = p.reconnect(until); err != nil {
				return r, err
			}
		}
		p.seq++
		p.pid = p.pid%60_000 + 1
		if act == wire.ActNote {
			args["rev"] = fmt.Sprint(p.last.Rev)
		}
		var payload []byte
		payload, err = seal.SealAct(p.key, p.tree.ActTopic(p.viewer), p.last.Epoch,
			wire.Act{ID: fmt.Sprint(p.seq), Seq: p.seq, Act: act, Args: args})
		if err != nil {
			return r, err
		}
		m := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		m.TopicName, m.Payload, m.Qos, m.MessageID = p.tree.ActTopic(p.viewer), payload, 1, p.pid
		err = p.write(m)
		for err == nil {
			var answer *wire.Reply
			if answer, err = p.read(until); answer != nil {
				return *answer, nil
			}
		}
		p.drop()
	}
	return r, err
}

// listen receives updates for a while, as a page does on a phone on the table.
func (p *plainPhone) listen(d time.Duration) {
	for until := time.Now().Add(d); time.Now().Before(until); {
		if p.ws == nil {
			_ = p.reconnect(until)
			continue
		}
		if _, err := p.read(until); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			p.drop()
		}
	}
}

// waitForView reads until the view satisfies ok.
func (p *plainPhone) waitForView(until time.Time, ok func(wire.Update) bool) error {
	for p.last.V == 0 || !ok(p.last) {
		if _, err := p.read(until); err != nil {
			return err
		}
	}
	return nil
}

// office asks the office for a row until it answers, as the host's page does.
func (p *plainPhone) office(row string, until time.Time) (a wire.OfficeAnswer, err error) {
	c := &http.Client{Timeout: tryFor, Transport: &http.Transport{DialContext: dialFrom(p.from).DialContext}}
	defer c.CloseIdleConnections()
	for {
		p.seq++
		if a, err = askOffice(c, "http://"+p.pages, p.key, p.last.Epoch, p.seq, wire.OfficeRequest{Row: row}); err == nil ||
			time.Now().After(until) {
			return a, err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// askOffice sends one request as the first host device and opens the answer.
func askOffice(c *http.Client, origin string, key seal.Key, epoch, number uint64, req wire.OfficeRequest) (a wire.OfficeAnswer, err error) {
	body, err := json.Marshal(req)
	if err != nil {
		return a, err
	}
	sealed, err := seal.SealRequest(key, epoch, number, body)
	if err != nil {
		return a, err
	}
	res, err := c.Post(origin+"/office", "application/octet-stream", bytes.NewReader(append([]byte{1}, sealed...)))
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return a, fmt.Errorf("POST /office: %s", res.Status)
	}
	if sealed, err = io.ReadAll(res.Body); err != nil {
		return a, err
	}
	if body, err = seal.OpenAnswer(key, number, sealed); err != nil {
		return a, err
	}
	return a, json.Unmarshal(body, &a)
}

// frames reads WebSocket messages as one stream.
type frames struct {
	ws *websocket.Conn
	r  io.Reader
}

func (f *frames) Read(b []byte) (int, error) {
	for {
		if f.r == nil {
			_, r, err := f.ws.NextReader()
			if err != nil {
				return 0, err
			}
			f.r = r
		}
		n, err := f.r.Read(b)
		if errors.Is(err, io.EOF) {
			f.r, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}
