package game

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
)

// deals collects the roots and heads of one evening, for TestPhonesCheckTheDeal.
type deals struct {
	root   string // of the last deal; empty during one
	head   string
	at     int // number of the last happening
	opened int
	read   int // openings of cards that were read by hand
}

// check checks an update as a phone does, and that it opens exactly what its own view says.
func (d *deals) check(t *testing.T, seed uint64, u *wire.Update, own *commitment, mystery map[string]bool) {
	t.Helper()
	if u.Proof == nil {
		d.root = ""
		if len(u.Opened) > 0 {
			t.Fatalf("%s is given openings without a root", u.View.Viewer)
		}
		return
	}
	if u.Proof.Root != "" {
		if err := u.Proof.CheckOpenings(u.Opened); err != nil {
			t.Fatalf("%s rev %d: %v", u.View.Viewer, u.Rev, err)
		}
		if d.root != "" && d.root != u.Proof.Root && !u.View.IsDealing() {
			t.Fatalf("seed %d rev %d %s: the root has changed after the deal", seed, u.Rev, u.View.Viewer)
		}
		d.checkCompleteness(t, u, mystery)
	}
	if d.root = u.Proof.Root; u.View.IsDealing() {
		d.root = ""
	}
	open := map[string]bool{}
	for _, o := range u.Opened {
		open[o.Fact] = true
		d.opened++
	}
	says := map[string]bool{}
	for _, f := range u.View.DealFacts() {
		says[f.String()] = true
	}
	for _, l := range own.leaves {
		mine := strings.HasSuffix(l.fact.String(), " "+u.View.Viewer)
		switch is, may := open[l.fact.String()], says[l.fact.String()]; {
		case is && !may:
			t.Fatalf("%s learns from an opening what it has not seen", u.View.Viewer)
		case is && l.read && !mine && l.fact.Value != engine.InEnvelope:
			t.Fatalf("%s learns in which order another hand was read", u.View.Viewer)
		case may && !is && (!l.read || mine):
			t.Fatalf("%s is not given the opening of what it has seen", u.View.Viewer)
		case is && l.read:
			d.read++
		}
	}
}

// checkCompleteness checks that each item has one leaf at most, at its place, and that nothing that the view shows is left closed,
// by the rules of src/phone/deal.ts.
func (d *deals) checkCompleteness(t *testing.T, u *wire.Update, mystery map[string]bool) {
	t.Helper()
	if u.View.IsDealing() || u.View.Me == nil {
		return
	}
	own := map[string]bool{}
	for _, o := range u.Opened {
		own[o.Fact] = true
	}
	var closed []engine.DealFact
	for _, f := range u.View.DealFacts() {
		if mystery[f.Item] && !own[f.String()] {
			closed = append(closed, f)
		}
	}
	leaves, _ := proof.SplitLeaves(u.Proof.Leaves)
	role := u.View.Me.Role
	items := slices.Sorted(maps.Keys(mystery))
	if u.View.Case == nil {
		items = nil
		for _, s := range u.View.Seats {
			items = append(items, s.Seat.String())
		}
	}
	whole := u.View.Case != nil && u.View.Case.Virtual
	seen := map[string]bool{}
	for _, o := range u.Opened {
		item, _, _ := strings.Cut(o.Fact, " ")
		if seen[item] || !slices.Contains(items, item) || whole && slices.Index(items, item) != o.I {
			t.Fatalf("%s is opened %q as leaf %d, not at its place", u.View.Viewer, o.Fact, o.I)
		}
		seen[item] = true
	}
	switch {
	case len(leaves) > len(items) || whole && len(leaves) != len(items):
		t.Fatalf("%d leaves of %d items, dealt by the machine: %t", len(leaves), len(items), whole)
	case u.View.Case != nil && u.View.Case.Virtual && len(closed) > 0:
		t.Fatalf("%s is not opened %v", u.View.Viewer, closed)
	case u.View.Case == nil && role != "" && len(leaves) == len(u.View.Seats) && !own[u.View.Viewer+" "+string(role)]:
		t.Fatalf("the role of %s is not opened", u.View.Viewer)
	}
}

// boundTo returns what the table is committed to. The exchange of a lobby is left out: it is for the game that begins next, and a
// restart begins another.
func boundTo(t *testing.T, u wire.Update) string {
	t.Helper()
	if u.Proof == nil {
		return ""
	}
	p := *u.Proof
	if u.View.Phase == engine.PhaseLobby {
		p.Game, p.Seed = 0, nil
	}
	if reflect.ValueOf(p).IsZero() {
		return ""
	}
	return asJSON(t, p)
}

// TestPhonesCheckTheDeal plays evenings with undone steps and restarts. Each update can be checked by its phone, and
// opens what its view says and nothing else; the root of a deal stays the same. The head changes only when something
// has happened in public, or is undone.
func TestPhonesCheckTheDeal(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		opened, read, virtual := 0, 0, 0
		for seed := range uint64(eveningCount(12, 1000)) {
			e := newEvening(t, g, newMemory(), seed)
			e.addsToSeed = seed%2 == 1
			d, mystery := &deals{}, map[string]bool{}
			for _, n := range e.books[0].Names() {
				if n.Kind == "suspect" || n.Kind == "weapon" || n.Kind == "room" {
					mystery[string(n.ID)] = true
				}
			}
			e.seatAndBegin(g.players(seed))
			for n := range 150 {
				if n%40 == 39 {
					was := boundTo(t, e.last().Public)
					if e.start(); boundTo(t, e.last().Public) != was {
						t.Fatalf("seed %d: after a restart the table is committed to something else", seed)
					}
				}
				from := len(e.steps)
				e.play()
				for _, s := range e.steps[from:] {
					head, last := "", s.Public.View.LastHappeningNumber()
					if s.Public.Proof != nil {
						head = s.Public.Proof.Head
					}
					if head != d.head && d.head != "" && last == d.at {
						t.Fatalf("seed %d: the head changes although nothing has happened in public", seed)
					}
					d.head, d.at = head, last
				}
				last := e.last()
				for _, u := range append(last.UpdatesToSeal(nil), last.Public) {
					if e.core().scene == nil && u.View.Viewer != engine.Overseer.String() {
						d.check(t, seed, &u, &e.core().commitment, mystery)
					}
				}
			}
			if k := e.core().commitment; len(k.leaves) > 0 && !k.leaves[0].read {
				virtual++
			}
			opened, read = opened+d.opened, read+d.read
		}
		t.Logf("%d openings checked, %d of them of cards that were read by hand; %d evenings dealt by the machine", opened, read, virtual)
		if opened < 1000 || virtual == 0 || g.id != "huis-clos" && read == 0 {
			t.Error("too little was checked")
		}
	})
}

// TestEveryCardOfTheDealHasALeaf: what the machine deals is committed to at once and completely, in an order that does
// not depend on the deal; a seat is opened its own hand, the public nothing.
func TestEveryCardOfTheDealHasALeaf(t *testing.T) {
	var items []string
	for seed := range uint64(3) {
		e := newEvening(t, games[1], newMemory(), seed)
		for i, who := range byKind(e.books[0])["suspect"][:4] {
			e.mustAct(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", numberedName("P", i), "character", who)
		}
		e.mustAct(engine.Host, "begin")
		if p := e.last().Public.Proof; p != nil && p.Root != "" {
			t.Fatal("there is a root before the deal")
		}
		e.mustAct(engine.Host, "deal")
		k := &e.core().commitment
		if n := e.last().Public.Proof.Game; n == 0 || n != e.core().gameID {
			t.Errorf("this is not game %d", n)
		}
		var now []string
		for _, l := range k.leaves {
			now = append(now, l.fact.Item)
		}
		if items == nil {
			items = now
		}
		if len(now) != 24 || !slices.Equal(now, items) || !slices.IsSorted(now) {
			t.Errorf("the leaves are those of %v", now)
		}
		for _, u := range e.last().SeatUpdates() {
			if len(u.Opened) != len(u.View.Me.Hand) || len(u.Opened) == 0 {
				t.Errorf("%s has %d cards and %d openings", u.View.Viewer, len(u.View.Me.Hand), len(u.Opened))
			}
		}
		if len(e.last().Public.Opened) > 0 || len(e.last().Host.Opened) > 0 {
			t.Error("the public or the host is shown the deal")
		}
	}
}

// TestRolesDrawnAgain: when the machine draws the roles after cards were read, every seat gets a new leaf. A leaf that was kept would
// show that its seat has the role that it had before (HC-005).
func TestRolesDrawnAgain(t *testing.T) {
	e := newEvening(t, games[0], newMemory(), 0)
	e.seatAndBegin(4)
	presentCards(e.rig, engine.ReaderShow, "role-innocent-1")
	presentCards(e.rig, engine.ReaderShow, "role-innocent-2")
	read := e.core().commitment.leaves
	if len(read) != 2 {
		t.Fatalf("%d leaves of two roles that were read", len(read))
	}
	e.mustAct(engine.Host, "draw-roles")
	drawn := e.core().commitment.leaves
	if len(drawn) != 4 {
		t.Fatalf("%d leaves of four roles", len(drawn))
	}
	for _, l := range read {
		if slices.ContainsFunc(drawn, func(now dealLeaf) bool { return now.hash == l.hash }) {
			t.Errorf("%s keeps its leaf", l.fact.Item)
		}
	}
}

// TestEveningsWithoutSalts: a game that an older version has begun goes on, and commits to nothing: what it would show later
// could not be proved. The next one, with the same players, can.
func TestEveningsWithoutSalts(t *testing.T) {
	m := newMemory()
	e := newEvening(t, games[1], m, 0)
	e.seatAndBegin(3)
	for i, row := range m.events[1] {
		m.events[1][i].Command = []byte(strings.Replace(string(row.Command), `"salt":`, `"was":`, 1))
	}
	e.start()
	if p := e.last().Public.Proof; p != nil {
		t.Errorf("the table is committed to %+v", p)
	}
	for range 20 {
		if e.play(); e.last().Public.Proof != nil {
			t.Fatalf("the table is committed to %+v", e.last().Public.Proof)
		}
	}
	e.mustAct(engine.Host, actNewGame, "game", string(e.id), "seats", "keep")
	e.mustAct(engine.Host, "begin")
	codes, err := ProveEvening(e.books[0], exportedEvening(t, e.books[0], m))
	if p := e.last().Public.Proof; err != nil || p == nil || !slices.Contains(codes.Heads, p.Head) {
		t.Errorf("the next evening: %+v, %v", p, err)
	}
}

// TestTheNextGameHasItsOwnSalts: the seats that the next game keeps are committed to with other salts, which are not in the
// script of the last evening.
func TestTheNextGameHasItsOwnSalts(t *testing.T) {
	m := newMemory()
	e := newEvening(t, games[1], m, 0)
	e.seatAndBegin(3)
	first := exportedEvening(t, e.books[0], m)
	e.mustAct(engine.Host, actNewGame, "game", string(e.id), "seats", "keep")
	for i, p := range exportedEvening(t, e.books[0], m).Played {
		if was := first.Played[i]; p.Command.Act != was.Command.Act || p.Salt == was.Salt || len(p.Salt) == 0 {
			t.Errorf("command %d, %s, has the salt of %s", i+1, p.Command.Act, was.Command.Act)
		}
	}
}

// TestOrderOfReadingStaysSecret: the index of a leaf of a card that was read by hand shows when it was read, so only its
// own seat is given its opening, and all that of the envelope. A card that the machine has dealt is opened to all who
// have seen it.
func TestOrderOfReadingStaysSecret(t *testing.T) {
	card := engine.DealFact{Item: "weapon-corde", Value: "seat-2"}
	solution := engine.DealFact{Item: "room-spa", Value: engine.InEnvelope}
	shown := &engine.Sighting{How: engine.SawShown, Other: 2, Cards: []engine.ID{"weapon-corde"}}
	v := engine.View{Case: &engine.Case{}, Result: &engine.Result{Solution: []engine.ID{"room-spa"}}, Viewer: "seat-1",
		Me: &engine.Own{Seat: 1, Seen: []*engine.Sighting{shown}}}
	own := engine.View{Case: v.Case, Viewer: "seat-2", Me: &engine.Own{Seat: 2, Hand: []engine.CardView{{Card: "weapon-corde"}}}}
	facts := func(k *commitment, v *engine.View) (all []string) {
		for _, o := range k.openingsFor(v) {
			all = append(all, o.Fact)
		}
		return all
	}
	dealt := &commitment{leaves: []dealLeaf{newDealLeaf(card, proof.Salt{}, false), newDealLeaf(solution, proof.Salt{}, false)}}
	read := &commitment{leaves: []dealLeaf{newDealLeaf(card, proof.Salt{}, true), newDealLeaf(solution, proof.Salt{}, true)}}
	for _, c := range []struct {
		of   *commitment
		to   *engine.View
		want []string
	}{
		{dealt, &v, []string{card.String(), solution.String()}},
		{read, &v, []string{solution.String()}},
		{dealt, &own, []string{card.String()}},
		{read, &own, []string{card.String()}},
	} {
		if got := facts(c.of, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s is opened %v, not %v", c.to.Viewer, got, c.want)
		}
	}
}
