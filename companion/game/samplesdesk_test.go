package game

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"majordome/companion/wire"
	"majordome/engine"
)

// changeDesk changes what the desk tells of phones.
func (s *sampler) changeDesk(what string, w []string) error {
	switch what {
	case "asks":
		g := wire.Guest{Ask: w[0], Name: strings.ReplaceAll(w[1], "_", " "), Character: engine.ID(w[2])}
		s.desk.forSeats = append(s.desk.forSeats, g)
	case "device":
		n, err := strconv.Atoi(w[0])
		if err != nil {
			return err
		}
		s.desk.hosts = append(s.desk.hosts, wire.HostDevice{N: n, Kind: w[1]})
	case "plea":
		s.desk.pleas = append(s.desk.pleas, wire.Plea{Code: w[0], Kind: strings.Join(w[1:], "")})
	case "contests":
		s.desk.asking = append(s.desk.asking, s.viewer(w[0]))
	default:
		return errors.New("no such change")
	}
	s.core().publish(notices{})
	return nil
}

var sampleHints = []wire.StockHint{
	{ID: "huis-clos-1", Text: engine.T("Regardez ce que chacun reprend de l’urne, il le choisit devant vous.",
		"Watch what each of you takes back from the urn. It is chosen in front of you.")},
	{ID: "huis-clos-2", Text: engine.T("Observer une fouille oblige à montrer l’indice pris. Servez-vous-en.",
		"To observe a search is to be shown the clue that is taken. Use it.")},
}

// sampleLights are the lights of a room.
type sampleLights struct{ is string }

// SetOverride implements master.Lights.
func (l *sampleLights) SetOverride(to string) { l.is = to }

// Override implements master.Lights.
func (l *sampleLights) Override() string { return l.is }

// sampleDesk is a desk with one device of the host. A phone that was connected once has joined.
type sampleDesk struct {
	*desk
	core   *core
	joined []engine.Seat
}

// RefreshInvites implements Desk.
func (d *sampleDesk) RefreshInvites(seats []engine.Seat) (all []wire.Invite) {
	for _, at := range seats {
		one := wire.Invite{Seat: at, URL: fmt.Sprintf("http://192.168.178.123:8080/#j=Q29uZ3JhdHVsYXRpb2%d", at), Minutes: 9}
		if slices.Contains(d.joined, at) {
			one = wire.Invite{Seat: at, Joined: true}
		}
		all = append(all, one)
	}
	return all
}

// HostDevices implements Desk.
func (d *sampleDesk) HostDevices() []wire.HostDevice {
	return append([]wire.HostDevice{{N: 1, Online: true}}, d.hosts...)
}

// SeatPhones implements Desk.
func (d *sampleDesk) SeatPhones() (all []wire.SeatPhones) {
	d.joined = append(d.joined, d.core.seatsOnline()...)
	slices.Sort(d.joined)
	d.joined = slices.Compact(d.joined)
	for _, at := range d.joined {
		all = append(all, wire.SeatPhones{Seat: at, Phones: []int{1}, Online: []int{1}})
	}
	return all
}

// WaitingRequests implements Desk.
func (d *sampleDesk) WaitingRequests() int { return 0 }

// SeatRequests implements Desk: one phone more asks than there are seats.
func (d *sampleDesk) SeatRequests() (all []wire.Guest, waiting int) {
	return slices.Clone(d.forSeats), min(len(d.forSeats), 1)
}

// SyncLobby implements Desk.
func (d *sampleDesk) SyncLobby(open bool, _ int, _, _ []engine.ID) string {
	if !open {
		return ""
	}
	return "kX3_vQz8"
}
