package play_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// combinations lists every choice of the house rules that the lobby offers:
// 3 x 2 x 2 x 3 x 2 x 2 x 2 = 288 for Huis Clos.
func combinations(g engine.Game) []map[string]string {
	all := []map[string]string{{}}
	for _, o := range play.OffersOf(g, engine.Host) {
		if o.Act != "switch" {
			continue
		}
		name := o.Fixed["name"]
		values := append([]string{g.View(engine.Public).Switches[name]}, o.Params[0].Domain...)
		var next []map[string]string
		for _, had := range all {
			for _, v := range values {
				m := map[string]string{name: v}
				for k, x := range had {
					m[k] = x
				}
				next = append(next, m)
			}
		}
		all = next
	}
	return all
}

// lobbyWithRules is a lobby with given house rules.
func lobbyWithRules(b engine.Rulebook, rules map[string]string) (engine.Game, []engine.Event, error) {
	g, all := b.NewGame(), []engine.Event(nil)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if g.View(engine.Public).Switches[name] == rules[name] {
			continue
		}
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: "switch", Args: engine.Args{"name": name, "value": rules[name]}},
			chance.New(1))
		if r != nil {
			return nil, nil, fmt.Errorf("switch: %w", r)
		}
		g = g.Apply(evs...)
		all = append(all, evs...)
	}
	return g, all, nil
}

// books checks a game against the invariants of the rules (2.16) from public views and the audit, without the engine's own Check.
type books struct {
	h      *history
	n      int
	tokens int // Accusation cards that have left with the dead (HC-138)
	duel   bool
}

func (k *books) check(s play.Step, every int) error {
	died := slices.ContainsFunc(s.Events, func(e engine.Event) bool { return e.Kind() == "died" })
	over := s.Events[len(s.Events)-1].Kind() == "over"
	k.duel = k.duel || slices.ContainsFunc(s.Events, func(e engine.Event) bool { return e.Kind() == "confrontation" })
	if !died && !over && s.N%every != 0 {
		return nil
	}
	v := s.After.View(engine.Public)
	if died {
		for i, x := range s.Before.View(engine.Public).Seats {
			if x.Alive && !v.Seats[i].Alive {
				k.tokens += x.Tokens
			}
		}
	}
	switch v.Phase {
	case "lobby", "roles", "laying":
		return nil
	}
	return errors.Join(k.checkCards(v), k.checkSeats(v), k.checkPlaces(v), k.checkClock(v), checkWinners(v))
}

// checkWinners checks HC-155 and the switches of HC-154, HC-210 and HC-211.
func checkWinners(v engine.View) error {
	if v.Result == nil {
		return nil
	}
	switch n := len(v.Result.Winners); v.Result.Rule {
	case "HC-150", "HC-151", "HC-152", "HC-153", "HC-209":
		if n != 1 {
			return fmt.Errorf("HC-155: %d winners by %s", n, v.Result.Rule)
		}
	case "HC-154", "HC-210", "HC-211":
		if v.Switches["rounds-exhausted"] != "nobody" && v.Switches["confrontation-double-kill"] != "nobody" &&
			v.Switches["confrontation-round-limit"] != "lifted" && n == 0 {
			return fmt.Errorf("%s: nobody wins", v.Result.Rule)
		}
	default:
		return fmt.Errorf("HC-158: the game ends by %s", v.Result.Rule)
	}
	return nil
}

// checkCards checks invariants 1 and 2: each card is in one spot (GEN-020), and every public number is the true one.
func (k *books) checkCards(v engine.View) error {
	sum, where := v.Urn+len(v.Shown)+len(v.Gone), map[string]int{}
	for _, c := range clueIDs(k.h.Book) {
		where[k.h.audit.LocationOf(c)]++
	}
	between := v.Phase != "investigation" || v.Rule == "HC-050" // no action under way (HC-040)
	for _, x := range v.Seats {
		sum += x.Cards
		if x.Cards > 4 || x.Cards > 3 && between {
			return fmt.Errorf("invariant 2: %s holds %d", x.Seat, x.Cards)
		}
		if where[x.Seat.String()] != x.Cards {
			return fmt.Errorf("HC-044: %s holds %d and shows %d", x.Seat, where[x.Seat.String()], x.Cards)
		}
	}
	for _, p := range v.Places {
		sum += p.Cards
		if where[string(p.Place)] != p.Cards {
			return fmt.Errorf("HC-044: %s has %d clues and shows %d", p.Place, where[string(p.Place)], p.Cards)
		}
	}
	if where["urn"] != v.Urn || where["shown"] != len(v.Shown) || where["gone"] != len(v.Gone) {
		return errors.New("HC-044: the urn, what is shown or what is gone does not add up")
	}
	if sum != 39 {
		return fmt.Errorf("invariant 1: %d clues", sum)
	}
	return nil
}

// checkSeats checks invariants 3, 5, 6 and 7.
func (k *books) checkSeats(v engine.View) error {
	tokens, first, murderers, living := 0, 0, 0, countAlive(v)
	for _, x := range v.Seats {
		tokens += x.Tokens
		if x.Destroyed > 3 && living > 2 {
			return fmt.Errorf("invariant 5: %s has destroyed %d", x.Seat, x.Destroyed)
		}
		if x.First {
			first++
			if !x.Alive && v.Phase != "recovery" && v.Phase != "over" {
				return fmt.Errorf("invariant 6: the first player is dead")
			}
		}
		if k.h.audit.TrueRole(x.Seat) == "murderer" {
			murderers++
		}
		if !x.Alive && (x.Cards > 0 || x.Tokens > 0 || x.Place != "" || x.Role == "") {
			return fmt.Errorf("HC-131, HC-132, HC-138: %+v is dead", x)
		}
	}
	switch {
	case tokens+k.tokens != k.n:
		return fmt.Errorf("invariant 3: %d Accusation cards and %d of the dead", tokens, k.tokens)
	case first != 1:
		return fmt.Errorf("invariant 6: %d first players", first)
	case murderers != 1:
		return fmt.Errorf("invariant 7: %d Murderers", murderers)
	}
	return nil
}

// checkPlaces checks invariant 4.
func (k *books) checkPlaces(v engine.View) error {
	pawns := map[engine.Seat]int{}
	for _, p := range v.Places {
		for _, x := range p.Pawns {
			pawns[x]++
		}
		if !p.Open && (p.Cards > 0 || len(p.Pawns) > 0) {
			return fmt.Errorf("invariant 4: %s is closed and not empty", p.Place)
		}
	}
	for _, x := range v.Seats {
		if want := map[bool]int{true: 1}[x.Alive]; pawns[x.Seat] != want {
			return fmt.Errorf("invariant 4: the pawn of %s stands in %d places", x.Seat, pawns[x.Seat])
		}
	}
	return nil
}

// checkClock checks invariant 6, HC-030, HC-035, HC-090, HC-202.
func (k *books) checkClock(v engine.View) error {
	c, of, mark := v.Clock, 2*k.n, k.n+1
	if k.duel {
		mark = 0
		if v.Switches["confrontation-round-limit"] == "lifted" {
			of = 0
		}
	}
	switch {
	case c.Of != of || c.Mark != mark:
		return fmt.Errorf("HC-035, HC-202, HC-211: the clock is %+v with %d players at the start", c, k.n)
	case c.At > c.Of && of > 0:
		return fmt.Errorf("invariant 6: round %d of %d", c.At, c.Of)
	case c.Open && (c.At < c.Mark || countAlive(v) == 2) && v.Result == nil:
		return fmt.Errorf("HC-090, HC-202: accusations are open in round %d", c.At)
	}
	return nil
}

// weighBegun weighs the offers of a lobby whose house rules are chosen.
func weighBegun(seed uint64) func(engine.Viewer, engine.Offer) int {
	weigh := weighLobby(seed/5*5+seed%5*3, everyCardRecorded)
	return func(v engine.Viewer, o engine.Offer) int {
		if o.Act == "switch" {
			return 0
		}
		return weigh(v, o)
	}
}

// TestEveryHouseRule plays every combination of the house rules, and in a soak each with every number of players. The invariants of 2.16
// are checked by the engine's own Check at every step and by separate accounts (GEN-020, HC-035, HC-040, HC-044, HC-155), a player can
// always act, and every game ends.
func TestEveryHouseRule(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	all := combinations(b.NewGame())
	if len(all) != 288 {
		t.Errorf("%d combinations, want 288", len(all))
	}
	games, steps := 0, 0
	every, tables := 16, 1 // the separate accounts are slow: every sixteenth step, and at each death
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		every, tables = 1, 5
	}
	for i, rules := range all {
		for j := range tables {
			seed := uint64(i*5 + j)
			g, evs, err := lobbyWithRules(b, rules)
			if err != nil {
				t.Fatal(err)
			}
			k := &books{h: newHistory(b)}
			if _, err := k.h.Add(evs); err != nil {
				t.Fatal(err)
			}
			_, played, err := play.Run(g, &play.Opts{Seed: seed, Weigh: weighBegun(seed), Check: func(s play.Step) error {
				if s.Command.Act == "begin" {
					k.n = len(s.After.View(engine.Public).Seats)
				}
				if _, err := k.h.Add(s.Events); err != nil {
					return err
				}
				if err := s.After.(interface{ CheckInvariants() error }).CheckInvariants(); err != nil {
					return err
				}
				return k.check(s, every)
			}})
			if err != nil {
				t.Fatalf("%v, %d players: %v", rules, k.n, err)
			}
			steps += played
			games++
		}
	}
	t.Logf("%d combinations of house rules, %d games, %d steps", len(all), games, steps)
}
