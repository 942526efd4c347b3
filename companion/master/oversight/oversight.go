// Package oversight is the part that shows all secrets of a game (engine.Overseer) to a helper who does not play,
// on one device of the host.
//
// The table must have allowed it before the game began, and the device must ask for it. It then gets this view in
// place of the host's, encrypted for that device only; nothing else gets it. All other outputs stay the same, except
// for a mark in each update (wire.Update.Overseen) and one public notice. The view is recorded with its author. It
// ends when any of the host's devices closes it, when its device disconnects or gets another key, when another person
// signs in there, and with the game, the daemon or a failure of the store. During a scene it does not change, as
// on the phones.
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
	// ActAllow sets in the lobby whether the next game allows it, until the end of that game: args {"on": "yes" or "no"}.
	ActAllow = "secrets"
	// ActUnlock opens the view: args {"phones": the marks of phones that this device is too}. It is refused if one of them is
	// a seat's phone.
	ActUnlock = "unlock-secrets"
	ActCover  = "cover-secrets"
)

const (
	kindUnlocked = "table.unlock" // a device of the host now sees the secrets
	kindCovered  = "table.cover"  // and no longer does

	rule    = "GEN-002"
	setting = "secrets" // "no" until the host chooses
	yes     = "yes"
	no      = "no"
)

// Oversight is the part.
type Oversight struct {
	table    master.Table
	allowed  bool
	open     *view
	recorded string // the author of the view that is open in the journal; empty: none is
}

// openView is an open view of the overseer.
//
//  1. It belongs to one device of the host with the mark that it had when the view was opened and, with accounts, to
//     the person signed in there at that time. If either changes, nothing is shown.
//  2. It does not outlive the daemon or a failure of the store. Then it is closed, and recorded as closed.
//  3. While it is open every update shows that it is.
type view struct {
	master.Overseen // with the secrets as they were before a scene
	mark            string
	author          string // name in the journal
}

// New returns the part.
func New(t master.Table) *Oversight { return &Oversight{table: t} }

// LoadSettings implements master.Loader. If the store fails nothing is allowed.
func (o *Oversight) Load() {
	chosen, ok, err := o.table.Setting(setting)
	o.allowed = err == nil && ok && chosen == yes
	o.open = nil
}

// EventKinds implements master.Recorder.
func (o *Oversight) Kinds() []master.Kind {
	return []master.Kind{
		{Name: kindUnlocked, Minute: master.Says("minutes.secrets.open")},
		{Name: kindCovered, Minute: master.Says("minutes.secrets.closed")},
	}
}

// ResetEvents implements master.Recorder.
func (o *Oversight) Reset() { o.recorded = "" }

// ApplyEvent implements master.Recorder.
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
		{Name: ActCover, Role: master.Anyone, Pause: master.InAnyPause, Do: o.cover}, // anyone who walks by
	}
}

// AppendOffers implements master.Offerer.
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

// setAllowed sets the host's choice before a game. It applies to the whole game, so that all players know it
// when they begin.
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

// unlockSecrets opens the view for the device that asks, with a public notice. The device must not be a
// player's, as far as its page reports that.
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

// isPlayersPhone reports whether one of these marks belongs to a seat's phone.
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

// coverSecrets closes the view. Any of the host's devices may do so.
func (o *Oversight) cover(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if o.open == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.closed")
	}
	o.close(by.Author)
	return &wire.Notice{Msg: engine.Say("table.secrets.closed"), Rule: rule}, nil
}

// closeView closes the view, whether or not the journal can record it.
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

// RecordInterruption implements master.InterruptionRecorder: it records that a power cut or a failure of the
// store has closed a view.
func (o *Oversight) Settle() *wire.Notice {
	if o.recorded == "" || o.open != nil {
		return nil
	}
	if o.table.Record(o.recorded, kindCovered, struct{}{}) != nil {
		return nil
	}
	return &wire.Notice{Msg: engine.Say("table.secrets.closed"), Rule: rule}
}

// hasLeft reports whether the device of the view has another key, or the person signed in there has changed or
// may no longer see it.
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

// PeopleChanged implements master.PhoneWatcher. The view is closed at the update that follows.
func (o *Oversight) PeopleChanged() bool { return o.open != nil && o.left() }

// ObserveStep implements master.Observer: it closes the view if a step ends it.
func (o *Oversight) Observe() {
	if o.open != nil && (o.table.InLobby() || o.table.Ended() || o.timeUp() || o.left()) {
		o.close(o.open.author)
	}
}

// ObserveAnswer implements master.Observer.
func (o *Oversight) Answered(string, *wire.Notice) {}

// ShowPublic implements master.PublicShower.
func (o *Oversight) ShowPublic(u *wire.Update) {
	if o.open != nil {
		u.Overseen = &wire.Overseen{By: wire.Nameless(o.open.author)}
	}
}

// OverseerView implements master.SecretsShower.
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

// RoomSettings implements master.RoomSettingsLister: unless it was saved for all groups, each group has to
// allow it.
func (o *Oversight) RoomSettings() map[string]string { return map[string]string{setting: no} }
