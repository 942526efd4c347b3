package line

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/address"
)

// MaxQueued is the greatest number of messages that wait to be sent once, unless Opts has another.
const MaxQueued = 64

// stableTime is the default of Opts.StableTime.
const stableTime = 30 * time.Second

// retryInterval is the time between two checks whether left-out messages can be tried again.
const retryInterval = 10 * time.Second

// LogEvery is the shortest time between two log lines for one reason.
const LogEvery = 10 * time.Second

// Payloads of the topic of the will.
const (
	Online  = "online"
	Offline = "offline"
)

// Opts are the parameters of a Line. Zero durations take the default.
type Opts struct {
	// URL of the broker: mqtt://host:1883, mqtts://host:8883, ws://host/mqtt or
	// wss://host/mqtt; tcp and ssl are the same as mqtt and mqtts.
	URL string
	// Dial replaces the dialling of URL: the broker is in this process.
	Dial func() (net.Conn, error)
	// User and Password are the account at that broker. ClientID must be the same for each connection, so that the broker drops a
	// dead connection when the next comes.
	User, Password, ClientID string
	// TLS is for mqtts and wss; nil uses the certificates that this machine trusts.
	TLS *tls.Config
	// Will is the topic that shows whether the line is connected.
	Will string
	// Topics are the retained topics, in the order in which they are sent.
	Topics []string
	// Filters are subscribed to. Their messages are given to Receive, on the goroutine that reads the socket: it must neither wait nor
	// publish.
	Filters []string
	Receive func(topic string, payload []byte, retained bool)
	// KeepAlive is the MQTT keepalive, in whole seconds. Default 15 s. A dead connection is noticed after KeepAlive and Timeout.
	KeepAlive time.Duration
	// Timeout is for a connect, a ping, a write and an acknowledgement. Default 5 s.
	Timeout time.Duration
	// Queue is the greatest number of messages that wait to be sent once. Default MaxQueued.
	Queue int
	// MaxRetry is the longest pause between two tries to connect; the first pause is a quarter second, each next twice as long. Default
	// 10 s.
	MaxRetry time.Duration
	// StableTime is the duration of a connection after which its end is followed by a quick try. Default 30 s.
	StableTime time.Duration
	// Log receives LogText with a reason, at most once in ten seconds for each. Nil logs nothing.
	Log     *slog.Logger
	LogText string
	// Advice says in French, as all advice in the log, what the owner can do.
	Advice string
}

// Status is the state of a line.
type Status struct {
	// Connected means that the broker has accepted the connection and answered the subscriptions.
	Connected bool
	// Denied are the filters that the broker has refused or that are left out. Some brokers (Mosquitto) refuse without saying so.
	Denied []string
	// Counts are the dropped messages and troubles, by reason.
	Counts map[string]uint64
	// Reason says why the line is not connected, by one of the constants below; "": no reason is known.
	Reason string
	// Suspects are the messages after which the connection broke within the last hour, and those that are left out; at most 32.
	Suspects []Suspect
}

// CountLeftOut returns how many messages are not sent, or not received, because the connection broke after them.
func (s *Status) CountLeftOut() (n int) {
	for _, m := range s.Suspects {
		if m.LeftOut {
			n++
		}
	}
	return n
}

// Line is one connection to one broker.
//
// Invariant: only the run goroutine calls paho, and it abandons at most one call of each connection.
type Line struct {
	*outbox
	opts     Opts
	stop     chan struct{}
	stopOnce sync.Once
	wg       sync.WaitGroup

	suspects suspects // under the mutex of the outbox

	retryInterval time.Duration // as the constant; shorter in tests
}

// CheckURL returns an error if text is not the URL of a broker.
func CheckURL(text string) error {
	u, err := address.ParseURL(text, "tcp", "mqtt", "ssl", "mqtts", "ws", "wss")
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

// New makes a line. It returns an error if opts are wrong.
func New(opts *Opts) (*Line, error) {
	o := *opts
	if o.Dial != nil {
		o.URL = "mqtt://inside:1883"
	}
	if err := CheckURL(o.URL); err != nil {
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
	def(&o.StableTime, stableTime)
	return &Line{outbox: newOutbox(&o), opts: o, stop: make(chan struct{}), retryInterval: retryInterval}, nil
}

// Start connects in the background; Status shows whether the broker has answered.
func (l *Line) Start() { l.wg.Go(l.run) }

// Status returns a copy of the present status.
func (l *Line) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.copyStatus()
	s.Suspects = l.suspects.listRecent(time.Now())
	return s
}

// Done is closed when Close begins.
func (l *Line) Done() <-chan struct{} { return l.stop }

// Close publishes "offline" (a clean disconnect does not send the will) and ends the connection. It waits at most a second for the broker.
func (l *Line) Close() {
	l.stopOnce.Do(func() { close(l.stop) })
	l.wg.Wait()
}

func (l *Line) handleMessage(_ mqtt.Client, m mqtt.Message) {
	if m.Topic() == "" {
		return // packetReader sends it in place of a skipped message
	}
	l.opts.Receive(m.Topic(), m.Payload(), m.Retained())
}
