package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/games"
)

func newEditionCommand(all games.Table) *cobra.Command {
	return &cobra.Command{
		Use:   "new-edition NAME",
		Short: "Write a Cluedo of your own, to be changed",
		Long: `Write NAME.yaml: a deck with an edition of its own, which plays as it stands and says in
comments what can be changed. NAME is the id of the game: lower case, digits, hyphens.
check then says what is wrong with it, demo --deck plays it, and a file in the folder decks
beside the configuration is a game of the table.`,
		Args: requireArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return createEditionFile(all, args[0], c.OutOrStdout()) },
	}
}

func createEditionFile(all games.Table, name string, out io.Writer) error {
	file, text := name+".yaml", cluedo.SkeletonYAML(engine.ID(name))
	if _, _, err := all.WithDeck(file, text); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return newFault("%[1]s : ce fichier est déjà là : prenez un autre nom",
			"%[1]s: this file is there already: take another name", file)
	case err != nil:
		return newFault("%[1]s : ce fichier ne peut pas être écrit : vérifiez vos droits dans ce dossier",
			"%[1]s: this file cannot be written: check your rights in this folder", file)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(out, "%[1]s est écrit. Pour y jouer · is written. To play it: majordome demo --deck %[1]s\n", file)
	return nil
}
