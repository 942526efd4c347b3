package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/manual"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/engine"
)

func fetchPage(t *testing.T, r *rig, path string) (int, string) {
	t.Helper()
	res, err := http.Get("http://" + r.house.Network.Pages.Addr().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// metricFamilies are all that /metrics shows. Each new one needs a reason here why it does not change with a secret:
// see the comment of package health.
var metricFamilies = []string{
	"majordome_disk_free_bytes", "majordome_machine_trouble", "majordome_memory_free_bytes", "majordome_storage_wear_ratio",
	"majordome_temperature_celsius",
	"majordome_broker_refused_total", "majordome_button_ok", "majordome_clock_ok", "majordome_door_cut_total", "majordome_door_places",
	"majordome_door_refused_total",
	"majordome_door_taken", "majordome_node_boots", "majordome_node_connected", "majordome_node_lost",
	"majordome_node_uptime_seconds", "majordome_ok",
	"majordome_reader_cards_total", "majordome_reader_failed_total", "majordome_reader_lost_total", "majordome_reader_noisy_total",
	"majordome_reader_ok", "majordome_reader_recovered_total", "majordome_reader_uptime_seconds", "majordome_relay_connected",
	"majordome_relay_denied", "majordome_relay_dropped_total", "majordome_store_backup_age_seconds", "majordome_store_backups",
	"majordome_store_bytes", "majordome_store_former_states", "majordome_store_log_bytes", "majordome_store_losses", "majordome_store_ok",
	"majordome_strip_frames_total", "majordome_strip_lost_total", "majordome_strip_ok",
	"majordome_table_answers", "majordome_uptime_seconds",
}

var (
	helpLine   = regexp.MustCompile(`^# HELP ([a-z_]+) [A-Z1][^\n]*\.$`)
	typeLine   = regexp.MustCompile(`^# TYPE ([a-z_]+) (counter|gauge)$`)
	sampleLine = regexp.MustCompile(`^([a-z_]+)(\{(kind|reason|role|port|strip|clock|button)="[^"\\\n]*"\})? [0-9.e+]+$`)
)

// Health and metrics of a running table: each line of the metrics is in the text format, and the parts that work are
// reported as working.
func TestHealthAndMetrics(t *testing.T) {
	n, err := node.New("/dev/serial/by-id/usb-node", &node.Opts{Open: func(string) (node.Port, error) { return nil, io.EOF }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = n.Halt() }()
	r := startRig(t, func(o *Opts) { o.Nodes = map[string]*node.Dev{"/dev/serial/by-id/usb-node": n} })
	var a health.Status
	for end := time.Now().Add(patience); !a.OK; time.Sleep(5 * time.Millisecond) { // the relay connects meanwhile
		_, body := fetchPage(t, r, "/healthz")
		if err := json.Unmarshal([]byte(body), &a); err != nil || time.Now().After(end) {
			t.Fatalf("%v: %s", err, body)
		}
	}
	if code, body := fetchPage(t, r, "/healthz"); code != 200 || a.Readers[engine.ReaderUrn] != "ok" ||
		a.Nodes["/dev/serial/by-id/usb-node"] || a.Door.Left["seats"] != 80 {
		t.Errorf("%d %s", code, body)
	}
	if _, err := r.house.Store.BackUpAndPrune(1); err != nil {
		t.Fatal(err)
	}
	code, body := fetchPage(t, r, "/metrics")
	if code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	var seen []string
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch help, kind, sample := helpLine.FindStringSubmatch(line), typeLine.FindStringSubmatch(line),
			sampleLine.FindStringSubmatch(line); {
		case help != nil:
			seen = append(seen, help[1])
		case kind != nil && kind[1] == seen[len(seen)-1] && (kind[2] == "counter") == strings.HasSuffix(kind[1], "_total"):
		case sample != nil && sample[1] == seen[len(seen)-1]:
		default:
			t.Errorf("not of the text format: %q", line)
		}
	}
	slices.Sort(seen)
	slices.Sort(metricFamilies)
	if !slices.Equal(seen, metricFamilies) {
		t.Errorf("told %q", seen)
	}
	for _, want := range []string{
		"majordome_ok 1\n",
		`majordome_door_places{kind="seats"} 80`,
		`majordome_reader_ok{role="urn"} 1`,
		"majordome_store_bytes 1.048576e+06\n",
		"\nmajordome_store_backup_age_seconds ",
		"majordome_store_backups 1\n",
		`majordome_node_connected{port="/dev/serial/by-id/usb-node"} 0`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	if seats := regexp.MustCompile(`seat-?[0-9]|-s[0-9]|Anne|character-`).FindString(body); seats != "" {
		t.Errorf("metrics name %s", seats)
	}
	// A part that does not work is a 503.
	r.house.entrance.relay.Close()
	if code, body := fetchPage(t, r, "/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(body, `"relay":false`) {
		t.Errorf("without a relay: %d %s", code, body)
	} else if !strings.Contains(body, fmt.Sprintf(`"help":{"nodes":%q,"relay":%q}`,
		manual.PlaceOfFaultKind("node"), manual.PlaceOfFaultKind("relay"))) {
		t.Errorf("the places in the manual are those of other parts: %s", body)
	}
}

// A configured device that was never opened is reported as not ready, under its own number, with counters of 0.
func TestMissingDevices(t *testing.T) {
	r := startRig(t, func(o *Opts) {
		o.Config.Readers = []config.ReaderConfig{{Role: "urn"}, {Role: "show"}, {Role: "enrol"}}
		o.Config.Strips = make([]config.StripConfig, 2)
		o.Config.Clocks = make([]config.ClockConfig, 1)
		o.Config.Buttons = []config.ButtonConfig{
			{Role: "pause", Pin: "GPIO5"},
			{Role: "next", Pin: "GPIO6"},
			{Role: "call", Tag: "04A1B2C3D4E5F6"},
		}
		o.Readers = slices.DeleteFunc(o.Readers, func(r config.Reader) bool { return r.Role != "urn" })
		o.Strips = []config.Strip{{Strip: &strip{lit: make(chan struct{}), trail: &trail{}}, Layout: light.DefaultLayout(7)}}
		for _, path := range []string{"readers[1]", "readers[2]", "strips[0]", "clocks[0]", "buttons[0]"} {
			o.Missing = append(o.Missing, wire.Finding{Where: path})
		}
	})
	_, body := fetchPage(t, r, "/healthz")
	for _, want := range []string{
		`"readers":{"enrol":"missing","show":"missing","urn":"ok"}`,
		`"strips":{"1":false,"2":true}`,
		`"clocks":{"1":false}`,
		`"buttons":{"1":false,"2":true}`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	_, body = fetchPage(t, r, "/metrics")
	for _, want := range []string{
		`reader_ok{role="urn"} 1`, `reader_ok{role="show"} 0`, `reader_ok{role="enrol"} 0`, `reader_cards_total{role="show"} 0`,
		`reader_uptime_seconds{role="show"} 0`,
		`strip_ok{strip="1"} 0`, `strip_ok{strip="2"} 1`, `strip_frames_total{strip="1"} 0`, `clock_ok{clock="1"} 0`,
		`button_ok{button="1"} 0`, `button_ok{button="2"} 1`,
	} {
		if !strings.Contains(body, "\nmajordome_"+want+"\n") {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// A strip that accepts no more frames is reported, and so is its return; sent frames are counted.
func TestStripMetrics(t *testing.T) {
	s := &failingStrip{strip: strip{lit: make(chan struct{}), trail: &trail{}}}
	r := startRig(t, func(o *Opts) { o.Strips = []config.Strip{{Strip: s, Layout: light.DefaultLayout(7)}} })
	says := func(page, what string) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
			if _, body := fetchPage(t, r, page); strings.Contains(body, what) {
				return
			} else if time.Now().After(end) {
				t.Fatalf("no %q in\n%s", what, body)
			}
		}
	}
	says("/healthz", `"strips":{"1":true}`)
	s.broken.Store(true)
	r.house.lights.ToggleWhite() // something to show
	says("/healthz", `"strips":{"1":false}`)
	says("/metrics", `majordome_strip_lost_total{strip="1"} 1`)
	says("/metrics", `majordome_strip_ok{strip="1"} 0`)
	s.broken.Store(false)
	says("/metrics", `majordome_strip_ok{strip="1"} 1`)
	if r.house.lights.StripStates()[0].Frames == 0 {
		t.Error("no frame was counted")
	}
}

// failingStrip is a strip that fails while broken is set.
type failingStrip struct {
	strip
	broken atomic.Bool
}

func (f *failingStrip) ShowFrame(px []devices.RGB) error {
	if f.broken.Load() {
		return errors.New("no such strip")
	}
	return f.strip.ShowFrame(px)
}
