package natsline

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"majordome/companion/line"
	"majordome/companion/porttest"
)

// patience is the longest wait for a condition on a slow machine.
const patience = time.Minute

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// node is one server of a cluster of the test.
type node struct {
	t       testing.TB
	program string
	address string
	config  string
	process *exec.Cmd
}

// findServer returns the program nats-server, which .ci/setup installs. Without it the test is skipped, and fails in CI.
func findServer(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(cache, "majordome", "bin", "nats-server")
	if _, err := os.Stat(file); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("nats-server is not installed: .ci/setup test")
		}
		t.Skip("SKIPPED, nats-server is not installed: .ci/setup test")
	}
	return file
}

// newCluster makes so many servers, which are not started yet. more is added to the configuration of each.
func newCluster(t testing.TB, n int, more string) (all []*node) {
	t.Helper()
	program, dir := findServer(t), t.TempDir()
	var routes []string
	for range n {
		routes = append(routes, porttest.FreeAddress(t))
	}
	for i := range n {
		s := &node{t: t, program: program, address: porttest.FreeAddress(t), config: filepath.Join(dir, fmt.Sprintf("%d.conf", i))}
		text := fmt.Sprintf("server_name: n%d\nlisten: %q\nmax_payload: 1MB\n"+
			"jetstream { store_dir: %q, max_memory_store: 64MB, max_file_store: 1GB }\n%s\n",
			i, s.address, filepath.Join(dir, fmt.Sprint(i)), more)
		if n > 1 {
			text += fmt.Sprintf("cluster { name: c, listen: %q, routes: [nats://%s] }\n", routes[i], strings.Join(routes, ", nats://"))
		}
		if err := os.WriteFile(s.config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func (s *node) start() {
	s.t.Helper()
	s.process = exec.Command(s.program, "-c", s.config)
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.kill)
}

func (s *node) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func urlOf(all []*node) string {
	var one []string
	for _, s := range all {
		one = append(one, "nats://"+s.address)
	}
	return strings.Join(one, ",")
}

// startCluster starts the servers, and waits until they store messages.
func startCluster(t testing.TB, all []*node) {
	t.Helper()
	for _, s := range all {
		s.start()
	}
	eventually(t, "the cluster does not store messages", func() bool {
		c, err := nats.Connect(urlOf(all))
		if err != nil {
			return false
		}
		defer c.Close()
		js, err := c.JetStream(nats.MaxWait(time.Second))
		if err != nil {
			return false
		}
		const trial = "trial"
		_, err = js.AddStream(&nats.StreamConfig{Name: trial, Subjects: []string{"trial"}, Replicas: min(len(all), copies)})
		if err == nil {
			err = js.DeleteStream(trial)
		}
		return err == nil
	})
}

// heard has the messages that a link has received.
type heard struct {
	mu   sync.Mutex
	last map[string]string
	all  []string
}

func (h *heard) receive(topic string, payload []byte, retained bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := topic + "=" + string(payload)
	if h.last[topic] = string(payload); retained {
		text += " retained"
	}
	h.all = append(h.all, text)
}

func (h *heard) lastOf(topic string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last[topic]
}

func (h *heard) count(text string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range h.all {
		if one == text {
			n++
		}
	}
	return n
}

// newLink starts the link of a table, or with filters one that listens.
func newLink(t testing.TB, url, name string, filters ...string) (*Line, *heard) {
	t.Helper()
	h := &heard{last: map[string]string{}}
	l, err := New(&line.Opts{URL: url, ClientID: name, Will: "m/" + name + "/availability",
		Topics: []string{"m/" + name + "/info", "m/" + name + "/state"}, Filters: filters, Receive: h.receive,
		MaxRetry: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	l.beatEvery, l.silence = 100*time.Millisecond, 2*time.Second
	t.Cleanup(l.Close)
	l.Start()
	return l, h
}

// TestSemantics: a listener gets the newest retained message of each topic first, then what is new; what is sent once comes once, and
// only to those who listen. It learns that a link has gone, with and without a good-bye.
func TestSemantics(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t, 1, "")
	startCluster(t, cluster)
	url := urlOf(cluster)
	table, _ := newLink(t, url, "t.7")
	for i := range 20 {
		table.SetTopics(map[string][]byte{"m/t.7/state": fmt.Appendf(nil, "%d", i)})
	}
	table.SetTopics(map[string][]byte{"m/t.7/info": []byte("gone")})
	eventually(t, "the table never connects", func() bool { return table.Status().Connected })
	table.SetTopics(map[string][]byte{"m/t.7/info": nil})
	table.SendUntil("m/t.7/event/x", []byte("early"), time.Time{})
	console, h := newLink(t, url, "console", "m/+/availability", "m/+/state", "m/+/info", "m/+/event/#", "m/+/answer")
	eventually(t, "no state", func() bool {
		return h.count("m/t.7/state=19 retained") == 1 && h.lastOf("m/t.7/availability") == line.Online
	})
	eventually(t, "the console never connects", func() bool { return console.Status().Connected })
	table.SetTopics(map[string][]byte{"m/t.7/state": []byte("20")})
	table.SendUntil("m/t.7/event/x", []byte("now"), time.Now().Add(patience))
	table.SendUntil("m/t.7/event/y", []byte("late"), time.Now().Add(-time.Second))
	eventually(t, "nothing new comes", func() bool { return h.count("m/t.7/state=20") == 1 && h.count("m/t.7/event/x=now") == 1 })
	if h.count("m/t.7/event/x=early") > 0 || h.count("m/t.7/event/y=late") > 0 || h.lastOf("m/t.7/info") != "" {
		t.Errorf("heard %q", h.all)
	}
	console.SendUntil("m/t.7/answer", make([]byte, MaxMessage+1), time.Time{})
	eventually(t, "a message that is too large is not counted", func() bool { return console.Status().Counts[line.Oversize] == 1 })
	table.Close()
	eventually(t, "no good-bye", func() bool { return h.lastOf("m/t.7/availability") == line.Offline })
	// A table whose machine loses power: it beats no more, and says nothing.
	c, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	js, _ := c.JetStream()
	_, _ = js.Publish(subjectOf("kept", "m/dead/availability"), []byte(line.Online))
	eventually(t, "silence is not noticed", func() bool { return h.lastOf("m/dead/availability") == line.Offline })
	_ = c.Publish(subjectOf("beat", "m/dead/availability"), nil)
	eventually(t, "a new sign of life is not noticed", func() bool { return h.lastOf("m/dead/availability") == line.Online })
	if h.lastOf("m/console/availability") != line.Online {
		t.Error("a link that beats is offline")
	}
}

// rounds returns how often to hurt a cluster: a few times, or with MAJORDOME_SOAK=1 a hundred times.
func rounds() int {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 100
	}
	return 3
}

// TestClusterLosesANode: nodes are killed or stand still at random, one at a time; in the end the console has the newest state of each
// table, each time, and no state went back.
func TestClusterLosesANode(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 3))
	cluster := newCluster(t, 3, "")
	startCluster(t, cluster)
	url := urlOf(cluster)
	console, h := newLink(t, url, "console", "m/+/state")
	var tables []*Line
	for i := range 4 {
		l, _ := newLink(t, url, fmt.Sprint("t", i))
		tables = append(tables, l)
	}
	step := 0
	play := func() {
		for i, l := range tables {
			step++
			l.SetTopics(map[string][]byte{fmt.Sprintf("m/t%d/state", i): fmt.Appendf(nil, "%06d", step)})
		}
	}
	waitForCopies(t, url)
	for round := range rounds() {
		play()
		n := cluster[dice.IntN(len(cluster))]
		stands := dice.IntN(2) == 0
		if stands {
			_ = n.process.Process.Signal(os.Interrupt) // it hands over; then it is started again
			_ = n.process.Wait()
		} else {
			n.kill()
		}
		for range 20 {
			play()
		}
		began := time.Now()
		for i := range tables {
			topic, want := fmt.Sprintf("m/t%d/state", i), fmt.Sprintf("%06d", step-len(tables)+i+1)
			eventually(t, fmt.Sprintf("round %d: the console has not the newest state of table %d", round, i),
				func() bool { return h.lastOf(topic) == want })
		}
		t.Logf("round %d: right again after %v", round, time.Since(began).Round(time.Millisecond))
		n.start()
		eventually(t, "a link does not come back", func() bool {
			return console.Status().Connected && !slices.ContainsFunc(tables, func(l *Line) bool { return !l.Status().Connected })
		})
		waitForCopies(t, url)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	newest := map[string]string{}
	for _, text := range h.all {
		topic, payload, _ := strings.Cut(strings.TrimSuffix(text, " retained"), "=")
		if payload < newest[topic] {
			t.Fatalf("%s went back from %s to %s", topic, newest[topic], payload)
		}
		newest[topic] = payload
	}
}

// waitForCopies waits until each server has the whole stream, so that another one may fail.
func waitForCopies(t testing.TB, url string) {
	t.Helper()
	eventually(t, "the copies of the stream do not come", func() bool {
		c, err := nats.Connect(url)
		if err != nil {
			return false
		}
		defer c.Close()
		js, _ := c.JetStream(nats.MaxWait(time.Second))
		info, err := js.StreamInfo(streamName)
		return err == nil && info.Cluster != nil && len(info.Cluster.Replicas) == copies-1 &&
			!slices.ContainsFunc(info.Cluster.Replicas, func(r *nats.PeerInfo) bool { return r.Offline || !r.Current })
	})
}

// TestManyLinksAtOnce: all links of a venue come back after all servers were away.
func TestManyLinksAtOnce(t *testing.T) {
	t.Parallel()
	n := 30
	if rounds() > 3 {
		n = 300
	}
	cluster := newCluster(t, 1, "")
	startCluster(t, cluster)
	_, h := newLink(t, urlOf(cluster), "console", "m/+/state", "m/+/availability")
	var all []*Line
	for i := range n {
		name := fmt.Sprint("t", i)
		l, _ := newLink(t, urlOf(cluster), name, "m/"+name+"/command/+", "m/"+name+"/state")
		all = append(all, l)
	}
	connected := func() bool { return !slices.ContainsFunc(all, func(l *Line) bool { return !l.Status().Connected }) }
	eventually(t, "not all connect", connected)
	cluster[0].kill()
	eventually(t, "nobody notices", func() bool { return !all[0].Status().Connected && !all[n-1].Status().Connected })
	for i, l := range all {
		l.SetTopics(map[string][]byte{fmt.Sprintf("m/t%d/state", i): []byte("later")})
	}
	began := time.Now()
	cluster[0].start()
	eventually(t, "not all come back", connected)
	eventually(t, "not all states come", func() bool {
		for i := range n {
			if h.lastOf(fmt.Sprintf("m/t%d/state", i)) != "later" {
				return false
			}
		}
		return true
	})
	t.Logf("%d links are back after %v", n, time.Since(began).Round(time.Millisecond))
}

// TestAccounts: a table proves itself by an nkey, and may write only below its own base; what is denied is listed, and a wrong account is
// told as such.
func TestAccounts(t *testing.T) {
	t.Parallel()
	key, _ := nkeys.CreateUser()
	seed, _ := key.Seed()
	public, _ := key.PublicKey()
	cluster := newCluster(t, 1, `authorization { users: [
		{ user: admin, password: admin }
		{ nkey: `+public+`, permissions: { publish: ["kept.m.t1.>", "now.m.t1.>", "beat.m.t1.>", "$JS.API.>"], subscribe: [">"] } } ] }`)
	cluster[0].start()
	admin := strings.Replace(urlOf(cluster), "nats://", "nats://admin:admin@", 1)
	eventually(t, "no server", func() bool {
		c, err := nats.Connect(admin)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	open := func(name, password string) *Line {
		l, err := New(&line.Opts{URL: urlOf(cluster), User: "x", Password: password, Will: "m/" + name + "/availability",
			Topics: []string{"m/" + name + "/state"}, Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(l.Close)
		l.Start()
		return l
	}
	good, forger, stranger := open("t1", string(seed)), open("t2", string(seed)), open("t1", "wrong")
	eventually(t, "an nkey is refused", func() bool { return good.Status().Connected })
	eventually(t, "a foreign base is not denied", func() bool { return slices.Contains(forger.Status().Denied, "m/t2/availability") })
	eventually(t, "a wrong account is not told", func() bool { return stranger.Status().Reason == line.Login })
	if forger.Status().Connected {
		t.Error("a link that may not write is connected")
	}
}

// TestOlderMessagesAreDropped: a retained message that is older than one received before changes nothing.
func TestOlderMessagesAreDropped(t *testing.T) {
	l, err := New(&line.Opts{URL: "nats://127.0.0.1:1", Will: "w"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		topic  string
		number uint64
		newest bool
	}{{"a", 5, true}, {"a", 5, true}, {"a", 4, false}, {"b", 4, true}, {"a", 6, true}} {
		if l.isNewest(c.topic, c.number) != c.newest {
			t.Errorf("%+v", c)
		}
	}
}

// TestHostileServer: a message or a line that no server may send ends the connection, before it takes memory; and that is told as such.
func TestHostileServer(t *testing.T) {
	for what, says := range map[string]string{
		"a message of a gigabyte":  "PONG\r\nMSG x 1 1000000000\r\n" + strings.Repeat("x", 1<<20),
		"a message with headers":   "PONG\r\nHMSG x 1 10 70000\r\n",
		"no size":                  "PONG\r\nMSG x 1 -5\r\n",
		"a line without an end":    strings.Repeat("y", 1<<20),
		"a second, large message":  "PONG\r\nMSG x 1 2\r\nab\r\nMSG x 1 99999999\r\n",
		"a size behind long names": "PONG\r\nMSG " + strings.Repeat("z", 5000) + " 1 5\r\n",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte(`INFO {"server_id":"x","version":"2.15.3","headers":true,"max_payload":1048576}` + "\r\n"))
				_, _ = c.Read(make([]byte, 4096)) // CONNECT and PING
				_, _ = c.Write([]byte(says))
				_, _ = io.Copy(io.Discard, c)
				_ = c.Close()
			}
		}()
		l, _ := newLink(t, "nats://"+listener.Addr().String(), "t1")
		eventually(t, what+" is not told", func() bool { return l.Status().Reason == line.Oversize })
		l.Close()
		_ = listener.Close()
	}
}

// TestNames: topics and subjects are the same in both directions, and addresses are checked.
func TestNames(t *testing.T) {
	for _, topic := range []string{"majordome/1/cafe/t7/state", "a.b/c*d/e f/g>h/%2E/100%"} {
		if s := subjectOf("kept", topic); topicOf(s) != topic || strings.ContainsAny(s, " *>") {
			t.Errorf("%s becomes %s becomes %s", topic, s, topicOf(s))
		}
	}
	if got := filterSubject("now", "majordome/1/+/t.7/#"); got != "now.majordome.1.*.t%2E7.>" {
		t.Error(got)
	}
	for text, fits := range map[string]bool{"nats://a:4222": true, "nats://a:4222,nats://b:4222": true, "tls://a:1,tls://b:2": true,
		"nats://a": false, "nats://a:1,tls://b:2": false, "nats://a:1/x": false, "mqtt://a:1": false, "nats://me:pw@a:1": false, "": false,
		"nats://a:1,": false} {
		if (CheckURL(text) == nil) != fits {
			t.Errorf("%q: %v", text, CheckURL(text))
		}
	}
}
