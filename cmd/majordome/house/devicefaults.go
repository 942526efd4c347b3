package house

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/manual"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/lineread"
	"majordome/engine"
)

// Faults of devices that were opened: a serial reader whose lines are not understood, a node that does not answer or has another
// firmware, a clock or strip that accepts no data, a button that was never up. The house checks for them once a second. The settings
// page, the host's page, /healthz, the log and the bundle show them.
//
// What may leak: a line that a reader prints may hold the number of a card. Only the settings page shows lines, and never during a
// game. During a game the text of a line is left out. Of a reader that has ever read a card, even the counts stay those from before
// the game, because the count of bad readings would give away private refusals (GEN-003).

const (
	deviceCheckPeriod = time.Second      // period of the checks
	deviceTextPeriod  = 10 * time.Second // period of new texts for the same faults; a reader may print without end
)

// deviceFault is a fault of a device, with the text for the settings page only.
type deviceFault struct {
	health.DeviceFault
	ownText engine.Text
}

// aboutDevice is the About of findings about a device.
const aboutDevice = "device"

// deviceFinding returns a warning about the device at a place in the configuration; help is a kind of fault in the manual.
func deviceFinding(where string, said engine.Text, help string) wire.Finding {
	return wire.Finding{About: aboutDevice, State: wire.StateWarning, Said: said, Where: where, Help: manual.PlaceOf(help)}
}

// isSameFault reports whether two faults have the same kind and device. Their texts may differ.
func (f deviceFault) isSameFault(o deviceFault) bool {
	return f.Where == o.Where && f.MayWork == o.MayWork
}

// deviceChecks keeps the results of the last check of the devices.
type deviceChecks struct {
	mu        sync.Mutex
	lines     map[int]readerLines
	faults    []deviceFault
	changedAt time.Time // time of the last change of faults
}

// readerLines is the part of a serial reader's lines that may be shown during a game.
type readerLines struct {
	beforeGame  lineread.LineStats // counts from before the game
	hasReadCard bool               // a card was read since the start
}

// shownLines returns what serial reader i has printed and may be shown now; ok is false for readers of other kinds.
func (h *House) shownLines(i int) (now lineread.LineStats, ok bool) {
	r, ok := h.opts.Readers[i].Scanner.(interface{ LineStats() lineread.LineStats })
	if !ok {
		return now, false
	}
	now = r.LineStats()
	l := &h.checks
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines = map[int]readerLines{}
	}
	known := l.lines[i]
	known.hasReadCard = known.hasReadCard || now.Tags > 0
	if !h.playing.Load() {
		known.beforeGame = now
	}
	l.lines[i] = known
	if !h.playing.Load() {
		return now, true
	}
	if known.hasReadCard {
		now = known.beforeGame
	}
	return now.WithoutLine(), true
}

// lineCounts returns the counts of lines of the serial readers, by role.
func (h *House) lineCounts() map[string]health.Lines {
	all := map[string]health.Lines{}
	for i, r := range h.opts.Readers {
		if heard, is := h.shownLines(i); is {
			all[r.Role] = health.Lines{Understood: heard.Understood, NotUnderstood: heard.NotUnderstood,
				Bytes: heard.Bytes, NoText: heard.NoText, Last: heard.Masked().Last}
		}
	}
	return all
}

// deviceFaults returns the present faults of the devices, in the order of the configuration.
func (h *House) deviceFaults() (all []deviceFault) {
	for i, place := range h.openedIndexes("readers", len(h.opts.Readers)) {
		heard, _ := h.shownLines(i)
		shown, bad := heard.Advice()
		if !bad {
			continue
		}
		told, _ := heard.Masked().Advice()
		all = append(all, deviceFault{
			health.DeviceFault{Finding: deviceFinding(fmt.Sprintf("readers[%d]", place), engine.T(told.FR, told.EN), "lines"),
				Role: h.opts.Readers[i].Role, MayWork: heard.HasOnlyRemarks()},
			engine.T(shown.FR, shown.EN)})
	}
	all = append(all, h.nodeFaults()...)
	addFault := func(list string, place int, fr, en string) {
		said := engine.T(fr, en)
		all = append(all, deviceFault{health.DeviceFault{Finding: deviceFinding(fmt.Sprintf("%s[%d]", list, place), said, list)}, said})
	}
	for i, place := range h.openedIndexes("clocks", len(h.opts.Clocks)) {
		if h.lights.IsLost(i) {
			addFault("clocks", place, "l’horloge ne prend pas l’heure : regardez ses fils, son alimentation et son adresse",
				"the clock does not take the hour: look at its wires, its supply and its address")
		}
	}
	for i, place := range h.openedIndexes("buttons", len(h.opts.Buttons)) {
		if b := h.opts.Buttons[i]; b.IsStuck != nil && b.IsStuck() {
			addFault("buttons", place, "ce bouton est enfoncé depuis le début : il ne compte pas ; son fil touche-t-il la masse, "+
				"ou un autre contact ?",
				"this button has been down since the start and does not count: does its wire touch ground, or is it another contact?")
		}
	}
	return all
}

// nodeFaults returns a fault for each node that is not reached, at the first device that is connected to it.
func (h *House) nodeFaults() (all []deviceFault) {
	for _, port := range h.opts.Config.NodePorts() {
		n := h.opts.Nodes[port]
		if n == nil || n.Err() == nil {
			continue
		}
		advice := devices.Advice{
			FR: "aucun nœud ne répond : regardez son câble ; est-ce le bon port, et le micrologiciel est-il écrit (majordome node flash) ?",
			EN: "no node answers: look at its cable; is it the right port, and is the firmware written (majordome node flash)?"}
		_ = errors.As(n.Err(), &advice) // an error with better advice replaces this one
		said := engine.T(advice.FR, advice.EN)
		all = append(all, deviceFault{health.DeviceFault{Finding: deviceFinding(h.firstDeviceOn(port), said, "node"), Port: port}, said})
	}
	return all
}

// firstDeviceOn returns the place of the first device of the configuration on the node at a port.
func (h *House) firstDeviceOn(port string) string {
	c := &h.opts.Config
	if i := slices.IndexFunc(c.Readers, func(r config.ReaderConfig) bool { return r.Chip == config.ChipNode && r.Port == port }); i >= 0 {
		return fmt.Sprintf("readers[%d]", i)
	}
	if i := slices.IndexFunc(c.Strips, func(s config.StripConfig) bool { return s.Chip == config.ChipNode && s.Port == port }); i >= 0 {
		return fmt.Sprintf("strips[%d]", i)
	}
	return fmt.Sprintf("buttons[%d]", slices.IndexFunc(c.Buttons, func(b config.ButtonConfig) bool { return b.Port == port }))
}

// watchDevices checks the devices until ctx ends, logs new faults, and has the host's pages show them.
func (h *House) watchDevices(ctx context.Context) {
	runEvery(ctx, deviceCheckPeriod, func(time.Time) { h.checkDevices() })
}

func (h *House) checkDevices() {
	now := h.deviceFaults()
	l := &h.checks
	l.mu.Lock()
	before := l.faults
	same := slices.EqualFunc(before, now, deviceFault.isSameFault)
	if reflect.DeepEqual(before, now) || same && time.Since(l.changedAt) < deviceTextPeriod {
		l.mu.Unlock()
		return
	}
	l.faults, l.changedAt = now, time.Now()
	l.mu.Unlock()
	var shown []wire.Finding
	for _, f := range now {
		own := f.Finding
		own.Said = f.ownText
		shown = append(shown, own)
		isNew := !slices.ContainsFunc(before, func(b deviceFault) bool { return b.isSameFault(f) })
		if isNew && f.Role != "" && !f.MayWork { // the driver of a node logs its own faults
			h.opts.Log.Warn("a reader prints what is not understood", "role", f.Role, "advice", f.Said.EN, "conseil", f.Said.FR)
		}
	}
	if h.opts.Editor != nil {
		h.opts.Editor.SetDevices(shown)
	}
	if h.monitor.Check() {
		h.loop.Refresh()
	}
	h.office.NotifyChanged()
}

// aboutReader is the About of findings about a reader whose lines are not understood.
const aboutReader = "reader"

// readerFindings returns warnings for the host about readers whose lines are not understood. Only the settings show the lines.
func (h *House) readerFindings() (all []wire.Finding) {
	h.checks.mu.Lock()
	defer h.checks.mu.Unlock()
	for _, f := range h.checks.faults {
		if f.Role != "" && !f.MayWork {
			all = append(all, vitals.NewWarning(aboutReader,
				engine.Tf("Le lecteur %[1]s écrit ce que la table ne comprend pas : aucune carte n’en vient.",
					"The reader %[1]s prints what the table does not understand: no card comes from it.", f.Role),
				engine.T("Les réglages disent ce qu’il écrit, et ce qu’il doit écrire.",
					"The settings say what it prints, and what it must print.")))
		}
	}
	return all
}
