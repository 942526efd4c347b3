package table

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// hall keeps accounts in memory.
type hall struct{ shown wire.Home }

func (h *hall) Look(on bool)       { h.shown.Open, h.shown.Word = on, "" }
func (h *hall) Shown() *wire.Home  { s := h.shown; return &s }
func (h *hall) Drop(n string) bool { ok := h.shown.Name == n; h.shown.Name = ""; return ok }
func (h *hall) Add(name, kind, _ string) string {
	if name == "bad" {
		return "table.home.name"
	}
	h.shown.Name, h.shown.Word = name, "CANARY"
	return ""
}

// TestHome: the host alone makes accounts and is told the password, once.
func TestHome(t *testing.T) {
	m, p := newMemory(), &hall{}
	r := playing(t, m, 1)
	on := func() string {
		o := r.last().Host.View.Offers
		if i := slices.IndexFunc(o, func(o engine.Offer) bool { return o.Act == wire.ActHome }); i >= 0 {
			return o[i].Fixed["on"]
		}
		return ""
	}
	for _, act := range []string{wire.ActHome, wire.ActHomeAdd, wire.ActHomeDrop} {
		if r.act(engine.Host, act, "on", "yes", "name", "x").OK || on() != "" {
			t.Errorf("%s at a table that serves no devices", act)
		}
	}
	r.core().Home = p
	for _, act := range []string{wire.ActHome, wire.ActHomeAdd, wire.ActHomeDrop} {
		if r.act(engine.At(1), act, "on", "yes", "name", "x").OK || p.shown.Name != "" || p.shown.Open {
			t.Errorf("a seat does %s", act)
		}
	}
	r.must(engine.Host, wire.ActHome, "on", "yes")
	if on() != "no" || !p.shown.Open {
		t.Error("the host does not look")
	}
	if out := r.act(engine.Host, wire.ActHomeAdd, "name", "bad"); out.OK || out.Reject.Why.Key != "table.home.name" {
		t.Errorf("%+v", out)
	}
	r.must(engine.Host, wire.ActHomeAdd, "name", "lampe", "kind", "tasmota", "topic", "salon")
	s := r.last()
	if s.Host.Home == nil || s.Host.Home.Word != "CANARY" {
		t.Fatalf("%+v", s.Host.Home)
	}
	for _, u := range append(s.Seats(), s.Public) {
		if text, _ := json.Marshal(u); u.ForHost != nil || strings.Contains(string(text), "CANARY") {
			t.Errorf("%s is told the password", u.View.Viewer)
		}
	}
	r.must(engine.Host, wire.ActHomeDrop, "name", "lampe")
	if r.act(engine.Host, wire.ActHomeDrop, "name", "lampe").OK {
		t.Error("one that is gone is dropped")
	}
	r.must(engine.Host, wire.ActHome, "on", "no")
	if r.last().Host.Home.Word != "" || on() != "yes" {
		t.Error("the password stands there for ever")
	}
}
