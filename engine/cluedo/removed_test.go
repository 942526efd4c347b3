package cluedo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/ownfile/ownfiletest"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// removed is an edition that takes rules, cards and a Power out of its parent, has Butler cards but no death, and leaves words of its walk
// to the table.
const removed = `
game: quiet-house
edition:
  like: cluedo-2008
  name: {fr: "La Maison calme", en: "The Quiet House"}
  players: {least: 3, most: 4}
  events: {time: none, replay: none}
  powers: {hypothesis-elsewhere: none, random-look: none}
  policies: {two-players: none, accusation-location: any-room, accusation-moment: turn}
  rules: {ask: MY-001, spy: MY-002}
  switches:
    - id: marked-squares-do
      rule: MY-002
      fr: "Cases marquées"
      en: "Marked squares"
      values: [{id: draw, fr: "Une carte à piocher", en: "A card to draw"}, {id: spy, fr: "Une carte d’une main", en: "A card of a hand"}]
      walk: {draw: {marks: plain}, spy: {marks: pause}}
    - id: walls
      rule: MY-003
      fr: "Les pièces"
      en: "Rooms"
      values: [{id: ends, fr: "On s’y arrête", en: "One stops there"}, {id: crossed, fr: "On les traverse", en: "One walks through"}]
      walk: {ends: {rooms: end}, crossed: {rooms: cross}}
without: [weapon-corde, suspect-olive, butler-plus-six-1, room-spa]
`

// changeRemoved returns that deck with one line replaced.
func changeRemoved(old, line string) string { return strings.Replace(removed, old, line, 1) }

// TestPartTakenOutOfAnEditionAppearsNowhere: a part that an edition takes out of its parent appears in no name, no
// offer and no game, no seat dies of a draw, an empty pile stops nothing, and the table chooses the words of the walk.
func TestPartTakenOutOfAnEditionAppearsNowhere(t *testing.T) {
	d := parsed(t, "quiet.yaml", removed)
	book := bookOf(t, d)
	gone := []engine.ID{"weapon-corde", "suspect-olive", "room-spa", "butler-plus-six-1", "two-players", "olive-needs-room"}
	for _, n := range book.Names() {
		if slices.Contains(gone, n.ID) || n.Kind == "time-card" || n.Of == "event-replay" || n.Of == "power-hypothesis-elsewhere" ||
			n.Of == "power-random-look" {
			t.Errorf("%s %s of %q is still there", n.Kind, n.ID, n.Of)
		}
		if n.Plan != nil && (n.Plan.Passages["room-spa"] != "" || slices.Contains(slices.Collect(values(n.Plan.Passages)), "room-spa")) {
			t.Error("a passage leads to the room that is taken out")
		}
	}
	kept, err := d.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	if again := bookOf(t, parsed(t, "kept.yaml", string(kept))); len(again.Names()) != len(book.Names()) {
		t.Errorf("written and read again it has %d names of %d", len(again.Names()), len(book.Names()))
	}
	for _, spies := range []bool{false, true} {
		for _, n := range engine.NamesUnderHouseRules(book,
			map[string]string{"marked-squares-do": map[bool]string{false: "draw", true: "spy"}[spies]}) {
			if n.Plan != nil && n.Plan.Spies != spies {
				t.Errorf("marked squares for spying: %t, the plan says %t", spies, n.Plan.Spies)
			}
		}
	}
	seen := map[string]int{}
	for seed := range uint64(60) {
		dealer := newDealer(book, dealing(seed%uint64(numDealings)), chance.New(seed))
		_, _, err := play.Run(book.NewGame(), withOverruling(eveningOpts(book, seed, dealer, func(s play.Step) error {
			return checkRemoved(s, seen)
		})))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	for _, what := range []string{
		"a Butler card is held", "the pile is empty", "spy", "draw", "a card of a hand was seen", "a room was crossed or not: ends",
		"a room was crossed or not: crossed",
	} {
		if seen[what] == 0 {
			t.Errorf("in no game of 60: %s (seen %v)", what, seen)
		}
	}
}

// checkRemoved returns an error if a removed part appears in a view or an offer.
func checkRemoved(s play.Step, seen map[string]int) error {
	if err := s.After.(interface{ CheckInvariants() error }).CheckInvariants(); err != nil {
		return err
	}
	v := s.After.View(engine.Public)
	seen[v.Switches["marked-squares-do"]]++
	seen["a room was crossed or not: "+v.Switches["walls"]]++
	if v.Clock.Of != 0 {
		return fmt.Errorf("a clock of %d hours", v.Clock.Of)
	}
	if v.Case != nil && v.Phase == "turn" && v.Case.Pile == 0 {
		seen["the pile is empty"]++
	}
	if v.Case != nil && v.Case.Pile < 0 {
		return fmt.Errorf("%d cards in the pile", v.Case.Pile)
	}
	for _, seat := range v.Seats {
		if !seat.Alive {
			return fmt.Errorf("%s is dead", seat.Seat)
		}
	}
	if slices.ContainsFunc(v.Seats, func(x engine.SeatView) bool { return x.Tokens > 0 }) {
		seen["a Butler card is held"]++
	}
	if s.Command.Act == "spy" {
		seen["a card of a hand was seen"]++
	}
	for viewer := range engine.Seat(engine.MaxSeats) {
		for _, o := range s.After.View(engine.SeatViewer(viewer + 1)).Offers {
			if o.Fixed["kind"] == "time" {
				return fmt.Errorf("%s is offered a Time card", viewer+1)
			}
			if o.Act == "draw" && v.Case.Pile == 0 {
				return fmt.Errorf("%s may draw from an empty pile", viewer+1)
			}
			for _, p := range o.Params {
				for _, value := range slices.Concat(p.Domain, p.All) {
					switch value {
					case "weapon-corde", "suspect-olive", "room-spa", "butler-plus-six-1":
						return fmt.Errorf("%s is offered %s", viewer+1, value)
					}
				}
			}
		}
	}
	return nil
}

func values[K comparable, V any](of map[K]V) func(func(V) bool) {
	return func(yield func(V) bool) {
		for _, v := range of {
			if !yield(v) {
				return
			}
		}
	}
}

// TestTwoWorldsWithoutTime: cards that no viewer has seen stay hidden when the pile of Butler cards runs out.
func TestTwoWorldsWithoutTime(t *testing.T) {
	scripttest.SkipIfShort(t)
	book := bookOf(t, parsed(t, "quiet.yaml", removed))
	twoWorlds(t, []*cluedo.Book{book, book})
}

// TestRemovedFaults: removing a part that the parent does not have, or one without which there is no game, is reported with its line and
// what to do.
func TestRemovedFaults(t *testing.T) {
	parsed(t, "quiet.yaml", removed)
	for _, c := range []struct{ old, line, want string }{
		{"replay: none", "replai: none", `:7:32: the edition that this one is like has no "replai" to take out (did you mean "replay"?)`},
		{"replay: none", "manual: none", `has no "manual" to take out (what can be taken out is [`},
		{"replay: none", "zzzzzzzz: none", `has no "zzzzzzzz" to take out (what can be taken out is [move-anywhere `},
		{"random-look: none", "fly: none", `has no "fly" to take out`},
		{"two-players: none", "two-playerz: none", `has no "two-playerz" to take out (did you mean "two-players"?)`},
		{"two-players: none", "two-players: nobody", `unknown value "nobody"`},
		{"ask: MY-001", "ask: none", `the rule "ask" is missing (give it a number`},
		{"ask: MY-001", "spied: none", `unknown key "spied"`},
		{"ask: MY-001", "hidden: none", `has no "hidden" to take out`},
		{"ask: MY-001", "again: none, pool: none", `has no "again" to take out`},
		{"ask: MY-001", "pool: none", `the rule "pool" is missing`},
		{"weapon-corde", "weapon-cord", `"weapon-cord" is no card of this game (did you mean "weapon-corde"?)`},
		{"weapon-corde", "pool", `"pool" is no card of this game`},
		{"weapon-corde", "suspect-olive", `"suspect-olive" is no card of this game`}, // twice
		{"[weapon-corde, suspect-olive", "[suspect-rose, suspect-moutarde, suspect-pervenche, suspect-violet", "suspects: 2 (4 to 10)"},
		{"[weapon-corde,", "[weapon-corde, weapon-poignard, weapon-revolver, weapon-chandelier, weapon-batte, weapon-haltere, " +
			"weapon-hache, weapon-trophee,", `weapons: 1 (2 to 9)`},
		{"events: {time: none, replay: none}", "events: {}", "draws a card, and this game has none"},
		{"events: {time: none, replay: none}", "events: {}\n  marked-squares: false", "draws a card, and this game has none"},
		{"  rules: {ask: MY-001, spy: MY-002}", "  rules: {ask: MY-001}", `the rule "spy" is missing`},
		{"{marks: pause}", "{marks: sometimes}", `unknown value "sometimes" (one of [plain pause])`},
		{"{rooms: cross}", "{marks: plain}", `"marks" is settled already (settle it once)`},
		{"  switches:\n", "  walk: {rooms: end}\n  switches:\n", `"rooms" is settled already (settle it once)`},
		{"  switches:\n",
			"  switches:\n" +
				"    - {id: first-player, rule: MY-004, fr: x, en: x, values: [{id: highest, fr: x, en: x}, {id: dealer, fr: x, en: x}]}\n",
			"the table would choose whether who begins is found before the deal or after it (leave it [dealer-left dealer]"},
		{"  players: {least: 3, most: 4}", "  players: {least: 3, most: 4}\n  turn: [start, end]",
			"a turn in which nobody can make a hypothesis"},
	} {
		changed := changeRemoved(c.old, c.line)
		if changed == removed {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := cluedo.ParseDeck("quiet.yaml", []byte(changed))
		ownfiletest.CheckFaults(t, err)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.line, err, c.want)
		}
	}
	box := strings.Replace(string(cluedo.DefaultYAML("cluedo-2008")), "game: cluedo-2008\n",
		"game: cluedo-2008\nwithout: [weapon-corde]\n", 1)
	if _, err := cluedo.ParseDeck("box.yaml", []byte(box)); err == nil ||
		!strings.Contains(err.Error(), "give it an edition of its own: majordome new-edition") {
		t.Errorf("cards taken out of a box: %v", err)
	}
}
