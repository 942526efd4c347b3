package uplink

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"majordome/companion/results"
	"majordome/companion/wire"
	"majordome/engine"
)

// A command is a request from a program in the house to the table, on <base>/command/<its name>. Every
// command has an id that its sender chooses and that the answer repeats. Everything that a command does is
// public.

// Pause pauses or resumes the game.
type Pause struct {
	ID string `json:"id"`
	By string `json:"by,omitempty"`
	On bool   `json:"on"`
}

// Alarm stops the game under white light; before a game it only turns on white light.
type Alarm struct {
	ID string `json:"id"`
	By string `json:"by,omitempty"`
}

// Light lights the room instead of the game's own light: To is "white", "dark", or "game" to return to that.
type Light struct {
	ID string `json:"id"`
	By string `json:"by,omitempty"`
	To string `json:"to" enum:"white dark game"`
}

// Adjust lengthens or shortens the running countdown.
type Adjust struct {
	ID      string `json:"id"`
	By      string `json:"by,omitempty"`
	Seconds int    `json:"seconds"`
	Bonus   bool   `json:"bonus,omitempty"` // the players are informed
}

// Advise gives a hint: To is "all" or "display". It has either its own Text or, in Stock, the id of a
// prepared hint.
type Advise struct {
	ID    string `json:"id"`
	By    string `json:"by,omitempty"`
	To    string `json:"to" enum:"all display"`
	Text  string `json:"text,omitempty"`
	Stock string `json:"stock,omitempty"`
}

// Next ends the scene that the display is playing, so that the phones wait for it no longer.
type Next struct {
	ID string `json:"id"`
	By string `json:"by,omitempty"`
}

// AskResults asks a table for the Results of some games, at most results.MaxAsk. Those that it has come on <base>/result.
type AskResults struct {
	ID    string `json:"id"`
	By    string `json:"by,omitempty"`
	Games []int  `json:"games"`
}

// Stored tells a table which Results of its Index the venue has stored.
type Stored struct {
	ID    string          `json:"id"`
	By    string          `json:"by,omitempty"`
	Games []results.Entry `json:"games"`
}

// Answer is the result of a command, on <base>/answer.
type Answer struct {
	ID      string `json:"id"`      // "" if it could not be read
	By      string `json:"by"`      // the sender, as in the minutes of the game
	Command string `json:"command"` // "" if there is no such command
	Result  string `json:"result" enum:"done omitted"`
	Why     *Why   `json:"why"` // null if the command was done
}

// Why is a reason: a key for programs, and a sentence for people.
type Why struct {
	Key string `json:"key"`
	FR  string `json:"fr"`
	EN  string `json:"en"`
}

// Values of Answer.Result.
const (
	Done    = "done"
	Omitted = "omitted"
)

// Limits of the payload of a command, in bytes: in general, and for Stored.
const (
	maxCommand = 2 << 10
	maxStored  = 16 << 10
)

// commandKind is one of the known commands; toOrder translates its payload into an order for game.Loop.ExecuteOrder.
type commandKind struct {
	name, summary string
	newValue      func() any // a pointer to its payload type
	toOrder       func(any) (act string, args engine.Args)
}

// resultCommands are executed at a venue, without an order to the table: they change nothing there.
var resultCommands = []commandKind{
	{"results", "asks for the results of some games, which come on result", func() any { return &AskResults{} }, nil},
	{"stored", "says which results of the index the venue has stored", func() any { return &Stored{} }, nil},
}

var commands = []commandKind{
	{"pause", "stops the game, or lets it go on", func() any { return &Pause{} }, func(x any) (string, engine.Args) {
		if x.(*Pause).On {
			return wire.OrderPause, nil
		}
		return wire.OrderResume, nil
	}},
	{"alarm", "stops the game under white light; before a game white light alone", func() any { return &Alarm{} },
		func(any) (string, engine.Args) { return wire.OrderAlarm, nil }},
	{"light", "lights the room in the place of the game", func() any { return &Light{} }, func(x any) (string, engine.Args) {
		return wire.OrderLight, engine.Args{"to": x.(*Light).To}
	}},
	{"countdown", "gives the countdown that runs more time, or less", func() any { return &Adjust{} }, func(x any) (string, engine.Args) {
		args := engine.Args{"seconds": strconv.Itoa(x.(*Adjust).Seconds)}
		if x.(*Adjust).Bonus {
			args["bonus"] = "yes"
		}
		return wire.OrderCountdown, args
	}},
	{"hint", "gives a hint to all, or on the display", func() any { return &Advise{} }, func(x any) (string, engine.Args) {
		args := engine.Args{"to": x.(*Advise).To, "text": x.(*Advise).Text}
		if id := x.(*Advise).Stock; id != "" {
			args["stock"] = id
		}
		return wire.OrderHint, args
	}},
	{"next", "ends the scene that the display plays: the phones wait for it no longer", func() any { return &Next{} },
		func(any) (string, engine.Args) { return wire.OrderNext, nil }},
}

// CommandNames returns the names of all commands.
func CommandNames() (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

// findCommand returns the command of a name, also one about results if there are any; nil: there is none.
func findCommand(name string, withResults bool) *commandKind {
	all := commands
	if withResults {
		all = slices.Concat(commands, resultCommands)
	}
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

var (
	idPattern   = regexp.MustCompile(`^[!-~]{1,64}$`)
	namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)
)

// anonymous is the sender name of a command without one.
const anonymous = "anonymous"

// parsedCommand is a command after parsing.
type parsedCommand struct {
	id, by  string
	act     string
	args    engine.Args
	value   any    // the payload, a pointer to the type of the command
	invalid string // the invalid field, or "json" or "size"; "" if the command is valid
}

// parsePayload reads as much as it can, so that the answer to an invalid command has its id if possible. The
// result quotes nothing from an invalid field.
func (c *commandKind) parsePayload(payload []byte) (s parsedCommand) {
	most := maxCommand
	if c.name == "stored" {
		most = maxStored
	}
	if len(payload) > most {
		return parsedCommand{invalid: "size"}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(payload, &fields) != nil || fields == nil {
		return parsedCommand{invalid: "json"}
	}
	text := func(name string) (s string) { _ = json.Unmarshal(fields[name], &s); return s }
	if s.id = text("id"); !idPattern.MatchString(s.id) {
		return parsedCommand{invalid: "id"}
	}
	if s.by = text("by"); s.by != "" && !namePattern.MatchString(s.by) {
		s.by, s.invalid = "", "by"
		return s
	}
	x := c.newValue()
	of := reflect.TypeOf(x).Elem()
	for i := range of.NumField() {
		name, more, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		if raw, there := fields[name]; !there && more == "" ||
			there && (bytes.Equal(raw, []byte("null")) ||
				json.Unmarshal(raw, reflect.ValueOf(x).Elem().Field(i).Addr().Interface()) != nil) {
			s.invalid = name
			return s
		}
		delete(fields, name)
	}
	if len(fields) > 0 {
		s.invalid = "json"
		return s
	}
	if s.value = x; c.toOrder != nil {
		s.act, s.args = c.toOrder(x)
	}
	return s
}
