package manual_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/manual"
	"majordome/cmd/majordome/vitals"
)

const top = "../../../"

// checkPlace checks that a place of the manual exists in both languages.
func checkPlace(t *testing.T, of, place string) {
	t.Helper()
	page, id, inside := strings.Cut(place, "#")
	for _, lang := range []string{"fr", "en"} {
		text, err := os.ReadFile(filepath.Join(top, "companion/web/manual", lang, page+".md"))
		if err != nil || !inside || !strings.Contains(string(text), `<a id="`+id+`"></a>`) {
			t.Errorf("%s: %s/%q leads nowhere: %v", of, lang, place, err)
		}
	}
}

// kindPattern matches the kind of a fault in the sources.
var kindPattern = regexp.MustCompile(`(?m)(?:\badd(?:Finding|Faults?)\(|\bFaultFindings\(|` +
	`manual\.PlaceOfFaultKind\(|About: +|\babout[A-Z]\w* += +|manual\.PlaceOfFault\(\w+, )\s*"([a-z0-9-]+)"(?:[,)]|$)`)

// findKinds returns the kinds of faults that the programs report.
func findKinds(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	collect := func(pattern string, kind *regexp.Regexp, prefix string) {
		files, err := filepath.Glob(top + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range kind.FindAllStringSubmatch(string(text), -1) {
				if !strings.HasSuffix(name, "_test.go") {
					found[prefix+m[1]] = true
				}
			}
		}
	}
	for _, dir := range []string{"", "config/", "doctor/", "health/", "network/", "smarthome/", "vitals/"} {
		collect("cmd/majordome/"+dir+"*.go", kindPattern, "")
	}
	collect("companion/store/errors.go", regexp.MustCompile(`\bTrouble += "([a-z-]+)"`), "store-")
	for _, kind := range vitals.FindingKinds() {
		found[kind] = true
	}
	var cfg config.Config
	cfg.Account, cfg.Secret, cfg.Authority = "a", "s", "c"
	for _, f := range cfg.CheckOwnedFiles(0) {
		found[f.Key] = true
	}
	if len(found) < 40 {
		t.Fatalf("only %d kinds were found: %v", len(found), found)
	}
	return found
}

// TestEveryKindHasItsPlace checks that the manual has a place for each kind of trouble, finding or error, in both
// languages.
func TestEveryKindHasItsPlace(t *testing.T) {
	for kind := range findKinds(t) {
		if manual.PlaceOfFaultKind(kind) == "" {
			t.Errorf("the faults about %q have no place in the manual", kind)
			continue
		}
		checkPlace(t, kind, manual.PlaceOfFaultKind(kind))
	}
}

// TestEverySettingHasItsPlace checks that a fault at any path of a configuration leads to the row of its key.
func TestEverySettingHasItsPlace(t *testing.T) {
	checkPlace(t, "no path", manual.PlaceOfSetting(""))
	for _, f := range reflect.VisibleFields(reflect.TypeFor[config.Config]()) {
		key := f.Tag.Get("yaml")
		if key == "" || key == ",inline" {
			continue
		}
		paths := []string{"$." + key, key}
		if f.Type.Kind() == reflect.Slice {
			paths = append(paths, "$."+key+"[2]", key+"[10]")
		}
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
			for of := range f.Type.Elem().Fields() {
				if of.Tag.Get("yaml") != "" {
					paths = append(paths, "$."+key+"[0]."+of.Tag.Get("yaml"))
				}
			}
		}
		for _, path := range paths {
			checkPlace(t, path, manual.PlaceOfSetting(path))
		}
	}
	if got := manual.PlaceOfSetting("$.strips[0].segments.place-salon"); got != "settings#strips-segments" {
		t.Errorf("a segment is at %s", got)
	}
}

// pageKinds has, for each fault that the host's page finds, the daemon's kind; "" if the daemon reports none like it.
var pageKinds = map[string]string{
	"reader": "device", "lost": "store", "newer": "store-newer", "home": "home", "watch": "", "pin": "",
	"table.paused.full": "store-full", "table.paused.gone": "store-gone", "table.paused.saved": "store-gone",
	"table.paused.store": "store-broken",
}

// TestPagesSendToTheSamePlaces checks that each fault that the host's page finds (places.ts) leads to the same place
// as the daemon's faults of that kind.
func TestPagesSendToTheSamePlaces(t *testing.T) {
	text, err := os.ReadFile(top + "companion/web/app/src/host/manual.ts")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^  '?([a-z.]+)'?: '([^']*)',$`).FindAllStringSubmatch(string(text), -1)
	if len(found) != len(pageKinds) {
		t.Errorf("%d places in places.ts, %d known", len(found), len(pageKinds))
	}
	for _, m := range found {
		kind, known := pageKinds[m[1]]
		if !known || kind != "" && manual.PlaceOfFaultKind(kind) != m[2] {
			t.Errorf("%s: the page sends to %s, the daemon to %q for %q", m[1], m[2], manual.PlaceOfFaultKind(kind), kind)
		}
	}
}

// TestPagesNameTestsThatExist checks the tests that pages name as evidence.
func TestPagesNameTestsThatExist(t *testing.T) {
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	for _, dir := range []string{"cmd", "companion", "devices", "engine", "firmware", "systemd"} {
		err := filepath.WalkDir(top+dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range function.FindAllStringSubmatch(string(text), -1) {
				declared[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob(top + "companion/web/manual/*/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w+)").FindAllStringSubmatch(string(text), -1) {
			if !declared[m[1]] {
				t.Errorf("%s names %s, which no test file has", page, m[1])
			}
		}
	}
}
