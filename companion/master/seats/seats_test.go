package seats_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/mastertest"
	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
)

// desk records the calls of the part, in a few words each.
type desk struct {
	table  *mastertest.Table // the table that the phones join
	calls  []string
	open   []engine.Seat // seats that may have a link
	asking []engine.Viewer
	pleas  []wire.Plea
	hosts  []wire.HostDevice
	broken bool

	lobby    string       // what phones can ask for
	forSeats []wire.Guest // phones that ask
	told     map[string]string

	confirmed []wire.Guest // claims by a card
}

func (d *desk) recordCall(what ...string) error {
	if d.broken {
		return errors.New("broken")
	}
	d.calls = append(d.calls, strings.Join(what, " "))
	return nil
}

func (d *desk) RefreshInvites(all []engine.Seat) []wire.Invite {
	d.open = slices.Clone(all)
	return nil
}
func (d *desk) CutAndInvite(v engine.Viewer) (bool, error) {
	return true, d.recordCall("invite", v.String())
}
func (d *desk) InviteFurtherPhone(v engine.Viewer) error { return d.recordCall("more", v.String()) }
func (d *desk) EndPhone(h wire.Handset) error            { return d.recordCall("end", h.String()) }
func (d *desk) SeatPhones() []wire.SeatPhones            { return d.table.SeatPhones() }
func (d *desk) ContestedViewers() []engine.Viewer        { return d.asking }
func (d *desk) RefuseSecondPhone(v engine.Viewer) error  { return d.recordCall("cut", v.String()) }
func (d *desk) HostDevices() []wire.HostDevice           { return d.hosts }
func (d *desk) AccessRequests() []wire.Plea              { return d.pleas }
func (d *desk) WaitingRequests() int                     { return 0 }
func (d *desk) AdmitDevice(code string) error            { return d.recordCall("admit", code) }
func (d *desk) DenyDevice(code string) error             { return d.recordCall("deny", code) }
func (d *desk) SyncLobby(open bool, places int, free, held []engine.ID) string {
	d.lobby = fmt.Sprint(open, places, free, held)
	return map[bool]string{true: "WALLCODE"}[open]
}
func (d *desk) EndSeatRequests()                  { _ = d.recordCall("end requests") }
func (d *desk) SeatRequests() ([]wire.Guest, int) { return slices.Clone(d.forSeats), 0 }
func (d *desk) AdmitToSeat(code string, at engine.Seat) error {
	err := d.recordCall("seat", code, at.String())
	if err == nil {
		d.forSeats = slices.DeleteFunc(d.forSeats, func(g wire.Guest) bool { return g.Ask == code })
		d.confirmed = slices.DeleteFunc(slices.Clone(d.confirmed), func(g wire.Guest) bool { return g.Ask == code })
	}
	return err
}
func (d *desk) RefuseSeat(code string) error { return d.recordCall("refuse", code) }
func (d *desk) CardClaims() (open []wire.CardClaim, confirmed []wire.Guest) {
	for _, g := range d.confirmed {
		open = append(open, wire.CardClaim{Character: g.Character, Figures: "4711"})
	}
	return open, d.confirmed
}
func (d *desk) RefuseClaim(code string, why engine.Msg) {
	d.confirmed = slices.DeleteFunc(slices.Clone(d.confirmed), func(g wire.Guest) bool { return g.Ask == code })
	_ = d.recordCall("refuse claim", code, why.Key)
}
func (d *desk) ExplainSeat(code string, why engine.Msg) { d.told[code] = why.Key }

// lobby has Ada at seat 1 with a phone and Bob at seat 2; seats 3 and 4 are free.
func lobby() (*mastertest.Table, *desk) {
	d := &desk{hosts: []wire.HostDevice{{N: 1}, {N: 2}}, told: map[string]string{}}
	m := mastertest.New(func(t master.Table) []master.Part {
		return []master.Part{seats.New(t, func() seats.Desk { return d })}
	})
	d.table = m
	m.View.Phase, m.View.Seats[0].Name, m.View.Seats[1].Name = engine.PhaseLobby, "Ada", "Bob"
	m.Offers = []engine.Offer{{Act: seats.ActSit, Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: []string{"seat-3", "seat-4"}},
		{Name: "name", Kind: "text"}, {Name: "character", Kind: "character", Domain: []string{"red", "blue"}}}}}
	connectPhone(m, 1, 1)
	m.ForHost()
	return m, d
}

func connectPhone(m *mastertest.Table, seat engine.Seat, n int) {
	h := wire.Handset{Viewer: engine.SeatViewer(seat), N: n}
	m.Marks[h] = h.String()
}

// askForSeat has a phone ask for a name and a character. It returns the reason of a refusal, "" for none.
func askForSeat(m *mastertest.Table, seat engine.Seat, name, character string) string {
	_, done, r := m.Parts[0].(master.ActFilter).FilterAct(mastertest.PhoneActor(seat), seats.ActSit,
		engine.Args{"name": name, "character": character})
	return actReason(done, r)
}

func actReason(done bool, r *engine.Reject) string {
	switch {
	case r != nil:
		return r.Why.Key
	case !done:
		return "the game is asked"
	}
	return ""
}

// One free seat has a link, in addition to those of the players. A phone that joins by it is a guest, and then the
// next free seat gets a link.
func TestOneFreeSeatHasALink(t *testing.T) {
	m, d := lobby()
	if !slices.Equal(d.open, []engine.Seat{1, 2, 3}) {
		t.Errorf("links: %v", d.open)
	}
	connectPhone(m, 3, 1)
	if g := m.ForHost().Desk.Guests; len(g) != 1 || g[0].Seat != 3 || !slices.Equal(d.open, []engine.Seat{1, 2, 3, 4}) {
		t.Errorf("guests %+v, links %v", g, d.open)
	}
	if m.Restart(); len(m.ForHost().Desk.Guests) != 1 {
		t.Error("a restart forgets a guest")
	}
	m.DoAct(mastertest.Host, seats.ActTurnAway, "seat", "seat-3")
	delete(m.Marks, wire.FirstPhoneOf(engine.SeatViewer(3))) // the desk cuts off a phone that has no seat
	if g := m.ForHost().Desk.Guests; len(g) != 0 || !slices.Equal(d.open, []engine.Seat{1, 2, 4}) {
		t.Errorf("turned away: guests %+v, links %v", g, d.open)
	}
}

// A guest asks for a name and a character that no one else has, and the host seats it. Only the host sees what it
// asks for.
func TestAGuestAsks(t *testing.T) {
	m, _ := lobby()
	connectPhone(m, 3, 1)
	m.ForHost()
	connectPhone(m, 4, 1)
	m.ForHost()
	for _, x := range []struct {
		seat            engine.Seat
		name, character string
		want            string
	}{
		{3, "ada", "red", "table.guest.name"}, // the name of the player in seat 1
		{3, "Cleo", "red", ""},
		{4, "CLEO", "blue", "table.guest.name"},
		{4, "Dan", "red", "table.guest.character"},
		{4, "Dan", "blue", ""},
		{4, "Dan", "blue", ""}, // a guest may ask as often as it likes
		{1, "Ada", "", "the game is asked"},
	} {
		if got := askForSeat(m, x.seat, x.name, x.character); got != x.want {
			t.Errorf("seat %d asks for %s, %s: %q", x.seat, x.name, x.character, got)
		}
	}
	if g := m.ForHost().Desk.Guests; len(g) != 2 || g[0] != (wire.Guest{Seat: 3, Name: "Cleo", Character: "red"}) {
		t.Errorf("%+v", g)
	}
	if len(m.PlayedActs) > 0 || len(m.OfferedTo(3)) != 1 {
		t.Errorf("the game was asked for %q, a guest is offered %q", m.PlayedActs, m.OfferedTo(3))
	}
	sit := func(seat, name string) string {
		_, done, r := m.Parts[0].(master.ActFilter).FilterAct(mastertest.Host, seats.ActSit, engine.Args{"seat": seat, "name": name})
		return actReason(done, r)
	}
	if a, b := sit("seat-3", "Dan"), sit("seat-3", "Cleo"); a != "table.guest.name" || b != "the game is asked" {
		t.Errorf("the host seats it as Dan: %q, as Cleo: %q", a, b)
	}
	m.DecideAct = func(string, engine.Args) *engine.Reject { return master.Refuse(engine.Forbidden, "TOY-001", "toy.no") }
	if got := askForSeat(m, 3, "Eve", "red"); got != "toy.no" || m.ForHost().Desk.Guests[0].Name != "Cleo" {
		t.Errorf("the game would not take it: %q", got)
	}
}

// A seat has up to four phones, and all viewers see when it has more than one. A new link for the seat cuts the old
// phones off.
func TestPhonesOfASeat(t *testing.T) {
	m, d := lobby()
	do := func(act string, args ...string) bool { return m.DoAct(mastertest.Host, act, args...) == nil }
	if do(seats.ActEnd, "seat", "seat-1", "phone", "1") || do(seats.ActAdd, "seat", "seat-2") {
		t.Error("the only phone is cut off, or one is added to none")
	}
	if !do(seats.ActAdd, "seat", "seat-1") || len(m.PublicUpdate().Table.Phones) > 0 {
		t.Error("a link alone is shown as a phone")
	}
	connectPhone(m, 1, 2)
	if all := m.PublicUpdate().Table.Phones; len(all) != 1 || !slices.Equal(all[0].Phones, []int{1, 2}) {
		t.Errorf("everybody sees %+v", all)
	}
	if !do(seats.ActEnd, "seat", "seat-1", "phone", "2") || !slices.Contains(m.Notices, "table.phone.ended") {
		t.Error("a second one cannot be cut off, or nobody is notified")
	}
	if !do(seats.ActInvite, "seat", "seat-1") || !slices.Contains(m.Notices, "table.invited") || do(seats.ActInvite, "seat", "seat-5") {
		t.Error("no new link, nobody is notified, or a link for no seat")
	}
	if want := []string{"more seat-1", "end seat-1.2", "invite seat-1"}; !slices.Equal(d.calls, want) {
		t.Errorf("the desk: %q", d.calls)
	}
	d.broken = true
	if told := len(m.Notices); do(seats.ActInvite, "seat", "seat-1") || len(m.Notices) > told {
		t.Error("something that the desk has not done is announced")
	}
}

// A second phone with the key of a seat is shown to all until that seat or the host turns it away; no other seat can.
func TestSecondPhoneWithTheKeyOfASeat(t *testing.T) {
	m, d := lobby()
	d.asking = []engine.Viewer{engine.SeatViewer(1)}
	if got := m.PublicUpdate().Table.Asked; !slices.Equal(got, []engine.Seat{1}) {
		t.Errorf("everybody sees %v", got)
	}
	if len(m.OfferedTo(2)) > 0 || m.DoAct(mastertest.PhoneActor(2), seats.ActCut, "seat", "seat-1") == nil {
		t.Error("another seat answers")
	}
	if r := m.DoAct(mastertest.PhoneActor(1), seats.ActCut); r != nil || !slices.Equal(m.OfferedTo(1), []string{seats.ActCut}) {
		t.Errorf("the seat answers: %v", r)
	}
	if r := m.DoAct(mastertest.Host, seats.ActCut, "seat", "seat-1"); r != nil {
		t.Errorf("the host answers: %v", r)
	}
	if want := []string{"cut seat-1", "cut seat-1"}; !slices.Equal(d.calls, want) {
		t.Errorf("the desk: %q", d.calls)
	}
}

// Only the first device of the host admits others to its page and ends any of them except itself. A further device
// can end only itself.
func TestTheFirstDeviceAdmits(t *testing.T) {
	m, d := lobby()
	d.pleas = []wire.Plea{{Code: "1234"}}
	for _, act := range []string{seats.ActAdmit, seats.ActDeny} {
		if r := m.DoAct(mastertest.Tablet, act, "code", "1234"); r == nil || r.Code != engine.NotYou {
			t.Errorf("%s by the second device: %v", act, r)
		}
		if m.DoAct(mastertest.Host, act, "code", "4321") == nil {
			t.Errorf("%s of a code that nobody shows", act)
		}
		if r := m.DoAct(mastertest.Host, act, "code", "1234"); r != nil {
			t.Errorf("%s by the first device: %v", act, r)
		}
	}
	end := func(by master.Actor, n string) bool { return m.DoAct(by, seats.ActEndHost, "device", n) == nil }
	if end(mastertest.Tablet, "1") || end(mastertest.Host, "1") || end(mastertest.Host, "3") {
		t.Error("the first is ended, or one that is not there")
	}
	if !end(mastertest.Tablet, "2") || !end(mastertest.Host, "2") {
		t.Error("the second cannot be ended")
	}
	d.hosts = append(d.hosts, wire.HostDevice{N: 3})
	if m.DoAct(mastertest.Host, seats.ActAdmit, "code", "1234") == nil {
		t.Error("a fourth is let in")
	}
	if want := []string{"admit 1234", "deny 1234", "end host.2", "end host.2"}; !slices.Equal(d.calls, want) {
		t.Errorf("the desk: %q", d.calls)
	}
}

// Phones that have scanned the code on the display ask: the host sees each at a free seat, that with the open link last,
// and seats it with one act. Nobody else sees them, and a seat that a phone asks for stays free for others.
func TestPhonesAskByTheCodeOnTheDisplay(t *testing.T) {
	m, d := lobby()
	if u := m.PublicUpdate(); u.Table.Wall != "WALLCODE" || d.lobby != "true 2 [red blue] []" {
		t.Fatalf("the display shows %q, phones can ask for %s", u.Table.Wall, d.lobby)
	}
	d.forSeats = []wire.Guest{{Ask: "1111", Name: " Cleo", Character: "red"}, {Ask: "2222", Name: "ada"}, {Ask: "3333", Name: "Dan"}}
	if u := m.PublicUpdate(); u.Table.Waiting != 3 {
		t.Errorf("the display says that %d wait", u.Table.Waiting)
	}
	desk := m.ForHost().Desk
	want := []wire.Guest{{Seat: 3, Ask: "2222", Name: "ada"}, {Seat: 4, Ask: "1111", Name: "Cleo", Character: "red"}}
	if !slices.Equal(desk.Guests, want) || desk.Asking != 1 || !slices.Equal(d.open, []engine.Seat{1, 2, 3}) {
		t.Errorf("the host sees %+v and %d more, links %v", desk.Guests, desk.Asking, d.open)
	}
	if d.told["2222"] != "table.guest.name" || d.told["1111"] != "" {
		t.Errorf("they are notified with %v", d.told)
	}
	if g := m.Parts[0].(master.GuestLister).Guests(); len(g) > 0 {
		t.Errorf("phones that ask get the update of a guest: %+v", g)
	}
	m.DecideAct = func(string, engine.Args) *engine.Reject { return master.Refuse(engine.Forbidden, "TOY-001", "toy.no") }
	d.forSeats[1].Name = "Eve"
	if m.ForHost(); d.told["1111"] != "toy.no" || d.told["2222"] != "" {
		t.Errorf("the game would seat neither, and one has no character yet; they are notified with %v", d.told)
	}
	m.DecideAct = nil
	sit := func(seat, name, ask string) (engine.Args, string) {
		args, done, r := m.Parts[0].(master.ActFilter).FilterAct(mastertest.Host, seats.ActSit,
			engine.Args{"seat": seat, "name": name, "character": "red", "ask": ask})
		return args, actReason(done, r)
	}
	d.broken = true
	if _, got := sit("seat-4", "Cleo", "1111"); got != "table.ask.gone" {
		t.Errorf("the desk lets nobody join: %q", got)
	}
	d.broken = false
	if _, got := sit("seat-4", "Paul", "1111"); got != "table.ask.gone" || len(d.calls) > 0 {
		t.Errorf("a phone that asks under another name: %q, the desk: %q", got, d.calls)
	}
	if _, got := sit("seat-1", "Cleo", "1111"); got != "table.ask.gone" {
		t.Errorf("a seat with a phone: %q", got)
	}
	if args, got := sit("seat-4", "Cleo", "1111"); got != "the game is asked" || args["ask"] != "" || args["name"] != "Cleo" {
		t.Errorf("the game gets %v: %q", args, got)
	}
	if !slices.Equal(d.calls, []string{"seat 1111 seat-4"}) {
		t.Errorf("the desk: %q", d.calls)
	}
	m.ForHost()
	if r := m.DoAct(mastertest.Host, seats.ActTurnAway, "seat", "seat-3", "ask", "2222"); r != nil || d.calls[1] != "refuse 2222" {
		t.Errorf("turned away: %v, %q", r, d.calls)
	}
	m.Parts[0].(master.LobbyListener).HandleLobbyOpened("", nil)
	if d.lobby != "false 0 [] []" {
		t.Errorf("a lobby after another keeps its code: %s", d.lobby)
	}
	m.View.Phase = "play"
	if u := m.PublicUpdate(); u.Table.Wall != "" || u.Table.Waiting != 0 || d.lobby != "false 0 [] []" {
		t.Errorf("in the game the display shows %q, phones can ask for %s", u.Table.Wall, d.lobby)
	}
}

// Of two phones that ask for the same character, the second is notified, and the host sees it; the first is not held up.
func TestTwoAskForTheSameCharacter(t *testing.T) {
	m, d := lobby()
	d.forSeats = []wire.Guest{{Ask: "1111", Name: "Cleo", Character: "red"}, {Ask: "2222", Name: "Dan", Character: "red"}}
	want := []wire.Guest{{Seat: 3, Ask: "2222", Name: "Dan", Character: "red", Second: true},
		{Seat: 4, Ask: "1111", Name: "Cleo", Character: "red"}} // the seat with the open link is proposed last
	if got := m.ForHost().Desk.Guests; !slices.Equal(got, want) {
		t.Errorf("the host sees %+v", got)
	}
	if d.told["1111"] != "" || d.told["2222"] != "phone.ask.second" {
		t.Errorf("they are notified with %v", d.told)
	}
	d.forSeats[1].Character = "blue"
	if m.ForHost(); d.told["2222"] != "" {
		t.Errorf("after another choice they are notified with %v", d.told)
	}
}
