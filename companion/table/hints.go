package table

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
)

// The acts about hints. A hint is no move of the game: undo does not reach it, and no rule knows it.
const (
	actHints   = "hints"     // the host's: args {"most": HintsOff, HintsFree or a number}
	actHint    = "hint"      // the host's: args {"to": a seat, HintAll or HintDisplay, and "text" or "stock"}
	actUnhint  = "hint-back" // the host's: args {"n"} takes one back
	actUnasked = "hint-no"   // the host's: args {"seat"} answers who asks with none
	actAskHint = "ask-hint"  // a seat's: args {"on": "yes" or "no"}
)

// Who hears a hint, but for a seat.
const (
	hintAll     = "all"     // every phone and the display
	hintDisplay = "display" // the display alone
)

// Values of the setting, but for a number of hints in each game.
const (
	settingHints = "hints"
	hintsOff     = "off" // and where nobody has chosen
	hintsFree    = "free"
)

// maxHints are the hints of one game that can be taken back or are still shown.
const maxHints = 6

// askEvery is how often a seat may ask for a hint: one whose phones ask without pause would write the journal full.
const askEvery = 10 * time.Second

// hintChoices are what a host chooses from.
var hintChoices = []string{hintsOff, hintsFree, "1", "2", "3", "5", "10"}

// offerHints are the offers of that choice by what is chosen now, made once: nobody may change one.
var offerHints = func() map[string]engine.Offer {
	all := map[string]engine.Offer{}
	for _, now := range hintChoices {
		others := slices.DeleteFunc(slices.Clone(hintChoices), func(m string) bool { return m == now })
		all[now] = engine.Offer{Act: actHints, Rule: "GEN-010", Aside: true, Params: []engine.Param{{Name: "most", Kind: "value", Domain: others}}}
	}
	return all
}()

// hint is one that the host has given. Its JSON is how the journal keeps it.
type hint struct {
	N     int           `json:"n"`
	To    string        `json:"to"`
	Text  engine.Text   `json:"text"`
	Cost  engine.Millis `json:"cost,omitempty"`  // that it took off the countdown
	Stock string        `json:"stock,omitempty"` // which of those that stand ready it was
	at    engine.Millis // when
	by    string
}

// hints are those of a game, as its events tell.
type hints struct {
	last  int    // number of the newest
	count int    // given, and not taken back
	sent  []hint // the newest of them
	asked []wire.AskedHint
}

// cost is what a hint took off the countdown when it was given.
func (all hints) cost(n int) engine.Millis {
	if i := slices.IndexFunc(all.sent, func(h hint) bool { return h.N == n }); i >= 0 {
		return all.sent[i].Cost
	}
	return 0
}

// hinted are the hints after an event of the loop.
func (all hints) hinted(e store.Event) hints {
	var h hint
	if !ownKinds[e.Kind] || json.Unmarshal(e.Data, &h) != nil {
		return all
	}
	switch e.Kind {
	case kindHint:
		h.at, h.by = e.At, e.Cause
		all.last, all.count = h.N, all.count+1
		all.sent = append(slices.Clone(all.sent[max(0, len(all.sent)-maxHints+1):]), h)
		all.asked = slices.DeleteFunc(slices.Clone(all.asked), func(a wire.AskedHint) bool { return h.To == hintAll || h.To == a.Seat.String() })
	case kindUnhint:
		had := len(all.sent)
		all.sent = slices.DeleteFunc(slices.Clone(all.sent), func(o hint) bool { return o.N == h.N })
		all.count -= had - len(all.sent)
	case kindAsk, kindUnask:
		seat, err := engine.ParseSeat(h.To)
		if err != nil {
			return all
		}
		all.asked = slices.DeleteFunc(slices.Clone(all.asked), func(a wire.AskedHint) bool { return a.Seat == seat })
		if e.Kind == kindAsk {
			all.asked = append(all.asked, wire.AskedHint{Seat: seat, Since: e.At})
		}
	}
	return all
}

// readHints learns how many hints a game may have. A store that cannot tell stops no game: then there are none.
func (c *core) readHints() {
	c.hintsMost = hintsOff
	if chosen, ok, err := c.journal.Setting(settingHints); err == nil && ok && slices.Contains(hintChoices, chosen) {
		c.hintsMost = chosen
	}
}

// setHints is the host's choice, at any time.
func (c *core) setHints(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	most := args["most"]
	if !slices.Contains(hintChoices, most) {
		return nil, master.Refuse(engine.Unknown, "GEN-010", "table.unknown")
	}
	if r := c.set(settingHints, most); r != nil {
		return nil, r
	}
	c.hintsMost = most
	return nil, nil
}

// spentHints reports that the game has had all its hints.
func (c *core) spentHints() bool {
	most, err := strconv.Atoi(c.hintsMost)
	return err == nil && c.hints.count >= most
}

// hinting reports that hints can be given and asked for. The end of a game does not count: phones may not know of it yet.
func (c *core) hinting() bool { return c.hintsMost != hintsOff && !c.inLobby() }

// stock are the hints that stand ready for the game on the table.
func (c *core) stock() []wire.StockHint {
	if c.Hints == nil {
		return nil
	}
	return c.Hints(c.book.ID())
}

// hintOffers are the host's.
func (c *core) hintOffers(all []engine.Offer) []engine.Offer {
	all = append(all, offerHints[c.hintsMost])
	if !c.hinting() {
		return all
	}
	to := []string{hintAll, hintDisplay}
	for _, s := range c.game.look().Public.Seats {
		to = append(to, s.Seat.String())
	}
	if !c.spentHints() {
		whom := engine.Param{Name: "to", Kind: "value", Domain: to}
		all = append(all, engine.Offer{Act: actHint, Rule: "GEN-010", Aside: true, Params: []engine.Param{whom, {Name: "text", Kind: "text", Max: wire.MaxHint}}})
		var ready []string
		for _, s := range c.stock() {
			ready = append(ready, s.ID)
		}
		if len(ready) > 0 {
			all = append(all, engine.Offer{Act: actHint, Rule: "GEN-010", Aside: true, Params: []engine.Param{whom, {Name: "stock", Kind: "value", Domain: ready}}})
		}
	}
	for _, h := range c.hints.sent {
		all = append(all, engine.Offer{Act: actUnhint, Rule: "GEN-010", Aside: true, Fixed: engine.Args{"n": strconv.Itoa(h.N)}})
	}
	for _, a := range c.hints.asked {
		all = append(all, engine.Offer{Act: actUnasked, Rule: "GEN-010", Aside: true, Fixed: engine.Args{"seat": a.Seat.String()}})
	}
	return all
}

// giveHint gives one to a seat, to all, or to the display.
func (c *core) giveHint(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	h := hint{N: c.hints.last + 1, To: args["to"]}
	seat, err := engine.ParseSeat(h.To)
	switch {
	case !c.hinting():
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.hint.later")
	case c.spentHints():
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.hint.spent")
	case h.To != hintAll && h.To != hintDisplay && (err != nil || !c.seated(seat)):
		return nil, master.Refuse(engine.Unknown, "GEN-010", "table.invite.nobody")
	}
	if id, ready := args["stock"]; ready {
		all := c.stock()
		i := slices.IndexFunc(all, func(s wire.StockHint) bool { return s.ID == id })
		if i < 0 {
			return nil, master.Refuse(engine.Unknown, "GEN-010", "table.unknown")
		}
		h.Text, h.Stock = all[i].Text, id
	} else if h.Text.FR = strings.TrimSpace(args["text"]); !GoodHint(h.Text.FR) {
		return nil, master.Refuse(engine.Unknown, "GEN-010", "table.hint.long")
	}
	h.Cost = c.hintCost()
	if r := c.record(by.Author, kindHint, h); r != nil || h.Cost == 0 {
		return nil, r
	}
	c.cueAgain()
	return c.passing(engine.Say("table.count.hint", "n", seconds(h.Cost))), nil
}

// GoodHint reports a text that can be a hint. It is measured as JSON has it.
func GoodHint(text string) bool {
	if text == "" || len(text) > wire.MaxHint || !deck.Printable(text) {
		return false
	}
	written, err := json.Marshal(text)
	return err == nil && len(written) <= wire.MaxHint+len(`""`)
}

// takeHintBack makes a hint as one that was never given: who has not read it will not.
func (c *core) takeHintBack(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	i := slices.IndexFunc(c.hints.sent, func(h hint) bool { return strconv.Itoa(h.N) == args["n"] })
	if i < 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.hint.none")
	}
	defer c.cueAgain() // what it cost is given back
	return nil, c.record(by.Author, kindUnhint, hint{N: c.hints.sent[i].N})
}

// denyHint answers a seat that asks with none.
func (c *core) denyHint(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, err := engine.ParseSeat(args["seat"])
	if err != nil || !c.asksHint(seat) {
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.hint.none")
	}
	return nil, c.record(by.Author, kindUnask, hint{To: seat.String()})
}

func (c *core) asksHint(seat engine.Seat) bool {
	return slices.ContainsFunc(c.hints.asked, func(a wire.AskedHint) bool { return a.Seat == seat })
}

// askHint is a seat's way of calling for a hint, and back. The host alone sees it.
func (c *core) askHint(by master.Actor, seat engine.Seat, args engine.Args) *engine.Reject {
	on := args["on"] == yes
	switch {
	case !c.hinting() || !c.seated(seat):
		return master.Refuse(engine.NotNow, "GEN-010", "table.hint.later")
	case on == c.asksHint(seat):
		return master.Refuse(engine.NotNow, "GEN-010", "table.hint.none")
	case on && c.spentHints():
		return master.Refuse(engine.NotNow, "GEN-010", "table.hint.spent")
	case on && c.askedLately(seat):
		return master.Refuse(engine.NotNow, "GEN-010", "table.hint.wait")
	}
	kind := kindUnask
	if on {
		kind = kindAsk
		c.askedAt[seat] = c.Clock.Now()
	}
	return c.record(by.Author, kind, hint{To: seat.String()})
}

func (c *core) askedLately(seat engine.Seat) bool { _, is := c.askedAt[seat]; return is }

// askAgain names when seats may ask again: who asked is forgotten then, whatever has come of it, so that it tells nobody anything.
func (c *core) askAgain(due func(time.Time, func())) {
	for _, seat := range slices.Sorted(maps.Keys(c.askedAt)) {
		due(c.askedAt[seat].Add(askEvery), func() { delete(c.askedAt, seat); c.publish(notices{}) })
	}
}

// askOffer is that way; whether it is there depends on the seat's own taps and on what the host has chosen for all.
func (c *core) askOffer(all []engine.Offer, seat engine.Seat) []engine.Offer {
	asks := c.asksHint(seat)
	if c.paused != nil || !c.hinting() || !asks && (c.spentHints() || c.askedLately(seat)) {
		return all
	}
	on := yes
	if asks {
		on = no
	}
	return append(all, engine.Offer{Act: actAskHint, Rule: "GEN-010", Aside: true, Fixed: engine.Args{"on": on}})
}

// shownHint is the newest hint that v may read: a seat its own and those to all, the public those of the display. The host's page
// lists what it has given.
func (c *core) shownHint(v engine.Viewer) *wire.Hint {
	if v.IsHost() || !c.hinting() {
		return nil
	}
	for _, h := range slices.Backward(c.hints.sent) {
		if own := h.To == v.String(); own || h.To == hintAll || v == engine.Public && h.To == hintDisplay {
			return &wire.Hint{N: h.N, Own: own, Text: h.Text}
		}
	}
	return nil
}

// shownHints are for the host alone.
func (c *core) shownHints() *wire.Hints {
	s := &wire.Hints{Most: c.hintsMost, Given: c.hints.count}
	if !c.hinting() {
		return s
	}
	for _, h := range c.hints.sent {
		s.Sent = append(s.Sent, wire.SentHint{N: h.N, To: h.To, By: h.by, Text: h.Text, Ago: c.now() - h.at})
	}
	for _, a := range c.hints.asked {
		s.Asked = append(s.Asked, wire.AskedHint{Seat: a.Seat, Since: c.now() - a.Since})
	}
	s.Stock = c.stock()
	return s
}
