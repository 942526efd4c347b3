package lineread

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"majordome/devices"
)

const (
	maxShown = 64 // characters of a line that is shown
	// fewBytes are too few to say of a line that its speed is another one.
	fewBytes = 8
	// noTag replaces what may be the number of a card.
	noTag = "…"
)

// Heard counts what a reader has printed since its port was opened, and keeps the last line that was not understood.
//
// Invariants:
//  1. Last is empty or text that can be printed, of at most 64 characters and an ellipsis.
//  2. Lines that are empty are counted nowhere.
type Heard struct {
	Understood    uint64 // lines: SCAN, REMOVE and bare numbers
	NotUnderstood uint64 // lines: remarks and noise
	Tags          uint64 // of the lines understood, those that named a tag
	Bytes, NoText uint64 // all, and those that are no text: control characters, and what is no UTF-8
	Last          string // the last line not understood, of those meant as a tag if there are any. It may hold the number of a card: see Masked

	lately, latelyNoText uint64 // bytes since the last line that was understood
	unread               bool   // Last was meant as a tag, and none was named since
}

// onLine counts a line.
func (h *Heard) onLine(m message, line []byte) {
	switch {
	case m.kind == remark && len(line) == 0:
		return
	case m.kind == remark || m.kind == noise:
		h.NotUnderstood++
		meant := m.kind == noise && isText(string(line))
		if meant || !h.unread { // a remark does not take the place of what was meant as a tag
			h.Last = printable(string(line))
		}
		h.unread = h.unread || meant
		return
	}
	h.Understood++
	h.lately, h.latelyNoText = 0, 0
	if m.uid != (devices.UID{}) && m.kind != remove {
		h.Tags++
		h.unread = false
	}
}

// printable is text of which nothing moves a cursor or hides: a TAB is →, other such characters are written as Go does.
func printable(text string) string {
	var b strings.Builder
	for n := 0; text != ""; n++ {
		if n == maxShown {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '\t':
			b.WriteString("→")
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
		text = text[size:]
	}
	return b.String()
}

var (
	// escape is a character that printable has written out.
	escape = regexp.MustCompile(`\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)`)
	// number is a word that may be part of a number: it has a digit in it, or nothing but hexadecimal ones.
	number = regexp.MustCompile(`\w*[0-9]\w*|\b[0-9A-Fa-f]+\b`)
	// content matches what is stored on a tag: it may name the card.
	content = regexp.MustCompile(`(?i)(text["']?[=:]).*`)
)

// Masked returns the same without anything that may be the number or the content of a card: for logs, bundles and pages that others read.
func (h Heard) Masked() Heard {
	text := content.ReplaceAllString(escape.ReplaceAllString(h.Last, "·"), "${1}"+noTag)
	h.Last = number.ReplaceAllString(text, noTag)
	return h
}

// WithoutLine returns the same without the text of a line: for a game, in which even a word of it could be of a card.
func (h Heard) WithoutLine() Heard {
	if h.Last != "" {
		h.Last = noTag
	}
	return h
}

// OnlyRemarks reports that nothing came but text for people: a reader of another format, or one whose banner stands before the first card.
func (h Heard) OnlyRemarks() bool {
	return h.Understood == 0 && h.NotUnderstood > 0 && !h.unread && !h.isAtOtherSpeed()
}

// isAtOtherSpeed reports that half of what came since the last line understood is no text.
func (h Heard) isAtOtherSpeed() bool { return h.lately >= fewBytes && 2*h.latelyNoText >= h.lately }

// Advice says that the table cannot use what the reader prints, and what it is to print; ok is false while nothing is wrong.
func (h Heard) Advice() (a devices.Advice, ok bool) {
	if h.isAtOtherSpeed() {
		n := (10*h.latelyNoText + h.lately/2) / h.lately
		return devices.Advice{
			EN: fmt.Sprintf("%d of 10 bytes are no text: another speed? The reader must print at the speed that baud names", n),
			FR: fmt.Sprintf("%d octets sur 10 ne sont pas du texte : une autre vitesse ? Le lecteur doit écrire à la vitesse que dit baud", n),
		}, true
	}
	if !h.unread && !h.OnlyRemarks() {
		return a, false
	}
	return devices.Advice{
		EN: fmt.Sprintf("this reader prints: “%s”; it must print: SCAN→uid= and 8, 14 or 20 hexadecimal digits (→ is a TAB), without check bytes", h.Last),
		FR: fmt.Sprintf("ce lecteur écrit : « %s » ; il doit écrire : SCAN→uid= et 8, 14 ou 20 chiffres hexadécimaux (→ est une tabulation), sans octets de contrôle", h.Last),
	}, true
}
