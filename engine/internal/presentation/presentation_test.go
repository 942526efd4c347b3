package presentation

import (
	"reflect"
	"testing"

	"majordome/engine"
)

func TestCard(t *testing.T) {
	w := FaultKeys{Several: "x.several", Foreign: "x.foreign", Unreadable: "x.unreadable"}
	for _, c := range []struct {
		args          engine.Args
		id, rule, key string
	}{
		{engine.Args{"cards": "rope"}, "rope", "", ""},
		{engine.Args{"cards": "rope,knife"}, "", "GEN-E06", "x.several"},
		{engine.Args{"cards": "rope", "foreign": "1"}, "", "GEN-E06", "x.several"},
		{engine.Args{"foreign": "2"}, "", "GEN-E01", "x.foreign"},
		{engine.Args{}, "", "GEN-E08", "x.unreadable"},
	} {
		id, r := w.ParseSingleCard(engine.Command{Act: engine.ActScan, Args: c.args})
		switch {
		case id != c.id || (r == nil) != (c.rule == ""):
			t.Errorf("%v: card %q, %v", c.args, id, r)
		case r != nil && (r.Code != engine.BadRead || r.Rule != c.rule || r.Why.Key != c.key || !r.Public.IsEmpty()):
			t.Errorf("%v: %+v, want %s %s", c.args, r, c.rule, c.key)
		}
	}
}

// GEN-E13: an alarm has the same words for all, for every card and every active seat, and no words for a single seat.
func TestAlarm(t *testing.T) {
	w := FaultKeys{Several: "x.several", Foreign: "x.foreign", Unreadable: "x.unreadable"}
	for _, cards := range []string{"rope", "knife", "rope,knife"} {
		_, r := w.ParseSingleCard(engine.Command{Act: engine.ActScan, Args: engine.Args{"cards": cards, engine.ArgDoubled: "1"}})
		if r == nil || !reflect.DeepEqual(AsNeutralRefusal(r, 3), NewAlarmReject()) {
			t.Errorf("%s at two readers: %+v", cards, r)
		}
	}
	if _, r := w.ParseSingleCard(engine.Command{Act: engine.ActScan,
		Args: engine.Args{"foreign": "1", engine.ArgDoubled: "1"}}); r.Rule != "GEN-E01" {
		t.Errorf("a bank card at two readers: %+v", r)
	}
	if a := NewAlarmReject(); a.Rule != "GEN-E13" || a.To != 0 || a.Why.Key != "gen.alarm" || !reflect.DeepEqual(a.Why, a.Public) {
		t.Errorf("%+v", a)
	}
}

// GEN-004: what the table hears depends only on the active seat.
func TestPrivateRefusalLooksLikeABadReading(t *testing.T) {
	fault := &engine.Reject{Code: engine.BadRead, Rule: "GEN-E01", Why: engine.NewMsg("x.foreign")}
	secret := &engine.Reject{Code: engine.Forbidden, Rule: "HC-045", Why: engine.NewMsg("x.hand")}
	for _, to := range []engine.Seat{0, 3} {
		a, b := *fault, *secret
		x, y := AsNeutralRefusal(&a, to), AsNeutralRefusal(&b, to)
		if x.Public.Key != y.Public.Key || x.Public.Args.Get("seat") != y.Public.Args.Get("seat") || x.To != to || y.To != to {
			t.Errorf("the table hears %v and %v", x.Public, y.Public)
		}
		want := engine.NewMsg("gen.again", "seat", to.String())
		if to == 0 {
			want = engine.NewMsg("gen.again.anyone")
		}
		if !reflect.DeepEqual(x.Public, want) {
			t.Errorf("the table hears %v, want %v", x.Public, want)
		}
		if x.Why.Key != "x.foreign" || y.Why.Key != "x.hand" || y.Rule != "HC-045" {
			t.Errorf("the seat hears %v and %v", x, y)
		}
	}
}
