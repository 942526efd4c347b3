package home

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"majordome/companion/door"
	"majordome/companion/guard"
	"majordome/companion/mosquitto"
)

// Limits that belong to no account.
const (
	maxConnect    = 8 << 10 // bytes of a CONNECT, its will among them
	maxPacket     = mosquitto.MaxPacket
	maxID         = 128
	maxRetained   = 4000    // topics, of all accounts
	maxRetainedIn = 4 << 20 // bytes
	maxExpiry     = 3600    // seconds that a session is kept
	maxPause      = 10 * time.Second
	bufferKept    = 16 << 10
	overhead      = 32 // what each packet costs above its size
	filtersEach   = 16 // of a SUBSCRIBE cost what a message does
	maxAgain      = 16 // of its filters that stand there more than once
	toldEach      = 10 // bytes that it is told cost what one that it says does: a subscription brings all that is retained
	startWait     = 5 * time.Second
)

// Own is the account of the table itself; Broker.Word is its password. No account of a device has such a name.
const Own = "Table"

// ownRules let the table say everything, and hear everything.
var ownRules = []mosquitto.Rule{{Kind: mosquitto.Publish, Filter: "#", Allow: true}, {Kind: mosquitto.Receive, Filter: "#", Allow: true}, {Kind: mosquitto.Subscribe, Filter: "#", Allow: true}}

// Opts are the parameters of a Broker. Zero values take the default.
type Opts struct {
	Folder      string        // of Mosquitto, as in mosquitto.Opts
	ConnectWait time.Duration // until a CONNECT is complete; 5 s
	Commands    bool          // accounts of the templates that have them may command the table
	// Log receives one line per kind of trouble and minute, without payloads or passwords. Nil is silent.
	Log *slog.Logger
}

// Broker lets the devices of the house in to a Mosquitto of its own.
//
// Invariants:
//  1. Client ids inside Mosquitto are <account>/<id>.
//  2. kept lists at most Limits.Sessions ids of each account, the oldest first: of those that have come since the start, no other
//     session outlives its connection.
//  3. retained holds the size and the account of each topic that an account has left retained since the start.
type Broker struct {
	register    *Register
	server      *mosquitto.Server
	log         *slog.Logger
	commands    bool
	connectWait time.Duration
	pace        func(Limits) Limits // in tests

	wg   sync.WaitGroup
	stop context.Context
	end  context.CancelFunc

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]struct{}
	waiting   map[*gate]struct{} // that have not said who they are
	conns     map[string][]*gate // by account, the oldest first
	kept      map[string][]string
	retained  map[string]leftover
	stats     guard.Counts
}

// leftover is one retained message.
type leftover struct {
	user string
	size int
	ends time.Time // zero: never
}

// New starts Mosquitto for the accounts of a register. Its error is about opts; whether Mosquitto runs shows in Status.
func New(register *Register, opts *Opts) (*Broker, error) {
	o := *cmp.Or(opts, &Opts{})
	b := &Broker{register: register, log: o.Log, commands: o.Commands, connectWait: cmp.Or(o.ConnectWait, 5*time.Second),
		pace: func(l Limits) Limits { return l }, listeners: map[net.Listener]struct{}{}, waiting: map[*gate]struct{}{}, conns: map[string][]*gate{},
		kept: map[string][]string{}, retained: map[string]leftover{}}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	b.stop, b.end = context.WithCancel(context.Background())
	var err error
	b.server, err = mosquitto.Start(&mosquitto.Opts{Folder: o.Folder, Accounts: b.accounts, Refused: b.refused, Log: b.log})
	if err != nil {
		return nil, fmt.Errorf("home: %w", err)
	}
	register.onChange(b.renew)
	return b, nil
}

// accounts are all that may come in to Mosquitto, by what they may do there.
func (b *Broker) accounts() []mosquitto.Account {
	all := []mosquitto.Account{{Name: Own, Rules: ownRules}}
	for name, r := range b.register.all() {
		all = append(all, mosquitto.Account{Name: name, Rules: r.rules(name, b.register.base, b.commands)})
	}
	return all
}

// refused notes what Mosquitto has refused a client.
func (b *Broker) refused(client, kind, topic string) {
	user := accountOf(client)
	if kind == mosquitto.Subscribe {
		b.register.refused(user, AskedRead, topic)
	} else {
		b.register.refused(user, AskedWrite, b.asked(topic))
	}
}

// ServeTCP accepts connections from l, a listener of package door, until Close, which also closes l.
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
			if b.stop.Err() != nil {
				return nil
			}
			return fmt.Errorf("home: accept: %w", err)
		}
		g := newGate(b, conn)
		b.mu.Lock()
		if b.closed {
			b.mu.Unlock()
			_ = conn.Close()
			continue
		}
		b.waiting[g] = struct{}{}
		b.wg.Add(1)
		b.mu.Unlock()
		go func() {
			defer b.wg.Done()
			g.serve()
		}()
	}
}

// Join is a connection for the table itself, by the account Own. No port leads there.
func (b *Broker) Join() (net.Conn, error) {
	ctx, cancel := context.WithTimeout(b.stop, startWait)
	defer cancel()
	return b.server.Dial(ctx)
}

// Word is the password of Own.
func (b *Broker) Word() string { return b.server.Word() }

// Status is how Mosquitto stands.
func (b *Broker) Status() mosquitto.Status { return b.server.Status() }

// claim lets g in: an older connection of its client ends, and the oldest of an account that has too many.
func (b *Broker) claim(g *gate, l Limits, kept bool) bool {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return false
	}
	delete(b.waiting, g)
	all := b.conns[g.user]
	for _, o := range all {
		if o.id == g.id {
			o.cut()
		}
	}
	all = append(slices.DeleteFunc(all, func(o *gate) bool { return o.id == g.id }), g)
	for len(all) > max(1, l.Conns) {
		all[0].cut()
		all = all[1:]
	}
	b.conns[g.user] = all
	over := b.keep(g.user, g.id, l, kept)
	b.mu.Unlock()
	for _, id := range over {
		b.endSession(g.user, id)
	}
	b.register.connected(g.user, 1)
	return true
}

// keep notes a session that is to outlive its connection; over are those that are to end for it. mu is held.
func (b *Broker) keep(user, id string, l Limits, kept bool) (over []string) {
	all := slices.DeleteFunc(b.kept[user], func(o string) bool { return o == id })
	if kept {
		all = append(all, id)
	}
	for n := len(all) - max(1, l.Sessions); n > 0; n-- {
		if i := slices.IndexFunc(all, func(o string) bool { return !b.isThere(user, o) }); i >= 0 {
			over = append(over, all[i])
			all = slices.Delete(all, i, i+1)
		}
	}
	if b.kept[user] = all; len(all) == 0 {
		delete(b.kept, user)
	}
	return over
}

// isThere reports a client that is connected. mu is held.
func (b *Broker) isThere(user, id string) bool {
	return slices.ContainsFunc(b.conns[user], func(g *gate) bool { return g.id == id })
}

func (b *Broker) endSession(user, id string) {
	if err := b.server.EndSession(user + "/" + id); err != nil {
		b.log.Warn("home: a session is kept longer than it should be", "account", user, "error", err, "conseil", "rien à faire : elle finit d’elle-même en une heure")
	}
}

// forget takes g out of the broker.
func (b *Broker) forget(g *gate) {
	b.mu.Lock()
	delete(b.waiting, g)
	if all := slices.DeleteFunc(b.conns[g.user], func(o *gate) bool { return o == g }); len(all) == 0 {
		delete(b.conns, g.user)
	} else {
		b.conns[g.user] = all
	}
	b.mu.Unlock()
	if g.came {
		b.register.connected(g.user, -1)
	}
}

// renew is called when an account is new, has another password, or is there no more: who came by the former one is out, and what
// that has left goes with it.
func (b *Broker) renew(name string, former Rights) {
	b.mu.Lock()
	all, kept := slices.Clone(b.conns[name]), b.kept[name]
	delete(b.kept, name)
	maps.DeleteFunc(b.retained, func(_ string, m leftover) bool { return m.user == name })
	b.mu.Unlock()
	var errs [2]error
	if now, is := b.register.all()[name]; is { // before its connections end: by its former rights nothing more is told, not even a will
		errs[0] = b.server.Set(mosquitto.Account{Name: name, Rules: now.rules(name, b.register.base, b.commands)})
	} else {
		errs[0] = b.server.Drop(name)
	}
	for _, g := range all {
		g.cut()
	}
	for _, id := range kept {
		b.endSession(name, id)
	}
	if len(former.Retain) > 0 {
		errs[1] = b.server.Clear(former.Retain, b.keeps(name))
	}
	if err := errors.Join(errs[:]...); err != nil {
		b.log.Error("home: an account could not be changed at Mosquitto", "account", name, "error", err,
			"conseil", "le serveur MQTT de la maison n’a pas pris ce changement : redémarrez la table")
	}
}

// keeps reports what an account has not left: what is the table's, or may be of another account.
func (b *Broker) keeps(name string) func(topic string) bool {
	others := b.register.all()
	delete(others, name)
	return func(topic string) bool {
		if covers(b.register.base+"/#", topic) || slices.Contains(described(b.register.base), topic) {
			return true
		}
		for _, r := range others {
			if anyCovers(r.Retain, topic) {
				return true
			}
		}
		return false
	}
}

// mayRetain books a retained message, or the end of one; false: there is no room. age is after how long it expires; 0: never.
func (b *Broker) mayRetain(user, topic string, size int, age time.Duration, l Limits) bool {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if size == 0 {
		delete(b.retained, topic)
		return true
	}
	n, bytes, all := 1, size, size
	for t, m := range b.retained {
		switch {
		case t == topic:
			continue
		case !m.ends.IsZero() && now.After(m.ends):
			delete(b.retained, t)
			continue
		}
		if all += m.size; m.user == user {
			n, bytes = n+1, bytes+m.size
		}
	}
	if n > l.Retained || bytes > l.RetainedBytes || len(b.retained) >= maxRetained || all > maxRetainedIn {
		return false
	}
	m := leftover{user: user, size: size}
	if age > 0 {
		m.ends = now.Add(age)
	}
	b.retained[topic] = m
	return true
}

// mayLeave judges the will of a CONNECT.
func (b *Broker) mayLeave(c *connect, r Rights) bool {
	return b.mayWrite(c.willTopic, r) && (c.flags&flagWillRetain == 0 || anyCovers(r.Retain, c.willTopic))
}

// mayWrite is what Mosquitto is told by Rights.rules: nobody but the table speaks where the table does.
func (b *Broker) mayWrite(topic string, r Rights) bool {
	if !plainTopic(topic) || covers(b.register.base+"/#", topic) || !r.Describes && slices.Contains(described(b.register.base), topic) {
		return false
	}
	return anyCovers(r.Write, topic)
}

// commanding begins the topics of commands to the table.
func (b *Broker) commanding() string { return path.Join(b.register.base, "command") + "/" }

// asked is a topic as an account has asked for it: without what the gate has put behind a command.
func (b *Broker) asked(topic string) string {
	if !strings.HasPrefix(topic, b.commanding()) {
		return topic
	}
	return path.Dir(strings.TrimSuffix(topic, retainedEnd))
}

// Stats are the refusals and cuts since New, by reason.
func (b *Broker) Stats() map[string]uint64 { return b.stats.All() }

// count notes one refusal or cut.
func (b *Broker) count(reason string, remote net.Addr) {
	if n, due := b.stats.Add(reason); due {
		b.log.Warn("home: a device is refused or cut", "reason", reason, "from", remote.String(), "times", n,
			"conseil", "un appareil de la maison est refusé ou coupé : la page de l’hôte dit, sous Appareils de la maison, ce qu’il a demandé")
	}
}

// place is where the door counts a connection; nil: nobody counts it.
func place(conn net.Conn) *door.Conn { return door.Of(conn) }

// Close ends every connection and Mosquitto.
func (b *Broker) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	b.end()
	all := slices.Collect(maps.Keys(b.waiting))
	for _, gs := range b.conns {
		all = append(all, gs...)
	}
	listeners := slices.Collect(maps.Keys(b.listeners))
	b.mu.Unlock()
	var errs []error
	for _, l := range listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, fmt.Errorf("home: %w", err))
		}
	}
	for _, g := range all {
		g.cut()
	}
	b.wg.Wait()
	return errors.Join(append(errs, b.server.Close())...)
}
