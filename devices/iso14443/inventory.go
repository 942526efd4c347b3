package iso14443

import (
	"context"
	"fmt"

	"majordome/devices"
)

const (
	maxTags     = 16
	maxBranches = 24
	maxFrames   = 160
)

// Opts sets up a Reader. The zero value finds up to eight tags.
type Opts struct {
	// MaxTags is the most tags that one inventory names, 1 to 16; 0 means 8.
	MaxTags int
}

// Reader reads the tags in a field through one transceiver. It is not safe for concurrent use.
//
// Invariants:
//  1. Each tag named answered a SELECT with its whole identifier, with a good CRC_A.
//  2. No identifier is named twice in one inventory.
//  3. A branch on which two answers came and no tag was named makes the inventory noisy.
type Reader struct {
	t    Transceiver
	opts Opts
	f    Frame

	request  byte // REQA or WUPA
	tags     [maxTags]devices.Tag
	n        int
	open     [maxBranches]branch // branches still to explore, last first
	nOpen    int
	reached  branch // progress of the last walk: the second try starts there
	frames   int
	noise    bool
	sound    bool // an answer of this inventory was complete: a tag is there
	asked    bool // a garbled answer has been asked for a second time
	restless bool // a tag may be half selected: it ignores the first wake-up
}

// branch is a node of the tree of identifiers: a prefix that some tags have in common.
type branch struct {
	levels int        // cascade levels that are complete
	done   [2][5]byte // their UID CLn and check byte
	known  [5]byte    // the beginning of the next one
	bits   int        // number of known bits of it
}

// New makes a Reader. A nil opts is the zero Opts.
func New(t Transceiver, opts *Opts) (*Reader, error) {
	r := &Reader{t: t}
	if opts != nil {
		r.opts = *opts
	}
	if r.opts.MaxTags == 0 {
		r.opts.MaxTags = 8
	}
	if r.opts.MaxTags < 1 || r.opts.MaxTags > maxTags {
		return nil, fmt.Errorf("iso14443: %d tags at once: it must be 1 to %d", r.opts.MaxTags, maxTags)
	}
	return r, nil
}

// Inventory reads all tags in the field, halted ones included. No tags and no error mean silence. With
// devices.ErrNoise something in the field could not be read; with devices.ErrSpark something was received that
// need not have been a tag. The tags returned are valid in both cases. Any other error is the reader's own. The
// slice is valid until the next call.
//
// The field is searched as a tree: at every collision the branch with bit 1 is followed, and the one with bit 0
// stored for later. Unlike a loop of REQA and HLTA this finds tags that were halted before, whose neighbours
// fall back to HALT and not to IDLE when one of them is selected.
func (r *Reader) Inventory(ctx context.Context) ([]devices.Tag, error) {
	return r.search(ctx, cmdWUPA)
}

// ListArrivals reads the tags that have come into the field since they were last named. It wakes with REQA,
// which halted tags ignore, so those cost no time. Tags beyond MaxTags are left for the next call and are no
// noise.
func (r *Reader) Arrivals(ctx context.Context) ([]devices.Tag, error) {
	return r.search(ctx, cmdREQA)
}

func (r *Reader) search(ctx context.Context, request byte) ([]devices.Tag, error) {
	r.request = request
	r.n, r.nOpen, r.frames, r.noise, r.sound, r.asked = 0, 0, 0, false, false, false
	var root branch
	if err := r.explore(ctx, &root); err != nil {
		return nil, err
	}
	for r.nOpen > 0 && r.n < r.opts.MaxTags && r.frames < maxFrames {
		r.nOpen--
		b := r.open[r.nOpen]
		if err := r.explore(ctx, &b); err != nil {
			return nil, err
		}
	}
	if r.nOpen > 0 && (request == cmdWUPA || r.n < r.opts.MaxTags) {
		r.noise = true
	}
	switch {
	case r.noise && r.sound:
		return r.tags[:r.n], devices.ErrNoise
	case r.noise:
		return r.tags[:r.n], devices.ErrSpark
	}
	return r.tags[:r.n], nil
}

// walkResult is the result of one walk down a branch.
type result uint8

const (
	nobody  result = iota // no answer to the wake-up
	named                 // a tag was read
	empty                 // no tag is on this side of the fork
	spoiled               // an answer was lost or broken on the way
)

// exploreBranch walks down a branch, and a second time from where the first walk got to, if that named no tag.
// A fork without a tag on its other side was a false collision or a tag that has gone; a wake-up whose second
// try meets silence was a spark. Neither is noise: otherwise a card that rests on the reader for an hour would
// now and then be joined by a ghost.
func (r *Reader) explore(ctx context.Context, b *branch) error {
	from, root := *b, b.bits == 0
	for try := 0; ; try++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		mark := r.nOpen
		r.reached = from
		res, err := r.walk(from)
		switch {
		case err != nil:
			return err
		case res == named:
			return nil
		case res == nobody && root:
			return nil
		case try > 0 || r.frames >= maxFrames:
			r.noise = r.noise || res == spoiled
			return nil
		}
		r.nOpen = mark // the second walk finds the same forks again
		from = r.reached
	}
}

func (r *Reader) exchange() error {
	r.frames++
	r.f.Outcome, r.f.RxLen, r.f.RxBits, r.f.CollPos = Silence, 0, 0, 0
	return r.t.Exchange(&r.f)
}

// wakeTags sends the request and reports whether any tag answered. A tag left in READY or ACTIVE uses the first
// request to fall back to IDLE or HALT (ISO/IEC 14443-3, figure 7), hence the second. Any answer will do: those
// of different tags collide.
func (r *Reader) wake() (awake bool, err error) {
	for {
		r.f.short(r.request)
		if err := r.exchange(); err != nil {
			return false, err
		}
		if (r.f.Outcome == Answer || r.f.Outcome == Collision) && r.f.RxLen == 2 && r.f.RxBits == 0 {
			r.sound = true
		}
		again := r.restless && r.f.Outcome == Silence
		r.restless = false
		if !again {
			return r.f.Outcome != Silence, nil
		}
	}
}

// walkBranch follows one branch from the wake-up to a halted tag.
func (r *Reader) walk(b branch) (result, error) {
	awake, err := r.wake()
	if err != nil || !awake {
		return nobody, err
	}
	r.restless = true
	mark := r.nOpen
	for level := range b.levels {
		if sak, ok, err := r.choose(level, &b.done[level]); err != nil || !ok || sak&cascadeBit == 0 {
			return spoiled, err
		}
	}
	for forked := b.bits; ; forked = 0 {
		ok, err := r.resolve(&b)
		if err == nil && !ok && forked > 0 && b.bits == forked && r.f.Outcome == Silence {
			return empty, nil
		}
		if err != nil || !ok {
			return spoiled, err
		}
		r.sound = true
		r.reach(&b, mark)
		sak, ok, err := r.choose(b.levels, &b.known)
		more := sak&cascadeBit != 0
		// The last level of an identifier never begins with the cascade tag.
		if err != nil || !ok || more != (b.known[0] == cascadeTag) || more && b.levels == 2 {
			return spoiled, err
		}
		if !more {
			return named, r.finish(&b, sak)
		}
		b.done[b.levels] = b.known
		b.levels++
		b.known, b.bits = [5]byte{}, 0
		r.reach(&b, mark)
	}
}

// saveProgress stores b as the start of a second try, unless the walk passed a fork since mark, which may have
// been a false collision.
func (r *Reader) reach(b *branch, mark int) {
	if r.nOpen == mark {
		r.reached = *b
	}
}

// selectLevel sends a SELECT with the UID CLn of a level and returns the SAK.
func (r *Reader) choose(level int, uid *[5]byte) (sak byte, ok bool, err error) {
	r.f.selectLevel(level, uid)
	if err := r.exchange(); err != nil {
		return 0, false, err
	}
	sak, ok = r.f.sak()
	return sak, ok, nil
}

// resolveLevel completes the UID CLn of the branch's level and checks it.
func (r *Reader) resolve(b *branch) (ok bool, err error) {
	for b.bits < 40 {
		r.f.anticollision(b.levels, &b.known, b.bits)
		if err := r.exchange(); err != nil {
			return false, err
		}
		bits, ok := r.f.merge(&b.known, b.bits)
		if !ok && r.f.Outcome == Garbled && !r.asked {
			r.asked = true // the tag that answered is still READY
			continue
		}
		if !ok {
			return false, nil
		}
		b.bits = bits
		if bits < 40 {
			r.fork(b)
		}
	}
	k := &b.known
	return k[0]^k[1]^k[2]^k[3] == k[4], nil
}

// forkBranch stores the branch with bit 0 at the collision and continues b with bit 1.
func (r *Reader) fork(b *branch) {
	i, mask := b.bits/8, byte(1)<<(b.bits%8)
	b.bits++
	b.known[i] &^= mask
	if r.nOpen == maxBranches {
		r.noise = true
	} else {
		r.open[r.nOpen] = *b
		r.nOpen++
	}
	b.known[i] |= mask
}

// finishTag adds the selected tag to the result and halts it.
func (r *Reader) finish(b *branch, sak byte) error {
	var id [10]byte
	n := 0
	for level := range b.levels {
		n += copy(id[n:], b.done[level][1:4])
	}
	n += copy(id[n:], b.known[:4])
	uid, err := devices.MakeUID(id[:n])
	if err != nil {
		panic("iso14443: three cascade levels made " + err.Error())
	}
	known := false
	for _, t := range r.tags[:r.n] {
		known = known || t.UID == uid
	}
	if !known && r.n < r.opts.MaxTags {
		r.tags[r.n] = devices.Tag{UID: uid, SAK: sak}
		r.n++
	}
	// Silence is success. A tag that did not receive the halt is silent, too: it stays ACTIVE and ignores the
	// next wake-up, so halfSelected stays set.
	r.f.halt()
	return r.exchange()
}
