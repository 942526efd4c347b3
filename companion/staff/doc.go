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
//	tries.Wait(now, device, person)   before a PIN is looked at; then tries.Wrong, and tries.Right if it was
//	tries.Told(now, devices)          which device tries whose PIN, for the others
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
// A wait comes with the third wrong PIN in a row of one account at one device: 5 s, then twice as long each time, 15 minutes at most. It is
// charged to this pair alone, so that nobody who guesses at one device keeps the right PIN out of another. Over all devices an account has 40
// wrong PINs without a wait, then up to a minute; over all accounts a device has 40, then up to 15 minutes; neither touches the device where
// that person stood last. So one account is tried at one device about 100 times a day, and at the three of a table about 300. What was tried
// is counted before it is judged, and kept: a restart begins the wait again. Nobody is locked out for good, and the owner with a shell gets a
// new PIN at once (majordome host --pin).
//
// What may leak: nothing of a PIN. Names are for the host's devices; String of a Person names the role alone.
package staff
