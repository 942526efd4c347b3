package store

import (
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Backup writes the whole store into one new file, while the store is in use.
// The file must not exist yet; it holds every secret and has mode 0600.
func (s *Store) Backup(to string) error {
	if err := vacuumInto(s.db, to); err != nil {
		return wrap("back up", to, err)
	}
	return nil
}

func vacuumInto(db *sql.DB, to string) error {
	// Made here, empty and private, because SQLite would use the umask.
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if _, err := db.Exec("VACUUM INTO ?", to); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return syncFile(to)
}

// Restore puts a backup in the place of a store that no daemon has open. The
// former file is kept beside it as <to>.before, replacing an older one. If
// anything fails the former file stands where it stood.
//
// Counters never go back: the starts of the daemon, because pages drop views of
// an earlier one, and the connect counters, because what was overheard since the
// backup would serve again. Where the former file cannot tell, the starts jump
// ahead by jump.
func Restore(from, to string) error {
	fresh := to + ".restoring"
	if err := copyChecked(from, fresh); err != nil {
		return err
	}
	if err := idle(to); err != nil {
		return wrap("restore", to, errors.Join(err, os.Remove(fresh)))
	}
	if err := raise(fresh, to); err != nil {
		return wrap("restore", fresh, errors.Join(err, os.Remove(fresh)))
	}
	if err := sameOwner(fresh, filepath.Dir(to)); err != nil {
		return wrap("restore", fresh, errors.Join(err, os.Remove(fresh)))
	}
	return wrap("restore", to, swap(fresh, to))
}

// sameOwner gives the file to the owner of the folder when root has made it: the
// daemon is another user.
func sameOwner(file, folder string) error {
	st, err := os.Stat(folder)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return os.Chown(file, int(sys.Uid), int(sys.Gid))
}

// jump is more starts than a table has between a backup and its loss.
const jump = 1000

// raise lifts the counters of fresh to those of the former file.
func raise(fresh, former string) error {
	starts, connects, known := counters(former)
	db, err := sql.Open("sqlite", dsn(fresh))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if !known {
		err = db.QueryRow("SELECT coalesce((SELECT " + epochValue + "), 0)").Scan(&starts)
		starts += jump
	}
	if err == nil {
		_, err = db.Exec("INSERT OR REPLACE INTO settings VALUES ('epoch', CAST(CAST(max(?, coalesce((SELECT "+epochValue+"), 0)) AS TEXT) AS BLOB))", starts)
	}
	for viewer, counter := range connects {
		_, e := db.Exec("UPDATE keys SET counter = max(counter, ?) WHERE viewer = ?", counter, viewer)
		err = errors.Join(err, e)
	}
	return errors.Join(err, db.Close())
}

// epochValue reads the starts of the daemon.
const epochValue = "CAST(CAST(value AS TEXT) AS INTEGER) FROM settings WHERE name = 'epoch'"

// counters are the starts and the connect counters of a file; known is false
// when there is no such file or it cannot be read.
func counters(path string) (starts int64, connects map[string]int64, known bool) {
	if _, err := os.Stat(path); err != nil {
		return 0, nil, false
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return 0, nil, false
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if err := db.QueryRow("SELECT " + epochValue).Scan(&starts); err != nil {
		return 0, nil, false
	}
	type row struct {
		viewer  string
		counter int64
	}
	rows, err := query(db, func(r *sql.Rows) (k row, err error) { return k, r.Scan(&k.viewer, &k.counter) }, "SELECT viewer, counter FROM keys")
	if err != nil {
		return 0, nil, false
	}
	connects = map[string]int64{}
	for _, k := range rows {
		connects[k.viewer] = k.counter
	}
	return starts, connects, true
}

// copyChecked makes a sound copy in the folder where it will be needed; the
// backup itself may lie on a read-only stick.
func copyChecked(from, fresh string) error {
	src, err := os.Open(from)
	if err != nil {
		return wrap("restore", from, err)
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return wrap("restore", fresh, err)
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Sync(), dst.Close()); err != nil {
		return errors.Join(wrap("restore", fresh, err), os.Remove(fresh))
	}
	s, err := Open(fresh, nil)
	if err == nil {
		return s.Close()
	}
	var e *Error
	if errors.As(err, &e) {
		e.Op, e.Path = "restore", from // the copy is not what the owner knows
	}
	_ = os.Remove(fresh)
	return err
}

// idle makes sure that nobody has the file open, and folds its log into it. A
// file that is too broken to open is as good as idle: it is being replaced.
func idle(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", dsn(path)+"&_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	tx, err := db.Begin()
	if err == nil {
		err = tx.Rollback()
	}
	err = errors.Join(err, db.Close())
	if err != nil && troubleOf(err) == InUse {
		return err
	}
	return nil
}

// swap moves to and what is left of its log aside, and fresh into its place.
func swap(fresh, to string) error {
	old := to + ".before"
	tails := []string{"-wal", "-shm", ""}
	for _, tail := range tails {
		_ = os.Remove(old + tail) // an older one must not lend its log to this one
		if err := os.Rename(to+tail, old+tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, back(tails, old, to), os.Remove(fresh))
		}
	}
	if err := os.Rename(fresh, to); err != nil {
		return errors.Join(err, back(tails, old, to), os.Remove(fresh))
	}
	return syncFile(filepath.Dir(to))
}

func back(tails []string, old, to string) (err error) {
	for _, tail := range tails {
		if e := os.Rename(old+tail, to+tail); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
