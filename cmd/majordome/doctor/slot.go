package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"majordome/devices"
	"majordome/devices/presence"
	"majordome/engine"
)

const (
	// slotPeriod is the period of the scans of a slot, as in a game.
	slotPeriod = 2 * time.Millisecond
	// verifyPeriod is the period at which a card that was read is asked again. After maxMisses misses in a row it has gone.
	verifyPeriod, maxMisses = time.Millisecond, 2
	// nearAfter is the time after which a card that still answers counts as near.
	nearAfter = time.Second
	// maxDrops is the most cards that are counted: more than any deck has.
	maxDrops = 256
)

// SlotResult is the result of a test of a slot.
type SlotResult struct {
	// Dwell is, for each card that fell out of reach, how long it could still be read after the first reading: the time to spare.
	Dwell []time.Duration
	// Near are the cards that still answered a second later.
	Near []devices.UID
	// Garbled counts the scans that found something unreadable.
	Garbled int
	// HasStray is true if a tag that cannot be a card was read, too: a phone or a bank card. It counts for nothing else.
	HasStray bool
}

// fallingCard is a card that was read and may still be in reach.
type fallingCard struct {
	tag             devices.Tag
	namedAt, seenAt time.Duration
	askedAt         time.Duration
	missed          int
}

// WatchSlot watches cards fall through the slot of a reader until ctx ends. It counts each card once, even if it falls twice.
// A nil clock is the computer's.
func WatchSlot(ctx context.Context, scanner devices.PileScanner, clock presence.Clock) (r SlotResult, err error) {
	if clock == nil {
		clock = presence.RealClock()
	}
	known := map[devices.UID]bool{}
	var falls []fallingCard
	for next := clock.Now(); ctx.Err() == nil; {
		tags, err := scanner.ScanNew(ctx)
		if ctx.Err() != nil {
			break
		}
		now := clock.Now()
		switch {
		case errors.Is(err, devices.ErrNoise):
			r.Garbled++
		case err != nil:
			return r, err
		}
		for _, t := range tags {
			if t.UID.IsUnfitForCard() {
				r.HasStray = true
				continue
			}
			if !known[t.UID] && len(known) < maxDrops {
				known[t.UID] = true
				falls = append(falls, fallingCard{tag: t, namedAt: now, seenAt: now, askedAt: now})
			}
		}
		if falls, err = r.verifyCards(ctx, scanner, clock, falls); err != nil {
			return r, err
		}
		next = max(next+slotPeriod, clock.Now())
		if len(falls) == 0 { // else scan again at once, to measure the time exactly
			clock.Sleep(next - clock.Now())
		}
	}
	for _, f := range falls { // the end has interrupted their measurement
		r.Near = append(r.Near, f.tag.UID)
	}
	return r, nil
}

// verifyCards asks each card in falls whether it is still there. It returns those that must be asked again, and adds the others to Near
// or Dwell.
func (r *SlotResult) verifyCards(ctx context.Context, scanner devices.PileScanner, clock presence.Clock,
	falls []fallingCard) ([]fallingCard, error) {
	for i := range falls {
		f := &falls[i]
		if clock.Now()-f.askedAt < verifyPeriod {
			clock.Sleep(verifyPeriod - (clock.Now() - f.askedAt))
		}
		there, _, err := scanner.FindTag(ctx, f.tag)
		if ctx.Err() != nil {
			return falls, nil
		}
		f.askedAt = clock.Now()
		switch {
		case errors.Is(err, devices.ErrNoise):
		case err != nil:
			return nil, err
		case there:
			f.seenAt, f.missed = f.askedAt, 0
		default:
			f.missed++
		}
	}
	return slices.DeleteFunc(falls, func(f fallingCard) bool {
		if f.seenAt-f.namedAt >= nearAfter {
			r.Near = append(r.Near, f.tag.UID)
			return true
		}
		if f.missed < maxMisses {
			return false
		}
		r.Dwell = append(r.Dwell, f.seenAt-f.namedAt)
		return true
	}), nil
}

// dwellClasses are the upper ends of the histogram's classes.
var dwellClasses = []time.Duration{5 * time.Millisecond, 10 * time.Millisecond,
	20 * time.Millisecond, 40 * time.Millisecond, 80 * time.Millisecond, nearAfter}

// DwellHistogram returns the lines of a histogram of Dwell.
func (r SlotResult) DwellHistogram() (lines []string) {
	counts := make([]int, len(dwellClasses))
	for _, d := range r.Dwell {
		i := slices.IndexFunc(dwellClasses, func(end time.Duration) bool { return d < end })
		if i < 0 {
			i = len(dwellClasses) - 1
		}
		counts[i]++
	}
	from := time.Duration(0)
	for i, end := range dwellClasses {
		lines = append(lines, fmt.Sprintf("%4d – %4d ms %4d %s", from.Milliseconds(),
			end.Milliseconds(), counts[i], strings.Repeat("█", min(counts[i], 40))))
		from = end
	}
	return append(
		lines,
		fmt.Sprintf("    > %4d ms %4d %s", nearAfter.Milliseconds(), len(r.Near), strings.Repeat("█", min(len(r.Near), 40))),
	)
}

// CardsRead returns the number of cards that were read.
func (r SlotResult) CardsRead() int { return len(r.Dwell) + len(r.Near) }

// countNearlyMissed counts the cards that were nearly missed: there was no time for a second try.
func (r SlotResult) countNearlyMissed() (n int) {
	for _, d := range r.Dwell {
		if d < dwellClasses[0] {
			n++
		}
	}
	return n
}

// JudgeSlot judges a slot through which the given number of cards was dropped; 0 if they were not counted.
func (r SlotResult) JudgeSlot(dropped int) (all []engine.Text) {
	fast := func(fr, en string, args ...any) {
		all = append(all, engine.T("votre fente laisse tomber les cartes trop vite : "+fmt.Sprintf(fr,
			args...)+" ; allongez le passage devant la bobine, ou freinez-le d’une brosse ou d’un coude",
			"your slot lets cards fall too fast: "+fmt.Sprintf(en,
				args...)+"; lengthen the way past the coil, or brake it by a brush or a bend"))
	}
	if r.HasStray {
		all = append(all, engine.T("un téléphone ou une carte bancaire est près de la fente : éloignez-le, et recommencez",
			"a phone or a bank card is near the slot: take it away, and begin again"))
	}
	switch {
	case r.CardsRead() == 0:
		return append(all, engine.T("aucune carte n’a été lue : la puce est-elle tournée vers la bobine, à moins de 3 cm ? "+
			"majordome doctor watch le montre",
			"no card was read: does the tag face the coil, less than 3 cm away? majordome doctor watch shows it"))
	case dropped > r.CardsRead():
		fast("%[1]d cartes sur %[2]d n’ont pas été lues", "%[1]d of %[2]d cards were not read", dropped-r.CardsRead(), dropped)
	case 10*r.countNearlyMissed() > r.CardsRead():
		fast("%[1]d cartes sur %[2]d sont passées de justesse", "%[1]d of %[2]d cards passed only just", r.countNearlyMissed(),
			r.CardsRead())
	}
	if len(r.Near) > 1 { // a single one may be the last card, on top of the pile
		all = append(all, engine.Tf("les cartes tombées sont trop près : %[1]d répondent encore ; faites-les tomber 6 cm "+
			"plus bas, ou mettez du métal ou de la ferrite entre elles et la bobine",
			"fallen cards lie too near: %[1]d still answer; let them fall 6 cm lower, or put metal or ferrite between them and the coil",
			len(r.Near)))
	}
	if len(all) == 0 {
		all = append(all, engine.T("cette fente est bonne", "this slot is good"))
	}
	return all
}
