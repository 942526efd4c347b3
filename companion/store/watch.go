package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// fileIdentity detects that the store's file names now belong to other files than those it has open, or that
// another program has written to the main file.
type fileIdentity struct {
	path string
	file *os.File // closed only after the database, because closing it drops SQLite's locks
	// Info of the file, its log and its mark when they were opened; nil for one that was not there yet.
	info, wal, mark os.FileInfo
	head            []byte // first bytes of the file, which only a checkpoint changes
}

// headSize is the size of the header of a database file (SQLite file format 1.3).
const headSize = 100

var errGone = errors.New("the file under this name is not the one that was opened")

func errFileGone(path, what string) error {
	return &Error{Op: "look at the file", Path: path, Trouble: FileGone, Cause: fmt.Errorf("%s: %w", what, errGone)}
}

// rememberFiles opens the main file once more and records the identity of the store's files.
func (i *fileIdentity) rememberFiles(path string) (err error) {
	i.path = path
	if i.file, err = os.OpenFile(path, os.O_RDONLY, 0); err != nil {
		return err
	}
	if i.info, err = i.file.Stat(); err != nil {
		return err
	}
	return i.rememberOwnWrites()
}

// checkFiles returns an error if a name belongs to another file now.
func (i *fileIdentity) checkFiles() error {
	for _, f := range []struct {
		name string
		was  os.FileInfo
	}{{i.path, i.info}, {i.path + "-wal", i.wal}, {i.path + ".mark", i.mark}} {
		if f.was == nil {
			continue
		}
		is, err := os.Stat(f.name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err != nil || !os.SameFile(is, f.was) {
			return errFileGone(i.path, f.name)
		}
	}
	return nil
}

// checkUnchanged does what checkFiles does and compares the header too: a copy written over the file has the same
// name and the same inode.
func (i *fileIdentity) checkUnchanged() error {
	if err := i.checkFiles(); err != nil || i.head == nil {
		return err
	}
	head := make([]byte, headSize)
	if n, _ := i.file.ReadAt(head, 0); !bytes.Equal(head[:n], i.head) {
		return errFileGone(i.path, "the header of "+i.path)
	}
	return nil
}

// rememberOwnWrites records the header and new files after this program has written.
func (i *fileIdentity) rememberOwnWrites() error {
	if i.wal == nil {
		if st, err := os.Stat(i.path + "-wal"); err == nil {
			i.wal = st
		}
	}
	if i.mark == nil {
		if st, err := os.Stat(i.path + ".mark"); err == nil {
			i.mark = st
		}
	}
	head := make([]byte, headSize)
	n, err := i.file.ReadAt(head, 0)
	i.head = head[:n]
	if errors.Is(err, io.EOF) { // the file is still empty
		return nil
	}
	return err
}

func (i *fileIdentity) close() error {
	if i.file == nil {
		return nil
	}
	err := i.file.Close()
	i.file = nil
	return err
}

// quietPeriod is the time without a write after which the log is copied into the file. No one waits for the
// disk then.
const quietPeriod = 3 * time.Second

// rescueRetry is the time between two attempts to rescue the data; there may be space again.
const rescueRetry = time.Minute

// WatchFile checks the open file once every period until ctx ends. It calls onTrouble for each new trouble of the
// file, once while the trouble lasts. It empties the log in quiet moments. After a game has ended it makes a
// backup, also when ctx has just ended. If another file has taken the place of the store, it makes a backup
// of the data that this program still has open, and then calls onTrouble again with the name of the backup in
// Error.Backup. It calls onBackup after each backup with its file or the reason for the failure.
func (s *Store) WatchFile(ctx context.Context, every time.Duration, onTrouble func(error), onBackup func(file string, err error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var backups sync.WaitGroup
	defer backups.Wait()
	w := watcher{Store: s, onTrouble: onTrouble, onBackup: onBackup}
	for done := false; !done; {
		select {
		case <-ctx.Done():
			done = true
		case <-tick.C:
			w.checkOnce()
		}
		if game := s.takeNewlyEndedGame(); game != 0 {
			backups.Go(func() { onBackup(s.BackUpAndPrune(game)) }) // the watch goes on meanwhile
		}
	}
}

// watcher remembers what WatchFile has reported about the file.
type watcher struct {
	*Store
	onTrouble   func(error)
	onBackup    func(file string, err error)
	lastTrouble Trouble
	lastRescue  time.Time // time of the last attempt to rescue the data
}

// checkOnce checks the file once, reports a new trouble, and rescues the data if the file is gone.
func (w *watcher) checkOnce() {
	is, err := Trouble(""), w.checkFileAndEmptyLog()
	if err != nil {
		is = classifyTrouble(err)
	}
	if is == "" {
		w.Store.savedBackup.Store(nil)
	} else if is != w.lastTrouble {
		w.onTrouble(w.wrapStoreError("watch", err))
	}
	if is == FileGone && w.Store.savedBackup.Load() == nil && (w.lastTrouble != FileGone || time.Since(w.lastRescue) >= w.rescueRetry) {
		file, failed := w.backUpOrphanedFiles()
		w.onBackup(file, failed)
		if failed == nil {
			w.Store.savedBackup.Store(&file)
			w.onTrouble(w.wrapStoreError("watch", err))
		}
		w.lastRescue = time.Now()
	}
	w.lastTrouble = is
}

// takeNewlyEndedGame returns the game that has ended since the last call, and forgets it; 0 if there is none.
func (s *Store) takeNewlyEndedGame() (game int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	game, s.endedGame = s.endedGame, 0
	return game
}

// checkFileAndEmptyLog compares the file with the one that was opened, and empties its log in quiet moments.
func (s *Store) checkFileAndEmptyLog() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mark == nil { // the store is closed
		return nil
	}
	if err := s.files.checkUnchanged(); err != nil {
		return err
	}
	s.lock.renewHolder()
	if s.lastWrite.IsZero() || time.Since(s.lastWrite) < quietPeriod {
		return nil
	}
	return s.emptyLogIntoFile()
}

// emptyLogIntoFile copies the log into the file and empties it. A reader of the store at this moment prevents the
// emptying; the next quiet moment does it. A checkpoint that fails half way, for example on a full disk, may
// have written the header already.
func (s *Store) emptyLogIntoFile() error {
	var busy, log, done sql.NullInt64
	err := s.db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &done)
	if err == nil && busy.Int64 == 0 {
		s.lastWrite = time.Time{}
	}
	return errors.Join(err, s.files.rememberOwnWrites())
}
