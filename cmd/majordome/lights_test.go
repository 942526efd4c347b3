package main

import (
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/ws2812"
	"majordome/devices/ws2812/ws2812sim"
	"majordome/engine"
)

// TestWalkAlongAStrip walks along a strip that takes red first and whose Salon is wired backwards: a person who
// answers with what the LEDs show learns how to write both in the configuration.
func TestWalkAlongAStrip(t *testing.T) {
	layout := light.Layout{Clock: light.NewSegment(0, 2), Places: []light.Segment{light.NewSegment(2, 3), light.NewSegment(5, 2)},
		Urn: light.Segment{8}}
	sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 10, Order: "RGB"})
	dev, err := ws2812.New(sim, &ws2812.Opts{NumPixels: 10})
	if err != nil {
		t.Fatal(err)
	}
	answers, out := make(chan string), &strings.Builder{}
	w := stripWalk{out: out, answers: answers,
		rooms: []engine.Name{{ID: "place-salon", Text: engine.T("Salon", "Drawing room")}, {ID: "place-2", Text: engine.T("Bar", "Bar")}}}
	done := make(chan error, 1)
	go func() {
		on, err := w.walkStrip(t.Context(), 0, config.Strip{Strip: dev, Layout: layout, Rooms: []string{"salon", "place-2"}},
			config.StripConfig{Chip: "ws2812"})
		if !on {
			t.Error("the walk stopped")
		}
		done <- err
	}()
	first := func() (lit []int, c devices.RGB) {
		px := sim.AppendPixels(nil)
		for i, p := range px {
			if p != (devices.RGB{}) {
				lit = append(lit, i)
				c = p
			}
		}
		return lit, c
	}
	says := func(line string, want ...int) {
		t.Helper()
		answers <- "?" // answered with the same question, once the LEDs show it
		if lit, _ := first(); !slices.Equal(lit, want) {
			t.Errorf("LEDs %v are lit, want %v", lit, want)
		}
		answers <- line
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	says("g", all...)
	says("R", all...)
	says("n", 9)
	says("", 0, 1)
	says("no", 2, 3, 4)
	says("Y", 5, 6)
	says("o", 8)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"Ruban 1 · strip 1: ws2812, 10 LED", "LED 2-4 : salon, Salon, en", "LED 2-4: salon, Drawing room, beginning", "l’horloge",
		"the urn’s slot", "écrivez order: RGB", "write order: RGB", "le ruban n’a pas 10 LED", "2-4 backwards is written 4-2",
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the dialogue lacks %q:\n%s", text, out)
		}
	}
	if strings.Contains(out.String(), "place-2: under") {
		t.Error("a segment that is right is listed to correct")
	}
}

// TestWalkStops checks that at the end of the input the walk says so and returns no error.
func TestWalkStops(t *testing.T) {
	dev, err := ws2812.New(ws2812sim.New(&ws2812sim.Opts{NumPixels: 35}), &ws2812.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	out := &strings.Builder{}
	w := stripWalk{out: out, answers: streamInputLines(t.Context(), strings.NewReader("\n"))}
	if on, err := w.walkStrip(t.Context(), 0, config.Strip{Strip: dev, Layout: light.DefaultLayout(7)},
		config.StripConfig{Chip: "ws2812"}); on || err != nil || !strings.Contains(out.String(), "arrêté") {
		t.Errorf("%v, %v: %s", on, err, out)
	}
}
