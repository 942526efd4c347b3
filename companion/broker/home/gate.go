package home

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/broker/internal/guard"
	"majordome/companion/bucket"
)

// gate stands between a socket and mochi, which reads whole packets from it that have passed, one at a time for all
// connections: whoever holds Broker.turn is inside. What mochi writes is kept and sent by a goroutine of its own, so that
// nobody is inside while a socket is slow.
type gate struct {
	net.Conn
	b    *Broker
	in   *bufio.Reader
	buf  []byte // the packet being handed over; its memory is used again
	rest []byte // what mochi has not read of it
	turn bool   // holds Broker.turn; of the reading goroutine
	done chan struct{}

	inside    bool // the daemon's own
	limit     int  // of a packet, in bytes
	level     byte
	user, id  string // set under Broker.mu when the CONNECT has passed; "" before
	assigned  string // the client id that MQTT 5 is to be told
	messages  bucket.Bucket
	bytes     bucket.Bucket
	pause     time.Duration          // until what was read is paid for
	idle      time.Duration          // how long it may be silent; 0: for ever
	asking    []packets.Subscription // of the SUBSCRIBE that is being worked off, as mochi reads them
	brought   int                    // retained messages that it has brought so far
	out       outbox
	closing   chan struct{}
	closeOnce sync.Once
	hurry     chan bool // a will that waits: true: its client is back; false: tell it now
}

func newGate(b *Broker, conn net.Conn) *gate {
	_ = conn.SetReadDeadline(time.Now().Add(b.connectWait))
	g := &gate{Conn: conn, b: b, in: bufio.NewReaderSize(conn, 1<<10), done: make(chan struct{}), closing: make(chan struct{}), hurry: make(chan bool, 1)}
	g.out.more = make(chan struct{}, 1)
	return g
}

// Read gives mochi the next bytes of packets that have passed.
func (g *gate) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		g.asking = nil
		g.leave() // the packet before has been worked off
		packet, err := g.next()
		if err != nil {
			g.refuse(err)
			return 0, err
		}
		g.enter()
		g.rest = packet
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// enter and leave are for the goroutine that reads.
func (g *gate) enter() {
	if !g.turn {
		g.b.turn.Lock()
		g.turn = true
	}
}

func (g *gate) leave() {
	if g.turn {
		g.turn = false
		g.b.turn.Unlock()
	}
}

func (g *gate) refuse(err error) {
	var r *refusal
	if errors.As(err, &r) {
		if r.answer != nil {
			_, _ = g.Write(r.answer)
		}
		g.b.count(r.reason, g.RemoteAddr())
	}
	_ = g.Close()
}

// next reads one packet and checks it.
func (g *gate) next() ([]byte, error) {
	if err := g.rested(); err != nil {
		return nil, err
	}
	first, err := g.in.ReadByte()
	if err != nil {
		return nil, err
	}
	head, size := []byte{first}, 0
	for shift := 0; ; shift += 7 {
		if shift > 21 { // four length bytes are the most
			return nil, malformed
		}
		c, err := g.in.ReadByte()
		if err != nil {
			return nil, err
		}
		size |= int(c&0x7f) << shift
		head = append(head, c)
		if c < 0x80 {
			break
		}
	}
	known, limit := g.id != "", g.limit
	switch {
	case !known && first != typeConnect<<4, known && !expected(first):
		return nil, malformed
	case !known:
		limit = maxConnect
	}
	if size > limit {
		return nil, &refusal{reason: "too-large"}
	}
	if cap(g.buf) > bufferKept {
		g.buf = nil
	}
	g.buf = append(g.buf[:0], head...)
	if need := len(head) + size; cap(g.buf) < need {
		g.buf = append(make([]byte, 0, need), g.buf...)
	}
	g.buf = g.buf[:len(head)+size]
	body := g.buf[len(head):]
	if _, err := io.ReadFull(g.in, body); err != nil {
		return nil, err
	}
	if !known {
		return g.connect(body)
	}
	return g.buf, g.check(first>>4, body)
}

// rested waits until what was sent is paid for: a client that floods is read slowly, and nothing of it is lost.
func (g *gate) rested() error {
	if g.pause <= 0 {
		return nil
	}
	wait := time.NewTimer(min(g.pause, maxPause))
	defer wait.Stop()
	g.pause = 0
	select {
	case <-wait.C:
	case <-g.closing:
		return net.ErrClosed
	}
	if g.idle > 0 {
		return g.Conn.SetReadDeadline(time.Now().Add(g.idle))
	}
	return nil
}

// owe counts what a packet costs.
func (g *gate) owe(messages, bytes float64) {
	if now := time.Now(); !g.inside {
		g.pause = max(g.pause, g.messages.Owe(messages, now), g.bytes.Owe(bytes, now))
	}
}

// check judges one packet of a client that has connected.
func (g *gate) check(kind byte, body []byte) error {
	cost := 0.0
	switch kind {
	case typePublish:
		topic, _, ok := guard.CutString(body)
		if cost = 1; !ok || len(topic) > maxTopic {
			return malformed
		}
	case typeSubscribe, typeUnsubscribe:
		n, ok := filters(body, g.level, kind == typeSubscribe)
		if cost = 1 + float64(n)/filtersEach; !ok {
			return malformed
		}
	case typeDisconnect:
		if g.level == 5 {
			disconnected(body, maxExpiry)
		}
	}
	g.owe(cost, float64(len(body)+overhead))
	return nil
}

// connect checks the CONNECT, opens its account, and gives it a client id that is no other account's.
func (g *gate) connect(body []byte) ([]byte, error) {
	c, err := parseConnect(body)
	if err != nil {
		return nil, err
	}
	rights := Rights{Limits: large}
	if !g.inside {
		if !g.b.register.open(c.user, c.password) {
			return nil, c.refuse("login", 5, 0x87)
		}
		rights = g.b.register.rightsOf(c.user)
	} else {
		c.user, c.flags = "", c.flags&^flagUser // no account has that name
	}
	if c.id == "" && c.level == 4 && c.flags&flagClean == 0 || len(c.id) > maxID {
		return nil, c.refuse("identity", 2, 0x85)
	}
	if c.flags&flagWill != 0 && !g.inside && !g.b.mayLeave(c, rights) {
		g.b.register.refused(c.user, AskedWill, c.willTopic)
		return nil, c.refuse("will", 5, 0x87)
	}
	id := c.id
	if id == "" {
		id = newID()
		g.assigned = id
	}
	g.level = c.level
	rights.Limits = g.b.pace(rights.Limits)
	g.limit = rights.Packet
	now := time.Now()
	g.messages, g.bytes = bucket.New(rights.Messages, rights.MessageBurst, now), bucket.New(rights.Bytes, rights.ByteBurst, now)
	if !g.b.claim(g, c.user, c.user+"/"+id, rights.Limits, c.kept()) {
		return nil, c.refuse("busy", 3, 0x89)
	}
	if !g.inside && !g.b.register.open(c.user, c.password) { // End may have come while claim waited; from now on it finds g
		return nil, c.refuse("login", 5, 0x87)
	}
	return c.bytes(g.id), nil
}

// SetDeadline is how mochi asks for the keepalive: it means reading alone.
func (g *gate) SetDeadline(t time.Time) error {
	select {
	case <-g.closing:
		return net.ErrClosed
	default:
	}
	if g.idle = 0; !t.IsZero() {
		g.idle = time.Until(t)
	}
	return g.Conn.SetReadDeadline(t)
}
