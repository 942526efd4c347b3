package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// namespace is an empty network of this test.
type namespace struct {
	t    *testing.T
	name string
}

// newNamespace needs root and iproute2. Without root the test is skipped; without iproute2 it is skipped, too, and
// fails in CI.
func newNamespace(t *testing.T) namespace {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("SKIPPED: %s plays with a network of its own (ip netns), which needs root: sudo env PATH=$PATH go test -v -run %s "+
			"./cmd/majordome", t.Name(), t.Name())
	}
	n := namespace{t, fmt.Sprintf("mm-test-%d", os.Getpid())}
	if out, err := exec.Command("ip", "netns", "add", n.name).CombinedOutput(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("ip netns add: %v: %s", err, out)
		}
		t.Skipf("SKIPPED: a network namespace needs iproute2 (apt install iproute2): %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", n.name).Run() })
	n.ip("link", "set", "lo", "up")
	return n
}

func (n namespace) ip(args ...string) {
	n.t.Helper()
	if out, err := exec.Command("ip", append([]string{"-n", n.name}, args...)...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %v: %v: %s", args, err, out)
	}
}

// plug makes an interface with an address, its far end in the same namespace.
func (n namespace) plug(name string, addrs ...string) {
	n.t.Helper()
	n.ip("link", "add", name, "type", "veth", "peer", "name", "far-"+name)
	n.ip("link", "set", "far-"+name, "up")
	n.ip("link", "set", name, "up")
	for _, a := range addrs {
		n.addr(name, a)
	}
}

func (n namespace) addr(name, a string) {
	n.t.Helper()
	args := []string{"addr", "add", a, "dev", name}
	if strings.Contains(a, ":") {
		args = append(args, "nodad") // no wait for duplicate address detection
	}
	n.ip(args...)
}

// command runs one of the commands of TestMain in the namespace.
func (n namespace) command(name string, args ...string) *exec.Cmd {
	n.t.Helper()
	self, err := os.Executable()
	if err != nil {
		n.t.Fatal(err)
	}
	link := filepath.Join(n.t.TempDir(), name)
	if err := os.Symlink(self, link); err != nil {
		n.t.Fatal(err)
	}
	return exec.CommandContext(n.t.Context(), "ip", append([]string{"netns", "exec", n.name, link}, args...)...)
}

// fetch is a command of this test binary: it requests a page, as a phone in that network does.
func fetch() {
	c := http.Client{Timeout: 5 * time.Second}
	req, err := http.NewRequest(http.MethodGet, os.Args[1], nil)
	if err == nil && len(os.Args) > 2 {
		req.Host = os.Args[2] // the name under which it asks
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	res, err := c.Do(req)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(res.Status)
}

// terminal collects the lines of a running command.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	mu    sync.Mutex
	lines []string
	more  chan struct{}
}

func (n namespace) serve(config string) *terminal {
	n.t.Helper()
	file := filepath.Join(n.t.TempDir(), "majordome.yaml")
	if err := os.WriteFile(file, []byte(config+"\nmqtt: \"off\"\ndata: "+n.t.TempDir()+"\n"), 0o600); err != nil {
		n.t.Fatal(err)
	}
	return n.start(n.command("majordome", "serve", "--config", file))
}

// start runs a command until the test ends, and collects its output.
func (n namespace) start(cmd *exec.Cmd) *terminal {
	n.t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	s := &terminal{t: n.t, cmd: cmd, more: make(chan struct{}, 1)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for l := bufio.NewScanner(out); l.Scan(); {
			s.mu.Lock()
			s.lines = append(s.lines, l.Text())
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
		}
	}()
	n.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-read
		_ = cmd.Wait()
	})
	return s
}

// waitForLine waits for a line that contains all parts, and drops it with all earlier lines.
func (s *terminal) waitForLine(parts ...string) string {
	s.t.Helper()
	late := time.After(time.Minute)
	for {
		s.mu.Lock()
		for i, line := range s.lines {
			if containsAll(line, parts) {
				s.lines = s.lines[i+1:]
				s.mu.Unlock()
				return line
			}
		}
		left := strings.Join(s.lines, "\n")
		s.mu.Unlock()
		select {
		case <-s.more:
		case <-late:
			s.t.Fatalf("no line with %q in:\n%s", parts, left)
		}
	}
}

func containsAll(line string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(line, p) {
			return false
		}
	}
	return true
}

// TestAddressFollowsTheNetwork checks that the links are printed again with each network, real networks before
// bridges of containers, and IPv6 where there is nothing else.
func TestAddressFollowsTheNetwork(t *testing.T) {
	n := newNamespace(t)
	s := n.serve("listen: \":8080\"")
	s.waitForLine("Host ", " http://127.0.0.1:8080/host")
	s.waitForLine("Pas encore de réseau")
	s.waitForLine("No network yet")
	s.waitForLine("Ready.")
	n.plug("docker0", "172.17.0.1/16")
	s.waitForLine("Host ", " http://172.17.0.1:8080/host")
	n.plug("eth0", "fd00:5::5/64")
	s.waitForLine("Display ", " http://[fd00:5::5]:8080/display")
	s.waitForLine("Host ", " http://[fd00:5::5]:8080/host")
	n.addr("eth0", "192.168.77.5/24")
	link := s.waitForLine("Host ", " http://192.168.77.5:8080/host")
	fields := strings.Fields(link)
	if out, err := n.command("fetch", fields[len(fields)-1]).CombinedOutput(); err != nil || !bytes.HasPrefix(out, []byte("200")) {
		t.Errorf("%s answers %s, %v", fields[len(fields)-1], out, err)
	}
	n.ip("addr", "del", "192.168.77.5/24", "dev", "eth0")
	n.addr("eth0", "192.168.77.6/24") // the router gave another one
	s.waitForLine("Host ", " http://192.168.77.6:8080/host")
}

// TestListenIsWaitedFor checks that the program starts even when the machine does not have the address to listen on
// yet, and uses it later.
func TestListenIsWaitedFor(t *testing.T) {
	n := newNamespace(t)
	s := n.serve("listen: 192.168.77.5:8080")
	s.waitForLine("is not one of this machine yet", "192.168.77.5:8080", "n’est pas encore à cette machine")
	s.waitForLine("Host ", " http://192.168.77.5:8080/host")
	s.waitForLine("Ready.")
	n.plug("eth0", "192.168.77.5/24")
	s.waitForLine("Host ", " http://192.168.77.5:8080/host")
	out, err := n.command("fetch", "http://192.168.77.5:8080/display").CombinedOutput()
	if err != nil || !bytes.HasPrefix(out, []byte("200")) {
		t.Errorf("the display answers %s, %v", out, err)
	}
}
