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
	"majordome/engine/games"
)

// deviceSet has the devices of a configuration that could be opened, and failed those that could not.
type deviceSet struct {
	config.Devices
	nodes  config.Nodes
	failed []failedDevice
}

// failedDevice is a device that could not be opened: its path in the configuration, the error, and try, which opens and closes it.
type failedDevice struct {
	path string
	err  error
	try  func() error
}

// openDevices opens the devices of a configuration.
func openDevices(cfg config.Config, log *slog.Logger) *deviceSet {
	d := &deviceSet{nodes: config.Nodes{}}
	quiet := slog.New(slog.DiscardHandler)
	for i, c := range cfg.Readers {
		r, err := c.Open(d.nodes, log)
		if d.recordUnlessOpened("readers", i, "lecteur "+c.Role, "reader "+c.Role, err,
			func() error { r, err := c.Open(config.Nodes{}, quiet); return closeIfOpened(r.Scanner, err) }) {
			d.Readers = append(d.Readers, r)
		}
	}
	for i, c := range cfg.Strips {
		s, err := c.Open(d.nodes, log)
		if d.recordUnlessOpened("strips", i, "ruban",
			"strip", err, func() error { s, err := c.Open(config.Nodes{}, quiet); return closeIfOpened(s.Strip, err) }) {
			d.Strips = append(d.Strips, s)
		}
	}
	for i, c := range cfg.Clocks {
		k, err := c.Open()
		if d.recordUnlessOpened(
			"clocks",
			i,
			"horloge "+c.Chip,
			"clock "+c.Chip,
			err,
			func() error { k, err := c.Open(); return closeIfOpened(k, err) },
		) {
			d.Clocks = append(d.Clocks, k)
		}
	}
	for i, c := range cfg.Buttons {
		b, err := c.Open(d.nodes, log)
		if d.recordUnlessOpened("buttons", i, "bouton "+c.Role, "button "+c.Role, err,
			func() error { _, err := c.Open(config.Nodes{}, quiet); return err }) {
			d.Buttons = append(d.Buttons, b)
		}
	}
	d.Nodes, d.Missing, d.RetryMissing = d.nodes.Devices(), d.missingDeviceFindings(), d.retryMissing
	return d
}

// recordUnlessOpened reports whether a device is open: err is nil. Otherwise it records the failure; try opens the device and
// closes it again.
func (d *deviceSet) recordUnlessOpened(list string, i int, fr, en string, err error, try func() error) (isOpen bool) {
	if err != nil {
		d.failed = append(d.failed, failedDevice{fmt.Sprintf("%s[%d]", list, i), faultAbout(fr, en, err), try})
	}
	return err == nil
}

// closeIfOpened closes a device if err is nil, and returns the error of either step.
func closeIfOpened(device any, err error) error {
	if err == nil {
		err = closeDevice(device)
	}
	return err
}

// closeDevice closes a device that can be closed.
func closeDevice(device any) error {
	if c, is := device.(io.Closer); is {
		return c.Close()
	}
	return nil
}

// openErrors returns the errors of the devices that could not be opened.
func (d *deviceSet) openErrors() (err error) {
	for _, l := range d.failed {
		err = errors.Join(err, l.err)
	}
	return err
}

// missingDeviceFindings returns the errors of the devices that could not be opened as findings for the host's page.
func (d *deviceSet) missingDeviceFindings() (all []wire.Finding) {
	for _, l := range d.failed {
		why := faultMessages(l.err)[0]
		all = append(all, wire.Finding{About: "device", State: wire.StateWarning, Said: why.Text, Where: l.path, Help: why.help})
	}
	return all
}

// retryMissing tries to open the missing devices again. It reports whether one could be opened, and leaves it closed.
func (d *deviceSet) retryMissing() bool {
	for _, l := range d.failed {
		if l.try() == nil {
			return true
		}
	}
	return false
}

// close closes the devices, the nodes last. It ignores errors, because a device that is gone cannot be closed.
func (d *deviceSet) close() {
	for i := range d.Clocks {
		_ = closeDevice(d.Clocks[i])
	}
	for i := range d.Strips {
		_ = closeDevice(d.Strips[i].Strip)
	}
	for i := range d.Readers {
		_ = closeDevice(d.Readers[i].Scanner)
	}
	for _, n := range d.Nodes {
		_ = n.Halt()
	}
}

// newConfigEditor returns the editor with which the host's page changes the configuration file of a table.
func newConfigEditor(configFile string, all games.Table) *config.Editor {
	return config.NewEditor(configFile, config.EditorOpts{
		Hotspot: hotspotFiles(os.Getenv("RUNTIME_DIRECTORY")),
		CheckConfig: func(c config.Config) error {
			_, err := c.ReadDecks(all)
			return err
		},
		FindDevices: func(c config.Config) []wire.Found {
			ctx, stop := context.WithTimeout(context.Background(), time.Minute)
			defer stop()
			return thisMachine().FindDevices(ctx, c)
		},
		AskPort: func(c config.Config, port string) []wire.Found {
			ctx, stop := context.WithTimeout(context.Background(), 2*config.NodeTimeout)
			defer stop()
			return thisMachine().SearchPortForNode(ctx, c, port)
		},
	})
}
