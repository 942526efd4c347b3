package game

import (
	"reflect"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// The host sees, with its duration, each delay of the game: no act, a sleeping phone, a lost reader, a
// card that is refused again and again.
func TestTheHostSeesEachDelay(t *testing.T) {
	r := playing(t, newMemory(), 2)
	watch := func() wire.Watch {
		r.core().publish(notices{})
		for _, u := range append(r.last().SeatUpdates(), r.last().Public) {
			if u.ForHost != nil {
				t.Errorf("%s sees the host's list", u.View.Viewer)
			}
		}
		return *r.last().Host.Desk.Watch
	}
	phones := []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1)), wire.FirstPhoneOf(engine.SeatViewer(2))}
	r.core().setMachineState(map[string]string{engine.ReaderUrn: ReaderOK, engine.ReaderShow: ReaderOK}, phones, false)
	quiet := time.Duration(bell) * time.Millisecond / 4 // the bell does not ring in this time
	r.passTime(quiet)
	if w := watch(); len(w.Away)+len(w.Lost)+len(w.Wrong) != 0 || w.Still < engine.Millis(quiet.Milliseconds()) {
		t.Errorf("all is well: %+v", w)
	}
	r.core().setMachineState(map[string]string{engine.ReaderUrn: ReaderLost, engine.ReaderShow: ReaderOK}, phones[:1], false)
	r.passTime(quiet)
	r.core().setMachineState(map[string]string{engine.ReaderUrn: ReaderLost, engine.ReaderShow: ReaderLost}, phones[:1], false)
	for range 3 {
		r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("?bank"))
		r.passTime(defaultUrnWindow)
	}
	w, ms := watch(), engine.Millis(quiet.Milliseconds())
	if want := []wire.AwaySeat{{Seat: 2, Since: ms + 1500}}; !reflect.DeepEqual(w.Away, want) {
		t.Errorf("away %+v, want %+v", w.Away, want)
	}
	if want := []wire.LostReader{{Reader: "show", Since: 1500}, {Reader: "urn", Since: ms + 1500}}; !reflect.DeepEqual(w.Lost, want) {
		t.Errorf("lost %+v, want %+v", w.Lost, want)
	}
	if want := []wire.WrongReader{{Reader: "urn", N: 3}}; !reflect.DeepEqual(w.Wrong, want) {
		t.Errorf("again and again %+v, want %+v", w.Wrong, want)
	}
	r.dropInUrn("card-1")
	r.core().setMachineState(map[string]string{engine.ReaderUrn: ReaderOK, engine.ReaderShow: ReaderOK}, phones, false)
	if w := watch(); len(w.Away)+len(w.Lost)+len(w.Wrong) != 0 {
		t.Errorf("all is well again: %+v", w)
	}
}

// Two worlds: what the host sees of a delay is the same whichever card was refused or presented.
func TestShownDelayRevealsNoCard(t *testing.T) {
	told := func(card string) string {
		r := playing(t, newMemory(), 2)
		r.dropInUrn("?bank")
		r.dropInUrn(card)
		return asJSON(t, r.last().Host.Desk.Watch)
	}
	if a, b := told("card-2"), told("card-3"); a != b {
		t.Errorf("the host can tell:\n%s", textDifference(a, b))
	}
}
