package table

import (
	"slices"
	"strings"

	"majordome/companion/wire"
	"majordome/engine"
)

// edit does a change of the owner's deck. The game is told anew with the names
// and pairings that hold from now on; nothing in it changes but these.
func (c *core) edit(e Edit) (*wire.Notice, *engine.Reject) {
	if c.Library == nil {
		return nil, refuse(engine.Unknown, "GEN-010", "table.unknown")
	}
	if (e.Weapon != "" || e.Reset) && !c.inLobby() { // weapons do not move while they can kill
		return nil, refuse(engine.NotNow, "HC-A02", "table.deck.lobby")
	}
	if e.Does != nil && !c.inLobby() { // a game is played to its end with what its cards said at first
		return nil, refuse(engine.NotNow, "GEN-010", "table.deck.lobby.clue")
	}
	book, keep, r := c.Library.Edit(c.book.ID(), e)
	if r != nil {
		return nil, r
	}
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pause(err)
		return nil, c.standing()
	}
	p, err := fold(book, rows)
	if err != nil {
		panic("table: a changed deck: " + err.Error()) // the same ids, and it does not fit
	}
	if err := keep(); err != nil {
		c.Log.Error("the deck is not kept", "cause", err, "conseil", "les noms changés n’ont pas été enregistrés : vérifiez la carte mémoire")
		return nil, refuse(engine.NotNow, "GEN-010", "table.deck.store")
	}
	c.books = slices.Clone(c.books)
	for i, b := range c.books {
		if b.ID() == book.ID() {
			c.books[i] = book
		}
	}
	c.book, c.past = book, p
	if e.ID != "" { // new names show themselves; a line on every phone for each would be noise
		return nil, nil
	}
	return &wire.Notice{Msg: engine.Say("table.deck.changed")}, nil
}

func (c *core) rename(args engine.Args) (*wire.Notice, *engine.Reject) {
	return c.edit(Edit{ID: engine.ID(args["id"]), Label: engine.Text{FR: args["fr"], EN: args["en"]}})
}

// Limits of a list of names that is adopted.
const (
	maxNames   = 256
	pasteNames = "names"
)

// adopt gives the deck the names of another box of the same game: what was pasted before has a line for each, its id and its
// name in each language, with tabs between. All are taken, or none.
func (c *core) adopt(engine.Args) (*wire.Notice, *engine.Reject) {
	var e Edit
	for line := range strings.Lines(c.pasted(pasteNames)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(field) != 3 || len(e.Labels) == maxNames {
			return nil, refuse(engine.Unknown, "GEN-010", "table.paste.again")
		}
		e.Labels = append(e.Labels, engine.Name{ID: engine.ID(field[0]), Text: engine.Text{FR: field[1], EN: field[2]}})
	}
	if len(e.Labels) == 0 {
		return nil, refuse(engine.Unknown, "GEN-010", "table.paste.again")
	}
	if !c.inLobby() { // a table that plays would lose its bearings
		return nil, refuse(engine.NotNow, "GEN-010", "table.deck.lobby.adopt")
	}
	return c.edit(e)
}

func (c *core) pair(args engine.Args) (*wire.Notice, *engine.Reject) {
	if args["weapon"] == "" {
		return nil, refuse(engine.Unknown, "HC-A02", "table.deck.unknown")
	}
	return c.edit(Edit{Place: engine.ID(args["place"]), Weapon: engine.ID(args["weapon"])})
}

func (c *core) rewrite(args engine.Args) (*wire.Notice, *engine.Reject) {
	return c.edit(Edit{ID: engine.ID(args["id"]), Does: &engine.Effect{Kind: args["kind"], Who: args["who"], What: args["what"], To: args["to"]}})
}

func (c *core) resetDeck(engine.Args) (*wire.Notice, *engine.Reject) {
	return c.edit(Edit{Reset: true})
}

// nameable are the kinds whose labels the rulebook leaves to the box.
var nameable = []engine.ID{"place", "weapon", "character", "clue", "suspect", "room", "pool", "area", "time-card", "butler-card", "clue-card"}

// deckOffers are the changes of the deck that the host may make now.
func (c *core) deckOffers(lobby bool) []engine.Offer {
	if c.Library == nil {
		return nil
	}
	ids := map[engine.ID][]string{}
	var all []string
	for _, n := range c.book.Names() {
		ids[n.Kind] = append(ids[n.Kind], string(n.ID))
		if slices.Contains(nameable, n.Kind) {
			all = append(all, string(n.ID))
		}
	}
	offers := []engine.Offer{{Act: actRename, Rule: "GEN-010", Aside: true, Params: []engine.Param{
		{Name: "id", Kind: "value", Domain: all}, {Name: "fr", Kind: "text", Max: c.Library.MaxLabel()}, {Name: "en", Kind: "text", Max: c.Library.MaxLabel()}}}}
	if lobby {
		if clues := c.Library.Clues(c.book.ID()); clues != nil {
			offers = append(offers, engine.Offer{Act: actRewrite, Rule: "GEN-010", Aside: true, Params: clues})
		}
		if len(ids["place"]) > 0 { // the weapons of a Cluedo belong to no room
			offers = append(offers, engine.Offer{Act: actPair, Rule: "HC-A02", Aside: true, Params: []engine.Param{
				{Name: "place", Kind: "place", Domain: ids["place"]}, {Name: "weapon", Kind: "card", Domain: ids["weapon"]}}})
		}
		offers = append(offers, engine.Offer{Act: actAdopt, Rule: "GEN-010", Aside: true})
		if c.Library.Own(c.book.ID()) {
			offers = append(offers, engine.Offer{Act: actReset, Rule: "GEN-010", Aside: true, Grave: true})
		}
	}
	return offers
}
