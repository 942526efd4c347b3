// Package oversight is the part by which who helps without playing sees who holds what (engine.Overseer): at one device of the host, which
// has asked for it, in a game whose table has allowed it before it began. That device gets this view in the place of the host's, sealed
// for it alone, and no other outlet has it; all else is as without it, but for the mark in every update (wire.Update.Overseen) and one
// line to all. It is on record with its author, and ends by a tap of any of the host's devices, when its device is gone or has another
// key, when somebody else stands there, with the game, with the daemon and with trouble of the store. During a scene it stands still with
// the phones.
package oversight

import (
	"slices"
	"strings"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host.
const (
	ActAllow  = "secrets"        // in the lobby: args {"on": yes or no}: whether the next game allows it, which nobody changes until its end
	ActUnlock = "unlock-secrets" // args {"phones": the marks of the phones of seats that this device is, too}; with one of the table's it is refused
	ActCover  = "cover-secrets"
)

const (
	kindUnlocked = "table.unlock" // one of the host's devices sees the secrets
	kindCovered  = "table.cover"  // and no more

	rule    = "GEN-002"
	setting = "secrets" // until somebody has chosen, nobody sees them
	yes     = "yes"
	no      = "no"
)

// Oversight is the part.
type Oversight struct {
	table    master.Table
	allowed  bool
	open     *view
	recorded string // the author of a view that the journal has open; empty: it has none
}

// view is an open view of the overseer.
//
//  1. It is of one device of the host, which had this mark when it was opened, and of who was signed in there then, where
//     there are accounts: who has come in the place of either is shown nothing.
//  2. It is not kept: after a start of the daemon, and after trouble with the store, it is closed, and put on record so.
//  3. While it is open every update says so.
type view struct {
	master.Overseen // with the secrets as they were when no scene hid anything
	mark            string
	author          string // as the journal names it
}

// New returns the part.
func New(t master.Table) *Oversight { return &Oversight{table: t} }

// Load implements master.Loader. A store that cannot tell allows nothing.
func (o *Oversight) Load() {
	chosen, ok, err := o.table.Setting(setting)
	o.allowed = err == nil && ok && chosen == yes
	o.open = nil
}

// Kinds implements master.Recorder.
func (o *Oversight) Kinds() []master.Kind {
	return []master.Kind{{Name: kindUnlocked, Minute: master.Says("minutes.secrets.open")}, {Name: kindCovered, Minute: master.Says("minutes.secrets.closed")}}
}

// Reset implements master.Recorder.
func (o *Oversight) Reset() { o.recorded = "" }

// Apply implements master.Recorder.
func (o *Oversight) Apply(e store.Event) {
	switch e.Kind {
	case kindUnlocked:
		o.recorded = e.Cause
	case kindCovered:
		o.recorded = ""
	}
}

// Acts implements master.Part.
func (o *Oversight) Acts() []master.Act {
	return []master.Act{
		{Name: ActAllow, Role: wire.RoleOperator, Do: o.allow},
		{Name: ActUnlock, Role: wire.RoleOperator, Pause: master.InHold, Do: o.unlock},
		{Name: ActCover, Role: master.Anyone, Pause: master.InAnyPause, Do: o.cover}, // whoever walks by
	}
}

// Offers implements master.Offerer.
func (o *Oversight) Offers(all []engine.Offer) []engine.Offer {
	t := o.table
	switch {
	case t.InLobby():
		return append(all, master.Switch(ActAllow, rule, o.allowed))
	case o.open != nil:
		return append(all, engine.Offer{Act: ActCover, Rule: rule, Aside: true})
	case o.allowed && !t.Ended() && !t.InScene() && !o.timeUp():
		return append(all, engine.Offer{Act: ActUnlock, Rule: rule, Aside: true, Grave: true})
	}
	return all
}

func (o *Oversight) timeUp() bool {
	h := o.table.Held()
	return h != nil && h.Over
}

// allow is the host's choice before a game, which holds for all of it, so that everybody knows what they begin.
func (o *Oversight) allow(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	on := args["on"]
	switch {
	case on != yes && on != no:
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	case !o.table.InLobby():
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.lobby")
	}
	if r := o.table.Set(setting, on); r != nil {
		return nil, r
	}
	if o.allowed = on == yes; o.allowed {
		return &wire.Notice{Msg: engine.Say("table.secrets.allowed"), Rule: rule}, nil
	}
	return &wire.Notice{Msg: engine.Say("table.secrets.denied"), Rule: rule}, nil
}

// unlock opens the view for the device that asks, and everybody is told. That device must not play, as far as its page says it.
func (o *Oversight) unlock(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := o.table
	mark := t.Mark(by.Handset)
	switch {
	case t.InLobby() || t.Ended() || o.timeUp():
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.later")
	case !o.allowed:
		return nil, master.Refuse(engine.Forbidden, rule, "table.secrets.off")
	case t.InScene():
		return nil, master.Refuse(engine.NotNow, rule, "table.scene")
	case o.open != nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.taken")
	case mark == "":
		return nil, master.Refuse(engine.NotYou, "GEN-011", "table.not-host")
	case o.plays(args["phones"]):
		return nil, master.Refuse(engine.Forbidden, rule, "table.secrets.plays")
	}
	if r := t.Record(by.Author, kindUnlocked, struct{}{}); r != nil {
		return nil, r
	}
	o.open = &view{master.Overseen{By: by.Handset, Account: by.Who.ID}, mark, by.Author}
	return &wire.Notice{Msg: engine.Say("table.secrets.open"), Rule: rule}, nil
}

// plays reports that one of these marks is that of a phone of a seat.
func (o *Oversight) plays(marks string) bool {
	of := strings.Split(marks, ",")
	for _, s := range o.table.Phones() {
		for _, n := range s.Phones {
			if mark := o.table.Mark(wire.Handset{Viewer: engine.At(s.Seat), N: n}); mark != "" && slices.Contains(of, mark) {
				return true
			}
		}
	}
	return false
}

// cover closes the view. Any of the host's devices may.
func (o *Oversight) cover(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if o.open == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.closed")
	}
	o.close(by.Author)
	return &wire.Notice{Msg: engine.Say("table.secrets.closed"), Rule: rule}, nil
}

// close closes it, whether or not the journal can take that.
func (o *Oversight) close(author string) {
	o.open = nil
	if !o.table.Paused() || o.table.Held() != nil {
		_ = o.table.Record(author, kindCovered, struct{}{})
	}
}

// CloseGame implements master.GameCloser.
func (o *Oversight) CloseGame(author string) {
	if o.open != nil {
		o.close(author)
	}
	o.Settle()
}

// Settle implements master.Settler: a power cut, or trouble with the store, has closed a view that the journal still has open.
func (o *Oversight) Settle() *wire.Notice {
	if o.recorded == "" || o.open != nil {
		return nil
	}
	if o.table.Record(o.recorded, kindCovered, struct{}{}) != nil {
		return nil
	}
	return &wire.Notice{Msg: engine.Say("table.secrets.closed"), Rule: rule}
}

// left reports that the device that has opened the view, or who was signed in there, is gone, or may not have it any more.
func (o *Oversight) left() bool {
	v := o.open
	return o.table.Mark(v.By) != v.mark || !v.May(o.table.Who(v.By))
}

// OnlineChanged implements master.PhoneWatcher.
func (o *Oversight) OnlineChanged(online []wire.Handset) bool {
	if o.open == nil || slices.Contains(online, o.open.By) {
		return false
	}
	o.close(o.open.author)
	return true
}

// PeopleChanged implements master.PhoneWatcher. The view ends when that is shown.
func (o *Oversight) PeopleChanged() bool { return o.open != nil && o.left() }

// Observe implements master.Observer: it closes what a step ends.
func (o *Oversight) Observe() {
	if o.open != nil && (o.table.InLobby() || o.table.Ended() || o.timeUp() || o.left()) {
		o.close(o.open.author)
	}
}

// Answered implements master.Observer.
func (o *Oversight) Answered(string, *wire.Notice) {}

// ShowPublic implements master.PublicShower.
func (o *Oversight) ShowPublic(u *wire.Update) {
	if o.open != nil {
		u.Overseen = &wire.Overseen{By: wire.Nameless(o.open.author)}
	}
}

// Overseen implements master.SecretsShower.
func (o *Oversight) Overseen() *master.Overseen {
	v := o.open
	if v == nil {
		return nil
	}
	if !o.table.InScene() {
		v.Secrets = o.table.Secrets()
	}
	is := v.Overseen
	return &is
}

// RoomSettings implements master.RoomSettingsLister: what nobody has kept for all groups, each is asked.
func (o *Oversight) RoomSettings() map[string]string { return map[string]string{setting: no} }
