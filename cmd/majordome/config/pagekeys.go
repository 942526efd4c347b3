package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"majordome/engine"
)

// PageKey is a key as the host's page knows it.
type PageKey struct {
	Name    string      `json:"name"`
	What    engine.Text `json:"what"`
	Kind    string      `json:"kind"` // text, number, bool, list (of texts), map, or items
	Unit    string      `json:"unit,omitempty"`
	Takes   engine.Text `json:"takes"`
	Without string      `json:"without,omitempty"`
	Absent  engine.Text `json:"absent,omitzero"`
	Words   []string    `json:"words,omitempty"`
	Open    bool        `json:"open,omitempty"`
	Of      []string    `json:"of,omitempty"` // the chips that have it; none: all
	Items   []PageKey   `json:"items,omitempty"`
}

// PageKeys returns all keys for the host's page, from the rows that the manual and the checks of a file have too.
func PageKeys() (all []PageKey) {
	for _, y := range configKeys {
		k := pageKeyOf(y, &Config{}, nil)
		for _, list := range keyLists {
			if list.name == y.name {
				k.Items = pageKeysOf(list.items, list.of, list.with)
			}
		}
		all = append(all, k)
	}
	return all
}

func pageKeysOf(keys []key, of any, with func(string) []string) (all []PageKey) {
	for _, y := range keys {
		var chips []string
		if with != nil {
			chips = with(y.name)
		}
		all = append(all, pageKeyOf(y, of, chips))
	}
	return all
}

// unbroken sets the blanks of French typography, at which a line must not break.
var unbroken = strings.NewReplacer("`", "", " :", "\u00a0:", " ;", "\u202f;", " ?", "\u202f?", "« ", "«\u00a0", " »", "\u00a0»")

func pageKeyOf(y key, of any, chips []string) PageKey {
	plain := func(t engine.Text) engine.Text {
		return engine.T(unbroken.Replace(t.FR), strings.ReplaceAll(t.EN, "`", ""))
	}
	k := PageKey{Name: y.name, What: plain(y.meaning), Unit: y.unit, Takes: plain(y.values.Text), Absent: plain(y.absent),
		Words: y.values.words, Open: y.values.othersFit, Of: chips}
	if y.defaultValue != nil {
		k.Without = fmt.Sprint(y.defaultValue)
	}
	switch f := fieldByKey(reflect.ValueOf(of).Elem(), y.name); {
	case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct:
		k.Kind = "items"
	default:
		k.Kind = map[reflect.Kind]string{
			reflect.String: "text",
			reflect.Int:    "number",
			reflect.Bool:   "bool",
			reflect.Slice:  "list",
			reflect.Map:    "map",
		}[f.Kind()]
	}
	return k
}

// keyLists are the lists of the file, with the keys of their items and, except for buttons, the chips that have a key.
var keyLists = []struct {
	name  string
	items []key
	of    any
	with  func(key string) []string
}{
	{"readers", slices.Concat(readerKeys, readerChips.allKeys()), &ReaderConfig{}, readerChips.namesWithKey},
	{"strips", slices.Concat(stripKeys, stripChips.allKeys()), &StripConfig{}, stripChips.namesWithKey},
	{"clocks", slices.Concat(clockKeys, clockChips.allKeys()), &ClockConfig{}, clockChips.namesWithKey},
	{"buttons", buttonKeys, &ButtonConfig{}, nil},
}
