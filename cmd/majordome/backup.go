package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/storage"
	"majordome/companion/store"
)

func backupCommand() *cobra.Command {
	configFile := ""
	var asJSON *bool
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write all that the table keeps into one file",
		Long: `Write games, tags, names and the keys of the phones into one new file, also while
the table is being played. Keep it like a key: whoever reads it knows every secret.`,
		Args: requireArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			s, err := openStoreReadOnly(cfg)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			if err := s.WriteBackup(args[0]); err != nil {
				return err
			}
			if *asJSON {
				info, err := os.Stat(args[0])
				if err != nil {
					return config.FileFault(args[0], err)
				}
				return printJSON(c.OutOrStdout(), backupReport{args[0], info.Size()})
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: sauvegarde faite · backup written\n"+
				"Elle contient tous les secrets, même qui a déposé quel indice (GEN-008) : à garder comme une clé, hors des "+
				"yeux de la table.\n"+
				"It holds every secret, even who deposited which clue (GEN-008): keep it like a key, out of the players' sight.\n", args[0])
			return nil
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	asJSON = addJSONFlag(c)
	return c
}

// backupReport is the JSON report of a backup.
type backupReport struct {
	File string `json:"file"`
	Size int64  `json:"size_bytes"`
}

func restoreCommand() *cobra.Command {
	configFile, yes := "", false
	var asJSON *bool
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of what the table keeps",
		Long: `Put a backup in the place of what the table keeps. The daemon must not be running.
It says first what would be replaced, and with what, and asks. What stood there is kept
beside it, under a number of its own: majordome.db.1, majordome.db.2 ... These can be
restored in the same way, unless they are damaged. The accounts of the host's page stay
as they are now: nobody who was sent away comes back, and no former PIN.`,
		Args: requireArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			if *asJSON && !yes {
				return misuse{newFault("restore : --json ne pose pas de question : ajoutez --yes",
					"restore: --json asks no question: add --yes")}
			}
			if err := config.CheckReadable(args[0]); err != nil {
				return err
			}
			to := filepath.Join(cfg.Data, storage.File)
			if *asJSON {
				return restoreAndPrintJSON(args[0], to, c.OutOrStdout())
			}
			return restoreAfterQuestion(args[0], to, yes, c.InOrStdin(), c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	asJSON = addJSONFlag(c)
	c.Flags().Lookup("json").Usage += "; with --yes"
	return c
}

// restoreReport is the JSON report of a restore.
type restoreReport struct {
	File   string         `json:"file"`
	Before *storeContents `json:"was"` // null: there was no store, or it could not be read
	Now    *storeContents `json:"now"`
	Kept   string         `json:"kept,omitempty"` // file of the former state
	Stay   bool           `json:"accounts_stay,omitempty"`
}

// storeContents counts the contents of a store.
type storeContents struct {
	Games int        `json:"games"`
	Steps int64      `json:"steps"` // of the last game
	Seats int        `json:"seats"`
	Tags  int        `json:"tags"`
	Last  *time.Time `json:"last"` // time of the last step; null: no step yet
}

func newStoreContents(s store.Summary) *storeContents {
	h := &storeContents{Games: s.Games, Steps: s.Steps, Seats: s.Seats, Tags: s.Tags}
	if !s.LastEvent.IsZero() {
		h.Last = &s.LastEvent
	}
	return h
}

// restoreAndPrintJSON replaces the store to by the backup from, without a question, and prints a restoreReport.
func restoreAndPrintJSON(from, to string, out io.Writer) error {
	r, err := store.PrepareRestore(from, to)
	if err != nil {
		return err
	}
	done := restoreReport{File: to, Now: newStoreContents(r.New), Stay: r.KeepsAccounts}
	if r.HasOld {
		done.Before = newStoreContents(r.Old)
	}
	if done.Kept, err = r.Commit(); err != nil {
		return err
	}
	return printJSON(out, done)
}

// restoreAfterQuestion prints what the backup from would replace in the store to, asks for a yes unless skipQuestion, and replaces it.
func restoreAfterQuestion(from, to string, skipQuestion bool, in io.Reader, out io.Writer) error {
	r, err := store.PrepareRestore(from, to)
	if err != nil {
		return err
	}
	was := "rien, ou rien de lisible · nothing, or nothing that can be read"
	if r.HasOld {
		was = formatSummary(r.Old)
	}
	fmt.Fprintf(out, "À remplacer · to be replaced: %s\n    %s\nPar · by: %s\n    %s\n", to, was, from, formatSummary(r.New))
	if r.KeepsAccounts {
		fmt.Fprintln(out, "Les comptes restent ceux de maintenant · the accounts stay those of now")
	}
	if !skipQuestion {
		fmt.Fprint(out, "Continuer ? Répondez oui · Go on? Answer yes: ")
		answer, _ := bufio.NewReader(io.LimitReader(in, 100)).ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "oui", "o", "yes", "y":
		default:
			return errors.Join(newFault("rien n’a été remplacé : répondez oui, ou ajoutez --yes",
				"nothing was replaced: answer yes, or add --yes"), r.Cancel())
		}
	}
	kept, err := r.Commit()
	if err != nil {
		return err
	}
	if kept != "" {
		fmt.Fprintf(out, "%s: l’état d’avant · the former state\n", kept)
	}
	fmt.Fprintf(out, "%s: sauvegarde remise en place · backup restored\n", to)
	return nil
}

// formatSummary describes the contents of a store in one line.
func formatSummary(s store.Summary) string {
	last := "aucun coup encore · no step yet"
	if !s.LastEvent.IsZero() {
		last = s.LastEvent.Format("2006-01-02 15:04:05")
	}
	return fmt.Sprintf("parties · games %d (coups de la dernière · steps of the last %d), places · seats %d, puces · tags %d, %s",
		s.Games, s.Steps, s.Seats, s.Tags, last)
}
