package play_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/huisclos"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

func rulebook(t testing.TB) engine.Rulebook {
	t.Helper()
	b, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// weighLobby weighs the offers of a game that begins in its lobby: players sit down sooner than they rise, and the seed
// decides how soon the table begins. After the beginning weigh decides; nil gives all offers the same weight.
func weighLobby(seed uint64, weigh func(engine.Viewer, engine.Offer) int) func(engine.Viewer, engine.Offer) int {
	return func(v engine.Viewer, o engine.Offer) int {
		switch o.Act {
		case "sit":
			return 8
		case "begin":
			return 1 + int(seed%12)
		case "rise", "first", "switch":
			return 1
		}
		if weigh == nil {
			return 1
		}
		return weigh(v, o)
	}
}

// overruleSometimes lets the host overrule the rules now and then, in every other game.
func overruleSometimes(seed uint64) func(engine.Game) (engine.Command, bool) {
	if seed%2 == 0 {
		return nil
	}
	return play.NewRandomOverruler(seed, 40)
}

// taggedCards lists the cards that readers meet.
func taggedCards(b engine.Rulebook) (ids []engine.ID) {
	for _, n := range b.Names() {
		if n.IsCard() {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// checkStranded returns an error naming a seat that is called and can do nothing except correct the record.
func checkStranded(g engine.Game) error {
	v := g.View(engine.Public)
	if v.Mood == engine.MoodCount || v.Prompt.Key == "hc.prompt.window" { // the host counts; observers have their time
		return nil
	}
	for _, x := range v.Active {
		if !slices.ContainsFunc(play.OffersOf(g, engine.SeatViewer(x)), func(o engine.Offer) bool { return !o.Aside }) {
			return fmt.Errorf("%s is called and can do nothing", x)
		}
	}
	return nil
}

// eveningCount are 2,000, or fifty times that for a soak.
func eveningCount() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 100_000
	}
	return 2_000
}

// sensingLevel weighs the offers of a table at one of three levels of sensing: every
// card read, some of them, none (GEN-020 to GEN-024).
func sensingLevel(seed uint64) (name string, weigh func(engine.Viewer, engine.Offer) int) {
	vague := func(o engine.Offer) bool {
		return o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == "unknown" || o.Act == "laid"
	}
	switch seed % 3 {
	case 0:
		return "recorded", func(v engine.Viewer, o engine.Offer) int {
			if o.Aside && o.Act != "shuffled" || vague(o) || v == engine.Host && o.Act == "destroy" ||
				v == engine.Host && o.Act == "accuse" {
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

// allVerified returns an error naming a holder that is not recorded, as the host sees it.
func allVerified(g engine.Game) error {
	for _, c := range g.View(engine.Host).Custody {
		if c.Cards != engine.Verified {
			return fmt.Errorf("the cards of %s are %s", c.Of, c.Cards)
		}
	}
	return nil
}

// TestRandomGames plays evenings from the empty lobby on, with players, seats and house rules by dice, and any card at any reader at any
// time. The invariants are true after every step, no offer is refused, a called seat can act, and every game ends.
func TestRandomGames(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	cards := taggedCards(b)
	ends, acts, sizes := map[string]int{}, map[string]int{}, map[int]int{}
	for seed := range uint64(eveningCount()) {
		name, weigh := sensingLevel(seed)
		end, _, err := play.Run(b.NewGame(),
			&play.Opts{Seed: seed, Weigh: weighLobby(seed/3, weigh), Cards: cards, Check: func(s play.Step) error {
				acts[s.Command.Act]++
				if kind := s.Events[0].Kind(); kind == "read-again" || kind == "alarmed" {
					acts[kind]++
				}
				if err := checkStranded(s.After); err != nil {
					return err
				}
				if name == "recorded" && s.N%50 == 0 {
					if err := allVerified(s.After); err != nil {
						return err
					}
				}
				return s.After.(interface{ CheckInvariants() error }).CheckInvariants()
			}})
		if err != nil {
			t.Fatal(err)
		}
		ends[end.View(engine.Public).Result.Rule]++
		ends[name]++
		sizes[len(end.View(engine.Public).Seats)]++
	}
	t.Log("ends:", ends)
	t.Log("acts:", acts)
	t.Log("players:", sizes)
	for n := 4; n <= 8; n++ {
		if sizes[n] == 0 {
			t.Errorf("nobody played with %d", n)
		}
	}
	for _, rule := range []string{"HC-150", "HC-151", "HC-152", "HC-154", "HC-209", "HC-210", "HC-211"} {
		if ends[rule] == 0 {
			t.Errorf("no game ended by %s", rule)
		}
	}
	for _, act := range []string{
		"sit", "rise", "first", "switch", "begin", "role", "draw-roles", "deal", "keep", "move", "search", "exchange", "accuse", "observe",
		"take", "take-last",
		"leave", "destroy", "done", "draw", "give", "deposit", "open", "recover", "lay", "offer-draw", "no-deposit", "pass", "hold",
		"forget", "laid", "show", "shown", "count", "count-is", "counted", "shuffled", "pawn", "disagree", "read-again", "alarmed",
		engine.ActDeadline, engine.ActScan,
	} {
		if acts[act] == 0 {
			t.Errorf("no game had the act %s", act)
		}
	}
}

// TestEveryOffer tries every combination that any viewer is offered in some games: Decide accepts each.
func TestEveryOffer(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	tried := 0
	for seed := range uint64(eveningCount() / 60) {
		_, weigh := sensingLevel(seed)
		_, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed/3, weigh),
			WantedCommand: overruleSometimes(seed), Check: func(s play.Step) error {
				n, err := play.CheckOffers(s.After, s.Command.At, worlds.AllViewers)
				tried += n
				return err
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log("combinations tried:", tried)
}

// TestReplay stores every event, reads it back, and expects the same views for all viewers at every step. A view keeps to 14 KB.
func TestReplay(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	for seed := range uint64(eveningCount() / 200) {
		second := worlds.NewReplay(b)
		_, weigh := sensingLevel(seed)
		_, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed/3, weigh),
			WantedCommand: overruleSometimes(seed), Cards: taggedCards(b), Check: func(s play.Step) error {
				return second.CheckStep(s)
			}})
		if second.Largest > 14<<10 {
			t.Errorf("a view has %d bytes", second.Largest)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFaultsNameTheSeed(t *testing.T) {
	_, _, err := play.Run(rulebook(t).NewGame(), &play.Opts{Seed: 12345, MaxSteps: 3})
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("seed 12345")) {
		t.Errorf("Run: %v, want the seed", err)
	}
}

func BenchmarkGame(b *testing.B) {
	for _, n := range []int{4, 8} {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			begun := seatGuests(b, rulebook(b).NewGame(), n)
			b.ReportAllocs()
			steps := 0
			for seed := uint64(1); b.Loop(); seed++ {
				_, k, err := play.Run(begun, &play.Opts{Seed: seed})
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

// seatGuests is a game that n guests have begun.
func seatGuests(b *testing.B, g engine.Game, n int) engine.Game {
	for _, act := range append(slices.Repeat([]string{"sit"}, n), "first", "begin") {
		offers := play.OffersOf(g, engine.Host)
		o := offers[slices.IndexFunc(offers, func(o engine.Offer) bool { return o.Act == act })]
		args := o.ArgsWith("name", "Guest")
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: act, Args: args}, chance.New(1))
		if r != nil {
			b.Fatal(act, r)
		}
		g = g.Apply(evs...)
	}
	return g
}
