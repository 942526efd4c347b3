package ownfile

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"majordome/engine"
)

// Decode fills the struct that into points to, by its yaml tags: structs, pointers to them, slices,
// maps with string keys, strings, int, bool and RawPart. An embedded struct with the tag ",inline" has its
// keys at the level of the struct around it. Fields and map entries that the file does
// not have keep their values, and so do those that cannot be read; {} empties a map. Decode adds
// faults for unknown keys, repeated keys and values of the wrong kind.
func (f *File) Decode(into any) {
	if f.unreadable["$"] {
		return
	}
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic("ownfile: Decode needs a pointer to a struct")
	}
	if f.root != nil {
		// The library's tree may panic; see Parse.
		if err := recoverPanic(func() error { f.decodeNode("$", f.root, v.Elem()); return nil }); err != nil {
			f.addFatalFault(position{}, notYAML, fixYAML)
		}
	}
}

// RawPart is a part of a file that the caller decodes later with DecodePart, because its type
// depends on the rest. Marshal writes it as it was read.
type RawPart struct {
	path string
	node ast.Node
}

// MarshalYAML returns the text of the part.
func (p RawPart) MarshalYAML() ([]byte, error) { return []byte(p.node.String()), nil }

// DecodePart decodes a part of f like Decode, into the value that into points to. A nil part changes
// nothing.
func (f *File) DecodePart(p *RawPart, into any) {
	if p == nil {
		return
	}
	// The library's tree may panic; see Parse.
	if err := recoverPanic(func() error { f.decodeNode(p.path, p.node, reflect.ValueOf(into).Elem()); return nil }); err != nil {
		f.addFatalFault(position{}, notYAML, fixYAML)
	}
}

// Faults for values of the wrong kind: what is expected, and the hint.
var (
	wantMapping = [2]engine.Text{engine.T("des clés avec leurs valeurs sont attendues ici", "keys with values are expected here"),
		engine.T("écrivez « clé: valeur », une paire par ligne, toutes avec le même retrait",
			"write \"key: value\", one pair a line, all with the same indentation")}
	wantList = [2]engine.Text{engine.T("une liste est attendue ici", "a list is expected here"),
		engine.T("commencez chaque élément par un tiret et une espace, une ligne par élément",
			"begin each element with a hyphen and a blank, on a line of its own")}
	wantText = [2]engine.Text{engine.T("un texte est attendu ici", "a text is expected here"),
		engine.T("écrivez-le sur cette ligne, entre guillemets s’il contient : ou #",
			"write it on this line, in quotes if it has : or # in it")}
	wantInt = [2]engine.Text{engine.T("un nombre entier est attendu ici", "a whole number is expected here"),
		engine.T("écrivez-le en chiffres, sans unité", "write it in digits, without a unit")}
	wantBool = [2]engine.Text{engine.T("oui ou non est attendu ici", "yes or no is expected here"),
		engine.T("écrivez true ou false", "write true or false")}
)

// decodeNode decodes node into v. It recurses as deep as the type of v.
func (f *File) decodeNode(path string, node ast.Node, v reflect.Value) {
	node = skipTagsAndAnchors(node)
	if _, given := f.positions[path]; !given {
		f.positions[path] = positionOf(firstToken(node))
	}
	if _, alias := node.(*ast.AliasNode); alias || node == nil { // checkTokens has reported it
		f.unreadable[path] = true
		return
	}
	if node.Type() == ast.NullType {
		return
	}
	f.hasValue[path] = true
	if part, is := v.Addr().Interface().(*RawPart); is {
		*part = RawPart{path, node}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		f.decodeNode(path, node, v.Elem())
	case reflect.Struct:
		f.decodeStruct(path, node, v)
	case reflect.Map:
		f.decodeMap(path, node, v)
	case reflect.Slice:
		f.decodeSlice(path, node, v)
	default:
		f.decodeScalar(path, node, v)
	}
}

// addKindFault adds the fault that a node is of the wrong kind: want has what is expected, and the
// hint.
func (f *File) addKindFault(path string, node ast.Node, want [2]engine.Text) {
	f.addFaultAt(positionOf(firstToken(node)), want[0], want[1])
	f.faults[len(f.faults)-1].Path = path
	f.unreadable[path] = true
}

func (f *File) decodeStruct(path string, node ast.Node, v reflect.Value) {
	if !isMapping(node) {
		f.addKindFault(path, node, wantMapping)
		return
	}
	fields, names := yamlFields(v.Type())
	seen, missed := map[string]bool{}, []string(nil)
	for _, pair := range mappingPairs(node) {
		key, ok := f.readUniqueKey(path, pair, seen)
		if !ok {
			continue
		}
		index, known := fields[key]
		if !known {
			hint := engine.Tf("les clés permises ici sont : %s", "the keys allowed here are: %s", strings.Join(names, ", "))
			if near := FindNearest(key, names); near != "" {
				hint = engine.Tf("vouliez-vous écrire « %s » ?", "did you mean %q?", near)
				missed = append(missed, near)
			}
			f.addFaultAt(positionOf(pair.Key.GetToken()), engine.Tf("clé inconnue « %s »", "unknown key %q", ClipQuote(key)), hint)
			continue
		}
		f.decodePair(path+"."+key, pair, v.FieldByIndex(index))
	}
	for _, name := range missed {
		if !seen[name] {
			f.unreadable[path+"."+name] = true // a fault that it is missing would only repeat this one
		}
	}
}

func (f *File) decodeMap(path string, node ast.Node, v reflect.Value) {
	if !isMapping(node) {
		f.addKindFault(path, node, wantMapping)
		return
	}
	m, seen, all := reflect.MakeMap(v.Type()), map[string]bool{}, mappingPairs(node)
	for had := v.MapRange(); len(all) > 0 && had.Next(); {
		m.SetMapIndex(had.Key(), had.Value())
	}
	for _, pair := range all {
		if key, ok := f.readUniqueKey(path, pair, seen); ok {
			e := reflect.New(v.Type().Elem()).Elem()
			f.decodePair(path+"."+key, pair, e)
			m.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), e)
		}
	}
	v.Set(m)
}

// decodePair decodes the value of a pair into v. An absent value gets the position of its key.
func (f *File) decodePair(path string, pair *ast.MappingValueNode, v reflect.Value) {
	if n := skipTagsAndAnchors(pair.Value); n == nil || n.Type() == ast.NullType {
		f.positions[path] = positionOf(pair.Key.GetToken())
	}
	f.decodeNode(path, pair.Value, v)
}

// readUniqueKey returns the key of a pair and adds it to seen. It adds a fault and returns false if the
// key is not one word or is in seen already.
func (f *File) readUniqueKey(path string, pair *ast.MappingValueNode, seen map[string]bool) (text string, ok bool) {
	key, plain := keyOf(pair)
	if !plain {
		switch pair.Key.(type) {
		case *ast.MergeKeyNode, *ast.MappingKeyNode, *ast.AliasNode: // checkTokens has reported it
		default:
			f.addFaultAt(positionOf(firstToken(pair)), engine.T("cette clé n’est pas un mot", "this key is no word"),
				engine.T("écrivez un mot avant les deux-points", "write one word before the colon"))
		}
		return "", false
	}
	if seen[key] {
		f.addFaultAt(positionOf(pair.Key.GetToken()), engine.Tf("clé « %s » écrite deux fois", "key %q written twice", ClipQuote(key)),
			engine.T("gardez-en une", "keep one of them"))
		return "", false
	}
	seen[key] = true
	return key, true
}

func (f *File) decodeSlice(path string, node ast.Node, v reflect.Value) {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		f.addKindFault(path, node, wantList)
		return
	}
	all := reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values))
	for i, n := range list.Values {
		f.decodeNode(fmt.Sprintf("%s[%d]", path, i), n, all.Index(i))
	}
	v.Set(all)
}

func (f *File) decodeScalar(path string, node ast.Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		text, ok := scalarText(node)
		switch {
		case !ok:
			f.addKindFault(path, node, wantText)
		case len(text) > MaxValue:
			f.addFaultAt(
				positionOf(firstToken(node)),
				engine.Tf("une valeur trop longue : %d octets", "a value too long: %d bytes", len(text)),
				engine.Tf("%d octets au plus", "at most %d bytes", MaxValue),
			)
			f.unreadable[path] = true
		default:
			v.SetString(text)
		}
	case reflect.Int:
		n, ok := intValue(node)
		if !ok || v.OverflowInt(n) {
			f.addKindFault(path, node, wantInt)
			return
		}
		v.SetInt(n)
	case reflect.Bool:
		b, ok := node.(*ast.BoolNode)
		if !ok {
			f.addKindFault(path, node, wantBool)
			return
		}
		v.SetBool(b.Value)
	default:
		panic("ownfile: Decode does not know the kind of " + v.Type().String())
	}
}

// YAMLKeys returns the top-level keys that a file for the struct v may have, in the order of the
// struct.
func YAMLKeys(v any) []string {
	_, names := yamlFields(reflect.TypeOf(v))
	return names
}

// yamlFields returns the fields of a struct by their keys, and the keys in order. Those of a struct
// inside it without a key of its own (",inline") are among them.
func yamlFields(t reflect.Type) (fields map[string][]int, names []string) {
	fields = map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		if key, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); key != "" && key != "-" {
			fields[key] = f.Index
			names = append(names, key)
		}
	}
	return fields, names
}

// skipTagsAndAnchors returns the node after any tags and anchors, which checkTokens has reported, or nil for
// a comment.
func skipTagsAndAnchors(n ast.Node) ast.Node {
	for {
		switch t := n.(type) {
		case *ast.TagNode:
			n = t.Value
		case *ast.AnchorNode:
			n = t.Value
		case *ast.CommentGroupNode, *ast.CommentNode:
			return nil
		default:
			return n
		}
	}
}

func isMapping(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// mappingPairs returns the pairs of a mapping; none for any other node.
func mappingPairs(n ast.Node) []*ast.MappingValueNode {
	switch n := skipTagsAndAnchors(n).(type) {
	case *ast.MappingNode:
		return slices.DeleteFunc(slices.Clone(n.Values), func(v *ast.MappingValueNode) bool { return v == nil || v.Key == nil })
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// keyOf returns the text of a key, and whether it is a plain one.
func keyOf(pair *ast.MappingValueNode) (key string, isPlain bool) {
	return scalarText(pair.Key)
}

// scalarText returns the text of a plain value as it is written; false for any other node. Numbers and
// booleans count as texts too, so that a place can be called 221 or Yes.
func scalarText(n ast.Node) (text string, ok bool) {
	switch n := skipTagsAndAnchors(n).(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		if n.Value == nil {
			return "", true
		}
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return strings.TrimSpace(n.GetToken().Value), true
	}
	return "", false
}

func intValue(n ast.Node) (int64, bool) {
	i, ok := n.(*ast.IntegerNode)
	if !ok {
		return 0, false
	}
	switch v := i.Value.(type) {
	case int64:
		return v, true
	case uint64:
		return int64(v), v <= math.MaxInt64
	}
	return 0, false
}

// firstToken returns the token where a node begins. The library returns the colon of a mapping's
// first pair, where no owner would look for a fault.
func firstToken(n ast.Node) *token.Token {
	switch n := skipTagsAndAnchors(n).(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if len(n.Values) > 0 {
			return firstToken(n.Values[0])
		}
		return n.GetToken()
	case *ast.MappingValueNode:
		if n.Key != nil {
			return n.Key.GetToken()
		}
		return n.GetToken()
	case *ast.SequenceNode:
		if len(n.Values) > 0 {
			if t := firstToken(n.Values[0]); t != nil {
				return t
			}
		}
		return n.GetToken()
	default:
		return n.GetToken()
	}
}
