package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"

	"majordome/devices"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Wires of a Raspberry Pi that readers and strips share: an SPI bus carries several chips, each with its own chip
// select; a strip has none. Sources: BCM2835 ARM Peripherals, 2.3 and 6.2, and the overlays of the Raspberry Pi kernel.

// busChip is one chip that the configuration puts on an SPI bus.
type busChip struct {
	at              string // the YAML path of its spi
	name            engine.Text
	bus, chipSelect int
	isStrip         bool
	gated           bool // a strip that receives only the bytes for its chip select
}

var spiForm = regexp.MustCompile(`^(?:SPI|/dev/spidev)([0-9])\.([0-9])$`)

// parseSPI parses the name of an SPI port.
func parseSPI(spi string) (bus, cs int, ok bool) {
	m := spiForm.FindStringSubmatch(spi)
	if m == nil {
		return 0, 0, false
	}
	return int(m[1][0] - '0'), int(m[2][0] - '0'), true
}

// spiPortValues returns the values for the name of an SPI port.
func spiPortValues(example string) allowedValues {
	return textsThatFit("mauvais nom de bus", "bad name of a bus", func(s string) bool { _, _, ok := parseSPI(s); return ok },
		engine.Tf("écrivez-le comme %s : le bus, un point, la sélection", "write it like %s: the bus, a point, the chip select", example))
}

// checkWiring notes devices that cannot be wired together.
func (k *checker) checkWiring(c *Config) {
	for i, r := range c.Readers {
		k.checkReaderPort(fmt.Sprintf("$.readers[%d]", i), r, c.Readers[:i])
	}
	for i, s := range c.Strips {
		k.checkStripPort(fmt.Sprintf("$.strips[%d]", i), s, c.Strips[:i], c.Readers)
	}
	k.checkButtonPorts(c)
	chips := k.validSPIChips(c)
	for i, a := range chips {
		k.checkAuxiliaryBus(a)
		k.checkChipSelect(a)
		if j := slices.IndexFunc(chips[:i], a.receivesBytesOf); j >= 0 {
			k.addClash(a, chips[j])
		}
	}
	k.checkPins(c, chips)
}

// validSPIChips returns the chips on SPI buses whose names are valid.
func (k *checker) validSPIChips(c *Config) (all []busChip) {
	for i, r := range c.Readers {
		if bus, cs, ok := parseSPI(r.SPI); ok && readerChips.findChip(r.Chip).hasKey("spi") {
			all = append(all, busChip{fmt.Sprintf("$.readers[%d].spi", i), k.readerName(i, r), bus, cs, false, false})
		}
	}
	for i, d := range c.Clocks {
		if bus, cs, ok := parseSPI(d.SPI); ok && clockChips.findChip(d.Chip).hasKey("spi") {
			all = append(all, busChip{fmt.Sprintf("$.clocks[%d].spi", i), engine.Tf("l’horloge %s", "the clock %s", d.Chip), bus, cs, false,
				false})
		}
	}
	for i, s := range c.Strips {
		if bus, cs, ok := parseSPI(s.SPI); ok && stripChips.findChip(s.Chip).hasKey("spi") {
			all = append(all, busChip{fmt.Sprintf("$.strips[%d].spi", i), k.stripName(i, s), bus, cs, true, s.Gated})
		}
	}
	return all
}

// readerName describes a reader by its role, or by its line or variable if the role is not valid.
func (k *checker) readerName(i int, r ReaderConfig) engine.Text {
	if isReaderRole(r.Role) {
		return engine.Tf("le lecteur %s", "the reader %s", r.Role)
	}
	line, _ := k.lineAndColumn(fmt.Sprintf("$.readers[%d]", i))
	if name := k.variableOf(fmt.Sprintf("$.readers[%d]", i)); name != "" {
		return engine.Tf("le lecteur de %s", "the reader of %s", name)
	}
	return engine.Tf("le lecteur de la ligne %d", "the reader of line %d", line)
}

// stripName describes a strip by its chip, or by its line or variable if the chip is not known.
func (k *checker) stripName(i int, s StripConfig) engine.Text {
	if stripChips.findChip(s.Chip) != nil {
		return engine.Tf("le ruban %s", "the strip %s", s.Chip)
	}
	line, _ := k.lineAndColumn(fmt.Sprintf("$.strips[%d]", i))
	if name := k.variableOf(fmt.Sprintf("$.strips[%d]", i)); name != "" {
		return engine.Tf("le ruban de %s", "the strip of %s", name)
	}
	return engine.Tf("le ruban de la ligne %d", "the strip of line %d", line)
}

// receivesBytesOf reports whether two chips would receive each other's bytes.
func (a busChip) receivesBytesOf(b busChip) bool {
	return a.bus == b.bus && (a.chipSelect == b.chipSelect || a.hasNoChipSelect() || b.hasNoChipSelect())
}

// hasNoChipSelect reports whether the chip ignores the chip select and receives everything on its bus.
func (a busChip) hasNoChipSelect() bool { return a.isStrip && !a.gated }

// addClash notes that a and b cannot be wired together.
func (k *checker) addClash(a, b busChip) {
	if a.hasNoChipSelect() || b.hasNoChipSelect() {
		k.addFault(a.at, engine.T(fmt.Sprintf("spi : %s est déjà sur SPI%d, et un ruban n’a pas de sélection : il prendrait "+
			"pour lui tout ce qui passe sur ce bus", b.name.FR, a.bus),
			fmt.Sprintf("spi: %s is on SPI%d already, and a strip has no chip select: it would take all that passes on that bus for itself",
				b.name.EN, a.bus)),
			engine.T("les lecteurs sur SPI1, un seul ruban, sur SPI0.0 ; les autres à un nœud ; ou gated: true",
				"readers on SPI1, one strip alone, on SPI0.0; others at a node; or gated: true"))
		return
	}
	k.addFault(a.at, engine.T(fmt.Sprintf("spi : %s occupe déjà SPI%d.%d", b.name.FR, a.bus, a.chipSelect),
		fmt.Sprintf("spi: %s has SPI%d.%d already", b.name.EN, a.bus, a.chipSelect)),
		engine.Tf("une sélection par lecteur : SPI%[1]d.0, SPI%[1]d.1", "a chip select for each: SPI%[1]d.0, SPI%[1]d.1", a.bus))
}

// checkAuxiliaryBus notes a strip on an auxiliary SPI: SPI1 and SPI2 of every Raspberry Pi up to the 4. They have no clock
// phase, so no mode 3, which an APA102 needs, and no DMA, so there are pauses between the bytes of a WS2812.
func (k *checker) checkAuxiliaryBus(c busChip) {
	if !c.isStrip || c.bus != 1 && c.bus != 2 {
		return
	}
	k.addFault(c.at, engine.Tf("spi : pas de ruban sur SPI%d, qui ne connaît ni le mode 3 (APA102) ni l’envoi sans pause (WS2812, SK6812)",
		"spi: no strip on SPI%d, which knows neither mode 3 (APA102) nor sending without a pause (WS2812, SK6812)", c.bus),
		engine.T("mettez le ruban sur SPI0.0 et les lecteurs sur SPI1", "put the strip on SPI0.0 and the readers on SPI1"))
}

// checkChipSelect notes a chip select that the bus does not have.
func (k *checker) checkChipSelect(c busChip) {
	if n := len(busPins[c.bus].Selects); n > 0 && c.chipSelect >= n {
		k.addFault(
			c.at,
			engine.Tf("spi : SPI%[1]d n’a pas de sélection %[2]d", "spi: SPI%[1]d has no chip select %[2]d", c.bus, c.chipSelect),
			engine.Tf("de SPI%[1]d.0 à SPI%[1]d.%[2]d ; davantage de lecteurs à un nœud",
				"SPI%[1]d.0 to SPI%[1]d.%[2]d; more readers at a node", c.bus, n-1),
		)
	}
}

// SPIPins are the pins of an SPI bus of a Raspberry Pi, by GPIO number, with its chip selects.
type SPIPins struct {
	MISO, MOSI, SCLK int
	Selects          []int
}

var busPins = map[int]SPIPins{
	0: {9, 10, 11, []int{8, 7}}, 1: {19, 20, 21, []int{18, 17, 16}}, 3: {1, 2, 3, []int{0, 24}},
	4: {5, 6, 7, []int{4, 25}}, 5: {13, 14, 15, []int{12, 26}}, 6: {19, 20, 21, []int{18, 27}},
}

// SPIPinsOf returns the pins of a chip at an SPI port such as SPI1.0: those of its bus, with only its own chip select.
func SPIPinsOf(spi string) (p SPIPins, ok bool) {
	bus, cs, _ := parseSPI(spi)
	p = busPins[bus]
	if cs >= len(p.Selects) {
		return SPIPins{}, false
	}
	p.Selects = p.Selects[cs : cs+1]
	return p, true
}

// pinForm is the only accepted form of a pin's name: with others, such as P1_22, a pin that is wired twice would not be
// found.
var pinForm = regexp.MustCompile(`^(?:GPIO)?(0|[1-9][0-9]{0,2})$`)

// lastPin is the highest GPIO number on the 40-pin header of a Raspberry Pi.
const lastPin = 27

var pinValues = textsThatFit("mauvais nom de broche", "bad name of a pin", isPinName,
	engine.Tf("écrivez-la comme GPIO25, par son numéro de GPIO, jusqu’à %d", "write it like GPIO25, by its GPIO number, up to %d", lastPin))

func isPinName(s string) bool {
	m := pinForm.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	n, _ := strconv.Atoi(m[1]) // at most three digits
	return n <= lastPin
}

// checkPins notes pins that are wired twice.
func (k *checker) checkPins(c *Config, chips []busChip) {
	taken := busPinUsers(chips)
	wired := func(at, key, pin string, by engine.Text) {
		m := pinForm.FindStringSubmatch(pin)
		if m == nil {
			return
		}
		n, _ := strconv.Atoi(m[1]) // at most three digits
		if other, twice := taken[n]; twice {
			var without engine.Text
			if key == "reset" { // the other pins are required
				without = engine.T(", ou enlevez reset", ", or leave reset out")
			}
			k.addFault(at, engine.T(fmt.Sprintf("%s : la broche GPIO%d est déjà prise par %s", key, n, other.FR),
				fmt.Sprintf("%s: the pin GPIO%d is taken by %s already", key, n, other.EN)),
				engine.T("une broche par fil : prenez-en une autre"+without.FR, "one pin for each wire: take another"+without.EN))
		}
		taken[n] = by
	}
	for i, r := range c.Readers {
		if readerChips.findChip(r.Chip).hasKey("reset") {
			wired(fmt.Sprintf("$.readers[%d].reset", i), "reset", r.Reset, k.readerName(i, r))
		}
	}
	for i, d := range c.Clocks {
		by := engine.Tf("l’horloge %s", "the clock %s", d.Chip)
		for _, at := range []struct{ key, pin string }{{"clk", d.CLK}, {"dio", d.DIO}} {
			if clockChips.findChip(d.Chip).hasKey(at.key) {
				wired(fmt.Sprintf("$.clocks[%d].%s", i, at.key), at.key, at.pin, by)
			}
		}
	}
	for i, b := range c.Buttons {
		wired(fmt.Sprintf("$.buttons[%d].pin", i), "pin", b.Pin, engine.Tf("le bouton %s", "the button %s", b.Role))
	}
}

// busPinUsers returns the pins of the buses of these chips, each with a description of its bus.
func busPinUsers(chips []busChip) map[int]engine.Text {
	taken := map[int]engine.Text{}
	for _, ch := range chips {
		p := busPins[ch.bus]
		selects := p.Selects[:min(len(p.Selects), ch.chipSelect+1)]
		if ch.bus == 0 { // dtparam=spi=on claims both, even if only one is used
			selects = p.Selects
		}
		for _, n := range slices.Concat([]int{p.MISO, p.MOSI, p.SCLK}, selects) {
			taken[n] = engine.Tf("le bus SPI%d", "the bus SPI%d", ch.bus)
		}
	}
	return taken
}

// checkReaderPort notes a port with two readers, unless both belong to one node.
func (k *checker) checkReaderPort(at string, r ReaderConfig, before []ReaderConfig) {
	for _, o := range before {
		switch {
		case !samePort(r.Port, o.Port):
		case r.Port != o.Port:
			k.addFault(at+".port", engine.Tf("port : %s est le même sous un autre nom", "port: %s is the same by another name",
				ownfile.ClipQuote(o.Port)),
				engine.T("un appareil par port ; tout ce qui est d’un nœud nomme son port de la même façon",
					"one device on each port; all that is of one node names its port alike"))
		case !readerChips.hasSharedPort(r.Chip) || !readerChips.hasSharedPort(o.Chip):
			k.addFault(at+".port", engine.Tf("port : deux lecteurs sur %s", "port: two readers on %s", ownfile.ClipQuote(r.Port)),
				engine.T("un seul par port", "one on each port"))
		case r.Reader == o.Reader:
			k.addFault(at+".reader", engine.Tf("reader : deux fois le lecteur %d du même nœud", "reader: reader %d of the same node twice",
				r.Reader), engine.T("un numéro par lecteur, de 0 à 3", "a number for each, 0 to 3"))
		}
	}
}

// checkButtonPorts notes buttons at a port that does not belong to a node.
func (k *checker) checkButtonPorts(c *Config) {
	for i, b := range c.Buttons {
		if slices.ContainsFunc(c.Readers, func(r ReaderConfig) bool {
			return samePort(r.Port, b.Port) && (!readerChips.hasSharedPort(r.Chip) || r.Port != b.Port)
		}) {
			k.addFault(fmt.Sprintf("$.buttons[%d].port", i), engine.Tf("port : un lecteur qui n’est pas de ce nœud est déjà sur %s",
				"port: a reader that is none of this node is on %s already", ownfile.ClipQuote(b.Port)),
				engine.T("le port d’un nœud, écrit partout de la même façon", "the port of a node, written alike everywhere"))
		}
	}
}

// checkStripPort notes a port that cannot also serve this strip; a node has one strip.
func (k *checker) checkStripPort(at string, s StripConfig, before []StripConfig, readers []ReaderConfig) {
	if slices.ContainsFunc(before, func(o StripConfig) bool { return samePort(s.Port, o.Port) }) {
		k.addFault(at+".port", engine.Tf("port : deux rubans sur %s", "port: two strips on %s", ownfile.ClipQuote(s.Port)),
			engine.T("un seul par nœud", "a node has one"))
	}
	if slices.ContainsFunc(readers, func(r ReaderConfig) bool {
		return samePort(r.Port, s.Port) && (!readerChips.hasSharedPort(r.Chip) || r.Port != s.Port)
	}) {
		k.addFault(at+".port", engine.Tf("port : un lecteur qui n’est pas de ce nœud est déjà sur %s",
			"port: a reader that is none of this node is on %s already", ownfile.ClipQuote(s.Port)),
			engine.T("un autre port pour le ruban", "another port for the strip"))
	}
}

// samePort reports whether two names mean one serial port: /dev/serial/by-id/... is another name of /dev/ttyUSB0.
func samePort(a, b string) bool {
	if a == "" || b == "" || a == b {
		return a == b && a != ""
	}
	realA, errA := filepath.EvalSymlinks(a)
	realB, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && realA == realB // a port that is not plugged in has only one name
}

// gpioChips matches the devices of the pins (Linux, Documentation/userspace-api/gpio).
const gpioChips = "/dev/gpiochip*"

// checkReadWriteAccess returns an error if a device may not be opened for reading and writing (access(2)).
func checkReadWriteAccess(device string) error { return syscall.Access(device, 6) }

// missingPinAdvice explains why a pin was not found: chips is the pattern of the GPIO devices, and allowed checks the access to
// one. Without access to a GPIO chip the drivers know none of its pins, so then
// a different name would not help.
func missingPinAdvice(name, chips string, allowed func(device string) error) devices.Advice {
	found, _ := filepath.Glob(chips) // the only possible error is a bad pattern
	for _, device := range found {
		if err := allowed(device); errors.Is(err, fs.ErrPermission) {
			return devices.NewAdvice("broche %[1]s introuvable, car cet utilisateur n’a pas droit à %[2]s : ajoutez-le au groupe "+
				"gpio (sudo usermod -aG gpio UTILISATEUR) et reconnectez-vous",
				"pin %[1]s not found, because this user may not use %[2]s: add it to the group gpio (sudo usermod -aG gpio "+
					"USER) and log in again", name, device)
		}
	}
	if len(found) == 0 {
		return devices.NewAdvice("broche %s introuvable : cette machine n’a pas de broches (aucun %s) ; enlevez-la, ou lancez "+
			"ceci sur le Raspberry Pi",
			"pin %s not found: this machine has no pins (no %s); leave it out, or run this on the Raspberry Pi", name, chips)
	}
	return devices.NewAdvice("broche %s introuvable : écrivez-la comme GPIO25, ou enlevez-la",
		"pin %s not found: use a name such as GPIO25, or leave it out", name)
}
