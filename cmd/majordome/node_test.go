package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"majordome/cmd/majordome/house"
)

// A node that is not plugged in is one warning in both languages, however many readers and strips it carries, and
// its port is given back with the last of them.
func TestNodesAreShared(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	port := t.TempDir() + "/usb-node"
	at := nodes{}
	readers, err := openReaders([]house.ReaderConfig{{Role: "urn", Chip: house.ChipNode, Port: port},
		{Role: "show", Chip: house.ChipNode, Port: port, Reader: 1}}, at, logger)
	if err != nil || len(readers) != 2 {
		t.Fatal(readers, err)
	}
	strips, err := openStrips([]house.StripConfig{{Chip: house.ChipNode, Port: port}}, at, logger)
	if err != nil || len(strips) != 1 || len(at) != 1 {
		t.Fatal(strips, err, at)
	}
	if n := strings.Count(log.String(), "does not answer yet"); n != 1 || !strings.Contains(log.String(), "introuvable") {
		t.Errorf("%d warnings: %s", n, &log)
	}
	if err := readers[0].Scanner.Halt(); err != nil {
		t.Error(err)
	}
	if _, err := readers[1].Scanner.Scan(context.Background()); err == nil || strings.Contains(err.Error(), "halted") {
		t.Errorf("the other reader: %v", err)
	}
	for _, halt := range []func() error{readers[0].Scanner.Halt, readers[1].Scanner.Halt, strips[0].Strip.Halt} {
		if err := halt(); err != nil {
			t.Error(err)
		}
	}
	if _, err := readers[1].Scanner.Scan(context.Background()); err == nil || !strings.Contains(err.Error(), "halted") {
		t.Errorf("after the last: %v", err)
	}
	if _, err := openReaders([]house.ReaderConfig{{Role: "urn", Chip: house.ChipNode, Port: "ttyUSB0"}}, at, logger); err == nil {
		t.Error("a name that is no path")
	}
}

func TestNodeCommandsSayWhatIsMissing(t *testing.T) {
	here := t.TempDir()
	for args, want := range map[string]string{
		"node info":                                            "quel port ?",
		"node info ttyUSB0":                                    "nom entier",
		"node info " + here + "/usb-node":                      "introuvable",
		"node set " + here + "/usb-node --name urn":            "introuvable",
		"node flash ttyUSB0 node.hex":                          "nom entier",
		"node flash " + here + "/usb-node " + here + "/no.hex": "make -C firmware",
	} {
		var out, errs strings.Builder
		if status := run(t.Context(), strings.Fields(args), &out, &errs); status != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, %s", args, status, &errs)
		}
	}
}
