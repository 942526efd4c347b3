package huisclos

import (
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// sightingOf is a seat's last sighting of a clue.
func (d *desk) sightingOf(who int, clue engine.ID) (s engine.Sighting, ok bool) {
	for _, s := range d.view(who).Me.Seen {
		if slices.Contains(s.Cards, clue) {
			return *s, true
		}
	}
	return s, false
}

// TestSightings: each seat sees its own newest sighting of each clue, except of clues that are in its hand, open or gone.
func TestSightings(t *testing.T) {
	d := posed(t, `
round 3
pawn seat-1 place-4
pawn seat-2 place-salon
pawn seat-3 place-salon
pawn seat-4 place-5
hand seat-1 clue-worms-1 clue-worms-2 weapon-6
hand seat-2 clue-lecomte-1
hand seat-3 clue-lecomte-2
hand seat-4 clue-georges-1
place place-3 clue-borrow-1 clue-borrow-2 clue-borrow-3
fill place-salon 2
fill place-4 2
`)
	want := func(who int, clue engine.ID, how string, place engine.ID, other engine.Seat) {
		t.Helper()
		s, ok := d.sightingOf(who, clue)
		if how == "" && !ok {
			return
		}
		if !ok || s.How != how || s.Place != place || s.Other != other || s.Round != 3 {
			t.Errorf("seat %d remembers %s as %+v, want %s %s %d", who, clue, s, how, place, other)
		}
	}
	d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "exchange", "seat=seat-2").mustDo(chloe, "observe").waitWindow()
	d.mustDo(anne, "draw").mustDo(anne, "give", "card=clue-worms-2")
	want(anne, "clue-lecomte-1", "", "", 0) // in her hand
	want(bruno, "clue-lecomte-1", engine.SawDrawn, "", anne)
	want(chloe, "clue-lecomte-1", engine.SawTaken, "place-salon", anne)
	want(david, "clue-lecomte-1", "", "", 0)
	want(anne, "clue-worms-2", engine.SawGiven, "", bruno)
	want(chloe, "clue-worms-2", "", "", 0) // HC-115
	d.mustDo(bruno, "move", "place=place-3").mustDo(bruno, "search")
	want(bruno, "clue-borrow-2", engine.SawThere, "place-3", 0)
	d.mustDo(bruno, "take", "card=clue-borrow-1").mustDo(bruno, "done")
	want(bruno, "clue-borrow-1", "", "", 0)
	want(bruno, "clue-borrow-2", engine.SawThere, "place-3", 0)
	d.mustDo(chloe, "move", "place=place-3").mustDo(chloe, "search").waitWindow().mustDo(chloe, "take", "card=clue-borrow-2").
		mustDo(chloe, "destroy", "card=clue-borrow-2")
	want(bruno, "clue-borrow-2", "", "", 0) // out of the game
	d.mustDo(david, "move", "place=place-4").mustDo(david, "search")
	take, _ := d.offered(david, "take")
	d.mustDo(david, "take", "card="+take[0]).mustDo(david, "done").mustHavePhase("deposit")
	d.mustDo(anne, "deposit", "card=weapon-6")
	want(anne, "weapon-6", engine.SawUrn, "", 0)
	d.mustDo(bruno, "deposit", "card=clue-borrow-1").mustDo(chloe, "deposit", "card=clue-lecomte-2").
		mustDo(david, "deposit", "card=clue-georges-1")
	d.mustDo(anne, "open")
	want(anne, "weapon-6", "", "", 0) // it is open
	d.mustDo(anne, "recover", "card=clue-georges-1").mustDo(bruno, "recover", "card=weapon-6")
	want(anne, "weapon-6", engine.SawShown, "", bruno)
	want(david, "weapon-6", engine.SawShown, "", bruno)
	want(bruno, "weapon-6", "", "", 0)
	for who := anne; who <= david; who++ {
		seen := d.view(who).Me.Seen
		known := map[engine.ID]bool{}
		for _, s := range seen {
			for _, c := range s.Cards {
				if known[c] {
					t.Errorf("seat %d remembers %s twice", who, c)
				}
				known[c] = true
			}
		}
	}
}

// TestTheDead: a dead player keeps reading (HC-A32): 40 lines, from the older ones those that make up the story of the evening, and where
// its own hand was put.
func TestTheDead(t *testing.T) {
	d := posed(t, `
phase deposit
round 2
pawn seat-1 place-4
pawn seat-2 place-salon
pawn seat-3 place-3
pawn seat-4 place-5
hand seat-1 clue-worms-1
hand seat-2 clue-lecomte-1 clue-lecomte-3
hand seat-3 clue-lecomte-2
hand seat-4 weapon-tisonnier
fill place-4 5
fill place-5 5
`)
	say := func(key string, n int) {
		for range n {
			st := *d.g.(*state)
			st.log = st.log.AddLine(int(st.round), engine.NewMsg(key, "seat", "seat-1", "place", "place-3"))
			d.g = &st
		}
	}
	say("hc.log.closed", 3)
	say("hc.log.no-action", 200)
	say("hc.log.accused", 30)
	say("hc.log.no-action", 60)
	d.mustDo(anne, "deposit", "card=clue-worms-1").mustDo(bruno, "deposit", "card=clue-lecomte-1")
	d.mustDo(chloe, "deposit", "card=clue-lecomte-2").mustDo(david, "deposit", "card=weapon-tisonnier").mustDo(anne, "open")
	story := d.view(bruno).Log
	if len(story) != seatLines || story[0].Msg.Key != "hc.log.accused" || !d.hasLine(bruno, "hc.log.died", "seat-2") {
		t.Errorf("the dead read %+v", story)
	}
	if living := d.view(anne).Log; len(living) != seatLines || len(d.view(table).Log) != logLines || len(d.view(host).Log) != logLines {
		t.Errorf("the living read %d lines, all %d and the host %d", len(living), len(d.view(table).Log), len(d.view(host).Log))
	}
	if s, ok := d.sightingOf(bruno, "clue-lecomte-3"); !ok || s.How != engine.SawLeft || s.Place != "place-salon" {
		t.Errorf("the dead remember of their hand %+v", s)
	}
	if _, ok := d.sightingOf(anne, "clue-lecomte-3"); ok {
		t.Error("Anne remembers a clue that she never saw")
	}
}

// TestMood: every viewer has the mood of the Confrontation.
func TestMood(t *testing.T) {
	d := posed(t, "round 5\ndead seat-2 seat-3\nfill place-4 3\nfill place-5 3")
	for _, who := range []int{table, host, anne, bruno} {
		if m := d.view(who).Mood; m != engine.MoodDuel {
			t.Errorf("viewer %d feels %q", who, m)
		}
	}
	if m := posed(t, "fill place-4 3").view(table).Mood; m != "" {
		t.Errorf("an ordinary round feels %q", m)
	}
}

// TestHostRecoversByPublicFacts: a seat that is publicly known to be innocent is bound like one that could be. The host does not see
// whether it holds a weapon.
func TestHostRecoversByPublicFacts(t *testing.T) {
	d := posed(t, `
phase recovery
hand seat-1 clue-borrow-1
urn seat-1 weapon-5
urn seat-2 clue-worms-2
urn seat-3 clue-worms-3
urn seat-4 clue-worms-4
`)
	s := *d.g.(*state)
	s.roles[anne] = s.roles[anne].WithAudience(hidden.Everyone)
	d.g = &s
	d.mustOfferOnly(host, "recover", "clue-worms-2", "clue-worms-3", "clue-worms-4").mustRefuse("HC-137", host, "recover", "card=weapon-5")
	d.mustOfferOnly(anne, "recover", "weapon-5", "clue-worms-2", "clue-worms-3", "clue-worms-4")
}

// GEN-021: no sighting is recorded of a clue that is kept and not named.
func TestWhatIsNotNamedIsNotRemembered(t *testing.T) {
	d := posed(t, "phase pick\nunknown place place-suite-bleue 9").mustDo(anne, "keep", "card=unnamed")
	if seen := d.view(anne).Me.Seen; len(seen) != 0 {
		t.Errorf("Anne remembers %+v", seen)
	}
}
