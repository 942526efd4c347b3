package broker

import (
	"fmt"
	"net"
	"testing"

	"majordome/companion/door"
	"majordome/companion/wire"
	"majordome/engine"
)

// newTableBehindDoor starts a table behind a Door of package door, which counts the connections of both transports.
func newTableBehindDoor(t *testing.T) (*table, *door.Door) {
	d, err := door.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return newTableAt(t, nil, func(l net.Listener) net.Listener { return d.WrapListener(l) }), d
}

func countTaken(d *door.Door, k door.Kind) int { return d.State().Places[k].Taken }

// TestPlaces checks that a connection, over either transport, takes a place of the kind that it has authenticated as, and that
// the place is free when it ends.
func TestPlaces(t *testing.T) {
	for name, dial := range transports {
		t.Run(name, func(t *testing.T) {
			tb, d := newTableBehindDoor(t)
			if got := map[door.Kind]string{tb.rights.KindOf(wire.UserPublic): "public",
				tb.rights.KindOf(tb.tree.UserName(engine.Host)):           "host",
				tb.rights.KindOf(tb.tree.UserName(engine.SeatViewer(10))): "seat", tb.rights.KindOf("anybody"): "public"}; len(got) != 3 {
				t.Errorf("kinds of users: %v", got)
			}
			stranger := dial(t, tb)
			eventually(t, "no stranger", func() bool { return countTaken(d, door.Stranger) == 1 })
			for k, l := range map[door.Kind]login{
				door.Public: tb.loginAs(engine.Public),
				door.Seat:   tb.loginAs(engine.SeatViewer(2)),
				door.Host:   tb.loginAs(engine.Host),
				door.Inside: tb.loginAsDaemon(),
			} {
				c := dial(t, tb).login(l)
				if countTaken(d, k) != 1 || countTaken(d, door.Stranger)+countTaken(d, door.Returning) != 1 {
					t.Errorf("%s: places are %v", k, d.State().Places)
				}
				c.Close()
				eventually(t, k.String()+" keeps its place", func() bool { return countTaken(d, k) == 0 })
			}
			stranger.Close()
			eventually(t, "the stranger keeps its place", func() bool { return countTaken(d, door.Stranger) == 0 })
		})
	}
}

// TestNoPlaceForAWrongPassword checks that a wrong password takes no place of a seat.
func TestNoPlaceForAWrongPassword(t *testing.T) {
	tb, d := newTableBehindDoor(t)
	l := tb.loginAs(engine.SeatViewer(2))
	l.password = "guess"
	c := dialTCP(t, tb)
	c.send(l.packet())
	c.wantCut()
	if n := d.State().Places[door.Seat].Peak; n != 0 {
		t.Errorf("%d places of seats were taken", n)
	}
}

// TestCrowd checks the limits of sixteen connections of the public for each address and two for each phone of a seat, and that
// the newest connections keep their places.
func TestCrowd(t *testing.T) {
	tb, d := newTableBehindDoor(t)
	seat := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	var public []*client
	for range 17 {
		public = append(public, dialTCP(t, tb).login(tb.loginAs(engine.Public)))
	}
	public[0].wantCut()
	public[16].wantQuiet()
	dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	seat.wantQuiet()
	last := dialTCP(t, tb).login(tb.loginAs(engine.SeatViewer(1)))
	seat.wantCut()
	last.wantQuiet()
	if s := d.State(); s.Cut["gave-way"] != 1 || s.Cut["replaced"] != 1 {
		t.Errorf("cut: %v", s.Cut)
	}
}

// TestASeatComesBackPastTheIdlePublic checks that a seat reconnects each time, from its own address and from one of the
// public's, while idle logins of the public from one address or from 64 take all the places that they can get.
func TestASeatComesBackPastTheIdlePublic(t *testing.T) {
	for _, from := range []int{1, 64} {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			tb, d := newTableBehindDoor(t)
			at := func(i int) *client {
				dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 10, byte(i))}}
				c, err := dialer.Dial("tcp", tb.tcp)
				if err != nil {
					t.Fatal(err)
				}
				return newClient(t, c)
			}
			for i := range 62 {
				c := at(1 + i%from)
				c.send(tb.loginAs(engine.Public).packet())
				if f, body, err := c.receive(); err == nil && (f != 0x20 || len(body) != 2 || body[1] != 0 && body[1] != connackBusy[3]) {
					t.Fatalf("login %d of the public: %#x % x", i, f, body)
				}
			}
			last := at(1 + 62%from)
			last.send(tb.loginAs(engine.Public).packet())
			if _, body, err := last.receive(); from > 1 && err == nil && body[1] == 0 {
				t.Errorf("%d of the public are in, and one more finds a place", countTaken(d, door.Public))
			}
			held := countTaken(d, door.Public)
			for i := range 18 {
				home := 200
				if i%2 == 1 {
					home = 1 + i%from
				}
				_ = at(home).login(tb.loginAs(engine.SeatViewer(2))).Close()
			}
			if n := countTaken(d, door.Public); n != held {
				t.Errorf("%d places of the public are taken, %d were", n, held)
			}
			t.Logf("%d places were held", held)
		})
	}
}
