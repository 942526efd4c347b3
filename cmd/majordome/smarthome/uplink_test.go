package smarthome

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"majordome/companion/line"
	"majordome/companion/wire"
)

// TestTooMuchForALine: the host reads which message is too large, and how large, in a text within the limit of a
// finding.
func TestTooMuchForALine(t *testing.T) {
	wild := strings.Repeat("<\u202e", 40)
	for _, c := range []struct {
		m    line.Suspect
		want []string
	}{
		{line.Suspect{Topic: "majordome/1/home/salon/state", Size: 100 << 20, Breaks: 1},
			[]string{"majordome/1/home/salon/state", "102400.0 KiB", "102400,0 Kio", "mosquitto_pub -r -n"}},
		{line.Suspect{Size: 268_435_455, Breaks: 1}, []string{"262144.0 KiB", "no MQTT broker"}},
		{line.Suspect{Topic: "majordome/1/home/salon/names", Size: 33_000, Breaks: 2, Ours: true, LeftOut: true},
			[]string{"salon/names", "32.2 KiB", "max_packet_size"}},
		{line.Suspect{Topic: wild, Size: 1 << 28, Breaks: 2, LeftOut: true}, []string{"<"}},
		{line.Suspect{Topic: wild, Size: 1 << 28, Breaks: 2, Ours: true, LeftOut: true}, []string{"<"}},
	} {
		all := brokenMessageFindings(aboutUplink, line.Status{Connected: true, Suspects: []line.Suspect{c.m}})
		if len(all) != 1 || all[0].Fix.FR == "" || all[0].Fix.EN == "" {
			t.Fatalf("%+v", all)
		}
		body, err := json.Marshal(all[0])
		if err != nil || len(body) > wire.MaxFinding {
			t.Errorf("%d bytes: %s", len(body), body)
		}
		text := fmt.Sprint(all[0].Said, all[0].Fix)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
	}
	if all := brokenMessageFindings(aboutUplink, line.Status{Suspects: []line.Suspect{{Topic: "x", Ours: true, Breaks: 1}}}); len(all) > 0 {
		t.Errorf("a network that was cut is %+v", all)
	}
}
