// Package staff are the accounts of those who run a table: a name, a role and a PIN; and who is signed in on which of the host's devices.
//
//	a := staff.Open(&staff.Opts{Store: store, Devices: desk, Changed: show})
//	err = a.SignIn(device, id, pin)   opens a device; a.SignOut locks it, and so do a.Settle and a start
//	a.Who(device)                     who is signed in there: name and role, without waiting for a hash or a disk
//	a.Drawn()                         all devices at one moment, with a number that rises with each change
//	a.Touch(device)                   it is used, and does not lock itself yet
//	a.Shown(device)                   what a page shows of the accounts
//	a.Set, a.Drop, a.SetOwnPIN        change accounts, on disk before anybody hears of it
//	name, pin, ok := a.NewOwnerPIN()  for who has a shell
//
// Below it lie the accounts alone (Book), their names (Alike, Composed), PINs (Hash, Match) and the waits after wrong ones (Tries). What is
// not done says why by a wire.Refusal.
//
// Invariants of a Book:
//
//  1. While there is anybody there is an owner.
//  2. No name is taken that looks like another's (Alike), and an id is never given again.
//
// A PIN of 4 to 8 digits is kept as argon2id (RFC 9106) with 19 MiB, 2 passes, 1 lane and 16 bytes of salt, as OWASP advises for the
// least; a Pi Zero 2 W has the room for one at a time, and who comes meanwhile is told to come again. It is guessed in seconds by whoever
// has the file: the hash keeps it from being read in a backup, and the waits keep it at the table. Trivial ones (all the same, one after
// the other) are refused.
//
// A wait comes with the third wrong PIN in a row of one account at one device: 5 s, then twice as long each time, 15 minutes at most. It
// is charged to this pair alone, so that nobody who guesses at one device keeps the right PIN out of another. Over all devices an account
// has 40 wrong PINs without a wait, then up to a minute; over all accounts a device has 40, then up to 15 minutes; neither touches the
// device where that person stood last. So one account is tried at one device about 100 times a day, and at the three of a table about 300.
// What was tried is counted before it is judged, and kept: a restart begins the wait again. Nobody is locked out for good, and the owner
// with a shell gets a new PIN at once (majordome host --pin).
//
// What may leak: nothing of a PIN. Names are for the host's devices; String of a Person names the role alone.
package staff
