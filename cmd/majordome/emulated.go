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
type emulatedNode struct {
	dir     string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	dev     *node.Dev
	reading sync.WaitGroup
	mu      sync.Mutex // guards writes to stdin
}

// startEmulator starts the emulator with its image, and moves both readers and the strip of s to its node.
func (s *simulatedHardware) startEmulator(command string, errs io.Writer) (e *emulatedNode, err error) {
	words := strings.Fields(command)
	if len(words) != 2 {
		return nil, newFault("--node : il faut le programme et l’image, par exemple « bin/emulator firmware/build/node.elf »",
			"--node: a program and an image are needed, such as “bin/emulator firmware/build/node.elf”")
	}
	e = &emulatedNode{}
	if e.dir, err = os.MkdirTemp("", "majordome-node-"); err != nil {
		return nil, fmt.Errorf("demo: node: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("demo: node: %w", err), e.Close())
		}
	}()
	port := filepath.Join(e.dir, "usb-node")
	e.cmd = exec.Command(words[0], words[1], port)
	e.cmd.Stderr = errs
	e.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C must reach only the demonstration, which then ends the emulator
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return e, err
	}
	if e.stdin, err = e.cmd.StdinPipe(); err != nil {
		return e, err
	}
	if err = e.cmd.Start(); err != nil {
		e.stdin = nil // closed by Start
		return e, newFault("--node : « %.80s » ne se lance pas : vérifiez le nom du programme, et qu’il peut être exécuté",
			"--node: “%.80s” cannot be run: check the name of the program, and that it may be run", words[0])
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		return e, newFault("--node : « %.80s » ne fait pas démarrer l’image %.80s",
			"--node: “%.80s” does not start the image %.80s", words[0], words[1])
	}
	e.reading.Go(func() {
		for lines.Scan() {
			s.showStripLine(lines.Text())
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
	s.strips = []config.Strip{{Strip: e.dev.Strip(s.layout.MinStripLen()), Layout: s.layout}}
	return e, nil
}

// showStripLine decodes a line of the emulator about the strip and shows its colours. Other lines are ignored.
func (s *simulatedHardware) showStripLine(line string) {
	text, ok := strings.CutPrefix(line, "strip ")
	rgb, err := hex.DecodeString(text)
	if !ok || err != nil {
		return
	}
	px := make([]devices.RGB, s.layout.MinStripLen())
	for i := range px {
		if 3*i+2 < len(rgb) {
			px[i] = devices.RGB{R: rgb[3*i], G: rgb[3*i+1], B: rgb[3*i+2]}
		}
	}
	s.storeFrame(px)
}

// sendLine writes a line to the emulator.
func (e *emulatedNode) sendLine(format string, args ...any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := fmt.Fprintf(e.stdin, format+"\n", args...)
	return err
}

// Close releases the port and ends the emulator. It may be called after a start that failed half-way.
func (e *emulatedNode) Close() (err error) {
	if e.dev != nil {
		err = e.dev.Halt()
	}
	if e.stdin != nil {
		err = errors.Join(err, e.stdin.Close())
	}
	e.reading.Wait()
	if e.cmd != nil && e.cmd.Process != nil {
		if e.cmd.Wait() != nil {
			err = errors.Join(err, newFault("--node : le programme s’est terminé avec le code %d",
				"--node: the program has ended with code %d", e.cmd.ProcessState.ExitCode()))
		}
	}
	return errors.Join(err, os.RemoveAll(e.dir))
}

// emulatedField is the space above a reader of the emulated node. After the emulator has ended, its readers are lost and AddTag fails.
type emulatedField struct {
	node  *emulatedNode
	index int
}

func (f emulatedField) AddTag(u devices.UID) error { return f.node.sendLine("put %d %s", f.index, u) }
func (f emulatedField) RemoveTag(u devices.UID)    { _ = f.node.sendLine("take %d %s", f.index, u) }
func (f emulatedField) SetPlugged(in bool) {
	verb := "unplug"
	if in {
		verb = "plug"
	}
	_ = f.node.sendLine("%s %d", verb, f.index)
}

var _ bench.Field = emulatedField{}
