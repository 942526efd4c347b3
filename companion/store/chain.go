package store

import (
	"fmt"
	"iter"

	"majordome/engine"
)

// seedOf is the chain of a game before its first step.
func seedOf(game int64, book string) sum { return sumOf("game", game, book) }

// after is the chain with one more step: the former value, and all that stands in
// the rows of the step. The last row of each step carries it, so that a step is
// whole when its last row does.
func (s sum) after(game int64, step []Event) sum {
	values := make([]any, 0, 2+8*len(step))
	values = append(values, s[:], game)
	for _, e := range step {
		values = append(values, e.N, e.Step, e.Cause, e.Kind, e.Data, int64(e.At), e.Wall.UnixMilli(), e.Command)
	}
	return sumOf(values...)
}

// stepsOf cuts events into their steps.
func stepsOf(events []Event) iter.Seq[[]Event] {
	return func(yield func([]Event) bool) {
		for i := 0; i < len(events); {
			j := i + 1
			for j < len(events) && events[j].Step == events[i].Step {
				j++
			}
			if !yield(events[i:j]) {
				return
			}
			i = j
		}
	}
}

// followed is as much of a game as its chain holds together.
type followed struct {
	events []Event // whole steps
	steps  int64
	chain  sum
	ends   []sum // after each of the steps
}

// follow walks the chain of a game until it breaks.
func follow(game int64, book engine.ID, events []Event) followed {
	f := followed{chain: seedOf(game, string(book))}
	for one := range stepsOf(events) {
		last := one[len(one)-1]
		next := f.chain.after(game, one)
		told, ok := sumFrom(last.sum)
		if !ok || told != next || last.Step != f.steps+1 || one[0].N != int64(len(f.events)+1) {
			break
		}
		f.events = append(f.events, one...)
		f.steps, f.chain = last.Step, next
		f.ends = append(f.ends, next)
	}
	return f
}

// since is the moment of the last whole step, in milliseconds; 0 for none.
func (f followed) since() int64 {
	if len(f.events) == 0 {
		return 0
	}
	return f.events[len(f.events)-1].Wall.UnixMilli()
}

// errBroken says where the chain of a game breaks.
func errBroken(game int64, f followed) error {
	return fmt.Errorf("game %d is damaged after step %d", game, f.steps)
}
