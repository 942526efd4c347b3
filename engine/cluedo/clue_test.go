package cluedo

import (
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// clueTable is a table of three, with old replaced by new in the deck; Rose is in the Salon. No card is real.
func clueTable(t *testing.T, old, new, more string) *table {
	t.Helper()
	text := strings.Replace(string(DefaultYAML("cluedo-classic")), old, new, 1)
	if old != new && text == string(DefaultYAML("cluedo-classic")) {
		t.Fatalf("%q is not in the deck", old)
	}
	d, err := ParseDeck("box.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d.Board = nil
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	var lines []engine.PositionLine
	for i, l := range strings.Split(strings.TrimSpace(`
seat seat-1 Rose suspect-rose
seat seat-2 Olive suspect-olive
seat seat-3 Violet suspect-violet
envelope suspect-orchidee weapon-corde room-bureau
hand seat-1 suspect-violet weapon-poignard weapon-chandelier room-salon room-entree room-cuisine
hand seat-2 suspect-olive suspect-pervenche weapon-cle-anglaise room-bibliotheque weapon-revolver suspect-rose
hand seat-3 suspect-moutarde weapon-barre-de-fer room-jardin-d-hiver room-salle-de-reception room-salle-de-billard room-salle-a-manger
pawn suspect-rose room-salon
`+more), "\n") {
		w := strings.Fields(l)
		lines = append(lines, engine.PositionLine{Line: i + 1, Verb: w[0], Words: w[1:]})
	}
	evs, err := b.BuildPosition(lines)
	if err != nil {
		t.Fatal(err)
	}
	return &table{t: t, g: b.NewGame().Apply(evs...)}
}

// CC-032: a clue card goes under the pile. When all were drawn the first comes again, and so on.
func TestThePileOfClueCards(t *testing.T) {
	p := clueTable(t, "", "", "")
	s := p.g.(*state)
	var drawn []card
	for range 2 * 29 {
		evs, r := s.decideClueDraw(actor{seat: 1}, engine.Command{By: engine.SeatViewer(1), Act: "draw"}, chance.New(7))
		if r != nil {
			t.Fatal(r)
		}
		drawn = append(drawn, evs[0].openCard)
		s = s.copyState()
		s.applyClue(evs[0])
		s.applyClueDone(&event{})
	}
	if first := slices.Clone(drawn[:29]); !slices.Equal(first, drawn[29:]) {
		t.Errorf("first %v, then %v", first, drawn[29:])
	} else if slices.IsSorted(first) {
		t.Error("the order of the deck")
	} else if slices.Sort(first); len(slices.Compact(first)) != 29 {
		t.Errorf("%d different cards of 29", len(slices.Compact(first)))
	}
}

// CC-030: clue cards of other boxes make the left neighbour show the active seat a card, or make the holder of a card show it to one seat
// only. A seat that would show the card to itself is skipped.
func TestClueCardsOfOtherBoxes(t *testing.T) {
	const mine = `what: suspect-rose, to: all}`
	for _, c := range []struct {
		does  string
		asked []engine.Seat // one after the other
		card  string
		sees  engine.Seat
	}{
		{"kind: show, who: next, what: choice, to: active}", []engine.Seat{2}, "weapon-revolver", 1},
		{"kind: show, who: next, what: choice, to: left}", []engine.Seat{2}, "weapon-revolver", 3},
		{"kind: show, who: holder, what: room-salon, to: active}", []engine.Seat{2, 3}, "", 0},
		{"kind: show, who: holder, what: suspect-moutarde, to: active}", []engine.Seat{2, 3}, "suspect-moutarde", 1},
		{"kind: show, who: holder, what: room-salon, to: left}", []engine.Seat{1}, "room-salon", 2},
	} {
		p := clueTable(t, "kind: show, who: holder, "+mine, c.does, "pile clue-card-1")
		p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
		p.mustDo(engine.SeatViewer(1), "draw", nil)
		for i, x := range c.asked {
			if v := p.g.View(engine.Public); !slices.Equal(v.Active, []engine.Seat{x}) {
				t.Fatalf("%s: awaited %v instead of %s", c.does, v.Active, x)
			}
			if i < len(c.asked)-1 || c.card == "" {
				p.mustDo(engine.SeatViewer(x), "none", nil)
			} else {
				p.mustDo(engine.SeatViewer(x), "answer", engine.Args{"card": c.card})
			}
			if ds := p.g.Deadlines(); len(ds) > 0 && strings.HasPrefix(ds[0].ID, "answer-") {
				p.at = ds[0].At - 1000
				p.mustDo(engine.Public, engine.ActDeadline, engine.Args{"id": ds[0].ID})
			}
		}
		v := p.g.View(engine.Public)
		if v.Case.Step != engine.StepMove || len(v.Shown) > 0 {
			t.Errorf("%s: then %s, all see %v", c.does, v.Case.Step, v.Shown)
		}
		for x := engine.Seat(1); x <= 3; x++ {
			if seen := p.g.View(engine.SeatViewer(x)).Me.Seen; len(seen) > 0 != (x == c.sees) {
				t.Errorf("%s: %s has seen %v", c.does, x, seen)
			}
		}
	}
}

// CC-032, CC-A16: a clue card that asks for nothing, or for what no seat can do, has no effect.
func TestClueCardsWithoutEffect(t *testing.T) {
	const mine = `kind: show, who: holder, what: suspect-rose, to: all}`
	p := clueTable(t, mine, "kind: nothing}", "pile clue-card-1")
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
	p.mustDo(engine.SeatViewer(1), "draw", nil)
	if v := p.g.View(engine.Public); v.Case.Step != engine.StepMove || v.Case.Pile != 29 || v.Case.Points != 6 {
		t.Errorf("step %s, %d in the pile, %d points", v.Case.Step, v.Case.Pile, v.Case.Points)
	}
	p = clueTable(t, mine, "kind: show, who: chosen, what: choice, to: all}", "pile clue-card-1")
	s := p.g.(*state).copyState()
	s.seats[2].cards, s.seats[3].cards = 0, 0
	p.g = s
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
	p.mustDo(engine.SeatViewer(1), "draw", nil)
	if v := p.g.View(engine.Public); v.Case.Step != engine.StepMove {
		t.Errorf("nobody can be chosen: step %s", v.Case.Step)
	}
}

// CC-030: a card that is no clue card cannot be drawn, nor the one that has just gone under the pile. An event that a clue card asks of a
// seat carries the time of that act.
func TestWhatIsNoClueCard(t *testing.T) {
	p := clueTable(t, "", "", "cards")
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+?"})
	refused := func(card string) {
		t.Helper()
		if _, r := p.try(engine.SeatViewer(1), "draw", engine.Args{"card": card}); r == nil {
			t.Errorf("%s is drawn", card)
		}
	}
	refused("cats")
	refused("weapon-corde")
	p.mustDo(engine.SeatViewer(1), "draw", engine.Args{"card": "clue-card-28"})
	p.mustDo(engine.SeatViewer(1), "clue", engine.Args{"to": "room-entree"})
	for _, e := range p.last {
		if e.(*event).at != p.at {
			t.Errorf("%s at %d, want %d", e.Kind(), e.(*event).at, p.at)
		}
	}
	refused("clue-card-28")
	p.mustDo(engine.SeatViewer(1), "draw", engine.Args{"card": engine.Unnamed})
	p.mustDo(engine.SeatViewer(1), "clue", nil)
	if v := p.g.View(engine.Public); v.Case.Step != engine.StepMove {
		t.Errorf("then %s", v.Case.Step)
	}
}

// GEN-E09, CC-A16: a seat that the count finds without cards is skipped when a card is to be shown. The clue card has no effect if no seat
// has cards, or if the one that is to show has none.
func TestAClueCardAndEmptyHands(t *testing.T) {
	const mine = `kind: show, who: holder, what: suspect-rose, to: all}`
	for _, c := range []struct {
		does  string
		empty []engine.Seat // when it is drawn
		asked engine.Seat   // then; zero: nobody
		next  engine.Seat   // once that hand is found empty
		you   string
	}{
		{"kind: show, who: all, what: choice, to: all}", nil, 1, 2, "cl.prompt.reveal.you"},
		{"kind: show, who: all, what: choice, to: left}", []engine.Seat{1}, 2, 3, "cl.prompt.neighbour.you"},
		{"kind: show, who: all, what: choice, to: all}", []engine.Seat{1, 2}, 3, 0, "cl.prompt.reveal.you"},
		{"kind: show, who: all, what: choice, to: all}", []engine.Seat{1, 2, 3}, 0, 0, ""},
		{"kind: show, who: next, what: choice, to: all}", []engine.Seat{2}, 0, 0, ""},
		{mine, []engine.Seat{2}, 1, 3, "cl.prompt.holder.you"},
	} {
		p := clueTable(t, mine, c.does, "pile clue-card-1")
		s := p.g.(*state).copyState()
		for _, x := range c.empty {
			s.seats[x].cards = 0
		}
		p.g = s
		p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
		p.mustDo(engine.SeatViewer(1), "draw", nil)
		awaited := func(x engine.Seat) {
			t.Helper()
			v := p.g.View(engine.Public)
			if x == 0 && v.Case.Step != engine.StepMove ||
				x != 0 && (v.Case.Step == engine.StepMove || !slices.Equal(v.Active, []engine.Seat{x})) {
				t.Errorf("%s, empty %v: at %s awaited %v, want %s", c.does, c.empty, v.Case.Step, v.Active, x)
			}
		}
		awaited(c.asked)
		if c.asked == 0 {
			continue
		}
		if you := p.g.View(engine.SeatViewer(c.asked)).Prompt.Key; you != c.you {
			t.Errorf("%s: prompt %s, want %s", c.does, you, c.you)
		}
		s = p.g.(*state).copyState()
		s.seats[c.asked].cards = 0
		p.g, _ = s.applyWithConsequences(p.at, nil)
		awaited(c.next)
	}
}

func TestClueCardFaults(t *testing.T) {
	const good = `kind: show, who: chosen, what: choice, to: all}`
	for _, c := range []struct{ does, want string }{
		{"kind: show, who: someone, what: choice, to: all}", `unknown word "someone" (one of [holder chosen next all])`},
		{"kind: show, who: chosen, what: choice, to: right}", `unknown word "right" (one of [all left active])`},
		{"kind: show, who: chosen, what: weapon-corde, to: all}", `unknown word "weapon-corde" (one of [choice])`},
		{"kind: show, who: holder, what: weapon-cats, to: all}", `unknown word "weapon-cats" (one of [suspect weapon room suspect-rose`},
		{"kind: gather, who: all}", "a card that has nothing shown"},
		{"kind: stay}", `unknown kind "stay" (one of [gather link manual nothing show])`},
	} {
		text := strings.Replace(string(DefaultYAML("cluedo-classic")), good, c.does, 1)
		_, err := ParseDeck("box.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "box.yaml:") {
			t.Errorf("%s: %v, want %s", c.does, err, c.want)
		}
	}
	mixed := strings.Replace(string(editionText("cluedo-classic")), "  gather: CC-030\n", "  gather: CC-030\n  stay: CC-030\n", 1)
	if _, err := parseEdition("edition.yaml", []byte(mixed)); err == nil || !strings.Contains(err.Error(), "clue cards among others") {
		t.Errorf("clue cards among others: %v", err)
	}
}

// SC-075: the right that a hypothesis gave to a seat ends when a clue card moves its pawn elsewhere: the pawn is no longer where the
// hypothesis put it.
func TestGatheredIsNotBrought(t *testing.T) {
	p := clueTable(t, "", "", "brought seat-1 seat-2\nactive seat-1\npile clue-card-1")
	s := p.g.(*state)
	if !s.stayRight || !s.seats[2].displaced {
		t.Fatal("nobody was brought anywhere")
	}
	next := s.copyState()
	next.applyPawnsGathered(&event{kind: evGathered, seat: 1, pos: pos{area: next.book.areaByID["room-bureau"]}})
	if next.stayRight || next.seats[2].displaced {
		t.Error("a pawn that was gathered has the right of one that a hypothesis has brought")
	}
}

// CC-030: a prompt names the clue card that is carried out, or the card that it looks for, and no
// other card than that.
func TestPromptsOfClueCards(t *testing.T) {
	for _, c := range []struct{ pile, draw, key, card, sought string }{
		{"pile clue-card-28", "", "cl.prompt.clue-card.you", "clue-card-28", ""},
		{"pile clue-card-1", "", "cl.prompt.holder.you", "", "suspect-rose"},
		{"pile clue-card-26", "", "cl.prompt.reveal.you", "", ""},
		{"cards", engine.Unnamed, "cl.prompt.clue.you", "", ""},
	} {
		p := clueTable(t, "", "", c.pile)
		p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
		p.mustDo(engine.SeatViewer(1), "draw", engine.Args{"card": c.draw})
		m := p.g.View(engine.SeatViewer(1)).Prompt
		card, named := m.Args.Lookup("card")
		sought, looked := m.Args.Lookup("sought")
		if m.Key != c.key || card != c.card || named != (c.card != "") || sought != c.sought || looked != (c.sought != "") {
			t.Errorf("%s: %v", c.pile, m)
		}
	}
	p := clueTable(t, "", "", "pile clue-card-6")
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
	p.mustDo(engine.SeatViewer(1), "draw", nil)
	p.mustDo(engine.SeatViewer(1), "answer", engine.Args{"card": "suspect-violet"})
	p.at = p.g.Deadlines()[0].At - 1000
	p.mustDo(engine.Public, engine.ActDeadline, engine.Args{"id": p.g.Deadlines()[0].ID})
	if m := p.g.View(engine.SeatViewer(1)).Prompt; p.g.View(engine.SeatViewer(1)).Case.Step != engine.StepMove ||
		m.Args.Get("sought") != "" {
		t.Errorf("the card is found, and %v", m)
	}
}

// CC-030: while others may look at a card that a clue card has made a seat show, the game waits for them.
func TestAClueCardWaitsForTheWindow(t *testing.T) {
	s := clueTable(t, "", "", "").g.(*state).copyState()
	s.applyClue(&event{openCard: s.book.cardByID["clue-card-12"]})
	if key, _ := s.promptKey(); key != "cl.prompt.clue-card" {
		t.Errorf("awaited is %s", key)
	}
	s.startStep(stepShown, 0)
	if key, _ := s.promptKey(); key != "cl.prompt.shown" {
		t.Errorf("awaited is %s", key)
	}
}

// CC-030: the player reads a clue card out to all, so the phone need not hide its name when the seat names it.
func TestAClueCardIsNamedAloud(t *testing.T) {
	p := clueTable(t, "", "", "switch movement checked\ncards")
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "?+5"})
	for _, o := range p.g.View(engine.SeatViewer(1)).Offers {
		if o.Act == "draw" && len(o.Params) > 0 && !o.Params[0].Aloud {
			t.Errorf("%+v", o)
		}
		if o.Act == "draw" {
			return
		}
	}
	t.Error("no clue card is to be drawn")
}
