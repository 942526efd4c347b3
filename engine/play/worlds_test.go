package play_test

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
	"majordome/engine/deck"
	"majordome/engine/huisclos/audit"
	"majordome/engine/play"
)

// everybody is each viewer there can be at a table of Huis Clos, one empty seat
// with them.
var everybody = func() []engine.Viewer {
	all := []engine.Viewer{engine.Public, engine.Host}
	for x := engine.Seat(1); x <= 9; x++ {
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

// stored is an event as it lies in the store.
type stored struct {
	kind string
	data []byte
}

// history is the first world: a game, all that happened in it, and who may know
// what of it.
type history struct {
	book  engine.Rulebook
	audit *audit.Auditor
	all   []stored
	shows []audit.Show
	news  int  // where the shows of the last step begin
	drawn bool // the machine drew the roles
}

func newHistory(b engine.Rulebook) *history {
	return &history{book: b, audit: audit.New(string(deck.HuisClos().Start))}
}

// record takes events and gives them as they lie in the store.
func (h *history) record(evs []engine.Event) ([]stored, error) {
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
		h.all = append(h.all, stored{e.Kind(), data})
		h.shows = append(h.shows, slices.Clone(h.audit.Shows)...)
		h.drawn = h.drawn || e.Kind() == "roles-drawn"
	}
	return h.all[n:], nil
}

// twin is the second world: the same public course with two cards, or two
// roles, changed. blind are the viewers who have been shown nothing that tells
// the two worlds apart.
type twin struct {
	swap  audit.Swap
	game  engine.Game
	blind map[engine.Viewer]bool
}

// look takes the sight from those who have been shown one card of the two.
func (w *twin) look(shows []audit.Show) {
	one, two := w.swap.Card[0], w.swap.Card[1]
	if x := w.swap.Roles; x[0] != 0 {
		one, two = audit.RoleCard(int(x[0])), audit.RoleCard(int(x[1]))
	}
	for _, s := range shows {
		if slices.Contains(s.Cards, one) != slices.Contains(s.Cards, two) {
			w.unblind(s.To)
		}
	}
}

func (w *twin) unblind(v engine.Viewer) {
	if v == engine.Public {
		clear(w.blind)
	}
	delete(w.blind, v)
}

// otherWorld makes a second world at this moment; nil when the dice found none.
//
//   - Two cards that lie together change names from now on: what happened before
//     is the same in both worlds, for everybody.
//   - Two cards, or two roles, change names in the whole history. That world may
//     be one that the rules would not have let happen; then it is dropped.
func (h *history) otherWorld(g engine.Game, cards []string, dice *chance.Dice) *twin {
	w := &twin{game: g, blind: map[engine.Viewer]bool{}}
	for _, v := range everybody {
		w.blind[v] = true
	}
	how := dice.Intn(4)
	if how == 0 && h.drawn {
		n := 0
		for h.audit.Role(engine.Seat(n+1)) != "" {
			n++
		}
		w.swap.Roles = [2]engine.Seat{engine.Seat(dice.Intn(n) + 1), engine.Seat(dice.Intn(n) + 1)}
		x, y := w.swap.Roles[0], w.swap.Roles[1]
		if x == y || h.audit.MayRole(engine.Public, x) || h.audit.MayRole(engine.Public, y) {
			return nil
		}
		delete(w.blind, engine.At(x))
		delete(w.blind, engine.At(y))
		return h.again(w)
	}
	c, d := cards[dice.Intn(len(cards))], cards[dice.Intn(len(cards))]
	w.swap.Card = [2]string{c, d}
	switch {
	case c == d:
		return nil
	case how == 1:
		w.look(h.shows)
		return h.again(w)
	case h.audit.Where(c) != h.audit.Where(d) || h.audit.Where(c) == "urn" || h.audit.May(engine.Public, c) || h.audit.May(engine.Public, d):
		return nil // what everybody has seen is not the same card by another name
	}
	return w
}

// again plays the history anew with the swap of w.
func (h *history) again(w *twin) *twin {
	if len(w.blind) == 0 {
		return nil
	}
	g := h.book.New()
	for _, e := range h.all {
		ev, err := w.renamed(h.book, e)
		if err != nil {
			return nil
		}
		g = g.Evolve(ev)
	}
	if g.(interface{ Check() error }).Check() != nil {
		return nil
	}
	w.game = g
	return w
}

func (w *twin) renamed(b engine.Rulebook, e stored) (engine.Event, error) {
	data, err := w.swap.Event(e.kind, e.data)
	if err != nil {
		return nil, err
	}
	return b.DecodeEvent(e.kind, data)
}

// tally counts what was compared.
type tally struct {
	worlds, views, courses, ended, refusals, onesided, judged int
	broke                                                     map[string]int
}

// byDice are acts whose outcome is rolled: the other world is dealt the same.
var byDice = map[string]bool{"draw-roles": true, "deal": true, "draw": true}

// mayDiffer are public facts that the rules themselves let hang on hidden cards:
// no deposit (HC-125, HC-126), whether the roles were drawn rightly (rules, 4.2),
// nothing left to destroy in the Confrontation (HC-206), a move after which
// nothing can be done, because only an accusation could (HC-054, HC-091), and the
// swap of a small hand that holds two weapons (HC-181), which the numbers show.
func mayDiffer(act, kind string, duel, excess bool) bool {
	switch kind {
	case "no-deposit", "roles-wrong", "roles-right":
		return true
	case "purged", "investigated":
		return duel || act == "move"
	case "took":
		return excess
	}
	return false
}

// excess reports that a seat that must act in the first world holds two weapons
// in one of the worlds.
func (w *twin) excess(h *history, seat engine.Seat) bool {
	one, two := 0, 0
	for _, c := range clues(h.book) {
		if h.audit.Where(c) != seat.String() {
			continue
		}
		if strings.HasPrefix(c, "weapon-") {
			one++
		}
		if strings.HasPrefix(w.swap.Of(c), "weapon-") {
			two++
		}
	}
	return max(one, two) >= 2
}

// follow plays a step of the first world in the second. goes: the second world
// still has the same public course.
func (w *twin) follow(h *history, s play.Step, rows []stored, n *tally) (goes bool, err error) {
	b := h.book
	var evs []engine.Event
	if !byDice[s.Command.Act] {
		var r *engine.Reject
		if evs, r = w.game.Decide(w.swap.Command(s.Command), chance.New(1)); r != nil {
			n.onesided++
			n.broke["refused"]++
			return false, play.Neutral(w.game, s.Command, r)
		}
	}
	g := w.game
	public := g.View(engine.Public)
	part := func(one, two string) error {
		n.broke[s.Command.Act+": "+one+"/"+two]++
		duel := alive(public) == 2
		excess := len(public.Active) > 0 && w.excess(h, public.Active[0])
		if mayDiffer(s.Command.Act, one, duel, excess) || mayDiffer(s.Command.Act, two, duel, excess) || len(w.blind) == 0 {
			return nil
		}
		return fmt.Errorf("%s becomes %s, by cards or roles that %d viewers have not seen", one, two, len(w.blind))
	}
	for i, row := range rows {
		e, err := w.renamed(b, row)
		if err != nil {
			return false, err
		}
		if byDice[s.Command.Act] {
			g = g.Evolve(e)
			continue
		}
		want, _ := b.EncodeEvent(e)
		var got []byte
		kind := "nothing"
		if i < len(evs) {
			kind = evs[i].Kind()
			got, _ = b.EncodeEvent(evs[i])
		}
		if kind != row.kind || !bytes.Equal(got, want) {
			return false, part(row.kind, kind)
		}
		g = g.Evolve(evs[i])
	}
	if len(evs) > len(rows) {
		return false, part("nothing", evs[len(rows)].Kind())
	}
	w.game = g
	n.courses++
	return true, nil
}

// alive is the number of living players.
func alive(v engine.View) (n int) {
	for _, s := range v.Seats {
		if s.Alive {
			n++
		}
	}
	return n
}

// compare: the same bytes for every viewer who has not been shown the
// difference, and the same deadlines.
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
			return fmt.Errorf("%s can tell two worlds apart that differ in %+v:\n%s\n%s", v, w.swap, one, two)
		}
	}
	return nil
}

// probe tries something that may be against the rules in both worlds. A refusal
// says the same to the table in both; where only one world refuses, the refusal
// looks like a bad reading. So does what one world accepts and the other does
// not by a reader.
func (w *twin) probe(g engine.Game, at engine.Millis, cards []string, dice *chance.Dice, n *tally) error {
	if len(w.blind) == 0 {
		return nil
	}
	card := cards[dice.Intn(len(cards))]
	if dice.Intn(3) == 0 {
		card = w.swap.Card[0]
	}
	c := engine.Scan(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], []engine.ID{engine.ID(card)}, 0)
	if active := g.View(engine.Public).Active; dice.Intn(2) == 0 && len(active) > 0 {
		act := []string{"keep", "take", "leave", "destroy", "give", "deposit", "recover", "accuse"}[dice.Intn(8)]
		c = engine.Command{At: at, By: engine.At(active[0]), Act: act, Args: engine.Args{"card": card}}
		if act == "accuse" {
			c.Args["seat"] = engine.Seat(dice.Intn(8) + 1).String()
		}
	}
	_, one := g.Decide(c, chance.New(1))
	_, two := w.game.Decide(w.swap.Command(c), chance.New(1))
	n.refusals++
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
		return play.Neutral(w.game, w.swap.Command(c), two)
	}
	return nil
}

// TestTwoWorldsAllGame plays random games with all house rules sampled. At
// random moments a second world is made in which only two cards, or two roles,
// differ that some viewers have not seen; it plays the same public course by the
// rules, as long as they allow it. Those viewers' bytes (prompt, offers, facts,
// log and all), everybody's deadlines and what the table is told of refusals are
// the same in both (GEN-002 to GEN-005, GEN-007, HC-045, HC-068, HC-086, HC-115, HC-121,
// HC-128, HC-132, HC-141).
//
// Who has seen what comes from the audit package, not from the engine.
func TestTwoWorldsAllGame(t *testing.T) {
	b := rulebook(t)
	cards := clues(b)
	n := tally{broke: map[string]int{}}
	for seed := range uint64(worldGames()) {
		dice := chance.New(seed * 104729)
		g, evs := table(t, b, 4+int(seed%5), dice)
		h := newHistory(b)
		if _, err := h.record(evs); err != nil {
			t.Fatal(err)
		}
		var w *twin
		weigh := everyCardRecorded
		if seed%3 == 2 {
			weigh = nil // also cards that the machine is not told of
		}
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: weigh, Check: func(s play.Step) error {
			rows, err := h.record(s.Events)
			if err != nil {
				return err
			}
			if w != nil {
				w.look(h.shows[h.news:])
				goes, err := w.follow(h, s, rows, &n)
				if err != nil {
					return err
				}
				if !goes || len(w.blind) == 0 {
					n.ended++
					w = nil
				}
			}
			if w == nil && dice.Intn(3) == 0 {
				if w = h.otherWorld(s.After, cards, dice); w != nil {
					n.worlds++
					if err := w.compare(s.After, &n, everybody...); err != nil {
						return err
					}
				}
			}
			if w == nil {
				return nil
			}
			if dice.Intn(2) == 0 {
				if err := w.compare(s.After, &n, everybody[dice.Intn(len(everybody))]); err != nil {
					return err
				}
			}
			return w.probe(s.After, s.Command.At, cards, dice, &n)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %d second worlds, %d steps in both, %d views compared, %d acts tried in both, %d judged by one world alone; worlds parted by %v",
		worldGames(), n.worlds, n.courses, n.views, n.refusals, n.onesided, n.broke)
	if n.views < 20*worldGames() || n.onesided == 0 {
		t.Error("too little was compared")
	}
}

// everyCardRecorded leaves out the acts that keep a card from the machine: the
// audit follows named cards.
func everyCardRecorded(v engine.Viewer, o engine.Offer) int {
	if v.IsHost() && (o.Act == "destroy" || o.Act == "accuse") { // by public facts: it may name a card that lies elsewhere
		return 0
	}
	if o.Aside || o.Act == "laid" || o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == "unknown" {
		return 0
	}
	return 1
}

// clues are the ids of all cards that are ever hidden in a hand or a place.
func clues(b engine.Rulebook) (ids []string) {
	for _, name := range b.Names() {
		if name.Kind == "clue" || name.Kind == "weapon" {
			ids = append(ids, string(name.ID))
		}
	}
	return ids
}
