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

// MaxPacket bounds one packet of a broker, in bytes after its fixed header. All that a table subscribes to is smaller.
const MaxPacket = 64 << 10

const (
	maxTopic = 256 // bytes of the topic that are read of a packet that is too large
	maxShown = 80  // characters of a topic in Fault and Message
)

// Kinds of a Fault, which are reasons in Status, too.
const (
	Oversize  = "oversize"  // a packet of more than MaxPacket
	Malformed = "malformed" // a packet that is none of MQTT 3.1.1, or that no broker may send to a line; see Flood, too
)

// Fault is a packet of the broker that ends the connection.
type Fault struct {
	Kind  string
	Topic string // of a message, fit to be shown; "" where it is none, or its topic cannot be read
	Size  int    // bytes after the fixed header, as the header claims; 0 where it cannot be read
	key   string // the topic as it came, to know the message again
}

// Error names kind, topic and size.
func (f *Fault) Error() string {
	return fmt.Sprintf("line: %s packet of %d bytes, topic %q", f.Kind, f.Size, f.Topic)
}

// packetReader is a connection to a broker that checks each packet before paho reads it: paho makes room for as many bytes as a
// header claims (up to 268,435,455), keeps messages of QoS 2, and panics on an acknowledgement of more filters than it has sent.
//
// Invariants:
//  1. No more than MaxPacket and a few bytes of the connection are held at a time.
//  2. paho reads whole packets alone, of the types CONNACK (first, once), PUBLISH at QoS 0 or 1, PUBACK, SUBACK and PINGRESP.
type packetReader struct {
	net.Conn
	in      *bufio.Reader
	link    *link
	timeout time.Duration           // for the topic of a message that is too large
	leaves  func(topic string) bool // a message of that topic is passed over where it is too large

	buf     []byte // the packet being handed over; its memory is used again
	rest    []byte // what paho has not read of it
	skip    int    // bytes of a message that are still to be passed over
	instead []byte // packet that paho reads in the place of that message
	begun   bool   // the CONNACK has come
}

func newPacketReader(conn net.Conn, k *link, timeout time.Duration, leaves func(topic string) bool) *packetReader {
	return &packetReader{Conn: conn, in: bufio.NewReaderSize(conn, 4<<10), link: k, timeout: timeout, leaves: leaves}
}

// Read gives paho the next bytes of packets that have passed. Its error is a *Fault where one has not.
func (r *packetReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		packet, err := r.next()
		if err != nil {
			r.link.note()
			return 0, err
		}
		r.rest = packet
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// next reads and checks one packet.
func (r *packetReader) next() ([]byte, error) {
	if r.instead != nil {
		return r.passOver()
	}
	r.buf = r.buf[:0]
	first, err := r.in.ReadByte()
	if err != nil {
		return nil, err
	}
	if err := r.link.pace.charge(1, 0); err != nil {
		return nil, err
	}
	r.buf = append(r.buf, first)
	size := 0
	for more := true; more; { // MQTT 3.1.1 section 2.2.3
		c, err := r.in.ReadByte()
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
		return r.oversize(first, size)
	}
	if !r.expects(first, size) {
		return nil, &Fault{Kind: Malformed, Size: size}
	}
	head := len(r.buf)
	r.buf = append(r.buf, make([]byte, size)...)
	body := r.buf[head:]
	if _, err := io.ReadFull(r.in, body); err != nil {
		return nil, err
	}
	if first>>4 == packets.Publish && publishHead(first, body) > size {
		return nil, &Fault{Kind: Malformed, Size: size}
	}
	return r.buf, nil
}

// expects reports a packet that a broker may send to a client of QoS 1, by its first byte and size (MQTT 3.1.1 chapter 3).
func (r *packetReader) expects(first byte, size int) bool {
	if kind, flags := first>>4, first&0x0f; kind != packets.Publish {
		want, known := map[byte]int{packets.Connack: 2, packets.Puback: 2, packets.Suback: 2 + int(r.link.filters.Load()), packets.Pingresp: 0}[kind]
		ok := known && flags == 0 && size == want && r.begun != (kind == packets.Connack)
		r.begun = r.begun || ok
		return ok
	}
	return r.begun && size >= publishHead(first, nil) && first&0x06 <= 0x02
}

// publishHead is how long topic and packet id of a PUBLISH are, in bytes; of no body the shortest.
func publishHead(first byte, body []byte) int {
	n := 2
	if len(body) >= 2 {
		n += int(binary.BigEndian.Uint16(body))
	}
	if first&0x06 != 0 {
		n += 2 // the packet id, at QoS 1
	}
	return n
}

// oversize reads of a packet that is too large whose it is, and passes over it where that topic is left out.
func (r *packetReader) oversize(first byte, size int) ([]byte, error) {
	fault := &Fault{Kind: Oversize, Size: size}
	if first>>4 != packets.Publish || !r.begun {
		return nil, fault
	}
	_ = r.SetReadDeadline(time.Now().Add(r.timeout)) // a socket takes it; else the keepalive ends this
	var length, id [2]byte
	if _, err := io.ReadFull(r.in, length[:]); err != nil || publishHead(first, length[:]) > size {
		return nil, fault
	}
	long := int(binary.BigEndian.Uint16(length[:]))
	topic := make([]byte, min(long, maxTopic))
	if _, err := io.ReadFull(r.in, topic); err != nil {
		return nil, fault
	}
	fault.key, fault.Topic = string(topic), ownfile.Visible(string(topic), maxShown)
	if !r.leaves(fault.key) {
		return nil, fault
	}
	if _, err := r.in.Discard(long - len(topic)); err != nil {
		return nil, err
	}
	instead := []byte{first, 2, 0, 0} // a message of no topic and no payload, which paho acknowledges
	if r.skip = size - publishHead(first, length[:]); first&0x06 != 0 {
		if _, err := io.ReadFull(r.in, id[:]); err != nil {
			return nil, err
		}
		instead = append(instead, id[:]...)
		instead[1] = 4
	}
	_ = r.SetReadDeadline(time.Time{})
	r.instead = instead
	r.link.passing.Store(true)
	return r.passOver()
}

// passOver drops bytes of a message for about a second, and then gives paho an answer to its ping: the broker is there, and cannot
// answer before it has sent its message.
func (r *packetReader) passOver() ([]byte, error) {
	for began := time.Now(); r.skip > 0; {
		n, err := r.in.Discard(min(r.skip, MaxPacket))
		if r.skip -= n; err != nil {
			return nil, err
		}
		if time.Since(began) > time.Second {
			return []byte{packets.Pingresp << 4, 0}, nil
		}
	}
	packet := r.instead
	r.instead = nil
	r.link.passing.Store(false)
	return packet, nil
}
