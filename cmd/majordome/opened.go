package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices/dial"
	"majordome/engine/games"
)

// deviceSet has the devices of a configuration that could be opened, and failed those that could not.
type opened struct {
	readers []config.Reader
	strips  []config.Strip
	clocks  []dial.Dial
	buttons []config.Button
	nodes   config.Nodes
	left    []leftOut
}

// failedDevice is a device that could not be opened: its path in the configuration, the error, and try, which opens and closes it.
type leftOut struct {
	path string
	err  error
	try  func() error
}

// openDevices opens the devices of a configuration.
func openDevices(cfg config.Config, log *slog.Logger) *opened {
	d := &opened{nodes: config.Nodes{}}
	quiet := slog.New(slog.DiscardHandler)
	for i, c := range cfg.Readers {
		r, err := c.Open(d.nodes, log)
		if d.keep("readers", i, "lecteur "+c.Role, "reader "+c.Role, err,
			func() error { r, err := c.Open(config.Nodes{}, quiet); return openable(r.Scanner, err) }) {
			d.readers = append(d.readers, r)
		}
	}
	for i, c := range cfg.Strips {
		s, err := c.Open(d.nodes, log)
		if d.keep("strips", i, "ruban",
			"strip", err, func() error { s, err := c.Open(config.Nodes{}, quiet); return openable(s.Strip, err) }) {
			d.strips = append(d.strips, s)
		}
	}
	for i, c := range cfg.Clocks {
		k, err := c.Open()
		if d.keep("clocks", i, "horloge "+c.Chip, "clock "+c.Chip, err, func() error { k, err := c.Open(); return openable(k, err) }) {
			d.clocks = append(d.clocks, k)
		}
	}
	for i, c := range cfg.Buttons {
		b, err := c.Open(d.nodes, log)
		if d.keep("buttons", i, "bouton "+c.Role, "button "+c.Role, err,
			func() error { _, err := c.Open(config.Nodes{}, quiet); return err }) {
			d.buttons = append(d.buttons, b)
		}
	}
	return d
}

// noteFailure records a device that could not be opened. It reports whether err is nil, so the device is open.
func (d *opened) keep(list string, i int, fr, en string, err error, try func() error) bool {
	if err != nil {
		d.left = append(d.left, leftOut{fmt.Sprintf("%s[%d]", list, i), about(fr, en, err), try})
	}
	return err == nil
}

// closeIfOpened closes a device if err is nil, and returns the error of either step.
func openable(device any, err error) error {
	if err == nil {
		err = closed(device)
	}
	return err
}

// closeDevice closes a device that can be closed.
func closed(device any) error {
	if c, is := device.(io.Closer); is {
		return c.Close()
	}
	return nil
}

// faults returns the errors of the devices that could not be opened.
func (d *opened) faults() (err error) {
	for _, l := range d.left {
		err = errors.Join(err, l.err)
	}
	return err
}

// missingFindings returns the same for the host's page.
func (d *opened) missing() (all []wire.Finding) {
	for _, l := range d.left {
		why := told(l.err)[0]
		all = append(all, wire.Finding{About: "device", State: wire.StateWarning, Said: why.Text, Where: l.path, Help: why.help})
	}
	return all
}

// canOpenMore reports whether a device that is missing can be opened by now.
func (d *opened) mended() bool {
	for _, l := range d.left {
		if l.try() == nil {
			return true
		}
	}
	return false
}

// close closes the devices, in reverse order. It ignores errors, because a device that is gone cannot be closed.
func (d *opened) close() {
	for i := range d.clocks {
		_ = closed(d.clocks[i])
	}
	for i := range d.strips {
		_ = closed(d.strips[i].Strip)
	}
	for i := range d.readers {
		_ = closed(d.readers[i].Scanner)
	}
	for _, n := range d.nodes.Devs() {
		_ = n.Halt()
	}
}

// openReaders opens the readers for a tool.
func openReaders(cfgs []config.ReaderConfig, at config.Nodes, log *slog.Logger) (readers []config.Reader, faults error) {
	for _, c := range cfgs {
		if r, err := c.Open(at, log); err != nil {
			faults = errors.Join(faults, about("lecteur "+c.Role, "reader "+c.Role, err))
		} else {
			readers = append(readers, r)
		}
	}
	return readers, faults
}

// openStrips opens the strips for a tool.
func openStrips(cfgs []config.StripConfig, at config.Nodes, log *slog.Logger) (strips []config.Strip, faults error) {
	for _, c := range cfgs {
		if s, err := c.Open(at, log); err != nil {
			faults = errors.Join(faults, about("ruban", "strip", err))
		} else {
			strips = append(strips, s)
		}
	}
	return strips, faults
}

// openButtons opens the buttons for a tool.
func openButtons(cfgs []config.ButtonConfig, at config.Nodes, log *slog.Logger) (buttons []config.Button, faults error) {
	for _, c := range cfgs {
		if b, err := c.Open(at, log); err != nil {
			faults = errors.Join(faults, about("bouton "+c.Role, "button "+c.Role, err))
		} else {
			buttons = append(buttons, b)
		}
	}
	return buttons, faults
}

// newConfigEditor returns the editor with which the host's page changes the configuration file of a table.
func newSetup(configFile string, all games.Table) *config.Editor {
	return config.NewEditor(configFile, config.EditorOpts{
		Hotspot: hotspotAt(os.Getenv("RUNTIME_DIRECTORY")),
		Judge: func(c config.Config) error {
			_, err := c.ReadDecks(all)
			return err
		},
		Find: func(c config.Config) []wire.Found {
			ctx, stop := context.WithTimeout(context.Background(), time.Minute)
			defer stop()
			return thisMachine().Attached(ctx, c)
		},
		AskPort: func(c config.Config, port string) []wire.Found {
			ctx, stop := context.WithTimeout(context.Background(), 2*config.NodePatience)
			defer stop()
			return thisMachine().AskPort(ctx, c, port)
		},
	})
}
