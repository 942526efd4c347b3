package table

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// shelf is a library in memory.
type shelf struct {
	deck deck.Deck
	own  bool
	fail bool
	kept int
}

func (s *shelf) Edit(_ engine.ID, e Edit) (engine.Rulebook, func() error, *engine.Reject) {
	d, r := deck.Deck(huisclos.DefaultDeck()), (*engine.Reject)(nil)
	switch {
	case e.Weapon != "":
		d, r = s.deck.(deck.Pairer).Paired(e.Place, e.Weapon)
	case e.Does != nil:
		d, r = s.deck.(deck.Clued).Rewritten(e.ID, *e.Does)
	case len(e.Labels) > 0:
		d = s.deck
		for _, n := range e.Labels {
			if d, r = d.Renamed(n.ID, n.Text); r != nil {
				break
			}
		}
	case !e.Reset:
		d, r = s.deck.Renamed(e.ID, e.Label)
	}
	if r != nil {
		return nil, nil, r
	}
	b, err := d.Book()
	if err != nil {
		panic(err)
	}
	return b, func() error {
		if s.fail {
			return &store.Error{Trouble: store.Full, Cause: errors.New("no")}
		}
		s.deck, s.own, s.kept = d, !e.Reset, s.kept+1
		return nil
	}, nil
}

func (s *shelf) Clues(engine.ID) []engine.Param {
	if d, ok := s.deck.(deck.Clued); ok {
		return d.Clues()
	}
	return nil
}

func (s *shelf) Own(engine.ID) bool { return s.own }
func (s *shelf) MaxLabel() int      { return deck.MaxName }

func named(t *testing.T, b engine.Rulebook, id engine.ID) engine.Name {
	t.Helper()
	ns := b.Names()
	i := slices.IndexFunc(ns, func(n engine.Name) bool { return n.ID == id })
	if i < 0 {
		t.Fatalf("no %s", id)
	}
	return ns[i]
}

// facts.md: the owner names places, weapons, characters and clues at any time, and
// the game that is on goes on as it stood.
func TestRename(t *testing.T) {
	e := newEvening(t, games[0], newMemory(), 3)
	lib := &shelf{deck: huisclos.DefaultDeck()}
	e.sit(4)
	for range 40 {
		e.play()
	}
	e.core().Library = lib
	if e.last().Public.View.Phase == "lobby" {
		t.Fatal("the game has not begun")
	}
	e.pass(time.Millisecond)
	e.core().publish(notices{})
	o, ok := hostOffer(e.last(), actRename)
	if !ok || !o.Aside || len(o.Params[0].Domain) != 7+7+8+32 || o.Params[1].Max != deck.MaxName {
		t.Fatalf("offer %+v", o)
	}
	before, clock, writes := state(t, e.last()), e.core().now(), e.journal.(*memory).writes
	e.must(engine.Host, actRename, "id", "place-4", "fr", "Véranda", "en", "Conservatory")
	if state(t, e.last()) != before || e.core().now() != clock || e.journal.(*memory).writes != writes {
		t.Error("a new name has changed the game")
	}
	if got := named(t, e.core().book, "place-4").Text; got.FR != "Véranda" || got.EN != "Conservatory" || lib.kept != 1 {
		t.Errorf("%+v, kept %d times", got, lib.kept)
	}
	for _, bad := range []struct{ id, fr, en, key string }{
		{"place-4", "", "x", "table.deck.empty"}, {"place-4", "x", strings.Repeat("x", 49), "table.deck.long"},
		{"place-44", "x", "x", "table.deck.unknown"}, {"", "x", "x", "table.deck.unknown"},
	} {
		if out := e.act(engine.Host, actRename, "id", bad.id, "fr", bad.fr, "en", bad.en); out.OK || out.Reject.Why.Key != bad.key {
			t.Errorf("%+v: %+v", bad, out)
		}
	}
	for _, act := range []string{actPair, actReset} {
		if _, ok := hostOffer(e.last(), act); ok {
			t.Errorf("%s is offered while weapons can kill", act)
		}
		if out := e.act(engine.Host, act, "place", "place-3", "weapon", "weapon-4"); out.OK || out.Reject.Why.Key != "table.deck.lobby" {
			t.Errorf("%s: %+v", act, out)
		}
	}
	lib.fail = true
	if out := e.act(engine.Host, actRename, "id", "place-4", "fr", "Serre", "en", "Hothouse"); out.OK || out.Reject.Why.Key != "table.deck.store" {
		t.Errorf("%+v", out)
	}
	if named(t, e.core().book, "place-4").Text.FR != "Véranda" {
		t.Error("a name that is not on disk is shown")
	}
	if out := e.act(engine.At(1), actRename, "id", "place-4", "fr", "a", "en", "b"); out.OK {
		t.Error("a seat has renamed a place")
	}
	lib.fail = false
	for range 40 {
		e.play() // goes on
	}
}

// HC-A02: before a game the owner says which weapon belongs to which place.
func TestPairAndReset(t *testing.T) {
	r := newRig(t, newMemory(), huisClos(t))
	if _, ok := hostOffer(r.last(), actRename); ok {
		t.Error("offered without a library")
	}
	if out := r.act(engine.Host, actReset); out.OK {
		t.Error("reset without a library")
	}
	r.core().Library = &shelf{deck: huisclos.DefaultDeck()}
	r.must(engine.Host, "sit", "seat", "seat-1", "name", "Anne", "character", "character-peely")
	if _, ok := hostOffer(r.last(), actReset); ok {
		t.Error("a reset of nothing is offered")
	}
	o, ok := hostOffer(r.last(), actPair)
	if !ok || len(o.Params) != 2 || len(o.Params[0].Domain) != 7 || len(o.Params[1].Domain) != 7 {
		t.Fatalf("offer %+v", o)
	}
	weapons := func() (all []engine.ID) {
		for _, p := range r.last().Public.View.Places {
			all = append(all, p.Weapon)
		}
		return all
	}
	r.must(engine.Host, actPair, "place", "place-salon", "weapon", "weapon-3")
	if w := weapons(); w[1] != "weapon-3" || w[2] != "weapon-tisonnier" || r.last().Public.Notice == nil || len(r.last().Seats()) != 1 {
		t.Errorf("%v", w)
	}
	if named(t, r.core().book, "weapon-3").Of != "place-salon" {
		t.Error("the names tell another place")
	}
	if out := r.act(engine.Host, actPair, "place", "place-salon"); out.OK {
		t.Error("a pair without a weapon")
	}
	r.must(engine.Host, actNewGame, "game", "huis-clos", "seats", "keep")
	if w := weapons(); w[1] != "weapon-3" {
		t.Errorf("the next game forgets: %v", w)
	}
	if o, ok := hostOffer(r.last(), actReset); !ok || !o.Grave {
		t.Errorf("offer %+v", o)
	}
	r.must(engine.Host, actReset)
	if w := weapons(); w[1] != "weapon-tisonnier" {
		t.Errorf("%v", w)
	}
}

// CC-030: before a game the owner says what the clue cards do; a game is played with what they said.
func TestRewrite(t *testing.T) {
	g := games[1]
	g.book = func(t testing.TB) engine.Rulebook {
		return rulebook(t, func() (engine.Rulebook, error) { return cluedo.New(cluedo.DefaultDeck("cluedo-classic")) })
	}
	e := newEvening(t, g, newMemory(), 3)
	lib := &shelf{deck: cluedo.DefaultDeck("cluedo-classic")}
	e.core().Library = lib
	e.must(engine.Host, "sit", "seat", "seat-1", "name", "Anne", "character", "suspect-rose")
	o, ok := hostOffer(e.last(), actRewrite)
	if !ok || !o.Aside || len(o.Params) != 5 || len(o.Params[0].Domain) != 29 {
		t.Fatalf("offer %+v", o)
	}
	writes := e.journal.(*memory).writes
	says := []string{"id", "clue-card-4", "kind", "show", "who", "next", "what", "choice", "to", "active"}
	e.must(engine.Host, actRewrite, says...)
	if got := named(t, e.core().book, "clue-card-4").Does; *got != (engine.Effect{Kind: "show", Who: "next", What: "choice", To: "active"}) || lib.kept != 1 {
		t.Errorf("%+v, kept %d times", got, lib.kept)
	}
	says[7] = "room-salon"
	if out := e.act(engine.Host, actRewrite, says...); out.OK || out.Reject.Why.Key != "table.deck.clue.what" || lib.kept != 1 {
		t.Errorf("%+v, kept %d times", out, lib.kept)
	}
	if e.journal.(*memory).writes != writes {
		t.Error("what a card does has changed the game")
	}
	if out := e.act(engine.At(1), actRewrite, "id", "clue-card-4", "kind", "nothing"); out.OK {
		t.Error("a seat has rewritten a card")
	}
	e.must(engine.Host, "rise", "seat", "seat-1")
	e.sit(3)
	if _, ok := hostOffer(e.last(), actRewrite); ok || e.last().Public.View.Phase == "lobby" {
		t.Error("offered during a game, or there is none")
	}
	if out := e.act(engine.Host, actRewrite, "id", "clue-card-4", "kind", "nothing"); out.OK || out.Reject.Why.Key != "table.deck.lobby.clue" || lib.kept != 1 {
		t.Errorf("%+v, kept %d times", out, lib.kept)
	}
}

// deckOf is the deck of a game as it comes.
func deckOf(g game) deck.Deck {
	if g.who == "suspect" {
		return cluedo.DefaultDeck(engine.ID(g.id))
	}
	return huisclos.DefaultDeck()
}

// links are as long as those of a table with a long address.
type links struct{ desk }

func (links) Invites(seats []engine.Seat) (all []wire.Invite) {
	for _, s := range seats {
		all = append(all, wire.Invite{Seat: s, URL: "http://a-table-with-a-long-name.house.example:8080/#j=" + strings.Repeat("x", 22), Joined: true})
	}
	return all
}

// The host's view before a game is the largest one: seats, links, all that can be
// named, and a box of which nothing has been found.
func TestLargestHostViewFits(t *testing.T) {
	each(t, func(t *testing.T, g game) {
		e := newEvening(t, g, newMemory(), 1)
		e.core().Library, e.core().Desk = &shelf{deck: deckOf(g), own: true}, &links{}
		for _, n := range e.books[0].Names() {
			e.core().Enrolled = append(e.core().Enrolled, n.ID)
		}
		for i, who := range byKind(e.books[0])[g.who][:g.most] {
			e.must(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", nth(strings.Repeat("<", 24), i), "character", who)
		}
		e.must(engine.Host, actBoxCheck, "on", yes)
		size := len(asJSON(t, fullest(e.last().Host)))
		t.Logf("%d bytes of %d, %d cards missing", size, seal.ViewSize-4, len(e.last().Host.Box.Missing))
		if size > seal.ViewSize-4 || len(e.last().Host.Box.Missing) < len(e.cards) {
			t.Errorf("%d bytes, at most %d; %d missing", size, seal.ViewSize-4, len(e.last().Host.Box.Missing))
		}
	})
}

// Another box of the same game is adopted: all of its names at once, or none, and in the lobby alone.
func TestAdopt(t *testing.T) {
	e := newEvening(t, games[0], newMemory(), 3)
	lib := &shelf{deck: huisclos.DefaultDeck()}
	e.core().Library = lib
	e.core().publish(notices{})
	adopt := func(text string) *engine.Reject {
		t.Helper()
		e.must(engine.Host, wire.ActPaste, "of", pasteNames, "at", "0", "text", text)
		return e.act(engine.Host, actAdopt).Reject
	}
	if _, ok := hostOffer(e.last(), actAdopt); !ok {
		t.Error("it is not offered")
	}
	if no := adopt("weapon-corde\tLacet\tLace\nplace-salon\tSalon bleu\tBlue room\n"); no != nil {
		t.Fatal(no)
	}
	if n := named(t, e.core().book, "weapon-corde"); n.Text != (engine.Text{FR: "Lacet", EN: "Lace"}) || named(t, e.core().book, "place-salon").Text.FR != "Salon bleu" || lib.kept != 1 {
		t.Errorf("%+v, kept %d times", n, lib.kept)
	}
	for text, why := range map[string]string{
		"weapon-corde\tFouet\tWhip\nplace-salon\t \tRoom\n": "table.deck.empty",
		"weapon-corde\tFouet\tWhip\nplace-nowhere\tA\tB\n":  "table.deck.unknown",
		"weapon-corde\tFouet\n":                             "table.paste.again",
		"":                                                  "table.paste.again",
	} {
		if no := adopt(text); no == nil || no.Why.Key != why {
			t.Errorf("%.40q: %+v, want %s", text, no, why)
		} else if named(t, e.core().book, "weapon-corde").Text.FR != "Lacet" {
			t.Errorf("%.40q is half taken", text)
		}
	}
	e.sit(4)
	for range 40 {
		e.play()
	}
	e.must(engine.Host, wire.ActPaste, "of", pasteNames, "at", "0", "text", "weapon-corde\tFouet\tWhip\n")
	if no := e.act(engine.Host, actAdopt).Reject; no == nil || no.Why.Key != "table.deck.lobby.adopt" {
		t.Errorf("in a game: %+v", no)
	}
}
