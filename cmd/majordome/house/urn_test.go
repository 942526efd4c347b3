package house

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/engine"
)

// film is a strip that records its pictures for a test.
type film struct {
	mu      sync.Mutex
	px      []devices.RGB
	all     [][]devices.RGB
	changed chan struct{}
}

func newFilm() *film { return &film{changed: make(chan struct{})} }

func (f *film) String() string { return "film" }
func (f *film) Len() int       { l := light.DefaultLayout(7); return l.Len() }
func (f *film) Halt() error    { return nil }
func (f *film) ShowFrame(px []devices.RGB) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.px = slices.Clone(px)
	if len(f.all) < 20_000 {
		f.all = append(f.all, f.px)
	}
	close(f.changed)
	f.changed = make(chan struct{})
	return nil
}

// waitSlot waits until the slot of the urn shows these pixels.
func (f *film) slot(t *testing.T, what string, want []devices.RGB) {
	t.Helper()
	l := light.DefaultLayout(7)
	f.until(t, what, func(px []devices.RGB) bool { return slices.Equal(l.Urn.AppendPixels(nil, px), want) })
}

// waitFrame waits for a picture.
func (f *film) until(t *testing.T, what string, good func([]devices.RGB) bool) {
	t.Helper()
	late := time.After(patience)
	for {
		f.mu.Lock()
		px, changed := f.px, f.changed
		f.mu.Unlock()
		if px != nil && good(px) {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("%s: the strip shows %v", what, px)
		}
	}
}

// mark returns the number of pictures so far.
func (f *film) mark() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.all)
}

// slotShowed reports whether the slot has shown these pixels since a mark.
func (f *film) showed(from int, want []devices.RGB) bool {
	l := light.DefaultLayout(7)
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.all[from:], func(px []devices.RGB) bool { return slices.Equal(l.Urn.AppendPixels(nil, px), want) })
}

// slotPixels returns what the slot shows for a steady state.
func glowing(t *testing.T, g light.Glow) []devices.RGB {
	t.Helper()
	l := light.DefaultLayout(7)
	s, err := light.NewStage(l, l.Len(), calmly())
	if err != nil {
		t.Fatal(err)
	}
	s.SetCue(light.Cue{Urn: g}, 0)
	return l.Urn.AppendPixels(nil, s.Frame(time.Minute))
}

// calmOpts turns off all animation and the power limit.
func calmly() *light.Opts { return &light.Opts{Calm: true, Budget: light.HardCap} }

// actAsSeat acts as the phone of a seat does, after the relay has opened its act.
func (r *rig) seat(x engine.Seat, act string, args engine.Args) wire.Reply {
	r.t.Helper()
	u, ok := r.house.loop.Snapshot(engine.SeatViewer(x))
	if !ok {
		r.t.Fatal("nobody sits there")
	}
	answer := make(chan wire.Reply, 1)
	r.house.loop.Act(wire.First(engine.SeatViewer(x)), wire.Act{ID: act, Seq: u.Seq + 1, Act: act, Args: args}, func(w wire.Reply) { answer <- w })
	w := <-answer
	r.house.loop.IsResponsive(r.t.Context(), patience) // all answers have also been published
	return w
}

func (r *rig) does(x engine.Seat, act string, pairs ...string) {
	r.t.Helper()
	args := engine.Args{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	if w := r.seat(x, act, args); !w.OK {
		r.t.Fatalf("%s does %s %v: %+v", x, act, pairs, w.Reject)
	}
}

func (r *rig) own(x engine.Seat) *engine.Own {
	u, _ := r.house.loop.Snapshot(engine.SeatViewer(x))
	return u.View.Me
}

func (r *rig) public() engine.View {
	u, _ := r.house.loop.Snapshot(engine.Public)
	return u.View
}

// startDeposits runs a house up to the first deposit of round 1: each player has picked one clue and taken another,
// each in a place of their own, so that no player could observe.
func deposits(t *testing.T, change func(*Opts)) *rig {
	t.Helper()
	r := start(t, change)
	r.toDeposits(t)
	return r
}

func (r *rig) toDeposits(t *testing.T) {
	t.Helper()
	for _, act := range []string{"begin", "draw-roles", "deal"} {
		r.host(act, nil)
		r.house.loop.IsResponsive(t.Context(), patience) // the loop has counted the act before the next one
	}
	for x := engine.Seat(1); x <= 4; x++ {
		tray := r.own(x).Tray
		i := slices.IndexFunc(tray, func(c engine.ID) bool { return strings.HasPrefix(string(c), "clue-") })
		r.does(x, "keep", "card", string(tray[i]))
	}
	for x := engine.Seat(1); x <= 4; x++ {
		r.does(x, "move", "place", string(r.public().Places[x].Place))
		r.does(x, "search")
		tray := r.own(x).Tray
		r.does(x, "take", "card", string(tray[len(tray)-1]))
		r.does(x, "done")
	}
	if v := r.public(); v.Phase != "deposit" || v.Active[0] != 1 {
		t.Fatalf("phase %s, active %v", v.Phase, v.Active)
	}
}

// depositableCard returns a clue that a seat may deposit.
func (r *rig) may(x engine.Seat) engine.ID {
	r.t.Helper()
	for _, c := range r.own(x).Hand {
		if slices.Contains(c.Marks, "deposit") {
			return c.Card
		}
	}
	r.t.Fatalf("%s has nothing to deposit", x)
	return ""
}

// updateText returns an update as text, without the number of its step.
func plain(t *testing.T, u wire.Update) string {
	t.Helper()
	u.Rev, u.Seq, u.Waited = 0, 0, 0
	if u.ForHost != nil && u.Desk != nil { // the counter of stray tags grows with each, whatever card was presented
		rest, desk := *u.ForHost, *u.Desk
		desk.Watch, rest.Desk = nil, &desk
		u.ForHost = &rest
	}
	if u.Notice != nil {
		n := *u.Notice
		n.N, u.Notice = 0, &n
	}
	data, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// bounceTime is the time after a card was accepted, or has left after that, within which it counts as the same
// presentation (companion/game, GEN-E04).
const bounce = 500 * time.Millisecond

// waitBounce waits until a card that was accepted at a reader and taken away would count as a new presentation. The
// half second begins when the reader reports that the card has left, which depends on the reader's speed.
func (r *rig) waitBounce(reader string) {
	r.t.Helper()
	r.eyes[reader].gone(r.t, reader)
	r.shown()
	time.Sleep(bounce)
}

// gatherTime is the time during which the slot gathers tags into one presentation (companion/game).
const window = 500 * time.Millisecond

// presentAtUrn places tags at the urn, or something unreadable if there are none, and returns the answer, after
// checking that it came with the constant delay.
func (r *rig) presented(what string, uids ...devices.UID) wire.Update {
	r.t.Helper()
	// A seat that waits for long is reminded (GEN-E07): a step without a notice.
	return r.presentedUntil(what, func(u wire.Update) bool { return u.Notice != nil }, uids...)
}

// presentAtUrnUntil does the same and waits for an update that is the answer.
func (r *rig) presentedUntil(what string, answer func(wire.Update) bool, uids ...devices.UID) wire.Update {
	r.t.Helper()
	r.eyes[engine.ReaderUrn].gone(r.t, engine.ReaderUrn)
	from, began := r.mark(), time.Now()
	if len(uids) == 0 {
		defer r.unreadable(engine.ReaderUrn)()
	}
	r.put(engine.ReaderUrn, uids...)
	u := r.until(from, what, answer)
	if took := time.Since(began); took < window {
		r.t.Errorf("%s: answered after %v, before the window of %v was over (GEN-003)", what, took, window)
	}
	for _, id := range uids {
		r.sims[engine.ReaderUrn].RemoveTag(id)
	}
	return u
}

// TestUrnProtocol follows one deposit phase at the slot, from tags in the field to the table, the phones and the LEDs
// (rules, 4.1 and 4.2; GEN-003, GEN-004, GEN-E01 to GEN-E08, GEN-024, HC-120, HC-121).
func TestUrnProtocol(t *testing.T) {
	t.Parallel()
	urnProtocol(t, nil, nil)
}

// runUrnProtocol is that test for readers that may be connected elsewhere; ready changes the rig before the first tag.
func urnProtocol(t *testing.T, change func(*Opts), ready func(*rig)) {
	pictures := newFilm()
	r := deposits(t, func(o *Opts) {
		o.Strips = []config.Strip{{Strip: pictures, Layout: light.DefaultLayout(7), Opts: *calmly()}}
		if change != nil {
			change(o)
		}
	})
	if ready != nil {
		ready(r)
	}
	urn := r.sims[engine.ReaderUrn]
	turn := func(x engine.Seat) {
		t.Helper()
		pictures.slot(t, fmt.Sprintf("%s is to deposit", x), glowing(t, light.Glow{State: light.GlowWaiting, Seat: int(x)}))
	}
	accepted := glowing(t, light.Glow{State: light.GlowAccepted})
	deposit := func(x engine.Seat) engine.ID {
		t.Helper()
		turn(x)
		card, from := r.may(x), pictures.mark()
		u := r.presented(fmt.Sprintf("%s deposits", x), tagOf(t, card))
		if u.Notice == nil || u.Notice.Signal != "accepted" || u.Notice.Msg.Key != "table.accepted" || len(u.Notice.Msg.Args) != 0 {
			t.Fatalf("%s: %+v", x, u.Notice)
		}
		if x < 4 {
			turn(x + 1) // the signal has been shown to its end
		} else {
			pictures.slot(t, "the urn is full", glowing(t, light.Glow{State: light.GlowIdle}))
		}
		if !pictures.showed(from, accepted) {
			t.Errorf("%s: no light says that the card is accepted", x)
		}
		return card
	}
	deposit(1)
	r.refusals(t)

	// A copy of it, when seat 3 is called: one deposit, and all players receive the alarm (GEN-E13). It must not show
	// that this card was the last to be accepted.
	second := deposit(2)
	r.waitBounce(engine.ReaderUrn)
	before := plain(t, wire.Update{View: r.public()})
	if u := r.presented("the same card once more", tagOf(t, second)); u.Notice.Rule != "GEN-E13" || plain(t, wire.Update{View: u.View}) != before {
		t.Errorf("the same card again: %+v", u.Notice)
	}

	// The reader is lost in the middle of the round: the phone declares instead, and the table sees the same as after
	// a card (GEN-024).
	from := r.mark()
	urn.Unplug(0)
	r.until(from, "the reader is lost", lost(engine.ReaderUrn, "lost"))
	pictures.slot(t, "a lost reader is dark", make([]devices.RGB, len(light.DefaultLayout(7).Urn)))
	r.does(3, "deposit", "card", string(r.may(3)))
	if v := r.public(); v.Urn != 3 || !v.Seats[2].Done || v.Active[0] != 4 {
		t.Errorf("declared by phone: urn %d, active %v", v.Urn, v.Active)
	}
	from = r.mark()
	urn.Plug()
	r.until(from, "the reader is back", lost(engine.ReaderUrn, "ok"))
	deposit(4)
	if v := r.public(); v.Phase != "reveal" || v.Urn != 4 || len(v.Shown) != 0 {
		t.Errorf("phase %s, urn %d, shown %v", v.Phase, v.Urn, v.Shown)
	}
}

// checkAlarms: a clue of another hand counts for no player, and all viewers, seat 2 included, get the same bytes
// whichever clue it is (GEN-E13).
func (r *rig) alarms(t *testing.T) {
	same := ""
	for _, x := range []engine.Seat{3, 4, 1} {
		was := r.public()
		u := r.presented("a clue of another hand", tagOf(t, r.own(x).Hand[0].Card))
		if u.Notice == nil || u.Notice.Signal != "again" || u.Notice.Rule != "GEN-E13" || u.Notice.Msg.Key != "gen.alarm" {
			t.Fatalf("a clue of %s: the table is told %+v", x, u.Notice)
		}
		if u.View.Urn != was.Urn || u.View.Active[0] != 2 {
			t.Errorf("a clue of %s counted", x)
		}
		all := plain(t, u)
		for y := engine.Seat(1); y <= 4; y++ {
			all += plain(t, r.had(u, y))
		}
		if same == "" {
			same = all
		}
		if all != same {
			t.Errorf("a clue of %s can be told from another:\n%s\n%s", x, all, same)
		}
	}
}

// checkRefusals: whatever is wrong with a presentation, all viewers but seat 2 get the same bytes, and the slot shows
// the same.
func (r *rig) refusals(t *testing.T) {
	held := r.own(2).Hand
	foreign := uid(t, 200)
	same, reasons := "", map[string]bool{}
	for _, c := range []struct {
		name string
		rule string
		tags []devices.UID
	}{
		{"a torn reading", "GEN-E08", nil},
		{"a bank card", "GEN-E01", []devices.UID{foreign}},
		{"a card of another kind", "GEN-E02", []devices.UID{tagOf(t, "role-innocent-3")}},
	} {
		was := r.public()
		u := r.presented(c.name, c.tags...)
		if u.Notice == nil || u.Notice.Signal != "again" || u.Notice.Rule != "GEN-004" || u.Notice.Msg.Key != "gen.again" {
			t.Fatalf("%s: the table is told %+v", c.name, u.Notice)
		}
		if u.View.Urn != was.Urn || u.View.Active[0] != 2 {
			t.Errorf("%s counted", c.name)
		}
		others := plain(t, u)
		for _, x := range []engine.Seat{0, 1, 3, 4} {
			others += plain(t, r.had(u, x))
		}
		if same == "" {
			same = others
		}
		if others != same {
			t.Errorf("%s can be told from the others:\n%s\n%s", c.name, others, same)
		}
		own := r.had(u, 2)
		if own.Notice == nil || !own.Notice.Private || own.Notice.Rule != c.rule || own.Notice.Signal != "again" {
			t.Errorf("%s: Bruno is told %+v, want %s", c.name, own.Notice, c.rule)
		} else {
			reasons[own.Notice.Rule] = true
		}
	}
	if len(reasons) < 3 {
		t.Errorf("Bruno heard only %v", reasons)
	}
	r.alarms(t)
	// Two at once belong to the hand that deposited a moment ago, otherwise to Bruno's (GEN-E06).
	for _, tags := range [][]devices.UID{{tagOf(t, held[0].Card), tagOf(t, held[1].Card)}, {tagOf(t, held[0].Card), foreign}} {
		u := r.presented("two at once", tags...)
		if u.Notice == nil || u.Notice.Signal != "again" || u.Notice.Msg.Key != "gen.again" || u.View.Active[0] != 2 {
			t.Fatalf("two at once: the table is told %+v", u.Notice)
		}
		whose, err := engine.ParseSeat(u.Notice.Msg.Args.Get("seat"))
		if err != nil || whose > 2 {
			t.Fatalf("two at once are said to be those of %s", whose)
		}
		if own := r.had(u, whose); own.Notice == nil || !own.Notice.Private || own.Notice.Rule != "GEN-E06" {
			t.Errorf("two at once: %s is told %+v", whose, own.Notice)
		}
	}
	if w := r.seat(4, "deposit", engine.Args{"card": string(r.own(4).Hand[0].Card)}); w.OK || w.Reject.Rule != "HC-120" {
		t.Errorf("David deposits out of turn by phone: %+v", w)
	}
}

// TestSlotColours: each seat has a colour of its own, and no two states of the slot look the same.
func TestSlotColours(t *testing.T) {
	seen := map[string]string{}
	note := func(name string, g light.Glow) {
		key := fmt.Sprint(glowing(t, g))
		if other := seen[key]; other != "" {
			t.Errorf("%s looks like %s", name, other)
		}
		seen[key] = name
	}
	for x := 1; x <= 8; x++ {
		note(fmt.Sprintf("seat %d", x), light.Glow{State: light.GlowWaiting, Seat: x})
	}
	note("accepted", light.Glow{State: light.GlowAccepted})
	note("idle", light.Glow{State: light.GlowIdle})
	note("lost", light.Glow{})
}
