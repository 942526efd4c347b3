package broker

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"majordome/companion/mqttguard"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/companion/wsstream"
	"majordome/engine"
)

// patience is the longest wait for a condition; only a failing test waits that long. Where a test is not about a time limit,
// every limit of the broker is longer.
const patience = time.Minute

// table is a running broker with the rights of one table.
type table struct {
	*Broker
	t      *testing.T
	tree   wire.Tree
	rights *Rights
	keys   map[engine.Viewer]seal.Key
	listen net.Listener
	tcp    string // host:port
	ws     string // ws://host:port/mqtt
}

var counter atomic.Uint64

// newTable starts a broker. Unless opts sets them, its time limits are an hour.
func newTable(t *testing.T, opts *Opts) *table {
	t.Helper()
	return newTableAt(t, opts, func(l net.Listener) net.Listener { return l })
}

// newTableAt starts a broker with a door in front of both listeners.
func newTableAt(t *testing.T, opts *Opts, door func(net.Listener) net.Listener) *table {
	t.Helper()
	o := *cmp.Or(opts, &Opts{})
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, time.Hour)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, time.Hour)
	tree, err := wire.NewTree("", "home", "salon")
	if err != nil {
		t.Fatal(err)
	}
	ring, keys := seal.NewRing(nil), map[engine.Viewer]seal.Key{}
	for _, h := range tree.Handsets() {
		if h.N > 1 {
			continue
		}
		v := h.Viewer
		keys[v] = seal.NewKey()
		if err := ring.SetKey(h, keys[v], 0); err != nil {
			t.Fatal(err)
		}
	}
	rights := NewRights(tree, ring)
	b, err := New(rights, &o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- b.ServeTCP(door(l)) }()
	web := httptest.NewUnstartedServer(b.WebSocketHandler())
	web.Listener = door(web.Listener)
	web.Start()
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		web.Close()
		noGoroutineLeft(t)
	})
	return &table{Broker: b, t: t, tree: tree, rights: rights, keys: keys,
		listen: l, tcp: l.Addr().String(), ws: "ws" + strings.TrimPrefix(web.URL, "http") + "/mqtt"}
}

// noGoroutineLeft waits until no goroutine of mochi or of this package is left.
func noGoroutineLeft(t *testing.T) {
	t.Helper()
	eventually(t, "goroutines of the broker are left", func() bool {
		buf := make([]byte, 1<<20)
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "mochi-mqtt") || strings.Contains(g, "broker.(*Broker)") {
				return false
			}
		}
		return true
	})
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v still: %s", patience, what)
		}
	}
}

func (tb *table) countReason(reason string) uint64 { return tb.RefusalCounts()[reason] }

// newPassword returns a fresh connect password of a seat or the host.
func (tb *table) newPassword(v engine.Viewer, id string) string {
	p, err := seal.ConnectPassword(tb.keys[v], id, counter.Add(1))
	if err != nil {
		tb.t.Fatal(err)
	}
	return p
}

// login is a CONNECT under construction.
type login struct {
	name, user, id, password string
	level, flags             byte
	keepalive                uint16
	willTopic, will          string
	extra                    string // bytes after the end of the packet
}

const flagsNormal = 0xc2 // user name, password, clean session

func (tb *table) loginAs(v engine.Viewer) login {
	user := tb.tree.UserName(v)
	id := user + "." + suffix()
	pass := wire.PublicPassword
	if v != engine.Public {
		pass = tb.newPassword(v, id)
	}
	return login{name: "MQTT", level: 4, flags: flagsNormal, keepalive: 120, user: user, id: id, password: pass}
}

func (tb *table) loginAsDaemon() login {
	return login{name: "MQTT", level: 4, flags: flagsNormal, keepalive: 120, user: wire.UserDaemon,
		id: "daemon." + suffix(), password: tb.rights.DaemonPassword()}
}

func suffix() string { return fmt.Sprintf("%08d", counter.Add(1)) }

func (l login) packet() []byte {
	var body bytes.Buffer
	body.Write(encodeString(l.name))
	body.Write([]byte{l.level, l.flags, byte(l.keepalive >> 8), byte(l.keepalive)})
	if l.level == 5 {
		body.WriteByte(0) // no properties
	}
	body.Write(encodeString(l.id))
	if l.flags&4 != 0 {
		if l.level == 5 {
			body.WriteByte(0)
		}
		body.Write(encodeString(l.willTopic))
		body.Write(encodeString(l.will))
	}
	if l.flags&0x80 != 0 {
		body.Write(encodeString(l.user))
	}
	if l.flags&0x40 != 0 {
		body.Write(encodeString(l.password))
	}
	body.WriteString(l.extra)
	return encodePacket(typeConnect<<4, body.Bytes())
}

func encodeString(s string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...)
}

func encodePacket(first byte, body []byte) []byte {
	out := []byte{first}
	n := len(body)
	for {
		c := byte(n & 0x7f)
		if n >>= 7; n > 0 {
			c |= 0x80
		}
		out = append(out, c)
		if n == 0 {
			return append(out, body...)
		}
	}
}

func subscribePacket(id uint16, filters ...string) []byte {
	body := binary.BigEndian.AppendUint16(nil, id)
	for _, f := range filters {
		body = append(append(body, encodeString(f)...), 1)
	}
	return encodePacket(typeSubscribe<<4|2, body)
}

func publishPacket(topic string, payload []byte, qos byte, retain bool) []byte {
	body := encodeString(topic)
	if qos > 0 {
		body = binary.BigEndian.AppendUint16(body, uint16(counter.Add(1)%60000+1))
	}
	first := byte(typePublish<<4) | qos<<1
	if retain {
		first |= 1
	}
	return encodePacket(first, append(body, payload...))
}

var pingPacket = []byte{typePingreq << 4, 0}

// client is a bare MQTT client that sends any packets, valid or not.
type client struct {
	net.Conn
	t  testing.TB
	in *bufio.Reader
}

// dialer opens a socket of one transport.
type dialer func(t testing.TB, tb *table) *client

func dialTCP(t testing.TB, tb *table) *client {
	t.Helper()
	c, err := net.Dial("tcp", tb.tcp)
	if err != nil {
		t.Fatal(err)
	}
	return newClient(t, c)
}

func dialWS(t testing.TB, tb *table) *client {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{subprotocol}, HandshakeTimeout: patience}
	ws, _, err := d.Dial(tb.ws, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newClient(t, &wsstream.Stream{Conn: ws})
}

func newClient(t testing.TB, c net.Conn) *client {
	_ = c.SetDeadline(time.Now().Add(patience))
	t.Cleanup(func() { c.Close() })
	return &client{Conn: c, t: t, in: bufio.NewReader(c)}
}

var transports = map[string]dialer{"tcp": dialTCP, "websocket": dialWS}

func (c *client) send(packets ...[]byte) {
	c.t.Helper()
	_ = c.SetWriteDeadline(time.Now().Add(patience))
	if _, err := c.Write(bytes.Join(packets, nil)); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// sendUnchecked sends without checking whether the other side still reads.
func (c *client) sendUnchecked(packets ...[]byte) { _, _ = c.Write(bytes.Join(packets, nil)) }

// receive reads one packet.
func (c *client) receive() (first byte, body []byte, err error) {
	_ = c.SetReadDeadline(time.Now().Add(patience))
	if first, err = c.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	n, err := binary.ReadUvarint(c.in)
	if err != nil {
		return 0, nil, err
	}
	body = make([]byte, n)
	_, err = io.ReadFull(c.in, body)
	return first, body, err
}

func (c *client) want(first byte, body ...byte) {
	c.t.Helper()
	f, b, err := c.receive()
	if err != nil || f != first || !bytes.Equal(b, body) {
		c.t.Fatalf("received %#x % x, %v; want %#x % x", f, b, err, first, body)
	}
}

// wantMessage reads one PUBLISH and acknowledges it.
func (c *client) wantMessage(topic string) (payload []byte) {
	c.t.Helper()
	f, b, err := c.receive()
	if err != nil || f>>4 != typePublish {
		c.t.Fatalf("received %#x, %v; want a message", f, err)
	}
	got, rest, _ := mqttguard.SplitString(b)
	if got != topic {
		c.t.Fatalf("message on %q, want %q", got, topic)
	}
	if f>>1&3 > 0 {
		c.send(encodePacket(typePuback<<4, rest[:2]))
		rest = rest[2:]
	}
	return rest
}

// wantQuiet checks that nothing is on its way to the client: the answer to its ping is the next packet that it receives.
func (c *client) wantQuiet() {
	c.t.Helper()
	c.send(pingPacket)
	c.want(0xd0)
}

// wantCut waits until the broker has ended the connection, whatever it sends first.
func (c *client) wantCut() {
	c.t.Helper()
	for {
		if _, _, err := c.receive(); err != nil {
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				c.t.Fatal("the connection was not cut")
			}
			return
		}
	}
}

func (c *client) login(l login) *client {
	c.t.Helper()
	c.send(l.packet())
	c.want(0x20, 0, 0)
	return c
}

func (c *client) subscribe(topics ...string) *client {
	c.t.Helper()
	c.send(subscribePacket(7, topics...))
	c.want(0x90, append([]byte{0, 7}, bytes.Repeat([]byte{1}, len(topics))...)...)
	return c
}

// publish sends at QoS 1 and waits for the acknowledgement.
func (c *client) publish(topic string, payload []byte, retain bool) {
	c.t.Helper()
	c.send(publishPacket(topic, payload, 1, retain))
	if f, _, err := c.receive(); err != nil || f != typePuback<<4 {
		c.t.Fatalf("publish was answered %#x, %v", f, err)
	}
}
