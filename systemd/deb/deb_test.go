// Package deb_test builds the package of this machine and checks its contents.
package deb_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"majordome/companion/web"
)

const version = "0.0.1~test"

// folder is the folder in which the package is built.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "majordome-deb"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// built is the package, made once for all tests.
var built = sync.OnceValues(func() (string, error) { return build(runtime.GOARCH) })

// build makes the package of an architecture, and returns its file, or the output of the failed build.
func build(arch string) (string, error) {
	out, err := exec.Command("./build", arch, version, folder).CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return filepath.Join(folder, "majordome_"+version+"_"+arch+".deb"), nil
}

// needTool finds a tool; without it the test is skipped at home and fails in CI.
func needTool(t *testing.T, tool, from string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is missing: apt install %s", tool, from)
		}
		t.Skipf("SKIPPED: %s is missing: apt install %s", tool, from)
	}
	return path
}

func packageFile(t *testing.T) string {
	t.Helper()
	needTool(t, "dpkg-deb", "dpkg")
	if _, ok := web.Files(); !ok {
		t.Skip("SKIPPED: the pages are not built: make web")
	}
	file, err := built()
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	return file
}

// unpack returns a folder with the files that the package installs.
func unpack(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	runTool(t, "dpkg-deb", "-x", packageFile(t), root)
	return root
}

func runTool(t *testing.T, tool string, args ...string) string {
	t.Helper()
	b, err := exec.Command(tool, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, b)
	}
	return string(b)
}

// checkSize checks that a package is under 9.3 MB, of which the manual in two languages takes 0.25.
func checkSize(t *testing.T, file string) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %.2f MB", filepath.Base(file), float64(info.Size())/1e6)
	if info.Size() >= 9_300_000 {
		t.Errorf("%s has %d bytes, and should have less than 9.3 MB", filepath.Base(file), info.Size())
	}
}

// TestPackagesOfPis checks that the packages of the Pis stay as small as this machine's.
func TestPackagesOfPis(t *testing.T) {
	if os.Getenv("MAJORDOME_SOAK") == "" {
		t.Skip("builds them: MAJORDOME_SOAK=1")
	}
	packageFile(t)
	for _, arch := range []string{"arm64", "armhf"} {
		file, err := build(arch)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		checkSize(t, file)
	}
}

// TestPackage checks that the package has the files that a machine needs, writable only by root, and stays small.
func TestPackage(t *testing.T) {
	file := packageFile(t)
	checkSize(t, file)
	listing := runTool(t, "dpkg-deb", "--contents", file)
	for _, want := range []string{
		"-rwxr-xr-x root/root .* ./usr/bin/majordome",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome.service",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-clock.service",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-clock.path",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-update.service",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-update.path",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-update-back.service",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-update-cut.service",
		"-rw-r--r-- root/root .* ./usr/lib/systemd/system/majordome-stick@.service",
		"-rw-r--r-- root/root .* ./usr/lib/udev/rules.d/90-majordome-stick.rules",
		"-rw-r--r-- root/root .* ./usr/lib/sysusers.d/majordome.conf",
		"-rw-r--r-- root/root .* ./usr/lib/udev/rules.d/60-majordome.rules",
		"-rw-r--r-- root/root .* ./usr/lib/modules-load.d/majordome.conf",
		"-rw-r--r-- root/root .* ./usr/lib/tmpfiles.d/majordome.conf",
		"-rw-r--r-- root/root .* ./usr/share/majordome/majordome.yaml",
		"-rw-r--r-- root/root .* ./usr/share/man/man1/majordome-serve.1.gz",
		"-rw-r--r-- root/root .* ./usr/share/man/fr/man1/majordome-serve.1.gz",
		"-rw-r--r-- root/root .* ./usr/share/doc/majordome/copyright",
		"-rw-r--r-- root/root .* ./usr/share/man/man1/majordome.1.gz",
		"-rw-r--r-- root/root .* ./usr/share/doc/majordome/third-party.txt",
	} {
		if !regexp.MustCompile(`(?m)^` + want + `$`).MatchString(listing) {
			t.Errorf("no line like %q in\n%s", want, listing)
		}
	}
	for line := range strings.Lines(listing) {
		if !strings.Contains(line, " root/root ") {
			t.Errorf("not root's: %s", line)
		}
	}
	if got := runTool(t, "dpkg-deb", "--field", file, "Version"); got != version+"\n" {
		t.Errorf("version %q", got)
	}
	// The daemon may write the configuration: dpkg would ask about a conffile at each upgrade that brings another.
	if strings.Contains(listing, "./etc/") || strings.Contains(runTool(t, "dpkg-deb", "--info", file), "conffiles") {
		t.Errorf("a conffile:\n%s", listing)
	}
}

// TestPackageAndMosquitto checks that the package recommends Mosquitto without needing it, and brings, starts and stops no service of it:
// Debian's own, at port 1883, stays its owner's, and the table's is at another port.
func TestPackageAndMosquitto(t *testing.T) {
	file := packageFile(t)
	fields := map[string]string{"Recommends": "mosquitto", "Depends": "systemd (>= 252)", "Pre-Depends": "", "Conflicts": ""}
	for field, want := range fields {
		if got := strings.TrimSpace(runTool(t, "dpkg-deb", "--field", file, field)); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
	if listing := runTool(t, "dpkg-deb", "--contents", file); strings.Contains(listing, "mosquitto") {
		t.Errorf("the package brings files of Mosquitto:\n%s", listing)
	}
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		if text, err := os.ReadFile(script); err != nil || strings.Contains(string(text), "mosquitto") {
			t.Errorf("%s: %v, or it touches Mosquitto's own service", script, err)
		}
	}
	if text, err := os.ReadFile("majordome.yaml"); err != nil || strings.Contains(string(text), "1883") {
		t.Errorf("the configuration that comes with it takes Mosquitto's port: %v", err)
	}
}

// TestPackagedProgram checks that the program of the package runs, knows its version, and accepts the configuration
// that comes with it: with a refused one it would count as installed and be restarted for ever.
func TestPackagedProgram(t *testing.T) {
	root := unpack(t)
	program := filepath.Join(root, "usr/bin/majordome")
	if got := runTool(t, program, "version"); got != "majordome version "+version+"\n" {
		t.Errorf("%q", got)
	}
	runTool(t, program, "check", filepath.Join(root, "usr/share/majordome/majordome.yaml"))
	got := runTool(t, "bash", "-c", `source "$1" && complete -p majordome`, "-",
		filepath.Join(root, "usr/share/bash-completion/completions/majordome"))
	if !strings.Contains(got, "__start_majordome majordome") {
		t.Errorf("bash does not complete: %s", got)
	}
	if got := runTool(t, program, "__complete", "doc"); !strings.HasPrefix(got, "doctor\t") {
		t.Errorf("completes doc with %q", got)
	}
}

// TestSameBytes checks that the same sources, built in any folder, give the same bytes. That another account gets
// them, too, was tried by hand.
func TestSameBytes(t *testing.T) {
	if os.Getenv("MAJORDOME_SOAK") == "" {
		t.Skip("builds the package again: MAJORDOME_SOAK=1")
	}
	ours := packageFile(t)
	other := filepath.Join(t.TempDir(), "elsewhere", "under another name")
	c := exec.Command("bash", "-euc", `
		git clone -q --no-checkout . "$1"
		{ git ls-files -z -co --exclude-standard --deduplicate; find companion/web/dist -type f -print0; } | while IFS= read -r -d '' f; do
			[ ! -e "$f" ] || cp --parents "$f" "$1"
		done
		umask 077
		mkdir "$1/out"
		"$1/systemd/deb/build" "$2" "$3" "$1/out"`, "-", other, runtime.GOARCH, version)
	c.Dir = "../.."
	c.Env = append(os.Environ(), "GOFLAGS=-buildvcs=true", "TZ=Pacific/Auckland", "LC_ALL=C")
	if b, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	runTool(t, "cmp", ours, filepath.Join(other, "out", filepath.Base(ours)))
}

// TestLinksOfThePackageHaveTargets checks that the unit and the configuration of the package name existing targets: a man page, and
// a page of the manual.
func TestLinksOfThePackageHaveTargets(t *testing.T) {
	root := unpack(t)
	for name, names := range map[string]string{
		"usr/lib/systemd/system/majordome.service": "Documentation=man:majordome(1)\n",
		"usr/share/majordome/majordome.yaml":       "majordome help settings",
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !strings.Contains(string(text), names) {
			t.Errorf("%s: %v, it does not name %q", name, err, names)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "usr/share/man/man1/majordome.1.gz")); err != nil {
		t.Error(err)
	}
	if _, ok := web.ManualPage("fr", "settings"); !ok {
		t.Error("the manual has no page settings")
	}
}

// TestChangelog checks that the changelog is made from the manual's English page of changes, and so is the version of
// a package.
func TestChangelog(t *testing.T) {
	page, err := os.ReadFile("../../companion/web/manual/en/changes.md")
	if err != nil {
		t.Fatal(err)
	}
	log := runTool(t, "gzip", "-dc", filepath.Join(unpack(t), "usr/share/doc/majordome/changelog.gz"))
	var said []string
	for _, m := range regexp.MustCompile(`(?m)^majordome \((.+)\) unstable; urgency=medium\n\n  \* [^*]`).FindAllStringSubmatch(log, -1) {
		said = append(said, m[1])
	}
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^## (\S+) `).FindAllStringSubmatch(string(page), -1) {
		want = append(want, m[1])
	}
	if len(want) == 0 || !slices.Equal(said, want) || strings.ContainsAny(log, "[]`") ||
		strings.Count(log, "\n  * ") != strings.Count(string(page), "\n- ") {
		t.Errorf("%v, want %v:\n%s", said, want, log)
	}
	if got := runTool(t, "make", "-s", "--no-print-directory", "-C", "../..", "version"); got != want[0]+"\n" {
		t.Errorf("make builds %q, want %s", got, want[0])
	}
}

// TestInventory checks that everything linked or bundled is listed with its licence, and that nothing of the tests is
// in the package.
func TestInventory(t *testing.T) {
	doc := filepath.Join(unpack(t), "usr/share/doc/majordome")
	text, err := os.ReadFile(filepath.Join(doc, "third-party.txt"))
	if err != nil {
		t.Fatal(err)
	}
	notices := string(text)
	var bom struct {
		Components []struct {
			Name     string
			Licenses []struct{ Expression string }
		}
	}
	err = json.NewDecoder(bytes.NewReader([]byte(runTool(t, "gzip", "-dc", filepath.Join(doc, "sbom.cdx.json.gz"))))).Decode(&bom)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, c := range bom.Components {
		if len(c.Licenses) == 1 {
			listed[c.Name] = c.Licenses[0].Expression
		}
		if !strings.Contains(notices, "\n"+c.Name+" ") {
			t.Errorf("%s has no notice", c.Name)
		}
	}
	for name, licence := range map[string]string{
		"Go":                                  "BSD-3-Clause",
		"periph.io/x/conn/v3":                 "Apache-2.0",
		"github.com/eclipse/paho.mqtt.golang": "EPL-2.0",
		"svelte":                              "MIT",
	} {
		if !strings.Contains(listed[name], licence) {
			t.Errorf("%s is listed as %q, want %s", name, listed[name], licence)
		}
	}
	for name, licence := range listed {
		if strings.HasPrefix(licence, "GPL") || strings.Contains(name, "chromedp") {
			t.Errorf("%s (%s) is in the package", name, licence)
		}
	}
}

func TestLintian(t *testing.T) {
	tool := needTool(t, "lintian", "lintian")
	b, err := exec.Command(tool, "--allow-root", "--fail-on", "error,warning", packageFile(t)).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, b)
	}
}
