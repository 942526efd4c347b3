package node

import (
	"encoding/binary"
	"os"
	"sync"
	"testing"

	"majordome/devices"
)

// fake is a node without a chip: it speaks the protocol over a file, and a test plays the cards and buttons that it sees.
type fake struct {
	t testing.TB

	mu      sync.Mutex
	line    *os.File // nil: unplugged
	dec     Decoder
	version byte
	boots   uint16
	session uint16
	taken   uint16
	pixels  int
	minor   byte // of the firmware
	px      [3 * MaxPixels]byte
	parts   [3 * MaxPixels]byte
	mixed   bool // the frame on the strip has parts
	shows   int
	config  [configSize]byte
	kept    [][]byte // events, beginning with number first
	first   uint16
	tags    [MaxReaders][]devices.Tag
	lost    int // number of SHOW to answer with 0
}

func newFake(t testing.TB) *fake {
	c := Config{Name: "urn", Select: [4]Pin{10, 9}, Strip: WS2812GRB, Pixels: 40, Data: 6, Gain: 38}
	return &fake{t: t, version: Version, boots: 1, pixels: 40, config: c.encodeBytes()}
}

// plug connects a line, and restarts the node if power is true.
func (f *fake) plug(line *os.File, power bool) {
	f.mu.Lock()
	f.line, f.dec = line, Decoder{}
	if power {
		f.boots++
		f.session, f.taken, f.kept, f.first, f.px = 0, 0, nil, 0, [3 * MaxPixels]byte{}
		f.hello(0)
	}
	f.mu.Unlock()
	go func() {
		buf := make([]byte, 256)
		for {
			n, err := line.Read(buf)
			if err != nil {
				return
			}
			f.mu.Lock()
			for _, b := range buf[:n] {
				f.taken++
				if body, ok := f.dec.DecodeByte(b); ok {
					f.message(body)
				}
			}
			f.sendMessage(typeCredit, byte(f.taken), byte(f.taken>>8))
			f.mu.Unlock()
		}
	}()
}

func (f *fake) unplug() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.line = nil
}

func (f *fake) sendMessage(kind byte, payload ...byte) {
	if f.line != nil {
		_, _ = f.line.Write(AppendFrame(nil, append([]byte{kind}, payload...)))
	}
}

func (f *fake) hello(nonce byte) { f.sendMessage(typeHello, f.helloBody(nonce)...) }

// helloBody is the contents of a HELLO.
func (f *fake) helloBody(nonce byte) []byte {
	p := make([]byte, helloSize, helloSize+MaxName)
	le := binary.LittleEndian
	p[0], p[1] = f.version, nonce
	le.PutUint16(p[2:], f.session)
	le.PutUint16(p[4:], f.boots)
	le.PutUint16(p[10:], f.taken)
	p[12], p[13], p[14], p[15], p[16], p[17], p[18] = 127, byte(CausePower), 1, f.minor, 3, 0x92, 0x92
	p[21], p[22] = byte(WS2812GRB), byte(f.pixels)
	le.PutUint16(p[26:], f.first)
	p[28] = 3
	return append(p, "urn"...)
}

func (f *fake) message(b []byte) {
	switch b[0] {
	case typeAsk:
		if session := binary.LittleEndian.Uint16(b[3:]); b[1] == f.version && session != f.session {
			f.session, f.kept, f.first = session, nil, 0
			for i := range 2 {
				f.event(kindBack, i, len(f.tags[i]) > 0, nil)
				for k, tag := range f.tags[i] {
					f.event(kindArrived, i, k+1 < len(f.tags[i]), &tag)
				}
			}
		}
		f.hello(b[2])
		f.resend()
	case typeAck:
		if n := binary.LittleEndian.Uint16(b[2:]) - f.first; b[1] == byte(f.boots+f.session) && int(n) <= len(f.kept) {
			f.first += n
			f.kept = f.kept[n:]
		}
	case typePixels:
		copy(f.px[3*int(b[1]):], b[2:])
	case typeFine:
		for i, at := 2, 3*int(b[1]); i < len(b) && f.minor > 0; i, at = i+6, at+3 {
			copy(f.px[at:], b[i:i+3])
			copy(f.parts[at:], b[i+3:i+6])
		}
	case typeShow:
		crc := crc16(0xFFFF, f.px[:3*f.pixels])
		if f.mixed = len(b) > 4 && b[4] == showParts; f.mixed {
			crc = crc16(crc, f.parts[:3*f.pixels])
		}
		good := crc == binary.LittleEndian.Uint16(b[2:]) && f.lost == 0
		if f.lost = max(0, f.lost-1); good {
			f.shows++
			f.sendMessage(typeShown, b[1], 1)
		} else {
			f.sendMessage(typeShown, b[1], 0)
		}
	case typeGet:
		f.sendMessage(typeConfig, append([]byte{0}, f.config[:]...)...)
	case typeSet:
		copy(f.config[:], b[1:])
		f.sendMessage(typeConfig, append([]byte{0}, f.config[:]...)...)
	}
}

func (f *fake) event(kind byte, index int, more bool, tag *devices.Tag) {
	what := kind | byte(index)<<4
	if more {
		what |= moreFlag
	}
	number := f.first + uint16(len(f.kept))
	p := []byte{byte(f.boots + f.session), byte(number), byte(number >> 8), 0, 0, 0, 0, what}
	if tag != nil {
		p = append(append(p, tag.SAK), tag.UID.Bytes()...)
	}
	f.kept = append(f.kept, p)
}

func (f *fake) resend() {
	for _, p := range f.kept {
		f.sendMessage(typeEvent, p...)
	}
}

// placeTag puts a tag on a reader, removeTag takes it away. The node stores the event until it is asked.
func (f *fake) placeTag(reader int, tag devices.Tag) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tags[reader] = append(f.tags[reader], tag)
	f.sendEvent(kindArrived, reader, &tag)
}

func (f *fake) removeTag(reader int, tag devices.Tag) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tags[reader] = nil
	f.sendEvent(kindLeft, reader, &tag)
}

// sendEvent sends one event that is not joined with the next.
func (f *fake) sendEvent(kind byte, index int, tag *devices.Tag) {
	if f.session == 0 {
		return
	}
	f.event(kind, index, false, tag)
	f.resend()
}

func (f *fake) press(button int, kind byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sendEvent(kind, button, nil)
}
