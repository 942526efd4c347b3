package doctor

import (
	"encoding/json"
	"fmt"
	"io"

	"majordome/engine"
)

// stateMarks are the marks before findings.
var marks = map[State]string{OK: "✓", Note: "·", Warning: "!", Fault: "✗"}

// Print writes all findings for a person, French first; with files also the lines for files and the commands.
func Print(w io.Writer, all []Finding, files bool) error {
	p := printer{w: w}
	for _, f := range all {
		p.both(marks[f.State]+" ", "  ", f.Said)
		if f.Fix != (engine.Text{}) {
			p.both("    → ", "      ", f.Fix)
		}
		if at := f.place(); at != "" {
			p.line("    → majordome help %s", at)
		}
		if !files {
			continue
		}
		for _, l := range f.Lines {
			what := "à ajouter · add"
			if l.Whole {
				what = "tout le fichier · the whole file"
			}
			p.line("\n# %s : %s\n%s", l.File, what, l.Text)
		}
		for _, command := range f.Run {
			p.line("$ %s", command)
		}
	}
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// printBoth writes a text in each language on a separate line, once if both are the same.
func (p *printer) both(first, then string, t engine.Text) {
	p.line("%s%s", first, t.FR)
	if t.EN != t.FR {
		p.line("%s%s", then, t.EN)
	}
}

// PrintJSON writes all findings as a JSON array, in their order.
func JSON(w io.Writer, all []Finding) error {
	told := []Finding{} // encodes as [], not null
	for _, f := range all {
		f.Help = f.place()
		told = append(told, f)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(told)
}
