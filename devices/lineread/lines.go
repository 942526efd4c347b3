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

// maxLine limits the bytes that are kept of a line. Of a longer one the parts that say nothing of a tag are dropped first.
const maxLine = 256

// lineWait is how long a line may take to end: one of maxLine bytes takes 0.3 s at 9600 baud, the slowest speed.
const lineWait = 2 * time.Second

// lines cuts a stream into lines and counts what it was made of. The zero value is at the beginning of a line.
type lines struct {
	at      time.Duration // when what is taken next has arrived; set before next and Heard
	begun   time.Duration // when the first byte of the line arrived
	buf     [maxLine]byte
	n       int
	skip    bool // the part that arrives is dropped, up to the next TAB
	over    bool // what counts is longer than buf: the rest is dropped, up to the end of the line
	isFrame bool // the line began with STX
	heard   Heard

	rune [utf8.UTFMax]byte // the beginning of a character
	have int
}

// next takes bytes off the front of stream up to and with the end of a line, and returns what the line
// said; ok is false, and the message a remark, when the stream ended before the line did.
func (l *lines) next(stream *[]byte) (m message, ok bool) {
	for i, c := range *stream {
		if l.endsBefore(c) {
			*stream = (*stream)[i:]
			return l.endLine(), true
		}
		l.count(c)
		isEnd := l.endsWith(c)
		if !isEnd || l.isFrame && c == etx {
			l.add(c)
		}
		if isEnd {
			*stream = (*stream)[i+1:]
			return l.endLine(), true
		}
	}
	*stream = nil
	return message{}, false
}

// endsBefore reports that a byte begins another line: STX, but not in a command, whose text may hold anything; or what follows the CR or
// LF of a frame and is not its ETX.
func (l *lines) endsBefore(c byte) bool {
	switch {
	case l.n == 0:
		return false
	case c == stx:
		return !command.MatchString(unwrap(l.buf[:l.n]))
	}
	return l.isFrame && isLineEnd(l.buf[l.n-1]) && !isLineEnd(c) && c != etx
}

// endsWith reports that a byte ends the line. In a frame, CR and LF may stand before ETX: they end what is understood without it.
func (l *lines) endsWith(c byte) bool {
	if !l.isFrame {
		return isLineEnd(c)
	}
	return c == etx || isLineEnd(c) && (l.over || l.n == maxLine || parse(l.buf[:l.n]).isUnderstood())
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// endLine returns what the line said, counts it, and begins another.
func (l *lines) endLine() (m message) {
	if l.over {
		m = parseCut(l.buf[:l.n])
	} else {
		m = parse(l.buf[:l.n])
	}
	l.heard.onLine(m, l.buf[:l.n])
	l.n, l.skip, l.over, l.isFrame = 0, false, false, false
	return m
}

// numbers are some that nothing but blanks keeps apart.
var numbers = regexp.MustCompile(`(?i)^[0-9a-f :,.-]{8,}$`)

// Heard returns what was counted. A line that should have ended counts as one that is not understood, until its end says what it is.
func (l *lines) Heard() Heard {
	h, line := l.heard, l.buf[:l.n]
	if l.skip {
		line = append(slices.Clone(line), "\t…"...)
	}
	switch text := unwrap(line); {
	case l.over:
		h.open = endlessLine
		h.onUnread(line, isText(text))
	case l.n > 0 && l.at-l.begun >= lineWait && strings.TrimSpace(text) != "" && isText(text):
		h.open = overdueLine
		h.onUnread(line, parse(line).kind != remark || numbers.MatchString(text))
	}
	return h
}

// add keeps one byte of a line, as far as there is room.
func (l *lines) add(c byte) {
	if l.over || l.skip && c != '\t' {
		return
	}
	l.skip = false
	if l.n == maxLine {
		l.makeRoom()
	}
	if l.skip = l.skip && c != '\t'; l.skip {
		return
	}
	if l.over = l.n == maxLine; l.over {
		return
	}
	if l.n == 0 {
		l.begun, l.isFrame = l.at, c == stx
	}
	l.buf[l.n] = c
	l.n++
}

// makeRoom drops the parts of the line that say nothing of a tag, but never the first. The last one is still arriving: it goes
// unless it says, or may yet say, something of a tag.
func (l *lines) makeRoom() {
	parts := bytes.Split(bytes.Clone(l.buf[:l.n]), []byte{'\t'})
	if len(parts) == 1 {
		return
	}
	last := len(parts) - 1
	kept := parts[:1]
	for _, p := range parts[1:last] {
		if isNeeded(string(p), needed...) {
			kept = append(kept, p)
		}
	}
	if l.skip = !mayBeNeeded(string(parts[last])); !l.skip {
		kept = append(kept, parts[last])
	}
	l.n = copy(l.buf[:], bytes.Join(kept, []byte{'\t'}))
}

// needed are the beginnings of the parts that say something of a tag.
var needed = []string{"uid=", "removable="}

// isNeeded reports a part that begins with one of these.
func isNeeded(part string, beginnings ...string) bool {
	part = strings.ToLower(part)
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(part, b) })
}

// mayBeNeeded reports a part that is needed, or has not arrived far enough to know.
func mayBeNeeded(part string) bool {
	begun := strings.ToLower(part)
	return isNeeded(part, needed...) || slices.ContainsFunc(needed, func(b string) bool { return strings.HasPrefix(b, begun) })
}

// count counts a byte, and those that are no text: control characters, and what is no UTF-8. It finds the same however the stream is cut.
func (l *lines) count(c byte) {
	l.heard.Bytes++
	l.heard.lately++
	l.rune[l.have] = c
	l.have++
	for l.have > 0 && utf8.FullRune(l.rune[:l.have]) {
		r, size := utf8.DecodeRune(l.rune[:l.have])
		if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) {
			l.heard.NoText += uint64(size)
			l.heard.latelyNoText += uint64(size)
		}
		l.have = copy(l.rune[:], l.rune[size:l.have])
	}
}
