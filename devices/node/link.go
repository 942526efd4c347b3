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
	// late is a pause between two calls of Output that is ours and not the node's.
	late = 100 * time.Millisecond

	askWire    = 10 // bytes of an ASK
	maxKept    = 12 // events that a node keeps
	maxPresses = 64
	maxGarbage = 256 // bytes without a sound frame: two frames have fewer, wherever the line was opened between them
)

var (
	errAway    = errors.New("the node does not answer")
	errStarted = errors.New("the node has started anew and has not looked yet")
	errLost    = errors.New("the node cannot reach this reader")
	errIndex   = errors.New("a node has readers 0 to 3")
)

// Press is a button that changed.
type Press struct {
	Button int
	Down   bool
	At     time.Duration // of the node's uptime
}

// Link is the table's end of the line, without the line: bytes in, bytes out, time a parameter. [Dev] is the goroutine
// around it. It is not safe for concurrent use.
//
// Invariants:
//  1. Only ASK is sent before a HELLO of our version with our session answered the last ASK.
//  2. At no time are more than window bytes of anything but ASK under way.
//  3. Events are taken in the order of their numbers, each once, and acknowledged when they are taken.
//  4. An event is taken only if there is room to keep it until Scan or Presses has told it.
type Link struct {
	session uint16
	decoder Decoder
	out     []byte

	open    bool
	up      bool          // a HELLO of ours was accepted, and not long ago
	foreign uint8         // version of a node that speaks another; 0: none
	garbage int           // bytes since the last sound frame, or since the line was opened
	heard   time.Duration // the last sound frame while up

	nonce   uint8
	waiting bool // for the HELLO of nonce
	asked   time.Duration
	last    time.Duration // call of Output
	never   bool          // nothing was asked since Opened
	atAsk   uint16        // sent, right after the ASK
	later   bool          // a CREDIT has come since the ASK: it may count more than the HELLO that comes behind it

	sent, taken uint16
	window      int

	info  Info
	known bool // info holds; stays when the link is down
	boots uint16
	next  uint16 // number of the event that is awaited
	ack   bool

	readers [MaxReaders]reader
	presses []Press
	strip   strip
	keep    keep
}

// keep is the conversation about the configuration.
type keep struct {
	get   bool
	set   *Config
	reply *configReply
}

type configReply struct {
	refused bool
	config  Config
}

// NewLink makes a link that is not open. The session is any number but 0, chosen at random once per life.
func NewLink(session uint16) *Link {
	if session == 0 {
		session = 1
	}
	l := &Link{session: session, out: make([]byte, 0, 512)}
	l.forget()
	return l
}

// Opened says that the line is there, at the beginning of a frame.
func (l *Link) Opened() {
	l.decoder = Decoder{}
	l.open, l.never, l.waiting = true, true, false
	l.garbage = 0
}

// Closed says that it is gone. What the node keeps waits for the next time.
func (l *Link) Closed() {
	l.open = false
	l.garbage = 0
	l.down()
}

func (l *Link) down() {
	l.up, l.waiting, l.ack = false, false, false
	l.strip.abort()
}

// Up reports whether node and table agree.
func (l *Link) Up() bool { return l.up }

// Info is what the node last said of itself; false if it never did.
func (l *Link) Info() (Info, bool) { return l.info, l.known }

// Err says why the link is not up, nil if it is. A node of another version is a devices.Advice.
func (l *Link) Err() error {
	switch {
	case l.up:
		return nil
	case l.foreign != 0:
		return devices.Advice{
			EN:  fmt.Sprintf("the node speaks version %d of the protocol, this program version %d: write its firmware anew (majordome node flash)", l.foreign, Version),
			FR:  fmt.Sprintf("le nœud parle la version %d du protocole, ce programme la version %d : réécrivez son micrologiciel (majordome node flash)", l.foreign, Version),
			Err: errAway,
		}
	case l.garbage == maxGarbage:
		return devices.Advice{
			EN:  "what arrives is no node's: another program runs there (majordome node flash writes the node's), or it is a reader that prints lines (chip: serial)",
			FR:  "ce qui arrive ne vient pas d’un nœud : un autre programme y tourne (majordome node flash écrit celui du nœud), ou c’est un lecteur qui écrit des lignes (chip: serial)",
			Err: errAway,
		}
	}
	return errAway
}

// Receive takes what has arrived.
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
	case h.session == 0: // it has started: ask at once
		l.down()
		l.never = true
		return
	default:
		return // of an ASK that was given up
	}
	l.foreign, l.waiting = 0, false
	same := l.known && h.Boots == l.boots
	// The uptime counts 2^32 ms.
	younger := same && int32(h.Uptime/time.Millisecond-l.info.Uptime/time.Millisecond) < 0
	if younger || same && l.next-h.first > maxKept || !same && h.first != 0 {
		l.session = max(1, l.session+1) // another node, or another host before us, had our numbers
		l.never, l.known = true, false
		l.down()
		return
	}
	// The node counted h.taken where we counted atAsk; what the line lost or made up is the difference.
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

// forget begins a stream: nothing is known of the readers, and the strip is dark.
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
	if made := l.taken - l.sent; int16(made) > 0 { // by the line
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

// Output returns what to write now, nil if nothing; it is valid until the next call. To be called after Receive and Show, and
// every 10 ms. When that was not possible the limits of the node's answers are as much later: on a machine that stood still they
// may all have been waiting.
func (l *Link) Output(now time.Duration) []byte {
	if over := now - l.last - late; over > 0 {
		l.heard, l.asked, l.strip.since = min(l.heard+over, now), min(l.asked+over, now), min(l.strip.since+over, now)
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
	if wait := now - l.asked; l.never || wait >= every && (!l.up || l.room() >= askWire || wait >= askEvery+askAgain) {
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
	l.atAsk = l.sent // the node answers at the last byte of the frame
	l.never, l.waiting, l.later, l.asked = false, true, false, now
}

// room is the number of bytes that may be sent now.
func (l *Link) room() int { return l.window - int(l.sent-l.taken) }

// send appends a frame if the node has room for it.
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

// Presses returns the buttons that changed since the last call, in order.
func (l *Link) Presses() []Press {
	p := l.presses
	l.presses = nil
	return p
}

// Scan is what lies in the field of a reader, as devices.Scanner says it.
func (l *Link) Scan(now time.Duration, reader int) ([]devices.Tag, error) {
	if reader < 0 || reader >= MaxReaders {
		return nil, errIndex
	}
	if l.up && !l.info.Readers[reader].Configured {
		return nil, advise("le nœud n’a pas de lecteur %[1]d : donnez-lui sa broche par majordome node set --readers", "the node has no reader %[1]d: name its pin by majordome node set --readers", reader)
	}
	return l.readers[reader].scan(now, l.up)
}

// Show keeps a frame for the strip; a newer one takes the place of one that was not sent yet.
// Missing pixels are dark, those beyond MaxPixels are forgotten.
func (l *Link) Show(px []devices.RGB) { l.strip.show(px, nil) }

// ShowMixed is Show of a frame with parts of a step, 0 to 15 in 16ths. A node that cannot mix them shows it without.
func (l *Link) ShowMixed(px, parts []devices.RGB) { l.strip.show(px, parts) }

// Configure sends a configuration that has been checked; the node starts anew with it.
func (l *Link) Configure(c Config) { l.keep = keep{set: &c} }
