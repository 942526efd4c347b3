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
	// noText replaces text that may name a card, noDigit each digit of what may be the number of one.
	noText, noDigit = "…", "#"
)

// Heard counts what a reader has printed since its port was opened, and keeps the last line that was not understood. The line that is
// arriving counts as one of them when its end does not come: see openLine.
//
// Invariants:
//  1. Last and LastTag are empty or text that can be printed, of at most 64 characters and an ellipsis.
//  2. Lines that are empty are counted nowhere.
//  3. LastTag is empty while no line was meant as a tag and not understood since the last tag that was named.
type Heard struct {
	Understood    uint64 // lines: SCAN, REMOVE and bare numbers
	NotUnderstood uint64 // lines: remarks and noise
	Tags          uint64 // of the lines understood, those that named a tag
	Bytes, NoText uint64 // all, and those that are no text: control characters, and what is no UTF-8
	Last          string // the last line not understood. It may hold the number of a card: see Masked
	LastTag       string // the last of those that was meant as a tag; it may hold a number, too

	lately, latelyNoText uint64 // bytes since the last line that was understood
	open                 openLine
	text                 shownText
}

// openLine says whether the line that is arriving should have ended. The zero value: it is young, or there is none.
type openLine uint8

const (
	overdueLine openLine = iota + 1 // it is text, and lineWait has passed
	endlessLine                     // it is longer than maxLine
)

// shownText is how much of the text of a line is shown. The zero value is all of it.
type shownText uint8

const (
	maskedText shownText = iota + 1 // without digits
	hiddenText                      // nothing
)

// onLine counts a line.
func (h *Heard) onLine(m message, line []byte) {
	text := unwrap(line)
	switch {
	case m.kind == remark && strings.TrimSpace(text) == "":
		return
	case m.kind == remark || m.kind == noise:
		h.onUnread(line, m.kind == noise && isText(text))
		return
	}
	h.Understood++
	h.lately, h.latelyNoText = 0, 0
	if m.uid != (devices.UID{}) && m.kind != remove {
		h.Tags++
		h.LastTag = ""
	}
}

// onUnread counts a line that is not understood.
func (h *Heard) onUnread(line []byte, isMeantAsTag bool) {
	h.NotUnderstood++
	h.Last = printable(string(line))
	if isMeantAsTag {
		h.LastTag = h.Last
	}
}

// controlWords are the control characters of a frame, as they are shown.
var controlWords = map[byte]string{stx: "STX", etx: "ETX", '\r': "CR", '\n': "LF"}

// printable returns text in which nothing moves a cursor or hides: a TAB is →, STX, ETX, CR and LF are words between blanks, other such
// characters are written as Go does.
func printable(text string) string {
	var b strings.Builder
	apart := false // a word stands before
	for n := 0; text != ""; n++ {
		if n == maxShown {
			b.WriteString("…")
			break
		}
		word, isWord := controlWords[text[0]]
		if text[0] != ' ' && (apart || isWord && n > 0 && !strings.HasSuffix(b.String(), " ")) {
			b.WriteByte(' ')
		}
		apart = isWord
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case isWord:
			b.WriteString(word)
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
	// escape is a character that printable has written out, or one that would look like a digit left out.
	escape = regexp.MustCompile(`\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)|` + noDigit)
	// number is a word that may be part of a number: it has a digit in it, or nothing but hexadecimal ones.
	number = regexp.MustCompile(`\w*[0-9]\w*|\b[0-9A-Fa-f]+\b`)
	// content matches what is stored on a tag: it may name the card.
	content = regexp.MustCompile(`(?i)(text["']?[=:]).*`)
)

// Masked returns the same without anything that may be the number or the content of a card: for logs, bundles and pages that others
// read. Of a number its length and what keeps its parts apart stay, to tell one format from another: which digits are letters does not.
func (h Heard) Masked() Heard {
	if h.text == hiddenText {
		return h
	}
	h.text, h.Last, h.LastTag = maskedText, masked(h.Last), masked(h.LastTag)
	return h
}

func masked(line string) string {
	line = content.ReplaceAllString(escape.ReplaceAllString(line, "·"), "${1}"+noText)
	return number.ReplaceAllStringFunc(line, func(digits string) string { return strings.Repeat(noDigit, len(digits)) })
}

// WithoutLine returns the same without the text of a line: for a game, in which even a word of it could be of a card.
func (h Heard) WithoutLine() Heard {
	h.text = hiddenText
	for _, line := range []*string{&h.Last, &h.LastTag} {
		if *line != "" {
			*line = noText
		}
	}
	return h
}

// OnlyRemarks reports that nothing came but text for people: a reader of another format, or one whose banner stands before the first card.
func (h Heard) OnlyRemarks() bool {
	return h.Understood == 0 && h.NotUnderstood > 0 && h.LastTag == "" && h.open != endlessLine && !h.isAtOtherSpeed()
}

// isAtOtherSpeed reports that half of what came since the last line understood is no text.
func (h Heard) isAtOtherSpeed() bool { return h.lately >= fewBytes && 2*h.latelyNoText >= h.lately }
