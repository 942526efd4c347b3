package home

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordome/companion/porttest"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// skipWithout skips a test whose program is missing; in CI the test fails.
func skipWithout(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip("SKIPPED, " + what)
}

// runMosquittoClient runs one of Mosquitto's clients to its end.
func (p *house) runMosquittoClient(name, user string, args ...string) (said string, err error) {
	p.t.Helper()
	bin := findProgram(p.t, name, "mosquitto-clients")
	host, port, _ := net.SplitHostPort(p.at)
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	out, err := exec.CommandContext(ctx, bin,
		append([]string{"-h", host, "-p", port, "-u", user, "-P", p.passwords[user]}, args...)...).CombinedOutput()
	return string(out), err
}

// TestMosquittoClients checks that Debian's mosquitto_pub and mosquitto_sub work with no other options than address, account,
// topic and message.
func TestMosquittoClients(t *testing.T) {
	for _, version := range []string{"311", "5"} {
		for qos := range 3 {
			t.Run(fmt.Sprintf("version %s, QoS %d", version, qos), func(t *testing.T) {
				t.Parallel()
				p := newHouse(t)
				p.addAccount("atelier", Custom, "atelier/# lampes/+")
				how := []string{"-V", version, "-q", fmt.Sprint(qos)}
				if out, err := p.runMosquittoClient("mosquitto_pub", "atelier",
					append(how, "-r", "-t", "atelier/a/b", "-m", "bonjour")...); err != nil {
					t.Fatal(err, out)
				}
				out, err := p.runMosquittoClient("mosquitto_sub", "atelier", append(how, "-t", "atelier/#", "-C", "1", "-v")...)
				if err != nil || out != "atelier/a/b bonjour\n" {
					t.Errorf("%v: %q", err, out)
				}
				out, err = p.runMosquittoClient("mosquitto_sub", "atelier", append(how, "-t", "#", "-C", "1")...)
				if !strings.Contains(out, "All subscription requests were denied") {
					t.Errorf("everything is granted: %v: %q", err, out)
				}
				if out, err = p.runMosquittoClient("mosquitto_pub", "atelier", append(how, "-t", "elsewhere", "-m", "x")...); err != nil {
					t.Errorf("a client that publishes elsewhere is cut: %v: %q", err, out)
				}
				want := []RefusedRequest{{RefusedRead, "#", 1}, {RefusedWrite, "elsewhere", 1}}
				// QoS 0 is not acknowledged: the client is gone before its message is read.
				eventually(t, fmt.Sprintf("the owner is not told %v", want), func() bool {
					return slices.Equal(p.register.ListAccounts()[0].Refused, want)
				})
			})
		}
	}
	t.Run("strangers", func(t *testing.T) {
		p := newHouse(t)
		p.addAccount("atelier", Custom, "atelier/#")
		p.passwords["atelier"] = "wrong"
		p.passwords["nobody"] = "wrong"
		for _, user := range []string{"atelier", "nobody"} {
			out, err := p.runMosquittoClient("mosquitto_pub", user, "-t", "atelier/a", "-m", "x")
			if err == nil || !strings.Contains(out, "not authorised") {
				t.Errorf("%s: %v: %s", user, err, out)
			}
		}
		if out, err := p.runMosquittoClient("mosquitto_pub", "atelier", "-V", "31", "-t", "atelier/a", "-m", "x"); err == nil ||
			!strings.Contains(out, "protocol version") {
			t.Errorf("MQTT 3.1: %v: %s", err, out)
		}
		if all := p.register.ListAccounts(); !slices.Equal(all[0].Refused, []RefusedRequest{{RefusedLogin, "", 1}}) {
			t.Errorf("the owner is shown %v", all[0].Refused)
		}
	})
}

// TestMosquittoBridge checks that another broker of the house can be joined to this one by Mosquitto's own bridge, set up only
// with address, account and topics.
func TestMosquittoBridge(t *testing.T) {
	p := newHouse(t)
	p.addAccount("pont", Custom, "majordome/# cmnd/#")
	there := porttest.FreeAddress(t)
	_, port, _ := net.SplitHostPort(there)
	conf := filepath.Join(t.TempDir(), "mosquitto.conf")
	text := "listener " + port + " 127.0.0.1\nallow_anonymous true\nlog_dest none\nconnection table\naddress " + p.at +
		"\nremote_username pont\nremote_password " + p.passwords["pont"] + "\ntopic majordome/# in 1\ntopic cmnd/# out 1\n"
	if os.Geteuid() == 0 {
		text = "user root\n" + text
	}
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(findProgram(t, "mosquitto", "mosquitto"), "-c", conf)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	d := p.connectDaemon()
	heard, _ := p.subscribeTo(d, 1, "cmnd/#")
	p.publishText(d, base+"/state", 1, true, "one")
	var house mqtt.Client
	eventually(t, "mosquitto does not listen", func() bool {
		house = mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + there))
		token := house.Connect()
		return token.WaitTimeout(patience) && token.Error() == nil
	})
	t.Cleanup(func() { house.Disconnect(0) })
	in, _ := p.subscribeTo(house, 1, "majordome/#")
	eventually(t, "the bridge does not bring what was retained", func() bool { return slices.Contains(in.received(), base+"/state one") })
	p.publishText(d, base+"/event/died", 1, false, "two")
	eventually(t, "the bridge brings no event", func() bool { return slices.Contains(in.received(), base+"/event/died two") })
	p.publishText(house, "cmnd/lamp/POWER", 1, false, "ON")
	eventually(t, "the bridge takes nothing back", func() bool { return slices.Contains(heard.received(), "cmnd/lamp/POWER ON") })
}

// TestPrograms checks each template of an account against the topics that the documentation of its program names.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		template, topic    string
		reads, writes      []string // granted
		noReads, noWrites  []string
		will               string
		keptWill           bool
		leaves, leavesNone []string
	}{
		{Tasmota, "salon", []string{"cmnd/salon/#", "cmnd/tasmotas/#", base + "/#", base + "/event/+"},
			[]string{"stat/salon/RESULT", "tele/salon/STATE", "cmnd/salon/POWER", "tasmota/discovery/AABB/config"},
			[]string{"cmnd/#", "cmnd/DVES_123456_fb/#", "#", "tele/salon/#"},
			[]string{"cmnd/cuisine/POWER", "homeassistant/status", base + "/state"},
			"tele/salon/LWT", true, []string{"tele/salon/LWT", "tasmota/discovery/AABB/config"}, []string{"cmnd/salon/POWER"}},
		{ESPHome, "bureau", []string{"bureau/light/lampe/command"}, []string{"bureau/debug", "homeassistant/light/bureau/lampe/config"},
			[]string{"salon/#", "+/light/#"}, []string{"homeassistant/light/salon/lampe/config"}, "bureau/status", true,
			[]string{"bureau/debug", "homeassistant/light/bureau/lampe/config"}, nil},
		{Zigbee2MQTT, "zigbee2mqtt", []string{"zigbee2mqtt/#", "homeassistant/status", "homeassistant/#"},
			[]string{"zigbee2mqtt/bridge/devices", "homeassistant/light/0x00/light/config"}, []string{"#"},
			append(discoveryTopics(base), "cmnd/lamp/POWER"),
			"zigbee2mqtt/bridge/state", true, []string{"zigbee2mqtt/bridge/devices"}, nil},
		{HomeAssistant, "", []string{"homeassistant/+/+/config", "homeassistant/device/+/config", "tasmota/discovery/#",
			"zigbee2mqtt/lampe", "bureau/light/lampe/state"},
			[]string{discoveryTopics(base)[0], "homeassistant/status", "cmnd/lamp/POWER", "bureau/light/lampe/command",
				"zigbee2mqtt/lampe/set"},
			[]string{"$SYS/#", "$share/a/#"}, []string{base + "/state", base + "/x/command", "elsewhere"}, "homeassistant/status", false,
			[]string{"homeassistant/device/x/config"}, []string{"cmnd/lamp/POWER"}},
		{NodeRED, "", []string{"#", base + "/event/#"}, []string{"cmnd/lamp/POWER", "node-red/x"}, []string{"$SYS/#"},
			append(discoveryTopics(base), base+"/availability"), "node-red/state", true,
			[]string{"node-red/x"}, nil},
		{ESPHome, "homeassistant", []string{"homeassistant/status"}, []string{"homeassistant/debug"}, nil, discoveryTopics(base),
			"homeassistant/status", true, nil, nil},
		{Custom, "homeassistant/# tasmota/#", []string{"homeassistant/#"}, []string{"homeassistant/device/x/config"}, nil,
			discoveryTopics(base), "", false, nil, nil},
		{Observer, "", []string{"#", "+/+"}, nil, []string{"$SYS/#"}, []string{"cmnd/lamp/POWER", base + "/state"}, "", false, nil, nil},
	} {
		t.Run(c.template, func(t *testing.T) {
			t.Parallel()
			p := newHouse(t)
			p.addAccount("x", c.template, c.topic)
			client := p.connectPaho("x", func(o *mqtt.ClientOptions) {
				if c.will != "" {
					o.SetWill(c.will, "offline", 1, c.keptWill)
				}
			})
			_, codes := p.subscribeTo(client, 0, slices.Concat(c.reads, c.noReads)...)
			for _, f := range c.reads {
				if codes[f] != 0 {
					t.Errorf("%s is not granted", f)
				}
			}
			for _, f := range c.noReads {
				if codes[f] != 0x80 {
					t.Errorf("%s is granted", f)
				}
			}
			d := p.connectDaemon()
			told, _ := p.subscribeTo(d, 0, "#")
			for _, topic := range slices.Concat(c.writes, c.noWrites) {
				p.publishText(client, topic, 1, true, "x")
			}
			p.publishText(d, "end", 1, false, "")
			eventually(t, "the last message does not arrive", func() bool { return slices.Contains(told.received(), "end ") })
			for _, topic := range c.writes {
				if !slices.Contains(told.received(), topic+" x") {
					t.Errorf("%s is not received", topic)
				}
			}
			for _, topic := range c.noWrites {
				if slices.Contains(told.received(), topic+" x") {
					t.Errorf("%s is received", topic)
				}
			}
			for _, topic := range c.leaves {
				p.publishText(client, topic, 1, true, "kept")
			}
			for _, topic := range c.leavesNone {
				p.publishText(client, topic, 1, true, "kept")
			}
			late, _ := p.subscribeTo(p.connectObserver(), 0, "#")
			eventually(t, "the retained message does not arrive", func() bool {
				return !slices.ContainsFunc(c.leaves, func(topic string) bool { return !slices.Contains(late.received(), topic+" kept") })
			})
			for _, topic := range c.leavesNone {
				if slices.Contains(late.received(), topic+" kept") {
					t.Errorf("%s is kept", topic)
				}
			}
		})
	}
}

// connectObserver connects a client that may read all topics.
func (p *house) connectObserver() mqtt.Client {
	p.t.Helper()
	if p.passwords["look"] == "" {
		p.addAccount("look", Observer, "")
	}
	return p.connectPaho("look", nil)
}

// TestWillOfALampIsPublished checks that the will of a lamp that dies is published and retained, and that no client may
// leave a will on a topic of another.
func TestWillOfALampIsPublished(t *testing.T) {
	p := newHouse(t)
	p.addAccount("lampe", Tasmota, "salon")
	heard, _ := p.subscribeTo(p.connectDaemon(), 1, "#")
	var conn net.Conn
	p.connectPaho("lampe", func(o *mqtt.ClientOptions) {
		o.SetWill("tele/salon/LWT", "Offline", 1, true).SetAutoReconnect(false).
			SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) {
				var err error
				conn, err = net.Dial("tcp", p.at)
				return conn, err
			})
	})
	_ = conn.Close()
	eventually(t, "nobody says that the lamp is gone", func() bool { return slices.Contains(heard.received(), "tele/salon/LWT Offline") })
	late, _ := p.subscribeTo(p.connectObserver(), 1, "#")
	eventually(t, "the last word is not kept", func() bool { return slices.Contains(late.received(), "tele/salon/LWT Offline") })
	if out, err := p.runMosquittoClient("mosquitto_pub", "lampe", "-t", "tele/salon/x", "-m", "x", "--will-topic", "tele/cuisine/LWT",
		"--will-payload", "x"); err == nil || !strings.Contains(out, "not authorised") {
		t.Errorf("somebody else's last word: %v: %s", err, out)
	}
	if out, err := p.runMosquittoClient("mosquitto_pub", "lampe", "-V", "5", "-t", "tele/salon/x", "-m", "x", "--will-topic",
		"tele/cuisine/LWT", "--will-payload", "x"); err == nil {
		t.Errorf("somebody else's last word by MQTT 5: %s", out)
	}
}

// TestWillFollowsTheRightsOfItsMoment checks that the rights at the moment of publication decide on a will.
func TestWillFollowsTheRightsOfItsMoment(t *testing.T) {
	p := newHouse(t)
	p.addAccount("lampe", Tasmota, "salon")
	d := p.connectDaemon()
	heard, _ := p.subscribeTo(d, 1, "#")
	p.connectPaho("lampe", func(o *mqtt.ClientOptions) { o.SetWill("tele/salon/LWT", "Offline", 1, true).SetAutoReconnect(false) })
	if ok, err := p.register.RemoveAccount("lampe"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	eventually(t, "the lamp is still connected", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.conns["lampe"]) == 0 })
	p.publishText(d, "end", 1, false, "")
	eventually(t, "the last message does not arrive", func() bool { return slices.Contains(heard.received(), "end ") })
	if all := heard.received(); len(all) != 1 {
		t.Errorf("heard: %q", all)
	}
}
