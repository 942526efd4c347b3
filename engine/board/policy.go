package board

import "slices"

// Policy is how a game walks. Its values are words, as an edition writes them; a
// word that is missing is the first of its list, and all the first words together
// are Cluedo 2008. Which rule of which game asks for which word stands in the
// comment of the package.
type Policy struct {
	Occupied Occupied `yaml:"occupied"`
	Total    Total    `yaml:"total"`
	Squares  Squares  `yaml:"squares"`
	Rooms    Rooms    `yaml:"rooms"`
	Passages Passages `yaml:"passages"`
	Short    Short    `yaml:"short"`
	Marks    Marks    `yaml:"marks"`
}

// Occupied is what a pawn on a square does to a walk. Nobody ever stops on its
// square; the pawn that walks is not in its own way.
type Occupied string

const (
	Over  Occupied = "over"  // it is walked over and counts as a square
	Block Occupied = "block" // it is as good as a wall, before a door too
)

// Total is how many points a walk uses that stops on a square.
type Total string

const (
	AtMost Total = "at-most" // as many as it likes
	Exact  Total = "exact"   // all of them; a room may be entered with points left
)

// Squares is whether a walk may come twice to the same place.
type Squares string

const (
	Again Squares = "again" // it may go back and forth
	Once  Squares = "once"  // no square and no room twice; the start counts as used
)

// Rooms is what a room does to a walk.
type Rooms string

const (
	End   Rooms = "end"   // who enters it stops there; a walk does not come back into the room that it starts in
	Cross Rooms = "cross" // it is also walked through, as one square, the room of the start too
)

// Passages is how a walk uses the passages that are given with it.
type Passages string

const (
	Apart Passages = "apart" // not at all: to take a passage is no part of a walk
	Step  Passages = "step"  // as a step of one point, at any time; it ends the walk unless it leads into an area
	Last  Passages = "last"  // as a step of one point that ends the walk
)

// Short is where a walk with an exact total may stop that would end on an occupied
// square, if the shortest way there uses the whole total (SC-034). It says nothing
// where pawns block.
type Short string

const (
	No       Short = "no"       // nowhere on that way
	Anywhere Short = "anywhere" // on every free square of that way, but not where it begins
	Before   Short = "before"   // on the square before the occupied one, if it is free
)

// Marks is what a marked square does to a walk.
type Marks string

const (
	Plain Marks = "plain" // nothing
	Pause Marks = "pause" // one may stop there with points left and walk on with them afterwards
)

// Stay is how a walk treats an area: a room of the drawing that is no room of the
// game (Walk.Areas). A walk may stop in a room with points left, and Policy.Rooms
// says whether it may also walk on from there.
type Stay string

const (
	May     Stay = "may"   // as a room that is crossed, and one may walk on after a passage into it, too
	Must    Stay = "must"  // who enters it stops there
	ByTotal Stay = "total" // as May, but one stops there as on a square: as the total asks
)

// Word is one word of a policy, under the key that an edition writes it with.
type Word struct {
	Key, Word string
	Known     []string // the words of that key, the one that is meant by none first
}

// Words lists the words of a policy, in the order of the fields; one that is missing is left
// out.
func (p Policy) Words() []Word {
	return slices.DeleteFunc(p.all(), func(w Word) bool { return w.Word == "" })
}

// Vocabulary lists the keys of a policy in the order of the fields, with the words of each.
func Vocabulary() []Word { return Policy{}.all() }

func (p Policy) all() []Word {
	return []Word{
		{"occupied", string(p.Occupied), words(Over, Block)},
		{"total", string(p.Total), words(AtMost, Exact)},
		{"squares", string(p.Squares), words(Again, Once)},
		{"rooms", string(p.Rooms), words(End, Cross)},
		{"passages", string(p.Passages), words(Apart, Step, Last)},
		{"short", string(p.Short), words(No, Anywhere, Before)},
		{"marks", string(p.Marks), words(Plain, Pause)},
	}
}

// With is the policy with the words of a part in the place of its own.
func (p Policy) With(part Policy) Policy {
	put(&p.Occupied, part.Occupied)
	put(&p.Total, part.Total)
	put(&p.Squares, part.Squares)
	put(&p.Rooms, part.Rooms)
	put(&p.Passages, part.Passages)
	put(&p.Short, part.Short)
	put(&p.Marks, part.Marks)
	return p
}

func put[T ~string](to *T, word T) {
	if word != "" {
		*to = word
	}
}

func words[T ~string](all ...T) (out []string) {
	for _, w := range all {
		out = append(out, string(w))
	}
	return out
}

// Stays are the words for Stay.
func Stays() []string { return words(May, Must, ByTotal) }
