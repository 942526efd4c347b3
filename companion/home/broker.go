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
	"majordome/companion/mosquitto"
	"majordome/companion/mqttguard"
)

// Limits that are the same for all accounts.
const (
	maxConnect        = 8 << 10 // bytes of a CONNECT with its will
	maxPacket         = mosquitto.MaxPacket
	maxID             = 128
	maxRetained       = 4000    // topics, of all accounts
	maxRetainedBytes  = 4 << 20 // bytes
	maxExpiry         = 3600    // seconds that a session is stored
	maxPause          = 10 * time.Second
	maxKeptBuffer     = 16 << 10
	packetOverhead    = 32 // bytes added to the size of each packet
	filtersPerMessage = 16 // filters of a SUBSCRIBE that count as one message
	maxRepeated       = 16 // filters of a SUBSCRIBE that may be repeated
	outputPerInput    = 10 // bytes sent to the device that count as one byte received, because a subscription brings all retained messages
	startTimeout      = 5 * time.Second
)

// OwnAccount is the account of the table itself; its password is Broker.OwnAccountPassword. No device can have this name.
const OwnAccount = "Table"

// ownRules allow the table to publish and to receive everything.
var ownRules = []mosquitto.Rule{{Kind: mosquitto.Publish, Filter: "#", Allow: true},
	{Kind: mosquitto.Receive, Filter: "#", Allow: true}, {Kind: mosquitto.Subscribe, Filter: "#", Allow: true}}

// Opts are the parameters of a Broker. Zero values take the default.
type Opts struct {
	Folder         string        // of Mosquitto, as in mosquitto.Opts
	ConnectTimeout time.Duration // the time for a complete CONNECT; default 5 s
	Commands       bool          // allows commands to the table, for accounts whose templates have them
	// Log receives one line per kind of trouble and minute, without payloads or passwords. Nil logs nothing.
	Log *slog.Logger
}

// Broker serves the devices of the house with a Mosquitto of its own, to which it forwards their packets.
//
// Invariants:
//  1. Client ids inside Mosquitto are <account>/<id>.
//  2. sessions lists the client ids of each account whose sessions Mosquitto stores, the oldest first, at most Limits.Sessions. Of the
//     clients that have connected since the start, no other has a stored session.
//  3. filters lists what each client of an account has subscribed to since the start, whose session Mosquitto has; at most Limits.Filters.
//  4. retained has the size and the account of each message that an account has retained since the start.
type Broker struct {
	register       *Register
	server         *mosquitto.Server
	log            *slog.Logger
	commands       bool
	connectTimeout time.Duration
	adjustLimits   func(Limits) Limits // changes the limits in tests

	wg     sync.WaitGroup
	ctx    context.Context
	cancel context.CancelFunc

	mu              sync.Mutex
	closed          bool
	listeners       map[net.Listener]struct{}
	unauthenticated map[*gate]struct{} // gates before their CONNECT is accepted
	conns           map[string][]*gate // by account, the oldest first
	sessions        map[string][]string
	filters         map[string]map[string]map[string]struct{} // by account and client id
	retained        map[string]retainedMessage
	refusals        mqttguard.Counts
}

// retainedMessage is a retained message that counts for the quota of an account.
type retainedMessage struct {
	user      string
	size      int
	expiresAt time.Time // when it expires; zero: never
}

// New starts Mosquitto for the accounts of a register. It returns an error only for bad opts; Status shows whether Mosquitto runs.
func New(register *Register, opts *Opts) (*Broker, error) {
	o := *cmp.Or(opts, &Opts{})
	b := &Broker{register: register, log: o.Log, commands: o.Commands, connectTimeout: cmp.Or(o.ConnectTimeout, 5*time.Second),
		adjustLimits: func(l Limits) Limits { return l },
		listeners:    map[net.Listener]struct{}{}, unauthenticated: map[*gate]struct{}{}, conns: map[string][]*gate{},
		sessions: map[string][]string{}, filters: map[string]map[string]map[string]struct{}{}, retained: map[string]retainedMessage{}}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	var err error
	b.server, err = mosquitto.Start(&mosquitto.Opts{Folder: o.Folder, Accounts: b.listAccounts, OnRefused: b.recordRefusal, Log: b.log})
	if err != nil {
		return nil, fmt.Errorf("home: %w", err)
	}
	register.setListener(b.handleAccountChange)
	return b, nil
}

// listAccounts returns all accounts with their rules, for Mosquitto.
func (b *Broker) listAccounts() []mosquitto.Account {
	all := []mosquitto.Account{{Name: OwnAccount, Rules: ownRules}}
	for name, r := range b.register.allRights() {
		all = append(all, mosquitto.Account{Name: name, Rules: r.mosquittoRules(name, b.register.base, b.commands)})
	}
	return all
}

// recordRefusal records what Mosquitto has refused a client.
func (b *Broker) recordRefusal(clientID, kind, topic string) {
	user := accountOf(clientID)
	if kind == mosquitto.Subscribe {
		b.register.recordRefusal(user, RefusedRead, topic)
	} else {
		b.register.recordRefusal(user, RefusedWrite, b.requestedTopic(topic))
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
			if b.ctx.Err() != nil {
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
		b.unauthenticated[g] = struct{}{}
		b.wg.Add(1)
		b.mu.Unlock()
		go func() {
			defer b.wg.Done()
			g.serve()
		}()
	}
}

// Dial returns a connection to Mosquitto for the table itself, for use with OwnAccount. No port leads to it.
func (b *Broker) Dial() (net.Conn, error) {
	ctx, cancel := context.WithTimeout(b.ctx, startTimeout)
	defer cancel()
	return b.server.Dial(ctx)
}

// OwnAccountPassword returns the password of OwnAccount.
func (b *Broker) OwnAccountPassword() string { return b.server.SharedPassword() }

// Status returns the state of Mosquitto.
func (b *Broker) Status() mosquitto.Status { return b.server.Status() }

// addGateIfRoom adds g to the connections of its account. It cuts an older one with the same client id, and the oldest ones if the
// account has too many. It returns false after Close.
func (b *Broker) addGateIfRoom(g *gate, limits Limits, c *connectPacket) (added bool) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return false
	}
	delete(b.unauthenticated, g)
	all := b.conns[g.user]
	for _, o := range all {
		if o.id == g.id {
			o.cutBothConns()
		}
	}
	all = append(slices.DeleteFunc(all, func(o *gate) bool { return o.id == g.id }), g)
	for len(all) > max(1, limits.Conns) {
		all[0].cutBothConns()
		all = all[1:]
	}
	b.conns[g.user] = all
	if c.flags&flagClean != 0 {
		delete(b.filters[g.user], g.id)
	}
	g.maxFilters = limits.Filters
	ended := b.recordSession(g.user, g.id, limits, c.wantsStoredSession())
	b.mu.Unlock()
	for _, id := range ended {
		b.endSession(g.user, id)
	}
	b.register.addOnline(g.user, 1)
	return true
}

// recordSession records whether Mosquitto stores the session of a client. It returns the client ids whose sessions must end to make room.
// The caller has locked mu.
func (b *Broker) recordSession(user, id string, limits Limits, hasSession bool) (ended []string) {
	all := slices.DeleteFunc(b.sessions[user], func(o string) bool { return o == id })
	if hasSession {
		all = append(all, id)
	}
	for n := len(all) - max(1, limits.Sessions); n > 0; n-- {
		if i := slices.IndexFunc(all, func(o string) bool { return !b.isConnected(user, o) }); i >= 0 {
			ended = append(ended, all[i])
			delete(b.filters[user], all[i])
			all = slices.Delete(all, i, i+1)
		}
	}
	if b.sessions[user] = all; len(all) == 0 {
		delete(b.sessions, user)
	}
	return ended
}

// recordFilters records what a client subscribes to, or unsubscribes from. It returns false if its account has subscribed to too much.
func (b *Broker) recordFilters(g *gate, filters map[string]struct{}, subscribes bool) (hasRoom bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.filters[g.user][g.id]
	if !subscribes {
		maps.DeleteFunc(own, func(f string, _ struct{}) bool { _, ends := filters[f]; return ends })
		return true
	}
	n := 0
	for _, of := range b.filters[g.user] {
		n += len(of)
	}
	for f := range filters {
		if _, known := own[f]; !known {
			n++
		}
	}
	if n > g.maxFilters {
		return false
	}
	if own == nil {
		if own = map[string]struct{}{}; b.filters[g.user] == nil {
			b.filters[g.user] = map[string]map[string]struct{}{}
		}
		b.filters[g.user][g.id] = own
	}
	maps.Copy(own, filters)
	return true
}

// isConnected reports whether a client is connected. The caller has locked mu.
func (b *Broker) isConnected(user, id string) bool {
	return slices.ContainsFunc(b.conns[user], func(g *gate) bool { return g.id == id })
}

func (b *Broker) endSession(user, id string) {
	if err := b.server.DeleteSession(user + "/" + id); err != nil {
		b.log.Warn("home: a session is kept longer than it should be", "account", user, "error", err,
			"conseil", "rien à faire : elle finit d’elle-même en une heure")
	}
}

// removeGate removes g from the broker.
func (b *Broker) removeGate(g *gate) {
	b.mu.Lock()
	delete(b.unauthenticated, g)
	if all := slices.DeleteFunc(b.conns[g.user], func(o *gate) bool { return o == g }); len(all) == 0 {
		delete(b.conns, g.user)
	} else {
		b.conns[g.user] = all
	}
	if !b.isConnected(g.user, g.id) && !slices.Contains(b.sessions[g.user], g.id) {
		delete(b.filters[g.user], g.id)
	}
	b.mu.Unlock()
	if g.admitted {
		b.register.addOnline(g.user, -1)
	}
}

// handleAccountChange is called when an account is new, has a new password, or is removed. It cuts the connections with the former account,
// and deletes its sessions and its retained messages.
func (b *Broker) handleAccountChange(name string, former Rights) {
	b.mu.Lock()
	all, kept := slices.Clone(b.conns[name]), b.sessions[name]
	delete(b.sessions, name)
	delete(b.filters, name)
	maps.DeleteFunc(b.retained, func(_ string, m retainedMessage) bool { return m.user == name })
	b.mu.Unlock()
	var errs [2]error
	// Before its connections end: from here on nothing is published by its former rights, not even a will.
	if now, exists := b.register.allRights()[name]; exists {
		errs[0] = b.server.SetAccount(mosquitto.Account{Name: name, Rules: now.mosquittoRules(name, b.register.base, b.commands)})
	} else {
		errs[0] = b.server.RemoveAccount(name)
	}
	for _, g := range all {
		g.cutBothConns()
	}
	for _, id := range kept {
		b.endSession(name, id)
	}
	if len(former.Retain) > 0 {
		errs[1] = b.server.DeleteRetained(former.Retain, b.topicsKeptWithout(name))
	}
	if err := errors.Join(errs[:]...); err != nil {
		b.log.Error("home: an account could not be changed at Mosquitto", "account", name, "error", err,
			"conseil", "le serveur MQTT de la maison n’a pas pris ce changement : redémarrez la table")
	}
}

// topicsKeptWithout returns a function that reports whether the retained message of a topic stays when this account changes: the topic
// is the table's, or another account may retain messages on it.
func (b *Broker) topicsKeptWithout(name string) func(topic string) bool {
	others := b.register.allRights()
	delete(others, name)
	return func(topic string) bool {
		if filterCovers(b.register.base+"/#", topic) || slices.Contains(discoveryTopics(b.register.base), topic) {
			return true
		}
		for _, r := range others {
			if anyFilterCovers(r.Retain, topic) {
				return true
			}
		}
		return false
	}
}

// countRetained counts a retained message of size bytes, or its deletion if size is 0. It returns false if there is no room. The
// message expires after lifetime; 0: never.
func (b *Broker) countRetained(user, topic string, size int, lifetime time.Duration, limits Limits) (hasRoom bool) {
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
		case !m.expiresAt.IsZero() && now.After(m.expiresAt):
			delete(b.retained, t)
			continue
		}
		if all += m.size; m.user == user {
			n, bytes = n+1, bytes+m.size
		}
	}
	if n > limits.Retained || bytes > limits.RetainedBytes || len(b.retained) >= maxRetained || all > maxRetainedBytes {
		return false
	}
	m := retainedMessage{user: user, size: size}
	if lifetime > 0 {
		m.expiresAt = now.Add(lifetime)
	}
	b.retained[topic] = m
	return true
}

// isWillAllowed reports whether the will of a CONNECT is allowed.
func (b *Broker) isWillAllowed(c *connectPacket, r Rights) bool {
	return b.mayWriteTopic(c.willTopic, r) && (c.flags&flagWillRetain == 0 || anyFilterCovers(r.Retain, c.willTopic))
}

// mayWriteTopic applies the same rules as Rights.mosquittoRules: only the table writes to its own topics.
func (b *Broker) mayWriteTopic(topic string, r Rights) bool {
	if !isPlainTopic(topic) || filterCovers(b.register.base+"/#", topic) ||
		!r.MayDescribe && slices.Contains(discoveryTopics(b.register.base), topic) {
		return false
	}
	return anyFilterCovers(r.Write, topic)
}

// commandPrefix returns the part that the topics of all commands to the table begin with.
func (b *Broker) commandPrefix() string { return path.Join(b.register.base, "command") + "/" }

// requestedTopic returns a topic as the device has sent it, without the parts that the gate appends to a command.
func (b *Broker) requestedTopic(topic string) string {
	if !strings.HasPrefix(topic, b.commandPrefix()) {
		return topic
	}
	return path.Dir(strings.TrimSuffix(topic, retainedSuffix))
}

// RefusalCounts returns how many connections were refused or cut since New, by reason.
func (b *Broker) RefusalCounts() map[string]uint64 { return b.refusals.Totals() }

// countRefusal counts one refused or cut connection, and logs it if none was logged for this reason within the last minute.
func (b *Broker) countRefusal(reason string, remote net.Addr) {
	if n, logNow := b.refusals.CountReason(reason); logNow {
		b.log.Warn("home: a device is refused or cut", "reason", reason, "from", remote.String(), "times", n,
			"conseil", "un appareil de la maison est refusé ou coupé : "+
				"la page de l’hôte dit, sous Appareils de la maison, ce qu’il a demandé")
	}
}

// doorConnOf returns the place of a connection in package door; nil if the door does not count it.
func doorConnOf(conn net.Conn) *door.Conn { return door.ConnOf(conn) }

// Close ends every connection, and then Mosquitto.
func (b *Broker) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	b.cancel()
	all := slices.Collect(maps.Keys(b.unauthenticated))
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
		g.cutBothConns()
	}
	b.wg.Wait()
	return errors.Join(append(errs, b.server.Close())...)
}
