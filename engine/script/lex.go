package script

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"majordome/engine"
)

// Limits of a script (doc.go).
const (
	MaxBytes = 4 << 20
	maxLines = 80_000
	maxLine  = 4096
)

// word is one word of a line. A word such as place=place-salon has a key.
type word struct {
	key    string
	text   string
	quoted bool // taken literally: never a player, never a special word
	col    int  // in letters, from 1
	from   int  // index of its first byte
	to     int  // index of the byte after it
}

// isBare reports whether w is the bare word text.
func (w word) isBare(text string) bool { return w.key == "" && !w.quoted && w.text == text }

// sourceText returns w as it can be written in a script.
func (w word) sourceText() string {
	text := w.text
	if w.quoted {
		text = strconv.Quote(text)
	}
	if w.key != "" {
		return w.key + "=" + text
	}
	return text
}

// splitWords splits a line into words.
func splitWords(line string) ([]word, *Error) {
	var words []word
	at := 0
	for {
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		if at == len(line) || line[at] == '#' {
			return words, nil
		}
		w, n, err := lexWord(line[at:])
		if err != nil {
			err.Column += utf8.RuneCountInString(line[:at])
			return nil, err
		}
		w.col, w.from, w.to = utf8.RuneCountInString(line[:at])+1, at, at+n
		words = append(words, w)
		at += n
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// lexWord reads one word from the start of text and returns its length in bytes.
func lexWord(text string) (w word, n int, mistake *Error) {
	if key, _, ok := strings.Cut(text, "="); ok && isKey(key) {
		w.key = key
		n = len(key) + 1
	}
	if n < len(text) && text[n] == '"' {
		quoted, err := strconv.QuotedPrefix(text[n:])
		if err != nil {
			return w, n, newError(utf8.RuneCountInString(text[:n])+1,
				engine.T("le texte entre guillemets ne finit pas", "the quoted text does not end"),
				engine.T(`fermez-le par ", et écrivez \" pour un guillemet dedans`, `close it with ", and write \" for a quote inside`))
		}
		w.text, _ = strconv.Unquote(quoted)
		w.quoted = true
		n += len(quoted)
		if n < len(text) && !isBlank(text[n]) {
			return w, n, newError(utf8.RuneCountInString(text[:n])+1,
				engine.T("un texte entre guillemets doit être un mot à lui seul", "a quoted text must be a word of its own"),
				engine.T("mettez une espace après le guillemet fermant", "put a blank after the closing quote"))
		}
		return w, n, nil
	}
	end := n
	for end < len(text) && !isBlank(text[end]) {
		if text[end] == '"' {
			return w, n, newError(utf8.RuneCountInString(text[:end])+1,
				engine.T("un guillemet dans un mot", "a quote inside a word"),
				engine.T("mettez tout le mot ou toute la valeur entre guillemets", "quote the whole word or the whole value"))
		}
		end++
	}
	w.text = text[n:end]
	return w, end, nil
}

// isKey reports whether text can be the name of an argument, attribute or blank.
func isKey(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return text != ""
}
