package game

import (
	"strings"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// actNextGroup clears the table for people who have nothing to do with those of the last game: args {"sign": who answers for it}.
const actNextGroup = "next-group"

// maxSign bounds a signature, in bytes.
const maxSign = 40

// signed is who has closed a game.
type signed struct {
	Sign string `json:"sign"`
}

// groupOffers are the host's; over: the present game has ended.
func (c *core) groupOffers(all []engine.Offer, over bool) []engine.Offer {
	return append(all, engine.Offer{Act: actNextGroup, Rule: "GEN-E12", Grave: !over && !c.inLobby(), Params: signature})
}

// signature asks who answers for the reset.
var signature = []engine.Param{{Name: "sign", Kind: "text", Max: maxSign}}

// nextGroup ends every key of a seat, then the game with its notes, and opens the box check, which stands before the next game. Keys go
// first: if anything fails after them, nobody of the last group sees what comes, and the host does it again.
func (c *core) nextGroup(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	sign := strings.TrimSpace(args["sign"])
	if name, ok := wire.StaffName(by.Author); ok { // nobody signs for another
		sign = name
	}
	if sign == "" || len(sign) > maxSign || !deck.Printable(sign) {
		return nil, master.Refuse(engine.Unknown, "GEN-E12", "table.group.sign")
	}
	c.Desk.Invites(nil)
	if len(c.Desk.Phones()) > 0 {
		c.Log.Error("phones of the last group keep their keys", "conseil", "des téléphones du dernier groupe n’ont pas pu être retirés : recommencez")
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.failed")
	}
	c.afresh(func(h wire.Handset) bool { return !h.IsHost() })
	if r := c.record(by.Author, kindSigned, signed{sign}); r != nil {
		return nil, r
	}
	if err := c.blankNotes(); err != nil {
		c.pause(err)
		return nil, c.standing()
	}
	var no *engine.Reject
	eachPart(c.parts, func(g master.Grouper) {
		if no == nil {
			no = g.NextGroup()
		}
	})
	if no != nil {
		return nil, no
	}
	if _, r := c.newGame(by, engine.Args{"seats": clean}); r != nil {
		return nil, r
	}
	clear(c.whispers)
	return &wire.Notice{Msg: engine.Say("table.group.next")}, nil
}
