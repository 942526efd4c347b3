package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"periph.io/x/conn/v3/i2c/i2creg"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/manual"
	"majordome/companion/wire"
	"majordome/devices/node"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// maxAttached is the limit on devices in a result.
const maxAttached = 12

// deviceSearch searches for devices that the configuration does not have yet.
type deviceSearch struct {
	*examination
	freeRoles []string // roles that no reader has yet
	results   []wire.Found
}

// FindDevices returns the faults of the configuration's devices, and the devices that it does not have yet: each one that answers, with
// the settings that add it. A strip cannot answer, so an unused SPI0 is offered for one. It opens the chip selects and buses of the
// computer that no other program holds, but no serial port: see AskPort.
func (m *Machine) FindDevices(ctx context.Context, cfg config.Config) []wire.Found {
	a := m.newSearch(cfg)
	for _, f := range m.Examine(cfg) {
		if f.State == Fault || f.State == Warning {
			a.results = append(a.results, wire.Found{Said: f.Said, Fix: f.Fix, Bad: true, Help: f.helpPlace()})
		}
	}
	for _, search := range []func(context.Context){a.searchSPI, a.searchClockDisplays, a.searchPorts} {
		search(ctx)
	}
	return a.results[:min(len(a.results), maxAttached)]
}

// newSearch returns a search without results.
func (m *Machine) newSearch(cfg config.Config) *deviceSearch {
	a := &deviceSearch{examination: &examination{Machine: m, cfg: cfg}}
	for _, role := range []string{engine.ReaderUrn, engine.ReaderShow, config.RoleEnrol} {
		if !slices.ContainsFunc(cfg.Readers, func(r config.ReaderConfig) bool { return r.Role == role }) {
			a.freeRoles = append(a.freeRoles, role)
		}
	}
	return a
}

// addDevice adds a device with the settings that add it to the configuration. A reader gets the first free role; if there is none it
// cannot be added.
func (a *deviceSearch) addDevice(said engine.Text, list string, pairs ...string) {
	f := wire.Found{Said: said, List: list}
	if list == "readers" {
		if len(a.freeRoles) == 0 {
			f.List, pairs = "", nil
		} else {
			pairs = append([]string{"role", a.freeRoles[0]}, pairs...)
			a.freeRoles = a.freeRoles[1:]
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Adds = append(f.Adds, wire.Setting{Path: pairs[i], Value: pairs[i+1]})
	}
	a.results = append(a.results, f)
}

// searchSPI asks each unused chip select, except on a bus with a strip that would show what is sent to others.
func (a *deviceSearch) searchSPI(context.Context) {
	used := spiDevices(a.cfg)
	for _, n := range a.matchFiles("dev/spidev*.*") {
		name := "SPI" + strings.TrimPrefix(n, "dev/spidev")
		if slices.Contains(used, "/"+n) || a.hasUngatedStrip(name) || a.recordIfHeld("/"+n, name) {
			continue
		}
		dev, err := config.ReaderConfig{Chip: config.ChipMFRC522, SPI: name, KHz: 1000, Gain: 38}.OpenMFRC522()
		if err != nil {
			continue // Examine has reported the reason
		}
		ident, err := dev.Probe()
		_ = dev.Close()
		switch {
		case err == nil:
			a.addDevice(engine.Tf("Un lecteur %[1]s répond sur %[2]s.", "A reader %[1]s answers on %[2]s.", ident.Name(), name), "readers",
				"spi", name)
		case strings.HasPrefix(name, "SPI0."):
			a.addDevice(engine.Tf("Rien ne répond sur %[1]s. Un ruban ne répond jamais : ajoutez-le, gardez, puis parcourez les lumières.",
				"Nothing answers on %[1]s. A strip never does: add it, keep that, and walk along the lights.", name), "strips",
				"chip", "ws2812", "spi", name)
		}
	}
}

// hasUngatedStrip reports whether a bus has a strip that would show what is sent to other devices.
func (a *deviceSearch) hasUngatedStrip(name string) bool {
	bus, _, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(a.cfg.Strips, func(s config.StripConfig) bool { return strings.HasPrefix(s.SPI, bus+".") && !s.Gated })
}

// searchClockDisplays asks on each I2C bus for clocks at their usual addresses, and adds those that answer and are not configured.
func (a *deviceSearch) searchClockDisplays(context.Context) {
	for _, n := range a.matchFiles("dev/i2c-*") {
		name := "I2C" + strings.TrimPrefix(n, "dev/i2c-")
		if a.recordIfHeld("/"+n, name) {
			continue
		}
		bus, err := i2creg.Open(name)
		if err != nil {
			continue
		}
		for chip, address := range map[string]uint16{"ht16k33": 112, "tic": 14} {
			taken := slices.ContainsFunc(a.cfg.Clocks, func(c config.ClockConfig) bool { return c.I2C == name && c.Chip == chip })
			if taken || bus.Tx(address, nil, make([]byte, 1)) != nil {
				continue
			}
			a.addDevice(engine.Tf("Une horloge %[1]s répond sur %[2]s, à l’adresse %[3]d.",
				"A clock %[1]s answers on %[2]s, at address %[3]d.", chip, name, address), "clocks", "chip", chip, "i2c", name)
		}
		_ = bus.Close()
	}
}

// searchPorts lists the serial ports that the configuration does not have. It opens none, because opening one restarts some boards, and
// a question to a node might be a command to another device. The host picks the port to ask.
func (a *deviceSearch) searchPorts(context.Context) {
	used := map[string]bool{}
	for _, name := range serialPorts(a.cfg) {
		used[a.realPath(name)] = true
	}
	for _, p := range a.usbPorts() {
		if used[a.realPath(p.name)] || a.recordIfHeld(a.realPath(p.name), p.name) {
			continue
		}
		maker := a.usbProductOf(p.tty)
		if maker != "" {
			maker = " (" + maker + ")"
		}
		a.addDevice(engine.Tf("Un port série : %[1]s%[2]s. Rien ne lui a été envoyé. Si c’est un nœud, interrogez-le ; si c’est "+
			"un lecteur qui écrit des lignes, ajoutez-le.",
			"A serial port: %[1]s%[2]s. Nothing was sent to it. If it is a node, ask it; if it is a reader that prints lines, add it.",
			p.name, maker), "readers", "chip", config.ChipSerial, "port", p.name)
		a.results[len(a.results)-1].Ask = p.name
	}
}

// recordIfHeld reports whether a program, by its open files or locks, uses a device. The search must not ask such a device. It adds a
// result that names the program, unless that is this one.
func (a *deviceSearch) recordIfHeld(dev, name string) (isHeld bool) {
	p, held := a.holderOf(dev)
	if held && p.id != a.OwnPID {
		a.results = append(a.results, wire.Found{Said: engine.Tf("%[1]s est tenu par %[2]s (processus %[3]d) : rien ne lui a été demandé.",
			"%[1]s is held by %[2]s (process %[3]d): it was asked nothing.", name, ownfile.ClipQuote(p.name), p.id),
			Fix: engine.T("Arrêtez ce programme si l’appareil est pour la table.", "Stop that program if the device is for the table.")})
	}
	return held
}

// SearchPortForNode asks at a serial port, which the host has picked, for a node, and returns the devices on the node. If no node
// answers, the port is offered as a reader that prints lines.
func (m *Machine) SearchPortForNode(ctx context.Context, cfg config.Config, port string) []wire.Found {
	a := m.newSearch(cfg)
	if a.recordIfHeld(a.realPath(port), port) {
		if len(a.results) == 0 {
			a.results = append(a.results,
				wire.Found{Said: engine.Tf("%[1]s sert déjà à cette table.", "%[1]s is in use by this table already.", port)})
		}
		return a.results
	}
	err := WithOpenNode(ctx, port, nil, func(_ context.Context, _ *node.Dev, i node.Info) error {
		a.addNodeDevices(port, i)
		return nil
	})
	switch {
	case errors.Is(err, syscall.EBUSY):
		a.results = append(
			a.results,
			wire.Found{Said: engine.Tf("%[1]s est tenu par un autre programme.", "%[1]s is held by another program.",
				port), Fix: engine.T("Arrêtez ce programme si l’appareil est pour la table.",
				"Stop that program if the device is for the table.")},
		)
	case errors.Is(err, context.DeadlineExceeded):
		a.addDevice(engine.Tf("Aucun nœud ne répond sur %[1]s. Si c’est un lecteur qui écrit des lignes, ajoutez-le ; si c’est un "+
			"nœud, majordome node flash écrit son micrologiciel.",
			"No node answers on %[1]s. If it is a reader that prints lines, add it; if it is a node, majordome node flash "+
				"writes its firmware.", port), "readers", "chip", config.ChipSerial, "port", port)
	case err != nil:
		why := errorText(err)
		a.results = append(
			a.results,
			wire.Found{Said: engine.T(port+" : "+why.FR, port+": "+why.EN), Bad: true, Help: manual.PlaceOfFaultKind("node")},
		)
	case len(a.results) == 0:
		a.results = append(a.results,
			wire.Found{Said: engine.Tf("Le nœud %[1]s répond, mais rien n’y est branché : majordome node set nomme ses broches.",
				"The node %[1]s answers, but nothing hangs on it: majordome node set names its pins.", port)})
	}
	return a.results[:min(len(a.results), maxAttached)]
}

// addNodeDevices adds the readers, the strip and the buttons of a node.
func (a *deviceSearch) addNodeDevices(port string, i node.Info) {
	for n, r := range i.Readers {
		if r.Configured && r.Chip != 0 {
			a.addDevice(engine.Tf("Le lecteur %[2]d du nœud %[1]s répond.", "Reader %[2]d of the node %[1]s answers.", port, n), "readers",
				"chip", config.ChipNode, "port", port, "reader", strconv.Itoa(n))
		}
	}
	if i.Pixels > 0 {
		a.addDevice(
			engine.Tf("Le nœud %[1]s a un ruban de %[2]d LED.", "The node %[1]s has a strip of %[2]d LEDs.", port, i.Pixels),
			"strips",
			"chip",
			config.ChipNode,
			"port",
			port,
		)
	}
	for n := range node.MaxButtons {
		if i.Buttons&(1<<n) != 0 {
			a.addDevice(engine.T(fmt.Sprintf("Le nœud %s a un bouton %d.", port, n), fmt.Sprintf("The node %s has a button %d.", port, n)),
				"buttons", "role", "call", "port", port, "button", strconv.Itoa(n))
		}
	}
}
