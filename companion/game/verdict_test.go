package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
)

// accusedCards is the accusation of the first seat in these games. After a wrong one this seat may learn what is in
// the envelope (SC-094); the other viewers learn it only when an accusation is right (SC-092).
var accusedCards = [3]string{"suspect-leblanc", "weapon-corde", "room-bureau"}

// cluedoToAccuse returns a Super Cluedo of three with a display, where the first seat may accuse. The envelope
// contains the accused cards; each pair in with exchanges one of them for a card of the third seat.
func cluedoToAccuse(t *testing.T, with ...[2]string) *rig {
	t.Helper()
	book, err := cluedo.New(cluedo.DefaultDeck("super-cluedo"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, newMemory(), book)
	all := byKind(book)
	deck := slices.Concat(all["suspect"], all["weapon"], all["room"])
	deck = append(accusedCards[:], slices.DeleteFunc(deck, func(c string) bool { return slices.Contains(accusedCards[:], c) })...)
	last := []string{"suspect-chose", "weapon-poignard", "room-veranda"} // the third hand is dealt last
	deck = append(slices.DeleteFunc(deck, func(c string) bool { return slices.Contains(last, c) }), last...)
	for _, w := range with {
		i, j := slices.Index(deck, w[0]), slices.Index(deck, w[1])
		deck[i], deck[j] = deck[j], deck[i]
	}
	for x := engine.Seat(1); x <= 3; x++ {
		r.mustAct(engine.Host, "sit", "seat", x.String(), "name", numberedName("P", int(x)), "character", all["suspect"][x-1])
	}
	r.mustAct(engine.Host, "begin")
	for i, dice := range []string{"1+2", "1+3", "6+5"} { // the third seat deals
		r.mustAct(engine.SeatViewer(engine.Seat(i+1)), "roll", "dice", dice)
	}
	for _, c := range deck {
		r.core().presentTags(r.clock.at, engine.ReaderShow, tags(c))
		r.passTime(time.Second)
	}
	r.setDisplay(true)
	if v := r.last().Public.View; v.Case == nil || v.Case.Turn != 1 || v.Phase != "turn" {
		t.Fatalf("phase %s, %+v", v.Phase, v.Prompt)
	}
	return r
}

func (r *rig) accuseAsFirst() {
	r.mustAct(engine.SeatViewer(1), "accuse", "suspect", accusedCards[0], "weapon", accusedCards[1], "room", accusedCards[2])
}

// firstDifferentPage returns the first viewer whose page differs between two tables, "" if none does.
func firstDifferentPage(t *testing.T, a, b Step, but ...string) (viewer string) {
	t.Helper()
	for i, u := range a.UpdatesToSeal(nil) {
		one, other := asJSON(t, withoutHashes(u)), asJSON(t, withoutHashes(b.UpdatesToSeal(nil)[i]))
		if !slices.Contains(but, u.View.Viewer) && one != other {
			t.Log(textDifference(one, other))
			return u.View.Viewer
		}
	}
	return ""
}

// Two worlds: the same accusation is right in one and wrong in the other. While the display plays, the phones are the
// same in both worlds and as before the accusation. Each is covered as long as the display still has something to
// show.
func TestAVerdictCoversThePhones(t *testing.T) {
	right, wrong := cluedoToAccuse(t), cluedoToAccuse(t, [2]string{"suspect-leblanc", "suspect-chose"})
	if at := firstDifferentPage(t, right.last(), wrong.last(), "seat-3"); at != "" {
		t.Fatalf("%s knows before anybody accuses", at)
	}
	before := map[*rig]Step{right: right.last(), wrong: wrong.last()}
	for r := range before {
		r.accuseAsFirst()
	}
	for played := time.Duration(0); played < wire.StageMistake*time.Millisecond; played += 500 * time.Millisecond {
		for r, was := range before {
			if !isBehindDisplay(t, r.last()) {
				t.Fatalf("after %v a phone is not covered", played)
			}
			checkNotAhead(t, 0, was, r.last())
		}
		if at := firstDifferentPage(t, right.last(), wrong.last(), "seat-3"); at != "" { // it has another card in each world
			t.Fatalf("after %v %s knows", played, at)
		}
		if len(right.steps) != len(wrong.steps) {
			t.Fatalf("after %v there were %d updates, and %d", played, len(right.steps), len(wrong.steps))
		}
		right.passTime(500 * time.Millisecond)
		wrong.passTime(500 * time.Millisecond)
	}
	if isBehindDisplay(t, wrong.last()) || !isBehindDisplay(t, right.last()) {
		t.Error("a wrong one is over when the envelope has closed, a right one when its cards lie open")
	}
	right.passTime((wire.StageSolved - wire.StageMistake) * time.Millisecond)
	if isBehindDisplay(t, right.last()) || right.last().Host.View.Result == nil {
		t.Error("nobody is notified that the case is solved")
	}
}

// Two worlds: an accusation is wrong in both, by one card or by all three. Only its accuser can ever know by how
// many, and its phone does not show it before the display has played.
func TestDegreeOfAWrongAccusationIsKnownToItsAccuserAlone(t *testing.T) {
	all := [][2]string{{"suspect-leblanc", "suspect-chose"}, {"weapon-corde", "weapon-poignard"}, {"room-bureau", "room-veranda"}}
	one, three := cluedoToAccuse(t, all[:1]...), cluedoToAccuse(t, all...)
	same := func(what string, but ...string) {
		t.Helper()
		a, b := one.last(), three.last()
		if at := firstDifferentPage(t, a, b, append(but, "seat-3")...); at != "" {
			t.Errorf("%s: %s knows", what, at)
		}
		x, y := asJSON(t, withoutHashes(a.Public)), asJSON(t, withoutHashes(b.Public))
		if x != y || len(one.steps) != len(three.steps) {
			t.Errorf("%s: everybody knows: %s", what, textDifference(x, y))
		}
	}
	same("before")
	one.accuseAsFirst()
	three.accuseAsFirst()
	same("as it is judged")
	for _, r := range []*rig{one, three} {
		r.passTime(wire.StageMistake*time.Millisecond - time.Millisecond)
	}
	same("before the scene is over")
	for _, r := range []*rig{one, three} {
		r.passTime(time.Millisecond)
	}
	same("afterwards", "seat-1")
	if at := firstDifferentPage(t, one.last(), three.last(), "seat-2", "seat-3", "host"); at != "seat-1" {
		t.Error("a wrong accuser is not shown the envelope (SC-094)")
	}
	for _, u := range append(three.last().UpdatesToSeal(nil), three.last().Public) { // checks that the difference would be found
		if u.View.Viewer == "seat-1" {
			continue
		}
		log := asJSON(t, u.View.Log) + asJSON(t, u.View.Happened)
		if strings.Contains(log, "suspect-chose") || strings.Contains(log, "weapon-poignard") {
			t.Errorf("%s reads of the envelope: %s", u.View.Viewer, log)
		}
	}
}
