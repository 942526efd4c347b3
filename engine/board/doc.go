// Package board is a Cluedo board as a graph: squares that pawns walk on, and
// rooms that squares lead into by doors. It answers one question: where can a
// pawn stop with so many points?
//
// A board is drawn as text, one character a square, so that an owner can mend
// it with any editor:
//
//	#  nothing, or a wall          .  a square of the corridors
//	?  a square with a mark        A  inside of a room (any capital letter)
//	a  a door: this cell of room A can be entered from every square beside it
//
// New checks a drawing and tells each fault with its row and column; Reach
// answers.
//
// The package knows no pawns, dice or cards; rooms are names. It holds nothing
// secret. Limits: 64 columns, 64 rows, 26 rooms, 700 squares.
package board
