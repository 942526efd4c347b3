package smarthome

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordome/companion/results"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// venueDesk is the far end of a resultSender: a venue that stores results, over a line that may lose messages.
type venueDesk struct {
	t     *testing.T
	kept  results.Store
	lose  func() bool
	index *results.Index
}

func (d *venueDesk) hearResult(r *results.Result) bool {
	text, _ := json.Marshal(r)
	got, err := results.Decode(text)
	if err != nil {
		d.t.Fatal(err)
	}
	if !d.lose() && d.index != nil && d.index.ListsResult(&got) {
		if err := d.kept.Save(context.Background(), "t7", &got); err != nil {
			d.t.Fatal(err)
		}
	}
	return true
}

// round has the venue compare its store with the index, and the table answer.
func (d *venueDesk) round(r *resultSender) results.Plan {
	d.t.Helper()
	p, err := results.Update(context.Background(), d.kept, "t7", d.index, time.UnixMilli(1))
	if err != nil {
		d.t.Fatal(err)
	}
	if !d.lose() {
		r.handleStored(p.Stored)
	}
	if !d.lose() {
		r.handleAsked(p.Ask)
	}
	if err := r.update(); err != nil {
		d.t.Fatal(err)
	}
	return p
}

// TestResultsReachTheVenue ends games at a table, and undoes some ends, over a line that loses messages: in the end the venue has
// the results that the table has, each once, and the table knows it. Then the names are the only thing that may differ.
func TestResultsReachTheVenue(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 7))
	dir := t.TempDir()
	file, err := store.Open(filepath.Join(dir, "table"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	kept, err := results.OpenSQLite(filepath.Join(dir, "venue"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	d := &venueDesk{t: t, kept: kept, lose: func() bool { return dice.IntN(2) == 0 }}
	r := newResultSender("1f", file)
	r.send = d.hearResult
	r.publish = func(i *results.Index) {
		text, _ := json.Marshal(i)
		if got, err := results.DecodeIndex(text); err != nil {
			t.Fatal(err)
		} else if !d.lose() || d.index == nil {
			d.index = &got
		}
	}
	if err := r.update(); err != nil {
		t.Fatal(err)
	}
	step, valid := int64(0), 0
	var game store.Game
	event := func() []store.Event {
		step++
		return []store.Event{{Step: step, Cause: "host", Kind: "x", Data: []byte("{}")}}
	}
	ended := false
	for range 40 {
		switch {
		case game.ID == 0 || ended && dice.IntN(3) > 0:
			step = 0
			if game, err = file.BeginGame("huis-clos", event()); err != nil {
				t.Fatal(err)
			}
			ended = false
		case ended: // the host undoes the end
			err, ended = file.AppendSteps(game.ID, event(), nil), false
		default:
			err, ended = file.AppendSteps(game.ID, event(), &store.Result{Rule: "HC-1", Winners: []engine.Seat{1, 3},
				Players: []string{"Ada", "Bée"}}), true
		}
		if err == nil {
			err = r.update()
		}
		if err != nil {
			t.Fatal(err)
		}
		d.round(r)
	}
	d.lose = func() bool { return false }
	d.index = r.index // it is retained: the venue receives it after all
	for range 4 {
		d.round(r)
	}
	if p := d.round(r); p.Lacks > 0 || len(p.Change) > 0 {
		t.Errorf("it never settles: %+v", p)
	}
	at, _ := file.Results(999)
	rows, err := kept.OfTable(context.Background(), "t7", "1f")
	for _, row := range rows {
		if !row.Void {
			valid++
			i := slices.IndexFunc(at, func(x store.Result) bool { return int(x.Game) == row.Game })
			if i < 0 || row.Hash() != r.resultOf(at[i]).Hash() || len(row.Players) != 2 {
				t.Errorf("the table has no %+v", row)
			}
		}
	}
	if err != nil || valid != len(at) || valid < 3 {
		t.Errorf("the venue has %d results, the table %d, %v", valid, len(at), err)
	}
	if n, _ := r.countWaiting(time.UnixMilli(1), true); n != 0 {
		t.Errorf("%d results wait", n)
	}
}

// TestResultsWait: the host is told of results that wait only once they have waited for a minute while the line was there.
func TestResultsWait(t *testing.T) {
	r := &resultSender{index: &results.Index{Games: []results.Entry{{Game: 2, Hash: "b"}, {Game: 1, Hash: "a"}}}, stored: map[int]string{}}
	r.handleStored([]results.Entry{{Game: 1, Hash: "a"}, {Game: 2, Hash: "other"}})
	at := time.Unix(1, 0)
	for _, c := range []struct {
		after     time.Duration
		connected bool
		tooLong   bool
	}{{0, true, false}, {time.Minute, true, false}, {61 * time.Second, true, true}, {70 * time.Second, false, false},
		{200 * time.Second, true, false}, {261 * time.Second, true, true}} {
		if n, tooLong := r.countWaiting(at.Add(c.after), c.connected); n != 1 || tooLong != c.tooLong {
			t.Errorf("after %v: %d, %v", c.after, n, tooLong)
		}
	}
	r.handleStored(r.index.Games)
	if n, tooLong := r.countWaiting(at.Add(time.Hour), true); n != 0 || tooLong {
		t.Errorf("%d wait, %v", n, tooLong)
	}
}

// TestEndsAreNoticed: the store is read again when a game ends, when its end changes or is undone, and at no other step.
func TestEndsAreNoticed(t *testing.T) {
	r := &resultSender{wake: make(chan struct{}, 1)}
	for i, c := range []struct {
		end  *engine.Result
		wake int
	}{{nil, 0}, {&engine.Result{Rule: "a"}, 1}, {&engine.Result{Rule: "a"}, 0}, {&engine.Result{Rule: "b"}, 1}, {nil, 1}, {nil, 0}} {
		r.noteStep(&wire.Update{View: engine.View{Result: c.end}})
		if len(r.wake) != c.wake {
			t.Errorf("step %d: %d", i, len(r.wake))
		}
		for range len(r.wake) {
			<-r.wake
		}
	}
}

// TestUnreadableStoreIsLogged: results that cannot be read are no reason to stop, and are read at the next occasion.
func TestUnreadableStoreIsLogged(t *testing.T) {
	bad, said := true, make(chan error, 9)
	r := &resultSender{wake: make(chan struct{}, 1), publish: func(*results.Index) { said <- nil }, count: func(err error) { said <- err },
		read: func(int) ([]store.Result, error) {
			if bad {
				return nil, errors.New("disk")
			}
			return nil, nil
		}, newest: func() (store.Game, error) { return store.Game{}, nil }}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.run(ctx) }()
	if <-said == nil {
		t.Error("nothing is said")
	}
	bad = false
	if r.wakeUp(); <-said != nil {
		t.Error("it is never read again")
	}
	stop()
	<-ended
}
