package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/engine"
)

// serveOnce starts the daemon of a table without hardware and returns the host's link, requested as its owner does,
// and a function that stops the daemon with SIGTERM, as systemd does.
func serveOnce(t *testing.T, config string) (host string, stop func()) {
	t.Helper()
	cmd, ready := startServe(t, config)
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve did not end in order: %v", err)
		}
	}
	t.Cleanup(stop)
	ready()
	return hostLink(t, config), stop
}

// serveEmptyTable starts the daemon of a table without hardware or data until the test ends. ADDRESS in more, further lines of its
// configuration, means its address. It returns this address and the host's link.
func serveEmptyTable(t *testing.T, more string) (addr, host string) {
	t.Helper()
	dir := t.TempDir()
	addr = porttest.FreeAddress(t)
	config := filepath.Join(dir, "majordome.yaml")
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\n", addr, dir) + strings.ReplaceAll(more, "ADDRESS", addr)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	host, _ = serveOnce(t, config)
	return addr, host
}

// startServe starts the daemon of a table, and returns a function that waits until it is ready.
func startServe(t *testing.T, config string) (cmd *exec.Cmd, ready func()) {
	t.Helper()
	return startCommand(t, binary, "serve", "--config", config)
}

// startCommand starts a command that becomes the daemon of a table, and returns a function that waits until it is ready.
func startCommand(t *testing.T, args ...string) (cmd *exec.Cmd, ready func()) {
	t.Helper()
	cmd = exec.Command(args[0], args[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, func() {
		t.Helper()
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "#") {
				t.Errorf("the log has a link that opens something: %s", lines.Text())
			}
			if lines.Text() == "Ready." {
				return
			}
		}
		t.Fatal("serve is not ready")
	}
}

// hostLink asks a running daemon for the host's link.
func hostLink(t testing.TB, config string, more ...string) (link string) {
	t.Helper()
	out, err := exec.Command(binary, append([]string{"host", "--config", config}, more...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "Host" {
			link = words[1]
		}
	}
	if err != nil || link == "" {
		t.Fatalf("majordome host: %v: %s", err, out)
	}
	return link
}

// TestNewHost checks that the owner's shell prints a link as long as there is no host, and each only once. An owner
// without the host's phone gets a new link with --new, and the old phone is out.
func TestNewHost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "majordome.yaml")
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\n", porttest.FreeAddress(t), dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	first, stop := serveOnce(t, config)
	link := hostLink(t, config)
	if link == first {
		t.Error("a link is given twice")
	}
	old := join(t, link, engine.Host)
	old.waitFor("its view", func(wire.Update) bool { return true })
	if again := hostLink(t, config); strings.Contains(again, "#j=") {
		t.Errorf("a link is given although the host has joined")
	}
	stop()
	if out, err := exec.Command(binary, "host", "--config", config).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "systemctl start") {
		t.Errorf("without a daemon: %v, %s", err, out)
	}
	if again, _ := serveOnce(t, config); strings.Contains(again, "#j=") {
		t.Errorf("after a restart a link is given although the host has joined")
	}
	host := join(t, hostLink(t, config, "--new"), engine.Host)
	now := host.waitFor("its view", func(wire.Update) bool { return true })
	if had := old.latest(); had.Epoch == now.Epoch && had.Rev >= now.Rev {
		t.Error("the old phone still sees the host's view")
	}
}

// TestKiosk checks that a display opened as localhost, as on the table's own computer, sends phones to the address
// that the daemon knows.
func TestKiosk(t *testing.T) {
	t.Parallel()
	dir, addr := t.TempDir(), porttest.FreeAddress(t)
	config := filepath.Join(dir, "majordome.yaml")
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\nurl: http://table.example\n", addr, dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	serveOnce(t, config)
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	screen := startBrowser(t).open("display", "http://localhost:"+port+"/display", tableSize)
	screen.waitForText("table.example/host")
	if shown := evaluate[string](screen, `document.querySelector("main").innerText`); strings.Contains(shown, "localhost") {
		t.Errorf("the display sends phones to localhost: %s", shown)
	}
	screen.takeShot("kiosk")
}
