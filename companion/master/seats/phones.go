package seats

import (
	"slices"
	"strconv"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// sharedSeats returns the seats with more than one phone.
func (s *Seats) sharedSeats() (all []wire.SeatPhones) {
	for _, at := range s.desk().SeatPhones() {
		if len(at.Phones) < 2 {
			continue
		}
		at.Online = []int{}
		for _, n := range at.Phones {
			if s.table.IsOnline(wire.Handset{Viewer: engine.SeatViewer(at.Seat), N: n}) {
				at.Online = append(at.Online, n)
			}
		}
		all = append(all, at)
	}
	return all
}

// phonesAt returns the phones of the seat with this name, such as seat-3; none if there is no such seat.
func (s *Seats) phonesAt(seatName string) wire.SeatPhones {
	seat, err := engine.ParseSeat(seatName)
	if err != nil {
		return wire.SeatPhones{}
	}
	for _, at := range s.desk().SeatPhones() {
		if at.Seat == seat {
			return at
		}
	}
	return wire.SeatPhones{}
}

// appendPhoneOffers appends the host's offers about the phones of seats.
func (s *Seats) appendPhoneOffers(all []engine.Offer) []engine.Offer {
	var room []string
	for _, at := range s.desk().SeatPhones() {
		if len(at.Phones) < wire.MaxPhones {
			room = append(room, at.Seat.String())
		}
		if len(at.Phones) < 2 {
			continue
		}
		var numbers []string
		for _, n := range at.Phones {
			numbers = append(numbers, strconv.Itoa(n))
		}
		all = append(all, engine.Offer{Act: ActEnd, Rule: ruleSeat, Aside: true, Grave: true, Fixed: engine.Args{"seat": at.Seat.String()},
			Params: []engine.Param{{Name: "phone", Kind: "value", Domain: numbers}}})
	}
	if len(room) > 0 {
		all = append(all, engine.Offer{
			Act: ActAdd, Rule: ruleSeat, Aside: true,
			Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: room}},
		})
	}
	return all
}

// inviteFurtherPhone makes a link for one more phone at a seat that has one. When it has joined all viewers get a notice,
// and from then on see how many phones the seat has (GEN-E12).
func (s *Seats) inviteFurtherPhone(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := s.phonesAt(args["seat"])
	if len(at.Phones) == 0 || len(at.Phones) >= wire.MaxPhones {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.full")
	}
	if err := s.desk().InviteFurtherPhone(engine.SeatViewer(at.Seat)); err != nil {
		s.table.Log().Error("no invitation", "seat", at.Seat, "cause", err, "conseil", "aucun code pour ce téléphone")
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.invite.failed")
	}
	return nil, nil
}

// endPhone cuts off one phone of a seat, with a public notice. The other phones stay.
func (s *Seats) endPhone(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := s.phonesAt(args["seat"])
	n, err := strconv.Atoi(args["phone"])
	if err != nil || len(at.Phones) < 2 || !slices.Contains(at.Phones, n) {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.none")
	}
	h := wire.Handset{Viewer: engine.SeatViewer(at.Seat), N: n}
	if err := s.desk().EndPhone(h); err != nil {
		s.table.Log().Error("a phone is not cut off", "phone", h, "cause", err, "conseil", "ce téléphone n’a pas pu être retiré")
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.phone.failed")
	}
	s.table.ResetActCounts(func(o wire.Handset) bool { return o == h })
	return s.table.StartPhoneNotice(engine.NewMsg("table.phone.ended", "seat", at.Seat.String(), "n", strconv.Itoa(len(at.Phones)-1))), nil
}
