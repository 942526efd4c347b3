// Package web serves the pages of a table: the phone, the table display, the
// host's console and the bench. They are one Svelte app, made from app/ by
// npm run build into dist/, embedded into the binary, and addressed by path.
//
//	GET /  /display  /host  /bench  /tables  /tour   the app's rooms, each in two languages (Accept-Language)
//	GET /assets/...                  their parts, named by their content
//	GET /table.json                  which table this is; every page holds it, too
//	GET /tables.json                 this table and the others of the house, as everybody sees them
//	GET /help  /help/fr/start.html ...   the manual, and what its search reads
//	GET /story.json                  the story of the evening, when it may be told
//
// A page names all parts of its room, so that a browser asks for them at once, and
// shows a candle until they have come.
//
// A binary that was built without the web app serves a page that says so, in
// both languages, in place of the app; everything else works.
//
// What may leak: nothing; the pages hold no secret. Secrets reach them sealed,
// over MQTT, and the keys stand behind # in a link, which is never sent here.
//
// Pages are never kept by a browser (no-store), their parts for ever. Parts are
// served gzipped where the browser agrees; plain http knows no better encoding.
// No page may load, run or talk to anything that this address does not serve.
//
// The parts are held in memory once, gzipped, and every request is answered from there (0.7 MB in all, with the manual). What a browser without gzip
// has asked for is held unpacked, too, from then on (2 MB more, at most).
//
// Names.Only stands before everything that this address serves: a request for another
// name than the table's own gets 421.
//
// Captive, before it, answers what phones ask of the internet, on a network that leads those questions here.
//
// The same origin also carries /mqtt (package broker), POST /join (package
// pair), /attract (an evening that plays itself, while nobody uses the table), /healthz and /metrics (for this machine alone) and, at a demonstration,
// /bench/events and /bench/act.
package web
