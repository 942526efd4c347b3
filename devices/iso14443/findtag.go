package iso14443

import (
	"context"

	"majordome/devices"
)

// AskForTag asks for one tag by its identifier. It takes 3 exchanges for a tag of 7 bytes that is there, 4 if it
// is gone and other tags are there. found: it answered; answered: at least one tag answered a wake-up. With
// devices.ErrNoise neither is known. Tags that were halted are halted afterwards, so ListArrivals does not name
// them.
func (r *Reader) AskForTag(ctx context.Context, uid devices.UID) (found, answered bool, err error) {
	r.request = cmdWUPA
	var noise error
	for range 2 {
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		r.halfSelected = true // try twice; tags that the first wake-up did reach fall back to HALT at the next request
		awake, err := r.wakeTags()
		if err != nil {
			return false, false, err
		}
		if !awake {
			return false, answered, noise
		}
		answered = true
		outcome, err := r.selectTag(uid)
		switch {
		case err != nil:
			return false, false, err
		case outcome == Answer:
			return true, true, nil
		case outcome != Silence:
			noise = devices.ErrNoise
		}
	}
	return false, answered, noise
}

// selectTag selects a tag whose identifier is known, through all its levels, and returns Answer if it is there,
// Silence if no tag answered, and Garbled for any other answer.
func (r *Reader) selectTag(uid devices.UID) (Outcome, error) {
	b, n := uid.Array()
	for level := 0; ; level++ {
		var cl [5]byte
		last := n-3*level <= 4
		if last {
			copy(cl[:4], b[3*level:])
		} else {
			cl[0] = cascadeTag
			copy(cl[1:4], b[3*level:])
		}
		cl[4] = cl[0] ^ cl[1] ^ cl[2] ^ cl[3]
		r.f.setSelect(level, &cl)
		if err := r.exchangeFrame(); err != nil {
			return Garbled, err
		}
		switch sak, ok := r.f.parseSAK(); {
		case !ok && r.f.Outcome == Silence:
			return Silence, nil
		case !ok || (sak&cascadeBit == 0) != last:
			return Garbled, nil
		case last:
			return Answer, nil
		}
	}
}
