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
	qos        = 1
	firstRetry = 250 * time.Millisecond
	subDenied  = 0x80 // MQTT 3.1.1 section 3.9.3; paho does not treat it as an error
	quiesce    = 100  // ms that paho has to send the DISCONNECT packet

	quietTime = time.Second     // how long a connection must last before it sends a suspected message
	blameTime = 2 * time.Second // if the connection ends within this time after a message, the message is blamed

	subscribePrefix = "SUBSCRIBE " // the key of a filter among the suspects begins with it
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
	cause  error         // why it has ended; readable after lost is closed

	pace     *pace
	filters  atomic.Int32 // number of filters in the last SUBSCRIBE
	skipping atomic.Bool  // a message is being skipped, which delays answers

	pending      []outgoing // sent and not acknowledged, the oldest first
	pendingSince time.Time  // since when the first of these is the oldest
	isStable     bool       // the connection has lasted for Opts.StableTime
	acceptedAt   time.Time  // when the broker accepted the connection
	denied       []string   // filters that the broker has refused
	leftOut      []string   // filters that are left out
	endedAt      atomic.Pointer[time.Time]
}

// recordEndTime records the time of the first call as the end of the connection.
func (k *link) recordEndTime() {
	now := time.Now()
	k.endedAt.CompareAndSwap(nil, &now)
}

// messageToBlame returns the message of ours at which the broker has ended the connection: within blameTime, and not because the network
// failed.
func (k *link) messageToBlame(err error) (m outgoing, ok bool) {
	end := k.endedAt.Load()
	if !errors.Is(err, errLost) || len(k.pending) == 0 || end == nil || end.Sub(k.pendingSince) > blameTime || !isPeerEnd(err) {
		return m, false
	}
	return k.pending[0], true
}

// isPeerEnd reports whether err is an end that the other side has made, not a failure of the network.
func isPeerEnd(err error) bool {
	closed := &websocket.CloseError{}
	return errors.As(err, &closed) ||
		slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, syscall.ECONNRESET, syscall.EPIPE},
			func(end error) bool { return errors.Is(err, end) })
}

// run connects again and again until Close. It resets the pause only after a connection that was stable and did not end because of what the
// broker sent.
func (l *Line) run() {
	wait := firstRetry
	oneByOne := false // true after a connection that broke early: messages are sent one by one, to find the one to blame
	for {
		k, err := l.connect()
		if err == nil {
			k.acceptedAt = time.Now()
			err = l.runSession(k, oneByOne)
			l.SetConnected(false)
			if errors.Is(err, errStopped) {
				l.sendOffline(k.client)
			}
		}
		k.client.Disconnect(quiesce)
		if errors.Is(err, errStopped) {
			return
		}
		var fault *Fault
		if !errors.As(err, &fault) && k.pace.isFlooding() {
			fault = &Fault{Kind: Flood}
			err = fault
		}
		if fault != nil && fault.Kind == Oversize { // malformed packets have a reason of their own
			l.recordBrokerPacketToBlame(fault)
		}
		if !k.acceptedAt.IsZero() {
			l.blameOwnMessage(k, err)
		}
		oneByOne = !k.isStable && (oneByOne || errors.Is(err, errLost))
		if k.isStable && fault == nil {
			wait = firstRetry
		}
		l.setStatusReason(statusReason(err))
		l.CountTrouble(troubleReason(err), "retry", wait.String())
		// The jitter keeps the tables of a venue from connecting all at the same moment.
		jitter := time.Duration(rand.Int64N(int64(wait)/4 + 1))
		select {
		case <-l.stop:
			return
		case <-time.After(wait + jitter):
		}
		wait = min(2*wait, l.opts.MaxRetry)
	}
}

// recordBrokerPacketToBlame records the packet of the broker that ended the connection.
func (l *Line) recordBrokerPacketToBlame(f *Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects.recordBreakAfter(f.key, f.Size, false, time.Now())
}

// blameOwnMessage records the message of ours after which the connection ended, if one is to blame. It counts the message as trouble if it
// is left out from now on.
func (l *Line) blameOwnMessage(k *link, err error) {
	m, found := k.messageToBlame(err)
	l.mu.Lock()
	l.suspects.forgiveOthers(m.topic)
	leftOut := found && l.suspects.recordBreakAfter(m.topic, len(m.payload), true, time.Now())
	l.mu.Unlock()
	if leftOut {
		l.CountTrouble("left-out", "topic", m.topic, "bytes", len(m.payload))
	}
}

// isLeftOut reports whether a message of ours is not sent, because the connection broke after it.
func (l *Line) isLeftOut(topic string, size int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.suspects.isLeftOut(topic, size, true, time.Now())
}

// troubleReason returns the reason for Counts. The text of err must not be used: paho's errors may quote an address.
func troubleReason(err error) string {
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

// Values of Status.Reason, in addition to Oversize, Malformed and Flood.
const (
	Unanswered = "unanswered" // the broker does not answer
	Unknown    = "unknown"    // there is no such name (DNS)
	Login      = "login"      // the broker refuses the user, the password or the account
	Untrusted  = "untrusted"  // the certificate is expired, for another name, or from an authority that is not trusted
	Broken     = "broken"     // the connection breaks, for example because of another client with the same id
)

// statusReason returns the reason of a failure that the owner can act on, for Status.
func statusReason(err error) string {
	var (
		dns   *net.DNSError
		cert  *tls.CertificateVerificationError
		fault *Fault
	)
	switch {
	case errors.As(err, &fault):
		return fault.Kind
	case errors.Is(err, errHandshakeSize):
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

func (l *Line) setStatusReason(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status.Reason = why
}

// connect makes a client and its one connection. It returns the link even if it fails.
func (l *Line) connect() (*link, error) {
	k := &link{lost: make(chan struct{})}
	if l.opts.Dial == nil { // a broker in this process needs no limit
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
		SetDefaultPublishHandler(l.handleMessage).
		SetConnectionLostHandler(func(_ mqtt.Client, why error) {
			k.recordEndTime()
			end.Do(func() { k.cause = why; close(k.lost) })
		}).
		SetWill(l.opts.Will, Offline, qos, true)
	o.SetCustomOpenConnectionFn(func(address *url.URL, _ mqtt.ClientOptions) (net.Conn, error) {
		conn, err := l.openConn(address, k.pace)
		if err != nil {
			return nil, err
		}
		return newPacketReader(conn, k, l.opts.Timeout, l.countIfSkipped), nil
	})
	k.client = mqtt.NewClient(o)
	return k, l.waitForBrokerAnswer(k, k.client.Connect())
}

func (l *Line) openConn(address *url.URL, p *pace) (net.Conn, error) {
	if l.opts.Dial != nil {
		return l.opts.Dial()
	}
	return dialBroker(address, l.opts.TLS, l.opts.Timeout, p)
}

// countIfSkipped reports whether too large messages of this topic are skipped. If so it counts one.
func (l *Line) countIfSkipped(topic string) (isSkipped bool) {
	l.mu.Lock()
	out := l.suspects.isLeftOut(topic, 0, false, time.Now())
	l.mu.Unlock()
	if out {
		l.CountTrouble("passed-over")
	}
	return out
}

// waitForBrokerAnswer waits for an answer with a time limit, because a token of paho may never complete. It waits longer while a
// message is being skipped.
func (l *Line) waitForBrokerAnswer(k *link, t mqtt.Token) error {
	limit := time.NewTicker(2 * l.opts.Timeout) // a connect has two steps
	defer limit.Stop()
	for {
		select {
		case <-t.Done():
			return k.withCause(t.Error())
		case <-k.lost:
			select {
			case <-t.Done(): // the answer came before the connection ended
				return k.withCause(t.Error())
			default:
				return k.withCause(errLost)
			}
		case <-l.stop:
			return errStopped
		case <-limit.C:
			if !k.skipping.Load() {
				return errTimeout
			}
		}
	}
}

// withCause adds the cause to an error if the connection has ended; paho's tokens do not contain it.
func (k *link) withCause(err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-k.lost:
	case <-time.After(quiesce * time.Millisecond):
		return err // the connection is not lost
	}
	if k.cause == nil {
		return err
	}
	return fmt.Errorf("%w: %w", errLost, k.cause)
}

// callPaho calls send, which gives paho a packet, and returns its token. paho returns at once, unless the connection ends meanwhile: then
// only after its write timeout, so callPaho does not wait for it.
func (l *Line) callPaho(k *link, send func() mqtt.Token) (mqtt.Token, error) {
	taken := make(chan mqtt.Token, 1)
	go func() { taken <- send() }()
	select {
	case t := <-taken:
		return t, nil
	case <-k.lost:
		return nil, k.withCause(errLost)
	case <-l.stop:
		return nil, errStopped
	}
}
