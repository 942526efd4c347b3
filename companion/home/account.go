package home

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"majordome/companion/mosquitto"
)

// Limits are what one account may take. Rates are of each connection: what comes faster is read later.
type Limits struct {
	Messages, MessageBurst float64 // a second, and at once
	Bytes, ByteBurst       float64
	Conns                  int // at once
	Sessions               int // kept while away
	Retained               int // topics
	RetainedBytes          int
	Packet                 int // bytes
}

var (
	// small are those of one device, large of a program that speaks for many, watching of one that only looks.
	small    = Limits{20, 200, 32 << 10, 256 << 10, 2, 2, 50, 64 << 10, 64 << 10}
	large    = Limits{50, 500, 64 << 10, 2 << 20, 2, 4, 2000, 2 << 20, 1 << 20}
	watching = Limits{20, 200, 32 << 10, 256 << 10, 4, 1, 0, 0, 64 << 10}
)

// Rights are the filters of an account.
type Rights struct {
	Read, Write, Retain []string
	Commands            bool // may command the table, where that is allowed at all
	Describes           bool // may write what tells Home Assistant of this table: whoever deletes it there empties that
	// quiet begins what is refused without a word: asked by every such device, and of no use.
	quiet string
	Limits
}

// Template is a kind of program, and what it asks for as it comes: package uplink for another table, and by Tasmota's my_user_config.h, ESPHome's mqtt
// component, zigbee2mqtt's settings.schema.json and Home Assistant's mqtt integration.
type Template struct {
	ID string
	// Topic is what the account's own topic usually is; "": such an account has none.
	Topic  string
	Limits Limits
	rights func(topic, site string) Rights // site stands before the bases of all tables
}

// The templates, in the order in which a page offers them.
const (
	Tasmota       = "tasmota"
	ESPHome       = "esphome"
	Zigbee2MQTT   = "zigbee2mqtt"
	HomeAssistant = "home-assistant"
	NodeRED       = "node-red"
	Table         = "table"
	Look          = "look"
	Free          = "free"
)

// commands are where programs command devices.
func commands(more ...string) []string {
	return append([]string{"cmnd/#", "zigbee2mqtt/#", "+/+/+/command", "homeassistant/#"}, more...)
}

var templates = []Template{
	{Tasmota, "lampe", small, func(x, _ string) Rights {
		return Rights{Read: []string{"cmnd/" + x + "/#", "cmnd/tasmotas/#"},
			Write:  []string{"stat/" + x + "/#", "tele/" + x + "/#", "cmnd/" + x + "/POWER", "tasmota/discovery/#"},
			Retain: []string{"stat/" + x + "/#", "tele/" + x + "/#", "tasmota/discovery/#"},
			quiet:  "cmnd/DVES_"} // its name by its MAC address: nobody calls it so
	}},
	{ESPHome, "lampe", small, func(x, _ string) Rights {
		own := []string{x + "/#", "homeassistant/+/" + x + "/+/config", "esphome/discover/" + x}
		return Rights{Read: own, Write: own, Retain: own}
	}},
	{Zigbee2MQTT, "zigbee2mqtt", large, func(x, _ string) Rights {
		own := []string{x + "/#", "homeassistant/#"}
		return Rights{Read: own, Write: own, Retain: own}
	}},
	{Table, "salon", small, func(x, site string) Rights {
		own := append(described(site+"/"+x), site+"/"+x+"/#")
		return Rights{Read: append([]string{site + "/+/availability", site + "/+/info", site + "/+/state", "homeassistant/status"}, own...), Write: own, Retain: own}
	}},
	{HomeAssistant, "", large, func(_, site string) Rights {
		return Rights{Read: []string{"#"}, Write: commands(site + "/+/command/+"), Retain: []string{"homeassistant/#"}, Commands: true, Describes: true}
	}},
	{NodeRED, "", large, func(_, site string) Rights {
		return Rights{Read: []string{"#"}, Write: commands("node-red/#", site+"/+/command/+"), Retain: []string{"node-red/#", "homeassistant/#"}, Commands: true}
	}},
	{Look, "", watching, func(_, _ string) Rights { return Rights{Read: []string{"#"}} }},
	{Free, "atelier/#", small, func(x, _ string) Rights {
		own := strings.Fields(x)
		return Rights{Read: own, Write: own, Retain: own}
	}},
}

// described are the topics by which Home Assistant is told of the table of a base.
func described(base string) []string {
	hass := "homeassistant/device/majordome-" + path.Base(path.Dir(base)) + "-" + path.Base(base)
	return []string{hass + "/config", hass + "-commands/config"}
}

// Templates are all of them.
func Templates() []Template { return slices.Clone(templates) }

func templateOf(id string) *Template {
	if i := slices.IndexFunc(templates, func(t Template) bool { return t.ID == id }); i >= 0 {
		return &templates[i]
	}
	return nil
}

// maxFilters bounds the filters of a free account.
const maxFilters = 8

var (
	nameForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)
	topicForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)
)

// fits reports that a topic goes with a template.
func (t *Template) fits(topic string) bool {
	switch {
	case t.ID == Free:
		all := strings.Fields(topic)
		return len(all) > 0 && len(all) <= maxFilters && !slices.ContainsFunc(all, func(f string) bool { return !wellFormed(f) })
	case t.Topic == "":
		return topic == ""
	case t.ID == Table:
		return nameForm.MatchString(topic)
	}
	return topicForm.MatchString(topic)
}

// account is one as it is kept.
type account struct {
	Name     string `json:"name"`
	Template string `json:"template"`
	Topic    string `json:"topic,omitempty"`
	Hash     []byte `json:"hash"` // SHA-256 of the password, which is 26 letters drawn by chance
}

// rights are those of a template, the public half of the table among them. Nobody but the daemon writes below base.
func (a *account) rights(base string) Rights {
	t := templateOf(a.Template)
	r := t.rights(a.Topic, path.Dir(base))
	r.Limits = t.Limits
	r.Read = append(slices.Clone(r.Read), base+"/#")
	return r
}

// How the rules of an account go before each other.
const (
	forbidden = 1 // before what is granted by filters
	ordered   = 2 // before what is denied to all
)

// retainedEnd stands behind a command that was to be retained.
const retainedEnd = "/retained"

// rules are the same rights as Mosquitto is told them. A command comes there with the name of the account behind its topic.
func (r *Rights) rules(name, base string, commands bool) (all []mosquitto.Rule) {
	rule := func(kind, filter string, allow bool, priority int) {
		all = append(all, mosquitto.Rule{Kind: kind, Filter: filter, Allow: allow, Priority: priority})
	}
	for _, f := range r.Read {
		rule(mosquitto.Subscribe, f, true, 0)
		rule(mosquitto.Receive, f, true, 0)
	}
	for _, f := range []string{"$SYS/#", "$share/#"} {
		rule(mosquitto.Subscribe, f, false, forbidden)
	}
	for _, f := range r.Write {
		rule(mosquitto.Publish, f, true, 0)
	}
	rule(mosquitto.Publish, base+"/#", false, forbidden)
	for _, f := range described(base) {
		rule(mosquitto.Publish, f, r.Describes, forbidden)
	}
	if commands && r.Commands {
		rule(mosquitto.Publish, base+"/command/+/"+name, true, ordered)
		rule(mosquitto.Publish, base+"/command/+/"+name+retainedEnd, true, ordered)
	}
	return all
}

// accountOf is the account of a client id inside Mosquitto.
func accountOf(client string) string {
	user, _, _ := strings.Cut(client, "/")
	return user
}
