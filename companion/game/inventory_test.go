package game

import (
	"maps"
	"slices"
	"testing"

	"majordome/companion/master/box"
	"majordome/companion/wire"
	"majordome/engine"
)

// boxBook is the toy game with a small deck.
type boxBook struct{ toyBook }

func (boxBook) Names() engine.Names {
	return engine.Names{
		{ID: "character-a", Kind: "character"}, {ID: "role-1", Kind: "role-card"}, {ID: "role-2", Kind: "role-card"},
		{ID: "place-a", Kind: "place"},
		{ID: "weapon-1", Kind: "weapon"}, {ID: "clue-1", Kind: "clue"}, {ID: "clue-2", Kind: "clue"},
		{ID: "clue-3", Kind: "clue", Untagged: true},
		{ID: "accusation-1", Kind: "accusation-card"}, {ID: "accusation-2", Kind: "accusation-card"},
	}
}

func rigWithBox(t *testing.T, enrolled ...engine.ID) *rig {
	r := newRig(t, newMemory(), boxBook{toyBook{"toy"}})
	r.core().Enrolled = enrolled
	r.mustAct(engine.Host, "sit")
	return r
}

func presentCards(r *rig, reader string, cards ...string) {
	r.core().presentTags(r.clock.at, reader, tags(cards...))
}

// In a check of the box each card counts once, at whichever reader it is read, and none reaches the game.
func TestBoxCheck(t *testing.T) {
	r := rigWithBox(t)
	if o, ok := hostOffer(r.last(), box.ActCheck); !ok || o.Fixed["on"] != yes || !o.Aside || r.last().Host.Box != nil {
		t.Errorf("offer %+v, box %+v", o, r.last().Host.Box)
	}
	before := comparableState(t, r.last())
	r.mustAct(engine.Host, box.ActCheck, "on", yes)
	shown := func() string { return asJSON(t, r.last().Host.Box) }
	want := func(b wire.BoxCheck) {
		t.Helper()
		if shown() != asJSON(t, b) {
			t.Errorf("box\n%s\nwant\n%s", shown(), asJSON(t, b))
		}
	}
	kinds := func(roles, weapons, clues int) []wire.KindCount {
		return []wire.KindCount{
			{Kind: "role-card", Seen: roles, Of: 2},
			{Kind: "weapon", Seen: weapons, Of: 1},
			{Kind: "clue", Seen: clues, Of: 2},
		}
	}
	want(wire.BoxCheck{Kinds: kinds(0, 0, 0), Missing: []engine.ID{"role-1", "role-2", "weapon-1", "clue-1", "clue-2"}})
	for _, c := range []struct {
		reader string
		cards  []string
		signal string
	}{
		{engine.ReaderUrn, []string{"clue-2"}, signalAccepted}, // answered without the usual delay: 47 cards have to be counted
		{engine.ReaderShow, []string{"role-2"}, signalAccepted},
		{engine.ReaderShow, []string{"weapon-1", "role-2"}, signalAccepted}, // weapon-1 is still on the reader
		{engine.ReaderUrn, []string{"clue-2"}, signalAccepted},
		{engine.ReaderUrn, []string{"?bank"}, signalAgain},
		{engine.ReaderUrn, []string{"?bank"}, signalAgain},
		{engine.ReaderUrn, []string{"?badge", "clue-1"}, signalAccepted},
		{engine.ReaderUrn, nil, ""}, // the noise of a card that falls
	} {
		n := len(r.steps)
		presentCards(r, c.reader, c.cards...)
		got := ""
		if say := r.last().Public.Notice; say != nil {
			got = say.Signal
		}
		if len(r.steps) != n+1 || got != c.signal {
			t.Errorf("%v at %s: %d steps, signal %q", c.cards, c.reader, len(r.steps)-n, got)
		}
	}
	want(wire.BoxCheck{Kinds: kinds(1, 1, 2), Missing: []engine.ID{"role-1"}, Last: "clue-1", Foreign: 2})
	if comparableState(t, r.last()) != before {
		t.Error("a card has reached the game")
	}
	for _, u := range append(r.last().SeatUpdates(), r.last().Public) {
		if u.ForHost != nil {
			t.Errorf("%s sees the inventory", u.View.Viewer)
		}
	}
	if o, _ := hostOffer(r.last(), box.ActCheck); o.Fixed["on"] != no {
		t.Errorf("offer %+v", o)
	}
	r.mustAct(engine.Host, box.ActCheck, "on", no)
	if r.last().Host.Box != nil {
		t.Error("the inventory is still open")
	}
}

// GEN-E08: a card marked "no tag" is not missing. A kind that need not have tags is expected as soon as one card of
// it has a tag.
func TestBoxExpectsWhatHasTags(t *testing.T) {
	r := rigWithBox(t, "accusation-2", "clue-1")
	r.mustAct(engine.Host, box.ActCheck, "on", yes)
	missing := r.last().Host.Box.Missing
	want := []engine.ID{"role-1", "role-2", "weapon-1", "clue-1", "clue-2", "accusation-1", "accusation-2"}
	if !slices.Equal(missing, want) {
		t.Errorf("missing %v", missing)
	}
	presentCards(r, engine.ReaderShow, "clue-3") // this card has a tag after all
	if k := r.last().Host.Box.Kinds[2]; k.Seen != 1 || k.Of != 3 {
		t.Errorf("%+v", k)
	}
	for i := range 200 {
		r.core().presentTags(r.clock.at, engine.ReaderUrn, []Tag{{UID: string(rune('a' + i))}})
	}
	if n := r.last().Host.Box.Foreign; n != 64 {
		t.Errorf("%d foreign tags are remembered", n)
	}
}

// The boxes as sold: 39 clues and 8 roles (facts of Huis Clos), 24 mystery cards and 24 Intrigue cards (C8, part 1).
// The check names the card that was left out.
func TestBoxesAreWhole(t *testing.T) {
	want := map[engine.ID]map[engine.ID]int{
		"huis-clos":   {"role-card": 8, "weapon": 7, "clue": 32},
		"cluedo-2008": {"suspect": 6, "weapon": 9, "room": 9, "time-card": 8, "butler-card": 16},
	}
	forEachGame(t, func(t *testing.T, g game) {
		r := newRig(t, newMemory(), g.book(t))
		r.mustAct(engine.Host, box.ActCheck, "on", yes)
		missing := r.last().Host.Box.Missing
		for _, card := range missing[1:] {
			presentCards(r, engine.ReaderShow, string(card))
		}
		box := r.last().Host.Box
		if !slices.Equal(box.Missing, missing[:1]) {
			t.Errorf("missing %v, want %v", box.Missing, missing[:1])
		}
		of := map[engine.ID]int{}
		for _, k := range box.Kinds {
			of[k.Kind] = k.Of
		}
		if !maps.Equal(of, want[g.id]) {
			t.Errorf("the box holds %v, want %v", of, want[g.id])
		}
	})
}

// The check belongs to the lobby: beginning this game or setting up another one ends it.
func TestBoxCheckEnds(t *testing.T) {
	r := rigWithBox(t)
	r.mustAct(engine.Host, box.ActCheck, "on", yes)
	r.mustAct(engine.Host, "sit")
	if r.last().Host.Box == nil {
		t.Fatal("somebody sat down, and the check ended")
	}
	r.mustAct(engine.Host, "begin")
	if r.last().Host.Box != nil {
		t.Error("open during a game")
	}
	if _, ok := hostOffer(r.last(), box.ActCheck); ok {
		t.Error("offered during a game")
	}
	if out := r.act(engine.Host, box.ActCheck, "on", yes); out.OK || out.Reject.Why.Key != "table.box.lobby" {
		t.Errorf("%+v", out)
	}
	r.dropInUrn("card-1")
	if r.last().Public.View.Urn != 1 {
		t.Error("a card does not reach the game")
	}
	r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("card-2")) // read just before the new game
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	r.mustAct(engine.Host, box.ActCheck, "on", yes)
	r.passTime(defaultUrnWindow)
	if b := r.last().Host.Box; b == nil || b.Last != "" {
		t.Errorf("a card of the former game: %+v", b)
	}
	if out := r.act(engine.Host, box.ActCheck, "on", "maybe"); out.OK {
		t.Error("neither yes nor no")
	}
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	if r.last().Host.Box != nil {
		t.Error("open in the next game")
	}
	if out := r.act(engine.SeatViewer(1), box.ActCheck, "on", yes); out.OK || out.Reject.Why.Key != "table.not-host" {
		t.Errorf("by a seat: %+v", out)
	}
}
