package ownfile

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// edit is a file that is being changed, line by line. What it does is looked at by Rewrite: it may go wrong with what
// is written in an odd way.
type edit struct {
	lines []string // without their ends
	end   string   // of a line
	root  ast.Node
}

func newEdit(data []byte) *edit {
	e := &edit{end: "\n"}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.Contains(text, "\r\n") {
		e.end, text = "\r\n", strings.ReplaceAll(text, "\r\n", "\n")
	}
	if text = strings.TrimSuffix(text, "\n"); text != "" {
		e.lines = strings.Split(text, "\n")
	}
	e.read()
	return e
}

func (e *edit) read() {
	e.root = Parse("", []byte(strings.Join(e.lines, "\n"))).root
}

func (e *edit) text() []byte { return []byte(strings.Join(e.lines, e.end) + e.end) }

// spot is something in the file: the first line and column of a key or of one of a list, from 0.
type spot struct {
	line, col int
	value     ast.Node // nil: nothing
	in        bool     // in brackets
	dash      bool     // one of a list: col is that of its dash
}

// find goes down a path as far as it is written.
func (e *edit) find(steps []any) (found []spot) {
	n, in := e.root, false
	for _, s := range steps {
		n = bare(n)
		in = in || flowing(n)
		var at spot
		ok := false
		switch s := s.(type) {
		case string:
			at, ok = keyAt(n, s)
		case int:
			at, ok = e.itemAt(n, s, in)
		}
		if !ok {
			return found
		}
		at.in = in
		found, n = append(found, at), at.value
	}
	return found
}

// keyAt is a key of a mapping, the last of those that are written.
func keyAt(n ast.Node, name string) (at spot, ok bool) {
	for _, p := range pairs(n) {
		if key, _ := keyOf(p); key == name {
			pos := p.Key.GetToken().Position
			at, ok = spot{line: pos.Line - 1, col: pos.Column - 1, value: p.Value}, true
		}
	}
	return at, ok
}

// itemAt is one of a list, in brackets or behind its dash.
func (e *edit) itemAt(n ast.Node, i int, in bool) (at spot, ok bool) {
	list, is := n.(*ast.SequenceNode)
	if !is || i >= len(list.Values) {
		return spot{}, false
	}
	t := first(list.Values[i])
	if t == nil {
		return spot{}, false
	}
	at = spot{line: t.Position.Line - 1, col: t.Position.Column - 1, value: list.Values[i], dash: true}
	if !in {
		at.col = strings.IndexByte(e.lines[at.line], '-')
	}
	return at, true
}

func flowing(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.IsFlowStyle
	case *ast.SequenceNode:
		return n.IsFlowStyle
	}
	return false
}

// apply makes a change.
func (e *edit) apply(steps []any, v any) {
	found := e.find(steps)
	whole := len(found) == len(steps)
	if whole {
		at := found[len(found)-1]
		if _, text := scalar(at.value); text && v != nil {
			e.replace(at, encoded(v))
			return
		}
	}
	if i := slices.IndexFunc(found, func(s spot) bool { return s.in || flowing(bare(s.value)) }); i >= 0 && (len(found) > i+1 || !whole || v == nil) {
		e.unfold(found[0])
		e.read()
		found = e.find(steps)
		whole = len(found) == len(steps)
	}
	switch {
	case whole && v == nil:
		e.cut(found)
	case whole: // a key without a value
		at := found[len(found)-1]
		e.lines[at.line] = afterColon(e.lines[at.line], at.col, encoded(v))
	default:
		e.add(found, steps[len(found):], v)
	}
}

// afterColon writes a value behind a key that has none.
func afterColon(line string, col int, text string) string {
	i := col + strings.IndexByte(line[col:], ':') + 1
	return line[:i] + " " + text + line[i:]
}

// replace writes a value in the place of one.
func (e *edit) replace(at spot, text string) {
	t := first(at.value)
	if l, ok := bare(at.value).(*ast.LiteralNode); ok {
		t = l.Start
	}
	from := byteOf(e.lines[t.Position.Line-1], t.Position.Column-1)
	toLine, to := e.ends(t, from, at)
	line := e.lines[t.Position.Line-1][:from] + text + e.lines[toLine][to:]
	e.lines = slices.Replace(e.lines, t.Position.Line-1, toLine+1, line)
}

// byteOf is where the n-th character of a line begins.
func byteOf(line string, n int) int {
	for i := range line {
		if n == 0 {
			return i
		}
		n--
	}
	return len(line)
}

// ends is where a scalar ends that begins at a byte of a line.
func (e *edit) ends(t *token.Token, from int, at spot) (line, to int) {
	line = t.Position.Line - 1
	rest := e.lines[line][from:]
	if quote := rest[0]; quote == '"' || quote == '\'' {
		for i := from + 1; line < len(e.lines); line, i = line+1, 0 {
			for s := e.lines[line]; i < len(s); i++ {
				switch {
				case s[i] == '\\' && quote == '"', s[i] == '\'' && quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
					i++
				case s[i] == quote:
					return line, i + 1
				}
			}
		}
		return len(e.lines) - 1, len(e.lines[len(e.lines)-1])
	}
	if i := strings.Index(rest, " #"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.IndexAny(rest, ",]}"); at.in && i >= 0 {
		rest = rest[:i]
	}
	last := line
	if !at.in {
		last = e.last(at.line, at.col)
	}
	if last > line { // it goes on
		return last, len(e.lines[last])
	}
	return line, from + len(strings.TrimRight(rest, " \t"))
}

// content reports a line that is neither empty nor a comment, and its indentation.
func content(line string) (indent int, is bool) {
	text := strings.TrimLeft(line, " \t")
	return len(line) - len(text), text != "" && text[0] != '#'
}

// last is the last line with content of what begins at a line and column: all that is further in, and a list whose
// dashes stand under its key.
func (e *edit) last(line, col int) int {
	last := line
	for i := line + 1; i < len(e.lines); i++ {
		indent, is := content(e.lines[i])
		if !is {
			continue
		}
		under := indent == col && strings.HasPrefix(e.lines[i][indent:], "-") && !strings.HasPrefix(e.lines[line][min(col, len(e.lines[line])):], "-")
		if indent <= col && !under {
			break
		}
		last = i
	}
	return last
}

// comment is the comment at the end of a line, if it has one.
func comment(line string) string {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" [{,:", line[i-1]) >= 0):
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return line[i:]
		}
	}
	return ""
}

// left are the comments and empty lines of lines that go.
func left(lines []string, indent int) (kept []string) {
	for _, l := range lines {
		if _, is := content(l); !is {
			kept = append(kept, l)
		} else if c := comment(l); c != "" {
			kept = append(kept, strings.Repeat(" ", indent)+c)
		}
	}
	return kept
}

// cut takes out the last of found, and leaves its comments.
func (e *edit) cut(found []spot) {
	at := found[len(found)-1]
	last := e.last(at.line, at.col)
	kept := left(e.lines[at.line:last+1], at.col)
	if before := e.lines[at.line][:at.col]; !at.dash && strings.Contains(before, "-") { // the first key behind a dash: the next takes its place
		if last+1 < len(e.lines) {
			next := last + 1
			for next < len(e.lines) {
				if _, is := content(e.lines[next]); is {
					break
				}
				next++
			}
			if indent, _ := content(e.lines[min(next, len(e.lines)-1)]); next < len(e.lines) && indent == at.col {
				for i := range kept {
					kept[i] = strings.Repeat(" ", strings.IndexByte(before, '-')) + strings.TrimLeft(kept[i], " ")
				}
				kept = append(kept, e.lines[last+1:next]...)
				kept = append(kept, before+e.lines[next][at.col:])
				last = next
			}
		}
	}
	e.lines = slices.Replace(e.lines, at.line, last+1, kept...)
}

// add writes what is not there yet below the last of found.
func (e *edit) add(found []spot, steps []any, v any) {
	if len(found) == 0 { // at the top: behind all that is there
		e.lines = append(e.lines, written(steps, v, 0)...)
		return
	}
	at := found[len(found)-1]
	last, indent := e.last(at.line, at.col), at.col+2
	if at.value == nil || bare(at.value) == nil || bare(at.value).Type() == ast.NullType {
		e.lines = slices.Insert(e.lines, at.line+1, written(steps, v, indent)...)
		return
	}
	if t := first(at.value); t != nil { // as what is there
		indent = t.Position.Column - 1
	}
	if _, list := steps[0].(int); list {
		if indent, _ = content(e.lines[last]); last > at.line {
			indent = e.dashes(at, last)
		}
	}
	e.lines = slices.Insert(e.lines, last+1, written(steps, v, indent)...)
}

// dashes is how far in the list below a key stands.
func (e *edit) dashes(at spot, last int) int {
	for _, l := range e.lines[at.line+1 : last+1] {
		if indent, is := content(l); is && l[indent] == '-' {
			return indent
		}
	}
	return at.col + 2
}

// written is what a path and its value look like, line by line.
func written(steps []any, v any, indent int) []string {
	pad := strings.Repeat(" ", indent)
	if len(steps) == 0 {
		if all, is := v.([]Pair); is {
			lines := []string{}
			for _, p := range all {
				lines = append(lines, written([]any{p.Key}, p.Value, indent)...)
			}
			return lines
		}
		return []string{pad + encoded(v)}
	}
	if key, is := steps[0].(string); is {
		if _, deep := v.([]Pair); len(steps) == 1 && !deep {
			return []string{pad + key + ": " + encoded(v)}
		}
		return append([]string{pad + key + ":"}, written(steps[1:], v, indent+2)...)
	}
	lines := written(steps[1:], v, indent+2)
	lines[0] = pad + "- " + lines[0][indent+2:]
	return lines
}

// unfold writes a value in brackets line by line, and its comments before it.
func (e *edit) unfold(at spot) {
	last := e.last(at.line, at.col)
	pad := strings.Repeat(" ", at.col)
	var lines []string
	for _, l := range left(e.lines[at.line:last+1], at.col) {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	key := e.lines[at.line][at.col:]
	lines = append(lines, pad+key[:strings.IndexByte(key, ':')+1])
	lines = append(lines, unfolded(meaning(at.value), at.col+2)...)
	e.lines = slices.Replace(e.lines, at.line, last+1, lines...)
}

func unfolded(tree any, indent int) (lines []string) {
	pad := strings.Repeat(" ", indent)
	switch t := tree.(type) {
	case []entry:
		for _, x := range t {
			if s, is := x.value.(string); is {
				lines = append(lines, pad+x.key+": "+asIs(s))
				continue
			}
			lines = append(append(lines, pad+x.key+":"), unfolded(x.value, indent+2)...)
		}
	case []any:
		for _, x := range t {
			if s, is := x.(string); is {
				lines = append(lines, pad+"- "+asIs(s))
				continue
			}
			if one := unfolded(x, indent+2); len(one) > 0 {
				one[0] = pad + "- " + one[0][indent+2:]
				lines = append(lines, one...)
			}
		}
	}
	return lines
}

// asIs is a scalar whose kind is not known any more: what can be a number or a truth stays one.
func asIs(s string) string {
	if s == "true" || s == "false" || s != "" && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0') {
		return s
	}
	return encoded(s)
}
