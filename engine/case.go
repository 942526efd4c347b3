package engine

// Case is what a Cluedo adds to a view. All of it is public but the cards of Past.
//
// Limits: 12 pawns, 12 tokens, 9 answers to a hypothesis, 64 squares of reach, MaxPast
// hypotheses of the evening.
type Case struct {
	// Turn is the seat whose turn it is, whoever is awaited; 0 outside turns.
	Turn Seat `json:"turn,omitempty"`
	// Step is where the turn, or the deal, stands: one of the codes below.
	Step string `json:"step"`
	// Dice are as rolled in this turn, 0 for a face that draws a card; empty
	// before the roll.
	Dice   []int `json:"dice"`
	Points int   `json:"points"` // squares that may still be walked
	// Way is how the active seat has moved or is moving: "dice", "passage",
	// "stay", "card", "power", or "" while it has not chosen.
	Way        string      `json:"way,omitempty"`
	Reach      []ID        `json:"reach"` // rooms that the points can reach, with a board
	Pawns      []Pawn      `json:"pawns"` // in deck order, also of characters that nobody plays
	Tokens     []Token     `json:"tokens"`
	Hypothesis *Hypothesis `json:"hypothesis,omitempty"` // the last one, until the next is made
	Pile       int         `json:"pile"`                 // event cards in the draw pile
	Pool       int         `json:"pool"`                 // mystery cards lying face down for all
	// Virtual: the machine has dealt, and there need be no cards on the table.
	Virtual bool `json:"virtual,omitempty"`
	// Opened and Closes are when the window that is open now was opened and when it
	// closes by itself, on the game's clock; both 0 when none is open.
	Opened Millis `json:"opened,omitempty"`
	Closes Millis `json:"closes,omitempty"`
	// Past are the hypotheses of this game as this seat heard them, the one under way
	// too: the last MaxPast, oldest first. Nil for the public and the host.
	Past []Heard `json:"past,omitempty"`
}

// MaxPast is how many hypotheses a seat is shown. Random games have 34 at most, and an
// evening of six with ten turns each has about 40. N of the first tells how many it is
// not shown any more.
const MaxPast = 48

// Heard is a hypothesis and how it was answered, or an earlier answer that is put right
// (GEN-E10), which names no Cards.
type Heard struct {
	N     int    `json:"n"` // counts them from 1 in each game
	Round int    `json:"round"`
	By    Seat   `json:"by"`              // who asked, or puts its answer right
	Cards []ID   `json:"cards,omitempty"` // suspect, weapon and room, named aloud
	None  []Seat `json:"none,omitempty"`  // who could show nothing, in the order of asking
	Shown Seat   `json:"shown,omitempty"` // who showed a card
	To    Seat   `json:"to,omitempty"`    // to whom
	Saw   []Seat `json:"saw,omitempty"`   // who has seen that card too (C8-156)
	// Card is the one that was shown: for Shown, To and Saw alone, and only where the
	// machine knows it (GEN-024).
	Card ID `json:"card,omitempty"`
	// More showed a card after Shown did, in the order of asking, to the same seat (SC-076).
	More []Seat `json:"more,omitempty"`
	// MoreCards are their cards in the same order, "" for one that this seat has not seen (who
	// has seen one too stands nowhere), and nil if it has seen none: a table of ten has many of them.
	MoreCards []ID `json:"moreCards,omitempty"`
	// Hushed played a card after which nobody answers (C8-157).
	Hushed    Seat `json:"hushed,omitempty"`
	Unrefuted bool `json:"unrefuted,omitempty"` // nobody has shown a card (C8-084)
	Upheld    bool `json:"upheld,omitempty"`    // there was nothing to put right (GEN-E10)
}

// Steps of a turn (Cluedo 2008, T1 to T8).
const (
	StepStart     = "start"     // nothing rolled yet (T1)
	StepDraw      = "draw"      // event cards have to be drawn
	StepClue      = "clue"      // the active seat carries out a clue card (CC-030)
	StepReveal    = "reveal"    // a seat shows a card to everybody, or says that it has not the one that is looked for (CC-031)
	StepMove      = "move"      // rolled, not moved yet (T2, T3)
	StepLook      = "look"      // a look at the card that is hidden in the room (CC-134)
	StepAct       = "act"       // hypothesis, peek or accusation (T4)
	StepDisplaced = "displaced" // a displaced seat may draw (T5)
	StepAnswer    = "answer"    // a seat is asked (T6)
	StepShown     = "shown"     // a card has just been shown (T7)
	StepSpy       = "spy"       // on a spy square: whose card is seen? (SC-060)
	StepNeighbour = "neighbour" // somebody shows a card of its choice (T8, SC-062)
	StepAmend     = "amend"     // an earlier answer is put right
	StepVerdict   = "verdict"   // the accuser looks into the envelope (T4)
	StepEnd       = "end"       // only cards of the end of a turn (T8)
)

// Steps of the deal.
const (
	StepHide = "hide" // the rooms of hidden cards are chosen (CC-130)
	StepLay  = "lay"  // a card is laid into one of them
)

// Pawn is a pawn on the board.
type Pawn struct {
	Suspect ID `json:"suspect"`
	// At is a room, the pool, or "" for a square outside all rooms.
	At ID `json:"at,omitempty"`
	// Square is "column,row" where the board is known and the pawn stands on a
	// square, "start" on its start square, "question" on a « ? » square without
	// a board, else "".
	Square string `json:"square,omitempty"`
	Gone   bool   `json:"gone,omitempty"` // out of the game
}

// Token is a weapon token and the room where it lies.
type Token struct {
	Weapon ID `json:"weapon"`
	At     ID `json:"at"`
}

// Hypothesis is what was said aloud and how it was answered.
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
	Said string `json:"said"` // "asked" (still waited for), "none", "shown"
}
