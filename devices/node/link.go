package node

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"majordome/devices"
)

// Periods of PROTOCOL.md, "Order of things" and "Light".
const (
	askEvery  = 500 * time.Millisecond
	askAgain  = 250 * time.Millisecond
	awayAfter = 1500 * time.Millisecond
	showLimit = 300 * time.Millisecond
	// ownPause between two calls of BuildOutput means that this machine was slow, and not the node.
	late = 100 * time.Millisecond

	askWire    = 10 // bytes of an ASK
	maxKept    = 12 // events that a node stores
	maxPresses = 64
	maxGarbage = 256 // so many bytes without a valid frame: the device is no node
)

var (
	errAway    = errors.New("the node does not answer")
	errStarted = errors.New("the node has started anew and has not looked yet")
	errLost    = errors.New("the node cannot reach this reader")
	errIndex   = errors.New("a node has readers 0 to 3")
)

// Press is a change of one button.
type Press struct {
	Button int
	Down   bool
	At     time.Duration // of the node's uptime
}

// Link is the protocol of a node as a state machine without a line: bytes in, bytes out, time as a parameter.
// [Dev] runs one on a serial port. It is not safe for concurrent use.
//
// Invariants:
//  1. Only ASK is sent before a HELLO of our version and session has answered the last ASK.
//  2. At no time are more than window bytes of anything but ASK on the way to the node.
//  3. Events are accepted in the order of their numbers, each once, and acknowledged then.
//  4. An event is accepted only if there is room to store it until ScanReader or DrainPresses has returned it.
type Link struct {
	session uint16
	decoder Decoder
	out     []byte

	open    bool
	up      bool          // a HELLO was accepted, and a frame came within awayAfter
	foreign uint8         // protocol version of the node if it is not ours; 0: none
	garbage int           // bytes since the last valid frame, or since the line was opened
	heard   time.Duration // when the last valid frame came while connected

	nonce   uint8
	waiting bool // for the HELLO with nonce
	asked   time.Duration
	last    time.Duration // last call of BuildOutput
	never   bool          // no ASK was sent since SetOpen
	atAsk   uint16        // value of sent right after the ASK
	later   bool          // a CREDIT has come since the ASK: it may count more bytes than the HELLO after it

	sent, taken uint16 // bytes sent, bytes the node has taken; modulo 65536
	window      int

	info  Info
	known bool // info is valid; it stays so when the link is down
	boots uint16
	next  uint16 // number of the next event
	ack   bool

	readers [MaxReaders]reader
	presses []Press
	strip   strip
	keep    keep
}

// configExchange is the state of reading or writing the configuration.
type keep struct {
	get   bool
	set   *Config
	reply *configReply
}

type configReply struct {
	refused bool
	config  Config
}

// NewLink makes a link that is not open. session is any number but 0, drawn at random once per run of the
// program.
func NewLink(session uint16) *Link {
	if session == 0 {
		session = 1
	}
	l := &Link{session: session, out: make([]byte, 0, 512)}
	l.forget()
	return l
}

// SetOpen notes that the line is open, at the beginning of a frame.
func (l *Link) Opened() {
	l.decoder = Decoder{}
	l.open, l.never, l.waiting = true, true, false
	l.garbage = 0
}

// SetClosed notes that the line is closed. The node stores its events until the next SetOpen.
func (l *Link) Closed() {
	l.open = false
	l.garbage = 0
	l.down()
}

func (l *Link) down() {
	l.up, l.waiting, l.ack = false, false, false
	l.strip.abort()
}

// IsConnected reports whether the node has answered with our version and session, and still does.
func (l *Link) Up() bool { return l.up }

// Info returns the last Info that the node sent, and false if there was none.
func (l *Link) Info() (Info, bool) { return l.info, l.known }

// Err returns why the node is not connected, nil if it is. For a node of another version, or a device that is
// no node, it is a devices.Advice.
func (l *Link) Err() error {
	switch {
	case l.up:
		return nil
	case l.foreign != 0:
		return devices.Advice{
			EN: fmt.Sprintf("the node speaks version %d of the protocol, this program version %d: "+
				"write its firmware anew (majordome node flash)", l.foreign, Version),
			FR: fmt.Sprintf("le nœud parle la version %d du protocole, ce programme la version %d : "+
				"réécrivez son micrologiciel (majordome node flash)", l.foreign, Version),
			Err: errAway,
		}
	case l.garbage == maxGarbage:
		return devices.Advice{
			EN: "what arrives is no node's: another program runs there (majordome node flash writes the node's), " +
				"or it is a reader that prints lines (chip: serial)",
			FR: "ce qui arrive ne vient pas d’un nœud : un autre programme y tourne (majordome node flash écrit celui du nœud), " +
				"ou c’est un lecteur qui écrit des lignes (chip: serial)",
			Err: errAway,
		}
	}
	return errAway
}

// Receive handles bytes that have arrived.
func (l *Link) Receive(now time.Duration, b []byte) {
	for _, v := range b {
		l.garbage = min(l.garbage+1, maxGarbage)
		if body, ok := l.decoder.Take(v); ok && l.open {
			l.garbage = 0
			l.message(now, body[0], body[1:])
		}
	}
}

func (l *Link) message(now time.Duration, kind byte, p []byte) {
	if kind == typeHello {
		if h, ok := parseHello(p); ok {
			l.hello(now, &h)
		}
		return
	}
	if !l.up {
		return
	}
	l.heard = now
	switch {
	case kind == typeCredit && len(p) >= 2:
		l.credit(binary.LittleEndian.Uint16(p))
	case kind == typeEvent:
		if e, err := parseEvent(p); err == nil {
			l.event(&e)
		}
	case kind == typeShown && len(p) >= 2:
		l.strip.shown(p[0], p[1] == 1)
	case kind == typeConfig && len(p) >= 1+configSize:
		if c, ok := parseConfig(p[1:]); ok {
			l.keep.reply = &configReply{p[0] != 0, c}
		}
	}
}

func (l *Link) hello(now time.Duration, h *hello) {
	switch {
	case h.Version != Version:
		l.foreign = h.Version
		l.down()
		return
	case l.waiting && h.nonce == l.nonce && h.session == l.session:
	case h.session == 0: // the node has just started: ask at once
		l.down()
		l.never = true
		return
	default:
		return // the answer to an earlier ASK
	}
	l.foreign, l.waiting = 0, false
	same := l.known && h.Boots == l.boots
	// The uptime counts ms modulo 2^32.
	younger := same && int32(h.Uptime/time.Millisecond-l.info.Uptime/time.Millisecond) < 0
	if younger || same && l.next-h.first > maxKept || !same && h.first != 0 {
		l.session = max(1, l.session+1) // these events belong to another node, or to another host
		l.never, l.known = true, false
		l.down()
		return
	}
	// At h.taken of the node's count, ours was sentAtAsk. The line lost or made up the difference.
	l.sent += h.taken - l.atAsk
	credited := l.taken
	l.taken, l.window = h.taken, h.window
	if same && l.later {
		l.credit(credited)
	}
	if !same {
		l.forget()
		l.boots, l.next = h.Boots, 0
	}
	l.info, l.known, l.up, l.heard = h.Info, true, true, now
	l.strip.size(h.Pixels, h.mixes())
}

// resetStream begins a new stream of events: the state of the readers is unknown, and the strip is dark.
func (l *Link) forget() {
	for i := range l.readers {
		l.readers[i].restarted()
	}
	l.strip.dark()
}

func (l *Link) credit(taken uint16) {
	if int16(taken-l.taken) > 0 {
		l.taken, l.later = taken, true
	}
	if made := l.taken - l.sent; int16(made) > 0 { // bytes that the line made up
		l.sent, l.atAsk = l.taken, l.atAsk+made
	}
}

func (l *Link) event(e *event) {
	if e.stream != byte(l.boots+l.session) {
		return
	}
	if e.number == l.next {
		switch {
		case e.kind == kindDown || e.kind == kindUp:
			if len(l.presses) == maxPresses {
				return
			}
			l.presses = append(l.presses, Press{e.index, e.kind == kindDown, e.at})
		case !l.readers[e.index].push(e):
			return
		}
		l.next++
	}
	l.ack = true
}

// BuildOutput returns the bytes to write now, nil if there are none; they are valid until the next call. Call
// it after Receive and ShowFrame, and every 10 ms. After a longer pause all time limits of the node are
// extended by the pause, because on a machine that was stopped its answers may all have been waiting.
func (l *Link) Output(now time.Duration) []byte {
	if over := now - l.last - late; over > 0 {
		l.heard, l.asked = min(l.heard+over, now), min(l.asked+over, now)
		l.strip.since = min(l.strip.since+over, now)
	}
	l.last = now
	l.out = l.out[:0]
	if !l.open {
		return nil
	}
	if l.up && now-l.heard > awayAfter {
		l.down()
	}
	every := askAgain
	if l.up && !l.waiting {
		every = askEvery
	}
	if wait := now - l.asked; l.never ||
		wait >= every && (!l.up || l.room() >= askWire || wait >= askEvery+askAgain) {
		l.ask(now)
	}
	if !l.up {
		return l.out
	}
	if l.ack && l.send(typeAck, byte(l.boots+l.session), byte(l.next), byte(l.next>>8)) {
		l.ack = false
	}
	if l.keep.get && l.send(typeGet) {
		l.keep.get = false
	}
	if c := l.keep.set; c != nil {
		if b := c.bytes(); l.send(typeSet, b[:]...) {
			l.keep.set = nil
		}
	}
	l.strip.output(now, l.send)
	return l.out
}

func (l *Link) ask(now time.Duration) {
	if l.nonce++; l.nonce == 0 {
		l.nonce = 1
	}
	before := len(l.out)
	if !l.up {
		l.out = AppendFrame(l.out, lull)
	}
	l.out = AppendFrame(l.out, []byte{typeAsk, Version, l.nonce, byte(l.session), byte(l.session >> 8)})
	l.sent += uint16(len(l.out) - before)
	l.atAsk = l.sent // when the node has all of the ASK, it answers
	l.never, l.waiting, l.later, l.asked = false, true, false, now
}

// sendRoom returns the number of bytes that may be sent now.
func (l *Link) room() int { return l.window - int(l.sent-l.taken) }

// sendFrame appends a frame to the output if the node has room for it, and reports whether it has.
func (l *Link) send(kind byte, payload ...byte) bool {
	var body [MaxBody]byte
	body[0] = kind
	n := 1 + copy(body[1:], payload)
	before := len(l.out)
	l.out = AppendFrame(l.out, body[:n])
	size := len(l.out) - before
	if size > l.room() {
		l.out = l.out[:before]
		return false
	}
	l.sent += uint16(size)
	return true
}

// DrainPresses returns the changes of buttons since the last call, in order.
func (l *Link) Presses() []Press {
	p := l.presses
	l.presses = nil
	return p
}

// ScanReader returns the tags in the field of a reader, as devices.Scanner does.
func (l *Link) Scan(now time.Duration, reader int) ([]devices.Tag, error) {
	if reader < 0 || reader >= MaxReaders {
		return nil, errIndex
	}
	if l.up && !l.info.Readers[reader].Configured {
		return nil, advise("le nœud n’a pas de lecteur %[1]d : donnez-lui sa broche par majordome node set --readers",
			"the node has no reader %[1]d: name its pin by majordome node set --readers", reader)
	}
	return l.readers[reader].scan(now, l.up)
}

// ShowFrame stores a frame for the strip, in place of one that was not sent yet. LEDs without a pixel are dark,
// pixels beyond MaxPixels are ignored.
func (l *Link) Show(px []devices.RGB) { l.strip.show(px, nil) }

// ShowMixed is like ShowFrame, with parts of a step: 0 to 15 in 16ths. A node that cannot mix shows the frame
// without the parts.
func (l *Link) ShowMixed(px, parts []devices.RGB) { l.strip.show(px, parts) }

// SendConfig sends a configuration that has been checked. The node then restarts with it.
func (l *Link) Configure(c Config) { l.keep = keep{set: &c} }
