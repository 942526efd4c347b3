package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// ExecuteOrder does an order of a program of the house; by is the name of the program for the minutes. It never
// blocks. reply is called once, by the loop's goroutine or before ExecuteOrder returns, and must not block; nil means
// done.
func (l *Loop) ExecuteOrder(by, act string, args engine.Args, reply func(*engine.Reject)) {
	programs := wire.FirstPhoneOf(engine.Public) // orders count as acts of this phone, which does not exist
	if !l.tryEnqueueAct(programs, func(c *core) { reply(c.executeOrder(by, act, args)) }) {
		reply(refuseBusy())
	}
}

// executeOrder does an order. It publishes a step only if something has changed.
func (c *core) executeOrder(by, act string, args engine.Args) *engine.Reject {
	do, ok := c.orders[act]
	switch {
	case !ok:
		return master.Refuse(engine.Unknown, "GEN-001", "table.order.unknown")
	case c.pauseMsg != nil && !c.allowsAct(do.Pause):
		return c.refusePaused()
	}
	was := c.pauseMsg
	notice, r := do.Do(master.Actor{Author: wire.ByProgram + by}, args)
	if r == nil || c.pauseMsg != was {
		c.publish(notices{public: notice})
	}
	return r
}
