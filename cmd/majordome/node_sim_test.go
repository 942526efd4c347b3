//go:build simavr

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/devices"
	"majordome/devices/logtest"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/huisclos"
	"majordome/firmware/sim"
)

// startNode returns a node with the real firmware on a simulated chip.
func startNode(t *testing.T) *sim.Live {
	t.Helper()
	live, err := sim.NewLive("../../firmware/build/node.elf", filepath.Join(t.TempDir(), "usb-node"))
	if err != nil {
		t.Fatal("make -C firmware comes first: ", err)
	}
	t.Cleanup(live.Close)
	return live
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not in time: " + what)
		}
	}
}

// TestCommandsThroughANode checks the commands with the real firmware on a simulated chip.
func TestCommandsThroughANode(t *testing.T) {
	live := startNode(t)
	live.WithBoard(func(b *sim.Board) { b.Readers[2].Unplug(0xFF) })
	command := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		if status := runCommandLine(t.Context(), games.KnownGames(), args, &out, &errs); status != 0 {
			t.Fatalf("%v: status %d, %s", args, status, &errs)
		}
		return out.String()
	}
	command("node", "set", live.Path, "--name", "urn", "--readers", "D10,A5,d8", "--buttons", "A1", "--pixels", "35")
	var said strings.Builder
	if status := runCommandLine(t.Context(), games.KnownGames(), []string{"doctor", live.Path}, &said,
		io.Discard); status != 1 { // two readers do not answer
		t.Errorf("status %d", status)
	}
	got := said.String()
	for _, want := range []string{
		live.Path + ": node urn, firmware 1.1, protocol 1; start ", "by watchdog", "reader 0 at D10, NXP MFRC522 v2",
		"✗ " + live.Path + " : le lecteur 2 en D8 ne répond pas",
		"reader 1 at A5 does not answer", "strip of 35 WS2812 at D6", "buttons at A1\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	t.Log("\n" + got)
	var out, errs strings.Builder
	if status := runCommandLine(t.Context(), games.KnownGames(), []string{"node", "set", live.Path, "--name", "été"}, &out,
		&errs); status != exitMisused || !strings.Contains(errs.String(), "accents") {
		t.Errorf("a name with accents: %d, %s", status, &errs)
	}
}

// TestWhatIsLackingIsSaidThroughANode checks that parts in the configuration that the node does not have are reported
// in both languages: at the start, and when a node is plugged in later.
func TestWhatIsLackingIsSaidThroughANode(t *testing.T) {
	live := startNode(t)
	if status := runCommandLine(t.Context(), games.KnownGames(), []string{"node", "set", live.Path, "--readers", "D10,D9", "--strip",
		"none"}, io.Discard, io.Discard); status != 0 {
		t.Fatal(status)
	}
	var log logtest.Buffer
	d := openDevices(config.Config{Readers: []config.ReaderConfig{{Role: "urn", Chip: "node", Port: live.Path},
		{Role: "show", Chip: "node", Port: live.Path, Reader: 2}},
		Strips: []config.StripConfig{{Chip: "node", Port: live.Path, Places: 9}}}, slog.New(slog.NewTextHandler(&log, nil)))
	if err := d.openErrors(); err != nil {
		t.Fatal(err)
	}
	readers, strips := d.Readers, d.Strips
	says := func(n int) {
		t.Helper()
		for _, want := range []string{
			"reader show: the node has no reader 2", "lecteur show : le nœud n’a pas de lecteur 2", "the node has no strip",
			"n’a pas de ruban", "the urn shares a node of 2 readers", "l’urne partage un nœud de 2 lecteurs",
		} {
			waitFor(t, want, func() bool { return strings.Count(log.String(), want) == n })
		}
		if strings.Contains(log.String(), "reader urn") {
			t.Error(log.String())
		}
	}
	says(1)
	if _, err := readers[1].Scanner.Scan(t.Context()); err == nil || !strings.Contains(err.Error(), "no reader 2") {
		t.Errorf("a reader that is not there: %v", err)
	}
	if err := live.Unplug(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the node is missed", func() bool { return strings.Contains(log.String(), "introuvable") })
	if err := live.Plug(); err != nil {
		t.Fatal(err)
	}
	says(2)
	for _, halt := range []func() error{readers[0].Scanner.Halt, readers[1].Scanner.Halt, strips[0].Strip.Halt} {
		if err := halt(); err != nil {
			t.Error(err)
		}
	}
}

// TestWatchingThroughANode checks that a person who has wired a node, places a card on each reader and presses each
// button sees which one it was.
func TestWatchingThroughANode(t *testing.T) {
	live := startNode(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out logtest.Buffer
	var errs strings.Builder
	ended := make(chan int)
	go func() {
		ended <- runCommandLine(ctx, games.KnownGames(), []string{"doctor", "watch", live.Path}, &out, &errs)
	}()
	prints := func(want string) {
		t.Helper()
		waitFor(t, want, func() bool { return strings.Contains(out.String(), want) })
	}
	defer func() { t.Log("\n" + out.String()) }()
	prints("Ctrl-C")
	uid, _ := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, 6})
	live.WithBoard(func(b *sim.Board) {
		if err := b.Readers[3].PlaceTag(uid, 0); err != nil {
			t.Error(err)
		}
	})
	prints("lecteur 3 en D7 : la carte 04010203040506 est là · reader 3 at D7: card 04010203040506 is there\n")
	live.WithBoard(func(b *sim.Board) { b.Readers[3].RemoveTag(uid) })
	prints("la carte 04010203040506 est partie · reader 3 at D7: card 04010203040506 has left\n")
	live.WithBoard(func(b *sim.Board) { b.SetButton(2, true) })
	prints("bouton 2 en A2 : enfoncé · button 2 at A2: pressed\n")
	live.WithBoard(func(b *sim.Board) { b.SetButton(2, false) })
	prints("bouton 2 en A2 : relâché · button 2 at A2: released\n")
	live.WithBoard(func(b *sim.Board) { b.Readers[1].Unplug(0xFF) })
	prints("lecteur 1 en D9 : ne répond pas · reader 1 at D9: does not answer\n")
	stop()
	if status := <-ended; status != 0 || errs.Len() > 0 {
		t.Errorf("status %d, %s", status, &errs)
	}
}

// TestTheDemonstrationThroughANode runs the demonstration's hardware on a node: the reader reads a card on the
// bench's field, and a frame comes back from the strip.
func TestTheDemonstrationThroughANode(t *testing.T) {
	emulator := filepath.Join(t.TempDir(), "emulator")
	build := exec.Command("go", "build", "-tags", "simavr", "-o", emulator, "../../firmware/sim/emulator")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	book, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	hw, err := newSimulatedHardware()
	if err != nil {
		t.Fatal(err)
	}
	hw.nameStripParts(book.Names())
	e, err := hw.startEmulator(emulator+" ../../firmware/build/node.elf", os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	uid, _ := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, 6})
	if err := hw.fields[engine.ReaderShow].AddTag(uid); err != nil {
		t.Fatal(err)
	}
	scan := hw.readers[1].Scanner.Scan
	waitFor(t, "the card is named", func() bool {
		tags, err := scan(context.Background())
		return err == nil && len(tags) == 1 && tags[0].UID == uid
	})
	hw.fields[engine.ReaderShow].SetPlugged(false)
	waitFor(t, "the reader is lost", func() bool { _, err := scan(context.Background()); return err != nil })
	hw.fields[engine.ReaderShow].SetPlugged(true)
	hw.fields[engine.ReaderShow].RemoveTag(uid)
	waitFor(t, "the reader is back, and empty", func() bool {
		tags, err := scan(context.Background())
		return err == nil && len(tags) == 0
	})
	px := make([]devices.RGB, hw.layout.MinStripLen())
	px[7] = devices.RGB{R: 1, G: 2, B: 3}
	if err := hw.strips[0].Strip.ShowFrame(px); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the frame is seen", func() bool {
		hw.mu.Lock()
		defer hw.mu.Unlock()
		return slices.Equal(hw.pixels, px)
	})
	var said *fault
	if _, err := hw.startEmulator("bin/emulator", os.Stderr); !errors.As(err, &said) {
		t.Errorf("no image: %v", err)
	}
}
