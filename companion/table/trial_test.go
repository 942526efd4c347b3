package table

import (
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// gauge is a reader with a card before it.
type gauge struct{ on bool }

func (g *gauge) Try(on bool)  { g.on = on }
func (g *gauge) Trying() bool { return g.on }
func (*gauge) Meters() []wire.Meter {
	return []wire.Meter{{Role: "urn", Tags: []string{"04A1B2C3D4E5F6"}, Reads: 97}}
}

// The host tries the readers in the lobby; nobody else sees what lies there, and a game that begins ends it.
func TestReadersAreTried(t *testing.T) {
	readers := &gauge{}
	r := newRig(t, newMemory())
	offered := func() string {
		for _, o := range r.last().Host.View.Offers {
			if o.Act == actTry {
				return o.Fixed["on"]
			}
		}
		return ""
	}
	if offered() != "" || r.act(engine.Host, actTry, "on", "yes").OK {
		t.Error("a table that measures nothing is tried")
	}
	r.core().Meters = readers
	for range 3 {
		r.must(engine.Host, "sit")
	}
	if offered() != "yes" || r.last().Host.Meters != nil {
		t.Error("no trial is offered, or shown before it began")
	}
	if r.act(engine.At(1), actTry, "on", "yes").OK {
		t.Error("a seat tries the readers")
	}
	r.must(engine.Host, actTry, "on", "yes")
	s := r.last()
	if offered() != "no" || len(s.Host.Meters) != 1 || s.Host.Meters[0].Reads != 97 {
		t.Errorf("%+v", s.Host.Meters)
	}
	if s.Public.ForHost != nil || slices.ContainsFunc(s.Seats(), func(u wire.Update) bool { return u.ForHost != nil }) {
		t.Error("everybody sees what lies at the readers")
	}
	r.must(engine.Host, actTry, "on", "no")
	if readers.on || r.last().Host.Meters != nil {
		t.Error("it goes on")
	}
	r.must(engine.Host, actTry, "on", "yes")
	r.must(engine.Host, "begin")
	if readers.on || r.last().Host.Meters != nil || offered() != "" {
		t.Error("a game is measured")
	}
	if r.act(engine.Host, actTry, "on", "yes").OK || readers.on {
		t.Error("a game is measured")
	}
}
