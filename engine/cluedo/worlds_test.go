package cluedo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/cluedo/audit"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

// worldGames is the number of games that are played in two worlds.
func worldGames() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 2000
	}
	return 250
}

// history records what happened in a game, and who may know what of it.
type history struct {
	*worlds.History
	audit *audit.Auditor
}

func newHistory(b *cluedo.Book) *history {
	kinds := hiddenCards(b)
	a := audit.New(slices.Concat(kinds["suspect"], kinds["weapon"], kinds["room"]))
	return &history{audit: a, History: worlds.NewHistory(b, func(kind string, data []byte) (shows []worlds.Showing, err error) {
		err = a.ApplyEvent(kind, data)
		for _, s := range a.Shows {
			shows = append(shows, worlds.Showing(s))
		}
		return shows, err
	})}
}

// hiddenCards lists the cards of a game that hands, pool and envelope hide, by kind.
func hiddenCards(b *cluedo.Book) (kinds map[engine.ID][]string) {
	kinds = map[engine.ID][]string{}
	for _, n := range b.Names() {
		switch n.Kind {
		case "suspect", "weapon", "room", "butler-card":
			kinds[n.Kind] = append(kinds[n.Kind], string(n.ID))
		}
	}
	return kinds
}

// someKind draws a kind of which there are cards.
func someKind(kinds map[engine.ID][]string, dice *chance.Dice) engine.ID {
	all := []engine.ID{"suspect", "weapon", "room", "butler-card"}
	return all[dice.Intn(len(kinds))]
}

// otherWorld makes a second world in which two cards of a kind are exchanged: from now on if they are in one place, otherwise from the
// beginning. It returns nil if the dice found none.
func (h *history) otherWorld(g engine.Game, kinds map[engine.ID][]string, dice *chance.Dice) *worlds.SecondWorld {
	cards := kinds[someKind(kinds, dice)]
	swap := audit.Swap{cards[dice.Intn(len(cards))], cards[dice.Intn(len(cards))]}
	if swap[0] == swap[1] {
		return nil
	}
	w := worlds.NewSecondWorld(g, swap, swap[0], swap[1])
	w.RemoveWhoSawOne(h.Showings)
	return w.ReplayHistory(h.History)
}

// mayPart reports whether these events may differ because of hidden cards: the outcome of an accusation (C8-113, C8-114), the discovery
// that an earlier answer was wrong (GEN-E10), and whether the claim that no player has a card counts (CC-030). A seat that has to correct
// an answer is called when the turn is at its end. What is given up before that then has its own event, where otherwise it would be part of
// the next turn's.
func mayPart(kinds []string) bool {
	for len(kinds) > 1 && kinds[0] == "acted" && slices.Contains([]string{"acted", "amend"}, kinds[1]) {
		kinds = kinds[1:]
	}
	return len(kinds) > 0 && slices.Contains([]string{"verdict", "wrong", "amend", "upheld", "none", "nobody", "contested"}, kinds[0])
}

// randomAttempt draws a command that may be against the rules.
func randomAttempt(at engine.Millis, kinds map[engine.ID][]string, one string, dice *chance.Dice) engine.Command {
	var all []string
	for _, k := range []engine.ID{"suspect", "weapon", "room", "butler-card"} {
		all = append(all, kinds[k]...)
	}
	card := all[dice.Intn(len(all))]
	if dice.Intn(2) == 0 {
		card = one
	}
	if dice.Intn(2) == 0 {
		return engine.ScanCommand(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], []engine.ID{engine.ID(card)}, 0)
	}
	act := []string{"answer", "none", "hold", "forget", "draw", "play", "power", "pass", "peek", "look", "dealt"}[dice.Intn(11)]
	c := engine.Command{At: at, By: worlds.AllViewers[1+dice.Intn(len(worlds.AllViewers)-1)], Act: act, Args: engine.Args{}}
	if act != "none" && act != "pass" && act != "peek" && act != "dealt" {
		c.Args["card"] = card
	}
	if act == "power" || act == "play" {
		c.Args["suspect"], c.Args["weapon"], c.Args["room"], c.Args["to"] = "suspect-rose", "weapon-corde", "room-spa", "pool"
	}
	return c
}

// reveals lists the events that show a viewer cards it did not present.
var reveals = map[string]bool{"saw": true, "looked": true, "seen": true, "shown": true, "peeked": true, "verdict": true, "wrong": true,
	"murdered": true, "killed": true, "over": true}

// randomCheat draws what a cheater at the seat v tries: copies of cards at a reader, one or two of them, at once or a
// while after the step; or any act of that seat.
func randomCheat(at engine.Millis, v engine.Viewer, kinds map[engine.ID][]string, two [2]string, dice *chance.Dice) engine.Command {
	at += []engine.Millis{100, 1_500, 3_000, 6_000, 12_000}[dice.Intn(5)]
	pick := func(kind engine.ID) string { return kinds[kind][dice.Intn(len(kinds[kind]))] }
	card := func() string {
		if dice.Intn(2) == 0 {
			return two[dice.Intn(2)]
		}
		return pick(someKind(kinds, dice))
	}
	if dice.Intn(2) == 0 {
		copies := []engine.ID{engine.ID(card())}
		if other := engine.ID(card()); dice.Intn(4) == 0 && other != copies[0] {
			copies = append(copies, other)
		}
		return engine.ScanCommand(at, []string{engine.ReaderUrn, engine.ReaderShow}[dice.Intn(2)], copies, dice.Intn(8)/7)
	}
	acts := []string{"answer", "answer", "none", "nobody-has", "hold", "forget", "play", "pass", "peek", "look", "dealt", "end",
		"hypothesis", "accuse", "verdict"}
	c := engine.Command{At: at, By: v, Act: acts[dice.Intn(len(acts))], Args: engine.Args{}}
	switch c.Act {
	case "answer", "hold", "forget", "look":
		c.Args["card"] = card()
	case "play":
		c.Args["card"], c.Args["suspect"], c.Args["weapon"], c.Args["room"], c.Args["to"] = card(), pick("suspect"), pick("weapon"),
			pick("room"), "pool"
	case "hypothesis", "accuse":
		c.Args["suspect"], c.Args["weapon"], c.Args["room"] = pick("suspect"), pick("weapon"), pick("room")
	case "verdict":
		c.Args["value"] = []string{"right", "wrong"}[dice.Intn(2)]
	}
	return c
}

// TestTwoWorlds plays random games from the empty lobby on, with sampled house rules and ways of dealing, hands named on phones, and cards
// that interrupt. At random moments it makes a second world that differs only in two cards that some viewers have not seen; this world
// follows the same public course as long as the rules allow it. Those viewers' bytes, all deadlines and the public part of refusals must be
// the same in both. So must every reply to one of those viewers who tries any act of its seat or copies of any cards (GEN-E13; C8-002,
// C8-004, C8-061, C8-081, C8-087, C8-114, C8-135, C8-140, C8-153, C8-156, C8-157, C8-158, C8-174; GEN-002 to GEN-005, GEN-007, GEN-023).
// The audit package, not the engine, records who has seen what.
func TestTwoWorlds(t *testing.T) {
	scripttest.SkipIfShort(t)
	eachGame(t, twoWorlds)
}

func twoWorlds(t *testing.T, books []*cluedo.Book) {
	kinds := hiddenCards(books[0])
	n := &worlds.Tally{Partings: map[string]int{}}
	for seed := range uint64(worldGames()) {
		b, dice := books[seed/2%2], chance.New(seed*104729)
		h, d := newHistory(b), newDealer(b, dealing(seed/4%uint64(numDealings)), dice)
		p := &worlds.Pair{History: h.History, Dice: dice, Rare: 6, Tally: n,
			RandomActs: map[string]bool{"begin": true, "deal": true, "hide": true, "roll": true, "draw": true, "power": true},
			MayDiffer:  func(_ *worlds.SecondWorld, _ string, kinds []string) bool { return mayPart(kinds) },
			NewSecond:  func(g engine.Game) *worlds.SecondWorld { return h.otherWorld(g, kinds, dice) },
			ProbeCommands: func(s play.Step, w *worlds.SecondWorld) (one, two engine.Command) {
				one = randomAttempt(s.Command.At, kinds, w.Cards[0], dice)
				if one.Act == "play" { // said aloud
					return one, one
				}
				return one, w.Swap.SwapCommand(one)
			},
			RevealingKinds: reveals,
			RecordKinds:    map[string]bool{"got": true},
			CheatCommand: func(s play.Step, w *worlds.SecondWorld, v engine.Viewer) engine.Command {
				return randomCheat(s.Command.At, v, kinds, w.Cards, dice)
			}}
		if _, _, err := play.Run(b.NewGame(), withOverruling(eveningOpts(b, seed, d, p.CheckStep))); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %s", worldGames(), n)
	if n.Views < 20*worldGames() || n.OneSided == 0 || n.Cheats < 10*worldGames() || n.OverseerSteps < 10*worldGames() {
		t.Error("too little was compared")
	}
}

// TestAnotherCardIsShown plays a second world in which one seat whose hand is unknown shows another card than in the first, to a
// hypothesis, to a spy or to its neighbour, or accuses by another name unheard. As long as the public course is the same, only the two
// seats, and those who see the card too, may notice a difference (C8-081, C8-087, C8-153, SC-062, SC-092, GEN-002, GEN-022).
func TestAnotherCardIsShown(t *testing.T) {
	scripttest.SkipIfShort(t)
	eachGame(t, anotherCardIsShown)
}

func anotherCardIsShown(t *testing.T, books []*cluedo.Book) {
	b := books[1]
	second, compared, games, most := 0, 0, 0, 60
	of := map[string]int{}
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		most = 2000
	}
	for seed := uint64(0); second < most && games < 20*most; seed++ {
		games++
		d := newDealer(b, []dealing{unseen, mixed, byChance}[seed%3], chance.New(seed*77+5))
		var w engine.Game
		blind := map[engine.Viewer]bool{}
		_, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, d, func(s play.Step) error {
			var err error
			if w != nil {
				w, err = sameCourse(b, w, s, blind)
			} else if w, err = anotherCard(s); w != nil {
				second++
				of[s.Before.View(engine.Public).Case.Step]++
				to := shownTo(s)
				for _, v := range worlds.AllViewers {
					blind[v] = v != s.Command.By && v != engine.SeatViewer(to)
				}
			} else if w = anotherAccusation(s); w != nil {
				of["accuse"]++
				for _, v := range worlds.AllViewers {
					blind[v] = v != s.Command.By
				}
			}
			if w == nil || err != nil {
				return err
			}
			for _, v := range worlds.AllViewers {
				if !blind[v] {
					continue
				}
				compared++
				if apart := worlds.FirstDifference(s.After.View(v), w.View(v)); apart != "" {
					return fmt.Errorf("%s can tell which card was shown:\n%s", v, apart)
				}
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %d second worlds, %d views compared; %v", games, second, compared, of)
	if second < most {
		t.Error("too little was compared")
	}
	if b.ID() == "super-cluedo" && (of[engine.StepNeighbour] < most/10 || of["accuse"] < most/10) {
		t.Error("too little was shown to spies, or accused in secret")
	}
}

// shownTo is the seat that sees an answer: the one whose turn it is or, where a clue card makes each show a card to the next one (CC-030),
// that next one.
func shownTo(s play.Step) engine.Seat {
	after := s.After.View(engine.Public)
	for _, h := range after.HappeningsAfter(s.Before.View(engine.Public).LastHappeningNumber()) {
		if x, _ := s.Command.By.Seat(); h.What == engine.HapShown && h.Seat == x && h.Other != 0 {
			return h.Other
		}
	}
	return after.Case.Turn
}

// anotherAccusation is the game after an accusation that names another weapon, with the same public outcome. It is nil if no seat accused
// unheard.
func anotherAccusation(s play.Step) engine.Game {
	c := s.Command
	if _, seat := c.By.Seat(); !seat || c.Act != "accuse" {
		return nil
	}
	for _, o := range play.OffersOf(s.Before, c.By) {
		for _, p := range o.Params {
			if o.Act != "accuse" || p.Name != "weapon" || !p.IsHiddenUntilTouched() {
				continue
			}
			for _, weapon := range p.Domain {
				if weapon == s.Command.Args["weapon"] {
					continue
				}
				c.Args = engine.Args{"suspect": s.Command.Args["suspect"], "weapon": weapon, "room": s.Command.Args["room"]}
				evs, r := s.Before.Decide(c, chance.New(1))
				same := func(a, b engine.Event) bool { return a.Kind() == b.Kind() && a.Kind() != "verdict" }
				if r == nil && slices.EqualFunc(evs, s.Events, same) {
					w := s.Before
					return w.Apply(evs...)
				}
			}
		}
	}
	return nil
}

// anotherCard is the game after an answer by another card. It is nil if there was no answer, or if that card contradicts a "none", which is
// said aloud (GEN-E10).
func anotherCard(s play.Step) (engine.Game, error) {
	c := s.Command
	shows := []string{engine.StepAnswer, engine.StepNeighbour}
	if _, seat := c.By.Seat(); !seat || c.Act != "answer" || !slices.Contains(shows, s.Before.View(engine.Public).Case.Step) {
		return nil, nil
	}
	for _, o := range play.OffersOf(s.Before, c.By) {
		if o.Act != "answer" || len(o.Params) == 0 {
			continue
		}
		for _, card := range o.Params[0].Domain {
			if card == c.Args["card"] || c.Args["card"] == engine.Unnamed {
				continue
			}
			c.Args = engine.Args{"card": card}
			evs, r := s.Before.Decide(c, chance.New(1))
			if r != nil {
				return nil, play.CheckNeutralRefusal(s.Before, c, r)
			}
			if same, err := sameKinds(s.Events, evs); !same {
				return nil, err
			}
			w := s.Before
			return w.Apply(evs...), nil
		}
	}
	return nil, nil
}

// sameKinds reports whether the same happens in both worlds. It returns an error for a difference that the rules do not allow to depend on
// hidden cards.
func sameKinds(evs, others []engine.Event) (bool, error) {
	one, two := worlds.EventKinds(evs), worlds.EventKinds(others)
	n := 0
	for n < min(len(one), len(two)) && one[n] == two[n] {
		n++
	}
	switch {
	case n == len(one) && n == len(two):
		return true, nil
	case mayPart(one[n:]) || mayPart(two[n:]):
		return false, nil
	}
	return false, fmt.Errorf("what happens hangs on a card that few have seen: %v and %v", one, two)
}

// sameCourse plays a step of the first world in w. It returns nil when the public course differs because of the card, as the rules allow
// (mayPart), or when one of the blind viewers has come to see the difference.
func sameCourse(b *cluedo.Book, w engine.Game, s play.Step, blind map[engine.Viewer]bool) (engine.Game, error) {
	evs := s.Events
	if act := s.Command.Act; act != "roll" && act != "draw" && act != "power" && act != "verdict" {
		var r *engine.Reject
		if evs, r = w.Decide(s.Command, chance.New(1)); r != nil {
			return nil, play.CheckNeutralRefusal(w, s.Command, r)
		}
	}
	if same, err := sameKinds(s.Events, evs); !same {
		return nil, err
	}
	for _, e := range evs {
		switch e.Kind() {
		case "over", "murdered", "seen", "looked", "amend", "upheld":
			return nil, nil
		case "saw":
			data, _ := b.EncodeEvent(e)
			var who struct{ Seat engine.Seat }
			_ = json.Unmarshal(data, &who)
			delete(blind, engine.SeatViewer(who.Seat))
		}
		w = w.Apply(e)
	}
	return w, nil
}

// secretParts is the part of a view that shows cards beyond those that are said aloud or visible on the board: the seat's own knowledge,
// open cards, and the cards of lines.
func secretParts(v engine.View) string {
	var cards []any
	for _, l := range v.Log {
		cards = append(cards, l.Msg.Args.Get("card"))
	}
	for _, h := range v.Happened {
		if h.What != engine.HapAsked && h.What != engine.HapAccused { // said aloud
			cards = append(cards, h.Cards)
		}
	}
	for _, h := range v.Case.Past { // but what was said aloud
		cards = append(cards, h.Card, h.MoreCards)
	}
	var lists []any
	for _, o := range v.Offers { // only what the seat is offered of its own; the rest names any card there is
		if o.Act == "forget" {
			lists = append(lists, o)
		}
	}
	if v.Me != nil { // the place where a card was seen is no card
		me := *v.Me
		me.Seen = slices.Clone(me.Seen)
		for i, s := range me.Seen {
			anywhere := *s
			anywhere.Place = ""
			me.Seen[i] = &anywhere
		}
		v.Me = &me
	}
	aloud := []string{"sought", "room"} // the words of a clue card; the place of a hidden card or a hypothesis
	if h := v.Case.Hypothesis; h != nil && v.Prompt.Args.Get("suspect") == string(h.Suspect) &&
		v.Prompt.Args.Get("weapon") == string(h.Weapon) {
		aloud = append(aloud, "suspect", "weapon")
	}
	if v.Prompt.Key == "cl.prompt.amend.you" && slices.ContainsFunc(v.Case.Past, func(h engine.Heard) bool {
		return slices.Contains(h.Cards, engine.ID(v.Prompt.Args.Get("suspect"))) &&
			slices.Contains(h.Cards, engine.ID(v.Prompt.Args.Get("weapon")))
	}) { // or a hypothesis named them, to which the corrected answer was given
		aloud = append(aloud, "suspect", "weapon")
	}
	var pairs []string
	for name, value := range v.Prompt.Args.Pairs() {
		if !slices.Contains(aloud, name) {
			pairs = append(pairs, name, value)
		}
	}
	v.Prompt = engine.NewMsg(v.Prompt.Key, pairs...)
	data, _ := json.Marshal([]any{v.Me, v.Shown, v.Gone, cards, lists, v.Prompt, v.Custody})
	return string(data)
}

// toldCards lists the cards of a chronicle except those that were said aloud.
func toldCards(c engine.Chronicle) string {
	var cards []any
	for _, h := range c.Happened {
		if h.What != engine.HapAsked && h.What != engine.HapAccused {
			cards = append(cards, h.Cards)
		}
	}
	data, _ := json.Marshal([]any{cards, c.Held})
	return string(data)
}

// checkOverseer checks that the overseer is shown nothing of a hidden card but what the audit knows, and all of it
// where the machine has dealt. Otherwise records may be given up, which the audit does not follow.
func checkOverseer(g engine.Game, a *audit.Auditor, cards []string, dealt bool) error {
	where := worlds.CardLocations(g.View(engine.Overseer).Secrets)
	for _, card := range cards {
		said := strings.Fields(where["said "+card])
		switch at := a.LocationOf(card); {
		case at == "" || at == "gone" || a.HasSeen(engine.Public, card) || slices.Contains(said, at):
		case where[card] == at || at == "pool" && where[card] != "" && !strings.HasPrefix(where[card], "seat-"):
		case where[card] == "" && !dealt:
		default:
			return fmt.Errorf("the overseer is shown %s at %q, and it is at %q", card, where[card], at)
		}
		for _, x := range said {
			if v, err := engine.ParseViewer(x); err != nil || !a.HasClaimed(v, card) {
				return fmt.Errorf("the overseer is shown that %s said it has %s, and it did not", x, card)
			}
		}
	}
	return nil
}

// TestCanary plays random games and looks for every hidden card in the views of those who were never shown it, in the words of refusals,
// and in the printed forms of games and events (C8-002, C8-004, C8-061, C8-081, C8-135, C8-140; GEN-002, GEN-004). The audit package
// records who was shown what.
func TestCanary(t *testing.T) {
	scripttest.SkipIfShort(t)
	eachGame(t, runCanary)
}

func runCanary(t *testing.T, books []*cluedo.Book) {
	b := books[0]
	kinds := hiddenCards(b)
	var all []string
	for _, list := range kinds {
		all = append(all, list...)
	}
	views, refusals, games := 0, 0, uint64(60)
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		games = 1000
	}
	for seed := range games {
		dice := chance.New(seed * 104729)
		h, d := newHistory(b), newDealer(b, dealing(seed/4%uint64(numDealings)), dice)
		sings := func(v engine.Viewer, text string) error {
			for _, card := range all {
				if strings.Contains(text, `"`+card+`"`) && !h.audit.HasSeen(v, card) {
					return fmt.Errorf("%s finds %s and was never shown it: %s", v, card, text)
				}
			}
			return nil
		}
		_, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, d, func(s play.Step) error {
			if _, err := h.Add(s.Events); err != nil {
				return err
			}
			for range 2 {
				v := worlds.AllViewers[dice.Intn(len(worlds.AllViewers))]
				views++
				if err := sings(v, secretParts(s.After.View(v))); err != nil {
					return err
				}
			}
			if err := checkOverseer(s.After, h.audit, all, dealing(seed/4%uint64(numDealings)) == byMachine); err != nil {
				return err
			}
			if over := s.After.View(engine.Public).Result != nil; over || dice.Intn(8) == 0 {
				if err := sings(engine.Public, toldCards(s.After.(engine.Chronicler).Chronicle(nil))); err != nil {
					return fmt.Errorf("the chronicle: %w", err)
				}
			}
			if dice.Intn(8) == 0 {
				text := fmt.Sprintf("%v %+v %#v %s %q %x %v", s.After, s.After, s.After, s.After, s.After, s.Events, s.Before)
				data, _ := json.Marshal([]any{s.After, s.Events})
				text += string(data)
				for _, card := range all {
					if strings.Contains(text, card) {
						return fmt.Errorf("a printed form names %s", card)
					}
				}
			}
			c := randomAttempt(s.Command.At, kinds, all[0], dice)
			if _, r := s.After.Decide(c, chance.New(1)); r != nil {
				refusals++
				words, _ := json.Marshal([]any{r.Why, r.Public})
				for _, card := range all {
					// the room in which the pawn is
					if bytes.Contains(words, []byte(`"`+card+`"`)) && !slices.Contains(kinds["room"], card) {
						return fmt.Errorf("the refusal of %s names %s", c.Act, card)
					}
				}
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d games, %d views and %d refusals searched", games, views, refusals)
}
