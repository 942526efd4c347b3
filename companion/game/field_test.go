package game

import (
	"testing"
	"time"

	"majordome/engine"
)

// put lays a tag at a reader as the bridge tells it, and lets the slot answer.
func (r *rig) put(reader, card string, beside bool) {
	r.core().runDue(r.clock.at)
	r.core().handleReading(r.clock.at, reader, Reading{Tags: tags(card), OthersPresent: beside})
	r.pass(defaultUrnWindow)
}

// answer is the signal of the last step that had one since mark steps.
func (r *rig) answers(mark int) (all []string) {
	for _, s := range r.steps[mark:] {
		if n := s.Public.Notice; n != nil && n.Signal != "" {
			all = append(all, n.Signal)
		}
	}
	return all
}

// GEN-E06, Huis Clos 4.2: while an accepted card holds the slot, a second one is of
// the same hand and deposits for nobody; when the slot was empty, or the first card
// lies there for longer than anybody holds one, the next seat deposits.
func TestAnAcceptedCardHoldsTheSlot(t *testing.T) {
	for _, c := range []struct {
		name   string
		wait   time.Duration // from the first card's answer to the second card
		left   bool          // the first has left the slot by then
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
		r.put(engine.ReaderUrn, "card-1", false)
		if r.last().Public.View.Urn != 1 {
			t.Fatal("the first card was not accepted")
		}
		r.pass(c.wait)
		if c.left {
			r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
		}
		mark, began := len(r.steps), r.clock.at
		r.core().handleReading(r.clock.at, engine.ReaderUrn, Reading{Tags: tags("card-2"), OthersPresent: c.beside})
		r.pass(defaultUrnWindow - time.Millisecond)
		if got := r.answers(mark); len(got) != 0 {
			t.Errorf("%s: answered after %v", c.name, r.clock.at.Sub(began))
		}
		r.pass(time.Millisecond)
		if got := r.answers(mark); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// A refused second card does not count for the next seat when the first drops, and
// the pile under the slot blocks nobody for ever.
func TestASecondCardCountsForNobody(t *testing.T) {
	r := playing(t, newMemory(), 3)
	r.put(engine.ReaderUrn, "card-1", false)
	r.put(engine.ReaderUrn, "card-2", true)
	r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
	r.pass(time.Minute)
	if v := r.last().Public.View; v.Urn != 1 || v.Active[0] != 2 {
		t.Fatalf("urn %d, active %v", v.Urn, v.Active)
	}
	r.core().handleTagLeft(engine.ReaderUrn, "uid-card-2")
	r.put(engine.ReaderUrn, "card-2", false)
	if v := r.last().Public.View; v.Urn != 2 {
		t.Errorf("urn %d: the next seat cannot deposit", v.Urn)
	}
}

// GEN-E04: the tag of an accepted card that comes back at once has not left. GEN-E13:
// later, or after any other card, it is judged as all cards are; the toy takes it again.
func TestAnAcceptedCardThatComesBack(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(*rig)
		want int // cards in the urn at the end
	}{
		{"as soon as it has left", func(r *rig) { r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1") }, 1},
		{"for a moment, long after it was accepted", func(r *rig) {
			r.pass(time.Minute)
			r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
			r.pass(bounceTime - time.Millisecond)
		}, 1},
		{"twice", func(r *rig) {
			for range 2 {
				r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
				r.put(engine.ReaderUrn, "card-1", false)
			}
			r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
		}, 1},
		{"half a second later", func(r *rig) {
			r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
			r.pass(bounceTime)
		}, 2},
		{"after another", func(r *rig) {
			r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
			r.put(engine.ReaderUrn, "bad", false)
			r.core().handleTagLeft(engine.ReaderUrn, "uid-bad")
		}, 2},
		{"in the next game", func(r *rig) {
			r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1")
			r.must(engine.Host, "new-game", "game", "toy", "seats", "keep")
			r.must(engine.Host, "begin")
		}, 1},
	} {
		r := playing(t, newMemory(), 3)
		r.put(engine.ReaderUrn, "card-1", false)
		c.then(r)
		mark := len(r.steps)
		r.put(engine.ReaderUrn, "card-1", false)
		if v := r.last().Public.View; v.Urn != c.want {
			t.Errorf("%s: urn %d, want %d", c.name, v.Urn, c.want)
		}
		if silent := len(r.answers(mark)) == 0; silent != (c.want == 1 && c.name != "in the next game") {
			t.Errorf("%s: answers %v", c.name, r.answers(mark))
		}
	}
}

// early is a rig at the end of its lobby with one card laid too early.
func early(t *testing.T, cards ...string) *rig {
	t.Helper()
	r := newRig(t, newMemory())
	for range 3 {
		r.must(engine.Host, "sit")
	}
	for i, c := range cards {
		mark := len(r.steps)
		r.put(engine.ReaderUrn, c, i > 0)
		if got := r.answers(mark); len(got) != 0 {
			t.Fatalf("a card that nobody waits for is answered: %v", got)
		}
	}
	return r
}

// GEN-E11: a card that came too early and still lies there alone is presented anew
// when the reader begins to wait: once, after the delay of every presentation, and
// alike for a card that is accepted and for one that is refused.
func TestACardThatCameTooEarly(t *testing.T) {
	for card, want := range map[string]string{"card-1": signalAccepted, "bad": signalAgain, "?bank": signalAgain} {
		r := early(t, card)
		r.must(engine.Host, "begin")
		mark := len(r.steps)
		r.pass(defaultUrnWindow - time.Millisecond)
		if got := r.answers(mark); len(got) != 0 {
			t.Errorf("%s: answered before the delay is over", card)
		}
		r.pass(time.Millisecond)
		if got := r.answers(mark); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", card, got, want)
		}
		// Only once: neither a refused nor an accepted card comes again, whoever is next.
		mark = len(r.steps)
		active := r.last().Public.View.Active[0]
		r.must(engine.SeatViewer(active), "deposit", "card", "card-3")
		r.pass(time.Minute)
		if got := r.answers(mark); len(got) != 0 {
			t.Errorf("%s: presented once more: %v", card, got)
		}
	}
}

// Not anew: a card that has been taken away, one of two, one that was forgotten
// there, one of the game before.
func TestACardThatIsNotPresentedAnew(t *testing.T) {
	for _, c := range []struct {
		name  string
		cards []string
		then  func(*rig)
	}{
		{"taken away", []string{"card-1"}, func(r *rig) { r.core().handleTagLeft(engine.ReaderUrn, "uid-card-1") }},
		{"one of two", []string{"card-1", "card-2"}, func(*rig) {}},
		{"forgotten there", []string{"card-1"}, func(r *rig) { r.pass(maxEarlyAge) }},
		{"of the game before", []string{"card-1"}, func(r *rig) { r.must(engine.Host, "new-game", "game", "toy", "seats", "keep") }},
	} {
		r := early(t, c.cards...)
		c.then(r)
		r.must(engine.Host, "begin")
		mark := len(r.steps)
		r.pass(time.Minute)
		if got := r.answers(mark); len(got) != 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// GEN-E13: the same tag at two readers at once is a copy, whichever reader it came to
// last, and all are told so. A card that is moved over is none, though its leaving is
// told late; nor is one that a reader saw before it was lost, nor a bank card.
func TestOneTagAtTwoReaders(t *testing.T) {
	both := []string{engine.ReaderShow, engine.ReaderUrn}
	for _, c := range []struct {
		name, card string
		meanwhile  func(r *rig, first string)
		want       string
	}{
		{"a copy", "card-1", func(*rig, string) {}, signalAgain},
		{"moved over", "card-1", func(r *rig, first string) {
			r.pass(defaultUrnWindow - time.Millisecond)
			r.core().handleTagLeft(first, "uid-card-1")
		}, signalAccepted},
		{"lost", "card-1", func(r *rig, first string) { r.core().readers[first] = ReaderLost }, signalAccepted},
		{"a bank card", "?bank", func(*rig, string) {}, signalAgain},
	} {
		for i, first := range both {
			second := both[1-i]
			r := newRig(t, newMemory())
			for range 3 {
				r.must(engine.Host, "sit")
			}
			r.core().handleReading(r.clock.at, first, Reading{Tags: tags(c.card)})
			r.pass(maxEarlyAge + time.Second) // forgotten there
			r.must(engine.Host, "begin")
			mark := len(r.steps)
			r.core().handleReading(r.clock.at, second, Reading{Tags: tags(c.card)})
			c.meanwhile(r, first)
			r.pass(defaultUrnWindow)
			if got := r.answers(mark); len(got) != 1 || got[0] != c.want {
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

// A card that lies there when the daemon comes up is laid by nobody, whichever it is and whatever
// is awaited then: not at once, and not later. It is there all the same, for a copy of it at another
// reader and for a card that is laid beside it; lifted and laid again it is one like any other.
func TestACardThatLiesThereAtTheStart(t *testing.T) {
	for _, card := range []string{"card-1", "bad", "?bank"} {
		for _, reader := range []string{engine.ReaderShow, engine.ReaderUrn} {
			r := newRig(t, newMemory())
			for range 3 {
				r.must(engine.Host, "sit")
			}
			r.start()
			mark := len(r.steps)
			r.core().handleReading(r.clock.at, reader, Reading{Tags: tags(card), FoundAtStart: true})
			r.pass(time.Second)
			if got := len(r.steps) - mark; got != 0 {
				t.Errorf("%s at %s: %d steps", card, reader, got)
			}
			r.must(engine.Host, "begin")
			mark = len(r.steps)
			r.pass(time.Minute)
			if got := r.answers(mark); len(got) != 0 {
				t.Errorf("%s at %s: %v when it is awaited", card, reader, got)
			}
			if !r.core().fields.isDoubled("another", tags(card), r.core().readers) && card != "?bank" {
				t.Errorf("%s at %s: a copy is not noticed", card, reader)
			}
			r.core().handleTagLeft(reader, "uid-"+card)
			r.put(reader, card, false)
			want := map[string]string{"card-1": signalAccepted}[card]
			if want == "" {
				want = signalAgain
			}
			if got := r.answers(mark); len(got) != 1 || got[0] != want {
				t.Errorf("%s at %s, laid again: %v, want %s", card, reader, got, want)
			}
		}
	}
}

// What lies at a reader is bounded.
func TestFieldIsBounded(t *testing.T) {
	r := playing(t, newMemory(), 2)
	for i := range 100 {
		r.core().handleReading(r.clock.at, engine.ReaderUrn, Reading{Tags: []Tag{{UID: string(rune('a' + i))}}})
	}
	if got := len(r.core().fields.tags[engine.ReaderUrn]); got != maxTags {
		t.Errorf("%d tags in one field", got)
	}
}
