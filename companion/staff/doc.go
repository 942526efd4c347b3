// Package staff are the accounts of those who run a table: a name, a role and a PIN.
//
//	b, err := staff.Read(text)        as the store keeps it; "" has nobody
//	b.On()                            somebody has an account: pages ask who stands at them
//	b.Fits(id, name, role, pin)       why an account could not be so
//	salt, hash := staff.Hash(pin)     slow; not in the table's goroutine
//	b, id = b.With(id, name, role, salt, hash)   a new person, or a change
//	b, err = b.Without(id)
//	staff.Alike(name, other)          they look the same to a reader; staff.Composed is a name as it is kept
//	staff.Match(person, pin)          slow, in constant time; not in the table's goroutine
//	tries.Wait(now, who...)           before a PIN is looked at; then tries.Wrong, and tries.Right if it was
//
// Invariants of a Book:
//
//  1. While there is anybody there is an owner.
//  2. No name is taken that looks like another's (Alike), and an id is never given again.
//
// A PIN of 4 to 8 digits is kept as argon2id (RFC 9106) with 19 MiB, 2 passes, 1 lane and 16 bytes of salt, as OWASP advises for the least;
// a Pi Zero 2 W has the room for one at a time. It is guessed in seconds by whoever has the file: the hash keeps it from being read in a
// backup, and the waits keep it at the table. Trivial ones (all the same, one after the other) are refused.
//
// A wait comes with the third wrong PIN in a row, for the account and for the device apart: 5 s, then twice as long each time, 15
// minutes at most. What was tried is counted before it is judged, and kept: a restart begins the wait anew. Nobody is locked out for
// good, and the owner with a shell gets a new PIN at once (majordome host --pin).
//
// What may leak: nothing of a PIN. Names are for the host's devices; String of a Person names the role alone.
package staff
