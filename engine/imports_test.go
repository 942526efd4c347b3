package engine_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The import rules of this repository. They are read from the source with build constraints ignored, so that a file for another system
// cannot hide.

const module = "majordome"

// engineBans are standard packages, with all below them, that would let the
// engine depend on something other than its arguments.
var engineBans = map[string]string{
	"time":        "the engine reads no clock: time is a stamp on each command",
	"os":          "the engine touches no file and no environment: reading is the caller's affair",
	"net":         "the engine talks to nobody: the relay carries its views",
	"sync":        "the engine has one caller, the table loop: it needs no lock",
	"log":         "the engine logs nothing: a log line could hold a secret",
	"math/rand":   "all dice come from engine/chance, seeded from outside",
	"crypto/rand": "all dice come from engine/chance, seeded from outside",
	"syscall":     "the engine does not know the system it runs on",
	"plugin":      "the engine loads no code",
}

// oneHome lists libraries that belong in one package, or below one folder, for the packages below within.
var oneHome = []struct{ library, home, reason, within string }{
	{"github.com/goccy/go-yaml", "engine/ownfile", "every file of an owner goes through one reader, which no bytes can break",
		"engine companion cmd"},
	{"github.com/eclipse/paho.mqtt.golang", "companion/line", "a line is the one MQTT client, for every broker", "companion cmd"},
	{"github.com/nats-io", "companion/natsline", "a line to NATS has the contract of package line", "companion cmd"},
	{"github.com/jackc/pgx", "companion/results", "results are the one thing of a venue that is in a database", "companion cmd"},
	{"github.com/mochi-mqtt/server", "companion/broker", "the broker stands behind our own small interface", "companion cmd"},
	{"github.com/creack/pty", "devices/plugtest", "a driver meets a pseudo-terminal in tests alone", "devices"},
}

// rule lists what one part of the repository may import.
type rule struct {
	ours   []string // our own packages, with all below them
	others []string // other modules; nil: any
	reason string
}

var houses = map[string]rule{
	"engine": {[]string{"engine"}, []string{"github.com/goccy/go-yaml"}, "the engine stands on the standard library alone"},
	"devices": {[]string{"devices"}, []string{"periph.io/x", "github.com/tarm/serial", "github.com/creack/pty"},
		"devices know chips and wires: nothing of the game, no library but periph and tarm/serial"},
	"companion": {[]string{"engine", "companion"}, nil, "the companion reaches hardware only through what cmd hands to it"},
	"cmd":       {[]string{"engine", "devices", "companion", "cmd", "systemd"}, nil, ""},
	"firmware":  {[]string{"devices", "firmware"}, nil, "the node knows chips and wires: nothing of the game"},
}

// source is one Go file of the tree.
type source struct {
	path string // from the top, with slashes
	set  *token.FileSet
	file *ast.File
}

// isTest reports whether the file belongs to a test, or to a package that helps tests.
func (s source) isTest() bool {
	return strings.HasSuffix(s.path, "_test.go") || strings.HasSuffix(path.Dir(s.path), "test") && !isUnder(s.path, "engine")
}

func (s source) position(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(n.Pos()).Line)
}

func isUnder(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

func underAny(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return isUnder(name, f) })
}

// importFaults names each import of s that its part of the repository may not have. Tests may use other libraries, but
// may not join parts that must stay apart.
func (s source) importFaults() (faults []string) {
	house, _, _ := strings.Cut(s.path, "/")
	r, known := houses[house]
	for _, imp := range s.file.Imports {
		name, _ := strconv.Unquote(imp.Path.Value)
		fault := func(reason string) { faults = append(faults, s.position(imp)+": imports "+name+": "+reason) }
		switch ours, isOurs := strings.CutPrefix(name, module+"/"); {
		case isOurs && isUnder(ours, "cmd") && house != "cmd":
			fault("nobody imports cmd: it only wires the rest together")
		case isOurs && isUnder(ours, "firmware") && house != "firmware":
			if house != "cmd" || !s.isTest() && ours != "firmware/image" {
				fault("libsimavr is under the GPL: only the firmware's tests and those of cmd run it")
			}
		case isOurs && isUnder(ours, "engine/games/toy") && !s.isTest():
			fault("the toy game is for tests and for people who add a game")
		case ours == "devices/logtest" && s.isTest() && house == "companion": // a helper that knows of no hardware
		case isOurs && known && !underAny(ours, r.ours):
			fault(r.reason)
		case isOurs && strings.HasSuffix(ours, "test") && !s.isTest() && !isUnder(ours, "engine"):
			fault("it helps tests")
		case isOurs, s.isTest():
		case !strings.Contains(strings.Split(name, "/")[0], "."): // standard library
			for ban, reason := range engineBans {
				if house == "engine" && isUnder(name, ban) {
					fault(reason)
				}
			}
		case known && r.others != nil && !underAny(name, r.others):
			fault(r.reason)
		default:
			for _, h := range oneHome {
				if isUnder(name, h.library) && strings.Contains(h.within, house) && !isUnder(path.Dir(s.path), h.home) {
					fault(h.reason + "; it belongs in " + h.home)
				}
			}
		}
	}
	return faults
}

// globals are functions that speak through the one logger of the process.
var globals = map[string][]string{
	"log": {"Default", "Fatal", "Fatalf", "Fatalln", "Output", "Panic", "Panicf", "Panicln", "Print", "Printf", "Println",
		"SetFlags", "SetOutput", "SetPrefix", "Flags", "Prefix", "Writer"},
	"log/slog": {"Default", "SetDefault", "SetLogLoggerLevel", "Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext",
		"Error", "ErrorContext", "Log", "LogAttrs", "With"},
}

// habitFaults names what no file outside the tests may do, in any part of the repository.
func (s source) habitFaults() (faults []string) {
	if s.isTest() {
		return nil
	}
	for _, decl := range s.file.Decls {
		f, isFunc := decl.(*ast.FuncDecl)
		if isFunc && f.Recv == nil && f.Name.Name == "init" {
			faults = append(faults, s.position(f)+": func init: nothing is registered behind the reader's back; call it from main")
		}
		isMain := isFunc && f.Recv == nil && f.Name.Name == "main" && s.file.Name.Name == "main"
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok {
				switch pkg := s.packageOf(call.X); {
				case pkg == "os" && call.Sel.Name == "Exit" && !isMain:
					faults = append(faults,
						s.position(call)+": os.Exit: only main may end the program, so that what was started is stopped; return an error")
				case slices.Contains(globals[pkg], call.Sel.Name):
					faults = append(faults,
						s.position(call)+": "+path.Base(pkg)+"."+call.Sel.Name+": there is no global logger; take a *slog.Logger")
				}
			}
			return true
		})
	}
	return faults
}

// packageOf is the import path that an expression names, or "".
func (s source) packageOf(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok || id.Obj != nil { // Obj is set for a variable of the same name
		return ""
	}
	for _, imp := range s.file.Imports {
		name, _ := strconv.Unquote(imp.Path.Value)
		local := path.Base(name)
		if imp.Name != nil {
			local = imp.Name.Name
		}
		if local == id.Name {
			return name
		}
	}
	return ""
}

// readTree parses every Go file below root.
func readTree(root string) (tree []source, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root &&
				(strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "node_modules" || base == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(rel), string(text))
		tree = append(tree, s)
		return err
	})
	return tree, err
}

func parse(name, text string) (source, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, 0)
	return source{name, set, file}, err
}

// treeFaults are all breaches of the rules in a tree.
func treeFaults(tree []source) (all []string) {
	var serial []string
	for _, s := range tree {
		all = append(append(all, s.importFaults()...), s.habitFaults()...)
		for _, imp := range s.file.Imports {
			if imp.Path.Value == `"github.com/tarm/serial"` && !s.isTest() {
				serial = append(serial, s.position(imp))
			}
		}
	}
	if len(serial) > 1 {
		all = append(all, "tarm/serial is imported by more than one file: one of them must own the port: "+strings.Join(serial, ", "))
	}
	return all
}

func TestTheHouseKeepsItsImportRules(t *testing.T) {
	tree, err := readTree("..")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range tree {
		house, _, _ := strings.Cut(s.path, "/")
		seen[house] = true
	}
	for house := range houses {
		if !seen[house] {
			t.Errorf("no Go file under %s/: this test looks at nothing there", house)
		}
	}
	for _, fault := range treeFaults(tree) {
		t.Error(fault)
	}
}

func TestTheRulesCatchBreaches(t *testing.T) {
	for _, tt := range []struct{ path, text, want string }{
		{"cmd/a.go", `import "majordome/engine/games/toy"`, "the toy game is for tests"},
		{"cmd/a_test.go", `import "majordome/engine/games/toy"`, ""},
		{"companion/a/atest/a.go", `import "majordome/engine/games/toy"`, ""},
		{"companion/a/a.go", `import "majordome/companion/a/atest"`, "it helps tests"},
		{"engine/a.go", `import "time"`, `engine/a.go:2: imports time: the engine reads no clock`},
		{"engine/x/a.go", `import "sync/atomic"`, "imports sync/atomic: the engine has one caller"},
		{"engine/a.go", `import "math/rand/v2"`, "imports math/rand/v2: all dice come from engine/chance"},
		{"engine/a.go", `import "log/slog"`, "the engine logs nothing"},
		{"engine/a.go", `import "net/url"`, "the engine talks to nobody"},
		{"engine/a.go", "import (\n\"embed\"; \"encoding/json\"; \"math\"; \"majordome/engine/chance\")", ""},
		{"engine/a_test.go", `import "time"`, ""},
		{"engine/a_test.go", `import "majordome/devices"`, "stands on the standard library alone"},
		{"engine/script/a.go", `import "github.com/goccy/go-yaml"`, "it belongs in engine/ownfile"},
		{"engine/ownfile/a.go", `import "github.com/goccy/go-yaml/ast"`, ""},
		{"engine/a.go", `import "pgregory.net/rapid"`, "stands on the standard library alone"},
		{"engine/a_test.go", `import "pgregory.net/rapid"`, ""},
		{"companion/a/a_test.go", `import "majordome/devices/logtest"`, ""},
		{"companion/a/a.go", `import "majordome/devices/logtest"`, "the companion reaches hardware only through what cmd hands to it"},
		{"devices/a/a.go", `import "majordome/engine"`, "imports majordome/engine: devices know chips and wires"},
		{"devices/a/a_test.go", `import "majordome/companion/wire"`, "devices know chips and wires"},
		{"devices/a/a.go", `import ("time"; "periph.io/x/conn/v3/spi"; "majordome/devices")`, ""},
		{"devices/a/a.go", `import "golang.org/x/sys/unix"`, "no library but periph"},
		{"firmware/sim/a.go", `import ("majordome/devices/node"; "github.com/creack/pty")`, ""},
		{"firmware/sim/a.go", `import "majordome/engine"`, "nothing of the game"},
		{"cmd/majordome/a.go", `import "majordome/firmware/sim"`, "libsimavr is under the GPL"},
		{"cmd/majordome/a_test.go", `import "majordome/firmware/sim"`, ""},
		{"cmd/majordome/a.go", `import "majordome/firmware/image"`, ""},
		{"companion/a/a.go", `import "majordome/firmware/image"`, "libsimavr is under the GPL"},
		{"devices/node/a_test.go", `import "majordome/firmware/sim"`, "libsimavr is under the GPL"},
		{"companion/a.go", `import "majordome/devices"`, "reaches hardware only through"},
		{"companion/a.go", `import ("majordome/engine"; "rsc.io/qr"; "time")`, ""},
		{"companion/game/a.go", `import "github.com/eclipse/paho.mqtt.golang"`, "it belongs in companion/line"},
		{"companion/line/a.go", `import "github.com/eclipse/paho.mqtt.golang"`, ""},
		{"companion/game/a.go", `import "github.com/mochi-mqtt/server/v2/packets"`, "it belongs in companion/broker"},
		{"companion/broker/a_test.go", `import "github.com/eclipse/paho.mqtt.golang"`, ""},
		{"cmd/majordome/a.go", `import "github.com/mochi-mqtt/server/v2"`, "it belongs in companion/broker"},
		{"cmd/majordome/a.go", `import "github.com/goccy/go-yaml"`, "it belongs in engine/ownfile"},
		{"cmd/majordome/a.go", `import ("majordome/cmd/majordome/house"; "majordome/devices"; "majordome/engine")`, ""},
		{"companion/a_test.go", `import "majordome/cmd/majordome/house"`, "nobody imports cmd"},
		{"firmware/a.go", `import "majordome/cmd/majordome/house"`, "nobody imports cmd"},
		{"cmd/a.go", "func init() {}", "cmd/a.go:2: func init"},
		{"cmd/a_test.go", "func init() {}", ""},
		{"cmd/a.go", "type t int\nfunc (t) init() {}", ""},
		{"cmd/a.go", "import \"os\"\nfunc run() { os.Exit(1) }", "a.go:3: os.Exit: only main may end the program"},
		{"cmd/a.go", "import end \"os\"\nfunc main() { defer func() { end.Exit(1) }() }", "os.Exit"},
		{"cmd/a.go", "import \"os\"\nvar leave = os.Exit", "os.Exit"},
		{"cmd/a.go", "package-main\nimport \"os\"\nfunc main() { os.Exit(1) }", ""},
		{"devices/a.go", "import \"log\"\nfunc f() { log.Printf(\"\") }", "log.Printf: there is no global logger"},
		{"devices/a.go", "import \"log\"\nfunc f(l *log.Logger) { l.Printf(\"\"); _ = log.New }", ""},
		{"companion/a.go", "import \"log/slog\"\nfunc f() { slog.Info(\"\") }", "slog.Info: there is no global logger"},
		{"companion/a.go", "import \"log/slog\"\nfunc f(slog *slog.Logger) { slog.Info(\"\") }", ""},
	} {
		text := "package a\n" + tt.text
		if rest, ok := strings.CutPrefix(tt.text, "package-main\n"); ok {
			text = "package main\n" + rest
		}
		s, err := parse(tt.path, text)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(treeFaults([]source{s}), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s %q:\n  want %q\n  came %q", tt.path, tt.text, tt.want, got)
		}
	}
}

func TestTheSerialPortHasOneOwner(t *testing.T) {
	var tree []source
	for _, name := range []string{"devices/a.go", "devices/b.go"} {
		s, err := parse(name, "package a\nimport \"github.com/tarm/serial\"")
		if err != nil {
			t.Fatal(err)
		}
		tree = append(tree, s)
	}
	if got := treeFaults(tree); len(got) != 1 || !strings.Contains(got[0], "devices/a.go:2, devices/b.go:2") {
		t.Errorf("two owners of the port: %q", got)
	}
	if got := treeFaults(tree[:1]); len(got) != 0 {
		t.Errorf("one owner of the port: %q", got)
	}
}
