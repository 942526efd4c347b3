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

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// serveOnce starts the daemon of a table without hardware and returns its
// host's address and a function that stops it with SIGTERM, as systemd does.
func serveOnce(t *testing.T, config string, more ...string) (host string, stop func()) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"serve", "--config", config}, more...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	for lines := bufio.NewScanner(out); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) == 2 && words[0] == "Host" {
			host = words[1]
		}
		if lines.Text() == "Ready." {
			return host, stop
		}
	}
	t.Fatal("serve is not ready")
	return
}

// TestNewHost: the link is printed once; who lost the host's phone gets a new
// one with --new-host, and the old phone is out.
func TestNewHost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "majordome.yaml")
	text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\n", freePort(t), dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	link, stop := serveOnce(t, config)
	old := join(t, link, engine.Host)
	old.until("its view", func(wire.Update) bool { return true })
	stop()
	if again, stop := serveOnce(t, config); strings.Contains(again, "#j=") {
		t.Errorf("a link was printed although the host has joined")
	} else {
		stop()
	}
	link, _ = serveOnce(t, config, "--new-host")
	host := join(t, link, engine.Host)
	epoch := host.until("its view", func(wire.Update) bool { return true }).Epoch
	if old.now().Epoch >= epoch {
		t.Error("the old phone still sees the host's view")
	}
}

// TestKiosk: a display that was opened as localhost, as on the table's own computer, sends phones to
// the address that the daemon knows.
func TestKiosk(t *testing.T) {
	t.Parallel()
	dir, addr := t.TempDir(), freePort(t)
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
	screen.says(speak(t, words.FR).say("ui.display.join.host", "address", "table.example/host"))
	if shown := ask[string](screen, `document.querySelector("main").innerText`); strings.Contains(shown, "localhost") {
		t.Errorf("the display sends phones to localhost: %s", shown)
	}
	screen.shot("kiosk")
}
