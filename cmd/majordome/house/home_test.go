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

	"majordome/companion/home"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// observeHome connects an ordinary client, which may read everything, to the broker for the devices of the house, and
// records every byte it is sent.
func observeHome(t *testing.T, h *House) *tap {
	t.Helper()
	word, err := h.smartHome.Accounts.AddOrRenewAccount("look", home.Observer, "")
	if err != nil {
		t.Fatal(err)
	}
	ear := &tap{more: make(chan struct{})}
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.Network.Home.Addr().String()).SetUsername("look").SetPassword(word).
		SetAutoReconnect(false).
		SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) {
			conn, err := net.Dial("tcp", h.Network.Home.Addr().String())
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

// homeAccounts returns the accounts of the devices as the owner sees them.
func (r *rig) homeAccounts() (shown wire.Home) {
	r.t.Helper()
	r.doRow("home", nil, &shown)
	return shown
}

// TestDevicesOfTheHouse: the host makes an account on their page; a lamp connects with it and receives the table's
// messages until the account is removed. None of it is a step, and the password is shown only in the answer to its
// request.
func TestDevicesOfTheHouse(t *testing.T) {
	if rows := startRig(t, nil).house.smartHome.OfficeRows(); len(rows) != 1 || rows[0].Name != "tables" {
		t.Errorf("a table that serves no devices has accounts: %v", rows)
	}
	r := startRig(t, func(o *Opts) { o.Config.Home = "127.0.0.1:0" })
	if shown := r.homeAccounts(); len(shown.Kinds) < 7 || shown.Address != r.house.Network.Home.Addr().String() || len(shown.Accounts) > 0 {
		t.Errorf("%+v", shown)
	}
	before, _ := r.house.Loop.Snapshot(engine.Host)
	for why, args := range map[string]engine.Args{
		"table.home.name":  {"name": "Ma lampe", "kind": home.Tasmota, "topic": "salon"},
		"table.home.topic": {"name": "lampe", "kind": home.Tasmota, "topic": "#"},
		"table.unknown":    {"name": "lampe", "kind": "toaster", "topic": "salon"},
	} {
		if no := r.refusalOf("home-add", args); no != why {
			t.Errorf("%v: %s", args, no)
		}
	}
	var made wire.HomeMade
	r.doRow("home-add", engine.Args{"name": "lampe", "kind": home.Tasmota, "topic": "salon"}, &made)
	if made.Name != "lampe" || len(made.Word) < 20 {
		t.Fatalf("%+v", made)
	}
	if shown := r.askOffice("home", nil).Value; strings.Contains(string(shown), made.Word) || !strings.Contains(string(shown), `"lampe"`) {
		t.Errorf("shown to all owners is %s", shown)
	}
	heard := make(chan mqtt.Message, 99)
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + r.homeAccounts().Address).SetUsername(made.Name).
		SetPassword(made.Word).SetAutoReconnect(false))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal("the lamp does not come in:", token.Error())
	}
	defer c.Disconnect(0)
	if token := c.SubscribeMultiple(map[string]byte{r.house.tree.StateTopic(): 1, "#": 1},
		func(_ mqtt.Client, m mqtt.Message) { heard <- m }); !token.WaitTimeout(patience) {
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
	eventually(t, "the host is not shown the lamp, or its refused requests", func() bool {
		all := r.homeAccounts().Accounts
		return len(all) == 1 && all[0].Online == 1 && slices.Equal(all[0].Asked, []wire.HomeAsked{{What: "read", Topic: "#", Times: 1}})
	})
	if code, body := fetchPage(t, r, "/healthz"); code != http.StatusOK || !strings.Contains(body, `"home":true`) {
		t.Errorf("%d %s", code, body)
	}
	if _, body := fetchPage(t, r, "/metrics"); !strings.Contains(body, "majordome_home_connected 1") {
		t.Error("no metrics")
	}
	r.doRow("home-drop", engine.Args{"name": "lampe"}, nil)
	eventually(t, "the lamp of a dropped account is still there", func() bool { return !c.IsConnected() })
	if no := r.refusalOf("home-drop", engine.Args{"name": "lampe"}); no != "table.unknown" {
		t.Errorf("one that is gone is dropped: %s", no)
	}
	if after, _ := r.house.Loop.Snapshot(engine.Host); after.Rev != before.Rev {
		t.Errorf("accounts are %d steps", after.Rev-before.Rev)
	}
}

// TestNoAccountInAPause: while the game is paused no account is saved, and the refusal gives the reason.
func TestNoAccountInAPause(t *testing.T) {
	r := startDeposits(t, func(o *Opts) { o.Config.Home = "127.0.0.1:0" })
	args := engine.Args{"name": "lampe", "kind": home.Tasmota, "topic": "salon"}
	r.doRow("home-add", args, nil)
	r.mustHostAct("pause", nil)
	for _, row := range []string{"home-add", "home-drop"} {
		if why := r.refusalOf(row, args); why != "table.paused.host" {
			t.Errorf("%s in a pause: %s", row, why)
		}
	}
	r.mustHostAct("resume", nil)
	r.doRow("home-drop", args, nil)
}

// TestADeviceMakesNoSteps: refused requests of a device, and its coming and going, make no step of the table. A host
// who watches the page is shown the changes soon, at a limited rate.
func TestADeviceMakesNoSteps(t *testing.T) {
	r := startRig(t, func(o *Opts) { o.Config.Home = "127.0.0.1:0" })
	word, err := r.house.smartHome.Accounts.AddOrRenewAccount("lampe", home.Tasmota, "salon")
	if err != nil {
		t.Fatal(err)
	}
	flood := func() (last string) {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + r.house.Network.Home.Addr().String()).SetUsername("lampe").
			SetPassword(word).SetAutoReconnect(false))
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
	before, _ := r.house.Loop.Snapshot(engine.Host)
	var shown atomic.Value
	var told atomic.Int32
	shown.Store("")
	go func() {
		for seen := r.watchRow("home", ""); seen.Value != nil; seen = r.watchRow("home", seen.Seen) { // ends with the test
			shown.Store(string(seen.Value))
			told.Add(1)
		}
	}()
	began := time.Now()
	last := flood()
	eventually(t, "a device that looks is not shown the last message", func() bool {
		return strings.Contains(shown.Load().(string), `"topic":"`+last+`"`)
	})
	// four a second; without a limit it would be 200
	if n, most := int(told.Load()), int(time.Since(began)/(100*time.Millisecond))+5; n > most {
		t.Errorf("told %d times, at most %d", n, most)
	}
	if after, _ := r.house.Loop.Snapshot(engine.Host); after.Rev != before.Rev {
		t.Errorf("a request of a device is %d steps of the game", after.Rev-before.Rev)
	}
}
