package store

import (
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"modernc.org/sqlite"
)

// applicationID identifies the files of this program ("MJDM", SQLite file format 1.3.17).
const applicationID = 0x4d4a444d

// migrations lead from an empty file to the present schema; the file's user_version is the number already
// applied. Append only; never change one.
var migrations = []string{`
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE games (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	book TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER) STRICT;
CREATE UNIQUE INDEX one_open_game ON games (ended IS NULL) WHERE ended IS NULL;
CREATE TABLE events (
	game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
	n INTEGER NOT NULL, step INTEGER NOT NULL, cause TEXT NOT NULL,
	kind TEXT NOT NULL, data BLOB NOT NULL,
	at INTEGER NOT NULL, wall INTEGER NOT NULL,
	PRIMARY KEY (game, n)) STRICT, WITHOUT ROWID;
CREATE TABLE results (
	game INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE,
	rule TEXT NOT NULL, winners TEXT NOT NULL, players TEXT NOT NULL, wall INTEGER NOT NULL) STRICT;
CREATE TABLE decks (id TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE tags (
	deck TEXT NOT NULL, uid TEXT NOT NULL, card TEXT NOT NULL,
	PRIMARY KEY (deck, uid)) STRICT, WITHOUT ROWID;
CREATE TABLE keys (
	viewer TEXT PRIMARY KEY, key BLOB NOT NULL,
	counter INTEGER NOT NULL, joined INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE invitations (
	n INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE, viewer TEXT NOT NULL, code BLOB, open INTEGER NOT NULL) STRICT;
`, `
ALTER TABLE events ADD COLUMN command BLOB;
`, `
CREATE TABLE notes (
	game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
	seat TEXT NOT NULL, marks TEXT NOT NULL,
	PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID;
`, sumsMigration(), `
CREATE TABLE figures (game INTEGER PRIMARY KEY, names TEXT NOT NULL, data TEXT NOT NULL, sum BLOB) STRICT;
` + sumTriggers(figureTable)}

// sumsFrom is the first schema version whose rows have sums.
const sumsFrom = 4

// summedTable describes a table whose rows have a sum each. For each such table the ledger, in its column
// shelf, has a row with the number of changes, the number of rows, and the XOR of all their sums. Triggers
// keep both up to date for every writer.
type summedTable struct {
	name string
	keys []string
	cols []string // all columns, with the keys, without the sum
	// insertCounts is the SQL condition under which a new or deleted row counts as a change, and updateCounts
	// that for an updated row; empty means always. Not counted are the epoch, the test value of CheckWritable
	// and the connect counters: the mark has them separately, so losing them is no loss.
	insertCounts, updateCounts string
	addedIn                    int // the schema version that added the table, if it is after sumsFrom
}

var (
	gameTable    = summedTable{"games", []string{"id"}, []string{"id", "book", "began", "ended", "steps", "chain"}, "", "", 0}
	figureTable  = summedTable{"figures", []string{"game"}, []string{"game", "names", "data"}, "", "", 5}
	settingTable = summedTable{"settings", []string{"name"}, []string{"name", "value"},
		"ROW.name NOT IN ('epoch', 'check', 'store')", "NEW.name NOT IN ('epoch', 'check', 'store')", 0}
)

var summedTables = []summedTable{
	gameTable,
	{"results", []string{"game"}, []string{"game", "rule", "winners", "players", "wall"}, "", "", 0},
	{"decks", []string{"id"}, []string{"id", "data"}, "", "", 0},
	{"tags", []string{"deck", "uid"}, []string{"deck", "uid", "card"}, "", "", 0},
	{"keys", []string{"viewer"}, []string{"viewer", "key", "counter", "joined"}, "",
		"OLD.key IS NOT NEW.key OR OLD.joined IS NOT NEW.joined", 0},
	{"invitations", []string{"n"}, []string{"n", "id", "viewer", "code", "open"}, "", "", 0},
	{"notes", []string{"game", "seat"}, []string{"game", "seat", "marks"}, "", "", 0},
	figureTable,
	settingTable,
}

// tablesOf returns the tables that a schema version has.
func tablesOf(version int) []summedTable {
	return slices.DeleteFunc(slices.Clone(summedTables), func(s summedTable) bool { return s.addedIn > version })
}

// rowSumCall returns the SQL call of rowsum over the columns of row, which is NEW, OLD or "".
func (s summedTable) rowSumCall(row string) string {
	if row != "" {
		row += "."
	}
	return "rowsum('" + s.name + "', " + row + strings.Join(s.cols, ", "+row) + ")"
}

// keyCondition returns the SQL condition that finds the row NEW by its keys.
func (s summedTable) keyCondition() string {
	var all []string
	for _, k := range s.keys {
		all = append(all, k+" = NEW."+k)
	}
	return strings.Join(all, " AND ")
}

// countExpr returns an SQL expression that is 1 if the condition holds, else 0; an empty condition always holds.
func countExpr(condition string) string {
	if condition == "" {
		return "1"
	}
	return "(" + condition + ")"
}

// sumsMigration returns the text of the fourth migration.
func sumsMigration() string {
	var b strings.Builder
	b.WriteString(`
ALTER TABLE events ADD COLUMN sum BLOB;
ALTER TABLE games ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN chain BLOB;
CREATE TABLE ledger (shelf TEXT PRIMARY KEY, changes INTEGER NOT NULL, rows INTEGER NOT NULL, sum BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE losses (n INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
`)
	for _, s := range tablesOf(sumsFrom) {
		b.WriteString("\nALTER TABLE " + s.name + " ADD COLUMN sum BLOB;" + sumTriggers(s))
	}
	return b.String()
}

// sumTriggers returns the SQL that begins to maintain the sums of a table. The table must have a column sum.
func sumTriggers(s summedTable) string {
	return fmt.Sprintf(`
INSERT INTO ledger VALUES ('%[1]s', 0, 0, zeroblob(16));
CREATE TRIGGER %[1]s_new AFTER INSERT ON %[1]s BEGIN
	UPDATE %[1]s SET sum = %[2]s WHERE %[4]s;
	UPDATE ledger SET changes = changes + %[6]s, rows = rows + 1, sum = sumxor(sum, %[2]s) WHERE shelf = '%[1]s';
END;
CREATE TRIGGER %[1]s_set AFTER UPDATE OF %[5]s ON %[1]s BEGIN
	UPDATE %[1]s SET sum = %[2]s WHERE %[4]s;
	UPDATE ledger SET changes = changes + %[7]s, sum = sumxor(sumxor(sum, %[2]s), %[3]s) WHERE shelf = '%[1]s';
END;
CREATE TRIGGER %[1]s_old AFTER DELETE ON %[1]s BEGIN
	UPDATE ledger SET changes = changes + %[8]s, rows = rows - 1, sum = sumxor(sum, %[3]s) WHERE shelf = '%[1]s';
END;
`, s.name, s.rowSumCall("NEW"), s.rowSumCall("OLD"), s.keyCondition(), strings.Join(s.cols, ", "),
		countExpr(strings.ReplaceAll(s.insertCounts, "ROW", "NEW")), countExpr(s.updateCounts),
		countExpr(strings.ReplaceAll(s.insertCounts, "ROW", "OLD")))
}

// migrate applies the migrations that the file does not have yet, each in one transaction.
func migrate(db *sql.DB, version int, steps []string) error {
	for ; version < len(steps); version++ {
		err := runInTx(db, func(tx *sql.Tx) error {
			_, err := tx.Exec(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d; %s", applicationID, version+1, steps[version]))
			if err == nil && version+1 == sumsFrom {
				err = addFirstSums(tx)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("schema %d: %w", version+1, err)
		}
	}
	return nil
}

// addFirstSums gives the rows of an older file their sums, its games their chains, and the store the name
// that its mark knows it by.
func addFirstSums(tx *sql.Tx) error {
	games, err := queryAll(tx, func(rows *sql.Rows) (g Game, err error) {
		err = rows.Scan(&g.ID, &g.Book)
		return g, err
	}, "SELECT id, book FROM games")
	if err != nil {
		return err
	}
	for _, g := range games {
		events, err := queryAll(tx, scanEvent, eventRows, g.ID)
		if err != nil {
			return err
		}
		link := chainSeed(g.ID, string(g.Book))
		steps := int64(0)
		for one := range splitSteps(events) {
			last := one[len(one)-1]
			link, steps = link.extendByStep(g.ID, one), last.Step
			if _, err := tx.Exec("UPDATE events SET sum = ? WHERE game = ? AND n = ?", link[:], g.ID, last.N); err != nil {
				return err
			}
		}
		if _, err := tx.Exec("UPDATE games SET steps = ?, chain = ? WHERE id = ?", steps, link[:], g.ID); err != nil {
			return err
		}
	}
	for _, s := range tablesOf(sumsFrom) {
		if _, err := tx.Exec("UPDATE " + s.name + " SET sum = " + s.rowSumCall("")); err != nil {
			return err
		}
		all, err := queryAll(tx, scanSum, "SELECT sum FROM "+s.name)
		if err != nil {
			return err
		}
		total := checksum{}
		for _, one := range all {
			total = total.xorWith(one)
		}
		if _, err := tx.Exec("UPDATE ledger SET changes = ?, rows = ?, sum = ? WHERE shelf = ?",
			len(all), len(all), total[:], s.name); err != nil {
			return err
		}
	}
	_, err = tx.Exec("INSERT INTO settings (name, value) VALUES ('store', randomblob(16))")
	return err
}

// checksum is the first half of a SHA-256. It detects damage; it protects no secret.
type checksum [16]byte

func (s checksum) xorWith(o checksum) checksum {
	for i := range s {
		s[i] ^= o[i]
	}
	return s
}

func parseSum(b []byte) (s checksum, ok bool) {
	return s, copy(s[:], b) == len(s) && len(b) == len(s)
}

func scanSum(rows *sql.Rows) (checksum, error) {
	var b []byte
	err := rows.Scan(&b)
	s, _ := parseSum(b)
	return s, err
}

// checksumOf returns the checksum of some values. It hashes each with its type and length, so that different rows
// never give the same bytes to hash. It panics on a type that no column has.
func checksumOf(values ...any) checksum {
	h := sha256.New()
	var head [9]byte
	put := func(kind byte, n uint64, data string) {
		head[0] = kind
		binary.BigEndian.PutUint64(head[1:], n)
		h.Write(head[:])
		h.Write([]byte(data))
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			put(0, 0, "")
		case int64:
			put(1, uint64(v), "")
		case string:
			put(2, uint64(len(v)), v)
		case []byte:
			put(3, uint64(len(v)), string(v))
		default:
			panic(fmt.Sprintf("store: a %T in a row", v))
		}
	}
	return checksum(h.Sum(nil)[:16])
}

// registerFunctions registers the SQL functions that the triggers call. It must run before the first file is
// opened.
var registerFunctions = sync.OnceValue(func() error {
	return errors.Join(
		sqlite.RegisterDeterministicScalarFunction("rowsum", -1, func(
			_ *sqlite.FunctionContext, args []driver.Value,
		) (driver.Value, error) {
			values := make([]any, len(args))
			for i, a := range args {
				if _, odd := a.(float64); odd { // a damaged page: none of our columns is a real number
					a = "a number that is none of ours"
				}
				values[i] = a
			}
			s := checksumOf(values...)
			return s[:], nil
		}),
		sqlite.RegisterDeterministicScalarFunction("sumxor", 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			a, _ := args[0].([]byte)
			b, _ := args[1].([]byte)
			x, okA := parseSum(a)
			y, okB := parseSum(b)
			if !okA || !okB {
				return nil, errors.New("not a sum")
			}
			x = x.xorWith(y)
			return x[:], nil
		}))
})
