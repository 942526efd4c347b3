package game

import (
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// The reason of a private refusal remains with its seat when the table is shown again for another cause; no other
// viewer ever gets it.
func TestPrivateNoticeStays(t *testing.T) {
	for _, c := range []struct {
		name  string
		after func(*rig)
		stays bool
	}{
		{"a phone comes online", func(r *rig) {
			r.core().setMachineState(map[string]string{"urn": "ok"}, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(2))}, false)
		}, true},
		{"another seat is refused", func(r *rig) { r.act(engine.SeatViewer(2), "dance") }, true},
		{"another seat acts", func(r *rig) { r.mustAct(engine.SeatViewer(2), "say") }, true},
		{"almost 8 s", func(r *rig) { r.passTime(privateNoticeTime - time.Millisecond); r.core().publish(notices{}) }, true},
		{"8 s", func(r *rig) { r.passTime(privateNoticeTime); r.core().publish(notices{}) }, false},
		{"its own act", func(r *rig) { r.act(engine.SeatViewer(1), "say") }, false},
		{"its own refused act", func(r *rig) { r.act(engine.SeatViewer(1), "dance") }, false},
		{"an accepted card", func(r *rig) { r.dropInUrn("card-1") }, false},
		{"an announcement", func(r *rig) { r.mustAct(engine.Host, actUndo) }, false},
		{"a new game", func(r *rig) { r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep") }, false},
	} {
		r := playing(t, newMemory(), 2)
		r.dropInUrn("bad")
		was := r.last().SeatUpdates()[0].Notice
		if was == nil || !was.Private {
			t.Fatal("no private reason")
		}
		c.after(r)
		now := r.last().SeatUpdates()[0].Notice
		if stays := now != nil && now.Private && now.N == was.N; stays != c.stays {
			t.Errorf("%s: the seat reads %+v", c.name, now)
		}
		for _, u := range append(r.last().UpdatesToSeal(nil)[1:], r.last().Public) {
			if u.Notice != nil && u.Notice.Private {
				t.Errorf("%s: %s reads %+v", c.name, u.View.Viewer, u.Notice)
			}
		}
	}
}

// GEN-024: no seat is asked for a card at a reader that this table does not have.
func TestAbsentReadersWaitForNothing(t *testing.T) {
	r := playing(t, newMemory(), 2)
	if len(r.last().Public.View.Readers) != 1 {
		t.Fatal("the urn does not wait")
	}
	r.core().setMachineState(map[string]string{engine.ReaderShow: ReaderOK}, nil, false)
	for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
		if len(u.View.Readers) != 0 || u.View.Readers == nil {
			t.Errorf("%s is shown %v", u.View.Viewer, u.View.Readers)
		}
	}
	r.core().setMachineState(map[string]string{engine.ReaderUrn: ReaderLost}, nil, false)
	if len(r.last().Public.View.Readers) != 1 {
		t.Error("a lost reader is no absent one: its pages say what to do")
	}
}
