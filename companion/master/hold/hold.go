// Package hold is the part by which somebody stops everything and lets it go on: pause, alarm, and the light of the room.
package hold

import (
	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host.
const (
	ActPause  = "pause"  // in a game: all stands still and phones cover themselves, until ActResume; after a restart, too
	ActAlarm  = "alarm"  // the same under white light; over any other pause
	ActResume = "resume" // ends such a pause, or that of a button
	ActLight  = "light"  // at any time: args {"to": wire.LightGame, LightWhite or LightDark}; it waits for no disk
)

const (
	kindLight = "table.light"
	rule      = "GEN-001"
)

// Hold is the part.
type Hold struct{ table master.Table }

// New returns the part.
func New(t master.Table) *Hold { return &Hold{t} }

// Load implements master.Loader: the light of an alarm comes back with it.
func (h *Hold) Load() {
	if is := h.table.Held(); is != nil && is.Alarm {
		h.setLight(wire.LightWhite)
	}
}

func (h *Hold) setLight(to string) {
	if l := h.table.Lights(); l != nil {
		l.SetOver(to)
	}
}

// Kinds implements master.Recorder.
func (h *Hold) Kinds() []master.Kind {
	return []master.Kind{
		{Name: master.KindPause, Minute: func(e store.Event) (engine.Msg, engine.Text) {
			var is wire.Hold
			master.Read(e, &is)
			switch {
			case is.Alarm:
				return engine.Say("minutes.alarm"), engine.Text{}
			case is.Over:
				return engine.Say("minutes.time-up"), engine.Text{}
			}
			return engine.Say("minutes.pause"), engine.Text{}
		}},
		{Name: master.KindResume, Minute: master.Says("minutes.resume")},
		{Name: kindLight, Minute: func(e store.Event) (engine.Msg, engine.Text) {
			var x struct {
				To string `json:"to"`
			}
			master.Read(e, &x)
			return engine.Say("minutes.light." + x.To), engine.Text{}
		}},
	}
}

// Reset implements master.Recorder.
func (h *Hold) Reset() {}

// Apply implements master.Recorder. Who holds the game the loop knows.
func (h *Hold) Apply(store.Event) {}

// Acts implements master.Part.
func (h *Hold) Acts() []master.Act {
	return []master.Act{
		{Name: ActPause, Role: wire.RoleOperator, Do: h.pause},
		{Name: ActAlarm, Role: master.Anyone, Pause: master.InAnyPause, Do: h.alarm}, // whoever sees the smoke
		{Name: ActResume, Role: wire.RoleOperator, Pause: master.InHold, Do: h.resume},
		{Name: ActLight, Role: wire.RoleOperator, Pause: master.InAnyPause, Do: h.light},
	}
}

// Offers implements master.Offerer.
func (h *Hold) Offers(all []engine.Offer) []engine.Offer {
	t := h.table
	offer := func(act string, fixed engine.Args) {
		all = append(all, engine.Offer{Act: act, Rule: rule, Aside: act != ActResume, Fixed: fixed})
	}
	switch {
	case t.Held() != nil:
		offer(ActResume, nil)
	case !t.Paused() && !t.InLobby() && !t.Ended():
		offer(ActPause, nil)
		offer(ActAlarm, nil)
	}
	if l := t.Lights(); l != nil {
		for _, to := range []string{wire.LightGame, wire.LightWhite, wire.LightDark} {
			if to != l.Over() {
				offer(ActLight, engine.Args{"to": to})
			}
		}
	}
	return all
}

func (h *Hold) pause(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, h.stop(by.Author, false)
}

func (h *Hold) alarm(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, h.stop(by.Author, true)
}

// stop pauses a game. It is an event, so that a game that was stopped stays so when the table loses its power.
func (h *Hold) stop(author string, alarm bool) *engine.Reject {
	t := h.table
	if t.InLobby() {
		return master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if alarm {
		h.setLight(wire.LightWhite)
	}
	is := t.Held()
	if t.Paused() && is == nil || is != nil && (is.Over || is.Alarm) { // it stands still already, and nothing can be written or is to change
		return nil
	}
	return t.Hold(author, wire.Hold{Alarm: alarm})
}

// resume ends a pause, and the white light that came with it.
func (h *Hold) resume(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	is := h.table.Held()
	if is == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if r := h.table.Release(by.Author); r != nil {
		return nil, r
	}
	if is.Alarm {
		h.setLight(wire.LightGame)
	}
	return &wire.Notice{Msg: engine.Say("table.resumed")}, nil
}

// light gives the room white light, none, or that of the game.
func (h *Hold) light(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t, to := h.table, args["to"]
	if t.Lights() == nil || !known(to) {
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	h.setLight(to)
	if !t.Paused() || t.Held() != nil {
		return nil, t.Record(by.Author, kindLight, map[string]string{"to": to})
	}
	return nil, nil
}

func known(light string) bool {
	return light == wire.LightGame || light == wire.LightWhite || light == wire.LightDark
}

// ShowHost implements master.HostShower.
func (h *Hold) ShowHost(to *wire.ForHost) {
	if l := h.table.Lights(); l != nil {
		to.Desk.Light = l.Over()
	}
}

// HandleControl implements master.ControlHandler.
func (h *Hold) HandleControl(by master.Actor, control string) bool {
	t := h.table
	is := t.Held()
	var told *wire.Notice
	switch {
	case control == wire.ControlPause && is != nil && !is.Over:
		told, _ = h.resume(by, nil)
	case control == wire.ControlPause && !t.Paused() && !t.InLobby():
		_ = h.stop(by.Author, false)
	case control == wire.ControlAlarm && !t.InLobby():
		_ = h.stop(by.Author, true)
	default:
		return false
	}
	t.Publish(told)
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
	case t.Held() != nil:
		return nil, master.Already()
	case t.InLobby() || t.Public().Result != nil: // as everybody sees it
		return nil, master.Refuse(engine.NotNow, rule, "table.order.idle")
	}
	return nil, h.stop(by.Author, false)
}

func (h *Hold) orderResume(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	is := h.table.Held()
	switch {
	case is == nil:
		return nil, master.Already()
	case is.Over:
		return nil, master.Refuse(engine.NotNow, rule, "table.order.over")
	}
	return h.resume(by, args)
}

func (h *Hold) orderAlarm(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !h.table.InLobby() {
		return nil, h.stop(by.Author, true)
	}
	if h.table.Lights() == nil {
		return nil, master.Refuse(engine.NotNow, rule, "table.order.idle")
	}
	return h.light(by, engine.Args{"to": wire.LightWhite})
}

func (h *Hold) orderLight(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	l, to := h.table.Lights(), args["to"]
	switch {
	case !known(to):
		return nil, master.Malformed("to")
	case l == nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.order.lights")
	case to == l.Over():
		return nil, master.Already()
	}
	return h.light(by, args)
}
