package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/creack/pty"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices/mfrc522/mfrc522sim"
)

// TestNothingIsSentToAnUnnamedPort checks that a serial port that is not in the configuration is listed with its
// maker, and that neither the search nor the doctor writes to it.
func TestNothingIsSentToAnUnnamedPort(t *testing.T) {
	t.Parallel()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer near.Close()
	root := t.TempDir()
	usb := filepath.Join(root, "sys/devices/usb1/1-1")
	for _, f := range []string{"dev/serial/by-id", "sys/class/tty", "sys/devices/usb1/1-1/1-1:1.0/ttyUSB0"} {
		if err := os.MkdirAll(filepath.Join(root, f), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"manufacturer": "1a86\n", "product": "USB \x1b[2JSerial\n"} {
		if err := os.WriteFile(filepath.Join(usb, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"dev/ttyUSB0":                near.Name(),
		"dev/serial/by-id/usb-thing": "../../ttyUSB0",
		"sys/class/tty/ttyUSB0":      "../../devices/usb1/1-1/1-1:1.0/ttyUSB0",
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	m := machine(os.DirFS(root))
	found := m.FindDevices(t.Context(), config.Defaults())
	i := slices.IndexFunc(found, func(f wire.Found) bool { return f.Ask == "/dev/serial/by-id/usb-thing" })
	if i < 0 || !strings.Contains(found[i].Said.EN, "/dev/serial/by-id/usb-thing (1a86 USB ") ||
		!strings.Contains(found[i].Said.FR, "Rien ne lui a été envoyé") ||
		strings.Contains(found[i].Said.EN, "\x1b") || found[i].List != "readers" ||
		!slices.Contains(found[i].Adds, wire.Setting{Path: "port", Value: "/dev/serial/by-id/usb-thing"}) {
		t.Errorf("%+v", found)
	}
	m.Examine(config.Defaults())
	if _, err := near.WriteString("nothing before this"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	if n, err := far.Read(buf); string(buf[:n]) != "nothing before this" || err != nil {
		t.Errorf("%q was sent, %v", buf[:n], err)
	}
}

// TestPickedPortIsAsked checks that the doctor asks a port that the host picks, and reports its answer or the lack of
// one.
func TestPickedPortIsAsked(t *testing.T) {
	t.Parallel()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	name := near.Name()
	near.Close() // an open port would not be asked
	m := machine(os.DirFS("/"))
	m.OwnPID = os.Getpid()
	var heard atomic.Int64
	var asking atomic.Bool
	asking.Store(true)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		buf := make([]byte, 64)
		for asking.Load() {
			n, err := far.Read(buf)
			heard.Add(int64(n))
			if err != nil {
				time.Sleep(time.Millisecond) // the port is not open yet, or was closed
			}
		}
	}()
	found := m.SearchPortForNode(t.Context(), config.Defaults(), name)
	asking.Store(false)
	<-ended
	if heard.Load() == 0 {
		t.Error("the device was not asked")
	}
	if len(found) != 1 || found[0].List != "readers" || !strings.Contains(found[0].Said.EN, "No node answers on "+name) ||
		found[0].Ask != "" {
		t.Errorf("%+v", found)
	}
	_ = far.Close()
	found = m.SearchPortForNode(t.Context(), config.Defaults(), "/dev/ttyUSB-gone")
	if len(found) != 1 || !found[0].Bad || !strings.Contains(found[0].Said.FR, "introuvable") {
		t.Errorf("%+v", found)
	}
}

// TestHeldDevicesAreNamed checks that a device held by another program is reported with that program, and not asked;
// one held by this program is left out.
func TestHeldDevicesAreNamed(t *testing.T) {
	const port = "/dev/ttyUSB0"
	with := func(more fstest.MapFS) fs.FS {
		root := fstest.MapFS{"dev/ttyUSB0": char(20, 0o660), "proc/612/comm": {Data: []byte("brltty\n")}}
		root["dev/ttyUSB0"].Sys = &syscall.Stat_t{Gid: 20, Dev: 5, Ino: 4711}
		for name, f := range more {
			root[name] = f
		}
		return root
	}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for what, c := range map[string]struct {
		more fstest.MapFS
		held bool // by another program
		free bool
	}{
		"nobody":       {nil, false, true},
		"an open file": {fstest.MapFS{"proc/612/fd/7": link(port)}, true, false},
		"another file": {fstest.MapFS{"proc/612/fd/7": link("/dev/null")}, false, true},
		"a lock": {fstest.MapFS{"proc/locks": text("1: POSIX  ADVISORY  WRITE 9 08:01:4711 0 EOF\n" +
			"2: FLOCK  ADVISORY  WRITE 612 00:05:4711 0 EOF\n")}, true, false},
		"a lock of the same number":   {fstest.MapFS{"proc/locks": text("1: FLOCK  ADVISORY  WRITE 612 08:01:4711 0 EOF\n")}, false, true},
		"a lock file":                 {fstest.MapFS{"run/lock/LCK..ttyUSB0": text("       612\n")}, true, false},
		"a lock file of who has died": {fstest.MapFS{"run/lock/LCK..ttyUSB0": text("       613\n")}, false, true},
		"this program":                {fstest.MapFS{"proc/1/comm": text("majordome\n"), "proc/1/fd/7": link(port)}, false, false},
	} {
		m := machine(with(c.more))
		found := m.FindDevices(t.Context(), config.Defaults())
		held := slices.ContainsFunc(found, func(f wire.Found) bool {
			return strings.Contains(f.Said.EN, port+" is held by brltty (process 612)") && f.Fix.FR != "" && f.Ask == "" && f.List == ""
		})
		free := slices.ContainsFunc(found, func(f wire.Found) bool { return f.Ask == port })
		if held != c.held || free != c.free {
			t.Errorf("%s: held %v, free %v: %+v", what, held, free, found)
		}
		if asked := m.SearchPortForNode(t.Context(), config.Defaults(), port); c.held &&
			(len(asked) != 1 || asked[0].Said.FR == asked[0].Said.EN) {
			t.Errorf("%s: asked: %+v", what, asked)
		}
	}
}

// TestHeldChipSelectIsNotAsked checks that held chip selects and buses are not asked either.
func TestHeldChipSelectIsNotAsked(t *testing.T) {
	root, _, _ := registerChips(t, mfrc522sim.Opts{})
	root["proc/612/comm"] = &fstest.MapFile{Data: []byte("fbcp\n")}
	root["proc/612/fd/3"] = link("/dev/spidev1.0")
	found := machine(root).FindDevices(t.Context(), config.Defaults())
	if !slices.ContainsFunc(found, func(f wire.Found) bool { return strings.Contains(f.Said.EN, "SPI1.0 is held by fbcp") }) ||
		slices.ContainsFunc(found, func(f wire.Found) bool { return f.List == "readers" }) {
		t.Errorf("%+v", found)
	}
}
