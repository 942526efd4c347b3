package mfrc522

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/internal/pace"
	"majordome/devices/iso14443"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// Clock gives the time to the driver; tests use a virtual one.
type Clock = pace.Clock

const (
	// MaxFrequency is the highest bus clock that the chip accepts.
	MaxFrequency     = 10 * physic.MegaHertz
	DefaultFrequency = 4 * physic.MegaHertz
	DefaultGain      = 38 // dB
)

// Opts sets up a reader. The zero value is for one reader on short wires.
type Opts struct {
	// Frequency of the bus, up to 10 MHz; 0 means 4 MHz. Long wires need 1 MHz.
	Frequency physic.Frequency
	// Gain of the receiver in dB: 18, 23, 33, 38, 43 or 48; 0 means 38. The
	// highest reads worse than the default on most antennas.
	Gain int
	// Reset is the pin wired to NRSTPD, nil if there is none.
	Reset gpio.PinOut
	// MaxTags is the most tags that one scan names, 1 to 16; 0 means 8.
	MaxTags int
	// HealthPeriod is the time between health checks; 0 means 250 ms.
	HealthPeriod time.Duration
	// Group is shared by readers whose coils are closer than about 10 cm; nil means no such neighbour.
	Group *Group
	// Clock gives the time; nil means the computer's.
	Clock Clock
}

// Group keeps readers whose coils are close together from having their fields on at once: each switches its own
// on for a scan and off again. That adds 5 ms to a scan, while the others wait: with two readers a card needs
// about 17 ms in the field, with four 28. A tag loses its power between scans, so ScanNew names a whole pile
// each time: no reader of an urn's slot belongs in a group. The zero value is ready.
type Group struct{ mu sync.Mutex }

// ErrNoChip reports that nothing answers on the bus: no power, no wire, no chip.
var ErrNoChip = errors.New("no MFRC522 answers on the bus")

var errHalted = errors.New("the reader is halted")

// Stats counts scans, exchanges and repairs of a reader.
type Stats struct {
	Scans      uint64
	Exchanges  uint64 // frames sent into the field
	Garbled    uint64 // answers that could not be used
	Collisions uint64 // answers of several tags at once
	Rewritten  uint64 // recovered by writing the registers again
	SoftResets uint64 // recovered by the reset command
	HardResets uint64 // recovered by the reset pin
	Failures   uint64 // not recovered
}

// Dev is one reader. Its methods are safe for concurrent use.
//
// Invariants:
//  1. While up, the registers have the values of setUpRegisters, and the field is on; in a group, only while the
//     group is locked.
//  2. If armed, the chip waits in Transceive with an empty FIFO.
//  3. After Halt the field is off and nothing is sent.
type Dev struct {
	conn   spi.Conn
	closer io.Closer // the port, if Open opened it
	opts   Opts
	gain   byte // RFCfgReg, the bits of gainMask
	iso    *iso14443.Reader
	clock  Clock

	mu       sync.Mutex
	up       bool
	armed    bool
	halted   bool
	ident    Identity
	healthAt time.Duration // last health check
	stats    Stats
	w, r     [24]byte
}

// New makes a reader on a port; opts may be nil. It fails on wrong options or a port that refuses, not on a
// missing chip: see Probe.
func New(p spi.Port, opts *Opts) (*Dev, error) {
	d := &Dev{}
	if opts != nil {
		d.opts = *opts
	}
	o := &d.opts
	if o.Frequency == 0 {
		o.Frequency = DefaultFrequency
	}
	if o.Frequency < 0 || o.Frequency > MaxFrequency {
		return nil, fmt.Errorf("mfrc522: %v on the bus: the chip takes at most 10 MHz", o.Frequency)
	}
	if o.Gain == 0 {
		o.Gain = DefaultGain
	}
	var ok bool
	if d.gain, ok = gainRegisterValue(o.Gain); !ok {
		return nil, fmt.Errorf("mfrc522: a gain of %d dB: it must be one of %v", o.Gain, gains)
	}
	if o.HealthPeriod == 0 {
		o.HealthPeriod = 250 * time.Millisecond
	}
	if o.HealthPeriod < 0 {
		return nil, fmt.Errorf("mfrc522: a health check every %v", o.HealthPeriod)
	}
	if d.clock = o.Clock; d.clock == nil {
		d.clock = pace.NewReal()
	}
	var err error
	if d.iso, err = iso14443.New((*transceiver)(d), &iso14443.Opts{MaxTags: o.MaxTags}); err != nil {
		return nil, fmt.Errorf("mfrc522: %w", err)
	}
	if d.conn, err = p.Connect(o.Frequency, spi.Mode0, 8); err != nil {
		return nil, fmt.Errorf("mfrc522: connecting to %s: %w", p, err)
	}
	return d, nil
}

// Gains returns the possible gains of the receiver, in dB.
func Gains() []int { return slices.Clone(gains) }

// gains are the possible gains in dB. Their values in RFCfgReg, bits 6 to 4, are 2 and up (data sheet, table
// 98).
var gains = []int{18, 23, 33, 38, 43, 48}

// gainRegisterValue returns the value of RFCfgReg for a gain; ok is false if the chip does not have that gain.
func gainRegisterValue(dB int) (reg byte, ok bool) {
	i := slices.Index(gains, dB)
	return byte(i+2) << 4, i >= 0
}

// String implements conn.Resource.
func (d *Dev) String() string { return fmt.Sprintf("MFRC522(%s)", d.conn) }

// Scan implements devices.Scanner. With devices.ErrNoise it still returns the tags that could be read. It
// repairs a chip that hangs or has lost its registers; any error other than noise and that of ctx means that it
// could not.
func (d *Dev) Scan(ctx context.Context) ([]devices.Tag, error) {
	return d.scanWith(ctx, d.iso.Inventory)
}

// ScanNew implements devices.PileScanner. The first call after a repair names all tags, because they lost their
// power.
func (d *Dev) ScanNew(ctx context.Context) ([]devices.Tag, error) {
	return d.scanWith(ctx, d.iso.ListArrivals)
}

// scanWith prepares the chip and calls inventory; after a failure of the chip it repairs it and tries once more.
func (d *Dev) scanWith(ctx context.Context, inventory func(context.Context) ([]devices.Tag, error)) ([]devices.Tag, error) {
	defer d.waitForGroupTurn()()
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.switchFieldOff()
	if err := d.prepareScan(ctx); err != nil {
		return nil, err
	}
	d.stats.Scans++
	tags, err := inventory(ctx)
	if d.isHarmlessError(ctx, err) {
		return tags, err
	}
	if err := d.repairChip(err); err != nil {
		return nil, fmt.Errorf("mfrc522: scan: %w", err)
	}
	if tags, err = inventory(ctx); !d.isHarmlessError(ctx, err) {
		d.up = false
		return nil, fmt.Errorf("mfrc522: scan: %w", err)
	}
	return tags, err
}

// FindTag implements devices.PileScanner.
func (d *Dev) FindTag(ctx context.Context, t devices.Tag) (found, answered bool, err error) {
	defer d.waitForGroupTurn()()
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.switchFieldOff()
	if err := d.prepareScan(ctx); err != nil {
		return false, false, err
	}
	if found, answered, err = d.iso.AskForTag(ctx, t.UID); !d.isHarmlessError(ctx, err) {
		if err = d.repairChip(err); err != nil {
			return false, false, fmt.Errorf("mfrc522: verify: %w", err)
		}
		err = devices.ErrNoise // the tags lost their power in the repair: nothing is known of them
	}
	return found, answered, err
}

// waitForGroupTurn waits until no other reader of the group has its field on. The caller must call unlock.
func (d *Dev) waitForGroupTurn() (unlock func()) {
	if d.opts.Group == nil {
		return func() {}
	}
	d.opts.Group.mu.Lock()
	return d.opts.Group.mu.Unlock
}

// prepareScan makes the chip ready for a scan, unless the Dev is halted or ctx has ended. d.mu is held.
func (d *Dev) prepareScan(ctx context.Context) error {
	if d.halted {
		return fmt.Errorf("mfrc522: scan: %w", errHalted)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.ensureChipReady(); err != nil {
		return fmt.Errorf("mfrc522: scan: %w", err)
	}
	return nil
}

// isHarmlessError reports whether err is nil, noise, or due to the end of ctx: in none of these cases has the
// chip failed.
func (d *Dev) isHarmlessError(ctx context.Context, err error) bool {
	return err == nil || errors.Is(err, devices.ErrNoise) || ctx.Err() != nil
}

// ensureChipReady starts the chip if it is not up. Otherwise it switches the field on, and once per HealthPeriod checks
// the chip and repairs it.
func (d *Dev) ensureChipReady() error {
	if !d.up {
		return d.startChip()
	}
	if err := d.switchFieldOn(); err != nil {
		return d.repairChip(err)
	}
	now := d.clock.Now()
	if now-d.healthAt < d.opts.HealthPeriod {
		return nil
	}
	d.healthAt = now
	if err := d.checkHealth(); err != nil {
		return d.repairChip(err)
	}
	return nil
}

// Probe looks for the chip and starts it. It returns the version that the chip reports, or why there is none.
func (d *Dev) Probe() (Identity, error) {
	defer d.waitForGroupTurn()()
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.switchFieldOff()
	if d.halted {
		return Identity{}, fmt.Errorf("mfrc522: probe: %w", errHalted)
	}
	if err := d.startChip(); err != nil {
		return d.ident, fmt.Errorf("mfrc522: probe: %w", err)
	}
	return d.ident, nil
}

// Stats returns the counters so far.
func (d *Dev) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stats
}

// Halt implements conn.Resource: it switches the field off and puts the chip into power-down. Later scans fail.
func (d *Dev) Halt() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.halted {
		return nil
	}
	d.halted, d.up, d.armed = true, false, false
	if err := d.powerDownChip(); err != nil {
		return fmt.Errorf("mfrc522: halt: %w", err)
	}
	return nil
}

// Close halts the reader and closes the port if Open opened it.
func (d *Dev) Close() error {
	err := d.Halt()
	if d.closer != nil {
		err = errors.Join(err, d.closer.Close())
	}
	return err
}

var _ devices.PileScanner = (*Dev)(nil)
