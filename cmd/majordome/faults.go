package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"majordome/cmd/majordome/library"
	"majordome/cmd/majordome/manual"
	"majordome/cmd/majordome/network"
	"majordome/companion/catalogue"
	"majordome/companion/door"
	"majordome/companion/game"
	"majordome/companion/store"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// report tells a person what went wrong: each fault on its own, French first
// when the fault speaks both languages, and what prints its place in the manual; each line has at most maxTold characters.
func report(w io.Writer, err error) {
	if err == nil {
		return
	}
	for _, t := range told(err) {
		if t.FR != "" {
			tell(w, "majordome :", t.FR)
		}
		tell(w, "majordome:", t.EN)
		if t.help != "" {
			fmt.Fprintln(w, "→ majordome help", t.help)
		}
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

// saying is what a fault says, and where the manual explains it; "" where it does not.
type saying struct {
	engine.Text
	help string
}

// told takes an error apart into its faults.
func told(err error) []saying {
	if t, ok := inBoth(err); ok {
		return []saying{{t, placeOf(err)}}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []saying
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
	return []saying{{Text: engine.Text{EN: err.Error()}}}
}

// placeOf is where the manual explains what an error is about; "": nowhere, such as a slip of the command line.
func placeOf(err error) string {
	var (
		file    *ownfile.Fault
		advice  devices.Advice
		address *network.AddressError
		kept    *store.Error
		deck    *game.OtherDeckError
		changes *library.UnreadError
		few     *door.FewFilesError
	)
	switch {
	case errors.As(err, &file):
		return manual.OfFault(file, "file")
	case errors.As(err, &advice):
		return manual.Of("device")
	case errors.As(err, &address):
		return manual.OfSetting(address.Key)
	case errors.As(err, &kept):
		return manual.Of("store-" + string(kept.Trouble))
	case errors.As(err, &deck):
		return manual.Of("other-deck")
	case errors.As(err, &changes):
		return manual.Of("kept-deck")
	case errors.As(err, &few):
		return manual.Of("files")
	}
	return ""
}

// inBoth is what this very error says in both languages.
func inBoth(err error) (t engine.Text, ok bool) {
	switch e := err.(type) {
	case interface{ Text() engine.Text }: // decks, configuration, addresses
		return e.Text(), true
	case devices.Advice: // devices know no engine
		return engine.T(e.FR, e.EN), true
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
	t := told(err)[0].Text
	if t.FR == "" {
		t.FR = t.EN
	}
	return &fault{engine.T(fr+" : "+t.FR, en+": "+t.EN), err}
}

// sentence makes a fault of one line in each language, from the same values.
func sentence(fr, en string, args ...any) error {
	return &fault{said: engine.T(fmt.Sprintf(fr, args...), fmt.Sprintf(en, args...))}
}
