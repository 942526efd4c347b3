// Package office answers what a device of the host asks beside the game: settings, tags, people, updates, results. None of it is a
// step of the game, and no phone is sent a byte for it.
//
//	o := office.New(&office.Opts{Keys: ring, Epoch: epoch, Role: role, Log: log}, rows...)
//	mux.Handle("POST /office", o)
//	o.Changed()                     what rows show may have changed: who waits for that is answered
//
// # Rows
//
// A Row is one thing to see or to do, with the least role that may: See gives what is shown, without changing anything; Do does
// something, and may give a value back. The row wire.OfficeRows lists those that a device may use now.
//
// # Requests
//
//	POST /office   device(1) || a sealed wire.OfficeRequest
//	200            a sealed wire.OfficeAnswer
//	403            it does not open: no such device, another key, another start of the daemon, or a request that came before
//	413, 408, 429  too long, too slow, or more than MaxWaiting at once
//
// The device is its number (wire.Handset.N). Frames are those of package companion, "Sealed payloads", with keys and additional data
// of their own ("office"); the number of a frame is chosen by the page, rises, and stands in the answer. A request is opened
// once (seal.Ring.OpenRequest).
//
// Rows that are seen can be watched, all those of a page in one request (OfficeRequest.Watch): it is answered when one of them shows
// something else, or is refused or allowed since, within a quarter of a second of a change; or after HoldFor with nothing.
//
// # What may leak
//
// To who listens on the Wi-Fi: that a device of the host asks, when, and in steps of 256 bytes how much. Nothing that a row shows
// hangs on a card that is hidden. That an account has signed in or out, which wrong PINs do not: the host's devices are sent their view again
// then (staff, relay.PublishHost). Errors and logs quote no request.
//
// Limits: a request of 80 KiB (seal.MaxOfficeRequest) within 5 s, wire.MaxOfficeArgs values in it, MaxWaiting requests of a device at once,
// answers of MaxAnswer.
package office
