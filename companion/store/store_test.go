package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

func open(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newFile(t *testing.T) string { return filepath.Join(t.TempDir(), "a table? 100%#.db") }

func stepEvents(n int64, kinds ...string) []Event {
	var all []Event
	for _, k := range kinds {
		all = append(all, Event{Step: n, Cause: "scan", Kind: k, Data: []byte(k + "-data"), At: engine.Millis(n * 10)})
	}
	return all
}

func stepKinds(t *testing.T, s *Store, game int64) string {
	t.Helper()
	events, err := s.Events(game)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range events {
		all = append(all, fmt.Sprintf("%d.%s", e.Step, e.Kind))
	}
	return strings.Join(all, " ")
}

func wantTrouble(t *testing.T, err error, want Trouble) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Trouble != want {
		t.Fatalf("got %v, want trouble %q", err, want)
	}
	return e
}

// Design 7.4: appended events are there after the process has died. The test copies the files without closing the
// store, as a power cut leaves them.
func TestAppendedEventsSurviveWithoutClose(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	g, err := s.BeginGame("huis-clos", stepEvents(1, "seat", "seat"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AppendSteps(g.ID, stepEvents(2, "move"), nil); err != nil {
		t.Fatal(err)
	}
	after := filepath.Join(t.TempDir(), "after.db")
	for _, tail := range []string{"", "-wal", ".mark"} {
		data, err := os.ReadFile(path + tail)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(after+tail, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s2 := open(t, after)
	g2, ok, err := s2.CurrentGame()
	if err != nil || !ok || g2.ID != g.ID || g2.Book != "huis-clos" {
		t.Fatalf("open game after the cut: %+v %v %v", g2, ok, err)
	}
	if got := stepKinds(t, s2, g.ID); got != "1.seat 1.seat 2.move" {
		t.Errorf("events after the cut: %s", got)
	}
	events, _ := s2.Events(g.ID)
	if e := events[2]; e.N != 3 || e.At != 20 || e.Cause != "scan" || string(e.Data) != "move-data" || e.Wall.IsZero() {
		t.Errorf("event came back as %+v", e)
	}
}

func TestAppendIsAllOrNothing(t *testing.T) {
	s := open(t, newFile(t))
	g, _ := s.BeginGame("g", nil)
	bad := stepEvents(1, "good", "good")
	bad[1].Kind = ""
	for name, events := range map[string][]Event{
		"a bad second event": bad, "no event": nil, "too many": make([]Event, MaxEvents+1),
		"a kind too long": stepEvents(1, strings.Repeat("k", MaxKind+1)),
		"too much data":   {{Step: 1, Kind: "k", Data: make([]byte, MaxData+1)}},
		"a long command":  {{Step: 1, Kind: "k", Command: make([]byte, MaxData+1)}},
	} {
		if err := s.AppendSteps(g.ID, events, nil); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	wantTrouble(t, s.AppendSteps(g.ID, stepEvents(2, "late"), nil), Conflict)
	for _, second := range []int64{3, 0} {
		wantTrouble(t, s.AppendSteps(g.ID, append(stepEvents(1, "a"), stepEvents(second, "b")...), nil), Conflict)
	}
	if err := s.AppendSteps(g.ID, stepEvents(1, "a"), nil); err != nil {
		t.Fatal(err)
	}
	wantTrouble(t, s.AppendSteps(g.ID, stepEvents(1, "again"), nil), Conflict)
	if err := s.AppendSteps(g.ID+7, stepEvents(1, "a"), nil); err == nil {
		t.Error("an event of no game was taken")
	}
	if err := s.AppendSteps(g.ID, append(stepEvents(2, "b", "c"), stepEvents(3, "d")...), nil); err != nil {
		t.Fatal(err)
	}
	wantTrouble(t, s.AppendSteps(g.ID, stepEvents(3, "again"), nil), Conflict)
	if got := stepKinds(t, s, g.ID); got != "1.a 2.b 2.c 3.d" {
		t.Errorf("on disk: %s", got)
	}
}

func TestOneGameIsOpen(t *testing.T) {
	s := open(t, newFile(t))
	if _, ok, err := s.CurrentGame(); ok || err != nil {
		t.Fatalf("a fresh file has an open game: %v", err)
	}
	a, _ := s.BeginGame("huis-clos", stepEvents(1, "a"))
	b, err := s.BeginGame("cluedo", stepEvents(1, "b"))
	if err != nil {
		t.Fatal(err)
	}
	if g, ok, _ := s.CurrentGame(); !ok || g.ID != b.ID || g.Book != "cluedo" {
		t.Errorf("open game %+v", g)
	}
	if stepKinds(t, s, a.ID) != "1.a" || stepKinds(t, s, b.ID) != "1.b" {
		t.Error("the games share events")
	}
}

func TestResultsComeAndGoWithTheirStep(t *testing.T) {
	s := open(t, newFile(t))
	g, _ := s.BeginGame("huis-clos", nil)
	if open, _, _ := s.CurrentGame(); open.Over {
		t.Error("a game is over before it has a result")
	}
	r := &Result{Rule: "HC-151", Winners: []engine.Seat{1, 3}, Players: []string{"Zoé", "Ann"}}
	if err := s.AppendSteps(g.ID, stepEvents(1, "end"), r); err != nil {
		t.Fatal(err)
	}
	if open, ok, _ := s.CurrentGame(); !ok || !open.Over {
		t.Error("a game with a result is not over, or not the open one")
	}
	got, err := s.Results(10)
	if err != nil || len(got) != 1 || got[0].Rule != "HC-151" || !reflect.DeepEqual(got[0].Winners, r.Winners) ||
		got[0].Players[0] != "Zoé" || got[0].Book != "huis-clos" {
		t.Fatalf("%+v %v", got, err)
	}
	if err := s.AppendSteps(g.ID, stepEvents(2, "table.undo"), nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Results(10); len(got) != 0 {
		t.Errorf("an undone end is still a result: %+v", got)
	}
}

func TestEpochCountsStarts(t *testing.T) {
	path := newFile(t)
	for want := uint64(1); want <= 3; want++ {
		s := open(t, path)
		if got, err := s.NextEpoch(); err != nil || got != want {
			t.Fatalf("epoch %d, %v, want %d", got, err, want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTagsDecksSettings(t *testing.T) {
	s := open(t, newFile(t))
	for _, tag := range []Tag{{"04aa", "indice-1"}, {"04bb", "indice-2"}, {"04aa", "indice-3"}} {
		if err := s.SetTag("hc", tag); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetTag("other", Tag{"04aa", "x"}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Tags("hc")
	if err != nil || !reflect.DeepEqual(got, []Tag{{"04bb", "indice-2"}, {"04aa", "indice-3"}}) {
		t.Errorf("tags %v %v", got, err)
	}
	for _, bad := range []Tag{{"", "c"}, {strings.Repeat("a", MaxUID+1), "c"}, {"aa", ""}} {
		if s.SetTag("hc", bad) == nil {
			t.Errorf("tag %+v was taken", bad)
		}
	}
	if _, ok, err := s.Deck("hc"); ok || err != nil {
		t.Error("a deck out of nothing", err)
	}
	if err := s.SetDeck("hc", []byte("id: hc")); err != nil {
		t.Fatal(err)
	}
	if data, ok, _ := s.Deck("hc"); !ok || !bytes.Equal(data, []byte("id: hc")) {
		t.Error("the deck changed")
	}
	if err := s.DeleteDeck("hc"); err != nil {
		t.Error(err)
	}
	if _, ok, err := s.Deck("hc"); ok || err != nil {
		t.Errorf("a forgotten deck is there: %v", err)
	}
	if err := s.DeleteDeck("hc"); err != nil {
		t.Errorf("forgotten twice: %v", err)
	}
	if s.SetDeck("hc", make([]byte, MaxDeck+1)) == nil || s.SetSetting("a", strings.Repeat("x", MaxSetting+1)) == nil {
		t.Error("something too large was taken")
	}
	if _, ok, _ := s.Setting("lang"); ok {
		t.Error("a setting out of nothing")
	}
	_ = s.SetSetting("lang", "fr")
	_ = s.SetSetting("lang", "en")
	if v, ok, err := s.Setting("lang"); !ok || v != "en" || err != nil {
		t.Errorf("setting %q %v", v, err)
	}
	if _, ok, _ := s.Setting("epoch"); ok {
		t.Error("the store's own counters are settings of the table")
	}
}

func TestInvitationsAndKeys(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	invite := func(v engine.Viewer) seal.Code {
		c := seal.NewCode()
		if err := s.SaveInvitation(Seat{Phone: wire.FirstPhoneOf(v), Key: seal.NewKey().ForStore()},
			Invitation{ID: c.PublicID(), Phone: wire.FirstPhoneOf(v), Code: c.ForStore()}); err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := invite(engine.SeatViewer(2))
	second := invite(engine.SeatViewer(2))
	host := invite(engine.Host)
	_ = s.Close()
	s = open(t, path)
	seats, invs, err := s.KeysAndInvitations()
	if err != nil || len(seats) != 2 || len(invs) != 3 {
		t.Fatalf("%v %v %v", seats, invs, err)
	}
	if invs[0].ID != first.PublicID() || invs[0].Open || !invs[0].Code.ForMemory().IsZero() {
		t.Error("the older invitation is not closed, or its code is still stored")
	}
	if !invs[1].Open || invs[1].Code.ForMemory().Link() != second.Link() || invs[2].Phone != wire.FirstPhoneOf(engine.Host) ||
		invs[2].Code.ForMemory().Link() != host.Link() {
		t.Error("an open invitation did not come back")
	}
	if err := errors.Join(s.RecordJoin(wire.FirstPhoneOf(engine.SeatViewer(2))),
		s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(2)), 50), s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(2)),
			20), s.DeleteKeys(wire.FirstPhoneOf(engine.Host))); err != nil {
		t.Fatal(err)
	}
	seats, invs, _ = s.KeysAndInvitations()
	if len(seats) != 1 || !seats[0].Joined || seats[0].Counter != 50 {
		t.Errorf("after joining: %+v", seats)
	}
	for _, i := range invs {
		if i.Open || !i.Code.ForMemory().IsZero() {
			t.Errorf("invitation of %v is still open", i.Phone)
		}
	}
	for range MaxClosed + 10 {
		invite(engine.SeatViewer(3))
	}
	if _, invs, _ = s.KeysAndInvitations(); len(invs) != MaxClosed+1 {
		t.Errorf("%d invitations remembered", len(invs))
	}
	if s.SaveInvitation(Seat{Phone: wire.FirstPhoneOf(engine.SeatViewer(1)), Key: seal.NewKey().ForStore()},
		Invitation{ID: "x", Phone: wire.FirstPhoneOf(engine.SeatViewer(2))}) == nil {
		t.Error("an invitation of another seat was taken")
	}
	if s.SaveInvitation(Seat{Phone: wire.FirstPhoneOf(engine.SeatViewer(1))},
		Invitation{ID: "y", Phone: wire.FirstPhoneOf(engine.SeatViewer(1)), Code: seal.NewCode().ForStore()}) == nil {
		t.Error("no key was stored as a key")
	}
}

// The phones of one seat have a key and an invitation each. A new invitation of the seat removes all of them at once,
// and the seat counts once in a backup's summary.
func TestKeysOfSeveralPhones(t *testing.T) {
	s := open(t, newFile(t))
	all := []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1)), {Viewer: engine.SeatViewer(1), N: 2},
		{Viewer: engine.SeatViewer(1), N: 4}, wire.FirstPhoneOf(engine.SeatViewer(10))}
	for _, h := range all {
		if err := s.SaveInvitation(Seat{Phone: h, Key: seal.NewKey().ForStore()},
			Invitation{ID: h.String(), Phone: h, Code: seal.NewCode().ForStore()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.RecordJoin(all[1]), s.RaiseCounter(all[1], 7), s.DeleteKeys(all[2])); err != nil {
		t.Fatal(err)
	}
	seats, invs, err := s.KeysAndInvitations()
	if err != nil || len(seats) != 3 || len(invs) != 4 {
		t.Fatalf("%v %v %v", seats, invs, err)
	}
	for _, k := range seats {
		if second := k.Phone == all[1]; k.Joined != second || (k.Counter == 7) != second || k.Phone == all[2] {
			t.Errorf("%+v", k)
		}
	}
	for i, inv := range invs {
		if open := i == 0 || i == 3; inv.Phone != all[i] || inv.Open != open {
			t.Errorf("%+v", inv)
		}
	}
	if sum, err := readSummary(s.db); err != nil || sum.Seats != 2 {
		t.Errorf("%d seats, %v", sum.Seats, err)
	}
	again := Invitation{ID: "again", Phone: all[0], Code: seal.NewCode().ForStore()}
	if err := s.SaveInvitation(Seat{Phone: all[0], Key: seal.NewKey().ForStore()}, again, all[1], all[2]); err != nil {
		t.Fatal(err)
	}
	if seats, _, err := s.KeysAndInvitations(); err != nil || len(seats) != 2 || seats[0].Phone != all[0] || seats[1].Phone != all[3] {
		t.Errorf("%+v, %v", seats, err)
	}
	if s.SaveInvitation(Seat{Phone: wire.Handset{Viewer: engine.SeatViewer(1), N: 5}, Key: seal.NewKey().ForStore()},
		Invitation{ID: "5", Phone: wire.Handset{Viewer: engine.SeatViewer(1), N: 5}}) == nil {
		t.Error("a fifth phone has a key")
	}
}

// The two keys of a phone are stored together, and go together. A damaged other key costs only itself.
func TestTwoKeysOfAPhone(t *testing.T) {
	path := newFile(t)
	s, h := open(t, path), wire.FirstPhoneOf(engine.SeatViewer(1))
	key := func(d seal.Disk) string {
		v, err := d.Value()
		if err != nil {
			return ""
		}
		return string(v.([]byte))
	}
	read := func() Seat {
		seats, _, err := s.KeysAndInvitations()
		if err != nil || len(seats) != 1 {
			t.Fatalf("%d seats, %v", len(seats), err)
		}
		return seats[0]
	}
	if s.SaveKeys(Seat{Phone: h, Key: seal.NewKey().ForStore()}) == nil {
		t.Error("a phone without a key is given two")
	}
	one := Seat{Phone: h, Key: seal.NewKey().ForStore()}
	if err := errors.Join(s.SaveInvitation(one, Invitation{ID: "a", Phone: h}), s.RaiseCounter(h, 5)); err != nil {
		t.Fatal(err)
	}
	two := Seat{Phone: h, Key: seal.NewKey().ForStore(), Other: OtherKey{Key: one.Key, Ends: time.UnixMilli(1_700_000_000_000)}}
	if err := s.SaveKeys(two); err != nil {
		t.Fatal(err)
	}
	if got := read(); key(got.Key) != key(two.Key) || key(got.Other.Key) != key(one.Key) || !got.Other.Ends.Equal(two.Other.Ends) ||
		got.Counter != 5 {
		t.Errorf("%+v", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alterDatabase(t, path, "UPDATE settings SET value = x'00' WHERE name = 'key.seat-1'")
	if s = open(t, path); key(read().Key) != key(two.Key) || key(read().Other.Key) != "" {
		t.Errorf("with a damaged other key: %+v", read())
	}
	if err := errors.Join(s.SaveKeys(two), s.DeleteKeys(h), s.SaveInvitation(one, Invitation{ID: "b", Phone: h})); err != nil {
		t.Fatal(err)
	}
	if key(read().Other.Key) != "" {
		t.Error("the other key outlives the seat")
	}
}

// A file of the first schema version has games without commands, which can still be played on.
func TestFileOfTheFirstVersion(t *testing.T) {
	file := newFile(t)
	db, err := sql.Open("sqlite", strictDSN(file))
	if err != nil {
		t.Fatal(err)
	}
	if err := migrate(db, 0, migrations[:1]); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(
		"INSERT INTO games (book, began) VALUES ('hc', 1); INSERT INTO events VALUES (1, 1, 1, 'host', 'sat', x'61', 0, 0)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, file)
	next := stepEvents(2, "a", "b")
	next[0].Command = []byte("command")
	if err := s.AppendSteps(1, next, nil); err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(1)
	if err != nil || len(events) != 3 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	for i, want := range []string{"", "command", ""} {
		if string(events[i].Command) != want {
			t.Errorf("event %d has the command %q", i+1, events[i].Command)
		}
	}
}

func TestMigrationsAreAllOrNothing(t *testing.T) {
	db, err := sql.Open("sqlite", strictDSN(newFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	version := func() (v int) { _ = db.QueryRow("PRAGMA user_version").Scan(&v); return v }
	steps := []string{"CREATE TABLE a (x)", "CREATE TABLE b (x); CREATE TABLE a (x)"}
	if err := migrate(db, 0, steps); err == nil || version() != 1 {
		t.Errorf("a broken step: %v, version %d", err, version())
	}
	if _, err := db.Exec("SELECT * FROM b"); err == nil {
		t.Error("half a step stayed")
	}
	steps[1] = "ALTER TABLE a ADD COLUMN y"
	if err := migrate(db, version(), steps); err != nil || version() != 2 {
		t.Errorf("%v, version %d", err, version())
	}
}

// A game is over when its result is recorded or the next game begins.
func TestGames(t *testing.T) {
	s := open(t, newFile(t))
	a, _ := s.BeginGame("hc", stepEvents(1, "a"))
	b, _ := s.BeginGame("c8", stepEvents(1, "a"))
	over := func(want ...bool) {
		t.Helper()
		games, err := s.Games(10)
		if err != nil || len(games) != 2 || games[0].ID != b.ID || games[0].Book != "c8" || games[1].ID != a.ID {
			t.Fatalf("%+v, %v", games, err)
		}
		if games[0].Over != want[0] || games[1].Over != want[1] {
			t.Errorf("over: %v, %v", games[0].Over, games[1].Over)
		}
	}
	over(false, true)
	if err := s.AppendSteps(b.ID, stepEvents(2, "end"), &Result{Rule: "C8-1"}); err != nil {
		t.Fatal(err)
	}
	over(true, true)
	if err := s.AppendSteps(b.ID, stepEvents(3, "undo"), nil); err != nil {
		t.Fatal(err)
	}
	over(false, true)
	if games, err := s.Games(1); err != nil || len(games) != 1 {
		t.Errorf("%d games, %v", len(games), err)
	}
}

func TestFileIsPrivate(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	if _, err := s.NextEpoch(); err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "b.db")
	if err := s.WriteBackup(backup); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + "-wal", backup} {
		st, err := os.Stat(p)
		if err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", p, st.Mode(), err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	s, err := Open(filepath.Join(b.TempDir(), "t.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	g, _ := s.BeginGame("g", nil)
	n := int64(0)
	for b.Loop() {
		n++
		if err := s.AppendSteps(g.ID, stepEvents(n, "a", "b"), nil); err != nil {
			b.Fatal(err)
		}
	}
}
