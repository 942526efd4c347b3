package cards

import (
	"slices"

	"majordome/cmd/majordome/config"
	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// enrolOpts returns the options for a list of wire.Enrol. names belong to game; games lists all games of the
// table.
func enrolOpts(list string, game engine.ID, names engine.Names, games []engine.ID) enrol.Opts {
	o := enrol.Opts{Deck: game, Others: []engine.ID{ControlDeck}, Unfit: unfitTagReason}
	switch list {
	case wire.EnrolControls:
		o.Deck, o.Others, o.Cards = ControlDeck, games, controlCardNames()
	case wire.EnrolPawns:
		o.Cards = engine.NamesOfPawns(names)
	case wire.EnrolSpare: // a card without a tag may get its first one
		o.Cards = slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool { return !n.IsCard() })
	default:
		o.Cards = slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool { return !n.IsCard() || n.Untagged })
	}
	return o
}

// unfitTagReason returns why a tag cannot identify a card; see devices.UID.Unfit.
func unfitTagReason(uid string) (reason engine.Text, isUnfit bool) {
	u, err := devices.ParseUID(uid)
	if err != nil {
		return engine.T("ce numéro n’est pas celui d’une puce", "this is not the number of a tag"), true
	}
	why, ok := u.UnfitAdvice()
	return config.AdviceText(why), ok
}

// tagRefusalReason returns why a tag cannot be enrolled at this table: it cannot identify a card, or the
// configuration uses it as a button.
func (c *Cards) tagRefusalReason(uid string) (reason engine.Text, isRefused bool) {
	for _, b := range c.opts.Buttons {
		if b.Watch == nil && b.Tag.String() == uid {
			return engine.T("la puce "+uid+" est un bouton dans les réglages ("+b.Role+") : prenez-en une autre",
				"tag "+uid+" is a button in the settings ("+b.Role+"): take another one"), true
		}
	}
	return unfitTagReason(uid)
}

// parseUID returns a typed UID as readers write it; ok is false if it is invalid.
func parseUID(typed string) (uid string, ok bool) {
	u, err := devices.ParseUID(typed)
	if err != nil {
		return "", false
	}
	return u.String(), true
}

// TagCounts counts the tags of a game.
type TagCounts struct {
	Cards, Tagged int // cards that need a tag, and those of them that have one
	Unfit         int // invalid UIDs, and those that change or that other tags have too
	Unknown       int // tags of cards that the deck does not have
}

// CountTags counts the tags of a game in a store. Only cards that need a tag are counted as cards; pawns may
// have tags too.
func CountTags(s *store.Store, game engine.ID, names engine.Names) (counts TagCounts, err error) {
	tags, err := s.Tags(game)
	if err != nil {
		return counts, err
	}
	known := map[engine.ID]bool{}
	for _, n := range slices.Concat(names, engine.NamesOfPawns(names)) {
		known[n.ID] = true
	}
	has := map[engine.ID]bool{}
	for _, t := range tags {
		_, bad := unfitTagReason(t.UID)
		switch {
		case bad:
			counts.Unfit++
		case !known[t.Card]:
			counts.Unknown++
		default:
			has[t.Card] = true
		}
	}
	for _, n := range enrolOpts(wire.EnrolCards, game, names, nil).Cards {
		if counts.Cards++; has[n.ID] {
			counts.Tagged++
		}
	}
	return counts, nil
}
