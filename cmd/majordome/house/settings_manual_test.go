package house

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"majordome/devices/light"
	"majordome/engine/games"
	"majordome/engine/ownfile"
)

var rewriteTable = flag.Bool("update", false, "write the README's table of keys anew")

// TestReadmeHasEveryKey: the README's table is the one that the keys make, and its example is a configuration.
func TestReadmeHasEveryKey(t *testing.T) {
	const readme = "../../../README.md"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "| key |")
	_, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("the README has no table of keys")
	}
	table := keyTable()
	if now := before + table + "\n" + after; now != string(text) && *rewriteTable {
		if err := os.WriteFile(readme, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if now != string(text) {
		t.Errorf("the README's table of keys is not up to date: go test ./cmd/majordome/house -run TestReadmeHasEveryKey -update")
	}
	readmeRanges(t, table)
	if layout := layoutTable(t); !strings.Contains(string(text), layout) {
		t.Errorf("the README's table of the LEDs of a strip is not up to date; put in\n%s", layout)
	}
	_, example, _ := strings.Cut(string(text), "majordome.yaml`:\n\n")
	example, _, _ = strings.Cut(example, "\n\n")
	lines := strings.Split(example, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "    ")
	}
	c, err := read(t, strings.Join(lines, "\n"))
	if err != nil || len(c.Readers) != 1 || len(c.Strips) != 1 {
		t.Errorf("the README's example: %v\n%s", err, example)
	}
}

// layoutTable is the README's table of a strip that is not told otherwise.
func layoutTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| game | `places` | LEDs | `clock` | `place-1` | each further place | `urn` | `show` |\n|---|---|---|---|---|---|---|---|\n")
	for _, d := range games.All().Decks() {
		book, err := d.Book()
		if err != nil {
			t.Fatal(err)
		}
		places := 0
		for _, n := range book.Names() {
			if n.IsArea() {
				places++
			}
		}
		if places == 0 { // no strip is laid out by its places
			continue
		}
		l := light.Table(places)
		fmt.Fprintf(&b, "| %s | %d | %d | %v | %v | the next 3, to %d | %v | %v |\n", d.ID(), places, l.Len(), l.Clock, l.Places[0], l.Urn[0]-1, l.Urn, l.Show)
	}
	return b.String()
}

// keyTable is the README's table: the keys at the top, and below readers and strips those of each.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | of | what | unit | values | without it | in the environment |\n|---|---|---|---|---|---|---|\n")
	row := func(name, of, variable string, y key) {
		without := y.absent.EN
		if y.without != nil {
			without = fmt.Sprintf("`%#v`", y.without)
		}
		takes := y.takes.EN
		if y.takes.most > 0 {
			takes = fmt.Sprintf("at most %d, each %s", y.takes.most, takes)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", name, of, y.what.EN, y.unit, takes, cmp.Or(without, "needed"), variable)
	}
	has := func(of any, name string) bool { return settable(field(reflect.ValueOf(of).Elem(), name).Type()) }
	for _, y := range configKeys {
		variable := ""
		if has(&Config{}, y.name) {
			variable = "`" + Environment + strings.ToUpper(y.name) + "`"
		}
		row("`"+y.name+"`", "", variable, y)
		items, with, of := []key(nil), readerChips.with, any(&ReaderConfig{})
		switch y.name {
		case "readers":
			items = slices.Concat(readerKeys, readerChips.keys())
		case "strips":
			items, with, of = slices.Concat(stripKeys, stripChips.keys()), stripChips.with, &StripConfig{}
		case "clocks":
			items, with, of = slices.Concat(clockKeys, clockChips.keys()), clockChips.with, &ClockConfig{}
		case "buttons":
			items, with, of = buttonKeys, func(string) []string { return nil }, &ButtonConfig{}
		}
		for i, list := 0, strings.ToUpper(y.name); i < len(items); i++ {
			variable := ""
			if has(of, items[i].name) {
				variable = fmt.Sprintf("`%s%s_0_%s`", Environment, list, strings.ToUpper(items[i].name))
			}
			row("- `"+items[i].name+"`", strings.Join(with(items[i].name), ", "), variable, items[i])
		}
	}
	return b.String()
}

// TestEveryKeyIsDocumented: each key of the file has one row, which says what it means, which values it has and what holds
// without it; and a chip has no key that nothing reads.
func TestEveryKeyIsDocumented(t *testing.T) {
	for _, c := range []struct {
		of   any
		rows []key
	}{{Config{}, configKeys}, {ReaderConfig{}, slices.Concat(readerKeys, readerChips.keys())}, {StripConfig{}, slices.Concat(stripKeys, stripChips.keys())}, {ButtonConfig{}, buttonKeys},
		{ClockConfig{}, slices.Concat(clockKeys, clockChips.keys())}} {
		want, got := ownfile.KeysOf(c.of), []string(nil)
		for _, y := range c.rows {
			got = append(got, y.name)
			if y.what.EN == "" || y.what.FR == "" || y.what.FR == y.what.EN || (y.absent.FR == "") != (y.absent.EN == "") || y.takes.EN == "" || y.takes.FR == y.takes.EN || y.without == nil && y.absent.EN == "" && y.missing.EN == "" {
				t.Errorf("%T: the row of %q does not say everything", c.of, y.name)
			}
			if !slices.Contains(want, y.name) {
				continue
			}
			v := field(reflect.ValueOf(c.of), y.name)
			if y.without != nil && reflect.TypeOf(y.without) != v.Type() || (v.Kind() == reflect.Int) != (y.takes.number != nil) ||
				v.Kind() == reflect.Int && y.without != nil && !y.takes.number(y.without.(int)) || v.Kind() == reflect.String && y.takes.wrong == nil {
				t.Errorf("%T: the row of %q does not fit its field", c.of, y.name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%T has the keys %v, documented are %v", c.of, want, got)
		}
	}
}

// readmeRanges: the table says which values each number may have, and those are the values that pass.
func readmeRanges(t *testing.T, table string) {
	t.Helper()
	blocks := map[string]string{ // a configuration for each number, sound but for its value
		"reader": "readers: [{role: urn, chip: node, port: /dev/n, reader: %d}]", "baud": "readers: [{role: urn, chip: serial, port: /dev/n, baud: %d}]",
		"khz": "readers: [{role: urn, spi: SPI1.0, khz: %d}]", "group": "readers: [{role: show, spi: SPI1.0, group: %d}]", "gain": "readers: [{role: urn, spi: SPI1.0, gain: %d}]",
		"places": "strips: [{chip: node, port: /dev/n, places: %d}]", "brightness": "strips: [{chip: node, port: /dev/n, brightness: %d}]",
		"budget_ma": "strips: [{chip: node, port: /dev/n, budget_ma: %d}]", "address": "clocks: [{chip: ht16k33, address: %d}]", "steps": "clocks: [{chip: tic, variant: T825, steps: %d}]",
		"remember": "remember: %d",
		"lock":     "lock: %d",
		"button":   "buttons: [{role: call, port: /dev/n, button: %d}]", "pixels": "strips: [{chip: apa102, spi: SPI0.0, pixels: %d}]",
	}
	for _, v := range []any{Config{}, ReaderConfig{}, StripConfig{}, ButtonConfig{}, ClockConfig{}} {
		for f := range reflect.TypeOf(v).Fields() {
			if f.Type.Kind() != reflect.Int {
				continue
			}
			key := f.Tag.Get("yaml")
			block, there := blocks[key]
			if !there {
				t.Errorf("the map blocks lacks a configuration for the number %s of %T", key, v)
				continue
			}
			delete(blocks, key)
			_, row, item := strings.Cut(table, "- `"+key+"` |")
			if !item { // a key at the top
				_, row, _ = strings.Cut(table, "| `"+key+"` |")
			}
			row, _, _ = strings.Cut(row, "\n")
			row = strings.Split(row, "|")[3]
			good := map[int]bool{}
			if m := regexp.MustCompile(`([0-9]+) to ([0-9]+)`).FindStringSubmatch(row); m != nil {
				least, _ := strconv.Atoi(m[1])
				most, _ := strconv.Atoi(m[2])
				good = map[int]bool{least - 1: false, least: true, most: true, most + 1: false}
			} else {
				for _, n := range regexp.MustCompile(`[0-9]{2,}`).FindAllString(row, -1) {
					n, _ := strconv.Atoi(n)
					good[n], good[n+1], good[0], good[-1] = true, false, false, false
				}
			}
			if len(good) < 4 {
				t.Errorf("the README tells no range of %s: %q", key, row)
			}
			for n, want := range good {
				if _, err := read(t, fmt.Sprintf(block, n)); (err == nil) != want {
					t.Errorf("%s: %d: %v, the README says %q", key, n, err, row)
				}
			}
		}
	}
	for key := range blocks {
		t.Errorf("the map blocks has %s, and no key of that name is a number", key)
	}
}
