// Package worlds plays a game in two worlds that differ only in what some viewers
// have not seen, and says where one of those viewers could tell them apart: by a
// byte of a view, by a deadline, or by what the table is told of a refusal. It is
// for tests.
//
//	h := worlds.Record(book, feed)      the first world; feed audits its events
//	h.Add(events)                       what happened before play begins
//	p := &worlds.Pair{History: h, ...}
//	play.Run(game, &play.Opts{Check: p.Step})
//
// Who has seen what comes from the audit behind feed, never from the engine.
//
// It holds every secret of a game, as the store does; its errors quote them.
package worlds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
)

// Everybody is each viewer there can be, those of empty seats with them.
var Everybody = func() []engine.Viewer {
	all := []engine.Viewer{engine.Public, engine.Host}
	for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
		all = append(all, engine.At(x))
	}
	return all
}()

// Row is an event as it lies in the store.
type Row struct {
	Kind string
	Data []byte
}

// Show is a set of cards that one viewer was shown together. Everybody is told
// with the public.
type Show struct {
	To    engine.Viewer
	Cards []string
}

// History is the first world: all that happened in it, and who was shown what.
type History struct {
	Book  engine.Rulebook
	Rows  []Row
	Shows []Show
	feed  func(kind string, data []byte) ([]Show, error)
	news  int // where the shows of the last events begin
}

// Record is an empty history; feed says what each stored event shows to whom.
func Record(b engine.Rulebook, feed func(kind string, data []byte) ([]Show, error)) *History {
	return &History{Book: b, feed: feed}
}

// Add takes events and gives them as they lie in the store.
func (h *History) Add(evs []engine.Event) ([]Row, error) {
	n := len(h.Rows)
	h.news = len(h.Shows)
	for _, e := range evs {
		data, err := h.Book.EncodeEvent(e)
		if err != nil {
			return nil, err
		}
		shows, err := h.feed(e.Kind(), data)
		if err != nil {
			return nil, err
		}
		h.Rows = append(h.Rows, Row{e.Kind(), data})
		for _, s := range shows {
			h.Shows = append(h.Shows, Show{s.To, slices.Clone(s.Cards)})
		}
	}
	return h.Rows[n:], nil
}

// News are what the events of the last Add have shown.
func (h *History) News() []Show { return h.Shows[h.news:] }

// Swap is what differs between the worlds.
type Swap interface {
	// Event is a stored event as it happened in the other world.
	Event(kind string, data []byte) ([]byte, error)
	// Command is a command as it is given in the other world.
	Command(engine.Command) engine.Command
}

// Twin is the second world: the same public course with two cards changed.
type Twin struct {
	Swap Swap
	Game engine.Game
	// Two are the cards that are changed. Blind are the viewers who have been
	// shown nothing that tells them apart.
	Two   [2]string
	Blind map[engine.Viewer]bool
}

// New is a second world at a moment at which both are the same for everybody.
func New(g engine.Game, swap Swap, one, two string) *Twin {
	w := &Twin{Swap: swap, Game: g, Two: [2]string{one, two}, Blind: map[engine.Viewer]bool{}}
	for _, v := range Everybody {
		w.Blind[v] = true
	}
	return w
}

// Look takes the sight from those who have been shown one card of the two.
func (w *Twin) Look(shows []Show) {
	for _, s := range shows {
		if slices.Contains(s.Cards, w.Two[0]) == slices.Contains(s.Cards, w.Two[1]) {
			continue
		}
		if s.To == engine.Public {
			clear(w.Blind)
		}
		delete(w.Blind, s.To)
	}
}

// Again plays the history anew in the second world. It gives nil when there is
// nobody left to compare for, or when that world is one that the rules would not
// have let happen.
func (w *Twin) Again(h *History) *Twin {
	if len(w.Blind) == 0 {
		return nil
	}
	w.Game = h.Book.New()
	for _, r := range h.Rows {
		e, err := w.renamed(h.Book, r)
		if err != nil {
			return nil
		}
		w.Game = w.Game.Evolve(e)
	}
	if w.Game.(interface{ Check() error }).Check() != nil {
		return nil
	}
	return w
}

func (w *Twin) renamed(b engine.Rulebook, r Row) (engine.Event, error) {
	data, err := w.Swap.Event(r.Kind, r.Data)
	if err != nil {
		return nil, err
	}
	return b.DecodeEvent(r.Kind, data)
}

// Tally counts what was compared.
type Tally struct {
	Worlds, Steps, Views, Probes, Onesided int
	// Cheats are acts and copies tried by somebody who is blind; Alarms those of them
	// that one world alone met with the alarm; Stands the alarms in a deal.
	Cheats, Alarms, Stands int
	Overseen               int            // steps at which the overseer is shown two things
	Broke                  map[string]int // at which events worlds parted
}

// String is the report of a test.
func (n *Tally) String() string {
	return fmt.Sprintf("%d second worlds, %d steps in both, %d views compared, %d acts tried in both, %d judged by one world alone, %d tried by a cheater, %d with an alarm in one world alone, %d by which a deal stands, the overseer sees another card at %d steps; worlds parted by %v",
		n.Worlds, n.Steps, n.Views, n.Probes, n.Onesided, n.Cheats, n.Alarms, n.Stands, n.Overseen, n.Broke)
}

// Pair plays the first world and, beside it, one second world after another.
type Pair struct {
	*History
	Dice *chance.Dice
	// Rare is how many steps there are on average to one at which a second
	// world is looked for.
	Rare int
	// Other makes a second world at this moment; nil when the dice found none.
	Other func(engine.Game) *Twin
	// ByDice are acts whose outcome is rolled: the other world rolls the same.
	ByDice map[string]bool
	// MayPart says whether the rules let hang on hidden cards what comes in one world, and
	// not in the other: the kinds of its events from where the two part, none where it has no
	// more. w still stands before the step.
	MayPart func(w *Twin, act string, kinds []string) bool
	// Attempt is something that may be against the rules, as it is given in each
	// of the worlds.
	Attempt func(s play.Step, w *Twin) (one, two engine.Command)
	// Cheat is what somebody at the seat v, who is blind, tries to find out: any act
	// of that seat, or copies of any cards at any reader. It is the same in both worlds,
	// which look the same to v.
	Cheat func(s play.Step, w *Twin, v engine.Viewer) engine.Command
	// Reveals are the kinds of events by which somebody is lawfully shown cards.
	Reveals map[string]bool
	// Records are the kinds of events that keep which card was seen, and of which
	// nobody is told by themselves.
	Records map[string]bool
	Tally   *Tally

	twin *Twin
}

// Step follows a step of the first world in the second, and compares the two.
func (p *Pair) Step(s play.Step) error {
	rows, err := p.Add(s.Events)
	if err != nil {
		return err
	}
	if p.twin != nil {
		goes := false
		if p.twin.Look(p.News()); len(p.twin.Blind) > 0 {
			goes, err = p.follow(p.twin, s, rows)
		}
		if err != nil {
			return err
		}
		if !goes {
			p.twin = nil
		}
	}
	if p.twin == nil && p.Dice.Intn(p.Rare) == 0 {
		if err := p.begin(s.After); err != nil {
			return err
		}
	}
	if p.twin == nil || len(p.twin.Blind) == 0 {
		return nil
	}
	return p.tellApart(s)
}

// begin looks for a second world beside g.
func (p *Pair) begin(g engine.Game) error {
	if p.twin = p.Other(g); p.twin == nil {
		return nil
	}
	p.Tally.Worlds++
	return p.compare(p.twin, g, Everybody...)
}

// tellApart compares the two worlds, and tries what could tell them apart.
func (p *Pair) tellApart(s play.Step) error {
	if err := p.compare(p.twin, s.After, Everybody[p.Dice.Intn(len(Everybody))]); err != nil {
		return err
	}
	if err := p.oversee(p.twin, s.After); err != nil {
		return err
	}
	one, two := p.Attempt(s, p.twin)
	if err := p.probe(s.After, p.twin.Game, one, two); err != nil {
		return err
	}
	v, ok := p.blindSeat(s.After)
	if !ok {
		return nil
	}
	return p.cheat(s.After, p.twin.Game, v, p.Cheat(s, p.twin, v))
}

// follow plays a step of the first world in the second. goes: the second world
// still has the same public course.
func (p *Pair) follow(w *Twin, s play.Step, rows []Row) (goes bool, err error) {
	act := s.Command.Act
	kinds := make([]string, len(rows))
	for i, r := range rows {
		kinds[i] = r.Kind
	}
	if p.ByDice[act] {
		return p.rolled(w, act, rows, kinds)
	}
	evs, r := w.Game.Decide(w.Swap.Command(s.Command), chance.New(1))
	if r != nil && len(evs) == 0 {
		p.Tally.Onesided++
		p.Tally.Broke["refused"]++
		return false, play.Neutral(w.Game, w.Swap.Command(s.Command), r)
	}
	g := w.Game
	for i, row := range rows {
		e, err := w.renamed(p.Book, row)
		if err != nil {
			return false, err
		}
		want, _ := p.Book.EncodeEvent(e)
		if i >= len(evs) {
			return false, p.part(w, act, kinds[i:], nil)
		}
		if got, _ := p.Book.EncodeEvent(evs[i]); evs[i].Kind() != row.Kind || !bytes.Equal(got, want) {
			return false, p.part(w, act, kinds[i:], Kinds(evs[i:]))
		}
		g = g.Evolve(evs[i])
	}
	if len(evs) > len(rows) {
		return false, p.part(w, act, nil, Kinds(evs[len(rows):]))
	}
	w.Game = g
	p.Tally.Steps++
	return true, nil
}

// rolled is follow for an act whose outcome the dice say: the second world rolls what the first did.
func (p *Pair) rolled(w *Twin, act string, rows []Row, kinds []string) (goes bool, err error) {
	g := w.Game
	for i, row := range rows {
		e, err := w.renamed(p.Book, row)
		if err != nil {
			return false, err
		}
		if p.MayPart(w, act, kinds[i:]) {
			return false, nil
		}
		g = g.Evolve(e)
	}
	w.Game = g
	p.Tally.Steps++
	return true, nil
}

// part counts that one comes in the first world and two in the second, and says where no rule lets them.
func (p *Pair) part(w *Twin, act string, one, two []string) error {
	p.Tally.Broke[act+": "+first(one)+"/"+first(two)]++
	alarm := first(one) == kindAlarmed || first(two) == kindAlarmed // all hear it (GEN-E13)
	if alarm || p.MayPart(w, act, one) || p.MayPart(w, act, two) {
		return nil
	}
	return fmt.Errorf("%s: %s becomes %s, by cards that %d viewers have not seen", act, first(one), first(two), len(w.Blind))
}

// kindAlarmed is the event by which a deal stands after an alarm, in every game.
const kindAlarmed = "alarmed"

// Kinds are those of some events.
func Kinds(evs []engine.Event) []string {
	kinds := make([]string, len(evs))
	for i, e := range evs {
		kinds[i] = e.Kind()
	}
	return kinds
}

// first names what comes next.
func first(kinds []string) string {
	if len(kinds) == 0 {
		return "nothing"
	}
	return kinds[0]
}

// compare: the same bytes for every viewer who has not been shown the difference,
// and the same deadlines for all.
func (p *Pair) compare(w *Twin, g engine.Game, viewers ...engine.Viewer) error {
	if one, two := g.Deadlines(), w.Game.Deadlines(); !slices.Equal(one, two) {
		return fmt.Errorf("the deadlines are %v and %v", one, two)
	}
	for _, v := range viewers {
		if !w.Blind[engine.Public] && !w.Blind[v] {
			continue
		}
		this, that := g.View(v), w.Game.View(v)
		if w.Blind[engine.Public] {
			if one, two := engine.Glance(this), engine.Glance(that); !slices.Equal(one, two) {
				return fmt.Errorf("whoever glances at the phone of %s can tell two worlds apart that differ in %+v:\n%s\n%s",
					v, w.Swap, strings.Join(one, "\n"), strings.Join(two, "\n"))
			}
		}
		if !w.Blind[v] {
			continue
		}
		p.Tally.Views++
		if apart := Apart(this, that); apart != "" {
			return fmt.Errorf("%s can tell two worlds apart that differ in %+v:\n%s", v, w.Swap, apart)
		}
	}
	return nil
}

// probe tries an act in both worlds. A refusal says the same to the table in both;
// where only one world refuses, the refusal looks like a bad reading.
func (p *Pair) probe(g, other engine.Game, c, d engine.Command) error {
	_, one := g.Decide(c, chance.New(1))
	_, two := other.Decide(d, chance.New(1))
	p.Tally.Probes++
	switch {
	case one != nil && two != nil:
		if one.Rule != two.Rule && (one.Rule == engine.RuleAlarm || two.Rule == engine.RuleAlarm) {
			return errors.Join(play.Neutral(g, c, one), play.Neutral(other, d, two))
		}
		if !reflect.DeepEqual(one.Public, two.Public) || one.To != two.To {
			return fmt.Errorf("%s: the table is told %+v and %+v", c.Act, one.Public, two.Public)
		}
	case one != nil:
		p.Tally.Onesided++
		return play.Neutral(g, c, one)
	case two != nil:
		p.Tally.Onesided++
		return play.Neutral(other, d, two)
	}
	return nil
}

// Apart compares what a page is told of two views, byte by byte, and shows where they begin to differ; empty: nowhere.
func Apart(this, that engine.View) string {
	if reflect.DeepEqual(this, that) { // cheaper than the bytes
		return ""
	}
	one, _ := json.Marshal(this)
	two, _ := json.Marshal(that)
	if bytes.Equal(one, two) {
		return ""
	}
	n := 0
	for n < min(len(one), len(two)) && one[n] == two[n] {
		n++
	}
	around := func(s []byte) []byte { return s[max(0, n-200):min(len(s), n+200)] }
	return fmt.Sprintf("%s\n%s", around(one), around(two))
}
