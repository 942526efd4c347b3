package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
)

// edition is what one Cluedo has of its own: the ids of its rules and the
// places where editions differ. Everything else is the family's.
type edition struct {
	game     engine.ID
	switches rules.Switches // at most maxSwitches
	rules    ruleIDs
	events   map[string]string // rule of each kind of event card
	powers   map[string]string // rule of each Power
	// most and least players; two is with the house rule for two.
	least, most int
	// share is how many cards each of n players is dealt; the rest lies in the pool.
	share func(cards, n int) int
	// asks is the seat that is asked after those before, left of the asker; zero
	// ends the questioning.
	asks func(s *state) engine.Seat
	// accuses reports that the active seat may accuse now, and where it stands.
	accuses func(s *state) bool
	// aloud tells that an accusation is heard by all.
	aloud box.Audience
	// turns reports that seat x, which is taken, has turns.
	turns func(s *state, x engine.Seat) bool
}

// ruleIDs are the rules that the family cites, by what they say.
type ruleIDs struct {
	players, character, envelope, deal, begins     string
	next, way, dice, draw, drawn, twice, stuck     string
	leave, back, passage, reach, stay, window      string
	pool, peek, nothing, hypothesis, names, inPool string
	ask, show, none, displaced, displacedNow       string
	accuse, look, judge, wrong, spent              string
	track, open, card, wins, murdered, lost        string
	notBoth, dead                                  string
}

// edition2008 is Cluedo 2008 (rules/cluedo-2008.md).
var edition2008 = &edition{
	game: "cluedo-2008",
	switches: rules.Switches{
		{ID: swTwo, Rule: "C8-001", Values: []string{"off", "on"}},
		{ID: swTiming, Rule: "C8-091", Values: []string{"immediate", "until-own-turn"}},
		{ID: swOrigin, Rule: "C8-095", Values: []string{"room", "anywhere"}},
		{ID: swTurns, Rule: "C8-115", Values: []string{"none", "stationary"}},
		{ID: swInterrupts, Rule: "C8-118", Values: []string{"on", "off"}},
		{ID: swOlive, Rule: "C8-173", Values: []string{"off", "on"}},
		{ID: swDebrief, Rule: "GEN-008", Values: []string{"off", "on"}},
	},
	rules: ruleIDs{
		players: "C8-001", character: "C8-007", envelope: "C8-002", deal: "C8-004", begins: "C8-011",
		next: "C8-012", way: "C8-040", dice: "C8-041", draw: "C8-042", drawn: "C8-130", twice: "C8-031", stuck: "C8-054",
		leave: "C8-050", back: "C8-051", passage: "C8-053", reach: "C8-041", stay: "C8-097", window: "C8-035",
		pool: "C8-060", peek: "C8-061", nothing: "C8-062", hypothesis: "C8-070", names: "C8-071", inPool: "C8-064",
		ask: "C8-080", show: "C8-081", none: "C8-082", displaced: "C8-090", displacedNow: "C8-091",
		accuse: "C8-110", look: "C8-112", judge: "C8-120", wrong: "C8-115", spent: "C8-160",
		notBoth: "C8-063", dead: "C8-135", track: "C8-131", open: "C8-134", card: "C8-034", wins: "C8-190", murdered: "C8-191", lost: "C8-192",
	},
	events: map[string]string{"stay": "C8-150", "move-anywhere": "C8-151", "plus-six": "C8-152", "right-neighbour": "C8-153",
		"replay": "C8-154", "pawn-home": "C8-155", "see-card": "C8-156", "no-answer": "C8-157", EventTime: "C8-131"},
	powers: map[string]string{"see-card": "C8-170", "double-move": "C8-171", "go-to-room": "C8-172",
		"hypothesis-elsewhere": "C8-173", "random-look": "C8-174", "second-hypothesis": "C8-175"},
	least: 3, most: 6,
	share:   func(cards, n int) int { return cards / n },
	asks:    firstWhoShows,
	aloud:   box.All, // C8-111
	accuses: instead,
	turns: func(s *state, x engine.Seat) bool {
		p := &s.seats[x]
		return !p.dead && (!p.wrong || s.rule(swTurns) == "stationary")
	},
}

// instead is an accusation in the pool, once in the game, instead of a hypothesis
// or a look at the pool cards (C8-110).
func instead(s *state) bool {
	return s.step == stepAct && s.here() == s.book.pool && s.free && !s.seats[s.active].wrong
}

// firstWhoShows asks seat after seat until one has shown a card (C8-080 to
// C8-085): murdered seats are skipped.
func firstWhoShows(s *state) engine.Seat {
	if s.hyp.shown() {
		return 0
	}
	for x := s.after(s.active); x != s.active; x = s.after(x) {
		if !s.seats[x].dead && s.hyp.said[x] == saidNothing {
			return x
		}
	}
	return 0
}

// House rules that the engine asks for. An edition that lacks one answers "".
const (
	swTwo        = "two-players"
	swTiming     = "displacement-draw-timing"
	swOrigin     = "displacement-draw-origin"
	swTurns      = "wrong-accuser-turns"
	swInterrupts = "wrong-accuser-interrupts"
	swOlive      = "olive-needs-room"
	swDebrief    = "post-game-debrief"
)

// maxSwitches is the most house rules of an edition.
const maxSwitches = 12
