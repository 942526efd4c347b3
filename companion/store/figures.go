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

// Figures are what is kept of a game for good, in a form of the table's.
type Figures struct {
	Game  int64
	Names []byte // JSON of what Forget takes away
	Data  []byte // JSON that names nobody
}

// MaxFigures bounds each of the two texts, in bytes.
const MaxFigures = 16 << 10

// SetFigures keeps those of a game, in the place of any before.
func (s *Store) SetFigures(f Figures) error {
	if len(f.Names) > MaxFigures || len(f.Data) > MaxFigures || !json.Valid(f.Names) || !json.Valid(f.Data) {
		return s.fail("keep figures", fmt.Errorf("texts of %d and %d bytes", len(f.Names), len(f.Data)))
	}
	return s.write("keep figures", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO figures (game, names, data) VALUES (?, ?, ?)", f.Game, string(f.Names), string(f.Data))
		return err
	})
}

// Figures are those of the newest games first, at most limit.
func (s *Store) Figures(limit int) ([]Figures, error) {
	all, err := query(s.db, func(rows *sql.Rows) (f Figures, err error) {
		var names, data string
		err = rows.Scan(&f.Game, &names, &data)
		f.Names, f.Data = []byte(names), []byte(data)
		return f, err
	}, "SELECT game, names, data FROM figures ORDER BY game DESC LIMIT ?", limit)
	return all, s.fail("read figures", err)
}

// Forget takes the names of guests out of what has ended before a moment: the events of those games, the players of their results and
// the names beside their figures. The game that is open stays, however old. The places on the disk are written over, and so are
// backups made by themselves before that moment, but for the newest. It says how many games it was.
func (s *Store) Forget(before time.Time) (games int, err error) {
	type old struct {
		id   int64
		book engine.ID
	}
	const named = `ended < ? AND (steps > 0 OR EXISTS (SELECT 1 FROM results WHERE game = games.id AND players <> '[]')
		OR EXISTS (SELECT 1 FROM figures WHERE game = games.id AND names <> '{}'))`
	all, err := query(s.db, func(rows *sql.Rows) (g old, err error) {
		err = rows.Scan(&g.id, &g.book)
		return g, err
	}, "SELECT id, book FROM games WHERE "+named, before.UnixMilli())
	if err != nil {
		return 0, s.fail("forget", err)
	}
	for _, g := range all { // one by one: a step of the game that goes on waits no longer than for one
		chain := seedOf(g.id, string(g.book))
		err := s.write("forget", func(tx *sql.Tx) (err error) {
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
	return games, s.forgetBackups(before)
}

// forgetBackups removes those that are older than a moment; the newest stays, whatever its age.
func (s *Store) forgetBackups(before time.Time) error {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	names, err := s.Backups()
	for _, name := range names[min(1, len(names)):] {
		if st, e := os.Stat(name); e == nil && st.ModTime().Before(before) {
			err = errors.Join(err, remove(name))
		}
	}
	return err
}
