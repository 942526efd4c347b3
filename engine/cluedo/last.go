package cluedo

// last remembers the answer to the question that was asked last, for whatever depends on nothing
// else. Nobody may change the answer. The zero value remembers none.
type last[Q comparable, A any] struct {
	known    bool
	question Q
	told     A
}

// answer is the remembered one if it is of the same question, else what count tells.
func (l *last[Q, A]) answer(question Q, count func() A) A {
	if !l.known || l.question != question {
		l.known, l.question, l.told = true, question, count()
	}
	return l.told
}
