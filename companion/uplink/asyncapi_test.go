package uplink

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"majordome/companion/results"
	"majordome/companion/uplink/uplinktest"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
)

var update = flag.Bool("update", false, "write asyncapi.json again")

// readAsyncAPI reads asyncapi.json and checks that it matches the Go types.
func readAsyncAPI(t testing.TB) uplinktest.Document {
	t.Helper()
	text, err := asyncAPI()
	if err != nil {
		t.Fatal(err)
	}
	const file = "asyncapi.json"
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lies, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(lies, text) {
		t.Fatalf("%s is not what the types say: go test ./companion/uplink -run AsyncAPI -update: %v", file, err)
	}
	doc, err := uplinktest.ReadDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestAsyncAPI checks that the document matches the Go types, and that every message of played games, in both directions,
// matches the document.
func TestAsyncAPI(t *testing.T) {
	doc, counts := readAsyncAPI(t), map[string]int{}
	say := func(topic string, what any) {
		t.Helper()
		body, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		if plain, is := what.(string); is {
			body = []byte(plain)
		}
		name, wrong := doc.Validate(topic, body)
		for _, w := range wrong {
			t.Error(w)
		}
		counts[name]++
	}
	for _, d := range games.KnownGames().DefaultDecks() {
		b, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		say("names", b.Names())
		var teller MessageBuilder
		for seed := range uint64(3) {
			for _, v := range playRandomGame(t, d.ID(), seed+1, 400) {
				for _, s := range teller.BuildMessages(&wire.Update{View: v,
					Table: wire.TableView{Readers: map[string]string{"urn": "ok"}, Online: []engine.Seat{1}}}) {
					say(s.Topic, s.Body)
				}
			}
		}
	}
	say("info", Info{"majordome", "1", Schema, true, true, "1f", "http://10.0.0.1"})
	say("availability", "online")
	all := len(commands) + len(resultCommands)
	say("results", results.Index{Table: "1f", Last: 3, Began: 1, Games: []results.Entry{{Game: 3, Hash: "0123abcd"}}})
	say("result", results.Result{Table: "1f", Game: 3, Winners: []int{1}, Players: []string{}})
	for name, what := range map[string]any{
		"pause": Pause{"1", "ha", true}, "alarm": Alarm{"1", ""}, "light": Light{"1", "ha", "dark"},
		"countdown": Adjust{"1", "", -60, true}, "hint": Advise{"1", "", "all", "x", ""}, "next": Next{"1", ""},
		"results": AskResults{"1", "", []int{3}}, "stored": Stored{"1", "", []results.Entry{{Game: 3, Hash: "0123abcd"}}},
	} {
		say("command/"+name, what)
		for _, no := range []*engine.Reject{nil, {Why: engine.NewMsg("table.order.idle")}} {
			o, answers, _ := newTestHandler(t, &fakeTable{refusal: no})
			o.results = &ResultHandlers{func([]int) {}, func([]results.Entry) {}}
			body, _ := json.Marshal(what)
			o.handleCommand(name, body, false, false)
			say("answer", (*answers)[0])
		}
	}
	if counts["event"] < 500 || counts["state"] < 500 || counts["names"] < 2 || counts["answer"] != 2*all ||
		len(counts) != 8+all {
		t.Errorf("too little was judged: %v", counts)
	}
	t.Logf("judged: %v", counts)
	for name, op := range doc["operations"].(map[string]any) {
		op := op.(map[string]any)
		heard := strings.HasPrefix(name, "command-")
		if (op["action"] == "receive") != heard || doc.ResolveRef(op["channel"])["address"] == nil ||
			heard && doc.ResolveRef(op["reply"].(map[string]any)["channel"])["address"] == nil {
			t.Errorf("%s: %v", name, op)
		}
	}
	bad := uplinktest.ValidateValue(doc.ResolveRef(map[string]any{"$ref": "#/components/schemas/event"}), "event",
		map[string]any{"what": "none such", "n": 1.5, "game": 1.0, "secret": "x"})
	if len(bad) != 4 {
		t.Errorf("a wrong event is judged %q", bad)
	}
}
