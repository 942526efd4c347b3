//go:build simavr

package house

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/randtest"
	"majordome/engine"
)

// TestAWholeRoundThroughANode plays the first round of Huis Clos twice, from the same seed: with both readers on this
// machine, and with both on a node. Every card goes through a reader: the roles, the 39 clues that are put out, four
// picks, four searches, four deposits in the urn and what is recovered from it. After each phase all viewers must have
// received the same in both rounds: the public, the host, and each phone, whose sealed view is opened with the key of
// its seat. Each card must have arrived once, in order.
//
// The tags, the MFRC522 chips and, at the node, the microcontroller and the cable (a pty) are simulated. The firmware,
// the drivers, the serial port and everything from there to the broker are the real ones. How a browser shows a view is
// not tested here.
func TestAWholeRoundThroughANode(t *testing.T) {
	seed := randtest.NewSeed(t)
	kinds := []string{"local", "node"}
	var rounds [2]*round
	for i := range kinds {
		cryptotest.SetGlobalRandom(t, seed) // the table's dice draw from it, and so decide where each clue goes
		rounds[i] = newRound(t, seed, i == 1)
	}
	t.Run("play", func(t *testing.T) {
		for i, kind := range kinds {
			t.Run(kind, func(t *testing.T) {
				t.Parallel()
				rounds[i].play(t)
			})
		}
	})
	local, far := rounds[0].seen, rounds[1].seen
	if len(local) == 0 || len(local) != len(far) {
		t.Fatalf("seen by everybody: %d things with a local reader, %d through a node", len(local), len(far))
	}
	for i, a := range local {
		b, n := far[i], 0
		for n < min(len(a.text), len(b.text)) && a.text[n] == b.text[n] {
			n++
		}
		if a != b {
			t.Errorf("with a local reader %s: ...%.200s\nthrough a node %s: ...%.200s", a.what, a.text[n:], b.what, b.text[n:])
		}
	}
	t.Logf("%d cards presented, %d views compared", len(rounds[1].laid["urn"])+len(rounds[1].laid["show"]), len(far))
}

// round is a house in which every card goes through a reader.
type round struct {
	*rig
	dice *rand.Rand // decides what the players do
	ear  *tap
	laid map[string][]devices.UID // tags presented at each reader
	last engine.ID
	seen []phaseView
}

// phaseView is the update of one viewer after one phase.
type phaseView struct{ what, text string }

// newRound opens a house, with its readers on this machine or on a node.
func newRound(t *testing.T, seed uint64, far bool) *round {
	t.Helper()
	r := &round{dice: rand.New(rand.NewPCG(seed, 0)), laid: map[string][]devices.UID{}}
	if far {
		n := pluggedNode(t)
		r.rig = openRig(t, n.useForReaders)
		n.exposeFields(r.rig)
	} else {
		r.rig = openRig(t, nil)
	}
	r.ear = tapLoopback(r.house)
	return r
}

// play plays the round.
func (r *round) play(t *testing.T) {
	r.rig.t = t
	r.run()
	r.mustHostAct("begin", nil)
	for _, role := range r.shuffled("role-murderer", "role-innocent-1", "role-innocent-2", "role-innocent-3") {
		r.presentCard(engine.ReaderShow, role)
	}
	r.checkPhase("laying")
	var clues []engine.ID
	for _, n := range huisClosBook(t).Names() {
		if n.Kind == "clue" || n.Kind == "weapon" {
			clues = append(clues, n.ID)
		}
	}
	for _, clue := range r.shuffled(clues...) {
		r.presentCard(engine.ReaderShow, clue)
	}
	r.checkPhase("pick")
	for x := engine.Seat(1); x <= 4; x++ {
		r.presentCard(engine.ReaderShow, r.chooseClue(r.ownView(x).Tray))
	}
	r.checkPhase("investigation")
	for x := engine.Seat(1); x <= 4; x++ {
		r.mustAct(x, "move", "place", string(r.publicView().Places[x].Place)) // one place each, so that no player observes
		r.mustAct(x, "search")
		r.presentCard(engine.ReaderShow, r.chooseClue(r.ownView(x).Tray))
		r.mustAct(x, "done")
	}
	r.checkPhase("deposit")
	for x := engine.Seat(1); x <= 4; x++ {
		r.presentCard(engine.ReaderUrn, r.depositableCard(x))
	}
	r.checkPhase("reveal")
	r.mustAct(1, "open")
	r.checkPhase("recovery")
	for n := 0; r.publicView().Phase == "recovery"; n++ {
		r.recoverOne(n)
	}
	r.checkPhase("investigation")
	if v := r.publicView(); v.Clock.At != 2 || v.Result != nil {
		t.Errorf("after the round: round %d, result %v", v.Clock.At, v.Result)
	}
	for role, e := range r.eyes {
		e.waitEmpty(t, role)
		if !slices.Equal(e.arrived, r.laid[role]) {
			t.Errorf("%s: %d cards arrived, %d were presented: %v, %v", role, len(e.arrived), len(r.laid[role]), e.arrived, r.laid[role])
		}
		if s := r.signals(0, role); len(s) != len(r.laid[role]) || slices.Contains(s, "again") {
			t.Errorf("%s answered %v to %d cards", role, s, len(r.laid[role]))
		}
	}
}

// recoverOne takes one card back, at one reader or the other, or puts the rest out.
func (r *round) recoverOne(n int) {
	r.t.Helper()
	x := r.publicView().Active[0]
	u, _ := r.house.Loop.Snapshot(engine.SeatViewer(x))
	for _, o := range u.View.Offers {
		switch o.Act {
		case "recover":
			card := engine.ID(o.Params[0].Domain[r.dice.IntN(len(o.Params[0].Domain))])
			role := gameReaders[n%2]
			if laid := r.laid[role]; len(laid) > 0 && laid[len(laid)-1] == tagOf(r.t, card) {
				role = gameReaders[1-n%2] // not at the reader where it was half a second ago: it has not left there yet
			}
			r.presentCard(role, card)
			return
		case "lay":
			var args []string
			for _, p := range o.Params {
				args = append(args, p.Name, p.Domain[r.dice.IntN(len(p.Domain))])
			}
			r.mustAct(x, "lay", args...)
			return
		}
	}
	r.t.Fatalf("%s can recover nothing", x)
}

// presentCard presents a card at a reader once both fields are empty, as a card carried from one reader to the other is
// never at both. It waits until the card is accepted, and takes it away.
func (r *round) presentCard(role string, card engine.ID) {
	r.t.Helper()
	for reader, e := range r.eyes {
		e.waitEmpty(r.t, reader)
	}
	from, id := r.mark(), tagOf(r.t, card)
	r.placeTags(role, id)
	u := r.waitUpdate(from, string(card)+" is answered at "+role, func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Reader == role && u.Notice.Signal != ""
	})
	if u.Notice.Signal != "accepted" {
		r.t.Fatalf("%s at %s: %+v", card, role, u.Notice)
	}
	r.sims[role].RemoveTag(id)
	r.laid[role], r.last = append(r.laid[role], id), card
}

// chooseClue chooses a clue of a character, but not the card presented last, which does not count at once.
func (r *round) chooseClue(tray []engine.ID) engine.ID {
	r.t.Helper()
	for _, c := range r.shuffled(tray...) {
		if c != r.last && strings.HasPrefix(string(c), "clue-") {
			return c
		}
	}
	r.t.Fatalf("no clue among %v", tray)
	return ""
}

// shuffled returns the cards in another order.
func (r *round) shuffled(cards ...engine.ID) []engine.ID {
	cards = slices.Sorted(slices.Values(cards))
	r.dice.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return cards
}

// checkPhase checks the phase of the game, and records the update of each viewer.
func (r *round) checkPhase(want string) {
	r.t.Helper()
	r.house.Loop.IsResponsive(r.t.Context(), patience) // all answers have also been published
	if got := r.publicView().Phase; got != want {
		r.t.Fatalf("the phase is %s, not %s", got, want)
	}
	seats, _, err := r.house.Store.KeysAndInvitations()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, v := range []engine.Viewer{engine.Public, engine.Host} {
		u, _ := r.house.Loop.Snapshot(v)
		u.Table.URL = "" // it names the port of this house
		if u.ForHost != nil {
			rest := *u.ForHost
			rest.Desk = nil // so does this
			u.ForHost = &rest
		}
		u.Proof = nil // its salts are random
		r.seen = append(r.seen, phaseView{v.String() + " at " + want, updateText(r.t, u)})
	}
	for x := engine.Seat(1); x <= 4; x++ {
		v := engine.SeatViewer(x)
		i := slices.IndexFunc(seats, func(s store.Seat) bool { return s.Phone == wire.FirstPhoneOf(v) })
		if i < 0 {
			r.t.Fatalf("%s has no key", x)
		}
		u := r.phoneView(v, seats[i].Key.ForMemory())
		u.Proof, u.Opened = nil, nil
		r.seen = append(r.seen, phaseView{x.String() + " at " + want, updateText(r.t, u)})
	}
}

// phoneView is the newest view that was sent to the broker for a seat, opened.
func (r *round) phoneView(v engine.Viewer, k seal.Key) wire.Update {
	r.t.Helper()
	shown, _ := r.house.Loop.Snapshot(v)
	topic := r.house.tree.ViewTopic(v)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		all := r.ear.messages(r.t)
		for _, m := range slices.Backward(all) {
			if m.topic != topic {
				continue
			}
			u, err := seal.OpenView(k, topic, m.payload)
			if err != nil {
				r.t.Fatal(err)
			}
			if u.Rev >= shown.Rev {
				return u
			}
			break
		}
	}
	r.t.Fatalf("no phone of %s was updated", v)
	return wire.Update{}
}
