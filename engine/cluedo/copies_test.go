package cluedo_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// checkCopies presents every card of the deck at a reader that waits for a seat, like a cheater with a clone of the
// whole box, and returns an error for a refusal that shows more than it may (GEN-E13). The seat knows its own cards and
// the open ones. Any other card
//
// - at the deal is accepted, or refused with the one alarm, which all hear, and the deal stops;
// - where a card is shown and this is not the named one, is refused for that, wherever it is recorded; the named one is accepted or refused
// with the alarm, and a known hand accepts none;
// - where an Intrigue card is drawn is accepted, or refused with the alarm.
func checkCopies(b *cluedo.Book, s play.Step, n map[string]int) error {
	public := s.After.View(engine.Public)
	if len(public.Readers) == 0 || public.Readers[0].Seat == 0 {
		return nil
	}
	r := public.Readers[len(public.Readers)-1]
	x := r.Seat
	own := s.After.View(engine.SeatViewer(x))
	at := slices.IndexFunc(public.Seats, func(v engine.SeatView) bool { return v.Seat == x })
	mine, mystery := map[engine.ID]bool{}, 0
	for _, c := range own.Me.Hand {
		mine[c.Card] = true
	}
	for _, name := range b.Names() {
		if mine[name.ID] && name.Kind != "butler-card" {
			mystery++
		}
	}
	known := mystery == public.Seats[at].Cards
	var named []engine.ID // nil: no answer is awaited
	if h := public.Case.Hypothesis; public.Case.Step == engine.StepAnswer {
		named = []engine.ID{h.Suspect, h.Weapon, h.Room}
	}
	for _, name := range b.Names() {
		if event := name.Kind == "butler-card"; !name.IsCard() || name.Kind == "time-card" || event != (r.Kind == "event-card") ||
			mine[name.ID] || slices.Contains(public.Shown, name.ID) || slices.Contains(public.Gone, name.ID) {
			continue
		}
		evs, no := s.After.Decide(engine.ScanCommand(s.Command.At, r.Reader, []engine.ID{name.ID}, 0), chance.New(1))
		stands := no != nil && len(evs) > 0
		if stands != reflect.DeepEqual(no, dealAlarm) || stands != (public.Phase == "dealing" && no != nil && no.Rule == engine.RuleAlarm) {
			return fmt.Errorf("%s becomes %v and is refused: %v", name.ID, evs, no)
		}
		switch {
		case no == nil && (!known || r.Kind == "event-card"):
			n["taken"]++
		case no == nil:
			return fmt.Errorf("a hand that is full takes %s", name.ID)
		case no.Code == engine.Unwanted: // an answer is given already, whichever card comes
			return nil
		case (reflect.DeepEqual(no, alarm) || reflect.DeepEqual(no, dealAlarm)) && (named == nil || slices.Contains(named, name.ID)):
			n["alarm"]++
		case no.Why.Key == "cl.no.not-named" && no.To == x && no.Public.Key == "gen.again" && !slices.Contains(named, name.ID):
			n["not named"]++
		default:
			return fmt.Errorf("%s of no record that it knows tells %s: %+v", name.ID, x, no)
		}
	}
	return nil
}

// alarm is the one refusal of GEN-E13, dealAlarm that refusal during a deal.
var (
	alarm     = &engine.Reject{Code: engine.Forbidden, Rule: "GEN-E13", Why: engine.NewMsg("gen.alarm"), Public: engine.NewMsg("gen.alarm")}
	dealAlarm = &engine.Reject{Code: engine.Forbidden, Rule: "GEN-E13", Why: engine.NewMsg("gen.alarm.deal"),
		Public: engine.NewMsg("gen.alarm.deal")}
)

// TestCopiesOfCardsRevealNothing plays random games from the lobby on with a cheater at every reader in every step.
func TestCopiesOfCardsRevealNothing(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := noBoard(t)
	n := map[string]int{}
	for seed := range uint64(120) {
		d := newDealer(b, dealing(seed%uint64(numDealings)), chance.New(seed*31))
		_, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, d, func(s play.Step) error { return checkCopies(b, s, n) }))
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("copies: %v", n)
	for _, what := range []string{"taken", "alarm", "not named"} {
		if n[what] == 0 {
			t.Errorf("no copy was ever %s", what)
		}
	}
}

// TestACheaterLearnsNothingAtTheDeal: a cheater presents copies of the whole box one by one at the deal. The first card of the envelope
// raises the alarm, and no other is judged before the host has answered. The cards of an abandoned deal are not those of the next
// (GEN-E13).
func TestACheaterLearnsNothingAtTheDeal(t *testing.T) {
	b := noBoard(t)
	for _, answer := range []string{"count", "redeal"} {
		p := &playing{t, b.NewGame()}
		for x, who := range []string{"suspect-rose", "suspect-moutarde", "suspect-olive"} {
			p.mustDo(engine.Host, "sit", engine.Args{"seat": engine.Seat(x + 1).String(), "name": "Guest", "character": who})
		}
		p.mustDo(engine.Host, "begin", nil)
		for _, card := range []engine.ID{"suspect-violet", "weapon-hache", "room-patio"} {
			if evs, r := p.g.Decide(engine.ScanCommand(0, engine.ReaderShow, []engine.ID{card}, 0), nil); r == nil {
				p.g = p.g.Apply(evs...)
			}
		}
		alarms, silent := 0, 0
		for _, name := range b.Names() {
			if !name.IsCard() {
				continue
			}
			g, evs, r := engine.DecideAndApply(p.g, engine.ScanCommand(0, engine.ReaderShow, []engine.ID{name.ID}, 0), nil)
			switch {
			case r == nil: // as one of the hand of the first: the next copy is tried in its place
				continue
			case reflect.DeepEqual(r, dealAlarm):
				alarms++
			case alarms > 0 && r.Public.Key == "gen.no.alarmed" && len(evs) == 0:
				silent++
			}
			p.g = g
		}
		if alarms != 1 || silent < 15 {
			t.Errorf("%d alarms before the host has answered, then %d cards refused alike", alarms, silent)
		}
		p.mustDo(engine.Host, answer, nil)
		if v := p.g.View(engine.Public); v.Mood != "" || v.Prompt.Key != "cl.prompt.envelope" {
			t.Errorf("after %s: %q, %s", answer, v.Mood, v.Prompt.Key)
		}
	}
}
