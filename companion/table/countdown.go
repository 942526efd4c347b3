package table

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host about a countdown over the game. It is no move: undo does not reach it, and no rule knows it.
const (
	actCountdown    = "countdown"       // args {"minutes"}: in the lobby for each game of this table, "0" for none; in a game, anew from now
	actCountdownAdd = "countdown-add"   // args {"seconds"}, below zero too, and {"bonus": "yes"}, which everybody is told
	actCountdownEnd = "countdown-end"   // the game goes on without it
	actFines        = "countdown-fines" // args {"for": "hint" or "wrong", "seconds"}: what one costs
)

// Settings of the table, and what one chooses from.
const (
	settingMinutes = "countdown.minutes"
	settingFine    = "countdown." // and fineHint or fineWrong
	fineHint       = "hint"
	fineWrong      = "wrong"
)

const (
	maxMinutes = 240
	// beat is how often what is left is written down and shown anew: a table that loses its power gives back so much at most.
	beat = 15 * time.Second
	// causeClock is the author of what the countdown does.
	causeClock = "clock"
)

var (
	minuteChoices = []string{"0", "30", "45", "60", "75", "90", "120"}
	addChoices    = []string{"-300", "-60", "60", "300"}
	fineChoices   = []string{"0", "30", "60", "120", "300"}
	// warnings are when everybody is told how much is left.
	warnings = []engine.Millis{30 * 60_000, 10 * 60_000, 5 * 60_000, 60_000}
)

// Why a countdown changes.
const (
	whyStart = "start"
	whyAdd   = "add"
	whyBonus = "bonus"
	whyBeat  = "beat"
	whyEnd   = "end"
)

// countdown is that of a game, as its events tell. It runs on the game's clock, which stands in a pause and knows no time of day.
type countdown struct {
	on    bool
	ends  engine.Millis
	of    engine.Millis // what was given in all
	fined []counted     // wrong accusations
}

// counted is a change. Its JSON is how the journal keeps it.
type counted struct {
	Why  string        `json:"why"`
	By   engine.Millis `json:"by,omitempty"`
	step int64
}

// after is the countdown after an event, before which the game was held so.
func (d countdown) after(e store.Event, before *wire.Hold, given hints) countdown {
	read := func(into any) bool { return json.Unmarshal(e.Data, into) == nil }
	var (
		x counted
		h hint
		u undone
	)
	switch {
	case e.Kind == kindCountdown && read(&x):
		x.step = e.Step
		return d.changed(x, e.At)
	case e.Kind == kindHint && read(&h):
		d.ends -= h.Cost
	case e.Kind == kindUnhint && read(&h):
		d.ends += given.cost(h.N)
	case e.Kind == kindUndo && read(&u):
		return d.back(u.Step)
	case e.Kind == kindResume && before != nil && before.Over:
		d.on = false
	}
	return d
}

// back gives back what was taken for wrong accusations after a step.
func (d countdown) back(step int64) countdown {
	taken := func(f counted) bool { return f.step > step }
	for _, f := range d.fined {
		if taken(f) {
			d.ends += f.By
		}
	}
	d.fined = slices.DeleteFunc(slices.Clone(d.fined), taken)
	return d
}

func (d countdown) changed(x counted, at engine.Millis) countdown {
	switch x.Why {
	case whyStart:
		return countdown{on: true, ends: at + x.By, of: x.By}
	case whyAdd, whyBonus:
		d.ends, d.of = d.ends+x.By, max(d.of, d.of+x.By)
	case fineWrong:
		d.ends -= x.By
		d.fined = append(slices.Clone(d.fined), x)
	case whyEnd:
		d.on = false
	}
	return d
}

// timing are what the host has chosen for countdowns of this table.
type timing struct {
	minutes int
	fines   map[string]engine.Millis
	cue     engine.Millis // the next of warnings; 0: none
	beat    engine.Millis // when the next is due
	told    int64         // the step up to which everybody knows what wrong accusations have cost
	until   int64         // the end by the time of day, as it was said last
}

// readCountdown learns what the host has chosen. A store that cannot tell stops no game: then there is none.
func (c *core) readCountdown() {
	number := func(name string) int {
		text, _, _ := c.journal.Setting(name)
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > maxMinutes*60 {
			return 0
		}
		return n
	}
	c.timing = timing{minutes: min(number(settingMinutes), maxMinutes), fines: map[string]engine.Millis{}, told: c.step}
	for _, f := range []string{fineHint, fineWrong} {
		c.timing.fines[f] = engine.Millis(number(settingFine+f)) * 1000
	}
	c.cueAgain()
}

// ended reports a game that is over for all to see: during a scene the phones do not know yet.
func (c *core) ended() bool { return c.game.look().Public.Result != nil && c.scene == nil }

// counting reports a countdown that the game runs against.
func (c *core) counting() bool { return c.limit.on && !c.inLobby() && !c.ended() }

// timeLeft is what is left of it as everybody sees it: nothing once the time is up, and what was left when the game ended.
func (c *core) timeLeft() engine.Millis {
	at := c.now()
	if c.ended() {
		at = min(at, c.played)
	}
	return max(0, c.limit.ends+c.untold()-at)
}

// cueAgain finds the next warning after a change.
func (c *core) cueAgain() {
	c.timing.cue, c.timing.beat = 0, c.now()+engine.Millis(beat.Milliseconds())
	for _, w := range warnings {
		if w < c.timeLeft() {
			c.timing.cue = w
			break
		}
	}
}

// timeOf names what the clock brings to a countdown. During a scene it waits: it would tell on the phones what the display still plays.
func (c *core) timeOf(due func(time.Time, func())) {
	switch {
	case c.scene != nil:
		return
	case c.limit.on && c.untold() > 0:
		due(c.anchor, c.tellFine) // before it can end the game
		return
	case !c.counting():
		return
	}
	at := func(m engine.Millis) time.Time { return c.anchor.Add(time.Duration(m-c.base) * time.Millisecond) }
	due(at(c.limit.ends), c.timeUp)
	if w := c.timing.cue; w > 0 {
		due(at(c.limit.ends-w), func() {
			c.cueAgain()
			c.publish(notices{public: c.passing(engine.Say("table.count.left", "n", strconv.FormatInt(int64(w/60_000), 10)))})
		})
	}
	due(at(c.timing.beat), func() {
		c.recount(causeClock, whyBeat, 0)
		c.timing.beat = c.now() + engine.Millis(beat.Milliseconds())
		c.publish(notices{})
	})
}

// passing is a notice about the time; it goes by itself.
func (c *core) passing(said engine.Msg) *wire.Notice {
	n := c.tell(said)
	n.Rule, c.news.Rule = "", ""
	return n
}

// recount records a change.
func (c *core) recount(author, why string, by engine.Millis) *engine.Reject {
	if r := c.record(author, kindCountdown, counted{Why: why, By: by}); r != nil {
		return r
	}
	if why != whyBeat {
		c.cueAgain()
	}
	return nil
}

// fine is what the wrong accusations of the step cost that leads to p; false: nothing. It is written with that step, so that no power cut
// comes between them, and told once the display has played it (tellFine).
func (c *core) fine(p past) (row store.Event, due bool) {
	v, n := &p.game.look().Public, engine.Millis(0)
	for _, h := range v.Since(min(c.game.look().Public.Last(), v.Last())) {
		if h.What == engine.HapWrong {
			n++
		}
	}
	by := n * c.timing.fines[fineWrong]
	if by == 0 || !c.limit.on || v.Result != nil {
		return row, false
	}
	data, _ := json.Marshal(counted{Why: fineWrong, By: by}) // never fails
	return store.Event{Step: p.step + 1, Cause: causeClock, Kind: kindCountdown, Data: data, At: p.last}, true
}

// untold are the fines of which nobody knows yet: no clock tells what the display still plays.
func (c *core) untold() (sum engine.Millis) {
	for _, f := range c.limit.fined {
		if f.step > c.timing.told {
			sum += f.By
		}
	}
	return sum
}

// tellFine takes off, for all to see, what wrong accusations have cost.
func (c *core) tellFine() {
	by := c.untold()
	c.timing.told = c.step
	c.cueAgain()
	c.publish(notices{public: c.passing(engine.Say("table.count.wrong", "n", seconds(by)))})
}

func seconds(d engine.Millis) string { return strconv.FormatInt(int64(d/1000), 10) }

// timeUp ends the game: all stands still, and stays so over a restart, until the host chooses what comes next.
func (c *core) timeUp() {
	if c.record(causeClock, kindPause, wire.Hold{Over: true}) == nil {
		c.halt()
	}
	c.publish(notices{})
}

// isOver reports a game that the countdown has ended.
func (c *core) isOver() bool { return c.held && c.hold.Over }

// setCountdown begins one, or chooses that of each game to come.
func (c *core) setCountdown(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	n, err := strconv.Atoi(args["minutes"])
	switch {
	case err != nil || n < 0 || n > maxMinutes:
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.count.minutes")
	case c.inLobby():
		if r := c.set(settingMinutes, strconv.Itoa(n)); r != nil {
			return nil, r
		}
		c.timing.minutes = n
		return nil, nil
	case n == 0 || c.ended():
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if c.isOver() { // more time
		if _, r := c.resume(by, nil); r != nil {
			return nil, r
		}
	}
	if r := c.recount(by.Author, whyStart, engine.Millis(n)*60_000); r != nil {
		return nil, r
	}
	return c.passing(engine.Say("table.count.left", "n", strconv.Itoa(n))), nil
}

// begun starts the countdown of a game that has just begun. One that still runs is that of a beginning which was taken back.
func (c *core) begun(author string) {
	switch n := c.timing.minutes; {
	case n > 0:
		c.recount(author, whyStart, engine.Millis(n)*60_000)
	case c.limit.on:
		c.recount(author, whyEnd, 0)
	}
}

func (c *core) addCountdown(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	n, err := strconv.Atoi(args["seconds"])
	switch {
	case !c.counting() || c.isOver():
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.count.none")
	case err != nil || n == 0 || n < -maxMinutes*60 || n > maxMinutes*60 || !c.fits(args["seconds"]):
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.count.minutes")
	case args["bonus"] != yes:
		return nil, c.recount(by.Author, whyAdd, engine.Millis(n)*1000)
	case n < 0:
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	if r := c.recount(by.Author, whyBonus, engine.Millis(n)*1000); r != nil {
		return nil, r
	}
	return c.passing(engine.Say("table.count.bonus", "n", strconv.Itoa(n))), nil
}

// fits reports that so many seconds more are not too many; fewer never are. What a cost gives back may have made it longer.
func (c *core) fits(seconds string) bool {
	n, err := strconv.Atoi(seconds)
	return err == nil && (n < 0 || c.timeLeft()+engine.Millis(n)*1000 <= maxMinutes*60_000)
}

func (c *core) endCountdown(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.counting() || c.isOver() {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.count.none")
	}
	return nil, c.recount(by.Author, whyEnd, 0)
}

// setFines says what a hint or a wrong accusation costs from now on.
func (c *core) setFines(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	what, cost := args["for"], args["seconds"]
	if what != fineHint && what != fineWrong || !slices.Contains(fineChoices, cost) {
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	if r := c.set(settingFine+what, cost); r != nil {
		return nil, r
	}
	n, _ := strconv.Atoi(cost)
	c.timing.fines[what] = engine.Millis(n) * 1000
	return nil, nil
}

// hintCost is what a hint costs now: it stands in its event.
func (c *core) hintCost() engine.Millis {
	if !c.counting() {
		return 0
	}
	return c.timing.fines[fineHint]
}

// timeOffer is an offer of the countdown; what never changes of them is made once.
func timeOffer(act, name string, domain []string, fixed engine.Args) engine.Offer {
	return engine.Offer{Act: act, Rule: "GEN-001", Aside: true, Fixed: fixed, Params: []engine.Param{{Name: name, Kind: "value", Domain: domain}}}
}

var (
	offerMinutes = timeOffer(actCountdown, "minutes", minuteChoices, nil)
	offerStart   = timeOffer(actCountdown, "minutes", minuteChoices[1:], nil)
	offerFines   = []engine.Offer{
		timeOffer(actFines, "seconds", fineChoices, engine.Args{"for": fineHint}),
		timeOffer(actFines, "seconds", fineChoices, engine.Args{"for": fineWrong}),
	}
)

// countdownOffers are the host's, in a pause of somebody's too.
func (c *core) countdownOffers(all []engine.Offer) []engine.Offer {
	over := c.ended()
	switch {
	case over:
	case c.inLobby():
		all = append(all, offerMinutes)
	default:
		all = append(all, offerStart)
	}
	if c.counting() && !c.isOver() {
		fits := slices.DeleteFunc(slices.Clone(addChoices), func(s string) bool { return !c.fits(s) })
		all = append(all, timeOffer(actCountdownAdd, "seconds", fits, nil))
		if more := fits[2:]; len(more) > 0 {
			all = append(all, timeOffer(actCountdownAdd, "seconds", more, engine.Args{"bonus": yes}))
		}
		all = append(all, engine.Offer{Act: actCountdownEnd, Rule: "GEN-001", Aside: true, Grave: true})
	}
	if !over && !c.isOver() {
		all = append(all, offerFines...)
	}
	return all
}

// timed adds the countdown to a step as it is shown.
func (c *core) timed(s *Step) {
	s.Public.Count = c.shownCount()
	s.Host.Count, s.shared.Count = s.Public.Count, s.Public.Count
}

// shownCount is the countdown as everybody sees it, the same for all.
func (c *core) shownCount() *wire.Count {
	if !c.limit.on || c.inLobby() {
		return nil
	}
	s := &wire.Count{Left: c.timeLeft(), Of: c.limit.of, Runs: c.counting() && c.paused == nil}
	if s.Runs {
		ends := c.Clock.Now().Add(time.Duration(s.Left) * time.Millisecond).Unix()
		if d := ends - c.timing.until; d < -1 || d > 1 { // a second more or less is rounding
			c.timing.until = ends
		}
		s.Ends = c.timing.until
	}
	return s
}

// shownTiming is what the host has chosen.
func (c *core) shownTiming() *wire.Timing {
	t := c.timing
	return &wire.Timing{Minutes: t.minutes, Hint: int(t.fines[fineHint] / 1000), Wrong: int(t.fines[fineWrong] / 1000)}
}
