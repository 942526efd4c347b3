package wire

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"majordome/engine"
)

// DefaultPrefix is the part before the site in every topic; its number is the version of the topic
// tree.
const DefaultPrefix = "majordome/1"

// Users that are not seats, and their password.
const (
	UserPublic = "public" // everyone; password PublicPassword
	UserDaemon = "daemon" // the daemon's own account at the embedded broker
	// PublicPassword is no secret: MQTT 3.1.1 clients must send some password.
	PublicPassword = "public"
	// Display begins, after "public.", the client names of displays, which show the table to the
	// room: the table waits for what they play.
	Display = "display"
)

// level matches one level of a topic. It is also a valid host name label, so that a table can be
// named after its machine.
var level = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// Tree names the topics and MQTT users of one table, as described in companion/doc.go. Make one
// with NewTree; the zero value is not usable.
//
// Its methods return the topics and user of the first phone of a viewer; TreeOfPhone returns the tree for
// another.
type Tree struct {
	base, table string
	suffix      string // of user names: "" for the first phone of a seat or of the host, then b, c, d
}

// NewTree returns the tree prefix/site/table. An empty prefix means DefaultPrefix.
func NewTree(prefix, site, table string) (Tree, error) {
	if prefix == "" {
		prefix = DefaultPrefix
	}
	if strings.Count(prefix, "/") > 3 {
		return Tree{}, fmt.Errorf("wire: topic prefix %q has more than 4 levels", prefix)
	}
	for _, l := range append(strings.Split(prefix, "/"), site, table) {
		if !level.MatchString(l) {
			return Tree{}, fmt.Errorf("wire: topic level %q: use 1 to 31 of a-z, 0-9 and hyphens, no hyphen first", l)
		}
	}
	if len(table) > 26 { // a user name adds "-host" and must still be one level
		return Tree{}, fmt.Errorf("wire: table name %q is longer than 26", table)
	}
	return Tree{base: prefix + "/" + site + "/" + table, table: table}, nil
}

// TreeOfPhone returns the tree for the n-th phone of each seat and of the host.
func (t Tree) TreeOfPhone(n int) Tree {
	t.suffix = ""
	if n > 1 {
		t.suffix = string(rune('a' + n - 1))
	}
	return t
}

// Base returns the beginning of every topic.
func (t Tree) Base() string { return t.base }

// FilterOfAllTables returns the filter that matches one topic of this table, such as the
// AvailabilityTopic, for all tables of the site.
func (t Tree) FilterOfAllTables(topic string) string {
	return path.Dir(t.base) + "/+" + strings.TrimPrefix(topic, t.base)
}

// AvailabilityTopic returns the topic of "online" and "offline".
func (t Tree) AvailabilityTopic() string { return t.base + "/availability" }

// InfoTopic returns the topic of the table's description at a broker of the house.
func (t Tree) InfoTopic() string { return t.base + "/info" }

// NamesTopic returns the topic of the public labels.
func (t Tree) NamesTopic() string { return t.base + "/names" }

// StateTopic returns the topic of the public view.
func (t Tree) StateTopic() string { return t.base + "/state" }

// ViewTopic returns the topic of v's view. For the public it is the StateTopic.
func (t Tree) ViewTopic(v engine.Viewer) string {
	if v == engine.Public {
		return t.StateTopic()
	}
	return t.base + "/seat/" + t.UserName(v) + "/view"
}

// ActTopic returns the topic of v's acts; "" for the public, which has none.
func (t Tree) ActTopic(v engine.Viewer) string { return t.privateTopic(v, "/up") }

// ReplyTopic returns the topic of the answers to v's acts; "" for the public, which has none.
func (t Tree) ReplyTopic(v engine.Viewer) string { return t.privateTopic(v, "/reply") }

func (t Tree) privateTopic(v engine.Viewer, leaf string) string {
	if v == engine.Public {
		return ""
	}
	return t.base + "/seat/" + t.UserName(v) + leaf
}

// UserName returns the MQTT user name of v.
func (t Tree) UserName(v engine.Viewer) string {
	if s, ok := v.Seat(); ok {
		return t.table + "-s" + strconv.Itoa(int(s)) + t.suffix
	}
	if v.IsHost() {
		if t.suffix != "" {
			return t.table + "-h" + t.suffix
		}
		return t.table + "-host"
	}
	return UserPublic
}

// HandsetOfUser returns the phone with a user name; ok is false for the public, the daemon and unknown
// names.
func (t Tree) HandsetOfUser(user string) (h Handset, ok bool) {
	for _, h := range t.Handsets() {
		if t.TreeOfPhone(h.N).UserName(h.Viewer) == user {
			return h, true
		}
	}
	return Handset{}, false
}

// Handsets returns all phones that can have a sealed view: those of every seat, then those of the
// host.
func (t Tree) Handsets() []Handset {
	all := make([]Handset, 0, engine.MaxSeats*MaxPhones+MaxHosts)
	for s := engine.Seat(1); s <= engine.MaxSeats; s++ {
		for n := 1; n <= MaxPhones; n++ {
			all = append(all, Handset{engine.SeatViewer(s), n})
		}
	}
	for n := 1; n <= MaxHosts; n++ {
		all = append(all, Handset{engine.Host, n})
	}
	return all
}
