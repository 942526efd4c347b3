package ownfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"majordome/engine"
)

// Fault is one thing that is wrong with a file. Line and Column count from 1, Column in characters.
// Both are 0 if the fault has no place in the file; only Column is 0 if the whole line is meant.
type Fault struct {
	File         string
	About        string // kind of file, "configuration" or "deck"; "" for any other
	Line, Column int
	Path         string      // path of the value, such as $.readers[0].role; "" if none is meant
	What, Hint   engine.Text // what is wrong, and what to write or do instead
	Err          error       // cause, for errors.Is; nil: none
	unlisted     int         // in the last fault of a cut list: the number of faults that it replaces
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Error returns the English sentence after name:line:column, the form that editors understand.
func (f *Fault) Error() string {
	at := ClipFileName(f.File)
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		at += fmt.Sprintf(":%d", f.Column)
	}
	return ClipMessage(at + ": " + f.TextWithoutPlace().EN)
}

// Text returns the sentence with its place, in both languages, of at most MaxMessage visible
// characters.
func (f *Fault) Text() engine.Text {
	fr, en := ClipFileName(f.File), ClipFileName(f.File)
	if f.Line > 0 {
		fr, en = fmt.Sprintf("%s, ligne %d", fr, f.Line), fmt.Sprintf("%s, line %d", en, f.Line)
	}
	if f.Column > 0 {
		fr, en = fmt.Sprintf("%s, colonne %d", fr, f.Column), fmt.Sprintf("%s, column %d", en, f.Column)
	}
	said := f.TextWithoutPlace()
	return engine.T(ClipMessage(fr+" : "+said.FR), ClipMessage(en+": "+said.EN))
}

// TextWithoutPlace returns the sentence without its place, for callers that show the place separately.
func (f *Fault) TextWithoutPlace() engine.Text {
	return engine.T(ClipMessage(joinHint(f.What.FR, f.Hint.FR)), ClipMessage(joinHint(f.What.EN, f.Hint.EN)))
}

func joinHint(what, hint string) string {
	what = VisibleText(what, maxWhat) // shortened, because the hint matters more
	if hint == "" {
		return what
	}
	return what + " (" + hint + ")"
}

// Faults lists everything that is wrong with one file, in the order of the file: at most MaxFaults,
// then one that says how many are not listed.
type Faults []*Fault

// Error returns one line per fault.
func (all Faults) Error() string {
	lines := make([]string, len(all))
	for i, f := range all {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults, for errors.As.
func (all Faults) Unwrap() []error {
	list := make([]error, len(all))
	for i, f := range all {
		list[i] = f
	}
	return list
}

// SortAndLimitFaults returns faults in the order of the file, without duplicates: the first MaxFaults
// and the number of the others (Limit); nil if there are none.
func SortAndLimitFaults(all []*Fault) Faults {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	all = slices.CompactFunc(all, func(a, b *Fault) bool {
		return a.Line == b.Line && a.Column == b.Column && a.What == b.What // for instance both languages of one name
	})
	return Faults(all).Limit(MaxFaults)
}

// Limit returns the first n faults and, if there are more, one that says how many are not listed. n
// must be positive.
func (all Faults) Limit(n int) Faults {
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

// ClipMessage returns a message fit for a terminal: at most MaxMessage characters, all visible.
func ClipMessage(s string) string { return VisibleText(s, MaxMessage) }

// ClipQuote returns the part of s that a message may quote: at most 40 characters, all visible,
// without quotation marks.
func ClipQuote(s string) string { return VisibleText(s, maxQuote) }

// VisibleText returns s with at most maxRunes characters, the last one … if it is longer. Characters
// that could reverse or break the line that shows it are replaced.
func VisibleText(s string, maxRunes int) string {
	runes := []rune(replaceInvisible(s))
	if len(runes) > maxRunes {
		runes = append(runes[:maxRunes-1], '…')
	}
	return string(runes)
}

// ClipFileName returns the last 80 characters of a file's name, because long names differ at the end.
func ClipFileName(name string) string {
	runes := []rune(replaceInvisible(name))
	if len(runes) > maxName {
		runes = append([]rune{'…'}, runes[len(runes)-maxName+1:]...)
	}
	return string(runes)
}

// replaceInvisible replaces the characters that could reverse or break a line.
func replaceInvisible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\u00a0' || r == '\u202f' {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// FindNearest returns the member of list most similar to text, or "" if none is similar enough: it
// may differ in one letter, or in more if a long word has the same first letter.
func FindNearest(text string, list []string) string {
	if text == "" || len(text) > maxQuote {
		return ""
	}
	best, least := "", len(text)/3+2
	for _, candidate := range list {
		if d := editDistance(text, candidate); d < least && (d < 2 || text[0] == candidate[0]) {
			best, least = candidate, d
		}
	}
	return best
}

// editDistance returns the Levenshtein distance of two words.
func editDistance(a, b string) int {
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
