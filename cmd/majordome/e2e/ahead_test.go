package e2e_test

import (
	"slices"
	"strings"

	"majordome/companion/wire"
	"majordome/engine"
)

// playAhead plays to a round of Huis Clos without a page: the phones name cards over MQTT, and the bench moves the
// real cards accordingly. A test that starts there then gives the seats new phones in a game that is under way.
func (r *room) playAhead(p plan, phones []*phone, round int) {
	r.t.Helper()
	for _, phase := range []string{"roles", "laying"} {
		u := r.public.waitFor(phase, func(u wire.Update) bool { return u.View.Phase == phase })
		r.table.waitFor("a table that has heard of it", func(b wire.Bench) bool { return b.Rev >= u.Rev && !b.Busy })
		r.table.sendAct(wire.BenchAct{Act: "deal"})
	}
	r.public.waitFor("the clues", func(u wire.Update) bool { return u.View.Phase == "pick" })
	for r.publicView().Clock.At < round {
		u := r.public.waitFor("a question", func(u wire.Update) bool { return u.View.Prompt.Args.Get("seat") != "" })
		seat, err := engine.ParseSeat(u.View.Prompt.Args.Get("seat"))
		if err != nil {
			r.t.Fatal(err)
		}
		phone := phones[seat-1]
		phone.waitFor("the question to the table", func(own wire.Update) bool { return own.Rev >= u.Rev })
		what, _, _ := strings.Cut(strings.TrimPrefix(u.View.Prompt.Key, "hc.prompt."), ".")
		r.actByWire(p, phone, int(seat)-1, what)
		r.public.waitFor("what comes of "+what, func(now wire.Update) bool { return now.Rev > u.Rev })
	}
}

// actByWire performs one act of a phone without a page, and moves on the bench the card that the act names.
func (r *room) actByWire(p plan, phone *phone, seat int, what string) {
	r.t.Helper()
	hand := r.spots[r.handOf(seat)]
	likes := func(c engine.ID) bool { return p.wantsCard(r, seat, c) }
	gives := func(c engine.ID) bool { return p.givesCard(r, seat, c) && !r.isFresh(c) }
	switch what {
	case "move":
		phone.mustSend("move", engine.Args{"place": p.destination(r, seat)})
	case "act":
		phone.mustSend("search", nil)
	case "pick":
		r.declareCard(phone, "keep", r.placeOf(seat), hand, likes)
	case "take":
		r.taken = r.declareCard(phone, "take", r.placeOf(seat), hand, likes)
	case "finish":
		phone.mustSend("done", nil)
	case "settle":
		r.declareCard(phone, "leave", hand, r.placeOf(seat), gives)
	case "deposit":
		r.taken = ""
		r.declareCard(phone, "deposit", hand, wire.SpotUrn, gives)
	case "reveal":
		phone.mustSend("open", nil)
	case "recovery":
		r.declareCard(phone, "recover", wire.SpotOpen, hand, likes)
	default:
		r.t.Fatalf("nobody knows what to do at %q", what)
	}
}

// declareCard names a card for which pleases is true, and moves the real one from one spot to another.
func (r *room) declareCard(phone *phone, act, from, to string, pleases func(engine.ID) bool) engine.ID {
	r.t.Helper()
	cards := r.table.waitFor("the table", func(b wire.Bench) bool { return b.Rev >= r.public.latest().Rev }).Cards
	i := slices.IndexFunc(cards, func(c wire.BenchCard) bool { return c.Spot == from && pleases(c.Card) })
	if i < 0 {
		r.t.Fatalf("no card at %s pleases", from)
	}
	phone.mustSend(act, engine.Args{"card": string(cards[i].Card)})
	r.table.sendAct(wire.BenchAct{Act: "move", Card: cards[i].Tag, Spot: to})
	r.table.waitFor("the card at "+to, func(b wire.Bench) bool {
		return slices.ContainsFunc(b.Cards, func(c wire.BenchCard) bool { return c.Tag == cards[i].Tag && c.Spot == to })
	})
	return cards[i].Card
}

// changePhone invites another phone to a seat, on the host's page.
func (r *room) changePhone(seat int) {
	r.t.Helper()
	r.host.tapNth("button", r.phrase("ui.host.invite.again"), 0)
	r.host.tap("button", r.phrase("ui.host.invite.sure"))
	r.d.links[engine.Seat(seat+1).String()] = r.host.value("#invitation-link")
	r.host.tap("button", r.phrase("ui.host.close"))
}
