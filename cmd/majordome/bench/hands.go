package bench

import (
	"math/rand/v2"
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// hold is the hand at a reader: it waits until the table is told something
// about the presentation, and then lets go of the cards where people would.
func (t *Table) hold(put []*card, before wire.Update, heard <-chan struct{}) {
	patience := time.NewTimer(t.opts.Dwell)
	defer patience.Stop()
	for {
		select {
		case <-heard:
		case <-patience.C:
			t.release(put, func(c *card) string { return c.home })
			return
		}
		t.mu.Lock()
		after := t.seen
		heard = t.heard
		t.mu.Unlock()
		if after.Notice != nil && after.Notice.Signal == "again" && newNotice(before, after) {
			t.release(put, func(c *card) string { return c.home })
			return
		}
		if progressed(before.View, after.View) {
			t.release(put, func(c *card) string { return rest(c, before.View, after.View) })
			return
		}
	}
}

func newNotice(before, after wire.Update) bool {
	return before.Notice == nil || after.Notice.N > before.Notice.N
}

// progressed reports that the public record differs in a way that only an
// accepted card can cause.
func progressed(before, after engine.View) bool {
	if before.Phase != after.Phase || before.Urn != after.Urn || !slices.Equal(before.Active, after.Active) ||
		len(before.Shown) != len(after.Shown) || len(before.Gone) != len(after.Gone) {
		return true
	}
	for i := range min(len(before.Places), len(after.Places)) {
		if before.Places[i].Cards != after.Places[i].Cards {
			return true
		}
	}
	for i := range min(len(before.Seats), len(after.Seats)) {
		b, a := before.Seats[i], after.Seats[i]
		if b.Cards != a.Cards || b.Done != a.Done {
			return true
		}
	}
	return len(before.Log) > 0 && len(after.Log) > 0 && before.Log[len(before.Log)-1].N != after.Log[len(after.Log)-1].N
}

// rest is where an accepted card comes to lie.
func rest(c *card, before, after engine.View) string {
	if c.Spot == wire.SpotSlot {
		if after.Urn > before.Urn || len(after.Shown) > 0 {
			return wire.SpotUrn
		}
		return c.home
	}
	if slices.Contains(after.Gone, c.Card) {
		return wire.SpotGone
	}
	if before.Phase == "laying" {
		for i, p := range after.Places {
			if i < len(before.Places) && p.Cards > before.Places[i].Cards {
				return string(p.Place)
			}
		}
	}
	if len(before.Active) > 0 {
		return handOf(before.Active[0])
	}
	return c.home
}

// release lets go of the cards that still lie on a reader.
func (t *Table) release(put []*card, where func(*card) string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range put {
		if _, on := reader(c.Spot); on {
			t.lay(c, where(c))
		}
	}
	t.ring()
}

// Hear takes the public update that everybody at the table sees, and lets the
// simulated people do what is public: move pawns, turn over the urn, lay down
// the hands of the dead.
func (t *Table) Hear(u wire.Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.seen.View
	t.seen = u
	t.follow(before, u.View)
	close(t.heard)
	t.heard = make(chan struct{})
	t.ring()
}

func (t *Table) follow(before, after engine.View) {
	if after.Phase == "lobby" && before.Phase != "lobby" {
		for _, c := range t.cards {
			t.lay(c, wire.SpotBox)
		}
		clear(t.pawns)
	}
	for _, s := range after.Seats {
		was, known := seatOf(before, s.Seat)
		switch {
		case !s.Alive && known && was.Alive:
			delete(t.pawns, s.Seat)
			for _, c := range t.cards {
				if c.Spot == handOf(s.Seat) && c.Kind != "role-card" {
					t.lay(c, string(was.Place))
				}
			}
		case s.Alive && s.Place != "" && s.Place != was.Place:
			t.pawns[s.Seat] = s.Place
		}
		if s.Role != "" {
			for _, c := range t.cards {
				if c.Spot == handOf(s.Seat) && c.Kind == "role-card" {
					c.Up = true
				}
			}
		}
	}
	for _, c := range t.cards {
		if c.Card == "" {
			continue
		}
		switch {
		case slices.Contains(after.Gone, c.Card) && c.Spot != wire.SpotGone:
			t.lay(c, wire.SpotGone)
		case slices.Contains(after.Shown, c.Card) && c.Spot != wire.SpotOpen && !onReader(c):
			t.lay(c, wire.SpotOpen)
		case slices.Contains(before.Shown, c.Card) && !slices.Contains(after.Shown, c.Card) && !onReader(c):
			t.lay(c, taken(before, after, c.home))
		}
	}
}

func onReader(c *card) bool { _, on := reader(c.Spot); return on }

func seatOf(v engine.View, s engine.Seat) (engine.SeatView, bool) {
	for _, x := range v.Seats {
		if x.Seat == s {
			return x, true
		}
	}
	return engine.SeatView{}, false
}

// taken is where a card went that had been lying face up: to the seat whose
// hand grew, or to the place whose pile grew.
func taken(before, after engine.View, otherwise string) string {
	for _, s := range after.Seats {
		if was, ok := seatOf(before, s.Seat); ok && s.Cards > was.Cards {
			return handOf(s.Seat)
		}
	}
	for i, p := range after.Places {
		if i < len(before.Places) && p.Cards > before.Places[i].Cards {
			return string(p.Place)
		}
	}
	return otherwise
}

// deal is the helping hand: it shuffles what the phase needs and presents it
// at the refutation reader, one card at a time, as people would.
func (t *Table) deal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy {
		return errUnknown
	}
	t.busy = true
	t.ring()
	go func() {
		t.presentAll()
		t.mu.Lock()
		t.busy = false
		t.ring()
		t.mu.Unlock()
	}()
	return nil
}

// presentAll goes on until the phase needs no more cards from the box, or a
// card is not taken.
func (t *Table) presentAll() {
	roles := []*card(nil)
	for {
		t.mu.Lock()
		view, heard := t.seen.View, t.heard
		var next *card
		switch view.Phase {
		case "roles":
			if roles == nil {
				roles = t.rolePile(len(view.Seats))
			}
			if len(roles) > 0 {
				next, roles = roles[0], roles[1:]
			}
		case "laying":
			if pile := t.inBox("clue", "weapon"); len(pile) > 0 {
				next = pile[rand.IntN(len(pile))]
			}
		}
		before := t.seen
		if next == nil {
			t.mu.Unlock()
			return
		}
		t.lay(next, wire.SpotShow)
		t.ring()
		t.mu.Unlock()
		t.hold([]*card{next}, before, heard)
		if t.lies(next, wire.SpotBox) {
			return // not taken: the reader is gone or the game waits for something else
		}
	}
}

func (t *Table) lies(c *card, spot string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return c.Spot == spot
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

// rolePile is one Murderer and an Innocent for each other seat, shuffled (HC-004).
func (t *Table) rolePile(seats int) []*card {
	pile := t.inBox("role-card")
	slices.SortStableFunc(pile, func(a, b *card) int {
		switch {
		case a.Card == "role-murderer":
			return -1
		case b.Card == "role-murderer":
			return 1
		}
		return 0
	})
	pile = pile[:min(seats, len(pile))]
	rand.Shuffle(len(pile), func(i, j int) { pile[i], pile[j] = pile[j], pile[i] })
	return pile
}
