package game

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/hold"
	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
)

// hostDeviceActs returns the offered acts about the host's devices.
func hostDeviceActs(s Step) (all []string) {
	for _, o := range s.Host.View.Offers {
		if slices.Contains([]string{seats.ActAdmit, seats.ActDeny, seats.ActEndHost}, o.Act) {
			all = append(all, o.Act+" "+o.Fixed["code"]+o.Fixed["device"])
		}
	}
	return all
}

// Only the first device of the host answers requests for the host's page, and no other viewer sees the code.
func TestFirstDeviceAnswersRequestsForTheHostsPage(t *testing.T) {
	r := playing(t, newMemory(), 3)
	r.desk.hosts = []wire.HostDevice{{N: 1}, {N: 2, Kind: "ipad"}}
	r.desk.pleas = []wire.Plea{{Code: "4821", Kind: "android"}, {Code: "0077"}}
	second := wire.Handset{Viewer: engine.Host, N: 2}
	r.core().setMachineState(r.core().readerStates, []wire.Handset{second}, false)
	r.core().publish(notices{})
	if got := r.last().Host.Desk; !slices.Equal(got.Pleas, r.desk.pleas) || got.Waiting != 7 ||
		!slices.Equal(got.Hosts, []wire.HostDevice{{N: 1}, {N: 2, Kind: "ipad", Online: true}}) {
		t.Errorf("the host sees %+v", got)
	}
	if got, want := hostDeviceActs(r.last()),
		[]string{"host-admit 4821", "host-deny 4821", "host-admit 0077", "host-deny 0077", "host-end 2"}; !slices.Equal(got, want) {
		t.Errorf("the host is offered %v, want %v", got, want)
	}
	if got := asJSON(t, r.last().Public) + asJSON(t, r.last().SeatUpdates()); strings.Contains(got, "4821") ||
		strings.Contains(got, "0077") || strings.Contains(got, "ipad") {
		t.Errorf("others see %s", got)
	}
	for _, tc := range []struct {
		by        wire.Handset
		act, code string
		why       string
	}{
		{wire.FirstPhoneOf(engine.SeatViewer(1)), seats.ActAdmit, "4821", "table.not-host"}, {wire.FirstPhoneOf(engine.SeatViewer(1)),
			seats.ActEndHost, "2", "table.not-host"},
		{second, seats.ActAdmit, "4821", "table.host.first"}, {second, seats.ActDeny, "4821", "table.host.first"},
		{second, seats.ActEndHost, "1", "table.host.first"}, {second, seats.ActEndHost, "3", "table.host.first"},
		{wire.FirstPhoneOf(engine.Host), seats.ActAdmit, "4822", "table.host.nobody"}, {wire.FirstPhoneOf(engine.Host), seats.ActAdmit, "",
			"table.host.nobody"}, {wire.FirstPhoneOf(engine.Host), seats.ActDeny, "1", "table.host.nobody"},
		{wire.FirstPhoneOf(engine.Host), seats.ActEndHost, "1", "table.host.none"}, {wire.FirstPhoneOf(engine.Host), seats.ActEndHost, "3",
			"table.host.none"}, {wire.FirstPhoneOf(engine.Host), seats.ActEndHost, "", "table.host.none"},
	} {
		if out := r.actFrom(tc.by, tc.act, "code", tc.code, "device", tc.code); out.OK || out.Reject.Why.Key != tc.why {
			t.Errorf("%v %s %s: %+v, want %s", tc.by, tc.act, tc.code, out.Reject, tc.why)
		}
	}
	if out := r.actFrom(second, seats.ActAdmit, "code", "4821", "device", "2"); out.OK || out.Reject.Why.Key != "table.host.first" {
		t.Errorf("a further device admits by a trick: %+v", out.Reject)
	}
	if len(r.desk.answers) > 0 {
		t.Fatalf("the desk heard %v", r.desk.answers)
	}
	r.mustAct(engine.Host, seats.ActAdmit, "code", "4821")
	r.mustAct(engine.Host, seats.ActDeny, "code", "0077")
	r.desk.hosts = append(r.desk.hosts, wire.HostDevice{N: 3})
	r.desk.pleas = []wire.Plea{{Code: "5555"}}
	if out := r.act(engine.Host, seats.ActAdmit, "code", "5555"); out.OK || out.Reject.Why.Key != "table.host.full" {
		t.Errorf("a fourth device: %+v", out.Reject)
	}
	r.mustAct(engine.Host, seats.ActEndHost, "device", "3")
	if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.host.ended" || n.Msg.Args.Get("n") != "2" {
		t.Errorf("everybody is shown %+v", n)
	}
	if out := r.actFrom(second, seats.ActEndHost, "device", "2"); !out.OK {
		t.Errorf("a further device cannot give its page up: %+v", out.Reject)
	}
	if want := []string{"admit 4821", "deny 0077", "end 3 of host", "end 2 of host"}; !slices.Equal(r.desk.answers, want) {
		t.Errorf("the desk heard %v", r.desk.answers)
	}
}

// No kind of pause keeps a new device of the host out: it may be the device that ends the pause.
func TestADeviceOfTheHostInAPause(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	for _, pause := range []func(){
		func() { r.mustAct(engine.Host, hold.ActPause) },
		func() { r.mustAct(engine.Host, hold.ActResume); m.fail = "before"; r.act(engine.Host, hold.ActPause) },
	} {
		pause()
		r.desk.answers, r.desk.pleas = nil, []wire.Plea{{Code: "4821"}, {Code: "0077"}}
		r.core().publish(notices{})
		if got, want := hostDeviceActs(r.last()), []string{"host-admit 4821", "host-deny 4821", "host-admit 0077",
			"host-deny 0077"}; r.last().Host.Paused == nil || !slices.Equal(got, want) {
			t.Errorf("paused %v: offered %v, want %v", r.last().Host.Paused, got, want)
		}
		r.mustAct(engine.Host, seats.ActAdmit, "code", "4821")
		r.mustAct(engine.Host, seats.ActDeny, "code", "0077")
		if want := []string{"admit 4821", "deny 0077"}; !slices.Equal(r.desk.answers, want) {
			t.Errorf("the desk heard %v", r.desk.answers)
		}
		if r.act(engine.SeatViewer(1), seats.ActAdmit, "code", "4821").OK {
			t.Error("a seat admits")
		}
	}
}
