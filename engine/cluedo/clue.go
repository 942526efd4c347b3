package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/story"
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
	does    *clueKind
	who, to string
	what    card     // the card that is looked for,
	kind    cardKind // or the kind of which the active seat names one
}

// clueAction is one of the actions of clue cards.
type clueKind struct {
	kind string
	// choice returns what the active seat chooses first; if there is nothing to choose, the card is
	// carried out automatically. nil: the seat says when the table is done. carryOut returns the
	// event that follows at once; nil: the card is done.
	says func(s *public, c *clue) engine.Param
	does func(s *state, c *clue, said string) *event
}

const clueShow = "show"

// clueActions are the actions, with their words in a deck.
var clueKinds = []*clueKind{
	{clueShow, (*public).showSays, (*state).showFirst},
	{"gather", (*public).saysRoom, func(s *state, _ *clue, said string) *event {
		return &event{kind: evGathered, seat: s.active, pos: pos{area: s.book.areas[said]}}
	}},
	{"link", (*public).saysRoom, func(s *state, _ *clue, said string) *event {
		return &event{kind: evLinked, seat: s.active, pos: pos{area: s.book.areas[said]}}
	}},
	byHand,
	{"nothing", func(*public, *clue) engine.Param { return engine.Param{} }, nil},
}

// clueByHand is carried out by the table, as its text says.
var byHand = &clueKind{kind: "manual"}

func clueKindOf(kind string) *clueKind {
	if i := slices.IndexFunc(clueKinds, func(k *clueKind) bool { return k.kind == kind }); i >= 0 {
		return clueKinds[i]
	}
	return nil
}

func eventKinds() []string {
	all := append([]string{EventTime}, butlers.kinds()...)
	for _, k := range clueKinds {
		all = append(all, k.kind)
	}
	return all
}

// clueFault is a word of a clue card that means nothing there, with those that would.
type clueFault struct {
	key, word string
	of        []string
}

func (d *Deck) clueFaults(e *EventCard) (all []clueFault) {
	if e.Kind != clueShow {
		if e.Who+e.What+e.To != "" {
			all = append(all, clueFault{key: "kind"})
		}
		return all
	}
	for _, f := range []clueFault{{"who", e.Who, clueWho}, {"to", e.To, clueTo}, {"what", e.What, d.clueWhat(e.Who)}} {
		if !slices.Contains(f.of, f.word) {
			all = append(all, f)
		}
	}
	return all
}

// clueWhoWords and clueToWords are the words for the seats that show a card, and for those that see
// it.
var (
	clueWho = []string{whoHolds, whoChosen, whoNext, whoAll}
	clueTo  = []string{forAll, forLeft, forActive}
)

// clueWhatWords returns the words for the shown card: a kind of which the active seat names one, or
// one card.
func (d *Deck) clueWhat(who string) []string {
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
		if f.of == nil {
			c.In(path, engine.T("une carte qui ne fait rien montrer", "a card that has nothing shown"),
				engine.Tf("who, what et to vont avec « %s »", "who, what and to go with %q", clueShow))
			continue
		}
		c.OneOf(path+"."+f.key, f.word, f.of, "mot inconnu", "unknown word")
	}
}

// newClue makes a clue card of a checked event card; its action is nil for other event cards.
func (b *Book) clueOf(e *EventCard) *clue {
	return &clue{does: clueKindOf(e.Kind), who: e.Who, to: e.To, what: b.cards[e.What],
		kind: cardKind(max(0, slices.Index(cardKindNames[:], engine.ID(e.What))))}
}

// clueByText is a clue card that was not named: its text is read aloud.
var byText = &clue{does: byHand}

// currentClue returns the clue card that is being carried out: the one drawn last.
func (s *boardState) clueNow() *clue {
	c := s.lastClue()
	if c == 0 {
		return byText
	}
	return s.book.clues[c-s.book.from[kindEvent]]
}

// lastClue returns the clue card drawn last, if it was named: it is under the pile and is not drawn
// next.
func (s *boardState) lastClue() card {
	if s.clues.drawn == 0 {
		return 0
	}
	return s.clues.under[int(s.clues.drawn-1)%s.book.all(kindEvent).Count()]
}

func (s *seatedTurn) cluePile() int {
	switch n := s.book.all(kindEvent).Count(); {
	case s.rule(polClues) == "off":
		return 0
	case s.carrying:
		return n - 1
	default:
		return n
	}
}

// decideClueDraw draws a clue card. Where there are no real cards it is drawn by chance from those
// not drawn yet and, when all were, in the order in which they went under the pile; else the seat
// or the host names it.
func (s *public) drawClue(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	e := &event{kind: evClue, at: c.At, seat: by.seat}
	if s.virtual {
		if n := s.book.all(kindEvent).Count(); int(s.clues.drawn) < n {
			e.open = s.unread().Draw(dice)
		} else {
			e.open = s.clues.under[int(s.clues.drawn)%n]
		}
		return []*event{e}, nil
	}
	x, named, r := s.cardArg(c)
	switch {
	case r != nil:
		return nil, r
	case named && (s.book.kind(x) != kindEvent || x == s.lastClue()):
		return nil, refuse(engine.Forbidden, s.book.Rules.Draw, "cl.no.draw")
	}
	e.open = x
	return []*event{e}, nil
}

// undrawnClues returns the clue cards that were not drawn since the beginning.
func (s *boardState) unread() set {
	pile := s.book.all(kindEvent)
	if s.clues.under != nil {
		for _, x := range s.clues.under[:min(int(s.clues.drawn), len(s.clues.under))] {
			pile = pile.Less(x)
		}
	}
	return pile
}

func (s *boardState) layUnder(x card) {
	var under [maxEvents]card
	if s.clues.under != nil {
		under = *s.clues.under
	}
	under[int(s.clues.drawn)%s.book.all(kindEvent).Count()] = x
	s.clues.under = &under
	s.clues.drawn++
}

// applyClue begins to carry out the drawn clue card.
func (s *public) readClue(e *event) {
	s.layUnder(e.open)
	s.byFace()
	s.draws = max(s.draws, 1) - 1
	s.carrying = true
	s.goTo(stepClue, e.at)
}

// applyCarried ends the clue card; the turn goes on.
func (s *answerState) endClue(e *event) {
	s.endAsking()
	s.carrying = false
	s.resume(e.at)
}

func (l *offerList) offerClue() {
	o := offer("clue", l.book.Rules.Draw)
	if p := l.clueSays(); p.Name != "" {
		o = with(o, p)
	}
	l.add(o)
}

// clueChoice returns what the active seat chooses for the clue card. Without a name, the seat only
// says when all is done.
func (s *public) clueSays() engine.Param {
	c := s.clueNow()
	if c.does.says == nil {
		return engine.Param{}
	}
	return c.does.says(s, c)
}

func (s *state) doClue(_ actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	said := ""
	if p := s.clueSays(); p.Name != "" {
		if said = c.Args[p.Name]; !slices.Contains(p.Domain, said) {
			return nil, openly(engine.Unknown, s.book.Rules.Draw, engine.Say("cl.no.no-value"))
		}
	}
	e := s.carry(said)
	e.at = c.At
	return []*event{e}, nil
}

// afterClue carries out a card for which there is nothing to choose, or no value to choose from
// (CC-A16).
func (s *state) afterClue() *event {
	if s.clueNow().does.says == nil || len(s.clueSays().Domain) > 0 {
		return nil
	}
	return s.carry("")
}

func (s *state) carry(said string) *event {
	if c := s.clueNow(); c.does.does != nil {
		return c.does.does(s, c, said)
	}
	return s.carried(0)
}

// clueDoneEvent ends a clue card; sought is a card that was looked for and not shown, or zero.
func (t *turnState) carried(sought card) *event {
	return &event{kind: evCarried, seat: t.active, who: uint8(sought)}
}

func (h *houseRules) saysRoom(*clue) engine.Param {
	return engine.Param{Name: "to", Kind: "place", Domain: h.book.rooms(h.those(h.book.isRoom))}
}

// showChoice returns the choice of a seat, or of a card of a kind; for no kind it is empty.
func (s *seatedTurn) showSays(c *clue) engine.Param {
	if c.who == whoChosen {
		return seatParam("seat", s.seatList(func(x engine.Seat) bool { return x != s.active && s.canShow(c, x) }))
	}
	return s.nameParam("named", s.book.all(c.kind))
}

// canShow reports whether x has a card that it could show, by public facts.
func (s *seatedTurn) canShow(c *clue, x engine.Seat) bool {
	return s.sees(c, x) != x && s.seats[x].cards > 0
}

// viewerOf returns the seat that is shown a card by x; zero: all.
func (s *seatedTurn) sees(c *clue, x engine.Seat) engine.Seat {
	switch c.to {
	case forLeft:
		return s.after(x)
	case forActive:
		return s.active
	}
	return 0
}

// callFirstShower calls the first seat that shows a card. All know the holder of a face-up card.
func (s *recordState) showFirst(c *clue, said string) *event {
	x, what := s.active, c.what
	switch {
	case c.who == whoChosen:
		x, _ = engine.ParseSeat(said)
	case c.who == whoNext:
		x = s.after(x)
	case c.kind != kindNone:
		what = s.book.cards[said]
	}
	if l := s.cards.At(what); l > custody.Hand && s.cards.IsOpen(what) {
		x = engine.Seat(l - custody.Hand)
	}
	return s.callFrom(c, x, what)
}

// callShowerFrom calls x, or the next seat to the left that can be asked. The round ends when it
// comes back to the active seat.
func (s *seatedTurn) callFrom(c *clue, x engine.Seat, what card) *event {
	for !s.canShow(c, x) {
		if x = s.after(x); x == s.active || c.who == whoNext {
			return s.carried(what)
		}
	}
	return &event{kind: evCalled, seat: x, other: s.sees(c, x), who: uint8(what)}
}

// callNextShower calls the seat after the one that has shown a card or has none, while another one
// has to.
func (s *boardState) nextCalled() *event {
	c, sh := s.clueNow(), &s.showing
	x := s.after(sh.from)
	switch {
	case sh.shown && sh.card != 0, c.who == whoChosen, c.who == whoNext:
		return s.carried(0)
	case x == s.active:
		return s.carried(sh.card)
	}
	return s.callFrom(c, x, sh.card)
}

// skipEmptyHand skips a seat whose hand the count has found empty.
func (s *boardState) passEmpty() *event {
	if s.seats[s.asked].cards > 0 {
		return nil
	}
	return s.nextCalled()
}

// applyCalled asks a seat for the card that the clue card demands.
func (s *answerState) callShower(e *event) {
	sh := showing{why: whyPass, from: e.seat, to: e.other, open: e.other == 0, card: card(e.who)}
	switch {
	case sh.card != 0:
		sh.why = whyHolder
	case sh.open:
		sh.why = whyReveal
	}
	s.reply = box.Box[reply]{} // a holder that shows it early comes before the asked seat
	s.call(sh, e.at)
}

func (s *answerState) gather(e *event) {
	s.inOrder(e.seat, func(x engine.Seat) {
		s.pawns[s.seats[x].who], s.seats[x].brought = e.pos, false // no hypothesis has brought it there
	})
	s.stays = false
	s.endClue(e)
}

func (s *answerState) link(e *event) {
	s.clues.link = e.pos.area
	s.endClue(e)
}

func (t teller) tellClue() story.Log {
	if t.e.open == 0 {
		t.TellOf(t.hap(engine.HapClue, t.e.seat), "cl.log.clue", "seat", t.e.seat.String())
		return t.Log
	}
	t.TellOf(t.hap(engine.HapClue, t.e.seat, t.e.open), "cl.log.clue.card", "seat", t.e.seat.String(),
		"card", t.book.cardID[t.e.open])
	return t.Log
}

// recordCalled records the card that is looked for, or the seat that the active seat has chosen.
func (t teller) tellCalled() story.Log {
	switch {
	case t.was.step != stepClue:
	case t.e.who != 0:
		t.Tell("cl.log.sought", "sought", t.book.cardID[t.e.who])
	case t.clueNow().who == whoChosen:
		t.Tell("cl.log.chosen", "seat", t.e.seat.String())
	}
	return t.Log
}

func (t teller) tellCarried() story.Log {
	if t.e.who != 0 {
		t.Tell("cl.log.not-found", "sought", t.book.cardID[t.e.who])
	}
	return t.Log
}

func (t teller) tellGathered() story.Log {
	t.Tell("cl.log.gathered", "room", t.book.areaID[t.e.pos.area])
	t.inOrder(t.e.seat, t.tellStands)
	return t.Log
}

func (t teller) tellLinked() story.Log {
	t.Tell("cl.log.linked", "room", t.book.areaID[t.e.pos.area])
	return t.Log
}

func (b *Book) decodeClue(e *event, _ *stored) error {
	return told("no such card", b.clued() && (e.open == 0 || b.kind(e.open) == kindEvent))
}

func (b *Book) decodeSought(e *event, w *stored) error {
	return told("no such card", w.Who == "" || b.mystery().Has(card(e.who)))
}

func (b *Book) decodeRoom(e *event, w *stored) error {
	e.pos = pos{area: b.areas[w.To]}
	return told("no such room", b.isRoom(e.pos.area))
}
