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

// Row describes one kind of events of a game. E is the game's event, B its rulebook, S its state, W
// an event as it is stored, T the function of Narrate. A field left empty has no effect.
type Row[B, S, E, W, T any] struct {
	Name        string                    // name in the store: never rename one
	Barrier     func(E) bool              // reports whether a player has seen something by it
	NotAnAct    bool                      // not an act of a player: it corrects the record, or follows from another event
	Needs       Needs                     // facts that a valid event must have
	Decode      func(w W, b B, e E) error // decodes the fields that only this kind has
	Apply       func(s S, e E)            // changes the state in place
	Happening   LineTemplate              // the happening that all see
	LogLine     LineTemplate              // the line that all receive
	OwnKey      string                    // key of the line about its card for its seat only; skipped for an unnamed card
	Narrate     T                         // adds further lines
	NeedsBefore bool                      // Narrate needs the state before the event, which is nil otherwise
}

// RowNames returns the names of all rows, in order.
func RowNames[B, S, E, W, T any](rows []Row[B, S, E, W, T]) []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	return names
}

// FindRow returns the index of the row with a name; zero, which is no row, if there is none.
func FindRow[B, S, E, W, T any](rows []Row[B, S, E, W, T], name string) (index int) {
	return max(0, slices.IndexFunc(rows, func(r Row[B, S, E, W, T]) bool { return r.Name == name }))
}

// IsBarrier reports whether a player has seen something by this event.
func (r *Row[B, S, E, W, T]) IsBarrier(e E) bool { return r.Barrier != nil && r.Barrier(e) }

// MaxStored is the largest event accepted from the store, in bytes.
const MaxStored = 16 << 10

// DecodeEvent finds the row of an event of the store and decodes its JSON into w. Its errors never
// quote the data.
func DecodeEvent[B, S, E, W, T any](rows []Row[B, S, E, W, T], name string, data []byte, w W) (kind int, err error) {
	switch kind = FindRow(rows, name); {
	case kind == 0:
		return 0, errors.New("decode: unknown kind of event")
	case len(data) > MaxStored:
		return 0, fmt.Errorf("decode %s: more than %d bytes", name, MaxStored)
	case json.Unmarshal(data, w) != nil:
		return 0, fmt.Errorf("decode %s: not the JSON of an event", name)
	}
	return kind, nil
}

// CheckAndDecodeFields checks that an event of the store has the needed facts, as has says of each, and
// decodes the fields that only this kind has.
func (r *Row[B, S, E, W, T]) CheckAndDecodeFields(w W, b B, e E, has ...bool) error {
	if err := r.Needs.RequireFacts(has...); err != nil || r.Decode == nil {
		return err
	}
	return r.Decode(w, b, e)
}

// ErrorUnless returns an error with this text unless valid is true.
func ErrorUnless(valid bool, what string) error {
	if valid {
		return nil
	}
	return errors.New(what)
}

// AddToLog adds the happening and the lines of the row to log. Call Narrate after it.
func (r *Row[B, S, E, W, T]) AddToLog(log story.Log, round int, f Facts) story.Log {
	if !r.Happening.IsEmpty() {
		log = log.AddHappening(f.buildHappening(r.Happening))
	}
	switch {
	case r.LogLine.IsEmpty():
	case !r.Happening.IsEmpty():
		log = log.AddLineOnHappening(round, f.buildMsg(r.LogLine))
	default:
		log = log.AddLine(round, f.buildMsg(r.LogLine))
	}
	if r.OwnKey != "" && f.Card != "" {
		log = log.AddPrivateLine(round, f.Seat, engine.NewMsg(r.OwnKey, "card", string(f.Card)))
	}
	return log
}

// Needs is a set of the facts that an event must have.
type Needs uint8

// Facts that an event may need.
const (
	NeedSeat Needs = 1 << iota
	NeedOther
	NeedPlace
	NeedCard
)

var needNames = [...]string{"seat", "other seat", "place", "card"}

// RequireFacts returns an error for the first needed fact that an event lacks; has says for each of the
// four whether it is there.
func (n Needs) RequireFacts(has ...bool) error {
	for i, name := range needNames {
		if n>>i&1 != 0 && !has[i] {
			return errors.New("no such " + name)
		}
	}
	return nil
}

// Facts are the values for the lines of an event. A card that is hidden from anyone is only for
// OwnKey: no other line of a row names it.
type Facts struct {
	Seat, Other            engine.Seat
	Place, Card, Character engine.ID
	N                      int
	Rule                   string // that is waived
}

// LineTemplate is a sentence or a happening, and the names of the facts that it contains.
type LineTemplate struct {
	key   string
	facts []string
}

// NewLine returns the template of a sentence, with the facts for its blanks. It panics for an
// unknown fact.
func NewLine(key string, facts ...string) LineTemplate {
	for _, name := range facts {
		(&Facts{}).factText(name) // panics at program start if name is unknown
	}
	return LineTemplate{key, facts}
}

// NewHappening returns the template of a happening, with the facts that it has.
func NewHappening(what string, facts ...string) LineTemplate { return NewLine(what, facts...) }

// IsEmpty reports whether l has no line.
func (l LineTemplate) IsEmpty() bool { return l.key == "" }

func (f *Facts) factText(name string) string {
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
	case "rule":
		return f.Rule
	}
	panic(fmt.Sprintf("rules: an event has no %q", name))
}

func (f *Facts) buildMsg(l LineTemplate) engine.Msg {
	pairs := make([]string, 0, 8)
	for _, name := range l.facts {
		pairs = append(pairs, name, f.factText(name))
	}
	return engine.NewMsg(l.key, pairs...)
}

func (f *Facts) buildHappening(l LineTemplate) engine.Happening {
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
