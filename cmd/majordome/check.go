package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/cmd/majordome/guide"
	"majordome/cmd/majordome/library"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/ownfile"
	"majordome/engine/script"
)

func checkCommand(all games.Table) *cobra.Command {
	show, kept, pictures, configFile, game := false, false, "", "", ""
	var asJSON *bool
	c := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check the whole table, or a file that you wrote: a deck, the configuration, a script",
		Long: `Without FILE, check all that makes this table, also while it runs and without touching a chip:
configuration, variables of the environment, decks with their editions and sentences, what the
store keeps, tags, and what the system says of buses, rights, supply and ports. With FILE, check
that alone: a deck of any game, the configuration of the table with the deck that it names, or a
script; which of them it is shows in its content. All that is wrong is told at once, with line and
column. --default prints the built-in deck to start from, and --kept the deck of this table, with
the names that were changed on the host's page. --pictures draws the wiring of a configuration,
wire by wire, as files for a browser.`,
		Args: requireArgs(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if show {
				known, err := readGamesOrBuiltIn(all, configFile)
				if err != nil {
					return err
				}
				return printDefaultDeck(known, engine.ID(game), c.OutOrStdout())
			}
			if kept {
				return printChangedDeck(all, configFile, engine.ID(game), c.OutOrStdout())
			}
			if pictures != "" {
				return writeWiringPictures(cmp.Or(strings.Join(args, ""), configFile), pictures, c.OutOrStdout())
			}
			if len(args) == 0 {
				return printFindings("check", checkTable(all, thisMachine(), configFile), false, *asJSON, c.OutOrStdout())
			}
			return checkAndPrintFile(all, configFile, args[0], *asJSON, c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&show, "default", false, "print the built-in deck")
	c.Flags().BoolVar(&kept, "kept", false, "print the deck of this table, with the names changed there")
	c.Flags().StringVar(&pictures, "pictures", "", "folder for pictures of the wiring, of the strips and of the slot, in both languages")
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table, whose decks are known too")
	c.Flags().StringVar(&game, "game", string(all[0].ID), "whose deck is printed: {games}, or yours")
	asJSON = addJSONFlag(c)
	return c
}

// checkAndPrintFile checks one file and prints the result. It returns an error if the file is faulty.
func checkAndPrintFile(all games.Table, configFile, name string, asJSON bool, out io.Writer) error {
	kind, err := checkFile(all, configFile, name)
	if asJSON {
		found := doctor.FaultFindings("file", err)
		if err == nil {
			fine := doctor.NewFinding("file", doctor.OK, kind, engine.Text{})
			fine.File = name
			found = []doctor.Finding{fine}
		}
		return printFindings("check", found, false, true, out)
	}
	if err == nil {
		fmt.Fprintf(out, "%s: %s, rien à redire · %s, nothing wrong\n", name, kind.FR, kind.EN)
	}
	return err
}

// printFindings writes findings, withRepairs also the lines and commands that repair them. It returns an error if one of
// them is a fault.
func printFindings(command string, found []doctor.Finding, withRepairs, asJSON bool, out io.Writer) error {
	tell := func(w io.Writer, all []doctor.Finding) error { return doctor.Print(w, all, withRepairs) }
	if asJSON {
		tell = doctor.PrintJSON
	}
	if err := tell(out, found); err != nil {
		return err
	}
	if n := doctor.CountFaults(found); n > 0 {
		return newFault(command+" : %[1]d défaut(s) à réparer", command+": %[1]d fault(s) to mend", n)
	}
	return nil
}

// writeWiringPictures writes the pictures of a configuration into a folder, in both languages, and prints their names.
func writeWiringPictures(configFile, folder string, out io.Writer) error {
	cfg, err := config.ReadConfig(configFile)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return newFault("%[1]s : ce dossier ne peut pas être fait (%[2]v)",
			"%[1]s: this folder cannot be made (%[2]v)", folder, errors.Unwrap(err))
	}
	for _, lang := range []string{"fr", "en"} {
		for _, p := range guide.DrawPictures(cfg, lang == "fr") {
			name := filepath.Join(folder, p.Name+"."+lang+".svg")
			if err := os.WriteFile(name, p.SVG, 0o644); err != nil {
				return newFault("%[1]s ne peut pas être écrit (%[2]v)", "%[1]s cannot be written (%[2]v)", name, errors.Unwrap(err))
			}
			fmt.Fprintln(out, name)
		}
	}
	return nil
}

// readGamesOrBuiltIn returns the games of the table or, if its configuration cannot be read, those of the program.
// A configuration file that does not exist is an error.
func readGamesOrBuiltIn(all games.Table, configFile string) (games.Table, error) {
	cfg, err := config.ReadConfig(configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		if g, err := cfg.ReadDecks(all); err == nil {
			return g.Known, nil
		}
	}
	return all, nil
}

// printDefaultDeck writes a built-in deck unchanged, with its comments.
func printDefaultDeck(all games.Table, game engine.ID, out io.Writer) error {
	g, err := all.FindGame(game)
	if err == nil {
		_, err = out.Write(g.Default)
	}
	return err
}

// printChangedDeck writes the deck of a game as a file, with the names that were changed at this table.
func printChangedDeck(all games.Table, configFile string, game engine.ID, out io.Writer) (err error) {
	its, err := readGamesOrBuiltIn(all, configFile)
	if err != nil {
		return err
	}
	if _, err := its.FindGame(game); err != nil {
		return err
	}
	cfg, err := config.ReadConfig(configFile)
	if err != nil {
		return err
	}
	known, err := cfg.ReadDecks(all)
	if err != nil {
		return err
	}
	s, err := openStoreReadOnly(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := library.Open(s, known.Decks...)
	if err != nil {
		return err
	}
	if err := l.UnreadableChanges(game); err != nil {
		return err
	}
	text, err := l.Deck(game).EncodeYAML()
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// checkFile checks a file that its owner wrote and returns what kind of file it is.
func checkFile(all games.Table, configFile, name string) (kind engine.Text, err error) {
	text, err := config.ReadFile(name)
	if err != nil {
		return kind, err
	}
	its, err := readGamesOrBuiltIn(all, configFile)
	if err != nil {
		return kind, err
	}
	if script.IsScript(name, text) {
		return checkScript(its, name, text)
	}
	f := ownfile.Parse(name, text)
	switch keys := f.TopKeys(); {
	case hasAnyKey(keys, []string{"game"}):
		return checkDeck(all, name, text)
	case hasAnyKey(keys, ownfile.YAMLKeys(config.Config{})):
		return checkConfig(all, name, text)
	case hasAnyKey(keys, all.DeckKeys()):
		return checkDeck(all, name, text)
	}
	if err := f.Err(); err != nil &&
		(!ownfile.IsUTF8WithinLimit(text) ||
			hasAnyKey(keysAtLineStarts(text), slices.Concat(ownfile.YAMLKeys(config.Config{}), all.DeckKeys()))) {
		return kind, err // probably one of our files, but no valid YAML
	}
	return kind, &ownfile.Fault{File: name, Line: 1, Column: 1,
		What: engine.T("ce n’est ni un jeu de cartes, ni une configuration, ni un script",
			"this is no deck, no configuration and no script"),
		Hint: engine.Tf("un jeu de cartes commence par « game: » et un de %[1]s ; une configuration a « listen: » ou « readers: » ; "+
			"un script commence par « game » et un de %[1]s",
			"a deck begins with \"game:\" and one of %[1]s; a configuration has \"listen:\" or \"readers:\"; "+
				"a script begins with \"game\" and one of %[1]s", strings.Join(all.IDs(), ", "))}
}

// keysAtLineStarts returns the keys that lines begin with, in a text that may be no valid YAML.
func keysAtLineStarts(text []byte) (keys []string) {
	for line := range strings.Lines(string(text)) {
		if key, _, ok := strings.Cut(line, ":"); ok {
			keys = append(keys, strings.TrimRight(strings.TrimPrefix(key, "\ufeff"), " "))
		}
	}
	return keys
}

func hasAnyKey(keys, known []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(known, k) })
}

func checkDeck(all games.Table, name string, text []byte) (kind engine.Text, err error) {
	d, err := all.ParseDeck(name, text)
	if err != nil {
		return kind, err
	}
	book, err := d.NewRulebook()
	if err != nil {
		return kind, err
	}
	return engine.Tf("jeu de cartes de %s", "deck of %s", book.ID()), nil
}

// checkConfig checks the configuration and the deck that it names.
func checkConfig(all games.Table, name string, text []byte) (kind engine.Text, err error) {
	cfg, err := config.ParseConfig(name, text)
	known, wrong := cfg.ReadDecks(all)
	err = errors.Join(err, wrong, known.Skipped)
	return engine.T("configuration", "configuration"), err
}

func checkScript(all games.Table, name string, text []byte) (kind engine.Text, err error) {
	s, err := script.Parse(name, text)
	if err != nil {
		return kind, err
	}
	if _, err := all.FindGame(s.Game); err != nil {
		return kind, err
	}
	return engine.Tf("script de %s", "script of %s", s.Game), nil
}
