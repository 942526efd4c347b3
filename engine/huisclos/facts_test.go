package huisclos

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// TestFactsOfTheMoment: HC-045, the phone of an Innocent with too many weapons states the rule that limits the present choice, and no other
// phone does (HC-043, HC-087, HC-180, HC-181). In the Confrontation both play by the Murderer's limits (HC-201), and no phone shows the
// limits of two roles.
func TestFactsOfTheMoment(t *testing.T) {
	start := "round 3\n" + meeting
	search := func(d *desk, c string) {
		d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "search").waitWindow().mustDo(anne, "take", "card="+c)
	}
	duel := "round 6\ndead seat-2 seat-3\npawn seat-1 place-3\npawn seat-4 place-4\nfill place-salon 3\n"
	for _, c := range []struct {
		name, lines string
		before      func(*desk)
		want        []string
	}{
		{"one weapon", start + "hand seat-1 weapon-corde", nil, []string{"hc.fact.one-weapon"}},
		{"before the move", start + "hand seat-1 weapon-corde weapon-3", nil, []string{"hc.fact.excess"}},
		{"a weapon taken with a full hand", "place place-salon weapon-4\n" + start + "hand seat-1 weapon-corde clue-worms-1 clue-worms-2",
			func(d *desk) { search(d, "weapon-4") }, []string{"hc.fact.leave-weapon"}},
		{"a weapon taken for want of anything else", "place place-salon weapon-4 weapon-5 weapon-6\n" + start + "hand seat-1 weapon-corde",
			func(d *desk) { search(d, "weapon-4") }, []string{"hc.fact.excess-urn"}},
		{"the swap of HC-181", "place place-salon clue-worms-3\n" + start + "hand seat-1 weapon-corde weapon-3",
			func(d *desk) { search(d, "clue-worms-3") }, []string{"hc.fact.leave-weapon"}},
		{"a weapon drawn", start + "hand seat-1 weapon-corde clue-worms-1 clue-worms-2\nhand seat-2 weapon-3",
			func(d *desk) {
				d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "exchange", "seat=seat-2").waitWindow().mustDo(anne, "draw")
			}, []string{"hc.fact.give-weapon"}},
		{"at the urn", "phase deposit\n" + start + "hand seat-1 weapon-5 weapon-6", nil, []string{"hc.fact.excess-urn"}},
		{"two weapons in the Confrontation", duel + "hand seat-1 weapon-5 weapon-6", nil, []string{"hc.fact.duel"}},
		{"an unknown hand in the Confrontation", duel + "unknown role seat-1\nunknown hand seat-1 2", nil, []string{"hc.fact.duel"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := posed(t, c.lines)
			if c.before != nil {
				c.before(d)
			}
			said := func(who int) (keys []string) {
				for _, f := range d.view(who).Me.Facts {
					keys = append(keys, f.Key)
				}
				return keys
			}
			if got := said(anne); !slices.Equal(got, c.want) {
				t.Errorf("Anne reads %v, want %v", got, c.want)
			}
			for _, who := range []int{bruno, chloe} {
				if got := said(who); slices.ContainsFunc(got, func(k string) bool { return k != "hc.fact.one-weapon" }) {
					t.Errorf("seat %d reads %v", who, got)
				}
			}
		})
	}
}

// TestAnUnknownHandBetraysNoRole: where the machine knows a role but not the hand, the phone of the Murderer says and offers the same as an
// Innocent's (rules, 4.1; HC-045). The only difference is the weapon that no Murderer may deposit (HC-123), and that is in a covered list.
func TestAnUnknownHandBetraysNoRole(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		n           string
		acts        [][]string // played by the seat first
	}{
		{"before the move", "phase investigation\n", "3", nil},
		{"a clue taken", "phase investigation\n", "1", [][]string{{"move", "place=place-3"}, {"search"}, {"take", "card=unnamed"}}},
		{"two clues and one taken", "phase investigation\n", "2",
			[][]string{{"move", "place=place-3"}, {"search"}, {"take", "card=unnamed"}}},
		{"three clues and one taken", "phase investigation\n", "3",
			[][]string{{"move", "place=place-3"}, {"search"}, {"take", "card=unnamed"}}},
		{"to give", "phase investigation\npawn seat-3 place-3\n", "3",
			[][]string{{"move", "place=place-3"}, {"exchange", "seat=seat-3"}, {"draw"}}},
		{"the only clue to deposit", "phase deposit\n", "1", nil},
		{"two clues to deposit", "phase deposit\n", "2", nil},
		{"three to deposit", "phase deposit\n", "3", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The same seat and place, once as an Innocent and once as the Murderer.
			var told [2]engine.View
			var glance [2][]string
			for i, roles := range []string{"innocent murderer", "murderer innocent"} {
				mine, his, _ := strings.Cut(roles, " ")
				four := "seat seat-1 Anne character-borrow " + mine + "\nseat seat-2 Bruno character-worms innocent\n" +
					"seat seat-3 Chloé character-peely innocent\nseat seat-4 David character-lecomte " + his + "\n"
				d := posedWith(t, four, "round 3\n"+c.lines+"pawn seat-1 place-5\npawn seat-2 place-4\npawn seat-4 place-6\n"+
					"unknown hand seat-1 "+c.n+
					"\nunknown hand seat-2 1\nunknown hand seat-3 1\nunknown hand seat-4 1\nunknown place place-3 5\n")
				for _, a := range c.acts {
					if a[0] == "draw" { // Chloé may observe
						d.waitWindow()
					}
					d.mustDo(anne, a[0], a[1:]...)
				}
				told[i] = d.view(anne)
				told[i].Me.Role = ""
				glance[i] = engine.BystanderOfferLines(told[i])
				for j, o := range told[i].Offers {
					if o.Act == "deposit" && len(o.Params) == 1 {
						p := &told[i].Offers[j].Params[0]
						p.Domain, p.All, p.No = slices.DeleteFunc(slices.Clone(o.Params[0].Domain), func(id string) bool {
							return id == "weapon-5"
						}), nil, nil
					}
				}
			}
			if a, b := bytesOf(t, told[0]), bytesOf(t, told[1]); !bytes.Equal(a, b) {
				t.Errorf("as an Innocent\n%s\nas the Murderer\n%s", a, b)
			}
			if !slices.Equal(glance[0], glance[1]) {
				t.Errorf("at a glance, as an Innocent\n%s\nas the Murderer\n%s", glance[0], glance[1])
			}
		})
	}
}
