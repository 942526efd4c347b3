package console

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordome/companion/line"
	"majordome/companion/results"
	"majordome/companion/uplink"
)

// resultOf returns the result of a game of the table of this name.
func resultOf(table string, game int) results.Result {
	return results.Result{Table: table, Game: game, Book: "huis-clos", Rule: "HC-151", Winners: []int{1}, Began: 1000 * game,
		Ended: 1000*game + 500, Players: []string{"Anne"}}
}

// indexOf returns the index of a table that has ended these games.
func indexOf(table string, games ...int) results.Index {
	i := results.Index{Table: table, Last: games[len(games)-1], Began: 1000 * games[len(games)-1]}
	for _, n := range slices.Backward(games) {
		r := resultOf(table, n)
		i.Games = append(i.Games, results.Entry{Game: n, Hash: r.Hash()})
	}
	return i
}

func encode(t *testing.T, x any) []byte {
	t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// brokenStore is a Store that can be away.
type brokenStore struct {
	results.Store
	isAway bool
}

func (s *brokenStore) Save(ctx context.Context, name string, r *results.Result) error {
	if s.isAway {
		return errors.New("away")
	}
	return s.Store.Save(ctx, name, r)
}

// TestResultsAreKept: a table sends its index, and only some of the results that are asked for arrive; the store is away for a while; the
// host undoes an end. In the end the store has each result once, and the table knows what is stored.
func TestResultsAreKept(t *testing.T) {
	file, err := results.OpenSQLite(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	store := &brokenStore{Store: file}
	var asked []int
	var stored []results.Entry
	k := &resultKeeper{store: store, knows: func(string) bool { return true }, log: slog.New(slog.DiscardHandler),
		tables: map[string]*tableResults{},
		send: func(table, command string, payload any) {
			if table != "salon" {
				t.Errorf("a command to %s", table)
			}
			switch x := payload.(type) {
			case uplink.AskResults:
				asked = x.Games
			case uplink.Stored:
				stored = x.Games
			}
		}}
	now := time.Unix(5000, 0)
	look := func() error {
		asked, stored = nil, nil
		return k.storeNews(t.Context(), now)
	}
	index := indexOf("table-1", 1, 2, 3)
	hear := func(what string, x any) {
		t.Helper()
		if !k.handleMessage("salon", what, encode(t, x)) {
			t.Errorf("%s is not about results", what)
		}
	}
	hear("results", index)
	if err := look(); err != nil || !slices.Equal(asked, []int{1, 2, 3}) || stored != nil {
		t.Errorf("asked %v, stored %v, %v", asked, stored, err)
	}
	hear("result", resultOf("table-1", 2))
	hear("result", resultOf("table-1", 2))
	hear("result", resultOf("table-2", 1)) // of no game that the index lists
	store.isAway = true
	if err := look(); err == nil || asked != nil || stored != nil {
		t.Errorf("the store is away: asked %v, stored %v", asked, stored)
	}
	store.isAway = false
	if err := look(); err != nil || !slices.Equal(asked, []int{1, 3}) || len(stored) != 1 || stored[0].Game != 2 {
		t.Errorf("asked %v, stored %v, %v", asked, stored, err)
	}
	if err := look(); err != nil || asked != nil || stored != nil {
		t.Errorf("nothing has come, and asked is %v, stored %v, %v", asked, stored, err)
	}
	now = now.Add(askPeriod) // what was asked for is lost
	if err := look(); err != nil || !slices.Equal(asked, []int{1, 3}) || stored != nil {
		t.Errorf("asked again %v, stored %v, %v", asked, stored, err)
	}
	hear("result", resultOf("table-1", 1))
	hear("result", resultOf("table-1", 3))
	if err := look(); err != nil || asked != nil || len(stored) != 3 {
		t.Errorf("asked %v, stored %v, %v", asked, stored, err)
	}
	hear("results", index) // the table has started again and knows nothing of what is stored
	if err := look(); err != nil || asked != nil || len(stored) != 3 {
		t.Errorf("asked %v, stored %v, %v", asked, stored, err)
	}
	undone := index
	undone.Games = index.Games[1:]
	hear("results", undone)
	if err := look(); err != nil || len(stored) != 2 {
		t.Errorf("stored %v, %v", stored, err)
	}
	rows, err := file.OfTable(t.Context(), "salon", "table-1")
	if err != nil || len(rows) != 3 || !rows[0].Void || rows[1].Void || rows[2].Void {
		t.Errorf("%+v %v", rows, err)
	}
	if k.handleMessage("salon", "state", nil) {
		t.Error("a state is about results")
	}
}

// TestResultsArrive has a table with one result at a real Mosquitto: the console asks for it, stores it, and tells the table.
func TestResultsArrive(t *testing.T) {
	at, data := startMosquitto(t), t.TempDir()
	c, err := Open(&Opts{Config: Config{Listen: "127.0.0.1:0", Engine: at, Site: "house", Data: data}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	running(t, c.Run)
	const base = "majordome/1/house/salon/"
	result, index := resultOf("table-1", 1), indexOf("table-1", 1)
	told := make(chan uplink.Stored, 9)
	var table *line.Line
	table, err = line.New(&line.Opts{URL: at, ClientID: "salon", Will: base + "availability", Topics: []string{base + "results"},
		Filters: []string{base + "command/+"}, Receive: func(topic string, payload []byte, _ bool) {
			switch topic {
			case base + "command/results":
				var ask uplink.AskResults
				if json.Unmarshal(payload, &ask) != nil || ask.ID == "" || !slices.Equal(ask.Games, []int{1}) {
					t.Errorf("asked is %s", payload)
				}
				table.SendUntil(base+"result", encode(t, result), time.Time{})
			case base + "command/stored":
				var s uplink.Stored
				if json.Unmarshal(payload, &s) != nil || s.ID == "" {
					t.Errorf("stored is %s", payload)
				}
				told <- s
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	table.SetTopics(map[string][]byte{base + "results": encode(t, index)})
	table.Start()
	t.Cleanup(table.Close)
	select {
	case s := <-told:
		if !slices.Equal(s.Games, index.Games) {
			t.Errorf("stored are %v", s.Games)
		}
	case <-time.After(patience):
		t.Fatal("the table is not told that its result is stored")
	}
	rows, err := c.kept.store.OfTable(t.Context(), "salon", "table-1")
	if err != nil || len(rows) != 1 || rows[0].Hash() != result.Hash() || rows[0].Players[0] != "Anne" {
		t.Errorf("%+v %v", rows, err)
	}
}
