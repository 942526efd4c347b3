// Package audit follows a game of Huis Clos by its stored events only and reports which viewer may know
// which card. It is written from the rules (2.15, which lists who learns what) and shares no code with the
// engine: where the two disagree, one of them is wrong. Tests use it to look for leaks in views, logs,
// lights and on the wire, and to make a second world that differs only in what a player has not seen
// (Swap).
//
//	a := audit.New(start)
//	a.ApplyEvent(kind, data)     each stored event, in order
//	a.HasSeen(viewer, card)      the viewer has been shown this card at some time
//
// It holds every secret of the game, as the store does; it is for tests.
//
// Limits: games from the lobby on; positions of scripts ("posed") are not followed. The location of each
// card is exact only while every card is recorded. A card that moves unnamed keeps its last location, so
// the audit may believe that more was shown than really was.
package audit
