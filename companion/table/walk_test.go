package table

import (
	"cmp"
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// row is a strip of three parts that notes which was lit alone.
type row struct {
	lit  []int
	over string
}

func (*row) Parts() []engine.Msg {
	return []engine.Msg{engine.Say("host.walk.red"), engine.Say("host.walk.clock"), engine.Say("host.walk.urn")}
}
func (*row) Strips() []wire.Strip { return []wire.Strip{{Frames: 7}} }
func (r *row) Alone(i int)        { r.lit = append(r.lit, i) }
func (r *row) SetOver(to string)  { r.over = to }
func (r *row) Over() string       { return cmp.Or(r.over, wire.LightGame) }

// The host walks along the lights in the lobby and is asked about each; nobody else is told, and a game that begins ends it.
func TestWalkAlongTheLights(t *testing.T) {
	lights := &row{}
	r := newRig(t, newMemory())
	offered := func(act string) bool {
		return slices.ContainsFunc(r.last().Host.View.Offers, func(o engine.Offer) bool { return o.Act == act })
	}
	if offered(actWalk) || r.act(engine.Host, actWalk).OK {
		t.Error("a table without lights is walked along")
	}
	r.core().Lights = lights
	for range 3 {
		r.must(engine.Host, "sit")
	}
	asked := func() string {
		if n := r.last().Public.Notice; n != nil && n.Msg.Key != "" && n.Msg.Key[:5] == "host." {
			t.Error("everybody is told")
		}
		if n := r.last().Host.Notice; n != nil {
			return n.Msg.Key
		}
		return ""
	}
	var keys []string
	for range 4 {
		if !offered(actWalk) {
			t.Fatal("no next light")
		}
		r.must(engine.Host, actWalk)
		if s := r.last(); len(s.Host.Strips) != min(1, r.core().walked) || s.Public.ForHost != nil || s.Seats()[0].ForHost != nil {
			t.Errorf("the host is told %v of the strips, all %+v", s.Host.Strips, s.Public.ForHost)
		}
		keys = append(keys, asked())
	}
	if want := []string{"host.walk.red", "host.walk.clock", "host.walk.urn", ""}; !slices.Equal(keys, want) || offered(actWalkEnd) {
		t.Errorf("asked %v, want %v", keys, want)
	}
	r.must(engine.Host, actWalk)
	if r.act(engine.At(1), actWalk).OK || !offered(actWalkEnd) {
		t.Error("a seat walks")
	}
	r.must(engine.Host, actWalkEnd)
	r.must(engine.Host, actWalk)
	r.must(engine.Host, "begin")
	if want := []int{0, 1, 2, -1, 0, -1, 0, -1}; !slices.Equal(lights.lit, want) || offered(actWalk) || asked() != "" {
		t.Errorf("lit alone %v, want %v; asked %q", lights.lit, want, asked())
	}
	if r.act(engine.Host, actWalk).OK {
		t.Error("a game is disturbed")
	}
}

// seventh is a strip that lights the seventh place of whichever game.
type seventh struct{ row }

func (*seventh) Parts() []engine.Msg {
	return []engine.Msg{engine.Say("host.walk.place", "strip", "1", "part", "place-7")}
}

// A place that the strip has by its number is asked about by the name that it has in the game on the table.
func TestAWalkNamesThePlacesOfTheGame(t *testing.T) {
	book, err := cluedoBook()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, newMemory(), book)
	r.core().Lights = &seventh{}
	r.must(engine.Host, actWalk)
	if n := r.last().Host.Notice; n == nil || n.Msg.Args.Get("part") != "room-salon" || n.Msg.Args.Get("strip") != "1" {
		t.Errorf("asked %+v", n)
	}
}
