// Package cluedo implements the rules of the Cluedo games: one engine for the family, and data for
// each edition (edition.go). It implements engine.Rulebook and engine.Game. Rule ids are those of
// the project's rule reference. The editions so far are Cluedo 2008 (C8-nnn), Super Cluedo (SC-nnn)
// and the current Cluedo (CC-nnn). Without a drawn board, or where the table chooses so, players
// declare their moves and are believed (declare.go).
//
//	book, err := cluedo.New(DefaultDeck("cluedo-2008"))
//	game := book.NewGame()      // a lobby
//	events, reject := game.Decide(command, dice)
//	game = game.Apply(events...)
//
// # Phases and acts
//
//	lobby     host: sit seat name character · rise seat · switch name value · begin
//	dealing   reader show: three cards into the envelope, then the hands, seat by seat
//	          host: hide place (a room for a hidden card), hidden (all are in place, unread),
//	          sealed (the envelope is full, unread), deal (no real cards at all)
//	          seat or host: dealt (the hand is not read)
//	          host: count (all is read again), redeal (a new envelope)
//	starting  roll dice
//	          host: first seat; or, before dealing, dealer seat where the highest roll deals
//	turn      start: roll dice, passage, stay, draw; move too, where moves are declared
//	          draw card or kind · move to, passage to · spy seat, walk-on
//	          look card (at a hidden one; it may stay unnamed)
//	          act: hypothesis suspect weapon, peek, accuse suspect weapon room
//	          displaced: draw or pass · answer: answer card, none · shown: pass · verdict value · end
//	          clue: the choice that the clue card asks for, or nothing when it is done; nobody-has
//	          in their windows: play card, power
//	          host: lost seat, seen card, doubt, count · count-is of n, counted
//	over
//
// Once the cards are dealt, a seat may correct the record of its own hand: hold card, forget card.
// Such a claim binds that seat and proves nothing about others (GEN-021).
//
// The host may declare the public acts of the awaited seat, for a seat without a phone, and play its
// cards (play, power and pass with for=seat); a card shown by hand is then "unnamed". The host also
// reports a lost Butler card (lost seat) and cards that are face up: those of a murdered hand, or of
// the pool by accident (seen card, seat). No reader reads these: a card placed there by mistake
// would be shown to all. Cards that are played, and the one that Mrs Peacock draws, are named on the
// phone too. When mystery cards are missing, the host has them counted (count, count-is, counted:
// GEN-E09). When the real envelope does not match what the program judged, the host takes the
// accusation back, and from then on the accusers judge by looking (doubt).
//
// # Tables
//
// Each kind of thing is one row of a table: an event in event.go, a phase and a step of a turn in
// turn.go, an act of a seat in decide.go, one of the host in setup.go, a Butler card and a Power in
// butler.go. A new Butler card needs a row there, the id of its rule in the edition, and the cards
// in the deck.
//
// # Layers
//
// A state has layers. Each adds fields and sees those below it: houseRules, seating and turnState
// (with walkState in it); seatedTurn, which joins these three; boardState, the places of pawns and
// the numbers of cards; public, all that every player sees; recordState, the records of cards;
// answerState, what was said and shown; state, with the story. A method belongs to the lowest layer
// that has what it needs.
//
// knowledge is public plus what one viewer knows of the rest; offerList and the prompt use it.
// storyRecorder writes the story of an event.
//
// # Editions
//
// A point on which Cluedos differ is a policy (edition.go): an edition gives it a value, or leaves
// it to the table as a house rule. How pawns walk is one policy of several words (board.Policy); a
// house rule may change some of them. An edition also lists the rules it cites, the sentences that
// replace the family's, and the sizes of its box; it names the house rules, and lists presets of
// them. An owner's deck may bring an edition with only the differences from a built-in one
// (editions.go). A table is never offered anything that its edition has no cards or squares for.
//
// # Clue cards
//
// A clue card is drawn because of the dice and read aloud: all players know it. The deck says what
// it does (clue.go); what the program cannot do, the table does, and reports when it is done. If the
// card asks for the holder of a card, the seats are asked one by one, as after a hypothesis: at a
// real table, too, all hear when no one has it. The holder may show the card before it is asked, and
// the active seat may say for all that no one has it; this does not count where a recorded hand has
// the card (holder.go). The shown card stays in its hand, known to all (CC-031).
//
// # Windows
//
// A window is open after a card was shown, while a displaced seat may draw, and at the end of a turn
// while its seat could still play something, by public facts. It closes when all have passed or the
// time in the deck is over (C8-035). engine.Case has its times.
//
// # Answers
//
// An asked seat answers with a card or with "none". Any answer takes effect after the same delay, so
// its timing reveals nothing and others can play a card before it (C8-158). This delay is the whole
// window for "no answer", and no player sees it begin. If the hand is known, a false "none" is
// refused privately; otherwise it is believed, remembered, and corrected when the records contradict
// it (GEN-E10).
//
// # Showings
//
// A seat shows a card of its choice to one other, or to all: an answer, the card of the right
// neighbour, that of a player who is spied on, a corrected answer. Each kind is a row of showingRows
// (showing.go), which also says which seat shows one next; the event that begins the showing calls
// the first seat. A card that all have seen stays in its hand and is public.
//
// # Cards on the board
//
// The number of face-down mystery cards in each area is public (boardState.faceDownCount): those of
// the pool, or one in each of some rooms, in a mode that hides them. Only those who have looked know
// which cards they are: at the pool instead of a hypothesis, or at a hidden card before one, where
// the turn of the edition has that phase. A seat that looks places the card on the reader, which
// records it, or names it on the phone, which proves nothing.
//
// # Copies
//
// A player with copies of cards can present any of them: in its own turn, or as a bystander in the
// turn of another seat. Where a card is shown, an unwanted card is refused for that reason only,
// wherever it is recorded. A wanted card that is recorded elsewhere, or that is one too many for the
// hand, raises an alarm that all hear, in the same words for every card (GEN-E13). So does every
// card that cannot be where an Intrigue card is drawn or a hidden card is looked at, even one of the
// seat's own hand. A card that all can see raises none.
//
// After an alarm in the deal the game stops: no card is accepted and no seat may act until the host
// has the cards counted, or deals all again with a new envelope. A deal that went on would reveal
// the three cards of the envelope by three alarms, to the owner of 24 copies.
//
// # What may leak
//
// The type public and the layers below it have no hidden value. The places of cards, what was shown,
// and private log lines are hidden values or in the ledger, above it. Views read hidden values only
// for their viewer. The program may know the solution by elimination, from cards that were read or
// that it dealt; Decide uses that only to judge an accusation. All players know that an alarm was
// raised; the one who presented the card may learn from it that the card is recorded elsewhere.
package cluedo
