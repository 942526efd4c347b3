package cluedo

import (
	"strconv"

	"majordome/engine"
)

// prompt returns the sentence for v that says what is awaited, and its rule. Everything in it is
// public: it differs only between the seat that must act and the others. Only that seat reads
// whether it has answered already, and no one reads what (C8-158).
func (k *knowledge) prompt(v engine.Viewer) (engine.Msg, string) {
	key, rule := k.awaitedKey()
	x, _ := v.Seat()
	who := k.waits()
	switch {
	case k.count.Stands() && !v.IsHost():
		return engine.Say(key), rule
	case k.phase == lobby && v.IsHost():
		return engine.Say(key+".host", "n", strconv.Itoa(k.least()), "m", strconv.Itoa(k.most())), rule
	case k.laying() != 0 && !k.count.Alarmed:
		return engine.Say(key, "room", k.book.areaID[k.laying()]), rule
	case k.count.Stands(), k.phase == dealing && k.asked == 0 && v.IsHost():
		return engine.Say(k.book.worded(key + ".host")), rule
	case k.step == stepShown:
		if k.concerned(x) {
			key = shownPrompts[k.uses(x)]
		}
		return engine.Say(key, "seat", k.showing.from.String(), "other", k.showing.to.String()), rule
	case who == 0:
		return engine.Say(key), rule
	case k.phase == dealing && x != who && k.seated(x) && !k.seats[x].dealt:
		return engine.Say("cl.prompt.dealing.other", "seat", who.String()), rule
	case x == who:
		if k.answered {
			return engine.Say("cl.prompt.answered.you"), rule
		}
		if k.step == stepMove && k.believed {
			return engine.Say(k.sayWhere()), rule
		}
		if k.step == stepMove && k.pointsLeft() < int(k.points) {
			return engine.Say("cl.prompt.move.rest"), rule
		}
		if k.step == stepAct && k.mustAsk() {
			return engine.Say("cl.prompt.act.must"), k.book.Rules.Combine
		}
		if k.mending {
			return k.book.mending(k.amend), rule
		}
		return k.asking(k.book.worded(key+".you"), "n", strconv.Itoa(int(k.points))), rule
	}
	return k.asking(k.book.worded(key), "seat", who.String()), rule
}

// promptTwo is the prompt for a table of two that plays by the rules for more.
const promptTwo = "cl.prompt.lobby.two"

// hasTooFewPlayers reports whether only two have sat down and a house rule could allow that.
func (s *seatedTurn) tooFew() bool {
	return s.players() == 2 && s.least() > 2 &&
		(s.book.can(polTwo, "on") || s.book.can(polMode, "two-player"))
}

// promptVariants choose another sentence in place of one that would promise more than is offered
// now.
var prompts = map[string]func(s *public) string{
	"cl.prompt.start.you": func(s *public) string {
		switch uses := s.uses(s.active); {
		case !s.mayRoll() && !s.mayStay():
			return "cl.prompt.start.still"
		case !s.mayRoll():
			return "cl.prompt.start.stay"
		case !s.undiced() && uses == (use{}):
			return "cl.prompt.start.roll"
		}
		return "cl.prompt.start.you"
	},
	"cl.prompt.start.free": func(s *public) string {
		if s.accuses() {
			return "cl.prompt.start.free"
		}
		return "cl.prompt.start.free.move"
	},
	"cl.prompt.act.you": func(s *public) string {
		switch uses, peeks := s.uses(s.active), s.lyingHere(); {
		case uses != (use{}):
			return "cl.prompt.act.you"
		case s.hypothetical():
			return "cl.prompt.act.room"
		case peeks && s.accuses():
			return "cl.prompt.act.pool"
		case peeks:
			return "cl.prompt.act.peek"
		}
		return "cl.prompt.end.accuse" // with nothing else to do the step would be over: see canDoSomething
	},
	"cl.prompt.end.you": func(s *public) string { return endPrompts[s.uses(s.active)] },
	"cl.prompt.start.roll": func(s *public) string {
		switch {
		case s.undiced():
			return "cl.prompt.start.you"
		case s.accuses():
			return "cl.prompt.start.roll.accuse"
		}
		return "cl.prompt.start.roll"
	},
	"cl.prompt.act.room": func(s *public) string {
		if s.accuses() {
			return "cl.prompt.act.room.accuse"
		}
		return "cl.prompt.act.room"
	},
	"cl.prompt.move.you": func(s *public) string {
		if s.stuck() {
			return "cl.prompt.move.stuck"
		}
		return "cl.prompt.move.you"
	},
	"cl.prompt.move.ways": func(s *public) string {
		stay := s.mayStay()
		return goPrompts[mayGo{walk: !s.stuck(), stay: stay, passage: stay && s.passages() != 0}]
	},
	"cl.prompt.draw.clue": func(s *public) string {
		return [...]string{"cl.prompt.draw.clue", "cl.prompt.draw.clue.first", "cl.prompt.draw.clue.second"}[s.ofTwo()]
	},
	"cl.prompt.draw.clue.you": func(s *public) string {
		return [...]string{"cl.prompt.draw.clue.you", "cl.prompt.draw.clue.you.first",
			"cl.prompt.draw.clue.you.second"}[s.ofTwo()]
	},
}

// canMoveWithoutDice reports whether the active seat has a way to move without dice (offerWay).
func (s *public) undiced() bool { return s.fresh() && (s.passages() != 0 || s.mayStay()) }

// moveChoice says what a seat may do after its roll, and moveChoicePrompts are the prompts for it.
// A passage is named only with the right to stay: a seat with a passage is in a room.
type mayGo struct{ walk, stay, passage bool }

var goPrompts = map[mayGo]string{
	{}:                          "cl.prompt.move.stuck",
	{walk: true}:                "cl.prompt.move.walk",
	{stay: true}:                "cl.prompt.move.stay",
	{walk: true, stay: true}:    "cl.prompt.move.walk-stay",
	{stay: true, passage: true}: "cl.prompt.move.stay-passage",
	{true, true, true}:          "cl.prompt.move.ways",
}

// wherePrompt asks for the present place of the active pawn.
func (s *public) sayWhere() string {
	switch {
	case s.stuck():
		return "cl.prompt.start.said.end"
	case s.points == 0:
		return "cl.prompt.start.said.stuck"
	case s.thrown && s.pausesOnMarks():
		return "cl.prompt.move.rest"
	case s.thrown:
		return "cl.prompt.start.said.thrown"
	}
	return "cl.prompt.start.said"
}

// endPrompts are the prompts of a seat whose turn is over except for what it may still use.
var endPrompts = map[use]string{
	{}:                        "cl.prompt.end.only",
	{power: true}:             "cl.prompt.end.power",
	{card: true}:              "cl.prompt.end.you",
	{power: true, card: true}: "cl.prompt.end.both",
}

// shownPrompts are the prompts of a seat that may use something after a card was shown.
var shownPrompts = map[use]string{
	{power: true}:             "cl.prompt.shown.you.power",
	{card: true}:              "cl.prompt.shown.you",
	{power: true, card: true}: "cl.prompt.shown.you.both",
}

// clueDrawNumber returns which of the two clue cards of a roll is drawn now; 0: there is only one.
func (t *walkState) ofTwo() int {
	switch {
	case t.draws > 1:
		return 1
	case t.dice == [2]uint8{}:
		return 2
	}
	return 0
}

// promptMessage adds to a prompt the clue card that is carried out, the card that is looked for, or
// the cards that were named.
func (s *public) asking(key string, pairs ...string) engine.Msg {
	if says := prompts[key]; says != nil {
		key = says(s)
	}
	switch {
	case s.answering():
		what := s.hyp.what
		return engine.Say(key, append(pairs, "suspect", s.book.cardID[what[0]], "weapon", s.book.cardID[what[1]],
			"room", s.book.cardID[what[2]])...)
	case s.step == stepClue && s.lastClue() != 0:
		return engine.Say(key, append(pairs, "card", s.book.cardID[s.lastClue()])...)
	case s.step == stepShowing && s.showing.card != 0:
		return engine.Say(key, append(pairs, "sought", s.book.cardID[s.showing.card])...)
	}
	return engine.Say(key, pairs...)
}

// correctionPrompt asks only the seat of a wrong answer for the cards that were named or looked for
// then.
func (b *Book) mending(a amends) engine.Msg {
	if a.named.Count() == 1 {
		return engine.Say("cl.prompt.amend.you.sought", "sought", b.cardID[a.named.First()])
	}
	what := b.each(a.named)
	return engine.Say("cl.prompt.amend.you", "suspect", b.cardID[what[0]], "weapon", b.cardID[what[1]], "room", b.cardID[what[2]])
}

// editionKey returns the edition's sentence for a prompt.
func (b *Book) worded(key string) string {
	if other := b.Words[key]; other != "" {
		return other
	}
	return key
}

// awaitedKey returns the prompt and its rule.
func (s *public) awaitedKey() (key, rule string) {
	r := &s.book.Rules
	switch {
	case s.count.Counting:
		return "cl.prompt.count", "GEN-E09"
	case s.count.Alarmed:
		return "cl.prompt.alarm", engine.RuleAlarm
	}
	switch s.phase {
	case lobby:
		if s.tooFew() {
			return promptTwo, r.Players
		}
		return "cl.prompt.lobby", r.Players
	case dealing:
		switch {
		case s.lying[0] > 0:
			return "cl.prompt.hide", r.Hidden
		case s.laying() != 0:
			return "cl.prompt.lay", r.Hidden
		case s.asked == 0:
			return "cl.prompt.envelope", r.Envelope
		}
		return "cl.prompt.dealing", r.Deal
	case starting:
		if s.book.dealsFirst() {
			return "cl.prompt.dealer", r.Begins
		}
		return "cl.prompt.starting", r.Begins
	case over:
		return "cl.prompt.over", s.result.Rule
	}
	if s.step == stepShowing {
		row := &showings[s.showing.why]
		return row.prompt, row.rule(s.book)
	}
	row := s.row()
	if s.step == stepClue && s.lastClue() != 0 {
		return "cl.prompt.clue-card", row.rule(s.book)
	}
	return row.prompt, row.rule(s.book)
}
