package uplink

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"majordome/companion/catalogue"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// Home Assistant shows the table as one device without configuration, because of one retained message of
// device discovery. The message uses full key names and depends only on the table
// (https://www.home-assistant.io/integrations/mqtt, "Device discovery payload"). Names in it are literal, so
// they are in the owner's language; ids are English and never change.

const (
	hassPrefix      = "homeassistant"
	hassStatusTopic = hassPrefix + "/status" // "online" when Home Assistant has started
)

// hassSeats is the number of seats that are enabled by default.
const hassSeats = 6

// device is the payload of device discovery.
type device struct {
	Device       hassDevice           `json:"device"`
	Origin       hassOrigin           `json:"origin"`
	Availability []hassAvailability   `json:"availability"`
	QoS          int                  `json:"qos"`
	Components   map[string]component `json:"components"` // keys identify entities for ever; JSON sorts them
}

type hassDevice struct {
	Identifiers  []string `json:"identifiers"`
	Name         string   `json:"name"`
	Manufacturer string   `json:"manufacturer"`
	SWVersion    string   `json:"sw_version,omitempty"`
}

type hassOrigin struct {
	Name      string `json:"name"`
	SWVersion string `json:"sw_version,omitempty"`
}

type hassAvailability struct {
	Topic string `json:"topic"`
}

// component is an entity or a trigger.
type component struct {
	Platform        string   `json:"platform"`
	UniqueID        string   `json:"unique_id,omitempty"`
	DefaultEntityID string   `json:"default_entity_id,omitempty"`
	Name            string   `json:"name,omitempty"`
	Icon            string   `json:"icon,omitempty"`
	DeviceClass     string   `json:"device_class,omitempty"`
	StateClass      string   `json:"state_class,omitempty"`
	EntityCategory  string   `json:"entity_category,omitempty"`
	Enabled         *bool    `json:"enabled_by_default,omitempty"`
	StateTopic      string   `json:"state_topic,omitempty"`
	ValueTemplate   string   `json:"value_template,omitempty"`
	AttributesTopic string   `json:"json_attributes_topic,omitempty"`
	Attributes      string   `json:"json_attributes_template,omitempty"`
	EventTypes      []string `json:"event_types,omitempty"`
	CommandTopic    string   `json:"command_topic,omitempty"`
	CommandTemplate string   `json:"command_template,omitempty"`

	AutomationType string `json:"automation_type,omitempty"`
	Type           string `json:"type,omitempty"`
	Subtype        string `json:"subtype,omitempty"`
	Topic          string `json:"topic,omitempty"`
}

// moments lists the codes of public happenings.
var moments = func() (all []string) {
	for _, k := range engine.AllHappenings {
		all = append(all, k.What)
	}
	return all
}()

// hassConfigTopic returns the topic of the discovery message of a table.
func hassConfigTopic(tree wire.Tree) string {
	return hassPrefix + "/device/" + hassID(tree) + "/config"
}

// hassControlsTopic returns the topic of a second discovery message for the same device, with the entities
// that send commands. Two messages keep each one short enough.
func hassControlsTopic(tree wire.Tree) string {
	return hassPrefix + "/device/" + hassID(tree) + "-commands/config"
}

func hassID(tree wire.Tree) string {
	all := strings.Split(tree.Base(), "/")
	return strings.Join(append([]string{"majordome"}, all[len(all)-2:]...), "-")
}

// languageChooser returns a function that returns the text in this language, "en" or else French.
func languageChooser(language string) func(fr, en string) string {
	return func(fr, en string) string {
		if language == "en" {
			return en
		}
		return fr
	}
}

// newDevice returns the description of a table, without entities.
func newDevice(tree wire.Tree, version string) device {
	all := strings.Split(tree.Base(), "/")
	return device{
		Device: hassDevice{[]string{hassID(tree)}, "Majordome " + all[len(all)-1], "Majordome", version},
		Origin: hassOrigin{"majordome", version}, Availability: []hassAvailability{{tree.AvailabilityTopic()}},
		QoS: qos, Components: map[string]component{}}
}

// addEntity adds an entity to the description: key identifies it for ever, and name is for people.
func (d *device) addEntity(tree wire.Tree, platform, key, name string, c component) {
	id := hassID(tree)
	c.Platform, c.UniqueID, c.Name = platform, id+"-"+key, name
	c.DefaultEntityID = platform + "." + strings.ReplaceAll(id+"_"+key, "-", "_")
	d.Components[strings.ReplaceAll(key, "-", "_")] = c
}

// buildDevice describes a table with these readers to Home Assistant; phases comes from phaseNameMapping.
func buildDevice(tree wire.Tree, version, language, phases string, readers map[string]string) device {
	say, d := languageChooser(language), newDevice(tree, version)
	entity := func(platform, key, name, value string, more component) {
		if more.StateTopic == "" {
			more.StateTopic = tree.StateTopic()
		}
		more.ValueTemplate = "{{ " + value + " }}"
		d.addEntity(tree, platform, key, name, more)
	}
	flag := func(is string) string { return "'ON' if " + is + " else 'OFF'" }
	coded := func(icon, field string) component { // the state is for people, and the attribute "code" for automations
		return component{Icon: icon, AttributesTopic: tree.StateTopic(), Attributes: "{{ {'code': value_json." + field + "} | tojson }}"}
	}
	entity("sensor", "game", say("Jeu", "Game"), "value_json.game | replace('-', ' ') | title", coded("mdi:cards", "game"))
	entity("sensor", "phase", say("Phase", "Phase"), phases+".get(value_json.phase, value_json.phase)", coded("mdi:stairs", "phase"))
	entity("sensor", "round", say("Manche ou heure", "Round or hour"), "value_json.clock.at or 'None'",
		component{Icon: "mdi:clock-outline", StateClass: "measurement"})
	entity("sensor", "turn", say("Au tour de", "Whose turn"),
		"(value_json.seats | selectattr('seat', 'in', value_json.turn) | map(attribute='name') | join(', ') or '-')[:250]",
		component{Icon: "mdi:account-arrow-right"})
	entity("sensor", "countdown", say("Fin du temps", "End of time"),
		"value_json.countdown.ends if value_json.countdown and value_json.countdown.ends else 'None'",
		component{Icon: "mdi:timer-sand", DeviceClass: "timestamp"})
	entity("binary_sensor", "accusation", say("Accusations ouvertes", "Accusations open"), flag("value_json.clock.open"),
		component{Icon: "mdi:gavel"})
	entity("binary_sensor", "paused", say("En pause", "Paused"), flag("value_json.paused"), component{Icon: "mdi:pause"})
	for _, role := range slices.Sorted(maps.Keys(readers)) {
		entity("binary_sensor", "reader-"+role, readerName(role, language),
			flag("value_json.readers['"+role+"'] | default('lost') != 'ok'"),
			component{DeviceClass: "problem", EntityCategory: "diagnostic"})
	}
	for n := 1; n <= engine.MaxSeats; n++ {
		shown := n <= hassSeats
		entity("binary_sensor", fmt.Sprint("seat-", n), say("Téléphone de la place ", "Phone of seat ")+fmt.Sprint(n),
			flag(fmt.Sprintf("value_json.seats|selectattr('seat','eq',%d)|selectattr('online')|list", n)),
			component{Icon: "mdi:cellphone", DeviceClass: "connectivity", EntityCategory: "diagnostic", Enabled: &shown})
	}
	entity("event", "moment", say("Moment", "Moment"), "dict(value_json, event_type=value_json.what) | tojson",
		component{StateTopic: tree.Base() + "/event/+", EventTypes: moments})
	for _, what := range moments {
		d.Components["on_"+what] = component{Platform: "device_automation", AutomationType: "trigger",
			Type: what, Subtype: "table", Topic: tree.Base() + "/event/" + what}
	}
	return d
}

// phaseNameMapping returns the display's names of the phases of all games, as a mapping in Jinja.
func phaseNameMapping(language string) (string, error) {
	book, ok := catalogue.Lookup(words.Lang(language))
	if !ok {
		return "", fmt.Errorf("no words in %q: use fr or en", language)
	}
	all := []string{}
	for _, key := range book.Keys() {
		if code, is := strings.CutPrefix(strings.TrimPrefix(key, "ui."), "display.phase."); is {
			all = append(all, "'"+code+"': '"+book.Sentence(key)+"'")
		}
	}
	return "{" + strings.Join(all, ", ") + "}", nil
}

// readerName returns the name of a reader in Home Assistant; that of a reader at a place contains its role.
func readerName(role, language string) string {
	say := languageChooser(language)
	switch role {
	case engine.ReaderUrn:
		return say("Lecteur de l’urne", "Reader of the urn")
	case engine.ReaderShow:
		return say("Lecteur de la table", "Table reader")
	}
	return say("Lecteur ", "Reader ") + role
}

// readerKey matches the keys of readers among the components; maxComponents limits the number of components.
var readerKey = regexp.MustCompile(`^reader_[a-z0-9_]{1,40}$`)

const maxComponents = 128

// addRetiredReaders adds the readers of an earlier description that do not exist any more, with nothing but their
// platform. That removes them; Home Assistant keeps an entity that is simply left out, and would show its
// problem for ever. It reports whether there were any.
func (d *device) addRetiredReaders(earlierJSON []byte) (hasRetired bool) {
	var described struct {
		Components map[string]json.RawMessage `json:"components"`
	}
	_ = json.Unmarshal(earlierJSON, &described) // an invalid description has no readers
	for _, key := range slices.Sorted(maps.Keys(described.Components)) {
		if _, known := d.Components[key]; !known && readerKey.MatchString(key) && len(d.Components) < maxComponents {
			d.Components[key], hasRetired = component{Platform: "binary_sensor"}, true
		}
	}
	return hasRetired
}

// buildControls describes the entities by which Home Assistant sends commands. The id of each command is the
// moment of the press.
func buildControls(tree wire.Tree, version, language string) device {
	say, d := languageChooser(language), newDevice(tree, version)
	const sent = `{"id":"ha-{{ now().timestamp() }}","by":"home-assistant"`
	button := func(key, command, name, icon, more string) {
		d.addEntity(tree, "button", key, name, component{Icon: "mdi:" + icon,
			CommandTopic: tree.Base() + "/command/" + command, CommandTemplate: sent + more + "}"})
	}
	button("do-pause", "pause", say("Mettre en pause", "Pause"), "pause", `,"on":true`)
	button("do-resume", "pause", say("Reprendre", "Go on"), "play", `,"on":false`)
	button("do-alarm", "alarm", say("Alarme", "Alarm"), "alarm-light", "")
	button("do-white", "light", say("Lumière blanche", "White light"), "lightbulb-on", `,"to":"white"`)
	button("do-dark", "light", say("Noir complet", "Blackout"), "lightbulb-off", `,"to":"dark"`)
	button("do-lights", "light", say("Lumières du jeu", "Lights of the game"), "lightbulb-auto", `,"to":"game"`)
	button("do-next", "next", say("Scène suivante", "Next scene"), "skip-next", "")
	button("do-more-time", "countdown", say("Cinq minutes de plus", "Five minutes more"), "timer-plus", `,"seconds":300,"bonus":true`)
	hint := component{Icon: "mdi:lightbulb-question", CommandTopic: tree.Base() + "/command/hint",
		CommandTemplate: `{{ {'id': 'ha-' ~ now().timestamp(), 'by': 'home-assistant', 'to': 'all', 'text': value} | tojson }}`}
	d.addEntity(tree, "notify", "do-hint", say("Indice à tous", "Hint to all"), hint)
	d.addEntity(tree, "event", "answer", say("Réponse", "Answer"), component{Icon: "mdi:message-reply",
		StateTopic: tree.Base() + "/answer", EventTypes: []string{Done, Omitted},
		ValueTemplate: "{{ dict(value_json, event_type=value_json.result) | tojson }}"})
	return d
}
