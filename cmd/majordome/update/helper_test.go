package update

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// bench is a machine in a folder, with dpkg's own list of installed packages, and a stick.
type bench struct {
	*Machine
	t       testing.TB
	stick   string
	arch    string
	key     minisign.PrivateKey
	state   string // the data of the daemon
	startOK bool   // whether a started daemon reports ready
	isUp    bool
}

// program replaces the daemon: its data name the program that wrote them last, and it refuses those of a later one.
const program = `#!/bin/sh
set -e
mine=%d
case $1 in
backup) cp "$STATE" "$2.new" && mv "$2.new" "$2" ;;
restore) cp "$3" "$STATE.new" && mv "$STATE.new" "$STATE" ;;
serve)
	read -r theirs what <"$STATE"
	[ "$theirs" -le "$mine" ]
	echo "$mine $what" >"$STATE.new" && mv "$STATE.new" "$STATE"
	%s ;;
esac
`

// buildPackage builds a package of ours into a folder. end is the command at the end of its daemon's start, and size
// its Installed-Size in KiB.
func buildPackage(t testing.TB, into, version, arch string, mine int, end string, size ...string) string {
	t.Helper()
	tree := t.TempDir()
	writeFile(t, filepath.Join(tree, "usr/bin/majordome"), fmt.Sprintf(program, mine, end), 0o755)
	writeFile(t, filepath.Join(tree, "usr/share/doc/majordome/changelog"),
		"majordome ("+version+") unstable; urgency=medium\n\n  * New in "+version+",\n    in two lines.\n\n"+
			" -- M <m@x>  Mon, 23 Nov 2026 12:00:00 +0000\n\nmajordome (0.0.1) unstable; urgency=medium\n\n  * Old.\n", 0o644)
	run(t, "gzip", "-9n", filepath.Join(tree, "usr/share/doc/majordome/changelog"))
	writeFile(t, filepath.Join(tree, "DEBIAN/control"), "Package: majordome\nVersion: "+version+"\nArchitecture: "+arch+
		"\nMaintainer: M <m@x>\nInstalled-Size: "+append(size, "20")[0]+"\nDescription: a test\n of it\n", 0o644)
	file := filepath.Join(into, "majordome_"+version+"_"+arch+".deb")
	run(t, "dpkg-deb", "-Zgzip", "--build", tree, file)
	return file
}

func writeFile(t testing.TB, name, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// newBench returns a machine on which version 1.0 is installed and runs, with a game in its data.
func newBench(t *testing.T) *bench {
	t.Helper()
	for _, tool := range []string{"dpkg", "dpkg-deb", "dpkg-query"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %s is missing: this is no Debian", tool)
		}
	}
	dir := t.TempDir()
	b := &bench{t: t, stick: filepath.Join(dir, "stick"), state: filepath.Join(dir, "state"), arch: run(t, "dpkg", "--print-architecture"),
		startOK: true, isUp: true}
	root := filepath.Join(dir, "root")
	for _, name := range []string{"", "var/lib/dpkg/updates", "var/lib/dpkg/info"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"status", "available"} {
		writeFile(t, filepath.Join(root, "var/lib/dpkg", name), "", 0o644)
	}
	t.Setenv("DPKG_ROOT", root)
	t.Setenv("DPKG_FORCE", "not-root,bad-path,unsafe-io")
	t.Setenv("STATE", b.state)
	b.Machine = &Machine{Dir: filepath.Join(dir, "update"), Root: root,
		KeyFiles: []string{filepath.Join(dir, "none.pub"), filepath.Join(dir, "update.pub")}, Service: b, RunAsDaemon: runAsTester}
	for _, name := range []string{b.stick, b.Dir} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	b.key = private
	text, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, b.KeyFiles[1], string(text)+"\n", 0o644)
	run(t, "dpkg", "--install", buildPackage(t, dir, "1.0", b.arch, 1, "exit 0"))
	writeFile(t, b.state, "1 game\n", 0o600)
	return b
}

// runAsTester runs a program as the user of the test.
func runAsTester(_, program string, args ...string) error {
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return err
}

func (b *bench) RunState() (ready, tries bool) { return b.isUp, b.isUp }

func (b *bench) Stop() error {
	b.isUp = false
	return nil
}

func (b *bench) StartAsync() error { return nil } // restart does it

func (b *bench) StartAndWait() error {
	if err := runAsTester("", filepath.Join(b.Root, "usr/bin/majordome"), "serve"); err != nil {
		return err
	}
	b.isUp = true
	return nil
}

// sign puts a signature next to a file.
func (b *bench) sign(file string, key minisign.PrivateKey) {
	b.t.Helper()
	writeFile(b.t, file+".minisig", string(minisign.Sign(key, []byte(read(b.t, file)))), 0o644)
}

// offer puts a newer version on the stick and checks the stick.
func (b *bench) offer(version string, mine int, end string) Report {
	b.t.Helper()
	b.sign(buildPackage(b.t, b.stick, version, b.arch, mine, end), b.key)
	return b.checkStick()
}

func (b *bench) checkStick() Report {
	b.t.Helper()
	if _, err := b.CheckFolder(b.stick); err != nil {
		b.t.Fatal(err)
	}
	return ReadReport(b.Dir)
}

// checkInstalled checks the rules that apply whenever no installation is under way: one version is completely
// installed, its program runs and reads the data, no other version has written to them, and no files of the way back
// are left.
func (b *bench) checkInstalled(version, data string) {
	b.t.Helper()
	if got := run(b.t, "dpkg-query", "--show", "--showformat=${db:Status-Abbrev}${Version}", "majordome"); got != "ii "+version {
		b.t.Errorf("dpkg has %q, want %s", got, version)
	}
	if got := run(b.t, "dpkg", "--verify", "majordome"); got != "" {
		b.t.Errorf("files are not the package's: %s", got)
	}
	if got := read(b.t, b.state); got != data+"\n" {
		b.t.Errorf("the data are %q, want %q", got, data)
	}
	if !b.isUp {
		b.t.Error("the daemon does not run")
	}
	for _, name := range append(rollbackFiles, jobFile) {
		if _, err := os.Lstat(b.pathOf(name)); !errors.Is(err, os.ErrNotExist) {
			b.t.Errorf("%s is left: %v", name, err)
		}
	}
}
