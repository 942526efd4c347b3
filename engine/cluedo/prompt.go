package cluedo

import (
	"strconv"

	"majordome/engine"
)

// promptFor returns the sentence for v that says what is awaited, and its rule. Everything in it is
// public: it differs only between the seat that must act and the others. Only that seat reads
// whether it has answered already, and no one reads what (C8-158).
func (k *knowledge) promptFor(v engine.Viewer) (sentence engine.Msg, ruleID string) {
	key, rule := k.promptKey()
	x, _ := v.Seat()
	who := k.awaitedSeat()
	switch {
	case k.count.IsPlayStopped() && !v.IsHost():
		return engine.NewMsg(key), rule
	case k.phase == lobby && v.IsHost():
		return engine.NewMsg(key+".host", "n", strconv.Itoa(k.minPlayers()), "m", strconv.Itoa(k.maxPlayers())), rule
	case k.hiddenRoomToRead() != 0 && !k.count.Alarmed:
		return engine.NewMsg(key, "room", k.book.areaID[k.hiddenRoomToRead()]), rule
	case k.count.IsPlayStopped(), k.phase == dealing && k.asked == 0 && v.IsHost():
		return engine.NewMsg(k.book.editionPromptKey(key + ".host")), rule
	case k.step == stepShown:
		if k.canActInWindow(x) {
			key = shownPrompts[k.usableSpecialKinds(x)]
		}
		return engine.NewMsg(key, "seat", k.showing.from.String(), "other", k.showing.to.String()), rule
	case who == 0:
		return engine.NewMsg(key), rule
	case k.phase == dealing && x != who && k.isSeated(x) && !k.seats[x].dealt:
		return engine.NewMsg("cl.prompt.dealing.other", "seat", who.String()), rule
	case x == who:
		if k.hasAnswered {
			return engine.NewMsg("cl.prompt.answered.you"), rule
		}
		if k.step == stepMove && k.diceUnknown {
			return engine.NewMsg(k.pawnPlacePrompt()), rule
		}
		if k.step == stepMove && k.pointsLeft() < int(k.points) {
			return engine.NewMsg("cl.prompt.move.rest"), rule
		}
		if k.step == stepAct && k.needsHypothesis() {
			return engine.NewMsg("cl.prompt.act.must"), k.book.Rules.Combine
		}
		if k.isCorrecting {
			return k.book.correctionPrompt(k.correction), rule
		}
		return k.addCardsToPrompt(k.book.editionPromptKey(key+".you"), "n", strconv.Itoa(int(k.points))), rule
	}
	return k.addCardsToPrompt(k.book.editionPromptKey(key), "seat", who.String()), rule
}

// promptTwo is the prompt for a table of two that plays by the rules for more.
const promptTwo = "cl.prompt.lobby.two"

// mustAllowTwoPlayers reports whether only two have sat down and a house rule could allow that.
func (s *seatedTurn) mustAllowTwoPlayers() bool {
	return s.playerCount() == 2 && s.minPlayers() > 2 &&
		(s.book.allowsPolicy(polTwoPlayers, "on") || s.book.allowsPolicy(polMode, "two-player"))
}

// promptVariants choose another sentence in place of one that would promise more than is offered
// now.
var promptVariants = map[string]func(s *public) string{
	"cl.prompt.start.you": func(s *public) string {
		switch uses := s.usableSpecialKinds(s.active); {
		case !s.canMove() && !s.canStay():
			return "cl.prompt.start.still"
		case !s.canMove():
			return "cl.prompt.start.stay"
		case !s.canMoveWithoutDice() && uses == (usable{}):
			return "cl.prompt.start.roll"
		}
		return "cl.prompt.start.you"
	},
	"cl.prompt.start.free": func(s *public) string {
		if s.canAccuse() {
			return "cl.prompt.start.free"
		}
		return "cl.prompt.start.free.move"
	},
	"cl.prompt.act.you": func(s *public) string {
		switch uses, peeks := s.usableSpecialKinds(s.active), s.hasFaceDownCardHere(); {
		case uses != (usable{}):
			return "cl.prompt.act.you"
		case s.canMakeHypothesis():
			return "cl.prompt.act.room"
		case peeks && s.canAccuse():
			return "cl.prompt.act.pool"
		case peeks:
			return "cl.prompt.act.peek"
		}
		return "cl.prompt.end.accuse" // with nothing else to do the step would be over: see canActiveSeatAct
	},
	"cl.prompt.end.you": func(s *public) string { return endPrompts[s.usableSpecialKinds(s.active)] },
	"cl.prompt.start.roll": func(s *public) string {
		switch {
		case s.canMoveWithoutDice():
			return "cl.prompt.start.you"
		case s.canAccuse():
			return "cl.prompt.start.roll.accuse"
		}
		return "cl.prompt.start.roll"
	},
	"cl.prompt.act.room": func(s *public) string {
		if s.canAccuse() {
			return "cl.prompt.act.room.accuse"
		}
		return "cl.prompt.act.room"
	},
	"cl.prompt.move.you": func(s *public) string {
		if s.hasNoMoveGoal() {
			return "cl.prompt.move.stuck"
		}
		return "cl.prompt.move.you"
	},
	"cl.prompt.move.ways": func(s *public) string {
		stay := s.canStay()
		return moveChoicePrompts[moveChoice{walk: !s.hasNoMoveGoal(), stay: stay, passage: stay && s.passageAreas() != 0}]
	},
	"cl.prompt.draw.clue": func(s *public) string {
		return [...]string{"cl.prompt.draw.clue", "cl.prompt.draw.clue.first", "cl.prompt.draw.clue.second"}[s.clueDrawNumber()]
	},
	"cl.prompt.draw.clue.you": func(s *public) string {
		return [...]string{"cl.prompt.draw.clue.you", "cl.prompt.draw.clue.you.first",
			"cl.prompt.draw.clue.you.second"}[s.clueDrawNumber()]
	},
}

// canMoveWithoutDice reports whether the active seat has a way to move without dice (offerMovesWithoutDice).
func (s *public) canMoveWithoutDice() bool {
	return s.canChooseWay() && (s.passageAreas() != 0 || s.canStay())
}

// moveChoice says what a seat may do after its roll, and moveChoicePrompts are the prompts for it.
// A passage is named only with the right to stay: a seat with a passage is in a room.
type moveChoice struct{ walk, stay, passage bool }

var moveChoicePrompts = map[moveChoice]string{
	{}:                          "cl.prompt.move.stuck",
	{walk: true}:                "cl.prompt.move.walk",
	{stay: true}:                "cl.prompt.move.stay",
	{walk: true, stay: true}:    "cl.prompt.move.walk-stay",
	{stay: true, passage: true}: "cl.prompt.move.stay-passage",
	{true, true, true}:          "cl.prompt.move.ways",
}

// pawnPlacePrompt asks for the present place of the active pawn.
func (k *knowledge) pawnPlacePrompt() string {
	switch {
	case k.hasNoMoveGoal():
		return "cl.prompt.start.said.end"
	case k.points == 0:
		return "cl.prompt.start.said.stuck"
	case k.diceThrown && k.hasSpySquares():
		return "cl.prompt.move.rest"
	case k.diceThrown:
		return "cl.prompt.start.said.thrown"
	}
	return "cl.prompt.start.said"
}

// endPrompts are the prompts of a seat whose turn is over except for what it may still use.
var endPrompts = map[usable]string{
	{}:                        "cl.prompt.end.only",
	{power: true}:             "cl.prompt.end.power",
	{card: true}:              "cl.prompt.end.you",
	{power: true, card: true}: "cl.prompt.end.both",
}

// shownPrompts are the prompts of a seat that may use something after a card was shown.
var shownPrompts = map[usable]string{
	{power: true}:             "cl.prompt.shown.you.power",
	{card: true}:              "cl.prompt.shown.you",
	{power: true, card: true}: "cl.prompt.shown.you.both",
}

// clueDrawNumber returns which of the two clue cards of a roll is drawn now; 0: there is only one.
func (t *walkState) clueDrawNumber() int {
	switch {
	case t.drawsLeft > 1:
		return 1
	case t.dice == [2]uint8{}:
		return 2
	}
	return 0
}

// addCardsToPrompt adds to a prompt the clue card that is carried out, the card that is looked for, or
// the cards that were named.
func (k *knowledge) addCardsToPrompt(key string, pairs ...string) engine.Msg {
	if says := promptVariants[key]; says != nil {
		key = says(k.public)
	}
	switch {
	case k.isAnswering():
		what := k.hyp.namedCards
		return engine.NewMsg(key, append(pairs, "suspect", k.book.cardID[what[0]], "weapon", k.book.cardID[what[1]],
			"room", k.book.cardID[what[2]])...)
	case k.step == stepClue && k.lastClue() != 0:
		return engine.NewMsg(key, append(pairs, "card", k.book.cardID[k.lastClue()])...)
	case k.step == stepShowing && k.showing.card != 0:
		return engine.NewMsg(key, append(pairs, "sought", k.book.cardID[k.showing.card])...)
	}
	return engine.NewMsg(key, pairs...)
}

// correctionPrompt asks only the seat of a wrong answer for the cards that were named or looked for
// then.
func (b *Book) correctionPrompt(a deniedAnswer) engine.Msg {
	if a.named.Count() == 1 {
		return engine.NewMsg("cl.prompt.amend.you.sought", "sought", b.cardID[a.named.First()])
	}
	what := b.solutionCards(a.named)
	return engine.NewMsg("cl.prompt.amend.you", "suspect", b.cardID[what[0]], "weapon", b.cardID[what[1]], "room", b.cardID[what[2]])
}

// editionPromptKey returns the edition's sentence for a prompt.
func (b *Book) editionPromptKey(key string) string {
	if other := b.Words[key]; other != "" {
		return other
	}
	return key
}

// promptKey returns the prompt and its rule.
func (s *public) promptKey() (key, rule string) {
	r := &s.book.Rules
	switch {
	case s.count.Counting:
		return "cl.prompt.count", "GEN-E09"
	case s.count.Alarmed:
		return "cl.prompt.alarm", engine.RuleAlarm
	}
	switch s.phase {
	case lobby:
		if s.mustAllowTwoPlayers() {
			return promptTwo, r.Players
		}
		return "cl.prompt.lobby", r.Players
	case dealing:
		switch {
		case s.faceDownCount[0] > 0:
			return "cl.prompt.hide", r.Hidden
		case s.hiddenRoomToRead() != 0:
			return "cl.prompt.lay", r.Hidden
		case s.asked == 0:
			return "cl.prompt.envelope", r.Envelope
		}
		return "cl.prompt.dealing", r.Deal
	case starting:
		if s.book.needsDealer() {
			return "cl.prompt.dealer", r.Begins
		}
		return "cl.prompt.starting", r.Begins
	case over:
		return "cl.prompt.over", s.result.Rule
	}
	if s.step == stepShowing {
		row := &showingRows[s.showing.reason]
		return row.prompt, row.rule(s.book)
	}
	row := s.shownStepRow()
	if s.step == stepClue && s.lastClue() != 0 {
		return "cl.prompt.clue-card", row.rule(s.book)
	}
	return row.prompt, row.rule(s.book)
}
