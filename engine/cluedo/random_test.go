package cluedo_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

func rulebook(t testing.TB) *cluedo.Book {
	t.Helper()
	b, err := cluedo.New(deck.Cluedo2008())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// noBoard is the rulebook for a table whose board nobody has drawn.
func noBoard(t testing.TB) *cluedo.Book {
	t.Helper()
	d := deck.Cluedo2008()
	d.Board = nil
	b, err := cluedo.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dealing is how the cards of a game come to the players.
type dealing int

const (
	byMachine dealing = iota // no real cards
	scanned                  // envelope and every hand presented to a reader
	unseen                   // nothing presented
	mixed                    // some hands presented
	numDealings
)

// table seats n players, chooses every house rule by dice, and deals; watch is told
// of all that happens.
func table(t testing.TB, b *cluedo.Book, n int, how dealing, dice *chance.Dice, watch func([]engine.Event)) engine.Game {
	t.Helper()
	g := b.New()
	do := func(c engine.Command) {
		t.Helper()
		evs, r := g.Decide(c, dice)
		if r != nil {
			t.Fatalf("%s %v: %v", c.Act, c.Args, r)
		}
		for _, e := range evs {
			g = g.Evolve(e)
		}
		if watch != nil {
			watch(evs)
		}
	}
	host := func(act string, args engine.Args) {
		t.Helper()
		do(engine.Command{By: engine.Host, Act: act, Args: args})
	}
	var suspects []engine.ID
	kinds := map[engine.ID][]engine.ID{}
	for _, name := range b.Names() {
		switch name.Kind {
		case "suspect", "weapon", "room":
			kinds[name.Kind] = append(kinds[name.Kind], name.ID)
		}
	}
	suspects = append(suspects, kinds["suspect"]...)
	for _, o := range play.Offers(g, engine.Host) {
		if o.Act == "switch" && (o.Fixed["name"] == "two-players") == (n == 2) && (n == 2 || dice.Intn(2) == 0) {
			host("switch", engine.Args{"name": o.Fixed["name"], "value": o.Params[0].Domain[0]})
		}
	}
	chance.Shuffle(dice, len(suspects), func(i, j int) { suspects[i], suspects[j] = suspects[j], suspects[i] })
	seats := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	chance.Shuffle(dice, len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	for i := range n {
		host("sit", engine.Args{"seat": engine.Seat(seats[i]).String(), "name": "Guest", "character": string(suspects[i])})
	}
	host("begin", nil)
	if how == byMachine {
		host("deal", nil)
		return g
	}
	deal(kinds, how, dice, do, func() engine.View { return g.View(engine.Public) })
	return g
}

// deal lays real cards into envelope and hands, and presents what is presented.
func deal(kinds map[engine.ID][]engine.ID, how dealing, dice *chance.Dice, do func(engine.Command), view func() engine.View) {
	var cards []engine.ID
	for _, k := range []engine.ID{"suspect", "weapon", "room"} {
		c := kinds[k]
		chance.Shuffle(dice, len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		if how == scanned {
			do(engine.Scan(0, engine.ReaderShow, c[:1], 0))
		}
		cards = append(cards, c[1:]...)
	}
	if how != scanned {
		do(engine.Command{By: engine.Host, Act: "sealed"})
	}
	chance.Shuffle(dice, len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	for v := view(); v.Phase == "dealing"; v = view() {
		x := v.Readers[0].Seat
		size := 0
		for _, s := range v.Seats {
			if s.Seat == x {
				size = s.Cards
			}
		}
		if how == scanned || how == mixed && dice.Intn(2) == 0 {
			for _, c := range cards[:size] {
				do(engine.Scan(0, engine.ReaderShow, []engine.ID{c}, 0))
			}
		} else {
			do(engine.Command{By: engine.At(x), Act: "dealt"})
		}
		cards = cards[size:]
	}
}

// games is 5,000, or twenty times that for a soak.
func games() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 100_000
	}
	return 5_000
}

// brisk keeps the mending of records rare, so that games end soon.
func brisk(v engine.Viewer, o engine.Offer) int {
	switch {
	case o.Aside:
		return 1
	case o.Act == "accuse":
		return 10
	}
	return 20
}

// stranded names a seat that is awaited and can do nothing, except to wait for the
// moment of its answer: the host would have to help it.
func stranded(g engine.Game) error {
	if ds := g.Deadlines(); len(ds) > 0 && strings.HasPrefix(ds[0].ID, "answer-") {
		return nil
	}
	for _, x := range cluedo.Awaited(g) {
		if !slices.ContainsFunc(play.Offers(g, engine.At(x)), func(o engine.Offer) bool { return !o.Aside }) {
			return fmt.Errorf("%s is awaited and can do nothing", x)
		}
	}
	return nil
}

// aloud are the arguments of public lines that name no card of somebody: where a
// pawn stands, whose pawn it is. What a seat supposes or accuses is in its command.
var aloud = map[string]string{
	"cl.log.sat": "character", "cl.log.power": "character", "cl.log.sent": "suspect",
	"cl.log.entered": "room", "cl.log.stayed": "room", "cl.log.hypothesis": "room",
}

// leaked names a card in the public lines after number told that nobody was to
// learn: it does not lie open for all, and nobody has just said it aloud. What the
// end reveals is free (GEN-008).
func leaked(cards map[string]bool, s play.Step, lines []engine.Line, told int) error {
	for _, l := range lines {
		said := l.Msg.Key == "cl.log.hypothesis" || l.Msg.Key == "cl.log.accused"
		for name, value := range l.Msg.Args {
			if l.N <= told || !cards[value] || aloud[l.Msg.Key] == name || said && s.Command.Args[name] == value {
				continue
			}
			v := s.After.View(engine.Public)
			if id := engine.ID(value); v.Result == nil && !slices.Contains(v.Shown, id) && !slices.Contains(v.Gone, id) {
				return fmt.Errorf("%s names a card that nobody has seen", l.Msg.Key)
			}
		}
	}
	return nil
}

// TestRandomGames plays games of 2 to 6 players, every house rule and way of
// dealing sampled, with and without a board: the invariants hold after every
// step, nothing offered is refused, whoever is awaited can act, the public log
// names no card that is not public, every game ends.
func TestRandomGames(t *testing.T) {
	scripttest.Slow(t)
	books := []*cluedo.Book{rulebook(t), noBoard(t)}
	ends, acts, cards := map[string]int{}, map[string]int{}, map[string]bool{}
	var butlers []string
	for _, name := range books[0].Names() {
		switch name.Kind {
		case "suspect", "weapon", "room", "butler-card", "time-card":
			cards[string(name.ID)] = true
			butlers = append(butlers, string(name.ID))
		}
	}
	for seed := range uint64(games()) {
		dice := chance.New(seed * 7919)
		b := books[seed%2]
		n := 3 + int(seed/2%4)
		if seed%37 == 0 {
			n = 2
		}
		g := table(t, b, n, dealing(seed/8%uint64(numDealings)), dice, nil)
		told := 0 // the public lines that were looked at
		end, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: brisk, Check: func(s play.Step) error {
			acts[s.Command.Act]++
			if s.N%7 == 0 {
				if err := unlisted(s.After, dice, butlers); err != nil {
					return err
				}
			}
			if err := stranded(s.After); err != nil {
				return err
			}
			lines := cluedo.Told(s.After, 3)
			if len(lines) > 0 && lines[0].N > told+1 {
				lines = cluedo.Told(s.After, 60)
			}
			if err := leaked(cards, s, lines, told); err != nil {
				return err
			}
			if len(lines) > 0 {
				told = lines[len(lines)-1].N
			}
			return s.After.(interface{ Check() error }).Check()
		}})
		if err != nil {
			t.Fatal(err)
		}
		ends[end.View(engine.Public).Result.Rule]++
	}
	t.Logf("ends: %v", ends)
	t.Logf("acts: %v", acts)
	for _, rule := range []string{"C8-190", "C8-191", "C8-192"} {
		if ends[rule] == 0 {
			t.Errorf("no game ended by %s", rule)
		}
	}
	for _, act := range []string{"roll", "passage", "stay", "draw", "move", "hypothesis", "peek", "accuse", "verdict", "answer", "none", "end", "pass", "play", "power", "hold", "forget"} {
		if acts[act] == 0 {
			t.Errorf("nobody did %s", act)
		}
	}
}

func BenchmarkGames(b *testing.B) {
	book := rulebook(b)
	seed := uint64(0)
	for b.Loop() {
		seed++
		g := table(b, book, 4, dealing(seed%uint64(numDealings)), chance.New(seed), nil)
		if _, _, err := play.Run(g, &play.Opts{Seed: seed, Weigh: brisk}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkViews shows a roll on the board to everybody, as the table does after
// each step.
func BenchmarkViews(b *testing.B) {
	g := table(b, rulebook(b), 4, byMachine, chance.New(1), nil)
	for _, c := range []engine.Command{{By: engine.Host, Act: "first"}, {By: engine.Host, Act: "roll", Args: engine.Args{"dice": "5+6"}}} {
		if c.Act == "first" {
			c.Args = engine.Args{"seat": g.View(engine.Public).Seats[0].Seat.String()}
		}
		evs, r := g.Decide(c, chance.New(1))
		if r != nil {
			b.Fatal(r)
		}
		for _, e := range evs {
			g = g.Evolve(e)
		}
	}
	for b.Loop() {
		for _, v := range worlds.Everybody {
			_ = g.View(v)
		}
	}
}
