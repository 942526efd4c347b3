package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/script"
)

// readBook is the rulebook with the owner's deck, or with the built-in one.
func readBook(deckFile string) (engine.Rulebook, error) {
	d := deck.HuisClos()
	if deckFile != "" {
		text, err := os.ReadFile(deckFile)
		if err != nil {
			return nil, fmt.Errorf("deck: %w", err)
		}
		if d, err = deck.Parse(deckFile, text); err != nil {
			return nil, bilingual(err)
		}
	}
	return huisclos.New(d)
}

// bilingual writes an error in both languages when it has both.
func bilingual(err error) error {
	var two interface{ Text() engine.Text }
	if !errors.As(err, &two) {
		return err
	}
	t := two.Text()
	return fmt.Errorf("%s\n           %s", t.FR, t.EN)
}

func checkCommand() *cobra.Command {
	show := false
	c := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check the names, places and weapons of your own deck",
		Long: `Check a deck file: the names, places, weapons and house rules of your box.
Without FILE, --default prints the built-in deck to start from.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if show {
				_, err := c.OutOrStdout().Write(deck.HuisClosYAML())
				return err
			}
			if len(args) == 0 {
				return errors.New("check: name a deck file, or use --default to print the built-in deck")
			}
			if _, err := readBook(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: rien à redire · nothing wrong\n", args[0])
			return nil
		},
	}
	c.Flags().BoolVar(&show, "default", false, "print the built-in deck")
	return c
}

func scriptCommand() *cobra.Command {
	deckFile, covers := "", false
	c := &cobra.Command{
		Use:   "script FILE|FOLDER ...",
		Short: "Play rules as text and check what everybody sees",
		Long: `Play scripts: each sets up a position, plays commands and says what must be
accepted or refused, what each audience sees and what it must not see. A folder
stands for its *.script files. The exit status is 1 when anything differs.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			book, err := readBook(deckFile)
			if err != nil {
				return err
			}
			files, err := scriptFiles(args)
			if err != nil {
				return err
			}
			var scripts []*script.Script
			failed := 0
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					return fmt.Errorf("script: %w", err)
				}
				s, err := script.Parse(f, text)
				if err != nil {
					fmt.Fprintln(c.OutOrStdout(), err)
					failed++
					continue
				}
				report := script.Run(s, book)
				if !report.OK() {
					failed++
				}
				fmt.Fprintln(c.OutOrStdout(), strings.TrimRight(report.String(), "\n"))
				scripts = append(scripts, s)
			}
			if covers {
				for _, r := range script.Coverage(scripts...) {
					fmt.Fprintln(c.OutOrStdout(), r)
				}
			}
			if failed > 0 {
				return fmt.Errorf("script: %d of %d scripts failed", failed, len(files))
			}
			fmt.Fprintf(c.OutOrStdout(), "%d scripts, all as expected\n", len(files))
			return nil
		},
	}
	c.Flags().StringVar(&deckFile, "deck", "", "play with this deck file instead of the built-in deck")
	c.Flags().BoolVar(&covers, "covers", false, "list which script covers which rule")
	return c
}

func scriptFiles(args []string) ([]string, error) {
	var files []string
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case err != nil:
			return nil, fmt.Errorf("script: %w", err)
		case !info.IsDir():
			files = append(files, a)
			continue
		}
		found := len(files)
		err = filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".script" {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("script: %w", err)
		}
		if len(files) == found {
			return nil, fmt.Errorf("script: no *.script file below %s", a)
		}
		slices.Sort(files[found:])
	}
	return files, nil
}
