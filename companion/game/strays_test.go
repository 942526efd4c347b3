package game

import (
	"testing"
	"time"

	"majordome/companion/master/hold"
	"majordome/companion/wire"
	"majordome/engine"
)

// reportPhone reports that a phone is in the field of a reader.
func (r *rig) reportPhone(reader string) {
	r.core().runDueTimers(r.clock.at)
	r.core().noticeStrayTag(reader)
}

// strayNoticeSeats returns the seats that the last step shows a notice about a stray tag, with the host as seat 0.
func strayNoticeSeats(t *testing.T, s Step, key string) (all []engine.Seat) {
	t.Helper()
	if s.Public.Notice != nil {
		t.Errorf("everybody is shown %+v", s.Public.Notice)
	}
	for i, u := range append([]wire.Update{s.Host}, s.SeatUpdates()...) {
		switch n := u.Notice; {
		case n == nil:
		case n.Msg.Key != key || n.Rule != "GEN-E14" || !n.Private || n.Signal != "" || n.N != s.Public.Epoch<<32|s.Rev:
			t.Errorf("%s hears %+v", u.View.Viewer, n)
		default:
			all = append(all, engine.Seat(i))
		}
	}
	return all
}

// GEN-E14: only the host and the seat whose turn it is at the reader get the notice, each once a minute.
func TestAStrayIsReportedOnceAMinute(t *testing.T) {
	r := playing(t, newMemory(), 2)
	wantHeard := func(what string, want ...engine.Seat) {
		t.Helper()
		steps := len(r.steps)
		r.reportPhone(engine.ReaderUrn)
		var heard []engine.Seat
		if len(r.steps) > steps {
			heard = strayNoticeSeats(t, r.last(), "gen.stray.urn")
		}
		if asJSON(t, heard) != asJSON(t, want) || len(r.steps) != steps+min(1, len(want)) {
			t.Errorf("%s: %v hear of it in %d steps, want %v", what, heard, len(r.steps)-steps, want)
		}
	}
	wantHeard("first", 0, 1)
	for range 10 {
		r.passTime(5 * time.Second)
		wantHeard("within a minute")
	}
	r.passTime(10 * time.Second)
	wantHeard("a minute later", 0, 1)
	r.passTime(privateNoticeTime)
	r.dropInUrn("card-1")
	r.passTime(time.Second)
	r.core().publish(notices{})
	wantHeard("the next seat, who was not told", 2)
	r.passTime(strayNoticeEvery)
	r.mustAct(engine.Host, hold.ActPause)
	wantHeard("in a pause nobody is waited for", 0)
}

// The host and the seat get the notice also while all are shown the news of a phone.
func TestAStrayIsReportedOverNewsOfPhones(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.core().publishPhoneNotice(engine.NewMsg("table.phone.joined", "seat", "seat-2"))
	r.reportPhone(engine.ReaderUrn)
	if n := r.last().Public.Notice; n == nil || !n.Passing {
		t.Fatalf("everybody is shown %+v", n)
	}
	for _, u := range []wire.Update{r.last().Host, r.last().SeatUpdates()[0]} {
		if n := u.Notice; n == nil || n.Msg.Key != "gen.stray.urn" {
			t.Errorf("%s hears %+v", u.View.Viewer, n)
		}
	}
}

// A card that is put down next to the phone is answered as usual, and its answer replaces the notice.
func TestACardBesideAStray(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.reportPhone(engine.ReaderUrn)
	r.dropInUrn("card-1")
	for _, u := range append(r.last().SeatUpdates(), r.last().Public, r.last().Host) {
		if n := u.Notice; n == nil || n.Signal != signalAccepted {
			t.Errorf("%s hears %+v", u.View.Viewer, n)
		}
	}
}

// A phone at the reader does not remove the reason of a private refusal. There is a step, as where nothing was
// refused.
func TestAStrayLeavesTheReason(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.dropInUrn("bad")
	was, steps := *r.last().SeatUpdates()[0].Notice, len(r.steps)
	r.reportPhone(engine.ReaderUrn)
	now := r.last().SeatUpdates()[0].Notice
	if len(r.steps) != steps+1 || now == nil || now.N != was.N || now.Rule != was.Rule {
		t.Errorf("in %d steps the seat reads %+v, before %+v", len(r.steps)-steps, now, was)
	}
	if n := r.last().Host.Notice; n == nil || n.Rule != ruleStray {
		t.Errorf("the host hears %+v", n)
	}
}

// During a scene the phones do not know whose turn is next, so no notice of a stray tag may show it.
func TestAStrayDuringAScene(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.setDisplay(true)
	now := r.core().actualViews
	r.core().scene = &scene{before: now, lastHappening: now.Public.LastHappeningNumber(), until: r.clock.at.Add(5 * time.Second)}
	for _, c := range []struct {
		after time.Duration
		want  []engine.Seat
	}{{0, []engine.Seat{hostSeat}}, {5 * time.Second, []engine.Seat{1}}} { // after the scene its seat gets the notice
		r.passTime(c.after)
		r.core().privateNotices = map[engine.Seat]timedNotice{}
		r.reportPhone(engine.ReaderUrn)
		if heard := strayNoticeSeats(t, r.last(), "gen.stray.urn"); asJSON(t, heard) != asJSON(t, c.want) {
			t.Errorf("after %v: %v hear of it, want %v", c.after, heard, c.want)
		}
	}
}

// The record of the seats that were shown a notice is cleared after a minute, however many readers there are.
func TestStraysAreForgotten(t *testing.T) {
	r := playing(t, newMemory(), 2)
	for range 100 {
		r.reportPhone(engine.ReaderUrn)
		r.reportPhone("place-1")
		r.passTime(strayNoticeEvery)
	}
	r.reportPhone(engine.ReaderShow)
	if n := len(r.core().straysShown); n != 1 {
		t.Errorf("%d are remembered", n)
	}
}

// Each audience of a reader gets one notice a minute, and only the notices of the last minute are kept.
func TestStrayTimes(t *testing.T) {
	s, now := strayTimes{}, time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		reader string
		seat   engine.Seat
		after  time.Duration
		due    bool
		kept   int
	}{
		{engine.ReaderUrn, hostSeat, 0, true, 1},
		{engine.ReaderUrn, hostSeat, 0, false, 1},
		{engine.ReaderUrn, 1, 0, true, 2},
		{engine.ReaderShow, hostSeat, 0, true, 3},
		{engine.ReaderUrn, 1, strayNoticeEvery - 1, false, 3},
		{engine.ReaderUrn, 1, strayNoticeEvery, true, 1},
	} {
		if got := s.countIfDue(c.reader, c.seat, now.Add(c.after)); got != c.due || len(s) != c.kept {
			t.Errorf("%+v: due %v, %d kept", c, got, len(s))
		}
	}
}
