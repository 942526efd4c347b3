package autoplay

import (
	"slices"
	"strings"

	"majordome/engine"
)

// knowledge holds what a guest of a Cluedo has deduced from its own view: which seats can and cannot have which card.
type knowledge struct {
	kinds      [3][]engine.ID // suspects, weapons, rooms
	holder     map[engine.ID]engine.Seat
	lacks      map[engine.ID]map[engine.Seat]bool
	inEnvelope map[engine.ID]bool
}

// elsewhere is the holder of a card that is in no hand, such as one that is face up for all.
const elsewhere = engine.Seat(0)

// newKnowledge deduces all it can from the view of a seat; nil if the game is no Cluedo.
func newKnowledge(v engine.View) *knowledge {
	if v.Me == nil || v.Case == nil {
		return nil
	}
	k := &knowledge{holder: map[engine.ID]engine.Seat{}, lacks: map[engine.ID]map[engine.Seat]bool{}, inEnvelope: map[engine.ID]bool{}}
	for _, p := range v.Case.Pawns {
		k.kinds[0] = append(k.kinds[0], p.Suspect)
	}
	for _, t := range v.Case.Tokens {
		k.kinds[1] = append(k.kinds[1], t.Weapon)
	}
	for _, p := range v.Places {
		if strings.HasPrefix(string(p.Place), "room-") { // the others, such as the pool, have no card
			k.kinds[2] = append(k.kinds[2], p.Place)
		}
	}
	for _, c := range v.Shown {
		k.holder[c] = elsewhere
	}
	for _, s := range v.Me.Seen {
		for _, c := range s.Cards {
			k.holder[c] = s.Other
		}
	}
	for _, c := range v.Me.Hand {
		k.holder[c.Card] = v.Me.Seat
	}
	for _, of := range k.kinds {
		for _, c := range of {
			if k.holder[c] != v.Me.Seat {
				k.recordLacksCard(c, v.Me.Seat)
			}
		}
	}
	for again := true; again; {
		before := len(k.holder) + len(k.inEnvelope)
		for _, h := range v.Case.Past {
			k.addQuestion(h)
		}
		for _, of := range k.kinds {
			k.deduceEnvelope(of, v)
		}
		again = len(k.holder)+len(k.inEnvelope) > before
	}
	return k
}

// addQuestion adds a question and its answers: a player who shows nothing has none of the cards, and one who shows a
// card has the only one that is possible, if there is only one.
func (k *knowledge) addQuestion(h engine.Heard) {
	for _, s := range h.None {
		for _, c := range h.Cards {
			k.recordLacksCard(c, s)
		}
	}
	if h.Card != "" {
		k.holder[h.Card] = h.Shown
	}
	for i, s := range h.More {
		if i < len(h.MoreCards) && h.MoreCards[i] != "" {
			k.holder[h.MoreCards[i]] = s
		}
	}
	for _, s := range append([]engine.Seat{h.Shown}, h.More...) {
		can := slices.DeleteFunc(slices.Clone(h.Cards), func(c engine.ID) bool { return !k.canHave(s, c) })
		if s != 0 && len(can) == 1 {
			k.holder[can[0]] = s
		}
	}
}

// deduceEnvelope finds the card of a kind that is in the envelope: the last one, or one that no player can have.
func (k *knowledge) deduceEnvelope(kind []engine.ID, v engine.View) {
	open := k.envelopeCandidates(kind)
	if len(open) == 1 {
		k.inEnvelope[open[0]] = true
	}
	for _, c := range open {
		nobody := v.Case.Pool == 0 && !slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return k.canHave(s.Seat, c) })
		if nobody {
			k.inEnvelope[c] = true
		}
	}
}

func (k *knowledge) recordLacksCard(c engine.ID, s engine.Seat) {
	if k.lacks[c] == nil {
		k.lacks[c] = map[engine.Seat]bool{}
	}
	k.lacks[c][s] = true
}

// canHave reports whether seat s may have a card in its hand.
func (k *knowledge) canHave(s engine.Seat, c engine.ID) bool {
	if holder, known := k.holder[c]; known {
		return holder == s
	}
	return !k.inEnvelope[c] && !k.lacks[c][s]
}

// envelopeCandidates returns the cards of a kind that may be in the envelope.
func (k *knowledge) envelopeCandidates(kind []engine.ID) []engine.ID {
	for _, c := range kind {
		if k.inEnvelope[c] {
			return []engine.ID{c}
		}
	}
	return slices.DeleteFunc(slices.Clone(kind), func(c engine.ID) bool { _, known := k.holder[c]; return known })
}

// knowsEnvelope reports whether one card of each kind is left.
func (k *knowledge) knowsEnvelope() bool {
	return !slices.ContainsFunc(k.kinds[:], func(of []engine.ID) bool { return len(k.envelopeCandidates(of)) != 1 })
}

// possibleEnvelopeValues returns those values that may be in the envelope.
func (k *knowledge) possibleEnvelopeValues(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		return !slices.ContainsFunc(k.kinds[:],
			func(of []engine.ID) bool { return slices.Contains(k.envelopeCandidates(of), engine.ID(value)) })
	})
}
