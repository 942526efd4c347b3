package e2e_test

import (
	"slices"
	"strings"

	"majordome/companion/wire"
	"majordome/engine"
)

// playAhead plays to a round of Huis Clos without a page: the phones name cards over MQTT, and the bench moves the
// real cards accordingly. A test that starts there then gives the seats new phones in a game that is under way.
func (r *room) ahead(p plan, phones []*phone, round int) {
	r.t.Helper()
	for _, phase := range []string{"roles", "laying"} {
		u := r.public.until(phase, func(u wire.Update) bool { return u.View.Phase == phase })
		r.table.until("a table that has heard of it", func(b wire.Bench) bool { return b.Rev >= u.Rev && !b.Busy })
		r.table.do(wire.BenchAct{Act: "deal"})
	}
	r.public.until("the clues", func(u wire.Update) bool { return u.View.Phase == "pick" })
	for r.now().Clock.At < round {
		u := r.public.until("a question", func(u wire.Update) bool { return u.View.Prompt.Args.Get("seat") != "" })
		seat, err := engine.ParseSeat(u.View.Prompt.Args.Get("seat"))
		if err != nil {
			r.t.Fatal(err)
		}
		phone := phones[seat-1]
		phone.until("the question to the table", func(own wire.Update) bool { return own.Rev >= u.Rev })
		what, _, _ := strings.Cut(strings.TrimPrefix(u.View.Prompt.Key, "hc.prompt."), ".")
		r.taps(p, phone, int(seat)-1, what)
		r.public.until("what comes of "+what, func(now wire.Update) bool { return now.Rev > u.Rev })
	}
}

// actByWire performs one act of a phone without a page, and moves on the bench the card that the act names.
func (r *room) taps(p plan, phone *phone, seat int, what string) {
	r.t.Helper()
	hand := r.spots[r.handOf(seat)]
	likes := func(c engine.ID) bool { return p.take(r, seat, c) }
	gives := func(c engine.ID) bool { return p.deposit(r, seat, c) && !r.fresh(c) }
	switch what {
	case "move":
		phone.must("move", engine.Args{"place": p.place(r, seat)})
	case "act":
		phone.must("search", nil)
	case "pick":
		r.declares(phone, "keep", r.standing(seat), hand, likes)
	case "take":
		r.taken = r.declares(phone, "take", r.standing(seat), hand, likes)
	case "finish":
		phone.must("done", nil)
	case "settle":
		r.declares(phone, "leave", hand, r.standing(seat), gives)
	case "deposit":
		r.taken = ""
		r.declares(phone, "deposit", hand, wire.SpotUrn, gives)
	case "reveal":
		phone.must("open", nil)
	case "recovery":
		r.declares(phone, "recover", wire.SpotOpen, hand, likes)
	default:
		r.t.Fatalf("nobody knows what to do at %q", what)
	}
}

// declareCard names a card for which pleases is true, and moves the real one from one spot to another.
func (r *room) declares(phone *phone, act, from, to string, pleases func(engine.ID) bool) engine.ID {
	r.t.Helper()
	cards := r.table.until("the table", func(b wire.Bench) bool { return b.Rev >= r.public.now().Rev }).Cards
	i := slices.IndexFunc(cards, func(c wire.BenchCard) bool { return c.Spot == from && pleases(c.Card) })
	if i < 0 {
		r.t.Fatalf("no card at %s pleases", from)
	}
	phone.must(act, engine.Args{"card": string(cards[i].Card)})
	r.table.do(wire.BenchAct{Act: "move", Card: cards[i].Tag, Spot: to})
	r.table.until("the card at "+to, func(b wire.Bench) bool {
		return slices.ContainsFunc(b.Cards, func(c wire.BenchCard) bool { return c.Tag == cards[i].Tag && c.Spot == to })
	})
	return cards[i].Card
}

// changePhone invites another phone to a seat, on the host's page.
func (r *room) changesPhone(seat int) {
	r.t.Helper()
	r.host.tapNth("button", r.say("ui.host.invite.again"), 0)
	r.host.tap("button", r.say("ui.host.invite.sure"))
	r.d.links[engine.Seat(seat+1).String()] = r.host.value("#invitation-link")
	r.host.tap("button", r.say("ui.host.close"))
}
