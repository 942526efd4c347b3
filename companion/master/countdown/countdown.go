// Package countdown is the part by which a game runs against the clock. The countdown belongs to the table and
// is not a rule of the game: an undo only gives back the fines of the undone accusations. It uses the game
// clock, which stops in a pause and is independent of the time of day. A restart gives back at most the 15 s
// since the last record. All viewers see the same: the time left, a notice at 30, 10, 5 and 1 minutes, and the
// time that a hint or a wrong accusation costs. When the time is up the game is put on hold (wire.Hold.Over)
// until the host gives more time, goes on without a countdown, or opens the next game. During a scene nothing
// of this happens, because the cost of a verdict would give it away.
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
	// ActSet takes args {"minutes"}. In the lobby it sets the minutes of each game at this table, "0" for none; in a
	// game it starts the countdown again.
	ActSet = "countdown"
	// ActAdd adds time: args {"seconds"}, which may be negative, and {"bonus": "yes"} to announce it to all.
	ActAdd   = "countdown-add"
	ActEnd   = "countdown-end"   // the game goes on without a countdown
	ActFines = "countdown-fines" // args {"for": "hint" or "wrong", "seconds"}: the time that one costs
)

// KindChanged is the kind of its events.
const KindChanged = "table.countdown"

// Settings of the table.
const (
	settingMinutes = "countdown.minutes"
	settingFine    = "countdown." // followed by ForHint or ForWrong
)

// Values of "for" in ActFines.
const (
	ForHint  = "hint"
	ForWrong = "wrong"
)

const (
	rule       = "GEN-001"
	yes        = "yes"
	maxMinutes = 240
)

// RecordEvery is the longest time between two records of the countdown in the journal, and therefore the most
// time that a power cut gives back.
const RecordEvery = 15 * time.Second

var (
	minuteChoices = []string{"0", "30", "45", "60", "75", "90", "120"}
	addChoices    = []string{"-300", "-60", "60", "300"}
	fineChoices   = []string{"0", "30", "60", "120", "300"}
	// warnings lists the times left at which all viewers get a notice.
	warnings = []engine.Millis{30 * 60_000, 10 * 60_000, 5 * 60_000, 60_000}
)

// Reasons for a change of the countdown.
const (
	whyStart     = "start"
	whyAdd       = "add"
	whyBonus     = "bonus"
	whyHeartbeat = "beat"
	whyEnd       = "end"
)

// change is the data of a KindChanged in the journal.
type change struct {
	Why   string        `json:"why"`
	Delta engine.Millis `json:"by,omitempty"` // the time that is given, or that a wrong accusation costs
	step  int64
}

// run is the state of the countdown that follows from the events of a game.
type run struct {
	isOn    bool
	ends    engine.Millis         // on the game clock
	total   engine.Millis         // all the time that was given
	charged []change              // one for each wrong accusation
	costs   map[int]engine.Millis // the cost of each hint, by its number
	timeUp  bool                  // the game is on hold because the time is up
}

// Countdown is the part.
type Countdown struct {
	table master.Table
	run   run

	minutes          int // setting for each game
	fines            map[string]engine.Millis
	isWarningCurrent bool          // nextWarning was computed since the last change
	nextWarning      engine.Millis // one of warnings; 0: none
	nextRecord       engine.Millis // when the time left is recorded again
	shownStep        int64         // the last step whose fines are shown
	shownEnd         int64         // the end in Unix seconds, as last shown
}

// New returns the part.
func New(t master.Table) *Countdown { return &Countdown{table: t} }

// LoadSettings implements master.Loader. If the store fails there is no countdown and the game goes on.
func (d *Countdown) LoadSettings() {
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
	d.minutes, d.fines, d.shownStep, d.shownEnd, d.isWarningCurrent =
		min(number(settingMinutes), maxMinutes), map[string]engine.Millis{}, d.table.LastStep(), 0, false
	for _, f := range []string{ForHint, ForWrong} {
		d.fines[f] = engine.Millis(number(settingFine+f)) * 1000
	}
}

// EventKinds implements master.Recorder.
func (d *Countdown) EventKinds() []master.EventKind {
	return []master.EventKind{{Name: KindChanged, MinutesLine: func(e store.Event) (said engine.Msg, _ engine.Text) {
		var x change
		if master.DecodeData(e, &x) && x.Why == whyHeartbeat { // no player made it or saw it
			return said, engine.Text{}
		}
		return engine.NewMsg("minutes.count."+x.Why, "n", formatSeconds(x.Delta)), engine.Text{}
	}}}
}

// ResetEvents implements master.Recorder.
func (d *Countdown) ResetEvents() {
	d.run, d.isWarningCurrent = run{costs: map[int]engine.Millis{}}, false
}

// ApplyEvent implements master.Recorder.
func (d *Countdown) ApplyEvent(e store.Event) {
	r := &d.run
	d.nextRecord = e.At + engine.Millis(RecordEvery.Milliseconds())
	switch e.Kind {
	case KindChanged:
		if x := (change{step: e.Step}); master.DecodeData(e, &x) {
			d.isWarningCurrent = d.isWarningCurrent && x.Why == whyHeartbeat
			r.applyChange(x, e.At)
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
		if master.DecodeData(e, &u) {
			r.refundFines(u.Step)
		}
	case master.KindPause:
		var h wire.Hold
		master.DecodeData(e, &h)
		r.timeUp = h.Over
		return
	case master.KindResume:
		r.isOn = r.isOn && !r.timeUp
		r.timeUp = false
		return
	default:
		return
	}
	d.isWarningCurrent = false
}

func (r *run) applyChange(x change, at engine.Millis) {
	switch x.Why {
	case whyStart:
		r.isOn, r.ends, r.total, r.charged = true, at+x.Delta, x.Delta, nil
	case whyAdd, whyBonus:
		r.ends, r.total = r.ends+x.Delta, max(r.total, r.total+x.Delta)
	case ForWrong:
		r.ends -= x.Delta
		r.charged = append(r.charged, x)
	case whyEnd:
		r.isOn = false
	}
}

// refundFines gives back the fines of wrong accusations that came after a step.
func (r *run) refundFines(afterStep int64) {
	taken := func(f change) bool { return f.step > afterStep }
	for _, f := range r.charged {
		if taken(f) {
			r.ends += f.Delta
		}
	}
	r.charged = slices.DeleteFunc(r.charged, taken)
}

// isCounting reports whether the current game runs against the countdown.
func (d *Countdown) isCounting() bool { return d.run.isOn && !d.table.InLobby() && !d.table.HasEnded() }

// timeLeft returns the time left as all viewers see it: 0 when the time is up, and the time left at the end
// when the game is over.
func (d *Countdown) timeLeft() engine.Millis {
	at := d.table.GameTime()
	if d.table.HasEnded() {
		at = min(at, d.table.PlayedUntil())
	}
	return max(0, d.run.ends+d.unshownFines()-at)
}

// unshownFines returns the sum of the fines that are not shown yet, because the display still plays their
// accusations.
func (d *Countdown) unshownFines() (sum engine.Millis) {
	for _, f := range d.run.charged {
		if f.step > d.shownStep {
			sum += f.Delta
		}
	}
	return sum
}

// setNextWarning sets nextWarning to the greatest of warnings that is less than the time left.
func (d *Countdown) setNextWarning() {
	d.isWarningCurrent, d.nextWarning = true, 0
	for _, w := range warnings {
		if w < d.timeLeft() {
			d.nextWarning = w
			break
		}
	}
}

// ListTimers implements master.Timer. During a scene there are none: they would show on the phones what the
// display still plays.
func (d *Countdown) ListTimers(addTimer func(time.Time, func())) {
	t := d.table
	switch {
	case t.InScene():
		return
	case d.run.isOn && d.unshownFines() > 0:
		addTimer(t.WallTimeOf(0), d.showFines) // at once, before the time can be up
		return
	case !d.isCounting():
		return
	}
	if !d.isWarningCurrent {
		d.setNextWarning()
	}
	addTimer(t.WallTimeOf(d.run.ends), d.holdGameOver)
	if w := d.nextWarning; w > 0 {
		addTimer(t.WallTimeOf(d.run.ends-w), func() {
			d.setNextWarning()
			t.Publish(t.StartPassingNotice(engine.NewMsg("table.count.left", "n", strconv.FormatInt(int64(w/60_000), 10))))
		})
	}
	addTimer(t.WallTimeOf(d.nextRecord), func() {
		_ = t.RecordEvent(master.ByClock, KindChanged, change{Why: whyHeartbeat}) // if the journal fails, the game is paused
		t.Publish(nil)
	})
}

// holdGameOver puts the game on hold until the host chooses what comes next. The hold survives a restart.
func (d *Countdown) holdGameOver() {
	_ = d.table.HoldGame(master.ByClock, wire.Hold{Over: true}) // if the journal fails, the game is paused
	d.table.Publish(nil)
}

// EventForStep implements master.StepFollower: wrong accusations cost time. showFines shows that when the display
// has played them.
func (d *Countdown) EventForStep(before, after *engine.View) (author, kind string, data any) {
	n := engine.Millis(0)
	for _, h := range after.HappeningsAfter(min(before.LastHappeningNumber(), after.LastHappeningNumber())) {
		if h.What == engine.HapWrong {
			n++
		}
	}
	by := n * d.fines[ForWrong]
	if by == 0 || !d.run.isOn || after.Result != nil {
		return "", "", nil
	}
	return master.ByClock, KindChanged, change{Why: ForWrong, Delta: by}
}

// showFines takes the cost of wrong accusations off the time that all viewers see.
func (d *Countdown) showFines() {
	by := d.unshownFines()
	d.shownStep = d.table.LastStep()
	d.setNextWarning()
	d.table.Publish(d.table.StartPassingNotice(engine.NewMsg("table.count.wrong", "n", formatSeconds(by))))
}

func formatSeconds(d engine.Millis) string { return strconv.FormatInt(int64(d/1000), 10) }

// HandleGameBegun implements master.BeginListener: it starts the countdown of a game. If one still runs, it belongs
// to a beginning that was undone.
func (d *Countdown) HandleGameBegun(author string) {
	switch n := d.minutes; {
	case n > 0:
		_ = d.recordChange(author, whyStart, engine.Millis(n)*60_000)
	case d.run.isOn:
		_ = d.recordChange(author, whyEnd, 0)
	}
}

func (d *Countdown) recordChange(author, why string, delta engine.Millis) *engine.Reject {
	return d.table.RecordEvent(author, KindChanged, change{Why: why, Delta: delta})
}

// Acts implements master.Part.
func (d *Countdown) Acts() []master.Act {
	act := func(name string, do master.ActFunc) master.Act {
		return master.Act{Name: name, Role: wire.RoleOperator, Pause: master.InHold, Do: do}
	}
	return []master.Act{act(ActSet, d.setCountdownMinutes), act(ActAdd, d.addTime), act(ActEnd, d.endCountdown), act(ActFines, d.setFine)}
}

// setCountdownMinutes starts the countdown in a game, or sets that of later games in the lobby.
func (d *Countdown) setCountdownMinutes(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := d.table
	n, err := strconv.Atoi(args["minutes"])
	switch {
	case err != nil || n < 0 || n > maxMinutes:
		return nil, master.Refuse(engine.Unknown, rule, "table.count.minutes")
	case t.InLobby():
		if r := t.SetSetting(settingMinutes, strconv.Itoa(n)); r != nil {
			return nil, r
		}
		d.minutes = n
		return nil, nil
	case n == 0 || t.HasEnded():
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if d.run.timeUp { // the host gives more time
		if r := t.ReleaseGame(by.Author); r != nil {
			return nil, r
		}
	}
	if r := d.recordChange(by.Author, whyStart, engine.Millis(n)*60_000); r != nil {
		return nil, r
	}
	return t.StartPassingNotice(engine.NewMsg("table.count.left", "n", strconv.Itoa(n))), nil
}

// addTime adds seconds to the running countdown, negative ones too, or a bonus, which is announced to all.
func (d *Countdown) addTime(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	n, err := strconv.Atoi(args["seconds"])
	switch {
	case !d.isCounting() || d.run.timeUp:
		return nil, master.Refuse(engine.NotNow, rule, "table.count.none")
	case err != nil || n == 0 || n < -maxMinutes*60 || n > maxMinutes*60 || !d.canAddSeconds(args["seconds"]):
		return nil, master.Refuse(engine.Unknown, rule, "table.count.minutes")
	case args["bonus"] != yes:
		return nil, d.recordChange(by.Author, whyAdd, engine.Millis(n)*1000)
	case n < 0:
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	if r := d.recordChange(by.Author, whyBonus, engine.Millis(n)*1000); r != nil {
		return nil, r
	}
	return d.table.StartPassingNotice(engine.NewMsg("table.count.bonus", "n", strconv.Itoa(n))), nil
}

// canAddSeconds reports whether the time left stays within maxMinutes if so many seconds are added. Negative
// seconds are always allowed, because refunds may have made it longer than that.
func (d *Countdown) canAddSeconds(seconds string) bool {
	n, err := strconv.Atoi(seconds)
	return err == nil && (n < 0 || d.timeLeft()+engine.Millis(n)*1000 <= maxMinutes*60_000)
}

func (d *Countdown) endCountdown(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !d.isCounting() || d.run.timeUp {
		return nil, master.Refuse(engine.NotNow, rule, "table.count.none")
	}
	return nil, d.recordChange(by.Author, whyEnd, 0)
}

// setFine sets what a hint or a wrong accusation costs from now on.
func (d *Countdown) setFine(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	what, cost := args["for"], args["seconds"]
	if what != ForHint && what != ForWrong || !slices.Contains(fineChoices, cost) {
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	if r := d.table.SetSetting(settingFine+what, cost); r != nil {
		return nil, r
	}
	n, _ := strconv.Atoi(cost)
	d.fines[what] = engine.Millis(n) * 1000
	return nil, nil
}

// HintCost returns the time that a hint costs now.
func (d *Countdown) HintCost() engine.Millis {
	if !d.isCounting() {
		return 0
	}
	return d.fines[ForHint]
}

// newOffer returns an offer of the countdown. Those that never change are made once, below.
func newOffer(act, name string, domain []string, fixed engine.Args) engine.Offer {
	return engine.Offer{
		Act: act, Rule: rule, Aside: true, Fixed: fixed,
		Params: []engine.Param{{Name: name, Kind: "value", Domain: domain}},
	}
}

var (
	offerMinutes = newOffer(ActSet, "minutes", minuteChoices, nil)
	offerStart   = newOffer(ActSet, "minutes", minuteChoices[1:], nil)
	offerFines   = []engine.Offer{
		newOffer(ActFines, "seconds", fineChoices, engine.Args{"for": ForHint}),
		newOffer(ActFines, "seconds", fineChoices, engine.Args{"for": ForWrong}),
	}
)

// AppendOffers implements master.Offerer.
func (d *Countdown) AppendOffers(all []engine.Offer) []engine.Offer {
	over := d.table.HasEnded()
	switch {
	case over:
	case d.table.InLobby():
		all = append(all, offerMinutes)
	default:
		all = append(all, offerStart)
	}
	if d.isCounting() && !d.run.timeUp {
		fits := slices.DeleteFunc(slices.Clone(addChoices), func(s string) bool { return !d.canAddSeconds(s) })
		all = append(all, newOffer(ActAdd, "seconds", fits, nil))
		if more := fits[2:]; len(more) > 0 {
			all = append(all, newOffer(ActAdd, "seconds", more, engine.Args{"bonus": yes}))
		}
		all = append(all, engine.Offer{Act: ActEnd, Rule: rule, Aside: true, Grave: true})
	}
	if !over && !d.run.timeUp {
		all = append(all, offerFines...)
	}
	return all
}

// ShowPublic implements master.PublicShower: the time left, and the end while the countdown runs.
func (d *Countdown) ShowPublic(u *wire.Update) {
	t := d.table
	if !d.run.isOn || t.InLobby() {
		return
	}
	u.Count = &wire.Count{Left: d.timeLeft(), Of: d.run.total, Runs: d.isCounting() && !t.IsPaused()}
	if !u.Count.Runs {
		return
	}
	ends := t.WallTime().Add(time.Duration(u.Count.Left) * time.Millisecond).Unix()
	if moved := ends - d.shownEnd; moved < -1 || moved > 1 { // a difference of one second is rounding
		d.shownEnd = ends
	}
	u.Count.Ends = d.shownEnd
}

// ShowHost implements master.HostShower: the settings that the host has chosen.
func (d *Countdown) ShowHost(to *wire.ForHost) {
	to.Desk.Timing = &wire.Timing{Minutes: d.minutes, Hint: int(d.fines[ForHint] / 1000), Wrong: int(d.fines[ForWrong] / 1000)}
}

// RoomSettings implements master.RoomSettingsLister.
func (d *Countdown) RoomSettings() map[string]string {
	return map[string]string{settingMinutes: "", settingFine + ForHint: "", settingFine + ForWrong: ""}
}

// Orders implements master.OrderLister.
func (d *Countdown) Orders() []master.Act {
	return []master.Act{{
		Name: wire.OrderCountdown, Pause: master.InHold, Do: func(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
			if args["bonus"] == yes && strings.HasPrefix(args["seconds"], "-") {
				return nil, master.RefuseMalformed("seconds")
			}
			return d.addTime(by, args)
		},
	}}
}

// AddToEvening adds the total and the time left, while there is a countdown. It implements master.EveningAdder.
func (d *Countdown) AddToEvening(e *wire.Evening) {
	if d.run.isOn {
		e.Of, e.Left = d.run.total, max(0, d.run.ends-d.table.PlayedUntil())
	}
}

// AddToFigures implements master.FiguresAdder.
func (d *Countdown) AddToFigures(f *wire.GameFigures, last engine.Millis) {
	switch {
	case d.run.timeUp:
		f.Of = d.run.total
		if f.End == wire.EndOpen {
			f.End = wire.EndTime
		}
	case d.run.isOn || d.run.total > 0:
		f.Of, f.Left = d.run.total, max(0, d.run.ends-last)
	}
}
