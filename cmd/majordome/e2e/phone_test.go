package e2e_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// patience bounds every wait for something that must happen; it is generous because it only matters when the test
// fails.
const patience = 5 * time.Minute

// phone is a real client of the daemon: it joins by an invitation, connects over MQTT in a WebSocket and opens its
// sealed views, as the page does.
type phone struct {
	t      testing.TB
	origin string // http://127.0.0.1:8080
	tree   wire.Tree
	viewer engine.Viewer
	key    seal.Key
	name   seal.Phone
	client mqtt.Client

	mu      sync.Mutex
	changed chan struct{}
	last    wire.Update
	views   int // updates received
	replies map[uint64]wire.Reply
	seq     uint64
}

func random(n int) []byte {
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return b
}

// join redeems the invitation of a link such as http://host/#j=CODE.
func join(t testing.TB, link string, viewer engine.Viewer) *phone {
	t.Helper()
	origin, fragment, ok := strings.Cut(link, "#j=")
	if !ok {
		t.Fatalf("%q is no invitation", link)
	}
	origin = strings.TrimSuffix(strings.TrimSuffix(origin, "host"), "/")
	code, err := seal.ParseCode(fragment)
	if err != nil {
		t.Fatal(err)
	}
	name := seal.NewPhone()
	joiner := seal.NewJoiner(code, name)
	res, err := http.Post(origin+"/join", "application/json", bytes.NewReader(joiner.Body()))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("POST /join: %s", res.Status)
	}
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	grant, err := joiner.OpenAnswer(answer)
	if err != nil {
		t.Fatal(err)
	}
	p := &phone{t: t, origin: origin, viewer: viewer, key: grant.Key, name: name,
		changed: make(chan struct{}), replies: map[uint64]wire.Reply{}, seq: uint64(time.Now().UnixMicro())}
	p.tree, err = tree(origin)
	if err != nil {
		t.Fatal(err)
	}
	if want := p.tree.UserName(viewer); grant.User != want {
		t.Fatalf("the invitation was for %s, not for %s", grant.User, want)
	}
	p.connect()
	return p
}

// tree requests the daemon's topics.
func tree(origin string) (wire.Tree, error) {
	res, err := http.Get(origin + "/table.json")
	if err != nil {
		return wire.Tree{}, err
	}
	defer res.Body.Close()
	var table struct{ Base, Table string }
	if err := json.NewDecoder(res.Body).Decode(&table); err != nil {
		return wire.Tree{}, fmt.Errorf("table.json: %w", err)
	}
	levels := strings.Split(table.Base, "/")
	return wire.NewTree(strings.Join(levels[:len(levels)-2], "/"), levels[len(levels)-2], table.Table)
}

// watch connects as the public, as a display does.
func watch(t testing.TB, origin string) *phone {
	t.Helper()
	p := &phone{t: t, origin: origin, viewer: engine.Public, changed: make(chan struct{}), replies: map[uint64]wire.Reply{}}
	var err error
	if p.tree, err = tree(origin); err != nil {
		t.Fatal(err)
	}
	p.connect()
	return p
}

func (p *phone) connect() {
	p.t.Helper()
	user := p.tree.UserName(p.viewer)
	id := user + "." + hex.EncodeToString(random(4))
	if p.viewer != engine.Public {
		id = p.name.ClientID(user)
	}
	o := mqtt.NewClientOptions().AddBroker(strings.Replace(p.origin, "http", "ws", 1) + "/mqtt").
		SetClientID(id).SetProtocolVersion(4).SetCleanSession(true).SetKeepAlive(30 * time.Second).
		SetConnectTimeout(patience).SetWriteTimeout(patience).SetAutoReconnect(true).
		SetMaxReconnectInterval(200 * time.Millisecond).SetConnectRetry(true).SetConnectRetryInterval(100 * time.Millisecond)
	o.SetCredentialsProvider(func() (string, string) {
		if p.viewer == engine.Public {
			return user, wire.PublicPassword
		}
		password, err := seal.ConnectPassword(p.key, id, uint64(time.Now().UnixMicro()))
		if err != nil {
			p.t.Error(err)
		}
		return user, password
	})
	o.SetDefaultPublishHandler(p.receive)
	o.SetOnConnectHandler(func(c mqtt.Client) {
		filters := map[string]byte{p.tree.ViewTopic(p.viewer): 1}
		if p.viewer != engine.Public {
			filters[p.tree.ReplyTopic(p.viewer)] = 1
		}
		go c.SubscribeMultiple(filters, nil)
	})
	p.client = mqtt.NewClient(o)
	p.client.Connect()
	p.t.Cleanup(p.close)
}

func (p *phone) close() { p.client.Disconnect(0) }

func (p *phone) receive(_ mqtt.Client, m mqtt.Message) {
	if len(m.Payload()) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Topic() {
	case p.tree.ViewTopic(p.viewer):
		u, err := p.open(m.Payload())
		if err != nil && p.views == 0 {
			return // retained since before the seat had its key (seal.Ring.SealViews): the next one can be opened
		}
		if err != nil {
			p.t.Errorf("%s: a view that cannot be opened: %v", p.viewer, err)
			return
		}
		if u.Epoch < p.last.Epoch || u.Epoch == p.last.Epoch && u.Rev <= p.last.Rev {
			return
		}
		p.last = u
		p.views++
	case p.tree.ReplyTopic(p.viewer):
		seq, r, err := seal.OpenReply(p.key, m.Topic(), m.Payload())
		if err != nil {
			p.t.Errorf("%s: a reply that cannot be opened: %v", p.viewer, err)
			return
		}
		p.replies[seq] = r
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *phone) open(payload []byte) (u wire.Update, err error) {
	if p.viewer == engine.Public {
		return u, json.Unmarshal(payload, &u)
	}
	return seal.OpenView(p.key, p.tree.ViewTopic(p.viewer), payload)
}

// latest returns the last update received.
func (p *phone) latest() wire.Update {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// waitFor waits for an update that satisfies ok.
func (p *phone) waitFor(what string, ok func(wire.Update) bool) wire.Update {
	p.t.Helper()
	deadline := time.After(patience)
	for {
		p.mu.Lock()
		u, changed := p.last, p.changed
		p.mu.Unlock()
		if u.V != 0 && ok(u) {
			return u
		}
		select {
		case <-changed:
		case <-deadline:
			p.t.Fatalf("%s waited in vain for: %s\nlast: phase %s, prompt %v, rev %d/%d", p.viewer, what, u.View.Phase, u.View.Prompt,
				u.Epoch, u.Rev)
		}
	}
}

// send publishes an act and does not wait.
func (p *phone) send(act string, args engine.Args) (seq uint64) {
	p.t.Helper()
	p.mu.Lock()
	p.seq++
	seq = p.seq
	epoch := p.last.Epoch
	p.mu.Unlock()
	payload, err := seal.SealAct(p.key, p.tree.ActTopic(p.viewer), epoch, wire.Act{ID: fmt.Sprint(seq), Seq: seq, Act: act, Args: args})
	if err != nil {
		p.t.Fatal(err)
	}
	p.client.Publish(p.tree.ActTopic(p.viewer), 1, false, payload)
	return seq
}

// act publishes an act and waits for the reply.
func (p *phone) act(act string, args engine.Args) (r wire.Reply, seq uint64) {
	p.t.Helper()
	seq = p.send(act, args)
	deadline := time.After(patience)
	for {
		p.mu.Lock()
		r, ok := p.replies[seq]
		changed := p.changed
		p.mu.Unlock()
		if ok {
			return r, seq
		}
		select {
		case <-changed:
		case <-deadline:
			p.t.Fatalf("%s: no answer to %s", p.viewer, act)
		}
	}
}

// mustSend publishes an act that must be accepted, and waits for the view after it.
func (p *phone) mustSend(act string, args engine.Args) {
	p.t.Helper()
	r, seq := p.act(act, args)
	if !r.OK {
		p.t.Fatalf("%s: %s %v refused: %+v", p.viewer, act, args, r.Reject)
	}
	p.waitFor("the view after "+act, func(u wire.Update) bool {
		return u.Seq >= seq && (act != "begin" || u.View.Phase != engine.PhaseLobby) // it waits for the parts of phones (package seed)
	})
}

// office asks the office for a row, as the first device of the host does.
func (p *phone) office(row string, args engine.Args) wire.OfficeAnswer {
	p.t.Helper()
	p.mu.Lock()
	epoch := p.last.Epoch
	p.mu.Unlock()
	a, err := askOffice(http.DefaultClient, p.origin, p.key, epoch, uint64(time.Now().UnixMicro()),
		wire.OfficeRequest{Row: row, Args: args})
	if err != nil {
		p.t.Fatalf("the office is asked for %s in vain: %v", row, err)
	}
	return a
}
