package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
)

// needMosquitto skips a test where Mosquitto is not installed; in CI the test fails.
func needMosquitto(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("/usr/sbin/mosquitto"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("mosquitto is not installed: apt-get install mosquitto")
	}
	t.Skip("SKIPPED, mosquitto is not installed: apt-get install mosquitto")
}

// processesWith returns the running processes that have a text in their command line. One that has ended and is not yet reaped has no
// command line.
func processesWith(t testing.TB, text string) (ids []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if line, err := os.ReadFile(name); err == nil && bytes.Contains(line, []byte(text)) {
			ids = append(ids, filepath.Base(filepath.Dir(name)))
		}
	}
	return ids
}

// writeHomeConfig writes the configuration of a table that serves the devices of a house at an address; its data is beside it.
func writeHomeConfig(t testing.TB, config, home string) {
	t.Helper()
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\nhome: %q\n", porttest.FreeAddress(t), filepath.Dir(config), home)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMosquittoIsMissing serves the devices of a house where Mosquitto is not installed: the table plays, and the host's page and check
// have the command that installs it.
func TestMosquittoIsMissing(t *testing.T) {
	t.Parallel()
	without := []string{"unshare", "--mount", "--map-root-user", "sh", "-c", `mount -t tmpfs none /usr/sbin && exec "$@"`, "sh"}
	if out, err := exec.Command(without[0], append(without[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no folder can be hidden here: %v: %s", err, out)
	}
	for _, name := range []string{"/usr/bin/mosquitto", "/usr/local/bin/mosquitto", "/usr/local/sbin/mosquitto"} {
		if _, err := os.Stat(name); err == nil {
			t.Skipf("SKIPPED: %s is there", name)
		}
	}
	const line = "sudo apt install mosquitto"
	config := filepath.Join(t.TempDir(), "majordome.yaml")
	writeHomeConfig(t, config, porttest.FreeAddress(t))
	cmd, ready := startCommand(t, append(without, binary, "serve", "--config", config)...)
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	ready()
	host := join(t, hostLink(t, config), engine.Host)
	var told wire.Finding
	host.waitFor("what the page says of the broker", func(u wire.Update) bool {
		i := slices.IndexFunc(u.Machine, func(f wire.Finding) bool { return f.About == "home" })
		if i >= 0 {
			told = u.Machine[i]
		}
		return i >= 0
	})
	if !strings.HasSuffix(told.Fix.FR, line) || !strings.HasSuffix(told.Fix.EN, line) || told.Help == "" {
		t.Errorf("the page says %+v", told)
	}
	out, err := exec.Command(without[0], append(without[1:], binary, "check", "--config", config)...).CombinedOutput()
	if err == nil || strings.Count(string(out), line) != 2 { // in both languages
		t.Errorf("check says %v: %s", err, out)
	}
}

// TestNoMosquittoIsLeft kills a table that serves the devices of a house at random moments of its start: no Mosquitto outlives it. A
// second daemon with the same data is refused, and leaves the Mosquitto of the first alone.
func TestNoMosquittoIsLeft(t *testing.T) {
	t.Parallel()
	needMosquitto(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "majordome.yaml")
	writeHomeConfig(t, config, porttest.FreeAddress(t))
	child := filepath.Join(dir, "mosquitto", "mosquitto.conf")
	sockets := func() (names []string) {
		names, _ = filepath.Glob(filepath.Join(dir, "mosquitto", "*.sock"))
		return names
	}
	t.Cleanup(func() {
		for _, id := range processesWith(t, child) {
			if pid, err := strconv.Atoi(id); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	waitForNone := func(when time.Duration) {
		t.Helper()
		for end := time.Now().Add(patience); len(processesWith(t, dir)) > 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("killed after %v it leaves processes: %v", when, processesWith(t, dir))
			}
		}
	}
	began := time.Now()
	first, ready := startServe(t, config)
	ready()
	start := time.Since(began)
	waitForMosquitto := func() []string {
		for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
			if ids := processesWith(t, child); len(ids) == 1 {
				return ids
			}
			if time.Now().After(end) {
				t.Fatal("no Mosquitto runs")
			}
		}
	}
	runs := waitForMosquitto()
	if out, err := exec.Command(binary, "serve", "--config", config).CombinedOutput(); err == nil {
		t.Errorf("a second daemon has served: %s", out)
	}
	if len(sockets()) != 1 || !slices.Equal(processesWith(t, child), runs) {
		t.Errorf("a second daemon has disturbed the Mosquitto of the first: %v", sockets())
	}
	_ = first.Process.Kill()
	_ = first.Wait()
	waitForNone(0)
	dice := randtest.NewRand(t)
	times, alive := 12, 0
	if os.Getenv("MAJORDOME_SOAK") != "" {
		times = 200
	}
	for i := range times {
		cmd := exec.Command(binary, "serve", "--config", config)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		when := time.Duration(dice.Int64N(int64(start)))
		if i%2 == 0 { // in the start of Mosquitto, which follows its configuration
			for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
				if _, err := os.Stat(child); err == nil {
					break
				}
			}
			when = time.Duration(dice.Int64N(int64(30 * time.Millisecond)))
		}
		time.Sleep(when)
		alive += len(processesWith(t, child))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		waitForNone(when)
		_ = os.Remove(child)
	}
	t.Logf("killed %d times within %v of the start, %d times with a Mosquitto", times, start, alive)
}
