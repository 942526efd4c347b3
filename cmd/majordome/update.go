package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/update"
	"majordome/engine"
)

// updateCommand puts a newer package in the place of this one. Its commands but the first are for root: units start them.
func updateCommand() *cobra.Command {
	var asJSON *bool
	c := &cobra.Command{
		Use:   "update",
		Short: "A newer version, from a stick",
		Long: `Say what the stick that was plugged in last has brought, and what has become of it. A newer
package is installed on the host’s page, or here by root with install. Nothing is fetched
from anywhere: copy majordome_….deb and its .minisig to a stick (FAT32 or exFAT).`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			told := update.Read(update.Dir)
			if *asJSON {
				return printJSON(c.OutOrStdout(), told)
			}
			return sayUpdate(c.OutOrStdout(), told)
		},
	}
	asJSON = jsonFlag(c)
	c.AddCommand(updateLookCommand(), updateInstallCommand(), updateBackCommand())
	return c
}

func updateLookCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "look FOLDER",
		Short: "Look for a newer version in a folder or on a stick",
		Long: `Copy the newest package of a folder, or of a stick by its device such as /dev/sda1, check its
signature and say whether it is one to install. For root.`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := update.This().LookAt(args[0]); err != nil {
				return updateFault(err)
			}
			return sayUpdate(c.OutOrStdout(), update.Read(update.Dir))
		},
	}
}

func updateInstallCommand() *cobra.Command {
	asked := ""
	c := &cobra.Command{
		Use:   "install",
		Short: "Install what is offered",
		Long: `Back the data up, install what is offered and start it. When it does not become ready, the
version of before comes back with its data. A game goes on where it was. For root.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			sum := update.Read(update.Dir).Sum
			if asked != "" {
				if sum, err = update.Asked(asked); err != nil {
					return updateFault(err)
				}
			}
			if err := update.This().Install(sum); err != nil {
				return updateFault(err)
			}
			return sayUpdate(c.OutOrStdout(), update.Read(update.Dir))
		},
	}
	c.Flags().StringVar(&asked, "asked", "", "file with the wish of the host’s page, which is taken away")
	return c
}

func updateBackCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "back",
		Short: "Undo what was cut off",
		Long: `Put the version of before and its data back where an installation was cut off. The system
does it by itself before the table starts. For root.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := update.This().Back(); err != nil {
				err = updateFault(err)
				if update.Read(update.Dir).State != update.Stuck {
					return err
				}
				report(c.ErrOrStderr(), err) // and the daemon starts, with what there is
			}
			return nil
		},
	}
}

// sayUpdate says what was told last.
func sayUpdate(w io.Writer, told update.Told) error {
	said, fix := told.Said()
	if said == (engine.Text{}) {
		said = engine.Text{FR: "Aucun paquet plus récent n’a été trouvé.", EN: "No newer package was found."}
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", strings.TrimSpace(said.FR+" "+fix.FR), strings.TrimSpace(said.EN+" "+fix.EN))
	for _, line := range told.Changes {
		if err == nil {
			_, err = fmt.Fprintf(w, "  * %s\n", line)
		}
	}
	return err
}

// updateFault is an error with what the page says of it.
func updateFault(err error) error {
	switch {
	case errors.Is(err, update.ErrBusy):
		return sentence("update : une installation est en cours, ou attend d’être défaite au prochain démarrage", "update: an installation is under way, or waits to be undone at the next start")
	case errors.Is(err, update.ErrNotOffered):
		return sentence("update : rien n’est proposé, ou autre chose : branchez la clé USB de nouveau", "update: nothing is offered, or something else: plug the stick in again")
	}
	told := update.Read(update.Dir)
	if told.State != update.Returned && told.State != update.Stuck {
		return about("update", "update", err)
	}
	said, fix := told.Said()
	return sentence("%[1]s %[2]s (%[3]v)", "%[4]s %[5]s (%[3]v)", said.FR, fix.FR, err, said.EN, fix.EN)
}
