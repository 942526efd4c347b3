package iso14443

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"majordome/devices"
	"majordome/devices/randtest"
)

func TestCRCAOfTheStandardsExamples(t *testing.T) {
	for _, c := range []struct {
		in   string
		want uint16 // low byte is sent first
	}{
		{"0000", 0x1EA0}, // ISO/IEC 14443-3 annex B
		{"1234", 0xCF26}, // ISO/IEC 14443-3 annex B
		{"5000", 0xCD57}, // HLTA
		{"", 0x6363},
	} {
		b, _ := hex.DecodeString(c.in)
		if got := CRCA(b); got != c.want {
			t.Errorf("CRC_A(%s) = %04X, want %04X", c.in, got, c.want)
		}
	}
}

func TestAirTimeOfTheStandardFrames(t *testing.T) {
	var f Frame
	uid := [5]byte{1, 2, 3, 4, 4}
	for _, c := range []struct {
		name   string
		make   func()
		micros int64
	}{
		{"REQA and ATQA", func() { f.setShortFrame(cmdREQA) }, 374},
		{"ANTICOLL, nothing known", func() { f.setAnticollision(0, &uid, 0) }, 733},
		{"ANTICOLL, 13 bits known", func() { f.setAnticollision(0, &uid, 13) }, 733},
		{"SELECT", func() { f.setSelect(0, &uid) }, 1158},
		{"HLTA", func() { f.setHalt() }, 368},
	} {
		c.make()
		if got := f.AirTime().Microseconds(); got < c.micros-12 || got > c.micros+100 {
			t.Errorf("%s: %d µs in the air, the standard's sums give %d", c.name, got, c.micros)
		}
	}
}

// field is an ideal field of tags: no time, no noise. Each tag is the list
// of its UID CLn, check byte included, as the standard lays them out.
type field struct {
	tags  []*card
	spoil func(frame int, f *Frame) // after the answer, before the reader sees it
	n     int
	err   error
}

type card struct {
	levels [][5]byte
	sak    byte
	level  int
	state  byte // i, r, a or h
	halted bool
}

func newCard(uid ...byte) *card {
	c := &card{state: 'i', sak: 0x00}
	for len(uid) > 4 {
		c.levels = append(c.levels, withCheck(0x88, uid[0], uid[1], uid[2]))
		uid = uid[3:]
	}
	c.levels = append(c.levels, withCheck(uid[0], uid[1], uid[2], uid[3]))
	return c
}

func withCheck(a, b, c, d byte) [5]byte { return [5]byte{a, b, c, d, a ^ b ^ c ^ d} }

func (c *card) uid() string {
	var b []byte
	for i, l := range c.levels {
		if i < len(c.levels)-1 {
			b = append(b, l[1:4]...)
		} else {
			b = append(b, l[:4]...)
		}
	}
	u, _ := devices.MakeUID(b)
	return u.String()
}

func (c *card) rest() { c.state = map[bool]byte{false: 'i', true: 'h'}[c.halted] }

// answerFrame returns the bits the card sends, nil for silence.
func (c *card) answerFrame(f *Frame) []byte {
	cmd := f.Tx[0]
	if f.TxBits == 7 {
		if c.state == 'i' || c.state == 'h' && cmd == cmdWUPA {
			c.state, c.level = 'r', 0
			return bitsOf([]byte{0x44, 0x00})
		}
		c.rest2(c.state)
		return nil
	}
	switch {
	case c.state == 'a' && cmd == cmdHLTA && hasGoodCRC(f.Tx[:f.TxLen]):
		c.state, c.halted = 'h', true
	case c.state == 'r' && cmd == selCL1+byte(2*c.level) && f.Tx[1] == nvbAll:
		if !hasGoodCRC(f.Tx[:f.TxLen]) || !slices.Equal(f.Tx[2:7], c.levels[c.level][:]) {
			c.rest()
			return nil
		}
		ans := []byte{c.sak, 0, 0}
		if c.level < len(c.levels)-1 {
			ans[0] |= cascadeBit
			c.level++
		} else {
			c.state = 'a'
		}
		crc := CRCA(ans[:1])
		ans[1], ans[2] = byte(crc), byte(crc>>8)
		return bitsOf(ans)
	case c.state == 'r' && cmd == selCL1+byte(2*c.level):
		known := int(f.Tx[1]>>4-2)*8 + int(f.Tx[1]&7)
		mine := bitsOf(c.levels[c.level][:])
		if !slices.Equal(bitsOf(f.Tx[2:7])[:known], mine[:known]) {
			c.rest()
			return nil
		}
		return mine[known:]
	default:
		c.rest2(c.state)
	}
	return nil
}

func (c *card) rest2(state byte) {
	if state == 'r' || state == 'a' {
		c.rest()
	}
}

func bitsOf(b []byte) (bits []byte) {
	for _, v := range b {
		for i := range 8 {
			bits = append(bits, v>>i&1)
		}
	}
	return bits
}

func (fl *field) Exchange(f *Frame) error {
	if fl.err != nil {
		return fl.err
	}
	var air []byte // per bit: 1 saw a zero, 2 saw a one
	for _, c := range fl.tags {
		for i, b := range c.answerFrame(f) {
			if i == len(air) {
				air = append(air, 0)
			}
			air[i] |= 1 << b
		}
	}
	clear(f.Rx[:])
	if air != nil {
		f.Outcome = Answer
		for i, b := range air {
			at := i + int(f.RxAlign)
			if b == 3 {
				f.Outcome, f.CollPos = Collision, at+1
				break
			}
			f.Rx[at/8] |= (b >> 1) << (at % 8)
		}
		total := len(air) + int(f.RxAlign)
		f.RxLen, f.RxBits = (total+7)/8, uint8(total%8)
	}
	if fl.spoil != nil {
		fl.spoil(fl.n, f)
	}
	fl.n++
	return nil
}

func inventory(t *testing.T, fl *field, opts *Opts) ([]string, error) {
	t.Helper()
	r, err := New(fl, opts)
	if err != nil {
		t.Fatal(err)
	}
	return names(r.Inventory(context.Background()))
}

func names(tags []devices.Tag, err error) ([]string, error) {
	var out []string
	for _, tag := range tags {
		out = append(out, tag.UID.String())
	}
	slices.Sort(out)
	return out, err
}

func TestInventoryNamesEveryTag(t *testing.T) {
	four := newCard(0xDE, 0xAD, 0xBE, 0xEF)
	for _, c := range []struct {
		name string
		tags []*card
	}{
		{"nobody", nil},
		{"4 bytes", []*card{four}},
		{"7 bytes", []*card{newCard(4, 1, 2, 3, 4, 5, 6)}},
		{"10 bytes", []*card{newCard(4, 1, 2, 3, 4, 5, 6, 7, 8, 9)}},
		{"4 and 7 and 10 bytes", []*card{newCard(1, 2, 3, 4), newCard(4, 1, 2, 3, 4, 5, 6), newCard(4, 1, 2, 3, 4, 5, 6, 7, 8, 9)}},
		{"differ in the last bit of CL1", []*card{newCard(1, 2, 3, 0x04), newCard(1, 2, 3, 0x84)}},
		{"differ in the first bit", []*card{newCard(0x10, 2, 3, 4), newCard(0x11, 2, 3, 4)}},
		{"same CL1, differ in CL2", []*card{newCard(4, 1, 2, 3, 4, 5, 6), newCard(4, 1, 2, 3, 4, 5, 7)}},
		{"same CL1 and CL2, differ in CL3", []*card{newCard(4, 1, 2, 3, 4, 5, 6, 7, 8, 9), newCard(4, 1, 2, 3, 4, 5, 6, 7, 8, 0x89)}},
		{"five of one batch", []*card{newCard(4, 1, 2, 3, 4, 5, 0x80), newCard(4, 1, 2, 3, 4, 5, 0x81), newCard(4, 1, 2, 3, 4, 5, 0x82),
			newCard(4, 1, 2, 3, 4, 5, 0x83), newCard(4, 1, 2, 9, 4, 5, 0x84)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fl := &field{tags: c.tags}
			var want []string
			for _, tag := range c.tags {
				want = append(want, tag.uid())
			}
			slices.Sort(want)
			r, _ := New(fl, nil)
			for round := range 3 { // the second and third find them halted
				got, err := names(r.Inventory(context.Background()))
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("round %d: %v, %v; want %v", round, got, err, want)
				}
			}
		})
	}
}

func TestArrivalsAreNamedOnce(t *testing.T) {
	fl := &field{tags: []*card{newCard(1, 2, 3, 4), newCard(4, 1, 2, 3, 4, 5, 6)}}
	r, _ := New(fl, nil)
	arrivals := func(want ...string) {
		t.Helper()
		if got, err := names(r.ListArrivals(context.Background())); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	}
	arrivals("01020304", "04010203040506")
	arrivals() // though both are still there and halted
	fl.tags = append(fl.tags, newCard(9, 9, 9, 9))
	arrivals("09090909")
	arrivals()
}

// Of a new pile, one call names as many tags as it may and leaves the rest to the next call, without noise.
func TestArrivalsOfAWholePile(t *testing.T) {
	fl := &field{}
	want := map[string]bool{}
	for i := range byte(50) {
		c := newCard(4, 1, 2, i&3, 5, 6, i)
		fl.tags, want[c.uid()] = append(fl.tags, c), true
	}
	r, _ := New(fl, nil)
	for range 20 {
		got, err := names(r.ListArrivals(context.Background()))
		if err != nil {
			t.Fatalf("%v, %v", got, err)
		}
		for _, u := range got {
			if !want[u] {
				t.Fatalf("%s twice, or never there", u)
			}
			delete(want, u)
		}
	}
	if len(want) > 0 {
		t.Fatalf("never named: %v", want)
	}
}

// Between arrivals a known tag is asked for by its number, and stays halted.
func TestKnownTagIsVerifiedByItsNumber(t *testing.T) {
	long := newCard(4, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	cards := []*card{newCard(1, 2, 3, 4), newCard(4, 1, 2, 3, 4, 5, 6), newCard(4, 1, 2, 3, 4, 5, 7), long}
	fl := &field{tags: slices.Clone(cards)}
	r, _ := New(fl, nil)
	for range 2 {
		_, _ = r.ListArrivals(context.Background())
	}
	verify := func(c *card, there, anybody, noise bool) {
		t.Helper()
		u, _ := devices.ParseUID(c.uid())
		gotThere, gotAnybody, err := r.AskForTag(context.Background(), u)
		if gotThere != there || gotAnybody != anybody || errors.Is(err, devices.ErrNoise) != noise {
			t.Errorf("%s: there %t, anybody %t, %v; want %t, %t, noise %t", c.uid(), gotThere, gotAnybody, err, there, anybody, noise)
		}
		if got, err := names(r.ListArrivals(context.Background())); len(got) != 0 || err != nil {
			t.Errorf("%s: verified, then named as new: %v, %v", c.uid(), got, err)
		}
	}
	for _, c := range cards {
		verify(c, true, true, false)
	}
	fl.tags = cards[1:3]
	verify(cards[0], false, true, false)
	verify(cards[1], true, true, false)
	fl.spoil = func(_ int, f *Frame) {
		if f.TxLen == 9 && f.Outcome != Silence {
			f.Outcome = Garbled
		}
	}
	verify(cards[1], false, true, true)
	fl.spoil, fl.tags = nil, nil
	verify(cards[1], false, false, false)
	broken := errors.New("the bus is gone")
	fl.err = broken
	if _, _, err := r.AskForTag(context.Background(), devices.UID{}); !errors.Is(err, broken) || errors.Is(err, devices.ErrNoise) {
		t.Errorf("got %v", err)
	}
}

// Noise without a whole answer is no evidence, and what a second try does not find is ignored.
func TestSparks(t *testing.T) {
	for _, c := range []struct {
		name  string
		frame func(n int, f *Frame)
		want  error
	}{
		{"one garbled wake-up", func(n int, f *Frame) {
			if n == 0 {
				f.Outcome = Garbled
			}
		}, nil},
		{"one that looks like an answer", func(n int, f *Frame) {
			if n == 0 {
				f.Outcome, f.RxLen, f.RxBits = Answer, 2, 0
			}
		}, nil},
		{"garbled wake-ups", func(n int, f *Frame) {
			if f.TxBits == 7 {
				f.Outcome = Garbled
			}
		}, devices.ErrSpark},
		{"whole answers and no tag behind them", func(n int, f *Frame) {
			if f.TxBits == 7 {
				f.Outcome, f.RxLen, f.RxBits = Answer, 2, 0
			}
		}, devices.ErrNoise},
	} {
		got, err := inventory(t, &field{spoil: c.frame}, nil)
		if len(got) != 0 || err != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	if !errors.Is(devices.ErrSpark, devices.ErrNoise) {
		t.Error("a spark is noise, too")
	}
}

func TestWhatIsNotSoundIsNoise(t *testing.T) {
	always := func(cmd byte, change func(f *Frame)) func(int, *Frame) {
		return func(_ int, f *Frame) {
			if f.Tx[0] == cmd && f.Outcome != Silence {
				change(f)
			}
		}
	}
	isSelect := func(f *Frame) bool { return f.Tx[1] == nvbAll }
	for _, c := range []struct {
		name  string
		tag   *card
		spoil func(int, *Frame)
	}{
		{"wrong BCC", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) {
			if !isSelect(f) {
				f.Rx[4] ^= 1
			}
		})},
		{"two equal errors that leave the BCC sound", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) {
			if !isSelect(f) {
				f.Rx[0], f.Rx[1] = f.Rx[0]^8, f.Rx[1]^8
			}
		})},
		{"wrong CRC of the SAK", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) {
			if isSelect(f) {
				f.Rx[2] ^= 0x40
			}
		})},
		{"SAK cut to one byte", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) {
			if isSelect(f) {
				f.RxLen = 1
			}
		})},
		{"cascade bit without cascade tag", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) {
			if isSelect(f) {
				putSAK(f, 0x04)
			}
		})},
		{"cascade tag without cascade bit", newCard(4, 1, 2, 3, 4, 5, 6), always(0x93, func(f *Frame) {
			if isSelect(f) {
				putSAK(f, 0x00)
			}
		})},
		{"cascade tag where a 7-byte identifier ends", newCard(4, 1, 2, 0x88, 4, 5, 6), nil},
		{"a fourth level", newCard(4, 1, 2, 3, 4, 5, 6, 7, 8, 9), always(0x97, func(f *Frame) {
			if isSelect(f) {
				putSAK(f, 0x04)
			}
		})},
		{"nothing but garbled frames", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) { f.Outcome = Garbled })},
		{"collision at an unknown place", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) { f.Outcome, f.CollPos = Collision, 0 })},
		{"collision in the check byte", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) { f.Outcome, f.CollPos = Collision, 33 })},
		{"silence after the wake-up", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) { f.Outcome = Silence })},
		{"too long an answer", newCard(1, 2, 3, 4), always(0x93, func(f *Frame) { f.RxLen = 16 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := inventory(t, &field{tags: []*card{c.tag}, spoil: c.spoil}, nil)
			if !errors.Is(err, devices.ErrNoise) || len(got) != 0 {
				t.Fatalf("%v, %v; want nothing named and ErrNoise", got, err)
			}
		})
	}
}

func putSAK(f *Frame, sak byte) {
	crc := CRCA([]byte{sak})
	f.Rx[0], f.Rx[1], f.Rx[2] = sak, byte(crc), byte(crc>>8)
}

func TestOneBrokenFrameIsRepeatedAtOnce(t *testing.T) {
	for frame := range 7 { // WUPA, AC, SEL, AC, SEL, HLTA: whichever it hits
		fl := &field{tags: []*card{newCard(4, 1, 2, 3, 4, 5, 6)}, spoil: func(n int, f *Frame) {
			if n == frame && f.Outcome != Silence {
				f.Outcome = Garbled
			}
		}}
		got, err := inventory(t, fl, nil)
		if err != nil || len(got) != 1 {
			t.Errorf("frame %d broken: %v, %v", frame, got, err)
		}
	}
}

func TestMoreTagsThanAskedForIsNoise(t *testing.T) {
	fl := &field{}
	for i := range byte(5) {
		fl.tags = append(fl.tags, newCard(1, 2, 3, i))
	}
	got, err := inventory(t, fl, &Opts{MaxTags: 3})
	if len(got) != 3 || !errors.Is(err, devices.ErrNoise) {
		t.Fatalf("%v, %v; want three tags and ErrNoise", got, err)
	}
}

func TestReaderFailureIsNotNoise(t *testing.T) {
	broken := errors.New("the bus is gone")
	if _, err := inventory(t, &field{err: broken}, nil); !errors.Is(err, broken) || errors.Is(err, devices.ErrNoise) {
		t.Fatalf("got %v", err)
	}
	r, _ := New(&field{}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Inventory(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("after the context ended: %v", err)
	}
}

func TestRandomFieldsOfUpToSixTags(t *testing.T) {
	rng := randtest.NewRand(t)
	for range 2000 {
		fl := &field{}
		var want []string
		for range rng.IntN(7) {
			b := make([]byte, []int{4, 7, 10}[rng.IntN(3)])
			for i := range b {
				b[i] = byte(rng.IntN(3)) // close relatives: many collisions
			}
			if c := newCard(b...); !slices.Contains(want, c.uid()) {
				fl.tags = append(fl.tags, c)
				want = append(want, c.uid())
			}
		}
		slices.Sort(want)
		if got, err := inventory(t, fl, nil); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	}
}

// replies answers every frame from a list of bytes: what a hostile tag can do.
type replies struct{ b []byte }

func (r *replies) nextByte() byte {
	if len(r.b) == 0 {
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *replies) Exchange(f *Frame) error {
	f.Outcome = Outcome(r.nextByte() % 4)
	f.RxLen, f.RxBits, f.CollPos = int(r.nextByte()%(MaxFrame+1)), r.nextByte()%8, int(r.nextByte()%48)
	for i := range f.RxLen {
		f.Rx[i] = r.nextByte()
	}
	if r.nextByte()%2 == 0 && f.RxLen >= 3 {
		crc := CRCA(f.Rx[:f.RxLen-2])
		f.Rx[f.RxLen-2], f.Rx[f.RxLen-1] = byte(crc), byte(crc>>8)
	}
	return nil
}

func FuzzInventory(f *testing.F) {
	f.Add([]byte{1, 2, 0, 0, 0x44, 0, 1, 1, 5, 0, 0, 1, 2, 3, 4, 4, 1, 1, 3, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{2, 5, 0, 9, 0x88, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		tr := &replies{b: b}
		r, _ := New(tr, nil)
		for range 3 {
			tags, err := r.Inventory(context.Background())
			if err != nil && !errors.Is(err, devices.ErrNoise) {
				t.Fatal(err)
			}
			if r.frames > maxFrames+20 {
				t.Fatalf("%d frames in one inventory", r.frames)
			}
			for i, tag := range tags {
				u := tag.UID.Bytes()
				if slices.ContainsFunc(tags[:i], func(o devices.Tag) bool { return o.UID == tag.UID }) {
					t.Fatalf("%v named twice", tag.UID)
				}
				if len(u) == 4 && u[0] == cascadeTag || len(u) == 7 && u[3] == cascadeTag || len(u) == 10 && u[6] == cascadeTag {
					t.Fatalf("%v: a cascade tag inside", tag.UID)
				}
			}
		}
	})
}

func TestAnEmptyPollDoesNotAllocate(t *testing.T) {
	r, _ := New(&replies{}, nil)
	ctx := context.Background()
	u, _ := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, 6})
	if n := testing.AllocsPerRun(100, func() {
		_, _ = r.Inventory(ctx)
		_, _ = r.ListArrivals(ctx)
		_, _, _ = r.AskForTag(ctx, u)
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}
