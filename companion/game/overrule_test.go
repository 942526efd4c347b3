package game

import (
	"testing"
	"time"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/huisclos"
	"majordome/engine/play"
)

// An act of the host against the rules is in the minutes with its author and the rule of overruling, whatever the
// game waited for (GEN-009).
func TestMinutesOfOverruling(t *testing.T) {
	book, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	var rows []store.Event
	step, acts := int64(0), map[string]bool{}
	told := map[time.Time]bool{} // times at which the host overruled
	_, _, err = play.Run(book.NewGame(), &play.Opts{Seed: 3, WantedCommand: play.NewRandomOverruler(3, 8), Check: func(s play.Step) error {
		step++
		c := gameStep{events: s.Events, cause: s.Command.By.String(), at: s.Command.At,
			command: storedCommand{By: s.Command.By.String(), Act: s.Command.Act}}
		more, err := encodeStep(book, &c, step)
		for i := range more {
			more[i].Wall = time.Unix(step, 0)
		}
		if _, ok := findOverruleOffer(s.Before, c.command); ok {
			told[time.Unix(step, 0)], acts[c.command.Act] = true, true
		}
		rows = append(rows, more...)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := BuildMinutes(book, rows)
	if err != nil {
		t.Fatal(err)
	}
	found := map[time.Time]bool{}
	for _, m := range all {
		switch {
		case told[m.Wall] && (m.Rule != "GEN-009" || m.By != engine.Host.String()):
			t.Errorf("%s was overruled, and the minutes cite %q by %q", m.Said.Key, m.Rule, m.By)
		case told[m.Wall]:
			found[m.Wall] = true
		}
	}
	if len(found) != len(told) || len(acts) < 3 {
		t.Errorf("%d of %d acts stand in the minutes; %v", len(found), len(told), acts)
	}
}
