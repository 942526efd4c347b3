package broker

import (
	"net"
	"testing"

	"majordome/companion/door"
	"majordome/companion/wire"
	"majordome/engine"
)

// doored is a table behind the door of package door, which counts both transports.
func doored(t *testing.T) (*table, *door.Door) {
	d, err := door.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return newTableAt(t, nil, func(l net.Listener) net.Listener { return d.Listen(l) }), d
}

func taken(d *door.Door, k door.Kind) int { return d.State().Places[k].Taken }

// A connection has the place of what it has proved to be, and no other, whichever
// way it came; when it ends the place is free.
func TestPlaces(t *testing.T) {
	for name, dial := range transports {
		t.Run(name, func(t *testing.T) {
			tb, d := doored(t)
			if got := map[door.Kind]string{tb.rights.Kind(wire.UserPublic): "public", tb.rights.Kind(tb.tree.User(engine.Host)): "host",
				tb.rights.Kind(tb.tree.User(engine.At(10))): "seat", tb.rights.Kind("anybody"): "public"}; len(got) != 3 {
				t.Errorf("kinds of users: %v", got)
			}
			stranger := dial(t, tb)
			eventually(t, "no stranger", func() bool { return taken(d, door.Stranger) == 1 })
			for k, l := range map[door.Kind]login{door.Public: tb.as(engine.Public), door.Seat: tb.as(engine.At(2)), door.Host: tb.as(engine.Host), door.Inside: tb.asDaemon()} {
				c := dial(t, tb).login(l)
				if taken(d, k) != 1 || taken(d, door.Stranger)+taken(d, door.Returning) != 1 {
					t.Errorf("%s: places are %v", k, d.State().Places)
				}
				c.Close()
				eventually(t, k.String()+" keeps its place", func() bool { return taken(d, k) == 0 })
			}
			stranger.Close()
			eventually(t, "the stranger keeps its place", func() bool { return taken(d, door.Stranger) == 0 })
		})
	}
}

// A wrong password proves nothing.
func TestNoPlaceForAWrongPassword(t *testing.T) {
	tb, d := doored(t)
	l := tb.as(engine.At(2))
	l.password = "guess"
	c := dialTCP(t, tb)
	c.send(l.packet())
	c.wantCut()
	if n := d.State().Places[door.Seat].Most; n != 0 {
		t.Errorf("%d places of seats were taken", n)
	}
}

// One address has sixteen places of the public and each seat four, and the newest have them.
func TestCrowd(t *testing.T) {
	tb, d := doored(t)
	seat := dialTCP(t, tb).login(tb.as(engine.At(1)))
	var public []*client
	for range 17 {
		public = append(public, dialTCP(t, tb).login(tb.as(engine.Public)))
	}
	public[0].wantCut()
	public[16].wantQuiet()
	for range 3 {
		dialTCP(t, tb).login(tb.as(engine.At(1)))
	}
	seat.wantQuiet()
	last := dialTCP(t, tb).login(tb.as(engine.At(1)))
	seat.wantCut()
	last.wantQuiet()
	if s := d.State(); s.Cut["gave-way"] != 1 || s.Cut["replaced"] != 1 {
		t.Errorf("cut: %v", s.Cut)
	}
}
