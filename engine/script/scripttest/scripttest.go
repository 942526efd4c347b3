// Package scripttest has the checks that tests make on every folder of scenarios, for any game.
package scripttest

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/script"
	"majordome/engine/words"
)

// ParseAll parses every script of a folder, in the order of their names.
func ParseAll(folder fs.FS) ([]*script.Script, error) {
	names, err := fs.Glob(folder, "*.script")
	if err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	all := make([]*script.Script, 0, len(names))
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fmt.Errorf("script: %w", err)
		}
		s, err := script.Parse(name, text)
		if err != nil {
			return nil, fmt.Errorf("script: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}

// CheckSuite checks a folder: its scripts pass, are named after what they show, and name no key that the
// catalogues lack.
func CheckSuite(t *testing.T, all []*script.Script, book engine.Rulebook, name *regexp.Regexp) {
	t.Helper()
	checkNames(t, all, name, book)
	checkKeys(t, all)
	PlayAll(t, all, book)
}

// PlayAll plays each script as a subtest, named after its file, with the rules of book.
func PlayAll(t *testing.T, all []*script.Script, book engine.Rulebook) {
	for _, s := range all {
		t.Run(strings.TrimSuffix(s.Name, ".script"), func(t *testing.T) {
			if report := script.Run(s, book); !report.OK() {
				t.Errorf("\n%s", report)
			}
		})
	}
}

// checkNames checks that each file is named after its scenario, and that each script has a title, the rules
// it covers and the game of book.
func checkNames(t *testing.T, all []*script.Script, name *regexp.Regexp, book engine.Rulebook) {
	t.Helper()
	for _, s := range all {
		if !name.MatchString(s.Name) || s.Title == "" || len(s.Covers) == 0 || s.Game != book.ID() {
			t.Errorf("%s: needs a name such as %s, a title, the rules it covers and game %s", s.Name, name, book.ID())
		}
	}
}

// checkKeys checks that every key that a script names is in both catalogues: a misspelt key after "no"
// would always pass.
func checkKeys(t *testing.T, all []*script.Script) {
	t.Helper()
	for _, lang := range words.Langs {
		catalogue, err := words.Open(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for _, key := range s.MessageKeys() {
				if !catalogue.HasKey(key) {
					t.Errorf("%s names %s, which the catalogue %s.json lacks", s.Name, key, lang)
				}
			}
		}
	}
}

// SkipIfShort marks a test of an engine that takes more than about half a second, most of them over random
// games. With -short such tests are skipped: then go test takes a few seconds an engine, and make mutants
// uses that for what the scripts did not notice. make test runs all tests.
func SkipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow: left out by -short")
	}
}
