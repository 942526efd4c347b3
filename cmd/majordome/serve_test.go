package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"majordome/engine/games"
)

// TestCommandsSpeakFrench checks that each command and flag has its French text.
func TestCommandsSpeakFrench(t *testing.T) {
	known := map[string]bool{}
	walkCommands(rootCommand(games.KnownGames()), func(c *cobra.Command) {
		known[commandPath(c)] = true
		fr, ok := frenchTexts[commandPath(c)]
		if !ok || fr.short == "" || (fr.long == "") != (c.Long == "") {
			t.Errorf("%s has no French, or not all of it", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if frenchUsage(fr, f.Name) == "" {
				t.Errorf("%s --%s has no French", c.CommandPath(), f.Name)
			}
			if f.Value.Type() != "bool" && valuePlaceholder(c, f) == "" {
				t.Errorf("%s --%s does not say what its value is", c.CommandPath(), f.Name)
			}
		})
		for flag := range fr.flags {
			if c.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no flag --%s: take its French out", c.CommandPath(), flag)
			}
		}
	})
	for path := range frenchTexts {
		if !known[path] {
			t.Errorf("there is no command %q: take its French out", path)
		}
	}
}

// TestLongErrors checks that the message of an error stays short, in lines, and without escapes for the terminal,
// whatever the error quotes.
func TestLongErrors(t *testing.T) {
	var out strings.Builder
	printFaults(&out, newFault("%s", "%s", strings.Repeat("x", 20_000)+"\nand \x1b[31mmore"))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "majordome : xxx") || lines[3] != "majordome: and \ufffd[31mmore" {
		t.Errorf("%d lines: %.2000q", len(lines), lines)
	}
	for _, l := range lines {
		if len([]rune(l)) > maxErrorLine+len("majordome : ") {
			t.Errorf("a line of %d characters", len(l))
		}
	}
}
