package main

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// wallClock lists the files that may take the time of day out of a moment, and says why a clock that the network sets
// years forward or back does no harm there. Everywhere else moments are compared as they are: Go measures their
// distance with a clock that no one sets (package time, "Monotonic Clocks").
var wallClock = map[string]string{
	"companion/pair/phones.go":  "a code in the store ends no later than ten minutes after the start that reads it",
	"companion/store/backup.go": "shown to people",
	"companion/store/chain.go":  "a stamp of each event, for people and the checksum",
	"companion/store/figures.go": "whose names are old: a clock that is set forward forgets them early, never the " +
		"game on the table",
	"companion/store/games.go": "stamps, for people",
	"companion/master/countdown/countdown.go": "when a countdown ends, for a display of the house: what is left is counted by the " +
		"clock of the game",
	"companion/game/figures.go":    "a stamp, for people",
	"companion/uplink/message.go":  "the same moment, written out",
	"companion/webhook/webhook.go": "a stamp of each call, for its receiver",
	"companion/store/loss.go":      "shown to people",
	"companion/store/salvage.go":   "stamps, for people",
	"companion/store/store.go":     "stamps, for people",
	"companion/store/seats.go": "when a former key of a phone ends: a clock that is set, forward or back, ends it early, and the phone " +
		"has the later one",
	"cmd/majordome/smarthome/tables.go":  "the clock of this table, for a page that shows how long a countdown lasts",
	"companion/uplink/housetable.go":     "when a countdown of another table ends: both say it by the time of day",
	"cmd/majordome/console/console.go":   "the clock of the console, for a page that shows how long something lasts",
	"cmd/majordome/smarthome/results.go": "stamps of games as the store has them, for people",
	"companion/results/sql.go": "stamps of results, for people, and whose names are old: a clock that is set forward forgets them " +
		"early, never a result",
	"companion/venue/list.go":                       "since when a table wants a person, for people",
	"cmd/majordome/config/configtest/configtest.go": "the time of a file that a test writes",
	"cmd/majordome/docs.go":                         "the date of a man page",
	"cmd/majordome/clock/clock.go":                  "sets the clock that nobody has set",
	"cmd/majordome/vitals/vitals.go":                "compares a clock chip with the kernel, to say whether anybody has set the clock",
	"companion/cert/cert.go":                        "from when certificates are valid, and before which day a clock is plainly wrong",
}

// TestNoGameDependsOnTheTimeOfDay checks that nothing else takes the time of day out of a moment: a Pi has no clock
// that runs while it is off, and a table in a cabin has no network, so the time of day may jump by years during a
// game. Such a value loses the monotonic clock, which does not jump.
func TestNoGameDependsOnTheTimeOfDay(t *testing.T) {
	taking := []string{"Unix", "UnixMilli", "UnixMicro", "UnixNano", "Date", "Year", "YearDay", "Weekday"}
	used, calls := map[string]bool{}, 0
	visitSources(t, func(files *token.FileSet, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(taking, method.Sel.Name) {
			return
		}
		file, err := filepath.Rel(filepath.Join("..", ".."), files.Position(call.Pos()).Filename)
		if err != nil {
			t.Fatal(err)
		}
		calls++
		if used[file] = true; wallClock[file] == "" {
			t.Errorf("%s: %s takes the time of day: may it jump by years here?", files.Position(call.Pos()), method.Sel.Name)
		}
	})
	for file := range wallClock {
		if !used[file] {
			t.Errorf("%s does not take the time of day any more: take it out of the list", file)
		}
	}
	if calls < 10 {
		t.Fatalf("%d calls were found", calls)
	}
}
