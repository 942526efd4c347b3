package game

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/countdown"
	"majordome/companion/master/hints"
	"majordome/companion/master/oversight"
	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// pair is one evening at two tables with the same public course. In the second, two cards that some viewers have not
// been shown are exchanged. Both tables are the real loop on journals of their own, with the same epoch, clock and
// dice.
type pair struct {
	seed     uint64
	one, two *evening
	game     game
	book     engine.Rulebook
	audit    auditFeed
	cards    [2]string // the two exchanged cards
	swap     cardSwapper
	blind    map[engine.Viewer]bool
	fed      int
	steps    int
	views    int
	house    [2]uplink.MessageBuilder // build the messages of each table to the house
	told     int
	acts     map[string]int // counts what both tables have played
	hashes   [2]hashNumbers // of each table
	alarmed  bool           // one of the two cards was laid last, and raised the alarm at one table alone
}

// feedAudit passes the audit what the first table has written since, and removes from blind the viewers that were
// shown one of the two cards.
func (p *pair) feedAudit(t *testing.T) (kinds []string) {
	t.Helper()
	all := storedEvents(t, p.one.journal)
	for _, e := range all[p.fed:] {
		shows, err := p.audit(e.Kind, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
		for _, s := range shows {
			if slices.Contains(s.Cards, p.cards[0]) != slices.Contains(s.Cards, p.cards[1]) {
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

// swappedJournals writes the history of a game to two memories, to the second with the two cards exchanged. ok is
// false where the rules do not allow that world.
func (p *pair) swappedJournals(t *testing.T, first []store.Event) (one, two *memory, ok bool) {
	t.Helper()
	one, two = newMemory(), newMemory()
	other := slices.Clone(first)
	g := p.book.NewGame()
	for i, e := range other {
		data, err := p.swap.SwapEvent(e.Kind, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		other[i].Data, other[i].Command = data, p.swapStoredCommand(t, e.Command)
		ev, err := p.book.DecodeEvent(e.Kind, data)
		if err != nil {
			return nil, nil, false
		}
		g = g.Apply(ev)
	}
	if g.(interface{ CheckInvariants() error }).CheckInvariants() != nil {
		return nil, nil, false
	}
	for m, rows := range map[*memory][]store.Event{one: first, two: other} {
		if _, err := m.BeginGame(p.book.ID(), rows); err != nil {
			t.Fatal(err)
		}
	}
	return one, two, true
}

// swapStoredCommand returns the stored command of a step as it is given in the other world.
func (p *pair) swapStoredCommand(t *testing.T, stored []byte) []byte {
	t.Helper()
	if len(stored) == 0 {
		return stored
	}
	var c storedCommand
	if err := json.Unmarshal(stored, &c); err != nil {
		t.Fatal(err)
	}
	c.Args = p.swap.SwapCommand(engine.Command{Act: c.Act, Args: c.Args}).Args
	return mustJSON(c)
}

// compareShown compares what both tables have shown since the last comparison.
func (p *pair) compareShown(t *testing.T) {
	t.Helper()
	one, two := p.one.steps[p.steps:], p.two.steps[p.steps:]
	if len(one) != len(two) {
		t.Fatalf("%d steps are shown at one table and %d at the other", len(one), len(two))
	}
	for i := range one {
		if p.blind[engine.Public] && string(one[i].Story) != string(two[i].Story) {
			t.Fatalf("seed %d: the story differs between two worlds that differ in %v:\n%s", p.seed, p.cards,
				textDifference(string(one[i].Story), string(two[i].Story)))
		}
		first, second := p.comparableUpdates(one[i].Public, two[i].Public)
		a, b := p.house[0].BuildMessages(&first), p.house[1].BuildMessages(&second)
		if p.blind[engine.Public] { // the bytes, their number and the step in which they come
			if p.told += len(a); asJSON(t, a) != asJSON(t, b) {
				t.Fatalf("seed %d: the house can tell two worlds apart that differ in %v:\n%s", p.seed, p.cards,
					textDifference(asJSON(t, a), asJSON(t, b)))
			}
		}
		for j, payloads := range p.sealedSizePairs(t, one[i], two[i]) {
			if payloads[0] != payloads[1] {
				t.Fatalf("the sealed view %d has %d bytes in one world and %d in the other", j, payloads[0], payloads[1])
			}
		}
		p.compareOverseer(t, one[i].overseer, two[i].overseer)
		for v := range p.blind {
			a, ok := one[i].UpdateFor(v)
			b, also := two[i].UpdateFor(v)
			if ok != also {
				t.Fatalf("%s is at one table only", v)
			}
			p.views++
			p.acts["opened"] += len(a.Opened)
			a, b = p.comparableUpdates(a, b)
			if x, y := asJSON(t, a), asJSON(t, b); x != y {
				t.Fatalf("seed %d: %s can tell two worlds apart that differ in %v:\n%s", p.seed, v, p.cards, textDifference(x, y))
			}
		}
	}
	p.steps = len(p.one.steps)
}

// compareOverseer counts where the view of the overseer differs between the two worlds. It must be open in both or in
// none.
func (p *pair) compareOverseer(t *testing.T, a, b *master.OverseerView) {
	t.Helper()
	switch {
	case (a == nil) != (b == nil):
		t.Fatal("the view of the overseer is open at one table only")
	case a != nil && asJSON(t, a.Secrets) != asJSON(t, b.Secrets):
		p.acts["overseen"]++
	case a == nil:
		p.acts["closed"]++
	}
}

// textDifference returns the surroundings of the first difference of two texts.
func textDifference(x, y string) string {
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	around := func(s string) string { return s[max(0, n-200):min(len(s), n+200)] }
	return around(x) + "\n" + around(y)
}

// sealedSizePairs returns the sizes of the sealed views of both tables, for each viewer.
func (p *pair) sealedSizePairs(t *testing.T, one, two Step) (sizes [][2]int) {
	t.Helper()
	seals := func(s Step) (n []int) {
		ring := seal.NewRing(nil)
		all, err := ring.SealViews(s.Epoch, s.UpdatesToSeal(nil), func(h wire.Handset) string { return h.String() })
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

// actAtBoth does one random thing at both tables. It returns false when their courses part, which the rules may cause
// (engine/play checks that).
func (p *pair) actAtBoth(t *testing.T, dice *chance.Dice) bool {
	t.Helper()
	public := p.one.last().Public.View
	if len(public.Readers) > 0 && dice.Intn(3) == 0 {
		reader := public.Readers[dice.Intn(len(public.Readers))].Reader
		card := p.one.heldCard()
		if dice.Intn(3) == 0 {
			card = p.one.cards[dice.Intn(len(p.one.cards))]
		}
		if dice.Intn(4) == 0 {
			card = p.cards[dice.Intn(2)]
		}
		if slices.Contains(p.cards[:], card) {
			for _, seat := range public.Active { // the seat that presents the card has seen it
				delete(p.blind, engine.SeatViewer(seat))
			}
		}
		for e, laid := range map[*evening]string{p.one: card, p.two: p.swap.OtherCard(card)} {
			e.core().presentTags(e.clock.at, reader, tags(laid))
		}
		p.one.passTime(defaultUrnWindow)
		p.two.passTime(defaultUrnWindow)
		a, b := p.one.last().Public.Notice, p.two.last().Public.Notice
		p.alarmed = slices.Contains(p.cards[:], card) && isAlarm(a) != isAlarm(b)
		return (a == nil) == (b == nil) && (a == nil || a.Signal == b.Signal)
	}
	type choice struct {
		by engine.Viewer
		o  engine.Offer
	}
	var all []choice
	for _, u := range p.one.last().UpdatesToSeal(nil) {
		if u.View.Viewer == engine.Overseer.String() {
			continue
		}
		by, err := engine.ParseViewer(u.View.Viewer)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range engine.AllowedOffers(u.View.Offers) {
			if _, own := loopRights()[o.Act]; !own && p.game.recorded(by, o) > 0 {
				all = append(all, choice{by, o})
			}
		}
	}
	if len(all) == 0 {
		p.one.passTime(10_000_000_000)
		p.two.passTime(10_000_000_000)
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
	cmd := p.swap.SwapCommand(engine.Command{Act: c.o.Act, Args: args})
	p.one.seq[wire.FirstPhoneOf(c.by)]++
	p.two.seq[wire.FirstPhoneOf(c.by)]++
	a := p.one.send(wire.FirstPhoneOf(c.by), wire.Act{ID: "x", Seq: p.one.seq[wire.FirstPhoneOf(c.by)], Act: c.o.Act, Args: args})
	b := p.two.send(wire.FirstPhoneOf(c.by), wire.Act{ID: "x", Seq: p.two.seq[wire.FirstPhoneOf(c.by)], Act: c.o.Act, Args: cmd.Args})
	if !a.OK {
		t.Fatalf("%s was offered %s and refused", c.by, c.o.Act)
	}
	p.acts[c.o.Act]++
	return b.OK
}

// TestTwoWorldsAtTheTable: design 7.1 from the loop to the broker. Two tables play the same evening with two cards
// exchanged that a viewer has not been shown. Every byte of that viewer's updates (view, notice, signal, numbers),
// their number, their times, and the sizes of all sealed views must be the same (GEN-002, GEN-003). The audit package
// knows which viewer has been shown what.
func TestTwoWorldsAtTheTable(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		pairs, views, steps, told, acts := 0, 0, 0, 0, map[string]int{}
		for seed := range uint64(eveningCount(60, 1000)) {
			p := newPair(t, g, seed)
			if p == nil {
				continue
			}
			pairs++
			p.acts = acts
			p.playBoth(t, chance.New(seed*86028121))
			views, steps, told = views+p.views, steps+p.steps, told+p.told
		}
		t.Logf("%d worlds, %d steps, %d updates and %d messages to the house compared, acts %v", pairs, steps, views, told, acts)
		for _, act := range g.hands {
			if acts[act] == 0 {
				t.Errorf("nobody did %s", act)
			}
		}
		for _, answer := range []string{
			"done", "table.order.already", "table.order.whom", "table.order.scene", "table.count.minutes", "table.hint.spent",
		} {
			if acts["order: "+answer] == 0 {
				t.Errorf("no program was answered %s", answer)
			}
		}
		if acts["overseen"] < 100 || acts["closed"] < 100 {
			t.Errorf("the overseer saw another card in %d steps, and was not there in %d", acts["overseen"], acts["closed"])
		}
		if acts["opened"] < 1000 {
			t.Errorf("%d openings were compared", acts["opened"])
		}
		if acts["alarm at one table"] == 0 && (g.id != "huis-clos" || eveningCount(0, 1) == 1) { // there about one in 20 evenings
			t.Error("no card raised the alarm at one table alone")
		}
		if pairs < 20 || views < 1000 || told < 100 {
			t.Error("too little was compared")
		}
	})
}

// newPair returns a pair in the middle of an evening; nil where the dice found no second world, or no viewer for whom
// it would look the same.
func newPair(t *testing.T, g game, seed uint64) *pair {
	t.Helper()
	dice := chance.New(seed * 32452843)
	first := storedRandomGame(t, g, seed, 10+dice.Intn(50*g.players(seed)), g.recorded)
	book := g.book(t)
	cards := byKind(book)
	s := g.swap(cards, dice)
	p := &pair{seed: seed, game: g, book: book, audit: g.audit(cards), cards: [2]string{s.one, s.two}, swap: s.by(s.one, s.two),
		blind: map[engine.Viewer]bool{}, hashes: [2]hashNumbers{{}, {}}}
	p.blind[engine.Public], p.blind[engine.Host] = true, true
	for x := range g.players(seed) {
		p.blind[engine.SeatViewer(engine.Seat(x+1))] = true
	}
	one, two, ok := p.swappedJournals(t, first)
	if !ok || s.one == s.two {
		return nil
	}
	p.one, p.two = newEvening(t, g, one, seed), newEvening(t, g, two, seed)
	for _, e := range []*evening{p.one, p.two} {
		e.setDisplay(seed%2 == 0)
		e.core().Lights = &fakeLights{}
		if seed%4 > 0 {
			e.mustAct(engine.Host, hints.ActMost, "most", "1")
		}
		if seed%4 > 1 && !e.core().isInLobby() && !e.core().isEndKnownToPhones() {
			e.mustAct(engine.Host, countdown.ActSet, "minutes", "60")
		}
		if seed%5 > 1 && !e.core().isInLobby() && !e.core().isEndKnownToPhones() {
			e.setSecrets(yes)
			e.mustAct(engine.Host, oversight.ActUnlock)
		}
		if seed%3 == 0 {
			e.desk.asking = []engine.Viewer{engine.SeatViewer(2), engine.Host}
		}
	}
	if p.feedAudit(t); len(p.blind) == 0 {
		return nil
	}
	return p
}

// playBoth plays on at both tables as long as their courses are the same.
func (p *pair) playBoth(t *testing.T, dice *chance.Dice) {
	t.Helper()
	p.compareShown(t)
	for range 40 {
		if dice.Intn(8) == 0 { // a phone joins
			for _, e := range []*evening{p.one, p.two} {
				e.core().publishPhoneNotice(engine.NewMsg("table.phone.joined", "seat", "seat-1"))
			}
		}
		if dice.Intn(4) == 0 { // a phone is on a reader
			reader := []string{engine.ReaderUrn, engine.ReaderShow, "place-1"}[dice.Intn(3)]
			for _, e := range []*evening{p.one, p.two} {
				e.core().noticeStrayTag(reader)
			}
			p.compareShown(t)
		}
		if dice.Intn(4) == 0 { // the host has given a card another tag
			for _, e := range []*evening{p.one, p.two} {
				e.core().publish(notices{public: &wire.Notice{Msg: engine.NewMsg("table.enrol.spare"), Rule: "GEN-E08",
					Signal: signalAccepted, Reader: engine.ReaderShow}})
			}
			p.compareShown(t)
		}
		if dice.Intn(3) == 0 {
			p.orderAtBoth(t, dice)
		}
		goes := p.actAtBoth(t, dice)
		had := len(storedEvents(t, p.two.journal)) - p.fed
		was := p.fed
		kinds := p.feedAudit(t)
		if !goes || had != len(kinds) || len(p.blind) == 0 || !p.hasSameEvents(t, was) {
			return
		}
		if p.compareShown(t); p.alarmed { // the notice stays different
			p.acts["alarm at one table"]++
			return
		}
		if p.blind[engine.Public] && dice.Intn(8) == 0 {
			p.compareMinutes(t)
		}
	}
}

// compareMinutes compares the minutes of both games.
func (p *pair) compareMinutes(t *testing.T) {
	t.Helper()
	var texts []string
	for _, e := range []*evening{p.one, p.two} {
		all, err := BuildMinutes(p.book, storedEvents(t, e.journal))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, asJSON(t, all)+asJSON(t, e.core().readerAnswers.newest))
	}
	if texts[0] != texts[1] {
		t.Fatalf("seed %d: the minutes differ between two worlds that differ in %v:\n%s", p.seed, p.cards,
			textDifference(texts[0], texts[1]))
	}
}

// orderAtBoth sends both tables the same order of a program of the house, sometimes nonsense, and compares the
// answers and the journals. It ends any pause that follows.
func (p *pair) orderAtBoth(t *testing.T, dice *chance.Dice) {
	t.Helper()
	// once more than the others: the third hint is one too many
	acts := append(slices.Sorted(maps.Keys(p.one.core().orders)), wire.OrderHint)
	act := acts[dice.Intn(len(acts))]
	args := engine.Args{"to": []string{hints.ToAll, hints.ToDisplay, wire.LightWhite, wire.LightGame, "seat-1"}[dice.Intn(5)],
		"text": "N", "seconds": []string{"60", "-300", "90000"}[dice.Intn(3)], "bonus": []string{yes, ""}[dice.Intn(2)]}
	ask := func(act string) {
		t.Helper()
		a, b := p.one.core().executeOrder("flow", act, args), p.two.core().executeOrder("flow", act, args)
		key := "done"
		if a != nil {
			key = a.Why.Key
		}
		if p.acts["order: "+key]++; asJSON(t, a) != asJSON(t, b) && p.blind[engine.Public] {
			t.Fatalf("seed %d: the answer to %s differs between two worlds that differ in %v:\n%s", p.seed, act, p.cards,
				textDifference(asJSON(t, a), asJSON(t, b)))
		}
	}
	if ask(act); p.one.core().isHeld && p.two.core().isHeld {
		ask(wire.OrderResume)
	}
	one, two := storedEvents(t, p.one.journal), storedEvents(t, p.two.journal)
	for i, e := range one[p.fed:] {
		other := two[p.fed+i]
		if !isOwn(e) || e.Kind != other.Kind || string(e.Data) != string(other.Data) || e.Cause != other.Cause || len(one) != len(two) {
			t.Fatalf("on record are %s %s and %s %s", e.Kind, e.Data, other.Kind, other.Data)
		}
	}
	p.fed = len(one)
}

// hasSameEvents reports whether the second table has written the same events since, with the two cards exchanged.
// Where it has not, the dice or the rules have led to another course; whether the rules may is tested with the rules.
func (p *pair) hasSameEvents(t *testing.T, since int) bool {
	t.Helper()
	one, two := storedEvents(t, p.one.journal), storedEvents(t, p.two.journal)
	for i, e := range one[since:] {
		data, err := p.swap.SwapEvent(e.Kind, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.book.DecodeEvent(e.Kind, data)
		if err != nil {
			return false
		}
		data, err = p.book.EncodeEvent(want) // with its fields in the order of the store
		if err != nil {
			t.Fatal(err)
		}
		if other := two[since+i]; other.Kind != e.Kind || string(other.Data) != string(data) {
			return false
		}
	}
	return true
}
