package table

import (
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// stage is a reveal that the display plays: until it is over the phones and the
// host's page show what they showed before it.
type stage struct {
	before Step        // the last step before the reveal
	after  engine.View // what the public sees since
	until  time.Time
}

// blink is how long a display that has gone counts as connected: the page of one
// that only comes back to the Wi-Fi plays on.
const blink = 5 * time.Second

// playing reports whether a display plays what is revealed.
func (c *core) playing(now time.Time) bool { return c.watched || now.Before(c.gone.Add(blink)) }

// ends is when the scene that goes on is over for the phones.
func (c *core) ends() time.Time {
	if gone := c.gone.Add(blink); !c.watched && gone.Before(c.stage.until) {
		return gone
	}
	return c.stage.until
}

// skip ends the scene for the phones: nobody sees the display, or what called itself
// one. A scene that has just ended by itself is no fault of the host.
func (c *core) skip(engine.Args) (*wire.Notice, *engine.Reject) {
	c.stage = nil
	return nil, nil
}

// staged is a step as it is shown: to everybody, or during a reveal to the public
// alone, with the others at the step before. It depends on public views and the
// clock only.
func (c *core) staged(s Step) Step {
	before, now := c.truth, c.Clock.Now()
	c.truth = s
	if c.stage != nil && (c.paused != nil || !now.Before(c.ends()) || later(c.stage.after, s.Public.View)) {
		c.stage = nil
	}
	if c.playing(now) && c.paused == nil && before.Epoch == s.Epoch {
		c.begin(before, s.Public.View, now)
	}
	if c.stage == nil {
		return s
	}
	c.stage.after = s.Public.View
	shown := s
	shown.Host = behind(s.Host, c.stage.before)
	shown.Seats = slices.Clone(s.Seats)
	for i, u := range s.Seats {
		shown.Seats[i] = behind(u, c.stage.before)
	}
	return shown
}

// begin stages what has been revealed since a step. What is revealed while a scene
// goes on is part of it.
func (c *core) begin(before Step, after engine.View, now time.Time) {
	length := lengthOf(before.Public.View, after)
	if length == 0 {
		return
	}
	until := now.Add(length)
	if c.stage == nil {
		c.stage = &stage{before: before}
	}
	if more := until.Sub(c.stage.until); c.stage.until.IsZero() || more > 0 {
		c.stage.until = until
		for _, d := range c.game.Deadlines() { // nobody can answer in time what is not shown yet
			c.late[d] += engine.Millis(min(more, length).Milliseconds())
		}
	}
}

// behind is an update with the view of an earlier step: nothing can be done in the
// game meanwhile, and all that is not the game is as it is now. The acts of the loop
// are added by publish, from what is shown.
func behind(u wire.Update, before Step) wire.Update {
	v, err := engine.ParseViewer(u.View.Viewer)
	then, ok := before.Of(v)
	if err != nil || !ok {
		return u
	}
	u.View = then.View
	u.View.Prompt, u.View.Rule = engine.Say("table.stage"), ""
	u.View.Active, u.View.Readers, u.View.Offers = []engine.Seat{}, []engine.ReaderView{}, []engine.Offer{}
	return u
}

// later reports whether b stands later in the game than a, so that the scene of a
// is over; the display judges by the same (src/display/scene.ts). A phone that
// comes or goes is no step of the game.
func later(a, b engine.View) bool {
	last := func(v engine.View) int {
		if len(v.Log) == 0 {
			return 0
		}
		return v.Log[len(v.Log)-1].N
	}
	return a.Game != b.Game || a.Phase != b.Phase || last(a) != last(b) || (a.Result != nil) != (b.Result != nil) ||
		!slices.Equal(a.Active, b.Active) || !slices.Equal(a.Shown, b.Shown)
}

// lengthOf is how long the display plays what has been revealed between two public
// views; 0 when nothing has.
func lengthOf(before, after engine.View) time.Duration {
	if before.Game != after.Game {
		return 0
	}
	ms := 0
	switch {
	case after.Case != nil && before.Phase == "turn" && fallen(before, after):
		ms = wire.StageDawn
	case after.Case == nil && before.Phase == "reveal" && len(after.Shown) > 0:
		if ms = urn(before, after); ms == 0 {
			ms = stroke(before, after)
		}
	default:
		ms = stroke(before, after)
	}
	return time.Duration(ms) * time.Millisecond
}

// urn is the length of the scene of the urn.
func urn(before, after engine.View) int {
	blows := 0
	for i, p := range after.Places {
		if p.Lamp == engine.LampCrime && (i >= len(before.Places) || before.Places[i].Lamp != engine.LampCrime) {
			blows++
		}
	}
	open := len(before.Shown) > 0
	switch {
	case blows == 0 && (open || after.Phase == "reveal"):
		return 0
	case open:
		return wire.StageBreath + blows*wire.StageEach
	case blows == 0:
		return wire.StageOpening + wire.StageLaying + wire.StageQuiet
	}
	return wire.StageOpening + wire.StageLaying + blows*wire.StageEach
}

// stroke is how long the phones wait for a reveal without a scene.
func stroke(before, after engine.View) int {
	hour := after.Case != nil && before.Case != nil && after.Clock.At > before.Clock.At
	open := after.Case != nil && before.Case != nil && len(after.Shown) > len(before.Shown)
	if hour || open || after.Result != nil && before.Result == nil || fallen(before, after) || turned(before, after) {
		return wire.StageStroke
	}
	return 0
}

// fallen reports whether somebody has died.
func fallen(before, after engine.View) bool {
	return seats(before, after, func(was, is engine.SeatView) bool { return was.Alive && !is.Alive })
}

// turned reports whether a seat is out by its accusation, or has passed an
// Accusation card on for it (HC-095), or a card of it lies face up now.
func turned(before, after engine.View) bool {
	passes := after.Case == nil && after.Phase == before.Phase
	return seats(before, after, func(was, is engine.SeatView) bool {
		return !was.Out && is.Out || passes && is.Tokens < was.Tokens || was.Role == "" && is.Role != "" || len(is.Hand) > len(was.Hand)
	})
}

func seats(before, after engine.View, changed func(was, is engine.SeatView) bool) bool {
	for _, is := range after.Seats {
		for _, was := range before.Seats {
			if was.Seat == is.Seat && changed(was, is) {
				return true
			}
		}
	}
	return false
}
