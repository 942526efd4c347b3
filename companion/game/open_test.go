package game

import (
	"bytes"
	"errors"
	"testing"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
)

// The owner edits the deck between two evenings. What was played with the old deck can no longer be read: a finished
// game is put away, a running game waits for the owner's decision, and neither is lost.
func TestDeckEditedBetweenEvenings(t *testing.T) {
	m := newMemory()
	r := newRig(t, m, cluedo2008(t))
	for i, who := range []string{"suspect-rose", "suspect-olive", "suspect-violet"} {
		r.mustAct(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", numberedName("N", i), "character", who)
	}
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.Host, "deal")
	r.mustAct(engine.SeatViewer(1), "roll", "dice", "2+3")
	played := len(m.events[1])

	for name, change := range map[string][2]string{
		"another die":             {"die-faces: [0, 2, 3, 4, 5, 6]", "die-faces: [0, 1, 3, 4, 5, 6]"},
		"another id for a weapon": {"{id: weapon-batte,", "{id: weapon-bat,"},
	} {
		text := bytes.Replace(cluedo.DefaultYAML("cluedo-2008"), []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(text, cluedo.DefaultYAML("cluedo-2008")) {
			t.Fatalf("%s: the deck has no %q", name, change[0])
		}
		d, err := cluedo.ParseDeck("own.yaml", text)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := cluedo.New(d)
		if err != nil {
			t.Fatal(name, err)
		}
		opens := func(m *memory, o Opts) (*Loop, error) {
			o.Epoch, o.Clock, o.Dice, o.Desk, o.Readers = 9, r.clock, chance.New(1), r.desk, []string{engine.ReaderShow}
			return New(m, publisher(func(Step) {}), []engine.Rulebook{b}, &o)
		}
		lobby := func(m *memory, l *Loop) {
			t.Helper()
			if g, _, _ := m.CurrentGame(); g.ID != 2 || g.Book != b.ID() || !l.core.isInLobby() || len(m.events[1]) != played {
				t.Errorf("%s: game %d of %s, %d events of the old one", name, g.ID, g.Book, len(m.events[1]))
			}
		}

		_, err = opens(m.copy(), Opts{})
		var other *OtherDeckError
		if !errors.As(err, &other) || other.Msg().Key != "table.other-deck" {
			t.Errorf("%s: a game under way: %v", name, err)
		}
		asked := m.copy()
		l, err := opens(asked, Opts{NewGame: true})
		if err != nil {
			t.Fatal(name, err)
		}
		lobby(asked, l)
		if l.core.openingNotices.public != nil {
			t.Errorf("%s: announced though it was asked for", name)
		}

		over := m.copy()
		over.result[1] = &store.Result{}
		if l, err = opens(over, Opts{}); err != nil {
			t.Fatal(name, err)
		}
		lobby(over, l)
		if p := l.core.openingNotices.public; p == nil || p.Msg.Key != "table.put-away" {
			t.Errorf("%s: nobody is notified", name)
		}
	}
}
