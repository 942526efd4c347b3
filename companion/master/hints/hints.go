// Package hints is the part by which the host gives hints and seats ask for them. A hint is not a move of the
// game: undo does not reach it, and it ends with the game. A hint to one seat is only in that seat's update and
// on the host's page. Each hint is one step for all viewers, so that the traffic does not show whom it is for.
// For the same reason phones do not report whether it was read.
package hints

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

// The acts.
const (
	// The host sets how many hints a game may have, at any time: args {"most": "off", "free" or a number}.
	ActMost = "hints"
	// The host gives a hint: args {"to": a seat, ToAll or ToDisplay, and "text" or "stock"}.
	ActGive = "hint"
	// The host takes a hint back: args {"n"}. Phones no longer show it.
	ActBack = "hint-back"
	// The host refuses a seat's request for a hint: args {"seat"}.
	ActDeny = "hint-no"
	// A seat asks for a hint, or no longer does: args {"on": "yes" or "no"}. Only the host sees the request.
	ActAsk = "ask-hint"
)

// Kinds of its events.
const (
	KindGiven  = "table.hint"
	KindBack   = "table.hint-back"
	KindAsked  = "table.ask"
	KindDenied = "table.ask-no"
)

// Readers of a hint, in addition to a single seat.
const (
	ToAll     = "all"     // all phones and the display
	ToDisplay = "display" // only the display
)

const (
	rule    = "GEN-010"
	setting = "hints"
	yes     = "yes"
)

// Values of ActMost that are not numbers.
const (
	Off  = "off" // also until the host chooses
	Free = "free"
)

// MaxShown is the number of the newest hints of a game that can be taken back and are still shown.
const MaxShown = 6

// AskEvery is the least time between two requests of a seat for a hint, so that a phone cannot fill the
// journal.
const AskEvery = 10 * time.Second

// choices lists the values of ActMost.
var choices = []string{Off, Free, "1", "2", "3", "5", "10"}

// offerMost holds the offer of ActMost for each current value. The offers are shared and read-only.
var offerMost = func() map[string]engine.Offer {
	all := map[string]engine.Offer{}
	for _, now := range choices {
		others := slices.DeleteFunc(slices.Clone(choices), func(m string) bool { return m == now })
		all[now] = engine.Offer{
			Act: ActMost, Rule: rule, Aside: true,
			Params: []engine.Param{{Name: "most", Kind: "value", Domain: others}},
		}
	}
	return all
}()

// hint is a hint by the host, and the data of its event in the journal.
type hint struct {
	N     int           `json:"n"`
	To    string        `json:"to"`
	Text  engine.Text   `json:"text"`
	Cost  engine.Millis `json:"cost,omitempty"`  // time that it took off the countdown
	Stock string        `json:"stock,omitempty"` // the id of a prepared hint; empty for a typed one
	at    engine.Millis // game time
	by    string
}

// Hints is the part, with the hints of the current game.
type Hints struct {
	// Cost returns how much time a hint takes off the countdown now. Nil: there is no countdown.
	Cost func() engine.Millis

	table   master.Table
	stock   func(game engine.ID) []wire.StockHint
	limit   string                    // how many hints a game may have: the value of ActMost
	askedAt map[engine.Seat]time.Time // requests of the last AskEvery
	game    int64                     // the game of these hints

	last   int      // number of the newest hint
	given  []hint   // without those taken back
	givers []string // authors of all hints, even those taken back
	asked  []wire.AskedHint
}

// New returns the part. stock returns the prepared hints of a game, at most wire.MaxStock.
func New(t master.Table, stock func(game engine.ID) []wire.StockHint) *Hints {
	return &Hints{table: t, stock: stock, limit: Off, askedAt: map[engine.Seat]time.Time{}}
}

// LoadSettings implements master.Loader. If the store fails there are no hints and the game goes on.
func (h *Hints) LoadSettings() {
	h.limit = Off
	if chosen, ok, err := h.table.Setting(setting); err == nil && ok && slices.Contains(choices, chosen) {
		h.limit = chosen
	}
	if h.game != h.table.GameNumber() {
		h.game = h.table.GameNumber()
		clear(h.askedAt)
	}
}

// EventKinds implements master.Recorder.
func (h *Hints) EventKinds() []master.EventKind {
	return []master.EventKind{{Name: KindGiven, MinutesLine: formatMinutesLine},
		{Name: KindBack, MinutesLine: master.FixedMinutesLine("minutes.hint-back")},
		{Name: KindAsked, MinutesLine: master.FixedMinutesLine("minutes.ask")}, {Name: KindDenied,
			MinutesLine: master.FixedMinutesLine("minutes.ask-no")}}
}

// formatMinutesLine returns the line of a hint in the minutes. It does not contain the text of a hint to one seat.
func formatMinutesLine(e store.Event) (engine.Msg, engine.Text) {
	var x hint
	if master.DecodeData(e, &x); x.To == ToAll || x.To == ToDisplay {
		return engine.NewMsg("minutes.hint." + x.To), x.Text
	}
	return engine.NewMsg("minutes.hint.seat"), engine.Text{}
}

// ResetEvents implements master.Recorder.
func (h *Hints) ResetEvents() { h.last, h.given, h.givers, h.asked = 0, nil, nil, nil }

// ApplyEvent implements master.Recorder.
func (h *Hints) ApplyEvent(e store.Event) {
	var x hint
	switch e.Kind {
	case KindGiven, KindBack, KindAsked, KindDenied:
		if !master.DecodeData(e, &x) {
			return
		}
	}
	seat, err := engine.ParseSeat(x.To)
	switch e.Kind {
	case KindGiven:
		x.at, x.by = e.At, e.Cause
		h.last, h.given, h.givers = x.N, append(h.given, x), append(h.givers, x.by)
		h.asked = slices.DeleteFunc(h.asked, func(a wire.AskedHint) bool { return x.To == ToAll || x.To == a.Seat.String() })
	case KindBack:
		h.given = slices.DeleteFunc(h.given, func(o hint) bool { return o.N == x.N })
	case KindAsked, KindDenied:
		if err != nil {
			return
		}
		h.asked = slices.DeleteFunc(h.asked, func(a wire.AskedHint) bool { return a.Seat == seat })
		if e.Kind == KindAsked {
			h.asked = append(h.asked, wire.AskedHint{Seat: seat, Since: e.At})
		}
	}
}

// CostOf returns the number of a hint and the time that it took off the countdown, from its event.
func CostOf(e store.Event) (n int, cost engine.Millis) {
	var x hint
	master.DecodeData(e, &x)
	return x.N, x.Cost
}

// recentHints returns the hints that can be taken back or are still shown, the oldest first.
func (h *Hints) recentHints() []hint { return h.given[max(0, len(h.given)-MaxShown):] }

// hasReachedLimit reports whether as many hints were given, and not taken back, as a game may have.
func (h *Hints) hasReachedLimit() bool {
	n, err := strconv.Atoi(h.limit)
	return err == nil && len(h.given) >= n
}

// allowsHints reports whether hints can be given and asked for. It stays true at the end of a game, because the
// phones may not know of the end yet.
func (h *Hints) allowsHints() bool { return h.limit != Off && !h.table.InLobby() }

func (h *Hints) stockHints() []wire.StockHint { return h.stock(h.table.Book().ID()) }

// Acts implements master.Part.
func (h *Hints) Acts() []master.Act {
	return []master.Act{
		{Name: ActMost, Role: wire.RoleOperator, Do: h.setLimit},
		{Name: ActGive, Role: wire.RoleOperator, Do: h.giveHint},
		{Name: ActBack, Role: wire.RoleOperator, Do: h.takeHintBack},
		{Name: ActDeny, Role: wire.RoleOperator, Do: h.denyRequest},
		{Name: ActAsk, Seats: true, Do: h.recordRequest},
	}
}

// AppendOffers implements master.Offerer.
func (h *Hints) AppendOffers(all []engine.Offer) []engine.Offer {
	all = append(all, offerMost[h.limit])
	if !h.allowsHints() {
		return all
	}
	offer := func(act string, fixed engine.Args, params ...engine.Param) {
		all = append(all, engine.Offer{Act: act, Rule: rule, Aside: true, Fixed: fixed, Params: params})
	}
	to := []string{ToAll, ToDisplay}
	for _, s := range h.table.PublicView().Seats {
		to = append(to, s.Seat.String())
	}
	if !h.hasReachedLimit() {
		whom := engine.Param{Name: "to", Kind: "value", Domain: to}
		offer(ActGive, nil, whom, engine.Param{Name: "text", Kind: "text", Max: wire.MaxHint})
		var ready []string
		for _, s := range h.stockHints() {
			ready = append(ready, s.ID)
		}
		if len(ready) > 0 {
			offer(ActGive, nil, whom, engine.Param{Name: "stock", Kind: "value", Domain: ready})
		}
	}
	for _, x := range h.recentHints() {
		offer(ActBack, engine.Args{"n": strconv.Itoa(x.N)})
	}
	for _, a := range h.asked {
		offer(ActDeny, engine.Args{"seat": a.Seat.String()})
	}
	return all
}

// setLimit sets how many hints a game may have.
func (h *Hints) setLimit(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if !slices.Contains(choices, args["most"]) {
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	}
	if r := h.table.SetSetting(setting, args["most"]); r != nil {
		return nil, r
	}
	h.limit = args["most"]
	return nil, nil
}

// giveHint gives a hint to a seat, to all, or to the display.
func (h *Hints) giveHint(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	x := hint{N: h.last + 1, To: args["to"]}
	seat, err := engine.ParseSeat(x.To)
	switch {
	case !h.allowsHints():
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.later")
	case h.hasReachedLimit():
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.spent")
	case x.To != ToAll && x.To != ToDisplay && (err != nil || !master.HasPlayer(h.table.PublicView(), seat)):
		return nil, master.Refuse(engine.Unknown, rule, "table.invite.nobody")
	}
	if id, ready := args["stock"]; ready {
		all := h.stockHints()
		i := slices.IndexFunc(all, func(s wire.StockHint) bool { return s.ID == id })
		if i < 0 {
			return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
		}
		x.Text, x.Stock = all[i].Text, id
	} else if x.Text.FR = strings.TrimSpace(args["text"]); !IsValidText(x.Text.FR) {
		return nil, master.Refuse(engine.Unknown, rule, "table.hint.long")
	}
	if h.Cost != nil {
		x.Cost = h.Cost()
	}
	if r := h.table.RecordEvent(by.Author, KindGiven, x); r != nil || x.Cost == 0 {
		return nil, r
	}
	return h.table.StartPassingNotice(engine.NewMsg("table.count.hint", "n", strconv.FormatInt(int64(x.Cost/1000), 10))), nil
}

// IsValidText reports whether a text can be a hint. Its length in JSON counts.
func IsValidText(text string) bool {
	if text == "" || len(text) > wire.MaxHint || !deck.IsPrintable(text) {
		return false
	}
	written, err := json.Marshal(text)
	return err == nil && len(written) <= wire.MaxHint+len(`""`)
}

// takeHintBack removes a hint as if it had never been given.
func (h *Hints) takeHintBack(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	all := h.recentHints()
	i := slices.IndexFunc(all, func(x hint) bool { return strconv.Itoa(x.N) == args["n"] })
	if i < 0 {
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.none")
	}
	return nil, h.table.RecordEvent(by.Author, KindBack, hint{N: all[i].N})
}

// denyRequest refuses a seat's request for a hint.
func (h *Hints) denyRequest(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, err := engine.ParseSeat(args["seat"])
	if err != nil || !h.isAsking(seat) {
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.none")
	}
	return nil, h.table.RecordEvent(by.Author, KindDenied, hint{To: seat.String()})
}

func (h *Hints) isAsking(seat engine.Seat) bool {
	return slices.ContainsFunc(h.asked, func(a wire.AskedHint) bool { return a.Seat == seat })
}

// recordRequest records that a seat asks for a hint, or no longer does. Only the host sees it.
func (h *Hints) recordRequest(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, _ := by.Seat() // 0 for the host, who cannot ask
	on := args["on"] == yes
	switch {
	case h.table.InScene():
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.scene")
	case !h.allowsHints() || !master.HasPlayer(h.table.PublicView(), seat):
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.later")
	case on == h.isAsking(seat):
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.none")
	case on && h.hasReachedLimit():
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.spent")
	case on && h.hasAskedLately(seat):
		return nil, master.Refuse(engine.NotNow, rule, "table.hint.wait")
	}
	kind := KindDenied
	if on {
		kind = KindAsked
		h.askedAt[seat] = h.table.WallTime()
	}
	return nil, h.table.RecordEvent(by.Author, kind, hint{To: seat.String()})
}

func (h *Hints) hasAskedLately(seat engine.Seat) bool { _, is := h.askedAt[seat]; return is }

// ListTimers implements master.Timer: it lists when seats may ask again. The request is then forgotten,
// whatever its answer was, so that the offer to ask shows nothing.
func (h *Hints) ListTimers(addTimer func(time.Time, func())) {
	for _, seat := range slices.Sorted(maps.Keys(h.askedAt)) {
		addTimer(h.askedAt[seat].Add(AskEvery), func() { delete(h.askedAt, seat); h.table.Publish(nil) })
	}
}

// AppendSeatOffers implements master.SeatOfferer. The offer depends only on the seat's own requests and on the
// host's choice for all seats.
func (h *Hints) AppendSeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer {
	asks := h.isAsking(seat)
	if h.table.InScene() || !h.allowsHints() || !asks && (h.hasReachedLimit() || h.hasAskedLately(seat)) {
		return all
	}
	return append(all, master.SwitchOffer(ActAsk, rule, asks))
}

// HintFor implements master.HintShower: it returns the newest hint that v may read. A seat reads its own hints
// and those to all, the public also those to the display. The host's page has its own list.
func (h *Hints) HintFor(v engine.Viewer) *wire.Hint {
	if v.IsHost() || !h.allowsHints() {
		return nil
	}
	for _, x := range slices.Backward(h.recentHints()) {
		if own := x.To == v.String(); own || x.To == ToAll || v == engine.Public && x.To == ToDisplay {
			return &wire.Hint{N: x.N, Own: own, Text: x.Text}
		}
	}
	return nil
}

// ShowHost implements master.HostShower: the limit, the hints that can be taken back, the requests, the prepared hints.
func (h *Hints) ShowHost(to *wire.ForHost) {
	to.Desk.Hints = &wire.Hints{Most: h.limit, Given: len(h.given)}
	if !h.allowsHints() {
		return
	}
	now := h.table.GameTime()
	for _, x := range h.recentHints() {
		to.Desk.Hints.Sent = append(to.Desk.Hints.Sent, wire.SentHint{N: x.N, To: x.To, By: x.by, Text: x.Text, Ago: now - x.at})
	}
	for _, a := range h.asked {
		to.Desk.Hints.Asked = append(to.Desk.Hints.Asked, wire.AskedHint{Seat: a.Seat, Since: now - a.Since})
	}
	to.Desk.Hints.Stock = h.stockHints()
}

// RoomSettings implements master.RoomSettingsLister.
func (h *Hints) RoomSettings() map[string]string { return map[string]string{setting: ""} }

// Orders implements master.OrderLister: a program may give a hint to all viewers or to the display.
func (h *Hints) Orders() []master.Act {
	return []master.Act{{Name: wire.OrderHint, Do: func(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
		if args["to"] != ToAll && args["to"] != ToDisplay {
			return nil, master.Refuse(engine.Forbidden, rule, "table.order.whom")
		}
		if id, ready := args["stock"]; ready && !slices.ContainsFunc(h.stockHints(), func(s wire.StockHint) bool { return s.ID == id }) {
			return nil, master.RefuseMalformed("stock")
		}
		return h.giveHint(by, args)
	}}}
}

// AddToEvening implements master.EveningAdder.
func (h *Hints) AddToEvening(e *wire.Evening) { e.Hints = len(h.given) }

// AddToFigures implements master.FiguresAdder: the hints not taken back, in all, by author and by prepared hint.
func (h *Hints) AddToFigures(f *wire.GameFigures, _ engine.Millis) {
	f.Hints = len(h.given)
	for _, by := range h.givers {
		f.UpdateShareOf(by, func(*wire.StaffShare) {})
	}
	for _, x := range h.given {
		f.UpdateShareOf(x.by, func(s *wire.StaffShare) { s.Hints++ })
		if x.Stock == "" {
			continue
		}
		if f.FromStock == nil {
			f.FromStock = map[string]int{}
		}
		f.FromStock[x.Stock]++
	}
}
