package huisclos

import "majordome/engine"

// prompt says to v what is awaited and by which rule. Everything in it is
// public: it differs only between the seat that is to act and the others.
func (s *state) prompt(v engine.Viewer) (engine.Msg, string) {
	key, rule := s.awaited()
	x, _ := v.Seat()
	switch {
	case s.counting && v.IsHost():
		return engine.Say(key + ".host"), rule
	case s.counting:
		return engine.Say(key), rule
	case s.phase == lobby && v.IsHost(), s.phase == laying && v.IsHost():
		return engine.Say(key + ".host"), rule
	case s.active == 0:
		return engine.Say(key), rule
	case x == s.active:
		return engine.Say(key+".you", "place", s.book.placeID[s.seats[x].at]), rule
	}
	return engine.Say(key, "seat", s.active.String()), rule
}

// awaited is the key of the prompt and its rule.
func (s *state) awaited() (key, rule string) {
	switch {
	case s.counting:
		return "hc.prompt.count", "GEN-E09"
	case s.step == stepRole:
		return "hc.prompt.turn-up", s.turnRule()
	}
	switch s.phase {
	case lobby:
		return "hc.prompt.lobby", "HC-001"
	case roles:
		return "hc.prompt.roles", "HC-005"
	case laying:
		return "hc.prompt.laying", "HC-009"
	case pick:
		return "hc.prompt.pick", "HC-022"
	case deposit:
		return "hc.prompt.deposit", "HC-120"
	case reveal:
		if s.step == stepShow {
			return "hc.prompt.show", "HC-127"
		}
		return "hc.prompt.reveal", "HC-127"
	case recovery:
		if s.step == stepExtra {
			return "hc.prompt.short", "HC-133"
		}
		if s.step == stepLay {
			return "hc.prompt.lay", "HC-135"
		}
		return "hc.prompt.recovery", "HC-133"
	case over:
		return "hc.prompt.over", s.result.Rule
	}
	switch s.step {
	case stepMove:
		return "hc.prompt.move", "HC-050"
	case stepTake:
		if s.window {
			return "hc.prompt.window", "HC-118"
		}
		return "hc.prompt.take", "HC-061"
	case stepSettle:
		switch {
		case s.full:
			return "hc.prompt.settle", "HC-062"
		case s.below(s.active, s.seats[s.active].cards):
			return "hc.prompt.finish", "HC-065"
		}
		return "hc.prompt.finish-only", "HC-065"
	case stepPurge:
		return "hc.prompt.purge", "HC-205"
	case stepDraw:
		if s.window {
			return "hc.prompt.window", "HC-118"
		}
		return "hc.prompt.draw", "HC-083"
	case stepGive:
		if s.window {
			return "hc.prompt.window", "HC-118"
		}
		return "hc.prompt.give", "HC-083"
	}
	return "hc.prompt.act", "HC-051"
}
