package rules

import (
	"testing"

	"majordome/engine"
)

// TestCountStopsPlayUntilItsEnd: play is stopped from the alarm or the beginning of a count to the end of the count,
// which says whether a number was wrong.
func TestCountStopsPlayUntilItsEnd(t *testing.T) {
	var n CardCount
	if n.IsPlayStopped() || n.MoodWhileStopped() != "" {
		t.Error("the zero value stops play")
	}
	if n.Alarmed = true; !n.IsPlayStopped() || n.MoodWhileStopped() != engine.MoodAlarm {
		t.Errorf("after an alarm: %+v, %q", n, n.MoodWhileStopped())
	}
	said := RefusalKeys{NotNow: "t.now"}
	if _, _, r := said.ParseCount(engine.Command{}, &n, nil); r == nil || r.Why.Key != "t.now" {
		t.Errorf("a number before the count: %v", r)
	}
	n = CardCount{}
	for _, counted := range []uint8{3, 4} {
		hand := uint8(4)
		n.BeginCount()
		if !n.IsPlayStopped() || n.MoodWhileStopped() != engine.MoodCount {
			t.Errorf("in a count: %+v, %q", n, n.MoodWhileStopped())
		}
		if wrong := n.CorrectNumber(&hand, counted); wrong != (counted == 3) || hand != counted {
			t.Errorf("%d counted: %v, %d", counted, wrong, hand)
		}
		if right := n.EndCount(counted); right != (counted == 4) || n.IsPlayStopped() || n.Lost != counted {
			t.Errorf("the end of a count: %v, %+v", right, n)
		}
	}
}
