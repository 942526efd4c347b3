package house

import (
	"context"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
)

// press does what a button or a control card asks for.
func (h *House) press(role string) {
	h.attract.Touch()
	h.opts.Log.Info("button", "role", role, "conseil", "un bouton de la table a été pressé")
	switch role {
	case config.ControlLights:
		h.lights.Toggle()
		h.loop.Refresh()
		return
	case wire.ControlAlarm: // at once, whatever the table does
		h.lights.SetOver(wire.LightWhite)
	}
	h.loop.Press(role)
}

// listen watches the buttons.
func (h *House) listenButtons(sensing *routines) {
	for _, b := range h.opts.Buttons {
		if b.Watch != nil {
			sensing.run(func(ctx context.Context) { b.Watch(ctx, func() { h.press(b.Role) }) })
		}
	}
}
