package lineread

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxLine is the most bytes of a line that are stored. Of a longer line, parts that are not about a tag are
// dropped first.
const maxLine = 256

// lineWait is the longest time for a line to end: one of maxLine bytes takes 0.3 s at 9600 baud, the slowest
// speed.
const lineWait = 2 * time.Second

// lineSplitter splits a stream into lines and counts them. The zero value is at the beginning of a line.
type lineSplitter struct {
	at      time.Duration // arrival of the next bytes; set it before nextMessage and LineStats
	begun   time.Duration // arrival of the first byte of the line
	buf     [maxLine]byte
	n       int
	skip    bool // the current part is dropped, up to the next TAB
	tooLong bool // the needed parts are longer than buf: the rest of the line is dropped
	isFrame bool // the line began with STX
	stats   LineStats

	rune    [utf8.UTFMax]byte // the bytes of an incomplete character
	runeLen int
}

// nextMessage removes bytes from the front of stream, up to the end of a line and including it, and returns the
// message of the line. ok is false, and the message a remark, when the stream ends before the line does.
func (l *lineSplitter) nextMessage(stream *[]byte) (m message, ok bool) {
	for i, c := range *stream {
		if l.startsNewLine(c) {
			*stream = (*stream)[i:]
			return l.finishLine(), true
		}
		l.countByte(c)
		isEnd := l.endsLine(c)
		if !isEnd || l.isFrame && c == etx {
			l.addByte(c)
		}
		if isEnd {
			*stream = (*stream)[i+1:]
			return l.finishLine(), true
		}
	}
	*stream = nil
	return message{}, false
}

// startsNewLine reports whether c begins another line: STX, except in a command, whose text may contain anything;
// or, after the CR or LF of a frame, any byte but its ETX.
func (l *lineSplitter) startsNewLine(c byte) bool {
	switch {
	case l.n == 0:
		return false
	case c == stx:
		return !command.MatchString(unwrapLine(l.buf[:l.n]))
	}
	return l.isFrame && isLineEnd(l.buf[l.n-1]) && !isLineEnd(c) && c != etx
}

// endsLine reports whether c ends the line. In a frame, CR and LF may come before ETX; they end the line if it
// is understood without the ETX.
func (l *lineSplitter) endsLine(c byte) bool {
	if !l.isFrame {
		return isLineEnd(c)
	}
	return c == etx || isLineEnd(c) && (l.tooLong || l.n == maxLine || parseLine(l.buf[:l.n]).isUnderstood())
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// finishLine parses and counts the line, and begins another.
func (l *lineSplitter) finishLine() (m message) {
	if l.tooLong {
		m = parseTruncated(l.buf[:l.n])
	} else {
		m = parseLine(l.buf[:l.n])
	}
	l.stats.countLine(m, l.buf[:l.n])
	l.n, l.skip, l.tooLong, l.isFrame = 0, false, false, false
	return m
}

// numbers matches several numbers that only separators keep apart.
var numbers = regexp.MustCompile(`(?i)^[0-9a-f :,.-]{8,}$`)

// LineStats returns the counts. A line that should have ended counts as not understood until its end
// arrives.
func (l *lineSplitter) LineStats() LineStats {
	h, line := l.stats, l.buf[:l.n]
	if l.skip {
		line = append(slices.Clone(line), "\t…"...)
	}
	switch text := unwrapLine(line); {
	case l.tooLong:
		h.unended = endlessLine
		h.countNotUnderstood(line, isReadableText(text))
	case l.n > 0 && l.at-l.begun >= lineWait && strings.TrimSpace(text) != "" && isReadableText(text):
		h.unended = overdueLine
		h.countNotUnderstood(line, parseLine(line).kind != remark || numbers.MatchString(text))
	}
	return h
}

// addByte stores one byte of a line if there is room.
func (l *lineSplitter) addByte(c byte) {
	if l.tooLong || l.skip && c != '\t' {
		return
	}
	l.skip = false
	if l.n == maxLine {
		l.dropUnneededParts()
	}
	if l.skip = l.skip && c != '\t'; l.skip {
		return
	}
	if l.tooLong = l.n == maxLine; l.tooLong {
		return
	}
	if l.n == 0 {
		l.begun, l.isFrame = l.at, c == stx
	}
	l.buf[l.n] = c
	l.n++
}

// dropUnneededParts drops the parts of the line that are not about a tag, but never the first, to make room. The
// last part is still arriving: it is dropped unless it is, or may become, a needed one.
func (l *lineSplitter) dropUnneededParts() {
	parts := bytes.Split(bytes.Clone(l.buf[:l.n]), []byte{'\t'})
	if len(parts) == 1 {
		return
	}
	last := len(parts) - 1
	kept := parts[:1]
	for _, p := range parts[1:last] {
		if hasAnyPrefix(string(p), neededKeys...) {
			kept = append(kept, p)
		}
	}
	if l.skip = !mayBeNeededPart(string(parts[last])); !l.skip {
		kept = append(kept, parts[last])
	}
	l.n = copy(l.buf[:], bytes.Join(kept, []byte{'\t'}))
}

// neededKeys has the beginnings of the parts that are about a tag.
var neededKeys = []string{"uid=", "removable="}

// hasAnyPrefix reports whether part begins with one of the prefixes, in upper or lower case.
func hasAnyPrefix(part string, prefixes ...string) bool {
	part = strings.ToLower(part)
	return slices.ContainsFunc(prefixes, func(b string) bool { return strings.HasPrefix(part, b) })
}

// mayBeNeededPart reports whether part is needed, or too short yet to know.
func mayBeNeededPart(part string) bool {
	begun := strings.ToLower(part)
	return hasAnyPrefix(part, neededKeys...) || slices.ContainsFunc(neededKeys, func(b string) bool { return strings.HasPrefix(b, begun) })
}

// countByte counts a byte, and whether it is a control character or invalid UTF-8. The result does not depend
// on how the stream is split.
func (l *lineSplitter) countByte(c byte) {
	l.stats.Bytes++
	l.stats.recentBytes++
	l.rune[l.runeLen] = c
	l.runeLen++
	for l.runeLen > 0 && utf8.FullRune(l.rune[:l.runeLen]) {
		r, size := utf8.DecodeRune(l.rune[:l.runeLen])
		if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) {
			l.stats.NoText += uint64(size)
			l.stats.recentNoText += uint64(size)
		}
		l.runeLen = copy(l.rune[:], l.rune[size:l.runeLen])
	}
}
