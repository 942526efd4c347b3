package house

import (
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/engine"
)

// walk does a row of the walk along the lights. It returns the key of the question to the host, and the part that it
// names.
func (r *rig) walk(row string) (key, part string) {
	r.t.Helper()
	var w wire.Walk
	r.doRow(row, nil, &w)
	if w.Asks == nil {
		return "", ""
	}
	return w.Asks.Key, w.Asks.Args.Get("part")
}

// TestHostWalksAlongTheLights: each tap of the host lights the next part only, on the strip that has it. It is no step,
// and the beginning of a game ends it.
func TestHostWalksAlongTheLights(t *testing.T) {
	pictures := newFilm()
	l := light.DefaultLayout(7)
	r := startRig(t, func(o *Opts) { o.Strips = []config.Strip{{Strip: pictures, Layout: l, Opts: *calmOpts()}} })
	lit := func(want light.Segment) func([]devices.RGB) bool {
		return func(px []devices.RGB) bool {
			for i, c := range px {
				if (c != devices.RGB{}) != slices.Contains(want, i) {
					return false
				}
			}
			return true
		}
	}
	before := func(px []devices.RGB) bool {
		return px[l.Places[0][0]] != devices.RGB{} && px[l.Places[6][0]] != devices.RGB{} || !lit(l.Places[1])(px)
	}
	from, _ := r.house.Loop.Snapshot(engine.Host)
	for _, want := range []light.Segment{light.NewSegment(0, 35), light.NewSegment(0, 35), {34}, l.Clock, l.Places[0], l.Places[1]} {
		r.walk("walk-next")
		pictures.waitFrame(t, "the next part", lit(want))
	}
	if key, part := r.walk("walk"); key != "host.walk.place" || part != string(from.View.Places[1].Place) {
		t.Errorf("the host is asked %s about %s", key, part)
	}
	if key, _ := r.walk("walk-end"); key != "" {
		t.Errorf("the host is asked %s of no part", key)
	}
	pictures.waitFrame(t, "all as before", before)
	r.walk("walk-next")
	pictures.waitFrame(t, "the first part", lit(light.NewSegment(0, 35)))
	if after, _ := r.house.Loop.Snapshot(engine.Host); after.Rev != from.Rev {
		t.Errorf("a walk is %d steps", after.Rev-from.Rev)
	}
	seen := r.watchRow("walk", "").Seen
	r.mustHostAct("begin", nil)
	if a := r.watchRow("walk", seen); string(a.Value) != "{}" {
		t.Errorf("a reader of the answer is shown %+v of a game", a)
	}
	pictures.waitFrame(t, "all as the game has it", before)
	if why := r.refusalOf("walk-next", nil); why != "table.unknown" {
		t.Errorf("a game is disturbed: %s", why)
	}
}

// TestAWalkAsksAboutAllParts: the host is asked about each part of each strip in order and shown the state of the
// strips meanwhile, and is asked nothing after the last. A place that a strip has by number has its name from the game
// on the table.
func TestAWalkAsksAboutAllParts(t *testing.T) {
	t.Parallel()
	if rows := startRig(t, nil).house.lights.WalkRows(); rows != nil {
		t.Errorf("a table without lights is walked along: %v", rows)
	}
	r := startRig(t, func(o *Opts) {
		o.Strips = []config.Strip{{Strip: newFilm(), Layout: light.DefaultLayout(7)},
			{Strip: newFilm(), Layout: light.Layout{Places: []light.Segment{{0}}}, Rooms: []string{"room-salon"}}}
	})
	r.mustHostAct("new-game", engine.Args{"game": "cluedo-2008", "seats": "clear"})
	var keys, parts []string
	for {
		key, part := r.walk("walk-next")
		if key == "" {
			break
		}
		if keys = append(keys, strings.TrimPrefix(key, "host.walk.")); part != "" {
			parts = append(parts, part)
		}
		var w wire.Walk
		if r.doRow("walk", nil, &w); len(w.Strips) != 2 ||
			w.Asks.Args.Get("strip") != map[bool]string{true: "1", false: "2"}[len(keys) <= 13] {
			t.Errorf("about %s the host is shown %+v", key, w)
		}
	}
	want := "red green last clock place place place place place place place urn show red green last place"
	if strings.Join(keys, " ") != want {
		t.Errorf("asked about %s", keys)
	}
	if len(parts) != 8 || parts[6] != "room-salon" || parts[7] != "room-salon" ||
		slices.ContainsFunc(parts, func(p string) bool { return !strings.HasPrefix(p, "room-") }) {
		t.Errorf("the places are called %v", parts)
	}
	if key, _ := r.walk("walk"); key != "" {
		t.Errorf("after the last the host is asked %s", key)
	}
}
