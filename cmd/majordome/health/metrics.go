package health

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"majordome/cmd/majordome/readers"
	"majordome/cmd/majordome/smarthome"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/door"
	"majordome/companion/game"
	"majordome/companion/line"
	"majordome/companion/wire"
	"majordome/devices/node"
)

// counts are the figures of the metrics that a Status does not have.
type counts struct {
	Losses              int // number of losses that the store found at its start
	Relay               line.Status
	House               smarthome.Status
	Broker              map[string]uint64
	Door                door.State
	Readers             []readers.Counters
	Recovered, Failed   map[string]uint64    // recoveries of reader chips, by role
	Nodes               map[string]node.Info // by port; only nodes that have answered
	Frames, StripLosses map[string]uint64    // by number of the strip, from 1 on
}

// metrics writes families of metrics: a name, a help text, and the values by label.
type metrics struct{ strings.Builder }

func (m *metrics) addFamily(name, kind, help string) {
	fmt.Fprintf(m, "# HELP %s %s\n# TYPE %[1]s %[3]s\n", name, help, kind)
}

func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// addSingleValue writes a family of one value.
func (m *metrics) addSingleValue(name, kind, help string, value float64) {
	m.addFamily(name, kind, help)
	fmt.Fprintf(m, "%s %v\n", name, value)
}

// addByLabel writes a family with one label.
func addByLabel[V uint64 | float64](m *metrics, name, kind, help, label string, values map[string]V) {
	m.addFamily(name, kind, help)
	for _, k := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(m, "%s{%s=\"%s\"} %v\n", name, label, labelEscaper.Replace(k), values[k])
	}
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// renderMetrics returns a Status and counts in the text format of Prometheus.
func renderMetrics(a Status, c counts) string {
	m := &metrics{}
	m.addSingleValue("majordome_uptime_seconds", "gauge", "Time since the start.", float64(a.Uptime))
	m.addSingleValue("majordome_ok", "gauge", "1 when table, store and relay work.", boolToFloat(a.OK))
	m.addSingleValue("majordome_table_answers", "gauge", "1 when the table loop answers within a second.", boolToFloat(a.Table))
	m.addSingleValue("majordome_store_ok", "gauge", "1 when the game is not paused.", boolToFloat(a.Store))
	m.addSingleValue("majordome_store_losses", "gauge", "What the start found missing, and nobody has settled.", float64(c.Losses))
	m.addFiles(a.Files)
	m.addSingleValue("majordome_relay_connected", "gauge", "1 when the relay is connected.", boolToFloat(c.Relay.Connected))
	m.addSingleValue("majordome_relay_denied", "gauge", "Topics that the broker does not let the relay read.", float64(len(c.Relay.Denied)))
	addByLabel(m, "majordome_relay_dropped_total", "counter", "Messages dropped and troubles of the link.", "reason", c.Relay.Counts)
	m.addLine("uplink", "broker of the house", a.Uplink, a.UpLeft, c.House.Uplink.Counts)
	m.addLine("venue", "broker of the venue", a.Venue, a.VenLeft, c.House.Venue.Counts)
	if a.Venue != nil {
		m.addSingleValue("majordome_venue_waiting", "gauge", "Results that the venue has not confirmed.", float64(a.VenWait))
	}
	if c.House.Hook.On {
		addByLabel(
			m,
			"majordome_hook_calls_total",
			"counter",
			"Calls of the web address, by what has come of them.",
			"result",
			c.House.Hook.Counts,
		)
	}
	if a.Home != nil {
		m.addSingleValue(
			"majordome_home_connected",
			"gauge",
			"1 when the broker for the devices of the house hears the table.",
			boolToFloat(*a.Home),
		)
		m.addSingleValue("majordome_home_left_out", "gauge",
			"Messages that this line does not tell or take, because it broke after them.", float64(a.InLeft))
		addByLabel(m, "majordome_home_refused_total", "counter", "Devices of the house refused or cut.", "reason", c.House.Home.Counts)
	}
	addByLabel(m, "majordome_broker_refused_total", "counter", "MQTT connections and packets refused or cut.", "reason", c.Broker)
	places, taken := map[string]float64{}, map[string]float64{}
	for _, k := range door.Kinds() {
		places[k.String()], taken[k.String()] = float64(c.Door.Places[k].Places), float64(c.Door.Places[k].Taken)
	}
	addByLabel(m, "majordome_door_places", "gauge", "Places for connections.", "kind", places)
	addByLabel(m, "majordome_door_taken", "gauge", "Places that are taken.", "kind", taken)
	addByLabel(m, "majordome_door_refused_total", "counter", "Connections and requests refused.", "reason", c.Door.Refused)
	addByLabel(m, "majordome_door_cut_total", "counter", "Connections cut.", "reason", c.Door.Cut)
	m.addReaders(a, c)
	m.addMachine(a.Machine)
	m.addNodes(a, c)
	m.addLights(a, c)
	return m.String()
}

// addLine writes the families of the line of a key, unless it is off.
func (m *metrics) addLine(key, broker string, connected *bool, leftOut int, counts map[string]uint64) {
	if connected == nil {
		return
	}
	m.addSingleValue("majordome_"+key+"_connected", "gauge", "1 when the "+broker+" hears the table.", boolToFloat(*connected))
	m.addSingleValue("majordome_"+key+"_left_out", "gauge",
		"Messages that this line does not tell or take, because it broke after them.", float64(leftOut))
	addByLabel(m, "majordome_"+key+"_dropped_total", "counter", "Events dropped and troubles of that line.", "reason", counts)
}

func (m *metrics) addFiles(f Files) {
	m.addSingleValue("majordome_store_bytes", "gauge", "Size of the store, in whole MiB.", float64(f.Size*mib))
	m.addSingleValue("majordome_store_log_bytes", "gauge", "Size of the log beside it, in whole MiB.", float64(f.Log*mib))
	m.addSingleValue("majordome_store_former_states", "gauge", "Former states of the store that are kept under a number.",
		float64(f.Former))
	m.addSingleValue("majordome_store_backups", "gauge", "Backups that were made by themselves.", float64(f.Backups))
	m.addFamily("majordome_store_backup_age_seconds", "gauge", "Time since the newest of them was made; without one, no value.")
	if f.Age != nil {
		fmt.Fprintf(m, "majordome_store_backup_age_seconds %d\n", *f.Age)
	}
}

func (m *metrics) addReaders(a Status, c counts) {
	ok := map[string]float64{}
	cards, noisy, losses, uptime := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}, map[string]float64{}
	for role, state := range a.Readers {
		ok[role] = boolToFloat(state == game.ReaderOK)
		cards[role], noisy[role], losses[role], uptime[role] = 0, 0, 0, 0
	}
	for _, r := range c.Readers {
		cards[r.Role], noisy[r.Role], losses[r.Role], uptime[r.Role] = r.Cards, r.Noisy, r.Losses, r.Uptime.Seconds()
	}
	addByLabel(m, "majordome_reader_cards_total", "counter", "Cards that came, outside of games.", "role", cards)
	addByLabel(m, "majordome_reader_noisy_total", "counter", "Times that something was unreadable, outside of games.", "role", noisy)
	addByLabel(m, "majordome_reader_lost_total", "counter", "Times that the reader did not answer any more.", "role", losses)
	addByLabel(m, "majordome_reader_uptime_seconds", "gauge", "Time since it began to answer; 0 while it does not.", "role", uptime)
	addByLabel(m, "majordome_reader_ok", "gauge", "1 when the reader answers, and what it prints is understood.", "role", ok)
	addByLabel(
		m,
		"majordome_reader_recovered_total",
		"counter",
		"Times that the chip had to be written or reset anew.",
		"role",
		c.Recovered,
	)
	addByLabel(m, "majordome_reader_failed_total", "counter", "Times that this did not help.", "role", c.Failed)
}

func (m *metrics) addNodes(a Status, c counts) {
	ok, boots, lost, uptime := map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	for port, works := range a.Nodes {
		ok[port] = boolToFloat(works)
		if info, known := c.Nodes[port]; known {
			boots[port], lost[port], uptime[port] = float64(info.Boots), float64(info.Lost), info.Uptime.Seconds()
		}
	}
	addByLabel(m, "majordome_node_connected", "gauge", "1 when the node is connected.", "port", ok)
	addByLabel(m, "majordome_node_boots", "gauge", "Starts of the node, modulo 65536.", "port", boots)
	addByLabel(m, "majordome_node_uptime_seconds", "gauge", "Time from the node's start to when it last said so.", "port", uptime)
	addByLabel(m, "majordome_node_lost", "gauge", "Bytes without room and broken frames since the node's start.", "port", lost)
}

// addLights writes the families of strips, clocks and buttons. A device on a lost node is lost, too.
func (m *metrics) addLights(a Status, c counts) {
	values := func(states map[string]bool) map[string]float64 {
		ok := map[string]float64{}
		for n, works := range states {
			ok[n] = boolToFloat(works)
		}
		return ok
	}
	addByLabel(m, "majordome_strip_ok", "gauge", "1 when the strip takes frames.", "strip", values(a.Strips))
	addByLabel(m, "majordome_strip_frames_total", "counter", "Frames that were sent.", "strip", c.Frames)
	addByLabel(m, "majordome_strip_lost_total", "counter", "Times that the strip took no frame any more.", "strip", c.StripLosses)
	addByLabel(m, "majordome_clock_ok", "gauge", "1 when the clock takes the hour.", "clock", values(a.Clocks))
	addByLabel(m, "majordome_button_ok", "gauge", "1 when the button can be pressed.", "button", values(a.Buttons))
}

// addMachine writes the families of the computer; an unknown figure has no value.
func (m *metrics) addMachine(h Machine) {
	troubles := map[string]float64{}
	for _, about := range vitals.FindingKinds() {
		troubles[about] = map[wire.State]float64{wire.StateWarning: 1, wire.StateFault: 2}[h.Troubles[about]]
	}
	addByLabel(m, "majordome_machine_trouble", "gauge",
		"How this part of the machine is: 0 well, 1 it could be better, 2 it does not work.", "kind", troubles)
	known := func(name, help string, is bool, value func() float64) {
		m.addFamily(name, "gauge", help)
		if is {
			fmt.Fprintf(m, "%s %v\n", name, value())
		}
	}
	known("majordome_disk_free_bytes",
		"Room that is left where the store is, in whole MiB.", h.Disk != nil, func() float64 { return float64(*h.Disk * mib) })
	known("majordome_memory_free_bytes",
		"Memory that is left, in whole MiB.", h.Memory != nil, func() float64 { return float64(*h.Memory * mib) })
	known("majordome_temperature_celsius", "Temperature of the processor.", h.Heat != nil, func() float64 { return *h.Heat })
	known("majordome_storage_wear_ratio",
		"Share of the life of the storage that is used up.", h.Wear != nil, func() float64 { return float64(*h.Wear) / 100 })
}
