package home

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"majordome/companion/mosquitto"
)

// Limits are the quotas of one account. The rates apply to each connection: what a device sends faster is read later.
type Limits struct {
	Messages, MessageBurst float64 // a second, and together
	Bytes, ByteBurst       float64
	Conns                  int // at the same time
	Sessions               int // stored while their clients are away
	Retained               int // topics
	RetainedBytes          int
	Packet                 int // bytes of one packet
	Filters                int // subscribed to, in all sessions
}

var (
	// smallLimits are for one device, largeLimits for a program that speaks for many devices, watchingLimits for one that only reads.
	smallLimits    = Limits{20, 200, 32 << 10, 256 << 10, 2, 2, 50, 64 << 10, 64 << 10, 250}
	largeLimits    = Limits{50, 500, 64 << 10, 2 << 20, 2, 4, 2000, 2 << 20, 1 << 20, 5000}
	watchingLimits = Limits{20, 200, 32 << 10, 256 << 10, 4, 1, 0, 0, 64 << 10, 250}
)

// Rights are the topic filters that an account may use, and its quotas.
type Rights struct {
	Read, Write, Retain []string
	MaySendCommands     bool // may send commands to the table, if Opts.Commands allows them
	MayDescribe         bool // may write the discovery topics of this table, which Home Assistant empties to delete the table there
	// quietPrefix begins topics whose refusals are not recorded: every such device asks for them and does not need them.
	quietPrefix string
	Limits
}

// Template is a kind of program with the rights that it needs in its standard configuration. Sources: package uplink for another table,
// Tasmota's my_user_config.h, ESPHome's mqtt component, zigbee2mqtt's settings.schema.json, and Home Assistant's mqtt integration.
type Template struct {
	ID string
	// Topic is the usual topic of such an account; "" if it has none of its own.
	Topic  string
	Limits Limits
	rights func(topic, site string) Rights // site is the part that the bases of all tables begin with
}

// The ids of the templates, in the order in which a page offers them.
const (
	Tasmota       = "tasmota"
	ESPHome       = "esphome"
	Zigbee2MQTT   = "zigbee2mqtt"
	HomeAssistant = "home-assistant"
	NodeRED       = "node-red"
	Table         = "table"
	Observer      = "look"
	Custom        = "free"
)

// commandFilters are the topics on which programs send commands to devices.
func commandFilters(more ...string) []string {
	return append([]string{"cmnd/#", "zigbee2mqtt/#", "+/+/+/command", "homeassistant/#"}, more...)
}

var templates = []Template{
	{Tasmota, "lampe", smallLimits, func(x, _ string) Rights {
		return Rights{Read: []string{"cmnd/" + x + "/#", "cmnd/tasmotas/#"},
			Write:       []string{"stat/" + x + "/#", "tele/" + x + "/#", "cmnd/" + x + "/POWER", "tasmota/discovery/#"},
			Retain:      []string{"stat/" + x + "/#", "tele/" + x + "/#", "tasmota/discovery/#"},
			quietPrefix: "cmnd/DVES_"} // its name by its MAC address, which no one uses
	}},
	{ESPHome, "lampe", smallLimits, func(x, _ string) Rights {
		own := []string{x + "/#", "homeassistant/+/" + x + "/+/config", "esphome/discover/" + x}
		return Rights{Read: own, Write: own, Retain: own}
	}},
	{Zigbee2MQTT, "zigbee2mqtt", largeLimits, func(x, _ string) Rights {
		own := []string{x + "/#", "homeassistant/#"}
		return Rights{Read: own, Write: own, Retain: own}
	}},
	{Table, "salon", smallLimits, func(x, site string) Rights {
		own := append(discoveryTopics(site+"/"+x), site+"/"+x+"/#")
		return Rights{Read: append([]string{site + "/+/availability", site + "/+/info", site + "/+/state", "homeassistant/status"}, own...),
			Write: own, Retain: own}
	}},
	{HomeAssistant, "", largeLimits, func(_, site string) Rights {
		return Rights{Read: []string{"#"}, Write: commandFilters(site + "/+/command/+"), Retain: []string{"homeassistant/#"},
			MaySendCommands: true, MayDescribe: true}
	}},
	{NodeRED, "", largeLimits, func(_, site string) Rights {
		return Rights{Read: []string{"#"}, Write: commandFilters("node-red/#", site+"/+/command/+"),
			Retain: []string{"node-red/#", "homeassistant/#"}, MaySendCommands: true}
	}},
	{Observer, "", watchingLimits, func(_, _ string) Rights { return Rights{Read: []string{"#"}} }},
	{Custom, "atelier/#", smallLimits, func(x, _ string) Rights {
		own := strings.Fields(x)
		return Rights{Read: own, Write: own, Retain: own}
	}},
}

// discoveryTopics returns the topics that describe the table with this base to Home Assistant.
func discoveryTopics(base string) []string {
	hass := "homeassistant/device/majordome-" + path.Base(path.Dir(base)) + "-" + path.Base(base)
	return []string{hass + "/config", hass + "-commands/config"}
}

// Templates returns all templates.
func Templates() []Template { return slices.Clone(templates) }

// templateOf returns the template with an id, or nil.
func templateOf(id string) *Template {
	if i := slices.IndexFunc(templates, func(t Template) bool { return t.ID == id }); i >= 0 {
		return &templates[i]
	}
	return nil
}

// maxFilters is the greatest number of filters of a custom account.
const maxFilters = 8

var (
	nameForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)
	topicForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)
)

// allowsTopic reports whether an account of this template can have this topic.
func (t *Template) allowsTopic(topic string) bool {
	switch {
	case t.ID == Custom:
		all := strings.Fields(topic)
		return len(all) > 0 && len(all) <= maxFilters && !slices.ContainsFunc(all, func(f string) bool { return !isFilter(f) })
	case t.Topic == "":
		return topic == ""
	case t.ID == Table:
		return nameForm.MatchString(topic)
	}
	return topicForm.MatchString(topic)
}

// account is an account as the store saves it.
type account struct {
	Name     string `json:"name"`
	Template string `json:"template"`
	Topic    string `json:"topic,omitempty"`
	Hash     []byte `json:"hash"` // SHA-256 of the password, which is 26 random letters
}

// buildRights returns the rights of the template, and the right to read the public topics of the table with this base. Only the daemon
// writes below base.
func (a *account) buildRights(base string) Rights {
	t := templateOf(a.Template)
	r := t.rights(a.Topic, path.Dir(base))
	r.Limits = t.Limits
	r.Read = append(slices.Clone(r.Read), base+"/#")
	return r
}

// Priorities of Mosquitto's rules.
const (
	denyPriority    = 1 // denials, above the rights of Read and Write
	commandPriority = 2 // commands to the table, above the denials
)

// retainedSuffix is appended to the topic of a command that was sent with the retain flag.
const retainedSuffix = "/retained"

// mosquittoRules returns the rights as Mosquitto's rules. The topic of a command ends there with the name of the account.
func (r *Rights) mosquittoRules(name, base string, allowsCommands bool) (all []mosquitto.Rule) {
	rule := func(kind, filter string, allow bool, priority int) {
		all = append(all, mosquitto.Rule{Kind: kind, Filter: filter, Allow: allow, Priority: priority})
	}
	for _, f := range r.Read {
		rule(mosquitto.Subscribe, f, true, 0)
		rule(mosquitto.Receive, f, true, 0)
	}
	for _, f := range []string{"$SYS/#", "$share/#"} {
		rule(mosquitto.Subscribe, f, false, denyPriority)
	}
	for _, f := range r.Write {
		rule(mosquitto.Publish, f, true, 0)
	}
	rule(mosquitto.Publish, base+"/#", false, denyPriority)
	for _, f := range discoveryTopics(base) {
		rule(mosquitto.Publish, f, r.MayDescribe, denyPriority)
	}
	if allowsCommands && r.MaySendCommands {
		rule(mosquitto.Publish, base+"/command/+/"+name, true, commandPriority)
		rule(mosquitto.Publish, base+"/command/+/"+name+retainedSuffix, true, commandPriority)
	}
	return all
}

// accountOf returns the name of the account in a client id inside Mosquitto, <account>/<id>.
func accountOf(clientID string) string {
	user, _, _ := strings.Cut(clientID, "/")
	return user
}
