package lineread

import (
	"bytes"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordome/devices"
)

// kind is what a line says. The zero value is nothing.
type kind uint8

const (
	remark kind = iota // text for people
	noise              // something that cannot be read
	scan               // the tag lies there
	pulse              // the tag was seen, and its departure will not be
	remove             // the tag, or whichever it was, has gone
)

// message is one line, understood. uid is that of scan and pulse; of remove, the zero UID means any.
type message struct {
	kind kind
	uid  devices.UID
}

// parse understands one line without its end.
func parse(line []byte) message {
	parts := bytes.Split(line, []byte{'\t'})
	switch string(parts[0]) {
	case "SCAN":
		m, ok := keys(parts[1:], scan)
		if !ok || m.uid == (devices.UID{}) {
			return message{kind: noise}
		}
		return m
	case "REMOVE":
		m, ok := keys(parts[1:], remove)
		if !ok {
			return message{kind: noise}
		}
		m.kind = remove
		return m
	}
	text := string(line)
	if strings.Contains(text, "uid=") || !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
		return message{kind: noise}
	}
	return message{}
}

func control(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// keys reads key=value parts; unknown ones are read over. Two identifiers in
// one line are two lines that have lost what was between them.
func keys(parts [][]byte, k kind) (m message, ok bool) {
	m.kind = k
	for _, p := range parts {
		key, value, _ := strings.Cut(string(p), "=")
		switch {
		case key == "uid" && m.uid != (devices.UID{}):
			return m, false
		case key == "uid":
			if m.uid, ok = parseUID(value); !ok {
				return m, false
			}
		case key == "removable" && value == "no":
			m.kind = pulse
		}
	}
	return m, true
}

// parseUID reads hex in the spellings that readers print, and keeps the order of the bytes.
func parseUID(text string) (devices.UID, bool) {
	groups := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" :-,.", r) })
	var all []byte
	for _, g := range groups {
		g = strings.TrimPrefix(strings.TrimPrefix(g, "0x"), "0X")
		if len(g) == 1 {
			g = "0" + g // printed without its leading zero; the separators say so
		}
		b, err := hex.DecodeString(g)
		if err != nil {
			return devices.UID{}, false
		}
		all = append(all, b...)
	}
	const cascadeTag = 0x88 // begins half of a longer identifier, which many tags share
	if len(all) == 4 && all[0] == cascadeTag {
		return devices.UID{}, false
	}
	uid, err := devices.MakeUID(all)
	return uid, err == nil
}
