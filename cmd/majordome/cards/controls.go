package cards

import (
	"errors"
	"slices"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// ControlDeck is the deck id in the store for the tags of enrolled control cards. In place of a card each has
// its role.
const ControlDeck engine.ID = "control-cards"

// controlCardNames returns the control cards that can be enrolled, each under its role.
func controlCardNames() engine.Names {
	says := map[string]engine.Text{
		wire.ControlStart: engine.T("Carte de commande : commencer, ou rejouer", "Control card: begin, or play again"),
		wire.ControlNext:  engine.T("Carte de commande : continuer sans attendre l’écran", "Control card: go on without the display"),
		wire.ControlPause: engine.T("Carte de commande : pause, et reprise", "Control card: pause, and resume"),
		wire.ControlAlarm: engine.T("Carte de commande : alarme, pause sous lumière blanche",
			"Control card: alarm, a pause under white light"),
		config.ControlLights: engine.T("Carte de commande : lumière blanche, et retour", "Control card: white light, and back"),
		wire.ControlCall:     engine.T("Carte de commande : appeler l’hôte", "Control card: call the host"),
	}
	var all engine.Names
	for _, role := range config.ButtonRoles {
		all = append(all, engine.Name{ID: engine.ID(role), Text: says[role]})
	}
	return all
}

// addEnrolledControls adds the enrolled control cards to all. It skips a tag that has become a card of a
// game, or that is invalid.
func (c *Cards) addEnrolledControls(all map[devices.UID]string) error {
	tags, err := c.opts.Store.Tags(ControlDeck)
	if err != nil {
		return err
	}
	for _, t := range tags {
		uid, err := devices.ParseUID(t.UID)
		if err != nil || !slices.Contains(config.ButtonRoles, string(t.Card)) {
			continue
		}
		if _, _, taken := c.tags.findCard(uid); taken {
			c.opts.Log.Warn("a control card is a card of a game, too, and counts as that", "tag", uid, "role", t.Card,
				"conseil", "cette carte de commande est aussi une carte de jeu, et compte comme telle : "+
					"enregistrez-en une autre sur la page de l’hôte")
			continue
		}
		if _, named := all[uid]; !named { // the configuration wins
			all[uid] = string(t.Card)
		}
	}
	return nil
}

// readControls returns the roles of the control cards. A button of the configuration whose tag is a card of a
// game is an error, because a tag can be only one of the two.
func (c *Cards) readControls() (map[devices.UID]string, error) {
	all := map[devices.UID]string{}
	var errs []error
	for _, b := range c.opts.Buttons {
		if b.Watch != nil {
			continue
		}
		all[b.Tag] = b.Role
		if card, game, taken := c.tags.findCard(b.Tag); taken {
			errs = append(errs, devices.NewAdvice("puce %[1]s : c’est déjà une carte (%[2]s, %[3]s), "+
				"elle ne peut pas être aussi un bouton (%[4]s) : prenez une autre puce",
				"tag %[1]s: it is a card already (%[2]s, %[3]s) and cannot be a button (%[4]s), too: take another tag",
				b.Tag, card, game, b.Role))
		}
	}
	errs = append(errs, c.addEnrolledControls(all))
	return all, errors.Join(errs...)
}
