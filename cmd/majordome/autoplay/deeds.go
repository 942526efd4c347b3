package autoplay

import (
	"context"
	"slices"
	"strconv"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// actReaders gives, for acts that a card can do, the role of the reader on which a guest places it instead of using a
// phone.
var actReaders = map[string]string{"keep": engine.ReaderShow, "take": engine.ReaderShow, "give": engine.ReaderShow,
	"recover": engine.ReaderShow,
	"answer":  engine.ReaderShow, "draw": engine.ReaderShow, "deposit": engine.ReaderUrn}

// openGame starts a new game on the table, or keeps one that is still in the lobby, and reports whether the table
// accepted it.
func (p *Player) openGame(ctx context.Context, v engine.View, game engine.ID) (accepted bool) {
	switch {
	case v.Game != game:
		return p.sendAct(ctx, engine.Host, "new-game", engine.Args{"game": string(game), "seats": "clear"})
	case v.Phase != engine.PhaseLobby:
		return p.sendAct(ctx, engine.Host, "new-game", engine.Args{"game": string(game), "seats": "keep"})
	}
	return true
}

// seatGuestsAndBegin seats all guests, and begins the game once all are seated.
func (p *Player) seatGuestsAndBegin(ctx context.Context, v engine.View) {
	seated := true
	for i, g := range p.opts.Players(v.Game) {
		seat := engine.Seat(i + 1)
		if !slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == seat || s.Character == g.Character }) {
			seated = false
			p.sendAct(ctx, engine.Host, "sit", engine.Args{"seat": seat.String(), "name": g.Name, "character": string(g.Character)})
		}
	}
	if !seated {
		return // the snapshot of the next pace shows them
	}
	if slices.ContainsFunc(v.Offers, func(o engine.Offer) bool { return o.Act == "first" }) &&
		!slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return s.First }) {
		p.sendAct(ctx, engine.Host, "first", engine.Args{"seat": v.Seats[p.dice.Intn(len(v.Seats))].Seat.String()})
	}
	p.sendAct(ctx, engine.Host, "begin", nil)
}

// dealCards makes the helping hand (package bench) present the cards to deal, or makes the program deal if no reader
// waits for cards. It returns false if nothing is dealt, or if the hand has had no effect for hostAfter paces.
func (p *Player) dealCards(ctx context.Context, u wire.Update) (dealt bool) {
	switch {
	case !u.View.IsDealing() || p.idlePaces >= hostAfter:
		return false
	case len(u.View.Readers) == 0:
		return p.actAsHost(ctx, u, []string{"draw-roles", "hide", "deal"})
	}
	if lie := p.opts.Cards.CardState(); lie.Busy {
		p.idlePaces = 0
		return true
	}
	p.idlePaces++
	p.publishDeed(wire.BenchDeed{Act: "deal", Reader: u.View.Readers[0].Reader})
	return p.opts.Cards.PerformAct(wire.BenchAct{Act: "deal"}) == nil
}

// actAsGuest makes one of the active guests act, at a seat that is none of peopleSeats. If no seat is active, or no guest
// could act at the last pace and no person is awaited, the other guests may act too. It returns false if none of them
// can act.
func (p *Player) actAsGuest(ctx context.Context, u wire.Update, peopleSeats []engine.Seat) (acted bool) {
	var seats []engine.Seat
	for _, s := range u.View.Active {
		if !slices.Contains(peopleSeats, s) {
			seats = append(seats, s)
		}
	}
	if len(u.View.Active) == 0 || p.idlePaces > 0 && !p.isAwaitingPerson(u, peopleSeats) {
		for _, s := range u.View.Seats {
			if !slices.Contains(peopleSeats, s.Seat) && !slices.Contains(seats, s.Seat) {
				seats = append(seats, s.Seat)
			}
		}
	}
	return slices.ContainsFunc(seats, func(s engine.Seat) bool {
		own, ok := p.opts.Table.Snapshot(engine.SeatViewer(s))
		if !ok {
			return false
		}
		act, args, ok := chooseAct(own.View, p.dice)
		return ok && p.performDeed(ctx, own.View, engine.SeatViewer(s), act, args)
	})
}

// isAwaitingPerson reports whether the table waits for a seat that a person plays.
func (p *Player) isAwaitingPerson(u wire.Update, peopleSeats []engine.Seat) bool {
	return slices.ContainsFunc(u.View.Active, func(s engine.Seat) bool { return slices.Contains(peopleSeats, s) })
}

// hostActs are the acts that the host may do when the evening does not advance: deal without readers, or do for a
// player what otherwise needs a card.
var hostActs = []string{"dealer", "hide", "deal", "draw-roles", "draw", "role", "roll", "verdict"}

// actAsHost does one of acts on the host's page. It reports whether the table accepted one.
func (p *Player) actAsHost(ctx context.Context, u wire.Update, acts []string) (accepted bool) {
	u.View.Offers = slices.DeleteFunc(slices.Clone(u.View.Offers), func(o engine.Offer) bool { return !slices.Contains(acts, o.Act) })
	act, args, ok := chooseAct(u.View, p.dice)
	return ok && p.performDeed(ctx, u.View, engine.Host, act, args)
}

// performDeed performs one act of a viewer: with a card if the table waits to read one and the card is on the table,
// otherwise by phone. It reports whether the act was accepted.
func (p *Player) performDeed(ctx context.Context, v engine.View, by engine.Viewer, act string, args engine.Args) (accepted bool) {
	seat, _ := by.Seat()
	if reader, tag, ok := p.findCardForAct(v, seat, act, args); ok && p.refusedReads < 2 {
		p.publishDeed(wire.BenchDeed{Seat: seat, Act: act, Reader: reader})
		p.refusedReads++ // reset by awaitReading if the card is accepted
		if p.opts.Cards.PerformAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotAtReader(reader)}) == nil {
			p.awaitReading(ctx, reader, v)
		}
		return true
	}
	u, _ := p.opts.Table.Snapshot(engine.Public)
	if !p.sendAct(ctx, by, act, args) {
		return false
	}
	p.refusedReads = 0
	p.pendingDeed, p.beforeDeed = &wire.BenchDeed{Seat: seat}, u.View
	for range 5 { // usually the effect is visible at once
		select {
		case <-p.opts.After(checkPeriod):
		case <-ctx.Done():
			return true
		}
		if p.publishPendingDeed() {
			break
		}
	}
	_ = p.opts.Cards.PerformAct(wire.BenchAct{Act: "tidy"}) // also the cards that no phone names follow the acts by phone
	return true
}

// findCardForAct returns the tag of the card for an act, and the reader that waits for it.
func (p *Player) findCardForAct(v engine.View, seat engine.Seat, act string, args engine.Args) (reader, tag string, ok bool) {
	reader = actReaders[act]
	awaited := func(r engine.ReaderView) bool { return r.Reader == reader && (r.Seat == 0 || r.Seat == seat) }
	if args["card"] == "" || !slices.ContainsFunc(v.Readers, awaited) {
		return "", "", false
	}
	for _, c := range p.opts.Cards.CardState().Cards {
		if string(c.Card) == args["card"] && c.Spot != wire.SpotBox {
			return reader, c.Tag, true
		}
	}
	return "", "", false
}

// readTimeout is the longest time that a card may stay on a reader before the guests go on, and checkPeriod the time
// between two polls.
const (
	readTimeout = 6 * time.Second
	checkPeriod = 100 * time.Millisecond
)

// awaitReading waits until the table has answered the card on a reader, and the card has been moved off it.
func (p *Player) awaitReading(ctx context.Context, reader string, before engine.View) {
	for range int(readTimeout / checkPeriod) {
		select {
		case <-p.opts.After(checkPeriod):
		case <-ctx.Done():
			return
		}
		if !slices.ContainsFunc(p.opts.Cards.CardState().Cards,
			func(c wire.BenchCard) bool { return c.Spot == wire.SpotAtReader(reader) }) {
			if u, ok := p.opts.Table.Snapshot(engine.Public); ok && u.View.LastHappeningNumber() != before.LastHappeningNumber() {
				p.refusedReads = 0
			}
			return
		}
	}
}

// sendAct sends an act by the last phone of its viewer, so that acts of a person's own phone can be recognised, and
// waits for the reply. It reports whether the act was accepted.
func (p *Player) sendAct(ctx context.Context, by engine.Viewer, act string, args engine.Args) (accepted bool) {
	phone := wire.Handset{Viewer: by, N: wire.MaxPhones}
	if by.IsHost() {
		phone.N = wire.MaxHosts
	}
	p.seq++
	answer := make(chan wire.Reply, 1)
	p.opts.Table.Act(phone, wire.Act{ID: "auto" + strconv.FormatUint(p.seq, 36), Seq: p.seq, Act: act, Args: args},
		func(r wire.Reply) { answer <- r })
	select {
	case r := <-answer:
		return r.OK
	case <-ctx.Done():
		return false
	}
}
