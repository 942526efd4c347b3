package table

import (
	"slices"
	"strconv"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// keepNews is how long news of phones stands: a phone connects as soon as it has
// joined, and the update of that must not wipe what was told.
const keepNews = 6 * time.Second

// announce tells everybody something about phones.
func (c *core) announce(said engine.Msg) { c.publish(notices{public: c.tell(said)}) }

// tell makes a notice that stands for a while.
func (c *core) tell(said engine.Msg) *wire.Notice {
	n := &wire.Notice{N: c.Epoch<<32 | (c.rev + 1), Msg: said, Rule: "GEN-011", Passing: true}
	c.news = lasting{*n, c.Clock.Now().Add(keepNews)}
	return n
}

// passing is a notice that goes by itself.
func (c *core) passing(said engine.Msg) *wire.Notice {
	n := c.tell(said)
	n.Rule, c.news.Rule = "", ""
	return n
}

// seatsOnline are the seats with a phone connected.
func (c *core) seatsOnline() []engine.Seat {
	seats := []engine.Seat{}
	for _, h := range c.online {
		if s, ok := h.Seat(); ok && !slices.Contains(seats, s) {
			seats = append(seats, s)
		}
	}
	return seats
}

// several are the seats that more than one phone has joined.
func (c *core) several() (all []wire.SeatPhones) {
	for _, at := range c.Desk.Phones() {
		if len(at.Phones) < 2 {
			continue
		}
		at.Online = []int{}
		for _, n := range at.Phones {
			if slices.Contains(c.online, wire.Handset{Viewer: engine.At(at.Seat), N: n}) {
				at.Online = append(at.Online, n)
			}
		}
		all = append(all, at)
	}
	return all
}

// counted is how far the phones of a viewer have counted their acts: the first, and
// the further ones as far as any has.
func (c *core) counted(v engine.Viewer) (first uint64, further []uint64) {
	all := c.seqs[v]
	n := len(all)
	for n > 1 && all[n-1] == 0 {
		n--
	}
	return all[0], append(further, all[1:n]...)
}

// afresh forgets how far the phones of a viewer have counted: what was sealed with
// their keys opens no more.
func (c *core) afresh(gone func(wire.Handset) bool) {
	for v, all := range c.seqs {
		for i := range all {
			if gone(wire.Handset{Viewer: v, N: i + 1}) {
				all[i] = 0
			}
		}
		c.seqs[v] = all
	}
	c.notes.forget(gone)
}

// more gives a seat that has a phone a link for one more. Everybody is told when that
// has joined, and sees from then on how many the seat has (GEN-E12).
func (c *core) more(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := c.phonesAt(args["seat"])
	if len(at.Phones) == 0 || len(at.Phones) >= wire.MaxPhones {
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.full")
	}
	if err := c.Desk.More(engine.At(at.Seat)); err != nil {
		c.Log.Error("no invitation", "seat", at.Seat, "cause", err, "conseil", "aucun code pour ce téléphone")
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.invite.failed")
	}
	return nil, nil
}

// end cuts one phone of a seat off; the others stay, and everybody is told.
func (c *core) end(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := c.phonesAt(args["seat"])
	n, err := strconv.Atoi(args["phone"])
	if err != nil || len(at.Phones) < 2 || !slices.Contains(at.Phones, n) {
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.none")
	}
	h := wire.Handset{Viewer: engine.At(at.Seat), N: n}
	if err := c.Desk.End(h); err != nil {
		c.Log.Error("a phone is not cut off", "phone", h, "cause", err, "conseil", "ce téléphone n’a pas pu être retiré")
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.failed")
	}
	c.afresh(func(o wire.Handset) bool { return o == h })
	return c.tell(engine.Say("table.phone.ended", "seat", at.Seat.String(), "n", strconv.Itoa(len(at.Phones)-1))), nil
}

// phonesAt are the phones of the seat that an act names; none if it names no such seat.
func (c *core) phonesAt(name string) wire.SeatPhones {
	seat, err := engine.ParseSeat(name)
	if err != nil {
		return wire.SeatPhones{}
	}
	for _, at := range c.Desk.Phones() {
		if at.Seat == seat {
			return at
		}
	}
	return wire.SeatPhones{}
}

// teamOffers are what the host may do about the phones of the seats.
func (c *core) teamOffers(all []engine.Offer) []engine.Offer {
	var room []string
	for _, at := range c.Desk.Phones() {
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
		all = append(all, engine.Offer{Act: actEnd, Rule: "GEN-E12", Aside: true, Grave: true, Fixed: engine.Args{"seat": at.Seat.String()},
			Params: []engine.Param{{Name: "phone", Kind: "value", Domain: numbers}}})
	}
	if len(room) > 0 {
		all = append(all, engine.Offer{Act: actMore, Rule: "GEN-E12", Aside: true, Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: room}}})
	}
	return all
}

// asked are the seats where somebody has come with another phone's key, 0 for the host's page.
func (c *core) asked() (seats []engine.Seat) {
	for _, v := range c.Desk.Asking() {
		s, _ := v.Seat()
		seats = append(seats, s)
	}
	return seats
}

// phoneOffers are the answers that v may give to who has come with another phone's key:
// a seat for its own place, the host for all and for the host's page.
func (c *core) phoneOffers(all []engine.Offer, v engine.Viewer) []engine.Offer {
	if c.paused != nil {
		return all
	}
	for _, at := range c.Desk.Asking() {
		if at != v && !v.IsHost() {
			continue
		}
		o := engine.Offer{Act: wire.ActCutPhone, Rule: "GEN-E12", Aside: true}
		if v.IsHost() {
			o.Fixed = engine.Args{"seat": at.String()}
		}
		all = append(all, o)
	}
	return all
}

// cutPhone turns such a phone away. A seat answers for itself, whatever it names.
func (c *core) cutPhone(v engine.Viewer, args engine.Args) (*wire.Notice, *engine.Reject) {
	at := v
	if v.IsHost() {
		var err error
		if at, err = engine.ParseViewer(args["seat"]); err != nil {
			return nil, master.Refuse(engine.Unknown, "GEN-E12", "table.phone.nobody")
		}
	}
	if !slices.Contains(c.Desk.Asking(), at) {
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.nobody")
	}
	if err := c.Desk.Cut(at); err != nil {
		c.Log.Error("no answer to a second phone", "seat", at, "cause", err, "conseil", "la réponse à un second téléphone n’a pas pu être enregistrée")
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.failed")
	}
	if at.IsHost() {
		return c.tell(engine.Say("table.phone.cut.host")), nil
	}
	return c.tell(engine.Say("table.phone.cut", "seat", at.String())), nil
}
