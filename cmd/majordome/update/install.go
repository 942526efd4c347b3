package update

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"majordome/cmd/majordome/durable"
)

// ErrNotOffered says that nothing with this sum is offered.
var ErrNotOffered = errors.New("update: this is not what is offered")

// failure is why an Install is undone.
type failure struct {
	why Why
	err error
}

func (f *failure) Error() string { return "update: " + string(f.why) + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func failed(why Why, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "No space left on device") {
		why = Full
	}
	return &failure{why, err}
}

// Install puts what is offered under this sum in the place of what runs. When that does not do, the former one is back
// with its data, and the error says why, as Told does.
func (m *Machine) Install(sum string) error {
	free, err := m.lock(lockFile, false)
	if err != nil {
		return err
	}
	defer free()
	looked, err := m.lock(lookLock, true)
	if err != nil {
		return err
	}
	defer looked()
	if _, under := m.journal(); under {
		return ErrBusy // Back comes first
	}
	offered := Read(m.Dir)
	if offered.State != Offered || sum == "" || offered.Sum != sum {
		return ErrNotOffered
	}
	m.at("asked")
	size, err := m.again(offered)
	if err == nil {
		err = failed(NoFormer, m.prepare(size))
	}
	if err != nil { // nothing has been changed
		return errors.Join(err, m.clear(), m.tell(told(Returned, err, offered)))
	}
	return m.replace(offered)
}

// again judges the copy once more: keys may have been taken away, and packages installed, since it was offered.
func (m *Machine) again(offered Told) (size int64, err error) {
	now, arch, err := m.running()
	if err != nil {
		return 0, failed(NoFormer, err)
	}
	t := Told{From: now}
	if m.weigh(&t, arch); t.Why != Fine || t.Sum != offered.Sum {
		return 0, failed(Forged, fmt.Errorf("it was offered, and is now %q", t.Why))
	}
	if c := readControl(m.path(candidateFile)); c != nil {
		size = c.Size
	}
	return size, nil
}

// told is what an error tells.
func told(s State, err error, of Told) Told {
	t := Told{State: s, Version: of.Version, From: of.From, Why: Refusing}
	var f *failure
	if errors.As(err, &f) {
		t.Why = f.why
	}
	return t
}

// prepare makes the way back: the program, the package and the room. Nothing of it changes what runs.
func (m *Machine) prepare(size int64) error {
	if err := m.remove(way...); err != nil { // of one that was cut off before it changed anything
		return err
	}
	m.at("prepare")
	if err := copyFile(filepath.Join(m.Root, "usr/bin", packageName), m.path(programFile)); err != nil {
		return err
	}
	if err := m.repack(); err != nil {
		return err
	}
	f, err := os.OpenFile(m.path(reserveFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	room := 2*size + 16<<20 // the former one unpacked, and its data
	return errors.Join(reserve(f, room), f.Sync(), f.Close(), durable.SyncFolder(m.Dir))
}

// spare is what is left on the disk for the game, which goes on meanwhile.
const spare = 16 << 20

// roomFor reports whether the disk of a file has so much room, and what is spare.
func roomFor(f *os.File, room int64) error {
	var disk syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &disk); err != nil {
		return err
	}
	if uint64(room)+spare > disk.Bavail*uint64(disk.Bsize) {
		return syscall.ENOSPC
	}
	return nil
}

// reserve takes room for a file where there is more than that: fallocate(2) would fill the disk before it says that there is not.
func reserve(f *os.File, room int64) error {
	if err := roomFor(f, room); err != nil {
		return err
	}
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, room); !errors.Is(err, syscall.EOPNOTSUPP) {
		return err
	}
	return nil
}

// replace does it. From its first line on whatever cuts it off is undone by Back.
func (m *Machine) replace(offered Told) error {
	j := job{From: offered.From, To: offered.Version, Step: stepBegun}
	err := failed(Refusing, errors.Join(m.note(j), m.tell(Told{State: Installing, Version: j.To, From: j.From})))
	m.at("stop")
	if err == nil {
		err = failed(Refusing, m.Service.Stop())
	}
	m.at("save")
	if err == nil {
		err = failed(NoBackup, m.save())
	}
	if err == nil {
		j.Step = stepInstall
		err = failed(Refusing, m.note(j))
	}
	m.at("install")
	if err == nil {
		err = failed(Refusing, m.put(candidateFile))
	}
	m.at("installed")
	if err == nil {
		j.Step = stepStart
		err = failed(Refusing, m.note(j))
	}
	m.at("start")
	if err == nil {
		err = failed(NotReady, m.Service.Start())
	}
	m.at("ready")
	if err != nil {
		return errors.Join(err, m.back(told(Returned, err, offered)))
	}
	return m.finish(j)
}

// finish ends a job whose newer one is ready.
func (m *Machine) finish(j job) error {
	return errors.Join(m.tell(Told{State: Done, Version: j.To, From: j.From}), m.remove(jobFile), durable.SyncFolder(m.Dir), m.clear())
}

// Back ends what was cut off, if anything was: an Install that was ended while the newer one stands ready is done, and any other is
// undone, and the daemon starts. While an Install is under way, which starts the daemon, it does nothing.
func (m *Machine) Back() error {
	free, err := m.lock(lockFile, false)
	if errors.Is(err, ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer free()
	looked, err := m.lock(lookLock, true)
	if err != nil {
		return err
	}
	defer looked()
	j, under := m.journal()
	if !under {
		return nil
	}
	ready, tries := m.Service.Runs()
	if ready && j.Step == stepStart { // and has been played with, maybe: it is too late to go back
		return m.finish(j)
	}
	if tries {
		if err := m.Service.Stop(); err != nil {
			return err
		}
	}
	err = m.undo(j, Told{State: Returned, Why: Cut, Version: j.To, From: j.From})
	return errors.Join(err, m.Service.Begin())
}

// back undoes an Install that has failed, and starts the former one.
func (m *Machine) back(t Told) error {
	err := m.Service.Stop()
	if j, under := m.journal(); under {
		err = errors.Join(err, m.undo(j, t))
	}
	return errors.Join(err, m.Service.Start())
}

// undo puts the former package and its data back, as far as the job has come, and ends the job. Cut off, it is begun again.
func (m *Machine) undo(j job, t Told) error {
	m.at("undo")
	err := m.remove(reserveFile)
	if err == nil && j.Step != stepBegun {
		err = m.put(formerFile)
	}
	m.at("undone")
	if err == nil && j.Step == stepStart {
		err = m.restore()
	}
	m.at("restored")
	if err != nil { // the journal stays, and the next start tries again
		t.State = Stuck
		return errors.Join(err, m.tell(t))
	}
	return errors.Join(m.tell(t), m.remove(jobFile), durable.SyncFolder(m.Dir), m.clear())
}

// clear removes what only an Install wants.
func (m *Machine) clear() error {
	return errors.Join(m.remove(way...), m.remove(candidateFile, signatureFile))
}

// way is the way back.
var way = []string{formerFile, formerTree, reserveFile, dataFolder, programFile}

// inUse is how dpkg says so: "by another process" in Debian 12, "by apt-get process" from 13 on.
var inUse = regexp.MustCompile(`lock was locked by .+ process`)

// put has dpkg install a package. Its scripts leave the daemon as it is. While somebody else uses dpkg, as apt does by itself
// after a start, it waits: dpkg would refuse.
func (m *Machine) put(file string) error {
	for end := time.Now().Add(toolWait); ; time.Sleep(200 * time.Millisecond) {
		_, err := tool("dpkg", "--force-downgrade", "--force-confold", "--install", m.path(file))
		if err == nil || !inUse.MatchString(err.Error()) || time.Now().After(end) {
			return err
		}
	}
}

const saved = "before.db"

// save has the daemon's account write all its data into one file, by the program that wrote them.
func (m *Machine) save() error {
	folder := m.path(dataFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	return m.As(folder, m.path(programFile), "backup", filepath.Join(folder, saved))
}

func (m *Machine) restore() error {
	folder := m.path(dataFolder)
	return m.As(folder, m.path(programFile), "restore", "--yes", filepath.Join(folder, saved))
}

// repack makes a package of what is installed.
func (m *Machine) repack() error {
	m.at("repack")
	tree := m.path(formerTree)
	if err := os.MkdirAll(filepath.Join(tree, "DEBIAN"), 0o755); err != nil {
		return err
	}
	listed, err := tool("dpkg-query", "--listfiles", packageName)
	if err != nil {
		return err
	}
	for name := range strings.Lines(listed) {
		if err := copyAny(m.Root, tree, strings.TrimSpace(name)); err != nil {
			return err
		}
	}
	status, err := tool("dpkg-query", "--status", packageName)
	if err != nil {
		return err
	}
	var control strings.Builder
	for line := range strings.Lines(status + "\n") {
		if !strings.HasPrefix(line, "Status:") {
			control.WriteString(line)
		}
	}
	if err := os.WriteFile(filepath.Join(tree, "DEBIAN/control"), []byte(control.String()), 0o644); err != nil {
		return err
	}
	scripts, err := tool("dpkg-query", "--control-list", packageName)
	if err != nil {
		return err
	}
	for script := range strings.FieldsSeq(scripts) {
		from, err := tool("dpkg-query", "--control-path", packageName, script)
		if err == nil {
			err = copyFile(from, filepath.Join(tree, "DEBIAN", script))
		}
		if err != nil {
			return err
		}
	}
	if _, err := tool("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, m.path(formerFile)); err != nil {
		return err
	}
	f, err := os.Open(m.path(formerFile))
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	return errors.Join(err, m.remove(formerTree))
}

// copyAny copies a folder, a link or a file of a root into a tree. What dpkg was told to leave out is not there.
func copyAny(root, tree, name string) error {
	from, to := filepath.Join(root, name), filepath.Join(tree, name)
	st, err := os.Lstat(from)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case st.Mode()&os.ModeSymlink != 0 && !isDir(from):
		link, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(link, to)
	case isDir(from): // /lib is a link to a folder, and a folder in the package
		return os.MkdirAll(to, 0o755)
	}
	return copyFile(from, to)
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// copyFile copies a file with its rights, and has it on disk when it returns.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	st, err := src.Stat()
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, st.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Chmod(st.Mode().Perm()), dst.Sync(), dst.Close())
}
