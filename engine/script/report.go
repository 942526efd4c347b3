package script

import (
	"fmt"
	"strings"
)

// Report is the result of running one script.
type Report struct {
	Script                string
	Scenes, Steps, Checks int
	Failures              []Failure // at most 40
	More                  int       // failures beyond those
}

// OK reports whether nothing failed and something was checked.
func (r Report) OK() bool { return len(r.Failures) == 0 && r.Checks > 0 }

func (r *Report) addFailure(f Failure) {
	if len(r.Failures) == maxFailures {
		r.More++
		return
	}
	f.Script = r.Script
	r.Failures = append(r.Failures, f)
}

// Failure is one expectation that was not met. It quotes what the viewer sees, hidden cards included.
type Failure struct {
	Script string
	Line   int
	Text   string // the line of the script
	Scene  string
	After  string // the step before, with its line
	Viewer string // viewers for which it failed, joined by commas; "" if it is not about a view
	Want   string
	Got    string
	Notes  []string
}

func (f Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s\n", f.Script, f.Line, f.Text)
	for _, r := range []struct{ fr, en, text string }{
		{"scène", "scene", f.Scene}, {"après", "after", f.After}, {"qui", "viewer", f.Viewer},
		{"attendu", "want", f.Want}, {"obtenu", "came", f.Got},
	} {
		if r.text != "" {
			fmt.Fprintf(&b, "    %s\n", formatRow(r.fr, r.en, r.text))
		}
	}
	for _, n := range f.Notes {
		if n != "" {
			fmt.Fprintf(&b, "    %s\n", n)
		}
	}
	return b.String()
}

// formatRow formats a line of a failure: its subject, French first, and words of the script.
func formatRow(fr, en, text string) string { return fmt.Sprintf("%-17s %s", fr+" · "+en, text) }

// rowIndent begins another line in the text of a row.
const rowIndent = "\n                      "

// formatNote formats a line of a failure: a sentence, French first, and its subject.
func formatNote(fr, en, about string) string { return fr + " · " + en + ": " + about }

// String formats the report for people: one line if all is well, else each failure.
func (r Report) String() string {
	count := fmt.Sprintf("scènes · scenes %d, pas · steps %d, vérifications · checks %d", r.Scenes, r.Steps, r.Checks)
	if r.OK() {
		return "ok   " + r.Script + ": " + count + "\n"
	}
	var b strings.Builder
	for _, f := range r.Failures {
		b.WriteString(f.String())
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "... %d de plus · more\n", r.More)
	}
	fmt.Fprintf(&b, "FAIL %s: échecs · failures %d, %s\n", r.Script, len(r.Failures)+r.More, count)
	return b.String()
}
