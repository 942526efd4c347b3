package wire

import "majordome/engine"

// Refusal is an error that says in the words of the catalogues why something is not done.
type Refusal struct{ Why engine.Msg }

// Error names the sentence.
func (r *Refusal) Error() string { return "refused: " + r.Why.Key }

// Refuse returns a Refusal with a sentence of the catalogues and its arguments.
func Refuse(key string, args ...string) error { return &Refusal{engine.Say(key, args...)} }
