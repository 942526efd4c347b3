// Package countdown is the part by which a game runs against the clock. The countdown belongs to the table and is no rule: undo does not
// reach it. It runs on the clock of the game, which stands in a pause and knows no time of day, and a restart gives back at most the 15 s
// since it was written down last. Everybody sees the same: what is left, a word at 30, 10, 5 and 1 minutes, and what a hint or a wrong
// accusation cost. When the time is up the game is held (wire.Hold.Over) until the host gives more time, lets it go on without, or puts
// the next game on the table. While the display plays a scene nothing of it happens: a verdict would be told by what it costs.
package countdown

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/hints"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host.
const (
	ActSet   = "countdown"       // args {"minutes"}: in the lobby for each game of this table, "0" for none; in a game, anew from now
	ActAdd   = "countdown-add"   // args {"seconds"}, below zero too, and {"bonus": "yes"}, which everybody is told
	ActEnd   = "countdown-end"   // the game goes on without it
	ActFines = "countdown-fines" // args {"for": "hint" or "wrong", "seconds"}: what one costs
)

// KindChanged is the kind of its events.
const KindChanged = "table.countdown"

// Settings of the table, and what one chooses from.
const (
	settingMinutes = "countdown.minutes"
	settingFine    = "countdown." // and ForHint or ForWrong
)

// What ActFines sets the cost of.
const (
	ForHint  = "hint"
	ForWrong = "wrong"
)

const (
	rule       = "GEN-001"
	yes        = "yes"
	maxMinutes = 240
)

// Beat is the longest time between two records of the countdown in the journal: a power cut gives back so much time at most.
const Beat = 15 * time.Second

var (
	minuteChoices = []string{"0", "30", "45", "60", "75", "90", "120"}
	addChoices    = []string{"-300", "-60", "60", "300"}
	fineChoices   = []string{"0", "30", "60", "120", "300"}
	// warnings lists how much is left when everybody gets a notice of it.
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

// change is the data of a KindChanged in the journal.
type change struct {
	Why  string        `json:"why"`
	By   engine.Millis `json:"by,omitempty"`
	step int64
}

// run is the state of the countdown that follows from the events of a game.
type run struct {
	on     bool
	ends   engine.Millis
	of     engine.Millis         // what was given in all
	fined  []change              // wrong accusations
	costs  map[int]engine.Millis // what each hint took, by its number
	timeUp bool                  // it holds the game
}

// Countdown is the part.
type Countdown struct {
	table master.Table
	run   run

	minutes int // chosen for each game
	fines   map[string]engine.Millis
	cued    bool          // cue is that of the run as it is
	cue     engine.Millis // the next of warnings; 0: none
	beat    engine.Millis // when what is left is to be written down again
	told    int64         // the step up to which everybody knows what wrong accusations have cost
	until   int64         // the end by the time of day, as it was said last
}

// New returns the part.
func New(t master.Table) *Countdown { return &Countdown{table: t} }

// Load implements master.Loader. A store that cannot tell stops no game: then there is none.
func (d *Countdown) Load() {
	number := func(setting string) int {
		text, ok, err := d.table.Setting(setting)
		if err != nil || !ok {
			return 0
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > maxMinutes*60 {
			return 0
		}
		return n
	}
	d.minutes, d.fines, d.told, d.until, d.cued = min(number(settingMinutes), maxMinutes), map[string]engine.Millis{}, d.table.Step(), 0, false
	for _, f := range []string{ForHint, ForWrong} {
		d.fines[f] = engine.Millis(number(settingFine+f)) * 1000
	}
}

// Kinds implements master.Recorder.
func (d *Countdown) Kinds() []master.Kind {
	return []master.Kind{{Name: KindChanged, Minute: func(e store.Event) (said engine.Msg, _ engine.Text) {
		var x change
		if master.Read(e, &x) && x.Why == whyBeat { // nobody has made it and nobody saw it
			return said, engine.Text{}
		}
		return engine.Say("minutes.count."+x.Why, "n", seconds(x.By)), engine.Text{}
	}}}
}

// Reset implements master.Recorder.
func (d *Countdown) Reset() { d.run, d.cued = run{costs: map[int]engine.Millis{}}, false }

// Apply implements master.Recorder.
func (d *Countdown) Apply(e store.Event) {
	r := &d.run
	d.beat = e.At + engine.Millis(Beat.Milliseconds())
	switch e.Kind {
	case KindChanged:
		if x := (change{step: e.Step}); master.Read(e, &x) {
			d.cued = d.cued && x.Why == whyBeat
			r.apply(x, e.At)
		}
		return
	case hints.KindGiven:
		n, cost := hints.CostOf(e)
		if cost == 0 {
			return
		}
		r.costs[n] = cost
		r.ends -= cost
	case hints.KindBack:
		n, _ := hints.CostOf(e)
		r.ends += r.costs[n]
		delete(r.costs, n)
	case master.KindUndo:
		var u master.Undone
		if master.Read(e, &u) {
			r.giveBack(u.Step)
		}
	case master.KindPause:
		var h wire.Hold
		master.Read(e, &h)
		r.timeUp = h.Over
		return
	case master.KindResume:
		r.on = r.on && !r.timeUp
		r.timeUp = false
		return
	default:
		return
	}
	d.cued = false
}

func (r *run) apply(x change, at engine.Millis) {
	switch x.Why {
	case whyStart:
		r.on, r.ends, r.of, r.fined = true, at+x.By, x.By, nil
	case whyAdd, whyBonus:
		r.ends, r.of = r.ends+x.By, max(r.of, r.of+x.By)
	case ForWrong:
		r.ends -= x.By
		r.fined = append(r.fined, x)
	case whyEnd:
		r.on = false
	}
}

// giveBack gives back what was taken for wrong accusations after a step.
func (r *run) giveBack(step int64) {
	taken := func(f change) bool { return f.step > step }
	for _, f := range r.fined {
		if taken(f) {
			r.ends += f.By
		}
	}
	r.fined = slices.DeleteFunc(r.fined, taken)
}

// counting reports a countdown that the game runs against.
func (d *Countdown) counting() bool { return d.run.on && !d.table.InLobby() && !d.table.Ended() }

// left is what is left of it as everybody sees it: nothing once the time is up, and what was left when the game ended.
func (d *Countdown) left() engine.Millis {
	at := d.table.Now()
	if d.table.Ended() {
		at = min(at, d.table.Played())
	}
	return max(0, d.run.ends+d.untold()-at)
}

// untold returns the sum of fines that are not shown yet, because the display still plays their accusations.
func (d *Countdown) untold() (sum engine.Millis) {
	for _, f := range d.run.fined {
		if f.step > d.told {
			sum += f.By
		}
	}
	return sum
}

// cueNext finds the next warning after a change.
func (d *Countdown) cueNext() {
	d.cued, d.cue = true, 0
	for _, w := range warnings {
		if w < d.left() {
			d.cue = w
			break
		}
	}
}

// Due implements master.Timer. During a scene all waits: it would tell on the phones what the display still plays.
func (d *Countdown) Due(due func(time.Time, func())) {
	t := d.table
	switch {
	case t.InScene():
		return
	case d.run.on && d.untold() > 0:
		due(t.When(0), d.tellFine) // before it can end the game
		return
	case !d.counting():
		return
	}
	if !d.cued {
		d.cueNext()
	}
	due(t.When(d.run.ends), d.endTime)
	if w := d.cue; w > 0 {
		due(t.When(d.run.ends-w), func() {
			d.cueNext()
			t.Publish(t.Passing(engine.Say("table.count.left", "n", strconv.FormatInt(int64(w/60_000), 10))))
		})
	}
	due(t.When(d.beat), func() {
		_ = t.Record(master.ByClock, KindChanged, change{Why: whyBeat}) // a journal that cannot has paused the game
		t.Publish(nil)
	})
}

// endTime ends the game: all stands still, and stays so over a restart, until the host chooses what comes next.
func (d *Countdown) endTime() {
	_ = d.table.Hold(master.ByClock, wire.Hold{Over: true}) // a journal that cannot has paused the game
	d.table.Publish(nil)
}

// FollowStep implements master.StepFollower: wrong accusations cost time. That is told once the display has played them (tellFine).
func (d *Countdown) FollowStep(before, after *engine.View) (author, kind string, data any) {
	n := engine.Millis(0)
	for _, h := range after.Since(min(before.Last(), after.Last())) {
		if h.What == engine.HapWrong {
			n++
		}
	}
	by := n * d.fines[ForWrong]
	if by == 0 || !d.run.on || after.Result != nil {
		return "", "", nil
	}
	return master.ByClock, KindChanged, change{Why: ForWrong, By: by}
}

// tellFine takes off, for all to see, what wrong accusations have cost.
func (d *Countdown) tellFine() {
	by := d.untold()
	d.told = d.table.Step()
	d.cueNext()
	d.table.Publish(d.table.Passing(engine.Say("table.count.wrong", "n", seconds(by))))
}

func seconds(d engine.Millis) string { return strconv.FormatInt(int64(d/1000), 10) }

// GameBegun implements master.BeginListener: it starts the countdown of a game. One that still runs is that of a beginning which was taken back.
func (d *Countdown) GameBegun(author string) {
	switch n := d.minutes; {
	case n > 0:
		_ = d.change(author, whyStart, engine.Millis(n)*60_000)
	case d.run.on:
		_ = d.change(author, whyEnd, 0)
	}
}

func (d *Countdown) change(author, why string, by engine.Millis) *engine.Reject {
	return d.table.Record(author, KindChanged, change{Why: why, By: by})
}

// Acts implements master.Part.
func (d *Countdown) Acts() []master.Act {
	act := func(name string, do master.Do) master.Act {
		return master.Act{Name: name, Role: wire.RoleOperator, Pause: master.InHold, Do: do}
	}
	return []master.Act{act(ActSet, d.set), act(ActAdd, d.add), act(ActEnd, d.end), act(ActFines, d.fine)}
}

// set begins one, or chooses that of each game to come.
func (d *Countdown) set(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := d.table
	n, err := strconv.Atoi(args["minutes"])
	switch {
	case err != nil || n < 0 || n > maxMinutes:
		return nil, master.Refuse(engine.Unknown, rule, "table.count.minutes")
	case t.InLobby():
		if r := t.Set(settingMinutes, strconv.Itoa(n)); r != nil {
			return nil, r
		}
		d.minutes = n
		return nil, nil
	case n == 0 || t.Ended():
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if d.run.timeUp { // more time
		if r := t.Release(by.Author); r != nil {
			return nil, r
		}
	}
	if r := d.change(by.Author, whyStart, engine.Millis(n)*60_000); r != nil {
		return nil, r
	}
	return t.Passing(engine.Say("table.count.left", "n", strconv.Itoa(n))), nil
}

func (d *Countdown) add(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	n, err := strconv.Atoi(args["seconds"])
	switch {
	case !d.counting() || d.run.timeUp:
		return nil, master.Refuse(engine.NotNow, rule, "table.count.none")
	case err != nil || n == 0 || n < -maxMinutes*60 || n > maxMinutes*60 || !d.fits(args["seconds"]):
		return nil, master.Refuse(engine.Unknown, rule, "table.count.minutes")
	case args["bonus"] != yes:
		return nil, d.change(by.Author, whyAdd, engine.Millis(n)*1000)
	case n < 0:
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	if r := d.change(by.Author, whyBonus, engine.Millis(n)*1000); r != nil {
		return nil, r
	}
	return d.table.Passing(engine.Say("table.count.bonus", "n", strconv.Itoa(n))), nil
}

// fits reports that so many seconds more are not too many; fewer never are. What a cost gives back may have made it longer.
func (d *Countdown) fits(seconds string) bool {
	n, err := strconv.Atoi(seconds)
	return err == nil && (n < 0 || d.left()+engine.Millis(n)*1000 <= maxMinutes*60_000)
}

func (d *Countdown) end(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !d.counting() || d.run.timeUp {
		return nil, master.Refuse(engine.NotNow, rule, "table.count.none")
	}
	return nil, d.change(by.Author, whyEnd, 0)
}

// fine says what a hint or a wrong accusation costs from now on.
func (d *Countdown) fine(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	what, cost := args["for"], args["seconds"]
	if what != ForHint && what != ForWrong || !slices.Contains(fineChoices, cost) {
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	if r := d.table.Set(settingFine+what, cost); r != nil {
		return nil, r
	}
	n, _ := strconv.Atoi(cost)
	d.fines[what] = engine.Millis(n) * 1000
	return nil, nil
}

// HintCost returns what a hint costs now.
func (d *Countdown) HintCost() engine.Millis {
	if !d.counting() {
		return 0
	}
	return d.fines[ForHint]
}

// offer is one of the countdown; what never changes of them is made once.
func offer(act, name string, domain []string, fixed engine.Args) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Aside: true, Fixed: fixed, Params: []engine.Param{{Name: name, Kind: "value", Domain: domain}}}
}

var (
	offerMinutes = offer(ActSet, "minutes", minuteChoices, nil)
	offerStart   = offer(ActSet, "minutes", minuteChoices[1:], nil)
	offerFines   = []engine.Offer{
		offer(ActFines, "seconds", fineChoices, engine.Args{"for": ForHint}),
		offer(ActFines, "seconds", fineChoices, engine.Args{"for": ForWrong}),
	}
)

// Offers implements master.Offerer.
func (d *Countdown) Offers(all []engine.Offer) []engine.Offer {
	over := d.table.Ended()
	switch {
	case over:
	case d.table.InLobby():
		all = append(all, offerMinutes)
	default:
		all = append(all, offerStart)
	}
	if d.counting() && !d.run.timeUp {
		fits := slices.DeleteFunc(slices.Clone(addChoices), func(s string) bool { return !d.fits(s) })
		all = append(all, offer(ActAdd, "seconds", fits, nil))
		if more := fits[2:]; len(more) > 0 {
			all = append(all, offer(ActAdd, "seconds", more, engine.Args{"bonus": yes}))
		}
		all = append(all, engine.Offer{Act: ActEnd, Rule: rule, Aside: true, Grave: true})
	}
	if !over && !d.run.timeUp {
		all = append(all, offerFines...)
	}
	return all
}

// ShowPublic implements master.PublicShower.
func (d *Countdown) ShowPublic(u *wire.Update) {
	t := d.table
	if !d.run.on || t.InLobby() {
		return
	}
	u.Count = &wire.Count{Left: d.left(), Of: d.run.of, Runs: d.counting() && !t.Paused()}
	if !u.Count.Runs {
		return
	}
	ends := t.Wall().Add(time.Duration(u.Count.Left) * time.Millisecond).Unix()
	if moved := ends - d.until; moved < -1 || moved > 1 { // a second more or less is rounding
		d.until = ends
	}
	u.Count.Ends = d.until
}

// ShowHost implements master.HostShower: what the host has chosen.
func (d *Countdown) ShowHost(to *wire.ForHost) {
	to.Desk.Timing = &wire.Timing{Minutes: d.minutes, Hint: int(d.fines[ForHint] / 1000), Wrong: int(d.fines[ForWrong] / 1000)}
}

// RoomSettings implements master.RoomSettingsLister.
func (d *Countdown) RoomSettings() map[string]string {
	return map[string]string{settingMinutes: "", settingFine + ForHint: "", settingFine + ForWrong: ""}
}

// Orders implements master.OrderLister.
func (d *Countdown) Orders() []master.Act {
	return []master.Act{{Name: wire.OrderCountdown, Pause: master.InHold, Do: func(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
		if args["bonus"] == yes && strings.HasPrefix(args["seconds"], "-") {
			return nil, master.Malformed("seconds")
		}
		return d.add(by, args)
	}}}
}

// AddToEvening implements master.EveningAdder.
func (d *Countdown) AddToEvening(e *wire.Evening) {
	if d.run.on {
		e.Of, e.Left = d.run.of, max(0, d.run.ends-d.table.Played())
	}
}

// AddToFigures implements master.FiguresAdder.
func (d *Countdown) AddToFigures(f *wire.GameFigures, last engine.Millis) {
	switch {
	case d.run.timeUp:
		f.Of = d.run.of
		if f.End == wire.EndOpen {
			f.End = wire.EndTime
		}
	case d.run.on || d.run.of > 0:
		f.Of, f.Left = d.run.of, max(0, d.run.ends-last)
	}
}
