package game

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/corrections"
	"majordome/companion/master/countdown"
	"majordome/companion/master/hints"
	"majordome/companion/master/oversight"
	"majordome/companion/wire"
	"majordome/engine"
)

const (
	toStroke    = wire.StageStroke * time.Millisecond
	sceneAct    = "table.scene" // the phones' text while the display plays
	millisecond = time.Millisecond
)

// isBehindDisplay reports whether the phones and the host are held back behind the public in a step, and checks that
// all of them are or none.
func isBehindDisplay(t *testing.T, s Step) bool {
	t.Helper()
	behind := s.Host.View.Prompt.Key == sceneAct
	for _, u := range s.UpdatesToSeal(nil) {
		if (u.View.Prompt.Key == sceneAct) != behind {
			t.Fatalf("%s is behind: %v, the host: %v", u.View.Viewer, !behind, behind)
		}
	}
	if s.Public.View.Prompt.Key == sceneAct {
		t.Fatal("the display is told to watch itself")
	}
	return behind
}

// gameBeforeEnd returns a toy game one act before its end, with a display.
func gameBeforeEnd(t *testing.T) *rig {
	t.Helper()
	r := playing(t, newMemory(), 2)
	r.setDisplay(true)
	r.dropInUrn("card-1")
	r.dropInUrn("card-2")
	return r
}

func (r *rig) setDisplay(yes bool) {
	c := r.core()
	c.setMachineState(c.readerStates, c.online, yes)
}

// The display shows the end at once, and the phones when it has played it: all at the same moment. In between no act
// in the game is possible.
func TestPhonesWaitForTheDisplay(t *testing.T) {
	r := gameBeforeEnd(t)
	before := r.last()
	r.mustAct(engine.Host, "open")
	if !isBehindDisplay(t, r.last()) || r.last().Public.View.Result == nil {
		t.Fatal("the phones do not wait")
	}
	r.passTime(toStroke - millisecond)
	r.core().setMachineState(r.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}, true) // a phone connects again
	for _, u := range r.last().UpdatesToSeal(nil) {
		was, _ := before.UpdateFor(noError(engine.ParseViewer(u.View.Viewer)))
		if u.View.Result != nil || asJSON(t, u.View.Me) != asJSON(t, was.View.Me) || asJSON(t, u.View.Log) != asJSON(t, was.View.Log) {
			t.Errorf("%s is shown the end", u.View.Viewer)
		}
		for _, o := range u.View.Offers {
			if _, ok := loopRights()[o.Act]; !ok || u.View.Viewer != engine.Host.String() {
				t.Errorf("%s may do %s in a game that it does not see", u.View.Viewer, o.Act)
			}
		}
		if !slices.Equal(u.Table.Online, []engine.Seat{1}) {
			t.Errorf("%s does not see who has come", u.View.Viewer)
		}
		if got, _ := r.loop.Snapshot(noError(engine.ParseViewer(u.View.Viewer))); asJSON(t, got) != asJSON(t, u) {
			t.Errorf("%s sees something else when it comes back", u.View.Viewer)
		}
	}
	if _, ok := hostOffer(r.last(), actUndo); !ok {
		t.Error("the host can do nothing at all")
	}
	steps := len(r.steps)
	r.passTime(millisecond)
	if len(r.steps) != steps+1 || isBehindDisplay(t, r.last()) {
		t.Fatal("the scene does not end")
	}
	for _, u := range r.last().UpdatesToSeal(nil) {
		if u.View.Result == nil {
			t.Errorf("%s is never shown the end", u.View.Viewer)
		}
	}
}

func noError[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// When the display's scene ends early, so does the wait of the phones.
func TestAStageEndsEarly(t *testing.T) {
	for name, end := range map[string]func(*rig){
		"the game goes on":       func(r *rig) { r.mustAct(engine.Host, actUndo, "force", yes) },
		"the daemon comes again": func(r *rig) { r.start() },
		"the disk fails": func(r *rig) {
			r.journal.(*memory).fail = "before"
			r.act(engine.Host, actNewGame, "game", "toy", "seats", "keep")
		},
	} {
		r := gameBeforeEnd(t)
		r.mustAct(engine.Host, "open")
		if !isBehindDisplay(t, r.last()) {
			t.Fatal(name, ": no scene is played")
		}
		end(r)
		if isBehindDisplay(t, r.last()) {
			t.Error(name, ": the phones wait")
		}
	}
	r := gameBeforeEnd(t)
	r.setDisplay(false)
	r.passTime(displayGrace)
	r.mustAct(engine.Host, "open")
	if isBehindDisplay(t, r.last()) {
		t.Error("the phones wait for a scene that nobody sees")
	}
}

// A display that loses the Wi-Fi for a moment plays on, and the phones wait with it. A display that stays away does
// not hold them back.
func TestDisplayThatLosesTheWiFiPlaysOn(t *testing.T) {
	long := func() *rig {
		r := gameBeforeEnd(t)
		r.mustAct(engine.Host, "open")
		r.core().scene.until = r.clock.at.Add(2 * displayGrace) // as long as after four deaths at the urn
		r.passTime(100 * millisecond)
		r.setDisplay(false)
		return r
	}
	r := long()
	r.passTime(displayGrace - millisecond)
	r.setDisplay(true)
	r.passTime(displayGrace - 100*millisecond)
	if !isBehindDisplay(t, r.last()) {
		t.Error("back: the phones are ahead of it")
	}
	r.passTime(millisecond)
	if isBehindDisplay(t, r.last()) {
		t.Error("back: the scene does not end")
	}
	r = long()
	r.passTime(displayGrace - millisecond)
	if !isBehindDisplay(t, r.last()) {
		t.Error("away for a moment: the phones do not wait")
	}
	r.passTime(millisecond)
	if isBehindDisplay(t, r.last()) {
		t.Error("gone: the phones wait")
	}
}

// The host can end the wait, so that a display that is connected but not watched does not hold the phones back.
func TestTheHostEndsTheWait(t *testing.T) {
	r := gameBeforeEnd(t)
	if _, ok := hostOffer(r.last(), actSkip); ok {
		t.Error("offered where nobody waits")
	}
	r.mustAct(engine.Host, "open")
	if _, ok := hostOffer(r.last(), actSkip); !ok {
		t.Fatal("the host is not shown that the phones wait")
	}
	if out := r.act(engine.SeatViewer(1), actSkip); out.OK || !isBehindDisplay(t, r.last()) {
		t.Error("a seat ends the scene")
	}
	r.mustAct(engine.Host, actSkip)
	for _, u := range r.last().UpdatesToSeal(nil) {
		if isBehindDisplay(t, r.last()) || u.View.Result == nil {
			t.Errorf("%s waits still", u.View.Viewer)
		}
	}
	if u := r.last().Public; u.Cut == 0 || u.Cut != u.View.LastHappeningNumber() {
		t.Errorf("the display plays on: %d of %d", u.Cut, u.View.LastHappeningNumber())
	}
	r.mustAct(engine.Host, actSkip) // tapped just as the scene ended
	r.passTime(toStroke)
	if isBehindDisplay(t, r.last()) {
		t.Error("the scene begins again")
	}
}

// Random evenings of the real games at a table with a display: no phone and no host is ever ahead of the display, all
// wait together, and in the meantime they see the step before.
func TestNoPhoneIsAheadOfTheDisplay(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		scenes, strokes := 0, 0
		// one evening of Cluedo in ten has a scene
		for seed := uint64(0); seed < uint64(eveningCount(30, 200)) || (scenes == 0 || strokes == 0) && seed < 200; seed++ {
			e := newEvening(t, g, newMemory(), seed)
			e.setDisplay(true)
			e.mustAct(engine.Host, oversight.ActAllow, "on", yes)
			e.seatAndBegin(g.players(seed))
			e.passTime(time.Minute)
			seen := len(e.steps)
			for n := 0; n < 400 && e.last().Public.View.Result == nil; n++ {
				e.play()
				for i := seen; i < len(e.steps); i++ {
					was, is := e.steps[i-1], e.steps[i]
					length := time.Duration(
						wire.SceneMillis(is.Public.View.HappeningsAfter(was.Public.View.LastHappeningNumber()))) * millisecond
					switch {
					case length > toStroke:
						scenes++
					case length > 0:
						strokes++
					}
					if length > 0 && !isBehindDisplay(t, is) {
						t.Fatalf("seed %d: a reveal of %v reaches the phones at once", seed, length)
					}
					if isBehindDisplay(t, is) {
						checkNotAhead(t, seed, was, is)
					}
				}
				seen = len(e.steps)
				if isBehindDisplay(t, e.last()) {
					e.passTime(time.Duration(e.dice.Intn(30)) * time.Second)
				}
			}
			e.passTime(time.Minute)
			if isBehindDisplay(t, e.last()) {
				t.Fatalf("seed %d: the phones wait for ever", seed)
			}
		}
		t.Logf("%d scenes, %d strokes", scenes, strokes)
		if scenes == 0 || strokes == 0 {
			t.Error("too little was revealed")
		}
	})
}

// checkNotAhead checks that a step of a scene shows no viewer more than the step before the scene.
func checkNotAhead(t *testing.T, seed uint64, was, is Step) {
	t.Helper()
	for _, u := range is.UpdatesToSeal(nil) {
		if u.View.Viewer == engine.Overseer.String() {
			if was.overseer != nil && asJSON(t, u.View.Secrets) != asJSON(t, was.overseer.Secrets) {
				t.Fatalf("seed %d: the overseer is ahead of the display", seed)
			}
			continue
		}
		then, ok := was.UpdateFor(noError(engine.ParseViewer(u.View.Viewer)))
		if !ok {
			t.Fatalf("seed %d: %s was not there", seed, u.View.Viewer)
		}
		bare := func(v engine.View) string {
			v.Prompt, v.Rule, v.Active, v.Readers, v.Offers = engine.Msg{}, "", nil, nil, nil
			return asJSON(t, v)
		}
		if !isBehindDisplay(t, was) && bare(u.View) != bare(then.View) {
			t.Fatalf("seed %d: %s is ahead of the display:\n%s", seed, u.View.Viewer, textDifference(bare(u.View), bare(then.View)))
		}
		if u.Vote != nil {
			t.Fatalf("seed %d: a vote reveals to %s who lives", seed, u.View.Viewer)
		}
		if got, want := offersKept(u), offersKept(then); asJSON(t, got) != asJSON(t, want) {
			t.Fatalf("seed %d: what %s may do shows it what has been revealed:\n%s", seed, u.View.Viewer,
				textDifference(asJSON(t, got), asJSON(t, want)))
		}
	}
}

// offersKept returns the offers that a page may keep while the display plays: no act in the game and none of a seat's
// own corrections. Undo is left out when it is the one that covers all that may have been seen, because there may
// have been nothing to undo before.
func offersKept(u wire.Update) []engine.Offer {
	all := []engine.Offer{}
	for _, o := range u.View.Offers {
		_, host := loopRights()[o.Act]
		seat := slices.Contains(correctionActs, o.Act)
		switch {
		case o.Act == hints.ActMost, o.Act == hints.ActGive, o.Act == hints.ActBack, o.Act == hints.ActDeny, o.Act == countdown.ActAdd,
			// these depend on the host’s own taps, and name seats equally, dead or alive
			o.Act == countdown.ActEnd, o.Act == oversight.ActUnlock, o.Act == oversight.ActCover:
		case o.Act == actSkip, o.Act == actUndo && u.View.Prompt.Key != sceneAct:
		case o.Act == actUndo && o.Grave && o.Fixed["force"] == yes:
		case host, seat && u.View.Prompt.Key == sceneAct: // a seat's own corrections: none in a scene
			all = append(all, o)
		}
	}
	return all
}

// A client that ignores the offers learns nothing. Whatever act of the game a seat or the host sends during a scene,
// legal now, before or never, the answer is the same, so it is the same in every world that the scene may end in, and
// nothing happens.
func TestAnswersDuringASceneRevealNothing(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		asked, legal, laid := 0, 0, 0
		for seed := range uint64(eveningCount(12, 100)) {
			e := newEvening(t, g, newMemory(), seed)
			e.setDisplay(true)
			e.seatAndBegin(g.players(seed))
			e.passTime(time.Minute)
			for n := 0; n < 1200 && e.last().Public.View.Result == nil; n++ {
				before := e.last()
				e.play()
				if !isBehindDisplay(t, e.last()) {
					continue
				}
				a, l := e.refuseAllActs(before, seed)
				asked, legal = asked+a, legal+l
				laid += e.layTagsInScene(seed)
				e.passTime(time.Minute)
			}
		}
		t.Logf("%d asked, %d of them possible in the true game; %d laid where a card is awaited", asked, legal, laid)
		if legal == 0 || laid == 0 {
			t.Error("nothing was asked or laid that was possible")
		}
	})
}

// refuseAllActs sends each act of the game that a page was offered before the scene or would be offered now, and
// checks that it is refused. legal counts the acts that would be offered now.
func (e *evening) refuseAllActs(before Step, seed uint64) (asked, legal int) {
	e.t.Helper()
	step := e.core().lastStep
	ask := func(by engine.Viewer, o engine.Offer) {
		_, own := loopRights()[o.Act]
		if own || o.Act == wire.ActCutPhone || o.Act == wire.ActNote {
			return
		}
		var args []string
		for k, v := range o.Fixed {
			args = append(args, k, v)
		}
		for _, p := range o.Params {
			if len(p.Domain) > 0 {
				args = append(args, p.Name, p.Domain[e.dice.Intn(len(p.Domain))])
			}
		}
		got := e.act(by, o.Act, args...)
		want := &engine.Reject{Code: engine.NotNow, Rule: "GEN-001", Why: engine.NewMsg(sceneAct)}
		if asJSON(e.t, got.Reject) != asJSON(e.t, want) || e.core().lastStep != step {
			e.t.Fatalf("seed %d: %s %s %v during a scene: %s, step %d after %d", seed, by, o.Act, args, asJSON(e.t, got),
				e.core().lastStep, step)
		}
		asked++
	}
	for _, u := range before.UpdatesToSeal(nil) {
		by := noError(engine.ParseViewer(u.View.Viewer))
		for _, o := range slices.Concat(engine.AllowedOffers(u.View.Offers),
			[]engine.Offer{{Act: "nonsense"}, {Act: corrections.ActPropose}}) {
			ask(by, o)
		}
		for _, o := range engine.AllowedOffers(e.core().game.View(by).Offers) {
			ask(by, o)
			legal++
		}
	}
	return asked, legal
}

// layTagsInScene lays tags of each kind on each reader and lifts them. It checks that no update follows as long as
// the scene goes on, and returns how many of them the real game was waiting for.
func (e *evening) layTagsInScene(seed uint64) (awaited int) {
	e.t.Helper()
	step, steps := e.core().lastStep, len(e.steps)
	for _, reader := range []string{engine.ReaderShow, engine.ReaderUrn} {
		waits := slices.ContainsFunc(e.core().game.View(engine.Public).Readers, func(r engine.ReaderView) bool {
			return r.Reader == reader
		})
		for _, seen := range [][]Tag{nil, tags("?bank"), tags(pick(e.dice, e.cards)), tags(e.cards[0], e.cards[1])} {
			e.core().handleReading(e.clock.at, reader, Reading{Tags: seen})
			e.core().runDueTimers(e.clock.at)
			if len(e.steps) > steps || e.core().lastStep != step {
				e.t.Fatalf("seed %d: %d tags at %s during a scene: %s", seed, len(seen), reader, asJSON(e.t, e.last().Public.Notice))
			}
			for _, t := range seen {
				e.core().removeLeftTag(reader, t.UID)
			}
			if waits {
				awaited++
			}
		}
	}
	e.passTime(min(defaultUrnWindow, e.core().sceneEnd().Sub(e.clock.at)-millisecond)) // the window of the urn
	if got := e.signalsSince(steps); len(got) > 0 {
		e.t.Fatalf("seed %d: the urn answers during a scene: %v", seed, got)
	}
	return awaited
}

// A card that is put on a reader during a scene is handled when the scene is over, if it is still there; a card that
// was lifted before is ignored. A card that has fallen into the urn cannot be presented again, so it is handled.
func TestCardOnAReaderDuringASceneIsHandledAfterIt(t *testing.T) {
	for _, c := range []struct {
		name, reader string
		then         func(*rig, string)
		want         []string
	}{
		{"it lies there still", engine.ReaderShow, func(*rig, string) {}, []string{signalAccepted}},
		{"it has been lifted", engine.ReaderShow, func(r *rig, at string) { r.core().removeLeftTag(at, "uid-card-1") }, nil},
		{"another lies there now", engine.ReaderShow, func(r *rig, at string) {
			r.core().removeLeftTag(at, "uid-card-1")
			r.core().handleReading(r.clock.at, at, Reading{Tags: tags("bad")})
		}, []string{signalAgain}},
		{"a second lies beside it", engine.ReaderShow, func(r *rig, at string) {
			r.core().handleReading(r.clock.at, at, Reading{Tags: tags("card-2"), OthersPresent: true})
		}, []string{signalAgain}},
		{"something that cannot be read", engine.ReaderShow, func(r *rig, at string) { r.core().handleReading(r.clock.at, at, Reading{}) },
			[]string{signalAccepted}},
		{"it has fallen into the urn", engine.ReaderUrn, func(r *rig, at string) { r.core().removeLeftTag(at, "uid-card-1") },
			[]string{signalAccepted}},
		{"the host ends the scene", engine.ReaderShow, func(r *rig, _ string) { r.mustAct(engine.Host, actSkip) },
			[]string{signalAccepted}},
		{"a new game", engine.ReaderShow,
			func(r *rig, _ string) { r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep") }, nil},
	} {
		r := playing(t, newMemory(), 3)
		r.setDisplay(true)
		now := r.core().actualViews
		r.core().scene = &scene{before: now, lastHappening: now.Public.LastHappeningNumber(), until: r.clock.at.Add(5 * time.Second)}
		mark := len(r.steps)
		r.core().handleReading(r.clock.at, c.reader, Reading{Tags: tags("card-1")})
		r.passTime(time.Second)
		if len(r.steps) != mark {
			t.Errorf("%s: %d steps during the scene", c.name, len(r.steps)-mark)
		}
		c.then(r, c.reader)
		r.passTime(5 * time.Second)
		if got := r.signalsSince(mark); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// During a scene each seat's request for a correction is refused in the same way, so that a dead player learns
// nothing from it.
func TestNoVoteDuringAScene(t *testing.T) {
	r := gameBeforeEnd(t)
	r.mustAct(engine.Host, "open")
	for seat := range engine.Seat(2) {
		for _, act := range correctionActs {
			out := r.act(engine.SeatViewer(seat+1), act)
			if out.OK || out.Reject.Why.Key != sceneAct {
				t.Errorf("%s of seat %d: %+v", act, seat+1, out.Reject)
			}
		}
	}
	if r.last().Host.Vote != nil || !isBehindDisplay(t, r.last()) {
		t.Error("there is a vote")
	}
	if out := r.act(engine.Host, actUndo); out.OK || out.Reject.Why.Key != "table.undo.barrier" {
		t.Errorf("the host takes back what it does not see, without insisting: %+v", out)
	}
	r.passTime(toStroke)
	r.mustAct(engine.SeatViewer(1), corrections.ActPropose)
}

// The display calculates the same lengths on its own. testdata/stages.json is the reference for both
// (src/display/scene.test.ts reads it too).
func TestLengthsOfScenes(t *testing.T) {
	var cases []struct {
		Name     string
		Happened []*engine.Happening
		Length   int
		Scene    bool // the display plays a scene
	}
	data, err := os.ReadFile("testdata/stages.json")
	if err == nil {
		err = json.Unmarshal(data, &cases)
	}
	if err != nil || len(cases) < 10 {
		t.Fatal(err, len(cases))
	}
	for _, c := range cases {
		if got := wire.SceneMillis(c.Happened); got != c.Length {
			t.Errorf("%s: %d ms, want %d", c.Name, got, c.Length)
		}
	}
}

// A deadline moves back by the time in which no player could act.
func TestDeadlinesWaitForTheDisplay(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.setDisplay(true)
	c := r.core()
	d := c.game.Deadlines()[0]
	after := *c.actualViews
	reveal := func() {
		after.Public.Happened = append(slices.Clone(after.Public.Happened),
			&engine.Happening{N: after.Public.LastHappeningNumber() + 1, What: engine.HapOver})
		next := after
		c.updateSceneAndDeadlines(&next)
	}
	if reveal(); c.deadlines.delays[d] != wire.StageStroke {
		t.Errorf("%d ms later", c.deadlines.delays[d])
	}
	r.clock.at = r.clock.at.Add(200 * millisecond)
	if reveal(); c.deadlines.delays[d] != 2*wire.StageStroke { // what is revealed during a scene extends it
		t.Errorf("%d ms later", c.deadlines.delays[d])
	}
}
