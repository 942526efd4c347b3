// Package audit follows a game of Huis Clos from its stored events alone and
// tells who may know which card. It is written from the rules (2.15, who learns
// what) and shares no line with the engine: where the two disagree, one of them
// is wrong. Tests use it to look for leaks in views, logs, lights and on the
// wire, and to make a second world that differs only in what somebody has not
// seen (Rename).
//
//	a := audit.New(start)
//	a.Feed(kind, data)           each stored event, in order
//	a.May(viewer, card)          the viewer has been shown this card at some time
//
// It holds every secret of the game, as the store does; it is for tests.
//
// Limits: games from the lobby on; positions of scripts ("posed") are not
// followed. Where lies each card is exact only while every card is recorded; of a
// card that is moved without being named it keeps the last spot, so that it may
// think more to be shown than is.
package audit
