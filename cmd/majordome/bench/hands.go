package bench

import (
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// hand holds cards at one reader until the table answers them.
type hand struct {
	cards []*card // in the order in which they were put there
	timer *time.Timer
	slow  bool // the reader is awaited, but nothing has happened for Dwell
}

// addCardToHandAt gives a card that has just been put on a reader to the hand there. If the game waits for a card, the hand
// waits for the answer. If no answer will come, it takes the cards back Dwell after the last one: if the game waits for
// nothing there, the cable is pulled out, or there is only a bank card, which is no presentation (GEN-E14).
func (t *Table) addCardToHandAt(readerRole string, c *card) {
	h := t.hands[readerRole]
	if h == nil {
		h = &hand{}
		h.timer = time.AfterFunc(t.opts.Dwell, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if h.slow = t.isCardAwaited(readerRole) && h.hasAnswerableCard(); h.slow {
				h.timer.Reset(t.opts.Dwell)
			} else {
				t.returnHandCards(readerRole, h)
			}
			t.saveAndNotify()
		})
		t.hands[readerRole] = h
	}
	delete(t.returned, readerRole)
	h.cards, h.slow = append(h.cards, c), false
	h.timer.Reset(t.opts.Dwell)
}

// hasAnswerableCard reports whether there is a card that the table answers.
func (h *hand) hasAnswerableCard() bool {
	return slices.ContainsFunc(h.cards, func(c *card) bool { return !c.isBank })
}

// hasSlowReader reports whether a hand waits at a reader that has not answered for Dwell.
func (t *Table) hasSlowReader() bool {
	for _, h := range t.hands {
		if h.slow {
			return true
		}
	}
	return false
}

// isCardAwaited reports whether the table will answer a card at this reader.
func (t *Table) isCardAwaited(readerRole string) bool {
	return !t.closed && t.plugged[readerRole] && t.lastUpdate.Paused == nil && t.lastUpdate.Table.Readers[readerRole] != "lost" &&
		slices.ContainsFunc(t.lastUpdate.View.Readers, func(r engine.ReaderView) bool { return r.Reader == readerRole })
}

// removeCardFromHandAt removes a card that is moved off a reader from the hand there.
func (t *Table) removeCardFromHandAt(readerRole string, c *card) {
	if c == t.presented {
		t.presented = nil // the helping hand stops here, but continues after an accepted card
	}
	h := t.hands[readerRole]
	if h == nil {
		return
	}
	h.cards = slices.DeleteFunc(h.cards, func(x *card) bool { return x == c })
	if len(h.cards) == 0 {
		h.timer.Stop()
		delete(t.hands, readerRole)
	}
}

// returnHandCards puts all cards of a hand back where they were.
func (t *Table) returnHandCards(readerRole string, h *hand) {
	for _, c := range slices.Clone(h.cards) {
		t.moveCardAndTag(c, c.home)
		t.returned[readerRole] = c
	}
}

// HandleUpdate receives the public update, as all players see it, and lets the simulated people do what is public: take
// a card back from a reader or let it go, move pawns, turn over the urn, put down the hands of the dead. It does not
// block.
func (t *Table) HandleUpdate(u wire.Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := !t.hasUpdate
	if u.View.Game != t.game && t.names[u.View.Game] != nil {
		t.switchGame(u.View.Game)
		t.lastUpdate, first = wire.Update{}, true
	}
	before := t.lastUpdate.View
	again := t.misreadCard(u.Notice)
	t.lastUpdate, t.hasUpdate = u, true
	var news []*engine.Happening
	if first || u.View.LastHappeningNumber() < before.LastHappeningNumber() { // or an undo
		t.placePawnsFromView(u.View)
	} else {
		news = u.View.HappeningsAfter(before.LastHappeningNumber())
	}
	accepted := t.reactToNotice(u.Notice)
	dealing := accepted != nil && accepted == t.presented
	if accepted != nil {
		t.moveCardAndTag(accepted, spotAfterAcceptance(accepted, before, news))
	}
	for _, h := range news {
		t.moveByHappening(h)
	}
	t.returnClueCards(u.View)
	t.showOpenCards(u.View)
	t.followPhones(u.View)
	switch {
	case u.View.Phase != before.Phase:
	case dealing:
		t.misreads = 0
		t.scheduleNextPresentation(u.View.Phase, nil)
	case again != nil && t.misreads < maxMisreads:
		t.misreads++
		t.scheduleNextPresentation(u.View.Phase, again)
	}
	t.saveAndNotify()
}

// misreadCard returns the card of the helping hand if it must be presented again: it was misread, and no other card was
// on the reader. After an alarm it returns nil: people check the cards first.
func (t *Table) misreadCard(n *wire.Notice) *card {
	if n == nil || n.Signal != wire.SignalAgain || n.Rule == engine.RuleAlarm || n.Reader != engine.ReaderShow || t.presented == nil ||
		len(t.hands[n.Reader].cards) > 1 {
		return nil
	}
	return t.presented
}

// reactToNotice does what a reader's light asks for and returns the card that was accepted, nil for none. If several cards are there,
// it is not public which one was accepted. It must be the last one: the earlier ones were ignored, or the hand would
// have released them. A card may also be accepted while the hand takes it back after a refusal; then it is that one.
func (t *Table) reactToNotice(n *wire.Notice) *card {
	if n == nil {
		return nil
	}
	h := t.hands[n.Reader]
	switch {
	case n.Signal == wire.SignalAgain && h != nil:
		t.returnHandCards(n.Reader, h)
	case n.Signal == wire.SignalAccepted && h != nil:
		for _, c := range slices.Backward(h.cards) {
			if c.Card != "" {
				return c
			}
		}
	case n.Signal == wire.SignalAccepted:
		if c := t.returned[n.Reader]; c != nil && c.Card != "" && c.Spot == c.home {
			return c
		}
	}
	return nil
}

// spotAfterAcceptance returns the spot of an accepted card after the happenings. While a Cluedo is dealt, only cards that are
// placed in rooms are reported singly: any other is in the hand of the seat that the reader waited for, or in the
// envelope.
func spotAfterAcceptance(c *card, before engine.View, news []*engine.Happening) string {
	if before.Phase == "dealing" && !slices.ContainsFunc(news, func(h *engine.Happening) bool { return h.What == engine.HapLaid }) {
		role, _ := readerAtSpot(c.Spot)
		if seat := awaitedSeat(before, role); seat != 0 {
			return handSpot(seat)
		}
		return wire.SpotEnvelope
	}
	for _, h := range news {
		switch h.What {
		case engine.HapReceived, engine.HapTaken, engine.HapDrew, engine.HapRecovered:
			return handSpot(h.Seat)
		case engine.HapPassed:
			return handSpot(h.Other)
		case engine.HapLaid, engine.HapLeft:
			return string(h.Place)
		case engine.HapFell:
			return wire.SpotUrn
		}
	}
	return c.home // shown: its owner takes it back; showOpenCards turns a card that stays open
}

// placePawnsFromView places the pawns as the view says. It is called when a game begins, when the bench joins a running game and
// after an undo. In the lobby it removes them and puts all cards back into the box.
func (t *Table) placePawnsFromView(v engine.View) {
	clear(t.pawns)
	for _, s := range v.Seats {
		if s.Alive && s.Place != "" {
			t.pawns[s.Seat] = s.Place
		}
	}
	if v.Phase != engine.PhaseLobby {
		return
	}
	for _, c := range t.cards {
		t.moveCardAndTag(c, wire.SpotBox)
	}
	clear(t.pawns)
}

// moveByHappening moves pawns and cards as all players see it happen.
func (t *Table) moveByHappening(h *engine.Happening) {
	v := t.lastUpdate.View
	switch h.What {
	case engine.HapBegun:
		t.placePawnsFromView(v)
		t.placeMatchingCards(func(c *card) bool { return isEventCard(c) && c.Spot == wire.SpotBox }, wire.SpotPile)
	case engine.HapRedrawn:
		again := map[string][]engine.ID{"roles": {"role-card"}, "laying": {"clue", "weapon"},
			"dealing": {"suspect", "weapon", "room"}}[v.Phase]
		t.placeMatchingCards(func(c *card) bool { return slices.Contains(again, c.Kind) }, wire.SpotBox)
	case engine.HapAssigned:
		t.giveMissingRoleCards(v)
	case engine.HapClue:
		t.moveDrawnClueCard(h)
	case engine.HapDealt:
		t.matchPilesToView() // players without a reader place or deal the cards all the same
	case engine.HapMoved:
		delete(t.pawns, h.Seat)
		if h.Place != "" {
			t.pawns[h.Seat] = h.Place
		}
	case engine.HapOpened:
		if len(h.Cards) == 0 { // its clues are named later
			t.placeMatchingCards(func(c *card) bool { return c.Spot == wire.SpotUrn }, wire.SpotOpen)
		}
	case engine.HapRecovered:
		t.placeMatchingCards(shownCardFilter(h), handSpot(h.Seat))
	case engine.HapRest:
		t.placeMatchingCards(shownCardFilter(h), string(h.Place))
	case engine.HapShown: // its owner takes it back, though the reader may wait for the next
		for _, c := range t.cards {
			if c.Spot == wire.SpotShow && c.home == handSpot(h.Seat) {
				t.moveCardAndTag(c, c.home)
			}
		}
	case engine.HapDied:
		delete(t.pawns, h.Seat)
		t.placeMatchingCards(func(c *card) bool { return c.Spot == handSpot(h.Seat) && c.Kind != "role-card" }, string(h.Place))
	case engine.HapMurdered:
		delete(t.pawns, h.Seat)
		for _, c := range t.cards {
			if isEventCard(c) && c.Spot == handSpot(h.Seat) {
				t.moveCardAndTag(c, wire.SpotGone)
				c.Up = false // a Butler card leaves face down (C8-135)
			}
		}
	}
}

// placeMatchingCards puts every matching card at a spot, except cards on a reader: they are in a hand.
func (t *Table) placeMatchingCards(matches func(*card) bool, spot string) {
	for _, c := range t.cards {
		if matches(c) && !isOnReader(c) {
			t.moveCardAndTag(c, spot)
		}
	}
}

// shownCardFilter returns a filter for the cards of a happening that are face up in the middle.
func shownCardFilter(h *engine.Happening) func(*card) bool {
	return func(c *card) bool { return c.Spot == wire.SpotOpen && slices.Contains(h.Cards, c.Card) }
}

// showOpenCards turns face up the cards that the view shows to all, and moves them where open cards belong.
func (t *Table) showOpenCards(v engine.View) {
	for _, c := range t.cards {
		gone := slices.Contains(v.Gone, c.Card)
		switch {
		case c.Card == "" || isOnReader(c), v.Case != nil && v.Case.Virtual:
		case gone && c.Spot != wire.SpotGone:
			t.moveCardAndTag(c, wire.SpotGone)
		case !gone && isEventCard(c) && c.Spot == wire.SpotGone && c.Up:
			t.moveCardAndTag(c, wire.SpotPile) // the Time card that kills is shuffled in again
		case !slices.Contains(v.Shown, c.Card):
		case v.Case != nil:
			c.Up = true // in its spot: in front of a murdered player, or out of the envelope
		case c.Spot != wire.SpotOpen:
			t.moveCardAndTag(c, wire.SpotOpen)
		}
	}
	t.followRoles(v)
}

func countSeatsDone(v engine.View) (n int) {
	for _, s := range v.Seats {
		if s.Done {
			n++
		}
	}
	return n
}

func isOnReader(c *card) bool { _, on := readerAtSpot(c.Spot); return on }

// maxMisreads is the most times in a row that the helping hand presents a card again.
const maxMisreads = 3

// startPresentingCards starts the helping hand: it presents the cards that this phase needs, from the box at the table reader,
// one after the other, and again if one was misread. It stops when the phase ends, or when a card is refused or moved
// away from the reader.
func (t *Table) startPresentingCards() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isPresentingCards() {
		return errBusy
	}
	t.misreads = 0
	t.scheduleNextPresentation(t.lastUpdate.View.Phase, nil) // the card before may only just have left the reader
	t.saveAndNotify()
	return nil
}

// isPresentingCards reports whether the helping hand is at work.
func (t *Table) isPresentingCards() bool { return t.presented != nil || t.dealTimer != nil }

// scheduleNextPresentation presents the next card after the pause, or c again, if the phase still goes on.
func (t *Table) scheduleNextPresentation(phase string, c *card) {
	if t.opts.Pause == 0 {
		t.presentNextCard(c)
		return
	}
	t.dealTimer = time.AfterFunc(t.opts.Pause, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.dealTimer = nil
		if !t.closed && t.lastUpdate.View.Phase == phase {
			t.presentNextCard(c)
		}
		t.saveAndNotify()
	})
}

func (t *Table) presentNextCard(c *card) {
	var pile []*card
	switch v := t.lastUpdate.View; v.Phase {
	case "roles":
		pile = t.cards.roleCardsToDeal(len(v.Seats) - countSeatsDone(v))
	case "laying":
		pile = t.cards.inBox("clue", "weapon")
	case "dealing":
		pile = t.nextCluedoCardsToDeal(v)
	}
	if len(pile) == 0 {
		return
	}
	if c == nil || c.Spot != wire.SpotBox { // or the misread card was moved
		t.misreads = 0
		c = pile[t.opts.Dice.Intn(len(pile))]
	}
	t.moveCardAndTag(c, wire.SpotShow)
	if isOnReader(c) {
		t.presented = c
	}
}
