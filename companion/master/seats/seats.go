// Package seats is the part that gives seats to phones: it decides which phones get a link, which are guests, how many
// phones a seat has, and which devices have the host's page.
//
// In the lobby one free seat has a link in addition to the seats with players. A phone that joins by it is a
// guest: it shows what is public, and asks for a name and a character (ActSit, without a seat). The game says
// at once whether it would accept them; no two at the table may have the same name. Only the host sees the
// request. The host seats the guest there, under this name or another, or turns it away.
//
// A phone that has scanned the code on the display asks for a seat, too (package pair, "Joining from the display"). It has
// not joined. The host's page shows it at a free seat, with the name and character that it asks for; the host's ActSit
// with the code of the phone seats the player and lets the phone join.
//
// A card confirms such a request, too (package pair, "By a card"), and gives the seat of a player to another phone.
//
// A seat may have several phones, in each game. Their number is in every update (wire.TableView.Phones), so
// that all players notice if the host lets a second person look at a seat's phone view. If a second phone has
// come with the key of a seat's phone, every update shows that until it is answered. The answer is offered to
// that seat and to the host, and the second phone gets no update.
package seats

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts. Those about the host's devices can only be done at the first device, except ActEndHost.
const (
	// ActInvite makes a new link for a seat and cuts off its old phones: args {"seat"}. A free seat becomes the one for the next new phone.
	ActInvite   = "invite"
	ActTurnAway = "turn-away"  // args {"seat"}, {"ask"} for a phone that asks: cuts off the guest at a free seat
	ActAdd      = "add-phone"  // args {"seat"}: makes a link for one more phone at that seat
	ActEnd      = "end-phone"  // args {"seat", "phone"}: cuts off only that phone of the seat
	ActAdmit    = "host-admit" // args {"code"}: gives the device that shows this code the host's page
	ActDeny     = "host-deny"  // args {"code"}: turns that device away
	ActEndHost  = "host-end"   // args {"device"}: takes the host's page from a device; done by that device or the first
	ActSit      = "sit"        // an act of the games, by which a guest asks for a character
)

// ActCut turns away a second phone that has come with the key of a seat's phone. A seat does it for itself, the
// host with args {"seat"}.
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
	guests map[engine.Seat]guest  // phones that have joined at seats without a player; nil before the first step
	seated map[engine.Seat]string // names of the players, as last shown
	vacant engine.Seat            // the seat for the next new phone; 0: none
	asking map[engine.Seat]string // codes of the phones that ask by the code on the display, by the seats proposed for them
}

// Desk gives seats to phones; *pair.Desk implements it.
type Desk interface {
	// RefreshInvites returns one link for each of these seats, and makes those that are missing. All other seats
	// lose their keys, because they have no player.
	RefreshInvites(seats []engine.Seat) []wire.Invite
	// CutAndInvite makes a new link and cuts off the old phones; cut reports whether there was one.
	CutAndInvite(v engine.Viewer) (cut bool, err error)
	// InviteFurtherPhone makes a link for one more phone at a seat. EndPhone cuts off one phone and leaves the others.
	InviteFurtherPhone(v engine.Viewer) error
	EndPhone(h wire.Handset) error
	// SeatPhones returns the phones that have joined, for each seat that has any.
	SeatPhones() []wire.SeatPhones
	// ContestedViewers returns the viewers at whom a second phone has come with the key of one of their phones.
	// RefuseSecondPhone turns the second phone away.
	ContestedViewers() []engine.Viewer
	RefuseSecondPhone(v engine.Viewer) error
	// HostDevices returns the devices with the host's page. AccessRequests returns the devices that ask the host
	// for it, with their codes; WaitingRequests is the number of further ones that are not shown yet. AdmitDevice
	// and DenyDevice answer a request.
	HostDevices() []wire.HostDevice
	AccessRequests() []wire.Plea
	WaitingRequests() int
	AdmitDevice(code string) error
	DenyDevice(code string) error
	// SyncLobby sets whether there is a lobby, the number of its free places and its free characters, and the characters
	// of players whose seats can be claimed by a card (held), and returns the code for the display.
	// EndSeatRequests ends all requests and that code. SeatRequests returns the phones that ask for a seat by that
	// code, and the number of further ones. AdmitToSeat lets one join at a seat, RefuseSeat turns one away, and
	// ExplainSeat gives one the reason why it cannot have its wish.
	SyncLobby(open bool, places int, free, held []engine.ID) (code string)
	EndSeatRequests()
	SeatRequests() (all []wire.Guest, waiting int)
	AdmitToSeat(code string, at engine.Seat) error
	RefuseSeat(code string) error
	ExplainSeat(code string, why engine.Msg)
	// CardClaims returns the claims of seats by a card, and those that a card has confirmed; AdmitToSeat admits one of
	// these, RefuseClaim tells its phone why not.
	CardClaims() (open []wire.CardClaim, confirmed []wire.Guest)
	RefuseClaim(code string, why engine.Msg)
}

// New returns the part.
func New(t master.Table, desk func() Desk) *Seats { return &Seats{table: t, desk: desk} }

// LoadSettings implements master.Loader: guests do not stay for another game.
func (s *Seats) LoadSettings() {
	if s.game != 0 && s.game != s.table.GameNumber() {
		s.guests, s.vacant, s.seated = map[engine.Seat]guest{}, 0, nil
	}
	s.game = s.table.GameNumber()
}

// Acts implements master.Part. The acts about devices are possible in any pause: the device that is to end the
// pause may be new, and a device that tries out PINs has to be ended. The first device may do that even while
// it is locked, because those wrong PINs may keep its owner from signing in.
func (s *Seats) Acts() []master.Act {
	const host, operator = wire.RoleHost, wire.RoleOperator
	return []master.Act{
		{Name: ActInvite, Role: host, Do: s.inviteSeat},
		{Name: ActTurnAway, Role: host, Do: s.turnAwayGuest},
		{Name: ActAdd, Role: host, Do: s.inviteFurtherPhone},
		{Name: ActEnd, Role: host, Do: s.endPhone},
		{Name: ActCut, Role: host, Seats: true, Do: s.refuseSecondPhone},
		{Name: ActAdmit, Role: operator, Pause: master.InAnyPause, Do: onlyFirstDevice(s.admitDevice)},
		{Name: ActDeny, Role: operator, Pause: master.InAnyPause, Do: onlyFirstDevice(s.denyDevice)},
		{Name: ActEndHost, Role: operator, FirstDeviceMay: true, Pause: master.InAnyPause, Do: s.endHostDevice},
	}
}

// AppendOffers implements master.Offerer.
func (s *Seats) AppendOffers(all []engine.Offer) []engine.Offer {
	all = s.appendPhoneOffers(s.appendTurnAwayOffer(s.appendInviteOffers(all)))
	for _, at := range s.desk().ContestedViewers() {
		all = append(all, engine.Offer{Act: ActCut, Rule: ruleSeat, Aside: true, Fixed: engine.Args{"seat": at.String()}})
	}
	return s.appendDeviceOffers(all)
}

// appendInviteOffers appends the host's offer to make a new link for a seat.
func (s *Seats) appendInviteOffers(all []engine.Offer) []engine.Offer {
	domain := make([]string, 0, engine.MaxSeats)
	for _, at := range s.table.PublicView().Seats {
		domain = append(domain, at.Seat.String())
	}
	for _, at := range s.freeSeats() {
		domain = append(domain, at.String())
	}
	if len(domain) == 0 {
		return all
	}
	return append(all, engine.Offer{
		Act: ActInvite, Rule: ruleSeat, Grave: true,
		Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: domain}},
	})
}

// inviteSeat gives a seat a new link. The public notice prevents that a seat is taken over unnoticed.
func (s *Seats) inviteSeat(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, err := engine.ParseSeat(args["seat"])
	free := err == nil && slices.Contains(s.freeSeats(), seat)
	if !free && (err != nil || !master.HasPlayer(s.table.PublicView(), seat)) {
		return nil, master.Refuse(engine.Unknown, ruleSeat, "table.invite.nobody")
	}
	cut, r := s.replaceLink(seat)
	if r != nil {
		return nil, r
	}
	if free { // a guest there is cut off, and this seat is the next to be shown
		delete(s.guests, seat)
		s.vacant = seat
		return nil, nil
	}
	s.resetSeatActCounts(seat)
	if !cut {
		return nil, nil // a link has replaced one that had ended: nothing changes at the table
	}
	return &wire.Notice{Msg: engine.NewMsg("table.invited", "seat", seat.String()), Rule: ruleSeat}, nil
}

// replaceLink makes a new link for a seat and cuts off its phones; cut reports whether it had one.
func (s *Seats) replaceLink(at engine.Seat) (cut bool, r *engine.Reject) {
	cut, err := s.desk().CutAndInvite(engine.SeatViewer(at))
	if err != nil {
		s.table.Log().Error("no invitation", "seat", at, "cause", err, "conseil", "aucun code pour ce téléphone")
		return false, master.Refuse(engine.NotNow, ruleSeat, "table.invite.failed")
	}
	return cut, nil
}

// resetSeatActCounts lets the next phone of a seat count its acts from 1.
func (s *Seats) resetSeatActCounts(at engine.Seat) {
	s.table.ResetActCounts(func(h wire.Handset) bool { return h.Viewer == engine.SeatViewer(at) })
}

// AppendSeatOffers implements master.SeatOfferer.
func (s *Seats) AppendSeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer {
	all = s.appendSitOffer(all, seat)
	if slices.Contains(s.desk().ContestedViewers(), engine.SeatViewer(seat)) {
		all = append(all, engine.Offer{Act: ActCut, Rule: ruleSeat, Aside: true})
	}
	return all
}

// refuseSecondPhone turns away a second phone that has come with the key of a seat's phone. A seat always answers
// for itself, whatever seat it names.
func (s *Seats) refuseSecondPhone(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := by.Viewer
	if by.IsHost() {
		var err error
		if at, err = engine.ParseViewer(args["seat"]); err != nil {
			return nil, master.Refuse(engine.Unknown, ruleSeat, "table.phone.nobody")
		}
	}
	if !slices.Contains(s.desk().ContestedViewers(), at) {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.nobody")
	}
	if err := s.desk().RefuseSecondPhone(at); err != nil {
		s.table.Log().Error("no answer to a second phone", "seat", at, "cause", err,
			"conseil", "la réponse à un second téléphone n’a pas pu être enregistrée")
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.failed")
	}
	if at.IsHost() {
		return s.table.StartPhoneNotice(engine.NewMsg("table.phone.cut.host")), nil
	}
	return s.table.StartPhoneNotice(engine.NewMsg("table.phone.cut", "seat", at.String())), nil
}

// ShowPublic implements master.PublicShower: the seats with several phones, and those at which a second phone has
// come with the key of another, the code of the lobby, how many wait there for the host, and the claims by a card.
func (s *Seats) ShowPublic(u *wire.Update) {
	if u.Table.Wall = s.syncLobby(); u.Table.Wall != "" {
		u.Table.Waiting = s.countWaiting()
	}
	u.Table.Claims, _ = s.desk().CardClaims()
	u.Table.Phones = s.sharedSeats()
	for _, v := range s.desk().ContestedViewers() {
		at, _ := v.Seat() // 0 for the host's page
		u.Table.Asked = append(u.Table.Asked, at)
	}
}

// ShowHost implements master.HostShower: invitations, guests, the host's devices and the access requests.
func (s *Seats) ShowHost(to *wire.ForHost) {
	to.Desk.Invites = s.updateGuestsAndInvites(s.table.PublicView().Seats)
	to.Desk.Hosts, to.Desk.Pleas, to.Desk.Waiting = s.hostDevices(), s.desk().AccessRequests(), s.desk().WaitingRequests()
	asking, more := s.updateAsking()
	to.Desk.Guests, to.Desk.Asking = append(s.Guests(), asking...), more
}
