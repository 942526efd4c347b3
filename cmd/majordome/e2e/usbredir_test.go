package e2e_test

import (
	"bytes"
	bin "encoding/binary"
	"errors"
	"io"
	"net"
	"slices"

	"periph.io/x/conn/v3/i2c"
)

// busAdapter is an I2C bus at a USB plug of the emulated machine: the adapter i2c-tiny-usb, which the driver of
// Debian's kernel knows, simulated here and connected to QEMU with the usbredir protocol
// (usb-redirection-protocol.md, 0.7).
type busAdapter struct {
	bus  i2c.Bus
	conn net.Conn
	nack bool // whether the last address was not acknowledged
}

// Messages of usbredir.
const (
	redirHello        = 0
	redirConnect      = 1
	redirInterfaces   = 4
	redirEndpoints    = 5
	redirSetConfig    = 6
	redirConfigStatus = 8
	redirSetAlt       = 9
	redirAltStatus    = 11
	redirControl      = 100
	redirStall        = 4 // a status
)

// redirHead precedes each message; the answer repeats its number. The head of a hello is four bytes shorter.
type redirHead struct {
	Type, Length uint32
	ID           uint64
}

// redirCan are the capabilities that QEMU requires behind its XHCI: the version of the device, packet lengths, 64-bit
// numbers and 32-bit lengths.
const redirCan = uint32(1<<1 | 1<<4 | 1<<5 | 1<<6)

// redirRequest is a control transfer, without its data.
type redirRequest struct {
	Endpoint, Request, RequestType, Status uint8
	Value, Index, Length                   uint16
}

// Descriptors of the device: one interface, and no endpoint but the control endpoint.
var (
	deviceDescriptor = []byte{18, 1, 0x10, 0x01, 0xFF, 0, 0, 8, 0x40, 0x1C, 0x34, 0x05, 0x05, 0x02, 0, 0, 0, 1}
	configDescriptor = []byte{9, 2, 18, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 0, 0xFF, 0, 0, 0}
)

// plugBus plugs an I2C bus in.
func (c *card) plugBus(bus i2c.Bus) {
	c.t.Helper()
	conn := c.line("bus")()
	ended := make(chan error, 1)
	go func() { ended <- (&busAdapter{bus: bus, conn: conn}).serve() }()
	c.t.Cleanup(func() {
		_ = conn.Close()
		c.t.Logf("the adapter of the bus has ended: %v", <-ended)
	})
	c.order("device_add", map[string]any{"driver": "usb-redir", "chardev": "bus", "id": "bus"})
}

func (a *busAdapter) sendMessage(kind uint32, id uint64, parts ...any) error {
	var body bytes.Buffer
	for _, p := range parts {
		_ = bin.Write(&body, bin.LittleEndian, p)
	}
	return errors.Join(bin.Write(a.conn, bin.LittleEndian, redirHead{kind, uint32(body.Len()), id}),
		bin.Write(a.conn, bin.LittleEndian, body.Bytes()))
}

// greet exchanges the hello messages.
func (a *busAdapter) greet() error {
	name := [64]byte{}
	copy(name[:], "an I2C bus of the tests")
	hello := [3]uint32{redirHello, uint32(len(name)) + 4}
	if err := errors.Join(bin.Write(a.conn, bin.LittleEndian, hello), bin.Write(a.conn, bin.LittleEndian, name),
		bin.Write(a.conn, bin.LittleEndian, redirCan)); err != nil {
		return err
	}
	if err := bin.Read(a.conn, bin.LittleEndian, &hello); err != nil {
		return err
	}
	_, err := io.CopyN(io.Discard, a.conn, int64(hello[1]))
	return err
}

func (a *busAdapter) serve() error {
	var none [32]byte
	var endpoints [32]byte // those of number 0 are control
	for i := range endpoints {
		if i%16 != 0 {
			endpoints[i] = 255
		}
	}
	if err := errors.Join(a.greet(),
		a.sendMessage(redirInterfaces, 0, uint32(1), none, [32]byte{0xFF}, none, none),
		a.sendMessage(redirEndpoints, 0, endpoints, none, none, [32]uint16{0: 8, 16: 8}),
		a.sendMessage(redirConnect, 0, []byte{1 /* full speed */, 0xFF, 0, 0}, uint16(0x1C40), uint16(0x0534),
			uint16(0x0205))); err != nil {
		return err
	}
	for {
		var h redirHead
		if err := bin.Read(a.conn, bin.LittleEndian, &h); err != nil {
			return err
		}
		body := make([]byte, h.Length)
		if _, err := io.ReadFull(a.conn, body); err != nil {
			return err
		}
		var err error
		switch h.Type {
		case redirSetConfig:
			err = a.sendMessage(redirConfigStatus, h.ID, []byte{0, body[0]})
		case redirSetAlt:
			err = a.sendMessage(redirAltStatus, h.ID, []byte{0, body[0], body[1]})
		case redirControl:
			var r redirRequest
			n, _ := bin.Decode(body, bin.LittleEndian, &r)
			answer, ok := a.control(r, body[n:])
			if r.Status = 0; !ok { // a request may have any status
				r.Status = redirStall
			}
			if r.RequestType&0x80 != 0 {
				r.Length = uint16(len(answer))
			}
			err = a.sendMessage(redirControl, h.ID, r, answer)
		}
		if err != nil {
			return err
		}
	}
}

// control answers a control transfer; false is a stall.
func (a *busAdapter) control(r redirRequest, w []byte) (answer []byte, ok bool) {
	switch {
	case r.RequestType == 0x80 && r.Request == 6: // GET_DESCRIPTOR
		d := map[uint16][]byte{0x0100: deviceDescriptor, 0x0200: configDescriptor}[r.Value]
		return d[:min(len(d), int(r.Length))], d != nil
	case r.RequestType&0x60 != 0x40: // QEMU answers the other standard requests
		return nil, false
	case r.Request == 1: // its capabilities: plain I2C messages
		return bin.LittleEndian.AppendUint32(nil, 1), true
	case r.Request == 2: // the speed of the bus
		return nil, true
	case r.Request == 3: // the state of the last message: 1 acknowledged, 2 not
		if a.nack {
			return []byte{2}, true
		}
		return []byte{1}, true
	case r.Request&^3 == 4: // a message to the address in Index, or from it
		if r.RequestType&0x80 != 0 {
			answer = slices.Repeat([]byte{0xFF}, int(r.Length)) // a bus that no device pulls low
		}
		a.nack = a.bus.Tx(r.Index, w, answer) != nil
		return answer, true
	}
	return nil, false
}
