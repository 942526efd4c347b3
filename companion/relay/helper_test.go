package relay

import (
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/broker"
	"majordome/companion/porttest"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// patience is the longest wait for a condition; only a failing test waits that long. Where a test is not about a time limit,
// every limit is at least as long.
const patience = time.Minute

const epoch = 7

var counter atomic.Uint64

// house is one table: a broker of some kind, its keys, and what a relay and phones need to connect.
type house struct {
	t        testing.TB
	tree     wire.Tree
	ring     *seal.Ring
	keys     map[wire.Handset]seal.Key
	url      string
	password string // of the daemon
	phonePW  func(v wire.Handset, id string) string
	start    func() (stop func()) // starts the broker at url, without retained messages
	stop     func()
}

func newHouse(t testing.TB) *house {
	t.Helper()
	tree, err := wire.NewTree("", "home", "salon")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, tree: tree, ring: seal.NewRing(nil), keys: map[wire.Handset]seal.Key{}}
	for _, v := range tree.Handsets() {
		if v.N == 1 {
			h.addKey(v)
		}
	}
	return h
}

// addKey gives a phone a key.
func (h *house) addKey(v wire.Handset) {
	h.t.Helper()
	h.keys[v] = seal.NewKey()
	if err := h.ring.SetKey(v, h.keys[v], 0); err != nil {
		h.t.Fatal(err)
	}
}

// brokerKinds are the brokers that the relay is tested with.
var brokerKinds = map[string]func(t testing.TB) *house{
	"embedded over TCP":       func(t testing.TB) *house { return startEmbedded(t, false) },
	"embedded over WebSocket": func(t testing.TB) *house { return startEmbedded(t, true) },
	"mosquitto":               startMosquitto,
}

func eachBroker(t *testing.T, f func(t *testing.T, h *house)) {
	for name, kind := range brokerKinds {
		t.Run(name, func(t *testing.T) { f(t, kind(t)) })
	}
}

// startEmbedded starts our own broker over either transport.
func startEmbedded(t testing.TB, ws bool) *house {
	h := newHouse(t)
	rights := broker.NewRights(h.tree, h.ring)
	return h.startEmbeddedWith(rights, rights.DaemonPassword(), ws)
}

func (h *house) startEmbeddedWith(access broker.Access, password string, ws bool) *house {
	at := porttest.FreeAddress(h.t)
	h.password = password
	h.phonePW = func(v wire.Handset, id string) string {
		if v.Viewer == engine.Public {
			return wire.PublicPassword
		}
		p, err := seal.ConnectPassword(h.keys[v], id, counter.Add(1))
		if err != nil {
			h.t.Fatal(err)
		}
		return p
	}
	h.url = "tcp://" + at
	if ws {
		h.url = "ws://" + at + "/mqtt"
	}
	h.start = func() func() {
		b, err := broker.New(access, &broker.Opts{ConnectTimeout: time.Hour, WriteTimeout: time.Hour})
		if err != nil {
			h.t.Fatal(err)
		}
		l, err := net.Listen("tcp", at)
		if err != nil {
			h.t.Fatal(err)
		}
		stop := func() { _ = b.Close() }
		if ws {
			web := httptest.NewUnstartedServer(b.WebSocketHandler())
			web.Listener.Close()
			web.Listener = l
			web.Start()
			stop = func() { _ = b.Close(); web.Close() }
		} else {
			go func() { _ = b.ServeTCP(l) }()
		}
		return sync.OnceFunc(stop)
	}
	h.startBroker()
	return h
}

func (h *house) startBroker() {
	h.stop = h.start()
	h.t.Cleanup(func() { h.stop() })
}

// startMosquitto starts Debian's Mosquitto with the rights that the package comment gives.
func startMosquitto(t testing.TB) *house {
	const bin = "/usr/sbin/mosquitto"
	if _, err := os.Stat(bin); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("mosquitto is not installed: apt-get install mosquitto")
		}
		t.Skip("SKIPPED, mosquitto is not installed: apt-get install mosquitto")
	}
	h := newHouse(t)
	h.password = "daemon-password"
	h.phonePW = func(wire.Handset, string) string { return "phone-password" }
	at := porttest.FreeAddress(t)
	_, port, _ := net.SplitHostPort(at)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	users := "daemon:daemon-password\npublic:phone-password\n"
	for _, v := range h.tree.Handsets() {
		users += h.tree.TreeOfPhone(v.N).UserName(v.Viewer) + ":phone-password\n"
	}
	passwords := write("passwords", users)
	if out, err := exec.Command("mosquitto_passwd", "-U", passwords).CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_passwd: %v: %s", err, out)
	}
	base := h.tree.Base()
	acl := write("acl", "user daemon\ntopic readwrite "+base+"/#\n"+
		"pattern read "+base+"/availability\npattern read "+base+"/names\npattern read "+base+"/state\n"+
		"pattern read "+base+"/seat/%u/view\npattern read "+base+"/seat/%u/reply\npattern write "+base+"/seat/%u/up\n")
	conf := "listener " + port + " 127.0.0.1\nallow_anonymous false\npassword_file " + passwords + "\nacl_file " + acl +
		"\npersistence false\nset_tcp_nodelay true\nmessage_size_limit 65536\nlog_dest none\n"
	if os.Geteuid() == 0 {
		conf += "user root\n"
	}
	file := write("mosquitto.conf", conf)
	h.url = "tcp://" + at
	h.start = func() func() {
		cmd := exec.Command(bin, "-c", file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "mosquitto does not listen", func() bool {
			c, err := net.Dial("tcp", at)
			if err == nil {
				c.Close()
			}
			return err == nil
		})
		return sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
	h.startBroker()
	return h
}

// startRelay starts the relay under test. change may be nil.
func (h *house) startRelay(change func(*Opts)) *Relay {
	h.t.Helper()
	o := &Opts{URL: h.url, User: wire.UserDaemon, Password: h.password, Tree: h.tree, Sealer: h.ring, Epoch: epoch,
		Timeout: patience, MaxRetry: 300 * time.Millisecond}
	if change != nil {
		change(o)
	}
	r, err := New(o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(r.Close)
	return r
}

func waitConnected(t testing.TB, r *Relay) {
	t.Helper()
	eventually(t, "the relay is not connected", func() bool { return r.Status().Connected })
}

// countTroubles returns the number of failures of the link. It grows by one for each session that ends, at a time when
// Connected is already false.
func countTroubles(r *Relay) uint64 {
	c := r.Status().Counts
	return c["lost"] + c["timeout"] + c["connect"]
}

// waitForActs waits until the relay has passed on all acts of v that it received.
func waitForActs(t testing.TB, r *Relay, v wire.Handset) {
	t.Helper()
	eventually(t, "an act that was received still waits", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.queued[v] == 0
	})
}

// phone is one page: a client with the account of its viewer.
type phone struct {
	mqtt.Client
	h    *house
	v    wire.Handset
	tree wire.Tree // the topics of this phone
	msgs chan mqtt.Message
}

// connectPhone connects as the first phone of v and subscribes to all topics that v may read.
func (h *house) connectPhone(v engine.Viewer) *phone {
	h.t.Helper()
	return h.connectHandset(wire.FirstPhoneOf(v))
}

func (h *house) connectHandset(v wire.Handset) *phone {
	h.t.Helper()
	p := &phone{h: h, v: v, tree: h.tree.TreeOfPhone(v.N), msgs: make(chan mqtt.Message, 10_000)}
	user := p.tree.UserName(v.Viewer)
	id := fmt.Sprintf("%s.%08d", user, counter.Add(1))
	p.Client = mqtt.NewClient(mqtt.NewClientOptions().AddBroker(h.url).SetClientID(id).SetUsername(user).
		SetPassword(h.phonePW(v, id)).SetProtocolVersion(4).SetAutoReconnect(false).SetConnectTimeout(patience).
		SetDefaultPublishHandler(func(_ mqtt.Client, m mqtt.Message) { p.msgs <- m }))
	p.waitToken(p.Connect())
	topics := map[string]byte{h.tree.AvailabilityTopic(): 1, h.tree.NamesTopic(): 1, h.tree.StateTopic(): 1}
	if v.Viewer != engine.Public {
		topics[p.tree.ViewTopic(v.Viewer)], topics[p.tree.ReplyTopic(v.Viewer)] = 1, 1
	}
	p.waitToken(p.SubscribeMultiple(topics, nil))
	h.t.Cleanup(func() { p.Disconnect(0) })
	return p
}

func (p *phone) waitToken(t mqtt.Token) {
	p.h.t.Helper()
	if !t.WaitTimeout(patience) || t.Error() != nil {
		p.h.t.Fatalf("phone of %v: %v", p.v, t.Error())
	}
}

// nextMessage returns the next message on a topic and drops the others.
func (p *phone) nextMessage(topic string) mqtt.Message {
	p.h.t.Helper()
	for end := time.After(patience); ; {
		select {
		case m := <-p.msgs:
			if m.Topic() == topic {
				return m
			}
		case <-end:
			p.h.t.Fatalf("phone of %v: nothing came on %s", p.v, topic)
		}
	}
}

// waitForAvailability reads the availability topic until it has this text.
func (p *phone) waitForAvailability(text string) {
	p.h.t.Helper()
	for string(p.nextMessage(p.h.tree.AvailabilityTopic()).Payload()) != text {
	}
}

// nextView returns the next view of this seat.
func (p *phone) nextView() wire.Update {
	p.h.t.Helper()
	topic := p.tree.ViewTopic(p.v.Viewer)
	u, err := seal.OpenView(p.h.keys[p.v], topic, p.nextMessage(topic).Payload())
	if err != nil {
		p.h.t.Fatalf("view of %v: %v", p.v, err)
	}
	return u
}

// readUntil reads views up to the one of revision rev, checks that revisions never fall, and returns the number of views.
func (p *phone) readUntil(rev uint64) (seen int) {
	p.h.t.Helper()
	for last := uint64(0); ; seen++ {
		u := p.nextView()
		if u.Rev < last || u.View.Viewer != p.v.Viewer.String() {
			p.h.t.Fatalf("revision %d of %s after %d", u.Rev, u.View.Viewer, last)
		}
		if last = u.Rev; last == rev {
			return seen + 1
		}
	}
}

// sendAct sends an act sealed for an epoch.
func (p *phone) sendAct(seq, epoch uint64) {
	p.h.t.Helper()
	p.sendPayload(p.newSealedAct(p.h.keys[p.v], seq, epoch))
}

func (p *phone) newSealedAct(k seal.Key, seq, epoch uint64) []byte {
	p.h.t.Helper()
	payload, err := seal.SealAct(k, p.tree.ActTopic(p.v.Viewer), epoch, wire.Act{ID: fmt.Sprint("a", seq), Seq: seq, Act: "move"})
	if err != nil {
		p.h.t.Fatal(err)
	}
	return payload
}

func (p *phone) sendPayload(payload []byte) {
	p.h.t.Helper()
	p.waitToken(p.Publish(p.tree.ActTopic(p.v.Viewer), 1, false, payload))
}

// newStep returns one update for each of the viewers.
func newStep(rev uint64, viewers ...engine.Viewer) []wire.Update {
	var out []wire.Update
	for _, v := range viewers {
		out = append(out, wire.Update{V: wire.Version, Epoch: epoch, Rev: rev, View: engine.View{Viewer: v.String()}})
	}
	return out
}

var allViewers = []engine.Viewer{engine.Public, engine.SeatViewer(1), engine.SeatViewer(2), engine.SeatViewer(3),
	engine.SeatViewer(4), engine.Host}

func publishStep(t testing.TB, r *Relay, rev uint64, viewers ...engine.Viewer) {
	t.Helper()
	if err := r.PublishStep(newStep(rev, viewers...)); err != nil {
		t.Fatal(err)
	}
}

func nextAct(t testing.TB, r *Relay) Inbound {
	t.Helper()
	select {
	case in, ok := <-r.Acts():
		if ok {
			return in
		}
	case <-time.After(patience):
	}
	t.Fatal("no act came")
	return Inbound{}
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v still: %s", patience, what)
		}
	}
}

// relayGoroutines returns the stacks of the goroutines of this package and of paho.
func relayGoroutines() string {
	buf := make([]byte, 1<<20)
	var left []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "paho.mqtt") || strings.Contains(g, "relay.(*Relay)") {
			left = append(left, g)
		}
	}
	return strings.Join(left, "\n\n")
}

// proxy is a TCP proxy between relay and broker that can hold or cut the connections.
type proxy struct {
	url  string
	mu   sync.Mutex
	cond *sync.Cond
	held bool
	open map[net.Conn]bool
}

func (h *house) startProxy() *proxy {
	h.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.t.Fatal(err)
	}
	target := strings.TrimPrefix(h.url, "tcp://")
	p := &proxy{url: "tcp://" + l.Addr().String(), open: map[net.Conn]bool{}}
	p.cond = sync.NewCond(&p.mu)
	h.t.Cleanup(func() { l.Close(); p.hold(false); p.cutAll() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				in.Close()
				continue
			}
			p.mu.Lock()
			p.open[in], p.open[out] = true, true
			p.mu.Unlock()
			go p.pump(in, out)
			go p.pump(out, in)
		}
	}()
	return p
}

func (p *proxy) pump(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 4<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		for p.held {
			p.cond.Wait()
		}
		p.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) hold(on bool) {
	p.mu.Lock()
	p.held = on
	p.mu.Unlock()
	p.cond.Broadcast()
}

// cutAll closes every connection without an MQTT DISCONNECT.
func (p *proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.Close()
		delete(p.open, c)
	}
}
