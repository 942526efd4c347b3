package config

import (
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
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/ownfile"
)

var rewriteTable = flag.Bool("update", false, "write the manual's tables of keys again")

const manualFolder = "../../../companion/web/manual/"

// keysHeading ends the part of the page "settings" that is written by hand.
const keysHeading = ` <a id="keys"></a>` + "\n"

// TestManualHasEveryKey: the tables of the page "settings" are those generated from the keys, and its example is a
// valid configuration.
func TestManualHasEveryKey(t *testing.T) {
	for lang, said := range map[string]func(engine.Text) string{
		"fr": func(x engine.Text) string { return x.FR },
		"en": func(x engine.Text) string { return x.EN },
	} {
		file := manualFolder + lang + "/settings.md"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		prose, _, found := strings.Cut(string(text), keysHeading)
		if !found {
			t.Fatalf("%s has no heading with the id keys", file)
		}
		tables := keyTables(said)
		if now := prose + keysHeading + tables; now != string(text) && *rewriteTable {
			if err := os.WriteFile(file, []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if now != string(text) {
			t.Errorf("%s is not up to date: go test ./cmd/majordome/house -run TestManualHasEveryKey -update", file)
		}
		if lang == "en" {
			checkManualRanges(t, tables)
		}
		_, example, _ := strings.Cut(prose, "```yaml\n")
		example, _, _ = strings.Cut(example, "```")
		c, err := parseText(t, example)
		if err != nil || len(c.Readers) != 1 || len(c.Strips) != 1 {
			t.Errorf("the example of %s: %v\n%s", file, err, example)
		}
	}
}

// TestManualHasTheLayout: the page "lights" shows the default LEDs of a strip.
func TestManualHasTheLayout(t *testing.T) {
	text, err := os.ReadFile(manualFolder + "en/lights.md")
	if err != nil {
		t.Fatal(err)
	}
	if layout := layoutTable(t); !strings.Contains(string(text), layout) {
		t.Errorf("en/lights.md: the table of the LEDs of a strip is not up to date; put in\n%s", layout)
	}
}

// layoutTable returns the table of the default layout of a strip.
func layoutTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| game | `places` | LEDs | `clock` | `place-1` | each further place | `urn` | `show` |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	for _, d := range games.KnownGames().DefaultDecks() {
		book, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		places := 0
		for _, n := range book.Names() {
			if n.IsLocation() {
				places++
			}
		}
		if places == 0 { // such a game has no layout by places
			continue
		}
		l := light.DefaultLayout(places)
		fmt.Fprintf(&b, "| %s | %d | %d | %v | %v | the next 3, to %d | %v | %v |\n", d.ID(), places, l.MinStripLen(), l.Clock,
			l.Places[0], l.Urn[0]-1, l.Urn, l.Show)
	}
	return b.String()
}

// keyTables returns the table of the top-level keys, and, below a heading for each list, the table of the keys of its
// items.
func keyTables(said func(engine.Text) string) string {
	var b strings.Builder
	head := func() {
		cells := []engine.Text{engine.T("clé", "key"), engine.T("ce que c’est", "what it is"), engine.T("valeurs", "values"),
			engine.T("sans elle", "without it")}
		for _, c := range cells {
			b.WriteString("| " + said(c) + " ")
		}
		b.WriteString("|\n|---|---|---|---|\n")
	}
	row := func(list string, y key, of []string) {
		without := said(y.absent)
		if y.defaultValue != nil {
			without = fmt.Sprintf("`%v`", y.defaultValue)
		} else if without == "" {
			without = said(engine.T("nécessaire", "needed"))
		}
		takes := said(y.values.Text)
		if y.values.maxItems > 0 {
			takes = said(engine.Tf("au plus %[1]d, chacun : %[2]s", "at most %[1]d, each %[2]s", y.values.maxItems, takes))
		}
		what := said(y.meaning)
		if len(of) > 0 {
			what += said(engine.Tf(" (de %[1]s)", " (of %[1]s)", strings.Join(of, ", ")))
		}
		fmt.Fprintf(&b, "| `%s` <a id=\"%s\"></a> | %s | %s | %s |\n", y.name, list+y.name, what,
			strings.TrimSpace(takes+" "+y.unit), without)
	}
	b.WriteString("\n")
	head()
	for _, y := range configKeys {
		row("", y, nil)
	}
	for _, list := range keyLists {
		fmt.Fprintf(&b, "\n### %s <a id=\"of-%s\"></a>\n\n", said(engine.Tf("Sous `%[1]s:`", "Under `%[1]s:`", list.name)), list.name)
		head()
		for _, y := range list.items {
			var of []string
			if list.with != nil {
				of = list.with(y.name)
			}
			row(list.name+"-", y, of)
		}
	}
	return b.String()
}

// TestEveryKeyIsDocumented: each key of the file has one row, which gives its meaning, its values and its default; and
// no chip has a key that nothing reads.
func TestEveryKeyIsDocumented(t *testing.T) {
	for _, c := range []struct {
		of   any
		rows []key
	}{{Config{}, configKeys}, {ReaderConfig{}, slices.Concat(readerKeys, readerChips.allKeys())},
		{StripConfig{}, slices.Concat(stripKeys, stripChips.allKeys())}, {ButtonConfig{}, buttonKeys},
		{ClockConfig{}, slices.Concat(clockKeys, clockChips.allKeys())}} {
		want, got := ownfile.YAMLKeys(c.of), []string(nil)
		for _, y := range c.rows {
			got = append(got, y.name)
			if y.meaning.EN == "" || y.meaning.FR == "" || y.meaning.FR == y.meaning.EN || (y.absent.FR == "") != (y.absent.EN == "") ||
				y.values.EN == "" || y.values.FR == y.values.EN || y.defaultValue == nil && y.absent.EN == "" && y.missing.EN == "" {
				t.Errorf("%T: the row of %q does not say everything", c.of, y.name)
			}
			if !slices.Contains(want, y.name) {
				continue
			}
			v := fieldByKey(reflect.ValueOf(c.of), y.name)
			if y.defaultValue != nil && reflect.TypeOf(y.defaultValue) != v.Type() ||
				(v.Kind() == reflect.Int) != (y.values.numberFits != nil) ||
				v.Kind() == reflect.Int && y.defaultValue != nil && !y.values.numberFits(y.defaultValue.(int)) ||
				v.Kind() == reflect.String && y.values.check == nil {
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

// checkManualRanges: the tables give the values that each number may have, and exactly those pass.
func checkManualRanges(t *testing.T, table string) {
	t.Helper()
	blocks := map[string]string{ // a configuration for each number, valid apart from its value
		"reader": "readers: [{role: urn, chip: node, port: /dev/n, reader: %d}]",
		"baud":   "readers: [{role: urn, chip: serial, port: /dev/n, baud: %d}]",
		"khz":    "readers: [{role: urn, spi: SPI1.0, khz: %d}]", "group": "readers: [{role: show, spi: SPI1.0, group: %d}]",
		"gain":   "readers: [{role: urn, spi: SPI1.0, gain: %d}]",
		"places": "strips: [{chip: node, port: /dev/n, places: %d}]", "brightness": "strips: [{chip: node, port: /dev/n, brightness: %d}]",
		"budget_ma": "strips: [{chip: node, port: /dev/n, budget_ma: %d}]", "address": "clocks: [{chip: ht16k33, address: %d}]",
		"steps":    "clocks: [{chip: tic, variant: T825, steps: %d}]",
		"remember": "remember: %d",
		"lock":     "lock: %d",
		"attract":  "attract: %d",
		"button":   "buttons: [{role: call, port: /dev/n, button: %d}]", "pixels": "strips: [{chip: apa102, spi: SPI0.0, pixels: %d}]",
	}
	for _, v := range []any{Config{}, ReaderConfig{}, StripConfig{}, ButtonConfig{}, ClockConfig{}} {
		for _, f := range keyFields(reflect.TypeOf(v)) {
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
			_, row, _ := strings.Cut(table, "| `"+key+"` <a")
			row, _, _ = strings.Cut(row, "\n")
			row = strings.Split(row, "|")[2]
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
				t.Errorf("the manual gives no range of %s: %q", key, row)
			}
			for n, want := range good {
				if _, err := parseText(t, fmt.Sprintf(block, n)); (err == nil) != want {
					t.Errorf("%s: %d: %v, the manual says %q", key, n, err, row)
				}
			}
		}
	}
	for key := range blocks {
		t.Errorf("the map blocks has %s, and no key of that name is a number", key)
	}
}
