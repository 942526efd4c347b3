package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/devices/node"
	"majordome/engine"
)

func doctorWatchCommand() *cobra.Command {
	configFile := ""
	c := &cobra.Command{
		Use:   "watch [PORT]",
		Short: "Find the place of a coil, and try the wiring, with a card in the hand",
		Long: `Show what happens at the readers and buttons of the configuration, or at the node at PORT,
until Ctrl-C: cards that come and go, readers that do not answer, buttons. In a terminal a bar stands
for each reader that can be measured: full when a card is read at every look, a hundred times a second, with the share
of garbled answers beside it. The table must not be running.`,
		Args: requireArgs(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			s := doctor.NewScreen(c.OutOrStdout(), isTerminal(c.OutOrStdout()))
			if len(args) == 1 {
				return watchNode(c.Context(), args[0], s)
			}
			return watchTable(c.Context(), configFile, s, c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&configFile, "config", defaultConfig, "configuration of this table")
	return c
}

// isTerminal reports whether w is a character device, such as a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

var watchIntro = engine.T("posez une carte sur un lecteur, enfoncez un bouton ; Ctrl-C : fin",
	"lay a card on a reader, press a button; Ctrl-C: end")

// watchTable watches all readers and buttons of a configuration until ctx ends.
func watchTable(ctx context.Context, configFile string, s *doctor.Screen, errs io.Writer) (err error) {
	cfg, err := config.ReadConfig(configFile)
	if err != nil {
		return err
	}
	if len(cfg.Readers)+len(cfg.Buttons) == 0 {
		return newFault("watch : la configuration ne nomme ni lecteur ni bouton", "watch: the configuration names no reader and no button")
	}
	if _, err := host.Init(); err != nil {
		return fmt.Errorf("doctor: the buses of this machine: %w", err)
	}
	d := openDevices(config.Config{Readers: cfg.Readers, Buttons: cfg.Buttons}, slog.New(slog.NewTextHandler(errs, nil)))
	defer func() {
		for _, r := range d.Readers {
			err = errors.Join(err, r.Scanner.Halt())
		}
	}()
	if err := d.openErrors(); err != nil {
		return err
	}
	s.PrintLine(watchIntro)
	for _, b := range d.Buttons {
		if b.Watch != nil { // no control card
			go b.Watch(ctx, func() {
				s.PrintLine(engine.Tf("bouton %[1]s : enfoncé", "button %[1]s: pressed", b.Role))
			})
		}
	}
	var watched []doctor.WatchedReader
	for i, r := range d.Readers {
		watched = append(watched, doctor.WatchedReader{Name: engine.T("lecteur "+r.Role, "reader "+r.Role),
			Scanner: r.Scanner, IsMeasurable: cfg.Readers[i].Chip == config.ChipMFRC522})
	}
	doctor.WatchReaders(ctx, s, watched)
	return nil
}

// watchNode watches all readers and buttons of a node until ctx ends.
func watchNode(ctx context.Context, port string, s *doctor.Screen) error {
	var cfg node.Config
	ready := make(chan struct{}) // closed when cfg is known
	opts := &node.Opts{OnPress: func(p node.Press) {
		select {
		case <-ready:
		default:
			return // pressed before the screen asked for it
		}
		fr, en := "relâché", "released"
		if p.Down {
			fr, en = "enfoncé", "pressed"
		}
		s.PrintLine(engine.Tf("bouton %[1]d en %[2]s : "+fr, "button %[1]d at %[2]s: "+en, p.Button, cfg.Buttons[p.Button]))
	}}
	return doctor.WithOpenNode(ctx, port, opts, func(soon context.Context, d *node.Dev, i node.Info) (err error) {
		if cfg, err = d.ReadConfig(soon); err != nil {
			return err
		}
		close(ready)
		s.PrintLine(watchIntro)
		var watched []doctor.WatchedReader
		for n, r := range i.Readers {
			if r.Configured {
				watched = append(watched, doctor.WatchedReader{Name: engine.Tf("lecteur %[1]d en %[2]s",
					"reader %[1]d at %[2]s", n, cfg.Select[n]), Scanner: d.Reader(n)})
			}
		}
		doctor.WatchReaders(ctx, s, watched)
		return nil
	})
}
