package wire

import "majordome/engine"

// Refusal is an error whose reason is a sentence of the catalogues.
type Refusal struct{ Why engine.Msg }

// Error returns the key of the sentence.
func (r *Refusal) Error() string { return "refused: " + r.Why.Key }

// NewRefusal returns a Refusal with a sentence of the catalogues and its arguments.
func NewRefusal(key string, args ...string) error { return &Refusal{engine.NewMsg(key, args...)} }
