// Package results carries the results of games from tables to a venue, and stores them there, each exactly once.
//
// A table publishes an Index of its newest ended games and keeps it up to date; its own store has the results, and it deletes
// none. The venue compares each Index with its Store (Compare), asks the table for what it lacks, and marks as void a game
// whose end was undone. So nothing is lost when a message, the venue or its database fails, and a database that comes back
// with an older copy is filled again without anybody's help.
//
//	i, err := results.DecodeIndex(payload)       a retained message of a table
//	plan, err := results.Update(ctx, store, name, i, now)
//	... send the commands results (plan.Ask) and stored (plan.Stored) to that table
//	r, err := results.Decode(payload)            an answer of the table
//	if i.ListsResult(r) { err = store.Save(ctx, name, r) }
//	... and Update again
//
// Update may be repeated at any time, and should be while plan.Ask is not empty.
//
// A table has the name under which it publishes, for which its account at the broker vouches, and an id that it claims. Rows
// are kept by both, so a forged message spoils only rows of its sender's name. A game is known by its number and the moment it
// began, because a table whose store comes back with an older copy uses numbers a second time.
//
// What may leak: a Result has only what everybody at its table has seen. The names of players are removed by ForgetNames.
//
// Limits: MaxIndex games in an Index, MaxAsk in one request, MaxResult bytes of one Result.
package results

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"majordome/engine"
)

// Limits of messages.
const (
	MaxIndex    = 200     // games in an Index
	MaxAsk      = 20      // games in one request
	MaxResult   = 8 << 10 // bytes of one Result
	maxNameText = 200     // bytes of a player's name
)

// Result has the end of one game; all of it is public.
type Result struct {
	Table   string    `json:"table"` // id of the table
	Game    int       `json:"game"`  // its number at that table
	Book    engine.ID `json:"book"`  // of the rules
	Rule    string    `json:"rule"`  // by which it ended
	Winners []int     `json:"winners"`
	Began   int       `json:"began"`   // when its lobby opened, in milliseconds since 1970
	Ended   int       `json:"ended"`   // when it ended
	Players []string  `json:"players"` // names in table order; empty once they are forgotten
}

// Entry is one game of an Index.
type Entry struct {
	Game int    `json:"game"`
	Hash string `json:"hash"` // of its Result
}

// Index lists the newest ended games of a table, the newest first.
type Index struct {
	Table string  `json:"table"` // id of the table
	Last  int     `json:"last"`  // number of the newest game that the table has begun, ended or not; 0: none
	Began int     `json:"began"` // when that was, in milliseconds since 1970
	Games []Entry `json:"games"`
}

// Hash returns 8 hexadecimal digits that change with everything in a Result but the names of players.
func (r *Result) Hash() string {
	fields := *r
	fields.Players = nil
	if fields.Winners == nil {
		fields.Winners = []int{}
	}
	text, err := json.Marshal(fields)
	if err != nil { // only for a type that JSON cannot encode
		panic("results: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// ListsResult reports whether an Index lists exactly this Result.
func (i *Index) ListsResult(r *Result) bool {
	return r.Table == i.Table && slices.Contains(i.Games, Entry{r.Game, r.Hash()})
}

var (
	errMalformed = errors.New("results: malformed message")
	idPattern    = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
	hashPattern  = regexp.MustCompile(`^[0-9a-f]{8}$`)
)

// DecodeIndex reads an Index that a table has sent. It returns an error if it is not one.
func DecodeIndex(payload []byte) (i Index, err error) {
	if json.Unmarshal(payload, &i) != nil || !idPattern.MatchString(i.Table) || len(i.Games) > MaxIndex {
		return Index{}, errMalformed
	}
	for k, e := range i.Games {
		if e.Game < 1 || e.Game > i.Last || !hashPattern.MatchString(e.Hash) || k > 0 && e.Game >= i.Games[k-1].Game {
			return Index{}, fmt.Errorf("%w: game %d", errMalformed, e.Game)
		}
	}
	return i, nil
}

// Decode reads a Result that a table has sent. It returns an error if it is not one.
func Decode(payload []byte) (r Result, err error) {
	most := int(engine.MaxSeats)
	if len(payload) > MaxResult || json.Unmarshal(payload, &r) != nil || !idPattern.MatchString(r.Table) ||
		r.Game < 1 || r.Began < 1 || r.Ended < r.Began || len(r.Book) > 64 || len(r.Rule) > 64 || len(r.Players) > most ||
		len(r.Winners) > most || slices.ContainsFunc(r.Winners, func(seat int) bool { return seat < 1 || seat > most }) ||
		slices.ContainsFunc(append(r.Players, string(r.Book), r.Rule), isBadText) {
		return Result{}, errMalformed
	}
	return r, nil
}

// isBadText reports whether a text cannot be stored: it is too long, or PostgreSQL does not take it.
func isBadText(s string) bool {
	return len(s) > maxNameText || !utf8.ValidString(s) || strings.ContainsRune(s, 0)
}

// sortEntries sorts games, the newest first.
func sortEntries(all []Entry) {
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(b.Game, a.Game) })
}
