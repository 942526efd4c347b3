// Package tournament runs a club's evening of several rounds: who sits where, what each game was worth, and who leads.
//
//	t, err := tournament.Replay(acts)            the tournament so far; no acts: one that has not begun
//	act := tournament.Act{Kind: tournament.Join, Name: "Anne"}
//	err = t.Apply(act)                           changes t, or refuses with a wire.Refusal and changes nothing
//	act, err = t.DrawRound(seed)                 proposes the seating of the next round, as an act to apply
//	t.Standings()                                who leads, with every tie-break
//
// A tournament is the list of its acts: the caller stores each act that Apply has taken, with the person's name and the time, so
// a correction never erases what it corrects. The package has no clock, no I/O and no randomness of its own: the seed of a draw comes
// from the caller, and the act records the seating that was drawn.
//
// # Seating
//
// Every player who is present sits at one table of Plan.Least to Plan.Most players. The tables of a round differ by at most one player.
// If there are not enough tables or players, those who have sat out least often sit out. DrawRound makes as few
// pairs as it can find that have met before; Table.Repeats says how many there are at a table.
//
// # Points
//
// Scoring has the points for winning, for not winning, for sitting out (nobody's fault) and for being absent. The winners may get
// other points where the game ended by a certain rule. DefaultScoring has the numbers for each game, from scoring.json.
// Equal points are decided, in this order, by: games won; the points of all players met at a table, each meeting counted; fewer
// rounds absent; a lot that is drawn when a player joins.
//
// # What may leak
//
// Everything here is public: names, tables, results. Forget removes the names.
//
// Limits: MaxPlayers players, MaxRounds rounds, names of at most MaxName characters.
package tournament
