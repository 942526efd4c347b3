package serial

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"majordome/devices"
)

func TestPortsAreNamedByTheNameThatStays(t *testing.T) {
	dev := t.TempDir()
	for _, dir := range []string{"serial/by-id", "serial/by-path"} {
		if err := os.MkdirAll(filepath.Join(dev, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"ttyUSB0", "ttyUSB1", "ttyACM0", "ttyAMA0", "tty1"} {
		if err := os.WriteFile(filepath.Join(dev, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"serial/by-id/usb-Arduino_Nano-if00": "../../ttyACM0",
		"serial/by-id/usb-1a86_CH340-port0":  "../../ttyUSB0", // and its twin without a number has lost the name
		"serial/by-id/usb-gone":              "../../ttyUSB9",
		"serial/by-path/usb-0:1.2-port0":     "../../ttyUSB0",
		"serial/by-path/usb-0:1.3-port0":     "../../ttyUSB1",
		"serial0":                            "ttyAMA0",
	} {
		if err := os.Symlink(target, filepath.Join(dev, link)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"serial/by-id/usb-1a86_CH340-port0", "serial/by-id/usb-Arduino_Nano-if00", "serial/by-path/usb-0:1.3-port0", "serial0"}
	got := listPortsIn(dev)
	for i := range got {
		got[i], _ = filepath.Rel(dev, got[i])
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Fatalf("ports:\n got %s\nwant %s", got, want)
	}
	if got := listPortsIn(t.TempDir()); len(got) > 0 {
		t.Fatalf("ports of an empty folder: %s", got)
	}
}

// Every error says in both languages what to do, and names the port.
func TestErrorsAreAdvice(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path   string
		baud   int
		cause  error
		en, fr string
	}{
		{filepath.Join(dir, "none"), 0, fs.ErrNotExist, "not found: there ", "introuvable : il "},
		{"ttyUSB0", 0, fs.ErrInvalid, "whole name", "nom entier"},
		{"", 0, fs.ErrInvalid, "whole name", "nom entier"},
		{file, 0, nil, "is not a serial port", "n’est pas un port série"},
		{dir, 0, nil, "is not a serial port", "n’est pas un port série"},
		{"/dev/null", 0, nil, "is not a serial port", "n’est pas un port série"},
		{file, 250000, fs.ErrInvalid, "250000 baud is not possible", "250000 bauds n’est pas possible"},
		{file, 300, fs.ErrInvalid, "300 baud is not possible", "300 bauds n’est pas possible"},
		{file, -1, fs.ErrInvalid, "-1 baud is not possible", "-1 bauds n’est pas possible"},
	} {
		_, err := Open(c.path, &Opts{Baud: c.baud})
		var a devices.Advice
		if !errors.As(err, &a) {
			t.Errorf("%q at %d: %v is no advice", c.path, c.baud, err)
			continue
		}
		if !strings.Contains(a.EN, c.en) || !strings.Contains(a.FR, c.fr) || !strings.Contains(a.EN, c.path) ||
			!strings.Contains(a.FR, c.path) {
			t.Errorf("%q at %d:\n%s\n%s", c.path, c.baud, a.EN, a.FR)
		}
		if c.cause != nil && !errors.Is(err, c.cause) {
			t.Errorf("%q at %d: %v does not wrap %v", c.path, c.baud, a.Err, c.cause)
		}
	}
}

// CheckPortUsable finds these faults without opening a port, which would restart some boards.
func TestCheckPortUsableFindsFaults(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t)
	b.Plug()
	if err := CheckPortUsable(b.Path, Node); err != nil {
		t.Errorf("a port: %v", err)
	}
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "introuvable",
		"ttyUSB0":                  "nom entier",
		file:                       "n’est pas un port série",
	} {
		var a devices.Advice
		if err := CheckPortUsable(path, Node); !errors.As(err, &a) || !strings.Contains(a.FR, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if a := openAdvice("/dev/ttyUSB0", Reader,
		&os.PathError{Op: "open", Path: "/dev/ttyUSB0", Err: syscall.EACCES}); !strings.Contains(a.EN, "permission denied") ||
		!strings.Contains(a.EN, "dialout") || !strings.Contains(a.FR, "accès refusé") || !strings.Contains(a.FR, "dialout") {
		t.Errorf("permission denied: %+v", a)
	}
}

// Each speed that passes the check can be opened by tarm.
func TestEverySpeedOpens(t *testing.T) {
	b := newBench(t)
	b.Plug()
	for _, baud := range bauds {
		p, err := Open(b.Path, &Opts{Baud: baud})
		if err != nil {
			t.Errorf("%d baud: %v", baud, err)
			continue
		}
		if err := p.Close(); err != nil {
			t.Errorf("%d baud: %v", baud, err)
		}
	}
}

// Where there is no port yet, the error names the device to plug in.
func TestWhatIsPluggedIn(t *testing.T) {
	for d, want := range map[Device][2]string{
		Any:    {"branchez l’appareil", "plug the device in"},
		Reader: {"branchez le lecteur", "plug the reader in"},
		Node:   {"branchez le nœud", "plug the node in"},
	} {
		if fr, en := describePorts(d, nil); !strings.HasSuffix(fr, want[0]) || !strings.HasSuffix(en, want[1]) {
			t.Errorf("%s: %q %q", d, fr, en)
		}
	}
}
