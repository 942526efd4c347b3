package line

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/gorilla/websocket"

	"majordome/companion/wsstream"
)

// oversizedPacket returns the header of a packet that announces the largest size of MQTT, 268,435,455 bytes, with the first
// kilobyte of its body.
func oversizedPacket(first byte, topic string) []byte {
	b := []byte{first, 0xff, 0xff, 0xff, 0x7f}
	b = binary.BigEndian.AppendUint16(b, uint16(len(topic)))
	return append(append(b, topic...), make([]byte, 1<<10)...)
}

const announcedSize = 268_435_455

// TestAClaimOfTheBroker checks that a packet that announces more bytes than the line accepts ends the line at once, whatever
// its type, is counted and reported, and that each next try waits longer.
func TestAClaimOfTheBroker(t *testing.T) {
	for _, c := range []struct {
		name  string
		first []byte // the packet that is sent
		topic string
	}{
		{"message", oversizedPacket(packets.Publish<<4|2, "u/a"), "u/a"},
		{"message at QoS 0", oversizedPacket(packets.Publish<<4, "u/a"), "u/a"},
		{"message of nobody's topic", oversizedPacket(packets.Publish<<4, "\x1b[2J\u202e"), "�[2J�"},
		{"acknowledgement", oversizedPacket(packets.Suback<<4, ""), ""},
		{"answer to a ping", oversizedPacket(packets.Pingresp<<4, ""), ""},
		{"type 0", oversizedPacket(0, ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFakeBroker(t, func(k *client, _ int) {
				_ = k.send(c.first)
				_ = k.serveUntil(nil)
			})
			l := startLine(t, "mqtt://"+f.at, func(o *Opts) { o.Timeout = 5 * time.Second })
			eventually(t, "the claim is not counted", func() bool { return l.Status().Counts[Oversize] >= 2 })
			s := l.Status()
			if s.Reason != Oversize || s.Connected || len(s.Suspects) != 1 {
				t.Fatalf("%+v", s)
			}
			if x := s.Suspects[0]; x.Topic != c.topic || x.Size != announcedSize || x.Ours || x.Breaks < 2 {
				t.Errorf("named is %+v", x)
			}
		})
	}
	t.Run("answer to CONNECT", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		f := &fakeBroker{t: t, at: l.Addr().String()}
		f.serve(l, func(k *client, _ int) {
			_ = k.send(oversizedPacket(packets.Connack<<4, ""))
			_, _ = packets.ReadPacket(k)
			_, _ = packets.ReadPacket(k)
		})
		line := startLine(t, "mqtt://"+f.at, nil)
		eventually(t, "the claim is not counted", func() bool { return len(f.connectionTimes()) >= 4 })
		if s := line.Status(); s.Reason != Oversize || s.Counts[Oversize] < 3 || s.Suspects[0].Size != announcedSize {
			t.Errorf("%+v", s)
		}
		came := f.connectionTimes()
		for i, least := 1, firstRetry; i < len(came); i, least = i+1, 2*least {
			if gap := came[i].Sub(came[i-1]); gap < least {
				t.Errorf("try %d came after %v, want %v or more", i+1, gap, least)
			}
		}
	})
}

// newSecureFakeBroker starts a fakeBroker behind TLS or WebSocket; roots verify its certificate.
func newSecureFakeBroker(t *testing.T, ws bool, handle func(k *client)) (url string, roots *x509.CertPool) {
	t.Helper()
	f := &fakeBroker{t: t}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		up := websocket.Upgrader{Subprotocols: []string{"mqtt"}}
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		k := &client{Conn: &wsstream.Stream{Conn: conn}, f: f}
		if _, err := packets.ReadPacket(k); err == nil {
			handle(k)
		}
	}))
	s.StartTLS()
	t.Cleanup(s.Close)
	roots = x509.NewCertPool()
	roots.AddCert(s.Certificate())
	if ws {
		return "wss://" + s.Listener.Addr().String() + "/mqtt", roots
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", s.TLS.Clone())
	if err != nil {
		t.Fatal(err)
	}
	f.serve(l, func(k *client, _ int) {
		if _, err := packets.ReadPacket(k); err == nil {
			handle(k)
		}
	})
	return "mqtts://" + l.Addr().String(), roots
}

// TestAClaimByTLSAndWebSocket checks the same over TLS and over WebSocket, and that the line connects when the broker stops
// doing so.
func TestAClaimByTLSAndWebSocket(t *testing.T) {
	for name, ws := range map[string]bool{"mqtts": false, "wss": true} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			kind := false
			url, roots := newSecureFakeBroker(t, ws, func(k *client) {
				mu.Lock()
				is := kind
				mu.Unlock()
				_ = k.send([]byte{packets.Connack << 4, 2, 0, 0})
				if !is {
					_ = k.send(oversizedPacket(packets.Publish<<4, "u/a"))
				}
				_ = k.serveUntil(nil)
			})
			l := startLine(t, url, func(o *Opts) { o.TLS, o.MaxRetry = &tls.Config{RootCAs: roots}, time.Second })
			eventually(t, "the claim is not counted", func() bool { return l.Status().Counts[Oversize] >= 1 })
			mu.Lock()
			kind = true
			mu.Unlock()
			l.SetTopics(map[string][]byte{"t/state": []byte("x")})
			eventually(t, "the line does not stand", func() bool { return l.Status().Connected })
		})
	}
}

// TestEndlessAnswerBeforeAWebSocket checks that endless HTTP headers before a WebSocket use little memory.
func TestEndlessAnswerBeforeAWebSocket(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeBroker{t: t, at: listener.Addr().String()}
	sent := make(chan int, 9)
	f.serve(listener, func(k *client, _ int) {
		_ = k.send([]byte("HTTP/1.1 101 Switching Protocols\r\n"))
		row, n := []byte("X-A: "+strings.Repeat("a", 1<<10)+"\r\n"), 0
		for ; n < 64<<20 && k.send(row) == nil; n += len(row) {
		}
		sent <- n
	})
	l := startLine(t, "ws://"+f.at+"/mqtt", nil)
	if n := <-sent; n >= 64<<20 {
		t.Errorf("%d bytes of headers were taken", n)
	}
	eventually(t, "no reason is given", func() bool { return l.Status().Reason == Oversize })
}

// TestMalformed checks that packets that no broker may send to a line end it; paho would store some without a bound and panic
// on others.
func TestMalformed(t *testing.T) {
	publish := func(flags byte, body ...byte) []byte {
		return append([]byte{packets.Publish<<4 | flags, byte(len(body))}, body...)
	}
	for name, packet := range map[string][]byte{
		"more acknowledged than asked for": append([]byte{packets.Suback << 4, 100, 0, 1}, make([]byte, 98)...),
		"fewer acknowledged":               {packets.Suback << 4, 2, 0, 1},
		"QoS 2":                            publish(4, 0, 1, 'a', 0, 1),
		"QoS 3":                            publish(6, 0, 1, 'a', 0, 1),
		"a topic beyond its end":           publish(0, 0, 9, 'a'),
		"no packet id":                     publish(2, 0, 1, 'a'),
		"no topic":                         publish(0),
		"five length bytes":                {packets.Pingresp << 4, 0x80, 0x80, 0x80, 0x80, 0},
		"a second CONNACK":                 {packets.Connack << 4, 2, 0, 0},
		"PUBREL":                           {packets.Pubrel<<4 | 2, 2, 0, 1},
		"CONNECT":                          {packets.Connect << 4, 0},
		"SUBSCRIBE":                        {packets.Subscribe<<4 | 2, 5, 0, 1, 0xff, 0xff, 'a'},
		"UNSUBACK":                         {packets.Unsuback << 4, 2, 0, 1},
		"DISCONNECT":                       {packets.Disconnect << 4, 0},
		"type 15":                          {0xf0, 0},
		"HTTP":                             []byte("HTTP/1.1 400 Bad Request\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFakeBroker(t, func(k *client, _ int) {
				_ = k.serveUntil(func(p packets.ControlPacket) bool {
					_, is := p.(*packets.SubscribePacket)
					return is
				})
				_ = k.send(packet)
				_ = k.serveUntil(nil)
			})
			l := startLine(t, "mqtt://"+f.at, nil)
			eventually(t, "the packet is not counted", func() bool { return l.Status().Counts[Malformed] >= 1 })
			if s := l.Status(); s.Reason != Malformed || s.Connected || len(s.Suspects) > 0 { // their sizes are not too large
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestALargeRetainedMessage checks that a large message that an honest broker retains on a subscribed topic ends the line twice
// and is then left out at any size, while the other messages pass both ways.
func TestALargeRetainedMessage(t *testing.T) {
	at := startMosquitto(t, "")
	device := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + at).SetClientID("device"))
	done := func(token mqtt.Token) {
		t.Helper()
		if !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	done(device.Connect())
	t.Cleanup(func() { device.Disconnect(10) })
	done(device.Publish("u/a", 1, true, make([]byte, 3<<20)))
	done(device.Publish("u/b", 1, true, "small"))
	var mu sync.Mutex
	heard := map[string]int{}
	l := startLine(t, "mqtt://"+at, func(o *Opts) {
		o.Receive = func(topic string, payload []byte, _ bool) { mu.Lock(); heard[topic] += len(payload); mu.Unlock() }
	})
	l.SetTopics(map[string][]byte{"t/state": []byte("x")})
	eventually(t, "the line does not stand", func() bool { return l.Status().Connected })
	eventually(t, "the rest is not heard", func() bool { mu.Lock(); defer mu.Unlock(); return heard["u/b"] >= len("small") })
	s := l.Status()
	if s.Counts[Oversize] != 2 || len(s.Suspects) != 1 {
		t.Fatalf("%+v", s)
	}
	if x := s.Suspects[0]; x.Topic != "u/a" || x.Size < 3<<20 || !x.LeftOut {
		t.Errorf("named is %+v", x)
	}
	for range 30 { // the line acknowledges each, or the broker would send no more
		done(device.Publish("u/a", 1, false, make([]byte, 100<<10)))
	}
	done(device.Publish("u/a", 1, false, "fits"))
	eventually(t, "a message that fits does not arrive", func() bool { mu.Lock(); defer mu.Unlock(); return heard["u/a"] == len("fits") })
	if s := l.Status(); !s.Connected || s.Counts["lost"] != 0 {
		t.Errorf("%+v", s)
	}
}

// TestAMessageThatBreaksTheLine checks that a message of ours at which the broker ends the connection is left out and reported
// with its size, whatever else was sent with it, and is sent again when it is smaller.
func TestAMessageThatBreaksTheLine(t *testing.T) {
	f := newFakeBroker(t, func(k *client, _ int) {
		_ = k.serveUntil(func(p packets.ControlPacket) bool {
			m, is := p.(*packets.PublishPacket)
			return is && len(m.Payload) > 1000
		})
	})
	l := startLine(t, "mqtt://"+f.at, nil)
	l.SetTopics(map[string][]byte{"t/info": []byte("i"), "t/names": bytes.Repeat([]byte("n"), 2000), "t/state": []byte("s")})
	eventually(t, "the line does not stand without it", func() bool {
		s := l.Status()
		return s.Connected && len(s.Suspects) == 1 // it is connected before each break, too
	})
	s := l.Status()
	if len(f.connectionTimes()) > 5 {
		t.Fatalf("after %d tries %+v", len(f.connectionTimes()), s)
	}
	if x := s.Suspects[0]; x.Topic != "t/names" || x.Size != 2000 || !x.LeftOut || !x.Ours {
		t.Errorf("named is %+v", x)
	}
	told := f.publishedTopics()
	if !slices.Contains(told, "t/state") || !slices.Contains(told, "t/availability") || slices.Contains(told, "t/names") {
		t.Errorf("published is %q", told)
	}
	l.SetTopics(map[string][]byte{"t/names": []byte("fewer")})
	eventually(t, "a smaller message is not published", func() bool { return slices.Contains(f.publishedTopics(), "t/names") })
	l.SendUntil("e/large", make([]byte, 1001), time.Time{})
	eventually(t, "the line does not break", func() bool { return l.Status().Counts["lost"] > uint64(s.Counts["lost"]) })
	eventually(t, "the line does not come back", func() bool { return l.Status().Connected })
}

// TestAFilterThatBreaksTheLine checks that a filter at which the broker ends the connection is reported as denied: some brokers
// do so when a client may not read a topic.
func TestAFilterThatBreaksTheLine(t *testing.T) {
	f := newFakeBroker(t, func(k *client, _ int) {
		_ = k.serveUntil(func(p packets.ControlPacket) bool {
			m, is := p.(*packets.SubscribePacket)
			return is && slices.Contains(m.Topics, "u/b")
		})
	})
	l := startLine(t, "mqtt://"+f.at, nil)
	eventually(t, "the line does not stand", func() bool { return l.Status().Connected })
	if s := l.Status(); !slices.Equal(s.Denied, []string{"u/b"}) {
		t.Errorf("%+v", s)
	}
}

// TestASessionTakenOver checks that, after a broker has ended many connections whatever was sent on them, everything is sent
// once it accepts one.
func TestASessionTakenOver(t *testing.T) {
	const ends = 7
	f := newFakeBroker(t, func(k *client, n int) {
		if n <= ends {
			time.Sleep(20 * time.Millisecond) // something is on the way by then
			return
		}
		_ = k.serveUntil(nil)
	})
	l := startLine(t, "mqtt://"+f.at, func(o *Opts) { o.MaxRetry = firstRetry })
	l.SetTopics(map[string][]byte{"t/state": []byte("s")})
	eventually(t, "the line does not stand", func() bool { return l.Status().Connected })
	if s := l.Status(); s.CountLeftOut() > 0 || len(s.Denied) > 0 || s.Counts["left-out"] > 0 {
		t.Errorf("%+v", s)
	}
	if told := f.publishedTopics(); !slices.Contains(told, "t/state") {
		t.Errorf("published is %q", told)
	}
}

// TestASmallMessageIsTriedAgain checks that a message and a filter at which the broker broke are tried again later on the same
// connection.
func TestASmallMessageIsTriedAgain(t *testing.T) {
	var well atomic.Bool
	f := newFakeBroker(t, func(k *client, _ int) {
		_ = k.serveUntil(func(p packets.ControlPacket) bool {
			switch p := p.(type) {
			case *packets.PublishPacket:
				return !well.Load() && p.TopicName == "t/state"
			case *packets.SubscribePacket:
				return !well.Load() && slices.Contains(p.Topics, "u/b")
			}
			return false
		})
	})
	l, err := New(&Opts{URL: "mqtt://" + f.at, ClientID: "test", Will: "t/availability", Topics: []string{"t/info", "t/state"},
		Filters: []string{"u/a", "u/b"}, Receive: func(string, []byte, bool) {}, Timeout: patience, MaxRetry: firstRetry})
	if err != nil {
		t.Fatal(err)
	}
	l.suspects.firstPause, l.retryInterval = patience, 10*time.Millisecond
	t.Cleanup(l.Close)
	l.Start()
	l.SetTopics(map[string][]byte{"t/info": []byte("i"), "t/state": []byte("s")})
	eventually(t, "the line does not stand", func() bool { return l.Status().Connected })
	if s := l.Status(); s.CountLeftOut() != 2 || !slices.Equal(s.Denied, []string{"u/b"}) {
		t.Fatalf("%+v", s)
	}
	well.Store(true)
	tries := len(f.connectionTimes())
	l.mu.Lock()
	for i := range l.suspects.list {
		l.suspects.list[i].lastBreak = l.suspects.list[i].lastBreak.Add(-2 * patience)
	}
	l.mu.Unlock()
	eventually(t, "the message is not published", func() bool { return slices.Contains(f.publishedTopics(), "t/state") })
	eventually(t, "something is left out", func() bool {
		s := l.Status()
		return s.CountLeftOut() == 0 && len(s.Denied) == 0 && len(s.Suspects) == 0
	})
	if n := len(f.connectionTimes()); n != tries {
		t.Errorf("%d more connections", n-tries)
	}
}

// TestALostNetworkIsNoFault checks that a message is blamed for the end of a connection only if the other side ended it, and
// only shortly after the message.
func TestALostNetworkIsNoFault(t *testing.T) {
	for _, c := range []struct {
		cause error
		after time.Duration
		want  bool
	}{
		{io.EOF, 0, true},
		{syscall.ECONNRESET, blameTime, true},
		{&websocket.CloseError{Code: websocket.CloseAbnormalClosure}, 0, true},
		{io.EOF, blameTime + time.Millisecond, false},
		{syscall.ETIMEDOUT, 0, false},
		{syscall.EHOSTUNREACH, 0, false},
		{os.ErrDeadlineExceeded, 0, false},
		{errors.New("pingresp not received, disconnecting"), 0, false},
		{&Fault{Kind: Oversize}, 0, false},
	} {
		k := &link{pending: []outgoing{{}}, pendingSince: evening}
		end := evening.Add(c.after)
		k.endedAt.Store(&end)
		if _, is := k.messageToBlame(fmt.Errorf("%w: %w", errLost, c.cause)); is != c.want {
			t.Errorf("%v after %v: %v", c.cause, c.after, is)
		}
	}
}

// TestThePauseIsForgottenWhenTheLineLasted checks that a line waits longer and longer for a broker that ends each connection
// early, and tries at once when a connection has lasted.
func TestThePauseIsForgottenWhenTheLineLasted(t *testing.T) {
	f := newFakeBroker(t, func(k *client, _ int) {
		_ = k.serveUntil(func(p packets.ControlPacket) bool {
			m, is := p.(*packets.PublishPacket)
			last := is && m.TopicName == "t/availability"
			if last { // all is acknowledged: no message is to blame
				_ = k.send([]byte{packets.Puback << 4, 2, byte(m.MessageID >> 8), byte(m.MessageID)})
			}
			return last
		})
	})
	l := startLine(t, "mqtt://"+f.at, nil)
	eventually(t, "the connection is not tried six times", func() bool { return len(f.connectionTimes()) >= 6 })
	came := f.connectionTimes()
	for i, least := 1, firstRetry; i < len(came); i, least = i+1, 2*least {
		if gap := came[i].Sub(came[i-1]); gap < least {
			t.Errorf("try %d came after %v, want %v or more", i+1, gap, least)
		}
	}
	if s := l.Status(); len(s.Suspects) != 0 {
		t.Errorf("named is %+v", s.Suspects)
	}

	stands := make(chan *client, 1)
	g := newFakeBroker(t, func(k *client, _ int) { stands <- k; _ = k.serveUntil(nil) })
	long := startLine(t, "mqtt://"+g.at, func(o *Opts) { o.StableTime = 10 * time.Millisecond })
	for range 10 { // with a pause that doubles this takes more than four minutes
		k := <-stands
		eventually(t, "the line does not stand", func() bool { return long.Status().Connected })
		time.Sleep(20 * time.Millisecond)
		_ = k.Close()
	}
	if n := len(g.connectionTimes()); n != 10 && n != 11 {
		t.Errorf("%d tries", n)
	}
}

// TestAnAnswerBeforeTheEndCounts checks that a message that the broker acknowledged before it ended the connection counts as
// acknowledged.
func TestAnAnswerBeforeTheEndCounts(t *testing.T) {
	l := &Line{opts: Opts{Timeout: patience}}
	k := &link{lost: make(chan struct{}), cause: io.EOF}
	close(k.lost)
	for range 100 {
		if err := l.waitForBrokerAnswer(k, &mqtt.DummyToken{}); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzPackets checks that, whatever a broker sends, paho receives only whole packets of the known types, and that the buffer
// stays bounded.
func FuzzPackets(f *testing.F) {
	f.Add([]byte{0x20, 2, 0, 0, 0x90, 4, 0, 1, 1, 1, 0x32, 7, 0, 1, 'a', 0, 9, 'x', 'y'})
	f.Add(append([]byte{0x20, 2, 0, 0}, oversizedPacket(0x32, "a")...))
	f.Add([]byte{0x20, 2, 0, 0, 0xd0, 0, 0x40, 2, 0, 1, 0x30, 0x80, 0x80, 0x80, 0x80})
	f.Fuzz(func(t *testing.T, sent []byte) {
		ours, theirs := net.Pipe()
		defer ours.Close()
		go func() { _, _ = theirs.Write(sent); _ = theirs.Close() }()
		k := &link{}
		k.filters.Store(2)
		r := newPacketReader(ours, k, time.Second, func(topic string) bool { return topic == "a" })
		for {
			p, err := packets.ReadPacket(r)
			if err != nil {
				if len(r.rest) > 0 {
					t.Errorf("%d bytes of a packet are left: %v", len(r.rest), err)
				}
				break
			}
			switch p := p.(type) {
			case *packets.PublishPacket:
				if p.Qos > 1 || len(p.Payload) > MaxPacket {
					t.Errorf("a message %v", p.FixedHeader)
				}
			case *packets.SubackPacket:
				if len(p.ReturnCodes) != 2 {
					t.Errorf("%d acknowledged", len(p.ReturnCodes))
				}
			case *packets.ConnackPacket, *packets.PubackPacket, *packets.PingrespPacket:
			default:
				t.Errorf("a packet %T", p)
			}
		}
		if cap(r.buf) > 2*MaxPacket+5 {
			t.Errorf("room for %d bytes", cap(r.buf))
		}
	})
}
