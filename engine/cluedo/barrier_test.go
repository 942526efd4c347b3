package cluedo

import "testing"

// TestBarriers checks that exactly these events show something that was hidden. Undo does not go back past such an event unless the host
// insists.
func TestBarriers(t *testing.T) {
	shown := map[eventKind]bool{evDealtAll: true, evDrew: true, evMurdered: true, evShown: true, evRevealed: true, evClue: true,
		evSawShown: true, evLooked: true,
		evPlayed: true, evPeeked: true, evAccused: true, evWrong: true, evExposed: true, evOver: true, evKilled: true, evAlarmed: true,
		evNobodyHas: true, evContested: true}
	for k := evSat; k < numEventKinds; k++ {
		if e := (&event{kind: k}); e.IsBarrier() != shown[k] {
			t.Errorf("%s: %v, want %v", e.Kind(), e.IsBarrier(), shown[k])
		}
	}
}
