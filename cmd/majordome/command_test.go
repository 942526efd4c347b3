package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
	"rsc.io/qr"

	"majordome/companion/web"
	"majordome/devices/logtest"
	"majordome/engine/games"
	"majordome/engine/games/toy"
)

// emptyConfig is an empty configuration, which replaces this computer's.
const emptyConfig = "testdata/empty/majordome.yaml"

func TestMain(m *testing.M) {
	defaultConfig = cmp.Or(os.Getenv("EMPTY_CONFIG"), emptyConfig)
	testscript.Main(m, map[string]func(){"majordome": func() { os.Exit(Main(games.KnownGames())) },
		"toytable": func() { os.Exit(Main(append(games.KnownGames(), toy.TableEntry()))) }, // for package e2e
		"fetch":    fetch,
		"browse":   browse,
		"rival":    rival})
}

// TestCommands plays testdata/*.txtar: the commands that a person types, and their output.
func TestCommands(t *testing.T) {
	scenarios, err := filepath.Abs("../../engine/huisclos/scenarios")
	if err != nil {
		t.Fatal(err)
	}
	empty, err := filepath.Abs(emptyConfig)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SCENARIOS", scenarios)
			e.Setenv("EMPTY_CONFIG", empty)
			e.Setenv("README", filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(scenarios))), "README.md"))
			e.Setenv("TAKEN", taken.Addr().String())
			e.Setenv("GAMES", strings.Join(games.KnownGames().IDs(), ", "))
			return nil
		},
		Condition: func(is string) (bool, error) {
			if is != "built" {
				return false, errors.New("the only condition is built")
			}
			_, built := web.Files() // the manual is among them
			return built, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"expand": expand},
	})
}

// expand replaces environment variables in files by their values.
func expand(ts *testscript.TestScript, _ bool, files []string) {
	for _, f := range files {
		ts.Check(os.WriteFile(ts.MkAbs(f), []byte(os.Expand(ts.ReadFile(f), ts.Getenv)), 0o600))
	}
}

// TestDemo checks that the demonstration prints one address and its code, plays automatically with --play, and ends
// without a message.
func TestDemo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, errs, status := &logtest.Buffer{}, &bytes.Buffer{}, make(chan int, 1)
	go func() {
		status <- runCommandLine(ctx, games.KnownGames(), []string{"demo", "--play", "--listen", "127.0.0.1:0", "--data", t.TempDir()},
			out, errs)
	}()
	out.WaitFor(t, "\nReady")
	stop()
	if s := <-status; s != 0 || errs.Len() > 0 {
		t.Errorf("ended with %d: %s", s, errs)
	}
	tour, drawn := "", ""
	for _, line := range strings.SplitAfter(out.String(), "\n") {
		switch {
		case strings.Contains(line, "\x1b["):
			drawn += line
		case strings.Contains(line, "http://"):
			if tour != "" {
				t.Errorf("a second address: %s", line)
			}
			tour = strings.TrimSpace(line)
		}
	}
	if !strings.HasPrefix(tour, "http://127.0.0.1:") || !strings.Contains(tour, "/tour#b=") {
		t.Errorf("everything is at %q", tour)
	}
	compareQR(t, tour, drawn)
}

// TestDemoWithoutNode checks that a program that does not run the node is reported in both languages.
func TestDemoWithoutNode(t *testing.T) {
	for node, want := range map[string]string{"no-such-program x.elf": "ne se lance pas", "false x.elf": "code 1", "false": "et l’image"} {
		hw, err := newSimulatedHardware()
		if err != nil {
			t.Fatal(err)
		}
		_, err = hw.startEmulator(node, io.Discard)
		if err == nil {
			t.Errorf("%s: carries a node", node)
			continue
		}
		all := ""
		for _, s := range faultMessages(err) {
			if all += s.FR; s.FR == "" {
				t.Errorf("%s: in English alone: %s", node, s.EN)
			}
		}
		if !strings.Contains(all, want) {
			t.Errorf("%s: %s, want %q", node, all, want)
		}
	}
}

// TestDemoWithoutFolder checks that the message says why the data folder cannot be made.
func TestDemoWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		filepath.Join(file, "data"): "un fichier porte ce nom",
		"/proc/no/folder":           "erreur 2 du système", // no one can make folders there
		"a\x00b":                    "erreur 22 du système",
	} {
		errs := &bytes.Buffer{}
		if status := runCommandLine(t.Context(), games.KnownGames(), []string{"demo", "--listen", "127.0.0.1:0", "--data", folder},
			io.Discard, errs); status == 0 || !strings.Contains(errs.String(), want) || strings.Contains(errs.String(), "%!") {
			t.Errorf("%q: %d, %s", folder, status, errs)
		}
	}
}

// TestRewriteInPlace checks that a rewritten script keeps its mode and the link to it, and that no other file stays
// in its folder.
func TestRewriteInPlace(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "a.script"), filepath.Join(folder, "b.script")
	if err := errors.Join(os.WriteFile(file, []byte("was"), 0o640), os.Symlink(file, link),
		replaceFileWhole(link, []byte("is"))); err != nil {
		t.Fatal(err)
	}
	all, _ := os.ReadDir(folder)
	text, err := os.ReadFile(link)
	info, e := os.Lstat(file)
	if err := errors.Join(err, e); err != nil || string(text) != "is" || info.Mode() != 0o640 || len(all) != 2 {
		t.Errorf("%q, %v, %v, %v", text, info, all, err)
	}
}

// TestHostCode checks that serve in a terminal also prints the host's link as a code to scan.
func TestHostCode(t *testing.T) {
	config := filepath.Join(t.TempDir(), "majordome.yaml")
	if err := os.WriteFile(config, []byte("listen: 127.0.0.1:0\nmqtt: \"off\"\ndata: "+t.TempDir()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	master, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	errs, status := &bytes.Buffer{}, make(chan int, 1)
	go func() {
		status <- runCommandLine(ctx, games.KnownGames(), []string{"serve", "--config", config}, terminal, errs)
		_ = terminal.Close() // ends the loop below
	}()
	link, drawn := "", ""
	for lines := bufio.NewScanner(master); lines.Scan() && lines.Text() != "Ready."; {
		if words := strings.Fields(lines.Text()); len(words) == 2 && words[0] == "Host" {
			link = words[1]
		}
		if strings.Contains(lines.Text(), "\x1b[") {
			drawn += lines.Text() + "\n"
		}
	}
	stop()
	if s := <-status; s != 0 || !strings.Contains(link, "/host#") {
		t.Fatalf("ended with %d, link %q: %s", s, link, errs)
	}
	compareQR(t, link, drawn)
}

// TestQR decodes the terminal's drawing and compares it module by module.
func TestQR(t *testing.T) {
	for _, text := range []string{"x", "http://192.168.1.5:8080/#j=3TqOMf8yZPoI3cBLCOFn4WZ0yHq-Qd1M5pQx2bKpN0I"} {
		var drawn bytes.Buffer
		if err := printQR(&drawn, text); err != nil {
			t.Fatal(err)
		}
		compareQR(t, text, drawn.String())
	}
	if err := printQR(&bytes.Buffer{}, strings.Repeat("x", 5000)); err == nil {
		t.Error("a text that fits into no code is drawn")
	}
}

// compareQR compares a drawing with the code of a text, quiet zone included.
func compareQR(t *testing.T, text, drawn string) {
	t.Helper()
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	matrix := modules(t, drawn)
	const quiet = 4
	if side := code.Size + 2*quiet; len(matrix) < side || len(matrix[0]) != side {
		t.Fatalf("%d lines of %d modules, want %d", len(matrix), len(matrix[0]), side)
	}
	for y, row := range matrix {
		for x, black := range row {
			if want := code.Black(x-quiet, y-quiet); black != want {
				t.Fatalf("%q: module %d,%d is black: %v, want %v", text, x-quiet, y-quiet, black, want)
			}
		}
	}
}

// modules decodes half blocks: black ink on a white ground, as the escape codes at the ends of each line require.
func modules(t *testing.T, drawn string) (matrix [][]bool) {
	t.Helper()
	halves := map[rune][2]bool{' ': {}, '▀': {true, false}, '▄': {false, true}, '█': {true, true}}
	for _, line := range strings.Split(strings.TrimSuffix(drawn, "\n"), "\n") {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "\x1b[30;107m")
		line, ends := strings.CutSuffix(line, "\x1b[0m")
		if !ok || !ends {
			t.Fatalf("a line in the colours of the terminal: %q", line)
		}
		var upper, lower []bool
		for _, r := range line {
			h, known := halves[r]
			if !known {
				t.Fatalf("%q in the drawing", r)
			}
			upper, lower = append(upper, h[0]), append(lower, h[1])
		}
		matrix = append(matrix, upper, lower)
	}
	return matrix
}
