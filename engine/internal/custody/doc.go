// Package custody is the ledger of the cards of a game: where each lies, who may know it, and what seats only
// say of their hands. Every game that knows its cards one by one keeps one.
//
//	cards := custody.New(39)                         // all at location zero
//	cards.Put(c, custody.HandOf(x), box.Only(x))     // a reader has seen it there
//	cards.Claim(y, d)                                // y says that it holds d: no record moves
//	open := cards.Seen(viewer, &at)                  // what a viewer knows, for views and offers
//	at := cards.Truth()                              // what is recorded, for judging alone
//
// How many cards lie somewhere is public and exact; a game counts that itself. The ledger knows which they are,
// as far as it was told. What the game makes of a contradiction between the two is its own affair.
//
// What may leak: At, In, Held, Claims and Truth answer whoever asks: judging, storing and checks use
// them. Views and offers are made of Seen and ClaimsTo. Count and Claimed are
// numbers, by which a seat is asked to name a card, and the host told how far hands are known.
//
// Limits: 63 cards, 32 locations besides the hands, engine.MaxSeats seats.
package custody
