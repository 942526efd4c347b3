package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"majordome/companion/porttest"
	"majordome/devices/logtest"
)

// unitLimits are the limits that systemd/majordome.service sets for the daemon.
type unitLimits struct {
	files, tasks int
	memory       int64 // bytes
	gomemlimit   string
}

// readUnit reads the limits from the unit file itself, so that the test uses the real ones.
func readUnit(t testing.TB) (l unitLimits) {
	t.Helper()
	text, err := os.ReadFile("../../../systemd/majordome.service")
	if err != nil {
		t.Fatal(err)
	}
	value := func(key string) string {
		m := regexp.MustCompile(`(?m)^` + key + `=(\S+)$`).FindSubmatch(text)
		if m == nil {
			t.Fatalf("the unit has no %s", key)
		}
		return string(m[1])
	}
	number := func(key, s string, unit int64) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatalf("the unit's %s: %v", key, err)
		}
		return n * unit
	}
	l.files = int(number("LimitNOFILE", value("LimitNOFILE"), 1))
	l.tasks = int(number("TasksMax", value("TasksMax"), 1))
	l.memory = number("MemoryMax", strings.TrimSuffix(value("MemoryMax"), "M"), 1<<20)
	l.gomemlimit = value("Environment=GOMEMLIMIT")
	return l
}

// victim is the daemon under the limits of its unit: the system limits descriptors, and control groups limit memory
// and tasks where there are any; all are measured and compared, too.
type victim struct {
	t      testing.TB
	limits unitLimits
	pid    int
	pages  string // host:port
	mqtt   string
	host   string // the host's link
	log    *logtest.Buffer
	exited chan struct{}
	memory string // its memory control group; "" for none

	mu    sync.Mutex
	peak  sample
	quit  chan struct{}
	ended sync.WaitGroup
}

// sample is the use of the process: bytes, descriptors and threads.
type sample struct {
	rss, files, threads int64
}

// startVictim starts serve for phones that reach this machine at an address, with more lines of configuration.
// MAJORDOME_HOSTILE names another binary, to compare.
func startVictim(t testing.TB, at netip.Addr, more ...string) *victim {
	t.Helper()
	dir := t.TempDir()
	listen := at
	if at.Is6() {
		listen = netip.IPv6Unspecified()
	}
	port := func() (dial, serve string) {
		_, port, err := net.SplitHostPort(porttest.FreeAddress(t))
		if err != nil {
			t.Fatal(err)
		}
		return net.JoinHostPort(at.String(), port), net.JoinHostPort(listen.String(), port)
	}
	pages, servePages := port()
	mqtt, serveMQTT := port()
	v := &victim{t: t, limits: readUnit(t), pages: pages, mqtt: mqtt, log: &logtest.Buffer{}, exited: make(chan struct{}),
		quit: make(chan struct{})}
	config := filepath.Join(dir, "majordome.yaml")
	text := fmt.Sprintf("listen: %q\nmqtt: %q\ndata: %q\n", servePages, serveMQTT, dir) + strings.Join(more, "\n")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := binary
	if other := os.Getenv("MAJORDOME_HOSTILE"); other != "" {
		bin = other
	}
	args := v.confined("sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, v.limits.files), "sh", bin, "serve", "--config", config)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOMEMLIMIT="+v.limits.gomemlimit)
	cmd.Stderr = v.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	v.pid = cmd.Process.Pid // sh and systemd-run --scope become the daemon
	ready := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() == "Ready." {
				close(ready)
			}
		}
	}()
	go func() {
		_ = cmd.Wait()
		close(v.exited)
	}()
	t.Cleanup(func() {
		close(v.quit)
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-v.exited
		v.ended.Wait()
		if t.Failed() {
			t.Logf("the daemon's log:\n%.8000s", v.log)
		}
	})
	select {
	case <-ready:
	case <-v.exited:
		t.Fatalf("the daemon ended:\n%s", v.log)
	case <-time.After(patience):
		t.Fatalf("the daemon is not ready:\n%s", v.log)
	}
	granted, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", v.pid))
	want := fmt.Sprintf(`(?m)^Max open files +%d +%[1]d +files`, v.limits.files)
	if err != nil || !regexp.MustCompile(want).Match(granted) {
		t.Fatalf("the daemon does not run under the limits of its unit (%v):\n%s", err, granted)
	}
	if groups, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", v.pid)); v.memory != "" &&
		(err != nil || bytes.Count(groups, []byte("/"+filepath.Base(v.memory)+"\n")) != 2) {
		t.Fatalf("the daemon is not in its control groups (%v):\n%s", err, groups)
	}
	v.host = hostLink(t, config)
	v.ended.Go(v.watch)
	return v
}

// confined returns a command with the limits of memory and tasks of the unit: in a scope of systemd where that runs,
// otherwise in new control groups where root may make them (version 1, cgroups(7)), otherwise unlimited, and then
// both are only measured.
func (v *victim) confined(args ...string) []string {
	if os.Geteuid() != 0 {
		return args
	}
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		return append([]string{"systemd-run", "--scope", "--quiet", "--collect", "-p", fmt.Sprintf("MemoryMax=%d", v.limits.memory),
			"-p", "MemorySwapMax=0", "-p", fmt.Sprintf("TasksMax=%d", v.limits.tasks)}, args...)
	}
	name := fmt.Sprintf("majordome-e2e-%d", os.Getpid())
	memory, tasks := filepath.Join("/sys/fs/cgroup/memory", name), filepath.Join("/sys/fs/cgroup/pids", name)
	limit := func(dir, file string, n int64) error {
		return os.WriteFile(filepath.Join(dir, file), []byte(strconv.FormatInt(n, 10)), 0o600)
	}
	v.t.Cleanup(func() { _, _ = os.Remove(memory), os.Remove(tasks) })
	if err := errors.Join(os.Mkdir(memory, 0o700), os.Mkdir(tasks, 0o700),
		limit(memory, "memory.limit_in_bytes", v.limits.memory), limit(memory, "memory.memsw.limit_in_bytes", v.limits.memory),
		limit(tasks, "pids.max", int64(v.limits.tasks))); err != nil {
		v.t.Logf("memory and tasks are measured, not limited: %v", err)
		return args
	}
	v.memory = memory
	return append([]string{"sh", "-c", `for d in "$1" "$2"; do echo $$ >"$d/cgroup.procs" || exit; done; shift 2; exec "$@"`, "sh",
		memory, tasks}, args...)
}

// charged returns the most memory for which the control group charged the daemon, the kernel's memory for it
// included; 0 without a group.
func (v *victim) charged() int64 {
	text, _ := os.ReadFile(filepath.Join(v.memory, "memory.max_usage_in_bytes"))
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// alive reports whether the daemon still runs.
func (v *victim) alive() bool {
	select {
	case <-v.exited:
		return false
	default:
		return true
	}
}

// watch keeps the peaks.
func (v *victim) watch() {
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		select {
		case <-v.quit:
			tick.Stop()
			return
		case <-v.exited:
			tick.Stop()
			return
		case <-tick.C:
			s := v.measureUse()
			v.mu.Lock()
			v.peak.rss, v.peak.files, v.peak.threads = max(v.peak.rss, s.rss), max(v.peak.files, s.files), max(v.peak.threads, s.threads)
			v.mu.Unlock()
		}
	}
}

// measureUse returns the use of the process now, by proc(5).
func (v *victim) measureUse() (s sample) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.pid))
	for line := range strings.SplitSeq(string(text), "\n") {
		var n int64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &n); err == nil {
			s.rss = n << 10
		}
		if _, err := fmt.Sscanf(line, "Threads: %d", &n); err == nil {
			s.threads = n
		}
	}
	files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", v.pid))
	s.files = int64(len(files))
	return s
}

// processor returns the processor time of the daemon so far, by proc(5), in steps of 10 ms.
func (v *victim) processor() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", v.pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	var ticks int64
	for i, field := range strings.Fields(rest) {
		if i == 11 || i == 12 { // utime and stime
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// peaks returns the highest values since the last call.
func (v *victim) peaks() sample {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.peak
	v.peak = sample{}
	return s
}
