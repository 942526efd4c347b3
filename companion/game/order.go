package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// Order does an order of a program of the house; by is the name of the program for the minutes. It never
// blocks. reply is called once, by the loop's goroutine or before Order returns, and must not block; nil means
// done.
func (l *Loop) Order(by, act string, args engine.Args, reply func(*engine.Reject)) {
	programs := wire.First(engine.Public) // orders count as acts of this phone, which does not exist
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

// listOrders returns the orders that programs of the house may give. All of them, and their refusals, depend
// only on public facts and on the host's settings for the room, because the answers may be heard in the whole
// house. So there are no others. In particular the next group needs the signature of a person.
func (c *core) ordersOf() map[string]master.Act {
	all := map[string]master.Act{wire.OrderNext: {Name: wire.OrderNext, Do: c.orderNext}}
	eachPart(c.parts, func(o master.OrderLister) {
		for _, a := range o.Orders() {
			all[a.Name] = a
		}
	})
	return all
}

// doOrder does an order. It publishes a step only if something has changed.
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
