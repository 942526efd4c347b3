// Package box is the part by which the box is checked before a game (GEN-E09): while the check is open cards at any reader are counted and
// reach no game. Between a next group and a full box it is a gate: the next game begins when nothing is missing, or when the host insists.
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
	kindForced = "table.forced" // a game has begun without a full box
	kindReset  = "table.reset"  // the box was filled for the next group; its data is a wire.Reset

	rule        = "GEN-E09"
	actBegin    = "begin" // of every game
	settingGate = "gate"  // gateOpen between a next group and a full box
	gateOpen    = "open"
	yes         = "yes"
	no          = "no"

	maxForeign = 64 // tags of no card that are told apart
)

// forced is the data of a kindForced: how many cards were missing when the host insisted.
type forced struct {
	Missing int `json:"missing"`
}

// Box is the part.
type Box struct {
	table   master.Table
	game    int64                  // to which the check belongs
	gate    bool                   // the box is to be full before the next game
	check   *check                 // nil: none is open
	sighted map[engine.ID]sighting // before and after games, since the start
	reset   *wire.Reset            // before the game, as the journal has it
}

// New returns the part.
func New(t master.Table) *Box { return &Box{table: t, sighted: map[engine.ID]sighting{}} }

// Load implements master.Loader: it opens the check again where the gate stands before the game, after a start too.
func (b *Box) Load() {
	if b.game != b.table.Game() {
		b.game, b.check = b.table.Game(), nil
	}
	chosen, _, err := b.table.Setting(settingGate)
	if b.gate = err == nil && chosen == gateOpen && b.table.InLobby() && b.tagged(); b.gate && b.check == nil {
		b.check = b.newCheck()
	}
}

// tagged reports a game with cards that a reader can count.
func (b *Box) tagged() bool {
	return slices.ContainsFunc(b.table.Book().Names(), func(n engine.Name) bool { return n.IsCard() && slices.Contains(b.table.Enrolled(), n.ID) })
}

// Kinds implements master.Recorder.
func (b *Box) Kinds() []master.Kind {
	return []master.Kind{{Name: kindReset}, {Name: kindForced, Minute: func(e store.Event) (engine.Msg, engine.Text) {
		var x forced
		master.Read(e, &x)
		return engine.Say("minutes.forced", "n", strconv.Itoa(x.Missing)), engine.Text{}
	}}}
}

// Reset implements master.Recorder.
func (b *Box) Reset() { b.reset = nil }

// Apply implements master.Recorder.
func (b *Box) Apply(e store.Event) {
	if x := (wire.Reset{}); e.Kind == kindReset && master.Read(e, &x) {
		b.reset = &x
	}
}

// Acts implements master.Part.
func (b *Box) Acts() []master.Act {
	return []master.Act{{Name: ActCheck, Role: wire.RoleHost, Do: b.open}}
}

// Offers implements master.Offerer.
func (b *Box) Offers(all []engine.Offer) []engine.Offer {
	if !b.table.InLobby() {
		return all
	}
	return append(all, master.Switch(ActCheck, rule, b.check != nil))
}

// open opens and closes the check.
func (b *Box) open(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	switch on := args["on"]; {
	case !b.table.InLobby():
		return nil, master.Refuse(engine.NotNow, rule, "table.box.lobby")
	case on == yes:
		b.check = b.newCheck()
		b.table.ForgetReadings()
	case on == no:
		b.check = nil
	default:
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	return nil, nil
}

// TakesCards implements master.CardTaker.
func (b *Box) TakesCards() bool { return b.check != nil }

// StopTaking implements master.CardTaker.
func (b *Box) StopTaking() { b.check = nil }

// TakeCards implements master.CardTaker. The reader answers as it does in a game: a card, or once more please. What cannot be read is nothing
// yet, because a card that falls past a reader begins and ends with noise.
func (b *Box) TakeCards(reader string, tags []master.Tag) {
	v := b.check
	if b.gate {
		v.tick(b.table.Now(), v.missing(b.full(v)))
	}
	known := v.add(tags, b.gate, b.table.Now())
	if b.gate && len(v.missing(b.full(v))) == 0 {
		b.pass(master.ByScan, b.took())
	}
	var told *wire.Notice
	switch {
	case known:
		told = &wire.Notice{Msg: engine.Say("table.accepted"), Signal: wire.SignalAccepted, Reader: reader}
	case len(tags) > 0:
		told = &wire.Notice{Msg: engine.Say("table.box.foreign"), Rule: "GEN-E01", Signal: wire.SignalAgain, Reader: reader}
	}
	b.table.Publish(told)
}

// NoteCards implements master.CardTaker: it notes which cards a reader sees before and after games.
func (b *Box) NoteCards(at time.Time, reader string, tags []master.Tag) {
	if !b.table.InLobby() && b.table.Public().Result == nil {
		return
	}
	for _, t := range tags {
		if t.Card != "" {
			b.sighted[t.Card] = sighting{at: b.table.ReaderName(reader), wall: at}
		}
	}
}

// GameBegun implements master.BeginListener. What was seen before says nothing of where this game leaves a card.
func (b *Box) GameBegun(string) {
	b.check = nil
	clear(b.sighted)
}

// NextGroup implements master.Grouper.
func (b *Box) NextGroup() *engine.Reject {
	gate := ""
	if b.tagged() {
		gate = gateOpen
	}
	return b.table.Set(settingGate, gate)
}

// GateClosed implements master.Gatekeeper.
func (b *Box) GateClosed() bool { return b.gate && b.table.InLobby() }

// FilterAct implements master.ActFilter: a game begins without a full box where the host insists. It is on record, with how many cards were
// missing.
func (b *Box) FilterAct(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	if act != actBegin || !by.IsHost() || !b.GateClosed() {
		return args, false, nil
	}
	if args["force"] != yes {
		return args, true, master.Refuse(engine.Forbidden, rule, "table.gate.missing")
	}
	args = maps.Clone(args)
	delete(args, "force")
	took := b.took()
	if r = b.table.Play(by.Author, act, args); r != nil {
		return args, true, r
	}
	if b.pass(by.Author, took); !b.table.Paused() {
		r = b.table.Record(by.Author, kindForced, forced{len(took.Missing)})
	}
	return args, true, r
}

// pass ends the gate; what it took is on record. It stands until the disk writes again where it does not.
func (b *Box) pass(author string, took wire.Reset) {
	if b.table.Record(author, kindReset, took) == nil && b.table.Set(settingGate, "") == nil {
		b.gate = false
	}
}

// took is how the box was filled, with all missing where the check was closed. The gate has stood for as long as this game, on the clock
// of the game: the night in which the table is off is nobody's wait, and no clock on the wall moves it.
func (b *Box) took() wire.Reset {
	v := b.check
	if v == nil {
		v = b.newCheck()
	}
	full := b.full(v)
	r := wire.Reset{Took: b.table.Now(), Missing: v.missing(full)}
	v.tick(r.Took, r.Missing)
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

// ShowHost implements master.HostShower.
func (b *Box) ShowHost(to *wire.ForHost) {
	v := b.check
	if v == nil {
		return
	}
	full := b.full(v)
	to.Box = &wire.BoxCheck{Kinds: []wire.KindCount{}, Missing: v.missing(full), Last: v.last, Foreign: len(v.foreign), Gate: b.gate}
	if b.gate {
		to.Box.Since = b.table.Now()
	}
	to.Box.Where = b.where(to.Box.Missing, v.before)
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

// AddToFigures implements master.FiguresAdder.
func (b *Box) AddToFigures(f *wire.GameFigures, _ engine.Millis) { f.Reset = b.reset }
