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

// resolveNames replaces players' names by seats, also inside lists.
func (p *parser) resolve(words []word) []word {
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

// parseSentence parses a line whose verb is not its first word.
func (p *parser) sentence(words []word) *Error {
	for i, w := range words[1:] {
		switch {
		case w.is("does") && i == 0:
			return p.does(words)
		case w.is("reads") && i == 0:
			return p.reads(words)
		case w.is("sees"), w.is("see"), w.is("never"):
			return p.sees(words)
		}
	}
	first := words[0]
	return bad(first.col, engine.Tf("pas compris : %s", "not understood: %s", first.source()), sentenceHint(first, words))
}

func sentenceHint(first word, words []word) engine.Text {
	names := slices.Sorted(maps.Keys(statements))
	if like := ownfile.Nearest(first.text, append(names, "title", "scene")); like != "" && like != first.text {
		return mean(like)
	}
	if len(words) > 1 {
		if like := ownfile.Nearest(words[1].text, []string{"does", "reads", "sees", "never"}); like != "" {
			return mean(first.text + " " + like)
		}
	}
	return engine.T("une ligne est une instruction, ou : NOM does ACTE, LECTEUR reads CARTE, PUBLIC sees CHOSE",
		"a line is a statement, or: NAME does ACT, READER reads CARD, AUDIENCE sees THING")
}

func mean(like string) engine.Text {
	return engine.Tf("vouliez-vous écrire %s ?", "did you mean %s?", like)
}

// parseDoes parses the act of a seat, the host or the public.
func (p *parser) does(words []word) *Error {
	who := p.resolve(words[:1])[0]
	by, err := engine.ParseViewer(who.text)
	if err != nil || who.key != "" || who.quoted {
		return p.nobody(words[0])
	}
	if len(words) < 3 || words[2].key != "" || words[2].quoted || !isKey(words[2].text) {
		return bad(words[1].col, engine.T("aucun acte après does", "no act after does"),
			engine.T("écrivez par exemple : Anne does move place=place-salon", "write it like: Anne does move place=place-salon"))
	}
	command := engine.Command{By: by, Act: words[2].text}
	for _, w := range p.resolve(words[3:]) {
		if w.key == "" {
			return bad(w.col, engine.Tf("la valeur %s n’a pas de nom", "the value %s has no name", w.source()),
				engine.T("écrivez les arguments comme : place=place-salon", "write arguments like: place=place-salon"))
		}
		if _, twice := command.Args[w.key]; twice {
			return bad(w.col, engine.Tf("l’argument %s est donné deux fois", "the argument %s is given twice", w.key),
				engine.T("joignez les membres d’une liste par des virgules", "join the members of a list by commas"))
		}
		if command.Args == nil {
			command.Args = engine.Args{}
		}
		command.Args[w.key] = w.text
	}
	p.add(step{command: command})
	return nil
}

// unknownViewer explains a name that is no viewer.
func (p *parser) nobody(w word) *Error {
	hint := engine.T("écrivez public, host, un nom de la ligne players, ou seat-1 à seat-10",
		"use public, host, a name of the players line, or seat-1 to seat-10")
	if like := ownfile.Nearest(w.text, append(slices.Clone(p.script.Players), "public", "host", "seats", "all")); like != "" {
		hint = mean(like)
	}
	return bad(w.col, engine.Tf("%s n’est personne à cette table", "%s is nobody at this table", w.source()), hint)
}

// parseReads parses a presentation at a reader.
func (p *parser) reads(words []word) *Error {
	reader := words[0]
	if !isKey(reader.text) || reader.key != "" || reader.quoted {
		return bad(reader.col, engine.Tf("%s n’est pas un lecteur", "%s is no reader", reader.source()),
			engine.T("écrivez par exemple : urn reads clue-worms-1", "write it like: urn reads clue-worms-1"))
	}
	var cards []engine.ID
	var known []word
	foreign, unreadable, doubled := 0, false, false
	for _, w := range words[2:] {
		switch {
		case w.is("unreadable"):
			unreadable = true
		case w.is("doubled"):
			doubled = true
		case w.is("foreign"):
			foreign++
		case w.key == "foreign":
			n, err := strconv.Atoi(w.text)
			if err != nil || n < 1 || n > 9 {
				return bad(w.col,
					engine.Tf("foreign=%s n’est pas un nombre de puces", "foreign=%s is no number of tags", w.text),
					engine.T("de foreign=1 à foreign=9", "use foreign=1 to foreign=9"))
			}
			foreign += n
		case w.key != "":
			return bad(w.col, engine.Tf("un lecteur ne connaît pas %s", "a reader knows no %s", w.key),
				engine.T("écrivez les cartes par leurs identifiants, foreign, ou unreadable",
					"write cards by their ids, foreign, or unreadable"))
		default:
			cards = append(cards, engine.ID(w.text))
			known = append(known, w)
		}
	}
	if unreadable == (len(cards)+foreign > 0) {
		return bad(words[1].col,
			engine.T("reads demande des cartes, foreign, ou unreadable seul",
				"reads needs cards, foreign, or unreadable alone"),
			engine.T("écrivez par exemple : urn reads clue-worms-1", "write it like: urn reads clue-worms-1"))
	}
	if doubled && len(cards) == 0 {
		return bad(words[1].col, engine.T("doubled sans carte", "doubled without a card"),
			engine.T("écrivez par exemple : urn reads clue-worms-1 doubled", "write it like: urn reads clue-worms-1 doubled"))
	}
	c := engine.Scan(0, reader.text, cards, foreign)
	if doubled {
		c.Args[engine.ArgDoubled] = "1"
	}
	p.add(step{command: c, cards: known})
	return nil
}

// parseAudience parses the audience of an expectation at the front of words. It returns the number of words
// that it has used.
func (p *parser) audience(words []word) (audience, int, *Error) {
	var a audience
	if len(words) == 0 {
		return a, 0, bad(0, engine.T("personne n’est nommé", "nobody is named"),
			engine.T("commencez par public, host, seats, all, ou des joueurs", "begin with public, host, seats, all, or players"))
	}
	first, n := words[0], 1
	a.from, a.to = first.from, first.to
	switch {
	case first.is("all"):
		a.public, a.host, a.seats = true, true, true
	case first.is("seats"):
		a.seats = true
	default:
		err := p.members(&a, first)
		a.text = first.text
		return a, 1, err
	}
	a.text = first.text
	if len(words) > 1 && words[1].is("but") {
		if len(words) < 3 {
			return a, 2, bad(words[1].col, engine.T("but, mais personne ensuite", "but nobody"),
				engine.T("écrivez par exemple : all but Anne,Bruno", "write it like: all but Anne,Bruno"))
		}
		var out audience
		if err := p.members(&out, words[2]); err != nil {
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
func (p *parser) members(a *audience, list word) *Error {
	for _, name := range strings.Split(p.resolve([]word{list})[0].text, ",") {
		v, err := engine.ParseViewer(name)
		if err != nil || list.key != "" || list.quoted {
			return p.nobody(word{text: name, col: list.col})
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
func (p *parser) expect(e expectation) {
	e.line = p.line
	sc := p.scene()
	if n := len(sc.steps); n > 0 {
		sc.steps[n-1].expect = append(sc.steps[n-1].expect, e)
		return
	}
	sc.start = append(sc.start, e)
}

func (p *parser) told(words []word) *Error {
	if p.last == nil || p.last.outcome.line == 0 || p.last.outcome.accepted {
		return bad(words[0].col, engine.T("told se place sous une ligne refused", "told belongs below a refused line"),
			engine.T("ce que dit un pas accepté est dans les vues : Anne sees log ...",
				"what an accepted step tells stands in the views: Anne sees log ..."))
	}
	who, n, err := p.audience(words[1:])
	if err != nil {
		return err
	}
	rest := words[1+n:]
	if err := toldThing.check(rest); err != nil {
		err.Column = max(err.Column, words[0].col)
		return err
	}
	p.expect(expectation{who: who, verb: verbTold, words: p.resolve(rest), from: rest[0].from})
	return nil
}

func (p *parser) deadlines(words []word) *Error {
	if err := deadlinesThing.check(words[1:]); err != nil {
		return err
	}
	from := words[1].from
	p.expect(expectation{who: audience{from: from, to: from}, verb: verbDeadlines, words: words[1:], from: from})
	return nil
}

// parseSees parses an expectation about views.
func (p *parser) sees(words []word) *Error {
	who, n, err := p.audience(words)
	if err != nil {
		return err
	}
	if n >= len(words) || !words[n].is("sees") && !words[n].is("see") && !words[n].is("never") {
		return bad(words[min(n, len(words)-1)].col,
			engine.Tf("il manque sees après %s", "sees is missing after %s", who.text),
			engine.T("joignez plusieurs joueurs par des virgules sans espaces : Anne,Bruno see ...",
				"join several players by commas without blanks: Anne,Bruno see ..."))
	}
	e := expectation{who: who}
	rest := words[n+1:]
	if words[n].is("never") {
		return p.never(e, words[n], rest)
	}
	if len(rest) > 0 {
		e.from = rest[0].from
	}
	if len(rest) > 0 && rest[0].is("no") {
		e.no, rest = true, rest[1:]
	}
	if len(rest) == 0 {
		return bad(words[n].col, engine.T("rien à voir", "nothing to see"),
			engine.Tf("nommez une chose : %s", "name a thing: %s", thingNames()))
	}
	e.thing, e.words = rest[0].text, rest[1:]
	t, ok := things[e.thing]
	if !ok || !rest[0].is(e.thing) {
		hint := engine.Tf("les choses sont %s", "things are %s", thingNames())
		if like := ownfile.Nearest(e.thing, slices.Sorted(maps.Keys(things))); like != "" {
			hint = engine.T(mean(like).FR+" "+hint.FR, mean(like).EN+" "+hint.EN)
		}
		return bad(rest[0].col, engine.Tf("il n’y a pas de %s à voir", "there is no %s to see", rest[0].source()), hint)
	}
	if err := p.allowed(t, e, rest[0]); err != nil {
		return err
	}
	e.words = p.resolve(e.words)
	p.expect(e)
	return nil
}

// parseNever parses the words after never, which is the word at.
func (p *parser) never(e expectation, at word, rest []word) *Error {
	if len(rest) == 0 || !rest[0].is("sees") && !rest[0].is("see") {
		return bad(at.col, engine.T("never sans sees", "never without sees"),
			engine.T("écrivez par exemple : public never sees weapon-5", "write it like: public never sees weapon-5"))
	}
	e.verb, e.thing, e.words = verbNever, "nowhere", rest[1:]
	if err := neverThing.check(e.words); err != nil {
		err.Column = max(err.Column, at.col)
		return err
	}
	p.expect(e)
	return nil
}

// checkThing checks the words after a thing, which is the word at.
func (p *parser) allowed(t thing, e expectation, at word) *Error {
	switch {
	case e.no && !t.no:
		return bad(at.col, engine.Tf("no ne peut pas se trouver devant %s", "no cannot stand before %s", e.thing),
			engine.Tf("il le peut devant change, facts, listed, log, marked et offer ; sinon écrivez : %s",
				"it can before change, facts, listed, log, marked and offer; otherwise write: %s", t.example()))
	case t.form == formChange && !e.no:
		return bad(at.col, engine.T("change demande no devant lui", "change needs no before it"),
			engine.Tf("écrivez : %s", "write: %s", t.example()))
	case t.form == formChange && p.last == nil:
		return bad(at.col,
			engine.T("il n’y a pas encore de pas qui puisse changer quelque chose",
				"there is no step yet that could change anything"),
			engine.T("écrivez-le sous un pas", "write it below a step"))
	}
	err := t.check(e.words)
	if err != nil {
		err.Column = max(err.Column, at.col)
	}
	return err
}
