package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/devices/logtest"
	"majordome/devices/randtest"
	"majordome/engine"
)

// machine is a Debian that systemd starts in a container, with the network of this one.
type machine struct {
	t      *testing.T
	root   string
	leader string // PID of its systemd on this machine
}

// bare returns an archive of a Debian root with more packages and without this program. It is made once and kept, because
// that takes minutes.
func bare(t *testing.T, more ...string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(cache, "majordome-test", strings.Join(append([]string{"bookworm"}, more...), "-")+".tar")
	include := strings.Join(append([]string{"systemd,systemd-sysv,udev,dbus,kmod,init-system-helpers"}, more...), ",")
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mmdebstrap", "--variant=minbase", "--format=tar",
		"--include="+include, "bookworm", file+".new").CombinedOutput(); err != nil {
		t.Fatalf("mmdebstrap: %v\n%s", err, out)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	return file
}

// boot starts a machine with these files and more packages of Debian, and waits until it is up.
func boot(t *testing.T, files map[string]string, more ...string) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir()}
	m.host("tar", "-C", m.root, "-xf", bare(t, more...))
	for name, text := range files {
		path := filepath.Join(m.root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	console := &logtest.Buffer{}
	c := exec.Command("systemd-nspawn", "-D", m.root, "--boot", "--machine=majordome-"+filepath.Base(m.root), "--register=no",
		"--keep-unit", "--quiet")
	c.Stdout, c.Stderr = console, console
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // nspawn powers the machine off
		if err := c.Wait(); err != nil {
			t.Logf("the machine ended with %v:\n%s", err, console)
		}
	})
	console.WaitFor(t, "Login Prompts")
	children, err := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", c.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m.leader = strings.Fields(string(children))[0]
	m.run("systemctl", "is-system-running", "--wait") // degraded without a kernel's modules
	return m
}

// host runs a program of this machine.
func (m *machine) host(tool string, args ...string) {
	m.t.Helper()
	if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		m.t.Fatalf("%s: %v\n%s", tool, err, out)
	}
}

func (m *machine) command(args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"--target", m.leader, "--all"}, args...)...)
}

// run runs a program of the machine and returns its output.
func (m *machine) run(args ...string) (said string, err error) {
	out, err := m.command(args...).CombinedOutput()
	return string(out), err
}

func (m *machine) mustRun(args ...string) string {
	m.t.Helper()
	said, err := m.run(args...)
	if err != nil {
		journal, _ := m.run("journalctl", "--no-pager", "-u", "majordome", "-n", "20")
		m.t.Fatalf("%s: %v\n%s\n%s", strings.Join(args, " "), err, said, journal)
	}
	return said
}

// install installs a package in the machine's root with dpkg; the configuration there stays.
func (m *machine) install(file string) { m.t.Helper(); m.mustRun(installs(file)...) }

func installs(file string) []string { return []string{"dpkg", "--force-confold", "-i", "/" + file} }

// TestPackageUnderSystemd installs a package, and checks that the table keeps its game through upgrades, downgrades,
// upgrades that are killed at a random moment, and upgrades to a program that does not start, after which another is
// installed. A purge removes everything. 100 of each, in a soak run: it needs root, mmdebstrap and systemd-nspawn.
func TestPackageUnderSystemd(t *testing.T) {
	if soaked(0, 1) == 0 || os.Getuid() != 0 {
		t.Skip("SKIPPED: a machine is installed for it, by root: make soak")
	}
	seed := randtest.NewSeed(t)
	dice := rand.New(rand.NewPCG(seed, 2))
	listen := porttest.FreeAddress(t)
	m := boot(t, map[string]string{"etc/majordome/majordome.yaml": "listen: \"" + listen + "\"\nmqtt: \"off\"\n"})
	versions := map[string]string{"first.deb": "0.0.1", "second.deb": "0.0.2"}
	for file, version := range versions {
		m.host("../../../systemd/deb/build", runtime.GOARCH, version, m.root)
		m.host("mv", filepath.Join(m.root, "majordome_"+version+"_"+runtime.GOARCH+".deb"), filepath.Join(m.root, file))
	}
	m.buildBroken("second.deb", "broken.deb")

	m.install("first.deb")
	link := regexp.MustCompile(`http\S+/host#j=\S+`).FindString(m.mustRun("majordome", "host"))
	host := joinHost(t, link)
	fourBegin(host.mustSend)
	game := reloadView(t, host)

	tally := map[string]int{}
	for n, what := range shuffled(dice, 100, "installed", "killed", "broken") {
		file := []string{"second.deb", "first.deb"}[n%2]
		tally[what+[]string{", up", ", down"}[n%2]]++
		switch what {
		case "killed":
			c := m.command(installs(file)...)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(dice.IntN(2500)) * time.Millisecond) // at any moment of it
			_, _ = m.run("pkill", "-KILL", "dpkg")
			_ = c.Wait()
		case "broken":
			m.install("broken.deb")
			if said, _ := m.run("majordome", "version"); said != "" {
				t.Fatalf("seed %d: the broken one is not there: %s", seed, said)
			}
		}
		m.install(file)
		installed := versions[file]
		if got := m.mustRun("majordome", "version"); got != "majordome version "+installed+"\n" {
			t.Fatalf("seed %d: %s after %s was %s", seed, got, installed, what)
		}
		m.mustRun("systemctl", "is-active", "majordome")
		if got := reloadView(t, host); got != game {
			t.Fatalf("seed %d: %s: the game was\n%s\nand is\n%s", seed, what, game, got)
		}
		if (n+1)%10 == 0 {
			t.Logf("the game stands after %v", tally)
		}
	}
	m.mustRun("dpkg", "--remove", "majordome")
	if _, err := os.Stat(filepath.Join(m.root, "var/lib/majordome/majordome.db")); err != nil {
		t.Errorf("removing the package loses the games: %v", err)
	}
	m.mustRun("dpkg", "--purge", "majordome")
	for _, gone := range []string{
		"var/lib/majordome", "etc/majordome", "usr/lib/systemd/system/majordome.service", "etc/systemd/system/majordome.service",
	} {
		if _, err := os.Lstat(filepath.Join(m.root, gone)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there after a purge: %v", gone, err)
		}
	}
}

// shuffled returns each of all so many times, in random order.
func shuffled(dice *rand.Rand, each int, all ...string) []string {
	some := slices.Repeat(all, each)
	dice.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some
}

// buildBroken makes, from a package, one whose program does not start.
func (m *machine) buildBroken(from, to string) {
	m.t.Helper()
	dir := m.t.TempDir()
	m.host("dpkg-deb", "-R", filepath.Join(m.root, from), dir)
	if err := os.WriteFile(filepath.Join(dir, "usr/bin/majordome"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
	m.host("dpkg-deb", "-Zgzip", "--build", dir, filepath.Join(m.root, to))
}

// joinHost joins as the host, by its link, and waits for the first view.
func joinHost(t *testing.T, link string) *phone {
	t.Helper()
	host := join(t, link, engine.Host)
	host.waitFor("its first view", func(wire.Update) bool { return true })
	return host
}

// fourBegin seats four players as the host and begins their game.
func fourBegin(act func(act string, args engine.Args)) {
	for i, who := range []string{"character-borrow", "character-worms", "character-peely", "character-lecomte"} {
		act("sit", engine.Args{"seat": engine.Seat(i + 1).String(), "name": fmt.Sprintf("P%d", i+1), "character": who})
	}
	act("first", engine.Args{"seat": engine.Seat(1).String()})
	act("begin", nil)
}

// reloadView connects the host again and returns its view as JSON.
func reloadView(t *testing.T, host *phone) string {
	t.Helper()
	host.close()
	host.mu.Lock()
	host.last = wire.Update{}
	host.mu.Unlock()
	host.connect()
	view, err := json.Marshal(host.waitFor("the game", func(wire.Update) bool { return true }).View)
	if err != nil {
		t.Fatal(err)
	}
	return string(view)
}
