// Package master is the contract between the loop of a game and what its game master does beside the rules of that game: hints, a
// countdown, the light of the room, who may see what. Each of these is a part, in a folder below this one: with its acts, the events that
// it keeps in the journal and a fold over them, its offers and its piece of what is shown. The loop holds a list of parts and knows none
// by name.
package master

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Anyone is the role of who stands at a device of the host that is locked.
const Anyone wire.Role = ""

// Actor is who does something: a phone, a device of the host, a button of the table or a program of the house.
type Actor struct {
	wire.Handset             // zero for a button, a program or the clock
	Who          wire.Person // the account signed in on a device of the host
	Author       string      // as the journal names it
}

// Pause is in which pauses of a game an act can be done.
type Pause int

// The pauses of Pause. A pause of the store, in which nothing can be written, is in InAnyPause alone.
const (
	InNoPause  Pause = iota
	InHold           // while somebody, or the countdown, holds the game
	WhenTimeUp       // once the countdown has ended it
	WhenLost         // while the host decides about what the journal has lost
	InAnyPause
)

// Act is an act of the host that no rule of a game knows.
type Act struct {
	Name  string
	Role  wire.Role // the least role that may do it, where the host's devices have accounts
	Pause Pause
	Do    Do
}

// Do does an act. It returns what everybody is told of it, nil for nothing, or why it is refused.
type Do func(by Actor, args engine.Args) (*wire.Notice, *engine.Reject)

// Refuse returns a refusal under a rule, in the words of a key of the catalogues.
func Refuse(code engine.Code, rule, key string) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: engine.Say(key)}
}
