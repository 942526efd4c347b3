package script

import (
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// Script is a parsed script. It is immutable.
type Script struct {
	Name    string    // of the file, for messages
	Title   string    // what it is about
	Covers  []string  // rule ids, in the order written
	Game    engine.ID // whose rulebook plays
	Players []string  // Players[0] sits at seat-1

	scenes []scene
	source []string // lines, for messages
}

// scene is one game from its position on.
type scene struct {
	title string
	line  int
	seed  uint64
	given []engine.PositionLine
	// start has the expectations about the position itself.
	start []expectation
	steps []step
}

// stepKind is the kind of a step.
type stepKind uint8

const (
	stepCommand stepKind = iota
	stepWait             // time passes, deadlines come
	stepClock            // the clock is set
	stepSeed             // the dice start afresh
	stepSalt             // the salt of the next command, which means nothing to the rules
	stepJoint            // the seed to which phones have added, which means nothing to the rules
	stepMark
	stepBack
)

// step is one action in a scene, and what is expected of it.
type step struct {
	kind    stepKind
	line    int
	command engine.Command // its time is set when it is played
	cards   []word         // the cards that a reader reads, which the deck must know
	millis  engine.Millis
	seed    uint64
	salt    string // or the joint seed
	mark    string
	outcome outcome
	expect  []expectation
}

// outcome is the expected result of a step. Zero: nothing may be refused.
type outcome struct {
	line     int  // 0: none was written
	accepted bool // it must be accepted
	code     engine.Code
	rule     string
}

// audience is a set of viewers, resolved when a line is checked.
type audience struct {
	public, host, seats bool
	named               []engine.Seat // left out if seats is set, else included
	text                string
	from, to            int // indexes of its bytes in the line
}

// expectation is one line to be checked.
type expectation struct {
	line  int
	who   audience
	verb  verb
	thing string
	no    bool
	words []word // after the thing, with names resolved
	from  int    // index of the first byte of what is expected
}

// verb is the kind of an expectation.
type verb uint8

const (
	verbSees verb = iota
	verbNever
	verbTold
	verbDeadlines
)

// expectations returns all lines to be checked.
func (s *Script) expectations() (all []expectation) {
	for _, sc := range s.scenes {
		all = append(all, sc.start...)
		for _, st := range sc.steps {
			all = append(all, st.expect...)
		}
	}
	return all
}

// MessageKeys returns the message keys that the script names, sorted, each once. A caller can look them up
// in the catalogues: otherwise a misspelt key under "no" would pass.
func (s *Script) MessageKeys() []string {
	var keys []string
	for _, e := range s.expectations() {
		keys = append(keys, e.messageKeys()...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func (e expectation) messageKeys() (keys []string) {
	t := things[e.thing]
	for i, w := range e.words {
		a := t.findAttr(w.key)
		first := i == 0 && (e.verb == verbTold || t.form == formMsg)
		if (first || a != nil && a.typ == typeMsg) && w.comparedText() != "" {
			keys = append(keys, w.text)
		}
	}
	return keys
}

// Covered is one rule, and the scripts that say they check it.
type Covered struct {
	Rule    string
	Scripts []string
}

// String returns the rule and the names of its scripts, on one line.
func (c Covered) String() string { return c.Rule + " " + strings.Join(c.Scripts, " ") }

// CollectCoverage collects the rules of all covers lines, sorted by rule id.
func CollectCoverage(scripts ...*Script) []Covered {
	by := map[string][]string{}
	for _, s := range scripts {
		for _, rule := range s.Covers {
			if !slices.Contains(by[rule], s.Name) {
				by[rule] = append(by[rule], s.Name)
			}
		}
	}
	list := make([]Covered, 0, len(by))
	for rule, names := range by {
		slices.Sort(names)
		list = append(list, Covered{rule, names})
	}
	slices.SortFunc(list, func(a, b Covered) int { return strings.Compare(a.Rule, b.Rule) })
	return list
}

// Error is one mistake in the text of a script; Column 0 means the whole line.
type Error = ownfile.Fault

// Errors are the mistakes of one script in the order of lines: at most 20, and a line that counts the rest.
type Errors = ownfile.Faults

// newError returns a mistake at a column of the line being parsed.
func newError(column int, what, hint engine.Text) *Error {
	return &Error{Column: column, What: what, Hint: hint}
}
