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

// openAndRepair opens the file, migrates it to the present schema, checks all sums and compares the store with
// its mark. If something is damaged, it writes a new file from all sound rows and adds what is missing to the
// list of losses. The damaged file stays under the next free number.
func (s *Store) openAndRepair(m mark, hasMark bool) (err error) {
	if s.mark, err = openMark(s.path + ".mark"); err != nil {
		return err
	}
	if err = restoreLogFromFormerState(s.path); err != nil {
		return err
	}
	if s.db, err = openDatabase(s.path, ""); err != nil {
		return err
	}
	version, damaged, err := s.versionAndDamage()
	if err != nil {
		return err
	}
	var losses []Loss
	switch {
	case damaged:
		if losses, err = s.rebuildFile(m, hasMark); err != nil {
			return err
		}
		version = len(migrations)
	case version < sumsFrom: // a mark that claims nothing yet
		if err := s.mark.writeMark(mark{Store: m.Store, Epoch: m.Epoch, Counters: m.Counters}); err != nil {
			return err
		}
	}
	// Only now, because this setting is written to the file and stays.
	if _, err := s.db.Exec("PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	if err := migrate(s.db, version, migrations); err != nil {
		return err
	}
	if err := s.files.rememberFiles(s.path); err != nil {
		return err
	}
	return s.saveMissingByMark(m, hasMark, version, losses)
}

// versionAndDamage returns the schema version of a file and whether anything in it is damaged. A file of another
// program or of a later version is an error.
func (s *Store) versionAndDamage() (version int, damaged bool, err error) {
	version, err = recogniseSchema(s.db, s.path)
	if err != nil {
		err = classifySchemaError(s.db, s.path, err)
	} else if version > 0 {
		if err = checkIntegrity(s.db); err == nil {
			err = checkSchema(s.db, version)
		}
	}
	var found findings
	if err == nil && version >= sumsFrom { // older schemas have no sums
		found, err = checkSums(s.db, version)
	}
	if err != nil && classifyTrouble(err) == Damaged {
		return version, true, nil
	}
	return version, !found.isEmpty(), err
}

// classifySchemaError decides what an error of recogniseSchema means. A file that seems to be of another program or
// of a later version is a damaged one of ours if it has a mark, our application id in its header, or our schema; a
// real later version has a schema of its own.
func classifySchemaError(db querier, path string, err error) error {
	t := classifyTrouble(err)
	if t != NotOurs && t != TooNew && t != Damaged {
		return err
	}
	is, unread := schemaVersion(db)
	ours := is > 0
	if _, marked := readMark(path + ".mark"); !ours && (t != TooNew || unread != nil) {
		ours = marked || hasOurApplicationID(path)
	}
	switch {
	case ours:
		return &Error{Op: "open", Path: path, Trouble: Damaged, Cause: err}
	case t == Damaged:
		return &Error{Op: "open", Path: path, Trouble: NotOurs, Cause: err}
	}
	return err
}

// hasOurApplicationID reports whether the header of a file has our application id. It works without SQLite, which may
// be unable to read the file.
func hasOurApplicationID(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	number := make([]byte, 4)
	_, err = f.ReadAt(number, 68)
	return err == nil && binary.BigEndian.Uint32(number) == applicationID
}

// saveMissingByMark finds what the mark knows and the store does not, and saves it with the earlier losses. It
// raises the epoch and the counters, which never go back.
func (s *Store) saveMissingByMark(m mark, hasMark bool, version int, losses []Loss) (err error) {
	now, err := buildMark(s.db, 0)
	if err != nil {
		return err
	}
	before := s.formerState
	if losses, err = s.addMissing(&m, hasMark, version, now, losses); err != nil {
		return err
	}
	if len(losses) == 0 && m.Epoch <= now.Epoch && !hasHigherCounter(m, now) {
		return nil
	}
	err = runInTx(s.db, func(tx *sql.Tx) error { return errors.Join(saveLosses(tx, losses), m.raiseCounters(tx)) })
	if err != nil && before == "" && s.formerState != "" { // as in rebuildFile
		err = errors.Join(err, removeFiles(s.formerState, s.formerState+"-wal"))
	}
	return err
}

// addMissing adds to the losses what the mark knows and the present store does not. If nothing says how often
// the daemon has started, the mark's epoch jumps ahead by epochJump.
func (s *Store) addMissing(m *mark, hasMark bool, version int, now mark, losses []Loss) (_ []Loss, err error) {
	last := Loss{Game: m.Game, To: m.Step, Until: m.At}
	switch {
	case !hasMark && len(losses) > 0 && losses[0].Kind == LostUnreadable:
		m.Epoch = epochJump
	case !hasMark && version >= sumsFrom && wasEverWritten(now):
		losses = append([]Loss{{Kind: LostMark}}, losses...)
		m.Epoch = now.Epoch + epochJump
	case !hasMark || m.Store == nil:
	case version == 0 && wasEverWritten(*m):
		last.Kind = LostFile
		losses = append(losses, last)
	case version > 0 && string(m.Store) != string(now.Store):
		last.Kind = LostOther
		losses = append([]Loss{last}, losses...)
	case len(losses) == 0 && version >= sumsFrom:
		if losses, err = lossesBehindMark(s.db, *m); err != nil {
			return nil, err
		}
		if len(losses) > 0 && s.formerState == "" {
			if s.formerState, err = copyToFormerState(s.path); err != nil {
				return nil, err
			}
		}
	}
	if len(losses) > 0 {
		losses = append(losses, m.Lost...)
	}
	return losses, nil
}

// wasEverWritten reports whether something was ever written to the store of a mark.
func wasEverWritten(m mark) bool {
	for _, n := range m.Changes {
		if n > 0 {
			return true
		}
	}
	return m.Epoch > 0
}

func hasHigherCounter(m, now mark) bool {
	for viewer, counter := range m.Counters {
		if was, ok := now.Counters[viewer]; ok && was < counter {
			return true
		}
	}
	return false
}

// FormerStateFile returns the file with the former state, if this start has found something missing; else "".
func (s *Store) FormerStateFile() string { return s.formerState }

// nextFormerName returns the next free name for a former state: <file>.1, <file>.2 ...
func nextFormerName(path string) (string, error) {
	taken, err := formerStates(path)
	top := 0
	for n := range taken {
		top = max(top, n)
	}
	return fmt.Sprintf("%s.%d", path, top+1), err
}

// formerStates returns the numbers of the former states next to a store.
func formerStates(path string) (map[int]bool, error) {
	names, err := filepath.Glob(escapeGlob(path) + ".*")
	taken := map[int]bool{}
	for _, name := range names {
		if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, path+"."), "-wal")); err == nil {
			taken[n] = true
		}
	}
	return taken, err
}

// escapeGlob quotes the special characters of a file name pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// copyToFormerState copies a file and its log, byte for byte, to the next free number, and returns the name of the copy.
func copyToFormerState(path string) (string, error) {
	to, err := nextFormerName(path)
	if err != nil {
		return "", err
	}
	for _, tail := range []string{"-wal", ""} {
		if err := copyToNewFile(path+tail, to+tail); err != nil && (tail == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", errors.Join(err, removeFiles(to+"-wal", to))
		}
	}
	return to, syncFile(filepath.Dir(path))
}

// restoreLogFromFormerState moves the log of the newest former state back, if a power cut has left the file without one. A
// damaged file's log is removed before another file is renamed into its place, because no rename changes both
// at once; in between, the file and its copy are the same byte for byte.
func restoreLogFromFormerState(path string) error {
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
	if was, err := os.ReadFile(former); err != nil || !bytes.Equal(is, was) { // an incomplete copy, or the new file is already in place
		return nil
	}
	if err := errors.Join(os.Rename(former+"-wal", path+"-wal"), syncFile(filepath.Dir(path))); err != nil {
		return err
	}
	return removeFiles(former) // it is the same as the file
}

// copyToNewFile makes a private copy that is on disk when it returns.
func copyToNewFile(from, to string) error {
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
	return giveToFolderOwner(to, filepath.Dir(to))
}

// removeFiles removes those files that exist.
func removeFiles(names ...string) (err error) {
	for _, n := range names {
		if e := os.Remove(n); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
