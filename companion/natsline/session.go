package natsline

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"majordome/companion/line"
)

const (
	streamName = "majordome"
	maxStored  = 512 << 20 // bytes of the stream
	copies     = 3         // on a cluster

	pingEvery     = time.Second     // a server that answers none of two is left
	ackWait       = 2 * time.Second // for a stream whose leader may just have died
	heartbeat     = 500 * time.Millisecond
	maxPending    = 4096
	maxPendingLen = 32 << 20
)

var (
	errStopped = errors.New("natsline: stopped")
	errLost    = errors.New("natsline: connection lost")
)

// link is one connection to a server.
type link struct {
	conn  *nats.Conn
	guard *guardedConn
	lost  chan struct{} // closed when the connection has ended

	mu   sync.Mutex
	seen map[string]time.Time // of each topic that is a will and online: its last sign of life
}

// run connects again and again until Close.
func (l *Line) run() {
	wait := firstRetry
	for {
		began := time.Now()
		err := l.runLink()
		l.SetConnected(false)
		if errors.Is(err, errStopped) {
			return
		}
		if time.Since(began) > 30*time.Second {
			wait = firstRetry
		}
		reason := reasonOf(err)
		l.SetReason(reason)
		l.CountTrouble(reason, "retry", wait.String())
		jitter := time.Duration(rand.Int64N(int64(wait)/4 + 1)) // so that the tables of a venue do not connect all at once
		select {
		case <-l.stop:
			return
		case <-time.After(wait + jitter):
		}
		wait = min(2*wait, l.opts.MaxRetry)
	}
}

// reasonOf returns the reason of a failure, as in line.Status.
func reasonOf(err error) string {
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
		big  *line.Fault
	)
	switch {
	case errors.As(err, &big):
		return big.Kind
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrPermissionViolation):
		return line.Login
	case errors.As(err, &cert):
		return line.Untrusted
	case errors.As(err, &dns):
		return line.Unknown
	case errors.Is(err, errLost):
		return line.Broken
	}
	return line.Unanswered
}

// dialer opens connections, and remembers the last failure, which nats.go does not return.
type dialer struct {
	timeout time.Duration
	isBlind bool // the connections are TLS
	err     atomic.Pointer[error]
	last    atomic.Pointer[guardedConn]
}

func (d *dialer) Dial(network, host string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), d.timeout)
	defer cancel()
	c, err := (&net.Dialer{}).DialContext(ctx, network, host)
	if err != nil {
		d.err.Store(&err)
		return nil, err
	}
	g := &guardedConn{Conn: c, isBlind: d.isBlind}
	d.last.Store(g)
	return g, nil
}

// connect opens a connection to one of the servers.
func (l *Line) connect() (*link, error) {
	k := &link{lost: make(chan struct{}), seen: map[string]time.Time{}}
	d := &dialer{timeout: l.opts.Timeout, isBlind: strings.HasPrefix(l.opts.URL, "tls:")}
	o := nats.Options{Servers: strings.Split(l.opts.URL, ","), Name: l.opts.ClientID, User: l.opts.User, Password: l.opts.Password,
		AllowReconnect: false, Timeout: l.opts.Timeout, PingInterval: pingEvery, MaxPingsOut: 2, CustomDialer: d,
		ClosedCB: func(*nats.Conn) { close(k.lost) },
		AsyncErrorCB: func(c *nats.Conn, s *nats.Subscription, err error) {
			switch {
			case errors.Is(err, nats.ErrPermissionViolation):
				l.noteDenied(err.Error())
			case errors.Is(err, nats.ErrSlowConsumer):
				l.CountTrouble(line.Flood)
			case s != nil: // the retained messages come no longer: the next connection asks for them again
				l.CountTrouble("silent")
				go c.Close()
			}
		}}
	if strings.HasPrefix(l.opts.URL, "tls:") {
		if o.Secure, o.TLSConfig = true, l.opts.TLS; o.TLSConfig == nil {
			o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
		}
	}
	if key, err := nkeys.FromSeed([]byte(l.opts.Password)); err == nil && strings.HasPrefix(l.opts.Password, "SU") {
		if o.Nkey, err = key.PublicKey(); err != nil {
			return nil, err
		}
		o.User, o.Password, o.SignatureCB = "", "", key.Sign
	}
	conn, err := o.Connect()
	if err != nil {
		if g := d.last.Load(); g != nil && g.isOver.Load() {
			return nil, &line.Fault{Kind: line.Oversize}
		}
		if cause := d.err.Load(); cause != nil && errors.Is(err, nats.ErrNoServers) {
			err = *cause
		}
		return nil, err
	}
	k.conn, k.guard = conn, d.last.Load()
	return k, nil
}

// noteDenied lists a subject that the account may not use. The server names it in quotes.
func (l *Line) noteDenied(said string) {
	_, rest, _ := strings.Cut(said, `"`)
	subject, _, _ := strings.Cut(rest, `"`)
	l.AddDenied(topicOf(subject))
	l.CountTrouble("denied")
}

// runLink has one connection from its beginning to its end.
func (l *Line) runLink() (err error) {
	k, err := l.connect()
	if err != nil {
		select {
		case <-l.stop:
			return errStopped
		default:
			return err
		}
	}
	defer func() {
		if k.conn.Close(); k.guard.isOver.Load() {
			err = &line.Fault{Kind: line.Oversize}
		}
	}()
	js, err := k.conn.JetStream(nats.MaxWait(min(l.opts.Timeout, ackWait)))
	if err == nil {
		err = l.ensureStream(js, k.conn.ConnectedClusterName() != "")
	}
	if err == nil {
		err = l.subscribe(k, js)
	}
	if err != nil {
		return err
	}
	l.ForgetSent()
	if err := l.sendPending(k, js); err != nil {
		return err
	}
	l.SetConnected(true)
	return l.runSession(k, js)
}

// runSession sends what is new, and signs of life, until the connection or the line ends.
func (l *Line) runSession(k *link, js nats.JetStreamContext) error {
	beat := time.NewTicker(l.beatEvery)
	defer beat.Stop()
	for {
		_ = k.conn.Publish(subjectOf("beat", l.opts.Will), nil)
		select {
		case <-l.stop:
			_, _ = js.Publish(subjectOf("kept", l.opts.Will), []byte(line.Offline), nats.AckWait(min(l.opts.Timeout, time.Second)))
			return errStopped
		case <-k.lost:
			return errLost
		case <-beat.C:
			l.reportSilent(k)
		case <-l.Wake():
			if err := l.sendPending(k, js); err != nil {
				return err
			}
		}
	}
}

// ensureStream creates the stream if there is none.
func (l *Line) ensureStream(js nats.JetStreamContext, isCluster bool) error {
	_, err := js.StreamInfo(streamName)
	if !errors.Is(err, nats.ErrStreamNotFound) {
		return err
	}
	c := nats.StreamConfig{Name: streamName, Subjects: []string{"kept.>"}, MaxMsgsPerSubject: 1,
		Storage: nats.FileStorage, MaxBytes: maxStored,
		MaxMsgSize: MaxMessage, Replicas: copies}
	if !isCluster {
		c.Replicas = 1
	}
	_, err = js.AddStream(&c)
	if errors.Is(err, nats.ErrStreamNameAlreadyInUse) { // another link was quicker
		err = nil
	}
	return err
}

// subscribe subscribes to all filters.
func (l *Line) subscribe(k *link, js nats.JetStreamContext) error {
	if len(l.opts.Filters) == 0 {
		return nil
	}
	info, err := js.StreamInfo(streamName)
	if err != nil {
		return err
	}
	l.receiving.Lock()
	if !info.Created.Equal(l.created) { // its numbers begin again
		l.created = info.Created
		clear(l.numbers)
	}
	l.receiving.Unlock()
	var kept []string
	for _, f := range l.opts.Filters {
		kept = append(kept, filterSubject("kept", f))
		for space, handle := range map[string]nats.MsgHandler{
			"now":  func(m *nats.Msg) { l.receive(topicOf(m.Subject), m.Data, false) },
			"beat": func(m *nats.Msg) { l.noteBeat(k, topicOf(m.Subject)) },
		} {
			s, err := k.conn.Subscribe(filterSubject(space, f), handle)
			if err == nil {
				err = s.SetPendingLimits(maxPending, maxPendingLen)
			}
			if err != nil {
				return err
			}
		}
	}
	_, err = js.Subscribe("", func(m *nats.Msg) { l.handleKept(k, m, info.State.LastSeq) }, nats.BindStream(streamName),
		nats.OrderedConsumer(), nats.DeliverLastPerSubject(), nats.ConsumerFilterSubjects(kept...), nats.IdleHeartbeat(heartbeat))
	return err
}

// receive gives a message to the caller.
func (l *Line) receive(topic string, payload []byte, retained bool) {
	if len(payload) > MaxMessage {
		l.CountTrouble(line.Oversize)
		return
	}
	l.receiving.Lock()
	defer l.receiving.Unlock()
	l.opts.Receive(topic, payload, retained)
}

// handleKept handles a message of the stream, which was stored before the subscription if its number is at most last.
func (l *Line) handleKept(k *link, m *nats.Msg, last uint64) {
	meta, err := m.Metadata()
	if err != nil {
		l.CountTrouble(line.Malformed)
		return
	}
	retained, topic := meta.Sequence.Stream <= last, topicOf(m.Subject)
	if !l.isNewest(topic, meta.Sequence.Stream) {
		return
	}
	if strings.HasSuffix(topic, "/availability") {
		k.mu.Lock()
		if delete(k.seen, topic); string(m.Data) == line.Online {
			k.seen[topic] = time.Now()
		}
		k.mu.Unlock()
	}
	if len(m.Data) > 0 || !retained {
		l.receive(topic, m.Data, retained)
	}
}

// isNewest reports whether no retained message of a topic with a higher number was received, and notes the number.
func (l *Line) isNewest(topic string, number uint64) bool {
	l.receiving.Lock()
	defer l.receiving.Unlock()
	newest, known := l.numbers[topic]
	if number < newest {
		return false
	}
	if known || len(l.numbers) < maxPending {
		l.numbers[topic] = number
	}
	return true
}

// noteBeat notes a sign of life; a topic that was silent is online again.
func (l *Line) noteBeat(k *link, topic string) {
	k.mu.Lock()
	_, known := k.seen[topic]
	if known || len(k.seen) < maxPending {
		k.seen[topic] = time.Now()
	}
	k.mu.Unlock()
	if !known {
		l.receive(topic, []byte(line.Online), false)
	}
}

// reportSilent gives "offline" to the caller for each topic that has been silent for too long.
func (l *Line) reportSilent(k *link) {
	var silent []string
	k.mu.Lock()
	for topic, at := range k.seen {
		if time.Since(at) > l.silence {
			silent = append(silent, topic)
			delete(k.seen, topic)
		}
	}
	k.mu.Unlock()
	for _, topic := range silent {
		l.receive(topic, []byte(line.Offline), false)
	}
}

// sendPending sends what is new until nothing is.
func (l *Line) sendPending(k *link, js nats.JetStreamContext) error {
	err := l.Send(func(topic string, payload []byte) error {
		return k.conn.Publish(subjectOf("now", topic), payload)
	}, func(topic string, payload []byte) error {
		_, err := js.Publish(subjectOf("kept", topic), payload, nats.AckWait(min(l.opts.Timeout, ackWait)))
		return err
	})
	if err != nil {
		return errors.Join(errLost, err)
	}
	return nil
}
