package config

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
)

// shownKey is a key as the host's page knows it.
type shownKey struct {
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
	Items   []shownKey  `json:"items,omitempty"`
}

// TestThePageHasEveryKey: the host's page is generated from the same rows as the tables of the manual and the checks of
// a file.
func TestThePageHasEveryKey(t *testing.T) {
	const file = "../../../companion/web/app/src/office/settings.json"
	var all []shownKey
	for _, y := range configKeys {
		k := shownKeyOf(y, &Config{}, nil)
		for _, list := range keyLists {
			if list.name == y.name {
				k.Items = shownKeysOf(list.items, list.of, list.with)
			}
		}
		all = append(all, k)
	}
	want, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	if *rewriteTable {
		if err := os.WriteFile(file, append(want, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(got) != string(want)+"\n" {
		t.Errorf("%s is not up to date: go test ./cmd/majordome/house -run TestThePageHasEveryKey -update", file)
	}
}

func shownKeysOf(keys []key, of any, with func(string) []string) (all []shownKey) {
	for _, y := range keys {
		var chips []string
		if with != nil {
			chips = with(y.name)
		}
		all = append(all, shownKeyOf(y, of, chips))
	}
	return all
}

// unbroken sets the blanks of French typography, at which a line must not break.
var unbroken = strings.NewReplacer("`", "", " :", "\u00a0:", " ;", "\u202f;", " ?", "\u202f?", "« ", "«\u00a0", " »", "\u00a0»")

func shownKeyOf(y key, of any, chips []string) shownKey {
	plain := func(t engine.Text) engine.Text {
		return engine.T(unbroken.Replace(t.FR), strings.ReplaceAll(t.EN, "`", ""))
	}
	k := shownKey{Name: y.name, What: plain(y.meaning), Unit: y.unit, Takes: plain(y.values.Text), Absent: plain(y.absent),
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
