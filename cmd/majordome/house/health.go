package house

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"majordome/cmd/majordome/manual"
	"majordome/cmd/majordome/smarthome"
	"majordome/companion/door"
	"majordome/companion/game"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices/mfrc522"
	"majordome/engine"
)

// Health and metrics, for this machine alone and for whom the key metrics names:
//
//	GET /healthz   JSON of health; 503 when a part does not work
//	GET /metrics   the same and all counters, in the text format of Prometheus 0.0.4
//
// Nothing here depends on a secret: frames of a strip are those of the public light. Left out, or counted outside of games alone (see readers.Counters), are counts that tick for some cards only:
// frames, collisions and bad readings of a reader (a private refusal looks like a bad reading,
// GEN-003), its scans a second (a long number takes longer to read), acts and refusals of the
// table, and whatever would count by seat. Of a serial reader the lines are counted up to the game, unless it has never read a card. The store is told in whole MiB: its bytes would
// tell how long the name of a hidden card is.

// health is the answer to GET /healthz.
type health struct {
	OK      bool                   `json:"ok"`
	Uptime  int64                  `json:"uptime_s"`
	Table   bool                   `json:"table"`           // the loop answers within a second
	Store   bool                   `json:"store"`           // the game is not paused
	Relay   bool                   `json:"relay"`           // connected, and nothing denied
	Uplink  *bool                  `json:"uplink"`          // the broker of the house hears the table; null: there is none. It stops no game
	UpLeft  int                    `json:"uplink_left_out"` // messages that this line does not tell or take, because it broke after them; see line.Suspect
	Home    *bool                  `json:"home"`            // the broker for the devices of the house hears it; null: there is none. Likewise
	InLeft  int                    `json:"home_left_out"`   // likewise
	Readers map[string]string      `json:"readers"`         // role -> "ok", "lost", "missing" or "unread"; one that does not answer stops no game
	Lines   map[string]linesHealth `json:"lines"`           // role of a serial reader -> what it prints
	Faults  []DeviceFault          `json:"faults"`          // what is wrong with devices, in words
	Nodes   map[string]bool        `json:"nodes"`           // port -> connected; likewise
	Strips  map[string]bool        `json:"strips"`          // number in the configuration, from 1 on -> takes frames; likewise
	Clocks  map[string]bool        `json:"clocks"`          // likewise -> takes the hour
	Buttons map[string]bool        `json:"buttons"`         // likewise -> can be pressed; control cards are no device
	Files   filesHealth            `json:"files"`
	Door    doorHealth             `json:"door"`
	Machine machineHealth          `json:"machine"` // the computer of the table; it stops no game by itself
	Help    map[string]string      `json:"help"`    // part that does not work, or kind of trouble -> its place in the manual, as majordome help takes it
}

// filesHealth is what the store takes on the disk.
type filesHealth struct {
	Size    int64  `json:"store_mib"`
	Log     int64  `json:"log_mib"`
	Former  int    `json:"former"`
	Backups int    `json:"backups"`
	Age     *int64 `json:"backup_age_s"` // of the newest; null: there is none
}

const mib = 1 << 20

func files(f store.Files) filesHealth {
	a := filesHealth{Size: (f.Size + mib - 1) / mib, Log: (f.Log + mib - 1) / mib, Former: f.Former, Backups: f.Backups}
	if !f.Last.IsZero() {
		age := max(0, int64(time.Since(f.Last).Seconds()))
		a.Age = &age
	}
	return a
}

type doorHealth struct {
	Left    map[string]int    `json:"left"` // places
	Refused map[string]uint64 `json:"refused"`
	Cut     map[string]uint64 `json:"cut"`
}

func (h *House) health(ctx context.Context) health {
	u, _ := h.loop.Snapshot(engine.Public)
	link, state, home := h.relay.Status(), h.door.State(), h.smartHome.Status()
	a := health{
		Uptime:  int64(time.Since(h.began).Seconds()),
		Table:   h.loop.Answers(ctx, time.Second),
		Store:   u.Paused == nil,
		Relay:   link.Connected && len(link.Denied) == 0,
		Uplink:  isConnected(home.Uplink),
		UpLeft:  home.Uplink.LeftOut,
		Home:    isConnected(home.Home),
		InLeft:  home.Home.LeftOut,
		Files:   files(h.store.Files()),
		Door:    doorHealth{Left: map[string]int{}, Refused: state.Refused, Cut: state.Cut},
		Machine: h.care.seen().health(),
	}
	h.devices(&a, u.Table.Readers)
	for k, c := range state.Places {
		a.Door.Left[k.String()] = c.Places - c.Taken
	}
	a.OK = a.Table && a.Store && a.Relay
	a.Help = a.places()
	return a
}

// isConnected reports that a line of the house is; nil: there is none.
func isConnected(l smarthome.Line) *bool {
	if !l.On {
		return nil
	}
	return &l.Connected
}

// places are where the manual explains what is wrong.
func (a *health) places() map[string]string {
	all := map[string]string{}
	note := func(part string, works bool, place string) {
		if !works {
			all[part] = place
		}
	}
	every := func(states map[string]bool) bool { return !slices.Contains(slices.Collect(maps.Values(states)), false) }
	lost := slices.ContainsFunc(slices.Collect(maps.Values(a.Readers)), func(state string) bool { return state != game.ReaderOK })
	note("table", a.Table, manual.Of("table"))
	note("store", a.Store, manual.Of("paused"))
	note("relay", a.Relay, manual.Of("relay"))
	note("uplink", a.Uplink == nil || *a.Uplink, manual.Of("uplink"))
	note("home", a.Home == nil || *a.Home, manual.Of("home"))
	note("readers", !lost, manual.Of("readers"))
	note("nodes", every(a.Nodes), manual.Of("node"))
	note("strips", every(a.Strips), manual.Of("strips"))
	note("clocks", every(a.Clocks), manual.Of("clocks"))
	note("buttons", every(a.Buttons), manual.Of("buttons"))
	for kind := range a.Machine.Troubles {
		note(kind, false, manual.Of(kind))
	}
	return all
}

const (
	// readerMissing is the state of a reader that could not be opened, and is tried again.
	readerMissing = "missing"
	// readerUnread is the state of a reader whose lines are not understood; one that has printed nothing but remarks may work.
	readerUnread = "unread"
)

// devices are those of the configuration, also those that never opened.
func (h *House) devices(a *health, readers map[string]string) {
	a.Readers, a.Nodes, a.Strips, a.Clocks, a.Buttons = map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range h.readers.Counters() { // the table knows none that is apart
		if a.Readers[c.Role] = game.ReaderOK; c.Lost {
			a.Readers[c.Role] = game.ReaderLost
		}
	}
	maps.Copy(a.Readers, readers)
	for i, r := range h.opts.Config.Readers {
		if h.left("readers", i) {
			a.Readers[r.Role] = readerMissing
		}
	}
	a.Lines, a.Faults = h.lines(), []DeviceFault{}
	for _, f := range h.deviceFaults() {
		a.Faults = append(a.Faults, f.DeviceFault)
		if a.Readers[f.Role] == game.ReaderOK && !f.MayWork {
			a.Readers[f.Role] = readerUnread
		}
	}
	for port, n := range h.opts.Nodes {
		a.Nodes[port] = n.Err() == nil
	}
	told := func(configured int, opened []int, all map[string]bool, ok func(i int) bool) {
		for i := range configured {
			all[strconv.Itoa(i+1)] = false
		}
		for i, place := range opened {
			all[strconv.Itoa(place+1)] = ok(i)
		}
	}
	strips := h.lights.Strips()
	told(len(h.opts.Config.Strips), h.places("strips", len(h.opts.Strips)), a.Strips, func(i int) bool { return !strips[i].Lost })
	told(len(h.opts.Config.Clocks), h.places("clocks", len(h.opts.Clocks)), a.Clocks, func(i int) bool { return !h.lights.IsLost(i) })
	for i, b := range h.opts.Config.Buttons {
		if b.Tag == "" {
			n := h.opts.Nodes[b.Port]
			a.Buttons[strconv.Itoa(i+1)] = !h.left("buttons", i) && (b.Port == "" || n != nil && n.Err() == nil)
		}
	}
}

// left reports that a device of the configuration could not be opened.
func (h *House) left(list string, i int) bool {
	path := fmt.Sprintf("%s[%d]", list, i)
	return slices.ContainsFunc(h.opts.Devices, func(f wire.Finding) bool { return f.Where == path })
}

// places are where in the configuration the n devices of a list stand that were opened.
func (h *House) places(list string, n int) (at []int) {
	for i := 0; len(at) < n; i++ {
		if !h.left(list, i) {
			at = append(at, i)
		}
	}
	return at
}

func (h *House) healthz(w http.ResponseWriter, r *http.Request) {
	a := h.health(r.Context())
	w.Header().Set("Content-Type", "application/json")
	if !a.OK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(a)
}

// page of metrics is written here: name, what it is, and its values by label.
type metrics struct{ strings.Builder }

func (m *metrics) family(name, kind, help string) {
	fmt.Fprintf(m, "# HELP %s %s\n# TYPE %[1]s %[3]s\n", name, help, kind)
}

func yesno(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// one writes a family of one value.
func (m *metrics) one(name, kind, help string, value float64) {
	m.family(name, kind, help)
	fmt.Fprintf(m, "%s %v\n", name, value)
}

// by writes a family with one label.
func by[V uint64 | float64](m *metrics, name, kind, help, label string, values map[string]V) {
	m.family(name, kind, help)
	for _, k := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(m, "%s{%s=\"%s\"} %v\n", name, label, escaped.Replace(k), values[k])
	}
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (h *House) metrics(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, h.metricsText(r.Context()))
}

func (h *House) metricsText(ctx context.Context) string {
	m, a := &metrics{}, h.health(ctx)
	link, state, home := h.relay.Status(), h.door.State(), h.smartHome.Status()
	m.one("majordome_uptime_seconds", "gauge", "Time since the start.", float64(a.Uptime))
	m.one("majordome_ok", "gauge", "1 when table, store and relay work.", yesno(a.OK))
	m.one("majordome_table_answers", "gauge", "1 when the table loop answers within a second.", yesno(a.Table))
	m.one("majordome_store_ok", "gauge", "1 when the game is not paused.", yesno(a.Store))
	m.one("majordome_store_losses", "gauge", "What the start found missing, and nobody has settled.", float64(len(h.store.Losses())))
	m.files(a.Files)
	m.one("majordome_relay_connected", "gauge", "1 when the relay is connected.", yesno(link.Connected))
	m.one("majordome_relay_denied", "gauge", "Topics that the broker does not let the relay read.", float64(len(link.Denied)))
	by(m, "majordome_relay_dropped_total", "counter", "Messages dropped and troubles of the link.", "reason", link.Counts)
	if a.Uplink != nil {
		m.one("majordome_uplink_connected", "gauge", "1 when the broker of the house hears the table.", yesno(*a.Uplink))
		m.one("majordome_uplink_left_out", "gauge", "Messages that this line does not tell or take, because it broke after them.", float64(a.UpLeft))
		by(m, "majordome_uplink_dropped_total", "counter", "Events dropped and troubles of that line.", "reason", home.Uplink.Counts)
	}
	if home.Hook.On {
		by(m, "majordome_hook_calls_total", "counter", "Calls of the web address, by what has come of them.", "result", home.Hook.Counts)
	}
	if a.Home != nil {
		m.one("majordome_home_connected", "gauge", "1 when the broker for the devices of the house hears the table.", yesno(*a.Home))
		m.one("majordome_home_left_out", "gauge", "Messages that this line does not tell or take, because it broke after them.", float64(a.InLeft))
		by(m, "majordome_home_refused_total", "counter", "Devices of the house refused or cut.", "reason", home.Home.Counts)
	}
	by(m, "majordome_broker_refused_total", "counter", "MQTT connections and packets refused or cut.", "reason", h.broker.Stats())
	places, taken := map[string]float64{}, map[string]float64{}
	for _, k := range door.Kinds() {
		places[k.String()], taken[k.String()] = float64(state.Places[k].Places), float64(state.Places[k].Taken)
	}
	by(m, "majordome_door_places", "gauge", "Places for connections.", "kind", places)
	by(m, "majordome_door_taken", "gauge", "Places that are taken.", "kind", taken)
	by(m, "majordome_door_refused_total", "counter", "Connections and requests refused.", "reason", state.Refused)
	by(m, "majordome_door_cut_total", "counter", "Connections cut.", "reason", state.Cut)
	h.readerMetrics(m, a)
	m.machine(a.Machine)
	h.nodeMetrics(m)
	h.lightMetrics(m, a)
	return m.String()
}

func (m *metrics) files(f filesHealth) {
	m.one("majordome_store_bytes", "gauge", "Size of the store, in whole MiB.", float64(f.Size*mib))
	m.one("majordome_store_log_bytes", "gauge", "Size of the log beside it, in whole MiB.", float64(f.Log*mib))
	m.one("majordome_store_former_states", "gauge", "Former states of the store that are kept under a number.", float64(f.Former))
	m.one("majordome_store_backups", "gauge", "Backups that were made by themselves.", float64(f.Backups))
	m.family("majordome_store_backup_age_seconds", "gauge", "Time since the newest of them was made; without one, no value.")
	if f.Age != nil {
		fmt.Fprintf(m, "majordome_store_backup_age_seconds %d\n", *f.Age)
	}
}

func (h *House) readerMetrics(m *metrics, a health) {
	ok, recovered, failed := map[string]float64{}, map[string]uint64{}, map[string]uint64{}
	cards, noisy, losses, uptime := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}, map[string]float64{}
	for role, state := range a.Readers {
		ok[role] = yesno(state == game.ReaderOK)
		cards[role], noisy[role], losses[role], uptime[role] = 0, 0, 0, 0
	}
	for _, r := range h.opts.Readers {
		if s, has := r.Scanner.(interface{ Stats() mfrc522.Stats }); has {
			n := s.Stats()
			recovered[r.Role], failed[r.Role] = n.Rewritten+n.SoftResets+n.HardResets, n.Failures
		}
	}
	for _, c := range h.readers.Counters() {
		cards[c.Role], noisy[c.Role], losses[c.Role], uptime[c.Role] = c.Cards, c.Noisy, c.Losses, c.Uptime.Seconds()
	}
	by(m, "majordome_reader_cards_total", "counter", "Cards that came, outside of games.", "role", cards)
	by(m, "majordome_reader_noisy_total", "counter", "Times that something was unreadable, outside of games.", "role", noisy)
	by(m, "majordome_reader_lost_total", "counter", "Times that the reader did not answer any more.", "role", losses)
	by(m, "majordome_reader_uptime_seconds", "gauge", "Time since it began to answer; 0 while it does not.", "role", uptime)
	by(m, "majordome_reader_ok", "gauge", "1 when the reader answers, and what it prints is understood.", "role", ok)
	by(m, "majordome_reader_recovered_total", "counter", "Times that the chip had to be written or reset anew.", "role", recovered)
	by(m, "majordome_reader_failed_total", "counter", "Times that this did not help.", "role", failed)
}

func (h *House) nodeMetrics(m *metrics) {
	ok, boots, lost, uptime := map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	for port, n := range h.opts.Nodes {
		ok[port] = yesno(n.Err() == nil)
		if info, known := n.Info(); known {
			boots[port], lost[port], uptime[port] = float64(info.Boots), float64(info.Lost), info.Uptime.Seconds()
		}
	}
	by(m, "majordome_node_connected", "gauge", "1 when the node is connected.", "port", ok)
	by(m, "majordome_node_boots", "gauge", "Starts of the node, modulo 65536.", "port", boots)
	by(m, "majordome_node_uptime_seconds", "gauge", "Time from the node's start to when it last said so.", "port", uptime)
	by(m, "majordome_node_lost", "gauge", "Bytes without room and broken frames since the node's start.", "port", lost)
}

// lightMetrics are those of strips, clocks and buttons; what hangs on a node is lost when its node is.
func (h *House) lightMetrics(m *metrics, a health) {
	told := func(states map[string]bool) map[string]float64 {
		ok := map[string]float64{}
		for n, works := range states {
			ok[n] = yesno(works)
		}
		return ok
	}
	frames, losses := map[string]uint64{}, map[string]uint64{}
	for n := range a.Strips {
		frames[n], losses[n] = 0, 0
	}
	strips := h.lights.Strips()
	for i, place := range h.places("strips", len(h.opts.Strips)) {
		n := strconv.Itoa(place + 1)
		frames[n], losses[n] = strips[i].Frames, strips[i].Losses
	}
	by(m, "majordome_strip_ok", "gauge", "1 when the strip takes frames.", "strip", told(a.Strips))
	by(m, "majordome_strip_frames_total", "counter", "Frames that were sent.", "strip", frames)
	by(m, "majordome_strip_lost_total", "counter", "Times that the strip took no frame any more.", "strip", losses)
	by(m, "majordome_clock_ok", "gauge", "1 when the clock takes the hour.", "clock", told(a.Clocks))
	by(m, "majordome_button_ok", "gauge", "1 when the button can be pressed.", "button", told(a.Buttons))
}
