package cluedo

import (
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// toAll is a game in which seat-2 has to show all players a card of its choice; more says whether its hand is known.
func toAll(t *testing.T, more string) *table {
	t.Helper()
	s := stateAt(t, "seat seat-1 Rose suspect-rose\nseat seat-2 Olive suspect-olive\nseat seat-3 Violet suspect-violet\n"+
		"envelope suspect-leblanc weapon-batte room-spa\n"+more)
	s.startShowing(showing{reason: reasonNeighbour, from: 2, openToAll: true}, 0)
	return &table{t: t, g: s}
}

// CC-031: a card that is shown to all is known to all, stays in its hand and can be shown again. The turn goes on at once.
func TestACardShownToEverybody(t *testing.T) {
	for _, c := range []struct {
		name, hand string
		by         engine.Viewer
	}{
		{"a hand that is known", "hand seat-2 weapon-corde weapon-hache", engine.SeatViewer(2)},
		{"one that nobody has read", "deal seat-2 2\ncards", engine.SeatViewer(2)},
		{"the host names what all see", "deal seat-2 2\ncards", engine.Host},
	} {
		p := toAll(t, c.hand+"\ndeal seat-1 9\ndeal seat-3 10")
		p.mustDo(c.by, "answer", engine.Args{"card": "weapon-corde"})
		v := p.g.View(engine.Public)
		hand := v.Seats[1].Hand
		if !slices.Equal(v.Shown, []engine.ID{"weapon-corde"}) || !slices.Equal(hand, v.Shown) || v.Seats[1].Cards != 2 {
			t.Errorf("%s: all see %v, in the hand %v of %d", c.name, v.Shown, hand, v.Seats[1].Cards)
		}
		h := v.Happened[len(v.Happened)-1]
		if l := v.Log[len(v.Log)-1]; h.What != engine.HapShown || h.Seat != 2 || h.Other != 0 || !slices.Equal(h.Cards, v.Shown) ||
			l.Msg.Key != "cl.log.revealed.card" {
			t.Errorf("%s: what happened is %+v, told by %s", c.name, h, l.Msg.Key)
		}
		if v.Case.Step != engine.StepStart || !slices.Equal(v.Active, []engine.Seat{1}) {
			t.Errorf("%s: the turn goes on at %q", c.name, v.Case.Step)
		}
		s := *p.g.(*state)
		s.startShowing(showing{reason: reasonNeighbour, from: 2, to: 1}, p.at)
		p.g = &s
		p.mustDo(engine.SeatViewer(2), "answer", engine.Args{"card": "weapon-corde"})
		if err := s.CheckInvariants(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// GEN-022: a card that is open on the table need not be named. GEN-001: the name that is given replaces a record of the card elsewhere,
// without a message.
func TestWhatAllSeePrevails(t *testing.T) {
	p := toAll(t, "cards\ndeal seat-2 2")
	p.mustDo(engine.SeatViewer(2), "answer", engine.Args{"card": engine.Unnamed})
	if v := p.g.View(engine.Public); len(v.Shown) != 0 || v.Log[len(v.Log)-1].Msg.Key != "cl.log.revealed" {
		t.Errorf("all see %v", v.Shown)
	}
	p = toAll(t, "cards\ndeal seat-2 2\nhand seat-3 weapon-corde")
	p.mustDo(engine.Host, "answer", engine.Args{"card": "weapon-corde"})
	v := p.g.View(engine.SeatViewer(3))
	if len(v.Me.Hand) != 0 || !slices.Equal(v.Seats[1].Hand, []engine.ID{"weapon-corde"}) {
		t.Errorf("recorded elsewhere: seat-3 holds %v, seat-2 shows %v", v.Me.Hand, v.Seats[1].Hand)
	}
}

// GEN-021: no other hand keeps a card that all see in one hand, even if its seat has claimed it.
func TestWhatAllSeeNobodyElseHolds(t *testing.T) {
	p := toAll(t, "cards\ndeal seat-2 2\ndeal seat-3 2")
	p.mustDo(engine.SeatViewer(3), "hold", engine.Args{"card": "weapon-corde"})
	p.mustDo(engine.Host, "answer", engine.Args{"card": "weapon-corde"})
	if hand := p.g.View(engine.SeatViewer(3)).Me.Hand; len(hand) != 0 {
		t.Errorf("seat-3 holds %v", hand)
	}
}

// GEN-002: any card that the host names is accepted, whether the hand is known or not: only the claims of its seat count, and a record that
// contradicts the name is dropped (GEN-001).
func TestTheHostLearnsNoHandByNamingCards(t *testing.T) {
	for _, hand := range []string{"hand seat-2 weapon-corde weapon-hache", "deal seat-2 2"} {
		for _, c := range []string{"weapon-corde", "weapon-poison", "weapon-batte"} {
			p := toAll(t, hand+"\ndeal seat-1 9\ndeal seat-3 10\ncards")
			p.mustDo(engine.Host, "answer", engine.Args{"card": c})
			if err := p.g.(*state).CheckInvariants(); err != nil {
				t.Errorf("%s, %s: %v", hand, c, err)
			}
		}
	}
	p := toAll(t, "hand seat-2 weapon-corde weapon-hache")
	if _, r := p.try(engine.Host, "answer", engine.Args{"card": "weapon-corde"}); r == nil || r.Why.Key != "cl.no.seat-only" {
		t.Errorf("where there are no cards the host names one: %v", r)
	}
}

// GEN-E09: a count that leaves room for a card that all have seen leaves it where it is.
func TestACountKeepsWhatAllHaveSeen(t *testing.T) {
	p := toAll(t, "cards\ndeal seat-2 7")
	p.mustDo(engine.SeatViewer(2), "answer", engine.Args{"card": "weapon-corde"})
	p.mustDo(engine.Host, "count", nil)
	p.mustDo(engine.Host, "count-is", engine.Args{"of": "seat-2", "n": "6"})
	if v := p.g.View(engine.Public); !slices.Equal(v.Seats[1].Hand, []engine.ID{"weapon-corde"}) {
		t.Errorf("in the hand all see %v", v.Seats[1].Hand)
	}
	s := p.g.(*state)
	if s.cards.AudienceOf(s.book.cardByID["weapon-corde"]) != hidden.Everyone {
		t.Error("it is not public any more")
	}
}

// GEN-005: once all cards of a hand are open, no other card of it can be named.
func TestOpenHandHasNoOtherCard(t *testing.T) {
	p := toAll(t, "cards\ndeal seat-2 1")
	p.mustDo(engine.Host, "answer", engine.Args{"card": "weapon-corde"})
	s := p.g.(*state).copyState()
	s.startShowing(showing{reason: reasonNeighbour, from: 2, openToAll: true}, p.at)
	p.g = s
	if _, r := p.try(engine.Host, "answer", engine.Args{"card": "weapon-hache"}); r == nil || r.Why.Key != "cl.no.not-held" {
		t.Errorf("another card: %v", r)
	}
	p.mustDo(engine.Host, "answer", engine.Args{"card": "weapon-corde"})
}
