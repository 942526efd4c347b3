package guide

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
)

const everything = `
readers:
  - {role: urn, spi: SPI1.0, reset: GPIO25}
  - {role: show, chip: serial, port: /dev/ttyACM0}
  - {role: enrol, chip: node, port: /dev/n, reader: 3}
  - {role: place-3, spi: SPI1.1}
strips:
  - {chip: ws2812, spi: SPI0.0, gated: true, budget_ma: 2000}
  - {chip: node, port: /dev/n, segments: {clock: 9-0, urn: 12}}
  - {chip: node, port: /dev/m}
clocks:
  - {chip: tm1637, clk: 5, dio: GPIO6}
  - {chip: ht16k33}
  - {chip: max7219, spi: SPI1.2}
  - {chip: tic, variant: T825}
buttons:
  - {role: call, pin: 26}
  - {role: pause, port: /dev/o, button: 3}
  - {role: next, tag: 04A1B2C3D4E5F6}
`

// otherChip has a reader for whose module there is no drawing.
var otherChip = config.Config{Readers: []config.ReaderConfig{{Role: "urn", Chip: "another", SPI: "SPI1.0"}}}

func parse(t *testing.T, text string) config.Config {
	t.Helper()
	cfg, err := config.ParseConfig("majordome.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestEveryWireHasTwoEnds checks that each terminal says where its wire goes, and that a wire arrives there: at a pin
// of the board, or at another part. No two wires run at the same height or in the same lane.
func TestEveryWireHasTwoEnds(t *testing.T) {
	apa := parse(t, "strips: [{chip: apa102, spi: SPI0.0}]")
	four := parse(t, "readers: [{role: urn, chip: node, port: /dev/n}, {role: show, chip: node, port: /dev/n, reader: 1}, {role: enrol, "+
		"chip: node, port: /dev/n, reader: 3}]")
	for _, cfg := range []config.Config{parse(t, everything), apa, four, otherChip} {
		for _, b := range listBoards(cfg) {
			for _, french := range []bool{true, false} {
				s := &sheet{fr: french, bottom: 20}
				var all wires
				for _, p := range b.parts {
					if s.textInLanguage(p.name) == "" {
						t.Errorf("%s: a part without a name: %+v", b.name.EN, p)
					}
					for _, term := range p.terminals {
						if said := s.otherEndText(term, b); said == "" || strings.Contains(said, "%!") {
							t.Errorf("%s, %s: %q leads to %q", b.name.EN, p.name.EN, term.name, said)
						}
						if term.wire != "" {
							all.ensureWire(term.wire)
						}
					}
				}
				if b.node {
					s.drawPinList(&all, 0)
				} else {
					s.drawHeaderAndPlacePins(&all, 0)
				}
				s.placeWires(b, &all, 0)
				heights := map[float64]string{}
				lanes := map[float64]string{}
				for _, n := range all {
					if len(n.boardEnds)+len(n.partEnds) < 2 {
						t.Errorf("%s: the wire %s has one end", b.name.EN, n.name)
					}
					if o := lanes[n.lane]; o != "" {
						t.Errorf("%s: %s and %s are in one lane", b.name.EN, o, n.name)
					}
					lanes[n.lane] = n.name
					for _, p := range slices.Concat(n.boardEnds, n.partEnds) {
						if o := heights[p.turn]; o != "" {
							t.Errorf("%s: %s and %s run at one height", b.name.EN, o, n.name)
						}
						heights[p.turn] = n.name
					}
				}
			}
		}
	}
}

// TestPicturesOfEverything checks that the pictures are well-formed, and in their language.
func TestPicturesOfEverything(t *testing.T) {
	cfg := parse(t, everything)
	for _, french := range []bool{true, false} {
		var names []string
		for _, p := range DrawPictures(cfg, french) {
			names = append(names, p.Name)
			d := xml.NewDecoder(strings.NewReader(string(p.SVG)))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", p.Name, err)
				}
			}
			text := string(p.SVG)
			if strings.Contains(text, ">broche ") && !french || strings.Contains(text, ">pin ") && french || strings.Contains(text, "%!") {
				t.Errorf("%s speaks the other language:\n%s", p.Name, text)
			}
		}
		want := []string{"wiring-1", "wiring-2", "wiring-3", "wiring-4", "strip-1", "strip-2", "strip-3", "slot"}
		if !slices.Equal(names, want) {
			t.Errorf("the pictures are %v, want %v", names, want)
		}
	}
	if none := DrawPictures(parse(t, "calm: true"), true); len(none) != 0 {
		t.Errorf("%d pictures of nothing", len(none))
	}
}

// TestAnotherChipIsNoRC522 checks that a reader of another chip is not drawn as the common module.
func TestAnotherChipIsNoRC522(t *testing.T) {
	svg := string(drawBoard(listBoards(otherChip)[0], false))
	if !strings.Contains(svg, "another, urn, SPI1.0") || strings.Contains(svg, "RC522") || strings.Contains(svg, ">IRQ<") {
		t.Errorf("drawn is\n%s", svg)
	}
}

// TestHeaderPins checks that the pins of the header are the Raspberry Pi's, each once, and that none is a supply or a
// ground.
func TestHeaderPins(t *testing.T) {
	taken := map[int]bool{}
	for _, p := range []int{1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39} {
		taken[p] = true
	}
	for gpio, pin := range headerPins {
		if taken[pin] || pin < 1 || pin > headerCount || gpio < 0 || gpio > 27 {
			t.Errorf("GPIO%d is at pin %d", gpio, pin)
		}
		taken[pin] = true
	}
	if len(taken) != headerCount {
		t.Errorf("%d pins are known", len(taken))
	}
}
