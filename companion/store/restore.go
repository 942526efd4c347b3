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

// Restoring is a backup that has been checked and waits to be put in the place of a
// store. The lock of that store is held until Commit or Cancel.
type Restoring struct {
	// New is what the backup holds, and Old what it would replace; Known is false
	// when there is nothing, or nothing that can be read.
	New, Old Summary
	Known    bool

	// Stay reports that the accounts are those of now, not those of the backup.
	Stay bool

	from, to, fresh string
	staff           [][]any // the rows of staying settings, as they are now
	lock            *lock
}

// jump is more starts than a table has between a backup and its loss.
const jump = 1000

// Restore puts a backup in the place of a store that nobody has open, without
// asking. kept is where the former file is: <to>.1, <to>.2 ..., each under its own
// number; empty when there was none.
func Restore(from, to string) (kept string, err error) {
	r, err := PrepareRestore(from, to)
	if err != nil {
		return "", err
	}
	return r.Commit()
}

// PrepareRestore checks a backup and copies it to where it is needed; nothing is
// replaced yet. It refuses what is empty, damaged, of another program or of a later
// version.
func PrepareRestore(from, to string) (_ *Restoring, err error) {
	to = real(to)
	r := &Restoring{from: from, to: to, fresh: to + ".restoring"}
	if r.lock, err = acquire(to); err != nil {
		return nil, wrap("restore", to, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Cancel())
		}
	}()
	if err := r.copy(); err != nil {
		var e *Error
		if errors.As(err, &e) && e.Path != to {
			e.Op, e.Path = restoring, from // the copy is not what the owner knows
			return nil, e
		}
		return nil, wrap("restore", from, err)
	}
	if err := r.bring(); err != nil {
		return nil, wrap("restore", r.fresh, err)
	}
	return r, nil
}

// copy makes the copy and checks it; the backup itself may lie on a read-only stick.
// A former state may have a log beside it.
func (r *Restoring) copy() error {
	if err := r.clear(); err != nil {
		return err
	}
	src, err := os.Open(r.from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	size, err := body(src)
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(r.fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, io.NewSectionReader(src, 0, size))
	if err = errors.Join(err, dst.Sync(), dst.Close()); err != nil {
		return err
	}
	if err := copyFile(r.from+"-wal", r.fresh+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := database(r.fresh, "")
	if err != nil {
		return err
	}
	version, err := checked(db, r.from)
	if err == nil {
		err = migrate(db, version, migrations)
	}
	if err == nil {
		r.New, err = summarise(db)
	}
	if err == nil {
		var m mark
		if m, err = markOf(db, 0); err == nil && !anything(m) {
			err = &Error{Op: "restore", Path: r.from, Trouble: Empty}
		}
	}
	return errors.Join(err, db.Close())
}

// bring makes the copy the next state of the store that it replaces. Neither the
// starts of the daemon go back, because pages drop views of an earlier one and a
// sealed frame must not be made twice, nor the connect counters, because what was
// overheard since the backup would serve again. Where nothing tells them, the
// starts jump ahead by jump. Accounts stay as they are now, where there are or were any:
// who was sent away since the backup does not come back, and no former PIN either.
func (r *Restoring) bring() error {
	m, marked := readMark(r.to + ".mark")
	if former, err := r.former(); err == nil {
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
	db, err := database(r.fresh, "")
	if err != nil {
		return err
	}
	err = within(db, func(tx *sql.Tx) error {
		var starts int64
		if err := tx.QueryRow("SELECT coalesce((SELECT " + epochValue + "), 0)").Scan(&starts); err != nil {
			return err
		}
		if !marked {
			m.Epoch = starts + jump
		}
		err := m.raise(tx)
		for shelf, n := range m.Changes { // so that the mark is not ahead of it
			_, e := tx.Exec("UPDATE ledger SET changes = max(changes, ?) + 1 WHERE shelf = ?", n, shelf)
			err = errors.Join(err, e)
		}
		for _, row := range r.staff {
			_, e := tx.Exec("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", row...)
			err = errors.Join(err, e)
		}
		_, e := tx.Exec("DELETE FROM losses") // they are of another state
		return errors.Join(err, m.name(tx), e)
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return errors.Join(sameOwner(r.fresh, filepath.Dir(r.to)), syncFile(r.fresh))
}

// former reads the store that is to be replaced, and carries its log into it.
func (r *Restoring) former() (m mark, err error) {
	if _, err := os.Stat(r.to); err != nil {
		return m, err
	}
	db, err := database(r.to, "")
	if err != nil {
		return m, err
	}
	defer func() { _ = db.Close() }()
	if _, err = recognise(db, r.to); err != nil {
		return m, err
	}
	r.stay(db)
	if r.Old, err = summarise(db); err != nil {
		return m, err
	}
	r.Known = true
	if m, err = markOf(db, 0); err == nil {
		return m, nil
	}
	m = mark{Counters: map[string]int64{}} // an older schema
	err = db.QueryRow("SELECT " + epochValue).Scan(&m.Epoch)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	rows, e := query(db, scanCount, "SELECT viewer, counter FROM keys")
	for _, c := range rows {
		m.Counters[c.of] = c.n
	}
	return m, errors.Join(err, e)
}

// stay learns the accounts of the store that is to be replaced. One without, or with damaged ones, has the backup's.
func (r *Restoring) stay(db querier) {
	_ = settingShelf.each(db, "WHERE name IN ('set."+SettingStaff+"', 'set."+SettingTries+"') ORDER BY name", func(v []any, told sum) error {
		if settingShelf.sum(v) == told {
			r.staff = append(r.staff, v)
		}
		return nil
	})
	if r.Stay = slices.ContainsFunc(r.staff, func(v []any) bool { return v[0] == "set."+SettingStaff }); !r.Stay {
		r.staff = nil
	}
}

// Cancel leaves everything as it was.
func (r *Restoring) Cancel() error {
	err := errors.Join(r.clear(), r.lock.release())
	r.lock = nil
	return wrap("restore", r.to, err)
}

func (r *Restoring) clear() error {
	return remove(r.fresh, r.fresh+"-wal", r.fresh+"-shm", r.fresh+"-journal")
}

// Commit puts the backup in its place. The name of the store stands for the former
// state or for the restored one at every moment, never for nothing.
func (r *Restoring) Commit() (kept string, err error) {
	defer func() { err = errors.Join(err, r.Cancel()) }()
	if _, err = os.Stat(r.to); err == nil {
		if kept, err = aside(r.to); err != nil {
			return "", wrap("restore", r.to, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", wrap("restore", r.to, err)
	}
	if _, marked := readMark(r.to + ".mark"); !marked { // one that claims nothing yet
		m, err := openMark(r.to + ".mark")
		if err == nil {
			err = errors.Join(m.put(mark{}), m.f.Close())
		}
		if err != nil {
			return kept, wrap("restore", r.to, err)
		}
	}
	err = remove(r.to+"-wal", r.to+"-shm") // carried over, or copied aside
	if err == nil {
		err = os.Rename(r.fresh, r.to)
	}
	if err == nil {
		err = syncFile(filepath.Dir(r.to))
	}
	return kept, wrap("restore", r.to, err)
}
