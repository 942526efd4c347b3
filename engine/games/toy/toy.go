// Package toy is the smallest complete game, as an example for authors of new games and for tests.
// Two to four guests receive two cards each (TOY-001). In turn each drops one of them into the urn,
// face down (TOY-002). When all hands are empty, the guest who dropped the card of the highest
// worth wins (TOY-003).
package toy

import (
	"encoding/json"
	"errors"
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/deck"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// Numbers of guests, cards in a hand, and bytes of a guest's name.
const minGuests, maxGuests, handSize, maxName = 2, 4, 2, 24

type book struct{ *Deck }

func (b book) NewGame() engine.Game {
	return state{book: b, phase: "lobby", cards: custody.New(len(b.Cards))}
}

func (b book) BuildPosition([]engine.PositionLine) ([]engine.Event, error) {
	return nil, errors.New("toy: it has no positions")
}

// event is an accepted act. Cards are the shuffled cards of a deal, or the dropped card.
type event struct {
	Act, Name string
	Cards     []string
}

func (e event) Kind() string { return e.Act }

func (b book) EncodeEvent(e engine.Event) ([]byte, error) { return json.Marshal(e) }

func (b book) DecodeEvent(kind string, data []byte) (engine.Event, error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil || e.Act != kind {
		return nil, errors.New("toy: decode: not an event of the toy game")
	}
	return e, nil
}

// inUrn is the location of dropped cards. Before the deal all cards are at location zero, in the
// box.
const inUrn custody.Location = 1

// state is the game at one moment. The cards of each seat and the best card in the urn are secret.
type state struct {
	book     book
	phase    string
	seats    []engine.SeatView // from seat 1
	cards    custody.Ledger    // the number of a card is its worth
	turn     engine.Seat       // 0: no seat’s turn
	bestCard custody.Card      // best card in the urn
	winner   engine.Seat       // the seat that dropped it
	log      story.Log
}

// urnCount returns the number of cards in the urn.
func (s state) urnCount() int { return s.cards.CountAt(inUrn) }

// knownHand returns the cards that a viewer knows in the hand of a seat.
func (s state) knownHand(v engine.Viewer, x engine.Seat) []string {
	var at custody.CardsByLocation
	s.cards.AddCardsVisibleTo(v, &at)
	return rules.ListIDs(s.book.cardsByWorth(), uint64(at[custody.HandOf(x)]))
}

func (s state) Deadlines() []engine.Deadline { return nil }

func (s state) Chronicle([]engine.Suspicion) engine.Chronicle { return s.log.Chronicle(nil) }

// Offers returns all acts that v may do.
func (s state) Offers(v engine.Viewer) (all []engine.Offer) {
	if x, sits := v.Seat(); sits && x == s.turn {
		return []engine.Offer{{Act: "deposit", Rule: "TOY-002",
			Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.knownHand(v, x)}}}}
	}
	if n := len(s.seats); v.IsHost() && s.phase == "lobby" && n < maxGuests {
		all = append(all, engine.Offer{Act: "sit", Rule: "TOY-001", Params: []engine.Param{
			{Name: "seat", Kind: "seat", Domain: []string{engine.Seat(n + 1).String()}},
			{Name: "name", Kind: "text", Max: maxName},
			{Name: "character", Kind: "character", Domain: []string{string(s.book.Guests[n].ID)}}}})
	}
	if v.IsHost() && s.phase == "lobby" && len(s.seats) >= minGuests {
		all = append(all, engine.Offer{Act: "begin", Rule: "TOY-001"})
	}
	if v.IsHost() && s.turn != 0 { // after an alarm (GEN-E13)
		all = append(all, engine.Offer{Act: "count", Rule: "GEN-E09", Aside: true})
	}
	return all
}

// isOffered reports whether c is one of the offers of its viewer.
func (s state) isOffered(c engine.Command) bool {
	return slices.ContainsFunc(s.Offers(c.By), func(o engine.Offer) bool {
		return o.Act == c.Act && !slices.ContainsFunc(o.Params, func(p engine.Param) bool {
			v := c.Args[p.Name]
			return p.Kind == "text" && (v == "" || len(v) > p.Max || !deck.IsPrintable(v)) ||
				p.Kind != "text" && !slices.Contains(p.Domain, v)
		})
	})
}

var faultKeys = presentation.FaultKeys{Several: "toy.no.several", Foreign: "toy.no.foreign", Unreadable: "toy.no.unreadable"}

// Decide accepts what is offered. A card in the urn's slot is the deposit of the seat whose turn it
// is. A card that is not in that hand is refused with the same sentence, wherever it is.
func (s state) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	if c.Act == engine.ActScan && c.Args["reader"] == engine.ReaderUrn && s.turn != 0 {
		card, fault := faultKeys.ParseSingleCard(c)
		c = engine.Command{By: engine.SeatViewer(s.turn), Act: "deposit", Args: engine.Args{"card": card}}
		if fault == nil && !s.isOffered(c) {
			fault = &engine.Reject{Code: engine.Forbidden, Rule: "TOY-002", Why: engine.NewMsg("toy.no.hand")}
		}
		if fault != nil {
			return nil, presentation.AsNeutralRefusal(fault, s.turn)
		}
	}
	if !s.isOffered(c) {
		return nil, &engine.Reject{Code: engine.NotNow, Rule: "TOY-002", Why: engine.NewMsg("toy.no.now")}
	}
	e := event{c.Act, c.Args["name"], []string{c.Args["card"]}}
	if c.Act == "begin" {
		e.Cards = slices.Clone(s.book.cardsByWorth()[1:])
		chance.Shuffle(dice, len(e.Cards), func(i, j int) { e.Cards[i], e.Cards[j] = e.Cards[j], e.Cards[i] })
	}
	return []engine.Event{e}, nil
}

func (s state) Apply(events ...engine.Event) engine.Game {
	for _, e := range events {
		s = s.applyEvent(e.(event))
	}
	return s
}

func (s state) applyEvent(e event) state {
	switch n := engine.Seat(len(s.seats)); e.Act {
	case "sit":
		s.seats = append(slices.Clone(s.seats), engine.SeatView{Seat: n + 1, Name: e.Name, Character: s.book.Guests[n].ID,
			Alive: true, First: n == 0})
	case "begin":
		s.phase, s.turn = "play", 1
		for i, id := range e.Cards[:handSize*n] {
			x := engine.Seat(i/handSize + 1)
			s.cards.RecordCard(s.book.cardNumber(id), custody.HandOf(x), hidden.OnlySeats(x))
		}
		s.log = s.log.AddHappening(engine.Happening{What: engine.HapBegun}).AddLineOnHappening(1, engine.NewMsg("toy.log.begun"))
	case "count": // the card that raised the alarm is not of this game: the record is right
		s.log = s.log.AddLine(s.currentRound(), engine.NewMsg("toy.log.counted"))
	case "deposit":
		x, c := s.turn, s.book.cardNumber(e.Cards[0])
		s.log = s.log.AddHappening(engine.Happening{What: engine.HapFell, Seat: x}).
			AddLineOnHappening(s.currentRound(), engine.NewMsg("toy.log.dropped", "seat", x.String()))
		s.cards.RecordCard(c, inUrn, hidden.Nobody)
		if c > s.bestCard {
			s.bestCard, s.winner = c, x
		}
		s.turn = x%n + 1
		if s.urnCount() == handSize*len(s.seats) {
			s.phase, s.turn = "over", 0
			s.log = s.log.AddHappening(engine.Happening{What: engine.HapOver}).
				AddLineOnHappening(handSize, engine.NewMsg("toy.won", "seat", s.winner.String()))
		}
	}
	return s
}
