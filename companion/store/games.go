package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"majordome/engine"
)

// Limits of one step: events, bytes of data or command, bytes of a kind or cause.
const (
	MaxEvents = 256
	MaxData   = 64 << 10
	MaxKind   = 64
)

// Game is one game from its lobby to its end.
type Game struct {
	ID    int64
	Book  engine.ID // id of the rulebook
	Began time.Time
	// Over reports that the game has a result, or that another game has replaced it.
	Over bool
}

// Event is one stored event. Data contains secrets.
type Event struct {
	N     int64  // from 1, set by the store
	Step  int64  // events of one step were appended together
	Cause string // "scan", "deadline" or the viewer that caused the step
	Kind  string
	Data  []byte
	// Command is the command that led to the step, with its dice, in a form that the table loop chooses. Only
	// the first event of a step has it; it is empty in games of older versions. It contains secrets.
	Command []byte
	At      engine.Millis
	Wall    time.Time // set by the store

	sum []byte // chain value, only on the last row of a step
}

// Result says how a game ended; all of it is public.
type Result struct {
	Game    int64
	Book    engine.ID
	Rule    string
	Winners []engine.Seat
	Players []string // names in table order; a seat between two may be free
	Began   time.Time
	Wall    time.Time // when the game ended; steps after its end do not change it
}

// CurrentGame returns the open game; ok is false if there is none.
func (s *Store) CurrentGame() (g Game, ok bool, err error) {
	var began int64
	err = s.db.QueryRow("SELECT id, book, began, EXISTS (SELECT 1 FROM results WHERE game = games.id) FROM games WHERE ended IS NULL").
		Scan(&g.ID, &g.Book, &began, &g.Over)
	if errors.Is(err, sql.ErrNoRows) {
		return Game{}, false, nil
	}
	g.Began = time.UnixMilli(began)
	return g, err == nil, s.wrapStoreError("read the open game", err)
}

// Games lists at most limit games, newest first.
func (s *Store) Games(limit int) ([]Game, error) {
	games, err := queryAll(s.db, func(rows *sql.Rows) (g Game, err error) {
		var began int64
		err = rows.Scan(&g.ID, &g.Book, &began, &g.Over)
		g.Began = time.UnixMilli(began)
		return g, err
	}, `SELECT id, book, began, ended IS NOT NULL OR EXISTS (SELECT 1 FROM results WHERE game = games.id)
		FROM games ORDER BY id DESC LIMIT ?`, limit)
	return games, s.wrapStoreError("read games", err)
}

// BeginGame closes the open game, if any, and opens a new one with its first events; their steps must count from
// 1. It deletes the note sheets of the previous game.
func (s *Store) BeginGame(book engine.ID, first []Event) (Game, error) {
	g := Game{Book: book, Began: time.UnixMilli(s.wallMillis())}
	err := s.writeInTx("begin a game", func(tx *sql.Tx) error {
		if _, err := tx.Exec("UPDATE games SET ended = ? WHERE ended IS NULL", s.wallMillis()); err != nil {
			return err
		}
		if _, err := tx.Exec("DELETE FROM notes"); err != nil {
			return err
		}
		res, err := tx.Exec("INSERT INTO games (book, began) VALUES (?, ?)", string(book), g.Began.UnixMilli())
		if err != nil {
			return err
		}
		if g.ID, err = res.LastInsertId(); err != nil {
			return err
		}
		return s.insertSteps(tx, g.ID, 1, chainSeed(g.ID, string(book)), first)
	})
	if err != nil {
		return Game{}, err
	}
	return g, nil
}

// AppendSteps writes one or several steps to disk, all or nothing, and the result if the game ends with them. The
// first step must follow the last stored one; otherwise another program writes to this game, and the error is
// Conflict.
func (s *Store) AppendSteps(game int64, events []Event, result *Result) error {
	if len(events) == 0 || len(events) > MaxEvents {
		return s.wrapStoreError("append", fmt.Errorf("%d events in a step", len(events)))
	}
	ended := false
	err := s.writeInTx("append", func(tx *sql.Tx) error {
		var lastN, lastStep int64
		var chain []byte
		err := tx.QueryRow("SELECT steps, chain, (SELECT coalesce(max(n), 0) FROM events WHERE game = id) FROM games WHERE id = ?",
			game).Scan(&lastStep, &chain, &lastN)
		if err != nil {
			return err
		}
		for i, step := 0, lastStep; i < len(events); i++ {
			e := events[i]
			if e.Step != step+1 && (i == 0 || e.Step != step) {
				return &Error{Op: "append", Path: s.path, Trouble: Conflict, Cause: fmt.Errorf("step %d after step %d", e.Step, step)}
			}
			step = e.Step
		}
		link, ok := parseSum(chain)
		if !ok {
			return &Error{Op: "append", Path: s.path, Trouble: Damaged, Cause: fmt.Errorf("game %d without a chain", game)}
		}
		if err = s.insertSteps(tx, game, lastN+1, link, events); err == nil {
			ended, err = s.setResult(tx, game, result)
		}
		return err
	})
	if err == nil && ended {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.endedGame = game
	}
	return err
}

// insertSteps writes complete steps, whose first event gets the number nextN, and continues the chain from link.
func (s *Store) insertSteps(tx *sql.Tx, game, nextN int64, link checksum, events []Event) error {
	for i, e := range events {
		if e.Kind == "" || len(e.Kind) > MaxKind || len(e.Cause) > MaxKind || len(e.Data) > MaxData || len(e.Command) > MaxData {
			return fmt.Errorf("event %d of the step is outside its limits: kind of %d bytes, data of %d", i+1, len(e.Kind), len(e.Data))
		}
	}
	wall, steps := time.UnixMilli(s.wallMillis()), int64(0)
	for one := range splitSteps(slices.Clone(events)) {
		for i := range one {
			one[i].N, one[i].Wall, one[i].sum = nextN, wall, nil
			one[i].Data = append([]byte{}, one[i].Data...)
			nextN++
		}
		link, steps = link.extendByStep(game, one), one[0].Step
		one[len(one)-1].sum = link[:]
		if err := insertRows(tx, game, one); err != nil {
			return err
		}
	}
	_, err := tx.Exec("UPDATE games SET steps = max(steps, ?), chain = ? WHERE id = ?", steps, link[:], game)
	return err
}

// insertRows writes events unchanged.
func insertRows(tx *sql.Tx, game int64, events []Event) error {
	for _, e := range events {
		_, err := tx.Exec("INSERT INTO events (game, n, step, cause, kind, data, at, wall, command, sum)"+
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			game, e.N, e.Step, e.Cause, e.Kind, e.Data, int64(e.At), e.Wall.UnixMilli(), e.Command, e.sum)
		if err != nil {
			return err
		}
	}
	return nil
}

// setResult replaces the result of a game; nil removes it, when the host has undone the end. ended reports
// that the game had no result before.
func (s *Store) setResult(tx *sql.Tx, game int64, r *Result) (ended bool, err error) {
	if r == nil {
		_, err := tx.Exec("DELETE FROM results WHERE game = ?", game)
		return false, err
	}
	winners := make([]string, len(r.Winners))
	for i, w := range r.Winners {
		winners[i] = w.String()
	}
	players, err := json.Marshal(r.Players)
	if err != nil {
		return false, err
	}
	if err := tx.QueryRow("SELECT NOT EXISTS (SELECT 1 FROM results WHERE game = ?)", game).Scan(&ended); err != nil {
		return false, err
	}
	_, err = tx.Exec(`INSERT OR REPLACE INTO results (game, rule, winners, players, wall)
		VALUES (?1, ?2, ?3, ?4, coalesce((SELECT wall FROM results WHERE game = ?1), ?5))`,
		game, r.Rule, strings.Join(winners, ","), string(players), s.wallMillis())
	return ended, err
}

// eventRows selects the events of a game, in order.
const eventRows = "SELECT n, step, cause, kind, data, at, wall, command, sum FROM events WHERE game = ? ORDER BY n"

func scanEvent(rows *sql.Rows) (e Event, err error) {
	var at, wall int64
	err = rows.Scan(&e.N, &e.Step, &e.Cause, &e.Kind, &e.Data, &at, &wall, &e.Command, &e.sum)
	e.At, e.Wall = engine.Millis(at), time.UnixMilli(wall)
	return e, err
}

// Events returns all events of a game, in order. The error is Damaged if the chain is broken: a row has
// changed on the disk since it was written.
func (s *Store) Events(game int64) ([]Event, error) {
	var book engine.ID
	var steps int64
	err := s.db.QueryRow("SELECT book, steps FROM games WHERE id = ?", game).Scan(&book, &steps)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.wrapStoreError("read events", err)
	}
	events, err := queryAll(s.db, scanEvent, eventRows, game)
	if err != nil {
		return nil, s.wrapStoreError("read events", err)
	}
	if f := soundPartOf(game, book, events); f.steps != steps || len(f.events) != len(events) {
		return nil, &Error{Op: "read events", Path: s.path, Trouble: Damaged, Cause: brokenChainError(game, f)}
	}
	return events, nil
}

// Results lists at most limit results, newest first.
func (s *Store) Results(limit int) ([]Result, error) {
	results, err := queryAll(s.db, func(rows *sql.Rows) (r Result, err error) {
		var winners, players string
		var began, wall int64
		if err := rows.Scan(&r.Game, &r.Book, &r.Rule, &winners, &players, &began, &wall); err != nil {
			return r, err
		}
		for _, w := range strings.FieldsFunc(winners, func(c rune) bool { return c == ',' }) {
			seat, err := engine.ParseSeat(w)
			if err != nil {
				return r, err
			}
			r.Winners = append(r.Winners, seat)
		}
		r.Began, r.Wall = time.UnixMilli(began), time.UnixMilli(wall)
		return r, json.Unmarshal([]byte(players), &r.Players)
	}, `SELECT r.game, g.book, r.rule, r.winners, r.players, g.began, r.wall
		FROM results r JOIN games g ON g.id = r.game ORDER BY r.game DESC LIMIT ?`, limit)
	return results, s.wrapStoreError("read results", err)
}

// queryAll reads all rows of a query with scan.
func queryAll[T any](db querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
