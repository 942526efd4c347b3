// Package huisclos implements the rules of Huis Clos (Nicolas Castaing, 2004): 4 to 8 players, one of them
// secretly the Murderer. Its types are an engine.Rulebook and an engine.Game; rule ids are those of the
// project's rule reference (HC-nnn).
//
//	book, err := huisclos.New(DefaultDeck())
//	game := book.NewGame()      // a lobby
//	events, reject := game.Decide(command, dice)
//	game = game.Apply(events...)
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
// A search has two steps, as at the table: take one clue; then, with three clues in hand before, leave
// another one (swap) or destroy one; with fewer, destroy one or be done (HC-062 to HC-065). If a role card
// has to be turned up and is not known, the game asks for it in any phase: role value=murderer|innocent, or
// the card at a reader.
//
// # What the machine need not know
//
// Every act on a hidden clue also accepts card=unnamed, if the machine does not know all the clues that it
// may be (GEN-024). Besides the moves of the game there are:
//
//	seat           hold card · forget card      corrects in private the record of its
//	                                            hand (GEN-021)
//	               disagree                     an observer was shown another clue (4.2)
//	host           count · count-is of n · counted    a count of the cards (GEN-E09)
//	               pawn seat place              a pawn is elsewhere (GEN-009)
//	               shuffled place               clues were seen by accident (4.2)
//
// custody.go explains what is recorded, claimed and unnamed; choices.go how the limits of a hand and a role
// apply when they are known only in part. When the urn is opened it lists its clues only if every one of
// them is recorded.
//
// For a seat without a phone the host may declare every act of the active seat, and an observation: hidden
// clues unnamed, open ones by name. An act of the host is decided by public facts: a refusal must not show
// the host a hand or a role. What all players see is true: records follow it (GEN-001), unless the card is
// on record elsewhere. A clue that cannot be where it is presented, at a reader or in public, raises one
// public alarm, the same for every clue (GEN-E13; astray.go). If a count then finds every number right, the
// records are dropped. While the roles are drawn or the clues placed, the game stops after an alarm until
// the host has answered: all of these cards are shuffled and read again.
//
// Limits that come from a hidden card or role (HC-045) bind only the phone and the readers of that seat.
// One limit binds the host as well: a weapon to be recovered by a seat whose hand and role are known must
// be recovered on that phone or reader.
//
// # What may leak
//
// A state is made of layers. Each adds fields and sees those below it: houseRules and seating; seatedRules,
// which is both together; boardState, the state of the round; public, all that every player may see;
// recordState, the records of the clues; roleState; inquiryState, the clues taken, given, shown and read;
// state, with the story. A method belongs to the lowest layer that has what it needs. The type public and
// the layers below it hold no hidden value. Roles, the place of each clue, claims, sightings and private
// log lines are hidden values or in the ledger,
// in the layers above. Views are built by view.go, offers.go and what they call. They read a hidden value
// only if the viewer may see it. Only deciding, storing, applying events and checking invariants open one
// for no viewer. The number of recorded clues of a holder is no hidden value: it decides what a seat is
// asked to name, and only the host sees it, as a grade.
package huisclos
