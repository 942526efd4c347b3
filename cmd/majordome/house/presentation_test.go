package house

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
)

// startWithUnnamedHands runs a house up to the first deposit, where no reader has read anything yet and no phone has
// named a card: sensing with a reader in the urn only.
func startWithUnnamedHands(t *testing.T) *rig {
	t.Helper()
	r := startRig(t, nil)
	for _, act := range []string{"begin", "draw-roles", "laid"} {
		r.mustHostAct(act, nil)
		r.house.Loop.IsResponsive(t.Context(), patience)
	}
	for x := engine.Seat(1); x <= 4; x++ {
		r.mustAct(x, "keep", "card", "unnamed")
	}
	for x := engine.Seat(1); x <= 4; x++ {
		r.mustAct(x, "move", "place", string(r.publicView().Places[x].Place))
		r.mustAct(x, "search")
		r.mustAct(x, "take", "card", "unnamed")
		r.mustAct(x, "done")
	}
	return r
}

// Huis Clos 4.2, GEN-E06: a second clue next to one that has just been accepted belongs to the same hand, and the
// message is for that hand; the next seat has not deposited.
func TestASecondClueInTheSlotIsTheSameHands(t *testing.T) {
	t.Parallel()
	r := startWithUnnamedHands(t)
	r.presentAccepted(engine.ReaderUrn, func() { r.placeTags(engine.ReaderUrn, tagOf(t, "clue-worms-1")) })
	from := r.mark()
	r.placeTags(engine.ReaderUrn, tagOf(t, "clue-worms-2"))
	u := r.waitSignal(from, engine.ReaderUrn, "again")
	if u.View.Urn != 1 || u.View.Active[0] != 2 || u.View.Seats[1].Done {
		t.Errorf("urn %d, active %v: it counts for the next seat", u.View.Urn, u.View.Active)
	}
	if u.Notice.Msg.Args.Get("seat") != "seat-1" {
		t.Errorf("the table hears %+v", u.Notice.Msg)
	}
	if n := r.updateFor(u, 1).Notice; n == nil || !n.Private || n.Rule != "GEN-E06" {
		t.Errorf("the seat that laid the card is shown %+v", n)
	}
	if n := r.updateFor(u, 2).Notice; n == nil || n.Private {
		t.Errorf("the next seat is shown %+v", n)
	}
	// Both are taken back: the next seat deposits.
	r.sims[engine.ReaderUrn].RemoveTag(tagOf(t, "clue-worms-1"))
	r.sims[engine.ReaderUrn].RemoveTag(tagOf(t, "clue-worms-2"))
	if u := r.presentAccepted(engine.ReaderUrn, func() { r.placeTags(engine.ReaderUrn, tagOf(t, "clue-peely-1")) }); u.View.Urn != 2 {
		t.Errorf("urn %d", u.View.Urn)
	}
}

// GEN-E11: a clue that a searcher puts on the reader during the observers' time is accepted when that time is over,
// without lifting it.
func TestClueLeftOnTheReaderCountsAfterTheObserversTime(t *testing.T) {
	t.Parallel()
	r := startRig(t, nil)
	for _, act := range []string{"begin", "draw-roles", "deal"} {
		r.mustHostAct(act, nil)
		r.house.Loop.IsResponsive(t.Context(), patience)
	}
	for x := engine.Seat(1); x <= 4; x++ {
		r.mustAct(x, "keep", "card", string(r.ownView(x).Tray[1]))
	}
	for x := engine.Seat(1); x <= 2; x++ {
		r.mustAct(x, "move", "place", "place-salon")
		r.mustAct(x, "search")
		if x == 1 {
			r.mustAct(x, "take", "card", string(r.ownView(x).Tray[1]))
			r.mustAct(x, "done")
		}
	}
	if v := r.publicView(); v.Prompt.Key != "hc.prompt.window" {
		t.Fatal("nobody may observe: ", v.Prompt.Key)
	}
	from, began := r.mark(), time.Now()
	r.placeTags(engine.ReaderShow, tagOf(t, r.ownView(2).Tray[1]))
	u := r.waitUpdate(from, "the clue counts", func(u wire.Update) bool { return u.View.Seats[1].Cards == 2 })
	if took := time.Since(began); u.Notice == nil || u.Notice.Signal != "accepted" {
		t.Errorf("after %v: %+v", took, u.Notice)
	}
}

// GEN-E11: the card of the next player to be asked is on the reader before the question is asked. It counts as the
// answer, with the delay of every answer (C8-158).
func TestCardOnTheReaderBeforeTheQuestionIsTheAnswer(t *testing.T) {
	t.Parallel()
	f := startRefutation(t, nil)
	h := *f.view(1).View.Case.Hypothesis
	for f.view(1).View.Case.Step != engine.StepAct {
		f.mustHostAct("undo", nil)
	}
	f.placeTags(engine.ReaderShow, f.tags[f.right])
	f.eyes[engine.ReaderShow].waitUntil(t, "the card is seen", func() bool { return len(f.eyes[engine.ReaderShow].arrived) > 0 })
	from, began := f.mark(), time.Now()
	f.mustActAsSeat(1, "hypothesis", engine.Args{"suspect": string(h.Suspect), "weapon": string(h.Weapon)})
	for f.view(1).View.Case.Step == engine.StepDisplaced {
		f.mustActAsSeat(f.view(1).View.Active[0], "pass", nil)
	}
	u := f.waitUpdate(from, "a card is shown", func(u wire.Update) bool {
		h := u.View.Case.Hypothesis
		return h != nil && slices.Contains(h.Answers, engine.Answer{Seat: 2, Said: "shown"})
	})
	took := time.Since(began)
	if delay := time.Duration(cluedo.DefaultDeck("cluedo-2008").AnswerDelay) * time.Millisecond; took < delay {
		t.Errorf("the answer took effect after %v, sooner than %v", took, delay)
	}
	if u.Notice != nil && u.Notice.Signal != "" {
		t.Errorf("the table hears %+v", u.Notice)
	}
	f.checkShownOnlyToAsker()
}

// GEN-E13: a copy of the card that answers is at the urn when the card is put on the other reader. All players hear the
// same, and the answer does not count before the copy is gone.
func TestACopyAtTheOtherReader(t *testing.T) {
	t.Parallel()
	f := startRefutation(t, nil)
	card, urn, show := f.tags[f.right], f.eyes[engine.ReaderUrn], f.eyes[engine.ReaderShow]
	from := f.mark()
	f.placeTags(engine.ReaderUrn, card)
	f.waitUpdate(from, "the copy is seen", func(wire.Update) bool { return true }) // no card is expected there
	from = f.mark()
	f.placeTags(engine.ReaderShow, card)
	u := f.waitSignal(from, engine.ReaderShow, "again")
	for _, u := range append([]wire.Update{u}, f.updateFor(u, 1), f.updateFor(u, 2), f.updateFor(u, 3)) {
		if n := u.Notice; n == nil || n.Msg.Key != "gen.alarm" || n.Rule != "GEN-E13" || n.Private || len(n.Msg.Args) > 0 {
			t.Errorf("%s hears %+v", u.View.Viewer, n)
		}
	}
	f.sims[engine.ReaderUrn].RemoveTag(card)
	f.sims[engine.ReaderShow].RemoveTag(card)
	urn.waitEmpty(t, engine.ReaderUrn)
	show.waitEmpty(t, engine.ReaderShow)
	from, began := f.mark(), time.Now()
	f.placeTags(engine.ReaderShow, card)
	f.waitCardShown(from, began)
	f.checkShownOnlyToAsker()
}
