package huisclos

// applyOther applies the events of exchange, accusation and observation.
func (s *state) applyOther(*event) {}
