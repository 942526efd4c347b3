package broker

import (
	"crypto/rand"
	"crypto/subtle"
	"net"

	"majordome/companion/door"
	"majordome/companion/wire"
)

// Keys checks the connect password of a phone of a seat or of the host, once for each
// password: its counter must rise (companion/doc.go, Connecting; package seal
// has it). A phone without a key is an error.
type Keys interface {
	CheckConnect(h wire.Handset, clientID, password string) error
}

// Rights are the access rules of one table, by companion/doc.go:
//
//  1. public reads availability, names and state;
//  2. a phone of a seat or of the host reads that, its own view and its own reply, and
//     writes its own up; those of another phone of its seat it does not;
//  3. the daemon reads every up, and writes all the others; it alone retains,
//     and never a reply; it comes from loopback;
//  4. nobody has any other right.
type Rights struct {
	read, write, retain rights
	tree                wire.Tree
	keys                Keys
	password            string
}

// rights are topics by user.
type rights map[string]map[string]bool

var _ Access = (*Rights)(nil)

// NewRights makes the rules of the table tree; keys opens its seats, and may be
// nil where only public and daemon connect.
func NewRights(tree wire.Tree, keys Keys) *Rights {
	r := &Rights{read: rights{}, write: rights{}, retain: rights{}, tree: tree, keys: keys, password: rand.Text()}
	common := []string{tree.Availability(), tree.Names(), tree.State()}
	r.read.grant(wire.UserPublic, common...)
	r.write.grant(wire.UserDaemon, common...)
	r.retain.grant(wire.UserDaemon, common...)
	for _, h := range tree.Handsets() {
		v, tree := h.Viewer, tree.Phone(h.N)
		r.read.grant(tree.User(v), common...)
		r.read.grant(tree.User(v), tree.View(v), tree.Reply(v))
		r.write.grant(tree.User(v), tree.Up(v))
		r.read.grant(wire.UserDaemon, tree.Up(v))
		r.write.grant(wire.UserDaemon, tree.View(v), tree.Reply(v))
		r.retain.grant(wire.UserDaemon, tree.View(v))
	}
	return r
}

func (r rights) grant(user string, topics ...string) {
	if r[user] == nil {
		r[user] = map[string]bool{}
	}
	for _, t := range topics {
		r[user][t] = true
	}
}

// DaemonPassword is the password of the user "daemon", random for each Rights.
// It is meant for the relay of the same process and is never stored.
func (r *Rights) DaemonPassword() string { return r.password }

// Authenticate implements Access.
func (r *Rights) Authenticate(user, clientID string, password []byte, remote net.Addr) bool {
	switch user {
	case wire.UserPublic:
		return string(password) == wire.PublicPassword
	case wire.UserDaemon:
		return door.Address(remote).Addr().IsLoopback() && subtle.ConstantTimeCompare(password, []byte(r.password)) == 1
	}
	h, ok := r.tree.Handset(user)
	return ok && r.keys != nil && r.keys.CheckConnect(h, clientID, string(password)) == nil
}

// Kind implements Access.
func (r *Rights) Kind(user string) door.Kind {
	switch h, ok := r.tree.Handset(user); {
	case user == wire.UserDaemon:
		return door.Inside
	case ok && h.IsHost():
		return door.Host
	case ok:
		return door.Seat
	}
	return door.Public
}

// CanRead implements Access.
func (r *Rights) CanRead(user, topic string) bool { return r.read[user][topic] }

// CanWrite implements Access.
func (r *Rights) CanWrite(user, topic string) bool { return r.write[user][topic] }

// CanRetain implements Access.
func (r *Rights) CanRetain(user, topic string) bool { return r.retain[user][topic] }
