package cluedo

import (
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// withoutBoard is the current Cluedo on a board that is not drawn.
func withoutBoard(t *testing.T) *Book {
	t.Helper()
	d := DefaultDeck("cluedo-classic")
	d.Board = nil
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// beginGame is a game of n seats with these house rules, up to the deal.
func beginGame(t *testing.T, b *Book, n int, rules ...string) *table {
	t.Helper()
	p := &table{t: t, g: b.NewGame()}
	for i := 0; i < len(rules); i += 2 {
		p.mustDo(engine.Host, "switch", engine.Args{"name": rules[i], "value": rules[i+1]})
	}
	for x := engine.Seat(1); x <= engine.Seat(n); x++ {
		p.mustDo(engine.Host, "sit", engine.Args{"seat": x.String(), "name": "Guest", "character": b.cardID[x]})
	}
	p.mustDo(engine.Host, "begin", nil)
	return p
}

// CC-130 to CC-132, CC-138: how many cards are hidden in each mode, and where.
func TestCardsAreHiddenByTheMode(t *testing.T) {
	b := withoutBoard(t)
	for _, c := range []struct {
		seats, hidden int
		rules         []string
		where         string
	}{
		{3, 0, nil, ""},
		{2, 4, []string{"mode", "two-player"}, ""},
		{5, 4, []string{"mode", "team"}, ""},
		{3, 0, []string{"mode", "team", "team-hidden-cards", "two-teams-only"}, ""},
		{2, 4, []string{"mode", "team", "team-hidden-cards", "two-teams-only"}, ""},
		{2, 4, []string{"mode", "two-player", "hidden-card-rooms", "corners"}, "room-cuisine room-jardin-d-hiver room-bureau room-salon"},
	} {
		p := beginGame(t, b, c.seats, c.rules...)
		p.mustDo(engine.Host, "deal", nil)
		hidden, cards := []string{}, 0
		for _, r := range p.g.View(engine.Public).Places {
			if a := b.areaByID[string(r.Place)]; p.g.(*state).recordedFaceDownCards(a).Count() != r.Cards {
				t.Errorf("%v: of %d cards at %s the machine has laid %d", c.rules, r.Cards, r.Place,
					p.g.(*state).recordedFaceDownCards(a).Count())
			}
			if r.Cards == 1 && strings.HasPrefix(string(r.Place), "room-") {
				hidden = append(hidden, string(r.Place))
			} else if r.Cards != 0 {
				t.Errorf("%v: %d cards lie at %s", c.rules, r.Cards, r.Place)
			}
		}
		for _, s := range p.g.View(engine.Public).Seats {
			cards += s.Cards
		}
		if len(hidden) != c.hidden || cards != 18-c.hidden || c.where != "" && strings.Join(hidden, " ") != c.where {
			t.Errorf("%d seats, %v: %v hold a card, hands %d", c.seats, c.rules, hidden, cards)
		}
		if err := p.g.(*state).CheckInvariants(); err != nil {
			t.Errorf("%v: %v", c.rules, err)
		}
	}
}

// CC-130: a deck without four corners leaves it to the table which rooms hide a card.
func TestWithoutFourCornersRoomsAreChosen(t *testing.T) {
	b := withoutBoard(t)
	for _, room := range []string{"room-cuisine", "room-bureau"} {
		b.passageTo[b.areaByID[room]] = 0
	}
	p := beginGame(t, b, 2, "mode", "two-player", "hidden-card-rooms", "corners")
	if n := p.g.(*state).faceDownCount[0]; n != 4 {
		t.Errorf("%d rooms are left to be chosen", n)
	}
}

// CC-130: no card is hidden in a place without one, even if a passage leads there.
func TestOnlyRoomsHideCards(t *testing.T) {
	d := DefaultDeck("cluedo-classic")
	d.Board = nil
	d.Places = append(d.Places, Room{ID: "hall", FR: "Hall", EN: "Hall", Passage: "room-salon"})
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	p := beginGame(t, b, 2, "mode", "two-player", "hidden-card-rooms", "corners")
	if s := p.g.(*state); s.faceDownCount[0] != 0 || s.faceDownCount[b.areaByID["hall"]] != 0 {
		t.Errorf("of the corners cards lie at %v", s.faceDownCount)
	}
	p = beginGame(t, b, 2, "mode", "two-player")
	if _, r := p.try(engine.Host, "hide", engine.Args{"place": "hall"}); r == nil || r.Code != engine.Forbidden {
		t.Errorf("a card in the Hall: %v", r)
	}
	s := p.g.(*state).copyState()
	s.seats[1].cards--
	for _, h := range s.listHolders() {
		if h.Name == "hall" {
			t.Errorf("a card that was missing is looked for in the Hall: %+v", h)
		}
	}
}

// CC-130: chance hides the cards in four rooms, whatever it draws, and no more than there are, whatever is stored.
func TestChanceHidesInFourRooms(t *testing.T) {
	b := withoutBoard(t)
	g := beginGame(t, b, 2, "mode", "two-player").g
	for seed := range uint64(20) {
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: "hide"}, chance.New(seed))
		if r != nil {
			t.Fatal(r)
		}
		more := &event{kind: evHidden, pos: pos{area: 1}}
		was, s := g.Apply(evs...).(*state), g.Apply(append(evs, more)...).(*state)
		if s.faceDownCount != was.faceDownCount || s.faceDownCount[0] != 0 || slices.Max(s.faceDownCount[1:]) != 1 {
			t.Errorf("seed %d: %v, and with a fifth one %v", seed, was.faceDownCount, s.faceDownCount)
		}
	}
}

// CC-133, CC-134: only the seat itself sees a hidden card that it looks at, and the card stays in its place. The look comes before the
// hypothesis, once in a turn.
func TestALookAtAHiddenCard(t *testing.T) {
	b := withoutBoard(t)
	p := beginGame(t, b, 2, "mode", "two-player")
	for _, room := range []string{"room-entree", "room-bureau", "room-salon", "room-bibliotheque"} {
		p.mustDo(engine.Host, "hide", engine.Args{"place": room})
	}
	p.mustDo(engine.Host, "deal", nil)
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "3+4"})
	p.mustDo(engine.SeatViewer(1), "move", engine.Args{"to": "room-entree"})
	if _, r := p.try(engine.SeatViewer(1), "hypothesis", engine.Args{"suspect": "suspect-rose", "weapon": "weapon-corde"}); r == nil ||
		r.Rule != "CC-134" {
		t.Errorf("a hypothesis before the look: %v", r)
	}
	p.mustDo(engine.SeatViewer(1), "look", nil)
	v, other := p.g.View(engine.SeatViewer(1)), p.g.View(engine.SeatViewer(2))
	if len(v.Me.Seen) != 1 || v.Me.Seen[0].Place != "room-entree" || !slices.Equal(v.Me.Tray, v.Me.Seen[0].Cards) ||
		len(other.Me.Seen)+len(other.Me.Tray) != 0 {
		t.Errorf("who looks sees %v, tray %v; the other one %v", v.Me.Seen, v.Me.Tray, other.Me.Seen)
	}
	at := slices.IndexFunc(v.Places, func(r engine.PlaceView) bool { return r.Place == "room-entree" })
	if v.Places[at].Cards != 1 || v.Case.Step != engine.StepAct {
		t.Errorf("%d cards lie there after it, the turn is at %q", v.Places[at].Cards, v.Case.Step)
	}
}

// CC-130, GEN-E13: a reader may read the hidden cards as they are put down, room by room, after those of the envelope; or it does not. A
// card that is on record elsewhere raises the alarm.
func TestHiddenCardsAreRead(t *testing.T) {
	p := beginGame(t, withoutBoard(t), 2, "mode", "two-player", "hidden-card-rooms", "corners")
	read := func(card string) *engine.Reject {
		p.at += 3000
		evs, r := p.try(engine.Public, engine.ActScan, engine.Args{"reader": engine.ReaderShow, "cards": card})
		if r == nil {
			p.g = p.g.Apply(evs...)
		}
		return r
	}
	for _, card := range []string{"suspect-rose", "weapon-corde", "room-entree", "suspect-olive", "weapon-revolver"} {
		if r := read(card); r != nil {
			t.Fatalf("%s: %v", card, r)
		}
	}
	if r := read("room-entree"); r == nil || r.Rule != engine.RuleAlarm {
		t.Errorf("a card of the envelope is read again: %v", r)
	}
	s, v := p.g.(*state), p.g.View(engine.Public)
	for card, room := range map[string]string{"suspect-olive": "room-cuisine", "weapon-revolver": "room-jardin-d-hiver"} {
		if c := s.book.cardByID[card]; s.cards.LocationOf(c) != locBoard+loc(s.book.areaByID[room]) || s.cards.AudienceOf(c) != 0 {
			t.Errorf("%s lies at %d, known to %d", card, s.cards.LocationOf(c), s.cards.AudienceOf(c))
		}
	}
	if v.Prompt.Key != "cl.prompt.lay" || v.Prompt.Args.Get("room") != "room-bureau" || v.Readers[0].Seat != 0 {
		t.Errorf("%v is awaited", v.Prompt)
	}
	if _, r := p.try(engine.Host, "sealed", nil); r == nil {
		t.Error("the envelope is sealed twice")
	}
	p.mustDo(engine.Host, "hidden", nil)
	if v = p.g.View(engine.Public); v.Readers[0].Seat == 0 {
		t.Errorf("after that %v is awaited", v.Prompt)
	}
	if r := read("suspect-olive"); r == nil || r.Rule != engine.RuleAlarm {
		t.Errorf("a hidden card in a hand: %v", r)
	}
	if err := s.CheckInvariants(); err != nil {
		t.Error(err)
	}
}

// CC-134: if the room has only a hidden card that the seat has already looked at, and no second hypothesis in the same room is allowed, the
// seat has nothing more to do there.
func TestAHiddenCardIsNoPool(t *testing.T) {
	b := withoutBoard(t)
	e := *b.edition
	e.policySettings[polSameRoom] = policySetting{value: "no"}
	b.edition = &e
	p := beginGame(t, b, 2, "mode", "two-player", "hidden-card-rooms", "corners")
	p.mustDo(engine.Host, "deal", nil)
	s := p.g.(*state).copyState()
	salon := b.areaByID["room-salon"]
	s.step, s.phaseStep, s.moved, s.lookedAreas = stepAct, stepAct, true, areas(0).withArea(salon)
	s.pawns[s.seats[1].suspect], s.seats[1].lastRoom = pos{area: salon}, salon
	if s.canActiveSeatAct() {
		t.Errorf("it may %v", s.AppendMoves(nil, engine.SeatViewer(1)))
	}
}

// CC-134: where moving is optional, a seat that gives up its move still looks at the card hidden in its room, although it can do nothing
// else afterwards but accuse.
func TestALookAfterAMoveGivenUp(t *testing.T) {
	b := withoutBoard(t)
	e := *b.edition
	e.policySettings[polMustMove] = policySetting{value: "no"}
	b.edition = &e
	p := beginGame(t, b, 2, "mode", "two-player", "hidden-card-rooms", "corners")
	p.mustDo(engine.Host, "deal", nil)
	s := p.g.(*state).copyState()
	s.step, s.phaseStep = stepMove, stepMove
	s.pawns[s.seats[1].suspect] = pos{area: b.areaByID["room-salon"]}
	p.g = s
	p.mustDo(engine.SeatViewer(1), "end", nil)
	if v := p.g.View(engine.Public); v.Case.Turn != 1 || v.Case.Step != engine.StepLook {
		t.Errorf("the turn of %s is at %q", v.Case.Turn, v.Case.Step)
	}
}

// GEN-E09: when the count finds no card where a seat is to look, the turn goes on without the look.
func TestNothingToLookAt(t *testing.T) {
	p := beginGame(t, withoutBoard(t), 2, "mode", "two-player", "hidden-card-rooms", "corners")
	p.mustDo(engine.Host, "sealed", nil)
	p.mustDo(engine.Host, "dealt", nil)
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "3+4"})
	p.mustDo(engine.SeatViewer(1), "move", engine.Args{"to": "room-salon"})
	if step := p.g.View(engine.Public).Case.Step; step != engine.StepLook {
		t.Fatalf("the turn is at %q", step)
	}
	evs, r := p.try(engine.SeatViewer(1), "look", engine.Args{"card": engine.Unnamed})
	if r != nil {
		t.Fatal(r)
	}
	if seen := p.g.Apply(evs...).View(engine.SeatViewer(1)).Me.Seen; len(seen) != 0 {
		t.Errorf("a card that it has not named: %v", seen)
	}
	p.mustDo(engine.Host, "count", nil)
	p.mustDo(engine.Host, "count-is", engine.Args{"of": "room-salon", "n": "0"})
	p.mustDo(engine.Host, "counted", nil)
	if step := p.g.View(engine.Public).Case.Step; step != engine.StepAct {
		t.Errorf("after the count the turn is at %q", step)
	}
}

// A murdered seat cannot be spied on: its hand is open, and it shows nothing more (C8-135). The edition of a deck may have both spy squares
// and Time cards.
func TestNobodySpiesOnTheDead(t *testing.T) {
	b, err := New(DefaultDeck("super-cluedo"))
	if err != nil {
		t.Fatal(err)
	}
	evs, err := b.BuildPosition([]engine.PositionLine{
		{Verb: "seat", Words: []string{"seat-1", "Olive", "suspect-olive"}},
		{Verb: "seat", Words: []string{"seat-2", "Rose", "suspect-rose"}},
		{Verb: "seat", Words: []string{"seat-3", "Violet", "suspect-violet"}}, {Verb: "hand", Words: []string{"seat-2", "suspect-peche"}},
		{Verb: "hand", Words: []string{"seat-3", "suspect-rose"}}, {Verb: "murdered", Words: []string{"seat-2"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := b.NewGame().Apply(evs...).(*state)
	if s.canBeSpied(2) || !s.canBeSpied(3) {
		t.Errorf("seat-2, which is dead, can be spied on: %v; seat-3: %v", s.canBeSpied(2), s.canBeSpied(3))
	}
}
