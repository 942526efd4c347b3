package guide

import (
	"fmt"
	"path"
	"strings"

	"majordome/cmd/majordome/config"
	"majordome/devices/node"
	"majordome/engine"
)

// terminal is an end of a wire at a part.
type terminal struct {
	name      string      // as printed on the part or in its data sheet
	wire      string      // name of the wire; "": none
	component string      // component in the wire just before the terminal: "330 Ω", a fuse "F 2 A"
	label     engine.Text // replaces the pin at the other end
}

// part is a module or component, drawn as a box with its terminals.
type part struct {
	name, kind engine.Text
	terminals  []terminal
	note       engine.Text
}

// board is the board that parts are wired to: the header of a Raspberry Pi, or a node with its used pins.
type board struct {
	name  engine.Text
	how   engine.Text // how to hold or connect it
	node  bool
	parts []part
}

var (
	nothing = engine.T("rien", "nothing")
	roles   = map[string]engine.Text{engine.ReaderUrn: engine.T("Lecteur de l’urne", "Reader of the urn"),
		engine.ReaderShow: engine.T("Lecteur de la table", "Table reader"),
		config.RoleEnrol:  engine.T("Lecteur à part", "Separate reader")}
)

// roleName returns the name of a reader by its role.
func roleName(r config.ReaderConfig) engine.Text {
	if said, known := roles[r.Role]; known {
		return said
	}
	return engine.T("Lecteur "+r.Role, "Reader "+r.Role)
}

// resistor is in the data wire of a strip, capacitor across its supply (Adafruit NeoPixel Überguide, best practices).
const (
	resistor  = "330 Ω"
	capacitor = "1000 µF"
)

// fuseForBudget returns the fuse for a strip that may draw budgetMA: the smallest on sale of at least one and a half times that.
func fuseForBudget(budgetMA int) string {
	for _, f := range []struct {
		mA   int
		name string
	}{{1000, "1 A"}, {2000, "2 A"}} {
		if budgetMA*3/2 <= f.mA {
			return f.name
		}
	}
	return "3,15 A"
}

// listBoards returns the boards of a configuration with their parts.
func listBoards(cfg config.Config) (all []board) {
	pi := board{name: engine.T("Raspberry Pi", "Raspberry Pi"),
		how: engine.T("Broche 1 en haut à gauche : carte microSD en haut, prises USB en bas.",
			"Pin 1 is at the top left: microSD card at the top, USB sockets below.")}
	for _, r := range cfg.Readers {
		if r.SPI != "" {
			pi.parts = append(pi.parts, readerPart(r))
		} else if r.Chip != config.ChipNode {
			pi.parts = append(pi.parts, part{name: roleName(r), kind: engine.T("lignes de texte", "lines of text"),
				note: engine.T("à une prise USB", "at a USB socket")})
		}
	}
	for _, s := range cfg.Strips {
		if s.SPI != "" {
			pi.parts = append(pi.parts, stripParts(s)...)
		}
	}
	for _, c := range cfg.Clocks {
		pi.parts = append(pi.parts, clockPart(c))
	}
	for _, b := range cfg.Buttons {
		if b.Pin != "" {
			pi.parts = append(pi.parts, buttonPart(b.Role, gpioName(b.Pin)))
		}
	}
	if len(pi.parts) > 0 {
		all = append(all, pi)
	}
	for _, port := range cfg.NodePorts() {
		all = append(all, nodeBoard(cfg, port))
	}
	return all
}

// gpioName adds the prefix GPIO, because a configuration may write GPIO25 as 25.
func gpioName(pin string) string { return "GPIO" + strings.TrimPrefix(pin, "GPIO") }

// rc522Terminals returns the terminals of the common reader module, in the order on the module.
func rc522Terminals(sda, sck, mosi, miso, rst string) []terminal {
	return []terminal{{name: "SDA", wire: sda}, {name: "SCK", wire: sck},
		{name: "MOSI", wire: mosi}, {name: "MISO", wire: miso}, {name: "IRQ", label: nothing},
		{name: "GND", wire: netGND}, {name: "RST", wire: rst}, {name: "3.3V", wire: net3V3}}
}

// readerPart returns a reader on a bus. A chip other than the RC522 is drawn only with the wires of the bus.
func readerPart(r config.ReaderConfig) part {
	p, _ := config.SPIPinsOf(r.SPI)
	if r.Chip != config.ChipMFRC522 {
		return part{name: roleName(r), kind: engine.Tf("%s, %s, %s", "%s, %s, %s", r.Chip, r.Role, r.SPI),
			terminals: []terminal{{name: "CS", wire: chipSelectPin(p)}, {name: "SCK", wire: gpioPin(p.SCLK)},
				{name: "MOSI", wire: gpioPin(p.MOSI)}, {name: "MISO", wire: gpioPin(p.MISO)}, {name: "GND", wire: netGND}},
			note: engine.T("alimentation : voyez sa notice", "supply: see its data sheet")}
	}
	reset := net3V3
	if r.Reset != "" {
		reset = gpioName(r.Reset)
	}
	return part{name: roleName(r), kind: engine.Tf("RC522, %s, %s", "RC522, %s, %s", r.Role, r.SPI),
		terminals: rc522Terminals(chipSelectPin(p), gpioPin(p.SCLK), gpioPin(p.MOSI), gpioPin(p.MISO), reset)}
}

func chipSelectPin(p config.SPIPins) string {
	if len(p.Selects) == 0 {
		return ""
	}
	return gpioPin(p.Selects[0])
}

// stripParts returns a strip on a bus with its level shifter (Nexperia 74AHCT125, pinning), capacitor and supply.
func stripParts(c config.StripConfig) []part {
	p, _ := config.SPIPinsOf(c.SPI)
	enable := netStrip
	if c.Gated {
		enable = chipSelectPin(p)
	}
	toStrip, unused := engine.T("vers DIN", "to DIN"), "4 5 9 10 12 13"
	shifter := []terminal{
		{name: "1  1OE", wire: enable},
		{name: "2  1A", wire: gpioPin(p.MOSI)},
		{name: "3  1Y", wire: "data", label: toStrip},
	}
	data := []terminal{{name: "DIN", wire: "data", component: resistor, label: engine.T("de 1Y (3)", "from 1Y (3)")}}
	switch c.Chip {
	case "unicornhd":
		return []part{{name: engine.T("Unicorn HAT HD", "Unicorn HAT HD"),
			note: engine.T("se pose sur les 40 broches", "sits on the 40 pins")}}
	case "apa102":
		unused = "9 10 12 13"
		shifter = append(shifter, terminal{name: "4  2OE", wire: netStrip}, terminal{name: "5  2A", wire: gpioPin(p.SCLK)},
			terminal{name: "6  2Y", wire: "clock", label: engine.T("vers CI", "to CI")})
		data = []terminal{{name: "DI", wire: "data", component: resistor, label: engine.T("de 1Y (3)", "from 1Y (3)")},
			{name: "CI", wire: "clock", label: engine.T("de 2Y (6)", "from 2Y (6)")}}
	}
	shifter = append(shifter, terminal{name: "7  GND", wire: netStrip}, terminal{name: "14 VCC", wire: net5V})
	return append([]part{{name: engine.T("74AHCT125", "74AHCT125"),
		kind: engine.T("convertisseur, en 5 V", "level shifter, at 5 V"), terminals: shifter,
		note: engine.T("GND aussi : "+unused, "GND too: "+unused)}}, stripSupplyParts(c, data, netStrip)...)
}

// stripSupplyParts returns a strip with its capacitor and its supply; data are the strip's signal inputs.
func stripSupplyParts(c config.StripConfig, data []terminal, ground string) []part {
	return []part{
		{name: engine.Tf("Ruban, %d LED", "Strip, %d LEDs", c.CountLEDs()), kind: engine.T("entrée, flèche →", "input, arrow →"),
			terminals: append(append([]terminal{{name: "5V", wire: net5V}}, data...), terminal{name: "GND", wire: ground})},
		{name: engine.T("Condensateur "+capacitor, "Capacitor "+capacitor),
			kind:      engine.T("à l’entrée du ruban", "at the input of the strip"),
			terminals: []terminal{{name: "+", wire: net5V}, {name: "−", wire: ground}}},
		{name: engine.Tf("Alimentation 5 V", "Supply 5 V"), kind: engine.Tf("%s au moins", "%s at least", fuseForBudget(c.BudgetMA)),
			terminals: []terminal{{name: "+", wire: net5V, component: "F " + fuseForBudget(c.BudgetMA), label: engine.T("fusible", "fuse")},
				{name: "−", wire: ground}}},
	}
}

func clockPart(c config.ClockConfig) part {
	name := engine.T("Horloge "+c.Chip, "Clock "+c.Chip)
	ground := terminal{name: "GND", wire: netGND}
	switch {
	case c.CLK != "":
		return part{name: name, terminals: []terminal{{name: "CLK", wire: gpioName(c.CLK)},
			{name: "DIO", wire: gpioName(c.DIO)}, {name: "VCC", wire: net3V3}, ground}}
	case c.SPI != "":
		p, _ := config.SPIPinsOf(c.SPI)
		return part{name: name, kind: engine.T(c.SPI, c.SPI), terminals: []terminal{{name: "VCC", wire: netPi5V},
			ground, {name: "DIN", wire: gpioPin(p.MOSI)}, {name: "CS", wire: chipSelectPin(p)}, {name: "CLK", wire: gpioPin(p.SCLK)}}}
	}
	all := []terminal{{name: "SDA", wire: gpioPin(2)}, {name: "SCL", wire: gpioPin(3)}, ground}
	if c.Variant == "" { // a Tic has a supply of its own, for the motor
		all = append(all, terminal{name: "VCC", wire: net3V3})
	}
	return part{name: name, kind: engine.T(c.I2C, c.I2C), terminals: all}
}

func buttonPart(role, pin string) part {
	return part{name: engine.Tf("Bouton %s", "Button %s", role), terminals: []terminal{{name: "1", wire: pin}, {name: "2", wire: netGND}}}
}

// gates are the input and output pins of a 74HC4050 (Nexperia, pinning): six gates, as many as four readers need.
var gates = [][2]int{{3, 2}, {5, 4}, {7, 6}, {9, 10}, {11, 12}, {14, 15}}

// nodeBoard returns the node at a port, with its standard pins.
func nodeBoard(cfg config.Config, port string) board {
	has := node.DefaultConfig()
	b := board{node: true, name: engine.T("Arduino Nano (nœud)", "Arduino Nano (node)"),
		how: engine.T("USB vers le Pi : …/"+clipName(path.Base(port)), "USB to the Pi: …/"+clipName(path.Base(port)))}
	var readers []part
	shifter := []terminal{{name: "1  VCC", wire: net3V3}}
	shifted := func(pin node.Pin, to string) string {
		g := gates[(len(shifter)-1)/2]
		shifter = append(shifter, terminal{name: fmt.Sprintf("%-2d", g[0]), wire: pin.String()},
			terminal{name: fmt.Sprintf("%-2d", g[1]), wire: fmt.Sprint(netShifted, g[1]), label: engine.T("vers "+to, "to "+to)})
		return fmt.Sprint(netShifted, g[1])
	}
	var sck, mosi string
	for _, r := range cfg.Readers {
		if r.Chip != config.ChipNode || r.Port != port {
			continue
		}
		if sck == "" {
			sck, mosi = shifted(node.SCK, "SCK"), shifted(node.MOSI, "MOSI")
		}
		p := part{name: roleName(r), kind: engine.Tf("RC522, %s, reader: %d", "RC522, %s, reader: %d", r.Role, r.Reader),
			terminals: rc522Terminals(shifted(has.Select[r.Reader], "SDA"), sck, mosi, node.MISO.String(), net3V3)}
		readers = append(readers, p)
	}
	if len(readers) > 0 {
		var unused []string
		for _, g := range gates[(len(shifter)-1)/2:] {
			unused = append(unused, fmt.Sprint(g[0]))
		}
		note := engine.Text{}
		if len(unused) > 0 {
			note = engine.T("GND aussi : "+strings.Join(unused, " "), "GND too: "+strings.Join(unused, " "))
		}
		b.parts = append(b.parts, part{name: engine.T("Régulateur 3,3 V", "Regulator 3.3 V"), kind: engine.T("AMS1117-3.3", "AMS1117-3.3"),
			terminals: []terminal{{name: "IN", wire: netReg5V}, {name: "GND", wire: netGND},
				{name: "OUT", wire: net3V3, label: engine.T("3,3 V", "3.3 V")}}},
			part{name: engine.T("74HC4050", "74HC4050"), kind: engine.T("convertisseur, en 3,3 V", "level shifter, at 3.3 V"),
				terminals: append(shifter, terminal{name: "8  GND", wire: netGND}), note: note})
		b.parts = append(b.parts, readers...)
	}
	for _, s := range cfg.Strips {
		if s.Port == port {
			b.parts = append(b.parts,
				stripSupplyParts(s, []terminal{{name: "DIN", wire: has.Data.String(), component: resistor}}, netGND)...)
		}
	}
	for _, c := range cfg.Buttons {
		if c.Port == port {
			b.parts = append(b.parts, buttonPart(c.Role, has.Buttons[c.Button].String()))
		}
	}
	return b
}

// clipName cuts a long name after its beginning.
func clipName(name string) string {
	const most = 34
	if r := []rune(name); len(r) > most {
		return string(r[:most]) + "…"
	}
	return name
}
