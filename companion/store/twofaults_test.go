package store

import (
	"errors"
	"os"
	"slices"
	"testing"
)

// alterDatabase changes a store's database on the disk, without its triggers.
func alterDatabase(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := openDatabase(path, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// storeOlderThanMark returns a store whose file is older than its mark: a tag, a setting and two steps are missing
// from it.
func storeOlderThanMark(t *testing.T) (path string) {
	t.Helper()
	path = newFile(t)
	s := open(t, path)
	g, err := s.BeginGame("g", stepEvents(1, "a"))
	if err := errors.Join(err, s.SetTag("g", Tag{UID: "01", Card: "one"}), s.SetSetting("lang", "fr"), s.emptyLogIntoFile()); err != nil {
		t.Fatal(err)
	}
	was := readImage(t, path)
	if err := errors.Join(s.SetTag("g", Tag{UID: "02", Card: "two"}), s.SetSetting("calm", "yes"),
		s.AppendSteps(g.ID, stepEvents(2, "b"), nil), s.AppendSteps(g.ID, stepEvents(3, "c"), nil), s.emptyLogIntoFile(),
		s.Close()); err != nil {
		t.Fatal(err)
	}
	return image{"": was[""], ".mark": readImage(t, path)[".mark"]}.writeFiles(t)
}

// Design 7.9 with two faults at once: an older file with damage elsewhere in it. The file is rebuilt, and what the
// mark knows in addition is still reported as lost.
func TestOlderAndDamaged(t *testing.T) {
	for name, harm := range map[string][]string{
		"an older file alone":         nil,
		"the ledger of another shelf": {"UPDATE ledger SET sum = randomblob(16) WHERE shelf = 'notes'"},
		"the ledger of the same":      {"UPDATE ledger SET sum = randomblob(16) WHERE shelf = 'tags'"},
		"a line of the ledger gone":   {"DELETE FROM ledger WHERE shelf = 'tags'"},
		"the whole ledger gone":       {"DELETE FROM ledger"},
		"a count of changes":          {"UPDATE ledger SET changes = changes + 64 WHERE shelf = 'tags'"},
		"the game":                    {"UPDATE games SET sum = zeroblob(16)"},
		"a schema that is changed":    {"CREATE TABLE x (y)"},
	} {
		t.Run(name, func(t *testing.T) {
			path := storeOlderThanMark(t)
			alterDatabase(t, path, harm...)
			s := open(t, path)
			lost := s.Losses()
			for _, want := range []Loss{{Kind: LostTags}, {Kind: LostSettings}, {Kind: LostSteps, Game: 1, From: 2}} {
				if !slices.ContainsFunc(lost, func(l Loss) bool {
					return l.Kind == want.Kind && l.Game == want.Game && l.From == want.From
				}) {
					t.Errorf("%+v is not named: %+v", want, lost)
				}
			}
			if s.FormerStateFile() == "" {
				t.Error("the file as it was found is not kept")
			}
		})
	}
}

// The number of a game is damaged: the game is there as a whole, open as it was, and no other game is reported as
// lost.
func TestADamagedNumberOfAGame(t *testing.T) {
	for _, marked := range []bool{true, false} {
		path := newFile(t)
		s := open(t, path)
		_, err := s.BeginGame("g", stepEvents(1, "a"))
		if err == nil {
			_, err = s.BeginGame("h", stepEvents(1, "b"))
		}
		if err := errors.Join(err, s.AppendSteps(2, stepEvents(2, "c"), nil), s.Close()); err != nil {
			t.Fatal(err)
		}
		alterDatabase(t, path, "PRAGMA foreign_keys = 0", "UPDATE games SET id = 130 WHERE id = 2",
			"UPDATE games SET sum = randomblob(16) WHERE id = 130")
		if !marked {
			if err := os.Remove(path + ".mark"); err != nil {
				t.Fatal(err)
			}
		}
		s = open(t, path)
		for _, l := range s.Losses() {
			if l.Kind != LostMark || marked {
				t.Errorf("marked %v: lost %+v", marked, l)
			}
		}
		if g, ok, err := s.CurrentGame(); err != nil || !ok || g.ID != 2 || g.Book != "h" {
			t.Errorf("marked %v: on the table is %+v, %v, %v", marked, g, ok, err)
		}
		if got := stepKinds(t, s, 2); got != "1.b 2.c" {
			t.Errorf("marked %v: game 2: %s", marked, got)
		}
	}
}

// A damaged line in the list of losses becomes one unknown loss, and does not prevent a start.
func TestADamagedLoss(t *testing.T) {
	for _, bad := range []string{"zeroblob(20)", "'{\"kind\":\"stepz\"}'"} {
		path := newFile(t)
		s := open(t, path)
		if err := errors.Join(s.SetSetting("a", "b"), s.Close()); err != nil {
			t.Fatal(err)
		}
		alterDatabase(t, path, "INSERT INTO losses (data) VALUES (CAST("+bad+" AS BLOB))")
		s = open(t, path)
		if lost := s.Losses(); len(lost) != 1 || lost[0].Kind != LostMark {
			t.Errorf("lost %+v", lost)
		}
		if err := s.AcceptLosses(); err != nil || len(s.Losses()) > 0 {
			t.Errorf("going on: %v, %v", err, s.Losses())
		}
	}
}

// A file of another table that is also damaged is reported as another table's, not as a damaged file of this one.
func TestDamagedFileOfAnotherTableIsReportedAsAnothers(t *testing.T) {
	path := storeOlderThanMark(t)
	own := readImage(t, path)
	strange := readImage(t, storeOlderThanMark(t))
	path = image{"": strange[""], ".mark": own[".mark"]}.writeFiles(t)
	alterDatabase(t, path, "UPDATE ledger SET sum = randomblob(16) WHERE shelf = 'notes'")
	s := open(t, path)
	if lost := s.Losses(); len(lost) == 0 || lost[0].Kind != LostOther {
		t.Errorf("lost %+v", lost)
	}
}
