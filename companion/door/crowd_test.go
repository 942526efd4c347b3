package door

import (
	"fmt"
	"testing"
	"time"
)

// TestTheStalestOfTheGreediestGivesWay checks that a newcomer gets the place of the longest idle stranger of the address with
// the most idle ones; a phone that is being served keeps its place.
func TestTheStalestOfTheGreediestGivesWay(t *testing.T) {
	l := newLobby(t)
	var greedy []*Conn
	for i := range 159 {
		c := l.comes(nth(i/20), Stranger, "")
		greedy = append(greedy, c)
		l.later(500 * time.Millisecond)
	}
	phone := l.comes("10.0.0.1", Stranger, "") // the last place
	if _, err := phone.Write([]byte("HTTP/1.1 200 OK")); err != nil {
		t.Fatal(err)
	}
	_, _ = greedy[0].Write([]byte("something, long ago"))
	l.later(1500 * time.Millisecond)
	_, _ = phone.Write([]byte("more"))
	for i := range 20 {
		l.comes(fmt.Sprintf("10.0.1.%d", i), Stranger, "")
		l.later(10 * time.Millisecond)
	}
	if out(phone) {
		t.Error("a phone that is being served had to go")
	}
	gone := 0
	for i, c := range greedy {
		if out(c) {
			gone++
		}
		if i >= 140 && out(c) && !out(greedy[i-140]) && i%20 == 19 {
			t.Errorf("stranger %d went before its elders", i)
		}
	}
	if gone != 20 || out(greedy[0]) {
		t.Errorf("%d of the greedy gave way, the one that was sent something first: %v", gone, out(greedy[0]))
	}
	if c := l.State().Cut["gave-way"]; c != 20 {
		t.Errorf("%d counted", c)
	}
}

// TestTheGreedyPushNobodyOut checks that an address with more connections than others cannot take their places.
func TestTheGreedyPushNobodyOut(t *testing.T) {
	l := newLobby(t)
	var modest []*Conn
	for i := range 128 {
		modest = append(modest, l.comes(nth(i), Stranger, ""))
	}
	for range 32 {
		l.later(time.Second)
		l.comes("10.0.0.1", Stranger, "")
	}
	for range 1000 {
		l.knock("10.0.0.1")
		l.later(time.Second)
	}
	for i, c := range modest {
		if out(c) {
			t.Fatalf("%s had to go", nth(i))
		}
	}
}

// TestWhoHasMorePushesNobodyOut checks the same where that address is below its own limit, and where no connection is idle.
func TestWhoHasMorePushesNobodyOut(t *testing.T) {
	l := newLobby(t)
	var modest []*Conn
	for i := range 150 {
		modest = append(modest, l.comes(nth(i), Stranger, ""))
	}
	var greedy []*Conn
	for range 10 {
		l.later(time.Second)
		greedy = append(greedy, l.comes("10.0.0.1", Stranger, ""))
	}
	for range 100 { // its own connections are being served, so it is refused
		l.later(time.Second)
		for _, c := range greedy {
			_, _ = c.Write([]byte("x"))
		}
		if l.knock("10.0.0.1") != nil {
			t.Fatal("who has ten took the place of who has one")
		}
	}
	l.later(idleAfter)
	for range 100 { // all are idle: it takes the place of its own
		l.later(time.Second)
		l.comes("10.0.0.1", Stranger, "")
	}
	for i, c := range modest {
		if out(c) {
			t.Fatalf("%s had to go", nth(i))
		}
	}
	for _, c := range modest {
		_ = c.Close()
	}
	l = newLobby(t)
	for i := range 160 {
		l.comes(nth(i), Stranger, "")
	}
	if c := l.knock(nth(7)); c != nil { // no connection is idle, and no address has more
		t.Error("a second of one address pushed somebody out who has just come")
	}
	if n := l.State().Refused["crowd"]; n != 1 {
		t.Errorf("%d counted", n)
	}
}

// TestAPageThatLoadsKeepsItsConnections checks that a page that loads over six connections keeps them while other addresses
// have idle ones.
func TestAPageThatLoadsKeepsItsConnections(t *testing.T) {
	l := newLobby(t)
	for i := range 154 {
		l.comes(nth(i/3), Stranger, "")
	}
	l.later(2 * time.Second)
	var page []*Conn
	for range 6 {
		page = append(page, l.comes("10.0.0.1", Stranger, ""))
	}
	for i := range 40 {
		l.later(100 * time.Millisecond)
		for _, c := range page {
			_, _ = c.Write([]byte("x"))
		}
		l.comes(fmt.Sprintf("10.0.1.%d", i), Stranger, "")
	}
	for i, c := range page {
		if out(c) {
			t.Errorf("connection %d of the page had to go", i)
		}
	}
}

// TestWhoWasNeverServedGoesFirst checks that of the connections of one address the one that was never sent anything is cut
// first.
func TestWhoWasNeverServedGoesFirst(t *testing.T) {
	l := newLobby(t)
	served := l.comes("10.0.0.1", Stranger, "")
	_, _ = served.Write([]byte("x"))
	l.later(time.Minute)
	never := l.comes("10.0.0.1", Stranger, "")
	l.later(time.Minute)
	for range addressStrangers - 2 {
		c := l.comes("10.0.0.1", Stranger, "")
		_, _ = c.Write([]byte("x"))
	}
	l.comes("10.0.0.1", Stranger, "")
	if out(served) || !out(never) {
		t.Errorf("gone: who was served %v, who never was %v", out(served), out(never))
	}
}
