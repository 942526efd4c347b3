package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"majordome/cmd/majordome/bench"
	"majordome/cmd/majordome/config"
	"majordome/devices"
	"majordome/devices/node"
	"majordome/engine"
)

// emulatedNode is a node of the demonstration. Its firmware runs on a simulated chip in a separate program
// (firmware/sim/emulator), at the end of a serial line.
type emulated struct {
	dir   string
	run   *exec.Cmd
	in    io.WriteCloser
	dev   *node.Dev
	heard sync.WaitGroup
	mu    sync.Mutex // guards writes to stdin
}

// startEmulator starts the emulator with its image, and moves both readers and the strip of s to its node.
func (s *simulated) emulate(command string, errs io.Writer) (e *emulated, err error) {
	words := strings.Fields(command)
	if len(words) != 2 {
		return nil, sentence("--node : il faut le programme et l’image, par exemple « bin/emulator firmware/build/node.elf »",
			"--node: a program and an image are needed, such as “bin/emulator firmware/build/node.elf”")
	}
	e = &emulated{}
	if e.dir, err = os.MkdirTemp("", "majordome-node-"); err != nil {
		return nil, fmt.Errorf("demo: node: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("demo: node: %w", err), e.Close())
		}
	}()
	port := filepath.Join(e.dir, "usb-node")
	e.run = exec.Command(words[0], words[1], port)
	e.run.Stderr = errs
	e.run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C must reach only the demonstration, which then ends the emulator
	out, err := e.run.StdoutPipe()
	if err != nil {
		return e, err
	}
	if e.in, err = e.run.StdinPipe(); err != nil {
		return e, err
	}
	if err = e.run.Start(); err != nil {
		e.in = nil // closed by Start
		return e, sentence("--node : « %.80s » ne se lance pas : vérifiez le nom du programme, et qu’il peut être exécuté",
			"--node: “%.80s” cannot be run: check the name of the program, and that it may be run", words[0])
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		return e, sentence("--node : « %.80s » ne fait pas démarrer l’image %.80s",
			"--node: “%.80s” does not start the image %.80s", words[0], words[1])
	}
	e.heard.Go(func() {
		for lines.Scan() {
			s.strip(lines.Text())
		}
	})
	if e.dev, err = node.New(port, nil); err != nil {
		return e, err
	}
	s.readers = nil
	for i, role := range []string{engine.ReaderUrn, engine.ReaderShow} {
		s.fields[role] = emulatedField{e, i}
		s.readers = append(s.readers,
			config.Reader{Role: role, Scanner: e.dev.Reader(i), Period: config.NodePeriod, Retry: config.NodePeriod})
	}
	s.strips = []config.Strip{{Strip: e.dev.Strip(s.layout.Len()), Layout: s.layout}}
	return e, nil
}

// showStripLine decodes a line of the emulator about the strip and shows its colours. Other lines are ignored.
func (s *simulated) strip(line string) {
	text, ok := strings.CutPrefix(line, "strip ")
	rgb, err := hex.DecodeString(text)
	if !ok || err != nil {
		return
	}
	px := make([]devices.RGB, s.layout.Len())
	for i := range px {
		if 3*i+2 < len(rgb) {
			px[i] = devices.RGB{R: rgb[3*i], G: rgb[3*i+1], B: rgb[3*i+2]}
		}
	}
	s.frame(px)
}

// sendLine writes a line to the emulator.
func (e *emulated) say(format string, args ...any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := fmt.Fprintf(e.in, format+"\n", args...)
	return err
}

// Close releases the port and ends the emulator. It may be called after a start that failed half-way.
func (e *emulated) Close() (err error) {
	if e.dev != nil {
		err = e.dev.Halt()
	}
	if e.in != nil {
		err = errors.Join(err, e.in.Close())
	}
	e.heard.Wait()
	if e.run != nil && e.run.Process != nil {
		if e.run.Wait() != nil {
			err = errors.Join(err, sentence("--node : le programme s’est terminé avec le code %d",
				"--node: the program has ended with code %d", e.run.ProcessState.ExitCode()))
		}
	}
	return errors.Join(err, os.RemoveAll(e.dir))
}

// emulatedField is the space above a reader of the emulated node. After the emulator has ended its readers are lost and Put fails.
type emulatedField struct {
	e *emulated
	i int
}

func (f emulatedField) Put(u devices.UID) error { return f.e.say("put %d %s", f.i, u) }
func (f emulatedField) Take(u devices.UID)      { _ = f.e.say("take %d %s", f.i, u) }
func (f emulatedField) Plug(in bool) {
	verb := "unplug"
	if in {
		verb = "plug"
	}
	_ = f.e.say("%s %d", verb, f.i)
}

var _ bench.Field = emulatedField{}
