package lineread

import (
	"encoding/hex"
	"regexp"
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

var (
	// command is the word that begins a line of this package's own format. A blank may stand in the place of the TAB.
	command = regexp.MustCompile(`(?i)^(SCAN|REMOVE)(?:[ \t]|$)`)
	// label is what sketches print before a bare number: "Card UID: ", "TAG:", "UID Value: ".
	label = regexp.MustCompile(`(?i)^(?:[\w'()/-]+ ){0,4}(?:n?uid value|n?uid|tag id|tag|card id|card|rfid)(?: ?[:=]| )`)
	// digits is a number long enough to be meant for a tag.
	digits = regexp.MustCompile(`(?i)^(?:0x)?[0-9a-f]{8,40}$`)
)

// isUnderstood reports a line that says what lies on the reader.
func (m message) isUnderstood() bool { return m.kind != remark && m.kind != noise }

const (
	// mark is the byte-order mark of UTF-8, which some programs put before their first line.
	mark = "\ufeff"
	// stx and etx begin and end a frame: readers for 125 kHz and many others print a number between them, such as RDM6300.
	stx, etx = 0x02, 0x03
)

// unwrap returns the text of a line without what is no part of it: NULs before it, which opening a port makes, an ETX that was left of
// the line before, a byte-order mark, and the STX, ETX, CR and LF of a frame.
func unwrap(line []byte) string {
	text := strings.TrimPrefix(strings.TrimLeft(string(line), "\x00"+string(rune(etx))), mark)
	if inner, isFrame := strings.CutPrefix(text, string(rune(stx))); isFrame {
		return strings.TrimRight(inner, "\r\n"+string(rune(etx)))
	}
	return text
}

// parse understands one line without its end, which may be a frame.
func parse(line []byte) message {
	text := unwrap(line)
	if word := command.FindStringSubmatch(text); word != nil {
		k := scan
		if strings.EqualFold(word[1], "REMOVE") {
			k = remove
		}
		return parseParts(split(text[len(word[1]):]), k)
	}
	bare := strings.TrimSpace(text)
	at := label.FindString(bare)
	if uid, ok := parseBare(bare[len(at):], at != ""); ok {
		return message{scan, uid}
	}
	if namesTag(text) || !isText(text) {
		return message{kind: noise}
	}
	return message{}
}

// parseCut understands the beginning of a command that is too long. Its last part is not whole and is left out, unless it is the tag.
func parseCut(line []byte) message {
	text := unwrap(line)
	if word := command.FindString(text); word != "" {
		parts := split(text[len(word)-1:])
		if last := len(parts) - 1; last > 0 && !isNeeded(parts[last], "uid=") {
			return parse([]byte(word + "\t" + strings.Join(parts[:last], "\t")))
		}
	}
	return message{kind: noise}
}

// split cuts what follows the command into its parts. Where no TAB keeps them apart, each begins with a word that has a "=" in it.
func split(text string) (parts []string) {
	if strings.Contains(text, "\t") {
		return strings.Split(text, "\t")
	}
	for _, word := range strings.Fields(text) {
		if strings.Contains(word, "=") || len(parts) == 0 {
			parts = append(parts, word)
			continue
		}
		parts[len(parts)-1] += " " + word
	}
	return parts
}

// parseParts reads the key=value parts of a command; unknown ones are read over. Two identifiers in
// one line are two lines that have lost what was between them, and a SCAN without one says nothing.
func parseParts(parts []string, k kind) message {
	m := message{kind: k}
	for _, p := range parts {
		key, value, _ := strings.Cut(p, "=")
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "uid":
			uid, ok := parseUID(value)
			if !ok || m.uid != (devices.UID{}) {
				return message{kind: noise}
			}
			m.uid = uid
		case "removable":
			if k == scan && (value == "no" || value == "false") {
				m.kind = pulse
			}
		}
	}
	if k == scan && m.uid == (devices.UID{}) {
		return message{kind: noise}
	}
	return m
}

// namesTag reports text that means a tag, which it does not name as it should: a key uid, a number alone, or one beside a label.
func namesTag(text string) bool {
	low := strings.ToLower(text)
	if strings.Contains(low, "uid=") || digits.MatchString(strings.TrimSpace(text)) {
		return true
	}
	return (strings.Contains(low, "uid") || label.MatchString(low)) && longNumber.MatchString(low)
}

// longNumber is a number of at least four bytes.
var longNumber = regexp.MustCompile(`(?:[0-9a-f]{2}[ :-]?){4}`)

// isText reports what a person can read.
func isText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, isControl)
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// parseBare reads text that is a number and nothing else. Without a label only blanks and colons may stand between whole bytes:
// other text looks like a number too often (a date, an address on the network).
func parseBare(text string, isLabelled bool) (devices.UID, bool) {
	if !isLabelled && (strings.ContainsAny(text, "-,.") || strings.ContainsFunc(text, isControl)) {
		return devices.UID{}, false
	}
	for _, g := range strings.FieldsFunc(text, isGap) {
		if !isLabelled && len(g)%2 != 0 {
			return devices.UID{}, false
		}
	}
	return parseUID(strings.TrimSpace(text))
}

// isGap reports what may stand between the bytes of an identifier.
func isGap(r rune) bool { return strings.ContainsRune(" :-,.", r) }

// parseUID reads hex in the spellings that readers print, and keeps the order of the bytes.
func parseUID(text string) (devices.UID, bool) {
	var all []byte
	for _, g := range strings.FieldsFunc(text, isGap) {
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
