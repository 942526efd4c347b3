package uplink

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"majordome/companion/results"
	"majordome/companion/wire"
	"majordome/engine"
)

// asyncAPI returns the description of all messages that an uplink sends and receives
// (https://www.asyncapi.com/docs/reference/specification/v3.0.0), made from the Go types. It is the content of the file
// asyncapi.json.
func asyncAPI() ([]byte, error) {
	messages, channels, operations, schemas := map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}
	at := func(kind, name string) map[string]any { return map[string]any{"$ref": "#/" + kind + "/" + name} }
	type channelOf struct {
		name, topic, says string
		of                any
		kept              bool
	}
	all := []channelOf{
		{"availability", "availability", "\"online\" or \"offline\", plain; also the will", nil, true},
		{"info", "info", "who is speaking", Info{}, true},
		{"names", "names", "what each id is called, in French and English", engine.Names{}, true},
		{"state", "state", "the table as everybody sees it now", State{}, true},
		{"event", "event/{what}", "one thing that everybody has just seen happen; told once, within five seconds or never", Event{}, false},
		{"answer", "answer", "what has come of a command: once for each time it comes, save where too many come at once", Answer{}, false},
	}
	all = append(all,
		channelOf{"results", "results", "the newest ended games, the newest first; at a venue only", results.Index{}, true},
		channelOf{"result", "result", "how one game ended; at a venue only, at its end and when it is asked for", results.Result{}, false})
	for _, c := range slices.Concat(commands, resultCommands) {
		all = append(all,
			channelOf{"command-" + c.name, "command/" + c.name, c.summary, reflect.ValueOf(c.newValue()).Elem().Interface(), false})
	}
	for _, c := range all {
		payload := map[string]any{"type": "string", "enum": []string{"online", "offline"}}
		if c.of != nil {
			payload = schemaOf(reflect.TypeOf(c.of))
		}
		message := map[string]any{"name": c.name, "summary": c.says, "payload": at("components/schemas", c.name)}
		if c.of != nil {
			message["contentType"] = "application/json"
		}
		channel := map[string]any{"address": wire.DefaultPrefix + "/{site}/{table}/" + c.topic,
			"messages": map[string]any{c.name: at("components/messages", c.name)}}
		params := map[string]any{
			"site":  map[string]any{"description": "the key site"},
			"table": map[string]any{"description": "the key table"},
		}
		if c.name == "event" {
			params["what"] = map[string]any{"enum": moments}
			what := payload["properties"].(map[string]any)["what"].(map[string]any)
			what["enum"] = moments
		}
		channel["parameters"] = params
		operation := map[string]any{"action": "send", "channel": at("channels", c.name),
			"bindings": map[string]any{"mqtt": map[string]any{"qos": qos, "retain": c.kept}}}
		if strings.HasPrefix(c.name, "command-") {
			operation["action"] = "receive"
			operation["reply"] = map[string]any{"channel": at("channels", "answer")}
			fields := payload["properties"].(map[string]any)
			fields["id"] = map[string]any{"type": "string", "pattern": idPattern.String()}
			fields["by"] = map[string]any{"type": "string", "pattern": namePattern.String()}
		}
		schemas[c.name], messages[c.name], channels[c.name] = payload, message, channel
		operations[c.name] = operation
	}
	text, err := json.MarshalIndent(map[string]any{"asyncapi": "3.0.0",
		"info": map[string]any{"title": "Majordome", "version": "1",
			"description": "What a table tells the house by MQTT: what everybody sees, and nothing else. Where its owner allows it, the " +
				"house commands the table (key commands)."},
		"channels": channels, "operations": operations, "components": map[string]any{"messages": messages, "schemas": schemas}}, "", "  ")
	return append(text, '\n'), err
}

// schemaOf returns the JSON schema of a type as encoding/json writes it. The types have only plain fields.
func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Pointer:
		of := schemaOf(t.Elem())
		of["type"] = []string{of["type"].(string), "null"}
		return of
	}
	fields, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		name, more, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		of := schemaOf(t.Field(i).Type)
		if words := strings.Fields(t.Field(i).Tag.Get("enum")); len(words) > 0 {
			of["enum"] = words
		}
		fields[name] = of
		if more == "" {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": fields, "required": required, "additionalProperties": false}
}
