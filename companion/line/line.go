package line

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/address"
)

// MaxOnce is how many messages wait to be told once.
const MaxOnce = 64

// lasting is how long a line must stand until it counts as one that holds: the next try after it does not wait.
const lasting = 30 * time.Second

// lookEvery is the pause between two looks at what is left out.
const lookEvery = 10 * time.Second

// LogEvery is the pause between two lines of the log for one reason.
const LogEvery = 10 * time.Second

// What the topic of the will holds.
const (
	Online  = "online"
	Offline = "offline"
)

// Opts are the parameters of a Line. Zero durations take the default.
type Opts struct {
	// URL of the broker: mqtt://host:1883, mqtts://host:8883, ws://host/mqtt or
	// wss://host/mqtt; tcp and ssl are the same as mqtt and mqtts.
	URL string
	// Dial, where it is set, makes the connections instead: the broker is in this process.
	Dial func() (net.Conn, error)
	// User and Password are the account at that broker; ClientID is the same for each
	// connection, so that the broker drops the dead one when the next comes.
	User, Password, ClientID string
	// TLS is for mqtts and wss; nil trusts what this machine trusts.
	TLS *tls.Config
	// Will is the topic that says whether the line stands.
	Will string
	// Topics are the retained ones, in the order in which they are sent.
	Topics []string
	// Filters are subscribed to. What comes is given to Receive, in the goroutine that reads the
	// socket: it must neither wait nor publish.
	Filters []string
	Receive func(topic string, payload []byte, retained bool)
	// KeepAlive is the MQTT keepalive, in whole seconds. Default 15 s; a dead
	// line is found after that and Timeout.
	KeepAlive time.Duration
	// Timeout for a connect, a ping, a write and an acknowledgement. Default 5 s.
	Timeout time.Duration
	// MaxRetry is the longest pause between two tries to connect; the first is
	// a quarter second, each next twice as long. Default 10 s.
	MaxRetry time.Duration
	// Lasting is how long a line must stand until its end is followed by a quick try again. Default 30 s.
	Lasting time.Duration
	// Log receives Trouble with its reason, at most once in ten seconds for each. Nil is silent.
	Log     *slog.Logger
	Trouble string
	// Advice says to the owner, in French as all in the log, what to do.
	Advice string
}

// Status is how the line stands.
type Status struct {
	// Connected: the broker has let us in and the subscriptions are answered.
	Connected bool
	// Denied are filters that the broker does not let us read. Some brokers (Mosquitto) deny
	// without saying so.
	Denied []string
	// Counts of dropped messages and troubles, by reason.
	Counts map[string]uint64
	// Reason is the trouble, one of those below, that keeps the line from standing; "": none.
	Reason string
	// Suspects are the messages after which the line broke, of the last hour, and those that are left out; at most 32.
	Suspects []Suspect
}

// LeftOut counts the messages that are not told, or not taken.
func (s *Status) LeftOut() (n int) {
	for _, m := range s.Suspects {
		if m.Out {
			n++
		}
	}
	return n
}

// Line is one connection to one broker.
//
// Invariants:
//  1. topics holds at most one payload for each topic, the newest.
//  2. Only the run goroutine talks to paho, and of each connection it gives up at
//     most one call.
type Line struct {
	opts Opts
	wake chan struct{}
	stop chan struct{}
	end  sync.Once
	wg   sync.WaitGroup

	order []string // of the retained topics, that of the will last

	mu       sync.Mutex
	topics   map[string]*slot
	once     []message
	status   Status
	suspects suspects
	logged   map[string]time.Time

	lookEvery time.Duration // at what is left out: is it time to try it again?
}

// slot is what a retained topic should hold. An empty payload clears it.
type slot struct {
	payload []byte
	version uint64 // counts payloads; 0 is none yet
	sent    uint64 // the version acknowledged on this connection
}

type message struct {
	topic   string
	payload []byte
	until   time.Time // told no later; zero: whenever the line stands
}

func (m message) late(now time.Time) bool { return !m.until.IsZero() && now.After(m.until) }

// Check judges the address of a broker.
func Check(text string) error {
	u, err := address.Parse(text, "tcp", "mqtt", "ssl", "mqtts", "ws", "wss")
	switch {
	case err != nil:
		return fmt.Errorf("the broker address must be mqtt://host:1883, mqtts://host:8883, ws://host/mqtt or wss://host/mqtt: %w", err)
	case strings.HasPrefix(u.Scheme, "ws"):
		return nil
	case u.Port() == "":
		return errors.New("the broker address must name the port, such as mqtt://host:1883")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "":
		return errors.New("the broker address has a path, which only ws and wss know")
	}
	return nil
}

// New makes a line. Its error is about opts.
func New(opts *Opts) (*Line, error) {
	o := *opts
	if o.Dial != nil {
		o.URL = "mqtt://inside:1883"
	}
	if err := Check(o.URL); err != nil {
		return nil, err
	}
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.KeepAlive, 15*time.Second)
	def(&o.Timeout, 5*time.Second)
	def(&o.MaxRetry, 10*time.Second)
	def(&o.Lasting, lasting)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	l := &Line{opts: o, wake: make(chan struct{}, 1), stop: make(chan struct{}), topics: map[string]*slot{},
		status: Status{Counts: map[string]uint64{}}, logged: map[string]time.Time{}, lookEvery: lookEvery, order: append(slices.Clone(o.Topics), o.Will)}
	for _, t := range l.order {
		l.topics[t] = &slot{}
	}
	l.topics[o.Will].payload, l.topics[o.Will].version = []byte(Online), 1
	return l, nil
}

// Start begins to connect; whether the broker is there shows in Status.
func (l *Line) Start() { l.wg.Go(l.run) }

// Set replaces the payloads of some of the retained topics, that of the will among them: it can be told again that the line stands.
func (l *Line) Set(next map[string][]byte) {
	l.mu.Lock()
	for topic, payload := range next {
		s := l.topics[topic]
		if len(payload) == 0 && len(s.payload) == 0 && s.version != 0 {
			continue // cleared already
		}
		s.payload = payload
		s.version++
	}
	l.mu.Unlock()
	l.poke()
}

// Release tells nothing more on some of the retained topics, not after a new connection either; what the broker keeps there stays.
func (l *Line) Release(topics ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, topic := range topics {
		*l.topics[topic] = slot{}
	}
}

// Send tells something once, no later than until, if that is not zero. ok is false where too
// much waits already: then it is dropped.
func (l *Line) Send(topic string, payload []byte, until time.Time) (ok bool) {
	now := time.Now()
	l.mu.Lock()
	l.once = slices.DeleteFunc(l.once, func(m message) bool { return m.late(now) })
	if ok = len(l.once) < MaxOnce; ok {
		l.once = append(l.once, message{topic, payload, until})
	}
	l.mu.Unlock()
	l.poke()
	return ok
}

// Status is a copy.
func (l *Line) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.status
	s.Denied, s.Counts, s.Suspects = slices.Clone(s.Denied), maps.Clone(s.Counts), l.suspects.recent(time.Now())
	return s
}

// Done is closed when Close begins.
func (l *Line) Done() <-chan struct{} { return l.stop }

// Close says goodbye ("offline", which a clean disconnection would keep the will from
// saying) and ends the connection. A broker that does not answer is given a second.
func (l *Line) Close() {
	l.end.Do(func() { close(l.stop) })
	l.wg.Wait()
}

func (l *Line) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Count notes one dropped message or trouble.
func (l *Line) Count(reason string, more ...any) {
	now := time.Now()
	l.mu.Lock()
	l.status.Counts[reason]++
	n := l.status.Counts[reason]
	due := now.Sub(l.logged[reason]) >= LogEvery
	if due {
		l.logged[reason] = now
	}
	l.mu.Unlock()
	if due {
		l.opts.Log.With(more...).Warn(l.opts.Trouble, "reason", reason, "times", n, "conseil", l.opts.Advice)
	}
}

func (l *Line) receive(_ mqtt.Client, m mqtt.Message) {
	if m.Topic() == "" {
		return // it stands for a message that was passed over
	}
	l.opts.Receive(m.Topic(), m.Payload(), m.Retained())
}
