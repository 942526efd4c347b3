package results

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"majordome/companion/porttest"
)

// server is a PostgreSQL server of the test, in a folder of its own.
type server struct {
	t      testing.TB
	later  func(func()) // calls a function at the end
	bin    string
	folder string
	port   string
	log    bytes.Buffer
	stop   func()
}

// asOther makes a command run as the user nobody if this one is root, as PostgreSQL does not run as root.
func (s *server) asOther(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.Dir = "/"
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return c
}

// newServer makes a database server, which is not started yet. Without PostgreSQL the test is skipped, and fails in CI.
func newServer(t testing.TB, later func(func())) *server {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		if os.Getenv("CI") != "" {
			t.Fatal("PostgreSQL is not installed: apt-get install postgresql")
		}
		t.Skip("SKIPPED, PostgreSQL is not installed: apt-get install postgresql")
	}
	folder, err := os.MkdirTemp("/tmp", "majordome-postgres-") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	later(func() { _ = os.RemoveAll(folder) })
	if os.Geteuid() == 0 {
		if err := os.Chown(folder, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	s := &server{t: t, later: later, bin: filepath.Dir(found[len(found)-1]), folder: folder}
	_, s.port, _ = net.SplitHostPort(porttest.FreeAddress(t))
	initdb := s.asOther("initdb", "-D", s.data(), "-U", "majordome", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	return s
}

func (s *server) data() string { return filepath.Join(s.folder, "data") }

func (s *server) url() string { return "postgres://majordome@127.0.0.1:" + s.port + "/postgres" }

// start starts the server, and waits until it answers.
func (s *server) start() {
	s.t.Helper()
	c := s.asOther("postgres", "-D", s.data(), "-p", s.port, "-h", "127.0.0.1", "-k", "", "-F")
	c.Stdout, c.Stderr = &s.log, &s.log
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.stop = sync.OnceFunc(func() { // SIGQUIT: at once, as a machine that loses power
		_ = c.Process.Signal(syscall.SIGQUIT)
		_ = c.Wait()
	})
	s.later(s.stop)
	for end := time.Now().Add(time.Minute); s.asOther("pg_isready", "-h", "127.0.0.1", "-p", s.port).Run() != nil; {
		if time.Now().After(end) {
			s.t.Fatalf("PostgreSQL does not start: %s", s.log.String())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// copyTo copies the files of the server, which must not run.
func (s *server) copyTo(folder string) {
	s.t.Helper()
	if out, err := exec.Command("cp", "-a", s.data(), folder).CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
}

// shared is one server for all tests that do not stop it.
var shared sharedServer

type sharedServer struct {
	mu     sync.Mutex
	server *server
	atEnd  []func()
}

// TestMain stops the shared server after all tests.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, do := range slices.Backward(shared.atEnd) {
		do()
	}
	os.Exit(code)
}

// get returns the server, and starts it first if no test has used it yet.
func (x *sharedServer) get(t *testing.T) *server {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.server == nil {
		x.server = newServer(t, func(do func()) { x.atEnd = append(x.atEnd, do) })
		x.server.start()
	}
	return x.server
}

// openPostgres opens a store in a database of its own; "": in the first one of the server.
func openPostgres(t *testing.T, s *server, database string) Store {
	t.Helper()
	address := s.url()
	if database != "" {
		if out, err := s.asOther("createdb", "-h", "127.0.0.1", "-p", s.port, "-U", "majordome", database).CombinedOutput(); err != nil {
			t.Fatalf("createdb: %v: %s", err, out)
		}
		address = strings.TrimSuffix(address, "postgres") + database
	}
	store, err := OpenPostgres(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// TestPostgresAway: while the database is away each call fails and the games go on at the table; when it is back, with what it
// had or with an older copy, the venue has each result once.
func TestPostgresAway(t *testing.T) {
	t.Parallel()
	s := newServer(t, t.Cleanup)
	store := openPostgres(t, s, "")
	v := &venueOf{t: t, store: store, table: &tableOf{name: "t7", id: "1f"}}
	ctx := context.Background()
	play := func(games int) {
		for range games {
			v.table.begin()
			v.table.endGame("HC-1")
		}
	}
	mustFail := func() {
		t.Helper()
		i := v.table.index()
		if _, err := Update(ctx, store, "t7", &i, time.UnixMilli(1)); err == nil {
			t.Error("a database that is away answers")
		} else if strings.Contains(err.Error(), "no such table") {
			t.Error(err)
		}
	}
	restart := func() {
		t.Helper()
		s.start()
		for end := time.Now().Add(time.Minute); ; { // connections of before the end fail once
			if _, err := store.Gaps(ctx, 1); err == nil {
				return
			} else if time.Now().After(end) {
				t.Fatal(err)
			}
		}
	}
	play(3)
	mustFail() // it was never there
	restart()
	v.settle()
	s.stop()
	s.copyTo(filepath.Join(s.folder, "older"))
	play(4)
	mustFail()
	restart()
	v.settle()
	if got := v.listValid(); len(got) != 7 {
		t.Fatalf("after it was away: %v", got)
	}
	play(2)
	v.settle()
	s.stop()
	if err := errors.Join(os.RemoveAll(s.data()), os.Rename(filepath.Join(s.folder, "older"), s.data())); err != nil {
		t.Fatal(err)
	}
	restart()
	v.settle()
	if got := v.listValid(); len(got) != 9 {
		t.Errorf("with an older copy: %v", got)
	}
}

// TestPostgresAddress: only addresses of PostgreSQL are accepted, and no error quotes the password.
func TestPostgresAddress(t *testing.T) {
	for _, bad := range []string{"", "mysql://a:secret@h/d", "postgres://a:secret@h:port/d", "host=h password=secret"} {
		if s, err := OpenPostgres(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v %v", bad, s, err)
		}
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "SSH-2.0-OpenSSH\r\n") // some other program
			_ = c.Close()
		}
	}()
	s, err := OpenPostgres("postgres://a:secret@" + silent.Addr().String() + "/d?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err = s.Gaps(context.Background(), 1); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

// TestNewerSchemaIsRefused: a program does not touch a database of a newer one.
func TestNewerSchemaIsRefused(t *testing.T) {
	s, err := OpenSQLite(filepath.Join(t.TempDir(), "r"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	db := s.(*sqlStore)
	if _, err := db.exec(context.Background(), "x", "INSERT INTO majordome_schema (version) VALUES (99)"); err != nil {
		t.Fatal(err)
	}
	db.isMigrated = false
	if _, err := s.Gaps(context.Background(), 1); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("%v", err)
	}
}
