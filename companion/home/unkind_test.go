package home

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/door"
	"majordome/companion/mosquitto"
)

// TestCovers checks that a grant covers a filter level by level, and never more than was granted.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		grant  string
		covers string
		not    string
	}{
		{"cmnd/lamp/#", "cmnd/lamp cmnd/lamp/# cmnd/lamp/+ cmnd/lamp/POWER cmnd/lamp/a/b",
			"# + cmnd cmnd/# cmnd/+ +/lamp/# cmnd/+/POWER cmnd/lampe cmnd/lampe/x cmnd/lam"},
		{"a/+", "a/b a/+", "a a/# a/b/c +/b a/b/#"},
		{"a/+/c", "a/b/c a/+/c", "a/+/+ a/#"},
		{"a/#", "a" + strings.Repeat("/a", maxLevels-1), "a" + strings.Repeat("/a", maxLevels)},
		{"#", "a a/b # + +/b a/#", "$SYS/# $SYS/broker/version $share/g/a a/#/b a+ a/b# #/a"},
		{"a", "a", "a/# a/b b +"},
	} {
		for f := range strings.FieldsSeq(c.covers) {
			if !filterCovers(c.grant, f) {
				t.Errorf("%s does not cover %s", c.grant, f)
			}
		}
		for f := range strings.FieldsSeq(c.not) {
			if filterCovers(c.grant, f) {
				t.Errorf("%s covers %s", c.grant, f)
			}
		}
	}
	if filterCovers("#", "") || filterCovers("#", "a\x00") || filterCovers("#", strings.Repeat("a", maxTopic+1)) {
		t.Error("a text that is no filter is covered")
	}
}

// rawClient is a client that sends any bytes.
type rawClient struct {
	net.Conn
	t testing.TB
}

func (p *house) dialRaw() rawClient {
	p.t.Helper()
	c, err := net.Dial("tcp", p.at)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return rawClient{c, p.t}
}

func (r rawClient) send(b ...byte) {
	r.t.Helper()
	if _, err := r.Write(b); err != nil {
		r.t.Fatal(err)
	}
}

// encodeLogin returns a CONNECT of a protocol level; clean sets clean session (MQTT 3.1.1) or clean start (MQTT 5).
func (p *house) encodeLogin(level byte, user, id string, clean bool, props ...byte) []byte {
	c := connectPacket{level: level, flags: flagUser, id: id, user: user, props: props}
	if clean {
		c.flags |= flagClean
	}
	return c.encodeWith(id, p.passwords[user])
}

// nextPacket reads one packet.
func (r rawClient) nextPacket() (first byte, body []byte) {
	r.t.Helper()
	head := r.read(2)
	size := int(head[1] & 0x7f)
	for shift := 7; head[1] >= 0x80; shift += 7 {
		head[1] = r.read(1)[0]
		size |= int(head[1]&0x7f) << shift
	}
	return head[0], r.read(size)
}

func (r rawClient) read(n int) []byte {
	r.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		r.t.Fatal(err)
	}
	return b
}

// waitClosed waits for the end of the connection.
func (r rawClient) waitClosed() {
	r.t.Helper()
	if _, err := io.Copy(io.Discard, r); err != nil && !isReset(err) {
		r.t.Error("the connection does not end:", err)
	}
}

func isReset(err error) bool {
	return strings.Contains(err.Error(), "reset by peer") || strings.Contains(err.Error(), "broken pipe")
}

func encodePublish(topic string, qos byte, id uint16, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(topic)))
	b = append(b, topic...)
	if qos > 0 {
		b = binary.BigEndian.AppendUint16(b, id)
	}
	b = append(b, payload...)
	return append(appendLength([]byte{typePublish<<4 | qos<<1}, len(b)), b...)
}

// TestMalformed checks that nothing that a client sends ends the daemon or Mosquitto, and that anything but valid MQTT ends the
// connection.
func TestMalformed(t *testing.T) {
	p := newHouse(t)
	p.addAccount("x", Custom, "x/#")
	for name, after := range map[string][]byte{
		"a filter without options":  {0x82, 5, 0, 1, 0, 0, 0},
		"a subscription to nothing": {0x82, 3, 0, 1, 0},
		"long properties":           {0x82, 5, 0, 1, 0xff, 0x7f, 0},
		"another CONNECT":           p.encodeLogin(5, "x", "a", true),
		"QoS 3":                     {0x36, 5, 0, 1, 'x', 0, 1},
		"a topic beyond the end":    {0x30, 3, 0xff, 0xff, 'x'},
		"a reserved flag":           {0x80, 5, 0, 1, 0, 0, 0},
		"AUTH":                      {0xf0, 0},
		"what servers send":         {0x20, 2, 0, 0},
		"too large":                 {0x30, 0xff, 0xff, 0xff, 0x7f},
		"five bytes of length":      {0x30, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"a topic of many levels":    encodePublish("x"+strings.Repeat("/a", maxLevels), 0, 0, []byte{0}),
		"a filter of many levels":   append([]byte{0x82, 47, 0, 1, 0, 0, 41}, "x"+strings.Repeat("/a", maxLevels)+"\x00"...),
		"too many filters":          append([]byte{0x82, 0x83, 0x18, 0, 1, 0}, bytes.Repeat([]byte{0, 1, 'x', 0}, 768)...),
	} {
		t.Run(name, func(t *testing.T) {
			r := p.dialRaw()
			r.send(p.encodeLogin(5, "x", "a", true)...)
			r.nextPacket()
			r.send(after...)
			r.waitClosed()
		})
	}
	for name, first := range map[string][]byte{
		"HTTP":             []byte("GET / HTTP/1.1\r\n\r\n"),
		"a huge CONNECT":   {0x10, 0xff, 0xff, 0xff, 0x7f},
		"an empty CONNECT": {0x10, 0},
		"a reserved flag":  {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 3, 0, 9, 0, 0},
		"nobody":           {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 9, 0, 0},
		"a short will":     {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 5, 0xc6, 0, 9, 0, 0, 0xff},
	} {
		t.Run(name, func(t *testing.T) {
			r := p.dialRaw()
			r.send(first...)
			r.waitClosed()
		})
	}
	p.publishText(p.connectDaemon(), "still/there", 1, false, "")
}

// FuzzPackets checks that nothing that a client of either version sends after its login ends Mosquitto.
func FuzzPackets(f *testing.F) {
	p := newHouse(f)
	p.addAccount("x", Custom, "x/#")
	// Beside the door, which would refuse so many connections a second, and without ports, which would run out.
	l, err := net.Listen("unix", filepath.Join(f.TempDir(), "s"))
	if err != nil {
		f.Fatal(err)
	}
	go func() { _ = p.ServeTCP(l) }() // until the broker is closed
	f.Add(byte(5), []byte{0x82, 5, 0, 1, 0, 0, 0})
	f.Add(byte(4), []byte{0x82, 6, 0, 1, 0, 1, 'x', 2})
	f.Add(byte(5), encodePublish("x/y", 2, 1, []byte{0, 1}))
	f.Add(byte(5), []byte{0xe0, 7, 0, 5, 0x11, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, level byte, after []byte) {
		conn, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		r := rawClient{conn, t}
		r.send(p.encodeLogin(4+level%2, "x", "a", true)...)
		r.nextPacket()
		_, _ = r.Write(after)
		_ = conn.(*net.UnixConn).CloseWrite()
		r.waitClosed()
		_ = r.Close()
		if s := p.Status(); s.Starts != 1 || !s.Running {
			t.Fatalf("Mosquitto has ended: %+v", s)
		}
	})
}

// TestTwoAccountsOneID checks that neither of two accounts with one client id takes over the session of the other.
func TestTwoAccountsOneID(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	p.addAccount("b", Custom, "b/#")
	same := func(o *mqtt.ClientOptions) { o.SetClientID("same").SetCleanSession(false).SetAutoReconnect(false) }
	a, b := p.connectPaho("a", same), p.connectPaho("b", same)
	heard, _ := p.subscribeTo(a, 1, "a/#")
	a.Disconnect(0)
	eventually(t, "a is still there", func() bool { return p.register.ListAccounts()[0].Online == 0 })
	d := p.connectDaemon()
	p.publishText(d, "a/x", 1, false, "for a")
	if !b.IsConnected() {
		t.Error("b was cut off")
	}
	b2, _ := p.subscribeTo(b, 1, "b/#")
	p.publishText(d, "b/x", 1, false, "for b")
	eventually(t, "b hears nothing", func() bool { return len(b2.received()) == 1 })
	back := p.connectPaho("a", func(o *mqtt.ClientOptions) { same(o); o.SetDefaultPublishHandler(heard.receive) })
	eventually(t, "the message retained for a does not arrive", func() bool {
		return slices.Equal(heard.received(), []string{"a/x for a"})
	})
	back.Disconnect(0)
}

// TestOrderOfWhatWaits checks that a client that was away gets MaxQueued messages in their order, and that the newest beyond
// them are lost.
func TestOrderOfWhatWaits(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	kept := func(o *mqtt.ClientOptions) { o.SetClientID("a").SetCleanSession(false).SetOrderMatters(true) }
	c := p.connectPaho("a", kept)
	heard, _ := p.subscribeTo(c, 1, "a/#")
	c.Disconnect(100)
	eventually(t, "the client is still online", func() bool { return p.register.ListAccounts()[0].Online == 0 })
	d := p.connectDaemon()
	var want []string
	for i := range mosquitto.MaxQueued + 50 {
		p.publishText(d, "a/x", 1, false, fmt.Sprint(i))
		if i < mosquitto.MaxQueued {
			want = append(want, fmt.Sprint("a/x ", i))
		}
	}
	p.connectPaho("a", func(o *mqtt.ClientOptions) { kept(o); o.SetDefaultPublishHandler(heard.receive) })
	eventually(t, "not all comes", func() bool { return len(heard.received()) >= len(want) })
	if got := heard.received(); !slices.Equal(got, want) {
		t.Errorf("came %q", got)
	}
}

// TestSessionsAreBounded checks that a client that comes under another client id each time leaves no more sessions than its
// account may have.
func TestSessionsAreBounded(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", ESPHome, "a")
	for i := range 300 {
		r := p.dialRaw()
		r.send(p.encodeLogin(4, "a", fmt.Sprint("id", i), false)...)
		r.nextPacket()
		r.send(0x82, 8, 0, 1, 0, 3, 'a', '/', byte('0'+i%10), 1)
		r.read(5)
		r.send(0xe0, 0)
		r.waitClosed()
		_ = r.Close()
	}
	p.mu.Lock()
	got := slices.Clone(p.sessions["a"])
	p.mu.Unlock()
	if !slices.Equal(got, []string{"id298", "id299"}) {
		t.Errorf("kept: %v", got)
	}
	for id, want := range map[string]byte{"id298": 1, "id299": 1} {
		if got := p.sessionPresent("a", id); got != want {
			t.Errorf("%s: session present %d, want %d", id, got, want)
		}
	}
	if p.sessionPresent("a", "id297") != 0 {
		t.Error("more is kept")
	}
}

// sessionPresent connects and returns the session-present flag of the CONNACK.
func (p *house) sessionPresent(user, id string) byte {
	p.t.Helper()
	r := p.dialRaw()
	r.send(p.encodeLogin(4, user, id, false)...)
	_, got := r.nextPacket()
	if got[1] != 0 {
		p.t.Fatalf("%s is not let in: %x", id, got)
	}
	r.send(0xe0, 0)
	r.waitClosed()
	return got[0]
}

// TestRetainedIsBounded checks that an account that publishes on 10,000 topics leaves no more retained messages than it may,
// and that subscribers get all the others.
func TestRetainedIsBounded(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	d := p.connectDaemon()
	told, _ := p.subscribeTo(d, 0, "a/#")
	r := p.dialRaw()
	r.send(p.encodeLogin(4, "a", "a", true)...)
	r.nextPacket()
	const many = 10000
	for i := range many {
		b := encodePublish(fmt.Sprint("a/", i), 0, 0, []byte("x"))
		b[0] |= 1
		r.send(b...)
	}
	eventually(t, "not everything was reported", func() bool { return len(told.received()) == many })
	late, _ := p.subscribeTo(p.connectObserver(), 0, "a/#")
	eventually(t, "the retained messages do not arrive", func() bool { return len(late.received()) == smallLimits.Retained })
	r.send(func() []byte { b := encodePublish("a/1", 0, 0, nil); b[0] |= 1; return b }()...)
	r.send(func() []byte { b := encodePublish("a/new", 0, 0, []byte("y")); b[0] |= 1; return b }()...)
	r.send(0xc0, 0)
	r.nextPacket()
	if got := p.listRetained("a/#"); len(got) != smallLimits.Retained || !slices.Contains(got, "a/new y") {
		t.Errorf("one that was cleared leaves no room: %q", got)
	}
	if ok, err := p.register.RemoveAccount("a"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got := p.listRetained("a/#"); len(got) != 0 {
		t.Errorf("%q is left by an account that is gone", got)
	}
}

// listRetained returns the retained messages that match a filter.
func (p *house) listRetained(filter string) []string {
	p.t.Helper()
	d := p.connectDaemon()
	heard, _ := p.subscribeTo(d, 1, filter, "the/end")
	p.publishText(d, "the/end", 1, false, "")
	eventually(p.t, "the end is not heard", func() bool { return slices.Contains(heard.received(), "the/end ") })
	return slices.DeleteFunc(heard.received(), func(s string) bool { return s == "the/end " })
}

// TestRetainedThatExpires checks that an expired retained message makes room for later ones and is gone from the index.
func TestRetainedThatExpires(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	r := p.dialRaw()
	r.send(p.encodeLogin(5, "a", "a", true)...)
	r.nextPacket()
	say := func(n int, expiry byte) {
		topic := fmt.Sprint("a/", n)
		body := append([]byte{0, byte(len(topic))}, topic...)
		body = append(body, 5, 2, 0, 0, 0, expiry, 'x')
		r.send(append([]byte{typePublish<<4 | 1, byte(len(body))}, body...)...)
	}
	for i := range smallLimits.Retained {
		say(i, 1)
	}
	r.send(0xc0, 0)
	r.nextPacket()
	time.Sleep(2100 * time.Millisecond) // Mosquitto counts whole seconds
	for i := range smallLimits.Retained {
		say(1000+i, 200)
	}
	r.send(0xc0, 0)
	r.nextPacket()
	got := p.listRetained("a/#")
	if slices.ContainsFunc(got, func(s string) bool { return !strings.HasPrefix(s, "a/10") }) || len(got) != smallLimits.Retained {
		t.Errorf("an expired message takes the room of a later one: %q", got)
	}
}

// TestGreedySubscription checks that a SUBSCRIBE that asks for all retained messages many times gets a bounded number of them,
// and that the others do not wait.
func TestGreedySubscription(t *testing.T) {
	p := newHouse(t)
	p.addAccount("z", Zigbee2MQTT, "zigbee2mqtt")
	p.addAccount("greedy", Observer, "")
	z, d := p.connectPaho("z", nil), p.connectDaemon()
	for i := range 1500 {
		z.Publish(fmt.Sprintf("zigbee2mqtt/%d", i), 0, true, "x")
	}
	p.publishText(z, "zigbee2mqtt/end", 1, true, "x")
	for _, qos := range []byte{0, 1} {
		before := p.RefusalCounts()["greedy"]
		r := p.dialRaw()
		r.send(p.encodeLogin(4, "greedy", "a", true)...)
		r.nextPacket()
		go func() { _, _ = io.Copy(io.Discard, r) }()
		body := append([]byte{0, 1}, bytes.Repeat([]byte{0, 1, '#', qos}, maxFiltersAtOnce)...)
		_, _ = r.Write(append(appendLength([]byte{0x82}, len(body)), body...))
		eventually(t, "a client may subscribe to everything without a limit", func() bool { return p.RefusalCounts()["greedy"] > before })
		heard, _ := p.subscribeTo(d, 1, "zigbee2mqtt/ping")
		p.publishText(z, "zigbee2mqtt/ping", 1, false, "y")
		eventually(t, "the others wait", func() bool { return len(heard.received()) == 1 })
	}
}

// TestFiltersAreBounded checks that all sessions of an account have a bounded number of subscriptions, also if the client comes back
// to its session, and that one that is ended leaves room.
func TestFiltersAreBounded(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	subscribe := func(id string, clean bool, from, n int) rawClient {
		r := p.dialRaw()
		r.send(p.encodeLogin(4, "a", id, clean)...)
		r.nextPacket()
		body := []byte{0, 1}
		for i := range n {
			body = append(appendString(body, fmt.Sprint("a/", from+i)), 0)
		}
		r.send(append(appendLength([]byte{0x82}, len(body)), body...)...)
		return r
	}
	most := smallLimits.Filters
	kept := subscribe("kept", false, 0, most-10)
	kept.nextPacket()
	kept.send(0xe0, 0)
	kept.waitClosed()
	subscribe("kept", false, most, 11).waitClosed()
	subscribe("other", true, 0, 11).waitClosed()
	eventually(t, "the client is still online", func() bool { return p.register.ListAccounts()[0].Online == 0 })
	if first, _ := subscribe("other", true, 0, 10).nextPacket(); first != 0x90 {
		t.Errorf("% x instead of an answer", first)
	}
	last := subscribe("kept", true, 0, most-10)
	if first, _ := last.nextPacket(); first != 0x90 {
		t.Errorf("% x instead of an answer", first)
	}
	last.send(0xa2, 7, 0, 2, 0, 3, 'a', '/', '1')
	last.nextPacket()
	last.send(0x82, 8, 0, 3, 0, 3, 'a', '/', 'x', 0)
	if first, _ := last.nextPacket(); first != 0x90 {
		t.Errorf("% x instead of an answer", first)
	}
	last.send(0x82, 8, 0, 3, 0, 3, 'a', '/', 'y', 0)
	last.waitClosed()
	if n := p.RefusalCounts()["greedy"]; n != 3 {
		t.Errorf("%d are greedy", n)
	}
}

// TestAllOfALargeHouse checks that Home Assistant gets all the retained messages of zigbee2mqtt in a large house.
func TestAllOfALargeHouse(t *testing.T) {
	p := newHouse(t)
	p.addAccount("z", Zigbee2MQTT, "zigbee2mqtt")
	p.addAccount("ha", HomeAssistant, "")
	z := p.connectPaho("z", nil)
	const many = 1900
	for i := range many {
		if token := z.Publish(fmt.Sprintf("homeassistant/sensor/%d/x/config", i), 0, true, strings.Repeat("x", 500)); token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	p.publishText(z, "homeassistant/end", 1, false, "") // after all of them
	for _, qos := range []byte{0, 1} {
		heard, _ := p.subscribeTo(p.connectPaho("ha", nil), qos, "homeassistant/#")
		eventually(t, "not all that is retained comes", func() bool { return len(heard.received()) >= many })
	}
	if n := p.door.State().Cut["slow"]; n > 0 {
		t.Error("somebody was cut")
	}
}

// TestSlowReader checks that a client that does not read is cut after a while, and that the others miss nothing.
func TestSlowReader(t *testing.T) {
	p := newHouseBehind(t, &door.Opts{WriteWait: time.Second})
	p.addAccount("slow", Observer, "")
	p.addAccount("quick", Observer, "")
	r := p.dialRaw()
	r.send(p.encodeLogin(4, "slow", "a", true)...)
	r.nextPacket()
	r.send(0x82, 6, 0, 1, 0, 1, '#', 0)
	r.nextPacket()
	heard, _ := p.subscribeTo(p.connectPaho("quick", nil), 0, "#")
	d := p.connectDaemon()
	for n := 1; p.door.State().Cut["slow"] == 0; n++ {
		if p.publishText(d, "a/x", 1, false, strings.Repeat("x", 32<<10)); n > 10000 {
			t.Fatal("the client is never cut")
		}
		eventually(t, "another is held up", func() bool { return len(heard.received()) == n })
	}
	eventually(t, "the client is still online", func() bool { return p.register.ListAccounts()[1].Online == 0 })
}

// TestClientThatAcknowledgesNothingDelaysNoOther checks that a client that acknowledges nothing is sent a bounded
// number of messages, and delays no other.
func TestClientThatAcknowledgesNothingDelaysNoOther(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Observer, "")
	p.addAccount("quick", Observer, "")
	r := p.dialRaw()
	r.send(p.encodeLogin(4, "a", "a", true)...)
	r.nextPacket()
	r.send(0x82, 6, 0, 1, 0, 1, '#', 1)
	r.nextPacket()
	brought := make(chan int64, 1)
	go func() { n, _ := io.Copy(io.Discard, r); brought <- n }()
	heard, _ := p.subscribeTo(p.connectPaho("quick", nil), 1, "#")
	d := p.connectDaemon()
	const many, each = 400, 32 << 10 // 12.5 MiB
	for range many {
		p.publishText(d, "a/x", 1, false, strings.Repeat("x", each))
	}
	eventually(t, "another is held up", func() bool { return len(heard.received()) == many })
	_ = r.SetDeadline(time.Now())
	if n := <-brought; n > 65*(each+16) {
		t.Errorf("%d bytes are under way", n)
	}
	_ = r.Close()
}

// TestFlood checks that messages above the rate are read later, and that those of the daemon pass meanwhile.
func TestFlood(t *testing.T) {
	p := newHouse(t)
	p.adjustLimits = func(l Limits) Limits { l.Messages, l.MessageBurst = 1, 10; return l }
	p.addAccount("flood", Custom, "a/#")
	p.addAccount("look", Observer, "")
	d := p.connectDaemon()
	heard, _ := p.subscribeTo(d, 0, "#")
	r := p.dialRaw()
	r.send(p.encodeLogin(4, "flood", "a", true)...)
	r.nextPacket()
	go func() { // until the end of the test
		for i := 0; ; i++ {
			if _, err := r.Write(encodePublish("a/x", 0, 0, []byte("x"))); err != nil {
				return
			}
		}
	}()
	count := func() (n int) {
		for _, what := range heard.received() {
			if what == "a/x x" {
				n++
			}
		}
		return n
	}
	eventually(t, "the burst is not read", func() bool { return count() >= 10 })
	for i := range 20 {
		p.publishText(d, "b/x", 1, false, fmt.Sprint(i))
	}
	if n := count(); n > 100 { // ten at once, and one a second: the test would have had to take a minute and a half
		t.Errorf("%d are read", n)
	}
}

// TestCrowd checks that the newest connections of an account stay, and that no account takes the place of another.
func TestCrowd(t *testing.T) {
	p := newHouse(t)
	p.addAccount("a", Custom, "a/#")
	p.addAccount("b", Observer, "")
	other := p.connectPaho("b", func(o *mqtt.ClientOptions) { o.SetAutoReconnect(false) })
	first := p.dialRaw()
	first.send(p.encodeLogin(4, "a", "0", true)...)
	first.nextPacket()
	for i := range smallLimits.Conns {
		r := p.dialRaw()
		r.send(p.encodeLogin(4, "a", fmt.Sprint(i+1), true)...)
		if _, got := r.nextPacket(); got[1] != 0 {
			t.Errorf("refused: %x", got)
		}
	}
	first.waitClosed()
	if !other.IsConnected() {
		t.Error("another account was put out")
	}
}

// TestRegister checks the accounts: names, templates and topics, what is stored, and what a full disk does.
func TestRegister(t *testing.T) {
	d := &memoryKeeper{in: map[string]string{}}
	r, err := NewRegister(d, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, template, topic string
		want                  error
	}{
		{"lampe", Tasmota, "salon", nil}, {"DVES_USER", Tasmota, "salon", ErrName}, {"", Observer, "", ErrName},
		{"a/b", Observer, "", ErrName},
		{"x", "none", "", ErrTemplate}, {"x", Tasmota, "", ErrTopic}, {"x", Tasmota, "a/b", ErrTopic}, {"x", Tasmota, "+", ErrTopic},
		{"x", Observer, "a", ErrTopic},
		{"x", Custom, "", ErrTopic}, {"x", Custom, "a/#/b", ErrTopic}, {"x", Custom, "$SYS/#", ErrTopic},
		{"x", Custom, "a b c d e f g h i", ErrTopic},
		{"lampe", Observer, "", ErrName}, {"lampe", Tasmota, "salon", nil}, {"pont", Custom, " a/#   b ", nil},
	} {
		word, err := r.AddOrRenewAccount(c.name, c.template, c.topic)
		if !errors.Is(err, c.want) || (word == "") != (err != nil) {
			t.Errorf("%v: %q %v", c, word, err)
		}
	}
	word, err := r.AddOrRenewAccount("lampe", Tasmota, "salon")
	if err != nil || len(word) < 20 {
		t.Fatal(word, err)
	}
	for _, text := range d.in {
		if strings.Contains(text, word) {
			t.Error("the password is kept")
		}
	}
	d.in["home.7"] = `{"name":"x","template":"free","topic":"$SYS/#"}`
	d.in["home.8"] = "nonsense"
	again, err := NewRegister(d, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all := again.ListAccounts(); len(all) != 2 || all[0].Name != "lampe" || all[1].Topic != "a/# b" || again.CountUnreadable() != 2 {
		t.Errorf("%+v, %d are unreadable", all, again.CountUnreadable())
	}
	if !again.verifyPassword("lampe", word) || again.verifyPassword("lampe", word+"x") || again.verifyPassword("lampe", "") ||
		again.verifyPassword("x", "") {
		t.Error("the wrong passwords open")
	}
	d.full = errors.New("full")
	if _, err := again.RemoveAccount("lampe"); err == nil {
		t.Error("an account is gone that is still on the disk")
	}
	if _, err := again.AddOrRenewAccount("new", Observer, ""); err == nil || len(again.ListAccounts()) != 2 {
		t.Error("an account is there that is not on the disk")
	}
	d.full = nil
	for i := range MaxAccounts - 4 {
		if _, err := again.AddOrRenewAccount(fmt.Sprint("n", i), Observer, ""); err != nil {
			t.Error(i, err)
		}
	}
	if n := again.CountUnreadable(); n != 2 || d.in["home.8"] != "nonsense" {
		t.Errorf("%d are unreadable, although there was room beside them", n)
	}
	for i := MaxAccounts - 4; i < MaxAccounts-2; i++ {
		if _, err := again.AddOrRenewAccount(fmt.Sprint("n", i), Observer, ""); err != nil {
			t.Error(i, err)
		}
	}
	if _, err := again.AddOrRenewAccount("one-more", Observer, ""); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if n := again.CountUnreadable(); n != 0 || d.in["home.8"] == "nonsense" {
		t.Errorf("%d are unreadable, where all places are taken", n)
	}
	before := 0
	for _, a := range again.ListAccounts()[0].Refused {
		before += a.Times
	}
	for i := range 2 * maxRefused {
		again.recordRefusal("lampe", RefusedRead, fmt.Sprint(i, "\n\x00", strings.Repeat("é", 99)))
	}
	asked := again.ListAccounts()[0].Refused
	if len(asked) != maxRefused || len([]rune(asked[0].Topic)) != 64 || strings.ContainsAny(asked[0].Topic, "\n\x00") {
		t.Errorf("%+v", asked)
	}
	if n := again.ListAccounts()[0].Older; n != before+maxRefused {
		t.Errorf("%d older refusals are counted, want %d", n, before+maxRefused)
	}
}

// TestSessionExpiry checks that the session expiry of MQTT 5 is bounded.
func TestSessionExpiry(t *testing.T) {
	for props, want := range map[string]uint32{"\x1f\x00\x02hi\x11\xff\xff\xff\xff": 3600, "\x11\x00\x00\x00\x09": 9} {
		b := []byte(props)
		if capSessionExpiry(b, maxExpiry); binary.BigEndian.Uint32(b[len(b)-4:]) != want {
			t.Errorf("%x becomes %x", props, b)
		}
	}
}

// TestAccountsInOrder checks that accounts with numbers are listed in their natural order.
func TestAccountsInOrder(t *testing.T) {
	r, err := NewRegister(&memoryKeeper{in: map[string]string{}}, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lampe10", "lampe2", "lampe1"} {
		if _, err := r.AddOrRenewAccount(name, Observer, ""); err != nil {
			t.Fatal(err)
		}
	}
	all := r.ListAccounts()
	if all[0].Name != "lampe1" || all[1].Name != "lampe2" || all[2].Name != "lampe10" {
		t.Errorf("%+v", all)
	}
}
