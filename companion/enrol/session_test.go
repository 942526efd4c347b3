package enrol_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/engine"
)

// memoryStore keeps tags by deck and UID.
type memoryStore struct {
	kept map[store.DeckTag]bool
	fail bool
}

func (s *memoryStore) Tags(deck engine.ID) (all []store.Tag, _ error) {
	for t := range s.kept {
		if t.Deck == deck {
			all = append(all, t.Tag)
		}
	}
	return all, nil
}

var errDisk = errors.New("disk")

func (s *memoryStore) ChangeTags(drop, put []store.DeckTag) error {
	if s.fail {
		return errDisk
	}
	for _, d := range drop {
		maps.DeleteFunc(s.kept, func(t store.DeckTag, _ bool) bool { return t.Deck == d.Deck && t.UID == d.UID })
	}
	for _, p := range put {
		maps.DeleteFunc(s.kept, func(t store.DeckTag, _ bool) bool { return t.Deck == p.Deck && t.UID == p.UID })
		s.kept[p] = true
	}
	return nil
}

func tag(deck, uid, card string) store.DeckTag {
	return store.DeckTag{Deck: engine.ID(deck), Tag: store.Tag{UID: uid, Card: engine.ID(card)}}
}

// listTags returns the stored tags as sorted text.
func (s *memoryStore) listTags() (out []string) {
	for t := range s.kept {
		out = append(out, fmt.Sprintf("%s %s=%s", t.Deck, t.UID, t.Card))
	}
	slices.Sort(out)
	return out
}

func (s *memoryStore) wantTags(t *testing.T, want ...string) {
	t.Helper()
	if got := s.listTags(); !slices.Equal(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func unfit(uid string) (engine.Text, bool) {
	return engine.T("non", "no"), strings.HasPrefix(uid, "08")
}

// newMemoryStore returns a store with these tags.
func newMemoryStore(kept ...store.DeckTag) *memoryStore {
	s := &memoryStore{kept: map[store.DeckTag]bool{}}
	for _, k := range kept {
		s.kept[k] = true
	}
	return s
}

func openSession(t *testing.T, s *memoryStore, change func(*enrol.Opts)) *enrol.Session {
	t.Helper()
	o := enrol.Opts{Deck: "g", Others: []engine.ID{"control"}, Cards: engine.Names{{ID: "a"}, {ID: "b"}, {ID: "c"}}, Unfit: unfit}
	if change != nil {
		change(&o)
	}
	e, err := enrol.Open(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func failOnError(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func wantLast(t *testing.T, e *enrol.Session, what string, asked engine.ID) {
	t.Helper()
	if st := e.State(); st.Last.Outcome != what || st.Asked != asked {
		t.Errorf("last %q and %q is asked for, want %q and %q", st.Last.Outcome, st.Asked, what, asked)
	}
}

// TestInOrder checks that the session asks for each card without a tag in the order of the deck, and that a card can be
// skipped, gone back to and undone.
func TestInOrder(t *testing.T) {
	s := newMemoryStore(tag("g", "01", "b"))
	e := openSession(t, s, nil)
	wantLast(t, e, "", "a")
	if e.State().Next != "c" {
		t.Error("b has its tag")
	}
	failOnError(t, e.AcceptTags([]string{"02"}))
	wantLast(t, e, enrol.TagAssigned, "c")
	failOnError(t, e.RunHostCommand(enrol.SkipCard))
	wantLast(t, e, "", "")
	failOnError(t, e.AcceptTags([]string{"02"}))
	wantLast(t, e, enrol.TagKnown, "")
	failOnError(t, e.RunHostCommand(enrol.PreviousCard))
	wantLast(t, e, "", "c")
	failOnError(t, e.AcceptTags([]string{"03"}))
	wantLast(t, e, enrol.TagAssigned, "")
	s.wantTags(t, "g 01=b", "g 02=a", "g 03=c")
	failOnError(t, e.RunHostCommand(enrol.UndoStep))
	wantLast(t, e, enrol.StepUndone, "c")
	failOnError(t, e.RunHostCommand(enrol.UndoStep))
	wantLast(t, e, enrol.StepUndone, "a")
	s.wantTags(t, "g 01=b")
	if err := e.RunHostCommand(enrol.UndoStep); err != enrol.ErrNotNow {
		t.Errorf("there is nothing more to undo: %v", err)
	}
}

// TestConflicts checks that a tag of another card, in this deck or another, is reported before anything is stored, and is moved
// only on command.
func TestConflicts(t *testing.T) {
	s := newMemoryStore(tag("g", "01", "b"), tag("control", "09", "pause"))
	e := openSession(t, s, nil)
	for uid, owner := range map[string]store.DeckTag{"01": tag("g", "01", "b"), "09": tag("control", "09", "pause")} {
		failOnError(t, e.AcceptTags([]string{uid}))
		wantLast(t, e, enrol.TagConflict, "a")
		if e.State().Conflict != owner {
			t.Errorf("conflict with %v", e.State().Conflict)
		}
		s.wantTags(t, "control 09=pause", "g 01=b")
		failOnError(t, e.RunHostCommand(enrol.LeaveTag))
	}
	failOnError(t, e.AcceptTags([]string{"09"}), e.AcceptTags([]string{"02"})) // or the player simply presents another tag
	s.wantTags(t, "control 09=pause", "g 01=b", "g 02=a")
	failOnError(t, e.RunHostCommand(enrol.UndoStep), e.AcceptTags([]string{"01"}), e.RunHostCommand(enrol.MoveTag))
	s.wantTags(t, "control 09=pause", "g 01=a")
	failOnError(t, e.RunHostCommand(enrol.UndoStep), e.AcceptTags([]string{"09"}), e.RunHostCommand(enrol.MoveTag))
	s.wantTags(t, "g 01=b", "g 09=a")
	failOnError(t, e.RunHostCommand(enrol.UndoStep))
	s.wantTags(t, "control 09=pause", "g 01=b")
}

// TestCardByCard checks that a picked card that has a tag gets the new one instead, and that an unknown tag waits for its card.
func TestCardByCard(t *testing.T) {
	s := newMemoryStore(tag("g", "01", "b"))
	e := openSession(t, s, nil)
	failOnError(t, e.PickCard("b"), e.AcceptTags([]string{"02"}))
	wantLast(t, e, enrol.TagAssigned, "")
	s.wantTags(t, "g 02=b") // the lost tag names no card
	failOnError(t, e.AcceptTags([]string{"03"}))
	wantLast(t, e, enrol.TagUnknown, "")
	if e.State().Unknown != "03" {
		t.Error("the last unknown tag has no name")
	}
	failOnError(t, e.PickCard("c"), e.RunHostCommand(enrol.AssignTag))
	s.wantTags(t, "g 02=b", "g 03=c")
	failOnError(t, e.PickCard("c"), e.RunHostCommand(enrol.ForgetTags))
	s.wantTags(t, "g 02=b")
	failOnError(t, e.RunHostCommand(enrol.UndoStep), e.RunHostCommand(enrol.UndoStep), e.RunHostCommand(enrol.UndoStep))
	s.wantTags(t, "g 01=b")
	if e.PickCard("d") == nil {
		t.Error("there is no card d")
	}
}

// TestTwoTags checks that, with two tags a card, both may come at once and a third is one too many.
func TestTwoTags(t *testing.T) {
	s := newMemoryStore()
	e := openSession(t, s, func(o *enrol.Opts) { o.Need = 2 })
	failOnError(t, e.AcceptTags([]string{"01"}))
	wantLast(t, e, enrol.TagAssigned, "a")
	failOnError(t, e.AcceptTags([]string{"01"}))
	wantLast(t, e, enrol.TagUnchanged, "a")
	failOnError(t, e.AcceptTags([]string{"01", "02"})) // the first is still there
	wantLast(t, e, enrol.TagAssigned, "b")
	failOnError(t, e.AcceptTags([]string{"03", "04"}))
	wantLast(t, e, enrol.TagAssigned, "c")
	failOnError(t, e.AcceptTags([]string{"05", "06", "07"}))
	wantLast(t, e, enrol.SeveralTags, "c")
	s.wantTags(t, "g 01=a", "g 02=a", "g 03=b", "g 04=b")
	one := openSession(t, newMemoryStore(), nil)
	failOnError(t, one.AcceptTags([]string{"01", "02"}))
	wantLast(t, one, enrol.SeveralTags, "a")
}

// TestRefusals checks that a tag that cannot name a card is refused with the reason, and that a store that fails changes
// nothing.
func TestRefusals(t *testing.T) {
	s := newMemoryStore(tag("g", "0801", "b")) // of an older program: it does not count
	e := openSession(t, s, nil)
	failOnError(t, e.AcceptTags([]string{"0802"}))
	if l := e.State().Last; l.Outcome != enrol.TagUnfit || l.Why.EN != "no" {
		t.Errorf("%+v", l)
	}
	if c := e.State().Cards[1]; c.Tags != 0 {
		t.Errorf("%+v", c)
	}
	s.fail = true
	before := e.State()
	if err := e.AcceptTags([]string{"02"}); !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
	if !reflect.DeepEqual(e.State(), before) {
		t.Errorf("%+v, before %+v", e.State(), before)
	}
}

// TestPlaying checks that during a game a session never shows which card a tag belongs to, and that the picked card loses no
// tag.
func TestPlaying(t *testing.T) {
	s := newMemoryStore(tag("g", "01", "b"), tag("control", "09", "pause"))
	e := openSession(t, s, func(o *enrol.Opts) { o.Playing = true })
	empty := e.State()
	failOnError(t, e.AcceptTags([]string{"03"})) // nothing is asked for
	if !reflect.DeepEqual(e.State(), empty) {
		t.Errorf("%+v", e.State())
	}
	failOnError(t, e.PickCard("b"))
	picked := e.State()
	failOnError(t, e.AcceptTags([]string{"01"}), e.AcceptTags([]string{"09"}))
	if !reflect.DeepEqual(e.State(), picked) {
		t.Errorf("a card is looked at: %+v", e.State())
	}
	failOnError(t, e.AcceptTags([]string{"01", "02"}))
	wantLast(t, e, enrol.TagAssigned, "")
	s.wantTags(t, "control 09=pause", "g 01=b", "g 02=b")
	if may := e.AllowedCommands(); !slices.Equal(may, []string{enrol.UndoStep}) {
		t.Errorf("%v", may)
	}
	failOnError(t, e.PickCard("b"), e.AcceptTags([]string{"03"}), e.PickCard("b"), e.AcceptTags([]string{"04"}), e.PickCard("b"),
		e.AcceptTags([]string{"05"}))
	wantLast(t, e, enrol.CardFull, "b")
}

func parseUID(s string) (string, bool) { return strings.ToUpper(s), len(s)%2 == 0 && len(s) > 1 }

// TestLists checks that an exported list can be read back, and that a list with a fault is refused whole, with the line of the
// fault.
func TestLists(t *testing.T) {
	s := newMemoryStore(tag("g", "01", "b"), tag("g", "02", "a"), tag("g", "03", "a"), tag("control", "09", "pause"))
	list := openSession(t, s, nil).ExportList()
	if !strings.HasSuffix(list, "\n02, a\n03, a\n01, b\n") || !strings.Contains(list, "l’hôte seul") {
		t.Errorf("%s", list)
	}
	other := newMemoryStore(tag("g", "01", "c"), tag("g", "02", "a"))
	e := openSession(t, other, nil)
	r := e.ParseList(list, parseUID)
	if r.New != 1 || r.Same != 1 || r.Moved != 1 || len(r.Faults) > 0 {
		t.Errorf("%+v", r)
	}
	other.wantTags(t, "g 01=c", "g 02=a")
	failOnError(t, e.ApplyList(r))
	other.wantTags(t, "g 01=b", "g 02=a", "g 03=a")
	failOnError(t, e.RunHostCommand(enrol.UndoStep))
	other.wantTags(t, "g 01=c", "g 02=a")
	for bad, fault := range map[string]string{
		"04; a": ":1: ", "\n04, aa": ":2:4: ", "0, a": ":1:1: ", "0801, a": "no", "04, a\n04, b": "line 1 already", "# x": "empty",
		"04, a\n05, a\n06, a\n07, a\n0A, a": ":5: ", "\xff": "no list", strings.Repeat("x", enrol.MaxList+1): "too long",
	} {
		r := e.ParseList(bad, parseUID)
		if len(r.Faults) != 1 || !strings.Contains(r.Faults.Error(), fault) {
			t.Errorf("%.20q: %v, want %q", bad, r.Faults, fault)
		}
		if e.ApplyList(r) != enrol.ErrNotNow {
			t.Errorf("%.20q is taken", bad)
		}
	}
}
