package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/creack/pty"

	"majordome/cmd/majordome/config"
	"majordome/devices/node"
	"majordome/engine/games"
)

// TestNodesAreShared checks that a node that is not plugged in causes one warning in both languages, however many
// readers and strips it has, and that its port is closed with the last of them.
func TestNodesAreShared(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	port := t.TempDir() + "/usb-node"
	d := openDevices(config.Config{Readers: []config.ReaderConfig{{Role: "urn", Chip: "node", Port: port},
		{Role: "show", Chip: "node", Port: port, Reader: 1}}, Strips: []config.StripConfig{{Chip: "node", Port: port}}}, logger)
	readers, strips := d.Readers, d.Strips
	if err := d.openErrors(); err != nil || len(readers) != 2 || len(strips) != 1 || len(d.Nodes) != 1 {
		t.Fatal(readers, strips, err, d.Nodes)
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
	if openDevices(config.Config{Readers: []config.ReaderConfig{{Role: "urn", Chip: "node", Port: "ttyUSB0"}}},
		logger).openErrors() == nil {
		t.Error("a name that is no path")
	}
}

func TestNodeCommandsSayWhatIsMissing(t *testing.T) {
	here := t.TempDir()
	t.Setenv("PATH", here) // no avrdude
	for args, want := range map[string][]string{
		"node set --name urn":                           {"quel port ?", "which port?"},
		"node set " + here + "/usb-node":                {"que faut-il écrire ?", "what is to be written?"},
		"node set " + here + "/usb-node --name urn":     {"introuvable", "not found"},
		"node set " + here + "/usb-node --readers Q3":   {"n’est pas une broche", "is no pin"}, // before the port is tried
		"node set " + here + "/usb-node --gain 7":       {"gain de 7 dB : il faut 18,", "gain of 7 dB: it must be 18,"},
		"node set " + here + "/usb-node --pixels 500":   {"120 au plus", "at most 120"},
		"node set " + here + "/usb-node --strip apa102": {"introuvable", "not found"}, // the node may have its pins
		"node set " + here + "/usb-node --strip SK6812-RGBW": {"trois canaux ; branchez ce ruban au Raspberry Pi",
			"three channels alone; wire this strip to the Raspberry Pi"},
		"node flash":                  {"quel port ?", "which port?"},
		"node flash ttyUSB0 node.hex": {"nom entier", "whole name"},
		"node flash " + here + "/usb-node": {here + "/usb-node introuvable", here + "/usb-node not found",
			"avrdude est introuvable", "avrdude not found"},
		"node flash " + here + "/usb-node " + here + "/no.hex": {here + "/usb-node introuvable", "no.hex"},
	} {
		var out, errs strings.Builder
		if status := runCommandLine(t.Context(), games.KnownGames(), strings.Fields(args), &out, &errs); status == exitDone {
			t.Errorf("%s: status %d", args, status)
		}
		for _, w := range want {
			if !strings.Contains(errs.String(), w) {
				t.Errorf("%s: %q is not in\n%s", args, w, &errs)
			}
		}
	}
}

// TestNodeThatDoesNotAnswer checks a port without an answer: another program's Nano, or one that the daemon is using.
func TestNodeThatDoesNotAnswer(t *testing.T) {
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer near.Close()
	var out, errs strings.Builder
	if status := runCommandLine(t.Context(), games.KnownGames(), []string{"node", "set", near.Name(), "--name", "urn"}, &out,
		&errs); status != exitWrong {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		"aucun nœud ne répond", "no node answers", "le démon est-il arrêté", "is the daemon stopped", "majordome node flash",
	} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q is not in\n%s", want, &errs)
		}
	}
}

// TestNodeSettingsThatCannotBe checks that all impossible settings are reported at once, in both languages.
func TestNodeSettingsThatCannotBe(t *testing.T) {
	set := nodeSettings{strip: "neon", readers: []string{"D10", "Q3"}, buttons: strings.Split("A0,A1,A2,A3,A4", ",")}
	var c node.Config
	said := faultMessages(set.applyToConfig(&c,
		func(flag string) bool { return flag == "strip" || flag == "readers" || flag == "buttons" }))
	c = node.Config{Name: "été", Select: [4]node.Pin{12, 9, 9}, Strip: node.APA102, Pixels: 200}
	said = append(said, faultMessages(c.Validate())...)
	if len(said) != 3+7 {
		t.Errorf("%d faults: %v", len(said), said)
	}
	for _, s := range said {
		if s.FR == "" || s.FR == s.EN || strings.Contains(s.FR+s.EN, "%!") {
			t.Errorf("%+v", s)
		}
	}
}
