package house

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/engine"
	"majordome/engine/games"
)

// testButton is a button that a test presses by sending.
type testButton chan struct{}

func (f testButton) watch(ctx context.Context, pressed func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f:
			pressed()
		}
	}
}

// TestButtons: a button and a control card pause the game, call the host and switch the lights. The lights then stay as
// they are, whatever the table shows.
func TestButtons(t *testing.T) {
	pause, lights, alarm := make(testButton), make(testButton), make(testButton)
	card, err := devices.ParseUID("04A1B2C3D4E5F6")
	if err != nil {
		t.Fatal(err)
	}
	pictures := newFilm()
	r := startRoles(t, func(o *Opts) {
		o.Strips = []config.Strip{{Strip: pictures, Layout: light.DefaultLayout(7), Opts: *calmOpts()}}
		o.Buttons = []config.Button{{Role: "pause", Watch: pause.watch}, {Role: config.ControlLights, Watch: lights.watch},
			{Role: "alarm", Watch: alarm.watch}, {Role: "call", Tag: card}}
	})
	from := r.mark()
	pause <- struct{}{}
	r.waitUpdate(from, "the game is paused", func(u wire.Update) bool { return u.Paused != nil && u.Paused.Key == "table.paused.held" })
	pause <- struct{}{}
	r.waitUpdate(from, "the game goes on", func(u wire.Update) bool { return u.Notice != nil && u.Notice.Msg.Key == "table.resumed" })
	white := func(px []devices.RGB) bool {
		return !slices.ContainsFunc(px, func(c devices.RGB) bool { return min(c.R, c.G, c.B) < 50 })
	}
	lights <- struct{}{}
	pictures.waitFrame(t, "white", white)
	from = r.mark()
	r.placeTags(engine.ReaderShow, card)
	u := r.waitUpdate(from, "the host is called", func(u wire.Update) bool { return u.Notice != nil && u.Notice.Msg.Key == "table.called" })
	if len(r.signals(from, engine.ReaderShow)) > 0 || u.View.Seats[0].Done {
		t.Error("a control card was taken for a card of the game")
	}
	lights <- struct{}{}
	pictures.waitFrame(t, "as before", func(px []devices.RGB) bool { return !white(px) })
	r.sims[engine.ReaderShow].RemoveTag(card)
	from = r.mark()
	alarm <- struct{}{}
	pictures.waitFrame(t, "white in an alarm", white)
	r.waitUpdate(from, "everything is stopped", func(u wire.Update) bool { return u.Hold != nil && u.Hold.Alarm })
	r.mustHostAct("light", engine.Args{"to": wire.LightDark})
	pictures.waitFrame(t, "dark", func(px []devices.RGB) bool {
		return !slices.ContainsFunc(px, func(c devices.RGB) bool { return c != devices.RGB{} })
	})
	r.mustHostAct("resume", nil)
	pictures.waitFrame(t, "as before the alarm", func(px []devices.RGB) bool {
		return !white(px) && slices.ContainsFunc(px, func(c devices.RGB) bool { return c != devices.RGB{} })
	})
	third := tagOf(t, "role-innocent-3")
	r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, third) }) // the game has seen nothing of it
}

// Control cards that were enrolled do what they are for. A tag that is also a card of the game counts as that card, and
// the configuration overrides the enrolment.
func TestControlCardsThatWereEnrolled(t *testing.T) {
	call, lights := uid(t, 200), uid(t, 201)
	murderer := tagOf(t, "role-murderer")
	r := startRoles(t, func(o *Opts) {
		s, err := store.Open(filepath.Join(o.Config.Data, "majordome.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		for u, role := range map[devices.UID]engine.ID{call: "call", lights: "pause", murderer: "pause", uid(t, 202): "frob"} {
			if err := s.SetTag(cards.ControlDeck, store.Tag{UID: u.String(), Card: role}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		o.Buttons = []config.Button{{Role: config.ControlLights, Tag: lights}}
	})
	want, got := map[devices.UID]string{call: "call", lights: config.ControlLights}, r.house.cards.ControlRoles()
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	from := r.mark()
	r.placeTags(engine.ReaderShow, call)
	r.waitUpdate(from, "the host is called", func(u wire.Update) bool { return u.Notice != nil && u.Notice.Msg.Key == "table.called" })
	r.sims[engine.ReaderShow].RemoveTag(call)
	r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, murderer) })
}

// TestControlCardThatIsACard is refused by name before anything starts.
func TestControlCardThatIsACard(t *testing.T) {
	_, err := Open(Opts{Config: testConfig(t), Decks: games.KnownGames().DefaultDecks(), Log: discardLog(),
		Tags:    map[engine.ID]map[devices.UID]engine.ID{"huis-clos": deckTags(t)},
		Devices: config.Devices{Buttons: []config.Button{{Role: "pause", Tag: tagOf(t, "role-murderer")}}}})
	if err == nil || !strings.Contains(err.Error(), "role-murderer") || !strings.Contains(err.Error(), "another tag") {
		t.Errorf("%v", err)
	}
}

// TestReaderBesideTheGame: a card at the reader for enrolling counts during a check of the box and means nothing to the
// game. If that reader is lost, the table goes on.
func TestReaderBesideTheGame(t *testing.T) {
	r := startRig(t, func(o *Opts) { o.Readers[1].Role = config.RoleEnrol })
	reader := r.sims[engine.ReaderShow]
	eye := r.eyes[config.RoleEnrol]
	eye.waitReady(t, config.RoleEnrol)
	r.mustHostAct("box-check", engine.Args{"on": "yes"})
	from := r.mark()
	murderer := tagOf(t, "role-murderer")
	if err := reader.PlaceTag(murderer, 0); err != nil {
		t.Fatal(err)
	}
	r.waitUpdate(from, "the card counts", func(u wire.Update) bool { return u.Notice != nil && u.Notice.Signal == "accepted" })
	reader.RemoveTag(murderer)
	eye.waitEmpty(t, config.RoleEnrol)
	r.mustHostAct("box-check", engine.Args{"on": "no"})
	r.mustHostAct("begin", nil)
	eye.waitReady(t, config.RoleEnrol)
	from = r.mark()
	if err := reader.PlaceTag(murderer, 0); err != nil {
		t.Fatal(err)
	}
	eye.waitUntil(t, "the card is seen", func() bool { return slices.Contains(eye.arrived[1:], murderer) })
	reader.Unplug(0)
	eye.waitUntil(t, "the reader is lost", func() bool { return eye.failing })
	r.house.waitUntilPublished(t.Context())
	u, _ := r.house.Loop.Snapshot(engine.Public)
	if _, told := u.Table.Readers[config.RoleEnrol]; told || u.View.Seats[0].Done || len(r.signals(from, config.RoleEnrol)) > 0 {
		t.Errorf("readers %v, signals %v, the first seat done: %v", u.Table.Readers, r.signals(from, config.RoleEnrol),
			u.View.Seats[0].Done)
	}
}
