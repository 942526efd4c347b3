package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/library"
	"majordome/companion/game"
	"majordome/companion/store"
	"majordome/engine/games"
	"majordome/engine/script"
)

// maxGames is the number of newest games among which export looks.
const maxGames = 1000

func exportCommand(all games.Table) *cobra.Command {
	configFile, spoil := "", false
	c := &cobra.Command{
		Use:   "export [GAME]",
		Short: "Write a game of the table as a script",
		Long: `Write a game that was played at this table as a script that plays it again: the last
one, or the one of that number. A script names every hidden card and who put which clue
into the urn, which nobody is ever to learn, not even after the end: it is written with
--spoil only. With changed pairings of places and weapons, play it with the deck that
check --kept prints.`,
		Args: requireArgs(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if !spoil {
				return misuse{errSpoils}
			}
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			text, err := exportGame(all, cfg, args)
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&spoil, "spoil", false, "write it with all its secrets: hands, roles and who deposited what")
	return c
}

// errSpoils guards every export: a script is a saved game offered for download
// (GEN-002), and who deposited what outlives the game (GEN-008, HC-121).
var errSpoils = newFault("un script nomme chaque carte cachée et dit qui a déposé quel indice dans l’urne, ce que personne "+
	"ne doit apprendre, même après la partie (GEN-008) : --spoil l’écrit quand même",
	"a script names every hidden card and says who put which clue into the urn, which nobody is to learn, even after the "+
		"game (GEN-008): --spoil writes it all the same")

func exportGame(all games.Table, cfg config.Config, args []string) (text []byte, err error) {
	known, err := cfg.ReadDecks(all)
	if err != nil {
		return nil, err
	}
	s, err := openStoreReadOnly(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	stored, err := findGameOrLast(s, args)
	if err != nil {
		return nil, err
	}
	decks, err := library.Open(s, known.Decks...)
	if err != nil {
		return nil, err
	}
	if _, err := known.Known.FindGame(stored.Book); err != nil {
		return nil, faultAbout(fmt.Sprintf("partie %d", stored.ID), fmt.Sprintf("game %d", stored.ID), err)
	}
	book := decks.RulebookOf(stored.Book)
	rows, err := s.Events(stored.ID)
	if err != nil {
		return nil, err
	}
	evening, err := game.BuildScript(book, rows)
	if errors.Is(err, game.ErrNoCommands) {
		return nil, newFault("partie %d : jouée avec une version qui n’enregistrait pas de quoi l’écrire",
			"game %d: played with a version that did not record what this needs", stored.ID)
	}
	if err != nil {
		return nil, err
	}
	evening.Title = fmt.Sprintf("Game %d of %s", stored.ID, stored.Began.Format("2006-01-02 15:04"))
	return script.Export(evening)
}

// findGameOrLast returns the game whose number is in args, or the last one if args is empty.
func findGameOrLast(s *store.Store, args []string) (store.Game, error) {
	games, err := s.Games(maxGames)
	if err != nil {
		return store.Game{}, err
	}
	if len(games) == 0 {
		return store.Game{}, newFault("aucune partie n’a encore été jouée à cette table", "no game has been played at this table yet")
	}
	if len(args) == 0 {
		return games[0], nil
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	i := slices.IndexFunc(games, func(g store.Game) bool { return g.ID == n })
	if err != nil || i < 0 {
		return store.Game{}, newFault("il n’y a pas de partie « %.20s » : la dernière est %d",
			"there is no game %.20q: the last one is %d", args[0], games[0].ID)
	}
	return games[i], nil
}
