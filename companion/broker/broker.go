package broker

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"

	"majordome/companion/door"
	"majordome/companion/mqttguard"
	"majordome/companion/wire"
)

// Limits that Opts does not change.
const (
	maxConnect      = 1 << 10         // bytes of a CONNECT packet
	maxDaemon       = 64 << 10        // bytes of a packet of the daemon, which sends the list of all names
	maxFilters      = 8               // in one SUBSCRIBE; a page asks for four
	maxInflight     = 64              // unacknowledged messages per client
	maxPending      = 2 * maxInflight // messages that wait to be written to one client
	handoverTimeout = 5 * time.Second // how long a newer connection waits for the end of the older one
	maxClients      = 512             // in mochi; package door admits fewer
)

// Access decides which user may read and write which topic. The broker calls it for each connection, publish, subscription and delivery,
// from many goroutines, so it must not block. A right that is withdrawn is gone at the next delivery.
type Access interface {
	// Authenticate reports whether password is right for user and this client id.
	Authenticate(user, clientID string, password []byte, remote net.Addr) bool
	// KindOf returns the kind of place that package door reserves for user after authentication.
	KindOf(user string) door.Kind
	// CanRead is called with the topic at each delivery, and with the text of the filter at each subscription. The broker itself refuses
	// filters with wildcards before.
	CanRead(user, topic string) bool
	// CanWrite is called for each publish.
	CanWrite(user, topic string) bool
	// CanRetain is called for retained publishes and for wills, in addition to CanWrite.
	CanRetain(user, topic string) bool
}

// Opts are the parameters of a Broker. Zero values take the default.
type Opts struct {
	// Origins are the other origins whose pages may connect, such as "https://venue.example" of a reverse proxy. Pages of the same
	// origin always may.
	Origins []string
	// ConnectTimeout is the time a socket has to complete its CONNECT. Default 5 s.
	ConnectTimeout time.Duration
	// WriteTimeout is the time limit of one write to a client. Default 5 s.
	WriteTimeout time.Duration
	// MaxPacket is the largest packet body in bytes that a client may send. Default 20 KiB; the daemon always may send 64 KiB.
	MaxPacket int
	// Rate limits one connection.
	Rate Rate
	// OnPresence is called when the list of connected users has changed: each user once, sorted, without public and daemon, but with
	// wire.Display if a table display is connected. One goroutine makes all calls, shortly after the change; quick changes may come as
	// one call. Close waits until it returns.
	OnPresence func(online []string)
	// Log receives one line for each kind of trouble and minute, without payloads or passwords. Nil logs nothing.
	Log *slog.Logger
}

// Rate limits what one connection may send.
type Rate struct {
	Messages float64 // a second, without acknowledgements and pings; default 20, burst twice that
	Bytes    float64 // a second; default 32 KiB, burst twice that
}

func (o *Opts) withDefaults() Opts {
	var d Opts
	if o != nil {
		d = *o
	}
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	def(&d.MaxPacket, 20<<10)
	if d.ConnectTimeout == 0 {
		d.ConnectTimeout = 5 * time.Second
	}
	if d.WriteTimeout == 0 {
		d.WriteTimeout = 5 * time.Second
	}
	if d.Rate.Messages == 0 {
		d.Rate.Messages = 20
	}
	if d.Rate.Bytes == 0 {
		d.Rate.Bytes = 32 << 10
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return d
}

// Broker is a running broker.
//
// Invariants:
//  1. mochi receives no byte of a connection before the gate has accepted its CONNECT and authenticated its user.
//  2. At most one connection of a client id is inside mochi, so that mochi never transfers a session.
//  3. Each gate in conns is counted in wg; once closed is set, none is added.
//  4. online counts the established connections of each user and has no zero counts. Displays have a count of their own.
type Broker struct {
	opts   Opts
	access Access
	server *mqtt.Server

	wg              sync.WaitGroup
	presenceChanged chan struct{} // holds one token when online has changed
	notifierDone    chan struct{} // closed when runPresenceNotifier has returned
	stop            chan struct{} // closed by Close

	mu         sync.Mutex
	closed     bool
	conns      map[*gate]struct{}
	byClientID map[string]*gate
	online     map[string]int
	listeners  map[net.Listener]struct{}
	refusals   mqttguard.Counts
}

// New starts a broker with these access rules.
func New(access Access, opts *Opts) (*Broker, error) {
	if access == nil {
		return nil, errors.New("broker: no access rules: nobody could connect")
	}
	o := opts.withDefaults()
	b := &Broker{
		opts: o, access: access,
		presenceChanged: make(chan struct{}, 1), notifierDone: make(chan struct{}), stop: make(chan struct{}),
		conns: map[*gate]struct{}{}, byClientID: map[string]*gate{}, online: map[string]int{},
		listeners: map[net.Listener]struct{}{},
	}
	caps := mqtt.NewDefaultServerCapabilities()
	caps.MaximumClients = maxClients
	caps.MaximumMessageExpiryInterval = 0 // mochi's 24 h would delete the views of a table that runs overnight
	caps.MaximumClientWritesPending = maxPending
	caps.MaximumSessionExpiryInterval = 0
	caps.MaximumPacketSize = uint32(max(o.MaxPacket, maxDaemon)) + 5
	caps.ReceiveMaximum = maxInflight
	caps.MaximumInflight = maxInflight
	caps.TopicAliasMaximum = 0
	caps.SharedSubAvailable = 0
	caps.MinimumProtocolVersion = 4
	caps.MaximumQos = 1
	caps.WildcardSubAvailable = 0
	b.server = mqtt.New(&mqtt.Options{
		Capabilities: caps,
		// mochi's log quotes whole packets, passwords included. This package logs instead.
		Logger: slog.New(slog.DiscardHandler),
		// No user may read $SYS, and counting memory for it stops the world.
		SysTopicResendInterval: math.MaxInt32,
	})
	if err := b.server.AddHook(&hook{broker: b}, nil); err != nil {
		return nil, fmt.Errorf("broker: add hook: %w", err)
	}
	if err := b.server.Serve(); err != nil {
		return nil, fmt.Errorf("broker: start: %w", err)
	}
	go b.runPresenceNotifier()
	return b, nil
}

// OnlineUsers lists the users with an established connection, each once, sorted, without public, daemon and displays.
func (b *Broker) OnlineUsers() []string {
	return b.onlineUsersExcept(wire.UserPublic, wire.UserDaemon, wire.Display)
}

// onlineUsersExcept lists the users with an established connection, without those in except, sorted.
func (b *Broker) onlineUsersExcept(except ...string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	users := slices.Sorted(maps.Keys(b.online))
	return slices.DeleteFunc(users, func(u string) bool { return slices.Contains(except, u) })
}

// DisconnectUser cuts every connection of user and returns their number. Call it after the user's key or rights have changed.
func (b *Broker) DisconnectUser(user string) int {
	b.mu.Lock()
	var cut []*gate
	for g := range b.conns {
		if g.user == user {
			cut = append(cut, g)
		}
	}
	b.mu.Unlock()
	for _, g := range cut {
		g.Close()
	}
	return len(cut)
}

// RefusalCounts returns how many connections were refused or cut since New, by reason.
func (b *Broker) RefusalCounts() map[string]uint64 {
	return b.refusals.Totals()
}

// Close closes the listeners given to ServeTCP, cuts every connection, waits for their goroutines and stops the broker. From then on
// WebSocketHandler answers 503.
func (b *Broker) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	close(b.stop)
	listeners := slices.Collect(maps.Keys(b.listeners))
	conns := slices.Collect(maps.Keys(b.conns))
	b.mu.Unlock()
	var errs []error
	for _, l := range listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, fmt.Errorf("broker: close listener: %w", err))
		}
	}
	for _, g := range conns {
		g.Close()
	}
	// mochi counts its clients in its own WaitGroup and must not be closed while a client is being added.
	b.wg.Wait()
	if err := b.server.Close(); err != nil {
		errs = append(errs, fmt.Errorf("broker: close: %w", err))
	}
	<-b.notifierDone
	return errors.Join(errs...)
}

// beginServing makes Close wait until the caller calls wg.Done, at the end of a connection. It returns false after Close.
func (b *Broker) beginServing() (isOpen bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.wg.Add(1)
	return true
}

// serveConn runs one connection to its end. The caller has called beginServing.
func (b *Broker) serveConn(conn net.Conn, limits *limiter, place *door.Conn) {
	g := newGate(b, conn, limits)
	g.place = place
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		conn.Close()
		return
	}
	b.conns[g] = struct{}{}
	b.mu.Unlock()
	defer close(g.done)
	defer b.removeGate(g)
	b.serveThroughMochi(g)
}

// serveThroughMochi gives a connection to mochi and returns when it ends. mochi does not recover from panics: without the recover here,
// a packet that mochi decodes wrongly would end the daemon.
func (b *Broker) serveThroughMochi(conn net.Conn) {
	defer conn.Close()
	defer func() {
		if p := recover(); p != nil {
			b.countRefusal("crash", conn.RemoteAddr(), "at", mqttguard.PanicLocation())
		}
	}()
	_ = b.server.EstablishConnection("gate", conn)
}

// reserveClientID reserves a client id for g. It closes an older connection with this id and waits for its end, at most handoverTimeout. It
// returns false if that connection has not ended by then, or after Close.
func (b *Broker) reserveClientID(g *gate, user, id string) (reserved bool) {
	timeout := time.NewTimer(handoverTimeout)
	defer timeout.Stop()
	for {
		b.mu.Lock()
		old := b.byClientID[id]
		if old == nil {
			b.byClientID[id] = g
			g.user, g.id = user, id
			b.mu.Unlock()
			return true
		}
		b.mu.Unlock()
		old.Close()
		select {
		case <-old.done:
		case <-timeout.C:
			return false
		case <-b.stop:
			return false
		}
	}
}

// presenceUser returns the user to count as present for this connection: wire.Display for a table display.
func (g *gate) presenceUser() string {
	if strings.HasPrefix(g.id, wire.UserPublic+"."+wire.Display) {
		return wire.Display
	}
	return g.user
}

// markPresent counts g's user as present.
func (b *Broker) markPresent(g *gate) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g.present = true
	if b.online[g.presenceUser()]++; b.online[g.presenceUser()] == 1 {
		b.signalPresenceChange()
	}
}

// removeGate removes everything about g from the broker, also what mochi has left behind after a panic or a failure half-way.
func (b *Broker) removeGate(g *gate) {
	if cl, ok := b.server.Clients.Get(g.id); ok && g.id != "" && cl.Net.Conn == net.Conn(g) {
		cl.Stop(nil)
		b.server.UnsubscribeClient(cl)
		cl.ClearInflights()
		b.server.Clients.Delete(g.id)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.conns, g)
	if b.byClientID[g.id] == g {
		delete(b.byClientID, g.id)
	}
	if g.present {
		if b.online[g.presenceUser()]--; b.online[g.presenceUser()] == 0 {
			delete(b.online, g.presenceUser())
			b.signalPresenceChange()
		}
	}
}

// signalPresenceChange wakes runPresenceNotifier.
func (b *Broker) signalPresenceChange() {
	select {
	case b.presenceChanged <- struct{}{}:
	default:
	}
}

// runPresenceNotifier calls OnPresence after changes, until Close.
func (b *Broker) runPresenceNotifier() {
	defer close(b.notifierDone)
	for {
		select {
		case <-b.stop:
			return
		case <-b.presenceChanged:
			if b.opts.OnPresence != nil {
				b.opts.OnPresence(b.onlineUsersExcept(wire.UserPublic, wire.UserDaemon))
			}
		}
	}
}

// countRefusal counts one refused or cut connection, and logs it, with logAttrs, if none was logged for this reason within the last minute.
func (b *Broker) countRefusal(reason string, remote net.Addr, logAttrs ...any) {
	if n, logNow := b.refusals.CountReason(reason); logNow {
		from := ""
		if remote != nil {
			from = remote.String()
		}
		a := adviceForReason(reason)
		b.opts.Log.With(logAttrs...).Warn("broker: connection refused or cut",
			"reason", reason, "from", from, "times", n, "advice", a.en, "conseil", a.fr)
	}
}
