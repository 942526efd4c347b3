// Package durable writes small files atomically, and passes requests between two accounts: the daemon, which
// has no rights, writes a request file in its own folder, and a systemd unit of root reads and removes it.
package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile replaces a file and syncs it to disk. The file has its old or its new content, never a part of
// it.
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

// SyncFolder syncs the creation, renaming and removal of files in a folder to disk.
func SyncFolder(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// TakeRequest removes a request file that another account wrote and returns at most limit bytes of it. It
// follows no link and does not block on a pipe; anything but a regular file is empty.
func TakeRequest(file string, limit int64) (text []byte, err error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(file))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if text, err = io.ReadAll(io.LimitReader(f, limit)); err != nil {
			return nil, err
		}
	}
	return text, os.RemoveAll(file)
}
