package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/engine"
)

// A backup with any one byte changed, or with its end missing, is refused, and nothing is replaced. 60 of each, 600
// in a soak.
func TestDamagedBackupsAreRefused(t *testing.T) {
	dice := seededDice(t)
	_, s := playedStore(t, dice)
	backup := filepath.Join(t.TempDir(), "b.db")
	if err := s.WriteBackup(backup); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	to := newFile(t)
	former := open(t, to)
	if err := errors.Join(former.SetSetting("here", "yes"), former.Close()); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.db")
	refused := func(how string, content []byte, want ...Trouble) {
		t.Helper()
		if err := os.WriteFile(bad, content, 0o600); err != nil {
			t.Fatal(err)
		}
		kept, err := Restore(bad, to)
		var e *Error
		if !errors.As(err, &e) || !slices.Contains(want, e.Trouble) || e.Path != bad || kept != "" {
			t.Errorf("%s: %v", how, err)
		}
	}
	for range tryCount(60, 600) {
		one := slices.Clone(data)
		one[dice.IntN(len(one))] ^= byte(1 << dice.IntN(8))
		refused("a bit", one, Damaged)
		refused("cut off", data[:1+dice.IntN(len(data)-1)], Damaged, NotOurs)
	}
	refused("nothing in it", nil, Empty)
	newer := filepath.Join(t.TempDir(), "newer.db")
	db, err := openDatabase(newer, "")
	if err == nil {
		_, err = db.Exec("PRAGMA application_id=" + fmt.Sprint(applicationID) + "; PRAGMA user_version=99; CREATE TABLE a (b)")
	}
	later, e := os.ReadFile(newer)
	if err := errors.Join(err, e, db.Close()); err != nil {
		t.Fatal(err)
	}
	refused("of a later version", later, TooNew)
	if left, _ := filepath.Glob(escapeGlob(to) + ".*"); len(left) != 2 { // the lock and the mark
		t.Errorf("left behind: %v", left)
	}
	if v, _, err := open(t, to).Setting("here"); v != "yes" || err != nil {
		t.Errorf("the store was touched: %q, %v", v, err)
	}
}

// A store in which nothing was ever stored is not accepted as a backup: to restore it by mistake would erase the
// table.
func TestAnEmptyStoreIsNoBackup(t *testing.T) {
	s := open(t, newFile(t))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	to := newFile(t)
	_ = open(t, to).Close()
	wantWords(t, wantTrouble(t, restore(s.Path(), to), Empty))
}

// Every former state has a number of its own, and can be restored in turn.
func TestFormerStatesAreNumbered(t *testing.T) {
	path, backup := newFile(t), filepath.Join(t.TempDir(), "b.db")
	s := open(t, path)
	if err := errors.Join(s.SetSetting("was", "0"), s.WriteBackup(backup)); err != nil {
		t.Fatal(err)
	}
	for _, was := range []string{"1", "2", "3"} {
		if err := errors.Join(s.SetSetting("was", was), s.Close()); err != nil {
			t.Fatal(err)
		}
		kept, err := Restore(backup, path)
		if err != nil || kept != path+"."+was {
			t.Fatalf("the former state is %s, %v", kept, err)
		}
		s = open(t, path)
	}
	for _, c := range [][2]string{{path + ".2", "2"}, {path + ".1", "1"}, {path + ".5", "1"}, {backup, "0"}} {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if c[0] == path+".5" { // the state that the last restore replaced
			c[1] = "2"
		}
		if _, err := Restore(c[0], path); err != nil {
			t.Fatal(err)
		}
		s = open(t, path)
		if v, _, err := s.Setting("was"); v != c[1] || err != nil || len(s.Losses()) > 0 {
			t.Errorf("%s: %q, %v, %v", filepath.Base(c[0]), v, err, s.Losses())
		}
	}
}

// The size of a store on the disk can be asked for while it is open.
func TestFiles(t *testing.T) {
	s := open(t, newFile(t))
	if f := s.DiskUsage(); f.Size == 0 || f.FormerStates+f.Backups > 0 || !f.LastBackup.IsZero() {
		t.Errorf("a new store: %+v", f)
	}
	if err := s.SetSetting("a", "b"); err != nil {
		t.Fatal(err)
	}
	for _, tail := range []string{".1", ".1-wal", ".12", ".x"} {
		if err := os.WriteFile(s.Path()+tail, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.BackUpAndPrune(1); err != nil {
		t.Fatal(err)
	}
	if f := s.DiskUsage(); f.Log == 0 || f.FormerStates != 2 || f.Backups != 1 || f.LastBackup.IsZero() {
		t.Errorf("used: %+v", f)
	}
}

// Before a restore changes anything, it reports the content of both sides.
func TestRestoreSaysWhatItReplaces(t *testing.T) {
	dice := seededDice(t)
	path, s := playedStore(t, dice)
	backup := filepath.Join(t.TempDir(), "b.db")
	if err := s.WriteBackup(backup); err != nil {
		t.Fatal(err)
	}
	if _, err := s.BeginGame("cluedo-2008", stepEvents(1, "a")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := readImage(t, path)
	r, err := PrepareRestore(backup, path)
	if err != nil {
		t.Fatal(err)
	}
	if r.New.Games != 3 || r.New.Tags != 60 || r.New.Seats != 4 || r.New.Steps != 59 || r.New.LastEvent.IsZero() {
		t.Errorf("the backup holds %+v", r.New)
	}
	if !r.HasOld || r.Old.Games != 4 || r.Old.Steps != 1 {
		t.Errorf("the store holds %+v", r.Old)
	}
	if err := r.Cancel(); err != nil {
		t.Fatal(err)
	}
	after := readImage(t, path)
	if string(after[""]) != string(before[""]) || string(after[".mark"]) != string(before[".mark"]) {
		t.Error("a restore that was called off has changed the store")
	}
}

// The end of a game makes one backup automatically, and the last ten are kept.
func TestBackupsAfterGames(t *testing.T) {
	now := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	s, err := Open(newFile(t), &Opts{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	r := &Result{Rule: "HC-151", Winners: []engine.Seat{1}, Players: []string{"Zoé"}}
	for n := range MaxBackups + 3 {
		now = now.Add(time.Hour)
		g, err := s.BeginGame("g", stepEvents(1, "a"))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.AppendSteps(g.ID, stepEvents(2, "end"), r), s.AppendSteps(g.ID, stepEvents(3, "after"), r)); err != nil {
			t.Fatal(err)
		}
		if got := s.takeNewlyEndedGame(); got != g.ID {
			t.Fatalf("game %d has ended, said is %d", g.ID, got)
		}
		if _, err := s.BackUpAndPrune(g.ID); err != nil {
			t.Fatal(err)
		}
		if err := s.AppendSteps(g.ID, stepEvents(4, "and after"), r); err != nil || s.takeNewlyEndedGame() != 0 {
			t.Errorf("game %d ends a second time, %v", g.ID, err)
		}
		all, err := s.Backups()
		if err != nil || len(all) != min(n+1, MaxBackups) {
			t.Fatalf("%d backups after %d games, %v", len(all), n+1, err)
		}
	}
	all, _ := s.Backups()
	st, err := os.Stat(all[0])
	if err != nil || st.Mode().Perm() != 0o600 || !strings.Contains(all[0], "game-13") || !strings.Contains(all[9], "game-4.") {
		t.Errorf("%v, %v, %v", st.Mode(), all, err)
	}
	now = now.AddDate(-1, 0, 0) // a Raspberry Pi has no battery-backed clock
	if file, err := s.BackUpAndPrune(14); err != nil || !strings.Contains(file, "game-14") {
		t.Errorf("with the clock behind: %s, %v", file, err)
	}
	if all, _ = s.Backups(); len(all) != MaxBackups || !strings.Contains(all[0], "game-14") {
		t.Errorf("with the clock behind: %v", all)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := restore(all[0], s.Path()); err != nil {
		t.Error(err)
	}
}

// A game that ends just before the program ends gets its backup; a game whose end was not recorded gets none.
func TestTheLastGameIsBackedUp(t *testing.T) {
	s := open(t, newFile(t))
	g, err := s.BeginGame("g", stepEvents(1, "a"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	watch := func() { s.WatchFile(ctx, time.Hour, func(err error) { t.Error(err) }, func(string, error) {}) }
	r := &Result{Rule: "HC-151", Winners: []engine.Seat{1}, Players: []string{"Zoé"}}
	was := s.mark.f
	if s.mark.f, err = os.OpenFile("/dev/full", os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	wantTrouble(t, s.AppendSteps(g.ID, stepEvents(2, "end"), r), Full)
	if err := s.mark.f.Close(); err != nil {
		t.Fatal(err)
	}
	s.mark.f = was
	watch()
	if all, err := s.Backups(); err != nil || len(all) != 0 {
		t.Errorf("an end that was not acknowledged: %v, %v", all, err)
	}
	if err := errors.Join(s.AppendSteps(g.ID, stepEvents(3, "undone"), nil), s.AppendSteps(g.ID, stepEvents(4, "end"), r)); err != nil {
		t.Fatal(err)
	}
	watch()
	if all, err := s.Backups(); err != nil || len(all) != 1 {
		t.Errorf("backups: %v, %v", all, err)
	}
}

// A backup that was interrupted never gets its final name, and what is left of it does not disturb the next one.
func TestInterruptedBackup(t *testing.T) {
	s := open(t, newFile(t))
	if err := s.SetSetting("a", "b"); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "b.db")
	if err := os.WriteFile(to+".partial", []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteBackup(to); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(to + ".partial"); err == nil {
		t.Error("the left-over file is still there")
	}
	s.path += "-that-is-not-there" // makes the backup fail half way
	if err := s.WriteBackup(to + "2"); err == nil {
		t.Error("a backup of nothing")
	}
	s.path = strings.TrimSuffix(s.path, "-that-is-not-there")
	if left, _ := filepath.Glob(to + "2*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
