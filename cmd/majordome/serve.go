package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/house"
	"majordome/devices/dial"
	"majordome/engine/games"
)

func serveCommand(all games.Table) *cobra.Command {
	config, anew := "", false
	c := &cobra.Command{
		Use:   "serve",
		Short: "The table itself, with its readers and lights",
		Long: `Run the table: readers, lights, pages and MQTT as the configuration says. What is
not found is named, with how to get it, before anything starts. Without a file the
table is played from the phones. Variables such as MAJORDOME_LISTEN win over it; the
README lists them all.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			startsInARow().wait(c.Context())
			cfg, err := house.ReadTable(config)
			if err != nil {
				return err
			}
			return again(cfg, c.ErrOrStderr(), func(first bool) error {
				return serve(c.Context(), all, cfg, anew && first, c.OutOrStdout(), c.ErrOrStderr())
			})
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&anew, "new-game", false, "open a new game; the one on the table is kept, but not played on")
	return c
}

// serve names everything that is wrong before it gives up, so that the owner
// mends it in one go.
func serve(ctx context.Context, all games.Table, cfg house.Config, newGame bool, out, errs io.Writer) error {
	log := slog.New(slog.NewTextHandler(errs, nil))
	if odd := cfg.Strange(); len(odd) > 0 {
		log.Warn("variables of the environment that stand for no setting", "names", strings.Join(odd, " "), "conseil", "ces variables d’environnement ne sont celles d’aucun réglage")
	}
	known, faults := cfg.ReadDecks(all)
	report(errs, known.Left)
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("serve: the buses of this machine: %w", err)
	}
	at := house.Nodes{}
	readers, err := openReaders(cfg.Readers, at, log)
	faults = errors.Join(faults, err)
	strips, err := openStrips(cfg.Strips, at, log)
	faults = errors.Join(faults, err)
	clocks, err := openClocks(cfg.Clocks)
	faults = errors.Join(faults, err)
	buttons, err := openButtons(cfg.Buttons, at, log)
	faults = errors.Join(faults, err)
	if known.Decks == nil {
		return faults
	}
	var h *house.House
	h, err = house.Open(house.Opts{Config: cfg, NewGame: newGame && faults == nil, Decks: known.Decks, Readers: readers, Strips: strips, Clocks: clocks, Buttons: buttons, Nodes: at.Devs(), Log: log,
		Moved: func() { logged(log, tellHost(out, h)) }})
	if faults != nil && err == nil { // what Open could have found is sound
		err = h.Close()
	}
	if faults = errors.Join(faults, err); faults != nil {
		return faults
	}
	return h.Run(ctx, func() error {
		err := tellHost(out, h)
		if !missing(out, h) {
			fmt.Fprint(out, "La table est prête · the table is ready\nReady.\n")
		}
		return err
	})
}

// tellHost prints where the pages are, at the start and whenever that changes. To a terminal goes the host's
// link, too, with its code to scan; a log never has it (package pair, "Who becomes the host").
func tellHost(w io.Writer, h *house.House) error {
	if isTerminal(w) {
		links, err := h.Links(false)
		if err != nil {
			return err
		}
		return printLinks(w, links)
	}
	tellLinks(w, house.Links{Display: h.URL() + "/display", Host: h.URL() + "/host", Lonely: h.Lonely()})
	return nil
}

// printLinks prints links, and a code of the host's where it opens something.
func printLinks(w io.Writer, l house.Links) error {
	tellLinks(w, l)
	if strings.Contains(l.Host, "#") && isTerminal(w) {
		return printQR(w, l.Host)
	}
	return nil
}

// tellLinks prints links, each behind a word that scripts can look for.
func tellLinks(w io.Writer, l house.Links) {
	fmt.Fprintf(w, "L’écran de table, l’hôte · the table display, the host:\nDisplay  %s\nHost     %s\n", l.Display, l.Host)
	if l.Lonely {
		fmt.Fprint(w, "Pas encore de réseau : ces adresses ne valent que sur cette machine ; d’autres suivront\n"+
			"No network yet: these addresses hold on this machine alone; others will follow\n")
	}
}

// logged is what becomes of an error that stops nothing.
func logged(log *slog.Logger, err error) {
	if err != nil {
		log.Error("the links were not printed", "error", err, "conseil", "les liens n’ont pas été affichés")
	}
}

// openReaders opens the readers that the configuration names.
func openReaders(cfgs []house.ReaderConfig, at house.Nodes, log *slog.Logger) (readers []house.Reader, faults error) {
	for _, c := range cfgs {
		if r, err := c.Open(at, log); err != nil {
			faults = errors.Join(faults, about("lecteur "+c.Role, "reader "+c.Role, err))
		} else {
			readers = append(readers, r)
		}
	}
	return readers, faults
}

// openStrips opens the strips that it names.
func openStrips(cfgs []house.StripConfig, at house.Nodes, log *slog.Logger) (strips []house.Strip, faults error) {
	for _, c := range cfgs {
		if s, err := c.Open(at, log); err != nil {
			faults = errors.Join(faults, about("ruban", "strip", err))
		} else {
			strips = append(strips, s)
		}
	}
	return strips, faults
}

// openButtons opens the buttons that it names.
func openButtons(cfgs []house.ButtonConfig, at house.Nodes, log *slog.Logger) (buttons []house.Button, faults error) {
	for _, c := range cfgs {
		if b, err := c.Open(at, log); err != nil {
			faults = errors.Join(faults, about("bouton "+c.Role, "button "+c.Role, err))
		} else {
			buttons = append(buttons, b)
		}
	}
	return buttons, faults
}

// openClocks opens the clocks that it names.
func openClocks(cfgs []house.ClockConfig) (clocks []dial.Dial, faults error) {
	for _, c := range cfgs {
		if d, err := c.Open(); err != nil {
			faults = errors.Join(faults, about("horloge "+c.Chip, "clock "+c.Chip, err))
		} else {
			clocks = append(clocks, d)
		}
	}
	return clocks, faults
}
