package home

import "strings"

const (
	maxTopic  = 256 // bytes of a topic or filter
	maxLevels = 20  // its levels: Mosquitto needs 100 to 200 bytes for each
)

// isShort reports whether a topic or filter is within the limits of its length.
func isShort(topic string) bool {
	return len(topic) <= maxTopic && strings.Count(topic, "/") < maxLevels
}

// isPlainTopic reports whether a client may publish to topic at all: it is no filter, and not the broker's own ($SYS).
func isPlainTopic(topic string) bool {
	return topic != "" && isShort(topic) && topic[0] != '$' && !strings.ContainsAny(topic, "+#\x00")
}

// isFilter reports whether filter is valid by MQTT 3.1.1 section 4.7; $SYS and shared subscriptions are not.
func isFilter(filter string) bool {
	if filter == "" || !isShort(filter) || filter[0] == '$' || strings.ContainsRune(filter, 0) {
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

// filterCovers reports whether grant covers all topics that filter can match; a topic is a filter without wildcards. It compares level
// by level: # covers its parent and all levels below, + covers one level that is not #.
func filterCovers(grant, filter string) bool {
	if !isFilter(filter) {
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

// anyFilterCovers reports whether one of grants covers filter.
func anyFilterCovers(grants []string, filter string) bool {
	for _, g := range grants {
		if filterCovers(g, filter) {
			return true
		}
	}
	return false
}
