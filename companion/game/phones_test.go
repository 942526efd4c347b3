package game

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/checks"
	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
)

func phoneAnswersOffered(u wire.Update) (all []string) {
	for _, o := range u.View.Offers {
		if o.Act == wire.ActCutPhone {
			all = append(all, o.Act+" "+o.Fixed["seat"])
		}
	}
	return all
}

// The notice that a phone has joined is shown to all for a while, whatever is shown in between. It does not remove
// the private reason of a seat.
func TestNewsOfPhones(t *testing.T) {
	r := playing(t, newMemory(), 3)
	r.dropInUrn("?foreign") // refused: only seat 1 is shown the reason
	var reason *wire.Notice
	for _, u := range r.last().SeatUpdates() {
		if u.Notice != nil && u.Notice.Private {
			reason = u.Notice
		}
	}
	if reason == nil {
		t.Fatal("nobody is shown the reason")
	}
	said := engine.NewMsg("table.phone.joined", "seat", "seat-2")
	r.core().publishPhoneNotice(said)
	number := r.last().Epoch<<32 | r.last().Rev
	for i := range 3 {
		private := 0
		for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
			n := u.Notice
			switch {
			case n == nil:
				t.Fatalf("%d: %s is shown nothing", i, u.View.Viewer)
			case n.Private:
				private++
				if n.N != reason.N {
					t.Errorf("%d: %s: another reason", i, u.View.Viewer)
				}
			case !reflect.DeepEqual(n.Msg, said) || n.N != number || !n.Passing:
				t.Errorf("%d: %s is shown %+v, number %d", i, u.View.Viewer, n, number)
			}
		}
		if private != 1 {
			t.Errorf("%d: %d seats have a reason of their own", i, private)
		}
		r.core().setMachineState(map[string]string{}, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(engine.Seat(i + 1)))},
			false) // a phone connects
	}
	r.passTime(passingNoticeTime)
	r.core().publish(notices{})
	if n := r.last().Public.Notice; n != nil {
		t.Errorf("%v later: %+v", passingNoticeTime, n)
	}
}

// TestLastPlayerActs: an act of a player counts as one, also if it is refused; what a phone sends unasked does not.
func TestLastPlayerActs(t *testing.T) {
	r := playing(t, newMemory(), 3)
	second := wire.Handset{Viewer: engine.SeatViewer(2), N: 2}
	acts := func() [wire.MaxPhones]uint64 { return r.core().phones.playerSeqs[second.Viewer] }
	if r.actFrom(second, checks.Act, "root", "x"); acts() != [wire.MaxPhones]uint64{} {
		t.Errorf("a phone that checks the deal is a player who acts: %v", acts())
	}
	if r.actFrom(second, "deposit"); acts()[1] == 0 {
		t.Error("a player's act does not count")
	}
	if r.core().resetSeqs(func(h wire.Handset) bool { return h == second }); acts()[1] != 0 {
		t.Error("a new phone inherits the acts of the last one")
	}
}

// Only its seat and the host can answer a second phone with the key of a seat. All viewers see that it asks, and what
// the answer is.
func TestASecondPhone(t *testing.T) {
	r := playing(t, newMemory(), 3)
	r.desk.asking = []engine.Viewer{engine.SeatViewer(2), engine.Host}
	r.core().publish(notices{})
	s := r.last()
	for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
		if !slices.Equal(u.Table.Asked, []engine.Seat{2, 0}) {
			t.Errorf("%s sees %v asked", u.View.Viewer, u.Table.Asked)
		}
		want := map[string][]string{
			"seat-2": {"cut-phone "},
			"host":   {"cut-phone seat-2", "cut-phone host"},
		}[u.View.Viewer]
		if got := phoneAnswersOffered(u); !slices.Equal(got, want) {
			t.Errorf("%s may answer %v, want %v", u.View.Viewer, got, want)
		}
	}
	for _, tc := range []struct {
		v    engine.Viewer
		args []string
	}{
		{engine.SeatViewer(1), nil}, {engine.SeatViewer(1), []string{"seat", "seat-2"}}, {engine.SeatViewer(3), []string{"seat", "host"}},
		{engine.Host, nil}, {engine.Host, []string{"seat", "seat-1"}}, {engine.Host, []string{"seat", "public"}},
	} {
		if out := r.act(tc.v, wire.ActCutPhone, tc.args...); out.OK || out.Reject.Why.Key != "table.phone.nobody" {
			t.Errorf("%s %v answers for another seat: %+v", tc.v, tc.args, out.Reject)
		}
	}
	r.desk.fail = true
	if out := r.act(engine.SeatViewer(2), wire.ActCutPhone); out.OK || out.Reject.Why.Key != "table.phone.failed" {
		t.Errorf("not recorded: %+v", out.Reject)
	}
	r.desk.fail = false
	r.mustAct(engine.SeatViewer(2), wire.ActCutPhone, "seat", "host") // a seat answers only for itself, whatever it names
	if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.phone.cut" || n.Msg.Args.Get("seat") != "seat-2" {
		t.Errorf("told %+v", n)
	}
	if len(phoneAnswersOffered(r.last().SeatUpdates()[1])) != 0 {
		t.Error("answered, and still offered")
	}
	r.mustAct(engine.Host, wire.ActCutPhone, "seat", "host")
	if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.phone.cut.host" {
		t.Errorf("told %+v", n)
	}
	if want := []string{"cut seat-2", "cut host"}; !slices.Equal(r.desk.answers, want) {
		t.Errorf("the desk heard %v", r.desk.answers)
	}
	if len(r.last().Public.Table.Asked) != 0 {
		t.Error("nobody asks any more")
	}
}

// Open links end when the game leaves its lobby, once.
func TestTheDealEndsLinks(t *testing.T) {
	r := newRig(t, newMemory())
	r.mustAct(engine.Host, "sit")
	if r.desk.linksEnded != 0 {
		t.Error("in the lobby")
	}
	r.mustAct(engine.Host, "begin")
	r.dropInUrn("card-1")
	if r.desk.linksEnded != 1 {
		t.Errorf("dealt %d times", r.desk.linksEnded)
	}
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", seatsKeep)
	r.mustAct(engine.Host, "begin")
	if r.desk.linksEnded != 2 {
		t.Errorf("the next game: dealt %d times", r.desk.linksEnded)
	}
}

// The remaining time of a link on the host's page is updated when it changes.
func TestLinksAgeOnThePage(t *testing.T) {
	r := newRig(t, newMemory())
	n := len(r.steps)
	r.desk.wake = r.clock.at.Add(time.Minute)
	r.passTime(time.Minute - time.Millisecond)
	if len(r.steps) != n {
		t.Error("too early")
	}
	r.loop.core.publishStep = func(s Step) { r.steps, r.desk.wake = append(r.steps, s), time.Time{} }
	r.passTime(time.Millisecond)
	if len(r.steps) != n+1 || r.last().Public.Notice != nil {
		t.Errorf("%d steps", len(r.steps)-n)
	}
}

// A new link in place of one that was never used is not announced.
func TestANewLinkForAnEmptySeatIsSilent(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.desk.hadPhone = false
	r.mustAct(engine.Host, seats.ActInvite, "seat", "seat-2")
	if n := r.last().Public.Notice; n != nil {
		t.Errorf("told %+v", n)
	}
}

// The announcements that wait are limited, and the first ones are kept.
func TestAnnouncementsWait(t *testing.T) {
	r := newRig(t, newMemory())
	for range 3 * maxAnnouncements {
		r.loop.PublishNotice(engine.NewMsg("table.phone.joined", "seat", "seat-1"))
	}
	if n := len(r.loop.takeAnnouncements()); n != maxAnnouncements || len(r.loop.takeAnnouncements()) != 0 {
		t.Errorf("%d wait", n)
	}
}
