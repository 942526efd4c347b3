// Package staff has the accounts of the people who run a table, each with a name, a role and a PIN, and knows which account is signed in
// on which of the host's devices.
//
//	a := staff.Open(&staff.Opts{Store: store, Devices: desk, OnChange: show})
//	err = a.SignIn(device, id, pin)   opens a device; SignOut, ExpireSessions and a restart lock it
//	a.PersonAt(device)                the account signed in there: name and role, without waiting for a hash or a disk
//	a.PeopleByDevice()                the same for all devices at one moment, with a number that rises with each change
//	a.RestartIdleTime(device)         the device is used; it stays open
//	a.BuildView(device)               what a page of this device shows of the accounts
//	a.SetAccount, a.RemoveAccount     change accounts, as a.SetOwnPIN does; a change is on disk before it shows
//	a.ResetOwnerPIN()                 for a shell on the machine
//
// Accounts builds on types and functions that can be used separately: Book (the accounts), IsLookalike and NormaliseName (their names),
// HashPIN and VerifyPIN, and Tries (the waits after wrong PINs). A refusal is a wire.Refusal with its reason.
//
// Invariants of a Book:
//
//  1. As long as there are accounts, one of them is an owner.
//  2. No two names look the same (IsLookalike), and an id is never used again.
//
// A PIN of 4 to 8 digits is hashed with argon2id (RFC 9106): 19 MiB, 2 passes, 1 lane and 16 bytes of salt, the minimum that OWASP
// advises. A Pi Zero 2 W has memory for one hash at a time; others get ErrBusy and try again. A thief of the file finds a PIN in seconds:
// the hash only prevents reading it in a backup, and the waits protect it at the table. Trivial PINs (one digit repeated, or digits in
// sequence) are refused.
//
// The third wrong PIN in a row for one account on one device starts a wait of 5 s, which doubles with each further one, up to 15
// minutes. It counts for this pair only, so that guesses on one device do not block the right PIN on another. In addition, after 40
// wrong PINs on all devices an account has waits of up to a minute, and after 40 wrong PINs for all accounts a device has waits of up to
// 15 minutes; neither affects the device on which the person signed in last. So a guesser has about 100 tries a day for one account on
// one device, and about 300 on the three devices of a table. A try is counted and saved before it is checked: a restart begins the wait
// again. No one is locked out for good, and an owner with a shell gets a new PIN at once (majordome host --pin).
//
// What may leak: nothing of a PIN. Names are for the host's devices; String of a Person gives the role only.
package staff
