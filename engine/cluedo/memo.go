package cluedo

// memo caches the result for the last question, for results that depend on nothing else. Callers
// must not change the result. The zero value is empty.
type memo[Q comparable, A any] struct {
	known      bool
	question   Q
	remembered A
}

// getOrCompute returns the cached result if the question is the same; otherwise it calls compute
// and caches its result.
func (l *memo[Q, A]) getOrCompute(question Q, compute func() A) A {
	if !l.known || l.question != question {
		l.known, l.question, l.remembered = true, question, compute()
	}
	return l.remembered
}
