package game

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// The acts of the loop for seats (GEN-009).
const (
	actWithdraw = "withdraw"
	actPropose  = "propose-undo"
	actAgree    = "agree-undo"
	actRefuse   = "refuse-undo"
)

// seatActs returns the acts of the loop for seats. None is done during a scene: an answer would tell who has died, or that all is over.
func (c *core) seatActs() (all []master.Act) {
	for name, do := range map[string]func(master.Actor, engine.Seat) (*wire.Notice, *engine.Reject){
		actWithdraw: c.withdraw,
		actPropose:  c.propose,
		actAgree:    c.agree,
		actRefuse:   c.refuse,
	} {
		all = append(all, master.Act{Name: name, Seats: true, Do: func(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
			seat, ok := by.Seat()
			switch {
			case c.scene != nil:
				return nil, inScene()
			case !ok:
				return nil, master.Refuse(engine.NotYou, "GEN-009", "table.vote.living")
			}
			return do(by, seat)
		}})
	}
	return all
}

// corrections are what the seats themselves take back.
type corrections struct {
	vote    *vote // nil: nothing is proposed
	verdict verdict
}

// vote is a proposal to take the last step back. It is forgotten when the game
// goes on, and with the daemon: nothing has happened yet.
type vote struct {
	by     engine.Seat
	agreed []engine.Seat
}

// seatOffers are the acts of the loop that a seat may do now. Whether they are
// there depends on who acted last and on this seat's own phone, so that they
// tell nobody a secret. During a scene there are none: they would tell who has died.
func (c *core) seatOffers(all []engine.Offer, seat engine.Seat, public *engine.View) []engine.Offer {
	offer := func(act string) { all = append(all, engine.Offer{Act: act, Rule: "GEN-009", Aside: true}) }
	if c.paused != nil {
		return all
	}
	eachPart(c.parts, func(s master.Seater) { all = s.SeatOffers(all, seat) })
	if c.scene != nil || c.group.step == 0 {
		return all
	}
	if c.mayWithdraw(seat) {
		offer(actWithdraw)
	}
	switch {
	case public.Phase == engine.PhaseLobby || !slices.ContainsFunc(public.Seats, func(s engine.SeatView) bool { return s.Seat == seat && s.Alive }):
	case c.vote == nil:
		offer(actPropose)
	case slices.Contains(c.vote.agreed, seat):
		offer(actRefuse)
	default:
		offer(actAgree)
		offer(actRefuse)
	}
	return all
}

// inLobby reports that the game has not begun.
func (c *core) inLobby() bool { return c.game.look().Public.Phase == engine.PhaseLobby }

// living are the seats that have a voice in corrections.
func (c *core) living() []engine.Seat {
	all := []engine.Seat{}
	for _, s := range c.game.look().Public.Seats {
		if s.Alive {
			all = append(all, s.Seat)
		}
	}
	return all
}

// mayWithdraw reports that the last act was a public declaration of this seat
// by which nobody has learned or lost anything: it named no card, holds no
// barrier, the machine threw no dice for it, every seat knows what it knew before,
// and so it would be whatever the seat had said. Without the last, a withdrawal
// would tell that a role or a card was kept from the machine; with the machine's
// dice, a seat could throw again until it likes what falls.
func (c *core) mayWithdraw(seat engine.Seat) bool {
	if c.group.cause != engine.At(seat).String() {
		return false
	}
	if now := (verdict{c.gameID, c.step, false}); c.verdict.game != now.game || c.verdict.step != now.step {
		now.may = c.past.harmless(seat)
		c.verdict = now
	}
	return c.verdict.may
}

// verdict remembers whether the last act may be withdrawn: the answer takes some
// thirty views.
type verdict struct {
	game, step int64
	may        bool
}

// harmless decides it for the seat that has acted last.
func (p past) harmless(seat engine.Seat) bool {
	g := p.group
	if g.step == 0 || g.barrier || g.command.Act == "" {
		return false
	}
	if _, named := g.command.Args["card"]; named {
		return false
	}
	dice := &watchedDice{Dice: chance.New(g.command.Seed)}
	again := engine.Command{At: p.last, By: engine.At(seat), Act: g.command.Act, Args: g.command.Args}
	if _, r := g.before.Decide(again, dice); r != nil || dice.thrown {
		return false
	}
	before, now := g.before.look(), p.game.look()
	if !slices.EqualFunc(before.Seats, now.Seats, func(one, two engine.Part) bool { return knowsAsMuch(one.Me, two.Me) }) {
		return false
	}
	was, _ := before.Of(engine.At(seat))
	for _, o := range was.Offers {
		if o.Act == g.command.Act && p.tells(g.before, was, o) {
			return false
		}
	}
	return true
}

// watchedDice know whether they were thrown.
type watchedDice struct {
	engine.Dice
	thrown bool
}

func (d *watchedDice) Intn(n int) int { d.thrown = true; return d.Dice.Intn(n) }

// tells reports that some choice of an offer changes what the seat itself knows
// of cards and roles, which was so much. Each value is tried once.
func (p past) tells(g engine.Game, was engine.View, o engine.Offer) bool {
	by := engine.At(was.Me.Seat)
	most := 1
	for _, p := range o.Params {
		most = max(most, len(p.Domain))
	}
	for n := range most {
		args := maps.Clone(o.Fixed)
		if args == nil {
			args = engine.Args{}
		}
		for _, p := range o.Params {
			if len(p.Domain) > 0 {
				args[p.Name] = p.Domain[n%len(p.Domain)]
			}
		}
		events, r := g.Decide(engine.Command{At: p.last, By: by, Act: o.Act, Args: args}, chance.New(1))
		if r == nil && !knowsAsMuch(was.Me, g.Evolve(events...).View(by).Me) {
			return true
		}
	}
	return false
}

// knowsAsMuch reports that a seat knows the same in two views, apart from all others.
// What binds its choice (facts, marks) is left out: it changes with the phase.
func knowsAsMuch(a, b *engine.Own) bool {
	if a == nil || b == nil {
		return a == b
	}
	card := func(x, y engine.CardView) bool { return x.Card == y.Card }
	return a.Role == b.Role && slices.EqualFunc(a.Hand, b.Hand, card) && slices.Equal(a.Tray, b.Tray) && reflect.DeepEqual(a.Seen, b.Seen)
}

func (c *core) withdraw(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	if !c.mayWithdraw(seat) {
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.withdraw.no")
	}
	if r := c.takeBack(by.Author); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: engine.Say("table.withdrawn", "seat", seat.String()), Rule: "GEN-009"}, nil
}

func (c *core) propose(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	switch {
	case c.group.step == 0 || c.inLobby():
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.undo.nothing")
	case !slices.Contains(c.living(), seat):
		return nil, master.Refuse(engine.NotYou, "GEN-009", "table.vote.living")
	case c.vote != nil:
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.vote.open")
	}
	c.vote = &vote{by: seat}
	said, r := c.agree(by, seat)
	if said == nil && r == nil {
		said = &wire.Notice{Msg: engine.Say("table.vote.proposed", "seat", seat.String()), Rule: "GEN-009"}
	}
	return said, r
}

// agree counts a voice; with the last one the step is taken back.
func (c *core) agree(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	living := c.living()
	switch {
	case c.vote == nil:
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.vote.none")
	case !slices.Contains(living, seat):
		return nil, master.Refuse(engine.NotYou, "GEN-009", "table.vote.living")
	case slices.Contains(c.vote.agreed, seat):
		return nil, master.Refuse(engine.NotNow, "GEN-E04", "table.vote.twice")
	}
	c.vote.agreed = append(c.vote.agreed, seat)
	slices.Sort(c.vote.agreed)
	if len(c.vote.agreed) < len(living) {
		return nil, nil
	}
	if r := c.takeBack(causeVote); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: engine.Say("table.corrected"), Rule: "GEN-009"}, nil
}

func (c *core) refuse(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	switch {
	case c.vote == nil:
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.vote.none")
	case !slices.Contains(c.living(), seat):
		return nil, master.Refuse(engine.NotYou, "GEN-009", "table.vote.living")
	}
	c.vote = nil
	return &wire.Notice{Msg: engine.Say("table.vote.refused", "seat", seat.String()), Rule: "GEN-009"}, nil
}

// shownVote is the vote as everybody sees it.
func (c *core) shownVote() *wire.Vote {
	if c.vote == nil {
		return nil
	}
	return &wire.Vote{By: c.vote.by, Agreed: slices.Clone(c.vote.agreed), Of: c.living()}
}

// takeBack makes the last group of steps void; the event is stored like any
// other. The caller has seen to it that there is one.
func (c *core) takeBack(cause string) *engine.Reject {
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pause(err)
		return c.standing()
	}
	data, _ := json.Marshal(master.Undone{Step: c.group.step, Insisted: c.group.barrier && cause != causeVote}) // never fails
	event := store.Event{N: int64(len(rows) + 1), Step: c.step + 1, Cause: cause, Kind: master.KindUndo, Data: data, At: c.now()}
	p, err := fold(c.book, append(rows, event))
	if err != nil {
		panic("game: undo: " + err.Error()) // the journal is not what this loop wrote
	}
	if p.game.look().Public.Phase == engine.PhaseLobby {
		if err := c.blankNotes(); err != nil {
			c.pause(err)
			return c.standing()
		}
	}
	if err := c.journal.Append(c.gameID, []store.Event{event}, resultOf(p.game)); err != nil {
		c.pause(err)
		return c.standing()
	}
	late := c.now() - c.group.at
	c.past = p
	c.parts.apply(event)
	c.vote = nil
	c.due.reset()
	c.due.delay(c.game.Deadlines(), late) // each has the time left that it had when the undone step came
	return nil
}
