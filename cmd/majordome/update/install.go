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
	reason Reason
	err    error
}

func (f *failure) Error() string { return "update: " + string(f.reason) + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func newFailure(reason Reason, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "No space left on device") {
		reason = Full
	}
	return &failure{reason, err}
}

// Install installs the package that is offered under this sum. If it fails, the former package and its data
// are restored; the error gives the reason, and so does the Report.
func (m *Machine) Install(sum string) error {
	free, err := m.acquireLock(lockFile, false)
	if err != nil {
		return err
	}
	defer free()
	looked, err := m.acquireLock(checkLock, true)
	if err != nil {
		return err
	}
	defer looked()
	if _, under := m.readJournal(); under {
		return ErrBusy // Recover must run first
	}
	offered := ReadReport(m.Dir)
	if offered.State != Offered || sum == "" || offered.Sum != sum {
		return ErrNotOffered
	}
	m.reportStepToTest("asked")
	size, err := m.reverifyCandidate(offered)
	if err == nil {
		err = newFailure(NoFormer, m.prepareRollback(size))
	}
	if err != nil { // nothing was changed
		return errors.Join(err, m.removeWorkFiles(), m.saveReport(failureReport(RolledBack, err, offered)))
	}
	return m.replacePackage(offered)
}

// reverifyCandidate verifies the copy again, because keys may have been removed and packages installed since it was
// offered. It returns the installed size in bytes.
func (m *Machine) reverifyCandidate(offered Report) (size int64, err error) {
	now, arch, err := m.installedVersion()
	if err != nil {
		return 0, newFailure(NoFormer, err)
	}
	t := Report{From: now}
	if m.verifyCopy(&t, arch); t.Reason != NoReason || t.Sum != offered.Sum {
		return 0, newFailure(Forged, fmt.Errorf("it was offered, and is now %q", t.Reason))
	}
	if c := readControl(m.pathOf(candidateFile)); c != nil {
		size = c.Size
	}
	return size, nil
}

// failureReport returns the report of an installation that ended in a state with err. It has the versions of offered, the
// report of the package that was to be installed; the reason is InstallFailed unless err names another.
func failureReport(state State, err error, offered Report) Report {
	t := Report{State: state, Version: offered.Version, From: offered.From, Reason: InstallFailed}
	var f *failure
	if errors.As(err, &f) {
		t.Reason = f.reason
	}
	return t
}

// prepareRollback prepares the way back: it copies the program, packs the installed package and reserves disk
// space; size is the installed size of the new package, in bytes. It does not change the running program.
func (m *Machine) prepareRollback(size int64) error {
	if err := m.removeFiles(rollbackFiles...); err != nil { // left by an Install that was interrupted before it changed anything
		return err
	}
	m.reportStepToTest("prepare")
	if err := copyToNewFile(filepath.Join(m.Root, "usr/bin", packageName), m.pathOf(programFile)); err != nil {
		return err
	}
	if err := m.repackInstalled(); err != nil {
		return err
	}
	f, err := os.OpenFile(m.pathOf(reserveFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	room := 2*size + 16<<20 // the former package unpacked, and its data
	return errors.Join(reserveSpace(f, room), f.Sync(), f.Close(), durable.SyncFolder(m.Dir))
}

// minFree is the disk space, in bytes, left for the game, which goes on meanwhile.
const minFree = 16 << 20

// checkFreeSpace returns an error if the disk of a file has less free space than room and minFree.
func checkFreeSpace(f *os.File, room int64) error {
	var disk syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &disk); err != nil {
		return err
	}
	if uint64(room)+minFree > disk.Bavail*uint64(disk.Bsize) {
		return syscall.ENOSPC
	}
	return nil
}

// reserveSpace allocates disk space for a file. It checks first, because fallocate(2) would fill the disk
// before it fails.
func reserveSpace(f *os.File, room int64) error {
	if err := checkFreeSpace(f, room); err != nil {
		return err
	}
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, room); !errors.Is(err, syscall.EOPNOTSUPP) {
		return err
	}
	return nil
}

// replacePackage installs the candidate, and restores the former package if that fails. Recover undoes it if it is
// interrupted at any point.
func (m *Machine) replacePackage(offered Report) error {
	j := job{From: offered.From, To: offered.Version, Step: stepBegun}
	err := newFailure(InstallFailed, errors.Join(m.writeJournal(j), m.saveReport(Report{State: Installing, Version: j.To, From: j.From})))
	m.reportStepToTest("stop")
	if err == nil {
		err = newFailure(InstallFailed, m.Service.Stop())
	}
	m.reportStepToTest("save")
	if err == nil {
		err = newFailure(NoBackup, m.exportAllData())
	}
	if err == nil {
		j.Step = stepInstall
		err = newFailure(InstallFailed, m.writeJournal(j))
	}
	m.reportStepToTest("install")
	if err == nil {
		err = newFailure(InstallFailed, m.installPackage(candidateFile))
	}
	m.reportStepToTest("installed")
	if err == nil {
		j.Step = stepStart
		err = newFailure(InstallFailed, m.writeJournal(j))
	}
	m.reportStepToTest("start")
	if err == nil {
		err = newFailure(NotReady, m.Service.StartAndWait())
	}
	m.reportStepToTest("ready")
	if err != nil {
		return errors.Join(err, m.rollBack(failureReport(RolledBack, err, offered)))
	}
	return m.completeJob(j)
}

// completeJob ends a job whose new program is ready.
func (m *Machine) completeJob(j job) error {
	return errors.Join(m.saveReport(Report{State: Done, Version: j.To, From: j.From}), m.removeFiles(jobFile),
		durable.SyncFolder(m.Dir), m.removeWorkFiles())
}

// Recover ends an interrupted Install, if there is one. It completes the Install if the new program is
// running and ready; otherwise it undoes it and starts the daemon. It does nothing while an Install is
// running, because that starts the daemon itself.
func (m *Machine) Recover() error {
	free, err := m.acquireLock(lockFile, false)
	if errors.Is(err, ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer free()
	looked, err := m.acquireLock(checkLock, true)
	if err != nil {
		return err
	}
	defer looked()
	j, under := m.readJournal()
	if !under {
		return nil
	}
	ready, tries := m.Service.RunState()
	if ready && j.Step == stepStart { // it may be in use already: too late to go back
		return m.completeJob(j)
	}
	if tries {
		if err := m.Service.Stop(); err != nil {
			return err
		}
	}
	err = m.undoJob(j, Report{State: RolledBack, Reason: Interrupted, Version: j.To, From: j.From})
	return errors.Join(err, m.Service.StartAsync())
}

// rollBack undoes an Install that has failed, and starts the former program.
func (m *Machine) rollBack(report Report) error {
	err := m.Service.Stop()
	if j, under := m.readJournal(); under {
		err = errors.Join(err, m.undoJob(j, report))
	}
	return errors.Join(err, m.Service.StartAndWait())
}

// undoJob restores the former package and its data, if the job has come so far, and ends the job. If it is
// interrupted, it can be repeated.
func (m *Machine) undoJob(j job, report Report) error {
	m.reportStepToTest("undo")
	err := m.removeFiles(reserveFile)
	if err == nil && j.Step != stepBegun {
		err = m.installPackage(formerFile)
	}
	m.reportStepToTest("undone")
	if err == nil && j.Step == stepStart {
		err = m.importSavedData()
	}
	m.reportStepToTest("restored")
	if err != nil { // the journal stays, and the next start retries
		report.State = Stuck
		return errors.Join(err, m.saveReport(report))
	}
	return errors.Join(m.saveReport(report), m.removeFiles(jobFile), durable.SyncFolder(m.Dir), m.removeWorkFiles())
}

// removeWorkFiles removes the files that only an Install needs.
func (m *Machine) removeWorkFiles() error {
	return errors.Join(m.removeFiles(rollbackFiles...), m.removeFiles(candidateFile, signatureFile))
}

// rollbackFiles are needed for the way back.
var rollbackFiles = []string{formerFile, formerTree, reserveFile, dataFolder, programFile}

// dpkgBusy matches dpkg's message that another program uses it: "by another process" in Debian 12, "by
// apt-get process" from 13 on.
var dpkgBusy = regexp.MustCompile(`lock was locked by .+ process`)

// installPackage installs a package with dpkg; its scripts do not start or stop the daemon. It waits while
// another program uses dpkg, as apt does automatically after a start.
func (m *Machine) installPackage(file string) error {
	for end := time.Now().Add(toolWait); ; time.Sleep(200 * time.Millisecond) {
		_, err := runTool("dpkg", "--force-downgrade", "--force-confold", "--install", m.pathOf(file))
		if err == nil || !dpkgBusy.MatchString(err.Error()) || time.Now().After(end) {
			return err
		}
	}
}

const savedData = "before.db"

// exportAllData writes all data into one file, with the program that wrote them and as the account of the daemon.
func (m *Machine) exportAllData() error {
	folder := m.pathOf(dataFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	return m.RunAsDaemon(folder, m.pathOf(programFile), "backup", filepath.Join(folder, savedData))
}

func (m *Machine) importSavedData() error {
	folder := m.pathOf(dataFolder)
	return m.RunAsDaemon(folder, m.pathOf(programFile), "restore", "--yes", filepath.Join(folder, savedData))
}

// repackInstalled packs the installed files into a package.
func (m *Machine) repackInstalled() error {
	m.reportStepToTest("repack")
	tree := m.pathOf(formerTree)
	if err := os.MkdirAll(filepath.Join(tree, "DEBIAN"), 0o755); err != nil {
		return err
	}
	listed, err := runTool("dpkg-query", "--listfiles", packageName)
	if err != nil {
		return err
	}
	for name := range strings.Lines(listed) {
		if err := copyTreeEntry(m.Root, tree, strings.TrimSpace(name)); err != nil {
			return err
		}
	}
	status, err := runTool("dpkg-query", "--status", packageName)
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
	scripts, err := runTool("dpkg-query", "--control-list", packageName)
	if err != nil {
		return err
	}
	for script := range strings.FieldsSeq(scripts) {
		from, err := runTool("dpkg-query", "--control-path", packageName, script)
		if err == nil {
			err = copyToNewFile(from, filepath.Join(tree, "DEBIAN", script))
		}
		if err != nil {
			return err
		}
	}
	if _, err := runTool("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, m.pathOf(formerFile)); err != nil {
		return err
	}
	f, err := os.Open(m.pathOf(formerFile))
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	return errors.Join(err, m.removeFiles(formerTree))
}

// copyTreeEntry copies a folder, a link or a file of a root into a tree. It skips a missing one, because dpkg may
// be configured to leave files out.
func copyTreeEntry(root, tree, name string) error {
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
	return copyToNewFile(from, to)
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// copyToNewFile copies a file with its permissions; the copy is on disk when it returns.
func copyToNewFile(from, to string) error {
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
