package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// seededDice returns the dice of a random test; MAJORDOME_SEED repeats a run.
func seededDice(t *testing.T) *rand.Rand {
	t.Helper()
	s := uint64(time.Now().UnixNano())
	if given := os.Getenv("MAJORDOME_SEED"); given != "" {
		var err error
		if s, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatalf("MAJORDOME_SEED: %v", err)
		}
	}
	t.Logf("repeat with MAJORDOME_SEED=%d", s)
	return rand.New(rand.NewPCG(s, 1))
}

// tryCount returns how often a random test tries: soak in a soak, else plain.
func tryCount(plain, soak int) int {
	if os.Getenv("MAJORDOME_SOAK") != "" {
		return soak
	}
	return plain
}

// fileSuffixes are the suffixes of a store's files, as a power cut leaves them.
var fileSuffixes = []string{"", "-wal", ".mark"}

// image is the content of those files, by suffix.
type image map[string][]byte

func readImage(t *testing.T, path string) image {
	t.Helper()
	all := image{}
	for _, tail := range fileSuffixes {
		data, err := os.ReadFile(path + tail)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all[tail] = data
	}
	return all
}

// writeFiles writes an image to disk as a store of its own.
func (m image) writeFiles(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "t.db")
	for tail, data := range m {
		if err := os.WriteFile(path+tail, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// content is all that a store contains: games by number, and the rows of each table.
type content struct {
	games map[int64][]Event
	rows  map[string]map[string]bool
}

func contentOf(t *testing.T, s *Store) content {
	t.Helper()
	c := content{games: map[int64][]Event{}, rows: map[string]map[string]bool{}}
	games, err := s.Games(1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		if c.games[g.ID], err = s.Events(g.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, sh := range summedTables {
		c.rows[sh.name] = map[string]bool{}
		if sh.name == "games" {
			continue
		}
		err := sh.eachRow(s.db, "", func(v []any, _ checksum) error {
			if name, _ := v[0].(string); sh.name == "settings" && (name == "epoch" || name == "store") {
				return nil // these change with every start
			}
			if sh.name == "keys" {
				v[2] = nil // the counter, which only rises
			}
			c.rows[sh.name][fmt.Sprint(v...)] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// playedStore returns a store with two finished games and a running one, whose steps are partly in the log.
func playedStore(t *testing.T, dice *rand.Rand) (path string, s *Store) {
	t.Helper()
	path = newFile(t)
	s = open(t, path)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.NextEpoch()
	must(err)
	must(s.SetDeck("huis-clos", make([]byte, 9000)))
	must(s.SetSetting("lang", "fr"))
	for i := range 60 {
		must(s.SetTag("huis-clos", Tag{UID: fmt.Sprintf("04%012x", i), Card: engine.ID(fmt.Sprintf("clue-%d", i))}))
	}
	for seat := engine.Seat(1); seat <= 4; seat++ {
		must(s.SaveInvitation(Seat{Phone: wire.FirstPhoneOf(engine.SeatViewer(seat)), Key: seal.NewKey().ForStore()},
			Invitation{ID: fmt.Sprint("inv", seat), Phone: wire.FirstPhoneOf(engine.SeatViewer(seat)), Code: seal.NewCode().ForStore()}))
	}
	for game := range 3 {
		g, err := s.BeginGame("huis-clos", stepEvents(1, "sat", "sat"))
		must(err)
		for n := int64(2); n < 60; n++ {
			if game == 2 && n == 20 {
				must(s.emptyLogIntoFile())
			}
			one := stepEvents(n, slices.Repeat([]string{"act"}, 1+dice.IntN(3))...)
			one[0].Command = make([]byte, dice.IntN(200))
			one[0].Data = fmt.Appendf(nil, "data of %d/%d %d", game, n, dice.Uint64())
			var r *Result
			if n == 59 && game < 2 {
				r = &Result{Rule: "HC-151", Winners: []engine.Seat{1}, Players: []string{"Zoé"}}
			}
			must(s.AppendSteps(g.ID, one, r))
		}
		must(s.SetFigures(Figures{Game: g.ID, Names: []byte("{}"), Data: fmt.Appendf(nil, `{"of":"game %d"}`, game)}))
		must(s.SetNotes(g.ID, 2, fmt.Sprint("notes of game ", game)))
		must(s.RaiseCounter(wire.FirstPhoneOf(engine.SeatViewer(1)), uint64(1000*game+1000)))
	}
	must(s.RecordJoin(wire.FirstPhoneOf(engine.SeatViewer(3))))
	return path, s
}

// mutate damages one of the files as media do: a bit, a byte, a sector of noise or zeros, or a missing end.
func mutate(dice *rand.Rand, m image) (image, string) {
	m = maps.Clone(m)
	tail := []string{"", "-wal", "-wal", ".mark"}[dice.IntN(4)]
	data := slices.Clone(m[tail])
	if len(data) == 0 {
		return m, "nothing"
	}
	at := dice.IntN(len(data))
	what := ""
	switch dice.IntN(6) {
	case 0, 1:
		what = "a bit"
		data[at] ^= 1 << dice.IntN(8)
	case 2:
		what = "a byte"
		data[at] += byte(1 + dice.IntN(255))
	case 3:
		what = "a sector of noise"
		at = at &^ 511
		for i := at; i < min(at+512, len(data)); i++ {
			data[i] = byte(dice.Uint32())
		}
	case 4:
		what = "a sector of zeros"
		at = at &^ 511
		clear(data[at:min(at+512, len(data))])
	case 5:
		what = "cut off"
		data = data[:at]
	}
	m[tail] = data
	return m, fmt.Sprintf("%s at %d of %d in the file%s", what, at, len(m[tail]), tail)
}

// Design 7.9: whatever a disk does to the files of a store, at the next start everything acknowledged is there, or
// the start reports what is missing: each incomplete game with its first missing step, and each table with missing
// rows. Nothing is ever there that was not written. 100 mutations, 1,000 in a soak.
func TestDamageIsNamed(t *testing.T) {
	dice := seededDice(t)
	path, s := playedStore(t, dice)
	whole, want := readImage(t, path), contentOf(t, s)
	seen := map[string]int{}
	for n := range tryCount(100, 1000) {
		m, how := mutate(dice, whole)
		seen[judgeImage(t, fmt.Sprintf("mutation %d, %s", n, how), m.writeFiles(t), want)]++
		if t.Failed() {
			return
		}
	}
	t.Logf("after the next start: %v", seen)
	for _, outcome := range []string{"all there", "named"} {
		if seen[outcome] == 0 {
			t.Errorf("no mutation ended with %q: the test shows nothing", outcome)
		}
	}
}

// Design 7.9 with two faults at once: the store's file was replaced by an older one, which is also damaged. 40
// mutations, 400 in a soak.
func TestTwoFaultsAreNamed(t *testing.T) {
	dice := seededDice(t)
	path, s := playedStore(t, dice)
	older := readImage(t, path)
	err := errors.Join(s.SetTag("huis-clos", Tag{UID: "04ffffffffffff", Card: "clue-new"}), s.SetSetting("calm", "yes"),
		s.SetNotes(3, 3, "written later"), s.AppendSteps(3, stepEvents(60, "late", "late"), nil),
		s.AppendSteps(3, stepEvents(61, "later"), nil))
	if err != nil {
		t.Fatal(err)
	}
	want := contentOf(t, s)
	older[".mark"] = readImage(t, path)[".mark"]
	seen := map[string]int{}
	for n := range tryCount(40, 400) {
		m, how := mutate(dice, older)
		m[".mark"] = older[".mark"] // without its own mark the file could not be recognised as older
		seen[judgeImage(t, fmt.Sprintf("an older file, and mutation %d, %s", n, how), m.writeFiles(t), want)]++
		if t.Failed() {
			return
		}
	}
	t.Logf("after the next start: %v", seen)
	if seen["named"] == 0 || seen["all there"] > 0 {
		t.Errorf("an older file: %v", seen)
	}
}

// Design 7.9: a damaged row costs only that row, and a damaged step costs the rest of its game. Everything else is
// there, and the losses name what is missing.
func TestOneRowCostsOneRow(t *testing.T) {
	path, s := playedStore(t, rand.New(rand.NewPCG(1, 1)))
	want := contentOf(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := readImage(t, path)
	for name, c := range map[string]struct {
		find string // a text in the file, whose last byte is changed
		loss Loss
	}{
		"a tag":     {"0400000000002dclue-45", Loss{Kind: LostTags, N: 1}},
		"a setting": {"set.langfr", Loss{Kind: LostSettings, N: 1}},
		"a sheet":   {"notes of game 2", Loss{Kind: LostNotes, N: 1}},
		"figures":   {`"of":"game 1`, Loss{Kind: LostFigures, N: 1}},
		"a result":  {"HC-151", Loss{Kind: LostResults, N: 1}},
		"a step":    {"data of 1/30", Loss{Kind: LostSteps, Game: 2, Book: "huis-clos", From: 30, To: 59}},
	} {
		t.Run(name, func(t *testing.T) {
			data := slices.Clone(whole[""])
			at := bytes.Index(data, []byte(c.find))
			if at < 0 {
				t.Fatal("not in the file")
			}
			data[at+len(c.find)-1] ^= 1
			m := image{"": data, ".mark": whole[".mark"]}
			s := open(t, m.writeFiles(t))
			lost := s.Losses()
			if len(lost) != 1 {
				t.Fatalf("lost %+v", lost)
			}
			got := lost[0]
			got.Since, got.Until = 0, 0
			if got != c.loss {
				t.Errorf("lost %+v, want %+v", got, c.loss)
			}
			has, rows := contentOf(t, s), 0
			for shelf := range want.rows {
				rows += len(want.rows[shelf]) - len(has.rows[shelf])
			}
			if rows != int(c.loss.N) {
				t.Errorf("%d rows are gone", rows)
			}
			for id := range want.games {
				if (len(has.games[id]) != len(want.games[id])) != (id == c.loss.Game) {
					t.Errorf("game %d has %d events of %d", id, len(has.games[id]), len(want.games[id]))
				}
			}
			if former, err := os.ReadFile(s.FormerStateFile()); err != nil || !bytes.Equal(former, data) {
				t.Errorf("the file as it was found is not kept: %v", err)
			}
		})
	}
}

// judgeImage opens a store that may be damaged and compares it with its content before.
func judgeImage(t *testing.T, how, path string, want content) (outcome string) {
	t.Helper()
	s, err := Open(path, nil)
	if err != nil {
		t.Errorf("%s: the table does not start: %v", how, err)
		return "refused"
	}
	defer func() { _ = s.Close() }()
	losses := s.Losses()
	named := func(kind string, game, from int64) bool {
		return slices.ContainsFunc(losses, func(l Loss) bool {
			return l.Kind == LostFile || l.Kind == LostUnreadable || l.Kind == LostOther ||
				l.Kind == kind && l.Game == game && l.From == from
		})
	}
	got := contentOf(t, s)
	for id, events := range want.games {
		has := got.games[id]
		if len(has) > len(events) || !sameEvents(has, events[:min(len(has), len(events))]) {
			t.Errorf("%s: game %d holds what was never written", how, id)
		}
		if len(has) == len(events) {
			continue
		}
		last := int64(0)
		if len(has) > 0 {
			last = has[len(has)-1].Step
		}
		if events[len(has)].Step != last+1 {
			t.Errorf("%s: game %d breaks off in the middle of step %d", how, id, last)
		}
		if !named(LostSteps, id, last+1) && !(last == 0 && (named(LostGame, id, 0) || named(LostGames, 0, 0) || named(LostGame, id, 1))) {
			t.Errorf("%s: game %d goes to step %d only, and the losses are %+v", how, id, last, losses)
		}
	}
	for shelf, rows := range want.rows {
		for row := range rows {
			if !got.rows[shelf][row] && !named(shelf, 0, 0) {
				t.Errorf("%s: a row of %s is missing, and the losses are %+v", how, shelf, losses)
				break
			}
		}
		for row := range got.rows[shelf] {
			if !rows[row] && !named(shelf, 0, 0) { // allowed: an older row where a newer one is lost
				t.Errorf("%s: %s holds what was never written", how, shelf)
				break
			}
		}
	}
	for _, l := range losses {
		if l.Msg().IsEmpty() {
			t.Errorf("%s: %+v says nothing", how, l)
		}
	}
	acceptAndPlayOn(t, how, s, losses)
	switch {
	case len(losses) == 0:
		return "all there"
	case losses[0].Kind == LostUnreadable:
		return "nothing readable, named"
	}
	return "named"
}

// acceptAndPlayOn accepts the losses and adds a step. The next start must report none.
func acceptAndPlayOn(t *testing.T, how string, s *Store, losses []Loss) {
	t.Helper()
	if err := s.AcceptLosses(); err != nil {
		t.Errorf("%s: %v", how, err)
		return
	}
	g, ok, err := s.CurrentGame()
	if err == nil && !ok {
		g, err = s.BeginGame("huis-clos", nil)
	}
	if err != nil {
		t.Errorf("%s: %v", how, err)
		return
	}
	events, err := s.Events(g.ID)
	next := int64(1)
	if len(events) > 0 {
		next = events[len(events)-1].Step + 1
	}
	if err := errors.Join(err, s.AppendSteps(g.ID, stepEvents(next, "on"), nil), s.Close()); err != nil {
		t.Errorf("%s: it does not go on: %v (%+v)", how, err, losses)
		return
	}
	again, err := Open(s.Path(), nil)
	if err != nil {
		t.Errorf("%s: the start after: %v", how, err)
		return
	}
	if l := again.Losses(); len(l) > 0 || again.FormerStateFile() != "" {
		t.Errorf("%s: the start after still names %+v", how, l)
	}
	_ = again.Close()
}

func sameEvents(a, b []Event) bool {
	return slices.EqualFunc(a, b, func(a, b Event) bool {
		return a.N == b.N && a.Step == b.Step && a.Cause == b.Cause && a.Kind == b.Kind && string(a.Data) == string(b.Data) &&
			string(a.Command) == string(b.Command) && a.At == b.At && a.Wall.Equal(b.Wall)
	})
}
