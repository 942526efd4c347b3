package node

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"majordome/devices"
)

// Version is the protocol version of this package (firmware/PROTOCOL.md).
const Version = 1

// The most that a node can have; MaxName in bytes.
const (
	MaxReaders = 4
	MaxButtons = 4
	MaxPixels  = 120
	MaxName    = 16
)

// Message types. Bit 7 is set in messages of the node.
const (
	typeAsk    = 0x01
	typeAck    = 0x02
	typePixels = 0x03
	typeShow   = 0x04
	typeGet    = 0x05
	typeSet    = 0x06
	typeFine   = 0x07
	typeHello  = 0x81
	typeCredit = 0x82
	typeEvent  = 0x83
	typeShown  = 0x84
	typeConfig = 0x85
)

// Kinds of events.
const (
	kindArrived = 1
	kindLeft    = 2
	kindNoise   = 3
	kindQuiet   = 4
	kindLost    = 5
	kindBack    = 6
	kindDown    = 7
	kindUp      = 8

	moreFlag = 0x80
)

// bootloaderGuard is sent before an ASK as long as no node answers. A node ignores it. A boot loader, which
// listens at 115200 or 57600 baud, receives it as two characters from 80 on, which are no command; Optiboot
// then stops listening and starts the node. Without it, a part of an ASK might be read as a command.
var bootloaderGuard = []byte{0x7F, 0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xF0, 0xFF, 0xFF, 0xFF, 0xFF}

const (
	chunkPixels = 18 // pixels in one PIXELS
	chunkFine   = 10 // pixels in one FINE
	showParts   = 1  // in SHOW: the frame has parts
	configSize  = 32
)

// Cause is the reason of a start, as the bits of the chip's MCUSR. It is zero if a boot loader has cleared
// them.
type Cause uint8

const (
	CausePower    Cause = 1 << iota // the supply was switched on
	CauseReset                      // the reset pin: a button, or the serial adapter
	CauseBrownOut                   // the supply was too low
	CauseWatchdog                   // the node hung, or was ordered to restart
)

// String returns the English names of the bits, for logs and for majordome doctor.
func (c Cause) String() string {
	var names []string
	for i, name := range []string{"power", "reset pin", "brown-out", "watchdog"} {
		if c>>i&1 != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "unknown"
	}
	return strings.Join(names, " and ")
}

// StripKind is the chip of the strip and the order of its colours.
type StripKind uint8

const (
	NoStrip   StripKind = iota
	WS2812GRB           // the usual order
	WS2812RGB
	APA102
)

// String returns the name of the chip.
func (k StripKind) String() string {
	switch k {
	case NoStrip:
		return "none"
	case WS2812GRB:
		return "WS2812"
	case WS2812RGB:
		return "WS2812 (red first)"
	case APA102:
		return "APA102"
	}
	return fmt.Sprintf("StripKind(%d)", uint8(k))
}

// Info is the state that a node reports in HELLO.
type Info struct {
	Version  uint8 // of the protocol
	Firmware [2]uint8
	Name     string
	Boots    uint16 // starts so far, modulo 65536
	Uptime   time.Duration
	Cause    Cause
	Readers  [MaxReaders]ReaderInfo
	Strip    StripKind
	Pixels   int
	Buttons  uint8  // bit n: button n is configured
	Lost     uint16 // received bytes that found no room, and broken frames, since the start
}

// canMixLight reports whether the node mixes light between two steps: from firmware 1.1 on, with strips short enough
// to leave room for the parts.
func (i *Info) canMixLight() bool {
	return (i.Firmware[0] > 1 || i.Firmware[0] == 1 && i.Firmware[1] >= 1) && 2*i.Pixels <= MaxPixels
}

// ReaderInfo is one reader of a node.
type ReaderInfo struct {
	Configured bool
	Chip       uint8 // its version register; 0: no answer
}

// helloMessage is Info and the fields of HELLO that only the link needs.
type helloMessage struct {
	Info
	nonce   uint8
	session uint16
	taken   uint16
	first   uint16 // number of the oldest event that is not acknowledged
	window  int
}

const helloSize = 29

// parseHello parses the payload of a HELLO. For another protocol version only Version and nonce are set.
func parseHello(p []byte) (h helloMessage, ok bool) {
	if len(p) < 2 {
		return h, false
	}
	h.Version, h.nonce = p[0], p[1]
	if h.Version != Version {
		return h, true
	}
	if len(p) < helloSize || int(p[28]) > MaxName || len(p) < helloSize+int(p[28]) || p[22] > MaxPixels {
		return h, false
	}
	le := binary.LittleEndian
	h.session, h.Boots = le.Uint16(p[2:]), le.Uint16(p[4:])
	h.Uptime = time.Duration(le.Uint32(p[6:])) * time.Millisecond
	h.taken, h.window = le.Uint16(p[10:]), int(p[12])
	h.Cause = Cause(p[13])
	h.Firmware = [2]uint8{p[14], p[15]}
	for i := range h.Readers {
		h.Readers[i] = ReaderInfo{Configured: p[16]>>i&1 != 0, Chip: p[17+i]}
	}
	h.Strip, h.Pixels, h.Buttons = StripKind(p[21]), int(p[22]), p[23]
	h.Lost = le.Uint16(p[24:])
	h.first = le.Uint16(p[26:])
	h.Name = printableASCII(p[helloSize:][:p[28]])
	return h, true
}

// printableASCII returns b without all bytes that are not printable ASCII.
func printableASCII(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7E {
			return -1
		}
		return r
	}, string(b))
}

// event is the content of one EVENT.
type event struct {
	stream uint8
	number uint16
	at     time.Duration // of the node's uptime
	kind   uint8
	index  int // reader or button
	more   bool
	tag    devices.Tag // of kindArrived and kindLeft
}

var errEvent = errors.New("an event that cannot be")

func parseEvent(p []byte) (e event, err error) {
	if len(p) < 8 {
		return e, errEvent
	}
	what := p[7]
	e = event{stream: p[0], number: binary.LittleEndian.Uint16(p[1:]),
		at:   time.Duration(binary.LittleEndian.Uint32(p[3:])) * time.Millisecond,
		kind: what & 0x0F, index: int(what >> 4 & 3), more: what&moreFlag != 0}
	if e.kind == kindArrived || e.kind == kindLeft {
		if len(p) < 9 {
			return e, errEvent
		}
		if e.tag.UID, err = devices.MakeUID(p[9:]); err != nil {
			return e, errEvent
		}
		e.tag.SAK = p[8]
	}
	return e, nil
}

// Pin is a digital pin by Arduino's number; 0 means that nothing is wired, because D0 is the line itself.
type Pin uint8

// String returns the name on the board: D10, A0.
func (p Pin) String() string {
	switch {
	case p == 0:
		return "no pin"
	case p >= 14:
		return fmt.Sprintf("A%d", p-14)
	}
	return fmt.Sprintf("D%d", p)
}

// ParsePin parses the name on the board. It does not check that a node can use the pin. Its error is a
// devices.Advice.
func ParsePin(text string) (Pin, error) {
	for p := Pin(1); p <= 19; p++ {
		if strings.EqualFold(p.String(), text) {
			return p, nil
		}
	}
	return 0, newAdvice("« %.20s » n’est pas une broche : écrivez D10 ou A0", "“%.20s” is no pin: write D10 or A0", text)
}

// newAdvice formats an Advice in both languages with the same values.
func newAdvice(fr, en string, args ...any) error {
	return devices.Advice{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

// Config is the configuration in the EEPROM of a node.
type Config struct {
	Name    string // at most 16 bytes of printable ASCII
	Select  [MaxReaders]Pin
	Strip   StripKind
	Pixels  int
	Data    Pin
	Clock   Pin // only for an APA102
	Buttons [MaxButtons]Pin
	Gain    int // of the readers in dB: 18, 23, 33, 38, 43 or 48
}

// Pins of the readers' bus, the same on every node.
const (
	MOSI Pin = 11
	MISO Pin = 12
	SCK  Pin = 13
)

// DefaultConfig returns the configuration of a node that was never configured.
func DefaultConfig() Config {
	return Config{
		Select: [MaxReaders]Pin{10, 9, 8, 7},
		Strip:  WS2812GRB, Pixels: 60, Data: 6,
		Buttons: [MaxButtons]Pin{14, 15, 16, 17},
		Gain:    38,
	}
}

var gains = map[int]byte{18: 2 << 4, 23: 3 << 4, 33: 4 << 4, 38: 5 << 4, 43: 6 << 4, 48: 7 << 4}

// Validate returns nil, or why the node would refuse the configuration: each fault is a devices.Advice.
func (c *Config) Validate() error {
	used := map[Pin]bool{}
	var errs []error
	checkPin := func(fr, en string, p Pin) {
		switch {
		case p == 0:
			errs = append(errs, newAdvice("%[1]s : aucune broche", "%[2]s: no pin", fr, en))
		case p < 2 || p > 19 || p > 10 && p < 14:
			errs = append(errs, newAdvice("%[1]s en %[3]s : il faut une broche de D2 à D10 ou de A0 à A5",
				"%[2]s at %[3]s: it must be one of D2 to D10 or A0 to A5", fr, en, p))
		case used[p]:
			errs = append(errs, newAdvice("%[1]s en %[3]s, qui est déjà prise", "%[2]s at %[3]s, which is already taken", fr, en, p))
		}
		used[p] = true
	}
	for i, p := range c.Select {
		if p != 0 {
			checkPin(fmt.Sprint("lecteur ", i), fmt.Sprint("reader ", i), p)
		}
	}
	for i, p := range c.Buttons {
		if p == ssPin {
			errs = append(errs, newAdvice("bouton %[1]d en %[2]s : le nœud pilote cette broche, "+
				"un bouton enfoncé la mettrait en court-circuit",
				"button %[1]d at %[2]s: the node drives this pin, a pressed button would short it", i, p))
		} else if p != 0 {
			checkPin(fmt.Sprint("bouton ", i), fmt.Sprint("button ", i), p)
		}
	}
	if c.Strip > APA102 {
		errs = append(errs, newAdvice("ruban de type %d : il n’existe pas", "strip of kind %d: there is none", uint8(c.Strip)))
	}
	if c.Strip != NoStrip {
		checkPin("données du ruban (--data)", "data of the strip (--data)", c.Data)
	}
	if c.Strip == APA102 {
		checkPin("horloge du ruban (--clock)", "clock of the strip (--clock)", c.Clock)
	}
	if c.Pixels < 0 || c.Pixels > MaxPixels {
		errs = append(errs, newAdvice("ruban de %d LED : %d au plus", "strip of %d LEDs: at most %d", c.Pixels, MaxPixels))
	}
	if len(c.Name) > MaxName || printableASCII([]byte(c.Name)) != c.Name {
		errs = append(errs, newAdvice("nom « %.40s » : au plus %d lettres sans accents",
			"name “%.40s”: at most %d letters without accents", c.Name, MaxName))
	}
	if gains[c.Gain] == 0 {
		errs = append(errs, newAdvice("gain de %d dB : il faut 18, 23, 33, 38, 43 ou 48",
			"gain of %d dB: it must be 18, 23, 33, 38, 43 or 48", c.Gain))
	}
	return errors.Join(errs...)
}

const noPin = 0xFF

// ssPin is D10, the pin SS of the ATmega328P. The node always drives it as an output (data sheet, 18.3.2).
const ssPin Pin = 10

// encodeBytes returns the configuration in the form of SET and CONFIG. It must have been checked.
func (c *Config) encodeBytes() (b [configSize]byte) {
	raw := func(p Pin) byte {
		if p == 0 {
			return noPin
		}
		return byte(p)
	}
	copy(b[:MaxName], c.Name)
	for i := range c.Select {
		b[16+i] = raw(c.Select[i])
	}
	b[20], b[21], b[22], b[23] = byte(c.Strip), byte(c.Pixels), raw(c.Data), raw(c.Clock)
	for i := range c.Buttons {
		b[24+i] = raw(c.Buttons[i])
	}
	b[28] = gains[c.Gain]
	return b
}

func parseConfig(b []byte) (c Config, ok bool) {
	if len(b) < configSize {
		return c, false
	}
	pin := func(v byte) Pin {
		if v == noPin {
			return 0
		}
		return Pin(v)
	}
	name, _, _ := strings.Cut(string(b[:MaxName]), "\x00")
	c = Config{Name: printableASCII([]byte(name)), Strip: StripKind(b[20]), Pixels: int(b[21]), Data: pin(b[22]), Clock: pin(b[23])}
	for i := range c.Select {
		c.Select[i] = pin(b[16+i])
	}
	for i := range c.Buttons {
		c.Buttons[i] = pin(b[24+i])
	}
	for dB, v := range gains {
		if v == b[28] {
			c.Gain = dB
		}
	}
	return c, true
}
