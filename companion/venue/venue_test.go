package venue

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// rig is a venue with a clock that a test moves.
type rig struct {
	*testing.T
	v   *Venue
	now time.Time
}

func newRig(t *testing.T) *rig {
	v, err := New(&Opts{Site: "cafe", Start: 7, Groups: map[string][]string{"salle": {"t1", "t2?"}, "étage": {"t*"}}})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t, v, time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC)}
	v.SetOnline(r.now, true)
	return r
}

// send gives the venue a message of a table; what is a text, or a value as JSON.
func (r *rig) send(table, topic string, what any) bool {
	payload, isText := []byte(nil), false
	if text, is := what.(string); is {
		payload, isText = []byte(text), true
	}
	if !isText {
		payload, _ = json.Marshal(what)
	}
	return r.v.HandleMessage(r.now, "majordome/1/cafe/"+table+"/"+topic, payload)
}

var goodInfo = uplink.Info{Software: "majordome", Schema: uplink.Schema, Commands: true, ID: "x"}

// open lets a table appear in a game.
func (r *rig) open(table string) {
	r.send(table, "availability", "online")
	r.send(table, "info", goodInfo)
	r.send(table, "state", playing())
}

func playing() uplink.State {
	return uplink.State{Game: "huis-clos", Phase: "investigation", Readers: map[string]string{"urn": "ok"},
		Seats: []uplink.Seat{{Seat: 1, Name: "Odile", Online: true}}}
}

func (r *rig) names() (all []string) {
	for _, t := range r.v.List().All {
		all = append(all, t.Name)
	}
	return all
}

func (r *rig) row(name string) wire.VenueTable {
	r.Helper()
	for _, t := range r.v.List().All {
		if t.Name == name {
			return t
		}
	}
	r.Fatalf("there is no table %s", name)
	return wire.VenueTable{}
}

func encode(x any) string {
	text, _ := json.Marshal(x)
	return string(text)
}

// TestOrder checks the order by need, then by how long it has lasted, then by name, with one table for each need.
func TestOrder(t *testing.T) {
	r := newRig(t)
	change := map[wire.VenueNeed]func(*uplink.State){
		wire.NeedAlarm:  func(s *uplink.State) { s.Mood, s.Paused = "alarm", true },
		wire.NeedReader: func(s *uplink.State) { s.Readers["urn"] = "lost" },
		wire.NeedOver:   func(s *uplink.State) { s.Countdown = &uplink.Countdown{Over: true} },
		wire.NeedPaused: func(s *uplink.State) { s.Paused = true },
		wire.NeedPhone:  func(s *uplink.State) { s.Seats[0].Online = false },
	}
	for _, name := range []string{"t10", "t9"} {
		r.open(name) // nothing is wrong there
	}
	for i := range wire.VenueNeeds {
		need := wire.VenueNeeds[len(wire.VenueNeeds)-1-i] // the least urgent waits longest
		for n := range 2 {
			name := fmt.Sprintf("%s%d", need, 2-n)
			r.open(name)
			r.now = r.now.Add(time.Second)
			if need == wire.NeedLine {
				r.send(name, "availability", "offline")
				continue
			}
			s := playing()
			change[need](&s)
			r.send(name, "state", s)
		}
	}
	want := []string{}
	for _, need := range wire.VenueNeeds {
		want = append(want, string(need)+"2", string(need)+"1")
	}
	if want = append(want, "t9", "t10"); !slices.Equal(r.names(), want) {
		t.Errorf("the order is\n%v, want\n%v", r.names(), want)
	}
	if got := r.row("alarm1"); !slices.Equal(got.Needs, []wire.VenueNeed{wire.NeedAlarm, wire.NeedPaused}) {
		t.Errorf("an alarm has the needs %v", got.Needs)
	}
	r.send("alarm1", "state", playing())
	if got := r.row("alarm1"); len(got.Needs) > 0 || got.Since != 0 {
		t.Errorf("after the alarm: %+v", got)
	}
}

// TestSince checks since when a table wants a person: further messages do not begin it again.
func TestSince(t *testing.T) {
	r := newRig(t)
	r.open("t1")
	r.now = r.now.Add(time.Minute)
	began := r.now
	s := playing()
	s.Paused = true
	r.send("t1", "state", s)
	r.now = r.now.Add(time.Minute)
	s.Urn = 3
	r.send("t1", "state", s)
	if got := r.row("t1").Since; got != began.UnixMilli() {
		t.Errorf("paused since %v, want %v", time.UnixMilli(got).UTC(), began)
	}
	r.send("t1", "availability", "offline")
	if got := r.row("t1"); got.Since != r.now.UnixMilli() || !slices.Equal(got.Needs, []wire.VenueNeed{wire.NeedLine}) {
		t.Errorf("away: %+v", got)
	}
	r.send("t1", "state", uplink.State{Phase: engine.PhaseLobby, Game: "huis-clos"})
	if got := r.row("t1"); got.Since != r.now.UnixMilli() || len(got.Needs) > 0 || got.Online {
		t.Errorf("switched off in the lobby: %+v", got)
	}
	if got := r.row("t1").Groups; !slices.Equal(got, []string{"salle", "étage"}) {
		t.Errorf("groups %v", got)
	}
}

// TestLineLost checks that tables count as away after a loss of the line unless they confirm that they are there.
func TestLineLost(t *testing.T) {
	r := newRig(t)
	r.open("t1")
	r.open("t2")
	if !r.v.SetOnline(r.now, false) || r.v.List().Online {
		t.Error("the loss of the line is not shown")
	}
	r.now = r.now.Add(time.Hour)
	if r.v.Expire(r.now) || !r.row("t1").Online {
		t.Error("without a line nothing is known of a table")
	}
	r.v.SetOnline(r.now, true)
	r.send("t1", "availability", "online")
	r.now = r.now.Add(ConfirmTime)
	if !r.v.Expire(r.now) || !r.row("t1").Online || r.row("t2").Online {
		t.Errorf("%+v", r.v.List().All)
	}
}

// TestForged checks that messages below the name of one table change its row alone, whatever they are, and that its row
// stays small.
func TestForged(t *testing.T) {
	r := newRig(t)
	r.open("t1")
	before := r.row("t1")
	long := strings.Repeat("<", 20_000)
	seats := make([]uplink.Seat, 300)
	for i := range seats {
		seats[i] = uplink.Seat{Seat: i, Name: strings.Repeat("\u2028", 60)}
	}
	readers := map[string]string{}
	for i := range 900 {
		readers[long[:20]+strconv.Itoa(i)] = "lost"
	}
	r.open("forged")
	for _, s := range []any{"", "x", "null", "[]", `{"seats":null}`, long, strings.Repeat("x", 40_000),
		uplink.State{Game: engine.ID(long), Phase: long}, uplink.State{Seats: seats}, uplink.State{Readers: readers, Mood: long}} {
		for _, topic := range []string{"state", "info", "availability", "answer", "names", "command/pause", "state/x", long} {
			r.send("forged", topic, s)
			r.send("forged", "info", goodInfo)
			for _, row := range r.v.List().All {
				if text, _ := json.Marshal(row); len(text) > maxRow+500 {
					t.Fatalf("a row of %d bytes after %.60v", len(text), s)
				}
			}
		}
	}
	for _, name := range []string{"", "+", "#", "T1", "a/b", "../t1", "t1 "} {
		r.send(name, "info", goodInfo)
	}
	r.v.HandleMessage(r.now, "majordome/1/other/t1/state", []byte(`{"paused":true}`))
	r.v.HandleMessage(r.now, "majordome/1/cafe", nil)
	if after := r.row("t1"); encode(after) != encode(before) {
		t.Errorf("%+v, before %+v", after, before)
	}
	for _, page := range []string{"javascript:alert(1)", "http://a:b@x/", "//x", "http://" + strings.Repeat("x", 300)} {
		i := goodInfo
		i.Page = page
		if r.send("t1", "info", i); r.row("t1").Page != "" {
			t.Errorf("the page %.40s is a link", page)
		}
	}
	other := goodInfo
	other.Schema++
	if r.send("t1", "info", other); slices.Contains(r.names(), "t1") {
		t.Error("a table of another schema is shown")
	}
	if r.send("t1", "availability", ""); r.send("t1", "info", goodInfo) && r.row("t1").Online {
		t.Error("a cleared table is not forgotten")
	}
}

// TestManyTables checks the limit: a false table takes the place of one that is away, never of one that is there.
func TestManyTables(t *testing.T) {
	r := newRig(t)
	for i := range MaxTables {
		r.open("t" + strconv.Itoa(i))
	}
	if r.send("late", "info", goodInfo); len(r.names()) != MaxTables || r.v.List().More != 1 || slices.Contains(r.names(), "late") {
		t.Fatalf("%d tables and %d more", len(r.names()), r.v.List().More)
	}
	if text, _ := json.Marshal(r.v.List()); len(text) > 4<<20 {
		t.Errorf("%d bytes", len(text))
	}
	r.send("t5", "availability", "offline")
	r.now = r.now.Add(time.Second)
	r.send("t6", "availability", "offline")
	r.open("late")
	got := r.names()
	if len(got) != MaxTables || slices.Contains(got, "t5") || !slices.Contains(got, "t6") || !slices.Contains(got, "late") {
		t.Error("the new table has not the place of the one that is away longest")
	}
	for i := range 3 * maxBeyond {
		r.send("t6", "availability", "online")
		r.send("false"+strconv.Itoa(i), "info", goodInfo)
	}
	if got := r.v.List().More; got != maxBeyond {
		t.Errorf("%d names beyond the limit, want %d", got, maxBeyond)
	}
}

// TestRandomMessages sends random messages and checks the invariants of Venue and the order after each.
func TestRandomMessages(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	r := newRig(t)
	for range 3000 {
		r.now = r.now.Add(time.Duration(rnd.IntN(2000)) * time.Millisecond)
		name := "t" + strconv.Itoa(rnd.IntN(8))
		before := map[string]string{}
		for _, x := range r.v.List().All {
			before[x.Name] = encode(x)
		}
		s := playing()
		s.Paused, s.Seats[0].Online = rnd.IntN(2) == 0, rnd.IntN(2) == 0
		if rnd.IntN(4) == 0 {
			s.Mood = "alarm"
		}
		var changed bool
		switch rnd.IntN(6) {
		case 0:
			changed = r.send(name, "availability", []string{"online", "offline", "", "?"}[rnd.IntN(4)])
		case 1:
			changed = r.send(name, "info", goodInfo)
		case 2, 3:
			changed = r.send(name, "state", s)
		case 4:
			_, _, err := r.v.Act(r.now, "Odile", []string{name}, "pause", nil)
			changed = err == nil
		case 5:
			changed = r.send(name, "answer", uplink.Answer{ID: fmt.Sprintf("7.%d", rnd.IntN(500)), Result: uplink.Done})
		}
		now := r.v.List()
		for _, x := range now.All {
			if x.Name != name && before[x.Name] != encode(x) {
				t.Fatalf("a message of %s has changed %+v", name, x)
			}
			if x.Name == name && before[name] != encode(x) && !changed {
				t.Fatalf("%s has changed, and nobody is told", name)
			}
		}
		if !slices.IsSortedFunc(now.All, func(a, b wire.VenueTable) int {
			rank := func(x wire.VenueTable) int {
				if len(x.Needs) == 0 {
					return len(wire.VenueNeeds)
				}
				return slices.Index(wire.VenueNeeds, x.Needs[0])
			}
			return rank(a) - rank(b)
		}) {
			t.Fatalf("the order is wrong: %+v", now.All)
		}
	}
}
