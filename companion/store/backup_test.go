package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

func TestBackupAndRestore(t *testing.T) {
	path, backup := newFile(t), filepath.Join(t.TempDir(), "backup.db")
	s := open(t, path)
	g, _ := s.BeginGame("g", stepEvents(1, "a"))
	if err := s.WriteBackup(backup); err != nil {
		t.Fatal(err)
	}
	wantTrouble(t, s.WriteBackup(backup), Exists)
	if err := s.AppendSteps(g.ID, stepEvents(2, "b"), nil); err != nil {
		t.Fatal(err)
	}
	wantTrouble(t, restore(backup, path), InUse)
	if got := stepKinds(t, s, g.ID); got != "1.a 2.b" {
		t.Fatalf("a refused restore changed the store: %s", got)
	}
	_ = s.Close()

	junk := filepath.Join(t.TempDir(), "junk")
	_ = os.WriteFile(junk, []byte(strings.Repeat("junk", 1000)), 0o600)
	if e := wantTrouble(t, restore(junk, path), NotOurs); e.Path != junk {
		t.Errorf("the trouble is said of %s", e.Path)
	}
	wantTrouble(t, restore(filepath.Join(t.TempDir(), "none"), path), Missing)

	if err := restore(backup, path); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	if got := stepKinds(t, s, g.ID); got != "1.a" {
		t.Errorf("restored: %s", got)
	}
	former := filepath.Join(t.TempDir(), "former.db")
	if err := os.Rename(path+".1", former); err != nil {
		t.Fatal(err)
	}
	before := open(t, former)
	if got := stepKinds(t, before, g.ID); got != "1.a 2.b" {
		t.Errorf("kept aside: %s", got)
	}
	// The backup can be restored on a new machine, and in place of a broken file.
	fresh := newFile(t)
	if err := restore(backup, fresh); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "t.db")
	_ = os.WriteFile(broken, []byte(strings.Repeat("junk", 1000)), 0o600)
	if err := restore(backup, broken); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{fresh, broken} {
		if got := stepKinds(t, open(t, p), g.ID); got != "1.a" {
			t.Errorf("%s: %s", p, got)
		}
		if _, err := os.Stat(p + ".restoring"); err == nil {
			t.Error("the working copy was left behind")
		}
	}
}

// A restore brings back neither an account that was removed since the backup nor an old PIN. On a new machine the
// accounts are those in the backup.
func TestRestoreLeavesAccounts(t *testing.T) {
	path, backup := newFile(t), filepath.Join(t.TempDir(), "backup.db")
	s := open(t, path)
	if err := errors.Join(s.SetSetting(SettingStaff, "Odile and Otto"), s.SetSetting(SettingTries, "{}"), s.SetSetting("hints", "3"),
		s.WriteBackup(backup)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SetSetting(SettingStaff, "Odile"), s.SetSetting(SettingTries, "7"), s.SetSetting("hints", "4"),
		s.Close()); err != nil {
		t.Fatal(err)
	}
	restored := func(what, to string, stay bool, staff, tries string) {
		t.Helper()
		r, err := PrepareRestore(backup, to)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = r.Commit(); err != nil || r.KeepsAccounts != stay {
			t.Errorf("%s: %v, the accounts stay: %v", what, err, r.KeepsAccounts)
		}
		s := open(t, to)
		for name, want := range map[string]string{SettingStaff: staff, SettingTries: tries, "hints": "3"} {
			if got, _, err := s.Setting(name); got != want || err != nil {
				t.Errorf("%s: %s is %q, want %q (%v)", what, name, got, want, err)
			}
		}
		if lost := s.Losses(); len(lost) > 0 {
			t.Errorf("%s: the start names %+v as lost", what, lost)
		}
		_ = s.Close()
	}
	restored("the table itself", path, true, "Odile", "7")
	restored("a new machine", newFile(t), false, "Odile and Otto", "{}")
	never := newFile(t)
	if err := open(t, never).Close(); err != nil {
		t.Fatal(err)
	}
	restored("a table that never had any", never, false, "Odile and Otto", "{}")
	alterDatabase(t, path, "UPDATE settings SET sum = randomblob(16) WHERE name = 'set."+SettingStaff+"'")
	restored("damaged accounts", path, false, "Odile and Otto", "{}")
}

// Pages ignore views of an earlier start, and a connect password must not be valid a second time, so a restore sets
// back neither counter.
func TestRestoreKeepsCounters(t *testing.T) {
	path, backup := newFile(t), filepath.Join(t.TempDir(), "backup.db")
	s := open(t, path)
	starts := func(n int) {
		t.Helper()
		for range n {
			if _, err := s.NextEpoch(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, v := range []engine.Viewer{engine.SeatViewer(1), engine.SeatViewer(2)} {
		if err := s.SaveInvitation(Seat{Phone: wire.FirstPhoneOf(v), Key: seal.NewKey().ForStore()},
			Invitation{ID: v.String(), Phone: wire.FirstPhoneOf(v), Code: seal.NewCode().ForStore()}); err != nil {
			t.Fatal(err)
		}
	}
	starts(3)
	if err := errors.Join(s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(1)), 100),
		s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(2)), 100), s.WriteBackup(backup)); err != nil {
		t.Fatal(err)
	}
	starts(4)
	if err := errors.Join(s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(1)), 300),
		s.DeleteKeys(wire.FirstPhoneOf(engine.SeatViewer(2))), s.Close()); err != nil {
		t.Fatal(err)
	}
	restored := func(to string, epoch uint64, counters ...uint64) {
		t.Helper()
		if err := restore(backup, to); err != nil {
			t.Fatal(err)
		}
		s = open(t, to)
		if got, err := s.NextEpoch(); got != epoch || err != nil {
			t.Errorf("the next start is %d, want %d (%v)", got, epoch, err)
		}
		seats, _, err := s.KeysAndInvitations()
		if err != nil || len(seats) != len(counters) {
			t.Fatalf("%d keys, %v", len(seats), err)
		}
		for i, want := range counters {
			if seats[i].Counter != want {
				t.Errorf("%v: counter %d, want %d", seats[i].Phone, seats[i].Counter, want)
			}
		}
		_ = s.Close()
	}
	restored(path, 8, 300, 100)
	restored(path, 9, 300, 100) // restores the same backup again
	restored(newFile(t), 3+epochJump+1, 100, 100)
	broken := newFile(t)
	if err := os.WriteFile(broken, []byte(strings.Repeat("junk", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	restored(broken, 3+epochJump+1, 100, 100)
}

func restore(from, to string) error {
	_, err := Restore(from, to)
	return err
}
