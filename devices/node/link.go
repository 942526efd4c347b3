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
	ownPause = 100 * time.Millisecond

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

	open         bool
	connected    bool          // a HELLO was accepted, and a frame came within awayAfter
	otherVersion uint8         // protocol version of the node if it is not ours; 0: none
	garbage      int           // bytes since the last valid frame, or since the line was opened
	lastHeard    time.Duration // when the last valid frame came while connected

	ask
	lastOutput time.Duration // last call of BuildOutput

	sent, taken uint16 // bytes sent, bytes the node has taken; modulo 65536
	window      int

	info      Info
	hasInfo   bool // info is valid; it stays so when the link is down
	boots     uint16
	nextEvent uint16 // number of the next event
	ackDue    bool

	readers [MaxReaders]readerState
	presses []Press
	strip   stripSender
	config  configExchange
}

// ask is the state of the last ASK and of the HELLO that answers it.
type ask struct {
	nonce          uint8
	waiting        bool // for the HELLO with nonce
	askedAt        time.Duration
	neverAsked     bool   // no ASK was sent since NotifyOpened
	sentAtAsk      uint16 // value of sent right after the ASK
	creditSinceAsk bool   // a CREDIT has come since the ASK: it may count more bytes than the HELLO after it
}

// configExchange is the state of reading (get) or writing (set) the configuration; reply is the node's answer.
type configExchange struct {
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
	l.resetStream()
	return l
}

// NotifyOpened informs the link that the line is open, at the beginning of a frame.
func (l *Link) NotifyOpened() {
	l.decoder = Decoder{}
	l.open, l.neverAsked, l.waiting = true, true, false
	l.garbage = 0
}

// NotifyClosed informs the link that the line is closed. The node stores its events until the next NotifyOpened.
func (l *Link) NotifyClosed() {
	l.open = false
	l.garbage = 0
	l.setDisconnected()
}

// setDisconnected notes that the node does not answer: nothing but ASK is sent until it does.
func (l *Link) setDisconnected() {
	l.connected, l.waiting, l.ackDue = false, false, false
	l.strip.abortFrame()
}

// IsConnected reports whether the node has answered with our version and session, and still does.
func (l *Link) IsConnected() bool { return l.connected }

// Info returns the last Info that the node sent, and false if there was none.
func (l *Link) Info() (last Info, ok bool) { return l.info, l.hasInfo }

// Err returns why the node is not connected, nil if it is. For a node of another version, or a device that is
// no node, it is a devices.Advice.
func (l *Link) Err() error {
	switch {
	case l.connected:
		return nil
	case l.otherVersion != 0:
		return devices.Advice{
			EN: fmt.Sprintf("the node speaks version %d of the protocol, this program version %d: "+
				"write its firmware anew (majordome node flash)", l.otherVersion, Version),
			FR: fmt.Sprintf("le nœud parle la version %d du protocole, ce programme la version %d : "+
				"réécrivez son micrologiciel (majordome node flash)", l.otherVersion, Version),
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
		if body, ok := l.decoder.DecodeByte(v); ok && l.open {
			l.garbage = 0
			l.handleMessage(now, body[0], body[1:])
		}
	}
}

func (l *Link) handleMessage(now time.Duration, kind byte, p []byte) {
	if kind == typeHello {
		if h, ok := parseHello(p); ok {
			l.handleHello(now, &h)
		}
		return
	}
	if !l.connected {
		return
	}
	l.lastHeard = now
	switch {
	case kind == typeCredit && len(p) >= 2:
		l.recordBytesRead(binary.LittleEndian.Uint16(p))
	case kind == typeEvent:
		if e, err := parseEvent(p); err == nil {
			l.handleEvent(&e)
		}
	case kind == typeShown && len(p) >= 2:
		l.strip.handleFrameShown(p[0], p[1] == 1)
	case kind == typeConfig && len(p) >= 1+configSize:
		if c, ok := parseConfig(p[1:]); ok {
			l.config.reply = &configReply{p[0] != 0, c}
		}
	}
}

// handleHello accepts the answer to the last ASK: the link is connected then. It begins a new session if the
// events that the node has belong to another node or host.
func (l *Link) handleHello(now time.Duration, h *helloMessage) {
	switch {
	case h.Version != Version:
		l.otherVersion = h.Version
		l.setDisconnected()
		return
	case l.waiting && h.nonce == l.nonce && h.session == l.session:
	case h.session == 0: // the node has just started: ask at once
		l.setDisconnected()
		l.neverAsked = true
		return
	default:
		return // the answer to an earlier ASK
	}
	l.otherVersion, l.waiting = 0, false
	same := l.hasInfo && h.Boots == l.boots
	// The uptime counts ms modulo 2^32.
	younger := same && int32(h.Uptime/time.Millisecond-l.info.Uptime/time.Millisecond) < 0
	if younger || same && l.nextEvent-h.first > maxKept || !same && h.first != 0 {
		l.session = max(1, l.session+1) // these events belong to another node, or to another host
		l.neverAsked, l.hasInfo = true, false
		l.setDisconnected()
		return
	}
	// At h.taken of the node's count, ours was sentAtAsk. The line lost or made up the difference.
	l.sent += h.taken - l.sentAtAsk
	credited := l.taken
	l.taken, l.window = h.taken, h.window
	if same && l.creditSinceAsk {
		l.recordBytesRead(credited)
	}
	if !same {
		l.resetStream()
		l.boots, l.nextEvent = h.Boots, 0
	}
	l.info, l.hasInfo, l.connected, l.lastHeard = h.Info, true, true, now
	l.strip.setStripSize(h.Pixels, h.canMixLight())
}

// resetStream begins a new stream of events: the state of the readers is unknown, and the strip is dark.
func (l *Link) resetStream() {
	for i := range l.readers {
		l.readers[i].queueNewStream()
	}
	l.strip.markPixelsLost()
}

// recordBytesRead records that the node has read taken bytes so far, modulo 65536.
func (l *Link) recordBytesRead(taken uint16) {
	if int16(taken-l.taken) > 0 {
		l.taken, l.creditSinceAsk = taken, true
	}
	if made := l.taken - l.sent; int16(made) > 0 { // bytes that the line made up
		l.sent, l.sentAtAsk = l.taken, l.sentAtAsk+made
	}
}

// handleEvent stores the next event, if there is room for it, and acknowledges it. One that came already is
// only acknowledged again.
func (l *Link) handleEvent(e *event) {
	if e.stream != byte(l.boots+l.session) {
		return
	}
	if e.number == l.nextEvent {
		switch {
		case e.kind == kindDown || e.kind == kindUp:
			if len(l.presses) == maxPresses {
				return
			}
			l.presses = append(l.presses, Press{e.index, e.kind == kindDown, e.at})
		case !l.readers[e.index].queueEvent(e):
			return
		}
		l.nextEvent++
	}
	l.ackDue = true
}

// BuildOutput returns the bytes to write now, nil if there are none; they are valid until the next call. Call
// it after Receive and ShowFrame, and every 10 ms. After a longer pause all time limits of the node are
// extended by the pause, because on a machine that was stopped its answers may all have been waiting.
func (l *Link) BuildOutput(now time.Duration) []byte {
	if over := now - l.lastOutput - ownPause; over > 0 {
		l.lastHeard, l.askedAt = min(l.lastHeard+over, now), min(l.askedAt+over, now)
		l.strip.showSentAt = min(l.strip.showSentAt+over, now)
	}
	l.lastOutput = now
	l.out = l.out[:0]
	if !l.open {
		return nil
	}
	if l.connected && now-l.lastHeard > awayAfter {
		l.setDisconnected()
	}
	every := askAgain
	if l.connected && !l.waiting {
		every = askEvery
	}
	if wait := now - l.askedAt; l.neverAsked ||
		wait >= every && (!l.connected || l.freeSendBytes() >= askWire || wait >= askEvery+askAgain) {
		l.sendAsk(now)
	}
	if !l.connected {
		return l.out
	}
	if l.ackDue && l.sendFrame(typeAck, byte(l.boots+l.session), byte(l.nextEvent), byte(l.nextEvent>>8)) {
		l.ackDue = false
	}
	if l.config.get && l.sendFrame(typeGet) {
		l.config.get = false
	}
	if c := l.config.set; c != nil {
		if b := c.encodeBytes(); l.sendFrame(typeSet, b[:]...) {
			l.config.set = nil
		}
	}
	l.strip.sendFrame(now, l.sendFrame)
	return l.out
}

// sendAsk appends an ASK to the output, which the node answers by HELLO.
func (l *Link) sendAsk(now time.Duration) {
	if l.nonce++; l.nonce == 0 {
		l.nonce = 1
	}
	before := len(l.out)
	if !l.connected {
		l.out = AppendFrame(l.out, bootloaderGuard)
	}
	l.out = AppendFrame(l.out, []byte{typeAsk, Version, l.nonce, byte(l.session), byte(l.session >> 8)})
	l.sent += uint16(len(l.out) - before)
	l.sentAtAsk = l.sent // when the node has all of the ASK, it answers
	l.neverAsked, l.waiting, l.creditSinceAsk, l.askedAt = false, true, false, now
}

// freeSendBytes returns the number of bytes that may be sent now.
func (l *Link) freeSendBytes() int { return l.window - int(l.sent-l.taken) }

// sendFrame appends a frame to the output if the node has room for it, and reports whether it has.
func (l *Link) sendFrame(kind byte, payload ...byte) (hadRoom bool) {
	var body [MaxBody]byte
	body[0] = kind
	n := 1 + copy(body[1:], payload)
	before := len(l.out)
	l.out = AppendFrame(l.out, body[:n])
	size := len(l.out) - before
	if size > l.freeSendBytes() {
		l.out = l.out[:before]
		return false
	}
	l.sent += uint16(size)
	return true
}

// DrainPresses returns the changes of buttons since the last call, in order.
func (l *Link) DrainPresses() []Press {
	p := l.presses
	l.presses = nil
	return p
}

// ScanReader returns the tags in the field of a reader, as devices.Scanner does.
func (l *Link) ScanReader(now time.Duration, reader int) ([]devices.Tag, error) {
	if reader < 0 || reader >= MaxReaders {
		return nil, errIndex
	}
	if l.connected && !l.info.Readers[reader].Configured {
		return nil, newAdvice("le nœud n’a pas de lecteur %[1]d : donnez-lui sa broche par majordome node set --readers",
			"the node has no reader %[1]d: name its pin by majordome node set --readers", reader)
	}
	return l.readers[reader].nextScan(now, l.connected)
}

// ShowFrame stores a frame for the strip, in place of one that was not sent yet. LEDs without a pixel are dark,
// pixels beyond MaxPixels are ignored.
func (l *Link) ShowFrame(px []devices.RGB) { l.strip.setFrame(px, nil) }

// ShowMixed is like ShowFrame, with parts of a step: 0 to 15 in 16ths. A node that cannot mix shows the frame
// without the parts.
func (l *Link) ShowMixed(px, parts []devices.RGB) { l.strip.setFrame(px, parts) }

// QueueConfig makes BuildOutput send a configuration, which must have been checked. The node then restarts with
// it.
func (l *Link) QueueConfig(c Config) { l.config = configExchange{set: &c} }
