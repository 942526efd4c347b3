package store

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"majordome/engine"
)

// findings list the damage inside a store whose pages can be read.
type findings struct {
	rows  map[string]int64      // damaged or missing rows by table
	games map[int64]soundPrefix // games with a broken chain, with the part before the break
}

func (f findings) isEmpty() bool { return len(f.rows) == 0 && len(f.games) == 0 }

// checkIntegrity checks the pages and indexes of the whole file.
func checkIntegrity(db querier) error {
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return &Error{Op: "open", Trouble: Damaged, Cause: errors.New("integrity_check")}
	}
	return nil
}

// readSchema returns the text of a file's schema.
func readSchema(db querier) (string, error) {
	parts, err := queryAll(db, func(rows *sql.Rows) (s string, err error) {
		err = rows.Scan(&s)
		return s, err
	},
		"SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY name")
	return strings.Join(parts, "\n"), err
}

// knownSchemas returns the schema text after each migration, in order.
var knownSchemas = sync.OnceValues(func() (all []string, err error) {
	for v := range migrations {
		blank, err := sql.Open("sqlite", "file::memory:")
		if err != nil {
			return nil, err
		}
		blank.SetMaxOpenConns(1)
		err = migrate(blank, 0, migrations[:v+1])
		text, e := readSchema(blank)
		if err = errors.Join(err, e, blank.Close()); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
})

// schemaVersion returns the version of a file by the text of its schema, whatever its header says; 0 if no
// migration makes such a schema.
func schemaVersion(db querier) (version int, err error) {
	all, err := knownSchemas()
	if err != nil {
		return 0, err
	}
	text, err := readSchema(db)
	return slices.Index(all, text) + 1, err
}

// checkSchema compares a file's schema with the one of its version.
func checkSchema(db querier, version int) error {
	is, err := schemaVersion(db)
	if err == nil && is != version {
		err = &Error{Op: "open", Trouble: Damaged, Cause: errors.New("the schema")}
	}
	return err
}

// checkSums checks the sums of all rows and tables and the chains of all games, and returns the damage. Its error
// means that something could not be read.
func checkSums(db querier, version int) (findings, error) {
	f := findings{rows: map[string]int64{}, games: map[int64]soundPrefix{}}
	for _, s := range tablesOf(version) {
		n, err := s.countDamaged(db)
		if err != nil {
			return f, err
		}
		if n > 0 {
			f.rows[s.name] = n
		}
	}
	type head struct {
		id    int64
		book  engine.ID
		steps int64
		chain []byte
	}
	games, err := queryAll(db, func(rows *sql.Rows) (h head, err error) {
		err = rows.Scan(&h.id, &h.book, &h.steps, &h.chain)
		return h, err
	},
		"SELECT id, book, steps, chain FROM games")
	if err != nil {
		return f, err
	}
	for _, g := range games {
		events, err := queryAll(db, scanEvent, eventRows, g.id)
		if err != nil {
			return f, err
		}
		was := soundPartOf(g.id, g.book, events)
		if chain, ok := parseSum(g.chain); was.steps != g.steps || len(was.events) != len(events) || !ok || chain != was.chain {
			was.events = nil // frees the memory of a long game
			f.games[g.id] = was
		}
	}
	var orphans int64
	err = db.QueryRow("SELECT count(DISTINCT game) FROM events WHERE game NOT IN (SELECT id FROM games)").Scan(&orphans)
	if orphans > 0 {
		f.rows["games"] += orphans
	}
	return f, err
}

// countDamaged counts the rows of a table that are damaged or missing.
func (s summedTable) countDamaged(db querier) (bad int64, err error) {
	var rows int64
	var sums []byte
	if err := db.QueryRow("SELECT rows, sum FROM ledger WHERE shelf = ?",
		s.name).Scan(&rows, &sums); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	found, total := int64(0), checksum{}
	err = s.eachRow(db, "", func(values []any, stored checksum) error {
		found++
		computed := s.rowSum(values)
		total = total.xorWith(computed)
		if stored != computed {
			bad++
		}
		return nil
	})
	want, ok := parseSum(sums)
	switch {
	case found < rows:
		bad += rows - found
	case bad == 0 && (!ok || want != total || found != rows):
		bad = 1 // an extra row, or the ledger is damaged
	}
	return bad, err
}

func (s summedTable) rowSum(values []any) checksum {
	return checksumOf(append([]any{s.name}, values...)...)
}

// eachRow calls do with each row of a table and its stored sum.
func (s summedTable) eachRow(db querier, order string, do func(values []any, told checksum) error) error {
	rows, err := db.Query("SELECT " + strings.Join(s.cols, ", ") + ", sum FROM " + s.name + " " + order)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		values := make([]any, len(s.cols))
		into := make([]any, len(s.cols)+1)
		for i := range values {
			into[i] = &values[i]
		}
		var told any
		into[len(s.cols)] = &told
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			switch v := v.(type) {
			case nil, int64, string, []byte:
			default: // none of our columns has such a type: a damaged page
				values[i] = fmt.Sprintf("a %T", v)
			}
		}
		b, _ := told.([]byte)
		one, _ := parseSum(b)
		if err := do(values, one); err != nil {
			return err
		}
	}
	return rows.Err()
}

// lossesBehindMark returns the losses of a store that is older than its mark, because the last writes are not in
// it.
func lossesBehindMark(q querier, m mark) ([]Loss, error) {
	now, err := buildMark(q, 0)
	if err != nil {
		return nil, err
	}
	var lost []Loss
	for _, name := range slices.Sorted(maps.Keys(m.Changes)) {
		n := m.Changes[name] - now.Changes[name]
		if n <= 0 || name == "games" {
			continue
		}
		lost = append(lost, Loss{Kind: name, N: n, Until: m.At})
	}
	older := len(lost) > 0 || m.Changes["games"] > now.Changes["games"]
	for _, name := range slices.Sorted(maps.Keys(m.Changes)) {
		if older && name != "games" && m.Changes[name] < now.Changes[name] { // the count itself is damaged
			lost = append(lost, Loss{Kind: name, Until: m.At})
		}
	}
	if m.Changes["games"] <= now.Changes["games"] {
		return lost, nil
	}
	l := Loss{Kind: LostSteps, Game: m.Game, Book: m.Book, From: 1, To: m.Step, Until: m.At}
	var book engine.ID
	err = q.QueryRow("SELECT book, steps + 1 FROM games WHERE id = ?", m.Game).Scan(&book, &l.From)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		l.Kind = LostGame
	case err != nil:
		return nil, err
	case l.From > l.To: // the game has ended, or lost its end; its steps are there
		return lost, nil
	}
	of := "FROM events WHERE game = ?"
	if l.Kind == LostGame {
		of = "FROM events WHERE game <= ?"
	}
	err = q.QueryRow("SELECT coalesce(max(wall), 0) "+of, m.Game).Scan(&l.Since)
	return append([]Loss{l}, lost...), err
}
