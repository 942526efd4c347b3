package library

import (
	"errors"
	"path/filepath"
	"testing"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/games"
)

// TestUnreadableDeckIsSkippedAndReported checks that a deck of the store that cannot be read is skipped and reported,
// and accepts new names, which are there at the next start.
func TestUnreadableDeckIsSkippedAndReported(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "majordome.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.SetDeck("huis-clos", []byte("places: [")); err != nil {
		t.Fatal(err)
	}
	l, err := Open(s, games.KnownGames().DefaultDecks()...)
	var unread *UnreadableError
	if err != nil || l.IsChanged("huis-clos") || !errors.As(l.UnreadableChanges("huis-clos"), &unread) || unread.Game != "huis-clos" {
		t.Fatalf("%v, %v", err, l.UnreadableChanges("huis-clos"))
	}
	var shown []engine.ID
	l.OnRenamed = func(game engine.ID) { shown = append(shown, game) }
	_, keep, no := l.prepareChange("huis-clos", newRenameEdit(engine.Name{ID: "place-3", Text: engine.T("Bibliothèque", "Library")}))
	if no != nil || keep() != nil || !l.IsChanged("huis-clos") || l.UnreadableChanges("huis-clos") != nil || len(shown) != 1 {
		t.Errorf("a new name is not kept: %v", no)
	}
	if l, err = Open(s, games.KnownGames().DefaultDecks()...); err != nil || !l.IsChanged("huis-clos") ||
		l.UnreadableChanges("huis-clos") != nil {
		t.Errorf("at the next start: %v, %v", err, l.UnreadableChanges("huis-clos"))
	}
}
