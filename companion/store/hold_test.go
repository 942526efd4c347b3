package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Only one program writes to a store. A second one is refused and learns which program has it. The lock ends with the
// program, whatever files remain.
func TestOneHolder(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	e := wantTrouble(t, openErr(path), InUse)
	if !strings.Contains(e.Holder, "PID") {
		t.Errorf("held by %q", e.Holder)
	}
	wantWords(t, e)
	if _, err := Restore(path, path); err == nil {
		t.Error("a restore over an open store")
	}
	r, err := OpenForReading(path) // reading is allowed
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.CurrentGame(); err != nil {
		t.Error(err)
	}
	if r.SetSetting("a", "b") == nil || r.AcceptLosses() == nil {
		t.Error("a store for reading was written")
	}
	if err := errors.Join(r.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".lock", []byte("majordome serve, PID 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openErr(path); err != nil {
		t.Errorf("a lock file without a holder: %v", err)
	}
}

// A child process has a copy of each descriptor until it runs its own program. A store that is closed in that time is
// still free.
func TestOneHolderAndItsChild(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	child, err := syscall.Dup(int(s.lock.folder.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(child) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := openErr(path); err != nil {
		t.Error(err)
	}
}

// Neither a deleted or replaced lock file, nor another name of the folder or of the file, lets a second program in,
// and the holder soon restores the name of its lock file.
func TestOneHolderWhateverIsDeleted(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	if err := s.SetSetting("a", "b"); err != nil {
		t.Fatal(err)
	}
	elsewhere, folder := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Symlink(path, filepath.Join(elsewhere, "t.db")), os.Symlink(filepath.Dir(path), folder)); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func() error{
		"nothing":  func() error { return nil },
		"deleted":  func() error { return removeFiles(path + ".lock") },
		"replaced": func() error { return errors.Join(removeFiles(path+".lock"), os.WriteFile(path+".lock", nil, 0o600)) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		for _, again := range []string{path, filepath.Join(elsewhere, "t.db"), filepath.Join(folder, filepath.Base(path))} {
			wantWords(t, wantTrouble(t, openErr(again), InUse))
			if _, err := PrepareRestore(path, again); err == nil || classifyTrouble(err) != InUse {
				t.Errorf("%s, %s: a restore over an open store: %v", name, again, err)
			}
		}
	}
	if err := errors.Join(removeFiles(path+".lock"), s.checkFileAndEmptyLog()); err != nil {
		t.Fatal(err)
	}
	if e := wantTrouble(t, openErr(path), InUse); !strings.Contains(e.Holder, "PID") {
		t.Errorf("held by %q", e.Holder)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, filepath.Join(elsewhere, "t.db")) // whole under its other name, too
	if v, _, err := s.Setting("a"); v != "b" || err != nil || len(s.Losses()) > 0 {
		t.Errorf("%q, %v, lost %+v", v, err, s.Losses())
	}
	if left, _ := filepath.Glob(elsewhere + "/*"); len(left) != 1 {
		t.Errorf("beside the link stand %v", left)
	}
}

// A store that is created through a link is made where the link points.
func TestLinkToANewStore(t *testing.T) {
	folder, link := t.TempDir(), filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(filepath.Join(folder, "t.db"), link); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		s := open(t, link)
		if err := errors.Join(s.SetSetting("a", "b"), s.Close()); err != nil || len(s.Losses()) > 0 {
			t.Errorf("open %d: %v, lost %+v", n, err, s.Losses())
		}
	}
}

// A store whose file is deleted, replaced or overwritten acknowledges no further step, and reports it within a second
// without being asked. Where the file comes back, the store goes on.
func TestGoneStoreAcknowledgesNothing(t *testing.T) {
	move := func(from, to string) error { return os.Rename(from, to) }
	for name, c := range map[string]struct {
		harm, mend func(path string) error
		rescued    bool // a backup has all acknowledged steps, whatever SQLite had read before
	}{
		"deleted":          {func(p string) error { return os.Remove(p) }, nil, true},
		"moved away":       {func(p string) error { return move(p, p+".x") }, func(p string) error { return move(p+".x", p) }, true},
		"its log deleted":  {func(p string) error { return os.Remove(p + "-wal") }, nil, true},
		"its mark deleted": {func(p string) error { return os.Remove(p + ".mark") }, nil, true},
		"replaced": {func(p string) error {
			return errors.Join(os.WriteFile(p+".y", []byte("SQLite format 3\x00"), 0o600), move(p, p+".x"), move(p+".y", p))
		}, func(p string) error { return move(p+".x", p) }, true},
		"replaced with its log and its mark": {func(p string) error {
			other, err := Open(filepath.Join(t.TempDir(), "other.db"), nil)
			if err != nil {
				return err
			}
			err = errors.Join(other.SetSetting("of", "another table"), other.emptyLogIntoFile())
			for _, tail := range fileSuffixes {
				data, e := os.ReadFile(other.Path() + tail)
				err = errors.Join(err, e, os.WriteFile(p+tail+".y", data, 0o600), move(p+tail+".y", p+tail))
			}
			return errors.Join(err, other.Close())
		}, nil, true},
		"its folder deleted": {func(p string) error { return os.RemoveAll(filepath.Dir(p)) }, nil, true},
		"its folder moved away": {func(p string) error { return move(filepath.Dir(p), filepath.Dir(p)+".x") },
			func(p string) error {
				if _, err := os.Stat(filepath.Dir(p)); err == nil {
					return errors.New("another folder was made in its place")
				}
				return move(filepath.Dir(p)+".x", filepath.Dir(p))
			}, false},
		"emptied":     {func(p string) error { return os.Truncate(p, 0) }, nil, false},
		"overwritten": {func(p string) error { return os.WriteFile(p, make([]byte, 8192), 0o600) }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "t.db"))
			g, err := s.BeginGame("g", stepEvents(1, "a"))
			if err != nil {
				t.Fatal(err)
			}
			told, saved := make(chan error, 8), make(chan error, 8)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			go s.WatchFile(ctx, 10*time.Millisecond, func(err error) { told <- err }, func(_ string, err error) { saved <- err })
			if err := c.harm(s.Path()); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-told:
				wantWords(t, wantTrouble(t, err, FileGone))
			case <-time.After(time.Minute):
				t.Fatal("nobody says so")
			}
			wantTrouble(t, s.AppendSteps(g.ID, stepEvents(2, "b"), nil), FileGone)
			wantTrouble(t, s.CheckWritable(), FileGone)
			rescued := <-saved
			if rescued == nil {
				var e *Error
				if all, err := s.Backups(); !errors.As(<-told, &e) || e.Trouble != FileGone || err != nil || len(all) != 1 ||
					e.Backup != all[0] {
					t.Errorf("it names %+v of %v, %v", e, all, err)
				}
				if err := s.CheckWritable(); !errors.As(err, &e) || e.Backup == "" {
					t.Errorf("a process that tries to write gets %+v", err)
				}
			}
			if rescued != nil && c.rescued {
				t.Errorf("the rescue: %v", rescued)
			}
			if all, err := s.Backups(); err != nil || (len(all) == 1) != (rescued == nil) {
				t.Errorf("rescued: %v, %v", all, err)
			} else if rescued == nil {
				fresh := newFile(t)
				if err := restore(all[0], fresh); err != nil {
					t.Fatal(err)
				}
				if got := stepKinds(t, open(t, fresh), g.ID); got != "1.a" {
					t.Errorf("rescued: %s", got)
				}
			}
			if c.mend == nil {
				return
			}
			if err := errors.Join(c.mend(s.Path()), s.CheckWritable(), s.AppendSteps(g.ID, stepEvents(2, "b"), nil)); err != nil {
				t.Errorf("with the file back: %v", err)
			}
		})
	}
}

// A rescue that fails is tried again, as there may be space later.
func TestRescueIsTriedAgain(t *testing.T) {
	s := open(t, newFile(t))
	s.rescueRetry = time.Millisecond
	folder := filepath.Join(filepath.Dir(s.Path()), backupFolder)
	if err := errors.Join(s.SetSetting("a", "b"), os.WriteFile(folder, nil, 0o600), os.Remove(s.Path())); err != nil {
		t.Fatal(err)
	}
	saved, done := make(chan error, 1000), make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		s.WatchFile(ctx, 10*time.Millisecond, func(error) {}, func(_ string, err error) { saved <- err })
	}()
	if <-saved == nil {
		t.Error("a backup where a file stands in its folder's place")
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	for err := error(errGone); err != nil; {
		select {
		case err = <-saved:
		case <-time.After(time.Minute):
			t.Fatal("no rescue is tried again")
		}
	}
	stop()
	<-done
	if all, err := s.Backups(); err != nil || len(all) != 1 || len(saved) > 0 {
		t.Errorf("rescued: %v, %v, and then %d more", all, err, len(saved))
	}
}

// A lasting trouble is reported once, and another one that follows it is reported as well: a file that is deleted
// while the disk is full is rescued.
func TestGoneAfterAnotherTrouble(t *testing.T) {
	s, size := largeStore(t)
	if _, err := s.BeginGame("g", []Event{{Step: 1, Kind: "big", Data: make([]byte, 60<<10)}}); err != nil {
		t.Fatal(err)
	}
	told, saved := make(chan error, 8), make(chan error, 8)
	s.lastWrite = time.Now().Add(-quietPeriod)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	withFileLimit(t, size, func() {
		go s.WatchFile(ctx, 10*time.Millisecond, func(err error) { told <- err }, func(_ string, err error) { saved <- err })
		select {
		case first := <-told:
			if classifyTrouble(first) == FileGone {
				t.Error(first)
			}
		case <-time.After(time.Minute):
			t.Error("nobody says that there is no space")
		}
	})
	if err := os.Remove(s.Path()); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-told:
		wantTrouble(t, err, FileGone)
	case <-time.After(time.Minute):
		t.Fatal("nobody says that the file is gone")
	}
	if err := <-saved; err != nil {
		t.Errorf("the rescue: %v", err)
	}
}

// The log is copied into the file at a quiet moment, and it stays short during a long evening without one.
func TestTheLogStaysShort(t *testing.T) {
	s := open(t, newFile(t))
	g, err := s.BeginGame("g", nil)
	if err != nil {
		t.Fatal(err)
	}
	log := func() int64 {
		st, err := os.Stat(s.Path() + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return st.Size()
	}
	big := stepEvents(0, "a")
	big[0].Data = make([]byte, 8000)
	for n := int64(1); n <= 300; n++ {
		big[0].Step = n
		if err := s.AppendSteps(g.ID, big, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := log(); n > 3*autoCheckpoint*4096 {
		t.Errorf("the log has %d bytes", n)
	}
	s.lastWrite = time.Now().Add(-quietPeriod)
	if err := s.checkFileAndEmptyLog(); err != nil || log() != 0 {
		t.Errorf("after a quiet moment the log has %d bytes, %v", log(), err)
	}
	if err := s.AppendSteps(g.ID, stepEvents(301, "b"), nil); err != nil || log() == 0 {
		t.Errorf("then it goes on: %v", err)
	}
}
