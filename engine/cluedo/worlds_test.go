package cluedo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/cluedo/audit"
	"majordome/engine/play"
)

// everybody is each viewer there can be, empty seats with them.
var everybody = func() []engine.Viewer {
	all := []engine.Viewer{engine.Public, engine.Host}
	for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
		all = append(all, engine.At(x))
	}
	return all
}()

// worldGames is how many games are played in two worlds.
func worldGames() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 2000
	}
	return 500
}

// row is an event as it lies in the store.
type row struct {
	kind string
	data []byte
}

// history is the first world: all that happened in it, and who may know what of it.
type history struct {
	book  *cluedo.Book
	audit *audit.Auditor
	all   []row
	shows []audit.Show
	news  int // where the shows of the last step begin
}

// record takes events and gives them as they lie in the store.
func (h *history) record(evs []engine.Event) ([]row, error) {
	n := len(h.all)
	h.news = len(h.shows)
	for _, e := range evs {
		data, err := h.book.EncodeEvent(e)
		if err != nil {
			return nil, err
		}
		if err := h.audit.Feed(e.Kind(), data); err != nil {
			return nil, err
		}
		h.all = append(h.all, row{e.Kind(), data})
		for _, s := range h.audit.Shows {
			h.shows = append(h.shows, audit.Show{To: s.To, Cards: slices.Clone(s.Cards)})
		}
	}
	return h.all[n:], nil
}

// twin is the second world: the same public course with two cards changed. blind
// are the viewers who have been shown nothing that tells the two apart.
type twin struct {
	swap  audit.Swap
	game  engine.Game
	blind map[engine.Viewer]bool
}

// look takes the sight from those who have been shown one card of the two.
func (w *twin) look(shows []audit.Show) {
	for _, s := range shows {
		if slices.Contains(s.Cards, w.swap[0]) == slices.Contains(s.Cards, w.swap[1]) {
			continue
		}
		if s.To == engine.Public {
			clear(w.blind)
		}
		delete(w.blind, s.To)
	}
}

func (w *twin) renamed(b *cluedo.Book, r row) (engine.Event, error) {
	data, err := w.swap.Event(r.kind, r.data)
	if err != nil {
		return nil, err
	}
	return b.DecodeEvent(r.kind, data)
}

// hidden are the cards of a game that hands, pool and envelope hide, by kind.
func hidden(b *cluedo.Book) (kinds map[engine.ID][]string) {
	kinds = map[engine.ID][]string{}
	for _, n := range b.Names() {
		switch n.Kind {
		case "suspect", "weapon", "room", "butler-card":
			kinds[n.Kind] = append(kinds[n.Kind], string(n.ID))
		}
	}
	return kinds
}

// otherWorld makes a second world in which two cards of a kind have changed
// places, from now on if they lie together, else from the beginning; nil when the
// dice found none.
func (h *history) otherWorld(g engine.Game, kinds map[engine.ID][]string, dice *chance.Dice) *twin {
	cards := kinds[[]engine.ID{"suspect", "weapon", "room", "butler-card"}[dice.Intn(4)]]
	w := &twin{game: g, blind: map[engine.Viewer]bool{}, swap: audit.Swap{cards[dice.Intn(len(cards))], cards[dice.Intn(len(cards))]}}
	for _, v := range everybody {
		w.blind[v] = true
	}
	if w.swap[0] == w.swap[1] {
		return nil
	}
	w.look(h.shows)
	if len(w.blind) == 0 {
		return nil
	}
	w.game = h.book.New()
	for _, r := range h.all {
		e, err := w.renamed(h.book, r)
		if err != nil {
			return nil
		}
		w.game = w.game.Evolve(e)
	}
	if w.game.(interface{ Check() error }).Check() != nil {
		return nil
	}
	return w
}

// tally counts what was compared.
type tally struct {
	worlds, steps, views, probes, onesided int
	broke                                  map[string]int
}

// mayPart are the events that the rules let hang on hidden cards: what an
// accusation brings (C8-113, C8-114), and that an earlier answer was wrong.
var mayPart = []string{"verdict", "wrong", "amend", "none"}

// follow plays a step of the first world in the second. goes: the second world
// still has the same public course.
func (w *twin) follow(h *history, s play.Step, rows []row, n *tally) (goes bool, err error) {
	byDice := s.Command.Act == "roll" || s.Command.Act == "draw" || s.Command.Act == "power"
	var evs []engine.Event
	if !byDice {
		var r *engine.Reject
		if evs, r = w.game.Decide(w.swap.Command(s.Command), chance.New(1)); r != nil {
			n.onesided++
			n.broke["refused"]++
			return false, play.Neutral(w.game, w.swap.Command(s.Command), r)
		}
	}
	for i, one := range rows {
		e, err := w.renamed(h.book, one)
		if err != nil {
			return false, err
		}
		if byDice {
			if slices.Contains(mayPart, one.kind) {
				return false, nil
			}
			w.game = w.game.Evolve(e)
			continue
		}
		want, _ := h.book.EncodeEvent(e)
		kind, got := "nothing", []byte(nil)
		if i < len(evs) {
			kind = evs[i].Kind()
			got, _ = h.book.EncodeEvent(evs[i])
		}
		if kind != one.kind || !bytes.Equal(got, want) {
			n.broke[one.kind+"/"+kind]++
			if slices.Contains(mayPart, one.kind) || slices.Contains(mayPart, kind) {
				return false, nil
			}
			return false, fmt.Errorf("%s becomes %s, by cards that %d viewers have not seen", one.kind, kind, len(w.blind))
		}
		w.game = w.game.Evolve(evs[i])
	}
	if len(evs) > len(rows) {
		kind := evs[len(rows)].Kind()
		n.broke["nothing/"+kind]++
		if !slices.Contains(mayPart, kind) {
			return false, fmt.Errorf("%s follows, by cards that %d viewers have not seen", kind, len(w.blind))
		}
		return false, nil
	}
	n.steps++
	return true, nil
}

// compare: the same bytes for every viewer who has not been shown the difference,
// and the same deadlines for all.
func (w *twin) compare(g engine.Game, n *tally, viewers ...engine.Viewer) error {
	if one, two := g.Deadlines(), w.game.Deadlines(); !slices.Equal(one, two) {
		return fmt.Errorf("the deadlines are %v and %v", one, two)
	}
	for _, v := range viewers {
		if !w.blind[v] {
			continue
		}
		n.views++
		one, _ := json.Marshal(g.View(v))
		two, _ := json.Marshal(w.game.View(v))
		if !bytes.Equal(one, two) {
			return fmt.Errorf("%s can tell two worlds apart that differ in %v:\n%s\n%s", v, w.swap, one, two)
		}
	}
	return nil
}

// attempt is something that may be against the rules.
func attempt(at engine.Millis, kinds map[engine.ID][]string, swap audit.Swap, dice *chance.Dice) engine.Command {
	var all []string
	for _, k := range []engine.ID{"suspect", "weapon", "room", "butler-card"} {
		all = append(all, kinds[k]...)
	}
	card := all[dice.Intn(len(all))]
	if dice.Intn(2) == 0 {
		card = swap[0]
	}
	if dice.Intn(2) == 0 {
		return engine.Scan(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], []engine.ID{engine.ID(card)}, 0)
	}
	act := []string{"answer", "none", "hold", "forget", "draw", "play", "power", "pass", "peek", "dealt"}[dice.Intn(10)]
	c := engine.Command{At: at, By: everybody[1+dice.Intn(len(everybody)-1)], Act: act, Args: engine.Args{}}
	if act != "none" && act != "pass" && act != "peek" && act != "dealt" {
		c.Args["card"] = card
	}
	if act == "power" || act == "play" {
		c.Args["suspect"], c.Args["weapon"], c.Args["room"], c.Args["to"] = "suspect-rose", "weapon-corde", "room-spa", "pool"
	}
	return c
}

// probe tries something in both worlds. A refusal says the same to the table in
// both; where only one world refuses, the refusal looks like a bad reading.
func (w *twin) probe(g engine.Game, c engine.Command, n *tally) error {
	if len(w.blind) == 0 || c.Act == "draw" || c.Act == "power" {
		return nil
	}
	other := w.swap.Command(c)
	if c.Act == "play" { // said aloud
		other = c
	}
	_, one := g.Decide(c, chance.New(1))
	_, two := w.game.Decide(other, chance.New(1))
	n.probes++
	switch {
	case one != nil && two != nil:
		if !reflect.DeepEqual(one.Public, two.Public) || one.To != two.To {
			return fmt.Errorf("%s: the table is told %+v and %+v", c.Act, one.Public, two.Public)
		}
	case one != nil:
		n.onesided++
		return play.Neutral(g, c, one)
	case two != nil:
		n.onesided++
		return play.Neutral(w.game, other, two)
	}
	return nil
}

// dealt plays a table up to its first turn and records it.
func dealt(t *testing.T, b *cluedo.Book, seed uint64) (engine.Game, *history, *chance.Dice) {
	t.Helper()
	dice := chance.New(seed * 104729)
	kinds := hidden(b)
	h := &history{book: b, audit: audit.New(slices.Concat(kinds["suspect"], kinds["weapon"], kinds["room"]))}
	g := table(t, b, 3+int(seed%4), dealing(seed/4%uint64(numDealings)), dice, func(evs []engine.Event) {
		if _, err := h.record(evs); err != nil {
			t.Fatal(err)
		}
	})
	return g, h, dice
}

// TestTwoWorlds plays random games, house rules and ways of dealing sampled, with
// cards that interrupt. At random moments a second world is made in which only two
// cards differ that some viewers have not seen; it plays the same public course as
// long as the rules allow it. Those viewers' bytes, everybody's deadlines and what
// the table is told of refusals are the same in both (C8-002, C8-004, C8-061,
// C8-081, C8-087, C8-114, C8-135, C8-140, C8-153, C8-156, C8-157, C8-158, C8-174;
// GEN-002 to GEN-005, GEN-007, GEN-023). Who has seen what comes from the audit
// package, not from the engine.
func TestTwoWorlds(t *testing.T) {
	books := []*cluedo.Book{rulebook(t), noBoard(t)}
	kinds := hidden(books[0])
	n := tally{broke: map[string]int{}}
	for seed := range uint64(worldGames()) {
		g, h, dice := dealt(t, books[seed/2%2], seed)
		var w *twin
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: brisk, Check: func(s play.Step) (err error) {
			rows, err := h.record(s.Events)
			if err != nil {
				return err
			}
			if w != nil {
				goes := false
				if w.look(h.shows[h.news:]); len(w.blind) > 0 {
					goes, err = w.follow(h, s, rows, &n)
				}
				if err != nil {
					return err
				}
				if !goes {
					w = nil
				}
			}
			if w == nil && dice.Intn(6) == 0 {
				if w = h.otherWorld(s.After, kinds, dice); w != nil {
					n.worlds++
					if err := w.compare(s.After, &n, everybody...); err != nil {
						return err
					}
				}
			}
			if w == nil {
				return nil
			}
			if err := w.compare(s.After, &n, everybody[dice.Intn(len(everybody))]); err != nil {
				return err
			}
			return w.probe(s.After, attempt(s.Command.At, kinds, w.swap, dice), &n)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %d second worlds, %d steps in both, %d views compared, %d acts tried in both, %d judged by one world alone; worlds parted by %v",
		worldGames(), n.worlds, n.steps, n.views, n.probes, n.onesided, n.broke)
	if n.views < 20*worldGames() || n.onesided == 0 {
		t.Error("too little was compared")
	}
}

// secretParts is what a view tells of cards beyond what is said aloud or stands on
// the board: the seat's own knowledge, cards that lie open, and the cards of lines.
func secretParts(v engine.View) string {
	var cards []any
	for _, l := range v.Log {
		cards = append(cards, l.Msg.Args["card"])
	}
	var lists []any
	for _, o := range v.Offers { // what is offered of one's own; the rest names any card there is
		if o.Act == "forget" {
			lists = append(lists, o)
		}
	}
	data, _ := json.Marshal([]any{v.Me, v.Shown, v.Gone, cards, lists, v.Prompt, v.Custody})
	return string(data)
}

// TestCanary plays random games and looks for every hidden card in the views of
// those who were never shown it, in the words of refusals, and in the printed
// forms of games and events (C8-002, C8-004, C8-061, C8-081, C8-135, C8-140;
// GEN-002, GEN-004). Who was shown what comes from the audit package.
func TestCanary(t *testing.T) {
	b := rulebook(t)
	kinds := hidden(b)
	var all []string
	for _, list := range kinds {
		all = append(all, list...)
	}
	views, refusals, games := 0, 0, uint64(60)
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		games = 1000
	}
	for seed := range games {
		g, h, dice := dealt(t, b, seed)
		sings := func(v engine.Viewer, text string) error {
			for _, card := range all {
				if strings.Contains(text, `"`+card+`"`) && !h.audit.May(v, card) {
					return fmt.Errorf("%s finds %s and was never shown it: %s", v, card, text)
				}
			}
			return nil
		}
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: brisk, Check: func(s play.Step) error {
			if _, err := h.record(s.Events); err != nil {
				return err
			}
			for range 2 {
				v := everybody[dice.Intn(len(everybody))]
				views++
				if err := sings(v, secretParts(s.After.View(v))); err != nil {
					return err
				}
			}
			if dice.Intn(8) == 0 {
				text := fmt.Sprintf("%v %+v %#v %s %q %x %v", s.After, s.After, s.After, s.After, s.After, s.Events, s.Before)
				data, _ := json.Marshal([]any{s.After, s.Events})
				text += string(data)
				for _, card := range all {
					if strings.Contains(text, card) {
						return fmt.Errorf("a printed form names %s", card)
					}
				}
			}
			c := attempt(s.Command.At, kinds, audit.Swap{all[0]}, dice)
			if _, r := s.After.Decide(c, chance.New(1)); r != nil {
				refusals++
				words, _ := json.Marshal([]any{r.Why, r.Public})
				for _, card := range all {
					if bytes.Contains(words, []byte(`"`+card+`"`)) && !strings.HasPrefix(card, "room-") { // a room is where the pawn stands
						return fmt.Errorf("the refusal of %s names %s", c.Act, card)
					}
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %d views and %d refusals searched", games, views, refusals)
}
