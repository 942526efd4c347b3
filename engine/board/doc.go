// Package board finds where a pawn can stop on a Cluedo board with a number of points. A board is a
// graph of squares, on which pawns walk, and rooms, which squares lead into by doors.
//
// A board is drawn as text, one character a square, so that an owner can change it with any editor:
//
//	#  nothing, or a wall          .  a square of the corridors
//	?  a square with a mark        A  inside of a room (any capital letter)
//	a  a door: this cell of room A can be entered from each neighbouring square
//
// New checks a drawing and reports each fault with its row and column. Board.FindReach returns
// where a walk may stop.
//
// How a pawn walks differs from game to game. Each walk has a Policy, and these are the words for
// the rules:
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
// A Walk also has the facts of one move: rooms that may not be entered again; the Hall and the
// garden path of Super Cluedo, which the rules do not count as rooms (SC-004, SC-056); its
// passages; and the marked squares used in this move. A walk that pauses on a marked square is two
// walks: the second starts there, with the points that were left.
//
// FindReach works in bit sets on the stack. It allocates nothing, and its result depends only on
// the order of the drawing. Most policies cost a few passes over the board. Walks with an exact
// total and no repeated square are tried one by one. With 12 points on a board like that of current
// Cluedo such a search visits 2,835 places at worst, which costs about thirty times as much as
// other policies; on 700 squares without walls it visits 4,950. It stops after 262,144 places and
// then accepts every square not excluded so far. A walk of 12 points from a square never reaches
// that limit if rooms end a walk.
//
// The package has no pawns, dice or cards, and rooms are only names. Nothing in it is secret.
// Limits: 64 columns, 64 rows, 26 rooms, 700 squares, 255 points, 32 if the total is exact.
package board
