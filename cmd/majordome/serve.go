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
	configFile, newGame := "", false
	c := &cobra.Command{
		Use:   "serve",
		Short: "The table itself, with its readers and lights",
		Long: `Run the table: readers, lights, pages and MQTT as the configuration says. What is
not found is named, with how to get it, and the table is played without it. Without a file the
table is played from the phones. Variables such as MAJORDOME_LISTEN win over it; the
manual lists them all: majordome help settings.`,
		Args: requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			newStartThrottle().waitBeforeStart(c.Context())
			cfg, err := config.ReadConfig(configFile)
			if err != nil {
				return err
			}
			t := &tableRun{all: all, editor: newConfigEditor(configFile, all), configFile: configFile,
				logTail: &logs.Tail{}, out: c.OutOrStdout(), errs: c.ErrOrStderr()}
			return runAndReopen(cfg, t.editor, t.errs, func(cfg config.Config, first bool) error {
				return t.runTable(c.Context(), cfg, newGame && first)
			})
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&newGame, "new-game", false, "open a new game; the one on the table is kept, but not played on")
	return c
}

// tableRun has what stays the same when a table is opened again.
type tableRun struct {
	all        games.Table
	editor     *config.Editor
	configFile string
	logTail    *logs.Tail // the end of the log, for support bundles
	out, errs  io.Writer
}

// runTable opens a table and runs it until ctx ends. It reports all faults at once. A device that cannot be opened is no
// fault: the host's page shows it too, and the table is played without it until it can be opened.
func (t *tableRun) runTable(ctx context.Context, cfg config.Config, newGame bool) error {
	logs := logs.New(io.MultiWriter(t.logTail, t.errs), cfg)
	log := logs.Logger()
	if odd := cfg.UnknownVariables(); len(odd) > 0 {
		log.Warn("variables of the environment that stand for no setting", "names", strings.Join(odd, " "), "conseil",
			"ces variables d’environnement ne sont celles d’aucun réglage")
	}
	known, faults := cfg.ReadDecks(t.all)
	printFaults(t.errs, known.Skipped)
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("serve: the buses of this machine: %w", err)
	}
	d := openDevices(cfg, logs.DevicesLogger())
	defer d.close()
	printFaults(t.errs, d.openErrors())
	if known.Decks == nil {
		return &openError{faults}
	}
	var h *house.House
	var err error
	h, err = house.Open(
		house.Opts{Config: cfg, Version: version, NewGame: newGame && faults == nil, Decks: known.Decks, DeckFaults: known.Skipped,
			Devices: d.Devices, Log: log, Logs: logs,
			SupportParts: t.supportParts, UpdateFiles: updateFiles(os.Getenv("RUNTIME_DIRECTORY")),
			ClockRequest: clockRequestFile(os.Getenv("RUNTIME_DIRECTORY")),
			Hotspot: hotspotFiles(
				os.Getenv("RUNTIME_DIRECTORY"),
			), LogTail: t.logTail, Editor: t.editor, Vitals: vitals.NewMachine(cfg.Data),
			Evening: autoplay.PlayEvening, AddressChanged: func() { logPrintError(log, printAddresses(t.out, h)) }},
	)
	if faults != nil && err == nil { // the table was only opened to find more faults
		err = h.Close()
	}
	if faults = errors.Join(faults, err); faults != nil {
		return &openError{faults}
	}
	return h.Run(ctx, func() error {
		err := printAddresses(t.out, h)
		if !printLosses(t.out, h.Store.LossTexts()) {
			fmt.Fprint(t.out, "La table est prête · the table is ready\nReady.\n")
		}
		return err
	})
}

// updateFiles returns the files through which a newer package is announced and requested: in the unit's runtime folder, which
// majordome-update.path watches. Without a unit (runtime is no absolute path) the daemon neither reads nor requests updates.
func updateFiles(runtimeDir string) update.Files {
	if !filepath.IsAbs(runtimeDir) {
		return update.Files{}
	}
	return update.Files{Dir: update.Dir, RequestFile: filepath.Join(runtimeDir, "update")}
}

// clockRequestFile returns the file in the unit's runtime folder that majordome-clock.path watches; without a unit "".
func clockRequestFile(runtimeDir string) string {
	if !filepath.IsAbs(runtimeDir) {
		return ""
	}
	return filepath.Join(runtimeDir, "clock")
}

// hotspotFiles returns the files through which the SD card's own Wi-Fi is announced and requested: in the unit's runtime
// folder, which majordome-hotspot-wish.path watches. Without a unit there are none, as with updateFiles.
func hotspotFiles(runtimeDir string) hotspot.Hotspot {
	if !filepath.IsAbs(runtimeDir) {
		return hotspot.Hotspot{}
	}
	return hotspot.Hotspot{StatusFolder: "/run/majordome-hotspot", RequestFile: filepath.Join(runtimeDir, "hotspot")}
}

// printAddresses prints the addresses of the pages, at the start and at each change. A terminal also gets the host's
// link with its QR code; a log never has it (package pair, "Who becomes the host").
func printAddresses(w io.Writer, h *house.House) error {
	if isTerminal(w) {
		links, err := h.IssueLinks(false)
		if err != nil {
			return err
		}
		return printLinks(w, links)
	}
	base := h.Network.URL()
	printLinkLines(w, adminsocket.Links{Display: base + "/display", Host: base + "/host", NoNetwork: h.Network.HasNoNetwork()})
	return nil
}

// printLinks prints links and, to a terminal, a QR code of the host's link if that link grants access.
func printLinks(w io.Writer, l adminsocket.Links) error {
	printLinkLines(w, l)
	if strings.Contains(l.Host, "#") && isTerminal(w) {
		return printQR(w, l.Host)
	}
	return nil
}

// printLinkLines prints links, each after a word that scripts can look for.
func printLinkLines(w io.Writer, l adminsocket.Links) {
	fmt.Fprintf(w, "L’écran de table, l’hôte · the table display, the host:\nDisplay  %s\nHost     %s\n", l.Display, l.Host)
	if l.NoNetwork {
		fmt.Fprint(w, "Pas encore de réseau : ces adresses ne valent que sur cette machine ; d’autres suivront\n"+
			"No network yet: these addresses hold on this machine alone; others will follow\n")
	}
}

// logPrintError logs an error of printing links. It stops nothing.
func logPrintError(log *slog.Logger, err error) {
	if err != nil {
		log.Error("the links were not printed", "error", err, "conseil", "les liens n’ont pas été affichés")
	}
}
