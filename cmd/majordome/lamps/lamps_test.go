package lamps

import (
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// TestAnswer checks that the light at a reader shows whether a tag was accepted, and then the same as before.
func TestAnswer(t *testing.T) {
	l := New(Opts{Strips: make([]config.Strip, 1)})
	l.ShowAnswer(engine.ReaderUrn, true) // before the table has shown anything
	idle := light.Cue{Urn: light.Glow{State: light.GlowIdle}}
	l.setAndSendCue(0, idle)
	l.ShowAnswer(engine.ReaderUrn, true)
	l.ShowAnswer(engine.ReaderUrn, false)
	l.ShowAnswer(engine.ReaderShow, true) // not in use
	l.ShowAnswer("place-1", true)
	accepted, again := idle, idle
	accepted.Urn.State, again.Urn.State = light.GlowAccepted, light.GlowAgain
	for i, want := range []light.Cue{idle, accepted, idle, again, idle} {
		if got := <-l.mailboxes[0].Cues(); got != want {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
	}
	if len(l.mailboxes[0].Cues()) > 0 {
		t.Error("it says more")
	}
}

// TestAutoplayIsShownInsteadOfTheTable checks that an evening that plays automatically is shown instead of the table's
// updates, and that those are shown again after it.
func TestAutoplayIsShownInsteadOfTheTable(t *testing.T) {
	l := New(Opts{Strips: []config.Strip{{Layout: light.DefaultLayout(7)}}})
	lit := func() (mood light.Mood, urn bool) {
		for {
			select {
			case c := <-l.mailboxes[0].Cues():
				mood, urn = c.Mood, c.Urn.State == light.GlowIdle
			default:
				return mood, urn
			}
		}
	}
	table := wire.Update{Table: wire.TableView{Readers: map[string]string{engine.ReaderUrn: "ok"}}}
	l.ShowUpdate(table)
	if mood, urn := lit(); mood != light.MoodOrdinary || !urn {
		t.Errorf("before it the strip shows %v, %v", mood, urn)
	}
	l.ShowEvening(wire.Update{View: engine.View{Places: []engine.PlaceView{{Place: "place-salon", Lamp: engine.LampCrime}}}})
	if mood, urn := lit(); mood != light.MoodReveal || urn {
		t.Errorf("the strip does not follow: %v, %v", mood, urn)
	}
	table.Paused = &engine.Msg{}
	l.ShowUpdate(table) // the table's update to the strip meanwhile
	if mood, _ := lit(); mood != light.MoodReveal {
		t.Errorf("the strip shows %v in an evening", mood)
	}
	l.EndEvening()
	if mood, urn := lit(); mood != light.MoodPause || !urn {
		t.Errorf("after it the strip shows %v, %v", mood, urn)
	}
}
