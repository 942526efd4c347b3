package store

import (
	"fmt"
	"iter"

	"majordome/engine"
)

// chainSeed returns the chain value of a game before its first step.
func chainSeed(game int64, book string) checksum { return checksumOf("game", game, book) }

// extendByStep returns the chain value after one more step: a sum of the previous value and of all columns of the
// step's rows. The last row of each step stores it, so a step is complete if its last row is there.
func (s checksum) extendByStep(game int64, step []Event) checksum {
	values := make([]any, 0, 2+8*len(step))
	values = append(values, s[:], game)
	for _, e := range step {
		values = append(values, e.N, e.Step, e.Cause, e.Kind, e.Data, int64(e.At), e.Wall.UnixMilli(), e.Command)
	}
	return checksumOf(values...)
}

// splitSteps yields the events of one step at a time.
func splitSteps(events []Event) iter.Seq[[]Event] {
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

// soundPrefix is the part of a game whose chain is unbroken.
type soundPrefix struct {
	events     []Event // of complete steps only
	steps      int64
	chain      checksum
	stepChains []checksum // chain values, one after each step
}

// soundPartOf checks the chain of a game and returns the part before the first break.
func soundPartOf(game int64, book engine.ID, events []Event) soundPrefix {
	f := soundPrefix{chain: chainSeed(game, string(book))}
	for one := range splitSteps(events) {
		last := one[len(one)-1]
		next := f.chain.extendByStep(game, one)
		told, ok := parseSum(last.sum)
		if !ok || told != next || last.Step != f.steps+1 || one[0].N != int64(len(f.events)+1) {
			break
		}
		f.events = append(f.events, one...)
		f.steps, f.chain = last.Step, next
		f.stepChains = append(f.stepChains, next)
	}
	return f
}

// lastStepMillis returns the time of the last complete step in milliseconds, 0 if there is none.
func (f soundPrefix) lastStepMillis() int64 {
	if len(f.events) == 0 {
		return 0
	}
	return f.events[len(f.events)-1].Wall.UnixMilli()
}

// brokenChainError returns the error that says after which step the chain of a game is broken.
func brokenChainError(game int64, f soundPrefix) error {
	return fmt.Errorf("game %d is damaged after step %d", game, f.steps)
}
