// Package durable writes small files whole, and leaves wishes between two accounts: the daemon, which has no rights, leaves one in its
// own folder, and a unit of root's takes it away.
package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile writes a file whole and onto the disk, or leaves what was there.
func WriteFile(name string, text []byte, mode fs.FileMode) (err error) {
	folder := filepath.Dir(name)
	f, err := os.CreateTemp(folder, "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), name); err != nil {
		return err
	}
	return SyncFolder(folder)
}

// SyncFolder brings what was made, renamed or removed in a folder onto the disk.
func SyncFolder(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// TakeWish removes a file that another account wrote and returns at most max bytes of it. It follows no link and waits for no pipe:
// what is no regular file is empty.
func TakeWish(file string, max int64) (text []byte, err error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(file))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if text, err = io.ReadAll(io.LimitReader(f, max)); err != nil {
			return nil, err
		}
	}
	return text, os.RemoveAll(file)
}
