package huisclos

import (
	_ "embed"
	"strings"
	"testing"

	"majordome/engine/internal/rules"
	"majordome/engine/script/scripttest"
)

//go:embed testdata/events.txt
var storedEvents string

//go:embed testdata/game.txt
var storedGame string

// TestStoredEvents: what a store holds of any kind of event is read without loss.
func TestStoredEvents(t *testing.T) {
	scripttest.CheckStored(t, newBook(t), storedEvents, rules.RowNames(eventRows[1:]))
}

// TestAStoredGame: a whole game as it was stored once ends as it did then.
func TestAStoredGame(t *testing.T) {
	s := scripttest.ReplayStored(t, newBook(t), storedGame).(*state)
	if r := s.result; r == nil || r.Rule != "HC-150" || len(r.Winners) != 1 || r.Winners[0] != 7 || s.round != 8 {
		t.Errorf("round %d, result %+v", s.round, r)
	}
}

// TestWhatIsNoEvent: bytes that EncodeEvent never writes are refused, and the error says what is wrong with them.
func TestWhatIsNoEvent(t *testing.T) {
	b := newBook(t)
	for _, c := range []struct{ kind, data, want string }{
		{"", `{}`, "unknown kind of event"}, {"dance", `{}`, "unknown kind of event"},
		{"begun", `{`, "not the JSON of an event"}, {"deposited", `{"seat":1,"trust":"perhaps"}`, "no such trust"},
		{"begun", strings.Repeat(" ", rules.MaxStored-1) + `{}`, "more than 16384 bytes"},

		{"over", `{"seat":9}`, "no such seat"}, {"over", `{"other":9}`, "no such seat"}, {"called", `{}`, "no such seat"},
		{"moved", `{"seat":1}`, "no such place"}, {"called", `{"seat":1,"place":"place-9"}`, "no such place"},
		{"destroyed", `{"seat":1}`, "no such card"}, {"called", `{"seat":1,"card":"weapon-99"}`, "no such card"},
		{"sat", `{"seat":1,"text":"Anne"}`, "no such player"}, {"sat", `{"seat":1,"who":"character-worms"}`, "no such player"},
		{"took", `{"seat":1,"step":12,"card":"weapon-3"}`, "no such step"},
		{"kept", `{"seat":1}`, "no such card"}, {"kept", `{"seat":1,"card":"weapon-3","trust":"unnamed"}`, "no such card"},
		{"count-is", `{"n":40}`, "no such number"}, {"counted", `{"n":40}`, "no such number"},
		{"exchange", `{"seat":1}`, "no such other seat"}, {"accused", `{"seat":1,"card":"weapon-3"}`, "no such other seat"},
		{"drew", `{"seat":1,"card":"weapon-3"}`, "no such other seat"}, {"gave", `{"seat":1,"card":"weapon-3"}`, "no such other seat"},

		{"switched", `{"switch":"exchange-order","value":"cats"}`, "no such house rule"},
		{"switched", `{"value":"nobody"}`, "no such house rule"},
		{"role", `{"seat":1}`, "no such role"}, {"role", `{"seat":1,"role":"butler"}`, "no such role"},
		{"roles-drawn", `{"roles":{"nobody":"innocent"}}`, "no such role"},
		{"roles-drawn", `{"roles":{"seat-9":"innocent"}}`, "no such role"},
		{"roles-drawn", `{"roles":{"seat-1":"butler"}}`, "no such role"},
		{"dealt", `{"deal":{"weapon-3":"place-3"}}`, "a clue without a place"},
		{"allowed", `{"seat":1}`, "no such rule to waive"}, {"allowed", `{"seat":1,"text":"HC-091"}`, "no such rule to waive"},
		{"posed", `{}`, "no position"}, {"posed", `{"pose":{"lines":[]}}`, "no lawful position"},
	} {
		scripttest.CheckRefused(t, b, c.kind, c.data, c.want)
	}
	if _, err := b.DecodeEvent("begun", []byte(strings.Repeat(" ", rules.MaxStored-2)+`{}`)); err != nil {
		t.Errorf("an event of %d bytes: %v", rules.MaxStored, err)
	}
}
