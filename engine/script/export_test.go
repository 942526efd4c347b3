package script

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
)

// evening is a played game with everything that is hard to write down.
func evening() Evening {
	act := func(at engine.Millis, by engine.Viewer, act string, args engine.Args) PlayedCommand {
		return PlayedCommand{Command: engine.Command{At: at, By: by, Act: act, Args: args}}
	}
	first := act(0, engine.Host, "sit", engine.Args{"name": "Anne", "seat": "seat-1"})
	first.Reseed, first.Seed = true, 42
	refused := PlayedCommand{Command: engine.ScanCommand(4001, "urn", []engine.ID{"card-1"}, 2),
		Reject: &engine.Reject{Code: engine.BadRead, Rule: "GEN-E01"}}
	later := act(5000, engine.SeatViewer(2), "look",
		engine.Args{"room": "room-a", "note": "seat-1,seat-2", "empty": "", "q": `a "b" #c`, "none": "nothing", "two": "a\nhost",
			"odd": "\x01\x7f\u2028\u202e"})
	later.Reseed, later.Seed = true, 7
	return Evening{
		Title: "An evening\nof two lines", Game: "toy", Players: []string{"Anne", "Jean Luc", "host"},
		Played: []PlayedCommand{
			first,
			act(0, engine.Host, "sit", engine.Args{"name": "Jean Luc"}),
			act(1500, engine.Host, "begin", nil),
			refused, later,
			{Command: engine.Command{At: 61_500, Act: engine.ActDeadline, Args: engine.Args{"id": "bell"}}},
		},
	}
}

// TestALongEveningIsExported: three hours of a command a second, each with all that a command can have.
func TestALongEveningIsExported(t *testing.T) {
	e, refused := evening(), &engine.Reject{Code: engine.BadRead, Rule: "GEN-E01"}
	for at := range engine.Millis(3 * 3600) {
		c := engine.Command{At: 100_000 + at*1000, By: engine.SeatViewer(2), Act: "look",
			Args: engine.Args{"room": strings.Repeat("r", 80)}}
		e.Played = append(e.Played, PlayedCommand{Reseed: true, Seed: 1<<64 - 1, Salt: strings.Repeat("A", 22),
			Command: c, Reject: refused})
	}
	text, err := Export(e)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("evening", text)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := s.Evening(); err != nil || len(back.Played) != len(e.Played) {
		t.Errorf("%d of %d commands came back, %v", len(back.Played), len(e.Played), err)
	}
}

func TestExportRoundTrip(t *testing.T) {
	e := evening()
	text, err := Export(e)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("evening", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var played []engine.Command
	report := Run(s, toyBook{commands: &played})
	if !report.OK() {
		t.Fatalf("%s\n%s", report, text)
	}
	// Between the played acts, a run also tries the offered and the marked ones.
	i := 0
	for _, c := range played {
		var want engine.Command
		if i < len(e.Played) {
			want = e.Played[i].Command
		}
		if len(want.Args) == 0 {
			want.Args = nil
		}
		switch {
		case reflect.DeepEqual(c, want):
			i++
		case c.Act != "look" && c.Act != "take" && c.Act != "fly":
			t.Errorf("command %d was %+v, is %+v\n%s", i+1, want, c, text)
		}
	}
	if i != len(e.Played) {
		t.Errorf("only %d commands of %d came back", i, len(e.Played))
	}
	for _, line := range []string{"title An evening of two lines", "players Anne seat-2 seat-3", "seed 7\n", "  refused bad-read GEN-E01"} {
		if !strings.Contains(string(text), line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}

// TestEveningComesBack: an exported evening has the same commands, seeds, salts and outcomes.
func TestEveningComesBack(t *testing.T) {
	e := evening()
	for i := range e.Played {
		e.Played[i].Reseed, e.Played[i].Seed, e.Played[i].Salt = true, uint64(i), fmt.Sprint("salt-", i)
	}
	text, err := Export(e)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("evening", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	back, err := s.Evening()
	if err != nil || len(back.Played) != len(e.Played) {
		t.Fatalf("%d commands come back of %d: %v", len(back.Played), len(e.Played), err)
	}
	for i, want := range e.Played {
		got := back.Played[i]
		if len(got.Command.Args) == 0 {
			got.Command.Args = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("command %d was %+v, is %+v", i+1, want, got)
		}
	}
	for _, other := range []string{
		"given x y\nhost does begin\n", "host does begin\nwait 5s\n", "scene a\nhost does begin\nscene b\nhost does end\n",
	} {
		s, err := Parse("other", []byte("game toy\n"+other))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Evening(); err == nil {
			t.Errorf("%q is taken for an evening", other)
		}
	}
}

func TestExportRefusesWhatCannotBeWritten(t *testing.T) {
	for _, c := range []engine.Command{
		{By: engine.SeatViewer(1), Act: "two words"},
		{By: engine.SeatViewer(1), Act: "x", Args: engine.Args{"a b": "c"}},
		{By: engine.SeatViewer(1), Act: "x", Args: engine.Args{"a": strings.Repeat("y", maxLine)}},
		engine.ScanCommand(0, "the urn", []engine.ID{"card-1"}, 0),
		{By: engine.SeatViewer(1), Act: "x", At: maxTime + 1},
	} {
		text, err := Export(Evening{Game: "toy", Played: []PlayedCommand{{Command: c}}})
		if err == nil {
			t.Errorf("%v was written: %s", c, text)
		}
	}
}

func ExampleRun() {
	s, err := Parse("HC-S00.script", []byte("game chess\nhost does begin\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report := Run(s)
	fmt.Println(report.OK(), len(report.Failures))
	// Output: false 1
}

// TestScansAreWrittenAsTheyWere: a scan is written so that it is read again with all its arguments.
func TestScansAreWrittenAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		args engine.Args
		want string
	}{
		{engine.Args{"reader": "show", "cards": ""}, "show reads unreadable"},
		{engine.Args{"reader": "show", "cards": "weapon-1,clue-2", "foreign": "2"}, "show reads weapon-1 clue-2 foreign=2"},
		{engine.Args{"reader": "urn", "cards": "weapon-1", engine.ArgDoubled: "1"}, "urn reads weapon-1 doubled"},
	} {
		if got, err := formatScan(c.args); got != c.want || err != nil {
			t.Errorf("%v is written %q, %v, not %q", c.args, got, err, c.want)
		}
	}
}
