// Package webhook sends public happenings to a web address of the owner's, by POST, for programs
// that do not use MQTT. It receives only the public update and sends the same happenings as package
// uplink, so it cannot leak anything that the table hides from a player.
//
//	h, err := webhook.New(&webhook.Opts{URL: ..., Secret: ..., Tree: ...})
//	h.Publish(&public) // returns at once
//	h.Close()
//
// Each call is a Call as JSON, signed as in the Standard Webhooks specification
// (https://www.standardwebhooks.com), with the headers
//
//	webhook-id         the same each time that a call is repeated
//	webhook-timestamp  seconds since 1970, UTC
//	webhook-signature  "v1," and the base64 of HMAC-SHA256(secret, id + "." + timestamp + "." + body)
//
// Calls are made one after another, in the order of the game. A 2xx answer accepts the call; 410
// stops all calls until the next start; any other 3xx or 4xx, except 408 and 429, drops the call;
// everything else repeats it after 1, 5, 20 and 60 s. Redirects are not followed, proxies are not
// used, and only the status of an answer is read.
//
// Calls by https may go to any address. Calls by http, if Opts.AllowHTTP is set, may go only to
// loopback and private addresses. That is checked for the address of each connection, so a name
// cannot lead elsewhere later.
//
// Limits: 100 calls wait, and a new one replaces the oldest; a call is dropped two minutes after the
// happening; each try takes at most 5 s; one connection; 16 KiB of the headers of an answer, and
// nothing of its body.
package webhook
