package cluedo

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine/board"
	"majordome/engine/deck"
)

// TestEditionFaults: an edition that the family could not play is refused, with all that is
// wrong in it.
func TestEditionFaults(t *testing.T) {
	good := editionText("cluedo-2008")
	olive := "id: olive-needs-room"
	for _, c := range []struct{ name, old, new, want string }{
		{"few players", "least: 3", "least: 1", "1 to 6 players"},
		{"many players", "most: 6", "most: 11", "3 to 11 players"},
		{"two players", "least: 3", "least: 2", ""},
		{"as many as there are seats", "most: 6}\nsizes: {suspects: 6", "most: 10}\nsizes: {suspects: 10", ""},
		{"one number of players", "most: 6", "most: 3", ""},
		{"less than least", "most: 6", "most: 2", "3 to 2 players"},
		{"a rule of nobody", "  reach: ", "  grasp: ", `unknown key "grasp"`},
		{"a policy of nobody", "  deal: equal\n", "  deal: equal\n  cats: few\n", `unknown house rule "cats"`},
		{"a value of nobody", "  deal: equal\n", "  deal: unfair\n", `unknown value "unfair"`},
		{"a switch of nobody", "id: olive-needs-room", "id: cats", `unknown house rule "cats"`},
		{"a value of a switch", `{id: "anywhere", fr`, `{id: "nowhere", fr`, `unknown value "nowhere"`},
		{"settled twice", "  deal: equal\n", "  deal: equal\n  two-players: \"on\"\n", `"two-players" is settled already`},
		{"a switch twice", "id: olive-needs-room", "id: two-players", `"two-players" is settled already`},
		{"a walk of nobody", "total: at-most", "totals: at-most", `unknown key "totals"`},
		{"a word of no walk", "total: at-most", "total: some", `unknown value "some"`},
		{"a switch that walks", olive, "walk: {'on': {short: before}}\n    " + olive, ""},
		{"a walk of no value", olive, "walk: {maybe: {short: before}}\n    " + olive, `unknown value "maybe"`},
		{"a word of no walk in a switch", olive, "walk: {'on': {short: after}}\n    " + olive, `unknown value "after"`},
		{"a walk settled twice", olive, "walk: {'on': {rooms: cross}}\n    " + olive, `"rooms" is settled already`},
		{"what marks are for", "marks: plain", "short: no", ""},
		{"as a house rule", "marks: plain}\nswitches:\n", "short: no}\nswitches:\n" +
			"  - {id: cats, rule: XY-01, fr: x, en: x, values: [{id: a, fr: x, en: x}, {id: b, fr: x, en: x}], walk: {b: {marks: " +
			"pause}}}\n", `the rule "spy" is missing`},
		{"a walk by two switches", "switches:\n", "switches:\n  - {id: cats, rule: XY-01, fr: x, en: x, values: [{id: a, fr: x, en: x}], " +
			"walk: {a: {short: no}}}\n  - {id: dogs, rule: X-1, fr: x, en: x, values: [{id: a, fr: x, en: x}], walk: {a: {short: no}}}\n",
			`"short" is settled already`},
		{"as many switches as there can be", "switches:\n", "switches:\n" + walkingRules(8), ""},
		{"too many switches", "switches:\n", "switches:\n" + walkingRules(9), "17 house rules"},
		{"so many that a preset means none", "switches:\n", "presets:\n  - {id: few, name: {fr: x, en: x}, set: {olive-needs-room: " +
			"\"on\"}}\nswitches:\n" + walkingRules(9), "17 house rules"},
		{"as many as a preset can set", "switches:\n",
			"presets:\n  - {id: few, name: {fr: x, en: x}, set: {dogs: few}}\nswitches:\n" + walkingRules(8), `unknown house rule "dogs"`},
		{"a switch without values", "switches:\n", "switches:\n  - {id: cats, rule: XY-01, fr: x, en: x, walk: {}}\n",
			"a house rule of 0 values (1 to 16"},
		{"a policy without values", "      - {id: \"off\", fr: \"De partout\", en: \"From anywhere\"}\n" +
			"      - {id: \"on\", fr: \"Depuis une pièce\", en: \"From a room\"}\n", "", "a house rule of 0 values"},
		{"a value twice", `{id: "on", fr: "Depuis une pièce"`, `{id: "off", fr: "Depuis une pièce"`, `id "off" used before`},
		{"more values than anybody reads", "switches:\n", "switches:\n  - {id: cats, rule: XY-01, fr: x, en: x, walk: {}, values: [" +
			strings.Repeat("{id: a, fr: x, en: x}, ", 17) + "]}\n", "a house rule of 17 values"},
		{"a switch that nobody can write", "switches:\n", "switches:\n  - {id: \"a\\u0007 b\", rule: XY-01, fr: x, en: x, values: [{id: " +
			"a, fr: x, en: x}, {id: b, fr: x, en: x}], walk: {}}\n", "bad id "},
		{"a value that nobody can write", "switches:\n", "switches:\n  - {id: cats, rule: XY-01, fr: x, en: x, values: [{id: \"a b\", " +
			"fr: x, en: x}, {id: b, fr: x, en: x}], walk: {}}\n", `bad id "a b"`},
		{"a switch of the name that presets have", "switches:\n",
			"switches:\n  - {id: preset, rule: XY-01, fr: x, en: x, values: [{id: a, fr: x, en: x}, {id: b, fr: x, en: x}], walk: {}}\n",
			`id "preset" used before`},
		{"a switch that walks twice", "switches:\n", "switches:\n" + walkingRules(1) + walkingRules(1), `id "cats-1" used before`},
		{"more points than a die has", "marked-face: {points: 0", "marked-face: {points: 300", "points: 300 (0 to 6)"},
		{"fewer than none", "draws: 1", "draws: -1", "draws: -1 (0 to 4)"},
		{"a house rule that waits for nothing known", olive, olive + "\n    when: {two-players: [cats]}", `unknown value "cats"`},
		{"as many as one face brings", "draws: 1", "draws: 4", ""},
		{"a switch without a French name", "    fr: \"Pouvoir d’Olive\"\n", "", "a name is missing"},
		{"a value without an English name", `en: "From anywhere"`, `en: ""`, "a name is missing"},
		{"as many values as anybody reads", "switches:\n",
			"switches:\n  - {id: cats, rule: XY-01, fr: x, en: x, walk: {}, values: [" + valuesOf(16) + "]}\n", ""},
		{"a switch without a name", "    en: \"Power of Green\"\n", "", "a name is missing"},
		{"a value without a name", `fr: "De partout"`, `fr: ""`, "a name is missing"},
		{"a preset of nobody", "powers:\n", "presets:\n  - {id: few, name: {fr: x, en: x}, set: {cats: few}}\npowers:\n",
			`unknown house rule "cats"`},
		{"a value of a preset", "powers:\n", "presets:\n  - {id: few, name: {fr: x, en: x}, set: {olive-needs-room: few}}\npowers:\n",
			`unknown value "few"`},
		{"a preset without a name", "powers:\n", "presets:\n  - {id: few, name: {fr: x}, set: {}}\npowers:\n", "a name is missing"},
		{"a preset that is none", "powers:\n", "presets:\n  - {id: other, name: {fr: x, en: x}, set: {}}\npowers:\n",
			"says that none is chosen"},
		{"two presets alike", "powers:\n", "presets:\n  - {id: a, name: {fr: x, en: x}, set: {}}\n" +
			"  - {id: b, name: {fr: x, en: x}, set: {two-players: \"off\"}}\npowers:\n", "settle everything alike"},
		{"more suspects than the state has room for", "suspects: 6", "suspects: 11", "suspects: 11 (6 to 10)"},
		{"a seat without a suspect", "suspects: 6", "suspects: 5", "suspects: 5 (6 to 10)"},
		{"many weapons", "weapons: 9", "weapons: 10", "weapons: 10 (2 to 9)"},
		{"two weapons", "weapons: 9", "weapons: 2", ""},
		{"two rooms", "rooms: 9", "rooms: 2", ""},
		{"one weapon", "weapons: 9", "weapons: 1", "weapons: 1 (2 to 9)"},
		{"many areas", "rooms: 9", "rooms: 9, places: 5", "places: 5 (0 to 4)"},
		{"as many areas as there can be", "rooms: 9", "rooms: 13", ""},
		{"a long night", "times: 8", "times: 9", "times: 9 (0 to 8)"},
		{"no number of a rule", "  reach: ", "  reach: by ", `" is no number of a rule`},
		{"no number of the rule of a card", "  replay: ", "  replay: by ", `" is no number of a rule`},
		{"a rule that is missing", "  spent: ", "  # ", `the rule "spent" is missing`},
		{"a card of nobody", "  replay: ", "  cats: ", `unknown kind "cats"`},
		{"a Power of nobody", "  random-look: ", "  cats: ", `unknown kind "cats"`},
		{"a phase of nobody", "turn: [start, move,", "turn: [start, cats,", `phase "cats" is unknown`},
		{"a phase twice", "turn: [start, move,", "turn: [start, start,", `phase "start" is unknown, or there already`},
		{"a turn that does not end", "act, end]", "act]", "without a start or an end"},
		{"hidden cards that nobody looks at", "times: 8}", "times: 8, hidden: 4}", "4 hidden cards"},
		{"more of them than rooms", "times: 8}\nturn: [start, move,", "times: 8, hidden: 10}\nturn: [start, move, look,",
			"hidden: 10 (0 to 9)"},
		{"a turn without an act", "act, end]", "end]", "nobody can make a hypothesis"},
		{"a turn without a move", "move, act, end]", "act, end]", "nobody can make a hypothesis"},
		{"no turn at all", "turn: [start, move, act, end]", "turn: []", "a turn without a start or an end"},
		{"a turn that does not begin", "turn: [start, ", "turn: [", "a turn without a start or an end"},
		{"a turn that begins with nothing known", "turn: [start, ", "turn: [cats, ", `phase "cats" is unknown`},
		{"an act before the move", "move, act, end]", "act, move, end]", "nobody can make a hypothesis"},
	} {
		text := strings.Replace(string(good), c.old, c.new, 1)
		if text == string(good) {
			t.Fatalf("%s: %q is not in the file", c.name, c.old)
		}
		_, err := parseEdition("edition.yaml", []byte(text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// valuesOf are so many values of a house rule.
func valuesOf(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, "{id: v-%d, fr: x, en: x}, ", i)
	}
	return all.String()
}

// walkingRules writes n house rules about walking.
func walkingRules(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all,
			"  - {id: cats-%d, rule: XY-01, fr: x, en: x, values: [{id: a, fr: x, en: x}, {id: b, fr: x, en: x}], walk: {}}\n", i+1)
	}
	return all.String()
}

// TestEveryEdition: every line of an edition is validated. An edition without a required rule, or with an unknown policy, value, size or
// phase, is refused, and the fault is named.
func TestEveryEdition(t *testing.T) {
	games := Editions()
	if len(games) < 3 {
		t.Fatal(games)
	}
	for _, game := range games {
		good := editionText(game)
		if e := loadEdition(game); e.Game != game {
			t.Errorf("the file of %s is of %s", game, e.Game)
		}
		lines := strings.Split(string(good), "\n")
		section, broken := "", map[string]int{}
		for i, line := range lines {
			key, value, ok := strings.Cut(line, ":")
			if ok && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") {
				section = key
			}
			var other, want string
			switch name := strings.TrimSpace(key); {
			case !ok || strings.HasPrefix(name, "#"):
				continue
			case section == "rules" && name != section:
				other, want = "", fmt.Sprintf("the rule %q is missing", name)
			case section == "policies" && name != section && i%2 == 0:
				other, want = "  cats:"+value, `unknown house rule "cats"`
			case section == "policies" && name != section:
				other, want = key+": cats", `unknown value "cats"`
			case section == "sizes":
				other, want = strings.Replace(line, "rooms: ", "rooms: 9", 1), "rooms: 9"
			case section == "turn":
				other, want = strings.Replace(line, "end]", "cats]", 1), `phase "cats" is unknown`
			case section == "players":
				other, want = strings.Replace(line, "most: ", "most: 9", 1), "players"
			case strings.HasPrefix(line, "    rule: "):
				other, want = "    rule: by heart", "is no number of a rule"
			default:
				continue
			}
			broken[section]++
			text := strings.Join(append(append(slices.Clone(lines[:i]), other), lines[i+1:]...), "\n")
			if _, err := parseEdition("edition.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, line %d, %q in place of %q: %v, want %s", game, i+1, other, line, err, want)
			}
		}
		for _, section := range []string{"rules", "policies", "sizes", "turn", "players", "switches"} {
			if broken[section] == 0 {
				t.Errorf("%s: nothing of %s was tried", game, section)
			}
		}
	}
}

// TestPolicies: a policy that the edition sets applies. One that it leaves to the table has its first value until the table changes it.
func TestPolicies(t *testing.T) {
	s := stateAt(t, three+"switch olive-needs-room on")
	for p, want := range map[policy]string{polDeal: "equal", polAccuseWhere: "pool", polDrawOrigin: "room", polElsewhereRoom: "on"} {
		if got := s.policyValue(p); got != want {
			t.Errorf("%s is %q, want %q", policies[p].id, got, want)
		}
	}
}

// TestWalks: pawns walk as the edition says. Where it leaves a word of the walk to the table, the value in force decides.
func TestWalks(t *testing.T) {
	b, err := New(DefaultDeck("super-cluedo"))
	if err != nil {
		t.Fatal(err)
	}
	if got := newBook(t).newLobby().walkPolicy(); got != loadEdition("cluedo-2008").Walk {
		t.Errorf("Cluedo 2008 walks by %+v", got)
	}
	for _, c := range []struct {
		set  string
		want board.Passages
	}{{"", board.PassagesStep}, {"any", board.PassagesStep}, {"dice-then-passage", board.PassagesLast}} {
		s := b.newLobby()
		for i, sw := range b.switchTable {
			if v := slices.Index(sw.Values, c.set); sw.ID == "combination-order" && v >= 0 {
				s.rules[i] = uint8(v)
			}
		}
		if got := s.walkPolicy(); got != b.Walk.WithWordsOf(board.Policy{Passages: c.want, Short: got.Short}) {
			t.Errorf("with %q: %+v", c.set, got)
		}
	}
}

// TestMissingPolicyHasTheFirstValueOfTheFamily: a policy that an edition does not mention has the first value of the family.
func TestMissingPolicyHasTheFirstValueOfTheFamily(t *testing.T) {
	text := editionText("cluedo-2008")
	settling, rest := bytes.Index(text, []byte("policies:")), bytes.Index(text, []byte("# The rule of each kind"))
	e, err := parseEdition("edition.yaml", append(text[:settling:settling], text[rest:]...))
	if err != nil {
		t.Fatal(err)
	}
	for p, of := range policies {
		if got := e.policySettings[p]; got != (policySetting{value: of.values[0]}) {
			t.Errorf("%s is %+v, want %q", of.id, got, of.values[0])
		}
	}
}

// TestWordsOfEditions: whatever an edition of the program says instead of a general sentence is itself a sentence.
func TestWordsOfEditions(t *testing.T) {
	said := 0
	for _, game := range Editions() {
		e := new(edition)
		f := deck.Parse(string(game)+".yaml", editionText(game), e)
		said += len(e.Words) + len(e.Sentences)
		if e.checkSentences(f); f.Err() != nil {
			t.Error(f.Err())
		}
	}
	if said == 0 {
		t.Error("no edition says anything of its own")
	}
}

// TestPhasesOfATurnFollowTheEditionsOrder: the phases of a turn follow each other as the edition lists them. Nothing
// comes after its end, whatever is stored.
func TestPhasesOfATurnFollowTheEditionsOrder(t *testing.T) {
	s := stateAt(t, three)
	for p, want := range map[step]step{stepStart: stepMove, stepMove: stepAct, stepAct: stepEnd, stepEnd: stepEnd} {
		if got := s.stepAfterPhase(p); got != want {
			t.Errorf("after %d comes %d, want %d", p, got, want)
		}
	}
}
