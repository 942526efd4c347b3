package house

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/huisclos"
)

// patience is the longest time in which a condition must become true, even on a slow machine.
const patience = time.Minute

// rig is a house with two simulated readers, as the demonstration has them.
type rig struct {
	t       *testing.T
	house   *House
	sims    map[string]*mfrc522sim.Sim
	eyes    map[string]*eye
	stop    context.CancelFunc
	ended   chan error
	mu      sync.Mutex
	updates []wire.Update
	views   []seats // the host and the seats at the same steps
	changed chan struct{}
}

// seats are the updates of the host, at 0, and of seats 1 to 4 after one step.
type seats [5]wire.Update

func testConfig(t *testing.T) config.Config {
	t.Helper()
	c := config.Defaults()
	c.Listen, c.MQTT, c.Data = "127.0.0.1:0", "127.0.0.1:0", t.TempDir()
	return c
}

func huisClosBook(t *testing.T) engine.Rulebook {
	t.Helper()
	b, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// openRig returns a house that does not run yet; change may replace or add parts.
func openRig(t *testing.T, change func(*Opts)) *rig {
	t.Helper()
	r := &rig{t: t, sims: map[string]*mfrc522sim.Sim{}, eyes: map[string]*eye{}, ended: make(chan error, 1), changed: make(chan struct{})}
	o := Opts{Config: testConfig(t), Decks: games.KnownGames().DefaultDecks(), Log: discardLog(),
		Tags: map[engine.ID]map[devices.UID]engine.ID{"huis-clos": deckTags(t)}, Public: r.recordUpdate,
		Players: map[engine.ID][]Player{"huis-clos": {
			{"Anne", "character-borrow"}, {"Bruno", "character-worms"}, {"Chloé", "character-peely"}, {"David", "character-lecomte"}}}}
	for _, role := range []string{engine.ReaderUrn, engine.ReaderShow} {
		sim := mfrc522sim.NewRealtime(nil)
		dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
		if err != nil {
			t.Fatal(err)
		}
		r.sims[role] = sim
		o.Readers = append(o.Readers, config.Reader{Role: role, Scanner: dev, Period: config.PollPeriod(role)})
	}
	if change != nil {
		change(&o)
	}
	for i := range o.Readers {
		e := newEye(o.Readers[i].Scanner)
		o.Readers[i].Scanner, r.eyes[o.Readers[i].Role] = e.observedScanner(), e
	}
	var err error
	if r.house, err = Open(o); err != nil {
		t.Fatal(err)
	}
	return r
}

// startRig runs a house until the test ends.
func startRig(t *testing.T, change func(*Opts)) *rig {
	t.Helper()
	r := openRig(t, change)
	r.run()
	return r
}

func (r *rig) run() {
	r.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	ready := make(chan struct{})
	go func() { r.ended <- r.house.Run(ctx, func() error { close(ready); return nil }) }()
	r.t.Cleanup(func() {
		stop()
		select {
		case err := <-r.ended:
			if err != nil {
				r.t.Errorf("Run: %v", err)
			}
		case <-time.After(patience):
			r.t.Error("Run does not end")
		}
	})
	select {
	case <-ready:
	case <-time.After(patience):
		r.t.Fatal("not ready")
	}
}

func (r *rig) recordUpdate(u wire.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var own seats
	own[0], _ = r.house.Loop.Snapshot(engine.Host) // this is the goroutine of the loop: no other step can intervene
	for x := engine.Seat(1); int(x) < len(own); x++ {
		own[x], _ = r.house.Loop.Snapshot(engine.SeatViewer(x))
	}
	r.updates, r.views = append(r.updates, u), append(r.views, own)
	close(r.changed)
	r.changed = make(chan struct{})
}

// mark returns the number of updates so far; waitUpdate looks only at those after it.
func (r *rig) mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.updates)
}

func (r *rig) waitUpdate(from int, what string, ok func(wire.Update) bool) wire.Update {
	r.t.Helper()
	late := time.After(patience)
	for n := from; ; {
		r.mu.Lock()
		news, changed := r.updates[n:], r.changed
		n = len(r.updates)
		r.mu.Unlock()
		for _, u := range news {
			if ok(u) {
				return u
			}
		}
		select {
		case <-changed:
		case <-late:
			for _, reader := range []string{engine.ReaderUrn, engine.ReaderShow} {
				r.t.Logf("%s: answers %v, field %s", reader, r.signals(from, reader), r.eyes[reader])
			}
			r.t.Fatal("waited in vain for: " + what)
		}
	}
}

// updateFor returns the update of a seat, or of the host for 0, at the step of the public update u. Later steps may
// have followed already: the test can be slow, and deadlines go on.
func (r *rig) updateFor(u wire.Update, x engine.Seat) wire.Update {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.updates, func(o wire.Update) bool { return o.Rev == u.Rev })
	if i < 0 {
		r.t.Fatalf("no step %d", u.Rev)
	}
	return r.views[i][x]
}

// signals returns the signals of one reader since a mark.
func (r *rig) signals(from int, reader string) (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, u := range r.updates[from:] {
		if u.Notice != nil && u.Notice.Reader == reader {
			all = append(all, u.Notice.Signal)
		}
	}
	return all
}

// waitSignal waits until a reader answers with this signal.
func (r *rig) waitSignal(from int, reader, signal string) wire.Update {
	r.t.Helper()
	return r.waitUpdate(from, reader+" "+signal, func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Reader == reader && u.Notice.Signal == signal
	})
}

// presentAccepted waits until the reader's field is empty, puts a card down with lay, and waits until the card is
// accepted.
func (r *rig) presentAccepted(reader string, lay func()) wire.Update {
	r.t.Helper()
	r.eyes[reader].waitEmpty(r.t, reader)
	from := r.mark()
	lay()
	u := r.waitUpdate(from, reader+" answers", func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Reader == reader && u.Notice.Signal != ""
	})
	if u.Notice.Signal != "accepted" {
		r.t.Fatalf("%s: %+v", reader, u.Notice)
	}
	return u
}

func (r *rig) mustHostAct(act string, args engine.Args) {
	r.t.Helper()
	r.waitPublished()
	if err := r.house.hostActs.performAct(1, act, args); err != nil {
		r.t.Fatal(err)
	}
	r.waitPublished()
}

// waitPublished waits until all answers so far have also been published.
func (r *rig) waitPublished() {
	r.house.Loop.IsResponsive(r.t.Context(), patience)
}

// startRoles runs a house in which each seat is to draw a role.
func startRoles(t *testing.T, change func(*Opts)) *rig {
	t.Helper()
	r := startRig(t, change)
	r.mustHostAct("begin", nil)
	return r
}

// deckTags gives each card of Huis Clos a tag whose last byte is the card's index in the names of the deck.
func deckTags(t *testing.T) map[devices.UID]engine.ID {
	t.Helper()
	m := map[devices.UID]engine.ID{}
	for i, n := range huisClosBook(t).Names() {
		if n.IsCard() {
			m[uid(t, byte(i))] = n.ID
		}
	}
	return m
}

func uid(t *testing.T, n byte) devices.UID {
	t.Helper()
	u, err := devices.MakeUID([]byte{4, 0xC0, 0xFF, 0xEE, 0, 0, n})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func tagOf(t *testing.T, card engine.ID) devices.UID {
	t.Helper()
	for u, c := range deckTags(t) {
		if c == card {
			return u
		}
	}
	t.Fatalf("no card %s", card)
	return devices.UID{}
}

// placeTags places tags in the field of a reader, all at one moment. Before the house runs, it places them for the
// reader's first look.
func (r *rig) placeTags(role string, uids ...devices.UID) {
	r.t.Helper()
	if r.stop != nil {
		r.eyes[role].waitReady(r.t, role)
	}
	var all []mfrc522sim.Tag
	for _, u := range uids {
		all = append(all, mfrc522sim.Tag{UID: u})
	}
	if err := r.sims[role].PlaceTags(all...); err != nil {
		r.t.Fatal(err)
	}
}

// placeUnreadable places a card that answers but cannot be read; take removes it.
func (r *rig) placeUnreadable(role string) (take func()) {
	r.t.Helper()
	u, err := devices.ParseUID("04FFFFFFFFFFFF")
	if err == nil {
		err = r.sims[role].PlaceTags(mfrc522sim.Tag{UID: u, Fault: mfrc522sim.Unreadable})
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return func() { r.sims[role].RemoveTag(u) }
}

// strip records whether it was lit and when it was halted.
type strip struct {
	lit   chan struct{} // closed at the first pixel that is lit
	once  sync.Once
	trail *trail
}

func (s *strip) String() string { return "strip" }
func (s *strip) Len() int       { l := light.DefaultLayout(7); return l.MinStripLen() }
func (s *strip) Halt() error    { s.trail.add("strip dark"); return nil }
func (s *strip) ShowFrame(px []devices.RGB) error {
	for _, p := range px {
		if p != (devices.RGB{}) {
			s.once.Do(func() { close(s.lit) })
		}
	}
	return nil
}

// trail records in which order things happened.
type trail struct {
	mu   sync.Mutex
	what []string
}

func (t *trail) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.what = append(t.what, what)
}

// scanner is a reader with an empty field.
type scanner struct {
	trail *trail
	halt  func()
}

func (s *scanner) String() string { return "scanner" }
func (s *scanner) Halt() error {
	s.trail.add("reader off")
	if s.halt != nil {
		s.halt()
	}
	return nil
}
func (s *scanner) Scan(context.Context) ([]devices.Tag, error) { return nil, nil }

var errBroken = errors.New("broken")

// goroutines counts the goroutines of this program's own packages and libraries.
func goroutines() (n int, stacks string) {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for _, g := range strings.Split(string(buf), "\n\n") {
		if strings.Contains(g, "testing.") || strings.Contains(g, "os/signal") || g == "" {
			continue
		}
		n++
		stacks += g + "\n\n"
	}
	return n, stacks
}

// eventually waits until a condition is true, and fails with the text what after patience.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func noGoroutinesLeft(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		n, stacks := goroutines()
		if n <= before {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines before, %d after:\n%s", before, n, stacks)
		}
	}
}
