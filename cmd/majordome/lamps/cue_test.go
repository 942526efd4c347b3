package lamps

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/huisclos"
)

// table4 returns a public update of a quiet table of four, with changes.
func table4(change func(*wire.Update)) wire.Update {
	u := wire.Update{Table: wire.TableView{Readers: map[string]string{"urn": "ok", "show": "ok"}}}
	u.View.Phase, u.View.Clock = "investigation", engine.Clock{At: 3, Of: 8, Mark: 5}
	for s := engine.Seat(1); s <= 4; s++ {
		u.View.Seats = append(u.View.Seats, engine.SeatView{Seat: s, Alive: true})
	}
	for _, lamp := range []string{engine.LampOpen, engine.LampOpen, engine.LampClosed} {
		u.View.Places = append(u.View.Places, engine.PlaceView{Lamp: lamp})
	}
	change(&u)
	return u
}

func TestCue(t *testing.T) {
	quiet := light.Cue{Clock: light.Clock{At: 3, Of: 8, Mark: 5}, Urn: light.Glow{State: light.GlowIdle},
		Show: light.Glow{State: light.GlowIdle}}
	copy(quiet.Places[:], []light.Lamp{light.LampOpen, light.LampOpen, light.LampClosed})
	with := func(change func(*light.Cue)) light.Cue { c := quiet; change(&c); return c }
	kill := func(u *wire.Update, n int) {
		for i := range n {
			u.View.Seats[i].Alive = false
		}
	}
	for name, c := range map[string]struct {
		u    func(*wire.Update)
		want light.Cue
	}{
		"a quiet table": {func(*wire.Update) {}, quiet},
		"the time is up": {func(u *wire.Update) { u.Hold, u.Paused = &wire.Hold{Over: true}, &engine.Msg{Key: "table.paused.time"} },
			with(func(c *light.Cue) { c.Mood = light.MoodEnd })},
		"somebody investigates": {func(u *wire.Update) { u.View.Places[1].Lamp = engine.LampHere },
			with(func(c *light.Cue) { c.Places[1] = light.LampHere })},
		"a murder": {func(u *wire.Update) { u.View.Places[0].Lamp = engine.LampCrime },
			with(func(c *light.Cue) { c.Places[0], c.Mood = light.LampCrime, light.MoodReveal })},
		"a lamp of another game": {func(u *wire.Update) { u.View.Places[0].Lamp = "disco" },
			with(func(c *light.Cue) { c.Places[0] = light.LampDark })},
		"accusations are open": {func(u *wire.Update) { u.View.Clock.At, u.View.Clock.Open = 5, true },
			with(func(c *light.Cue) { c.Clock.At, c.Clock.Open = 5, true })},
		"the urn waits for a seat that wears another colour": {func(u *wire.Update) {
			u.View.Seats[2].Colour = 7
			u.View.Readers = []engine.ReaderView{{Reader: "urn", Kind: "clue", Seat: 3}}
		}, with(func(c *light.Cue) { c.Urn = light.Glow{State: light.GlowWaiting, Seat: 7} })},
		"the urn waits for a seat": {func(u *wire.Update) { u.View.Readers = []engine.ReaderView{{Reader: "urn", Kind: "clue", Seat: 3}} },
			with(func(c *light.Cue) { c.Urn = light.Glow{State: light.GlowWaiting, Seat: 3} })},
		"the reader waits for anybody": {func(u *wire.Update) { u.View.Readers = []engine.ReaderView{{Reader: "show", Kind: "clue"}} },
			with(func(c *light.Cue) { c.Show = light.Glow{State: light.GlowWaiting} })},
		"a card is accepted": {func(u *wire.Update) { u.Notice = &wire.Notice{Signal: "accepted", Reader: "urn"} },
			with(func(c *light.Cue) { c.Urn.State = light.GlowAccepted })},
		"a card is to come again": {func(u *wire.Update) {
			u.View.Readers = []engine.ReaderView{{Reader: "show", Seat: 2}}
			u.Notice = &wire.Notice{Signal: "again", Reader: "show"}
		}, with(func(c *light.Cue) { c.Show = light.Glow{State: light.GlowAgain, Seat: 2} })},
		"a notice about no card": {func(u *wire.Update) { u.Notice = &wire.Notice{Msg: engine.NewMsg("table.undone")} }, quiet},
		"a reader is lost": {func(u *wire.Update) {
			u.Table.Readers["show"] = "lost"
			u.View.Readers = []engine.ReaderView{{Reader: "show", Seat: 2}}
			u.Notice = &wire.Notice{Signal: "again", Reader: "show"}
		}, with(func(c *light.Cue) { c.Show = light.Glow{} })},
		"a table without the slot's reader": {func(u *wire.Update) { delete(u.Table.Readers, "urn") },
			with(func(c *light.Cue) { c.Urn = light.Glow{} })},
		"three are left": {func(u *wire.Update) { kill(u, 1) }, quiet},
		"the Confrontation": {func(u *wire.Update) { kill(u, 2); u.View.Mood = engine.MoodDuel },
			with(func(c *light.Cue) { c.Mood = light.MoodConfrontation })},
		"the Confrontation begins over a body (HC-200)": {func(u *wire.Update) {
			kill(u, 2)
			u.View.Mood, u.View.Places[0].Lamp = engine.MoodDuel, engine.LampCrime
		}, with(func(c *light.Cue) { c.Places[0], c.Mood = light.LampCrime, light.MoodConfrontation })},
		"clues lie open": {func(u *wire.Update) { u.View.Shown = []engine.ID{"clue-worms-1"} },
			with(func(c *light.Cue) { c.UrnOpen = true })},
		"the cards are counted": {func(u *wire.Update) { u.View.Mood = engine.MoodCount },
			with(func(c *light.Cue) { c.Mood = light.MoodPause })},
		"the deal stands after an alarm": {func(u *wire.Update) { u.View.Mood = engine.MoodAlarm },
			with(func(c *light.Cue) { c.Mood = light.MoodPause })},
		"the game is paused": {func(u *wire.Update) { m := engine.NewMsg("table.paused.store"); u.Paused = &m },
			with(func(c *light.Cue) { c.Mood = light.MoodPause })},
		"the end": {func(u *wire.Update) {
			u.View.Mood, u.View.Places[0].Lamp = engine.MoodDuel, engine.LampCrime
			u.View.Result = &engine.Result{Rule: "HC-209", Winners: []engine.Seat{4}}
		}, with(func(c *light.Cue) {
			c.Places[0], c.Mood, c.Winners[3] = light.LampCrime, light.MoodEnd, true
		})},
		"an end with several winners (HC-154)": {func(u *wire.Update) {
			u.View.Result = &engine.Result{Rule: "HC-154", Winners: []engine.Seat{1, 3, 9}} // no colour for a ninth
		}, with(func(c *light.Cue) { c.Mood, c.Winners[0], c.Winners[2] = light.MoodEnd, true, true })},
		"an end that nobody wins (HC-210)": {func(u *wire.Update) { u.View.Result = &engine.Result{Rule: "HC-210"} },
			with(func(c *light.Cue) { c.Mood = light.MoodEnd })},
		"more places than lamps": {func(u *wire.Update) { u.View.Places = make([]engine.PlaceView, 40) },
			with(func(c *light.Cue) { c.Places = [light.MaxPlaces]light.Lamp{} })},
	} {
		if got := CueOf(table4(c.u)); got != c.want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, c.want)
		}
	}
}

// TestCueOfACluedo checks a table of Cluedo: rooms within reach in the mover's colour, hours for Time cards (C8-132),
// the murdered counted, the readers as for any game.
func TestCueOfACluedo(t *testing.T) {
	night := func(change func(*wire.Update)) light.Cue {
		u := table4(func(u *wire.Update) {
			u.View.Phase, u.View.Clock = "turn", engine.Clock{At: 3, Of: 8, Mark: 8}
			u.View.Case, u.View.Active = &engine.Case{Step: engine.StepStart}, []engine.Seat{2}
		})
		change(&u)
		return CueOf(u)
	}
	quiet := light.Cue{Clock: light.Clock{At: 3, Of: 8}, Urn: light.Glow{State: light.GlowIdle}, Show: light.Glow{State: light.GlowIdle}}
	copy(quiet.Places[:], []light.Lamp{light.LampOpen, light.LampOpen, light.LampClosed})
	with := func(change func(*light.Cue)) light.Cue { c := quiet; change(&c); return c }
	for name, c := range map[string]struct{ got, want light.Cue }{
		"three hours": {night(func(*wire.Update) {}), quiet},
		"seven hours: the next one kills (C8-133)": {night(func(u *wire.Update) {
			u.View.Clock = engine.Clock{At: 7, Of: 8, Mark: 8, Open: true}
		}),
			with(func(c *light.Cue) { c.Clock = light.Clock{At: 7, Of: 8, Mark: 8, Open: true} })},
		"rooms within reach of seat 2": {night(func(u *wire.Update) {
			u.View.Case.Step, u.View.Places[1].Lamp = engine.StepMove, engine.LampReach
		}), with(func(c *light.Cue) { c.Places[1], c.Mover = light.LampReach, 2 })},
		"a seat is asked (C8-081)": {night(func(u *wire.Update) {
			u.View.Case.Step, u.View.Places[0].Lamp, u.View.Active = engine.StepAnswer, engine.LampHere, []engine.Seat{4}
			u.View.Readers = []engine.ReaderView{{Reader: "show", Kind: "mystery-card", Seat: 4}}
		}), with(func(c *light.Cue) {
			c.Places[0], c.Show = light.LampHere, light.Glow{State: light.GlowWaiting, Seat: 4}
		})},
		"an Intrigue card is drawn (C8-042)": {night(func(u *wire.Update) {
			u.View.Case.Step, u.View.Readers = engine.StepDraw, []engine.ReaderView{{Reader: "urn", Kind: "event-card", Seat: 2}}
		}), with(func(c *light.Cue) { c.Urn = light.Glow{State: light.GlowWaiting, Seat: 2} })},
		"several may still interrupt (GEN-005)": {night(func(u *wire.Update) {
			u.View.Case.Step, u.View.Active = engine.StepShown, []engine.Seat{1, 3}
		}), quiet},
		"a murder": {night(func(u *wire.Update) { u.View.Seats[1].Alive = false }),
			with(func(c *light.Cue) { c.HourDeaths = 1 })},
		"a wrong accuser lives on": {night(func(u *wire.Update) { u.View.Seats[1].Out = true }),
			with(func(c *light.Cue) { c.Accusations = 1 })},
		"the accuser looks (C8-112)": {night(func(u *wire.Update) { u.View.Case.Step = engine.StepVerdict }),
			with(func(c *light.Cue) { c.Mood = light.MoodReveal })},
		"the host ends a scene": {night(func(u *wire.Update) { u.Cut = 7 }), with(func(c *light.Cue) { c.EndStaging = true })},
		"the envelope proves it (C8-113)": {night(func(u *wire.Update) {
			u.View.Happened = []*engine.Happening{{N: 1, What: engine.HapProven, Seat: 2}, {N: 2, What: engine.HapOver}}
			u.View.Result = &engine.Result{Rule: "C8-190", Winners: []engine.Seat{2}}
		}), with(func(c *light.Cue) {
			c.Mood, c.Winners[1], c.Accusations, c.RightAccusation = light.MoodEnd, true, 1, true
		})},
		"a right accusation (C8-190)": {night(func(u *wire.Update) {
			u.View.Result = &engine.Result{Rule: "C8-190", Winners: []engine.Seat{2}}
		}),
			with(func(c *light.Cue) { c.Mood, c.Winners[1] = light.MoodEnd, true })},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, c.got, c.want)
		}
	}
}

// TestCueOfEveryPhase plays whole games at random: the lights know every lamp of every phase, and the waiting reader
// glows.
func TestCueOfEveryPhase(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	phases := map[string]bool{}
	book, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	dice, choice := chance.New(seed), rand.New(rand.NewPCG(seed, 1))
	for range 5 {
		g := book.NewGame()
		for i, who := range []string{"character-borrow", "character-worms", "character-peely", "character-lecomte"} {
			g = decide(t, g, dice, engine.Command{By: engine.Host, Act: "sit",
				Args: engine.Args{"seat": engine.Seat(i + 1).String(), "name": "P", "character": who}})
		}
		g = decide(t, g, dice, engine.Command{By: engine.Host, Act: "first", Args: engine.Args{"seat": "seat-1"}})
		g = decide(t, g, dice, engine.Command{By: engine.Host, Act: "begin"})
		for at := engine.Millis(0); g.View(engine.Public).Result == nil; at += 100_000 {
			v := g.View(engine.Public)
			phases[v.Phase] = true
			checkGlows(t, v)
			g = decide(t, g, dice, nextCommand(t, g, choice, at))
		}
		checkGlows(t, g.View(engine.Public))
	}
	for _, phase := range []string{"roles", "laying", "pick", "investigation", "deposit", "reveal", "recovery"} {
		if !phases[phase] {
			t.Errorf("no game came to %s", phase)
		}
	}
}

func checkGlows(t *testing.T, v engine.View) {
	t.Helper()
	c := CueOf(wire.Update{View: v, Table: wire.TableView{Readers: map[string]string{"urn": "ok", "show": "ok"}}})
	for i, p := range v.Places {
		if _, ok := light.ParseLamp(p.Lamp); !ok || c.Places[i] == light.LampDark {
			t.Errorf("%s: the lamp of %s is %q", v.Phase, p.Place, p.Lamp)
		}
	}
	want := map[string]light.Glow{"urn": {State: light.GlowIdle}, "show": {State: light.GlowIdle}}
	for _, r := range v.Readers {
		want[r.Reader] = light.Glow{State: light.GlowWaiting, Seat: int(r.Seat)}
	}
	if c.Urn != want["urn"] || c.Show != want["show"] {
		t.Errorf("%s: the urn glows %+v, the reader %+v, want %+v", v.Phase, c.Urn, c.Show, want)
	}
}

func decide(t *testing.T, g engine.Game, dice engine.Dice, c engine.Command) engine.Game {
	t.Helper()
	events, r := g.Decide(c, dice)
	if r != nil && r.Rule == engine.RuleAlarm {
		return g // a card of an offer may be on record elsewhere (GEN-E13)
	}
	if r != nil {
		t.Fatalf("%s %s %v: %v %v", c.By, c.Act, c.Args, r, r.Why)
	}
	g = g.Apply(events...)
	return g
}

// nextCommand returns an act that is offered, or the deadline that all wait for.
func nextCommand(t *testing.T, g engine.Game, choice *rand.Rand, at engine.Millis) engine.Command {
	t.Helper()
	var all []engine.Command
	for n := range 5 {
		v := engine.Host
		if n > 0 {
			v = engine.SeatViewer(engine.Seat(n))
		}
		for _, o := range engine.AllowedOffers(g.View(v).Offers) {
			if o.Aside { // it corrects the record, which ends no game
				continue
			}
			args := engine.Args{}
			for k, x := range o.Fixed {
				args[k] = x
			}
			for _, p := range o.Params {
				args[p.Name] = p.Domain[choice.IntN(len(p.Domain))]
			}
			all = append(all, engine.Command{At: at, By: v, Act: o.Act, Args: args})
		}
	}
	if len(all) > 0 {
		return all[choice.IntN(len(all))]
	}
	for _, d := range g.Deadlines() {
		return engine.Command{At: max(at, d.At), By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}
	}
	t.Fatal("nobody can act in " + g.View(engine.Public).Phase + " of round " + strconv.Itoa(g.View(engine.Public).Clock.At))
	return engine.Command{}
}
