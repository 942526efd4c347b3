package cluedo

import (
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

// TestCheckNamesEachBrokenInvariant: Check names each broken invariant by its number. Scripts and random games rely on
// Check to find broken ones.
func TestCheckNamesEachBrokenInvariant(t *testing.T) {
	const hache, stay = "weapon-hache", "butler-stay"
	put := func(s *state, id string, l loc, aud hidden.Audience) { s.cards.RecordCard(s.book.cardByID[id], l, aud) }
	rose := hidden.OnlySeats(1)
	for _, c := range []struct {
		given string
		spoil func(*state)
		want  string // "": nothing is broken
	}{
		{"", func(*state) {}, ""},
		{"", func(s *state) { s.phase = dealing; s.asked = 1; s.faceDownCount[s.book.pool]++ }, "1: 25 mystery cards of 24"},
		{"", func(s *state) { s.faceDownCount[s.book.pool]++ }, "1: 25 mystery cards of 24"},
		{"", func(s *state) { s.faceDownCount[s.book.pool]++; s.count.Counting = true }, ""},
		{"", func(s *state) { s.cards.RecordCard(0, locPile, hidden.Nobody) }, "1: custody: a card is nowhere"},
		{"", func(s *state) { put(s, hache, custody.HandOf(1), rose); s.seats[1].cards = 0 }, "1: seat-1 holds 0 cards, 1 are recorded"},
		{"", func(s *state) { put(s, hache, locBoard+loc(s.book.pool), hidden.Nobody) }, "1: 0 cards lie in area 10, 1 are recorded"},
		{"envelope suspect-rose weapon-corde room-hall", func(s *state) { put(s, hache, locEnvelope, hidden.Nobody) },
			"1: 4 cards in the envelope"},

		{"", func(s *state) { s.track = s.book.trackLimit() + 1 }, "2: 8 Time cards on the track"},
		{"track 1", func(s *state) { s.track = 2 }, "2: the track shows 2 of 1 cards"},
		{"", func(s *state) { s.seats[1].butlers = 24 }, "2: the pile is empty"},
		{"", func(s *state) { s.seats[1].butlers = 24; s.phase = over }, ""},
		{"hand seat-1 " + stay, func(s *state) { s.seats[1].butlers = 0 }, "2: seat-1 holds fewer Butler cards than are recorded"},
		{"wrong seat-2", func(s *state) { s.result = &engine.Result{Winners: []engine.Seat{2}} }, "3: seat-2 wins and is out"},
		{"wrong seat-2", func(s *state) { s.result = &engine.Result{Winners: []engine.Seat{1}} }, ""},
		{"murdered seat-3", func(s *state) { s.pawns[s.seats[3].suspect] = pos{kind: onCorridor} }, "4: seat-3 is murdered and goes on"},
		{"murdered seat-3", func(s *state) { s.seats[3].butlers = 1 }, "4: seat-3 is murdered and goes on"},
		{"murdered seat-3", func(s *state) { s.active = 3 }, "4: seat-3 is murdered and goes on"},
		{"murdered seat-3", func(s *state) { s.active = 3; s.phase = over }, ""},
		{"", func(s *state) { s.hyp.answerOf[2], s.hyp.answerOf[3] = saidShown, saidShown }, "5: 2 cards shown for one hypothesis"},
		{"", func(s *state) { s.hyp.answerOf[2] = saidShown }, ""},

		{"", func(s *state) { s.active = 0 }, "6: phase turn, step 3: nobody is awaited"},
		{"", func(s *state) { s.active = 0; s.count.Counting = true }, ""},
		{"", func(s *state) { s.active = 0; s.phase = over }, ""},
		{"", func(s *state) { s.active = 0; s.phase = starting; s.step = stepShown }, "6: phase starting, step 8: nobody is awaited"},
		{"", func(s *state) { s.step = stepShown }, ""},
		{"murdered seat-3", func(s *state) { s.asked = 3 }, "6: a murdered seat is awaited"},
		{"murdered seat-3", func(s *state) { s.asked = 3; s.phase = over }, ""},
		{"", func(s *state) { put(s, hache, locUnknown, rose) }, "7: a card without a record is known to somebody"},
		{"", func(s *state) { put(s, stay, locPile, rose) }, "7: a card without a record is known to somebody"},
		{"", func(s *state) { put(s, hache, locUnknown, hidden.Everyone); s.phase = over }, ""},
		{"envelope suspect-rose weapon-hache room-hall", func(s *state) { put(s, hache, locEnvelope, rose) }, "7: the envelope is open"},
		{"", func(s *state) { put(s, hache, custody.HandOf(1), hidden.OnlySeats(2)) }, "7: a seat does not know its own card"},
	} {
		s := stateAt(t, three+c.given)
		c.spoil(s)
		switch err := s.CheckInvariants(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v, want nothing broken", c.given, err)
		case c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), "invariant "+c.want)):
			t.Errorf("%s: %v, want %q", c.given, err, c.want)
		}
	}
	s := newBook(t).newLobby()
	if err := s.CheckInvariants(); err != nil {
		t.Errorf("an empty lobby: %v", err)
	}
	if s.phase = dealing; s.CheckInvariants() == nil {
		t.Error("a deal without cards is right")
	}
	for x := range 3 { // while hands are presented a seat is asked, or the host is awaited
		s.seats[x+1].cards = 7
	}
	for s.asked = range engine.Seat(2) {
		if err := s.CheckInvariants(); err != nil {
			t.Errorf("seat %d presents its hand: %v", s.asked, err)
		}
	}
}
