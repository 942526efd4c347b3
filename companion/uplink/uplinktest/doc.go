// Package uplinktest judges messages by the document that describes them, companion/uplink/asyncapi.json, for tests.
package uplinktest

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Document is one as it lies in the tree.
type Document map[string]any

// Read reads it.
func Read(path string) (doc Document, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	return doc, err
}

// Judge says what is wrong with a message on a topic below the base; name is that of its channel. What is no JSON is one text.
func (doc Document) Judge(topic string, payload []byte) (name string, wrong []string) {
	name = strings.ReplaceAll(topic, "/", "-")
	if strings.HasPrefix(topic, "event/") {
		name = "event"
	}
	channel, ok := doc["channels"].(map[string]any)[name].(map[string]any)
	if !ok {
		return name, []string{topic + " is not described"}
	}
	message := doc.Follow(channel["messages"].(map[string]any)[name])
	var v any
	if message["contentType"] == nil {
		v = string(payload)
	} else if err := json.Unmarshal(payload, &v); err != nil {
		return name, []string{topic + ": no JSON"}
	}
	return name, Judge(doc.Follow(message["payload"]), topic, v)
}

// Follow finds what a reference means.
func (doc Document) Follow(at any) map[string]any {
	m := at.(map[string]any)
	ref, is := m["$ref"].(string)
	if !is {
		return m
	}
	var here any = map[string]any(doc)
	for level := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		here = here.(map[string]any)[level]
	}
	return here.(map[string]any)
}

// Judge says what is wrong with a value by a schema of the few words that the document uses; any other word is wrong itself.
func Judge(schema map[string]any, where string, v any) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, where+": "+fmt.Sprintf(format, args...)) }
	for word := range schema {
		if !slices.Contains([]string{"type", "enum", "items", "properties", "required", "additionalProperties", "pattern"}, word) {
			say("a schema with %s", word)
		}
	}
	types := []any{schema["type"]}
	if several, is := schema["type"].([]any); is {
		types = several
	}
	if is := typeOf(v); !slices.Contains(types, any(is)) {
		say("%s, want %v", is, types)
	}
	if all, limited := schema["enum"].([]any); limited && !slices.Contains(all, v) {
		say("%v is none of those", v)
	}
	switch v := v.(type) {
	case string:
		if p, bounded := schema["pattern"].(string); bounded && !regexp.MustCompile(p).MatchString(v) {
			say("%q is not like %s", v, p)
		}
	case []any:
		for i, e := range v {
			wrong = append(wrong, Judge(schema["items"].(map[string]any), fmt.Sprintf("%s[%d]", where, i), e)...)
		}
	case map[string]any:
		wrong = append(wrong, judgeFields(schema, where, v)...)
	}
	return wrong
}

// typeOf is the type of a value in the words of a schema.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int(v)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func judgeFields(schema map[string]any, where string, v map[string]any) (wrong []string) {
	fields, _ := schema["properties"].(map[string]any)
	more, _ := schema["additionalProperties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, r := range required {
		if _, ok := v[r.(string)]; !ok {
			wrong = append(wrong, fmt.Sprintf("%s: no %s", where, r))
		}
	}
	for k, e := range v {
		of, known := fields[k].(map[string]any)
		switch {
		case known:
			wrong = append(wrong, Judge(of, where+"."+k, e)...)
		case more != nil:
			wrong = append(wrong, Judge(more, where+"."+k, e)...)
		default:
			wrong = append(wrong, fmt.Sprintf("%s: %s is not described", where, k))
		}
	}
	return wrong
}
