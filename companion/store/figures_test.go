package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/engine"
)

// TestNamesAreRemovedWhenTheirTimeIsOver: names are removed when their time is over, from the file, its log and the
// backups of that time. Numbers and the running game remain, and the store is whole.
func TestNamesAreRemovedWhenTheirTimeIsOver(t *testing.T) {
	path := newFile(t)
	now := time.UnixMilli(1_700_000_000_000)
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	s.now = func() time.Time { return now }
	game := func(guest string) Game {
		g, err := s.BeginGame("huis-clos", stepEvents(1, "sat"))
		one := stepEvents(2, "named")
		one[0].Data, one[0].Command = []byte(guest), []byte(`{"name":"`+guest+`"}`)
		err = errors.Join(err, s.AppendSteps(g.ID, one, &Result{Rule: "HC-151", Winners: []engine.Seat{1}, Players: []string{guest}}),
			s.SetFigures(Figures{Game: g.ID, Names: []byte(`{"team":"` + guest + `"}`), Data: []byte(`{"played":7}`)}))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	old := game("CANARY")
	var backups []string
	for range 2 {
		to, err := s.BackUpAndPrune(old.ID)
		if err = errors.Join(err, os.Chtimes(to, now, now)); err != nil {
			t.Fatal(err)
		}
		backups = append(backups, to)
	}
	now = now.Add(30 * 24 * time.Hour)
	open := game("Zoé")
	now = now.Add(time.Hour)
	if n, err := s.ForgetGuestNames(now.Add(-30 * 24 * time.Hour)); n != 0 || err != nil {
		t.Errorf("forgotten too early: %d, %v", n, err)
	}
	if n, err := s.ForgetGuestNames(now); n != 1 || err != nil {
		t.Errorf("forgotten: %d, %v", n, err)
	}
	if n, err := s.ForgetGuestNames(now); n != 0 || err != nil {
		t.Errorf("forgotten twice: %d, %v", n, err)
	}
	if stepKinds(t, s, old.ID) != "" || stepKinds(t, s, open.ID) != "1.sat 2.named" {
		t.Errorf("events %q, %q", stepKinds(t, s, old.ID), stepKinds(t, s, open.ID))
	}
	results, err := s.Results(9)
	if err != nil || len(results) != 2 || results[0].Players[0] != "Zoé" || len(results[1].Players) != 0 || results[1].Rule != "HC-151" {
		t.Errorf("results %+v, %v", results, err)
	}
	all, err := s.Figures(9)
	if err != nil || len(all) != 2 || string(all[0].Names) != `{"team":"Zoé"}` || string(all[1].Names) != `{}` ||
		string(all[1].Data) != `{"played":7}` {
		t.Errorf("figures %+v, %v", all, err)
	}
	if left, _ := s.Backups(); len(left) != 1 || left[0] != backups[1] {
		t.Errorf("backups %v", left)
	}
	if err := errors.Join(s.emptyLogIntoFile(), s.Close()); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(escapeGlob(path) + "*")
	for _, f := range files {
		if data, _ := os.ReadFile(f); bytes.Contains(data, []byte("CANARY")) {
			t.Errorf("the name is still in %s", strings.TrimPrefix(f, path))
		}
	}
	if s, err = Open(path, nil); err != nil || len(s.Losses()) > 0 {
		t.Errorf("after that: %v, lost %+v", err, s.Losses())
	}
}

// TestFiguresInAnOlderFile: a file of the version before the figures is migrated whole, and damage in it costs only
// the damaged rows.
func TestFiguresInAnOlderFile(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		file := newFile(t)
		db, err := openDatabase(file, "")
		if err != nil {
			t.Fatal(err)
		}
		err = migrate(db, 0, migrations[:figureTable.addedIn-1])
		for _, name := range []string{"set.one", "set.other"} {
			if err == nil {
				_, err = db.Exec("INSERT INTO settings (name, value) VALUES (?, ?)", name, []byte("value of "+name))
			}
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if damaged {
			at := bytes.Index(data, []byte("value of set.other"))
			data[at] ^= 1
			want = 1
		}
		s := open(t, image{"": data}.writeFiles(t))
		lost := s.Losses()
		kept := 0
		for _, l := range lost {
			if l.Kind == LostSettings {
				kept++
			} else if l.Kind != LostMark {
				t.Errorf("damaged %v: lost %+v", damaged, l)
			}
		}
		if kept != want {
			t.Errorf("damaged %v: lost %+v", damaged, lost)
		}
		if one, ok, err := s.Setting("one"); !ok || err != nil || one != "value of set.one" {
			t.Errorf("damaged %v: the setting is %q, %v", damaged, one, err)
		}
		if err := s.SetFigures(Figures{Game: 1, Names: []byte("{}"), Data: []byte("{}")}); err != nil {
			t.Error(err)
		}
	}
}

// Figures that are no JSON, or too long, are refused.
func TestFiguresHaveLimits(t *testing.T) {
	_, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	for _, f := range []Figures{
		{Names: []byte("{"), Data: []byte("{}")},
		{Names: []byte("{}")},
		{Names: []byte("{}"), Data: []byte(`"` + strings.Repeat("x", MaxFigures) + `"`)},
	} {
		if s.SetFigures(f) == nil {
			t.Errorf("kept %.20q %.20q", f.Names, f.Data)
		}
	}
}
