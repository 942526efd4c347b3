package store

import (
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// PreparedRestore is a backup that was checked and can now replace a store. It has the lock of that store
// until Commit or Cancel.
type PreparedRestore struct {
	// New counts the contents of the backup, and Old those of the store that it replaces. HasOld is false if
	// there is no such store or it cannot be read.
	New, Old Summary
	HasOld   bool

	// KeepsAccounts reports that the present accounts stay and those of the backup are dropped.
	KeepsAccounts bool

	from, to, copyPath string
	accountRows        [][]any   // rows of the settings that stay, as they are in the present store
	phoneKeys          phoneKeys // of the present store
	lock               *lock
}

// epochJump is more than the number of starts that a table can have between a backup and its loss.
const epochJump = 1000

// Restore replaces a store that no program has open by a backup, without asking. kept is the name of the
// former file, <to>.1, <to>.2 ...; "" if there was none.
func Restore(from, to string) (kept string, err error) {
	r, err := PrepareRestore(from, to)
	if err != nil {
		return "", err
	}
	return r.Commit()
}

// PrepareRestore checks a backup and copies it next to the store; it replaces nothing yet. It refuses a
// backup that is empty, damaged, of another program or of a later version.
func PrepareRestore(from, to string) (_ *PreparedRestore, err error) {
	to = resolveLink(to)
	r := &PreparedRestore{from: from, to: to, copyPath: to + ".restoring"}
	if r.lock, err = acquireLock(to); err != nil {
		return nil, wrapError("restore", to, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Cancel())
		}
	}()
	if err := r.copyBackup(); err != nil {
		var e *Error
		if errors.As(err, &e) && e.Path != to {
			e.Op, e.Path = opRestore, from // the owner knows the backup, not the copy
			return nil, e
		}
		return nil, wrapError("restore", from, err)
	}
	if err := r.mergeFormerState(); err != nil {
		return nil, wrapError("restore", r.copyPath, err)
	}
	return r, nil
}

// copyBackup makes the copy and checks it; the backup may be on a read-only stick. If it is a former state,
// it may have a log next to it.
func (r *PreparedRestore) copyBackup() error {
	if err := r.removeCopy(); err != nil {
		return err
	}
	src, err := os.Open(r.from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	size, err := databaseSize(src)
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(r.copyPath, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, io.NewSectionReader(src, 0, size))
	if err = errors.Join(err, dst.Sync(), dst.Close()); err != nil {
		return err
	}
	if err := copyToNewFile(r.from+"-wal", r.copyPath+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := openDatabase(r.copyPath, "")
	if err != nil {
		return err
	}
	version, err := checkDatabase(db, r.from)
	if err == nil {
		err = migrate(db, version, migrations)
	}
	if err == nil {
		r.New, err = readSummary(db)
	}
	if err == nil {
		var m mark
		if m, err = buildMark(db, 0); err == nil && !wasEverWritten(m) {
			err = &Error{Op: "restore", Path: r.from, Trouble: Empty}
		}
	}
	return errors.Join(err, db.Close())
}

// mergeFormerState makes the copy the next state of the store that it replaces. The number of starts must not go
// back: the pages drop views of an earlier start, and a sealed frame must not be made twice. The connect
// counters must not go back either, or connect messages overheard since the backup would be accepted again.
// If nothing is known of the starts, they jump ahead by epochJump. If the present store has accounts, they
// stay: the backup must not bring back an account that was removed since, nor an old PIN. Phones keep their keys.
func (r *PreparedRestore) mergeFormerState() error {
	m, marked := readMark(r.to + ".mark")
	if former, err := r.readFormerMark(); err == nil {
		m.Epoch = max(m.Epoch, former.Epoch)
		if m.Store == nil {
			m.Store = former.Store
		}
		for viewer, counter := range former.Counters {
			if m.Counters == nil {
				m.Counters = map[string]int64{}
			}
			m.Counters[viewer] = max(counter, m.Counters[viewer])
		}
		marked = true
	}
	db, err := openDatabase(r.copyPath, "")
	if err != nil {
		return err
	}
	err = runInTx(db, func(tx *sql.Tx) error {
		var starts int64
		if err := tx.QueryRow("SELECT coalesce((SELECT " + epochValue + "), 0)").Scan(&starts); err != nil {
			return err
		}
		if !marked {
			m.Epoch = starts + epochJump
		}
		err := m.raiseCounters(tx)
		for shelf, n := range m.Changes { // so that the mark is not ahead of the store
			_, e := tx.Exec("UPDATE ledger SET changes = max(changes, ?) + 1 WHERE shelf = ?", n, shelf)
			err = errors.Join(err, e)
		}
		for _, row := range r.accountRows {
			_, e := tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", row...)
			err = errors.Join(err, e)
		}
		_, e := tx.Exec("DELETE FROM losses") // they are of another state
		return errors.Join(err, r.phoneKeys.keepKeys(tx), m.setStoreName(tx), e)
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return errors.Join(giveToFolderOwner(r.copyPath, filepath.Dir(r.to)), syncFile(r.copyPath))
}

// readFormerMark reads the counters of the store that is to be replaced, as a mark, and its summary and accounts
// into r. Opening the store also copies its log into it.
func (r *PreparedRestore) readFormerMark() (m mark, err error) {
	if _, err := os.Stat(r.to); err != nil {
		return m, err
	}
	db, err := openDatabase(r.to, "")
	if err != nil {
		return m, err
	}
	defer func() { _ = db.Close() }()
	if _, err = recogniseSchema(db, r.to); err != nil {
		return m, err
	}
	r.readAccounts(db)
	r.phoneKeys = readPhoneKeys(db)
	if r.Old, err = readSummary(db); err != nil {
		return m, err
	}
	r.HasOld = true
	if m, err = buildMark(db, 0); err == nil {
		return m, nil
	}
	m = mark{Counters: map[string]int64{}} // an older schema
	err = db.QueryRow("SELECT " + epochValue).Scan(&m.Epoch)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	rows, e := queryAll(db, scanCount, "SELECT viewer, counter FROM keys")
	for _, c := range rows {
		m.Counters[c.name] = c.n
	}
	return m, errors.Join(err, e)
}

// readAccounts reads the accounts of the store that is to be replaced. If it has none, or damaged ones, those
// of the backup are used.
func (r *PreparedRestore) readAccounts(db querier) {
	_ = settingTable.eachRow(db, "WHERE name IN ('set."+SettingStaff+"', 'set."+SettingTries+"') ORDER BY name",
		func(v []any, told checksum) error {
			if settingTable.rowSum(v) == told {
				r.accountRows = append(r.accountRows, v)
			}
			return nil
		})
	if r.KeepsAccounts = slices.ContainsFunc(r.accountRows, func(v []any) bool { return v[0] == "set."+SettingStaff }); !r.KeepsAccounts {
		r.accountRows = nil
	}
}

// Cancel leaves everything unchanged and releases the lock.
func (r *PreparedRestore) Cancel() error {
	err := errors.Join(r.removeCopy(), r.lock.release())
	r.lock = nil
	return wrapError("restore", r.to, err)
}

func (r *PreparedRestore) removeCopy() error {
	return removeFiles(r.copyPath, r.copyPath+"-wal", r.copyPath+"-shm", r.copyPath+"-journal")
}

// Commit puts the backup in the place of the store and releases the lock. kept is the name of the former file, ""
// if there was none. At every moment the store's name belongs to the former file or to the restored one.
func (r *PreparedRestore) Commit() (kept string, err error) {
	defer func() { err = errors.Join(err, r.Cancel()) }()
	if _, err = os.Stat(r.to); err == nil {
		if kept, err = copyToFormerState(r.to); err != nil {
			return "", wrapError("restore", r.to, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", wrapError("restore", r.to, err)
	}
	if _, marked := readMark(r.to + ".mark"); !marked { // a mark that claims nothing yet
		m, err := openMark(r.to + ".mark")
		if err == nil {
			err = errors.Join(m.writeMark(mark{}), m.f.Close())
		}
		if err != nil {
			return kept, wrapError("restore", r.to, err)
		}
	}
	err = removeFiles(r.to+"-wal", r.to+"-shm") // already in the file, or copied aside
	if err == nil {
		err = os.Rename(r.copyPath, r.to)
	}
	if err == nil {
		err = syncFile(filepath.Dir(r.to))
	}
	return kept, wrapError("restore", r.to, err)
}
