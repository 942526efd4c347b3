// Package play lets dice play any engine.Game: it takes legal acts from the
// offers, from seats and host, and lets deadlines come. Tests and benchmarks
// use it to reach states that nobody would think of.
//
//	end, steps, err := play.Run(book.New(), &play.Opts{Seed: 7})
//
// Equal games, seeds and options play the same game. Every error names the
// seed and the step, so that the game can be played again; errors name acts,
// never what is hidden in their arguments.
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

// Opts say how to play. The zero value plays seed 0 with all offers alike.
type Opts struct {
	Seed uint64
	// MaxSteps ends a game that does not end by itself; 0 means 20000.
	MaxSteps int
	// Weigh says how often an offer is chosen beside the others of its viewer:
	// 0 is never. Nil weighs all alike. Acts aside are weighed in one choice of
	// 24 only.
	Weigh func(engine.Viewer, engine.Offer) int
	// Cards are what may come to a reader, whether or not anybody waits for it: one
	// choice in scanned presents one of them, two, one that lies at another reader too, a
	// foreign tag or nothing that can be read. What is refused changes nothing, and
	// another act is chosen.
	Cards []engine.ID
	// Lead is what a test wants done next, if anything: a way of dealing, for
	// instance. What is refused changes nothing, and the dice choose.
	Lead func(engine.Game) (engine.Command, bool)
	// Check is called after every step; an error ends the play.
	Check func(Step) error
}

// Step is one command that was played. The arguments of the command are good until the check of it
// returns.
type Step struct {
	N       int
	Before  engine.Game
	Command engine.Command
	Events  []engine.Event
	After   engine.Game
}

// Offerer is a game that can give the offers of a viewer without a whole view.
type Offerer interface {
	Offers(engine.Viewer) []engine.Offer
}

// Mover is a game that can give the offers of a viewer without those aside: it adds them to a list.
type Mover interface {
	AppendMoves([]engine.Offer, engine.Viewer) []engine.Offer
}

// SoundMoves checks that the moves of the host and of every seat are the offers that are not
// aside, and that the public is offered nothing (GEN-002). It counts them, and those aside.
func SoundMoves(g interface {
	Offerer
	Mover
}) (moves, asides int, err error) {
	viewers := []engine.Viewer{engine.Host}
	for x := engine.Seat(1); x <= engine.MaxSeats; x++ {
		viewers = append(viewers, engine.At(x))
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

// Offers are the legal acts of v in g.
func Offers(g engine.Game, v engine.Viewer) []engine.Offer {
	if o, ok := g.(Offerer); ok {
		return o.Offers(v)
	}
	return engine.Allowed(g.View(v).Offers)
}

// player holds what one run needs.
type player struct {
	opts *Opts
	dice *chance.Dice // chooses
	luck *chance.Dice // is the game's own
	now  engine.Millis
	room []engine.Offer // for the offers of one choice
	said engine.Args    // of the command that was chosen last
	mend bool           // acts aside are weighed in the choice that goes on
	// after is the game after what was decided last.
	after engine.Game
	// After the first alarm of each phase the host has the cards counted, next of all. A deal
	// stands after every alarm, and the host chooses how it goes on.
	alarmed map[string]bool
	counts  bool
	broken  error // a promise that the game did not keep
}

// rareness is how many choices there are to one that weighs acts aside too:
// they are always offered and end no game.
const rareness = 24

// scanned is how many choices there are to one that presents a card.
const scanned = 8

// Run plays from g to its end and returns the last game and the number of
// steps. It fails if an offer is refused otherwise than by the alarm (GEN-E13), if the
// host is not offered a count after an alarm (GEN-E09), if a deal goes on after one, if nobody can act although the
// game has no result, or after MaxSteps.
func Run(g engine.Game, opts *Opts) (engine.Game, int, error) {
	if opts == nil {
		opts = &Opts{}
	}
	limit := opts.MaxSteps
	if limit == 0 {
		limit = 20_000
	}
	p := &player{opts: opts, dice: chance.New(opts.Seed), luck: chance.New(opts.Seed ^ 0x5eed), said: engine.Args{}, alarmed: map[string]bool{}}
	for n := range limit {
		p.now += engine.Millis(p.dice.Intn(4000))
		c, evs, ok, err := p.next(g)
		switch {
		case err != nil:
			return g, n, p.fault(n, g, err.Error())
		case !ok:
			return g, n, nil
		case len(evs) == 0:
			continue
		}
		before := g
		g = p.after
		if opts.Check != nil {
			if err := opts.Check(Step{n, before, c, evs, g}); err != nil {
				return g, n, p.fault(n, g, c.Act+": "+err.Error())
			}
		}
	}
	return g, limit, p.fault(limit, g, "the game does not end")
}

// next is a command and what it brings: a count that an alarm has asked for, what the test
// wants, something laid on a reader, or an offer taken. What is met by the alarm names a
// card that is on record where its seat cannot know, and brings nothing. ok is false where
// the game is over.
func (p *player) next(g engine.Game) (c engine.Command, evs []engine.Event, ok bool, err error) {
	if p.counts {
		p.counts = false
		c = engine.Command{At: p.now, By: engine.Host, Act: "count"}
		p.after, evs, _ = engine.Play(g, c, p.luck)
		return c, evs, true, nil
	}
	if c, evs, ok = p.lead(g); !ok {
		c, evs, ok = p.present(g)
	}
	if ok || p.counts || p.broken != nil || len(evs) > 0 {
		return c, evs, true, p.broken
	}
	if c, ok = p.choose(g); !ok {
		if g.View(engine.Public).Result == nil {
			err = errors.New("nobody can act")
		}
		return c, nil, false, err
	}
	evs, refused := p.decide(g, c)
	if refused != nil && refused.Rule != engine.RuleAlarm {
		return c, evs, true, fmt.Errorf("%s was offered %s, which is %v", c.By, c.Act, refused)
	}
	return c, evs, true, p.broken
}

func (p *player) fault(n int, g engine.Game, what string) error {
	return fmt.Errorf("play: seed %d, step %d, phase %s: %s (repeat: play.Run with Seed %d)",
		p.opts.Seed, n, g.View(engine.Public).Phase, what, p.opts.Seed)
}

// decide asks the game. An alarm says that the host has the cards counted (GEN-E13).
func (p *player) decide(g engine.Game, c engine.Command) ([]engine.Event, *engine.Reject) {
	after, evs, r := engine.Play(g, c, p.luck)
	p.after = after
	if r == nil || r.Rule != engine.RuleAlarm {
		return evs, r
	}
	offers := Offers(after, engine.Host)
	i := slices.IndexFunc(offers, func(o engine.Offer) bool { return o.Act == "count" })
	if i < 0 {
		p.broken = fmt.Errorf("%s raises the alarm, and the host is offered no count", c.Act)
		return nil, r
	}
	if len(evs) > 0 && after.View(engine.Public).Mood != engine.MoodAlarm {
		p.broken = fmt.Errorf("%s raises the alarm, which changes something, and the game goes on", c.Act)
		return nil, r
	}
	phase := g.View(engine.Public).Phase
	p.counts = len(evs) == 0 && !p.alarmed[phase] && (p.opts.Weigh == nil || p.opts.Weigh(engine.Host, offers[i]) > 0)
	p.alarmed[phase] = true
	return evs, r
}

// lead does what the test wants; ok is false where that is nothing.
func (p *player) lead(g engine.Game) (c engine.Command, evs []engine.Event, ok bool) {
	if p.opts.Lead == nil {
		return c, nil, false
	}
	if c, ok = p.opts.Lead(g); !ok {
		return c, nil, false
	}
	c.At = p.now
	evs, r := p.decide(g, c)
	return c, evs, r == nil
}

// present lays something on a reader; ok is false where that changes nothing.
func (p *player) present(g engine.Game) (c engine.Command, evs []engine.Event, ok bool) {
	if len(p.opts.Cards) == 0 || p.dice.Intn(scanned) > 0 {
		return c, nil, false
	}
	reader := []string{engine.ReaderUrn, engine.ReaderShow}[p.dice.Intn(2)]
	if waits := g.View(engine.Public).Readers; len(waits) > 0 && p.dice.Intn(4) > 0 {
		reader = waits[p.dice.Intn(len(waits))].Reader
	}
	var cards []engine.ID
	foreign, what := 0, p.dice.Intn(12)
	switch what {
	case 0:
		foreign = 1
	case 1: // nothing that can be read
	case 2:
		cards = append(cards, p.opts.Cards[p.dice.Intn(len(p.opts.Cards))])
		fallthrough
	default:
		cards = append(cards, p.opts.Cards[p.dice.Intn(len(p.opts.Cards))])
	}
	c = engine.Scan(p.now, reader, cards, foreign)
	if what == 3 {
		c.Args[engine.ArgDoubled] = "1"
	}
	evs, r := p.decide(g, c)
	return c, evs, r == nil && len(evs) > 0
}

// choose takes a legal command; ok is false when there is none.
func (p *player) choose(g engine.Game) (engine.Command, bool) {
	if p.dice.Intn(8) == 0 {
		if c, ok := p.deadline(g); ok {
			return c, true
		}
	}
	if p.dice.Intn(8) == 0 {
		if c, ok := p.act(g, engine.Host); ok {
			return c, true
		}
	}
	start := p.dice.Intn(engine.MaxSeats)
	for i := range engine.MaxSeats {
		if c, ok := p.act(g, engine.At(engine.Seat((start+i)%engine.MaxSeats+1))); ok {
			return c, true
		}
	}
	if c, ok := p.act(g, engine.Host); ok {
		return c, true
	}
	return p.deadline(g)
}

func (p *player) deadline(g engine.Game) (engine.Command, bool) {
	ds := g.Deadlines()
	if len(ds) == 0 {
		return engine.Command{}, false
	}
	d := ds[p.dice.Intn(len(ds))]
	p.now = max(p.now, d.At)
	return engine.Command{At: p.now, By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}, true
}

// act chooses one offer of v and a value of each of its domains.
func (p *player) act(g engine.Game, v engine.Viewer) (engine.Command, bool) {
	p.mend = p.dice.Intn(rareness) == 0
	offers := p.offers(g, v)
	i, ok := chance.Weighted(p.dice, len(offers), func(i int) int { return p.weight(v, offers[i]) })
	if !ok {
		return engine.Command{}, false
	}
	return engine.Command{At: p.now, By: v, Act: offers[i].Act, Args: p.args(offers[i])}, true
}

// offers are those that may weigh something in this choice.
func (p *player) offers(g engine.Game, v engine.Viewer) []engine.Offer {
	if m, ok := g.(Mover); ok && !p.mend {
		p.room = m.AppendMoves(p.room[:0], v)
		return p.room
	}
	return Offers(g, v)
}

func (p *player) weight(v engine.Viewer, o engine.Offer) int {
	if o.Aside && !p.mend || o.Overrule { // see Overrules
		return 0
	}
	if p.opts.Weigh == nil {
		return 1
	}
	return p.opts.Weigh(v, o)
}

func (p *player) args(o engine.Offer) engine.Args {
	if len(o.Params) == 0 {
		return o.Fixed
	}
	clear(p.said)
	maps.Copy(p.said, o.Fixed)
	for _, q := range o.Params {
		if q.Kind == "text" {
			p.said[q.Name] = "Guest"
			continue
		}
		p.said[q.Name] = q.Domain[p.dice.Intn(len(q.Domain))]
	}
	return p.said
}

// Each calls f with every combination of one value from each domain of an
// offer; a text is "Guest".
func Each(o engine.Offer, f func(engine.Args)) {
	args := engine.Args{}
	for k, v := range o.Fixed {
		args[k] = v
	}
	each(o.Params, args, f)
}

func each(params []engine.Param, args engine.Args, f func(engine.Args)) {
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
		each(params[1:], args, f)
	}
}

// Accepts tries every combination that is offered to each of the viewers and says
// how many there were; an error names the first that Decide refuses. An offer hangs
// on what its viewer knows alone, so that a card in it may be met by the alarm. What is
// shown and not offered is refused, as its mark says.
func Accepts(g engine.Game, at engine.Millis, viewers []engine.Viewer) (tried int, bad error) {
	for _, v := range viewers {
		offers := g.View(v).Offers
		if err := oneList(g, v, offers); err != nil {
			return tried, err
		}
		for _, o := range offers {
			decide := func(args engine.Args) *engine.Reject {
				tried++
				_, r := g.Decide(engine.Command{At: at, By: v, Act: o.Act, Args: args}, chance.New(1))
				return r
			}
			bad = cmp.Or(bad, refused(o, decide), accepted(v, o, decide))
		}
	}
	return tried, bad
}

// oneList says where the offers of a view are not those that the game gives without a view.
func oneList(g engine.Game, v engine.Viewer, offers []engine.Offer) error {
	if one, two := len(engine.Allowed(offers)), len(Offers(g, v)); one != two {
		return fmt.Errorf("%s has %d offers, and %d in its view", v, two, one)
	}
	if m, ok := g.(Mover); ok {
		aside := func(o engine.Offer) bool { return o.Aside }
		if one, two := slices.DeleteFunc(Offers(g, v), aside), m.AppendMoves([]engine.Offer{}, v); !reflect.DeepEqual(one, two) {
			return fmt.Errorf("the moves of %s are %+v, and %+v of its offers", v, two, one)
		}
	}
	return nil
}

// accepted says which combination of an offer is refused.
func accepted(v engine.Viewer, o engine.Offer, decide func(engine.Args) *engine.Reject) (bad error) {
	if !o.Allowed() {
		return nil
	}
	Each(o, func(args engine.Args) {
		if r := decide(args); r != nil && r.Rule != engine.RuleAlarm && bad == nil {
			bad = fmt.Errorf("%s is offered %s and refused: %v", v, o.Act, r)
		}
	})
	return bad
}

// refused says what is wrong with what an offer forbids: each value of All is in the
// domain or is refused by the rule and with the words of its mark.
func refused(o engine.Offer, decide func(engine.Args) *engine.Reject) error {
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
		marks := marked(p)
		for _, v := range p.Listed() {
			no, is := marks[v]
			if is == slices.Contains(p.Domain, v) {
				return fmt.Errorf("%s: a %s is marked %t and is in the domain as well or in neither", o.Act, p.Name, is)
			}
			if !is {
				continue
			}
			if err := as(no, o.With(p.Name, v)); err != nil {
				return err
			}
		}
		unlisted := func(v string) bool { return !slices.Contains(p.Listed(), v) }
		if slices.ContainsFunc(p.Domain, unlisted) {
			return fmt.Errorf("%s: a %s is legal and not in All", o.Act, p.Name)
		}
	}
	return nil
}

// marked are the values of p that a mark forbids.
func marked(p engine.Param) map[string]engine.Refusal {
	marks := map[string]engine.Refusal{}
	for _, no := range p.No {
		for _, i := range no.At {
			marks[p.All[i]] = no
		}
	}
	return marks
}
