package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Opts adjust a Store.
type Opts struct {
	// Now returns the time for timestamps; nil is time.Now.
	Now func() time.Time
}

// Store is an open store file.
//
// Invariants:
//  1. A step is on disk completely or not at all.
//  2. At most one game is open.
//  3. The steps of a game are numbered 1, 2, 3 ... without gaps, and so are its events.
//  4. The code of an invitation is stored only while the invitation is open.
//  5. Everything that a method has acknowledged is in the mark, and no other
//     program writes to the file.
type Store struct {
	db   *sql.DB
	path string
	now  func() time.Time
	// rescueRetry is the time between two attempts to rescue the data.
	rescueRetry time.Duration

	lock        *lock
	mark        *markFile
	losses      []Loss
	formerState string // the file with the former state, if losses were found
	files       fileIdentity
	savedBackup atomic.Pointer[string] // the backup made when another file replaced the store

	backupMu sync.Mutex // held during one automatic backup; locked before mu

	mu        sync.Mutex // held by the one writer
	endedGame int64      // a game that has just ended and has no backup yet; 0 if there is none
	lastWrite time.Time  // when the log last grew; zero if it is empty
}

// Open opens the file, creates or migrates it if necessary, and checks that it is sound and complete. Losses
// reports what is missing. Every error is an *Error.
func Open(path string, opts *Opts) (_ *Store, err error) {
	o := cmp.Or(opts, &Opts{})
	path = resolveLink(path)
	s := &Store{path: path, now: o.Now, rescueRetry: rescueRetry}
	if s.now == nil {
		s.now = time.Now
	}
	if err := registerFunctions(); err != nil {
		return nil, s.wrapStoreError("open", err)
	}
	defer func() {
		if err != nil {
			err = s.wrapStoreError("open", errors.Join(err, s.Close()))
		}
	}()
	if s.lock, err = acquireLock(path); err != nil {
		return nil, err
	}
	if err := ensureFileWritable(path); err != nil {
		return nil, err
	}
	m, marked := readMark(path + ".mark")
	if err := s.openAndRepair(m, marked); err != nil {
		return nil, err
	}
	if s.losses, err = readLosses(s.db); err != nil {
		return nil, err
	}
	// One write creates the log and a mark. Then the log is emptied, so that everything checked above is in
	// the file itself.
	if err := s.writeInTx("open", func(tx *sql.Tx) error { return nil }); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s, s.emptyLogIntoFile()
}

// ensureFileWritable returns the system's error if the file or its folder cannot be written, because SQLite says
// only "unable to open". It creates the file with mode 0600, or reduces a wider mode to that; SQLite gives the -wal and -shm files the
// same mode.
func ensureFileWritable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_ = f.Chmod(0o600) // fails harmlessly on a medium without modes, or on another owner's file
	if err := f.Close(); err != nil {
		return err
	}
	// The -wal and -shm files need a writable folder.
	t, err := os.CreateTemp(filepath.Dir(path), ".majordome-*")
	if err != nil {
		return err
	}
	return errors.Join(t.Close(), os.Remove(t.Name()))
}

// autoCheckpoint limits the log: after so many pages (1 MiB) SQLite copies them into the file without waiting
// for a quiet moment.
const autoCheckpoint = 256

func strictDSN(path string) string {
	return fileURI(path) +
		"?_pragma=busy_timeout(2000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=recursive_triggers(1)" +
		"&_pragma=secure_delete(1)" +
		fmt.Sprintf("&_pragma=wal_autocheckpoint(%d)&_txlock=immediate", autoCheckpoint)
}

// lenientDSN makes SQLite read on where pages or parts of the schema are missing. The driver sets pragmas in
// alphabetical order: no pragma that reads the file may come before writable_schema.
func lenientDSN(path string) string { return fileURI(path) + "?mode=ro&_pragma=writable_schema(1)" }

func fileURI(path string) string {
	esc := (&url.URL{Path: path}).EscapedPath()
	return "file:" + strings.ReplaceAll(esc, "?", "%3F")
}

// openDatabase opens a file without checking it.
func openDatabase(path, params string) (*sql.DB, error) { return openDSN(strictDSN(path) + params) }

func openDSN(dsn string) (*sql.DB, error) {
	if err := registerFunctions(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer, and the pragmas apply to one connection
	return db, nil
}

// recogniseSchema returns the schema version of one of our databases, 0 for an empty file. A file of another
// program or of a later version is an error.
func recogniseSchema(db querier, path string) (version int, err error) {
	var app, tables int
	err = errors.Join(
		db.QueryRow("PRAGMA application_id").Scan(&app),
		db.QueryRow("PRAGMA user_version").Scan(&version),
		db.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&tables))
	if err != nil {
		return 0, err
	}
	switch {
	case app != applicationID && (app != 0 || tables > 0):
		return 0, &Error{Op: "open", Path: path, Trouble: NotOurs}
	case version > len(migrations):
		return 0, &Error{Op: "open", Path: path, Trouble: TooNew,
			Cause: fmt.Errorf("schema %d, this program knows %d", version, len(migrations))}
	case app == applicationID && (version == 0 || tables == 0):
		return 0, &Error{Op: "open", Path: path, Trouble: Damaged, Cause: errors.New("no schema")}
	}
	return version, nil
}

// Close copies the log into the file and closes it.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	errs = append(errs, s.files.close())
	if s.mark != nil {
		errs = append(errs, s.mark.f.Close())
		s.mark = nil
	}
	errs = append(errs, s.lock.release())
	s.lock = nil
	return s.wrapStoreError("close", errors.Join(errs...))
}

// Path returns the path of the file.
func (s *Store) Path() string { return s.path }

// writeInTx runs do in one transaction. When it returns nil, the transaction and the mark of it are on disk.
func (s *Store) writeInTx(op string, do func(*sql.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mark == nil {
		return s.wrapStoreError(op, errors.New("the store is closed, or open for reading"))
	}
	if err := s.files.checkUnchanged(); err != nil {
		return s.wrapStoreError(op, err)
	}
	tx, err := s.db.BeginTx(context.Background(), nil)
	if err != nil {
		return s.wrapStoreError(op, err)
	}
	err = do(tx)
	m := mark{}
	if err == nil {
		m, err = buildMark(tx, s.wallMillis())
	}
	m.addMissingCounters(s.mark.last)
	m.Lost = s.losses
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		_ = tx.Rollback() // SQLite may have rolled back itself (SQLITE_FULL)
		return s.wrapStoreError(op, err)
	}
	s.lastWrite = time.Now()
	// If another file has replaced the store meanwhile, the step is lost with it. Even after a failure the
	// commit may have copied the log into the file, which changes its header.
	return s.wrapStoreError(op, errors.Join(s.files.checkFiles(), s.mark.writeMark(m), s.files.rememberOwnWrites()))
}

// runInTx runs do in one transaction on a file that only this program has open.
func runInTx(db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (s *Store) wallMillis() int64 { return s.now().UnixMilli() }

// CheckWritable returns nil if the file can be written again after a failure. It writes and removes 16 KiB, so that
// it notices a full disk.
func (s *Store) CheckWritable() error {
	const name = "check"
	err := s.writeInTx("check", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, zeroblob(16384))", name)
		return err
	})
	if err != nil {
		return err
	}
	return s.writeInTx("check", func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM settings WHERE name = ?", name)
		return err
	})
}

// NextEpoch counts one more start of the daemon and returns their number: 1, 2, 3 ... Call it once for each start.
func (s *Store) NextEpoch() (uint64, error) {
	var epoch int64
	err := s.writeInTx("count the start", func(tx *sql.Tx) error {
		err := tx.QueryRow("SELECT " + epochValue).Scan(&epoch)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		epoch++
		return raiseEpoch(tx, epoch)
	})
	return uint64(epoch), err
}

// epochValue selects the number of starts of the daemon.
const epochValue = "CAST(CAST(value AS TEXT) AS INTEGER) FROM settings WHERE name = 'epoch'"

// raiseEpoch raises the number of starts of the daemon; it never lowers it.
func raiseEpoch(tx *sql.Tx, epoch int64) error {
	_, err := tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES ('epoch', "+
		"CAST(CAST(max(?, coalesce((SELECT "+epochValue+"), 0)) AS TEXT) AS BLOB))", epoch)
	return err
}
