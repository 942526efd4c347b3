package script

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"majordome/engine"
)

// maxTime is the longest game time that can be written, in milliseconds: a week.
const maxTime = 7 * 24 * 3_600_000

func (p *parser) openScene(title string) *Error {
	if title == "" {
		return &Error{Problem: "a scene without a title", Hint: "write it like: scene Only one place is open"}
	}
	if p.now != nil && !p.scenes {
		return &Error{Problem: "steps or expectations before the first scene", Hint: "begin the first game with a scene line too; only given lines may be shared"}
	}
	p.close()
	p.scenes = true
	sc := p.scene()
	sc.title, sc.line = title, p.line
	return nil
}

// inHead refuses a line of the head once a game has begun.
func (p *parser) inHead(w word) *Error {
	if p.now != nil || len(p.head.given) > 0 {
		return &Error{Col: w.col, Problem: w.text + " after the game has begun", Hint: "move it to the head of the script"}
	}
	return nil
}

func (p *parser) covers(words []word) *Error {
	for _, w := range words[1:] {
		if !isRule(w.text) || w.quoted || w.key != "" {
			return &Error{Col: w.col, Problem: strconv.Quote(w.text) + " is no rule id", Hint: "rule ids look like HC-050 or GEN-E01"}
		}
		if !slices.Contains(p.script.Covers, w.text) {
			p.script.Covers = append(p.script.Covers, w.text)
		}
	}
	return nil
}

// isRule reports that text is a rule id: two or three capitals or digits, a
// hyphen, at most one capital, two or three digits and at most one small letter.
func isRule(text string) bool {
	game, number, ok := strings.Cut(text, "-")
	if !ok || len(game) < 2 || len(game) > 3 || strings.Trim(game, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return false
	}
	number = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(number, "E"), "A"), "S")
	if n := len(number); n > 0 && number[n-1] >= 'a' && number[n-1] <= 'z' {
		number = number[:n-1]
	}
	return (len(number) == 2 || len(number) == 3) && strings.Trim(number, "0123456789") == ""
}

func (p *parser) game(words []word) *Error {
	if err := p.inHead(words[0]); err != nil {
		return err
	}
	if p.script.Game != "" {
		return &Error{Col: words[0].col, Problem: "a second game line", Hint: "one script plays one game"}
	}
	p.script.Game = engine.ID(words[1].text)
	return nil
}

func (p *parser) players(words []word) *Error {
	if err := p.inHead(words[0]); err != nil {
		return err
	}
	if p.script.Players != nil {
		return &Error{Col: words[0].col, Problem: "a second players line", Hint: "name all players in one line"}
	}
	for i, w := range words[1:] {
		if seat := engine.Seat(i + 1); w.text != seat.String() && (!isName(w.text) || w.quoted || w.key != "") {
			return &Error{Col: w.col, Problem: strconv.Quote(w.text) + " cannot be used as a player's name here",
				Hint: "use one word of letters and digits that is no word of the language, or " + seat.String()}
		}
		if slices.Contains(p.script.Players, w.text) {
			return &Error{Col: w.col, Problem: "two players named " + w.text, Hint: "names must differ"}
		}
		p.script.Players = append(p.script.Players, w.text)
	}
	return nil
}

// reserved are words that mean something else where a player's name may stand.
var reserved = []string{"public", "host", "seats", "all", "but", "nobody", nothing, "yes", "no", "with", "without",
	"does", "reads", "sees", "see", "never", "foreign", "unreadable", "doubled", engine.ReaderUrn, engine.ReaderShow,
	"title", "scene", "covers", "game", "players", "seed", "given", "wait", "at", "deadline", "mark", "back",
	"accepted", "refused", "told", "deadlines"}

// isName reports that text can stand for a seat.
func isName(text string) bool {
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-' && c != '\'' && c != '.' {
			return false
		}
	}
	return text != "" && len(text) <= 40 && !strings.HasPrefix(text, "seat-") && !slices.Contains(reserved, text)
}

func (p *parser) seed(words []word) *Error {
	n, err := strconv.ParseUint(words[1].text, 10, 64)
	if err != nil {
		return &Error{Col: words[1].col, Problem: strconv.Quote(words[1].text) + " is no seed", Hint: "a seed is a whole number from 0 to 18446744073709551615"}
	}
	switch {
	case p.now == nil:
		p.head.seed = n
	case len(p.now.steps) == 0 && len(p.now.start) == 0:
		p.now.seed = n
	default:
		p.add(step{kind: stepSeed, seed: n})
		p.last = nil
	}
	return nil
}

func (p *parser) given(words []word) *Error {
	sc := &p.head
	if p.now != nil {
		sc = p.now
		if len(sc.steps) > 0 || len(sc.start) > 0 {
			return &Error{Col: words[0].col, Problem: "a given line after the first step", Hint: "a position is complete before anything is played; a new scene line begins another"}
		}
	}
	line := engine.PoseLine{Line: p.line, Verb: words[1].text}
	for _, w := range p.resolve(words[2:]) {
		if w.key != "" {
			w.text = w.key + "=" + w.text
		}
		line.Words = append(line.Words, w.text)
	}
	sc.given = append(sc.given, line)
	return nil
}

// add appends a step; expectations that follow belong to it.
func (p *parser) add(s step) {
	s.line = p.line
	sc := p.scene()
	sc.steps = append(sc.steps, s)
	p.last = &sc.steps[len(sc.steps)-1]
}

func (p *parser) wait(words []word) *Error {
	span, err := span(words[1])
	if err == nil {
		p.add(step{kind: stepWait, millis: span})
	}
	return err
}

func (p *parser) at(words []word) *Error {
	moment, err := span(words[1])
	if err == nil {
		p.add(step{kind: stepClock, millis: moment})
	}
	return err
}

// units of time, in milliseconds.
var units = []struct {
	name   string
	millis float64
}{{"ms", 1}, {"s", 1000}, {"m", 60_000}, {"h", 3_600_000}}

// span reads a length of time such as 90s.
func span(w word) (engine.Millis, *Error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(w.text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if err == nil && n >= 0 && n*u.millis <= maxTime {
			return engine.Millis(math.Round(n * u.millis)), nil
		}
	}
	return 0, &Error{Col: w.col, Problem: strconv.Quote(w.text) + " is no time", Hint: "write it like 500ms, 90s, 2.5m or 1h; at most a week"}
}

func (p *parser) deadline(words []word) *Error {
	p.add(step{command: engine.Command{Act: engine.ActDeadline, Args: engine.Args{"id": words[1].text}}})
	return nil
}

func (p *parser) mark(words []word) *Error {
	p.scene()
	p.marks[words[1].text] = true
	p.add(step{kind: stepMark, mark: words[1].text})
	p.last = nil
	return nil
}

func (p *parser) back(words []word) *Error {
	if name := words[1]; !p.marks[name.text] {
		return &Error{Col: name.col, Problem: "no mark " + strconv.Quote(name.text) + " in this scene", Hint: "set it before with: mark " + name.text}
	}
	p.add(step{kind: stepBack, mark: words[1].text})
	p.last = nil
	return nil
}

func (p *parser) accepted(words []word) *Error {
	return p.setOutcome(words[0], outcome{line: p.line, accepted: true})
}

func (p *parser) refused(words []word) *Error {
	code := engine.Code(words[1].text)
	if !slices.Contains(codes, code) {
		return &Error{Col: words[1].col, Problem: strconv.Quote(words[1].text) + " is no code", Hint: "codes are not-now, not-you, unknown, forbidden, bad-read, unexpected"}
	}
	if !isRule(words[2].text) {
		return &Error{Col: words[2].col, Problem: strconv.Quote(words[2].text) + " is no rule id", Hint: "write it like: refused forbidden HC-050"}
	}
	if p.last != nil && p.last.kind == stepWait {
		return &Error{Col: words[0].col, Problem: "nothing can be refused to passing time", Hint: "to try one deadline write: deadline ID"}
	}
	return p.setOutcome(words[0], outcome{line: p.line, code: code, rule: words[2].text})
}

// codes is the closed list of engine.Code.
var codes = []engine.Code{engine.NotNow, engine.NotYou, engine.Unknown, engine.Forbidden, engine.BadRead, engine.Unwanted}

func (p *parser) setOutcome(w word, o outcome) *Error {
	switch {
	case p.last == nil || p.last.kind == stepClock:
		return &Error{Col: w.col, Problem: w.text + " belongs below a step", Hint: "write the step first, such as: Anne does move place=place-salon"}
	case p.last.outcome.line != 0:
		return &Error{Col: w.col, Problem: "a second outcome for one step", Hint: "a step is accepted or refused once"}
	}
	p.last.outcome = o
	return nil
}
