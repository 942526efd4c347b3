package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/house"
	"majordome/companion/store"
	"majordome/companion/table"
	"majordome/engine/script"
)

// maxGames is how far back export looks.
const maxGames = 1000

func exportCommand() *cobra.Command {
	config, spoil := "", false
	c := &cobra.Command{
		Use:   "export [GAME]",
		Short: "Write a game of the table as a script",
		Long: `Write a game that was played at this table as a script that plays it again: the last
one that is over, or the one of that number. A script names every hidden card: a game
that is still being played is written with --spoil only. With changed pairings of
places and weapons, play it with the deck that check --kept prints.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := house.ReadConfig(config)
			if err != nil {
				return err
			}
			text, err := exportGame(cfg, args, spoil)
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&spoil, "spoil", false, "also a game that is still being played, with all its secrets")
	return c
}

func exportGame(cfg house.Config, args []string, spoil bool) (text []byte, err error) {
	base, err := readDeck(cfg.Deck)
	if err != nil {
		return nil, err
	}
	s, err := openStore(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	game, err := pickGame(s, args, spoil)
	if err != nil {
		return nil, err
	}
	decks, err := house.OpenLibrary(s, base)
	if err != nil {
		return nil, err
	}
	book, err := decks.Book()
	if err != nil {
		return nil, err
	}
	if book.ID() != game.Book {
		return nil, sentence("partie %d : ce programme ne connaît pas le jeu « %s »", "game %d: this program does not know the game %q", game.ID, string(game.Book))
	}
	rows, err := s.Events(game.ID)
	if err != nil {
		return nil, err
	}
	evening, err := table.Replay(book, rows)
	if errors.Is(err, table.ErrNoCommands) {
		return nil, sentence("partie %d : jouée avec une version qui n’enregistrait pas de quoi l’écrire", "game %d: played with a version that did not record what this needs", game.ID)
	}
	if err != nil {
		return nil, err
	}
	evening.Title = fmt.Sprintf("Game %d of %s", game.ID, game.Began.Format("2006-01-02 15:04"))
	return script.Export(evening)
}

// pickGame is the game that args name, or the last one that may be written.
func pickGame(s *store.Store, args []string, spoil bool) (store.GameRow, error) {
	games, err := s.Games(maxGames)
	if err != nil {
		return store.GameRow{}, err
	}
	if len(args) == 0 {
		if i := slices.IndexFunc(games, func(g store.GameRow) bool { return g.Over || spoil }); i >= 0 {
			return games[i], nil
		}
		return store.GameRow{}, sentence("aucune partie n’est finie : --spoil écrit aussi celle que l’on joue, avec tous ses secrets",
			"no game is over: --spoil also writes the one that is being played, with all its secrets")
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	i := slices.IndexFunc(games, func(g store.GameRow) bool { return g.ID == n })
	switch {
	case err != nil || i < 0:
		return store.GameRow{}, sentence("il n’y a pas de partie « %.20s » : la dernière est %d", "there is no game %.20q: the last one is %d", args[0], newest(games))
	case !games[i].Over && !spoil:
		return store.GameRow{}, sentence("la partie %d se joue encore : --spoil l’écrit quand même, avec tous ses secrets",
			"game %d is still being played: --spoil writes it all the same, with all its secrets", n)
	}
	return games[i], nil
}

// newest is the number of the last game, 0 for none.
func newest(games []store.GameRow) int64 {
	if len(games) == 0 {
		return 0
	}
	return games[0].ID
}
