package library

import (
	"context"
	"slices"
	"strings"

	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// maxAdopted is the limit of names in a list that is adopted.
const maxAdopted = 256

// nameableKinds lists the kinds of names that a rulebook leaves to the game box.
var nameableKinds = []engine.ID{"place", "weapon", "character", "clue", "suspect", "room", "pool", "area",
	"time-card", "butler-card", "clue-card"}

// Table is the loop of the table. ChangeDeck folds the events of the game again with the changed rulebook.
type Table interface {
	ChangeDeck(change game.DeckChange) *engine.Reject
}

// NamingRows returns the requests of the host's page that change the deck of the current game. At any time: a name
// (names-set). Only before a game: the effect of a clue card (names-clue id= kind= who= what= to=), the weapon of a
// room (names-pair place= weapon=), all names of another box (names-adopt list=), and the return to the default
// (names-reset). A change is made in the loop of the table. public returns the public update, nil before the first
// step.
func (l *Library) NamingRows(table Table, public func() *wire.Update) []office.Row {
	does := func(name string, do func(engine.Args) error) office.Row {
		return office.Row{Name: name, Role: wire.RoleOwner,
			Do: func(_ context.Context, c office.Call) (any, error) { return nil, do(c.Args) }}
	}
	return []office.Row{
		{Name: "names", Role: wire.RoleOwner, Show: func(office.Call) any { return l.buildNamingView(public()) }},
		does("names-set", func(a engine.Args) error {
			return l.changeDeck(table, "", newRenameEdit(engine.Name{ID: engine.ID(a["id"]), Text: engine.T(a["fr"], a["en"])}))
		}),
		does("names-clue", func(a engine.Args) error { // a game keeps the effects that it began with
			return l.changeDeck(table, "table.deck.lobby.clue", newClueEdit(engine.ID(a["id"]),
				engine.Effect{Kind: a["kind"], Who: a["who"], What: a["what"], To: a["to"]}))
		}),
		does("names-pair", func(a engine.Args) error { // weapons do not move while they can kill
			return l.changeDeck(table, "table.deck.lobby", newPairEdit(engine.ID(a["place"]), engine.ID(a["weapon"])))
		}),
		does("names-adopt", func(a engine.Args) error { // players would be confused if all names changed during a game
			names, ok := parseNames(a["list"])
			if !ok {
				return wire.NewRefusal("table.paste.again")
			}
			return l.changeDeck(table, "table.deck.lobby.adopt", newRenameEdit(names...))
		}),
		does("names-reset", func(engine.Args) error { return l.changeDeck(table, "table.deck.lobby", nil) }),
	}
}

// buildNamingView returns the changes that are possible now; nil before the first step.
func (l *Library) buildNamingView(u *wire.Update) *wire.Naming {
	if u == nil {
		return nil
	}
	game, lobby := u.View.Game, u.View.Phase == engine.PhaseLobby
	n := &wire.Naming{IDs: []engine.ID{}, Lobby: lobby, Own: l.IsChanged(game)}
	for _, name := range l.RulebookOf(game).Names() {
		if slices.Contains(nameableKinds, name.Kind) {
			n.IDs = append(n.IDs, name.ID)
		}
	}
	if d, ok := l.Deck(game).(deck.ClueDeck); ok && lobby {
		n.Clues = d.ClueParams()
	}
	return n
}

// changeDeck changes the deck of the current game in the loop. refusalKey is the message key of the refusal
// during a game; "" allows the change then.
func (l *Library) changeDeck(table Table, refusalKey string, e edit) error {
	no := table.ChangeDeck(func(game engine.ID, lobby bool) (engine.Rulebook, func() error, *engine.Reject) {
		if !lobby && refusalKey != "" {
			return nil, nil, &engine.Reject{Code: engine.NotNow, Rule: "GEN-010", Why: engine.NewMsg(refusalKey)}
		}
		return l.prepareChange(game, e)
	})
	if no != nil {
		return &wire.Refusal{Why: no.Why}
	}
	return nil
}

// newRenameEdit returns an edit that gives things new names, all or none.
func newRenameEdit(names ...engine.Name) edit {
	return func(d deck.Deck) (_ deck.Deck, no *engine.Reject) {
		for _, n := range names {
			if d, no = d.WithLabel(n.ID, n.Text); no != nil {
				return nil, no
			}
		}
		return d, nil
	}
}

// newClueEdit returns an edit that gives a clue card another effect.
func newClueEdit(card engine.ID, does engine.Effect) edit {
	return func(d deck.Deck) (deck.Deck, *engine.Reject) {
		if clues, ok := d.(deck.ClueDeck); ok {
			return clues.WithClueEffect(card, does)
		}
		return nil, deck.UnknownItemReject()
	}
}

// newPairEdit returns an edit that gives a room a weapon; the two rooms concerned swap theirs.
func newPairEdit(place, weapon engine.ID) edit {
	return func(d deck.Deck) (deck.Deck, *engine.Reject) {
		if pairs, ok := d.(deck.WeaponDeck); ok && weapon != "" {
			return pairs.WithSwappedWeapon(place, weapon)
		}
		return nil, deck.UnknownItemReject()
	}
}

// parseNames parses a list with a line for each name: its id and its text in each language, separated by
// tabs.
func parseNames(list string) (all engine.Names, ok bool) {
	for line := range strings.Lines(list) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(field) != 3 || len(all) == maxAdopted {
			return nil, false
		}
		all = append(all, engine.Name{ID: engine.ID(field[0]), Text: engine.T(field[1], field[2])})
	}
	return all, len(all) > 0
}
