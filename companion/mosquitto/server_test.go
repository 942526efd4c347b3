package mosquitto

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience is the longest wait for a condition; only a failing test waits that long.
const patience = time.Minute

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func allowEverything(kinds ...string) (rules []Rule) {
	for _, k := range kinds {
		rules = append(rules, Rule{k, "#", true, 0})
	}
	return rules
}

// startServer starts a server and waits until it runs.
func startServer(t *testing.T, o *Opts) *Server {
	t.Helper()
	if _, _, err := findProgram(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err, ": apt-get install mosquitto")
		}
		t.Skip("SKIPPED, ", err, ": apt-get install mosquitto")
	}
	if o.Folder == "" {
		o.Folder = filepath.Join(t.TempDir(), "mosquitto")
	}
	if o.Accounts == nil {
		o.Accounts = func() []Account { return []Account{{"a", allowEverything(Publish, Receive, Subscribe)}} }
	}
	if o.OnRefused == nil {
		o.OnRefused = func(string, string, string) {}
	}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if at, err := net.Dial("unix", s.socket); err == nil {
			_ = at.Close()
			t.Error("it is still there")
		}
	})
	eventually(t, "the server does not start", func() bool { return s.Status().Running })
	return s
}

// connectAccount logs in with an account, with a persistent session.
func connectAccount(t *testing.T, s *Server, account, id string) *shortConn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	v := &shortConn{conn: conn, in: bufio.NewReader(conn)}
	body := append(encodeString("MQTT"), 4, 0xc0, 0, 60)
	v.sendPacket(0x10, append(append(append(body, encodeString(account+"/"+id)...), encodeString(account)...),
		encodeString(s.SharedPassword())...))
	if kind, answer, err := v.readPacket(); err != nil || kind != 0x20 || answer[1] != 0 {
		t.Fatalf("%s does not come in: % x %v", account, answer, err)
	}
	return v
}

// listRetained returns the topics of all retained messages.
func listRetained(t *testing.T, s *Server) (topics []string) {
	t.Helper()
	v := connectAccount(t, s, "a", "left")
	if err := v.subscribe("#"); err != nil {
		t.Fatal(err)
	}
	v.ping()
	for {
		m, err := v.nextMessage()
		if errors.Is(err, errPong) {
			return topics
		}
		if err != nil {
			t.Fatal(err)
		}
		topics = append(topics, m.topic)
	}
}

func (v *shortConn) waitForPong(t *testing.T) {
	t.Helper()
	v.ping()
	if _, err := v.nextMessage(); !errors.Is(err, errPong) {
		t.Fatal(err)
	}
}

// childPID returns the process id of the Mosquitto of a server.
func childPID(t *testing.T, s *Server) int {
	t.Helper()
	ids := processesIn(t, filepath.Join(s.opts.Folder, configFile))
	if len(ids) != 1 {
		t.Fatal(ids)
	}
	pid, err := strconv.Atoi(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// TestRightsChange checks that rights change while Mosquitto runs, that the retained messages of an account can be cleared, and
// that the removal of an account ends its connections.
func TestRightsChange(t *testing.T) {
	var mu sync.Mutex
	var refused []string
	s := startServer(t, &Opts{OnRefused: func(client, kind, topic string) {
		mu.Lock()
		defer mu.Unlock()
		refused = append(refused, client+" "+kind+" "+topic)
	}})
	if err := s.SetAccount(Account{"lamp",
		[]Rule{{Publish, "stat/#", true, 0}, {Publish, "stat/not", false, 1}, {Subscribe, "cmnd/#", true, 0}}}); err != nil {
		t.Fatal(err)
	}
	v := connectAccount(t, s, "lamp", "it's (d0, 'x")
	for _, topic := range []string{"stat/a", "stat/not", "it's, 'it', ... (1 bytes)"} {
		v.publish(topic, []byte("x"), true)
	}
	if err := v.subscribe("cmnd/lamp", "#", "x (QoS 1)", "+/b"); err != nil {
		t.Fatal(err)
	}
	v.waitForPong(t)
	who := "lamp/it's (d0, 'x "
	want := []string{who + Publish + " stat/not", who + Publish + " it's, 'it', ... (1 bytes)", who + Subscribe + " #",
		who + Subscribe + " x (QoS 1)", who + Subscribe + " +/b"}
	eventually(t, "not every refusal is reported", func() bool { mu.Lock(); defer mu.Unlock(); return len(refused) >= len(want) })
	mu.Lock()
	if !slices.Equal(refused, want) {
		t.Errorf("refused: %q, want %q", refused, want)
	}
	mu.Unlock()
	if got := listRetained(t, s); !slices.Equal(got, []string{"stat/a"}) {
		t.Errorf("retained: %q", got)
	}
	if err := s.DeleteRetained([]string{"stat/#"}, func(topic string) bool { return topic != "stat/a" }); err != nil {
		t.Fatal(err)
	}
	if got := listRetained(t, s); len(got) > 0 {
		t.Errorf("retained: %q", got)
	}
	if err := s.RemoveAccount("lamp"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := v.readPacket(); err == nil {
		t.Error("it is still there")
	}
	if err := s.RemoveAccount("lamp"); err != nil {
		t.Error("dropped twice:", err)
	}
}

// TestEndedMosquittoIsStartedAgain checks that a Mosquitto that ends is started again, with the retained messages that
// it had written and with the present accounts.
func TestEndedMosquittoIsStartedAgain(t *testing.T) {
	var more atomic.Bool
	s := startServer(t, &Opts{Accounts: func() []Account {
		list := []Account{{"a", allowEverything(Publish, Receive, Subscribe)}}
		if more.Load() {
			list = append(list, Account{"b", nil})
		}
		return list
	}})
	v := connectAccount(t, s, "a", "x")
	v.publish("kept", []byte("x"), true)
	v.waitForPong(t)
	part := filepath.Join(s.opts.Folder, partFile)
	if err := os.Mkdir(part, 0o700); err != nil { // the database cannot be written
		t.Fatal(err)
	}
	if err := syscall.Kill(childPID(t, s), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server does not come back", func() bool { return s.Status().Starts == 2 })
	if _, err := os.Stat(part); err == nil {
		t.Error("a part of the database is left")
	}
	v = connectAccount(t, s, "a", "x")
	v.publish("kept", []byte("x"), true)
	v.waitForPong(t)
	more.Store(true)
	if err := syscall.Kill(childPID(t, s), syscall.SIGTERM); err != nil { // on SIGTERM it writes its retained messages
		t.Fatal(err)
	}
	eventually(t, "the server does not come back", func() bool { return s.Status().Starts == 3 })
	connectAccount(t, s, "b", "x")
	if got := listRetained(t, s); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("retained: %q", got)
	}
	if err := syscall.Kill(childPID(t, s), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server does not come back after a kill", func() bool { return s.Status().Starts == 4 })
}

// TestOutOfMemory checks that a Mosquitto that reports to be out of memory is started again, and that neither a client that is kicked ends
// it, nor a client id or topic that imitates the report.
func TestOutOfMemory(t *testing.T) {
	s := startServer(t, &Opts{})
	const report = "Error: Out of memory."
	v := connectAccount(t, s, "a", report)
	if err := v.subscribe(report); err != nil {
		t.Fatal(err)
	}
	v.publish(report, nil, false)
	if _, err := v.nextMessage(); err != nil {
		t.Fatal(err)
	}
	v.waitForPong(t)
	if err := s.SetAccount(Account{"b", nil}); err != nil {
		t.Fatal(err)
	}
	kicked := connectAccount(t, s, "b", "x")
	if err := s.RemoveAccount("b"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := kicked.readPacket(); err == nil {
		t.Error("it is still there")
	}
	v.waitForPong(t)
	if n := s.Status().Starts; n != 1 {
		t.Errorf("%d starts", n)
	}
	s.handleLogLine(report, &pendingSubscribe{})
	eventually(t, "the server is not started again", func() bool { return s.Status().Starts == 2 })
	connectAccount(t, s, "a", "y").waitForPong(t)
}

// TestUnreadable checks that an unreadable store does not keep Mosquitto from running, and is set aside, not lost.
func TestUnreadable(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("long", 30)) // too long for a socket
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, storeFile), []byte(strings.Repeat("nonsense", 99)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, &Opts{Folder: folder})
	if !s.Status().SetAside {
		t.Error("nobody is notified")
	}
	if b, err := os.ReadFile(filepath.Join(folder, unreadFile)); err != nil || !strings.HasPrefix(string(b), "nonsense") {
		t.Error(err)
	}
	away := filepath.Dir(s.socket)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(away); err == nil {
		t.Error("the folder of the socket is left")
	}
}

// TestMissing checks that without an installed Mosquitto every call returns at once, Dial with ErrMissing.
func TestMissing(t *testing.T) {
	s, err := Start(&Opts{Folder: t.TempDir(), Accounts: func() []Account { return nil },
		find: func() (string, string, error) { return "", "", ErrMissing }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Dial(t.Context()); !errors.Is(err, ErrMissing) || !errors.Is(s.Status().Err, ErrMissing) {
		t.Error(err, s.Status())
	}
	if err := s.SetAccount(Account{"a", nil}); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// orphan is the environment variable that makes the test program start a Mosquitto in a folder, and kill itself at a moment: so many
// microseconds after the start, or "running".
const orphan = "MAJORDOME_ORPHAN"

// TestMosquittoEndsWithItsParent checks that Mosquitto ends with the process that started it, even if that process is
// killed while Mosquitto starts. A Mosquitto that has just logged that it runs ignores SIGTERM.
func TestMosquittoEndsWithItsParent(t *testing.T) {
	if with := strings.Fields(os.Getenv(orphan)); len(with) == 2 {
		killMyselfAfterStart(t, with[0], with[1])
	}
	took := time.Now()
	probe := startServer(t, &Opts{}) // skips the test where Mosquitto is not installed
	start := time.Since(took)
	_ = probe.Close()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 0))
	for i := range 40 {
		when := "running"
		if i%4 == 0 {
			when = fmt.Sprint(dice.Int64N(start.Microseconds() * 3 / 2))
		}
		folder := filepath.Join(t.TempDir(), "mosquitto")
		c := exec.Command(os.Args[0], "-test.run=^TestMosquittoEndsWithItsParent$")
		c.Env = append(os.Environ(), orphan+"="+folder+" "+when)
		if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%s: it has not killed itself: %v: %s", when, err, out)
		}
		eventually(t, "killed at "+when+", it leaves an orphan", func() bool { return len(processesIn(t, folder)) == 0 })
	}
}

// killMyselfAfterStart starts a Mosquitto and kills this process at a moment of its start.
func killMyselfAfterStart(t *testing.T, folder, when string) {
	kill := func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	if n, err := strconv.Atoi(when); err == nil {
		time.AfterFunc(time.Duration(n)*time.Microsecond, kill)
		startServer(t, &Opts{Folder: folder})
		select {} // until then
	}
	s, err := Start(&Opts{Folder: folder, Accounts: func() []Account { return nil }, OnRefused: func(string, string, string) {}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err = s.Dial(ctx)
	kill()
	t.Fatal("the server is not killed", err)
}

// processesIn returns the running processes whose command line has a folder. One that has ended and is not yet reaped has no command line.
func processesIn(t *testing.T, folder string) (ids []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if line, err := os.ReadFile(name); err == nil && strings.Contains(string(line), folder) {
			ids = append(ids, filepath.Base(filepath.Dir(name)))
		}
	}
	return ids
}

// TestNobodyElseReachesIt checks that only this user can read the files of Mosquitto, that none contains the password, that it
// gets none of our environment, and that it has no port.
func TestNobodyElseReachesIt(t *testing.T) {
	t.Setenv("A_SECRET", "of ours")
	s := startServer(t, &Opts{})
	pid := childPID(t, s)
	if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err != nil || len(env) > 0 {
		t.Errorf("%q %v", env, err)
	}
	if info, err := os.Stat(s.opts.Folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
	files, err := os.ReadDir(s.opts.Folder)
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(filepath.Join(s.opts.Folder, f.Name())); err == nil && strings.Contains(string(b), s.password) {
			t.Errorf("%s holds the word", f.Name())
		}
	}
	for _, name := range []string{"tcp", "tcp6"} {
		all, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, name))
		if err != nil {
			continue
		}
		fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, fd := range fds {
			to, _ := os.Readlink(fd)
			if inode, is := strings.CutPrefix(to, "socket:["); is && strings.Contains(string(all), " "+strings.TrimSuffix(inode, "]")+" ") {
				t.Errorf("the server listens on a port: %s", to)
			}
		}
	}
}

// TestALongLine checks that a log line that is too long is skipped and the next one is read.
func TestALongLine(t *testing.T) {
	var refused []string
	s := &Server{opts: Opts{OnRefused: func(client, _, topic string) { refused = append(refused, client+" "+topic) }},
		changed: make(chan struct{})}
	s.readLog(strings.NewReader("Denied PUBLISH from a/b (d0, q1, r1, m1, '" + strings.Repeat("x", 3*maxLine) + "', ... (1 bytes))\n" +
		"Denied PUBLISH from a/c (d0, q1, r1, m1, 'y', ... (1 bytes))\nSending SUBACK to a/c\nDenied PUBLISH from \n\tx (QoS 0)\n"))
	if !slices.Equal(refused, []string{"a/c y"}) {
		t.Errorf("%q", refused)
	}
}
