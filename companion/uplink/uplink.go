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
	"majordome/companion/results"
	"majordome/companion/wire"
	"majordome/engine"
)

// qos is the quality of service of all messages.
const qos = 1

// eventLifetime is the time within which an event must be sent.
const eventLifetime = 5 * time.Second

// Opts are the parameters of an Uplink.
type Opts struct {
	// URL, User, Password, TLS and Dial are as in line.Opts.
	URL, User, Password string
	TLS                 *tls.Config
	Dial                func() (net.Conn, error)
	// NewLink makes the connection. Nil: to an MQTT broker, by package line.
	NewLink func(*line.Opts) (Link, error)
	// Venue reports that the broker belongs to a venue of many tables: nothing is sent to Home Assistant, and the messages
	// of the other tables are not received. Language and Former must be empty.
	Venue bool
	// Tree names the topics.
	Tree wire.Tree
	// Version is the program version, and Demo reports a demonstration table.
	Version string
	Demo    bool
	// Language of the names in Home Assistant, "fr" or "en"; "": no message is sent to Home Assistant.
	Language string
	// HandleCommand executes a command, as game.Loop.ExecuteOrder does, without blocking. Nil: commands are not
	// received.
	HandleCommand func(by, act string, args engine.Args, reply func(*engine.Reject))
	// Granted lists the names of the commands that are executed, of CommandNames. Nil: all.
	Granted []string
	// Results serves a venue with the results of games. Nil: the commands about results do not exist.
	Results *ResultHandlers
	// NamesSenders reports that package home is the broker: it vouches for the sender of a command.
	NamesSenders bool
	// ID identifies this table; it is random and drawn once. "": no ID is published, and other tables are not
	// received.
	ID string
	// Former lists the names under which this table, with the same ID, has published at earlier starts; at
	// most 8. Their topics are cleared if no table is online under that name. OnCleared is called with the
	// base of each name when nothing is left of it, or when another table has the name.
	Former    []wire.Tree
	OnCleared func(base string)
	// Page returns the URL of the table's pages, as the display shows it; "" if they cannot be reached. Nil:
	// none is published.
	Page func() string
	// OnOthersChanged is called when HasOthers has changed. It must not block. Nil: not called.
	OnOthersChanged func()
	// Timeout and MaxRetry are as in line.Opts; MaxRetry is 30 s if it is zero.
	Timeout, MaxRetry time.Duration
	// Log receives one line per kind of trouble. Nil is silent.
	Log *slog.Logger
}

// Uplink is the connection to one broker. Only one goroutine may call Publish and PublishNames.
type Uplink struct {
	opts          Opts
	line          Link
	builder       MessageBuilder
	handler       *commandHandler // nil: commands are not received
	others        *otherTables    // nil: other tables are not received
	hadOthers     atomic.Bool     // what HasOthers has returned last
	corrector     *corrector
	isDescribed   bool
	roles         []string      // readers in the description for Home Assistant
	phases        string        // names of the phases, for Home Assistant
	lastPage      string        // as published last
	eventLifetime time.Duration // as the constant; shorter in tests

	mu              sync.Mutex
	former          []formerName
	retained        map[string][]byte    // all retained messages, by topic
	device          *device              // description for Home Assistant
	earlierDevice   []byte               // description of an earlier start
	isDeviceDeleted bool                 // the owner has deleted the device in Home Assistant; until the next start
	hassDelay       func() time.Duration // before publishing to Home Assistant that has just started
	republishTimer  *time.Timer
}

// New starts an uplink. It returns only errors in opts; Status reports the connection.
func New(opts *Opts) (*Uplink, error) {
	u := &Uplink{opts: *opts, eventLifetime: eventLifetime, retained: map[string][]byte{},
		hassDelay: func() time.Duration { return time.Second + rand.N(4*time.Second) }}
	if u.opts.MaxRetry == 0 {
		u.opts.MaxRetry = 30 * time.Second
	}
	tree := opts.Tree
	name := tree.Base() + opts.ID
	if opts.Venue {
		name += " venue" // it may be the same broker as another connection's
	}
	sum := sha256.Sum256([]byte(name))
	topics, filters := []string{tree.InfoTopic(), tree.NamesTopic(), tree.StateTopic()}, []string{tree.NamesTopic()}
	if !opts.Venue {
		topics = append(topics, hassConfigTopic(tree), hassControlsTopic(tree))
		filters = append(filters, hassConfigTopic(tree), hassControlsTopic(tree))
	}
	for _, f := range opts.Former {
		if opts.ID != "" && f != tree {
			u.former = append(u.former, formerName{tree: f})
			topics = append(topics, formerTopics(f)...)
			filters = append(filters, f.InfoTopic(), f.AvailabilityTopic())
		}
	}
	if opts.Language != "" {
		filters = append(filters, hassStatusTopic)
	}
	if opts.Results != nil {
		topics = append(topics, u.resultsTopic())
	}
	if opts.HandleCommand != nil || opts.Results != nil {
		filters = append(filters, u.commandPrefix()+map[bool]string{false: "+", true: "#"}[opts.NamesSenders])
	}
	u.corrector = newCorrector(tree.AvailabilityTopic())
	u.corrector.expected, u.corrector.republish = u.expectedPayload, u.republish
	if opts.ID != "" {
		u.others = newOtherTables(tree, opts.ID, u.republishInfo)
		u.corrector.probe, u.corrector.isTwinAlive = u.others.checkTwinAlive, u.others.isTwinAlive
		filters = append(filters, u.others.topicFilters(opts.Venue)...)
	}
	var err error
	if opts.Language != "" {
		if u.phases, err = phaseNameMapping(opts.Language); err != nil {
			return nil, fmt.Errorf("uplink: %w", err)
		}
	}
	newLink := opts.NewLink
	if newLink == nil {
		newLink = newLine
	}
	u.line, err = newLink(&line.Opts{URL: opts.URL, Dial: opts.Dial, User: opts.User, Password: opts.Password, TLS: opts.TLS,
		ClientID: "majordome-" + hex.EncodeToString(sum[:6]), // 22 characters: all brokers accept 23 (MQTT 3.1.1 section 3.1.3.1)
		Will:     tree.AvailabilityTopic(), Topics: topics, Filters: filters, Receive: u.handleArrival,
		Timeout: opts.Timeout, MaxRetry: u.opts.MaxRetry, Log: opts.Log,
		LogText: "uplink: the broker of the house does not take what is told",
		Advice:  "le serveur MQTT de la maison ne prend pas ce qu’on lui dit ; la table joue sans lui, et le lien se refait de lui-même"})
	if err != nil {
		return nil, fmt.Errorf("uplink: %w", err)
	}
	if opts.HandleCommand != nil || opts.Results != nil {
		u.handler = newCommandHandler(u)
	}
	u.publishInfo()
	switch {
	case opts.Venue:
	case opts.Language == "":
		u.retained[hassConfigTopic(tree)], u.retained[hassControlsTopic(tree)] = nil, nil
	case opts.HandleCommand == nil:
		u.publishRetained(hassControlsTopic(tree), nil) // left by a start that had commands
	default:
		u.publishRetained(hassControlsTopic(tree), u.encodeJSON(buildControls(tree, opts.Version, opts.Language)))
	}
	u.line.Start()
	return u, nil
}

// publishInfo publishes the Info of this table.
func (u *Uplink) publishInfo() {
	if u.opts.Page != nil {
		u.lastPage = u.opts.Page()
	}
	u.publishRetained(u.opts.Tree.InfoTopic(), u.encodeJSON(Info{"majordome", u.opts.Version, Schema, u.opts.Demo,
		u.opts.HandleCommand != nil, u.opts.ID, u.lastPage}))
}

// republishInfo publishes the last Info again, so that a twin answers it.
func (u *Uplink) republishInfo() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.line.SetTopics(map[string][]byte{u.opts.Tree.InfoTopic(): u.retained[u.opts.Tree.InfoTopic()]})
}

// commandPrefix returns the beginning of the topics of commands.
func (u *Uplink) commandPrefix() string { return u.opts.Tree.Base() + "/command/" }

// encodeJSON returns a message as JSON. All messages have plain fields, so this never fails.
func (u *Uplink) encodeJSON(what any) []byte {
	b, err := json.Marshal(what)
	if err != nil {
		u.line.CountTrouble("unspeakable")
	}
	return b
}

func (u *Uplink) publishRetained(topic string, body []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.publishRetainedLocked(topic, body)
}

// publishRetainedLocked publishes a retained message and remembers it. u.mu is held.
func (u *Uplink) publishRetainedLocked(topic string, body []byte) {
	u.retained[topic] = body
	if u.isHassTopic(topic) && u.isDeviceDeleted {
		return
	}
	u.line.SetTopics(map[string][]byte{topic: body})
}

// handleArrival handles every message that arrives: commands, messages of other tables and twins, and messages
// about Home Assistant (it has started, its owner has deleted the device, the description of an earlier
// start).
func (u *Uplink) handleArrival(topic string, payload []byte, retained bool) {
	if at, is := strings.CutPrefix(topic, u.commandPrefix()); is && u.handler != nil {
		u.handler.handleCommand(at, payload, retained, u.opts.NamesSenders)
		return
	}
	if u.handleFormerMessage(topic, payload) {
		return
	}
	if u.others != nil && u.isOwnTopic(topic) {
		u.corrector.recordOwnTopicMessage(topic, payload)
	}
	if u.others != nil && u.others.handleMessage(topic, payload, retained) {
		if some := u.others.hasShown(); u.hadOthers.Swap(some) != some && u.opts.OnOthersChanged != nil {
			u.opts.OnOthersChanged()
		}
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.opts.Venue:
	case u.opts.Language == "": // clear the description of an earlier start
		if u.isHassTopic(topic) && retained && len(payload) > 0 {
			u.line.SetTopics(map[string][]byte{topic: nil})
		}
	case topic == hassStatusTopic && string(payload) == "online":
		if u.republishTimer == nil { // with a random delay, because all devices of a house do this at the same time
			u.republishTimer = time.AfterFunc(u.hassDelay(), u.republishAll)
		}
	case topic == hassConfigTopic(u.opts.Tree) && retained && len(payload) > 0:
		u.earlierDevice = slices.Clone(payload)
		if u.device != nil && u.device.addRetiredReaders(payload) {
			u.publishRetainedLocked(topic, u.encodeJSON(*u.device))
		}
	case u.isHassTopic(topic) && len(payload) == 0 && u.retained[topic] != nil && !u.isDeviceDeleted:
		u.isDeviceDeleted = true
		// Otherwise the line would publish them again when it reconnects.
		u.line.SetTopics(map[string][]byte{hassConfigTopic(u.opts.Tree): nil, hassControlsTopic(u.opts.Tree): nil})
	}
}

// isOwnTopic reports whether this table publishes a retained message on a topic.
func (u *Uplink) isOwnTopic(topic string) bool {
	t := u.opts.Tree
	return topic == t.AvailabilityTopic() || topic == t.InfoTopic() || topic == t.StateTopic() ||
		topic == t.NamesTopic() || u.isHassTopic(topic)
}

// isHassTopic reports whether a topic describes this table to Home Assistant.
func (u *Uplink) isHassTopic(topic string) bool {
	return topic == hassConfigTopic(u.opts.Tree) || topic == hassControlsTopic(u.opts.Tree)
}

// republishAll publishes all retained messages again, for Home Assistant that has started late at a broker
// without retained messages.
func (u *Uplink) republishAll() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.republishTimer = nil
	all := maps.Clone(u.retained)
	maps.DeleteFunc(all, func(topic string, _ []byte) bool { return u.isDeviceDeleted && u.isHassTopic(topic) })
	all[u.opts.Tree.AvailabilityTopic()] = []byte(line.Online) // without it, Home Assistant takes all the rest for out of date
	u.line.SetTopics(all)
}

// publishDevice describes the table to Home Assistant, if its readers have changed.
func (u *Uplink) publishDevice(readers map[string]string) {
	roles := slices.Sorted(maps.Keys(readers))
	if u.opts.Language == "" || u.isDescribed && slices.Equal(roles, u.roles) {
		return
	}
	u.isDescribed, u.roles = true, roles
	d, topic := buildDevice(u.opts.Tree, u.opts.Version, u.opts.Language, u.phases, readers), hassConfigTopic(u.opts.Tree)
	u.mu.Lock()
	defer u.mu.Unlock()
	d.addRetiredReaders(u.earlierDevice)
	d.addRetiredReaders(u.retained[topic])
	u.device = &d
	u.publishRetainedLocked(topic, u.encodeJSON(d))
}

// Publish queues the messages about one step, given its public update, and returns at once.
func (u *Uplink) Publish(public *wire.Update) {
	if u.opts.Page != nil && u.opts.Page() != u.lastPage { // the network has changed
		u.publishInfo()
	}
	for _, s := range u.builder.BuildMessages(public) {
		topic, body := u.opts.Tree.Base()+"/"+s.Topic, u.encodeJSON(s.Body)
		if s.Retained {
			u.publishDevice(public.Table.Readers)
			u.publishRetained(topic, body)
		} else if !u.line.SendUntil(topic, body, time.Now().Add(u.eventLifetime)) {
			u.line.CountTrouble("flood")
		}
	}
}

// PublishNames publishes the names of all ids.
func (u *Uplink) PublishNames(names engine.Names) {
	u.publishRetained(u.opts.Tree.NamesTopic(), u.encodeJSON(names))
}

func (u *Uplink) resultsTopic() string { return u.opts.Tree.Base() + "/results" }

// PublishIndex publishes the index of the results of this table. Opts.Results must be set. Any goroutine may call it.
func (u *Uplink) PublishIndex(i *results.Index) { u.publishRetained(u.resultsTopic(), u.encodeJSON(i)) }

// SendResult sends a result once. ok is false if it is dropped; the venue asks again for what it lacks. Any goroutine may call it.
func (u *Uplink) SendResult(r *results.Result) (ok bool) {
	return u.line.SendUntil(u.opts.Tree.Base()+"/result", u.encodeJSON(r), time.Now().Add(u.eventLifetime))
}

// OtherTables returns the other tables of the site, sorted by name.
func (u *Uplink) OtherTables() []Other {
	if u.others == nil {
		return nil
	}
	return u.others.listShown()
}

// UnshownNames returns the names of further tables, for which OtherTables has no room.
func (u *Uplink) UnshownNames() []string {
	if u.others == nil {
		return nil
	}
	return u.others.listUnshown()
}

// HasOthers reports whether there are other tables.
func (u *Uplink) HasOthers() bool { return u.others != nil && u.others.hasShown() }

// HasTwin reports whether another table of the same name has published since the start, so the messages of both
// are mixed.
func (u *Uplink) HasTwin() bool { return u.others != nil && u.others.hasTwin.Load() }

// Status returns the state of the connection.
func (u *Uplink) Status() line.Status { return u.line.Status() }

// Close publishes "offline" and closes the connection.
func (u *Uplink) Close() {
	u.corrector.close()
	u.mu.Lock()
	if u.republishTimer != nil {
		u.republishTimer.Stop()
	}
	u.mu.Unlock()
	u.line.Close()
}
