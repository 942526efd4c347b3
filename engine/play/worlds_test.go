package play_test

import (
	"os"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/huisclos"
	"majordome/engine/huisclos/audit"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

// worldGames is the number of games that are played in two worlds.
func worldGames() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 2000
	}
	return 500
}

// history records what happened in a game, and who may know what of it.
type history struct {
	*worlds.History
	audit *audit.Auditor
	drawn bool // the machine drew the roles
}

// startPlace is read once: a deck takes longer to parse than a short game.
var startPlace = string(huisclos.DefaultDeck().Start)

func newHistory(b engine.Rulebook) *history {
	h := &history{audit: audit.New(startPlace)}
	h.History = worlds.NewHistory(b, func(kind string, data []byte) (shows []worlds.Showing, err error) {
		err = h.audit.ApplyEvent(kind, data)
		h.drawn = h.drawn || kind == "roles-drawn"
		for _, s := range h.audit.Shows {
			shows = append(shows, worlds.Showing(s))
		}
		return shows, err
	})
	return h
}

// otherWorld makes a second world at this moment; nil when the dice found none.
//
// - Two cards in one place change names from now on: what happened before
// is the same in both worlds, for all viewers.
// - Two cards, or two roles, change names in the whole history. That world may
// be one that the rules would not have allowed; then it is dropped.
func (h *history) otherWorld(g engine.Game, cards []string, dice *chance.Dice) *worlds.SecondWorld {
	how := dice.Intn(4)
	if how == 0 && h.drawn {
		return h.otherRoles(g, dice)
	}
	c, d := cards[dice.Intn(len(cards))], cards[dice.Intn(len(cards))]
	w := worlds.NewSecondWorld(g, audit.Swap{Card: [2]string{c, d}}, c, d)
	where := worlds.CardLocations(g.View(engine.Overseer).Secrets)
	switch {
	case c == d:
		return nil
	case how == 1:
		w.RemoveWhoSawOne(h.Showings)
		return w.ReplayHistory(h.History)
	case h.audit.LocationOf(c) != h.audit.LocationOf(d) || h.audit.LocationOf(c) == "urn" || h.audit.HasSeen(engine.Public, c) ||
		h.audit.HasSeen(engine.Public, d):
		return nil // a card that all have seen cannot be another one
	case where["said "+c] != "" || where["said "+d] != "":
		return nil // nor can one that a player has named before
	case h.audit.LocationOf(c) == "" && g.View(engine.Public).Phase == "laying":
		return nil // the machine has drawn already where each of them will lie
	}
	return w
}

func (h *history) otherRoles(g engine.Game, dice *chance.Dice) *worlds.SecondWorld {
	x, y := engine.Seat(dice.Intn(8)+1), engine.Seat(dice.Intn(8)+1)
	if x == y || h.audit.TrueRole(x) == "" || h.audit.TrueRole(y) == "" || h.audit.HasSeenRole(engine.Public, x) ||
		h.audit.HasSeenRole(engine.Public, y) {
		return nil
	}
	w := worlds.NewSecondWorld(g, audit.Swap{Roles: [2]engine.Seat{x, y}}, audit.RoleCard(int(x)), audit.RoleCard(int(y)))
	delete(w.Blind, engine.SeatViewer(x))
	delete(w.Blind, engine.SeatViewer(y))
	return w.ReplayHistory(h.History)
}

// byDice are acts whose outcome is rolled: the other world is dealt the same.
var byDice = map[string]bool{"draw-roles": true, "deal": true, "draw": true}

// mayDiffer reports public facts that the rules themselves make depend on hidden cards: no deposit (HC-125, HC-126), whether the roles were
// drawn rightly (rules, 4.2), nothing left to destroy in the Confrontation (HC-206), a move after which nothing can be done, because only
// an accusation could (HC-054, HC-091), and the swap of a small hand with two weapons (HC-181), which the numbers show.
func mayDiffer(act, kind string, duel, excess bool) bool {
	switch kind {
	case "no-deposit", "roles-wrong", "roles-right", "dealt": // the last is rolled, when the first clue is presented
		return true
	case "purged", "investigated":
		return duel || act == "move"
	case "took":
		return excess
	}
	return false
}

// hasExcess reports that a seat that must act in the first world holds two weapons
// in one of the worlds.
func (h *history) hasExcess(w *worlds.SecondWorld, seat engine.Seat) bool {
	one, two := 0, 0
	for _, c := range clueIDs(h.Book) {
		if h.audit.LocationOf(c) != seat.String() {
			continue
		}
		if strings.HasPrefix(c, "weapon-") {
			one++
		}
		if strings.HasPrefix(w.Swap.(audit.Swap).OtherCard(c), "weapon-") {
			two++
		}
	}
	return max(one, two) >= 2
}

// mayPart is mayDiffer in the present state of the second world.
func (h *history) mayPart(w *worlds.SecondWorld, act string, kinds []string) bool {
	public := w.Game.View(engine.Public)
	return len(kinds) > 0 && mayDiffer(act, kinds[0], countAlive(public) == 2, len(public.Active) > 0 && h.hasExcess(w, public.Active[0]))
}

// countAlive counts the living players.
func countAlive(v engine.View) (n int) {
	for _, s := range v.Seats {
		if s.Alive {
			n++
		}
	}
	return n
}

// randomAttempt draws a command that may be against the rules.
func randomAttempt(g engine.Game, at engine.Millis, cards []string, one string, dice *chance.Dice) engine.Command {
	card := cards[dice.Intn(len(cards))]
	if dice.Intn(3) == 0 {
		card = one
	}
	c := engine.ScanCommand(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], []engine.ID{engine.ID(card)}, 0)
	if active := g.View(engine.Public).Active; dice.Intn(2) == 0 && len(active) > 0 {
		act := []string{"keep", "take", "take-last", "leave", "destroy", "give", "deposit", "recover", "accuse"}[dice.Intn(9)]
		c = engine.Command{At: at, By: engine.SeatViewer(active[0]), Act: act, Args: engine.Args{"card": card}}
		if act == "accuse" {
			c.Args["seat"] = engine.Seat(dice.Intn(8) + 1).String()
		}
	}
	return c
}

// reveals lists the events that show a viewer cards it did not present, or that announce the card which the machine has players put down.
var reveals = map[string]bool{"laid": true, "pile": true, "searched": true, "drew": true, "gave": true,
	"opened": true, "urn-unsealed": true, "died": true, "killed": true, "role-turned": true, "accused": true, "over": true}

// randomCheat draws what a cheater at the seat v tries: copies of cards at a reader, one or two of them, at once or a
// while after the step; or any act of that seat.
func randomCheat(at engine.Millis, v engine.Viewer, cards []string, two [2]string, dice *chance.Dice) engine.Command {
	at += []engine.Millis{100, 1_500, 3_000, 6_000, 12_000}[dice.Intn(5)]
	card := func() engine.ID {
		if dice.Intn(2) == 0 {
			return engine.ID(two[dice.Intn(2)])
		}
		return engine.ID(cards[dice.Intn(len(cards))])
	}
	if dice.Intn(5) < 3 {
		copies := []engine.ID{card()}
		if other := card(); dice.Intn(4) == 0 && other != copies[0] {
			copies = append(copies, other)
		}
		return engine.ScanCommand(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], copies, dice.Intn(8)/7)
	}
	acts := []string{"keep", "take", "take-last", "leave", "destroy", "give", "deposit", "recover", "accuse", "hold", "forget", "show",
		"lay", "draw", "exchange", "move", "search", "pass", "done", "observe", "no-deposit", "disagree", "open", "shown", "role"}
	c := engine.Command{At: at, By: v, Act: acts[dice.Intn(len(acts))], Args: engine.Args{}}
	switch c.Act {
	case "accuse":
		c.Args["card"], c.Args["seat"] = string(card()), engine.Seat(dice.Intn(8)+1).String()
	case "exchange":
		c.Args["seat"] = engine.Seat(dice.Intn(8) + 1).String()
	case "move", "lay":
		c.Args["card"], c.Args["place"] = string(card()),
			[]string{"place-suite-bleue", "place-salon", "place-3", "place-4", "place-5", "place-6", "place-7"}[dice.Intn(7)]
	case "role":
		c.Args["value"] = []string{"murderer", "innocent", "unknown"}[dice.Intn(3)]
	case "draw", "search", "pass", "done", "observe", "no-deposit", "disagree", "open", "shown":
	default:
		if c.Args["card"] = string(card()); dice.Intn(6) == 0 {
			c.Args["card"] = engine.Unnamed
		}
	}
	return c
}

// TestTwoWorldsAllGame plays random games with all house rules sampled. At random moments it makes a second world that differs only in two
// cards, or two roles, that some viewers have not seen; this world follows the same public course by the rules, as long as they allow it.
// Those viewers' bytes (prompt, offers, facts, log and all), all deadlines and the public part of refusals must be the same in both. So
// must every reply to one of those viewers who tries any act of its seat or copies of any cards (GEN-E13; GEN-002 to GEN-005, GEN-007,
// HC-045, HC-068, HC-086, HC-115, HC-121, HC-128, HC-132, HC-141).
// The audit package, not the engine, records who has seen what.
func TestTwoWorldsAllGame(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	cards := clueIDs(b)
	n := &worlds.Tally{Partings: map[string]int{}}
	for seed := range uint64(worldGames()) {
		dice := chance.New(seed * 104729)
		h := newHistory(b)
		weigh := everyCardRecorded
		if seed%3 == 2 {
			weigh = nil // also cards that no reader has read
		}
		p := &worlds.Pair{History: h.History, Dice: dice, Rare: 3, Tally: n, RandomActs: byDice, MayDiffer: h.mayPart,
			NewSecond: func(g engine.Game) *worlds.SecondWorld { return h.otherWorld(g, cards, dice) },
			ProbeCommands: func(s play.Step, w *worlds.SecondWorld) (one, two engine.Command) {
				one = randomAttempt(s.After, s.Command.At, cards, w.Cards[0], dice)
				return one, w.Swap.SwapCommand(one)
			},
			RevealingKinds: reveals,
			CheatCommand: func(s play.Step, w *worlds.SecondWorld, v engine.Viewer) engine.Command {
				return randomCheat(s.Command.At, v, cards, w.Cards, dice)
			}}
		if _, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed/3, weigh),
			WantedCommand: overruleSometimes(seed), Cards: taggedCards(b), Check: p.CheckStep}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %s", worldGames(), n)
	if n.Views < 20*worldGames() || n.OneSided == 0 || n.Cheats < 10*worldGames() || n.OverseerSteps < 10*worldGames() {
		t.Error("too little was compared")
	}
}

// everyCardRecorded leaves out the acts that keep a card from the machine: the
// audit follows named cards.
func everyCardRecorded(v engine.Viewer, o engine.Offer) int {
	if v.IsHost() && (o.Act == "destroy" || o.Act == "accuse") { // by public facts: it may name a card that is elsewhere
		return 0
	}
	if o.Aside && !o.Overrule || o.Act == "laid" || o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == "unknown" {
		return 0
	}
	return 1
}

// clueIDs are the ids of all cards that are ever hidden in a hand or a place.
func clueIDs(b engine.Rulebook) (ids []string) {
	for _, name := range b.Names() {
		if name.Kind == "clue" || name.Kind == "weapon" {
			ids = append(ids, string(name.ID))
		}
	}
	return ids
}
