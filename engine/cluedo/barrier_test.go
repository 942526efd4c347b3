package cluedo

import "testing"

// Undo does not cross what somebody has seen unless the host insists: these events
// show something that was hidden, and no other does.
func TestBarriers(t *testing.T) {
	shown := map[eventKind]bool{evDealtAll: true, evDrew: true, evMurdered: true, evShown: true, evRevealed: true, evClue: true, evSawShown: true, evLooked: true,
		evPlayed: true, evPeeked: true, evAccused: true, evWrong: true, evExposed: true, evOver: true, evKilled: true, evAlarmed: true, evNobodyHas: true, evContested: true}
	for k := evSat; k < numEventKinds; k++ {
		if e := (&event{kind: k}); e.IsBarrier() != shown[k] {
			t.Errorf("%s: %v, want %v", e.Kind(), e.IsBarrier(), shown[k])
		}
	}
}
