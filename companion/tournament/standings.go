package tournament

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"

	"majordome/engine"
)

// Scoring has the points that a player gets in a round.
type Scoring struct {
	Win    int            `json:"win"`
	Lose   int            `json:"lose"`
	Out    int            `json:"out"`             // sat out for want of a table
	Absent int            `json:"absent"`          // did not come
	Rules  map[string]int `json:"rules,omitempty"` // for winners, where the game ended by this rule
}

func (s *Scoring) check() error {
	for _, n := range []int{s.Win, s.Lose, s.Out, s.Absent} {
		if n < -maxPoints || n > maxPoints {
			return refuse("points")
		}
	}
	for rule, n := range s.Rules {
		if n < -maxPoints || n > maxPoints || len(rule) > MaxName || len(s.Rules) > MaxName {
			return refuse("points")
		}
	}
	return nil
}

//go:embed scoring.json
var scoringJSON []byte

// DefaultScoring returns the points for a game, or those for any game if scoring.json does not name it.
func DefaultScoring(game engine.ID) Scoring {
	var all map[engine.ID]Scoring
	if err := json.Unmarshal(scoringJSON, &all); err != nil {
		panic("tournament: scoring.json: " + err.Error())
	}
	if s, ok := all[game]; ok {
		return s
	}
	return all[""]
}

// Standing is the place of one player, with everything that decides it.
type Standing struct {
	Player PlayerID `json:"player"`
	Place  int      `json:"place"` // from 1
	Points int      `json:"points"`
	Won    int      `json:"won"`
	Met    int      `json:"met"` // points of all players met at a table, each meeting counted
	Absent int      `json:"absent"`
	Played int      `json:"played"`
	Rounds []int    `json:"rounds"` // points in each round
}

// Points returns what a player got in round n, from 1.
func (t *Tournament) Points(n int, id PlayerID) int {
	r := &t.Rounds[n-1]
	if slices.Contains(r.Out, id) {
		return t.Plan.Scoring.Out
	}
	table, _ := r.find(id)
	if table == nil {
		return 0
	}
	return t.pointsAt(table, id)
}

// pointsAt returns what a player got at their table; nothing before it has a result.
func (t *Tournament) pointsAt(table *Table, id PlayerID) int {
	s := &t.Plan.Scoring
	if n, corrected := table.Corrections[id]; corrected {
		return n
	}
	switch {
	case slices.Contains(table.Absent, id):
		return s.Absent
	case table.Result == nil:
		return 0
	case slices.Contains(table.Result.Winners, id):
		if n, special := s.Rules[table.Result.Rule]; special {
			return n
		}
		return s.Win
	}
	return s.Lose
}

// Standings returns all players, the leader first.
func (t *Tournament) Standings() []Standing {
	all := make([]Standing, len(t.Players))
	for i, p := range t.Players {
		all[i] = Standing{Player: p.ID, Rounds: make([]int, len(t.Rounds))}
	}
	for n, r := range t.Rounds {
		for _, id := range r.Out {
			all[id-1].Rounds[n] = t.Plan.Scoring.Out
		}
		for i := range r.Tables {
			t.addTable(all, n, &r.Tables[i])
		}
	}
	for i := range all {
		for _, n := range all[i].Rounds {
			all[i].Points += n
		}
	}
	for _, r := range t.Rounds {
		for _, table := range r.Tables {
			addMet(all, &table)
		}
	}
	slices.SortFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Won, a.Won), cmp.Compare(b.Met, a.Met),
			cmp.Compare(a.Absent, b.Absent), cmp.Compare(t.Players[a.Player-1].lot, t.Players[b.Player-1].lot),
			cmp.Compare(a.Player, b.Player))
	})
	for i := range all {
		all[i].Place = i + 1
	}
	return all
}

// addTable adds to the standings what happened at a table in round n, from 0.
func (t *Tournament) addTable(all []Standing, n int, table *Table) {
	for _, id := range table.Players {
		s := &all[id-1]
		s.Rounds[n] = t.pointsAt(table, id)
		switch {
		case slices.Contains(table.Absent, id):
			s.Absent++
		case table.Result != nil:
			s.Played++
			if slices.Contains(table.Result.Winners, id) {
				s.Won++
			}
		}
	}
}

// addMet adds to each player of a table the points of the others who were there. All points must be known.
func addMet(all []Standing, table *Table) {
	here := func(id PlayerID) bool { return !slices.Contains(table.Absent, id) }
	sum := 0
	for _, id := range table.Players {
		if here(id) {
			sum += all[id-1].Points
		}
	}
	for _, id := range table.Players {
		if here(id) {
			all[id-1].Met += sum - all[id-1].Points
		}
	}
}
