package tournament

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"majordome/companion/wire"
)

// drawSeed returns the seed of a random test, and prints it.
func drawSeed(t *testing.T) uint64 {
	t.Helper()
	n := rand.Uint64()
	if text := os.Getenv("MAJORDOME_SEED"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("repeat with MAJORDOME_SEED=%d", n)
	return n
}

// beginTournament returns a tournament with so many tables and players.
func beginTournament(t *testing.T, tables, least, most, players int) *Tournament {
	t.Helper()
	plan := Plan{Name: "Club", Game: "cluedo-2008", Least: least, Most: most, Scoring: DefaultScoring("cluedo-2008")}
	for i := range tables {
		plan.Tables = append(plan.Tables, fmt.Sprint("T", i+1))
	}
	x := &Tournament{}
	applyAct(t, x, Act{Kind: Begin, Plan: &plan})
	for i := range players {
		applyAct(t, x, NewJoin(fmt.Sprint("P", i+1), uint64(i)))
	}
	return x
}

func applyAct(t *testing.T, x *Tournament, a Act) {
	t.Helper()
	if err := x.Apply(a); err != nil {
		t.Fatalf("%s: %v", a.Kind, err)
	}
}

// checkRefused checks that an act is refused for a reason, and changes nothing.
func checkRefused(t *testing.T, x *Tournament, why string, a Act) {
	t.Helper()
	before := encode(x)
	err := x.Apply(a)
	var no *wire.Refusal
	if !errors.As(err, &no) || no.Why.Key != "tournament."+why {
		t.Errorf("%s is refused by %v, want %s", a.Kind, err, why)
	}
	if encode(x) != before {
		t.Errorf("%s, refused, has changed something", a.Kind)
	}
}

func encode(x *Tournament) string {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// playRound plays one round: the first player of each table wins.
func playRound(t *testing.T, x *Tournament, seed uint64) *Round {
	t.Helper()
	act, err := x.DrawRound(seed)
	if err != nil {
		t.Fatal(err)
	}
	applyAct(t, x, act)
	for _, table := range x.Current().Tables {
		applyAct(t, x, Act{Kind: Score, N: len(x.Rounds), Table: table.Name, Winners: table.Players[:1]})
	}
	return x.Current()
}

// TestNobodyMeetsTwice checks that in the rounds of ordinary evenings no two players sit together twice.
func TestNobodyMeetsTwice(t *testing.T) {
	for _, c := range []struct{ tables, most, players, rounds int }{
		{4, 4, 16, 3}, {6, 6, 36, 3}, {12, 6, 72, 5}, {40, 6, 240, 6}, {12, 5, 53, 4}, {100, 10, 1000, 4},
	} {
		x := beginTournament(t, c.tables, 3, c.most, c.players)
		for n := range c.rounds {
			repeats := 0
			for _, table := range playRound(t, x, uint64(n)).Tables {
				repeats += table.Repeats
			}
			if repeats > 0 {
				t.Errorf("%d players at %d tables: %d pairs meet again in round %d", c.players, c.tables, repeats, n+1)
			}
		}
	}
}

// TestAllSit checks the sizes of the tables for every number of players: as many sit as can, and the tables differ by at most one.
func TestAllSit(t *testing.T) {
	for _, c := range []struct{ tables, least, most int }{{1, 3, 10}, {4, 3, 6}, {12, 4, 4}, {12, 3, 10}, {5, 4, 5}} {
		plan := Plan{Tables: make([]string, c.tables), Least: c.least, Most: c.most}
		for n := range 140 {
			most := 0 // the most that can sit, tried by hand
			for tables := 1; tables <= c.tables; tables++ {
				if tables*c.least <= n {
					most = max(most, min(n, tables*c.most))
				}
			}
			sizes, seated := plan.divide(n), 0
			for _, size := range sizes {
				seated += size
			}
			if seated != most || len(sizes) > 0 && (slices.Max(sizes)-slices.Min(sizes) > 1 || slices.Max(sizes) > c.most ||
				slices.Min(sizes) < c.least) {
				t.Errorf("%v, %d players: %v, and %d could sit", c, n, sizes, most)
			}
		}
	}
}

// TestSittingOutGoesRound checks that nobody sits out twice before everybody has once.
func TestSittingOutGoesRound(t *testing.T) {
	x := beginTournament(t, 2, 4, 4, 10)
	for n := range 5 {
		if r := playRound(t, x, uint64(n)); len(r.Out) != 2 {
			t.Fatalf("%d sit out", len(r.Out))
		}
	}
	for id, n := range x.countOut() {
		if n != 1 {
			t.Errorf("player %d sat out %d times", id, n)
		}
	}
	for _, s := range x.Standings() {
		if s.Played != 4 {
			t.Errorf("%+v", s)
		}
	}
}

// TestStandings checks points and each tie-break in its order.
func TestStandings(t *testing.T) {
	x := beginTournament(t, 2, 3, 3, 6)
	round := func(a, b []PlayerID) {
		applyAct(t, x, Act{Kind: Draw, Round: &Round{Tables: []Table{{Name: "T1", Players: a}, {Name: "T2", Players: b}}}})
	}
	score := func(n int, table string, winners ...PlayerID) {
		applyAct(t, x, Act{Kind: Score, N: n, Table: table, Winners: winners, Rule: "CL-1"})
	}
	place := func(want ...PlayerID) {
		t.Helper()
		var got []PlayerID
		for _, s := range x.Standings() {
			got = append(got, s.Player)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v: %+v", got, want, x.Standings())
		}
	}
	round([]PlayerID{1, 2, 3}, []PlayerID{4, 5, 6})
	score(1, "T1", 1)
	score(1, "T2", 4)
	round([]PlayerID{1, 5, 6}, []PlayerID{2, 3, 4})
	score(2, "T1", 5)
	score(2, "T2", 4)
	// 4 has 20. 1 and 5 have 10 and one game each; 1 met 2, 3, 5, 6 (10 points), 5 met 4, 6, 1, 6 (30). Of those with nothing: 2 and 3
	// met 1 and 4 (30), 6 met 4, 5, 1, 5 (50). 2 and 3 are decided by lot.
	lots := x.byLot(2, 3)
	place(4, 5, 1, 6, lots[0], lots[1])

	applyAct(t, x, Act{Kind: Absent, Player: lots[0]}) // then they met nobody in that round
	place(4, 5, 1, 6, lots[1], lots[0])
	applyAct(t, x, Act{Kind: Present, Player: lots[0]})

	applyAct(t, x, Act{Kind: Correct, N: 1, Player: 6, Points: 10, Why: "the table had the wrong winner"})
	place(4, 5, 1, 6, lots[0], lots[1]) // 10 points without a game won come after 10 with one
	score(2, "T1", 1, 5)                // the table corrects its result: two winners
	leaders := x.byLot(1, 4)            // both have 20 points, two games and met 20 points
	place(leaders[0], leaders[1], 5, 6, lots[0], lots[1])
}

// byLot returns players in the order of their lots.
func (t *Tournament) byLot(ids ...PlayerID) []PlayerID {
	slices.SortFunc(ids, func(a, b PlayerID) int { return cmp.Compare(t.Player(a).lot, t.Player(b).lot) })
	return ids
}

// TestRulesOfAnEndHavePoints checks that winners get other points where the game ended by a rule that has its own.
func TestRulesOfAnEndHavePoints(t *testing.T) {
	x := beginTournament(t, 1, 3, 3, 3)
	x.Plan.Scoring = Scoring{Win: 10, Lose: 1, Rules: map[string]int{"HC-1": 25}}
	applyAct(t, x, Act{Kind: Draw, Round: &Round{Tables: []Table{{Name: "T1", Players: []PlayerID{1, 2, 3}}}}})
	for rule, want := range map[string]int{"HC-1": 25, "HC-2": 10} {
		applyAct(t, x, Act{Kind: Score, N: 1, Table: "T1", Winners: []PlayerID{2}, Rule: rule})
		if got := x.Points(1, 2); got != want || x.Points(1, 1) != 1 {
			t.Errorf("%s: %d points, want %d", rule, got, want)
		}
	}
}

// TestEvening plays an evening with people who come late, leave, do not come, change places and are corrected.
func TestEvening(t *testing.T) {
	x := &Tournament{}
	checkRefused(t, x, "none", Act{Kind: Join, Name: "Anne"})
	checkRefused(t, x, "seats", Act{Kind: Begin, Plan: &Plan{Name: "Club", Game: "huis-clos", Tables: []string{"A"}, Least: 2, Most: 6}})
	checkRefused(t, x, "tables",
		Act{Kind: Begin, Plan: &Plan{Name: "Club", Game: "huis-clos", Tables: []string{"A", "A"}, Least: 3, Most: 6}})
	x = beginTournament(t, 3, 3, 4, 8)
	checkRefused(t, x, "begun", Act{Kind: Begin, Plan: &x.Plan})
	checkRefused(t, x, "taken", Act{Kind: Join, Name: "p1"})
	for _, name := range []string{"", " Anne", "a\x00", "\xff", string(make([]rune, 41))} {
		checkRefused(t, x, "name", Act{Kind: Join, Name: name})
	}
	act, err := x.DrawRound(1)
	if err != nil || len(act.Round.Tables) != 2 {
		t.Fatal(act.Round, err)
	}
	applyAct(t, x, act)
	if _, err := x.DrawRound(2); err == nil {
		t.Error("a second round is drawn before the first is played")
	}
	checkRefused(t, x, "waiting", act)
	one, other := &x.Current().Tables[0], &x.Current().Tables[1]
	a, b := one.Players[0], other.Players[1]
	applyAct(t, x, Act{Kind: Swap, Player: a, Other: b})
	if one.Players[0] != b || other.Players[1] != a {
		t.Errorf("%+v", x.Current())
	}
	checkRefused(t, x, "swap", Act{Kind: Swap, Player: b, Other: one.Players[1]})
	applyAct(t, x, Act{Kind: Absent, Player: b})
	checkRefused(t, x, "winner", Act{Kind: Score, N: 1, Table: one.Name, Winners: []PlayerID{b}})
	checkRefused(t, x, "winner", Act{Kind: Score, N: 1, Table: one.Name, Winners: []PlayerID{a}})
	applyAct(t, x, Act{Kind: Score, N: 1, Table: one.Name, Winners: one.Players[1:2], Source: "g1"})
	checkRefused(t, x, "played", Act{Kind: Swap, Player: a, Other: b})
	checkRefused(t, x, "played", Act{Kind: Absent, Player: one.Players[1]})
	checkRefused(t, x, "player", Act{Kind: Correct, N: 1, Player: a, Points: 5, Why: "not played yet"})
	applyAct(t, x, Act{Kind: Score, N: 1, Table: other.Name})
	checkRefused(t, x, "why", Act{Kind: Correct, N: 1, Player: a, Points: 5, Why: " "})
	applyAct(t, x, Act{Kind: Correct, N: 1, Player: a, Points: 5, Why: "arbiter"})
	if x.Points(1, a) != 5 || x.Points(1, b) != 0 || x.Points(1, one.Players[1]) != 10 {
		t.Errorf("%+v", x.Current())
	}
	applyAct(t, x, Act{Kind: Leave, Player: b})
	applyAct(t, x, NewJoin("Late", 9))
	act, err = x.DrawRound(2)
	if err != nil {
		t.Fatal(err)
	}
	if table, _ := act.Round.find(b); table != nil {
		t.Error("who has left is seated")
	}
	if table, _ := act.Round.find(9); table == nil {
		t.Error("who came late is not seated")
	}
	applyAct(t, x, act)
	applyAct(t, x, Act{Kind: Forget})
	if slices.ContainsFunc(x.Players, func(p Player) bool { return p.Name != "" }) {
		t.Error("a name is left")
	}
}

// TestRandomActs applies random acts, most of them wrong: the invariants hold, a refusal changes nothing, and the acts that
// were taken give the same tournament when they are replayed from JSON, as a store has them.
func TestRandomActs(t *testing.T) {
	r := rand.New(rand.NewPCG(drawSeed(t), 0))
	for range 40 {
		x := &Tournament{}
		var taken []Act
		for range 250 {
			a := randomAct(r, x)
			before := encode(x)
			if err := x.Apply(a); err != nil {
				if encode(x) != before {
					t.Fatalf("%+v is refused and has changed something", a)
				}
				continue
			}
			taken = append(taken, a)
			checkInvariants(t, x)
		}
		stored, err := json.Marshal(taken)
		if err != nil {
			t.Fatal(err)
		}
		var again []Act
		if err := json.Unmarshal(stored, &again); err != nil {
			t.Fatal(err)
		}
		y, err := Replay(again)
		if err != nil || encode(y) != encode(x) || !reflect.DeepEqual(y.Standings(), x.Standings()) {
			t.Fatalf("replayed is another: %v\n%s\n%s", err, encode(x), encode(y))
		}
	}
}

func randomAct(r *rand.Rand, x *Tournament) Act {
	id := func() PlayerID { return PlayerID(r.IntN(len(x.Players) + 2)) }
	table := fmt.Sprint("T", 1+r.IntN(4))
	switch r.IntN(14) {
	case 0:
		return Act{Kind: Begin, Plan: &Plan{Name: "Club", Game: "huis-clos", Tables: []string{"T1", "T2", "T3"}[:r.IntN(4)],
			Least: 3 + r.IntN(2), Most: 2 + r.IntN(5), Scoring: DefaultScoring("")}}
	case 1, 2, 3:
		return NewJoin(fmt.Sprint("P", r.IntN(40)), r.Uint64())
	case 4:
		return Act{Kind: []string{Leave, Return}[r.IntN(2)], Player: id()}
	case 5, 6:
		if a, err := x.DrawRound(r.Uint64()); err == nil {
			return a
		}
		return Act{Kind: Draw, Round: &Round{Tables: []Table{{Name: table, Players: []PlayerID{id(), id(), id()}}}}}
	case 7:
		return Act{Kind: Swap, Player: id(), Other: id()}
	case 8:
		return Act{Kind: []string{Absent, Present}[r.IntN(2)], Player: id()}
	case 9, 10, 11:
		a := Act{Kind: Score, N: r.IntN(len(x.Rounds) + 2), Table: table}
		if found := x.table(a.N, table); found != nil && r.IntN(4) > 0 {
			a.Winners = []PlayerID{found.Players[r.IntN(len(found.Players))]}
		} else if r.IntN(2) == 0 {
			a.Winners = []PlayerID{id()}
		}
		return a
	case 12:
		return Act{Kind: Correct, N: r.IntN(len(x.Rounds) + 2), Player: id(), Points: r.IntN(30), Why: []string{"", "arbiter"}[r.IntN(2)]}
	}
	return Act{Kind: []string{"", "nonsense", Forget}[r.IntN(3)]}
}

// checkInvariants fails if an invariant of Tournament does not hold.
func checkInvariants(t *testing.T, x *Tournament) {
	t.Helper()
	for i, p := range x.Players {
		if p.ID != PlayerID(i+1) {
			t.Fatalf("player %d has the number %d", i+1, p.ID)
		}
	}
	for _, r := range x.Rounds {
		seen := map[PlayerID]bool{}
		see := func(all []PlayerID) {
			for _, id := range all {
				if x.Player(id) == nil || seen[id] {
					t.Fatalf("player %d is nobody, or twice in a round: %+v", id, r)
				}
				seen[id] = true
			}
		}
		see(r.Out)
		for _, table := range r.Tables {
			see(table.Players)
			if n := len(table.Players); n < x.Plan.Least || n > x.Plan.Most {
				t.Fatalf("a table of %d", n)
			}
			named := slices.Clone(table.Absent)
			for id := range table.Corrections {
				named = append(named, id)
			}
			if table.Result != nil {
				named = append(named, table.Result.Winners...)
			}
			for _, id := range named {
				if !slices.Contains(table.Players, id) {
					t.Fatalf("player %d is not at the table: %+v", id, table)
				}
			}
		}
	}
}

func BenchmarkDrawRound(b *testing.B) {
	x := &Tournament{}
	plan := Plan{Name: "Club", Game: "huis-clos", Least: 3, Most: 10, Scoring: DefaultScoring("")}
	for i := range MaxTables {
		plan.Tables = append(plan.Tables, fmt.Sprint("T", i+1))
	}
	if err := x.Apply(Act{Kind: Begin, Plan: &plan}); err != nil {
		b.Fatal(err)
	}
	for i := range MaxPlayers {
		if err := x.Apply(NewJoin(fmt.Sprint("P", i+1), uint64(i))); err != nil {
			b.Fatal(err)
		}
	}
	for n := range 4 {
		act, err := x.DrawRound(uint64(n))
		if err != nil || x.Apply(act) != nil {
			b.Fatal(err)
		}
		repeats := 0
		for _, table := range x.Current().Tables {
			repeats += table.Repeats
			if err := x.Apply(Act{Kind: Score, N: n + 1, Table: table.Name}); err != nil {
				b.Fatal(err)
			}
		}
		b.Log("round", n+1, "repeats", repeats)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := x.DrawRound(uint64(i)); err != nil {
			b.Fatal(err)
		}
	}
}
