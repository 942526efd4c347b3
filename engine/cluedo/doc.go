// Package cluedo is the rules of the Cluedos: one engine for the family, and an
// edition for each box, which is data (edition.go). It
// implements engine.Rulebook and engine.Game; rule ids are those of the
// project's rule reference. The editions so far are Cluedo 2008 (C8-nnn), Super Cluedo
// (SC-nnn) and the current Cluedo (CC-nnn). Where no board is drawn,
// and where the table plays so, moves are declared and believed (declare.go).
//
//	book, err := cluedo.New(DefaultDeck("cluedo-2008"))
//	game := book.New()          // a lobby
//	events, reject := game.Decide(command, dice)
//	game = game.Evolve(events...)
//
// # Phases and acts
//
//	lobby     host: sit seat name character · rise seat · switch name value · begin
//	dealing   reader show: three cards into the envelope, then the hands, seat by
//	          seat · host: hide place (where cards lie hidden), hidden (they lie there unread), sealed (envelope not read), deal (no cards at all) ·
//	          seat or host: dealt (the hand is not read) · host: count (all is read again), redeal (a new envelope)
//	starting  roll dice · host: first seat, or dealer seat where the highest roll deals, before dealing
//	turn      start: roll dice, passage, stay, draw; move too, where moves are declared · draw card or kind ·
//	          move to, passage to · spy seat, walk-on · look card (at a hidden one; it may stay unnamed) · act: hypothesis suspect weapon, peek, accuse suspect
//	          weapon room · displaced: draw or pass · answer: answer card, none ·
//	          shown: pass · verdict value · end · clue: what the clue card has the seat choose, or done; nobody-has
//	          in their windows: play card, power
//	          host: lost seat, seen card, doubt, count · count-is of n, counted
//	over
//
// Once the cards are dealt a seat may mend the record of its own hand: hold card, forget
// card. What it names binds that seat and judges nobody (GEN-021).
// The host may declare the public acts of the seat that is awaited, for a seat
// without a phone, and play its cards (play, power and pass with for=seat); a
// card that was shown by hand is then "unnamed". The host also says when a Butler
// card is lost (lost seat), and which cards lie open: those of a murdered hand, or of
// the pool by accident (seen card, seat). No reader does: a card laid on it by mistake
// would be shown to all. Cards that are played, and the one that Mrs Peacock draws, are
// named on the phone too. When mystery cards are missing the host has them counted
// (count, count-is, counted: GEN-E09); when the real envelope does not agree with what
// the machine has judged, it takes the accusation back and leaves judging to those who
// look (doubt).
//
// # Tables
//
// What there is to know of one kind of thing is one row: an event in event.go, a phase
// and a step of a turn in turn.go, an act in decide.go, one of the host in setup.go, a
// Butler card and a Power in butler.go. A new Butler card is a row there, the id of its
// rule in the edition, and the cards in the deck.
//
// # Layers
//
// A state is made of layers, each of which adds fields and sees those below it: houseRules, seating and
// turnState, with walkState in it; seatedTurn, those three together; boardState, where pawns stand and how many cards lie where;
// public, all that everybody sees; recordState, where cards are recorded; answerState, what was said and
// shown; state, the story. A method stands on the lowest layer that has what it needs.
//
// knowledge is public and what one viewer knows of the rest; offerList and the prompt are made of it. teller
// writes the story of an event.
//
// # Editions
//
// A point on which Cluedos differ is a policy (edition.go): an edition settles it by a value, or
// leaves it to the table as a house rule. How pawns walk is one policy of several words
// (board.Policy), of which a house rule may change some. An edition also says which rules are cited, which
// sentences stand in the place of the family's, and what a box of it holds; it names the house rules, and lists presets of
// them. The deck of an owner may bring an edition, which says only what differs from one of these (editions.go). What it has no cards
// or squares for, its table never hears of.
//
// # Clue cards
//
// A clue card is drawn by the dice and read aloud: all know which it is. The deck says what it
// does (clue.go); the table does what the program knows nothing of, and says when it is done. Who
// holds a card that is looked for is asked, seat by seat, as after a hypothesis: that nobody has it
// is what all hear at a real table, too. The holder may show it before it is asked, and the active seat
// may say for all that nobody has it, which does not count where a hand on record has it (holder.go). The card stays in its hand, where all know it (CC-031).
//
// # Windows
//
// A window is open after a card was shown, while a displaced seat may draw, and at the
// end of a turn while its seat could still play something, by public facts; it closes
// when all have passed or its time of the deck is over (C8-035). Case tells when.
//
// # Answers
//
// A seat that is asked answers with a card or with "none". The answer takes
// effect after a constant delay, whatever it is, so that its timing tells nothing
// and others can play a card before it (C8-158): that moment is the whole window for
// "no answer", and nobody is told that it has begun. With a known hand a false "none"
// is refused, privately; else it is believed, remembered, and put right when the
// records contradict it (GEN-E10).
//
// # Showings
//
// A seat shows a card of its choice to one other, or to everybody: an answer, the card of the
// right neighbour, that of somebody who is spied on, an answer that is put right. Each kind is a
// row of showings (showing.go), which also says who shows one next; the event that begins it calls the
// first seat. What all have seen stays in its hand, and is public.
//
// # Cards on the board
//
// How many mystery cards lie face down where is public (boardState.lying): those of the pool, or one in
// each of some rooms, in a mode that hides them. Which they are nobody knows but who has looked: at
// the pool in the place of a hypothesis, at a hidden card before it, where the turn of the edition has
// that phase. Whoever looks lays the card on the reader, which records it, or says on the phone which
// it was, which judges nobody.
//
// # Copies
//
// Somebody with copies of cards can present any of them: in its own turn, or as a bystander
// who lays one beside the seat that is asked. Where a card is shown, one that is not among
// those wanted is refused for that alone, wherever it lies. A card that is wanted and that
// the record holds elsewhere, or that is one too many for the hand, is refused with an alarm
// that all hear, in the same words whichever card it was (presentation.Alarm, GEN-E13): so is every
// card that cannot be where an Intrigue card is drawn or a hidden card is looked at, also one of
// the seat's own hand. A card whose place all can see is no such case.
//
// In the deal the game stands after an alarm: no card is judged and no seat may act until
// the host has the cards counted, or all dealt again with a new envelope. A deal that went on
// would name, to the owner of 24 copies, the three of the envelope by three alarms.
//
// # What may leak
//
// The type public and the layers below it hold no hidden value. Where each card is, what was shown,
// and private log lines lie in box.Box or the ledger, above it.
// Views are built through Box.See. The machine may know the solution by
// elimination, from cards that were read or that it has dealt; Decide uses that to judge
// an accusation and for nothing else. That an alarm was raised, all know; who has
// presented the card may learn by it that the card is recorded elsewhere.
package cluedo
