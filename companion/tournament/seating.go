package tournament

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Effort of a draw: so many seatings are begun, and so many exchanges tried in each.
const (
	drawTries     = 8
	drawExchanges = 5_000
)

// meetings counts how often two players have sat at one table: meetings[a][b], for both orders.
type meetings map[PlayerID]map[PlayerID]int

// meetings returns all meetings so far. Absent players have met nobody.
func (t *Tournament) meetings() meetings { return t.meetingsBefore(len(t.Rounds)) }

// meetingsBefore returns the meetings of the first n rounds.
func (t *Tournament) meetingsBefore(n int) meetings {
	met := meetings{}
	for _, r := range t.Rounds[:n] {
		for _, table := range r.Tables {
			for _, a := range table.Players {
				for _, b := range table.Players {
					if a != b && !slices.Contains(table.Absent, a) && !slices.Contains(table.Absent, b) {
						if met[a] == nil {
							met[a] = map[PlayerID]int{}
						}
						met[a][b]++
					}
				}
			}
		}
	}
	return met
}

// countRepeats returns the number of pairs among players who have met.
func (m meetings) countRepeats(players []PlayerID) (n int) {
	for i, a := range players {
		for _, b := range players[:i] {
			if m[a][b] > 0 {
				n++
			}
		}
	}
	return n
}

// cost returns the sum of the squares of a's meetings with others, so that a third meeting of two players is avoided before a second.
func (m meetings) cost(a PlayerID, others []PlayerID, except PlayerID) (sum int) {
	of := m[a]
	if of == nil {
		return 0
	}
	for _, b := range others {
		if b != except && b != a {
			sum += of[b] * of[b]
		}
	}
	return sum
}

// DrawRound proposes the next round as an act to apply. The same seed proposes the same round. It is refused while a table of the last
// round has no result, and if there are fewer than Plan.Least players.
func (t *Tournament) DrawRound(seed uint64) (Act, error) {
	if !t.begun {
		return Act{}, refuse("none")
	}
	for _, name := range t.Waiting() {
		return Act{}, refuse("waiting", "table", name)
	}
	var present []PlayerID
	for _, p := range t.Players {
		if !p.Left {
			present = append(present, p.ID)
		}
	}
	sizes := t.Plan.divide(len(present))
	if len(sizes) == 0 {
		return Act{}, refuse("few")
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(present), func(i, k int) { present[i], present[k] = present[k], present[i] })
	seats := 0
	for _, n := range sizes {
		seats += n
	}
	outBefore := t.countOut()
	slices.SortStableFunc(present, func(a, b PlayerID) int { return cmp.Compare(outBefore[b], outBefore[a]) })
	playing, out := present[:seats], present[seats:]
	met := t.meetings()
	best, bestCost := [][]PlayerID(nil), 0
	for range drawTries {
		random.Shuffle(len(playing), func(i, k int) { playing[i], playing[k] = playing[k], playing[i] })
		seated := met.seatGreedily(playing, sizes)
		total := met.improve(seated, random)
		if best == nil || total < bestCost {
			best, bestCost = seated, total
		}
		if bestCost == 0 {
			break
		}
	}
	round := &Round{Out: slices.Sorted(slices.Values(out))}
	for i, players := range best {
		round.Tables = append(round.Tables, Table{Name: t.Plan.Tables[i], Players: players, Repeats: met.countRepeats(players)})
	}
	return Act{Kind: Draw, Round: round}, nil
}

// divide returns how many players sit at each table if n are present: as many of them as can, at tables that differ by at most one. With a
// choice the tables are as near as they can be to the middle of Least and Most.
func (p *Plan) divide(n int) (sizes []int) {
	best, bestSeated, bestFar := 0, 0, 0
	for tables := 1; tables <= len(p.Tables) && tables*p.Least <= n; tables++ {
		seated := min(n, tables*p.Most)
		far := max(2*seated-tables*(p.Least+p.Most), tables*(p.Least+p.Most)-2*seated) / tables
		if best == 0 || seated > bestSeated || seated == bestSeated && far < bestFar {
			best, bestSeated, bestFar = tables, seated, far
		}
	}
	for i := range best {
		sizes = append(sizes, bestSeated/best)
		if i < bestSeated%best {
			sizes[i]++
		}
	}
	return sizes
}

// countOut returns how often each player has sat out.
func (t *Tournament) countOut() map[PlayerID]int {
	n := map[PlayerID]int{}
	for _, r := range t.Rounds {
		for _, id := range r.Out {
			n[id]++
		}
	}
	return n
}

// seatGreedily fills one table after the other: each seat with the next player whom nobody there has met, or else whom they have met least.
func (m meetings) seatGreedily(players []PlayerID, sizes []int) (seated [][]PlayerID) {
	free := slices.Clone(players)
	for _, size := range sizes {
		var table []PlayerID
		for range size {
			at, least := 0, -1
			for i, id := range free {
				if c := m.cost(id, table, 0); least < 0 || c < least {
					at, least = i, c
				}
				if least == 0 {
					break
				}
			}
			table = append(table, free[at])
			free = slices.Delete(free, at, at+1)
		}
		seated = append(seated, table)
	}
	return seated
}

// improve exchanges players of different tables while that makes repeats rarer, and returns the cost that remains.
func (m meetings) improve(seated [][]PlayerID, random *rand.Rand) int {
	total := 0
	for _, table := range seated {
		for _, id := range table {
			total += m.cost(id, table, id)
		}
	}
	if len(seated) < 2 {
		return total / 2
	}
	for range drawExchanges {
		if total == 0 {
			break
		}
		one, i := pickRepeat(m, seated, random)
		other := random.IntN(len(seated) - 1)
		if other >= one {
			other++
		}
		k := random.IntN(len(seated[other]))
		a, b := seated[one][i], seated[other][k]
		before := m.cost(a, seated[one], a) + m.cost(b, seated[other], b)
		after := m.cost(a, seated[other], b) + m.cost(b, seated[one], a)
		if after <= before {
			seated[one][i], seated[other][k] = b, a
			total += 2 * (after - before)
		}
	}
	return total / 2
}

// pickRepeat returns the place of a player who sits with somebody they have met, or of any player if there is none.
func pickRepeat(m meetings, seated [][]PlayerID, random *rand.Rand) (table, seat int) {
	first := random.IntN(len(seated))
	for d := range seated {
		at := (first + d) % len(seated)
		from := random.IntN(len(seated[at]))
		for e := range seated[at] {
			if i := (from + e) % len(seated[at]); m.cost(seated[at][i], seated[at], 0) > 0 {
				return at, i
			}
		}
	}
	return first, random.IntN(len(seated[first]))
}
