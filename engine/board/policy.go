package board

import "slices"

// Policy says how pawns walk in a game. Its values are the words that an edition uses. A missing
// word means the first of its list, and all first words together are Cluedo 2008. The package
// comment says which rule of which game needs which word.
type Policy struct {
	Occupied Occupied `yaml:"occupied"`
	Total    Total    `yaml:"total"`
	Squares  Squares  `yaml:"squares"`
	Rooms    Rooms    `yaml:"rooms"`
	Passages Passages `yaml:"passages"`
	Short    Short    `yaml:"short"`
	Marks    Marks    `yaml:"marks"`
}

// Occupied says how a walk treats a square with a pawn on it. No walk stops on such a square. The
// pawn that walks does not block itself.
type Occupied string

const (
	OccupiedOver  Occupied = "over"  // the walk may cross it; it counts as a square
	OccupiedBlock Occupied = "block" // like a wall, also in front of a door
)

// Total says how many points a walk must use to stop on a square.
type Total string

const (
	TotalAtMost Total = "at-most" // up to all of them
	TotalExact  Total = "exact"   // all of them; a room may be entered with points left
)

// Squares says whether a walk may visit the same place twice.
type Squares string

const (
	SquaresAgain Squares = "again" // yes
	SquaresOnce  Squares = "once"  // no square and no room twice; the start counts as visited
)

// Rooms says how a walk treats a room.
type Rooms string

const (
	RoomsEnd   Rooms = "end"   // the walk stops in it; it cannot return into the room where it started
	RoomsCross Rooms = "cross" // the walk may also cross it, as one square; that of the start too
)

// Passages says how a walk may use its passages.
type Passages string

const (
	PassagesApart Passages = "apart" // not at all: taking a passage is not part of a walk
	PassagesStep  Passages = "step"  // as a step of one point, at any time; ends the walk unless it leads into an area
	PassagesLast  Passages = "last"  // as a step of one point that ends the walk
)

// Short says where else a walk with an exact total may stop if it would end on an occupied square
// and the shortest way there uses the whole total (SC-034). It has no effect with OccupiedBlock.
type Short string

const (
	ShortNo       Short = "no"       // nowhere
	ShortAnywhere Short = "anywhere" // on any free square of that way, except its start
	ShortBefore   Short = "before"   // on the square before the occupied one, if it is free
)

// Marks says how a walk treats a marked square.
type Marks string

const (
	MarksPlain Marks = "plain" // like any other square
	MarksPause Marks = "pause" // the pawn may stop there with points left and walk on with them later
)

// Stay says how a walk treats an area: a room of the drawing that the rules do not count as a room
// (Walk.Areas). In a real room a walk may stop with points left, and Policy.Rooms says whether it
// may also continue.
type Stay string

const (
	StayMay     Stay = "may"   // like a room that may be crossed, also after a passage into it
	StayMust    Stay = "must"  // the walk stops there
	StayByTotal Stay = "total" // like StayMay, but a walk stops there only as on a square: see Total
)

// PolicyWord is one word of a policy, with the key that an edition uses for it.
type PolicyWord struct {
	Key, Word string
	Known     []string // all words of that key, the default first
}

// GivenWords returns the words of a policy in field order, without the missing ones.
func (p Policy) GivenWords() []PolicyWord {
	return slices.DeleteFunc(p.allWords(), func(w PolicyWord) bool { return w.Word == "" })
}

// KnownPolicyWords returns the keys of a policy in field order, with the known words of each.
func KnownPolicyWords() []PolicyWord { return Policy{}.allWords() }

func (p Policy) allWords() []PolicyWord {
	return []PolicyWord{
		{"occupied", string(p.Occupied), toStrings(OccupiedOver, OccupiedBlock)},
		{"total", string(p.Total), toStrings(TotalAtMost, TotalExact)},
		{"squares", string(p.Squares), toStrings(SquaresAgain, SquaresOnce)},
		{"rooms", string(p.Rooms), toStrings(RoomsEnd, RoomsCross)},
		{"passages", string(p.Passages), toStrings(PassagesApart, PassagesStep, PassagesLast)},
		{"short", string(p.Short), toStrings(ShortNo, ShortAnywhere, ShortBefore)},
		{"marks", string(p.Marks), toStrings(MarksPlain, MarksPause)},
	}
}

// WithWordsOf returns the policy with the words of part in place of its own, where part has any.
func (p Policy) WithWordsOf(part Policy) Policy {
	setIfGiven(&p.Occupied, part.Occupied)
	setIfGiven(&p.Total, part.Total)
	setIfGiven(&p.Squares, part.Squares)
	setIfGiven(&p.Rooms, part.Rooms)
	setIfGiven(&p.Passages, part.Passages)
	setIfGiven(&p.Short, part.Short)
	setIfGiven(&p.Marks, part.Marks)
	return p
}

func setIfGiven[T ~string](to *T, word T) {
	if word != "" {
		*to = word
	}
}

func toStrings[T ~string](all ...T) (out []string) {
	for _, w := range all {
		out = append(out, string(w))
	}
	return out
}

// KnownStayWords returns the words for Stay.
func KnownStayWords() []string { return toStrings(StayMay, StayMust, StayByTotal) }
