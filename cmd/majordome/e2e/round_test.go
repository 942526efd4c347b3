package e2e_test

import (
	"fmt"
	"slices"
	"strings"
)

// isClue reports whether a card is a character's clue, not a weapon.
func isClue(name string) bool {
	return strings.Contains(name, ", indice ") || strings.Contains(name, ", clue ")
}

// play plays the set-up and the first round, and checks them closely, wrong cards included.
func (r *room) play(p plan) {
	r.pictures("lobby", r.phones[0])
	r.host.tap("button", r.phrase("ui.act.begin"))
	r.bench.waitForText(r.phrase("ui.bench.deal"))
	r.pictures("roles", r.phones[0])
	r.bench.tap("button", r.phrase("ui.bench.deal"))
	r.screen.waitForText(r.phrase("ui.display.phase.laying"))
	r.pictures("laying", r.phones[0])
	r.layAllByHand(r.phrase("ui.display.phase.pick"))
	r.pick(p)
	r.investigate()
	r.deposit()
	r.reveal()
}

// carry waits until the hands of the bench have moved a card that was declared on a phone to the hand of its seat.
func (r *room) carry(card string, seat int) {
	r.t.Helper()
	r.lookAt(r.phrase("ui.bench.spot.hand", "name", players[seat]), func(name string) bool { return strings.Contains(name, card) })
}

func (r *room) pick(p plan) {
	for i := range 4 {
		seat, phone := r.waitForTurn(r.phrase("hc.prompt.pick.you"))
		if i == 0 {
			r.pictures("pick", phone)
		}
		likes := func(name string) bool { return p.wantsCard(r, seat, r.idOf(name)) }
		if i%2 == 0 {
			card := r.choose(phone, "keep", likes)
			r.noteClue(seat, card)
			r.carry(card, seat)
		} else {
			r.noteClue(seat, r.bring(r.name(blue), "ui.bench.spot.show", likes))
		}
		phone.waitForNoText(r.phrase("hc.prompt.pick.you"))
	}
	r.pictures("picked", r.phones[0])
}

// noteClue notes that a seat has a clue: from now on no other page may name it. Weapons do not count: they are named
// when they kill.
func (r *room) noteClue(seat int, card string) {
	if len(r.cards[card]) != 3 {
		r.t.Fatalf("%s has no card %q", players[seat], card)
	}
	if isClue(card) {
		r.held[seat] = append(r.held[seat], card)
	}
}

// lastClue returns the clue that a seat puts into the urn: the last that it took.
func (r *room) lastClue(seat int) string { return r.held[seat][len(r.held[seat])-1] }

// lamp returns how the lamps of a place shine on the bench.
func (r *room) lamp(place string) string {
	return evaluate[string](r.bench, fmt.Sprintf(`all("image", %q)[0].innerHTML`, r.phrase("ui.bench.lamps", "spot", place)))
}

func (r *room) investigate() {
	for i, id := range []string{"place-salon", "place-3", "place-4", "place-5"} {
		place := r.name(id)
		seat, p := r.waitForTurn(r.phrase("hc.prompt.move.you"))
		if i == 0 {
			r.pictures("move", p)
		}
		p.tap("button", r.phrase("ui.act.move"))
		p.waitForElement("dialog", r.phrase("ui.act.move"))
		lamp := r.lamp(place)
		p.tap("button", place+" *")
		p.waitForText(r.phrase("hc.prompt.act.search.you"))
		r.bench.pollUntil("other lights at "+place, func() bool { return r.lamp(place) != lamp })
		p.tap("button", r.phrase("ui.act.search"))
		p.waitForText(r.phrase("hc.prompt.take.you", "place", place))
		if i == 0 {
			r.pictures("take", p)
		}
		if i%2 == 0 {
			card := r.choose(p, "take", isClue)
			r.noteClue(seat, card)
			r.carry(card, seat)
			p.waitForNoText(r.phrase("hc.prompt.take.you", "place", place)) // to take was the last thing
		} else {
			r.noteClue(seat, r.bring(place, "ui.bench.spot.show", isClue))
			p.waitForText(r.phrase("hc.prompt.finish.you")) // a card on the reader does not say so
			if i == 1 {
				r.pictures("finish", p)
				r.screen.waitForText(r.phrase("hc.log.took", "seat", players[seat]))
			}
			p.tap("button", r.phrase("ui.act.done"))
			p.waitForNoText(r.phrase("hc.prompt.finish.you"))
		}
		r.checkSecrets()
	}
}

// deposit drags a card of each seat into the slot. Before, the first seat tries a card of no game and a card of
// another seat. For the first all pages ask to present again, and only this seat's phone says why; for the second all
// pages show the same alarm. Nothing changes.
func (r *room) deposit() {
	for i := range 4 {
		seat, p := r.waitForTurn(r.phrase("hc.prompt.deposit.you"))
		hand := r.phrase("ui.bench.spot.hand", "name", players[seat])
		r.bench.waitForText(r.phrase("ui.bench.guide.deposit", "seat", players[seat]))
		if i == 0 {
			r.pictures("deposit", p)
			r.presentWrong(seat, r.foreign(), "ui.bench.spot.slot", "hc.no.foreign")
			r.alarm(nthElement("button", r.faceDown(r.handOf((seat+1)%4)), 0), "ui.bench.spot.slot")
			p.waitForText(r.phrase("hc.prompt.deposit.you"))
		}
		card := r.lastClue(seat)
		thing, _ := r.lookAt(hand, func(name string) bool { return strings.Contains(name, card) })
		r.bench.drag(thing, r.phrase("ui.bench.spot.slot"))
		p.waitForNoText(r.phrase("hc.prompt.deposit.you"))
		r.screen.waitForText(r.phrase("hc.log.deposited", "seat", players[seat]))
		r.checkSecrets()
	}
}

// reveal opens the urn, and each seat takes a clue back.
func (r *room) reveal() {
	seat, p := r.waitForTurn(r.phrase("hc.prompt.reveal.you"))
	r.pictures("reveal", p)
	p.tap("button", r.phrase("ui.act.open"))
	p.waitForText(r.phrase("ui.choose.sure"))
	p.takeShot("round-" + string(r.lang) + "-sure")
	p.tap("button", r.phrase("ui.act.open"))
	r.screen.waitForText(r.phrase("ui.display.shown"))
	for s := range r.held {
		card := r.lastClue(s)
		r.screen.waitForText(card)
		r.bench.waitForElement("button", r.phrase("ui.bench.card.in", "card", card, "spot", r.phrase("ui.bench.spot.open")))
		r.held[s] = r.held[s][:len(r.held[s])-1] // it is public now
	}
	r.checkSecrets()
	for i := range 4 {
		_, p := r.waitForTurn(r.phrase("hc.prompt.recovery.you"))
		if i == 0 {
			r.pictures("recovery", p)
		}
		if i%2 == 0 {
			p.tap("button", r.phrase("ui.act.recover"))
			p.waitForElement("dialog", r.phrase("ui.act.recover"))
			p.takeShot(fmt.Sprintf("round-%s-choose-recover", r.lang))
			open := p.elementNames("button", "") // the cards are face up: they are named
			p.tap("button", open[slices.IndexFunc(open, isClue)])
			p.waitForNoElement("dialog", r.phrase("ui.act.recover"))
		} else {
			open := r.phrase("ui.bench.card.in", "card", r.name(string(r.publicView().Shown[0])), "spot", r.phrase("ui.bench.spot.open"))
			r.bench.drag(nthElement("button", open, 0), r.phrase("ui.bench.spot.show"))
		}
		p.waitForNoText(r.phrase("hc.prompt.recovery.you"))
	}
	r.screen.waitForText(r.phrase("ui.display.round", "at", "2", "of", "8"))
	first := (seat + 1) % 4
	r.phones[first].waitForText(r.phrase("hc.prompt.move.you"))
	r.pictures("round-2", r.phones[first])
}

// checkSecrets checks that no page has any hidden card: neither a name, in either language, nor its id, not even the
// phone of its seat, because no finger holds it now.
func (r *room) checkSecrets() {
	r.t.Helper()
	for _, p := range r.allPages() {
		source := p.source()
		for seat, cards := range r.held {
			for _, card := range cards {
				for _, name := range r.cards[card] {
					if strings.Contains(source, name) {
						r.t.Errorf("%s holds %q, a secret of %s", p.name, name, players[seat])
					}
				}
			}
		}
	}
}
