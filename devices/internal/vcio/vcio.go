// Package vcio asks the firmware of a Raspberry Pi about its clocks, through the property interface of its
// mailbox (/dev/vcio, raspberrypi/firmware wiki, "Mailbox property interface").
//
// Leaks: nothing. Limits: one question has 32 bytes and is answered within a millisecond.
package vcio

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"periph.io/x/conn/v3/physic"
)

// Core is the number of the core clock, from which the SPI clock of every Raspberry Pi up to the 4 is derived.
const Core = 4

// Tags of the property interface.
const (
	TagMax = 0x00030004 // the highest allowed rate of a clock
	TagMin = 0x00030007 // the lowest allowed rate
)

// answered is the bit that the firmware sets in an answer.
const answered = 1 << 31

// Message is a question about a clock, and then its answer: size, code, tag, size and code of the tag, clock,
// rate, end.
type Message [8]uint32

// NewClockQuestion makes the question of a tag about a clock.
func NewClockQuestion(tag, clock uint32) Message { return Message{32, 0, tag, 8, 0, clock, 0, 0} }

// Rate returns the rate in the answer.
func (m *Message) Rate() (physic.Frequency, error) {
	if m[1] != answered || m[4]&answered == 0 || m[6] == 0 {
		return 0, fmt.Errorf("vcio: the firmware does not answer %#x of clock %d", m[2], m[5])
	}
	return physic.Frequency(m[6]) * physic.Hertz, nil
}

// Mailbox sends a message to the firmware and replaces it by the answer.
type Mailbox func(*Message) error

// ClockRange returns the lowest and the highest rate that a clock may have.
func (send Mailbox) ClockRange(clock uint32) (least, most physic.Frequency, err error) {
	rate := func(tag uint32) (physic.Frequency, error) {
		m := NewClockQuestion(tag, clock)
		if err := send(&m); err != nil {
			return 0, err
		}
		return m.Rate()
	}
	least, errLeast := rate(TagMin)
	most, errMost := rate(TagMax)
	return least, most, errors.Join(errLeast, errMost)
}

// BoardModel returns the model that this computer reports, such as "Raspberry Pi 4 Model B Rev 1.4"; empty if
// it reports none.
func BoardModel() string {
	b, err := os.ReadFile("/proc/device-tree/model")
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(b), "\x00\n")
}
