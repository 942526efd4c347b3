package game

import "time"

// actLife is the time for which an act still counts after the view that its sender saw has been replaced.
const actLife = 30 * time.Second

// replacedViews knows when the last views were replaced by newer ones. So an act that somebody has held back on its way does not count
// later, without a clock on the phone.
type replacedViews struct {
	newest uint64      // revision of the newest view that was replaced
	at     []time.Time // when it was, and the views before it, the oldest first
}

// recordReplaced records that a newer view has replaced the one of revision rev.
func (r *replacedViews) recordReplaced(rev uint64, now time.Time) {
	for len(r.at) > 0 && now.Sub(r.at[0]) > actLife {
		r.at = r.at[1:]
	}
	r.newest, r.at = rev, append(r.at, now)
}

// isLate reports whether the view of revision rev was replaced too long ago for an act; 0 is the revision of a sender that names none.
func (r *replacedViews) isLate(rev uint64, now time.Time) bool {
	if rev == 0 || rev > r.newest {
		return false
	}
	kept := uint64(len(r.at))
	return r.newest-rev >= kept || now.Sub(r.at[kept-1-(r.newest-rev)]) > actLife
}
