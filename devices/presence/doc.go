// Package presence makes events of snapshots: a tag arrived, a tag left,
// something unreadable lies there, the reader was lost, the reader is back.
//
// [Fold] is pure: the same snapshots at the same times give the same events, for every kind
// of reader. Time is a parameter. [Watch] is the one goroutine around it
// that polls a scanner, and keeps trying when the reader is gone.
//
// A reader gives one of four things: tags, silence, noise, or failure. Only
// silence counts as absence. Noise and failure prove nothing, so a tag that was there
// still is; its event Left waits for clean snapshots without it.
//
// Leaks: nothing; events carry UIDs, which are no secret. Limits: 16 tags present; further
// ones are not seen until one leaves.
package presence
