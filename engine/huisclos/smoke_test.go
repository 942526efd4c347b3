package huisclos

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/deck"
)

func TestSmoke(t *testing.T) {
	b, err := New(deck.HuisClos())
	if err != nil {
		t.Fatal(err)
	}
	for seed := uint64(0); seed < 300; seed++ {
		dice := chance.New(seed)
		g := b.New()
		var at engine.Millis
		do := func(c engine.Command) {
			at += 1000
			c.At = at
			evs, r := g.Decide(c, dice)
			if r != nil {
				t.Fatalf("seed %d: %v %v %v: %v %v", seed, c.By, c.Act, c.Args, r, r.Why)
			}
			for _, e := range evs {
				data, err := b.EncodeEvent(e)
				if err != nil {
					t.Fatal(err)
				}
				back, err := b.DecodeEvent(e.Kind(), data)
				if err != nil {
					t.Fatal(err)
				}
				g = g.Evolve(back)
			}
			if err := g.(*state).Check(); err != nil {
				t.Fatalf("seed %d: after %v %v: %v", seed, c.Act, c.Args, err)
			}
		}
		n := 4 + int(seed)%5
		for i := 0; i < n; i++ {
			do(engine.Command{By: engine.Host, Act: "sit", Args: engine.Args{"seat": engine.Seat(i + 1).String(), "name": "N", "character": b.(*Book).figureID[i+1]}})
		}
		do(engine.Command{By: engine.Host, Act: "first", Args: engine.Args{"seat": "seat-2"}})
		do(engine.Command{By: engine.Host, Act: "begin"})
		steps := 0
		for ; steps < 5000; steps++ {
			pub := g.View(engine.Public)
			if pub.Result != nil {
				break
			}
			v := engine.Host
			if len(pub.Active) > 0 && dice.Intn(4) > 0 {
				v = engine.At(pub.Active[0])
			}
			if ds := g.Deadlines(); len(ds) > 0 && dice.Intn(3) == 0 {
				if at < ds[0].At {
					at = ds[0].At
				}
				do(engine.Command{By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": ds[0].ID}})
				continue
			}
			offers := g.View(v).Offers
			if len(offers) == 0 && len(g.Deadlines()) > 0 {
				continue
			}
			if len(offers) == 0 {
				if v == engine.Host {
					continue
				}
				t.Fatalf("seed %d: no offer in %s: %v", seed, pub.Phase, pub.Prompt)
			}
			o := offers[dice.Intn(len(offers))]
			args := engine.Args{}
			for k, v := range o.Fixed {
				args[k] = v
			}
			for _, p := range o.Params {
				args[p.Name] = p.Domain[dice.Intn(len(p.Domain))]
			}
			do(engine.Command{By: v, Act: o.Act, Args: args})
		}
		if g.View(engine.Public).Result == nil {
			t.Fatalf("seed %d: no end after %d steps", seed, steps)
		}
	}
}
