package game

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	cluedoaudit "majordome/engine/cluedo/audit"
	"majordome/engine/huisclos"
	"majordome/engine/huisclos/audit"
	"majordome/engine/play/worlds"
)

// game describes one of the games that the random evenings are played with: what a test must know of it beyond its
// offers.
type game struct {
	id                 engine.ID
	book               func(testing.TB) engine.Rulebook
	least, most        int         // number of players
	who                engine.ID   // the kind of card that names a player's character
	cards              []engine.ID // the kinds of cards that come to readers
	rare               []string    // acts that would soon end or restart an evening
	naming             []string    // acts of a seat that name a card in its hand
	hands              []string    // acts on hidden cards that the test of two worlds must have met
	final              []string    // acts that a seat cannot withdraw without the others (GEN-009)
	alwaysWithdrawable []string    // acts that a seat can always withdraw
	deal               func(*opening, []string)
	// recorded weighs the offers for an evening that the audit can follow; 0 leaves an offer out.
	recorded func(engine.Viewer, engine.Offer) int
	audit    func(cards map[engine.ID][]string) auditFeed
	// swap picks two cards that are exchanged in the second world.
	swap func(cards map[engine.ID][]string, dice *chance.Dice) swap
}

var games = []game{
	{
		id: "huis-clos", book: huisClos, least: 4, most: 8, who: "character",
		cards: []engine.ID{"weapon", "clue", "role-card"}, rare: []string{"draw-roles", "rise"},
		naming: []string{"keep", "take", "leave", "destroy", "give", "deposit", "recover"},
		hands:  []string{"keep", "search", "take", "destroy", "observe", "deposit", "open", "recover"},
		final: []string{"role", "hold", "forget", "keep", "search", "take", "leave", "destroy", "give", "draw", "deposit",
			"recover", "accuse", "open"},
		alwaysWithdrawable: []string{"move"},
		deal: func(o *opening, _ []string) {
			o.do(engine.Host, "first", "seat", "seat-2")
			o.do(engine.Host, "begin")
		},
		recorded: recordedHuisClos,
		audit: func(map[engine.ID][]string) auditFeed {
			a := audit.New(string(huisclos.DefaultDeck().Start))
			return func(kind string, data []byte) ([]worlds.Showing, error) {
				err := a.ApplyEvent(kind, data)
				return toShowings(a.Shows), err
			}
		},
		swap: func(cards map[engine.ID][]string, dice *chance.Dice) swap {
			all := slices.Concat(cards["weapon"], cards["clue"])
			return swap{one: pick(dice, all), two: pick(dice, all),
				by: func(x, y string) cardSwapper { return audit.Swap{Card: [2]string{x, y}} }}
		},
	},
	{
		id: "cluedo-2008", book: cluedo2008, least: 3, most: 6, who: "suspect",
		cards: []engine.ID{"suspect", "weapon", "room", "butler-card", "time-card"}, rare: []string{"accuse", "lost", "seen", "rise"},
		naming:             []string{"answer", "play", "hold", "forget"},
		hands:              []string{"answer", "none", "play", "power", "draw", "hypothesis"},
		final:              []string{"answer", "hold", "forget", "peek", "draw", "play", "accuse", "verdict"},
		alwaysWithdrawable: []string{"move", "hypothesis"},
		deal:               dealCluedo,
		recorded: func(_ engine.Viewer, o engine.Offer) int {
			if o.Aside || o.Act == "accuse" {
				return 0
			}
			return 1
		},
		audit: func(cards map[engine.ID][]string) auditFeed {
			a := cluedoaudit.New(slices.Concat(cards["suspect"], cards["weapon"], cards["room"]))
			return func(kind string, data []byte) ([]worlds.Showing, error) {
				err := a.ApplyEvent(kind, data)
				return toShowings(a.Shows), err
			}
		},
		swap: func(cards map[engine.ID][]string, dice *chance.Dice) swap {
			kind := cards[[]engine.ID{"suspect", "weapon", "room", "butler-card"}[dice.Intn(4)]]
			return swap{one: pick(dice, kind), two: pick(dice, kind), by: func(x, y string) cardSwapper { return cluedoaudit.Swap{x, y} }}
		},
	},
}

// forEachGame runs a test of one goroutine with every game; short mode skips it.
func forEachGame(t *testing.T, f func(t *testing.T, g game)) {
	t.Helper()
	skipInShortMode(t)
	for _, g := range games {
		t.Run(string(g.id), func(t *testing.T) { f(t, g) })
	}
}

// players returns the number of players for a seed; over the seeds every size occurs.
func (g game) players(seed uint64) int { return g.least + int(seed)%(g.most-g.least+1) }

// byKind returns the ids of a deck by kind.
func byKind(b engine.Rulebook) map[engine.ID][]string {
	all := map[engine.ID][]string{}
	for _, n := range b.Names() {
		all[n.Kind] = append(all[n.Kind], string(n.ID))
	}
	return all
}

func pick(dice *chance.Dice, all []string) string { return all[dice.Intn(len(all))] }

// auditFeed takes the stored events of a game one by one and returns which cards each event has shown to which
// viewer.
type auditFeed func(kind string, data []byte) ([]worlds.Showing, error)

func toShowings[S ~struct {
	To    engine.Viewer
	Cards []string
}](all []S) (out []worlds.Showing) {
	for _, s := range all {
		out = append(out, worlds.Showing(s))
	}
	return out
}

// cardSwapper rewrites the events and acts of a game for the world in which two cards are exchanged.
type cardSwapper interface {
	worlds.CardSwap
	OtherCard(card string) string
}

// swap holds the two cards that are exchanged.
type swap struct {
	one, two string
	by       func(one, two string) cardSwapper
}

// opening brings a game from the empty lobby to its first turn.
type opening struct {
	do   func(by engine.Viewer, act string, pairs ...string)
	lay  func(card string) // puts a card on the refutation reader
	view func() engine.View
	host func() []engine.Offer
	dice *chance.Dice
}

// open seats n players with numbered names and begins the game. With switches the dice choose the house rules.
func (g game) open(o *opening, b engine.Rulebook, n int, name string, switches bool) {
	cards := byKind(b)
	for i, who := range cards[g.who][:n] {
		o.do(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", numberedName(name, i), "character", who)
	}
	if switches {
		for _, f := range o.host() {
			if f.Act == "switch" && f.Fixed["name"] != "two-players" && o.dice.Intn(2) == 0 {
				d := f.Params[0].Domain
				o.do(engine.Host, "switch", "name", f.Fixed["name"], "value", pick(o.dice, d))
			}
		}
	}
	var mystery []string
	for _, k := range []engine.ID{"suspect", "weapon", "room"} {
		chance.Shuffle(o.dice, len(cards[k]), func(i, j int) { cards[k][i], cards[k][j] = cards[k][j], cards[k][i] })
		if len(cards[k]) > 0 {
			mystery = append(mystery, cards[k][0])
			cards[k] = cards[k][1:]
		}
	}
	g.deal(o, slices.Concat(mystery, cards["suspect"], cards["weapon"], cards["room"]))
}

// numberedName returns the name of one of several players, no two of whom may have the same. A long name keeps its
// length, also in JSON.
func numberedName(name string, i int) string {
	const marks = "<>&"
	if len(name) < 3 {
		return name + strconv.Itoa(i)
	}
	return name[:len(name)-3] + string([]byte{marks[i/9], marks[i/3%3], marks[i%3]})
}

// dealCluedo deals by the machine, at the reader, unseen, or unseen with each hand named on its phone. The first
// three cards go into the envelope.
func dealCluedo(o *opening, cards []string) {
	o.do(engine.Host, "begin")
	how := o.dice.Intn(5)
	if how < 2 {
		o.do(engine.Host, "deal")
		return
	}
	if how == 2 {
		for _, c := range cards[:3] {
			o.lay(c)
		}
	} else {
		o.do(engine.Host, "sealed")
	}
	cards = cards[3:]
	chance.Shuffle(o.dice, len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	hands := map[engine.Seat][]string{}
	for v := o.view(); v.Phase == "dealing"; v = o.view() {
		seat := v.Active[0]
		size := v.Seats[slices.IndexFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == seat })].Cards
		if how == 2 {
			for _, c := range cards[:size] {
				o.lay(c)
			}
		} else {
			o.do(engine.SeatViewer(seat), "dealt")
			hands[seat] = cards[:size]
		}
		cards = cards[size:]
	}
	for _, seat := range slices.Sorted(maps.Keys(hands)) {
		for _, c := range hands[seat] {
			if how == 4 {
				o.do(engine.SeatViewer(seat), "hold", "card", c)
			}
		}
	}
}

// recordedHuisClos leaves out acts that keep a card from the machine, and acts that roll dice over a hand: the audit
// follows named cards only.
func recordedHuisClos(v engine.Viewer, o engine.Offer) int {
	if v.IsHost() && (o.Act == "destroy" || o.Act == "accuse") { // by public facts; may name a card that is elsewhere
		return 0
	}
	if o.Aside || o.Act == "laid" || o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == "unknown" || o.Act == "draw" {
		return 0
	}
	return 1
}

// The rulebooks never change, and reading their decks takes longer than a whole game.
var (
	huisClosBook = sync.OnceValues(func() (engine.Rulebook, error) { return huisclos.New(huisclos.DefaultDeck()) })
	cluedoBook   = sync.OnceValues(func() (engine.Rulebook, error) { return cluedo.New(cluedo.DefaultDeck("cluedo-2008")) })
)

func huisClos(t testing.TB) engine.Rulebook { return rulebook(t, huisClosBook) }

func cluedo2008(t testing.TB) engine.Rulebook { return rulebook(t, cluedoBook) }

func rulebook(t testing.TB, read func() (engine.Rulebook, error)) engine.Rulebook {
	t.Helper()
	b, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
