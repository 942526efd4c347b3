package results

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Row is one stored result.
type Row struct {
	Name string // under which the table publishes
	Result
	// Void reports that the end of the game was undone.
	Void bool
	// Lost reports that the table has lost the game: its store has become an older copy. The result stays valid.
	Lost bool
}

// Gap is a range of numbers of games whose results may be lost: the table does not list them any more, and the venue never got
// them, or the table has lost what the venue has.
type Gap struct {
	Name, Table string
	First, Last int
	// Ahead reports that the venue has these games and the table has lost them: its store is an older copy.
	Ahead bool
}

// Plan has the demands of an Index on the venue.
type Plan struct {
	Ask    []int   // the oldest games whose results the venue lacks, at most MaxAsk
	Lacks  int     // number of all of these
	Stored []Entry // what the venue has of the Index, the newest first
	Change []Row   // rows whose Void or Lost has changed
	Gaps   []Gap
}

// Compare says what to do about the Index of the table of this name, given the rows of that name and id.
func Compare(name string, i *Index, rows []Row) (p Plan) {
	listed := map[int]string{}
	for _, e := range i.Games {
		listed[e.Game] = e.Hash
	}
	has, newest, ahead := map[int]bool{}, 0, Gap{Name: name, Table: i.Table, Ahead: true}
	for _, r := range rows {
		newest = max(newest, r.Game)
		hash, there := listed[r.Game]
		switch same := there && hash == r.Hash(); {
		case same:
			has[r.Game] = true
			if r.Void || r.Lost {
				r.Void, r.Lost = false, false
				p.Change = append(p.Change, r)
			}
		case r.Lost:
		case r.Game > i.Last, r.Game == i.Last && r.Began != i.Began: // the store of the table is an older copy
			r.Lost = true
			p.Change = append(p.Change, r)
			ahead.First, ahead.Last = min(r.Game, cmp.Or(ahead.First, r.Game)), max(ahead.Last, r.Game)
		case !there && !r.Void && i.covers(r.Game):
			r.Void = true
			p.Change = append(p.Change, r)
		}
	}
	if ahead.Last > 0 {
		p.Gaps = append(p.Gaps, ahead)
	}
	if n := len(i.Games); n == MaxIndex && newest > 0 && newest < i.Games[n-1].Game-1 {
		p.Gaps = append(p.Gaps, Gap{Name: name, Table: i.Table, First: newest + 1, Last: i.Games[n-1].Game - 1})
	}
	for _, e := range slices.Backward(i.Games) {
		if has[e.Game] {
			p.Stored = append(p.Stored, e)
			continue
		}
		if p.Lacks++; p.Lacks <= MaxAsk {
			p.Ask = append(p.Ask, e.Game)
		}
	}
	sortEntries(p.Stored)
	return p
}

// covers reports whether an Index would list a game of this number, if it had a result.
func (i *Index) covers(game int) bool {
	n := len(i.Games)
	return game <= i.Last && (n < MaxIndex || game > i.Games[n-1].Game)
}

// Store keeps results. An error means that nothing was changed, or that it is not known; each call may be repeated.
type Store interface {
	// Save stores a Result of the table of this name, replaces an earlier one of the same game, and removes its marks.
	Save(ctx context.Context, name string, r *Result) error
	// SetMarks stores Void and Lost of a row.
	SetMarks(ctx context.Context, r *Row) error
	// OfTable lists the newest rows of a table, the newest first, at most twice MaxIndex.
	OfTable(ctx context.Context, name, id string) ([]Row, error)
	// List lists the rows of games that ended in a period, the newest first, at most limit, void ones included.
	List(ctx context.Context, from, until time.Time, limit int) ([]Row, error)
	// AddGap stores a Gap, once.
	AddGap(ctx context.Context, g Gap, at time.Time) error
	// Gaps lists the newest gaps, the newest first, at most limit.
	Gaps(ctx context.Context, limit int) ([]Gap, error)
	// ForgetNames removes the names of players from games that ended before a moment. It returns the number of games changed.
	ForgetNames(ctx context.Context, before time.Time) (games int, err error)
	Close() error
}

// Update brings a Store up to date with the Index of the table of this name, and returns what to tell the table.
func Update(ctx context.Context, s Store, name string, i *Index, now time.Time) (Plan, error) {
	rows, err := s.OfTable(ctx, name, i.Table)
	if err != nil {
		return Plan{}, err
	}
	p := Compare(name, i, rows)
	for _, r := range p.Change {
		if err := s.SetMarks(ctx, &r); err != nil {
			return Plan{}, err
		}
	}
	for _, g := range p.Gaps {
		if err := s.AddGap(ctx, g, now); err != nil {
			return Plan{}, err
		}
	}
	return p, nil
}
