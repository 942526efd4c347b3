package script

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// nothing is the word for absence.
const nothing = "nothing"

// replaceNamesBySeats replaces players' names by seats, also inside lists.
func (p *parser) replaceNamesBySeats(words []word) []word {
	out := slices.Clone(words)
	for i, w := range out {
		if w.quoted || p.script.Players == nil {
			continue
		}
		members := strings.Split(w.text, ",")
		for j, m := range members {
			if n := slices.Index(p.script.Players, m); n >= 0 {
				members[j] = engine.Seat(n + 1).String()
			}
		}
		out[i].text = strings.Join(members, ",")
	}
	return out
}

// parseLineWithSubject parses a line whose verb is not its first word.
func (p *parser) parseLineWithSubject(words []word) *Error {
	for i, w := range words[1:] {
		switch {
		case w.isBare("does") && i == 0:
			return p.parseDoes(words)
		case w.isBare("reads") && i == 0:
			return p.parseReads(words)
		case w.isBare("sees"), w.isBare("see"), w.isBare("never"):
			return p.parseSees(words)
		}
	}
	first := words[0]
	return newError(first.col, engine.Tf("pas compris : %s", "not understood: %s", first.sourceText()), sentenceHint(first, words))
}

func sentenceHint(first word, words []word) engine.Text {
	names := slices.Sorted(maps.Keys(statements))
	if like := ownfile.FindNearest(first.text, append(names, "title", "scene")); like != "" && like != first.text {
		return didYouMeanHint(like)
	}
	if len(words) > 1 {
		if like := ownfile.FindNearest(words[1].text, []string{"does", "reads", "sees", "never"}); like != "" {
			return didYouMeanHint(first.text + " " + like)
		}
	}
	return engine.T("une ligne est une instruction, ou : NOM does ACTE, LECTEUR reads CARTE, PUBLIC sees CHOSE",
		"a line is a statement, or: NAME does ACT, READER reads CARD, AUDIENCE sees THING")
}

func didYouMeanHint(like string) engine.Text {
	return engine.Tf("vouliez-vous écrire %s ?", "did you mean %s?", like)
}

// parseDoes parses the act of a seat, the host or the public.
func (p *parser) parseDoes(words []word) *Error {
	who := p.replaceNamesBySeats(words[:1])[0]
	by, err := engine.ParseViewer(who.text)
	if err != nil || who.key != "" || who.quoted {
		return p.unknownViewer(words[0])
	}
	if len(words) < 3 || words[2].key != "" || words[2].quoted || !isKey(words[2].text) {
		return newError(words[1].col, engine.T("aucun acte après does", "no act after does"),
			engine.T("écrivez par exemple : Anne does move place=place-salon", "write it like: Anne does move place=place-salon"))
	}
	command := engine.Command{By: by, Act: words[2].text}
	for _, w := range p.replaceNamesBySeats(words[3:]) {
		if w.key == "" {
			return newError(w.col, engine.Tf("la valeur %s n’a pas de nom", "the value %s has no name", w.sourceText()),
				engine.T("écrivez les arguments comme : place=place-salon", "write arguments like: place=place-salon"))
		}
		if _, twice := command.Args[w.key]; twice {
			return newError(w.col, engine.Tf("l’argument %s est donné deux fois", "the argument %s is given twice", w.key),
				engine.T("joignez les membres d’une liste par des virgules", "join the members of a list by commas"))
		}
		if command.Args == nil {
			command.Args = engine.Args{}
		}
		command.Args[w.key] = w.text
	}
	p.addStep(step{command: command})
	return nil
}

// unknownViewer explains a name that is no viewer.
func (p *parser) unknownViewer(w word) *Error {
	hint := engine.T("écrivez public, host, un nom de la ligne players, ou seat-1 à seat-10",
		"use public, host, a name of the players line, or seat-1 to seat-10")
	if like := ownfile.FindNearest(w.text, append(slices.Clone(p.script.Players), "public", "host", "seats", "all")); like != "" {
		hint = didYouMeanHint(like)
	}
	return newError(w.col, engine.Tf("%s n’est personne à cette table", "%s is nobody at this table", w.sourceText()), hint)
}

// parseReads parses a presentation at a reader.
func (p *parser) parseReads(words []word) *Error {
	reader := words[0]
	if !isKey(reader.text) || reader.key != "" || reader.quoted {
		return newError(reader.col, engine.Tf("%s n’est pas un lecteur", "%s is no reader", reader.sourceText()),
			engine.T("écrivez par exemple : urn reads clue-worms-1", "write it like: urn reads clue-worms-1"))
	}
	var cards []engine.ID
	var known []word
	foreign, unreadable, doubled := 0, false, false
	for _, w := range words[2:] {
		switch {
		case w.isBare("unreadable"):
			unreadable = true
		case w.isBare("doubled"):
			doubled = true
		case w.isBare("foreign"):
			foreign++
		case w.key == "foreign":
			n, err := strconv.Atoi(w.text)
			if err != nil || n < 1 || n > 9 {
				return newError(w.col,
					engine.Tf("foreign=%s n’est pas un nombre de puces", "foreign=%s is no number of tags", w.text),
					engine.T("de foreign=1 à foreign=9", "use foreign=1 to foreign=9"))
			}
			foreign += n
		case w.key != "":
			return newError(w.col, engine.Tf("un lecteur ne connaît pas %s", "a reader knows no %s", w.key),
				engine.T("écrivez les cartes par leurs identifiants, foreign, ou unreadable",
					"write cards by their ids, foreign, or unreadable"))
		default:
			cards = append(cards, engine.ID(w.text))
			known = append(known, w)
		}
	}
	if unreadable == (len(cards)+foreign > 0) {
		return newError(words[1].col,
			engine.T("reads demande des cartes, foreign, ou unreadable seul",
				"reads needs cards, foreign, or unreadable alone"),
			engine.T("écrivez par exemple : urn reads clue-worms-1", "write it like: urn reads clue-worms-1"))
	}
	if doubled && len(cards) == 0 {
		return newError(words[1].col, engine.T("doubled sans carte", "doubled without a card"),
			engine.T("écrivez par exemple : urn reads clue-worms-1 doubled", "write it like: urn reads clue-worms-1 doubled"))
	}
	c := engine.ScanCommand(0, reader.text, cards, foreign)
	if doubled {
		c.Args[engine.ArgDoubled] = "1"
	}
	p.addStep(step{command: c, cards: known})
	return nil
}

// parseAudience parses the audience of an expectation at the front of words. It returns the number of words
// that it has used.
func (p *parser) parseAudience(words []word) (audience, int, *Error) {
	var a audience
	if len(words) == 0 {
		return a, 0, newError(0, engine.T("personne n’est nommé", "nobody is named"),
			engine.T("commencez par public, host, seats, all, ou des joueurs", "begin with public, host, seats, all, or players"))
	}
	first, n := words[0], 1
	a.from, a.to = first.from, first.to
	switch {
	case first.isBare("all"):
		a.public, a.host, a.seats = true, true, true
	case first.isBare("seats"):
		a.seats = true
	default:
		err := p.addViewers(&a, first)
		a.text = first.text
		return a, 1, err
	}
	a.text = first.text
	if len(words) > 1 && words[1].isBare("but") {
		if len(words) < 3 {
			return a, 2, newError(words[1].col, engine.T("but, mais personne ensuite", "but nobody"),
				engine.T("écrivez par exemple : all but Anne,Bruno", "write it like: all but Anne,Bruno"))
		}
		var out audience
		if err := p.addViewers(&out, words[2]); err != nil {
			return a, 3, err
		}
		a.public, a.host = a.public && !out.public, a.host && !out.host
		a.named = out.named
		a.text += " but " + words[2].text
		a.to = words[2].to
		n = 3
	}
	return a, n, nil
}

// addViewers adds the viewers of a comma list to a.
func (p *parser) addViewers(a *audience, list word) *Error {
	for _, name := range strings.Split(p.replaceNamesBySeats([]word{list})[0].text, ",") {
		v, err := engine.ParseViewer(name)
		if err != nil || list.key != "" || list.quoted {
			return p.unknownViewer(word{text: name, col: list.col})
		}
		if s, ok := v.Seat(); ok {
			a.named = append(a.named, s)
		}
		a.public = a.public || v == engine.Public
		a.host = a.host || v == engine.Host
	}
	return nil
}

// addExpectation adds an expectation to the last step, or to the position.
func (p *parser) addExpectation(e expectation) {
	e.line = p.line
	sc := p.currentOrNewScene()
	if n := len(sc.steps); n > 0 {
		sc.steps[n-1].expect = append(sc.steps[n-1].expect, e)
		return
	}
	sc.start = append(sc.start, e)
}

func (p *parser) parseTold(words []word) *Error {
	if p.lastStep == nil || p.lastStep.outcome.line == 0 || p.lastStep.outcome.accepted {
		return newError(words[0].col, engine.T("told se place sous une ligne refused", "told belongs below a refused line"),
			engine.T("ce que dit un pas accepté est dans les vues : Anne sees log ...",
				"what an accepted step tells stands in the views: Anne sees log ..."))
	}
	who, n, err := p.parseAudience(words[1:])
	if err != nil {
		return err
	}
	rest := words[1+n:]
	if err := toldThing.checkWords(rest); err != nil {
		err.Column = max(err.Column, words[0].col)
		return err
	}
	p.addExpectation(expectation{who: who, verb: verbTold, words: p.replaceNamesBySeats(rest), from: rest[0].from})
	return nil
}

func (p *parser) parseDeadlines(words []word) *Error {
	if err := deadlinesThing.checkWords(words[1:]); err != nil {
		return err
	}
	from := words[1].from
	p.addExpectation(expectation{who: audience{from: from, to: from}, verb: verbDeadlines, words: words[1:], from: from})
	return nil
}

// parseSees parses an expectation about views.
func (p *parser) parseSees(words []word) *Error {
	who, n, err := p.parseAudience(words)
	if err != nil {
		return err
	}
	if n >= len(words) || !words[n].isBare("sees") && !words[n].isBare("see") && !words[n].isBare("never") {
		return newError(words[min(n, len(words)-1)].col,
			engine.Tf("il manque sees après %s", "sees is missing after %s", who.text),
			engine.T("joignez plusieurs joueurs par des virgules sans espaces : Anne,Bruno see ...",
				"join several players by commas without blanks: Anne,Bruno see ..."))
	}
	e := expectation{who: who}
	rest := words[n+1:]
	if words[n].isBare("never") {
		return p.parseNever(e, words[n], rest)
	}
	if len(rest) > 0 {
		e.from = rest[0].from
	}
	if len(rest) > 0 && rest[0].isBare("no") {
		e.no, rest = true, rest[1:]
	}
	if len(rest) == 0 {
		return newError(words[n].col, engine.T("rien à voir", "nothing to see"),
			engine.Tf("nommez une chose : %s", "name a thing: %s", thingNames()))
	}
	e.thing, e.words = rest[0].text, rest[1:]
	t, ok := things[e.thing]
	if !ok || !rest[0].isBare(e.thing) {
		hint := engine.Tf("les choses sont %s", "things are %s", thingNames())
		if like := ownfile.FindNearest(e.thing, slices.Sorted(maps.Keys(things))); like != "" {
			hint = engine.T(didYouMeanHint(like).FR+" "+hint.FR, didYouMeanHint(like).EN+" "+hint.EN)
		}
		return newError(rest[0].col, engine.Tf("il n’y a pas de %s à voir", "there is no %s to see", rest[0].sourceText()), hint)
	}
	if err := p.checkThing(t, e, rest[0]); err != nil {
		return err
	}
	e.words = p.replaceNamesBySeats(e.words)
	p.addExpectation(e)
	return nil
}

// parseNever parses the words after never, which is the word at.
func (p *parser) parseNever(e expectation, at word, rest []word) *Error {
	if len(rest) == 0 || !rest[0].isBare("sees") && !rest[0].isBare("see") {
		return newError(at.col, engine.T("never sans sees", "never without sees"),
			engine.T("écrivez par exemple : public never sees weapon-5", "write it like: public never sees weapon-5"))
	}
	e.verb, e.thing, e.words = verbNever, "nowhere", rest[1:]
	if err := neverThing.checkWords(e.words); err != nil {
		err.Column = max(err.Column, at.col)
		return err
	}
	p.addExpectation(e)
	return nil
}

// checkThing checks the words after a thing, which is the word at.
func (p *parser) checkThing(t thing, e expectation, at word) *Error {
	switch {
	case e.no && !t.allowsNo:
		return newError(at.col, engine.Tf("no ne peut pas se trouver devant %s", "no cannot stand before %s", e.thing),
			engine.Tf("il le peut devant change, facts, listed, log, marked et offer ; sinon écrivez : %s",
				"it can before change, facts, listed, log, marked and offer; otherwise write: %s", t.exampleLine()))
	case t.form == formChange && !e.no:
		return newError(at.col, engine.T("change demande no devant lui", "change needs no before it"),
			engine.Tf("écrivez : %s", "write: %s", t.exampleLine()))
	case t.form == formChange && p.lastStep == nil:
		return newError(at.col,
			engine.T("il n’y a pas encore de pas qui puisse changer quelque chose",
				"there is no step yet that could change anything"),
			engine.T("écrivez-le sous un pas", "write it below a step"))
	}
	err := t.checkWords(e.words)
	if err != nil {
		err.Column = max(err.Column, at.col)
	}
	return err
}
