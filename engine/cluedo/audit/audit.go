// Package audit follows a game of a Cluedo by its stored events only, and reports which viewer may
// know which card. It is written from the rules (cluedo-2008.md, 2.14) and shares no code with the
// engine: where the two disagree, one of them is wrong. Tests use it to look for leaks, and to make
// a second world that differs only in what a viewer has not seen (Swap).
//
//	a := audit.New(mystery)
//	a.ApplyEvent(kind, data)     each stored event, in order
//	a.HasSeen(viewer, card)      the viewer has been shown this card at some time
//
// It has every secret of the game, as the store has: use it only in tests.
//
// Limits: it needs a game from the lobby on. The places of cards are exact only while every card is
// recorded; otherwise it may report more cards as shown than were.
package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"majordome/engine"
)

// Auditor follows one game by its events.
type Auditor struct {
	mystery    []string
	where      map[string]string
	boardAreas map[string]bool            // places of the board to which the program has dealt cards
	claimed    map[string]map[string]bool // cards that a seat has named as its own
	seen       map[engine.Viewer]map[string]bool
	debrief    bool
	dealt      bool // all hands are: the rest is in the pool
	// Shows lists what the last event showed, for tests that follow one card.
	Shows []Show
}

// Show is a set of cards that one viewer was shown together. engine.Public means all players.
type Show struct {
	To    engine.Viewer
	Cards []string
}

// New returns the audit of a game that begins, with these mystery cards.
func New(mystery []string) *Auditor {
	return &Auditor{mystery: mystery, where: map[string]string{}, boardAreas: map[string]bool{},
		claimed: map[string]map[string]bool{}, seen: map[engine.Viewer]map[string]bool{}}
}

// event is the part of a stored event that an audit needs.
type event struct {
	Seat   int               `json:"seat"`
	Other  int               `json:"other"`
	Switch string            `json:"switch"`
	Value  string            `json:"value"`
	N      int               `json:"n"`
	To     string            `json:"to"`
	Names  []string          `json:"names"`
	Open   string            `json:"open"`
	Card   string            `json:"card"`
	Deal   map[string]string `json:"deal"`
}

// ApplyEvent follows one stored event.
func (a *Auditor) ApplyEvent(kind string, data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("audit: %s: %w", kind, err)
	}
	a.Shows = a.Shows[:0]
	x := engine.Viewer{}
	if e.Seat > 0 {
		x = engine.SeatViewer(engine.Seat(e.Seat))
	}
	switch kind {
	case "switched":
		if e.Switch == "post-game-debrief" {
			a.debrief = e.Value == "on"
		}
	case "laid":
		a.where[e.Card] = e.To
	case "sealed":
		a.where[e.Card] = "envelope"
	case "read-again", "redealt":
		clear(a.where)
	case "dealt-all":
		for card, place := range e.Deal {
			a.where[card] = place
			if v, err := engine.ParseViewer(place); err == nil {
				a.recordShow(v, card)
			} else if place != "envelope" {
				a.boardAreas[place] = true
			}
		}
	case "starting":
		if !a.dealt {
			a.dealt = true
			a.fillPool()
		}
	case "got", "drew":
		a.recordDraw(e, x)
	case "held":
		a.recordClaim(x, e.Card)
	case "counted": // records may be discarded then, and each hand keeps its claims (GEN-E13)
		for card, place := range a.where {
			if v, err := engine.ParseViewer(place); err == nil {
				a.recordClaim(v, card)
			}
		}
	case "forgot":
		delete(a.claimed[x.String()], e.Card)
		if a.where[e.Card] == x.String() {
			delete(a.where, e.Card)
		}
	default:
		a.applyTurnEvent(kind, e, x)
	}
	return nil
}

// fillPool puts the cards that are neither in the envelope nor in a hand into the pool (C8-005).
func (a *Auditor) fillPool() {
	var rest []string
	for _, c := range a.mystery {
		if a.where[c] == "" {
			rest = append(rest, c)
		}
	}
	if len(rest) <= 3 && len(a.cardsAt("envelope")) == 3 {
		for _, c := range rest {
			a.where[c] = "pool"
		}
	}
}

// recordDraw puts a card that was read into a hand; one that was only said is a claim. All see a Time
// card.
func (a *Auditor) recordDraw(e event, x engine.Viewer) {
	if e.Open != "" {
		a.recordShow(engine.Public, e.Open)
	}
	if e.N == 1 { // said on the phone
		a.recordClaim(x, e.Card)
	} else if e.Card != "" {
		a.where[e.Card] = x.String()
		a.recordShow(x, e.Card)
	}
}

func (a *Auditor) recordClaim(x engine.Viewer, card string) {
	if card == "" {
		return
	}
	if a.claimed[x.String()] == nil {
		a.claimed[x.String()] = map[string]bool{}
	}
	a.claimed[x.String()][card] = true
	a.recordShow(x, card)
}

// applyTurnEvent follows the events of a turn.
func (a *Auditor) applyTurnEvent(kind string, e event, x engine.Viewer) {
	switch kind {
	case "replied":
		a.recordShow(x, e.Card)
	case "shown": // C8-081, C8-153
		a.recordClaim(x, e.Card)
		a.recordShow(engine.SeatViewer(engine.Seat(e.Other)), e.Card)
	case "revealed": // CC-031
		if e.Open != "" {
			a.where[e.Open] = x.String()
			a.recordShow(engine.Public, e.Open)
		}
	case "saw", "looked": // C8-156, C8-170, C8-174
		a.recordShow(x, e.Card)
		a.recordShow(engine.SeatViewer(engine.Seat(e.Other)), e.Card)
	case "peeked": // C8-061, CC-133
		a.recordPeek(e, x)
	case "played": // C8-141
		a.where[e.Open] = "gone"
		a.recordShow(engine.Public, e.Open)
	case "seen":
		a.where[e.Open] = cmp.Or(e.To, "pool")
		a.recordShow(engine.Public, e.Open)
	case "murdered", "killed": // C8-134, C8-135
		a.showMurderedHand(x)
	case "wrong": // SC-094; the program knows the solution now
		a.recordShow(x, e.Names...)
		for _, c := range e.Names {
			a.where[c] = "envelope"
		}
	case "verdict": // C8-113
		a.recordShow(engine.Public, e.Names...)
	case "over": // GEN-008
		for c := range a.where {
			if a.debrief && slices.Contains(a.mystery, c) {
				a.recordShow(engine.Public, c)
			}
		}
	}
}

// recordPeek shows all cards of a place; without a name those of the pool, whatever the deck calls
// it.
func (a *Auditor) recordPeek(e event, x engine.Viewer) {
	place := cmp.Or(e.To, "pool")
	if e.N == 0 && e.Card != "" { // a reader has seen it
		a.where[e.Card] = place
	}
	a.recordShow(x, e.Card)
	a.recordShow(x, a.cardsAt(place)...)
	if e.To != "" {
		return
	}
	for there := range a.boardAreas {
		a.recordShow(x, a.cardsAt(there)...)
	}
}

// showMurderedHand shows the mystery cards of a hand, and those that it has claimed; its other cards leave
// the game.
func (a *Auditor) showMurderedHand(x engine.Viewer) {
	for _, c := range a.cardsAt(x.String()) {
		if !slices.Contains(a.mystery, c) {
			a.where[c] = "gone"
		} else {
			a.recordShow(engine.Public, c)
		}
	}
	for c := range a.claimed[x.String()] {
		if slices.Contains(a.mystery, c) {
			a.recordShow(engine.Public, c)
		}
	}
}

func (a *Auditor) recordShow(to engine.Viewer, cards ...string) {
	if len(cards) == 0 || len(cards) == 1 && cards[0] == "" { // a card that was not named
		return
	}
	if a.seen[to] == nil {
		a.seen[to] = map[string]bool{}
	}
	for _, c := range cards {
		a.seen[to][c] = true
	}
	a.Shows = append(a.Shows, Show{to, cards})
}

// cardsAt returns the cards of one place.
func (a *Auditor) cardsAt(holder string) (cards []string) {
	for c, w := range a.where {
		if w == holder {
			cards = append(cards, c)
		}
	}
	return cards
}

// LocationOf returns the place of a card: "seat-3", "envelope", a place of the board, "gone", or ""
// where no event says it.
func (a *Auditor) LocationOf(card string) string { return a.where[card] }

// HasClaimed reports whether a seat has named a card as its own and not taken it back.
func (a *Auditor) HasClaimed(v engine.Viewer, card string) bool {
	return a.claimed[v.String()][card]
}

// HasSeen reports whether v has been shown the face of a card at some time, on its own or with all
// players.
func (a *Auditor) HasSeen(v engine.Viewer, card string) bool {
	return a.seen[v][card] || a.seen[engine.Public][card]
}

// Swap is the difference between two worlds: two cards have changed places. What is said aloud is
// the same: a hypothesis names the same three cards in both.
type Swap [2]string

// OtherCard returns the other world's name for a card.
func (s Swap) OtherCard(card string) string {
	switch card {
	case "":
	case s[0]:
		return s[1]
	case s[1]:
		return s[0]
	}
	return card
}

// SwapEvent returns a stored event as it happened in the other world.
func (s Swap) SwapEvent(kind string, data []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, fmt.Errorf("audit: %s: %w", kind, err)
	}
	for _, name := range []string{"card", "open"} {
		var card string
		if json.Unmarshal(fields[name], &card) == nil {
			fields[name], _ = json.Marshal(s.OtherCard(card))
		}
	}
	var names []string
	if kind == "wrong" && json.Unmarshal(fields["names"], &names) == nil {
		for i := range names {
			names[i] = s.OtherCard(names[i])
		}
		fields["names"], _ = json.Marshal(names)
	}
	var deal map[string]string
	if json.Unmarshal(fields["deal"], &deal) == nil {
		deal[s[0]], deal[s[1]] = deal[s[1]], deal[s[0]]
		if deal[s[0]] == "" { // no mystery cards
			delete(deal, s[0])
			delete(deal, s[1])
		}
		fields["deal"], _ = json.Marshal(deal)
	}
	return json.Marshal(fields)
}

// SwapCommand returns a command as it is given in the other world: it swaps the card in a hand, not the
// names said aloud.
func (s Swap) SwapCommand(c engine.Command) engine.Command {
	args := make(engine.Args, len(c.Args))
	for k, v := range c.Args {
		if k == "card" || k == "cards" {
			v = s.OtherCard(v)
		}
		args[k] = v
	}
	c.Args = args
	return c
}
