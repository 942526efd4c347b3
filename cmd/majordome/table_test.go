package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/storage"
	"majordome/companion/game"
	"majordome/companion/pair"
	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/games"
	"majordome/engine/huisclos"
)

// newTable returns a configuration and its open store.
func newTable(t *testing.T) (config string, s *store.Store) {
	t.Helper()
	data := t.TempDir()
	config = filepath.Join(data, "majordome.yaml")
	if err := os.WriteFile(config, []byte("data: "+data+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(filepath.Join(data, storage.File), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return config, s
}

// runCommand runs a command line.
func runCommand(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = runCommandLine(t.Context(), games.KnownGames(), args, &o, &e)
	return o.String(), e.String(), status
}

// TestCheckKept checks that the names that the owner has changed at the table are printed as a file that check
// accepts, even while the daemon runs.
func TestCheckKept(t *testing.T) {
	config, s := newTable(t)
	d, r := huisclos.DefaultDeck().WithLabel("place-5", engine.T("Cave", "Cellar"))
	if r != nil {
		t.Fatal(r)
	}
	text, err := d.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetDeck("huis-clos", text); err != nil {
		t.Fatal(err)
	}
	out, errs, status := runCommand(t, "check", "--kept", "--config", config)
	if status != 0 || !strings.Contains(out, "fr: Cave") || !strings.Contains(out, "en: Drawing room") {
		t.Fatalf("%d: %s\n%s", status, errs, out)
	}
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, status := runCommand(t, "check", file); status != 0 {
		t.Error(errs)
	}
	empty := filepath.Join(t.TempDir(), "empty.yaml")
	if err := os.WriteFile(empty, []byte("data: "+t.TempDir()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, status := runCommand(t, "check", "--kept", "--config", empty); status == 0 ||
		!strings.Contains(errs, "n’a encore rien enregistré") || !strings.Contains(errs, "has recorded nothing yet") {
		t.Errorf("%d: %s", status, errs)
	}
}

// TestBackupAndRestore writes one file and restores it; faults are reported in both languages.
func TestBackupAndRestore(t *testing.T) {
	config, s := newTable(t)
	if err := s.SetSetting("lang", "fr"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "backup.db")
	for _, c := range []struct {
		args   []string
		status int
		fr, en string
	}{
		{[]string{"backup", file}, 0, "même qui a déposé", "even who deposited"},
		{[]string{"backup", file}, 1, file + " existe déjà", file + " exists already"},
		{[]string{"restore", file}, 1, "utilisé par un autre programme", "in use by another program"},
		{[]string{"restore", file + "x"}, 1, "ce fichier n’existe pas", "there is no such file"},
	} {
		out, errs, status := runCommand(t, append(c.args, "--config", config)...)
		if said := out + errs; status != c.status || !strings.Contains(said, c.fr) || !strings.Contains(said, c.en) {
			t.Errorf("%v: %d: %s", c.args, status, said)
		}
	}
	if err := s.SetSetting("lang", "en"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn.db")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, text[:len(text)-600], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		fr, en string
	}{
		{[]string{"restore", config}, 1, "n’est pas une sauvegarde de Majordome. Indiquez-en une autre",
			"is not a backup of Majordome. Name another one: nothing was replaced."},
		{[]string{"restore", torn}, 1, torn + " est abîmé. Indiquez une autre sauvegarde",
			torn + " is damaged. Name another backup: nothing was replaced."},
		{[]string{"restore", empty}, 1, "est une sauvegarde vide", "is an empty backup"},
		{[]string{"restore", file}, 1, "rien n’a été remplacé : répondez oui", "nothing was replaced: answer yes"},
		{[]string{"restore", file, "--yes"}, 0, "aucun coup encore", "no step yet"},
	} {
		out, errs, status := runCommand(t, append(c.args, "--config", config)...)
		if said := out + errs; status != c.status || !strings.Contains(said, c.fr) || !strings.Contains(said, c.en) {
			t.Errorf("%v: %d: %s", c.args, status, said)
		}
	}
	s, err = store.Open(s.Path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if v, _, err := s.Setting("lang"); v != "fr" || err != nil {
		t.Errorf("restored: %q, %v", v, err)
	}
}

// TestCheckCountsTags checks that check says how many cards of a game have a tag and where to go on, but not which
// cards.
func TestCheckCountsTags(t *testing.T) {
	config, s := newTable(t)
	if err := errors.Join(s.SetTag("huis-clos", store.Tag{UID: "04A1B2C3D4E5F6", Card: "role-murderer"}), s.Close()); err != nil {
		t.Fatal(err)
	}
	out, errs, status := runCommand(t, "check", "--config", config)
	for _, line := range []string{"! huis-clos : cartes qui ont leur puce : 1 sur 47", "    → majordome help cards#enrol"} {
		if status != 0 || !strings.Contains(out, "\n"+line+"\n") {
			t.Errorf("%d, and no %q: %s%s", status, line, out, errs)
		}
	}
	if strings.Contains(out, "role-murderer") {
		t.Errorf("the output names the card: %s", out)
	}
}

// TestCommandsOnADamagedFile checks that a command that reads a store with a wiped header says what helps.
func TestCommandsOnADamagedFile(t *testing.T) {
	config, s := newTable(t)
	if err := errors.Join(s.SetSetting("lang", "fr"), s.Close(), os.WriteFile(s.Path(), make([]byte, 8192), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"backup", filepath.Join(t.TempDir(), "b.db")}, {"check", "--kept"}, {"script", "export", "--spoil"}} {
		_, errs, status := runCommand(t, append(args, "--config", config)...)
		if status == 0 || !strings.Contains(errs, "est abîmé. Démarrez ou redémarrez Majordome") ||
			!strings.Contains(errs, "is damaged. Start or restart Majordome") {
			t.Errorf("%v: %d: %s", args, status, errs)
		}
	}
}

// lastStep keeps the last step.
type lastStep chan game.Step

func (c lastStep) Publish(s game.Step) {
	select {
	case <-c:
	default:
	}
	c <- s
}

// playActs lets the host do some acts at a table.
func playActs(t *testing.T, s *store.Store, books []engine.Rulebook, acts ...wire.Act) {
	t.Helper()
	epoch, err := s.NextEpoch()
	if err != nil {
		t.Fatal(err)
	}
	desk, err := pair.New(s, seal.NewRing(nil), &pair.Opts{UserName: wire.Handset.String})
	if err != nil {
		t.Fatal(err)
	}
	loop, err := game.New(s, make(lastStep, 1), books, &game.Opts{Epoch: epoch, Desk: desk})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); loop.Run(ctx) }()
	for i, a := range acts {
		a.Seq = uint64(i + 1)
		answer := make(chan wire.Reply, 1)
		loop.Act(wire.FirstPhoneOf(engine.Host), a, func(r wire.Reply) { answer <- r })
		if r := <-answer; !r.OK {
			t.Fatalf("%s: %+v", a.Act, r.Reject)
		}
	}
	stop()
	<-ended
}

// TestExport checks that a game of the table becomes a script that plays. Only with --spoil does it contain the
// secrets: it says who deposited what, which no player learns even after the end (GEN-002, GEN-008).
func TestExport(t *testing.T) {
	rules, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	family, err := cluedo.New(cluedo.DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("huis-clos", func(t *testing.T) {
		checkExport(t, []engine.Rulebook{rules, family}, "draw-roles", "character-borrow", "character-worms", "character-peely",
			"character-lecomte")
	})
	t.Run("cluedo-2008", func(t *testing.T) {
		checkExport(t, []engine.Rulebook{family, rules}, "deal", "suspect-leblanc", "suspect-olive", "suspect-rose", "suspect-violet")
	})
}

// checkExport plays the first of the books up to the act that hides something, and exports it.
func checkExport(t *testing.T, books []engine.Rulebook, secret string, who ...engine.ID) {
	config, s := newTable(t)
	if _, errs, status := runCommand(t, "script", "export", "--spoil", "--config", config); status == 0 ||
		!strings.Contains(errs, "aucune partie") || !strings.Contains(errs, "no game has been played") {
		t.Errorf("%d: %s", status, errs)
	}
	acts := []wire.Act{}
	for i, c := range who {
		acts = append(acts, wire.Act{Act: "sit",
			Args: engine.Args{"seat": engine.Seat(i + 1).String(), "name": fmt.Sprintf("Zoé %d", i+1), "character": string(c)}})
	}
	if books[0].ID() == "huis-clos" {
		acts = append(acts, wire.Act{Act: "first", Args: engine.Args{"seat": "seat-1"}})
	}
	playActs(t, s, books, append(acts, wire.Act{Act: "begin"}, wire.Act{Act: "undo"}, wire.Act{Act: "begin"}, wire.Act{Act: secret})...)
	file := filepath.Join(t.TempDir(), "evening.script")
	export := func(args ...string) string {
		t.Helper()
		out, errs, status := runCommand(t, append([]string{"script", "export", "--config", config}, args...)...)
		if status != 0 {
			return errs
		}
		if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
		if report, errs, status := runCommand(t, "script", file); status != 0 {
			t.Errorf("%v: the script does not play: %s%s", args, report, errs)
		}
		return out
	}
	for _, args := range [][]string{nil, {"1"}} {
		if text := export(args...); strings.Contains(text, "does "+secret) || !strings.Contains(text, "--spoil") ||
			!strings.Contains(text, "qui a déposé") || !strings.Contains(text, "who put which clue") {
			t.Errorf("%v: %s", args, text)
		}
	}
	if text := export("--spoil"); !strings.Contains(text, "does "+secret) || strings.Count(text, "does begin") != 1 {
		t.Errorf("with --spoil: %s", text)
	}
	checkProve(t, file)
	playActs(t, s, books, wire.Act{Act: "new-game", Args: engine.Args{"seats": "keep"}})
	if text := export(); strings.Contains(text, "does "+secret) || !strings.Contains(text, "--spoil") {
		t.Errorf("a game that is over keeps its secrets: %s", text)
	}
	if text := export("1", "--spoil"); !strings.Contains(text, "does "+secret) {
		t.Errorf("a game that is over: %s", text)
	}
	if text := export("2", "--spoil"); strings.Contains(text, "does "+secret) || !strings.Contains(text, string(who[3])) {
		t.Errorf("the second game: %s", text)
	}
	for _, bad := range []string{"3", "x", "-1"} {
		if text := export("--spoil", "--", bad); !strings.Contains(text, "there is no game") {
			t.Errorf("game %s: %s", bad, text)
		}
	}
}
