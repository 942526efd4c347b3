package health

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/lamps"
	"majordome/cmd/majordome/readers"
	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/dial"
	"majordome/devices/lineread"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/plugtest"
	"majordome/engine"
)

// newDevices returns the devices of a table in the lobby.
func newDevices(c config.Config, opened *config.Devices) *Devices {
	log := slog.New(slog.DiscardHandler)
	return NewDevices(DevicesOpts{Config: &c, Opened: opened,
		Lamps:     lamps.New(lamps.Opts{Strips: opened.Strips, Clocks: opened.Clocks, Log: log}),
		IsPlaying: func() bool { return false }, Changed: func([]wire.Finding) {}, Log: log})
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
	var playing atomic.Bool
	d := newDevices(config.Config{}, &config.Devices{Readers: []config.Reader{{Role: "urn", Scanner: dev}, {Role: "show"}}})
	d.opts.IsPlaying = playing.Load
	if got := d.lineCounts(); got["urn"] != (Lines{NotUnderstood: 3, Bytes: 30, Last: "carte ###"}) || len(got) != 1 {
		t.Errorf("in the lobby: %+v", got)
	}
	playing.Store(true)
	if f := d.findFaults(); len(f) != 1 || strings.Contains(f[0].ownText.EN, "carte") ||
		!strings.Contains(f[0].ownText.EN, "it must print") || !strings.Contains(f[0].ownText.FR, "caché pendant une partie") {
		t.Errorf("in a game: %+v", f)
	}
	dev.heard.NotUnderstood = 4
	if got := d.lineCounts()["urn"]; got != (Lines{NotUnderstood: 4, Bytes: 30, Last: "…"}) {
		t.Errorf("no card was ever read: %+v", got)
	}
	dev.heard = lineread.LineStats{Understood: 1, Tags: 1, NotUnderstood: 5, Bytes: 99}
	if got := d.lineCounts()["urn"]; got != (Lines{NotUnderstood: 3, Bytes: 30, Last: "…"}) {
		t.Errorf("a card was read: %+v", got)
	}
	dev.heard = lineread.LineStats{NotUnderstood: 1, Bytes: 7} // plugged in again
	if got := d.lineCounts()["urn"]; got != (Lines{NotUnderstood: 3, Bytes: 30, Last: "…"}) {
		t.Errorf("plugged in again: %+v", got)
	}
	playing.Store(false)
	if got := d.lineCounts()["urn"]; got != (Lines{NotUnderstood: 1, Bytes: 7}) {
		t.Errorf("in the lobby again: %+v", got)
	}
}

// TestAReaderThatPrintsWithoutEnd: each line is another text about the same reader, but the pages are not sent an
// update for each line.
func TestAReaderThatPrintsWithoutEnd(t *testing.T) {
	dev := &fakeLines{heard: lineread.LineStats{NotUnderstood: 1, Bytes: 8, Last: "ADC 512"}}
	d := newDevices(config.Config{}, &config.Devices{Readers: []config.Reader{{Role: "urn"}, {Role: "show", Scanner: dev}}})
	var shown []wire.Finding
	d.opts.Changed = func(faults []wire.Finding) { shown = faults }
	shows := func() string {
		d.CheckAndReport()
		if len(shown) == 1 {
			return shown[0].Said.EN
		}
		return ""
	}
	state := func() string {
		var a Status
		d.fillStatus(&a, nil, map[string]string{engine.ReaderShow: game.ReaderOK})
		return a.Readers[engine.ReaderShow]
	}
	if got := shows(); !strings.Contains(got, "ADC 512") {
		t.Fatalf("shown is %q", got)
	}
	dev.heard = lineread.LineStats{NotUnderstood: 2, Bytes: 16, Last: "ADC 513"}
	if got := shows(); !strings.Contains(got, "ADC 512") {
		t.Errorf("a moment later %q is shown", got)
	}
	d.changedAt = time.Now().Add(-deviceTextPeriod)
	if got := shows(); !strings.Contains(got, "ADC 513") {
		t.Errorf("much later %q is shown", got)
	}
	if all := d.ReaderFindings(); len(all) > 0 || state() != game.ReaderOK {
		t.Errorf("nothing came but remarks, as of a reader before its first card, and the host is shown %+v", all)
	}
	dev.heard = lineread.LineStats{NotUnderstood: 3, Bytes: 40, Last: "04A1B2C3D4", LastTag: "04A1B2C3D4"}
	if got := shows(); !strings.Contains(got, "04A1B2C3D4") {
		t.Errorf("a number that is none is shown as %q", got)
	}
	if all := d.ReaderFindings(); len(all) != 1 || state() != ReaderUnread {
		t.Errorf("it prints numbers of no tag, and the host is shown %+v", all)
	}
	dev.heard = lineread.LineStats{Understood: 1, Bytes: 24}
	if got := shows(); got != "" {
		t.Errorf("after the repair %q is shown", got)
	}
}

// TestNodeThatDoesNotAnswerIsOnTheSettingsPage: also a node that answers as another firmware does.
func TestNodeThatDoesNotAnswerIsOnTheSettingsPage(t *testing.T) {
	socket := plugtest.New(t, "usb-reader")
	name, far := socket.Path, socket.Plug()
	go func() { _, _ = io.Copy(io.Discard, far) }()
	c := config.Defaults()
	c.Readers = []config.ReaderConfig{{Role: "show", Chip: config.ChipSerial, Port: "/dev/elsewhere"},
		{Role: "urn", Chip: config.ChipNode, Port: name}}
	c.Buttons = []config.ButtonConfig{{Role: "start", Port: name}}
	nodes := config.Nodes{}
	reader, err := c.Readers[1].Open(nodes, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Scanner.Halt()
	d := newDevices(c, &config.Devices{Nodes: nodes.Devices()})
	f := d.findFaults()
	if len(f) != 1 || f[0].Where != "readers[1]" || f[0].Port != name ||
		!strings.Contains(f[0].ownText.EN, "no node answers") || f[0].ownText.FR == f[0].ownText.EN {
		t.Errorf("%+v", f)
	}
	foreign := strings.Repeat("this is another sketch\r\n", 20)
	for end := time.Now().Add(plugtest.Patience); ; time.Sleep(time.Millisecond) {
		if _, err := far.WriteString(foreign); err != nil {
			t.Fatal(err)
		}
		if f := d.findFaults(); len(f) == 1 && strings.Contains(f[0].ownText.EN, "no node's") {
			if !strings.Contains(f[0].ownText.EN, "chip: serial") {
				t.Errorf("%+v", f)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%+v", d.findFaults())
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
	d := newDevices(config.Config{}, &config.Devices{Clocks: clocks,
		Buttons: []config.Button{{Role: "call"}, {Role: "start", IsStuck: func() bool { return true }}}})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { d.opts.Lamps.Run(ctx, func(error) {}) })
	d.opts.Lamps.ShowUpdate(wire.Update{})
	for end := time.Now().Add(plugtest.Patience); !d.opts.Lamps.IsClockLost(1); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the clock that takes no hour is not lost")
		}
	}
	stop()
	running.Wait()
	var at []string
	for _, f := range d.findFaults() {
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
		socket := plugtest.New(t, "usb-reader")
		name, far := socket.Path, socket.Plug()
		dev, err := lineread.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Halt()
		if err := dev.Probe(); err != nil {
			t.Fatal(err)
		}
		d := newDevices(config.Config{}, &config.Devices{Readers: []config.Reader{{Role: "urn", Scanner: dev}}})
		if _, err := far.WriteString(c.prints); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(plugtest.Patience); ; time.Sleep(time.Millisecond) {
			_, _ = dev.Scan(t.Context())
			line, faults := d.lineCounts()["urn"], d.findFaults()
			if c.own == "" && line.Understood == 1 && len(faults) == 0 {
				break
			}
			if c.own != "" && line.NotUnderstood > 0 && strings.HasPrefix(line.Last, c.last) &&
				len(faults) == 1 && strings.Contains(faults[0].ownText.EN, c.own) && !faults[0].MayWork {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %+v %+v", c.name, line, faults)
			}
		}
	}
}

// The counters of a reader that is lost, found again and reads cards.
func TestReaderMetrics(t *testing.T) {
	sim := mfrc522sim.NewRealtime(nil)
	dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	sim.Unplug(0)
	_, _ = dev.Scan(t.Context())
	if dev.Stats().Failures == 0 {
		t.Fatalf("nothing failed: %+v", dev.Stats())
	}
	opened := []config.Reader{{Role: "urn", Scanner: dev}}
	c := counts{Readers: readers.New(readers.Opts{Readers: opened}).Counters()}
	newDevices(config.Config{}, &config.Devices{Readers: opened}).fillCounts(&c)
	m := renderMetrics(Status{Readers: map[string]string{"urn": "lost"}}, c)
	for _, want := range []string{`majordome_reader_ok{role="urn"} 0`, `majordome_reader_failed_total{role="urn"} 1`} {
		if !strings.Contains(m, want) {
			t.Errorf("no %q in\n%s", want, m)
		}
	}
}
