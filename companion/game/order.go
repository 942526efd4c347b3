package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

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

// ordersOf returns what programs of the house may ask for. Both what it does and why it is refused depends on what everybody can see, and on
// what the host has chosen for the room: each answer is heard by the whole house. That is why there is no other. The next group, above all,
// needs a signature of who answers for it.
func (c *core) ordersOf() map[string]master.Act {
	all := map[string]master.Act{wire.OrderNext: {Name: wire.OrderNext, Do: c.orderNext}}
	eachPart(c.parts, func(o master.OrderLister) {
		for _, a := range o.Orders() {
			all[a.Name] = a
		}
	})
	return all
}

// order shows a step only where something has changed: a program that asks in vain makes none.
func (c *core) order(by, act string, args engine.Args) *engine.Reject {
	do, ok := c.orders[act]
	switch {
	case !ok:
		return master.Refuse(engine.Unknown, "GEN-001", "table.order.unknown")
	case c.paused != nil && !c.allows(do.Pause):
		return c.standing()
	}
	was := c.paused
	told, r := do.Do(master.Actor{Author: wire.ByProgram + by}, args)
	if r == nil || c.paused != was {
		c.publish(notices{public: told})
	}
	return r
}

func (c *core) orderNext(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.scene == nil {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.scene")
	}
	return c.skip(by, args)
}
