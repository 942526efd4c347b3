package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"majordome/companion/porttest"
	"majordome/devices/randtest"
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

// TestNoMosquittoIsLeft kills a table that serves the devices of a house at random moments of its start: no Mosquitto outlives it. A
// second daemon with the same data is refused, and leaves the Mosquitto of the first alone.
func TestNoMosquittoIsLeft(t *testing.T) {
	t.Parallel()
	needMosquitto(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "majordome.yaml")
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\nhome: %q\n", porttest.FreeAddress(t), dir, porttest.FreeAddress(t))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
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
