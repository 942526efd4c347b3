package house

import (
	"fmt"

	"majordome/engine"
)

// Fault is what is wrong with the configuration, for its owner. Line and Column
// count from 1; both are 0 when the fault has no place in the file.
type Fault struct {
	File         string
	Line, Column int
	What, Hint   engine.Text
}

// Error is the English sentence.
func (f *Fault) Error() string { return f.Text().EN }

// Text is the sentence in both languages.
func (f *Fault) Text() engine.Text {
	if f.Line == 0 {
		return engine.Text{FR: fmt.Sprintf("%s : %s (%s)", f.File, f.What.FR, f.Hint.FR), EN: fmt.Sprintf("%s: %s (%s)", f.File, f.What.EN, f.Hint.EN)}
	}
	return engine.Text{
		FR: fmt.Sprintf("%s, ligne %d, colonne %d : %s (%s)", f.File, f.Line, f.Column, f.What.FR, f.Hint.FR),
		EN: fmt.Sprintf("%s, line %d, column %d: %s (%s)", f.File, f.Line, f.Column, f.What.EN, f.Hint.EN),
	}
}

func say(fr, en string) engine.Text { return engine.Text{FR: fr, EN: en} }

func sayf(fr, en string, args ...any) engine.Text {
	return engine.Text{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}
