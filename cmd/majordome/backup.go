package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/house"
	"majordome/companion/store"
)

func backupCommand() *cobra.Command {
	config := ""
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write all that the table keeps into one file",
		Long: `Write games, tags, names and the keys of the phones into one new file, also while
the table is being played. Keep it like a key: whoever reads it knows every secret.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			cfg, err := house.ReadConfig(config)
			if err != nil {
				return err
			}
			s, err := openStore(cfg)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			if err := s.Backup(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: sauvegarde faite · backup written\n"+
				"Elle contient tous les secrets, même qui a déposé quel indice (GEN-008) : à garder comme une clé, hors des yeux de la table.\n"+
				"It holds every secret, even who deposited which clue (GEN-008): keep it like a key, out of the players' sight.\n", args[0])
			return nil
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	return c
}

func restoreCommand() *cobra.Command {
	config := ""
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of what the table keeps",
		Long: `Put a backup in the place of what the table keeps. The daemon must not be running.
What stood there is kept beside it, under a name that ends in .before.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := house.ReadConfig(config)
			if err != nil {
				return err
			}
			if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
				return sentence("%s : ce fichier n’existe pas", "%s: there is no such file", args[0])
			}
			to := filepath.Join(cfg.Data, storeFile)
			if err := store.Restore(args[0], to); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: sauvegarde remise en place · backup restored\n", to)
			return nil
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	return c
}
