package huisclos

import (
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// TestAPhonesLayoutRevealsNoHand: the keys, the places and the number of covered cards are the same for every hand and
// role of Anne; only she sees which acts she may not do (GEN-002, HC-045). Each case is played with two hands that look
// the same to the table.
func TestAPhonesLayoutRevealsNoHand(t *testing.T) {
	here := "pawn seat-1 place-salon\npawn seat-2 place-salon\npawn seat-3 place-4\npawn seat-4 place-5\n"
	from := "pawn seat-1 place-7\npawn seat-2 place-salon\npawn seat-3 place-4\npawn seat-4 place-5\n"
	others := "hand seat-2 clue-lecomte-1\nhand seat-3 clue-lecomte-2\nhand seat-4 clue-lecomte-3\n" +
		"place place-3 clue-peely-1 clue-peely-3\n"
	nowhere := "closed place-suite-bleue place-3 place-4 place-5 place-6 place-7\n" +
		"pawn seat-1 place-salon\npawn seat-2 place-salon\npawn seat-3 place-salon\npawn seat-4 place-salon\nfirst seat-1\n"
	murderer := strings.NewReplacer("borrow innocent", "borrow murderer", "lecomte murderer", "lecomte innocent").Replace(four)
	for _, c := range []struct {
		name, lines string
		roles       [2]string
		hands       [2]string // of Anne
		acts        [][]string
		want        string // a line of the glance
		rule        string // by it more is refused in one of the two worlds
	}{
		{"whom she could accuse (HC-091)", "round 5\n" + from + others + "fill place-salon 2\n", [2]string{four, four},
			[2]string{"clue-worms-1 clue-georges-1", "clue-georges-2 clue-georges-1"}, [][]string{{"move", "place=place-salon"}},
			"accuse grave=true aside=false seat=seat-2 card: 2", "HC-091"},
		{"nothing but an accusation (HC-054)", "round 5\n" + nowhere, [2]string{four, four},
			[2]string{"clue-worms-1 clue-georges-1", "clue-georges-2 clue-georges-1"}, nil, "pass grave=false aside=false", "HC-051"},
		{"where she is of use (HC-052, HC-181)", "round 5\n" + from + others, [2]string{four, four},
			[2]string{"clue-worms-1 clue-georges-1 weapon-corde", "weapon-4 clue-georges-1 weapon-corde"}, nil,
			"move grave=false aside=false place=place-suite-bleue,place-salon,place-3,place-4,place-5,place-6", "HC-181"},
		{"a swap that she owes before an exchange (HC-188)", "round 5\n" + from + others + "fill place-salon 4\n", [2]string{four, four},
			[2]string{"clue-georges-1 clue-georges-2 weapon-corde", "weapon-4 clue-georges-1 weapon-corde"},
			[][]string{{"move", "place=place-salon"}}, "exchange grave=false aside=false seat=seat-2", "HC-188"},
		{"a weapon that she must leave (HC-181)", "round 5\n" + from + others +
			"place place-salon clue-eddington-1 clue-eddington-2 clue-eddington-3\n", [2]string{four, murderer},
			[2]string{"weapon-4 weapon-corde", "weapon-4 weapon-corde"},
			[][]string{{"move", "place=place-salon"}, {"search"}, {"wait"}, {"take", "card=clue-eddington-1"}},
			"done grave=false aside=false", "HC-181"},
		{"a clue of her own (HC-074)",
			"round 5\n" + from + others + "place place-salon clue-eddington-1 clue-eddington-2 clue-eddington-3\n", [2]string{four, four},
			[2]string{"clue-borrow-1 clue-georges-1", "clue-georges-2 clue-georges-1"},
			[][]string{{"move", "place=place-salon"}, {"search"}, {"wait"}, {"take", "card=clue-eddington-1"}},
			"destroy grave=true aside=false card: 3", "HC-074"},
		{"the weapon of her place (HC-123)", "phase deposit\nround 3\n" + here, [2]string{murderer, murderer},
			[2]string{"weapon-tisonnier clue-georges-1", "weapon-corde clue-georges-1"}, nil,
			"deposit grave=true aside=false card: 2", "HC-123"},
		{"a second weapon out of the urn (HC-137): what lies open is said aloud",
			"phase reveal\nround 2\nurn seat-1 weapon-7\nurn seat-2 clue-lecomte-1\nurn seat-3 clue-lecomte-2\nurn seat-4 clue-lecomte-3\n",
			[2]string{four, four}, [2]string{"weapon-4", "clue-georges-1"}, [][]string{{"open"}},
			"recover grave=false aside=false card=weapon-7,clue-lecomte-1,clue-lecomte-2,clue-lecomte-3", "HC-137"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var views [2]engine.View
			var table [2][]byte
			for i := range views {
				d := posedWith(t, c.roles[i], c.lines+"hand seat-1 "+c.hands[i]+"\n")
				for _, a := range c.acts {
					if a[0] == "wait" { // Bruno may observe
						d.waitWindow()
						continue
					}
					d.mustDo(anne, a[0], a[1:]...)
				}
				views[i], table[i] = d.view(anne), bytesOf(t, d.view(-1))
			}
			one, two := engine.BystanderOfferLines(views[0]), engine.BystanderOfferLines(views[1])
			if string(table[0]) != string(table[1]) {
				t.Fatalf("the table itself can tell\n%s\n%s", table[0], table[1])
			}
			if !slices.Equal(one, two) || !slices.Contains(one, c.want) {
				t.Errorf("at a glance\n%s\nand\n%s\nwant %s", strings.Join(one, "\n"), strings.Join(two, "\n"), c.want)
			}
			if a, b := countRefusable(views[0], c.rule), countRefusable(views[1], c.rule); a == b {
				t.Errorf("%d marks by %s in both", a, c.rule)
			}
		})
	}
}

// countRefusable counts the shown values that a rule would refuse.
func countRefusable(v engine.View, rule string) (n int) {
	for _, o := range v.Offers {
		if o.No != nil && o.No.Rule == rule {
			n++
		}
		for _, p := range o.Params {
			for _, no := range p.No {
				if no.Rule == rule {
					n += len(no.At)
				}
			}
		}
	}
	return n
}
