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
	"majordome/companion/guard"
	"majordome/companion/wire"
)

// Limits that are not options.
const (
	maxConnect  = 1 << 10         // bytes of a CONNECT packet
	maxDaemon   = 64 << 10        // bytes of a packet of the daemon, which sends the list of all names
	maxFilters  = 8               // of one SUBSCRIBE; a page asks for four
	maxInflight = 64              // unacknowledged messages per client
	maxPending  = 2 * maxInflight // messages waiting to be written to one client
	handover    = 5 * time.Second // a newer connection waits this long for the end of the older
	maxClients  = 512             // of mochi; package door lets in fewer
)

// Access decides who may do what. It is asked for each connection, publish,
// subscription and delivery, from many goroutines, and must not block. A right
// withdrawn acts on the next delivery.
type Access interface {
	// Authenticate reports whether password opens user for this client id.
	Authenticate(user, clientID string, password []byte, remote net.Addr) bool
	// Kind is what a connection of user has proved to be once it is authenticated: the
	// place that package door gives it.
	Kind(user string) door.Kind
	// CanRead is asked with a topic on delivery and with the text of the filter
	// on subscription; the broker itself refuses wildcards before asking.
	CanRead(user, topic string) bool
	// CanWrite is asked for each publish.
	CanWrite(user, topic string) bool
	// CanRetain is asked for retained publishes and for wills, on top of CanWrite.
	CanRetain(user, topic string) bool
}

// Opts are the parameters of a Broker. Zero values take the default.
type Opts struct {
	// Origins are pages of another origin that may connect, such as
	// "https://venue.example" of a reverse proxy. The same origin always may.
	Origins []string
	// ConnectTimeout is how long a socket may take until its CONNECT is
	// complete. Default 5 s.
	ConnectTimeout time.Duration
	// WriteTimeout is how long one write to a client may take. Default 5 s.
	WriteTimeout time.Duration
	// MaxPacket is the largest packet body in bytes that a client may send.
	// Default 20 KiB; it is 64 KiB for the daemon.
	MaxPacket int
	// Rate limits one connection.
	Rate Rate
	// OnPresence is told who is connected whenever that changes: the users, each
	// once, sorted, without public and daemon, and wire.Display where a table display
	// is connected. It is called from one goroutine,
	// after the fact, and quick changes are told as one. It must return before
	// Close can.
	OnPresence func(online []string)
	// Log receives one line per kind of trouble, without payloads or passwords.
	// Nil is silent.
	Log *slog.Logger
}

// Rate is what one connection may send.
type Rate struct {
	Messages float64 // a second, acknowledgements and pings not counted; default 20, burst twice that
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
//  1. mochi sees no byte of a connection before its CONNECT has passed the gate
//     and its user is authenticated.
//  2. Of one client id at most one connection is inside mochi, so that mochi
//     never hands a session over.
//  3. A gate in conns is counted in wg; after closed is set none is added.
//  4. online counts the established connections of each user, never zero, those of
//     displays apart.
type Broker struct {
	opts   Opts
	access Access
	server *mqtt.Server

	wg       sync.WaitGroup
	presence chan struct{} // holds one token when online has changed
	notifier chan struct{} // closed when the notifier has ended
	stop     chan struct{} // closed by Close

	mu        sync.Mutex
	closed    bool
	conns     map[*gate]struct{}
	ids       map[string]*gate // by client id
	online    map[string]int
	listeners map[net.Listener]struct{}
	stats     guard.Counts
}

// New starts a broker in which access decides.
func New(access Access, opts *Opts) (*Broker, error) {
	if access == nil {
		return nil, errors.New("broker: no access rules: nobody could connect")
	}
	o := opts.withDefaults()
	b := &Broker{
		opts: o, access: access,
		presence: make(chan struct{}, 1), notifier: make(chan struct{}), stop: make(chan struct{}),
		conns: map[*gate]struct{}{}, ids: map[string]*gate{}, online: map[string]int{},
		listeners: map[net.Listener]struct{}{},
	}
	caps := mqtt.NewDefaultServerCapabilities()
	caps.MaximumClients = maxClients
	caps.MaximumMessageExpiryInterval = 0 // 24 h by default: a table left overnight would lose its views
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
		// Its log quotes whole packets, a password among them. We have our own.
		Logger: slog.New(slog.DiscardHandler),
		// $SYS stops the world to count memory and nobody may read it.
		SysTopicResendInterval: math.MaxInt32,
	})
	if err := b.server.AddHook(&hook{b: b}, nil); err != nil {
		return nil, fmt.Errorf("broker: add hook: %w", err)
	}
	if err := b.server.Serve(); err != nil {
		return nil, fmt.Errorf("broker: start: %w", err)
	}
	go b.notify()
	return b, nil
}

// Online are the users with an established connection, each once, sorted;
// public and daemon are not among them.
func (b *Broker) Online() []string {
	return b.users(wire.UserPublic, wire.UserDaemon, wire.Display)
}

// users are those with an established connection, without some.
func (b *Broker) users(without ...string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	users := slices.Sorted(maps.Keys(b.online))
	return slices.DeleteFunc(users, func(u string) bool { return slices.Contains(without, u) })
}

// Kick cuts every connection of user and returns how many there were. Call it
// after the user's key or rights have changed.
func (b *Broker) Kick(user string) int {
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

// Stats are the refusals and cuts since New, by reason.
func (b *Broker) Stats() map[string]uint64 {
	return b.stats.All()
}

// Close stops the listeners given to ServeTCP, cuts every connection, waits
// for their goroutines and stops the broker. Handler answers 503 from then on.
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
	// mochi counts its clients in a WaitGroup of its own and may not be closed
	// while one is being added to it.
	b.wg.Wait()
	if err := b.server.Close(); err != nil {
		errs = append(errs, fmt.Errorf("broker: close: %w", err))
	}
	<-b.notifier
	return errors.Join(errs...)
}

// enter counts a piece of work that Close has to wait for; false after Close.
func (b *Broker) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.wg.Add(1)
	return true
}

// serve runs one connection to its end. Its caller has called enter.
func (b *Broker) serve(conn net.Conn, lim *limiter, at *door.Conn) {
	g := newGate(b, conn, lim)
	g.place = at
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		conn.Close()
		return
	}
	b.conns[g] = struct{}{}
	b.mu.Unlock()
	defer close(g.done)
	defer b.forget(g)
	b.attach(g)
}

// attach hands a connection to mochi, which has no recover of its own: without
// this one a packet that it decodes wrongly would end the daemon.
func (b *Broker) attach(conn net.Conn) {
	defer conn.Close()
	defer func() {
		if p := recover(); p != nil {
			b.count("crash", conn.RemoteAddr(), "at", guard.Culprit())
		}
	}()
	_ = b.server.EstablishConnection("gate", conn)
}

// claim books a client id for g, ending an older connection that holds it.
func (b *Broker) claim(g *gate, user, id string) bool {
	patience := time.NewTimer(handover)
	defer patience.Stop()
	for {
		b.mu.Lock()
		old := b.ids[id]
		if old == nil {
			b.ids[id] = g
			g.user, g.id = user, id
			b.mu.Unlock()
			return true
		}
		b.mu.Unlock()
		old.Close()
		select {
		case <-old.done:
		case <-patience.C:
			return false
		case <-b.stop:
			return false
		}
	}
}

// who is whose presence a connection is: its user's, or a display's.
func (g *gate) who() string {
	if strings.HasPrefix(g.id, wire.UserPublic+"."+wire.Display) {
		return wire.Display
	}
	return g.user
}

// established marks g's user as present.
func (b *Broker) established(g *gate) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g.present = true
	if b.online[g.who()]++; b.online[g.who()] == 1 {
		b.changed()
	}
}

// forget takes everything of g out of the broker, also what mochi leaves behind
// when it panicked or failed half-way.
func (b *Broker) forget(g *gate) {
	if cl, ok := b.server.Clients.Get(g.id); ok && g.id != "" && cl.Net.Conn == net.Conn(g) {
		cl.Stop(nil)
		b.server.UnsubscribeClient(cl)
		cl.ClearInflights()
		b.server.Clients.Delete(g.id)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.conns, g)
	if b.ids[g.id] == g {
		delete(b.ids, g.id)
	}
	if g.present {
		if b.online[g.who()]--; b.online[g.who()] == 0 {
			delete(b.online, g.who())
			b.changed()
		}
	}
}

func (b *Broker) changed() {
	select {
	case b.presence <- struct{}{}:
	default:
	}
}

func (b *Broker) notify() {
	defer close(b.notifier)
	for {
		select {
		case <-b.stop:
			return
		case <-b.presence:
			if b.opts.OnPresence != nil {
				b.opts.OnPresence(b.users(wire.UserPublic, wire.UserDaemon))
			}
		}
	}
}

// count notes one refusal or cut.
func (b *Broker) count(reason string, remote net.Addr, more ...any) {
	if n, due := b.stats.Add(reason); due {
		from := ""
		if remote != nil {
			from = remote.String()
		}
		a := adviceFor(reason)
		b.opts.Log.With(more...).Warn("broker: connection refused or cut", "reason", reason, "from", from, "times", n, "advice", a.en, "conseil", a.fr)
	}
}
