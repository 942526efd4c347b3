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
	tired *time.Timer
	slow  bool // the reader is awaited, but nothing has happened for Dwell
}

// holdCard gives a card that has just been put on a reader to the hand there. If the game waits for a card, the hand
// waits for the answer. If no answer will come, it takes the cards back Dwell after the last one: if the game waits for
// nothing there, the cable is pulled out, or there is only a bank card, which is no presentation (GEN-E14).
func (t *Table) hold(role string, c *card) {
	h := t.hands[role]
	if h == nil {
		h = &hand{}
		h.tired = time.AfterFunc(t.opts.Dwell, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if h.slow = t.awaited(role) && h.hasCard(); h.slow {
				h.tired.Reset(t.opts.Dwell)
			} else {
				t.takeBack(role, h)
			}
			t.ring()
		})
		t.hands[role] = h
	}
	delete(t.late, role)
	h.cards, h.slow = append(h.cards, c), false
	h.tired.Reset(t.opts.Dwell)
}

// hasCard reports whether there is a card that the table answers.
func (h *hand) hasCard() bool {
	return slices.ContainsFunc(h.cards, func(c *card) bool { return !c.isBank })
}

// isSlow reports whether a hand waits at a reader that has not answered for Dwell.
func (t *Table) slow() bool {
	for _, h := range t.hands {
		if h.slow {
			return true
		}
	}
	return false
}

// isAwaited reports whether the table will answer a card at this reader.
func (t *Table) awaited(role string) bool {
	return !t.closed && t.plugged[role] && t.seen.Paused == nil && t.seen.Table.Readers[role] != "lost" &&
		slices.ContainsFunc(t.seen.View.Readers, func(r engine.ReaderView) bool { return r.Reader == role })
}

// releaseCard removes a card that is moved off a reader from the hand there.
func (t *Table) letGo(role string, c *card) {
	if c == t.dealt {
		t.dealt = nil // the helping hand stops here, but continues after an accepted card
	}
	h := t.hands[role]
	if h == nil {
		return
	}
	h.cards = slices.DeleteFunc(h.cards, func(x *card) bool { return x == c })
	if len(h.cards) == 0 {
		h.tired.Stop()
		delete(t.hands, role)
	}
}

// returnCards puts all cards of a hand back where they were.
func (t *Table) takeBack(role string, h *hand) {
	for _, c := range slices.Clone(h.cards) {
		t.lay(c, c.home)
		t.late[role] = c
	}
}

// HandleUpdate receives the public update, as all players see it, and lets the simulated people do what is public: take
// a card back from a reader or let it go, move pawns, turn over the urn, put down the hands of the dead. It does not
// block.
func (t *Table) Hear(u wire.Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := !t.heard
	if u.View.Game != t.game && t.names[u.View.Game] != nil {
		t.turnTo(u.View.Game)
		t.seen, first = wire.Update{}, true
	}
	before := t.seen.View
	again := t.misread(u.Notice)
	t.seen, t.heard = u, true
	var news []*engine.Happening
	if first || u.View.Last() < before.Last() { // or an undo
		t.settle(u.View)
	} else {
		news = u.View.Since(before.Last())
	}
	accepted := t.answered(u.Notice)
	dealing := accepted != nil && accepted == t.dealt
	if accepted != nil {
		t.lay(accepted, rest(accepted, before, news))
	}
	for _, h := range news {
		t.follow(h)
	}
	t.layUnder(u.View)
	t.lieOpen(u.View)
	switch {
	case u.View.Phase != before.Phase:
	case dealing:
		t.misreads = 0
		t.dealOn(u.View.Phase, nil)
	case again != nil && t.misreads < maxMisreads:
		t.misreads++
		t.dealOn(u.View.Phase, again)
	}
	t.ring()
}

// misreadCard returns the card of the helping hand if it must be presented again: it was misread, and no other card was
// on the reader. After an alarm it returns nil: people check the cards first.
func (t *Table) misread(n *wire.Notice) *card {
	if n == nil || n.Signal != wire.SignalAgain || n.Rule == engine.RuleAlarm || n.Reader != engine.ReaderShow || t.dealt == nil ||
		len(t.hands[n.Reader].cards) > 1 {
		return nil
	}
	return t.dealt
}

// answerNotice does what a reader's light asks for and returns the card that was accepted. If several cards are there,
// it is not public which one was accepted. It must be the last one: the earlier ones were ignored, or the hand would
// have released them. A card may also be accepted while the hand takes it back after a refusal; then it is that one.
func (t *Table) answered(n *wire.Notice) *card {
	if n == nil {
		return nil
	}
	h := t.hands[n.Reader]
	switch {
	case n.Signal == wire.SignalAgain && h != nil:
		t.takeBack(n.Reader, h)
	case n.Signal == wire.SignalAccepted && h != nil:
		for _, c := range slices.Backward(h.cards) {
			if c.Card != "" {
				return c
			}
		}
	case n.Signal == wire.SignalAccepted:
		if c := t.late[n.Reader]; c != nil && c.Card != "" && c.Spot == c.home {
			return c
		}
	}
	return nil
}

// restingSpot returns the spot of an accepted card after the happenings. While a Cluedo is dealt, only cards that are
// placed in rooms are reported singly: any other is in the hand of the seat that the reader waited for, or in the
// envelope.
func rest(c *card, before engine.View, news []*engine.Happening) string {
	if before.Phase == "dealing" && !slices.ContainsFunc(news, func(h *engine.Happening) bool { return h.What == engine.HapLaid }) {
		role, _ := reader(c.Spot)
		if seat := asked(before, role); seat != 0 {
			return handOf(seat)
		}
		return wire.SpotEnvelope
	}
	for _, h := range news {
		switch h.What {
		case engine.HapReceived, engine.HapTaken, engine.HapDrew, engine.HapRecovered:
			return handOf(h.Seat)
		case engine.HapPassed:
			return handOf(h.Other)
		case engine.HapLaid, engine.HapLeft:
			return string(h.Place)
		case engine.HapFell:
			return wire.SpotUrn
		}
	}
	return c.home // shown: its owner takes it back; showOpenCards turns a card that stays open
}

// resetTable starts again: the bench has joined a game that is already running, or something was undone. In the lobby
// all cards are in their box.
func (t *Table) settle(v engine.View) {
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
		t.lay(c, wire.SpotBox)
	}
	clear(t.pawns)
}

// followHappening moves pawns and cards as all players see it happen.
func (t *Table) follow(h *engine.Happening) {
	v := t.seen.View
	switch h.What {
	case engine.HapBegun:
		t.settle(v)
		t.layAll(func(c *card) bool { return isEvent(c) && c.Spot == wire.SpotBox }, wire.SpotPile)
	case engine.HapRedrawn:
		again := map[string][]engine.ID{"roles": {"role-card"}, "laying": {"clue", "weapon"},
			"dealing": {"suspect", "weapon", "room"}}[v.Phase]
		t.layAll(func(c *card) bool { return slices.Contains(again, c.Kind) }, wire.SpotBox)
	case engine.HapAssigned:
		t.drawRoles(v)
	case engine.HapClue:
		t.readAloud(h)
	case engine.HapDealt:
		t.tidy() // players without a reader place or deal the cards all the same
	case engine.HapMoved:
		delete(t.pawns, h.Seat)
		if h.Place != "" {
			t.pawns[h.Seat] = h.Place
		}
	case engine.HapOpened:
		if len(h.Cards) == 0 { // its clues are named later
			t.layAll(func(c *card) bool { return c.Spot == wire.SpotUrn }, wire.SpotOpen)
		}
	case engine.HapRecovered:
		t.layAll(shown(h), handOf(h.Seat))
	case engine.HapRest:
		t.layAll(shown(h), string(h.Place))
	case engine.HapShown: // its owner takes it back, though the reader may wait for the next
		for _, c := range t.cards {
			if c.Spot == wire.SpotShow && c.home == handOf(h.Seat) {
				t.lay(c, c.home)
			}
		}
	case engine.HapDied:
		delete(t.pawns, h.Seat)
		t.layAll(func(c *card) bool { return c.Spot == handOf(h.Seat) && c.Kind != "role-card" }, string(h.Place))
	case engine.HapMurdered:
		delete(t.pawns, h.Seat)
		for _, c := range t.cards {
			if isEvent(c) && c.Spot == handOf(h.Seat) {
				t.lay(c, wire.SpotGone)
				c.Up = false // a Butler card leaves face down (C8-135)
			}
		}
	}
}

// placeAll puts every matching card at a spot, except cards on a reader: they are in a hand.
func (t *Table) layAll(such func(*card) bool, spot string) {
	for _, c := range t.cards {
		if such(c) && !onReader(c) {
			t.lay(c, spot)
		}
	}
}

// isShownIn returns a filter for the cards of a happening that are face up in the middle.
func shown(h *engine.Happening) func(*card) bool {
	return func(c *card) bool { return c.Spot == wire.SpotOpen && slices.Contains(h.Cards, c.Card) }
}

// showOpenCards turns the cards that are face up for all, however they got there.
func (t *Table) lieOpen(v engine.View) {
	for _, c := range t.cards {
		gone := slices.Contains(v.Gone, c.Card)
		switch {
		case c.Card == "" || onReader(c), v.Case != nil && v.Case.Virtual:
		case gone && c.Spot != wire.SpotGone:
			t.lay(c, wire.SpotGone)
		case !gone && isEvent(c) && c.Spot == wire.SpotGone && c.Up:
			t.lay(c, wire.SpotPile) // the Time card that kills is shuffled in again
		case !slices.Contains(v.Shown, c.Card):
		case v.Case != nil:
			c.Up = true // in its spot: in front of a murdered player, or out of the envelope
		case c.Spot != wire.SpotOpen:
			t.lay(c, wire.SpotOpen)
		}
	}
	for _, s := range v.Seats {
		if s.Role != "" {
			t.turnRole(s)
		}
	}
}

func done(v engine.View) (n int) {
	for _, s := range v.Seats {
		if s.Done {
			n++
		}
	}
	return n
}

func onReader(c *card) bool { _, on := reader(c.Spot); return on }

// maxMisreads is the most times in a row that the helping hand presents a card again.
const maxMisreads = 3

// startDealing starts the helping hand: it presents the cards that this phase needs, from the box at the table reader,
// one after the other, and again if one was misread. It stops when the phase ends, or when a card is refused anyway or
// is moved away from it.
func (t *Table) deal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dealing() {
		return errBusy
	}
	t.misreads = 0
	t.dealOn(t.seen.View.Phase, nil) // the card before may only just have left the reader
	t.ring()
	return nil
}

// isDealing reports whether the helping hand is at work.
func (t *Table) dealing() bool { return t.dealt != nil || t.pause != nil }

// scheduleDeal presents the next card after the pause, or c again, if the phase still goes on.
func (t *Table) dealOn(phase string, c *card) {
	if t.opts.Pause == 0 {
		t.dealNext(c)
		return
	}
	t.pause = time.AfterFunc(t.opts.Pause, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.pause = nil
		if !t.closed && t.seen.View.Phase == phase {
			t.dealNext(c)
		}
		t.ring()
	})
}

func (t *Table) dealNext(c *card) {
	var pile []*card
	switch v := t.seen.View; v.Phase {
	case "roles":
		pile = t.rolePile(len(v.Seats) - done(v))
	case "laying":
		pile = t.inBox("clue", "weapon")
	case "dealing":
		pile = t.casePile(v)
	}
	if len(pile) == 0 {
		return
	}
	if c == nil || c.Spot != wire.SpotBox { // or the misread card was moved
		t.misreads = 0
		c = pile[t.opts.Dice.Intn(len(pile))]
	}
	t.lay(c, wire.SpotShow)
	if onReader(c) {
		t.dealt = c
	}
}

func (t *Table) inBox(kinds ...engine.ID) []*card {
	var pile []*card
	for _, c := range t.cards {
		if c.Spot == wire.SpotBox && slices.Contains(kinds, c.Kind) {
			pile = append(pile, c)
		}
	}
	return pile
}

// rolesToDeal returns as many role cards as there are seats without one: the Murderer, if it is still in the box, and
// Innocents (HC-004).
func (t *Table) rolePile(seats int) []*card {
	pile := t.inBox("role-card")
	slices.SortStableFunc(pile, func(a, b *card) int {
		switch {
		case a.Card == b.Card:
			return 0
		case a.Card == "role-murderer":
			return -1
		case b.Card == "role-murderer":
			return 1
		}
		return 0
	})
	return pile[:max(0, min(seats, len(pile)))]
}
