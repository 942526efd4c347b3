package main

import (
	"fmt"
	"io"
	"strings"

	"majordome/companion/catalogue"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// report tells a person what went wrong: each fault on its own, French first
// when the fault speaks both languages; each line has at most maxTold characters.
func report(w io.Writer, err error) {
	if err == nil {
		return
	}
	for _, t := range told(err) {
		if t.FR != "" {
			tell(w, "majordome :", t.FR)
		}
		tell(w, "majordome:", t.EN)
	}
}

// maxTold is the longest line of an error, in characters. Faults of files are shorter by themselves.
const maxTold = 1000

// tell prints a text behind a mark, in lines that can be seen whole.
func tell(w io.Writer, mark, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(w, mark, ownfile.Visible(line, maxTold))
	}
}

// told takes an error apart into its faults.
func told(err error) []engine.Text {
	if t, ok := inBoth(err); ok {
		return []engine.Text{t}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []engine.Text
		for _, part := range e.Unwrap() {
			all = append(all, told(part)...)
		}
		return all
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			if all := told(inner); len(all) > 1 || all[0].FR != "" {
				return all
			}
		}
	}
	return []engine.Text{{EN: err.Error()}}
}

// inBoth is what this very error says in both languages.
func inBoth(err error) (t engine.Text, ok bool) {
	switch e := err.(type) {
	case interface{ Text() engine.Text }: // decks, configuration, addresses
		return e.Text(), true
	case devices.Advice: // devices know no engine
		return engine.Text{FR: e.FR, EN: e.EN}, true
	case *fault:
		return e.said, true
	case interface{ Msg() engine.Msg }: // the store speaks by the catalogues
		return catalogue.Plain(e.Msg()), true
	}
	return t, false
}

// fault is a sentence in both languages about an error.
type fault struct {
	said  engine.Text
	cause error
}

func (f *fault) Error() string { return f.said.EN }
func (f *fault) Unwrap() error { return f.cause }

// about puts before an error what it is about.
func about(fr, en string, err error) error {
	t := told(err)[0]
	if t.FR == "" {
		t.FR = t.EN
	}
	return &fault{engine.Text{FR: fr + " : " + t.FR, EN: en + ": " + t.EN}, err}
}

// sentence makes a fault of one line in each language, from the same values.
func sentence(fr, en string, args ...any) error {
	return &fault{said: engine.Text{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}}
}
