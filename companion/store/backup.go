package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A backup is a database file of one piece with a trailer behind it: backupMagic,
// and the SHA-256 of all that stands before the trailer. SQLite does not look behind
// its last page.
const (
	backupMagic = "majordome backup"
	trailerSize = len(backupMagic) + sha256.Size
)

// Backup writes the whole store into one new file, while the store is in use. The
// file must not exist yet; it holds every secret and has mode 0600. It has its name
// only when it is whole and on disk: until then it is <to>.partial.
func (s *Store) Backup(to string) error {
	// A connection of its own: the table goes on writing meanwhile.
	db, err := database(s.path, "&mode=ro")
	if err != nil {
		return wrap("back up", to, err)
	}
	m, _ := readMark(s.path + ".mark") // no newer than what is copied
	return errors.Join(backupFrom(db, m, to), wrap("back up", to, db.Close()))
}

// backupFrom is Backup over a connection; the copy must hold what the mark knows.
func backupFrom(db *sql.DB, m mark, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return wrap("back up", to, fs.ErrExist)
	}
	partial := to + ".partial"
	err := remove(partial) // of a backup that was interrupted
	if err == nil {
		err = backup(db, m, partial)
	}
	if err == nil {
		err = os.Rename(partial, to)
	}
	if err != nil {
		return wrap("back up", to, errors.Join(err, remove(partial)))
	}
	return wrap("back up", to, syncFile(filepath.Dir(to)))
}

// backup writes a file that is whole, checked and on disk.
func backup(db *sql.DB, m mark, to string) error {
	// Made here, empty and private, because SQLite would use the umask.
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if _, err := db.Exec("VACUUM INTO ?", to); err != nil {
		return err
	}
	if err := whole(to, m); err != nil {
		return err
	}
	digest := sha256.New()
	if _, err := io.Copy(digest, f); err != nil {
		return err
	}
	if _, err := f.Write(digest.Sum([]byte(backupMagic))); err != nil { // at the end, where reading has stopped
		return err
	}
	return f.Sync()
}

// whole checks a file that nobody writes to: its pages, its schema and its sums, and
// that nothing is missing from it that the mark of its store knows.
func whole(path string, m mark) error {
	db, err := database(path, "&mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	version, err := checked(db, path)
	if err != nil || version < sumsFrom {
		return err
	}
	lost, err := behind(db, m)
	if err == nil && len(lost) > 0 {
		err = &Error{Op: "check", Path: path, Trouble: Damaged, Cause: errors.New("older than its mark")}
	}
	return err
}

// checked is the schema of a database without damage; anything else is an error.
func checked(db querier, path string) (version int, err error) {
	if version, err = recognise(db, path); err != nil {
		return 0, err
	}
	if version == 0 {
		return 0, &Error{Op: "check", Path: path, Trouble: Empty}
	}
	if err := sound(db); err != nil {
		return 0, err
	}
	if err := schemaIs(db, version); err != nil {
		return 0, err
	}
	if version >= sumsFrom {
		found, err := verify(db, version)
		if err != nil {
			return 0, err
		}
		if !found.none() {
			return 0, &Error{Op: "check", Path: path, Trouble: Damaged, Cause: errors.New("its sums")}
		}
	}
	return version, nil
}

// body is how much of a backup is the database. A file without a trailer is one of
// an older version, or a former state; its own sums are checked all the same.
func body(f *os.File) (size int64, err error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size = st.Size()
	if size == 0 {
		return 0, &Error{Op: "read the backup", Path: f.Name(), Trouble: Empty}
	}
	trailer := make([]byte, trailerSize)
	if size < int64(trailerSize) {
		return size, nil
	}
	if _, err := f.ReadAt(trailer, size-int64(trailerSize)); err != nil {
		return 0, err
	}
	told, ok := bytes.CutPrefix(trailer, []byte(backupMagic))
	if !ok {
		if head := make([]byte, 16); size%512 != 0 {
			if _, err := f.ReadAt(head, 0); err == nil && string(head) == "SQLite format 3\x00" { // pages and something behind them
				return 0, &Error{Op: "read the backup", Path: f.Name(), Trouble: Damaged, Cause: errors.New("its trailer")}
			}
		}
		return size, nil
	}
	size -= int64(trailerSize)
	digest := sha256.New()
	if _, err := io.Copy(digest, io.NewSectionReader(f, 0, size)); err != nil {
		return 0, err
	}
	if !bytes.Equal(digest.Sum(nil), told) {
		return 0, &Error{Op: "read the backup", Path: f.Name(), Trouble: Damaged, Cause: errors.New("its checksum")}
	}
	return size, nil
}

// MaxBackups is how many backups that were made by themselves are kept.
const MaxBackups = 10

// backupFolder is where they are, beside the store.
const backupFolder = "backups"

// AutoBackup makes a backup in the folder "backups" beside the store, named by a
// running number, the moment and the game, and removes the oldest beyond MaxBackups.
func (s *Store) AutoBackup(game int64) (string, error) {
	return s.keep(game, s.Backup)
}

// rescue makes a backup from the files as this program still has them open, though
// their names stand for something else: what was acknowledged is not lost. A folder that
// was deleted is made anew for it; one that was moved is not, it comes back as it is.
func (s *Store) rescue() (string, error) {
	s.mu.Lock()
	game := s.mark.last.Game
	s.mu.Unlock()
	if folder := filepath.Dir(s.path); s.lock.deleted() {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", wrap("back up", folder, err)
		}
	}
	return s.keep(game, func(to string) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		return backupFrom(s.db, s.mark.last, to)
	})
}

func (s *Store) keep(game int64, backup func(to string) error) (string, error) {
	folder := filepath.Join(filepath.Dir(s.path), backupFolder)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", wrap("back up", folder, err)
	}
	if err := sameOwner(folder, filepath.Dir(s.path)); err != nil {
		return "", wrap("back up", folder, err)
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	names, err := s.Backups()
	if err != nil {
		return "", err
	}
	number := 1
	if len(names) > 0 {
		number += backupNumber(names[0])
	}
	to := filepath.Join(folder, fmt.Sprintf("%04d_%s_game-%d.db", number, s.now().Format("2006-01-02_15-04-05"), game))
	if err := backup(to); err != nil {
		return "", err
	}
	names, err = s.Backups()
	for ; err == nil && len(names) > MaxBackups; names = names[:len(names)-1] {
		err = remove(names[len(names)-1])
	}
	return to, wrap("back up", folder, err)
}

// Backups are the files that AutoBackup has made, the newest first.
func (s *Store) Backups() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(escaped(filepath.Dir(s.path)), backupFolder, "*_game-*.db"))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(backupNumber(b), backupNumber(a)), strings.Compare(b, a))
	})
	return names, wrap("list the backups", s.path, err)
}

// Files are what a store takes on the disk, in bytes and numbers.
type Files struct {
	Size, Log int64 // of the file and of its log
	Former    int   // former states beside it
	Backups   int   // made by themselves
	// Last is when the newest of those was made; zero: there is none.
	Last time.Time
}

// Files looks at the disk; what is not there counts for nothing.
func (s *Store) Files() (f Files) {
	if st, err := os.Stat(s.path); err == nil {
		f.Size = st.Size()
	}
	if st, err := os.Stat(s.path + "-wal"); err == nil {
		f.Log = st.Size()
	}
	former, _ := formerStates(s.path)
	backups, _ := s.Backups()
	f.Former, f.Backups = len(former), len(backups)
	if f.Backups > 0 {
		if st, err := os.Stat(backups[0]); err == nil {
			f.Last = st.ModTime()
		}
	}
	return f
}

// backupNumber counts the backups of a folder, since the clock of a Pi may stand
// wrong; 0: one of an older version, whose name begins with the moment.
func backupNumber(name string) int {
	digits, _, _ := strings.Cut(filepath.Base(name), "_")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// Summary is what a store holds, for somebody who chooses between two.
type Summary struct {
	Games, Tags, Seats, Decks int
	// Steps of the newest game.
	Steps int64
	Last  time.Time // of the newest event; zero: none
}

// summarise counts what a database holds, as far as it can be read.
func summarise(q querier) (s Summary, err error) {
	var last int64
	err = errors.Join(
		q.QueryRow("SELECT count(*) FROM games").Scan(&s.Games),
		q.QueryRow("SELECT count(*) FROM tags").Scan(&s.Tags),
		q.QueryRow("SELECT count(DISTINCT substr(viewer, 1, instr(viewer || '.', '.') - 1)) FROM keys WHERE viewer <> 'host'").Scan(&s.Seats),
		q.QueryRow("SELECT count(*) FROM decks").Scan(&s.Decks),
		q.QueryRow("SELECT coalesce(max(step), 0) FROM events WHERE game = (SELECT max(id) FROM games)").Scan(&s.Steps),
		q.QueryRow("SELECT coalesce(max(wall), 0) FROM events").Scan(&last))
	if last > 0 {
		s.Last = time.UnixMilli(last)
	}
	return s, err
}

// OpenRead opens a store for reading alone, also beside the daemon that has it
// open: nothing is created, changed or repaired.
func OpenRead(path string) (*Store, error) {
	path = real(path)
	s := &Store{path: path, now: time.Now}
	if _, err := os.Stat(path); err != nil {
		return nil, s.fail("open", err)
	}
	var err error
	if s.db, err = database(path, "&mode=ro"); err != nil {
		return nil, s.fail("open", err)
	}
	version, err := recognise(s.db, path)
	if err != nil {
		err = judged(s.db, path, err)
	} else if version > 0 {
		err = schemaIs(s.db, version)
	}
	if err == nil && version == len(migrations) {
		return s, nil
	}
	_ = s.db.Close()
	if err != nil {
		return nil, s.fail("open", err)
	}
	return Open(path, nil) // of an older version: it is brought up to date first
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

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
