// Package e2e_test starts the real binary as a newcomer does and checks it from outside: over HTTP, MQTT and in a
// browser.
//
// As many tests run at once as there are cores. With MAJORDOME_PICTURES=1 they save pictures of the pages in the
// folder artefacts, as a long run does; a page that fails is photographed in any case.
package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/devices/logtest"
)

var binary string

// TestMain builds the daemon once, as make build does.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		if err := os.Unsetenv("GOGC"); err != nil { // the daemon uses the default garbage collection, as under its unit
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		dir, err := os.MkdirTemp("", "majordome-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "majordome")
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "majordome/cmd/majordome")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
		defer endSamples()
		return m.Run()
	}())
}

// demo is one running demonstration table.
type demo struct {
	t      testing.TB
	binary string
	data   string
	addr   string   // host:port, the same after a restart
	more   []string // further arguments
	cmd    *exec.Cmd
	log    *logtest.Buffer
	links  map[string]string // "bench", "display", "host", "seat-1", ...
	exited chan struct{}
}

// startDemo starts a demonstration in a new folder. Its lights stop moving after a change, so that tests can compare
// them, and no page draws them without end.
func startDemo(t testing.TB, more ...string) *demo {
	t.Helper()
	return startLively(t, append([]string{"--calm"}, more...)...)
}

// startLively starts a demonstration whose lights move, as they do without --calm.
func startLively(t testing.TB, more ...string) *demo {
	t.Helper()
	return startWith(t, binary, more...)
}

// startWith starts the demonstration of a program that may know other games.
func startWith(t testing.TB, binary string, more ...string) *demo {
	t.Helper()
	d := &demo{t: t, binary: binary, data: t.TempDir(), addr: porttest.FreeAddress(t), more: more, log: &logtest.Buffer{}}
	d.start()
	t.Cleanup(d.kill)
	return d
}

// start runs the binary, reads the address that it prints, and requests the links of all pages there.
func (d *demo) start() {
	d.t.Helper()
	d.cmd = exec.Command(d.binary, "demo", "--data", d.data, "--listen", d.addr, "--mqtt", "off")
	d.cmd.Args = append(d.cmd.Args, d.more...)
	d.cmd.Stderr = d.log
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.exited = make(chan struct{})
	ready := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		tour := ""
		for lines.Scan() {
			fmt.Fprintln(d.log, lines.Text())
			if at := strings.TrimSpace(lines.Text()); strings.Contains(at, "/tour#b=") {
				tour = at
			}
			if strings.HasPrefix(lines.Text(), "Ready") || strings.HasPrefix(lines.Text(), waits) {
				select {
				case ready <- tour:
				default: // it has restarted automatically
				}
			}
		}
	}()
	go func(cmd *exec.Cmd, exited chan struct{}) {
		_ = cmd.Wait()
		close(exited)
	}(d.cmd, d.exited)
	select {
	case tour := <-ready:
		d.learnLinks(tour)
	case <-d.exited:
		d.t.Fatalf("the demo ended:\n%s", d.log)
	case <-time.After(patience):
		d.t.Fatalf("the demo is not ready:\n%s", d.log)
	}
}

// learnLinks requests the links of the host and all seats.
func (d *demo) learnLinks(tour string) {
	d.t.Helper()
	site, token, ok := strings.Cut(tour, "/tour#b=")
	if !ok {
		d.t.Fatalf("no address in:\n%s", d.log)
	}
	d.links = map[string]string{"tour": tour, "bench": site + "/bench#b=" + token, "display": site + "/display"}
	res, err := http.DefaultClient.Do(d.benchRequest(d.t.Context(), token))
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	var first wire.Bench
	if err := json.NewDecoder(res.Body).Decode(&first); err != nil {
		d.t.Fatal(err)
	}
	for _, p := range first.Players {
		name := p.Seat.String()
		if p.Seat == 0 {
			name = "host"
		}
		d.links[name] = p.URL
	}
}

func (d *demo) benchRequest(ctx context.Context, token string) *http.Request {
	req, err := http.NewRequestWithContext(ctx, "GET", d.origin()+"/bench/events", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	return req
}

// waits is the line that a table prints when it has lost data and waits for its host.
const waits = "La table attend l’hôte"

// kill ends the process as kill -9 does.
func (d *demo) kill() {
	_ = d.cmd.Process.Kill()
	<-d.exited
}

func (d *demo) origin() string { return "http://" + d.addr }

// bench follows the simulated table.
type bench struct {
	d       *demo
	token   string
	cancel  context.CancelFunc
	mu      sync.Mutex
	last    wire.Bench
	changed chan struct{}
}

func (d *demo) bench() *bench {
	d.t.Helper()
	_, token, ok := strings.Cut(d.links["bench"], "#b=")
	if !ok {
		d.t.Fatalf("no bench link in:\n%s", d.log)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := &bench{d: d, token: token, cancel: cancel, changed: make(chan struct{})}
	res, err := http.DefaultClient.Do(d.benchRequest(ctx, token))
	if err != nil {
		d.t.Fatal(err)
	}
	go func() {
		defer res.Body.Close()
		in := json.NewDecoder(res.Body)
		for {
			var s wire.Bench
			if in.Decode(&s) != nil {
				return
			}
			b.mu.Lock()
			b.last = s
			close(b.changed)
			b.changed = make(chan struct{})
			b.mu.Unlock()
		}
	}()
	d.t.Cleanup(cancel)
	return b
}

// waitFor waits for a state of the table.
func (b *bench) waitFor(what string, ok func(wire.Bench) bool) wire.Bench {
	b.d.t.Helper()
	deadline := time.After(patience)
	for {
		b.mu.Lock()
		s, changed := b.last, b.changed
		b.mu.Unlock()
		if s.Cards != nil && ok(s) {
			return s
		}
		select {
		case <-changed:
		case <-deadline:
			b.d.t.Fatalf("the bench waited in vain for: %s\nit shows: %v", what, s.Strips)
		}
	}
}

// sendAct sends an act of a hand to the simulated table.
func (b *bench) sendAct(a wire.BenchAct) {
	b.d.t.Helper()
	body, _ := json.Marshal(a)
	req, _ := http.NewRequest("POST", b.d.origin()+"/bench/act", bytes.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+b.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.d.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		b.d.t.Fatalf("bench act %+v: %s", a, res.Status)
	}
}
