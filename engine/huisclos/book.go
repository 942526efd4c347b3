package huisclos

import (
	"errors"
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// gameID is the game of this package.
const gameID engine.ID = "huis-clos"

// Book is the rulebook with one deck. It is immutable.
type Book struct {
	deck          *Deck
	names         engine.Names
	startPlace    place
	startWeapon   card          // on the start place at set-up (HC-007)
	observeDelay  engine.Millis // in milliseconds (HC-118)
	cardID        [numCards + 1]string
	engineID      [numCards + 1]engine.ID // the same
	placeID       [numPlaces + 1]string
	placeArgs     [numPlaces + 1]engine.Args // arguments that name each place, for the offers of a count
	characterID   [numCharacters + 1]string
	cardByID      map[string]card
	placeByID     map[string]place
	characterByID map[string]character
	roleCardID    []string // ids, from 1
	roleByCardID  map[string]drawnRole
	defaults      [numSwitches]uint8
}

var _ engine.Rulebook = (*Book)(nil)

// New makes the rulebook of a deck that ParseDeck has returned.
func New(d *Deck) (engine.Rulebook, error) {
	if d == nil || d.Game != gameID {
		return nil, errors.New("huisclos: new: not a deck of Huis Clos")
	}
	b := &Book{deck: d, observeDelay: engine.Millis(d.ObserveDelay),
		cardByID: map[string]card{}, placeByID: map[string]place{}, characterByID: map[string]character{},
		roleCardID: make([]string, 1, len(d.RoleCards)+1), roleByCardID: map[string]drawnRole{}}
	for i, p := range d.Places {
		b.placeID[i+1], b.placeByID[string(p.ID)] = string(p.ID), place(i+1)
		b.placeArgs[i+1] = rules.HolderArgs(string(p.ID))
		b.cardID[i+1], b.cardByID[string(p.Weapon.ID)] = string(p.Weapon.ID), card(i+1)
		if p.ID == d.Start {
			b.startPlace = place(i + 1)
		}
	}
	b.startWeapon = b.cardByID[string(d.StartWeapon)]
	next := card(numPlaces + 1)
	for i, c := range d.Characters {
		b.characterID[i+1], b.characterByID[string(c.ID)] = string(c.ID), character(i+1)
		for _, clue := range c.Clues {
			b.cardID[next], b.cardByID[string(clue.ID)] = string(clue.ID), next
			next++
		}
	}
	for c, id := range b.cardID {
		b.engineID[c] = engine.ID(id)
	}
	for i, r := range d.RoleCards {
		b.roleCardID, b.roleByCardID[string(r.ID)] = append(b.roleCardID, string(r.ID)), newDrawnRole(parseRole(r.Role), uint8(i+1))
	}
	if err := switches.SetDefaults(d.Switches, b.defaults[:]); err != nil {
		return nil, fmt.Errorf("huisclos: new: %w", err)
	}
	b.names = append(engine.Names{{ID: d.Game, Kind: "game", Text: engine.T("Huis Clos", "Huis Clos")}}, buildNames(d)...)
	return b, nil
}

// ID returns "huis-clos".
func (b *Book) ID() engine.ID { return b.deck.Game }

// Names returns the labels in deck order. The two roles have labels of their own (role-murderer,
// role-innocent): it means nothing which Innocent card a player drew.
func (b *Book) Names() engine.Names { return slices.Clone(b.names) }

func buildNames(d *Deck) engine.Names {
	ns := engine.Names{}
	add := func(id, kind, of engine.ID, t engine.Text) {
		ns = append(ns, engine.Name{ID: id, Kind: kind, Text: t, Of: of})
	}
	for _, c := range d.Characters {
		add(c.ID, "character", "", engine.T(c.FR, c.EN))
	}
	for _, r := range d.RoleCards {
		add(r.ID, "role-card", "", engine.T(r.FR, r.EN))
	}
	for _, r := range d.RoleCards {
		of := roleID(parseRole(r.Role))
		if !slices.ContainsFunc(ns, func(n engine.Name) bool { return n.ID == of }) {
			add(of, "role", "", engine.T(r.FR, r.EN))
		}
	}
	for _, p := range d.Places {
		add(p.ID, "place", "", engine.T(p.FR, p.EN))
	}
	for _, p := range d.Places {
		add(p.Weapon.ID, "weapon", p.ID, p.Weapon.Text())
	}
	for _, c := range d.Characters {
		for _, clue := range c.Clues {
			add(clue.ID, "clue", c.ID, clue.Text())
		}
	}
	for _, a := range d.Accusations {
		add(a.ID, "accusation-card", "", a.Text())
	}
	for _, s := range d.Switches {
		add(s.ID, "switch", switches.RuleChangedBy(s.ID), engine.T(s.FR, s.EN))
		for _, v := range s.Values {
			add(v.ID, "value", s.ID, v.Text())
			ns[len(ns)-1].Default = v.ID == s.Default
		}
	}
	for i := range ns {
		ns[i].Untagged = d.IsUntagged(ns[i].ID)
	}
	return ns
}

func parseRole(s string) role {
	if s == Murderer {
		return murderer
	}
	return innocent
}

func roleID(r role) engine.ID {
	switch r {
	case murderer:
		return "role-murderer"
	case innocent:
		return "role-innocent"
	default:
		return ""
	}
}

// readerCardByID returns the card with an id; zero: no card of this deck.
func (b *Book) readerCardByID(id string) readerCard {
	return max(readerCard(b.cardByID[id]), b.roleByCardID[id].readerCard())
}

// listIDs returns the ids of a set in deck order.
func (b *Book) listIDs(x set) []string {
	return rules.ListIDs(b.cardID[:], uint64(x))
}
