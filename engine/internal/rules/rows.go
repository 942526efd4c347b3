package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/story"
)

// Row is all that a game says of one kind of its events E: B is its rulebook, S its state,
// W an event as it is stored, T tells what no line of the row does. What a row leaves out does not happen.
type Row[B, S, E, W, T any] struct {
	Name    string                    // under which it is stored: never rename one
	Barrier func(E) bool              // somebody has seen something by it
	NoAct   bool                      // nobody acts by it: it corrects the record, or follows from another
	Needs   Needs                     // what it cannot be without
	Decode  func(b B, e E, w W) error // reads what only this kind has
	Apply   func(s S, e E)            // in place
	Happens Line                      // what everybody sees happen,
	Says    Line                      // what everybody is told of it,
	Own     string                    // what its seat alone is told of its card, if that has a name,
	Tell    T                         // and what else is to be told,
	Before  bool                      // with what was before, which is nil without it
}

// Names are the names of all rows, in their order.
func Names[B, S, E, W, T any](rows []Row[B, S, E, W, T]) []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	return names
}

// Kind is the place of the row with a name; zero, where no row stands: there is none.
func Kind[B, S, E, W, T any](rows []Row[B, S, E, W, T], name string) int {
	return max(0, slices.IndexFunc(rows, func(r Row[B, S, E, W, T]) bool { return r.Name == name }))
}

// Shows reports that somebody has seen something by an event of the row.
func (r *Row[B, S, E, W, T]) Shows(e E) bool { return r.Barrier != nil && r.Barrier(e) }

// MaxStored is the largest event accepted from the store, in bytes.
const MaxStored = 16 << 10

// Read finds the row of an event of the store, and reads its bytes into w; of anything else
// it tells the fault without quoting it.
func Read[B, S, E, W, T any](rows []Row[B, S, E, W, T], name string, data []byte, w W) (kind int, err error) {
	switch kind = Kind(rows, name); {
	case kind == 0:
		return 0, errors.New("decode: unknown kind of event")
	case len(data) > MaxStored:
		return 0, fmt.Errorf("decode %s: more than %d bytes", name, MaxStored)
	case json.Unmarshal(data, w) != nil:
		return 0, fmt.Errorf("decode %s: not the JSON of an event", name)
	}
	return kind, nil
}

// Told is the log with the lines of the row; Tell comes after it.
func (r *Row[B, S, E, W, T]) Told(log story.Log, round int, f Facts) story.Log {
	if !r.Happens.None() {
		log = log.Happen(f.happening(r.Happens))
	}
	switch {
	case r.Says.None():
	case !r.Happens.None():
		log = log.TellOf(round, f.msg(r.Says))
	default:
		log = log.Tell(round, f.msg(r.Says))
	}
	if r.Own != "" && f.Card != "" {
		log = log.Whisper(round, f.Seat, engine.Say(r.Own, "card", string(f.Card)))
	}
	return log
}

// Needs is a set of what an event has.
type Needs uint8

// What an event may need.
const (
	Seat Needs = 1 << iota
	Other
	Place
	Card
)

var needNames = [...]string{"seat", "other seat", "place", "card"}

// In tells the first need that an event does not meet, which has some of the four.
func (n Needs) In(has ...bool) error {
	for i, name := range needNames {
		if n>>i&1 != 0 && !has[i] {
			return errors.New("no such " + name)
		}
	}
	return nil
}

// Facts are what the lines of an event may name. A card that is hidden from anybody is
// for Own alone: no line of a row names it.
type Facts struct {
	Seat, Other            engine.Seat
	Place, Card, Character engine.ID
	N                      int
}

// Line is a sentence or a happening, and the facts that it names.
type Line struct {
	key   string
	facts []string
}

// Say is the sentence of a key with the facts that are its blanks.
func Say(key string, facts ...string) Line {
	for _, name := range facts {
		(&Facts{}).value(name) // a name that there is not is found when the program begins
	}
	return Line{key, facts}
}

// Happen is a happening with the facts that it has.
func Happen(what string, facts ...string) Line { return Say(what, facts...) }

// None reports a line that says nothing.
func (l Line) None() bool { return l.key == "" }

func (f *Facts) value(name string) string {
	switch name {
	case "seat":
		return f.Seat.String()
	case "other":
		return f.Other.String()
	case "place":
		return string(f.Place)
	case "card":
		return string(f.Card)
	case "character":
		return string(f.Character)
	case "n":
		return strconv.Itoa(f.N)
	}
	panic(fmt.Sprintf("rules: an event has no %q", name))
}

func (f *Facts) msg(l Line) engine.Msg {
	pairs := make([]string, 0, 8)
	for _, name := range l.facts {
		pairs = append(pairs, name, f.value(name))
	}
	return engine.Say(l.key, pairs...)
}

func (f *Facts) happening(l Line) engine.Happening {
	h := engine.Happening{What: l.key}
	for _, name := range l.facts {
		switch name {
		case "seat":
			h.Seat = f.Seat
		case "other":
			h.Other = f.Other
		case "place":
			h.Place = f.Place
		case "card":
			h.Cards = append(h.Cards, f.Card)
		}
	}
	return h
}
