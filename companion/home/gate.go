package home

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/bucket"
	"majordome/companion/door"
	"majordome/companion/mqttguard"
)

// gate connects a device to Mosquitto. It checks the CONNECT, then forwards the packets of the device one by one. What Mosquitto sends to
// the device passes unchanged.
type gate struct {
	net.Conn // of the device
	broker   *Broker
	reader   *bufio.Reader
	buf      []byte // the packet being forwarded; the buffer is reused
	closing  chan struct{}

	mu     sync.Mutex
	inner  net.Conn // to Mosquitto; set once, by setMosquittoConn
	closed bool

	level    byte
	user, id string // set before Broker.addGateIfRoom
	assigned string // the client id to put into the CONNACK of MQTT 5
	admitted bool   // Broker.addGateIfRoom has accepted it; only for the goroutine that reads
	limit    int    // of a packet, in bytes

	maxFilters int // of the account; set by Broker.addGateIfRoom
	messages   bucket.Bucket
	bytes      bucket.Bucket
	sentBytes  atomic.Int64 // bytes sent to the device since the last call of throttle
}

func newGate(b *Broker, conn net.Conn) *gate {
	_ = conn.SetReadDeadline(time.Now().Add(b.connectTimeout))
	return &gate{Conn: conn, broker: b, reader: bufio.NewReaderSize(conn, 1<<10), limit: maxConnect, closing: make(chan struct{})}
}

// serve runs the connection to its end.
func (g *gate) serve() {
	defer g.broker.removeGate(g)
	defer g.cutBothConns()
	err := g.acceptConnect()
	if err == nil {
		g.broker.wg.Go(g.forwardAnswers)
		for err == nil {
			err = g.forwardPacket()
		}
	}
	var r *refusal
	if errors.As(err, &r) {
		if r.answer != nil {
			_, _ = g.Write(r.answer)
			_ = g.Close() // still sends the answer
		}
		g.broker.countRefusal(r.reason, g.RemoteAddr())
	}
}

// readPacket reads one packet. The body is valid until the next call.
func (g *gate) readPacket() (first byte, body []byte, err error) {
	first, err = g.reader.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	if !g.admitted && first != typeConnect<<4 || g.admitted && !isAllowedPacket(first) {
		return 0, nil, errMalformed
	}
	size := 0
	for shift := 0; ; shift += 7 {
		if shift > 21 { // the length has at most four bytes
			return 0, nil, errMalformed
		}
		c, err := g.reader.ReadByte()
		if err != nil {
			return 0, nil, err
		}
		if size |= int(c&0x7f) << shift; c < 0x80 {
			break
		}
	}
	if size > g.limit {
		return 0, nil, &refusal{reason: "too-large"}
	}
	if cap(g.buf) > maxKeptBuffer {
		g.buf = nil
	}
	if cap(g.buf) < size {
		g.buf = make([]byte, size)
	}
	body = g.buf[:size]
	_, err = io.ReadFull(g.reader, body)
	return first, body, err
}

// acceptConnect checks the CONNECT, verifies its account, and forwards it with a client id that begins with the account.
func (g *gate) acceptConnect() error {
	_, body, err := g.readPacket()
	if err != nil {
		return err
	}
	c, err := parseConnect(body)
	if err != nil {
		return err
	}
	if !g.broker.register.verifyPassword(c.user, c.password) {
		return c.newRefusal("login", 5, 0x87)
	}
	rights := g.broker.register.rightsOf(c.user)
	if !c.hasValidID() {
		return c.newRefusal("identity", 2, 0x85)
	}
	if c.flags&flagWill != 0 && !g.broker.isWillAllowed(c, rights) {
		g.broker.register.recordRefusal(c.user, RefusedWill, c.willTopic)
		return c.newRefusal("will", 5, 0x87)
	}
	if !doorConnOf(g.Conn).Promote(door.Device, c.user) {
		return c.newRefusal("crowd", 3, 0x97)
	}
	ctx, cancel := context.WithTimeout(g.broker.ctx, startTimeout)
	defer cancel()
	inner, err := g.broker.server.Dial(ctx)
	if err != nil {
		return c.newRefusal("away", 3, 0x88)
	}
	if !g.setMosquittoConn(inner) {
		return net.ErrClosed
	}
	g.level, g.user, g.id = c.level, c.user, c.id
	if g.id == "" {
		g.id = strings.ToLower(rand.Text())[:20]
		g.assigned = g.id
	}
	rights.Limits = g.broker.adjustLimits(rights.Limits)
	g.limit = rights.Packet
	now := time.Now()
	g.messages, g.bytes = bucket.New(rights.Messages, rights.MessageBurst, now), bucket.New(rights.Bytes, rights.ByteBurst, now)
	if g.admitted = g.broker.addGateIfRoom(g, rights.Limits, c); !g.admitted {
		return c.newRefusal("busy", 3, 0x89)
	}
	if !g.broker.register.verifyPassword(
		c.user,
		c.password,
	) { // again: the password may have changed before addGateIfRoom; from now on the broker cuts g then
		return c.newRefusal("login", 5, 0x87)
	}
	if c.flags&flagWill != 0 && c.flags&flagWillRetain != 0 &&
		!g.broker.countRetained(g.user, c.willTopic, len(c.will), 0, rights.Limits) {
		g.broker.register.recordRefusal(g.user, RefusedRetain, c.willTopic)
		c.flags &^= flagWillRetain
	}
	capSessionExpiry(c.props, maxExpiry)
	_ = g.SetReadDeadline(time.Time{}) // Mosquitto checks the keep alive
	_, err = g.inner.Write(c.encodeWith(g.user+"/"+g.id, g.broker.server.SharedPassword()))
	return err
}

// forwardPacket reads one packet, forwards it, and waits as long as the rates demand.
func (g *gate) forwardPacket() error {
	first, body, err := g.readPacket()
	if err != nil {
		return err
	}
	cost := 0.0
	switch first >> 4 {
	case typePublish:
		cost = 1
		if first, body, err = g.restrictPublish(first, body); err != nil {
			return err
		}
	case typeSubscribe, typeUnsubscribe:
		filters, again, ok := parseFilters(body, g.level, first>>4 == typeSubscribe)
		if cost = 1 + float64(len(filters)+again)/filtersPerMessage; !ok {
			return errMalformed
		}
		if again > maxRepeated || !g.broker.recordFilters(g, filters, first>>4 == typeSubscribe) {
			return &refusal{reason: "greedy"}
		}
	case typeDisconnect:
		if g.level == 5 && len(body) > 1 {
			if props, _, ok := splitProps(body[1:]); ok {
				capSessionExpiry(props, maxExpiry)
			}
		}
	}
	if _, err := g.inner.Write(append(appendLength([]byte{first}, len(body)), body...)); err != nil {
		return err
	}
	return g.chargeAndWait(cost, float64(len(body)+packetOverhead))
}

// restrictPublish returns a PUBLISH as Mosquitto is to receive it. It removes the retain flag where the account may not retain a message.
// To the topic of a command it appends the name of the account, which no other client can write there, and then retainedSuffix if the flag
// was set: no command is retained.
func (g *gate) restrictPublish(first byte, body []byte) (byte, []byte, error) {
	topic, rest, ok := mqttguard.SplitString(body)
	if !ok || !isShort(topic) {
		return 0, nil, errMalformed
	}
	if name, isCommand := strings.CutPrefix(topic, g.broker.commandPrefix()); isCommand && name != "" {
		topic += "/" + g.user
		if first&1 != 0 {
			topic += retainedSuffix
		}
		return first &^ 1, append(appendString(nil, topic), rest...), nil
	}
	if first&1 == 0 {
		return first, body, nil
	}
	size, age, ok := g.measurePayload(first, rest)
	if !ok {
		return 0, nil, errMalformed
	}
	rights := g.broker.register.rightsOf(g.user)
	switch {
	case !g.broker.mayWriteTopic(topic, rights): // Mosquitto refuses it
	case !anyFilterCovers(rights.Retain, topic), !g.broker.countRetained(g.user, topic, size, age, rights.Limits):
		g.broker.register.recordRefusal(g.user, RefusedRetain, topic)
		first &^= 1
	}
	return first, body, nil
}

// measurePayload returns the size of the payload of a PUBLISH, given what follows its topic, and the time until the message expires.
func (g *gate) measurePayload(first byte, rest []byte) (size int, lifetime time.Duration, ok bool) {
	if first&6 != 0 { // skips the packet identifier of QoS 1 and 2
		if len(rest) < 2 {
			return 0, 0, false
		}
		rest = rest[2:]
	}
	if g.level == 5 {
		var props []byte
		if props, rest, ok = splitProps(rest); !ok {
			return 0, 0, false
		}
		if expiry, at := uint32Prop(props, propMessageExpiry); at >= 0 {
			lifetime = max(1, time.Duration(expiry)) * time.Second
		}
	}
	return len(rest), lifetime, true
}

// chargeAndWait waits until the packet is within the rates: a client that floods is read slowly, and loses nothing.
func (g *gate) chargeAndWait(messages, bytes float64) error {
	now := time.Now()
	bytes += float64(g.sentBytes.Swap(0)) / outputPerInput
	pause := min(max(g.messages.TakeIntoDebt(messages, now), g.bytes.TakeIntoDebt(bytes, now)), maxPause)
	if pause <= 0 {
		return nil
	}
	wait := time.NewTimer(pause)
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-g.closing:
		return net.ErrClosed
	}
}

// forwardAnswers sends to the device what Mosquitto sends, until either end closes.
func (g *gate) forwardAnswers() {
	defer g.cutBothConns()
	from := bufio.NewReaderSize(g.inner, 4<<10)
	if g.assigned != "" && g.level == 5 {
		if err := g.forwardConnack(from); err != nil {
			return
		}
	}
	buf := make([]byte, 4<<10)
	for {
		n, err := from.Read(buf)
		g.sentBytes.Add(int64(n))
		if n > 0 {
			if _, err := g.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// forwardConnack forwards the CONNACK of MQTT 5, with the assigned client id added (section 3.2.2.3.7).
func (g *gate) forwardConnack(from *bufio.Reader) error {
	head, err := from.Peek(2)
	if err != nil {
		return err
	}
	if head[0] != 0x20 || head[1] < 3 || head[1] >= 0x80 {
		return nil
	}
	packet := make([]byte, 2+head[1])
	if _, err := io.ReadFull(from, packet); err != nil {
		return err
	}
	if props, _, ok := splitProps(packet[4:]); ok && packet[3] == 0 {
		props = appendString(append(append([]byte{}, props...), propAssigned), g.assigned)
		body := append(appendLength([]byte{packet[2], 0}, len(props)), props...)
		packet = append(appendLength([]byte{0x20}, len(body)), body...)
	}
	_, err = g.Write(packet)
	return err
}

// setMosquittoConn sets the connection to Mosquitto; it closes it and returns false if the gate has been closed before.
func (g *gate) setMosquittoConn(inner net.Conn) (isOpen bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		_ = inner.Close()
		return false
	}
	g.inner = inner
	return true
}

// cutBothConns closes both connections at once.
func (g *gate) cutBothConns() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.closed = true
	close(g.closing)
	_ = g.Close()
	if g.inner != nil {
		_ = g.inner.Close()
	}
}
