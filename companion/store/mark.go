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

// mark says what a store has acknowledged. It is in a small separate file, <file>.mark, written and synced
// after each commit, before the caller is notified. At a start it reveals that a store has lost its end, for
// example by one bad byte in the log or an older copy.
type mark struct {
	N       uint64           `json:"n"`     // rises with each mark
	Store   []byte           `json:"store"` // random name of the store that the mark belongs to
	Changes map[string]int64 `json:"changes"`
	// Epoch and Counters never go back, whatever happens to the store.
	Epoch    int64            `json:"epoch"`
	Counters map[string]int64 `json:"counters"`
	// The newest game and its last step.
	Game  int64     `json:"game"`
	Book  engine.ID `json:"book"`
	Step  int64     `json:"step"`
	Chain []byte    `json:"chain"`
	At    int64     `json:"at"` // wall clock, milliseconds
	// Lost repeats the losses that the host has not accepted yet, in case the file is lost again.
	Lost []Loss `json:"lost,omitempty"`
}

// The file has two slots that are written in turn, so a power cut while one is written leaves the other. Both
// are allocated when the file is created, so that fdatasync has only the slot to write.
const (
	slotSize = 4096
	slotHead = 4 + sha256.Size
)

// markFile is an open mark file with the mark written last.
type markFile struct {
	f    *os.File
	last mark
}

// readMark returns the newer valid mark of a file; ok is false if there is none.
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
	digest := sha256.Sum256(body)
	if !bytes.Equal(digest[:], slot[4:slotHead]) {
		return mark{}, false
	}
	return m, json.Unmarshal(body, &m) == nil
}

// openMark opens the mark file, or creates it.
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
		err = giveToFolderOwner(name, filepath.Dir(name))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return m, nil
}

// writeMark writes a mark and waits until it is on disk.
func (f *markFile) writeMark(m mark) error {
	m.N = f.last.N + 1
	body, err := json.Marshal(m)
	if err == nil && len(body) > slotSize-slotHead {
		m.Lost = nil // the store has them too
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

// raiseCounters raises the epoch and the counters of a store to those of the mark. They never go back.
func (m mark) raiseCounters(tx *sql.Tx) error {
	err := raiseEpoch(tx, m.Epoch)
	for viewer, counter := range m.Counters {
		_, e := tx.Exec("UPDATE keys SET counter = max(counter, ?) WHERE viewer = ?", counter, viewer)
		err = errors.Join(err, e)
	}
	return err
}

// setStoreName gives a store the name that the mark knows it by.
func (m mark) setStoreName(tx *sql.Tx) error {
	if m.Store == nil {
		return nil
	}
	_, err := tx.Exec("UPDATE settings SET value = ? WHERE name = 'store'", m.Store)
	return err
}

// buildMark builds a mark from the present contents of a store. atMillis is the wall clock, in milliseconds.
func buildMark(q querier, atMillis int64) (mark, error) {
	m := mark{Changes: map[string]int64{}, Counters: map[string]int64{}, At: atMillis}
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
	changes, err := queryAll(q, scanCount, "SELECT shelf, changes FROM ledger")
	if err != nil {
		return m, err
	}
	for _, c := range changes {
		m.Changes[c.name] = c.n
	}
	counters, err := queryAll(q, scanCount, "SELECT viewer, counter FROM keys")
	for _, c := range counters {
		m.Counters[c.name] = c.n
	}
	return m, err
}

// addMissingCounters copies the counters of keys that are not in the store any more from the last mark. A backup
// may bring these keys back, and a connect message that was overheard must not be accepted again.
func (m *mark) addMissingCounters(last mark) {
	for viewer, n := range last.Counters {
		if _, ok := m.Counters[viewer]; !ok && m.Counters != nil {
			m.Counters[viewer] = n
		}
	}
}

// namedCount is a number from a table, with the key of its row.
type namedCount struct {
	name string
	n    int64
}

func scanCount(rows *sql.Rows) (c namedCount, err error) {
	err = rows.Scan(&c.name, &c.n)
	return c, err
}
