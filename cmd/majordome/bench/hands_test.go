package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// TestBenchHasTheBoxAndTwoForeignCards: the bench has the box of Huis Clos, and two cards that do not belong to it.
func TestBenchHasTheBoxAndTwoForeignCards(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	state, _ := r.table.State()
	n := map[engine.ID]int{}
	for _, c := range state.Cards {
		n[c.Kind]++
		if c.Spot != wire.SpotBox || c.Up {
			t.Errorf("%s does not lie face down in the box", c.Name.EN)
		}
	}
	if n["clue"] != 32 || n["weapon"] != 7 || n["role-card"] != 8 || n["foreign"] != 2 || len(n) != 4 {
		t.Errorf("the box holds %v", n)
	}
	if len(r.table.CardTags()["huis-clos"]) != len(state.Cards)-2 {
		t.Error("a card of the deck without a tag of its own, or a foreign one with a card")
	}
}

// TestTagsAreLegal: every tag of the bench has a number that a reader can read: none has the cascade tag where a level
// of its identifier begins (ISO/IEC 14443-3).
func TestTagsAreLegal(t *testing.T) {
	table := &Table{}
	for range 5000 {
		if err := table.addCard(7, "huis-clos", "clue-1", "clue", engine.Text{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range table.all {
		if u := c.uid.Bytes(); u[0] == 0x88 || u[3] == 0x88 {
			t.Fatalf("%s", c.uid)
		}
	}
}

// TestDealRoles: the helping hand gives each seat one role, one of them the Murderer, and stops when the phase is over.
func TestDealRoles(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever})
	r.move(wire.SpotShow, "role-innocent-2") // Anne draws her role without the helping hand
	r.readField(engine.ReaderShow)
	r.checkSpot("role-innocent-2", "hand:seat-1")
	r.performAct(wire.BenchAct{Act: "deal"})
	if err := r.table.PerformAct(wire.BenchAct{Act: "deal"}); err == nil {
		t.Error("two helping hands")
	}
	if n := r.readAll(engine.ReaderShow); n != 3 {
		t.Errorf("the helping hand presented %d cards", n)
	}
	r.checkPhase("laying")
	murderers := 0
	for s := engine.Seat(1); s <= 4; s++ {
		cards := r.cardsAt(handSpot(s))
		if len(cards) != 1 {
			t.Errorf("%s holds %v", s, cards)
		}
		if slices.Contains(cards, "role-murderer") {
			murderers++
		}
	}
	if murderers != 1 {
		t.Errorf("%d Murderers", murderers)
	}
	if state, _ := r.table.State(); state.Busy {
		t.Error("the helping hand does not rest")
	}
	r.checkInvariants()
}

// TestRolesAgain: with two Innocents too many and no Murderer, all role cards go back into the box and are drawn again.
func TestRolesAgain(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever})
	for _, id := range []engine.ID{"role-innocent-1", "role-innocent-2", "role-innocent-3", "role-innocent-4"} {
		r.move(wire.SpotShow, id)
		r.readField(engine.ReaderShow)
	}
	r.checkPhase("roles")
	if n := len(r.cardsAt(wire.SpotBox, "role-card")); n != 8 {
		t.Errorf("%d role cards in the box, want all 8", n)
	}
}

// TestDealClues: 39 clues, each on the place whose pile has grown.
func TestDealClues(t *testing.T) {
	r := newPickingRig(t, Opts{Dwell: forever})
	r.checkPhase("pick")
	for _, p := range r.update.View.Places {
		if n := len(r.cardsAt(string(p.Place))); n != p.Cards {
			t.Errorf("%s: %d cards on the table, %d by the record", p.Place, n, p.Cards)
		}
	}
	if left := r.cardsAt(wire.SpotBox, "clue", "weapon"); len(left) != 0 {
		t.Errorf("left in the box: %v", left)
	}
	r.performAct(wire.BenchAct{Act: "deal"}) // there is nothing left to do
	if state, _ := r.table.State(); state.Busy {
		t.Error("the helping hand works in the wrong phase")
	}
}

// TestDealStops: while the cable of the reader is unplugged, the helping hand puts its card back and stops, and can be
// called again.
func TestDealStops(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: 5 * time.Millisecond})
	r.performAct(wire.BenchAct{Act: "unplug", Reader: engine.ReaderShow})
	r.performAct(wire.BenchAct{Act: "deal"})
	waitState(t, r.table, "the helping hand stops", func(b wire.Bench) bool { return !b.Busy })
	if n := len(r.cardsAt(wire.SpotBox, "role-card")); n != 8 {
		t.Errorf("%d role cards in the box, want all 8", n)
	}
	r.checkInvariants()

	r = newSeatedRig(t, Opts{Dwell: forever})
	r.performAct(wire.BenchAct{Act: "deal"})
	dealt := r.cardsAt(wire.SpotShow)[0]
	r.move(wire.SpotBox, dealt) // a person takes it out of the hand
	if state, _ := r.table.State(); state.Busy {
		t.Error("the helping hand does not stop")
	}
	r.performAct(wire.BenchAct{Act: "deal"})
	r.performAct(wire.BenchAct{Act: "move", Card: bankCard(r).Tag, Spot: wire.SpotShow})
	r.readField(engine.ReaderShow)
	if state, _ := r.table.State(); state.Busy || len(r.cardsAt(wire.SpotBox, "role-card")) != 8 {
		t.Error("the helping hand goes on after a refusal")
	}
	r.checkInvariants()
}

// TestDealWaits: when the table takes long to answer, the helping hand leaves the card on the reader as long as
// necessary, the bench reports that it is slow, and the hand goes on after the answer.
func TestDealWaits(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: time.Millisecond})
	r.performAct(wire.BenchAct{Act: "deal"})
	waitState(t, r.table, "the bench says that the reader is slow", func(b wire.Bench) bool { return b.Slow })
	dealt := r.cardsAt(wire.SpotShow)
	if state, _ := r.table.State(); len(dealt) != 1 || !state.Busy {
		t.Fatalf("on the reader: %v, busy %v", dealt, state.Busy)
	}
	r.readField(engine.ReaderShow)
	if state, _ := r.table.State(); !state.Busy {
		t.Error("the helping hand stops after a slow answer")
	}
	r.checkSpot(dealt[0], "hand:seat-1")
	r.checkInvariants()

	r.performAct(wire.BenchAct{Act: "unplug", Reader: engine.ReaderShow}) // now no answer will come
	waitState(t, r.table, "the helping hand stops", func(b wire.Bench) bool { return !b.Busy && !b.Slow })
	r.checkInvariants()
}

// TestDealAgain: the helping hand presents a card that was misread again, the same one, and gives up after too many
// misreadings in a row.
func TestDealAgain(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever})
	again := &wire.Notice{Signal: "again", Reader: engine.ReaderShow}
	r.performAct(wire.BenchAct{Act: "deal"})
	for range 2 { // a good reading ends the row of misreadings
		dealt := r.cardsAt(wire.SpotShow)
		for range maxMisreads {
			r.sendUpdate(again)
			if now := r.cardsAt(wire.SpotShow); !slices.Equal(now, dealt) {
				t.Fatalf("presented again: %v, not %v", now, dealt)
			}
		}
		r.readField(engine.ReaderShow)
	}
	for range maxMisreads + 1 {
		r.sendUpdate(again)
	}
	if state, _ := r.table.State(); state.Busy || len(r.cardsAt(wire.SpotShow)) > 0 {
		t.Error("the helping hand never rests")
	}
	r.performAct(wire.BenchAct{Act: "deal"})
	r.sendUpdate(&wire.Notice{Signal: "again", Reader: engine.ReaderShow, Rule: engine.RuleAlarm})
	if state, _ := r.table.State(); state.Busy || len(r.cardsAt(wire.SpotShow)) > 0 {
		t.Error("the helping hand gives the alarm again and again")
	}
	r.checkInvariants()
}

// TestMisreadAndTakenAway: when a person takes a misread card before it is presented again, the card in its place gets
// the full number of tries.
func TestMisreadAndTakenAway(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever})
	again := &wire.Notice{Signal: "again", Reader: engine.ReaderShow}
	r.performAct(wire.BenchAct{Act: "deal"})
	c := r.table.presented
	for range maxMisreads {
		r.sendUpdate(again)
	}
	r.move(handSpot(1), c.Card)
	r.table.mu.Lock()
	r.table.presentNextCard(c) // after the pause
	r.table.mu.Unlock()
	r.sendUpdate(again)
	if now := r.cardsAt(wire.SpotShow); len(now) != 1 || now[0] == c.Card {
		t.Errorf("presented again: %v", now)
	}
	r.checkInvariants()
}

func bankCard(r *rig) wire.BenchCard {
	state, _ := r.table.State()
	return state.Cards[len(state.Cards)-1]
}

// TestABankCard: it has another number 08xxxxxx each time it is put on a reader, and comes back on a timer where a card
// would wait for an answer, because the table gives it none (GEN-E14).
func TestABankCard(t *testing.T) {
	r, mine, _ := newDepositRig(t)
	bank := bankCard(r)
	if bank.Name.FR != "Carte bancaire" || !strings.HasPrefix(bank.Tag, "08") {
		t.Fatalf("the last card of no game is %+v", bank)
	}
	lay := func(tag string) {
		r.t.Helper()
		r.performAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotSlot})
		r.checkInvariants()
	}
	urn := r.fields[engine.ReaderUrn]
	seen := map[devices.UID]bool{}
	for range 3 {
		lay(bank.Tag)
		uid := urn.lies[0]
		if len(urn.lies) != 1 || !uid.IsUnfitForCard() || uid.Bytes()[0] != 0x08 || seen[uid] {
			t.Errorf("in the field: %v, before: %v", urn.lies, seen)
		}
		seen[uid] = true
		r.performAct(wire.BenchAct{Act: "move", Card: bank.Tag, Spot: wire.SpotBox})
		if len(urn.lies) != 0 {
			t.Errorf("taken away: %v", urn.lies)
		}
	}
	if now := bankCard(r); now.Tag != bank.Tag {
		t.Errorf("acts would have to name it %s", now.Tag)
	}
	r.table.mu.Lock()
	r.table.opts.Dwell = time.Millisecond
	r.table.mu.Unlock()
	lay(bank.Tag)
	waitState(t, r.table, "the bank card is taken back", func(b wire.Bench) bool { return b.Cards[len(b.Cards)-1].Spot == wire.SpotBox })
	lay(r.card(mine).Tag)
	lay(bank.Tag)
	waitState(t, r.table, "the card beside it waits for its answer", func(b wire.Bench) bool { return b.Slow })
	r.checkInvariants()
}

// TestAnswersMoveTheCardOfTheSlot: "again" brings a card back to its hand, "accepted" lets it fall, and acts of others meanwhile are no
// answer.
func TestAnswersMoveTheCardOfTheSlot(t *testing.T) {
	r, mine, others := newDepositRig(t)
	home, theirs := r.card(mine).Spot, r.card(others).Spot

	r.move(wire.SpotSlot, others)
	if r.readField(engine.ReaderUrn) == nil {
		t.Fatal("a card of another hand is accepted")
	}
	r.checkSpot(others, theirs)

	r.move(wire.SpotSlot, mine, others)
	r.checkInvariants()
	if r.readField(engine.ReaderUrn) == nil {
		t.Fatal("two cards at once are accepted")
	}
	r.checkSpot(mine, home)
	r.checkSpot(others, theirs)

	r.performAct(wire.BenchAct{Act: "move", Card: bankCard(r).Tag, Spot: wire.SpotSlot})
	r.readField(engine.ReaderUrn)
	if at := bankCard(r).Spot; at != wire.SpotBox {
		t.Errorf("a foreign card lies at %s", at)
	}

	r.move(wire.SpotSlot, mine)
	online := wire.Update{View: r.update.View}
	online.Table.Online = []engine.Seat{1, 2} // a phone connects
	r.table.HandleUpdate(online)
	r.table.HandleUpdate(wire.Update{View: r.update.View, Notice: &wire.Notice{Signal: "again", Reader: engine.ReaderShow}})
	r.checkSpot(mine, wire.SpotSlot)
	if reject := r.readField(engine.ReaderUrn); reject != nil {
		t.Fatal(reject.Why)
	}
	r.checkSpot(mine, wire.SpotUrn)
	r.checkInvariants()
}

// TestCardReadWhileTakenBackIsAccepted: a card that was misread and refused at first, but read well while the hand took
// it back, is accepted and goes to its spot.
func TestCardReadWhileTakenBackIsAccepted(t *testing.T) {
	r, mine, _ := newDepositRig(t)
	home := r.card(mine).Spot
	r.move(wire.SpotSlot, mine)
	seen := slices.Clone(r.fields[engine.ReaderUrn].fresh)
	r.table.HandleUpdate(wire.Update{View: r.update.View, Notice: &wire.Notice{Signal: "again", Reader: engine.ReaderUrn}})
	r.checkSpot(mine, home)
	r.fields[engine.ReaderUrn].fresh = seen
	if reject := r.readField(engine.ReaderUrn); reject != nil {
		t.Fatal(reject.Why)
	}
	r.checkSpot(mine, wire.SpotUrn)
	r.checkInvariants()
}

// newDepositRig returns a rig where a seat is to deposit, with a clue that this seat may deposit and one that another
// seat holds.
func newDepositRig(t *testing.T) (r *rig, mine, others engine.ID) {
	t.Helper()
	r = newPickingRig(t, Opts{Dwell: forever})
	p := &player{rig: r, dice: rand.New(rand.NewPCG(1, 1))}
	for r.update.View.Phase != "deposit" {
		p.step()
	}
	active := r.update.View.Active[0]
	for _, o := range r.game.View(engine.SeatViewer(active)).Offers {
		if o.Act == "deposit" {
			mine = engine.ID(o.Params[0].Domain[0])
		}
	}
	for _, s := range r.update.View.Seats {
		if s.Seat != active {
			others = r.cardsAt(handSpot(s.Seat), "clue", "weapon")[0]
		}
	}
	return r, mine, others
}

// TestPatience: without an answer, from a reader that does not react or a game that waits for no card, the card is
// taken back.
func TestPatience(t *testing.T) {
	r := newRig(t, Opts{Dwell: 5 * time.Millisecond})
	r.move("hand:seat-2", "weapon-corde")
	r.move(wire.SpotSlot, "weapon-corde")
	waitState(t, r.table, "the card is taken back", func(wire.Bench) bool { return len(r.cardsAt("hand:seat-2")) == 1 })
	r.checkInvariants()
}

// TestMovedAway: a card may be moved from reader to reader and off again by the person who put it there; its home is
// the spot before.
func TestMovedAway(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	r.move("place-salon", "weapon-corde")
	r.move(wire.SpotSlot, "weapon-corde")
	r.checkInvariants()
	r.move(wire.SpotShow, "weapon-corde")
	r.checkInvariants()
	r.table.HandleUpdate(wire.Update{View: r.update.View, Notice: &wire.Notice{Signal: "again", Reader: engine.ReaderShow}})
	r.checkSpot("weapon-corde", "place-salon")
	r.checkInvariants()
}

// TestFull: when the field of a reader is full, the card stays where it was.
func TestFull(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	r.fields[engine.ReaderUrn].room = 1
	r.move(wire.SpotSlot, "clue-worms-1")
	r.move("hand:seat-3", "clue-worms-2")
	if err := r.table.PerformAct(wire.BenchAct{Act: "move", Card: r.card("clue-worms-2").Tag, Spot: wire.SpotSlot}); err == nil {
		t.Error("no error")
	}
	r.checkSpot("clue-worms-2", "hand:seat-3")
	r.checkInvariants()
}

// storyUpdate returns a public update with two seats of a game that has begun, and what happened since.
func storyUpdate(change func(*engine.View), happened ...*engine.Happening) wire.Update {
	v := engine.View{Phase: "recovery", Happened: append([]*engine.Happening{{N: 1, What: engine.HapBegun}}, happened...),
		Seats: []engine.SeatView{{Seat: 1, Alive: true, Place: "place-salon"}, {Seat: 2, Alive: true, Place: "place-salon"}}}
	change(&v)
	return wire.Update{View: v}
}

// TestUrnOpened: the cards of an opened urn are face up; each goes to the player who took it, the rest to the place
// where they were put out. Nothing moves twice.
func TestUrnOpened(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	r.table.HandleUpdate(storyUpdate(func(*engine.View) {}))
	r.move(wire.SpotUrn, "clue-worms-1", "clue-worms-2", "clue-worms-3")
	shown := []engine.ID{"clue-worms-1", "clue-worms-2", "clue-worms-3"}
	happened := []*engine.Happening{{N: 2, What: engine.HapOpened, Seat: 1, Cards: shown}}
	hear := func(open []engine.ID, hs ...*engine.Happening) {
		happened = append(happened, hs...)
		r.table.HandleUpdate(storyUpdate(func(v *engine.View) { v.Shown = open }, happened...))
	}
	hear(shown)
	for _, id := range shown {
		if c := r.card(id); c.Spot != wire.SpotOpen || !c.Up {
			t.Errorf("%s lies at %s, up %v", id, c.Spot, c.Up)
		}
	}
	hear(shown[1:], &engine.Happening{N: 3, What: engine.HapRecovered, Seat: 2, Cards: shown[:1]})
	r.checkSpot("clue-worms-1", "hand:seat-2")
	r.move("hand:seat-1", "clue-worms-1") // a person moves it by hand, and the table leaves it there
	hear(nil, &engine.Happening{N: 4, What: engine.HapRecovered, Seat: 1, Cards: shown[2:]},
		&engine.Happening{N: 5, What: engine.HapRest, Cards: shown[1:2], Place: "place-salon"})
	r.checkSpot("clue-worms-3", "hand:seat-1")
	r.checkSpot("clue-worms-2", "place-salon")
	r.checkSpot("clue-worms-1", "hand:seat-1")
	if r.card("clue-worms-2").Up {
		t.Error("a clue laid on a place lies face up")
	}
}

// TestDeath: the role card is turned over, and the hand stays where the body is.
func TestDeath(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	r.table.HandleUpdate(storyUpdate(func(*engine.View) {}))
	r.move("hand:seat-1", "role-innocent-1", "clue-worms-1", "weapon-corde")
	r.move("hand:seat-2", "clue-worms-2")
	died := &engine.Happening{N: 2, What: engine.HapDied, Seat: 1, Place: "place-salon"}
	r.table.HandleUpdate(storyUpdate(func(v *engine.View) {
		v.Seats[0] = engine.SeatView{Seat: 1, Role: "role-innocent"}
	}, died))
	r.checkSpot("clue-worms-1", "place-salon")
	r.checkSpot("weapon-corde", "place-salon")
	r.checkSpot("clue-worms-2", "hand:seat-2")
	if c := r.card("role-innocent-1"); c.Spot != "hand:seat-1" || !c.Up {
		t.Errorf("the role card lies at %s, up %v", c.Spot, c.Up)
	}
	state, _ := r.table.State()
	if len(state.Pawns) != 1 || state.Pawns[0].Seat != 2 {
		t.Errorf("pawns %v", state.Pawns)
	}
	r.table.HandleUpdate(storyUpdate(func(v *engine.View) {
		v.Seats[0], v.Gone = engine.SeatView{Seat: 1, Role: "role-innocent"}, []engine.ID{"weapon-corde"}
	}, died))
	if c := r.card("weapon-corde"); c.Spot != wire.SpotGone || !c.Up {
		t.Errorf("a destroyed card lies at %s, up %v", c.Spot, c.Up)
	}
}

// TestNewGame: everything goes back into the box, also from the readers.
func TestNewGame(t *testing.T) {
	r := newSeatedRig(t, Opts{Dwell: forever})
	r.performAct(wire.BenchAct{Act: "deal"})
	r.readField(engine.ReaderShow)
	r.move(wire.SpotSlot, "clue-worms-1")
	r.performAct(wire.BenchAct{Act: "flip", Card: r.card("clue-worms-1").Tag})
	r.performAct(wire.BenchAct{Act: "pawn", Seat: 3, Place: "place-salon"})
	r.game = r.book.NewGame()
	r.sendUpdate(nil)
	state, _ := r.table.State()
	for _, c := range state.Cards {
		if c.Spot != wire.SpotBox || c.Up {
			t.Errorf("%s lies at %s, up %v", c.Name.EN, c.Spot, c.Up)
		}
	}
	if len(state.Pawns) != 0 || state.Busy {
		t.Errorf("pawns %v, busy %v", state.Pawns, state.Busy)
	}
	r.checkInvariants()
}

// TestSpotOfAnAcceptedCardFollowsFromTheEvents: the spot of an accepted card follows from what happened, even among other events.
func TestSpotOfAnAcceptedCardFollowsFromTheEvents(t *testing.T) {
	const place = "place-salon"
	for _, c := range []struct {
		what string
		want string
	}{
		{engine.HapReceived, "hand:seat-1"}, {engine.HapLaid, place}, {engine.HapTaken, "hand:seat-1"}, {engine.HapLeft, place},
		{engine.HapPassed, "hand:seat-3"}, {engine.HapDrew, "hand:seat-1"}, {engine.HapFell, wire.SpotUrn},
		{engine.HapRecovered, "hand:seat-1"},
		{engine.HapShown, "hand:seat-2"}, {engine.HapTurned, "hand:seat-2"}, // back where it was
	} {
		news := []*engine.Happening{{N: 6, What: engine.HapRound, Seat: 4}, {N: 7, What: c.what, Seat: 1, Other: 3, Place: place}}
		if got := spotAfterAcceptance(&card{home: "hand:seat-2"}, engine.View{}, news); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestUndoMovesNoCard: undoing an act moves no card, and the pawns stay where they were.
func TestUndoMovesNoCard(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever})
	moved := &engine.Happening{N: 2, What: engine.HapMoved, Seat: 1, Place: "place-3"}
	stand := func(place engine.ID) {
		t.Helper()
		if state, _ := r.table.State(); state.Pawns[0] != (wire.BenchPawn{Seat: 1, Place: place}) {
			t.Errorf("pawns %v, want seat 1 in %s", state.Pawns, place)
		}
	}
	r.table.HandleUpdate(storyUpdate(func(*engine.View) {}))
	stand("place-salon")
	r.table.HandleUpdate(storyUpdate(func(v *engine.View) { v.Seats[0].Place = "place-3" }, moved))
	stand("place-3")
	r.performAct(wire.BenchAct{Act: "pawn", Seat: 1, Place: "place-4"}) // moved, but not declared
	r.table.HandleUpdate(storyUpdate(func(v *engine.View) { v.Seats[0].Place = "place-3" }, moved))
	stand("place-4")
	r.table.HandleUpdate(storyUpdate(func(*engine.View) {}))
	stand("place-salon")
}

// The bench shows which update it has handled last; the page compares the table only with an update that the bench has
// handled.
func TestTheTableSaysWhichUpdateItHasHeard(t *testing.T) {
	r := newPickingRig(t, Opts{Dwell: forever})
	r.update.Epoch, r.update.Rev = 3, 7
	r.table.HandleUpdate(r.update)
	if state, _ := r.table.State(); state.Epoch != 3 || state.Rev != 7 {
		t.Errorf("update %d of %d", state.Rev, state.Epoch)
	}
}
