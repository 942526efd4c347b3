package uplink

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
)

var update = flag.Bool("update", false, "write asyncapi.json anew")

// described reads the document as it lies in the tree.
func described(t *testing.T) map[string]any {
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
	var doc map[string]any
	if err := json.Unmarshal(lies, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// follow finds what a reference means.
func follow(doc map[string]any, at any) map[string]any {
	m := at.(map[string]any)
	ref, is := m["$ref"].(string)
	if !is {
		return m
	}
	var here any = doc
	for level := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		here = here.(map[string]any)[level]
	}
	return here.(map[string]any)
}

// judge says what is wrong with a value by a schema of the few words that the document uses; any other word is wrong itself.
func judge(schema map[string]any, where string, v any) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, where+": "+fmt.Sprintf(format, args...)) }
	for word := range schema {
		if !slices.Contains([]string{"type", "enum", "items", "properties", "required", "additionalProperties"}, word) {
			say("a schema with %s", word)
		}
	}
	kinds := []any{schema["type"]}
	if several, is := schema["type"].([]any); is {
		kinds = several
	}
	is := "object"
	switch x := v.(type) {
	case nil:
		is = "null"
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case float64:
		if is = "number"; x == float64(int(x)) {
			is = "integer"
		}
	case []any:
		is = "array"
		for i, e := range x {
			wrong = append(wrong, judge(schema["items"].(map[string]any), fmt.Sprintf("%s[%d]", where, i), e)...)
		}
	case map[string]any:
		fields, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, r := range required {
			if _, ok := x[r.(string)]; !ok {
				say("no %s", r)
			}
		}
		for k, e := range x {
			of, known := fields[k].(map[string]any)
			if more, is := schema["additionalProperties"].(map[string]any); !known && is {
				of, known = more, true
			}
			if !known {
				say("%s is not described", k)
				continue
			}
			wrong = append(wrong, judge(of, where+"."+k, e)...)
		}
	}
	if !slices.Contains(kinds, any(is)) {
		say("%s, want %v", is, kinds)
	}
	if all, limited := schema["enum"].([]any); limited && !slices.Contains(all, v) {
		say("%v is none of those", v)
	}
	return wrong
}

// TestAsyncAPI: the document is that of the types, and every message of played games is as it says.
func TestAsyncAPI(t *testing.T) {
	doc := described(t)
	channels, counts := doc["channels"].(map[string]any), map[string]int{}
	check := func(topic string, body []byte) {
		t.Helper()
		name := topic
		if strings.HasPrefix(topic, "event/") {
			name = "event"
		}
		channel, ok := channels[name].(map[string]any)
		if !ok {
			t.Fatalf("%s is not described", topic)
		}
		message := follow(doc, channel["messages"].(map[string]any)[name])
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatal(err)
		}
		for _, w := range judge(follow(doc, message["payload"]), topic, v) {
			t.Error(w)
		}
		counts[name]++
	}
	say := func(topic string, what any) {
		t.Helper()
		body, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		check(topic, body)
	}
	for _, d := range games.All().Decks() {
		b, err := d.Book()
		if err != nil {
			t.Fatal(err)
		}
		say("names", b.Names())
		var teller Teller
		for seed := range uint64(3) {
			for _, v := range evening(t, d.ID(), seed+1, 400) {
				for _, s := range teller.Hear(&wire.Update{View: v, Table: wire.TableView{Readers: map[string]string{"urn": "ok"}, Online: []engine.Seat{1}}}) {
					say(s.Topic, s.What)
				}
			}
		}
	}
	say("info", Info{"majordome", "1", Schema, true, true})
	say("availability", "online")
	if counts["event"] < 500 || counts["state"] < 500 || counts["names"] < 2 {
		t.Errorf("too little was judged: %v", counts)
	}
	t.Logf("judged: %v", counts)
	for name, op := range doc["operations"].(map[string]any) {
		op := op.(map[string]any)
		if op["action"] != "send" || follow(doc, op["channel"])["address"] == nil {
			t.Errorf("%s: %v", name, op)
		}
	}
	if bad := judge(follow(doc, map[string]any{"$ref": "#/components/schemas/event"}), "event", map[string]any{"what": "none such", "n": 1.5, "game": 1.0, "secret": "x"}); len(bad) != 4 {
		t.Errorf("a wrong event is judged %q", bad)
	}
}
