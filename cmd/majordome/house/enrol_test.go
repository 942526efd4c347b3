package house

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/companion/enrol"
	"majordome/companion/game"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// enrolPage returns what the office shows of enrolling.
func (r *rig) enrolPage() (shown wire.Enrol) {
	r.t.Helper()
	r.doRow("enrol", nil, &shown)
	return shown
}

// enrolment returns the open enrolment.
func (r *rig) enrolment() wire.Enrolling {
	r.t.Helper()
	e := r.enrolPage()
	if e.Open == nil {
		r.t.Fatal("no enrolment")
	}
	return *e.Open
}

// openEnrolment opens an enrolment of this list.
func (r *rig) openEnrolment(list string) {
	r.t.Helper()
	r.doRow("enrol-open", engine.Args{"list": list}, nil)
}

// enrolTag places a tag at a reader, waits until the enrolment has it, and takes it away.
func (r *rig) enrolTag(reader string, u devices.UID) wire.Enrolling {
	r.t.Helper()
	r.eyes[reader].waitEmpty(r.t, reader)
	r.placeTags(reader, u)
	eventually(r.t, "the enrolment has no tag "+u.String(), func() bool { return r.enrolment().Tag == u.String() })
	r.sims[reader].RemoveTag(u)
	return r.enrolment()
}

// sendToEnrolment gives the enrolment tags as a bridge does. A name that begins with a digit is the number of a tag
// that belongs to no card.
func (r *rig) sendToEnrolment(reader string, names ...string) (left []game.Tag) {
	r.t.Helper()
	var all []game.Tag
	for _, n := range names {
		t := game.Tag{UID: n}
		if n[0] < '0' || n[0] > '9' {
			u := tagOf(r.t, engine.ID(n))
			t = game.Tag{UID: u.String(), Card: engine.ID(n)}
		}
		all = append(all, t)
	}
	return r.house.enrolment.AcceptTags(reader, all, false)
}

// failingStore is a store that saves nothing while fails is true.
type failingStore struct {
	enrol.TagStore
	fails bool
}

func (f *failingStore) ChangeTags(drop, put []store.DeckTag) error {
	if f.fails {
		return errors.New("no room")
	}
	return f.TagStore.ChangeTags(drop, put)
}

// jsonText returns x as JSON.
func jsonText(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// spareNumber returns the number of a tag that belongs to no card.
func spareNumber(t *testing.T, n byte) string { return uid(t, n).String() }

// GEN-E08: while an enrolment is open before a game, each tag becomes that of the requested card, whichever reader
// reads it. None reaches the game: no step, and nothing on any phone.
func TestEnrolment(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(o *Opts) { o.Tags = nil })
	if e := r.enrolPage(); !e.Blank || e.Open != nil ||
		!slices.Equal(e.Lists, []string{wire.EnrolCards, wire.EnrolPawns, wire.EnrolControls}) {
		t.Errorf("%+v", e)
	}
	steps := r.mark()
	kept := &failingStore{TagStore: r.house.enrolment.TagStore}
	r.house.enrolment.TagStore = kept
	r.openEnrolment(wire.EnrolCards)
	e := r.enrolment()
	if e.Asked == "" || e.Next == "" || e.Of != len(e.Cards) || len(e.Short) != e.Of || e.Tagged != 0 {
		t.Fatalf("%+v", e)
	}
	first, second, third := e.Cards[0], e.Cards[1], e.Cards[2]
	for i, c := range []struct{ reader, tag, last string }{
		{engine.ReaderUrn, spareNumber(t, 101), enrol.TagAssigned},
		{engine.ReaderShow, spareNumber(t, 101), enrol.TagConflict},
		{engine.ReaderShow, "08A1B2C3", enrol.TagUnfit},
		{"place-1", spareNumber(t, 102), enrol.TagAssigned},
	} {
		if left := r.sendToEnrolment(c.reader, c.tag); len(left) != 0 || r.enrolment().Last != c.last {
			t.Errorf("%d: left %v, last %q", i, left, r.enrolment().Last)
		}
	}
	if one, two := r.house.cards.CurrentCardOf(uid(t, 101)), r.house.cards.CurrentCardOf(uid(t, 102)); one != first || two != second {
		t.Errorf("the tags have the cards %s and %s", one, two)
	}
	before := r.enrolment()
	if left := r.house.enrolment.AcceptTags(engine.ReaderShow, []game.Tag{{UID: spareNumber(t, 109)}}, true); len(left) != 0 ||
		r.enrolment().Last != before.Last {
		t.Error("a tag that lay there before anybody looked is taken")
	}
	kept.fails = true
	r.sendToEnrolment(engine.ReaderShow, spareNumber(t, 103))
	if e := r.enrolment(); e.Last != "failed" || e.Asked != third || e.Tagged != 2 {
		t.Errorf("%+v", e)
	}
	if a := r.askOffice("enrol-do", engine.Args{"do": enrol.UndoStep}); a.Why == nil || a.Why.Key != "table.enrol.store" {
		t.Errorf("an act that was not recorded is undone: %+v", a)
	}
	kept.fails = false
	r.doRow("enrol-do", engine.Args{"do": enrol.UndoStep}, nil)
	r.doRow("enrol-end", nil, nil)
	if e := r.enrolPage(); e.Open != nil || e.Blank || !slices.Equal(r.house.cards.EnrolledCards(), []engine.ID{first}) {
		t.Errorf("%+v, enrolled %v", e, r.house.cards.EnrolledCards())
	}
	if left := r.sendToEnrolment(engine.ReaderShow, spareNumber(t, 103)); len(left) != 1 {
		t.Error("a closed enrolment takes a tag")
	}
	if r.waitPublished(); r.mark() != steps {
		t.Errorf("an enrolment is %d steps", r.mark()-steps)
	}
	for _, row := range []string{"enrol-pick", "enrol-do", "enrol-list", "enrol-read", "enrol-take"} {
		a := r.askOffice(row, engine.Args{"card": string(first), "do": enrol.SkipCard, "text": "x"})
		if a.Why == nil || a.Why.Key != "table.unknown" {
			t.Errorf("%s without an enrolment: %+v", row, a)
		}
	}
}

// The host can request the list of all tags. A pasted list is checked before it is accepted.
func TestListOfTags(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(o *Opts) { o.Tags = nil })
	r.openEnrolment(wire.EnrolCards)
	all := r.enrolment().Cards
	list := spareNumber(t, 101) + ", " + string(all[0]) + "\n" + spareNumber(t, 102) + ", " + string(all[3]) + "\n"
	read := func(text string) (out wire.EnrolRead) {
		t.Helper()
		r.doRow("enrol-read", engine.Args{"text": text}, &out)
		return out
	}
	if out := read(list); out.New != 2 || len(out.Faults) > 0 || len(r.house.cards.EnrolledCards()) > 0 {
		t.Fatalf("%+v, enrolled %v", out, r.house.cards.EnrolledCards())
	}
	r.doRow("enrol-take", engine.Args{"text": list}, nil)
	if !slices.Contains(r.house.cards.EnrolledCards(), all[3]) || len(r.house.cards.EnrolledCards()) != 2 ||
		r.enrolment().Last != enrol.ListApplied {
		t.Errorf("%v", r.house.cards.EnrolledCards())
	}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		if text := r.officeText("enrol-list", nil); !strings.Contains(text, line+"\n") {
			t.Errorf("%q lacks %q", text, line)
		}
	}
	bad := spareNumber(t, 101) + "; " + string(all[0])
	if out := read(bad); len(out.Faults) != 1 || out.Faults[0].Line != 1 {
		t.Errorf("%+v", out)
	}
	if a := r.askOffice("enrol-take", engine.Args{"text": bad}); a.Why == nil {
		t.Error("a list with a fault is taken")
	}
	// faults that are not shown are counted
	for faults, more := range map[int]string{cards.MaxListFaults: "", cards.MaxListFaults + 3: "not listed: 3 ", 200: "not listed: 192 "} {
		out := read(strings.Repeat("01;\n", faults))
		if more == "" && len(out.Faults) == cards.MaxListFaults {
			continue
		}
		if len(out.Faults) != cards.MaxListFaults+1 || !strings.Contains(out.Faults[cards.MaxListFaults].Said.EN+" ", more) ||
			out.Faults[cards.MaxListFaults].Line != 0 {
			t.Errorf("%d faults are shown as %+v", faults, out.Faults)
		}
	}
}

// Whatever needs all tags of all readers ends an enrolment before a game: a reader test, a check of the box, a game,
// another game. Opening an enrolment ends a check of the box.
func TestAnEnrolmentIsEnded(t *testing.T) {
	t.Parallel()
	r := startRig(t, nil)
	again := func(game string) { r.mustHostAct("new-game", engine.Args{"game": game, "seats": "keep"}) }
	for _, c := range []struct {
		what string
		do   func()
	}{
		{"a trial", func() { r.setTrial("yes") }},
		{"a check of the box", func() { r.mustHostAct("box-check", engine.Args{"on": "yes"}) }},
		{"a game that has ended since", func() { r.mustHostAct("begin", nil); again("huis-clos") }},
		{"another game", func() { again("cluedo-2008") }},
	} {
		r.openEnrolment(wire.EnrolCards)
		if u, _ := r.house.Loop.Snapshot(engine.Host); u.Box != nil || r.readersPage().On || !r.house.enrolment.AcceptsAllTags() {
			t.Errorf("before %s: box %+v, trial %+v", c.what, u.Box, r.readersPage())
		}
		if c.do(); r.enrolPage().Open != nil || r.house.enrolment.AcceptsAllTags() {
			t.Errorf("%s: the enrolment goes on", c.what)
		}
	}
}

// A refused act changes no open enrolment: a reader test during a game, and anything during a pause. If a check of the
// box ends the enrolment, a device that watches it is shown the end.
func TestAnEnrolmentStays(t *testing.T) {
	t.Parallel()
	r := startRig(t, nil)
	r.openEnrolment(wire.EnrolCards)
	seen := r.watchRow("enrol", "").Seen
	ended := make(chan wire.OfficeAnswer)
	go func() { ended <- r.watchRow("enrol", seen) }()
	r.mustHostAct("box-check", engine.Args{"on": "yes"})
	if a := <-ended; strings.Contains(string(a.Value), "open") || a.Value == nil {
		t.Errorf("a device that watches the enrolment is shown %s", a.Value)
	}
	r.mustHostAct("begin", nil)
	r.openEnrolment(wire.EnrolSpare)
	if a := r.askOffice("readers-try", engine.Args{"on": "yes"}); a.Why == nil || r.enrolPage().Open == nil {
		t.Error("a trial that is refused ends it")
	}
	r.mustHostAct("pause", nil)
	for row, args := range map[string]engine.Args{
		"enrol-open": {"list": wire.EnrolSpare},
		"enrol-pick": {"card": "role-murderer"},
		"enrol-do":   {"do": enrol.UndoStep},
	} {
		if a := r.askOffice(row, args); a.Why == nil || a.Why.Key != "table.paused.host" {
			t.Errorf("%s in a pause: %+v", row, a)
		}
	}
	r.mustHostAct("resume", nil)
	if r.enrolPage().Open == nil {
		t.Error("a pause ends it")
	}
}

// A tag that the configuration uses as a button cannot become a card: with both, the table would not start again.
func TestAButtonIsNoCard(t *testing.T) {
	t.Parallel()
	button := uid(t, 210)
	r := startRig(t, func(o *Opts) {
		o.Tags = nil
		o.Buttons = []config.Button{{Role: wire.ControlPause, Tag: button}}
	})
	r.openEnrolment(wire.EnrolCards)
	r.sendToEnrolment(engine.ReaderShow, button.String())
	if e := r.enrolment(); e.Last != enrol.TagUnfit || e.Why == nil || !strings.Contains(e.Why.FR, "bouton") || e.Tagged != 0 {
		t.Errorf("%+v", e)
	}
	var out wire.EnrolRead
	r.doRow("enrol-read", engine.Args{"text": button.String() + ", " + string(r.enrolment().Cards[0])}, &out)
	if len(out.Faults) != 1 || !strings.Contains(out.Faults[0].Said.EN, "a button") {
		t.Errorf("%+v", out)
	}
}

// During a game the host can give a card another tag: the next tag that belongs to no card becomes its tag, for all
// players. Every card still reaches the game.
func TestSpareTag(t *testing.T) {
	t.Parallel()
	r := startRoles(t, nil)
	for _, list := range []string{wire.EnrolCards, wire.EnrolControls} {
		if a := r.askOffice("enrol-open", engine.Args{"list": list}); a.Why == nil {
			t.Errorf("%s in a game", list)
		}
	}
	r.openEnrolment(wire.EnrolSpare)
	if a := r.askOffice("enrol", nil); strings.Contains(string(a.Value), "null") {
		t.Errorf("a list that pages read is null: %s", a.Value)
	}
	r.doRow("enrol-pick", engine.Args{"card": "role-murderer"}, nil)
	if r.house.enrolment.AcceptsAllTags() {
		t.Error("control cards are taken in a game")
	}
	picked := jsonText(t, r.enrolment())
	if left := r.sendToEnrolment(engine.ReaderShow, "role-innocent-1"); len(left) != 1 {
		t.Error("a card is kept from the game")
	}
	spare := spareNumber(t, 201)
	if left := r.sendToEnrolment("place-1", spare); len(left) != 1 { // a new tag next to a place is no replacement
		t.Error("a reader of a place takes the tag")
	}
	r.mustHostAct("pause", nil)
	if left := r.sendToEnrolment(engine.ReaderShow, spare); len(left) != 1 {
		t.Error("a tag is taken in a pause")
	}
	r.mustHostAct("resume", nil)
	if got := jsonText(t, r.enrolment()); got != picked {
		t.Errorf("%s, before %s", got, picked)
	}
	from := r.mark()
	if left := r.sendToEnrolment(engine.ReaderShow, spare, "role-innocent-1"); len(left) != 1 || left[0].Card != "role-innocent-1" {
		t.Errorf("left %v", left)
	}
	u := r.waitUpdate(from, "everybody is notified", func(u wire.Update) bool {
		return u.Notice != nil && u.Notice.Msg.Key == "table.enrol.spare"
	})
	if e := r.enrolment(); e.Last != enrol.TagAssigned || e.Tagged != 0 || len(e.Tags) > 0 || u.Notice.Signal != wire.SignalAccepted {
		t.Errorf("%+v, notice %+v", e, u.Notice)
	}
	r.waitPublished()
	for _, v := range []engine.Viewer{engine.Public, engine.SeatViewer(1), engine.SeatViewer(2), engine.Host} {
		if u, _ := r.house.Loop.Snapshot(v); strings.Contains(jsonText(t, u.Notice), "role-murderer") {
			t.Errorf("%s hears which card it is: %+v", v, u.Notice)
		}
	}
	r.mustHostAct("new-game", engine.Args{"game": "huis-clos", "seats": "keep"})
	if e := r.enrolPage(); e.Open != nil {
		t.Error("the enrolment goes on in another game")
	}
}

// During a game a reader for enrolling takes precedence over those of the table.
func TestSpareTagAtAReaderApart(t *testing.T) {
	t.Parallel()
	r := startRoles(t, func(o *Opts) { o.Readers[0].Role = config.RoleEnrol })
	r.openEnrolment(wire.EnrolSpare)
	r.doRow("enrol-pick", engine.Args{"card": "role-innocent-2"}, nil)
	if left := r.sendToEnrolment(engine.ReaderShow, spareNumber(t, 201)); len(left) != 1 || !r.enrolment().Apart {
		t.Error("the table's reader takes the tag")
	}
	if left := r.sendToEnrolment(config.RoleEnrol, spareNumber(t, 201)); len(left) != 0 || r.enrolment().Last != enrol.TagAssigned {
		t.Errorf("left %v, %+v", left, r.enrolment())
	}
}

// A card that is enrolled on the page is that card at once, at every reader and without a restart. A tag of a control
// card does nothing meanwhile, and is no control any more once it has become a card.
func TestEnrolmentIsKnownAtOnce(t *testing.T) {
	call := uid(t, 200)
	r := startRig(t, func(o *Opts) { o.Tags = nil })
	err := r.house.cards.ChangeTags(nil, []store.DeckTag{{Deck: cards.ControlDeck, Tag: store.Tag{UID: call.String(), Card: "call"}}})
	if err != nil {
		t.Fatal(err)
	}
	r.openEnrolment(wire.EnrolCards)
	first := r.enrolment().Asked
	r.enrolTag(engine.ReaderUrn, uid(t, 1))
	from := r.mark()
	if e := r.enrolTag(engine.ReaderShow, call); !e.Conflict || e.Card != "call" || e.Tagged != 1 {
		t.Errorf("%+v", e)
	}
	r.waitPublished()
	r.mu.Lock()
	if slices.ContainsFunc(r.updates[from:], func(u wire.Update) bool { return u.Notice != nil && u.Notice.Msg.Key == "table.called" }) {
		t.Error("the host is called while cards are enrolled")
	}
	r.mu.Unlock()
	r.doRow("enrol-do", engine.Args{"do": "move"}, nil)
	r.doRow("enrol-end", nil, nil)
	r.mustHostAct("box-check", engine.Args{"on": "yes"})
	for u, card := range map[devices.UID]engine.ID{uid(t, 1): first, call: "role-innocent-1"} {
		r.eyes[engine.ReaderShow].waitEmpty(t, engine.ReaderShow)
		from := r.mark()
		r.placeTags(engine.ReaderShow, u)
		r.waitUpdate(from, "the box check answers", func(u wire.Update) bool {
			return u.Notice != nil && u.Notice.Reader == engine.ReaderShow
		})
		r.sims[engine.ReaderShow].RemoveTag(u)
		r.waitPublished()
		if h, _ := r.house.Loop.Snapshot(engine.Host); h.Box.Last != card {
			t.Errorf("%s is %q, want %q", u, h.Box.Last, card)
		}
	}
}

// During a game a new tag becomes that of the lost card, and the game then accepts it. The old tag still counts, as no
// one knows where it is.
func TestSpareTagPlays(t *testing.T) {
	r := startRoles(t, nil)
	r.openEnrolment(wire.EnrolSpare)
	r.doRow("enrol-pick", engine.Args{"card": "role-murderer"}, nil)
	spare, from := uid(t, 201), r.mark()
	r.enrolTag(engine.ReaderShow, spare)
	if u := r.waitSignal(from, engine.ReaderShow, wire.SignalAccepted); u.Notice.Msg.Key != "table.enrol.spare" || u.View.Seats[0].Done {
		t.Errorf("%+v", u.Notice)
	}
	r.doRow("enrol-end", nil, nil)
	r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, spare) })
	if cardOf := r.house.cards.CurrentCardOf; cardOf(spare) != "role-murderer" || cardOf(tagOf(t, "role-murderer")) != "role-murderer" {
		t.Error("a tag is missing")
	}
}

// During an enrolment the host reads why a phone cannot be enrolled, and the card next to it is enrolled. Nothing of it
// is public.
func TestAStrayAtAnEnrolment(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(o *Opts) { o.Tags = nil })
	r.openEnrolment(wire.EnrolCards)
	steps, phone := r.mark(), "08A1B2C3"
	if !r.house.enrolment.RefuseUnfitTag(phone) {
		t.Error("the table hears of a phone")
	}
	if e := r.enrolment(); e.Last != enrol.TagUnfit || e.Tag != phone || e.Why == nil {
		t.Errorf("%+v", e)
	}
	r.sendToEnrolment(engine.ReaderShow, spareNumber(t, 101), phone)
	if e := r.enrolment(); e.Last != enrol.TagAssigned || e.Tagged != 1 {
		t.Errorf("%+v", e)
	}
	r.sendToEnrolment(engine.ReaderShow, spareNumber(t, 101)) // it is another card's now
	r.house.enrolment.RefuseUnfitTag(phone)
	if e := r.enrolment(); e.Last != enrol.TagUnfit || e.Conflict || e.Tagged != 1 {
		t.Errorf("a phone has moved a tag: %+v", e)
	}
	if r.waitPublished(); r.mark() != steps {
		t.Error("a phone is public")
	}
}
