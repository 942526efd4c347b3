package cluedo

import (
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// table is a game that is played command by command.
type table struct {
	t    *testing.T
	g    engine.Game
	at   engine.Millis
	last []engine.Event
}

func newTable(t *testing.T, change func(*Deck)) *table {
	t.Helper()
	d := DefaultDeck("cluedo-2008")
	if change != nil {
		change(d)
	}
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return &table{t: t, g: b.NewGame()}
}

// mustDo plays an act that must be accepted, a second after the previous one.
func (p *table) mustDo(by engine.Viewer, act string, args engine.Args) {
	p.t.Helper()
	p.at += 1000
	evs, r := p.try(by, act, args)
	if r != nil {
		p.t.Fatalf("%s %v: %v", act, args, r)
	}
	p.last = evs
	p.g = p.g.Apply(evs...)
}

func (p *table) try(by engine.Viewer, act string, args engine.Args) ([]engine.Event, *engine.Reject) {
	return p.g.Decide(engine.Command{At: p.at, By: by, Act: act, Args: args}, chance.New(1))
}

// seatGuests puts three guests at the table and deals their hands, which no reader has read.
func (p *table) seatGuests() {
	p.t.Helper()
	for x, who := range []string{"suspect-rose", "suspect-moutarde", "suspect-leblanc"} {
		p.mustDo(engine.Host, "sit", engine.Args{"seat": engine.Seat(x + 1).String(), "name": "Guest", "character": who})
	}
	p.mustDo(engine.Host, "begin", nil)
	p.mustDo(engine.Host, "sealed", nil)
}

// begunTurns lists the numbers of the turns that the last command has begun, read from the log.
func (p *table) begunTurns() (n []int) {
	p.t.Helper()
	for _, l := range p.g.View(engine.Public).Log {
		if l.Msg.Key == "cl.log.turn" {
			n = append(n, int(l.Round))
		}
	}
	return n
}

// C8-011, C8-012: the first turn is number one, no matter who says which seat begins, and each later one has the next number. Each event
// carries the time of the command or deadline that caused it.
func TestTurnsAreNumbered(t *testing.T) {
	for _, declared := range []bool{true, false} {
		p := newTable(t, nil)
		p.seatGuests()
		p.mustDo(engine.Host, "dealt", nil)
		if declared {
			p.mustDo(engine.Host, "first", engine.Args{"seat": "seat-1"})
		} else {
			for x, roll := range []string{"4+5", "2+2", "2+3"} {
				p.mustDo(engine.SeatViewer(engine.Seat(x+1)), "roll", engine.Args{"dice": roll})
			}
		}
		if n := p.begunTurns(); len(n) != 1 || n[0] != 1 {
			t.Fatalf("declared %v: the first turn is announced with the numbers %v", declared, n)
		}
		p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "2+2"})
		to := ""
		for _, o := range p.g.View(engine.SeatViewer(1)).Offers {
			if o.Act == "move" && o.Params[0].Kind == "square" {
				to = o.Params[0].Domain[0]
			}
		}
		p.mustDo(engine.SeatViewer(1), "move", engine.Args{"to": to})
		if n := p.begunTurns(); len(n) != 2 || n[1] != 2 {
			t.Fatalf("declared %v: two turns are announced with the numbers %v", declared, n)
		}
		for _, e := range p.last {
			if got := e.(*event).at; got != p.at {
				t.Errorf("%s at %d, want %d", e.Kind(), got, p.at)
			}
		}
	}
}

// inTheGuestRoom is the turn of Rose after she has come to the guest room; she could still play another card.
func inTheGuestRoom(t *testing.T, change func(*Deck)) *table {
	t.Helper()
	p := newTable(t, change)
	lines := []engine.PositionLine{
		{Verb: "seat", Words: []string{"seat-1", "Rose", "suspect-rose"}},
		{Verb: "seat", Words: []string{"seat-2", "Moutarde", "suspect-moutarde"}},
		{Verb: "seat", Words: []string{"seat-3", "Olive", "suspect-olive"}},
		{Verb: "hand", Words: []string{"seat-1", "butler-replay-1", "butler-replay-2", "butler-move-anywhere-1"}},
		{Verb: "hand", Words: []string{"seat-2", "butler-see-card-1"}},
		{Verb: "hand", Words: []string{"seat-3", "butler-see-card-2"}},
		{Verb: "deal", Words: []string{"seat-2", "7"}},
		{Verb: "pawn", Words: []string{"suspect-rose", "room-spa"}},
		{Verb: "cards"},
	}
	evs, err := p.g.(*state).book.BuildPosition(lines)
	if err != nil {
		t.Fatal(err)
	}
	p.g = p.g.Apply(evs...)
	p.mustDo(engine.SeatViewer(1), "passage", nil)
	return p
}

// atTheEnd is the end of that turn.
func atTheEnd(t *testing.T, change func(*Deck)) *table {
	t.Helper()
	p := inTheGuestRoom(t, change)
	p.mustDo(engine.SeatViewer(1), "end", nil)
	return p
}

// C8-035: a seat that may look at a shown card has the time that the deck sets, even with a pause of zero.
func TestACardShownHasTheTimeOfTheDeck(t *testing.T) {
	p := inTheGuestRoom(t, func(d *Deck) { d.Pause, d.Window = 0, 7000 })
	p.mustDo(engine.SeatViewer(1), "hypothesis", engine.Args{"suspect": "suspect-leblanc", "weapon": "weapon-corde"})
	p.mustDo(engine.SeatViewer(2), "answer", engine.Args{"card": engine.Unnamed})
	d := p.g.Deadlines()
	if len(d) != 1 {
		t.Fatalf("an answer has no moment: %v", d)
	}
	p.at = d[0].At - 1000
	p.mustDo(engine.Public, engine.ActDeadline, engine.Args{"id": d[0].ID})
	c, d := p.g.View(engine.Public).Case, p.g.Deadlines()
	if c.Step != engine.StepShown || c.Opened != p.at || c.Closes != p.at+7000 || len(d) != 1 || d[0].At != c.Closes {
		t.Errorf("at %d the window at %q is open from %d to %d: %v", p.at, c.Step, c.Opened, c.Closes, d)
	}
}

// C8-035: with a pause of zero in the deck the end of a turn waits for its seat. With a longer pause the turn ends automatically, and every
// event carries that moment.
func TestTheEndOfATurnHasTheTimeOfTheDeck(t *testing.T) {
	p := atTheEnd(t, func(d *Deck) { d.Pause = 0 })
	if c := p.g.View(engine.Public).Case; len(p.g.Deadlines()) != 0 || c.Step != engine.StepEnd || c.Closes != 0 || c.Opened != 0 {
		t.Errorf("without a pause the window at %q is open from %d to %d: %v", c.Step, c.Opened, c.Closes, p.g.Deadlines())
	}
	p = atTheEnd(t, nil)
	before := p.g
	p.mustDo(engine.Host, "count", nil)
	if c := p.g.View(engine.Public).Case; c.Opened != 0 || c.Closes != 0 {
		t.Errorf("while the cards are counted a window is open from %d to %d", c.Opened, c.Closes)
	}
	p.g = before
	d := p.g.Deadlines()
	if len(d) != 1 {
		t.Fatalf("with a pause: %v", d)
	}
	p.at = d[0].At - 1000
	p.mustDo(engine.Public, engine.ActDeadline, engine.Args{"id": d[0].ID})
	if c := p.g.View(engine.Public).Case; c.Turn != 2 {
		t.Errorf("it is the turn of %s", c.Turn)
	}
	for _, e := range p.last {
		if got := e.(*event).at; got != p.at {
			t.Errorf("%s at %d, want %d", e.Kind(), got, p.at)
		}
	}
}

// GEN-002: an empty seat is offered nothing and can do nothing; nor can the public.
func TestNobodyPlaysFromAnEmptySeat(t *testing.T) {
	p := newTable(t, nil)
	nothing := func(acts ...string) {
		t.Helper()
		if v := p.g.View(engine.SeatViewer(5)); len(v.Offers) != 0 || v.Me != nil {
			t.Errorf("an empty seat is offered %v and sees %+v", v.Offers, v.Me)
		}
		if o := p.g.(*state).Offers(engine.Public); len(o) != 0 {
			t.Errorf("the public is offered %v", o)
		}
		for _, by := range []engine.Viewer{engine.SeatViewer(5), engine.Public} {
			for _, act := range acts {
				_, r := p.try(by, act, engine.Args{"dice": "2+2"})
				if r == nil || r.Public.Key != "" && p.g.View(by).Phase == phaseRows[turn].code {
					t.Errorf("%s of %s: %v; the table is to hear nothing of it", act, by, r)
				}
			}
		}
	}
	p.seatGuests()
	nothing("dealt")
	p.mustDo(engine.Host, "dealt", nil)
	nothing("roll")
	p.mustDo(engine.Host, "first", engine.Args{"seat": "seat-1"})
	nothing("roll")
}

// While one hand is read, the others are prompted to confirm theirs, until they have done so.
func TestPromptOfTheOthersWhileOneIsDealt(t *testing.T) {
	p := newTable(t, nil)
	p.seatGuests()
	who := p.g.View(engine.Public).Active[0]
	other := who%3 + 1
	says := func(x engine.Viewer, want string) {
		t.Helper()
		if got := p.g.View(x).Prompt.Key; got != want {
			t.Errorf("%s reads %s, want %s", x, got, want)
		}
	}
	says(engine.SeatViewer(who), "cl.prompt.dealing.you")
	says(engine.SeatViewer(other), "cl.prompt.dealing.other")
	says(engine.Public, "cl.prompt.dealing")
	p.mustDo(engine.SeatViewer(other), "dealt", nil)
	says(engine.SeatViewer(other), "cl.prompt.dealing")
}

// GEN-E02: a tag of the deck that is no card of the game cannot be dealt.
func TestNoCardIsDealtThatTheGameDoesNotKnow(t *testing.T) {
	p := newTable(t, nil)
	for x, who := range []string{"suspect-rose", "suspect-moutarde", "suspect-leblanc"} {
		p.mustDo(engine.Host, "sit", engine.Args{"seat": engine.Seat(x + 1).String(), "name": "Guest", "character": who})
	}
	p.mustDo(engine.Host, "begin", nil)
	_, r := p.try(engine.Public, engine.ActScan, engine.Args{"reader": engine.ReaderShow, "cards": "character-card-rose"})
	if r == nil || r.Rule != "GEN-E02" || r.Code != engine.BadRead {
		t.Errorf("it is answered with %v", r)
	}
}

// C8-006: even without a board every pawn begins on its start square.
func TestPawnsBeginOnTheirStartSquares(t *testing.T) {
	p := newTable(t, func(d *Deck) { d.Board = nil })
	for _, pawn := range p.g.View(engine.Public).Case.Pawns {
		if pawn.Square != "start" || pawn.At != "" {
			t.Errorf("%s stands at %q on %q", pawn.Suspect, pawn.At, pawn.Square)
		}
	}
}

// offered lists a viewer's offers of an act.
func (p *table) offered(v engine.Viewer, act string) []engine.Offer {
	return slices.DeleteFunc(p.g.View(v).Offers, func(o engine.Offer) bool { return o.Act != act })
}

// The host's offers for seats come in the order of the seats. An act that cannot be taken back asks for a confirmation (C8-110); a card
// that costs no second hypothesis does not (C8-175).
func TestWhatAsksForAConfirmation(t *testing.T) {
	p := atTheEnd(t, nil)
	p.mustDo(engine.SeatViewer(1), "play", engine.Args{"card": "butler-replay-1"})
	p.mustDo(engine.SeatViewer(1), "passage", nil)
	p.mustDo(engine.SeatViewer(1), "hypothesis", engine.Args{"suspect": "suspect-violet", "weapon": "weapon-corde"})
	var who []string
	for _, o := range p.offered(engine.Host, "play") {
		who = append(who, o.Fixed["for"])
	}
	if !slices.Equal(who, []string{"seat-1", "seat-2", "seat-3"}) {
		t.Errorf("cards are offered for %v", who)
	}
	p.mustDo(engine.SeatViewer(2), "answer", engine.Args{"card": engine.Unnamed})
	for range 2 { // the moment of the answer, and the window after it
		d := p.g.Deadlines()[0]
		p.at = d.At
		p.mustDo(engine.Public, engine.ActDeadline, engine.Args{"id": d.ID})
	}
	cards := p.offered(engine.SeatViewer(1), "play")
	if len(cards) == 0 {
		t.Fatal("no card is offered")
	}
	for _, o := range cards {
		if o.Grave {
			t.Errorf("%v asks for a confirmation", o)
		}
	}
	p.mustDo(engine.SeatViewer(1), "play", engine.Args{"card": "butler-replay-2"})
	p.mustDo(engine.SeatViewer(1), "play", engine.Args{"card": "butler-move-anywhere-1", "to": "pool"})
	if o := p.offered(engine.SeatViewer(1), "accuse"); len(o) != 1 || !o[0].Grave {
		t.Errorf("accusations offered: %+v", o)
	}
}

// Until a hand is presented the host acts: no seat is awaited, not seat zero either.
func TestNoSeatIsAwaitedBeforeAHandIsPresented(t *testing.T) {
	p := newTable(t, nil)
	nobody := func(when string) {
		t.Helper()
		if a := p.g.View(engine.Public).Active; a == nil || len(a) != 0 {
			t.Errorf("%s: %v are awaited", when, a)
		}
	}
	nobody("in the lobby")
	for x, who := range []string{"suspect-rose", "suspect-moutarde", "suspect-leblanc"} {
		p.mustDo(engine.Host, "sit", engine.Args{"seat": engine.Seat(x + 1).String(), "name": "Guest", "character": who})
	}
	p.mustDo(engine.Host, "begin", nil)
	nobody("before the envelope is sealed")
}

// GEN-020: a player who gets up in the lobby disappears from the story; the others stay in it.
func TestPlayerWhoLeavesTheLobbyIsNotInTheStory(t *testing.T) {
	p := newTable(t, nil)
	p.mustDo(engine.Host, "sit", engine.Args{"seat": "seat-1", "name": "Rose", "character": "suspect-rose"})
	p.mustDo(engine.Host, "switch", engine.Args{"name": "two-players", "value": "on"})
	p.mustDo(engine.Host, "sit", engine.Args{"seat": "seat-2", "name": "Olive", "character": "suspect-olive"})
	before := len(p.g.View(engine.Public).Log)
	p.mustDo(engine.Host, "rise", engine.Args{"seat": "seat-1"})
	log := p.g.View(engine.Public).Log
	if len(log) != before-1 {
		t.Errorf("the log had %d lines, and has %d now", before, len(log))
	}
	for _, l := range log {
		if l.Msg.Key == logSat && l.Msg.Args.Get("seat") != "seat-2" {
			t.Errorf("told is %v", l.Msg)
		}
	}
}
