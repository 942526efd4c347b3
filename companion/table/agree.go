package table

import (
	"encoding/json"
	"slices"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the loop for seats (GEN-009).
const (
	actWithdraw = "withdraw"
	actPropose  = "propose-undo"
	actAgree    = "agree-undo"
	actRefuse   = "refuse-undo"
)

// seatActs do an act of a seat and say what the table is told.
var seatActs = map[string]func(*core, engine.Seat) (*wire.Notice, *engine.Reject){
	actWithdraw: (*core).withdraw,
	actPropose:  (*core).propose,
	actAgree:    (*core).agree,
	actRefuse:   (*core).refuse,
}

// vote is a proposal to take the last step back. It is forgotten when the game
// goes on, and with the daemon: nothing has happened yet.
type vote struct {
	by     engine.Seat
	agreed []engine.Seat
}

// seatOffers are the acts of the loop that a seat may do now. Whether they are
// there depends on who acted last and on this seat's own phone, so that they
// tell nobody a secret.
func (c *core) seatOffers(seat engine.Seat) (all []engine.Offer) {
	offer := func(act string) { all = append(all, engine.Offer{Act: act, Rule: "GEN-009", Aside: true}) }
	if c.paused != nil || c.group.step == 0 {
		return nil
	}
	if c.mayWithdraw(seat) {
		offer(actWithdraw)
	}
	switch {
	case c.inLobby() || !slices.Contains(c.living(), seat):
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
func (c *core) inLobby() bool {
	return c.game.View(engine.Public).Phase == c.book.New().View(engine.Public).Phase
}

// living are the seats that have a voice in corrections.
func (c *core) living() []engine.Seat {
	all := []engine.Seat{}
	for _, s := range c.game.View(engine.Public).Seats {
		if s.Alive {
			all = append(all, s.Seat)
		}
	}
	return all
}

// mayWithdraw reports that the last act was a public declaration of this seat
// by which nobody has learned or lost anything: it named no card, holds no
// barrier, and every seat knows what it knew before.
func (c *core) mayWithdraw(seat engine.Seat) bool {
	g := c.group
	if g.step == 0 || g.barrier || g.named || g.cause != engine.At(seat).String() {
		return false
	}
	for s := engine.Seat(1); s <= engine.MaxSeats; s++ {
		if knowledge(g.before, s) != knowledge(c.game, s) {
			return false
		}
	}
	return true
}

// knowledge is what a seat knows apart from all others, as text to compare.
// What binds its choice (facts, marks) is left out: it changes with the phase.
func knowledge(g engine.Game, s engine.Seat) string {
	me := g.View(engine.At(s)).Me
	if me == nil {
		return ""
	}
	own := engine.Own{Role: me.Role, Tray: me.Tray, Seen: me.Seen}
	for _, h := range me.Hand {
		own.Hand = append(own.Hand, engine.CardView{Card: h.Card})
	}
	text, _ := json.Marshal(own) // ids and numbers: never fails
	return string(text)
}

func (c *core) withdraw(seat engine.Seat) (*wire.Notice, *engine.Reject) {
	if !c.mayWithdraw(seat) {
		return nil, refuse(engine.NotNow, "GEN-009", "table.withdraw.no")
	}
	if r := c.takeBack(engine.At(seat).String()); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: engine.Say("table.withdrawn", "seat", seat.String()), Rule: "GEN-009"}, nil
}

func (c *core) propose(seat engine.Seat) (*wire.Notice, *engine.Reject) {
	switch {
	case c.group.step == 0 || c.inLobby():
		return nil, refuse(engine.NotNow, "GEN-009", "table.undo.nothing")
	case !slices.Contains(c.living(), seat):
		return nil, refuse(engine.NotYou, "GEN-009", "table.vote.living")
	case c.vote != nil:
		return nil, refuse(engine.NotNow, "GEN-009", "table.vote.open")
	}
	c.vote = &vote{by: seat}
	said, r := c.agree(seat)
	if said == nil && r == nil {
		said = &wire.Notice{Msg: engine.Say("table.vote.proposed", "seat", seat.String()), Rule: "GEN-009"}
	}
	return said, r
}

// agree counts a voice; with the last one the step is taken back.
func (c *core) agree(seat engine.Seat) (*wire.Notice, *engine.Reject) {
	living := c.living()
	switch {
	case c.vote == nil:
		return nil, refuse(engine.NotNow, "GEN-009", "table.vote.none")
	case !slices.Contains(living, seat):
		return nil, refuse(engine.NotYou, "GEN-009", "table.vote.living")
	case slices.Contains(c.vote.agreed, seat):
		return nil, refuse(engine.NotNow, "GEN-E04", "table.vote.twice")
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

func (c *core) refuse(seat engine.Seat) (*wire.Notice, *engine.Reject) {
	switch {
	case c.vote == nil:
		return nil, refuse(engine.NotNow, "GEN-009", "table.vote.none")
	case !slices.Contains(c.living(), seat):
		return nil, refuse(engine.NotYou, "GEN-009", "table.vote.living")
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
	data, _ := json.Marshal(undone{c.group.step}) // a number: never fails
	event := store.Event{N: int64(len(rows) + 1), Step: c.step + 1, Cause: cause, Kind: kindUndo, Data: data, At: c.now()}
	p, err := fold(c.book, append(rows, event))
	if err != nil {
		panic("table: undo: " + err.Error()) // the journal is not what this loop wrote
	}
	if err := c.journal.Append(c.gameID, []store.Event{event}, resultOf(p.game)); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.past = p
	c.vote = nil
	clear(c.spent)
	return nil
}
