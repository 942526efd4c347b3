package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestCommandsSpeakFrench: each command and flag says in French what it says in English.
func TestCommandsSpeakFrench(t *testing.T) {
	known := map[string]bool{}
	walk(commands(), func(c *cobra.Command) {
		known[name(c)] = true
		fr, ok := french[name(c)]
		if !ok || fr.short == "" || (fr.long == "") != (c.Long == "") {
			t.Errorf("%s has no French, or not all of it", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if flagFrench(fr, f.Name) == "" {
				t.Errorf("%s --%s has no French", c.CommandPath(), f.Name)
			}
		})
		for flag := range fr.flags {
			if c.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no flag --%s: take its French out", c.CommandPath(), flag)
			}
		}
	})
	for path := range french {
		if !known[path] {
			t.Errorf("there is no command %q: take its French out", path)
		}
	}
}

// TestPinAdvice: what keeps a pin from being found is said, not how a pin is spelt.
func TestPinAdvice(t *testing.T) {
	dev := t.TempDir()
	chips := filepath.Join(dev, "gpiochip*")
	granted := func(string) error { return nil }
	denied := func(device string) error {
		if strings.HasSuffix(device, "4") {
			return syscall.EACCES
		}
		return nil
	}
	for _, c := range []struct {
		files   []string
		allowed func(string) error
		fr, en  string
	}{
		{nil, granted, "n’a pas de broches", "has no pins"},
		{[]string{"gpiochip0", "gpiochip4"}, denied, "ajoutez-le au groupe gpio", "add it to the group gpio"},
		{[]string{"gpiochip0"}, granted, "écrivez-la comme GPIO25", "use a name such as GPIO25"},
	} {
		for _, f := range c.files {
			if err := os.WriteFile(filepath.Join(dev, f), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		said := told(pinAdvice("GPIO77", chips, c.allowed))[0]
		if !strings.Contains(said.FR, c.fr) || !strings.Contains(said.EN, c.en) || !strings.Contains(said.FR, "GPIO77") || !strings.Contains(said.EN, "GPIO77") {
			t.Errorf("%v: %q and %q, want %q", c.files, said.FR, said.EN, c.en)
		}
	}
}

// TestLongErrors: whatever an error quotes, what is told stays short, in lines, and without escapes for the terminal.
func TestLongErrors(t *testing.T) {
	var out strings.Builder
	report(&out, sentence("%s", "%s", strings.Repeat("x", 20_000)+"\nand \x1b[31mmore"))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "majordome : xxx") || lines[3] != "majordome: and \ufffd[31mmore" {
		t.Errorf("%d lines: %.2000q", len(lines), lines)
	}
	for _, l := range lines {
		if len([]rune(l)) > maxTold+len("majordome : ") {
			t.Errorf("a line of %d characters", len(l))
		}
	}
}
