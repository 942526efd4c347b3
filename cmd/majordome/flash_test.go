package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"majordome/engine/games"
)

// hexImage writes a small program in Intel's hexadecimal format.
func hexImage(t *testing.T, name string) (program []byte) {
	t.Helper()
	var text strings.Builder
	record := func(at int, kind byte, data []byte) {
		line := append([]byte{byte(len(data)), byte(at >> 8), byte(at), kind}, data...)
		sum := byte(0)
		for _, b := range line {
			sum -= b
		}
		fmt.Fprintf(&text, ":%s\n", strings.ToUpper(hex.EncodeToString(append(line, sum))))
	}
	for at := range 300 {
		program = append(program, byte(at*7+at/256))
	}
	for at := 0; at < len(program); at += 16 {
		record(at, 0, program[at:min(at+16, len(program))])
	}
	record(0, 1, nil)
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return program
}

// optiboot simulates the boot loader of a Nano, with the commands that avrdude uses: STK500 version 1 (Atmel's
// application note AVR061).
type optiboot struct {
	flash [32 << 10]byte
	at    int // of the next page, in bytes
}

// serve answers until the line is closed.
func (o *optiboot) serve(line io.ReadWriter) {
	take := func(n int) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(line, b); err != nil {
			return nil
		}
		return b
	}
	for {
		command := take(1)
		if command == nil {
			return
		}
		var args, answer []byte
		switch command[0] {
		case 'A': // parameter
			take(1)
			answer = []byte{4}
		case 'B': // device
			take(20)
		case 'E': // extended parameters
			take(5)
		case 'U': // address, in words
			if args = take(2); args != nil {
				o.at = 2 * (int(args[0]) | int(args[1])<<8)
			}
		case 'V': // meant for the chip, which does not answer now
			take(4)
			answer = []byte{0}
		case 'd': // write a page
			if args = take(3); args != nil {
				copy(o.flash[o.at:], take(int(args[0])<<8|int(args[1])))
			}
		case 't': // read a page
			if args = take(3); args != nil {
				answer = o.flash[o.at:][:int(args[0])<<8|int(args[1])]
			}
		case 'u': // signature of the ATmega328P
			answer = []byte{0x1E, 0x95, 0x0F}
		}
		if end := take(1); end == nil || end[0] != ' ' {
			continue // out of step: no answer
		}
		if _, err := line.Write(append(append([]byte{0x14}, answer...), 0x10)); err != nil {
			return
		}
	}
}

// TestNodeFlashNeedsNoFile checks that the image embedded in the program begins with a jump, and that the real
// avrdude accepts it. "make -C firmware test" checks that it is built from this tree's sources.
func TestNodeFlashNeedsNoFile(t *testing.T) {
	if _, err := exec.LookPath("avrdude"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("apt install avrdude to run this test")
	}
	for left := 9; ; left-- {
		status, said, boot := flashImage(t)
		if status != 0 && strings.Contains(said, "sync") && left > 0 {
			t.Log("avrdude has lost its step: once more")
			continue
		}
		if status != 0 || boot.flash[0] != 0x0C || boot.flash[1] != 0x94 {
			t.Fatalf("status %d, % X\n%s", status, boot.flash[:4], said)
		}
		return
	}
}

// TestNodeFlash checks that the real avrdude writes an image through the boot loader of a Nano, and reads it back.
func TestNodeFlash(t *testing.T) {
	if _, err := exec.LookPath("avrdude"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("apt install avrdude to run this test")
	}
	name := filepath.Join(t.TempDir(), "node.hex")
	program := hexImage(t, name)
	// avrdude gives up on a boot loader that is silent for a quarter of a second, which happens here on a machine
	// under load.
	for left := 9; ; left-- {
		status, said, boot := flashImage(t, name)
		if status != 0 && strings.Contains(said, "sync") && left > 0 {
			t.Log("avrdude has lost its step: once more")
			continue
		}
		if status != 0 || !strings.Contains(said, ": micrologiciel écrit · firmware written\n") {
			t.Fatalf("status %d\n%s", status, said)
		}
		if !bytes.Equal(boot.flash[:len(program)], program) {
			t.Errorf("written: % X", boot.flash[:len(program)])
		}
		return
	}
}

// flashImage flashes an image through a new simulated boot loader.
func flashImage(t *testing.T, file ...string) (status int, said string, boot *optiboot) {
	t.Helper()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	boot = &optiboot{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		boot.serve(far)
	}()
	var out, errs strings.Builder
	status = runCommandLine(t.Context(), games.KnownGames(), append([]string{"node", "flash", near.Name()}, file...), &out, &errs)
	_ = near.Close() // open until now, so that avrdude could close its end at any time
	_ = far.Close()
	<-ended
	return status, out.String() + errs.String(), boot
}

// TestFlashWithoutANano checks the arguments of avrdude, that its output is passed on, and the message when it fails.
func TestFlashWithoutANano(t *testing.T) {
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer near.Close()
	here, port := t.TempDir(), near.Name()
	t.Setenv("TMPDIR", t.TempDir())
	name := filepath.Join(here, "node.hex")
	hexImage(t, name)
	if err := os.WriteFile(filepath.Join(here, "avrdude"), []byte("#!/bin/sh\necho \"got $*\"\ncase $* in *9600*) exit 1;; esac\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", here)
	for _, c := range []struct {
		args      string
		status    int
		out, errs []string
	}{
		{port + " " + name, 0, []string{"got -p atmega328p -c arduino -b 115200 -D -P " + port + " -U flash:w:" + name + ":i\n",
			"micrologiciel écrit", "firmware written"}, nil},
		{port, 0, []string{"-b 115200 -D -P " + port + " -U flash:w:" + os.TempDir(), "firmware written"}, nil},
		{port + " --baud 57600", 0, []string{"-b 57600", "firmware written"}, nil},
		{port + " --baud 9600", 1, []string{"got "}, []string{"avrdude a échoué", "avrdude failed", "systemctl stop majordome"}},
		{port + " --baud 12", 1, nil, []string{"12 bauds n’est pas possible", "12 baud is not possible"}},
	} {
		checkFlash(t, c.args, c.status, c.out, c.errs)
	}
	// The old boot loader of most copies of the Nano.
	if err := os.WriteFile(filepath.Join(here, "avrdude"), []byte("#!/bin/sh\necho \"got $*\"\ncase $* in *115200*) exit 1;; esac\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	checkFlash(t, port, 0, []string{"-b 115200", "pas de réponse à 115200 bauds, essai à 57600 · no answer at 115200 baud, trying 57600\n",
		"-b 57600", "firmware written"}, nil)
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "majordome-node*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// checkFlash runs the command and checks its output.
func checkFlash(t *testing.T, args string, status int, outs, faults []string) {
	t.Helper()
	var out, errs strings.Builder
	if got := runCommandLine(t.Context(), games.KnownGames(), append([]string{"node", "flash"}, strings.Fields(args)...), &out,
		&errs); got != status {
		t.Errorf("%s: status %d: %s", args, got, &errs)
	}
	for text, wants := range map[*strings.Builder][]string{&out: outs, &errs: faults} {
		for _, want := range wants {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: %q is not in\n%s", args, want, text)
			}
		}
	}
}
