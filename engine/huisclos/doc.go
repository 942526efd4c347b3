// Package huisclos is the rules of Huis Clos (Nicolas Castaing, 2004): 4 to 8
// players, one of them secretly the Murderer. It implements engine.Rulebook and
// engine.Game; rule ids are those of the project's rule reference (HC-nnn).
//
//	book, err := huisclos.New(DefaultDeck())
//	game := book.New()          // a lobby
//	events, reject := game.Decide(command, dice)
//	game = game.Evolve(events...)
//
// # Phases and acts
//
//	lobby          host: sit seat name character · rise seat · first seat · switch name value · begin
//	roles          reader show, or the seat: role value=murderer|innocent|unknown · host: draw-roles
//	laying         reader show, each clue face down · host: deal · laid
//	pick           reader show · seat: keep card
//	investigation  move place · search, exchange seat, accuse seat card [confirm] or pass ·
//	               take card (reader show) · leave card (reader show with a full hand),
//	               destroy card or done · draw and give card (reader show) ·
//	               others: observe
//	deposit        reader urn · seat: deposit card · no-deposit
//	reveal         open, by the first player · both readers, show card · shown
//	recovery       both readers · recover card · pass · lay card place
//	over
//
// A search is taken in two steps, as at the table: take one clue; then, with
// three in hand before, leave another one (swap) or destroy one; with fewer,
// destroy one or be done (HC-062 to HC-065). A role card that has to be turned
// up and is not known is asked for in any phase: role value=murderer|innocent,
// or the card at a reader.
//
// # What the machine need not know
//
// Every act on a hidden clue takes card=unnamed too, where the machine does not
// know all the clues that it may be (GEN-024). Aside from the moves of the game:
//
//	seat           hold card · forget card      corrects in private what its hand is
//	                                            taken for (GEN-021)
//	               disagree                     an observer was shown another clue (4.2)
//	host           count · count-is of n · counted    a count of the cards (GEN-E09)
//	               pawn seat place              a pawn stands elsewhere (GEN-009)
//	               shuffled place               clues were seen by accident (4.2)
//
// custody.go says what is recorded, claimed and unnamed; choices.go how far the
// limits of a hand and a role bind when they are known in part. The urn lists
// nothing when it is opened unless every clue in it is recorded.
//
// The host may declare every act of the active seat, and an observation, for a
// seat without a phone: hidden clues unnamed, open ones by name. What the host
// declares is judged by what is public: a refusal must not tell the host a hand
// or a role. What lies before everybody is true: records follow it (GEN-001), unless
// it is on record elsewhere. A clue that cannot be where it is presented, at a reader
// or for all to see, is met by one public alarm, the same for every clue (GEN-E13;
// astray.go); a count that then finds every number right gives up what was on record. While
// the roles are drawn or the clues laid, the game stands after an alarm until the host has
// answered: all of them are shuffled and read again.
// Limits that bind only through a hidden card or role (HC-045) bind the phone
// and the readers of that seat; only a weapon to be recovered by a seat whose
// hand and role are known is left to these.
//
// # What may leak
//
// A state is made of layers, each of which adds fields and sees those below it: houseRules and seating;
// seatedRules, both together; boardState, where the game stands in a round; public, all that everybody
// sees; recordState, where clues are recorded; roleState; state. A method stands on the lowest that has
// what it needs. The type public and the layers below it hold no hidden value. Roles, the place of each
// clue, claims, sightings and private log lines lie in box.Box or the ledger, above it. Views are built by view.go, offers.go and what they call through
// Box.See alone. Open is used to judge, to store, to apply events and to check
// invariants. How many clues of a holder are recorded is a plain number: it
// decides what a seat is asked to name, and the host alone sees it as a grade.
package huisclos
