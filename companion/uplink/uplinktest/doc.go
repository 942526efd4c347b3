// Package uplinktest validates messages against the document that describes them,
// companion/uplink/asyncapi.json. It is for tests only.
package uplinktest

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Document is such a document, decoded from JSON.
type Document map[string]any

// ReadDocument reads a document.
func ReadDocument(path string) (doc Document, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	return doc, err
}

// Validate returns what is wrong with a message on a topic below the base, and the name of its channel. A
// message that is not JSON is checked as one text.
func (doc Document) Validate(topic string, payload []byte) (name string, wrong []string) {
	name = strings.ReplaceAll(topic, "/", "-")
	if strings.HasPrefix(topic, "event/") {
		name = "event"
	}
	channel, ok := doc["channels"].(map[string]any)[name].(map[string]any)
	if !ok {
		return name, []string{topic + " is not described"}
	}
	message := doc.ResolveRef(channel["messages"].(map[string]any)[name])
	var v any
	if message["contentType"] == nil {
		v = string(payload)
	} else if err := json.Unmarshal(payload, &v); err != nil {
		return name, []string{topic + ": no JSON"}
	}
	return name, ValidateValue(doc.ResolveRef(message["payload"]), topic, v)
}

// ResolveRef returns the object that a reference means, or the object itself if it is no reference.
func (doc Document) ResolveRef(at any) map[string]any {
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

// ValidateValue returns what is wrong with a value by a schema. It knows only the keywords that the document
// uses; another keyword is an error.
func ValidateValue(schema map[string]any, where string, v any) (wrong []string) {
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
			wrong = append(wrong, ValidateValue(schema["items"].(map[string]any), fmt.Sprintf("%s[%d]", where, i), e)...)
		}
	case map[string]any:
		wrong = append(wrong, validateFields(schema, where, v)...)
	}
	return wrong
}

// typeOf returns the type of a value as schemas name it.
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

func validateFields(schema map[string]any, where string, v map[string]any) (wrong []string) {
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
			wrong = append(wrong, ValidateValue(of, where+"."+k, e)...)
		case more != nil:
			wrong = append(wrong, ValidateValue(more, where+"."+k, e)...)
		default:
			wrong = append(wrong, fmt.Sprintf("%s: %s is not described", where, k))
		}
	}
	return wrong
}
