package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/home"
	"majordome/companion/uplink"
	"majordome/companion/uplink/uplinktest"
	"majordome/companion/wire"
	"majordome/engine"
)

// openDoor lets every client into a broker, on all topics.
type openDoor struct{ mqtt.HookBase }

func (*openDoor) Provides(b byte) bool {
	return b == mqtt.OnConnectAuthenticate || b == mqtt.OnACLCheck
}
func (*openDoor) OnConnectAuthenticate(*mqtt.Client, packets.Packet) bool { return true }
func (*openDoor) OnACLCheck(*mqtt.Client, string, bool) bool              { return true }

// newHomeBroker runs a broker of a house that accepts every client, and records everything that it receives.
func newHomeBroker(t *testing.T) *tap {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ear := &tap{Listener: l, more: make(chan struct{})}
	serveHomeBroker(t, ear)
	return ear
}

// serveHomeBroker runs that broker on a listener.
func serveHomeBroker(t *testing.T, l net.Listener) {
	t.Helper()
	b := mqtt.New(&mqtt.Options{Logger: discardLog()})
	if err := b.AddHook(new(openDoor), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.AddListener(listeners.NewNet("house", l)); err != nil {
		t.Fatal(err)
	}
	if err := b.Serve(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
}

// searchHouse looks for secrets in everything that the brokers of the house received. With aloud, it ignores in events
// and states what is said aloud or is on the board.
func (s *spied) searchHouse(t *testing.T, secrets []string, aloud bool) {
	t.Helper()
	s.sendCommands(t)
	s.searchBroker(t, s.home, secrets, aloud)
	s.searchBroker(t, s.devices, secrets, aloud)
	s.searchBroker(t, s.venue, secrets, aloud)
	s.hook.search(t, secrets, aloud)
}

// uplinkDocument reads the description of what an uplink sends and receives.
func uplinkDocument(t *testing.T) uplinktest.Document {
	t.Helper()
	doc, err := uplinktest.ReadDocument("../../../companion/uplink/asyncapi.json")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// someCommands are sent by programs while there are secrets at the table, one after the other; some are refused.
var someCommands = [][2]string{
	{"pause", `"on":true`}, {"hint", `"to":"all","text":"x"`}, {"next", ``}, {"light", `"to":"dark"`}, {"pause", `"on":false`},
	{"light", `"to":"game"`},
	{"countdown", `"seconds":60`}, {"hint", `"to":"seat-1","text":"x"`}, {"hint", `"to":"display","text":"x"`}, {"next", ``}, {"undo", ``},
	{"pause", `"on":1`},
}

// sendCommands has a program send someCommands at all brokers, and waits for the answers.
func (s *spied) sendCommands(t *testing.T) {
	t.Helper()
	word, err := s.house.smartHome.Accounts.AddOrRenewAccount("maison", home.HomeAssistant, "")
	if err != nil {
		t.Fatal(err)
	}
	s.commanded++
	doc := uplinkDocument(t)
	for _, at := range []string{s.house.Network.Home.Addr().String(), s.home.Addr().String(), s.venue.Addr().String()} {
		c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + at).SetUsername("maison").SetPassword(word).
			SetAutoReconnect(false))
		if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
		answers := make(chan uplink.Answer, 99)
		c.Subscribe(s.house.tree.Base()+"/answer", 1, func(_ paho.Client, m paho.Message) {
			var a uplink.Answer
			if err := json.Unmarshal(m.Payload(), &a); err != nil {
				t.Error(err)
			}
			answers <- a
		}).WaitTimeout(patience)
		done := 0
		for i, x := range someCommands {
			id := fmt.Sprintf("%s-%d-%d", at, s.commanded, i)
			body := `{"id":"` + id + `"`
			if x[1] != "" {
				body += "," + x[1]
			}
			_, wrong := doc.Validate("command/"+x[0], []byte(body+"}"))
			for again := true; again; { // repeated while it is sent too soon
				c.Publish(s.house.tree.Base()+"/command/"+x[0], 1, false, body+"}").WaitTimeout(patience)
				select {
				case a := <-answers:
					if a.ID != id {
						t.Fatalf("an answer to %s: %+v", id, a)
					}
					if again = a.Why != nil && a.Why.Key == "table.order.rate"; again {
						time.Sleep(100 * time.Millisecond)
					}
					if a.Result == uplink.Done {
						done++
					}
					if unfit := a.Why != nil && (a.Why.Key == "table.order.malformed" || a.Why.Key == "table.order.unknown" ||
						a.Why.Key == "table.order.whom"); !again && unfit != (len(wrong) > 0) {
						t.Errorf("%s %s}: %+v, and by its description %q", x[0], body, a, wrong)
					}
				case <-time.After(time.Second): // it was not answered a second time
				}
			}
		}
		if done < 4 {
			t.Errorf("%d commands are done", done)
		}
		c.Disconnect(0)
	}
}

func (s *spied) searchBroker(t *testing.T, ear *tap, secrets []string, aloud bool) {
	t.Helper()
	base, doc := s.house.tree.Base()+"/", uplinkDocument(t)
	count, last := map[string]int{}, s.publicView()
	for end := false; !end; { // the relay may be one step late
		more := ear.newBytes()
		for _, m := range ear.messages(t) {
			var now uplink.State
			end = end || m.topic == s.house.tree.StateTopic() && json.Unmarshal(m.payload,
				&now) == nil && now.Phase == last.Phase && now.Urn == last.Urn
		}
		if !end {
			<-more
		}
	}
	for _, m := range ear.messages(t) {
		topic, ours := strings.CutPrefix(m.topic, base)
		if strings.HasPrefix(topic, "command/") {
			continue // text of the test itself
		}
		if ours {
			if _, wrong := doc.Validate(topic, m.payload); len(wrong) > 0 {
				t.Errorf("the message is not as AsyncAPI describes it: %q", wrong)
			}
		}
		text := string(m.payload)
		switch what, event := strings.CutPrefix(topic, "event/"); {
		case !ours && m.topic == "homeassistant/device/majordome-house-table/config",
			!ours && m.topic == "homeassistant/device/majordome-house-table-commands/config":
			topic = "discovery"
		case !ours:
			t.Errorf("the house receives %s", m.topic)
		case event:
			topic = "event"
			var e uplink.Event
			if err := json.Unmarshal(m.payload, &e); err != nil || e.What != what {
				t.Errorf("%s: %s: %v", m.topic, text, err)
			}
			text = unspokenText(e, aloud)
		case topic == "state":
			var now uplink.State
			if err := json.Unmarshal(m.payload, &now); err != nil {
				t.Error(err)
			}
			if aloud {
				now.Places = nil
				for i := range now.Seats {
					now.Seats[i].Character, now.Seats[i].Place = "", ""
				}
			}
			text = fmt.Sprint(now)
		case topic == "names":
			text = ""
		}
		count[topic]++
		checkAbsent(t, m.topic, text, secrets)
	}
	if (count["discovery"] > 0) != (ear != s.venue) || (count["results"] > 0) != (ear == s.venue) {
		t.Errorf("Home Assistant is no affair of a venue, and results are no affair of the house: %v", count)
	}
	delete(count, "result") // only if the game has ended
	if count["event"] < 5 || count["state"] < 5 || count["names"] == 0 || count["info"] == 0 || count["availability"] == 0 ||
		count["answer"] < len(someCommands) || len(count) != 7 {
		t.Errorf("the broker of the house heard %v", count)
	}
}

// TestUplinkStopsNoGame: a broker that cannot be reached causes one sentence for the host, and nothing else.
func TestUplinkStopsNoGame(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) string {
		f, err := os.CreateTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.WriteString(text)
		_ = f.Close()
		return f.Name()
	}
	for _, c := range []struct {
		name, account, authority, want string
	}{
		{"nobody is there", "", "", "does not answer"},
		{"no file of the account", filepath.Join(dir, "none"), "", "cannot be read"},
		{"half an account", write("table"), "", "cannot be read"},
		{"no certificate", "", write("hello"), "cannot be read"},
		{"an account", write("table\r\nword\r\n"), "", "does not answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := startRig(t, func(o *Opts) {
				o.Config.Uplink, o.Config.Account, o.Config.Authority = "mqtt://127.0.0.1:1", c.account, c.authority
			})
			eventually(t, "no sentence for the host", func() bool { return len(r.house.smartHome.Findings()) > 0 })
			all := r.house.smartHome.Findings()
			if !strings.Contains(all[0].Fix.EN, c.want) || all[0].Fix.FR == "" || all[0].State != wire.StateWarning {
				t.Errorf("%+v, want %q", all, c.want)
			}
			code, body := fetchPage(t, r, "/healthz")
			for end := time.Now().Add(patience); code != http.StatusOK && time.Now().Before(end); code, body = fetchPage(t, r, "/healthz") {
				time.Sleep(time.Millisecond) // the relay may not be connected yet
			}
			if code != http.StatusOK || !strings.Contains(body, `"uplink":false`) {
				t.Errorf("%d %s", code, body)
			}
			if o := r.viewerUpdate(engine.Host).View.Offers; !slices.ContainsFunc(o, func(o engine.Offer) bool {
				return o.Act == "begin"
			}) {
				t.Error("the game cannot begin")
			}
		})
	}
}

// TestVenue: what all players see goes to the venue, and its console commands what the table grants. When it is gone, the
// host is told so, and play goes on.
func TestVenue(t *testing.T) {
	broker := newHomeBroker(t)
	r := startRig(t, func(o *Opts) {
		o.Config.Venue, o.Config.VenueRights = "mqtt://"+broker.Addr().String(), []string{"pause"}
	})
	eventually(t, "the venue hears nothing", func() bool {
		_, body := fetchPage(t, r, "/healthz")
		return strings.Contains(body, `"venue":true,"venue_left_out":0,`)
	})
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + broker.Addr().String()).SetAutoReconnect(false))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(0) })
	answers := make(chan string, 9)
	base := r.house.tree.Base()
	c.Subscribe(base+"/answer", 1, func(_ paho.Client, m paho.Message) {
		var a uplink.Answer
		_ = json.Unmarshal(m.Payload(), &a)
		if a.Why != nil {
			a.Result = a.Why.Key
		}
		answers <- a.ID + " " + a.By + " " + a.Result
	}).WaitTimeout(patience)
	for command, want := range map[string]string{
		`pause {"id":"1","by":"anna","on":true}`: "1 anna table.order.idle", // the table's own reason: it was asked
		`next {"id":"2","by":"anna"}`:            "2 anna table.order.denied",
	} {
		name, body, _ := strings.Cut(command, " ")
		c.Publish(base+"/command/"+name, 1, false, body)
		if got := <-answers; got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if all := r.house.smartHome.Findings(); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	gone := startRig(t, func(o *Opts) { o.Config.Venue = "mqtt://127.0.0.1:1" })
	eventually(t, "no sentence for the host", func() bool { return len(gone.house.smartHome.Findings()) > 0 })
	if f := gone.house.smartHome.Findings()[0]; f.About != "venue" || !strings.Contains(f.Fix.EN, "the key venue.") {
		t.Errorf("%+v", f)
	}
}

// hangingUp ends the connection whenever a state is published.
type hangingUp struct{ openDoor }

func (*hangingUp) Provides(b byte) bool { return b == mqtt.OnPublish || (&openDoor{}).Provides(b) }

func (*hangingUp) OnPublish(c *mqtt.Client, p packets.Packet) (packets.Packet, error) {
	if strings.HasSuffix(p.TopicName, "/state") {
		c.Stop(packets.ErrPacketTooLarge)
		return p, packets.ErrRejectPacket
	}
	return p, nil
}

// TestWhatIsLeftOutIsInHealth: a connection that works but cannot carry the state is reported as faulty.
func TestWhatIsLeftOutIsInHealth(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := mqtt.New(&mqtt.Options{Logger: discardLog()})
	if err := errors.Join(b.AddHook(&hangingUp{}, nil), b.AddListener(listeners.NewNet("t", l)), b.Serve()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	r := startRig(t, func(o *Opts) { o.Config.Uplink = "mqtt://" + l.Addr().String() })
	eventually(t, "the line does not stand without its state", func() bool {
		_, body := fetchPage(t, r, "/healthz")
		return strings.Contains(body, `"uplink":true,"uplink_left_out":1,`)
	})
	eventually(t, "no figure in /metrics", func() bool { // the door limits how often an address may ask
		_, text := fetchPage(t, r, "/metrics")
		return strings.Contains(text, "majordome_uplink_left_out 1\n")
	})
	if all := r.house.smartHome.Findings(); len(all) != 1 || !strings.Contains(all[0].Said.EN, "/state”") {
		t.Errorf("%+v", all)
	}
}

// viewerUpdate returns the update that a viewer has now.
func (r *rig) viewerUpdate(v engine.Viewer) wire.Update {
	u, _ := r.house.Loop.Snapshot(v)
	return u
}
