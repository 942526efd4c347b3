//go:build simavr

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"majordome/firmware/sim"
)

// The commands speak to the real firmware, on a simulated chip.
func TestCommandsThroughANode(t *testing.T) {
	live, err := sim.NewLive("../../firmware/build/node.elf", filepath.Join(t.TempDir(), "usb-node"))
	if err != nil {
		t.Fatal("make -C firmware comes first: ", err)
	}
	t.Cleanup(live.Close)
	live.Do(func(b *sim.Board) { b.Readers[2].Unplug(0xFF) })
	command := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		if status := run(t.Context(), args, &out, &errs); status != 0 {
			t.Fatalf("%v: status %d, %s", args, status, &errs)
		}
		return out.String()
	}
	command("node", "name", live.Path, "urn")
	got := command("node", "info", live.Path)
	for _, want := range []string{"urn at " + live.Path, "firmware 1.0, protocol 1; ", "by watchdog", "reader 0 at D10: version 92", "reader 2 at D8: does not answer",
		"strip of 60 WS2812 at D6", "buttons at A0, A1, A2, A3"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	t.Log("\n" + got)
	var out, errs strings.Builder
	if status := run(t.Context(), []string{"node", "name", live.Path, "été"}, &out, &errs); status != 1 || !strings.Contains(errs.String(), "accents") {
		t.Errorf("a name with accents: %d, %s", status, &errs)
	}
}
