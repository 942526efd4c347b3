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
		text, err := readFile(deckFile)
		if err != nil {
			return nil, err
		}
		if d, err = deck.Parse(deckFile, text); err != nil {
			return nil, err
		}
	}
	return huisclos.New(d)
}

// readFile reads a file that somebody has named.
func readFile(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, sentence("%s : ce fichier n’existe pas", "%s: there is no such file", name)
	case err != nil:
		return nil, sentence("%s : ce fichier ne peut pas être lu : %v", "%s: this file cannot be read: %v", name, err)
	}
	return text, nil
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
				return sentence("check : indiquez un fichier, ou --default pour obtenir le jeu fourni comme modèle",
					"check: name a file, or use --default to print the built-in deck as a model")
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
				text, err := readFile(f)
				if err != nil {
					return err
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
				return sentence("scripts qui ne donnent pas ce qui est attendu : %d sur %d", "scripts that do not give what is expected: %d of %d", failed, len(files))
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
		case errors.Is(err, fs.ErrNotExist):
			return nil, sentence("%s : ni fichier ni dossier de ce nom", "%s: there is no such file or folder", a)
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
			return nil, sentence("%s : aucun fichier *.script dans ce dossier", "%s: no *.script file below this folder", a)
		}
		slices.Sort(files[found:])
	}
	return files, nil
}
