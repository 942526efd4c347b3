package health

import (
	"testing"

	"majordome/companion/wire"
)

// TestHealthHelps checks that everything that does not work has a place in the manual, and that everything that works
// has none.
func TestHealthHelps(t *testing.T) {
	well := Status{Table: true, Store: true, Relay: true, Readers: map[string]string{"urn": "ok"}, Strips: map[string]bool{"1": true}}
	if help := well.helpPlaces(); len(help) != 0 {
		t.Errorf("nothing is wrong, and %v", help)
	}
	no, off := false, map[string]bool{"1": true, "2": false}
	ill := Status{Uplink: &no, Home: &no, Readers: map[string]string{"show": "ok", "urn": "missing"}, Nodes: off, Strips: off,
		Clocks: off, Buttons: off,
		Machine: Machine{Troubles: map[string]wire.State{"disk": wire.StateFault, "hook": wire.StateWarning}}}
	help := ill.helpPlaces()
	for _, part := range []string{
		"table", "store", "relay", "uplink", "home", "readers", "nodes", "strips", "clocks", "buttons", "disk", "hook",
	} {
		if help[part] == "" {
			t.Errorf("%s has no place in %v", part, help)
		}
		delete(help, part)
	}
	if len(help) != 0 {
		t.Errorf("nobody knows %v", help)
	}
}

func TestMetricLabelsAreEscaped(t *testing.T) {
	m := &metrics{}
	addByLabel(m, "x", "gauge", "X.", "port", map[string]float64{"a\"b\\c\nd": 1})
	if want := "# HELP x X.\n# TYPE x gauge\nx{port=\"a\\\"b\\\\c\\nd\"} 1\n"; m.String() != want {
		t.Errorf("got %q", m)
	}
}
