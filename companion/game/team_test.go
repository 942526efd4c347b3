package game

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/seats"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// tableWithTwoPhones returns a table whose second seat has two phones.
func tableWithTwoPhones(t *testing.T, journal Journal) (r *rig, a, b wire.Handset) {
	t.Helper()
	r = playing(t, journal, 3)
	r.desk.phones = []wire.SeatPhones{{Seat: 1, Phones: []int{1}}, {Seat: 2, Phones: []int{1, 2}}}
	r.core().publish(notices{})
	return r, wire.FirstPhoneOf(engine.SeatViewer(2)), wire.Handset{Viewer: engine.SeatViewer(2), N: 2}
}

// An act of any phone of a seat is the seat's act, and each phone has its own act numbers. When an act of one phone
// is refused, other viewers see no difference, and the seat's other phone sees only the count of acts change.
func TestActsOfSeveralPhones(t *testing.T) {
	r, a, b := tableWithTwoPhones(t, newMemory())
	for n := range uint64(3) {
		for _, h := range []wire.Handset{b, a} { // the clocks of two phones may differ
			seq := n + 1
			if h == b {
				seq += 1000
			}
			if out := r.send(h, wire.Act{ID: "x", Seq: seq, Act: "say"}); !out.OK {
				t.Fatalf("act %d of %v: %+v", seq, h, out.Reject)
			}
		}
	}
	u := r.last().SeatUpdates()[1]
	if u.Seq != 3 || !slices.Equal(u.Seqs, []uint64{1003}) {
		t.Errorf("the phones have counted to %d and %v", u.Seq, u.Seqs)
	}
	for _, h := range []wire.Handset{a, b} {
		if out := r.send(h, wire.Act{ID: "x", Seq: 3, Act: "say"}); out.OK || out.Reject.Why.Key != "gen.replayed" {
			t.Errorf("%v: an act that came before is taken: %+v", h, out)
		}
	}
	for _, no := range []wire.Handset{
		{},
		{Viewer: engine.SeatViewer(2)},
		{Viewer: engine.SeatViewer(2), N: 5},
		{Viewer: engine.Host, N: wire.MaxHosts + 1},
	} {
		if out := r.send(no, wire.Act{ID: "x", Seq: 9, Act: "say"}); out.OK || out.Reject.Why.Key != "table.not-you" {
			t.Errorf("%v acts: %+v", no, out)
		}
	}
	var shown [2][]wire.Update
	for i := range shown {
		r, a, b := tableWithTwoPhones(t, newMemory())
		if out := r.actFrom([]wire.Handset{a, b}[i], "nothing-of-the-kind"); out.OK || out.Reject == nil {
			t.Fatal(out)
		}
		shown[i] = append(r.last().UpdatesToSeal(nil), r.last().Public)
		shown[i][1].Seq, shown[i][1].Seqs = 0, nil
	}
	if !reflect.DeepEqual(shown[0], shown[1]) {
		t.Errorf("which phone was refused can be seen:\n%s\n%s", asJSON(t, shown[0]), asJSON(t, shown[1]))
	}
}

// The number of phones of a seat is public if it is more than one.
func TestEverybodySeesThePhonesOfASeat(t *testing.T) {
	r, a, b := tableWithTwoPhones(t, newMemory())
	r.core().setMachineState(r.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1)), b}, false)
	for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
		if got := asJSON(t, u.Table); !strings.Contains(got, `"online":[1,2],"phones":[{"seat":2,"phones":[1,2],"online":[2]}]`) {
			t.Errorf("%s sees %s", u.View.Viewer, got)
		}
	}
	before := comparableState(t, r.last())
	for n := range 100 { // phones connect and disconnect, as often as they like
		r.core().setMachineState(r.core().readerStates,
			[]wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1)), []wire.Handset{a, b}[n%2]}, false)
		r.core().setMachineState(r.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}, false)
		r.core().setMachineState(r.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1)), b}, false)
	}
	if after := comparableState(t, r.last()); after != before {
		t.Errorf("a hundred rejoins have changed something:\n%s\n%s", before, after)
	}
}

// Only the host invites one more phone to a seat and cuts off a single phone.
func TestTheHostAndThePhonesOfASeat(t *testing.T) {
	r, a, b := tableWithTwoPhones(t, newMemory())
	var offered []string
	for _, o := range r.last().Host.View.Offers {
		if o.Act == seats.ActAdd || o.Act == seats.ActEnd {
			offered = append(offered, fmt.Sprint(o.Act, o.Fixed["seat"], o.Params[0].Domain))
		}
	}
	if want := []string{"end-phoneseat-2[1 2]", "add-phone[seat-1 seat-2]"}; !slices.Equal(offered, want) {
		t.Errorf("the host is offered %v, want %v", offered, want)
	}
	for _, no := range [][]string{{}, {"seat", "seat-3"}, {"seat", "seat-9"}, {"seat", "host"}} {
		if out := r.act(engine.Host, seats.ActAdd, no...); out.OK || out.Reject.Why.Key != "table.phone.full" {
			t.Errorf("one more for %v: %+v", no, out.Reject)
		}
	}
	for _, no := range [][]string{
		{},
		{"seat", "seat-2"},
		{"seat", "seat-2", "phone", "3"},
		{"seat", "seat-1", "phone", "1"},
		{"seat", "seat-3", "phone", "1"},
	} {
		if out := r.act(engine.Host, seats.ActEnd, no...); out.OK || out.Reject.Why.Key != "table.phone.none" {
			t.Errorf("cut off %v: %+v", no, out.Reject)
		}
	}
	for _, act := range []string{seats.ActAdd, seats.ActEnd} {
		if out := r.actFrom(a, act, "seat", "seat-2", "phone", "2"); out.OK {
			t.Errorf("a seat does %s", act)
		}
	}
	r.mustAct(engine.Host, seats.ActAdd, "seat", "seat-2")
	if n := r.last().Public.Notice; n != nil { // only a joined phone is announced
		t.Errorf("told %+v", n)
	}
	r.actFrom(a, "say")
	r.actFrom(b, "say")
	r.desk.fail = true
	if out := r.act(engine.Host, seats.ActEnd, "seat", "seat-2", "phone", "2"); out.OK || out.Reject.Why.Key != "table.phone.failed" {
		t.Errorf("not recorded: %+v", out.Reject)
	}
	r.desk.fail = false
	r.mustAct(engine.Host, seats.ActEnd, "seat", "seat-2", "phone", "2")
	s := r.last()
	if n := s.Public.Notice; n == nil || n.Msg.Key != "table.phone.ended" || n.Msg.Args.Get("seat") != "seat-2" ||
		n.Msg.Args.Get("n") != "1" {
		t.Errorf("told %+v", n)
	}
	if u := s.SeatUpdates()[1]; u.Seq == 0 || len(u.Seqs) != 0 || s.Public.Table.Phones != nil {
		t.Errorf("counted %d and %v, phones %v", u.Seq, u.Seqs, s.Public.Table.Phones)
	}
	r.desk.phones[1].Phones = []int{1, 2, 3, 4}
	if out := r.act(engine.Host, seats.ActAdd, "seat", "seat-2"); out.OK || out.Reject.Why.Key != "table.phone.full" {
		t.Errorf("a fifth phone: %+v", out.Reject)
	}
	if want := []string{"more seat-2", "end 2 of seat-2"}; !slices.Equal(r.desk.answers, want) {
		t.Errorf("the desk heard %v", r.desk.answers)
	}
}

// The phones of a seat share one sheet, which the daemon stores. A phone that has not seen the latest text of another
// one is refused, so that nothing is lost. A power cut does not lose what was stored.
func TestOneSheetForAllPhones(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "m.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r, a, b := tableWithTwoPhones(t, s)
	write := func(h wire.Handset, marks string, rev uint64) wire.Reply {
		return r.actFrom(h, wire.ActNote, "marks", marks, "rev", fmt.Sprint(rev))
	}
	old := r.core().rev
	if out := write(a, "1A", old); !out.OK {
		t.Fatal(out.Reject)
	}
	wantSheets(t, r.last(), "", "", "1A", "", "")
	if out := write(b, "1B", old); out.OK || out.Reject.Why.Key != "table.note.other" {
		t.Errorf("a sheet is overwritten unseen: %+v", out)
	}
	wantSheets(t, r.last(), "", "", "1A", "", "")
	if out := write(b, "1AB", r.core().rev); !out.OK { // in the same second as the other phone
		t.Errorf("a sheet that was seen: %+v", out.Reject)
	}
	if out := r.submitNotes(engine.SeatViewer(3), "1C"); !out.OK {
		t.Errorf("another seat's sheet: %+v", out.Reject)
	}
	r.passTime(noteEvery)
	if out := write(a, "1", r.core().rev-2); out.OK {
		t.Error("the first phone overwrites what the second has written")
	}
	for _, rev := range []string{"", "-1", "x", "99999999999999999999"} {
		if out := r.actFrom(a, wire.ActNote, "marks", "1", "rev", rev); out.OK || out.Reject.Why.Key != "table.unknown" {
			t.Errorf("revision %q: %+v", rev, out)
		}
	}
	r.desk.phones[1].Phones = []int{1} // the second phone is cut off; what it wrote remains the seat's
	r.start()
	wantSheets(t, r.last(), "", "", "1AB", "1C", "")
	if out := write(a, "1ABD", 0); out.OK {
		t.Error("after a restart a sheet is overwritten unseen")
	}
	if out := write(a, "1ABD", r.core().rev); !out.OK {
		t.Error(out.Reject)
	}
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	r.mustAct(engine.Host, "begin")
	before := r.core().rev
	r.passTime(noteEvery)
	if out := write(a, "1ABD", before-3); out.OK {
		t.Error("marks of the game before are written on the sheet of the next")
	}
	wantSheets(t, r.last(), "", "", "", "", "")
}
