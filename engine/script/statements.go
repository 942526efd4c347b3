package script

import (
	"math"
	"regexp"
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
		return newError(0, engine.T("une scène sans titre", "a scene without a title"),
			engine.T("écrivez par exemple : scene Un seul lieu est ouvert", "write it like: scene Only one place is open"))
	}
	if p.current != nil && !p.hasScenes {
		return newError(0,
			engine.T("des pas ou des attentes avant la première scène",
				"steps or expectations before the first scene"),
			engine.T("commencez aussi la première partie par une ligne scene ; seules des lignes given peuvent être communes",
				"begin the first game with a scene line too; only given lines may be shared"))
	}
	p.closeScene()
	p.hasScenes = true
	sc := p.currentOrNewScene()
	sc.title, sc.line = title, p.line
	return nil
}

// requireHead refuses a line of the head once a game has begun.
func (p *parser) requireHead(w word) *Error {
	if p.current != nil || len(p.head.given) > 0 {
		return newError(w.col, engine.Tf("%s après le début de la partie", "%s after the game has begun", w.text),
			engine.T("mettez-la en tête du script", "move it to the head of the script"))
	}
	return nil
}

func (p *parser) parseCovers(words []word) *Error {
	for _, w := range words[1:] {
		if !isRuleID(w.text) || w.quoted || w.key != "" {
			return newError(w.col, engine.Tf("%q n’est pas un numéro de règle", "%q is no rule id", w.text),
				engine.T("un numéro de règle ressemble à HC-050 ou GEN-E01", "rule ids look like HC-050 or GEN-E01"))
		}
		if !slices.Contains(p.script.Covers, w.text) {
			p.script.Covers = append(p.script.Covers, w.text)
		}
	}
	return nil
}

// ruleID matches a rule id, such as HC-050, GEN-E01, SC-S30 or C8-012b.
var ruleID = regexp.MustCompile(`^[A-Z0-9]{2,3}-[EAS]?[0-9]{2,3}[a-z]?$`)

func isRuleID(text string) bool { return ruleID.MatchString(text) }

func (p *parser) parseGame(words []word) *Error {
	if err := p.requireHead(words[0]); err != nil {
		return err
	}
	if p.script.Game != "" {
		return newError(words[0].col, engine.T("une seconde ligne game", "a second game line"),
			engine.T("un script joue une partie", "one script plays one game"))
	}
	p.script.Game = engine.ID(words[1].text)
	return nil
}

func (p *parser) parsePlayers(words []word) *Error {
	if err := p.requireHead(words[0]); err != nil {
		return err
	}
	if p.script.Players != nil {
		return newError(words[0].col, engine.T("une seconde ligne players", "a second players line"),
			engine.T("nommez tous les joueurs sur une ligne", "name all players in one line"))
	}
	for i, w := range words[1:] {
		if seat := engine.Seat(i + 1); w.text != seat.String() && (!isPlayerName(w.text) || w.quoted || w.key != "") {
			return newError(w.col,
				engine.Tf("%q ne peut pas être un nom de joueur ici", "%q cannot be used as a player's name here", w.text),
				engine.Tf("prenez un mot de lettres et de chiffres qui n’est pas du langage, ou %s",
					"use one word of letters and digits that is no word of the language, or %s", seat))
		}
		if slices.Contains(p.script.Players, w.text) {
			return newError(w.col, engine.Tf("deux joueurs nommés %s", "two players named %s", w.text),
				engine.T("les noms doivent différer", "names must differ"))
		}
		p.script.Players = append(p.script.Players, w.text)
	}
	return nil
}

// reservedWords have another meaning where the name of a player can be written.
var reservedWords = []string{"public", "host", "seats", "all", "but", "nobody", nothing, "yes", "no", "with", "without",
	"does", "reads", "sees", "see", "never", "foreign", "unreadable", "doubled", engine.ReaderUrn, engine.ReaderShow,
	"title", "scene", "covers", "game", "players", "seed", "salt", "joint", "given", "wait", "at", "deadline", "mark", "back",
	"accepted", "refused", "told", "deadlines"}

// isPlayerName reports whether text can be the name of a player.
func isPlayerName(text string) bool {
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-' && c != '\'' && c != '.' {
			return false
		}
	}
	return text != "" && len(text) <= 40 && !strings.HasPrefix(text, "seat-") && !slices.Contains(reservedWords, text)
}

func (p *parser) parseSeed(words []word) *Error {
	n, err := strconv.ParseUint(words[1].text, 10, 64)
	if err != nil {
		return newError(words[1].col, engine.Tf("%q n’est pas une graine", "%q is no seed", words[1].text),
			engine.T("une graine est un nombre entier de 0 à 18446744073709551615",
				"a seed is a whole number from 0 to 18446744073709551615"))
	}
	switch {
	case p.current == nil:
		p.head.seed = n
	case len(p.current.steps) == 0 && len(p.current.start) == 0:
		p.current.seed = n
	default:
		p.addStep(step{kind: stepSeed, seed: n})
		p.lastStep = nil
	}
	return nil
}

func (p *parser) parseSalt(words []word) *Error {
	p.addStep(step{kind: stepSalt, salt: words[1].text})
	p.lastStep = nil
	return nil
}

func (p *parser) parseJoint(words []word) *Error {
	p.addStep(step{kind: stepJoint, salt: words[1].text})
	p.lastStep = nil
	return nil
}

func (p *parser) parseGiven(words []word) *Error {
	sc := &p.head
	if p.current != nil {
		sc = p.current
		if len(sc.steps) > 0 || len(sc.start) > 0 {
			return newError(words[0].col,
				engine.T("une ligne given après le premier pas", "a given line after the first step"),
				engine.T("une position est complète avant le premier pas ; une nouvelle ligne scene en commence une autre",
					"a position is complete before anything is played; a new scene line begins another"))
		}
	}
	line := engine.PositionLine{Line: p.line, Verb: words[1].text}
	for _, w := range p.replaceNamesBySeats(words[2:]) {
		if w.key != "" {
			w.text = w.key + "=" + w.text
		}
		line.Words = append(line.Words, w.text)
	}
	sc.given = append(sc.given, line)
	return nil
}

// addStep appends a step. The expectations that follow belong to it.
func (p *parser) addStep(s step) {
	s.line = p.line
	sc := p.currentOrNewScene()
	sc.steps = append(sc.steps, s)
	p.lastStep = &sc.steps[len(sc.steps)-1]
}

func (p *parser) parseWait(words []word) *Error {
	span, err := parseDuration(words[1])
	if err == nil {
		p.addStep(step{kind: stepWait, millis: span})
	}
	return err
}

func (p *parser) parseAt(words []word) *Error {
	moment, err := parseDuration(words[1])
	if err == nil {
		p.addStep(step{kind: stepClock, millis: moment})
	}
	return err
}

// timeUnits are the units of time, in milliseconds.
var timeUnits = []struct {
	name   string
	millis float64
}{{"ms", 1}, {"s", 1000}, {"m", 60_000}, {"h", 3_600_000}}

// parseDuration parses a length of time such as 90s, of at most maxTime.
func parseDuration(w word) (engine.Millis, *Error) {
	for _, u := range timeUnits {
		number, ok := strings.CutSuffix(w.text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if err == nil && n >= 0 && n*u.millis <= maxTime {
			return engine.Millis(math.Round(n * u.millis)), nil
		}
	}
	return 0, newError(w.col, engine.Tf("%q n’est pas une durée", "%q is no time", w.text),
		engine.T("écrivez par exemple 500ms, 90s, 2.5m ou 1h ; une semaine au plus",
			"write it like 500ms, 90s, 2.5m or 1h; at most a week"))
}

func (p *parser) parseDeadline(words []word) *Error {
	p.addStep(step{command: engine.Command{Act: engine.ActDeadline, Args: engine.Args{"id": words[1].text}}})
	return nil
}

func (p *parser) parseMark(words []word) *Error {
	p.currentOrNewScene()
	p.marks[words[1].text] = true
	p.addStep(step{kind: stepMark, mark: words[1].text})
	p.lastStep = nil
	return nil
}

func (p *parser) parseReturnToMark(words []word) *Error {
	if name := words[1]; !p.marks[name.text] {
		return newError(name.col, engine.Tf("aucune marque %q dans cette scène", "no mark %q in this scene", name.text),
			engine.Tf("posez-la avant par : mark %s", "set it before with: mark %s", name.text))
	}
	p.addStep(step{kind: stepBack, mark: words[1].text})
	p.lastStep = nil
	return nil
}

func (p *parser) parseAccepted(words []word) *Error {
	return p.setOutcome(words[0], outcome{line: p.line, accepted: true})
}

func (p *parser) parseRefused(words []word) *Error {
	code := engine.Code(words[1].text)
	if !slices.Contains(refusalCodes, code) {
		return newError(words[1].col, engine.Tf("%q n’est pas un code", "%q is no code", words[1].text),
			engine.T("les codes sont not-now, not-you, unknown, forbidden, bad-read, unexpected",
				"codes are not-now, not-you, unknown, forbidden, bad-read, unexpected"))
	}
	if !isRuleID(words[2].text) {
		return newError(words[2].col, engine.Tf("%q n’est pas un numéro de règle", "%q is no rule id", words[2].text),
			engine.T("écrivez par exemple : refused forbidden HC-050", "write it like: refused forbidden HC-050"))
	}
	if p.lastStep != nil && p.lastStep.kind == stepWait {
		return newError(words[0].col,
			engine.T("on ne peut rien refuser au temps qui passe", "nothing can be refused to passing time"),
			engine.T("pour essayer une échéance, écrivez : deadline ID", "to try one deadline write: deadline ID"))
	}
	return p.setOutcome(words[0], outcome{line: p.line, code: code, rule: words[2].text})
}

// refusalCodes is the closed list of engine.Code.
var refusalCodes = []engine.Code{engine.NotNow, engine.NotYou, engine.Unknown, engine.Forbidden, engine.BadRead, engine.Unwanted}

func (p *parser) setOutcome(w word, o outcome) *Error {
	switch {
	case p.lastStep == nil || p.lastStep.kind == stepClock:
		return newError(w.col, engine.Tf("%s se place sous un pas", "%s belongs below a step", w.text),
			engine.T("écrivez d’abord le pas, comme : Anne does move place=place-salon",
				"write the step first, such as: Anne does move place=place-salon"))
	case p.lastStep.outcome.line != 0:
		return newError(w.col, engine.T("une seconde issue pour un pas", "a second outcome for one step"),
			engine.T("un pas est accepté ou refusé une fois", "a step is accepted or refused once"))
	}
	p.lastStep.outcome = o
	return nil
}
