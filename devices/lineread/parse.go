package lineread

import (
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordome/devices"
)

// kind is the meaning of a line.
type kind uint8

const (
	remark kind = iota // text for people
	noise              // something that cannot be read
	scan               // the tag is on the reader
	pulse              // the tag was seen; its departure will not be reported
	remove             // the tag, or any tag if none is named, has gone
)

// message is one parsed line. uid belongs to scan and pulse; in a remove, the zero UID means any tag.
type message struct {
	kind kind
	uid  devices.UID
}

var (
	// command matches the first word of a line in this package's own format. A blank may replace the TAB.
	command = regexp.MustCompile(`(?i)^(SCAN|REMOVE)(?:[ \t]|$)`)
	// label matches the words that sketches print before a bare number: "Card UID: ", "TAG:", "UID Value: ".
	label = regexp.MustCompile(`(?i)^(?:[\w'()/-]+ ){0,4}(?:n?uid value|n?uid|tag id|tag|card id|card|rfid)(?: ?[:=]| )`)
	// digits matches a number long enough to be meant as a tag.
	digits = regexp.MustCompile(`(?i)^(?:0x)?[0-9a-f]{8,40}$`)
)

// isUnderstood reports whether the line says which tag is on the reader.
func (m message) isUnderstood() bool { return m.kind != remark && m.kind != noise }

const (
	// byteOrderMark of UTF-8, which some programs print before their first line.
	byteOrderMark = "\ufeff"
	// stx and etx begin and end a frame. Readers for 125 kHz, such as RDM6300, and many others print a number
	// between them.
	stx, etx = 0x02, 0x03
)

// unwrapLine returns the text of a line. It removes NULs before it, which appear when a port is opened, an ETX
// left over from the line before, a byte-order mark, and the STX, ETX, CR and LF of a frame.
func unwrapLine(line []byte) string {
	text := strings.TrimPrefix(strings.TrimLeft(string(line), "\x00"+string(rune(etx))), byteOrderMark)
	if inner, isFrame := strings.CutPrefix(text, string(rune(stx))); isFrame {
		return strings.TrimRight(inner, "\r\n"+string(rune(etx)))
	}
	return text
}

// parseLine parses one line without its end, or one frame.
func parseLine(line []byte) message {
	text := unwrapLine(line)
	if word := command.FindStringSubmatch(text); word != nil {
		k := scan
		if strings.EqualFold(word[1], "REMOVE") {
			k = remove
		}
		return parseParts(splitParts(text[len(word[1]):]), k)
	}
	bare := strings.TrimSpace(text)
	at := label.FindString(bare)
	if uid, ok := parseBareUID(bare[len(at):], at != ""); ok {
		return message{scan, uid}
	}
	if looksLikeTag(text) || !isReadableText(text) {
		return message{kind: noise}
	}
	return message{}
}

// parseTruncated parses the beginning of a command that is too long. Its last part is incomplete and is
// dropped, unless it is the tag.
func parseTruncated(line []byte) message {
	text := unwrapLine(line)
	if word := command.FindString(text); word != "" {
		parts := splitParts(text[len(word)-1:])
		if last := len(parts) - 1; last > 0 && !hasAnyPrefix(parts[last], "uid=") {
			return parseLine([]byte(word + "\t" + strings.Join(parts[:last], "\t")))
		}
	}
	return message{kind: noise}
}

// splitParts splits the text after a command into its parts. Without a TAB, each word that contains "=" begins
// a part.
func splitParts(text string) (parts []string) {
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

// parseParts parses the key=value parts of a command; unknown keys are ignored. Two identifiers are noise,
// because they are two lines whose separator was lost, and so is a SCAN without one.
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

// looksLikeTag reports whether text that was not understood is meant as a tag: it has a key uid, is only a
// number, or has a number after a label.
func looksLikeTag(text string) bool {
	low := strings.ToLower(text)
	if strings.Contains(low, "uid=") || digits.MatchString(strings.TrimSpace(text)) {
		return true
	}
	return (strings.Contains(low, "uid") || label.MatchString(low)) && longNumber.MatchString(low)
}

// longNumber matches a number of at least four bytes.
var longNumber = regexp.MustCompile(`(?:[0-9a-f]{2}[ :-]?){4}`)

// isReadableText reports whether a person can read text.
func isReadableText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, isControl)
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// parseBareUID parses text that is only a number. Without a label, only blanks and colons may separate whole
// bytes, because other text looks like a number too often (a date, a network address).
func parseBareUID(text string, isLabelled bool) (uid devices.UID, ok bool) {
	if !isLabelled && (strings.ContainsAny(text, "-,.") || strings.ContainsFunc(text, isControl)) {
		return devices.UID{}, false
	}
	for _, g := range strings.FieldsFunc(text, isSeparator) {
		if !isLabelled && len(g)%2 != 0 {
			return devices.UID{}, false
		}
	}
	return parseUID(strings.TrimSpace(text))
}

// isSeparator reports whether r may separate the bytes of an identifier.
func isSeparator(r rune) bool { return strings.ContainsRune(" :-,.", r) }

// parseUID parses hex in the spellings that readers print, and keeps the order of the bytes.
func parseUID(text string) (parsed devices.UID, ok bool) {
	var all []byte
	for _, g := range strings.FieldsFunc(text, isSeparator) {
		g = strings.TrimPrefix(strings.TrimPrefix(g, "0x"), "0X")
		if len(g) == 1 {
			g = "0" + g // printed without its leading zero, as the separators show
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
