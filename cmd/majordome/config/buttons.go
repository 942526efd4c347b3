package config

import (
	"context"
	"fmt"
	"log/slog"

	"periph.io/x/conn/v3/gpio/gpioreg"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/button"
	"majordome/devices/node"
	"majordome/engine"
)

// Buttons and control cards belong to the table, not to a seat: all players see what they do, and nothing of it depends
// on a secret. Anyone in the room can press them, just as anyone can switch off the lamp.

// ControlLights switches all strips to white light at once, and back; the house does it without the game.
const ControlLights = "lights"

var ButtonRoles = []string{wire.ControlStart, wire.ControlNext, wire.ControlPause, wire.ControlAlarm, ControlLights, wire.ControlCall}

// ButtonConfig describes one button: at a pin, at a node, or a spare tag that is placed on any reader.
type ButtonConfig struct {
	Role   string `yaml:"role"`
	Pin    string `yaml:"pin"`
	Port   string `yaml:"port"`
	Button int    `yaml:"button"`
	Tag    string `yaml:"tag"`
}

// Button is one opened button or control card.
type Button struct {
	Role string
	// Tag is the UID of a control card; the zero UID: it is none.
	Tag devices.UID
	// Watch calls pressed for each press until ctx ends; nil for a control card.
	Watch func(ctx context.Context, pressed func())
	// IsStuck reports whether the button has been down since Watch began; nil if that cannot be known.
	IsStuck func() bool
}

var buttonKeys = []key{
	{name: "role", meaning: engine.T("ce qu’il fait : commencer la partie (ou rejouer), laisser les téléphones continuer sans "+
		"l’écran, mettre en pause et reprendre, tout arrêter sous lumière blanche (alarme), passer tous les rubans en lumière "+
		"blanche et revenir, appeler l’hôte à la table",
		"what it does: begins the game (or plays again), lets the phones go on without the display, pauses and resumes, stops "+
			"everything under white light (alarm), switches all strips to white light and back, calls the host to the table"),
		values:  wordChoices(ButtonRoles, engine.T(joinWords(ButtonRoles, "ou"), joinWords(ButtonRoles, "or"))),
		missing: engine.T("le rôle", "the role")},
	{name: "pin", meaning: engine.T("un bouton entre cette broche et la masse", "a button between this pin and ground"), values: pinValues,
		absent: engine.T("à un nœud, ou une puce", "at a node, or a tag")},
	{name: "port", meaning: engine.T("le port série du nœud auquel il est relié", "the serial port of the node that it hangs on"),
		values: nodePorts, absent: engine.T("à une broche, ou une puce", "at a pin, or a tag")},
	{name: "button", meaning: engine.T("lequel des boutons du nœud", "which of the node's buttons"),
		values:       intsInRange(0, node.MaxButtons-1),
		defaultValue: 0},
	{name: "tag", meaning: engine.T("le numéro d’une puce libre qui fait de même, posée sur n’importe quel lecteur",
		"the number of a spare tag that does the same when it is laid on any reader"), absent: engine.T("à une broche ou à un nœud",
		"at a pin or a node"),
		values: textsThatFit("mauvais numéro de puce", "bad number of a tag", isTagUIDText,
			engine.T("8, 14 ou 20 chiffres hexadécimaux, comme 04A1B2C3D4E5F6", "8, 14 or 20 hexadecimal digits, such as 04A1B2C3D4E5F6"))},
}

func isTagUIDText(s string) bool {
	_, err := devices.ParseUID(s)
	return err == nil
}

// checkButtons notes the faults of the buttons.
func (k *checker) checkButtons(c *Config) {
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
			k.addFault(at, engine.T("un bouton est à une broche (pin), à un nœud (port) ou une puce (tag)",
				"a button is at a pin, at a node (port) or a tag"),
				engine.T("écrivez l’un des trois", "write one of the three"))
			continue
		}
		if k.hasWrittenValue(at+".button") && b.Port == "" {
			k.addFault(at+".button", engine.T("button ne va qu’avec port", "button goes with port alone"),
				engine.T("enlevez-le", "take it out"))
		}
		uid, err := devices.ParseUID(b.Tag)
		if why, unfit := uid.UnfitAdvice(); b.Tag != "" && err == nil && unfit {
			k.addFault(at+".tag", engine.T("tag : "+why.FR, "tag: "+why.EN), engine.T("une autre puce", "another tag"))
		}
		s := source{b.Port, uid.String(), b.Button}
		if b.Pin == "" && taken[s] {
			k.addFault(at, engine.T("deux rôles pour un même bouton", "two roles for one button"),
				engine.T("un rôle par bouton ; plusieurs boutons peuvent avoir le même",
					"one role for each button; several buttons may have the same"))
		}
		taken[s] = true
	}
}

// Open opens the button. The configuration must have been checked.
func (c ButtonConfig) Open(nodes Nodes, log *slog.Logger) (Button, error) {
	b := Button{Role: c.Role}
	switch {
	case c.Tag != "":
		uid, err := devices.ParseUID(c.Tag)
		b.Tag = uid
		return b, err
	case c.Port != "":
		s, err := nodes.ensureNodeOpen(c.Port, log)
		if err == nil {
			b.Watch = s.newButtonWatch(c.Button)
		}
		return b, err
	}
	pin := gpioreg.ByName(c.Pin)
	if pin == nil {
		return b, missingPinAdvice(c.Pin, gpioChips, checkReadWriteAccess)
	}
	dev, err := button.New(pin)
	if err == nil {
		b.Watch, b.IsStuck = dev.Watch, dev.IsStuck
	}
	return b, err
}

// maxPresses is the most presses of a node's button that can wait until the house handles them; more are dropped.
const maxPresses = 8

// newButtonWatch returns a Watch function (Button.Watch) for a button of the node, counted from 0. The function releases
// the node when its context ends.
func (s *sharedNode) newButtonWatch(number int) func(context.Context, func()) {
	presses := make(chan struct{}, maxPresses)
	s.mu.Lock()
	s.presses[number] = append(s.presses[number], presses)
	s.mu.Unlock()
	return func(ctx context.Context, pressed func()) {
		for len(presses) > 0 { // drop presses from before the watch
			<-presses
		}
		for {
			select {
			case <-ctx.Done():
				if err := s.releaseUse(); err != nil {
					s.log.Warn("node", "port", s.port, "error", err, "conseil", "ce nœud ne s’est pas arrêté proprement")
				}
				return
			case <-presses:
				pressed()
			}
		}
	}
}

// handlePress receives a button event of the node. It never blocks.
func (s *sharedNode) handlePress(p node.Press) {
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
