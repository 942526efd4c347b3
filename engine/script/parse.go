package script

import (
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// parser parses the lines of one script.
type parser struct {
	script *Script
	line   int
	errs   []*Error
	head   scene // given lines and seed before the first scene
	now    *scene
	last   *step // the step that expectations belong to; nil in a position
	marks  map[string]bool
	scenes bool // a scene line was seen
	named  bool // a line was meant as the game line, even if misspelt
}

// IsScript reports whether a file is meant as a script, by the end of its name or by its first words.
func Looks(name string, src []byte) bool {
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

var divide = engine.T("partagez-le en plusieurs scripts", "divide it into several scripts")

// Parse parses a script. name is the file name, for messages. An error has the type Errors.
func Parse(name string, src []byte) (*Script, error) {
	p := &parser{script: &Script{Name: name}, marks: map[string]bool{}}
	p.head.seed = 1
	if len(src) > MaxBytes {
		return nil, Errors{{File: name, Line: 1, What: engine.T("plus long que 1 Mio", "longer than 1 MiB"), Hint: divide}}
	}
	p.script.source = strings.Split(string(src), "\n")
	if len(p.script.source) > maxLines {
		return nil, Errors{{File: name, Line: maxLines, What: engine.T("plus de 20 000 lignes", "more than 20,000 lines"),
			Hint: divide}}
	}
	for i, line := range p.script.source {
		p.line = i + 1
		if err := p.read(line); err != nil {
			p.note(err)
		}
	}
	p.finish()
	if len(p.errs) > 0 {
		return nil, ownfile.Listed(p.errs)
	}
	return p.script, nil
}

func (p *parser) note(err *Error) {
	err.File, err.Line = p.script.Name, p.line
	p.errs = append(p.errs, err)
}

// finishScript closes the last scene and checks what only the whole text shows.
func (p *parser) finish() {
	p.line = 1
	if !p.named {
		p.note(bad(0, engine.T("il manque la ligne game", "no game line"),
			engine.T("commencez par exemple par : game huis-clos", "begin with, for instance: game huis-clos")))
	}
	if len(p.errs) > 0 {
		return // a line that is not understood may be the step that a scene lacks
	}
	if len(p.script.scenes) == 0 {
		p.scene() // given lines do not open a scene
	}
	p.close()
	for _, sc := range p.script.scenes {
		if len(sc.steps) == 0 && len(sc.start) == 0 {
			p.line = max(sc.line, 1)
			p.note(bad(0,
				engine.T("rien n’est joué et rien n’est attendu", "nothing is played and nothing is expected"),
				engine.T("ajoutez un pas comme : Anne does move place=place-salon",
					"add a step such as: Anne does move place=place-salon")))
		}
	}
}

// closeScene ends the scene being read.
func (p *parser) close() {
	if p.now != nil {
		p.script.scenes = append(p.script.scenes, *p.now)
	}
	p.now, p.last = nil, nil
	clear(p.marks)
}

// currentScene returns the scene being read. It opens one if there is none.
func (p *parser) scene() *scene {
	if p.now == nil {
		sc := p.head
		sc.given = slices.Clone(p.head.given)
		p.now = &sc
	}
	return p.now
}

// parseLine parses one line.
func (p *parser) read(line string) *Error {
	if len(line) > maxLine {
		return bad(0, engine.T("plus long que 4 096 octets", "longer than 4,096 bytes"),
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
	words, err := split(line)
	if err != nil || len(words) == 0 {
		return err
	}
	p.named = p.named || ownfile.Nearest(words[0].text, []string{"game"}) != ""
	if st, ok := statements[words[0].text]; ok && words[0].is(words[0].text) {
		if n := len(words) - 1; n < st.min || n > st.max {
			return bad(words[0].col,
				engine.Tf("%s a trop ou trop peu de mots", "%s has too few or too many words", words[0].text),
				engine.Tf("écrivez par exemple : %s", "write it like: %s", st.example))
		}
		return st.read(p, words)
	}
	return p.sentence(words)
}

// statement is a kind of line with a fixed first word.
type statement struct {
	read     func(*parser, []word) *Error
	min, max int // words after the first
	example  string
}

// manyWords is more words than a line can hold.
const many = maxLine

var statements = map[string]statement{
	"covers":    {(*parser).covers, 1, many, "covers HC-130 HC-131"},
	"game":      {(*parser).game, 1, 1, "game huis-clos"},
	"players":   {(*parser).players, 1, engine.MaxSeats, "players Anne Bruno Chloé David"},
	"seed":      {(*parser).seed, 1, 1, "seed 7"},
	"given":     {(*parser).given, 1, many, "given hand Anne weapon-corde"},
	"wait":      {(*parser).wait, 1, 1, "wait 90s"},
	"at":        {(*parser).at, 1, 1, "at 95.5s"},
	"deadline":  {(*parser).deadline, 1, 1, "deadline window-3"},
	"mark":      {(*parser).mark, 1, 1, "mark before-the-choice"},
	"back":      {(*parser).back, 1, 1, "back before-the-choice"},
	"accepted":  {(*parser).accepted, 0, 0, "accepted"},
	"refused":   {(*parser).refused, 2, 2, "refused forbidden HC-050"},
	"told":      {(*parser).told, 2, many, "told Anne hc.why.other-place"},
	"deadlines": {(*parser).deadlines, 1, many, "deadlines nothing"},
}
