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
		{tree.AvailabilityTopic(), "majordome/1/home/salon/availability"},
		{tree.NamesTopic(), "majordome/1/home/salon/names"},
		{tree.StateTopic(), "majordome/1/home/salon/state"},
		{tree.ViewTopic(engine.Public), "majordome/1/home/salon/state"},
		{tree.ViewTopic(engine.SeatViewer(3)), "majordome/1/home/salon/seat/salon-s3/view"},
		{tree.ActTopic(engine.SeatViewer(10)), "majordome/1/home/salon/seat/salon-s10/up"},
		{tree.ReplyTopic(engine.Host), "majordome/1/home/salon/seat/salon-host/reply"},
		{tree.TreeOfPhone(1).ViewTopic(engine.SeatViewer(3)), "majordome/1/home/salon/seat/salon-s3/view"},
		{tree.TreeOfPhone(2).ViewTopic(engine.SeatViewer(3)), "majordome/1/home/salon/seat/salon-s3b/view"},
		{tree.TreeOfPhone(4).ReplyTopic(engine.SeatViewer(10)), "majordome/1/home/salon/seat/salon-s10d/reply"},
		{tree.TreeOfPhone(3).TreeOfPhone(1).ActTopic(engine.SeatViewer(1)), "majordome/1/home/salon/seat/salon-s1/up"},
		{tree.TreeOfPhone(2).ViewTopic(engine.Public), "majordome/1/home/salon/state"},
		{tree.ActTopic(engine.Public), ""},
		{tree.ReplyTopic(engine.Public), ""},
		{tree.UserName(engine.Public), "public"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestEveryUserNameLeadsBackToItsPhone(t *testing.T) {
	tree, _ := NewTree("mm/2", "home", strings.Repeat("t", 26))
	all := tree.Handsets()
	if len(all) != engine.MaxSeats*MaxPhones+MaxHosts {
		t.Fatalf("%d phones, want four of every seat and the host's", len(all))
	}
	for _, h := range all {
		user := tree.TreeOfPhone(h.N).UserName(h.Viewer)
		if got, ok := tree.HandsetOfUser(user); !ok || got != h || !h.IsValid() || !level.MatchString(user) {
			t.Errorf("%v is %q and became %v, %v", h, user, got, ok)
		}
		if got, err := ParseHandset(h.String()); err != nil || got != h {
			t.Errorf("%v is read as %v, %v", h, got, err)
		}
	}
	other, _ := NewTree("mm/2", "home", "salon")
	for _, user := range []string{
		"", UserPublic, UserDaemon, "salon-s0", "salon-s11", "salon-s01", "other-s1", "salon-s1 ", "salon-s1a", "salon-s1e", "salon-hostb",
		"salon-ha", "salon-hd",
	} {
		if h, ok := other.HandsetOfUser(user); ok {
			t.Errorf("user %q is %v", user, h)
		}
	}
	for _, text := range []string{
		"", "public", "public.2", "host.0", "host.4", "seat-1.1", "seat-1.5", "seat-1.0", "seat-1.02", "seat-1.", "seat-11",
		"seat-1.2.3", "seat-1.-1",
	} {
		if h, err := ParseHandset(text); err == nil {
			t.Errorf("%q is read as %v", text, h)
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
