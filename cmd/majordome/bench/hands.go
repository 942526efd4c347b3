package bench

import (
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// hand holds cards at one reader until the table says something about them.
type hand struct {
	cards []*card // in the order in which they were put
	tired *time.Timer
	slow  bool // the reader is awaited, and has said nothing for Dwell
}

// hold gives a card that has just been put on a reader to the hand there. The
// hand waits for the table's answer where the game waits for a card. It goes after
// Dwell from its last card on where no answer will come: the game waits for
// nothing there, the cable is out, or a bank card alone lies there, which is no
// presentation (GEN-E14).
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

// hasCard reports a card that the table answers to.
func (h *hand) hasCard() bool {
	return slices.ContainsFunc(h.cards, func(c *card) bool { return !c.isBank })
}

// slow reports that a hand waits for a reader that has said nothing for Dwell.
func (t *Table) slow() bool {
	for _, h := range t.hands {
		if h.slow {
			return true
		}
	}
	return false
}

// awaited tells that the table will say something about a card at this reader.
func (t *Table) awaited(role string) bool {
	return !t.closed && t.plugged[role] && t.seen.Paused == nil && t.seen.Table.Readers[role] != "lost" &&
		slices.ContainsFunc(t.seen.View.Readers, func(r engine.ReaderView) bool { return r.Reader == role })
}

// letGo ends the hold on a card that is moved off a reader, whoever moves it.
func (t *Table) letGo(role string, c *card) {
	if c == t.dealt {
		t.dealt = nil // the helping hand stops here; an accepted card makes it go on
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

// takeBack takes everything that a hand holds back to where it was.
func (t *Table) takeBack(role string, h *hand) {
	for _, c := range slices.Clone(h.cards) {
		t.lay(c, c.home)
		t.late[role] = c
	}
}

// Hear takes the public update that everybody at the table sees, and lets the
// simulated people do what is public: take a card back from a reader or let it
// go, move pawns, turn over the urn, lay down the hands of the dead. It does
// not block.
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
	if first || u.View.Last() < before.Last() { // or taken back
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

// misread is the card of the helping hand when it is to be presented again, because it
// was read badly and nobody else's lay beside it. After an alarm none is: the cards are
// looked at first.
func (t *Table) misread(n *wire.Notice) *card {
	if n == nil || n.Signal != wire.SignalAgain || n.Rule == engine.RuleAlarm || n.Reader != engine.ReaderShow || t.dealt == nil || len(t.hands[n.Reader].cards) > 1 {
		return nil
	}
	return t.dealt
}

// answered does what a reader's light asks for and names the card that was
// accepted. Which one it was is not public when several lie there, so it is
// taken to be the last one put: those before it were ignored, or the hand would
// have let them go. A card may also be read while the hand that was refused
// takes it back; then it was that one.
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

// rest is where an accepted card comes to lie, by what happened. While a Cluedo is
// dealt nobody is told of single cards but of those laid in rooms: it is in the hand of whom the
// reader waited for.
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
	return c.home // shown: its owner takes it back; what is laid open is turned by lieOpen
}

// settle is a fresh start: the bench has come to a game that goes on, or something was
// taken back. In the lobby everything lies in its box.
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

// follow does with pawns and cards what everybody sees happen.
func (t *Table) follow(h *engine.Happening) {
	v := t.seen.View
	switch h.What {
	case engine.HapBegun:
		t.settle(v)
		t.layAll(func(c *card) bool { return isEvent(c) && c.Spot == wire.SpotBox }, wire.SpotPile)
	case engine.HapRedrawn:
		again := map[string][]engine.ID{"roles": {"role-card"}, "laying": {"clue", "weapon"}, "dealing": {"suspect", "weapon", "room"}}[v.Phase]
		t.layAll(func(c *card) bool { return slices.Contains(again, c.Kind) }, wire.SpotBox)
	case engine.HapAssigned:
		t.drawRoles(v)
	case engine.HapClue:
		t.readAloud(h)
	case engine.HapDealt:
		t.tidy() // who has no reader lays or deals the cards all the same
	case engine.HapMoved:
		delete(t.pawns, h.Seat)
		if h.Place != "" {
			t.pawns[h.Seat] = h.Place
		}
	case engine.HapOpened:
		if len(h.Cards) == 0 { // its clues are yet to be named
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
				c.Up = false // a Butler card leaves unseen (C8-135)
			}
		}
	}
}

// layAll lays every such card at a spot; what is on a reader is in somebody's hand.
func (t *Table) layAll(such func(*card) bool, spot string) {
	for _, c := range t.cards {
		if such(c) && !onReader(c) {
			t.lay(c, spot)
		}
	}
}

// shown are the cards of a happening that lie open in the middle.
func shown(h *engine.Happening) func(*card) bool {
	return func(c *card) bool { return c.Spot == wire.SpotOpen && slices.Contains(h.Cards, c.Card) }
}

// lieOpen turns what lies face up for all, whoever put it there and however.
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
			c.Up = true // where it lies: before a murdered player, or out of the envelope
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

// maxMisreads is how often in a row the helping hand presents a card again.
const maxMisreads = 3

// deal sets the helping hand to work: it presents what this phase needs from the
// box at the table reader, one card after the other, and one that was read
// badly again. It stops when the phase ends, when a card is not accepted for all
// that, or is taken from it.
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

// dealing reports that the helping hand is at work.
func (t *Table) dealing() bool { return t.dealt != nil || t.pause != nil }

// dealOn presents the next card after the pause, or c again, if the phase still
// goes on.
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
	if c == nil || c.Spot != wire.SpotBox { // or somebody has moved the one that was misread
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

// rolePile is as many role cards as there are seats without one: the Murderer,
// if it still lies in the box, and Innocents (HC-004).
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
