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
	current  *openView
	recorded string // the author of the view that is open in the journal; empty: none is
}

// openView is an open view of the overseer.
//
//  1. It belongs to one device of the host with the mark that it had when the view was opened and, with accounts, to
//     the person signed in there at that time. If either changes, nothing is shown.
//  2. It does not outlive the daemon or a failure of the store. Then it is closed, and recorded as closed.
//  3. While it is open every update shows that it is.
type openView struct {
	master.OverseerView // with the secrets as they were before a scene
	mark                string
	author              string // name in the journal
}

// New returns the part.
func New(t master.Table) *Oversight { return &Oversight{table: t} }

// LoadSettings implements master.Loader. If the store fails nothing is allowed.
func (o *Oversight) LoadSettings() {
	chosen, ok, err := o.table.Setting(setting)
	o.allowed = err == nil && ok && chosen == yes
	o.current = nil
}

// EventKinds implements master.Recorder.
func (o *Oversight) EventKinds() []master.EventKind {
	return []master.EventKind{
		{Name: kindUnlocked, MinutesLine: master.FixedMinutesLine("minutes.secrets.open")},
		{Name: kindCovered, MinutesLine: master.FixedMinutesLine("minutes.secrets.closed")},
	}
}

// ResetEvents implements master.Recorder.
func (o *Oversight) ResetEvents() { o.recorded = "" }

// ApplyEvent implements master.Recorder.
func (o *Oversight) ApplyEvent(e store.Event) {
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
		{Name: ActAllow, Role: wire.RoleOperator, Do: o.setOversightAllowed},
		{Name: ActUnlock, Role: wire.RoleOperator, Pause: master.InHold, Do: o.unlockSecrets},
		{Name: ActCover, Role: master.Anyone, Pause: master.InAnyPause, Do: o.coverSecrets}, // anyone who walks by
	}
}

// AppendOffers implements master.Offerer.
func (o *Oversight) AppendOffers(all []engine.Offer) []engine.Offer {
	t := o.table
	switch {
	case t.InLobby():
		return append(all, master.SwitchOffer(ActAllow, rule, o.allowed))
	case o.current != nil:
		return append(all, engine.Offer{Act: ActCover, Rule: rule, Aside: true})
	case o.allowed && !t.HasEnded() && !t.InScene() && !o.isTimeUp():
		return append(all, engine.Offer{Act: ActUnlock, Rule: rule, Aside: true, Grave: true})
	}
	return all
}

func (o *Oversight) isTimeUp() bool {
	h := o.table.CurrentHold()
	return h != nil && h.Over
}

// setOversightAllowed sets the host's choice before a game. It applies to the whole game, so that all players know it
// when they begin.
func (o *Oversight) setOversightAllowed(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	on, r := master.SetLobbySwitch(o.table, setting, rule, args)
	if r != nil {
		return nil, r
	}
	if o.allowed = on; on {
		return &wire.Notice{Msg: engine.NewMsg("table.secrets.allowed"), Rule: rule}, nil
	}
	return &wire.Notice{Msg: engine.NewMsg("table.secrets.denied"), Rule: rule}, nil
}

// unlockSecrets opens the view for the device that asks, with a public notice. The device must not be a
// player's, as far as its page reports that.
func (o *Oversight) unlockSecrets(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := o.table
	mark := t.PhoneMark(by.Handset)
	switch {
	case t.InLobby() || t.HasEnded() || o.isTimeUp():
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.later")
	case !o.allowed:
		return nil, master.Refuse(engine.Forbidden, rule, "table.secrets.off")
	case t.InScene():
		return nil, master.Refuse(engine.NotNow, rule, "table.scene")
	case o.current != nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.taken")
	case mark == "":
		return nil, master.Refuse(engine.NotYou, "GEN-011", "table.not-host")
	case o.isAnyPlayersPhone(args["phones"]):
		return nil, master.Refuse(engine.Forbidden, rule, "table.secrets.plays")
	}
	if r := t.RecordEvent(by.Author, kindUnlocked, struct{}{}); r != nil {
		return nil, r
	}
	o.current = &openView{master.OverseerView{By: by.Handset, Account: by.Who.ID}, mark, by.Author}
	return &wire.Notice{Msg: engine.NewMsg("table.secrets.open"), Rule: rule}, nil
}

// isAnyPlayersPhone reports whether one of these marks belongs to a seat's phone.
func (o *Oversight) isAnyPlayersPhone(marks string) bool {
	of := strings.Split(marks, ",")
	for _, s := range o.table.SeatPhones() {
		for _, n := range s.Phones {
			if mark := o.table.PhoneMark(wire.Handset{Viewer: engine.SeatViewer(s.Seat), N: n}); mark != "" && slices.Contains(of, mark) {
				return true
			}
		}
	}
	return false
}

// coverSecrets closes the view. Any of the host's devices may do so.
func (o *Oversight) coverSecrets(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if o.current == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.secrets.closed")
	}
	o.closeView(by.Author)
	return &wire.Notice{Msg: engine.NewMsg("table.secrets.closed"), Rule: rule}, nil
}

// closeView closes the view, whether or not the journal can record it.
func (o *Oversight) closeView(author string) {
	o.current = nil
	if !o.table.IsPaused() || o.table.CurrentHold() != nil {
		_ = o.table.RecordEvent(author, kindCovered, struct{}{})
	}
}

// HandleGameClosing implements master.GameCloser.
func (o *Oversight) HandleGameClosing(author string) {
	if o.current != nil {
		o.closeView(author)
	}
	o.RecordInterruption()
}

// RecordInterruption implements master.InterruptionRecorder: it records that a power cut or a failure of the
// store has closed a view.
func (o *Oversight) RecordInterruption() *wire.Notice {
	if o.recorded == "" || o.current != nil {
		return nil
	}
	if o.table.RecordEvent(o.recorded, kindCovered, struct{}{}) != nil {
		return nil
	}
	return &wire.Notice{Msg: engine.NewMsg("table.secrets.closed"), Rule: rule}
}

// hasViewerChanged reports whether the device of the view has another key, or the person signed in there has
// changed or may no longer see it.
func (o *Oversight) hasViewerChanged() bool {
	v := o.current
	return o.table.PhoneMark(v.By) != v.mark || !v.CanSee(o.table.PersonAt(v.By))
}

// HandleOnlineChange implements master.PhoneWatcher.
func (o *Oversight) HandleOnlineChange(online []wire.Handset) bool {
	if o.current == nil || slices.Contains(online, o.current.By) {
		return false
	}
	o.closeView(o.current.author)
	return true
}

// HandlePeopleChange implements master.PhoneWatcher. The view is closed at the update that follows.
func (o *Oversight) HandlePeopleChange() bool { return o.current != nil && o.hasViewerChanged() }

// ObserveStep implements master.Observer: it closes the view if a step ends it.
func (o *Oversight) ObserveStep() {
	if o.current != nil && (o.table.InLobby() || o.table.HasEnded() || o.isTimeUp() || o.hasViewerChanged()) {
		o.closeView(o.current.author)
	}
}

// ObserveAnswer implements master.Observer.
func (o *Oversight) ObserveAnswer(string, *wire.Notice) {}

// ShowPublic implements master.PublicShower: that a device sees the secrets, and which.
func (o *Oversight) ShowPublic(u *wire.Update) {
	if o.current != nil {
		u.Overseen = &wire.Overseen{By: wire.WithoutStaffName(o.current.author)}
	}
}

// OverseerView implements master.SecretsShower.
func (o *Oversight) OverseerView() *master.OverseerView {
	v := o.current
	if v == nil {
		return nil
	}
	if !o.table.InScene() {
		v.Secrets = o.table.Secrets()
	}
	is := v.OverseerView
	return &is
}

// RoomSettings implements master.RoomSettingsLister: unless it was saved for all groups, each group has to
// allow it.
func (o *Oversight) RoomSettings() map[string]string { return map[string]string{setting: no} }
