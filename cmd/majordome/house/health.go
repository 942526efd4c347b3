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
	"time"

	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/smarthome"
	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/devices/mfrc522"
	"majordome/devices/node"
	"majordome/engine"
)

// status returns the present state of all parts.
func (h *House) status(ctx context.Context) health.Status {
	u, _ := h.loop.Snapshot(engine.Public)
	link, state, home := h.relay.Status(), h.door.State(), h.smartHome.Status()
	a := health.Status{
		Uptime:  int64(time.Since(h.started).Seconds()),
		Table:   h.loop.IsResponsive(ctx, time.Second),
		Store:   u.Paused == nil,
		Relay:   link.Connected && len(link.Denied) == 0,
		Uplink:  isConnected(home.Uplink),
		UpLeft:  home.Uplink.LeftOut,
		Home:    isConnected(home.Home),
		InLeft:  home.Home.LeftOut,
		Files:   health.FilesOf(h.store.DiskUsage()),
		Door:    health.Door{Left: map[string]int{}, Refused: state.Refused, Cut: state.Cut},
		Machine: h.monitor.Machine(),
	}
	h.addDevices(&a, u.Table.Readers)
	for k, c := range state.Places {
		a.Door.Left[k.String()] = c.Places - c.Taken
	}
	a.Complete()
	return a
}

// isConnected returns whether a line to the house is connected; nil if it is off.
func isConnected(l smarthome.LinkStatus) *bool {
	if !l.On {
		return nil
	}
	return &l.Connected
}

// addDevices fills in the devices of the configuration, including those that could not be opened.
func (h *House) addDevices(a *health.Status, readers map[string]string) {
	a.Readers, a.Nodes, a.Strips, a.Clocks, a.Buttons = map[string]string{},
		map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range h.readers.Counters() { // includes the separate reader, which the table does not know
		if a.Readers[c.Role] = game.ReaderOK; c.Lost {
			a.Readers[c.Role] = game.ReaderLost
		}
	}
	maps.Copy(a.Readers, readers)
	for i, r := range h.opts.Config.Readers {
		if h.isMissing("readers", i) {
			a.Readers[r.Role] = health.ReaderMissing
		}
	}
	a.Lines, a.Faults = h.lineCounts(), []health.DeviceFault{}
	for _, f := range h.deviceFaults() {
		a.Faults = append(a.Faults, f.DeviceFault)
		if a.Readers[f.Role] == game.ReaderOK && !f.MayWork {
			a.Readers[f.Role] = health.ReaderUnread
		}
	}
	for port, n := range h.opts.Nodes {
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
	strips := h.lights.Strips()
	setStates(
		len(h.opts.Config.Strips),
		h.openedIndexes("strips", len(h.opts.Strips)),
		a.Strips,
		func(i int) bool { return !strips[i].Lost },
	)
	setStates(
		len(h.opts.Config.Clocks),
		h.openedIndexes("clocks", len(h.opts.Clocks)),
		a.Clocks,
		func(i int) bool { return !h.lights.IsLost(i) },
	)
	for i, b := range h.opts.Config.Buttons {
		if b.Tag == "" {
			n := h.opts.Nodes[b.Port]
			a.Buttons[strconv.Itoa(i+1)] = !h.isMissing("buttons", i) && (b.Port == "" || n != nil && n.Err() == nil)
		}
	}
}

// isMissing reports whether a device of the configuration could not be opened.
func (h *House) isMissing(list string, i int) bool {
	path := fmt.Sprintf("%s[%d]", list, i)
	return slices.ContainsFunc(h.opts.MissingDevices, func(f wire.Finding) bool { return f.Where == path })
}

// openedIndexes returns the indexes in the configuration of the n devices of a list that were opened.
func (h *House) openedIndexes(list string, n int) (at []int) {
	for i := 0; len(at) < n; i++ {
		if !h.isMissing(list, i) {
			at = append(at, i)
		}
	}
	return at
}

// metricCounts returns the counts of the metrics that the status does not have.
func (h *House) metricCounts() health.Counts {
	c := health.Counts{Losses: len(h.store.Losses()), Relay: h.relay.Status(),
		House: h.smartHome.Status(), Broker: h.broker.Stats(), Door: h.door.State(),
		Readers: h.readers.Counters(), Nodes: map[string]node.Info{}, Frames: map[string]uint64{}, StripLosses: map[string]uint64{}}
	c.Recovered, c.Failed = h.chipRecoveries()
	for port, n := range h.opts.Nodes {
		if info, known := n.Info(); known {
			c.Nodes[port] = info
		}
	}
	for i := range h.opts.Config.Strips {
		c.Frames[strconv.Itoa(i+1)], c.StripLosses[strconv.Itoa(i+1)] = 0, 0
	}
	strips := h.lights.Strips()
	for i, place := range h.openedIndexes("strips", len(h.opts.Strips)) {
		n := strconv.Itoa(place + 1)
		c.Frames[n], c.StripLosses[n] = strips[i].Frames, strips[i].Losses
	}
	return c
}

// chipRecoveries counts, by role, how often a reader chip had to be rewritten or reset, and how often that failed.
func (h *House) chipRecoveries() (recovered, failed map[string]uint64) {
	recovered, failed = map[string]uint64{}, map[string]uint64{}
	for _, r := range h.opts.Readers {
		if s, has := r.Scanner.(interface{ Stats() mfrc522.Stats }); has {
			n := s.Stats()
			recovered[r.Role], failed[r.Role] = n.Rewritten+n.SoftResets+n.HardResets, n.Failures
		}
	}
	return recovered, failed
}

func (h *House) serveHealth(w http.ResponseWriter, r *http.Request) {
	a := h.status(r.Context())
	w.Header().Set("Content-Type", "application/json")
	if !a.OK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(a)
}

func (h *House) serveMetrics(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, health.Metrics(h.status(r.Context()), h.metricCounts()))
}
