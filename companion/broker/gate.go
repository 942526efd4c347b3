package broker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"time"

	"majordome/companion/door"
	"majordome/companion/mqttguard"
)

// Packet types, MQTT 3.1.1 section 2.2.1.
const (
	typeConnect     = 1
	typePublish     = 3
	typePuback      = 4
	typeSubscribe   = 8
	typeUnsubscribe = 10
	typePingreq     = 12
	typeDisconnect  = 14
)

// Answers to a CONNECT, MQTT 3.1.1 table 3.1. The one to an MQTT 5 client has the form of MQTT 5 (reason 0x84, unsupported protocol
// version, no properties).
var (
	connackVersion  = []byte{0x20, 2, 0, 1}
	connackVersion5 = []byte{0x20, 3, 0, 0x84, 0}
	connackID       = []byte{0x20, 2, 0, 2}
	connackBusy     = []byte{0x20, 2, 0, 3}
	connackRights   = []byte{0x20, 2, 0, 5}
)

var (
	userForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
	suffixForm = regexp.MustCompile(`^[a-z0-9]{8,16}$`)
)

// gate is the connection that mochi reads from, in place of the socket. It passes on whole packets only, after checking each.
type gate struct {
	net.Conn
	broker    *Broker
	reader    *bufio.Reader
	limits    *limiter
	buf       []byte // the packet being passed on; the buffer is reused
	rest      []byte // the part of it that mochi has not read yet
	closeOnce sync.Once
	done      chan struct{} // closed when the connection has left the broker

	place *door.Conn // nil if package door does not count this connection

	user, id string // set under Broker.mu once the CONNECT is accepted; "" before
	present  bool   // counted in Broker.online; under Broker.mu
}

func newGate(b *Broker, conn net.Conn, limits *limiter) *gate {
	_ = conn.SetReadDeadline(time.Now().Add(b.opts.ConnectTimeout))
	return &gate{Conn: conn, broker: b, limits: limits, reader: bufio.NewReaderSize(conn, 1<<10), done: make(chan struct{})}
}

// denial is the error that ends a connection, with the packet to send before.
type denial struct {
	reason string // for RefusalCounts and the log
	answer []byte
}

func (d *denial) Error() string { return "broker: " + d.reason }

// Read returns the next bytes of checked packets to mochi.
func (g *gate) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		packet, err := g.readPacket()
		if err != nil {
			g.refuseConn(err)
			return 0, err
		}
		g.rest = packet
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// refuseConn closes the connection after an error of readPacket, and first sends the answer of a denial. It counts denials, rates over the
// limit, and clients that send no CONNECT in time.
func (g *gate) refuseConn(err error) {
	var d *denial
	var timeout net.Error
	switch {
	case errors.As(err, &d):
		if d.answer != nil {
			_, _ = g.Write(d.answer)
		}
		g.broker.countRefusal(d.reason, g.RemoteAddr())
	case errors.Is(err, errRate):
		g.broker.countRefusal("rate", g.RemoteAddr())
	case g.id == "" && errors.As(err, &timeout) && timeout.Timeout():
		g.broker.countRefusal("silent", g.RemoteAddr())
	}
	g.Close()
}

// Write sends p to the client, which must receive it within WriteTimeout. It closes the connection after a failed write, because mochi
// would go on with the next packet even if this one was cut in the middle.
func (g *gate) Write(p []byte) (int, error) {
	_ = g.Conn.SetWriteDeadline(time.Now().Add(g.broker.opts.WriteTimeout))
	n, err := g.Conn.Write(p)
	if err == nil {
		return n, nil
	}
	g.closeOnce.Do(func() {
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			g.broker.countRefusal("slow", g.RemoteAddr())
		}
		_ = g.Conn.Close()
	})
	return n, err
}

// SetDeadline sets the read deadline only: mochi uses it for the keepalive, and writes have a shorter limit of their own.
func (g *gate) SetDeadline(t time.Time) error { return g.Conn.SetReadDeadline(t) }

// Close closes the connection at once, even while a Read or Write is blocked.
func (g *gate) Close() error {
	g.closeOnce.Do(func() { _ = g.Conn.Close() })
	return nil
}

// readPacket reads one packet and checks it.
func (g *gate) readPacket() ([]byte, error) {
	var head [5]byte
	used, size := 1, 0
	first, err := g.reader.ReadByte()
	if err != nil {
		return nil, err
	}
	head[0] = first
	for {
		c, err := g.reader.ReadByte()
		if err != nil {
			return nil, err
		}
		size |= int(c&0x7f) << (7 * (used - 1))
		head[used] = c
		used++
		if c < 0x80 {
			break
		}
		if used == len(head) { // the length has at most four bytes, section 2.2.3
			return nil, &denial{reason: "malformed"}
		}
	}
	if g.id == "" && first != typeConnect<<4 {
		return nil, &denial{reason: "malformed"}
	}
	limit := g.broker.opts.MaxPacket
	switch {
	case g.id == "":
		limit = maxConnect
	case !isAllowedPacket(first, size):
		return nil, &denial{reason: "malformed"}
	case mayExceedRate(g.user):
		limit = maxDaemon
	}
	if size > limit {
		return nil, &denial{reason: "too-large"}
	}
	kind := first >> 4
	if err := g.limits.chargePacket(used+size, kind != typePuback && kind != typePingreq); err != nil {
		return nil, err
	}
	g.buf = append(g.buf[:0], head[:used]...)
	if need := used + size; cap(g.buf) < need {
		g.buf = append(make([]byte, 0, need), g.buf...)
	}
	g.buf = g.buf[:used+size]
	if _, err := io.ReadFull(g.reader, g.buf[used:]); err != nil {
		return nil, err
	}
	if err := g.checkPacket(first, g.buf[used:]); err != nil {
		return nil, err
	}
	return g.buf, nil
}

// checkPacket checks one packet, given as its first byte and its body.
func (g *gate) checkPacket(first byte, body []byte) error {
	if g.id == "" {
		return g.acceptConnect(body)
	}
	switch first >> 4 {
	case typePublish:
	case typeSubscribe:
		return g.checkSubscribe(body)
	default:
		return nil
	}
	topic, _, ok := mqttguard.SplitString(body)
	if !ok || !isValidTopic(topic) {
		return &denial{reason: "malformed"}
	}
	if first&1 == 1 && !g.broker.access.CanRetain(g.user, topic) {
		return &denial{reason: "retain"}
	}
	return nil
}

// checkSubscribe checks the filters of a SUBSCRIBE and counts each as a message, because each is answered with a whole retained view.
func (g *gate) checkSubscribe(body []byte) error {
	if mayExceedRate(g.user) {
		return nil
	}
	rest := body[min(2, len(body)):] // skips the packet identifier
	for n := 1; len(rest) > 0; n++ {
		_, after, ok := mqttguard.SplitString(rest)
		if !ok || len(after) == 0 {
			return &denial{reason: "malformed"}
		}
		if n > maxFilters {
			return &denial{reason: "filters"}
		}
		if n > 1 { // the first was counted with the packet
			if err := g.limits.chargePacket(0, true); err != nil {
				return err
			}
		}
		rest = after[1:] // skips the QoS
	}
	return nil
}

// isAllowedPacket reports whether a connected client may send a packet with this first byte and size. It excludes a second CONNECT, QoS 2,
// packets that only a server sends, and reserved flags.
func isAllowedPacket(first byte, size int) bool {
	switch first {
	case 0x30, 0x31, 0x32, 0x33, 0x3a, 0x3b: // PUBLISH: QoS 0 or 1, retained or not; the last two repeat one of QoS 1
		return true
	case typeSubscribe<<4 | 2, typeUnsubscribe<<4 | 2:
		return true
	case typePuback << 4:
		return size == 2
	case typePingreq << 4, typeDisconnect << 4:
		return size == 0
	}
	return false
}

// acceptConnect checks a CONNECT, authenticates its user and claims its place and its client id.
func (g *gate) acceptConnect(body []byte) error {
	c, err := parseConnect(body)
	if err != nil {
		return err
	}
	suffix, hasUser := strings.CutPrefix(c.id, c.user+".")
	switch {
	case !userForm.MatchString(c.user):
		return &denial{"login", connackRights}
	case !hasUser || !suffixForm.MatchString(suffix):
		return &denial{"identity", connackID}
	case !c.clean:
		return &denial{"session", connackID}
	case c.keepalive < 1 || c.keepalive > 120:
		return &denial{"keepalive", connackRights}
	case !g.broker.access.Authenticate(c.user, c.id, c.password, g.RemoteAddr()):
		return &denial{"login", connackRights}
	// mochi publishes wills without an access check.
	case c.will && !(isValidTopic(c.willTopic) && g.broker.access.CanWrite(c.user, c.willTopic) &&
		g.broker.access.CanRetain(c.user, c.willTopic)):
		return &denial{"will", connackRights}
	case !g.place.Promote(g.broker.access.KindOf(c.user), c.user):
		return &denial{"crowd", connackBusy}
	case !g.broker.reserveClientID(g, c.user, c.id):
		return &denial{"identity", connackID}
	}
	g.limits.disabled = mayExceedRate(c.user)
	return nil
}

// connectPacket is a CONNECT, section 3.1.
type connectPacket struct {
	user, id    string
	password    []byte
	clean, will bool
	willTopic   string
	keepalive   uint16 // seconds
}

func parseConnect(body []byte) (c connectPacket, err error) {
	malformed := &denial{reason: "malformed"}
	name, rest, ok := mqttguard.SplitString(body)
	if !ok || len(rest) < 4 {
		return c, malformed
	}
	level, flags := rest[0], rest[1]
	switch {
	case name == "MQTT" && level == 4:
	case name == "MQTT" && level == 5:
		return c, &denial{"version", connackVersion5}
	case name == "MQTT" || name == "MQIsdp":
		return c, &denial{"version", connackVersion}
	default:
		return c, malformed
	}
	c.clean, c.will = flags&2 != 0, flags&4 != 0
	const reserved, willQoS, willBits = 1, 3 << 3, 7 << 3
	if flags&reserved != 0 || flags&willQoS == willQoS || !c.will && flags&willBits != 0 {
		return c, malformed
	}
	if flags>>6 != 3 { // user name and password, both
		return c, &denial{"login", connackRights}
	}
	c.keepalive = binary.BigEndian.Uint16(rest[2:4])
	rest = rest[4:]
	fields := []*string{&c.id}
	var message, password string
	if c.will {
		fields = append(fields, &c.willTopic, &message)
	}
	for _, f := range append(fields, &c.user, &password) {
		if *f, rest, ok = mqttguard.SplitString(rest); !ok {
			return c, malformed
		}
	}
	if len(rest) != 0 || c.will && (message == "" || c.willTopic == "") {
		return c, malformed
	}
	c.password = []byte(password)
	return c, nil
}
