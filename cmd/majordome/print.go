package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/house"
	"majordome/companion/sheet"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
	"majordome/engine/words"
)

func printCommand(all games.Table) *cobra.Command {
	config, game, lang, labels := "", "", "", false
	c := &cobra.Command{
		Use:   "print",
		Short: "What is printed of a deck: labels, neutral cards",
		Long: `Write a page to be printed by a browser, or kept there as a PDF: neutral cards for who lacks
the box, or with --labels labels to sort the tags by (sheets of 65, 38 x 21 mm). The names are
those of this table. The host's page offers the same.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			what := sheet.Cards
			if labels {
				what = sheet.Labels
			}
			return printSheet(all, config, engine.ID(game), what, words.Lang(lang), c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	c.Flags().StringVar(&game, "game", "", "of which game, one of {games}, or yours; without it, of the deck file, or of the first")
	c.Flags().BoolVar(&labels, "labels", false, "labels in the place of cards")
	c.Flags().StringVar(&lang, "lang", string(words.FR), "fr or en")
	return c
}

// printSheet writes a page with the names that the owner has given; a table that was never started has those of its decks.
func printSheet(all games.Table, config string, game engine.ID, what string, lang words.Lang, out io.Writer) (err error) {
	cfg, err := house.ReadConfig(config)
	if errors.Is(err, fs.ErrNotExist) && config == defaultConfig { // a look before there is a table
		cfg, err = house.Defaults(), nil
	}
	if err != nil {
		return err
	}
	known, err := cfg.ReadDecks(all)
	if err != nil {
		return err
	}
	if game == "" {
		game = known.Decks[0].ID()
	}
	g, err := known.Known.Of(game)
	if err != nil {
		return err
	}
	if lang != words.FR && lang != words.EN {
		return misuse{sentence("print : --lang %[1]s : fr ou en", "print: --lang %[1]s: fr or en", lang)}
	}
	names, err := namesOfTable(cfg, known, g.ID)
	if err != nil {
		return err
	}
	page, err := sheet.Page(names, what, lang)
	if err != nil {
		return err
	}
	_, err = out.Write(page)
	return err
}

// namesOfTable are the names of a game as its owner and the house rules of the open game have changed them; a table that was never started has those of its decks.
func namesOfTable(cfg house.Config, known house.Games, game engine.ID) (names engine.Names, err error) {
	if _, err := os.Stat(filepath.Join(cfg.Data, storeFile)); errors.Is(err, fs.ErrNotExist) {
		i := slices.IndexFunc(known.Decks, func(d deck.Deck) bool { return d.ID() == game })
		book, err := known.Decks[i].Book()
		if err != nil {
			return nil, err
		}
		return book.Names(), nil
	}
	s, err := openStore(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := house.OpenLibrary(s, known.Decks...)
	if err != nil {
		return nil, err
	}
	return house.NamesAt(s, l.Book(game))
}
