// Package seats is the part that gives seats to phones: who may have a link, who is a guest, which phones a seat has, and which devices
// have the host's page.
//
// In the lobby one free seat has a link beside those of the players: a phone that joins by it is a guest. It is shown what everybody sees,
// and asks for a name and a character (ActSit, without a seat); the game says at once whether it would take them, and no two at the table
// may have one name. Nobody but the host sees what a guest asks for. The host seats it there by the act of the game, under this name or
// another, or turns it away.
//
// A seat may have several phones, in every game. How many it has stands in every update (wire.TableView.Phones), so that a pair of eyes
// which the host lends to a seat is seen. That somebody has come with another phone's key stands in every update as long as it is not
// answered; the answer is offered to that seat and to the host, and who came gets no update.
package seats

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts. Those of the host's devices are the first device's, but for ActEndHost.
const (
	ActInvite   = "invite"     // args {"seat"}: a new link for a seat, its old phones are cut off; for a free one: it is the next for a phone to come to
	ActTurnAway = "turn-away"  // args {"seat"}: the guest at a free seat is cut off
	ActAdd      = "add-phone"  // args {"seat"}: a link for one phone more at that seat
	ActEnd      = "end-phone"  // args {"seat", "phone"}: that phone of the seat alone is cut off
	ActAdmit    = "host-admit" // args {"code"}: the device that shows this code gets the host's page, too
	ActDeny     = "host-deny"  // args {"code"}: it is turned away
	ActEndHost  = "host-end"   // args {"device"}: that device loses the host's page; it itself, or the first
	ActSit      = "sit"        // of the games; a guest asks by it
)

// ActCut turns away who has come with another phone's key: a seat for itself, the host for args {"seat"}.
const ActCut = wire.ActCutPhone

const (
	ruleSeat = "GEN-E12"
	ruleHost = "GEN-011"
)

// Seats is the part.
type Seats struct {
	table  master.Table
	desk   func() Desk
	game   int64
	guests map[engine.Seat]guest  // the phones that have joined where nobody sits yet; nil before the first step
	seated map[engine.Seat]string // the names of those who sit, as last shown
	vacant engine.Seat            // the place for the next phone to come; 0: none
}

// Desk hands out seats; *pair.Desk is one.
type Desk interface {
	// Invites lists one link a seat, making those that are missing. Seats not
	// asked for lose their key: nobody sits there.
	Invites(seats []engine.Seat) []wire.Invite
	// Invite makes a new link and cuts the old phones off; cut: there was one.
	Invite(v engine.Viewer) (cut bool, err error)
	// More makes a link for one more phone at a seat; End cuts one phone off and leaves the others.
	More(v engine.Viewer) error
	End(h wire.Handset) error
	// Phones are those that have joined, of each seat with any.
	Phones() []wire.SeatPhones
	// Asking are those at whose seat somebody has come with another phone's key; Cut
	// turns them away.
	Asking() []engine.Viewer
	Cut(v engine.Viewer) error
	// Hosts are the devices with the host's page; Pleas those that ask the host for it, by their codes, which
	// Admit lets in and Deny turns away; Waiting is how many more wait until they are among them.
	Hosts() []wire.HostDevice
	Pleas() []wire.Plea
	Waiting() int
	Admit(code string) error
	Deny(code string) error
}

// New returns the part.
func New(t master.Table, desk func() Desk) *Seats { return &Seats{table: t, desk: desk} }

// Load implements master.Loader: guests wait for the game for which they have come.
func (s *Seats) Load() {
	if s.game != 0 && s.game != s.table.Game() {
		s.guests, s.vacant, s.seated = map[engine.Seat]guest{}, 0, nil
	}
	s.game = s.table.Game()
}

// Acts implements master.Part. The device that is to end a pause may be a new one, and one that tries PINs meanwhile is to be ended: by
// the first even while that is locked itself, whose owner may be kept from signing in by what is done there.
func (s *Seats) Acts() []master.Act {
	const host, operator = wire.RoleHost, wire.RoleOperator
	return []master.Act{
		{Name: ActInvite, Role: host, Do: s.invite},
		{Name: ActTurnAway, Role: host, Do: s.turnAway},
		{Name: ActAdd, Role: host, Do: s.addPhone},
		{Name: ActEnd, Role: host, Do: s.endPhone},
		{Name: ActCut, Role: host, Seats: true, Do: s.cut},
		{Name: ActAdmit, Role: operator, Pause: master.InAnyPause, Do: byFirst(s.admit)},
		{Name: ActDeny, Role: operator, Pause: master.InAnyPause, Do: byFirst(s.deny)},
		{Name: ActEndHost, Role: operator, FirstMay: true, Pause: master.InAnyPause, Do: s.endHost},
	}
}

// Offers implements master.Offerer.
func (s *Seats) Offers(all []engine.Offer) []engine.Offer {
	all = s.phoneOffers(s.guestOffers(s.inviteOffers(all)))
	for _, at := range s.desk().Asking() {
		all = append(all, engine.Offer{Act: ActCut, Rule: ruleSeat, Aside: true, Fixed: engine.Args{"seat": at.String()}})
	}
	return s.deviceOffers(all)
}

// inviteOffers are who may come to which seat.
func (s *Seats) inviteOffers(all []engine.Offer) []engine.Offer {
	domain := make([]string, 0, engine.MaxSeats)
	for _, at := range s.table.Public().Seats {
		domain = append(domain, at.Seat.String())
	}
	for _, at := range s.free() {
		domain = append(domain, at.String())
	}
	if len(domain) == 0 {
		return all
	}
	return append(all, engine.Offer{Act: ActInvite, Rule: ruleSeat, Grave: true, Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: domain}}})
}

// invite gives a seat a new link; everybody is told, so that nobody takes a
// seat over in silence.
func (s *Seats) invite(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, err := engine.ParseSeat(args["seat"])
	free := err == nil && slices.Contains(s.free(), seat)
	if !free && (err != nil || !master.Seated(s.table.Public(), seat)) {
		return nil, master.Refuse(engine.Unknown, ruleSeat, "table.invite.nobody")
	}
	cut, r := s.replaceLink(seat)
	if r != nil {
		return nil, r
	}
	if free { // a guest there is cut off, and this place is shown next
		delete(s.guests, seat)
		s.vacant = seat
		return nil, nil
	}
	s.countAfresh(seat)
	if !cut {
		return nil, nil // a link instead of one that has ended: nothing changes at the table
	}
	return &wire.Notice{Msg: engine.Say("table.invited", "seat", seat.String()), Rule: ruleSeat}, nil
}

// replaceLink makes a new link for a seat and cuts its phones off; cut: it had one.
func (s *Seats) replaceLink(at engine.Seat) (cut bool, r *engine.Reject) {
	cut, err := s.desk().Invite(engine.At(at))
	if err != nil {
		s.table.Log().Error("no invitation", "seat", at, "cause", err, "conseil", "aucun code pour ce téléphone")
		return false, master.Refuse(engine.NotNow, ruleSeat, "table.invite.failed")
	}
	return cut, nil
}

// countAfresh lets the next phone of a seat count its acts from the beginning.
func (s *Seats) countAfresh(at engine.Seat) {
	s.table.Afresh(func(h wire.Handset) bool { return h.Viewer == engine.At(at) })
}

// SeatOffers implements master.SeatOfferer.
func (s *Seats) SeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer {
	all = s.asGuest(all, seat)
	if slices.Contains(s.desk().Asking(), engine.At(seat)) {
		all = append(all, engine.Offer{Act: ActCut, Rule: ruleSeat, Aside: true})
	}
	return all
}

// cut turns such a phone away. A seat answers for itself, whatever it names.
func (s *Seats) cut(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := by.Viewer
	if by.IsHost() {
		var err error
		if at, err = engine.ParseViewer(args["seat"]); err != nil {
			return nil, master.Refuse(engine.Unknown, ruleSeat, "table.phone.nobody")
		}
	}
	if !slices.Contains(s.desk().Asking(), at) {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.nobody")
	}
	if err := s.desk().Cut(at); err != nil {
		s.table.Log().Error("no answer to a second phone", "seat", at, "cause", err, "conseil", "la réponse à un second téléphone n’a pas pu être enregistrée")
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.failed")
	}
	if at.IsHost() {
		return s.table.News(engine.Say("table.phone.cut.host")), nil
	}
	return s.table.News(engine.Say("table.phone.cut", "seat", at.String())), nil
}

// ShowPublic implements master.PublicShower.
func (s *Seats) ShowPublic(u *wire.Update) {
	u.Table.Phones = s.several()
	for _, v := range s.desk().Asking() {
		at, _ := v.Seat() // 0 for the host's page
		u.Table.Asked = append(u.Table.Asked, at)
	}
}

// ShowHost implements master.HostShower.
func (s *Seats) ShowHost(to *wire.ForHost) {
	to.Desk.Invites = s.assign(s.table.Public().Seats)
	to.Desk.Guests, to.Desk.Hosts, to.Desk.Pleas, to.Desk.Waiting = s.Guests(), s.devices(), s.desk().Pleas(), s.desk().Waiting()
}
