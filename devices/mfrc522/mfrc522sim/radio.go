package mfrc522sim

import (
	"math"
	"math/bits"
	"time"

	"periph.io/x/devices/v3/mfrc522/commands"
)

const (
	etu        = 9440 * time.Nanosecond
	frameDelay = 91200 * time.Nanosecond
)

// pending has the results of the running exchange that are not visible yet. A time of 0 means that the event
// does not happen.
type pending struct {
	txEnd, rxEnd, timerEnd time.Duration

	sent   int           // bytes of the FIFO that have not been sent yet
	sentAt time.Duration // when the next one leaves the FIFO

	data   [8]byte // received bytes
	n      int
	got    int           // received bytes that are in the FIFO
	gotAt  time.Duration // when the next one is complete
	last   byte          // valid bits of the last byte
	errors byte          // for ErrorReg
	coll   byte          // for CollReg, low six bits
}

// ErrorReg bits.
const (
	errOverflow  = 0x10
	errCollision = 0x08
	errParity    = 0x02
	errProtocol  = 0x01
)

// sendFIFO sends the FIFO to the field and decides the answer, if Transceive is running and no exchange is.
func (s *Sim) sendFIFO(now time.Duration) {
	if s.command != commands.PCD_TRANSCEIVE || s.hang != NoHang || s.receiving {
		return
	}
	s.receiving = true
	s.stats.Exchanges++
	n, last := s.level, int(s.reg[commands.BitFramingReg]&7)
	s.reg[commands.ErrorReg] = 0
	s.reg[commands.CollReg] = s.reg[commands.CollReg]&0x80 | 0x20
	txBits := 8 * n
	if last != 0 && n > 0 {
		txBits -= 8 - last
	}
	s.pend = pending{txEnd: now + time.Duration(txBits+txBits/8+3)*etu, sent: n, sentAt: now}
	s.startTimer(s.pend.txEnd)
	if n > 0 && s.fieldOn {
		s.sendToTags(now, s.fifo[:n], txBits)
	}
}

// startTimer starts the timer at the given time, the end of the transmission, if TAuto is set.
func (s *Sim) startTimer(at time.Duration) {
	mode := s.reg[commands.TModeReg]
	if mode&0x80 == 0 {
		return
	}
	prescaler := int64(mode&0x0F)<<8 | int64(s.reg[commands.TPrescalerReg])
	reload := int64(s.reg[commands.TReloadRegH])<<8 | int64(s.reg[commands.TReloadRegL])
	// f = 13.56 MHz / (2p+1): one tick is (2p+1) * 73.746 ns.
	s.pend.timerEnd = at + time.Duration((reload+1)*(2*prescaler+1)*73746/1000)
}

// sendToTags gives the frame to every tag and combines their answers.
func (s *Sim) sendToTags(start time.Duration, frame []byte, txBits int) {
	if s.isJammed() {
		if s.rng.IntN(2) == 0 {
			s.receiveNoise()
		}
		return
	}
	rx := s.pend.txEnd + frameDelay
	var ones, zeros uint64
	n, cut, spoilt := 0, false, false
	for _, t := range s.tags {
		a, bitsSent := s.deliverToTag(t, start, rx, frame, txBits)
		if bitsSent == 0 {
			continue
		}
		mask := uint64(1)<<bitsSent - 1
		ones |= a.bits & mask
		zeros |= ^a.bits & mask
		n = max(n, bitsSent)
		cut = cut || bitsSent < a.n
		spoilt = spoilt || t.fault == Unreadable && a.n != 16
	}
	if n == 0 {
		if _, bursts := s.airErrors(); bursts > 0 && s.rng.Float64() < bursts {
			s.receiveNoise()
		}
		return
	}
	var errs byte
	if cut && bits.Len64(ones|zeros) == n && n%8 != 0 {
		errs = errProtocol
	}
	if spoilt {
		bit := uint64(1) << s.rng.IntN(n)
		ones, zeros = ones^bit, zeros^bit
		errs |= errParity
	}
	s.damageAnswer(&ones, &zeros, &n, &errs)
	s.scheduleAnswer(rx, answer{ones, n}, ones&zeros, errs)
}

// receiveNoise receives noise as an answer: some bits at any time while the receiver is open. Its bytes have
// the wrong parity as often as the right one, so one in eighty looks like an ATQA.
func (s *Sim) receiveNoise() {
	a := answer{s.rng.Uint64(), 1 + s.rng.IntN(20)}
	var errs byte
	if a.n%8 != 0 {
		errs = errProtocol
	}
	for range a.n / 8 {
		if s.rng.IntN(2) == 0 {
			errs |= errParity
		}
	}
	s.scheduleAnswer(s.pend.txEnd+60*time.Microsecond+time.Duration(s.rng.Int64N(int64(180*time.Microsecond))), a, 0, errs)
}

// deliverToTag gives the frame to one tag, unless that has no power or leaves too early. It returns the answer,
// and how many of its bits the tag sends before it leaves the field.
func (s *Sim) deliverToTag(t *tag, start, rx time.Duration, frame []byte, txBits int) (a answer, sent int) {
	if t.poweredAt != s.poweredAt {
		t.state, t.fromHalt, t.poweredAt = idle, false, s.poweredAt
	}
	on := max(t.arrive, s.poweredAt) + t.boot
	if start < on || t.leave != 0 && t.leave < s.pend.txEnd {
		return answer{}, 0
	}
	if p := s.noise.BitErrors; p > 0 && s.rng.Float64() > math.Pow(1-p, float64(txBits)) {
		if t.state != idle && t.state != halt {
			t.returnToWokenState()
		}
		return answer{}, 0
	}
	a = t.handleFrame(frame, txBits)
	sent = a.n
	if t.leave != 0 && a.n > 0 {
		sent = max(0, min(a.n, int((t.leave-rx)*8/(etu*9))))
	}
	return a, sent
}

// damageAnswer applies the noise of the air and the requests of CorruptBit.
func (s *Sim) damageAnswer(ones, zeros *uint64, n *int, errs *byte) {
	flipped := uint64(0)
	hit := func(bit int, d Damage) {
		m := uint64(1) << bit
		switch {
		case bit >= *n:
		case d == Flip && *ones&*zeros&m == 0:
			*ones, *zeros = *ones^m, *zeros^m
			flipped ^= m
		case d == Collide:
			*ones, *zeros = *ones|m, *zeros|m
		case d == Cut:
			*n = bit
			*ones, *zeros = *ones&(m-1), *zeros&(m-1)
			*errs |= errProtocol
		}
	}
	keep := s.corrupt[:0]
	for _, c := range s.corrupt {
		if c.answer == 0 {
			hit(c.bit, c.damage)
		} else {
			c.answer--
			keep = append(keep, c)
		}
	}
	s.corrupt = keep
	if p, _ := s.airErrors(); p > 0 {
		for bit := 0; bit < *n; bit++ {
			if s.rng.Float64() < p {
				hit(bit, [...]Damage{Flip, Flip, Collide, Cut}[s.rng.IntN(4)])
			}
		}
	}
	for b := flipped; b != 0; b >>= 8 {
		if bits.OnesCount8(byte(b))%2 == 1 {
			*errs |= errParity
		}
	}
}

// scheduleAnswer schedules an answer for the FIFO. coll marks the bits where tags differ.
func (s *Sim) scheduleAnswer(rx time.Duration, a answer, coll uint64, errs byte) {
	p := &s.pend
	if a.n < 4 && s.reg[commands.RxModeReg]&0x08 != 0 { // RxNoErr: the receiver goes on listening
		return
	}
	align := int(s.reg[commands.BitFramingReg]>>4) & 7
	if rx+5*etu < p.timerEnd && a.n >= 5 {
		p.timerEnd = 0
	}
	p.rxEnd = rx + time.Duration(a.n+a.n/8+2)*etu
	p.errors, p.coll = errs, 0x20
	value := a.bits
	if a.n < 64 {
		value &= 1<<a.n - 1
	}
	if coll != 0 {
		p.errors |= errCollision
		first := bits.TrailingZeros64(coll)
		if pos := first + align + 1; pos <= 32 {
			p.coll = byte(pos & 31)
		}
		if s.reg[commands.CollReg]&0x80 == 0 {
			value &= 1<<first - 1 // bits after a collision read 0
		}
	}
	value <<= align
	total := a.n + align
	p.n, p.last = (total+7)/8, byte(total%8)
	for i := range p.n {
		p.data[i] = byte(value >> (8 * i))
	}
	p.gotAt = rx + time.Duration(1+9-align)*etu
}

// applyEventsUntil makes everything visible in the registers that has happened by now.
func (s *Sim) applyEventsUntil(now time.Duration) {
	p := &s.pend
	irq := &s.reg[commands.CommIrqReg]
	for ; p.sent > 0 && now >= p.sentAt; p.sent, p.sentAt = p.sent-1, p.sentAt+9*etu {
		s.popFIFO()
	}
	if p.txEnd != 0 && now >= p.txEnd {
		*irq |= 0x40
		p.txEnd = 0
	}
	for ; p.got < p.n && (now >= p.gotAt || now >= p.rxEnd); p.got, p.gotAt = p.got+1, p.gotAt+9*etu {
		s.pushFIFO(p.data[p.got])
	}
	if p.rxEnd != 0 && now >= p.rxEnd {
		*irq |= 0x20
		if p.errors != 0 {
			*irq |= 0x02
		}
		s.reg[commands.ErrorReg] |= p.errors
		s.reg[commands.CollReg] = s.reg[commands.CollReg]&0x80 | p.coll
		s.reg[commands.ControlReg] = s.reg[commands.ControlReg]&^7 | p.last
		p.rxEnd, s.receiving = 0, false
	}
	if p.timerEnd != 0 && now >= p.timerEnd {
		*irq |= 0x01
		p.timerEnd = 0
	}
	s.updateIRQ()
}
