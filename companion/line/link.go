package line

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/gorilla/websocket"
)

const (
	qos       = 1
	firstWait = 250 * time.Millisecond
	subDenied = 0x80 // MQTT 3.1.1 section 3.9.3; paho does not call it an error
	quiesce   = 100  // ms that paho gives the DISCONNECT packet

	calm   = time.Second     // without an end, before a message after which the line broke is told again
	atOnce = 2 * time.Second // after a message, the end of the connection is its fault

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

	pace    *pace
	filters atomic.Int32 // in the SUBSCRIBE that was sent last
	passing atomic.Bool  // a message is being passed over: what comes after it is late

	underway []outgoing // what was sent and not acknowledged, the oldest first
	since    time.Time  // the oldest of these is the oldest
	lasted   bool       // it has stood for Opts.Lasting
	began    time.Time  // the broker has let us in
	denied   []string   // filters that it does not let us read
	without  []string   // filters that are left out
	end      atomic.Pointer[time.Time]
}

// note takes the moment at which the connection has ended, the first time that it is called.
func (k *link) note() {
	now := time.Now()
	k.end.CompareAndSwap(nil, &now)
}

// culprit returns the message of ours that the broker has ended the connection at: shortly after it, and not because the network failed.
func (k *link) culprit(err error) (m outgoing, ok bool) {
	end := k.end.Load()
	if !errors.Is(err, errLost) || len(k.underway) == 0 || end == nil || end.Sub(k.since) > atOnce || !isByBroker(err) {
		return m, false
	}
	return k.underway[0], true
}

// isByBroker reports an end of the connection that its other side has made, and no loss of the network.
func isByBroker(err error) bool {
	closed := &websocket.CloseError{}
	return errors.As(err, &closed) || slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, syscall.ECONNRESET, syscall.EPIPE},
		func(end error) bool { return errors.Is(err, end) })
}

// run keeps the line until Close. The pause between two tries is forgotten only when a connection has lasted, and was not ended by
// what the broker sent.
func (l *Line) run() {
	wait := firstWait
	careful := false // the last connection broke early: messages are sent one by one, so that it is known which one does it
	for {
		k, err := l.connect()
		if err == nil {
			k.began = time.Now()
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
		if !errors.As(err, &fault) && k.pace.floods() {
			fault = &Fault{Kind: Flood}
			err = fault
		}
		if fault != nil && fault.Kind == Oversize { // what is malformed has its own reason
			l.accuse(fault)
		}
		if !k.began.IsZero() {
			l.accuseOwn(k, err)
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

// accuseOwn notes which of our messages the connection ended after, if one is to blame, and says when it is left out from now on.
func (l *Line) accuseOwn(k *link, err error) {
	m, is := k.culprit(err)
	l.mu.Lock()
	l.suspects.forgive(m.topic)
	out := is && l.suspects.blame(m.topic, len(m.payload), true, time.Now())
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
	if l.opts.Dial == nil { // else the broker is our own
		k.pace = newPace()
	}
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
			k.note()
			end.Do(func() { k.cause = why; close(k.lost) })
		}).
		SetWill(l.opts.Will, Offline, qos, true)
	o.SetCustomOpenConnectionFn(func(address *url.URL, _ mqtt.ClientOptions) (net.Conn, error) {
		conn, err := l.open(address, k.pace)
		if err != nil {
			return nil, err
		}
		return newPacketReader(conn, k, l.opts.Timeout, l.takesNot), nil
	})
	k.client = mqtt.NewClient(o)
	return k, l.await(k, k.client.Connect())
}

func (l *Line) open(address *url.URL, p *pace) (net.Conn, error) {
	if l.opts.Dial != nil {
		return l.opts.Dial()
	}
	return dial(address, l.opts.TLS, l.opts.Timeout, p)
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
			select {
			case <-t.Done(): // the answer came before the end
				return k.ended(t.Error())
			default:
				return k.ended(errLost)
			}
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
