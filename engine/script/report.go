package script

import (
	"fmt"
	"strings"
)

// Report is what came of running one script.
type Report struct {
	Script                string
	Scenes, Steps, Checks int
	Failures              []Failure // at most 40
	More                  int       // failures beyond those
}

// OK reports that nothing failed and something was checked.
func (r Report) OK() bool { return len(r.Failures) == 0 && r.Checks > 0 }

func (r *Report) fail(f Failure) {
	if len(r.Failures) == maxFailures {
		r.More++
		return
	}
	f.Script = r.Script
	r.Failures = append(r.Failures, f)
}

// Failure is one expectation that did not hold. It quotes what the viewer sees,
// hidden cards included.
type Failure struct {
	Script string
	Line   int
	Text   string // the line of the script
	Scene  string
	After  string // the step before, with its line
	Viewer string // for whom it failed, joined by commas; "" when it is not about a view
	Want   string
	Came   string
	Notes  []string
}

func (f Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s\n", f.Script, f.Line, f.Text)
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %s\n", strings.TrimPrefix(fmt.Sprintf("%-7s %s", name, text), "        "))
		}
	}
	row("scene", f.Scene)
	row("after", f.After)
	row("viewer", f.Viewer)
	row("want", f.Want)
	row("came", f.Came)
	for _, n := range f.Notes {
		row("", n)
	}
	return b.String()
}

// String is the report for people: one line if all is well, else each failure.
func (r Report) String() string {
	count := fmt.Sprintf("%d scenes, %d steps, %d checks", r.Scenes, r.Steps, r.Checks)
	if r.OK() {
		return "ok   " + r.Script + ": " + count + "\n"
	}
	var b strings.Builder
	for _, f := range r.Failures {
		b.WriteString(f.String())
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "... and %d more\n", r.More)
	}
	fmt.Fprintf(&b, "FAIL %s: %d failures in %s\n", r.Script, len(r.Failures)+r.More, count)
	return b.String()
}
