package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/storage"
	"majordome/companion/store"
	"majordome/engine/games"
)

// ending is a command line and its exit status; in a line DIR is the folder of exitFolder.
type ending struct {
	status int
	line   string
}

// endings lists some lines of each command. The commands run in the order of their names: restore needs the backup.
var endings = map[string][]ending{
	"":             {{0, ""}, {2, "frob"}},
	"serve":        {{1, "serve --config DIR/bad.yaml"}, {2, "serve --config"}},
	"host":         {{1, "host --config DIR/good.yaml --json"}, {2, "host now"}},
	"demo":         {{1, "demo --listen nowhere:x --data DIR/d"}, {2, "demo --calm=maybe"}},
	"lights":       {{1, "lights --config DIR/bad.yaml"}, {2, "lights on"}},
	"doctor":       {{0, "doctor --config DIR/good.yaml --json"}, {1, "doctor --config DIR/bad.yaml --json"}, {2, "doctor --jsn"}},
	"doctor watch": {{1, "doctor watch --config DIR/good.yaml"}, {2, "doctor watch a b"}},
	"doctor gain":  {{1, "doctor gain --config DIR/good.yaml --json"}, {2, "doctor gain a b"}},
	"doctor slot":  {{1, "doctor slot --config DIR/good.yaml --json"}, {2, "doctor slot a"}},
	"script": {
		{0, "script SCENARIOS/GEN-002-acts.script --json"},
		{1, "script DIR/none.script --json"},
		{2, "script"},
		{2, "script --json --covers x"},
	},
	"script export": {{1, "script export --spoil --config DIR/good.yaml"}, {2, "script export"}},
	"prove":         {{1, "prove DIR/none.script"}, {1, "prove SCENARIOS/GEN-002-acts.script"}, {2, "prove"}},
	"check": {{0, "check --config DIR/good.yaml --json"}, {0, "check DIR/good.yaml --json"}, {1, "check --config DIR/bad.yaml --json"},
		{1, "check DIR/bad.yaml --json"}, {1, "check --config DIR/nodeck.yaml --json"}, {2, "check a b"}},
	"new-edition": {{1, "new-edition UPPER"}, {2, "new-edition"}},
	"backup": {
		{0, "backup DIR/b.db --config DIR/good.yaml --json"},
		{1, "backup DIR/b.db --config DIR/none.yaml --json"},
		{2, "backup"},
	},
	"restore": {{0, "restore DIR/b.db --config DIR/good.yaml --yes --json"},
		{1, "restore DIR/none.db --config DIR/good.yaml --json --yes"}, {2, "restore DIR/b.db --json"}},
	"node":       {{0, "node"}, {2, "node frob"}},
	"node set":   {{1, "node set --gain 38 /dev/none"}, {2, "node set"}, {2, "node set --gain 5 /dev/none"}},
	"node flash": {{1, "node flash /dev/none"}, {2, "node flash"}},
	// in a folder of the test: nothing of the computer's own installation is undone or read
	"update":      {{0, "update --dir DIR/update --json"}, {2, "update now"}},
	"update look": {{1, "update look --dir DIR/update DIR/none"}, {2, "update look"}},
	"update install": {
		{1, "update install --dir DIR/update"},
		{1, "update install --dir DIR/update --asked DIR/none"},
		{2, "update install x"},
	},
	"update back": {{0, "update back --dir DIR/update"}, {1, "update back --dir DIR/none"}, {2, "update back x"}},
	"clock":       {{1, "clock --asked DIR/none"}, {2, "clock x"}}, // there is no request, so the computer's clock does not change
	"venue":       {{1, "venue --config DIR/none"}, {1, "venue --config DIR/bad.yaml"}, {2, "venue x"}},
	"version":     {{0, "version --json"}, {2, "version x"}},
	"help":        {{0, "help"}, {2, "help frob"}},
}

// exitFolder returns a folder with the store of a table, and with correct and faulty files.
func exitFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.yaml":   "listen: 127.0.0.1:0\nmqtt: \"off\"\nmdns: \"off\"\ndata: DIR\n",
		"bad.yaml":    "raeders: []\n",
		"nodeck.yaml": "listen: \":0\"\ndeck: nope.yaml\n",
		"none.script": "game huis-clos\nAnne frobnicates\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "DIR", dir)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "update"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(filepath.Join(dir, storage.File), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SetTag("huis-clos", store.Tag{UID: "04A1B2C3D4E5F6", Card: "role-murderer"}), s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestExitStatuses checks that each command ends with the status that majordome --help documents, help and an unknown
// flag included; with --json the standard output is JSON or empty.
func TestExitStatuses(t *testing.T) {
	places := strings.NewReplacer("DIR", exitFolder(t), "SCENARIOS", "../../engine/huisclos/scenarios")
	ends := func(line string, want int) {
		t.Helper()
		var out, errs bytes.Buffer
		got := runCommandLine(t.Context(), games.KnownGames(), strings.Fields(places.Replace(line)), &out, &errs)
		if got != want {
			t.Errorf("majordome %s: ended with %d, want %d: %s%s", line, got, want, &out, &errs)
		}
		if strings.Contains(line, "--json") && out.Len() > 0 && !json.Valid(out.Bytes()) {
			t.Errorf("majordome %s: this is no JSON: %s", line, &out)
		}
		if want != exitDone && !strings.Contains(errs.String(), "majordome :") {
			t.Errorf("majordome %s: ended with %d and said in French only %q", line, got, &errs)
		}
	}
	var all []*cobra.Command
	walkCommands(rootCommand(games.KnownGames()), func(c *cobra.Command) { all = append(all, c) })
	for _, c := range all {
		if commandPath(c) != "help" {
			ends(commandPath(c)+" --help", exitDone)
			ends(commandPath(c)+" --no-such-flag", exitMisused)
		}
		tried, asJSON := map[int]bool{}, false
		for _, l := range endings[commandPath(c)] {
			ends(l.line, l.status)
			tried[l.status], asJSON = true, asJSON || strings.Contains(l.line, "--json")
		}
		if !tried[exitMisused] || !tried[exitDone] && !tried[exitWrong] {
			t.Errorf("majordome %s: lines try the statuses %v alone", commandPath(c), tried)
		}
		if c.Flags().Lookup("json") != nil && !asJSON {
			t.Errorf("majordome %s: no line tries --json", commandPath(c))
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if s := runCommandLine(ctx, games.KnownGames(), []string{"demo", "--listen", "127.0.0.1:0", "--data", t.TempDir()}, &bytes.Buffer{},
		&bytes.Buffer{}); s != exitDone {
		t.Errorf("Ctrl-C ends with %d", s)
	}
}

// TestExitStatusesAreDocumented checks that --help and the manual document the same three statuses.
func TestExitStatusesAreDocumented(t *testing.T) {
	text := readPage(t, "en", "trouble")
	for line := range strings.Lines(rootCommand(games.KnownGames()).Long) {
		status, means, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if ok && !strings.Contains(text, "\n| "+status+" | "+means+" |\n") {
			t.Errorf("the page trouble does not say what %s means: %s", status, means)
		}
	}
}
