package ownfile_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"majordome/engine"
	"majordome/engine/ownfile"
	"majordome/engine/ownfile/ownfiletest"
)

// toy has a field of each kind that files have.
type toy struct {
	Name  string            `yaml:"name"`
	Count int               `yaml:"count"`
	Calm  bool              `yaml:"calm"`
	Parts []part            `yaml:"parts"`
	More  *part             `yaml:"more"`
	Map   map[string]string `yaml:"map"`
	Hours []int             `yaml:"hours"`
	Own   string            `yaml:"-"`
}

type part struct {
	ID   string `yaml:"id"`
	Text string `yaml:"text,omitempty"`
}

func read(text string) (toy, error) {
	t := toy{Name: "kept", Count: 7}
	f := ownfile.Parse("t.yaml", []byte(text))
	f.Decode(&t)
	return t, f.Err()
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]toy{
		"":               {Name: "kept", Count: 7},
		"# nothing\n":    {Name: "kept", Count: 7},
		"---\n":          {Name: "kept", Count: 7},
		"name:\ncalm:\n": {Name: "kept", Count: 7},
		"\ufeffname: a\r\ncount: 0\r\ncalm: true\r\n": {Name: "a", Calm: true},
		"name: 221\nmap: {a: Yes, b: 1.50, true: no}": {Name: "221", Count: 7,
			Map: map[string]string{"a": "Yes", "b": "1.50", "true": "no"}},
		"name: |\n  one\n  two\nhours: [1, 0x10]": {Name: "one\ntwo\n", Count: 7, Hours: []int{1, 16}},
		"more: {id: x}\nparts:\n- id: a\n  text: \"b: # c\"\n- {id: é}": {Name: "kept", Count: 7, More: &part{ID: "x"},
			Parts: []part{{"a", "b: # c"}, {ID: "é"}}},
		"name: '&a *b !c'\nparts: []": {Name: "&a *b !c", Count: 7, Parts: []part{}},
	} {
		if got, err := read(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// TestFaults: every fault is reported, with its line and column, in the order of the file.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"nmae: a\ncount: many\ncalm: perhaps\nparts:\n  - idd: 1\n    text: [a]\n  - x\nmap: []\nhours: [1, x]\nname: b\nname: c\n",
			[]string{
				`1:1: unknown key "nmae" (did you mean "name"?)`, "2:8: a whole number", "3:7: yes or no",
				`5:5: unknown key "idd" (did you mean "id"?)`,
				"6:12: a text is expected", "7:5: keys with values", "8:6: keys with values", "9:12: a whole number",
				`11:1: key "name" written twice`,
			}},
		{"colour: red\n", []string{`1:1: unknown key "colour" (the keys allowed here are: name, count`}},
		{"parts: !!int x\n  - a: &b 1\n", []string{"1:8: a tag (!)", ""}},
		{"name: &a x\nmap: {b: *a}\ncount: x\n", []string{"1:7: an anchor (&)", "2:10: an alias (*)", "3:8: a whole number"}},
		{"more: &m {id: x}\nparts:\n  - <<: *m\n", []string{"1:7: an anchor", "3:5: a merge key", "3:9: an alias"}},
		{"? name\n: x\n", []string{"1:1: a complex key"}},
		{"%YAML 1.2\n---\nname: x\n", []string{"1:1: a directive", ""}},
		{"[a, b]: x\n", []string{""}},
		{"- a\n", []string{"1:3: keys with values"}},
		{"just words", []string{"1:1: keys with values"}},
		{"name: a\n---\nname: b\n", []string{"3:1: a second YAML document"}},
		{"name: [a\n", []string{"1:7: this is not correct YAML"}},
		{"name: \"a\n", []string{": this is not correct YAML"}},
		{"name: caf\xe9\ncount: x", []string{"1:10: this is not text in UTF-8"}},
		{"\xff\xfen\x00a\x00", []string{"1:1: this is not text in UTF-8"}},
		{"count: 99999999999999999999\n", []string{"1:8: a whole number"}},
		{"name: " + strings.Repeat("é", 200), []string{"1:7: a value too long: 400 bytes"}},
		{strings.Repeat("x: 1\n", 30), append([]string{`1:1: unknown key "x"`}, make([]string, 20)...)},
		{"{x: 1, x: 1, y: 2}\n", []string{"", "", ""}},
		{strings.Repeat("# a\n", ownfile.MaxBytes), []string{": the file is too large"}},
	} {
		_, err := read(c.text)
		ownfiletest.CheckFaults(t, err)
		var all ownfile.Faults
		if errors.As(err, &all); len(all) != len(c.want) {
			t.Errorf("%.60q: %d faults, want %d:\n%v", c.text, len(all), len(c.want), err)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(all[i].Error(), want) {
				t.Errorf("%.60q: fault %d is %q, want %q", c.text, i, all[i].Error(), want)
			}
		}
	}
	if _, err := read(strings.Repeat("x: 1\n", 30)); !strings.Contains(err.Error(), "further faults that are not listed: 10") {
		t.Errorf("the rest is not counted: %v", err)
	}
}

// TestNote: a fault is reported where its path, or its parent, is written. Nothing is reported of a part that could not be read.
func TestNote(t *testing.T) {
	f := ownfile.Parse("t.yaml", []byte("name: a\nparts:\n  - id: x\nmap: [\"\"]\nnmae: b\nhours: x\n"))
	f.Decode(&toy{})
	for _, path := range []string{"$.name", "$.parts[0].text", "$.parts[0].id", "$.count", "$.map.x", "$.hours[3]", "$.map"} {
		f.AddFault(path, engine.T("x", path), engine.T("y", "y"))
	}
	want := "t.yaml:1:1: $.count (y)\nt.yaml:1:7: $.name (y)\nt.yaml:3:5: $.parts[0].text (y)\nt.yaml:3:9: $.parts[0].id (y)\n" +
		"t.yaml:4:7: keys with"
	if got := f.Err().Error(); !strings.HasPrefix(got, want) || strings.Contains(got, "$.map") || strings.Contains(got, "$.hours") {
		t.Errorf("got\n%s\nwant\n%s...", got, want)
	}
}

// TestLongAndStrangeNames: a message stays one line that can be read, whatever it quotes.
func TestLongAndStrangeNames(t *testing.T) {
	name := strings.Repeat("folder/", 500) + "\x1b[31mbox\u202e.yaml"
	long := strings.Repeat("x", 10_000)
	f := &ownfile.Fault{File: name, Line: 99999, Column: 99999, What: engine.T(long, long+"\n"), Hint: engine.T(long, long)}
	ownfiletest.CheckSentence(t, f.Text())
	if n := utf8.RuneCountInString(f.Error()); n > ownfile.MaxMessage || !strings.Contains(f.Text().FR, ".yaml, ligne 99999") {
		t.Errorf("%d characters: %s", n, f.Error())
	}
}

func TestNearest(t *testing.T) {
	list := []string{"readers", "strips", "role", "listen"}
	for text, want := range map[string]string{
		"raeders": "readers", "rol": "role", "Listen": "listen", "x": "", "": "", "brightness": "", strings.Repeat("r", 1000): "",
	} {
		if got := ownfile.FindNearest(text, list); got != want {
			t.Errorf("%.20q is most like %q, want %q", text, got, want)
		}
	}
}

// TestWorstFiles: what makes the library slow or deep is stopped before it.
func TestWorstFiles(t *testing.T) {
	for _, unit := range []string{
		"- ", "[", "{a: ", "? ", "!!a ", "&a ", "*a ", "a: ", "\"", "'", "a: b\n", "- a\n", "#", "|\n", "--- \n", "}",
		"a: |\n ", "<<: ", "%",
	} {
		for _, prefix := range []string{"", "a: ", "parts:\n"} {
			text := prefix + strings.Repeat(unit, (ownfile.MaxBytes-len(prefix))/len(unit))
			began := time.Now()
			_, err := read(text)
			ownfiletest.CheckFaults(t, err)
			if took := time.Since(began); took > 10*time.Second { // a hang, not a benchmark: the worst is under 0.5 s
				t.Errorf("%q repeated takes %v", unit, took)
			} else if testing.Verbose() {
				fmt.Printf("%-10q %-10q %v\n", prefix, unit, took)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"readers: !!int x\n  - a", "name: &a [*a]", "parts:\n  - <<: {id: x}", "map: {? a: b}", "more: {id: |\n x", "name: \"\\x",
		"hours: [0x, 1_0, .inf, -.nan, ~]", "a: b: c", "\t- a", "--- >\n x\n...\n%Y",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := read(string(data))
		ownfiletest.CheckFaults(t, err)
		ownfile.Parse("f", data).LookupScalar("name")
	})
}
