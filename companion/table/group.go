package table

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// actNextGroup clears the table for people who have nothing to do with those of the last game: args {"sign": who answers for it}.
const actNextGroup = "next-group"

// settingGate is settingOpen between a next group and a full box.
const (
	settingGate = "gate"
	settingOpen = "open"
)

// maxSign bounds a signature, in bytes.
const maxSign = 40

// signed and forced are the journal's: who has closed a game, and how many cards were missing when the next began all the same.
type signed struct {
	Sign string `json:"sign"`
}

type forced struct {
	Missing int `json:"missing"`
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
	gate := ""
	if c.tagged() {
		gate = settingOpen
	}
	if r := c.set(settingGate, gate); r != nil {
		return nil, r
	}
	var no *engine.Reject
	eachPart(c.parts, func(g master.Grouper) { no = cmp.Or(no, g.NextGroup()) })
	if no != nil {
		return nil, no
	}
	if _, r := c.newGame(by, engine.Args{"seats": clean}); r != nil {
		return nil, r
	}
	clear(c.whispers)
	return &wire.Notice{Msg: engine.Say("table.group.next")}, nil
}

// tagged reports a game with cards that a reader can count.
func (c *core) tagged() bool {
	return slices.ContainsFunc(c.book.Names(), func(n engine.Name) bool { return n.IsCard() && slices.Contains(c.Enrolled, n.ID) })
}

// readGate opens the box check again where it stands before the game, after a start too.
func (c *core) readGate() {
	chosen, _, err := c.journal.Setting(settingGate)
	if c.gate = err == nil && chosen == settingOpen && c.inLobby() && c.tagged(); c.gate && c.inventory == nil {
		c.inventory = c.newInventory()
	}
}

// passGate ends the gate; what it took is on record.
func (c *core) passGate(author string, took wire.Reset) {
	if c.record(author, kindReset, took) != nil {
		return // it stands until the disk writes again
	}
	if c.set(settingGate, "") != nil {
		return
	}
	c.gate = false
}

// gated reports that a game cannot begin because its box is not full.
func (c *core) gated() bool { return c.gate && c.inLobby() }

// gateTook is how long the gate has stood before this game, on the clock of the game: the night in which the table is off is nobody's
// wait, and no clock on the wall moves it.
func (c *core) gateTook() engine.Millis { return c.now() }

// resetTook is how the box was filled, with all missing where the check was closed.
func (c *core) resetTook() wire.Reset {
	v := c.inventory
	if v == nil {
		v = c.newInventory()
	}
	full := v.expected(c)
	r := wire.Reset{Took: c.gateTook(), Missing: v.missing(full)}
	v.tick(r.Took, r.Missing)
	for _, n := range full {
		w, ok := v.watches[n.ID]
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

// beginAnyway begins the game without a full box. It is on record, with how many cards were missing.
func (c *core) beginAnyway(by master.Actor, args engine.Args) (*engine.Reject, *notices) {
	if args["force"] != yes {
		return master.Refuse(engine.Forbidden, "GEN-E09", "table.gate.missing"), &notices{}
	}
	rest := maps.Clone(args)
	delete(rest, "force")
	took := c.resetTook()
	r := c.play(engine.Command{At: c.now(), By: by.Viewer, Act: actBegin, Args: rest}, by.Author)
	if r == nil {
		if c.passGate(by.Author, took); c.paused == nil {
			r = c.record(by.Author, kindForced, forced{len(took.Missing)})
		}
	}
	n := ofAct(by.Viewer, r)
	return r, &n
}

// gateOffers marks the beginning of a game whose box is not full as one to be insisted on.
func (c *core) gateOffers(all []engine.Offer) []engine.Offer {
	if !c.gated() {
		return all
	}
	for i, o := range all {
		if o.Act == actBegin {
			all[i].Fixed, all[i].Grave = engine.Args{"force": yes}, true
		}
	}
	return all
}

// sighting is where a card was seen last, and when: at a reader or in a place. Of one seen in a game the moment is that of its end: by
// the minutes everybody knows who was to lay a card at which second.
type sighting struct {
	at   string
	wall time.Time
	game bool
}

// maxGames is how many games before the present one are looked through for cards.
const maxGames = 3

// sightings are those of the games of a group that is gone, and of what readers have seen since.
func (c *core) sightings() map[engine.ID]sighting {
	all := map[engine.ID]sighting{}
	for id := max(1, c.gameID-maxGames); id < c.gameID; id++ {
		rows, err := c.journal.Events(id)
		if err != nil || len(rows) == 0 {
			continue // the box is checked all the same
		}
		for card, at := range lying(rows, c.fillings(rows)) {
			if at == "" {
				delete(all, card)
			} else {
				all[card] = sighting{at, rows[len(rows)-1].Wall, true}
			}
		}
	}
	for card, s := range c.sighted {
		if s.wall.After(all[card].wall) {
			all[card] = s
		}
	}
	return all
}

// fillings are the steps of a game since nothing lay in its urn, as everybody saw, but for those that were taken back: what had lain there
// before was taken out, by hands that need not have named it. Where a game has no urn, whose reader then sees what goes into a hand, there are none.
func (c *core) fillings(rows []store.Event) map[int64]bool {
	for _, b := range c.books {
		p, err := fold(b, rows)
		if err != nil {
			continue // a game by other rules
		}
		if p.game.look().Public.Urn == 0 {
			return nil
		}
		since, g := map[int64]bool{}, b.New()
		live, _, _, _ := liveSteps(rows) // fold has read all of it
		for _, s := range live {
			done, _ := decode(b, s)
			since[s[0].Step] = true
			if g = g.Evolve(done.events...); g.View(engine.Public).Urn == 0 {
				clear(since)
			}
		}
		return since
	}
	return nil
}

// lying is where each card of a game lay at last: in the urn or in a place whose reader has seen it. Nowhere ("") is one that has been at
// the table reader, was named by somebody since, or lay in the urn when that was emptied or the deposit was taken back: it went into a
// hand, and whose that was stays theirs when the game is over.
func lying(rows []store.Event, fillings map[int64]bool) map[engine.ID]string {
	all := map[engine.ID]string{}
	for _, r := range rows {
		var x command
		if len(r.Command) == 0 || json.Unmarshal(r.Command, &x) != nil {
			continue
		}
		at := x.Args["reader"]
		if x.Act != engine.ActScan || at == engine.ReaderShow || at == engine.ReaderUrn && !fillings[r.Step] {
			at = ""
		}
		for _, card := range append(x.Args.List("cards"), x.Args["card"]) {
			if card != "" {
				all[engine.ID(card)] = at
			}
		}
	}
	return all
}

// glimpse notes which cards a reader sees before and after games.
func (c *core) glimpse(at time.Time, reader string, tags []Tag) {
	if !c.idle() {
		return
	}
	for _, t := range tags[:min(len(tags), maxTags)] {
		if t.Card != "" {
			c.sighted[t.Card] = sighting{at: c.place(reader), wall: at}
		}
	}
}

// where says of the missing cards where they were seen last, in the order in which a hand that walks along the table meets them: the
// urn, the other readers, the places. What nobody has seen is in none.
func (c *core) where(missing []engine.ID, seen map[engine.ID]sighting) []wire.LastSeen {
	all := make([]wire.LastSeen, 0, len(missing))
	rank := map[string]int{engine.ReaderUrn: -2, engine.ReaderShow: -1}
	for i, n := range c.book.Names() {
		rank[string(n.ID)] = i
	}
	for _, card := range missing {
		if s, ok := seen[card]; ok {
			all = append(all, wire.LastSeen{Card: card, At: s.at, Game: s.game, Ago: engine.Millis(max(0, c.Clock.Now().Sub(s.wall).Milliseconds()))})
		}
	}
	at := func(l wire.LastSeen) int {
		if n, ok := rank[l.At]; ok {
			return n
		}
		return len(rank) // a reader of no name here
	}
	slices.SortStableFunc(all, func(a, b wire.LastSeen) int { return cmp.Or(cmp.Compare(at(a), at(b)), strings.Compare(a.At, b.At)) })
	return all
}
