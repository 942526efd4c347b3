package bench

import (
	"math/rand/v2"
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
// nothing there, or the cable is out.
func (t *Table) hold(role string, c *card) {
	h := t.hands[role]
	if h == nil {
		h = &hand{}
		h.tired = time.AfterFunc(t.opts.Dwell, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if h.slow = t.awaited(role); h.slow {
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
	if u.View.Game != t.game && t.names[u.View.Game] != nil {
		t.turnTo(u.View.Game)
		t.seen = wire.Update{}
	}
	before := t.seen.View
	t.seen = u
	again := t.misread(u.Notice)
	accepted := t.answered(u.Notice)
	dealing := accepted != nil && accepted == t.dealt
	if accepted != nil {
		t.lay(accepted, rest(accepted, before, u.View))
	}
	t.follow(before, u.View)
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
	if n == nil || n.Signal != "again" || n.Rule == engine.RuleAlarm || n.Reader != engine.ReaderShow || t.dealt == nil || len(t.hands[n.Reader].cards) > 1 {
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
	case n.Signal == "again" && h != nil:
		t.takeBack(n.Reader, h)
	case n.Signal == "accepted" && h != nil:
		for _, c := range slices.Backward(h.cards) {
			if c.Card != "" {
				return c
			}
		}
	case n.Signal == "accepted":
		if c := t.late[n.Reader]; c != nil && c.Card != "" && c.Spot == c.home {
			return c
		}
	}
	return nil
}

// rest is where an accepted card comes to lie. It follows from public numbers:
// who was to act, whose hand or which pile has grown.
func rest(c *card, before, after engine.View) string {
	if after.Case != nil {
		return caseRest(c, before, after)
	}
	grown, grew := grownPlace(before, after)
	switch before.Phase {
	case "deposit":
		return wire.SpotUrn
	case "roles": // a role card does not count as a card in hand
		if len(before.Active) > 0 {
			return handOf(before.Active[0])
		}
	case "laying", "investigation": // laid out, or left in a swap
		if grew {
			return grown
		}
	}
	if seat, ok := grownHand(before, after); ok {
		return seat
	}
	return c.home
}

// grownHand is the hand that holds more cards than before.
func grownHand(before, after engine.View) (spot string, ok bool) {
	for _, s := range after.Seats {
		if was, ok := seatOf(before, s.Seat); ok && s.Cards > was.Cards {
			return handOf(s.Seat), true
		}
	}
	return "", false
}

// grownPlace is the place that holds more cards than before.
func grownPlace(before, after engine.View) (spot string, ok bool) {
	for i, p := range after.Places {
		if i < len(before.Places) && p.Cards > before.Places[i].Cards {
			return string(p.Place), true
		}
	}
	return "", false
}

func seatOf(v engine.View, s engine.Seat) (engine.SeatView, bool) {
	for _, x := range v.Seats {
		if x.Seat == s {
			return x, true
		}
	}
	return engine.SeatView{}, false
}

// follow does with pawns and cards what everybody sees happen.
func (t *Table) follow(before, after engine.View) {
	if after.Phase == "lobby" && before.Phase != "lobby" {
		for _, c := range t.cards {
			t.lay(c, wire.SpotBox)
		}
		clear(t.pawns)
	}
	if before.Phase == "roles" && after.Phase == "roles" && done(before) > 0 && done(after) == 0 {
		for _, c := range t.cards { // they were not right: everybody draws again (HC-004)
			if c.Kind == "role-card" && !onReader(c) {
				t.lay(c, wire.SpotBox)
			}
		}
	}
	if before.Urn > 0 && after.Urn == 0 && after.Phase == "reveal" { // opened, and its clues are yet to be named
		for _, c := range t.cards {
			if c.Spot == wire.SpotUrn {
				t.lay(c, wire.SpotOpen)
			}
		}
	}
	if before.Phase == "roles" && after.Phase == "laying" {
		t.drawRoles(after)
	}
	for _, s := range after.Seats {
		was, known := seatOf(before, s.Seat)
		t.followSeat(was, s, known)
	}
	for _, c := range t.cards {
		if c.Card == "" {
			continue
		}
		switch {
		case slices.Contains(after.Gone, c.Card):
			if c.Spot != wire.SpotGone {
				t.lay(c, wire.SpotGone)
			}
		case slices.Contains(after.Shown, c.Card) && after.Case != nil:
			c.Up = c.Up || !onReader(c) // laid open where it lies: before a murdered player, or out of the envelope
		case slices.Contains(after.Shown, c.Card):
			if c.Spot != wire.SpotOpen && !onReader(c) {
				t.lay(c, wire.SpotOpen)
			}
		case slices.Contains(before.Shown, c.Card) && c.Spot == wire.SpotOpen:
			t.lay(c, taken(c, before, after))
		}
	}
	if before.Phase == "laying" && after.Phase != "laying" && after.Phase != "lobby" {
		t.tidy() // who has no reader lays the clues all the same
	}
	if after.Case != nil {
		t.followCase(before, after)
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

func (t *Table) followSeat(was, now engine.SeatView, known bool) {
	switch {
	case !now.Alive:
		delete(t.pawns, now.Seat)
		if !known || !was.Alive || t.seen.View.Case != nil { // in a Cluedo a murdered player goes on answering
			break
		}
		for _, c := range t.cards {
			if c.Spot == handOf(now.Seat) && c.Kind != "role-card" && was.Place != "" {
				t.lay(c, string(was.Place))
			}
		}
	case now.Place != "" && now.Place != was.Place:
		t.pawns[now.Seat] = now.Place
	}
	if now.Role != "" {
		t.turnRole(now)
	}
}

func onReader(c *card) bool { _, on := reader(c.Spot); return on }

// taken is where a card went that had been lying face up. Several may go in one
// step, so the story tells it; the numbers do when the story is too long.
func taken(c *card, before, after engine.View) string {
	told := 0
	if n := len(before.Log); n > 0 {
		told = before.Log[n-1].N
	}
	for _, line := range after.Log {
		a := line.Msg.Args
		switch {
		case line.N <= told || a["card"] != string(c.Card):
		case a["place"] != "":
			return a["place"]
		case a["seat"] != "":
			return handPrefix + a["seat"]
		}
	}
	if spot, ok := grownHand(before, after); ok {
		return spot
	}
	if spot, ok := grownPlace(before, after); ok {
		return spot
	}
	return c.Spot
}

// maxMisreads is how often in a row the helping hand presents a card again.
const maxMisreads = 3

// deal sets the helping hand to work: it presents what this phase needs from the
// box at the refutation reader, one card after the other, and one that was read
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
		c = pile[rand.IntN(len(pile))]
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
