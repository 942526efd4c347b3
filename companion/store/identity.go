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

// identity tells whether the files under the store's names are still the ones
// that it has open, and whether anybody else has written to the first.
type identity struct {
	path string
	file *os.File // kept open until after the database: closing it drops SQLite's locks
	// info of the file, its log and its mark as they were opened; nil: not there yet.
	info, wal, mark os.FileInfo
	head            []byte // the first bytes of the file, which only a checkpoint changes
}

// headSize is the header of a database file (SQLite file format 1.3).
const headSize = 100

var errGone = errors.New("the file under this name is not the one that was opened")

func gone(path, what string) error {
	return &Error{Op: "look at the file", Path: path, Trouble: Gone, Cause: fmt.Errorf("%s: %w", what, errGone)}
}

// begin remembers the files of a store that is being opened.
func (i *identity) begin(path string) (err error) {
	i.path = path
	if i.file, err = os.OpenFile(path, os.O_RDONLY, 0); err != nil {
		return err
	}
	if i.info, err = i.file.Stat(); err != nil {
		return err
	}
	return i.learn()
}

// there compares the files' identities.
func (i *identity) there() error {
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
			return gone(i.path, f.name)
		}
	}
	return nil
}

// check compares identities and the header: a copy laid over the file has the
// same name and the same inode.
func (i *identity) check() error {
	if err := i.there(); err != nil || i.head == nil {
		return err
	}
	head := make([]byte, headSize)
	if n, _ := i.file.ReadAt(head, 0); !bytes.Equal(head[:n], i.head) {
		return gone(i.path, "the header of "+i.path)
	}
	return nil
}

// learn remembers what this program has just written itself.
func (i *identity) learn() error {
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
	if errors.Is(err, io.EOF) { // nothing in it yet
		return nil
	}
	return err
}

func (i *identity) close() error {
	if i.file == nil {
		return nil
	}
	err := i.file.Close()
	i.file = nil
	return err
}

// quiet is how long nothing must have been written before the log is carried into
// the file: nobody waits for the disk then.
const quiet = 3 * time.Second

// rescueAgain is how long after a rescue that failed the next one is tried: there may be
// space again.
const rescueAgain = time.Minute

// Watch looks after the open file until ctx ends, once every period. It tells bad
// each new trouble of the file: one that stays is told once. It empties the log at
// quiet moments. When a game has ended it makes a backup, also as its last act; when
// the file is not ours any more, one of what this program still has open,
// which bad is then told again, with its name as Error.Backup. How each
// went it tells saved: where it is, or why there is none.
func (s *Store) Watch(ctx context.Context, every time.Duration, bad func(error), saved func(file string, err error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var backups sync.WaitGroup
	defer backups.Wait()
	w := watcher{Store: s, bad: bad, saved: saved}
	for done := false; !done; {
		select {
		case <-ctx.Done():
			done = true
		case <-tick.C:
			w.look()
		}
		if game := s.over(); game != 0 {
			backups.Go(func() { saved(s.AutoBackup(game)) }) // the watch goes on meanwhile
		}
	}
}

// watcher remembers between two looks at the file what it has told of it.
type watcher struct {
	*Store
	bad   func(error)
	saved func(file string, err error)
	was   Trouble
	tried time.Time // when it last tried to save what is still open
}

func (w *watcher) look() {
	is, err := Trouble(""), w.tend()
	if err != nil {
		is = troubleOf(err)
	}
	if is == "" {
		w.Store.saved.Store(nil)
	} else if is != w.was {
		w.bad(w.fail("watch", err))
	}
	if is == Gone && w.Store.saved.Load() == nil && (w.was != Gone || time.Since(w.tried) >= w.again) {
		file, failed := w.rescue()
		w.saved(file, failed)
		if failed == nil {
			w.Store.saved.Store(&file)
			w.bad(w.fail("watch", err))
		}
		w.tried = time.Now()
	}
	w.was = is
}

// over is the game that has ended since it was last asked.
func (s *Store) over() (game int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	game, s.ended = s.ended, 0
	return game
}

// tend compares the file with the one that was opened, and empties its log at quiet moments.
func (s *Store) tend() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mark == nil { // closed
		return nil
	}
	if err := s.ours.check(); err != nil {
		return err
	}
	s.lock.renew()
	if s.wrote.IsZero() || time.Since(s.wrote) < quiet {
		return nil
	}
	return s.checkpoint()
}

// checkpoint carries the log into the file and empties it. Who reads the store at
// this moment keeps it from being emptied; the next quiet moment does it. One that
// fails half way, on a full disk, may have written the header already.
func (s *Store) checkpoint() error {
	var busy, log, done sql.NullInt64
	err := s.db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &done)
	if err == nil && busy.Int64 == 0 {
		s.wrote = time.Time{}
	}
	return errors.Join(err, s.ours.learn())
}
