package cluedo

import (
	"slices"

	"majordome/engine"
)

// Numbers of story lines in a view: for all, and for a seat.
const (
	logLines  = 12
	seatLines = 40
)

// View shows the game to one viewer. It and everything it calls read hidden values only for that
// viewer, except where a public rule needs a count.
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

func (s *state) publicView() engine.View {
	k, reach := s.knowledge(engine.Public), areas(0)
	if !s.believed { // otherwise every room would be lit
		reach = s.goals().rooms
	}
	out := engine.View{
		Game: s.book.Game, Viewer: engine.Public.String(), Phase: phases[s.phase].code,
		Active: s.awaited(), Switches: s.inForce(), Seats: s.seatViews(k), Places: s.placeViews(reach),
		Shown:   s.book.engineIDs(uint64(k.open & s.book.mystery())),
		Gone:    s.book.engineIDs(uint64(k.open &^ s.book.mystery())),
		Readers: s.readers(), Log: s.log.Lines(engine.Public, logLines), Happened: s.log.Happened(), Case: s.caseView(reach),
		Offers: []engine.Offer{},
	}
	if s.book.nights() > 0 && (s.phase == turn || s.phase == over) {
		out.Clock = engine.Clock{At: int(s.track), Of: int(s.book.nights()) + 1, Mark: int(s.book.nights()) + 1,
			Open: s.track == s.book.nights()}
	}
	out.Mood = s.count.Mood()
	if s.result != nil {
		r := *s.result
		r.Solution = s.book.engineIDs(uint64(k.envelope() & k.open))
		out.Result = &r
	}
	out.Prompt, out.Rule = k.prompt(engine.Public)
	return out
}

// Complete returns what the host or a seat sees in addition to the public view.
func (s *state) Complete(public *engine.View, v engine.Viewer) engine.Part {
	k, out := s.knowledge(v), public.Part()
	out.Viewer = v.String()
	out.Prompt, out.Rule = k.prompt(v)
	out.Offers = k.offers(v)
	engine.Explain(s, s.since, v, out.Offers) // by Decide, which knows more: see TestTwoWorldsAllGame
	if v.IsHost() {
		out.Custody = s.custody(k)
	}
	if x, ok := v.Seat(); ok {
		out.Log = s.log.Lines(v, seatLines)
		heard := *public.Case
		heard.Past = s.past.heardBy(v, s.book)
		out.Case = &heard
		if s.seated(x) {
			out.Me = k.own(x)
			out.Me.Seen = s.sights.Seen(v, uint64(k.hand(x)|k.open), s.book.engineID)
		}
	}
	return out
}

// awaitedSeats returns the seats that must act, by public facts.
func (s *public) awaited() []engine.Seat {
	out := []engine.Seat{}
	if s.count.Stands() {
		return out
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.concerned(x) {
			out = append(out, x)
		}
	}
	if x := s.waits(); x != 0 {
		out = append(out, x)
	}
	return out
}

func (s *public) seatViews(k *knowledge) []engine.SeatView {
	out := []engine.SeatView{}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		p := &s.seats[x]
		if !s.seated(x) {
			continue
		}
		v := engine.SeatView{Seat: x, Colour: s.book.colour(p.who), Name: s.names[x],
			Character: engine.ID(s.book.cardID[p.who]),
			Place:     engine.ID(s.book.areaID[s.pawns[p.who].area]), Cards: int(p.cards), Tokens: int(p.butlers),
			Alive: !p.dead, Out: p.wrong, Spent: p.spent, First: x == s.first, Done: s.phase == dealing && p.dealt,
			Hand: s.book.engineIDs(uint64(k.hand(x) & k.open))}
		out = append(out, v)
	}
	return out
}

// suspectColour returns the colour of a suspect's pawn, counted from 1; 0: the deck gives none.
func (b *Book) colour(who uint8) int {
	return slices.Index(engine.Colours[:], b.deck.Suspects[who-1].Colour) + 1
}

func (s *public) placeViews(reach areas) []engine.PlaceView {
	out := []engine.PlaceView{}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		v := engine.PlaceView{Place: engine.ID(s.book.areaID[a]), Open: true, Pawns: []engine.Seat{}, Lamp: engine.LampOpen}
		v.Cards = int(s.lying[a])
		for x := engine.Seat(1); x <= maxSeats; x++ {
			if s.seated(x) && s.pawns[s.seats[x].who].area == a {
				v.Pawns = append(v.Pawns, x)
			}
		}
		switch {
		case s.phase == turn && s.hyp.by != 0 && s.hypRoom() == a,
			s.phase == turn && (s.step == stepAct || s.step == stepLook) && s.here() == a:
			v.Lamp = engine.LampHere
		case reach.has(a):
			v.Lamp = engine.LampReach
		}
		out = append(out, v)
	}
	return out
}

// readerViews says what each reader waits for, by public facts only.
func (s *public) readers() []engine.ReaderView {
	out := []engine.ReaderView{}
	for _, r := range []string{engine.ReaderUrn, engine.ReaderShow} {
		if k := s.listens(r); k != kindNone && !s.mayCome(k) {
			name := engine.ID("mystery-card")
			if k == kindEvent {
				name = "event-card"
			}
			out = append(out, engine.ReaderView{Reader: r, Kind: name, Seat: s.waits()})
		}
	}
	return out
}

func (s *public) caseView(reach areas) *engine.Case {
	c := &engine.Case{Turn: s.active, Step: s.code(), Dice: []int{}, Points: s.pointsLeft(), Way: s.way.String(),
		Reach: []engine.ID{},
		Pawns: []engine.Pawn{}, Tokens: []engine.Token{}, Pile: s.pile(), Pool: int(s.lying[s.book.pool]), Virtual: s.virtual}
	if s.window() { // the moment when an answer takes effect is secret: it would reveal that there is one
		c.Opened, c.Closes = s.since, s.closes
	}
	if s.rolled {
		c.Dice = []int{int(s.dice[0]), int(s.dice[1])}
	}
	if s.book.board != nil {
		for _, r := range s.book.rooms(reach) {
			c.Reach = append(c.Reach, engine.ID(r))
		}
	}
	for who := s.book.from[kindSuspect]; who <= s.book.to[kindSuspect]; who++ {
		p := s.pawns[who]
		c.Pawns = append(c.Pawns, engine.Pawn{Suspect: engine.ID(s.book.cardID[who]), At: engine.ID(s.book.areaID[p.area]),
			Square: p.squareName(), Gone: p.kind == onNothing})
	}
	for w := s.book.from[kindWeapon]; w <= s.book.to[kindWeapon]; w++ {
		c.Tokens = append(c.Tokens, engine.Token{Weapon: engine.ID(s.book.cardID[w]),
			At: engine.ID(s.book.areaID[s.tokens[s.book.token(w)]])})
	}
	h := &s.hyp
	if h.by == 0 {
		h = &s.heard
	}
	if h.by != 0 {
		c.Hypothesis = &engine.Hypothesis{By: h.by, Suspect: engine.ID(s.book.cardID[h.what[0]]),
			Weapon: engine.ID(s.book.cardID[h.what[1]]),
			Room:   engine.ID(s.book.cardID[h.what[2]]), Answers: s.publicAnswers(h)}
	}
	return c
}

func (s *seatedTurn) publicAnswers(h *hypothesis) []engine.Answer {
	out := []engine.Answer{}
	for x := s.after(h.by); x != h.by; x = s.after(x) {
		switch {
		case h.said[x] == saidNone:
			out = append(out, engine.Answer{Seat: x, Said: "none"})
		case h.said[x] == saidShown:
			out = append(out, engine.Answer{Seat: x, Said: "shown"})
		case s.answering() && s.asked == x:
			out = append(out, engine.Answer{Seat: x, Said: "asked"})
		}
	}
	return out
}

// pileSize returns how many event cards are in the draw pile, by public counts.
func (s *boardState) pile() int {
	if s.book.clued() {
		return s.cluePile()
	}
	n := s.book.all(kindEvent).Count() - int(s.track) - int(s.gone)
	for x := range s.seats {
		n -= int(s.seats[x].butlers)
	}
	return n
}

// ownView returns what seat x knows. Marks and sightings come from its own knowledge.
func (k *knowledge) own(x engine.Seat) *engine.Own {
	me := &engine.Own{Seat: x, Hand: []engine.CardView{}, Tray: []engine.ID{}, Facts: k.facts(x), Seen: []*engine.Sighting{}}
	var fits set
	if k.asked == x && k.listens(engine.ReaderShow) == kindSuspect {
		fits = k.answers(x, k.wanted)
	}
	for h := k.hand(x); h != 0; h &= h - 1 {
		c := h.First()
		v := engine.CardView{Card: engine.ID(k.book.cardID[c])}
		if fits.Has(c) {
			v.Marks = append(v.Marks, "fits")
		}
		if k.book.kind(c) == kindEvent && k.phase == turn && !k.count.Counting &&
			k.serves(butlers.of(k.book.events[c]), x) {
			v.Marks = append(v.Marks, "play")
		}
		me.Hand = append(me.Hand, v)
	}
	if k.active == x && k.looked.has(k.here()) && k.uninterrupted() {
		me.Tray = k.book.engineIDs(uint64(k.there(k.here())))
	}
	return me
}

// seatFacts returns what binds or concerns only this seat now.
func (k *knowledge) facts(x engine.Seat) []engine.Msg {
	out := []engine.Msg{}
	if k.answered {
		out = append(out, engine.Say("cl.fact.answered"))
	} else if slices.Contains(k.sought(), x) && k.hand(x).Has(k.showing.card) {
		out = append(out, engine.Say("cl.fact.sought", "sought", k.book.cardID[k.showing.card]))
	}
	if k.mending {
		key := "cl.fact.amend"
		if k.amend.unsaid {
			key = "cl.fact.amend.unsaid"
		}
		out = append(out, engine.Say(key))
	}
	if k.phase == turn && x == k.active && k.mayStay() {
		out = append(out, engine.Say("cl.fact.stay"))
	}
	if k.phase == turn && k.seats[x].butlers > 0 && k.forfeits(x) {
		out = append(out, engine.Say("cl.fact.second"))
	}
	return out
}

// custodyViews reports to the host how far hands are known (GEN-020 to GEN-022): from what each
// seat has presented or named, not from the present records. A hand that was named proves nothing,
// so it is known in part at most.
func (s *public) custody(k *knowledge) []engine.Custody {
	out := []engine.Custody{}
	if s.phase != dealing && !s.dealt() {
		return out
	}
	grade := func(have, said, of int) string {
		switch {
		case have >= of:
			return engine.Verified
		case have+said > 0:
			return engine.Partly
		}
		return engine.Trusted
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		switch p := &s.seats[x]; {
		case p.dead:
			out = append(out, engine.Custody{Of: x.String(), Cards: grade((k.hand(x) & k.open).Count(), 0, int(p.cards))})
		case s.seated(x):
			out = append(out, engine.Custody{Of: x.String(),
				Cards: grade(int(p.told+p.named), int(p.said), int(p.cards+p.butlers))})
		}
	}
	return append(out, engine.Custody{Of: "envelope", Cards: grade(int(s.sealed), 0, 3)})
}
