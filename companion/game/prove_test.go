package game

import (
	"errors"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"majordome/companion/proof"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/script"
)

// shownCodes collects the codes that the display of an evening has shown.
type shownCodes struct{ roots, heads map[string]bool }

func (c *shownCodes) add(steps []Step) {
	for _, s := range steps {
		if p := s.Public.Proof; p != nil {
			c.heads[p.Head] = true
			if p.Root != "" && !s.Public.View.IsDealing() {
				c.roots[p.Root] = true
			}
		}
	}
}

// TestProveFindsEachChange plays evenings with restarts and undone steps and exports them. ProveEvening finds what the
// display has shown. After each single change of a card, a seed of dice, a time, another argument, an act, a salt, an
// outcome or the order, the evening cannot be played any more or has another head; another deal has another root.
func TestProveFindsEachChange(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		proved, seeded, draws, refused, kinds := 0, 0, 0, 0, map[string]int{}
		for seed := range uint64(eveningCount(6, 1000)) {
			m := newMemory()
			e := newEvening(t, g, m, seed)
			e.addsToSeed = seed%2 == 1
			shown := &shownCodes{map[string]bool{}, map[string]bool{}}
			e.seatAndBegin(g.players(seed))
			for n := range 120 {
				from := len(e.steps)
				if e.play(); n%50 == 49 {
					e.start()
					e.passTime(time.Second)
				}
				shown.add(e.steps[from:])
				if e.last().Public.View.Result != nil {
					break
				}
			}
			evening := exportedEvening(t, e.books[0], m)
			right, err := ProveEvening(e.books[0], evening)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			last := e.last().Public.Proof
			if last == nil && len(right.Heads) == 0 {
				continue // undone as far as the lobby
			}
			if last == nil || len(right.Heads) == 0 || right.Heads[len(right.Heads)-1] != last.Head {
				t.Fatalf("seed %d: proved are %v, shown is %+v", seed, right, last)
			}
			if root := last.Root; root != "" && !e.last().Public.View.IsDealing() && right.Roots[len(right.Roots)-1] != root {
				t.Fatalf("seed %d: the roots %v are proved, shown is %s", seed, right.Roots, root)
			}
			for _, root := range right.Roots {
				if !shown.roots[root] {
					t.Fatalf("seed %d: no display has shown the root %s", seed, root)
				}
			}
			if e.addsToSeed {
				if len(right.Phones) == 0 { // how many there are depends on who sat there at the last beginning
					t.Fatalf("seed %d: the seed is of no phone", seed)
				}
				seeded, draws = seeded+1, draws+right.Draws // an evening with real cards, or with few steps left, has no draw
			}
			proved++
			happened := sort.Search(len(evening.Played), func(n int) bool {
				c, err := ProveEvening(e.books[0], script.Evening{Played: evening.Played[:n]})
				return err == nil && slices.Contains(c.Heads, last.Head)
			})
			for what, change := range changesOf(&evening, happened, chance.New(seed)) {
				kinds[what]++
				wrong, err := ProveEvening(e.books[0], change)
				if refused += countErrors(err); err == nil && slices.Contains(wrong.Heads, last.Head) {
					t.Fatalf("seed %d: a changed %s is not found", seed, what)
				}
			}
		}
		t.Logf("%d evenings proved, %d of them with phones that add to the seed, from which there are %d draws; changes %v found, "+
			"%d of them by the rules", proved, seeded, draws, kinds, refused)
		if seeded == 0 || draws == 0 {
			t.Error("too little was proved")
		}
	})
}

func countErrors(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// exportedEvening exports the game of a journal and reads it back.
func exportedEvening(t *testing.T, book engine.Rulebook, m *memory) script.Evening {
	t.Helper()
	e, err := BuildScript(book, storedEvents(t, m))
	if err != nil {
		t.Fatal(err)
	}
	text, err := script.Export(e)
	if err != nil {
		t.Fatal(err)
	}
	s, err := script.Parse("evening", text)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = s.Evening(); err != nil {
		t.Fatal(err)
	}
	return e
}

// changesOf yields the evening with one change of each kind, each at a command that the dice choose. Only those up to the
// last happening are changed: the others are in no head yet.
func changesOf(e *script.Evening, happened int, dice *chance.Dice) func(func(string, script.Evening) bool) {
	return func(yield func(string, script.Evening) bool) {
		for what, do := range map[string]func(p *script.PlayedCommand) bool{
			"seed": func(p *script.PlayedCommand) bool { p.Seed++; return true },
			"salt": func(p *script.PlayedCommand) bool { p.Salt = proof.Salt{}.Text(); return true },
			"time": func(p *script.PlayedCommand) bool { p.Command.At++; return true },
			"act":  func(p *script.PlayedCommand) bool { p.Command.Act += "x"; return true },
			"card": func(p *script.PlayedCommand) bool { return changeArg(p, "card") || changeArg(p, "cards") },
			"argument": func(p *script.PlayedCommand) bool {
				for _, name := range slices.Sorted(maps.Keys(p.Command.Args)) {
					return changeArg(p, name)
				}
				return false
			},
		} {
			for range 20 { // until the dice find a command that has such a thing
				other := *e
				other.Played = slices.Clone(e.Played)
				n := dice.Intn(happened)
				other.Played[n].Command.Args = maps.Clone(e.Played[n].Command.Args)
				if do(&other.Played[n]) {
					if !yield(what, other) {
						return
					}
					break
				}
			}
		}
		n := dice.Intn(happened - 1)
		fewer, swapped := *e, *e
		fewer.Played = slices.Delete(slices.Clone(e.Played), n, n+1)
		swapped.Played = slices.Clone(e.Played)
		swapped.Played[n], swapped.Played[n+1] = swapped.Played[n+1], swapped.Played[n]
		_ = yield("number of commands", fewer) && yield("order", swapped)
	}
}

// changeArg changes an argument of a command; false if it has none.
func changeArg(p *script.PlayedCommand, name string) bool {
	was, ok := p.Command.Args[name]
	if !ok || was == "" {
		return false
	}
	p.Command.Args[name] = was[:len(was)-1] + strings.Map(func(c rune) rune { return c ^ 1 }, was[len(was)-1:])
	return true
}

// TestProveOldEvenings: an evening without salts was committed to nothing, and is not taken for a changed one.
func TestProveOldEvenings(t *testing.T) {
	m := newMemory()
	e := newEvening(t, games[1], m, 1)
	e.seatAndBegin(3)
	evening := exportedEvening(t, e.books[0], m)
	evening.Played[2].Salt = ""
	if _, err := ProveEvening(e.books[0], evening); !errors.Is(err, ErrNoSalts) {
		t.Errorf("%v", err)
	}
}
