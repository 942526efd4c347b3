package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/house"
	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/light"
	"majordome/devices/lineread"
	"majordome/devices/mfrc522"
	"majordome/devices/ws2812"
)

func serveCommand() *cobra.Command {
	config, anew := "", fresh{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "The table itself, with its readers and lights",
		Long: `Run the table: readers, lights, pages and MQTT as the configuration says. What is
not found is named, with how to get it, before anything starts. The README has an
example of the file; a table without readers or strips is played from the phones.`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			startsInARow().wait(c.Context())
			cfg, err := house.ReadConfig(config)
			if err != nil {
				return err
			}
			return again(cfg, c.ErrOrStderr(), func(first bool) error {
				if !first {
					anew = fresh{}
				}
				return serve(c.Context(), cfg, anew, c.OutOrStdout(), c.ErrOrStderr())
			})
		},
	}
	c.Flags().StringVar(&config, "config", defaultConfig, "configuration of this table")
	c.Flags().BoolVar(&anew.host, "new-host", false, "print a new link for the host, whose old phone is cut off")
	c.Flags().BoolVar(&anew.game, "new-game", false, "open a new game; the one on the table is kept, but not played on")
	return c
}

// fresh is what a start does not take over from the last one.
type fresh struct{ host, game bool }

// serve names everything that is wrong before it gives up, so that the owner
// mends it in one go.
func serve(ctx context.Context, cfg house.Config, anew fresh, out, errs io.Writer) error {
	log := slog.New(slog.NewTextHandler(errs, nil))
	decks, faults := cfg.ReadDecks()
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("serve: the buses of this machine: %w", err)
	}
	at := nodes{}
	readers, err := openReaders(cfg.Readers, at, log)
	faults = errors.Join(faults, err)
	strips, err := openStrips(cfg.Strips, at, log)
	faults = errors.Join(faults, err)
	if decks == nil {
		return faults
	}
	var h *house.House
	h, err = house.Open(house.Opts{Config: cfg, NewHost: anew.host && faults == nil, NewGame: anew.game && faults == nil, Decks: decks, Readers: readers, Strips: strips, Nodes: at.devs(), Log: log,
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

// tellHost prints the links, and in a terminal the code for the host's phone. A log is no place for a drawing.
func tellHost(w io.Writer, h *house.House) error {
	host, err := tellLinks(w, h)
	if file, ok := w.(*os.File); ok && err == nil && strings.Contains(host, "#") {
		if info, bad := file.Stat(); bad == nil && info.Mode()&os.ModeCharDevice != 0 {
			return printQR(w, host)
		}
	}
	return err
}

// tellLinks prints where the pages are, at the start and whenever that changes, each behind a word
// that scripts can look for, and returns the host's.
func tellLinks(w io.Writer, h *house.House) (host string, err error) {
	if host, err = h.HostLink(); err != nil {
		return "", err
	}
	fmt.Fprintf(w, "L’écran de table, l’hôte · the table display, the host:\nDisplay  %s/display\nHost     %s\n", h.URL(), host)
	if h.Lonely() {
		fmt.Fprint(w, "Pas encore de réseau : ces adresses ne valent que sur cette machine ; d’autres suivront\n"+
			"No network yet: these addresses hold on this machine alone; others will follow\n")
	}
	return host, nil
}

// logged is what becomes of an error that stops nothing.
func logged(log *slog.Logger, err error) {
	if err != nil {
		log.Error("the links were not printed", "error", err, "conseil", "les liens n’ont pas été affichés")
	}
}

// openReaders opens what the configuration names. A bus that is not there is
// an error that says how to get it; a reader that does not answer yet is a
// warning, since it may be plugged in later.
func openReaders(cfgs []house.ReaderConfig, at nodes, log *slog.Logger) ([]house.Reader, error) {
	var readers []house.Reader
	var all []error
	for _, c := range cfgs {
		open, period, retry := openMFRC522, house.Period(c.Role), time.Duration(0)
		switch c.Chip {
		case house.ChipSerial:
			open, period = openSerial, 10*time.Millisecond // lines wait; a card that falls does not
		case house.ChipNode:
			open, period, retry = at.reader, nodePeriod, nodePeriod // so do the events of a node, and asking it costs nothing
		}
		scanner, err := open(c, log)
		if err != nil {
			all = append(all, about("lecteur "+c.Role, "reader "+c.Role, err))
			continue
		}
		readers = append(readers, house.Reader{Role: c.Role, Scanner: scanner, Period: period, Retry: retry})
	}
	return readers, errors.Join(all...)
}

func openMFRC522(c house.ReaderConfig, log *slog.Logger) (devices.Scanner, error) {
	var reset gpio.PinOut
	if c.Reset != "" {
		pin := gpioreg.ByName(c.Reset)
		if pin == nil {
			return nil, pinAdvice(c.Reset, gpioChips, readWrite)
		}
		reset = pin
	}
	dev, err := mfrc522.Open(c.SPI, &mfrc522.Opts{Frequency: physic.Frequency(c.KHz) * physic.KiloHertz, Gain: c.Gain, Reset: reset})
	if err != nil {
		return nil, err
	}
	ident, err := dev.Probe()
	if err != nil {
		advice := mfrc522.Explain(c.SPI, err)
		log.Warn("reader does not answer yet", "role", c.Role, "advice", advice.EN, "conseil", advice.FR)
	} else if advice, ok := ident.Warning(); ok {
		log.Warn("reader", "role", c.Role, "advice", advice.EN, "conseil", advice.FR)
	}
	return dev, nil
}

// gpioChips are the devices behind the pins (Linux, Documentation/userspace-api/gpio).
const gpioChips = "/dev/gpiochip*"

// readWrite asks whether a device may be opened (access(2)).
func readWrite(device string) error { return syscall.Access(device, 6) }

// pinAdvice says why a pin was not found: without the right to a chip the drivers know none of its
// pins, and a better name would not help.
func pinAdvice(name, chips string, allowed func(device string) error) error {
	found, _ := filepath.Glob(chips) // only a bad pattern is an error
	for _, device := range found {
		if err := allowed(device); errors.Is(err, fs.ErrPermission) {
			return sentence("broche %[1]s introuvable, car cet utilisateur n’a pas droit à %[2]s : ajoutez-le au groupe gpio (sudo usermod -aG gpio UTILISATEUR) et reconnectez-vous",
				"pin %[1]s not found, because this user may not use %[2]s: add it to the group gpio (sudo usermod -aG gpio USER) and log in again", name, device)
		}
	}
	if len(found) == 0 {
		return sentence("broche %s introuvable : cette machine n’a pas de broches (aucun %s) ; enlevez reset, ou lancez ceci sur le Raspberry Pi",
			"pin %s not found: this machine has no pins (no %s); leave reset out, or run this on the Raspberry Pi", name, chips)
	}
	return sentence("broche %s introuvable : écrivez-la comme GPIO25, ou enlevez reset",
		"pin %s not found: use a name such as GPIO25, or leave reset out", name)
}

func openSerial(c house.ReaderConfig, log *slog.Logger) (devices.Scanner, error) {
	dev, err := lineread.New(c.Port, &lineread.Opts{Baud: c.Baud})
	if err != nil {
		return nil, err
	}
	var missing devices.Advice
	switch err := dev.Probe(); {
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &missing):
		log.Warn("reader is not plugged in yet", "role", c.Role, "advice", missing.EN, "conseil", missing.FR)
	case err != nil:
		return nil, err
	}
	return dev, nil
}

func openStrips(cfgs []house.StripConfig, at nodes, log *slog.Logger) ([]house.Strip, error) {
	var strips []house.Strip
	var all []error
	for _, c := range cfgs {
		layout := light.Table(cmp.Or(c.Places, 7))
		var strip devices.Strip
		var err error
		switch c.Chip {
		case house.ChipNode:
			strip, err = at.strip(c.Port, layout.Len(), log)
		case "apa102":
			strip, err = apa102.Open(c.SPI, &apa102.Opts{NumPixels: layout.Len()})
		default:
			strip, err = ws2812.Open(c.SPI, &ws2812.Opts{NumPixels: layout.Len()})
		}
		if err != nil {
			all = append(all, about("ruban", "strip", err))
			continue
		}
		o := light.Opts{Budget: c.BudgetMA, Log: log}
		if c.Brightness > 0 {
			o.Ceiling = uint8(c.Brightness * 255 / 100)
		}
		strips = append(strips, house.Strip{Strip: strip, Layout: layout, Opts: o})
	}
	return strips, errors.Join(all...)
}
