package house

import (
	"context"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
)

// performControl does what a button or a control card is for.
func (h *House) performControl(role string) {
	h.attract.RecordUse()
	h.opts.Log.Info("button", "role", role, "conseil", "un bouton de la table a été pressé")
	switch role {
	case config.ControlLights:
		h.lights.ToggleWhite()
		h.Loop.PublishAgain()
		return
	case wire.ControlAlarm: // light the room at once, even while the loop is busy
		h.lights.SetOverride(wire.LightWhite)
	}
	h.Loop.PressControl(role)
}

// watchButtons watches the buttons until sensing stops.
func (h *House) watchButtons(sensing *routineGroup) {
	for _, b := range h.opts.Buttons {
		if b.Watch != nil {
			sensing.start(func(ctx context.Context) { b.Watch(ctx, func() { h.performControl(b.Role) }) })
		}
	}
}
