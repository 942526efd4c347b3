package line

import (
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// outbox holds the messages that a line has yet to send, and the status of its connection. It knows no protocol. It is safe for
// concurrent use.
//
// Invariant: topics has at most one payload for each topic, the newest.
type outbox struct {
	wake            chan struct{} // receives when something is to be sent
	topicOrder      []string      // the retained topics, that of the will last
	queueSize       int
	log             *slog.Logger
	logText, advice string

	mu     sync.Mutex
	topics map[string]*retainedTopic
	queue  []message
	status Status
	logged map[string]time.Time
}

// newOutbox returns an outbox in which only the topic of the will has a payload.
func newOutbox(o *Opts) *outbox {
	b := &outbox{wake: make(chan struct{}, 1), topicOrder: append(slices.Clone(o.Topics), o.Will), queueSize: o.Queue, log: o.Log,
		logText: o.LogText, advice: o.Advice, topics: map[string]*retainedTopic{}, status: Status{Counts: map[string]uint64{}},
		logged: map[string]time.Time{}}
	if b.queueSize == 0 {
		b.queueSize = MaxQueued
	}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	for _, t := range b.topicOrder {
		b.topics[t] = &retainedTopic{}
	}
	b.topics[o.Will].payload, b.topics[o.Will].version = []byte(Online), 1
	return b
}

// retainedTopic is the wanted payload of a retained topic. An empty payload clears the topic.
type retainedTopic struct {
	payload []byte
	version uint64 // counts payloads; 0: there is none yet
	sent    uint64 // the version acknowledged on this connection
}

type message struct {
	topic     string
	payload   []byte
	expiresAt time.Time // when it expires; zero: never
}

func (m message) isExpired(now time.Time) bool {
	return !m.expiresAt.IsZero() && now.After(m.expiresAt)
}

// SetTopics replaces the payloads of some retained topics, which must be in Opts.Topics (another one panics). With the topic of the will,
// it can send again that the line is online.
func (b *outbox) SetTopics(payloads map[string][]byte) {
	b.mu.Lock()
	for topic, payload := range payloads {
		s := b.topics[topic]
		if len(payload) == 0 && len(s.payload) == 0 && s.version != 0 {
			continue // is cleared already
		}
		s.payload = payload
		s.version++
	}
	b.mu.Unlock()
	b.wakeRun()
}

// StopSendingTopics stops sending some retained topics, which must be in Opts.Topics (another one panics), also after a new connection.
// The broker keeps the payloads that it has.
func (b *outbox) StopSendingTopics(topics ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, topic := range topics {
		*b.topics[topic] = retainedTopic{}
	}
}

// SendUntil sends a message once, or drops it after until, unless that is zero. ok is false if the queue is full: the message is dropped.
func (b *outbox) SendUntil(topic string, payload []byte, until time.Time) (ok bool) {
	now := time.Now()
	b.mu.Lock()
	b.queue = slices.DeleteFunc(b.queue, func(m message) bool { return m.isExpired(now) })
	if ok = len(b.queue) < b.queueSize; ok {
		b.queue = append(b.queue, message{topic, payload, until})
	}
	b.mu.Unlock()
	b.wakeRun()
	return ok
}

// wakeRun makes run send what is new.
func (b *outbox) wakeRun() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// CountTrouble counts one dropped message or trouble, and logs it, with logAttrs, if none was logged for this reason within LogEvery.
func (b *outbox) CountTrouble(reason string, logAttrs ...any) {
	now := time.Now()
	b.mu.Lock()
	b.status.Counts[reason]++
	n := b.status.Counts[reason]
	logNow := now.Sub(b.logged[reason]) >= LogEvery
	if logNow {
		b.logged[reason] = now
	}
	b.mu.Unlock()
	if logNow {
		b.log.With(logAttrs...).Warn(b.logText, "reason", reason, "times", n, "conseil", b.advice)
	}
}

// copyStatus returns a copy of the status. b.mu is held.
func (b *outbox) copyStatus() Status {
	s := b.status
	s.Denied, s.Counts = slices.Clone(s.Denied), maps.Clone(s.Counts)
	return s
}

// SetConnected sets Status.Connected.
func (b *outbox) SetConnected(connected bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status.Connected = connected; connected {
		b.status.Reason = ""
	}
}

// forgetSent makes all topics wait again, for a new connection.
func (b *outbox) forgetSent() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.topics {
		s.sent = 0
	}
}

// markSent records that a version of a topic was acknowledged. b.mu is held.
func (b *outbox) markSent(topic string, version uint64) {
	if s := b.topics[topic]; s.version >= version { // false after StopSendingTopics
		s.sent = version
	}
}

// Outbox is the part of a line that knows no protocol, for lines of other packages.
type Outbox struct{ *outbox }

// NewOutbox returns an outbox for some options, of which it uses Topics, Will, Queue, Log, LogText and Advice.
func NewOutbox(o *Opts) Outbox { return Outbox{newOutbox(o)} }

// Wake receives when something is to be sent.
func (b Outbox) Wake() <-chan struct{} { return b.wake }

// Status returns a copy of the present status.
func (b Outbox) Status() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.copyStatus()
}

// SetReason sets Status.Reason.
func (b Outbox) SetReason(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.status.Reason = why
}

// AddDenied adds a topic to Status.Denied, once, and no more than 32.
func (b Outbox) AddDenied(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.status.Denied) < 32 && len(topic) < 256 && !slices.Contains(b.status.Denied, topic) {
		b.status.Denied = append(b.status.Denied, topic)
	}
}

// ForgetSent makes all topics wait again, for a new connection.
func (b Outbox) ForgetSent() { b.forgetSent() }

// Send gives all that waits to two functions: the messages to send once, in their order, and then each topic that has changed. It ends
// with the first error; a message that failed is not sent again, a topic is.
func (b Outbox) Send(once, retained func(topic string, payload []byte) error) error {
	now := time.Now()
	b.mu.Lock()
	queue := b.queue
	b.queue = nil
	b.mu.Unlock()
	for _, m := range queue {
		if m.isExpired(now) {
			continue
		}
		if err := once(m.topic, m.payload); err != nil {
			return err
		}
	}
	for _, topic := range b.topicOrder {
		b.mu.Lock()
		s := *b.topics[topic]
		b.mu.Unlock()
		if s.sent == s.version {
			continue
		}
		if err := retained(topic, s.payload); err != nil {
			return err
		}
		b.mu.Lock()
		b.markSent(topic, s.version)
		b.mu.Unlock()
	}
	return nil
}
