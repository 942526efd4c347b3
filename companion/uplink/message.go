package uplink

import (
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// Schema is the number of what the messages mean; it rises when a field changes its meaning.
const Schema = 1

// Info says who is speaking.
type Info struct {
	Software string `json:"software"` // "majordome"
	Version  string `json:"version"`
	Schema   int    `json:"schema"`
	Demo     bool   `json:"demo"`     // a demonstration table, no real cards
	Commands bool   `json:"commands"` // are obeyed here
	ID       string `json:"id"`       // which table it is, by chance; "": an older version
	Page     string `json:"page"`     // where its pages are, such as http://192.168.1.20; "": nowhere for now
}

// State is the table as everybody sees it. Ids are those of names.
type State struct {
	Game   engine.ID `json:"game"`
	Phase  string    `json:"phase"`  // "lobby" before a game, "over" after one; see the view of a game
	Mood   string    `json:"mood"`   // "confrontation", "count", "alarm" or ""
	Paused bool      `json:"paused"` // the game stands still until the table is repaired
	// Countdown is that over the game; null: there is none.
	Countdown *Countdown `json:"countdown"`
	Clock     Clock      `json:"clock"`
	Turn      []int      `json:"turn"` // seats that are to act, in table order
	Seats     []Seat     `json:"seats"`
	Places    []Place    `json:"places"` // in the order of the deck
	Urn       int        `json:"urn"`    // cards in it
	// Readers are "ok" or "lost", by their role.
	Readers map[string]string `json:"readers"`
	Result  *Result           `json:"result"` // null before the end
}

// Countdown is told by its end, so that nothing is said while it runs.
type Countdown struct {
	Ends string `json:"ends"` // UTC, as 2026-01-31T20:15:00Z; "": it stands
	Left int    `json:"left"` // seconds, while it stands; 0 while it runs
	Over bool   `json:"over"` // it has ended the game
}

// Clock counts rounds of Huis Clos, or hours of Cluedo 2008.
type Clock struct {
	At   int  `json:"at"`   // 0 before the first
	Of   int  `json:"of"`   // the last; 0: none, or not known yet
	Open bool `json:"open"` // accusations are open
}

// Seat is one player.
type Seat struct {
	Seat      int       `json:"seat"` // from 1
	Name      string    `json:"name"`
	Character engine.ID `json:"character"`
	Place     engine.ID `json:"place"` // where the pawn stands; "": in none
	Cards     int       `json:"cards"` // in the hand
	Alive     bool      `json:"alive"`
	Online    bool      `json:"online"` // a phone is connected
}

// Place is a room.
type Place struct {
	Place engine.ID `json:"place"`
	Open  bool      `json:"open"`
	Lamp  string    `json:"lamp"` // "open", "here", "crime", "closed" or "reach"
	Cards int       `json:"cards"`
}

// Result is how the game ended.
type Result struct {
	Rule    string `json:"rule"`
	Winners []int  `json:"winners"` // seats
}

// Event is one thing that everybody saw happen; What is one of the codes of engine.Happening,
// which says which fields each has.
type Event struct {
	What  string      `json:"what"`
	N     int         `json:"n"` // counts them from 1 in each game
	Game  engine.ID   `json:"game"`
	Seat  int         `json:"seat,omitempty"`
	Other int         `json:"other,omitempty"`
	Place engine.ID   `json:"place,omitempty"`
	Cards []engine.ID `json:"cards,omitempty"` // lying face up, or named aloud
}

// StateOf is what all see of u.
func StateOf(u *wire.Update) State {
	v := &u.View
	s := State{Game: v.Game, Phase: v.Phase, Mood: v.Mood, Paused: u.Paused != nil,
		Clock: Clock{v.Clock.At, v.Clock.Of, v.Clock.Open}, Turn: seats(v.Active), Seats: []Seat{}, Places: []Place{},
		Urn: v.Urn, Readers: u.Table.Readers}
	if x := u.Count; x != nil {
		s.Countdown = &Countdown{Over: u.Hold != nil && u.Hold.Over}
		if s.Countdown.Left = int(x.Left / 1000); x.Ends > 0 {
			s.Countdown.Ends, s.Countdown.Left = time.Unix(x.Ends, 0).UTC().Format(time.RFC3339), 0
		}
	}
	online := map[engine.Seat]bool{}
	for _, x := range u.Table.Online {
		online[x] = true
	}
	for _, x := range v.Seats {
		s.Seats = append(s.Seats, Seat{int(x.Seat), x.Name, x.Character, x.Place, x.Cards, x.Alive, online[x.Seat]})
	}
	for _, p := range v.Places {
		s.Places = append(s.Places, Place{p.Place, p.Open, p.Lamp, p.Cards})
	}
	if v.Result != nil {
		s.Result = &Result{v.Result.Rule, seats(v.Result.Winners)}
	}
	return s
}

func seats(xs []engine.Seat) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = int(x)
	}
	return out
}

func eventOf(game engine.ID, h *engine.Happening) Event {
	return Event{h.What, h.N, game, int(h.Seat), int(h.Other), h.Place, h.Cards}
}
