package doctor

import (
	"encoding/json"
	"fmt"
	"io"

	"majordome/engine"
)

// stateMarks are the marks before findings.
var stateMarks = map[State]string{OK: "✓", Note: "·", Warning: "!", Fault: "✗"}

// Print writes all findings for a person, French first; withRepairs: also the lines for files and the commands.
func Print(w io.Writer, all []Finding, withRepairs bool) error {
	p := printer{w: w}
	for _, f := range all {
		p.printBilingual(stateMarks[f.State]+" ", "  ", f.Said)
		if f.Fix != (engine.Text{}) {
			p.printBilingual("    → ", "      ", f.Fix)
		}
		if at := f.helpPlace(); at != "" {
			p.printLine("    → majordome help %s", at)
		}
		if !withRepairs {
			continue
		}
		for _, l := range f.Lines {
			what := "à ajouter · add"
			if l.Whole {
				what = "tout le fichier · the whole file"
			}
			p.printLine("\n# %s : %s\n%s", l.File, what, l.Text)
		}
		for _, command := range f.Run {
			p.printLine("$ %s", command)
		}
	}
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printLine(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// printBilingual writes a text in each language on a separate line, once if both are the same.
func (p *printer) printBilingual(first, then string, t engine.Text) {
	p.printLine("%s%s", first, t.FR)
	if t.EN != t.FR {
		p.printLine("%s%s", then, t.EN)
	}
}

// PrintJSON writes all findings as a JSON array, in their order.
func PrintJSON(w io.Writer, all []Finding) error {
	findings := []Finding{} // encodes as [], not null
	for _, f := range all {
		f.Help = f.helpPlace()
		findings = append(findings, f)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(findings)
}
