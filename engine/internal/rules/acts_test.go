package rules

import (
	"fmt"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/deck"
)

var said = RefusalKeys{UnknownAct: "unknown-act", HostOnly: "host-only", NotNow: "not-now", Counting: "counting",
	Unexpected: "unexpected", Repeated: "repeated",
	NoSeat: "no-seat", EmptySeat: "empty-seat", NoSwitch: "no-switch", NoValue: "no-value", SameValue: "same", NoHolder: "no-holder",
	NoNumber: "no-number"}

// refusalText is a refusal in short: rule, key, and "aloud" if the table hears it.
func refusalText(r *engine.Reject) string {
	if r == nil {
		return ""
	}
	if !r.Public.IsEmpty() {
		return r.Rule + " " + r.Why.Key + " aloud"
	}
	return r.Rule + " " + r.Why.Key
}

func mustEqual(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestRefusals: who may not act at all, and when (GEN-002, GEN-E09).
func TestRefusals(t *testing.T) {
	seat, host := engine.SeatViewer(1), engine.Host
	for _, c := range []struct {
		by      engine.Viewer
		act     string
		counts  bool
		alarmed bool
		want    string
	}{
		{engine.Public, engine.ActScan, false, false, ""}, {seat, engine.ActScan, false, false, "GEN-002 unknown-act"},
		{host, engine.ActDeadline, false, false, "GEN-002 unknown-act"},
		{seat, "move", false, false, ""}, {seat, "move", true, false, "GEN-E09 counting aloud"},
		{engine.Public, engine.ActScan, true, false, "GEN-E09 counting aloud"},
		{host, "count-is", true, false, ""}, {host, "counted", true, false, ""},
		{seat, "dealt", false, true, "GEN-E09 gen.no.alarmed aloud"},
		{engine.Public, engine.ActScan, false, true, "GEN-E09 gen.no.alarmed aloud"},
		{host, "deal", false, true, "GEN-E09 gen.no.alarmed aloud"}, {host, ActCount, false, true, ""}, {host, ActRedeal, false, true, ""},
	} {
		mustEqual(t, c.act,
			refusalText(said.RefuseOutOfPlace(engine.Command{By: c.by, Act: c.act}, &CardCount{Counting: c.counts, Alarmed: c.alarmed})),
			c.want)
	}
	during := NewPhases[uint8](1, 3)
	mustEqual(t, "the host in time", refusalText(said.RefuseUnlessHost(engine.Command{By: host}, during, 3, "R")), "")
	mustEqual(t, "the host at another time", refusalText(said.RefuseUnlessHost(engine.Command{By: host}, during, 2, "R")), "R not-now")
	mustEqual(t, "a seat as the host", refusalText(said.RefuseUnlessHost(engine.Command{By: seat}, during, 3, "R")), "GEN-002 host-only")
	mustEqual(t, "nothing is awaited", refusalText(said.RefuseUnexpectedCard()), "GEN-E11 unexpected")
	mustEqual(t, "the same card", refusalText(said.RefuseRepeatedCard()), "GEN-E04 repeated")
	if !AnyPhase.Contains(15) || during.Contains(0) {
		t.Error("phases")
	}
}

// TestNames: a name is readable and short enough (GEN-002).
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"Anne": true, "": false, " Anne": false, "Anne ": false, "a\nb": false,
		strings.Repeat("e", MaxName): true, strings.Repeat("e", MaxName+1): false} {
		if IsPlayerName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func TestSeats(t *testing.T) {
	seated := func(x engine.Seat) bool { return x == 2 }
	for arg, want := range map[string]string{"seat-2": "", "seat-3": "R empty-seat", "seat-4": "R no-seat", "": "R no-seat"} {
		x, r := said.ParseTakenSeat(engine.Command{Args: engine.Args{"seat": arg}}, 3, "R", seated)
		mustEqual(t, arg, refusalText(r), want)
		if r == nil && x != 2 {
			t.Errorf("%s is %s", arg, x)
		}
	}
}

// TestCount: a count accepts a number from 0 to the most cards that the holder can have (GEN-E09).
func TestCount(t *testing.T) {
	holders := []Holder{{"seat-1", 1, 2, 3, nil}, {"hall", 0, 0, 1, HolderArgs("hall")}, {"pool", 0, 0, 1, nil}}
	for _, c := range []struct{ of, n, want string }{
		{"seat-1", "0", "seat-1 seat-1 2 3 0"}, {"seat-1", "3", "seat-1 seat-1 2 3 3"}, {"hall", "1", "hall seat-0 0 1 1"},
		{"seat-1", "4", "GEN-E09 no-number"}, {"hall", "-1", "GEN-E09 no-number"}, {"hall", "01", "GEN-E09 no-number"},
		{"hall", "x", "GEN-E09 no-number"},
		{"seat-2", "1", "GEN-E09 no-holder"},
	} {
		h, n, r := said.ParseCount(engine.Command{Args: engine.Args{"of": c.of, "n": c.n}}, &CardCount{Counting: true}, holders)
		got := refusalText(r)
		if r == nil {
			got = fmt.Sprintf("%s %s %d %d %d", h.Name, h.Seat, h.Now, h.Most, n)
		}
		mustEqual(t, c.of+" "+c.n, got, c.want)
	}
	offers := AddCountOffers([]engine.Offer{}, holders, true)
	mustEqual(t, "offers", fmt.Sprint(offers[0].Params[0].Domain, offers[0].Fixed["of"], offers[1].Fixed["of"], offers[2].Fixed["of"],
		offers[3].Act), "[0 1 2 3]seat-1hallpoolcounted")
	if n := len(AddCountOffers(nil, holders, false)); n != 3 {
		t.Errorf("%d offers while the numbers exceed the box", n)
	}
}

func TestDeadlineIsDueAtItsTime(t *testing.T) {
	armed := []engine.Deadline{{ID: "a", At: 10}, {ID: "b", At: 20}}
	for _, c := range []struct {
		id   string
		at   engine.Millis
		want bool
	}{{"a", 10, true}, {"a", 9, false}, {"b", 10, false}, {"b", 21, true}, {"c", 30, false}} {
		if got := IsDueDeadline(engine.Command{At: c.at, Args: engine.Args{"id": c.id}}, armed); got != c.want {
			t.Errorf("%s at %d: %v", c.id, c.at, got)
		}
	}
}

type fact struct {
	name string
	at   engine.Millis
}

func (f *fact) Kind() string                  { return f.name }
func (f *fact) IsBarrier() bool               { return false }
func (f *fact) Stamp(at engine.Millis)        { f.at = at }
func (f *fact) Format(s fmt.State, verb rune) { fmt.Fprint(s, f.name, f.at) }

// TestFollowingEventsAreAppliedOneByOne: an event that follows is applied before the next one is asked for, and this ends.
func TestFollowingEventsAreAppliedOneByOne(t *testing.T) {
	var applied string
	apply := func(f *fact) { applied += f.name }
	got := ApplyWithConsequences(7, []*fact{{"a", 1}, {"b", 2}}, 2, apply, func() *fact {
		if applied == "ab" {
			return &fact{name: "c"}
		}
		return nil
	}, "toy")
	mustEqual(t, "applied", applied, "abc")
	mustEqual(t, "returned", fmt.Sprint(got), "[a1 b2 c7]")
	defer func() {
		if r := recover(); r != "toy: consequences without end" {
			t.Errorf("panic %v", r)
		}
	}()
	ApplyWithConsequences(7, nil, 2, apply, func() *fact { return &fact{} }, "toy")
}

// TestSwitches: a house rule has the value of the deck until the host chooses another
// (GEN-008).
func TestSwitches(t *testing.T) {
	sw := Switches{{"order", "R1", []string{"up", "down"}}, {"end", "R2", []string{"all", "one", "none"}}}
	of := []deck.Switch{{ID: "end", Default: "one"}, {ID: "order", Default: "up"}}
	now := make([]uint8, 2)
	if err := sw.SetDefaults(of, now); err != nil || now[0] != 0 || now[1] != 1 {
		t.Fatalf("defaults %v: %v", now, err)
	}
	for want, of := range map[string][]deck.Switch{
		`the deck has no switch "end"`:     of[1:],
		`switch "end" has no value "cats"`: {{ID: "end", Default: "cats"}, of[1]},
	} {
		if err := sw.SetDefaults(of, now); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	mustEqual(t, "active", fmt.Sprint(sw.ActiveValues(now)), "map[end:one order:up]")
	mustEqual(t, "known", fmt.Sprint(sw.ValuesByID()), "map[end:[all one none] order:[up down]]")
	for _, c := range []struct{ name, value, want string }{
		{"end", "none", "1 2"}, {"end", "all", "1 0"}, {"order", "down", "0 1"}, {"end", "one", "R2 same"}, {"end", "up", "R2 no-value"},
		{"beginning", "up", "GEN-008 no-switch"},
	} {
		i, v, r := said.ParseSwitchChange(engine.Command{Args: engine.Args{"name": c.name, "value": c.value}}, sw, now)
		got := refusalText(r)
		if r == nil {
			got = fmt.Sprint(i, v)
		}
		mustEqual(t, c.name+" "+c.value, got, c.want)
	}
	for _, c := range []struct{ id, value, want string }{
		{"end", "none", "1 2 <nil>"}, {"order", "up", "0 0 <nil>"}, {"order", "all", "0 0 no such house rule"},
		{"beginning", "up", "0 0 no such house rule"},
	} {
		mustEqual(t, "stored "+c.id+" "+c.value, fmt.Sprint(sw.DecodeValue(c.id, c.value)), c.want)
	}
	mustEqual(t, "rules", fmt.Sprintf("%q", []engine.ID{sw.RuleChangedBy("order"), sw.RuleChangedBy("end"),
		sw.RuleChangedBy("beginning")}), `["R1" "R2" ""]`)
	offers := sw.AddSwitchOffers(nil, now)
	mustEqual(t, "offers", fmt.Sprint(offers[0].Fixed["name"], offers[0].Params[0].Domain, offers[1].Rule, offers[1].Params[0].Domain),
		"order[down]R2[all none]")
	mustEqual(t, "the values stay", fmt.Sprint(sw[1].Values), "[all one none]")
}

// TestCardParam: All lists the cards that public facts allow if there are more of them than accepted ones.
func TestCardParam(t *testing.T) {
	list := func(x uint64) []string { return strings.Split(fmt.Sprintf("%b", x), "") }
	for _, c := range []struct {
		may, all uint64
		want     string
	}{{0b101, 0b111, "[1 0 1] [1 1 1]"}, {0b111, 0b1000, "[1 1 1] [1 1 1 1]"}, {0b101, 0b100, "[1 0 1] []"}} {
		p := CardParam(list, c.may, c.all)
		mustEqual(t, fmt.Sprintf("%b of %b", c.may, c.all), fmt.Sprint(p.Domain, " ", p.All), c.want)
		mustEqual(t, "kind", p.Name+" "+p.Kind, "card card")
	}
}
