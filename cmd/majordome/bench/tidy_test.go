package bench

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// newDealtRig returns a rig where the machine has drawn the roles and dealt the clues, and no card was put on a reader.
func newDealtRig(t testing.TB) *rig {
	t.Helper()
	r := newSeatedRig(t, Opts{Dwell: forever})
	r.act(engine.Host, "draw-roles")
	r.act(engine.Host, "deal")
	return r
}

// checkHeaps compares every heap of clues with the public numbers.
func (r *rig) checkHeaps() {
	r.t.Helper()
	v := r.update.View
	same := func(spot string, want int) {
		r.t.Helper()
		if n := len(r.cardsAt(spot, "clue", "weapon")); n != want {
			r.t.Errorf("%s in %s: %d clues on the table, %d by the record", spot, v.Phase, n, want)
		}
	}
	for _, p := range v.Places {
		same(string(p.Place), p.Cards)
	}
	for _, s := range v.Seats {
		if s.Alive {
			same(handSpot(s.Seat), s.Cards)
		}
	}
	same(wire.SpotUrn, v.Urn)
	same(wire.SpotBox, 0)
}

// TestWithoutReaders: without readers the bench still gives each seat a role and puts out the clues: one Murderer among
// the roles, and on the first place one clue of each character and the weapon of that place (HC-004, HC-007).
func TestWithoutReaders(t *testing.T) {
	r := newDealtRig(t)
	r.checkPhase("pick")
	r.checkHeaps()
	murderers := 0
	for s := engine.Seat(1); s <= 4; s++ {
		cards := r.cardsAt(handSpot(s), "role-card")
		if len(cards) != 1 {
			t.Errorf("%s holds the role cards %v", s, cards)
		}
		if slices.Contains(cards, "role-murderer") {
			murderers++
		}
	}
	if murderers != 1 {
		t.Errorf("%d Murderers", murderers)
	}
	start := r.update.View.Seats[0].Place
	of := map[engine.ID]int{}
	for _, id := range r.cardsAt(string(start), "clue", "weapon") {
		of[r.table.ownerOfCard(id)]++
	}
	if len(of) != 9 || of[start] != 1 {
		t.Errorf("on %s lie %v", start, of)
	}
	r.checkInvariants()
}

// TestTidyMovesCardsBackWhereNumbersSay: cards that were moved about go back so that the public numbers are right;
// cards that are face up for all stay, and so do those on a reader.
func TestTidyMovesCardsBackWhereNumbersSay(t *testing.T) {
	r := newDealtRig(t)
	salon, third := r.cardsAt("place-salon"), r.cardsAt("place-3")
	r.move("hand:seat-2", salon[0], salon[1])
	r.move(wire.SpotBox, third[0])
	r.move(wire.SpotGone, third[1])
	r.performAct(wire.BenchAct{Act: "tidy"})
	r.checkHeaps()
	r.checkInvariants()

	one := r.cardsAt("place-salon")[0]
	r.move(wire.SpotShow, one)
	r.performAct(wire.BenchAct{Act: "tidy"})
	r.checkSpot(one, wire.SpotShow)
	r.checkInvariants()
}

// TestFollowPhones: cards that were swapped, so that all numbers are still right, go back to the hands whose phones show
// them, at the next step as at a tidying; and the role cards are those on the phones.
func TestFollowPhones(t *testing.T) {
	r := newDealtRig(t)
	for _, s := range r.update.View.Seats {
		for range 2 { // its pick, by phone
			o := engine.AllowedOffers(r.game.View(engine.SeatViewer(s.Seat)).Offers)
			i := slices.IndexFunc(o, func(o engine.Offer) bool { return o.Act == "keep" })
			if i < 0 {
				break
			}
			r.act(engine.SeatViewer(s.Seat), "keep", "card", o[i].Params[0].Domain[0])
		}
	}
	check := func() {
		t.Helper()
		for _, s := range r.update.View.Seats {
			me := r.game.View(engine.SeatViewer(s.Seat)).Me
			if len(me.Hand) == 0 {
				t.Fatalf("%s has kept nothing", s.Seat)
			}
			for _, c := range me.Hand {
				r.checkSpot(c.Card, handSpot(s.Seat))
			}
			got := r.cardsAt(handSpot(s.Seat), "role-card")
			if len(got) != 1 || !strings.HasPrefix(string(got[0]), string(me.Role)) {
				t.Errorf("%s is %s and holds %v", s.Seat, me.Role, got)
			}
		}
		r.checkHeaps()
	}
	check()
	swap := func() {
		one, other := r.cardsAt(handSpot(1), "clue", "weapon")[0], r.cardsAt(handSpot(2), "clue", "weapon")[0]
		r.move(handSpot(2), one)
		r.move(handSpot(1), other)
	}
	swap()
	r.performAct(wire.BenchAct{Act: "tidy"})
	check()
	swap()
	r.sendUpdate(nil)
	check()
}

// TestTidyBefore: nothing is tidied while the cards are in the box, or while the helping hand is at work.
func TestTidyBefore(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever})
	r.move("place-salon", "weapon-corde")
	r.performAct(wire.BenchAct{Act: "tidy"})
	r.checkSpot("weapon-corde", "place-salon")
	r.performAct(wire.BenchAct{Act: "deal"})
	r.performAct(wire.BenchAct{Act: "tidy"})
	r.checkInvariants()
}

// TestTurnRole: when the game reveals a role to all, the seat's role card is face up and shows that role, even if the
// machine has drawn the roles and the card in that hand was chosen at random.
func TestTurnRole(t *testing.T) {
	for _, role := range []engine.ID{"role-murderer", "role-innocent"} {
		r := newDealtRig(t)
		r.table.opts.Own = func(engine.Seat) *engine.Own { return nil }
		v := r.update.View
		v.Seats = slices.Clone(v.Seats)
		v.Seats[2].Role = role
		r.table.HandleUpdate(wire.Update{View: v})
		state, _ := r.table.State()
		up := 0
		for _, c := range state.Cards {
			if c.Kind != "role-card" || !c.Up {
				continue
			}
			up++
			if c.Spot != "hand:seat-3" || (c.Card == "role-murderer") != (role == "role-murderer") {
				t.Errorf("%s: %s lies face up at %s", role, c.Card, c.Spot)
			}
		}
		if up != 1 {
			t.Errorf("%s: %d role cards lie face up", role, up)
		}
		for s := engine.Seat(1); s <= 4; s++ {
			if n := len(r.cardsAt(handSpot(s), "role-card")); n != 1 {
				t.Errorf("%s: %s holds %d role cards", role, s, n)
			}
		}
	}
}

// TestNaming: cards in an urn that no reader has read are face up once it is opened, and stay there while they are
// named (4.2).
func TestNaming(t *testing.T) {
	r := newDealtRig(t)
	clues := r.cardsAt("place-salon")[:2]
	r.move(wire.SpotUrn, clues...)
	v := r.update.View
	v.Phase, v.Urn = "deposit", 2
	r.table.HandleUpdate(wire.Update{View: v})
	v.Phase, v.Urn = "reveal", 0
	v.Happened = append(slices.Clone(v.Happened), &engine.Happening{N: v.LastHappeningNumber() + 1, What: engine.HapOpened, Seat: 1})
	r.table.HandleUpdate(wire.Update{View: v})
	r.performAct(wire.BenchAct{Act: "tidy"})
	for _, id := range clues {
		if c := r.card(id); c.Spot != wire.SpotOpen || !c.Up {
			t.Errorf("%s lies at %s", id, c.Spot)
		}
	}
	r.checkInvariants()
}
