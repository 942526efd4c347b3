package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/master/hold"
	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
)

func hostOffer(s Step, act string) (engine.Offer, bool) {
	i := slices.IndexFunc(s.Host.View.Offers, func(o engine.Offer) bool { return o.Act == act })
	if i < 0 {
		return engine.Offer{}, false
	}
	return s.Host.View.Offers[i], true
}

// An undo is an event of its own; only the host can do it, and it is announced to all.
func TestUndoTakesTheLastActBack(t *testing.T) {
	m := newMemory()
	r := newRig(t, m)
	if _, ok := hostOffer(r.last(), actUndo); ok {
		t.Error("undo is offered with nothing to undo")
	}
	if out := r.act(engine.Host, actUndo); out.OK || out.Reject.Why.Key != "table.undo.nothing" {
		t.Errorf("%+v", out.Reject)
	}
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	before := comparableState(t, r.last())
	r.dropInUrn("card-1")
	if o, ok := hostOffer(r.last(), actUndo); !ok || o.Grave || o.Fixed != nil {
		t.Errorf("offer %+v", o)
	}
	r.passTime(time.Duration(bell) * time.Millisecond) // the undo takes back this bell as well
	if r.last().Public.View.Clock.At != 1 {
		t.Fatal("no bell")
	}
	r.mustAct(engine.Host, actUndo)
	if comparableState(t, r.last()) != before {
		t.Errorf("after undo:\n%s\nbefore the act:\n%s", comparableState(t, r.last()), before)
	}
	for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
		if u.Notice == nil || u.Notice.Msg.Key != "table.undone" {
			t.Errorf("%s is shown %+v", u.View.Viewer, u.Notice)
		}
	}
	// Each further undo goes one act back, down to the empty lobby.
	for range 3 {
		r.mustAct(engine.Host, actUndo)
	}
	if v := r.last().Public.View; v.Phase != "lobby" || len(v.Seats) != 0 {
		t.Errorf("%s with %d seats", v.Phase, len(v.Seats))
	}
	if out := r.act(engine.Host, actUndo); out.OK {
		t.Error("undo below nothing")
	}
	r.mustAct(engine.Host, "sit")
	if got := len(m.events[1]); got != 10 { // 4 acts, a bell, 4 undos, 1 act
		t.Errorf("%d events on disk: undo must not delete", got)
	}
	now := comparableState(t, r.last())
	r.start()
	if comparableState(t, r.last()) != now {
		t.Error("the undone game does not come back after a restart")
	}
}

// An undo gives a deadline back the time that was left when the undone act came, however late the undo is.
func TestUndoGivesBackTheTime(t *testing.T) {
	r := playing(t, newMemory(), 2)
	rings := r.core().game.Deadlines()[0].At
	r.passTime(time.Duration(bell) * time.Millisecond / 4)
	r.dropInUrn("card-1")
	left := time.Duration(rings-r.core().lastStamp) * time.Millisecond
	r.passTime(time.Hour)
	r.mustAct(engine.Host, actUndo)
	n := r.last().Public.View.Clock.At
	r.passTime(left - time.Millisecond)
	if got := r.last().Public.View.Clock.At; got != n {
		t.Fatalf("the bell rang at once: %d, %d", n, got)
	}
	r.passTime(time.Millisecond)
	if got := r.last().Public.View.Clock.At; got != n+1 {
		t.Errorf("the bell did not ring in time: %d, %d", n, got)
	}
}

// With the real rules: after an undo, all views and all deadlines are as they were before the undone act.
func TestUndoOfWhatIsReal(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		undone := map[string]int{}
		for seed := range uint64(eveningCount(4, 60)) {
			e := newEvening(t, g, newMemory(), seed)
			e.seatAndBegin(g.players(seed))
			for n := 0; n < 200 && e.last().Public.View.Result == nil; n++ {
				before, step := e.visibleState(), e.core().lastStep
				e.play()
				last := e.core().group
				if e.core().lastStep != step+1 || last.step != step+1 || e.dice.Intn(4) != 0 {
					continue // nothing happened, or a deadline, or several steps in a row
				}
				e.mustAct(engine.Host, actUndo, "force", yes)
				if got := e.visibleState(); got != before {
					t.Fatalf("seed %d: something is left of %s by %s:\n%s", seed, last.command.Act, last.cause, textDifference(got, before))
				}
				undone[last.command.Act]++
			}
		}
		t.Logf("undone %v", undone)
		if len(undone) < 8 {
			t.Error("too little was undone")
		}
	})
}

// An undo does not go back past a reveal unless the host insists.
func TestUndoAndBarrier(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 1)
	r.dropInUrn("card-1")
	before := comparableState(t, r.last())
	r.mustAct(engine.Host, "open")
	o, ok := hostOffer(r.last(), actUndo)
	if !ok || !o.Grave || o.Fixed["force"] != "yes" {
		t.Errorf("offer %+v", o)
	}
	after := comparableState(t, r.last())
	if out := r.act(engine.Host, actUndo); out.OK || out.Reject.Why.Key != "table.undo.barrier" {
		t.Errorf("%+v", out.Reject)
	}
	if comparableState(t, r.last()) != after {
		t.Error("a refused undo changed something")
	}
	r.mustAct(engine.Host, actUndo, "force", "yes")
	if comparableState(t, r.last()) != before {
		t.Error("a forced undo did not take the reveal back")
	}
	if n := r.last().Host.Notice; n == nil || n.Msg.Key != "table.undone.insisted" {
		t.Errorf("the table is shown %+v", n)
	}
	all, err := BuildMinutes(r.books[0], m.events[1])
	if err != nil || all[len(all)-1].Said.Key != "minutes.undo.insisted" {
		t.Errorf("the minutes end with %+v, %v", all[len(all)-1], err)
	}
	r.dropInUrn("card-2")
	r.mustAct(engine.Host, actUndo)
	if n := r.last().Host.Notice; n == nil || n.Msg.Key != "table.undone" {
		t.Errorf("the table is shown %+v of an undo that nobody insists on", n)
	}
}

// GEN-E12: a seat's change of phone is announced to all.
func TestInvite(t *testing.T) {
	r := playing(t, newMemory(), 2)
	o, ok := hostOffer(r.last(), seats.ActInvite)
	if !ok || !slices.Equal(o.Params[0].Domain, []string{"seat-1", "seat-2"}) {
		t.Fatalf("offer %+v", o)
	}
	r.mustAct(engine.Host, seats.ActInvite, "seat", "seat-2")
	if !slices.Equal(r.desk.invited, []engine.Viewer{engine.SeatViewer(2)}) {
		t.Errorf("invited %v", r.desk.invited)
	}
	s := r.last()
	if s.Host.Desk == nil || len(s.Host.Desk.Invites) != 2 || s.Host.Desk.Invites[1].URL != "/#j=1" {
		t.Errorf("the host's desk is %+v", s.Host.Desk)
	}
	if s.Public.Notice == nil || s.Public.Notice.Msg.Args.Get("seat") != "seat-2" {
		t.Errorf("the table is shown %+v", s.Public.Notice)
	}
	for _, u := range append(s.SeatUpdates(), s.Public) {
		if u.ForHost != nil || strings.Contains(asJSON(t, u), "#j=") {
			t.Errorf("%s sees the links", u.View.Viewer)
		}
	}
	// The old phone may have used the highest number; the new one starts again at 1.
	r.send(wire.FirstPhoneOf(engine.SeatViewer(2)), wire.Act{ID: "x", Seq: 1<<64 - 1, Act: "say"})
	r.mustAct(engine.Host, seats.ActInvite, "seat", "seat-2")
	if u, _ := r.last().UpdateFor(engine.SeatViewer(2)); u.Seq != 0 {
		t.Errorf("the new phone has to count on from %d", u.Seq)
	}
	if out := r.send(wire.FirstPhoneOf(engine.SeatViewer(2)), wire.Act{ID: "y", Seq: 1, Act: "say"}); !out.OK {
		t.Errorf("the new phone is not heard: %+v", out.Reject)
	}
	for _, seat := range []string{"seat-3", "seat-99", "host", ""} {
		if out := r.act(engine.Host, seats.ActInvite, "seat", seat); out.OK {
			t.Errorf("invited %q", seat)
		}
	}
	r.desk.fail = true
	if out := r.act(engine.Host, seats.ActInvite, "seat", "seat-1"); out.OK || out.Reject.Why.Key != "table.invite.failed" {
		t.Errorf("%+v", out.Reject)
	}
}

func TestNewGame(t *testing.T) {
	m := newMemory()
	r := newRig(t, m, toyBook{"toy"}, toyBook{"other"})
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "sit")
	lobby := r.last()
	r.passTime(time.Minute)
	r.mustAct(engine.Host, "begin")
	r.dropInUrn("card-1")
	if o, ok := hostOffer(r.last(), actNewGame); !ok || !o.Grave || o.Fixed["game"] != "toy" {
		t.Errorf("offer %+v", o)
	}
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	if got, want := asJSON(t, r.last().Public.View), asJSON(t, lobby.Public.View); got != want {
		t.Errorf("the same seats again:\n%s\n%s", got, want)
	}
	if r.core().gameTime() != 0 {
		t.Errorf("a new game begins at %d ms", r.core().gameTime())
	}
	r.mustAct(engine.Host, actUndo) // undoes the last player's taking of a seat
	if n := len(r.last().Public.View.Seats); n != 1 {
		t.Errorf("%d seats", n)
	}
	r.mustAct(engine.Host, actNewGame, "game", "other", "seats", "clear")
	if v := r.last().Public.View; v.Game != "other" || len(v.Seats) != 0 {
		t.Errorf("%s with %d seats", v.Game, len(v.Seats))
	}
	if out := r.act(engine.Host, actNewGame, "game", "chess"); out.OK {
		t.Error("a game of no rulebook")
	}
	now := comparableState(t, r.last())
	r.start()
	if comparableState(t, r.last()) != now || len(m.games) != 3 {
		t.Error("the new game does not come back")
	}
}

// Each act that the loop offers the host is accepted.
func TestHostOffersHold(t *testing.T) {
	for _, upTo := range []string{"lobby", "play", "over"} {
		m := newMemory()
		r := newRig(t, m, toyBook{"toy"}, toyBook{"other"})
		r.mustAct(engine.Host, "sit")
		if upTo != "lobby" {
			r.mustAct(engine.Host, "begin")
		}
		if upTo == "over" {
			r.dropInUrn("card-1")
			r.mustAct(engine.Host, "open")
		}
		for _, o := range r.last().Host.View.Offers {
			values := [][]string{{}}
			if len(o.Params) == 1 {
				values = nil
				for _, d := range o.Params[0].Domain {
					values = append(values, []string{o.Params[0].Name, d})
				}
			}
			for _, args := range values {
				again := newRig(t, m.copy(), r.books...)
				for k, v := range o.Fixed {
					args = append(args, k, v)
				}
				if out := again.act(engine.Host, o.Act, args...); !out.OK {
					t.Errorf("%s: offered %s %v: %+v", upTo, o.Act, args, out.Reject)
				}
			}
		}
	}
}

func (m *memory) copy() *memory {
	c := newMemory()
	c.games = slices.Clone(m.games)
	for id, events := range m.events {
		c.events[id] = slices.Clone(events)
	}
	return c
}

// GEN-009: the host sees which act an undo takes back, in the words that the table was shown. For an act that was not
// shown to all, it sees none.
func TestUndoSaysWhat(t *testing.T) {
	r := lobbyOf(t, huisClosBook)
	undone := func() string {
		if m := r.last().Host.Desk.Undo; m != nil {
			return m.Key
		}
		return ""
	}
	for i := range 4 {
		r.mustAct(engine.Host, seats.ActSit, "seat", engine.Seat(i+1).String(), "name", numberedName("N", i), "character",
			byKind(r.books[0])["character"][i])
	}
	is := func(want string) {
		t.Helper()
		if got := undone(); got != want {
			t.Errorf("undo takes back %q, want %q", got, want)
		}
	}
	is("hc.log.sat")
	r.mustAct(engine.Host, "first", "seat", "seat-1")
	is("")
	r.mustAct(engine.Host, "begin")
	is("hc.log.begun")
	r.start()
	is("hc.log.begun")
	r.mustAct(engine.Host, hold.ActPause)
	is("") // an undo is not offered in a pause
}
