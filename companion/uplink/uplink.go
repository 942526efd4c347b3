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

// qos of all that is told.
const qos = 1

// fresh is how long an event is still worth telling.
const fresh = 5 * time.Second

// Opts are the parameters of an Uplink.
type Opts struct {
	// URL, User, Password, TLS and Dial are as in line.Opts.
	URL, User, Password string
	TLS                 *tls.Config
	Dial                func() (net.Conn, error)
	// Tree names the topics.
	Tree wire.Tree
	// Version of the program, and whether this is a demonstration table.
	Version string
	Demo    bool
	// Language, "fr" or "en", is that of the names by which Home Assistant is told of the table; "": it is told nothing.
	Language string
	// Obey does what a command asks for, as game.Loop.Order does: it never waits. Nil: nothing is obeyed, and nothing heard.
	Obey func(by, act string, args engine.Args, reply func(*engine.Reject))
	// Named: the broker is that of package home, which vouches for who sends a command.
	Named bool
	// ID is who this table is, another for each, drawn once by chance; "": it says nothing of itself, and hears nothing of others.
	ID string
	// Former are names under which this table, by its ID, has told something at an earlier start; at most 8. It is taken back where nobody is there under that name, and Cleared
	// is called with the base of each name of which nothing is left, or which is another table's by now.
	Former  []wire.Tree
	Cleared func(base string)
	// Page is where its pages are, as the display shows it; "": nobody could reach them. Nil: none are told.
	Page func() string
	// OnAccompanied is called when Accompanied has changed. It must not block. Nil: it is not called.
	OnAccompanied func()
	// Timeout and MaxRetry are as in line.Opts; MaxRetry is 30 s if it is zero.
	Timeout, MaxRetry time.Duration
	// Log receives one line per kind of trouble. Nil is silent.
	Log *slog.Logger
}

// Uplink is the line to one broker. Publish and SetNames have one caller.
type Uplink struct {
	opts      Opts
	line      *line.Line
	told      Teller
	obeyer    *obeyer     // nil: nothing is obeyed
	others    *others     // nil: no other tables are heard
	some      atomic.Bool // there were others when one was heard last
	corrector *corrector
	described bool
	roles     []string      // the readers that Home Assistant is told of
	phases    string        // as it is told what they are called
	state     []byte        // as it was told last
	page      string        // as it was told last
	fresh     time.Duration // how long an event is worth telling

	mu       sync.Mutex
	former   []formerName
	kept     map[string][]byte    // all that is retained, to be told again
	device   *device              // as Home Assistant is told of it
	earlier  []byte               // as it was told at an earlier start
	unwanted bool                 // Home Assistant's owner has deleted the device there: until the next start
	wait     func() time.Duration // after Home Assistant has come
	again    *time.Timer
}

// New starts an uplink. Its error is about opts; whether the broker is there shows in Status.
func New(opts *Opts) (*Uplink, error) {
	u := &Uplink{opts: *opts, fresh: fresh, kept: map[string][]byte{}, wait: func() time.Duration { return time.Second + rand.N(4*time.Second) }}
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
		ClientID: "majordome-" + hex.EncodeToString(sum[:6]), // 22 characters: all brokers take 23 (MQTT 3.1.1 section 3.1.3.1)
		Will:     tree.Availability(), Topics: topics, Filters: filters, Receive: u.hear,
		Timeout: opts.Timeout, MaxRetry: u.opts.MaxRetry, Log: opts.Log, Trouble: "uplink: the broker of the house does not take what is told",
		Advice: "le serveur MQTT de la maison ne prend pas ce qu’on lui dit ; la table joue sans lui, et le lien se refait de lui-même"})
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
		u.set(hassControls(tree), nil) // of a start that had commands
	default:
		u.set(hassControls(tree), u.body(controlsOf(tree, opts.Version, opts.Language)))
	}
	u.line.Start()
	return u, nil
}

// introduce says who is speaking.
func (u *Uplink) introduce() {
	if u.opts.Page != nil {
		u.page = u.opts.Page()
	}
	u.set(u.opts.Tree.Info(), u.body(Info{"majordome", u.opts.Version, Schema, u.opts.Demo, u.opts.Obey != nil, u.opts.ID, u.page}))
}

func (u *Uplink) introduceAgain() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.line.Set(map[string][]byte{u.opts.Tree.Info(): u.kept[u.opts.Tree.Info()]})
}

// commands begins the topics of commands.
func (u *Uplink) commands() string { return u.opts.Tree.Base() + "/command/" }

// body is a message as JSON. All of them are of plain fields, which JSON has.
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

// keep is set where u.mu is held.
func (u *Uplink) keep(topic string, body []byte) {
	u.kept[topic] = body
	if u.ofHass(topic) && u.unwanted {
		return
	}
	u.line.Set(map[string][]byte{topic: body})
}

// hear is told that Home Assistant has come, that its owner wants no such device, or how an earlier start has described it, takes
// commands, and hears what the other tables say. Nothing else that is said there is listened to.
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
	case u.opts.Language == "": // Home Assistant is told nothing, and forgets what an earlier start has told
		if u.ofHass(topic) && retained && len(payload) > 0 {
			u.line.Set(map[string][]byte{topic: nil})
		}
	case topic == hassBirth && string(payload) == "online":
		if u.again == nil { // all devices of a house do it then: not at once
			u.again = time.AfterFunc(u.wait(), u.tellAgain)
		}
	case topic == hassConfig(u.opts.Tree) && retained && len(payload) > 0:
		u.earlier = slices.Clone(payload)
		if u.device != nil && u.device.forget(payload) {
			u.keep(topic, u.body(*u.device))
		}
	case u.ofHass(topic) && len(payload) == 0 && u.kept[topic] != nil && !u.unwanted:
		u.unwanted = true
		u.line.Set(map[string][]byte{hassConfig(u.opts.Tree): nil, hassControls(u.opts.Tree): nil}) // the line would bring them back
	}
}

// isOwn reports a topic of this table that is retained.
func (u *Uplink) isOwn(topic string) bool {
	t := u.opts.Tree
	return topic == t.Availability() || topic == t.Info() || topic == t.State() || topic == t.Names() || u.ofHass(topic)
}

// ofHass is a topic that tells Home Assistant of the table.
func (u *Uplink) ofHass(topic string) bool {
	return topic == hassConfig(u.opts.Tree) || topic == hassControls(u.opts.Tree)
}

// tellAgain tells all that is retained once more, for who has come late to a broker that keeps nothing.
func (u *Uplink) tellAgain() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.again = nil
	all := maps.Clone(u.kept)
	maps.DeleteFunc(all, func(topic string, _ []byte) bool { return u.unwanted && u.ofHass(topic) })
	all[u.opts.Tree.Availability()] = []byte(line.Online) // without it all that is told counts as out of date there
	u.line.Set(all)
}

// describe tells Home Assistant of the table, when its readers are others than before.
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

// Publish hands over one step of the table: its public update, as everybody sees it.
func (u *Uplink) Publish(public *wire.Update) {
	if u.opts.Page != nil && u.opts.Page() != u.page { // the network is another
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

// SetNames hands over what each id is called.
func (u *Uplink) SetNames(names engine.Names) { u.set(u.opts.Tree.Names(), u.body(names)) }

// Others are the other tables that tell themselves there, by name.
func (u *Uplink) Others() []Other {
	if u.others == nil {
		return nil
	}
	return u.others.all()
}

// Unshown are the names of further tables that were heard, for which there is no room among Others.
func (u *Uplink) Unshown() []string {
	if u.others == nil {
		return nil
	}
	return u.others.unshownNames()
}

// Accompanied reports that there are any.
func (u *Uplink) Accompanied() bool { return u.others != nil && u.others.some() }

// Twin reports that another table of the same name has spoken since the start: what both tell is mixed.
func (u *Uplink) Twin() bool { return u.others != nil && u.others.twin.Load() }

// Status is how the line stands.
func (u *Uplink) Status() line.Status { return u.line.Status() }

// Close says goodbye and ends the line.
func (u *Uplink) Close() {
	u.corrector.close()
	u.mu.Lock()
	if u.again != nil {
		u.again.Stop()
	}
	u.mu.Unlock()
	u.line.Close()
}
