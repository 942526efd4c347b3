package bench

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// TestSpotsOfCardsSurviveARestart: after a restart the cards are at the same spots, with the same tags; a card that was
// on a reader is back at its previous spot.
func TestSpotsOfCardsSurviveARestart(t *testing.T) {
	file := roomFile(t)
	r := newPickingRig(t, Opts{Dwell: forever, File: file})
	r.move(wire.SpotShow, r.cardsAt("place-salon")[2])
	r.performAct(wire.BenchAct{Act: "pawn", Seat: 2, Place: "place-3"})
	r.performAct(wire.BenchAct{Act: "flip", Card: r.card("weapon-corde").Tag})
	before, _ := r.table.State()
	held := r.cardsAt(wire.SpotShow)[0]
	r.table.Close()

	again := newTable(t, file)
	after, _ := again.State()
	for i := range before.Cards {
		if before.Cards[i].Card == held {
			before.Cards[i].Spot = "place-salon"
		}
	}
	if !reflect.DeepEqual(before.Cards, after.Cards) || !reflect.DeepEqual(before.Pawns, after.Pawns) {
		t.Errorf("before\n%v %v\nafter\n%v %v", before.Cards, before.Pawns, after.Cards, after.Pawns)
	}
	if !reflect.DeepEqual(r.table.CardTags(), again.CardTags()) {
		t.Error("other tags than before")
	}
}

func newTable(t *testing.T, file string) *Table {
	t.Helper()
	table, err := openTable(t, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	return table
}

func openTable(t *testing.T, file string) (*Table, error) {
	t.Helper()
	return openBoxes(file, boxes(t, books(t)...)...)
}

func openBoxes(file string, boxes ...Box) (*Table, error) {
	return New(Opts{File: file, Boxes: boxes,
		Fields: map[string]Field{engine.ReaderUrn: &field{room: 16}, engine.ReaderShow: &field{room: 16}},
		Lamps:  func() []wire.BenchStrip { return nil }, Phones: func() []wire.BenchPlayer { return nil }})
}

// TestKeptByAnOlderVersion: a file from before a game was added, without its box, is valid; that box is full.
func TestKeptByAnOlderVersion(t *testing.T) {
	file := roomFile(t)
	all := boxes(t, books(t)...)
	old, err := openBoxes(file, all[:1]...)
	if err != nil {
		t.Fatal(err)
	}
	weapon := old.cards[0].Tag
	if err := old.PerformAct(wire.BenchAct{Act: "move", Card: weapon, Spot: wire.SpotOpen}); err != nil {
		t.Fatal(err)
	}
	old.Close()
	again := newTable(t, file)
	if c := again.cards.find(weapon); c == nil || c.Spot != wire.SpotOpen || len(again.all) <= len(old.all) {
		t.Errorf("%+v, %d cards after %d", c, len(again.all), len(old.all))
	}
}

// TestKeptSeldom: the file is written when something on the table has moved, not at each update.
func TestKeptSeldom(t *testing.T) {
	file := roomFile(t)
	r := newRig(t, Opts{Dwell: forever, File: file})
	r.move("hand:seat-1", "weapon-corde")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	r.sendUpdate(nil)
	if _, err := os.Stat(file); err == nil {
		t.Error("written though nothing has moved")
	}
	r.move(wire.SpotBox, "weapon-corde")
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// TestBroken: the error for a file that does not belong to this table names it, in both languages.
func TestBroken(t *testing.T) {
	file := roomFile(t)
	newTable(t, file)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no JSON":         "{",
		"empty":           "",
		"other cards":     `{"cards":[{"tag":"04A1B2C3","spot":"box"}]}`,
		"a bad tag":       strings.Replace(string(good), `"tag":"04`, `"tag":"zz`, 1),
		"an unknown spot": strings.Replace(string(good), `"spot":"box"`, `"spot":"pocket"`, 1),
		"on a reader":     strings.Replace(string(good), `"spot":"box"`, `"spot":"slot"`, 1),
		"a bad pawn":      strings.Replace(string(good), `"pawns":{}`, `"pawns":{"77":"place-salon"}`, 1),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := openTable(t, file)
		var broken *TableFileError
		if !errors.As(err, &broken) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if both := broken.Text(); !strings.Contains(both.FR, file) || !strings.Contains(both.EN, file) {
			t.Errorf("%s: the file is not named: %v", name, both)
		}
	}
}

// TestUnwritableFolderStopsNoGame: a folder that cannot be written does not stop the game.
func TestUnwritableFolderStopsNoGame(t *testing.T) {
	r := newRig(t, Opts{Dwell: forever, File: roomFile(t) + "/nowhere/room.json"})
	r.move("hand:seat-1", "weapon-corde")
	r.checkSpot("weapon-corde", "hand:seat-1")
}

// TestRename: after the owner has changed the deck, the cards are at the same spots, with other labels.
func TestRename(t *testing.T) {
	d, r := huisclos.DefaultDeck().WithLabel("weapon-4", engine.T("Chandelier", "Candlestick"))
	if r != nil {
		t.Fatal(r)
	}
	if d, r = d.(deck.WeaponDeck).WithSwappedWeapon("place-3", "weapon-4"); r != nil {
		t.Fatal(r)
	}
	book, err := d.NewRulebook()
	if err != nil {
		t.Fatal(err)
	}
	table := newTable(t, "")
	before, changed := table.State()
	table.RenameCards("huis-clos", book.Names())
	<-changed
	after, _ := table.State()
	for i, c := range after.Cards {
		want := before.Cards[i]
		if c.Card == "weapon-4" {
			want.Name = engine.T("Chandelier", "Candlestick")
		}
		if c != want {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
	if got := table.ownerOfCard("weapon-4"); got != "place-3" {
		t.Errorf("weapon 4 belongs to %s", got)
	}
}
