package play_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
)

func rulebook(t testing.TB) engine.Rulebook {
	t.Helper()
	b, err := huisclos.New(deck.HuisClos())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// table seats n players, names the first and chooses every switch by the seed.
func table(t testing.TB, b engine.Rulebook, n int, dice *chance.Dice) (engine.Game, []engine.Event) {
	t.Helper()
	g, all := b.New(), []engine.Event(nil)
	do := func(act string, args engine.Args) {
		t.Helper()
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: act, Args: args}, dice)
		if r != nil {
			t.Fatalf("%s %v: %v", act, args, r)
		}
		for _, e := range evs {
			g = g.Evolve(e)
		}
		all = append(all, evs...)
	}
	var figures []engine.ID
	for _, name := range b.Names() {
		if name.Kind == "character" {
			figures = append(figures, name.ID)
		}
	}
	chance.Shuffle(dice, len(figures), func(i, j int) { figures[i], figures[j] = figures[j], figures[i] })
	for i := range n {
		do("sit", engine.Args{"seat": engine.Seat(i + 1).String(), "name": "Guest", "character": string(figures[i])})
	}
	do("first", engine.Args{"seat": engine.Seat(dice.Intn(n) + 1).String()})
	for _, o := range play.Offers(g, engine.Host) {
		if o.Act == "switch" && dice.Intn(2) == 0 {
			d := o.Params[0].Domain
			do("switch", engine.Args{"name": o.Fixed["name"], "value": d[dice.Intn(len(d))]})
		}
	}
	do("begin", nil)
	return g, all
}

// games is 10,000, or ten times that for a soak.
func games() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 100_000
	}
	return 10_000
}

// level weighs the offers of a table at one of three levels of sensing: every
// card read, some of them, none (GEN-020 to GEN-024).
func level(seed uint64) (name string, weigh func(engine.Viewer, engine.Offer) int) {
	vague := func(o engine.Offer) bool {
		return o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == "unknown" || o.Act == "laid"
	}
	switch seed % 3 {
	case 0:
		return "recorded", func(v engine.Viewer, o engine.Offer) int {
			if o.Aside && o.Act != "shuffled" || vague(o) || v == engine.Host && o.Act == "destroy" || v == engine.Host && o.Act == "accuse" {
				return 0
			}
			return 1
		}
	case 1:
		return "mixed", func(_ engine.Viewer, o engine.Offer) int {
			if o.Act == "show" {
				return 4
			}
			return 1
		}
	}
	return "unrecorded", func(_ engine.Viewer, o engine.Offer) int {
		switch {
		case vague(o), o.Act == "show":
			return 4
		case o.Act == "deal", o.Act == "draw-roles", o.Act == "role" && o.Rule == "HC-005":
			return 0
		}
		return 1
	}
}

// allVerified says which holder of a table is not recorded, as the host sees it.
func allVerified(g engine.Game) error {
	for _, c := range g.View(engine.Host).Custody {
		if c.Cards != engine.Verified {
			return fmt.Errorf("the cards of %s are %s", c.Of, c.Cards)
		}
	}
	return nil
}

// TestRandomGames plays games of 4 to 8 players with every house rule sampled:
// the invariants hold after every step, nothing offered is refused, somebody
// can always act, and every game ends.
func TestRandomGames(t *testing.T) {
	b := rulebook(t)
	ends := map[string]int{}
	acts := map[string]int{}
	for seed := range uint64(games()) {
		dice := chance.New(seed * 7919)
		g, _ := table(t, b, 4+int(seed%5), dice)
		name, weigh := level(seed)
		end, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: weigh, Check: func(s play.Step) error {
			acts[s.Command.Act]++
			if name == "recorded" && s.N%50 == 0 {
				if err := allVerified(s.After); err != nil {
					return err
				}
			}
			return s.After.(interface{ Check() error }).Check()
		}})
		if err != nil {
			t.Fatal(err)
		}
		ends[end.View(engine.Public).Result.Rule]++
		ends[name]++
	}
	t.Log("ends:", ends)
	t.Log("acts:", acts)
	for _, rule := range []string{"HC-150", "HC-151", "HC-152", "HC-154", "HC-209", "HC-210", "HC-211"} {
		if ends[rule] == 0 {
			t.Errorf("no game ended by %s", rule)
		}
	}
	for _, act := range []string{"role", "draw-roles", "deal", "keep", "move", "search", "exchange", "accuse", "observe", "take",
		"leave", "destroy", "done", "draw", "give", "deposit", "open", "recover", "lay", "offer-draw", "no-deposit", "pass", "hold",
		"forget", "laid", "show", "shown", "count", "count-is", "counted", "shuffled", "pawn", "disagree", engine.ActDeadline} {
		if acts[act] == 0 {
			t.Errorf("no game had the act %s", act)
		}
	}
}

// TestEveryOffer tries every combination that is offered to anybody in some
// games: Decide accepts each.
func TestEveryOffer(t *testing.T) {
	b := rulebook(t)
	tried := 0
	for seed := range uint64(60) {
		g, _ := table(t, b, 4+int(seed%5), chance.New(seed))
		_, weigh := level(seed)
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: weigh, Check: func(s play.Step) error {
			n, err := play.Accepts(s.After, s.Command.At, worlds.Everybody)
			tried += n
			return err
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log("combinations tried:", tried)
}

// TestReplay stores every event, reads it back, and expects the same views for
// everybody at every step. A view keeps to 14 KB.
func TestReplay(t *testing.T) {
	b := rulebook(t)
	for seed := range uint64(20) {
		g, evs := table(t, b, 4+int(seed%5), chance.New(seed))
		second := worlds.NewReplay(b)
		if err := second.Add(evs); err != nil {
			t.Fatal(err)
		}
		_, weigh := level(seed)
		_, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: weigh, Check: func(s play.Step) error {
			if err := second.Add(s.Events); err != nil {
				return err
			}
			return second.Same(s.After)
		}})
		if second.Largest > 14<<10 {
			t.Errorf("a view has %d bytes", second.Largest)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLobby lets dice sit and rise too.
func TestLobby(t *testing.T) {
	b := rulebook(t)
	for seed := range uint64(50) {
		_, _, err := play.Run(b.New(), &play.Opts{Seed: seed,
			Weigh: func(_ engine.Viewer, o engine.Offer) int {
				switch o.Act {
				case "sit":
					return 6
				case "begin":
					return 3
				}
				return 1
			},
			Check: func(s play.Step) error { return s.After.(interface{ Check() error }).Check() }})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFaultsNameTheSeed(t *testing.T) {
	g, _ := table(t, rulebook(t), 4, chance.New(1))
	_, _, err := play.Run(g, &play.Opts{Seed: 12345, MaxSteps: 3})
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("seed 12345")) {
		t.Errorf("Run: %v, want the seed", err)
	}
}

func BenchmarkGame(b *testing.B) {
	for _, n := range []int{4, 8} {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			book := rulebook(b)
			steps := 0
			seed := uint64(0)
			for b.Loop() {
				seed++
				g, _ := table(b, book, n, chance.New(seed))
				_, k, err := play.Run(g, &play.Opts{Seed: seed})
				if err != nil {
					b.Fatal(err)
				}
				steps += k
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(steps)/float64(b.N), "steps/game")
		})
	}
}
