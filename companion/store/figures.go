package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"majordome/engine"
)

// Figures are the numbers kept permanently about a game, in a form that the table chooses.
type Figures struct {
	Game  int64
	Names []byte // JSON of the names that ForgetGuestNames removes
	Data  []byte // JSON without any name
}

// MaxFigures is the limit of each of the two texts, in bytes.
const MaxFigures = 16 << 10

// SetFigures stores the figures of a game and replaces any before.
func (s *Store) SetFigures(f Figures) error {
	if len(f.Names) > MaxFigures || len(f.Data) > MaxFigures || !json.Valid(f.Names) || !json.Valid(f.Data) {
		return s.wrapStoreError("keep figures", fmt.Errorf("texts of %d and %d bytes", len(f.Names), len(f.Data)))
	}
	return s.writeInTx("keep figures", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO figures (game, names, data) VALUES (?, ?, ?)", f.Game, string(f.Names), string(f.Data))
		return err
	})
}

// Figures lists the figures of at most limit games, newest first.
func (s *Store) Figures(limit int) ([]Figures, error) {
	all, err := queryAll(s.db, func(rows *sql.Rows) (f Figures, err error) {
		var names, data string
		err = rows.Scan(&f.Game, &names, &data)
		f.Names, f.Data = []byte(names), []byte(data)
		return f, err
	}, "SELECT game, names, data FROM figures ORDER BY game DESC LIMIT ?", limit)
	return all, s.wrapStoreError("read figures", err)
}

// ForgetGuestNames removes the names of guests from games that ended before a moment: it deletes the events of
// those games, the players of their results and the names in their figures. It never touches the open game,
// however old. The places on the disk are overwritten, and automatic backups from before that moment are
// removed, except the newest. It returns the number of games changed.
func (s *Store) ForgetGuestNames(before time.Time) (games int, err error) {
	type old struct {
		id   int64
		book engine.ID
	}
	const named = `ended < ? AND (steps > 0 OR EXISTS (SELECT 1 FROM results WHERE game = games.id AND players <> '[]')
		OR EXISTS (SELECT 1 FROM figures WHERE game = games.id AND names <> '{}'))`
	all, err := queryAll(s.db, func(rows *sql.Rows) (g old, err error) {
		err = rows.Scan(&g.id, &g.book)
		return g, err
	}, "SELECT id, book FROM games WHERE "+named, before.UnixMilli())
	if err != nil {
		return 0, s.wrapStoreError("forget", err)
	}
	for _, g := range all { // one transaction per game, so that a step of the running game does not wait for all of them
		chain := chainSeed(g.id, string(g.book))
		err := s.writeInTx("forget", func(tx *sql.Tx) (err error) {
			do := func(text string, args ...any) {
				if err == nil {
					_, err = tx.Exec(text, args...)
				}
			}
			do("DELETE FROM events WHERE game = ?", g.id)
			do("UPDATE games SET steps = 0, chain = ? WHERE id = ?", chain[:], g.id)
			do("UPDATE results SET players = '[]' WHERE game = ?", g.id)
			do("UPDATE figures SET names = '{}' WHERE game = ?", g.id)
			return err
		})
		if err != nil {
			return games, err
		}
		games++
	}
	return games, s.removeOldBackups(before)
}

// removeOldBackups removes automatic backups from before a moment; the newest one stays, whatever its age.
func (s *Store) removeOldBackups(before time.Time) error {
	s.backupMu.Lock()
	defer s.backupMu.Unlock()
	names, err := s.Backups()
	for _, name := range names[min(1, len(names)):] {
		if st, e := os.Stat(name); e == nil && st.ModTime().Before(before) {
			err = errors.Join(err, removeFiles(name))
		}
	}
	return err
}
