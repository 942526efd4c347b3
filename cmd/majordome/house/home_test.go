package house

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/broker/home"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// lookIn lets a stock client that may hear everything into the broker for the devices of the house; every byte that it is sent is kept.
func lookIn(t *testing.T, h *House) *tap {
	t.Helper()
	word, err := h.homes.register.Add("look", home.Look, "")
	if err != nil {
		t.Fatal(err)
	}
	ear := &tap{more: make(chan struct{})}
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.homeAt.Addr().String()).SetUsername("look").SetPassword(word).SetAutoReconnect(false).
		SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) {
			conn, err := net.Dial("tcp", h.homeAt.Addr().String())
			ear.mu.Lock()
			defer ear.mu.Unlock()
			ear.got = append(ear.got, nil)
			return &tappedConn{conn, ear, len(ear.got) - 1}, err
		}))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal("nobody may look:", token.Error())
	}
	t.Cleanup(func() { c.Disconnect(0) })
	if token := c.Subscribe("#", 1, func(mqtt.Client, mqtt.Message) {}); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal("nobody may hear:", token.Error())
	}
	return ear
}

// TestDevicesOfTheHouse: the host makes an account on their page, a lamp comes in with it and hears the table, and is out when the account is.
func TestDevicesOfTheHouse(t *testing.T) {
	r := start(t, func(o *Opts) { o.Config.Home = "127.0.0.1:0" })
	host := func() *wire.Home { u, _ := r.house.loop.Snapshot(engine.Host); return u.Home }
	act := func(name string, args engine.Args) {
		t.Helper()
		if err := r.house.hostAct(1, name, args); err != nil {
			t.Fatal(err)
		}
	}
	act(wire.ActHome, engine.Args{"on": "yes"})
	act(wire.ActHomeAdd, engine.Args{"name": "lampe", "kind": home.Tasmota, "topic": "salon"})
	r.house.settle(t.Context())
	made := host()
	if made.Name != "lampe" || len(made.Word) < 20 || len(made.Kinds) < 7 || made.Address != r.house.homeAt.Addr().String() {
		t.Fatalf("%+v", made)
	}
	heard := make(chan mqtt.Message, 99)
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + made.Address).SetUsername(made.Name).SetPassword(made.Word).SetAutoReconnect(false))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal("the lamp does not come in:", token.Error())
	}
	defer c.Disconnect(0)
	if token := c.SubscribeMultiple(map[string]byte{r.house.tree.State(): 1, "#": 1}, func(_ mqtt.Client, m mqtt.Message) { heard <- m }); !token.WaitTimeout(patience) {
		t.Fatal("no answer")
	}
	var state uplink.State
	select {
	case m := <-heard:
		if json.Unmarshal(m.Payload(), &state) != nil || state.Game != "huis-clos" || len(state.Seats) != 4 {
			t.Errorf("%s: %s", m.Topic(), m.Payload())
		}
	case <-time.After(patience):
		t.Fatal("the lamp hears nothing")
	}
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if u := host(); len(u.Accounts) == 1 && u.Accounts[0].Online == 1 && slices.Equal(u.Accounts[0].Asked, []wire.HomeAsked{{What: "read", Topic: "#", Times: 1}}) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the host is told %+v", host())
		}
	}
	if code, body := fetch(t, r, "/healthz"); code != http.StatusOK || !strings.Contains(body, `"home":true`) {
		t.Errorf("%d %s", code, body)
	}
	if _, body := fetch(t, r, "/metrics"); !strings.Contains(body, "majordome_home_connected 1") {
		t.Error("no metrics")
	}
	act(wire.ActHomeDrop, engine.Args{"name": "lampe"})
	eventually(t, "the lamp of a dropped account is still there", func() bool { return !c.IsConnected() })
}

// TestADeviceMakesNoSteps: whatever a device asks for in vain, and however often it comes and goes, the table does not show itself to
// everybody for it; a host who looks is shown it soon, once.
func TestADeviceMakesNoSteps(t *testing.T) {
	r := start(t, func(o *Opts) { o.Config.Home = "127.0.0.1:0" })
	h := r.house.homes
	word, err := h.register.Add("lampe", home.Tasmota, "salon")
	if err != nil {
		t.Fatal(err)
	}
	var shown atomic.Int32
	h.shown = func() { shown.Add(1) }
	flood := func() (last string) {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + r.house.homeAt.Addr().String()).SetUsername("lampe").SetPassword(word).SetAutoReconnect(false))
		if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
		defer c.Disconnect(0)
		for i := range 100 {
			last = fmt.Sprint("elsewhere/", i)
			if token := c.Publish(last, 1, false, "x"); !token.WaitTimeout(patience) || token.Error() != nil {
				t.Fatal(token.Error())
			}
		}
		return last
	}
	flood()
	if h.soon.Load() || shown.Load() > 0 {
		t.Error("what nobody looks at is shown to everybody")
	}
	h.Look(true)
	last := flood()
	if got := h.Shown().Accounts[0].Asked; got[len(got)-1].Topic != last {
		t.Fatalf("%+v", got)
	}
	eventually(t, "who looks is shown nothing", func() bool { return shown.Load() > 0 })
	if n := shown.Load(); n > 5 { // one a second; 200 without
		t.Errorf("a step for everybody %d times", n)
	}
}

// TestAllAccountsFitInAView, whatever they have asked for.
func TestAllAccountsFitInAView(t *testing.T) {
	out := &wire.Home{Open: true, Address: "[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]:65535", Name: strings.Repeat("n", 31), Word: strings.Repeat("w", 26)}
	for _, k := range home.Templates() {
		out.Kinds = append(out.Kinds, wire.HomeKind{ID: k.ID, Topic: k.Topic})
	}
	for i := range home.MaxAccounts {
		a := wire.HomeAccount{Name: fmt.Sprint(strings.Repeat("n", 29), i), Kind: home.Free, Topic: strings.Repeat("é", 900), Online: 9}
		for range 6 {
			a.Asked = append(a.Asked, wire.HomeAsked{What: "retain", Topic: strings.Repeat("é", 64), Times: 1e6})
		}
		out.Accounts = append(out.Accounts, a)
	}
	fit(out)
	body, err := json.Marshal(out)
	if err != nil || len(body) > wire.MaxHome || len(out.Accounts) != home.MaxAccounts || out.Word == "" {
		t.Errorf("%d bytes: %v", len(body), err)
	}
	for _, a := range out.Accounts {
		if n := len(a.Asked)*1e6 + a.Older; n != 6e6 {
			t.Errorf("%s: of %d refusals %d are shown or counted", a.Name, int(6e6), n)
		}
	}
	small := &wire.Home{Accounts: []wire.HomeAccount{{Name: "a", Asked: []wire.HomeAsked{{What: "read"}}}}}
	if fit(small); len(small.Accounts[0].Asked) != 1 || small.Accounts[0].Older != 0 {
		t.Error("what fits is cut")
	}
}
