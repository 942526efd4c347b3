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
var AllViewers = func() []engine.Viewer {
	all := []engine.Viewer{engine.Public, engine.Host}
	for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
		all = append(all, engine.SeatViewer(x))
	}
	return all
}()

// StoredEvent is an event in the form of the store.
type StoredEvent struct {
	Kind string
	Data []byte
}

// Showing is a set of cards that one viewer saw together. A showing to the public is for all.
type Showing struct {
	To    engine.Viewer
	Cards []string
}

// History is the first world: all its events, and who saw what.
type History struct {
	Book     engine.Rulebook
	Events   []StoredEvent
	Showings []Showing
	audit    func(kind string, data []byte) ([]Showing, error)
	newFrom  int // index in Showings of those of the last Add
}

// NewHistory returns an empty history. audit says what each stored event shows to whom.
func NewHistory(b engine.Rulebook, audit func(kind string, data []byte) ([]Showing, error)) *History {
	return &History{Book: b, audit: audit}
}

// Add adds events and returns them in the form of the store.
func (h *History) Add(evs []engine.Event) ([]StoredEvent, error) {
	n := len(h.Events)
	h.newFrom = len(h.Showings)
	for _, e := range evs {
		data, err := h.Book.EncodeEvent(e)
		if err != nil {
			return nil, err
		}
		shows, err := h.audit(e.Kind(), data)
		if err != nil {
			return nil, err
		}
		h.Events = append(h.Events, StoredEvent{e.Kind(), data})
		for _, s := range shows {
			h.Showings = append(h.Showings, Showing{s.To, slices.Clone(s.Cards)})
		}
	}
	return h.Events[n:], nil
}

// NewShowings returns what the events of the last Add have shown.
func (h *History) NewShowings() []Showing { return h.Showings[h.newFrom:] }

// CardSwap is the difference between the worlds.
type CardSwap interface {
	// SwapEvent returns a stored event as it happened in the other world.
	SwapEvent(kind string, data []byte) ([]byte, error)
	// SwapCommand returns a command as it is given in the other world.
	SwapCommand(engine.Command) engine.Command
}

// SecondWorld is a world with the same public course and two cards swapped.
type SecondWorld struct {
	Swap CardSwap
	Game engine.Game
	// Cards are the two swapped cards. Blind are the viewers who have seen nothing that
	// distinguishes them.
	Cards [2]string
	Blind map[engine.Viewer]bool
}

// NewSecondWorld returns a second world at a moment at which both worlds are the same for all
// viewers.
func NewSecondWorld(g engine.Game, swap CardSwap, one, two string) *SecondWorld {
	w := &SecondWorld{Swap: swap, Game: g, Cards: [2]string{one, two}, Blind: map[engine.Viewer]bool{}}
	for _, v := range AllViewers {
		w.Blind[v] = true
	}
	return w
}

// RemoveWhoSawOne removes from Blind each viewer who has been shown exactly one of the two cards.
func (w *SecondWorld) RemoveWhoSawOne(shows []Showing) {
	for _, s := range shows {
		if slices.Contains(s.Cards, w.Cards[0]) == slices.Contains(s.Cards, w.Cards[1]) {
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
func (w *SecondWorld) ReplayHistory(h *History) *SecondWorld {
	if len(w.Blind) == 0 {
		return nil
	}
	w.Game = h.Book.NewGame()
	for _, r := range h.Events {
		e, err := w.swappedEvent(h.Book, r)
		if err != nil {
			return nil
		}
		w.Game = w.Game.Apply(e)
	}
	if w.Game.(interface{ CheckInvariants() error }).CheckInvariants() != nil {
		return nil
	}
	return w
}

func (w *SecondWorld) swappedEvent(b engine.Rulebook, r StoredEvent) (engine.Event, error) {
	data, err := w.Swap.SwapEvent(r.Kind, r.Data)
	if err != nil {
		return nil, err
	}
	return b.DecodeEvent(r.Kind, data)
}

// Tally counts the comparisons.
type Tally struct {
	Worlds, Steps, Views, Probes, OneSided int
	Chronicles                             int // compared, after the end
	// Cheats counts acts and copies tried by blind viewers, Alarms those of them that raised the
	// alarm in only one world, StoppedDeals the alarms in a deal.
	Cheats, Alarms, StoppedDeals int
	OverseerSteps                int            // steps at which the overseer saw a difference
	Partings                     map[string]int // by event: how often the worlds parted there
}

// String returns a report for tests.
func (n *Tally) String() string {
	return fmt.Sprintf("%d second worlds, %d steps in both, %d views compared, %d acts tried in both, "+
		"%d judged by one world alone, %d tried by a cheater, %d with an alarm in one world alone, "+
		"%d by which a deal stands, %d chronicles compared, the overseer sees another card at %d steps; worlds parted by %v",
		n.Worlds, n.Steps, n.Views, n.Probes, n.OneSided, n.Cheats, n.Alarms, n.StoppedDeals, n.Chronicles, n.OverseerSteps, n.Partings)
}

// Pair plays the first world and, in parallel, one second world after another.
type Pair struct {
	*History
	Dice *chance.Dice
	// Rare is the average number of steps per search for a new second world.
	Rare int
	// NewSecond makes a second world at this moment; nil if the dice found none.
	NewSecond func(engine.Game) *SecondWorld
	// RandomActs lists the acts with a random outcome: the other world uses the same one.
	RandomActs map[string]bool
	// MayDiffer reports whether the rules let these events depend on hidden cards, so that they may
	// happen in one world and not in the other. kinds are the kinds of events in one world from the
	// first difference on; empty if it has no more. w is the world before the step.
	MayDiffer func(w *SecondWorld, act string, kinds []string) bool
	// ProbeCommands returns an act that may be against the rules, in the form for each world.
	ProbeCommands func(s play.Step, w *SecondWorld) (one, two engine.Command)
	// CheatCommand returns a command with which the blind player at seat v tries to find out something:
	// any act of that seat, or copies of any cards at any reader. It is the same command in both
	// worlds, which look the same to v.
	CheatCommand func(s play.Step, w *SecondWorld, v engine.Viewer) engine.Command
	// RevealingKinds lists the kinds of events that lawfully show cards to a viewer.
	RevealingKinds map[string]bool
	// RecordKinds lists the kinds of events that only record which card was seen, and that no viewer is
	// informed of separately.
	RecordKinds map[string]bool
	Tally       *Tally

	second *SecondWorld
}

// CheckStep repeats a step of the first world in the second, and compares the two.
func (p *Pair) CheckStep(s play.Step) error {
	rows, err := p.Add(s.Events)
	if err != nil {
		return err
	}
	if p.second != nil {
		goes := false
		if p.second.RemoveWhoSawOne(p.NewShowings()); len(p.second.Blind) > 0 {
			goes, err = p.playStepInSecond(p.second, s, rows)
		}
		if err != nil {
			return err
		}
		if !goes {
			p.second = nil
		}
	}
	if p.second == nil && p.Dice.Intn(p.Rare) == 0 {
		if err := p.beginSecond(s.After); err != nil {
			return err
		}
	}
	if p.second == nil || len(p.second.Blind) == 0 {
		return nil
	}
	return p.tryToDistinguish(s)
}

// beginSecond looks for a second world that equals g in public.
func (p *Pair) beginSecond(g engine.Game) error {
	if p.second = p.NewSecond(g); p.second == nil {
		return nil
	}
	p.Tally.Worlds++
	return p.compareViews(p.second, g, AllViewers...)
}

// tryToDistinguish compares the two worlds, and tries acts that could distinguish them.
func (p *Pair) tryToDistinguish(s play.Step) error {
	if err := p.compareViews(p.second, s.After, AllViewers[p.Dice.Intn(len(AllViewers))]); err != nil {
		return err
	}
	if err := p.checkOverseer(p.second, s.After); err != nil {
		return err
	}
	one, two := p.ProbeCommands(s, p.second)
	if err := p.tryActInBoth(s.After, p.second.Game, one, two); err != nil {
		return err
	}
	v, ok := p.chooseBlindViewer(s.After)
	if !ok {
		return nil
	}
	return p.tryCheat(s.After, p.second.Game, v, p.CheatCommand(s, p.second, v))
}

// playStepInSecond plays a step of the first world in the second. goes: the second world still has the
// same public course.
func (p *Pair) playStepInSecond(w *SecondWorld, s play.Step, rows []StoredEvent) (goes bool, err error) {
	act := s.Command.Act
	kinds := make([]string, len(rows))
	for i, r := range rows {
		kinds[i] = r.Kind
	}
	if p.RandomActs[act] {
		return p.playRolledStepInSecond(w, act, rows, kinds)
	}
	evs, r := w.Game.Decide(w.Swap.SwapCommand(s.Command), chance.New(1))
	if r != nil && len(evs) == 0 {
		p.Tally.OneSided++
		p.Tally.Partings["refused"]++
		return false, play.CheckNeutralRefusal(w.Game, w.Swap.SwapCommand(s.Command), r)
	}
	g := w.Game
	for i, row := range rows {
		e, err := w.swappedEvent(p.Book, row)
		if err != nil {
			return false, err
		}
		want, _ := p.Book.EncodeEvent(e)
		if i >= len(evs) {
			return false, p.checkParting(w, act, kinds[i:], nil)
		}
		if got, _ := p.Book.EncodeEvent(evs[i]); evs[i].Kind() != row.Kind || !bytes.Equal(got, want) {
			return false, p.checkParting(w, act, kinds[i:], EventKinds(evs[i:]))
		}
		g = g.Apply(evs[i])
	}
	if len(evs) > len(rows) {
		return false, p.checkParting(w, act, nil, EventKinds(evs[len(rows):]))
	}
	w.Game = g
	p.Tally.Steps++
	return true, nil
}

// playRolledStepInSecond is playStepInSecond for an act with a random outcome: the second world uses that of the
// first.
func (p *Pair) playRolledStepInSecond(w *SecondWorld, act string, rows []StoredEvent, kinds []string) (goes bool, err error) {
	g := w.Game
	for i, row := range rows {
		e, err := w.swappedEvent(p.Book, row)
		if err != nil {
			return false, err
		}
		if p.MayDiffer(w, act, kinds[i:]) {
			return false, nil
		}
		g = g.Apply(e)
	}
	w.Game = g
	p.Tally.Steps++
	return true, nil
}

// checkParting counts a parting of the worlds into events of kinds one and two, and returns an
// error unless a rule allows it.
func (p *Pair) checkParting(w *SecondWorld, act string, one, two []string) error {
	p.Tally.Partings[act+": "+firstKind(one)+"/"+firstKind(two)]++
	alarm := firstKind(one) == kindAlarmed || firstKind(two) == kindAlarmed // all viewers see it (GEN-E13)
	if alarm || p.MayDiffer(w, act, one) || p.MayDiffer(w, act, two) {
		return nil
	}
	return fmt.Errorf("%s: %s becomes %s, by cards that %d viewers have not seen", act, firstKind(one), firstKind(two), len(w.Blind))
}

// kindAlarmed is the kind of the event that stops a deal after an alarm, in every game.
const kindAlarmed = "alarmed"

// EventKinds returns the kinds of events.
func EventKinds(evs []engine.Event) []string {
	kinds := make([]string, len(evs))
	for i, e := range evs {
		kinds[i] = e.Kind()
	}
	return kinds
}

// firstKind returns the first kind, for messages.
func firstKind(kinds []string) string {
	if len(kinds) == 0 {
		return "nothing"
	}
	return kinds[0]
}

// compareViews checks that each viewer who has not seen the difference gets the same bytes in both
// worlds, and that the deadlines are equal.
func (p *Pair) compareViews(w *SecondWorld, g engine.Game, viewers ...engine.Viewer) error {
	if one, two := g.Deadlines(), w.Game.Deadlines(); !slices.Equal(one, two) {
		return fmt.Errorf("the deadlines are %v and %v", one, two)
	}
	for _, v := range viewers {
		if !w.Blind[engine.Public] && !w.Blind[v] {
			continue
		}
		this, that := g.View(v), w.Game.View(v)
		if w.Blind[engine.Public] {
			if one, two := engine.BystanderOfferLines(this), engine.BystanderOfferLines(that); !slices.Equal(one, two) {
				return fmt.Errorf("whoever glances at the phone of %s can tell two worlds apart that differ in %+v:\n%s\n%s",
					v, w.Swap, strings.Join(one, "\n"), strings.Join(two, "\n"))
			}
		}
		if !w.Blind[v] {
			continue
		}
		p.Tally.Views++
		if apart := FirstDifference(this, that); apart != "" {
			return fmt.Errorf("%s can tell two worlds apart that differ in %+v:\n%s", v, w.Swap, apart)
		}
	}
	return p.compareChronicles(w, g)
}

// compareChronicles checks that after the end the chronicle, which is public, has the same bytes in
// both worlds, unless the public has seen the difference.
func (p *Pair) compareChronicles(w *SecondWorld, g engine.Game) error {
	one, has := g.(engine.Chronicler)
	two, hasToo := w.Game.(engine.Chronicler)
	if !has || !hasToo || !w.Blind[engine.Public] || !g.Progress().Over {
		return nil
	}
	p.Tally.Chronicles++
	this, _ := json.Marshal(one.Chronicle(nil))
	that, _ := json.Marshal(two.Chronicle(nil))
	if !bytes.Equal(this, that) {
		return fmt.Errorf("the chronicle tells two worlds apart that differ in %+v:\n%s\n%s", w.Swap, this, that)
	}
	return nil
}

// tryActInBoth tries an act in both worlds. If both refuse, the table must receive the same message.
// If only one refuses, the refusal must look like a bad reading.
func (p *Pair) tryActInBoth(g, other engine.Game, c, d engine.Command) error {
	_, one := g.Decide(c, chance.New(1))
	_, two := other.Decide(d, chance.New(1))
	p.Tally.Probes++
	switch {
	case one != nil && two != nil:
		if one.Rule != two.Rule && (one.Rule == engine.RuleAlarm || two.Rule == engine.RuleAlarm) {
			return errors.Join(play.CheckNeutralRefusal(g, c, one), play.CheckNeutralRefusal(other, d, two))
		}
		if !reflect.DeepEqual(one.Public, two.Public) || one.To != two.To {
			return fmt.Errorf("%s: the table is told %+v and %+v", c.Act, one.Public, two.Public)
		}
	case one != nil:
		p.Tally.OneSided++
		return play.CheckNeutralRefusal(g, c, one)
	case two != nil:
		p.Tally.OneSided++
		return play.CheckNeutralRefusal(other, d, two)
	}
	return nil
}

// FirstDifference compares the JSON of two views and returns the text around their first
// difference; empty: none.
func FirstDifference(this, that engine.View) string {
	if haveSameTree(reflect.ValueOf(&this).Elem(), reflect.ValueOf(&that).Elem()) { // cheaper than comparing JSON
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
