// Package chance is the only source of dice: a small seeded generator. Its sequence never changes
// between versions, so that a seed repeats a game.
package chance

// Dice is a PCG-XSH-RR 64/32 generator (O'Neill 2014). It is not safe for
// concurrent use, and not for cryptography.
type Dice struct{ state, inc uint64 }

// New returns dice with a seed. Equal seeds give equal sequences.
func New(seed uint64) *Dice {
	d := &Dice{inc: seed<<1 | 1}
	d.nextUint32()
	d.state += seed ^ 0x9e3779b97f4a7c15
	d.nextUint32()
	return d
}

func (d *Dice) nextUint32() uint32 {
	old := d.state
	d.state = old*6364136223846793005 + d.inc
	x := uint32(((old >> 18) ^ old) >> 27)
	r := uint32(old >> 59)
	return x>>r | x<<((-r)&31)
}

// Intn returns a number from 0 to n-1 without bias. It panics if n < 1.
func (d *Dice) Intn(n int) int {
	if n < 1 {
		panic("chance: Intn of nothing")
	}
	bound := uint32(n)
	floor := -bound % bound
	for {
		if r := d.nextUint32(); r >= floor {
			return int(r % bound)
		}
	}
}

// Shuffle puts n items into random order by calling swap.
func Shuffle(d interface{ Intn(int) int }, n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, d.Intn(i+1))
	}
}

// DrawWeighted draws a number from 0 to n-1, each in proportion to its weight. If all weights are
// zero it draws nothing and ok is false. It calls weight twice for the same number and panics if
// the result has changed.
func DrawWeighted(d interface{ Intn(int) int }, n int, weight func(int) int) (drawn int, ok bool) {
	total := 0
	for i := range n {
		total += weight(i)
	}
	if total == 0 {
		return 0, false
	}
	at := d.Intn(total)
	for i := range n {
		if at -= weight(i); at < 0 {
			return i, true
		}
	}
	panic("chance: weights changed while drawing")
}
