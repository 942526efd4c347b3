package script

import (
	"errors"
	"strings"
	"testing"

	"majordome/engine/ownfile"
	"majordome/engine/ownfile/ownfiletest"
)

func TestMistakesAreExplained(t *testing.T) {
	const step = "Anne does move place=x\n"
	for _, tt := range []struct{ body, want string }{
		// words
		{`Anne does say text="hello`, `3:20: the quoted text does not end (close it with "`},
		{`Anne does say text="hello"you`, "3:27: a quoted text must be a word of its own"},
		{`Anne does say text=he"llo`, "3:22: a quote inside a word"},
		{strings.Repeat("x", maxLine+1), "3: longer than 4,096 bytes"},
		// sentences
		{"Ann does move", "3:1: Ann is nobody at this table (did you mean Anne?)"},
		{"seat-11 does move", "3:1: seat-11 is nobody at this table"},
		{`"Anne" does move`, `3:1: "Anne" is nobody`},
		{"Anne dose move", "3:1: not understood: Anne (did you mean Anne does?)"},
		{"giben hand Anne", "3:1: not understood: giben (did you mean given?)"},
		{"Evening falls on the house", "a line is a statement, or: NAME does ACT"},
		{"Anne does", "3:6: no act after does"},
		{"Anne does place=x", "3:6: no act after does"},
		{"Anne does move place-3", "3:16: the value place-3 has no name (write arguments like"},
		{"Anne does move a=1 a=2", "3:20: the argument a is given twice"},
		{"Chloé does move place-3", "3:1: Chloé is nobody"},
		{"Anne does é=2", "3:6: no act after does"},
		// readers
		{"the=urn reads card-1", "3:1: the=urn is no reader"},
		{"urn reads", "3:5: reads needs cards, foreign, or unreadable alone"},
		{"urn reads unreadable card-1", "3:5: reads needs cards, foreign, or unreadable alone"},
		{"urn reads foreign doubled", "3:5: doubled without a card"},
		{"urn reads foreign=0", "3:11: foreign=0 is no number of tags"},
		{"urn reads kind=clue", "3:11: a reader knows no kind"},
		// statements
		{"covers", "3:1: covers has too few or too many words (write it like: covers HC-130 HC-131)"},
		{"covers HC_050", `3:8: "HC_050" is no rule id (rule ids look like`},
		{"covers HC-EA050", `3:8: "HC-EA050" is no rule id`},
		{"game other", "3:1: a second game line"},
		{"players Bruno", "3:1: a second players line"},
		{"given hand Anne x\nplayers Bruno", "4:1: players after the game has begun"},
		{step + "game toy", "4:1: game after the game has begun"},
		{"seed -1", `3:6: "-1" is no seed`},
		{step + "given hand Anne x", "4:1: a given line after the first step"},
		{"wait 90", `3:6: "90" is no time (write it like 500ms`},
		{"wait -1s", "is no time"},
		{"at 8d", "is no time"},
		{"wait 169h", "is no time"},
		{"wait NaNs", "is no time"},
		{"back start", `3:6: no mark "start" in this scene (set it before with: mark start)`},
		{"scene", "3: a scene without a title"},
		{step + "scene Two", "4: steps or expectations before the first scene"},
		{"given hand Anne x", "nothing is played and nothing is expected (add a step such as"},
		{"", "1: nothing is played and nothing is expected"},
		{"scene One\nscene Two\n" + step, "3: nothing is played and nothing is expected"},
		// outcomes
		{"accepted", "3:1: accepted belongs below a step"},
		{"mark a\nrefused forbidden HC-050", "4:1: refused belongs below a step"},
		{step + "accepted\naccepted", "5:1: a second outcome for one step"},
		{step + "accepted gladly", "4:1: accepted has too few or too many words"},
		{step + "refused never HC-050", `4:9: "never" is no code (codes are not-now`},
		{step + "refused forbidden HC050", `4:19: "HC050" is no rule id`},
		{step + "refused forbidden", "4:1: refused has too few or too many words"},
		{"wait 1s\nrefused forbidden HC-050", "4:1: nothing can be refused to passing time"},
		{"told Anne hc.why.x", "3:1: told belongs below a refused line"},
		{step + "accepted\ntold Anne hc.why.x", "5:1: told belongs below a refused line"},
		{step + "refused forbidden HC-050\ntold Zoe hc.why.x", "5:6: Zoe is nobody"},
		{step + "refused forbidden HC-050\ntold Anne x=1",
			"5:11: told needs the key of a message, and any of its blanks, not x=1 (write it like: told AUDIENCE KEY BLANK=VALUE)"},
		{step + "refused forbidden HC-050\ntold Anne nothing x=1", "5:19: told needs the key of a message, and any of its blanks, not x=1"},
		// audiences
		{"all but Zoe see phase play", "3:9: Zoe is nobody"},
		{"all but", "3:1: not understood: all"},
		{"Anne Bruno see phase play", "3:6: sees is missing after Anne (join several players by commas"},
		{"all but see phase play", "3:9: see is nobody"},
		// things
		{"Anne sees", "3:6: nothing to see (name a thing: active, answer, answers, called, case, change,"},
		{"Anne sees hands nothing", "3:11: there is no hands to see (did you mean hand? things are active, answer, answers"},
		{"Anne sees everything", "there is no everything to see (things are active, answer, answers, called, case, change"},
		{`Anne sees "hand" nothing`, `there is no "hand" to see`},
		{"Anne sees no hand", "3:14: no cannot stand before hand"},
		{"Anne sees change", "3:11: change needs no before it"},
		{"Anne sees no change", "3:14: there is no step yet"},
		{step + "Anne sees no change x", "4:21: change needs to stand alone, not x (write it like: AUDIENCE sees change)"},
		{"Anne sees phase", "3:11: phase needs one word (write it like: AUDIENCE sees phase WORD)"},
		{"Anne sees urn 3 4", "3:17: urn needs one word, not 4"},
		{"Anne sees switches bell", "3:11: switches needs a name and a value (write it like: AUDIENCE sees switches NAME VALUE)"},
		{"Anne sees prompt", "3:11: prompt needs the key"},
		{"Anne sees log key again", "3:19: log needs the key of a message, and any of its blanks, not again"},
		{"Anne sees hand", "3:11: hand needs names, nothing, count=, with or without (write it like: AUDIENCE sees hand NAME NAME)"},
		{"Anne sees hand nothing x", "3:24: hand needs names, nothing, count=, with or without, not x"},
		{"Anne sees active nobody Bruno", "3:25: active needs names, nothing, count=, with or without, not Bruno"},
		{"Anne sees hand count=x", "3:16: hand needs names, nothing, count=, with or without, not count=x"},
		{"Anne sees hand with", "3:11: hand needs names, nothing, count=, with or without (write"},
		{"Anne sees shown a b=c", "3:19: shown needs names, nothing, count=, with or without, not b=c"},
		{"Anne sees place", "3:11: place needs a name, then something to compare (write it like: AUDIENCE sees place NAME weapon=VALUE)"},
		{"Anne sees place x", "3:11: place needs a name, then something to compare"},
		{"Anne sees place x colour=red", "3:19: place has no colour=red (it has weapon, open, cards, pawns, lamp)"},
		{"Anne sees hand x colour=red", "3:18: hand has no colour=red (it has marks)"},
		{"Anne sees case nothing step=move",
			"3:24: case needs something to compare, not step=move (write it like: AUDIENCE sees case turn=VALUE)"},
		{"Anne sees clock nothing", "3:17: clock has no nothing (it has at, of, mark, open)"},
		{"Anne sees offer x y", "3:19: offer needs an act, and any of its parameters, not y"},
		{"Anne sees offers", "3:11: offers needs names, nothing, count="},
		{"Anne sees nowhere", `3:11: nowhere needs ids or quoted texts (write it like: AUDIENCE sees nowhere ID "TEXT")`},
		{"Anne never hears x", "3:6: never without sees"},
		{"Anne never sees", "3:6: never sees needs ids or quoted texts (write it like: AUDIENCE never sees ID"},
		{"deadlines count=x",
			"3:11: deadlines needs names, nothing, count=, with or without, not count=x (write it like: deadlines NAME NAME)"},
	} {
		_, err := Parse("t.script", []byte("game toy\nplayers Anne Bruno\n"+tt.body))
		ownfiletest.CheckFaults(t, err)
		if err == nil || !strings.Contains(err.Error(), "t.script:") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q\n  want %s\n  came %v", tt.body, tt.want, err)
		}
	}
}

func TestMistakesOfTheWholeScript(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"", "t.script:1: no game line"},
		{"host does begin", "t.script:1: no game line (begin with, for instance: game huis-clos)"},
		{strings.Repeat("\n", maxLines), "more than 80,000 lines"},
		{strings.Repeat(" ", MaxBytes+1), "longer than 4 MiB"},
		{"game toy\nplayers Anne Anne", "2:14: two players named Anne"},
		{"game toy\nplayers host", `2:9: "host" cannot be used as a player's name here`},
		{"game toy\nplayers Anne seat-1", `2:14: "seat-1" cannot be used`},
		{"game toy\nplayers a b c d e f g h i j k", "2:1: players has too few or too many words"},
		// one fault hides no other
		{"Anne frobnicates", "t.script:1: no game line (begin with, for instance: game huis-clos)\nt.script:1:1: not understood"},
		{"game", "t.script:1:1: game has too few"},
		{"gmae toy", "t.script:1:1: not understood: gmae (did you mean game?)"},
	} {
		_, err := Parse("t.script", []byte(tt.src))
		if err == nil || !strings.Contains(err.Error(), tt.want) ||
			strings.Contains(err.Error(), "no game line") != strings.Contains(tt.want, "no game line") {
			t.Errorf("%.40q: want %s, came %v", tt.src, tt.want, err)
		}
	}
}

func TestParseReportsSeveralMistakes(t *testing.T) {
	_, err := Parse("t.script", []byte("game toy\n"+strings.Repeat("nonsense\n", 30)))
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != ownfile.MaxFaults+1 || errs[3].Line != 5 || !strings.Contains(err.Error(), "not listed: 10") {
		t.Errorf("%d mistakes reported, want %d: %v", len(errs), ownfile.MaxFaults+1, err)
	}
}

func TestEveryFirstWordIsReserved(t *testing.T) {
	for name := range statements {
		if isPlayerName(name) {
			t.Errorf("a player could be called %q", name)
		}
	}
	for _, name := range []string{"Chloé", "Jean-Luc", "D'Arc", "Anne2"} {
		if !isPlayerName(name) {
			t.Errorf("no player can be called %q", name)
		}
	}
}

func TestNamesStandForSeatsExceptWhenQuoted(t *testing.T) {
	s := mustParse(t, "game toy\nplayers Anne Chloé\nhost does x a=Anne,Chloé b=\"Anne\" c=Anneke # Anne\n\tChloé does y\r\n")
	args := s.scenes[0].steps[0].command.Args
	if args["a"] != "seat-1,seat-2" || args["b"] != "Anne" || args["c"] != "Anneke" {
		t.Errorf("arguments %v", args)
	}
	if by := s.scenes[0].steps[1].command.By.String(); by != "seat-2" {
		t.Errorf("Chloé is %s", by)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(toyHead + "Anne does look room=room-a\n refused forbidden HC-050\n told Anne x a=\"b\"\n all but Anne see no log x\n"))
	for _, form := range forms {
		f.Add([]byte(toyHead + form.step + "\n" + form.line))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse("f", src)
		ownfiletest.CheckFaults(t, err)
		if err == nil {
			Run(s, toyBook{})
			if text, _, err := Rewrite(s, toyBook{}); err == nil {
				sameSteps(t, s, mustParse(t, string(text)))
			}
		}
	})
}
