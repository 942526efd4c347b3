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

	request      byte // REQA or WUPA
	tags         [maxTags]devices.Tag
	nTags        int
	branches     [maxBranches]branch // branches still to explore, last first
	nBranches    int
	progress     branch // progress of the last walk: the second try starts there
	frames       int
	noise        bool
	heardTag     bool // an answer of this inventory was complete: a tag is there
	retried      bool // a garbled answer has been asked for a second time
	halfSelected bool // a tag may be half selected: it ignores the first wake-up
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
	return r.searchField(ctx, cmdWUPA)
}

// ListArrivals reads the tags that have come into the field since they were last named. It wakes with REQA,
// which halted tags ignore, so those cost no time. Tags beyond MaxTags are left for the next call and are no
// noise.
func (r *Reader) ListArrivals(ctx context.Context) ([]devices.Tag, error) {
	return r.searchField(ctx, cmdREQA)
}

// searchField explores the whole tree of the tags that answer request, REQA or WUPA.
func (r *Reader) searchField(ctx context.Context, request byte) ([]devices.Tag, error) {
	r.request = request
	r.nTags, r.nBranches, r.frames, r.noise, r.heardTag, r.retried = 0, 0, 0, false, false, false
	var root branch
	if err := r.exploreBranch(ctx, &root); err != nil {
		return nil, err
	}
	for r.nBranches > 0 && r.nTags < r.opts.MaxTags && r.frames < maxFrames {
		r.nBranches--
		b := r.branches[r.nBranches]
		if err := r.exploreBranch(ctx, &b); err != nil {
			return nil, err
		}
	}
	if r.nBranches > 0 && (request == cmdWUPA || r.nTags < r.opts.MaxTags) {
		r.noise = true
	}
	switch {
	case r.noise && r.heardTag:
		return r.tags[:r.nTags], devices.ErrNoise
	case r.noise:
		return r.tags[:r.nTags], devices.ErrSpark
	}
	return r.tags[:r.nTags], nil
}

// walkResult is the result of one walk down a branch.
type walkResult uint8

const (
	noTag         walkResult = iota // no answer to the wake-up
	tagNamed                        // a tag was read
	emptyFork                       // no tag is on this side of the fork
	spoiledAnswer                   // an answer was lost or broken on the way
)

// exploreBranch walks down a branch, and a second time from where the first walk got to, if that named no tag.
// A fork without a tag on its other side was a false collision or a tag that has gone; a wake-up whose second
// try meets silence was a spark. Neither is noise: otherwise a card that rests on the reader for an hour would
// now and then be joined by a ghost.
func (r *Reader) exploreBranch(ctx context.Context, b *branch) error {
	from, root := *b, b.bits == 0
	for try := 0; ; try++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		forksBefore := r.nBranches
		r.progress = from
		res, err := r.walkBranch(from)
		switch {
		case err != nil:
			return err
		case res == tagNamed:
			return nil
		case res == noTag && root:
			return nil
		case try > 0 || r.frames >= maxFrames:
			r.noise = r.noise || res == spoiledAnswer
			return nil
		}
		r.nBranches = forksBefore // the second walk finds the same forks again
		from = r.progress
	}
}

func (r *Reader) exchangeFrame() error {
	r.frames++
	r.f.Outcome, r.f.RxLen, r.f.RxBits, r.f.CollPos = Silence, 0, 0, 0
	return r.t.Exchange(&r.f)
}

// wakeTags sends the request and reports whether any tag answered. A tag left in READY or ACTIVE uses the first
// request to fall back to IDLE or HALT (ISO/IEC 14443-3, figure 7), hence the second. Any answer will do: those
// of different tags collide.
func (r *Reader) wakeTags() (awake bool, err error) {
	for {
		r.f.setShortFrame(r.request)
		if err := r.exchangeFrame(); err != nil {
			return false, err
		}
		if (r.f.Outcome == Answer || r.f.Outcome == Collision) && r.f.RxLen == 2 && r.f.RxBits == 0 {
			r.heardTag = true
		}
		again := r.halfSelected && r.f.Outcome == Silence
		r.halfSelected = false
		if !again {
			return r.f.Outcome != Silence, nil
		}
	}
}

// walkBranch wakes the tags and follows one branch, with bit 1 at each collision, until it has named and halted
// one tag or cannot go on.
func (r *Reader) walkBranch(b branch) (walkResult, error) {
	awake, err := r.wakeTags()
	if err != nil || !awake {
		return noTag, err
	}
	r.halfSelected = true
	forksBefore := r.nBranches
	for level := range b.levels {
		if sak, ok, err := r.selectLevel(level, &b.done[level]); err != nil || !ok || sak&cascadeBit == 0 {
			return spoiledAnswer, err
		}
	}
	for forked := b.bits; ; forked = 0 {
		ok, err := r.completeLevelUID(&b)
		if err == nil && !ok && forked > 0 && b.bits == forked && r.f.Outcome == Silence {
			return emptyFork, nil
		}
		if err != nil || !ok {
			return spoiledAnswer, err
		}
		r.heardTag = true
		r.saveSecondTry(&b, forksBefore)
		sak, ok, err := r.selectLevel(b.levels, &b.known)
		more := sak&cascadeBit != 0
		// The last level of an identifier never begins with the cascade tag.
		if err != nil || !ok || more != (b.known[0] == cascadeTag) || more && b.levels == 2 {
			return spoiledAnswer, err
		}
		if !more {
			return tagNamed, r.addAndHaltTag(&b, sak)
		}
		b.done[b.levels] = b.known
		b.levels++
		b.known, b.bits = [5]byte{}, 0
		r.saveSecondTry(&b, forksBefore)
	}
}

// saveSecondTry stores b as the start of a second try, unless the walk has stored a fork since there were
// forksBefore: that one may have been a false collision.
func (r *Reader) saveSecondTry(b *branch, forksBefore int) {
	if r.nBranches == forksBefore {
		r.progress = *b
	}
}

// selectLevel sends a SELECT with the UID CLn of a level and returns the SAK.
func (r *Reader) selectLevel(level int, uid *[5]byte) (sak byte, ok bool, err error) {
	r.f.setSelect(level, uid)
	if err := r.exchangeFrame(); err != nil {
		return 0, false, err
	}
	sak, ok = r.f.parseSAK()
	return sak, ok, nil
}

// completeLevelUID completes the UID CLn of the branch's level by anticollision. It reports whether every answer
// could be used and the check byte is right.
func (r *Reader) completeLevelUID(b *branch) (ok bool, err error) {
	for b.bits < 40 {
		r.f.setAnticollision(b.levels, &b.known, b.bits)
		if err := r.exchangeFrame(); err != nil {
			return false, err
		}
		bits, ok := r.f.addUIDBits(&b.known, b.bits)
		if !ok && r.f.Outcome == Garbled && !r.retried {
			r.retried = true // the tag that answered is still READY
			continue
		}
		if !ok {
			return false, nil
		}
		b.bits = bits
		if bits < 40 {
			r.forkBranch(b)
		}
	}
	k := &b.known
	return k[0]^k[1]^k[2]^k[3] == k[4], nil
}

// forkBranch stores the branch with bit 0 at the collision and continues b with bit 1.
func (r *Reader) forkBranch(b *branch) {
	i, mask := b.bits/8, byte(1)<<(b.bits%8)
	b.bits++
	b.known[i] &^= mask
	if r.nBranches == maxBranches {
		r.noise = true
	} else {
		r.branches[r.nBranches] = *b
		r.nBranches++
	}
	b.known[i] |= mask
}

// addAndHaltTag adds the selected tag to the result and halts it.
func (r *Reader) addAndHaltTag(b *branch, sak byte) error {
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
	for _, t := range r.tags[:r.nTags] {
		known = known || t.UID == uid
	}
	if !known && r.nTags < r.opts.MaxTags {
		r.tags[r.nTags] = devices.Tag{UID: uid, SAK: sak}
		r.nTags++
	}
	// Silence is success. A tag that did not receive the halt is silent, too: it stays ACTIVE and ignores the
	// next wake-up, so halfSelected stays set.
	r.f.setHalt()
	return r.exchangeFrame()
}
