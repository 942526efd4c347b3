// Package office answers requests of the host's devices that are not about the game: settings, tags, people,
// updates, results. No request is a step of the game, and phones get nothing because of one.
//
//	o := office.New(&office.Opts{Keys: ring, Epoch: epoch, Role: role, Log: log}, rows...)
//	mux.Handle("POST /office", o)
//	o.NotifyChanged()               rows may show something else: answers the requests that watch them
//
// # Rows
//
// A Row is one thing to show or to do, with the least role that may use it. Show returns a panel and changes nothing.
// Do does something and may return a value. The row wire.OfficeRows lists the rows that a device may use now.
//
// # Requests
//
//	POST /office   device(1) || an encrypted wire.OfficeRequest
//	200            an encrypted wire.OfficeAnswer
//	403            it does not decrypt: no such device, another key, another start of the daemon, or a request that came before
//	413, 408, 429  too long, too slow, or more than MaxWaiting at once
//
// The device is a number (wire.Handset.N). The frames are described in package companion, "Sealed payloads"; their
// keys and additional data are for the office only ("office"). The page chooses the number of a frame, which has to
// rise; the answer has the same number. A request is accepted once (seal.Ring.OpenRequest).
//
// A page can watch all its rows with one request (OfficeRequest.Watch). It is answered within a quarter of a
// second when one of them shows something else, or becomes allowed or refused; or after HoldFor with nothing.
//
// # What may leak
//
// Anyone who listens on the Wi-Fi sees that a device of the host asks, when, and how much in steps of 256 bytes. No
// row depends on a hidden card. A sign-in or sign-out is visible, because the host's devices then get their view
// again (staff, relay.PublishHost); a wrong PIN is not. Errors and logs do not quote requests.
//
// Limits: a request of 80 KiB (seal.MaxOfficeRequest) within 5 s, wire.MaxOfficeArgs values in it, MaxWaiting
// requests of a device at once, answers of MaxAnswer.
package office
