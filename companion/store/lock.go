package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxHolder is how much of a lock file is read, in bytes.
const maxHolder = 80

// lock is the right to write to a store: one program holds it, and the system
// takes it back when that program ends, however it does. The file stays; it names
// the holder.
type lock struct{ f *os.File }

// acquire takes the lock beside a store. An error with the trouble InUse names
// who has it.
func acquire(path string) (*lock, error) {
	name := path + ".lock"
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := sameOwner(name, filepath.Dir(name)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		by := holder(f)
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &Error{Op: "lock", Path: path, Trouble: InUse, Holder: by}
		}
		return nil, err
	}
	me := fmt.Sprintf("majordome %s, PID %d\n", command(), os.Getpid())
	if err := f.Truncate(0); err == nil { // a full disk keeps the lock; only the name is missing
		_, _ = f.WriteAt([]byte(me), 0)
	}
	return &lock{f}, nil
}

// command is the word after the program's name, such as serve.
func command() string {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		return fmt.Sprintf("%.20s", os.Args[1])
	}
	return "?"
}

func holder(f *os.File) string {
	b := make([]byte, maxHolder)
	n, err := f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) || n == 0 {
		return "?"
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b[:n]), "?"))
}

func (l *lock) release() error {
	if l == nil {
		return nil
	}
	return l.f.Close()
}
