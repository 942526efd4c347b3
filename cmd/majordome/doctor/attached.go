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

// maxAttached is how many devices are told.
const maxAttached = 12

// attached is a search for what no configuration names yet.
type attached struct {
	*look
	roles []string // that no reader has
	all   []wire.Found
}

// Attached are what is wrong with the devices that a configuration names, and those that it does not name: each that answers
// with what it takes to add it. Of a strip nobody can be told that it is there before it is lit. It opens chip selects and buses of
// the computer that no other program holds, and no serial port: see AskPort.
func (m *Machine) Attached(ctx context.Context, cfg config.Config) []wire.Found {
	a := m.newSearch(cfg)
	for _, f := range m.Examine(cfg) {
		if f.State == Fault || f.State == Warning {
			a.all = append(a.all, wire.Found{Said: f.Said, Fix: f.Fix, Bad: true, Help: f.place()})
		}
	}
	for _, search := range []func(context.Context){a.spi, a.clocks, a.serial} {
		search(ctx)
	}
	return a.all[:min(len(a.all), maxAttached)]
}

// newSearch is a search that has found nothing yet.
func (m *Machine) newSearch(cfg config.Config) *attached {
	a := &attached{look: &look{Machine: m, cfg: cfg}}
	for _, role := range []string{engine.ReaderUrn, engine.ReaderShow, config.RoleEnrol} {
		if !slices.ContainsFunc(cfg.Readers, func(r config.ReaderConfig) bool { return r.Role == role }) {
			a.roles = append(a.roles, role)
		}
	}
	return a
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
		if slices.Contains(used, "/"+n) || a.deaf(name) || a.heldBy("/"+n, name) {
			continue
		}
		dev, err := config.ReaderConfig{Chip: config.ChipMFRC522, SPI: name, KHz: 1000, Gain: 38}.MFRC522()
		if err != nil {
			continue // the doctor has said why
		}
		ident, err := dev.Probe()
		_ = dev.Close()
		switch {
		case err == nil:
			a.add(engine.Tf("Un lecteur %[1]s répond sur %[2]s.", "A reader %[1]s answers on %[2]s.", ident.Name(), name), "readers", "spi", name)
		case strings.HasPrefix(name, "SPI0."):
			a.add(engine.Tf("Rien ne répond sur %[1]s. Un ruban ne répond jamais : ajoutez-le, gardez, puis parcourez les lumières.", "Nothing answers on %[1]s. A strip never does: add it, keep that, and walk along the lights.", name), "strips", "chip", "ws2812", "spi", name)
		}
	}
}

// deaf reports a bus whose strip would take for itself what is sent to others.
func (a *attached) deaf(name string) bool {
	bus, _, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(a.cfg.Strips, func(s config.StripConfig) bool { return strings.HasPrefix(s.SPI, bus+".") && !s.Gated })
}

// clocks asks the addresses of the clocks on each I2C bus.
func (a *attached) clocks(context.Context) {
	for _, n := range a.names("dev/i2c-*") {
		name := "I2C" + strings.TrimPrefix(n, "dev/i2c-")
		if a.heldBy("/"+n, name) {
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
			a.add(engine.Tf("Une horloge %[1]s répond sur %[2]s, à l’adresse %[3]d.", "A clock %[1]s answers on %[2]s, at address %[3]d.", chip, name, address), "clocks", "chip", chip, "i2c", name)
		}
		_ = bus.Close()
	}
}

// serial lists the ports that nobody has named. It opens none: that alone starts some boards anew, and what a node is asked by
// may be an order to another device. The host picks the one to ask.
func (a *attached) serial(context.Context) {
	used := map[string]bool{}
	for _, name := range portsOf(a.cfg) {
		used[a.real(name)] = true
	}
	for _, p := range a.usbPorts() {
		if used[a.real(p.name)] || a.heldBy(a.real(p.name), p.name) {
			continue
		}
		maker := a.makerOf(p.tty)
		if maker != "" {
			maker = " (" + maker + ")"
		}
		a.add(engine.Tf("Un port série : %[1]s%[2]s. Rien ne lui a été envoyé. Si c’est un nœud, interrogez-le ; si c’est un lecteur qui écrit des lignes, ajoutez-le.", "A serial port: %[1]s%[2]s. Nothing was sent to it. If it is a node, ask it; if it is a reader that prints lines, add it.", p.name, maker), "readers", "chip", config.ChipSerial, "port", p.name)
		a.all[len(a.all)-1].Ask = p.name
	}
}

// heldBy reports whether a program uses a device, and says which unless it is this one, by the configuration that it runs with. Such a
// device is not asked.
func (a *attached) heldBy(dev, name string) bool {
	p, held := a.holderOf(dev)
	if held && p.id != a.Self {
		a.all = append(a.all, wire.Found{Said: engine.Tf("%[1]s est tenu par %[2]s (processus %[3]d) : rien ne lui a été demandé.", "%[1]s is held by %[2]s (process %[3]d): it was asked nothing.", name, ownfile.Quote(p.name), p.id),
			Fix: engine.T("Arrêtez ce programme si l’appareil est pour la table.", "Stop that program if the device is for the table.")})
	}
	return held
}

// AskPort asks a serial port, which the host has picked, whether a node is there, and returns what hangs on it; a port where no
// node answers may be that of a reader that prints lines.
func (m *Machine) AskPort(ctx context.Context, cfg config.Config, port string) []wire.Found {
	a := m.newSearch(cfg)
	if a.heldBy(a.real(port), port) {
		if len(a.all) == 0 {
			a.all = append(a.all, wire.Found{Said: engine.Tf("%[1]s sert déjà à cette table.", "%[1]s is in use by this table already.", port)})
		}
		return a.all
	}
	err := WithNode(ctx, port, nil, func(_ context.Context, _ *node.Dev, i node.Info) error {
		a.node(port, i)
		return nil
	})
	switch {
	case errors.Is(err, syscall.EBUSY):
		a.all = append(a.all, wire.Found{Said: engine.Tf("%[1]s est tenu par un autre programme.", "%[1]s is held by another program.", port), Fix: engine.T("Arrêtez ce programme si l’appareil est pour la table.", "Stop that program if the device is for the table.")})
	case errors.Is(err, context.DeadlineExceeded):
		a.add(engine.Tf("Aucun nœud ne répond sur %[1]s. Si c’est un lecteur qui écrit des lignes, ajoutez-le ; si c’est un nœud, majordome node flash écrit son micrologiciel.", "No node answers on %[1]s. If it is a reader that prints lines, add it; if it is a node, majordome node flash writes its firmware.", port), "readers", "chip", config.ChipSerial, "port", port)
	case err != nil:
		why := adviceOf(err)
		a.all = append(a.all, wire.Found{Said: engine.T(port+" : "+why.FR, port+": "+why.EN), Bad: true, Help: manual.Of("node")})
	case len(a.all) == 0:
		a.all = append(a.all, wire.Found{Said: engine.Tf("Le nœud %[1]s répond, mais rien n’y est branché : majordome node set nomme ses broches.", "The node %[1]s answers, but nothing hangs on it: majordome node set names its pins.", port)})
	}
	return a.all[:min(len(a.all), maxAttached)]
}

// node offers what a node has.
func (a *attached) node(port string, i node.Info) {
	for n, r := range i.Readers {
		if r.Configured && r.Chip != 0 {
			a.add(engine.Tf("Le lecteur %[2]d du nœud %[1]s répond.", "Reader %[2]d of the node %[1]s answers.", port, n), "readers", "chip", config.ChipNode, "port", port, "reader", strconv.Itoa(n))
		}
	}
	if i.Pixels > 0 {
		a.add(engine.Tf("Le nœud %[1]s a un ruban de %[2]d LED.", "The node %[1]s has a strip of %[2]d LEDs.", port, i.Pixels), "strips", "chip", config.ChipNode, "port", port)
	}
	for n := range node.MaxButtons {
		if i.Buttons&(1<<n) != 0 {
			a.add(engine.T(fmt.Sprintf("Le nœud %s a un bouton %d.", port, n), fmt.Sprintf("The node %s has a button %d.", port, n)), "buttons", "role", "call", "port", port, "button", strconv.Itoa(n))
		}
	}
}
