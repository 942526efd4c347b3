package cluedo

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
)

// TestOnlyADeckOfThisGame: another game's deck, none, or a box larger than the state makes no
// rulebook.
func TestOnlyADeckOfThisGame(t *testing.T) {
	grown := func(suspects, weapons, rooms, events int) func(*Deck) {
		return func(d *Deck) {
			for n := range suspects {
				d.Suspects = append(d.Suspects, Suspect{ID: engine.ID(fmt.Sprint("suspect-", n))})
			}
			for n := range weapons {
				d.Weapons = append(d.Weapons, deck.Named{ID: engine.ID(fmt.Sprint("weapon-", n))})
			}
			for n := range rooms {
				d.Rooms = append(d.Rooms, Room{ID: engine.ID(fmt.Sprint("room-", n))})
			}
			for n := range events {
				d.Events = append(d.Events, EventCard{ID: engine.ID(fmt.Sprint("butler-", n)), Kind: "stay"})
			}
		}
	}
	made := func(change func(*Deck)) error {
		d := DefaultDeck("cluedo-2008")
		change(d)
		_, err := New(d)
		return err
	}
	for n, change := range []func(*Deck){
		func(d *Deck) { d.Game = "huis-clos" },
		grown(5, 0, 0, 0), grown(0, 1, 0, 0), grown(0, 0, 5, 0), grown(0, 0, 0, 16), grown(1, 0, 1, 14),
	} {
		if made(change) == nil {
			t.Errorf("deck %d makes a rulebook", n)
		}
	}
	for _, d := range []*Deck{nil, new(Deck)} {
		if _, err := New(d); err == nil {
			t.Error("no deck makes a rulebook")
		}
	}
	for _, change := range []func(*Deck){grown(4, 0, 0, 0), grown(0, 0, 4, 0), grown(0, 0, 0, 15)} {
		if err := made(change); err != nil {
			t.Error(err)
		}
	}
}

// TestBookOfTheDeck: a new game begins with the house rules of its deck; everything in
// the box has a label in both languages, and what belongs to something else says so; a
// roll is declared with the lower die first, and each is listed once (C8-041).
func TestBookOfTheDeck(t *testing.T) {
	text := strings.Replace(string(DefaultYAML("cluedo-2008")), "game: cluedo-2008\n",
		"game: cluedo-2008\nrules: {olive-needs-room: \"on\"}\n", 1)
	d, err := ParseDeck("box.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d.Faces = []int{5, 0, 2, 5, 3, 2}
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	now := b.newLobby().View(engine.Public).Switches
	if now["olive-needs-room"] != "on" || len(now) != 8 {
		t.Errorf("house rules %v", now)
	}
	counts, of, defaults := map[engine.ID]int{}, map[engine.ID]engine.ID{}, map[engine.ID][]engine.ID{}
	for _, n := range b.Names() {
		counts[n.Kind]++
		of[n.ID] = n.Of
		if n.Text.FR == "" || n.Text.EN == "" {
			t.Errorf("%s is called %+v", n.ID, n.Text)
		}
		if n.Default {
			defaults[n.Of] = append(defaults[n.Of], n.ID)
		}
	}
	if want := (map[engine.ID]int{
		"game": 1, "suspect": 6, "weapon": 9, "room": 9, "pool": 1, "time-card": 8, "butler-card": 16, "switch": 8, "value": 16,
	}); !maps.Equal(counts, want) {
		t.Errorf("names: %v, want %v", counts, want)
	}
	for id, want := range map[engine.ID]engine.ID{
		"suspect-rose":        "power-see-card",
		"weapon-hache":        "",
		"butler-replay-1":     "event-replay",
		"time-1":              "",
		"pool":                "",
		"wrong-accuser-turns": "C8-115",
	} {
		if got, ok := of[id]; !ok || got != want {
			t.Errorf("%s is of %q (%v), want %q", id, got, ok, want)
		}
	}
	for id, value := range now {
		if got := defaults[engine.ID(id)]; !slices.Equal(got, []engine.ID{engine.ID(value)}) {
			t.Errorf("%s: %v is named as the default", id, got)
		}
	}
	if want := []string{"2+2", "2+3", "2+5", "3+3", "3+5", "5+5", "?+2", "?+3", "?+5", "?+?"}; !slices.Equal(b.rolls[0].Domain, want) {
		t.Errorf("rolls %v, want %v", b.rolls[0].Domain, want)
	}
}

// TestPlacesOfTheBook: a place without a card has a name and a passage of its own (SC-055) and counts as an area; a suspect without a Power
// belongs to nothing; without a pool only hands are counted.
func TestPlacesOfTheBook(t *testing.T) {
	d := DefaultDeck("super-cluedo")
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	places := []engine.ID{}
	for _, n := range b.Names() {
		if n.Kind == "area" {
			places = append(places, n.ID)
		}
		if n.Kind == "suspect" && n.Of != "" {
			t.Errorf("%s is of %q", n.ID, n.Of)
		}
	}
	if want := []engine.ID{"hall", "garden-path"}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	if hall, path := b.areaByID["hall"], b.areaByID["garden-path"]; hall == 0 || b.passageTo[hall] != path || b.passageTo[path] != hall {
		t.Errorf("the passages of the Hall (%d) and of the path (%d): %v", hall, path, b.passageTo)
	}
	joined := [][2]engine.ID{{"room-bibliotheque", "room-cuisine"}, {"room-grand-salon", "room-veranda"}, {"hall", "garden-path"}}
	if !slices.Equal(b.passagePairs, joined) || b.stopRules["hall"] != board.StayByTotal || b.stopRules["garden-path"] != board.StayMay {
		t.Errorf("passages %v, stops %v", b.passagePairs, b.stopRules)
	}
	if len(b.marks) == 0 || !b.board.IsMarkedSquare(b.marks[0]) {
		t.Errorf("marked squares %v", b.marks)
	}
	s := b.newLobby()
	s.setPlayer(1, "Olive", 2)
	if hs := s.listHolders(); len(hs) != 1 || hs[0].Seat != 1 {
		t.Errorf("counted are %+v", hs)
	}
	for range maxAreas {
		d.Places = append(d.Places, d.Places[0])
	}
	if _, err := New(d); err == nil {
		t.Error("a box with too many places makes a rulebook")
	}
}

// TestEveryRowHasARule: the edition has a rule for every Butler card and Power; each says
// when it serves, and one that refuses says what it is aimed at.
func TestEveryRowHasARule(t *testing.T) {
	e := loadEdition("cluedo-2008")
	for _, c := range []struct {
		rows  specials
		rules map[string]string
	}{{butlers, e.Events}, {powers, e.Powers}} {
		for _, m := range c.rows {
			if c.rows.findSpecial(m.kind) != m || m.isUsable == nil || m.lateKey == "" || c.rules[m.kind] == "" ||
				m.noMatchKey != "" && m.params == nil {
				t.Errorf("%+v, rule %q", m, c.rules[m.kind])
			}
		}
	}
}

// TestTheMagnifier: the face that draws a clue card has a name, and a face of another box has none.
func TestTheMagnifier(t *testing.T) {
	for game, want := range map[engine.ID]int{"cluedo-classic": 1, "cluedo-2008": 0} {
		faces := 0
		for _, n := range bookOf(t, game).Names() {
			if n.ID == magnifier && n.Kind == "die-face" {
				faces++
			}
		}
		if faces != want {
			t.Errorf("%s names %d faces", game, faces)
		}
	}
}

// TestOnlyRulesOfAPresetAreMarkedAsPartOfIt: only the house rules that a preset sets are marked as part of one.
func TestOnlyRulesOfAPresetAreMarkedAsPartOfIt(t *testing.T) {
	within := map[engine.ID]engine.ID{}
	for _, n := range bookOf(t, "cluedo-classic").Names() {
		if n.Kind == "switch" {
			within[n.ID] = n.Within
		}
	}
	if within["mode"] != presetSwitch || within["clue-cards"] != presetSwitch || within["roll-when-not-moving"] != "" {
		t.Errorf("%v", within)
	}
}

// TestNoEventCards: if an edition has rules for event cards and its deck has none, the game waits for no seat to play one.
func TestNoEventCards(t *testing.T) {
	d := DefaultDeck("cluedo-2008")
	d.Events = nil
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	s := b.newLobby()
	if s.startMoving(); b.hasHeldCards() || b.hasClueCards() || b.hasEventCards() || s.faceDraws != 0 {
		t.Error("there are cards to draw")
	}
}
