package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/group"
	"majordome/companion/master/hold"
	"majordome/companion/master/oversight"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// evening plays a random evening on a rig as people do: with the offers that their pages show, and with cards at the
// readers.
type evening struct {
	*rig
	game
	dice          *chance.Dice
	cards         []string // all cards that can come to a reader
	keepsOverseer bool     // does not open or close the view of the overseer
	texts         int      // texts written so far: no two players may have the same name
}

func newEvening(t testing.TB, g game, journal Journal, seed uint64) *evening {
	skipInShortMode(t)
	e := &evening{rig: newRig(t, journal, g.book(t)), game: g, dice: chance.New(seed)}
	all := byKind(e.books[0])
	for _, k := range g.cards {
		e.cards = append(e.cards, all[k]...)
	}
	return e
}

// seatAndBegin seats n players and begins the game.
func (e *evening) seatAndBegin(n int) { e.seatNamedAndBegin(n, "P") }

// seatNamedAndBegin does the same with players of a given name.
func (e *evening) seatNamedAndBegin(n int, name string) {
	e.t.Helper()
	e.open(&opening{do: e.mustAct, dice: e.dice,
		lay:  func(card string) { e.core().presentTags(e.clock.at, engine.ReaderShow, tags(card)) },
		view: func() engine.View { return e.last().Public.View },
		host: func() []engine.Offer { return e.last().Host.View.Offers },
	}, e.books[0], n, name, false)
}

// play does one random thing that a person at the table may do. What is already due, such as the end of a window
// after an undo and a restart, is done first, as in the loop.
func (e *evening) play() {
	e.passTime(0)
	s := e.last()
	switch {
	case len(s.Public.View.Readers) > 0 && e.dice.Intn(3) == 0:
		e.presentRandomTags()
	case e.dice.Intn(8) == 0:
		e.passTime(time.Duration(e.dice.Intn(20_000)) * time.Millisecond)
	default:
		e.playOffer()
	}
}

// playOffer sends one of the acts that one of the pages offers.
func (e *evening) playOffer() {
	type choice struct {
		by engine.Viewer
		o  engine.Offer
	}
	var all []choice
	for _, u := range e.last().UpdatesToSeal(nil) {
		if u.View.Viewer == engine.Overseer.String() { // it repeats the offers of the host
			continue
		}
		by, err := engine.ParseViewer(u.View.Viewer)
		if err != nil {
			e.t.Fatal(err)
		}
		for _, o := range engine.AllowedOffers(u.View.Offers) {
			rare := o.Act == actUndo || o.Aside || slices.Contains(e.rare, o.Act)
			// these end the evening or stop it
			other := o.Act == actNewGame || o.Act == group.ActNext || o.Act == hold.ActPause || o.Act == hold.ActAlarm ||
				e.keepsOverseer && (o.Act == oversight.ActUnlock || o.Act == oversight.ActCover)
			if !other && (!rare || e.dice.Intn(10) == 0) {
				all = append(all, choice{by, o})
			}
		}
	}
	if len(all) == 0 {
		e.passTime(10 * time.Second)
		return
	}
	c := all[e.dice.Intn(len(all))]
	var args []string
	for k, v := range c.o.Fixed {
		args = append(args, k, v)
	}
	for _, p := range c.o.Params {
		if p.Kind == "text" {
			e.texts++
			args = append(args, p.Name, fmt.Sprint("N", e.texts))
		} else {
			args = append(args, p.Name, p.Domain[e.dice.Intn(len(p.Domain))])
		}
	}
	// An offered card may already be known to be elsewhere, which its seat cannot know (GEN-E13).
	if out := e.act(c.by, c.o.Act, args...); !out.OK && out.Reject.Rule != engine.RuleAlarm {
		e.t.Fatalf("%v was offered %s and refused: %s %s", c.by, c.o.Act, out.Reject.Rule, out.Reject.Why.Key)
	}
}

// presentRandomTags presents tags at a reader that waits: a card of the active seat, any card, two cards, a foreign
// tag or none.
func (e *evening) presentRandomTags() {
	v := e.last().Public.View
	reader := v.Readers[e.dice.Intn(len(v.Readers))].Reader
	var seen []Tag
	switch e.dice.Intn(6) {
	case 0: // no tag that can be read
	case 1:
		seen = tags("?bank")
	case 2:
		seen = tags(e.cards[e.dice.Intn(len(e.cards))], e.cards[e.dice.Intn(len(e.cards))])
	case 3:
		seen = tags(e.cards[e.dice.Intn(len(e.cards))])
	default:
		seen = tags(e.heldCard())
	}
	e.core().presentTags(e.clock.at, reader, seen)
	e.passTime(defaultUrnWindow)
}

// heldCard returns a card that an active seat has in its hand or may look at; any card where there is none.
func (e *evening) heldCard() string {
	s := e.last()
	var all []string
	for _, seat := range s.Public.View.Active {
		if u, ok := s.UpdateFor(engine.SeatViewer(seat)); ok && u.View.Me != nil {
			for _, c := range u.View.Me.Hand {
				all = append(all, string(c.Card))
			}
			for _, c := range u.View.Me.Tray {
				all = append(all, string(c))
			}
		}
	}
	if len(all) == 0 {
		all = e.cards
	}
	return all[e.dice.Intn(len(all))]
}

// eveningCount returns how many evenings a test plays: soak where MAJORDOME_SOAK is 1, else normal.
func eveningCount(normal, soak int) int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return soak
	}
	return normal
}

// skipInShortMode skips a test of one goroutine in short mode, which is used with the race detector: there an evening
// takes very long and can show no race.
func skipInShortMode(t testing.TB) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
}

// momentsOfEvenings plays random evenings at tables of all sizes until the game is over, and calls stop after one act
// in four with the public view of that moment.
func momentsOfEvenings(t *testing.T, g game, stop func(e *evening, m *memory, seed uint64, v engine.View)) {
	for seed := range uint64(eveningCount(6, 60)) {
		m := newMemory()
		e := newEvening(t, g, m, seed)
		e.addsToSeed = seed%2 == 1
		e.seatAndBegin(g.players(seed))
		for range 150 {
			e.play()
			v := e.last().Public.View
			if v.Result != nil {
				break
			}
			if e.dice.Intn(4) == 0 {
				stop(e, m, seed, v)
			}
		}
	}
}

// lastDeposited returns the clue that was put into the urn last. A card next to it in the slot belongs to the same
// hand, as all players can see, so that a refusal names that seat (GEN-E06).
func lastDeposited(t *testing.T, m *memory) string {
	t.Helper()
	last := ""
	for _, e := range storedEvents(t, m) {
		if e.Kind == "deposited" {
			var put struct{ Card string }
			if err := json.Unmarshal(e.Data, &put); err != nil {
				t.Fatal(err)
			}
			last = put.Card
		}
	}
	return last
}

// GEN-003, GEN-004, design 7.3, with the real rules: wherever a reader waits, a private refusal and every kind of bad
// read give all other viewers the same bytes in the same number of updates at the same time, and in sealed form the
// same sizes. Only a card that cannot be there is announced differently, and then in the same words whichever card it
// is, to its seat as well (GEN-E13).
func TestRefusalsAtReadersLookAlike(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		refused, secret := 0, 0
		momentsOfEvenings(t, g, func(e *evening, m *memory, seed uint64, v engine.View) {
			if len(v.Readers) == 0 {
				return
			}
			put := lastDeposited(t, m)
			reader, cards := v.Readers[0], slices.DeleteFunc(slices.Clone(e.cards), func(c string) bool { return c == put })
			card := pick(e.dice, cards)
			type kind struct {
				rule string
				two  bool
			}
			want := map[kind]string{} // two cards in the slot count for the last depositor, whichever they are
			for _, seen := range [][]Tag{
				nil, tags("?bank"), tags(cards[0], cards[1]), tags("?bank", card), tags(card), tags(e.heldCard()),
			} {
				got, private, rule, ok := e.presentOnCopy(m, reader.Reader, reader.Seat, seen)
				if !ok {
					continue // accepted, or the same card again (GEN-E04)
				}
				refused++
				if len(seen) == 1 && seen[0].Card != "" && private != "" {
					secret++
				}
				as := kind{rule, len(seen) > 1}
				if want[as] == "" {
					want[as] = got
				}
				if got != want[as] {
					t.Fatalf("seed %d, phase %s, %d tags: others can tell:\n%s\n%s", seed, v.Phase, len(seen), got, want[as])
				}
				told := private == "gen.alarm" || private == "gen.alarm.deal" || reader.Seat == 0 // a reader of the host
				if rule == engine.RuleAlarm && !told || rule != engine.RuleAlarm && rule != ruleNeutral {
					t.Fatalf("seed %d, phase %s: %s, and the seat alone hears %q", seed, v.Phase, rule, private)
				}
			}
		})
		t.Logf("%d refusals compared, %d of them of a readable card", refused, secret)
		if secret == 0 {
			t.Error("no secret refusal was seen")
		}
	})
}

// presentOnCopy presents tags on a copy of the table. It returns all that viewers other than the seat see, the seat's
// private message, the rule in the public notice, and whether the tags were refused.
func (e *evening) presentOnCopy(m *memory, reader string, seat engine.Seat, seen []Tag) (others, private, rule string, refused bool) {
	twin := newRig(e.t, m.copy(), e.books...)
	n, began := len(twin.steps), twin.clock.at
	twin.core().presentTags(began, reader, seen)
	twin.passTime(defaultUrnWindow)
	if len(twin.steps) < n+1 {
		e.t.Fatal("a presentation without an update")
	}
	s := twin.steps[n]
	if s.Public.Notice == nil || s.Public.Notice.Signal != signalAgain {
		return "", "", "", false
	}
	ring, sizes := seal.NewRing(nil), []int{}
	sealed, err := ring.SealViews(s.Epoch, s.UpdatesToSeal(nil), func(h wire.Handset) string { return h.String() })
	if err != nil {
		e.t.Fatal(err)
	}
	for _, p := range sealed {
		sizes = append(sizes, len(p.Payload))
	}
	var all bytes.Buffer
	fmt.Fprintln(&all, sizes, len(twin.steps)-n, asJSON(e.t, s.Public), asJSON(e.t, s.Host))
	for _, u := range s.SeatUpdates() {
		if u.View.Viewer != engine.Viewer.String(engine.SeatViewer(max(seat, 1))) || seat == 0 {
			fmt.Fprintln(&all, asJSON(e.t, u))
		} else if u.Notice != nil {
			private = u.Notice.Msg.Key
		}
	}
	return all.String(), private, s.Public.Notice.Rule, true
}
