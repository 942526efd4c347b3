package table

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// helped is a text that waits as soon as it was asked for.
type helped struct{ shown wire.Support }

func (h *helped) Make() bool {
	if h.shown.Making {
		return false
	}
	h.shown.Path = "/support/CANARY"
	return true
}
func (h *helped) Shown() wire.Support { return h.shown }

// The host alone asks for the text for who helps and is told where it is, in a pause too; not while one is being made.
func TestSupport(t *testing.T) {
	m, p := newMemory(), &helped{}
	r := playing(t, m, 1)
	offered := func() bool {
		return slices.ContainsFunc(r.last().Host.View.Offers, func(o engine.Offer) bool { return o.Act == actSupport })
	}
	if r.act(engine.Host, actSupport).OK || offered() {
		t.Error("a table that makes none is asked for it")
	}
	r.core().Support = p
	if r.act(engine.At(1), actSupport).OK || p.shown.Path != "" {
		t.Error("a seat asks for it")
	}
	if !offered() || r.last().Host.Support != nil {
		t.Error("it is not offered, or shown before it was asked for")
	}
	m.fail = "before"
	r.act(engine.At(1), "deposit", "card", "card-1")
	if r.last().Host.Paused == nil || !offered() {
		t.Fatal("in a pause nobody helps")
	}
	if out := r.act(engine.At(1), actSupport); out.OK || p.shown.Path != "" {
		t.Error("a seat asks for it in a pause")
	}
	r.must(engine.Host, actSupport)
	s := r.last()
	if s.Host.Support == nil || s.Host.Support.Path != "/support/CANARY" {
		t.Fatalf("%+v", s.Host.Support)
	}
	for _, u := range append(s.Seats(), s.Public) {
		if text, _ := json.Marshal(u); u.ForHost != nil || strings.Contains(string(text), "CANARY") {
			t.Errorf("%s is told where it is", u.View.Viewer)
		}
	}
	p.shown = wire.Support{Making: true}
	if r.act(engine.Host, actSupport).OK || offered() {
		t.Error("two are made at once")
	}
}
