package huisclos

import "testing"

// TestEachRefusalItsRule tries acts that several rules can forbid. Each refusal cites the rule that forbids it here and has words of its
// own, which say what would be allowed instead.
func TestEachRefusalItsRule(t *testing.T) {
	hands := "hand seat-1 clue-lecomte-1 clue-worms-1\nhand seat-2 clue-borrow-1\nhand seat-3 clue-borrow-2\nhand seat-4 clue-worms-2\n"
	mourning := "hand seat-1 clue-lecomte-1 clue-worms-1\nhand seat-2 clue-borrow-1\nhand seat-4 clue-worms-2\n"
	search := func(d *desk) *desk { return d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "search") }
	urn := "urn seat-1 clue-worms-3\nurn seat-2 clue-worms-4\nurn seat-3 clue-peely-1\nurn seat-4 clue-peely-2\n"
	for _, c := range []struct {
		name, lines string
		before      func(*desk) *desk
		who         int
		act         string
		args        []string
		rule, key   string
		open        bool // the table hears the reason
	}{
		{"accuse too early", "round 4\n" + meeting + hands, func(d *desk) *desk { return d.mustDo(anne, "move", "place=place-4") },
			anne, "accuse", []string{"seat=seat-4", "card=clue-lecomte-1"}, "HC-090", "hc.no.accuse-round", true},
		{"accuse in the Confrontation", "round 6\ndead seat-2 seat-3\n" + meeting + "hand seat-1 clue-lecomte-1\nhand seat-4 clue-worms-1",
			func(d *desk) *desk { return d.mustDo(anne, "move", "place=place-4") },
			anne, "accuse", []string{"seat=seat-4", "card=clue-lecomte-1"}, "HC-202", "hc.no.accuse-duel", true},
		{"accuse the dead", "round 5\ndead seat-3\n" + meeting + mourning,
			func(d *desk) *desk { return d.mustDo(anne, "move", "place=place-salon") },
			anne, "accuse", []string{"seat=seat-3", "card=clue-worms-1"}, "HC-101", "hc.no.empty-seat", true},
		{"exchange with the dead", "round 3\ndead seat-3\n" + meeting + mourning,
			func(d *desk) *desk { return d.mustDo(anne, "move", "place=place-salon") },
			anne, "exchange", []string{"seat=seat-3"}, "HC-082", "hc.no.empty-seat", true},

		{"observe out of the phase", "round 2\nphase deposit\n" + meeting + hands, nil, bruno, "observe", nil, "HC-110",
			"hc.no.observe-phase", true},
		{"observe in the Confrontation", "round 6\ndead seat-2 seat-3\n" + meeting + "hand seat-1 clue-lecomte-1\nhand seat-4 clue-worms-1",
			func(d *desk) *desk { return d.mustDo(anne, "move", "place=place-4").mustDo(anne, "search") }, david, "observe", nil, "HC-204",
			"hc.no.observe-duel", true},
		{"observe oneself", "round 2\n" + meeting + hands, search, anne, "observe", nil, "HC-110", "hc.no.observe-self", true},
		{"observe before the announcement", "round 2\n" + meeting + hands, func(d *desk) *desk {
			return d.mustDo(anne, "move", "place=place-salon")
		}, bruno, "observe", nil, "HC-116", "hc.no.observe-early", true},
		{"observe from elsewhere", "round 2\n" + meeting + hands, search, david, "observe", nil, "HC-111", "hc.no.observe-place", true},
		{"observe twice", "round 2\n" + meeting + hands, func(d *desk) *desk { return search(d).mustDo(bruno, "observe") }, bruno,
			"observe", nil, "HC-110", "hc.no.observe-used", true},
		{"the host, for a seat that has observed", "round 2\n" + meeting + hands, func(d *desk) *desk {
			return search(d).mustDo(bruno, "observe")
		}, host, "observe", []string{"seat=seat-2"}, "HC-110", "hc.no.observe-used", true},
		{"observe after the taking", "round 2\n" + meeting + hands, func(d *desk) *desk {
			d = search(d).waitWindow()
			take, _ := d.offered(anne, "take")
			return d.mustDo(anne, "take", "card="+take[0])
		}, bruno, "observe", nil, "HC-112", "hc.no.observe-late", true},

		{"the dead observe", "round 2\ndead seat-3\n" + meeting + mourning, search, chloe, "observe", nil, "HC-138", "hc.no.dead", true},
		{"the dead investigate", "round 2\ndead seat-3\n" + meeting + mourning, nil, chloe, "move", []string{"place=place-4"}, "HC-138",
			"hc.no.dead", true},
		{"the dead name a clue", "round 2\ndead seat-3\n" + meeting + mourning, nil, chloe, "hold", []string{"card=clue-peely-1"}, "HC-138",
			"hc.no.dead", false},
		{"the dead offer a draw", "round 2\ndead seat-3\n" + meeting + mourning, nil, chloe, "offer-draw", nil, "HC-138",
			"hc.no.dead", false},

		{"not your turn: role", "phase roles\n", nil, bruno, "role", []string{"value=innocent"}, "HC-005", "hc.no.not-your-turn", true},
		{"not your turn: pick", "phase pick\nfill place-suite-bleue 9", nil, bruno, "keep", []string{"card=weapon-corde"}, "HC-022",
			"hc.no.not-your-turn", true},
		{"not your turn: investigation", "round 2\n" + meeting + hands, nil, bruno, "move", []string{"place=place-4"}, "HC-033",
			"hc.no.not-your-turn", true},
		{"not your turn: deposit", "round 2\nphase deposit\n" + meeting + hands, nil, chloe, "deposit", []string{"card=clue-borrow-2"},
			"HC-120", "hc.no.not-your-turn", true},
		{"not your turn: reveal", "round 2\nphase reveal\n" + meeting + urn, nil, bruno, "open", nil, "HC-127",
			"hc.no.not-your-turn", true},
		{"not your turn: recovery", "round 2\nphase recovery\n" + meeting + urn, nil, bruno, "recover", []string{"card=clue-peely-1"},
			"HC-133", "hc.no.not-your-turn", true},
		{"another turns a card up", "round 5\nunknown role seat-2\n" + meeting + hands, func(d *desk) *desk {
			return d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "accuse", "seat=seat-2", "card=clue-worms-1")
		}, anne, "role", []string{"value=innocent"}, "HC-093", "hc.no.not-your-turn", true},
		{"another act than turning the card up", "round 5\nunknown role seat-2\n" + meeting + hands, func(d *desk) *desk {
			return d.mustDo(anne, "move", "place=place-salon").mustDo(anne, "accuse", "seat=seat-2", "card=clue-worms-1")
		}, bruno, "move", []string{"place=place-3"}, "HC-093", "hc.no.not-now", true},
		{"pass instead of recovering", "round 2\nphase recovery\n" + meeting + urn, nil, anne, "pass", nil, "HC-133",
			"hc.no.not-now", true},
		{"lay before everybody has recovered", "round 2\nphase recovery\n" + meeting + urn, nil, anne, "lay",
			[]string{"card=clue-worms-3", "place=place-3"}, "HC-133", "hc.no.not-now", true},
		{"recover while a card is turned up",
			"round 8\nphase recovery\nunknown role seat-2\nunknown role seat-3\n" + meeting + "urn seat-1 clue-worms-3\n",
			func(d *desk) *desk { return d.mustDo(anne, "recover", "card=clue-worms-3") }, bruno, "recover", []string{"card=clue-worms-3"},
			"HC-157", "hc.no.not-now", true},
		{"show before the urn is opened", "round 2\nphase reveal\n" + meeting + urn, nil, anne, "show", []string{"card=clue-worms-3"},
			"HC-127", "hc.no.not-now", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := posed(t, c.lines)
			if c.before != nil {
				c.before(d)
			}
			r := d.refusal(c.rule, c.who, c.act, c.args...)
			if r.Why.Key != c.key {
				t.Errorf("says %s, want %s", r.Why.Key, c.key)
			}
			if c.open != (r.Public.Key == c.key) || !c.open && !r.Public.IsEmpty() {
				t.Errorf("the table is shown %q", r.Public.Key)
			}
		})
	}
}
