// Package webhook tells a web address of the owner's what everybody at the table sees happen, by POST, for programs that speak no
// MQTT. It is given the public update alone, and tells of it the happenings that package uplink tells: what the table keeps from
// somebody never comes here.
//
//	h, err := webhook.New(&webhook.Opts{URL: ..., Secret: ..., Tree: ...})
//	h.Publish(&public) // returns at once
//	h.Close()
//
// Each call is a Call as JSON, signed by the Standard Webhooks specification (https://www.standardwebhooks.com): the headers
//
//	webhook-id         the same each time that a call is repeated
//	webhook-timestamp  seconds since 1970, UTC
//	webhook-signature  "v1," and the base64 of HMAC-SHA256(secret, id + "." + timestamp + "." + body)
//
// Calls go one after another, in the order of the game. 2xx is taken for an answer; 410 ends all calls until the next start; another
// 3xx or 4xx, save 408 and 429, drops that call; anything else repeats it after 1, 5, 20 and 60 s. Redirects are not followed, proxies
// not asked, and of an answer nothing is read but its status.
//
// By https to any address; by http, where Opts says Plain, to loopback and private addresses alone, judged at each connection by the
// address itself: a name that leads elsewhere later does not lead there.
//
// Limits: 100 calls wait, of which the oldest is dropped for a new one; one is told for two minutes; 5 s for each try; one connection; 16 KiB of the headers of an
// answer, and nothing of its body.
package webhook
