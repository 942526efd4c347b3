package uplink

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/goccy/go-yaml"

	"majordome/companion/home"
	"majordome/companion/wire"
	"majordome/engine"
)

// runNodeRED runs a flow of examples in the real program against the broker at an address, until the test ends.
func runNodeRED(t *testing.T, flow, at, user, password string) {
	t.Helper()
	red := os.Getenv("NODE_RED") // red.js
	if path, err := exec.LookPath("node-red"); red == "" && err == nil {
		red, _ = filepath.EvalSymlinks(path)
	}
	if red == "" {
		t.Skip("SKIPPED, node-red is not installed: npm install node-red@4.1.15, and NODE_RED=.../node_modules/node-red/red.js")
	}
	text, err := os.ReadFile("examples/" + flow)
	if err != nil {
		t.Fatal(err)
	}
	var nodes []map[string]any
	if err := json.Unmarshal(text, &nodes); err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(at)
	credentials := map[string]any{}
	for _, n := range nodes { // as a person fills it in
		if n["type"] == "mqtt-broker" {
			n["broker"], n["port"] = host, port
			credentials[n["id"].(string)] = map[string]string{"user": user, "password": password}
		}
	}
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, ui, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	write := func(name string, what any) {
		t.Helper()
		body, is := what.(string)
		if !is {
			b, err := json.Marshal(what)
			if err != nil {
				t.Fatal(err)
			}
			body = string(b)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("flows.json", nodes)
	write("flows_cred.json", credentials)
	write("settings.js",
		`module.exports = { flowFile: "flows.json", uiHost: "127.0.0.1", uiPort: `+ui+`, disableEditor: true, credentialSecret: false,
		telemetry: { enabled: false }, externalModules: { autoInstall: false }, logging: { console: { level: "info" } } }`)
	var said programOutput
	cmd := exec.Command("node", "--max-old-space-size=128", red, "-u", dir, "-s", filepath.Join(dir, "settings.js"))
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Skip("SKIPPED, there is no node: ", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	eventually(t, "Node-RED does not connect", func() bool { return strings.Contains(said.String(), "Connected to broker") })
}

// programOutput collects the output of a program.
type programOutput struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *programOutput) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}
func (s *programOutput) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.text.String() }

// connectClient connects a client; heard reports whether it has received a payload on a topic.
func connectClient(t *testing.T, at, user, password, filter string) (c mqtt.Client, heard func(topic, payload string) bool) {
	t.Helper()
	var mu sync.Mutex
	all := map[string][]string{}
	c = mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + at).SetUsername(user).SetPassword(password))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(10) })
	c.Subscribe(filter, 1, func(_ mqtt.Client, m mqtt.Message) {
		mu.Lock()
		defer mu.Unlock()
		all[m.Topic()] = append(all[m.Topic()], string(m.Payload()))
	}).WaitTimeout(patience)
	return c, func(topic, payload string) bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Contains(all[topic], payload)
	}
}

// memory is a home.Keeper in memory.
type memory struct{ sync.Map }

func (m *memory) Setting(name string) (string, bool, error) {
	v, ok := m.Load(name)
	text, _ := v.(string)
	return text, ok, nil
}
func (m *memory) SetSetting(name, value string) error { m.Store(name, value); return nil }

// TestNodeRED runs the example flow and checks that the lamp goes out at a crime, and that the button pauses and resumes the
// game.
func TestNodeRED(t *testing.T) {
	tree, err := wire.NewTree("", "house", "table")
	if err != nil {
		t.Fatal(err)
	}
	r, err := home.NewRegister(&memory{}, tree.Base(), nil)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for name, kind := range map[string]string{"flows": home.NodeRED, "lamp": home.Tasmota, "door": home.Tasmota} {
		topic := name
		if kind == home.NodeRED {
			topic = ""
		}
		if words[name], err = r.AddOrRenewAccount(name, kind, topic); err != nil {
			t.Fatal(err)
		}
	}
	b, err := home.New(r, &home.Opts{Folder: filepath.Join(t.TempDir(), "mosquitto"), Commands: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = b.ServeTCP(l) }()
	at := l.Addr().String()
	table := &fakeTable{}
	u, err := New(&Opts{Dial: b.Dial, User: home.OwnAccount, Password: b.OwnAccountPassword(), Tree: tree, Version: "1",
		HandleCommand: table.executeCommand, NamesSenders: true, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	view := engine.View{Game: "huis-clos"}
	step := func(paused bool, happened string) {
		if happened != "" {
			view.Happened = append(slices.Clone(view.Happened), &engine.Happening{N: len(view.Happened) + 1, What: happened})
		}
		update := wire.Update{View: view}
		if paused {
			m := engine.NewMsg("table.paused.house")
			update.Paused = &m
		}
		u.Publish(&update)
	}
	step(false, "")
	runNodeRED(t, "node-red.json", at, "flows", words["flows"])
	_, lamp := connectClient(t, at, "lamp", words["lamp"], "cmnd/lamp/#")
	door, _ := connectClient(t, at, "door", words["door"], "cmnd/door/#")
	// The flow connects before it subscribes, and an event is sent only once: repeat it until the flow receives it.
	for n := 0; !lamp("cmnd/lamp/POWER", "OFF"); n++ {
		if n == 600 {
			t.Fatal("the lamp stays on")
		}
		step(false, engine.HapCrime)
		time.Sleep(100 * time.Millisecond)
	}
	step(false, engine.HapRound)
	eventually(t, "the lamp stays out", func() bool { return lamp("cmnd/lamp/POWER", "ON") })
	press := func(want string) {
		t.Helper()
		door.Publish("stat/door/BUTTON1", 1, false, `{"Action":"SINGLE"}`).WaitTimeout(patience)
		eventually(t, "the table is not asked: "+want, func() bool { return slices.Contains(table.listAsked(), want) })
	}
	press("flows pause")
	step(true, "")
	for !slices.Contains(table.listAsked(), "flows resume") { // the state may come after the press
		n := len(table.listAsked())
		door.Publish("stat/door/BUTTON1", 1, false, `{"Action":"SINGLE"}`).WaitTimeout(patience)
		eventually(t, "no press arrives", func() bool { return len(table.listAsked()) > n })
	}
	t.Logf("asked: %v", table.listAsked())
}

// TestXcape runs the flow that makes a table a prop of a Room, and checks what it sends on its outbox and how it answers the
// words in its inbox.
func TestXcape(t *testing.T) {
	h := newHouse(t)
	tree, err := wire.NewTree("", "house", "table")
	if err != nil {
		t.Fatal(err)
	}
	h.tree = tree
	h.start()
	table := &fakeTable{}
	u, err := New(&Opts{URL: "mqtt://" + h.at, User: "table", Password: "word of the table", Tree: tree, Version: "1",
		HandleCommand: table.executeCommand, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	view := engine.View{Game: "huis-clos", Phase: "move", Active: []engine.Seat{1},
		Seats: []engine.SeatView{{Seat: 1, Name: "Mademoiselle Rose"}}}
	u.Publish(&wire.Update{View: view})
	const prop = "Room/Manoir/Props/Majordome/"
	c, outbox := connectClient(t, h.at, "lamp", "word of the lamp", prop+"outbox")
	runNodeRED(t, "xcape.json", h.at, "lamp", "word of the lamp")
	says := func(what string) {
		t.Helper()
		eventually(t, "the example does not publish "+what, func() bool { return outbox(prop+"outbox", what) })
	}
	hears := func(what, answer string) {
		t.Helper()
		c.Publish(prop+"inbox", 1, false, what).WaitTimeout(patience)
		says(answer)
	}
	says("CONNECTED")
	says("DATA game=huis-clos phase=move at=0 turn=Mademoiselle_Rose paused=0 left=-")
	hears("@PING", "PONG")
	for _, word := range []string{"pause:on", "pause:off", "alarm", "light:dark", "time:+60", "hint:Sous le tapis: là", "next"} {
		hears(word, "DONE "+word)
	}
	hears("dance", "OMIT dance")
	table.mu.Lock()
	table.refusal = &engine.Reject{Why: engine.NewMsg("table.order.idle")}
	table.mu.Unlock()
	hears("pause:on ", "OMIT pause:on")
	view.Result = &engine.Result{}
	u.Publish(&wire.Update{View: view})
	says("OVER huis-clos")
	got, want := table.listAsked()[:7], []string{"room pause", "room resume", "room alarm", "room light map[to:dark]",
		"room countdown-add map[bonus:yes seconds:60]", "room hint map[text:Sous le tapis: là to:all]", "room skip-scene"}
	if !slices.Equal(got, want) {
		t.Errorf("the table was asked %q", got)
	}
}

// TestExamplesNameWhatThereIs checks that the topics and entities in the examples exist.
func TestExamplesNameWhatThereIs(t *testing.T) {
	tree, err := wire.NewTree("", "house", "table")
	if err != nil {
		t.Fatal(err)
	}
	entities := map[string]bool{}
	for _, d := range []device{buildDevice(tree, "", "en", "{}", nil), buildControls(tree, "", "en")} {
		for _, c := range d.Components {
			entities[c.DefaultEntityID] = true
		}
	}
	named, topics := regexp.MustCompile(`[a-z_]+\.majordome_[a-z_]+`),
		regexp.MustCompile(regexp.QuoteMeta(tree.Base())+`/([a-z]+)(/[a-z]+)?`)
	n := 0
	for _, file := range []string{"node-red.json", "xcape.json", "home-assistant.yaml", "xcape.md"} {
		text, err := os.ReadFile("examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range named.FindAllString(string(text), -1) {
			if n++; !entities[e] {
				t.Errorf("%s: there is no %s", file, e)
			}
		}
		for _, m := range topics.FindAllStringSubmatch(string(text), -1) {
			n++
			below := strings.TrimPrefix(m[2], "/")
			switch m[1] {
			case "state", "answer":
			case "event":
				if below != "" && !slices.Contains(moments, below) {
					t.Errorf("%s: nothing happens that is called %s", file, below)
				}
			case "command":
				if below != "" && findCommand(below, false) == nil {
					t.Errorf("%s: there is no command %s", file, below)
				}
			default:
				t.Errorf("%s: %s", file, m[0])
			}
		}
	}
	if n < 14 {
		t.Error(fmt.Sprint("only ", n, " are named"))
	}
}

// TestExamplesRepeatNothingAfterARestart checks that the automations ignore changes from unavailable: when the table restarts, an event
// entity of Home Assistant goes from unavailable to its old value, which is a change of its state.
func TestExamplesRepeatNothingAfterARestart(t *testing.T) {
	text, err := os.ReadFile("examples/home-assistant.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Alias    string
		Triggers []struct {
			EntityID string `yaml:"entity_id"`
			NotFrom  string `yaml:"not_from"`
		}
	}
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, a := range all {
		for _, trigger := range a.Triggers {
			if !strings.HasPrefix(trigger.EntityID, "event.") {
				continue
			}
			if n++; trigger.NotFrom != "unavailable" {
				t.Errorf("%s: it is published again at each start", a.Alias)
			}
		}
	}
	if n == 0 {
		t.Error("no automation hears an event")
	}
}
