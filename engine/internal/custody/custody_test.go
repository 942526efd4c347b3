package custody

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/box"
)

// plain is what a ledger should say, kept without any cleverness.
type plain struct {
	at     map[Card]Loc
	known  map[Card]map[engine.Viewer]bool
	claims map[engine.Seat]map[Card]bool
}

const cards, locs, seats = 24, 7, engine.MaxSeats

var viewers = func() (all []engine.Viewer) {
	for x := engine.Seat(1); x <= seats; x++ {
		all = append(all, engine.At(x))
	}
	return append(all, engine.Public, engine.Host, engine.Overseer)
}()

func members(aud box.Audience) map[engine.Viewer]bool {
	all := map[engine.Viewer]bool{}
	for _, v := range viewers {
		all[v] = aud.Has(v)
	}
	return all
}

// TestRandomLedger changes a ledger at random, and a plain one beside it. To repeat: set first to the seed told.
func TestRandomLedger(t *testing.T) {
	const first, games, steps = 0, 25, 60
	for seed := uint64(first); seed < first+games; seed++ {
		dice := chance.New(seed)
		l := New(cards)
		p := plain{map[Card]Loc{}, map[Card]map[engine.Viewer]bool{}, map[engine.Seat]map[Card]bool{}}
		for c := Card(1); c <= cards; c++ {
			p.known[c] = members(box.Nobody)
		}
		for range steps {
			before, was := l, fmt.Sprint(l.Truth(), *l.claims, l.known)
			change(&l, &p, dice)
			if now := fmt.Sprint(before.Truth(), *before.claims, before.known); now != was {
				t.Fatalf("seed %d: a copy has changed with the ledger", seed)
			}
			if err := compare(&l, &p); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}

// change does one thing to both.
func change(l *Ledger, p *plain, dice engine.Dice) {
	c, x := Card(1+dice.Intn(cards)), engine.Seat(1+dice.Intn(seats))
	at := Loc(dice.Intn(locs))
	if dice.Intn(2) == 0 {
		at = HandOf(x)
	}
	aud := []box.Audience{box.Nobody, box.All, box.Only(x), box.Only(x, x%seats+1)}[dice.Intn(4)]
	claims := func(x engine.Seat) map[Card]bool {
		if p.claims[x] == nil {
			p.claims[x] = map[Card]bool{}
		}
		return p.claims[x]
	}
	switch dice.Intn(9) {
	case 0:
		l.Put(c, at, aud)
		p.at[c], p.known[c] = at, members(aud)
	case 1:
		for _, d := range list(l.In(at)) {
			p.at[d], p.known[d] = Loc(1), members(aud)
		}
		l.PutAll(l.In(at), 1, aud)
	case 2:
		l.Show(Of(c), aud)
		for v, knows := range members(aud) {
			p.known[c][v] = p.known[c][v] || knows
		}
	case 3:
		l.Claim(x, c)
		claims(x)[c] = true
	case 4:
		l.Unclaim(x, c)
		delete(claims(x), c)
	case 5:
		l.Surface(c, HandOf(x))
		for y := engine.Seat(1); y <= seats; y++ {
			if y != x {
				delete(claims(y), c)
			}
		}
	case 7:
		for _, d := range list(l.In(at)) {
			if !p.known[d][engine.Public] {
				p.at[d], p.known[d] = Loc(2), members(box.Nobody)
			}
		}
		l.Forget(l.In(at), 2)
	case 8:
		for _, d := range list(l.In(HandOf(x))) {
			if !p.known[d][engine.Public] {
				claims(x)[d] = true
			}
		}
		l.Doubt(x)
	case 6:
		l.SetClaims(x, Of(c))
		p.claims[x] = map[Card]bool{c: true}
	}
}

func list(cs Set) (all []Card) {
	for ; cs != 0; cs &= cs - 1 {
		all = append(all, cs.First())
	}
	return all
}

// compare tells where both differ, for judging and for each viewer.
func compare(l *Ledger, p *plain) error {
	if err := l.Check(cards); err != nil {
		return err
	}
	truth := l.Truth()
	for at := range nowhere {
		if l.In(at) != truth[at] || l.Count(at) != truth[at].Count() {
			return fmt.Errorf("at %d lie %v, %v by the truth, %d are counted", at, list(l.In(at)), list(truth[at]), l.Count(at))
		}
	}
	for c := Card(1); c <= cards; c++ {
		if l.At(c) != p.at[c] || !truth[p.at[c]].Has(c) {
			return fmt.Errorf("card %d is at %d, not %d", c, l.At(c), p.at[c])
		}
		if l.IsOpen(c) != p.known[c][engine.Public] {
			return fmt.Errorf("card %d is open: %v", c, l.IsOpen(c))
		}
	}
	for x := engine.Seat(1); x <= seats; x++ {
		if want := l.In(HandOf(x)) | l.Claims(x); l.Held(x) != want || l.Claims(x) != l.ClaimsTo(engine.Overseer, x) || l.Claimed(x) != len(p.claims[x]) {
			return fmt.Errorf("%s holds %v, not %v", x, list(l.Held(x)), list(want))
		}
	}
	for _, v := range viewers {
		var at Map
		open := l.Seen(v, &at)
		for c := Card(1); c <= cards; c++ {
			if open.Has(c) != p.known[c][engine.Public] {
				return fmt.Errorf("card %d is open to %s: %v", c, v, open.Has(c))
			}
			for where := range nowhere {
				x, seat := v.Seat()
				if v == engine.Overseer && where > Hand {
					x, seat = engine.Seat(where-Hand), true
				}
				claimed := seat && where == HandOf(x) && p.claims[x][c]
				if want := p.known[c][v] && p.at[c] == where || claimed; at[where].Has(c) != want {
					return fmt.Errorf("%s sees card %d at %d: %v", v, c, where, !want)
				}
			}
		}
	}
	return nil
}

// TestCheck: what the deck does not have lies nowhere and is known to nobody.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Ledger)
		want  string
	}{
		{func(*Ledger) {}, ""},
		{func(l *Ledger) { l.Put(cards, nowhere, box.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.Put(cards, nowhere+1, box.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.Put(cards+1, 0, box.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.Put(0, 0, box.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.Show(Of(cards+1), box.All) }, "knows of no card"},
	} {
		l := New(cards)
		c.spoil(&l)
		err := l.Check(cards)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

// TestMask: a ledger shows nothing by printing or as JSON.
func TestMask(t *testing.T) {
	l := New(cards)
	l.Put(7, 3, box.All)
	l.Claim(2, 9)
	data, err := json.Marshal(l)
	for _, text := range []string{fmt.Sprint(l), fmt.Sprint(&l), fmt.Sprintf("%#v", l), fmt.Sprintf("%d", l)} {
		if text != box.Mask {
			t.Errorf("it prints %q", text)
		}
	}
	if err != nil || string(data) != `"`+box.Mask+`"` {
		t.Errorf("as JSON: %s, %v", data, err)
	}
}

func TestSet(t *testing.T) {
	x := Of(1, 5, MaxCard)
	if !x.Has(5) || x.Has(2) || x.Count() != 3 || x.First() != 1 || x.Less(5) != Of(1, MaxCard) || x.With(5) != x {
		t.Errorf("set %b", x)
	}
	drawn := map[Card]bool{}
	for seed := range uint64(50) {
		drawn[x.Draw(chance.New(seed))] = true
	}
	if len(drawn) != 3 || slices.ContainsFunc(list(x), func(c Card) bool { return !drawn[c] }) {
		t.Errorf("drawn by chance: %v", drawn)
	}
}
