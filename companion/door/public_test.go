package door

import (
	"fmt"
	"testing"
)

// TestPublic checks that, when all places of the public are taken, the address with the most loses its newest, and only to an
// address that has at least two fewer.
func TestPublic(t *testing.T) {
	l := newTestDoor(t)
	var first []*Conn
	for range 16 {
		first = append(first, l.mustConnect("10.0.0.1", Public, ""))
	}
	for i := range 20 { // 36 in all: the other twelve places are reserved
		l.mustConnect(nthAddress(i), Public, "")
	}
	for i := range 15 {
		l.mustConnect(fmt.Sprintf("10.0.1.%d", i), Public, "")
	}
	if isCut(first[0]) || !isCut(first[1]) {
		t.Error("of sixteen displays of one address one is to stay, the oldest")
	}
	late := l.connectFrom("10.0.2.1")
	if late == nil || late.Promote(Public, "") {
		t.Error("a 37th of the public")
	}
	if n := l.State().Refused["crowd"]; n != 1 {
		t.Errorf("%d counted", n)
	}
}

// TestPlacesOfTheTablesOwnDisplays checks that the displays of this machine and of known addresses get a place and keep it,
// however many addresses read the public state.
func TestPlacesOfTheTablesOwnDisplays(t *testing.T) {
	l := newTestDoor(t)
	_ = l.mustConnect("10.0.0.1", Seat, "s1").Close()
	crowd := func(from string) {
		for i := range 2 * publicPlaces {
			if c := l.connectFrom(fmt.Sprintf("10.%s.%d.1", from, i)); c != nil {
				c.Promote(Public, "")
			}
		}
	}
	crowd("1")
	known := []*Conn{l.mustConnect("10.0.0.1", Public, ""), l.mustConnect("10.0.0.1", Public, "")}
	for i := range maxKnown - 1 { // players at the table are known by many addresses
		from := fmt.Sprintf("2001:db8:0:%x::1", i)
		_ = l.mustConnect(from, Seat, "s2").Close()
		if c := l.connectFrom(from); c != nil {
			c.Promote(Public, "")
		}
	}
	own := []*Conn{l.mustConnect("127.0.0.1", Public, ""), l.mustConnect("127.0.0.1", Public, ""), l.mustConnect("::1", Public, "")}
	crowd("2")
	for i, c := range append(own, known[0]) {
		if isCut(c) {
			t.Errorf("display %d of the table had to go", i)
		}
	}
}

// TestThePublicOfOneNetwork checks that all readers of one network count together: a display of another network gets a place.
func TestThePublicOfOneNetwork(t *testing.T) {
	l := newTestDoor(t)
	for i := range 100 {
		if c := l.connectFrom(fmt.Sprintf("2001:db8:77:1%02x::%x", i, i)); c != nil {
			c.Promote(Public, "")
		}
	}
	for i := range 3 {
		l.mustConnect(fmt.Sprintf("2001:db8:1::%x", i), Public, "")
	}
	l.mustConnect("10.0.0.1", Public, "")
	if late := l.connectFrom("2001:db8:77:1::9999"); late == nil || late.Promote(Public, "") {
		t.Error("who has the most pushed others out")
	}
}
