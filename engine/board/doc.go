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
// How a pawn walks differs from game to game. It is a Policy, given with each
// walk, and this is what the rules ask for:
//
//	           Cluedo 2008       Super Cluedo                  current Cluedo
//	occupied   over (C8-047)     over (SC-033, SC-035)         block (CC-043, CC-045)
//	total      at-most (C8-046)  exact (SC-031, SC-032)        exact (CC-040)
//	squares    again             again (SC-031)                once (CC-042)
//	rooms      end (C8-052)      cross (SC-041)                end (CC-044)
//	passages   apart (C8-053)    step; last by the web text    apart (CC-047)
//	                             (SC-052, SC-053, SC-056)
//	short      no                anywhere; before by the web   no
//	                             text (SC-034)
//	marks      plain (C8-048)    pause (SC-060 to SC-064)      plain
//
// What is true of one walk alone comes with it, too: rooms that may not be entered
// again, the Hall and the garden path of Super Cluedo, which are no rooms of the
// game (SC-004, SC-056), its passages, and the marked squares that are used up. A
// walk that pauses on one is two walks: the second begins there, with the points
// that were left.
//
// Reach works in bit sets on the stack: it allocates nothing, and depends on no
// order but that of the drawing. Most policies cost a few passes over the board.
// Walks with an exact total that come nowhere twice have to be tried one after the
// other. With 12 points a search on a board like that of current Cluedo walks on
// from 2,835 places at worst, some thirty times the work of other policies, and on
// 700 squares without walls from 4,950. It is cut off after 262,144; squares
// that it has not excluded until then are believed. From a square, 12 points
// never come to that where rooms end a walk.
//
// The package knows no pawns, dice or cards; rooms are names. It holds nothing
// secret. Limits: 64 columns, 64 rows, 26 rooms, 700 squares, 255 points, 32 where
// the total is exact.
package board
