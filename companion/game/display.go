package game

import (
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// display is the state of the scene that a display plays and that the phones wait for.
type display struct {
	scene         *scene        // nil: all viewers see the current step
	actualViews   *engine.Views // of the last step, without regard to a scene
	skipped       int           // number of the happening whose scene the host has skipped
	displayOnline bool          // a display is connected
	offlineSince  time.Time     // when the last display disconnected
}

// scene is a reveal that the display plays. Until it ends, the phones and the host's page show the step before
// it.
type scene struct {
	before        *engine.Views // of the last step before the reveal
	lastHappening int           // number of the last happening
	until         time.Time
}

// displayGrace is the time for which a disconnected display counts as connected: a page that returns to the
// Wi-Fi plays on.
const displayGrace = 5 * time.Second

// setDisplayOnline sets whether a display is connected.
func (d *display) setDisplayOnline(online bool, now time.Time) {
	if d.displayOnline && !online {
		d.offlineSince = now
	}
	d.displayOnline = online
}

// hasDisplayForScenes reports whether a display plays scenes: it is connected, or was until less than displayGrace ago.
func (d *display) hasDisplayForScenes(now time.Time) bool {
	return d.displayOnline || now.Before(d.offlineSince.Add(displayGrace))
}

// sceneEnd returns when the current scene ends for the phones. It must only be called during a scene.
func (d *display) sceneEnd() time.Time {
	if gone := d.offlineSince.Add(displayGrace); !d.displayOnline && gone.Before(d.scene.until) {
		return gone
	}
	return d.scene.until
}

// endSceneNow ends the scene, on the display too: no one may be in front of it, or the page that counts as a
// display may be none. It is no error if the scene has just ended.
func (d *display) endSceneNow(lastHappening int) { d.scene, d.skipped = nil, lastHappening }

// beginOrEndScene begins and ends scenes before a step is published. During a scene only the public gets the new
// step; the others get the step before. It depends only on public happenings and the clock. A scene ends early
// when anything more happens or is undone; the display decides the same way (src/display/scene.ts). It returns
// by how much the deadlines are delayed, because no player can answer what the phones do not show yet.
func (d *display) beginOrEndScene(views *engine.Views, now time.Time, paused bool) (deadlineDelay time.Duration) {
	before, last := d.actualViews, views.Public.LastHappeningNumber()
	d.actualViews = views
	if d.scene != nil && (paused || !now.Before(d.sceneEnd()) || d.scene.lastHappening != last) {
		d.scene = nil
	}
	if before == nil || paused || !d.hasDisplayForScenes(now) {
		return 0
	}
	deadlineDelay = time.Duration(wire.SceneMillis(views.Public.HappeningsAfter(before.Public.LastHappeningNumber()))) * time.Millisecond
	if deadlineDelay > 0 { // nothing has happened since a scene that goes on began
		d.scene = &scene{before: before, lastHappening: last, until: now.Add(deadlineDelay)}
	}
	return deadlineDelay
}
