package house

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/lamps"
	"majordome/cmd/majordome/logs"
	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/dial"
	"majordome/devices/lineread"
	"majordome/engine"
)

// plugSerialLine returns the name of a serial line and its far end.
func plugSerialLine(t *testing.T) (name string, far *os.File) {
	t.Helper()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	name = filepath.Join(t.TempDir(), "usb-reader")
	if err := errors.Join(os.Symlink(near.Name(), name), near.Close()); err != nil {
		t.Fatal(err)
	}
	return name, far
}

// TestReaderOfAnotherFormatIsToldEverywhere: a serial reader whose lines cannot be understood is reported by /healthz,
// /metrics, the settings page, the host's page, the log and the bundle. Only the settings page shows the number of the
// card.
func TestReaderOfAnotherFormatIsToldEverywhere(t *testing.T) {
	t.Parallel()
	name, far := plugSerialLine(t)
	dev, err := lineread.New(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := dev.Probe(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "majordome.yaml")
	text := "listen: 127.0.0.1:0\nmqtt: \"off\"\ndata: " + t.TempDir() + "\nreaders:\n  - {role: urn, spi: SPI1.0}\n  - {role: show, chip: serial, port: " + name + "}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	setup, tail := config.NewEditor(file, config.EditorOpts{}), &logs.Tail{}
	r := openRig(t, func(o *Opts) {
		o.Editor, o.LogTail, o.Config = setup, tail, setup.Config()
		o.Log = logs.New(tail, o.Config).Logger()
	})
	r.house.opts.Readers[1].Scanner = dev // without the observer, which hides the line counts
	r.house.openReaders()
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
	if f.Where != "readers[1]" || f.State != wire.StateWarning || !strings.Contains(f.Said.EN, `this reader prints: “{"uid":"04A1B2C3D4E5F6"}”; it must print: SCAN→uid=`) || !strings.Contains(f.Said.FR, `ce lecteur écrit : « {"uid":"04A1B2C3D4E5F6"} »`) {
		t.Errorf("%+v", f)
	}
	if setup.Snapshot().Wrong != 1 {
		t.Error("it is counted nowhere")
	}
	var h health.Status
	_, body := fetchPage(t, r, "/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		t.Fatal(err)
	}
	if h.Readers[engine.ReaderShow] != health.ReaderUnread || len(h.Faults) != 1 || !strings.Contains(h.Faults[0].Said.EN, `{"uid":"##############"}`) ||
		h.Lines[engine.ReaderShow] != (health.Lines{NotUnderstood: 1, Bytes: 25, Last: `{"uid":"##############"}`}) {
		t.Errorf("%s", body)
	}
	if _, page := fetchPage(t, r, "/metrics"); !strings.Contains(page, `majordome_reader_ok{role="show"} 0`) {
		t.Error(page)
	}
	until("the log says it", func() bool { return strings.Contains(tail.String(), `role=show advice="this reader prints: “`) })
	var bundle strings.Builder
	if err := health.WriteBundle(&bundle, r.house.bundleParts(context.Background())...); err != nil {
		t.Fatal(err)
	}
	if text := bundle.String(); !strings.Contains(text, "ce lecteur écrit") || strings.Contains(text, "04A1B2C3") {
		t.Error(text)
	}
	heard, err := health.AskDaemon(context.Background(), config.Config{Listen: strings.TrimPrefix(r.house.URL(), "http://")})
	if err != nil || len(heard.Faults) != 1 || heard.Faults[0].Role != "show" || heard.Faults[0].MayWork {
		t.Errorf("%+v %v", heard, err)
	}
	if all := r.house.readerFindings(); len(all) != 1 || !strings.Contains(all[0].Said.EN, "show") {
		t.Errorf("%+v", all)
	} else if body, err := json.Marshal(all[0]); err != nil || len(body) > wire.MaxFinding {
		t.Errorf("%d bytes, %v", len(body), err)
	}

	if _, err := far.WriteString("SCAN\tuid=04A1B2C3D4E5F6\nREMOVE\n"); err != nil {
		t.Fatal(err)
	}
	until("it is mended", func() bool { return len(faults()) == 0 })
	until("health says so", func() bool { _, body := fetchPage(t, r, "/healthz"); return strings.Contains(body, `"show":"ok"`) })
}

// fakeLines is a serial reader with given line counts.
type fakeLines struct {
	devices.Scanner
	heard lineread.LineStats
}

func (f *fakeLines) LineStats() lineread.LineStats { return f.heard }

// TestLinesOfAGame: during a game no line is shown, and lines that are not understood no longer count against a reader
// that has read cards: a private refusal looks like a bad reading (GEN-003).
func TestLinesOfAGame(t *testing.T) {
	dev := &fakeLines{heard: lineread.LineStats{NotUnderstood: 3, Bytes: 30, Last: "carte 239"}}
	h := &House{opts: Opts{Readers: []config.Reader{{Role: "urn", Scanner: dev}, {Role: "show"}}}}
	if got := h.lineCounts(); got["urn"] != (health.Lines{NotUnderstood: 3, Bytes: 30, Last: "carte ###"}) || len(got) != 1 {
		t.Errorf("in the lobby: %+v", got)
	}
	h.playing.Store(true)
	if f := h.deviceFaults(); len(f) != 1 || strings.Contains(f[0].ownText.EN, "carte") || !strings.Contains(f[0].ownText.EN, "it must print") || !strings.Contains(f[0].ownText.FR, "caché pendant une partie") {
		t.Errorf("in a game: %+v", f)
	}
	dev.heard.NotUnderstood = 4
	if got := h.lineCounts()["urn"]; got != (health.Lines{NotUnderstood: 4, Bytes: 30, Last: "…"}) {
		t.Errorf("no card was ever read: %+v", got)
	}
	dev.heard = lineread.LineStats{Understood: 1, Tags: 1, NotUnderstood: 5, Bytes: 99}
	if got := h.lineCounts()["urn"]; got != (health.Lines{NotUnderstood: 3, Bytes: 30, Last: "…"}) {
		t.Errorf("a card was read: %+v", got)
	}
	dev.heard = lineread.LineStats{NotUnderstood: 1, Bytes: 7} // plugged in again
	if got := h.lineCounts()["urn"]; got != (health.Lines{NotUnderstood: 3, Bytes: 30, Last: "…"}) {
		t.Errorf("plugged in again: %+v", got)
	}
	h.playing.Store(false)
	if got := h.lineCounts()["urn"]; got != (health.Lines{NotUnderstood: 1, Bytes: 7}) {
		t.Errorf("in the lobby again: %+v", got)
	}
}

// TestAReaderThatPrintsWithoutEnd: each line is another text about the same reader, but the pages are not sent an
// update for each line.
func TestAReaderThatPrintsWithoutEnd(t *testing.T) {
	setup := config.NewEditor(filepath.Join(t.TempDir(), "majordome.yaml"), config.EditorOpts{})
	dev := &fakeLines{heard: lineread.LineStats{NotUnderstood: 1, Bytes: 8, Last: "ADC 512"}}
	r := openRig(t, func(o *Opts) { o.Editor = setup })
	r.house.opts.Readers[1].Scanner = dev
	shows := func() string {
		r.house.checkDevices()
		if all := setup.Snapshot().Faults; len(all) == 1 {
			return all[0].Said.EN
		}
		return ""
	}
	if got := shows(); !strings.Contains(got, "ADC 512") {
		t.Fatalf("shown is %q", got)
	}
	dev.heard = lineread.LineStats{NotUnderstood: 2, Bytes: 16, Last: "ADC 513"}
	if got := shows(); !strings.Contains(got, "ADC 512") {
		t.Errorf("a moment later %q is shown", got)
	}
	r.house.checks.changedAt = time.Now().Add(-deviceTextPeriod)
	if got := shows(); !strings.Contains(got, "ADC 513") {
		t.Errorf("much later %q is shown", got)
	}
	if all := r.house.readerFindings(); len(all) > 0 || r.house.status(t.Context()).Readers[engine.ReaderShow] != game.ReaderOK {
		t.Errorf("nothing came but remarks, as of a reader before its first card, and the host is told %+v", all)
	}
	dev.heard = lineread.LineStats{NotUnderstood: 3, Bytes: 40, Last: "04A1B2C3D4", LastTag: "04A1B2C3D4"}
	if got := shows(); !strings.Contains(got, "04A1B2C3D4") {
		t.Errorf("a number that is none is shown as %q", got)
	}
	if all := r.house.readerFindings(); len(all) != 1 || r.house.status(t.Context()).Readers[engine.ReaderShow] != health.ReaderUnread {
		t.Errorf("it prints numbers that are none, and the host is told %+v", all)
	}
	dev.heard = lineread.LineStats{Understood: 1, Bytes: 24}
	if got := shows(); got != "" {
		t.Errorf("when it is mended %q is shown", got)
	}
}

// TestNodeThatDoesNotAnswerIsOnTheSettingsPage: also a node that answers as another firmware does.
func TestNodeThatDoesNotAnswerIsOnTheSettingsPage(t *testing.T) {
	name, far := plugSerialLine(t)
	go func() { _, _ = io.Copy(io.Discard, far) }()
	c := config.Defaults()
	c.Readers = []config.ReaderConfig{{Role: "show", Chip: config.ChipSerial, Port: "/dev/elsewhere"}, {Role: "urn", Chip: config.ChipNode, Port: name}}
	c.Buttons = []config.ButtonConfig{{Role: "start", Port: name}}
	nodes := config.Nodes{}
	reader, err := c.Readers[1].Open(nodes, discardLog())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Scanner.Halt()
	h := &House{opts: Opts{Config: c, Nodes: nodes.Devices()}}
	f := h.deviceFaults()
	if len(f) != 1 || f[0].Where != "readers[1]" || f[0].Port != name || !strings.Contains(f[0].ownText.EN, "no node answers") || f[0].ownText.FR == f[0].ownText.EN {
		t.Errorf("%+v", f)
	}
	foreign := strings.Repeat("this is another sketch\r\n", 20)
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if _, err := far.WriteString(foreign); err != nil {
			t.Fatal(err)
		}
		if f := h.deviceFaults(); len(f) == 1 && strings.Contains(f[0].ownText.EN, "no node's") {
			if !strings.Contains(f[0].ownText.EN, "chip: serial") {
				t.Errorf("%+v", f)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%+v", h.deviceFaults())
		}
	}
}

// deafDial fails to show an hour, unless its error is nil.
type deafDial struct{ err error }

func (deafDial) String() string             { return "clock" }
func (deafDial) Halt() error                { return nil }
func (d deafDial) ShowHour(dial.Hour) error { return d.err }

// TestClockAndButtonOfNoUse: a clock that cannot show the hour and a button that was pressed from the start are
// reported at their places in the configuration.
func TestClockAndButtonOfNoUse(t *testing.T) {
	clocks := []dial.Dial{deafDial{}, deafDial{errors.New("no answer")}}
	h := &House{opts: Opts{Clocks: clocks, Buttons: []config.Button{{Role: "call"}, {Role: "start", IsStuck: func() bool { return true }}}},
		lights: lamps.New(lamps.Opts{Clocks: clocks, Log: discardLog()})}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.lights.Run(ctx, func(error) {}) })
	h.lights.Publish(wire.Update{})
	eventually(t, "the clock that takes no hour is not lost", func() bool { return h.lights.IsLost(1) })
	stop()
	running.Wait()
	var at []string
	for _, f := range h.deviceFaults() {
		at = append(at, f.Where)
		if f.ownText.FR == "" || f.ownText.FR == f.ownText.EN || f.ownText != f.Said {
			t.Errorf("%+v", f)
		}
	}
	if strings.Join(at, " ") != "clocks[1] buttons[1]" {
		t.Error(at)
	}
}

// TestAReaderThatEndsNoLine: text and numbers without a line end are counted and shown like any line that is not
// understood. A tag between STX and ETX is read.
func TestAReaderThatEndsNoLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, prints string
		last, own    string // "": the line is understood
	}{
		{"text", strings.Repeat("Hello ", 60), "Hello Hello ", "“Hello Hello "},
		{"hexadecimal", strings.Repeat("04A1B2C3", 60), "################", "“04A1B2C304A1B2C3"},
		{"one number", "0004A1B2C3", "##########", "“0004A1B2C3”, and no line end comes"},
		{"frames of another number", strings.Repeat("\x02 04A1B2C3D400 \x03", 9), "STX ############ ETX", "“STX 04A1B2C3D400 ETX”"},
		{"frames of a tag", "\x0204A1B2C3\x03", "", ""},
	} {
		name, far := plugSerialLine(t)
		dev, err := lineread.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Halt()
		if err := dev.Probe(); err != nil {
			t.Fatal(err)
		}
		h := &House{opts: Opts{Readers: []config.Reader{{Role: "urn", Scanner: dev}}}}
		if _, err := far.WriteString(c.prints); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			_, _ = dev.Scan(t.Context())
			line, faults := h.lineCounts()["urn"], h.deviceFaults()
			if c.own == "" && line.Understood == 1 && len(faults) == 0 {
				break
			}
			if c.own != "" && line.NotUnderstood > 0 && strings.HasPrefix(line.Last, c.last) && len(faults) == 1 && strings.Contains(faults[0].ownText.EN, c.own) && !faults[0].MayWork {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %+v %+v", c.name, line, faults)
			}
		}
	}
}
