// Package huisclos is the rules of Huis Clos (Nicolas Castaing, 2004): 4 to 8
// players, one of them secretly the Murderer. It implements engine.Rulebook and
// engine.Game; rule ids are those of the project's rule reference (HC-nnn).
//
//	book, err := huisclos.New(deck.HuisClos())
//	game := book.New()          // a lobby
//	events, reject := game.Decide(command, dice)
//	game = game.Evolve(event)   // for each of the events
//
// # Phases and acts
//
//	lobby          host: sit seat name character · rise seat · first seat · switch name value · begin
//	roles          reader show, or the seat: role value=murderer|innocent · host: draw-roles
//	laying         reader show, each clue face down · host: deal
//	pick           reader show · seat: keep card
//	investigation  move place · search, exchange seat, accuse seat card or pass ·
//	               take card (reader show) · leave card, destroy card or done ·
//	               draw and give card (reader show) · others: observe
//	deposit        reader urn · seat: deposit card
//	reveal         open, by the first player
//	recovery       both readers · recover card · lay card place
//	over
//
// A search is taken in two steps, as at the table: take one clue; then, with
// three in hand before, leave another one (swap) or destroy one; with fewer,
// destroy one or be done (HC-062 to HC-065).
//
// The host may declare the public acts of the active seat (move, search, open,
// recover and such), for a seat without a phone. What the host declares is
// judged by what is public: a refusal must not tell the host a hand or a role.
// Limits that bind only through a hidden card or role (HC-045) bind the phone
// and the readers of that seat.
//
// # What may leak
//
// Roles, the place of each clue and private log lines lie in box.Box. Views
// are built by view.go and offers.go through Box.See alone. Open is used to
// judge, to store, to apply events and to check invariants.
package huisclos
