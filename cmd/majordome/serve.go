package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/autoplay"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/house"
	"majordome/cmd/majordome/logs"
	"majordome/cmd/majordome/network/hotspot"
	"majordome/cmd/majordome/update"
	"majordome/cmd/majordome/vitals"
	"majordome/engine/games"
)

func serveCommand(all games.Table) *cobra.Command {
	configFile, anew := "", false
	c := &cobra.Command{
		Use:   "serve",
		Short: "The table itself, with its readers and lights",
		Long: `Run the table: readers, lights, pages and MQTT as the configuration says. What is
not found is named, with how to get it, and the table is played without it. Without a file the
table is played from the phones. Variables such as MAJORDOME_LISTEN win over it; the
manual lists them all: majordome help settings.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			startsInARow().wait(c.Context())
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			t := &tableRun{all: all, setup: newSetup(configFile, all), config: configFile,
				tail: &logs.Tail{}, out: c.OutOrStdout(), errs: c.ErrOrStderr()}
			return again(cfg, t.setup, t.errs, func(cfg config.Config, first bool) error {
				return t.serve(c.Context(), cfg, anew && first)
			})
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&anew, "new-game", false, "open a new game; the one on the table is kept, but not played on")
	return c
}

// tableRun has what stays the same when a table is opened again.
type tableRun struct {
	all       games.Table
	setup     *config.Editor
	config    string
	tail      *logs.Tail // of the log
	out, errs io.Writer
}

// serve opens a table and runs it. It reports all faults at once. A device that cannot be opened is no fault: the host's page
// shows it too, and the table is played without it until it can be opened.
func (t *tableRun) serve(ctx context.Context, cfg config.Config, newGame bool) error {
	logs := logs.New(io.MultiWriter(t.tail, t.errs), cfg)
	log := logs.Logger()
	if odd := cfg.Strange(); len(odd) > 0 {
		log.Warn("variables of the environment that stand for no setting", "names", strings.Join(odd, " "), "conseil",
			"ces variables d’environnement ne sont celles d’aucun réglage")
	}
	known, faults := cfg.ReadDecks(t.all)
	report(t.errs, known.Left)
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("serve: the buses of this machine: %w", err)
	}
	d := openDevices(cfg, logs.DevicesLog())
	defer d.close()
	report(t.errs, d.faults())
	if known.Decks == nil {
		return &notOpened{faults}
	}
	var h *house.House
	var err error
	h, err = house.Open(house.Opts{Config: cfg, Version: version, NewGame: newGame && faults == nil, Decks: known.Decks, Left: known.Left,
		Readers: d.readers, Strips: d.strips, Clocks: d.clocks, Buttons: d.buttons, Nodes: d.nodes.Devs(), Log: log, Logs: logs,
		Facts: t.facts, Newer: newerAt(os.Getenv("RUNTIME_DIRECTORY")), ClockWish: clockWishAt(os.Getenv("RUNTIME_DIRECTORY")),
		Hotspot: hotspotAt(os.Getenv("RUNTIME_DIRECTORY")), Tail: t.tail, Setup: t.setup, Vitals: vitals.This(cfg.Data),
		Devices: d.missing(), Mended: d.mended, Evening: autoplay.Evening, Moved: func() { logged(log, tellHost(t.out, h)) }})
	if faults != nil && err == nil { // the table was only opened to find more faults
		err = h.Close()
	}
	if faults = errors.Join(faults, err); faults != nil {
		return &notOpened{faults}
	}
	return h.Run(ctx, func() error {
		err := tellHost(t.out, h)
		if !missing(t.out, h) {
			fmt.Fprint(t.out, "La table est prête · the table is ready\nReady.\n")
		}
		return err
	})
}

// updateFiles returns the files through which a newer package is announced and requested: in the unit's runtime folder, which
// majordome-update.path watches. Without a unit (runtime is no absolute path) the daemon neither reads nor requests updates.
func newerAt(runtime string) update.Files {
	if !filepath.IsAbs(runtime) {
		return update.Files{}
	}
	return update.Files{Dir: update.Dir, Wish: filepath.Join(runtime, "update")}
}

// clockRequestFile returns the file in the unit's runtime folder that majordome-clock.path watches; without a unit "".
func clockWishAt(runtime string) string {
	if !filepath.IsAbs(runtime) {
		return ""
	}
	return filepath.Join(runtime, "clock")
}

// hotspotFiles returns the files through which the SD card's own Wi-Fi is announced and requested: in the unit's runtime
// folder, which majordome-hotspot-wish.path watches. Without a unit there are none, as with updateFiles.
func hotspotAt(runtime string) hotspot.Hotspot {
	if !filepath.IsAbs(runtime) {
		return hotspot.Hotspot{}
	}
	return hotspot.Hotspot{Told: "/run/majordome-hotspot", Wish: filepath.Join(runtime, "hotspot")}
}

// printAddresses prints the addresses of the pages, at the start and at each change. A terminal also gets the host's
// link with its QR code; a log never has it (package pair, "Who becomes the host").
func tellHost(w io.Writer, h *house.House) error {
	if isTerminal(w) {
		links, err := h.Links(false)
		if err != nil {
			return err
		}
		return printLinks(w, links)
	}
	tellLinks(w, adminsocket.Links{Display: h.URL() + "/display", Host: h.URL() + "/host", Lonely: h.Lonely()})
	return nil
}

// printLinks prints links and, to a terminal, a QR code of the host's link if that link grants access.
func printLinks(w io.Writer, l adminsocket.Links) error {
	tellLinks(w, l)
	if strings.Contains(l.Host, "#") && isTerminal(w) {
		return printQR(w, l.Host)
	}
	return nil
}

// printLinkLines prints links, each after a word that scripts can look for.
func tellLinks(w io.Writer, l adminsocket.Links) {
	fmt.Fprintf(w, "L’écran de table, l’hôte · the table display, the host:\nDisplay  %s\nHost     %s\n", l.Display, l.Host)
	if l.Lonely {
		fmt.Fprint(w, "Pas encore de réseau : ces adresses ne valent que sur cette machine ; d’autres suivront\n"+
			"No network yet: these addresses hold on this machine alone; others will follow\n")
	}
}

// logPrintError logs an error of printing links. It stops nothing.
func logged(log *slog.Logger, err error) {
	if err != nil {
		log.Error("the links were not printed", "error", err, "conseil", "les liens n’ont pas été affichés")
	}
}
