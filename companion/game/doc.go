// Package game runs one game at the table: it takes the inputs of readers, phones, buttons and the clock, has
// the rules decide them, stores the resulting events and publishes what each viewer may see.
//
// One goroutine, the loop, handles the inputs one after the other. For a command it asks the game
// (engine.Game.Decide), writes the events to disk (Journal.Append), changes the game (Apply) and sends the
// updates (Publisher.Publish).
//
//	loop, err := game.New(journal, publisher, books, opts)  loads the game that was open
//	go loop.Run(ctx)
//	loop.HandleReading("urn", reading)         tags have come into the field of a reader
//	loop.RemoveTag("urn", uid)                 one of them has left it
//	loop.Act(phone, act, reply)                an act of a phone or of the host's page
//	loop.PressControl("pause")                 a button or a control card of the table
//	loop.SetReaderState, loop.SetOnline        which readers and phones are connected
//	loop.Snapshot(viewer)                      the last update, from any goroutine
//
// A refused command writes nothing and changes nothing. Each step, even a refused card, sends exactly one update
// to each viewer, in one call of Publish.
//
// # Files
//
// In this order of reading a file uses those below it; at most one use in ten goes back up.
//
//	controls, orders, strays, deckchange, loop              what comes in, from any goroutine
//	table, timers                                           the parts get the loop as their master.Table; what is due
//	acts, ownacts, readings                                 an input becomes a command, or something that is done
//	publish, core                                           a step for all viewers
//	newgame, open, withdraw, notes, currentgame, pause      the game on the table: it writes the journal and publishes nothing
//	step, rights                                            the updates of a step, for each viewer and role
//	replay, figures, minutes, lastpositions                 what can be read from the events of a stored game
//	gamestate, commitment, parts                            the events of a game are folded; which parts there are
//	readerfields, phones, display, deadlines, shownnotices  values that know no game
//	opts                                                    what the loop needs
//
// # Acts
//
// A game has acts of its own. The parts of the game master (package master) add some, and so does the loop, for
// the host only:
//
//	undo  force=yes        takes the last act back; force is needed if a player has seen something by it
//	new-game  game=ID seats=keep|clear
//	skip-scene             during a scene: the phones no longer wait for the display
//
// A game with a gate (package box) also begins with force=yes, although the box is not full.
//
// Seats have acts to correct a mistake, which are not moves of the game (GEN-009, package corrections):
//
//	withdraw               takes back this seat's last public declaration, if no seat knows more or less
//	                       because of it
//	propose-undo           asks all living seats to take the last step back, whatever it shows; they answer
//	                       with agree-undo or refuse-undo. One refusal, or any further step of the game, ends
//	                       the vote
//
// One act is not a step of the game at all:
//
//	note  marks=TEXT rev=N stores the seat's note sheet with the game (wire.ActNote), at most once a second
//	                       for each phone. Update.Notes shows it only to that seat, on all its phones
//
// Each step is stored with its command and the seed of its dice, so that a game can be replayed as a script. Its
// cause names the author: a seat, a device of the host, a button, a program or the clock.
//
// # What the table is committed to
//
// Each update has the root over the facts of the deal, each with a salt, and the head over all steps (wire.Proof), so
// that the machine can change neither later. A viewer is given the salts of the facts that its own view states
// (commitment).
//
// # Timing keeps secrets
//
// The urn gathers tags for a fixed window from the first tag on; all of them are one presentation. So an accepted
// card, a refused card, an unreadable one and two at once are answered after the same delay (GEN-003, GEN-004,
// GEN-E06). The public update of a refusal depends only on Reject.Public. The true reason is sent only to Reject.To.
//
// # Cards at the wrong moment
//
// A card that comes before a card is awaited is ignored (GEN-E11). If its reader begins to wait within 30 s, and
// the card is still the only one on it, it is presented then, once. An accepted card in the slot of the urn keeps
// the slot until it leaves, for at most 10 s. Until then a second card counts as one too many of the same hand
// (GEN-E06). After that the first card is assumed to be in the pile below, so that it cannot block the urn.
//
// If the tag of an accepted card returns within half a second and before any other, it counts as never removed
// (GEN-E04): there is no new presentation. After that it is decided as any other card. A longer silence would show
// the next seat, whose player might try copies of cards, which card was accepted (GEN-E13).
//
// A tag that cannot name a card, such as a phone or a bank card with a random number, is neither a presentation
// nor a second card (Loop.ReportStrayTag, GEN-E14); the cards next to it count. At most once a minute the host and the
// seat that the reader waits for get a notice. It is not public and does not depend on the other tags.
//
// If a tag is on two readers that both answer, one of the two is a copy (GEN-E13). Its presentation then waits for
// the urn's window at any reader, so that the removal of a card that was only moved can arrive. After that the
// rules decide it as a copy (engine.ArgDoubled).
//
// A card that is on a reader when the daemon starts may have been accepted long ago or forgotten there. It is
// not presented until it is lifted and put down again.
//
// # When the disk fails
//
// The game is paused and the updates show it (Update.Paused); the game clock stops and commands are refused. The
// loop tries the journal again after 1, 2, 4 ... 30 seconds. As soon as it can write, the loop reads the game from
// it again, so that the game in memory is the one on disk. A file that is deleted or replaced while the loop runs
// is such a failure (Loop.PauseForFailure), with a message of its own.
//
// A part can pause the game from its start on, until the host has decided (package losses: events are missing).
//
// # Scenes
//
// While a display is connected it plays each reveal as a scene: an opened urn with its dead, midnight, the verdict
// of a Cluedo. Until the scene ends, the phones and the host's page show the step before it, offer nothing to do
// in the game and ask to watch the display. Meanwhile each act of the game and each correction by a seat is
// refused with the same words, offered or not, and the host's undo always needs force: a different offer or
// refusal would show who has died. So would the answer to a card. A card that comes during a scene is decided when
// the scene ends, if it is still on the reader or has fallen into the urn, and is not answered before.
//
// Other reveals (a card turned up, an hour, the end of the game) reach the phones 1.2 s after the display. The loop
// computes the scene from the happenings and the clock (wire.Playing), so that a phone that reconnects in the
// middle shows what the others show, and no page holds what it must not show yet. Deadlines wait as long. A scene
// ends at once, on the phones and on the display, when the game goes on or is paused. A disconnected display counts
// for five more seconds, because one that returns to the Wi-Fi plays on; after that, and without a display, the
// phones do not wait. The host can end the wait (skip-scene), in case the page that counts as a display has no
// audience.
//
// # The story of the evening
//
// When a game is over, StoryJSON returns all that has happened in it (engine.Chronicle). It is public and the same for
// all viewers, even for a phone that comes later or after a restart. Undone steps are not in it. It is gone when
// the next game is opened.
//
// # Accounts
//
// Package staff knows the accounts and the people signed in on the host's devices; the loop asks it (People).
// Without accounts the host's page may do all that the host may. With accounts, a device without a signed-in
// person shows only what is public. One table (rights) says which role may do which act. An act that a role may
// not do is neither offered to it nor shown, and it is checked when it is decided. Step.HostUpdates builds the
// updates of the devices for the people who are signed in at the time of the call, so that a sign-in needs no
// step. The name of the author is the cause of the step, for the host's pages, the minutes and the figures; all
// others see the role.
//
// # Phones
//
// A seat may have several phones, in each game. All show the same, byte for byte. An act of any of them is an act
// of the seat, but the answer goes only to the phone that acted; neither the seat's other phones nor other seats get
// a refusal. Each phone counts its own acts.
//
// All viewers get a notice when a phone has joined a seat, is cut off or turned away, or when a used code was tried
// again (Announce). It names the seat, not the phone. It is shown for six seconds, whatever else is published, and
// does not replace the private notice of a seat.
//
// # Limits
//
// 64 inputs waiting, 16 announcements waiting, 8 acts waiting for one phone, 16 tags in one presentation, 8 readers,
// 64 deadlines in a row, 64 different foreign tags in a check of the box.
package game
