package table

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// tagger keeps tags as a house does.
type tagger struct {
	kept  map[string]store.TagOf // by UID
	apart bool
	fail  bool
}

func (t *tagger) Tags(deck engine.ID) (all []store.Tag, _ error) {
	for _, o := range t.kept {
		if o.Deck == deck {
			all = append(all, o.Tag)
		}
	}
	return all, nil
}

func (t *tagger) ChangeTags(drop, put []store.TagOf) error {
	if t.fail {
		return errDisk
	}
	for _, o := range drop {
		delete(t.kept, o.UID)
	}
	for _, o := range put {
		t.kept[o.UID] = o
	}
	return nil
}

func (t *tagger) List(list string, game engine.ID, names engine.Names) enrol.Opts {
	o := enrol.Opts{Deck: game, Unfit: func(uid string) (engine.Text, bool) { return engine.Text{FR: "non", EN: "no"}, uid == "bad" }}
	o.Cards = slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool { return !n.IsCard() })
	return o
}

func (t *tagger) Number(typed string) (string, bool) { return typed, typed != "" }
func (t *tagger) Apart() bool                        { return t.apart }

func (t *tagger) Enrolled() (all []engine.ID) {
	for o := range maps.Values(t.kept) {
		all = append(all, o.Card)
	}
	return all
}

func enrolRig(t *testing.T) (*rig, *tagger) {
	r := boxRig(t)
	k := &tagger{kept: map[string]store.TagOf{}}
	r.core().Tags = k
	r.core().publish(notices{})
	return r, k
}

// unknown lays tags of no card at a reader.
func unknown(r *rig, reader string, uids ...string) {
	var all []Tag
	for _, u := range uids {
		all = append(all, Tag{UID: u})
	}
	r.core().see(r.clock.at, reader, Seen{Tags: all})
}

// While an enrolment is open in the lobby each tag is the card's that is asked for, whatever reader it passes, and none reaches the game.
func TestEnrolment(t *testing.T) {
	r, k := enrolRig(t)
	if o, ok := hostOffer(r.last(), actEnrol); !ok || !slices.Equal(o.Params[0].Domain, []string{wire.EnrolCards, wire.EnrolPawns, wire.EnrolControls}) || !o.Aside {
		t.Errorf("offer %+v", o)
	}
	if s := r.last(); !s.Host.Blank || s.Public.ForHost != nil {
		t.Error("no card has a tag, and the host alone is not told")
	}
	lobby := r.last()
	lobby.Host.Blank = false // one has its tag then
	before := state(t, lobby)
	r.must(engine.Host, actEnrol, "list", wire.EnrolCards)
	u := r.last().Host.Enrol
	if u == nil || u.Asked != "role-1" || u.Next != "role-2" || u.Of != 6 || len(u.Short) != 6 || r.last().Public.ForHost != nil {
		t.Fatalf("%+v", u)
	}
	for i, c := range []struct{ reader, uid, signal, last string }{
		{engine.ReaderUrn, "u1", signalAccepted, enrol.Kept},
		{engine.ReaderShow, "u1", signalAgain, enrol.Conflict},
		{engine.ReaderShow, "bad", signalAgain, enrol.Unfit},
		{"place-1", "u2", signalAccepted, enrol.Kept},
	} {
		unknown(r, c.reader, c.uid)
		say, u := r.last().Public.Notice, r.last().Host.Enrol
		if say == nil || say.Signal != c.signal || say.Reader != c.reader || u.Last != c.last {
			t.Errorf("%d: notice %+v, last %q", i, say, u.Last)
		}
	}
	if k.kept["u1"].Card != "role-1" || k.kept["u2"].Card != "role-2" {
		t.Errorf("%v", k.kept)
	}
	n := len(r.steps)
	r.core().see(r.clock.at, engine.ReaderShow, Seen{Tags: []Tag{{UID: "u9"}}, Found: true}) // it lay there before
	r.core().see(r.clock.at, engine.ReaderShow, Seen{})                                      // unreadable
	if len(r.steps) != n {
		t.Error("what nobody lays is told")
	}
	k.fail = true
	unknown(r, engine.ReaderShow, "u3")
	if u := r.last().Host.Enrol; u.Last != "failed" || u.Asked != "weapon-1" || len(k.kept) != 2 {
		t.Errorf("%+v", u)
	}
	k.fail = false
	r.must(engine.Host, actEnrolDo, "do", enrol.Undo)
	r.must(engine.Host, actEnrolEnd)
	if r.last().Host.Enrol != nil || state(t, r.last()) != before || !slices.Equal(r.core().Opts.Enrolled, []engine.ID{"role-1"}) {
		t.Errorf("a card has reached the game, or the enrolment stays; enrolled %v", r.core().Opts.Enrolled)
	}
}

// The list of all tags is shown to the host when asked for, and taken piece by piece.
func TestListOfTags(t *testing.T) {
	r, k := enrolRig(t)
	r.must(engine.Host, actEnrol, "list", wire.EnrolCards)
	r.must(engine.Host, wire.ActPaste, "of", pasteTags, "at", "0", "text", "u1, role-1\nu2,")
	r.must(engine.Host, wire.ActPaste, "of", pasteTags, "at", "14", "text", " clue-2\n")
	r.must(engine.Host, actEnrolFile, "do", fileRead)
	if u := r.last().Host.Enrol.Read; u == nil || u.New != 2 || len(u.Faults) > 0 {
		t.Fatalf("%+v", u)
	}
	r.must(engine.Host, actEnrolFile, "do", fileTake)
	if len(k.kept) != 2 || k.kept["u2"].Card != "clue-2" {
		t.Errorf("%v", k.kept)
	}
	r.must(engine.Host, actEnrolFile, "do", fileShow)
	if u := r.last(); !strings.HasSuffix(u.Host.Enrol.File, "u2, clue-2\nu1, role-1\n") || strings.Contains(asJSON(t, u.Public)+asJSON(t, u.Seats()), "u1") {
		t.Errorf("%q", u.Host.Enrol.File)
	}
	r.must(engine.Host, wire.ActPaste, "of", pasteTags, "at", "0", "text", "u1; role-1")
	r.must(engine.Host, actEnrolFile, "do", fileRead)
	if u := r.last().Host.Enrol.Read; u == nil || len(u.Faults) != 1 || u.Faults[0].Line != 1 {
		t.Errorf("%+v", u)
	}
	for faults, more := range map[int]string{maxFaults: "", maxFaults + 3: "not listed: 3 ", 200: "not listed: 192 "} { // what is not shown is counted
		r.must(engine.Host, wire.ActPaste, "of", pasteTags, "at", "0", "text", strings.Repeat("u1;\n", faults))
		r.must(engine.Host, actEnrolFile, "do", fileRead)
		u := r.last().Host.Enrol.Read
		if more == "" && len(u.Faults) == maxFaults {
			continue
		}
		if len(u.Faults) != maxFaults+1 || !strings.Contains(u.Faults[maxFaults].Said.EN+" ", more) || u.Faults[maxFaults].Line != 0 {
			t.Errorf("of %d faults: %+v", faults, u.Faults)
		}
	}
	if o, ok := hostOffer(r.last(), actEnrolFile); !ok || slices.Contains(o.Params[0].Domain, fileTake) {
		t.Errorf("a list with a fault is offered: %+v", o)
	}
	if no := r.act(engine.Host, wire.ActPaste, "of", pasteTags, "at", "3", "text", "x"); no.OK {
		t.Error("a piece that does not follow is taken")
	}
}

// endEnrol does what Loop.EndEnrol does.
func (r *rig) endEnrol() {
	done := make(chan struct{})
	go func() { defer close(done); r.loop.EndEnrol() }()
	r.core().handle(<-r.loop.in)
	<-done
}

// Whoever needs all tags of all readers ends an enrolment that takes them, which is shown.
func TestAnEnrolmentIsEnded(t *testing.T) {
	r, _ := enrolRig(t)
	rev := r.last().Rev
	if r.endEnrol(); r.last().Rev != rev {
		t.Error("none is ended in a step")
	}
	r.must(engine.Host, actEnrol, "list", wire.EnrolCards)
	if r.endEnrol(); r.last().Host.Enrol != nil || r.loop.Enrolling() {
		t.Error("it goes on")
	}
}

// In a game the host gives a card another tag: the next tag of no card is it, for everybody alike, and every card goes to the game as ever.
func TestSpareTag(t *testing.T) {
	r, k := enrolRig(t)
	r.must(engine.Host, actEnrol, "list", wire.EnrolCards)
	r.must(engine.Host, "begin")
	if u := r.last().Host.Enrol; u != nil || r.loop.Enrolling() {
		t.Errorf("the lobby's enrolment goes on in a game: %+v", u)
	}
	for _, list := range []string{wire.EnrolCards, wire.EnrolControls} {
		if no := r.act(engine.Host, actEnrol, "list", list); no.OK {
			t.Errorf("%s in a game", list)
		}
	}
	if no := r.act(engine.At(1), actEnrol, "list", wire.EnrolSpare); no.OK {
		t.Error("a seat enrols")
	}
	r.must(engine.Host, actEnrol, "list", wire.EnrolSpare)
	r.must(engine.Host, actEnrolPick, "card", "clue-1")
	if r.loop.Enrolling() {
		t.Error("control cards are taken in a game")
	}
	if r.endEnrol(); r.last().Host.Enrol == nil {
		t.Error("a session that takes no card is ended")
	}
	picked := asJSON(t, r.last().Host.Enrol)
	if left, all := r.core().takes(engine.ReaderShow, tags("clue-2"), false, false); all || len(left) != 1 {
		t.Error("a card is kept from the game")
	}
	for _, c := range []struct {
		reader string
		apart  bool
	}{{"place-1", false}, {engine.ReaderShow, true}} { // beside a place a tag is no replacement, and a reader for it goes before
		k.apart = c.apart
		if _, all := r.core().takes(c.reader, []Tag{{UID: "u1"}}, false, false); all {
			t.Errorf("%s takes the tag", c.reader)
		}
	}
	k.apart = false
	if got := asJSON(t, r.last().Host.Enrol); got != picked {
		t.Errorf("%s, before %s", got, picked)
	}
	n := len(r.steps)
	unknown(r, engine.ReaderShow, "u1")
	s := r.last()
	if k.kept["u1"].Card != "clue-1" || s.Host.Enrol.Last != enrol.Kept || s.Host.Enrol.Tagged != 0 || len(r.steps) != n+1 {
		t.Errorf("%v, %+v", k.kept, s.Host.Enrol)
	}
	if say := s.Public.Notice; say == nil || say.Msg.Key != "table.enrol.spare" || strings.Contains(asJSON(t, s.Public)+asJSON(t, s.Seats()), "clue-1") {
		t.Errorf("%+v", say)
	}
	r.must(engine.Host, "new-game")
	if s := r.last(); s.Host.Enrol != nil {
		t.Error("it goes on in another game")
	}
}
