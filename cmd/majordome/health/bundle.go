package health

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/game"
)

// A bundle is a text for a person who helps from afar. The owner can read it before sending it. It has what the
// doctor found, the values of the configuration, the health and counters of the daemon, if it runs, and the end of its log, if the
// daemon made the bundle. It has nothing of the store, so no card, key, link, name or note; the canary test searches it.

// maxPart is the limit of a part's text, in bytes.
const maxPart = 64 << 10

// Part is a named section of a bundle.
type Part struct{ Name, Text string }

// WriteBundleWithDaemon writes parts one after the other, then the configuration, and the health and metrics pages of its daemon.
func WriteBundleWithDaemon(ctx context.Context, w io.Writer, cfg config.Config, parts ...Part) error {
	parts = append(parts, Part{"configuration", cfg.RedactedYAML()})
	for _, page := range []string{"healthz", "metrics"} {
		parts = append(parts, Part{page, fetchTextOrError(ctx, loopbackURL(cfg.Listen)+"/"+page)})
	}
	return writeBundle(w, parts...)
}

// writeBundle writes parts one after the other.
func writeBundle(w io.Writer, parts ...Part) error {
	for _, p := range parts {
		if len(p.Text) > maxPart {
			p.Text = p.Text[:maxPart] + "\n..."
		}
		if _, err := fmt.Fprintf(w, "-- %s --\n%s\n", p.Name, strings.TrimRight(p.Text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// DeviceStates are the states of a daemon's devices.
type DeviceStates struct {
	Readers map[string]bool // by role: whether it answers
	Nodes   map[string]bool // by port: whether it is connected
	Faults  []DeviceFault
}

// FetchDeviceStates asks the daemon of a configuration about its readers and nodes, over loopback.
func FetchDeviceStates(ctx context.Context, cfg config.Config) (d DeviceStates, err error) {
	var a Status
	if err := json.Unmarshal([]byte(fetchTextOrError(ctx, loopbackURL(cfg.Listen)+"/healthz")), &a); err != nil {
		return d, fmt.Errorf("health: %w", err)
	}
	d = DeviceStates{map[string]bool{}, a.Nodes, a.Faults}
	for role, state := range a.Readers {
		d.Readers[role] = state == game.ReaderOK || state == ReaderUnread
	}
	return d, nil
}

// loopbackURL returns the address of the daemon on this machine. Only from this machine may its health be read.
func loopbackURL(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "http://" + listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// fetchTextOrError returns the text of a page, or of the error that prevented it.
func fetchTextOrError(ctx context.Context, url string) string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxPart))
	if err != nil {
		return err.Error()
	}
	return string(b)
}
