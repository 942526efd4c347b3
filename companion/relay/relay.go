package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of what waits.
const (
	maxReplies  = 64      // replies not sent yet, all viewers together
	maxPerPhone = 8       // acts of one phone not opened yet
	maxAct      = 4 << 10 // bytes of a sealed act; package seal knows the exact size
	logEvery    = 10 * time.Second
	online      = "online"
	offline     = "offline"
	logMessages = "relay: messages dropped or link troubled"
)

// Sealer is what the relay needs of package seal's Ring.
type Sealer interface {
	SealViews(epoch uint64, updates []wire.Update, topicOf func(wire.Handset) string) ([]seal.Sealed, error)
	OpenAct(h wire.Handset, topic string, epoch uint64, payload []byte) (wire.Act, error)
	SealReply(h wire.Handset, topic string, epoch, seq uint64, reply wire.Reply) ([]byte, error)
}

// Opts are the parameters of a Relay. Zero durations take the default.
type Opts struct {
	// URL of the broker: tcp://host:1883, ssl://host:8883, ws://host/mqtt or
	// wss://host/mqtt.
	URL string
	// User and Password are the daemon's account at that broker.
	User, Password string
	// Tree names the topics.
	Tree wire.Tree
	// Sealer holds the keys.
	Sealer Sealer
	// Epoch of all views, acts and replies: it rises with each start.
	Epoch uint64
	// KeepAlive is the MQTT keepalive, in whole seconds. Default 15 s; a dead
	// link is found after that and Timeout.
	KeepAlive time.Duration
	// Timeout for a connect, a ping, a write and an acknowledgement. Default 5 s.
	Timeout time.Duration
	// MaxRetry is the longest pause between two tries to connect; the first is
	// a quarter second, each next twice as long. Default 10 s.
	MaxRetry time.Duration
	// Log receives one line per kind of trouble. Nil is silent.
	Log *slog.Logger
}

// Inbound is an act as it came in.
type Inbound struct {
	Phone wire.Handset
	Act   wire.Act
	// Reply answers this act to the phone that sent it, and to no other of its seat. It never blocks. A reply may be
	// lost with the link; the next Update tells the same.
	Reply func(wire.Reply)
}

// Status is how the link stands.
type Status struct {
	// Connected: the broker has let us in and the subscriptions are answered.
	Connected bool
	// Denied are topics that the broker does not let us read: acts sent there
	// are never heard. Some brokers (Mosquitto) deny without saying so.
	Denied []string
	// Counts of dropped messages and link troubles, by reason.
	Counts map[string]uint64
}

// Relay is one link to one broker.
//
// Invariants:
//  1. topics holds at most one payload per topic, the newest.
//  2. Only the run goroutine talks to paho, and of each connection it gives up at
//     most one call; paho's handlers only copy into inbox.
//  3. waiting[h] counts the messages of phone h in inbox and is at most maxPerPhone, so
//     that inbox, which has room for that of all phones, is never full.
type Relay struct {
	opts  Opts
	id    string // client id
	wake  chan struct{}
	inbox chan message
	acts  chan Inbound
	stop  chan struct{}
	once  sync.Once
	wg    sync.WaitGroup
	ups   map[string]wire.Handset // by topic

	mu      sync.Mutex
	topics  map[string]*slot
	order   []string // of topics: views, state, names
	replies []message
	waiting map[wire.Handset]int
	status  Status
	logged  map[string]time.Time
}

// slot is what a retained topic should hold. An empty payload clears it.
type slot struct {
	payload []byte
	version uint64 // counts payloads; 0 is none yet
	sent    uint64 // the version acknowledged on this connection
}

type message struct {
	phone   wire.Handset
	topic   string
	payload []byte
}

// New starts a relay. Its error is about opts; whether the broker is there
// shows in Status.
func New(opts *Opts) (*Relay, error) {
	if opts == nil || opts.Sealer == nil || opts.Tree == (wire.Tree{}) {
		return nil, errors.New("relay: a sealer and a topic tree are needed")
	}
	o := *opts
	u, err := url.Parse(o.URL) // its error quotes the address, and there may be a password in it
	if err != nil || u.Host == "" || !slices.Contains([]string{"tcp", "ssl", "ws", "wss"}, u.Scheme) {
		return nil, errors.New("relay: the broker address must be tcp://host:port, ssl://host:port, ws://host/mqtt or wss://host/mqtt")
	}
	if u.User != nil {
		return nil, errors.New("relay: give user and password beside the broker address, not in it")
	}
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.KeepAlive, 15*time.Second)
	def(&o.Timeout, 5*time.Second)
	def(&o.MaxRetry, 10*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Relay{
		opts: o, id: clientID(o.User, o.Tree.Base()),
		wake: make(chan struct{}, 1), acts: make(chan Inbound), stop: make(chan struct{}),
		ups: map[string]wire.Handset{}, topics: map[string]*slot{}, waiting: map[wire.Handset]int{},
		status: Status{Counts: map[string]uint64{}}, logged: map[string]time.Time{},
	}
	for _, h := range o.Tree.Handsets() {
		r.ups[o.Tree.Phone(h.N).Up(h.Viewer)] = h
		r.order = append(r.order, r.view(h))
	}
	r.order = append(r.order, o.Tree.State(), o.Tree.Names())
	for _, t := range r.order {
		r.topics[t] = &slot{}
	}
	r.inbox = make(chan message, maxPerPhone*len(r.ups))
	r.wg.Go(r.run)
	r.wg.Go(r.open)
	return r, nil
}

func (r *Relay) view(h wire.Handset) string { return r.opts.Tree.Phone(h.N).View(h.Viewer) }

// Publish hands over one step: at most one update per viewer, all of the
// relay's epoch. Views of viewers that are not among them, and of phones without a
// key, are cleared. On an
// error nothing of the step is shown.
func (r *Relay) Publish(updates []wire.Update) error {
	next := make(map[string][]byte, len(r.topics))
	for _, h := range r.opts.Tree.Handsets() {
		next[r.view(h)] = nil
	}
	sealed := make([]wire.Update, 0, len(updates))
	for i := range updates {
		if updates[i].View.Viewer != engine.Public.String() {
			sealed = append(sealed, updates[i])
			continue
		}
		body, err := json.Marshal(&updates[i])
		if err != nil {
			return errors.New("relay: the public view cannot be marshalled")
		}
		if len(body) > wire.MaxView {
			return fmt.Errorf("relay: the public view has %d bytes, at most %d", len(body), wire.MaxView)
		}
		if updates[i].Epoch != r.opts.Epoch {
			return errors.New("relay: a view of another epoch")
		}
		next[r.opts.Tree.State()] = body
	}
	out, err := r.opts.Sealer.SealViews(r.opts.Epoch, sealed, r.view)
	if err != nil {
		return fmt.Errorf("relay: seal a step: %w", err)
	}
	for _, s := range out {
		next[s.Topic] = s.Payload
	}
	r.set(next)
	return nil
}

// SetNames hands over the public labels.
func (r *Relay) SetNames(names engine.Names) error {
	body, err := json.Marshal(names)
	if err != nil {
		return fmt.Errorf("relay: names: %w", err)
	}
	if len(body) > engine.MaxNames {
		return fmt.Errorf("relay: the names have %d bytes, at most %d", len(body), engine.MaxNames)
	}
	r.set(map[string][]byte{r.opts.Tree.Names(): body})
	return nil
}

// set replaces the payloads of some topics.
func (r *Relay) set(next map[string][]byte) {
	r.mu.Lock()
	for topic, payload := range next {
		s := r.topics[topic]
		if len(payload) == 0 && len(s.payload) == 0 && s.version != 0 {
			continue // cleared already
		}
		s.payload = payload
		s.version++
	}
	r.mu.Unlock()
	r.poke()
}

// Acts brings the acts of all phones, in the order in which they came. It is
// closed by Close. While nobody receives, further acts wait and then are
// dropped, eight for each phone.
func (r *Relay) Acts() <-chan Inbound { return r.acts }

// Status is a copy.
func (r *Relay) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.status
	s.Denied, s.Counts = slices.Clone(s.Denied), maps.Clone(s.Counts)
	return s
}

// Close says goodbye (availability "offline", which a clean disconnection would
// keep the will from saying), ends the link and closes Acts. A broker that does
// not answer is given a second.
func (r *Relay) Close() {
	r.once.Do(func() { close(r.stop) })
	r.wg.Wait()
}

func (r *Relay) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// count notes one dropped message or trouble of the link.
func (r *Relay) count(reason string, more ...any) {
	now := time.Now()
	r.mu.Lock()
	r.status.Counts[reason]++
	n := r.status.Counts[reason]
	due := now.Sub(r.logged[reason]) >= logEvery
	if due {
		r.logged[reason] = now
	}
	r.mu.Unlock()
	if due {
		r.opts.Log.With(more...).Warn(logMessages, "reason", reason, "times", n,
			"conseil", "des messages n’ont pas été pris, ou le lien vers MQTT est coupé ; il se refait de lui-même")
	}
}
