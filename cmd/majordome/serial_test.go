package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/creack/pty"

	"majordome/cmd/majordome/config"
)

// TestSerialReaders checks that a reader that is not plugged in yet causes a warning, in both languages, and works
// when it is plugged in; a name that can never be a reader is an error.
func TestSerialReaders(t *testing.T) {
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer near.Close()
	var log strings.Builder
	open := func(port string) ([]config.Reader, error) {
		log.Reset()
		d := openDevices(config.Config{Readers: []config.ReaderConfig{{Role: "urn", Chip: "serial", Port: port}}},
			slog.New(slog.NewTextHandler(&log, nil)))
		return d.Readers, d.openErrors()
	}

	readers, err := open(near.Name())
	if err != nil || len(readers) != 1 || log.Len() > 0 {
		t.Fatalf("a reader that is there: %d, %v, %s", len(readers), err, &log)
	}
	if _, err := readers[0].Scanner.Scan(context.Background()); err != nil {
		t.Error(err)
	}
	if err := readers[0].Scanner.Halt(); err != nil {
		t.Error(err)
	}

	missing := t.TempDir() + "/usb-reader"
	readers, err = open(missing)
	if err != nil || len(readers) != 1 {
		t.Fatalf("a reader that is not plugged in: %d, %v", len(readers), err)
	}
	for _, said := range []string{missing + " not found: there ", missing + " introuvable : il "} {
		if !strings.Contains(log.String(), said) {
			t.Errorf("%q is not in the warning %s", said, &log)
		}
	}

	for _, port := range []string{"/dev/null", "ttyACM0"} {
		readers, err = open(port)
		said := faultMessages(err)[0]
		if len(readers) != 0 || said.FR == "" || !strings.Contains(said.FR, "lecteur urn") || !strings.Contains(said.EN, "reader urn") {
			t.Errorf("%s: %d readers, %+v", port, len(readers), said)
		}
	}
}
