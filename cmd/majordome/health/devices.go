package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/lamps"
	"majordome/cmd/majordome/manual"
	"majordome/cmd/majordome/readers"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/lineread"
	"majordome/devices/mfrc522"
	"majordome/devices/node"
	"majordome/engine"
)

const (
	deviceCheckPeriod = time.Second      // period of the checks
	deviceTextPeriod  = 10 * time.Second // period of new texts for the same faults; a reader may print without end
)

// DevicesOpts are the parameters of Devices.
type DevicesOpts struct {
	Config    *config.Config
	Opened    *config.Devices
	Lamps     *lamps.Lamps
	IsPlaying func() bool          // a game is on
	Changed   func([]wire.Finding) // called with the faults for the settings page when they have changed
	Log       *slog.Logger
}

// Devices finds the faults of devices that were opened: a serial reader whose lines are not understood, a node that does not answer or
// has another firmware, a clock or strip that accepts no data, a button that was never up. The settings page, the host's page,
// /healthz, the log and the bundle show them. It is safe for concurrent use.
//
// What may leak: a line that a reader prints may hold the number of a card. Only the settings page shows lines, and never during a
// game. During a game the text of a line is left out. Of a reader that has ever read a card, even the counts stay those from before
// the game, because the count of bad readings would give away private refusals (GEN-003).
type Devices struct {
	opts DevicesOpts

	mu        sync.Mutex
	lines     map[int]readerLines
	faults    []shownFault // of the last check
	changedAt time.Time    // time of the last change of faults
}

// NewDevices returns Devices without faults.
func NewDevices(o DevicesOpts) *Devices { return &Devices{opts: o, lines: map[int]readerLines{}} }

// readerLines is the part of a serial reader's lines that may be shown during a game.
type readerLines struct {
	beforeGame  lineread.LineStats // counts from before the game
	hasReadCard bool               // a card was read since the start
}

// shownFault is a fault of a device, with the text for the settings page only.
type shownFault struct {
	DeviceFault
	ownText engine.Text
}

// isSame reports whether two faults have the same kind and device. Their texts may differ.
func (f shownFault) isSame(o shownFault) bool { return f.Where == o.Where && f.MayWork == o.MayWork }

// newDeviceWarning returns a warning about the device at a place in the configuration; help is a kind of fault in the manual.
func newDeviceWarning(where string, said engine.Text, help string) wire.Finding {
	return wire.Finding{About: "device", State: wire.StateWarning, Said: said, Where: where, Help: manual.PlaceOfFaultKind(help)}
}

// Run checks the devices once a second until ctx ends.
func (d *Devices) Run(ctx context.Context) {
	tick := time.NewTicker(deviceCheckPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.CheckAndReport()
		}
	}
}

// CheckAndReport checks the devices once. If their faults have changed it calls Changed, and logs new ones of readers.
func (d *Devices) CheckAndReport() {
	now := d.findFaults()
	d.mu.Lock()
	before := d.faults
	same := slices.EqualFunc(before, now, shownFault.isSame)
	if reflect.DeepEqual(before, now) || same && time.Since(d.changedAt) < deviceTextPeriod {
		d.mu.Unlock()
		return
	}
	d.faults, d.changedAt = now, time.Now()
	d.mu.Unlock()
	var shown []wire.Finding
	for _, f := range now {
		own := f.Finding
		own.Said = f.ownText
		shown = append(shown, own)
		isNew := !slices.ContainsFunc(before, func(b shownFault) bool { return b.isSame(f) })
		if isNew && f.Role != "" && !f.MayWork { // the driver of a node logs its own faults
			d.opts.Log.Warn("a reader prints what is not understood", "role", f.Role, "advice", f.Said.EN, "conseil", f.Said.FR)
		}
	}
	d.opts.Changed(shown)
}

// aboutReader is the About of findings about a reader whose lines are not understood.
const aboutReader = "reader"

// ReaderFindings returns warnings for the host about readers whose lines are not understood. Only the settings show the lines.
func (d *Devices) ReaderFindings() (all []wire.Finding) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.faults {
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

// shownLineStats returns what serial reader i has printed and may be shown now; ok is false for readers of other kinds.
func (d *Devices) shownLineStats(i int) (now lineread.LineStats, ok bool) {
	r, ok := d.opts.Opened.Readers[i].Scanner.(interface{ LineStats() lineread.LineStats })
	if !ok {
		return now, false
	}
	now = r.LineStats()
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.lines[i]
	known.hasReadCard = known.hasReadCard || now.Tags > 0
	playing := d.opts.IsPlaying()
	if !playing {
		known.beforeGame = now
	}
	d.lines[i] = known
	if !playing {
		return now, true
	}
	if known.hasReadCard {
		now = known.beforeGame
	}
	return now.WithoutLineText(), true
}

// lineCounts returns the counts of lines of the serial readers, by role.
func (d *Devices) lineCounts() map[string]Lines {
	all := map[string]Lines{}
	for i, r := range d.opts.Opened.Readers {
		if heard, is := d.shownLineStats(i); is {
			all[r.Role] = Lines{Understood: heard.Understood, NotUnderstood: heard.NotUnderstood,
				Bytes: heard.Bytes, NoText: heard.NoText, Last: heard.WithNumbersMasked().Last}
		}
	}
	return all
}

// findFaults returns the present faults, in the order of the configuration.
func (d *Devices) findFaults() (all []shownFault) {
	o := d.opts.Opened
	for i, place := range o.OpenedIndexes("readers", len(o.Readers)) {
		heard, _ := d.shownLineStats(i)
		shown, bad := heard.Advice()
		if !bad {
			continue
		}
		told, _ := heard.WithNumbersMasked().Advice()
		all = append(all, shownFault{
			DeviceFault{Finding: newDeviceWarning(fmt.Sprintf("readers[%d]", place), config.AdviceText(told), "lines"),
				Role: o.Readers[i].Role, MayWork: heard.HasOnlyRemarks()},
			config.AdviceText(shown)})
	}
	all = append(all, d.findNodeFaults()...)
	addFault := func(list string, place int, said engine.Text) {
		all = append(all, shownFault{DeviceFault{Finding: newDeviceWarning(fmt.Sprintf("%s[%d]", list, place), said, list)}, said})
	}
	for i, place := range o.OpenedIndexes("clocks", len(o.Clocks)) {
		if d.opts.Lamps.IsClockLost(i) {
			addFault("clocks", place, engine.T("l’horloge ne prend pas l’heure : regardez ses fils, son alimentation et son adresse",
				"the clock does not take the hour: look at its wires, its supply and its address"))
		}
	}
	for i, place := range o.OpenedIndexes("buttons", len(o.Buttons)) {
		if b := o.Buttons[i]; b.IsStuck != nil && b.IsStuck() {
			addFault("buttons", place, engine.T("ce bouton est enfoncé depuis le début : il ne compte pas ; son fil touche-t-il la masse, "+
				"ou un autre contact ?",
				"this button has been down since the start and does not count: does its wire touch ground, or is it another contact?"))
		}
	}
	return all
}

// findNodeFaults returns a fault for each node that is not reached, at the first device that is connected to it.
func (d *Devices) findNodeFaults() (all []shownFault) {
	c := d.opts.Config
	for _, port := range c.NodePorts() {
		n := d.opts.Opened.Nodes[port]
		if n == nil || n.Err() == nil {
			continue
		}
		advice := devices.Advice{
			FR: "aucun nœud ne répond : regardez son câble ; est-ce le bon port, et le micrologiciel est-il écrit (majordome node flash) ?",
			EN: "no node answers: look at its cable; is it the right port, and is the firmware written (majordome node flash)?"}
		_ = errors.As(n.Err(), &advice) // an error with better advice replaces this one
		said := config.AdviceText(advice)
		all = append(all, shownFault{DeviceFault{Finding: newDeviceWarning(c.FirstDeviceOn(port), said, "node"), Port: port}, said})
	}
	return all
}

// fillStatus fills in the devices of the configuration, including those that could not be opened. states are the readers as the table
// knows them.
func (d *Devices) fillStatus(a *Status, counters []readers.Counters, states map[string]string) {
	c, o := d.opts.Config, d.opts.Opened
	a.Readers, a.Nodes, a.Strips, a.Clocks, a.Buttons = map[string]string{},
		map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range counters { // includes the separate reader, which the table does not know
		if a.Readers[r.Role] = game.ReaderOK; r.Lost {
			a.Readers[r.Role] = game.ReaderLost
		}
	}
	maps.Copy(a.Readers, states)
	for i, r := range c.Readers {
		if o.IsMissing("readers", i) {
			a.Readers[r.Role] = ReaderMissing
		}
	}
	a.Lines, a.Faults = d.lineCounts(), []DeviceFault{}
	for _, f := range d.findFaults() {
		a.Faults = append(a.Faults, f.DeviceFault)
		if a.Readers[f.Role] == game.ReaderOK && !f.MayWork {
			a.Readers[f.Role] = ReaderUnread
		}
	}
	for port, n := range o.Nodes {
		a.Nodes[port] = n.Err() == nil
	}
	setStates := func(configured int, opened []int, all map[string]bool, ok func(i int) bool) {
		for i := range configured {
			all[strconv.Itoa(i+1)] = false
		}
		for i, place := range opened {
			all[strconv.Itoa(place+1)] = ok(i)
		}
	}
	strips := d.opts.Lamps.StripStates()
	setStates(len(c.Strips), o.OpenedIndexes("strips", len(o.Strips)), a.Strips, func(i int) bool { return !strips[i].Lost })
	setStates(len(c.Clocks), o.OpenedIndexes("clocks", len(o.Clocks)), a.Clocks, func(i int) bool { return !d.opts.Lamps.IsClockLost(i) })
	for i, b := range c.Buttons {
		if b.Tag == "" {
			n := o.Nodes[b.Port]
			a.Buttons[strconv.Itoa(i+1)] = !o.IsMissing("buttons", i) && (b.Port == "" || n != nil && n.Err() == nil)
		}
	}
}

// fillCounts fills in the counts of nodes, strips and reader chips.
func (d *Devices) fillCounts(c *counts) {
	o := d.opts.Opened
	c.Nodes, c.Frames, c.StripLosses = map[string]node.Info{}, map[string]uint64{}, map[string]uint64{}
	c.Recovered, c.Failed = map[string]uint64{}, map[string]uint64{}
	for _, r := range o.Readers {
		if s, has := r.Scanner.(interface{ Stats() mfrc522.Stats }); has {
			n := s.Stats()
			c.Recovered[r.Role], c.Failed[r.Role] = n.Rewritten+n.SoftResets+n.HardResets, n.Failures
		}
	}
	for port, n := range o.Nodes {
		if info, known := n.Info(); known {
			c.Nodes[port] = info
		}
	}
	for i := range d.opts.Config.Strips {
		c.Frames[strconv.Itoa(i+1)], c.StripLosses[strconv.Itoa(i+1)] = 0, 0
	}
	strips := d.opts.Lamps.StripStates()
	for i, place := range o.OpenedIndexes("strips", len(o.Strips)) {
		n := strconv.Itoa(place + 1)
		c.Frames[n], c.StripLosses[n] = strips[i].Frames, strips[i].Losses
	}
}
