package house

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
)

// refutation is a house where seat 1 has made a hypothesis in Cluedo 2008 and seat 2 is asked: it holds one card that
// answers, and one that does not.
type refutation struct {
	*rig
	tags         map[engine.ID]devices.UID
	right, wrong engine.ID
}

func startRefutation(t *testing.T, change func(*Opts)) *refutation {
	t.Helper()
	return startRefutationIn(t, startRig, change)
}

// startRefutationIn does the same in a house that start runs.
func startRefutationIn(t *testing.T, start func(*testing.T, func(*Opts)) *rig, change func(*Opts)) *refutation {
	t.Helper()
	book, err := cluedo.New(cluedo.DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	f := &refutation{tags: map[engine.ID]devices.UID{}}
	recorded := map[devices.UID]engine.ID{}
	for i, n := range book.Names() {
		if n.IsCard() {
			f.tags[n.ID] = uid(t, byte(i))
			recorded[uid(t, byte(i))] = n.ID
		}
	}
	f.rig = start(t, func(o *Opts) {
		o.Game, o.Tags["cluedo-2008"] = "cluedo-2008", recorded
		o.Players["cluedo-2008"] = []Player{{"Anne", "suspect-leblanc"}, {"Bruno", "suspect-olive"}, {"Chloé", "suspect-rose"}}
		if change != nil {
			change(o)
		}
	})
	f.mustHostAct("begin", nil)
	f.mustHostAct("deal", nil)
	f.mustHostAct("first", engine.Args{"seat": "seat-1"})
	f.makeHypothesis()
	return f
}

// makeHypothesis enters, with a Power, a room that seat 2 does not hold, and names there one card of seat 2.
func (f *refutation) makeHypothesis() {
	f.t.Helper()
	hand := []string{}
	for _, c := range f.view(2).View.Me.Hand {
		hand = append(hand, string(c.Card))
	}
	// pick returns the first card of a list that is, or is not, in seat 2's hand.
	pick := func(from []string, held bool) string {
		i := slices.IndexFunc(from, func(c string) bool { return slices.Contains(hand, c) == held })
		if i < 0 {
			return from[0]
		}
		return from[i]
	}
	room := pick(f.offeredValues("power", "to"), false)
	f.mustActAsSeat(1, "power", engine.Args{"to": room})
	args := engine.Args{
		"suspect": pick(f.offeredValues("hypothesis", "suspect"), false),
		"weapon":  pick(f.offeredValues("hypothesis", "weapon"), false),
	}
	for _, what := range []string{"suspect", "weapon"} {
		if held := pick(f.offeredValues("hypothesis", what), true); slices.Contains(hand, held) {
			args[what] = held
			break
		}
	}
	from := f.mark()
	f.mustActAsSeat(1, "hypothesis", args)
	u := f.waitUpdate(from, "the hypothesis", func(u wire.Update) bool { return u.View.Case != nil && u.View.Case.Hypothesis != nil })
	for u.View.Case.Step == engine.StepDisplaced { // a player's pawn was moved
		f.mustActAsSeat(u.View.Active[0], "pass", nil)
		u, _ = f.house.Loop.Snapshot(engine.Public)
	}
	if a := u.View.Case.Hypothesis.Answers; len(a) != 1 || a[0] != (engine.Answer{Seat: 2, Said: "asked"}) {
		f.t.Fatalf("nobody is asked, or another seat than 2: %+v", u.View.Case)
	}
	for _, c := range hand {
		if c == args["suspect"] || c == args["weapon"] || c == room {
			f.right = engine.ID(c)
		} else {
			f.wrong = engine.ID(c)
		}
	}
	if f.right == "" || f.wrong == "" {
		f.t.Fatal("seat 2 has no card that answers")
	}
}

func (f *refutation) view(s engine.Seat) wire.Update {
	f.t.Helper()
	f.house.Loop.IsResponsive(f.t.Context(), patience)
	u, ok := f.house.Loop.Snapshot(engine.SeatViewer(s))
	if !ok {
		f.t.Fatalf("nobody sits at %d", s)
	}
	return u
}

// offeredValues returns the values that seat 1 may choose from.
func (f *refutation) offeredValues(act, param string) []string {
	f.t.Helper()
	for _, o := range engine.AllowedOffers(f.view(1).View.Offers) {
		for _, p := range o.Params {
			if o.Act == act && p.Name == param {
				return p.Domain
			}
		}
	}
	f.t.Fatalf("no %s is offered", act)
	return nil
}

func (f *refutation) mustActAsSeat(s engine.Seat, act string, args engine.Args) {
	f.t.Helper()
	answer := make(chan wire.Reply, 1)
	f.house.Loop.Act(wire.FirstPhoneOf(engine.SeatViewer(s)), wire.Act{ID: act, Seq: f.view(s).Seq + 1, Act: act, Args: args},
		func(r wire.Reply) { answer <- r })
	if r := <-answer; !r.OK {
		f.t.Fatalf("seat %d, %s: %v %v", s, act, r.Reject, r.Reject.Why)
	}
	f.house.Loop.IsResponsive(f.t.Context(), patience)
}

// waitCardShown waits until the answer takes effect, and returns the time since a moment.
func (f *refutation) waitCardShown(from int, since time.Time) (wire.Update, time.Duration) {
	f.t.Helper()
	u := f.waitUpdate(from, "a card is shown", func(u wire.Update) bool {
		return slices.Contains(u.View.Case.Hypothesis.Answers, engine.Answer{Seat: 2, Said: "shown"})
	})
	return u, time.Since(since)
}

// playEventCards plays on with event cards until one that interrupts has been played.
func (f *refutation) playEventCards(t *testing.T) {
	t.Helper()
	dice := chance.New(7)
	for range 400 {
		var by engine.Seat
		var offers []engine.Offer
		for x := engine.Seat(1); x <= 3; x++ {
			for _, o := range engine.AllowedOffers(f.view(x).View.Offers) {
				switch o.Act {
				case "play":
					f.actOnOffer(x, o, dice)
					return
				case "roll", "draw", "move", "stay", "pass", "end":
					by, offers = x, append(offers, o)
				}
			}
			if len(offers) > 0 {
				break
			}
		}
		if len(offers) == 0 {
			t.Fatalf("nobody can go on in step %s", f.view(1).View.Case.Step)
		}
		f.actOnOffer(by, offers[dice.Intn(len(offers))], dice)
	}
	t.Fatal("no event card was played")
}

// actOnOffer performs an offer with values chosen at random.
func (f *refutation) actOnOffer(x engine.Seat, o engine.Offer, dice *chance.Dice) {
	f.t.Helper()
	args := engine.Args{}
	maps.Copy(args, o.Fixed)
	for _, p := range o.Params {
		args[p.Name] = p.Domain[dice.Intn(len(p.Domain))]
	}
	f.mustActAsSeat(x, o.Act, args)
}

// checkShownOnlyToAsker checks that seat 1 has seen the card and no other viewer has.
func (f *refutation) checkShownOnlyToAsker() {
	f.t.Helper()
	if me := f.view(1).View.Me; !slices.ContainsFunc(me.Seen, func(s *engine.Sighting) bool {
		return s.How == engine.SawShown && s.Other == 2 && slices.Equal(s.Cards, []engine.ID{f.right})
	}) {
		f.t.Errorf("the asker has not seen the card: %+v", me.Seen)
	}
	for _, v := range []engine.Viewer{engine.Public, engine.Host, engine.SeatViewer(3)} {
		u, _ := f.house.Loop.Snapshot(v)
		for _, l := range u.View.Log {
			if l.Msg.Args.Get("card") == string(f.right) {
				f.t.Errorf("%s is shown the card", v)
			}
		}
		if slices.Contains(u.View.Shown, f.right) || u.View.Me != nil &&
			slices.ContainsFunc(u.View.Me.Seen, func(s *engine.Sighting) bool { return slices.Contains(s.Cards, f.right) }) {
			f.t.Errorf("%s has seen the card", v)
		}
	}
}

// publicText returns an update as text, without the numbers that count updates.
func publicText(t *testing.T, u wire.Update) string {
	t.Helper()
	u.Rev, u.Waited = 0, 0
	if u.Notice != nil {
		n := *u.Notice
		n.N, u.Notice = 0, &n
	}
	text, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// GEN-004, C8-081 to C8-084: a card that does not answer, a foreign tag and two cards look the same to the table, and
// are answered in the next update; only the seat that is asked reads the reason. The right card is then shown to the
// asker only, after the constant delay.
func TestRefutation(t *testing.T) { startRefutation(t, nil).checkProtocol(t) }

func (f *refutation) checkProtocol(t *testing.T) {
	t.Helper()
	foreign, right, wrong := uid(t, 200), f.tags[f.right], f.tags[f.wrong]
	seen := map[string]string{}
	for _, c := range []struct {
		name, rule string
		lies, put  []devices.UID
	}{
		{"a card that does not answer", "C8-081", nil, []devices.UID{wrong}},
		{"a foreign tag", "GEN-E01", nil, []devices.UID{foreign}},
		{"two cards", "GEN-E06", []devices.UID{wrong}, []devices.UID{right}},
	} {
		f.eyes[engine.ReaderShow].waitEmpty(t, engine.ReaderShow)
		if c.lies != nil {
			from := f.mark()
			f.placeTags(engine.ReaderShow, c.lies...)
			f.waitSignal(from, engine.ReaderShow, "again")
		}
		from := f.mark()
		f.placeTags(engine.ReaderShow, c.put...)
		u := f.waitSignal(from, engine.ReaderShow, "again")
		if own := f.updateFor(u, 2).Notice; own == nil || !own.Private || own.Rule != c.rule {
			t.Fatalf("%s: the seat is shown %+v, want %s", c.name, own, c.rule)
		}
		seen[c.name] = publicText(t, u)
		for _, x := range append(c.lies, c.put...) {
			f.sims[engine.ReaderShow].RemoveTag(x)
		}
		if n := f.updateFor(u, 1).Notice; n == nil || n.Private || n.Rule != "GEN-004" {
			t.Errorf("%s: the asker is shown %+v", c.name, n)
		}
	}
	for name, text := range seen {
		if text != seen["a foreign tag"] {
			t.Errorf("%s differs in public from a foreign tag:\n%s\n%s", name, text, seen["a foreign tag"])
		}
	}

	f.eyes[engine.ReaderShow].waitEmpty(t, engine.ReaderShow)
	from := f.mark()
	before := publicText(t, wire.Update{View: f.view(3).View})
	since := time.Now()
	f.placeTags(engine.ReaderShow, right)
	u := f.waitUpdate(from, "the card is read", func(u wire.Update) bool {
		return slices.ContainsFunc(f.updateFor(u, 2).View.Me.Facts, func(m engine.Msg) bool { return m.Key == "cl.fact.answered" })
	})
	if f.updateFor(u, 1).View.Case.Step != engine.StepAnswer {
		t.Error("the answer has taken effect at once")
	}
	// C8-158: as if Bruno had said "none", until the moment at which either answer counts.
	if u := f.updateFor(u, 3); u.Notice != nil || publicText(t, wire.Update{View: u.View}) != before {
		t.Errorf("the others are shown that a card was laid: %+v\n%s\n%s", u.Notice, before, publicText(t, wire.Update{View: u.View}))
	}
	_, took := f.waitCardShown(from, since)
	if delay := time.Duration(cluedo.DefaultDeck("cluedo-2008").AnswerDelay) * time.Millisecond; took < delay {
		t.Errorf("the answer took effect after %v, sooner than %v", took, delay)
	}
	f.checkShownOnlyToAsker()
}

// GEN-024, design 7.5: the reader is lost and the answer is declared on the phone. The game goes on in the same way and
// after the same delay; a lifted card or a dead reader answers nothing.
func TestRefutationWithoutReader(t *testing.T) {
	f := startRefutation(t, nil)
	from := f.mark()
	f.sims[engine.ReaderShow].Unplug(0xFF)
	f.waitUpdate(from, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))
	if u := f.view(3); u.View.Case.Step != engine.StepAnswer {
		t.Fatalf("a lost reader ends the step: %+v", u.View.Case)
	}
	from = f.mark()
	since := time.Now()
	f.mustActAsSeat(2, "answer", engine.Args{"card": string(f.right)})
	u := f.updateFor(f.waitUpdate(from, "something is declared", func(wire.Update) bool { return true }), 3)
	if u.View.Case.Step != engine.StepAnswer || u.Notice != nil && u.Notice.Private {
		t.Errorf("the others learn that something was declared: %+v %+v", u.View.Case, u.Notice)
	}
	_, took := f.waitCardShown(from, since)
	if delay := time.Duration(cluedo.DefaultDeck("cluedo-2008").AnswerDelay) * time.Millisecond; took < delay {
		t.Errorf("the answer took effect after %v, sooner than %v", took, delay)
	}
	f.checkShownOnlyToAsker()
}
