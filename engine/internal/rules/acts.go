package rules

import (
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/deck"
)

// RefusePrivately returns a refusal that only the player or host who acted receives.
func RefusePrivately(code engine.Code, rule, key string, pairs ...string) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: engine.NewMsg(key, pairs...)}
}

// RefuseOpenly returns a refusal for a public reason, which the table receives too.
func RefuseOpenly(code engine.Code, rule, key string, pairs ...string) *engine.Reject {
	r := RefusePrivately(code, rule, key, pairs...)
	r.Public = r.Why
	return r
}

// RefusalKeys are a game's sentences for the refusals that every game has, by key.
type RefusalKeys struct {
	UnknownAct, HostOnly, NotNow, Counting          string
	Unexpected, Repeated                            string // at a reader
	NoSeat, EmptySeat, NoSwitch, NoValue, SameValue string
	NoHolder, NoNumber                              string // of a count
}

// RefuseUnexpectedCard refuses a card when no reader waits for one (GEN-E11).
func (w *RefusalKeys) RefuseUnexpectedCard() *engine.Reject {
	return RefusePrivately(engine.Unwanted, "GEN-E11", w.Unexpected)
}

// RefuseRepeatedCard refuses the same card once more (GEN-E04).
func (w *RefusalKeys) RefuseRepeatedCard() *engine.Reject {
	return RefusePrivately(engine.Unwanted, "GEN-E04", w.Repeated)
}

// RefuseOutOfPlace refuses what no game needs to look at: a phone that pretends to be a reader or the
// clock, any act that is not part of the count during a count, and any act that does not answer the
// alarm while the deal is stopped.
func (w *RefusalKeys) RefuseOutOfPlace(c engine.Command, count *CardCount) *engine.Reject {
	switch {
	case (c.Act == engine.ActScan || c.Act == engine.ActDeadline) && c.By != engine.Public:
		return RefusePrivately(engine.NotYou, "GEN-002", w.UnknownAct)
	case count.Counting && c.Act != "count-is" && c.Act != "counted":
		return RefuseOpenly(engine.NotNow, "GEN-E09", w.Counting)
	case count.Alarmed && c.Act != ActCount && c.Act != ActRedeal:
		return RefuseOpenly(engine.NotNow, "GEN-E09", "gen.no.alarmed")
	}
	return nil
}

// Acts with which the host continues a deal that an alarm has stopped (GEN-E13).
const (
	ActCount  = "count"  // the cards are counted (GEN-E09), and read once more from the start
	ActRedeal = "redeal" // all cards are shuffled and dealt again, with a new envelope
)

// AdaptAlarmToDeal returns the refusal for an alarm that stops a deal, with a sentence of its own, since
// taking a card back changes nothing there (GEN-E13). It returns nil if the game goes on.
func AdaptAlarmToDeal(r *engine.Reject, dealing bool) *engine.Reject {
	if r == nil || r.Rule != engine.RuleAlarm || !dealing {
		return nil
	}
	stopped, m := *r, engine.NewMsg("gen.alarm.deal")
	stopped.Why, stopped.Public = m, m
	return &stopped
}

// Phases is a set of phases.
type Phases uint16

// NewPhases returns the set of these phases.
func NewPhases[P ~uint8](ps ...P) (set Phases) {
	for _, p := range ps {
		set |= 1 << p
	}
	return set
}

// AnyPhase contains every phase.
const AnyPhase = ^Phases(0)

// Contains reports whether a phase is in the set.
func (ps Phases) Contains(phase uint8) bool { return ps>>phase&1 != 0 }

// RefuseUnlessHost refuses an act of the host if another viewer does it, or, with this rule, in a phase
// outside during.
func (w *RefusalKeys) RefuseUnlessHost(c engine.Command, during Phases, phase uint8, rule string) *engine.Reject {
	switch {
	case !c.By.IsHost():
		return RefusePrivately(engine.NotYou, "GEN-002", w.HostOnly)
	case !during.Contains(phase):
		return RefusePrivately(engine.NotNow, rule, w.NotNow)
	}
	return nil
}

// MaxName is the longest name of a player, in bytes.
const MaxName = 24

// IsPlayerName reports whether a player may have this name.
func IsPlayerName(name string) bool {
	return name != "" && len(name) <= MaxName && deck.IsPrintable(name) && strings.TrimSpace(name) == name
}

// ParseSeat parses the argument "seat", a seat from 1 to lastSeat.
func (w *RefusalKeys) ParseSeat(c engine.Command, lastSeat engine.Seat, rule string) (engine.Seat, *engine.Reject) {
	x, err := engine.ParseSeat(c.Args["seat"])
	if err != nil || x > lastSeat {
		return 0, RefusePrivately(engine.Unknown, rule, w.NoSeat)
	}
	return x, nil
}

// ParseTakenSeat parses the argument "seat" and refuses a free seat.
func (w *RefusalKeys) ParseTakenSeat(
	c engine.Command,
	lastSeat engine.Seat,
	rule string,
	seated func(engine.Seat) bool,
) (engine.Seat, *engine.Reject) {
	x, r := w.ParseSeat(c, lastSeat, rule)
	if r == nil && !seated(x) {
		r = RefusePrivately(engine.Unknown, rule, w.EmptySeat, "seat", x.String())
	}
	return x, r
}

// NumberTexts holds the numbers from 0 to 255 as text, made once.
var NumberTexts = func() (ns [256]string) {
	for i := range ns {
		ns[i] = strconv.Itoa(i)
	}
	return ns
}()

// CardParam returns a parameter for a card that others do not see: its values are allowed, out of
// listed, which public facts allow. list returns the ids of a set.
func CardParam[S ~uint64](list func(S) []string, allowed, listed S) engine.Param {
	p := engine.Param{Name: "card", Kind: "card", Domain: list(allowed)}
	if listed&^allowed != 0 {
		p.All = list(listed | allowed)
	}
	return p
}

// ReminderDelay is the time that a seat has for presenting a card before it is reminded, in
// milliseconds (GEN-E07).
const ReminderDelay engine.Millis = 90_000

// NewDeadline returns the one deadline of a wait. Its id has the number of the wait, so that it ends
// no later one.
func NewDeadline(kind string, wait uint16, at engine.Millis) []engine.Deadline {
	return []engine.Deadline{{ID: kind + "-" + strconv.Itoa(int(wait)), At: at}}
}

// IsDueDeadline reports whether a command is one of the deadlines and its time has come.
func IsDueDeadline(c engine.Command, deadlines []engine.Deadline) bool {
	for _, d := range deadlines {
		if d.ID == c.Args["id"] && c.At >= d.At {
			return true
		}
	}
	return false
}

// ApplyWithConsequences applies the events of a command, then every event that follows without a choice, as next
// returns them, and returns all. Events after the first get the time at. It panics after
// maxEvents, with panicText.
func ApplyWithConsequences[E any, P interface {
	*E
	engine.Event
	Stamp(engine.Millis)
}](at engine.Millis, evs []P, maxEvents int, apply func(P), next func() P, panicText string) []engine.Event {
	out := make([]engine.Event, 0, len(evs)+2)
	for _, e := range evs {
		apply(e)
		out = append(out, e)
	}
	for range maxEvents {
		e := next()
		if e == nil {
			return out
		}
		e.Stamp(at)
		apply(e)
		out = append(out, e)
	}
	panic(panicText + ": consequences without end")
}
