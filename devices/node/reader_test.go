package node

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/presence"
)

// The events of a node become, at the times of the scans and through the default fold, the same events that a local reader would have
// brought. A step is a time in ms and events: B back, X lost, N noise, Q quiet, R restarted, +A arrived, -A left; @ and a time in ms say
// when that was at the node, if it was not just then; a trailing & joins the next.
func TestBatchesBecomeSnapshots(t *testing.T) {
	kinds := map[byte]byte{'B': kindBack, 'X': kindLost, 'N': kindNoise, 'Q': kindQuiet, '+': kindArrived, '-': kindLeft}
	for _, c := range []struct{ name, steps, want string }{
		{"a card comes and goes", "0 B;10 +A;500 -A", "+A -A"},
		{"seen and gone before anybody looked", "0 B;10 +A -A", "+A -A"},
		{"several like that", "0 B;10 +A -A +B -B +C -C", "+A +B +C -A -B -C"},
		{"comes back at once", "0 B;10 +A -A +A -A", "+A -A"},
		{"lifted for less than 150 ms", "0 B;10 +A;300 -A;440 +A", "+A"},
		{"lifted for longer", "0 B;10 +A;300 -A;460 +A", "+A -A +A"},
		{"the same, told late and all at once", "0 B;1000 +A@10 -A@300 +A@440 -A@700 +A@860", "+A -A +A"},
		{"lifted three times shortly", "0 B;10 +A;300 -A;400 +A;420 -A;520 +A;540 -A;640 +A", "+A"},
		{"comes back when the node's clock has restarted", "0 B;10 +A@4294967000;300 -A@4294967290;700 +A@394", "+A -A +A"},
		{"with its first scan", "0 B& +A", "+A"},
		{"changes place at one moment", "0 B& +A;100 -A& +B", "+A +B -A"},
		{"noise comes and goes at once", "0 B;10 N Q", "noise"},
		{"noise beside a card", "0 B& +A;50 N;400 Q;500 -A", "+A noise -A"},
		{"lost with its card", "0 B& +A;100 X;400 B", "+A lost back"},
		{"left while lost", "0 B& +A;100 X;400 B& -A", "+A lost back -A"},
		{"restarted with its card", "0 B& +A;100 R;130 B& +A", "+A"},
		{"restarted without its card", "0 B& +A;100 R;130 B", "+A -A"},
		{"never works", "0 X", "lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r readerState
			r.queueNewStream()
			fold, _ := presence.NewFold(nil)
			var got []string
			steps := strings.Split(c.steps, ";")
			for now := time.Duration(0); now < 3*time.Second; now += 2 * time.Millisecond {
				for len(steps) > 0 {
					f := strings.Fields(steps[0])
					at, _ := time.ParseDuration(f[0] + "ms")
					if at > now {
						break
					}
					for _, e := range f[1:] {
						if e[0] == 'R' {
							r.queueNewStream()
							continue
						}
						ev := event{kind: kinds[e[0]], more: strings.HasSuffix(e, "&"), at: now}
						if _, then, ok := strings.Cut(e, "@"); ok {
							ev.at, _ = time.ParseDuration(then + "ms")
						}
						if e[0] == '+' || e[0] == '-' {
							ev.tag.UID, _ = devices.MakeUID([]byte{1, 2, 3, e[1]})
						}
						if !r.queueEvent(&ev) {
							t.Fatal("no room")
						}
					}
					steps = steps[1:]
				}
				tags, err := r.nextScan(now, true)
				for _, e := range fold.ApplyScan(now, tags, err) {
					switch e.Kind {
					case presence.Arrived:
						got = append(got, "+"+string(e.Tag.UID.Bytes()[3]))
					case presence.Left:
						got = append(got, "-"+string(e.Tag.UID.Bytes()[3]))
					case presence.NoiseBegan:
						got = append(got, "noise")
					case presence.ReaderLost:
						got = append(got, "lost")
					case presence.ReaderBack:
						got = append(got, "back")
					}
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
		})
	}
}

// Two players who dropped their cards while the cable was out are not taken for one who dropped two.
func TestCardsKeepTheirDistance(t *testing.T) {
	const ms = time.Millisecond
	var r readerState
	r.queueNewStream()
	r.queueEvent(&event{kind: kindBack})
	for i, at := range []time.Duration{0, 300, 1700, 90_000} { // each gone before the next
		uid, _ := devices.MakeUID([]byte{1, 2, 3, byte(i)})
		for _, k := range []byte{kindArrived, kindLeft} {
			r.queueEvent(&event{kind: k, at: 5*time.Second + at*ms, tag: devices.Tag{UID: uid}})
		}
	}
	var seen []time.Duration
	for now := time.Duration(0); now < 10*time.Second; now += 10 * ms {
		if tags, err := r.nextScan(now, true); err == nil && len(tags) == 1 {
			seen = append(seen, now)
		}
	}
	if len(seen) != 4 || seen[1]-seen[0] < 300*ms || seen[2]-seen[1] < maxSpacing || seen[3]-seen[2] < maxSpacing ||
		seen[3] > 4*maxSpacing {
		t.Errorf("shown at %v", seen)
	}
}

// If the caller is delayed between a snapshot and its events, the next card follows as much later.
func TestCardsKeepTheirDistanceForASlowTable(t *testing.T) {
	const ms, busy = time.Millisecond, 700 * time.Millisecond
	var r readerState
	r.queueNewStream()
	r.queueEvent(&event{kind: kindBack})
	for i, at := range []time.Duration{0, 1700} {
		uid, _ := devices.MakeUID([]byte{1, 2, 3, byte(i)})
		for _, k := range []byte{kindArrived, kindLeft} {
			r.queueEvent(&event{kind: k, at: 5*time.Second + at*ms, tag: devices.Tag{UID: uid}})
		}
	}
	var told []time.Duration
	for now := time.Duration(0); now < 10*time.Second; now += 10 * ms {
		if tags, err := r.nextScan(now, true); err == nil && len(tags) == 1 {
			if len(told) == 0 {
				now += busy
			}
			told = append(told, now)
		}
	}
	if len(told) != 2 || told[1]-told[0] < maxSpacing {
		t.Errorf("told at %v", told)
	}
}

// A reader that the table does not use does not hold up the others, and knows the cards on it when it is scanned at last. One that is
// scanned loses nothing: events for which there is no room stay in the node.
func TestAReaderThatNobodyScans(t *testing.T) {
	uid, _ := devices.MakeUID([]byte{1, 2, 3, 4})
	pair := func(r *readerState) bool {
		return r.queueEvent(&event{kind: kindLeft, tag: devices.Tag{UID: uid}}) &&
			r.queueEvent(&event{kind: kindArrived, tag: devices.Tag{UID: uid}})
	}
	var r readerState
	r.queueNewStream()
	r.queueEvent(&event{kind: kindBack})
	for i := range 200 {
		if !pair(&r) || len(r.pending) > maxPending {
			t.Fatalf("after %d visits: %d events wait", i, len(r.pending))
		}
		if i%10 == 0 {
			r.queueNewStream()
			r.queueEvent(&event{kind: kindBack})
		}
	}
	var tags []devices.Tag
	for now := time.Duration(0); len(r.pending) > 0 && now < time.Minute; now += 10 * time.Millisecond {
		tags, _ = r.nextScan(now, true)
	}
	if len(r.pending) > 0 || len(tags) != 1 || tags[0].UID != uid {
		t.Errorf("it shows %v, and %d events wait", tags, len(r.pending))
	}
	for range maxPending {
		if r.nextScan(time.Hour, true); !pair(&r) {
			return
		}
	}
	t.Error("there was room for all, though somebody looks")
}

// A node with our numbers but another history is asked to start again.
func TestAnotherNodeWithTheSameNumbers(t *testing.T) {
	l := NewLink(7)
	l.NotifyOpened()
	meet := func(first uint16) {
		t.Helper()
		out := l.BuildOutput(time.Second)
		ask := askBody(t, out)
		f := newFake(t)
		f.first, f.session = first, uint16(ask[3])|uint16(ask[4])<<8
		p := helloOf(f, ask[2])
		l.Receive(time.Second, AppendFrame(nil, p))
	}
	meet(3)
	if l.IsConnected() {
		t.Fatal("went on with a stream that another host had begun")
	}
	meet(0)
	if !l.IsConnected() || l.Err() != nil {
		t.Fatal("not up")
	}
	var got []string
	for now := time.Second; now <= time.Second+askEvery; now += tick {
		got = append(got, decode(l.BuildOutput(now))...)
	}
	if len(got) != 1 {
		t.Errorf("a node that answers is sent %v", got)
	}
	l.NotifyClosed()
	if !errors.Is(l.Err(), errAway) {
		t.Errorf("closed: %v", l.Err())
	}
	l.NotifyOpened()
	meet(40)
	if l.IsConnected() {
		t.Fatal("took another node for its own")
	}
	meet(0)
	if !l.IsConnected() || l.session != 9 {
		t.Errorf("up %v, session %d", l.IsConnected(), l.session)
	}
}

// A daemon that was suspended does not take its own silence for the node's: it first reads the messages that came meanwhile.
func TestAStandstillIsNotTheNodesSilence(t *testing.T) {
	l := NewLink(7)
	l.NotifyOpened()
	f := newFake(t)
	f.session = 7
	l.Receive(0, AppendFrame(nil, helloOf(f, askBody(t, l.BuildOutput(0))[2])))
	l.BuildOutput(10 * time.Second)
	l.Receive(10*time.Second, AppendFrame(nil, []byte{typeCredit, 0, 0}))
	if l.BuildOutput(10*time.Second + tick); !l.IsConnected() {
		t.Fatal("the node is given up after a standstill of ten seconds")
	}
	// A message is read after the next suspension and before its Output; then the node falls silent.
	l.Receive(20*time.Second, AppendFrame(nil, []byte{typeCredit, 0, 0}))
	for now := 20 * time.Second; now <= 20*time.Second+awayAfter+tick; now += tick {
		l.BuildOutput(now)
	}
	if l.IsConnected() {
		t.Error("a node that says nothing is not given up")
	}
}

// A spare with as many starts as the broken node is recognised as another node, even if all else matches: it has been up for a shorter
// time.
func TestASpareWithTheSameNumbers(t *testing.T) {
	l := NewLink(7)
	meet := func(uptime uint32) bool {
		t.Helper()
		l.NotifyOpened()
		ask := askBody(t, l.BuildOutput(time.Second))
		f := newFake(t)
		f.session = uint16(ask[3]) | uint16(ask[4])<<8
		p := helloOf(f, ask[2])
		binary.LittleEndian.PutUint32(p[7:], uptime)
		l.Receive(time.Second, AppendFrame(nil, p))
		defer l.NotifyClosed()
		return l.IsConnected()
	}
	for _, c := range []struct {
		uptime uint32
		same   bool
	}{{1<<32 - 9000, true}, {1<<32 - 1000, true}, {2000, true}, {60_000, true}, {3000, false}, {3500, true}} {
		if before := l.session; meet(c.uptime) != c.same || (l.session == before) != c.same {
			t.Fatalf("up for %d ms: the session goes from %d to %d", c.uptime, before, l.session)
		}
	}
}

// No more bytes are on their way than the node has room for, whatever is to be sent.
func TestNoMoreBytesAreSentThanTheNodeHasRoomFor(t *testing.T) {
	l := NewLink(7)
	l.NotifyOpened()
	ask := askBody(t, l.BuildOutput(0))
	f := newFake(t)
	f.session = 7
	f.taken = 1000 // the node has heard other things before
	l.Receive(0, AppendFrame(nil, helloOf(f, ask[2])))
	px := make([]devices.RGB, 40)
	l.ShowFrame(px)
	sent, taken := 0, 0
	for i := range 200 {
		out := l.BuildOutput(time.Duration(i) * time.Millisecond)
		if sent += len(out); sent-taken > 127 {
			t.Fatalf("%d bytes under way", sent-taken)
		}
		if i%7 == 0 {
			taken = sent
			at := 1000 + taken
			l.Receive(0, AppendFrame(nil, []byte{typeCredit, byte(at), byte(at >> 8)}))
		}
	}
	if sent < 130 {
		t.Errorf("only %d bytes sent", sent)
	}
}

// askBody is the body of the ASK in the output to a node that does not answer.
func askBody(t *testing.T, out []byte) []byte {
	t.Helper()
	bodies := decode(out)
	if len(bodies) != 2 || bodies[0] != hex.EncodeToString(bootloaderGuard) {
		t.Fatalf("does not ask as one who gets no answer: %v", bodies)
	}
	return unhex(t, bodies[1])
}

// helloOf is the body of a fake's HELLO, as sent.
func helloOf(f *fake, nonce byte) []byte {
	p := make([]byte, 1+helloSize)
	p[0], p[1], p[2] = typeHello, f.version, nonce
	p[3], p[4], p[5], p[11], p[12], p[13] = byte(f.session), byte(f.session>>8), byte(f.boots), byte(f.taken), byte(f.taken>>8), 127
	p[23], p[27], p[28] = byte(f.pixels), byte(f.first), byte(f.first>>8)
	return p
}
