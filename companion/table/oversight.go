package table

import (
	"slices"
	"strings"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts about the view of the overseer: who helps without playing sees who holds what.
const (
	actSecrets = "secrets"        // args {"on": yes or no}: whether the next game allows it; a house rule of this table
	actUnlock  = "unlock-secrets" // args {"phones": the marks of the phones of seats that this device is, too}
	actCover   = "cover-secrets"
)

// settingSecrets is kept in the journal; until somebody has chosen, nobody sees them.
const settingSecrets = "secrets"

// oversight is an open view of the overseer.
//
//  1. It is of one device of the host, which had this mark when it was opened, and of who was signed in there then, where
//     there are accounts: who has come in the place of either is shown nothing.
//  2. It is not kept: after a start of the daemon, and after trouble with the store, it is closed, and put on record so.
//  3. While it is open every update says so.
type oversight struct {
	by      wire.Handset
	mark    string
	account int              // 0: there are none
	author  string           // as the journal names it
	secrets []engine.Holding // as they were when no scene hid anything
}

// readSecrets learns whether this table allows it. A store that cannot tell allows nothing.
func (c *core) readSecrets() {
	chosen, ok, err := c.journal.Setting(settingSecrets)
	c.secrets = err == nil && ok && chosen == yes
}

// secretsOffers are the host's; over as the host is shown it.
func (c *core) secretsOffers(all []engine.Offer, over bool) []engine.Offer {
	switch {
	case c.inLobby():
		on := yes
		if c.secrets {
			on = no
		}
		return append(all, engine.Offer{Act: actSecrets, Rule: "GEN-002", Aside: true, Fixed: engine.Args{"on": on}})
	case c.oversight != nil:
		return append(all, engine.Offer{Act: actCover, Rule: "GEN-002", Aside: true})
	case c.secrets && !over && c.scene == nil && !c.timeUp():
		return append(all, engine.Offer{Act: actUnlock, Rule: "GEN-002", Aside: true, Grave: true})
	}
	return all
}

// setSecrets is the host's choice before a game, which holds for all of it, so that everybody knows what they begin.
func (c *core) setSecrets(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	on := args["on"]
	switch {
	case on != yes && on != no:
		return nil, master.Refuse(engine.Unknown, "GEN-002", "table.unknown")
	case !c.inLobby():
		return nil, master.Refuse(engine.NotNow, "GEN-002", "table.secrets.lobby")
	}
	if r := c.set(settingSecrets, on); r != nil {
		return nil, r
	}
	c.secrets = on == yes
	if c.secrets {
		return &wire.Notice{Msg: engine.Say("table.secrets.allowed"), Rule: "GEN-002"}, nil
	}
	return &wire.Notice{Msg: engine.Say("table.secrets.denied"), Rule: "GEN-002"}, nil
}

// unlock opens the view for the device that asks, and everybody is told. That device must not play, as far as its page says it.
func (c *core) unlock(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	h := by.Handset
	mark := c.Desk.Mark(h)
	switch {
	case c.inLobby() || c.ended() || c.timeUp():
		return nil, master.Refuse(engine.NotNow, "GEN-002", "table.secrets.later")
	case !c.secrets:
		return nil, master.Refuse(engine.Forbidden, "GEN-002", "table.secrets.off")
	case c.scene != nil:
		return nil, master.Refuse(engine.NotNow, "GEN-002", "table.scene")
	case c.oversight != nil:
		return nil, master.Refuse(engine.NotNow, "GEN-002", "table.secrets.taken")
	case mark == "":
		return nil, master.Refuse(engine.NotYou, "GEN-011", "table.not-host")
	case c.plays(args["phones"]):
		return nil, master.Refuse(engine.Forbidden, "GEN-002", "table.secrets.plays")
	}
	if r := c.record(by.Author, kindUnlock, struct{}{}); r != nil {
		return nil, r
	}
	c.oversight = &oversight{by: h, mark: mark, account: by.Who.ID, author: by.Author}
	return &wire.Notice{Msg: engine.Say("table.secrets.open"), Rule: "GEN-002"}, nil
}

// plays reports that one of these marks is that of a phone of a seat.
func (c *core) plays(marks string) bool {
	of := strings.Split(marks, ",")
	for _, s := range c.Desk.Phones() {
		for _, n := range s.Phones {
			if mark := c.Desk.Mark(wire.Handset{Viewer: engine.At(s.Seat), N: n}); mark != "" && slices.Contains(of, mark) {
				return true
			}
		}
	}
	return false
}

// cover closes the view. Any of the host's devices may.
func (c *core) cover(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if c.oversight == nil {
		return nil, master.Refuse(engine.NotNow, "GEN-002", "table.secrets.closed")
	}
	c.closeSecrets(by.Author)
	return &wire.Notice{Msg: engine.Say("table.secrets.closed"), Rule: "GEN-002"}, nil
}

// closeSecrets closes it, whether or not the journal can take that.
func (c *core) closeSecrets(author string) {
	c.oversight = nil
	if c.paused == nil || c.held {
		_ = c.record(author, kindCover, struct{}{})
	}
}

// endSecrets closes the view that is open for no reason of anybody's.
func (c *core) endSecrets() {
	c.closeSecrets(c.oversight.author)
}

// coverLeft puts on record that a view is closed which the journal still has open: a power cut has closed it, or trouble with the store.
// Everybody is told, after a start.
func (c *core) coverLeft() {
	if c.shows == "" || c.oversight != nil || c.paused != nil && !c.held {
		return
	}
	if c.record(c.shows, kindCover, struct{}{}) == nil {
		c.opened = notices{public: &wire.Notice{Msg: engine.Say("table.secrets.closed"), Rule: "GEN-002"}}
	}
}

// overseerLeft reports that the device that has opened the view, or who was signed in there, is gone, or may not have it any more.
func (c *core) overseerLeft() bool {
	o := c.oversight
	return c.Desk.Mark(o.by) != o.mark || !c.rights.oversee(o.by, o.account, c.People.Who(o.by))
}

// oversee reports that this account, which has opened the view on a device, is still signed in there and may have it.
func (may rights) oversee(h wire.Handset, account int, who wire.Person) bool {
	return who.ID == account && short(who.Role, may.needs(h, actUnlock, false)) == nil
}

// overseeing closes what a step ends, and says in all updates what is open. The game is over when the host is shown it.
func (c *core) overseeing(s *Step) {
	o := c.oversight
	if o == nil {
		return
	}
	if c.inLobby() || s.Host.View.Result != nil || c.timeUp() || len(c.lost) > 0 || c.overseerLeft() {
		c.endSecrets()
		return
	}
	is := &wire.Overseen{By: wire.Nameless(o.author)}
	s.Public.Overseen, s.Host.Overseen, s.shared.Overseen = is, is, is
}

// overseen replaces the host's update on the device of the overseer.
type overseen struct {
	by      wire.Handset
	account int
	secrets []engine.Holding
}

// of makes it of the update of the host as that device has it.
func (o *overseen) of(u wire.Update) wire.Update {
	u.View.Viewer, u.View.Secrets, u.Phone = engine.Overseer.String(), o.secrets, o.by.N
	u.View.Custody = nil // the secrets say more
	return u
}

// secret has the step show the secrets.
func (c *core) secret(s *Step) {
	o := c.oversight
	if o == nil {
		return
	}
	if c.scene == nil {
		o.secrets = c.game.View(engine.Overseer).Secrets
	}
	s.secret = &overseen{o.by, o.account, o.secrets}
}
