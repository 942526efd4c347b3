package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordome/companion/catalogue"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// unreadableFiles returns ways to lose a whole file at once.
func unreadableFiles(data []byte) map[string][]byte {
	over := func(at, n int, with byte) []byte {
		b := slices.Clone(data)
		for i := at; i < min(at+n, len(b)); i++ {
			b[i] = with
		}
		return b
	}
	return map[string][]byte{
		"its header wiped":       over(0, 512, 0),
		"the schema overwritten": over(100, 3996, 0xA5),
		"all zeros":              make([]byte, len(data)),
		"a photograph":           bytes.Repeat([]byte("\xff\xd8JFIF"), 5000),
		"cut off at once":        data[:700],
	}
}

// A store that cannot be read at all starts as an empty table and reports it. The unreadable file is kept, and a
// backup brings everything back from the host's page, without a terminal. Neither the start number nor the connect
// counters go back.
func TestUnreadableFile(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	want := contentOf(t, s)
	backup, err := s.BackUpAndPrune(3)
	if err := errors.Join(err, s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(1)), 9000), s.emptyLogIntoFile()); err != nil {
		t.Fatal(err)
	}
	epoch, err := s.NextEpoch()
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	whole := readImage(t, path)
	for name, data := range unreadableFiles(whole[""]) {
		t.Run(name, func(t *testing.T) {
			path := image{"": data, ".mark": whole[".mark"]}.writeFiles(t)
			s := open(t, path)
			lost := s.Losses()
			if len(lost) != 1 || lost[0].Kind != LostUnreadable || lost[0].Game != 3 || lost[0].To != 59 || lost[0].Until == 0 {
				t.Fatalf("lost %+v", lost)
			}
			both := catalogue.RenderPlain(lost[0].Msg())
			if strings.ContainsAny(both.FR+both.EN, "?{") || !strings.Contains(both.FR, "ne peut plus être lu") {
				t.Errorf("said: %+v", both)
			}
			if former, err := os.ReadFile(s.FormerStateFile()); err != nil || !bytes.Equal(former, data) {
				t.Errorf("the file as it was found is not kept: %v", err)
			}
			if e, err := s.NextEpoch(); err != nil || e <= epoch {
				t.Errorf("start %d after %d, %v", e, epoch, err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path) // the loss waits for the host's answer
			if again := s.Losses(); !slices.Equal(again, lost) {
				t.Errorf("the second start: lost %+v", again)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := restore(backup, path); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			if l := s.Losses(); len(l) > 0 || !hasSameContent(contentOf(t, s), want) {
				t.Errorf("restored: lost %+v", l)
			}
			if seats, _, err := s.KeysAndInvitations(); err != nil || seats[0].Counter != 9000 {
				t.Errorf("an overheard message is accepted again: %+v, %v", seats[0].Counter, err)
			}
			if e, err := s.NextEpoch(); err != nil || e <= epoch+1 {
				t.Errorf("start %d after %d, %v", e, epoch+1, err)
			}
		})
		t.Run(name+", started again", func(t *testing.T) {
			s := open(t, image{"": data, ".mark": whole[".mark"]}.writeFiles(t))
			acceptAndPlayOn(t, name, s, s.Losses())
		})
	}
}

// When the file is lost again, losses that the host has not yet seen are reported again; accepted losses are not.
func TestLostTwice(t *testing.T) {
	for name, again := range map[string]func(path string) error{
		"unreadable": func(path string) error { return os.WriteFile(path, make([]byte, 8192), 0o600) },
		"deleted":    func(path string) error { return os.Remove(path) },
	} {
		for _, accepted := range []bool{false, true} {
			path := newFile(t)
			s := open(t, path)
			_, err := s.BeginGame("g", stepEvents(1, "a"))
			if err := errors.Join(err, s.Close(), os.WriteFile(path, make([]byte, 8192), 0o600)); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			first := s.Losses()
			err = s.SetSetting("a", "b")
			if accepted { // nothing is written after the acceptance
				err = errors.Join(err, s.AcceptLosses())
			}
			if err := errors.Join(err, s.Close(), again(path)); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			if lost := s.Losses(); len(first) != 1 || slices.Contains(lost, first[0]) == accepted || len(lost) == 0 {
				t.Errorf("%s, accepted %v: first %+v, then %+v", name, accepted, first, lost)
			}
		}
	}
}

// However much is lost, each kind of loss is reported, and the newest games one by one.
func TestManyLosses(t *testing.T) {
	var all []Loss
	for game := range int64(30) {
		all = append(all,
			Loss{Kind: LostSteps, Game: game + 1, Book: "huis-clos", From: 5, To: 9, Since: 1_700_000_000_000, Until: 1_700_000_000_000})
	}
	for _, kind := range lostKinds[2:] {
		all = append(all, Loss{Kind: kind, N: 2}, Loss{Kind: kind, N: 3})
	}
	path := newFile(t)
	s := open(t, path)
	err := s.writeInTx("lose", func(tx *sql.Tx) error { return saveLosses(tx, all) })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	told := s.Losses()
	if len(told) != maxListedGames+len(lostKinds)-2 || told[0].Game != 30 || told[maxListedGames-1].Game != 23 {
		t.Fatalf("reported: %+v", told)
	}
	for _, l := range told[maxListedGames:] {
		if l.Kind == LostGames && l.N != 22+5 || l.Kind != LostGames && l.N != 5 {
			t.Errorf("reported: %+v", l)
		}
	}
	if err := s.SetSetting("a", "b"); err != nil || len(s.mark.last.Lost) != len(told) {
		t.Errorf("in the mark: %d, %v", len(s.mark.last.Lost), err)
	}
}

// Without its mark, the number in the file's header still identifies the file.
func TestUnreadableFileWithoutItsMark(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data := unreadableFiles(readImage(t, path)[""])["the schema overwritten"]
	s = open(t, image{"": data}.writeFiles(t))
	lost := s.Losses()
	if len(lost) != 1 || lost[0] != (Loss{Kind: LostUnreadable}) {
		t.Fatalf("lost %+v", lost)
	}
	if both := catalogue.RenderPlain(lost[0].Msg()); strings.ContainsAny(both.FR+both.EN, "?{") {
		t.Errorf("said: %+v", both)
	}
	if e, err := s.NextEpoch(); err != nil || e <= epochJump {
		t.Errorf("start %d, %v: pages drop what is of an earlier one", e, err)
	}
	acceptAndPlayOn(t, "without its mark", s, lost)
}

// A header that contradicts its file causes no loss.
func TestDamagedHeader(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	want := contentOf(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := readImage(t, path)
	harm := []string{"PRAGMA application_id = 7"}
	for _, v := range []int{0, 1, 2, 3, 4, 6, 99} {
		harm = append(harm, fmt.Sprint("PRAGMA user_version = ", v))
	}
	for _, text := range harm {
		path := whole.writeFiles(t)
		alterDatabase(t, path, text)
		if r, err := OpenForReading(path); err == nil {
			t.Errorf("%s: it opens for reading", text)
			_ = r.Close()
		} else {
			wantWords(t, wantTrouble(t, err, Damaged))
		}
		s := open(t, path)
		if lost := s.Losses(); len(lost) > 0 || s.FormerStateFile() == "" || !hasSameContent(contentOf(t, s), want) {
			t.Errorf("%s: lost %+v, kept %q", text, lost, s.FormerStateFile())
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A store of a later version is not taken for a damaged one, with or without a mark.
func TestLaterVersionIsNotDamaged(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alterDatabase(t, path, "CREATE TABLE later (a)", "PRAGMA user_version = 6")
	was := readImage(t, path)
	wantWords(t, wantTrouble(t, openErr(path), TooNew))
	_, err := OpenForReading(path)
	wantTrouble(t, err, TooNew)
	if !bytes.Equal(was[""], readImage(t, path)[""]) {
		t.Error("the file was changed")
	}
}

// Each migration changes the text of the schema, because only that text distinguishes a later version from a damaged
// file of this one.
func TestEachMigrationShows(t *testing.T) {
	if err := registerFunctions(); err != nil {
		t.Fatal(err)
	}
	all, err := knownSchemas()
	if err != nil {
		t.Fatal(err)
	}
	for v, text := range all {
		if text == "" || slices.Contains(all[:v], text) {
			t.Errorf("the schema after migration %d is not new: add a table or a column with it, which may stay empty", v+1)
		}
	}
}

// The readable part of a file that is cut off is kept.
func TestCutOffFile(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	want := contentOf(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := readImage(t, path)
	whole[""] = whole[""][:len(whole[""])*9/10]
	s = open(t, whole.writeFiles(t))
	lost, got := s.Losses(), contentOf(t, s)
	if len(lost) == 0 || lost[0].Kind == LostUnreadable || len(got.rows["keys"]) != len(want.rows["keys"]) || len(got.games[1]) == 0 {
		t.Errorf("lost %+v, there are %d keys and %d events", lost, len(got.rows["keys"]), len(got.games[1]))
	}
}

// A damaged file of a version without checksums is not migrated as if it were whole.
func TestDamagedFileOfAnOlderVersion(t *testing.T) {
	for version := 1; version < sumsFrom; version++ {
		file := newFile(t)
		db, err := openDatabase(file, "")
		if err != nil {
			t.Fatal(err)
		}
		err = migrate(db, 0, migrations[:version])
		for n := 1; err == nil && n <= 400; n++ {
			_, err = db.Exec("INSERT INTO tags VALUES ('d', ?, 'card')", fmt.Sprintf("%08x", n))
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		clear(data[len(data)-4096:]) // damages the last page
		path := image{"": data}.writeFiles(t)
		s := open(t, path)
		if lost := s.Losses(); len(lost) != 1 || lost[0].Kind != LostUnreadable {
			t.Errorf("schema %d: lost %+v", version, lost)
		}
		if former, err := os.ReadFile(s.FormerStateFile()); err != nil || !bytes.Equal(former, data) {
			t.Errorf("schema %d: the file as it was found is not kept: %v", version, err)
		}
		acceptAndPlayOn(t, fmt.Sprint("schema ", version), s, s.Losses())
	}
}

// A key that was lost with its file has no counter in the new file; the mark keeps it until that seat has a new key.
func TestCountersOutliveTheirKeys(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	backup := filepath.Join(t.TempDir(), "b.db")
	invite := func() error {
		return s.SaveInvitation(Seat{Phone: wire.FirstPhoneOf(engine.SeatViewer(1)), Key: seal.NewKey().ForStore()},
			Invitation{ID: fmt.Sprint(s.mark.last.N), Phone: wire.FirstPhoneOf(engine.SeatViewer(1)), Code: seal.NewCode().ForStore()})
	}
	if err := errors.Join(invite(), s.WriteBackup(backup), s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(1)), 500), s.Close(),
		removeFiles(path, path+"-wal")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s = open(t, path)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	counter := func() uint64 {
		t.Helper()
		seats, _, err := s.KeysAndInvitations()
		if err != nil || len(seats) != 1 {
			t.Fatalf("%d keys, %v", len(seats), err)
		}
		return seats[0].Counter
	}
	if err := restore(backup, path); err != nil {
		t.Fatal(err)
	}
	if s = open(t, path); counter() != 500 {
		t.Errorf("restored with the counter %d", counter())
	}
	if err := errors.Join(s.DeleteKeys(wire.FirstPhoneOf(engine.SeatViewer(1))), invite(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if s = open(t, path); counter() != 0 {
		t.Errorf("a new key begins with the counter %d", counter())
	}
}

// A start that cannot repair a file leaves no copy of it: repeated attempts would fill the disk.
func TestAStartThatFailsKeepsNoCopy(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alterDatabase(t, path, "DELETE FROM ledger WHERE shelf = 'tags'")
	inTheWay := filepath.Join(path+".rebuilt", "x")
	if err := os.MkdirAll(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if openErr(path) == nil {
			t.Error("the store opens")
		}
	}
	if n, err := formerStates(path); err != nil || len(n) > 0 {
		t.Errorf("kept: %v, %v", n, err)
	}
	if err := os.RemoveAll(path + ".rebuilt"); err != nil {
		t.Fatal(err)
	}
	if s = open(t, path); s.FormerStateFile() != path+".1" {
		t.Errorf("kept: %s", s.FormerStateFile())
	}
}

// A count of more than a million rows is read exactly, not as a rounded real number.
func TestRowsOfALargeStore(t *testing.T) {
	s := open(t, newFile(t))
	defer func() { _ = s.Close() }()
	if n, err := countRows(s.db); n != 1 || err != nil { // the store's own name
		t.Errorf("%d rows, %v", n, err)
	}
	if _, err := s.db.Exec("UPDATE ledger SET rows = 1234567 WHERE shelf = 'games'"); err != nil {
		t.Fatal(err)
	}
	if n, err := countRows(s.db); n != 1_234_568 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}
