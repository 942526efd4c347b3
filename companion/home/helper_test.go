package home

import (
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/door"
)

// patience is the longest wait for a condition; only a failing test waits that long.
const patience = time.Minute

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// memoryKeeper is a Keeper in memory.
type memoryKeeper struct {
	mu   sync.Mutex
	in   map[string]string
	full error
}

func (d *memoryKeeper) Setting(name string) (string, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.in[name]
	return v, ok, nil
}

func (d *memoryKeeper) SetSetting(name, value string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full != nil {
		return d.full
	}
	d.in[name] = value
	return nil
}

// base is the beginning of the topics of this table.
const base = "majordome/1/home/salon"

// house is a running broker with its door and accounts.
type house struct {
	*Broker
	t         testing.TB
	door      *door.Door
	at        string
	folder    string            // of Mosquitto
	starts    int               // of Mosquitto, until the end of the test
	passwords map[string]string // the passwords
}

func newHouse(t testing.TB) *house {
	t.Helper()
	return newHouseBehind(t, &door.Opts{})
}

// newHouseBehind starts a house behind a door with these options.
func newHouseBehind(t testing.TB, o *door.Opts) *house {
	t.Helper()
	findProgram(t, "mosquitto", "mosquitto")
	r, err := NewRegister(&memoryKeeper{in: map[string]string{}}, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Descriptors, o.Devices = 1024, MaxAccounts
	d, err := door.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := &house{t: t, door: d, folder: filepath.Join(t.TempDir(), "mosquitto"), starts: 1, passwords: map[string]string{}}
	b, err := New(r, &Opts{Folder: p.folder, ConnectTimeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	b.adjustLimits = func(l Limits) Limits { // rates do not slow the other tests down
		l.Messages, l.MessageBurst, l.Bytes, l.ByteBurst = 1e9, 1e9, 1e12, 1e12
		return l
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- b.ServeTCP(d.WrapListener(l)) }()
	t.Cleanup(func() {
		starts := b.Status()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		if starts.Starts != p.starts || starts.Err != nil {
			t.Errorf("Mosquitto has ended: %+v", starts)
		}
		eventually(t, "goroutines of the broker are left", func() bool {
			buf := make([]byte, 1<<20)
			all := string(buf[:runtime.Stack(buf, true)])
			return !strings.Contains(all, "home.(*gate)") && !strings.Contains(all, "home.(*Broker)")
		})
		if n := d.State().Places[door.Device].Taken; n != 0 {
			t.Errorf("%d places are taken that nobody has", n)
		}
	})
	eventually(t, "Mosquitto does not start", func() bool { return b.Status().Running })
	p.Broker, p.at = b, l.Addr().String()
	return p
}

// addAccount adds an account.
func (p *house) addAccount(name, template, topic string) {
	p.t.Helper()
	word, err := p.register.AddOrRenewAccount(name, template, topic)
	if err != nil {
		p.t.Fatal(err)
	}
	p.passwords[name] = word
}

// connectPaho connects a paho client with its default options, except for what change sets.
func (p *house) connectPaho(user string, change func(*mqtt.ClientOptions)) mqtt.Client {
	p.t.Helper()
	o := mqtt.NewClientOptions().AddBroker("tcp://" + p.at).SetUsername(user).SetPassword(p.passwords[user])
	if change != nil {
		change(o)
	}
	c := mqtt.NewClient(o)
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		p.t.Fatal(user, "does not come in:", token.Error())
	}
	p.t.Cleanup(func() { c.Disconnect(0) })
	return c
}

// connectDaemon connects the daemon's own client.
func (p *house) connectDaemon() mqtt.Client {
	p.t.Helper()
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://inside:1883").SetUsername(OwnAccount).SetPassword(p.OwnAccountPassword()).
		SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) { return p.Dial() }))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		p.t.Fatal("the daemon does not come in:", token.Error())
	}
	p.t.Cleanup(func() { c.Disconnect(0) })
	return c
}

func (p *house) publishText(c mqtt.Client, topic string, qos byte, retained bool, text string) {
	p.t.Helper()
	if token := c.Publish(topic, qos, retained, text); !token.WaitTimeout(patience) || token.Error() != nil {
		p.t.Fatal(topic, token.Error())
	}
}

// messageInbox collects the messages of a client in their order.
type messageInbox struct {
	mu  sync.Mutex
	all []string // topic and text
}

func (e *messageInbox) received() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string{}, e.all...)
}

// subscribeTo subscribes to filters; codes are the return codes of the SUBACK.
func (p *house) subscribeTo(c mqtt.Client, qos byte, filters ...string) (e *messageInbox, codes map[string]byte) {
	p.t.Helper()
	e = &messageInbox{}
	all := map[string]byte{}
	for _, f := range filters {
		all[f] = qos
	}
	token := c.SubscribeMultiple(all, e.receive)
	if !token.WaitTimeout(patience) {
		p.t.Fatal("no answer to a subscription")
	}
	return e, token.(*mqtt.SubscribeToken).Result()
}

func (e *messageInbox) receive(_ mqtt.Client, m mqtt.Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, m.Topic()+" "+string(m.Payload()))
}

// findProgram returns the path of a program of Debian, or skips the test.
func findProgram(t testing.TB, name, pkg string) string {
	t.Helper()
	for _, at := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(at); err == nil {
			return path
		}
	}
	skipWithout(t, name+" is not installed: apt-get install "+pkg)
	return ""
}
