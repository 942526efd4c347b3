package huisclos

import (
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/hidden"
)

// lobbyOf seats the four players of the scenarios and names Anne.
func lobbyOf(t *testing.T) *desk {
	t.Helper()
	b := newBook(t)
	d := &desk{t: t, b: b, g: b.NewGame(), dice: chance.New(3)}
	for i, who := range []string{"character-borrow", "character-worms", "character-peely", "character-lecomte"} {
		d.mustDo(host, "sit", "seat="+engine.Seat(i+1).String(), "name=P", "character="+who)
	}
	return d.mustDo(host, "first", "seat=seat-1")
}

func TestLobby(t *testing.T) {
	b := newBook(t)
	d := &desk{t: t, b: b, g: b.NewGame(), dice: chance.New(1)}
	if a := d.view(table).Active; a == nil || len(a) != 0 {
		t.Errorf("in the lobby %v are awaited: no seat is, not seat zero either", a)
	}
	d.mustNotOffer(anne, "sit", "begin").mustNotOffer(host, "begin")
	d.mustRefuse("GEN-002", anne, "sit", "seat=seat-1", "name=Anne", "character=character-borrow")
	d.mustDo(host, "sit", "seat=seat-1", "name=Anne", "character=character-borrow")
	d.mustRefuse("HC-002", host, "sit", "seat=seat-1", "name=Eve", "character=character-worms")
	d.mustRefuse("HC-002", host, "sit", "seat=seat-2", "name=Eve", "character=character-borrow")
	d.mustRefuse("HC-001", host, "sit", "seat=seat-9", "name=Eve", "character=character-worms")
	d.mustRefuse("HC-002", host, "sit", "seat=seat-2", "name=Eve", "character=place-salon")
	for _, name := range []string{"", "a name of far too many bytes", "two\nlines", " Eve", "\u202eEve"} {
		d.mustRefuse("HC-002", host, "sit", "seat=seat-2", "name="+name, "character=character-worms")
	}
	d.mustRefuse("HC-001", host, "begin")
	d.mustDo(host, "rise", "seat=seat-1").mustRefuse("HC-001", host, "rise", "seat=seat-1")
	d = lobbyOf(t)
	d.mustDo(host, "rise", "seat=seat-1")
	d.mustDo(host, "sit", "seat=seat-1", "name=Anne", "character=character-borrow")
	d.mustRefuse("HC-020", host, "begin") // the first player has risen
	d.mustRefuse("HC-154", host, "switch", "name=rounds-exhausted", "value=cats")
	d.mustRefuse("GEN-008", host, "switch", "name=cats", "value=on")
	d.mustDo(host, "switch", "name=rounds-exhausted", "value=murderer")
	if got := d.view(table).Switches["rounds-exhausted"]; got != "murderer" {
		t.Errorf("rounds-exhausted is %s", got)
	}
	d.mustDo(host, "first", "seat=seat-2").mustDo(host, "begin").mustHavePhase("roles")
	d.mustRefuse("HC-032", host, "switch", "name=rounds-exhausted", "value=nobody")
}

func TestRolesByCard(t *testing.T) {
	d := lobbyOf(t).mustDo(host, "begin").mustHavePhase("roles")
	read := func(card engine.ID) *engine.Reject { return d.read("show", 0, card) }
	if r := read("clue-worms-1"); r == nil || r.Rule != "GEN-E02" || r.To != anne {
		t.Errorf("a clue for a role card: %v", r)
	}
	d.mustRefuse("HC-005", bruno, "role", "value=innocent")
	for _, c := range []engine.ID{"role-innocent-3", "role-murderer"} {
		if r := read(c); r != nil {
			t.Fatal(r)
		}
	}
	d.at -= 1000 // a reading takes a second
	if r := read("role-murderer"); r == nil || r.Rule != "GEN-E04" || !r.Public.IsEmpty() {
		t.Errorf("the same role card in the same moment: %v", r)
	}
	for _, c := range []engine.ID{"role-murderer", "role-innocent-3"} { // a copy, at any seat
		if r := read(c); !isDealAlarm(r) {
			t.Errorf("%s a moment later: %+v", c, r)
		}
	}
	d.mustDo(chloe, "role", "value=innocent")
	if d.view(bruno).Me.Role != "role-murderer" || d.view(chloe).Me.Role != "role-innocent" {
		t.Error("a seat does not know its own role")
	}
	for _, s := range d.view(anne).Seats {
		if s.Role != "" {
			t.Errorf("the role of %s is public", s.Seat)
		}
	}
	d.mustDo(david, "role", "value=innocent").mustHavePhase("laying")
}

// TestTurnedUpAgainstTheRecord: a role card that is turned up counts more than the record of another seat with that card (HC-157): the
// record was a mistake when the roles were drawn.
func TestTurnedUpAgainstTheRecord(t *testing.T) {
	d := posed(t, `
first seat-1
round 5
phase investigation
unknown role seat-2
hand seat-1 clue-worms-1 clue-lecomte-1
hand seat-2 clue-peely-1
hand seat-3 clue-peely-2
hand seat-4 clue-peely-3
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-5
pawn seat-4 place-4
place place-3 clue-worms-2
place place-4 clue-worms-3
`)
	s := *d.g.(*state)
	s.roles[chloe] = hidden.NewSmall(d.b.roleByCardID["role-innocent-1"], hidden.OnlySeats(chloe)) // as if a reader had read it
	d.g = &s
	d.mustDo(anne, "move", "place=place-4").mustDo(anne, "accuse", "seat=seat-2", "card=clue-worms-1")
	if r := d.read(engine.ReaderShow, 0, "role-innocent-1"); r != nil {
		t.Errorf("the card that lies open is refused: %+v", r)
	}
	if !d.hasLine(table, "hc.log.accused.wrong") {
		t.Error("it is not counted")
	}
}

// TestWrongNumberOfMurderersNamesNobody: two Murderers, then none; no player is named (rules, 4.2).
func TestWrongNumberOfMurderersNamesNobody(t *testing.T) {
	d := lobbyOf(t).mustDo(host, "begin")
	d.mustDo(anne, "role", "value=murderer")
	d.mustDo(bruno, "role", "value=murderer").mustDo(chloe, "role", "value=innocent").mustDo(david, "role", "value=innocent")
	d.mustHavePhase("roles")
	if v := d.view(anne); v.Active[0] != anne || v.Me.Role != "" || !d.hasLine(table, "hc.log.roles-wrong") {
		t.Error("the roles are not drawn again")
	}
	for who := anne; who <= david; who++ {
		d.mustDo(who, "role", "value=innocent")
	}
	d.mustHavePhase("roles").mustDo(host, "draw-roles").mustHavePhase("laying")
}

// TestLaying: each clue presented face down is sent to a place; no player learns which clue it was (HC-007 to HC-009).
func TestLaying(t *testing.T) {
	d := lobbyOf(t).mustDo(host, "begin").mustDo(host, "draw-roles")
	if r := d.read("show", 0, "role-murderer"); r == nil || r.Rule != "GEN-E02" || r.To != 0 || r.Public.Key != "gen.again.anyone" {
		t.Errorf("a role card among the clues: %+v", r)
	}
	for c := card(numCards); c > 0; c-- {
		id := engine.ID(d.b.cardID[c])
		if r := d.read("show", 0, id); r != nil {
			t.Fatal(r)
		}
		d.at -= 1000 // a reading takes a second
		if r := d.read("show", 0, id); r == nil || r.Rule != "GEN-E04" {
			t.Errorf("the same clue twice: %v", r)
		}
	}
	d.mustHavePhase("pick")
	v := d.view(anne)
	characters, weapon := map[engine.ID]int{}, 0
	for _, id := range v.Me.Tray {
		c := d.b.cardByID[string(id)]
		if isWeapon(c) {
			weapon++
			continue
		}
		characters[engine.ID(d.b.characterID[characterOf(c)])]++
	}
	if len(v.Me.Tray) != 9 || len(characters) != 8 || weapon != 1 || v.Me.Tray[0] != "weapon-corde" {
		t.Errorf("the pile is %v", v.Me.Tray)
	}
	for i, p := range v.Places {
		if want := map[bool]int{true: 9, false: 5}[i == 0]; p.Cards != want {
			t.Errorf("%s holds %d clues, want %d", p.Place, p.Cards, want)
		}
	}
}

// A place all of whose clues were read stays recorded when the rest is dealt by hand (GEN-020, HC-009).
func TestReadPlaceStaysRecordedWhenTheRestIsDealtByHand(t *testing.T) {
	d := lobbyOf(t).mustDo(host, "begin").mustDo(host, "draw-roles")
	full := engine.ID("")
	for c := card(1); full == ""; c++ {
		if r := d.read("show", 0, engine.ID(d.b.cardID[c])); r != nil {
			t.Fatal(r)
		}
		for _, p := range d.view(anne).Places {
			if p.Cards == perPlace && p.Place != engine.ID(d.b.placeID[d.b.startPlace]) {
				full = p.Place
			}
		}
	}
	d.mustDo(host, "laid")
	for _, c := range d.view(host).Custody {
		want := map[bool]string{true: engine.Verified, false: engine.Trusted}[c.Of == string(full)]
		if strings.HasPrefix(c.Of, "place-") && c.Cards != want {
			t.Errorf("%s is %s, want %s; all of %s was read", c.Of, c.Cards, want, full)
		}
	}
}

// TestPickOfFirstCluesByReaderAndPhone: HC-022 to HC-025, at the reader or on the phone.
func TestPickOfFirstCluesByReaderAndPhone(t *testing.T) {
	d := lobbyOf(t).mustDo(host, "begin").mustDo(host, "draw-roles").mustDo(host, "deal").mustHavePhase("pick")
	if n := len(d.view(bruno).Me.Tray); n != 0 {
		t.Errorf("Bruno sees %d clues before his turn", n)
	}
	tray := d.view(anne).Me.Tray
	d.mustRefuse("HC-022", anne, "keep", "card=weapon-tisonnier")
	d.mustRefuse("HC-022", bruno, "keep", "card="+string(tray[3]))
	d.mustDo(anne, "keep", "card="+string(tray[3]))
	if n := len(d.view(anne).Me.Tray); n != 0 {
		t.Errorf("Anne still sees %d clues", n)
	}
	if r := d.read("show", 0, tray[3]); !isAlarm(r) {
		t.Errorf("the clue just kept, again: %v", r)
	}
	if r := d.read("show", 0, "weapon-corde"); r != nil { // HC-024: anyone may keep it
		t.Fatal(r)
	}
	d.mustHold(bruno, "weapon-corde")
	for _, who := range []int{chloe, david} {
		domain, _ := d.offered(who, "keep")
		if want := 10 - who; len(domain) != want {
			t.Errorf("seat %d sees %d clues, want %d", who, len(domain), want)
		}
		d.mustDo(who, "keep", "card="+domain[0])
	}
	d.mustHavePhase("investigation")
	if v := d.view(table); v.Clock != (engine.Clock{At: 1, Of: 8, Mark: 5}) || v.Places[0].Cards != 5 {
		t.Errorf("clock %+v, %d clues left", v.Clock, v.Places[0].Cards)
	}
}

// TestReminder: GEN-E07, after 90 seconds, only for that seat.
func TestReminder(t *testing.T) {
	d := lobbyOf(t).mustDo(host, "begin").mustDo(host, "draw-roles").mustDo(host, "deal")
	ds := d.g.Deadlines()
	if len(ds) != 1 || ds[0].At != d.at+90_000 {
		t.Fatalf("deadlines %v at %d", ds, d.at)
	}
	d.mustRefuse("GEN-E11", table, engine.ActDeadline, "id="+ds[0].ID) // too early
	d.mustRefuse("GEN-002", anne, engine.ActDeadline, "id="+ds[0].ID)
	d.at = ds[0].At
	d.mustDo(table, engine.ActDeadline, "id="+ds[0].ID)
	if !d.hasLine(anne, "hc.log.reminder") || d.hasLine(bruno, "hc.log.reminder") || d.hasLine(table, "hc.log.reminder") {
		t.Error("the reminder is not Anne's alone")
	}
	if len(d.g.Deadlines()) != 0 {
		t.Error("reminded twice")
	}
}

// TestEveryCardIsReminded: GEN-E07, wherever a reader waits for a card, its seat is reminded once, 90 seconds after the wait began. No seat
// is reminded where no reader waits.
func TestEveryCardIsReminded(t *testing.T) {
	hands := "round 5\nswitch exchange-order draw-then-give\npawn seat-1 place-3\npawn seat-2 place-4\npawn seat-3 place-5\n" +
		"pawn seat-4 place-6\nfill place-salon 3\n" +
		"hand seat-1 clue-worms-1 clue-peely-1 clue-peely-2\nhand seat-2 clue-lecomte-1\n"
	search := [][]string{{"move", "place=place-salon"}, {"search"}}
	exchange := [][]string{{"move", "place=place-4"}, {"exchange", "seat=seat-2"}, {engine.ActDeadline}}
	for _, c := range []struct {
		name, lines string
		acts        [][]string
		waits       bool
	}{
		{"the move", hands, nil, false},
		{"the action", hands, search[:1], false},
		{"the taking", hands, search, true},
		{"the swap", hands, append(search[:2:2], []string{"take", "card=unnamed"}), true},
		{"the drawing", hands, exchange, true},
		{"the giving", hands, append(exchange[:3:3], []string{"draw"}), true},
		{"a role to turn up", hands + "unknown role seat-2\n",
			[][]string{{"move", "place=place-4"}, {"accuse", "seat=seat-2", "card=clue-worms-1"}}, true},
		{"the deposit", "phase deposit\n" + hands, nil, true},
		{"the urn to open", "phase reveal\nround 2\nurn seat-1 clue-worms-1\n", nil, false},
		{"the recovery", "phase recovery\nround 2\nurn seat-1 clue-worms-1\nurn seat-2 clue-worms-2\n", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := posed(t, "unknown place place-salon 3\n"+strings.Replace(c.lines, "fill place-salon 3\n", "", 1))
			for _, a := range c.acts {
				if a[0] == engine.ActDeadline {
					d.waitWindow()
				} else {
					d.mustDo(anne, a[0], a[1:]...)
				}
			}
			ds := d.g.Deadlines()
			switch {
			case !c.waits && len(ds) == 0:
				return
			case !c.waits || len(ds) != 1 || ds[0].At != d.at+90_000:
				t.Fatalf("deadlines %v at %d", ds, d.at)
			}
			who := int(d.view(table).Active[0])
			if d.waitWindow(); !d.hasLine(who, "hc.log.reminder") || d.hasLine(table, "hc.log.reminder") ||
				d.hasLine(chloe, "hc.log.reminder") {
				t.Error("the reminder is not for that seat alone")
			}
			if len(d.g.Deadlines()) != 0 {
				t.Error("reminded twice")
			}
		})
	}
}
