package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxHolder is how much of a lock file is read, in bytes.
const maxHolder = 80

// lock is the right to write to a store: one program holds its folder, and the system
// takes that back when the program ends, however it does. A locked file can be deleted
// and made anew beside its holder, the folder of an open store cannot: so the folder
// is what is locked, and the file <store>.lock in it says only who holds it.
type lock struct {
	folder *os.File
	name   string // of the file that names the holder
}

// acquire takes the lock of the folder that a store is in. An error with the trouble
// InUse names who has it.
func acquire(path string) (*lock, error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	l := &lock{folder, path + ".lock"}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &Error{Op: "lock", Path: path, Trouble: InUse, Holder: l.holder()}
		}
		return nil, errors.Join(err, folder.Close())
	}
	l.sign()
	return l, nil
}

// sign says who holds the folder. A full disk keeps the lock; only the name is missing.
func (l *lock) sign() {
	me := fmt.Sprintf("majordome %s, PID %d\n", command(), os.Getpid())
	if os.WriteFile(l.name, []byte(me), 0o600) == nil {
		_ = sameOwner(l.name, filepath.Dir(l.name))
	}
}

// renew signs again where the name was deleted.
func (l *lock) renew() {
	if _, err := os.Lstat(l.name); errors.Is(err, os.ErrNotExist) {
		l.sign()
	}
}

// deleted reports a folder that has no name any more.
func (l *lock) deleted() bool {
	st, err := l.folder.Stat()
	if err != nil {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink == 0
}

// command is the word after the program's name, such as serve.
func command() string {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		return fmt.Sprintf("%.20s", os.Args[1])
	}
	return "?"
}

func (l *lock) holder() string {
	data, err := os.ReadFile(l.name)
	if err != nil || len(data) == 0 {
		return "?"
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data[:min(len(data), maxHolder)]), "?"))
}

// release gives the folder back, also where a child that is just being started has a
// copy of the descriptor yet: closing alone would leave the lock to it.
func (l *lock) release() error {
	if l == nil {
		return nil
	}
	return errors.Join(syscall.Flock(int(l.folder.Fd()), syscall.LOCK_UN), l.folder.Close())
}

// real is the file itself where its name is a link, also to one that is yet to be made:
// what belongs to it stands beside it.
func real(path string) string {
	to, err := os.Readlink(path)
	if err != nil { // no link
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
