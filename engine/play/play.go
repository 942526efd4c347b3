// Package play plays any engine.Game at random: it chooses legal acts from the offers of seats and
// host, and lets deadlines pass. Tests and benchmarks use it to reach states that no one would
// think of.
//
//	end, steps, err := play.Run(book.NewGame(), &play.Opts{Seed: 7})
//
// The same game, seed and options give the same moves. Every error names the seed and the step, so
// that the game can be repeated. Errors name acts, never the hidden values in their arguments.
package play

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
)

// Opts says how to play. The zero value plays seed 0 with equal weight for all offers.
type Opts struct {
	Seed uint64
	// MaxSteps stops a game that does not end; 0 means 20000.
	MaxSteps int
	// Weigh returns the weight of an offer among those of its viewer; 0 means never. Nil gives all
	// offers the same weight. Offers marked Aside are considered in one of asideEvery choices only.
	Weigh func(engine.Viewer, engine.Offer) int
	// Cards may be presented at a reader, even if no reader waits for one. One of scanEvery choices
	// presents one card, two cards, a card that is also on another reader, a foreign tag, or
	// nothing readable. If it is refused, nothing changes and another act is chosen.
	Cards []engine.ID
	// WantedCommand returns the command that a test wants next, for instance to deal in a certain
	// way; false for none. If it is refused, nothing changes and the dice choose.
	WantedCommand func(engine.Game) (engine.Command, bool)
	// Check is called after every step; an error ends the game.
	Check func(Step) error
}

// Step is one played command. The arguments of the command are valid only until Check returns.
type Step struct {
	N       int
	Before  engine.Game
	Command engine.Command
	Events  []engine.Event
	After   engine.Game
}

// OfferLister is a game that can list the offers of a viewer without building a whole view.
type OfferLister interface {
	Offers(engine.Viewer) []engine.Offer
}

// MoveLister is a game that can append the offers of a viewer that are not marked Aside to a list.
type MoveLister interface {
	AppendMoves([]engine.Offer, engine.Viewer) []engine.Offer
}

// CheckMoveLister checks that AppendMoves returns, for the host and every seat, exactly the offers that
// are not marked Aside, and that the public has no offers (GEN-002). moves counts the offers that
// are not marked Aside, asides those that are.
func CheckMoveLister(g interface {
	OfferLister
	MoveLister
}) (moves, asides int, err error) {
	viewers := []engine.Viewer{engine.Host}
	for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
		viewers = append(viewers, engine.SeatViewer(x))
	}
	for _, v := range viewers {
		all := g.Offers(v)
		want := slices.DeleteFunc(slices.Clone(all), func(o engine.Offer) bool { return o.Aside })
		if got := g.AppendMoves([]engine.Offer{}, v); !reflect.DeepEqual(got, want) {
			return 0, 0, fmt.Errorf("%s may move by %v, want %v", v, got, want)
		}
		moves, asides = moves+len(want), asides+len(all)-len(want)
	}
	if all := g.Offers(engine.Public); len(all) > 0 {
		return 0, 0, fmt.Errorf("the public may %v", all)
	}
	return moves, asides, nil
}

// OffersOf returns the legal acts of v in g.
func OffersOf(g engine.Game, v engine.Viewer) []engine.Offer {
	if o, ok := g.(OfferLister); ok {
		return o.Offers(v)
	}
	return engine.AllowedOffers(g.View(v).Offers)
}

// runState is the state of one run.
type runState struct {
	opts        *Opts
	choiceDice  *chance.Dice // for the choices of this package
	gameDice    *chance.Dice // for the game
	now         engine.Millis
	offerBuffer []engine.Offer // reused for the offers of each choice
	lastArgs    engine.Args    // of the last chosen command; reused
	withAsides  bool           // the current choice also considers offers marked Aside
	// after is the game after the last decided command.
	after engine.Game
	// After the first alarm of each phase the next command of the host is a count. A deal stops
	// after every alarm, and the host chooses how it continues.
	alarmed       map[string]bool
	needsCount    bool
	brokenPromise error // a promise of package engine that the game broke
}

// asideEvery: one of so many choices considers offers marked Aside, which are always offered and
// never end a game.
const asideEvery = 24

// scanEvery: one of so many choices presents a card.
const scanEvery = 8

// Run plays from g to its end and returns the last game and the number of steps. It fails if an
// offer is refused other than by the alarm (GEN-E13), if the host has no offer to count after an
// alarm (GEN-E09), if a deal goes on after an alarm, if no one can act although the game has no
// result, or after MaxSteps.
func Run(g engine.Game, opts *Opts) (engine.Game, int, error) {
	if opts == nil {
		opts = &Opts{}
	}
	limit := opts.MaxSteps
	if limit == 0 {
		limit = 20_000
	}
	p := &runState{opts: opts, choiceDice: chance.New(opts.Seed), gameDice: chance.New(opts.Seed ^ 0x5eed),
		lastArgs: engine.Args{}, alarmed: map[string]bool{}}
	for n := range limit {
		p.now += engine.Millis(p.choiceDice.Intn(4000))
		c, evs, ok, err := p.playStep(g)
		switch {
		case err != nil:
			return g, n, p.wrapError(n, g, err.Error())
		case !ok:
			return g, n, nil
		case len(evs) == 0:
			continue
		}
		before := g
		g = p.after
		if opts.Check != nil {
			if err := opts.Check(Step{n, before, c, evs, g}); err != nil {
				return g, n, p.wrapError(n, g, c.Act+": "+err.Error())
			}
		}
	}
	return g, limit, p.wrapError(limit, g, "the game does not end")
}

// playStep chooses a command and lets the game decide it: a count after an alarm, the command of
// the test, a presentation, or an offer. An offered card may raise the alarm, because it is recorded
// where its seat cannot know; outside a deal that brings no events. ok is false if the game is over.
func (p *runState) playStep(g engine.Game) (c engine.Command, evs []engine.Event, ok bool, err error) {
	if p.needsCount {
		p.needsCount = false
		c = engine.Command{At: p.now, By: engine.Host, Act: "count"}
		p.after, evs, _ = engine.DecideAndApply(g, c, p.gameDice)
		return c, evs, true, nil
	}
	if c, evs, ok = p.tryWantedCommand(g); !ok {
		c, evs, ok = p.tryPresentation(g)
	}
	if ok || p.needsCount || p.brokenPromise != nil || len(evs) > 0 {
		return c, evs, true, p.brokenPromise
	}
	if c, ok = p.chooseCommand(g); !ok {
		if !g.Progress().Over {
			err = errors.New("nobody can act")
		}
		return c, nil, false, err
	}
	evs, refused := p.decideAndCheckAlarm(g, c)
	if refused != nil && refused.Rule != engine.RuleAlarm {
		return c, evs, true, fmt.Errorf("%s was offered %s, which is %v", c.By, c.Act, refused)
	}
	return c, evs, true, p.brokenPromise
}

func (p *runState) wrapError(n int, g engine.Game, what string) error {
	return fmt.Errorf("play: seed %d, step %d, phase %s: %s (repeat: play.Run with Seed %d)",
		p.opts.Seed, n, g.Progress().Phase, what, p.opts.Seed)
}

// decideAndCheckAlarm lets the game decide. After an alarm it checks that the host is offered a
// count, and that a deal has stopped (GEN-E13); else it sets p.brokenPromise.
func (p *runState) decideAndCheckAlarm(g engine.Game, c engine.Command) ([]engine.Event, *engine.Reject) {
	after, evs, r := engine.DecideAndApply(g, c, p.gameDice)
	p.after = after
	if r == nil || r.Rule != engine.RuleAlarm {
		return evs, r
	}
	offers := OffersOf(after, engine.Host)
	i := slices.IndexFunc(offers, func(o engine.Offer) bool { return o.Act == "count" })
	if i < 0 {
		p.brokenPromise = fmt.Errorf("%s raises the alarm, and the host is offered no count", c.Act)
		return nil, r
	}
	if len(evs) > 0 && after.View(engine.Public).Mood != engine.MoodAlarm {
		p.brokenPromise = fmt.Errorf("%s raises the alarm, which changes something, and the game goes on", c.Act)
		return nil, r
	}
	phase := g.Progress().Phase
	p.needsCount = len(evs) == 0 && !p.alarmed[phase] && (p.opts.Weigh == nil || p.opts.Weigh(engine.Host, offers[i]) > 0)
	p.alarmed[phase] = true
	return evs, r
}

// tryWantedCommand plays the command of the test; ok is false if there is none or if it is refused.
func (p *runState) tryWantedCommand(g engine.Game) (c engine.Command, evs []engine.Event, ok bool) {
	if p.opts.WantedCommand == nil {
		return c, nil, false
	}
	if c, ok = p.opts.WantedCommand(g); !ok {
		return c, nil, false
	}
	c.At = p.now
	evs, r := p.decideAndCheckAlarm(g, c)
	return c, evs, r == nil
}

// tryPresentation presents something at a reader; ok is false if that changes nothing.
func (p *runState) tryPresentation(g engine.Game) (c engine.Command, evs []engine.Event, ok bool) {
	if len(p.opts.Cards) == 0 || p.choiceDice.Intn(scanEvery) > 0 {
		return c, nil, false
	}
	reader := []string{engine.ReaderUrn, engine.ReaderShow}[p.choiceDice.Intn(2)]
	if waits := g.View(engine.Public).Readers; len(waits) > 0 && p.choiceDice.Intn(4) > 0 {
		reader = waits[p.choiceDice.Intn(len(waits))].Reader
	}
	var cards []engine.ID
	foreign, what := 0, p.choiceDice.Intn(12)
	switch what {
	case 0:
		foreign = 1
	case 1: // nothing readable
	case 2:
		cards = append(cards, p.opts.Cards[p.choiceDice.Intn(len(p.opts.Cards))])
		fallthrough
	default:
		cards = append(cards, p.opts.Cards[p.choiceDice.Intn(len(p.opts.Cards))])
	}
	c = engine.ScanCommand(p.now, reader, cards, foreign)
	if what == 3 {
		c.Args[engine.ArgDoubled] = "1"
	}
	evs, r := p.decideAndCheckAlarm(g, c)
	return c, evs, r == nil && len(evs) > 0
}

// chooseCommand chooses a legal command; ok is false if there is none.
func (p *runState) chooseCommand(g engine.Game) (engine.Command, bool) {
	if p.choiceDice.Intn(8) == 0 {
		if c, ok := p.chooseDeadline(g); ok {
			return c, true
		}
	}
	if p.choiceDice.Intn(8) == 0 {
		if c, ok := p.chooseAct(g, engine.Host); ok {
			return c, true
		}
	}
	start := p.choiceDice.Intn(engine.MaxSeats)
	for i := range engine.MaxSeats {
		if c, ok := p.chooseAct(g, engine.SeatViewer(engine.Seat((start+i)%engine.MaxSeats+1))); ok {
			return c, true
		}
	}
	if c, ok := p.chooseAct(g, engine.Host); ok {
		return c, true
	}
	return p.chooseDeadline(g)
}

func (p *runState) chooseDeadline(g engine.Game) (chosen engine.Command, ok bool) {
	ds := g.Deadlines()
	if len(ds) == 0 {
		return engine.Command{}, false
	}
	d := ds[p.choiceDice.Intn(len(ds))]
	p.now = max(p.now, d.At)
	return engine.Command{At: p.now, By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}, true
}

// chooseAct chooses one offer of v, and a value for each of its parameters.
func (p *runState) chooseAct(g engine.Game, v engine.Viewer) (engine.Command, bool) {
	p.withAsides = p.choiceDice.Intn(asideEvery) == 0
	offers := p.candidateOffers(g, v)
	i, ok := chance.DrawWeighted(p.choiceDice, len(offers), func(i int) int { return p.weightOf(v, offers[i]) })
	if !ok {
		return engine.Command{}, false
	}
	return engine.Command{At: p.now, By: v, Act: offers[i].Act, Args: p.chooseArgs(offers[i])}, true
}

// candidateOffers returns the offers to choose from: without those marked Aside if this choice does
// not consider them and the game is a MoveLister; else all.
func (p *runState) candidateOffers(g engine.Game, v engine.Viewer) []engine.Offer {
	if m, ok := g.(MoveLister); ok && !p.withAsides {
		p.offerBuffer = m.AppendMoves(p.offerBuffer[:0], v)
		return p.offerBuffer
	}
	return OffersOf(g, v)
}

func (p *runState) weightOf(v engine.Viewer, o engine.Offer) int {
	if o.Aside && !p.withAsides || o.Overrule { // see NewRandomOverruler
		return 0
	}
	if p.opts.Weigh == nil {
		return 1
	}
	return p.opts.Weigh(v, o)
}

func (p *runState) chooseArgs(o engine.Offer) engine.Args {
	if len(o.Params) == 0 {
		return o.Fixed
	}
	clear(p.lastArgs)
	maps.Copy(p.lastArgs, o.Fixed)
	for _, q := range o.Params {
		if q.Kind == "text" {
			p.lastArgs[q.Name] = "Guest"
			continue
		}
		p.lastArgs[q.Name] = q.Domain[p.choiceDice.Intn(len(q.Domain))]
	}
	return p.lastArgs
}

// EachArgs calls f with every combination of one value from each domain of an offer; a text is
// "Guest". f must not keep its argument.
func EachArgs(o engine.Offer, f func(engine.Args)) {
	args := engine.Args{}
	for k, v := range o.Fixed {
		args[k] = v
	}
	eachCombination(o.Params, args, f)
}

func eachCombination(params []engine.Param, args engine.Args, f func(engine.Args)) {
	if len(params) == 0 {
		f(args)
		return
	}
	domain := params[0].Domain
	if params[0].Kind == "text" {
		domain = []string{"Guest"}
	}
	for _, v := range domain {
		args[params[0].Name] = v
		eachCombination(params[1:], args, f)
	}
}

// CheckOffers tries every offered combination of each viewer and returns their number, and an error
// for the first that Decide refuses. The alarm may refuse a card in an offer, because the offer
// depends only on what its viewer knows. Values that are listed and not offered must be refused in
// the way that the offer says.
func CheckOffers(g engine.Game, at engine.Millis, viewers []engine.Viewer) (tried int, bad error) {
	for _, v := range viewers {
		offers := g.View(v).Offers
		if err := checkSameOffers(g, v, offers); err != nil {
			return tried, err
		}
		for _, o := range offers {
			decide := func(args engine.Args) *engine.Reject {
				tried++
				_, r := g.Decide(engine.Command{At: at, By: v, Act: o.Act, Args: args}, chance.New(1))
				return r
			}
			bad = cmp.Or(bad, checkAnnouncedRefusals(o, decide), checkAllowedOffer(v, o, decide))
		}
	}
	return tried, bad
}

// checkSameOffers returns an error if the offers in a view differ from those that the game lists
// without a view.
func checkSameOffers(g engine.Game, v engine.Viewer, offers []engine.Offer) error {
	if one, two := len(engine.AllowedOffers(offers)), len(OffersOf(g, v)); one != two {
		return fmt.Errorf("%s has %d offers, and %d in its view", v, two, one)
	}
	if m, ok := g.(MoveLister); ok {
		aside := func(o engine.Offer) bool { return o.Aside }
		if one, two := slices.DeleteFunc(OffersOf(g, v), aside), m.AppendMoves([]engine.Offer{}, v); !reflect.DeepEqual(one, two) {
			return fmt.Errorf("the moves of %s are %+v, and %+v of its offers", v, two, one)
		}
	}
	return nil
}

// checkAllowedOffer returns an error for the first combination of an allowed offer that is refused.
func checkAllowedOffer(v engine.Viewer, o engine.Offer, decide func(engine.Args) *engine.Reject) (bad error) {
	if !o.IsAllowed() {
		return nil
	}
	EachArgs(o, func(args engine.Args) {
		if r := decide(args); r != nil && r.Rule != engine.RuleAlarm && bad == nil {
			bad = fmt.Errorf("%s is offered %s and refused: %v", v, o.Act, r)
		}
	})
	return bad
}

// checkAnnouncedRefusals returns an error unless each value of All is in the domain, or is refused
// with the rule and the sentence that the offer announces.
func checkAnnouncedRefusals(o engine.Offer, decide func(engine.Args) *engine.Reject) error {
	as := func(no engine.Refusal, args engine.Args) error {
		if r := decide(args); r == nil || r.Rule != no.Rule || !reflect.DeepEqual(r.Why, no.Why) {
			return fmt.Errorf("%s is marked %+v, and is %v", o.Act, no, r)
		}
		return nil
	}
	if o.No != nil {
		return as(*o.No, o.Fixed)
	}
	for _, p := range o.Params {
		marks := refusalsByValue(p)
		for _, v := range p.ListedValues() {
			no, is := marks[v]
			if is == slices.Contains(p.Domain, v) {
				return fmt.Errorf("%s: a %s is marked %t and is in the domain as well or in neither", o.Act, p.Name, is)
			}
			if !is {
				continue
			}
			if err := as(no, o.ArgsWith(p.Name, v)); err != nil {
				return err
			}
		}
		unlisted := func(v string) bool { return !slices.Contains(p.ListedValues(), v) }
		if slices.ContainsFunc(p.Domain, unlisted) {
			return fmt.Errorf("%s: a %s is legal and not in All", o.Act, p.Name)
		}
	}
	return nil
}

// refusalsByValue returns the announced refusals by value of p.
func refusalsByValue(p engine.Param) map[string]engine.Refusal {
	marks := map[string]engine.Refusal{}
	for _, no := range p.No {
		for _, i := range no.At {
			marks[p.All[i]] = no
		}
	}
	return marks
}
