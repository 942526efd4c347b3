package game

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/master/box"
	"majordome/companion/master/hold"
	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// deckEditor changes the labels of a deck. It counts the saves, and they fail while fail is set.
type deckEditor struct {
	deck  deck.Deck
	fail  bool
	saves int
}

// deckChange returns a DeckChange that applies do to the deck.
func (s *deckEditor) deckChange(do func(deck.Deck) (deck.Deck, *engine.Reject)) DeckChange {
	return func(engine.ID, bool) (engine.Rulebook, func() error, *engine.Reject) {
		d, r := do(s.deck)
		if r != nil {
			return nil, nil, r
		}
		b, err := d.NewRulebook()
		if err != nil {
			panic(err)
		}
		return b, func() error {
			if s.fail {
				return &store.Error{Trouble: store.Full, Cause: errors.New("no")}
			}
			s.deck, s.saves = d, s.saves+1
			return nil
		}, nil
	}
}

// relabel gives one thing another name.
func (s *deckEditor) relabel(id engine.ID, fr, en string) DeckChange {
	return s.deckChange(func(d deck.Deck) (deck.Deck, *engine.Reject) { return d.WithLabel(id, engine.T(fr, en)) })
}

func nameInBook(t *testing.T, b engine.Rulebook, id engine.ID) engine.Name {
	t.Helper()
	ns := b.Names()
	i := slices.IndexFunc(ns, func(n engine.Name) bool { return n.ID == id })
	if i < 0 {
		t.Fatalf("no %s", id)
	}
	return ns[i]
}

// facts.md: the owner may rename places, weapons, characters and clues at any time. The running game continues
// unchanged, and no step is shown for it.
func TestRename(t *testing.T) {
	e := newEvening(t, games[0], newMemory(), 3)
	lib := &deckEditor{deck: huisclos.DefaultDeck()}
	e.seatAndBegin(4)
	for range 40 {
		e.play()
	}
	if e.last().Public.View.Phase == "lobby" {
		t.Fatal("the game has not begun")
	}
	e.passTime(time.Millisecond)
	e.core().publish(notices{})
	before, clock, writes, rev := comparableState(t, e.last()), e.core().gameTime(), e.journal.(*memory).writes, e.last().Rev
	change := func(book engine.ID, lobby bool) (engine.Rulebook, func() error, *engine.Reject) {
		if book != "huis-clos" || lobby {
			t.Errorf("%s is changed, in the lobby: %v", book, lobby)
		}
		return lib.relabel("place-4", "Véranda", "Conservatory")(book, lobby)
	}
	if no := e.core().changeDeck(change); no != nil {
		t.Fatal(no)
	}
	if e.last().Rev != rev {
		t.Error("a new name makes a step")
	}
	e.core().publish(notices{})
	if comparableState(t, e.last()) != before || e.core().gameTime() != clock || e.journal.(*memory).writes != writes {
		t.Error("a new name has changed the game")
	}
	if got := nameInBook(t, e.core().book, "place-4").Text; got.FR != "Véranda" || got.EN != "Conservatory" || lib.saves != 1 {
		t.Errorf("%+v, kept %d times", got, lib.saves)
	}
	if no := e.core().changeDeck(lib.relabel("place-4", "", "x")); no == nil || no.Why.Key != "table.deck.empty" || lib.saves != 1 {
		t.Errorf("%+v, kept %d times", no, lib.saves)
	}
	lib.fail = true
	if no := e.core().changeDeck(lib.relabel("place-4", "Serre", "Hothouse")); no == nil || no.Why.Key != "table.deck.store" {
		t.Errorf("%+v", no)
	}
	if nameInBook(t, e.core().book, "place-4").Text.FR != "Véranda" {
		t.Error("a name that is not on disk is shown")
	}
	lib.fail = false
	e.mustAct(engine.Host, hold.ActPause)
	if no := e.core().changeDeck(lib.relabel("place-4", "Serre", "Hothouse")); no == nil ||
		no.Why.Key != "table.paused.host" || lib.saves != 1 {
		t.Errorf("in a pause: %+v, kept %d times", no, lib.saves)
	}
	e.mustAct(engine.Host, hold.ActResume)
	for range 40 {
		e.play() // the evening can be played on
	}
}

// HC-A02: before a game the owner pairs weapons with places, publicly.
func TestOwnerPairsWeaponsWithPlaces(t *testing.T) {
	r := newRig(t, newMemory(), huisClos(t))
	lib := &deckEditor{deck: huisclos.DefaultDeck()}
	r.mustAct(engine.Host, "sit", "seat", "seat-1", "name", "Anne", "character", "character-peely")
	weapons := func() (all []engine.ID) {
		for _, p := range r.last().Public.View.Places {
			all = append(all, p.Weapon)
		}
		return all
	}
	pair := func(book engine.ID, lobby bool) (engine.Rulebook, func() error, *engine.Reject) {
		if book != "huis-clos" || !lobby {
			t.Errorf("%s is changed, in the lobby: %v", book, lobby)
		}
		return lib.deckChange(func(d deck.Deck) (deck.Deck, *engine.Reject) {
			return d.(deck.WeaponDeck).WithSwappedWeapon("place-salon", "weapon-3")
		})(book, lobby)
	}
	if no := r.core().changeDeck(pair); no != nil {
		t.Fatal(no)
	}
	said := r.last().Public.Notice
	if w := weapons(); w[1] != "weapon-3" || w[2] != "weapon-tisonnier" || said == nil || said.Msg.Key != "table.deck.changed" ||
		len(r.last().SeatUpdates()) != 1 {
		t.Errorf("%v, %+v", w, said)
	}
	if nameInBook(t, r.core().book, "weapon-3").Of != "place-salon" {
		t.Error("the names show another place")
	}
	r.mustAct(engine.Host, actNewGame, "game", "huis-clos", "seats", "keep")
	if w := weapons(); w[1] != "weapon-3" {
		t.Errorf("the next game forgets: %v", w)
	}
	r.core().changeDeck(lib.deckChange(func(deck.Deck) (deck.Deck, *engine.Reject) { return huisclos.DefaultDeck(), nil }))
	if w := weapons(); w[1] != "weapon-tisonnier" {
		t.Errorf("%v", w)
	}
}

// CC-030: before a game the owner defines what the clue cards do. The game on the table gets the new rulebook, and
// nothing is written for that.
func TestRewrite(t *testing.T) {
	g := games[1]
	g.book = func(t testing.TB) engine.Rulebook {
		return rulebook(t, func() (engine.Rulebook, error) { return cluedo.New(cluedo.DefaultDeck("cluedo-classic")) })
	}
	e := newEvening(t, g, newMemory(), 3)
	lib := &deckEditor{deck: cluedo.DefaultDeck("cluedo-classic")}
	e.mustAct(engine.Host, "sit", "seat", "seat-1", "name", "Anne", "character", "suspect-rose")
	writes := e.journal.(*memory).writes
	rewrite := func(does engine.Effect) *engine.Reject {
		return e.core().changeDeck(lib.deckChange(func(d deck.Deck) (deck.Deck, *engine.Reject) {
			return d.(deck.ClueDeck).WithClueEffect("clue-card-4", does)
		}))
	}
	mine := engine.Effect{Kind: "show", Who: "next", What: "choice", To: "active"}
	if no := rewrite(mine); no != nil {
		t.Fatal(no)
	}
	if got := nameInBook(t, e.core().book, "clue-card-4").Does; *got != mine || lib.saves != 1 {
		t.Errorf("%+v, kept %d times", got, lib.saves)
	}
	other := mine
	other.What = "room-salon"
	if no := rewrite(other); no == nil || no.Why.Key != "table.deck.clue.what" || lib.saves != 1 {
		t.Errorf("%+v, kept %d times", no, lib.saves)
	}
	if e.journal.(*memory).writes != writes {
		t.Error("what a card does has changed the game")
	}
}

// longLinksDesk gives links as long as those of a table with a long address.
type longLinksDesk struct{ desk }

func (longLinksDesk) RefreshInvites(seats []engine.Seat) (all []wire.Invite) {
	for _, s := range seats {
		all = append(all,
			wire.Invite{Seat: s, URL: "http://a-table-with-a-long-name.house.example:8080/#j=" + strings.Repeat("x", 22), Joined: true})
	}
	return all
}

// The host's largest view is the one before a game, with seats, links, and a box of which no card has been found. It
// must fit.
func TestLargestHostViewFits(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		e := newEvening(t, g, newMemory(), 1)
		e.core().Desk = &longLinksDesk{}
		for _, n := range e.books[0].Names() {
			e.core().Enrolled = append(e.core().Enrolled, n.ID)
		}
		for i, who := range byKind(e.books[0])[g.who][:g.most] {
			e.mustAct(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", numberedName(strings.Repeat("<", 24), i),
				"character", who)
		}
		e.mustAct(engine.Host, box.ActCheck, "on", yes)
		size := len(asJSON(t, fullUpdate(e.last().Host)))
		t.Logf("%d bytes of %d, %d cards missing", size, seal.ViewSize-4, len(e.last().Host.Box.Missing))
		if size > seal.ViewSize-4 || len(e.last().Host.Box.Missing) < len(e.cards) {
			t.Errorf("%d bytes, at most %d; %d missing", size, seal.ViewSize-4, len(e.last().Host.Box.Missing))
		}
	})
}
