package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxHolder is the number of bytes read from a lock file.
const maxHolder = 80

// lock is the right to write to the store in a folder. The system releases it when the program ends, however
// it ends. The folder is locked and not a file, because another program could delete a locked file and create
// it again, but cannot do that with the folder of an open store. The file <store>.lock only names the holder.
type lock struct {
	folder *os.File
	name   string // the file that names the holder
}

// acquireLock locks the folder of a store. If another program has the lock, the error is InUse and names it.
func acquireLock(path string) (*lock, error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	l := &lock{folder, path + ".lock"}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &Error{Op: "lock", Path: path, Trouble: InUse, Holder: l.readHolder()}
		}
		return nil, errors.Join(err, folder.Close())
	}
	l.writeHolder()
	return l, nil
}

// writeHolder writes the name of this program into the lock file. If the disk is full, the lock is still
// held; only the name is missing.
func (l *lock) writeHolder() {
	me := fmt.Sprintf("majordome %s, PID %d\n", commandName(), os.Getpid())
	if os.WriteFile(l.name, []byte(me), 0o600) == nil {
		_ = giveToFolderOwner(l.name, filepath.Dir(l.name))
	}
}

// renewHolder writes the lock file again if it was deleted.
func (l *lock) renewHolder() {
	if _, err := os.Lstat(l.name); errors.Is(err, os.ErrNotExist) {
		l.writeHolder()
	}
}

// isFolderDeleted reports that the locked folder has no name any more.
func (l *lock) isFolderDeleted() bool {
	st, err := l.folder.Stat()
	if err != nil {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink == 0
}

// commandName returns the first argument of the program, such as serve.
func commandName() string {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		return fmt.Sprintf("%.20s", os.Args[1])
	}
	return "?"
}

func (l *lock) readHolder() string {
	data, err := os.ReadFile(l.name)
	if err != nil || len(data) == 0 {
		return "?"
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data[:min(len(data), maxHolder)]), "?"))
}

// release unlocks the folder. Closing it is not enough: a child process that is just starting may have a copy
// of the descriptor and would keep the lock.
func (l *lock) release() error {
	if l == nil {
		return nil
	}
	return errors.Join(syscall.Flock(int(l.folder.Fd()), syscall.LOCK_UN), l.folder.Close())
}

// resolveLink returns the file that a symbolic link names, even one that does not exist yet, because the
// other files of the store are next to it. A path that is no link is returned unchanged.
func resolveLink(path string) string {
	to, err := os.Readlink(path)
	if err != nil { // not a link
		return path
	}
	if all, err := filepath.EvalSymlinks(path); err == nil {
		return all
	}
	if filepath.IsAbs(to) {
		return to
	}
	return filepath.Join(filepath.Dir(path), to)
}
