package cluedo

import (
	"reflect"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/internal/rules"
)

// edition is the data in which one Cluedo differs from the others: a file of the folder editions,
// or part of an owner's deck. All else is the same for the family.
type edition struct {
	Game    engine.ID   `yaml:"edition"` // not in a deck, whose key game names it
	Like    engine.ID   `yaml:"like"`    // only in a deck: the edition that it differs from
	Name    label       `yaml:"name"`
	Players playerRange `yaml:"players"`
	Sizes   boxSizes    `yaml:"sizes"`
	// Policies are the values that the rulebook fixes, by policy id, and Walk says how pawns walk.
	// Switches are house rules left to the table, each with the rule that it changes; the first
	// value is the rulebook's. A switch that is not a policy gives for each value the words of Walk
	// that it sets, or names, or sentences.
	Policies map[string]string `yaml:"policies"`
	Walk     board.Policy      `yaml:"walk"`
	Switches []houseRule       `yaml:"switches"`
	// Presets are named sets of values of Switches.
	Presets []preset `yaml:"presets"`

	// Words maps keys of the family's sentences to the keys used in their place. Sentences are
	// sentences of its own, by such a key or by the id of a rule that it cites.
	Words     map[string]string `yaml:"words"`
	Sentences map[string]label  `yaml:"sentences"`

	Rules      ruleIDs           `yaml:"rules"`
	Events     map[string]string `yaml:"events"` // the rule of each kind of event card
	MarkedFace markedFace        `yaml:"marked-face"`
	// MarkedSquares says whether the board has marked squares.
	MarkedSquares bool              `yaml:"marked-squares"`
	Powers        map[string]string `yaml:"powers"` // the rule of each Power
	// Turn lists the phases of a turn in order, by the codes of their steps.
	Turn []string `yaml:"turn"`

	turnSteps      []step            // Turn, parsed
	switchTable    rules.Switches    // Switches, parsed
	inPresets      [maxSwitches]bool // the switches that presets set
	policySettings [numPolicies]policySetting
	walkRules      []walkRule
}

// playerRange has the least and the highest number of players.
type playerRange struct {
	Least int `yaml:"least"` // a house rule for two players allows two
	Most  int `yaml:"most"`
}

// boxSizes are the numbers of cards and areas in the box.
type boxSizes struct {
	Suspects int `yaml:"suspects"`
	Weapons  int `yaml:"weapons"`
	Rooms    int `yaml:"rooms"`
	Places   int `yaml:"places"` // areas of the board without a card, not counting the pool
	Times    int `yaml:"times"`  // Time cards
	Hidden   int `yaml:"hidden"` // mystery cards hidden in rooms, in the modes that hide some
}

// markedFace gives the points of the die's face without a number, and the event cards it draws.
type markedFace struct {
	Points int `yaml:"points"`
	Draws  int `yaml:"draws"`
}

// houseRule is a switch, as an edition describes it.
type houseRule struct {
	ID     string       `yaml:"id"`
	Rule   string       `yaml:"rule"`
	FR     string       `yaml:"fr"`
	EN     string       `yaml:"en"`
	Values []deck.Named `yaml:"values"`
	// Walk says for each value how pawns walk.
	Walk map[string]board.Policy `yaml:"walk"`
	// Labels name for each value, by id, cards that the deck leaves without a name. Sentences
	// replace for each value sentences of the family, by key.
	Labels    map[string]map[engine.ID]label `yaml:"labels"`
	Sentences map[string]map[string]label    `yaml:"sentences"`
	// When lists values of other switches: this rule changes nothing unless each of those switches
	// has one of its values.
	When map[string][]string `yaml:"when"`
}

func (h *houseRule) valueIDs() (all []string) {
	for _, v := range h.Values {
		all = append(all, string(v.ID))
	}
	return all
}

// isEditionSwitch reports whether the switch is not a policy of the family: it changes how pawns walk,
// names or sentences.
func (h *houseRule) isEditionSwitch() bool {
	return h.Walk != nil || h.Labels != nil || h.Sentences != nil
}

// label is a name in both languages.
type label struct {
	FR string `yaml:"fr"`
	EN string `yaml:"en"`
}

func (l label) text() engine.Text { return engine.T(l.FR, l.EN) }

// policySetting is the source of a policy's value: a switch of the edition, by its number from 1,
// or for number 0 the fixed value.
type policySetting struct {
	switchNumber int
	value        string
}

// walkRule is a switch that changes how pawns walk, with the part that each of its values sets.
type walkRule struct {
	switchIndex int // index of the switch
	parts       []board.Policy
}

// ruleIDs are the rules that the family cites, by topic. An edition gives those of what it has; its
// file has the keys of all groups at one level.
type ruleIDs struct {
	setupRules      `yaml:",inline"`
	moveRules       `yaml:",inline"`
	faceDownRules   `yaml:",inline"`
	hypothesisRules `yaml:",inline"`
	accusationRules `yaml:",inline"`
	endRules        `yaml:",inline"`
}

// setupRules are the rules before the first turn.
type setupRules struct {
	Players   string `yaml:"players"`   // how many play
	Character string `yaml:"character"` // each seat has a character
	Envelope  string `yaml:"envelope"`  // three cards are in the envelope
	Deal      string `yaml:"deal"`      // the others are dealt
	Begins    string `yaml:"begins"`    // the starting player
}

// moveRules are the rules of turns, moves and interruptions.
type moveRules struct {
	Next    string `yaml:"next"`    // whose turn it is, and when
	Way     string `yaml:"way"`     // one way of moving in a turn
	Dice    string `yaml:"dice"`    // the dice
	Draw    string `yaml:"draw"`    // an event card is drawn
	Drawn   string `yaml:"drawn"`   // when one is
	Twice   string `yaml:"twice"`   // one action in a turn
	Stuck   string `yaml:"stuck"`   // a pawn that cannot leave its room
	Leave   string `yaml:"leave"`   // a room has to be left
	Back    string `yaml:"back"`    // not back into a room that was left
	Passage string `yaml:"passage"` // secret passages
	Reach   string `yaml:"reach"`   // where a move may end
	Stay    string `yaml:"stay"`    // a seat whose pawn was moved may stay
	Window  string `yaml:"window"`  // how long others may interrupt
}

// faceDownRules are the rules of cards face down on the board.
type faceDownRules struct {
	Pool    string `yaml:"pool"`    // the pool
	Peek    string `yaml:"peek"`    // a look at face-down cards
	Nothing string `yaml:"nothing"` // an empty pool
	Hidden  string `yaml:"hidden"`  // cards hidden in rooms
}

// hypothesisRules are the rules of hypotheses and their answers.
type hypothesisRules struct {
	Hypothesis   string `yaml:"hypothesis"`    // when a hypothesis is made
	Names        string `yaml:"names"`         // what it names
	InPool       string `yaml:"in-pool"`       // no hypothesis in the pool
	NoCard       string `yaml:"no-card"`       // no hypothesis in another area without a card
	Combine      string `yaml:"combine"`       // a hypothesis after dice and passage
	Again        string `yaml:"again"`         // no second hypothesis in a row in one room
	Spy          string `yaml:"spy"`           // on a spy square a seat sees a card of an opponent
	Ask          string `yaml:"ask"`           // the players asked
	Show         string `yaml:"show"`          // a seat that can show a card has to
	None         string `yaml:"none"`          // a seat that cannot says so
	Displaced    string `yaml:"displaced"`     // a pawn that was moved draws
	DisplacedNow string `yaml:"displaced-now"` // when it draws
}

// accusationRules are the rules of accusations and Powers.
type accusationRules struct {
	Accuse      string `yaml:"accuse"`       // when one accuses
	AccuseWhere string `yaml:"accuse-where"` // where one accuses
	Look        string `yaml:"look"`         // the accuser looks into the envelope
	Judge       string `yaml:"judge"`        // the envelope decides
	Wrong       string `yaml:"wrong"`        // after a wrong accusation
	Spent       string `yaml:"spent"`        // a Power serves once
	NotBoth     string `yaml:"not-both"`     // a look and an accusation exclude each other
}

// endRules are the rules of murders and the end.
type endRules struct {
	Dead     string `yaml:"dead"`     // after a murder
	Track    string `yaml:"track"`    // Time cards
	Open     string `yaml:"open"`     // a murdered hand is face up
	Card     string `yaml:"card"`     // cards out of turn
	Wins     string `yaml:"wins"`     // the end: a right accusation
	Murdered string `yaml:"murdered"` // all are murdered
	Lost     string `yaml:"lost"`     // all have accused wrongly
}

// ruleField is the rule of one topic: its key in the YAML, and the field that has it.
type ruleField struct {
	key  string
	rule *string
}

// allRuleFields returns the rules of all topics, in order.
func (r *ruleIDs) allRuleFields() (all []ruleField) {
	v := reflect.ValueOf(r).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		if !f.Anonymous {
			all = append(all, ruleField{f.Tag.Get("yaml"), v.FieldByIndex(f.Index).Addr().Interface().(*string)})
		}
	}
	return all
}

// policy is a point on which Cluedos differ.
type policy uint8

const (
	polTwoPlayers policy = iota
	polMode
	polHiddenRooms
	polTeamHidden
	polDeal
	polFirstPlayer
	polAskOrder
	polAccuseWhere
	polAccuseWhen
	polAccuseHeard
	polAccuserLooks
	polMovement
	polMustMove
	polAlwaysRoll
	polSameRoom
	polWeapons
	polSpies
	polMustCombine
	polDrawTiming
	polDrawOrigin
	polWrongTurns
	polWrongInterrupts
	polElsewhereRoom
	polClues
	polDebrief
	numPolicies
)

// policies has for each policy its id and the values that the code knows. The first value applies
// where an edition says nothing.
var policies = [numPolicies]struct {
	id     string
	values []string
}{
	// Whether two may play.
	polTwoPlayers: {"two-players", []string{"off", "on"}},
	// The players: single seats; two of them, or teams, with cards hidden in rooms. Which rooms,
	// and whether more than two teams hide cards.
	polMode:        {"mode", []string{"standard", "two-player", "team"}},
	polHiddenRooms: {"hidden-card-rooms", []string{"chosen", "corners"}},
	polTeamHidden:  {"team-hidden-cards", []string{"always", "two-teams-only"}},
	// Equal hands, with the rest in the pool; or all cards dealt, with one more for the first hands
	// left of the dealer.
	polDeal: {"deal", []string{"equal", "all"}},
	// The seat that begins: the highest roll; the seat left of the dealer, or the dealer, found by
	// the highest roll before the deal; or the player of the first suspect in deck order.
	polFirstPlayer: {"first-player", []string{"highest", "dealer-left", "dealer", "cast"}},
	// The seats asked: one after the other until one shows a card; all, unless the left neighbour
	// shows one; or all.
	polAskOrder: {"witness-query", []string{"until-first", "left-first-then-all", "all"}},
	// An accusation: where the pawn must be; whether it replaces a hypothesis or a look, or is
	// possible at any moment of the turn outside a question; and whether all players hear the named
	// cards.
	polAccuseWhere: {"accusation-location", []string{"pool", "any-room", "anywhere"}},
	polAccuseWhen:  {"accusation-moment", []string{"instead", "turn"}},
	polAccuseHeard: {"accusation-heard", []string{"all", "accuser"}},
	// Whether the program shows the cards of the envelope to a wrong accuser.
	polAccuserLooks: {"wrong-accuser-looks", []string{"no", "yes"}},
	// Whether a seat declares where its pawn is and is believed, with dice on the table; or
	// declares the roll first, and the squares are counted.
	polMovement: {"movement", []string{"declared", "checked"}},
	// Whether a seat has to move when it can (a seat in a room may have the right to stay and ask
	// there); whether it rolls before it chooses; and whether two hypotheses in a row may be made
	// in one room.
	polMustMove:   {"must-move", []string{"yes", "no", "unless-in-room"}},
	polAlwaysRoll: {"roll-when-not-moving", []string{"only-when-moving", "always"}},
	polSameRoom:   {"same-room-again", []string{"yes", "no"}},
	// Where the weapons begin: at the pool, anywhere on the board, where the pawns begin, or each
	// in a room of its own, drawn by chance.
	polWeapons: {"weapons-start", []string{"pool", "board", "start", "rooms"}},
	// Where walks pause on marked squares to see a card of an opponent: on each such square of a
	// move, or once in a turn.
	polSpies: {"spy-per-turn", []string{"each-square", "one"}},
	// Whether a hypothesis must follow a move that combines a walk and a passage.
	polMustCombine: {"combination-hypothesis", []string{"optional", "compulsory"}},
	// The card drawn by a seat whose pawn a hypothesis has moved: when, and for a pawn moved from
	// where.
	polDrawTiming: {"displacement-draw-timing", []string{"immediate", "until-own-turn", "never"}},
	polDrawOrigin: {"displacement-draw-origin", []string{"room", "anywhere"}},
	// What a seat that has accused wrongly keeps: turns, and cards out of turn.
	polWrongTurns:      {"wrong-accuser-turns", []string{"none", "stationary"}},
	polWrongInterrupts: {"wrong-accuser-interrupts", []string{"on", "off"}},
	// Whether the Power of a hypothesis elsewhere needs a pawn in a room.
	polElsewhereRoom: {"olive-needs-room", []string{"off", "on"}},
	// Whether clue cards are in play.
	polClues: {"clue-cards", []string{"on", "off"}},
	// Whether hands and solution are shown after the end.
	polDebrief: {"post-game-debrief", []string{"off", "on"}},
}

// hasSpySquares reports whether pawns pause on marked squares to see a card of an opponent
// (SC-060).
func (h *houseRules) hasSpySquares() bool { return h.walkPolicy().Marks == board.MarksPause }

// walkPolicyUnder returns how pawns walk under these house rules.
func (b *Book) walkPolicyUnder(switches map[string]string) board.Policy {
	p := b.Walk
	for _, sw := range b.Switches {
		p = p.WithWordsOf(sw.Walk[switches[sw.ID]])
	}
	return p
}

func (h *houseRules) walkPolicy() board.Policy {
	p := h.book.Walk
	for i := range h.book.walkRules {
		w := &h.book.walkRules[i]
		p = p.WithWordsOf(w.parts[h.rules[w.switchIndex]])
	}
	return p
}

// policyValue returns the value of a policy that is in force.
func (h *houseRules) policyValue(p policy) string {
	of := &h.book.policySettings[p]
	if of.switchNumber == 0 {
		return of.value
	}
	return h.book.switchTable[of.switchNumber-1].Values[h.rules[of.switchNumber-1]]
}

// needsDealer reports whether a dealer is found before the deal, instead of the seat that begins
// after it. An edition that leaves the choice to the table offers the dealer or the left neighbour.
func (b *Book) needsDealer() bool {
	how := b.policySettings[polFirstPlayer].value
	return how != "highest" && how != "cast"
}

// needsStarter is the opposite of needsDealer.
func (b *Book) needsStarter() bool { return !b.needsDealer() }

// startingSeat returns the seat that begins once the cards are dealt; zero: the dice decide.
func (s *public) startingSeat() engine.Seat {
	switch s.policyValue(polFirstPlayer) {
	case "dealer-left":
		return s.nextSeatLeftOf(s.dealer)
	case "dealer":
		return s.dealer
	case "cast":
		for who := uint8(1); int(who) <= len(s.book.deck.Suspects); who++ {
			if x := s.seatPlaying(who); x != 0 {
				return x
			}
		}
	}
	return 0
}

// hasTurns reports whether the taken seat x has turns.
func (s *seatedTurn) hasTurns(x engine.Seat) bool {
	p := &s.seats[x]
	return !p.dead && (!p.accusedWrongly || s.policyValue(polWrongTurns) == "stationary")
}

// hasActed reports whether the active seat has made its hypothesis of this turn, has looked at the
// pool, or has given both up.
func (s *seatedTurn) hasActed() bool { return s.hyp.by != 0 || s.hasPeeked() || s.gaveUpAct }

// hasPeeked reports whether the active seat has looked at the pool instead of making a hypothesis.
func (s *seatedTurn) hasPeeked() bool { return s.lookedAreas != 0 && !s.book.hasLookPhase() }

// refusal is the reason why an act is refused; its zero value: it is allowed.
type refusal struct {
	code      engine.Code
	rule, key string
}

// accusationRefusal returns why seat x may not accuse now. A seat accuses once in a game, at the
// moments and in the places of the edition (C8-110, SC-090, SC-091). At all these moments the
// active seat is the awaited one.
func (s *boardState) accusationRefusal(x engine.Seat) (no refusal) {
	r := &s.book.Rules
	switch {
	case s.seats[x].accusedWrongly:
		return refusal{engine.Forbidden, r.Wrong, "cl.no.accused"}
	case s.hasPeeked():
		return refusal{engine.NotNow, r.NotBoth, "cl.no.not-both"}
	case s.isAccusationExclusive() && s.hasActed():
		return refusal{engine.NotNow, r.Twice, "cl.no.not-now"}
	case s.isAccusationExclusive() && !s.waived.Contains(waivePlace) && !(s.step == stepAct && s.moved && s.canAccuseHere()):
		return refusal{engine.Forbidden, r.Accuse, "cl.no.accuse"}
	case !s.isUninterrupted() && s.step != stepDraw || s.step == stepMove && s.moved: // not on the way from a spy square
		return refusal{engine.NotNow, r.Accuse, "cl.no.accuse-turn"}
	case s.step == stepAct && s.needsHypothesis(): // accusing ends the turn (SC-097): a compulsory hypothesis comes first
		return refusal{engine.NotNow, r.Combine, "cl.no.must-ask"}
	case !s.canAccuseHere():
		return refusal{engine.Forbidden, r.AccuseWhere, "cl.no.accuse-room"}
	}
	return no
}

func (s *boardState) canAccuse() bool { return s.accusationRefusal(s.active) == (refusal{}) }

// isUninterrupted reports whether the turn is in one of its phases, with nothing to finish first.
func (t *turnState) isUninterrupted() bool {
	return t.step == t.phaseStep
}

// canAccuseHere reports whether an accusation is allowed where the active pawn is.
func (s *boardState) canAccuseHere() bool {
	switch where := s.policyValue(polAccuseWhere); {
	case s.waived.Contains(waivePlace):
		return true
	case where == "pool":
		return s.isInPool()
	case where == "any-room":
		return s.book.isRoom(s.activeArea())
	}
	return true
}

// hasSecretAccusations reports whether other players hear what an accusation names only once it has
// proved right (SC-092).
func (h *houseRules) hasSecretAccusations() bool { return h.policyValue(polAccuseHeard) == "accuser" }

// isAccusationExclusive reports whether an accusation replaces a hypothesis or a look.
func (h *houseRules) isAccusationExclusive() bool { return h.policyValue(polAccuseWhen) == "instead" }

// nextSeatToAsk returns the next seat to ask, going left from the asker; zero ends the questioning
// (C8-080 to C8-085, SC-076). It skips murdered seats.
func (s *seatedTurn) nextSeatToAsk() engine.Seat {
	switch how := s.policyValue(polAskOrder); {
	case how == "until-first" && s.hyp.hasShownCard(),
		how == "left-first-then-all" && s.hyp.answerOf[s.nextSeatLeftOf(s.active)] == saidShown:
		return 0
	}
	for x := s.nextSeatLeftOf(s.active); x != s.active; x = s.nextSeatLeftOf(x) {
		if !s.seats[x].dead && s.hyp.answerOf[x] == saidNothing {
			return x
		}
	}
	return 0
}
