package tournament

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of a tournament.
const (
	MaxPlayers = 3000
	MaxTables  = 300
	MaxRounds  = 30
	MaxName    = 40 // characters in the name of a player, a table or a tournament
	maxWhy     = 200
	maxPoints  = 1000
)

// Least and most players at a table, whatever the game.
const (
	leastSeats = 3
	mostSeats  = 10
)

// Kinds of acts.
const (
	Begin   = "begin"   // Plan
	Join    = "join"    // Name; who joins during a round plays from the next
	Leave   = "leave"   // Player is not seated any more
	Return  = "return"  // Player is seated again
	Draw    = "draw"    // Round: a new round with these tables
	Swap    = "swap"    // Player and Other change places, before either table has a result
	Absent  = "absent"  // Player did not come to this round's table
	Present = "present" // Player came after all
	Score   = "score"   // Round number N, Table: Winners, Rule, Source
	Correct = "correct" // Round number N, Player: Points and Why replace what the result gave
	Forget  = "forget"  // all names of players are removed
)

// PlayerID is the number of a player, from 1 in the order of joining. Zero is nobody.
type PlayerID int

// Act is one thing that was done, as the caller stores it. Kind says which of the other fields it uses.
type Act struct {
	Kind string `json:"kind"`
	By   string `json:"by,omitempty"` // who did it; "": the console itself
	At   int64  `json:"at,omitempty"` // Unix milliseconds

	Plan    *Plan      `json:"plan,omitempty"`
	Name    string     `json:"name,omitempty"`
	Lot     uint64     `json:"lot,omitempty"` // the last tie-break of a new player, the lower first
	Player  PlayerID   `json:"player,omitempty"`
	Other   PlayerID   `json:"other,omitempty"`
	Round   *Round     `json:"round,omitempty"`
	N       int        `json:"n,omitempty"` // number of a round, from 1
	Table   string     `json:"table,omitempty"`
	Winners []PlayerID `json:"winners,omitempty"`
	Rule    string     `json:"rule,omitempty"`   // by which the game ended, such as HC-050
	Source  string     `json:"source,omitempty"` // id of the game that a table reported; "": by hand
	Points  int        `json:"points,omitempty"`
	Why     string     `json:"why,omitempty"`
}

// Plan has the decisions of the organiser before the first round.
type Plan struct {
	Name    string    `json:"name"`
	Game    engine.ID `json:"game"`
	Tables  []string  `json:"tables"` // names of the tables, best filled first
	Least   int       `json:"least"`  // players at a table, 3 to 10
	Most    int       `json:"most"`
	Scoring Scoring   `json:"scoring"`
}

// Player is one entrant.
type Player struct {
	ID   PlayerID `json:"id"`
	Name string   `json:"name"` // "": forgotten
	Left bool     `json:"left,omitempty"`
	lot  uint64
}

// Round is a seating, and what came of it.
type Round struct {
	Tables []Table    `json:"tables"`
	Out    []PlayerID `json:"out,omitempty"` // they sit out, for want of a table
}

// Table is one table in a round.
type Table struct {
	Name    string     `json:"name"`
	Players []PlayerID `json:"players"`           // in the order of their seats
	Repeats int        `json:"repeats,omitempty"` // pairs who have met before

	Absent      []PlayerID       `json:"absent,omitempty"`
	Result      *Result          `json:"result,omitempty"`
	Corrections map[PlayerID]int `json:"corrections,omitempty"` // points that replace those of the result
}

// Result has the winners of a table and the rule by which its game ended.
type Result struct {
	Winners []PlayerID `json:"winners"`
	Rule    string     `json:"rule,omitempty"`
	Source  string     `json:"source,omitempty"`
}

// Tournament is the state after some acts. Its zero value has not begun. It is not safe for concurrent use.
//
// Invariants:
//  1. Players[i].ID is i+1.
//  2. In each round every player sits at one table, sits out, or is none of both because they had left or not joined yet.
//  3. Each table has Plan.Least to Plan.Most players, all of them from Players; Absent, Winners and Corrections name players of the table.
type Tournament struct {
	Plan    Plan     `json:"plan"`
	Players []Player `json:"players"`
	Rounds  []Round  `json:"rounds"`
	begun   bool
}

// Replay returns the tournament after all acts of a store. It fails at an act that Apply refuses.
func Replay(acts []Act) (*Tournament, error) {
	t := &Tournament{}
	for i, a := range acts {
		if err := t.Apply(a); err != nil {
			return nil, fmt.Errorf("tournament: act %d (%s): %w", i+1, a.Kind, err)
		}
	}
	return t, nil
}

// NewJoin returns the act by which a player joins, with a lot drawn from seed.
func NewJoin(name string, seed uint64) Act {
	return Act{Kind: Join, Name: name, Lot: rand.New(rand.NewPCG(seed, 1)).Uint64()}
}

// Begun reports whether the tournament has a plan.
func (t *Tournament) Begun() bool { return t.begun }

// Apply changes the tournament by one act. A *wire.Refusal says why the act is not possible now; then nothing has changed.
func (t *Tournament) Apply(a Act) error {
	if !t.begun && a.Kind != Begin {
		return refuse("none")
	}
	switch a.Kind {
	case Begin:
		return t.begin(a.Plan)
	case Join:
		return t.join(a)
	case Leave, Return:
		return t.setLeft(a.Player, a.Kind == Leave)
	case Draw:
		return t.addRound(a.Round)
	case Swap:
		return t.swap(a.Player, a.Other)
	case Absent, Present:
		return t.setAbsent(a.Player, a.Kind == Absent)
	case Score:
		return t.score(a)
	case Correct:
		return t.correct(a)
	case Forget:
		for i := range t.Players {
			t.Players[i].Name = ""
		}
		return nil
	}
	return refuse("act")
}

// refuse returns a refusal with the sentence "tournament.<why>".
func refuse(why string, args ...string) error { return wire.NewRefusal("tournament."+why, args...) }

func (t *Tournament) begin(p *Plan) error {
	switch {
	case t.begun:
		return refuse("begun")
	case p == nil || !isName(p.Name) || p.Game == "":
		return refuse("plan")
	case p.Least < leastSeats || p.Most > mostSeats || p.Most < p.Least:
		return refuse("seats")
	case len(p.Tables) == 0 || len(p.Tables) > MaxTables:
		return refuse("tables")
	}
	for i, name := range p.Tables {
		if !isName(name) || slices.Contains(p.Tables[:i], name) {
			return refuse("tables")
		}
	}
	if err := p.Scoring.check(); err != nil {
		return err
	}
	t.Plan, t.begun = *p, true
	t.Plan.Tables = slices.Clone(p.Tables)
	return nil
}

func (t *Tournament) join(a Act) error {
	if !isName(a.Name) {
		return refuse("name")
	}
	if len(t.Players) == MaxPlayers {
		return refuse("full")
	}
	for _, p := range t.Players {
		if strings.EqualFold(p.Name, a.Name) {
			return refuse("taken", "name", a.Name)
		}
	}
	t.Players = append(t.Players, Player{ID: PlayerID(len(t.Players) + 1), Name: a.Name, lot: a.Lot})
	return nil
}

// isName reports whether a name can be shown: 1 to MaxName printable characters, no blank at either end.
func isName(s string) bool {
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxName && strings.TrimSpace(s) == s &&
		!strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) })
}

// Player returns a player by number; nil if there is none.
func (t *Tournament) Player(id PlayerID) *Player {
	if id < 1 || int(id) > len(t.Players) {
		return nil
	}
	return &t.Players[id-1]
}

func (t *Tournament) setLeft(id PlayerID, left bool) error {
	p := t.Player(id)
	if p == nil || p.Left == left {
		return refuse("player")
	}
	p.Left = left
	return nil
}

// Current returns the last round; nil before the first.
func (t *Tournament) Current() *Round {
	if len(t.Rounds) == 0 {
		return nil
	}
	return &t.Rounds[len(t.Rounds)-1]
}

// addRound begins a round with a seating that DrawRound has proposed, or a person.
func (t *Tournament) addRound(r *Round) error {
	if r == nil || len(r.Tables) == 0 || len(t.Rounds) == MaxRounds {
		return refuse("round")
	}
	for _, name := range t.Waiting() {
		return refuse("waiting", "table", name)
	}
	seen := map[PlayerID]bool{}
	sit := func(all []PlayerID) bool {
		for _, id := range all {
			if p := t.Player(id); p == nil || p.Left || seen[id] {
				return false
			}
			seen[id] = true
		}
		return true
	}
	added := Round{Out: slices.Clone(r.Out)}
	used := map[string]bool{}
	for _, table := range r.Tables {
		if len(table.Players) < t.Plan.Least || len(table.Players) > t.Plan.Most || !sit(table.Players) ||
			used[table.Name] || !slices.Contains(t.Plan.Tables, table.Name) {
			return refuse("round")
		}
		used[table.Name] = true
		added.Tables = append(added.Tables, Table{Name: table.Name, Players: slices.Clone(table.Players)})
	}
	if !sit(r.Out) {
		return refuse("round")
	}
	met := t.meetings()
	for i := range added.Tables {
		added.Tables[i].Repeats = met.countRepeats(added.Tables[i].Players)
	}
	t.Rounds = append(t.Rounds, added)
	return nil
}

// Waiting returns the names of the tables of the last round that have no result yet and at which somebody plays.
func (t *Tournament) Waiting() (names []string) {
	if r := t.Current(); r != nil {
		for _, table := range r.Tables {
			if table.Result == nil && len(table.Absent) < len(table.Players) {
				names = append(names, table.Name)
			}
		}
	}
	return names
}

// find returns the table and the seat of a player in a round.
func (r *Round) find(id PlayerID) (table *Table, seat int) {
	for i := range r.Tables {
		if seat = slices.Index(r.Tables[i].Players, id); seat >= 0 {
			return &r.Tables[i], seat
		}
	}
	return nil, 0
}

func (t *Tournament) swap(a, b PlayerID) error {
	r := t.Current()
	if r == nil {
		return refuse("round")
	}
	one, i := r.find(a)
	other, k := r.find(b)
	if one == nil || other == nil || one == other {
		return refuse("swap")
	}
	if one.Result != nil || other.Result != nil {
		return refuse("played")
	}
	one.Players[i], other.Players[k] = b, a
	one.Absent = slices.DeleteFunc(one.Absent, func(id PlayerID) bool { return id == a })
	other.Absent = slices.DeleteFunc(other.Absent, func(id PlayerID) bool { return id == b })
	met := t.meetingsBefore(len(t.Rounds) - 1)
	one.Repeats, other.Repeats = met.countRepeats(one.Players), met.countRepeats(other.Players)
	return nil
}

func (t *Tournament) setAbsent(id PlayerID, absent bool) error {
	r := t.Current()
	if r == nil {
		return refuse("round")
	}
	table, _ := r.find(id)
	switch {
	case table == nil || slices.Contains(table.Absent, id) == absent:
		return refuse("player")
	case table.Result != nil && slices.Contains(table.Result.Winners, id):
		return refuse("played")
	case absent:
		table.Absent = append(table.Absent, id)
	default:
		table.Absent = slices.DeleteFunc(table.Absent, func(x PlayerID) bool { return x == id })
	}
	return nil
}

// table returns a table of a round by the number of the round and its name.
func (t *Tournament) table(n int, name string) *Table {
	if n < 1 || n > len(t.Rounds) {
		return nil
	}
	all := t.Rounds[n-1].Tables
	if i := slices.IndexFunc(all, func(x Table) bool { return x.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// score records a result. A second one for the same table replaces the first, as when a table takes back the end of its game.
func (t *Tournament) score(a Act) error {
	table := t.table(a.N, a.Table)
	if table == nil || len(a.Rule) > MaxName || len(a.Source) > MaxName {
		return refuse("table")
	}
	for i, id := range a.Winners {
		if !slices.Contains(table.Players, id) || slices.Contains(table.Absent, id) || slices.Contains(a.Winners[:i], id) {
			return refuse("winner")
		}
	}
	table.Result = &Result{Winners: slices.Clone(a.Winners), Rule: a.Rule, Source: a.Source}
	return nil
}

func (t *Tournament) correct(a Act) error {
	if a.N < 1 || a.N > len(t.Rounds) {
		return refuse("round")
	}
	table, _ := t.Rounds[a.N-1].find(a.Player)
	switch {
	case table == nil || table.Result == nil:
		return refuse("player")
	case a.Points < -maxPoints || a.Points > maxPoints:
		return refuse("points")
	case strings.TrimSpace(a.Why) == "" || len(a.Why) > maxWhy || !utf8.ValidString(a.Why):
		return refuse("why")
	}
	if table.Corrections == nil {
		table.Corrections = map[PlayerID]int{}
	}
	table.Corrections[a.Player] = a.Points
	return nil
}
