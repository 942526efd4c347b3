package huisclos

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// four are the players of the acceptance scenarios: Anne, Bruno, Chloé, David;
// David is the Murderer.
const four = `
seat seat-1 Anne character-borrow innocent
seat seat-2 Bruno character-worms innocent
seat seat-3 Chloé character-peely innocent
seat seat-4 David character-lecomte murderer
`

const (
	anne, bruno, chloe, david = 1, 2, 3, 4
	host, table               = 0, -1
)

// desk plays commands against one game and fails the test on surprises.
type desk struct {
	t    *testing.T
	b    *Book
	g    engine.Game
	at   engine.Millis
	dice engine.Dice
}

// defaultBook is made once: it is immutable.
var defaultBook = sync.OnceValues(func() (engine.Rulebook, error) { return New(DefaultDeck()) })

func newBook(t testing.TB) *Book {
	t.Helper()
	b, err := defaultBook()
	if err != nil {
		t.Fatal(err)
	}
	return b.(*Book)
}

// lines turns text into the lines of a position.
func lines(text string) (out []engine.PositionLine) {
	for i, l := range strings.Split(text, "\n") {
		if w := strings.Fields(l); len(w) > 0 {
			out = append(out, engine.PositionLine{Line: i + 1, Verb: w[0], Words: w[1:]})
		}
	}
	return out
}

// posed is a game in the position of the four players and more lines.
func posed(t *testing.T, more string) *desk {
	t.Helper()
	return posedWith(t, four, more)
}

// posedWith is the same with other players.
func posedWith(t *testing.T, players, more string) *desk {
	t.Helper()
	b := newBook(t)
	evs, err := b.BuildPosition(lines(players + more))
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, b: b, g: b.NewGame(), dice: chance.New(1)}
	d.evolve(evs)
	return d
}

func (d *desk) evolve(evs []engine.Event) {
	d.t.Helper()
	d.g = d.g.Apply(evs...)
	if err := d.g.(*state).CheckInvariants(); err != nil {
		d.t.Fatal(err)
	}
}

// viewer is a seat number, host or table.
func viewer(who int) engine.Viewer {
	switch {
	case who > 0:
		return engine.SeatViewer(engine.Seat(min(who, engine.MaxSeats)))
	case who == host:
		return engine.Host
	}
	return engine.Public
}

// try plays an act with arguments as name=value.
func (d *desk) try(who int, act string, args ...string) *engine.Reject {
	d.t.Helper()
	d.at += 1000
	a := engine.Args{}
	for _, arg := range args {
		k, v, _ := strings.Cut(arg, "=")
		a[k] = v
	}
	evs, r := d.g.Decide(engine.Command{At: d.at, By: viewer(who), Act: act, Args: a}, d.dice)
	if r == nil {
		d.evolve(evs)
	}
	return r
}

// mustDo plays an act that must be accepted.
func (d *desk) mustDo(who int, act string, args ...string) *desk {
	d.t.Helper()
	if r := d.try(who, act, args...); r != nil {
		d.t.Fatalf("seat %d, %s %v: %v %s, want it accepted", who, act, args, r, r.Why.Key)
	}
	return d
}

// mustRefuse plays an act that must be refused by a rule.
func (d *desk) mustRefuse(rule string, who int, act string, args ...string) *desk {
	d.t.Helper()
	d.refusal(rule, who, act, args...)
	return d
}

// refusal does the same and returns the refusal.
func (d *desk) refusal(rule string, who int, act string, args ...string) *engine.Reject {
	d.t.Helper()
	r := d.try(who, act, args...)
	if r == nil {
		d.t.Fatalf("seat %d, %s %v: accepted, want it refused by %s", who, act, args, rule)
	}
	if r.Rule != rule {
		d.t.Errorf("seat %d, %s %v: %v %s, want it refused by %s", who, act, args, r, r.Why.Key, rule)
	}
	return r
}

// read presents cards at a reader.
func (d *desk) read(reader string, foreign int, cards ...engine.ID) *engine.Reject {
	d.t.Helper()
	d.at += 1000
	evs, r := d.g.Decide(engine.ScanCommand(d.at, reader, cards, foreign), d.dice)
	if r == nil {
		d.evolve(evs)
	}
	return r
}

func (d *desk) view(who int) engine.View { return d.g.View(viewer(who)) }

// offered is the domain of the last parameter of an offer; ok says whether the act is offered.
func (d *desk) offered(who int, act string) (domain []string, ok bool) {
	for _, o := range engine.AllowedOffers(d.view(who).Offers) {
		if o.Act == act {
			if n := len(o.Params); n > 0 {
				domain = append(domain, o.Params[n-1].Domain...)
			}
			ok = true
		}
	}
	return domain, ok
}

// mustOfferOnly expects exactly these values to be offered; without values, the act must not be offered.
func (d *desk) mustOfferOnly(who int, act string, want ...string) *desk {
	d.t.Helper()
	got, ok := d.offered(who, act)
	if !slices.Equal(got, want) || ok && len(got) == 0 && len(want) > 0 {
		d.t.Errorf("%s is offered with %v, want %v", act, got, want)
	}
	return d
}

// mustOffer and mustNotOffer expect acts to be offered or not.
func (d *desk) mustOffer(who int, acts ...string) *desk {
	d.t.Helper()
	for _, act := range acts {
		if _, ok := d.offered(who, act); !ok {
			d.t.Errorf("seat %d is not offered %s", who, act)
		}
	}
	return d
}

func (d *desk) mustNotOffer(who int, acts ...string) *desk {
	d.t.Helper()
	for _, act := range acts {
		if _, ok := d.offered(who, act); ok {
			d.t.Errorf("seat %d is offered %s", who, act)
		}
	}
	return d
}

// hand lists the cards of its hand that a seat sees.
func (d *desk) hand(who int) (ids []string) {
	for _, c := range d.view(who).Me.Hand {
		ids = append(ids, string(c.Card))
	}
	return ids
}

func (d *desk) mustHold(who int, want ...string) *desk {
	d.t.Helper()
	if got := d.hand(who); !slices.Equal(got, want) {
		d.t.Errorf("seat %d holds %v, want %v", who, got, want)
	}
	return d
}

// hasLine reports whether a viewer's log has a line with this key and these values.
func (d *desk) hasLine(who int, key string, values ...string) bool {
	for _, l := range d.view(who).Log {
		if l.Msg.Key != key {
			continue
		}
		all := true
		for _, v := range values {
			found := false
			for _, a := range l.Msg.Args.Pairs() {
				found = found || a == v
			}
			all = all && found
		}
		if all {
			return true
		}
	}
	return false
}

func (d *desk) mustHavePhase(want string) *desk {
	d.t.Helper()
	if v := d.view(table); v.Phase != want {
		d.t.Errorf("phase %s, want %s", v.Phase, want)
	}
	return d
}

// mustEnd expects that the game has ended by a rule with these winners.
func (d *desk) mustEnd(rule string, winners ...engine.Seat) {
	d.t.Helper()
	r := d.view(table).Result
	if r == nil || r.Rule != rule || !slices.Equal(r.Winners, winners) {
		d.t.Errorf("result %+v, want %s %v", r, rule, winners)
	}
}

// fillBlank puts a word for the % of a position.
func fillBlank(text, word string) string { return strings.ReplaceAll(text, "%", word) }
