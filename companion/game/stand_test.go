package game

import (
	"testing"

	"majordome/engine"
	"majordome/engine/script"
)

// GEN-E13: an alarm in a deal stops the game, and is on disk before it is shown to anyone. It outlasts a restart of
// the daemon, a vote does not take it back, and an undo needs the host's insistence. While the disk fails, no alarm
// is shown. An evening with an alarm can be exported as a script that plays to the same end.
func TestAnAlarmInTheDealIsOnDisk(t *testing.T) {
	m := newMemory()
	e := newEvening(t, games[1], m, 1) // this one is a Cluedo
	for x, who := range []string{"suspect-rose", "suspect-moutarde", "suspect-olive"} {
		e.mustAct(engine.Host, "sit", "seat", engine.Seat(x+1).String(), "name", who[8:], "character", who)
	}
	e.mustAct(engine.Host, "begin")
	lay := func(card string) { e.core().presentTags(e.clock.at, engine.ReaderShow, tags(card)) }
	for _, card := range []string{"suspect-violet", "weapon-hache", "room-patio"} {
		lay(card)
	}
	m.fail = "before"
	lay("weapon-hache")
	if u := e.last().Public; u.Paused == nil || u.Notice != nil && u.Notice.Msg.Key == "gen.alarm.deal" {
		t.Fatalf("the disk fails, and the table is shown %+v", u.Notice)
	}
	m.fail = ""
	e.passTime(retryFirst)
	lay("weapon-hache")
	if u := e.last().Public; u.Notice == nil || u.Notice.Msg.Key != "gen.alarm.deal" || u.Notice.Signal != signalAgain ||
		u.View.Mood != engine.MoodAlarm {
		t.Fatalf("an alarm is shown as %+v, mood %q", u.Notice, u.View.Mood)
	}
	e.start()
	if mood := e.last().Public.View.Mood; mood != engine.MoodAlarm {
		t.Errorf("after a start the mood is %q", mood)
	}
	lay("suspect-violet")
	if n := e.last().Public.Notice; n == nil || n.Msg.Key != "gen.no.alarmed" {
		t.Errorf("a second copy is shown as %+v", n)
	}
	if out := e.act(engine.Host, actUndo); out.OK {
		t.Error("the alarm is undone, and the host has not insisted")
	}
	e.mustAct(engine.Host, "redeal")
	lay("weapon-corde")

	book := e.books[0]
	evening, err := BuildScript(book, storedEvents(t, m))
	if err != nil {
		t.Fatal(err)
	}
	text, err := script.Export(evening)
	if err != nil {
		t.Fatal(err)
	}
	s, err := script.Parse("evening", text)
	if err != nil {
		t.Fatal(err)
	}
	if report := script.Run(s, book); !report.OK() {
		t.Fatalf("%s\n%s", report, text)
	}
}
