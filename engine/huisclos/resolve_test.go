package huisclos

import (
	"slices"
	"testing"

	"majordome/engine"
)

// TestDepositLimits: who may put what in the urn (HC-122 to HC-126).
func TestDepositLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines string
		who   int
		may   []string // nil: no deposit
		rule  string   // that refuses the first clue of the hand not in may
	}{
		{"a weapon of an empty place", "pawn seat-2 place-3\nhand seat-2 weapon-5 clue-worms-1", bruno,
			[]string{"weapon-5", "clue-worms-1"}, ""},
		{"a weapon that kills", "pawn seat-3 place-5\nhand seat-2 weapon-5 clue-worms-1", bruno, []string{"clue-worms-1"}, "HC-122"},
		{"a weapon that kills its holder", "pawn seat-2 place-5\nhand seat-2 weapon-5 clue-worms-1", bruno,
			[]string{"clue-worms-1"}, "HC-122"},
		{"a weapon of a closed place", "closed place-5\nhand seat-2 weapon-5", bruno, []string{"weapon-5"}, ""},
		{"only weapons that kill", "pawn seat-2 place-3\npawn seat-3 place-3\npawn seat-1 place-4\npawn seat-4 place-5\n" +
			"hand seat-2 weapon-3 weapon-4 weapon-5", bruno, []string{"weapon-4", "weapon-5"}, "HC-124"},
		{"one weapon that kills", "pawn seat-3 place-5\nhand seat-2 weapon-5", bruno, []string{"weapon-5"}, ""},
		{"no suicide", "pawn seat-4 place-salon\nhand seat-4 weapon-tisonnier weapon-3 clue-worms-1", david,
			[]string{"weapon-3", "clue-worms-1"}, "HC-123"},
		{"nothing but suicide", "pawn seat-4 place-salon\nhand seat-4 weapon-tisonnier", david, nil, ""},
		{"an empty hand", "hand seat-2", bruno, nil, ""},
		{"an Innocent in the Confrontation", "dead seat-1 seat-3\npawn seat-2 place-5\npawn seat-4 place-4\nhand seat-2 weapon-5 weapon-4",
			bruno, []string{"weapon-4"}, "HC-123"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "phase deposit\nround 2\nfirst seat-" + string(rune('0'+c.who)) + "\n" + c.lines
			d := posed(t, text)
			if c.may == nil {
				if !d.hasLine(table, "hc.log.no-deposit", engine.Seat(c.who).String()) {
					t.Error("no \"no deposit\"")
				}
				return
			}
			d.mustOfferOnly(c.who, "deposit", c.may...)
			for _, v := range d.view(c.who).Me.Hand {
				if marked := slices.Contains(v.Marks, "deposit"); marked != slices.Contains(c.may, string(v.Card)) {
					t.Errorf("mark of %s: %v", v.Card, v.Marks)
				}
			}
			for _, id := range d.hand(c.who) {
				if c.rule != "" && !slices.Contains(c.may, id) {
					d.mustRefuse(c.rule, c.who, "deposit", "card="+id)
				}
			}
			d.mustDo(c.who, "deposit", "card="+c.may[0])
		})
	}
}

// TestUrnErrors: every refusal at the urn looks the same to the table (GEN-004, rules 4.2), and only the depositing seat hears the reason.
func TestUrnErrors(t *testing.T) {
	d := posed(t, `
phase deposit
round 2
pawn seat-3 place-5
hand seat-1 clue-georges-1
hand seat-2 weapon-5 clue-worms-1 clue-peely-1
hand seat-3 clue-peely-2
hand seat-4 clue-georges-2
`)
	if r := d.read("urn", 0, "clue-georges-1"); r != nil {
		t.Fatal(r)
	}
	d.at += slotTime // until then two cards are Anne's
	same := engine.NewMsg("gen.again", "seat", "seat-2")
	for _, c := range []struct {
		name    string
		reader  string
		foreign int
		cards   []engine.ID
		rule    string
		silent  bool
	}{
		{"bank card", "urn", 1, nil, "GEN-E01", false},
		{"unreadable", "urn", 0, nil, "GEN-E08", false},
		{"role card", "urn", 0, []engine.ID{"role-innocent-2"}, "GEN-E02", false},
		{"place card", "urn", 0, []engine.ID{"place-3"}, "GEN-E02", false},
		{"clue of another seat", "urn", 0, []engine.ID{"clue-peely-2"}, "GEN-E13", false},
		{"clue of nobody's hand", "urn", 0, []engine.ID{"clue-lecomte-2"}, "GEN-E13", false},
		{"two clues", "urn", 0, []engine.ID{"clue-worms-1", "clue-peely-1"}, "GEN-E06", false},
		{"clue and bank card", "urn", 1, []engine.ID{"clue-worms-1"}, "GEN-E06", false},
		{"a weapon that kills", "urn", 0, []engine.ID{"weapon-5"}, "HC-122", false},
		{"the clue that lies in the urn", "urn", 0, []engine.ID{"clue-georges-1"}, "GEN-E13", false},
		{"another reader", "show", 0, []engine.ID{"clue-worms-1"}, "GEN-E11", true},
	} {
		before := d.view(table)
		r := d.read(c.reader, c.foreign, c.cards...)
		switch {
		case r == nil || r.Rule != c.rule:
			t.Errorf("%s: %v, want %s", c.name, r, c.rule)
		case r.Rule == engine.RuleAlarm:
			if !isAlarm(r) {
				t.Errorf("%s: %+v", c.name, r)
			}
		case c.silent && !r.Public.IsEmpty():
			t.Errorf("%s: the table is shown %v", c.name, r.Public)
		case !c.silent && (r.Public.Key != same.Key || r.Public.Args.Get("seat") != "seat-2" || len(r.Public.Args) != 2 || r.To != bruno):
			t.Errorf("%s: the table is shown %v, the reason goes to %v", c.name, r.Public, r.To)
		}
		if after := d.view(table); after.Urn != before.Urn || after.Active[0] != bruno {
			t.Errorf("%s changed something", c.name)
		}
	}
	for _, c := range []engine.ID{"clue-worms-1", "clue-peely-2", "clue-georges-2"} {
		if r := d.read("urn", 0, c); r != nil {
			t.Fatal(r)
		}
	}
	if v := d.mustHavePhase("reveal").view(table); v.Urn != 4 || len(v.Shown) != 0 {
		t.Errorf("urn %d, shown %v", v.Urn, v.Shown)
	}
}

// night is the moment before the urn is opened, in round 2.
const night = `
phase reveal
round 2
pawn seat-1 place-3
pawn seat-2 place-salon
pawn seat-3 place-salon
pawn seat-4 place-4
hand seat-1 clue-georges-4
hand seat-2 clue-williams-4
hand seat-3 clue-peely-4 clue-peely-3
hand seat-4 clue-lecomte-4
`

// TestNoMurder: HC-127 to HC-129, HC-136, HC-139, HC-034.
func TestNoMurder(t *testing.T) {
	d := posed(t,
		night+"urn seat-1 clue-worms-3\nurn seat-2 weapon-7\nurn seat-3 clue-borrow-1\nurn seat-4 clue-worms-1\nfill place-salon 2")
	d.mustRefuse("HC-127", bruno, "open").mustOffer(host, "open").mustDo(anne, "open").mustHavePhase("recovery")
	v := d.view(table)
	if want := []engine.ID{"weapon-7", "clue-borrow-1", "clue-worms-1", "clue-worms-3"}; !slices.Equal(v.Shown, want) {
		t.Errorf("shown %v, want the deck order %v", v.Shown, want)
	}
	if len(v.Readers) != 2 || v.Readers[0].Seat != anne {
		t.Errorf("readers %+v", v.Readers)
	}
	d.mustRefuse("HC-129", anne, "recover", "card=clue-georges-4").mustDo(anne, "recover", "card=clue-worms-3")
	if r := d.read("urn", 0, "clue-worms-3"); r == nil || r.Rule != "GEN-E04" {
		t.Errorf("the clue just recovered, again: %v", r)
	}
	if r := d.read("urn", 0, "clue-worms-1"); r != nil {
		t.Fatal(r)
	}
	d.mustRefuse("HC-137", host, "recover", "card=weapon-7") // the host does not know which cards the seat may take
	d.mustDo(host, "recover", "card=clue-borrow-1").mustDo(david, "recover", "card=weapon-7").mustHavePhase("investigation")
	if v := d.view(table); v.Clock.At != 3 || v.Active[0] != bruno || !v.Seats[1].First || len(v.Shown) != 0 {
		t.Errorf("round %d, active %v", v.Clock.At, v.Active)
	}
}

// TestRecoverySecondWeapon: HC-137, only the seat itself hears the reason.
func TestRecoverySecondWeapon(t *testing.T) {
	d := posed(t, night+"urn seat-1 weapon-7\nurn seat-2 weapon-6\nurn seat-3 clue-borrow-1\nurn seat-4 clue-worms-1\n")
	d.mustDo(anne, "open").mustDo(anne, "recover", "card=weapon-6")
	d.mustDo(bruno, "recover", "card=clue-worms-1").mustDo(chloe, "recover", "card=clue-borrow-1").mustDo(david, "recover", "card=weapon-7")
	d = posed(t, "phase recovery\nround 2\nhand seat-1 weapon-5\nurn seat-1 weapon-7\nurn seat-2 weapon-6\nurn seat-3 clue-borrow-1\n"+
		"urn seat-4 clue-worms-1")
	r := d.read("show", 0, "weapon-7")
	if r == nil || r.Rule != "HC-137" || r.Public.Key != "gen.again" || r.To != anne {
		t.Errorf("a second weapon: %+v", r)
	}
	d.mustRefuse("HC-137", anne, "recover", "card=weapon-7").mustOfferOnly(anne, "recover", "clue-borrow-1", "clue-worms-1")
}

// TestMurder: HC-130 to HC-134, HC-138, HC-140, HC-156, HC-200.
func TestMurder(t *testing.T) {
	d := posed(t,
		night+"urn seat-1 clue-worms-3\nurn seat-2 clue-worms-2\nurn seat-3 clue-borrow-1\nurn seat-4 weapon-tisonnier\nfill place-salon 2")
	d.mustDo(anne, "open").mustHavePhase("recovery")
	v := d.view(table)
	for _, who := range []int{bruno, chloe} {
		if s := v.Seats[who-1]; s.Alive || s.Role != "role-innocent" || s.Cards != 0 || s.Place != "" || s.Tokens != 0 {
			t.Errorf("%+v", s)
		}
	}
	if v.Places[1].Cards != 5 || v.Places[1].Lamp != engine.LampCrime || len(v.Places[1].Pawns) != 0 {
		t.Errorf("the crime place %+v", v.Places[1])
	}
	if !d.hasLine(table, "hc.log.confrontation") {
		t.Error("no Confrontation")
	}
	d.mustNotOffer(bruno, "recover").mustDo(anne, "recover", "card=weapon-tisonnier").mustDo(david, "recover", "card=clue-worms-3")
	v = d.view(table)
	if v.Places[1].Cards != 7 || v.Clock.At != 3 || v.Active[0] != david {
		t.Errorf("round %d, %d clues on the crime place, active %v", v.Clock.At, v.Places[1].Cards, v.Active)
	}
}

// TestSeveralCrimePlaces: HC-135, with six players.
func TestSeveralCrimePlaces(t *testing.T) {
	d := posed(t, `
seat seat-5 Eve character-georges innocent
seat seat-6 Félix character-williams innocent
phase reveal
round 2
pawn seat-1 place-salon
pawn seat-2 place-salon
pawn seat-3 place-3
pawn seat-4 place-4
pawn seat-5 place-4
pawn seat-6 place-5
urn seat-1 weapon-tisonnier
urn seat-2 weapon-3
urn seat-3 clue-worms-1
urn seat-4 clue-worms-2
urn seat-5 clue-worms-3
urn seat-6 clue-worms-4
`)
	d.mustDo(anne, "open")
	if v := d.view(table); v.Active[0] != david {
		t.Fatalf("active %v, want the next living to the left of Anne (HC-133)", v.Active)
	}
	d.mustDo(david, "recover", "card=weapon-3").mustDo(5, "recover", "card=clue-worms-1").mustDo(6, "recover", "card=clue-worms-2")
	d.mustRefuse("HC-135", david, "lay", "card=clue-worms-3", "place=place-3")
	d.mustRefuse("HC-135", 6, "lay", "card=clue-worms-3", "place=place-5").mustRefuse("HC-134", 6, "lay",
		"card=clue-worms-1", "place=place-3")
	d.mustRefuse("HC-135", 6, "recover", "card=clue-worms-3")
	d.mustDo(6, "lay", "card=clue-worms-3", "place=place-3") // then the drawing room takes the other two
	v := d.mustHavePhase("investigation").view(table)
	if v.Places[1].Cards != 2 || v.Places[2].Cards != 1 || v.Active[0] != david || !v.Seats[3].First {
		t.Errorf("drawing room %d, place-3 %d, active %v", v.Places[1].Cards, v.Places[2].Cards, v.Active)
	}
}

// TestRestOfTheUrnIsDistributedOnlyWithoutAChoice: the rest of the urn is distributed automatically only if there is
// one way to do it: no choice of place, and no choice of clue that a player would have to make (HC-134, HC-135).
func TestRestOfTheUrnIsDistributedOnlyWithoutAChoice(t *testing.T) {
	for _, c := range []struct {
		name  string
		rooms map[place]room
		n     int
		want  bool
	}{
		{"nobody died", nil, 2, true},
		{"one crime place", map[place]room{1: {deaths: 1}}, 2, true},
		{"two crime places", map[place]room{1: {deaths: 1}, 2: {deaths: 1}}, 2, false},
		{"one of them has its own", map[place]room{1: {deaths: 1}, 2: {deaths: 1, urnClues: 1}}, 1, true},
		{"one of two is missing", map[place]room{1: {deaths: 2, urnClues: 1}, 2: {deaths: 1, urnClues: 1}}, 1, true},
		{"one too many: which, is chosen", map[place]room{1: {deaths: 2, urnClues: 1}, 2: {deaths: 1, urnClues: 1}}, 2, false},
		{"one too many: where, is chosen", map[place]room{1: {deaths: 1, urnClues: 1}, 2: {deaths: 1, urnClues: 1}}, 1, false},
	} {
		var s state
		for p, r := range c.rooms {
			s.rooms[p] = r
		}
		if got := s.isUrnRestForced(c.n); got != c.want {
			t.Errorf("%s: %d clues are forced: %v", c.name, c.n, got)
		}
	}
}

// TestGameEndsByDeathsDuelOrAgreement: HC-151 to HC-154, HC-209 to HC-211.
func TestGameEndsByDeathsDuelOrAgreement(t *testing.T) {
	together := "pawn seat-1 place-salon\npawn seat-2 place-salon\npawn seat-3 place-salon\n"
	quiet := "urn seat-2 clue-worms-2\nurn seat-3 clue-worms-3\n"
	duel := "phase reveal\nround 6\ndead seat-2 seat-3\npawn seat-1 place-3\npawn seat-4 place-4\n"
	for _, c := range []struct {
		name, lines string
		rule        string
		winners     []engine.Seat
	}{
		{"all Innocents dead", together + "pawn seat-4 place-3\nurn seat-1 clue-worms-1\nurn seat-4 weapon-tisonnier\n" + quiet, "HC-151",
			[]engine.Seat{david}},
		{"everybody dead", together + "pawn seat-4 place-3\nurn seat-1 weapon-3\nurn seat-4 weapon-tisonnier\n" + quiet, "HC-153",
			[]engine.Seat{david}},
		{"everybody dead before the duel",
			together + "switch confrontation-double-kill nobody\npawn seat-4 place-3\nurn seat-1 weapon-3\n" +
				"urn seat-4 weapon-tisonnier\n" + quiet, "HC-153", []engine.Seat{david}},
		{"the Murderer dead", "pawn seat-4 place-3\nurn seat-1 weapon-3\nurn seat-4 clue-worms-1\n" + quiet, "HC-152",
			[]engine.Seat{david}},
		{"duel won by the Innocent", duel + "urn seat-1 weapon-4\nurn seat-4 clue-worms-1", "HC-209", []engine.Seat{anne}},
		{"duel won by the Murderer", duel + "urn seat-1 clue-worms-1\nurn seat-4 weapon-3", "HC-209", []engine.Seat{david}},
		{"both dead in the duel", duel + "urn seat-1 weapon-4\nurn seat-4 weapon-3", "HC-210", []engine.Seat{david}},
		{"both dead, switch", duel + "switch confrontation-double-kill nobody\nurn seat-1 weapon-4\nurn seat-4 weapon-3", "HC-210", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := posed(t, "phase reveal\nround 3\n"+c.lines)
			d.mustDo(int(d.view(table).Active[0]), "open").mustHavePhase("over").mustEnd(c.rule, c.winners...)
			for _, s := range d.view(table).Seats {
				if s.Role == "" {
					t.Errorf("the role of %s stays hidden (HC-157)", s.Seat)
				}
			}
		})
	}
}

// TestLastRound: HC-154, HC-211 and their switches.
func TestLastRound(t *testing.T) {
	last := func(round, more string) *desk {
		d := posed(t,
			"phase recovery\nround "+round+"\n"+more+"\nhand seat-2 clue-peely-1\nurn seat-1 clue-worms-1\nurn seat-4 clue-worms-2")
		return d.mustDo(anne, "recover", "card=clue-worms-1")
	}
	alone := "dead seat-3\nphase recovery\n"
	for _, c := range []struct {
		name, more, rule string
		winners          []engine.Seat
	}{
		{"survivors", alone, "HC-154", []engine.Seat{anne, bruno}},
		{"murderer", alone + "switch rounds-exhausted murderer", "HC-154", []engine.Seat{david}},
		{"nobody", alone + "switch rounds-exhausted nobody", "HC-154", nil},
	} {
		d := last("8", c.more)
		d.mustDo(bruno, "recover", "card=clue-worms-2")
		d.mustEnd(c.rule, c.winners...)
		if len(d.view(table).Log) == 0 || d.hasLine(table, "hc.log.debrief.1") {
			t.Errorf("%s: hands are revealed after the end (GEN-008)", c.name)
		}
	}
	d := last("8", alone+"switch post-game-debrief on").mustDo(bruno, "recover", "card=clue-worms-2")
	if !d.hasLine(table, "hc.log.debrief.2", "seat-2", "clue-worms-2", "clue-peely-1") {
		t.Error("no debrief")
	}
	// The debrief reports a hand only if the machine knows all its cards.
	for lines, want := range map[string]bool{
		"unknown hand seat-2 1\n":                             false,
		"unknown hand seat-2 1\nclaims seat-2 clue-peely-2\n": true,
	} {
		d = last("8", alone+lines+"switch post-game-debrief on").mustDo(bruno, "recover", "card=clue-worms-2")
		told := d.hasLine(table, "hc.log.debrief.3", "seat-2", "clue-worms-2", "clue-peely-1", "clue-peely-2")
		held := slices.ContainsFunc(d.g.(engine.Chronicler).Chronicle(nil).Held, func(h engine.Held) bool {
			return h.Seat == engine.Seat(bruno) && len(h.Cards) == 3
		})
		if told != want || held != want || d.hasLine(table, "hc.log.debrief.2", "seat-2") {
			t.Errorf("%q: shown %v, in the chronicle %v, log %+v", lines, told, held, d.view(table).Log)
		}
	}
	duel := "phase recovery\ndead seat-2 seat-3\nurn seat-1 clue-worms-1\nurn seat-4 clue-worms-2\n"
	d = posed(t, "round 8\n"+duel).mustDo(anne, "recover", "card=clue-worms-1").mustDo(david, "recover", "card=clue-worms-2")
	d.mustEnd("HC-211", anne)
	for value, winners := range map[string][]engine.Seat{"murderer": {david}, "nobody": nil} {
		posed(t, "round 8\nswitch rounds-exhausted "+value+"\n"+duel).mustDo(anne, "recover", "card=clue-worms-1").
			mustDo(david, "recover", "card=clue-worms-2").mustEnd("HC-211", winners...)
	}
	d = posed(t, "round 8\nfill place-salon 3\nswitch confrontation-round-limit lifted\n"+duel).
		mustDo(anne, "recover", "card=clue-worms-1").mustDo(david, "recover", "card=clue-worms-2").mustHavePhase("investigation")
	d.mustDo(anne, "offer-draw").mustRefuse("HC-211", anne, "offer-draw").mustRefuse("HC-001", host, "offer-draw").
		mustRefuse("HC-211", host, "offer-draw", "seat=seat-1").
		mustOfferOnly(host, "offer-draw", "seat-4").mustDo(host, "offer-draw", "seat=seat-4").mustEnd("HC-211") // David has no phone
}
