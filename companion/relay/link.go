package relay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

const (
	qos       = 1
	firstWait = 250 * time.Millisecond
	subDenied = 0x80 // MQTT 3.1.1 section 3.9.3; paho does not call it an error
	quiesce   = 100  // ms that paho gives the DISCONNECT packet
)

var (
	errStopped = errors.New("relay: stopped")
	errLost    = errors.New("relay: connection lost")
	errTimeout = errors.New("relay: the broker does not answer")
)

// clientID is the same for each connection of a table, so that the broker drops
// the dead one when the next comes.
func clientID(user, base string) string {
	if user == "" {
		user = "majordome"
	}
	sum := sha256.Sum256([]byte(base))
	return user + "." + hex.EncodeToString(sum[:6])
}

// run keeps the link until Close.
func (r *Relay) run() {
	wait := firstWait
	for {
		c, lost, err := r.connect()
		if err == nil {
			wait = firstWait
			err = r.session(c, lost)
			r.up(false)
			if errors.Is(err, errStopped) {
				r.goodbye(c)
			}
		}
		if c != nil {
			c.Disconnect(quiesce)
		}
		if errors.Is(err, errStopped) {
			return
		}
		r.count(trouble(err), "retry", wait.String())
		// The tables of a venue should not all knock in the same moment.
		jitter := time.Duration(rand.Int64N(int64(wait)/4 + 1))
		select {
		case <-r.stop:
			return
		case <-time.After(wait + jitter):
		}
		wait = min(2*wait, r.opts.MaxRetry)
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

// connect makes a client and its one connection. lost is closed when that ends.
func (r *Relay) connect() (c mqtt.Client, lost chan struct{}, err error) {
	lost = make(chan struct{})
	end := sync.OnceFunc(func() { close(lost) })
	o := mqtt.NewClientOptions().
		AddBroker(r.opts.URL).
		SetClientID(r.id).
		SetUsername(r.opts.User).
		SetPassword(r.opts.Password).
		SetProtocolVersion(4).
		SetCleanSession(true).
		SetKeepAlive(r.opts.KeepAlive).
		SetPingTimeout(r.opts.Timeout).
		SetConnectTimeout(r.opts.Timeout).
		SetWriteTimeout(r.opts.Timeout).
		SetAutoReconnect(false).
		SetConnectRetry(false).
		SetOrderMatters(true).
		SetStore(mqtt.NewOrderedMemoryStore()).
		SetDefaultPublishHandler(r.receive).
		SetConnectionLostHandler(func(mqtt.Client, error) { end() }).
		SetWill(r.opts.Tree.Availability(), offline, qos, true)
	c = mqtt.NewClient(o)
	return c, lost, r.await(c.Connect(), lost)
}

// await waits for an answer, but not for ever: a token of paho may never come.
func (r *Relay) await(t mqtt.Token, lost <-chan struct{}) error {
	limit := time.NewTimer(2 * r.opts.Timeout) // a connect has two steps
	defer limit.Stop()
	select {
	case <-t.Done():
		return t.Error()
	case <-lost:
		return errLost
	case <-r.stop:
		return errStopped
	case <-limit.C:
		return errTimeout
	}
}

// ask gives paho something to send. paho takes it at once, except when the
// connection ends meanwhile: then it comes back after its write timeout only.
func (r *Relay) ask(send func() mqtt.Token, lost <-chan struct{}) (mqtt.Token, error) {
	taken := make(chan mqtt.Token, 1)
	go func() { taken <- send() }()
	select {
	case t := <-taken:
		return t, nil
	case <-lost:
		return nil, errLost
	case <-r.stop:
		return nil, errStopped
	}
}

// session subscribes, shows everything, and then what is new, until the
// connection or the relay ends.
func (r *Relay) session(c mqtt.Client, lost chan struct{}) error {
	if err := r.subscribe(c, lost); err != nil {
		return err
	}
	r.mu.Lock()
	for _, s := range r.topics {
		s.sent = 0
	}
	r.mu.Unlock()
	if err := r.flush(c, lost); err != nil {
		return err
	}
	token, err := r.ask(func() mqtt.Token { return c.Publish(r.opts.Tree.Availability(), qos, true, online) }, lost)
	if err == nil {
		err = r.await(token, lost)
	}
	if err != nil {
		return err
	}
	r.up(true)
	for {
		select {
		case <-r.stop:
			return errStopped
		case <-lost:
			return errLost
		case <-r.wake:
			if err := r.flush(c, lost); err != nil {
				return err
			}
		}
	}
}

func (r *Relay) subscribe(c mqtt.Client, lost <-chan struct{}) error {
	filters := make(map[string]byte, len(r.ups))
	for topic := range r.ups {
		filters[topic] = qos
	}
	// nil: the default handler, receive
	token, err := r.ask(func() mqtt.Token { return c.SubscribeMultiple(filters, nil) }, lost)
	if err == nil {
		err = r.await(token, lost)
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
	r.mu.Lock()
	r.status.Denied = denied
	r.mu.Unlock()
	if len(denied) > 0 {
		r.count("denied", "topics", len(denied))
	}
	return nil
}

func (r *Relay) up(is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Connected = is
}

// flush sends what is new until nothing is. Of each topic one payload is under
// way and one waits.
func (r *Relay) flush(c mqtt.Client, lost <-chan struct{}) error {
	for {
		batch := r.due()
		if len(batch) == 0 {
			return nil
		}
		tokens := make([]mqtt.Token, len(batch))
		for i, m := range batch {
			t, err := r.ask(func() mqtt.Token { return c.Publish(m.topic, qos, m.retained, m.payload) }, lost)
			if err != nil {
				return err
			}
			tokens[i] = t
		}
		for i, t := range tokens {
			if err := r.await(t, lost); err != nil {
				return err
			}
			r.acknowledged(batch[i])
		}
	}
}

// outgoing is one publish under way.
type outgoing struct {
	message
	retained bool
	version  uint64
}

// due takes the waiting replies and one payload of each topic that the broker
// does not have yet.
func (r *Relay) due() []outgoing {
	r.mu.Lock()
	defer r.mu.Unlock()
	var batch []outgoing
	for _, m := range r.replies {
		batch = append(batch, outgoing{message: m})
	}
	r.replies = nil
	for _, topic := range r.order {
		if s := r.topics[topic]; s.sent != s.version {
			batch = append(batch, outgoing{message{topic: topic, payload: s.payload}, true, s.version})
		}
	}
	return batch
}

func (r *Relay) acknowledged(o outgoing) {
	if !o.retained {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.topics[o.topic].sent = o.version
}

// goodbye is the last word of a graceful stop: a DISCONNECT keeps the will from
// being told.
func (r *Relay) goodbye(c mqtt.Client) {
	limit, said := min(r.opts.Timeout, time.Second), make(chan struct{})
	go func() {
		defer close(said)
		c.Publish(r.opts.Tree.Availability(), qos, true, offline).WaitTimeout(limit)
	}()
	select {
	case <-said:
	case <-time.After(limit):
	}
}
