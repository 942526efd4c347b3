package home

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/broker/internal/guard"
)

// Limits that belong to no account.
const (
	maxConnect    = 8 << 10 // bytes of a CONNECT, its will among them
	maxPacket     = 1 << 20 // zigbee2mqtt tells of all its devices at once
	maxID         = 128
	maxWaiting    = 8               // connections that have not said who they are
	maxRetained   = 4000            // topics, of all accounts
	maxRetainedIn = 4 << 20         // bytes
	maxBrought    = 2 * maxRetained // retained messages that one SUBSCRIBE brings
	maxPending    = 4096            // messages of one client on their way to its outbox: a subscription to all that is retained fits
	maxInflight   = maxPending      // messages at QoS 1 and 2 that a client has not acknowledged,
	maxUnacked    = maxBehind       // and their bytes; who has more is cut
	maxAway       = 100             // messages kept for who is away,
	maxAwayEach   = 4 << 10         // none of them larger
	maxExpiry     = 3600            // seconds that a session is kept
	maxBehind     = 6 << 20         // bytes that one client has not read,
	maxBehindAll  = 24 << 20        // and all of them together; above that nobody has more than
	fairBehind    = 512 << 10       //
	maxPause      = 10 * time.Second
	writeChunk    = 16 << 10
	bufferKept    = 16 << 10
	overhead      = 32 // what each packet costs above its size
	filtersEach   = 16 // of a SUBSCRIBE cost what a message does
	keptEach      = 10 // retained messages, too, that it brings
	socketBuffer  = 64 << 10
	handover      = 5 * time.Second
)

// MaxConns is how many sockets there are at most: two of each account, and those that wait.
const MaxConns = 2*MaxAccounts + maxWaiting

// Opts are the parameters of a Broker. Zero values take the default.
type Opts struct {
	ConnectWait time.Duration // until a CONNECT is complete; 5 s
	WriteWait   time.Duration // for 16 KiB; 5 s
	Commands    bool          // accounts of the templates that have them may command the table
	// Log receives one line per kind of trouble and minute, without payloads or passwords. Nil is silent.
	Log *slog.Logger
}

// Broker is a running broker.
//
// Invariants:
//  1. mochi works on one packet at a time: of the gate that holds turn.
//  2. Client ids inside mochi are <account>/<id>, and of each at most one connection is inside.
//  3. kept lists at most Limits.Sessions ids of each account, the oldest first; no other session outlives its connection.
//  4. retained holds the size and the account of each retained topic in mochi.
type Broker struct {
	register               *Register
	log                    *slog.Logger
	commands               bool
	connectWait, writeWait time.Duration
	server                 *mqtt.Server
	turn                   sync.Mutex
	order                  int64 // of messages, for mochi's queues; under turn
	telling                int   // the size of what is told now; under turn
	behind                 atomic.Int64
	pace                   func(Limits) Limits // in tests

	wg   sync.WaitGroup
	stop chan struct{}

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]struct{}
	waiting   []*gate // that have not said who they are, oldest first
	conns     map[string][]*gate
	ids       map[string]*gate
	kept      map[string][]string
	retained  map[string]leftover
	stats     guard.Counts
}

// leftover is one retained message.
type leftover struct {
	user string
	size int
}

// New starts a broker for the accounts of a register.
func New(register *Register, opts *Opts) (*Broker, error) {
	o := *cmp.Or(opts, &Opts{})
	b := &Broker{register: register, log: o.Log, commands: o.Commands, connectWait: cmp.Or(o.ConnectWait, 5*time.Second), writeWait: cmp.Or(o.WriteWait, 5*time.Second),
		pace: func(l Limits) Limits { return l }, stop: make(chan struct{}), listeners: map[net.Listener]struct{}{}, conns: map[string][]*gate{},
		ids: map[string]*gate{}, kept: map[string][]string{}, retained: map[string]leftover{}}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	caps := mqtt.NewDefaultServerCapabilities()
	caps.MaximumMessageExpiryInterval = 0 // 24 h by default
	caps.MaximumClientWritesPending = maxPending
	caps.MaximumSessionExpiryInterval = maxExpiry
	caps.MaximumPacketSize = maxPacket + 5
	caps.ReceiveMaximum = 64
	caps.MaximumInflight = maxInflight
	caps.TopicAliasMaximum = 0
	caps.SharedSubAvailable = 0
	caps.MinimumProtocolVersion = 4
	caps.Compatibilities.NoInheritedPropertiesOnAck = true
	b.server = mqtt.New(&mqtt.Options{
		Capabilities:             caps,
		ClientNetWriteBufferSize: 1,                             // our outbox gathers
		Logger:                   slog.New(slog.DiscardHandler), // its log quotes whole packets
		SysTopicResendInterval:   math.MaxInt32,                 // $SYS stops the world to count memory
	})
	if err := b.server.AddHook(&hook{b: b}, nil); err != nil {
		return nil, fmt.Errorf("home: %w", err)
	}
	if err := b.server.Serve(); err != nil {
		return nil, fmt.Errorf("home: %w", err)
	}
	return b, nil
}

// ServeTCP accepts connections until Close, which also closes l.
func (b *Broker) ServeTCP(l net.Listener) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return l.Close()
	}
	b.listeners[l] = struct{}{}
	b.mu.Unlock()
	for {
		conn, err := l.Accept()
		if err != nil {
			select {
			case <-b.stop:
				return nil
			case <-time.After(100 * time.Millisecond): // no descriptor is left, or the peer has gone
			}
			if errors.Is(err, net.ErrClosed) {
				return fmt.Errorf("home: accept: %w", err)
			}
			continue
		}
		if t, ok := conn.(*net.TCPConn); ok {
			_, _ = t.SetReadBuffer(socketBuffer), t.SetWriteBuffer(socketBuffer)
		}
		b.begin(conn, false)
	}
}

// Join is a connection for the daemon itself: no password opens it from outside.
func (b *Broker) Join() (net.Conn, error) {
	ours, theirs := net.Pipe()
	if !b.begin(theirs, true) {
		_ = ours.Close()
		return nil, net.ErrClosed
	}
	return ours, nil
}

func (b *Broker) begin(conn net.Conn, inside bool) bool {
	g := newGate(b, conn)
	g.inside = inside
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		_ = conn.Close()
		return false
	}
	if b.waiting = append(b.waiting, g); len(b.waiting) > maxWaiting {
		if i := slices.IndexFunc(b.waiting, func(o *gate) bool { return !o.inside }); i >= 0 {
			b.waiting[i].cut()
			b.waiting = slices.Delete(b.waiting, i, i+1)
		}
	}
	b.wg.Add(2)
	b.mu.Unlock()
	go func() { defer b.wg.Done(); g.send() }()
	go func() { defer b.wg.Done(); b.serve(g) }()
	return true
}

// serve runs one connection to its end. mochi has no recover of its own: a packet that it decodes wrongly would end the daemon.
func (b *Broker) serve(g *gate) {
	defer close(g.done)
	defer b.forget(g)
	defer g.Close()
	defer func() {
		if p := recover(); p != nil {
			b.count("crash", g.RemoteAddr(), "at", guard.Culprit())
		}
	}()
	_ = b.server.EstablishConnection("gate", g)
}

// claim books a client id for g: an older connection of it ends first, and the oldest of an account that has too many.
func (b *Broker) claim(g *gate, user, id string, l Limits, kept bool) bool {
	patience := time.NewTimer(handover)
	defer patience.Stop()
	for {
		b.mu.Lock()
		old := b.ids[id]
		if all := b.conns[user]; old == nil && !g.inside && len(all) >= max(1, l.Conns) {
			old = all[0]
		}
		if old == nil {
			b.waiting = slices.DeleteFunc(b.waiting, func(o *gate) bool { return o == g })
			b.conns[user] = append(b.conns[user], g)
			b.ids[id] = g
			g.user, g.id = user, id
			over := b.keep(user, id, l, kept)
			b.mu.Unlock()
			for _, o := range over {
				b.end(o)
			}
			if !g.inside {
				b.register.connected(user, 1)
			}
			return true
		}
		b.mu.Unlock()
		select {
		case old.hurry <- old.id == id:
		default:
		}
		_ = old.Close()
		select {
		case <-old.done:
		case <-patience.C:
			return false
		case <-b.stop:
			return false
		}
	}
}

// keep notes a session that is to outlive its connection; over are those that are to end for it. mu is held.
func (b *Broker) keep(user, id string, l Limits, kept bool) (over []string) {
	all := slices.DeleteFunc(b.kept[user], func(o string) bool { return o == id })
	if kept {
		all = append(all, id)
	}
	for n := len(all) - max(1, l.Sessions); n > 0; n-- {
		if i := slices.IndexFunc(all, func(o string) bool { return b.ids[o] == nil }); i >= 0 {
			over = append(over, all[i])
			all = slices.Delete(all, i, i+1)
		}
	}
	if b.kept[user] = all; len(all) == 0 {
		delete(b.kept, user)
	}
	return over
}

// end ends a session whose connection has gone, with all that mochi would leave behind.
func (b *Broker) end(id string) {
	b.turn.Lock()
	defer b.turn.Unlock()
	b.clear(id)
}

// clear is end for who has the turn.
func (b *Broker) clear(id string) {
	if cl, ok := b.server.Clients.Get(id); ok && cl.Closed() {
		b.server.UnsubscribeClient(cl)
		cl.ClearInflights()
		b.server.Clients.Delete(id)
	}
}

// forget takes g out of the broker, also what mochi leaves behind when it panicked.
func (b *Broker) forget(g *gate) {
	g.leave()
	b.mu.Lock()
	b.waiting = slices.DeleteFunc(b.waiting, func(o *gate) bool { return o == g })
	came := b.ids[g.id] == g
	if came {
		delete(b.ids, g.id)
		if b.conns[g.user] = slices.DeleteFunc(b.conns[g.user], func(o *gate) bool { return o == g }); len(b.conns[g.user]) == 0 {
			delete(b.conns, g.user)
		}
	}
	keep := slices.Contains(b.kept[g.user], g.id)
	b.mu.Unlock()
	if !came {
		return
	}
	if !keep {
		b.turn.Lock()
		if cl, ok := b.server.Clients.Get(g.id); ok && cl.Net.Conn == net.Conn(g) {
			cl.Stop(nil)
			b.clear(g.id)
		}
		b.turn.Unlock()
	}
	if !g.inside {
		b.register.connected(g.user, -1)
	}
}

// End cuts an account off and takes what it has left: its sessions and its retained messages. Call it when the account
// has been dropped, or has another password.
func (b *Broker) End(user string) {
	b.mu.Lock()
	all, kept := slices.Clone(b.conns[user]), b.kept[user]
	delete(b.kept, user)
	b.mu.Unlock()
	for _, g := range all {
		g.cut()
	}
	for _, id := range kept {
		b.end(id)
	}
	b.turn.Lock()
	defer b.turn.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for topic, m := range b.retained {
		if m.user == user {
			delete(b.retained, topic)
			b.server.Topics.RetainMessage(emptied(topic))
		}
	}
}

// mayRetain books a retained message, or the end of one; false: there is no room.
func (b *Broker) mayRetain(user, topic string, size int, l Limits) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size == 0 {
		delete(b.retained, topic)
		return true
	}
	n, bytes, all := 1, size, size
	for t, m := range b.retained {
		if t == topic {
			continue
		}
		if all += m.size; m.user == user {
			n, bytes = n+1, bytes+m.size
		}
	}
	if user != "" && (n > l.Retained || bytes > l.RetainedBytes || len(b.retained) >= maxRetained || all > maxRetainedIn) {
		return false
	}
	b.retained[topic] = leftover{user, size}
	return true
}

// mayLeave judges the will of a CONNECT.
func (b *Broker) mayLeave(c *connect, r Rights) bool {
	return b.mayWrite(c.willTopic, r) && (c.flags&flagWillRetain == 0 || anyCovers(r.Retain, c.willTopic))
}

// mayWrite: nobody but the daemon speaks where the daemon does.
func (b *Broker) mayWrite(topic string, r Rights) bool {
	return plainTopic(topic) && !covers(b.register.base+"/#", topic) && anyCovers(r.Write, topic)
}

// command is the topic by which the daemon hears a command: with the name of the account behind it, which nobody else can write, and
// with Retained behind that where it was to be retained, which no command is. ok is false for what is no command, or of an account
// that has none.
func (b *Broker) command(pk *packets.Packet, user string, r Rights) (topic string, ok bool) {
	name, is := strings.CutPrefix(pk.TopicName, b.register.base+"/command/")
	if !is || name == "" || !b.commands || !r.Commands || strings.Contains(name, "/") || !plainTopic(pk.TopicName) {
		return "", false
	}
	if topic = pk.TopicName + "/" + user; pk.FixedHeader.Retain {
		topic += "/retained"
	}
	return topic, true
}

// Stats are the refusals and cuts since New, by reason.
func (b *Broker) Stats() map[string]uint64 {
	return b.stats.All()
}

// count notes one refusal or cut.
func (b *Broker) count(reason string, remote net.Addr, more ...any) {
	if n, due := b.stats.Add(reason); due {
		b.log.With(more...).Warn("home: a device is refused or cut", "reason", reason, "from", remote.String(), "times", n,
			"conseil", "un appareil de la maison est refusé ou coupé : la page de l’hôte dit, sous Appareils de la maison, ce qu’il a demandé")
	}
}

// Close ends every connection and the broker.
func (b *Broker) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	close(b.stop)
	var all []*gate
	for _, gs := range b.conns {
		all = append(all, gs...)
	}
	all = append(all, b.waiting...)
	listeners := slices.Collect(maps.Keys(b.listeners))
	b.mu.Unlock()
	var errs []error
	for _, l := range listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, fmt.Errorf("home: %w", err))
		}
	}
	for _, g := range all { // mochi would wait for each of them
		_ = g.Close()
	}
	b.wg.Wait()
	return errors.Join(append(errs, b.server.Close())...)
}

// newID is a client id for who has none.
func newID() string { return strings.ToLower(rand.Text())[:20] }
