// Package striptest has tests that every driver of a strip on a SPI port must pass. The strip itself is
// simulated (package simstrip).
package striptest

import (
	"errors"
	"strings"
	"testing"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"majordome/devices"
	"majordome/devices/internal/simstrip"
)

// Strip is a driver that can also own its port.
type Strip interface {
	devices.Strip
	Close() error
}

// CheckOpenByName checks a driver that is opened by the name of a port: each refusal says what is missing and contains
// the hint, and Close leaves sim dark and its port closed.
func CheckOpenByName(t *testing.T, sim *simstrip.Port, hint string, open func(port string) (Strip, error)) {
	t.Helper()
	refused := func(port string, want ...string) {
		t.Helper()
		_, err := open(port)
		CheckErrorContains(t, err, append(want, port, hint)...)
	}
	if len(spireg.All()) == 0 { // a machine without a bus of its own
		refused("SPI0.0", "dtparam=spi=on")
	}
	denied := func() (spi.PortCloser, error) {
		return nil, errors.New("sysfs-spi: open /dev/spidev0.0: permission denied")
	}
	if err := errors.Join(
		spireg.Register("TESTDENIED", nil, -1, denied),
		spireg.Register("TESTSPI", nil, -1, func() (spi.PortCloser, error) { return sim, nil }),
	); err != nil {
		t.Fatal(err)
	}
	defer spireg.Unregister("TESTSPI")
	defer spireg.Unregister("TESTDENIED")
	refused("TESTDENIED", "group spi")
	refused("SPI9.9", "TESTSPI")
	d, err := open("TESTSPI")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.ShowFrame([]devices.RGB{{R: 9}}), d.Close()); err != nil {
		t.Fatal(err)
	}
	if sim.FrameCount() != 2 || sim.AppendPixels(nil)[0] != (devices.RGB{}) {
		t.Error("Close left the strip lit")
	}
	if err := d.ShowFrame(nil); err == nil {
		t.Error("the port still works after Close")
	}
}

// CheckNoAllocs checks that showing a frame allocates nothing.
func CheckNoAllocs(t *testing.T, d devices.Strip) {
	t.Helper()
	px := make([]devices.RGB, d.Len())
	if n := testing.AllocsPerRun(100, func() { _ = d.ShowFrame(px) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// CheckErrorContains checks that err contains each of want.
func CheckErrorContains(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}
