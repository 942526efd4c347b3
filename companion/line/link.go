package line

import (
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	qos       = 1
	firstWait = 250 * time.Millisecond
	subDenied = 0x80 // MQTT 3.1.1 section 3.9.3; paho does not call it an error
	quiesce   = 100  // ms that paho gives the DISCONNECT packet
)

var (
	errStopped = errors.New("line: stopped")
	errLost    = errors.New("line: connection lost")
	errTimeout = errors.New("line: the broker does not answer")
)

// run keeps the link until Close.
func (l *Line) run() {
	wait := firstWait
	for {
		c, lost, err := l.connect()
		if err == nil {
			wait = firstWait
			err = l.session(c, lost)
			l.up(false)
			if errors.Is(err, errStopped) {
				l.goodbye(c)
			}
		}
		if c != nil {
			c.Disconnect(quiesce)
		}
		if errors.Is(err, errStopped) {
			return
		}
		l.fail(reason(err))
		l.Count(trouble(err), "retry", wait.String())
		// The tables of a venue should not all knock in the same moment.
		jitter := time.Duration(rand.Int64N(int64(wait)/4 + 1))
		select {
		case <-l.stop:
			return
		case <-time.After(wait + jitter):
		}
		wait = min(2*wait, l.opts.MaxRetry)
	}
}

// trouble is a reason for Counts. What paho says may quote an address only.
func trouble(err error) string {
	switch {
	case errors.Is(err, errLost):
		return "lost"
	case errors.Is(err, errTimeout):
		return "timeout"
	}
	return "connect"
}

// Reasons why a line does not stand.
const (
	Unanswered = "unanswered" // nobody is there, or does not answer
	Unknown    = "unknown"    // no such name (DNS)
	Login      = "login"      // user or password are refused, or the account may not come in
	Untrusted  = "untrusted"  // the certificate is of no authority that is trusted, expired, or of another name
	Broken     = "broken"     // the connection is lost again and again, as by a client of the same id
)

// reason is why a connection failed, as the owner can mend it.
func reason(err error) string {
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword), errors.Is(err, packets.ErrorRefusedNotAuthorised):
		return Login
	case errors.As(err, &cert):
		return Untrusted
	case errors.As(err, &dns):
		return Unknown
	case errors.Is(err, errLost):
		return Broken
	}
	return Unanswered
}

func (l *Line) fail(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status.Reason = why
}

// connect makes a client and its one connection. lost is closed when that ends.
func (l *Line) connect() (c mqtt.Client, lost chan struct{}, err error) {
	lost = make(chan struct{})
	end := sync.OnceFunc(func() { close(lost) })
	o := mqtt.NewClientOptions().
		AddBroker(l.opts.URL).
		SetClientID(l.opts.ClientID).
		SetUsername(l.opts.User).
		SetPassword(l.opts.Password).
		SetProtocolVersion(4).
		SetCleanSession(true).
		SetKeepAlive(l.opts.KeepAlive).
		SetPingTimeout(l.opts.Timeout).
		SetConnectTimeout(l.opts.Timeout).
		SetWriteTimeout(l.opts.Timeout).
		SetAutoReconnect(false).
		SetConnectRetry(false).
		SetOrderMatters(true).
		SetStore(mqtt.NewOrderedMemoryStore()).
		SetDefaultPublishHandler(l.receive).
		SetTLSConfig(l.opts.TLS).
		SetConnectionLostHandler(func(mqtt.Client, error) { end() }).
		SetWill(l.opts.Will, offline, qos, true)
	if l.opts.Dial != nil {
		o.SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) { return l.opts.Dial() })
	}
	c = mqtt.NewClient(o)
	return c, lost, l.await(c.Connect(), lost)
}

// await waits for an answer, but not for ever: a token of paho may never come.
func (l *Line) await(t mqtt.Token, lost <-chan struct{}) error {
	limit := time.NewTimer(2 * l.opts.Timeout) // a connect has two steps
	defer limit.Stop()
	select {
	case <-t.Done():
		return t.Error()
	case <-lost:
		return errLost
	case <-l.stop:
		return errStopped
	case <-limit.C:
		return errTimeout
	}
}

// ask gives paho something to send. paho takes it at once, except when the
// connection ends meanwhile: then it comes back after its write timeout only.
func (l *Line) ask(send func() mqtt.Token, lost <-chan struct{}) (mqtt.Token, error) {
	taken := make(chan mqtt.Token, 1)
	go func() { taken <- send() }()
	select {
	case t := <-taken:
		return t, nil
	case <-lost:
		return nil, errLost
	case <-l.stop:
		return nil, errStopped
	}
}

// session subscribes, shows everything, and then what is new, until the
// connection or the relay ends.
func (l *Line) session(c mqtt.Client, lost chan struct{}) error {
	if err := l.subscribe(c, lost); err != nil {
		return err
	}
	l.mu.Lock()
	for _, s := range l.topics {
		s.sent = 0
	}
	l.mu.Unlock()
	if err := l.flush(c, lost); err != nil {
		return err
	}
	token, err := l.ask(func() mqtt.Token { return c.Publish(l.opts.Will, qos, true, online) }, lost)
	if err == nil {
		err = l.await(token, lost)
	}
	if err != nil {
		return err
	}
	l.up(true)
	for {
		select {
		case <-l.stop:
			return errStopped
		case <-lost:
			return errLost
		case <-l.wake:
			if err := l.flush(c, lost); err != nil {
				return err
			}
		}
	}
}

func (l *Line) subscribe(c mqtt.Client, lost <-chan struct{}) error {
	if len(l.opts.Filters) == 0 {
		return nil
	}
	filters := make(map[string]byte, len(l.opts.Filters))
	for _, topic := range l.opts.Filters {
		filters[topic] = qos
	}
	// nil: the default handler, receive
	token, err := l.ask(func() mqtt.Token { return c.SubscribeMultiple(filters, nil) }, lost)
	if err == nil {
		err = l.await(token, lost)
	}
	if err != nil {
		return err
	}
	var denied []string
	for topic, code := range token.(*mqtt.SubscribeToken).Result() {
		if code == subDenied {
			denied = append(denied, topic)
		}
	}
	l.mu.Lock()
	l.status.Denied = denied
	l.mu.Unlock()
	if len(denied) > 0 {
		l.Count("denied", "topics", len(denied))
	}
	return nil
}

func (l *Line) up(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.status.Connected = is; is {
		l.status.Reason = ""
	}
}

// flush sends what is new until nothing is. Of each topic one payload is under
// way and one waits.
func (l *Line) flush(c mqtt.Client, lost <-chan struct{}) error {
	for {
		batch := l.due()
		if len(batch) == 0 {
			return nil
		}
		tokens := make([]mqtt.Token, len(batch))
		for i, m := range batch {
			t, err := l.ask(func() mqtt.Token { return c.Publish(m.topic, qos, m.retained, m.payload) }, lost)
			if err != nil {
				return err
			}
			tokens[i] = t
		}
		for i, t := range tokens {
			if err := l.await(t, lost); err != nil {
				return err
			}
			l.acknowledged(batch[i])
		}
	}
}

// outgoing is one publish under way.
type outgoing struct {
	message
	retained bool
	version  uint64
}

// due takes what waits to be sent once, and one payload of each retained topic that the broker
// does not have yet.
func (l *Line) due() []outgoing {
	l.mu.Lock()
	defer l.mu.Unlock()
	var batch []outgoing
	now := time.Now()
	for _, m := range l.once {
		if !m.late(now) {
			batch = append(batch, outgoing{message: m})
		}
	}
	l.once = nil
	for _, topic := range l.opts.Topics {
		if s := l.topics[topic]; s.sent != s.version {
			batch = append(batch, outgoing{message{topic: topic, payload: s.payload}, true, s.version})
		}
	}
	return batch
}

func (l *Line) acknowledged(o outgoing) {
	if !o.retained {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.topics[o.topic].sent = o.version
}

// goodbye is the last word of a graceful stop: a DISCONNECT keeps the will from
// being told.
func (l *Line) goodbye(c mqtt.Client) {
	limit, said := min(l.opts.Timeout, time.Second), make(chan struct{})
	go func() {
		defer close(said)
		c.Publish(l.opts.Will, qos, true, offline).WaitTimeout(limit)
	}()
	select {
	case <-said:
	case <-time.After(limit):
	}
}
