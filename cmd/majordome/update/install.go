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

// ErrNotOffered says that no package with this sum is offered.
var ErrNotOffered = errors.New("update: this is not what is offered")

// failure is the reason why an Install is undone.
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

// Install installs the package that is offered under this sum. If it fails, the former package and its data
// are restored; the error gives the reason, and so does the Report.
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
		return ErrBusy // Recover must run first
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
	if err != nil { // nothing was changed
		return errors.Join(err, m.clear(), m.tell(told(Returned, err, offered)))
	}
	return m.replace(offered)
}

// recheck verifies the copy again, because keys may have been removed and packages installed since it was
// offered. It returns the installed size in bytes.
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

// reportOf returns the report of an error.
func told(s State, err error, of Told) Told {
	t := Told{State: s, Version: of.Version, From: of.From, Why: Refusing}
	var f *failure
	if errors.As(err, &f) {
		t.Why = f.why
	}
	return t
}

// prepareRollback prepares the way back: it copies the program, packs the installed package and reserves disk
// space. It does not change the running program.
func (m *Machine) prepare(size int64) error {
	if err := m.remove(way...); err != nil { // left by an Install that was interrupted before it changed anything
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
	room := 2*size + 16<<20 // the former package unpacked, and its data
	return errors.Join(reserve(f, room), f.Sync(), f.Close(), durable.SyncFolder(m.Dir))
}

// minFree is the disk space, in bytes, left for the game, which goes on meanwhile.
const spare = 16 << 20

// checkRoom returns an error if the disk of a file has less free space than room and minFree.
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

// reserveRoom allocates disk space for a file. It checks first, because fallocate(2) would fill the disk
// before it fails.
func reserve(f *os.File, room int64) error {
	if err := roomFor(f, room); err != nil {
		return err
	}
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, room); !errors.Is(err, syscall.EOPNOTSUPP) {
		return err
	}
	return nil
}

// replacePackage does the installation. Recover undoes it if it is interrupted at any point.
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

// finishJob ends a job whose new program is ready.
func (m *Machine) finish(j job) error {
	return errors.Join(m.tell(Told{State: Done, Version: j.To, From: j.From}), m.remove(jobFile),
		durable.SyncFolder(m.Dir), m.clear())
}

// Recover ends an interrupted Install, if there is one. It completes the Install if the new program is
// running and ready; otherwise it undoes it and starts the daemon. It does nothing while an Install is
// running, because that starts the daemon itself.
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
	if ready && j.Step == stepStart { // it may be in use already: too late to go back
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

// rollBack undoes an Install that has failed, and starts the former program.
func (m *Machine) back(t Told) error {
	err := m.Service.Stop()
	if j, under := m.journal(); under {
		err = errors.Join(err, m.undo(j, t))
	}
	return errors.Join(err, m.Service.Start())
}

// undoJob restores the former package and its data, if the job has come so far, and ends the job. If it is
// interrupted, it can be repeated.
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
	if err != nil { // the journal stays, and the next start retries
		t.State = Stuck
		return errors.Join(err, m.tell(t))
	}
	return errors.Join(m.tell(t), m.remove(jobFile), durable.SyncFolder(m.Dir), m.clear())
}

// removeWorkFiles removes the files that only an Install needs.
func (m *Machine) clear() error {
	return errors.Join(m.remove(way...), m.remove(candidateFile, signatureFile))
}

// rollbackFiles are needed for the way back.
var way = []string{formerFile, formerTree, reserveFile, dataFolder, programFile}

// dpkgBusy matches dpkg's message that another program uses it: "by another process" in Debian 12, "by
// apt-get process" from 13 on.
var inUse = regexp.MustCompile(`lock was locked by .+ process`)

// installPackage installs a package with dpkg; its scripts do not start or stop the daemon. It waits while
// another program uses dpkg, as apt does automatically after a start.
func (m *Machine) put(file string) error {
	for end := time.Now().Add(toolWait); ; time.Sleep(200 * time.Millisecond) {
		_, err := tool("dpkg", "--force-downgrade", "--force-confold", "--install", m.path(file))
		if err == nil || !inUse.MatchString(err.Error()) || time.Now().After(end) {
			return err
		}
	}
}

const saved = "before.db"

// saveData writes all data into one file, with the program that wrote them and as the account of the daemon.
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

// repackFormer packs the installed files into a package.
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

// copyEntry copies a folder, a link or a file of a root into a tree. It skips a missing one, because dpkg may
// be configured to leave files out.
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
	case isDir(from): // /lib is a link to a folder, but a folder in the package
		return os.MkdirAll(to, 0o755)
	}
	return copyFile(from, to)
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// copyFile copies a file with its permissions; the copy is on disk when it returns.
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
