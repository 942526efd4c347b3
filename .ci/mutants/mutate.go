package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one place broken in one way.
type mutant struct {
	n           int // its number in the binary, from 1
	file        string
	line        int
	key         string // file, function, source text, change: as in the kept list
	words       string // source text and change
	source      string // the line
	byScript    bool   // killed by a script
	killedBy    string // what killed it; empty: it survives
	survivedHow string // how it survived
	timedOut    bool   // it gave no answer in time
}

// edit replaces cut bytes at an offset of a file by text.
type edit struct {
	at, cut int
	text    string
	order   int // among edits at one place: ends of inner nodes, of outer ones, beginnings of outer ones, of inner ones
}

// mutator breaks the functions of one file. It leaves out: the head of a counting loop (its body is broken),
// values computed when the program starts, the size of a make, the base of a parsed number, and constant
// expressions.
type mutator struct {
	set   *token.FileSet
	info  *types.Info
	pkg   *types.Package
	file  *ast.File
	name  string
	text  string
	fn    string
	edits []edit
	found []*mutant
	next  int            // number of the next mutant
	twice map[string]int // number of mutants with a key
}

// addMutant records a mutant at a node and returns its number.
func (m *mutator) addMutant(at ast.Node, change string) int {
	m.next++
	from, to := m.offsetOf(at.Pos()), m.offsetOf(at.End())
	text := strings.Join(strings.Fields(m.text[from:to]), " ")
	if r := []rune(text); len(r) > 90 {
		text = string(r[:90]) + "…"
	}
	line := m.set.Position(at.Pos()).Line
	words := "`" + text + "` " + change
	key := m.name + " " + m.fn + ": " + words
	if m.twice[key]++; m.twice[key] > 1 {
		key += fmt.Sprintf(" (%d)", m.twice[key])
	}
	source := strings.TrimSpace(strings.Split(m.text, "\n")[line-1])
	m.found = append(m.found, &mutant{n: m.next, file: m.name, line: line, key: key, words: words, source: source})
	return m.next
}

func (m *mutator) offsetOf(p token.Pos) int { return m.set.Position(p).Offset }

// wrapNode puts texts before and after a node.
func (m *mutator) wrapNode(at ast.Node, before, after string) {
	k := len(m.edits) + 1
	m.edits = append(m.edits,
		edit{at: m.offsetOf(at.Pos()), text: before, order: k},
		edit{at: m.offsetOf(at.End()), text: after, order: -k})
}

// mutatedText returns the text with every mutant in it. Lines keep their numbers.
func (m *mutator) mutatedText() string {
	slices.SortStableFunc(m.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	var b strings.Builder
	at := 0
	for _, e := range m.edits {
		b.WriteString(m.text[at:e.at] + e.text)
		at = e.at + e.cut
	}
	return b.String() + m.text[at:]
}

func (m *mutator) mutateFile() {
	for _, d := range m.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil || d.Name.Name == "init" {
				continue
			}
			m.fn = d.Name.Name
			if d.Recv != nil {
				m.fn = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + m.fn
			}
			m.mutateNode(d.Body)
		case *ast.GenDecl: // functions in tables
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					m.fn = n.Names[0].Name
				case *ast.FuncLit:
					m.mutateNode(n.Body)
					return false
				}
				return true
			})
		}
	}
}

func (m *mutator) mutateNode(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			return m.mutateExpression(e)
		}
		return m.mutateStatement(n)
	})
}

// mutateStatement breaks a node that is no expression. It reports whether the nodes in it are to be broken,
// too.
func (m *mutator) mutateStatement(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		m.mutateStatements(n.List)
	case *ast.CaseClause:
		m.mutateStatements(n.Body)
	case *ast.IfStmt:
		m.mutateCondition(n.Cond)
	case *ast.SwitchStmt:
		m.mutateCases(n)
	case *ast.ForStmt:
		if n.Post != nil { // a loop that counts
			m.mutateNode(n.Body)
			return false
		}
		if n.Cond != nil {
			m.mutateCondition(n.Cond)
		}
	case *ast.RangeStmt:
		if _, ok := n.X.(*ast.BasicLit); ok {
			m.mutateNode(n.Body)
			return false
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if m.isBool(e) {
				m.mutateCondition(e)
			}
		}
	case *ast.AssignStmt:
		m.mutateValues(n.Rhs)
	case *ast.GenDecl:
		return n.Tok != token.CONST
	}
	return true
}

// mutateExpression breaks an expression. It reports whether the nodes in it are to be broken, too.
func (m *mutator) mutateExpression(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if name := types.ExprString(n.Fun); name == "make" || strings.HasPrefix(name, "strconv.") {
			return false
		}
		m.mutateValues(n.Args)
	case *ast.KeyValueExpr:
		m.mutateValues([]ast.Expr{n.Value})
		if t, ok := m.info.Types[n.Key]; ok && t.Value != nil { // the index of an array must stay constant
			m.mutateNode(n.Value)
			return false
		}
	case *ast.ArrayType, *ast.MapType, *ast.FuncType:
		return false
	case *ast.BinaryExpr:
		if m.info.Types[n].Value != nil {
			return false
		}
		m.mutateOperator(n)
	case *ast.BasicLit:
		m.mutateLiteral(n)
	}
	return true
}

// mutateStatements adds a mutant for each statement of a list, without that statement.
func (m *mutator) mutateStatements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "panic" {
				continue
			}
		case *ast.IncDecStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || len(s.Lhs) == 1 && types.ExprString(s.Lhs[0]) == "_" {
				continue
			}
		default:
			continue
		}
		m.wrapNode(s, fmt.Sprintf("if mutKeep(%d) { ", m.addMutant(s, "left out")), " }")
	}
}

// mutateValues breaks the boolean expressions among values.
func (m *mutator) mutateValues(list []ast.Expr) {
	for _, e := range list {
		switch ast.Unparen(e).(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr:
			if m.isBool(e) {
				m.mutateCondition(e)
			}
		}
	}
}

func (m *mutator) isBool(e ast.Expr) bool {
	t := m.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// mutateCondition replaces a condition by true and by false. Of one with clauses, each clause is left out, and
// the whole is replaced by the other value, which leaving out a clause never gives.
func (m *mutator) mutateCondition(e ast.Expr) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		m.forceValue(e, b.Op == token.LOR)
		m.mutateClauses(b, b.Op)
		return
	}
	m.forceValue(e, true)
	m.forceValue(e, false)
	m.mutateNestedClauses(e)
}

func (m *mutator) mutateClauses(e ast.Expr, op token.Token) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == op {
		m.mutateClauses(b.X, op)
		m.mutateClauses(b.Y, op)
		return
	}
	m.forceValue(e, op == token.LAND)
	m.mutateNestedClauses(e)
}

// mutateNestedClauses breaks the clauses within a clause: !(a && b), or (a || b) in a list of &&.
func (m *mutator) mutateNestedClauses(e ast.Expr) {
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		e = ast.Unparen(not.X)
	}
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		m.mutateClauses(b, b.Op)
	}
}

func (m *mutator) forceValue(e ast.Expr, value bool) {
	if v := m.info.Types[e].Value; v != nil && constant.BoolVal(v) == value {
		return // it has that value already
	}
	m.wrapNode(e, fmt.Sprintf("mutBool(%d, %t, ", m.addMutant(e, fmt.Sprintf("taken as %t", value)), value), ")")
}

// mutateCases adds a mutant for each value in the cases of a switch, without that value, and breaks the
// conditions of a switch without a value.
func (m *mutator) mutateCases(s *ast.SwitchStmt) {
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if s.Tag == nil {
				m.mutateCondition(e)
				continue
			}
			b, ok := m.info.TypeOf(e).Underlying().(*types.Basic)
			if t := m.typeName(m.info.TypeOf(s.Tag)); ok && t != "" && b.Info()&(types.IsInteger|types.IsString) != 0 {
				call := "mutCase"
				if b.Info()&types.IsString != 0 {
					call = "mutCaseText"
				}
				m.wrapNode(e, fmt.Sprintf("%s[%s](%d, ", call, t, m.addMutant(e, "left out of the cases")), ")")
			}
		}
	}
}

// typeName returns the name by which the file can refer to a type; empty if it cannot.
func (m *mutator) typeName(t types.Type) string {
	ok := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		ok = ok && slices.ContainsFunc(m.file.Imports, func(i *ast.ImportSpec) bool {
			return i.Name == nil && i.Path.Value == `"`+p.Path()+`"`
		})
		return p.Name()
	})
	if !ok || strings.Contains(name, "untyped") {
		return ""
	}
	return name
}

// operators are the functions that replace an operator, and the operator that each then becomes.
var operators = map[token.Token]struct{ name, becomes string }{
	token.LSS: {"mutLess", "<="}, token.LEQ: {"mutAtMost", "<"}, token.GTR: {"mutMore", ">="}, token.GEQ: {"mutAtLeast", ">"},
	token.ADD: {"mutAdd", "-"}, token.SUB: {"mutSub", "+"},
}

// mutateOperator moves a boundary by one, or turns a sum into a difference, or the reverse.
func (m *mutator) mutateOperator(b *ast.BinaryExpr) {
	op, ok := operators[b.Op]
	t, basic := m.info.TypeOf(b.X).Underlying().(*types.Basic)
	if !ok || !basic || t.Info()&types.IsInteger == 0 || isShift(b.X) || isShift(b.Y) {
		return
	}
	n := m.addMutant(b, "reads "+op.becomes)
	k := len(m.edits) + 1
	at := m.offsetOf(b.OpPos)
	m.wrapNode(b, fmt.Sprintf("%s(%d, ", op.name, n), ")")
	m.edits = append(m.edits, edit{at: at, cut: len(b.Op.String()), text: ",", order: k})
}

func isShift(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.SHL || b.Op == token.SHR)
}

// mutateLiteral adds one to a literal, but not to zero: it means none, and conditions and statements cover
// that.
func (m *mutator) mutateLiteral(l *ast.BasicLit) {
	if l.Kind != token.INT || l.Value == "0" {
		return
	}
	if t := m.typeName(m.info.TypeOf(l)); t != "" {
		m.wrapNode(l, fmt.Sprintf("mutMore1[%s](%d, ", t, m.addMutant(l, "reads one more")), ")")
	}
}
