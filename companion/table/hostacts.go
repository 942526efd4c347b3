package table

import (
	"fmt"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the loop for the host.
const (
	actUndo    = "undo"
	actInvite  = "invite"
	actMore    = "add-phone"
	actEnd     = "end-phone"
	actNewGame = "new-game"
	actBegin   = "begin" // of every game; the loop keeps the gate before it
	actGoOn    = "go-on"
	actRestore = "restore"
	actSkip    = "skip-scene"
)

const (
	keep  = "keep"
	clean = "clear"
	yes   = "yes"
	no    = "no"
)

// hostActs returns the acts of the loop for the host.
func (c *core) hostActs() []master.Act {
	const host, operator = wire.RoleHost, wire.RoleOperator
	return []master.Act{
		{Name: actUndo, Role: host, Do: c.undo},
		{Name: actInvite, Role: host, Do: c.invite},
		{Name: actTurnAway, Role: host, Do: c.turnAway},
		{Name: actMore, Role: host, Do: c.more},
		{Name: actEnd, Role: host, Do: c.end},
		{Name: actNewGame, Role: host, Pause: master.WhenTimeUp, Do: c.newGame},
		{Name: actSkip, Role: host, Do: c.skip},

		{Name: actNextGroup, Role: operator, Pause: master.InHold, Do: c.nextGroup},
		{Name: actGoOn, Role: operator, Pause: master.WhenLost, Do: c.goOn},
		{Name: actRestore, Role: operator, Pause: master.WhenLost, Do: c.restore},

		// The device that is to end a pause may be a new one, and one that tries PINs meanwhile is to be ended.
		{Name: actAdmit, Role: operator, Pause: master.InAnyPause, Do: byFirst(c.admitHost)},
		{Name: actDeny, Role: operator, Pause: master.InAnyPause, Do: byFirst(c.denyHost)},
		{Name: actEndHost, Role: operator, Pause: master.InAnyPause, Do: c.endHost},
	}
}

// offers adds the acts of the loop that are possible now to those of the game; over as the host is shown it.
func (c *core) offers(all []engine.Offer, seats []engine.SeatView, over bool) []engine.Offer {
	if len(c.lost) > 0 {
		return c.hostOffers(append(all, c.ofLost()...))
	}
	all = c.partOffers(all)
	if c.paused != nil { // who helps is wanted then, above all
		if c.held {
		}
		if c.timeUp() {
			all = c.newGameOffers(c.groupOffers(all, true), true)
		}
		return c.hostOffers(all)
	}
	if c.scene != nil {
		all = append(all, engine.Offer{Act: actSkip, Rule: "GEN-001"})
	}
	all = c.inviteOffers(c.undoOffers(all), seats)
	all = c.hostOffers(c.phoneOffers(all, engine.Host))
	return c.newGameOffers(c.groupOffers(all, over), over)
}

func (c *core) undoOffers(all []engine.Offer) []engine.Offer {
	if c.group.step == 0 {
		return all
	}
	o := engine.Offer{Act: actUndo, Rule: "GEN-009"}
	if c.group.barrier || c.scene != nil { // during a scene nothing tells what it takes back
		o.Fixed, o.Grave = engine.Args{"force": yes}, true
	}
	return append(all, o)
}

// inviteOffers are who may come to which seat, and who is turned away.
func (c *core) inviteOffers(all []engine.Offer, seats []engine.SeatView) []engine.Offer {
	domain := make([]string, 0, engine.MaxSeats)
	for _, s := range seats {
		domain = append(domain, s.Seat.String())
	}
	for _, s := range c.freeSeats() {
		domain = append(domain, s.String())
	}
	if len(c.guests) > 0 {
		o := engine.Offer{Act: actTurnAway, Rule: "GEN-E12", Aside: true, Grave: true, Params: []engine.Param{{Name: "seat", Kind: "seat"}}}
		for _, g := range c.shownGuests() {
			o.Params[0].Domain = append(o.Params[0].Domain, g.Seat.String())
		}
		all = append(all, o)
	}
	if len(domain) == 0 {
		return all
	}
	return c.teamOffers(append(all, engine.Offer{Act: actInvite, Rule: "GEN-E12", Grave: true,
		Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: domain}}}))
}

// newGameOffers put another game on the table; over: the present one has ended.
func (c *core) newGameOffers(all []engine.Offer, over bool) []engine.Offer {
	for i, b := range c.books {
		o := engine.Offer{Act: actNewGame, Rule: "GEN-001", Grave: !over}
		if b.ID() == c.book.ID() {
			o.Fixed, o.Params = c.again[i], whoseSeats
		} else {
			o.Fixed = c.another[i]
		}
		all = append(all, o)
	}
	return all
}

// whoseSeats asks whether those who sit at the table play on.
var whoseSeats = []engine.Param{{Name: "seats", Kind: "value", Domain: []string{keep, clean}}}

// undo is the host's own: over something that somebody has seen the host must
// insist, where the seats would have to agree.
func (c *core) undo(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.group.step == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.undo.nothing")
	}
	if (c.group.barrier || c.scene != nil) && args["force"] != yes { // as it is offered
		return nil, master.Refuse(engine.Forbidden, "GEN-009", "table.undo.barrier")
	}
	said := engine.Say("table.undone")
	if c.group.barrier && c.scene == nil {
		said = engine.Say("table.undone.insisted")
	}
	if r := c.takeBack(by.Author); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: said, Rule: "GEN-009"}, nil
}

// invite gives a seat a new link; everybody is told, so that nobody takes a
// seat over in silence.
func (c *core) invite(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, err := engine.ParseSeat(args["seat"])
	if err == nil && slices.Contains(c.freeSeats(), seat) {
		return nil, c.inviteGuest(seat)
	}
	if err != nil || !c.seated(seat) {
		return nil, master.Refuse(engine.Unknown, "GEN-E12", "table.invite.nobody")
	}
	cut, err := c.Desk.Invite(engine.At(seat))
	if err != nil {
		c.Log.Error("no invitation", "seat", seat, "cause", err, "conseil", "aucun code pour ce téléphone")
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.invite.failed")
	}
	c.afresh(func(h wire.Handset) bool { return h.Viewer == engine.At(seat) }) // the new phone counts afresh
	if !cut {
		return nil, nil // a link instead of one that has ended: nothing changes at the table
	}
	return &wire.Notice{Msg: engine.Say("table.invited", "seat", seat.String()), Rule: "GEN-E12"}, nil
}

func (c *core) seated(seat engine.Seat) bool {
	for _, s := range c.game.look().Public.Seats {
		if s.Seat == seat {
			return true
		}
	}
	return false
}

// newGame puts the present game away, finished or not.
func (c *core) newGame(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	book := c.book
	for _, b := range c.books {
		if string(b.ID()) == args["game"] {
			book = b
		}
	}
	if args["game"] != "" && string(book.ID()) != args["game"] {
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	var first []store.Event
	if args["seats"] == keep && book.ID() == c.book.ID() {
		rows, err := c.journal.Events(c.gameID)
		if err != nil {
			c.pause(err)
			return nil, c.standing()
		}
		if first, err = lobby(book, rows); err != nil {
			panic("table: new game: " + err.Error()) // the journal is not what this loop wrote
		}
	}
	p, err := fold(book, first)
	if err != nil {
		panic(fmt.Sprintf("table: new game: %v", err))
	}
	eachPart(c.parts, func(l master.Leaver) { l.Leave(by.Author) })
	g, err := c.journal.Begin(book.ID(), first)
	if err != nil {
		c.pause(err)
		return nil, c.standing()
	}
	c.take(book, g.ID, p)
	c.parts.read(nil)
	c.parts.load()
	if first == nil {
		eachPart(c.parts, func(o master.Opener) { o.Opened(by.Author) })
	}
	return &wire.Notice{Msg: engine.Say("table.new-game")}, nil
}
