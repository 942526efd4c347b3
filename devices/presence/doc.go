// Package presence turns the scans of a reader into events: a tag arrived, a tag left, something unreadable or
// a stray is there, the reader was lost, the reader is back.
//
// [Fold] is pure: the same scans at the same times give the same events, for every kind of reader. Time is a
// parameter. [Watch] polls a scanner in one goroutine, and keeps trying when the reader is gone.
//
// A scan has one of four results: tags, silence, noise, or failure. Only silence counts as absence. Noise and
// failure prove nothing, so a tag that was there still is; its event Left waits for clean scans without it.
// Noise is measured as a density: a rare spark neither holds a tag nor makes one.
//
// In a slot, fallen cards may be within reach of the coil. There known tags are silent, new ones are looked for
// at the full rate, and between scans each known one is asked for every 100 ms (every 152 ms with 38 tags).
//
// Figures, on the simulator at 500 polls a second, BenchmarkSlot: a 7-byte tag that stays 17 ms is named, with
// up to 38 others there; at one bit error in a thousand 98 % are, and 99.8 % of those that stay 25 ms. A fallen
// tag that is taken away has left after 0.26 s.
//
// At a reader of cards (Opts.Strays) a tag that cannot name a card, such as a phone or a bank card with another
// number each time it wakes, is a stray: an event reports it, and everything else ignores it. So it never
// counts as a second card next to the real one.
//
// Leaks: nothing; events carry UIDs, which are no secret. Limits: 128 tags present; for a further one the
// longest missing leaves.
package presence
