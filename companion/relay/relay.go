package relay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"majordome/companion/line"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits and texts.
const (
	maxPerPhone = 8       // acts of one phone that are not opened yet
	maxActBytes = 4 << 10 // bytes of a sealed act; package seal checks the exact size
	logText     = "relay: messages dropped or link troubled"
)

// Sealer seals and opens messages; *seal.Ring implements it.
type Sealer interface {
	SealViews(epoch uint64, updates []wire.Update, topicOf func(wire.Handset) string) ([]seal.SealedView, error)
	OpenAct(h wire.Handset, topic string, epoch uint64, payload []byte) (wire.Act, error)
	SealReply(h wire.Handset, topic string, epoch, seq uint64, reply wire.Reply) ([]byte, error)
}

// Opts are the parameters of a Relay. Zero durations take the default.
type Opts struct {
	// URL of the broker: tcp://host:1883, ssl://host:8883, ws://host/mqtt or
	// wss://host/mqtt.
	URL string
	// User and Password are the daemon's account at that broker.
	User, Password string
	// Tree builds the names of the topics.
	Tree wire.Tree
	// Sealer has the keys of the phones.
	Sealer Sealer
	// Epoch is the number of this start, in all views, acts and replies. It rises with each start.
	Epoch uint64
	// KeepAlive is the MQTT keepalive, in whole seconds. Default 15 s. A dead connection is noticed after KeepAlive and Timeout.
	KeepAlive time.Duration
	// Timeout is for a connect, a ping, a write and an acknowledgement. Default 5 s.
	Timeout time.Duration
	// MaxRetry is the longest pause between two tries to connect; the first pause is a quarter second, each next twice as long. Default
	// 10 s.
	MaxRetry time.Duration
	// Log receives one line per kind of trouble. Nil logs nothing.
	Log *slog.Logger
}

// Inbound is an act that a phone has sent.
type Inbound struct {
	Phone wire.Handset
	Act   wire.Act
	// Reply answers this act to the phone that sent it, and to no other phone of its seat. It never blocks. A reply may be lost with
	// the connection; the next Update shows the same.
	Reply func(wire.Reply)
}

// Relay is one connection to one broker.
//
// Invariants:
//  1. queueAct, which must not wait, only copies into inbox.
//  2. queued[h] counts the messages of phone h in inbox and is at most maxPerPhone. So inbox, which has room for all phones together, is
//     never full.
type Relay struct {
	opts     Opts
	line     *line.Line
	inbox    chan message
	acts     chan Inbound
	wg       sync.WaitGroup
	upTopics map[string]wire.Handset // by topic

	mu     sync.Mutex
	queued map[wire.Handset]int
	names  string // wire.NamesSum of the published names
}

// message is a sealed act.
type message struct {
	phone   wire.Handset
	topic   string
	payload []byte
}

// New starts a relay. It returns an error if opts are wrong; Status shows whether the broker has answered.
func New(opts *Opts) (*Relay, error) {
	if opts == nil || opts.Sealer == nil || opts.Tree == (wire.Tree{}) {
		return nil, errors.New("relay: a sealer and a topic tree are needed")
	}
	r := &Relay{opts: *opts, acts: make(chan Inbound), upTopics: map[string]wire.Handset{}, queued: map[wire.Handset]int{}}
	var topics []string
	for _, h := range opts.Tree.Handsets() {
		r.upTopics[opts.Tree.TreeOfPhone(h.N).ActTopic(h.Viewer)] = h
		topics = append(topics, r.viewTopic(h))
	}
	r.inbox = make(chan message, maxPerPhone*len(r.upTopics))
	var err error
	r.line, err = line.New(&line.Opts{
		URL: opts.URL, User: opts.User, Password: opts.Password, ClientID: stableClientID(opts.User, opts.Tree.Base()),
		Will: opts.Tree.AvailabilityTopic(), Topics: append(topics, opts.Tree.StateTopic(), opts.Tree.NamesTopic()),
		Filters: slices.Sorted(maps.Keys(r.upTopics)), Receive: r.queueAct,
		KeepAlive: opts.KeepAlive, Timeout: opts.Timeout, MaxRetry: opts.MaxRetry,
		Log: opts.Log, LogText: logText,
		Advice: "des messages n’ont pas été pris, ou le lien vers MQTT est coupé ; il se refait de lui-même",
	})
	if err != nil {
		return nil, fmt.Errorf("relay: %w", err)
	}
	r.line.Start()
	r.wg.Go(r.openQueuedActs)
	return r, nil
}

// stableClientID returns the MQTT client id, the same for each connection of a table.
func stableClientID(user, base string) string {
	if user == "" {
		user = "majordome"
	}
	sum := sha256.Sum256([]byte(base))
	return user + "." + hex.EncodeToString(sum[:6])
}

// viewTopic returns the topic of a phone's view.
func (r *Relay) viewTopic(h wire.Handset) string {
	return r.opts.Tree.TreeOfPhone(h.N).ViewTopic(h.Viewer)
}

// PublishStep publishes one step: at most one update per viewer, or per phone (wire.Update.Phone), all of the relay's epoch. It clears the
// views of viewers without an update, and of phones for which nothing is sealed. After an error nothing of the step is published.
func (r *Relay) PublishStep(updates []wire.Update) error {
	return r.publishAndClearOthers(updates, func(wire.Handset) bool { return true })
}

// PublishHost publishes updates to the host's devices only, as PublishStep does.
func (r *Relay) PublishHost(updates []wire.Update) error {
	return r.publishAndClearOthers(updates, wire.Handset.IsHost)
}

// publishAndClearOthers publishes the updates and clears the views of the phones that includes selects and that get no update. The
// state is published if the public's update is among updates.
func (r *Relay) publishAndClearOthers(updates []wire.Update, includes func(wire.Handset) bool) error {
	next := map[string][]byte{}
	for _, h := range r.opts.Tree.Handsets() {
		if includes(h) {
			next[r.viewTopic(h)] = nil
		}
	}
	r.mu.Lock()
	names := r.names
	r.mu.Unlock()
	sealed := make([]wire.Update, 0, len(updates))
	for i := range updates {
		if updates[i].View.Viewer != engine.Public.String() {
			sealed = append(sealed, updates[i])
			sealed[len(sealed)-1].Names = names
			continue
		}
		body, err := json.Marshal(&updates[i])
		if err != nil {
			return errors.New("relay: the public view cannot be marshalled")
		}
		if len(body) > wire.MaxView {
			return fmt.Errorf("relay: the public view has %d bytes, at most %d", len(body), wire.MaxView)
		}
		if updates[i].Epoch != r.opts.Epoch {
			return errors.New("relay: a view of another epoch")
		}
		next[r.opts.Tree.StateTopic()] = body
	}
	out, err := r.opts.Sealer.SealViews(r.opts.Epoch, sealed, r.viewTopic)
	if err != nil {
		return fmt.Errorf("relay: seal a step: %w", err)
	}
	for _, s := range out {
		next[s.Topic] = s.Payload
	}
	r.line.SetTopics(next)
	return nil
}

// PublishNames publishes the public names of cards and players. Phones show them when a step follows, even the same one again: its sealed
// views say which names belong to them.
func (r *Relay) PublishNames(names engine.Names) error {
	body, err := json.Marshal(names)
	if err != nil {
		return fmt.Errorf("relay: names: %w", err)
	}
	if len(body) > engine.MaxNames {
		return fmt.Errorf("relay: the names have %d bytes, at most %d", len(body), engine.MaxNames)
	}
	r.mu.Lock()
	r.names = wire.NamesSum(body)
	r.mu.Unlock()
	r.line.SetTopics(map[string][]byte{r.opts.Tree.NamesTopic(): body})
	return nil
}

// Acts returns the channel of the acts of all phones, in the order of their arrival. Close closes it. While it is not read, up to eight
// acts of each phone wait, and further ones are dropped.
func (r *Relay) Acts() <-chan Inbound { return r.acts }

// Status returns the state of the connection.
func (r *Relay) Status() line.Status { return r.line.Status() }

// Close publishes availability "offline" (a clean disconnect does not send the will), ends the connection and closes Acts. It waits at most
// a second for the broker.
func (r *Relay) Close() {
	r.line.Close()
	r.wg.Wait()
}
