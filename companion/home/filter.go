package home

import "strings"

// maxTopic bounds a topic and a filter, in bytes.
const maxTopic = 256

// plainTopic reports a topic that somebody may publish to: no filter, and nothing of the broker's own ($SYS).
func plainTopic(topic string) bool {
	return topic != "" && len(topic) <= maxTopic && topic[0] != '$' && !strings.ContainsAny(topic, "+#\x00")
}

// wellFormed reports a filter by MQTT 3.1.1 section 4.7, without $SYS and shared subscriptions.
func wellFormed(filter string) bool {
	if filter == "" || len(filter) > maxTopic || filter[0] == '$' || strings.ContainsRune(filter, 0) {
		return false
	}
	levels := strings.Split(filter, "/")
	for i, l := range levels {
		if l == "#" && i == len(levels)-1 || l == "+" {
			continue
		}
		if strings.ContainsAny(l, "+#") {
			return false
		}
	}
	return true
}

// covers reports that a grant holds for all topics that a filter can match; a topic is a filter
// without wildcards. Level by level: # covers its parent and all below, + one level that is no #.
func covers(grant, filter string) bool {
	if !wellFormed(filter) {
		return false
	}
	g, f := strings.Split(grant, "/"), strings.Split(filter, "/")
	for i, level := range g {
		switch {
		case level == "#":
			return true
		case i == len(f):
			return false
		case f[i] == "#" || f[i] == "+" && level != "+" || level != "+" && level != f[i]:
			return false
		}
	}
	return len(f) == len(g)
}

func anyCovers(grants []string, filter string) bool {
	for _, g := range grants {
		if covers(g, filter) {
			return true
		}
	}
	return false
}
