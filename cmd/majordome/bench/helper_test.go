package bench

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/huisclos"
)

// field is the space above a reader, without the chip: what is there, and what was put there since the last reading.
type field struct {
	lies, fresh []devices.UID
	room        int
	plugged     bool
}

func (f *field) AddTag(u devices.UID) error {
	if len(f.lies) == f.room {
		return errors.New("full")
	}
	f.lies, f.fresh = append(f.lies, u), append(f.fresh, u)
	return nil
}

func (f *field) RemoveTag(u devices.UID) {
	same := func(x devices.UID) bool { return x == u }
	f.lies, f.fresh = slices.DeleteFunc(f.lies, same), slices.DeleteFunc(f.fresh, same)
}

func (f *field) SetPlugged(in bool) { f.plugged = in }

// rig is a bench and a real game of Huis Clos. Only the test connects them: a card on a reader is read when the test
// calls readField.
type rig struct {
	t      testing.TB
	table  *Table
	fields map[string]*field
	book   engine.Rulebook // of the game on the table
	books  []engine.Rulebook
	game   engine.Game
	dice   engine.Dice
	at     engine.Millis
	update wire.Update
}

const forever = time.Hour

// books are the rules of Huis Clos and Cluedo 2008.
func books(t testing.TB) []engine.Rulebook {
	t.Helper()
	first, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	second, err := cluedo.New(cluedo.DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	return []engine.Rulebook{first, second}
}

func boxes(t testing.TB, of ...engine.Rulebook) (all []Box) {
	t.Helper()
	for _, b := range of {
		all = append(all, Box{b.ID(), b.Names()})
	}
	return all
}

func newRig(t testing.TB, o Opts) *rig {
	t.Helper()
	all := books(t)
	book := all[0]
	r := &rig{t: t, book: book, books: all, game: book.NewGame(), dice: chance.New(1),
		fields: map[string]*field{engine.ReaderUrn: {room: 16}, engine.ReaderShow: {room: 16}}}
	o.Fields = map[string]Field{}
	o.Boxes = boxes(t, all...)
	for role, f := range r.fields {
		o.Fields[role] = f
	}
	if o.Lamps == nil {
		o.Lamps = func() []wire.BenchStrip { return []wire.BenchStrip{} }
	}
	if o.Phones == nil {
		o.Phones = func() []wire.BenchPlayer { return []wire.BenchPlayer{} }
	}
	o.Own = func(s engine.Seat) *engine.Own { return r.game.View(engine.SeatViewer(s)).Me }
	var err error
	if r.table, err = New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.table.Close)
	r.sendUpdate(nil)
	return r
}

// newSeatedRig returns a rig with four players and nothing drawn yet.
func newSeatedRig(t testing.TB, o Opts) *rig {
	t.Helper()
	r := newRig(t, o)
	for i, who := range []string{"character-borrow", "character-worms", "character-peely", "character-lecomte"} {
		r.act(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", "P", "character", who)
	}
	r.act(engine.Host, "first", "seat", "seat-1")
	r.act(engine.Host, "begin")
	return r
}

// newPickingRig returns a rig where the helping hand has dealt and put out everything.
func newPickingRig(t testing.TB, o Opts) *rig {
	t.Helper()
	r := newSeatedRig(t, o)
	for range 2 {
		r.performAct(wire.BenchAct{Act: "deal"})
		r.readAll(engine.ReaderShow)
	}
	return r
}

func (r *rig) sendUpdate(n *wire.Notice) {
	r.update = wire.Update{View: r.game.View(engine.Public), Notice: n}
	r.table.HandleUpdate(r.update)
}

func (r *rig) decide(c engine.Command) *engine.Reject {
	events, reject := r.game.Decide(c, r.dice)
	r.game = r.game.Apply(events...)
	return reject
}

// act declares something on a phone or the host's page.
func (r *rig) act(v engine.Viewer, act string, pairs ...string) {
	r.t.Helper()
	args := engine.Args{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	if reject := r.decide(engine.Command{At: r.at, By: v, Act: act, Args: args}); reject != nil {
		r.t.Fatalf("%s %s %v: %v %v", v, act, args, reject, reject.Why)
	}
	r.sendUpdate(nil)
}

// readField presents all new cards of a field to the game, as the table loop does.
func (r *rig) readField(role string) *engine.Reject {
	r.t.Helper()
	f := r.fields[role]
	tags := r.table.CardTags()[r.book.ID()]
	var cards []engine.ID
	foreign := 0
	for _, u := range f.fresh {
		if tags[u] == "" {
			foreign++
		} else {
			cards = append(cards, tags[u])
		}
	}
	f.fresh = nil
	r.at += 10_000
	reject := r.decide(engine.ScanCommand(r.at, role, cards, foreign))
	switch {
	case reject == nil:
		r.sendUpdate(&wire.Notice{Signal: "accepted", Reader: role})
	case !reject.Public.IsEmpty():
		r.sendUpdate(&wire.Notice{Signal: "again", Reader: role})
	default:
		r.sendUpdate(nil)
	}
	return reject
}

// readAll reads as long as the helping hand presents cards, and returns the number of readings.
func (r *rig) readAll(role string) (n int) {
	r.t.Helper()
	for ; len(r.fields[role].fresh) > 0; n++ {
		if n > 100 {
			r.t.Fatal("the helping hand does not end")
		}
		r.readField(role)
	}
	return n
}

func (r *rig) performAct(a wire.BenchAct) {
	r.t.Helper()
	if err := r.table.PerformAct(a); err != nil {
		r.t.Fatalf("%+v: %v", a, err)
	}
}

// move drags cards of the deck to a spot.
func (r *rig) move(spot string, ids ...engine.ID) {
	r.t.Helper()
	var tags []string
	for _, id := range ids {
		tags = append(tags, r.card(id).Tag)
	}
	r.performAct(wire.BenchAct{Act: "move", Cards: tags, Spot: spot})
}

func (r *rig) card(id engine.ID) wire.BenchCard {
	r.t.Helper()
	state, _ := r.table.State()
	for _, c := range state.Cards {
		if c.Card == id {
			return c
		}
	}
	r.t.Fatalf("no card %s on the table", id)
	return wire.BenchCard{}
}

// checkSpot checks that a card is at a spot.
func (r *rig) checkSpot(id engine.ID, spot string) {
	r.t.Helper()
	if got := r.card(id).Spot; got != spot {
		r.t.Errorf("%s lies at %s, not at %s", id, got, spot)
	}
}

// cardsAt lists the cards of the deck at a spot, in deck order.
func (r *rig) cardsAt(spot string, kinds ...engine.ID) []engine.ID {
	state, _ := r.table.State()
	ids := []engine.ID{}
	for _, c := range state.Cards {
		if c.Spot == spot && c.Card != "" && (len(kinds) == 0 || slices.Contains(kinds, c.Kind)) {
			ids = append(ids, c.Card)
		}
	}
	return ids
}

func (r *rig) checkPhase(want string) {
	r.t.Helper()
	if got := r.update.View.Phase; got != want {
		r.t.Fatalf("the phase is %s, not %s", got, want)
	}
}

// checkInvariants checks the invariants of Table.
func (r *rig) checkInvariants() {
	r.t.Helper()
	t := r.table
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.cards {
		role, on := readerAtSpot(c.Spot)
		for at, f := range r.fields {
			if held := t.hands[at] != nil && slices.Contains(t.hands[at].cards, c); held != (on && at == role) {
				r.t.Errorf("invariant 2: %s at %s, held at %s: %v", c.Name.EN, c.Spot, at, held)
			}
			if in := slices.Contains(f.lies, c.uid); in != (on && at == role) {
				r.t.Errorf("invariant 1: %s at %s, in the field of %s: %v", c.Name.EN, c.Spot, at, in)
			}
		}
	}
	for role, h := range t.hands {
		if len(h.cards) == 0 {
			r.t.Errorf("invariant 3: an empty hand at %s", role)
		}
	}
	if t.presented != nil && t.presented.Spot != wire.SpotShow {
		r.t.Errorf("invariant 4: the dealt card is at %s", t.presented.Spot)
	}
}

// waitState waits for a state of the table.
func waitState(t testing.TB, table *Table, what string, ok func(wire.Bench) bool) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		state, changed := table.State()
		if ok(state) {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatal("waited in vain for: " + what)
		}
	}
}

func roomFile(t testing.TB) string { return filepath.Join(t.TempDir(), "room.json") }
