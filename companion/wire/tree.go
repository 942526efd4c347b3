package wire

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"majordome/engine"
)

// DefaultPrefix stands before the site in every topic; its number is the
// version of the topic tree.
const DefaultPrefix = "majordome/1"

// Users that are not seats.
const (
	UserPublic = "public" // everybody; password PublicPassword
	UserDaemon = "daemon" // the daemon's own account at the embedded broker
	// PublicPassword is no secret: MQTT 3.1.1 clients must send some password.
	PublicPassword = "public"
	// Display is how the names of clients begin that show the table to the room,
	// behind "public.": the table waits for what they play.
	Display = "display"
)

// level is one level of a topic (also a host name label, so that a table can
// be named after its machine).
var level = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// Tree names the topics and MQTT users of one table, as in companion/doc.go.
// The zero value names nothing useful; make one with NewTree.
//
// Its methods name the first phone of a viewer; Phone gives the tree of another.
type Tree struct {
	base, table string
	suffix      string // of user names: b, c, d for the further phones of a seat or of the host
}

// NewTree makes the tree prefix/site/table. An empty prefix is DefaultPrefix.
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
	if len(table) > 26 { // "-host" is added to make a user name of one level
		return Tree{}, fmt.Errorf("wire: table name %q is longer than 26", table)
	}
	return Tree{base: prefix + "/" + site + "/" + table, table: table}, nil
}

// Phone is the tree as the n-th phone of each seat and of the host has it.
func (t Tree) Phone(n int) Tree {
	t.suffix = ""
	if n > 1 {
		t.suffix = string(rune('a' + n - 1))
	}
	return t
}

// Base is what stands before every topic.
func (t Tree) Base() string { return t.base }

// Others is the filter of one topic of all tables of the site, such as Availability.
func (t Tree) Others(topic string) string {
	return path.Dir(t.base) + "/+" + strings.TrimPrefix(topic, t.base)
}

// Availability is the topic of "online" and "offline".
func (t Tree) Availability() string { return t.base + "/availability" }

// Info is the topic of who is speaking at a broker of the house.
func (t Tree) Info() string { return t.base + "/info" }

// Names is the topic of the public labels.
func (t Tree) Names() string { return t.base + "/names" }

// State is the topic of the public view.
func (t Tree) State() string { return t.base + "/state" }

// View is the topic of v's view. For the public it is State.
func (t Tree) View(v engine.Viewer) string {
	if v == engine.Public {
		return t.State()
	}
	return t.base + "/seat/" + t.User(v) + "/view"
}

// Up is the topic of v's acts. The public has none: "".
func (t Tree) Up(v engine.Viewer) string { return t.own(v, "/up") }

// Reply is the topic of the answers to v's acts. The public has none: "".
func (t Tree) Reply(v engine.Viewer) string { return t.own(v, "/reply") }

func (t Tree) own(v engine.Viewer, leaf string) string {
	if v == engine.Public {
		return ""
	}
	return t.base + "/seat/" + t.User(v) + leaf
}

// User is the MQTT user name of v.
func (t Tree) User(v engine.Viewer) string {
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

// Handset is the phone behind a user name; ok is false for the public, the daemon
// and names of nobody.
func (t Tree) Handset(user string) (h Handset, ok bool) {
	for _, h := range t.Handsets() {
		if t.Phone(h.N).User(h.Viewer) == user {
			return h, true
		}
	}
	return Handset{}, false
}

// Handsets are all who can have a sealed view: the phones of every seat, then those of the host.
func (t Tree) Handsets() []Handset {
	all := make([]Handset, 0, engine.MaxSeats*MaxPhones+MaxHosts)
	for s := engine.Seat(1); s <= engine.MaxSeats; s++ {
		for n := 1; n <= MaxPhones; n++ {
			all = append(all, Handset{engine.At(s), n})
		}
	}
	for n := 1; n <= MaxHosts; n++ {
		all = append(all, Handset{engine.Host, n})
	}
	return all
}
