// Package game is the loop that owns one game. One goroutine takes the inputs
// one after the other; for each it asks the game (Decide), has the events on
// disk (Journal.Append), changes the game (Evolve) and shows it (Publish).
//
//	loop, err := game.New(journal, publisher, books, opts)  the open game stands there again
//	go loop.Run(ctx)
//	loop.Present("urn", seen)        tags have come into the field of a reader
//	loop.Left("urn", uid)            one of them has left it
//	loop.Act(phone, act, reply)      a phone or the host's page acts
//	loop.Press("pause")              a button or a control card of the table
//	loop.Reader, loop.Online         what the machine knows of itself
//	loop.Snapshot(viewer)            the last view, at any time from any goroutine
//
// A refused command writes nothing and changes nothing. Every step, refused
// scans included, sends exactly one update to each viewer in one call.
//
// The loop adds acts to those of the game, and so do the parts of a game master (package master), which it asks one by one. Its own, to the
// host alone:
//
//	undo  force=yes        takes the last act back; over something seen only with force
//	new-game  game=ID seats=keep|clear
//	next-group  sign=NAME  ends every key of a seat, the game and its notes, and checks the box; begin force=yes begins without a full one
//	skip-scene             during a scene: the phones wait for the display no longer
//	go-on                  after a start that has found something missing: plays on with
//	                       what is left
//	restore  backup=NAME   then, too: starts anew with a backup of this table
//
// And to seats, outside the moves of the game (GEN-009):
//
//	withdraw               takes back what this seat has just declared in public, as long
//	                       as no seat knows more or less by it
//	propose-undo           asks all living seats to take the last step back, whatever
//	                       it shows; agree-undo and refuse-undo answer. One refusal or
//	                       any further step of the game ends the vote
//
// And one act is no step of the game at all:
//
//	note  marks=TEXT rev=N keeps the seat's note sheet with the game, see wire.ActNote;
//	                       one a second of each phone. Update.Notes shows it to that seat
//	                       alone, to all its phones
//
// Each step is stored with its command and the seed of its dice, so that a game
// can be played again as a script. Its cause is who has brought it about; of the host, which
// of its devices.
//
// # Secrets in time
//
// Tags at the urn are gathered for a constant window from the first one; then
// all of them are one presentation. So an accepted card, a refused one, an
// unreadable one and two at once answer after the same delay (GEN-003, GEN-004,
// GEN-E06). The public update of a refusal depends on Reject.Public alone; the
// true reason goes to Reject.To and nobody else.
//
// # At the wrong moment
//
// A card that is laid before anybody is to lay one is ignored (GEN-E11); if it still
// lies there alone when its reader begins to wait, within 30 s, it is presented
// anew, once. A card in the slot of the urn that was accepted holds the slot
// for its hand until it leaves, but no longer than 10 s: until then a second card
// is one too many of that hand (GEN-E06), and after that the first is taken for
// one of the pile, which must not block the urn for ever.
//
// The tag of a card that was accepted and that comes back within half a second, before any
// other, has not left (GEN-E04): that is no presentation. Later it is judged as every
// other card is: a longer silence would tell the next seat, who tries copies of cards,
// which one was accepted (GEN-E13).
//
// A tag that cannot name a card, such as a phone or a bank card that wakes with another number each time, is no presentation and no second
// card (Loop.Stray, GEN-E14): what lies beside it counts. At most once a minute the host and the seat that the reader waits for are told;
// nothing of it is public, and nothing hangs on what else lies there.
//
// A tag that lies at two readers which both answer is a copy (GEN-E13). Its presentation
// waits for the window of the urn at any reader, in which a card that was only moved over
// is told to have left; then the rules judge it as such (engine.ArgDoubled).
//
// A card that lies at a reader when the daemon comes up may have been accepted long ago, or
// forgotten there: it is no presentation, whichever card it is, until it has been lifted and
// laid again. So a player who laid one just then hears nothing, and lays it again.
//
// # When the disk fails
//
// The game stands still and says so (Update.Paused); the clock of the game
// stops. Commands are refused. The loop tries the journal again after 1, 2, 4
// ... 30 seconds; when it writes again the game is read back from it, so that
// what stands on the table is what is on disk. A file that is deleted or replaced
// under the loop is such a failure (Loop.Fail); it is said in its own words.
//
// What the journal has lost by its own account when the loop starts (Keeper) pauses
// the game until the host has chosen: to go on, or to restore a backup. The host's
// update names each loss; everybody else hears that there is one.
//
// # Reveals
//
// While a display is connected it plays what is revealed: an opened urn with its
// dead, midnight, the verdict of a Cluedo. The phones and the host's page then go on showing the step before,
// without anything to do in the game, until the scene is over; they ask to watch the
// display. Every act of the game, and every correction of a seat, is refused in the same
// words meanwhile, also one that nobody offered, and the host's undo always has to be
// insisted on: what is offered or refused would tell who has died. So would the answer to a
// card: one laid during a scene is judged when that is over, if it still lies there or has
// fallen into the urn, and nobody is told anything before. Other reveals (a card turned up, an hour, the end) reach them
// 1.2 s after the display. The scene is made here, from what has happened and the clock
// (wire.Playing), so that a phone that reconnects in the middle sees what
// all others see, and no page holds what it must not show yet. Deadlines wait as
// long. The scene ends at once, for phones as for the display, when the game goes on
// or pauses. A display that has gone counts for five seconds more, because one that
// comes back to the Wi-Fi plays on; then, and without a display, nobody waits.
// The host can end the wait (skip-scene): the page that counts as a display may be one
// that nobody looks at.
//
// # The story of the evening
//
// Once a game is over, Story is all that has happened in it (engine.Chronicle), public and the
// same for everybody: also for a phone that comes later, and after a restart. What is taken back is
// in none. It goes with the next game.
//
// # Accounts
//
// Who has an account and who is signed in on which of the host's devices is package staff's; the loop asks (People). Without accounts the
// host's page may do all that the host may. With them a device where nobody is signed in is shown what everybody sees. What a role may is
// one table (rights), and what it may not is neither offered to it nor shown: each act is checked when it is judged, and Step.Hosts makes the
// updates of the devices for who is signed in when it is called, so that a sign-in is shown without a step. The name of who acts is the
// cause of the step, for the host's pages, minutes and figures; everybody else is told the role.
//
// # Phones
//
// A seat may have several phones, in every game. All are shown the same, byte for byte;
// an act of any is the seat's, and its answer goes to the phone that acted: a refusal
// is nothing that the others of the seat have to read, and no other seat sees either.
// Each phone counts its acts for itself.
//
// That a phone has joined a seat or was cut off and that a used code was tried again is
// told to everybody (Announce), and so is that a phone was turned away; it names
// the seat and says nothing of the phone. Such news stands for six seconds, whatever
// is shown meanwhile, and takes no seat's private reason away.
//
// Limits: 64 inputs waiting, 16 announcements waiting, 8 acts waiting for one phone, 16 tags in one
// presentation, 8 readers, 64 deadlines in a row, 64 foreign tags told apart in a
// check of the box.
package game
