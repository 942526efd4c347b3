package broker

import (
	"crypto/rand"
	"crypto/subtle"
	"net"

	"majordome/companion/door"
	"majordome/companion/wire"
)

// Keys checks the passwords with which phones of seats and of the host connect; *pair.Desk implements it.
type Keys interface {
	// AcceptConnect returns nil if password is right for the phone h with this client id, and uses it up: its counter must rise with each
	// connect (companion/doc.go, Connecting). A phone without a key is an error.
	AcceptConnect(h wire.Handset, clientID, password string) error
}

// Rights implements the access rules of one table, see companion/doc.go:
//
//  1. The public user reads availability, names and state.
//  2. A phone of a seat or of the host reads the same, its own view and its own reply, and writes its own up topic; it has no right to
//     the topics of another phone of its seat.
//  3. The daemon reads every up topic and writes all the others. Only the daemon retains messages, and never a reply. It connects from
//     loopback.
//  4. There is no other right.
type Rights struct {
	read, write, retain topicsByUser
	tree                wire.Tree
	keys                Keys
	password            string
}

// topicsByUser is a set of topics for each user.
type topicsByUser map[string]map[string]bool

var _ Access = (*Rights)(nil)

// NewRights makes the rules of the table with this topic tree. keys checks the phones; it may be nil if only public and daemon connect.
func NewRights(tree wire.Tree, keys Keys) *Rights {
	r := &Rights{read: topicsByUser{}, write: topicsByUser{}, retain: topicsByUser{}, tree: tree, keys: keys, password: rand.Text()}
	common := []string{tree.AvailabilityTopic(), tree.NamesTopic(), tree.StateTopic()}
	r.read.grantTopics(wire.UserPublic, common...)
	r.write.grantTopics(wire.UserDaemon, common...)
	r.retain.grantTopics(wire.UserDaemon, common...)
	for _, h := range tree.Handsets() {
		v, tree := h.Viewer, tree.TreeOfPhone(h.N)
		r.read.grantTopics(tree.UserName(v), common...)
		r.read.grantTopics(tree.UserName(v), tree.ViewTopic(v), tree.ReplyTopic(v))
		r.write.grantTopics(tree.UserName(v), tree.ActTopic(v))
		r.read.grantTopics(wire.UserDaemon, tree.ActTopic(v))
		r.write.grantTopics(wire.UserDaemon, tree.ViewTopic(v), tree.ReplyTopic(v))
		r.retain.grantTopics(wire.UserDaemon, tree.ViewTopic(v))
	}
	return r
}

func (r topicsByUser) grantTopics(user string, topics ...string) {
	if r[user] == nil {
		r[user] = map[string]bool{}
	}
	for _, t := range topics {
		r[user][t] = true
	}
}

// DaemonPassword returns the password of the user "daemon", which is random for each Rights. It is for the relay of the same process and
// is never stored.
func (r *Rights) DaemonPassword() string { return r.password }

// Authenticate reports whether a client may connect: with the public password, as the daemon from this machine, or with the key
// of a phone. It implements Access.
func (r *Rights) Authenticate(user, clientID string, password []byte, remote net.Addr) bool {
	switch user {
	case wire.UserPublic:
		return string(password) == wire.PublicPassword
	case wire.UserDaemon:
		return door.AddressOf(remote).Addr().IsLoopback() && subtle.ConstantTimeCompare(password, []byte(r.password)) == 1
	}
	h, ok := r.tree.HandsetOfUser(user)
	return ok && r.keys != nil && r.keys.AcceptConnect(h, clientID, string(password)) == nil
}

// KindOf implements Access.
func (r *Rights) KindOf(user string) door.Kind {
	switch h, ok := r.tree.HandsetOfUser(user); {
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
