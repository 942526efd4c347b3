package line

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"majordome/engine/ownfile"
)

// MaxPacket is the greatest size of one packet of a broker, in bytes after its fixed header. All that a table subscribes to is smaller.
const MaxPacket = 64 << 10

const (
	maxTopic = 256 // bytes of the topic that are read from a packet that is too large
	maxShown = 80  // characters of a topic in Fault and Suspect
)

// Kinds of a Fault, in addition to Flood. They are also values of Status.Reason.
const (
	Oversize  = "oversize"  // a packet of more than MaxPacket
	Malformed = "malformed" // a packet that is not MQTT 3.1.1, or that no broker may send to a line
)

// Fault is the error for what the broker sent that ends the connection.
type Fault struct {
	Kind  string
	Topic string // printable topic of a message; "" if it is another packet, or if its topic cannot be read
	Size  int    // bytes after the fixed header, as the header says; 0 if it cannot be read
	key   string // the topic as received, to recognise the next message
}

// Error names kind, topic and size.
func (f *Fault) Error() string {
	return fmt.Sprintf("line: %s packet of %d bytes, topic %q", f.Kind, f.Size, f.Topic)
}

// packetReader is a connection to a broker that checks each packet before paho reads it. Without it paho allocates as many bytes as a
// header says (up to 268,435,455), stores messages of QoS 2, and panics on an acknowledgement of more filters than it has sent.
//
// Invariants:
//  1. At most MaxPacket and a few bytes of the connection are in memory at a time.
//  2. paho receives only whole packets, of the types CONNACK (first, once), PUBLISH at QoS 0 or 1, PUBACK, SUBACK and PINGRESP.
type packetReader struct {
	net.Conn
	reader    *bufio.Reader
	link      *link
	timeout   time.Duration           // to read the topic of a message that is too large
	isSkipped func(topic string) bool // reports whether a too large message of that topic is skipped

	buf         []byte // the packet being passed on; the buffer is reused
	rest        []byte // the part of it that paho has not read yet
	toSkip      int    // bytes of a message that are still to be skipped
	replacement []byte // the packet that paho receives in place of that message
	connected   bool   // the CONNACK has come
}

func newPacketReader(conn net.Conn, k *link, timeout time.Duration, isSkipped func(topic string) bool) *packetReader {
	return &packetReader{Conn: conn, reader: bufio.NewReaderSize(conn, 4<<10), link: k, timeout: timeout, isSkipped: isSkipped}
}

// Read returns the next bytes of checked packets to paho. Its error is a *Fault if a packet is not allowed.
func (r *packetReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		packet, err := r.readPacket()
		if err != nil {
			r.link.recordEndTime()
			return 0, err
		}
		r.rest = packet
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// readPacket reads and checks one packet.
func (r *packetReader) readPacket() ([]byte, error) {
	if r.replacement != nil {
		return r.skipMessagePart()
	}
	r.buf = r.buf[:0]
	first, err := r.reader.ReadByte()
	if err != nil {
		return nil, err
	}
	if err := r.link.pace.chargeAndWait(1, 0); err != nil {
		return nil, err
	}
	r.buf = append(r.buf, first)
	size := 0
	for more := true; more; { // MQTT 3.1.1 section 2.2.3
		c, err := r.reader.ReadByte()
		if err != nil {
			return nil, err
		}
		if size |= int(c&0x7f) << (7 * (len(r.buf) - 1)); len(r.buf) == 4 && c >= 0x80 {
			return nil, &Fault{Kind: Malformed}
		}
		r.buf = append(r.buf, c)
		more = c >= 0x80
	}
	if size > MaxPacket {
		return r.skipOrRefuseOversize(first, size)
	}
	if !r.acceptBrokerPacket(first, size) {
		return nil, &Fault{Kind: Malformed, Size: size}
	}
	head := len(r.buf)
	r.buf = append(r.buf, make([]byte, size)...)
	body := r.buf[head:]
	if _, err := io.ReadFull(r.reader, body); err != nil {
		return nil, err
	}
	if first>>4 == packets.Publish && publishHeadSize(first, body) > size {
		return nil, &Fault{Kind: Malformed, Size: size}
	}
	return r.buf, nil
}

// acceptBrokerPacket reports whether a broker may now send a packet with this first byte and size to a client of QoS 1 (MQTT 3.1.1
// chapter 3). It remembers that the CONNACK has come.
func (r *packetReader) acceptBrokerPacket(first byte, size int) (isAllowed bool) {
	if kind, flags := first>>4, first&0x0f; kind != packets.Publish {
		want, known := map[byte]int{packets.Connack: 2, packets.Puback: 2,
			packets.Suback: 2 + int(r.link.filters.Load()), packets.Pingresp: 0}[kind]
		ok := known && flags == 0 && size == want && r.connected != (kind == packets.Connack)
		r.connected = r.connected || ok
		return ok
	}
	return r.connected && size >= publishHeadSize(first, nil) && first&0x06 <= 0x02
}

// publishHeadSize returns the size of topic and packet id of a PUBLISH, in bytes. Without a body it is the smallest possible one.
func publishHeadSize(first byte, body []byte) int {
	n := 2
	if len(body) >= 2 {
		n += int(binary.BigEndian.Uint16(body))
	}
	if first&0x06 != 0 {
		n += 2 // the packet id, at QoS 1
	}
	return n
}

// skipOrRefuseOversize reads the topic of a packet that is too large. It skips the packet if that topic is left out, else it returns a
// Fault.
func (r *packetReader) skipOrRefuseOversize(first byte, size int) ([]byte, error) {
	fault := &Fault{Kind: Oversize, Size: size}
	if first>>4 != packets.Publish || !r.connected {
		return nil, fault
	}
	_ = r.SetReadDeadline(time.Now().Add(r.timeout)) // if this fails, the keepalive ends a stalled connection
	var length, id [2]byte
	if _, err := io.ReadFull(r.reader, length[:]); err != nil || publishHeadSize(first, length[:]) > size {
		return nil, fault
	}
	long := int(binary.BigEndian.Uint16(length[:]))
	topic := make([]byte, min(long, maxTopic))
	if _, err := io.ReadFull(r.reader, topic); err != nil {
		return nil, fault
	}
	fault.key, fault.Topic = string(topic), ownfile.VisibleText(string(topic), maxShown)
	if !r.isSkipped(fault.key) {
		return nil, fault
	}
	if _, err := r.reader.Discard(long - len(topic)); err != nil {
		return nil, err
	}
	instead := []byte{first, 2, 0, 0} // a message without topic and payload, which paho acknowledges
	if r.toSkip = size - publishHeadSize(first, length[:]); first&0x06 != 0 {
		if _, err := io.ReadFull(r.reader, id[:]); err != nil {
			return nil, err
		}
		instead = append(instead, id[:]...)
		instead[1] = 4
	}
	_ = r.SetReadDeadline(time.Time{})
	r.replacement = instead
	r.link.skipping.Store(true)
	return r.skipMessagePart()
}

// skipMessagePart drops bytes of a message for about a second, and then returns an answer to paho's ping: the broker is alive, but cannot
// answer before it has sent its message. After the last byte it returns the replacement of the message.
func (r *packetReader) skipMessagePart() ([]byte, error) {
	for began := time.Now(); r.toSkip > 0; {
		n, err := r.reader.Discard(min(r.toSkip, MaxPacket))
		if r.toSkip -= n; err != nil {
			return nil, err
		}
		if time.Since(began) > time.Second {
			return []byte{packets.Pingresp << 4, 0}, nil
		}
	}
	packet := r.replacement
	r.replacement = nil
	r.link.skipping.Store(false)
	return packet, nil
}
