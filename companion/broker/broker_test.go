package broker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/mqttguard"
	"majordome/companion/wire"
	"majordome/devices/logtest"
	"majordome/engine"
)

// killer is an MQTT 5 SUBSCRIBE whose filter has no options byte.
var killer = []byte{0x82, 5, 0, 1, 0, 0, 0}

// version5 connects to a broker without our gate.
var version5 = encodePacket(typeConnect<<4, append([]byte{0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 30, 0}, encodeString("any")...))

// allowAll is a mochi hook that lets every client in.
type allowAll struct{ mqtt.HookBase }

func (*allowAll) ID() string { return "allow all" }
func (*allowAll) Provides(b byte) bool {
	return b == mqtt.OnConnectAuthenticate || b == mqtt.OnACLCheck
}
func (*allowAll) OnConnectAuthenticate(*mqtt.Client, packets.Packet) bool { return true }
func (*allowAll) OnACLCheck(*mqtt.Client, string, bool) bool              { return true }

// TestBareMochiDiesOfSevenBytes checks that mochi v2.7.9 still reads past the end of this packet, which is why the gate and the
// recover exist. When this test fails, mochi has fixed it.
func TestBareMochiDiesOfSevenBytes(t *testing.T) {
	s := mqtt.New(&mqtt.Options{Logger: slog.New(slog.DiscardHandler)})
	if err := s.AddHook(new(allowAll), nil); err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	go func() { _, _ = ours.Write(version5); _, _ = ours.Write(killer) }()
	go func() { _, _ = io.Copy(io.Discard, ours) }()
	died := func() (p any) {
		defer func() { p = recover() }()
		_ = s.EstablishConnection("bare", theirs)
		return nil
	}()
	if died == nil {
		t.Error("the seven bytes did not panic")
	}
}

// panickingAccess is an Access that panics when a read of its topic is checked.
type panickingAccess struct {
	Access
	topic string
}

func (t panickingAccess) CanRead(user, topic string) bool {
	if topic == t.topic {
		panic("trap")
	}
	return t.Access.CanRead(user, topic)
}

// TestPanicCostsOneConnection checks that a panic below the broker ends only one connection, and that nothing of that
// connection is left behind.
func TestPanicCostsOneConnection(t *testing.T) {
	tb := newTable(t, nil)
	// The killer packet, sent straight to mochi without the gate.
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() { defer close(done); tb.serveThroughMochi(theirs) }()
	go func() { _, _ = ours.Write(version5); _, _ = ours.Write(killer) }()
	_, _ = io.Copy(io.Discard, ours)
	<-done

	tb.Broker.access = panickingAccess{tb.rights, tb.tree.ViewTopic(engine.SeatViewer(1))}
	other := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(2))).subscribe(tb.tree.StateTopic())
	c := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1))).subscribe(tb.tree.StateTopic())
	c.send(subscribePacket(9, tb.tree.ViewTopic(engine.SeatViewer(1))))
	c.wantCut()
	eventually(t, "the dead connection is online", func() bool { return slices.Equal(tb.OnlineUsers(), []string{"salon-s2"}) })
	if n := tb.countReason("crash"); n != 1 {
		t.Errorf("%d crashes counted, want 1", n)
	}
	eventually(t, "mochi holds the dead client", func() bool { return tb.server.Clients.Len() == 1 })
	if subs := tb.server.Topics.Subscribers(tb.tree.StateTopic()); len(subs.Subscriptions) != 1 {
		t.Errorf("%d subscriptions are left, want 1", len(subs.Subscriptions))
	}
	other.wantQuiet()
}

func TestPresence(t *testing.T) {
	seen := make(chan []string, 64)
	tb := newTable(t, &Opts{OnPresence: func(on []string) { seen <- on }})
	wait := func(want ...string) {
		t.Helper()
		for end := time.After(patience); ; {
			select {
			case got := <-seen:
				if slices.Equal(got, want) {
					return
				}
			case <-end:
				t.Fatalf("never told that %v are online; now %v", want, tb.OnlineUsers())
			}
		}
	}
	dialTCP(t, tb).login(tb.loginAs(engine.Public))
	screen := tb.loginAs(engine.Public)
	screen.id = wire.UserPublic + "." + wire.Display + "x1"
	display := dialTCP(t, tb).login(screen)
	wait("display")
	dialTCP(t, tb).login(tb.loginAsDaemon())
	one := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	wait("display", "salon-s1")
	tab := dialWS(t, tb).login(tb.loginAs(engine.SeatViewer(1))) // a second tab of the same seat
	host := dialWS(t, tb).login(tb.loginAs(engine.Host))
	wait("display", "salon-host", "salon-s1")
	one.Close()
	host.send([]byte{typeDisconnect << 4, 0})
	wait("display", "salon-s1")
	open := func(want int) { // a user goes offline a moment before the connection is removed
		t.Helper()
		eventually(t, "a closed connection is inside", func() bool {
			tb.mu.Lock()
			defer tb.mu.Unlock()
			n := 0
			for g := range tb.conns {
				if g.user == "salon-s1" {
					n++
				}
			}
			return n == want
		})
	}
	open(1)
	if n := tb.DisconnectUser("salon-s1"); n != 1 {
		t.Errorf("kicked %d connections, want 1", n)
	}
	tab.wantCut()
	wait("display")
	display.Close()
	wait()
	open(0)
	if n := tb.DisconnectUser("salon-s1"); n != 0 {
		t.Errorf("kicked %d connections that were gone", n)
	}
}

// TestSameClientIDReplacesOwnConnection checks that a page that connects again under its client id replaces its old connection
// and receives what is published.
func TestSameClientIDReplacesOwnConnection(t *testing.T) {
	tb := newTable(t, nil)
	daemon := dialTCP(t, tb).login(tb.loginAsDaemon())
	l := tb.loginAs(engine.SeatViewer(1))
	view := tb.tree.ViewTopic(engine.SeatViewer(1))
	old := dialTCP(t, tb).login(l).subscribe(view)
	for range 20 {
		l.password = tb.newPassword(engine.SeatViewer(1), l.id)
		next := dialTCP(t, tb).login(l)
		old.wantCut()
		next.subscribe(view)
		daemon.publish(view, []byte("now"), false)
		if got := next.wantMessage(view); string(got) != "now" {
			t.Fatalf("received %q", got)
		}
		old = next
	}
	if got := tb.OnlineUsers(); !slices.Equal(got, []string{"salon-s1"}) {
		t.Errorf("online are %v", got)
	}
	if n := tb.server.Clients.Len(); n != 2 {
		t.Errorf("mochi knows %d clients, want 2", n)
	}
}

// revocable is an Access whose read rights a test can withdraw.
type revocable struct {
	Access
	mu  sync.Mutex
	out bool
}

func (r *revocable) CanRead(user, topic string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.out && r.Access.CanRead(user, topic)
}

func TestRightsAreAskedAtEachDelivery(t *testing.T) {
	tb := newTable(t, nil)
	r := &revocable{Access: tb.rights}
	tb.Broker.access = r
	daemon := dialTCP(t, tb).login(tb.loginAsDaemon())
	seat := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1))).subscribe(tb.tree.StateTopic())
	seat.wantQuiet()
	daemon.publish(tb.tree.StateTopic(), []byte("1"), true)
	seat.wantMessage(tb.tree.StateTopic())
	r.mu.Lock()
	r.out = true
	r.mu.Unlock()
	daemon.publish(tb.tree.StateTopic(), []byte("2"), true)
	seat.wantQuiet()
}

// TestSlowReaderIsCut checks that a client that does not read is disconnected instead of missing messages, while the others get
// everything.
func TestSlowReaderIsCut(t *testing.T) {
	for qos := range byte(2) {
		t.Run(fmt.Sprint("QoS ", qos), func(t *testing.T) { runSlowReader(t, qos) })
	}
}

func runSlowReader(t *testing.T, qos byte) {
	tb := newTable(t, nil) // writes time out only after an hour, so the full queue is the cause
	state := tb.tree.StateTopic()
	daemon := dialTCP(t, tb).login(tb.loginAsDaemon())
	good := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1))).subscribe(state)
	good.wantQuiet()
	slow := dialTCP(t, tb)
	_ = slow.Conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	slow.login(tb.loginAs(engine.SeatViewer(2)))
	slow.send(encodePacket(typeSubscribe<<4|2, append(append([]byte{0, 7}, encodeString(state)...), qos)))
	slow.want(0x90, 0, 7, qos)
	n := 0
	for payload := make([]byte, 15<<10); tb.countReason("slow") == 0 && n < 5000; n++ {
		payload[0], payload[1] = byte(n>>8), byte(n)
		daemon.publish(state, payload, true)
		if got := good.wantMessage(state); !bytes.Equal(got, payload) {
			t.Fatalf("message %d came as another", n)
		}
		if n%(maxInflight/2) == 0 { // otherwise, on a busy machine, the broker may not have read the acknowledgements yet
			good.wantQuiet()
		}
	}
	if tb.countReason("slow") == 0 {
		t.Errorf("%d messages and the slow reader was not cut", n)
	}
	if qos == 1 && n > maxInflight+1 {
		t.Errorf("cut after %d unacknowledged messages, want %d", n, maxInflight)
	}
	eventually(t, "the slow reader is online", func() bool { return slices.Equal(tb.OnlineUsers(), []string{"salon-s1"}) })
}

// stalling is the broker's end of a pipe without a buffer: a write blocks until the client reads. Write deadlines are ignored
// until it is armed.
type stalling struct {
	net.Conn
	armed atomic.Bool
}

func (s *stalling) SetWriteDeadline(at time.Time) error {
	if !s.armed.Load() {
		at = time.Time{}
	}
	return s.Conn.SetWriteDeadline(at)
}

// newStallingClient returns a client connected to a stalling end; served is closed when the broker has finished with the
// connection.
func newStallingClient(t *testing.T, tb *table) (c *client, s *stalling, served chan struct{}) {
	ours, theirs := net.Pipe()
	s, served = &stalling{Conn: theirs}, make(chan struct{})
	tb.beginServing()
	go func() {
		defer close(served)
		defer tb.wg.Done()
		tb.serveConn(s, newLimiter(tb.opts.Rate), nil)
	}()
	return newClient(t, ours), s, served
}

// TestStalledWriteIsCut checks that a single write that the client does not read ends the connection, long before the keepalive
// would. The write is an answer or a message; mochi writes messages elsewhere and would send the next one in the middle of the
// first.
func TestStalledWriteIsCut(t *testing.T) {
	for name, provoke := range map[string]func(stalled, other *client){
		"an answer": func(stalled, _ *client) { stalled.send(pingPacket) },
		"a message": func(_, other *client) { other.send(publishPacket("a/b", []byte("view"), 0, false)) },
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, &Opts{WriteTimeout: 100 * time.Millisecond})
			tb.Broker.access = permissiveAccess{}
			other, _, _ := newStallingClient(t, tb)
			other.login(tb.loginAs(engine.SeatViewer(2)))
			c, end, served := newStallingClient(t, tb)
			c.login(tb.loginAs(engine.SeatViewer(1))).subscribe("a/b")
			end.armed.Store(true)
			provoke(c, other)
			select {
			case <-served:
			case <-time.After(patience):
				t.Fatal("a client that takes nothing was not cut")
			}
			if n := tb.countReason("slow"); n != 1 {
				t.Errorf("%d slow clients counted, want 1", n)
			}
			other.wantQuiet()
		})
	}
}

// TestNoSessionIsKept checks that after a disconnection mochi knows neither the client nor a subscription. Otherwise it would
// hand kept messages to a thief of the client id, in any order, and never forget them.
func TestNoSessionIsKept(t *testing.T) {
	tb := newTable(t, nil)
	view := tb.tree.ViewTopic(engine.SeatViewer(1))
	daemon := dialTCP(t, tb).login(tb.loginAsDaemon())
	for range 50 {
		dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1))).subscribe(view).Close()
	}
	eventually(t, "mochi knows dead clients", func() bool { return tb.server.Clients.Len() == 1 })
	if subs := tb.server.Topics.Subscribers(view); len(subs.Subscriptions) != 0 {
		t.Errorf("%d subscriptions are left", len(subs.Subscriptions))
	}
	daemon.publish(view, []byte("while away"), false)
	back := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1))).subscribe(view)
	back.wantQuiet()
}

// TestCapabilities checks that retained views do not expire overnight, that $SYS is published rarely, and that packets are
// bounded.
func TestCapabilities(t *testing.T) {
	tb := newTable(t, nil)
	c := tb.server.Options.Capabilities
	if c.MaximumMessageExpiryInterval != 0 {
		t.Errorf("retained messages expire after %d s", c.MaximumMessageExpiryInterval)
	}
	if s := tb.server.Options.SysTopicResendInterval; s < 60 {
		t.Errorf("$SYS is published every %d s", s)
	}
	if c.MaximumPacketSize == 0 || c.MaximumPacketSize > maxDaemon+5 {
		t.Errorf("mochi itself takes packets of %d bytes", c.MaximumPacketSize)
	}
}

// TestCloseWaitsForNoClient checks that Close waits for no silent, half-connected, established or publishing client,
// although their limits are an hour here, that it may be called several times, and that no one gets in afterwards.
func TestCloseWaitsForNoClient(t *testing.T) {
	tb := newTable(t, nil)
	up := tb.tree.ActTopic(engine.SeatViewer(1))
	for name, dial := range transports {
		dial(t, tb)
		half := dial(t, tb)
		half.send(tb.loginAs(engine.SeatViewer(1)).packet()[:5])
		dial(t, tb).login(tb.loginAs(engine.SeatViewer(2))).subscribe(tb.tree.NamesTopic())
		busy := dial(t, tb).login(tb.loginAsDaemon())
		go func() {
			for {
				if _, err := busy.Write(publishPacket(tb.tree.StateTopic(), []byte(name), 0, true)); err != nil {
					return
				}
			}
		}()
		seat := dial(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
		seat.send(publishPacket(up, nil, 1, false))
	}
	eventually(t, "not everybody is inside", func() bool { return len(tb.OnlineUsers()) == 2 })
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { _ = tb.Close() })
		}
		wg.Wait()
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("Close waits for somebody")
	}
	if on := tb.OnlineUsers(); len(on) != 0 {
		t.Errorf("%v are online in a closed broker", on)
	}
	if _, err := tb.listen.Accept(); !errors.Is(err, net.ErrClosed) { // another program may have the port by now
		t.Errorf("the port is still open: %v", err)
	}
}

// TestLogQuotesNothing checks that the log names the reason and the peer, never a payload or password.
func TestLogQuotesNothing(t *testing.T) {
	var out logtest.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	tb := newTable(t, &Opts{Log: log})
	start := time.Now()
	for range 30 {
		l := tb.loginAs(engine.SeatViewer(1))
		l.password = "colonel-mustard"
		c := dialTCP(t, tb)
		c.send(l.packet())
		c.wantCut()
	}
	in := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	in.sendUnchecked(publishPacket(tb.tree.StateTopic(), []byte("colonel-mustard"), 1, false))
	in.wantCut()
	s, most := out.String(), 1+int(time.Since(start)/mqttguard.LogInterval)
	if !strings.Contains(s, "conseil=\"un programme qui n’est pas une page de cette table") ||
		!strings.Contains(s, "advice=\"a program that is no page of this table") {
		t.Errorf("no advice in both languages: %s", s)
	}
	if n := strings.Count(s, "reason=login"); strings.Contains(s, "mustard") || n < 1 || n > most {
		t.Errorf("the log is:\n%s", s)
	}
}
