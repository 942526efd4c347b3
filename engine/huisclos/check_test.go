package huisclos

import (
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

// eight is a full table.
const eight = four + `
seat seat-5 Emma character-georges innocent
seat seat-6 Farid character-eddington innocent
seat seat-7 Gina character-puddingham innocent
seat seat-8 Hugo character-williams innocent
`

// TestCheckNamesEachBrokenInvariant: Check names each broken invariant by its number. Scripts and random games rely on
// Check to find broken ones.
func TestCheckNamesEachBrokenInvariant(t *testing.T) {
	alone := func(x engine.Seat) hidden.Audience { return hidden.OnlySeats(x) }
	for _, c := range []struct {
		given string
		spoil func(*state)
		want  string
	}{
		{"", func(s *state) { s.ledger.RecordCard(1, custody.HandOf(engine.MaxSeats)+1, hidden.Nobody) }, "1: custody: a card is nowhere"},
		{"", func(s *state) { s.seats[anne].cards = numCards + 1 }, "1: count of the hand of seat-1"},
		{"unknown hand seat-1 39", func(*state) {}, "2: seat-1 holds 39 clues"},
		{"hand seat-1 weapon-3", func(s *state) { s.ledger.SetClaims(anne, set(0).WithCard(4)) }, "1: count of the hand of seat-1"},
		{"hand seat-1 weapon-3\nunknown hand seat-1 1", func(s *state) { s.ledger.SetClaims(anne, set(0).WithCard(3)) },
			"1: seat-1 claims what is recorded"},
		{"place place-3 weapon-3", func(s *state) { s.rooms[3].cards++ }, "1: count of place 3"},
		{"", func(s *state) { s.rooms[3].cards = numCards + 1 }, "1: count of place 3"},
		{"phase deposit\nurn seat-1 weapon-3", func(s *state) { s.urnCount = 0 }, "1: count of the urn"},
		{"unknown hand seat-1 1", func(s *state) { s.count.Lost++ }, "1: 40 clues in all"},
		{"phase recovery\nurn seat-1 weapon-3", func(s *state) { s.phase = phaseInvestigation },
			"1: clues of the urn lie open in phase investigation"},

		{"unknown hand seat-1 5", func(s *state) { s.step = stepSettle }, "2: seat-1 holds 5 clues"},
		{"unknown hand seat-1 4", func(*state) {}, "2: seat-1 holds 4 clues"},
		{"", func(s *state) { s.seats[anne].tokens = 2 }, "3: 5 Accusation cards for 4 players"},
		{"", func(s *state) { s.seats[bruno].at = 0 }, "4: pawn of seat-2"},
		{"", func(s *state) { s.rooms[s.book.startPlace].closed = true }, "4: pawn of seat-1"},
		{"place place-3 weapon-3", func(s *state) { s.rooms[3].closed = true }, "4: clues on closed place 3"},
		{"", func(s *state) { s.seats[anne].destroyed = maxDestroy + 1 }, "5: seat-1 has destroyed 4 clues"},
		{"active seat-2", func(s *state) { s.seats[anne].dead, s.seats[anne].at = true, 0 }, "6: no living first player"},
		{"", func(s *state) { s.round = 9 }, "6: round 9 of 8"},
		{"", func(s *state) { s.roles[anne] = hidden.NewSmall(newDrawnRole(murderer, 0), alone(anne)) }, "7: not exactly one Murderer"},
		{"", func(s *state) { s.active = 0 }, "8: phase investigation with active seat 0"},
		{"active seat-2", func(s *state) { s.seats[bruno].dead, s.seats[bruno].at = true, 0 }, "8: a dead seat is called"},
		{"hand seat-1 weapon-3", func(s *state) { s.ledger.RecordCard(3, custody.HandOf(anne), alone(bruno)) },
			"9: a clue at 33 is known to others than it should"},
		{"", func(s *state) { s.roles[anne] = s.roles[anne].WithAudience(alone(bruno)) }, "9: the role of seat-1 is known to others"},
	} {
		b := newBook(t)
		evs, err := b.BuildPosition(lines(four + c.given))
		if err != nil {
			t.Fatalf("%s: %v", c.given, err)
		}
		g := b.NewGame()
		g = g.Apply(evs...)
		s := *g.(*state)
		c.spoil(&s)
		if err := s.CheckInvariants(); err == nil || !strings.HasSuffix(err.Error(), "invariant "+c.want) {
			t.Errorf("%s: %v, want %q", c.given, err, c.want)
		}
	}
	// A value at its limit is valid.
	for _, given := range []string{"fill place-3 39", "hand seat-8 weapon-3 weapon-4 weapon-5"} {
		posedWith(t, eight, given)
	}
}
