package line

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	qos       = 1
	firstWait = 250 * time.Millisecond
	subDenied = 0x80 // MQTT 3.1.1 section 3.9.3; paho does not call it an error
	quiesce   = 100  // ms that paho gives the DISCONNECT packet

	subscribing = "SUBSCRIBE " // before a filter, among the messages after which the line broke
)

var (
	errStopped = errors.New("line: stopped")
	errLost    = errors.New("line: connection lost")
	errTimeout = errors.New("line: the broker does not answer")
)

// link is one connection to the broker.
type link struct {
	client mqtt.Client
	lost   chan struct{} // closed when the connection has ended
	cause  error         // why; it may be read when lost is closed

	filters atomic.Int32 // in the SUBSCRIBE that was sent last
	passing atomic.Bool  // a message is being passed over: what comes after it is late

	underway []outgoing // what was sent and not acknowledged, the oldest first
	lasted   bool       // it has stood for Opts.Lasting
}

// run keeps the line until Close. The pause between two tries is forgotten only when a connection has lasted, and was not ended by
// what the broker sent.
func (l *Line) run() {
	wait := firstWait
	careful := false // the last connection broke early: messages are sent one by one, so that it is known which one does it
	for {
		k, err := l.connect()
		if err == nil {
			err = l.session(k, careful)
			l.up(false)
			if errors.Is(err, errStopped) {
				l.goodbye(k.client)
			}
		}
		k.client.Disconnect(quiesce)
		if errors.Is(err, errStopped) {
			return
		}
		var fault *Fault
		if errors.As(err, &fault) {
			if fault.Kind == Oversize { // what is malformed has its own reason
				l.accuse(fault)
			}
		} else if errors.Is(err, errLost) && len(k.underway) > 0 {
			l.accuseOwn(k.underway[0])
		}
		careful = !k.lasted && (careful || errors.Is(err, errLost))
		if k.lasted && fault == nil {
			wait = firstWait
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

// accuse notes what the broker sent that ended the connection.
func (l *Line) accuse(f *Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects.blame(f.key, f.Size, false, time.Now())
}

// accuseOwn notes which of our messages the connection ended after, and says when it is left out from now on.
func (l *Line) accuseOwn(m outgoing) {
	l.mu.Lock()
	out := l.suspects.blame(m.topic, len(m.payload), true, time.Now())
	l.mu.Unlock()
	if out {
		l.Count("left-out", "topic", m.topic, "bytes", len(m.payload))
	}
}

// isLeftOut reports a message of ours that is not told, because the line broke after it.
func (l *Line) isLeftOut(topic string, size int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.suspects.leaves(topic, size, true, time.Now())
}

// trouble is a reason for Counts. What paho says may quote an address only.
func trouble(err error) string {
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault.Kind
	case errors.Is(err, errLost):
		return "lost"
	case errors.Is(err, errTimeout):
		return "timeout"
	}
	return "connect"
}

// Reasons why a line does not stand, beside Oversize and Malformed.
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
		says *Fault
	)
	switch {
	case errors.As(err, &says):
		return says.Kind
	case errors.Is(err, errHandshake):
		return Oversize
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

// connect makes a client and its one connection. The link is there also where it fails.
func (l *Line) connect() (*link, error) {
	k := &link{lost: make(chan struct{})}
	var end sync.Once
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
		SetConnectionLostHandler(func(_ mqtt.Client, why error) {
			end.Do(func() { k.cause = why; close(k.lost) })
		}).
		SetWill(l.opts.Will, Offline, qos, true)
	o.SetCustomOpenConnectionFn(func(address *url.URL, _ mqtt.ClientOptions) (net.Conn, error) {
		conn, err := l.open(address)
		if err != nil {
			return nil, err
		}
		return newPacketReader(conn, k, l.opts.Timeout, l.takesNot), nil
	})
	k.client = mqtt.NewClient(o)
	return k, l.await(k, k.client.Connect())
}

func (l *Line) open(address *url.URL) (net.Conn, error) {
	if l.opts.Dial != nil {
		return l.opts.Dial()
	}
	return dial(address, l.opts.TLS, l.opts.Timeout)
}

// takesNot reports a topic of which messages that are too large are passed over.
func (l *Line) takesNot(topic string) bool {
	l.mu.Lock()
	out := l.suspects.leaves(topic, 0, false, time.Now())
	l.mu.Unlock()
	if out {
		l.Count("passed-over")
	}
	return out
}

// await waits for an answer, but not for ever: a token of paho may never come. A message that is being passed over gives it more
// time.
func (l *Line) await(k *link, t mqtt.Token) error {
	limit := time.NewTicker(2 * l.opts.Timeout) // a connect has two steps
	defer limit.Stop()
	for {
		select {
		case <-t.Done():
			return k.ended(t.Error())
		case <-k.lost:
			return k.ended(errLost)
		case <-l.stop:
			return errStopped
		case <-limit.C:
			if !k.passing.Load() {
				return errTimeout
			}
		}
	}
}

// ended gives an error of the connection with its cause, of which paho tells a token nothing.
func (k *link) ended(err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-k.lost:
	case <-time.After(quiesce * time.Millisecond):
		return err // it is no loss of the connection
	}
	if k.cause == nil {
		return err
	}
	return fmt.Errorf("%w: %w", errLost, k.cause)
}

// ask gives paho something to send. paho takes it at once, except when the
// connection ends meanwhile: then it comes back after its write timeout only.
func (l *Line) ask(k *link, send func() mqtt.Token) (mqtt.Token, error) {
	taken := make(chan mqtt.Token, 1)
	go func() { taken <- send() }()
	select {
	case t := <-taken:
		return t, nil
	case <-k.lost:
		return nil, k.ended(errLost)
	case <-l.stop:
		return nil, errStopped
	}
}

// session subscribes, shows everything, and then what is new, until the
// connection or the line ends.
func (l *Line) session(k *link, careful bool) error {
	if err := l.subscribe(k, careful); err != nil {
		return err
	}
	l.mu.Lock()
	for _, s := range l.topics {
		s.sent = 0
	}
	l.mu.Unlock()
	if err := l.flush(k, careful); err != nil {
		return err
	}
	l.up(true)
	lasted := time.NewTimer(l.opts.Lasting)
	defer lasted.Stop()
	for {
		select {
		case <-l.stop:
			return errStopped
		case <-k.lost:
			return k.ended(errLost)
		case <-lasted.C:
			k.lasted, careful = true, false
		case <-l.wake:
			if err := l.flush(k, careful); err != nil {
				return err
			}
		}
	}
}

// subscribe asks for all filters at once, or one by one. A filter after which the line broke is left out, and counts as denied.
func (l *Line) subscribe(k *link, careful bool) error {
	var all, denied []string
	for _, f := range l.opts.Filters {
		if l.isLeftOut(subscribing+f, 0) {
			denied = append(denied, f)
		} else {
			all = append(all, f)
		}
	}
	together := max(1, len(all))
	if careful {
		together = 1
	}
	for part := range slices.Chunk(all, together) {
		if careful {
			k.underway = []outgoing{{message: message{topic: subscribing + part[0]}}}
		}
		refused, err := l.subscribeTo(k, part)
		if err != nil {
			return err
		}
		if careful {
			l.acknowledged(k, k.underway[0])
		}
		denied = append(denied, refused...)
	}
	l.mu.Lock()
	l.status.Denied = denied
	l.mu.Unlock()
	if len(denied) > 0 {
		l.Count("denied", "topics", len(denied))
	}
	return nil
}

func (l *Line) subscribeTo(k *link, all []string) (refused []string, err error) {
	filters := make(map[string]byte, len(all))
	for _, topic := range all {
		filters[topic] = qos
	}
	k.filters.Store(int32(len(all)))
	// nil: the default handler, receive
	token, err := l.ask(k, func() mqtt.Token { return k.client.SubscribeMultiple(filters, nil) })
	if err == nil {
		err = l.await(k, token)
	}
	if err != nil {
		return nil, err
	}
	for topic, code := range token.(*mqtt.SubscribeToken).Result() {
		if code == subDenied {
			refused = append(refused, topic)
		}
	}
	return refused, nil
}

func (l *Line) up(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.status.Connected = is; is {
		l.status.Reason = ""
	}
}

// flush sends what is new until nothing is, all at once or one by one. Of each topic one payload is under
// way and one waits.
func (l *Line) flush(k *link, careful bool) error {
	for {
		batch := l.due(careful)
		if len(batch) == 0 {
			return nil
		}
		k.underway = batch
		tokens := make([]mqtt.Token, len(batch))
		for i, m := range batch {
			t, err := l.ask(k, func() mqtt.Token { return k.client.Publish(m.topic, qos, m.retained, m.payload) })
			if err != nil {
				return err
			}
			tokens[i] = t
		}
		for i, t := range tokens {
			if err := l.await(k, t); err != nil {
				return err
			}
			l.acknowledged(k, batch[i])
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
// does not have yet; where single, the first of these alone. What is left out is done with.
func (l *Line) due(single bool) []outgoing {
	l.mu.Lock()
	defer l.mu.Unlock()
	var batch []outgoing
	now := time.Now()
	for len(l.once) > 0 && (!single || len(batch) == 0) {
		m := l.once[0]
		l.once = l.once[1:]
		if !m.late(now) && !l.suspects.leaves(m.topic, len(m.payload), true, now) {
			batch = append(batch, outgoing{message: m})
		}
	}
	for _, topic := range l.order {
		s := l.topics[topic]
		if s.sent == s.version || single && len(batch) > 0 {
			continue
		}
		if l.suspects.leaves(topic, len(s.payload), true, now) {
			s.sent = s.version
			continue
		}
		batch = append(batch, outgoing{message{topic: topic, payload: s.payload}, true, s.version})
	}
	return batch
}

// acknowledged notes that the broker has taken the first message under way.
func (l *Line) acknowledged(k *link, o outgoing) {
	k.underway = k.underway[1:]
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects.clear(o.topic)
	if s := l.topics[o.topic]; o.retained && s.version >= o.version { // else it was released
		s.sent = o.version
	}
}

// goodbye is the last word of a graceful stop: a DISCONNECT keeps the will from
// being told.
func (l *Line) goodbye(c mqtt.Client) {
	limit, said := min(l.opts.Timeout, time.Second), make(chan struct{})
	go func() {
		defer close(said)
		c.Publish(l.opts.Will, qos, true, Offline).WaitTimeout(limit)
	}()
	select {
	case <-said:
	case <-time.After(limit):
	}
}
