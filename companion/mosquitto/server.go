package mosquitto

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	firstPause  = 500 * time.Millisecond
	maxPause    = 30 * time.Second
	searchPause = 10 * time.Second // between two searches for a Mosquitto that is not installed
	steadyTime  = time.Minute      // a run of this length was good, and resets the pause
	stopTimeout = 3 * time.Second  // before a Mosquitto that was asked to end is killed
	askInterval = 100 * time.Millisecond
)

// Opts are the parameters of a Server.
type Opts struct {
	// Folder contains the files; Start makes it if it is missing, readable by this user only.
	Folder string
	// Accounts returns all accounts; it is called at each start of Mosquitto.
	Accounts func() []Account
	// OnRefused is called after each refusal: kind is Publish with a topic, or Subscribe with a filter. It must not block.
	OnRefused func(client, kind, topic string)
	// Log receives starts and ends. Nil logs nothing.
	Log *slog.Logger
	// find replaces findProgram in tests.
	find func() (program, plugin string, err error)
}

// Status is the state of Mosquitto.
type Status struct {
	Running    bool
	Err        error    // ErrMissing, or why it did not start or has ended; nil: neither
	LastErrors []string // its last errors and warnings; at most 8
	Starts     int
	SetAside   bool // the retained messages of an earlier run were unreadable and set aside
}

// Server keeps a Mosquitto running. It is safe for concurrent use.
type Server struct {
	opts       Opts
	password   string
	socket     string
	tempFolder string // a temporary folder for the socket, if its path in Folder would be too long
	stop       chan struct{}
	exhausted  chan struct{} // has an element after a Mosquitto has reported that it is out of memory
	stopOnce   sync.Once
	wg         sync.WaitGroup

	connMu sync.Mutex // only one shortConn at a time

	mu         sync.Mutex
	status     Status
	lastErrors []string
	changed    chan struct{} // closed when status.Running or status.Err changes
}

// Start starts Mosquitto in the background, and again whenever it ends, until Close. It does not wait until Mosquitto runs.
func Start(o *Opts) (*Server, error) {
	s := &Server{opts: *o, password: rand.Text(), stop: make(chan struct{}), exhausted: make(chan struct{}, 1),
		changed: make(chan struct{})}
	if s.opts.Log == nil {
		s.opts.Log = slog.New(slog.DiscardHandler)
	}
	if s.opts.find == nil {
		s.opts.find = findProgram
	}
	var err error
	if s.opts.Folder, err = filepath.Abs(o.Folder); err != nil {
		return nil, fmt.Errorf("mosquitto: %w", err)
	}
	if strings.ContainsAny(s.opts.Folder, "\n\r") {
		return nil, fmt.Errorf("mosquitto: a bad folder: %q", s.opts.Folder)
	}
	// The name is new at each start: a Mosquitto of the last start may still be ending, and removes its own socket then.
	s.socket = filepath.Join(s.opts.Folder, strings.ToLower(rand.Text())[:6]+socketSuffix)
	if len(s.socket) > maxSocketPath {
		if s.tempFolder, err = os.MkdirTemp("", "majordome-"); err != nil {
			return nil, fmt.Errorf("mosquitto: %w", err)
		}
		s.socket = filepath.Join(s.tempFolder, "s"+socketSuffix)
	}
	s.wg.Go(s.runAgainAndAgain)
	return s, nil
}

// SharedPassword returns the password of all accounts.
func (s *Server) SharedPassword() string { return s.password }

// Status returns a copy of the present status.
func (s *Server) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.status
	now.LastErrors = slices.Clone(s.lastErrors)
	return now
}

// Close ends Mosquitto, and kills it if it has not ended after three seconds.
func (s *Server) Close() error {
	s.stopOnce.Do(func() { close(s.stop) })
	s.wg.Wait()
	if s.tempFolder != "" {
		if err := os.RemoveAll(s.tempFolder); err != nil {
			return fmt.Errorf("mosquitto: %w", err)
		}
	}
	return nil
}

// Dial connects to Mosquitto. If Mosquitto is still starting, Dial waits for it until ctx ends.
func (s *Server) Dial(ctx context.Context) (net.Conn, error) {
	for {
		s.mu.Lock()
		now, changed := s.status, s.changed
		s.mu.Unlock()
		switch {
		case now.Running:
			conn, err := (&net.Dialer{}).DialContext(ctx, "unix", s.socket)
			if err != nil {
				return nil, fmt.Errorf("mosquitto: %w", err)
			}
			return conn, nil
		case now.Err != nil:
			return nil, fmt.Errorf("mosquitto: %w", now.Err)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("mosquitto: %w", ctx.Err())
		case <-s.stop:
			return nil, net.ErrClosed
		}
	}
}

// updateStatus changes the status and wakes those that wait for a change.
func (s *Server) updateStatus(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
	close(s.changed)
	s.changed = make(chan struct{})
}

// setRunning records that Mosquitto runs, or has stopped.
func (s *Server) setRunning(running bool) {
	s.updateStatus(func(now *Status) {
		if now.Running = running; running {
			now.Err = nil
			now.Starts++
		}
	})
}

// runAgainAndAgain starts Mosquitto again and again. It locks its thread, because Linux ends a child with the thread that has started it.
func (s *Server) runAgainAndAgain() {
	runtime.LockOSThread()
	pause := firstPause
	for {
		began := time.Now()
		err := s.configureAndRunOnce()
		select {
		case <-s.stop:
			return
		default:
		}
		wait := pause
		switch {
		case errors.Is(err, ErrMissing):
			wait = searchPause
		case time.Since(began) >= steadyTime:
			wait, pause = firstPause, firstPause
		default:
			pause = min(2*pause, maxPause)
		}
		known := errors.Is(err, ErrMissing) && errors.Is(s.Status().Err, ErrMissing)
		if s.updateStatus(func(now *Status) { now.Running, now.Err = false, err }); !known {
			s.logFailure(err, wait)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-s.stop:
			timer.Stop()
			return
		}
	}
}

// logFailure logs that Mosquitto does not run, and the pause before the next start.
func (s *Server) logFailure(err error, pause time.Duration) {
	s.opts.Log.Error("mosquitto: the broker for the devices of the house does not run",
		"error", err, "again", pause, "said", strings.Join(s.Status().LastErrors, "; "),
		"conseil", "le serveur MQTT des appareils de la maison ne marche pas ; il est relancé, et la table joue sans lui")
}

// configureAndRunOnce configures Mosquitto and runs it until it ends.
func (s *Server) configureAndRunOnce() error {
	program, plugin, err := s.opts.find()
	if err != nil {
		return err
	}
	if err := s.writeConfig(plugin); err != nil {
		return err
	}
	s.mu.Lock()
	s.lastErrors = nil
	starts := s.status.Starts
	s.mu.Unlock()
	cmd := exec.Command(program, "-c", filepath.Join(s.opts.Folder, configFile))
	cmd.Dir, cmd.Env, cmd.SysProcAttr = s.opts.Folder, []string{}, childAttributes()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := limitMemory(cmd.Process.Pid); err != nil {
		s.opts.Log.Warn("mosquitto: its memory is not bounded", "error", err,
			"conseil", "rien à faire : le serveur MQTT de la maison marche, sans borne à sa mémoire")
	}
	ended := make(chan struct{})
	var stopping sync.WaitGroup
	select {
	case <-s.exhausted: // by the last one
	default:
	}
	stopping.Go(func() { s.stopChild(cmd.Process, ended) })
	s.readLog(stderr)
	err = cmd.Wait()
	close(ended)
	stopping.Wait()
	s.setRunning(false)
	if s.Status().Starts == starts { // it never ran
		s.setAsideBadDatabase(cmd.ProcessState)
	}
	if err == nil {
		err = errors.New("it has ended")
	}
	return err
}

// stopChild waits until ended is closed. Before, after Close or when Mosquitto is out of memory, it asks the process to end, and kills it
// if ended is not closed in time. It asks again and again, because Mosquitto ignores the signal from shortly before it logs that it runs
// until shortly after.
func (s *Server) stopChild(p *os.Process, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-s.stop:
	case <-s.exhausted: // it would run on, and refuse everybody
	}
	timeout, again := time.NewTimer(stopTimeout), time.NewTicker(askInterval)
	defer timeout.Stop()
	defer again.Stop()
	for {
		_ = p.Signal(syscall.SIGTERM)
		select {
		case <-ended:
			return
		case <-again.C:
		case <-timeout.C:
			_ = p.Kill()
			return
		}
	}
}

// setAsideBadDatabase renames the database if Mosquitto has not started because of it; otherwise it would never start again.
func (s *Server) setAsideBadDatabase(state *os.ProcessState) {
	crashed := state.ExitCode() < 0
	if !crashed && !slices.ContainsFunc(s.Status().LastErrors, func(line string) bool { return strings.Contains(line, "database") }) {
		return
	}
	from, to := filepath.Join(s.opts.Folder, storeFile), filepath.Join(s.opts.Folder, unreadFile)
	if err := os.RemoveAll(to); err != nil {
		return
	}
	if err := os.Rename(from, to); err != nil {
		return // there was none
	}
	s.updateStatus(func(now *Status) { now.SetAside = true })
	s.opts.Log.Error("mosquitto: what was retained is unreadable, and set aside", "file", to,
		"conseil", "les messages gardés du serveur MQTT de la maison étaient illisibles : "+
			"il repart sans eux, et les appareils les redisent")
}
