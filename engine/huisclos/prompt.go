package huisclos

import (
	"cmp"
	"slices"
	"strings"

	"majordome/engine"
)

// promptMessage returns the message that says to v what is awaited, and the rule for it. offers are the
// offers to v. All of it is public: it differs only between the seat that is to act, those that may observe
// it, and the others.
func (s *public) promptMessage(v engine.Viewer, offers []engine.Offer) (sentence engine.Msg, ruleID string) {
	key, rule := s.promptKey()
	x, _ := v.Seat()
	switch {
	case s.count.IsPlayStopped() && v.IsHost():
		return engine.NewMsg(key + ".host"), rule
	case s.count.IsPlayStopped():
		return engine.NewMsg(key), rule
	case s.phase == phaseLobby && v.IsHost(), s.phase == phaseLaying && v.IsHost():
		return engine.NewMsg(key + ".host"), rule
	case s.active == 0:
		return engine.NewMsg(key), rule
	case x == s.active && s.hasObserver() && observedPrompts[key] != "":
		return engine.NewMsg(observedPrompts[key]+".you", "place", s.book.placeID[s.seats[x].at]), rule
	case x == s.active:
		return engine.NewMsg(cmp.Or(promptVariants[key][promptActs(offers)], key)+".you", "place", s.book.placeID[s.seats[x].at]), rule
	case s.canObserveNow(x):
		return engine.NewMsg("hc.prompt.watch", "seat", s.active.String()), rule
	}
	return engine.NewMsg(key, "seat", s.active.String()), rule
}

// promptVariants has narrower prompts for a page with keys for only some of the acts that the general
// prompt names. It is indexed by the general prompt, then by the acts with a key (promptActs). Which acts
// have a key is public (engine.BystanderOfferLines).
var promptVariants = map[string]map[string]string{
	"hc.prompt.act":         {"search": "hc.prompt.act.search", "exchange": "hc.prompt.act.exchange", "pass": "hc.prompt.act.pass"},
	"hc.prompt.settle":      {"leave": "hc.prompt.settle.leave"},
	"hc.prompt.finish":      {"leave destroy done": "hc.prompt.finish.leave"},
	"hc.prompt.finish-only": {"leave done": "hc.prompt.finish-only.leave"},
	"hc.prompt.purge":       {"destroy done": "hc.prompt.purge.free", "done": "hc.prompt.purge.none"},
	"hc.prompt.show":        {"shown": "hc.prompt.show.done"},
}

// observedPrompts replaces the prompts that ask for a clue, while a player observes what is taken (HC-114).
var observedPrompts = map[string]string{"hc.prompt.take": "hc.prompt.take.watched", "hc.prompt.draw": "hc.prompt.draw.watched"}

// hasObserver reports whether a player has come forward to observe the active seat.
func (s *seating) hasObserver() bool {
	return slices.ContainsFunc(s.seats[:], func(x player) bool { return x.observing })
}

// promptActs returns the acts of these offers that belong to the prompt, each once, separated by blanks.
func promptActs(offers []engine.Offer) string {
	var acts []string
	for _, o := range offers {
		if !o.Aside && o.Act != "offer-draw" && !slices.Contains(acts, o.Act) {
			acts = append(acts, o.Act)
		}
	}
	return strings.Join(acts, " ")
}

// promptKey returns the key of the prompt and its rule.
func (s *public) promptKey() (key, rule string) {
	switch {
	case s.count.Counting:
		return "hc.prompt.count", "GEN-E09"
	case s.count.Alarmed:
		return "hc.prompt.alarm", engine.RuleAlarm
	case s.step == stepRole:
		return "hc.prompt.turn-up", s.turnUpRule()
	}
	switch s.phase {
	case phaseLobby:
		return "hc.prompt.lobby", "HC-001"
	case phaseRoles:
		return "hc.prompt.roles", "HC-005"
	case phaseLaying:
		return "hc.prompt.laying", "HC-009"
	case phasePick:
		return "hc.prompt.pick", "HC-022"
	case phaseDeposit:
		return "hc.prompt.deposit", "HC-120"
	case phaseReveal:
		if s.step == stepShow {
			return "hc.prompt.show", "HC-127"
		}
		return "hc.prompt.reveal", "HC-127"
	case phaseRecovery:
		if s.step == stepExtra {
			return "hc.prompt.short", "HC-133"
		}
		if s.step == stepLay {
			return "hc.prompt.lay", "HC-135"
		}
		return "hc.prompt.recovery", "HC-133"
	case phaseOver:
		return "hc.prompt.over", s.result.Rule
	}
	switch s.step {
	case stepMove:
		return "hc.prompt.move", "HC-050"
	case stepTake:
		if s.windowOpen {
			return "hc.prompt.window", "HC-118"
		}
		return "hc.prompt.take", "HC-061"
	case stepSettle:
		switch {
		case s.handWasFull && s.hasUsedDestructions(s.active):
			return "hc.prompt.settle.leave", "HC-062"
		case s.handWasFull:
			return "hc.prompt.settle", "HC-062"
		case s.canDestroyBelowLimit(s.active, s.seats[s.active].cards):
			return "hc.prompt.finish", "HC-065"
		}
		return "hc.prompt.finish-only", "HC-065"
	case stepPurge:
		return "hc.prompt.purge", "HC-205"
	case stepDraw:
		if s.windowOpen {
			return "hc.prompt.window", "HC-118"
		}
		return "hc.prompt.draw", "HC-083"
	case stepGive:
		if s.windowOpen {
			return "hc.prompt.window", "HC-118"
		}
		return "hc.prompt.give", "HC-083"
	}
	return "hc.prompt.act", "HC-051"
}
