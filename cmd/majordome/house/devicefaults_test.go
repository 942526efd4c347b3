package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/logs"
	"majordome/companion/wire"
	"majordome/devices/lineread"
	"majordome/devices/plugtest"
	"majordome/engine"
)

// TestReaderOfAnotherFormatIsReportedEverywhere: a serial reader whose lines cannot be understood is reported by /healthz,
// /metrics, the settings page, the host's page, the log and the bundle. Only the settings page shows the number of the
// card.
func TestReaderOfAnotherFormatIsReportedEverywhere(t *testing.T) {
	t.Parallel()
	socket := plugtest.New(t, "usb-reader")
	name, far := socket.Path, socket.Plug()
	dev, err := lineread.New(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := dev.Probe(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "majordome.yaml")
	text := "listen: 127.0.0.1:0\nmqtt: \"off\"\ndata: " + t.TempDir() +
		"\nreaders:\n  - {role: urn, spi: SPI1.0}\n  - {role: show, chip: serial, port: " + name + "}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	setup, tail := config.NewEditor(file, config.EditorOpts{}), &logs.Tail{}
	r := openRig(t, func(o *Opts) {
		o.Editor, o.LogTail, o.Config = setup, tail, setup.FileConfig()
		o.Log = logs.New(tail, o.Config).Logger()
	})
	r.house.opts.Readers[1].Scanner = dev // without the observer, which hides the line counts
	r.house.createReaders()
	r.run()
	faults := func() []wire.Finding { return setup.Snapshot().Faults }
	until := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waits in vain: %s; %+v", what, faults())
			}
		}
	}
	first := r.watchRow("settings", "")
	if _, err := far.WriteString(`{"uid":"04A1B2C3D4E5F6"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	r.followRow("settings", first.Seen, func(json.RawMessage) bool { return len(faults()) == 1 })
	f := faults()[0]
	if f.Where != "readers[1]" || f.State != wire.StateWarning ||
		!strings.Contains(f.Said.EN, `this reader prints: “{"uid":"04A1B2C3D4E5F6"}”; it must print: SCAN→uid=`) ||
		!strings.Contains(f.Said.FR, `ce lecteur écrit : « {"uid":"04A1B2C3D4E5F6"} »`) {
		t.Errorf("%+v", f)
	}
	if setup.Snapshot().Wrong != 1 {
		t.Error("the fault is counted nowhere")
	}
	var h health.Status
	_, body := fetchPage(t, r, "/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		t.Fatal(err)
	}
	if h.Readers[engine.ReaderShow] != health.ReaderUnread || len(h.Faults) != 1 ||
		!strings.Contains(h.Faults[0].Said.EN, `{"uid":"##############"}`) ||
		h.Lines[engine.ReaderShow] != (health.Lines{NotUnderstood: 1, Bytes: 25, Last: `{"uid":"##############"}`}) {
		t.Errorf("%s", body)
	}
	if _, page := fetchPage(t, r, "/metrics"); !strings.Contains(page, `majordome_reader_ok{role="show"} 0`) {
		t.Error(page)
	}
	until("the log says it", func() bool { return strings.Contains(tail.String(), `role=show advice="this reader prints: “`) })
	if text := r.house.health.Bundle(t.Context()); !strings.Contains(text, "ce lecteur écrit") || strings.Contains(text, "04A1B2C3") {
		t.Error(text)
	}
	var cfg config.Config
	cfg.Listen = strings.TrimPrefix(r.house.Network.URL(), "http://")
	heard, err := health.FetchDeviceStates(t.Context(), cfg)
	if err != nil || len(heard.Faults) != 1 || heard.Faults[0].Role != "show" || heard.Faults[0].MayWork {
		t.Errorf("%+v %v", heard, err)
	}
	if all := r.house.health.Devices.ReaderFindings(); len(all) != 1 || !strings.Contains(all[0].Said.EN, "show") {
		t.Errorf("%+v", all)
	} else if body, err := json.Marshal(all[0]); err != nil || len(body) > wire.MaxFinding {
		t.Errorf("%d bytes, %v", len(body), err)
	}

	if _, err := far.WriteString("SCAN\tuid=04A1B2C3D4E5F6\nREMOVE\n"); err != nil {
		t.Fatal(err)
	}
	until("the fault is gone", func() bool { return len(faults()) == 0 })
	until("health says so", func() bool { _, body := fetchPage(t, r, "/healthz"); return strings.Contains(body, `"show":"ok"`) })
}
