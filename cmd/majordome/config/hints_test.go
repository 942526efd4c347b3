package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
)

// TestHintsOfTheProgram: every game of the program has hints, and all fit.
func TestHintsOfTheProgram(t *testing.T) {
	all, err := ReadHints("")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{allGames: true}
	for _, id := range games.KnownGames().IDs() {
		known[id] = true
		if n := len(all.ForGame(engine.ID(id))); n < 4 || n > wire.MaxStock || len(all[id]) == 0 {
			t.Errorf("%s has %d hints, %d of its own", id, n, len(all[id]))
		}
	}
	for game := range all {
		if !known[game] {
			t.Errorf("hints of a game that is none: %s", game)
		}
	}
}

// TestHintsOfTheOwner: the owner's file replaces the hints of the games that it names. A faulty file is reported with
// its line, and the program's hints stay.
func TestHintsOfTheOwner(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, HintsFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	builtin, err := ReadHints(dir) // there is no file yet
	if err != nil {
		t.Fatal(err)
	}
	write("hints:\n  huis-clos:\n    - {fr: Sous le tapis, en: Under the rug}\n  mine:\n    - {fr: Ici, en: Here}\n")
	all, err := ReadHints(dir)
	if err != nil || len(all["huis-clos"]) != 1 ||
		all.ForGame("huis-clos")[0] != (wire.StockHint{ID: "huis-clos-1", Text: engine.T("Sous le tapis", "Under the rug")}) {
		t.Errorf("%v, %v", all["huis-clos"], err)
	}
	if len(all["mine"]) != 1 || len(all["cluedo-2008"]) != len(builtin["cluedo-2008"]) {
		t.Errorf("mine %v, cluedo-2008 %v", all["mine"], all["cluedo-2008"])
	}
	for text, want := range map[string]string{
		"hints:\n  huis-clos:\n    - {fr: Seul}\n": "hints.yaml:3",
		"hints:\n  huis-clos:\n    - {fr: a, en: " + strings.Repeat("b", wire.MaxHint+1) +
			"}\n": "hints.yaml:3",
		"hints:\n  huis-clos:\n" + strings.Repeat("    - {fr: a, en: b}\n",
			wire.MaxStock+1): "hints.yaml:3",
		"hints:\n  all:\n" + strings.Repeat("    - {fr: a, en: b}\n", 6) + "  huis-clos:\n" +
			strings.Repeat("    - {fr: a, en: b}\n", wire.MaxStock-5): "13 hints for a game, with those of all games (at most 12",
		"hints:\n  all:\n" + strings.Repeat("    - {fr: a, en: b}\n",
			wire.MaxStock+1-len(builtin["huis-clos"])): "13 hints for huis-clos, with those of the program (at most 12",
		"hints: [a]\n": "hints.yaml:1",
	} {
		write(text)
		all, err := ReadHints(dir)
		if err == nil || !strings.Contains(err.Error(), want) || len(all["huis-clos"]) != len(builtin["huis-clos"]) {
			t.Errorf("%.60q: %v, want %s; %d hints", text, err, want, len(all["huis-clos"]))
		}
	}
	// One list that is full: the program's hints for all games leave room for it.
	write("hints:\n  huis-clos:\n" + strings.Repeat("    - {fr: a, en: b}\n", wire.MaxStock))
	if all, err := ReadHints(dir); err != nil || len(all.ForGame("huis-clos")) != wire.MaxStock {
		t.Errorf("%d hints, %v", len(all.ForGame("huis-clos")), err)
	}
	// The owner's hints for all games fill the room that the program's leave.
	full := 0
	for game, hints := range builtin {
		if game != allGames {
			full = max(full, len(hints))
		}
	}
	write("hints:\n  all:\n" + strings.Repeat("    - {fr: a, en: b}\n", wire.MaxStock-full))
	if all, err := ReadHints(dir); err != nil || len(all[allGames]) != wire.MaxStock-full {
		t.Errorf("%d hints for all games, %v", len(all[allGames]), err)
	}
}
