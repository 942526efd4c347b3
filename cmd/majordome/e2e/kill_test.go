package e2e_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
)

// evening is four phones, a host and a display at a demonstration table.
type evening struct {
	t     testing.TB
	demo  *demo
	bench *bench
	host  *phone
	table *phone
	seats []*phone
	dice  *rand.Rand
}

func newEvening(t testing.TB, d *demo, seed uint64) *evening {
	e := &evening{t: t, demo: d, bench: d.bench(), table: watch(t, d.origin()), dice: rand.New(rand.NewPCG(seed, 1))}
	e.host = join(t, d.links["host"], engine.Host)
	for s := engine.Seat(1); s <= 4; s++ {
		e.seats = append(e.seats, join(t, d.links[s.String()], engine.SeatViewer(s)))
	}
	for _, p := range e.allPhones() {
		p.waitFor("its first view", func(wire.Update) bool { return true })
	}
	return e
}

func (e *evening) allPhones() []*phone { return append([]*phone{e.table, e.host}, e.seats...) }

// settle waits until every phone has the newest update of the game.
func (e *evening) settle() {
	e.t.Helper()
	newest := wire.Update{}
	for _, p := range e.allPhones() {
		if u := p.latest(); u.Epoch > newest.Epoch || u.Epoch == newest.Epoch && u.Rev > newest.Rev {
			newest = u
		}
	}
	for _, p := range e.allPhones() {
		p.waitFor("the newest moment", func(u wire.Update) bool {
			return u.Epoch > newest.Epoch || u.Epoch == newest.Epoch && u.Rev >= newest.Rev
		})
	}
}

// latestUpdate returns the newest update, once every phone has it.
func (e *evening) latestUpdate() wire.Update {
	e.t.Helper()
	e.settle()
	return e.table.latest()
}

// viewTexts returns each viewer's view as JSON, which must be the same before and after a restart.
func (e *evening) viewTexts() map[string]string {
	e.t.Helper()
	e.settle()
	m := map[string]string{}
	for _, p := range e.allPhones() {
		data, err := json.Marshal(p.latest().View)
		if err != nil {
			e.t.Fatal(err)
		}
		m[p.viewer.String()] = string(data)
	}
	return m
}

// lights returns the colours of the strips now.
func (e *evening) lights() string {
	return fmt.Sprint(e.bench.waitFor("strips", func(b wire.Bench) bool { return len(b.Strips) > 0 }).Strips)
}

// nextAct chooses an act that moves the game on. When no viewer has one it waits for a deadline that offers one, such
// as the end of an observation window. An act that is offered while others may observe is fleeting.
func (e *evening) nextAct() (p *phone, act string, args engine.Args, fleeting bool) {
	e.t.Helper()
	for {
		rev := e.latestUpdate().Rev // before the first look: changes by the clock meanwhile count, too
		for _, p := range append(e.seats, e.host) {
			u := p.latest()
			if o, ok := e.pick(engine.AllowedOffers(u.View.Offers)); ok {
				return p, o.Act, e.choose(o), observing(u)
			}
		}
		e.table.waitFor("somebody who can act", func(u wire.Update) bool { return u.Rev > rev })
	}
}

func (e *evening) pick(offers []engine.Offer) (engine.Offer, bool) {
	var moving []engine.Offer
	for _, o := range offers {
		switch {
		case o.Aside: // corrects the record; a proposed correction lives only as long as the daemon
		case o.Act == "undo", o.Act == "invite", o.Act == "new-game", o.Act == "next-group": // no game goes on by these
		default:
			moving = append(moving, o)
		}
	}
	if len(moving) == 0 {
		return engine.Offer{}, false
	}
	return moving[e.dice.IntN(len(moving))], true
}

func (e *evening) choose(o engine.Offer) engine.Args {
	args := engine.Args{}
	for k, v := range o.Fixed {
		args[k] = v
	}
	for _, p := range o.Params {
		args[p.Name] = "x"
		if p.Kind != "text" {
			args[p.Name] = p.Domain[e.dice.IntN(len(p.Domain))]
		}
	}
	return args
}

// begun plays the set-up without cards: the machine draws roles and deals.
func (e *evening) begun() {
	e.t.Helper()
	e.host.mustSend("begin", nil)
	e.host.mustSend("draw-roles", nil)
	e.host.mustSend("deal", nil)
	e.table.waitFor("the initial pick", func(u wire.Update) bool { return u.View.Phase == "pick" })
}

// clues counts every clue that the public can count: 39 at all times (2.16, 1).
func clues(v engine.View) int {
	n := v.Urn + len(v.Shown) + len(v.Gone)
	for _, s := range v.Seats {
		n += s.Cards
	}
	for _, p := range v.Places {
		n += p.Cards
	}
	return n
}

// TestKill kills the daemon at 60 points of an evening: after an answer, and at any moment after an act was sent.
// Each time the restarted daemon must show every viewer, and the lights, the same as before, or the result of that
// act done once.
func TestKill(t *testing.T) {
	t.Parallel()
	const points = 60
	d := startDemo(t)
	e := newEvening(t, d, randtest.NewSeed(t))
	e.begun()
	lost, done := 0, 0
	for point := range points {
		if e.table.latest().View.Phase == "over" {
			e.host.mustSend("new-game", engine.Args{"seats": "keep"})
			e.table.waitFor("the lobby", func(u wire.Update) bool { return u.View.Phase == "lobby" })
			e.begun()
		}
		p, act, args, fleeting := e.nextAct()
		e.settle()
		number := logNumber(e.table)
		epoch := e.table.latest().Epoch
		answered, lights := point%2 == 0, ""
		reveal := e.table.latest().View.Phase == "reveal" // its scene starts again with the daemon
		if answered {
			p.tries(act, args, fleeting)
			if point%6 == 0 && !reveal {
				e.settle()
				e.table.waitFor("the end of the observers' time", func(u wire.Update) bool { return !observing(u) })
				lights = e.restingLights()
			}
			e.settle()
		}
		observers := observing(e.table.latest())
		before := e.viewTexts()
		if !answered {
			p.send(act, args)
			time.Sleep(time.Duration(e.dice.IntN(4000)) * time.Microsecond) // any moment, not a wait for something
		}
		d.kill()
		d.start()
		e.bench = d.bench()
		for _, q := range e.allPhones() {
			q.waitFor("a view of the restarted daemon", func(u wire.Update) bool { return u.Epoch > epoch })
		}
		after := e.viewTexts()
		if n := clues(e.table.latest().View); e.table.latest().View.Phase != "over" && n != 39 {
			t.Fatalf("point %d: %d clues after the restart", point, n)
		}
		same := true
		for viewer := range before {
			same = same && before[viewer] == after[viewer]
		}
		switch {
		case answered && !same && !observers:
			for viewer := range before {
				if before[viewer] != after[viewer] {
					t.Errorf("point %d, %s after %s: %s", point, viewer, act, difference(before[viewer], after[viewer]))
				}
			}
			t.FailNow()
		case lights != "":
			e.bench.waitFor("the lights of before: "+lights, func(b wire.Bench) bool { return fmt.Sprint(b.Strips) == lights })
		case answered && same:
		case same:
			lost++ // not on disk, and so not visible: it can be done again
			p.tries(act, args, fleeting || observers)
		default: // it was done, or the observers' time ended meanwhile
			if !answered {
				done++
			}
			if n := logNumber(e.table); n < number {
				t.Fatalf("point %d: the story went back from line %d to %d", point, number, n)
			}
		}
	}
	t.Logf("%d kills: of the acts cut off in flight %d were done, %d had left no trace", points, done, lost)
}

// observing reports whether others may come forward as observers (HC-118), which the clock ends.
func observing(u wire.Update) bool { return strings.HasPrefix(u.View.Prompt.Key, "hc.prompt.window") }

// tries sends an act as mustSend does, but a fleeting act may be refused.
func (p *phone) tries(act string, args engine.Args, fleeting bool) {
	p.t.Helper()
	r, seq := p.act(act, args)
	switch {
	case r.OK:
		p.waitFor("the view after "+act, func(u wire.Update) bool { return u.Seq >= seq })
	case !fleeting:
		p.t.Fatalf("%s: %s %v refused: %+v", p.viewer, act, args, r.Reject)
	}
}

// difference shows two texts around their first difference.
func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("before …%.160s… after …%.160s…", a[from:], b[from:])
}

func logNumber(p *phone) int {
	log := p.latest().View.Log
	if len(log) == 0 {
		return 0
	}
	return int(log[len(log)-1].N)
}

// restingLights waits until no lamp has changed for 2 s: no fade pauses for so long, even where its frames come late.
func (e *evening) restingLights() string {
	e.t.Helper()
	last, since := e.lights(), time.Now()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if now := e.lights(); now != last {
			last, since = now, time.Now()
		}
		if time.Since(since) > 2*time.Second {
			return last
		}
	}
	e.t.Fatal("the lights do not come to rest")
	return ""
}
