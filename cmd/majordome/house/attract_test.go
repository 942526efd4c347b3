package house

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/attract"
	"majordome/companion/wire"
	"majordome/engine"
)

// playedAlone is the n-th update of a game that plays automatically as an attraction.
func playedAlone(n uint64) wire.Update {
	return wire.Update{Rev: n, Demo: true,
		View: engine.View{Game: "huis-clos", Phase: "day", Places: []engine.PlaceView{{Place: "place-salon", Lamp: engine.LampCrime}}}}
}

// TestAttractAtATable checks that a table shows such a game only where its configuration asks for it, and only until a
// card is put down, a button is pressed or someone acts.
func TestAttractAtATable(t *testing.T) {
	if h := startRig(t, func(o *Opts) {
		o.Evening = func(context.Context, uint32, engine.Rulebook, []engine.ID, func(wire.Update, []byte)) {}
	}).house; getPath(t, h, "/attract").StatusCode != http.StatusNotFound {
		t.Error("the demonstration plays though it is off")
	}
	wanted := func(o *Opts) {
		o.Players, o.Config.Attract = nil, 1
		o.Evening = func(ctx context.Context, _ uint32, _ engine.Rulebook, _ []engine.ID, show func(wire.Update, []byte)) {
			show(playedAlone(1), []byte(`{"v":1}`))
			<-ctx.Done()
		}
	}
	if a := getPath(t, startRig(t, wanted).house, "/attract"); a.StatusCode != http.StatusNoContent {
		t.Errorf("at the start: %s", a.Status)
	}
	r := openRig(t, wanted)
	r.house.attract = attract.New(attract.Opts{IdleTime: 300 * time.Millisecond, PlayEvening: r.house.opts.Evening,
		Lights: r.house.lights, Decks: r.house.decks})
	r.run()
	for _, x := range []struct {
		what    string
		happens func()
	}{
		{"a card", func() { r.placeTags(engine.ReaderShow, uid(t, 200)) }},
		{"a button", func() { r.house.performControl("call") }},
		{"the office", func() { r.setTrial("no") }},
		{"a seat", func() {
			r.mustHostAct("sit", engine.Args{"seat": "seat-1", "name": "Anne", "character": "character-worms"})
		}},
	} {
		var in *bufio.Scanner
		eventually(t, "the demonstration does not play before "+x.what, func() bool {
			a := getPath(t, r.house, "/attract")
			in = bufio.NewScanner(a.Body)
			return a.StatusCode == http.StatusOK
		})
		if !in.Scan() || !strings.Contains(in.Text(), `"demo":true`) {
			t.Fatalf("%s: %v, %s", x.what, in.Err(), in.Text())
		}
		x.happens()
		if in.Scan() || in.Err() != nil {
			t.Errorf("%s: %v, %s", x.what, in.Err(), in.Text())
		}
	}
	var a *http.Response
	eventually(t, "the door has had enough of this test", func() bool {
		a = getPath(t, r.house, "/attract")
		return a.StatusCode != http.StatusTooManyRequests
	})
	if a.StatusCode != http.StatusNoContent {
		t.Errorf("while somebody sits: %s", a.Status)
	}
}

func getPath(t *testing.T, h *House, path string) *http.Response {
	t.Helper()
	a, err := http.Get("http://" + h.Network.Pages.Addr().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Body.Close() })
	return a
}
