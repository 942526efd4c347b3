package script

import (
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
)

// Rewrite plays s and returns its text with what was seen in place of what was expected, and the report of
// that text. A person must review it. The steps stay as they are. So do expectations of what must not be
// seen (nowhere, never, no change), an audience that is not there and a broken invariant, which still fail.
// The error is for a text that cannot be parsed again, for example because of a line longer than 4,096
// bytes.
func Rewrite(s *Script, books ...engine.Rulebook) ([]byte, Report, error) {
	edits := map[int][]string{}
	playScript(s, edits, books)
	var lines []string
	for i, line := range s.source {
		if edited, ok := edits[i+1]; ok {
			lines = append(lines, edited...)
		} else {
			lines = append(lines, line)
		}
	}
	text := []byte(strings.Join(lines, "\n"))
	again, err := Parse(s.Name, text)
	if err != nil {
		return nil, Report{}, err
	}
	return text, Run(again, books...), nil
}

// rewriteLine puts what the viewers of a line saw in place of what it expected, in one line for all that
// saw the same. It returns false if nothing differs, or if that cannot be written.
func (r *sceneRun) rewriteLine(e expectation, viewers []engine.Viewer, differences []*difference) (rewritten bool) {
	wrong := slices.ContainsFunc(differences, func(d *difference) bool { return d != nil })
	never := slices.ContainsFunc(differences, func(d *difference) bool { return d != nil && d.suggested == nil })
	if r.edits == nil || !wrong || never {
		return false
	}
	line, end := r.sourceLine(e.line)
	w := scriptWriter{r.script.Players}
	var texts []string
	who := map[string][]string{}
	for i, d := range differences {
		text := line[e.from:end]
		if d != nil {
			text = w.formatDifference(e.thing, d)
		}
		if who[text] == nil {
			texts = append(texts, text)
		}
		who[text] = append(who[text], w.toPlayerName(viewers[i].String()))
	}
	head, audience, comment := line[:e.who.from], line[e.who.from:e.who.to], line[end:]
	for i, text := range texts {
		if len(texts) > 1 {
			audience = strings.Join(who[text], ",")
		}
		texts[i] = head + audience + line[e.who.to:e.from] + text + comment
		comment = ""
	}
	r.edits[e.line] = texts
	return true
}

// rewriteOutcome puts the outcome of a step in place of the expected one.
func (r *sceneRun) rewriteOutcome(st *step, got string) {
	number := st.outcome.line
	if number > 0 {
		line, end := r.sourceLine(number)
		r.edits[number] = []string{indentOf(line) + got + line[end:]}
		return
	}
	line, _ := r.sourceLine(st.line)
	r.edits[st.line] = []string{line, indentOf(line) + "  " + got}
}

// sourceLine returns a line of the script, and the index at which its last word ends.
func (r *sceneRun) sourceLine(number int) (line string, end int) {
	line = r.script.source[number-1]
	words, _ := splitWords(line)
	return line, words[len(words)-1].to
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// formatDifference formats what was seen in the form of a script, from its thing on.
func (w scriptWriter) formatDifference(thing string, d *difference) string {
	if thing != "" {
		thing += " "
	}
	if d.isNegated {
		thing = "no " + thing
	}
	return thing + w.formatWords(d.suggested)
}

// formatWords formats words so that they can be parsed again.
func (w scriptWriter) formatWords(list []word) string {
	out := make([]string, len(list))
	for i, x := range list {
		switch {
		case x.quoted:
			out[i] = strconv.Quote(x.text)
		case x.comparedText() == "":
			out[i] = nothing
		default:
			out[i] = w.formatValue(x.text)
		}
		if x.key != "" {
			out[i] = x.key + "=" + out[i]
		}
	}
	return strings.Join(out, " ")
}
