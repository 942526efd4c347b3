package e2e_test

import (
	"bytes"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"majordome/companion/porttest"
)

// samples is the server of startSamples.
var samples struct {
	sync.Mutex
	vite *exec.Cmd
	url  string
}

// startSamples serves the pages with sample data (src/dev), as `npm run dev` does: one server for all tests, which
// ends with them.
func startSamples(t *testing.T) string {
	t.Helper()
	samples.Lock()
	defer samples.Unlock()
	if samples.url != "" {
		return samples.url
	}
	if samples.vite != nil {
		t.Fatal("vite has not answered to an earlier test")
	}
	addr := porttest.FreeAddress(t)
	_, port, _ := net.SplitHostPort(addr)
	var out bytes.Buffer
	cmd := exec.Command("node", filepath.Join("node_modules", "vite", "bin", "vite.js"), "--host", "127.0.0.1", "--port",
		port, "--strictPort")
	cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join("..", "..", "..", "companion", "web", "app"), &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatalf("vite: %v", err)
	}
	samples.vite = cmd
	url := "http://" + addr + "/src/dev/index.html"
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get(url); err == nil {
			r.Body.Close()
			samples.url = url
			return url
		}
		if time.Since(began) > patience {
			endSamples()
			t.Fatalf("vite does not answer: %s", out.String())
		}
	}
}

// openSamples opens a page of samples in a browser of its own, without reading the tree of accessibility.
func openSamples(t *testing.T, name, page string, size [2]int64) *tab {
	t.Helper()
	b := startBrowser(t)
	b.noTree = true
	p := b.open(name, startSamples(t)+"?page="+page, size)
	p.waitUntil("its samples", "window.samples?.length > 0")
	return p
}

// endSamples ends the server, if there is one.
func endSamples() {
	if samples.vite != nil {
		_ = samples.vite.Process.Kill()
		_ = samples.vite.Wait()
	}
}
