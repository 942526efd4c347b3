package house

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/play"
)

// figuresOf requests the figures as the host's page does.
func figuresOf(t *testing.T, r *rig) (all wire.Figures, body string) {
	t.Helper()
	a := r.askOffice("figures", nil)
	if err := json.Unmarshal(a.Value, &all); err != nil || a.Why != nil {
		t.Fatalf("%+v: %v in %s", a.Why, err, a.Value)
	}
	return all, string(a.Value)
}

// TestFigures: an ended game is kept in numbers, and the game on the table is among the figures. When the period for
// keeping names is over, only the numbers remain.
func TestFigures(t *testing.T) {
	t.Parallel()
	r := startRoles(t, func(*Opts) {})
	r.mustHostAct("hints", engine.Args{"most": "free"})
	r.mustHostAct("hint", engine.Args{"to": "all", "text": "CANARY"})
	r.mustHostAct("next-group", engine.Args{"sign": "Zo"})
	all, body := figuresOf(t, r)
	if len(all.Games) != 1 || all.Games[0].Hints != 1 || all.Games[0].Sign != "Zo" || all.Games[0].End != wire.EndOpen ||
		all.Games[0].Began == 0 || all.Days != 30 || strings.Contains(body, "CANARY") {
		t.Errorf("figures %s", body)
	}
	r.house.records.ForgetNames(time.Now().AddDate(0, 0, 29))
	if rows, _ := r.house.Store.Events(1); len(rows) == 0 {
		t.Error("forgotten a day too early")
	}
	r.house.records.ForgetNames(time.Now().AddDate(0, 0, 31))
	if rows, _ := r.house.Store.Events(1); len(rows) > 0 {
		t.Error("the events of the group are there after their time")
	}
	all, body = figuresOf(t, r)
	if len(all.Games) != 1 || all.Games[0].Hints != 1 || strings.Contains(body, "Zo") || strings.Contains(body, "Anne") {
		t.Errorf("afterwards: %s", body)
	}
}

// TestFiguresKeepTheNamesOfWinners: the figures keep the winners' names from the table, also where a seat between two others is
// free.
func TestFiguresKeepTheNamesOfWinners(t *testing.T) {
	t.Parallel()
	rules := huisClosBook(t)
	var rows []store.Event
	var v engine.View
	apart := func() bool { // true if a winner's seat number differs from the index of their name
		return v.Result != nil &&
			slices.ContainsFunc(v.Result.Winners, func(s engine.Seat) bool { return v.Seats[min(int(s), len(v.Seats))-1].Seat != s })
	}
	for seed := uint64(1); !apart(); seed++ {
		rows = nil
		step := int64(0)
		seats := []string{"seat-1", "seat-2", "seat-4", "seat-5"}
		end, _, err := play.Run(rules.NewGame(), &play.Opts{Seed: seed, Weigh: func(_ engine.Viewer, o engine.Offer) int {
			if o.Act == "sit" || o.Act == "rise" {
				return 0
			}
			return 1
		}, WantedCommand: func(g engine.Game) (c engine.Command, ok bool) {
			all := g.View(engine.Host).Offers
			i := slices.IndexFunc(all, func(o engine.Offer) bool { return o.Act == "sit" })
			if len(seats) == 0 || i < 0 {
				return c, false
			}
			args := engine.Args{"seat": seats[0], "name": seats[0]}
			for _, p := range all[i].Params {
				if args[p.Name] == "" && len(p.Domain) > 0 {
					args[p.Name] = p.Domain[0]
				}
			}
			seats = seats[1:]
			return engine.Command{By: engine.Host, Act: "sit", Args: args}, true
		}, Check: func(x play.Step) error {
			step++
			for _, e := range x.Events {
				data, err := rules.EncodeEvent(e)
				if err != nil {
					return err
				}
				rows = append(rows, store.Event{Step: step, Cause: x.Command.By.String(), Kind: e.Kind(), Data: data, At: x.Command.At})
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		v = end.View(engine.Public)
	}
	r := openRig(t, func(*Opts) {})
	result := &store.Result{Rule: v.Result.Rule, Winners: v.Result.Winners}
	for _, s := range v.Seats {
		result.Players = append(result.Players, s.Name)
	}
	g, _, err := r.house.Store.CurrentGame()
	for len(rows) > 0 && err == nil {
		n := 1
		for n < len(rows) && rows[n].Step == rows[0].Step {
			n++
		}
		var over *store.Result
		if n == len(rows) {
			over = result
		}
		err, rows = r.house.Store.AppendSteps(g.ID, rows[:n], over), rows[n:]
	}
	if err == nil {
		_, err = r.house.Store.BeginGame(rules.ID(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.house.records.SaveAndListFigures()
	if err != nil || len(all.Games) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, s := range v.Seats {
		won := slices.Contains(v.Result.Winners, s.Seat)
		if slices.Contains(all.Games[0].Winners, s.Name) != won || !slices.Contains(all.Games[0].Players, s.Name) {
			t.Errorf("%s: won %v, the figures say %v of %v", s.Name, won, all.Games[0].Winners, all.Games[0].Players)
		}
	}
}

// TestNamesAreForgottenByThemselves: a table that starts after a month no longer has the names of earlier games, but
// still has the results.
func TestNamesAreForgottenByThemselves(t *testing.T) {
	t.Parallel()
	r := openRig(t, func(o *Opts) {
		long := time.Now().AddDate(0, 0, -40)
		s, err := store.Open(filepath.Join(o.Config.Data, "majordome.db"), &store.Opts{Now: func() time.Time { return long }})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		g, err := s.BeginGame("huis-clos", nil)
		if err == nil {
			err = s.AppendSteps(g.ID, []store.Event{{Step: 1, Cause: "host", Kind: "table.pause", Data: []byte("{}")}},
				&store.Result{Rule: "HC-151", Players: []string{"CANARY"}})
		}
		if err == nil {
			_, err = s.BeginGame("huis-clos", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	r.run()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		results, err := r.house.Store.Results(9)
		if err == nil && len(results) == 1 && len(results[0].Players) == 0 && results[0].Rule == "HC-151" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("results %+v, %v", results, err)
		}
	}
}
