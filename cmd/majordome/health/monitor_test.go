package health

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestMoreTroublesThanThereIsRoomFor checks that the last place of the list says how many are left out, and is a
// fault if one of them is.
func TestMoreTroublesThanThereIsRoomFor(t *testing.T) {
	minor, grave := vitals.NewWarning("memory", engine.Text{}, engine.Text{}), wire.Finding{About: "disk", State: wire.StateFault}
	for _, c := range []struct {
		minor, grave int
		want         string // of the last: what it is about, and how many more
		isGrave      bool
	}{
		{minor: wire.MaxFindings, want: "memory"},
		{minor: wire.MaxFindings + 1, want: "more 2"},
		{minor: 9, grave: wire.MaxFindings - 1, want: "more 9"},
		{minor: 3, grave: wire.MaxFindings, want: "more 4", isGrave: true},
		{minor: 1000, grave: 0, want: "more 995"},
	} {
		shown := sortAndCutFindings(slices.Concat(slices.Repeat([]wire.Finding{minor}, c.minor),
			slices.Repeat([]wire.Finding{grave}, c.grave)))
		last := shown[len(shown)-1]
		about, n, _ := strings.Cut(c.want, " ")
		body, err := json.Marshal(last)
		if len(shown) != wire.MaxFindings || last.About != about || (last.State == wire.StateFault) != c.isGrave || last.Help == "" ||
			!strings.Contains(last.Said.FR, n) || !strings.Contains(last.Said.EN, n) ||
			err != nil || len(body) > wire.MaxFinding {
			t.Errorf("%+v: %d are shown, the last %s", c, len(shown), body)
		}
		if first := shown[0]; (first.State == wire.StateFault) != (c.grave > 0) {
			t.Errorf("%+v: the first is %+v", c, first)
		}
	}
	above := sortAndCutFindings(append(slices.Repeat([]wire.Finding{minor}, 9), wire.Finding{About: "date"},
		wire.Finding{About: "card"}, grave))
	if above[0].About != "disk" || above[1].About != "date" || above[2].About != "card" {
		t.Errorf("the findings above are hidden by the rest: %+v", above)
	}
	if shown := sortAndCutFindings(nil); len(shown) > 0 {
		t.Errorf("without a finding %+v is shown", shown)
	}
}
