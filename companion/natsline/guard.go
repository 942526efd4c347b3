package natsline

import (
	"bytes"
	"net"
	"strconv"
	"sync/atomic"

	"majordome/companion/line"
)

// Limits of what a server sends, in bytes: one line of the protocol, and one message with its headers.
const (
	maxProtocolLine = 64 << 10
	maxWithHeaders  = MaxMessage + 4<<10
)

// guardedConn is a connection to a server that fails at a message or line beyond these limits, before any memory is used for it. Under
// TLS it sees nothing: there, only a server with a trusted certificate is read.
type guardedConn struct {
	net.Conn
	isBlind bool
	skip    int    // bytes of a message that still come
	line    []byte // the line so far, its beginning at most
	length  int    // of the line so far
	isOver  atomic.Bool
}

// maxKeptLine is the most bytes of a line that are kept, to read the size of a message.
const maxKeptLine = 4 << 10

// Read reads, and returns a line.Fault if the server goes beyond a limit.
func (c *guardedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.isBlind && !c.fits(p[:n]) {
		c.isOver.Store(true)
		return 0, &line.Fault{Kind: line.Oversize}
	}
	return n, err
}

// fits follows the protocol, and reports whether the next bytes keep the limits.
func (c *guardedConn) fits(b []byte) bool {
	for len(b) > 0 {
		if c.skip > 0 {
			n := min(c.skip, len(b))
			c.skip -= n
			b = b[n:]
			continue
		}
		end := bytes.IndexByte(b, '\n')
		part := b
		if end >= 0 {
			part = b[:end+1]
		}
		b = b[len(part):]
		if c.length += len(part); c.length > maxProtocolLine {
			return false
		}
		c.line = append(c.line, part[:min(len(part), maxKeptLine-len(c.line))]...)
		if end < 0 {
			return true
		}
		size, isMessage := messageSize(c.line)
		if size > maxWithHeaders || isMessage && c.length > maxKeptLine {
			return false
		}
		if isMessage {
			c.skip = size + 2 // with the end of its line
		}
		c.line, c.length = c.line[:0], 0
	}
	return true
}

// messageSize returns the bytes of the message that a line of the protocol announces.
func messageSize(text []byte) (size int, isMessage bool) {
	fields := bytes.Fields(text)
	if len(fields) < 2 || !bytes.EqualFold(fields[0], []byte("MSG")) && !bytes.EqualFold(fields[0], []byte("HMSG")) {
		return 0, false
	}
	size, err := strconv.Atoi(string(fields[len(fields)-1]))
	if err != nil || size < 0 {
		return maxWithHeaders + 1, true
	}
	return size, true
}
