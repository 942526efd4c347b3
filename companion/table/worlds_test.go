package table

import (
	"slices"
	"testing"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/deck"
	"majordome/engine/huisclos/audit"
)

// recorded leaves out acts that keep a card from the machine, and those that roll
// dice over a hand: the audit follows named cards.
func recorded(v engine.Viewer, o engine.Offer) int {
	if v.IsHost() && (o.Act == "destroy" || o.Act == "accuse") { // by public facts: it may name a card that lies elsewhere
		return 0
	}
	if o.Aside || o.Act == "laid" || o.Fixed["card"] == engine.Unnamed || o.Fixed["value"] == "unknown" || o.Act == "draw" {
		return 0
	}
	return 1
}

// pair is one evening at two tables: the same public course, with two cards
// changed that some viewers have not been shown. Both tables are the real loop
// on journals of their own, with the same epoch, clock and dice.
type pair struct {
	one, two *evening
	book     engine.Rulebook
	audit    *audit.Auditor
	swap     audit.Swap
	blind    map[engine.Viewer]bool
	fed      int
	steps    int
	views    int
}

// feed lets the audit read what the first table has written since.
func (p *pair) feed(t *testing.T) (kinds []string) {
	t.Helper()
	all := rows(t, p.one.journal)
	for _, e := range all[p.fed:] {
		if err := p.audit.Feed(e.Kind, e.Data); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
		for _, s := range p.audit.Shows {
			if slices.Contains(s.Cards, p.swap.Card[0]) != slices.Contains(s.Cards, p.swap.Card[1]) {
				if s.To == engine.Public {
					clear(p.blind)
				}
				delete(p.blind, s.To)
			}
		}
	}
	p.fed = len(all)
	return kinds
}

// journals gives the history of a game to two memories, in the second with two
// cards changed; ok is false where that is no world of the rules.
func (p *pair) journals(t *testing.T, first []store.Event) (one, two *memory, ok bool) {
	t.Helper()
	one, two = newMemory(), newMemory()
	other := slices.Clone(first)
	g := p.book.New()
	for i, e := range other {
		data, err := p.swap.Event(e.Kind, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		other[i].Data = data
		ev, err := p.book.DecodeEvent(e.Kind, data)
		if err != nil {
			return nil, nil, false
		}
		g = g.Evolve(ev)
	}
	if g.(interface{ Check() error }).Check() != nil {
		return nil, nil, false
	}
	for m, rows := range map[*memory][]store.Event{one: first, two: other} {
		if _, err := m.Begin(p.book.ID(), rows); err != nil {
			t.Fatal(err)
		}
	}
	return one, two, true
}

// compare looks at what both tables have shown since the last look.
func (p *pair) compare(t *testing.T) {
	t.Helper()
	one, two := p.one.steps[p.steps:], p.two.steps[p.steps:]
	if len(one) != len(two) {
		t.Fatalf("%d steps are shown at one table and %d at the other", len(one), len(two))
	}
	for i := range one {
		for j, payloads := range p.sealed(t, one[i], two[i]) {
			if payloads[0] != payloads[1] {
				t.Fatalf("the sealed view %d has %d bytes in one world and %d in the other", j, payloads[0], payloads[1])
			}
		}
		for v := range p.blind {
			a, ok := one[i].Of(v)
			b, also := two[i].Of(v)
			if ok != also {
				t.Fatalf("%s is at one table only", v)
			}
			p.views++
			if x, y := asJSON(t, a), asJSON(t, b); x != y {
				t.Fatalf("%s can tell two worlds apart that differ in %v:\n%s\n%s", v, p.swap.Card, x, y)
			}
		}
	}
	p.steps = len(p.one.steps)
}

// sealed gives the sizes of what passes the broker for each viewer.
func (p *pair) sealed(t *testing.T, one, two Step) (sizes [][2]int) {
	t.Helper()
	seals := func(s Step) (n []int) {
		ring := seal.NewRing(nil)
		all, err := ring.SealViews(s.Epoch, s.Sealed(), func(v engine.Viewer) string { return v.String() })
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			n = append(n, len(x.Payload))
		}
		return n
	}
	a, b := seals(one), seals(two)
	if len(a) != len(b) {
		t.Fatalf("%d views are sealed in one world and %d in the other", len(a), len(b))
	}
	for i := range a {
		sizes = append(sizes, [2]int{a[i], b[i]})
	}
	return sizes
}

// act does one random thing at both tables; false when the tables part, which
// the rules may ask for (engine/play judges that).
func (p *pair) act(t *testing.T, dice *chance.Dice) bool {
	t.Helper()
	public := p.one.last().Public.View
	if len(public.Readers) > 0 && dice.Intn(3) == 0 {
		reader := public.Readers[dice.Intn(len(public.Readers))].Reader
		card := p.one.held()
		if dice.Intn(3) == 0 {
			card = p.one.cards[dice.Intn(len(p.one.cards))]
		}
		p.one.core().present(p.one.clock.at, reader, tags(card))
		p.two.core().present(p.two.clock.at, reader, tags(p.swap.Of(card)))
		p.one.pass(defaultWait)
		p.two.pass(defaultWait)
		a, b := p.one.last().Public.Notice, p.two.last().Public.Notice
		return (a == nil) == (b == nil) && (a == nil || a.Signal == b.Signal)
	}
	type choice struct {
		by engine.Viewer
		o  engine.Offer
	}
	var all []choice
	for _, u := range p.one.last().Sealed() {
		by, err := engine.ParseViewer(u.View.Viewer)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range u.View.Offers {
			if _, own := deskActs[o.Act]; !own && recorded(by, o) > 0 {
				all = append(all, choice{by, o})
			}
		}
	}
	if len(all) == 0 {
		p.one.pass(10_000_000_000)
		p.two.pass(10_000_000_000)
		return true
	}
	c := all[dice.Intn(len(all))]
	args := engine.Args{}
	for k, v := range c.o.Fixed {
		args[k] = v
	}
	for _, q := range c.o.Params {
		args[q.Name] = "N"
		if q.Kind != "text" {
			args[q.Name] = q.Domain[dice.Intn(len(q.Domain))]
		}
	}
	cmd := p.swap.Command(engine.Command{Act: c.o.Act, Args: args})
	p.one.seq[c.by]++
	p.two.seq[c.by]++
	a := p.one.send(c.by, wire.Act{ID: "x", Seq: p.one.seq[c.by], Act: c.o.Act, Args: args})
	b := p.two.send(c.by, wire.Act{ID: "x", Seq: p.two.seq[c.by], Act: c.o.Act, Args: cmd.Args})
	if !a.OK {
		t.Fatalf("%s was offered %s and refused", c.by, c.o.Act)
	}
	return b.OK
}

// TestTwoWorldsAtTheTable: design 7.1 from the loop to the broker. Two tables
// play the same evening with two cards changed that a viewer has not been shown;
// every byte of that viewer's updates (view, notice, signal, numbers), how many
// there are, when they come, and the size of everybody's sealed views are the
// same (GEN-002, GEN-003). Who has been shown what comes from the audit package.
func TestTwoWorldsAtTheTable(t *testing.T) {
	worlds, views, steps := 0, 0, 0
	for seed := range uint64(seeds(60, 1000)) {
		dice := chance.New(seed * 32452843)
		players := 4 + int(seed)%5
		first := reached(t, seed, players, 10+dice.Intn(50*players), recorded)
		p := &pair{book: huisClos(t), audit: audit.New(string(deck.HuisClos().Start)), blind: map[engine.Viewer]bool{}}
		p.blind[engine.Public], p.blind[engine.Host] = true, true
		for x := range players {
			p.blind[engine.At(engine.Seat(x+1))] = true
		}
		cards := newEvening(t, newMemory(), 0).cards
		clues := slices.DeleteFunc(slices.Clone(cards), func(c string) bool { return c[:4] == "role" })
		p.swap.Card = [2]string{clues[dice.Intn(len(clues))], clues[dice.Intn(len(clues))]}
		one, two, ok := p.journals(t, first)
		if !ok || p.swap.Card[0] == p.swap.Card[1] {
			continue
		}
		p.one, p.two = newEvening(t, one, seed), newEvening(t, two, seed)
		if p.feed(t); len(p.blind) == 0 {
			continue
		}
		worlds++
		p.compare(t)
		for range 40 {
			goes := p.act(t, dice)
			had := len(rows(t, p.two.journal)) - p.fed
			kinds := p.feed(t)
			if !goes || had != len(kinds) || len(p.blind) == 0 || !p.same(t, kinds) {
				break
			}
			p.compare(t)
		}
		views, steps = views+p.views, steps+p.steps
	}
	t.Logf("%d worlds, %d steps, %d updates compared", worlds, steps, views)
	if worlds < 20 || views < 1000 {
		t.Error("too little was compared")
	}
}

// same reports that the second table has written the same kinds of events.
func (p *pair) same(t *testing.T, kinds []string) bool {
	t.Helper()
	all := rows(t, p.two.journal)
	for i, e := range all[len(all)-len(kinds):] {
		if e.Kind != kinds[i] {
			return false
		}
	}
	return true
}
