package game

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/seats"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// createParts creates the parts, and lists their acts and orders.
//
// All orders of programs, and their refusals, depend only on public facts and on the host's settings for the
// room, because the answers may be heard in the whole house. So there are no others. In particular the next
// group needs the signature of a person.
func (c *core) createParts() {
	first, last := c.partsOfLoop()
	c.parts = newPartList(append(newParts(partTable{c}, partNeeds{
		desk: func() seats.Desk { return c.Desk },
		stock: func(game engine.ID) []wire.StockHint {
			if c.Hints == nil {
				return nil
			}
			return c.Hints(game)
		},
		recovery: c.Recovery,
		salt:     c.Salt,
	}, first...), last)...)
	c.acts, c.orders = map[string]master.Act{}, map[string]master.Act{}
	for _, p := range c.parts.all {
		for _, a := range p.Acts() {
			c.acts[a.Name] = a
		}
	}
	eachPart(c.parts, func(o master.OrderLister) {
		for _, a := range o.Orders() {
			c.orders[a.Name] = a
		}
	})
	c.rights = rightsOf(c.acts)
}

// partTable is the master.Table of the parts.
type partTable struct{ c *core }

func (p partTable) GameNumber() int64                     { return p.c.gameID }
func (p partTable) Book() engine.Rulebook                 { return p.c.book }
func (p partTable) PublicView() *engine.View              { return &p.c.game.currentViews().Public }
func (p partTable) LastStep() int64                       { return p.c.lastStep }
func (p partTable) PlayedUntil() engine.Millis            { return p.c.playedUntil }
func (p partTable) InLobby() bool                         { return p.c.isInLobby() }
func (p partTable) InScene() bool                         { return p.c.scene != nil }
func (p partTable) HasEnded() bool                        { return p.c.isEndKnownToPhones() }
func (p partTable) GameTime() engine.Millis               { return p.c.gameTime() }
func (p partTable) WallTimeOf(at engine.Millis) time.Time { return p.c.wallTimeOf(at) }
func (p partTable) WallTime() time.Time                   { return p.c.Clock.Now() }
func (p partTable) IsPaused() bool                        { return p.c.pauseMsg != nil }
func (p partTable) Log() *slog.Logger                     { return p.c.Log }
func (p partTable) Lights() master.Lights                 { return p.c.Lights }
func (p partTable) ReaderStates() map[string]string       { return p.c.readerStates }
func (p partTable) ReaderName(role string) string         { return p.c.readerName(role) }
func (p partTable) SeatsOnline() []engine.Seat            { return p.c.seatsOnline() }
func (p partTable) Publish(n *wire.Notice)                { p.c.publish(notices{public: n}) }
func (p partTable) HostOffers() []engine.Offer            { return p.c.game.currentViews().Host.Offers }
func (p partTable) SeatPhones() []wire.SeatPhones         { return p.c.Desk.SeatPhones() }
func (p partTable) PhoneMark(h wire.Handset) string       { return p.c.Desk.PhoneIdentity(h) }
func (p partTable) PersonAt(h wire.Handset) wire.Person   { return p.c.People.PersonAt(h) }
func (p partTable) Secrets() []engine.Holding             { return p.c.game.View(engine.Overseer).Secrets }
func (p partTable) PlayAct(author, act string, args engine.Args) *engine.Reject {
	return p.c.playCommand(engine.Command{At: p.c.gameTime(), By: engine.Host, Act: act, Args: args}, author)
}
func (p partTable) RoomSettings() map[string]string {
	all := map[string]string{}
	eachPart(p.c.parts, func(r master.RoomSettingsLister) { maps.Copy(all, r.RoomSettings()) })
	return all
}
func (p partTable) Enrolled() []engine.ID { return p.c.Enrolled }
func (p partTable) DiscardReadings()      { clear(p.c.tagFields.windows) }
func (p partTable) LastPositions(game int64) (map[engine.ID]string, time.Time) {
	return p.c.lastPositionsIn(game)
}
func (p partTable) IsOnline(h wire.Handset) bool                  { return slices.Contains(p.c.online, h) }
func (p partTable) ResetActCounts(gone func(wire.Handset) bool)   { p.c.resetActCounts(gone) }
func (p partTable) StartPhoneNotice(said engine.Msg) *wire.Notice { return p.c.startPhoneNotice(said) }
func (p partTable) TryAct(act string, args engine.Args) *engine.Reject {
	_, r := p.c.game.Decide(engine.Command{At: p.c.gameTime(), By: engine.Host, Act: act, Args: args}, chance.New(0))
	return r
}
func (p partTable) ResumeAfterLosses() *engine.Reject { return p.c.resumeAfterLosses() }
func (p partTable) OpenNextGroup(author string) *engine.Reject {
	return p.c.closeGameForNextGroup(author)
}
func (p partTable) LastAct() master.LastAct {
	return master.LastAct{Step: p.c.group.step, LastGameStep: p.c.lastGameStep}
}
func (p partTable) UndoLastAct(author string) *engine.Reject { return p.c.undoLastAct(author) }
func (p partTable) CanWithdraw(seat engine.Seat) bool        { return p.c.canWithdrawLastAct(seat) }
func (p partTable) CurrentHold() *wire.Hold {
	if p.c.isHeld {
		return p.c.hold
	}
	return nil
}
func (p partTable) HoldGame(author string, h wire.Hold) *engine.Reject {
	return p.c.holdGame(author, h)
}
func (p partTable) ReleaseGame(author string) *engine.Reject { return p.c.releaseGame(author) }
func (p partTable) RecordEvent(author, kind string, data any) *engine.Reject {
	return p.c.recordEvent(author, kind, data)
}
func (p partTable) Setting(name string) (string, bool, error)    { return p.c.journal.Setting(name) }
func (p partTable) SetSetting(name, value string) *engine.Reject { return p.c.setSetting(name, value) }
func (p partTable) Results(limit int) ([]store.Result, error)    { return p.c.journal.Results(limit) }
func (p partTable) StartPassingNotice(said engine.Msg) *wire.Notice {
	return p.c.startPassingNotice(said)
}
