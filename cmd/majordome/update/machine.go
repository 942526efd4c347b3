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

// The files of Machine.Dir.
const (
	candidateFile = "candidate.deb"
	signatureFile = "candidate.deb.minisig"
	jobFile       = "job.json"
	formerFile    = "former.deb" // the package that ran
	formerTree    = "former"     // of which it is made
	programFile   = "back"       // the program that ran: majordome-update-back.service and -cut start it
	reserveFile   = "reserve"    // room for the way back
	dataFolder    = "data"       // the account's of the daemon
	lockFile      = "lock"       // of Install and Back
	lookLock      = "look.lock"  // of who looks at a candidate or takes it
)

// Machine is the computer on which all this happens.
type Machine struct {
	Dir      string // for root alone to write
	Root     string // of the file system: "/"
	KeyFiles []string
	Service  Service
	// As runs a program as the account of the daemon; the folder is given to it before.
	As func(folder, program string, args ...string) error
	// At is called before each step, for a test that cuts it off there; nil: nobody.
	At func(step string)
}

// Service is the daemon.
type Service interface {
	// Runs reports one that is ready, and one that is, or tries to be.
	Runs() (ready, tries bool)
	Stop() error
	// Start gives nil when it has become ready, and has stayed so for a moment.
	Start() error
	// Begin starts it and waits for nothing: it may wait for who calls this.
	Begin() error
}

// This is the computer that runs this.
func This() *Machine {
	return &Machine{Dir: Dir, Root: "/", KeyFiles: KeyFiles, Service: systemd{}, As: asDaemon}
}

func (m *Machine) at(step string) {
	if m.At != nil {
		m.At(step)
	}
}

func (m *Machine) path(name string) string { return filepath.Join(m.Dir, name) }

// remove removes what is there of some files and folders.
func (m *Machine) remove(names ...string) (err error) {
	for _, n := range names {
		err = errors.Join(err, os.RemoveAll(m.path(n)))
	}
	return err
}

func (m *Machine) tell(t Told) error { return write(m.Dir, t) }

// running is the version that is installed, and the kind of this machine. A package that is half installed has a version, too.
func (m *Machine) running() (version, arch string, err error) {
	version, err = tool("dpkg-query", "--show", "--showformat=${Version}", packageName)
	if err == nil {
		arch, err = tool("dpkg", "--print-architecture")
	}
	return version, arch, err
}

// job is the journal: what is being put in the place of what, and how far that has come.
type job struct {
	From, To string
	Step     string // stepBegun, and so on
}

// The steps of a job. Until stepInstall nothing has been changed, and until stepStart nobody has written to the data.
const (
	stepBegun   = "begun"
	stepInstall = "install"
	stepStart   = "start"
)

// journal is the job that is under way, or was cut off.
func (m *Machine) journal() (j job, under bool) {
	text, err := readSmall(m.path(jobFile), maxTold)
	if errors.Is(err, os.ErrNotExist) {
		return j, false
	}
	if err != nil || json.Unmarshal(text, &j) != nil { // of a disk that is broken: the worst is thought of
		return job{Step: stepInstall}, true
	}
	return j, true
}

func (m *Machine) note(j job) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return durable.WriteFile(m.path(jobFile), text, 0o600)
}

// ErrBusy says that another one of these is at it.
var ErrBusy = errors.New("update: another one is under way")

// lock keeps others out until free, or the end of the process. It waits for them, or not.
func (m *Machine) lock(name string, wait bool) (free func(), err error) {
	f, err := os.OpenFile(m.path(name), os.O_RDWR|os.O_CREATE, 0o600)
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

// systemd starts and stops the unit.
type systemd struct{}

const (
	unit      = "majordome.service"
	readyWait = 150 * time.Second // TimeoutStartSec of the unit, and a little
	stays     = 10 * time.Second
)

func (systemd) Runs() (ready, tries bool) {
	state, _ := tool("systemctl", "is-active", unit) // its status says the same
	return state == "active", state != "inactive" && state != "failed"
}

func (systemd) Stop() error {
	_, err := tool("systemctl", "stop", unit)
	return err
}

func (systemd) Begin() error {
	_, err := tool("systemctl", "--no-block", "start", unit)
	return err
}

func (systemd) Start() error {
	ctx, end := context.WithTimeout(context.Background(), readyWait)
	defer end()
	said, err := exec.CommandContext(ctx, "systemctl", "start", unit).CombinedOutput() // Type=notify: until it is ready, or has failed
	if err != nil {
		return fmt.Errorf("systemctl start: %w: %s", err, ownfile.Visible(strings.TrimSpace(string(said)), 300))
	}
	time.Sleep(stays)
	now, err := tool("systemctl", "show", "--property=ActiveState,NRestarts", unit)
	if err == nil && now != "NRestarts=0\nActiveState=active" && now != "ActiveState=active\nNRestarts=0" {
		err = errors.New("it was ready, and has ended: " + ownfile.Visible(now, 100))
	}
	return err
}

// asDaemon runs a program without any of root's rights.
func asDaemon(folder, program string, args ...string) error {
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
		return fmt.Errorf("%s: %w: %s", args[0], err, ownfile.Visible(strings.TrimSpace(string(said)), 300))
	}
	return nil
}
