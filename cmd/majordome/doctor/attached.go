package doctor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"periph.io/x/conn/v3/i2c/i2creg"

	"majordome/cmd/majordome/house"
	"majordome/companion/wire"
	"majordome/devices/node"
	"majordome/devices/serial"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// maxAttached is how many devices are told.
const maxAttached = 12

// attached is a search for what no configuration names yet.
type attached struct {
	*look
	roles []string // that no reader has
	all   []wire.Found
}

// Attached are what is wrong with the devices that a configuration names, and those that it does not name: each that answers
// with what it takes to add it. Of a strip nobody can be told that it is there before it is lit. It opens what nobody else uses.
func (m *Machine) Attached(ctx context.Context, cfg house.Config) []wire.Found {
	a := &attached{look: &look{Machine: m, cfg: cfg}}
	for _, role := range []string{engine.ReaderUrn, engine.ReaderShow, house.RoleEnrol} {
		if !slices.ContainsFunc(cfg.Readers, func(r house.ReaderConfig) bool { return r.Role == role }) {
			a.roles = append(a.roles, role)
		}
	}
	for _, f := range m.Examine(cfg) {
		if f.State == Fault || f.State == Warning {
			a.all = append(a.all, wire.Found{Said: f.Said, Fix: f.Fix, Bad: true})
		}
	}
	for _, search := range []func(context.Context){a.spi, a.clocks, a.serial} {
		search(ctx)
	}
	return a.all[:min(len(a.all), maxAttached)]
}

// add offers a device; a reader gets a role that none has yet.
func (a *attached) add(said engine.Text, list string, pairs ...string) {
	f := wire.Found{Said: said, List: list}
	if list == "readers" {
		if len(a.roles) == 0 {
			f.List, pairs = "", nil
		} else {
			pairs = append([]string{"role", a.roles[0]}, pairs...)
			a.roles = a.roles[1:]
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Adds = append(f.Adds, wire.Setting{Path: pairs[i], Value: pairs[i+1]})
	}
	a.all = append(a.all, f)
}

// spi asks each chip select that nobody uses, where no strip hears all that passes.
func (a *attached) spi(context.Context) {
	used := spis(a.cfg)
	for _, n := range a.names("dev/spidev*.*") {
		name := "SPI" + strings.TrimPrefix(n, "dev/spidev")
		if slices.Contains(used, "/"+n) || a.deaf(name) {
			continue
		}
		dev, err := house.ReaderConfig{Chip: house.ChipMFRC522, SPI: name, KHz: 1000, Gain: 38}.MFRC522()
		if err != nil {
			continue // the doctor has said why
		}
		ident, err := dev.Probe()
		_ = dev.Close()
		switch {
		case err == nil:
			a.add(ownfile.Bothf("Un lecteur %[1]s répond sur %[2]s.", "A reader %[1]s answers on %[2]s.", ident.Name(), name), "readers", "spi", name)
		case strings.HasPrefix(name, "SPI0."):
			a.add(ownfile.Bothf("Rien ne répond sur %[1]s. Un ruban ne répond jamais : ajoutez-le, gardez, puis parcourez les lumières.", "Nothing answers on %[1]s. A strip never does: add it, keep that, and walk along the lights.", name), "strips", "chip", "ws2812", "spi", name)
		}
	}
}

// deaf reports a bus whose strip would take for itself what is sent to others.
func (a *attached) deaf(name string) bool {
	bus, _, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(a.cfg.Strips, func(s house.StripConfig) bool { return strings.HasPrefix(s.SPI, bus+".") && !s.Gated })
}

// clocks asks the addresses of the clocks on each I2C bus.
func (a *attached) clocks(context.Context) {
	for _, n := range a.names("dev/i2c-*") {
		name := "I2C" + strings.TrimPrefix(n, "dev/i2c-")
		bus, err := i2creg.Open(name)
		if err != nil {
			continue
		}
		for chip, address := range map[string]uint16{"ht16k33": 112, "tic": 14} {
			taken := slices.ContainsFunc(a.cfg.Clocks, func(c house.ClockConfig) bool { return c.I2C == name && c.Chip == chip })
			if taken || bus.Tx(address, nil, make([]byte, 1)) != nil {
				continue
			}
			a.add(ownfile.Bothf("Une horloge %[1]s répond sur %[2]s, à l’adresse %[3]d.", "A clock %[1]s answers on %[2]s, at address %[3]d.", chip, name, address), "clocks", "chip", chip, "i2c", name)
		}
		_ = bus.Close()
	}
}

// serial asks each port that nobody has named whether it is a node's; one that does not answer may be a reader that prints lines.
func (a *attached) serial(ctx context.Context) {
	used := map[string]bool{}
	for _, name := range portsOf(a.cfg) {
		used[a.real(name)] = true
	}
	for _, port := range serial.Ports() {
		if real := a.real(port); used[real] || !strings.HasPrefix(real, "/dev/ttyUSB") && !strings.HasPrefix(real, "/dev/ttyACM") {
			continue // a port of the Pi itself may be anything
		}
		err := WithNode(ctx, port, nil, func(_ context.Context, _ *node.Dev, i node.Info) error {
			a.node(port, i)
			return nil
		})
		if err != nil {
			a.add(ownfile.Bothf("Un port série : %[1]s. Aucun nœud n’y répond ; ce peut être un lecteur qui écrit des lignes.", "A serial port: %[1]s. No node answers there; it may be a reader that prints lines.", port), "readers", "chip", "serial", "port", port)
		}
	}
}

// node offers what a node has.
func (a *attached) node(port string, i node.Info) {
	for n, r := range i.Readers {
		if r.Configured && r.Chip != 0 {
			a.add(ownfile.Bothf("Le lecteur %[2]d du nœud %[1]s répond.", "Reader %[2]d of the node %[1]s answers.", port, n), "readers", "chip", house.ChipNode, "port", port, "reader", strconv.Itoa(n))
		}
	}
	if i.Pixels > 0 {
		a.add(ownfile.Bothf("Le nœud %[1]s a un ruban de %[2]d LED.", "The node %[1]s has a strip of %[2]d LEDs.", port, i.Pixels), "strips", "chip", house.ChipNode, "port", port)
	}
	for n := range node.MaxButtons {
		if i.Buttons&(1<<n) != 0 {
			a.add(ownfile.Both(fmt.Sprintf("Le nœud %s a un bouton %d.", port, n), fmt.Sprintf("The node %s has a button %d.", port, n)), "buttons", "role", "call", "port", port, "button", strconv.Itoa(n))
		}
	}
}
