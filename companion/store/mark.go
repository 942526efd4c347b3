package store

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"majordome/engine"
)

// A mark is what a store has acknowledged, in a small file of its own beside it:
// <file>.mark. It is written and synced after each commit and before the caller
// hears of it, so that a start can tell a store that has lost its end (a log with
// one bad byte, an older copy) from one that has not.
type mark struct {
	N       uint64           `json:"n"`     // rises with each mark
	Store   []byte           `json:"store"` // which store it is of
	Changes map[string]int64 `json:"changes"`
	// Epoch and Counters never go back, whatever happens to the store.
	Epoch    int64            `json:"epoch"`
	Counters map[string]int64 `json:"counters"`
	// The newest game, and how far it had come.
	Game  int64     `json:"game"`
	Book  engine.ID `json:"book"`
	Step  int64     `json:"step"`
	Chain []byte    `json:"chain"`
	At    int64     `json:"at"` // wall clock, milliseconds
	// Lost waits for the host, who may not have heard of it when the file is lost again.
	Lost []Loss `json:"lost,omitempty"`
}

// The file has two slots, written in turn: a power cut in the middle of one
// leaves the other. Both are allocated when it is made, so that fdatasync has
// nothing but the slot to write.
const (
	slotSize = 4096
	slotHead = 4 + sha256.Size
)

// markFile is the open file.
type markFile struct {
	f    *os.File
	last mark
}

// readMark is the newer sound mark of a file; ok is false when there is none.
func readMark(name string) (m mark, ok bool) {
	data, err := os.ReadFile(name)
	if err != nil {
		return mark{}, false
	}
	for i := 0; i+slotSize <= len(data) && i < 2*slotSize; i += slotSize {
		if one, sound := parseSlot(data[i : i+slotSize]); sound && (!ok || one.N > m.N) {
			m, ok = one, true
		}
	}
	return m, ok
}

func parseSlot(slot []byte) (m mark, ok bool) {
	n := int64(binary.BigEndian.Uint32(slot))
	if n == 0 || n > slotSize-slotHead {
		return mark{}, false
	}
	body := slot[slotHead : slotHead+n]
	told := sha256.Sum256(body)
	if !bytes.Equal(told[:], slot[4:slotHead]) {
		return mark{}, false
	}
	return m, json.Unmarshal(body, &m) == nil
}

// openMark opens the mark file, or makes it.
func openMark(name string) (*markFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	m := &markFile{f: f}
	m.last, _ = readMark(name)
	st, err := f.Stat()
	if err == nil && st.Size() != 2*slotSize {
		if _, err = f.WriteAt(make([]byte, 2*slotSize), 0); err == nil {
			err = f.Truncate(2 * slotSize)
		}
		if err = errors.Join(err, f.Sync()); err == nil {
			err = syncFile(filepath.Dir(name))
		}
	}
	if err == nil {
		err = sameOwner(name, filepath.Dir(name))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return m, nil
}

// put writes a mark and waits until it is on disk.
func (f *markFile) put(m mark) error {
	m.N = f.last.N + 1
	body, err := json.Marshal(m)
	if err == nil && len(body) > slotSize-slotHead {
		m.Lost = nil // the store has them, too
		body, err = json.Marshal(m)
	}
	if err != nil {
		return err
	}
	if len(body) > slotSize-slotHead {
		return errors.New("a mark too long")
	}
	slot := make([]byte, slotSize)
	binary.BigEndian.PutUint32(slot, uint32(len(body)))
	told := sha256.Sum256(body)
	copy(slot[4:], told[:])
	copy(slot[slotHead:], body)
	if _, err := f.f.WriteAt(slot, int64(m.N%2)*slotSize); err != nil {
		return err
	}
	if err := syscall.Fdatasync(int(f.f.Fd())); err != nil {
		return err
	}
	f.last = m
	return nil
}

// querier is a database or a transaction.
type querier interface {
	Query(string, ...any) (*sql.Rows, error)
	QueryRow(string, ...any) *sql.Row
}

// raise brings the epoch and the counters of a store up to the mark's. They never go back.
func (m mark) raise(tx *sql.Tx) error {
	err := setEpoch(tx, m.Epoch)
	for viewer, counter := range m.Counters {
		_, e := tx.Exec("UPDATE keys SET counter = max(counter, ?) WHERE viewer = ?", counter, viewer)
		err = errors.Join(err, e)
	}
	return err
}

// name gives a store the name by which the mark knows it.
func (m mark) name(tx *sql.Tx) error {
	if m.Store == nil {
		return nil
	}
	_, err := tx.Exec("UPDATE settings SET value = ? WHERE name = 'store'", m.Store)
	return err
}

// markOf is the mark of what stands in a store now.
func markOf(q querier, wall int64) (mark, error) {
	m := mark{Changes: map[string]int64{}, Counters: map[string]int64{}, At: wall}
	if err := q.QueryRow("SELECT value FROM settings WHERE name = 'store'").Scan(&m.Store); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return m, err
	}
	if err := q.QueryRow("SELECT " + epochValue).Scan(&m.Epoch); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return m, err
	}
	err := q.QueryRow("SELECT id, book, steps, chain FROM games ORDER BY id DESC LIMIT 1").Scan(&m.Game, &m.Book, &m.Step, &m.Chain)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return m, err
	}
	changes, err := query(q, scanCount, "SELECT shelf, changes FROM ledger")
	if err != nil {
		return m, err
	}
	for _, c := range changes {
		m.Changes[c.of] = c.n
	}
	counters, err := query(q, scanCount, "SELECT viewer, counter FROM keys")
	for _, c := range counters {
		m.Counters[c.of] = c.n
	}
	return m, err
}

// carry keeps the counters of keys that are not in the store: a backup may bring them
// back, and what was overheard with them must not serve again.
func (m *mark) carry(last mark) {
	for viewer, n := range last.Counters {
		if _, ok := m.Counters[viewer]; !ok && m.Counters != nil {
			m.Counters[viewer] = n
		}
	}
}

// count is one number of something that has a name.
type count struct {
	of string
	n  int64
}

func scanCount(rows *sql.Rows) (c count, err error) {
	err = rows.Scan(&c.of, &c.n)
	return c, err
}
