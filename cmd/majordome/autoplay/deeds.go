package autoplay

import (
	"context"
	"slices"
	"strconv"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// readerOf gives the role of the reader on which a guest lays a card instead of doing the act by phone.
var readerOf = map[string]string{"keep": engine.ReaderShow, "take": engine.ReaderShow, "give": engine.ReaderShow, "recover": engine.ReaderShow,
	"answer": engine.ReaderShow, "draw": engine.ReaderShow, "deposit": engine.ReaderUrn}

// open starts a new game on the table, or leaves one that is still in the lobby, and reports whether the table took it.
func (p *Player) open(ctx context.Context, v engine.View, game engine.ID) bool {
	switch {
	case v.Game != game:
		return p.act(ctx, engine.Host, "new-game", engine.Args{"game": string(game), "seats": "clear"})
	case v.Phase != engine.PhaseLobby:
		return p.act(ctx, engine.Host, "new-game", engine.Args{"game": string(game), "seats": "keep"})
	}
	return true
}

// arrive lets everybody sit down, and begins when all sit.
func (p *Player) arrive(ctx context.Context, v engine.View) {
	seated := true
	for i, g := range p.opts.Sit(v.Game) {
		seat := engine.Seat(i + 1)
		if !slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == seat || s.Character == g.Character }) {
			seated = false
			p.act(ctx, engine.Host, "sit", engine.Args{"seat": seat.String(), "name": g.Name, "character": string(g.Character)})
		}
	}
	if !seated {
		return // the table shows them at the next look
	}
	if slices.ContainsFunc(v.Offers, func(o engine.Offer) bool { return o.Act == "first" }) && !slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return s.First }) {
		p.act(ctx, engine.Host, "first", engine.Args{"seat": v.Seats[p.dice.Intn(len(v.Seats))].Seat.String()})
	}
	p.act(ctx, engine.Host, "begin", nil)
}

// deal lets the helping hand present what the beginning needs, or the program deal where no reader waits; false where nothing is to be
// dealt, or the hand is not awaited.
func (p *Player) deal(ctx context.Context, u wire.Update) bool {
	switch {
	case !u.View.IsDealing() || p.waited >= patience:
		return false
	case len(u.View.Readers) == 0:
		return p.host(ctx, u, []string{"draw-roles", "hide", "deal"})
	}
	if lie := p.opts.Cards.Lie(); lie.Busy {
		p.waited = 0
		return true
	}
	p.waited++
	p.setDeed(wire.BenchDeed{Act: "deal", Reader: u.View.Readers[0].Reader})
	return p.opts.Cards.Do(wire.BenchAct{Act: "deal"}) == nil
}

// guests lets one of those who are awaited act, or one of the others where nobody is; false where none of them can.
func (p *Player) guests(ctx context.Context, u wire.Update, mine []engine.Seat) bool {
	var seats []engine.Seat
	for _, s := range u.View.Active {
		if !slices.Contains(mine, s) {
			seats = append(seats, s)
		}
	}
	if len(u.View.Active) == 0 || p.waited > 0 && !p.awaitsPerson(u, mine) {
		for _, s := range u.View.Seats {
			if !slices.Contains(mine, s.Seat) && !slices.Contains(seats, s.Seat) {
				seats = append(seats, s.Seat)
			}
		}
	}
	return slices.ContainsFunc(seats, func(s engine.Seat) bool {
		own, ok := p.opts.Table.Snapshot(engine.At(s))
		if !ok {
			return false
		}
		act, args, ok := choose(own.View, p.dice)
		return ok && p.deed(ctx, own.View, engine.At(s), act, args)
	})
}

// awaitsPerson reports that the table waits for a seat that a person plays.
func (p *Player) awaitsPerson(u wire.Update, mine []engine.Seat) bool {
	return slices.ContainsFunc(u.View.Active, func(s engine.Seat) bool { return slices.Contains(mine, s) })
}

// ofHost are the acts by which a host brings an evening on that stands still: it deals without readers, or says for somebody what
// only a card would.
var ofHost = []string{"dealer", "hide", "deal", "draw-roles", "draw", "role", "roll", "verdict"}

// host does on its page what nobody else can: one of these acts. It reports whether one was taken.
func (p *Player) host(ctx context.Context, u wire.Update, acts []string) bool {
	u.View.Offers = slices.DeleteFunc(slices.Clone(u.View.Offers), func(o engine.Offer) bool { return !slices.Contains(acts, o.Act) })
	act, args, ok := choose(u.View, p.dice)
	return ok && p.deed(ctx, u.View, engine.Host, act, args)
}

// deed does one act of a viewer: by a card, where the table waits to read one and it lies there, else by a phone. It reports
// whether the act was taken.
func (p *Player) deed(ctx context.Context, v engine.View, by engine.Viewer, act string, args engine.Args) bool {
	seat, _ := by.Seat()
	if reader, tag, ok := p.card(v, seat, act, args); ok && p.refused < 2 {
		p.setDeed(wire.BenchDeed{Seat: seat, Act: act, Reader: reader})
		p.refused++ // unless it is taken
		if p.opts.Cards.Do(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotOf(reader)}) == nil {
			p.read(ctx, reader, v)
		}
		return true
	}
	u, _ := p.opts.Table.Snapshot(engine.Public)
	if !p.act(ctx, by, act, args) {
		return false
	}
	if card := args["card"]; act == "leave" && card != "" { // which one it is only the hand knows
		p.carry(v, seat, engine.ID(card))
	}
	p.refused = 0
	p.done, p.before = &wire.BenchDeed{Seat: seat}, u.View
	for range 5 { // mostly it is seen at once
		select {
		case <-p.opts.After(look):
		case <-ctx.Done():
			return true
		}
		if p.tellWhenSeen() {
			break
		}
	}
	_ = p.opts.Cards.Do(wire.BenchAct{Act: "tidy"}) // what was said on a phone is done with the cards, too
	return true
}

// card finds the card that would stand for an act, and the reader that waits for it.
func (p *Player) card(v engine.View, seat engine.Seat, act string, args engine.Args) (reader, tag string, ok bool) {
	reader = readerOf[act]
	awaited := func(r engine.ReaderView) bool { return r.Reader == reader && (r.Seat == 0 || r.Seat == seat) }
	if args["card"] == "" || !slices.ContainsFunc(v.Readers, awaited) {
		return "", "", false
	}
	for _, c := range p.opts.Cards.Lie().Cards {
		if string(c.Card) == args["card"] && c.Spot != wire.SpotBox {
			return reader, c.Tag, true
		}
	}
	return "", "", false
}

// reading is how long a card lies before the guests look away, and look how often they look.
const (
	reading = 6 * time.Second
	look    = 100 * time.Millisecond
)

// read waits until the table has said something to the card on a reader: it is taken back or has gone where it belongs.
func (p *Player) read(ctx context.Context, reader string, before engine.View) {
	for range int(reading / look) {
		select {
		case <-p.opts.After(look):
		case <-ctx.Done():
			return
		}
		if !slices.ContainsFunc(p.opts.Cards.Lie().Cards, func(c wire.BenchCard) bool { return c.Spot == wire.SpotOf(reader) }) {
			if u, ok := p.opts.Table.Snapshot(engine.Public); ok && u.View.Last() != before.Last() {
				p.refused = 0
			}
			return
		}
	}
}

// carry lays a card of a hand where its guest stands.
func (p *Player) carry(v engine.View, seat engine.Seat, card engine.ID) {
	i := slices.IndexFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == seat })
	for _, c := range p.opts.Cards.Lie().Cards {
		if c.Card == card && i >= 0 {
			_ = p.opts.Cards.Do(wire.BenchAct{Act: "move", Card: c.Tag, Spot: string(v.Seats[i].Place)})
		}
	}
}

// act sends an act by the last phone that its viewer can have, so that a person's own phone counts by itself, and waits for the
// answer: whether it was taken.
func (p *Player) act(ctx context.Context, by engine.Viewer, act string, args engine.Args) bool {
	phone := wire.Handset{Viewer: by, N: wire.MaxPhones}
	if by.IsHost() {
		phone.N = wire.MaxHosts
	}
	p.seq++
	answer := make(chan wire.Reply, 1)
	p.opts.Table.Act(phone, wire.Act{ID: "auto" + strconv.FormatUint(p.seq, 36), Seq: p.seq, Act: act, Args: args}, func(r wire.Reply) { answer <- r })
	select {
	case r := <-answer:
		return r.OK
	case <-ctx.Done():
		return false
	}
}
