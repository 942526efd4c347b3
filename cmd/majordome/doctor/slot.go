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
	// slotPeriod is how often a slot is looked at, as in a game.
	slotPeriod = 2 * time.Millisecond
	// askAgain is when a card that has been named is asked for again; two that stay unanswered mean that it has gone.
	askAgain, misses = time.Millisecond, 2
	// resting is how long a card has to answer to be one that lies within reach.
	resting = time.Second
	// maxDrops is more than any deck has cards.
	maxDrops = 256
)

// Slot is what became of the cards that fell through a slot.
type Slot struct {
	// Dwell is how long each card that fell on could still be read after it had been named: the time that was to spare.
	Dwell []time.Duration
	// Near are the cards that still answered a second later.
	Near []devices.UID
	// Garbled looks found something that could not be read.
	Garbled int
	// Stray: a tag that cannot name a card was named, too, a phone or a bank card. It counts for nothing else.
	Stray bool
}

// falling is a card that has been named and not yet missed.
type falling struct {
	tag         devices.Tag
	named, seen time.Duration
	asked       time.Duration
	missed      int
}

// Drop watches cards fall through the slot of a reader until ctx ends. A card that falls counts once, however often it is named.
// A nil clock is the computer's.
func Drop(ctx context.Context, s devices.PileScanner, clock presence.Clock) (r Slot, err error) {
	if clock == nil {
		clock = presence.RealClock()
	}
	known := map[devices.UID]bool{}
	var falls []falling
	for next := clock.Now(); ctx.Err() == nil; {
		tags, err := s.ScanNew(ctx)
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
			if t.UID.IsUnfit() {
				r.Stray = true
				continue
			}
			if !known[t.UID] && len(known) < maxDrops {
				known[t.UID] = true
				falls = append(falls, falling{tag: t, named: now, seen: now, asked: now})
			}
		}
		if falls, err = r.ask(ctx, s, clock, falls); err != nil {
			return r, err
		}
		next = max(next+slotPeriod, clock.Now())
		if len(falls) == 0 { // otherwise the next look is at once: time is what is measured
			clock.Sleep(next - clock.Now())
		}
	}
	for _, f := range falls { // the last one has been interrupted
		r.Near = append(r.Near, f.tag.UID)
	}
	return r, nil
}

// ask asks for each card that has been named whether it is still there, and returns those that may be.
func (r *Slot) ask(ctx context.Context, s devices.PileScanner, clock presence.Clock, falls []falling) ([]falling, error) {
	for i := range falls {
		f := &falls[i]
		if clock.Now()-f.asked < askAgain {
			clock.Sleep(askAgain - (clock.Now() - f.asked))
		}
		there, _, err := s.Verify(ctx, f.tag)
		if ctx.Err() != nil {
			return falls, nil
		}
		f.asked = clock.Now()
		switch {
		case errors.Is(err, devices.ErrNoise):
		case err != nil:
			return nil, err
		case there:
			f.seen, f.missed = f.asked, 0
		default:
			f.missed++
		}
	}
	return slices.DeleteFunc(falls, func(f falling) bool {
		if f.seen-f.named >= resting {
			r.Near = append(r.Near, f.tag.UID)
			return true
		}
		if f.missed < misses {
			return false
		}
		r.Dwell = append(r.Dwell, f.seen-f.named)
		return true
	}), nil
}

// classes are those of the histogram, by their upper ends.
var classes = []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond, 80 * time.Millisecond, resting}

// Histogram is how long the cards could still be read, in lines.
func (r Slot) Histogram() (lines []string) {
	counts := make([]int, len(classes))
	for _, d := range r.Dwell {
		i := slices.IndexFunc(classes, func(end time.Duration) bool { return d < end })
		if i < 0 {
			i = len(classes) - 1
		}
		counts[i]++
	}
	from := time.Duration(0)
	for i, end := range classes {
		lines = append(lines, fmt.Sprintf("%4d – %4d ms %4d %s", from.Milliseconds(), end.Milliseconds(), counts[i], strings.Repeat("█", min(counts[i], 40))))
		from = end
	}
	return append(lines, fmt.Sprintf("    > %4d ms %4d %s", resting.Milliseconds(), len(r.Near), strings.Repeat("█", min(len(r.Near), 40))))
}

// Seen is how many cards were named.
func (r Slot) Seen() int { return len(r.Dwell) + len(r.Near) }

// hurried are cards that nearly were missed: no second try would have fitted in.
func (r Slot) hurried() (n int) {
	for _, d := range r.Dwell {
		if d < classes[0] {
			n++
		}
	}
	return n
}

// Verdict judges a slot through which so many cards were dropped; 0: nobody counted them.
func (r Slot) Verdict(dropped int) (all []engine.Text) {
	fast := func(fr, en string, args ...any) {
		all = append(all, engine.T("votre fente laisse tomber les cartes trop vite : "+fmt.Sprintf(fr, args...)+" ; allongez le passage devant la bobine, ou freinez-le d’une brosse ou d’un coude",
			"your slot lets cards fall too fast: "+fmt.Sprintf(en, args...)+"; lengthen the way past the coil, or brake it by a brush or a bend"))
	}
	if r.Stray {
		all = append(all, engine.T("un téléphone ou une carte bancaire est près de la fente : éloignez-le, et recommencez", "a phone or a bank card is near the slot: take it away, and begin again"))
	}
	switch {
	case r.Seen() == 0:
		return append(all, engine.T("aucune carte n’a été lue : la puce est-elle tournée vers la bobine, à moins de 3 cm ? majordome doctor watch le montre",
			"no card was read: does the tag face the coil, less than 3 cm away? majordome doctor watch shows it"))
	case dropped > r.Seen():
		fast("%[1]d cartes sur %[2]d n’ont pas été lues", "%[1]d of %[2]d cards were not read", dropped-r.Seen(), dropped)
	case 10*r.hurried() > r.Seen():
		fast("%[1]d cartes sur %[2]d sont passées de justesse", "%[1]d of %[2]d cards passed only just", r.hurried(), r.Seen())
	}
	if len(r.Near) > 1 { // the last one to fall may lie on top
		all = append(all, engine.Tf("les cartes tombées sont trop près : %[1]d répondent encore ; faites-les tomber 6 cm plus bas, ou mettez du métal ou de la ferrite entre elles et la bobine",
			"fallen cards lie too near: %[1]d still answer; let them fall 6 cm lower, or put metal or ferrite between them and the coil", len(r.Near)))
	}
	if len(all) == 0 {
		all = append(all, engine.T("cette fente est bonne", "this slot is good"))
	}
	return all
}
