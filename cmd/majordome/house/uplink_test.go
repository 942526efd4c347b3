package house

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// openDoor lets everybody into a broker, to all topics.
type openDoor struct{ mqtt.HookBase }

func (*openDoor) Provides(b byte) bool {
	return b == mqtt.OnConnectAuthenticate || b == mqtt.OnACLCheck
}
func (*openDoor) OnConnectAuthenticate(*mqtt.Client, packets.Packet) bool { return true }
func (*openDoor) OnACLCheck(*mqtt.Client, string, bool) bool              { return true }

// homeBroker is a broker of somebody's house that lets everybody in, with a tap on all that it is told.
func homeBroker(t *testing.T) *tap {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ear := &tap{Listener: l, more: make(chan struct{})}
	b := mqtt.New(&mqtt.Options{Logger: quiet()})
	if err := b.AddHook(new(openDoor), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.AddListener(listeners.NewNet("house", ear)); err != nil {
		t.Fatal(err)
	}
	if err := b.Serve(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return ear
}

// searchHouse looks through all that the brokers of the house were told; aloud takes from an
// event and a state what is said aloud or stands on the board.
func (s *spied) searchHouse(t *testing.T, secrets []string, aloud bool) {
	t.Helper()
	s.searchTold(t, s.home, secrets, aloud)
	s.searchTold(t, s.devices, secrets, aloud)
}

func (s *spied) searchTold(t *testing.T, ear *tap, secrets []string, aloud bool) {
	t.Helper()
	base := s.house.tree.Base() + "/"
	count, last := map[string]int{}, s.public()
	for end := false; !end; { // the line may be a step behind
		more := ear.news()
		for _, m := range ear.messages(t) {
			var now uplink.State
			end = end || m.topic == s.house.tree.State() && json.Unmarshal(m.payload, &now) == nil && now.Phase == last.Phase && now.Urn == last.Urn
		}
		if !end {
			<-more
		}
	}
	for _, m := range ear.messages(t) {
		topic, ours := strings.CutPrefix(m.topic, base)
		text := string(m.payload)
		switch what, event := strings.CutPrefix(topic, "event/"); {
		case !ours && m.topic == "homeassistant/device/majordome-house-table/config":
			topic = "discovery"
		case !ours:
			t.Errorf("the house is told %s", m.topic)
		case event:
			topic = "event"
			var e uplink.Event
			if err := json.Unmarshal(m.payload, &e); err != nil || e.What != what {
				t.Errorf("%s: %s: %v", m.topic, text, err)
			}
			if aloud {
				if e.Place = ""; what == engine.HapAsked || what == engine.HapAccused {
					e.Cards = nil
				}
			}
			text = fmt.Sprint(e)
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
		find(t, m.topic, text, secrets)
	}
	if count["event"] < 5 || count["state"] < 5 || count["names"] == 0 || count["info"] == 0 || count["availability"] == 0 || count["discovery"] == 0 || len(count) != 6 {
		t.Errorf("the broker of the house heard %v", count)
	}
}

// TestUplinkStopsNoGame: a broker that is not there is a sentence for the host, and no more.
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
			r := start(t, func(o *Opts) {
				o.Config.Uplink, o.Config.Account, o.Config.Authority = "mqtt://127.0.0.1:1", c.account, c.authority
			})
			for end := time.Now().Add(patience); len(r.house.uplinkTrouble()) == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("no sentence for the host")
				}
			}
			if all := r.house.uplinkTrouble(); !strings.Contains(all[0].Fix.EN, c.want) || all[0].Fix.FR == "" || all[0].Grave {
				t.Errorf("%+v, want %q", all, c.want)
			}
			code, body := fetch(t, r, "/healthz")
			for end := time.Now().Add(patience); code != http.StatusOK && time.Now().Before(end); code, body = fetch(t, r, "/healthz") {
				time.Sleep(time.Millisecond) // the relay may not be connected yet
			}
			if code != http.StatusOK || !strings.Contains(body, `"uplink":false`) {
				t.Errorf("%d %s", code, body)
			}
			if o := r.seatOf(engine.Host).View.Offers; !slices.ContainsFunc(o, func(o engine.Offer) bool { return o.Act == "begin" }) {
				t.Error("the game cannot begin")
			}
		})
	}
}

// seatOf is what somebody is shown now.
func (r *rig) seatOf(v engine.Viewer) wire.Update {
	u, _ := r.house.loop.Snapshot(v)
	return u
}
