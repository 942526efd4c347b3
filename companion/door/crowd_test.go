package door

import (
	"fmt"
	"testing"
	"time"
)

// TestTheStalestOfTheGreediestGivesWay checks that a newcomer gets the place of the longest idle stranger of the address with
// the most idle ones; a phone that is being served keeps its place.
func TestTheStalestOfTheGreediestGivesWay(t *testing.T) {
	l := newTestDoor(t)
	var greedy []*Conn
	for i := range 159 {
		c := l.mustConnect(nthAddress(i/20), Stranger, "")
		greedy = append(greedy, c)
		l.advance(500 * time.Millisecond)
	}
	phone := l.mustConnect("10.0.0.1", Stranger, "") // the last place
	if _, err := phone.Write([]byte("HTTP/1.1 200 OK")); err != nil {
		t.Fatal(err)
	}
	_, _ = greedy[0].Write([]byte("something, long ago"))
	l.advance(1500 * time.Millisecond)
	_, _ = phone.Write([]byte("more"))
	for i := range 20 {
		l.mustConnect(fmt.Sprintf("10.0.1.%d", i), Stranger, "")
		l.advance(10 * time.Millisecond)
	}
	if isCut(phone) {
		t.Error("a phone that is being served had to go")
	}
	gone := 0
	for i, c := range greedy {
		if isCut(c) {
			gone++
		}
		if i >= 140 && isCut(c) && !isCut(greedy[i-140]) && i%20 == 19 {
			t.Errorf("stranger %d went before its elders", i)
		}
	}
	if gone != 20 || isCut(greedy[0]) {
		t.Errorf("%d of the greedy gave way, the one that was sent something first: %v", gone, isCut(greedy[0]))
	}
	if c := l.State().Cut["gave-way"]; c != 20 {
		t.Errorf("%d counted", c)
	}
}

// TestTheGreedyPushNobodyOut checks that an address with more connections than others cannot take their places.
func TestTheGreedyPushNobodyOut(t *testing.T) {
	l := newTestDoor(t)
	var modest []*Conn
	for i := range 128 {
		modest = append(modest, l.mustConnect(nthAddress(i), Stranger, ""))
	}
	for range 32 {
		l.advance(time.Second)
		l.mustConnect("10.0.0.1", Stranger, "")
	}
	for range 1000 {
		l.connectFrom("10.0.0.1")
		l.advance(time.Second)
	}
	for i, c := range modest {
		if isCut(c) {
			t.Fatalf("%s had to go", nthAddress(i))
		}
	}
}

// TestAddressWithMoreConnectionsPushesNobodyOut checks the same where that address is below its own limit, and where no connection is idle.
func TestAddressWithMoreConnectionsPushesNobodyOut(t *testing.T) {
	l := newTestDoor(t)
	var modest []*Conn
	for i := range 150 {
		modest = append(modest, l.mustConnect(nthAddress(i), Stranger, ""))
	}
	var greedy []*Conn
	for range 10 {
		l.advance(time.Second)
		greedy = append(greedy, l.mustConnect("10.0.0.1", Stranger, ""))
	}
	for range 100 { // its own connections are being served, so it is refused
		l.advance(time.Second)
		for _, c := range greedy {
			_, _ = c.Write([]byte("x"))
		}
		if l.connectFrom("10.0.0.1") != nil {
			t.Fatal("who has ten took the place of who has one")
		}
	}
	l.advance(idleAfter)
	for range 100 { // all are idle: it takes the place of its own
		l.advance(time.Second)
		l.mustConnect("10.0.0.1", Stranger, "")
	}
	for i, c := range modest {
		if isCut(c) {
			t.Fatalf("%s had to go", nthAddress(i))
		}
	}
	for _, c := range modest {
		_ = c.Close()
	}
	l = newTestDoor(t)
	for i := range 160 {
		l.mustConnect(nthAddress(i), Stranger, "")
	}
	if c := l.connectFrom(nthAddress(7)); c != nil { // no connection is idle, and no address has more
		t.Error("a second of one address pushed somebody out who has just come")
	}
	if n := l.State().Refused["crowd"]; n != 1 {
		t.Errorf("%d counted", n)
	}
}

// TestAPageThatLoadsKeepsItsConnections checks that a page that loads over six connections keeps them while other addresses
// have idle ones.
func TestAPageThatLoadsKeepsItsConnections(t *testing.T) {
	l := newTestDoor(t)
	for i := range 154 {
		l.mustConnect(nthAddress(i/3), Stranger, "")
	}
	l.advance(2 * time.Second)
	var page []*Conn
	for range 6 {
		page = append(page, l.mustConnect("10.0.0.1", Stranger, ""))
	}
	for i := range 40 {
		l.advance(100 * time.Millisecond)
		for _, c := range page {
			_, _ = c.Write([]byte("x"))
		}
		l.mustConnect(fmt.Sprintf("10.0.1.%d", i), Stranger, "")
	}
	for i, c := range page {
		if isCut(c) {
			t.Errorf("connection %d of the page had to go", i)
		}
	}
}

// TestConnectionThatWasNeverServedIsCutFirst checks that of the connections of one address the one that was never sent anything is cut
// first.
func TestConnectionThatWasNeverServedIsCutFirst(t *testing.T) {
	l := newTestDoor(t)
	served := l.mustConnect("10.0.0.1", Stranger, "")
	_, _ = served.Write([]byte("x"))
	l.advance(time.Minute)
	never := l.mustConnect("10.0.0.1", Stranger, "")
	l.advance(time.Minute)
	for range addressStrangers - 2 {
		c := l.mustConnect("10.0.0.1", Stranger, "")
		_, _ = c.Write([]byte("x"))
	}
	l.mustConnect("10.0.0.1", Stranger, "")
	if isCut(served) || !isCut(never) {
		t.Errorf("gone: who was served %v, who never was %v", isCut(served), isCut(never))
	}
}
