package venue

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestActAnswers checks the states of an act: pending, then what the table answers, or unknown after AnswerTime; an answer that
// comes late still counts.
func TestActAnswers(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"t1", "t2", "t3", "t4"} {
		r.open(name)
	}
	all, round, err := r.v.Act(r.now, "Zoé D", r.v.Tables(), "pause", nil)
	if err != nil || len(all) != 4 || all[0].Topic != "majordome/1/cafe/t1/command/pause" {
		t.Fatalf("%v %v", all, err)
	}
	var sent uplink.Pause
	if err := json.Unmarshal(all[0].Payload, &sent); err != nil || !sent.On || sent.By != "venue-zo-d" || sent.ID == "" {
		t.Fatalf("%s: %v", all[0].Payload, err)
	}
	if got := *r.row("t1").Act; got != (wire.VenueAct{Round: round, Act: "pause", By: "Zoé D", State: wire.ActPending}) {
		t.Errorf("%+v", got)
	}
	r.send("t1", "answer", uplink.Answer{ID: sent.ID, Result: uplink.Done})
	r.send("t2", "answer", uplink.Answer{ID: sent.ID, Result: uplink.Omitted, Why: &uplink.Why{FR: strings.Repeat("é", 900), EN: "no"}})
	r.send("t3", "answer", uplink.Answer{ID: sent.ID + "0", Result: uplink.Done}) // of another act
	r.send("t3", "answer", uplink.Answer{Result: uplink.Done})
	r.now = r.now.Add(AnswerTime - 1)
	if r.v.Expire(r.now) {
		t.Error("an act ends before its time")
	}
	r.now = r.now.Add(1)
	if !r.v.Expire(r.now) {
		t.Error("nothing ends in time")
	}
	for name, want := range map[string]string{"t1": wire.ActDone, "t2": wire.ActOmitted, "t3": wire.ActUnknown, "t4": wire.ActUnknown} {
		if got := r.row(name).Act; got.State != want {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
	if why := r.row("t2").Act.Why; why == nil || why.EN != "no" || len(why.FR) > maxWhy || strings.Contains(why.FR, "\uFFFD") {
		t.Errorf("the reason is %+v", why)
	}
	if r.send("t4", "answer", uplink.Answer{ID: sent.ID, Result: uplink.Done}); r.row("t4").Act.State != wire.ActDone {
		t.Error("a late answer does not count")
	}
	again, next, err := r.v.Act(r.now, "Zoé D", []string{"t1"}, "resume", nil)
	if err != nil || next == round || strings.Contains(string(again[0].Payload), sent.ID+`"`) {
		t.Errorf("the second act has the id of the first: %s, %v", again, err)
	}
}

// TestActsAreThoseOfATable checks each act, and that nothing else is sent.
func TestActsAreThoseOfATable(t *testing.T) {
	r := newRig(t)
	r.open("t1")
	for _, c := range []struct {
		act  string
		args engine.Args
		want string // the command and its payload, without id and by; "" if it is refused
	}{
		{"pause", nil, `pause {"on":true}`},
		{"resume", nil, `pause {"on":false}`},
		{"alarm", nil, `alarm {}`},
		{"next", nil, `next {}`},
		{"light", engine.Args{"to": "white"}, `light {"to":"white"}`},
		{"light", engine.Args{"to": "pink"}, ``},
		{"countdown", engine.Args{"seconds": "-300"}, `countdown {"seconds":-300}`},
		{"countdown", engine.Args{"seconds": "4000"}, ``},
		{"countdown", engine.Args{"seconds": "0"}, ``},
		{"hint", engine.Args{"to": "all", "text": " Cherchez. "}, `hint {"text":"Cherchez.","to":"all"}`},
		{"hint", engine.Args{"to": "all", "text": " "}, ``},
		{"hint", engine.Args{"to": "seat-1", "text": "x"}, ``},
		{"hint", engine.Args{"to": "all", "text": strings.Repeat("x", maxHint+1)}, ``},
		{"undo", nil, ``},
		{"group", nil, ``},
	} {
		all, _, err := r.v.Act(r.now, "", []string{"t1", "unknown"}, c.act, c.args)
		got := ""
		if err == nil && len(all) == 1 {
			var fields map[string]any
			if json.Unmarshal(all[0].Payload, &fields) != nil || fields["by"] != "venue" {
				t.Errorf("%s: %s", c.act, all[0].Payload)
			}
			delete(fields, "id")
			delete(fields, "by")
			rest, _ := json.Marshal(fields)
			got = strings.TrimPrefix(all[0].Topic, "majordome/1/cafe/t1/command/") + " " + string(rest)
		}
		if got != c.want {
			t.Errorf("%s %v: %s, %v, want %s", c.act, c.args, got, err, c.want)
		}
	}
	if _, _, err := r.v.Act(r.now, "", []string{"unknown"}, "pause", nil); err == nil {
		t.Error("an act at no table is done")
	}
}
