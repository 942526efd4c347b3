package ownfile_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"majordome/engine/ownfile"
)

const written = `# the house
listen: ":80"   # for all
readers:
  - role: urn          # its role
    gain: 33
  - {role: show, spi: SPI1.1}  # short
names: [a.example, b.example]
calm:
strips: []
`

// A tree has the contents of the file in the same order, and a file written of it has the same contents.
func TestTreeKeepsContentsAndOrderOfAFile(t *testing.T) {
	tree, ok := ownfile.Parse("", []byte(written)).Tree()
	var got []string
	for _, p := range ownfile.Flatten(tree) {
		got = append(got, p.Key+"="+p.Value.(string))
	}
	want := "$.listen=:80 $.readers[0].role=urn $.readers[0].gain=33 $.readers[1].role=show $.readers[1].spi=SPI1.1 $.names[0]=a.example " +
		"$.names[1]=b.example"
	if strings.Join(got, " ") != want || !ok {
		t.Error(got)
	}
	const plain = `listen: ":80"
readers:
  - role: urn
    gain: 33
  - role: show
    spi: SPI1.1
names:
  - a.example
  - b.example
calm: null
strips: []
`
	if text := string(ownfile.FormatTree(tree)); text != plain {
		t.Error(text)
	}
	for text, fine := range map[string]bool{"": true, "# only\n": true, "a: [": false, "- 1\n": false, "a\n": false, "a: \"b\n": false} {
		if tree, ok := ownfile.Parse("", []byte(text)).Tree(); ok != fine || len(tree) != 0 {
			t.Errorf("%q: %v %v", text, tree, ok)
		}
	}
	if text := ownfile.FormatTree(nil); text != nil {
		t.Errorf("%q", text)
	}
}

// Whatever texts a tree has, the file written of it is read as the same tree.
func TestTreeIsReadAsItWasWritten(t *testing.T) {
	seed := rand.Uint64()
	dice := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"a", "0", "7", "-", ":", " ", "#", "\"", "'", "\\", "é", "[", "]", "{", "}", ",", "&", "*", "!", "|", ">", "%", "@",
		"`", "\t", "\x01", "true", "null", "off", "~", "1e3", "0x1f", ".5", "/dev/tty", "=", "?", "\n", "\r"}
	text := func() string {
		var b strings.Builder
		for range dice.IntN(6) {
			b.WriteString(pieces[dice.IntN(len(pieces))])
		}
		return b.String()
	}
	var value func(deep int) any
	tree := func(deep int) (all []ownfile.Pair) {
		for i := range 1 + dice.IntN(4) {
			all = append(all, ownfile.Pair{Key: fmt.Sprintf("k%d", i), Value: value(deep - 1)})
		}
		return all
	}
	value = func(deep int) any {
		switch k := dice.IntN(6); {
		case k == 0:
			return nil
		case k == 1 && deep > 0:
			return tree(deep)
		case k == 2 && deep > 0:
			list := []any{}
			for range dice.IntN(4) {
				if dice.IntN(2) == 0 {
					list = append(list, text())
				} else {
					list = append(list, tree(deep))
				}
			}
			return list
		}
		return text()
	}
	for range 2000 {
		want := tree(3)
		data := ownfile.FormatTree(want)
		f := ownfile.Parse("", data)
		got, ok := f.Tree()
		if !ok || f.Err() != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %v\n%#v\n%#v\n%s", seed, f.Err(), want, got, data)
		}
	}
}
