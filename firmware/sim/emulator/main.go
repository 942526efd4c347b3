//go:build simavr

// Command emulator simulates a node: it runs the real firmware on a simulated chip, at a serial port that it
// makes. The demonstration starts it (majordome demo --node) and places the cards of its bench on it. It is a
// separate program because libsimavr is under the GPL.
//
//	emulator IMAGE PORT
//
// It reads lines: "put READER UID", "take READER UID", "plug READER", "unplug READER", "press BUTTON", "release
// BUTTON", and ends at the end of its input. It prints "ready", then "strip RRGGBB..." whenever the strip
// changes.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"majordome/devices"
	"majordome/firmware/sim"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "emulator:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out, errs io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: emulator IMAGE PORT")
	}
	live, err := sim.NewLive(args[0], args[1])
	if err != nil {
		return err
	}
	defer live.Close()
	fmt.Fprintln(out, "ready")
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		printStrip(live, out, quit)
	}()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := executeLine(live, strings.Fields(lines.Text())); err != nil {
			fmt.Fprintln(errs, "emulator:", err)
		}
	}
	close(quit)
	<-ended
	return lines.Err()
}

// printStrip prints the strip when it changes, at most 30 times a second.
func printStrip(live *sim.Live, out io.Writer, quit chan struct{}) {
	ticker := time.NewTicker(time.Second / 30)
	defer ticker.Stop()
	var shown []devices.RGB
	for {
		select {
		case <-quit:
			return
		case <-ticker.C:
		}
		var px []devices.RGB
		live.WithBoard(func(b *sim.Board) { px = b.WS2812State().Pixels })
		if slices.Equal(px, shown) {
			continue
		}
		shown = px
		var line strings.Builder
		for _, c := range px {
			fmt.Fprintf(&line, "%02x%02x%02x", c.R, c.G, c.B)
		}
		fmt.Fprintln(out, "strip", line.String())
	}
}

// executeLine executes one line of input.
func executeLine(live *sim.Live, words []string) (err error) {
	if len(words) < 2 {
		return fmt.Errorf("%q: a verb and a number are needed", strings.Join(words, " "))
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 0 || n > 3 {
		return fmt.Errorf("%q is not a number from 0 to 3", words[1])
	}
	var uid devices.UID
	if len(words) > 2 {
		if uid, err = devices.ParseUID(words[2]); err != nil {
			return err
		}
	}
	live.WithBoard(func(b *sim.Board) {
		switch words[0] {
		case "put":
			err = b.Readers[n].PlaceTag(uid, 0)
		case "take":
			b.Readers[n].RemoveTag(uid)
		case "plug":
			b.Readers[n].Plug()
		case "unplug":
			b.Readers[n].Unplug(0)
		case "press", "release":
			b.SetButton(n, words[0] == "press")
		default:
			err = fmt.Errorf("%q is no verb of this program", words[0])
		}
	})
	return err
}
