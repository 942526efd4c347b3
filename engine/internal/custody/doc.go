// Package custody records where each card of a game is, who may know it, and which cards the seats
// only claim to have. Every game that tracks its cards one by one has one Ledger.
//
//	cards := custody.New(39)                              // all at location zero
//	cards.RecordCard(c, custody.HandOf(x), hidden.OnlySeats(x)) // a reader has read it there
//	cards.AddClaim(y, d)                                  // y says that it has d: no record changes
//	open := cards.AddCardsVisibleTo(viewer, &at)                 // what a viewer knows, for views and offers
//	at := cards.AllByLocation()                           // all records, only for deciding
//
// How many cards are at a location is public and exact; the game counts that itself. The ledger
// knows which cards they are, as far as they have been recorded. If the two contradict each other,
// the game decides what to do.
//
// What may leak: LocationOf, CardsAt, RecordedOrClaimed, ClaimsOf and AllByLocation check no
// viewer. Use them only to decide, to store and to check. Build views and offers from AddCardsVisibleTo
// and ClaimsVisibleTo. CountAt and ClaimCount are numbers, with which the game asks a seat to name
// a card and informs the host how completely hands are known.
//
// Limits: 63 cards, 32 locations in addition to the hands, engine.MaxSeats seats.
package custody
