package uplink

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/line"
	"majordome/companion/wire"
	"majordome/engine"
)

// qos is the quality of service of all messages.
const qos = 1

// eventLifetime is the time within which an event must be sent.
const fresh = 5 * time.Second

// Opts are the parameters of an Uplink.
type Opts struct {
	// URL, User, Password, TLS and Dial are as in line.Opts.
	URL, User, Password string
	TLS                 *tls.Config
	Dial                func() (net.Conn, error)
	// Tree names the topics.
	Tree wire.Tree
	// Version is the program version, and Demo reports a demonstration table.
	Version string
	Demo    bool
	// Language of the names in Home Assistant, "fr" or "en"; "": no message is sent to Home Assistant.
	Language string
	// HandleCommand executes a command, as game.Loop.Order does, without blocking. Nil: commands are not
	// received.
	Obey func(by, act string, args engine.Args, reply func(*engine.Reject))
	// NamesSenders reports that package home is the broker: it vouches for the sender of a command.
	Named bool
	// ID identifies this table; it is random and drawn once. "": no ID is published, and other tables are not
	// received.
	ID string
	// Former lists the names under which this table, with the same ID, has published at earlier starts; at
	// most 8. Their topics are cleared if no table is online under that name. OnCleared is called with the
	// base of each name when nothing is left of it, or when another table has the name.
	Former  []wire.Tree
	Cleared func(base string)
	// Page returns the URL of the table's pages, as the display shows it; "" if they cannot be reached. Nil:
	// none is published.
	Page func() string
	// OnOthersChanged is called when HasOthers has changed. It must not block. Nil: not called.
	OnAccompanied func()
	// Timeout and MaxRetry are as in line.Opts; MaxRetry is 30 s if it is zero.
	Timeout, MaxRetry time.Duration
	// Log receives one line per kind of trouble. Nil is silent.
	Log *slog.Logger
}

// Uplink is the connection to one broker. Only one goroutine may call Publish and SetNames.
type Uplink struct {
	opts      Opts
	line      *line.Line
	told      Teller
	obeyer    *obeyer     // nil: commands are not received
	others    *others     // nil: other tables are not received
	some      atomic.Bool // what HasOthers has returned last
	corrector *corrector
	described bool
	roles     []string      // readers in the description for Home Assistant
	phases    string        // names of the phases, for Home Assistant
	state     []byte        // as published last
	page      string        // as published last
	fresh     time.Duration // of an event; see eventLifetime

	mu       sync.Mutex
	former   []formerName
	kept     map[string][]byte    // all retained messages, by topic
	device   *device              // description for Home Assistant
	earlier  []byte               // description of an earlier start
	unwanted bool                 // the owner has deleted the device in Home Assistant; until the next start
	wait     func() time.Duration // before publishing to Home Assistant that has just started
	again    *time.Timer
}

// New starts an uplink. It returns only errors in opts; Status reports the connection.
func New(opts *Opts) (*Uplink, error) {
	u := &Uplink{opts: *opts, fresh: fresh, kept: map[string][]byte{},
		wait: func() time.Duration { return time.Second + rand.N(4*time.Second) }}
	if u.opts.MaxRetry == 0 {
		u.opts.MaxRetry = 30 * time.Second
	}
	tree := opts.Tree
	sum := sha256.Sum256([]byte(tree.Base() + opts.ID))
	topics := []string{tree.Info(), tree.Names(), tree.State(), hassConfig(tree), hassControls(tree)}
	filters := []string{hassConfig(tree), hassControls(tree), tree.Names()}
	for _, f := range opts.Former {
		if opts.ID != "" && f != tree {
			u.former = append(u.former, formerName{tree: f})
			topics = append(topics, formerTopics(f)...)
			filters = append(filters, f.Info(), f.Availability())
		}
	}
	if opts.Language != "" {
		filters = append(filters, hassBirth)
	}
	if opts.Obey != nil {
		filters = append(filters, u.commands()+map[bool]string{false: "+", true: "#"}[opts.Named])
	}
	u.corrector = newCorrector(tree.Availability())
	u.corrector.want, u.corrector.tell = u.wanted, u.correct
	if opts.ID != "" {
		u.others = newOthers(tree, opts.ID, u.introduceAgain)
		u.corrector.probe, u.corrector.lives = u.others.probe, u.others.lives
		filters = append(filters, u.others.filters()...)
	}
	var err error
	if opts.Language != "" {
		if u.phases, err = phasesIn(opts.Language); err != nil {
			return nil, fmt.Errorf("uplink: %w", err)
		}
	}
	u.line, err = line.New(&line.Opts{URL: opts.URL, Dial: opts.Dial, User: opts.User, Password: opts.Password, TLS: opts.TLS,
		ClientID: "majordome-" + hex.EncodeToString(sum[:6]), // 22 characters: all brokers accept 23 (MQTT 3.1.1 section 3.1.3.1)
		Will:     tree.Availability(), Topics: topics, Filters: filters, Receive: u.hear,
		Timeout: opts.Timeout, MaxRetry: u.opts.MaxRetry, Log: opts.Log,
		Trouble: "uplink: the broker of the house does not take what is told",
		Advice:  "le serveur MQTT de la maison ne prend pas ce qu’on lui dit ; la table joue sans lui, et le lien se refait de lui-même"})
	if err != nil {
		return nil, fmt.Errorf("uplink: %w", err)
	}
	if opts.Obey != nil {
		u.obeyer = newObeyer(u)
	}
	u.introduce()
	switch {
	case opts.Language == "":
		u.kept[hassConfig(tree)], u.kept[hassControls(tree)] = nil, nil
	case opts.Obey == nil:
		u.set(hassControls(tree), nil) // left by a start that had commands
	default:
		u.set(hassControls(tree), u.body(controlsOf(tree, opts.Version, opts.Language)))
	}
	u.line.Start()
	return u, nil
}

// publishInfo publishes the Info of this table.
func (u *Uplink) introduce() {
	if u.opts.Page != nil {
		u.page = u.opts.Page()
	}
	u.set(u.opts.Tree.Info(), u.body(Info{"majordome", u.opts.Version, Schema, u.opts.Demo,
		u.opts.Obey != nil, u.opts.ID, u.page}))
}

func (u *Uplink) introduceAgain() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.line.Set(map[string][]byte{u.opts.Tree.Info(): u.kept[u.opts.Tree.Info()]})
}

// commandPrefix returns the beginning of the topics of commands.
func (u *Uplink) commands() string { return u.opts.Tree.Base() + "/command/" }

// encode returns a message as JSON. All messages have plain fields, so this never fails.
func (u *Uplink) body(what any) []byte {
	b, err := json.Marshal(what)
	if err != nil {
		u.line.Count("unspeakable")
	}
	return b
}

func (u *Uplink) set(topic string, body []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.keep(topic, body)
}

// setRetained publishes a retained message and remembers it. u.mu is held.
func (u *Uplink) keep(topic string, body []byte) {
	u.kept[topic] = body
	if u.ofHass(topic) && u.unwanted {
		return
	}
	u.line.Set(map[string][]byte{topic: body})
}

// receive handles every message that arrives: commands, messages of other tables and twins, and messages
// about Home Assistant (it has started, its owner has deleted the device, the description of an earlier
// start).
func (u *Uplink) hear(topic string, payload []byte, retained bool) {
	if at, is := strings.CutPrefix(topic, u.commands()); is && u.obeyer != nil {
		u.obeyer.hear(at, payload, retained, u.opts.Named)
		return
	}
	if u.hearFormer(topic, payload) {
		return
	}
	if u.others != nil && u.isOwn(topic) {
		u.corrector.hear(topic, payload)
	}
	if u.others != nil && u.others.hear(topic, payload, retained) {
		if some := u.others.some(); u.some.Swap(some) != some && u.opts.OnAccompanied != nil {
			u.opts.OnAccompanied()
		}
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.opts.Language == "": // clear the description of an earlier start
		if u.ofHass(topic) && retained && len(payload) > 0 {
			u.line.Set(map[string][]byte{topic: nil})
		}
	case topic == hassBirth && string(payload) == "online":
		if u.again == nil { // with a random delay, because all devices of a house do this at the same time
			u.again = time.AfterFunc(u.wait(), u.tellAgain)
		}
	case topic == hassConfig(u.opts.Tree) && retained && len(payload) > 0:
		u.earlier = slices.Clone(payload)
		if u.device != nil && u.device.forget(payload) {
			u.keep(topic, u.body(*u.device))
		}
	case u.ofHass(topic) && len(payload) == 0 && u.kept[topic] != nil && !u.unwanted:
		u.unwanted = true
		// Otherwise the line would publish them again when it reconnects.
		u.line.Set(map[string][]byte{hassConfig(u.opts.Tree): nil, hassControls(u.opts.Tree): nil})
	}
}

// isOwnTopic reports whether this table publishes a retained message on a topic.
func (u *Uplink) isOwn(topic string) bool {
	t := u.opts.Tree
	return topic == t.Availability() || topic == t.Info() || topic == t.State() || topic == t.Names() || u.ofHass(topic)
}

// isHassTopic reports whether a topic describes this table to Home Assistant.
func (u *Uplink) ofHass(topic string) bool {
	return topic == hassConfig(u.opts.Tree) || topic == hassControls(u.opts.Tree)
}

// republishAll publishes all retained messages again, for Home Assistant that has started late at a broker
// without retained messages.
func (u *Uplink) tellAgain() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.again = nil
	all := maps.Clone(u.kept)
	maps.DeleteFunc(all, func(topic string, _ []byte) bool { return u.unwanted && u.ofHass(topic) })
	all[u.opts.Tree.Availability()] = []byte(line.Online) // without it, Home Assistant takes all the rest for out of date
	u.line.Set(all)
}

// publishDevice describes the table to Home Assistant, if its readers have changed.
func (u *Uplink) describe(readers map[string]string) {
	roles := slices.Sorted(maps.Keys(readers))
	if u.opts.Language == "" || u.described && slices.Equal(roles, u.roles) {
		return
	}
	u.described, u.roles = true, roles
	d, topic := deviceOf(u.opts.Tree, u.opts.Version, u.opts.Language, u.phases, readers), hassConfig(u.opts.Tree)
	u.mu.Lock()
	defer u.mu.Unlock()
	d.forget(u.earlier)
	d.forget(u.kept[topic])
	u.device = &d
	u.keep(topic, u.body(d))
}

// Publish takes the public update of one step and sends the messages about it.
func (u *Uplink) Publish(public *wire.Update) {
	if u.opts.Page != nil && u.opts.Page() != u.page { // the network has changed
		u.introduce()
	}
	for _, s := range u.told.Hear(public) {
		topic, body := u.opts.Tree.Base()+"/"+s.Topic, u.body(s.What)
		if s.Kept {
			u.state = body
			u.describe(public.Table.Readers)
			u.set(topic, body)
		} else if !u.line.Send(topic, body, time.Now().Add(u.fresh)) {
			u.line.Count("flood")
		}
	}
}

// SetNames publishes the names of all ids.
func (u *Uplink) SetNames(names engine.Names) { u.set(u.opts.Tree.Names(), u.body(names)) }

// OtherTables returns the other tables of the site, sorted by name.
func (u *Uplink) Others() []Other {
	if u.others == nil {
		return nil
	}
	return u.others.all()
}

// UnshownNames returns the names of further tables, for which OtherTables has no room.
func (u *Uplink) Unshown() []string {
	if u.others == nil {
		return nil
	}
	return u.others.unshownNames()
}

// HasOthers reports whether there are other tables.
func (u *Uplink) Accompanied() bool { return u.others != nil && u.others.some() }

// HasTwin reports that another table of the same name has published since the start, so the messages of both
// are mixed.
func (u *Uplink) Twin() bool { return u.others != nil && u.others.twin.Load() }

// Status returns the state of the connection.
func (u *Uplink) Status() line.Status { return u.line.Status() }

// Close publishes "offline" and closes the connection.
func (u *Uplink) Close() {
	u.corrector.close()
	u.mu.Lock()
	if u.again != nil {
		u.again.Stop()
	}
	u.mu.Unlock()
	u.line.Close()
}
