// Package group is the part by which the host clears the table for the next group of players, who do not know
// the last one (GEN-E12): all keys of seats end, a person signs for it, the game and its notes are closed, and
// the check of the box opens.
package group

import (
	"strings"

	"majordome/companion/master"
	"majordome/companion/master/seats"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// ActNext is the act of the host: args {"sign": the name of the responsible person}.
const ActNext = "next-group"

const (
	kindSigned = "table.signed" // a group has signed off and the game was closed
	rule       = "GEN-E12"
	maxSign    = 40 // bytes of a signature
)

// signedData is the data of a kindSigned: the person who has closed a game.
type signedData struct {
	Sign string `json:"sign"`
}

// Group is the part.
type Group struct {
	table  master.Table
	desk   func() seats.Desk
	signed []store.Event // of the current game
}

// New returns the part.
func New(t master.Table, desk func() seats.Desk) *Group { return &Group{table: t, desk: desk} }

// EventKinds implements master.Recorder.
func (g *Group) EventKinds() []master.EventKind {
	return []master.EventKind{{Name: kindSigned, MinutesLine: func(e store.Event) (engine.Msg, engine.Text) {
		return engine.NewMsg("minutes.signed", "sign", signature(e)), engine.Text{}
	}}}
}

func signature(e store.Event) string {
	var x signedData
	master.DecodeData(e, &x)
	return x.Sign
}

// ResetEvents implements master.Recorder.
func (g *Group) ResetEvents() { g.signed = nil }

// ApplyEvent implements master.Recorder.
func (g *Group) ApplyEvent(e store.Event) {
	if e.Kind == kindSigned {
		g.signed = append(g.signed, e)
	}
}

// AddToFigures implements master.FiguresAdder.
func (g *Group) AddToFigures(f *wire.GameFigures, _ engine.Millis) {
	for _, e := range g.signed {
		f.Sign = signature(e)
		f.UpdateShareOf(e.Cause, func(one *wire.StaffShare) { one.Signed = true })
	}
}

// Acts implements master.Part. It is possible in a pause, but only offered there when time is up.
func (g *Group) Acts() []master.Act {
	return []master.Act{{Name: ActNext, Role: wire.RoleOperator, Pause: master.InHold, Signed: true, Do: g.startNextGroup}}
}

// AppendOffers implements master.Offerer.
func (g *Group) AppendOffers(all []engine.Offer) []engine.Offer {
	t := g.table
	hold := t.CurrentHold()
	timeUp := hold != nil && hold.Over
	if t.IsPaused() && !timeUp {
		return all
	}
	return append(all, engine.Offer{Act: ActNext, Rule: rule, Grave: !timeUp && !t.HasEnded() && !t.InLobby(), Params: signatureParams})
}

// signatureParams asks for the person who answers for the reset.
var signatureParams = []engine.Param{{Name: "sign", Kind: "text", Max: maxSign}}

// startNextGroup ends all keys of seats, then the game and its notes. The keys go first: if a later step fails, the
// last group cannot see what follows, and the host tries again.
func (g *Group) startNextGroup(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	t := g.table
	sign := strings.TrimSpace(args["sign"])
	if name, ok := wire.StaffName(by.Author); ok { // a signed-in person signs with that name only
		sign = name
	}
	if sign == "" || len(sign) > maxSign || !deck.IsPrintable(sign) {
		return nil, master.Refuse(engine.Unknown, rule, "table.group.sign")
	}
	g.desk().RefreshInvites(nil)
	if len(t.SeatPhones()) > 0 {
		t.Log().Error("phones of the last group keep their keys",
			"conseil", "des téléphones du dernier groupe n’ont pas pu être retirés : recommencez")
		return nil, master.Refuse(engine.NotNow, rule, "table.phone.failed")
	}
	t.ResetActCounts(func(h wire.Handset) bool { return !h.IsHost() })
	if r := t.RecordEvent(by.Author, kindSigned, signedData{sign}); r != nil {
		return nil, r
	}
	if r := t.OpenNextGroup(by.Author); r != nil {
		return nil, r
	}
	g.desk().EndSeatRequests()
	return &wire.Notice{Msg: engine.NewMsg("table.group.next")}, nil
}
