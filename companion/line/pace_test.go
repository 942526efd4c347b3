package line

import (
	"bytes"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// repeatingConn is a connection to a broker that sends the same bytes without end.
type repeatingConn struct {
	net.Conn
	again []byte
	rest  []byte
}

func (f *repeatingConn) Read(b []byte) (n int, err error) {
	if len(f.rest) == 0 {
		f.rest = f.again
	}
	n = copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// readAll reads at most so many packets of a repeatingConn, until the connection ends.
func readAll(p *pace, again []byte, most int) (n int, err error) {
	k := &link{pace: p}
	r := newPacketReader(&pacedConn{Conn: &repeatingConn{again: again, rest: []byte{packets.Connack << 4, 2, 0, 0}}, pace: p}, k,
		time.Second, func(string) bool { return false })
	for ; n < most; n++ {
		if _, err := packets.ReadPacket(r); err != nil {
			return n, err
		}
	}
	return n, nil
}

// encodePublish returns a PUBLISH packet at QoS 0.
func encodePublish(size int) []byte {
	m := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	m.TopicName, m.Payload = "u/a", make([]byte, size)
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestAFloodIsHeldBack checks that after a burst a broker is read at a limited rate, whatever it sends, and that the line ends
// when the flood does not stop.
func TestAFloodIsHeldBack(t *testing.T) {
	for what, packet := range map[string][]byte{
		"answers to pings": {packets.Pingresp << 4, 0},
		"small messages":   encodePublish(9),
		"large messages":   encodePublish(64_000),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := newPace()
			p.maxFlood = time.Second
			began := time.Now()
			n, err := readAll(p, packet, 1<<30)
			var fault *Fault
			if !errors.As(err, &fault) || fault.Kind != Flood || !p.isFlooding() {
				t.Fatalf("the connection ends after %d packets with %v", n, err)
			}
			took := time.Since(began).Seconds() + minSleep.Seconds()
			if most := packetBurst + packetRate*took; float64(n) > most {
				t.Errorf("%d packets in %.2f s, at most %.0f", n, took, most)
			}
			if most := byteBurst + byteRate*took + 64<<10; float64(n*len(packet)) > most {
				t.Errorf("%d bytes in %.2f s, at most %.0f", n*len(packet), took, most)
			}
		})
	}
}

// TestABurstIsNoFlood checks that everything that 300 tables retain at a broker is read at once, and again after a rest.
func TestABurstIsNoFlood(t *testing.T) {
	const tables = 300
	p := newPace()
	for range 2 {
		n, err := readAll(p,
			bytes.Join([][]byte{encodePublish(33 << 10), encodePublish(2 << 10), encodePublish(1 << 10), encodePublish(6)}, nil), 4*tables)
		if err != nil || n != 4*tables {
			t.Fatalf("%d packets: %v", n, err)
		}
		if p.isFlooding() || !p.slowedAt.IsZero() {
			t.Error("the burst is held back")
		}
		p.mu.Lock() // ten seconds go by
		p.packets.TakeIntoDebt(-packetBurst, time.Now())
		p.bytes.TakeIntoDebt(-byteBurst, time.Now())
		p.mu.Unlock()
	}
}

// TestAFloodIsNamed checks that a line that cannot work because its broker sends without end gives the flood as the reason.
func TestAFloodIsNamed(t *testing.T) {
	many := bytes.Repeat(encodePublish(9), 1000)
	f := newFakeBroker(t, func(k *client, n int) {
		for k.send(many) == nil {
		}
	})
	l := startLine(t, "mqtt://"+f.at, func(o *Opts) { o.Timeout = 500 * time.Millisecond })
	eventually(t, "the flood is not counted", func() bool { return l.Status().Counts[Flood] > 0 })
	if s := l.Status(); s.Reason != Flood || s.Connected || s.CountLeftOut() > 0 {
		t.Errorf("%+v", s)
	}
}
