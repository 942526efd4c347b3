// Package presence makes events of snapshots: a tag arrived, a tag left,
// something unreadable or a stray lies there, the reader was lost, the reader is back.
//
// [Fold] is pure: the same snapshots at the same times give the same events, for every kind
// of reader. Time is a parameter. [Watch] is the one goroutine around it
// that polls a scanner, and keeps trying when the reader is gone.
//
// A reader gives one of four things: tags, silence, noise, or failure. Only
// silence counts as absence. Noise and failure prove nothing, so a tag that was there
// still is; its event Left waits for clean snapshots without it. Noise is a density: now and then a spark neither
// keeps a tag nor makes one.
//
// In a slot, what fell may lie within reach of the coil. There known tags are silent, new ones are looked for at
// the full rate, and each known one is asked for every 100 ms in between (every 152 ms if 38 lie there).
//
// Figures, on the twin at 500 polls a second, BenchmarkSlot: a 7-byte tag that stays 17 ms is named, with up to 38 lying there; at one bit
// error in a thousand 98 % are, and 99.8 % of those that stay 25 ms. A tag that fell has left after 0.26 s.
//
// At a reader of cards (Opts.Strays) a tag that cannot name one, such as a phone or a bank card with another number each time it wakes,
// is a stray: an event says that it came, and to all else it is not there. So it never makes a second card of the one beside it.
//
// Leaks: nothing; events carry UIDs, which are no secret. Limits: 128 tags present; for a further
// one the longest missing leaves.
package presence
