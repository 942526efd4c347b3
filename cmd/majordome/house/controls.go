package house

import (
	"context"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
)

// pressControl does what a button or a control card is for.
func (h *House) press(role string) {
	h.attract.Touch()
	h.opts.Log.Info("button", "role", role, "conseil", "un bouton de la table a été pressé")
	switch role {
	case config.ControlLights:
		h.lights.Toggle()
		h.loop.Refresh()
		return
	case wire.ControlAlarm: // light the room at once, even while the loop is busy
		h.lights.SetOver(wire.LightWhite)
	}
	h.loop.Press(role)
}

// watchButtons watches the buttons until sensing stops.
func (h *House) listenButtons(sensing *routines) {
	for _, b := range h.opts.Buttons {
		if b.Watch != nil {
			sensing.run(func(ctx context.Context) { b.Watch(ctx, func() { h.press(b.Role) }) })
		}
	}
}
