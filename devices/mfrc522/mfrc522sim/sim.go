package mfrc522sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/devices"
	"majordome/devices/internal/pace"
	"periph.io/x/conn/v3/physic"
)

const maxTags = 64

// Opts sets up a simulator. The zero value is a working NXP chip in a quiet field, on a virtual clock; a
// transfer costs 20 µs and the clocking of its bytes.
type Opts struct {
	// Clock gives the time; nil means a virtual one at zero.
	Clock pace.Clock
	// Transfer is the fixed cost of one SPI transfer; 0 means 20 µs. The clocking of the bytes comes on top, at
	// the speed that the driver asked for.
	Transfer time.Duration
	// Boot is the time from power to the first answer of a tag without its own value; 0 means 1 ms. ISO/IEC
	// 14443-3 allows 5 ms.
	Boot time.Duration
	// Reset is the time that the chip needs to start after a reset or without power; 0 means 10 ms.
	Reset time.Duration
	// Maker is the maker of the chip, Version its VersionReg; 0 means the usual one of that maker.
	Maker   Maker
	Version byte
	// Lenient allows behaviour that the data sheet does not promise; see the package comment. Reset is then
	// ignored.
	Lenient bool
	// Bus is shared with other chips; nil means a separate bus.
	Bus *Bus
	// Seed of everything random in the simulator.
	Seed uint64
}

// Noise is the set of disturbances of the air. The zero value is quiet.
type Noise struct {
	// BitErrors is the probability, per bit and in both directions, of a disturbance: the bit is flipped, met
	// by a false collision, or the last one of its frame.
	BitErrors float64
	// Bursts is the probability that the receiver reports an answer when no tag answers: a spark.
	Bursts float64
	// Stray is the probability that a receiver left open after silence receives a byte before the next command.
	// It stays in the FIFO and is sent unless the FIFO is flushed.
	Stray float64
}

// Stats counts transfers and bytes on the bus, and exchanges on the air.
type Stats struct{ Transfers, Bytes, Exchanges int }

// Sim is one simulated reader. Make it with New or NewRealtime.
//
// Invariants:
//  1. Time is only read; it moves by bus transfers and by the driver's sleep.
//  2. The answer to a frame is decided at StartSend and becomes visible in the registers at its time.
//  3. A tag without power is in IDLE.
//  4. Transceive sends again after an answer; after silence only when another command has ended it. StartSend
//     starts when it rises.
type Sim struct {
	clock     pace.Clock
	transfer  time.Duration
	boot      time.Duration
	version   byte
	maker     Maker
	lenient   bool
	sharedBus *Bus

	resetTime time.Duration
	deadUntil time.Duration // no supply until this time
	readyAt   time.Duration // the oscillator runs from this time on

	mu       sync.Mutex
	rng      *rand.Rand
	stats    Stats
	byteTime time.Duration // clocking of one byte; 0 in real time

	chipState
	field
	pins

	tags    []*tag
	noise   Noise
	air     *Air // nil: every tag is received perfectly
	corrupt []corruption
}

// chipState holds what the chip remembers without power to its antenna: registers, FIFO and the running command.
type chipState struct {
	reg       [64]byte
	fifo      [64]byte
	level     int // bytes in the FIFO
	command   byte
	pend      pending
	receiving bool // the receiver waits for an answer that never came
	sendBit   bool // StartSend is set
}

// field is the magnetic field of the coil.
type field struct {
	fieldOn    bool
	poweredAt  time.Duration // when the field came on
	radiates   atomic.Bool   // fieldOn, for the neighbours
	neighbours []*Sim        // readers whose coils are so close that their fields mix
}

// pins holds the state of the chip's wires and the faults that a test gave them.
type pins struct {
	inReset bool // NRSTPD is low
	hang    Hang
	busErr  error // transfers fail with this
	stuck   bool  // MISO is stuck at miso
	miso    byte
	irqLow  bool
	irqUsed bool
	edges   chan struct{}
}

// PlaceNear puts the coils of two readers so close together that neither receives a tag while the field of the
// other is on. Call it before either is used.
func (s *Sim) PlaceNear(o *Sim) {
	s.neighbours, o.neighbours = append(s.neighbours, o), append(o.neighbours, s)
}

// isJammed reports whether the field of a neighbour is on, so that no tag can be received.
func (s *Sim) isJammed() bool {
	return slices.ContainsFunc(s.neighbours, func(o *Sim) bool { return o.radiates.Load() })
}

// New makes a simulator on a virtual clock, or on the given one. A nil opts means the zero Opts.
func New(opts *Opts) *Sim {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Clock == nil {
		o.Clock = &pace.Virtual{}
	}
	if o.Transfer == 0 {
		o.Transfer = 20 * time.Microsecond
	}
	return newSim(&o, true)
}

// NewRealtime makes a simulator on the computer's clock. Transfers cost the time they take to run; Clock and
// Transfer of opts are not used.
func NewRealtime(opts *Opts) *Sim {
	var o Opts
	if opts != nil {
		o = *opts
	}
	o.Clock, o.Transfer = pace.NewReal(), 0
	return newSim(&o, false)
}

// newSim makes a simulator. clocked: the bytes of a transfer also cost time.
func newSim(o *Opts, clocked bool) *Sim {
	s := &Sim{clock: o.Clock, transfer: o.Transfer, boot: o.Boot, version: o.Version, maker: o.Maker, lenient: o.Lenient,
		sharedBus: o.Bus, resetTime: o.Reset, rng: rand.New(rand.NewPCG(o.Seed, 0x522)), pins: pins{edges: make(chan struct{}, 1)}}
	if s.boot == 0 {
		s.boot = time.Millisecond
	}
	if s.version == 0 {
		s.version = makers[s.maker].version
	}
	if s.resetTime == 0 {
		s.resetTime = 10 * time.Millisecond
	}
	if s.lenient {
		s.resetTime = 0
	}
	if clocked {
		s.setSpeed(4 * physic.MegaHertz)
	}
	s.resetChip(s.clock.Now())
	return s
}

// setSpeed sets the clock of the bus; 0 leaves it as it is.
func (s *Sim) setSpeed(f physic.Frequency) {
	if f > 0 {
		s.byteTime = 8 * f.Period()
	}
}

// Clock returns the clock of the simulator, for the driver.
func (s *Sim) Clock() pace.Clock { return s.clock }

// Stats returns the counters so far.
func (s *Sim) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// PlaceTag puts a tag without faults into the field at the given time of the simulator's clock, or now if that
// is past. It stays until RemoveTag.
func (s *Sim) PlaceTag(uid devices.UID, at time.Duration) error {
	return s.PlaceTags(Tag{UID: uid, Arrive: at})
}

// PlaceTags puts tags into the field, at the same moment unless they have other times. It places all or none.
// At most 64 fit.
func (s *Sim) PlaceTags(tags ...Tag) error {
	put := make([]*tag, len(tags))
	for i := range tags {
		var err error
		if put[i], err = newTag(&tags[i]); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	keep := s.tags[:0]
	for _, o := range s.tags {
		if o.leave == 0 || o.leave > now {
			keep = append(keep, o)
		}
	}
	s.tags = keep
	if len(s.tags)+len(put) > maxTags {
		return fmt.Errorf("mfrc522sim: %d tags in the field already: at most %d", len(s.tags), maxTags)
	}
	for i, n := range put {
		n.arrive = max(tags[i].Arrive, now)
		if tags[i].Stay > 0 {
			n.leave = n.arrive + tags[i].Stay
		}
		if n.boot == 0 {
			n.boot = s.boot
		}
		s.tags = append(s.tags, n)
	}
	return nil
}

// RemoveTag removes every tag with this identifier now.
func (s *Sim) RemoveTag(uid devices.UID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := s.tags[:0]
	for _, o := range s.tags {
		if o.uid != uid {
			keep = append(keep, o)
		}
	}
	s.tags = keep
}

// SetNoise sets the disturbances of the air from now on.
func (s *Sim) SetNoise(n Noise) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noise = n
}

// Damage is a way to damage one bit of an answer.
type Damage uint8

const (
	Flip    Damage = iota // the bit is received wrong
	Collide               // both values are received
	Cut                   // the answer ends before this bit
)

type corruption struct {
	answer, bit int
	damage      Damage
}

// CorruptBit damages one bit of a later answer. answer 0 is the next one that any tag gives, bit 0 its first
// bit.
func (s *Sim) CorruptBit(answer, bit int, d Damage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.corrupt = append(s.corrupt, corruption{answer, bit, d})
}

// Hang is a way for the chip to stop working while its registers still answer.
type Hang uint8

const (
	NoHang     Hang = iota
	SoftHang        // it sends nothing until a soft reset
	HardHang        // it sends nothing until NRSTPD was low, or its power was off
	BrownedOut      // its registers have fallen back to their reset values, once
)

// SetHang makes the chip hang, or lose its registers.
func (s *Sim) SetHang(h Hang) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h == BrownedOut {
		s.resetChip(s.clock.Now() + s.resetTime)
		return
	}
	s.hang, s.pend = h, pending{}
}

// BrownOut interrupts the chip's supply for a time: MISO reads 00 meanwhile, then the chip restarts.
func (s *Sim) BrownOut(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadUntil, s.hang = s.clock.Now()+d, NoHang
	s.resetChip(s.deadUntil + s.resetTime)
}

// Unplug disconnects the chip from bus and power. From now on MISO reads the given byte, 00 or FF.
func (s *Sim) Unplug(miso byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resetChip(0)
	s.stuck, s.miso = true, miso
}

// Plug connects the chip again, freshly powered.
func (s *Sim) Plug() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stuck, s.busErr, s.hang = false, nil, NoHang
	s.resetChip(s.clock.Now() + s.resetTime)
}

// FailBus makes every transfer fail with err until Plug, as when a USB adapter is gone.
func (s *Sim) FailBus(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resetChip(0)
	s.busErr = err
}
