// Package vcio asks the firmware of a Raspberry Pi about its clocks, by the property interface of its mailbox
// (/dev/vcio, raspberrypi/firmware wiki, "Mailbox property interface").
//
// Leaks: nothing. Limits: one question is 32 bytes and answered within a millisecond.
package vcio

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"periph.io/x/conn/v3/physic"
)

// Core is the clock of the core, which the SPI of every Raspberry Pi up to the 4 follows.
const Core = 4

// Tags of the property interface.
const (
	TagMax = 0x00030004 // the fastest that a clock is allowed, and
	TagMin = 0x00030007 // the slowest
)

// answered is the bit that the firmware sets in what it has answered.
const answered = 1 << 31

// Message is a question about a clock, and then its answer: size, code, tag, size and code of the tag, clock, rate, end.
type Message [8]uint32

// Ask makes the question.
func Ask(tag, clock uint32) Message { return Message{32, 0, tag, 8, 0, clock, 0, 0} }

// Rate is the answer.
func (m *Message) Rate() (physic.Frequency, error) {
	if m[1] != answered || m[4]&answered == 0 || m[6] == 0 {
		return 0, fmt.Errorf("vcio: the firmware does not answer %#x of clock %d", m[2], m[5])
	}
	return physic.Frequency(m[6]) * physic.Hertz, nil
}

// Mailbox carries a message to the firmware and brings it back.
type Mailbox func(*Message) error

// Range is the slowest and the fastest that a clock may become.
func (send Mailbox) Range(clock uint32) (least, most physic.Frequency, err error) {
	rate := func(tag uint32) (physic.Frequency, error) {
		m := Ask(tag, clock)
		if err := send(&m); err != nil {
			return 0, err
		}
		return m.Rate()
	}
	least, errLeast := rate(TagMin)
	most, errMost := rate(TagMax)
	return least, most, errors.Join(errLeast, errMost)
}

// Model is what this computer says it is, such as "Raspberry Pi 4 Model B Rev 1.4"; empty if it does not say.
func Model() string {
	b, err := os.ReadFile("/proc/device-tree/model")
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(b), "\x00\n")
}
