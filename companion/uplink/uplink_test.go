package uplink

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/line"
	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/play"
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

// house is the broker of a house: Debian's Mosquitto with an account for the table and one for a lamp.
type house struct {
	t    testing.TB
	tree wire.Tree
	at   string
	conf string
	stop func()
}

func newHouse(t testing.TB) *house {
	const bin = "/usr/sbin/mosquitto"
	if _, err := os.Stat(bin); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("mosquitto is not installed: apt-get install mosquitto")
		}
		t.Skip("SKIPPED, mosquitto is not installed: apt-get install mosquitto")
	}
	tree, err := wire.NewTree("", "home", "salon")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, tree: tree, at: porttest.FreeAddress(t)}
	dir := t.TempDir()
	passwords := filepath.Join(dir, "passwords")
	if err := os.WriteFile(passwords, []byte("table:word of the table\nlamp:word of the lamp\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mosquitto_passwd", "-U", passwords).CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_passwd: %v: %s", err, out)
	}
	_, port, _ := net.SplitHostPort(h.at)
	h.conf = filepath.Join(dir, "mosquitto.conf")
	text := "listener " + port + " 127.0.0.1\nallow_anonymous false\npassword_file " + passwords + "\npersistence false\nlog_dest none\n"
	if os.Geteuid() == 0 {
		text += "user root\n"
	}
	if err := os.WriteFile(h.conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) start() {
	h.t.Helper()
	cmd := exec.Command("/usr/sbin/mosquitto", "-c", h.conf)
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.stop = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	h.t.Cleanup(h.stop)
	eventually(h.t, "mosquitto does not listen", func() bool {
		c, err := net.Dial("tcp", h.at)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

func (h *house) startUplink(password string) *Uplink {
	h.t.Helper()
	u, err := New(&Opts{URL: "mqtt://" + h.at, User: "table", Password: password, Tree: h.tree, Version: "1.2", Timeout: patience,
		MaxRetry: 300 * time.Millisecond})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(u.Close)
	return u
}

// lamp is another client in the house, with what it has received.
type lamp struct {
	mu    sync.Mutex
	kept  map[string]string // the newest payload of each topic
	heard []Event
}

func (h *house) connectLamp(id string) *lamp {
	h.t.Helper()
	l := &lamp{kept: map[string]string{}}
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.at).SetClientID(id).SetUsername("lamp").
		SetPassword("word of the lamp"))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		h.t.Fatal("the lamp does not come in:", token.Error())
	}
	h.t.Cleanup(func() { c.Disconnect(10) })
	token := c.Subscribe(h.tree.Base()+"/#", 1, func(_ mqtt.Client, m mqtt.Message) {
		l.mu.Lock()
		defer l.mu.Unlock()
		topic := strings.TrimPrefix(m.Topic(), h.tree.Base()+"/")
		if what, ok := strings.CutPrefix(topic, "event/"); ok {
			var e Event
			if err := json.Unmarshal(m.Payload(), &e); err != nil || e.What != what || m.Retained() {
				h.t.Errorf("%s: %q, retained %t: %v", m.Topic(), m.Payload(), m.Retained(), err)
			}
			l.heard = append(l.heard, e)
			return
		}
		l.kept[topic] = string(m.Payload())
	})
	if !token.WaitTimeout(patience) || token.Error() != nil {
		h.t.Fatal("the lamp does not hear:", token.Error())
	}
	return l
}

func (l *lamp) payloadOn(topic string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept[topic]
}

func (l *lamp) events() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.heard)
}

// playRandomGame plays a random game for some steps and returns the public view after each.
func playRandomGame(t testing.TB, game engine.ID, seed uint64, steps int) (all []engine.View) {
	t.Helper()
	g, err := games.KnownGames().FindGame(game)
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Parse("deck", g.Default)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.NewRulebook()
	if err != nil {
		t.Fatal(err)
	}
	_, _, _ = play.Run(b.NewGame(), &play.Opts{Seed: seed, MaxSteps: steps, Check: func(s play.Step) error {
		all = append(all, s.After.View(engine.Public))
		return nil
	}}) // the error only says that the game is not over
	return all
}

// TestTheHouseHearsTheTable checks that the house receives each happening once and in order, and that state, names and
// availability are retained for later clients.
func TestTheHouseHearsTheTable(t *testing.T) {
	for _, game := range []engine.ID{"huis-clos", "cluedo-2008"} {
		t.Run(string(game), func(t *testing.T) {
			h := newHouse(t)
			h.start()
			l, u := h.connectLamp("lamp"), h.startUplink("word of the table")
			u.PublishNames(engine.Names{{ID: "weapon-1", Text: engine.T("Corde", "Rope")}})
			var want []Event
			last := 0
			for i, v := range playRandomGame(t, game, 3, 300) {
				u.Publish(&wire.Update{View: v})
				if i > 0 {
					for _, e := range v.HappeningsAfter(min(last, v.LastHappeningNumber())) {
						want = append(want, eventOfHappening(game, e))
					}
				}
				last = v.LastHappeningNumber()
				eventually(t, fmt.Sprintf("step %d is not heard", i), func() bool {
					return len(l.events()) >= len(want) && l.payloadOn("state") == string(u.retainedState())
				})
			}
			if got := l.events(); len(want) < 30 || !reflect.DeepEqual(got, want) {
				t.Errorf("%d events heard, %d happened: %v, want %v", len(got), len(want), got, want)
			}
			late := h.connectLamp("late")
			for topic, want := range map[string]string{"availability": "online", "state": string(u.retainedState()),
				"info":  `{"software":"majordome","version":"1.2","schema":1,"demo":false,"commands":false,"id":"","page":""}`,
				"names": `[{"id":"weapon-1","kind":"","text":{"fr":"Corde","en":"Rope"}}]`} {
				eventually(t, topic+" is not kept", func() bool { return late.payloadOn(topic) != "" })
				if got := late.payloadOn(topic); got != want {
					t.Errorf("%s holds %s, want %s", topic, got, want)
				}
			}
			u.Close()
			eventually(t, "nobody says that the table is gone", func() bool { return late.payloadOn("availability") == "offline" })
		})
	}
}

// retainedState returns the state as it was published last.
func (u *Uplink) retainedState() []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.retained[u.opts.Tree.StateTopic()]
}

// TestWhatNobodySeesIsNotAMoment checks that a step that changes nothing for the public sends nothing.
func TestWhatNobodySeesIsNotAMoment(t *testing.T) {
	h := newHouse(t)
	u := h.startUplink("word of the table")
	v := playRandomGame(t, "huis-clos", 1, 20)[19]
	u.Publish(&wire.Update{View: v, Rev: 7})
	before := &u.retainedState()[0]
	v.Log, v.Prompt = nil, engine.NewMsg("x")
	u.Publish(&wire.Update{View: v, Rev: 8, Seq: 4})
	if &u.retainedState()[0] != before {
		t.Error("the state was published again")
	}
}

// TestAwayBroker checks that after the broker was away the newest state is published, and no old event.
func TestAwayBroker(t *testing.T) {
	h := newHouse(t)
	h.start()
	u := h.startUplink("word of the table")
	eventually(t, "not connected", func() bool { return u.Status().Connected })
	h.stop()
	eventually(t, "the loss is not seen", func() bool { return !u.Status().Connected })
	u.eventLifetime = 0
	for _, v := range playRandomGame(t, "huis-clos", 5, 400) { // more than the queue can contain
		u.Publish(&wire.Update{View: v})
	}
	u.eventLifetime = eventLifetime
	h.start()
	l := h.connectLamp("lamp")
	eventually(t, "the newest state does not come", func() bool {
		return l.payloadOn("state") == string(u.retainedState()) && l.payloadOn("availability") == "online"
	})
	if got := l.events(); len(got) > 0 {
		t.Errorf("old events are published: %v", got)
	}
	if s := u.Status(); s.Counts["flood"] > 0 || s.Reason != "" {
		t.Errorf("the line stands, and says %+v", s)
	}
}

// TestReasons checks that the status gives the owner the reason why the table cannot connect.
func TestReasons(t *testing.T) {
	h := newHouse(t)
	h.start()
	web := httptest.NewTLSServer(nil)
	defer web.Close()
	for _, c := range []struct {
		name, url, password, want string
	}{
		{"wrong password", "mqtt://" + h.at, "word of nobody", line.Login},
		{"nobody listens", "mqtt://127.0.0.1:1", "", line.Unanswered},
		{"no such name", "mqtt://broker.invalid:1883", "", line.Unknown},
		{"certificate of nobody", "mqtts://" + web.Listener.Addr().String(), "", line.Untrusted},
		{"no TLS there", "mqtts://" + h.at, "word of the table", line.Unanswered},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := New(&Opts{URL: c.url, User: "table", Password: c.password, Tree: h.tree,
				TLS: &tls.Config{MinVersion: tls.VersionTLS12}, Timeout: 5 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			defer u.Close()
			eventually(t, "no reason is given", func() bool { return u.Status().Reason != "" })
			if s := u.Status(); s.Reason != c.want || s.Connected {
				t.Errorf("%+v, want %s", s, c.want)
			}
		})
	}
}
