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

// A backup is one database file followed by a trailer: backupMagic and the SHA-256 of everything before the
// trailer. SQLite ignores bytes after its last page.
const (
	backupMagic = "majordome backup"
	trailerSize = len(backupMagic) + sha256.Size
)

// WriteBackup writes the whole store into one new file, while the store is in use. The file must not exist yet. It
// contains every secret and has mode 0600. It gets its name only when it is complete and on disk; until then
// it is called <to>.partial.
func (s *Store) WriteBackup(to string) error {
	// A separate connection, so that the table can go on writing meanwhile.
	db, err := openDatabase(s.path, "&mode=ro")
	if err != nil {
		return wrapError("back up", to, err)
	}
	m, _ := readMark(s.path + ".mark") // older than the copy, or as old
	return errors.Join(backupDatabase(db, m, to), wrapError("back up", to, db.Close()))
}

// backupDatabase writes a backup of an open database. The copy must contain everything that the mark m
// claims.
func backupDatabase(db *sql.DB, m mark, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return wrapError("back up", to, fs.ErrExist)
	}
	partial := to + ".partial"
	err := removeFiles(partial) // left by a backup that was interrupted
	if err == nil {
		err = writeCheckedBackup(db, m, partial)
	}
	if err == nil {
		err = os.Rename(partial, to)
	}
	if err != nil {
		return wrapError("back up", to, errors.Join(err, removeFiles(partial)))
	}
	return wrapError("back up", to, syncFile(filepath.Dir(to)))
}

// writeCheckedBackup writes the file of a backup, checks it and syncs it to disk.
func writeCheckedBackup(db *sql.DB, m mark, to string) error {
	// The file is created here, empty and private, because SQLite would use the umask.
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if _, err := db.Exec("VACUUM INTO ?", to); err != nil {
		return err
	}
	if err := checkBackup(to, m); err != nil {
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

// checkBackup checks a file that no program writes to: its pages, its schema, its sums, and that nothing
// claimed by the mark of its store is missing.
func checkBackup(path string, m mark) error {
	db, err := openDatabase(path, "&mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	version, err := checkDatabase(db, path)
	if err != nil || version < sumsFrom {
		return err
	}
	lost, err := lossesBehindMark(db, m)
	if err == nil && len(lost) > 0 {
		err = &Error{Op: "check", Path: path, Trouble: Damaged, Cause: errors.New("older than its mark")}
	}
	return err
}

// checkDatabase returns the schema version of an undamaged database; any damage is an error.
func checkDatabase(db querier, path string) (version int, err error) {
	if version, err = recogniseSchema(db, path); err != nil {
		return 0, err
	}
	if version == 0 {
		return 0, &Error{Op: "check", Path: path, Trouble: Empty}
	}
	if err := checkIntegrity(db); err != nil {
		return 0, err
	}
	if err := checkSchema(db, version); err != nil {
		return 0, err
	}
	if version >= sumsFrom {
		found, err := checkSums(db, version)
		if err != nil {
			return 0, err
		}
		if !found.isEmpty() {
			return 0, &Error{Op: "check", Path: path, Trouble: Damaged, Cause: errors.New("its sums")}
		}
	}
	return version, nil
}

// databaseSize returns how many bytes of a backup are the database: those before the trailer, which it checks. A file without a
// trailer is a backup of an older version or a former state; its sums are checked later anyway.
func databaseSize(f *os.File) (size int64, err error) {
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
			if _, err := f.ReadAt(head, 0); err == nil && string(head) == "SQLite format 3\x00" { // pages with something else after them
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

// MaxBackups is the number of automatic backups that are kept.
const MaxBackups = 10

// backupFolder is their folder, next to the store.
const backupFolder = "backups"

// BackUpAndPrune makes a backup in the folder "backups" next to the store, returns its path, and removes the oldest
// ones beyond MaxBackups. The name has a running number, the time and the game.
func (s *Store) BackUpAndPrune(game int64) (string, error) {
	return s.makeNumberedBackup(game, s.WriteBackup)
}

// backUpOrphanedFiles makes a backup from the files that this program still has open, although their names now belong
// to other files, and returns its path. So nothing that was acknowledged is lost. It creates the folder again if it was deleted; it
// does not if the folder was only moved, because that one may come back.
func (s *Store) backUpOrphanedFiles() (string, error) {
	s.mu.Lock()
	game := s.mark.last.Game
	s.mu.Unlock()
	if folder := filepath.Dir(s.path); s.lock.isFolderDeleted() {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", wrapError("back up", folder, err)
		}
	}
	return s.makeNumberedBackup(game, func(to string) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		return backupDatabase(s.db, s.mark.last, to)
	})
}

// makeNumberedBackup calls backup with the path of the next automatic backup, and then removes the oldest ones
// beyond MaxBackups. It returns the path.
func (s *Store) makeNumberedBackup(game int64, backup func(to string) error) (string, error) {
	folder := filepath.Join(filepath.Dir(s.path), backupFolder)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", wrapError("back up", folder, err)
	}
	if err := giveToFolderOwner(folder, filepath.Dir(s.path)); err != nil {
		return "", wrapError("back up", folder, err)
	}
	s.backupMu.Lock()
	defer s.backupMu.Unlock()
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
		err = removeFiles(names[len(names)-1])
	}
	return to, wrapError("back up", folder, err)
}

// Backups lists the files that BackUpAndPrune has made, newest first.
func (s *Store) Backups() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(s.path)), backupFolder, "*_game-*.db"))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(backupNumber(b), backupNumber(a)), strings.Compare(b, a))
	})
	return names, wrapError("list the backups", s.path, err)
}

// DiskUsage says how much disk space a store takes.
type DiskUsage struct {
	Size, Log    int64 // bytes of the file and of its log
	FormerStates int   // number of former states next to the store
	Backups      int   // number of automatic backups
	// LastBackup is the time of the newest automatic backup; zero if there is none.
	LastBackup time.Time
}

// DiskUsage reads the sizes from the disk; a missing file counts as nothing.
func (s *Store) DiskUsage() (f DiskUsage) {
	if st, err := os.Stat(s.path); err == nil {
		f.Size = st.Size()
	}
	if st, err := os.Stat(s.path + "-wal"); err == nil {
		f.Log = st.Size()
	}
	former, _ := formerStates(s.path)
	backups, _ := s.Backups()
	f.FormerStates, f.Backups = len(former), len(backups)
	if f.Backups > 0 {
		if st, err := os.Stat(backups[0]); err == nil {
			f.LastBackup = st.ModTime()
		}
	}
	return f
}

// backupNumber returns the running number in the name of a backup, 0 for a backup of an older version, whose
// name begins with the time. Backups are ordered by number because the clock of a Pi may be wrong.
func backupNumber(name string) int {
	digits, _, _ := strings.Cut(filepath.Base(name), "_")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// Summary counts the contents of a store, for an owner who chooses between two.
type Summary struct {
	Games, Tags, Seats, Decks int
	// Steps is the number of steps of the newest game.
	Steps     int64
	LastEvent time.Time // time of the newest event; zero if there is none
}

// readSummary counts the contents of a database. On an error it returns the counts that could be read.
func readSummary(q querier) (s Summary, err error) {
	var last int64
	err = errors.Join(
		q.QueryRow("SELECT count(*) FROM games").Scan(&s.Games),
		q.QueryRow("SELECT count(*) FROM tags").Scan(&s.Tags),
		q.QueryRow("SELECT count(DISTINCT substr(viewer, 1, instr(viewer || '.', '.') - 1))"+
			" FROM keys WHERE viewer <> 'host'").Scan(&s.Seats),
		q.QueryRow("SELECT count(*) FROM decks").Scan(&s.Decks),
		q.QueryRow("SELECT coalesce(max(step), 0) FROM events WHERE game = (SELECT max(id) FROM games)").Scan(&s.Steps),
		q.QueryRow("SELECT coalesce(max(wall), 0) FROM events").Scan(&last))
	if last > 0 {
		s.LastEvent = time.UnixMilli(last)
	}
	return s, err
}

// OpenForReading opens a store for reading, also while the daemon has it open. It creates, changes and repairs
// nothing, except that a store of an older version is migrated first.
func OpenForReading(path string) (*Store, error) {
	path = resolveLink(path)
	s := &Store{path: path, now: time.Now}
	if _, err := os.Stat(path); err != nil {
		return nil, s.wrapStoreError("open", err)
	}
	var err error
	if s.db, err = openDatabase(path, "&mode=ro"); err != nil {
		return nil, s.wrapStoreError("open", err)
	}
	version, err := recogniseSchema(s.db, path)
	if err != nil {
		err = classifySchemaError(s.db, path, err)
	} else if version > 0 {
		err = checkSchema(s.db, version)
	}
	if err == nil && version == len(migrations) {
		return s, nil
	}
	_ = s.db.Close()
	if err != nil {
		return nil, s.wrapStoreError("open", err)
	}
	return Open(path, nil) // of an older version: migrate it first
}

// giveToFolderOwner gives a file to the owner of its folder if root has created it, because the daemon runs as
// another user.
func giveToFolderOwner(file, folder string) error {
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
