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
	command("node", "set", live.Path, "--name", "urn", "--readers", "D10,A5,d8", "--buttons", "A1", "--pixels", "35")
	got := command("node", "info", live.Path)
	for _, want := range []string{"urn at " + live.Path, "firmware 1.0, protocol 1; ", "by watchdog", "reader 0 at D10: version 92", "reader 2 at D8: does not answer",
		"reader 1 at A5: does not answer", "strip of 35 WS2812 at D6", "buttons at A1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	t.Log("\n" + got)
	var out, errs strings.Builder
	if status := run(t.Context(), []string{"node", "set", live.Path, "--name", "été"}, &out, &errs); status != 1 || !strings.Contains(errs.String(), "accents") {
		t.Errorf("a name with accents: %d, %s", status, &errs)
	}
}
