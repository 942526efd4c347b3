package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/console"
	"majordome/engine"
	"majordome/engine/games"
)

func venueCommand(all games.Table) *cobra.Command {
	configFile, link, replace, pin := "", false, false, false
	c := &cobra.Command{
		Use:   "venue",
		Short: "The console of many tables: what is played, what wants a person",
		Long: `Serve one page for all tables of a venue: what is played, what wants a person, and acts at one
table or at all. Each table goes on alone without it. The configuration names the broker of the
venue (engine) and the account of the console there; each table names the same broker with its key
venue. --link asks the running console for the link of one more device, --new ends those that have
the page, --pin draws another PIN for the owner of its accounts.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := console.ReadConfig(configFile)
			if err != nil {
				return err
			}
			if link || replace || pin {
				return printFromConsole(c.OutOrStdout(), cfg, replace, pin)
			}
			names, err := gameTitles(all)
			if err != nil {
				return err
			}
			var run *console.Console
			run, err = console.Open(&console.Opts{Config: cfg, Titles: names,
				Log: slog.New(slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelInfo}))})
			if err != nil {
				return err
			}
			return run.Run(c.Context(), func() error { return printConsoleLinks(c.OutOrStdout(), run) })
		},
	}
	c.Flags().StringVar(&configFile, "config", console.DefaultFile, "configuration of this console")
	c.Flags().BoolVar(&link, "link", false, "the link of one more device of an operator")
	c.Flags().BoolVar(&replace, "new", false, "a new link, and the devices that have the page are out")
	c.Flags().BoolVar(&pin, "pin", false, "another PIN for the owner's account, shown once; whoever waits after wrong ones waits no more")
	c.MarkFlagsMutuallyExclusive("link", "new", "pin")
	return c
}

// gameTitles returns the names of the games that this program knows.
func gameTitles(all games.Table) (names []engine.Name, err error) {
	for _, d := range all.DefaultDecks() {
		book, err := d.NewRulebook()
		if err != nil {
			return nil, err
		}
		for _, n := range book.Names() {
			if n.Kind == "game" {
				names = append(names, n)
			}
		}
	}
	return names, nil
}

// printConsoleLinks prints the address of the page at the start. A terminal also gets a link with its QR code; a log never has it.
func printConsoleLinks(w io.Writer, c *console.Console) error {
	if !isTerminal(w) {
		printConsoleLink(w, c.Network.URL()+"/venue")
		return nil
	}
	l, err := c.IssueLinks(false)
	if err != nil {
		return err
	}
	if printConsoleLink(w, l.Host); l.Joined {
		return nil
	}
	return printQR(w, l.Host)
}

func printConsoleLink(w io.Writer, url string) {
	fmt.Fprintf(w, "La console de la salle · the console of the venue:\nConsole  %s\n", url)
}

// printFromConsole prints what the running console answers: a link, or with pin a new PIN.
func printFromConsole(w io.Writer, cfg console.Config, replace, pin bool) error {
	var links adminsocket.Links
	var owner adminsocket.Owner
	var err error
	if pin {
		owner, err = adminsocket.RequestNewPIN(cfg.Data)
	} else {
		links, err = adminsocket.RequestLinks(cfg.Data, replace)
	}
	switch {
	case errors.Is(err, adminsocket.ErrNoDaemon):
		return newFault("la console ne répond pas (%s) : démarrez-la (sudo systemctl start majordome-venue), et demandez avec sudo",
			"the console does not answer (%s): start it (sudo systemctl start majordome-venue), and ask with sudo", cfg.Data)
	case err != nil:
		return err
	case pin && owner.PIN == "":
		return newFault("cette console n’a pas de comptes : sa page ne demande aucun code",
			"this console has no accounts: its page asks for no PIN")
	case pin:
		_, err = fmt.Fprintf(w, "Le nouveau code de %[1]s · the new PIN of %[1]s: %[2]s\n", owner.Name, owner.PIN)
		return err
	}
	if printConsoleLink(w, links.Host); links.Joined {
		fmt.Fprint(w, "Trois appareils ont déjà la page : majordome venue --new les remplace.\n"+
			"Three devices have the page already: majordome venue --new replaces them.\n")
	}
	return nil
}
