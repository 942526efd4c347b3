package table

import (
	"maps"
	"slices"

	"majordome/companion/master"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// actSit seats somebody. It is the host's, by the rules of the game; a phone that has joined where nobody sits yet asks by it.
const actSit = "sit"

// actTurnAway sends such a phone away.
const actTurnAway = "turn-away"

// guest is what a phone asks for that has joined where nobody sits yet: empty until its player has typed a name.
// It lasts until somebody sits there, the host turns it away or the game begins; a daemon that starts anew asks again.
type guest struct{ name, character string }

// sitting is the offer by which the host seats players; false where nobody can sit down.
func (c *core) sitting() (engine.Offer, bool) {
	all := c.game.look().Host.Offers
	i := slices.IndexFunc(all, func(o engine.Offer) bool { return o.Act == actSit })
	if i < 0 {
		return engine.Offer{}, false
	}
	return all[i], true
}

// freeSeats are those where somebody could sit down.
func (c *core) freeSeats() (free []engine.Seat) {
	o, _ := c.sitting()
	for _, p := range o.Params {
		if p.Kind != "seat" {
			continue
		}
		for _, name := range p.Domain {
			if s, err := engine.ParseSeat(name); err == nil {
				free = append(free, s)
			}
		}
	}
	return free
}

// seating says who may have a phone: all who sit, the guests, and one place for the next to come, so that
// one code after the other is shown. Whoever has got up loses the key before that place is given away again.
func (c *core) seating(seated []engine.Seat) []wire.Invite {
	free := c.freeSeats()
	if c.guests == nil { // the daemon has come up: whoever has a key of a free seat was a guest before
		c.guests = map[engine.Seat]guest{}
		for _, s := range free {
			if c.hasPhone(s) {
				c.guests[s] = guest{}
			}
		}
	}
	maps.DeleteFunc(c.guests, func(s engine.Seat, _ guest) bool { return !slices.Contains(free, s) })
	if !slices.Contains(free, c.vacant) {
		c.vacant = 0
	}
	if c.vacant != 0 && c.hasPhone(c.vacant) {
		c.guests[c.vacant], c.vacant = guest{}, 0
	}
	here := slices.AppendSeq(slices.Clone(seated), maps.Keys(c.guests))
	if c.vacant == 0 && len(free) > len(c.guests) {
		c.Desk.Invites(here)
		for _, s := range free {
			if _, is := c.guests[s]; !is && !c.hasPhone(s) {
				c.vacant = s
				break
			}
		}
	}
	if c.vacant != 0 {
		here = append(here, c.vacant)
	}
	slices.Sort(here)
	return c.Desk.Invites(here)
}

// hasPhone reports that a phone has joined at a seat.
func (c *core) hasPhone(at engine.Seat) bool { return len(c.phonesAt(at.String()).Phones) > 0 }

// shownGuests are the guests in the order of their places.
func (c *core) shownGuests() (all []wire.Guest) {
	for _, s := range slices.Sorted(maps.Keys(c.guests)) {
		all = append(all, wire.Guest{Seat: s, Name: c.guests[s].name, Character: engine.ID(c.guests[s].character)})
	}
	return all
}

// toGuest is what a guest has of its own: what everybody sees, and what it has asked for.
func (c *core) toGuest(g wire.Guest, public *engine.View) own {
	part := public.Part()
	part.Viewer = engine.At(g.Seat).String()
	o := c.own(g.Seat, &part)
	o.notes, o.guest = "", &g
	return o
}

// guestOffers are what a guest may do: say who sits here, without what other guests have asked for.
func (c *core) guestOffers(all []engine.Offer, at engine.Seat) []engine.Offer {
	o, ok := c.sitting()
	if _, is := c.guests[at]; !is || !ok || c.paused != nil {
		return all
	}
	var params []engine.Param
	for _, p := range o.Params {
		switch p.Kind {
		case "seat":
			continue
		case "character":
			p.Domain = slices.DeleteFunc(slices.Clone(p.Domain), func(who string) bool { return c.spoken(who, at) })
		}
		params = append(params, p)
	}
	return append(all, engine.Offer{Act: actSit, Rule: o.Rule, Params: params})
}

// spoken reports that another guest has asked for a character.
func (c *core) spoken(who string, but engine.Seat) bool {
	for s, g := range c.guests {
		if s != but && g.character != "" && g.character == who {
			return true
		}
	}
	return false
}

// ask keeps what a guest asks for, if the game would take it now. The host seats it, or another name.
func (c *core) ask(at engine.Seat, args engine.Args) *engine.Reject {
	args = engine.Args{"seat": at.String(), "name": args["name"], "character": args["character"]}
	if r := c.sameName(at, args["name"]); r != nil {
		return r
	}
	if c.spoken(args["character"], at) {
		return master.Refuse(engine.Forbidden, "GEN-011", "table.guest.character")
	}
	if _, r := c.game.Decide(engine.Command{At: c.now(), By: engine.Host, Act: actSit, Args: args}, chance.New(0)); r != nil {
		return r
	}
	c.guests[at] = guest{args["name"], args["character"]}
	return nil
}

// composed are the arguments with the name as it is kept.
func composed(args engine.Args) engine.Args {
	if args["name"] != "" {
		args = maps.Clone(args)
		args["name"] = staff.Composed(args["name"])
	}
	return args
}

// sameName refuses a name that somebody else at the table has: two could not be told apart.
func (c *core) sameName(at engine.Seat, name string) *engine.Reject {
	taken := false
	for _, s := range c.game.look().Public.Seats {
		taken = taken || s.Seat != at && staff.Alike(s.Name, name)
	}
	for s, g := range c.guests {
		taken = taken || s != at && g.name != "" && staff.Alike(g.name, name)
	}
	if !taken {
		return nil
	}
	return master.Refuse(engine.Forbidden, "GEN-011", "table.guest.name")
}

// turnAway sends a guest away; its phone is cut off.
func (c *core) turnAway(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at, err := engine.ParseSeat(args["seat"])
	if _, is := c.guests[at]; err != nil || !is {
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.guest.nobody")
	}
	delete(c.guests, at)
	return nil, nil
}

// inviteGuest makes a code for a place where nobody sits, and shows that one next. A guest there is cut off.
func (c *core) inviteGuest(at engine.Seat) *engine.Reject {
	if _, err := c.Desk.Invite(engine.At(at)); err != nil {
		c.Log.Error("no invitation", "seat", at, "cause", err, "conseil", "aucun code pour ce téléphone")
		return master.Refuse(engine.NotNow, "GEN-E12", "table.invite.failed")
	}
	delete(c.guests, at)
	c.vacant = at
	return nil
}
