package broker

import (
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestRightsAreExactlyThose checks every user with every topic of the table against the rights of package companion, "Topics",
// written out a second time. A user of another table has no rights.
func TestRightsAreExactlyThose(t *testing.T) {
	tree, err := wire.NewTree("", "maison", "t7")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRights(tree, nil)
	common := []string{tree.AvailabilityTopic(), tree.NamesTopic(), tree.StateTopic()}
	topics := append([]string{tree.Base(), tree.Base() + "/seat", ""}, common...)
	users := []string{wire.UserPublic, wire.UserDaemon, "", "t8-s1", "t7-s11", "t7-s0"}
	for _, h := range tree.Handsets() {
		v, tree := h.Viewer, tree.TreeOfPhone(h.N)
		topics = append(topics, tree.ViewTopic(v), tree.ActTopic(v), tree.ReplyTopic(v))
		users = append(users, tree.UserName(v))
	}
	for _, user := range users {
		var read, write, retain []string
		me, seated := tree.HandsetOfUser(user)
		switch {
		case seated: // no rights on the topics of another phone of its seat
			tree := tree.TreeOfPhone(me.N)
			read = append(slices.Clone(common), tree.ViewTopic(me.Viewer), tree.ReplyTopic(me.Viewer))
			write = []string{tree.ActTopic(me.Viewer)}
		case user == wire.UserPublic:
			read = common
		case user == wire.UserDaemon:
			write, retain = slices.Clone(common), slices.Clone(common)
			for _, h := range tree.Handsets() {
				v, tree := h.Viewer, tree.TreeOfPhone(h.N)
				read = append(read, tree.ActTopic(v))
				write = append(write, tree.ViewTopic(v), tree.ReplyTopic(v))
				retain = append(retain, tree.ViewTopic(v))
			}
		}
		for _, topic := range topics {
			for what, got := range map[string][2]bool{
				"read":   {r.CanRead(user, topic), slices.Contains(read, topic)},
				"write":  {r.CanWrite(user, topic), slices.Contains(write, topic)},
				"retain": {r.CanRetain(user, topic), slices.Contains(retain, topic)},
			} {
				if got[0] != got[1] {
					t.Errorf("user %q, %s %q: %v, want %v", user, what, topic, got[0], got[1])
				}
			}
		}
	}
	if tree.ViewTopic(engine.Public) != tree.StateTopic() {
		t.Error("the public's view is not the state")
	}
}
