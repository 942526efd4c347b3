package simstrip

import (
	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// Sink is a port that discards everything at no cost, to measure the time of a driver.
type Sink struct{}

func (Sink) String() string                                              { return "sink" }
func (s Sink) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return s, nil }
func (Sink) LimitSpeed(physic.Frequency) error                           { return nil }
func (Sink) Close() error                                                { return nil }
func (Sink) Tx(_, _ []byte) error                                        { return nil }
func (Sink) TxPackets([]spi.Packet) error                                { return nil }
func (Sink) Duplex() conn.Duplex                                         { return conn.Full }
