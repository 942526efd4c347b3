package custody

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/hidden"
)

// plain is a simple model of a ledger, to compare with.
type plain struct {
	at     map[Card]Location
	known  map[Card]map[engine.Viewer]bool
	claims map[engine.Seat]map[Card]bool
}

const cards, locs, seats = 24, 7, engine.MaxSeats

var viewers = func() (all []engine.Viewer) {
	for x := engine.Seat(1); x <= seats; x++ {
		all = append(all, engine.SeatViewer(x))
	}
	return append(all, engine.Public, engine.Host, engine.Overseer)
}()

func members(aud hidden.Audience) map[engine.Viewer]bool {
	all := map[engine.Viewer]bool{}
	for _, v := range viewers {
		all[v] = aud.Contains(v)
	}
	return all
}

// TestRandomLedger makes random changes to a ledger and to a plain one. To repeat a failure, set first to the seed in its message.
func TestRandomLedger(t *testing.T) {
	const first, games, steps = 0, 25, 60
	for seed := uint64(first); seed < first+games; seed++ {
		dice := chance.New(seed)
		l := New(cards)
		p := plain{map[Card]Location{}, map[Card]map[engine.Viewer]bool{}, map[engine.Seat]map[Card]bool{}}
		for c := Card(1); c <= cards; c++ {
			p.known[c] = members(hidden.Nobody)
		}
		for range steps {
			before, was := l, fmt.Sprint(l.AllByLocation(), *l.claims, l.audiences)
			changeBoth(&l, &p, dice)
			if now := fmt.Sprint(before.AllByLocation(), *before.claims, before.audiences); now != was {
				t.Fatalf("seed %d: a copy has changed with the ledger", seed)
			}
			if err := compare(&l, &p); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}

// changeBoth makes the same random change to both.
func changeBoth(l *Ledger, p *plain, dice engine.Dice) {
	c, x := Card(1+dice.Intn(cards)), engine.Seat(1+dice.Intn(seats))
	at := Location(dice.Intn(locs))
	if dice.Intn(2) == 0 {
		at = HandOf(x)
	}
	aud := []hidden.Audience{hidden.Nobody, hidden.Everyone, hidden.OnlySeats(x), hidden.OnlySeats(x, x%seats+1)}[dice.Intn(4)]
	claims := func(x engine.Seat) map[Card]bool {
		if p.claims[x] == nil {
			p.claims[x] = map[Card]bool{}
		}
		return p.claims[x]
	}
	switch dice.Intn(9) {
	case 0:
		l.RecordCard(c, at, aud)
		p.at[c], p.known[c] = at, members(aud)
	case 1:
		for _, d := range list(l.CardsAt(at)) {
			p.at[d], p.known[d] = Location(1), members(aud)
		}
		l.RecordCards(l.CardsAt(at), 1, aud)
	case 2:
		l.AddAudience(NewSet(c), aud)
		for v, knows := range members(aud) {
			p.known[c][v] = p.known[c][v] || knows
		}
	case 3:
		l.AddClaim(x, c)
		claims(x)[c] = true
	case 4:
		l.RemoveClaim(x, c)
		delete(claims(x), c)
	case 5:
		l.RemoveClaimsExceptFrom(c, HandOf(x))
		for y := engine.Seat(1); y <= seats; y++ {
			if y != x {
				delete(claims(y), c)
			}
		}
	case 7:
		for _, d := range list(l.CardsAt(at)) {
			if !p.known[d][engine.Public] {
				p.at[d], p.known[d] = Location(2), members(hidden.Nobody)
			}
		}
		l.RecordHiddenUnlessOpen(l.CardsAt(at), 2)
	case 8:
		for _, d := range list(l.CardsAt(HandOf(x))) {
			if !p.known[d][engine.Public] {
				claims(x)[d] = true
			}
		}
		l.ClaimRecordedHand(x)
	case 6:
		l.SetClaims(x, NewSet(c))
		p.claims[x] = map[Card]bool{c: true}
	}
}

func list(cs Set) (all []Card) {
	for ; cs != 0; cs &= cs - 1 {
		all = append(all, cs.First())
	}
	return all
}

// compare returns an error where both differ, for judging and for each viewer.
func compare(l *Ledger, p *plain) error {
	if err := l.Check(cards); err != nil {
		return err
	}
	truth := l.AllByLocation()
	for at := range nowhere {
		if l.CardsAt(at) != truth[at] || l.CountAt(at) != truth[at].Count() {
			return fmt.Errorf("at %d lie %v, %v by the truth, %d are counted", at, list(l.CardsAt(at)), list(truth[at]), l.CountAt(at))
		}
	}
	for c := Card(1); c <= cards; c++ {
		if l.LocationOf(c) != p.at[c] || !truth[p.at[c]].Contains(c) {
			return fmt.Errorf("card %d is at %d, not %d", c, l.LocationOf(c), p.at[c])
		}
		if l.IsLocationPublic(c) != p.known[c][engine.Public] {
			return fmt.Errorf("card %d is open: %v", c, l.IsLocationPublic(c))
		}
	}
	for x := engine.Seat(1); x <= seats; x++ {
		want := l.CardsAt(HandOf(x)) | l.ClaimsOf(x)
		if l.RecordedOrClaimed(x) != want || l.ClaimsOf(x) != l.ClaimsVisibleTo(engine.Overseer, x) || l.ClaimCount(x) != len(p.claims[x]) {
			return fmt.Errorf("%s holds %v, not %v", x, list(l.RecordedOrClaimed(x)), list(want))
		}
	}
	for _, v := range viewers {
		var at CardsByLocation
		open := l.AddCardsVisibleTo(v, &at)
		for c := Card(1); c <= cards; c++ {
			if open.Contains(c) != p.known[c][engine.Public] {
				return fmt.Errorf("card %d is open to %s: %v", c, v, open.Contains(c))
			}
			for where := range nowhere {
				x, seat := v.Seat()
				if v == engine.Overseer && where > HandBase {
					x, seat = engine.Seat(where-HandBase), true
				}
				claimed := seat && where == HandOf(x) && p.claims[x][c]
				if want := p.known[c][v] && p.at[c] == where || claimed; at[where].Contains(c) != want {
					return fmt.Errorf("%s sees card %d at %d: %v", v, c, where, !want)
				}
			}
		}
	}
	return nil
}

// TestCheck: a card that the deck does not have is in no place and known to no viewer.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Ledger)
		want  string
	}{
		{func(*Ledger) {}, ""},
		{func(l *Ledger) { l.RecordCard(cards, nowhere, hidden.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.RecordCard(cards, nowhere+1, hidden.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.RecordCard(cards+1, 0, hidden.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.RecordCard(0, 0, hidden.Nobody) }, "nowhere"},
		{func(l *Ledger) { l.AddAudience(NewSet(cards+1), hidden.Everyone) }, "knows of no card"},
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
	l.RecordCard(7, 3, hidden.Everyone)
	l.AddClaim(2, 9)
	data, err := json.Marshal(l)
	for _, text := range []string{fmt.Sprint(l), fmt.Sprint(&l), fmt.Sprintf("%#v", l), fmt.Sprintf("%d", l)} {
		if text != hidden.Mask {
			t.Errorf("it prints %q", text)
		}
	}
	if err != nil || string(data) != `"`+hidden.Mask+`"` {
		t.Errorf("as JSON: %s, %v", data, err)
	}
}

func TestSetOperations(t *testing.T) {
	x := NewSet(1, 5, MaxCard)
	if !x.Contains(5) || x.Contains(2) || x.Count() != 3 || x.First() != 1 || x.WithoutCard(5) != NewSet(1, MaxCard) || x.WithCard(5) != x {
		t.Errorf("set %b", x)
	}
	drawn := map[Card]bool{}
	for seed := range uint64(50) {
		drawn[x.DrawRandom(chance.New(seed))] = true
	}
	if len(drawn) != 3 || slices.ContainsFunc(list(x), func(c Card) bool { return !drawn[c] }) {
		t.Errorf("drawn by chance: %v", drawn)
	}
}
