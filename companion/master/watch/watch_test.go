package watch_test

import (
	"reflect"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/mastertest"
	"majordome/companion/master/watch"
	"majordome/companion/wire"
	"majordome/engine"
)

// The part records the delays of the game: since when nothing has happened, which seats and readers are missing since
// when, and how often a reader has asked for a card again. A step of the game, a phone or reader that is back, or an
// accepted card ends its entry.
func TestWhatDoesNotGoOnIsCounted(t *testing.T) {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{watch.New(t)} })
	expect := func(when string, want wire.Watch) {
		t.Helper()
		if got := *m.ForHost().Desk.Watch; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", when, got, want)
		}
	}
	again := func(reader string) { m.Publish(&wire.Notice{Signal: wire.SignalAgain, Reader: reader}) }
	m.Online = []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}
	m.States = map[string]string{engine.ReaderUrn: master.ReaderLost, engine.ReaderShow: master.ReaderOK}
	m.Publish(nil)
	m.PassTime(time.Minute)
	m.Publish(nil) // nothing has changed
	again(engine.ReaderShow)
	again(engine.ReaderShow)
	away, lost := []wire.AwaySeat{{Seat: 2, Since: 60_000}}, []wire.LostReader{{Reader: engine.ReaderUrn, Since: 60_000}}
	expect("a minute later",
		wire.Watch{Still: 60_000, Away: away, Lost: lost, Wrong: []wire.WrongReader{{Reader: engine.ReaderShow, N: 2}}})

	m.Publish(&wire.Notice{Signal: wire.SignalAccepted, Reader: engine.ReaderShow})
	expect("after a card that was taken", wire.Watch{Still: 60_000, Away: away, Lost: lost})

	again(engine.ReaderShow)
	m.AddHappening(engine.HapWrong)
	expect("after a step", wire.Watch{Away: away, Lost: lost})

	m.Online, m.States = append(m.Online, wire.FirstPhoneOf(engine.SeatViewer(2))), nil
	m.Publish(nil)
	m.Holding = &wire.Hold{}
	m.PassTime(time.Minute)
	expect("with all back, after a minute of pause", wire.Watch{})
}
