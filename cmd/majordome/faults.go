package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"majordome/cmd/majordome/config"
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

// printFaults prints an error for a person: each fault separately, French first if the fault has both languages, then the
// command that prints its explanation in the manual. Each line has at most maxErrorLine characters.
func printFaults(w io.Writer, err error) {
	if err == nil {
		return
	}
	for _, t := range faultMessages(err) {
		if t.FR != "" {
			printMarkedLines(w, "majordome :", t.FR)
		}
		printMarkedLines(w, "majordome:", t.EN)
		if t.help != "" {
			fmt.Fprintln(w, "→ majordome help", t.help)
		}
	}
}

// maxErrorLine is the longest line of an error, in characters. Faults of files are shorter anyway.
const maxErrorLine = 1000

// printMarkedLines prints each line of a text after a mark, cut to maxErrorLine and with control characters made visible.
func printMarkedLines(w io.Writer, mark, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(w, mark, ownfile.VisibleText(line, maxErrorLine))
	}
}

// faultMessage is the text of a fault, with the place in the manual that explains it; "" for none.
type faultMessage struct {
	engine.Text
	help string
}

// faultMessages takes an error apart into the messages of its faults.
func faultMessages(err error) []faultMessage {
	if t, ok := bilingualTextOf(err); ok {
		return []faultMessage{{t, manualPlaceOfError(err)}}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []faultMessage
		for _, part := range e.Unwrap() {
			all = append(all, faultMessages(part)...)
		}
		return all
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			if all := faultMessages(inner); len(all) > 1 || all[0].FR != "" {
				return all
			}
		}
	}
	return []faultMessage{{Text: engine.Text{EN: err.Error()}}}
}

// manualPlaceOfError returns the place in the manual that explains an error; "" for none, for example a slip of the command line.
func manualPlaceOfError(err error) string {
	var (
		file    *ownfile.Fault
		advice  devices.Advice
		address *network.AddressError
		kept    *store.Error
		deck    *game.OtherDeckError
		changes *library.UnreadableError
		few     *door.FewFilesError
	)
	switch {
	case errors.As(err, &file):
		return manual.PlaceOfFault(file, "file")
	case errors.As(err, &advice):
		return manual.PlaceOfFaultKind("device")
	case errors.As(err, &address):
		return manual.PlaceOfSetting(address.Key)
	case errors.As(err, &kept):
		return manual.PlaceOfFaultKind("store-" + string(kept.Trouble))
	case errors.As(err, &deck):
		return manual.PlaceOfFaultKind("other-deck")
	case errors.As(err, &changes):
		return manual.PlaceOfFaultKind("kept-deck")
	case errors.As(err, &few):
		return manual.PlaceOfFaultKind("files")
	}
	return ""
}

// bilingualTextOf returns the text of the error itself, not of a wrapped one; ok is false if it does not have both languages.
func bilingualTextOf(err error) (t engine.Text, ok bool) {
	switch e := err.(type) {
	case interface{ Text() engine.Text }: // of decks, the configuration, addresses
		return e.Text(), true
	case devices.Advice: // packages of devices do not import engine
		return config.AdviceText(e), true
	case *fault:
		return e.text, true
	case interface{ Msg() engine.Msg }: // of the store, with texts from the catalogues
		return catalogue.RenderPlain(e.Msg()), true
	}
	return t, false
}

// fault is an error with a sentence in both languages.
type fault struct {
	text  engine.Text
	cause error
}

func (f *fault) Error() string { return f.text.EN }
func (f *fault) Unwrap() error { return f.cause }

// faultAbout prefixes an error with its subject, in both languages.
func faultAbout(fr, en string, err error) error {
	t := faultMessages(err)[0].Text
	if t.FR == "" {
		t.FR = t.EN
	}
	return &fault{engine.T(fr+" : "+t.FR, en+": "+t.EN), err}
}

// newFault formats a fault of one line in each language, from the same values.
func newFault(fr, en string, args ...any) error {
	return &fault{text: engine.T(fmt.Sprintf(fr, args...), fmt.Sprintf(en, args...))}
}
