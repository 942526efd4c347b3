// Package hold is the part by which the game is put on hold and goes on: pause, alarm, and the light of the
// room.
package hold

import (
	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host.
const (
	ActPause  = "pause"  // in a game: puts it on hold and hides the phones' pages until ActResume, even after a restart
	ActAlarm  = "alarm"  // the same under white light, even in another pause
	ActResume = "resume" // ends a hold by the host, a button or a program
	ActLight  = "light"  // at any time: args {"to": wire.LightGame, LightWhite or LightDark}; it does not wait for the disk
)

const (
	kindLight = "table.light"
	rule      = "GEN-001"
)

// Hold is the part.
type Hold struct{ table master.Table }

// New returns the part.
func New(t master.Table) *Hold { return &Hold{t} }

// LoadSettings implements master.Loader: after a start it sets the light of an alarm again.
func (h *Hold) LoadSettings() {
	if current := h.table.CurrentHold(); current != nil && current.Alarm {
		h.setLight(wire.LightWhite)
	}
}

func (h *Hold) setLight(to string) {
	if l := h.table.Lights(); l != nil {
		l.SetOverride(to)
	}
}

// EventKinds implements master.Recorder.
func (h *Hold) EventKinds() []master.EventKind {
	return []master.EventKind{
		{Name: master.KindPause, MinutesLine: func(e store.Event) (engine.Msg, engine.Text) {
			var is wire.Hold
			master.DecodeData(e, &is)
			switch {
			case is.Alarm:
				return engine.NewMsg("minutes.alarm"), engine.Text{}
			case is.Over:
				return engine.NewMsg("minutes.time-up"), engine.Text{}
			}
			return engine.NewMsg("minutes.pause"), engine.Text{}
		}},
		{Name: master.KindResume, MinutesLine: master.FixedMinutesLine("minutes.resume")},
		{Name: kindLight, MinutesLine: func(e store.Event) (engine.Msg, engine.Text) {
			var x struct {
				To string `json:"to"`
			}
			master.DecodeData(e, &x)
			return engine.NewMsg("minutes.light." + x.To), engine.Text{}
		}},
	}
}

// ResetEvents implements master.Recorder.
func (h *Hold) ResetEvents() {}

// ApplyEvent implements master.Recorder. The loop itself keeps the hold (master.Table.CurrentHold).
func (h *Hold) ApplyEvent(store.Event) {}

// Acts implements master.Part.
func (h *Hold) Acts() []master.Act {
	return []master.Act{
		{Name: ActPause, Role: wire.RoleOperator, Do: h.pauseGame},
		{Name: ActAlarm, Role: master.Anyone, Pause: master.InAnyPause, Do: h.raiseAlarm}, // anyone who sees smoke
		{Name: ActResume, Role: wire.RoleOperator, Pause: master.InHold, Do: h.resumeGame},
		{Name: ActLight, Role: wire.RoleOperator, Pause: master.InAnyPause, Do: h.changeLight},
	}
}

// AppendOffers implements master.Offerer.
func (h *Hold) AppendOffers(all []engine.Offer) []engine.Offer {
	t := h.table
	offer := func(act string, fixed engine.Args) {
		all = append(all, engine.Offer{Act: act, Rule: rule, Aside: act != ActResume, Fixed: fixed})
	}
	switch {
	case t.CurrentHold() != nil:
		offer(ActResume, nil)
	case !t.IsPaused() && !t.InLobby() && !t.HasEnded():
		offer(ActPause, nil)
		offer(ActAlarm, nil)
	}
	if l := t.Lights(); l != nil {
		for _, to := range []string{wire.LightGame, wire.LightWhite, wire.LightDark} {
			if to != l.Override() {
				offer(ActLight, engine.Args{"to": to})
			}
		}
	}
	return all
}

func (h *Hold) pauseGame(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, h.putOnHold(by.Author, false)
}

func (h *Hold) raiseAlarm(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, h.putOnHold(by.Author, true)
}

// putOnHold puts the game on hold, for an alarm under white light. This is an event, so that the game is still on
// hold after a power cut. If the game is already paused and that pause must stay, it only sets the light.
func (h *Hold) putOnHold(author string, alarm bool) *engine.Reject {
	t := h.table
	if t.InLobby() {
		return master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if alarm {
		h.setLight(wire.LightWhite)
	}
	current := t.CurrentHold()
	// It is already paused, and the pause cannot be written or must not be replaced.
	if t.IsPaused() && current == nil || current != nil && (current.Over || current.Alarm) {
		return nil
	}
	return t.HoldGame(author, wire.Hold{Alarm: alarm})
}

// resumeGame ends a hold, and the white light of an alarm.
func (h *Hold) resumeGame(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	current := h.table.CurrentHold()
	if current == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if r := h.table.ReleaseGame(by.Author); r != nil {
		return nil, r
	}
	if current.Alarm {
		h.setLight(wire.LightGame)
	}
	return &wire.Notice{Msg: engine.NewMsg("table.resumed")}, nil
}

// changeLight sets white light, darkness or the light of the game.
func (h *Hold) changeLight(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t, to := h.table, args["to"]
	if t.Lights() == nil || !isLight(to) {
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	h.setLight(to)
	if !t.IsPaused() || t.CurrentHold() != nil {
		return nil, t.RecordEvent(by.Author, kindLight, map[string]string{"to": to})
	}
	return nil, nil
}

func isLight(light string) bool {
	return light == wire.LightGame || light == wire.LightWhite || light == wire.LightDark
}

// ShowHost implements master.HostShower: what lights the room.
func (h *Hold) ShowHost(to *wire.ForHost) {
	if l := h.table.Lights(); l != nil {
		to.Desk.Light = l.Override()
	}
}

// HandleControl implements master.ControlHandler: the control for a pause starts or ends one, that for an alarm
// raises one.
func (h *Hold) HandleControl(by master.Actor, control string) bool {
	t := h.table
	current := t.CurrentHold()
	var notice *wire.Notice
	switch {
	case control == wire.ControlPause && current != nil && !current.Over:
		notice, _ = h.resumeGame(by, nil)
	case control == wire.ControlPause && !t.IsPaused() && !t.InLobby():
		_ = h.putOnHold(by.Author, false)
	case control == wire.ControlAlarm && !t.InLobby():
		_ = h.putOnHold(by.Author, true)
	default:
		return false
	}
	t.Publish(notice)
	return true
}

// Orders implements master.OrderLister.
func (h *Hold) Orders() []master.Act {
	return []master.Act{
		{Name: wire.OrderPause, Pause: master.InHold, Do: h.orderPause},
		{Name: wire.OrderResume, Pause: master.InHold, Do: h.orderResume},
		{Name: wire.OrderAlarm, Pause: master.InAnyPause, Do: h.orderAlarm},
		{Name: wire.OrderLight, Pause: master.InAnyPause, Do: h.orderLight},
	}
}

func (h *Hold) orderPause(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	t := h.table
	switch {
	case t.CurrentHold() != nil:
		return nil, master.RefuseUnchanged()
	case t.InLobby() || t.PublicView().Result != nil: // public, even during a scene
		return nil, master.Refuse(engine.NotNow, rule, "table.order.idle")
	}
	return nil, h.putOnHold(by.Author, false)
}

func (h *Hold) orderResume(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	current := h.table.CurrentHold()
	switch {
	case current == nil:
		return nil, master.RefuseUnchanged()
	case current.Over:
		return nil, master.Refuse(engine.NotNow, rule, "table.order.over")
	}
	return h.resumeGame(by, args)
}

func (h *Hold) orderAlarm(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !h.table.InLobby() {
		return nil, h.putOnHold(by.Author, true)
	}
	if h.table.Lights() == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.order.idle")
	}
	return h.changeLight(by, engine.Args{"to": wire.LightWhite})
}

func (h *Hold) orderLight(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	l, to := h.table.Lights(), args["to"]
	switch {
	case !isLight(to):
		return nil, master.RefuseMalformed("to")
	case l == nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.order.lights")
	case to == l.Override():
		return nil, master.RefuseUnchanged()
	}
	return h.changeLight(by, args)
}
