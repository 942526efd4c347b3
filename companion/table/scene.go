package table

import (
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

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

// playing reports whether a display plays what is revealed.
func (c *core) playing(now time.Time) bool { return c.watched || now.Before(c.gone.Add(blink)) }

// ends is when the scene that goes on is over for the phones.
func (c *core) ends() time.Time {
	if gone := c.gone.Add(blink); !c.watched && gone.Before(c.scene.until) {
		return gone
	}
	return c.scene.until
}

// skip ends the scene, on the display too. Perhaps nobody sees it, or what called itself
// one. A scene that has just ended by itself is no fault of the host.
func (c *core) skip(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	c.scene, c.cut = nil, c.game.look().Public.Last()
	return nil, nil
}

// stage begins and ends scenes, before a step is shown: during one the public alone is shown the step, and the others the one before. It
// depends on what has happened in public and on the clock only; the scene is over when anything more happens, or is taken back (the
// display judges alike, src/display/scene.ts).
func (c *core) stage() {
	before, now := c.truth, c.Clock.Now()
	c.truth = c.game.look()
	view := c.truth.Public
	if c.scene != nil && (c.paused != nil || !now.Before(c.ends()) || c.scene.last != view.Last()) {
		c.scene = nil
	}
	if c.playing(now) && c.paused == nil && before != nil {
		c.begin(before, view, now)
	}
	if c.scene != nil {
		c.scene.last = view.Last()
	}
}

// begin makes a scene of what has been revealed since a step. What is revealed while a scene
// goes on is part of it.
func (c *core) begin(before *engine.Views, after engine.View, now time.Time) {
	length := time.Duration(wire.Playing(after.Since(before.Public.Last()))) * time.Millisecond
	if length == 0 {
		return
	}
	until := now.Add(length)
	if c.scene == nil {
		c.scene = &scene{before: before}
	}
	if more := until.Sub(c.scene.until); c.scene.until.IsZero() || more > 0 {
		c.scene.until = until
		for _, d := range c.game.Deadlines() { // nobody can answer in time what is not shown yet
			c.late[d] += engine.Millis(min(more, length).Milliseconds())
		}
	}
}

// behind gives all but the public the views of an earlier step: nothing can be done in the
// game meanwhile, and all that is not the game is as it is now. The acts of the loop
// are added by publish, from what is shown.
func (s *Step) behind(before *engine.Views) {
	then := before.Public
	then.Active, then.Readers = []engine.Seat{}, []engine.ReaderView{}
	for _, u := range []*wire.Update{&s.Host, &s.shared} {
		u.View, u.Left, u.Waited = then, 0, 0
	}
	still := func(p engine.Part) *engine.Part {
		p.Prompt, p.Rule, p.Offers = engine.Say("table.scene"), "", []engine.Offer{}
		return &p
	}
	s.Host.View.Become(still(before.Host))
	for i := range s.own {
		o := &s.own[i]
		if was, ok := before.Of(engine.At(o.seat)); ok {
			o.part = still(was.Part())
			o.offers = o.part.Offers
		}
	}
	s.Story = nil
}
