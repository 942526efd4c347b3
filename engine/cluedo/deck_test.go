package cluedo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

func TestTheBoxOf2008(t *testing.T) {
	d := DefaultDeck("cluedo-2008")
	kinds := map[string]int{}
	for _, e := range d.Events {
		kinds[e.Kind]++
	}
	// rules/cluedo-2008.md, 1.5.
	for kind, want := range map[string]int{
		"time": 8, "stay": 1, "move-anywhere": 2, "plus-six": 2, "right-neighbour": 1, "replay": 4, "pawn-home": 2,
		"see-card": 2, "no-answer": 2,
	} {
		if kinds[kind] != want {
			t.Errorf("%d cards of kind %s, want %d", kinds[kind], kind, want)
		}
	}
	if len(d.Suspects) != 6 || len(d.Weapons) != 9 || len(d.Rooms) != 9 || len(d.Events) != 24 {
		t.Errorf("%d suspects, %d weapons, %d rooms, %d event cards", len(d.Suspects), len(d.Weapons), len(d.Rooms), len(d.Events))
	}
	marks := 0
	for r := range d.Drawing.Grid {
		marks += strings.Count(d.Drawing.Grid[r], "?")
	}
	if marks != 12 || d.Drawing.Checked {
		t.Errorf("%d marked squares; checked %v", marks, d.Drawing.Checked)
	}
	// C8-021: the guest room is entered by one diagonal step and no other way.
	r := d.Board.FindReach(board.Walk{Square: board.Square{Col: 20, Row: 20}, Points: 1})
	if !r.HasRoom("room-chambre-amis") {
		t.Error("no diagonal step into the guest room")
	}
	for at := (board.Square{Row: 20}); at.Col < 29; at.Col++ {
		if at.Col != 20 && d.Board.FindReach(board.Walk{Square: at, Points: 1}).HasRoom("room-chambre-amis") {
			t.Errorf("the guest room has a way in at %s", at)
		}
	}
	// C8-020: the patio has four ways in.
	if n := strings.Count(strings.Join(d.Board.DrawingRows(), ""), "p"); n != 4 {
		t.Errorf("%d ways into the patio", n)
	}
}

// TestAllFaultsOfABoard: a character that is no square hides no other fault of the drawing, and an unknown house rule none of its values.
func TestAllFaultsOfABoard(t *testing.T) {
	text := string(DefaultYAML("cluedo-2008"))
	for _, c := range [][2]string{
		{`suspect-violet: "20,0"`, `suspect-violet: here`},
		{`    - "...........?................."`, `    - "...........!................."`},
		{`    suspect-rose: "18,28"`, "    suspect-rose: \"18,28\"\n    suspect-nobody: \"17,28\""},
		{"    M: room-salle-a-manger", "    MM: room-salle-a-manger"},
		{"game: cluedo-2008\n", "game: cluedo-2008\nrules: {olive-needs-rest: \"on\"}\n"}, {`{id: time-8, fr: `, `{id: time-8, frr: `},
	} {
		if !strings.Contains(text, c[0]) {
			t.Fatalf("the default deck has no %q", c[0])
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	_, err := ParseDeck("my-box.yaml", []byte(text))
	for _, want := range []string{
		`"here" is no square`,
		`board, column 11: '!' is neither`,
		`"suspect-nobody" is no suspect`,
		`board: room letter "MM"`,
		`unknown house rule "olive-needs-rest"`,
		`unknown key "frr"`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestDeckFaults(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"game", "game: cluedo-2008", "game: cluedo-1949", "unknown game"},
		{"delay", "answer-delay: 1500", "answer-delay: 90000", "time out of range"},
		{"no delay", "answer-delay: 1500", "answer-delay: 0", "500 to 60000"},
		{"no window", "window: 6000", "window: 0", "500 to 60000"},
		{"no pause", "pause: 60000", "pause: 0", ""},
		{"no points", "die-faces: [0, 2, 3, 4, 5, 6]", "die-faces: [0, 0, 0, 0, 0, 0]", "without points"},
		{"passage to itself", `{id: room-hall, fr: "Hall", en: "Hall"}`,
			`{id: room-hall, fr: "Hall", en: "Hall", passage: room-hall}`, "to itself"},
		{"one start for two", `suspect-violet: "20,0"`, `suspect-violet: "6,0"`, "starts at the square of"},
		{"start of nobody", `    suspect-rose: "18,28"`, "    suspect-rose: \"18,28\"\n    suspect-nobody: \"17,28\"", "is no suspect"},
		{"faces", "die-faces: [0, 2,", "die-faces: [2,", "5 faces of a die"},
		{"face", "die-faces: [0, 2,", "die-faces: [0, 7,", "face 7"},
		{"power", "power: random-look", "power: fly",
			"one of [double-move go-to-room hypothesis-elsewhere random-look second-hypothesis see-card]"},
		{"passage", "passage: room-observatoire", "passage: room-hall", "does not lead back"},
		{"kind", "kind: replay", "kind: sing",
			"one of [move-anywhere no-answer pawn-home plus-six replay right-neighbour see-card stay time]"},
		{"twice", "id: weapon-hache", "id: weapon-batte", "used before"},
		{"time", "{id: time-8,", "{id: time-8b, fr: x, en: x, kind: stay}\n  - {id: time-8,", ""},
		{"no time", "{id: time-8, fr: \"Temps\", en: \"Time\", kind: time}", "{id: time-8, fr: \"Temps\", en: \"Time\", kind: stay}",
			"7 Time cards"},
		{"start", `suspect-rose: "18,28"`, `suspect-rose: "28,18,2"`, "is no square"},
		{"start in a room", `suspect-rose: "18,28"`, `suspect-rose: "0,0"`, "which is no square"},
		{"no start", `    suspect-rose: "18,28"`, ``, "has no start square"},
		{"grid", `    - "...........?................."`, `    - "...........!................."`, "column 11"},
		{"grid too large", "  grid:\n", "  grid:\n" + strings.Repeat("    - \""+strings.Repeat(".", 29)+"\"\n", 25),
			"more than 500 squares"},
		{"room without letter", "    M: room-salle-a-manger", "    M: room-attic", "is not drawn"},
		{"switch", "game: cluedo-2008\n", "game: cluedo-2008\nrules: {olive-needs-rest: \"on\"}\n",
			`unknown house rule "olive-needs-rest" (one of [two-players`},
		{"value", "game: cluedo-2008\n", "game: cluedo-2008\nrules: {olive-needs-room: often}\n",
			`unknown value "often" (one of [off on])`},
		{"colour", `{id: suspect-rose, `, `{id: suspect-rose, colour: red, `, `unknown colour ""`},
		{"preset", "game: cluedo-2008\n", "game: cluedo-2008\npreset: web\n", `unknown preset "web"`},
	} {
		text := bytes.Replace(DefaultYAML("cluedo-2008"), []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(text, DefaultYAML("cluedo-2008")) {
			t.Fatalf("%s: the file has no %q", c.name, c.old)
		}
		_, err := ParseDeck("my-box.yaml", text)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var all ownfile.Faults
		if errors.As(err, &all); len(all) > 2 {
			t.Errorf("%s: one change, %d faults: %v", c.name, len(all), err)
		}
		if !slices.ContainsFunc(all, func(f *ownfile.Fault) bool {
			return strings.Contains(f.Error(), c.want) && f.Line > 0 && f.Text().FR != ""
		}) {
			t.Errorf("%s: %v, want %q with its line", c.name, err, c.want)
		}
	}
}

// TestWhatAnEditionHasNot: a box of Super Cluedo with a part of another game is refused. Otherwise the table would reach a step in which no
// seat can act.
func TestWhatAnEditionHasNot(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"a face that draws", "die-faces: [1,", "die-faces: [0,", "a face that draws a card"},
		{"a Power", "{id: suspect-olive, colour", "{id: suspect-olive, power: see-card, colour", "this game has none: take this key out"},
		{"a card to draw", "start: hall\n", "start: hall\nevent-cards:\n  - {id: butler-1, fr: x, en: x, kind: stay}\n",
			"this game has none: take it out"},
		{"a pool", "start: hall\n", "start: hall\npool: {id: pool, fr: x, en: x}\n", "this game deals all cards"},
		{"a start that is nowhere", "start: hall\n", "start: attic\n", `"attic" is neither a room nor a place`},
		{"a board with start squares", "board:\n", "board:\n  starts: {suspect-rose: \"0,7\"}\n", `all pawns begin in "hall"`},
		{"a place that is not drawn", "H: hall", "H: attic", `the room "hall" is not drawn`},
		{"a start on no square", "start: hall\n", "", `"suspect-rose" has no start square`},
		{"too many spy squares", `- "......................................."`, `- "?????????????????????????.............."`,
			"34 marked squares"},
		{"as many as there can be", `- "......................................."`, `- "???????????????????????................"`, ""},
		{"a room where one stops in its own way", `en: "Garden"}`, `en: "Garden", stay: may}`, "a room where one stops in its own way"},
		{"a way of stopping of nobody", "hall, stay: may", "hall, stay: perhaps", `unknown way of stopping "perhaps"`},
		{"one place", `  - {id: garden-path, fr: "Chemin du Jardin", en: "Garden path", passage: hall, stay: may}`, "",
			"1 places without a card instead of 2"},
	} {
		text := strings.Replace(string(DefaultYAML("super-cluedo")), c.old, c.new, 1)
		if text == string(DefaultYAML("super-cluedo")) {
			t.Fatalf("%s: %q is not in the deck", c.name, c.old)
		}
		_, err := ParseDeck("box.yaml", []byte(text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestMostEventCards: there is room for 32 event cards, and in a large box for as many as make 63 cards.
func TestMostEventCards(t *testing.T) {
	for _, c := range []struct {
		rooms, events int
		want          string
	}{{9, 32, ""}, {9, 33, "33 Intrigue cards (at most 32)"}, {13, 31, ""}, {13, 32, "32 Intrigue cards (at most 31)"}} {
		d := &Deck{Suspects: make([]Suspect, 10), Weapons: make([]deck.Named, 9), Rooms: make([]Room, c.rooms)}
		e := loadEdition("cluedo-2008")
		e.Sizes.Times = c.events
		for i := range c.events {
			d.Events = append(d.Events, EventCard{ID: engine.ID(fmt.Sprint("night-", i)), FR: "Nuit", EN: "Night", Kind: EventTime})
		}
		f := deckChecker{deck.Parse("box.yaml", DefaultYAML("cluedo-2008"), new(Deck)), e}
		f.checkEventCards(d)
		if err := f.Err(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d rooms: %v, want %q", c.rooms, err, c.want)
		}
	}
}

// TestMarkedSquaresOfNoUse: where one neither draws a card nor spies on a marked square, a drawing
// with one is refused.
func TestMarkedSquaresOfNoUse(t *testing.T) {
	for _, c := range []struct {
		walk board.Marks
		want int
	}{{board.MarksPause, 0}, {board.MarksPlain, 1}, {"", 1}} {
		d, e := DefaultDeck("super-cluedo"), loadEdition("super-cluedo")
		e.Walk.Marks = c.walk
		f := deckChecker{deck.Parse("box.yaml", DefaultYAML("super-cluedo"), new(Deck)), e}
		f.checkMarks(d.Board)
		var all ownfile.Faults
		if errors.As(f.Err(), &all); len(all) != c.want {
			t.Errorf("%q: %v", c.walk, all)
		}
	}
}

// TestTheBoardOfSuper: nine spy squares (SC-060) where a box has them, two doors, two windows and
// a path into the Garden (SC-044, SC-055), and each room has a way in from the Hall.
func TestTheBoardOfSuper(t *testing.T) {
	d := DefaultDeck("super-cluedo")
	if rows := d.Board.DrawingRows(); len(rows) != 24 || len(rows[0]) != 39 || d.Drawing.Checked {
		t.Errorf("%d rows of %d; checked %v", len(rows), len(rows[0]), d.Drawing.Checked)
	}
	want := "14,4 21,5 27,6 11,8 36,8 36,15 27,17 11,19 23,20"
	got := []string{}
	for _, at := range d.Board.MarkedSquares() {
		got = append(got, at.String())
	}
	if strings.Join(got, " ") != want {
		t.Errorf("spy squares %v", got)
	}
	into := 0
	for r, row := range d.Board.DrawingRows() {
		for c := range row {
			at := board.Square{Col: c, Row: r}
			if d.Board.IsCorridorSquare(at) && d.Board.FindReach(board.Walk{Square: at, Points: 1}).HasRoom("room-jardin") {
				into++
			}
		}
	}
	if into != 6 {
		t.Errorf("%d squares lead into the Garden", into)
	}
	far := d.Board.FindReach(board.Walk{Policy: board.Policy{Rooms: board.RoomsCross}, Room: "hall", Points: 99})
	for _, r := range append(d.Rooms, d.Places...) {
		if r.ID != "hall" && !far.HasRoom(r.ID) {
			t.Errorf("no way from the Hall leads into %s", r.ID)
		}
	}
}

// TestTheBoardOfTheCurrentCluedo: the size, the doors and the starts match the classic board.
func TestTheBoardOfTheCurrentCluedo(t *testing.T) {
	d := DefaultDeck("cluedo-classic")
	rows := d.Board.DrawingRows()
	if len(rows) != 25 || len(rows[0]) != 24 || d.Drawing.Checked {
		t.Errorf("%d rows of %d; checked %v", len(rows), len(rows[0]), d.Drawing.Checked)
	}
	doors := []string{}
	for r, row := range rows {
		for c, cell := range row {
			if cell >= 'a' && cell <= 'z' {
				doors = append(doors, board.Square{Col: c, Row: r}.String())
			}
		}
	}
	if got, want := strings.Join(doors, " "),
		"18,4 8,5 15,5 4,6 9,7 14,7 18,9 7,12 22,12 20,14 6,15 17,16 11,18 12,18 6,19 14,20 17,21"; got != want {
		t.Errorf("doors %s", got)
	}
	for who, want := range map[engine.ID]board.Square{
		"suspect-orchidee": {Col: 9}, "suspect-olive": {Col: 14}, "suspect-pervenche": {Col: 23, Row: 6},
		"suspect-moutarde": {Col: 0, Row: 17}, "suspect-violet": {Col: 23, Row: 19}, "suspect-rose": {Col: 7, Row: 24},
	} {
		if at, ok := d.Board.StartSquare(who); !ok || at != want {
			t.Errorf("%s starts at %s", who, at)
		}
	}
}

// TestColoursAreThoseOfTheNames: the seat that plays Moutarde is amber, on any chair.
func TestColoursAreThoseOfTheNames(t *testing.T) {
	for _, game := range []engine.ID{"super-cluedo", "cluedo-classic"} {
		b, err := New(DefaultDeck(game))
		if err != nil {
			t.Fatal(err)
		}
		for who, colour := range map[engine.ID]string{
			"suspect-rose":     "red",
			"suspect-moutarde": "amber",
			"suspect-olive":    "green",
			"suspect-violet":   "violet",
		} {
			if got := b.suspectColour(uint8(b.cardByID[string(who)])); got != slices.Index(engine.Colours[:], colour)+1 {
				t.Errorf("%s: %s has colour %d", game, who, got)
			}
		}
	}
}
