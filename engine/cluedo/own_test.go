package cluedo_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/ownfile/ownfiletest"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
	"majordome/engine/words"
)

// phare is a deck with an edition of its own.
const phare = "testdata/phare/phare.yaml"

// readDeck reads a deck of the tests.
func readDeck(t testing.TB, name string) *cluedo.Deck { return parsed(t, name, read(t, name)) }

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parsed(t testing.TB, name, text string) *cluedo.Deck {
	t.Helper()
	d, err := cluedo.ParseDeck(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOwnEdition: a deck with an edition of its own is a game like another: its scripts are played,
// its sentences are among its names, and written as a file it reads as the same.
func TestOwnEdition(t *testing.T) {
	d := readDeck(t, phare)
	book := bookOf(t, d)
	if d.ID() != "phare-noir" || book.ID() != "phare-noir" {
		t.Errorf("it is %s, %s", d.ID(), book.ID())
	}
	scripts, err := scripttest.ParseAll(os.DirFS("testdata/phare"))
	if err != nil {
		t.Fatal(err)
	}
	scripttest.PlayAll(t, scripts, book)
	said := map[engine.ID]engine.Text{}
	for _, n := range book.Names() {
		switch n.Kind {
		case "sentence", "game":
			said[n.ID] = n.Text
		case "switch":
			if n.ID == "olive-needs-room" {
				t.Error("what the edition settles is left to the table")
			}
		}
	}
	if len(said) != 4 || said["phare-noir"].FR != "Le Phare noir" || !strings.HasPrefix(said["PN-080"].EN, "All witnesses") {
		t.Errorf("it says %v", said)
	}
	kept, err := d.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := cluedo.ParseDeck("kept.yaml", kept)
	if err != nil {
		t.Fatalf("%v\n%s", err, kept)
	}
	if other, err := cluedo.New(again); err != nil || len(other.Names()) != len(book.Names()) {
		t.Errorf("written and read again it is another game: %v", err)
	}
	renamed, r := d.WithLabel("vent", engine.T("Brise", "Breeze"))
	if r != nil {
		t.Fatal(r)
	}
	if _, err := renamed.NewRulebook(); err != nil {
		t.Error(err)
	}
}

// TestOwnEditionFaults: a fault in the edition of a deck is reported with its line in that file.
func TestOwnEditionFaults(t *testing.T) {
	text := read(t, phare)
	for _, c := range []struct{ old, new, want string }{
		{"like: cluedo-2008", "like: cluedo-1949", `:5:9: "cluedo-1949" is no edition (one of [cluedo-`},
		{"  like: cluedo-2008\n", "", `"" is no edition`},
		{"  like: cluedo-2008\n", "  like: cluedo-2008\n  edition: box\n", "the game is named twice"},
		{"game: phare-noir", "game: Phare noir", `:3:7: bad id "Phare noir"`},
		{`  name: {fr: "Le Phare noir", en: "The Black Lighthouse"}` + "\n", "", "a name is missing"},
		{`name: {fr: "Le Phare noir", `, "name: {", "a name is missing"},
		{`, en: "The Black Lighthouse"`, "", "a name is missing"},
		{"answer-delay: 1500\n", "", "answer-delay: time out of range (500 to 60000"},
		{"window: 6000\n", "", "window: time out of range (500 to 60000"},
		{`pool: {id: puits, fr: "Puits", en: "Well"}`, "",
			`the pool is missing, where the cards lie that the deal leaves over (write pool: {id: pool,`},
		{`pool: {id: puits, fr: "Puits", en: "Well"}`, "pool: {id: puits}", "a name is missing"},
		{"suspects: 7", "suspects: 12", ":8:21: suspects: 12 (5 to 10)"},
		{"suspects: 7", "suspects: 6", "7 suspects instead of 6"},
		{"witness-query: all", "witness-query: some", `unknown value "some"`},
		{"ask: PN-080", "ask: PN-80b", `"PN-80b" is no number of a rule`},
		{"cl.prompt.start.you:", "cl.prompt.begin.you:", `unknown sentence "cl.prompt.begin.you"`},
		{"    cl.prompt.start.you:\n", "    PN-999: {fr: x, en: x}\n    cl.prompt.start.you:\n", `unknown sentence "PN-999" (a key of`},
		{"    cl.prompt.start.you:\n", "    hc.prompt.move: {fr: x, en: x}\n    cl.prompt.start.you:\n",
			`unknown sentence "hc.prompt.move"`},
		{"    cl.prompt.start.you:\n", "    cl.log.sat: {fr: x, en: \"a\\u200bb\"}\n    cl.prompt.start.you:\n",
			"or has an invisible character"},
		{"    cl.prompt.start.you:\n", "    cl.log.sat: {fr: \"{seat} !\", en: \"{seat} is {character}\"}\n    cl.prompt.start.you:\n", ""},
		{"    cl.prompt.start.you:\n", "    cl.log.sat: {fr: x}\n    cl.prompt.start.you:\n", "a sentence that is empty"},
		{"    cl.prompt.start.you:\n", "    cl.log.sat: {fr: x, en: \"{seat} {hat}\"}\n    cl.prompt.start.you:\n", "nothing fills {hat}"},
		{"  powers: {}", "  words: {cl.prompt.act.you: cl.prompt.acts.you}\n  powers: {}",
			`unknown sentence "cl.prompt.acts.you" (did you mean "cl.prompt.act.you"?)`},
		{"  powers: {}", "  powers: {fly: PN-001}", `unknown kind "fly"`},
		{"kind: plus-six", "kind: plus-seven", `unknown kind "plus-seven"`},
		{"peintre]", "pointre]", `"pointre" is nobody, or plays already`},
		{"cast: [gardienne, capitaine, peintre]", "cast: [gardienne]", "1 players (3 to 5)"},
		{"  policies:\n", "  switches: [{id: witness-query, rule: PN-080, fr: x, en: x, values: [{id: all, fr: x, en: x}]}]\n  policies:\n",
			`"witness-query" is settled already`},
		{"  policies:\n", "  walk: {rooms: cross, squares: once}\n  policies:\n", ""},
		{"  policies:\n", "  switches: [{id: displacement-draw-timing, rule: PN-091, fr: x, en: x, values: [{id: immediate, fr: x, en: " +
			"x}]}]\n  policies:\n", ""},
		{"  policies:\n", "  walk: {rooms: sometimes}\n  policies:\n", `unknown value "sometimes"`},
		{"    witness-query: all\n", "    witness-query: all\n    same-room-again: \"no\"\n", `the rule "again" is missing`},
		{"    witness-query: all\n", "    witness-query: all\n    deal: all\n", "this game deals all cards"},
		{"    witness-query: all\n", "    witness-query: all\n    deal: all\n", "one accuses at the pool, and this game has none"},
		{"  policies:\n", "  switches: [{id: deal, rule: PN-004, fr: x, en: x, values: [{id: equal, fr: x, en: x}]}]\n  policies:\n",
			"not left to the table"},
		{"  powers: {}\n", "  powers: {}\n  events: {}\n", "draws a card, and this game has none"},
		{"  powers: {}\n", "  powers: {}\n  switches: [{id: olive-needs-room, rule: PN-080, fr: x, en: x}]\n",
			":10:15: a house rule of 0 values"},
		{"  powers: {}\n", "  powers: {}\n  turn: [start, end]\n",
			`:10:10: a turn in which nobody can make a hypothesis (keep "move", and "act" after it)`},
		{"  powers: {}\n", "  powers: {}\n  marked-face: {draws: 300}\n", "draws: 300 (0 to 4)"},
		{"  powers: {}\n", "  powers: {}\n  events: {}\n", "Time cards without cards to draw"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := cluedo.ParseDeck("phare.yaml", []byte(changed))
		ownfiletest.CheckFaults(t, err)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}

// TestNothingToDraw: where there is nothing to draw, or the pile could run out, no rule may ask for a card: a turn would stop there.
func TestNothingToDraw(t *testing.T) {
	text := read(t, phare)
	before, _, _ := strings.Cut(text, "event-cards:")
	before = strings.Replace(before, ", times: 4", "", 1)
	never := strings.Replace(before, "  policies:\n", "  marked-squares: false\n  policies:\n    displacement-draw-timing: never\n", 1)
	butler := "event-cards:\n  - {id: barque, fr: Barque, en: Boat, kind: move-anywhere}\n"
	whole := strings.Replace(never, "[0, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 6]", 1)
	for _, c := range []struct{ text, want string }{
		{before + "event-cards: []\n", "a face that draws a card (this game has no cards to draw"},
		{before + "event-cards: []\n", "marked squares draw a card, and there is none"},
		{strings.Replace(before, "  policies:\n", "  marked-squares: false\n  policies:\n", 1),
			"a pawn that was moved draws a card, and there is none"},
		{strings.Replace(whole, "times: 8", "", 1) + butler, ""},
		{strings.Replace(whole, "  powers: {}\n", "  powers: {}\n  turn: [start, move, act, end]\n", 1), ""},
	} {
		text := strings.Replace(c.text, "rooms: 8", "rooms: 8, times: 0", 1)
		_, err := cluedo.ParseDeck("phare.yaml", []byte(text))
		ownfiletest.CheckFaults(t, err)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	classic := strings.Replace(string(cluedo.DefaultYAML("cluedo-classic")), "game: cluedo-classic", `game: moved
edition:
  like: cluedo-classic
  name: {fr: x, en: x}
  policies: {displacement-draw-timing: immediate}
  rules: {displaced: MY-001, displaced-now: MY-001}`, 1)
	if _, err := cluedo.ParseDeck("classic.yaml", []byte(classic)); err == nil ||
		!strings.Contains(err.Error(), "this game has none that goes into a hand") {
		t.Errorf("clue cards for who was moved: %v", err)
	}
}

// TestPowersNeedNoCardsToDraw: characters may have Powers in a game without cards to draw. Others wait for Powers as
// for cards, and a seat that is waited for may pass.
func TestPowersNeedNoCardsToDraw(t *testing.T) {
	text := read(t, phare)
	before, _, _ := strings.Cut(text, "event-cards:")
	before = strings.NewReplacer("times: 4", "times: 0", "  powers: {}\n", "  marked-squares: false\n  events: {}\n",
		"    olive-needs-room: \"off\"\n", "    displacement-draw-timing: never\n",
		"[0, 2,", "[1, 2,", `", en: "The Keeper"`, `", en: "The Keeper", power: see-card`).Replace(before)
	for _, id := range []string{"capitaine", "peintre", "medecin", "mousse", "contrebandiere", "naufrage"} {
		before = strings.Replace(before, "{id: "+id, "{id: "+id+", power: see-card", 1)
	}
	book := bookOf(t, parsed(t, "phare.yaml", before))
	passed := 0
	for seed := range uint64(20) {
		_, _, err := play.Run(book.NewGame(), &play.Opts{Seed: seed, MaxSteps: 600, Check: func(s play.Step) error {
			if s.Command.Act == "pass" {
				passed++
			}
			return nil
		}})
		if err != nil && !strings.Contains(err.Error(), "does not end") {
			t.Fatal(err)
		}
	}
	if passed == 0 {
		t.Error("nobody has passed")
	}
}

// TestDeckWhoseSentencesDoNotFitIsRefused: a deck whose sentences do not all fit in one message to the pages is
// refused. Each sentence is within its own limit.
func TestDeckWhoseSentencesDoNotFitIsRefused(t *testing.T) {
	text, err := os.ReadFile(phare)
	if err != nil {
		t.Fatal(err)
	}
	family, err := words.Open(words.FR)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, key := range family.Keys() {
		if strings.HasPrefix(key, "cl.log.") && all.Len() < 40<<10 {
			fmt.Fprintf(&all, "    %s: {fr: %q, en: %q}\n", key, strings.Repeat("é", 100), strings.Repeat("<", 200))
		}
	}
	few, _, _ := strings.Cut(all.String(), "\n")
	for sentences, want := range map[string]string{
		few + "\n":   "",
		all.String(): "bytes of names and sentences (at most 61440 for the whole file",
	} {
		_, err := cluedo.ParseDeck("phare.yaml", []byte(strings.Replace(string(text), "    PN-080:\n", sentences+"    PN-080:\n", 1)))
		ownfiletest.CheckFaults(t, err)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestTooManyHouseRules: a deck whose edition has more house rules than are allowed, and that sets the last of them, is refused with that
// reason.
func TestTooManyHouseRules(t *testing.T) {
	text := read(t, phare)
	var all strings.Builder
	for i := range 17 {
		fmt.Fprintf(&all,
			"    - {id: cats-%d, rule: PN-080, fr: x, en: x, values: [{id: a, fr: x, en: x}, {id: b, fr: x, en: x}], walk: {}}\n", i)
	}
	many := strings.Replace(text, "  policies:\n", "  switches:\n"+all.String()+"  policies:\n", 1) + "rules: {cats-16: b}\n"
	_, err := cluedo.ParseDeck("phare.yaml", []byte(many))
	if ownfiletest.CheckFaults(t, err); err == nil || !strings.Contains(err.Error(), "house rules (at most 16)") {
		t.Error(err)
	}
}

// TestInherited: an edition inherits every policy that it does not mention from the edition named in its like line. A policy that it leaves
// to the table replaces the inherited setting, and {} removes all.
func TestInherited(t *testing.T) {
	text := read(t, phare)
	changed := strings.Replace(text, "  policies:\n    witness-query: all\n", `  switches:
    - {id: witness-query, rule: PN-080, fr: Témoins, en: Witnesses,
       values: [{id: all, fr: Tous, en: All}, {id: until-first, fr: Un, en: One}]}
  presets:
    - {id: one, name: {fr: Un, en: One}, set: {witness-query: until-first}}
  policies:
`, 1)
	book := bookOf(t, parsed(t, "phare.yaml", changed))
	now := book.NewGame().View(engine.Public).Switches
	if now["witness-query"] != "all" || now["preset"] != "other" || now["displacement-draw-timing"] != "immediate" || len(now) != 9 {
		t.Errorf("house rules %v", now)
	}
	for _, n := range book.Names() {
		if n.Kind == "suspect" && n.Of != "" {
			t.Errorf("%s has %s", n.ID, n.Of)
		}
	}
}

// TestInheritedWalks: a house rule about walking is inherited unless the edition sets that word itself or leaves it to the table in another
// way.
func TestInheritedWalks(t *testing.T) {
	for _, c := range []struct {
		says         string
		order, stops bool
	}{
		{"", true, true},
		{"walk: {passages: step}", false, true},
		{"walk: {short: before, squares: once}", true, false},
		{"switches: [{id: combination-order, rule: SC-052, fr: x, en: x, values: [{id: any, fr: x, en: x}], walk: {any: {passages: " +
			"last}}}]", true, true},
	} {
		text := strings.Replace(string(cluedo.DefaultYAML("super-cluedo")), "game: super-cluedo\n",
			"game: mine\nedition:\n  like: super-cluedo\n  name: {fr: x, en: x}\n  "+c.says+"\n", 1)
		text = strings.Replace(strings.Replace(text, "preset: booklet\n", "", 1), "{id: suspect-olive, colour",
			"{id: suspect-olive, fr: x, en: x, colour", 1)
		d, err := cluedo.ParseDeck("mine.yaml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", c.says, err)
			continue
		}
		book := bookOf(t, d)
		now := book.NewGame().View(engine.Public).Switches
		if _, order := now["combination-order"]; order != c.order {
			t.Errorf("%q: %v", c.says, now)
		}
		if _, stops := now["occupied-exact-stop"]; stops != c.stops {
			t.Errorf("%q: %v", c.says, now)
		}
	}
}

// TestSkeleton: the file that an owner starts from is valid, can be played to an end, and is saved with the names that are changed at the
// table.
func TestSkeleton(t *testing.T) {
	text := cluedo.SkeletonYAML("manor")
	d, err := cluedo.ParseDeck("manor.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []string{"movement: declared, checked", "accusation-location: "} {
		if !strings.Contains(string(text), "\n  #   "+policy) {
			t.Errorf("it does not say what may be chosen of %s", policy)
		}
	}
	renamed, r := d.WithLabel("room-3", engine.T("Verger", "Orchard"))
	if r != nil {
		t.Fatal(r)
	}
	kept, err := renamed.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := cluedo.ParseDeck("kept.yaml", kept)
	if err != nil {
		t.Fatalf("%v\n%s", err, kept)
	}
	book := bookOf(t, again)
	if !slices.ContainsFunc(book.Names(), func(n engine.Name) bool { return n.Text.FR == "Verger" }) {
		t.Error("the new name is not kept")
	}
	for seed := range uint64(20) {
		d := newDealer(book, dealing(seed%uint64(numDealings)), chance.New(seed))
		if _, _, err := play.Run(book.NewGame(),
			eveningOpts(book, seed, d, func(s play.Step) error {
				return s.After.(interface{ CheckInvariants() error }).CheckInvariants()
			})); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSkeletonExamples: the examples in the comments of the skeleton can be played when they are uncommented.
func TestSkeletonExamples(t *testing.T) {
	text := string(cluedo.SkeletonYAML("manor"))
	_, example, found := strings.Cut(text, "  #   switches:\n")
	example, _, ends := strings.Cut(example, "  # Les mots")
	if !found || !ends {
		t.Fatal("the skeleton shows no house rule of its owner's own")
	}
	named := strings.Replace(text, "  # Rules of your own have",
		"  switches:\n"+strings.ReplaceAll(example, "  #   ", "  ")+"  # Rules of your own have", 1)
	named = strings.Replace(named, `{id: room-1, fr: "Pièce 1", en: "Room 1", passage`, "{id: room-1, passage", 1)
	book := bookOf(t, parsed(t, "manor.yaml", named))
	for value, want := range map[string]string{"no": "Fumoir", "yes": "Galerie"} {
		if !slices.ContainsFunc(engine.NamesUnderHouseRules(book, map[string]string{"crossing": value}), func(n engine.Name) bool {
			return n.ID == "room-1" && n.Text.FR == want
		}) {
			t.Errorf("crossing %s: room-1 is not called %s", value, want)
		}
	}
	for _, line := range []string{"events: {time: none, replay: none}", "powers: {see-card: none}", "policies: {two-players: none}"} {
		if !strings.Contains(text, "#   "+line+" ") {
			t.Errorf("the skeleton does not show %s", line)
		}
		parsed(t, "like.yaml", "game: like\nedition:\n  like: cluedo-2008\n  name: {fr: x, en: x}\n  "+line+"\n")
	}
	if !strings.Contains(text, "#   without: [weapon-corde, time-8]\n") {
		t.Error("the skeleton does not show how a card is taken out")
	}
	parsed(t, "like.yaml", "game: like\nedition:\n  like: cluedo-2008\n  name: {fr: x, en: x}\nwithout: [weapon-corde, time-8]\n")
}

// TestSettledOtherwise: an edition may set differently from its parent who has to move, when players roll, where they accuse, and what is
// left to a wrong accuser.
func TestSettledOtherwise(t *testing.T) {
	for _, c := range []struct{ like, policies, script string }{
		{"cluedo-2008", `accusation-location: any-room`, `
given seat Violet   "Violet"   suspect-violet
given pawn suspect-rose pool
Rose does roll dice=3+4
Rose does move to=room-salon
Rose does end
Moutarde does roll dice=3+4
Moutarde does move to=pool
  Moutarde sees offers peek end
  Moutarde sees prompt cl.prompt.act.peek        # one accuses in a room
`},
		{"super-cluedo", `roll-when-not-moving: always`, `
given pawn suspect-rose room-grand-salon
Rose does roll dice=3+4
  Rose sees offer passage to=room-bibliotheque,room-cuisine,room-grand-salon,room-veranda,hall,garden-path
Rose does passage to=hall                        # walked to, and through
  all see pawn suspect-rose at=hall
`},
		{"cluedo-classic", `must-move: "no", roll-when-not-moving: always`, `
given pawn suspect-rose room-salon
Rose sees offers roll accuse
Rose does end
  refused forbidden CC-030                       # no turn ends before the dice
Rose does roll dice=3+4
  Rose sees prompt cl.prompt.move.walk n=7
  Rose sees offers move passage accuse end       # a passage, and no right to stay
Rose does end
  all see case step=start turn=Moutarde
`},
		{"cluedo-classic", `roll-when-not-moving: only-when-moving, wrong-accuser-turns: stationary`, `
given pawn suspect-rose room-salon
given active Moutarde
given pawn suspect-moutarde room-cuisine
Moutarde does stay
  Moutarde sees prompt cl.prompt.act.room.accuse
Moutarde does end
Olive does roll dice=3+4
Olive does move to=corridor
Rose sees prompt cl.prompt.start.you             # she may stay, too
Rose does accuse suspect=suspect-rose weapon=weapon-corde room=room-bureau
Rose does verdict value=wrong
Moutarde does stay
Moutarde does end
Olive does roll dice=3+4
Olive does move to=corridor
Rose sees prompt cl.prompt.start.you
Rose does stay
  Rose sees prompt cl.prompt.act.room            # she has accused
  Rose sees offers hypothesis end
`},
	} {
		text := strings.Replace(string(cluedo.DefaultYAML(engine.ID(c.like))), "game: "+c.like+"\n", `game: mine
edition:
  like: `+c.like+`
  name: {fr: x, en: x}
  policies: {`+c.policies+`}
`, 1)
		text = strings.NewReplacer("preset: booklet\n", "", "{id: suspect-olive, colour",
			"{id: suspect-olive, fr: x, en: x, colour").Replace(text)
		scripts, err := scripttest.ParseAll(fstest.MapFS{"mine.script": {Data: []byte(`title  An edition of an owner
covers GEN-002
game   mine
players Rose Moutarde Olive Violet

given switch movement checked
given seat Rose     "Rose"     suspect-rose
given seat Moutarde "Moutarde" suspect-moutarde
given seat Olive    "Olive"    suspect-olive
given board off
given cards
` + c.script)}})
		if err != nil {
			t.Fatal(err)
		}
		scripttest.PlayAll(t, scripts, bookOf(t, parsed(t, "mine.yaml", text)))
	}
}

// TestOneRuleMayBeCitedForEveryEnd: an edition may cite one rule for every end of a game.
func TestOneRuleMayBeCitedForEveryEnd(t *testing.T) {
	text := strings.NewReplacer("    next: PN-012\n",
		"    next: PN-012\n    wins: PN-012\n    lost: PN-012\n    murdered: PN-012\n").Replace(read(t, phare))
	scripts, err := scripttest.ParseAll(fstest.MapFS{"ends.script": {Data: []byte(`title  The same number for each end
covers GEN-002
game   phare-noir
players Anne Bruno Chloé

given switch movement checked
given seat Anne  "Anne"  gardienne
given seat Bruno "Bruno" capitaine
given seat Chloé "Chloé" peintre
given cards

scene  All have accused wrongly
given wrong Bruno Chloé
given pawn gardienne carre
Anne does roll dice=3+4
Anne does move to=puits
Anne does accuse suspect=gardienne weapon=ancre room=cave
mark looked
Anne does verdict value=wrong
  all see result rule=PN-012 winners=nobody msg=cl.over.lost
back looked
Anne does verdict value=right
  all see result rule=PN-012 winners=Anne msg=cl.over.right
back looked
Anne does verdict value=void
  all see result rule=GEN-E09 winners=nobody msg=cl.over.void

scene  All are murdered
given murdered Bruno Chloé
given track 3
Anne does roll dice=?+4
Anne does draw kind=time
  all see result rule=PN-012 winners=nobody msg=cl.over.murdered
`)}})
	if err != nil {
		t.Fatal(err)
	}
	scripttest.PlayAll(t, scripts, bookOf(t, parsed(t, "phare.yaml", text)))
}
