package config

import (
	"errors"

	"majordome/cmd/majordome/manual"
	"majordome/companion/catalogue"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// AdviceText returns advice as a text: packages of devices do not import engine.
func AdviceText(a devices.Advice) engine.Text { return engine.T(a.FR, a.EN) }

// FaultFinding is a finding about an error. Fault is its place in a file; nil: it has none.
type FaultFinding struct {
	wire.Finding
	Fault *ownfile.Fault
}

// FaultFindings returns a finding for each error that err joins: about a fault of a file, with its place in the manual, else about the
// kind given, with the text of the error.
func FaultFindings(about string, err error) (all []FaultFinding) {
	if err == nil {
		return nil
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if _, is := e.(*ownfile.Fault); is {
			break
		}
		if joined, is := e.(interface{ Unwrap() []error }); is {
			for _, part := range joined.Unwrap() {
				all = append(all, FaultFindings(about, part)...)
			}
			return all
		}
	}
	f := FaultFinding{Finding: wire.Finding{About: about, State: wire.StateFault}}
	var text interface{ Text() engine.Text }
	var msg interface{ Msg() engine.Msg }
	switch {
	case errors.As(err, &f.Fault):
		f.Said, f.Fix, f.Help = f.Fault.What, f.Fault.Hint, manual.PlaceOfFault(f.Fault, about)
	case errors.As(err, &text):
		f.Said = text.Text()
	case errors.As(err, &msg): // of the store, with texts from the catalogues
		f.Said = catalogue.RenderPlain(msg.Msg())
	default:
		f.Said = engine.T(err.Error(), err.Error())
	}
	return []FaultFinding{f}
}
