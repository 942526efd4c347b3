package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"majordome/cmd/majordome/durable"
	"majordome/engine/ownfile"
)

// The files in Machine.Dir.
const (
	candidateFile = "candidate.deb"
	signatureFile = "candidate.deb.minisig"
	jobFile       = "job.json"
	formerFile    = "former.deb" // the package that ran
	formerTree    = "former"     // contents of formerFile
	programFile   = "back"       // copy of the program that ran; majordome-update-back.service and -cut start it
	reserveFile   = "reserve"    // allocated disk space for the way back
	dataFolder    = "data"       // belongs to the account of the daemon
	lockFile      = "lock"       // held by Install and Recover
	checkLock     = "look.lock"  // held while a candidate is copied, checked or installed
)

// Machine is the computer that is updated.
type Machine struct {
	Dir      string // only root may write there
	Root     string // root of the file system: "/"
	KeyFiles []string
	Service  Service
	// RunAsDaemon makes the daemon's account the owner of folder, and runs program with args as that account.
	RunAsDaemon func(folder, program string, args ...string) error
	// OnStep is called before each step, for tests that interrupt it there; nil: not called.
	OnStep func(step string)
}

// Service controls the daemon.
type Service interface {
	// RunState reports whether the daemon is ready, and whether it is active at all: ready, starting or
	// restarting.
	RunState() (ready, tries bool)
	Stop() error
	// StartAndWait starts the daemon and returns nil when it is ready and has stayed so for a moment.
	StartAndWait() error
	// StartAsync starts the daemon without waiting, because the daemon may wait for the caller.
	StartAsync() error
}

// NewMachine returns the computer that this program runs on.
func NewMachine() *Machine {
	return &Machine{Dir: Dir, Root: "/", KeyFiles: KeyFiles, Service: systemd{}, RunAsDaemon: runAsDaemon}
}

func (m *Machine) reportStepToTest(step string) {
	if m.OnStep != nil {
		m.OnStep(step)
	}
}

func (m *Machine) pathOf(name string) string { return filepath.Join(m.Dir, name) }

// removeFiles removes files and folders that exist.
func (m *Machine) removeFiles(names ...string) (err error) {
	for _, n := range names {
		err = errors.Join(err, os.RemoveAll(m.pathOf(n)))
	}
	return err
}

func (m *Machine) saveReport(t Report) error { return WriteReport(m.Dir, t) }

// installedVersion returns the installed version and the architecture. A half installed package has a version
// too.
func (m *Machine) installedVersion() (version, arch string, err error) {
	version, err = runTool("dpkg-query", "--show", "--showformat=${Version}", packageName)
	if err == nil {
		arch, err = runTool("dpkg", "--print-architecture")
	}
	return version, arch, err
}

// job is the content of the journal: the two versions and the progress.
type job struct {
	From, To string
	Step     string // stepBegun, stepInstall or stepStart
}

// The steps of a job. Before stepInstall nothing was changed, and before stepStart no program has written to
// the data.
const (
	stepBegun   = "begun"
	stepInstall = "install"
	stepStart   = "start"
)

// readJournal returns the job that is running or was interrupted; hasJob is false if there is none.
func (m *Machine) readJournal() (j job, hasJob bool) {
	text, err := readFileUpTo(m.pathOf(jobFile), maxReport)
	if errors.Is(err, os.ErrNotExist) {
		return j, false
	}
	if err != nil || json.Unmarshal(text, &j) != nil { // the disk is damaged: assume the worst
		return job{Step: stepInstall}, true
	}
	return j, true
}

func (m *Machine) writeJournal(j job) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return durable.WriteFile(m.pathOf(jobFile), text, 0o600)
}

// ErrBusy says that another check or installation is running.
var ErrBusy = errors.New("update: another one is under way")

// acquireLock takes a lock until free is called or the process ends. If wait is false and another process has
// the lock, the error is ErrBusy.
func (m *Machine) acquireLock(name string, wait bool) (free func(), err error) {
	f, err := os.OpenFile(m.pathOf(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrBusy
		}
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// systemd implements Service with systemctl.
type systemd struct{}

const (
	serviceUnit = "majordome.service"
	readyWait   = 150 * time.Second // a little more than TimeoutStartSec of the unit
	stableFor   = 10 * time.Second
)

func (systemd) RunState() (ready, tries bool) {
	state, _ := runTool("systemctl", "is-active", serviceUnit) // the exit status says the same
	return state == "active", state != "inactive" && state != "failed"
}

func (systemd) Stop() error {
	_, err := runTool("systemctl", "stop", serviceUnit)
	return err
}

func (systemd) StartAsync() error {
	_, err := runTool("systemctl", "--no-block", "start", serviceUnit)
	return err
}

func (systemd) StartAndWait() error {
	ctx, end := context.WithTimeout(context.Background(), readyWait)
	defer end()
	// The command waits until the daemon is ready or has failed, because the unit has Type=notify.
	said, err := exec.CommandContext(ctx, "systemctl", "start", serviceUnit).CombinedOutput()
	if err != nil {
		return fmt.Errorf("systemctl start: %w: %s", err, ownfile.VisibleText(strings.TrimSpace(string(said)), 300))
	}
	time.Sleep(stableFor)
	now, err := runTool("systemctl", "show", "--property=ActiveState,NRestarts", serviceUnit)
	if err == nil && now != "NRestarts=0\nActiveState=active" && now != "ActiveState=active\nNRestarts=0" {
		err = errors.New("it was ready, and has ended: " + ownfile.VisibleText(now, 100))
	}
	return err
}

// runAsDaemon runs a program as the account majordome, without root's rights.
func runAsDaemon(folder, program string, args ...string) error {
	u, err := user.Lookup("majordome")
	if err != nil {
		return err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return err
	}
	if err := os.Chown(folder, int(uid), int(gid)); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), readyWait)
	defer stop()
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", args[0], err, ownfile.VisibleText(strings.TrimSpace(string(said)), 300))
	}
	return nil
}
