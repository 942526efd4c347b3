package e2e_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"majordome/cmd/majordome/update"
	"majordome/companion/porttest"
	"majordome/devices/randtest"
)

// stick is a folder of the machine with packages and their signatures.
const stick = "stick"

// putPackage puts a signed package of another version on the stick, made from the package in a file; program, if not
// empty, replaces its program.
func (m *machine) putPackage(from, version, program string, key minisign.PrivateKey) {
	m.t.Helper()
	dir := m.t.TempDir()
	m.host("dpkg-deb", "-R", from, dir)
	m.host("sed", "-i", "s/^Version: .*/Version: "+version+"/", filepath.Join(dir, "DEBIAN/control"))
	if program != "" {
		if err := os.WriteFile(filepath.Join(dir, "usr/bin/majordome"), []byte(program), 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
	m.host("rm", "-rf", filepath.Join(m.root, stick))
	m.host("mkdir", filepath.Join(m.root, stick))
	file := filepath.Join(m.root, stick, "majordome_"+version+"_"+runtime.GOARCH+".deb")
	m.host("dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", dir, file) // a tenth of the time of the default
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file+".minisig", minisign.Sign(key, text), 0o644)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) updateReport() (t update.Report) {
	return update.ReadReport(filepath.Join(m.root, update.Dir))
}

// requestInstall requests an installation as the daemon does when its host confirms.
func (m *machine) requestInstall(sum string) {
	m.t.Helper()
	m.mustRun("setpriv", "--reuid=majordome", "--regid=majordome", "--clear-groups", "sh", "-c",
		"printf %s "+sum+" >/run/majordome/update.new && mv /run/majordome/update.new /run/majordome/update")
}

// waitForState waits until the update service reports a state.
func (m *machine) waitForState(state update.State) update.Report {
	m.t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if t := m.updateReport(); t.State == state {
			return t
		}
	}
	said, _ := m.run("journalctl", "--no-pager", "-n", "60")
	m.t.Fatalf("told is %+v, not %s\n%s", m.updateReport(), state, said)
	return update.Report{}
}

// settles waits until no update is under way and the daemon runs.
func (m *machine) settles() {
	m.t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		_, asked := m.run("test", "-e", "/run/majordome/update")
		state, _ := m.run("systemctl", "is-active", "majordome.service", "majordome-update.service", "majordome-update-back.service",
			"majordome-update-cut.service")
		// The unit that follows a failure is queued as a job from that moment on, and for a while it is only there.
		jobs, err := m.run("systemctl", "list-jobs", "--no-legend")
		if asked != nil && err == nil && strings.HasPrefix(state, "active\n") && !strings.Contains(state, "activating") &&
			!strings.Contains(jobs, "majordome") {
			return
		}
	}
	said, _ := m.run("journalctl", "--no-pager", "-n", "60")
	m.t.Fatalf("nothing settles\n%s", said)
}

// TestUpdateUnderSystemd updates from a folder that replaces a stick, under a real systemd, during a game: a newer
// package is installed at the request of the unprivileged account; one whose daemon does not start is undone, and so
// is one that is killed at any moment. 100 kills in a soak run.
func TestUpdateUnderSystemd(t *testing.T) {
	if soaked(0, 1) == 0 || os.Getuid() != 0 {
		t.Skip("SKIPPED: a machine is installed for it, by root: make soak")
	}
	seed := randtest.NewSeed(t)
	dice := rand.New(rand.NewPCG(seed, 3))
	public, key, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	pub, _ := public.MarshalText()
	m := boot(t, map[string]string{"etc/majordome/majordome.yaml": "listen: \"" + porttest.FreeAddress(t) + "\"\nmqtt: \"off\"\n",
		"etc/majordome-update.pub": string(pub) + "\n"})
	first := filepath.Join(m.root, "majordome_0.0.1_"+runtime.GOARCH+".deb")
	if built := os.Getenv("DEB"); built != "" {
		m.host("cp", built, first)
	} else {
		m.host("../../../systemd/deb/build", runtime.GOARCH, "0.0.1", m.root)
	}
	m.install(filepath.Base(first))
	link := regexp.MustCompile(`http\S+/host#j=\S+`).FindString(m.mustRun("majordome", "host"))
	host := joinHost(t, link)
	fourBegin(host.mustSend)
	game := reloadView(t, host)
	stands := func(what, version string) {
		t.Helper()
		m.settles()
		if got := m.mustRun("dpkg-query", "--show", "--showformat=${db:Status-Abbrev}${Version}",
			"majordome"); strings.TrimSpace(got) != "ii "+version {
			t.Fatalf("seed %d: %s: %s is installed, want %s; the report is %+v", seed, what, got, version, m.updateReport())
		}
		if got := reloadView(t, host); got != game {
			t.Fatalf("seed %d: %s: the game was\n%s\nand is\n%s", seed, what, game, got)
		}
	}
	offer := func(version, program string) string {
		t.Helper()
		m.putPackage(first, version, program, key)
		m.mustRun("majordome", "update", "look", "/"+stick)
		told := m.updateReport()
		if told.State != update.Offered || told.Version != version {
			t.Fatalf("%s: %+v", version, told)
		}
		return told.Sum
	}

	began := time.Now()
	m.requestInstall(offer("0.0.2", ""))
	m.waitForState(update.Done)
	t.Logf("installed in %v", time.Since(began))
	stands("the newer", "0.0.2")

	began = time.Now()
	m.requestInstall(offer("0.0.3", "#!/bin/sh\nexit 1\n"))
	if got := m.waitForState(update.RolledBack); got.Reason != update.NotReady {
		t.Errorf("%+v", got)
	}
	t.Logf("one that does not start: back after %v", time.Since(began))
	stands("one that does not start", "0.0.2")

	// The update is killed just when the starting daemon has seen it under way.
	m.mustRun("sh", "-c", `cd /run/systemd/system && mkdir majordome-update-back.service.d && touch /run/hold &&
		printf '[Service]\nExecStartPost=sh -c "touch /run/held; while test -e /run/hold; do sleep 0.1; done"\n' \
			>majordome-update-back.service.d/hold.conf &&
		systemctl daemon-reload`)
	m.requestInstall(offer("0.0.4", ""))
	m.mustRun("sh", "-c", `until test -e /run/held; do sleep 0.1; done
		systemctl kill --kill-whom=all --signal=KILL majordome-update.service
		until systemctl is-failed majordome-update.service; do sleep 0.1; done
		rm -r /run/hold /run/systemd/system/majordome-update-back.service.d; systemctl daemon-reload`)
	m.settles()
	if got := m.updateReport(); got.State != update.RolledBack || got.Reason != update.Interrupted {
		t.Errorf("killed while the daemon starts: %+v", got)
	}
	stands("killed while the daemon starts", "0.0.2")

	at := map[string]int{}
	for n := range 100 {
		version := fmt.Sprintf("0.1.%d", n)
		runs := m.mustRun("dpkg-query", "--show", "--showformat=${Version}", "majordome")
		m.requestInstall(offer(version, ""))
		time.Sleep(time.Duration(dice.IntN(12000)) * time.Millisecond) // at any moment of it
		_, _ = m.run("systemctl", "kill", "--kill-whom=all", "--signal=KILL", "majordome-update.service")
		m.settles()
		told := m.updateReport()
		if told.State == update.Done {
			runs = version
		}
		at[string(told.State)]++
		stands(version+" is killed", runs)
		if (n+1)%10 == 0 {
			said, _ := json.Marshal(at)
			t.Logf("the game stands after kills: %s", said)
		}
	}
}
