package house

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"periph.io/x/conn/v3/gpio/gpioreg"

	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/button"
	"majordome/devices/node"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Buttons and control cards are for the table, not for a seat: what they do everybody sees, and none of it
// depends on a secret. Whoever is in the room can press them, as they can switch off the lamp.

// controlLights switches all strips to white light at once and back; the house does it by itself, whatever the table does.
const controlLights = "lights"

var controls = []string{game.ControlStart, game.ControlNext, game.ControlPause, game.ControlAlarm, controlLights, game.ControlCall}

// ButtonConfig is one button: at a pin, at a node, or a spare tag that is laid on any reader.
type ButtonConfig struct {
	Role   string `yaml:"role"`
	Pin    string `yaml:"pin"`
	Port   string `yaml:"port"`
	Button int    `yaml:"button"`
	Tag    string `yaml:"tag"`
}

// Button is what somebody can press.
type Button struct {
	Role string
	// Tag is a control card; the zero UID: it is none.
	Tag devices.UID
	// Watch calls pressed for each press until ctx ends; nil of a control card.
	Watch func(ctx context.Context, pressed func())
	// IsStuck reports one that was never up since it is watched; nil where nobody can know.
	IsStuck func() bool
}

var buttonKeys = []key{
	{name: "role", what: ownfile.Both("ce qu’il fait : commencer la partie (ou rejouer), laisser les téléphones continuer sans l’écran, mettre en pause et reprendre, tout arrêter sous lumière blanche (alarme), passer tous les rubans en lumière blanche et revenir, appeler l’hôte à la table", "what it does: begins the game (or plays again), lets the phones go on without the display, pauses and resumes, stops everything under white light (alarm), switches all strips to white light and back, calls the host to the table"),
		takes: choices(controls, ownfile.Both(oneOf(controls, "ou"), oneOf(controls, "or"))), missing: ownfile.Both("le rôle", "the role")},
	{name: "pin", what: ownfile.Both("un bouton entre cette broche et la masse", "a button between this pin and ground"), takes: pins, absent: ownfile.Both("à un nœud, ou une puce", "at a node, or a tag")},
	{name: "port", what: ownfile.Both("le port série du nœud auquel il est relié", "the serial port of the node that it hangs on"), takes: nodePorts, absent: ownfile.Both("à une broche, ou une puce", "at a pin, or a tag")},
	{name: "button", what: ownfile.Both("lequel des boutons du nœud", "which of the node's buttons"), takes: between(0, node.MaxButtons-1), without: 0},
	{name: "tag", what: ownfile.Both("le numéro d’une puce libre qui fait de même, posée sur n’importe quel lecteur", "the number of a spare tag that does the same when it is laid on any reader"), absent: ownfile.Both("à une broche ou à un nœud", "at a pin or a node"),
		takes: texts("mauvais numéro de puce", "bad number of a tag", isTag, ownfile.Both("8, 14 ou 20 chiffres hexadécimaux, comme 04A1B2C3D4E5F6", "8, 14 or 20 hexadecimal digits, such as 04A1B2C3D4E5F6"))},
}

func isTag(s string) bool {
	_, err := devices.ParseUID(s)
	return err == nil
}

// pressable notes what is wrong with the buttons.
func (k *checker) pressable(c *Config) {
	type source struct {
		port, tag string
		button    int
	}
	taken := map[source]bool{}
	for i, b := range c.Buttons {
		at := fmt.Sprintf("$.buttons[%d]", i)
		kinds := 0
		for _, s := range []string{b.Pin, b.Port, b.Tag} {
			if s != "" {
				kinds++
			}
		}
		if kinds != 1 {
			k.at(at, ownfile.Both("un bouton est à une broche (pin), à un nœud (port) ou une puce (tag)", "a button is at a pin, at a node (port) or a tag"),
				ownfile.Both("écrivez l’un des trois", "write one of the three"))
			continue
		}
		if k.Written(at+".button") && b.Port == "" {
			k.at(at+".button", ownfile.Both("button ne va qu’avec port", "button goes with port alone"), ownfile.Both("enlevez-le", "take it out"))
		}
		uid, err := devices.ParseUID(b.Tag)
		if why, unfit := uid.Unfit(); b.Tag != "" && err == nil && unfit {
			k.at(at+".tag", ownfile.Both("tag : "+why.FR, "tag: "+why.EN), ownfile.Both("une autre puce", "another tag"))
		}
		s := source{b.Port, uid.String(), b.Button}
		if b.Pin == "" && taken[s] {
			k.at(at, ownfile.Both("deux rôles pour un même bouton", "two roles for one button"), ownfile.Both("un rôle par bouton ; plusieurs boutons peuvent avoir le même", "one role for each button; several buttons may have the same"))
		}
		taken[s] = true
	}
}

// Open opens the button, whose configuration has been checked.
func (c ButtonConfig) Open(at Nodes, log *slog.Logger) (Button, error) {
	b := Button{Role: c.Role}
	switch {
	case c.Tag != "":
		uid, err := devices.ParseUID(c.Tag)
		b.Tag = uid
		return b, err
	case c.Port != "":
		s, err := at.open(c.Port, log)
		if err == nil {
			b.Watch = s.button(c.Button)
		}
		return b, err
	}
	pin := gpioreg.ByName(c.Pin)
	if pin == nil {
		return b, pinAdvice(c.Pin, gpioChips, readWrite)
	}
	dev, err := button.New(pin)
	if err == nil {
		b.Watch, b.IsStuck = dev.Watch, dev.IsStuck
	}
	return b, err
}

// presses are what waits of a button at a node: more than a hand can do before the house has looked.
const maxPresses = 8

// button is a button of the node. It gives the node back when it is watched no more.
func (s *sharedNode) button(n int) func(context.Context, func()) {
	presses := make(chan struct{}, maxPresses)
	s.mu.Lock()
	s.presses[n] = append(s.presses[n], presses)
	s.mu.Unlock()
	return func(ctx context.Context, pressed func()) {
		for len(presses) > 0 { // before anybody listened
			<-presses
		}
		for {
			select {
			case <-ctx.Done():
				if err := s.release(); err != nil {
					s.log.Warn("node", "port", s.port, "error", err, "conseil", "ce nœud ne s’est pas arrêté proprement")
				}
				return
			case <-presses:
				pressed()
			}
		}
	}
}

// pressed hears of a button of the node. It never waits.
func (s *sharedNode) pressed(p node.Press) {
	if !p.Down {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.presses[p.Button] {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// press does what a button or a control card asks for.
func (h *House) press(role string) {
	h.attract.touch()
	h.opts.Log.Info("button", "role", role, "conseil", "un bouton de la table a été pressé")
	switch role {
	case controlLights:
		h.lights.toggle()
		h.loop.Refresh()
		return
	case game.ControlAlarm: // at once, whatever the table does
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

// controlDeck is the name under which the store keeps the tags of control cards that were enrolled, each with its role in the place
// of a card.
const controlDeck engine.ID = "control-cards"

// controlCardNames returns the control cards that can be enrolled, each under its role.
func controlCardNames() engine.Names {
	says := map[string]engine.Text{
		game.ControlStart: ownfile.Both("Carte de commande : commencer, ou rejouer", "Control card: begin, or play again"),
		game.ControlNext:  ownfile.Both("Carte de commande : continuer sans attendre l’écran", "Control card: go on without the display"),
		game.ControlPause: ownfile.Both("Carte de commande : pause, et reprise", "Control card: pause, and resume"),
		game.ControlAlarm: ownfile.Both("Carte de commande : alarme, pause sous lumière blanche", "Control card: alarm, a pause under white light"),
		controlLights:     ownfile.Both("Carte de commande : lumière blanche, et retour", "Control card: white light, and back"),
		game.ControlCall:  ownfile.Both("Carte de commande : appeler l’hôte", "Control card: call the host"),
	}
	var all engine.Names
	for _, role := range controls {
		all = append(all, engine.Name{ID: engine.ID(role), Text: says[role]})
	}
	return all
}

// enrolledControls adds the control cards that were enrolled. One that has become a card of a game, or makes no sense, is passed over.
func (h *House) enrolledControls(all map[devices.UID]string) error {
	tags, err := h.store.Tags(controlDeck)
	if err != nil {
		return err
	}
	for _, t := range tags {
		uid, err := devices.ParseUID(t.UID)
		if err != nil || !slices.Contains(controls, string(t.Card)) {
			continue
		}
		if _, _, taken := h.tags.find(uid); taken {
			h.opts.Log.Warn("a control card is a card of a game, too, and counts as that", "tag", uid, "role", t.Card,
				"conseil", "cette carte de commande est aussi une carte de jeu, et compte comme telle : enregistrez-en une autre sur la page de l’hôte")
			continue
		}
		if _, named := all[uid]; !named { // the configuration knows better
			all[uid] = string(t.Card)
		}
	}
	return nil
}

// controlCards are the roles of the control cards. A tag that is a card of a game too is told: it can be only one of both.
func (h *House) controlCards() (map[devices.UID]string, error) {
	all := map[devices.UID]string{}
	var errs []error
	for _, b := range h.opts.Buttons {
		if b.Watch != nil {
			continue
		}
		all[b.Tag] = b.Role
		if card, game, taken := h.tags.find(b.Tag); taken {
			errs = append(errs, advise("puce %[1]s : c’est déjà une carte (%[2]s, %[3]s), elle ne peut pas être aussi un bouton (%[4]s) : prenez une autre puce",
				"tag %[1]s: it is a card already (%[2]s, %[3]s) and cannot be a button (%[4]s), too: take another tag", b.Tag, card, game, b.Role))
		}
	}
	errs = append(errs, h.enrolledControls(all))
	return all, errors.Join(errs...)
}
