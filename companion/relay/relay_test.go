package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/broker"
	"majordome/companion/line"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/devices/logtest"
	"majordome/engine"
)

// TestViewsReachTheirPhones checks that each phone gets its own view and every client the public one, whether it connected
// before or after the step.
func TestViewsReachTheirPhones(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		names := engine.Names{{ID: "plum", Kind: "character", Text: engine.T("Violet", "Plum")}}
		if err := r.PublishNames(names); err != nil {
			t.Fatal(err)
		}
		early := h.connectPhone(engine.SeatViewer(1))
		publishStep(t, r, 1, allViewers...)
		early.readUntil(1)
		publishStep(t, r, 2, allViewers...)
		early.readUntil(2)
		for _, v := range []engine.Viewer{engine.SeatViewer(2), engine.Host} {
			late := h.connectPhone(v)
			late.readUntil(2)
		}
		h.connectPhone(engine.Public).waitForAvailability("online")
		public := h.connectPhone(engine.Public)
		for u := (wire.Update{}); u.Rev != 2; { // its first message may be of the step before
			if err := json.Unmarshal(public.nextMessage(h.tree.StateTopic()).Payload(), &u); err != nil || u.View.Viewer != "public" {
				t.Fatalf("the public sees a view of %q, %v", u.View.Viewer, err)
			}
		}
		var got engine.Names
		if err := json.Unmarshal(h.connectPhone(engine.Public).nextMessage(h.tree.NamesTopic()).Payload(),
			&got); err != nil || !slices.Equal(got, names) {
			t.Errorf("names are %v, %v", got, err)
		}
	})
}

// TestViewsNameTheirNames checks that each sealed view says which names belong to it, those of before a change and those of after it.
func TestViewsNameTheirNames(t *testing.T) {
	h := startEmbedded(t, false)
	r := h.startRelay(nil)
	one, host, public := h.connectPhone(engine.SeatViewer(1)), h.connectPhone(engine.Host), h.connectPhone(engine.Public)
	for rev, name := range []string{"Violet", "Prune"} {
		if err := r.PublishNames(engine.Names{{ID: "plum", Kind: "character", Text: engine.T(name, name)}}); err != nil {
			t.Fatal(err)
		}
		publishStep(t, r, uint64(rev)+1, allViewers...)
		sum := wire.NamesSum(public.nextMessage(h.tree.NamesTopic()).Payload())
		for _, p := range []*phone{one, host} {
			u := p.nextView()
			for ; u.Rev != uint64(rev)+1; u = p.nextView() {
			}
			if u.Names != sum {
				t.Errorf("%v: %q, want %q", p.v, u.Names, sum)
			}
		}
	}
}

// TestActsAndReplies checks that acts arrive in the order in which a phone sent them, and that each is answered to its own
// viewer.
func TestActsAndReplies(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		waitConnected(t, r)
		phones := []*phone{h.connectPhone(engine.SeatViewer(1)), h.connectPhone(engine.Host)}
		for seq := uint64(1); seq <= 10; seq++ {
			for _, p := range phones {
				p.sendAct(seq, epoch)
				in := nextAct(t, r)
				if in.Phone != p.v || in.Act.Seq != seq || in.Act.Act != "move" {
					t.Fatalf("received act %d of %v, want %d of %v", in.Act.Seq, in.Phone, seq, p.v)
				}
				in.Reply(wire.Reply{ID: in.Act.ID, OK: true})
				got, reply, err := seal.OpenReply(h.keys[p.v], p.tree.ReplyTopic(p.v.Viewer),
					p.nextMessage(p.tree.ReplyTopic(p.v.Viewer)).Payload())
				if err != nil || got != seq || reply.ID != in.Act.ID || !reply.OK {
					t.Fatalf("reply %d %+v, %v", got, reply, err)
				}
			}
		}
		p := phones[0]
		waitForActs(t, r, p.v)
		for seq := uint64(11); seq <= 18; seq++ {
			p.sendAct(seq, epoch)
		}
		for seq := uint64(11); seq <= 18; seq++ {
			if in := nextAct(t, r); in.Act.Seq != seq {
				t.Errorf("act %d came where %d was sent", in.Act.Seq, seq)
			}
		}
	})
}

// TestBadActsAreDropped checks that anything but an act of this seat and this epoch is dropped and counted, not quoted, and
// that the next good act gets through.
func TestBadActsAreDropped(t *testing.T) {
	var log logtest.Buffer
	h := startEmbedded(t, false)
	r := h.startRelay(func(o *Opts) {
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	waitConnected(t, r)
	start := time.Now()
	p := h.connectPhone(engine.SeatViewer(1))
	good := p.newSealedAct(h.keys[p.v], 1, epoch)
	tampered := bytes.Clone(good)
	tampered[len(tampered)-1] ^= 1
	other, err := seal.SealAct(h.keys[p.v], h.tree.ActTopic(engine.SeatViewer(2)), epoch, wire.Act{ID: "x", Seq: 1, Act: "move"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, reason string
		payload      []byte
	}{
		{"empty", "malformed", nil},
		{"not sealed at all", "malformed", []byte(`{"act":"accuse","card":"colonel-mustard"}`)},
		{"cut off", "malformed", good[:len(good)-1]},
		{"longer", "malformed", append(bytes.Clone(good), 0)},
		{"oversized", "too-large", make([]byte, maxActBytes+1)},
		{"tampered", "unsealed", tampered},
		{"sealed with another seat's key", "unsealed", p.newSealedAct(h.keys[wire.FirstPhoneOf(engine.SeatViewer(2))], 1, epoch)},
		{"sealed for another seat's topic", "unsealed", other},
		{"of the last epoch", "epoch", p.newSealedAct(h.keys[p.v], 1, epoch-1)},
		{"of an epoch to come", "epoch", p.newSealedAct(h.keys[p.v], 1, epoch+1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := r.Status().Counts[c.reason]
			p.sendPayload(c.payload)
			eventually(t, "not counted as "+c.reason, func() bool { return r.Status().Counts[c.reason] == before+1 })
		})
	}
	r.queueAct(h.tree.ActTopic(engine.SeatViewer(1)), good, true) // a retained act, left by a broker with weaker rights than ours
	if n := r.Status().Counts["retained"]; n != 1 {
		t.Errorf("%d retained acts counted, want 1", n)
	}
	p.sendAct(2, epoch)
	if in := nextAct(t, r); in.Act.Seq != 2 {
		t.Errorf("act %d got through", in.Act.Seq)
	}
	s, most := log.String(), 1+int(time.Since(start)/line.LogEvery)
	if n := strings.Count(s, "reason=malformed"); strings.Contains(s, "mustard") || n < 1 || n > most {
		t.Errorf("the log is:\n%s", s)
	}
}

// TestBurstWhileNobodyListens checks that, while no one reads the acts, eight are kept for each phone, a flooding seat takes no
// place of another, and the link goes on.
func TestBurstWhileNobodyListens(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		waitConnected(t, r)
		flood, calm := h.connectPhone(engine.SeatViewer(1)), h.connectPhone(engine.SeatViewer(2))
		const sent = 30
		for seq := uint64(1); seq <= sent; seq++ {
			flood.sendAct(seq, epoch)
		}
		calm.sendAct(1, epoch)
		eventually(t, "the flood is not counted", func() bool { return r.Status().Counts["flood"] == sent-maxPerPhone })
		eventually(t, "the act of the calm seat has not come", func() bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.queued[wire.FirstPhoneOf(engine.SeatViewer(2))] == 1
		})
		for rev := uint64(1); rev <= 2; rev++ { // the second step is sent after the answers to the first
			publishStep(t, r, rev, allViewers...)
			calm.readUntil(rev)
		}
		for seq := uint64(1); seq <= maxPerPhone; seq++ {
			if in := nextAct(t, r); in.Phone.Viewer != engine.SeatViewer(1) || in.Act.Seq != seq {
				t.Fatalf("act %d of %v, want %d of the first", in.Act.Seq, in.Phone, seq)
			}
		}
		if in := nextAct(t, r); in.Phone.Viewer != engine.SeatViewer(2) {
			t.Errorf("then one of %v", in.Phone)
		}
		if s := r.Status(); !s.Connected || countTroubles(r) != 0 {
			t.Errorf("the link suffered: %+v", s)
		}
	})
}

// TestBrokerRestart checks that after a restart of the broker, which has lost everything, every viewer gets the newest of what
// was published meanwhile.
func TestBrokerRestart(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		publishStep(t, r, 1, allViewers...)
		h.connectPhone(engine.SeatViewer(1)).readUntil(1)
		waitConnected(t, r)
		restart := func(meanwhile func()) {
			h.stop()
			eventually(t, "the relay does not notice", func() bool { return !r.Status().Connected })
			meanwhile()
			h.stop = h.start()
			waitConnected(t, r)
		}
		restart(func() {})
		h.connectPhone(engine.SeatViewer(2)).readUntil(1)
		restart(func() {
			for rev := uint64(2); rev <= 200; rev++ {
				publishStep(t, r, rev, allViewers...)
			}
		})
		for _, v := range allViewers[1:] {
			if u := h.connectPhone(v).nextView(); u.Rev != 200 {
				t.Errorf("%v sees revision %d, want 200", v, u.Rev)
			}
		}
		p := h.connectPhone(engine.SeatViewer(3))
		p.waitForAvailability("online")
		p.sendAct(1, epoch)
		if in := nextAct(t, r); in.Phone.Viewer != engine.SeatViewer(3) {
			t.Errorf("an act of %v", in.Phone)
		}
		publishStep(t, r, 201, allViewers...)
		p.readUntil(201)
	})
}

// TestBrokerComesLate checks that the relay tries again while the broker is not there yet, and that PublishStep does not wait for
// it.
func TestBrokerComesLate(t *testing.T) {
	h := startEmbedded(t, false)
	h.stop()
	r := h.startRelay(nil)
	publishStep(t, r, 1, allViewers...)
	eventually(t, "no try is counted", func() bool { return r.Status().Counts["connect"] > 1 })
	h.stop = h.start()
	waitConnected(t, r)
	h.connectPhone(engine.SeatViewer(1)).readUntil(1)
}

// TestSlowLinkKeepsTheNewest checks that, while the connection is held up, newer views replace waiting older ones, and that
// revisions then rise to the newest.
func TestSlowLinkKeepsTheNewest(t *testing.T) {
	h := startEmbedded(t, false)
	line := h.startProxy()
	r := h.startRelay(func(o *Opts) { o.URL, o.KeepAlive = line.url, 2*time.Minute })
	p := h.connectPhone(engine.SeatViewer(1))
	waitConnected(t, r)
	line.hold(true)
	const steps = 100
	for rev := uint64(1); rev <= steps; rev++ {
		publishStep(t, r, rev, allViewers...)
	}
	line.hold(false)
	if seen := p.readUntil(steps); seen > 10 {
		t.Errorf("%d of %d views were sent over a line that stood still", seen, steps)
	}
	if countTroubles(r) != 0 {
		t.Errorf("the link suffered: %+v", r.Status())
	}
}

// TestBrokenLineLeavesTheNewestRetained checks that, when the connection breaks at any moment under a stream of steps, the
// newest view is retained, never one that was resent late.
func TestBrokenLineLeavesTheNewestRetained(t *testing.T) {
	h := startEmbedded(t, false)
	line := h.startProxy()
	r := h.startRelay(func(o *Opts) {
		o.URL, o.MaxRetry = line.url, 50*time.Millisecond
		o.Timeout = 0 // the default: an abandoned call into paho ends with it, and TestCloseLeavesNothing waits for that
	})
	rev := uint64(0)
	for range 8 {
		waitConnected(t, r)
		for range 20 {
			rev++
			publishStep(t, r, rev, allViewers...)
		}
		before := countTroubles(r)
		line.cutAll()
		eventually(t, "the relay does not notice", func() bool { return countTroubles(r) > before })
	}
	waitConnected(t, r)
	if u := h.connectPhone(engine.SeatViewer(4)).nextView(); u.Rev != rev {
		t.Errorf("revision %d is retained, want %d", u.Rev, rev)
	}
}

// TestViewsOfGoneSeatsAreCleared checks that the retained views of seats that left are cleared, also those of a game before
// this daemon started.
func TestViewsOfGoneSeatsAreCleared(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		first := h.startRelay(nil)
		publishStep(t, first, 1, allViewers...)
		p := h.connectPhone(engine.SeatViewer(4))
		p.readUntil(1)
		publishStep(t, first, 2, engine.Public, engine.SeatViewer(1), engine.Host)
		for topic := h.tree.ViewTopic(engine.SeatViewer(4)); ; { // what was published while the phone subscribed may come twice
			payload := p.nextMessage(topic).Payload()
			if len(payload) == 0 {
				break
			}
			if u, err := seal.OpenView(h.keys[wire.FirstPhoneOf(engine.SeatViewer(4))], topic, payload); err != nil || u.Rev != 1 {
				t.Fatalf("revision %d for a seat that left, %v", u.Rev, err)
			}
		}
		publishStep(t, first, 3, allViewers...)
		p.readUntil(3)
		first.Close()
		second := h.startRelay(nil)
		publishStep(t, second, 1, engine.Public, engine.SeatViewer(1))
		for topic := h.tree.ViewTopic(engine.SeatViewer(4)); len(p.nextMessage(topic).Payload()) > 0; { // until the broker has cleared it
		}
		late := h.connectPhone(engine.SeatViewer(4))
		publishStep(t, second, 2, engine.Public, engine.SeatViewer(1), engine.SeatViewer(4))
		if u := late.nextView(); u.Rev != 2 {
			t.Errorf("a view of revision %d was left from before", u.Rev)
		}
	})
}

// TestPublishHost checks that an update for the host goes only to the host's devices, and that the others keep their views.
func TestPublishHost(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		host, seat := h.connectPhone(engine.Host), h.connectPhone(engine.SeatViewer(1))
		publishStep(t, r, 1, allViewers...)
		host.readUntil(1)
		seat.readUntil(1)
		if err := r.PublishHost(newStep(2, engine.Host)); err != nil {
			t.Fatal(err)
		}
		host.readUntil(2)
		h.connectPhone(engine.SeatViewer(2)).readUntil(1)
		publishStep(t, r, 3, allViewers...)
		for topic, rev := h.tree.ViewTopic(engine.SeatViewer(1)), uint64(1); rev != 3; {
			u, err := seal.OpenView(h.keys[wire.FirstPhoneOf(engine.SeatViewer(1))], topic, seat.nextMessage(topic).Payload())
			if rev = u.Rev; err != nil || rev != 1 && rev != 3 {
				t.Fatalf("a seat is shown revision %d, %v", rev, err)
			}
		}
	})
}

// TestAvailability checks that "offline" is published by a clean stop and, for a dead daemon, by the broker (its will).
func TestAvailability(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		p := h.connectPhone(engine.Public)
		p.waitForAvailability("online")
		r.Close()
		p.waitForAvailability("offline")
		if m := h.connectPhone(engine.Public).nextMessage(h.tree.AvailabilityTopic()); string(m.Payload()) != "offline" || !m.Retained() {
			t.Errorf("availability is %q", m.Payload())
		}
		if _, open := <-r.Acts(); open {
			t.Error("acts go on after Close")
		}
		r.Close()
	})
	t.Run("by the will", func(t *testing.T) {
		h := startEmbedded(t, false)
		line := h.startProxy()
		r := h.startRelay(func(o *Opts) { o.URL = line.url })
		p := h.connectPhone(engine.Public)
		p.waitForAvailability("online")
		waitConnected(t, r)
		line.cutAll()
		p.waitForAvailability("offline")
		p.waitForAvailability("online")
	})
}

// deafAccess is an Access that does not let the daemon read the topics of the seats.
type deafAccess struct{ broker.Access }

func (d deafAccess) CanRead(user, topic string) bool {
	return user != wire.UserDaemon && d.Access.CanRead(user, topic)
}

// TestDeniedSubscriptionIsReported checks that a refused subscription is reported, which paho takes for a success.
func TestDeniedSubscriptionIsReported(t *testing.T) {
	h := newHouse(t)
	rights := broker.NewRights(h.tree, h.ring)
	h.startEmbeddedWith(deafAccess{rights}, rights.DaemonPassword(), false)
	r := h.startRelay(nil)
	waitConnected(t, r)
	s := r.Status()
	if len(s.Denied) != len(h.tree.Handsets()) || s.Counts["denied"] != 1 {
		t.Errorf("status %+v", s)
	}
	publishStep(t, r, 1, allViewers...)
	h.connectPhone(engine.SeatViewer(1)).readUntil(1)
}

// TestStuckBroker checks that the relay leaves within the timeout a broker that accepts the login and then neither reads nor
// answers, and that Close does not wait for it.
func TestStuckBroker(t *testing.T) {
	h := newHouse(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			_, _ = c.Read(make([]byte, 1024))
			_, _ = c.Write([]byte{0x20, 2, 0, 0})
		}
	}()
	h.url = "tcp://" + l.Addr().String()
	r := h.startRelay(func(o *Opts) { o.Timeout = 100 * time.Millisecond })
	for rev := uint64(1); rev <= 100; rev++ {
		publishStep(t, r, rev, allViewers...)
	}
	eventually(t, "the relay stays with the stuck broker", func() bool { return r.Status().Counts["timeout"] >= 2 })
	patient := h.startRelay(func(o *Opts) { o.Timeout = time.Hour })
	publishStep(t, patient, 1, allViewers...)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		r.Close()
		patient.Close()
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("Close waits for the stuck broker")
	}
}

// TestStepsThatCannotBeShown checks that a step is published whole or not at all.
func TestStepsThatCannotBeShown(t *testing.T) {
	h := startEmbedded(t, false)
	r := h.startRelay(nil)
	publishStep(t, r, 1, allViewers...)
	waitConnected(t, r)
	big := newStep(2, allViewers...)
	big[1].View.Phase = strings.Repeat("x", seal.ViewSize)
	if err := r.PublishStep(big); !errors.Is(err, seal.ErrTooLarge) || strings.Contains(err.Error(), "xxx") {
		t.Errorf("a view too large: %v", err)
	}
	loud := newStep(2, allViewers...)
	loud[0].View.Phase = strings.Repeat("x", wire.MaxView)
	if err := r.PublishStep(loud); err == nil {
		t.Error("a public view too large was taken")
	}
	for i := range allViewers {
		old := newStep(2, allViewers...)
		old[i].Epoch--
		if err := r.PublishStep(old); err == nil {
			t.Errorf("an update of another epoch for %v was taken", allViewers[i])
		}
	}
	if err := r.PublishNames(make(engine.Names, 10_000)); err == nil {
		t.Error("names too large were taken")
	}
	if u := h.connectPhone(engine.SeatViewer(2)).nextView(); u.Rev != 1 {
		t.Errorf("revision %d is shown", u.Rev)
	}
}

// TestRepliesAreBounded checks that the number of waiting replies is bounded while the broker cannot be reached.
func TestRepliesAreBounded(t *testing.T) {
	h := startEmbedded(t, false)
	h.stop()
	r := h.startRelay(nil)
	m := message{phone: wire.FirstPhoneOf(engine.SeatViewer(1)), topic: h.tree.ActTopic(engine.SeatViewer(1))}
	for i := range 2 * line.MaxQueued {
		r.sendReply(m, uint64(i), wire.Reply{ID: fmt.Sprint(i)})
	}
	if n := r.Status().Counts["reply-flood"]; n != line.MaxQueued {
		t.Errorf("%d replies dropped, want %d", n, line.MaxQueued)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	h := newHouse(t)
	for _, o := range []*Opts{
		nil, {}, {URL: "tcp://h:1", Tree: h.tree}, {URL: "tcp://h:1", Sealer: h.ring},
		{URL: "", Tree: h.tree, Sealer: h.ring}, {URL: "localhost:1883", Tree: h.tree, Sealer: h.ring},
		{URL: "http://h/", Tree: h.tree, Sealer: h.ring}, {URL: "tcp://u:secret@h:1", Tree: h.tree, Sealer: h.ring},
		{URL: "http://u:secret@h:1", Tree: h.tree, Sealer: h.ring}, {URL: "tcp://u:secret@h:1/%zz", Tree: h.tree, Sealer: h.ring},
	} {
		if r, err := New(o); err == nil {
			r.Close()
			t.Errorf("%+v was taken", o)
		} else if strings.Contains(err.Error(), "secret@") {
			t.Errorf("the error quotes the password: %v", err)
		}
	}
}

// TestCloseLeavesNothing checks that Close leaves no goroutine, whether the link is up or down.
func TestCloseLeavesNothing(t *testing.T) {
	h := startEmbedded(t, false)
	up := h.startRelay(nil)
	waitConnected(t, up)
	h2 := startEmbedded(t, false)
	h2.stop()
	down := h2.startRelay(nil)
	eventually(t, "no try is counted", func() bool { return down.Status().Counts["connect"] > 0 })
	up.Close()
	down.Close()
	eventually(t, "goroutines are left", func() bool { return relayGoroutines() == "" })
}

// TestPhonesOfASeat checks that the phones of a seat read the same on topics of their own, and that a reply goes only to the
// phone that acted. A phone whose key was removed gets no more views, its retained view is cleared, and its acts are dropped.
func TestPhonesOfASeat(t *testing.T) {
	eachBroker(t, func(t *testing.T, h *house) {
		r := h.startRelay(nil)
		at := engine.SeatViewer(3)
		two := wire.Handset{Viewer: at, N: 2}
		h.addKey(two)
		a, b := h.connectPhone(at), h.connectHandset(two)
		publishStep(t, r, 1, engine.Public, at, engine.Host)
		a.readUntil(1)
		b.readUntil(1)
		for seq, p := range []*phone{b, a, b} {
			other := map[*phone]*phone{a: b, b: a}[p]
			p.sendAct(uint64(seq+1), epoch)
			in := nextAct(t, r)
			if in.Phone != p.v || in.Act.Seq != uint64(seq+1) {
				t.Fatalf("act %d of %v, want of %v", in.Act.Seq, in.Phone, p.v)
			}
			in.Reply(wire.Reply{ID: in.Act.ID, OK: true})
			got, _, err := seal.OpenReply(h.keys[p.v], p.tree.ReplyTopic(at), p.nextMessage(p.tree.ReplyTopic(at)).Payload())
			if err != nil || got != uint64(seq+1) {
				t.Errorf("answer %d, %v", got, err)
			}
			publishStep(t, r, uint64(seq+2), engine.Public, at, engine.Host)
			for { // the reply was sent before this view
				m := <-other.msgs
				if m.Topic() == other.tree.ReplyTopic(at) {
					t.Error("the answer to one phone came to another")
				}
				if m.Topic() == other.tree.ViewTopic(at) {
					break
				}
			}
		}
		h.ring.RemoveKey(two)
		publishStep(t, r, 9, engine.Public, at, engine.Host)
		a.readUntil(9)
		for len(b.nextMessage(b.tree.ViewTopic(at)).Payload()) > 0 {
		}
		b.sendAct(10, epoch)
		a.sendAct(11, epoch)
		if in := nextAct(t, r); in.Phone != a.v {
			t.Errorf("an act of %v, who was cut off", in.Phone)
		}
	})
}
