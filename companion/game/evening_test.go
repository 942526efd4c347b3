package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/hold"
	"majordome/companion/master/oversight"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// evening plays at a rig as people do: from the offers that their pages show,
// and with cards at the readers.
type evening struct {
	*rig
	game
	dice  *chance.Dice
	cards []string // every card that a reader may meet
	as    bool     // the view of the overseer stays open, or closed, as it is
}

func newEvening(t testing.TB, g game, journal Journal, seed uint64) *evening {
	alone(t)
	e := &evening{rig: newRig(t, journal, g.book(t)), game: g, dice: chance.New(seed)}
	all := byKind(e.books[0])
	for _, k := range g.cards {
		e.cards = append(e.cards, all[k]...)
	}
	return e
}

// sit seats n players and begins.
func (e *evening) sit(n int) { e.named(n, "P") }

// named is sit with a name of one's choice.
func (e *evening) named(n int, name string) {
	e.t.Helper()
	e.open(&opening{do: e.must, dice: e.dice,
		lay:  func(card string) { e.core().presentTags(e.clock.at, engine.ReaderShow, tags(card)) },
		view: func() engine.View { return e.last().Public.View },
		host: func() []engine.Offer { return e.last().Host.View.Offers },
	}, e.books[0], n, name, false)
}

// play does one thing that somebody at the table may do. What is due at once, such
// as the end of a window after an undo and a restart, comes before it, as the loop
// has it.
func (e *evening) play() {
	e.pass(0)
	s := e.last()
	switch {
	case len(s.Public.View.Readers) > 0 && e.dice.Intn(3) == 0:
		e.present()
	case e.dice.Intn(8) == 0:
		e.pass(time.Duration(e.dice.Intn(20_000)) * time.Millisecond)
	default:
		e.offered()
	}
}

// offered takes one of the offers of one of the pages.
func (e *evening) offered() {
	type choice struct {
		by engine.Viewer
		o  engine.Offer
	}
	var all []choice
	for _, u := range e.last().SealedUpdates(nil) {
		if u.View.Viewer == engine.Overseer.String() { // the host's once more
			continue
		}
		by, err := engine.ParseViewer(u.View.Viewer)
		if err != nil {
			e.t.Fatal(err)
		}
		for _, o := range engine.AllowedOffers(u.View.Offers) {
			rare := o.Act == actUndo || o.Aside || slices.Contains(e.rare, o.Act)
			other := o.Act == actNewGame || o.Act == actNextGroup || o.Act == hold.ActPause || o.Act == hold.ActAlarm || e.as && (o.Act == oversight.ActUnlock || o.Act == oversight.ActCover) // no evening goes on by these
			if !other && (!rare || e.dice.Intn(10) == 0) {
				all = append(all, choice{by, o})
			}
		}
	}
	if len(all) == 0 {
		e.pass(10 * time.Second)
		return
	}
	c := all[e.dice.Intn(len(all))]
	var args []string
	for k, v := range c.o.Fixed {
		args = append(args, k, v)
	}
	for _, p := range c.o.Params {
		if p.Kind == "text" {
			args = append(args, p.Name, fmt.Sprint("N", len(e.steps))) // no two players may have one name
		} else {
			args = append(args, p.Name, p.Domain[e.dice.Intn(len(p.Domain))])
		}
	}
	// A card that is offered may be on record where its seat cannot know (GEN-E13).
	if out := e.act(c.by, c.o.Act, args...); !out.OK && out.Reject.Rule != engine.RuleAlarm {
		e.t.Fatalf("%v was offered %s and refused: %s %s", c.by, c.o.Act, out.Reject.Rule, out.Reject.Why.Key)
	}
}

// present lays something at a reader that waits: a card of the active seat, any
// card, or something that cannot be a card.
func (e *evening) present() {
	v := e.last().Public.View
	reader := v.Readers[e.dice.Intn(len(v.Readers))].Reader
	var seen []Tag
	switch e.dice.Intn(6) {
	case 0: // unreadable
	case 1:
		seen = tags("?bank")
	case 2:
		seen = tags(e.cards[e.dice.Intn(len(e.cards))], e.cards[e.dice.Intn(len(e.cards))])
	case 3:
		seen = tags(e.cards[e.dice.Intn(len(e.cards))])
	default:
		seen = tags(e.held())
	}
	e.core().presentTags(e.clock.at, reader, seen)
	e.pass(defaultUrnWindow)
}

// held is a card that the first active seat has in hand or may look at.
func (e *evening) held() string {
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

// seeds is how many evenings a test plays.
func seeds(normal, soak int) int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return soak
	}
	return normal
}

// alone leaves a test of one goroutine out of short mode, which is for the race detector: there an evening takes
// very long and has nothing to show.
func alone(t testing.TB) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
}

// momentsOfEvenings plays random evenings at tables of all sizes and stops at one
// act in four, with the public view of that moment, until the game is over.
func momentsOfEvenings(t *testing.T, g game, stop func(e *evening, m *memory, seed uint64, v engine.View)) {
	for seed := range uint64(seeds(6, 60)) {
		m := newMemory()
		e := newEvening(t, g, m, seed)
		e.sit(g.players(seed))
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

// inTheSlot is the clue that was put into the urn last. What lies beside it is of
// the same hand, as all can see, so that a refusal names that seat (GEN-E06).
func inTheSlot(t *testing.T, m *memory) string {
	t.Helper()
	last := ""
	for _, e := range rows(t, m) {
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

// GEN-003, GEN-004, design 7.3, with the real rules: wherever a reader waits, a
// private refusal and every kind of bad read give all other viewers the same
// bytes, the same number of updates, at the same time, and in sealed form the
// same sizes. Only a card that cannot be there sounds otherwise, and then the same
// whichever it is, to the seat as well (GEN-E13).
func TestRefusalsAtReadersLookAlike(t *testing.T) {
	each(t, func(t *testing.T, g game) {
		refused, secret := 0, 0
		momentsOfEvenings(t, g, func(e *evening, m *memory, seed uint64, v engine.View) {
			if len(v.Readers) == 0 {
				return
			}
			put := inTheSlot(t, m)
			reader, cards := v.Readers[0], slices.DeleteFunc(slices.Clone(e.cards), func(c string) bool { return c == put })
			card := pick(e.dice, cards)
			type told struct {
				rule string
				two  bool
			}
			want := map[told]string{} // two in the slot are the last depositor's, whichever they are
			for _, seen := range [][]Tag{nil, tags("?bank"), tags(cards[0], cards[1]), tags("?bank", card), tags(card), tags(e.held())} {
				got, private, rule, ok := e.elsewhere(m, reader.Reader, reader.Seat, seen)
				if !ok {
					continue // accepted, or the same card again (GEN-E04)
				}
				refused++
				if len(seen) == 1 && seen[0].Card != "" && private != "" {
					secret++
				}
				as := told{rule, len(seen) > 1}
				if want[as] == "" {
					want[as] = got
				}
				if got != want[as] {
					t.Fatalf("seed %d, phase %s, %d tags: others can tell:\n%s\n%s", seed, v.Phase, len(seen), got, want[as])
				}
				if rule == engine.RuleAlarm && private != "gen.alarm" && private != "gen.alarm.deal" || rule != engine.RuleAlarm && rule != ruleNeutral {
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

// elsewhere tries a presentation on a copy of the table and gives what all
// viewers but the seat see of it, and the rule that the table is told.
func (e *evening) elsewhere(m *memory, reader string, seat engine.Seat, seen []Tag) (others, private, rule string, refused bool) {
	twin := newRig(e.t, m.copy(), e.books...)
	n, began := len(twin.steps), twin.clock.at
	twin.core().presentTags(began, reader, seen)
	twin.pass(defaultUrnWindow)
	if len(twin.steps) < n+1 {
		e.t.Fatal("a presentation without an update")
	}
	s := twin.steps[n]
	if s.Public.Notice == nil || s.Public.Notice.Signal != signalAgain {
		return "", "", "", false
	}
	ring, sizes := seal.NewRing(nil), []int{}
	sealed, err := ring.SealViews(s.Epoch, s.SealedUpdates(nil), func(h wire.Handset) string { return h.String() })
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
