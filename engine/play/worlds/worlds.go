// Package worlds plays a game in two worlds that differ only in cards that some viewers have not
// seen. It reports where one of those viewers could distinguish them: by a byte of a view, by a
// deadline, or by the public message of a refusal. It is for tests.
//
//	h := worlds.NewHistory(book, audit)      the first world; audit says what its events show
//	h.Add(events)                            the events before play begins
//	p := &worlds.Pair{History: h, ...}
//	play.Run(game, &play.Opts{Check: p.CheckStep})
//
// The audit says who has seen what; the engine is never asked.
//
// What may leak: the package holds every secret of a game, like the store, and its errors quote
// them.
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

// AllViewers lists every possible viewer except the overseer, including those of free seats.
var Everybody = func() []engine.Viewer {
	all := []engine.Viewer{engine.Public, engine.Host}
	for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
		all = append(all, engine.At(x))
	}
	return all
}()

// StoredEvent is an event in the form of the store.
type Row struct {
	Kind string
	Data []byte
}

// Showing is a set of cards that one viewer saw together. A showing to the public is for all.
type Show struct {
	To    engine.Viewer
	Cards []string
}

// History is the first world: all its events, and who saw what.
type History struct {
	Book  engine.Rulebook
	Rows  []Row
	Shows []Show
	feed  func(kind string, data []byte) ([]Show, error)
	news  int // index in Showings of those of the last Add
}

// NewHistory returns an empty history. audit says what each stored event shows to whom.
func Record(b engine.Rulebook, feed func(kind string, data []byte) ([]Show, error)) *History {
	return &History{Book: b, feed: feed}
}

// Add adds events and returns them in the form of the store.
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

// NewShowings returns what the events of the last Add have shown.
func (h *History) News() []Show { return h.Shows[h.news:] }

// CardSwap is the difference between the worlds.
type Swap interface {
	// SwapEvent returns a stored event as it happened in the other world.
	Event(kind string, data []byte) ([]byte, error)
	// SwapCommand returns a command as it is given in the other world.
	Command(engine.Command) engine.Command
}

// SecondWorld is a world with the same public course and two cards swapped.
type Twin struct {
	Swap Swap
	Game engine.Game
	// Cards are the two swapped cards. Blind are the viewers who have seen nothing that
	// distinguishes them.
	Two   [2]string
	Blind map[engine.Viewer]bool
}

// NewSecondWorld returns a second world at a moment at which both worlds are the same for all
// viewers.
func New(g engine.Game, swap Swap, one, two string) *Twin {
	w := &Twin{Swap: swap, Game: g, Two: [2]string{one, two}, Blind: map[engine.Viewer]bool{}}
	for _, v := range Everybody {
		w.Blind[v] = true
	}
	return w
}

// MarkSeen removes from Blind each viewer who has been shown exactly one of the two cards.
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

// ReplayHistory plays the history from its start in the second world. It returns nil if no viewer
// is left to compare for, or if the rules do not allow that world.
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

// Tally counts the comparisons.
type Tally struct {
	Worlds, Steps, Views, Probes, Onesided int
	// Cheats counts acts and copies tried by blind viewers, Alarms those of them that raised the
	// alarm in only one world, StoppedDeals the alarms in a deal.
	Cheats, Alarms, Stands int
	Overseen               int            // steps at which the overseer saw a difference
	Broke                  map[string]int // by event: how often the worlds parted there
}

// String returns a report for tests.
func (n *Tally) String() string {
	return fmt.Sprintf("%d second worlds, %d steps in both, %d views compared, %d acts tried in both, "+
		"%d judged by one world alone, %d tried by a cheater, %d with an alarm in one world alone, "+
		"%d by which a deal stands, the overseer sees another card at %d steps; worlds parted by %v",
		n.Worlds, n.Steps, n.Views, n.Probes, n.Onesided, n.Cheats, n.Alarms, n.Stands, n.Overseen, n.Broke)
}

// Pair plays the first world and, in parallel, one second world after another.
type Pair struct {
	*History
	Dice *chance.Dice
	// Rare is the average number of steps per search for a new second world.
	Rare int
	// Other makes a second world at this moment; nil if the dice found none.
	Other func(engine.Game) *Twin
	// ByDice lists the acts with a random outcome: the other world uses the same one.
	ByDice map[string]bool
	// MayPart reports whether the rules let these events depend on hidden cards, so that they may
	// happen in one world and not in the other. kinds are the kinds of events in one world from the
	// first difference on; empty if it has no more. w is the world before the step.
	MayPart func(w *Twin, act string, kinds []string) bool
	// Attempt returns an act that may be against the rules, in the form for each world.
	Attempt func(s play.Step, w *Twin) (one, two engine.Command)
	// Cheat returns a command with which the blind player at seat v tries to find out something:
	// any act of that seat, or copies of any cards at any reader. It is the same command in both
	// worlds, which look the same to v.
	Cheat func(s play.Step, w *Twin, v engine.Viewer) engine.Command
	// Reveals lists the kinds of events that lawfully show cards to a viewer.
	Reveals map[string]bool
	// Records lists the kinds of events that only record which card was seen, and that no viewer is
	// informed of separately.
	Records map[string]bool
	Tally   *Tally

	twin *Twin
}

// CheckStep repeats a step of the first world in the second, and compares the two.
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

// beginSecond looks for a second world that equals g in public.
func (p *Pair) begin(g engine.Game) error {
	if p.twin = p.Other(g); p.twin == nil {
		return nil
	}
	p.Tally.Worlds++
	return p.compare(p.twin, g, Everybody...)
}

// tryToDistinguish compares the two worlds, and tries acts that could distinguish them.
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

// followStep plays a step of the first world in the second. goes: the second world still has the
// same public course.
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

// followRolled is followStep for an act with a random outcome: the second world uses that of the
// first.
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

// checkParting counts a parting of the worlds into events of kinds one and two, and returns an
// error unless a rule allows it.
func (p *Pair) part(w *Twin, act string, one, two []string) error {
	p.Tally.Broke[act+": "+first(one)+"/"+first(two)]++
	alarm := first(one) == kindAlarmed || first(two) == kindAlarmed // all viewers see it (GEN-E13)
	if alarm || p.MayPart(w, act, one) || p.MayPart(w, act, two) {
		return nil
	}
	return fmt.Errorf("%s: %s becomes %s, by cards that %d viewers have not seen", act, first(one), first(two), len(w.Blind))
}

// kindAlarmed is the kind of the event that stops a deal after an alarm, in every game.
const kindAlarmed = "alarmed"

// EventKinds returns the kinds of events.
func Kinds(evs []engine.Event) []string {
	kinds := make([]string, len(evs))
	for i, e := range evs {
		kinds[i] = e.Kind()
	}
	return kinds
}

// firstKind returns the first kind, for messages.
func first(kinds []string) string {
	if len(kinds) == 0 {
		return "nothing"
	}
	return kinds[0]
}

// compareViews checks that each viewer who has not seen the difference gets the same bytes in both
// worlds, and that the deadlines are equal.
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

// probeBoth tries an act in both worlds. If both refuse, the table must receive the same message.
// If only one refuses, the refusal must look like a bad reading.
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

// FirstDifference compares the JSON of two views and returns the text around their first
// difference; empty: none.
func Apart(this, that engine.View) string {
	if reflect.DeepEqual(this, that) { // cheaper than comparing JSON
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
