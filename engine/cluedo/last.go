package cluedo

import "sync/atomic"

// last remembers the answer to the question that was asked last, for whatever depends on nothing
// else. Nobody may change the answer. The zero value remembers none; many games may share it.
type last[Q comparable, A any] struct {
	of atomic.Pointer[answered[Q, A]]
}

type answered[Q comparable, A any] struct {
	question Q
	answer   A
}

// answer is the remembered one if it is of the same question, else what count tells.
func (l *last[Q, A]) answer(question Q, count func() A) A {
	if a := l.of.Load(); a != nil && a.question == question {
		return a.answer
	}
	a := &answered[Q, A]{question, count()}
	l.of.Store(a)
	return a.answer
}
