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
	common := []string{tree.Availability(), tree.Names(), tree.State()}
	topics := append([]string{tree.Base(), tree.Base() + "/seat", ""}, common...)
	users := []string{wire.UserPublic, wire.UserDaemon, "", "t8-s1", "t7-s11", "t7-s0"}
	for _, h := range tree.Handsets() {
		v, tree := h.Viewer, tree.Phone(h.N)
		topics = append(topics, tree.View(v), tree.Up(v), tree.Reply(v))
		users = append(users, tree.User(v))
	}
	for _, user := range users {
		var read, write, retain []string
		me, seated := tree.Handset(user)
		switch {
		case seated: // no rights on the topics of another phone of its seat
			tree := tree.Phone(me.N)
			read = append(slices.Clone(common), tree.View(me.Viewer), tree.Reply(me.Viewer))
			write = []string{tree.Up(me.Viewer)}
		case user == wire.UserPublic:
			read = common
		case user == wire.UserDaemon:
			write, retain = slices.Clone(common), slices.Clone(common)
			for _, h := range tree.Handsets() {
				v, tree := h.Viewer, tree.Phone(h.N)
				read = append(read, tree.Up(v))
				write = append(write, tree.View(v), tree.Reply(v))
				retain = append(retain, tree.View(v))
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
	if tree.View(engine.Public) != tree.State() {
		t.Error("the public's view is not the state")
	}
}
