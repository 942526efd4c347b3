package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/update"
	"majordome/engine"
)

// updateCommand returns the command that reports on newer packages. The commands below it find and install them; they
// are for root, and systemd units run them.
func updateCommand() *cobra.Command {
	var asJSON *bool
	var dir *string
	c := &cobra.Command{
		Use:   "update",
		Short: "A newer version, from a stick",
		Long: `Say what the stick that was plugged in last has brought, and what has become of it. A newer
package is installed on the host’s page, or here by root with install. Nothing is fetched
from anywhere: copy majordome_….deb and its .minisig to a stick (FAT32 or exFAT).`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			told := update.ReadReport(*dir)
			if *asJSON {
				return cmp.Or(printJSON(c.OutOrStdout(), told), failureInReport(told))
			}
			return printUpdateReport(c.OutOrStdout(), told)
		},
	}
	asJSON, dir = addJSONFlag(c), addDirFlag(c)
	c.AddCommand(updateLookCommand(), updateInstallCommand(), updateRecoverCommand())
	return c
}

// addDirFlag adds the flag that names the folder where root keeps offered updates and the one under way.
func addDirFlag(c *cobra.Command) *string {
	return c.Flags().String("dir", update.Dir, "folder with what is offered and what is under way")
}

// updateMachineIn returns this computer with dir as the folder of its updates.
func updateMachineIn(dir string) *update.Machine {
	m := update.NewMachine()
	m.Dir = dir
	return m
}

func updateLookCommand() *cobra.Command {
	var dir *string
	c := &cobra.Command{
		Use:   "look FOLDER",
		Short: "Look for a newer version in a folder or on a stick",
		Long: `Copy the newest package of a folder, or of a stick by its device such as /dev/sda1, check its
signature and say whether it is one to install. The exit status is 1 where it is refused. For root.`,
		Args: requireArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			told, err := updateMachineIn(*dir).CheckFolderOrStick(args[0])
			if err != nil {
				return explainUpdateError(*dir, err)
			}
			if told.State == "" {
				_, err := fmt.Fprintf(c.OutOrStdout(),
					"Aucun fichier majordome_….deb n’est dans %[1]s.\nNo file majordome_….deb is in %[1]s.\n", args[0])
				return err
			}
			return printUpdateReport(c.OutOrStdout(), told)
		},
	}
	dir = addDirFlag(c)
	return c
}

func updateInstallCommand() *cobra.Command {
	asked := ""
	var dir *string
	c := &cobra.Command{
		Use:   "install",
		Short: "Install what is offered",
		Long: `Back the data up, install what is offered and start it. When it does not become ready, the
version of before comes back with its data. A game goes on where it was. For root.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			sum := update.ReadReport(*dir).Sum
			if asked != "" {
				if sum, err = update.TakeRequest(asked); err != nil {
					return explainUpdateError(*dir, err)
				}
			}
			if err := updateMachineIn(*dir).Install(sum); err != nil {
				return explainUpdateError(*dir, err)
			}
			return printUpdateReport(c.OutOrStdout(), update.ReadReport(*dir))
		},
	}
	c.Flags().StringVar(&asked, "asked", "", "file with the wish of the host’s page, which is taken away")
	dir = addDirFlag(c)
	return c
}

func updateRecoverCommand() *cobra.Command {
	var dir *string
	c := &cobra.Command{
		Use:   "back",
		Short: "Undo what was cut off",
		Long: `Put the version of before and its data back where an installation was cut off. The system
does it by itself before the table starts. For root.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := updateMachineIn(*dir).Recover(); err != nil {
				err = explainUpdateError(*dir, err)
				if update.ReadReport(*dir).State != update.Stuck {
					return err
				}
				printFaults(c.ErrOrStderr(), err) // and the daemon starts, with what there is
			}
			return nil
		},
	}
	dir = addDirFlag(c)
	return c
}

// printUpdateReport prints the status of updates; a fault among them is returned as an error.
func printUpdateReport(w io.Writer, status update.Report) error {
	if status.IsFailure() {
		return failureInReport(status)
	}
	said, fix := status.Texts()
	if said == (engine.Text{}) {
		said = engine.T("Aucun paquet plus récent n’a été trouvé.", "No newer package was found.")
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", strings.TrimSpace(said.FR+" "+fix.FR), strings.TrimSpace(said.EN+" "+fix.EN))
	for _, line := range status.Changes {
		if err == nil {
			_, err = fmt.Fprintf(w, "  * %s\n", line)
		}
	}
	return err
}

// failureInReport returns the fault in a status of updates; nil if there is none.
func failureInReport(status update.Report) error {
	if !status.IsFailure() {
		return nil
	}
	said, fix := status.Texts()
	return newFault("update : %[1]s %[2]s", "update: %[3]s %[4]s", said.FR, fix.FR, said.EN, fix.EN)
}

// explainUpdateError explains an error with the status in the folder of updates.
func explainUpdateError(dir string, err error) error {
	switch {
	case errors.Is(err, update.ErrBusy):
		return newFault("update : une installation est en cours, ou attend d’être défaite au prochain démarrage",
			"update: an installation is under way, or waits to be undone at the next start")
	case errors.Is(err, update.ErrNotOffered):
		return newFault("update : rien n’est proposé, ou autre chose : branchez la clé USB de nouveau",
			"update: nothing is offered, or something else: plug the stick in again")
	}
	status := update.ReadReport(dir)
	if status.State != update.RolledBack && status.State != update.Stuck {
		return faultAbout("update", "update", err)
	}
	said, fix := status.Texts()
	return newFault("%[1]s %[2]s (%[3]v)", "%[4]s %[5]s (%[3]v)", said.FR, fix.FR, err, said.EN, fix.EN)
}
