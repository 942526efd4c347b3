package store

import (
	"bytes"
	"cmp"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"majordome/engine"
)

// rebuildFile replaces the file by a new one with all its sound rows, and returns what is missing. If nothing
// can be read, the new file is an empty table.
func (s *Store) rebuildFile(m mark, hasMark bool) (losses []Loss, err error) {
	old, err := openDSN(lenientDSN(s.path))
	if err != nil {
		return nil, err
	}
	if s.formerState, err = copyToFormerState(s.path); err != nil {
		return nil, errors.Join(err, old.Close())
	}
	fresh := s.path + ".rebuilt"
	if losses, err = writeSoundCopy(fresh, old, m, hasMark); err == nil {
		err = errors.Join(os.Chmod(fresh, 0o600), giveToFolderOwner(fresh, filepath.Dir(fresh)), syncFile(fresh))
	}
	_, _ = old.Close(), s.db.Close() // both read the damaged file, which was copied
	if err != nil {                  // the file is unchanged; repeated starts must not fill the disk with copies
		return nil, errors.Join(err, removeFiles(fresh, s.formerState, s.formerState+"-wal"))
	}
	if err := removeFiles(s.path+"-wal", s.path+"-shm"); err != nil {
		return nil, err
	}
	if err := os.Rename(fresh, s.path); err != nil {
		return nil, err
	}
	if err := syncFile(filepath.Dir(s.path)); err != nil {
		return nil, err
	}
	s.db, err = openDatabase(s.path, "")
	return losses, err
}

// writeSoundCopy creates the file fresh from the sound contents of an old one.
func writeSoundCopy(fresh string, old *sql.DB, m mark, hasMark bool) (losses []Loss, err error) {
	if err := removeFiles(fresh, fresh+"-journal"); err != nil {
		return nil, err
	}
	db, err := openDatabase(fresh, "")
	if err != nil {
		return nil, err
	}
	if err = migrate(db, 0, migrations); err == nil {
		losses, err = salvageAll(old, db, m, hasMark)
	}
	return losses, errors.Join(err, db.Close())
}

// salvageAll copies each sound row. The losses are the unsound rows and what the mark knows beyond them. The
// mark of another store says nothing about this one.
func salvageAll(old, db *sql.DB, m mark, hasMark bool) (losses []Loss, err error) {
	if is := readStoreName(old); is != nil && m.Store != nil && !bytes.Equal(is, m.Store) {
		m = mark{}
	}
	err = runInTx(db, func(tx *sql.Tx) (err error) {
		if losses, err = salvageTables(old, tx, m); err != nil {
			return err
		}
		rows, err := countRows(tx)
		if err != nil {
			return err
		}
		if rows == 1 && (!hasMark || wasEverWritten(m)) { // nothing except the name of the store
			losses = []Loss{{Kind: LostUnreadable, Game: m.Game, To: m.Step, Until: m.At}}
		}
		if err := m.setStoreName(tx); err != nil {
			return err
		}
		return saveLosses(tx, losses) // now, because a power cut may come before saveMissingByMark
	})
	return losses, err
}

// salvageTables copies the games and then the other tables. It adds earlier losses to the new ones.
func salvageTables(old *sql.DB, tx *sql.Tx, m mark) (losses []Loss, err error) {
	if losses, err = salvageGames(old, tx, m); err != nil {
		return nil, err
	}
	for _, s := range summedTables {
		l, err := s.recoverTable(old, tx, m)
		if err != nil {
			return nil, err
		}
		if l.Kind != "" {
			losses = append(losses, l)
		}
	}
	earlier, _ := readLosses(old)
	for _, l := range slices.Backward(earlier) {
		if !slices.Contains(losses, l) {
			losses = append(losses, l)
		}
	}
	return losses, nil
}

// countRows counts the rows of all tables. It avoids total(), which returns a real number and reads as 1e+06
// from a million on.
func countRows(q querier) (n int64, err error) {
	err = q.QueryRow("SELECT coalesce(sum(rows), 0) FROM ledger").Scan(&n)
	return n, err
}

// readStoreName returns the name that the mark knows a damaged store by; nil if that is damaged too.
func readStoreName(old *sql.DB) (store []byte) {
	_ = settingTable.eachRow(old, "WHERE name = 'store'", func(v []any, told checksum) error {
		if settingTable.rowSum(v) == told {
			store, _ = v[1].([]byte)
		}
		return nil
	})
	return store
}

// recoverTable copies one table, except games, which salvageGames has copied already. The loss has no Kind if
// nothing is missing.
func (s summedTable) recoverTable(old *sql.DB, tx *sql.Tx, m mark) (l Loss, err error) {
	var was int64
	err = old.QueryRow("SELECT changes FROM ledger WHERE shelf = ?", s.name).Scan(&was)
	known := err == nil && was >= 0 && was <= 1<<40
	if !known {
		was = 0
	}
	if s.name != "games" {
		n, err := s.salvageRows(old, tx)
		switch {
		case err != nil:
			return l, err
		case n > 0:
			l = Loss{Kind: s.name, N: n}
		case m.Changes[s.name] > was:
			l = Loss{Kind: s.name, N: m.Changes[s.name] - was, Until: m.At}
			if !known {
				l.N = 0
			}
		}
	}
	// The count of changes continues, so that the mark is not ahead.
	_, err = tx.Exec("UPDATE ledger SET changes = max(changes, ?) WHERE shelf = ?", max(was, m.Changes[s.name]), s.name)
	return l, err
}

// salvageRows copies the sound rows of one table and counts the others.
func (s summedTable) salvageRows(old *sql.DB, tx *sql.Tx) (lost int64, err error) {
	var want, got int64
	known := old.QueryRow("SELECT rows FROM ledger WHERE shelf = ?", s.name).Scan(&want) == nil && want >= 0 && want < 1<<32
	bad := int64(0)
	put := "INSERT OR REPLACE INTO " + s.name + " (" + strings.Join(s.cols, ", ") + ")" +
		" VALUES (?" + strings.Repeat(", ?", len(s.cols)-1) + ")"
	take := func(values []any, told checksum) error {
		if s.rowSum(values) != told {
			bad++
			return nil
		}
		_, err = tx.Exec(put, values...)
		var lite interface{ Code() int }
		if errors.As(err, &lite) && lite.Code()&0xff == 19 { // SQLITE_CONSTRAINT: its game is gone, or its index was damaged
			bad, err = bad+1, nil
		}
		return err
	}
	if s.eachRow(old, "", take) != nil && err == nil {
		bad = 0
		_ = s.eachRow(old, "ORDER BY "+strings.Join(s.keys, " DESC, ")+" DESC", take) // from the other end
	}
	if err != nil {
		return 0, err
	}
	if err := tx.QueryRow("SELECT count(*) FROM " + s.name).Scan(&got); err != nil {
		return 0, err
	}
	if known && want > got {
		return want - got, nil
	}
	return bad, nil
}

// salvageGames copies each game up to the first break in its chain.
func salvageGames(old *sql.DB, tx *sql.Tx, m mark) (losses []Loss, err error) {
	all, books, unknown := findGames(old, m)
	open := true // the next game to be copied is the newest
	for _, g := range slices.Backward(all) {
		until := int64(0)
		if m.Game == g.id {
			g.steps, until = max(g.steps, m.Step), m.At
		}
		f := g.checkChain(readableEvents(old, g.id), books, m)
		if !g.sound && f.steps == 0 { // no information is left about it
			losses = append(losses, Loss{Kind: LostGame, Game: g.id, Book: g.book, To: g.steps})
			continue
		}
		if err := g.insertGame(tx, f, open); err != nil {
			return nil, err
		}
		open = false
		if f.steps < g.steps {
			losses = append(losses, Loss{Kind: LostSteps, Game: g.id, Book: g.book,
				From: f.steps + 1, To: g.steps, Since: f.lastStepMillis(), Until: until})
		}
	}
	if unknown > 0 {
		losses = append(losses, Loss{Kind: "games", N: unknown})
	}
	return losses, nil
}

// readableEvents returns the events of a game before the first unreadable page.
func readableEvents(old *sql.DB, game int64) (events []Event) {
	rows, err := old.Query(eventRows, game)
	if err != nil {
		return nil
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		e, err := scanEvent(rows)
		if err != nil {
			break
		}
		events = append(events, e)
	}
	return events
}

// gameHead is the row of a game in a damaged file.
type gameHead struct {
	id, steps, began int64
	book             engine.ID
	ended            any
	sound            bool
}

// checkChain checks the chain of a game's events. If the row of the game is damaged, it tries all books to
// find the rulebook of the game.
func (g *gameHead) checkChain(events []Event, books []engine.ID, m mark) soundPrefix {
	f := soundPartOf(g.id, g.book, events)
	for _, book := range books {
		if f.steps > 0 || g.sound {
			break
		}
		if f = soundPartOf(g.id, book, events); f.steps > 0 || m.Game == g.id && book == m.Book {
			g.book = book
		}
	}
	return f
}

// findGames returns the games that a damaged file still names or has events of, by number, and all their
// rulebooks; unknown is the number of further games. A damaged row without events is not taken for a game,
// because its number may be the damaged part.
func findGames(old *sql.DB, m mark) (all []gameHead, books []engine.ID, unknown int64) {
	found := readGameHeads(old)
	ids, _ := queryAll(old, func(rows *sql.Rows) (id int64, err error) {
		err = rows.Scan(&id)
		return id, err
	}, "SELECT DISTINCT game FROM events")
	if m.Game > 0 {
		ids, books = append(ids, m.Game), append(books, m.Book)
	}
	stray := int64(0)
	for id, g := range found {
		if !slices.Contains(books, g.book) {
			books = append(books, g.book)
		}
		if !g.sound && !slices.Contains(ids, id) {
			delete(found, id)
			stray++
		}
	}
	for _, id := range ids {
		if _, ok := found[id]; !ok && (id == m.Game || m.Game == 0 || id > 0 && id < m.Game) {
			found[id] = gameHead{id: id}
			stray--
		}
	}
	unknown = max(0, stray)
	var want int64
	if old.QueryRow("SELECT rows FROM ledger WHERE shelf = 'games'").Scan(&want) == nil && want < 1<<32 {
		unknown = max(unknown, want-int64(len(found)))
	}
	all = slices.SortedFunc(maps.Values(found), func(a, b gameHead) int { return cmp.Compare(a.id, b.id) })
	return all, books, unknown
}

// readGameHeads returns the readable rows of games by number; a sound row wins over a damaged one.
func readGameHeads(old *sql.DB) map[int64]gameHead {
	found := map[int64]gameHead{}
	take := func(v []any, told checksum) error {
		g := gameHead{ended: v[3], sound: gameTable.rowSum(v) == told}
		g.id, _ = v[0].(int64)
		book, _ := v[1].(string)
		g.book = engine.ID(book)
		g.began, _ = v[2].(int64)
		if g.sound {
			g.steps, _ = v[4].(int64)
		}
		if was, ok := found[g.id]; !ok || !was.sound {
			found[g.id] = g
		}
		return nil
	}
	if gameTable.eachRow(old, "", take) != nil {
		_ = gameTable.eachRow(old, "ORDER BY id DESC", take)
	}
	return found
}

// insertGame writes a game with its sound steps. last: it is the newest game and stays open.
func (g gameHead) insertGame(tx *sql.Tx, f soundPrefix, last bool) error {
	if !g.sound {
		if len(f.events) > 0 {
			g.began = f.events[0].Wall.UnixMilli()
		}
		g.ended = nil
		if !last {
			g.ended = max(g.began, f.lastStepMillis())
		}
	}
	_, err := tx.Exec("INSERT INTO games (id, book, began, ended, steps, chain) VALUES (?, ?, ?, ?, ?, ?)",
		g.id, string(g.book), g.began, g.ended, f.steps, f.chain[:])
	if err != nil {
		return err
	}
	return insertRows(tx, g.id, f.events)
}
