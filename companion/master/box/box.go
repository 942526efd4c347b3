// Package box is the part that checks the box before a game (GEN-E09). While the check is open, cards at any
// reader are counted and do not reach the game. After "next group" the check is also a gate: the next game
// begins when no card is missing, or when the host insists.
package box

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// ActCheck is the act of the host, in the lobby: args {"on": "yes" or "no"}.
const ActCheck = "box-check"

const (
	kindForced = "table.forced" // a game has begun although the box was not full
	kindReset  = "table.reset"  // the box was filled for the next group; its data is a wire.Reset

	rule        = "GEN-E09"
	actBegin    = "begin" // an act of each game
	settingGate = "gate"  // its value is gateOpen from a "next group" until the box is full
	gateOpen    = "open"  // the check is open as a gate
	yes         = "yes"
	no          = "no"

	maxForeign = 64 // different tags without a card that are counted
)

// forcedData is the data of a kindForced: the number of missing cards when the host insisted.
type forcedData struct {
	Missing int `json:"missing"`
}

// Box is the part.
type Box struct {
	table   master.Table
	game    int64                  // the game of the check
	gate    bool                   // the next game needs a full box
	check   *check                 // nil: the check is not open
	sighted map[engine.ID]sighting // readings before and after games, since the start
	reset   *wire.Reset            // the reset before the current game, from the journal
}

// New returns the part.
func New(t master.Table) *Box { return &Box{table: t, sighted: map[engine.ID]sighting{}} }

// LoadSettings implements master.Loader: if the gate is set before the game, it opens the check again, even
// after a start.
func (b *Box) LoadSettings() {
	if b.game != b.table.GameNumber() {
		b.game, b.check = b.table.GameNumber(), nil
	}
	chosen, _, err := b.table.Setting(settingGate)
	if b.gate = err == nil && chosen == gateOpen && b.table.InLobby() && b.hasTaggedCards(); b.gate && b.check == nil {
		b.check = b.newCheck()
	}
}

// hasTaggedCards reports whether readers can count any card of the game.
func (b *Box) hasTaggedCards() bool {
	return slices.ContainsFunc(b.table.Book().Names(), func(n engine.Name) bool {
		return n.IsCard() && slices.Contains(b.table.Enrolled(), n.ID)
	})
}

// EventKinds implements master.Recorder. Only a forced beginning is in the minutes.
func (b *Box) EventKinds() []master.EventKind {
	return []master.EventKind{{Name: kindReset}, {Name: kindForced, MinutesLine: func(e store.Event) (engine.Msg, engine.Text) {
		var x forcedData
		master.DecodeData(e, &x)
		return engine.NewMsg("minutes.forced", "n", strconv.Itoa(x.Missing)), engine.Text{}
	}}}
}

// ResetEvents implements master.Recorder.
func (b *Box) ResetEvents() { b.reset = nil }

// ApplyEvent implements master.Recorder.
func (b *Box) ApplyEvent(e store.Event) {
	if x := (wire.Reset{}); e.Kind == kindReset && master.DecodeData(e, &x) {
		b.reset = &x
	}
}

// Acts implements master.Part.
func (b *Box) Acts() []master.Act {
	return []master.Act{{Name: ActCheck, Role: wire.RoleHost, Do: b.openOrCloseCheck}}
}

// AppendOffers implements master.Offerer.
func (b *Box) AppendOffers(all []engine.Offer) []engine.Offer {
	if !b.table.InLobby() {
		return all
	}
	return append(all, master.SwitchOffer(ActCheck, rule, b.check != nil))
}

// openOrCloseCheck opens or closes the check.
func (b *Box) openOrCloseCheck(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	switch on := args["on"]; {
	case !b.table.InLobby():
		return nil, master.Refuse(engine.NotNow, rule, "table.box.lobby")
	case on == yes:
		b.check = b.newCheck()
		b.table.DiscardReadings()
	case on == no:
		b.check = nil
	default:
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	return nil, nil
}

// IsTakingCards implements master.CardTaker.
func (b *Box) IsTakingCards() bool { return b.check != nil }

// StopTakingCards implements master.CardTaker.
func (b *Box) StopTakingCards() { b.check = nil }

// TakeCards implements master.CardTaker. The reader answers as in a game: card accepted, or once more. An
// unreadable tag gets no answer, because a card that falls past a reader begins and ends as one.
func (b *Box) TakeCards(reader string, tags []master.Tag) {
	v := b.check
	if b.gate {
		v.addWaitingTime(b.table.GameTime(), v.missingCards(b.fullBoxCards(v)))
	}
	known := v.addTags(tags, b.gate, b.table.GameTime())
	if b.gate && len(v.missingCards(b.fullBoxCards(v))) == 0 {
		b.endGate(master.ByScan, b.buildReset())
	}
	var notice *wire.Notice
	switch {
	case known:
		notice = &wire.Notice{Msg: engine.NewMsg("table.accepted"), Signal: wire.SignalAccepted, Reader: reader}
	case len(tags) > 0:
		notice = &wire.Notice{Msg: engine.NewMsg("table.box.foreign"), Rule: "GEN-E01", Signal: wire.SignalAgain, Reader: reader}
	}
	b.table.Publish(notice)
}

// ObserveCards implements master.CardTaker: it remembers which cards a reader has read before and after games.
func (b *Box) ObserveCards(at time.Time, reader string, tags []master.Tag) {
	if !b.table.InLobby() && b.table.PublicView().Result == nil {
		return
	}
	for _, t := range tags {
		if t.Card != "" {
			b.sighted[t.Card] = sighting{at: b.table.ReaderName(reader), wall: at}
		}
	}
}

// HandleGameBegun implements master.BeginListener. Readings before the game do not show where this game leaves a
// card.
func (b *Box) HandleGameBegun(string) {
	b.check = nil
	clear(b.sighted)
}

// PrepareNextGroup implements master.GroupListener: it sets the gate, if any card of the game has a tag.
func (b *Box) PrepareNextGroup() *engine.Reject {
	gate := ""
	if b.hasTaggedCards() {
		gate = gateOpen
	}
	return b.table.SetSetting(settingGate, gate)
}

// IsGateClosed implements master.Gatekeeper.
func (b *Box) IsGateClosed() bool { return b.gate && b.table.InLobby() }

// FilterAct implements master.ActFilter: if the host insists a game begins without a full box. The number of
// missing cards is recorded.
func (b *Box) FilterAct(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	if act != actBegin || !by.IsHost() || !b.IsGateClosed() {
		return args, false, nil
	}
	if args["force"] != yes {
		return args, true, master.Refuse(engine.Forbidden, rule, "table.gate.missing")
	}
	args = maps.Clone(args)
	delete(args, "force")
	reset := b.buildReset()
	if r = b.table.PlayAct(by.Author, act, args); r != nil {
		return args, true, r
	}
	if b.endGate(by.Author, reset); !b.table.IsPaused() {
		r = b.table.RecordEvent(by.Author, kindForced, forcedData{len(reset.Missing)})
	}
	return args, true, r
}

// endGate ends the gate and records how the box was filled. If the disk fails the gate stays until the disk can
// be written.
func (b *Box) endGate(author string, reset wire.Reset) {
	if b.table.RecordEvent(author, kindReset, reset) == nil && b.table.SetSetting(settingGate, "") == nil {
		b.gate = false
	}
}

// buildReset returns how the box was filled; if the check was closed all cards are missing. Its times are on the game
// clock, which starts with this lobby: they do not count a night with the daemon off, and do not depend on the
// wall clock.
func (b *Box) buildReset() wire.Reset {
	v := b.check
	if v == nil {
		v = b.newCheck()
	}
	full := b.fullBoxCards(v)
	r := wire.Reset{Took: b.table.GameTime(), Missing: v.missingCards(full)}
	v.addWaitingTime(r.Took, r.Missing)
	for _, n := range full {
		w, ok := v.waits[n.ID]
		if !ok {
			continue
		}
		if !v.seen[n.ID] {
			w.At = r.Took
		}
		w.Card = n.ID
		r.Cards = append(r.Cards, w)
	}
	return r
}

// ShowHost implements master.HostShower: the open check, which cards are missing, and where they were last seen.
func (b *Box) ShowHost(to *wire.ForHost) {
	v := b.check
	if v == nil {
		return
	}
	full := b.fullBoxCards(v)
	to.Box = &wire.BoxCheck{Kinds: []wire.KindCount{}, Missing: v.missingCards(full), Last: v.last, Foreign: len(v.foreign), Gate: b.gate}
	if b.gate {
		to.Box.Since = b.table.GameTime()
	}
	to.Box.Where = b.lastSightings(to.Box.Missing, v.before)
	at := map[engine.ID]int{}
	for _, n := range full {
		i, ok := at[n.Kind]
		if !ok {
			i = len(to.Box.Kinds)
			at[n.Kind] = i
			to.Box.Kinds = append(to.Box.Kinds, wire.KindCount{Kind: n.Kind})
		}
		to.Box.Kinds[i].Of++
		if v.seen[n.ID] {
			to.Box.Kinds[i].Seen++
		}
	}
}

// AddToFigures implements master.FiguresAdder: how the box was filled before the game.
func (b *Box) AddToFigures(f *wire.GameFigures, _ engine.Millis) { f.Reset = b.reset }
