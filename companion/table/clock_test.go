package table

import (
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// unset is a clock that nobody has set until somebody does.
type unset struct{ set string }

func (u *unset) Settable() bool { return u.set == "" }
func (u *unset) Set(ms string) bool {
	if ms == "soon" {
		return false
	}
	u.set = ms
	return true
}

// TestSystemClock: the host alone sets it, once, and a time that is none is refused.
func TestSystemClock(t *testing.T) {
	r := playing(t, newMemory(), 1)
	offered := func() bool {
		r.core().publish(notices{})
		return slices.ContainsFunc(r.last().Host.View.Offers, func(o engine.Offer) bool { return o.Act == wire.ActClock })
	}
	if offered() || r.act(engine.Host, wire.ActClock, "at", "1798142400000").OK {
		t.Error("a clock that cannot be set is offered")
	}
	u := &unset{}
	r.core().SystemClock = u
	if !offered() {
		t.Error("it is not offered")
	}
	if r.act(engine.At(1), wire.ActClock, "at", "1798142400000").OK || r.act(engine.Host, wire.ActClock, "at", "soon").OK || u.set != "" {
		t.Error("a seat sets it, or a time that is none does")
	}
	r.must(engine.Host, wire.ActClock, "at", "1798142400000")
	if u.set != "1798142400000" || offered() || r.act(engine.Host, wire.ActClock, "at", "1798142500000").OK {
		t.Errorf("after it was set to %q it is set again", u.set)
	}
}
