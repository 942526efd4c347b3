package game

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/master/countdown"
	"majordome/companion/master/group"
	"majordome/companion/master/hints"
	"majordome/companion/master/room"
	"majordome/companion/wire"
	"majordome/engine"
)

// orderRefusal sends an order of the program "flow" and returns the key of the reason if it is refused, "" if it is
// done.
func (r *rig) orderRefusal(act string, pairs ...string) string {
	r.t.Helper()
	args := engine.Args{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	if no := r.core().executeOrder("flow", act, args); no != nil {
		return no.Why.Key
	}
	return ""
}

// An order of a program of the house is recorded as the program's own act, and refused only for reasons that all
// viewers can see. A refused order is no step.
func TestOrders(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 3)
	lights := &fakeLights{}
	r.core().Lights = lights
	want := func(key, act string, pairs ...string) {
		t.Helper()
		n := len(r.steps)
		if got := r.orderRefusal(act, pairs...); got != key {
			t.Fatalf("%s %v: %q, want %q", act, pairs, got, key)
		}
		if key != "" && len(r.steps) != n {
			t.Errorf("%s %v is refused, and everybody is shown a step", act, pairs)
		}
		if key == "" && len(r.steps) == n {
			t.Errorf("%s %v is done, and nobody is shown it", act, pairs)
		}
	}
	want("table.order.already", wire.OrderResume)
	want("", wire.OrderPause)
	if u := r.last().Public; u.Hold == nil || u.Hold.By != "mqtt.flow" || u.Paused.Key != "table.paused.house" {
		t.Errorf("%+v %v", u.Hold, u.Paused)
	}
	want("table.order.already", wire.OrderPause)
	want("table.paused.house", wire.OrderHint, "to", "all", "text", "x")
	want("table.paused.house", wire.OrderNext)
	want("", wire.OrderResume)
	want("table.hint.later", wire.OrderHint, "to", "all", "text", "x")
	r.mustAct(engine.Host, hints.ActMost, "most", "1")
	want("table.order.whom", wire.OrderHint, "to", "seat-1", "text", "x")
	want("table.hint.long", wire.OrderHint, "to", "all", "text", "two\nlines")
	want("", wire.OrderHint, "to", "all", "text", "Sous le tapis")
	want("table.hint.spent", wire.OrderHint, "to", "all", "text", "x")
	want("table.count.none", wire.OrderCountdown, "seconds", "60")
	r.mustAct(engine.Host, countdown.ActSet, "minutes", "30")
	want("", wire.OrderCountdown, "seconds", "60", "bonus", "yes")
	want("table.count.minutes", wire.OrderCountdown, "seconds", "999999")
	want("table.order.scene", wire.OrderNext)
	want("", wire.OrderLight, "to", wire.LightDark)
	want("table.order.already", wire.OrderLight, "to", wire.LightDark)
	want("table.order.malformed", wire.OrderLight, "to", "red")
	want("table.order.malformed", wire.OrderHint, "to", "all", "stock", "none")
	want("table.order.malformed", wire.OrderCountdown, "seconds", "-1", "bonus", "yes")
	want("", wire.OrderAlarm)
	n := len(m.events[1])
	want("", wire.OrderAlarm) // an alarm is on already, as the order asks
	if len(m.events[1]) != n {
		t.Error("an alarm that is on already is recorded again")
	}
	want("", wire.OrderLight, "to", wire.LightGame) // allowed in a pause, too
	want("", wire.OrderResume)
	for _, act := range []string{
		actUndo, group.ActNext, actNewGame, hints.ActMost, countdown.ActSet, room.ActTeam, "begin", "sit", "deposit", engine.ActScan, "",
	} {
		want("table.order.unknown", act, "sign", "x", "seats", "keep")
	}
	m.fail = "before"
	if got := r.orderRefusal(wire.OrderPause); got != "table.paused.store" && got != "table.paused.full" {
		t.Errorf("a store that fails: %q", got)
	}
	if r.last().Public.Paused == nil {
		t.Error("nobody is notified that the store fails")
	}
	m.fail = ""
	r.passTime(time.Minute)
	var by []string
	all, err := BuildMinutes(r.books[0], m.events[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		if x.By == "mqtt.flow" {
			by = append(by, x.Said.Key)
		}
	}
	if want := []string{"minutes.pause", "minutes.resume", "minutes.hint.all", "minutes.count.bonus", "minutes.light.dark", "minutes.alarm",
		"minutes.light.game", "minutes.resume"}; !slices.Equal(by, want) {
		t.Errorf("on record are %v", by)
	}
}

// Before a game an alarm is only white light, and no other order is possible.
func TestOrdersInTheLobby(t *testing.T) {
	r := newRig(t, newMemory())
	for act, key := range map[string]string{
		wire.OrderPause:     "table.order.idle",
		wire.OrderAlarm:     "table.order.idle",
		wire.OrderHint:      "table.hint.later",
		wire.OrderCountdown: "table.count.none",
	} {
		if got := r.orderRefusal(act, "to", "all", "text", "x", "seconds", "1"); got != key {
			t.Errorf("%s: %q", act, got)
		}
	}
	if got := r.orderRefusal(wire.OrderLight, "to", wire.LightDark); got != "table.order.lights" {
		t.Errorf("a table without lights: %q", got)
	}
	lights := &fakeLights{}
	r.core().Lights = lights
	if got := r.orderRefusal(wire.OrderAlarm); got != "" || lights.over != wire.LightWhite || r.last().Public.Paused != nil {
		t.Errorf("%q, %s, %v", got, lights.over, r.last().Public.Paused)
	}
}

// A program that does not wait for answers gets the answer that the table is busy, and takes no place from a phone in
// the queue.
func TestOrdersDoNotQueue(t *testing.T) {
	r := newRig(t, newMemory())
	busy, l := 0, r.loop // the loop is not running
	for range 3 * maxPending {
		l.ExecuteOrder("flow", wire.OrderPause, nil, func(no *engine.Reject) {
			if no.Why.Key == "table.busy" {
				busy++
			}
		})
	}
	if busy != 2*maxPending || len(l.inputs) != maxPending {
		t.Errorf("%d are answered so, %d wait", busy, len(l.inputs))
	}
}
