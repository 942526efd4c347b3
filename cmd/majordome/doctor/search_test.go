package doctor

import (
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices/mfrc522/mfrc522sim"
)

// TestWhatIsAttached checks that two readers that are not in the configuration are found by asking them, each with
// the settings that add it, and that a configured reader that is missing is reported with its fix.
func TestWhatIsAttached(t *testing.T) {
	root, cfg, _ := registerChips(t, mfrc522sim.Opts{}, mfrc522sim.Opts{})
	var found []wire.Found
	for _, f := range machine(root).FindDevices(t.Context(), config.Defaults()) {
		if f.List == "readers" && !strings.Contains(f.Said.EN, "serial port") {
			found = append(found, f)
		}
	}
	if len(found) != 2 {
		t.Fatalf("%+v", found)
	}
	for i, role := range []string{"urn", "show"} {
		f := found[i]
		if f.Said.FR == f.Said.EN || !slices.Contains(f.Adds, wire.Setting{Path: "role", Value: role}) ||
			!slices.Contains(f.Adds, wire.Setting{Path: "spi", Value: cfg.Readers[i].SPI}) {
			t.Errorf("%+v", f)
		}
	}
	for _, f := range machine(root).FindDevices(t.Context(), cfg) {
		if f.List == "readers" && strings.Contains(f.Said.EN, "answers on SPI") {
			t.Errorf("the device is named already: %+v", f)
		}
	}
	missing := config.Defaults()
	missing.Readers = []config.ReaderConfig{{Role: "urn", Chip: "mfrc522", SPI: "SPI7.0"}}
	if all := machine(root).FindDevices(t.Context(), missing); !slices.ContainsFunc(all, func(f wire.Found) bool {
		return f.Bad && strings.Contains(f.Said.EN, "/dev/spidev7.0 is missing") && f.Help != "" && f.Fix.FR != "" && f.Fix.FR != f.Fix.EN
	}) {
		t.Errorf("%+v", all)
	}
}
