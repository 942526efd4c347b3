package uplink

import (
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// Schema is the version of the meaning of the messages; it rises when a field changes its meaning.
const Schema = 1

// Info says which program and table publish here.
type Info struct {
	Software string `json:"software"` // "majordome"
	Version  string `json:"version"`
	Schema   int    `json:"schema"`
	Demo     bool   `json:"demo"`     // a demonstration table, no real cards
	Commands bool   `json:"commands"` // commands are executed here
	ID       string `json:"id"`       // random id of the table; "" from an older version
	Page     string `json:"page"`     // URL of its pages, such as http://192.168.1.20; "" if there is none now
}

// State is the public state of the table. Its ids are explained in names.
type State struct {
	Game   engine.ID `json:"game"`
	Phase  string    `json:"phase"`  // "lobby" before a game, "over" after one; see engine.View
	Mood   string    `json:"mood"`   // "confrontation", "count", "alarm" or ""
	Paused bool      `json:"paused"` // the game waits until the table is repaired
	// Countdown is the one for the whole game; null if there is none.
	Countdown *Countdown `json:"countdown"`
	Clock     Clock      `json:"clock"`
	Turn      []int      `json:"turn"` // seats that must act, in table order
	Seats     []Seat     `json:"seats"`
	Places    []Place    `json:"places"` // in the order of the deck
	Urn       int        `json:"urn"`    // cards in the urn
	// Readers maps the role of a reader to "ok" or "lost".
	Readers map[string]string `json:"readers"`
	Result  *Result           `json:"result"` // null before the end
	// Sealed has the codes to which the table is committed; null before there are any.
	Sealed *Sealed `json:"sealed"`
}

// Sealed has the codes by which majordome prove checks an evening after its end.
type Sealed struct {
	Deal    string `json:"deal"`    // changes only during a deal; "" before one
	Evening string `json:"evening"` // of all that was done up to the last event; "" before the first
}

// Countdown gives the end of the countdown, so that no message is needed while it runs.
type Countdown struct {
	Ends string `json:"ends"` // UTC, as 2026-01-31T20:15:00Z; "" if it is stopped
	Left int    `json:"left"` // seconds, if it is stopped; 0 while it runs
	Over bool   `json:"over"` // it has ended the game
}

// Clock counts the rounds of Huis Clos or the hours of Cluedo 2008.
type Clock struct {
	At   int  `json:"at"`   // 0 before the first
	Of   int  `json:"of"`   // the last one; 0 if there is none or it is not known yet
	Open bool `json:"open"` // accusations are open
}

// Seat is one player.
type Seat struct {
	Seat      int       `json:"seat"` // from 1
	Name      string    `json:"name"`
	Character engine.ID `json:"character"`
	Place     engine.ID `json:"place"` // the room of the pawn; "" if it is in none
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

// Result says how the game ended.
type Result struct {
	Rule    string `json:"rule"`
	Winners []int  `json:"winners"` // seats
}

// Event is one public happening; What is one of the codes of engine.Happening, where the fields of each code
// are listed.
type Event struct {
	What  string      `json:"what"`
	N     int         `json:"n"` // counts the events of a game from 1
	Game  engine.ID   `json:"game"`
	Seat  int         `json:"seat,omitempty"`
	Other int         `json:"other,omitempty"`
	Place engine.ID   `json:"place,omitempty"`
	Cards []engine.ID `json:"cards,omitempty"` // face up on the table, or named aloud
}

// StateOf returns the public state in an update.
func StateOf(u *wire.Update) State {
	v := &u.View
	s := State{Game: v.Game, Phase: v.Phase, Mood: v.Mood, Paused: u.Paused != nil,
		Clock: Clock{v.Clock.At, v.Clock.Of, v.Clock.Open}, Turn: seatNumbers(v.Active), Seats: []Seat{}, Places: []Place{},
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
		s.Result = &Result{v.Result.Rule, seatNumbers(v.Result.Winners)}
	}
	if p := u.Proof; p != nil && p.Root+p.Head != "" {
		s.Sealed = &Sealed{p.Root, p.Head}
	}
	return s
}

func seatNumbers(xs []engine.Seat) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = int(x)
	}
	return out
}

func eventOfHappening(game engine.ID, h *engine.Happening) Event {
	return Event{h.What, h.N, game, int(h.Seat), int(h.Other), h.Place, h.Cards}
}
