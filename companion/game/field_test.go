package game

import (
	"testing"
	"time"

	"majordome/engine"
)

// layTag lays a card's tag at a reader, as the bridge reports it, and waits until the slot answers. With
// othersPresent, other tags are at the reader already.
func (r *rig) layTag(reader, card string, othersPresent bool) {
	r.core().runDueTimers(r.clock.at)
	r.core().handleReading(r.clock.at, reader, Reading{Tags: tags(card), OthersPresent: othersPresent})
	r.passTime(defaultUrnWindow)
}

// signalsSince returns the signals of the steps since the step of number mark.
func (r *rig) signalsSince(mark int) (all []string) {
	for _, s := range r.steps[mark:] {
		if n := s.Public.Notice; n != nil && n.Signal != "" {
			all = append(all, n.Signal)
		}
	}
	return all
}

// GEN-E06, Huis Clos 4.2: while an accepted card is in the slot, a second card counts as from the same hand and
// deposits nothing. When the slot was empty, or the first card has been there longer than a hand holds one, the next
// seat deposits.
func TestAnAcceptedCardHoldsTheSlot(t *testing.T) {
	for _, c := range []struct {
		name   string
		wait   time.Duration // from the first card's answer to the second card
		left   bool          // the first card has left the slot before the second comes
		beside bool
		want   string
	}{
		{"at once beside it", 0, false, true, signalAgain},
		{"seconds later beside it", slotHoldTime - time.Second, false, true, signalAgain},
		{"the first has dropped", 0, true, false, signalAccepted},
		{"the first is dropping", 0, false, false, signalAccepted},
		{"the first rests on the pile", slotHoldTime, false, true, signalAccepted},
	} {
		r := playing(t, newMemory(), 3)
		r.layTag(engine.ReaderUrn, "card-1", false)
		if r.last().Public.View.Urn != 1 {
			t.Fatal("the first card was not accepted")
		}
		r.passTime(c.wait)
		if c.left {
			r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
		}
		mark, began := len(r.steps), r.clock.at
		r.core().handleReading(r.clock.at, engine.ReaderUrn, Reading{Tags: tags("card-2"), OthersPresent: c.beside})
		r.passTime(defaultUrnWindow - time.Millisecond)
		if got := r.signalsSince(mark); len(got) != 0 {
			t.Errorf("%s: answered after %v", c.name, r.clock.at.Sub(began))
		}
		r.passTime(time.Millisecond)
		if got := r.signalsSince(mark); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// A refused second card does not count for the next seat when the first drops, and the pile under the slot does not
// block the next cards.
func TestASecondCardCountsForNobody(t *testing.T) {
	r := playing(t, newMemory(), 3)
	r.layTag(engine.ReaderUrn, "card-1", false)
	r.layTag(engine.ReaderUrn, "card-2", true)
	r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
	r.passTime(time.Minute)
	if v := r.last().Public.View; v.Urn != 1 || v.Active[0] != 2 {
		t.Fatalf("urn %d, active %v", v.Urn, v.Active)
	}
	r.core().removeLeftTag(engine.ReaderUrn, "uid-card-2")
	r.layTag(engine.ReaderUrn, "card-2", false)
	if v := r.last().Public.View; v.Urn != 2 {
		t.Errorf("urn %d: the next seat cannot deposit", v.Urn)
	}
}

// GEN-E04: the tag of an accepted card that comes back at once has not left. GEN-E13: later, or after any other card,
// it is a new presentation like any other; the toy game accepts it again.
func TestAnAcceptedCardThatComesBack(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(*rig)
		want int // cards in the urn at the end
	}{
		{"as soon as it has left", func(r *rig) { r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1") }, 1},
		{"for a moment, long after it was accepted", func(r *rig) {
			r.passTime(time.Minute)
			r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
			r.passTime(bounceTime - time.Millisecond)
		}, 1},
		{"twice", func(r *rig) {
			for range 2 {
				r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
				r.layTag(engine.ReaderUrn, "card-1", false)
			}
			r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
		}, 1},
		{"half a second later", func(r *rig) {
			r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
			r.passTime(bounceTime)
		}, 2},
		{"after another", func(r *rig) {
			r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
			r.layTag(engine.ReaderUrn, "bad", false)
			r.core().removeLeftTag(engine.ReaderUrn, "uid-bad")
		}, 2},
		{"in the next game", func(r *rig) {
			r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1")
			r.mustAct(engine.Host, "new-game", "game", "toy", "seats", "keep")
			r.mustAct(engine.Host, "begin")
		}, 1},
	} {
		r := playing(t, newMemory(), 3)
		r.layTag(engine.ReaderUrn, "card-1", false)
		c.then(r)
		mark := len(r.steps)
		r.layTag(engine.ReaderUrn, "card-1", false)
		if v := r.last().Public.View; v.Urn != c.want {
			t.Errorf("%s: urn %d, want %d", c.name, v.Urn, c.want)
		}
		if silent := len(r.signalsSince(mark)) == 0; silent != (c.want == 1 && c.name != "in the next game") {
			t.Errorf("%s: answers %v", c.name, r.signalsSince(mark))
		}
	}
}

// rigWithEarlyCards returns a rig in its lobby, ready to begin, with cards on the urn before the game waits for one.
func rigWithEarlyCards(t *testing.T, cards ...string) *rig {
	t.Helper()
	r := newRig(t, newMemory())
	for range 3 {
		r.mustAct(engine.Host, "sit")
	}
	for i, c := range cards {
		mark := len(r.steps)
		r.layTag(engine.ReaderUrn, c, i > 0)
		if got := r.signalsSince(mark); len(got) != 0 {
			t.Fatalf("a card that nobody waits for is answered: %v", got)
		}
	}
	return r
}

// GEN-E11: a card that came too early and is still the only one at the reader is presented when the reader begins to
// wait: once, after the usual delay, whether it is accepted or refused.
func TestACardThatCameTooEarly(t *testing.T) {
	for card, want := range map[string]string{"card-1": signalAccepted, "bad": signalAgain, "?bank": signalAgain} {
		r := rigWithEarlyCards(t, card)
		r.mustAct(engine.Host, "begin")
		mark := len(r.steps)
		r.passTime(defaultUrnWindow - time.Millisecond)
		if got := r.signalsSince(mark); len(got) != 0 {
			t.Errorf("%s: answered before the delay is over", card)
		}
		r.passTime(time.Millisecond)
		if got := r.signalsSince(mark); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", card, got, want)
		}
		// It happens once: neither a refused nor an accepted card is presented again for the next seat.
		mark = len(r.steps)
		active := r.last().Public.View.Active[0]
		r.mustAct(engine.SeatViewer(active), "deposit", "card", "card-3")
		r.passTime(time.Minute)
		if got := r.signalsSince(mark); len(got) != 0 {
			t.Errorf("%s: presented once more: %v", card, got)
		}
	}
}

// Not presented again are a card that was taken away, one of two cards, one that was left there too long, and one
// from the game before.
func TestCardThatIsNotPresentedAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		cards []string
		then  func(*rig)
	}{
		{"taken away", []string{"card-1"}, func(r *rig) { r.core().removeLeftTag(engine.ReaderUrn, "uid-card-1") }},
		{"one of two", []string{"card-1", "card-2"}, func(*rig) {}},
		{"forgotten there", []string{"card-1"}, func(r *rig) { r.passTime(maxEarlyAge) }},
		{"of the game before", []string{"card-1"}, func(r *rig) { r.mustAct(engine.Host, "new-game", "game", "toy", "seats", "keep") }},
	} {
		r := rigWithEarlyCards(t, c.cards...)
		c.then(r)
		r.mustAct(engine.Host, "begin")
		mark := len(r.steps)
		r.passTime(time.Minute)
		if got := r.signalsSince(mark); len(got) != 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// GEN-E13: the same tag at two readers at once is a copy, whichever reader read it last, and all players are shown
// that. No copy are a card that was moved even if its departure is reported late, one that a reader read before that
// reader was lost, and a bank card.
func TestOneTagAtTwoReaders(t *testing.T) {
	both := []string{engine.ReaderShow, engine.ReaderUrn}
	for _, c := range []struct {
		name, card string
		meanwhile  func(r *rig, first string)
		want       string
	}{
		{"a copy", "card-1", func(*rig, string) {}, signalAgain},
		{"moved over", "card-1", func(r *rig, first string) {
			r.passTime(defaultUrnWindow - time.Millisecond)
			r.core().removeLeftTag(first, "uid-card-1")
		}, signalAccepted},
		{"lost", "card-1", func(r *rig, first string) { r.core().readerStates[first] = ReaderLost }, signalAccepted},
		{"a bank card", "?bank", func(*rig, string) {}, signalAgain},
	} {
		for i, first := range both {
			second := both[1-i]
			r := newRig(t, newMemory())
			for range 3 {
				r.mustAct(engine.Host, "sit")
			}
			r.core().handleReading(r.clock.at, first, Reading{Tags: tags(c.card)})
			r.passTime(maxEarlyAge + time.Second) // long enough to count as left behind
			r.mustAct(engine.Host, "begin")
			mark := len(r.steps)
			r.core().handleReading(r.clock.at, second, Reading{Tags: tags(c.card)})
			c.meanwhile(r, first)
			r.passTime(defaultUrnWindow)
			if got := r.signalsSince(mark); len(got) != 1 || got[0] != c.want {
				t.Fatalf("%s, %s after %s: %v, want %s", c.name, second, first, got, c.want)
			}
			n := r.last().Public.Notice
			alarm := n.Msg.Key == "gen.alarm" && n.Rule == "GEN-E13"
			if alarm != (c.name == "a copy") {
				t.Errorf("%s, %s after %s: the table hears %+v", c.name, second, first, n)
			}
			for _, u := range r.last().SeatUpdates() {
				if alarm && (u.Notice == nil || u.Notice.Msg.Key != n.Msg.Key || u.Notice.Private) {
					t.Errorf("%s hears %+v", u.View.Viewer, u.Notice)
				}
			}
		}
	}
}

// A card that is on a reader when the daemon starts is not presented, whichever card it is and whatever the game
// waits for, neither at once nor later. It still counts as present for a copy at another reader and for a card put
// next to it. Lifted and put down again, it is a card like any other.
func TestCardOnAReaderAtTheStartIsNotPresented(t *testing.T) {
	for _, card := range []string{"card-1", "bad", "?bank"} {
		for _, reader := range []string{engine.ReaderShow, engine.ReaderUrn} {
			r := newRig(t, newMemory())
			for range 3 {
				r.mustAct(engine.Host, "sit")
			}
			r.start()
			mark := len(r.steps)
			r.core().handleReading(r.clock.at, reader, Reading{Tags: tags(card), FoundAtStart: true})
			r.passTime(time.Second)
			if got := len(r.steps) - mark; got != 0 {
				t.Errorf("%s at %s: %d steps", card, reader, got)
			}
			r.mustAct(engine.Host, "begin")
			mark = len(r.steps)
			r.passTime(time.Minute)
			if got := r.signalsSince(mark); len(got) != 0 {
				t.Errorf("%s at %s: %v when it is awaited", card, reader, got)
			}
			if !r.core().tagFields.isOnOtherReader("another", tags(card), r.core().readerStates) && card != "?bank" {
				t.Errorf("%s at %s: a copy is not noticed", card, reader)
			}
			r.core().removeLeftTag(reader, "uid-"+card)
			r.layTag(reader, card, false)
			want := map[string]string{"card-1": signalAccepted}[card]
			if want == "" {
				want = signalAgain
			}
			if got := r.signalsSince(mark); len(got) != 1 || got[0] != want {
				t.Errorf("%s at %s, laid again: %v, want %s", card, reader, got, want)
			}
		}
	}
}

// The number of tags that are remembered for one reader is limited.
func TestFieldIsBounded(t *testing.T) {
	r := playing(t, newMemory(), 2)
	for i := range 100 {
		r.core().handleReading(r.clock.at, engine.ReaderUrn, Reading{Tags: []Tag{{UID: string(rune('a' + i))}}})
	}
	if got := len(r.core().tagFields.tags[engine.ReaderUrn]); got != maxTags {
		t.Errorf("%d tags in one field", got)
	}
}
