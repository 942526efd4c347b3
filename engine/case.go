package engine

// Case holds what only a Cluedo adds to a view. All of it is public, except the cards in Past.
//
// Limits: 12 pawns, 12 tokens, 9 answers to a hypothesis, 64 squares of reach, the last MaxPast
// hypotheses.
type Case struct {
	// Turn is the seat whose turn it is, even while the game waits for another seat; 0 outside
	// turns.
	Turn Seat `json:"turn,omitempty"`
	// Step is the current step of the turn or of the deal: one of the codes below.
	Step string `json:"step"`
	// Dice are the faces rolled in this turn, 0 for a face that draws a card; empty before the
	// roll.
	Dice   []int `json:"dice"`
	Points int   `json:"points"` // squares that the pawn may still walk
	// Way names the active seat's move: "dice", "passage", "stay", "card",
	// "power", or "" while it has not chosen.
	Way        string      `json:"way,omitempty"`
	Reach      []ID        `json:"reach"` // rooms within the points of the roll; needs a board
	Pawns      []Pawn      `json:"pawns"` // in deck order, including those of characters without a player
	Tokens     []Token     `json:"tokens"`
	Hypothesis *Hypothesis `json:"hypothesis,omitempty"` // the last one, until the next is made
	Pile       int         `json:"pile"`                 // event cards in the draw pile
	Pool       int         `json:"pool"`                 // mystery cards on the table, face down, for all players
	// Virtual reports that the program has dealt the cards: there may be no real cards on the
	// table.
	Virtual bool `json:"virtual,omitempty"`
	// Opened and Closes are the times on the game's clock at which the open window to step in
	// opened and at which it closes automatically; both 0 when none is open.
	Opened Millis `json:"opened,omitempty"`
	Closes Millis `json:"closes,omitempty"`
	// Past lists the hypotheses of this game as this seat heard them, oldest first: the last
	// MaxPast, including the current one. Nil for the public and the host.
	Past []Heard `json:"past,omitempty"`
}

// MaxPast is the most hypotheses that a view lists for a seat. Random games have 34 at most; six players
// with ten turns each make about 40. N of the first in the list shows how many are missing.
const MaxPast = 48

// Heard is a hypothesis and its answers. With empty Cards it is the correction of an earlier answer
// (GEN-E10).
type Heard struct {
	N     int    `json:"n"` // number in this game, from 1
	Round int    `json:"round"`
	By    Seat   `json:"by"`              // made the hypothesis, or corrects its own answer
	Cards []ID   `json:"cards,omitempty"` // suspect, weapon and room, named aloud
	None  []Seat `json:"none,omitempty"`  // could not show a card, in the order of asking
	Shown Seat   `json:"shown,omitempty"` // showed a card
	To    Seat   `json:"to,omitempty"`    // saw that card
	Saw   []Seat `json:"saw,omitempty"`   // also saw that card (C8-156)
	// Card is the card that Shown showed. Only Shown, To and Saw receive it, and only if the
	// program knows it (GEN-024).
	Card ID `json:"card,omitempty"`
	// More are the seats that showed a card to To after Shown did, in the order of asking (SC-076).
	More []Seat `json:"more,omitempty"`
	// MoreCards are the cards of More in the same order, "" for a card that this seat has not seen.
	// It is nil if this seat has seen none, because a table of ten has many. No field lists the
	// seats that also saw one of these.
	MoreCards []ID `json:"moreCards,omitempty"`
	// Hushed is the seat that played a card after which no seat answers any more (C8-157).
	Hushed    Seat `json:"hushed,omitempty"`
	Unrefuted bool `json:"unrefuted,omitempty"` // no seat has shown a card (C8-084)
	Upheld    bool `json:"upheld,omitempty"`    // the check found nothing to correct (GEN-E10)
}

// Steps of a turn (Cluedo 2008, T1 to T8).
const (
	StepStart     = "start"     // nothing rolled yet (T1)
	StepDraw      = "draw"      // event cards have to be drawn
	StepClue      = "clue"      // the active seat carries out a clue card (CC-030)
	StepReveal    = "reveal"    // a seat shows a card to all, or says that it does not have the one asked for (CC-031)
	StepMove      = "move"      // rolled, not moved yet (T2, T3)
	StepLook      = "look"      // the active seat looks at the card hidden in the room (CC-134)
	StepAct       = "act"       // hypothesis, peek or accusation (T4)
	StepDisplaced = "displaced" // a displaced seat may draw (T5)
	StepAnswer    = "answer"    // a seat has to answer (T6)
	StepShown     = "shown"     // a card has just been shown (T7)
	StepSpy       = "spy"       // on a spy square: which seat’s card to see (SC-060)
	StepNeighbour = "neighbour" // a seat shows a card of its choice (T8, SC-062)
	StepAmend     = "amend"     // a seat corrects an earlier answer
	StepVerdict   = "verdict"   // the accuser looks into the envelope (T4)
	StepEnd       = "end"       // only cards for the end of a turn may be played (T8)
)

// Steps of the deal.
const (
	StepHide = "hide" // the host chooses the rooms of the hidden cards (CC-130)
	StepLay  = "lay"  // a hidden card is put into one of them
)

// Pawn is a pawn on the board.
type Pawn struct {
	Suspect ID `json:"suspect"`
	// At is a room, the pool, or "" for a square outside all rooms.
	At ID `json:"at,omitempty"`
	// Square is "column,row" if the board is known and the pawn is on a square. Without a board it
	// is "start" on the start square and "question" on a « ? » square. Else "".
	Square string `json:"square,omitempty"`
	Gone   bool   `json:"gone,omitempty"` // out of the game
}

// Token is a weapon token and its room.
type Token struct {
	Weapon ID `json:"weapon"`
	At     ID `json:"at"`
}

// Hypothesis is a hypothesis as said aloud, and its answers.
type Hypothesis struct {
	By      Seat     `json:"by"`
	Suspect ID       `json:"suspect"`
	Weapon  ID       `json:"weapon"`
	Room    ID       `json:"room"`
	Answers []Answer `json:"answers"` // in the order of asking
}

// Answer is one seat's public answer.
type Answer struct {
	Seat Seat   `json:"seat"`
	Said string `json:"said"` // "asked" (no answer yet), "none", "shown"
}
