package cluedo_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

func bookOf(t testing.TB, d *cluedo.Deck) *cluedo.Book {
	t.Helper()
	b, err := cluedo.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rulebook(t testing.TB) *cluedo.Book { return bookOf(t, cluedo.DefaultDeck("cluedo-2008")) }

// classic is the rulebook of the current Cluedo.
func classic(t testing.TB) *cluedo.Book { return bookOf(t, cluedo.DefaultDeck("cluedo-classic")) }

// noBoard is the rulebook for a table whose board is not drawn.
func noBoard(t testing.TB) *cluedo.Book {
	d := cluedo.DefaultDeck("cluedo-2008")
	d.Board = nil
	return bookOf(t, d)
}

// family lists the games that random play goes through, with the minimum it must have met in each: ways to end, numbers of players, and
// acts besides the common ones. One is read from a file.
var family = []struct {
	file        string // of a game that did not come with the program
	game        engine.ID
	ends        []string
	least, most int
	acts        []string
}{
	{"", "cluedo-2008", []string{"C8-190", "C8-191", "C8-192"}, 2, 6,
		[]string{"first", "draw", "peek", "play", "power", "pass", "lost", "seen"}},
	{"", "super-cluedo", []string{"SC-098", "SC-099"}, 3, 10, []string{"spy", "walk-on", "dealer"}},
	{phare, "phare-noir", []string{"C8-190", "C8-191", "C8-192"}, 2, 5, []string{"first", "draw", "peek", "play", "pass", "lost", "seen"}},
	{"", "cluedo-classic", []string{"CC-074", "CC-077"}, 2, 6, []string{"draw", "clue", "nobody-has", "hide", "hidden", "look"}},
}

// eachGame runs a test for each game of the family, with its rulebook and with that for a table whose board is not drawn.
func eachGame(t *testing.T, play func(t *testing.T, books []*cluedo.Book)) {
	for _, f := range family {
		t.Run(string(f.game), func(t *testing.T) {
			var d *cluedo.Deck
			if f.file == "" {
				d = cluedo.DefaultDeck(f.game)
			} else {
				d = readDeck(t, f.file)
			}
			board := bookOf(t, d)
			d.Board = nil
			bare := bookOf(t, d)
			play(t, []*cluedo.Book{board, bare})
		})
	}
}

// dealing says in which way the players get their cards.
type dealing int

const (
	byMachine dealing = iota // no real cards
	scanned                  // envelope and every hand presented to a reader
	unseen                   // nothing presented
	mixed                    // some hands presented
	named                    // nothing presented, and every hand named on its phone
	byChance                 // whatever the random play does and reads
	numDealings
)

// dealer leads a game through its deal, from the lobby on, in one of these ways. The cards are in the places where a real box would have
// them. A card that random play presents in between may make the game refuse one of them.
type dealer struct {
	how   dealing
	dice  *chance.Dice
	kinds map[engine.ID][]engine.ID
	pack  []engine.ID                 // not dealt yet
	hands map[engine.Seat][]engine.ID // not presented or named yet
	shows map[engine.Seat]bool
	done  bool
}

func newDealer(b *cluedo.Book, how dealing, dice *chance.Dice) *dealer {
	d := &dealer{how: how, dice: dice, kinds: map[engine.ID][]engine.ID{}, hands: map[engine.Seat][]engine.ID{},
		shows: map[engine.Seat]bool{}}
	for _, name := range b.Names() {
		d.kinds[name.Kind] = append(d.kinds[name.Kind], name.ID)
	}
	return d
}

func (d *dealer) lead(g engine.Game) (engine.Command, bool) {
	if d.done || d.how == byChance {
		return engine.Command{}, false
	}
	switch v := g.View(engine.Public); v.Phase {
	case "lobby":
		return engine.Command{}, false
	case "starting":
		if v.Seats[0].Cards == 0 { // seat 1 holds no card yet
			return engine.Command{}, false
		}
		if c, ok := d.nextNaming(v); ok {
			return c, true
		}
	case "dealing":
		return d.nextDeal(v), true
	case "turn":
		if c, ok := d.nextNaming(v); ok {
			return c, true
		}
	}
	d.done = true
	return engine.Command{}, false
}

// nextDeal is the next act of dealing.
func (d *dealer) nextDeal(v engine.View) engine.Command {
	if len(v.Readers) == 0 { // some rooms are to be chosen first
		return engine.Command{By: engine.Host, Act: "hide"}
	}
	x := v.Readers[0].Seat
	switch {
	case d.how == byMachine && x == 0:
		return engine.Command{By: engine.Host, Act: "deal"}
	case d.pack == nil && x == 0 && d.how != scanned:
		d.shuffle()
		return engine.Command{By: engine.Host, Act: "sealed"}
	case d.pack == nil && x == 0:
		d.shuffle()
	}
	if x == 0 {
		for _, k := range []engine.ID{"suspect", "weapon", "room"} {
			if len(d.kinds[k]) > 0 {
				c := d.kinds[k][0]
				d.kinds[k] = nil
				return engine.ScanCommand(0, engine.ReaderShow, []engine.ID{c}, 0)
			}
		}
		if v.Prompt.Key == "cl.prompt.lay" {
			if d.dice.Intn(4) == 0 {
				return engine.Command{By: engine.Host, Act: "hidden"}
			}
			c := d.pack[:1:1]
			d.pack = d.pack[1:]
			return engine.ScanCommand(0, engine.ReaderShow, c, 0)
		}
		return engine.Command{By: engine.Host, Act: "sealed"}
	}
	if _, has := d.hands[x]; !has {
		n := min(v.Seats[slices.IndexFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == x })].Cards, len(d.pack))
		d.hands[x], d.pack = d.pack[:n:n], d.pack[n:]
		d.shows[x] = d.how == scanned || d.how == mixed && d.dice.Intn(2) == 0
	}
	if mine := d.hands[x]; d.shows[x] && len(mine) > 0 {
		d.hands[x] = mine[1:]
		return engine.ScanCommand(0, engine.ReaderShow, mine[:1], 0)
	}
	return engine.Command{By: engine.SeatViewer(x), Act: "dealt"}
}

// shuffle sets one card of each kind aside and mixes the others.
func (d *dealer) shuffle() {
	for _, k := range []engine.ID{"suspect", "weapon", "room"} {
		c := slices.Clone(d.kinds[k])
		chance.Shuffle(d.dice, len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		d.kinds[k], d.pack = c[:1], append(d.pack, c[1:]...)
	}
	chance.Shuffle(d.dice, len(d.pack), func(i, j int) { d.pack[i], d.pack[j] = d.pack[j], d.pack[i] })
}

// nextNaming is the next card that a player names on the phone, hand by hand.
func (d *dealer) nextNaming(v engine.View) (engine.Command, bool) {
	if d.how != named {
		return engine.Command{}, false
	}
	for _, s := range v.Seats {
		if mine := d.hands[s.Seat]; len(mine) > 0 {
			d.hands[s.Seat] = mine[1:]
			return engine.Command{By: engine.SeatViewer(s.Seat), Act: "hold", Args: engine.Args{"card": string(mine[0])}}, true
		}
	}
	return engine.Command{}, false
}

// weighLobby weighs the offers of a game that begins in its lobby: players sit down sooner than they rise. The seed
// decides how soon the table begins.
func weighLobby(seed uint64) func(engine.Viewer, engine.Offer) int {
	return func(v engine.Viewer, o engine.Offer) int {
		switch o.Act {
		case "sit":
			return 8
		case "rise", "switch":
			return 1
		case "begin":
			return 1 + int(seed%12)
		}
		return weighBrisk(v, o)
	}
}

// eveningOpts returns the options of a game that is played from the empty lobby to its end.
func eveningOpts(b *cluedo.Book, seed uint64, d *dealer, check func(play.Step) error) *play.Opts {
	return &play.Opts{Seed: seed, Weigh: weighLobby(seed), Cards: taggedCards(b), WantedCommand: d.lead, Check: check}
}

// withOverruling returns the same options with a host who overrules the rules now and then, in every other game.
func withOverruling(o *play.Opts) *play.Opts {
	if o.Seed%2 == 0 {
		return o
	}
	deals, overrules := o.WantedCommand, play.NewRandomOverruler(o.Seed, 40)
	o.WantedCommand = func(g engine.Game) (engine.Command, bool) {
		if c, ok := deals(g); ok {
			return c, ok
		}
		return overrules(g)
	}
	return o
}

// taggedCards lists the cards that readers meet.
func taggedCards(b *cluedo.Book) (ids []engine.ID) {
	for _, n := range b.Names() {
		if n.IsCard() {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// table seats n players, chooses every house rule by dice, and deals, for tests of what
// comes after.
func table(t testing.TB, b *cluedo.Book, n int, how dealing, dice *chance.Dice) engine.Game {
	t.Helper()
	g := b.NewGame()
	do := func(c engine.Command) {
		t.Helper()
		evs, r := g.Decide(c, dice)
		if r != nil {
			t.Fatalf("%s %v: %v", c.Act, c.Args, r)
		}
		g = g.Apply(evs...)
	}
	d := newDealer(b, how, dice)
	for _, o := range play.OffersOf(g, engine.Host) {
		if o.Act == "switch" && (o.Fixed["name"] == "two-players") == (n == 2) && (n == 2 || dice.Intn(2) == 0) {
			do(engine.Command{By: engine.Host, Act: "switch", Args: engine.Args{"name": o.Fixed["name"], "value": o.Params[0].Domain[0]}})
		}
	}
	suspects := slices.Clone(d.kinds["suspect"])
	chance.Shuffle(dice, len(suspects), func(i, j int) { suspects[i], suspects[j] = suspects[j], suspects[i] })
	for i := range n {
		do(engine.Command{By: engine.Host, Act: "sit",
			Args: engine.Args{"seat": engine.Seat(i + 1).String(), "name": "Guest", "character": string(suspects[i])}})
	}
	do(engine.Command{By: engine.Host, Act: "begin"})
	for c, ok := d.lead(g); ok; c, ok = d.lead(g) {
		do(c)
	}
	return g
}

// gameCount is 1,500, or some seventy times that for a soak.
func gameCount() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 100_000
	}
	return 1_500
}

// weighBrisk keeps corrections of records rare, so that games end soon.
func weighBrisk(v engine.Viewer, o engine.Offer) int {
	switch {
	case o.Aside:
		return 1
	case o.Act == "accuse":
		return 10
	}
	return 20
}

// checkStranded returns an error naming a seat that is awaited and has nothing to do but wait for the moment of its
// answer: the host would have to help it.
func checkStranded(g engine.Game) error {
	if ds := g.Deadlines(); len(ds) > 0 && strings.HasPrefix(ds[0].ID, "answer-") {
		return nil
	}
	for _, x := range cluedo.Awaited(g) {
		if !slices.ContainsFunc(play.OffersOf(g, engine.SeatViewer(x)), func(o engine.Offer) bool { return !o.Aside }) {
			return fmt.Errorf("%s is awaited and can do nothing", x)
		}
	}
	return nil
}

// aloud lists the arguments of public lines that show no player's card, such as where a pawn is or whose it is. The names in a hypothesis
// or an accusation are in its command.
var aloud = map[string]string{
	"cl.log.sat": "character", "cl.log.power": "character", "cl.log.sent": "suspect",
	"cl.log.hidden": "place", "cl.log.looked-hidden": "room", "cl.log.count-room": "room",
	"cl.log.entered": "room", "cl.log.stayed": "room", "cl.log.hypothesis": "room", "cl.log.gathered": "room", "cl.log.linked": "room",
	"cl.log.clue.card": "card", "cl.log.sought": "sought", "cl.log.not-found": "sought",
}

// checkLeak returns an error for a card that a public line numbered above the last checked one should not show: it is not open, and no
// player has just said it aloud. Lines of the final reveal may name any card (GEN-008).
func checkLeak(cards map[string]bool, s play.Step, lines []engine.Line, lastChecked uint16) error {
	for _, l := range lines {
		said := l.Msg.Key == "cl.log.hypothesis" || l.Msg.Key == "cl.log.accused"
		for name, value := range l.Msg.Args.Pairs() {
			if l.N <= lastChecked || !cards[value] || aloud[l.Msg.Key] == name || said && s.Command.Args[name] == value {
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

// TestRandomGames plays games from the empty lobby on, with and without a board: players sit down and rise, every house rule and way of
// dealing is sampled, cards are put on readers whether or not a seat is waited for. It checks that the invariants are true after every
// step, no offer is refused, every play or Power that is accepted is offered, each awaited seat can act, the public log names no card that
// is not public, and every game ends. In every eighth game a referee who sees only what all see checks the rules as well.
func TestRandomGames(t *testing.T) {
	scripttest.SkipIfShort(t)
	eachGame(t, randomGames)
}

func randomGames(t *testing.T, books []*cluedo.Book) {
	ends, acts, cards, sizes := map[string]int{}, map[string]int{}, map[string]bool{}, map[int]int{}
	var ids []string
	lists := cluedo.Lists(books[0])
	for _, id := range taggedCards(books[0]) {
		cards[string(id)] = true
		ids = append(ids, string(id))
	}
	for seed := range uint64(gameCount()) {
		dice := chance.New(seed * 7919)
		b := books[seed%2]
		d := newDealer(b, dealing(seed/2%uint64(numDealings)), dice)
		told := uint16(0) // the last public line that was checked
		chair := refereeOf(b)
		end, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, d, func(s play.Step) error {
			acts[s.Command.Act]++
			if kind := s.Events[0].Kind(); kind == "read-again" || kind == "alarmed" {
				acts[kind]++
			}
			if s.N%7 == 0 {
				if err := checkUnlisted(s.After, dice, ids); err != nil {
					return err
				}
			}
			if err := checkStranded(s.After); err != nil {
				return err
			}
			if err := cluedo.CheckCaches(s.After); err != nil {
				return err
			}
			lines := cluedo.LogLines(s.After, engine.Public, 3)
			if len(lines) > 0 && lines[0].N > told+1 {
				lines = cluedo.LogLines(s.After, engine.Public, 60)
			}
			if err := checkLeak(cards, s, lines, told); err != nil {
				return err
			}
			if len(lines) > 0 {
				told = lines[len(lines)-1].N
			}
			if seed%8 == 0 {
				if err := chair.checkStep(s); err != nil {
					return err
				}
			}
			return s.After.(interface{ CheckInvariants() error }).CheckInvariants()
		}))
		if err != nil {
			t.Fatal(err)
		}
		v := end.View(engine.Public)
		ends[v.Result.Rule]++
		sizes[len(v.Seats)]++
	}
	if now := cluedo.Lists(books[0]); !reflect.DeepEqual(now, lists) {
		t.Errorf("a list that offers share has been changed: %v, and was %v", now, lists)
	}
	t.Logf("ends: %v", ends)
	t.Logf("acts: %v", acts)
	t.Logf("players: %v", sizes)
	for _, f := range family {
		if f.game != books[0].ID() {
			continue
		}
		for _, rule := range f.ends {
			if ends[rule] == 0 {
				t.Errorf("no game ended by %s", rule)
			}
		}
		for n := f.least; n <= f.most; n++ {
			if sizes[n] == 0 {
				t.Errorf("no table of %d", n)
			}
		}
		for _, act := range append(f.acts, "sit", "rise", "switch", "begin", "sealed", "deal", "dealt", "scan", "deadline", "roll",
			"passage", "stay",
			"move", "hypothesis", "accuse", "verdict", "answer", "none", "end", "hold", "forget", "doubt", "count", "count-is", "counted",
			"redeal", "read-again", "alarmed") {
			if acts[act] == 0 {
				t.Errorf("nobody did %s", act)
			}
		}
	}
}

// BenchmarkGames plays games of four with each edition of the program, from the deal to the end, with its printed house rules. It also
// plays that of 2008 with rolls and squares entered into the machine.
func BenchmarkGames(b *testing.B) {
	bench := func(name string, game engine.ID, rules ...engine.Args) {
		b.Run(name, func(b *testing.B) {
			var dealt []engine.Game
			for how := byMachine; how <= mixed; how++ {
				dealt = append(dealt, atOnce(b, game, how, rules...))
			}
			b.ReportAllocs()
			steps := 0
			for seed := uint64(1); b.Loop(); seed++ {
				_, n, err := play.Run(dealt[seed%uint64(len(dealt))], &play.Opts{Seed: seed, Weigh: weighBrisk})
				if err != nil {
					b.Fatal(err)
				}
				steps += n
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(steps)/float64(b.N), "steps/game")
		})
	}
	for _, game := range cluedo.Editions() {
		bench(string(game), game)
	}
	bench("cluedo-2008-checked", "cluedo-2008", engine.Args{"name": "movement", "value": "checked"})
}

// atOnce is a game of four with these house rules, already dealt.
func atOnce(b *testing.B, game engine.ID, how dealing, rules ...engine.Args) engine.Game {
	book, err := cluedo.New(cluedo.DefaultDeck(game))
	if err != nil {
		b.Fatal(err)
	}
	g, d, dice := book.NewGame(), newDealer(book, how, chance.New(1)), chance.New(1)
	do := func(c engine.Command) {
		evs, r := g.Decide(c, dice)
		if r != nil {
			b.Fatal(c.Act, r)
		}
		g = g.Apply(evs...)
	}
	for i, who := range d.kinds["suspect"][:4] {
		do(engine.Command{By: engine.Host, Act: "sit",
			Args: engine.Args{"seat": engine.Seat(i + 1).String(), "name": "Guest", "character": string(who)}})
	}
	for _, rule := range rules {
		do(engine.Command{By: engine.Host, Act: "switch", Args: rule})
	}
	do(engine.Command{By: engine.Host, Act: "begin"})
	for c, ok := d.lead(g); ok; c, ok = d.lead(g) {
		do(c)
	}
	return g
}

// BenchmarkViews builds every viewer's view of a roll on the board, as the table does after each step.
func BenchmarkViews(b *testing.B) {
	g := table(b, rulebook(b), 4, byMachine, chance.New(1))
	for _, c := range []engine.Command{{By: engine.Host, Act: "first"}, {By: engine.Host, Act: "roll", Args: engine.Args{"dice": "5+6"}}} {
		if c.Act == "first" {
			c.Args = engine.Args{"seat": g.View(engine.Public).Seats[0].Seat.String()}
		}
		evs, r := g.Decide(c, chance.New(1))
		if r != nil {
			b.Fatal(r)
		}
		g = g.Apply(evs...)
	}
	for b.Loop() {
		for _, v := range worlds.AllViewers {
			_ = g.View(v)
		}
	}
}
