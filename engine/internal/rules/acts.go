package rules

import (
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/deck"
)

// Refuse tells whoever acted, and nobody else.
func Refuse(code engine.Code, rule, key string, pairs ...string) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: engine.Say(key, pairs...)}
}

// Openly refuses for a reason that everybody can see; the table is told too.
func Openly(code engine.Code, rule string, why engine.Msg) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: why, Public: why}
}

// Words are the keys of what a game says when it refuses what every game refuses.
type Words struct {
	UnknownAct, HostOnly, NotNow, Counting     string
	Unexpected, Repeated                       string // at a reader
	NoSeat, EmptySeat, NoSwitch, NoValue, Same string
	NoHolder, NoNumber                         string // of a count
}

// Ignored is the answer when no reader waits for anything (GEN-E11).
func (w *Words) Ignored() *engine.Reject { return Refuse(engine.Unwanted, "GEN-E11", w.Unexpected) }

// Repeats is the answer to the same card once more (GEN-E04).
func (w *Words) Repeats() *engine.Reject { return Refuse(engine.Unwanted, "GEN-E04", w.Repeated) }

// First refuses what no act of a game need look at: a phone that says to be a reader or
// the clock, whatever is not of a count while the cards are counted, and whatever is no
// answer to an alarm while the deal stands.
func (w *Words) First(c engine.Command, count *Count) *engine.Reject {
	switch {
	case (c.Act == engine.ActScan || c.Act == engine.ActDeadline) && c.By != engine.Public:
		return Refuse(engine.NotYou, "GEN-002", w.UnknownAct)
	case count.Counting && c.Act != "count-is" && c.Act != "counted":
		return Openly(engine.NotNow, "GEN-E09", engine.Say(w.Counting))
	case count.Alarmed && c.Act != ActCount && c.Act != ActRedeal:
		return Openly(engine.NotNow, "GEN-E09", engine.Say("gen.no.alarmed"))
	}
	return nil
}

// The acts of the host by which a deal that stands after an alarm begins again (GEN-E13).
const (
	ActCount  = "count"  // the cards are counted (GEN-E09), and read again from the start
	ActRedeal = "redeal" // all cards are shuffled and dealt again, with a new envelope
)

// Stands gives the refusal by which a game comes to a stand: the alarm in a deal, in words of its own,
// since a card that is taken back changes nothing there (GEN-E13). nil: the game goes on.
func Stands(r *engine.Reject, deals bool) *engine.Reject {
	if r == nil || r.Rule != engine.RuleAlarm || !deals {
		return nil
	}
	stands, m := *r, engine.Say("gen.alarm.deal")
	stands.Why, stands.Public = m, m
	return &stands
}

// Phases is a set of phases.
type Phases uint16

// In is the set of these phases.
func In[P ~uint8](ps ...P) (set Phases) {
	for _, p := range ps {
		set |= 1 << p
	}
	return set
}

// AnyPhase is every phase.
const AnyPhase = ^Phases(0)

// Has reports that a phase is one of them.
func (ps Phases) Has(now uint8) bool { return ps>>now&1 != 0 }

// Host refuses an act of the host that somebody else does, or, by rule, at another time.
func (w *Words) Host(c engine.Command, during Phases, now uint8, rule string) *engine.Reject {
	switch {
	case !c.By.IsHost():
		return Refuse(engine.NotYou, "GEN-002", w.HostOnly)
	case !during.Has(now):
		return Refuse(engine.NotNow, rule, w.NotNow)
	}
	return nil
}

// MaxName is the longest name of a player, in bytes.
const MaxName = 24

// GoodName reports that a player may have this name.
func GoodName(name string) bool {
	return name != "" && len(name) <= MaxName && deck.Printable(name) && strings.TrimSpace(name) == name
}

// Seat reads the argument "seat", one of so many.
func (w *Words) Seat(c engine.Command, most engine.Seat, rule string) (engine.Seat, *engine.Reject) {
	x, err := engine.ParseSeat(c.Args["seat"])
	if err != nil || x > most {
		return 0, Refuse(engine.Unknown, rule, w.NoSeat)
	}
	return x, nil
}

// Taken reads a seat where somebody sits.
func (w *Words) Taken(c engine.Command, most engine.Seat, rule string, seated func(engine.Seat) bool) (engine.Seat, *engine.Reject) {
	x, r := w.Seat(c, most, rule)
	if r == nil && !seated(x) {
		r = Refuse(engine.Unknown, rule, w.EmptySeat, "seat", x.String())
	}
	return x, r
}

// Numbers are those of one byte, made once.
var Numbers = func() (ns [256]string) {
	for i := range ns {
		ns[i] = strconv.Itoa(i)
	}
	return ns
}()

// CardParam is a card that nobody else sees: one of may, of all those that public facts
// allow. list names the cards of a set.
func CardParam[S ~uint64](list func(S) []string, may, all S) engine.Param {
	p := engine.Param{Name: "card", Kind: "card", Domain: list(may)}
	if all&^may != 0 {
		p.All = list(all | may)
	}
	return p
}

// Due reports that a command is one of the deadlines, and that its time has come.
func Due(c engine.Command, deadlines []engine.Deadline) bool {
	for _, d := range deadlines {
		if d.ID == c.Args["id"] && c.At >= d.At {
			return true
		}
	}
	return false
}

// Follow applies events to see what follows from them by themselves, as next makes it at
// that moment, and returns all; without end, which broken says, there is no game.
func Follow[E any, P interface {
	*E
	engine.Event
	Stamp(engine.Millis)
}](at engine.Millis, evs []P, most int, apply func(P), next func() P, broken string) []engine.Event {
	out := make([]engine.Event, 0, len(evs)+2)
	for _, e := range evs {
		apply(e)
		out = append(out, e)
	}
	for range most {
		e := next()
		if e == nil {
			return out
		}
		e.Stamp(at)
		apply(e)
		out = append(out, e)
	}
	panic(broken + ": consequences without end")
}
