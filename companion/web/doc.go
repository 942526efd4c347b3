// Package web serves the pages of a table: the phone, the table display, the host's page and the
// bench. They are one Svelte app, built from app/ into dist/ by npm run build, embedded into the
// binary, and chosen by path.
//
//	GET /  /display  /host  /bench  /tables  /tour   the pages, each in two languages (Accept-Language)
//	GET /assets/...                  their assets, named by a hash of their content
//	GET /table.json                  identifies this table; every page contains it too
//	GET /tables.json                 this table and the others of the house, public facts only
//	GET /help  /help/fr/start.html ...   the manual and its search index
//	GET /story.json                  the story of the evening, once it may be shown
//
// A page names all assets that it needs, so that a browser requests them at once, and shows a candle
// until they have arrived.
//
// If the binary was built without the web app, each page is replaced by one that says so, in both
// languages; everything else works.
//
// What may leak: nothing; the pages contain no secret. Secrets reach them over MQTT, encrypted, and
// a browser never sends the part of a link after #, where the keys are.
//
// Browsers do not cache the pages (no-store), but they cache the assets for ever. Assets are sent
// gzipped if the browser accepts it; browsers accept no better encoding over plain http. No page may
// load, run or contact anything at another address.
//
// The assets are in memory once, gzipped, and every request is answered from there (0.7 MB in all,
// with the manual). An asset requested by a browser without gzip is also kept unpacked from then on
// (at most 2 MB more).
//
// Names.RestrictHosts comes before everything else: a request for a host name that is not the table's
// own gets 421. Before that comes Captive, which answers the internet probes of phones on a network
// that leads those here.
//
// The same origin also serves /mqtt (package broker), POST /join (package pair), /attract (an
// evening that plays automatically while no one uses the table), /healthz and /metrics (only for
// this machine) and, in a demonstration, /bench/events and /bench/act.
package web
