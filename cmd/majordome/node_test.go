package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/house"
	"majordome/devices/node"
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

// flash gives avrdude what it needs for Optiboot, passes on its words, and says how it went.
func TestNodeFlash(t *testing.T) {
	here := t.TempDir()
	const avrdude = "#!/bin/sh\necho \"got $*\"\ncase $* in *57600*) exit 1;; esac\n"
	for name, text := range map[string]string{"avrdude": avrdude, "node.hex": ":00000001FF\n"} {
		if err := os.WriteFile(filepath.Join(here, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", here+":"+os.Getenv("PATH"))
	port, image := here+"/usb-node", here+"/node.hex"
	var out, errs strings.Builder
	if status := run(t.Context(), []string{"node", "flash", port, image}, &out, &errs); status != 0 {
		t.Fatalf("status %d, %s", status, &errs)
	}
	want := "got -p atmega328p -c arduino -b 115200 -P " + port + " -U flash:w:" + image + ":i\n" + port + ": micrologiciel écrit · firmware written\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	if status := run(t.Context(), []string{"node", "flash", "--baud", "57600", port, image}, &out, &errs); status != 1 ||
		!strings.Contains(errs.String(), "avrdude a échoué") || !strings.Contains(errs.String(), "avrdude failed") {
		t.Errorf("avrdude fails: status %d, %s", status, &errs)
	}
}

func TestNodeInfoIsSaidInBothLanguages(t *testing.T) {
	i := node.Info{Version: 1, Firmware: [2]uint8{1, 0}, Boots: 7, Uptime: 90 * time.Second, Cause: node.CausePower | node.CauseBrownOut, Lost: 2,
		Readers: [4]node.ReaderInfo{{Configured: true, Chip: 0x92}, {Configured: true}}}
	c := node.Config{Select: [4]node.Pin{10, 9}, Strip: node.APA102, Pixels: 35, Data: 6, Clock: 5, Buttons: [4]node.Pin{14, 15}}
	var out strings.Builder
	tellNode(&out, "/dev/ttyUSB0", i, c)
	const want = `nœud sans nom · node without a name at /dev/ttyUSB0
micrologiciel 1.0, protocole 1 ; démarrage n° 7 il y a 1m30s : mise sous tension et baisse de tension · firmware 1.0, protocol 1; start 7, 1m30s ago, by power and brown-out
lecteur 0 en D10 : version 92 · reader 0 at D10: version 92
lecteur 1 en D9 : ne répond pas · reader 1 at D9: does not answer
ruban de 35 APA102 en D6 et D5 · strip of 35 APA102 at D6 and D5
boutons en A0, A1 · buttons at A0, A1
2 octets ou trames perdus depuis le démarrage · 2 bytes or frames lost since the start
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

// What cannot be set is said in both languages, all of it at once.
func TestNodeSettingsThatCannotBe(t *testing.T) {
	set := nodeSettings{strip: "neon", readers: []string{"D10", "Q3"}, buttons: strings.Split("A0,A1,A2,A3,A4", ",")}
	var c node.Config
	said := told(set.apply(&c, func(flag string) bool { return flag == "strip" || flag == "readers" || flag == "buttons" }))
	c = node.Config{Name: "été", Select: [4]node.Pin{12, 9, 9}, Strip: node.APA102, Pixels: 200}
	said = append(said, told(c.Check())...)
	if len(said) != 3+7 {
		t.Errorf("%d faults: %v", len(said), said)
	}
	for _, s := range said {
		if s.FR == "" || s.FR == s.EN || strings.Contains(s.FR+s.EN, "%!") {
			t.Errorf("%+v", s)
		}
	}
}
