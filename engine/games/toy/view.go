package toy

import (
	"errors"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
)

var promptKeys = map[string]string{"lobby": "toy.prompt.lobby", "play": "toy.prompt.play", "over": "toy.prompt.over"}

// Progress returns what View says of it.
func (s state) Progress() engine.Progress {
	return engine.Progress{Phase: s.phase, LastHappening: s.log.LastNumber(), Over: s.phase == "over"}
}

// View shows a hand only to its own seat. The number of cards in each hand and the turn order are
// public.
func (s state) View(v engine.Viewer) engine.View {
	view := engine.View{Game: s.book.Game, Viewer: v.String(), Phase: s.phase, Rule: "TOY-001",
		Prompt: engine.NewMsg(promptKeys[s.phase]), Active: []engine.Seat{}, Clock: engine.Clock{At: s.currentRound(), Of: handSize},
		Switches: map[string]string{}, Seats: slices.Clone(s.seats), Places: []engine.PlaceView{}, Shown: []engine.ID{},
		Urn: s.urnCount(), Gone: []engine.ID{}, Readers: []engine.ReaderView{}, Log: s.log.LastReadableLines(v, 12),
		Happened: s.log.LastHappenings(), Offers: s.Offers(v)}
	for i := range s.seats {
		view.Seats[i].Cards = s.cards.CountAt(custody.HandOf(s.seats[i].Seat))
	}
	if s.turn != 0 {
		view.Rule, view.Prompt, view.Active = "TOY-002", engine.NewMsg(promptKeys[s.phase], "seat", s.turn.String()),
			[]engine.Seat{s.turn}
		if v == engine.SeatViewer(s.turn) {
			view.Prompt = engine.NewMsg("toy.prompt.play.you")
		}
		view.Readers = []engine.ReaderView{{Reader: engine.ReaderUrn, Kind: "clue", Seat: s.turn}}
	}
	if s.phase == "over" {
		view.Rule, view.Result = "TOY-003", &engine.Result{Rule: "TOY-003", Winners: []engine.Seat{s.winner},
			Msg: engine.NewMsg("toy.won", "seat", s.winner.String())}
	}
	if v == engine.Overseer {
		return view.ToOverseerView(s.holdings())
	}
	if x, sits := v.Seat(); sits && int(x) <= len(s.seats) {
		view.Me = &engine.Own{Seat: x, Hand: []engine.CardView{}, Tray: []engine.ID{}, Facts: []engine.Msg{},
			Seen: []*engine.Sighting{}}
		for _, c := range s.knownHand(v, x) {
			view.Me.Hand = append(view.Me.Hand, engine.CardView{Card: engine.ID(c)})
		}
	}
	return view
}

// holdings returns the hands, for the overseer. The cards in the urn no longer matter to anyone.
func (s state) holdings() (all []engine.Holding) {
	for i := range s.seats {
		h := engine.Holding{Of: s.seats[i].Seat.String(), Cards: []engine.ID{}}
		for _, c := range s.knownHand(engine.Overseer, s.seats[i].Seat) {
			h.Cards = append(h.Cards, engine.ID(c))
		}
		all = append(all, h)
	}
	return all
}

// currentRound returns the round of the next card; 0 before the game begins.
func (s state) currentRound() int {
	if s.phase == "lobby" {
		return 0
	}
	return min(s.urnCount()/len(s.seats)+1, handSize)
}

// CheckInvariants returns an error if an invariant is broken: hands and urn contain exactly the dealt cards,
// and it is the turn of some seat exactly while any hand has cards.
func (s state) CheckInvariants() error {
	held := 0
	for i := range s.seats {
		held += s.cards.CountAt(custody.HandOf(s.seats[i].Seat))
	}
	if s.phase != "lobby" && (held+s.urnCount() != handSize*len(s.seats) || (held > 0) != (s.turn != 0)) {
		return errors.New("toy: the cards do not add up")
	}
	return s.cards.Check(len(s.book.Cards))
}
