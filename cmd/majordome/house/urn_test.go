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
func (f *film) Len() int       { l := light.DefaultLayout(7); return l.MinStripLen() }
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
func (f *film) waitSlot(t *testing.T, what string, want []devices.RGB) {
	t.Helper()
	l := light.DefaultLayout(7)
	f.waitFrame(t, what, func(px []devices.RGB) bool { return slices.Equal(l.Urn.AppendPixels(nil, px), want) })
}

// waitFrame waits for a picture.
func (f *film) waitFrame(t *testing.T, what string, good func([]devices.RGB) bool) {
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
func (f *film) slotShowed(from int, want []devices.RGB) bool {
	l := light.DefaultLayout(7)
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.all[from:], func(px []devices.RGB) bool { return slices.Equal(l.Urn.AppendPixels(nil, px), want) })
}

// slotPixels returns what the slot shows for a steady state.
func slotPixels(t *testing.T, g light.Glow) []devices.RGB {
	t.Helper()
	l := light.DefaultLayout(7)
	s, err := light.NewStage(l, l.MinStripLen(), calmOpts())
	if err != nil {
		t.Fatal(err)
	}
	s.SetCue(light.Cue{Urn: g}, 0)
	return l.Urn.AppendPixels(nil, s.Frame(time.Minute))
}

// calmOpts turns off all animation and the power limit.
func calmOpts() *light.Opts { return &light.Opts{Calm: true, Budget: light.HardCap} }

// actAsSeat acts as the phone of a seat does, after the relay has opened its act.
func (r *rig) actAsSeat(x engine.Seat, act string, args engine.Args) wire.Reply {
	r.t.Helper()
	u, ok := r.house.Loop.Snapshot(engine.SeatViewer(x))
	if !ok {
		r.t.Fatal("nobody sits there")
	}
	answer := make(chan wire.Reply, 1)
	r.house.Loop.Act(wire.FirstPhoneOf(engine.SeatViewer(x)), wire.Act{ID: act, Seq: u.Seq + 1, Act: act, Args: args},
		func(w wire.Reply) { answer <- w })
	w := <-answer
	r.house.Loop.IsResponsive(r.t.Context(), patience) // all answers have also been published
	return w
}

func (r *rig) mustAct(x engine.Seat, act string, pairs ...string) {
	r.t.Helper()
	args := engine.Args{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	if w := r.actAsSeat(x, act, args); !w.OK {
		r.t.Fatalf("%s does %s %v: %+v", x, act, pairs, w.Reject)
	}
}

func (r *rig) ownView(x engine.Seat) *engine.Own {
	u, _ := r.house.Loop.Snapshot(engine.SeatViewer(x))
	return u.View.Me
}

func (r *rig) publicView() engine.View {
	u, _ := r.house.Loop.Snapshot(engine.Public)
	return u.View
}

// startDeposits runs a house up to the first deposit of round 1: each player has picked one clue and taken another,
// each in a place of their own, so that no player could observe.
func startDeposits(t *testing.T, change func(*Opts)) *rig {
	t.Helper()
	r := startRig(t, change)
	r.playToDeposits(t)
	return r
}

func (r *rig) playToDeposits(t *testing.T) {
	t.Helper()
	for _, act := range []string{"begin", "draw-roles", "deal"} {
		r.mustHostAct(act, nil)
		r.house.Loop.IsResponsive(t.Context(), patience) // the loop has counted the act before the next one
	}
	for x := engine.Seat(1); x <= 4; x++ {
		tray := r.ownView(x).Tray
		i := slices.IndexFunc(tray, func(c engine.ID) bool { return strings.HasPrefix(string(c), "clue-") })
		r.mustAct(x, "keep", "card", string(tray[i]))
	}
	for x := engine.Seat(1); x <= 4; x++ {
		r.mustAct(x, "move", "place", string(r.publicView().Places[x].Place))
		r.mustAct(x, "search")
		tray := r.ownView(x).Tray
		r.mustAct(x, "take", "card", string(tray[len(tray)-1]))
		r.mustAct(x, "done")
	}
	if v := r.publicView(); v.Phase != "deposit" || v.Active[0] != 1 {
		t.Fatalf("phase %s, active %v", v.Phase, v.Active)
	}
}

// depositableCard returns a clue that a seat may deposit.
func (r *rig) depositableCard(x engine.Seat) engine.ID {
	r.t.Helper()
	for _, c := range r.ownView(x).Hand {
		if slices.Contains(c.Marks, "deposit") {
			return c.Card
		}
	}
	r.t.Fatalf("%s has nothing to deposit", x)
	return ""
}

// updateText returns an update as text, without the number of its step.
func updateText(t *testing.T, u wire.Update) string {
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
const bounceTime = 500 * time.Millisecond

// waitBounce waits until a card that was accepted at a reader and taken away would count as a new presentation. The
// half second begins when the reader reports that the card has left, which depends on the reader's speed.
func (r *rig) waitBounce(reader string) {
	r.t.Helper()
	r.eyes[reader].waitEmpty(r.t, reader)
	r.waitPublished()
	time.Sleep(bounceTime)
}

// gatherTime is the time during which the slot gathers tags into one presentation (companion/game).
const gatherTime = 500 * time.Millisecond

// presentAtUrn places tags at the urn, or something unreadable if there are none, and returns the answer, after
// checking that it came with the constant delay.
func (r *rig) presentAtUrn(what string, uids ...devices.UID) wire.Update {
	r.t.Helper()
	// A seat that waits for long is reminded (GEN-E07): a step without a notice.
	return r.presentAtUrnUntil(what, func(u wire.Update) bool { return u.Notice != nil }, uids...)
}

// presentAtUrnUntil does the same and waits for an update that is the answer.
func (r *rig) presentAtUrnUntil(what string, answer func(wire.Update) bool, uids ...devices.UID) wire.Update {
	r.t.Helper()
	r.eyes[engine.ReaderUrn].waitEmpty(r.t, engine.ReaderUrn)
	from, began := r.mark(), time.Now()
	if len(uids) == 0 {
		defer r.placeUnreadable(engine.ReaderUrn)()
	}
	r.placeTags(engine.ReaderUrn, uids...)
	u := r.waitUpdate(from, what, answer)
	if took := time.Since(began); took < gatherTime {
		r.t.Errorf("%s: answered after %v, before the window of %v was over (GEN-003)", what, took, gatherTime)
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
	runUrnProtocol(t, nil, nil)
}

// runUrnProtocol is that test for readers that may be connected elsewhere; ready changes the rig before the first tag.
func runUrnProtocol(t *testing.T, change func(*Opts), ready func(*rig)) {
	pictures := newFilm()
	r := startDeposits(t, func(o *Opts) {
		o.Strips = []config.Strip{{Strip: pictures, Layout: light.DefaultLayout(7), Opts: *calmOpts()}}
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
		pictures.waitSlot(t, fmt.Sprintf("%s is to deposit", x), slotPixels(t, light.Glow{State: light.GlowWaiting, Seat: int(x)}))
	}
	accepted := slotPixels(t, light.Glow{State: light.GlowAccepted})
	deposit := func(x engine.Seat) engine.ID {
		t.Helper()
		turn(x)
		card, from := r.depositableCard(x), pictures.mark()
		u := r.presentAtUrn(fmt.Sprintf("%s deposits", x), tagOf(t, card))
		if u.Notice == nil || u.Notice.Signal != "accepted" || u.Notice.Msg.Key != "table.accepted" || len(u.Notice.Msg.Args) != 0 {
			t.Fatalf("%s: %+v", x, u.Notice)
		}
		if x < 4 {
			turn(x + 1) // the signal has been shown to its end
		} else {
			pictures.waitSlot(t, "the urn is full", slotPixels(t, light.Glow{State: light.GlowIdle}))
		}
		if !pictures.slotShowed(from, accepted) {
			t.Errorf("%s: no light says that the card is accepted", x)
		}
		return card
	}
	deposit(1)
	r.checkRefusals(t)

	// A copy of it, when seat 3 is called: one deposit, and all players receive the alarm (GEN-E13). It must not show
	// that this card was the last to be accepted.
	second := deposit(2)
	r.waitBounce(engine.ReaderUrn)
	before := updateText(t, wire.Update{View: r.publicView()})
	if u := r.presentAtUrn("the same card once more", tagOf(t, second)); u.Notice.Rule != "GEN-E13" ||
		updateText(t, wire.Update{View: u.View}) != before {
		t.Errorf("the same card again: %+v", u.Notice)
	}

	// The reader is lost in the middle of the round: the phone declares instead, and the table sees the same as after
	// a card (GEN-024).
	from := r.mark()
	urn.Unplug(0)
	r.waitUpdate(from, "the reader is lost", hasReaderState(engine.ReaderUrn, "lost"))
	pictures.waitSlot(t, "a lost reader is dark", make([]devices.RGB, len(light.DefaultLayout(7).Urn)))
	r.mustAct(3, "deposit", "card", string(r.depositableCard(3)))
	if v := r.publicView(); v.Urn != 3 || !v.Seats[2].Done || v.Active[0] != 4 {
		t.Errorf("declared by phone: urn %d, active %v", v.Urn, v.Active)
	}
	from = r.mark()
	urn.Plug()
	r.waitUpdate(from, "the reader is back", hasReaderState(engine.ReaderUrn, "ok"))
	deposit(4)
	if v := r.publicView(); v.Phase != "reveal" || v.Urn != 4 || len(v.Shown) != 0 {
		t.Errorf("phase %s, urn %d, shown %v", v.Phase, v.Urn, v.Shown)
	}
}

// checkAlarms: a clue of another hand counts for no player, and all viewers, seat 2 included, get the same bytes
// whichever clue it is (GEN-E13).
func (r *rig) checkAlarms(t *testing.T) {
	same := ""
	for _, x := range []engine.Seat{3, 4, 1} {
		was := r.publicView()
		u := r.presentAtUrn("a clue of another hand", tagOf(t, r.ownView(x).Hand[0].Card))
		if u.Notice == nil || u.Notice.Signal != "again" || u.Notice.Rule != "GEN-E13" || u.Notice.Msg.Key != "gen.alarm" {
			t.Fatalf("a clue of %s: the table is shown %+v", x, u.Notice)
		}
		if u.View.Urn != was.Urn || u.View.Active[0] != 2 {
			t.Errorf("a clue of %s counted", x)
		}
		all := updateText(t, u)
		for y := engine.Seat(1); y <= 4; y++ {
			all += updateText(t, r.updateFor(u, y))
		}
		if same == "" {
			same = all
		}
		if all != same {
			t.Errorf("a clue of %s can be distinguished from another:\n%s\n%s", x, all, same)
		}
	}
}

// checkRefusals: whatever is wrong with a presentation, all viewers but seat 2 get the same bytes, and the slot shows
// the same.
func (r *rig) checkRefusals(t *testing.T) {
	held := r.ownView(2).Hand
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
		was := r.publicView()
		u := r.presentAtUrn(c.name, c.tags...)
		if u.Notice == nil || u.Notice.Signal != "again" || u.Notice.Rule != "GEN-004" || u.Notice.Msg.Key != "gen.again" {
			t.Fatalf("%s: the table is shown %+v", c.name, u.Notice)
		}
		if u.View.Urn != was.Urn || u.View.Active[0] != 2 {
			t.Errorf("%s counted", c.name)
		}
		others := updateText(t, u)
		for _, x := range []engine.Seat{0, 1, 3, 4} {
			others += updateText(t, r.updateFor(u, x))
		}
		if same == "" {
			same = others
		}
		if others != same {
			t.Errorf("%s can be distinguished from the others:\n%s\n%s", c.name, others, same)
		}
		own := r.updateFor(u, 2)
		if own.Notice == nil || !own.Notice.Private || own.Notice.Rule != c.rule || own.Notice.Signal != "again" {
			t.Errorf("%s: Bruno is shown %+v, want %s", c.name, own.Notice, c.rule)
		} else {
			reasons[own.Notice.Rule] = true
		}
	}
	if len(reasons) < 3 {
		t.Errorf("Bruno heard only %v", reasons)
	}
	r.checkAlarms(t)
	// Two at once belong to the hand that deposited a moment ago, otherwise to Bruno's (GEN-E06).
	for _, tags := range [][]devices.UID{{tagOf(t, held[0].Card), tagOf(t, held[1].Card)}, {tagOf(t, held[0].Card), foreign}} {
		u := r.presentAtUrn("two at once", tags...)
		if u.Notice == nil || u.Notice.Signal != "again" || u.Notice.Msg.Key != "gen.again" || u.View.Active[0] != 2 {
			t.Fatalf("two at once: the table is shown %+v", u.Notice)
		}
		whose, err := engine.ParseSeat(u.Notice.Msg.Args.Get("seat"))
		if err != nil || whose > 2 {
			t.Fatalf("two at once are said to be those of %s", whose)
		}
		if own := r.updateFor(u, whose); own.Notice == nil || !own.Notice.Private || own.Notice.Rule != "GEN-E06" {
			t.Errorf("two at once: %s is shown %+v", whose, own.Notice)
		}
	}
	if w := r.actAsSeat(4, "deposit", engine.Args{"card": string(r.ownView(4).Hand[0].Card)}); w.OK || w.Reject.Rule != "HC-120" {
		t.Errorf("David deposits out of turn by phone: %+v", w)
	}
}

// TestSlotColours: each seat has a colour of its own, and no two states of the slot look the same.
func TestSlotColours(t *testing.T) {
	seen := map[string]string{}
	note := func(name string, g light.Glow) {
		key := fmt.Sprint(slotPixels(t, g))
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
