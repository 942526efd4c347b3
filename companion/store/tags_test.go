package store

import (
	"fmt"
	"reflect"
	"testing"

	"majordome/engine"
)

// A change of tags is done as a whole or not at all, may move a tag to another deck, and survives a restart with
// matching checksums.
func TestChangeTags(t *testing.T) {
	file := newFile(t)
	s := open(t, file)
	of := func(deck, uid, card string) DeckTag { return DeckTag{engine.ID(deck), Tag{uid, engine.ID(card)}} }
	change := func(drop, put []DeckTag, good bool) {
		t.Helper()
		if err := s.ChangeTags(drop, put); (err == nil) != good {
			t.Errorf("%v, %v: %v", drop, put, err)
		}
	}
	change(nil, []DeckTag{of("hc", "04aa", "one"), of("controls", "04bb", "pause")}, true)
	change([]DeckTag{of("controls", "04bb", "pause"), of("hc", "04aa", "one")}, []DeckTag{of("hc", "04bb", "one")}, true)
	for _, bad := range []DeckTag{of("", "04", "x"), of("hc", "", "x"), of("hc", "04", "")} {
		change([]DeckTag{of("hc", "04bb", "one")}, []DeckTag{bad}, false)
	}
	var many []DeckTag
	for i := range MaxTags {
		many = append(many, of("hc", fmt.Sprintf("05%04x", i), "two"))
	}
	change(nil, many, false) // one more than allowed, with the tag that is there already
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, file)
	if len(s.Losses()) > 0 {
		t.Errorf("lost: %v", s.Losses())
	}
	for deck, want := range map[engine.ID][]Tag{"hc": {{"04bb", "one"}}, "controls": nil} {
		if got, err := s.Tags(deck); err != nil || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", deck, got, err)
		}
	}
}
