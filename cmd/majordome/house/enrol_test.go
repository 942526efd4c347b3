package house

import (
	"slices"
	"testing"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// enrolment is what the host is shown of one.
func (r *rig) enrolment() wire.Enrol {
	r.shown()
	u, _ := r.house.loop.Snapshot(engine.Host)
	if u.Enrol == nil {
		r.t.Fatal("no enrolment")
	}
	return *u.Enrol
}

// laid lays a tag at a reader and waits for the enrolment's answer.
func (r *rig) laid(reader string, u devices.UID) wire.Update {
	r.t.Helper()
	r.eyes[reader].gone(r.t, reader)
	from := r.mark()
	r.put(reader, u)
	told := r.until(from, "an answer", func(u wire.Update) bool { return u.Notice != nil && u.Notice.Reader == reader && u.Notice.Signal != "" })
	r.sims[reader].Take(u)
	return told
}

// A card that is enrolled on the page is that card at once, at every reader and without a start; a tag that was a control card
// does nothing meanwhile, and is none any more once it has become a card.
func TestEnrolmentIsKnownAtOnce(t *testing.T) {
	call := uid(t, 200)
	r := start(t, func(o *Opts) { o.Tags = nil })
	if err := (tagger{r.house}).ChangeTags(nil, []store.TagOf{{Deck: ControlDeck, Tag: store.Tag{UID: call.String(), Card: "call"}}}); err != nil {
		t.Fatal(err)
	}
	r.host("enrol", engine.Args{"list": wire.EnrolCards})
	first := r.enrolment().Asked
	r.laid(engine.ReaderUrn, uid(t, 1))
	from := r.mark()
	r.laid(engine.ReaderShow, call)
	if e := r.enrolment(); !e.Conflict || e.Card != "call" || e.Tagged != 1 {
		t.Errorf("%+v", e)
	}
	r.mu.Lock()
	if slices.ContainsFunc(r.updates[from:], func(u wire.Update) bool { return u.Notice != nil && u.Notice.Msg.Key == "table.called" }) {
		t.Error("the host is called while cards are enrolled")
	}
	r.mu.Unlock()
	r.host("enrol-do", engine.Args{"do": "move"})
	r.host("enrol-end", nil)
	r.host("box-check", engine.Args{"on": "yes"})
	for u, card := range map[devices.UID]engine.ID{uid(t, 1): first, call: "role-innocent-1"} {
		r.laid(engine.ReaderShow, u)
		r.shown()
		if h, _ := r.house.loop.Snapshot(engine.Host); h.Box.Last != card {
			t.Errorf("%s is %q, want %q", u, h.Box.Last, card)
		}
	}
}

// In a game a new tag becomes the lost card's, which the game then takes for it; the old tag goes on, as nobody knows where it is.
func TestSpareTagPlays(t *testing.T) {
	r := roles(t, nil)
	r.host("enrol", engine.Args{"list": wire.EnrolSpare})
	r.host("enrol-pick", engine.Args{"card": "role-murderer"})
	spare := uid(t, 201)
	if u := r.laid(engine.ReaderShow, spare); u.Notice.Msg.Key != "table.enrol.spare" || u.View.Seats[0].Done {
		t.Errorf("%+v", u.Notice)
	}
	r.host("enrol-end", nil)
	if u := r.laid(engine.ReaderShow, spare); u.Notice.Signal != "accepted" {
		t.Errorf("%+v", u.Notice)
	}
	known := *r.house.cards.Load()
	if known[spare] != "role-murderer" || known[tagOf(t, "role-murderer")] != "role-murderer" {
		t.Error("a tag is missing")
	}
}
