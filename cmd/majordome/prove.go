package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/script"
)

func proveCommand(all games.Table) *cobra.Command {
	deck := ""
	c := &cobra.Command{
		Use:   "prove FILE [CODE ...]",
		Short: "Check an evening against the codes that the table has shown",
		Long: `Play an evening again that majordome script export --spoil has written, and print the codes
to which its table was committed: one for each deal, and one for the evening. Whoever has
noted a code of a phone or of the public line during the evening gives it, at least its first
32 characters: it stands for no other deal, roll or act. If phones have added to the seed of
the dice, each roll must come from that seed; the phones and the number of rolls are printed. The exit status is 1 if the evening
cannot have been like that, or has not that code.`,
		Args: requireArgs(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			books, err := rulebooksWithFileDeck(all, deck)
			if err != nil {
				return err
			}
			codes, err := proveFile(args[0], books)
			if err != nil {
				return faultAbout(args[0], args[0], err)
			}
			out := c.OutOrStdout()
			for _, root := range codes.Roots {
				fmt.Fprintln(out, "donne · deal      ", root)
			}
			for _, head := range codes.Heads[max(0, len(codes.Heads)-1):] {
				fmt.Fprintln(out, "soirée · evening  ", head)
			}
			if len(codes.Phones) > 0 {
				fmt.Fprintf(out, "hasard · chance    %d: %s\n", codes.Draws, strings.Join(codes.Phones, ", "))
			}
			return findCodes(codes, args[1:])
		},
	}
	c.Flags().StringVar(&deck, "deck", "", "play with this deck file instead of the built-in deck")
	return c
}

// proveFile returns the codes of an exported evening.
func proveFile(file string, books []engine.Rulebook) (codes game.Commitments, err error) {
	text, err := config.ReadFile(file)
	if err != nil {
		return codes, err
	}
	s, err := script.Parse(file, text)
	if err != nil {
		return codes, err
	}
	evening, err := s.Evening()
	i := slices.IndexFunc(books, func(b engine.Rulebook) bool { return b.ID() == s.Game })
	if errors.Is(err, script.ErrNoEvening) || i < 0 {
		return codes, newFault("ce n’est pas une soirée écrite par majordome script export --spoil, ou son jeu est inconnu (--deck)",
			"this is no evening that majordome script export --spoil has written, or its game is unknown (--deck)")
	}
	codes, err = game.ProveEvening(books[i], evening)
	var other *game.OutcomeError
	var seed *game.SeedError
	switch {
	case errors.Is(err, game.ErrNoSalts):
		return codes, newFault("commencée avec une version qui ne scellait pas encore la donne : Majordome n’a montré aucun code",
			"begun with a version that did not seal the deal yet: Majordome has shown no code")
	case errors.As(err, &seed):
		return codes, newFault("la commande %d n’a pas tiré de la graine des téléphones : le fichier a été changé, ou Majordome a triché",
			"command %d did not draw from the seed of the phones: the file was changed, or Majordome has cheated", seed.N)
	case errors.As(err, &other):
		return codes, newFault(
			"la commande %d n’a pas pu finir ainsi : le fichier a été changé, ou il faut le jeu de cartes de la table (--deck)",
			"command %d cannot have ended like that: the file was changed, or needs the deck of the table (--deck)", other.N)
	}
	return codes, err
}

// minCode is the least number of characters by which a code can be given: 128 bits, which no two evenings share.
const minCode = 32

// findCodes returns an error for the first code that the evening does not have.
func findCodes(has game.Commitments, codes []string) error {
	all := slices.Concat(has.Roots, has.Heads)
	for _, code := range codes {
		if len(code) < minCode {
			return misuse{newFault("%q : donnez au moins %d caractères du code",
				"%q: give at least %d characters of the code", code, minCode)}
		}
		if !slices.ContainsFunc(all, func(one string) bool { return strings.HasPrefix(one, code) }) {
			return newFault("%s : ce n’est pas la soirée qui a montré ce code",
				"%s: this is not the evening that has shown this code", code)
		}
	}
	return nil
}
