package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// Clue cards are drawn because of the dice, read aloud, carried out at once, and put under the pile
// (CC-030, CC-032). The deck describes a card in the words of these lists; the table carries out by
// hand a card that it does not describe.

// The seats that show a card, and those that see it. The card is a mystery card that its holder
// shows, one of a kind that the active seat names, or one of the seat's choice.
const (
	whoHolds  = "holder" // the holder: all are asked until one has shown the card
	whoChosen = "chosen" // a seat that the active seat chooses
	whoNext   = "next"   // the left neighbour of the active seat
	whoAll    = "all"    // one after the other, the active seat first

	forAll    = "all"
	forLeft   = "left" // the left neighbour of the seat that shows it
	forActive = "active"

	ofChoice = "choice"
)

// clue is a clue card, as the engine carries it out.
type clue struct {
	action  *clueAction
	who, to string
	what    card     // the card that is looked for,
	kind    cardKind // or the kind of which the active seat names one
}

// clueAction is one of the actions of clue cards.
type clueAction struct {
	kind string
	// choice returns what the active seat chooses first; if there is nothing to choose, the card is
	// carried out automatically. nil: the seat says when the table is done. carryOut returns the
	// event that follows at once; nil: the card is done.
	choice   func(s *public, c *clue) engine.Param
	carryOut func(s *state, c *clue, said string) *event
}

const clueKindShow = "show"

// clueActions are the actions, with their words in a deck.
var clueActions = []*clueAction{
	{clueKindShow, (*public).showCardChoiceParam, (*state).firstShowerEvent},
	{"gather", (*public).roomChoiceParam, func(s *state, _ *clue, said string) *event {
		return &event{kind: evGathered, seat: s.active, pos: pos{area: s.book.areaByID[said]}}
	}},
	{"link", (*public).roomChoiceParam, func(s *state, _ *clue, said string) *event {
		return &event{kind: evLinked, seat: s.active, pos: pos{area: s.book.areaByID[said]}}
	}},
	clueByHand,
	{"nothing", func(*public, *clue) engine.Param { return engine.Param{} }, nil},
}

// clueByHand is carried out by the table, as its text says.
var clueByHand = &clueAction{kind: "manual"}

func clueActionOf(kind string) *clueAction {
	if i := slices.IndexFunc(clueActions, func(k *clueAction) bool { return k.kind == kind }); i >= 0 {
		return clueActions[i]
	}
	return nil
}

func eventCardKinds() []string {
	all := append([]string{EventTime}, butlers.kindNames()...)
	for _, k := range clueActions {
		all = append(all, k.kind)
	}
	return all
}

// clueFault is a word of a clue card that means nothing there, with those that would.
type clueFault struct {
	key, word string
	allowed   []string
}

func (d *Deck) clueFaults(e *EventCard) (all []clueFault) {
	if e.Kind != clueKindShow {
		if e.Who+e.What+e.To != "" {
			all = append(all, clueFault{key: "kind"})
		}
		return all
	}
	for _, f := range []clueFault{{"who", e.Who, clueWhoWords}, {"to", e.To, clueToWords}, {"what", e.What, d.clueTargetWords(e.Who)}} {
		if !slices.Contains(f.allowed, f.word) {
			all = append(all, f)
		}
	}
	return all
}

// clueWhoWords and clueToWords are the words for the seats that show a card, and for those that see
// it.
var (
	clueWhoWords = []string{whoHolds, whoChosen, whoNext, whoAll}
	clueToWords  = []string{forAll, forLeft, forActive}
)

// clueTargetWords returns the words for the shown card: a kind of which the active seat names one, or
// one card.
func (d *Deck) clueTargetWords(who string) []string {
	if who != whoHolds {
		return []string{ofChoice}
	}
	words := []string{string(cardKindNames[kindSuspect]), string(cardKindNames[kindWeapon]), string(cardKindNames[kindRoom])}
	for _, s := range d.Suspects {
		words = append(words, string(s.ID))
	}
	for _, w := range d.Weapons {
		words = append(words, string(w.ID))
	}
	for _, r := range d.Rooms {
		words = append(words, string(r.ID))
	}
	return words
}

func (c deckChecker) checkClue(d *Deck, path string, e *EventCard) {
	for _, f := range d.clueFaults(e) {
		if f.allowed == nil {
			c.AddFaultUnlessEmpty(path, engine.T("une carte qui ne fait rien montrer", "a card that has nothing shown"),
				engine.Tf("who, what et to vont avec « %s »", "who, what and to go with %q", clueKindShow))
			continue
		}
		c.CheckWord(path+"."+f.key, f.word, f.allowed, "mot inconnu", "unknown word")
	}
}

// newClue makes a clue card of a checked event card; its action is nil for other event cards.
func (b *Book) newClue(e *EventCard) *clue {
	return &clue{action: clueActionOf(e.Kind), who: e.Who, to: e.To, what: b.cardByID[e.What],
		kind: cardKind(max(0, slices.Index(cardKindNames[:], engine.ID(e.What))))}
}

// clueByText is a clue card that was not named: its text is read aloud.
var clueByText = &clue{action: clueByHand}

// currentClue returns the clue card that is being carried out: the one drawn last.
func (s *boardState) currentClue() *clue {
	c := s.lastClue()
	if c == 0 {
		return clueByText
	}
	return s.book.clues[c-s.book.firstCard[kindEvent]]
}

// lastClue returns the clue card drawn last, if it was named: it is under the pile and is not drawn
// next.
func (s *boardState) lastClue() card {
	if s.clues.drawnCount == 0 {
		return 0
	}
	return s.clues.underPile[int(s.clues.drawnCount-1)%s.book.cardsOfKind(kindEvent).Count()]
}

func (s *seatedTurn) cluePileSize() int {
	switch n := s.book.cardsOfKind(kindEvent).Count(); {
	case s.policyValue(polClues) == "off":
		return 0
	case s.clueOpen:
		return n - 1
	default:
		return n
	}
}

// decideClueDraw draws a clue card. Where there are no real cards it is drawn by chance from those
// not drawn yet and, when all were, in the order in which they went under the pile; else the seat
// or the host names it.
func (s *public) decideClueDraw(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	e := &event{kind: evClue, at: c.At, seat: by.seat}
	if s.virtual {
		if n := s.book.cardsOfKind(kindEvent).Count(); int(s.clues.drawnCount) < n {
			e.openCard = s.undrawnClues().DrawRandom(dice)
		} else {
			e.openCard = s.clues.underPile[int(s.clues.drawnCount)%n]
		}
		return []*event{e}, nil
	}
	x, named, r := s.parseCardArg(c)
	switch {
	case r != nil:
		return nil, r
	case named && (s.book.kindOf(x) != kindEvent || x == s.lastClue()):
		return nil, refuse(engine.Forbidden, s.book.Rules.Draw, "cl.no.draw")
	}
	e.openCard = x
	return []*event{e}, nil
}

// undrawnClues returns the clue cards that were not drawn since the beginning.
func (s *boardState) undrawnClues() set {
	pile := s.book.cardsOfKind(kindEvent)
	if s.clues.underPile != nil {
		for _, x := range s.clues.underPile[:min(int(s.clues.drawnCount), len(s.clues.underPile))] {
			pile = pile.WithoutCard(x)
		}
	}
	return pile
}

func (s *boardState) putClueUnderPile(x card) {
	var under [maxEventCards]card
	if s.clues.underPile != nil {
		under = *s.clues.underPile
	}
	under[int(s.clues.drawnCount)%s.book.cardsOfKind(kindEvent).Count()] = x
	s.clues.underPile = &under
	s.clues.drawnCount++
}

// applyClue begins to carry out the drawn clue card.
func (s *public) applyClue(e *event) {
	s.putClueUnderPile(e.openCard)
	s.countMarkedFaceDraw()
	s.drawsLeft = max(s.drawsLeft, 1) - 1
	s.clueOpen = true
	s.startStep(stepClue, e.at)
}

// applyClueDone ends the clue card; the turn goes on.
func (s *answerState) applyClueDone(e *event) {
	s.endQuestioning()
	s.clueOpen = false
	s.resumePhase(e.at)
}

func (l *offerList) offerClue() {
	o := newOffer("clue", l.book.Rules.Draw)
	if p := l.clueChoiceParam(); p.Name != "" {
		o = withParams(o, p)
	}
	l.addOffers(o)
}

// clueChoiceParam returns what the active seat chooses for the clue card. Without a name, the seat only
// says when all is done.
func (s *public) clueChoiceParam() engine.Param {
	c := s.currentClue()
	if c.action.choice == nil {
		return engine.Param{}
	}
	return c.action.choice(s, c)
}

func (s *state) decideClueChoice(_ actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	said := ""
	if p := s.clueChoiceParam(); p.Name != "" {
		if said = c.Args[p.Name]; !slices.Contains(p.Domain, said) {
			return nil, refuseOpenly(engine.Unknown, s.book.Rules.Draw, "cl.no.no-value")
		}
	}
	e := s.clueOutcomeEvent(said)
	e.at = c.At
	return []*event{e}, nil
}

// clueEventWithoutChoice carries out a card for which there is nothing to choose, or no value to choose from
// (CC-A16).
func (s *state) clueEventWithoutChoice() *event {
	if s.currentClue().action.choice == nil || len(s.clueChoiceParam().Domain) > 0 {
		return nil
	}
	return s.clueOutcomeEvent("")
}

func (s *state) clueOutcomeEvent(said string) *event {
	if c := s.currentClue(); c.action.carryOut != nil {
		return c.action.carryOut(s, c, said)
	}
	return s.clueDoneEvent(0)
}

// clueDoneEvent ends a clue card; sought is a card that was looked for and not shown, or zero.
func (t *turnState) clueDoneEvent(sought card) *event {
	return &event{kind: evCarried, seat: t.active, subject: uint8(sought)}
}

func (h *houseRules) roomChoiceParam(*clue) engine.Param {
	return engine.Param{Name: "to", Kind: "place", Domain: h.book.areaIDs(h.areasWhere(h.book.isRoom))}
}

// showCardChoiceParam returns the parameter of a clue card that is shown: the seat to choose, or the card of the kind that
// is named aloud. It is empty if the clue card has no kind.
func (s *seatedTurn) showCardChoiceParam(c *clue) engine.Param {
	if c.who == whoChosen {
		return seatParam("seat", s.seatIDsWhere(func(x engine.Seat) bool { return x != s.active && s.canShowForClue(c, x) }))
	}
	return s.aloudCardParam("named", s.book.cardsOfKind(c.kind))
}

// canShowForClue reports whether x has a card that it could show, by public facts.
func (s *seatedTurn) canShowForClue(c *clue, x engine.Seat) bool {
	return s.seatShownCardBy(c, x) != x && s.seats[x].cards > 0
}

// seatShownCardBy returns the seat that is shown a card by x; zero: all.
func (s *seatedTurn) seatShownCardBy(c *clue, x engine.Seat) engine.Seat {
	switch c.to {
	case forLeft:
		return s.nextSeatLeftOf(x)
	case forActive:
		return s.active
	}
	return 0
}

// firstShowerEvent calls the first seat that shows a card. All know the holder of a face-up card.
func (s *recordState) firstShowerEvent(c *clue, said string) *event {
	x, what := s.active, c.what
	switch {
	case c.who == whoChosen:
		x, _ = engine.ParseSeat(said)
	case c.who == whoNext:
		x = s.nextSeatLeftOf(x)
	case c.kind != kindNone:
		what = s.book.cardByID[said]
	}
	if l := s.cards.LocationOf(what); l > custody.HandBase && s.cards.IsLocationPublic(what) {
		x = engine.Seat(l - custody.HandBase)
	}
	return s.showerEventFrom(c, x, what)
}

// showerEventFrom calls x, or the next seat to the left that can be asked. The round ends when it
// comes back to the active seat.
func (s *seatedTurn) showerEventFrom(c *clue, x engine.Seat, what card) *event {
	for !s.canShowForClue(c, x) {
		if x = s.nextSeatLeftOf(x); x == s.active || c.who == whoNext {
			return s.clueDoneEvent(what)
		}
	}
	return &event{kind: evCalled, seat: x, other: s.seatShownCardBy(c, x), subject: uint8(what)}
}

// callNextClueShowerEvent calls the seat after the one that has shown a card or has none, while another one
// has to.
func (s *boardState) callNextClueShowerEvent() *event {
	c, sh := s.currentClue(), &s.showing
	x := s.nextSeatLeftOf(sh.from)
	switch {
	case sh.hasShown && sh.card != 0, c.who == whoChosen, c.who == whoNext:
		return s.clueDoneEvent(0)
	case x == s.active:
		return s.clueDoneEvent(sh.card)
	}
	return s.showerEventFrom(c, x, sh.card)
}

// skipEmptyHandEvent skips a seat whose hand the count has found empty.
func (s *boardState) skipEmptyHandEvent() *event {
	if s.seats[s.asked].cards > 0 {
		return nil
	}
	return s.callNextClueShowerEvent()
}

// applyShowerCalled asks a seat for the card that the clue card demands.
func (s *answerState) applyShowerCalled(e *event) {
	sh := showing{reason: reasonPass, from: e.seat, to: e.other, openToAll: e.other == 0, card: card(e.subject)}
	switch {
	case sh.card != 0:
		sh.reason = reasonHolder
	case sh.openToAll:
		sh.reason = reasonReveal
	}
	s.reply = hidden.Value[reply]{} // a holder that shows it early comes before the asked seat
	s.startShowing(sh, e.at)
}

func (s *answerState) applyPawnsGathered(e *event) {
	s.eachSeatFrom(e.seat, func(x engine.Seat) {
		s.pawns[s.seats[x].suspect], s.seats[x].displaced = e.pos, false // no hypothesis has brought it there
	})
	s.stayRight = false
	s.applyClueDone(e)
}

func (s *answerState) applyRoomLinked(e *event) {
	s.clues.linkedRoom = e.pos.area
	s.applyClueDone(e)
}

func (t storyRecorder) recordClue() {
	if t.e.openCard == 0 {
		t.AddHappeningLine(t.newHappening(engine.HapClue, t.e.seat), "cl.log.clue", "seat", t.e.seat.String())
		return
	}
	t.AddHappeningLine(t.newHappening(engine.HapClue, t.e.seat, t.e.openCard), "cl.log.clue.card", "seat", t.e.seat.String(),
		"card", t.book.cardID[t.e.openCard])
}

// recordShowerCalled records the card that is looked for, or the seat that the active seat has chosen.
func (t storyRecorder) recordShowerCalled() {
	switch {
	case t.oldState.step != stepClue:
	case t.e.subject != 0:
		t.AddLine("cl.log.sought", "sought", t.book.cardID[t.e.subject])
	case t.currentClue().who == whoChosen:
		t.AddLine("cl.log.chosen", "seat", t.e.seat.String())
	}
}

func (t storyRecorder) recordClueDone() {
	if t.e.subject != 0 {
		t.AddLine("cl.log.not-found", "sought", t.book.cardID[t.e.subject])
	}
}

func (t storyRecorder) recordPawnsGathered() {
	t.AddLine("cl.log.gathered", "room", t.book.areaID[t.e.pos.area])
	t.eachSeatFrom(t.e.seat, t.recordPawnPlace)
}

func (t storyRecorder) recordRoomLinked() {
	t.AddLine("cl.log.linked", "room", t.book.areaID[t.e.pos.area])
}

func (*storedEvent) checkClueCard(b *Book, e *event) error {
	return rules.ErrorUnless(b.hasClueCards() && (e.openCard == 0 || b.kindOf(e.openCard) == kindEvent), "no such card")
}

func (w *storedEvent) checkSoughtCard(b *Book, e *event) error {
	return rules.ErrorUnless(w.Who == "" || b.mysteryCards().Contains(card(e.subject)), "no such card")
}

func (w *storedEvent) decodeRoom(b *Book, e *event) error {
	e.pos = pos{area: b.areaByID[w.To]}
	return rules.ErrorUnless(b.isRoom(e.pos.area), "no such room")
}
