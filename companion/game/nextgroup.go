package game

import (
	"strings"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// actNextGroup clears the table for a group that has nothing to do with the last one: args {"sign": the name of
// the responsible person}.
const actNextGroup = "next-group"

// maxSign limits a signature, in bytes.
const maxSign = 40

// signedData is the data of a kindSigned: the person who has closed a game.
type signedData struct {
	Sign string `json:"sign"`
}

// appendNextGroupOffer adds the host's offer to clear the table; over: the current game has ended.
func (c *core) appendNextGroupOffer(all []engine.Offer, over bool) []engine.Offer {
	return append(all, engine.Offer{Act: actNextGroup, Rule: "GEN-E12", Grave: !over && !c.isInLobby(), Params: signatureParams})
}

// signatureParams asks for the person who answers for the reset.
var signatureParams = []engine.Param{{Name: "sign", Kind: "text", Max: maxSign}}

// startNextGroup ends all keys of seats, then the game and its notes, and opens the check of the box. The keys
// go first: if a later step fails, the last group cannot see what follows, and the host tries again.
func (c *core) startNextGroup(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	sign := strings.TrimSpace(args["sign"])
	if name, ok := wire.StaffName(by.Author); ok { // a signed-in person signs with that name only
		sign = name
	}
	if sign == "" || len(sign) > maxSign || !deck.IsPrintable(sign) {
		return nil, master.Refuse(engine.Unknown, "GEN-E12", "table.group.sign")
	}
	c.Desk.SyncInvites(nil)
	if len(c.Desk.SeatPhones()) > 0 {
		c.Log.Error("phones of the last group keep their keys",
			"conseil", "des téléphones du dernier groupe n’ont pas pu être retirés : recommencez")
		return nil, master.Refuse(engine.NotNow, "GEN-E12", "table.phone.failed")
	}
	c.resetActCounts(func(h wire.Handset) bool { return !h.IsHost() })
	if r := c.recordEvent(by.Author, kindSigned, signedData{sign}); r != nil {
		return nil, r
	}
	if err := c.clearNotes(); err != nil {
		c.pauseForFailure(err)
		return nil, c.refusePaused()
	}
	var no *engine.Reject
	eachPart(c.parts, func(g master.GroupListener) {
		if no == nil {
			no = g.NextGroup()
		}
	})
	if no != nil {
		return nil, no
	}
	if _, r := c.startNewGame(by, engine.Args{"seats": seatsClear}); r != nil {
		return nil, r
	}
	clear(c.privateNotices)
	return &wire.Notice{Msg: engine.NewMsg("table.group.next")}, nil
}
