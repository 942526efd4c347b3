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
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Opts adjust a Store.
type Opts struct {
	// Now is the wall clock of the stamps; default time.Now.
	Now func() time.Time
}

// Store is the open file.
//
//  1. A step is on disk as a whole or not at all.
//  2. At most one game is open.
//  3. Steps of a game are numbered 1, 2, 3 ... without gaps, events likewise.
//  4. An invitation's code is stored only while the invitation is open.
type Store struct {
	db   *sql.DB
	path string
	now  func() time.Time
}

// applicationID marks the files of this program ("MJDM", SQLite file format 1.3.17).
const applicationID = 0x4d4a444d

// migrations lead from an empty file to the present schema; the file's
// user_version says how many have been made. Append, never change.
var migrations = []string{`
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE games (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	book TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER) STRICT;
CREATE UNIQUE INDEX one_open_game ON games (ended IS NULL) WHERE ended IS NULL;
CREATE TABLE events (
	game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
	n INTEGER NOT NULL, step INTEGER NOT NULL, cause TEXT NOT NULL,
	kind TEXT NOT NULL, data BLOB NOT NULL,
	at INTEGER NOT NULL, wall INTEGER NOT NULL,
	PRIMARY KEY (game, n)) STRICT, WITHOUT ROWID;
CREATE TABLE results (
	game INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE,
	rule TEXT NOT NULL, winners TEXT NOT NULL, players TEXT NOT NULL, wall INTEGER NOT NULL) STRICT;
CREATE TABLE decks (id TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE tags (
	deck TEXT NOT NULL, uid TEXT NOT NULL, card TEXT NOT NULL,
	PRIMARY KEY (deck, uid)) STRICT, WITHOUT ROWID;
CREATE TABLE keys (
	viewer TEXT PRIMARY KEY, key BLOB NOT NULL,
	counter INTEGER NOT NULL, joined INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE invitations (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE, viewer TEXT NOT NULL, code BLOB, open INTEGER NOT NULL) STRICT;
`, `
ALTER TABLE events ADD COLUMN command BLOB;
`, `
CREATE TABLE notes (
	game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
	seat TEXT NOT NULL, marks TEXT NOT NULL,
	PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID;
`}

// Open opens the file, creating or migrating it, and checks that it is sound.
// Every error is an *Error.
func Open(path string, opts *Opts) (*Store, error) {
	o := cmp.Or(opts, &Opts{})
	s := &Store{path: path, now: o.Now}
	if s.now == nil {
		s.now = time.Now
	}
	if err := probe(path); err != nil {
		return nil, s.fail("open", err)
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, s.fail("open", err)
	}
	// One connection: SQLite has one writer, and the pragmas hold for it.
	db.SetMaxOpenConns(1)
	s.db = db
	if err := s.prepare(); err != nil {
		_ = db.Close()
		return nil, s.fail("open", err)
	}
	return s, nil
}

// probe asks the system itself whether the file can be written, since SQLite
// answers only "unable to open". It creates the file with mode 0600, and takes
// a wider mode away; SQLite gives the -wal and -shm files the same.
func probe(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_ = f.Chmod(0o600) // a medium without modes, or another owner's file, has none to take
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

func dsn(path string) string {
	esc := (&url.URL{Path: path}).EscapedPath()
	return "file:" + strings.ReplaceAll(esc, "?", "%3F") +
		"?_pragma=busy_timeout(2000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate"
}

// prepare recognises the file and brings it to the present schema.
func (s *Store) prepare() error {
	var app, version, tables int
	err := errors.Join(
		s.db.QueryRow("PRAGMA application_id").Scan(&app),
		s.db.QueryRow("PRAGMA user_version").Scan(&version),
		s.db.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&tables))
	if err != nil {
		return err
	}
	switch {
	case app != applicationID && (app != 0 || tables > 0):
		return &Error{Op: "open", Path: s.path, Trouble: NotOurs}
	case version > len(migrations):
		return &Error{Op: "open", Path: s.path, Trouble: Newer, Cause: fmt.Errorf("schema %d, this program knows %d", version, len(migrations))}
	}
	var verdict string
	if err := s.db.QueryRow("PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return &Error{Op: "open", Path: s.path, Trouble: Damaged, Cause: errors.New("quick_check")}
	}
	// Only now, since it writes to the file and stays with it.
	if _, err := s.db.Exec("PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	return migrate(s.db, version, migrations)
}

// migrate runs the steps that the file has not seen, each in one transaction.
func migrate(db *sql.DB, version int, steps []string) error {
	for ; version < len(steps); version++ {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		_, err = tx.Exec(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d; %s", applicationID, version+1, steps[version]))
		if err != nil {
			return fmt.Errorf("schema %d: %w", version+1, errors.Join(err, tx.Rollback()))
		}
		if err := tx.Commit(); err != nil {
			return fmt.Errorf("schema %d: %w", version+1, err)
		}
	}
	return nil
}

// Close writes the log back into the file and closes it.
func (s *Store) Close() error { return s.fail("close", s.db.Close()) }

// Path is where the file is.
func (s *Store) Path() string { return s.path }

// write runs do in one transaction that is on disk when write returns nil.
func (s *Store) write(op string, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(context.Background(), nil)
	if err != nil {
		return s.fail(op, err)
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // SQLite may have rolled back itself (SQLITE_FULL)
		return s.fail(op, err)
	}
	if err := tx.Commit(); err != nil {
		_ = tx.Rollback()
		return s.fail(op, err)
	}
	return nil
}

func (s *Store) wall() int64 { return s.now().UnixMilli() }

// Check tries whether the file can be written again after a failure. It writes
// and removes 16 KiB, so that a full disk is noticed.
func (s *Store) Check() error {
	const name = "check"
	err := s.write("check", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO settings VALUES (?, zeroblob(16384))", name)
		return err
	})
	if err != nil {
		return err
	}
	return s.write("check", func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM settings WHERE name = ?", name)
		return err
	})
}

// NextEpoch counts the starts of the daemon: 1, 2, 3 ...
func (s *Store) NextEpoch() (uint64, error) {
	var epoch int64
	err := s.write("count the start", func(tx *sql.Tx) error {
		err := tx.QueryRow("SELECT " + epochValue).Scan(&epoch)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		epoch++
		_, err = tx.Exec("INSERT OR REPLACE INTO settings VALUES ('epoch', CAST(CAST(? AS TEXT) AS BLOB))", epoch)
		return err
	})
	return uint64(epoch), err
}
