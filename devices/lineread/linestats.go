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
	maxShown = 64 // characters of a line
	// fewBytes are enough to notice that a reader has another speed.
	fewBytes = 8
	// noText replaces text that may name a card, noDigit each digit of what may be the number of one.
	noText, noDigit = "…", "#"
)

// LineStats counts what a reader has printed since its port was opened, and has the last line that was not
// understood. A line that should have ended counts as not understood: see openLine.
//
// Invariants:
//  1. Last and LastTag are empty or printable text, of at most 64 characters and an ellipsis.
//  2. Empty lines are not counted.
//  3. LastTag is empty while no line since the last named tag was meant as a tag and not understood.
type LineStats struct {
	Understood    uint64 // lines: SCAN, REMOVE and bare numbers
	NotUnderstood uint64 // lines: remarks and noise
	Tags          uint64 // understood lines that named a tag
	Bytes, NoText uint64 // all bytes; those that are control characters or invalid UTF-8
	Last          string // the last line not understood. It may contain the number of a card: see WithNumbersMasked
	LastTag       string // the last one that was meant as a tag; it may contain a number, too

	recentBytes, recentNoText uint64 // as Bytes and NoText, since the last line that was understood
	unended                   openLine
	text                      shownText
}

// openLine is set when the line that is arriving should have ended.
type openLine uint8

const (
	overdueLine openLine = iota + 1 // it is text and has not ended within lineWait
	endlessLine                     // it is longer than maxLine
)

// shownText limits how much of a line is shown. The zero value shows all of it.
type shownText uint8

const (
	maskedText shownText = iota + 1 // digits hidden
	hiddenText                      // everything hidden
)

func (h *LineStats) countLine(m message, line []byte) {
	text := unwrapLine(line)
	switch {
	case m.kind == remark && strings.TrimSpace(text) == "":
		return
	case m.kind == remark || m.kind == noise:
		h.countNotUnderstood(line, m.kind == noise && isReadableText(text))
		return
	}
	h.Understood++
	h.recentBytes, h.recentNoText = 0, 0
	if m.uid != (devices.UID{}) && m.kind != remove {
		h.Tags++
		h.LastTag = ""
	}
}

// countNotUnderstood counts and stores a line that was not understood.
func (h *LineStats) countNotUnderstood(line []byte, isMeantAsTag bool) {
	h.NotUnderstood++
	h.Last = printableText(string(line))
	if isMeantAsTag {
		h.LastTag = h.Last
	}
}

// controlWords are the names under which the control characters of a frame are shown.
var controlWords = map[byte]string{stx: "STX", etx: "ETX", '\r': "CR", '\n': "LF"}

// printableText returns text in which nothing moves a cursor or hides. A TAB becomes →; STX, ETX, CR and LF
// become words between blanks; other such characters are written as in Go source.
func printableText(text string) string {
	var b strings.Builder
	apart := false // the last character became a word
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
	// escape matches a character that printableText has escaped, or one that looks like a hidden digit.
	escape = regexp.MustCompile(`\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)|` + noDigit)
	// number matches a word that may be part of a number: it contains a digit, or only hexadecimal digits.
	number = regexp.MustCompile(`\w*[0-9]\w*|\b[0-9A-Fa-f]+\b`)
	// content matches the text stored on a tag, which may name the card.
	content = regexp.MustCompile(`(?i)(text["']?[=:]).*`)
)

// WithNumbersMasked returns h without anything that may be the number or the content of a card, for logs, bundles and
// pages that others read. The length of a number and its separators stay, to distinguish formats; which digits
// are letters does not.
func (h LineStats) WithNumbersMasked() LineStats {
	if h.text == hiddenText {
		return h
	}
	h.text, h.Last, h.LastTag = maskedText, maskLine(h.Last), maskLine(h.LastTag)
	return h
}

// maskLine replaces the digits of numbers, and the text stored on a tag.
func maskLine(line string) string {
	line = content.ReplaceAllString(escape.ReplaceAllString(line, "·"), "${1}"+noText)
	return number.ReplaceAllStringFunc(line, func(digits string) string { return strings.Repeat(noDigit, len(digits)) })
}

// WithoutLineText returns h without the text of any line. It is for the time of a game, when even a word of it
// could come from a card.
func (h LineStats) WithoutLineText() LineStats {
	h.text = hiddenText
	for _, line := range []*string{&h.Last, &h.LastTag} {
		if *line != "" {
			*line = noText
		}
	}
	return h
}

// HasOnlyRemarks reports whether only text for people has come: the reader has another format, or has printed
// its banner and no card yet.
func (h LineStats) HasOnlyRemarks() bool {
	return h.Understood == 0 && h.NotUnderstood > 0 && h.LastTag == "" && h.unended != endlessLine && !h.isAtOtherSpeed()
}

// isAtOtherSpeed reports whether at least half of the bytes since the last understood line are no text.
func (h LineStats) isAtOtherSpeed() bool {
	return h.recentBytes >= fewBytes && 2*h.recentNoText >= h.recentBytes
}
