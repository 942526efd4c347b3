package uplink

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/companion/wire"
	"majordome/engine"
)

// keys are the keys that Home Assistant documents: all required ones must be there, and no key that is in neither list. Home
// Assistant refuses a device with an unknown root key, and silently drops an unknown option.
//
// Source: https://www.home-assistant.io/integrations/mqtt (device discovery payload, entity options), and the pages of the
// platforms sensor.mqtt, binary_sensor.mqtt, button.mqtt, notify.mqtt, event.mqtt and device_trigger.mqtt, as of 2026.
type keys struct{ required, optional string }

const (
	sharedKeys = "availability availability_mode availability_template availability_topic payload_available payload_not_available qos " +
		"encoding"
	entityKeys = " device_class enabled_by_default entity_category entity_picture icon json_attributes_topic json_attributes_template " +
		"default_entity_id name expire_after " + sharedKeys
)

var documented = map[string]keys{
	"": {"device origin components", sharedKeys + " state_topic command_topic"},
	"device": {"identifiers",
		"connections name manufacturer model model_id hw_version sw_version serial_number suggested_area via_device configuration_url"},
	"origin":       {"name", "sw_version support_url"},
	"availability": {"topic", "payload_available payload_not_available value_template"},
	"sensor": {"platform unique_id state_topic", "value_template state_class unit_of_measurement options " +
		"suggested_display_precision force_update last_reset_value_template" + entityKeys},
	"binary_sensor": {"platform unique_id state_topic", "value_template payload_on payload_off off_delay force_update" + entityKeys},
	"event": {"platform unique_id state_topic event_types",
		"value_template" + strings.ReplaceAll(entityKeys, " expire_after", "")},
	"button": {"platform unique_id command_topic",
		"command_template payload_press retain" + strings.ReplaceAll(entityKeys, " expire_after", "")},
	"notify": {"platform unique_id command_topic",
		"command_template retain" + strings.ReplaceAll(entityKeys, " device_class", "")},
	"device_automation": {"platform automation_type type subtype topic", "payload value_template qos"},
}

func (k keys) check(t *testing.T, where string, got map[string]any) {
	t.Helper()
	required, all := strings.Fields(k.required), strings.Fields(k.required+" "+k.optional)
	for _, r := range required {
		if got[r] == nil {
			t.Errorf("%s has no %s", where, r)
		}
	}
	for key := range got {
		if !slices.Contains(all, key) {
			t.Errorf("%s has %s, which nobody knows", where, key)
		}
	}
}

func newTestTree(t *testing.T) wire.Tree {
	t.Helper()
	tree, err := wire.NewTree("", "home", "salon-2")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// checkDevice checks one discovery message and returns the keys of its components.
func checkDevice(t *testing.T, d, again device) (keys []string) {
	t.Helper()
	id := regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(again); !bytes.Equal(body, again) {
		t.Error("the bytes are others each time")
	}
	if len(body) > 20<<10 {
		t.Errorf("%d bytes", len(body))
	}
	t.Logf("%d bytes, %d components", len(body), len(d.Components))
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	documented[""].check(t, "the root", got)
	documented["device"].check(t, "device", got["device"].(map[string]any))
	documented["origin"].check(t, "origin", got["origin"].(map[string]any))
	for _, a := range got["availability"].([]any) {
		documented["availability"].check(t, "availability", a.(map[string]any))
	}
	ids, names, triggers := map[any]bool{}, map[any]bool{}, map[any]bool{}
	for key, c := range got["components"].(map[string]any) {
		keys = append(keys, key)
		c := c.(map[string]any)
		platform, _ := c["platform"].(string)
		k, known := documented[platform]
		if !known || !id.MatchString(key) {
			t.Errorf("%s: a platform %q", key, platform)
		}
		k.check(t, key, c)
		if platform == "device_automation" {
			if triggers[c["type"]] || c["automation_type"] != "trigger" {
				t.Errorf("%s: %v", key, c)
			}
			triggers[c["type"]] = true
			continue
		}
		if entity, _ := c["default_entity_id"].(string); ids[c["unique_id"]] || names[c["name"]] ||
			!strings.HasPrefix(entity, platform+".majordome_home_salon_2_") || entity != strings.ToLower(entity) {
			t.Errorf("%s: %v", key, c)
		}
		if strings.Contains(c["name"].(string), "Majordome") { // Home Assistant puts the name of the device before it
			t.Errorf("%s: its name is %v", key, c["name"])
		}
		ids[c["unique_id"]], names[c["name"]] = true, true
		template, _ := c["value_template"].(string)
		if commanded, is := c["command_template"].(string); is {
			template = commanded
		}
		if strings.Count(template, "{{") != 1 || strings.Count(template, "(") != strings.Count(template, ")") {
			t.Errorf("%s: %s", key, template)
		}
	}
	return keys
}

// TestDiscovery checks that the discovery messages match the documentation of Home Assistant, and that they are small enough
// for a small broker.
func TestDiscovery(t *testing.T) {
	tree, readers := newTestTree(t), map[string]string{"urn": "ok", "show": "lost", "place-3": "ok"}
	for _, language := range []string{"fr", "en"} {
		phases, err := phaseNameMapping(language)
		if err != nil {
			t.Fatal(err)
		}
		d, controls := buildDevice(tree, "1.2", language, phases, readers), buildControls(tree, "1.2", language)
		keys := append(checkDevice(t, d, buildDevice(tree, "1.2", language, phases, maps.Clone(readers))),
			checkDevice(t, controls, buildControls(tree, "1.2", language))...)
		for _, key := range []string{
			"phase", "round", "turn", "accusation", "paused", "reader_urn", "reader_place_3", "seat_1", "seat_10", "moment", "on_accused",
			"do_pause", "do_resume", "do_alarm", "do_white", "do_next", "do_hint", "answer",
		} {
			if !slices.Contains(keys, key) {
				t.Errorf("there is no %s", key)
			}
		}
		if slices.Sort(keys); len(slices.Compact(keys)) != len(d.Components)+len(controls.Components) ||
			!reflect.DeepEqual(d.Device, controls.Device) {
			t.Error("two entities of one device are the same, or they are two devices")
		}
	}
	phases, _ := phaseNameMapping("fr")
	if d := buildDevice(tree, "1.2", "fr", phases, readers).Components; d["reader_urn"].Name != "Lecteur de l’urne" ||
		d["reader_show"].Name != "Lecteur de la table" || d["reader_place_3"].Name != "Lecteur place-3" {
		t.Errorf("the readers are called %q, %q and %q", d["reader_urn"].Name, d["reader_show"].Name, d["reader_place_3"].Name)
	} else if phase := d["phase"].ValueTemplate; !strings.Contains(phase, "'turn': 'Enquête'") ||
		!strings.Contains(phase, "'reveal': 'Ouverture de l’urne'") || strings.Count(phase, "'")%2 != 0 {
		t.Errorf("the phases are %s", phase)
	} else if d["paused"].DeviceClass != "" {
		t.Errorf("a pause is a %s: it would be shown as OK or as trouble", d["paused"].DeviceClass)
	}
	for _, topic := range []string{hassConfigTopic(tree), hassControlsTopic(tree)} {
		if levels := strings.Split(topic, "/"); len(levels) != 4 || !regexp.MustCompile(`^[a-zA-Z0-9_-]+$`).MatchString(levels[2]) {
			t.Errorf("a topic that Home Assistant drops: %s", topic)
		}
	}
	if fr, en := buildDevice(tree, "", "fr", "{}", nil),
		buildDevice(tree, "", "en", "{}", nil); fr.Components["turn"].Name == en.Components["turn"].Name ||
		fr.Components["turn"].UniqueID != en.Components["turn"].UniqueID {
		t.Error("names are of a language, ids are not")
	}
}

// TestHomeAssistantCommands checks that each control sends a valid command, with another id at each press.
func TestHomeAssistantCommands(t *testing.T) {
	tree, n := newTestTree(t), 0
	for key, c := range buildControls(tree, "1.2", "en").Components {
		if c.CommandTopic == "" {
			continue
		}
		template := c.CommandTemplate
		if key == "do_hint" { // as Jinja fills it
			template = strings.NewReplacer("{{ {", "{", "} | tojson }}", "}", "'ha-' ~ now().timestamp()", `"ha-1.5"`, "value", `"Là"`, "'",
				`"`).Replace(template)
		}
		body := strings.ReplaceAll(template, "{{ now().timestamp() }}", "1764183000.123456")
		name, ours := strings.CutPrefix(c.CommandTopic, tree.Base()+"/command/")
		if !ours || findCommand(name, false) == nil {
			t.Errorf("%s: %s", key, c.CommandTopic)
			continue
		}
		s := findCommand(name, false).parsePayload([]byte(body))
		if s.invalid != "" || s.by != "home-assistant" || !strings.HasPrefix(s.id, "ha-1") || s.act == "" {
			t.Errorf("%s: %s: %+v", key, body, s)
		}
		n++
	}
	if n != 9 {
		t.Errorf("%d controls", n)
	}
}

// TestMomentsAreThoseOfTheEngine checks that the list of moments equals the list of the engine.
func TestMomentsAreThoseOfTheEngine(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../engine/happening.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "Hap") && len(v.Values) == 1 {
			if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, _ := strconv.Unquote(lit.Value)
				want = append(want, s)
			}
		}
		return true
	})
	got := slices.Clone(moments)
	slices.Sort(got)
	if slices.Sort(want); len(want) < 40 || !slices.Equal(got, want) {
		t.Errorf("told are %v, the engine has %v", got, want)
	}
}

// connectHass connects a client as Home Assistant.
func (h *house) connectHass(t *testing.T) mqtt.Client {
	t.Helper()
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + h.at).SetClientID("hass").SetUsername("lamp").
		SetPassword("word of the lamp"))
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(10) })
	return c
}

// TestAReaderThatIsGoneIsForgotten checks that a reader that is gone is announced with only its platform: Home Assistant keeps
// an entity that is merely left out.
func TestAReaderThatIsGoneIsForgotten(t *testing.T) {
	h := newHouse(t)
	h.start()
	v := playRandomGame(t, "huis-clos", 1, 20)[19]
	table := func() *Uplink {
		t.Helper()
		u, err := New(&Opts{URL: "mqtt://" + h.at, User: "table", Password: "word of the table", Tree: h.tree, Version: "1.2",
			Language: "fr", Timeout: patience})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(u.Close)
		return u
	}
	readers := func(of map[string]string) *wire.Update {
		return &wire.Update{View: v, Table: wire.TableView{Readers: of}}
	}
	var mu sync.Mutex
	told := map[string]component{}
	c := h.connectHass(t)
	c.Subscribe(hassConfigTopic(h.tree), 1, func(_ mqtt.Client, m mqtt.Message) {
		mu.Lock()
		defer mu.Unlock()
		d := device{}
		if err := json.Unmarshal(m.Payload(), &d); err != nil {
			t.Error(err)
		}
		told = d.Components
	}).WaitTimeout(patience)
	is := func(what, key string, ok func(component) bool) {
		t.Helper()
		eventually(t, what, func() bool { mu.Lock(); defer mu.Unlock(); return ok(told[key]) })
	}
	there := func(c component) bool { return c.UniqueID != "" }
	forgotten := func(c component) bool { return reflect.DeepEqual(c, component{Platform: "binary_sensor"}) }

	u := table()
	u.Publish(readers(map[string]string{"urn": "ok", "show": "ok"}))
	is("the reader is not there", "reader_show", there)
	u.Publish(readers(map[string]string{"urn": "ok"}))
	is("a reader that went is not forgotten", "reader_show", forgotten)
	u.Publish(readers(map[string]string{"urn": "ok", "show": "ok", "place-3": "ok"}))
	is("a reader that came back is not there", "reader_show", there)
	u.Close()
	u = table() // without these readers
	u.Publish(readers(map[string]string{"urn": "ok"}))
	is("a reader of an earlier start is not forgotten", "reader_show", forgotten)
	is("a reader of an earlier start is not forgotten", "reader_place_3", forgotten)
	is("a reader is not there", "reader_urn", there)
}

// TestForgetIsBounded checks that a retained description is used with bounds, because any client may have written it.
func TestForgetIsBounded(t *testing.T) {
	tree := newTestTree(t)
	d := buildDevice(tree, "1.2", "fr", "{}", nil)
	before := len(d.Components)
	for _, body := range []string{
		"", "x", "[]", `{"components":3}`, `{"components":{"x":{},"Reader_x":{},"reader_":{},"reader_x y":{},"phase":{}}}`,
	} {
		if d.addRetiredReaders([]byte(body)) || len(d.Components) != before {
			t.Errorf("%s: %d components", body, len(d.Components))
		}
	}
	var many []string
	for n := range 300 {
		many = append(many, `"reader_`+strconv.Itoa(n)+`":{}`)
	}
	if !d.addRetiredReaders([]byte(`{"components":{`+strings.Join(many, ",")+`}}`)) || len(d.Components) != maxComponents {
		t.Errorf("%d components", len(d.Components))
	}
}

// TestHomeAssistantComesAndGoes checks that a table describes itself when it connects, again when Home Assistant starts, and no
// more when the device was deleted there.
func TestHomeAssistantComesAndGoes(t *testing.T) {
	h := newHouse(t)
	h.start()
	u, err := New(&Opts{URL: "mqtt://" + h.at, User: "table", Password: "word of the table", Tree: h.tree, Version: "1.2", Language: "fr",
		HandleCommand: new(fakeTable).executeCommand, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	u.hassDelay = func() time.Duration { return 0 }
	v := playRandomGame(t, "huis-clos", 1, 20)[19]
	u.Publish(&wire.Update{View: v, Table: wire.TableView{Readers: map[string]string{"urn": "ok"}, Online: []engine.Seat{1}}})

	var mu sync.Mutex
	heard := map[string]int{}
	last := map[string]string{}
	c := h.connectHass(t)
	c.Subscribe("#", 1, func(_ mqtt.Client, m mqtt.Message) {
		mu.Lock()
		defer mu.Unlock()
		heard[m.Topic()]++
		last[m.Topic()] = string(m.Payload())
	}).WaitTimeout(patience)
	times := func(topic string) (int, string) { mu.Lock(); defer mu.Unlock(); return heard[topic], last[topic] }
	config, controls := hassConfigTopic(h.tree), hassControlsTopic(h.tree)
	eventually(t, "the table cannot be commanded", func() bool { n, _ := times(controls); return n >= 1 })
	eventually(t, "the table is not described",
		func() bool { n, _ := times(config); s, _ := times(h.tree.StateTopic()); return n >= 1 && s >= 1 })
	before, described := times(config)
	if !strings.Contains(described, `"reader_urn"`) || !strings.Contains(described, "Au tour de") {
		t.Errorf("described as %s", described)
	}
	states, _ := times(h.tree.StateTopic())
	c.Publish(hassStatusTopic, 0, false, "online").WaitTimeout(patience)
	eventually(t, "the state is not published again for a new subscriber", func() bool {
		n, same := times(config)
		s, _ := times(h.tree.StateTopic())
		return n > before && s > states && same == described
	})
	c.Publish(config, 1, true, "").WaitTimeout(patience)
	eventually(t, "the device is not gone", func() bool {
		_, now := times(config)
		_, more := times(controls)
		return now == "" && more == ""
	})
	comes := func() {
		n, _ := times(h.tree.StateTopic())
		c.Publish(hassStatusTopic, 0, false, "online").WaitTimeout(patience)
		eventually(t, "the state is not published again", func() bool { s, _ := times(h.tree.StateTopic()); return s > n })
	}
	// The table has then received the deletion, which came before.
	comes()
	u.Publish(&wire.Update{View: v, Table: wire.TableView{Readers: map[string]string{"urn": "ok", "show": "ok"}}}) // another description
	comes()
	u.Close() // everything that was published has been sent
	eventually(t, "nobody says goodbye", func() bool { _, now := times(h.tree.AvailabilityTopic()); return now == "offline" })
	for _, topic := range []string{config, controls} {
		if _, now := times(topic); now != "" {
			t.Errorf("a device that was deleted is back: %s", topic)
		}
	}
}

// TestDiscoveryIsTakenBack checks that the discovery messages of an earlier start are cleared when the setting is gone, and
// that nothing is sent where there are none.
func TestDiscoveryIsTakenBack(t *testing.T) {
	h := newHouse(t)
	h.start()
	var mu sync.Mutex
	last, emptied := map[string]string{}, 0
	c := h.connectHass(t)
	c.Subscribe("#", 1, func(_ mqtt.Client, m mqtt.Message) {
		mu.Lock()
		defer mu.Unlock()
		if last[m.Topic()] = string(m.Payload()); strings.HasPrefix(m.Topic(), hassPrefix) && len(m.Payload()) == 0 {
			emptied++
		}
	}).WaitTimeout(patience)
	is := func(topic string) string { mu.Lock(); defer mu.Unlock(); return last[topic] }
	start := func(o Opts) {
		t.Helper()
		o.URL, o.User, o.Password, o.Tree, o.Timeout = "mqtt://"+h.at, "table", "word of the table", h.tree, patience
		u, err := New(&o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(u.Close)
		u.Publish(&wire.Update{View: playRandomGame(t, "huis-clos", 1, 20)[19]})
		eventually(t, "there is no table", func() bool {
			return is(h.tree.AvailabilityTopic()) == "online" && is(h.tree.StateTopic()) != ""
		})
		if o.Language != "" {
			eventually(t, "Home Assistant gets no discovery", func() bool {
				return is(hassConfigTopic(h.tree)) != "" && is(hassControlsTopic(h.tree)) != ""
			})
		} else {
			eventually(t, "what was published is not withdrawn", func() bool {
				return is(hassConfigTopic(h.tree)) == "" && is(hassControlsTopic(h.tree)) == ""
			})
		}
		u.Close()
		eventually(t, "nobody says goodbye", func() bool { return is(h.tree.AvailabilityTopic()) == "offline" })
	}
	start(Opts{Language: "fr", HandleCommand: new(fakeTable).executeCommand})
	start(Opts{})
	start(Opts{})
	start(Opts{Language: "en", HandleCommand: new(fakeTable).executeCommand})
	if emptied != 2 {
		t.Errorf("the two are emptied %d times", emptied)
	}
}
