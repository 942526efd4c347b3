package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// migrations lead from an empty database to the present schema, in SQL that SQLite and PostgreSQL understand. Append only;
// never change one.
var migrations = []string{`
CREATE TABLE majordome_results (
	name TEXT NOT NULL, id TEXT NOT NULL, game BIGINT NOT NULL, began BIGINT NOT NULL, ended BIGINT NOT NULL,
	book TEXT NOT NULL, rule TEXT NOT NULL, winners TEXT NOT NULL, players TEXT NOT NULL,
	void BIGINT NOT NULL, lost BIGINT NOT NULL,
	PRIMARY KEY (name, id, game, began));
CREATE INDEX majordome_results_ended ON majordome_results (ended);
CREATE TABLE majordome_gaps (
	name TEXT NOT NULL, id TEXT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL, ahead BIGINT NOT NULL, at BIGINT NOT NULL,
	PRIMARY KEY (name, id, first, last, ahead));
`}

// sqlStore is a Store in a database. Its methods are safe for concurrent use. The statements number their parameters as
// PostgreSQL does.
type sqlStore struct {
	db       *sql.DB
	lockText string // makes the transaction of a migration wait for another's; "": the database does that itself
	isSQLite bool

	mu         sync.Mutex
	isMigrated bool
}

var parameter = regexp.MustCompile(`\$(\d)`)

// text returns a statement in the dialect of the database.
func (s *sqlStore) text(statement string) string {
	if s.isSQLite {
		return parameter.ReplaceAllString(statement, "?$1")
	}
	return statement
}

// exec executes a statement and returns the number of rows changed.
func (s *sqlStore) exec(ctx context.Context, what, statement string, args ...any) (n int64, err error) {
	if err = s.migrate(ctx); err != nil {
		return 0, err
	}
	result, err := s.db.ExecContext(ctx, s.text(statement), args...)
	if err == nil {
		n, err = result.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("results: %s: %w", what, err)
	}
	return n, nil
}

// migrate brings the schema up to date, once. It is called before each use, because a database of another machine may be away
// at the start.
func (s *sqlStore) migrate(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isMigrated {
		return nil
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("results: open the database: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	do := func(statement string) {
		if err == nil && statement != "" {
			_, err = tx.ExecContext(ctx, statement)
		}
	}
	do(s.lockText)
	do("CREATE TABLE IF NOT EXISTS majordome_schema (version BIGINT NOT NULL)")
	var version int
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM majordome_schema").Scan(&version)
	}
	if err == nil && version > len(migrations) {
		err = fmt.Errorf("schema %d is of a newer program", version)
	}
	for ; err == nil && version < len(migrations); version++ {
		for statement := range strings.SplitSeq(strings.TrimSpace(migrations[version]), ";\n") {
			do(statement)
		}
		do(fmt.Sprintf("INSERT INTO majordome_schema (version) VALUES (%d)", version+1))
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return fmt.Errorf("results: bring the schema up to date: %w", err)
	}
	s.isMigrated = true
	return nil
}

// Save implements Store.
func (s *sqlStore) Save(ctx context.Context, name string, r *Result) error {
	winners, errW := json.Marshal(r.Winners)
	players, errP := json.Marshal(append([]string{}, r.Players...))
	if err := errors.Join(errW, errP); err != nil {
		return err
	}
	_, err := s.exec(ctx, "save a result", `INSERT INTO majordome_results
		(name, id, game, began, ended, book, rule, winners, players, void, lost) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0)
		ON CONFLICT (name, id, game, began) DO UPDATE SET ended = excluded.ended, book = excluded.book, rule = excluded.rule,
		winners = excluded.winners, players = excluded.players, void = 0, lost = 0`,
		name, r.Table, r.Game, r.Began, r.Ended, string(r.Book), r.Rule, string(winners), string(players))
	return err
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// SetMarks implements Store.
func (s *sqlStore) SetMarks(ctx context.Context, r *Row) error {
	_, err := s.exec(ctx, "mark a result",
		"UPDATE majordome_results SET void = $1, lost = $2 WHERE name = $3 AND id = $4 AND game = $5 AND began = $6",
		asInt(r.Void), asInt(r.Lost), r.Name, r.Table, r.Game, r.Began)
	return err
}

// query lists rows that match a condition.
func (s *sqlStore) query(ctx context.Context, condition string, args ...any) ([]Row, error) {
	return queryAll(ctx, s, `SELECT name, id, game, began, ended, book, rule, winners, players, void, lost
		FROM majordome_results WHERE `+condition, func(rows *sql.Rows) (r Row, err error) {
		var winners, players string
		var void, lost int
		err = rows.Scan(&r.Name, &r.Table, &r.Game, &r.Began, &r.Ended, &r.Book, &r.Rule, &winners, &players, &void, &lost)
		r.Void, r.Lost = void != 0, lost != 0
		return r, cmp.Or(err, json.Unmarshal([]byte(winners), &r.Winners), json.Unmarshal([]byte(players), &r.Players))
	}, args...)
}

// queryAll reads all rows of a query with scan.
func queryAll[T any](ctx context.Context, s *sqlStore, statement string, scan func(*sql.Rows) (T, error), args ...any) ([]T, error) {
	if err := s.migrate(ctx); err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, s.text(statement), args...)
	if err != nil {
		return nil, fmt.Errorf("results: read: %w", err)
	}
	defer func() { _ = rows.Close() }()
	all := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("results: read: %w", err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("results: read: %w", err)
	}
	return all, nil
}

// OfTable implements Store.
func (s *sqlStore) OfTable(ctx context.Context, name, id string) ([]Row, error) {
	return s.query(ctx, "name = $1 AND id = $2 ORDER BY game DESC, began DESC LIMIT $3", name, id, 2*MaxIndex)
}

// List implements Store.
func (s *sqlStore) List(ctx context.Context, from, until time.Time, limit int) ([]Row, error) {
	return s.query(ctx, "ended >= $1 AND ended < $2 ORDER BY ended DESC, name, game DESC LIMIT $3",
		from.UnixMilli(), until.UnixMilli(), limit)
}

// AddGap implements Store.
func (s *sqlStore) AddGap(ctx context.Context, g Gap, at time.Time) error {
	_, err := s.exec(ctx, "note a gap",
		"INSERT INTO majordome_gaps (name, id, first, last, ahead, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		g.Name, g.Table, g.First, g.Last, asInt(g.Ahead), at.UnixMilli())
	return err
}

// Gaps implements Store.
func (s *sqlStore) Gaps(ctx context.Context, limit int) ([]Gap, error) {
	return queryAll(ctx, s, "SELECT name, id, first, last, ahead FROM majordome_gaps ORDER BY at DESC, name, first LIMIT $1",
		func(rows *sql.Rows) (g Gap, err error) {
			var ahead int
			err = rows.Scan(&g.Name, &g.Table, &g.First, &g.Last, &ahead)
			g.Ahead = ahead != 0
			return g, err
		}, limit)
}

// ForgetNames implements Store.
func (s *sqlStore) ForgetNames(ctx context.Context, before time.Time) (games int, err error) {
	n, err := s.exec(ctx, "forget names", "UPDATE majordome_results SET players = '[]' WHERE ended < $1 AND players <> '[]'",
		before.UnixMilli())
	return int(n), err
}

// Close implements Store.
func (s *sqlStore) Close() error { return s.db.Close() }
