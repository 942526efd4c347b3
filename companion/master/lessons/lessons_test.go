package lessons_test

import (
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/lessons"
	"majordome/companion/master/mastertest"
	"majordome/companion/store"
	"majordome/engine"
)

func table() *mastertest.Table {
	t := mastertest.New(func(t master.Table) []master.Part { return []master.Part{lessons.New(t)} })
	t.View.Phase = engine.PhaseLobby
	return t
}

// explains reports whether phones explain the game after a start.
func explains(t *mastertest.Table) bool {
	t.Restart()
	return t.Everybody().Table.Lessons
}

// Phones explain the first game of a table to its end, and no other, unless the host chooses: that holds for all games to come.
func TestPhonesExplainOnAFirstEvening(t *testing.T) {
	m := table()
	if !explains(m) {
		t.Error("the first game is not explained")
	}
	m.Finished = []store.Result{{Game: m.Number}}
	if !explains(m) {
		t.Error("the first game is explained no more once it is over")
	}
	m.Number++
	if explains(m) {
		t.Error("the second game is explained")
	}
	if r := m.Do(mastertest.Host, lessons.Act, "on", "yes"); r != nil || !m.Everybody().Table.Lessons || !explains(m) {
		t.Errorf("the host has chosen that it is explained: %v", r)
	}
	if r := m.Do(mastertest.Host, lessons.Act, "on", "no"); r != nil || m.Everybody().Table.Lessons || explains(m) {
		t.Errorf("the host has chosen that it is not explained: %v", r)
	}
}

// The choice is one of the lobby, and has happened only where it is on the disk.
func TestTheChoiceCanBeRefused(t *testing.T) {
	m := table()
	if got := m.Offered(); len(got) != 1 || got[0] != lessons.Act+" on=no" {
		t.Errorf("offered in the first lobby: %q", got)
	}
	if m.Do(mastertest.Host, lessons.Act, "on", "perhaps") == nil {
		t.Error("it takes any word")
	}
	m.Full = true
	if m.Do(mastertest.Host, lessons.Act, "on", "no") == nil || !m.Everybody().Table.Lessons {
		t.Error("a choice that is not on the disk counts")
	}
	if m.Parts[0].(master.Loader).Load(); m.Everybody().Table.Lessons || explains(m) {
		t.Error("phones explain what nobody has chosen, where the disk cannot tell")
	}
	m.Full, m.View.Phase = false, "play"
	if m.Offered() != nil || m.Do(mastertest.Host, lessons.Act, "on", "no") == nil {
		t.Error("it can be chosen in the midst of a game")
	}
}
