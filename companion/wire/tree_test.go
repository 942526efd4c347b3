package wire

import (
	"strings"
	"testing"

	"majordome/engine"
)

func TestTopicsAreThoseOfTheContract(t *testing.T) {
	tree, err := NewTree("", "home", "salon")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{tree.Base(), "majordome/1/home/salon"},
		{tree.Availability(), "majordome/1/home/salon/availability"},
		{tree.Names(), "majordome/1/home/salon/names"},
		{tree.State(), "majordome/1/home/salon/state"},
		{tree.View(engine.Public), "majordome/1/home/salon/state"},
		{tree.View(engine.At(3)), "majordome/1/home/salon/seat/salon-s3/view"},
		{tree.Up(engine.At(10)), "majordome/1/home/salon/seat/salon-s10/up"},
		{tree.Reply(engine.Host), "majordome/1/home/salon/seat/salon-host/reply"},
		{tree.Up(engine.Public), ""},
		{tree.Reply(engine.Public), ""},
		{tree.User(engine.Public), "public"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestEveryUserNameLeadsBackToItsViewer(t *testing.T) {
	tree, _ := NewTree("mm/2", "home", "salon")
	if n := len(tree.Viewers()); n != engine.MaxSeats+1 {
		t.Fatalf("%d viewers, want every seat and the host", n)
	}
	for _, v := range tree.Viewers() {
		if got, ok := tree.Viewer(tree.User(v)); !ok || got != v {
			t.Errorf("%v became %v, %v", v, got, ok)
		}
	}
	for _, user := range []string{"", UserPublic, UserDaemon, "salon-s0", "salon-s11", "salon-s01", "other-s1", "salon-s1 "} {
		if v, ok := tree.Viewer(user); ok {
			t.Errorf("user %q is %v", user, v)
		}
	}
}

func TestTopicLevelsAreChecked(t *testing.T) {
	for _, c := range [][3]string{
		{"", "", "salon"}, {"", "home", ""}, {"", "home", "a/b"}, {"", "#", "salon"}, {"", "home", "+"},
		{"", "-home", "salon"}, {"", "Home", "salon"}, {"/", "home", "salon"}, {"a//b", "home", "salon"},
		{"a/b/c/d/e", "home", "salon"}, {"", "home", strings.Repeat("t", 27)}, {"$SYS", "home", "salon"},
	} {
		if _, err := NewTree(c[0], c[1], c[2]); err == nil {
			t.Errorf("%q was taken for a tree", c)
		}
	}
}
