package game

import (
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// display is what a display plays, and the phones wait for.
type display struct {
	scene   *scene        // nil: everybody is shown a step as it is
	truth   *engine.Views // of the last step, as it is
	cut     int           // number of the happening whose scene the host has ended
	watched bool          // a display is connected
	gone    time.Time     // when the last one has gone
}

// scene is a reveal that the display plays: until it is over the phones and the
// host's page show what they showed before it.
type scene struct {
	before *engine.Views // of the last step before the reveal
	last   int           // number of what has happened last since
	until  time.Time
}

// blink is how long a display that has gone counts as connected: the page of one
// that only comes back to the Wi-Fi plays on.
const blink = 5 * time.Second

// setWatched notes whether a display is connected.
func (d *display) setWatched(is bool, now time.Time) {
	if d.watched && !is {
		d.gone = now
	}
	d.watched = is
}

// isWatched reports whether a display plays what is revealed.
func (d *display) isWatched(now time.Time) bool { return d.watched || now.Before(d.gone.Add(blink)) }

// endOfScene returns when the scene that goes on is over for the phones.
func (d *display) endOfScene() time.Time {
	if gone := d.gone.Add(blink); !d.watched && gone.Before(d.scene.until) {
		return gone
	}
	return d.scene.until
}

// skipScene ends the scene, on the display too. Perhaps nobody sees it, or what called itself
// one. A scene that has just ended by itself is no fault of the host.
func (d *display) skipScene(last int) { d.scene, d.cut = nil, last }

// stage begins and ends scenes, before a step is shown: during one the public alone is shown the step, and the others the one before. It
// depends on what has happened in public and on the clock only; the scene is over when anything more happens, or is taken back (the
// display judges alike, src/display/scene.ts). It returns by how much longer the phones wait: nobody can answer in time what is not shown
// yet.
func (d *display) stage(views *engine.Views, now time.Time, paused bool) (longer time.Duration) {
	before, last := d.truth, views.Public.Last()
	d.truth = views
	if d.scene != nil && (paused || !now.Before(d.endOfScene()) || d.scene.last != last) {
		d.scene = nil
	}
	if before == nil || paused || !d.isWatched(now) {
		return 0
	}
	longer = time.Duration(wire.Playing(views.Public.Since(before.Public.Last()))) * time.Millisecond
	if longer > 0 { // with a scene that goes on nothing has happened since
		d.scene = &scene{before: before, last: last, until: now.Add(longer)}
	}
	return longer
}
