package cluedo

import (
	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/internal/rules"
)

// edition is what one Cluedo has of its own. It is data, a file of the folder editions; everything else
// is the family's.
type edition struct {
	Game    engine.ID `yaml:"edition"` // not in a deck, which says it
	Like    engine.ID `yaml:"like"`    // only there: the edition that it differs from
	Name    label     `yaml:"name"`
	Players struct {
		Least int `yaml:"least"` // two is with the house rule for two
		Most  int `yaml:"most"`
	} `yaml:"players"`
	Sizes struct {
		Suspects int `yaml:"suspects"`
		Weapons  int `yaml:"weapons"`
		Rooms    int `yaml:"rooms"`
		Places   int `yaml:"places"` // areas of the board without a card, but the pool
		Times    int `yaml:"times"`  // Time cards
		Hidden   int `yaml:"hidden"` // mystery cards that lie in rooms, in the modes that hide some
	} `yaml:"sizes"`
	// Policies are those that its rulebook settles, by id, and Walk is how pawns walk. Switches
	// leaves others to the table, each with the rule that it changes; the value by the rulebook
	// comes first. A switch that is no policy says for each value which words of Walk it means.
	Policies map[string]string `yaml:"policies"`
	Walk     board.Policy      `yaml:"walk"`
	Switches []houseRule       `yaml:"switches"`
	// Presets are values of Switches under one name each.
	Presets []preset `yaml:"presets"`

	// Words are sentences of the family that stand in the place of others, by their keys, and
	// Sentences are some of its own: by such a key, or by a rule that it cites.
	Words     map[string]string `yaml:"words"`
	Sentences map[string]label  `yaml:"sentences"`

	Rules  ruleIDs           `yaml:"rules"`
	Events map[string]string `yaml:"events"` // rule of each kind of event card
	// MarkedFace is what the face of a die without a number counts, and how many event cards it brings.
	MarkedFace struct {
		Points int `yaml:"points"`
		Draws  int `yaml:"draws"`
	} `yaml:"marked-face"`
	// MarkedSquares says that the board has some.
	MarkedSquares bool              `yaml:"marked-squares"`
	Powers        map[string]string `yaml:"powers"` // rule of each Power
	// Turn are the phases of a turn in order, by the code of their step.
	Turn []string `yaml:"turn"`

	turn     []step            // Turn, as the engine goes through it
	switches rules.Switches    // Switches, as the engine reads them
	bundled  [maxSwitches]bool // those that presets set
	settled  [numPolicies]settled
	walkBy   []walkRule
}

// houseRule is a switch as an edition calls it.
type houseRule struct {
	ID     string       `yaml:"id"`
	Rule   string       `yaml:"rule"`
	FR     string       `yaml:"fr"`
	EN     string       `yaml:"en"`
	Values []deck.Named `yaml:"values"`
	// Walk is what each value means of how pawns walk.
	Walk map[string]board.Policy `yaml:"walk"`
	// Labels are what each value calls cards that the deck leaves nameless, by their ids, and Sentences
	// what it says in the place of sentences of the family, by their keys.
	Labels    map[string]map[engine.ID]label `yaml:"labels"`
	Sentences map[string]map[string]label    `yaml:"sentences"`
	// When are values of other switches: without one of them it changes nothing.
	When map[string][]string `yaml:"when"`
}

// ids are its values.
func (h *houseRule) ids() (all []string) {
	for _, v := range h.Values {
		all = append(all, string(v.ID))
	}
	return all
}

// isOwn reports a switch that is no policy of the family: it changes how pawns walk, or what is said.
func (h *houseRule) isOwn() bool { return h.Walk != nil || h.Labels != nil || h.Sentences != nil }

// label is a name in both languages.
type label struct {
	FR string `yaml:"fr"`
	EN string `yaml:"en"`
}

func (l label) text() engine.Text { return engine.T(l.FR, l.EN) }

// settled is how an edition settles a policy: by the value of one of its switches, counted
// from 1, or once for all.
type settled struct {
	by    int
	value string
}

// walkRule is what a switch settles of Walk: the parts of each of its values.
type walkRule struct {
	by    int // as in rules.Switches
	parts []board.Policy
}

// ruleIDs are the rules that the family cites, by what they say. An edition has those of what
// there is in it.
type ruleIDs struct {
	Players      string `yaml:"players"`       // how many play
	Character    string `yaml:"character"`     // each seat has a character
	Envelope     string `yaml:"envelope"`      // three cards lie in the envelope
	Deal         string `yaml:"deal"`          // the others are dealt
	Begins       string `yaml:"begins"`        // who begins
	Next         string `yaml:"next"`          // whose turn it is, and when
	Way          string `yaml:"way"`           // one way of moving in a turn
	Dice         string `yaml:"dice"`          // the dice
	Draw         string `yaml:"draw"`          // an event card is drawn
	Drawn        string `yaml:"drawn"`         // when one is
	Twice        string `yaml:"twice"`         // one action in a turn
	Stuck        string `yaml:"stuck"`         // a pawn that cannot leave its room
	Leave        string `yaml:"leave"`         // a room has to be left
	Back         string `yaml:"back"`          // not back into a room that was left
	Passage      string `yaml:"passage"`       // secret passages
	Reach        string `yaml:"reach"`         // where a move may end
	Stay         string `yaml:"stay"`          // whoever was moved may stay
	Window       string `yaml:"window"`        // how long others may interrupt
	Pool         string `yaml:"pool"`          // the pool
	Peek         string `yaml:"peek"`          // a look at cards that lie face down
	Nothing      string `yaml:"nothing"`       // an empty pool
	Hidden       string `yaml:"hidden"`        // cards that lie in rooms
	Hypothesis   string `yaml:"hypothesis"`    // when a hypothesis is made
	Names        string `yaml:"names"`         // what it names
	InPool       string `yaml:"in-pool"`       // none in the pool
	NoCard       string `yaml:"no-card"`       // none in another place without a card
	Combine      string `yaml:"combine"`       // a hypothesis after dice and passage
	Again        string `yaml:"again"`         // none in the room of one's last
	Spy          string `yaml:"spy"`           // an opponent shows a card to whoever stops on a spy square
	Ask          string `yaml:"ask"`           // who is asked
	Show         string `yaml:"show"`          // who can show a card has to
	None         string `yaml:"none"`          // who cannot says so
	Displaced    string `yaml:"displaced"`     // a pawn that was moved draws
	DisplacedNow string `yaml:"displaced-now"` // when it draws
	Accuse       string `yaml:"accuse"`        // when one accuses
	AccuseWhere  string `yaml:"accuse-where"`  // and where
	Look         string `yaml:"look"`          // the accuser looks into the envelope
	Judge        string `yaml:"judge"`         // the envelope decides
	Wrong        string `yaml:"wrong"`         // after a wrong accusation
	Spent        string `yaml:"spent"`         // a Power serves once
	NotBoth      string `yaml:"not-both"`      // a look and an accusation exclude each other
	Dead         string `yaml:"dead"`          // after a murder
	Track        string `yaml:"track"`         // Time cards
	Open         string `yaml:"open"`          // a murdered hand lies open
	Card         string `yaml:"card"`          // cards out of turn
	Wins         string `yaml:"wins"`          // the end: a right accusation
	Murdered     string `yaml:"murdered"`      // all are murdered
	Lost         string `yaml:"lost"`          // all have accused wrongly
}

// policy is a point on which Cluedos differ.
type policy uint8

const (
	polTwo policy = iota
	polMode
	polHiddenRooms
	polTeamHidden
	polDeal
	polFirst
	polAsk
	polAccuseWhere
	polAccuseWhen
	polAccuseHeard
	polLooks
	polMovement
	polMove
	polRoll
	polAgain
	polWeapons
	polSpies
	polOblige
	polTiming
	polOrigin
	polTurns
	polInterrupts
	polElsewhere
	polClues
	polDebrief
	numPolicies
)

// policies are the id of each and the values that the family plays, the first where an edition
// says nothing.
var policies = [numPolicies]struct {
	id     string
	values []string
}{
	// Whether two may play.
	polTwo: {"two-players", []string{"off", "on"}},
	// Who plays: seats; two of them, or teams, with cards that lie hidden in rooms. Which rooms, and
	// whether more than two teams have them.
	polMode:        {"mode", []string{"standard", "two-player", "team"}},
	polHiddenRooms: {"hidden-card-rooms", []string{"chosen", "corners"}},
	polTeamHidden:  {"team-hidden-cards", []string{"always", "two-teams-only"}},
	// Hands are equal, and what is left over lies in the pool; or all cards are dealt, and
	// the first hands left of the dealer have one more.
	polDeal: {"deal", []string{"equal", "all"}},
	// Who begins: the highest roll; the seat left of the dealer, or the dealer, who has the
	// highest roll before the deal; or whoever plays the first suspect of the deck that is played.
	polFirst: {"first-player", []string{"highest", "dealer-left", "dealer", "cast"}},
	// Who is asked: one after the other, until one has shown a card; until the left
	// neighbour has, else all; or all.
	polAsk: {"witness-query", []string{"until-first", "left-first-then-all", "all"}},
	// An accusation: where one stands; instead of a hypothesis or a look, or at any moment of
	// one's turn that is not a question; and who hears what it names.
	polAccuseWhere: {"accusation-location", []string{"pool", "any-room", "anywhere"}},
	polAccuseWhen:  {"accusation-moment", []string{"instead", "turn"}},
	polAccuseHeard: {"accusation-heard", []string{"all", "accuser"}},
	// Whether a wrong accuser is shown here what it may find in the envelope.
	polLooks: {"wrong-accuser-looks", []string{"no", "yes"}},
	// Whether a seat says where its pawn stands and is believed, with dice that lie on the table, or
	// tells the roll first and its squares are counted.
	polMovement: {"movement", []string{"declared", "checked"}},
	// Whether a seat has to move, when it can: who stands in a room may have the right to stay and
	// ask there. Whether the dice are rolled before that is chosen. And whether two hypotheses of a
	// seat may follow in one room.
	polMove:  {"must-move", []string{"yes", "no", "unless-in-room"}},
	polRoll:  {"roll-when-not-moving", []string{"only-when-moving", "always"}},
	polAgain: {"same-room-again", []string{"yes", "no"}},
	// Where the weapons lie at first: at the pool, anywhere on the board, where the pawns begin, or
	// by chance, each in a room of its own.
	polWeapons: {"weapons-start", []string{"pool", "board", "start", "rooms"}},
	// Where a walk pauses on marked squares one sees a card of an opponent there: on each such
	// square of a move, or once in a turn.
	polSpies: {"spy-per-turn", []string{"each-square", "one"}},
	// Whether a hypothesis has to follow a walk and a passage in one move.
	polOblige: {"combination-hypothesis", []string{"optional", "compulsory"}},
	// A seat whose pawn was moved by a hypothesis draws a card: when, and moved from where.
	polTiming: {"displacement-draw-timing", []string{"immediate", "until-own-turn", "never"}},
	polOrigin: {"displacement-draw-origin", []string{"room", "anywhere"}},
	// What is left to a seat that has accused wrongly: turns, and cards out of turn.
	polTurns:      {"wrong-accuser-turns", []string{"none", "stationary"}},
	polInterrupts: {"wrong-accuser-interrupts", []string{"on", "off"}},
	// Whether the Power of a hypothesis elsewhere is used in a room alone.
	polElsewhere: {"olive-needs-room", []string{"off", "on"}},
	// Whether clue cards are played with.
	polClues: {"clue-cards", []string{"on", "off"}},
	// Whether hands and solution are shown after the end.
	polDebrief: {"post-game-debrief", []string{"off", "on"}},
}

// pausesOnMarks reports that one stops on marked squares and sees a card of an opponent there (SC-060).
func (h *houseRules) pausesOnMarks() bool { return h.walks().Marks == board.Pause }

// walkUnder is how pawns walk under these house rules.
func (b *Book) walkUnder(switches map[string]string) board.Policy {
	p := b.Walk
	for _, sw := range b.Switches {
		p = p.With(sw.Walk[switches[sw.ID]])
	}
	return p
}

// walks is how pawns walk by the house rules in force.
func (h *houseRules) walks() board.Policy {
	p := h.book.Walk
	for i := range h.book.walkBy {
		w := &h.book.walkBy[i]
		p = p.With(w.parts[h.rules[w.by]])
	}
	return p
}

// rule is the value in force of a point on which Cluedos differ.
func (h *houseRules) rule(p policy) string {
	of := &h.book.settled[p]
	if of.by == 0 {
		return of.value
	}
	return h.book.switches[of.by-1].Values[h.rules[of.by-1]]
}

// dealsFirst reports that the dealer is found before the deal, and not who begins after it:
// an edition that leaves it to the table who begins leaves it the dealer or their neighbour.
func (b *Book) dealsFirst() bool {
	how := b.settled[polFirst].value
	return how != "highest" && how != "cast"
}

// beginsFirst is the contrary.
func (b *Book) beginsFirst() bool { return !b.dealsFirst() }

// opener is who begins once the cards are dealt; zero: the dice say it.
func (s *public) opener() engine.Seat {
	switch s.rule(polFirst) {
	case "dealer-left":
		return s.after(s.dealer)
	case "dealer":
		return s.dealer
	case "cast":
		for who := uint8(1); int(who) <= len(s.book.deck.Suspects); who++ {
			if x := s.playing(who); x != 0 {
				return x
			}
		}
	}
	return 0
}

// turns reports that seat x, which is taken, has turns.
func (s *seatedTurn) turns(x engine.Seat) bool {
	p := &s.seats[x]
	return !p.dead && (!p.wrong || s.rule(polTurns) == "stationary")
}

// acted reports that the active seat has made its hypothesis of this turn or looked at the pool, or
// has given both up.
func (s *seatedTurn) acted() bool { return s.hyp.by != 0 || s.peeked() || s.forgone }

// peeked reports that it has looked at the pool, in the place of a hypothesis.
func (s *seatedTurn) peeked() bool { return s.looked != 0 && !s.book.looksFirst() }

// refusal is why an act is refused; its zero value: it is not.
type refusal struct {
	code      engine.Code
	rule, key string
}

// noAccuse is why seat x may not accuse now: once in the game, when the edition says, and
// where one stands (C8-110, SC-090, SC-091). At no such moment another seat than the active one is awaited.
func (s *boardState) noAccuse(x engine.Seat) (no refusal) {
	r := &s.book.Rules
	switch {
	case s.seats[x].wrong:
		return refusal{engine.Forbidden, r.Wrong, "cl.no.accused"}
	case s.peeked():
		return refusal{engine.NotNow, r.NotBoth, "cl.no.not-both"}
	case s.instead() && s.acted():
		return refusal{engine.NotNow, r.Twice, "cl.no.not-now"}
	case s.instead() && !s.waived.Has(waivePlace) && !(s.step == stepAct && s.moved && s.accusesHere()):
		return refusal{engine.Forbidden, r.Accuse, "cl.no.accuse"}
	case !s.uninterrupted() && s.step != stepDraw || s.step == stepMove && s.moved: // not on the way from a spy square
		return refusal{engine.NotNow, r.Accuse, "cl.no.accuse-turn"}
	case s.step == stepAct && s.mustAsk(): // it ends the turn (SC-097), and what is compulsory comes before
		return refusal{engine.NotNow, r.Combine, "cl.no.must-ask"}
	case !s.accusesHere():
		return refusal{engine.Forbidden, r.AccuseWhere, "cl.no.accuse-room"}
	}
	return no
}

// accuses reports that the active seat may accuse now.
func (s *boardState) accuses() bool { return s.noAccuse(s.active) == (refusal{}) }

// uninterrupted reports that a phase of the turn stands, in a turn, and nothing that has to be settled first.
func (t *turnState) uninterrupted() bool {
	return t.step == t.part
}

// accusesHere reports that the active seat stands where one may accuse.
func (s *boardState) accusesHere() bool {
	switch where := s.rule(polAccuseWhere); {
	case s.waived.Has(waivePlace):
		return true
	case where == "pool":
		return s.inPool()
	case where == "any-room":
		return s.book.isRoom(s.here())
	}
	return true
}

// accusesUnheard reports that nobody hears an accusation before it is right (SC-092).
func (h *houseRules) accusesUnheard() bool { return h.rule(polAccuseHeard) == "accuser" }

// instead reports that an accusation takes the place of a hypothesis and of a look.
func (h *houseRules) instead() bool { return h.rule(polAccuseWhen) == "instead" }

// asks is the seat that is asked after those before, left of the asker; zero ends the
// questioning (C8-080 to C8-085, SC-076). Murdered seats are passed over.
func (s *seatedTurn) asks() engine.Seat {
	switch how := s.rule(polAsk); {
	case how == "until-first" && s.hyp.shown(), how == "left-first-then-all" && s.hyp.said[s.after(s.active)] == saidShown:
		return 0
	}
	for x := s.after(s.active); x != s.active; x = s.after(x) {
		if !s.seats[x].dead && s.hyp.said[x] == saidNothing {
			return x
		}
	}
	return 0
}
