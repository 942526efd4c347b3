package broker

import (
	"bytes"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestConnectRefused checks that a CONNECT that breaks a rule of companion/doc.go is answered as MQTT 3.1.1 says and counted
// under its reason.
func TestConnectRefused(t *testing.T) {
	tb := newTable(t, nil)
	seat := func(change func(*login)) login {
		l := tb.loginAs(engine.SeatViewer(2))
		change(&l)
		return l
	}
	will := func(topic string, flags byte) login {
		return seat(func(l *login) { l.flags |= 4 | flags; l.willTopic, l.will = topic, "forged" })
	}
	rights, id := connackRights, connackID
	for _, c := range []struct {
		name   string
		login  login
		reason string
		answer []byte
	}{
		{"MQTT 5", seat(func(l *login) { l.level = 5 }), "version", connackVersion5},
		{"MQTT 3.1", seat(func(l *login) { l.name, l.level = "MQIsdp", 3 }), "version", connackVersion},
		{"MQTT level 6", seat(func(l *login) { l.level = 6 }), "version", connackVersion},
		{"no such protocol", seat(func(l *login) { l.name = "HTTP" }), "malformed", nil},
		{"reserved flag", seat(func(l *login) { l.flags |= 1 }), "malformed", nil},
		{"will QoS without a will", seat(func(l *login) { l.flags |= 8 }), "malformed", nil},
		{"anonymous", seat(func(l *login) { l.flags = 2 }), "login", rights},
		{"no password", seat(func(l *login) { l.flags = 0x82 }), "login", rights},
		{"wrong password", seat(func(l *login) { l.password = "guess" }), "login", rights},
		{"the public's password for a seat", seat(func(l *login) { l.password = wire.PublicPassword }), "login", rights},
		{"a seat that is none", seat(func(l *login) { l.user, l.id = "salon-s11", "salon-s11.00000001" }), "login", rights},
		{"a user with a wildcard", seat(func(l *login) { l.user, l.id = "+", "+.00000001" }), "login", rights},
		{"client id of another user", seat(func(l *login) { l.id = "salon-s1.00000001" }), "identity", id},
		{"client id without suffix", seat(func(l *login) { l.id = "salon-s2" }), "identity", id},
		{"short suffix", seat(func(l *login) { l.id = "salon-s2.1234567" }), "identity", id},
		{"long suffix", seat(func(l *login) { l.id = "salon-s2.12345678901234567" }), "identity", id},
		{"no client id", seat(func(l *login) { l.id = "" }), "identity", id},
		{"password made for another client id", seat(func(l *login) { l.id = "salon-s2.00000000" }), "login", rights},
		{"session kept", seat(func(l *login) { l.flags &^= 2 }), "session", id},
		{"keepalive 0", seat(func(l *login) { l.keepalive = 0 }), "keepalive", rights},
		{"keepalive 121 s", seat(func(l *login) { l.keepalive = 121 }), "keepalive", rights},
		{"will on the public state", will(tb.tree.StateTopic(), 0), "will", rights},
		{"retained will on the public state", will(tb.tree.StateTopic(), 0x20), "will", rights},
		{"will on another's view", will(tb.tree.ViewTopic(engine.SeatViewer(1)), 0x20), "will", rights},
		{"will on its own up", will(tb.tree.ActTopic(engine.SeatViewer(2)), 0), "will", rights},
		{"bytes after the end", seat(func(l *login) { l.extra = "x" }), "malformed", nil},
		{"will without a topic", will("", 0), "malformed", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := tb.countReason(c.reason)
			conn := dialTCP(t, tb)
			conn.send(c.login.packet())
			if c.answer != nil {
				conn.want(c.answer[0], c.answer[2:]...)
			}
			conn.wantCut()
			if tb.countReason(c.reason) != before+1 {
				t.Errorf("not counted as %q: %v", c.reason, tb.RefusalCounts())
			}
		})
	}
	if on := tb.OnlineUsers(); len(on) != 0 {
		t.Errorf("%v are online", on)
	}
}

func TestConnectLimitsAreInclusive(t *testing.T) {
	tb := newTable(t, nil)
	for _, keepalive := range []uint16{1, 120} {
		l := tb.loginAs(engine.SeatViewer(2))
		l.keepalive = keepalive
		dialTCP(t, tb).login(l)
	}
	l := tb.loginAs(engine.SeatViewer(3))
	l.id = "salon-s3.abcdefgh12345678"
	l.password = tb.newPassword(engine.SeatViewer(3), l.id)
	dialTCP(t, tb).login(l)
}

// TestConnectPasswordServesOnce checks that a connect password overheard on the Wi-Fi cannot be used again (companion/doc.go).
func TestConnectPasswordServesOnce(t *testing.T) {
	tb := newTable(t, nil)
	l := tb.loginAs(engine.SeatViewer(2))
	first := dialTCP(t, tb).login(l)
	again := dialTCP(t, tb)
	again.send(l.packet())
	again.want(0x20, 0, 5)
	again.wantCut()
	first.wantQuiet()
}

// TestDaemonAccount checks that the daemon's account is accepted only from this machine, and that its only will is the one of
// the contract: availability.
func TestDaemonAccount(t *testing.T) {
	tb := newTable(t, nil)
	l := tb.loginAsDaemon()
	l.flags |= 4 | 0x20
	l.willTopic, l.will = tb.tree.AvailabilityTopic(), "offline"
	public := dialTCP(t, tb).login(tb.loginAs(engine.Public)).subscribe(tb.tree.AvailabilityTopic())
	public.wantQuiet()
	daemon := dialTCP(t, tb).login(l)
	daemon.publish(tb.tree.AvailabilityTopic(), []byte("online"), true)
	if got := public.wantMessage(tb.tree.AvailabilityTopic()); string(got) != "online" {
		t.Errorf("availability is %q", got)
	}
	daemon.Close()
	if got := public.wantMessage(tb.tree.AvailabilityTopic()); string(got) != "offline" {
		t.Errorf("after its death availability is %q", got)
	}
	for _, topic := range []string{tb.tree.ActTopic(engine.SeatViewer(1)), tb.tree.ReplyTopic(engine.SeatViewer(1)),
		"$SYS/broker/version", tb.tree.Base() + "/#"} {
		l := tb.loginAsDaemon()
		l.flags |= 4
		l.willTopic, l.will = topic, "x"
		c := dialTCP(t, tb)
		c.send(l.packet())
		c.want(0x20, 0, 5)
	}
	far := &net.TCPAddr{IP: net.IPv4(10, 42, 0, 7), Port: 4000}
	if tb.rights.Authenticate(wire.UserDaemon, "daemon.00000001", []byte(tb.rights.DaemonPassword()), far) {
		t.Error("the daemon's password was taken from another machine")
	}
	if tb.rights.Authenticate(wire.UserDaemon, "daemon.00000001", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}) {
		t.Error("the daemon needs no password")
	}
}

// TestAnnouncedSizeReservesNothing checks that the announced size of a packet allocates nothing: four 5-byte packets that
// announce 134 MB reserve half a gigabyte in a bare mochi.
func TestAnnouncedSizeReservesNothing(t *testing.T) {
	tb := newTable(t, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var conns []*client
	for range 8 {
		c := dialTCP(t, tb)
		c.send([]byte{typeConnect << 4, 0xff, 0xff, 0xff, 0x3f})
		conns = append(conns, c)
		in := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
		in.send([]byte{typePublish << 4, 0xff, 0xff, 0xff, 0x3f})
		conns = append(conns, in)
	}
	for _, c := range conns {
		c.wantCut()
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("16 packets that announce 134 MB made the process allocate %d bytes in all", used)
	}
	if n := tb.countReason("too-large"); n != 16 {
		t.Errorf("%d packets were too large, want 16", n)
	}
}

func TestPacketSizeLimits(t *testing.T) {
	tb := newTable(t, &Opts{MaxPacket: 4 << 10})
	up := tb.tree.ActTopic(engine.SeatViewer(1))
	daemon := dialTCP(t, tb).login(tb.loginAsDaemon()).subscribe(up)
	fits := 4<<10 - len(encodeString(up)) - 2
	seat := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	seat.publish(up, make([]byte, fits), false)
	if got := daemon.wantMessage(up); len(got) != fits {
		t.Errorf("%d bytes came, want %d", len(got), fits)
	}
	seat.sendUnchecked(publishPacket(up, make([]byte, fits+1), 1, false))
	seat.wantCut()
	long := tb.loginAs(engine.SeatViewer(1))
	long.password = string(bytes.Repeat([]byte("x"), maxConnect))
	c := dialTCP(t, tb)
	c.sendUnchecked(long.packet())
	c.wantCut()
	big := dialTCP(t, tb).login(tb.loginAsDaemon())
	names := make([]byte, maxDaemon-len(encodeString(tb.tree.NamesTopic()))-2)
	big.publish(tb.tree.NamesTopic(), names, true)
	big.sendUnchecked(publishPacket(tb.tree.NamesTopic(), append(names, 0), 1, true))
	big.wantCut()
	if n := tb.countReason("too-large"); n != 3 {
		t.Errorf("%d packets were too large, want 3", n)
	}
}

// TestSilentSocketIsCut checks that a socket that does not complete its CONNECT is cut at the deadline, even if it sends byte
// by byte, and that the others are served meanwhile.
func TestSilentSocketIsCut(t *testing.T) {
	const limit = 500 * time.Millisecond
	tb := newTable(t, &Opts{ConnectTimeout: limit})
	for name, dial := range transports {
		t.Run(name, func(t *testing.T) {
			before := tb.countReason("silent")
			start := time.Now()
			silent, slow := dial(t, tb), dial(t, tb)
			go func() { // a CONNECT that would be whole after a minute
				for _, c := range encodePacket(typeConnect<<4, make([]byte, maxConnect)) {
					if _, err := slow.Write([]byte{c}); err != nil {
						return
					}
					time.Sleep(limit / 8)
				}
			}()
			late := uint64(0) // on a busy machine this login, too, may miss the deadline
			eventually(t, "nobody else is served", func() bool {
				c := dial(t, tb)
				c.sendUnchecked(tb.loginAs(engine.SeatViewer(2)).packet())
				if f, _, err := c.receive(); err != nil || f != 0x20 {
					late++
					return false
				}
				c.wantQuiet()
				return true
			})
			silent.wantCut()
			slow.wantCut()
			if took := time.Since(start); took < limit {
				t.Errorf("cut after %v, want %v", took, limit)
			}
			if n := tb.countReason("silent") - before; n != 2+late {
				t.Errorf("%d silent sockets counted, want %d", n, 2+late)
			}
		})
	}
}

// TestKeepaliveEndsAConnection checks that a connection ends when no packet comes for one and a half times the keepalive (MQTT
// 3.1.1 section 3.1.2.10).
func TestKeepaliveEndsAConnection(t *testing.T) {
	tb := newTable(t, nil)
	l := tb.loginAs(engine.SeatViewer(1))
	l.keepalive = 1
	c := dialTCP(t, tb).login(l)
	c.wantCut()
	eventually(t, "the seat is online", func() bool { return len(tb.OnlineUsers()) == 0 })
}

func TestRateLimit(t *testing.T) {
	flood := func(c *client, packets [][]byte) int {
		for i, p := range packets {
			if _, err := c.Write(p); err != nil {
				return i
			}
		}
		return len(packets)
	}
	repeat := func(p []byte, n int) [][]byte {
		out := make([][]byte, n)
		for i := range out {
			out[i] = p
		}
		return out
	}
	message := func(size int) func(string) []byte {
		return func(up string) []byte { return publishPacket(up, make([]byte, size), 0, false) }
	}
	// One limit at a time, and so many packets that even the slowest machine exceeds it.
	for name, flooded := range map[string]struct {
		rate   Rate
		packet func(up string) []byte
	}{
		"messages": {Rate{Messages: 5, Bytes: 1e9}, message(0)},
		"bytes":    {Rate{Messages: 1e9, Bytes: 4 << 10}, message(3 << 10)},
		"filters": {Rate{Messages: 5, Bytes: 1e9}, func(up string) []byte {
			return subscribePacket(7, slices.Repeat([]string{strings.TrimSuffix(up, "up") + "view"}, maxFilters)...)
		}},
		"pings": {Rate{Messages: 1e9, Bytes: 4 << 10}, func(string) []byte { return pingPacket }},
	} {
		for transport, dial := range transports {
			t.Run(name+" over "+transport, func(t *testing.T) {
				tb := newTable(t, &Opts{Rate: flooded.rate})
				c := dial(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
				go flood(c, repeat(flooded.packet(tb.tree.ActTopic(engine.SeatViewer(1))), 10_000))
				c.wantCut()
				eventually(t, "the flood is not counted", func() bool { return tb.countReason("rate") == 1 })
			})
		}
	}
	t.Run("a burst within the limit passes, and so does the daemon", func(t *testing.T) {
		tb := newTable(t, &Opts{Rate: Rate{Messages: 5, Bytes: 4 << 10}})
		up := tb.tree.ActTopic(engine.SeatViewer(1))
		c := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
		flood(c, repeat(publishPacket(up, nil, 0, false), 8))
		c.wantQuiet()
		d := dialTCP(t, tb).login(tb.loginAsDaemon())
		flood(d, repeat(publishPacket(tb.tree.StateTopic(), make([]byte, 3<<10), 0, true), 100))
		d.wantQuiet()
	})
}

// TestFewFiltersInOneSubscribe checks that the number of filters in a SUBSCRIBE is limited: each is answered with a whole view,
// so one small packet with hundreds of filters would make the table send megabytes.
func TestFewFiltersInOneSubscribe(t *testing.T) {
	tb := newTable(t, nil)
	for i, v := range []engine.Viewer{engine.Public, engine.SeatViewer(1), engine.Host} {
		topic := tb.tree.NamesTopic()
		dialTCP(t, tb).login(tb.loginAs(v)).subscribe(slices.Repeat([]string{topic}, maxFilters)...)
		c := dialTCP(t, tb).login(tb.loginAs(v))
		c.send(subscribePacket(7, slices.Repeat([]string{topic}, maxFilters+1)...))
		c.wantCut()
		if n := tb.countReason("filters"); n != uint64(i+1) {
			t.Errorf("%s: counted %d times", v, n)
		}
	}
	var ups []string
	for _, h := range tb.tree.Handsets() {
		ups = append(ups, tb.tree.TreeOfPhone(h.N).ActTopic(h.Viewer))
	}
	dialTCP(t, tb).login(tb.loginAsDaemon()).subscribe(ups...) // the daemon may subscribe to all of them at once
	// A page that wakes up subscribes again for each browser event that reports it.
	page := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	for range 4 {
		page.subscribe(tb.tree.AvailabilityTopic(), tb.tree.NamesTopic(), tb.tree.ViewTopic(engine.SeatViewer(1)),
			tb.tree.ReplyTopic(engine.SeatViewer(1)))
	}
}

func TestRetainedWriteOfASeatIsRefused(t *testing.T) {
	tb := newTable(t, nil)
	up := tb.tree.ActTopic(engine.SeatViewer(1))
	daemon := dialTCP(t, tb).login(tb.loginAsDaemon()).subscribe(up)
	for qos := range byte(2) {
		c := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
		c.sendUnchecked(publishPacket(up, []byte("kept"), qos, true))
		c.wantCut()
	}
	daemon.wantQuiet()
	if n := tb.countReason("retain"); n != 2 {
		t.Errorf("%d retained writes refused, want 2", n)
	}
}

// TestMalformedCorpus checks that malformed or forbidden packets, before and after the CONNECT, end their connection and
// nothing else.
func TestMalformedCorpus(t *testing.T) {
	tb := newTable(t, nil)
	watch := dialTCP(t, tb).login(tb.loginAs(engine.Public))
	up := tb.tree.ActTopic(engine.SeatViewer(1))
	in := map[string][]byte{
		"the MQTT 5 subscription that kills a bare mochi": killer,
		"subscription without a filter":                   {0x82, 2, 0, 1},
		"subscription without a QoS":                      encodePacket(0x82, append([]byte{0, 1}, encodeString("a")...)),
		"subscription without a packet id":                encodePacket(0x82, append([]byte{0, 0}, append(encodeString("a"), 0)...)),
		"subscription with wrong flags":                   {0x80, 6, 0, 1, 0, 1, 'a', 0},
		"subscription of QoS 3":                           {0x82, 6, 0, 1, 0, 1, 'a', 3},
		"unsubscription of nothing":                       {0xa2, 2, 0, 1},
		"publish of QoS 3":                                encodePacket(0x36, append(encodeString(up), 0, 1)),
		"publish of QoS 2":                                encodePacket(0x34, append(encodeString(up), 0, 1)),
		"publish of QoS 0 again":                          encodePacket(0x38, encodeString(up)),
		"publish without a topic":                         {0x30, 0},
		"publish with a topic cut off":                    {0x30, 3, 0, 9, 'a'},
		"publish of QoS 1 without an id":                  encodePacket(0x32, encodeString(up)),
		"publish of QoS 1 with id 0":                      encodePacket(0x32, append(encodeString(up), 0, 0)),
		"publish with a topic that is no UTF-8":           encodePacket(0x30, encodeString("\xff\xfe")),
		"publish with an empty topic":                     encodePacket(0x32, append(encodeString(""), 0, 1)),
		"second connect":                                  tb.loginAs(engine.SeatViewer(1)).packet(),
		"connack":                                         {0x20, 2, 0, 0},
		"suback":                                          {0x90, 3, 0, 1, 0},
		"pubrec":                                          {0x50, 2, 0, 1},
		"pubrel":                                          {0x62, 2, 0, 1},
		"pubcomp":                                         {0x70, 2, 0, 1},
		"pingresp":                                        {0xd0, 0},
		"auth of MQTT 5":                                  {0xf0, 0},
		"type 0":                                          {0, 0},
		"length of five bytes":                            {0x30, 0x80, 0x80, 0x80, 0x80, 0x01},
		"endless length":                                  bytes.Repeat([]byte{0x80}, 64),
		"puback cut off":                                  {0x40, 1, 0},
		"http":                                            []byte("GET / HTTP/1.1\r\nHost: salon\r\n\r\n"),
		"zeros":                                           make([]byte, 64),
		"ones":                                            bytes.Repeat([]byte{0xff}, 64),
	}
	for name, raw := range in {
		t.Run("before connect: "+name, func(t *testing.T) {
			if name == "second connect" {
				return // before a connect it would be the first
			}
			c := dialTCP(t, tb)
			c.sendUnchecked(raw)
			c.wantCut()
		})
		t.Run("after connect: "+name, func(t *testing.T) {
			c := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
			c.sendUnchecked(raw)
			if &raw[0] == &killer[0] { // in MQTT 3.1.1 it subscribes to the topic ""
				c.want(0x90, 0, 1, 0x80)
				c.wantQuiet()
				return
			}
			c.wantCut()
		})
	}
	whole := tb.loginAs(engine.SeatViewer(3)).packet()
	for cut := range len(whole) {
		c := dialTCP(t, tb)
		c.sendUnchecked(whole[:cut])
		_ = c.Conn.(*net.TCPConn).CloseWrite()
		c.wantCut()
	}
	for at := range whole {
		broken := bytes.Clone(whole)
		broken[at] ^= 0x55
		c := dialTCP(t, tb)
		c.sendUnchecked(broken)
		_ = c.Conn.(*net.TCPConn).CloseWrite()
		c.wantCut()
	}
	watch.wantQuiet()
	if n := tb.countReason("crash"); n != 0 {
		t.Errorf("%d packets reached a panic: the gate should have stopped them", n)
	}
	eventually(t, "somebody is online", func() bool { return len(tb.OnlineUsers()) == 0 })
}
