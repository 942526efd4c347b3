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

// emulated is a node of the demonstration: its firmware runs on a simulated chip, in a program of its own (firmware/sim/emulator), at
// the end of a serial line.
type emulated struct {
	dir   string
	run   *exec.Cmd
	in    io.WriteCloser
	dev   *node.Dev
	heard sync.WaitGroup
	mu    sync.Mutex // of in
}

// emulate starts the program with its image and puts both readers and the strip of s on its node.
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
	e.run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the demonstration, which ends it in order
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
		return e, sentence("--node : « %.80s » ne fait pas démarrer l’image %.80s", "--node: “%.80s” does not start the image %.80s", words[0], words[1])
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
		s.readers = append(s.readers, config.Reader{Role: role, Scanner: e.dev.Reader(i), Period: config.NodePeriod, Retry: config.NodePeriod})
	}
	s.strips = []config.Strip{{Strip: e.dev.Strip(s.layout.Len()), Layout: s.layout}}
	return e, nil
}

// strip takes a line about the strip.
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

// say writes a line to the program.
func (e *emulated) say(format string, args ...any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := fmt.Fprintf(e.in, format+"\n", args...)
	return err
}

// Close gives the port back and ends the program. It may be called on one that was started in part.
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
			err = errors.Join(err, sentence("--node : le programme s’est terminé avec le code %d", "--node: the program has ended with code %d", e.run.ProcessState.ExitCode()))
		}
	}
	return errors.Join(err, os.RemoveAll(e.dir))
}

// emulatedField is the space above one of its readers. A program that has ended takes no cards; its readers are lost.
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
