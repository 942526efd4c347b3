package script

import (
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// parser parses the lines of one script.
type parser struct {
	script      *Script
	line        int
	errs        []*Error
	head        scene // given lines and seed before the first scene
	current     *scene
	lastStep    *step // the step that expectations belong to; nil in a position
	marks       map[string]bool
	hasScenes   bool // a scene line was seen
	hasGameLine bool // a line was meant as the game line, even if misspelt
}

// IsScript reports whether a file is meant as a script: its name ends in .script, or its first line that is
// no comment begins with a word of the language.
func IsScript(name string, src []byte) bool {
	if strings.HasSuffix(name, ".script") {
		return true
	}
	for line := range strings.Lines(string(src[:min(len(src), maxLine)])) {
		keyword, _, more := strings.Cut(strings.TrimSpace(line), " ")
		if keyword == "" || keyword[0] == '#' {
			continue
		}
		_, known := statements[keyword]
		return more && (known || keyword == "title" || keyword == "scene")
	}
	return false
}

var divideHint = engine.T("partagez-le en plusieurs scripts", "divide it into several scripts")

// Parse parses a script. name is the file name, for messages. An error has the type Errors.
func Parse(name string, src []byte) (*Script, error) {
	p := &parser{script: &Script{Name: name}, marks: map[string]bool{}}
	p.head.seed = 1
	if len(src) > MaxBytes {
		return nil, Errors{{File: name, Line: 1, What: engine.T("plus long que 4 Mio", "longer than 4 MiB"), Hint: divideHint}}
	}
	p.script.source = strings.Split(string(src), "\n")
	if len(p.script.source) > maxLines {
		return nil, Errors{{File: name, Line: maxLines, What: engine.T("plus de 80 000 lignes", "more than 80,000 lines"),
			Hint: divideHint}}
	}
	for i, line := range p.script.source {
		p.line = i + 1
		if err := p.parseLine(line); err != nil {
			p.addError(err)
		}
	}
	p.finishScript()
	if len(p.errs) > 0 {
		return nil, ownfile.SortAndLimitFaults(p.errs)
	}
	return p.script, nil
}

func (p *parser) addError(err *Error) {
	err.File, err.Line = p.script.Name, p.line
	p.errs = append(p.errs, err)
}

// finishScript closes the last scene and checks what only the whole text shows.
func (p *parser) finishScript() {
	p.line = 1
	if !p.hasGameLine {
		p.addError(newError(0, engine.T("il manque la ligne game", "no game line"),
			engine.T("commencez par exemple par : game huis-clos", "begin with, for instance: game huis-clos")))
	}
	if len(p.errs) > 0 {
		return // a line that is not understood may be the step that a scene lacks
	}
	if len(p.script.scenes) == 0 {
		p.currentOrNewScene() // given lines do not open a scene
	}
	p.closeScene()
	for _, sc := range p.script.scenes {
		if len(sc.steps) == 0 && len(sc.start) == 0 {
			p.line = max(sc.line, 1)
			p.addError(newError(0,
				engine.T("rien n’est joué et rien n’est attendu", "nothing is played and nothing is expected"),
				engine.T("ajoutez un pas comme : Anne does move place=place-salon",
					"add a step such as: Anne does move place=place-salon")))
		}
	}
}

// closeScene ends the scene being read.
func (p *parser) closeScene() {
	if p.current != nil {
		p.script.scenes = append(p.script.scenes, *p.current)
	}
	p.current, p.lastStep = nil, nil
	clear(p.marks)
}

// currentOrNewScene returns the scene being read. It opens one if there is none.
func (p *parser) currentOrNewScene() *scene {
	if p.current == nil {
		sc := p.head
		sc.given = slices.Clone(p.head.given)
		p.current = &sc
	}
	return p.current
}

// parseLine parses one line and adds to the script what it says. An empty line adds nothing.
func (p *parser) parseLine(line string) *Error {
	if len(line) > maxLine {
		return newError(0, engine.T("plus long que 4 096 octets", "longer than 4,096 bytes"),
			engine.T("une ligne est un pas ou une attente", "a line is one step or one expectation"))
	}
	keyword, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch keyword { // free text follows these words
	case "title":
		p.script.Title = strings.TrimSpace(rest)
		return nil
	case "scene":
		return p.openScene(strings.TrimSpace(rest))
	}
	words, err := splitWords(line)
	if err != nil || len(words) == 0 {
		return err
	}
	p.hasGameLine = p.hasGameLine || ownfile.FindNearest(words[0].text, []string{"game"}) != ""
	if st, ok := statements[words[0].text]; ok && words[0].isBare(words[0].text) {
		if n := len(words) - 1; n < st.min || n > st.max {
			return newError(words[0].col,
				engine.Tf("%s a trop ou trop peu de mots", "%s has too few or too many words", words[0].text),
				engine.Tf("écrivez par exemple : %s", "write it like: %s", st.example))
		}
		return st.parse(p, words)
	}
	return p.parseLineWithSubject(words)
}

// statement is a kind of line with a fixed first word.
type statement struct {
	parse    func(*parser, []word) *Error
	min, max int // words after the first
	example  string
}

// manyWords is more words than a line can hold.
const manyWords = maxLine

var statements = map[string]statement{
	"covers":    {(*parser).parseCovers, 1, manyWords, "covers HC-130 HC-131"},
	"game":      {(*parser).parseGame, 1, 1, "game huis-clos"},
	"players":   {(*parser).parsePlayers, 1, engine.MaxSeats, "players Anne Bruno Chloé David"},
	"seed":      {(*parser).parseSeed, 1, 1, "seed 7"},
	"salt":      {(*parser).parseSalt, 1, 1, "salt GPWNX7h_9GOB2vnG1Ym8Tg"},
	"joint":     {(*parser).parseJoint, 1, 1, "joint GPWNX7h_9GOB2vnG1Ym8Tg,seat-1:GPWNX7h_9GOB2vnG1Ym8Tg"},
	"given":     {(*parser).parseGiven, 1, manyWords, "given hand Anne weapon-corde"},
	"wait":      {(*parser).parseWait, 1, 1, "wait 90s"},
	"at":        {(*parser).parseAt, 1, 1, "at 95.5s"},
	"deadline":  {(*parser).parseDeadline, 1, 1, "deadline window-3"},
	"mark":      {(*parser).parseMark, 1, 1, "mark before-the-choice"},
	"back":      {(*parser).parseReturnToMark, 1, 1, "back before-the-choice"},
	"accepted":  {(*parser).parseAccepted, 0, 0, "accepted"},
	"refused":   {(*parser).parseRefused, 2, 2, "refused forbidden HC-050"},
	"told":      {(*parser).parseTold, 2, manyWords, "told Anne hc.why.other-place"},
	"deadlines": {(*parser).parseDeadlines, 1, manyWords, "deadlines nothing"},
}
