package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/config"
)

func hostCommand() *cobra.Command {
	configFile, replaceLink, pin := "", false, false
	var asJSON *bool
	c := &cobra.Command{
		Use:   "host",
		Short: "The host's link, for who has a shell on the table's machine",
		Long: `Ask the running table for the link to the host's page. It opens the page once, on the
phone that uses it; each call makes a new one. Without a shell the host's phone is let in at
the table: by the screen of the machine, or by a card laid on a reader as the phone says.
Where the page asks who is there, --pin draws another PIN for the owner.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			var links adminsocket.Links
			var owner adminsocket.Owner
			if pin {
				owner, err = adminsocket.RequestNewPIN(cfg.Data)
			} else {
				links, err = adminsocket.RequestLinks(cfg.Data, replaceLink)
			}
			if errors.Is(err, adminsocket.ErrNoDaemon) {
				return newFault("la table ne répond pas (%s) : démarrez-la (sudo systemctl start majordome), et demandez "+
					"avec sudo, ou indiquez sa configuration par --config",
					"the table does not answer (%s): start it (sudo systemctl start majordome), and ask with sudo, or name "+
						"its configuration with --config", cfg.Data)
			}
			if err != nil {
				return err
			}
			switch {
			case pin && owner.PIN == "":
				return newFault("cette table n’a pas de comptes : sa page ne demande aucun code",
					"this table has no accounts: its page asks for no PIN")
			case pin && *asJSON:
				return printJSON(c.OutOrStdout(), owner)
			case pin:
				_, err = fmt.Fprintf(c.OutOrStdout(), "Le nouveau code de %[1]s · the new PIN of %[1]s: %[2]s\n", owner.Name, owner.PIN)
				return err
			case *asJSON:
				return printJSON(c.OutOrStdout(), links)
			}
			if err := printLinks(c.OutOrStdout(), links); err != nil || !links.Joined {
				return err
			}
			fmt.Fprint(c.OutOrStdout(), "Un téléphone a déjà la page de l’hôte : majordome host --new le remplace.\n"+
				"A phone has the host's page: majordome host --new replaces it.\n")
			return nil
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&replaceLink, "new", false, "a new link, and the phone that has the host's page is out")
	c.Flags().BoolVar(&pin, "pin", false, "another PIN for the owner's account, shown once; whoever waits after wrong ones waits no more")
	c.MarkFlagsMutuallyExclusive("new", "pin")
	asJSON = addJSONFlag(c)
	return c
}
