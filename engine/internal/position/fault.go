package position

import (
	"fmt"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// Fault describes in both languages what is wrong with a position, and gives the line of the
// script. It is not a plain error, so that none can be made in only one language.
type Fault = ownfile.Fault

// FaultKind is one way in which a position can be wrong: what is wrong, and what to write instead.
// {1} and {2} are replaced by the arguments of NewFault.
type FaultKind struct{ What, Hint engine.Text }

// Faults of positions in any game.
var (
	WrongWordCount = FaultKind{engine.T("given {1} a trop ou trop peu de mots", "given {1} has too few or too many words"),
		engine.T("écrivez : given {1} {2}", "write: given {1} {2}")}
	Duplicate = FaultKind{engine.T("« {1} » est déjà dans une autre ligne given", `"{1}" stands in another given line already`),
		engine.T("gardez une des deux", "keep one of the two")}
	EmptySeat = FaultKind{engine.T("personne n’est à la place « {1} »", `nobody sits at "{1}"`),
		engine.T("mettez avant sa ligne given seat", "put its given seat line before this one")}
	BadName = FaultKind{engine.T("un nom de joueur qu’on ne peut pas montrer", "a player’s name that cannot be shown"),
		engine.T("prenez-en un de 1 à {1} octets, sans blanc au bord", "take one of 1 to {1} bytes, without blanks around it")}
	OutOfRange = FaultKind{engine.T("« {1} » n’est pas un nombre de 0 à {2}", `"{1}" is not a number from 0 to {2}`),
		engine.T("écrivez-le en chiffres", "write it in digits")}
	TooFewPlayers = FaultKind{
		engine.T("lignes given seat : {1}, et il en faut {2} au moins", "given seat lines: {1}, and at least {2} are needed"),
		engine.T("ajoutez les joueurs qui manquent", "add the players who are missing"),
	}
	CannotAct = FaultKind{engine.T("{1} ne peut pas agir maintenant", "{1} cannot act now"),
		engine.T("nommez dans given active une place dont c’est le tour", "name a seat in given active whose turn it is")}
	TooManyLines = FaultKind{engine.T("plus de {1} lignes given", "more than {1} given lines"),
		engine.T("gardez celles dont la scène a besoin", "keep those that the scene needs")}
	unknownWord = FaultKind{engine.T("« {1} » n’est pas {2}", `"{1}" is not {2}`), engine.T("écrivez un de : {3}", "write one of: {3}")}
)

// What a word should have been, for NotOneOfFault.
var (
	verbNoun  = engine.T("un verbe de given", "a verb of given")
	seatNoun  = engine.T("une place", "a seat")
	ruleNoun  = engine.T("une règle de la maison", "a house rule")
	valueNoun = engine.T("une valeur de cette règle", "a value of this rule")
)

// NewFault returns a fault of this kind. It quotes its arguments, except an engine.Text, which it
// inserts unchanged.
func (k FaultKind) NewFault(args ...any) *Fault {
	var fr, en []string
	for i, a := range args {
		blank := fmt.Sprintf("{%d}", i+1)
		t, made := a.(engine.Text)
		if !made {
			t = sameText(ownfile.ClipQuote(fmt.Sprint(a)))
		}
		fr, en = append(fr, blank, t.FR), append(en, blank, t.EN)
	}
	fill := func(t engine.Text) engine.Text {
		return engine.T(strings.NewReplacer(fr...).Replace(t.FR), strings.NewReplacer(en...).Replace(t.EN))
	}
	return &Fault{What: fill(k.What), Hint: fill(k.Hint)}
}

// NotOneOfFault returns the fault of a word that is none of those allowed.
func NotOneOfFault(word string, noun engine.Text, allowed ...string) *Fault {
	f := unknownWord.NewFault(word, noun, sameText(strings.Join(allowed, ", ")))
	if near := ownfile.FindNearest(word, allowed); near != "" {
		f.Hint = engine.Tf("vouliez-vous écrire « %s » ?", "did you mean %q?", near)
	}
	return f
}

// sameText returns a text that is the same in both languages.
func sameText(text string) engine.Text { return engine.T(text, text) }

// LocateFault sets the line of a fault that concerns the position as a whole: the last line with
// this verb and word, else the last with this verb, else the first line of all.
func (p Position) LocateFault(f *Fault, verb, word string) *Fault {
	best := -1
	for _, l := range p.Lines {
		fit := 0
		if l.Verb == verb {
			if fit = 1; slices.Contains(l.Words, word) {
				fit = 2
			}
		}
		if fit > best || fit == best && fit > 0 {
			best, f.Line = fit, l.Line
		}
	}
	return f
}
