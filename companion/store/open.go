package store

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// openSound opens the file, brings it to the present schema, adds everything up
// and compares it with its mark. A file in which something is damaged is written
// anew from all that is sound; what is missing is put on the list of losses. The
// file as it was found stays beside it, under its own number.
func (s *Store) openSound(m mark, marked bool) (err error) {
	if s.mark, err = openMark(s.path + ".mark"); err != nil {
		return err
	}
	if err = putLogBack(s.path); err != nil {
		return err
	}
	if s.db, err = database(s.path, ""); err != nil {
		return err
	}
	version, damaged, err := s.examine()
	if err != nil {
		return err
	}
	var losses []Loss
	switch {
	case damaged:
		if losses, err = s.rebuild(m, marked); err != nil {
			return err
		}
		version = len(migrations)
	case version < sumsFrom: // a mark that claims nothing yet
		if err := s.mark.put(mark{Store: m.Store, Epoch: m.Epoch, Counters: m.Counters}); err != nil {
			return err
		}
	}
	// Only now, since it writes to the file and stays with it.
	if _, err := s.db.Exec("PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	if err := migrate(s.db, version, migrations); err != nil {
		return err
	}
	if err := s.ours.begin(s.path); err != nil {
		return err
	}
	return s.compare(m, marked, version, losses)
}

// examine says of which schema a file is, and whether anything in it is damaged. What
// is not ours, or of a later version, is an error.
func (s *Store) examine() (version int, damaged bool, err error) {
	version, err = recognise(s.db, s.path)
	if err != nil {
		err = judged(s.db, s.path, err)
	} else if version > 0 {
		if err = sound(s.db); err == nil {
			err = schemaIs(s.db, version)
		}
	}
	var found findings
	if err == nil && version >= sumsFrom { // before, there was nothing to add up
		found, err = verify(s.db, version)
	}
	if err != nil && troubleOf(err) == Damaged {
		return version, true, nil
	}
	return version, !found.none(), err
}

// judged is what an error of recognise means. A file that calls itself none of ours, or
// of a later version, is a damaged one of ours by its mark, by the number in its
// header or by its schema; a later version has a schema of its own.
func judged(db querier, path string, err error) error {
	t := troubleOf(err)
	if t != NotOurs && t != Newer && t != Damaged {
		return err
	}
	is, unread := schemaNow(db)
	ours := is > 0
	if _, marked := readMark(path + ".mark"); !ours && (t != Newer || unread != nil) {
		ours = marked || numbersOurs(path)
	}
	switch {
	case ours:
		return &Error{Op: "open", Path: path, Trouble: Damaged, Cause: err}
	case t == Damaged:
		return &Error{Op: "open", Path: path, Trouble: NotOurs, Cause: err}
	}
	return err
}

// numbersOurs reads the number of the program in a file's header, without SQLite, which
// may not read the file at all.
func numbersOurs(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	number := make([]byte, 4)
	_, err = f.ReadAt(number, 68)
	return err == nil && binary.BigEndian.Uint32(number) == applicationID
}

// compare finds out what the mark knows and the store does not, and keeps that
// with what was lost already. Epoch and counters never go back.
func (s *Store) compare(m mark, marked bool, version int, losses []Loss) (err error) {
	now, err := markOf(s.db, 0)
	if err != nil {
		return err
	}
	before := s.kept
	if losses, err = s.missing(&m, marked, version, now, losses); err != nil {
		return err
	}
	if len(losses) == 0 && m.Epoch <= now.Epoch && !higher(m, now) {
		return nil
	}
	err = within(s.db, func(tx *sql.Tx) error { return errors.Join(keepLosses(tx, losses), m.raise(tx)) })
	if err != nil && before == "" && s.kept != "" { // as in rebuild
		err = errors.Join(err, remove(s.kept, s.kept+"-wal"))
	}
	return err
}

// missing adds to what was lost already what the mark knows and the store, as it is
// now, does not. Where that says nothing of the starts, the mark's epoch jumps ahead.
func (s *Store) missing(m *mark, marked bool, version int, now mark, losses []Loss) (_ []Loss, err error) {
	last := Loss{Game: m.Game, To: m.Step, Until: m.At}
	switch {
	case !marked && len(losses) > 0 && losses[0].Kind == LostUnread:
		m.Epoch = jump
	case !marked && version >= sumsFrom && anything(now):
		losses = append([]Loss{{Kind: LostMark}}, losses...)
		m.Epoch = now.Epoch + jump
	case !marked || m.Store == nil:
	case version == 0 && anything(*m):
		last.Kind = LostFile
		losses = append(losses, last)
	case version > 0 && string(m.Store) != string(now.Store):
		last.Kind = LostOther
		losses = append([]Loss{last}, losses...)
	case len(losses) == 0 && version >= sumsFrom:
		if losses, err = behind(s.db, *m); err != nil {
			return nil, err
		}
		if len(losses) > 0 && s.kept == "" {
			if s.kept, err = aside(s.path); err != nil {
				return nil, err
			}
		}
	}
	if len(losses) > 0 {
		losses = append(losses, m.Lost...)
	}
	return losses, nil
}

// anything reports a store in which something was ever kept.
func anything(m mark) bool {
	for _, n := range m.Changes {
		if n > 0 {
			return true
		}
	}
	return m.Epoch > 0
}

func higher(m, now mark) bool {
	for viewer, counter := range m.Counters {
		if was, ok := now.Counters[viewer]; ok && was < counter {
			return true
		}
	}
	return false
}

// Kept is where the former state of the file is, when this start has found
// something missing.
func (s *Store) Kept() string { return s.kept }

// numbered is the next free name for a former state: <file>.1, <file>.2 ...
func numbered(path string) (string, error) {
	taken, err := formerStates(path)
	top := 0
	for n := range taken {
		top = max(top, n)
	}
	return fmt.Sprintf("%s.%d", path, top+1), err
}

// formerStates are the numbers under which former states stand beside a store.
func formerStates(path string) (map[int]bool, error) {
	names, err := filepath.Glob(escaped(path) + ".*")
	taken := map[int]bool{}
	for _, name := range names {
		if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, path+"."), "-wal")); err == nil {
			taken[n] = true
		}
	}
	return taken, err
}

// escaped takes their meaning from the signs of a pattern.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// aside copies a file and its log, as they lie on the disk, to the next number.
func aside(path string) (string, error) {
	to, err := numbered(path)
	if err != nil {
		return "", err
	}
	for _, tail := range []string{"-wal", ""} {
		if err := copyFile(path+tail, to+tail); err != nil && (tail == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", errors.Join(err, remove(to+"-wal", to))
		}
	}
	return to, syncFile(filepath.Dir(path))
}

// putLogBack takes the log of the newest former state where a power cut has left the
// file without: its log is removed before another file takes its place, and no rename
// changes both at once. Until then the file is what was put aside, byte for byte.
func putLogBack(path string) error {
	taken, err := formerStates(path)
	if err != nil || len(taken) == 0 {
		return err
	}
	former := fmt.Sprintf("%s.%d", path, slices.Max(slices.Collect(maps.Keys(taken))))
	_, missing := os.Stat(path + "-wal")
	log, err := os.Stat(former + "-wal")
	if !errors.Is(missing, fs.ErrNotExist) || err != nil || log.Size() == 0 {
		return nil
	}
	is, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if was, err := os.ReadFile(former); err != nil || !bytes.Equal(is, was) { // not whole, or another file is in place
		return nil
	}
	if err := errors.Join(os.Rename(former+"-wal", path+"-wal"), syncFile(filepath.Dir(path))); err != nil {
		return err
	}
	return remove(former) // the same as the file
}

// copyFile makes a private copy that is on disk when it returns.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Sync(), dst.Close()); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return sameOwner(to, filepath.Dir(to))
}

// remove removes what is there of some files.
func remove(names ...string) (err error) {
	for _, n := range names {
		if e := os.Remove(n); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
