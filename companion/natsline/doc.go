// Package natsline keeps one connection to a NATS server or cluster, with the contract of package line: it publishes retained topics,
// each in its newest state, sends messages once, and receives what it has subscribed to. The options are those of a line.Line.
//
//	l, err := natsline.New(&line.Opts{URL: "nats://a:4222,nats://b:4222,nats://c:4222", ...})
//
// # Subjects
//
// A topic becomes a subject: its levels are separated by dots, and characters with a meaning in NATS are written as %2E. Three spaces of
// subjects keep apart what MQTT tells apart by a flag:
//
//	kept.<topic>   retained: in the JetStream stream majordome, which stores the newest message of each subject in files, in
//	               three copies on a cluster
//	now.<topic>    sent once, by core NATS, to those who listen now: events, commands, answers
//	beat.<topic>   of the will: a sign of life every three seconds
//
// The first link creates the stream if there is none. A link reads the retained topics of its filters with one ordered consumer, which
// begins with the newest message of each subject. An empty payload means that a topic was cleared.
//
// NATS has no will. So the receiving link gives its caller "offline" on the topic of the will after ten seconds without a sign of life,
// and "online" at the next one.
//
// The user is opts.User with opts.Password; if the password is the seed of an nkey ("SU..."), the link proves that it has it, and sends
// neither.
//
// # What may go wrong
//
// Each connection is a new client of one of the servers, in random order; when it ends, or a retained message is not acknowledged in
// time, the next one subscribes again and sends all topics again. Messages of more than MaxMessage are dropped and
// counted; one of more than that with its headers ends the connection. A denied
// subject is listed in Status.
//
// A server that was away may have older messages for a moment: a retained message that is older than one received before is dropped, on
// later connections too.
//
// Limits: one waiting payload for each topic, line.MaxQueued messages to send once, MaxMessage bytes of a message, maxPending messages
// and bytes that wait for Receive.
package natsline

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"majordome/companion/address"
	"majordome/companion/line"
)

// MaxMessage is the most bytes of one message.
const MaxMessage = 64 << 10

const (
	firstRetry = 250 * time.Millisecond
	beatEvery  = 3 * time.Second
	silence    = 10 * time.Second // without a sign of life, after which a link is offline
)

// Line is one connection to a NATS server or cluster.
//
// Invariant: Receive is never called twice at once.
type Line struct {
	line.Outbox
	opts     line.Opts
	stop     chan struct{}
	stopOnce sync.Once
	wg       sync.WaitGroup

	receiving sync.Mutex        // held during Receive
	created   time.Time         // of the stream; the next fields are of this one
	numbers   map[string]uint64 // of the newest retained message received of each topic; at most maxPending

	beatEvery, silence time.Duration // as the constants; shorter in tests
}

// CheckURL returns an error if text is not a list of addresses of NATS servers.
func CheckURL(text string) error {
	for i, one := range strings.Split(text, ",") {
		u, err := address.ParseURL(one, "nats", "tls")
		switch {
		case err != nil:
			return fmt.Errorf("the addresses must be nats://a:4222,nats://b:4222 or tls://a:4222: %w", err)
		case u.Port() == "":
			return errors.New("the addresses must name the port, such as nats://a:4222")
		case u.Path != "" || u.RawQuery != "":
			return errors.New("the address of a NATS server has no path")
		case i > 0 && !strings.HasPrefix(text, u.Scheme+":"):
			return errors.New("either all addresses are nats:// or all are tls://")
		}
	}
	return nil
}

// IsURL reports whether text is meant for this package.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "nats://") || strings.HasPrefix(text, "tls://")
}

// New makes a line. It returns an error if opts are wrong. KeepAlive, StableTime and Dial are not used.
func New(opts *line.Opts) (*Line, error) {
	if err := CheckURL(opts.URL); err != nil {
		return nil, err
	}
	l := &Line{Outbox: line.NewOutbox(opts), opts: *opts, stop: make(chan struct{}), numbers: map[string]uint64{},
		beatEvery: beatEvery, silence: silence}
	if l.opts.Timeout == 0 {
		l.opts.Timeout = 5 * time.Second
	}
	if l.opts.MaxRetry == 0 {
		l.opts.MaxRetry = 10 * time.Second
	}
	return l, nil
}

// Start connects in the background; Status shows whether a server has answered.
func (l *Line) Start() { l.wg.Go(l.run) }

// Close publishes "offline" and ends the connection. It waits at most a second for the server.
func (l *Line) Close() {
	l.stopOnce.Do(func() { close(l.stop) })
	l.wg.Wait()
}

// escaper writes the characters that have a meaning in a subject, and unescaper reads them.
var (
	escaper   = strings.NewReplacer("%", "%25", ".", "%2E", "*", "%2A", ">", "%3E", " ", "%20", "/", ".")
	unescaper = strings.NewReplacer("%25", "%", "%2E", ".", "%2A", "*", "%3E", ">", "%20", " ", ".", "/")
)

// subjectOf returns the subject of a topic in a space.
func subjectOf(space, topic string) string { return space + "." + escaper.Replace(topic) }

// topicOf returns the topic of a subject.
func topicOf(subject string) string {
	_, rest, _ := strings.Cut(subject, ".")
	return unescaper.Replace(rest)
}

// filterSubject returns the subject that matches what an MQTT filter matches.
func filterSubject(space, filter string) string {
	levels := strings.Split(filter, "/")
	for i, level := range levels {
		switch level {
		case "+":
			levels[i] = "*"
		case "#":
			levels[i] = ">"
		default:
			levels[i] = escaper.Replace(level)
		}
	}
	return space + "." + strings.Join(levels, ".")
}
