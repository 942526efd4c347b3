package config

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"majordome/devices/node"
	"majordome/engine/ownfile"
)

func TestNodeConfig(t *testing.T) {
	got, err := parseText(t, `
readers:
  - {role: urn, chip: node, port: /dev/serial/by-id/usb-not-here}
  - {role: show, chip: node, port: /dev/serial/by-id/usb-not-here, reader: 3}
strips:
  - {chip: node, port: /dev/serial/by-id/usb-not-here, budget_ma: 500}
`)
	if err != nil {
		t.Fatal(err) // all of a node uses one port, which may be plugged in later
	}
	if r := got.Readers[1]; r.Chip != "node" || r.Reader != 3 || got.Strips[0].Port != r.Port {
		t.Errorf("read %+v", got)
	}
	const port = "port: /dev/ttyUSB0"
	for text, want := range map[string]string{
		// lists the ports that exist
		"readers:\n  - {role: urn, chip: node}\n":                          "there ",
		"readers:\n  - {role: urn, chip: node, port: ttyUSB0}\n":           "whole name",
		"readers:\n  - {role: urn, chip: node, " + port + ", reader: 4}\n": "0 to 3",
		"readers:\n  - {role: urn, chip: node, " + port +
			", baud: 9600}\n": "does not go with chip: node",
		"readers:\n  - {role: urn, chip: serial, " + port + ", reader: 1}\n":                                  "chip: node",
		"readers:\n  - {role: urn, spi: SPI1.0, reader: 1}\n":                                                 "chip: node",
		"readers:\n  - {role: urn, chip: node, " + port + "}\n  - {role: show, chip: node, " + port + "}\n":   "twice",
		"readers:\n  - {role: urn, chip: node, " + port + "}\n  - {role: show, chip: serial, " + port + "}\n": "two readers on",
		"strips:\n  - {chip: node}\n":                              "there ",
		"strips:\n  - {chip: node, " + port + ", spi: SPI0.0}\n":   "does not go with",
		"strips:\n  - {chip: ws2812, spi: SPI0.0, " + port + "}\n": "chip: node",
	} {
		_, err := parseText(t, text)
		var f *ownfile.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if said := f.Text(); f.Line == 0 || !strings.Contains(said.EN, want) || said.FR == said.EN {
			t.Errorf("%s: %q and %q, want %s", text, said.EN, said.FR, want)
		}
	}
}

// TestButtonOfANode: presses before anyone watches, releases and other buttons are ignored; a press is reported once.
func TestButtonOfANode(t *testing.T) {
	s := &sharedNode{log: slog.New(slog.DiscardHandler), presses: map[int][]chan struct{}{}, users: 2}
	watch := s.newButtonWatch(1)
	s.handlePress(node.Press{Button: 1, Down: true})
	ctx, cancel := context.WithCancel(t.Context())
	heard, done := make(chan struct{}), make(chan struct{})
	go func() { watch(ctx, func() { heard <- struct{}{} }); close(done) }()
	for _, p := range []node.Press{{Button: 1}, {Button: 0, Down: true}} {
		s.handlePress(p)
	}
	for { // until the watcher runs
		s.handlePress(node.Press{Button: 1, Down: true})
		select {
		case <-heard:
		case <-time.After(time.Millisecond):
			continue
		}
		break
	}
	cancel()
	for open := true; open; {
		select {
		case <-heard:
		case <-done:
			open = false
		}
	}
	for range 3 * maxPresses {
		s.handlePress(node.Press{Button: 1, Down: true}) // without a watcher nothing is queued
	}
}
