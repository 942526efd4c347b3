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
		return public.ToOverseerView(s.hiddenHoldings())
	}
	part := s.BuildPart(&public, v)
	return public.WithViewerPart(&part)
}

// publicView returns the view of the public.
func (s *state) publicView() engine.View {
	k := s.knowledgeFor(engine.Public)
	out := engine.View{
		Game: s.book.deck.Game, Viewer: engine.Public.String(), Phase: phaseNames[s.phase], Mood: s.tableMood(),
		Active: []engine.Seat{}, Clock: s.clockView(), Switches: switches.ActiveValues(s.rules[:]),
		Seats: s.seatViews(), Places: s.placeViews(),
		Shown: s.book.listEngineIDs(k.shownClues()), Gone: s.book.listEngineIDs(k.goneClues()), Urn: int(s.urnCount),
		Readers: s.readerViews(), Log: s.log.LastReadableLines(engine.Public, logLines), Happened: s.log.LastHappenings(),
		Offers: []engine.Offer{}, Result: s.result,
	}
	if s.active != 0 && !s.count.Alarmed {
		out.Active = append(out.Active, s.active)
	}
	out.Prompt, out.Rule = s.promptMessage(engine.Public, nil)
	return out
}

// Progress returns what publicView says of it.
func (s *state) Progress() engine.Progress {
	return engine.Progress{Phase: phaseNames[s.phase], LastHappening: s.log.LastNumber(), Over: s.result != nil}
}

// BuildPart returns what the host or a seat sees in addition to the public view.
func (s *state) BuildPart(public *engine.View, v engine.Viewer) engine.ViewerPart {
	k, out := s.knowledgeFor(v), public.ViewerPart()
	out.Viewer = v.String()
	out.Offers = s.buildOffers(v, k)
	if x, seat := v.Seat(); !seat || x == s.active || s.canObserveNow(x) {
		out.Prompt, out.Rule = s.promptMessage(v, out.Offers)
	}
	engine.FillSecretRefusals(
		s,
		s.waitingSince,
		v,
		out.Offers,
	) // asks Decide, which knows more: TestTwoWorldsAllGame checks that this leaks nothing
	if v.IsHost() {
		out.Custody = s.custodyViews()
	}
	if x, ok := v.Seat(); ok {
		// A seat also keeps the turning points from before the recent lines.
		out.Log = s.log.LinesWithTurningPoints(v, seatLines, recentLines)
		if s.isSeated(x) {
			out.Me = s.ownView(v, k, x)
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
var storyKeys = map[string]bool{
	"hc.log.begun": true, "hc.log.begun.lifted": true, "hc.log.accusations-open": true, "hc.log.closed": true,
	"hc.log.accused": true, "hc.log.accused.wrong": true, "hc.log.turned-up": true, "hc.log.died": true,
	"hc.log.died.untold": true, "hc.log.confrontation": true,
}

// tableMood returns the mood of the whole table.
func (s *public) tableMood() string {
	if mood := s.count.MoodWhileStopped(); mood != "" || !s.duel {
		return mood
	}
	return engine.MoodDuel
}

// listEngineIDs returns the ids of a set in deck order.
func (b *Book) listEngineIDs(x set) []engine.ID { return rules.ListIDs(b.engineID[:], uint64(x)) }

func (s *boardState) clockView() engine.Clock {
	if s.startPlayers == 0 {
		return engine.Clock{}
	}
	c := engine.Clock{At: int(s.round), Of: s.lastRound(), Mark: int(s.startPlayers) + 1, Open: s.allowsAccusations()}
	if s.duel {
		c.Mark = 0 // no accusations any more (HC-202)
	}
	if s.isEndless() {
		c.Of = 0 // "round 9 of 8" would be no round of this game
	}
	return c
}

func (s *roleState) seatViews() []engine.SeatView {
	out := make([]engine.SeatView, 0, maxSeats)
	for i := range s.seats {
		x, p := engine.Seat(i), &s.seats[i]
		if !s.isSeated(x) {
			continue
		}
		v := engine.SeatView{Seat: x, Name: s.names[x], Character: engine.ID(s.book.characterID[p.character]),
			Place: engine.ID(s.book.placeID[p.at]), Cards: int(p.cards), Tokens: int(p.tokens),
			Destroyed: int(p.destroyed), Alive: !p.dead, First: x == s.first, Done: p.done}
		if d, ok := s.roles[x].ValueFor(engine.Public); ok {
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
			if s.seats[x].at == p && s.isLiving(engine.Seat(x)) {
				pawns = append(pawns, engine.Seat(x))
			}
		}
		v.Pawns = slices.Clip(pawns[here:])
		switch {
		case r.closed:
			v.Lamp = engine.LampClosed
		case r.deaths > 0:
			v.Lamp = engine.LampCrime
		case s.phase == phaseInvestigation && s.step > stepMove && s.seats[s.active].at == p:
			v.Lamp = engine.LampHere
		}
		out = append(out, v)
	}
	return out
}

// readerViews returns what each reader waits for. It uses only public facts.
func (s *public) readerViews() []engine.ReaderView {
	wait := func(reader string, kind engine.ID) engine.ReaderView {
		return engine.ReaderView{Reader: reader, Kind: kind, Seat: s.active}
	}
	switch {
	case s.count.IsPlayStopped():
		return []engine.ReaderView{}
	case s.step == stepRole:
		return []engine.ReaderView{wait(engine.ReaderUrn, "role-card"), wait(engine.ReaderShow, "role-card")}
	case s.allowsBothReaders():
		return []engine.ReaderView{wait(engine.ReaderUrn, "clue"), wait(engine.ReaderShow, "clue")}
	case s.waitingReader() == "" || s.windowOpen || s.active == 0 && s.phase != phaseLaying:
		return []engine.ReaderView{}
	case s.phase == phaseRoles:
		return []engine.ReaderView{wait(engine.ReaderShow, "role-card")}
	}
	return []engine.ReaderView{wait(s.waitingReader(), "clue")}
}

// ownView returns what seat x knows. The marks and facts come from its own knowledge.
func (s *state) ownView(v engine.Viewer, k *knowledge, x engine.Seat) *engine.Own {
	me := &engine.Own{Seat: x, Role: roleID(k.roleOf[x]), Hand: make([]engine.CardView, 0, k.knownHandOf(x).Count()),
		Tray: []engine.ID{}, Facts: s.limitsOnSeat(k, x),
		// Without the clues that are in its hand, face up or out of the game.
		Seen: s.sightings.NewestSightingsOf(v, uint64(k.knownHandOf(x)|k.shownClues()|k.goneClues()), s.book.engineID[:])}
	var may set
	if s.phase == phaseDeposit && s.isLiving(x) && s.hasNotActed(x) {
		may = (actor{seat: x, knowledge: k}).choiceToDeposit().cards
	}
	for h := k.knownHandOf(x); h != 0; h &= h - 1 {
		c := h.First()
		held := engine.CardView{Card: engine.ID(s.book.cardID[c])}
		if may.Contains(c) {
			held.Marks = append(held.Marks, "deposit")
		}
		if c == k.taken {
			held.Marks = append(held.Marks, "new")
		}
		me.Hand = append(me.Hand, held)
	}
	for _, here := range k.knownCluesPerPlace() {
		me.Tray = append(me.Tray, s.book.listEngineIDs(here)...)
	}
	return me
}
