package ownfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"majordome/engine"
)

// Fault is one thing that is wrong with a file. Line and Column count from 1, Column in
// characters; both are 0 when the fault has no place in the file, Column alone when it is the
// whole line.
type Fault struct {
	File         string
	About        string // what kind of file it is, "configuration" or "deck"; "" for any other
	Line, Column int
	Path         string      // of the value that is meant, such as $.readers[0].role; "" when it is none
	What, Hint   engine.Text // what is wrong, and what to write or do instead
	Err          error       // its cause, for errors.Is; nil: the text itself
	unlisted     int         // of the last of a list that was cut: how many it stands for
}

// Unwrap is the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Error is the English sentence behind name:line:column, as editors know it.
func (f *Fault) Error() string {
	at := Tail(f.File)
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		at += fmt.Sprintf(":%d", f.Column)
	}
	return Clip(at + ": " + f.Said().EN)
}

// Text is the sentence in both languages, of at most MaxMessage characters that can be seen.
func (f *Fault) Text() engine.Text {
	fr, en := Tail(f.File), Tail(f.File)
	if f.Line > 0 {
		fr, en = fmt.Sprintf("%s, ligne %d", fr, f.Line), fmt.Sprintf("%s, line %d", en, f.Line)
	}
	if f.Column > 0 {
		fr, en = fmt.Sprintf("%s, colonne %d", fr, f.Column), fmt.Sprintf("%s, column %d", en, f.Column)
	}
	said := f.Said()
	return engine.T(Clip(fr+" : "+said.FR), Clip(en+": "+said.EN))
}

// Said is the sentence without its place, for who shows that beside it.
func (f *Fault) Said() engine.Text {
	return engine.T(Clip(with(f.What.FR, f.Hint.FR)), Clip(with(f.What.EN, f.Hint.EN)))
}

func with(what, hint string) string {
	what = Visible(what, maxWhat) // the hint counts more than the end of what it is about
	if hint == "" {
		return what
	}
	return what + " (" + hint + ")"
}

// Faults are all that is wrong with one file, in its order: at most MaxFaults, and then one that
// says how many are not listed.
type Faults []*Fault

// Error is one line for each.
func (all Faults) Error() string {
	lines := make([]string, len(all))
	for i, f := range all {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As each fault.
func (all Faults) Unwrap() []error {
	list := make([]error, len(all))
	for i, f := range all {
		list[i] = f
	}
	return list
}

// Listed are the faults of a file in its order, cut to what is listed; nil for none.
func Listed(all []*Fault) Faults {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	all = slices.CompactFunc(all, func(a, b *Fault) bool {
		return a.Line == b.Line && a.Column == b.Column && a.What == b.What // both languages of one name, say
	})
	return Faults(all).First(MaxFaults)
}

// First are the first n faults, and then, where there are more, one that says how many are not listed.
func (all Faults) First(n int) Faults {
	if len(all) <= n {
		return all
	}
	more := 0
	for _, f := range all[n:] {
		more += max(1, f.unlisted)
	}
	return append(all[:n:n], &Fault{File: all[0].File, About: all[0].About, unlisted: more,
		What: engine.Tf("fautes qui ne sont pas dans cette liste : %d", "further faults that are not listed: %d", more),
		Hint: engine.T("corrigez d’abord celles-ci", "mend these first")})
}

// Clip makes a message fit for a terminal: at most MaxMessage characters, each of which can be seen.
func Clip(s string) string { return Visible(s, MaxMessage) }

// Quote is what a message quotes of a file.
func Quote(s string) string { return Visible(s, maxQuote) }

// Visible is s of at most most characters, none of which turns or breaks the line that shows it.
func Visible(s string, most int) string {
	runes := []rune(visible(s))
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	return string(runes)
}

// Tail is the end of a file's name, where long ones differ.
func Tail(name string) string {
	runes := []rune(visible(name))
	if len(runes) > maxName {
		runes = append([]rune{'…'}, runes[len(runes)-maxName+1:]...)
	}
	return string(runes)
}

// visible replaces what could turn or break the line that shows it.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\u00a0' || r == '\u202f' {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// Nearest is the member of list most like text, or "" if none is alike: a slip
// of one letter anywhere, or of more in a long word that begins the same.
func Nearest(text string, list []string) string {
	if text == "" || len(text) > maxQuote {
		return ""
	}
	best, least := "", len(text)/3+2
	for _, candidate := range list {
		if d := distance(text, candidate); d < least && (d < 2 || text[0] == candidate[0]) {
			best, least = candidate, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
