package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// View returns the game as one viewer sees it. It and everything it calls read a hidden value only if this
// viewer may see it.
func (s *state) View(v engine.Viewer) engine.View {
	public := s.publicView()
	switch v {
	case engine.Public:
		return public
	case engine.Overseer:
		return public.Overseen(s.secrets())
	}
	part := s.Complete(&public, v)
	return public.With(&part)
}

// publicView returns the view of the public.
func (s *state) publicView() engine.View {
	k := s.knowledge(engine.Public)
	out := engine.View{
		Game: s.book.deck.Game, Viewer: engine.Public.String(), Phase: phaseNames[s.phase], Mood: s.mood(),
		Active: []engine.Seat{}, Clock: s.clock(), Switches: switches.Active(s.rules[:]),
		Seats: s.seatViews(), Places: s.placeViews(),
		Shown: s.book.engineIDs(k.shown()), Gone: s.book.engineIDs(k.gone()), Urn: int(s.urn),
		Readers: s.readers(), Log: s.log.Lines(engine.Public, logLines), Happened: s.log.Happened(),
		Offers: []engine.Offer{}, Result: s.result,
	}
	if s.active != 0 && !s.count.Alarmed {
		out.Active = append(out.Active, s.active)
	}
	out.Prompt, out.Rule = s.prompt(engine.Public, nil)
	return out
}

// Complete returns what the host or a seat sees in addition to the public view.
func (s *state) Complete(public *engine.View, v engine.Viewer) engine.Part {
	k, out := s.knowledge(v), public.Part()
	out.Viewer = v.String()
	out.Offers = s.offers(v, k)
	if x, seat := v.Seat(); !seat || x == s.active || s.mayWatch(x) {
		out.Prompt, out.Rule = s.prompt(v, out.Offers)
	}
	engine.Explain(s, s.since, v, out.Offers) // asks Decide, which knows more: TestTwoWorldsAllGame checks that this leaks nothing
	if v.IsHost() {
		out.Custody = s.custody()
	}
	if x, ok := v.Seat(); ok {
		// A seat also keeps the turning points from before the recent lines.
		out.Log = s.log.Tale(v, seatLines, recentLines)
		if s.seated(x) {
			out.Me = s.own(v, k, x)
		}
	}
	return out
}

// Numbers of log lines in a view: for the public and the host, and for a seat. The lines of a seat include
// the turning points from before the recent lines, because one round of eight players would fill them all.
const (
	logLines    = 12
	seatLines   = 40
	recentLines = 16
)

// storyKeys are the log lines that are the turning points of an evening.
var turns = map[string]bool{
	"hc.log.begun": true, "hc.log.begun.lifted": true, "hc.log.accusations-open": true, "hc.log.closed": true,
	"hc.log.accused": true, "hc.log.accused.wrong": true, "hc.log.turned-up": true, "hc.log.died": true,
	"hc.log.died.untold": true, "hc.log.confrontation": true,
}

// tableMood returns the mood of the whole table.
func (s *public) mood() string {
	if mood := s.count.Mood(); mood != "" || !s.duel {
		return mood
	}
	return engine.MoodDuel
}

// listEngineIDs returns the ids of a set in deck order.
func (b *Book) engineIDs(x set) []engine.ID { return rules.List(b.engineID[:], uint64(x)) }

func (s *boardState) clock() engine.Clock {
	if s.n == 0 {
		return engine.Clock{}
	}
	c := engine.Clock{At: int(s.round), Of: s.limit(), Mark: int(s.n) + 1, Open: s.accusing()}
	if s.duel {
		c.Mark = 0 // no accusations any more (HC-202)
	}
	if s.endless() {
		c.Of = 0 // "round 9 of 8" would be no round of this game
	}
	return c
}

func (s *roleState) seatViews() []engine.SeatView {
	out := make([]engine.SeatView, 0, maxSeats)
	for i := range s.seats {
		x, p := engine.Seat(i), &s.seats[i]
		if !s.seated(x) {
			continue
		}
		v := engine.SeatView{Seat: x, Name: s.names[x], Character: engine.ID(s.book.characterID[p.who]),
			Place: engine.ID(s.book.placeID[p.at]), Cards: int(p.cards), Tokens: int(p.tokens),
			Destroyed: int(p.destroyed), Alive: !p.dead, First: x == s.first, Done: p.done}
		if d, ok := s.roles[x].See(engine.Public); ok {
			v.Role = roleID(d.role())
		}
		out = append(out, v)
	}
	return out
}

func (s *boardState) placeViews() []engine.PlaceView {
	out, pawns := make([]engine.PlaceView, 0, numPlaces), make([]engine.Seat, 0, maxSeats) // shared by all places
	for p := place(1); p <= numPlaces; p++ {
		r := &s.rooms[p]
		v := engine.PlaceView{Place: engine.ID(s.book.placeID[p]), Weapon: engine.ID(s.book.cardID[p]),
			Open: !r.closed, Cards: int(r.cards), Lamp: engine.LampOpen}
		here := len(pawns)
		for x := range s.seats {
			if s.seats[x].at == p && s.living(engine.Seat(x)) {
				pawns = append(pawns, engine.Seat(x))
			}
		}
		v.Pawns = slices.Clip(pawns[here:])
		switch {
		case r.closed:
			v.Lamp = engine.LampClosed
		case r.deaths > 0:
			v.Lamp = engine.LampCrime
		case s.phase == investigation && s.step > stepMove && s.seats[s.active].at == p:
			v.Lamp = engine.LampHere
		}
		out = append(out, v)
	}
	return out
}

// readerViews returns what each reader waits for. It uses only public facts.
func (s *public) readers() []engine.ReaderView {
	wait := func(reader string, kind engine.ID) engine.ReaderView {
		return engine.ReaderView{Reader: reader, Kind: kind, Seat: s.active}
	}
	switch {
	case s.count.Stands():
		return []engine.ReaderView{}
	case s.step == stepRole:
		return []engine.ReaderView{wait(engine.ReaderUrn, "role-card"), wait(engine.ReaderShow, "role-card")}
	case s.everyReader():
		return []engine.ReaderView{wait(engine.ReaderUrn, "clue"), wait(engine.ReaderShow, "clue")}
	case s.waiting() == "" || s.window || s.active == 0 && s.phase != laying:
		return []engine.ReaderView{}
	case s.phase == roles:
		return []engine.ReaderView{wait(engine.ReaderShow, "role-card")}
	}
	return []engine.ReaderView{wait(s.waiting(), "clue")}
}

// ownView returns what seat x knows. The marks and facts come from its own knowledge.
func (s *state) own(v engine.Viewer, k *knowledge, x engine.Seat) *engine.Own {
	me := &engine.Own{Seat: x, Role: roleID(k.role[x]), Hand: make([]engine.CardView, 0, k.hand(x).Count()),
		Tray: []engine.ID{}, Facts: s.facts(k, x),
		// Without the clues that are in its hand, face up or out of the game.
		Seen: s.sights.Seen(v, uint64(k.hand(x)|k.shown()|k.gone()), s.book.engineID[:])}
	var may set
	if s.phase == deposit && s.living(x) && s.pending(x) {
		may = (actor{seat: x, knowledge: k}).deposits().cards
	}
	for h := k.hand(x); h != 0; h &= h - 1 {
		c := h.First()
		held := engine.CardView{Card: engine.ID(s.book.cardID[c])}
		if may.Has(c) {
			held.Marks = append(held.Marks, "deposit")
		}
		if c == k.taken {
			held.Marks = append(held.Marks, "new")
		}
		me.Hand = append(me.Hand, held)
	}
	for _, here := range k.places() {
		me.Tray = append(me.Tray, s.book.engineIDs(here)...)
	}
	return me
}
