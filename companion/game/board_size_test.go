package game

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/oversight"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/cluedo"
)

// largestBoard returns the largest board that is accepted, with the longest names of squares: the house of the box in
// the lower right corner of the drawing, and a yard next to it.
func largestBoard(t testing.TB) *board.Board {
	t.Helper()
	of := cluedo.DefaultDeck("cluedo-2008").Drawing
	const shift = board.MaxSide - 29
	spec := board.Spec{Rooms: of.Legend, Starts: map[engine.ID]board.Square{}, Diagonals: map[engine.ID]board.Square{}}
	for _, part := range []struct {
		from map[engine.ID]string
		to   map[engine.ID]board.Square
	}{{of.Starts, spec.Starts}, {of.Diagonals, spec.Diagonals}} {
		for id, text := range part.from {
			at, _ := board.ParseSquare(text)
			part.to[id] = board.Square{Col: at.Col + shift, Row: at.Row + shift}
		}
	}
	yard := board.MaxSquares
	for _, row := range of.Grid {
		yard -= strings.Count(row, ".") + strings.Count(row, "?")
	}
	for range shift {
		spec.Rows = append(spec.Rows, strings.Repeat("#", board.MaxSide))
	}
	for _, row := range of.Grid {
		wide := min(yard, shift-10)
		yard -= wide
		spec.Rows = append(spec.Rows, strings.Repeat("#", shift-wide)+strings.Repeat(".", wide)+row)
	}
	b, faults := board.New(spec)
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	return b
}

// A seat that may go anywhere is offered every square of the board. With the largest board each view of an evening
// must still have room for them: a view over the size limit reaches no phone at all.
func TestLargestBoardFits(t *testing.T) {
	g := games[1]
	g.book = func(t testing.TB) engine.Rulebook {
		d := cluedo.DefaultDeck("cluedo-2008")
		d.Board = largestBoard(t)
		return rulebook(t, func() (engine.Rulebook, error) { return cluedo.New(d) })
	}
	onBoard := func(at string) bool { _, is := board.ParseSquare(at); return is } // excludes places that are no square of the board
	const squares = board.MaxSquares * len(`"63,63",`)
	most, met := 0, 0
	for seed := range uint64(eveningCount(2, 40)) {
		e := newEvening(t, g, newMemory(), seed)
		e.core().Desk = &longLinksDesk{}
		e.mustAct(engine.Host, oversight.ActAllow, "on", yes)
		e.seatNamedAndBegin(g.most, strings.Repeat("<", 24))
		for n := 0; n < 250 && e.last().Public.View.Result == nil; n++ {
			e.play()
			for _, u := range e.last().UpdatesToSeal(nil) {
				rest, domains := fullUpdate(u), 0
				rest.View.Offers = slices.Clone(rest.View.Offers)
				for i := range rest.View.Offers {
					o := &rest.View.Offers[i]
					o.Params = slices.Clone(o.Params)
					for j := range o.Params {
						if o.Params[j].Kind == "square" && slices.ContainsFunc(o.Params[j].Domain, onBoard) {
							met = max(met, len(o.Params[j].Domain))
							o.Params[j].Domain = nil
							domains++
						}
					}
				}
				size := len(asJSON(t, rest)) + domains*squares
				if size > wire.MaxView-4 && rest.ForHost != nil {
					rest.Notes = strings.Repeat("~", domains*squares) // fills the space of the removed squares
					size = len(asJSON(t, asDeviceReads(rest)))
				}
				most = max(most, size)
				if size > wire.MaxView-4 || domains > 1 {
					t.Fatalf("seed %d rev %d %s: %d bytes with %d squares, at most %d; %d lists of squares", seed, u.Rev, u.View.Viewer,
						size, board.MaxSquares, wire.MaxView-4, domains)
				}
			}
			e.steps = e.steps[len(e.steps)-1:]
		}
	}
	if met == 0 {
		t.Error("nobody was offered a square")
	}
	t.Logf("the largest view has %d bytes of %d", most, wire.MaxView-4)
}
