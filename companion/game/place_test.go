package game

import (
	"maps"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/box"
	"majordome/companion/wire"
	"majordome/engine"
)

// startCluedoTurn returns a Cluedo whose first turn has begun, with the active seat and its suspect.
func startCluedoTurn(t *testing.T) (r *rig, turn engine.Seat, who engine.ID) {
	t.Helper()
	book, err := cluedoBook()
	if err != nil {
		t.Fatal(err)
	}
	r = newRig(t, newMemory(), book)
	for i, who := range []string{"suspect-rose", "suspect-olive", "suspect-violet"} {
		r.mustAct(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", who, "character", who)
	}
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.Host, "deal")
	r.mustAct(engine.Host, "first", "seat", "seat-1")
	v := r.last().Public.View
	if v.Phase != "turn" || len(v.Active) != 1 {
		t.Fatalf("active %v, phase %s", v.Active, v.Phase)
	}
	for _, s := range v.Seats {
		if s.Seat == v.Active[0] {
			who = s.Character
		}
	}
	return r, v.Active[0], who
}

// pawnPlace returns the place of a suspect's pawn.
func (r *rig) pawnPlace(who engine.ID) engine.ID {
	for _, p := range r.last().Public.View.Case.Pawns {
		if p.Suspect == who {
			return p.At
		}
	}
	return "no pawn"
}

// A reader in a room is named by its room, however the configuration names it. A reader of a room that the game does
// not have keeps its role as its name.
func TestAReaderInAPlaceIsNamedByIt(t *testing.T) {
	r, _, _ := startCluedoTurn(t)
	c := r.core()
	for _, role := range []string{"place-salon", "place-2", "place-attic"} {
		c.readerStates[role] = ReaderOK
	}
	c.readerStates["place-2"] = ReaderLost
	c.publish(notices{})
	want := map[string]string{
		"urn":        "ok",
		"show":       "ok",
		"room-salon": "ok",
		string(r.last().Public.View.Places[1].Place): "lost",
		"place-attic": "ok",
	}
	if got := r.last().Public.Table.Readers; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A reader in a room is named by its number or its room. A pawn that rests on it moves there; a pawn that is pushed
// over it does not.
func TestAPawnComesToRest(t *testing.T) {
	for _, role := range []string{"place-salon", "place-7"} {
		r, _, who := startCluedoTurn(t)
		pawn := string(engine.PawnID(who))
		r.core().handleReading(r.clock.at, role, Reading{Tags: tags(pawn)})
		r.passTime(pawnRest - time.Millisecond)
		r.core().removeLeftTag(role, "uid-"+pawn)
		if r.passTime(time.Minute); r.pawnPlace(who) != "" {
			t.Fatalf("%s: a pawn that was pushed over it stands in %s", role, r.pawnPlace(who))
		}
		r.core().handleReading(r.clock.at, role, Reading{Tags: tags(pawn)})
		if r.passTime(pawnRest - time.Millisecond); r.pawnPlace(who) != "" {
			t.Fatalf("%s: the pawn is there before it rests", role)
		}
		mark := len(r.steps)
		if r.passTime(time.Millisecond); r.pawnPlace(who) != "room-salon" || !slices.Equal(r.signalsSince(mark), []string{signalAccepted}) {
			t.Errorf("%s: it stands in %q, answers %v", role, r.pawnPlace(who), r.signalsSince(mark))
		}
	}
}

// Pawns may share a place: those that are there already are not presented with the one that comes. While a pawn
// moves, both readers may report it for a moment.
func TestPawnsStandSideBySide(t *testing.T) {
	r, _, who := startCluedoTurn(t)
	other, pawn := "pawn-suspect-leblanc", string(engine.PawnID(who))
	r.core().handleReading(r.clock.at, "place-salon", Reading{Tags: tags(other), FoundAtStart: true})
	r.core().handleReading(r.clock.at, "place-hall", Reading{Tags: tags(pawn), FoundAtStart: true})
	r.core().handleReading(r.clock.at, "place-salon", Reading{Tags: tags(pawn), OthersPresent: true})
	r.passTime(pawnRest / 2)
	r.core().removeLeftTag("place-hall", "uid-"+pawn)
	if r.passTime(pawnRest / 2); r.pawnPlace(who) != "room-salon" {
		t.Errorf("it stands in %q", r.pawnPlace(who))
	}
}

// A reader in a place never shows which card is on it. It stores no name for a card that is no pawn, and all viewers
// get the same answer, whichever card it is and even if it is none.
func TestAPlaceReadsPawnsAlone(t *testing.T) {
	var heard []string
	for _, card := range []string{"room-patio", "weapon-corde", "time-1", "?bank"} {
		r, _, _ := startCluedoTurn(t)
		mark := len(r.steps)
		r.core().handleReading(r.clock.at, "place-salon", Reading{Tags: tags(card)})
		r.passTime(pawnRest)
		if l := r.core().tagFields.tags["place-salon"]; len(l) != 1 || l[0].Card != "" {
			t.Errorf("%s lies there as %v", card, l)
		}
		if got := r.signalsSince(mark); !slices.Equal(got, []string{signalAgain}) {
			t.Errorf("%s: %v", card, got)
		}
		heard = append(heard, comparableUpdate(t, r.last().Public)+r.last().Public.Notice.Msg.Key+r.last().Public.Notice.Rule)
	}
	if slices.Sort(heard); heard[0] != heard[len(heard)-1] {
		t.Error("the answer depends on the card")
	}
}

// GEN-E09: where pawns have tags, the check of the box expects pawns.
func TestTheBoxHasPawns(t *testing.T) {
	r, _, _ := startCluedoTurn(t)
	for _, enrolled := range [][]engine.ID{nil, {"pawn-suspect-rose"}} {
		r = newRig(t, newMemory(), r.books...)
		r.core().Enrolled = enrolled
		r.mustAct(engine.Host, box.ActCheck, "on", yes)
		presentCards(r, "place-salon", "suspect-rose")
		kinds := r.last().Host.Box.Kinds
		has := slices.ContainsFunc(kinds, func(k wire.KindCount) bool { return k.Kind == "pawn" && k.Of == 6 })
		if has != (enrolled != nil) || kinds[0].Seen != 1 {
			t.Errorf("with %v: %+v", enrolled, kinds)
		}
	}
}

// A reader in a place that the game does not have waits for no card, but the check of the box counts cards at any
// reader.
func TestAReaderOfNoPlace(t *testing.T) {
	r, _, who := startCluedoTurn(t)
	mark, stood := len(r.steps), r.pawnPlace(who)
	r.core().handleReading(r.clock.at, "place-cave", Reading{Tags: tags(string(engine.PawnID(who)))})
	if r.passTime(pawnRest); r.pawnPlace(who) != stood || len(r.signalsSince(mark)) > 0 {
		t.Errorf("it stands in %q, answers %v", r.pawnPlace(who), r.signalsSince(mark))
	}
	book, err := cluedoBook()
	if err != nil {
		t.Fatal(err)
	}
	r = newRig(t, newMemory(), book)
	r.mustAct(engine.Host, box.ActCheck, "on", yes)
	for _, card := range []string{"room-patio", "pawn-suspect-rose"} {
		r.core().handleReading(r.clock.at, "place-salon", Reading{Tags: tags(card)})
		is, seen := r.last().Host.Box, 0
		for _, k := range is.Kinds {
			seen += k.Seen
		}
		if is.Last != engine.ID(card) || slices.Contains(is.Missing, engine.ID(card)) || is.Foreign > 0 || seen != 1 { // pawns need no tag
			t.Errorf("seen: %+v", is)
		}
	}
}
