package health

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/logs"
	"majordome/cmd/majordome/readers"
	"majordome/cmd/majordome/smarthome"
	"majordome/companion/broker"
	"majordome/companion/door"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/relay"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Report reports the health of a running table from its parts: on /healthz and /metrics, and in a bundle for the host.
type Report struct {
	Started   time.Time
	Table     *game.Loop
	Store     *store.Store
	Relay     *relay.Relay
	Broker    *broker.Broker
	Door      *door.Door
	SmartHome *smarthome.SmartHome
	Readers   *readers.Readers
	Devices   *Devices
	Monitor   *Monitor

	// The rest of a bundle: its first parts, about the program and the machine (nil: none), the configuration in force, and the end of
	// the log.
	FirstParts func() []Part
	Config     func() *config.Config
	LogTail    *logs.Tail
}

// Status returns the present state of all parts.
func (r *Report) Status(ctx context.Context) Status {
	u, _ := r.Table.Snapshot(engine.Public)
	link, state, home := r.Relay.Status(), r.Door.State(), r.SmartHome.Status()
	a := Status{
		Uptime:  int64(time.Since(r.Started).Seconds()),
		Table:   r.Table.IsResponsive(ctx, time.Second),
		Store:   u.Paused == nil,
		Relay:   link.Connected && len(link.Denied) == 0,
		Uplink:  connectedUnlessOff(home.Uplink),
		UpLeft:  home.Uplink.LeftOut,
		Venue:   connectedUnlessOff(home.Venue),
		VenLeft: home.Venue.LeftOut,
		VenWait: home.Venue.Waiting,
		Home:    connectedUnlessOff(home.Home),
		InLeft:  home.Home.LeftOut,
		Files:   filesFromUsage(r.Store.DiskUsage()),
		Door:    Door{Left: map[string]int{}, Refused: state.Refused, Cut: state.Cut},
		Machine: r.Monitor.lastMachine(),
	}
	r.Devices.fillStatus(&a, r.Readers.Counters(), u.Table.Readers)
	for k, c := range state.Places {
		a.Door.Left[k.String()] = c.Places - c.Taken
	}
	a.fillDerivedFields()
	return a
}

// connectedUnlessOff returns whether a line to the house is connected; nil if it is off.
func connectedUnlessOff(l smarthome.LinkStatus) *bool {
	if !l.On {
		return nil
	}
	return &l.Connected
}

// renderAllMetrics returns a Status, and the counts that it does not have, in the text format of Prometheus.
func (r *Report) renderAllMetrics(a Status) string {
	c := counts{Losses: len(r.Store.Losses()), Relay: r.Relay.Status(), House: r.SmartHome.Status(), Broker: r.Broker.RefusalCounts(),
		Door: r.Door.State(), Readers: r.Readers.Counters()}
	r.Devices.fillCounts(&c)
	return renderMetrics(a, c)
}

// ServeHealth answers GET /healthz.
func (r *Report) ServeHealth(w http.ResponseWriter, req *http.Request) {
	a := r.Status(req.Context())
	w.Header().Set("Content-Type", "application/json")
	if !a.OK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(a)
}

// ServeMetrics answers GET /metrics.
func (r *Report) ServeMetrics(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, r.renderAllMetrics(r.Status(req.Context())))
}

// bundleTimeout limits the making of a bundle. The doctor reads a few hundred files.
const bundleTimeout = 30 * time.Second

// BundleRow is the office row that returns a bundle as one text.
func (r *Report) BundleRow() office.Row {
	return office.Row{
		Name: "support",
		Role: wire.RoleOperator,
		Do: office.RefuseWhileBusy(func(ctx context.Context, _ office.Call) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, bundleTimeout)
			defer cancel()
			return wire.OfficeText{File: "majordome.txt", Text: r.Bundle(ctx)}, nil
		}),
	}
}

// Bundle returns a bundle about the running daemon.
func (r *Report) Bundle(ctx context.Context) string {
	var parts []Part
	if r.FirstParts != nil {
		parts = r.FirstParts()
	}
	status := r.Status(ctx)
	said, _ := json.MarshalIndent(status, "", "  ") // cannot fail: only maps, numbers and strings
	var text strings.Builder
	_ = writeBundle(&text, append(parts, []Part{{"configuration", r.Config().RedactedYAML()}, {"healthz", string(said)},
		{"metrics", r.renderAllMetrics(status)}, {"log", r.LogTail.String()}}...)...) // a strings.Builder returns no errors
	return text.String()
}
