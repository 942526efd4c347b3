package toy

import (
	"errors"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
)

var prompts = map[string]string{"lobby": "toy.prompt.lobby", "play": "toy.prompt.play", "over": "toy.prompt.over"}

// View shows a hand only to its own seat. The number of cards in each hand and the turn order are
// public.
func (s state) View(v engine.Viewer) engine.View {
	view := engine.View{Game: s.book.Game, Viewer: v.String(), Phase: s.phase, Rule: "TOY-001",
		Prompt: engine.Say(prompts[s.phase]), Active: []engine.Seat{}, Clock: engine.Clock{At: s.round(), Of: each},
		Switches: map[string]string{}, Seats: slices.Clone(s.seats), Places: []engine.PlaceView{}, Shown: []engine.ID{},
		Urn: s.urn(), Gone: []engine.ID{}, Readers: []engine.ReaderView{}, Log: s.log.Lines(v, 12),
		Happened: s.log.Happened(), Offers: s.Offers(v)}
	for i := range s.seats {
		view.Seats[i].Cards = s.cards.Count(custody.HandOf(s.seats[i].Seat))
	}
	if s.turn != 0 {
		view.Rule, view.Prompt, view.Active = "TOY-002", engine.Say(prompts[s.phase], "seat", s.turn.String()),
			[]engine.Seat{s.turn}
		if v == engine.At(s.turn) {
			view.Prompt = engine.Say("toy.prompt.play.you")
		}
		view.Readers = []engine.ReaderView{{Reader: engine.ReaderUrn, Kind: "clue", Seat: s.turn}}
	}
	if s.phase == "over" {
		view.Rule, view.Result = "TOY-003", &engine.Result{Rule: "TOY-003", Winners: []engine.Seat{s.winner},
			Msg: engine.Say("toy.won", "seat", s.winner.String())}
	}
	if v == engine.Overseer {
		return view.Overseen(s.secrets())
	}
	if x, sits := v.Seat(); sits && int(x) <= len(s.seats) {
		view.Me = &engine.Own{Seat: x, Hand: []engine.CardView{}, Tray: []engine.ID{}, Facts: []engine.Msg{},
			Seen: []*engine.Sighting{}}
		for _, c := range s.hand(v, x) {
			view.Me.Hand = append(view.Me.Hand, engine.CardView{Card: engine.ID(c)})
		}
	}
	return view
}

// holdings returns the hands, for the overseer. The cards in the urn no longer matter to anyone.
func (s state) secrets() (all []engine.Holding) {
	for i := range s.seats {
		h := engine.Holding{Of: s.seats[i].Seat.String(), Cards: []engine.ID{}}
		for _, c := range s.hand(engine.Overseer, s.seats[i].Seat) {
			h.Cards = append(h.Cards, engine.ID(c))
		}
		all = append(all, h)
	}
	return all
}

// currentRound returns the round of the next card; 0 before the game begins.
func (s state) round() int {
	if s.phase == "lobby" {
		return 0
	}
	return min(s.urn()/len(s.seats)+1, each)
}

// Check returns an error if an invariant is broken: hands and urn contain exactly the dealt cards,
// and it is the turn of some seat exactly while any hand has cards.
func (s state) Check() error {
	held := 0
	for i := range s.seats {
		held += s.cards.Count(custody.HandOf(s.seats[i].Seat))
	}
	if s.phase != "lobby" && (held+s.urn() != each*len(s.seats) || (held > 0) != (s.turn != 0)) {
		return errors.New("toy: the cards do not add up")
	}
	return s.cards.Check(len(s.book.Cards))
}
