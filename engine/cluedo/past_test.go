package cluedo_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
)

// reader is a seat that reads on through the whole game and forgets no line.
type reader struct {
	seat  engine.Viewer
	lines []engine.Line
}

func (r *reader) readLines(now []engine.Line) error {
	for _, l := range now {
		switch n := uint16(len(r.lines)); {
		case l.N == n+1:
			r.lines = append(r.lines, l)
		case l.N > n:
			return fmt.Errorf("%s is not shown the line after %d, but %d: %s", r.seat, n, l.N, l.Msg.Key)
		}
	}
	return nil
}

// pastHypotheses lists the hypotheses that the lines of the story report.
func (r *reader) pastHypotheses() (all []engine.Heard) {
	var now *engine.Heard
	begin := func(l engine.Line, by engine.Seat, cards ...engine.ID) {
		all = append(all, engine.Heard{N: len(all) + 1, Round: int(l.Round), By: by, Cards: cards})
		now = &all[len(all)-1]
	}
	looked := false
	for _, l := range r.lines {
		a, x := l.Msg.Args, seatOf(l.Msg.Args.Get("seat"))
		if !l.Own {
			looked = l.Msg.Key == "cl.log.looked"
		}
		switch l.Msg.Key {
		case "cl.log.hypothesis":
			begin(l, x, engine.ID(a.Get("suspect")), engine.ID(a.Get("weapon")), engine.ID(a.Get("room")))
			continue
		case "cl.log.amend":
			begin(l, x)
			continue
		case "cl.log.turn", "cl.log.neighbour", "cl.log.spied", "cl.log.accused", "cl.log.replay":
			now = nil
		}
		if now == nil {
			continue
		}
		switch l.Msg.Key {
		case "cl.log.none":
			now.None = append(now.None, x)
		case "cl.log.shown", "cl.log.shown-to":
			if now.Shown != 0 {
				now.More = append(now.More, x)
				if now.MoreCards != nil {
					now.MoreCards = append(now.MoreCards, "")
				}
				continue
			}
			now.Shown, now.To = x, seatOf(a.Get("other"))
		case "cl.log.saw":
			if !slices.Contains(now.More, seatOf(a.Get("other"))) {
				now.Saw = append(now.Saw, x)
			}
		case "cl.log.unrefuted":
			now.Unrefuted = true
		case "cl.log.hushed":
			now.Hushed = x
		case "cl.log.upheld":
			now.Upheld = true
		case "cl.log.shown.own", "cl.log.showed.own":
			by := slices.Index(now.More, x) // who showed it
			if l.Msg.Key == "cl.log.showed.own" {
				by = len(now.More) - 1 // this seat, just now
			}
			if by >= 0 && !looked {
				if now.MoreCards == nil {
					now.MoreCards = make([]engine.ID, len(now.More))
				}
				now.MoreCards[by] = engine.ID(a.Get("card"))
			} else if !looked {
				now.Card = engine.ID(a.Get("card"))
			}
		}
	}
	return all
}

func seatOf(text string) engine.Seat {
	x, _ := engine.ParseSeat(text)
	return x
}

// A seat is shown the same past hypotheses that a reader of every line since the beginning would know, in random games of all sizes and
// ways of dealing: a phone that connects late shows no less. The public and the host are shown none of them.
func TestPastIsWhatAReaderHasHeard(t *testing.T) {
	super := bookOf(t, cluedo.DefaultDeck("super-cluedo"))
	foggy := bookOf(t, readDeck(t, phare)) // where all witnesses show, and others may look
	books := []*cluedo.Book{rulebook(t), noBoard(t), super, foggy}
	most, hushed, amended, saw, cards, more := 0, 0, 0, 0, 0, 0
	for seed := range uint64(96) {
		b := books[seed%4]
		d := newDealer(b, dealing(seed/4%uint64(numDealings)), chance.New(seed))
		var readers []*reader
		for x := range engine.Seat(6) {
			readers = append(readers, &reader{seat: engine.SeatViewer(x + 1)})
		}
		dice := chance.New(seed)
		_, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, d, func(s play.Step) error {
			for _, r := range readers {
				if err := r.readLines(cluedo.LogLines(s.After, r.seat, 40)); err != nil {
					return err
				}
				if dice.Intn(30) > 0 {
					continue
				}
				v, all := s.After.View(r.seat), r.pastHypotheses()
				if want := all[max(0, len(all)-engine.MaxPast):]; len(want)+len(v.Case.Past) > 0 && !reflect.DeepEqual(v.Case.Past, want) {
					return fmt.Errorf("%s has heard\n%+v and is shown\n%+v", r.seat, want, v.Case.Past)
				}
			}
			if dice.Intn(30) == 0 && (s.After.View(engine.Public).Case.Past != nil || s.After.View(engine.Host).Case.Past != nil) {
				return fmt.Errorf("the public or the host is shown the hypotheses of the evening")
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range readers {
			for _, h := range r.pastHypotheses() {
				most = max(most, h.N)
				for _, c := range []struct {
					n  *int
					ok bool
				}{
					{&hushed, h.Hushed != 0},
					{&amended, h.Cards == nil},
					{&saw, h.Saw != nil},
					{&cards, h.Card != ""},
					{&more, h.More != nil},
				} {
					if c.ok {
						*c.n++
					}
				}
			}
		}
	}
	t.Logf("at most %d hypotheses; hushed %d, amended %d, seen by others %d, cards %d, several shown %d", most, hushed,
		amended, saw, cards, more)
	if slices.Contains([]int{most, hushed, amended, saw, cards, more}, 0) {
		t.Error("too little was heard")
	}
}
