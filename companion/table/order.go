package table

import (
	"slices"
	"strings"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// orders do what a program of the house asks for (wire.OrderPause and so on). Both what they do and why they are refused depends on
// what everybody can see, and on what the host has chosen for the room: each answer is heard by the whole house. That is why there are
// no others. The next group, above all, needs a signature of who answers for it.
var orders = map[string]func(*core, master.Actor, engine.Args) (*wire.Notice, *engine.Reject){
	wire.OrderPause:     (*core).orderPause,
	wire.OrderResume:    (*core).orderResume,
	wire.OrderAlarm:     (*core).orderAlarm,
	wire.OrderLight:     (*core).orderLight,
	wire.OrderCountdown: (*core).orderCountdown,
	wire.OrderHint:      (*core).orderHint,
	wire.OrderNext:      (*core).orderNext,
}

// Order does what a program of the house asks for; by is its name, as the minutes tell it. It never waits. reply is called once, by
// the loop's goroutine or before Order returns, and must not block; nil: it is done.
func (l *Loop) Order(by, act string, args engine.Args, reply func(*engine.Reject)) {
	programs := wire.First(engine.Public) // whose acts are these
	if !l.admit(programs) {
		reply(busy())
		return
	}
	in := input{l.core.Clock.Now(), func(c *core) {
		l.dismiss(programs)
		reply(c.order(by, act, args))
	}}
	select {
	case l.in <- in:
	default:
		l.dismiss(programs)
		reply(busy())
	}
}

// order shows a step only where something has changed: a program that asks in vain makes none.
func (c *core) order(by, act string, args engine.Args) *engine.Reject {
	do, ok := orders[act]
	if !ok {
		return master.Refuse(engine.Unknown, "GEN-001", "table.order.unknown")
	}
	who := master.Actor{Author: wire.ByProgram + by}
	light := act == wire.OrderLight || act == wire.OrderAlarm
	held := c.held && (act == wire.OrderPause || act == wire.OrderResume || act == wire.OrderCountdown)
	if c.paused != nil && !light && !held {
		return c.standing()
	}
	was := c.paused
	told, r := do(c, who, args)
	if r == nil || c.paused != was {
		c.publish(notices{public: told})
	}
	return r
}

// idle reports that no game is on, as everybody sees it.
func (c *core) idle() bool { return c.inLobby() || c.game.look().Public.Result != nil }

func already() *engine.Reject { return master.Refuse(engine.NotNow, "GEN-001", "table.order.already") }

func (c *core) orderPause(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	switch {
	case c.held:
		return nil, already()
	case c.idle():
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.idle")
	}
	return nil, c.stop(by, false)
}

func (c *core) orderResume(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	switch {
	case !c.held:
		return nil, already()
	case c.isOver():
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.over")
	}
	return c.resume(by, nil)
}

func (c *core) orderAlarm(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.inLobby() {
		return nil, c.stop(by, true)
	}
	if c.Lights == nil {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.idle")
	}
	return c.light(by, engine.Args{"to": wire.LightWhite})
}

// unfit refuses a value that no program should have sent.
func unfit(field string) *engine.Reject {
	return &engine.Reject{Code: engine.Unknown, Rule: "GEN-001", Why: engine.Say("table.order.malformed", "what", field)}
}

func (c *core) orderLight(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	switch to := args["to"]; {
	case to != wire.LightGame && to != wire.LightWhite && to != wire.LightDark:
		return nil, unfit("to")
	case c.Lights == nil:
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.lights")
	case to == c.Lights.Over():
		return nil, already()
	}
	return c.light(by, args)
}

func (c *core) orderCountdown(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if args["bonus"] == yes && strings.HasPrefix(args["seconds"], "-") {
		return nil, unfit("seconds")
	}
	return c.addCountdown(by, args)
}

// orderHint gives a hint that everybody may read.
func (c *core) orderHint(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if args["to"] != hintAll && args["to"] != hintDisplay {
		return nil, master.Refuse(engine.Forbidden, "GEN-010", "table.order.whom")
	}
	if id, ready := args["stock"]; ready && !slices.ContainsFunc(c.stock(), func(s wire.StockHint) bool { return s.ID == id }) {
		return nil, unfit("stock")
	}
	return c.giveHint(by, args)
}

func (c *core) orderNext(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.scene == nil {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.scene")
	}
	return c.skip(by, args)
}
