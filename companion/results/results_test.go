package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/engine"
)

// tableOf is a table that ends games, as its own store would list them.
type tableOf struct {
	name, id string
	clock    int
	games    []Result // the newest last; a game without a result has no Rule
}

func (a *tableOf) begin() {
	a.clock += 1000
	a.games = append(a.games, Result{Table: a.id, Game: len(a.games) + 1, Book: "huis-clos", Began: a.clock})
}

func (a *tableOf) endGame(rule string) {
	a.clock += 1000
	r := &a.games[len(a.games)-1]
	r.Rule, r.Winners, r.Ended, r.Players = rule, []int{1, 3}, a.clock, []string{"Ada", "Bée"}
}

func (a *tableOf) undo() { a.games[len(a.games)-1].Rule = "" }

func (a *tableOf) index() (i Index) {
	i = Index{Table: a.id, Last: len(a.games), Games: []Entry{}}
	if i.Last > 0 {
		i.Began = a.games[i.Last-1].Began
	}
	for _, r := range slices.Backward(a.games) {
		if r.Rule != "" && len(i.Games) < MaxIndex {
			i.Games = append(i.Games, Entry{r.Game, r.Hash()})
		}
	}
	return i
}

// venueOf is a venue with one table, over a network that may lose and repeat each message.
type venueOf struct {
	t     *testing.T
	store Store
	table *tableOf
	dice  *rand.Rand // nil: nothing is lost
	last  Plan
}

func (v *venueOf) copies() int {
	if v.dice == nil {
		return 1
	}
	return v.dice.IntN(3)
}

// sync has one round of messages: the index, the request, the results.
func (v *venueOf) sync() {
	v.t.Helper()
	ctx := context.Background()
	text, _ := json.Marshal(v.table.index())
	for range v.copies() {
		i, err := DecodeIndex(text)
		if err != nil {
			v.t.Fatal(err)
		}
		if v.last, err = Update(ctx, v.store, v.table.name, &i, time.UnixMilli(1)); err != nil {
			v.t.Fatal(err)
		}
		for _, game := range v.last.Ask {
			body, _ := json.Marshal(v.table.games[game-1])
			for range v.copies() {
				r, err := Decode(body)
				if err != nil || !i.ListsResult(&r) {
					v.t.Fatalf("%s: %v", body, err)
				}
				if err := v.store.Save(ctx, v.table.name, &r); err != nil {
					v.t.Fatal(err)
				}
			}
		}
	}
}

// settle calls sync without losses until nothing is asked any more.
func (v *venueOf) settle() {
	v.t.Helper()
	v.dice = nil
	for range 2 + len(v.table.games)/MaxAsk {
		v.sync()
	}
	if v.sync(); v.last.Lacks > 0 || len(v.last.Change) > 0 || len(v.last.Stored) != len(v.table.index().Games) {
		v.t.Fatalf("it never settles: %+v", v.last)
	}
}

// listValid lists the numbers of the rows that are not void, the oldest first.
func (v *venueOf) listValid() (games []int) {
	v.t.Helper()
	rows, err := v.store.List(context.Background(), time.UnixMilli(0), time.UnixMilli(1<<40), 9999)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, r := range slices.Backward(rows) {
		if !r.Void {
			games = append(games, r.Game)
		}
	}
	return games
}

// eachStore runs a test with a store of each kind.
func eachStore(t *testing.T, test func(*testing.T, Store)) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		s, err := OpenSQLite(filepath.Join(t.TempDir(), "results ?é.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		test(t, s)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		database := strings.ToLower(strings.ReplaceAll(t.Name(), "/", ""))
		test(t, openPostgres(t, shared.get(t), database))
	})
}

// TestEachResultOnce plays games at a table while messages are lost and repeated, and ends are undone: in the end the venue has
// each result of the table exactly once, and the others are void.
func TestEachResultOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		dice := rand.New(rand.NewPCG(seed, 1))
		v := &venueOf{t: t, store: s, table: &tableOf{name: "t7", id: "1f"}, dice: dice}
		for range 120 {
			switch n := len(v.table.games); {
			case n == 0 || v.table.games[n-1].Rule != "" && dice.IntN(4) > 0:
				v.table.begin()
			case v.table.games[n-1].Rule != "":
				v.table.undo()
			default:
				v.table.endGame(fmt.Sprint("HC-", dice.IntN(9)))
			}
			v.sync()
		}
		v.settle()
		var want []int
		for _, r := range v.table.games {
			if r.Rule != "" {
				want = append(want, r.Game)
			}
		}
		if got := v.listValid(); !slices.Equal(got, want) || len(want) < 5 {
			t.Errorf("the venue has %v, the table %v", got, want)
		}
		rows, _ := s.OfTable(context.Background(), "t7", "1f")
		for _, r := range rows {
			if !r.Void && !reflect.DeepEqual(r.Result, v.table.games[r.Game-1]) {
				t.Errorf("%+v, want %+v", r.Result, v.table.games[r.Game-1])
			}
		}
	})
}

// TestOlderCopyOfTheTable: a table whose store has become an older copy loses games, and uses their numbers again. The venue
// keeps what it has, says which games the table has lost, and adds the new ones.
func TestOlderCopyOfTheTable(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		v := &venueOf{t: t, store: s, table: &tableOf{name: "t7", id: "1f"}}
		for range 5 {
			v.table.begin()
			v.table.endGame("HC-1")
		}
		v.settle()
		v.table.games = v.table.games[:3:3]
		v.settle()
		v.table.begin() // number 4 again
		v.settle()
		if got := v.listValid(); !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
			t.Errorf("a game that the table has lost is void: %v", got)
		}
		v.table.endGame("HC-2")
		v.settle()
		if got := v.listValid(); !slices.Equal(got, []int{1, 2, 3, 4, 5, 4}) {
			t.Errorf("%v", got)
		}
		gaps, err := s.Gaps(context.Background(), 9)
		if want := []Gap{{"t7", "1f", 4, 5, true}}; err != nil || !slices.Equal(gaps, want) {
			t.Errorf("gaps %v %v", gaps, err)
		}
		v.table.undo()
		v.settle()
		if got := v.listValid(); !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
			t.Errorf("after an undo %v", got)
		}
	})
}

// copyFile copies a file, as an owner who restores a backup.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err == nil {
		_, err = io.Copy(out, in)
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestOlderCopyOfTheVenue: a database that comes back with an older copy gets again what it lacks, and what no table lists any
// more is told as a gap, once.
func TestOlderCopyOfTheVenue(t *testing.T) {
	dir := t.TempDir()
	open := func(name string) Store {
		s, err := OpenSQLite(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	v := &venueOf{t: t, store: open("a"), table: &tableOf{name: "t7", id: "1f"}}
	play := func(games int) {
		for range games {
			v.table.begin()
			v.table.endGame("HC-1")
			v.sync()
		}
		v.settle()
	}
	play(10)
	if err := v.store.Close(); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	v.store = open("a")
	play(MaxIndex + 5)
	if got := v.listValid(); len(got) != MaxIndex+15 {
		t.Fatalf("%d results", len(got))
	}
	_ = v.store.Close()
	v.store = open("b")
	defer func() { _ = v.store.Close() }()
	v.settle()
	gaps, err := v.store.Gaps(context.Background(), 9)
	if want := []Gap{{"t7", "1f", 11, 15, false}}; err != nil || !slices.Equal(gaps, want) {
		t.Errorf("gaps %v %v", gaps, err)
	}
	if got := v.listValid(); len(got) != MaxIndex+10 || got[10] != 16 {
		t.Errorf("%d results: %v", len(got), got)
	}
}

// TestNamesAreForgotten: names go from games that ended before a moment, and all else stays.
func TestNamesAreForgotten(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		v := &venueOf{t: t, store: s, table: &tableOf{name: "t7", id: "1f"}}
		for range 2 {
			v.table.begin()
			v.table.endGame("HC-1")
		}
		v.settle()
		ctx := context.Background()
		if n, err := s.ForgetNames(ctx, time.UnixMilli(int64(v.table.games[1].Ended))); n != 1 || err != nil {
			t.Errorf("%d games, %v", n, err)
		}
		rows, err := s.OfTable(ctx, "t7", "1f")
		if err != nil || len(rows) != 2 || len(rows[0].Players) != 2 || len(rows[1].Players) != 0 ||
			rows[1].Hash() != v.table.games[0].Hash() {
			t.Errorf("%+v %v", rows, err)
		}
		v.settle() // the hash has no names: nothing is asked for again
		if rows, _ = s.OfTable(ctx, "t7", "1f"); len(rows[1].Players) != 0 {
			t.Error("names that were forgotten are back")
		}
	})
}

// TestForgedMessages: what no table sends is refused, and a table that claims the id of another changes only rows of its own name.
func TestForgedMessages(t *testing.T) {
	good := Result{Table: "1f", Game: 1, Book: "huis-clos", Rule: "HC-1", Winners: []int{1}, Began: 1, Ended: 2, Players: []string{"Ada"}}
	for what, change := range map[string]func(*Result){
		"no table": func(r *Result) { r.Table = "" }, "no number": func(r *Result) { r.Game = 0 },
		"a seat that no table has": func(r *Result) { r.Winners = []int{int(engine.MaxSeats) + 1} },
		"an end before the lobby":  func(r *Result) { r.Ended = 0 },
		"a long name":              func(r *Result) { r.Players = []string{strings.Repeat("x", 201)} },
		"a zero byte":              func(r *Result) { r.Players = []string{"a\x00"} },
		"many players":             func(r *Result) { r.Players = make([]string, 99) },
		"much": func(r *Result) {
			r.Players = slices.Repeat([]string{strings.Repeat("é", 99)}, int(engine.MaxSeats))
			r.Book = engine.ID(strings.Repeat("x", 65))
		},
	} {
		r := good
		change(&r)
		text, _ := json.Marshal(r)
		if _, err := Decode(text); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	text, _ := json.Marshal(good)
	if r, err := Decode(text); err != nil || !reflect.DeepEqual(r, good) {
		t.Errorf("%+v %v", r, err)
	}
	for _, bad := range []string{``, `null`, `{"table":"1f","last":1,"games":[{"game":2,"hash":"00000000"}]}`,
		`{"table":"1f","last":2,"games":[{"game":1,"hash":"00000000"},{"game":1,"hash":"00000000"}]}`,
		`{"table":"1f","last":2,"games":[{"game":1,"hash":"x"}]}`, `{"table":"A B","last":0,"games":[]}`} {
		if _, err := DecodeIndex([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	forged := good
	forged.Rule = "HC-9"
	if i := (Index{Table: "1f", Games: []Entry{{1, good.Hash()}}}); i.ListsResult(&forged) || !i.ListsResult(&good) {
		t.Error("a result that the index does not list")
	}
	eachStore(t, func(t *testing.T, s Store) {
		v := &venueOf{t: t, store: s, table: &tableOf{name: "t7", id: "1f"}}
		v.table.begin()
		v.table.endGame("HC-1")
		v.settle()
		twin := &venueOf{t: t, store: s, table: &tableOf{name: "thief", id: "1f"}}
		twin.settle() // it lists no game: as if all were undone
		twin.table.begin()
		twin.table.endGame("HC-9")
		twin.settle()
		if rows, err := s.OfTable(context.Background(), "t7", "1f"); err != nil || len(rows) != 1 || rows[0].Void ||
			rows[0].Rule != "HC-1" {
			t.Errorf("%+v %v", rows, err)
		}
	})
}
