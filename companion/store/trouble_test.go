package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"majordome/companion/catalogue"
	"majordome/engine"
	"majordome/engine/words"
)

// The messages for a file that cannot be used: each trouble has its sentence in both languages, and a bad file is
// left unchanged.
func TestOpenTroubles(t *testing.T) {
	write := func(data []byte) func(string) {
		return func(path string) { _ = os.WriteFile(path, data, 0o600) }
	}
	lite := func(text string) func(string) {
		return func(path string) {
			db, _ := sql.Open("sqlite", strictDSN(path))
			if _, err := db.Exec(text); err != nil {
				t.Error(err)
			}
			_ = db.Close()
		}
	}
	other := newFile(t)
	lite("CREATE TABLE contacts (name); INSERT INTO contacts VALUES (zeroblob(50000))")(other)
	foreign, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		make func(path string)
		want Trouble
	}{
		{"a photograph", write(bytes.Repeat([]byte("\xff\xd8JFIF"), 5000)), NotOurs},
		{"another program's database", lite("CREATE TABLE contacts (name)"), NotOurs},
		{"another program's database, cut off", write(foreign[:len(foreign)/2]), NotOurs},
		{"a later version", lite(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=99", applicationID)), TooNew},
		{"a folder in its place", func(path string) { _ = os.Mkdir(path, 0o700) }, Broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			c.make(path)
			before, _ := os.ReadFile(path)
			e := wantTrouble(t, openErr(path), c.want)
			after, _ := os.ReadFile(path)
			if !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
			wantWords(t, e)
		})
	}
	wantWords(t, wantTrouble(t, openErr(filepath.Join(t.TempDir(), "none", "t.db")), Missing))
	// No user, not even root, can create a file in /proc.
	if _, err := os.Stat("/proc/self"); err == nil {
		if err := openErr("/proc/majordome.db"); err == nil {
			t.Error("a file in /proc")
		}
	}
	if os.Getuid() != 0 { // root may write anywhere
		dir := t.TempDir()
		_ = os.Chmod(dir, 0o500)
		wantWords(t, wantTrouble(t, openErr(filepath.Join(dir, "t.db")), ReadOnly))
	}
}

func openErr(path string) error {
	s, err := Open(path, nil)
	if err == nil {
		_ = s.Close()
	}
	return err
}

// wantWords checks that a trouble has a sentence in both languages.
func wantWords(t *testing.T, e *Error) {
	t.Helper()
	for _, l := range words.Langs {
		book, err := words.Open(l)
		if err != nil {
			t.Fatal(err)
		}
		text := book.Render(e.Msg(), func(string) (engine.Text, bool) { return engine.Text{}, false })
		if !book.HasKey(e.Msg().Key) || !strings.Contains(text, e.Path) {
			t.Errorf("%s in %s: %q", e.Trouble, l, text)
		}
	}
}

func TestEveryTroubleHasWords(t *testing.T) {
	for _, op := range []string{opOpen, opRestore, "back up"} {
		for _, tr := range []Trouble{Damaged, NotOurs, FileGone, Missing} {
			wantWords(t, &Error{Op: op, Path: "/data/t.db", Trouble: tr, Backup: "b"})
		}
	}
	for _, tr := range []Trouble{NotOurs, Damaged, TooNew, Full, ReadOnly, Missing, Exists, InUse, Conflict, FileGone, Empty, Broken} {
		wantWords(t, &Error{Op: "open", Path: "/var/x.db", Trouble: tr})
	}
}

// The file becomes read-only while the daemon runs.
func TestReadOnlyFile(t *testing.T) {
	s := open(t, newFile(t))
	g, _ := s.BeginGame("g", nil)
	if _, err := s.db.Exec("PRAGMA query_only = 1"); err != nil {
		t.Fatal(err)
	}
	wantWords(t, wantTrouble(t, s.AppendSteps(g.ID, stepEvents(1, "a"), nil), ReadOnly))
	wantTrouble(t, s.CheckWritable(), ReadOnly)
	if got := stepKinds(t, s, g.ID); got != "" {
		t.Errorf("on disk: %s", got)
	}
}

// A full disk, simulated by SQLite's own page limit: nothing of the step is stored, and the store works again when
// there is space.
func TestFullDisk(t *testing.T) {
	s := open(t, newFile(t))
	g, _ := s.BeginGame("g", stepEvents(1, "a"))
	var pages int
	if err := s.db.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
	big := []Event{{Step: 2, Kind: "small"}, {Step: 2, Kind: "big", Data: make([]byte, 40<<10)}}
	wantWords(t, wantTrouble(t, s.AppendSteps(g.ID, big, nil), Full))
	wantTrouble(t, s.CheckWritable(), Full)
	if got := stepKinds(t, s, g.ID); got != "1.a" {
		t.Errorf("half a step is on disk: %s", got)
	}
	if _, err := s.db.Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.CheckWritable(), s.AppendSteps(g.ID, big, nil)); err != nil {
		t.Errorf("with space again: %v", err)
	}
}

// withFileLimit calls do while no file can grow beyond limit. Linux then stops the growth as a full disk does
// (RLIMIT_FSIZE, getrlimit(2)); bytes within the file can still be written.
func withFileLimit(t *testing.T, limit int64, do func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(limit), Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Fatal(err)
		}
	}()
	do()
}

// largeStore returns a store that is larger than the log of opened files that go test writes, so that withFileLimit
// stops only the store.
func largeStore(t *testing.T) (s *Store, size int64) {
	t.Helper()
	s = open(t, newFile(t))
	big := slices.Repeat([]Event{{Step: 1, Kind: "big", Data: make([]byte, 60<<10)}}, 40)
	if _, err := s.BeginGame("g", big); err != nil {
		t.Fatal(err)
	}
	if err := s.emptyLogIntoFile(); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	return s, st.Size()
}

// The disk is full when the log is copied into the file: the first pages are written, then there is no space. The
// store does not report the file as changed by another program, and the game goes on as soon as there is space.
func TestFullDiskAtTheCheckpoint(t *testing.T) {
	s, size := largeStore(t)
	g, err := s.BeginGame("g", nil)
	if err != nil {
		t.Fatal(err)
	}
	big := []Event{{Step: 1, Kind: "big", Data: make([]byte, 60<<10)}}
	if err := s.AppendSteps(g.ID, big, nil); err != nil {
		t.Fatal(err)
	}
	s.lastWrite = time.Now().Add(-quietPeriod)
	withFileLimit(t, size, func() {
		if err := s.checkFileAndEmptyLog(); err == nil || classifyTrouble(err) == FileGone {
			t.Errorf("a checkpoint without space: %v", err)
		}
		if err := s.checkFileAndEmptyLog(); err == nil || classifyTrouble(err) == FileGone {
			t.Errorf("the next one: %v", err)
		}
	})
	if err := errors.Join(s.checkFileAndEmptyLog(), s.CheckWritable(), s.AppendSteps(g.ID, stepEvents(2, "b"), nil)); err != nil {
		t.Errorf("with space again: %v", err)
	}
	if got := stepKinds(t, s, g.ID); got != "1.big 2.b" {
		t.Errorf("on disk: %s", got)
	}
}

// A step is on disk and SQLite has copied the log into the file, but the mark cannot be written: the step is not
// acknowledged, and the store is not reported as replaced.
func TestFullDiskAtTheMark(t *testing.T) {
	s := open(t, newFile(t))
	g, err := s.BeginGame("g", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("PRAGMA wal_autocheckpoint = 1"); err != nil {
		t.Fatal(err)
	}
	was := s.mark.f
	if s.mark.f, err = os.OpenFile("/dev/full", os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	big := []Event{{Step: 1, Kind: "big", Data: make([]byte, 60<<10)}}
	wantTrouble(t, s.AppendSteps(g.ID, big, nil), Full)
	if err := s.mark.f.Close(); err != nil {
		t.Fatal(err)
	}
	s.mark.f = was
	if err := errors.Join(s.checkFileAndEmptyLog(), s.CheckWritable()); err != nil {
		t.Errorf("with space again: %v", err)
	}
}

// The message of a loss with nothing before it is complete, without an empty place.
func TestALossWithNothingBeforeIt(t *testing.T) {
	for _, kind := range []string{LostFile, LostUnreadable, LostOther} {
		for _, l := range []Loss{{Kind: kind}, {Kind: kind, Game: 1, Until: 1_700_000_060_000}} {
			if both := catalogue.RenderPlain(l.Msg()); both.FR == "" || strings.ContainsAny(both.FR+both.EN, "?{") {
				t.Errorf("%+v: %+v", l, both)
			}
		}
	}
	for _, kind := range []string{LostSteps, LostGame} {
		for _, since := range []int64{0, 1_700_000_000_000} {
			m := Loss{Kind: kind, Game: 1, From: 1, To: 3, Since: since, Until: 1_700_000_060_000}.Msg()
			for _, text := range []string{catalogue.RenderPlain(m).FR, catalogue.RenderPlain(m).EN} {
				if text == "" || strings.ContainsAny(text, "?{") {
					t.Errorf("%s since %d: %q", kind, since, text)
				}
			}
		}
	}
}
