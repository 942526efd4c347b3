package config

import (
	"fmt"
	"reflect"
	"strconv"

	"majordome/companion/line"
	"majordome/companion/natsline"
	"majordome/companion/webhook"
	"majordome/devices/mfrc522"
	"majordome/engine"
)

// setDefaultsAndCheck sets the defaults of missing values and notes the faults of the others.
func (k *checker) setDefaultsAndCheck(c *Config) {
	for _, y := range configKeys {
		k.checkKey("$", y, fieldByKey(reflect.ValueOf(c).Elem(), y.name), true)
	}
	mqtt := c.MQTTAddress()
	if mqtt != "" && mqtt == c.Listen {
		k.addFault("$.mqtt", engine.T("mqtt : la même adresse que listen", "mqtt: the same address as listen"),
			engine.T("prenez un autre port, ou off", "use another port, or off"))
	}
	https := c.HTTPSAddress()
	if https != "" && (https == c.Listen || https == mqtt) { // else the table could not open again
		k.addFault("$.https", engine.T("https : la même adresse que listen ou mqtt", "https: the same address as listen or mqtt"),
			engine.T("prenez un autre port, ou off", "use another port, or off"))
	}
	if home := c.HomeAddress(); home != "" && (home == c.Listen || home == mqtt || home == https) {
		k.addFault("$.home", engine.T("home : la même adresse que listen, mqtt ou https",
			"home: the same address as listen, mqtt or https"), engine.T("prenez un autre port, ou off", "use another port, or off"))
	}
	if c.Hook != "" && isHookURL(c.Hook) && webhook.CheckURL(c.Hook, c.Plain) != nil {
		k.addFault("$.hook", engine.T("hook : http sans plain", "hook: http without plain"),
			engine.T("écrivez https, ou plain: true pour une adresse de chez vous",
				"write https, or plain: true for an address of your own"))
	}
	k.checkAndGroupReaders(c)
	for i := range c.Strips {
		at := fmt.Sprintf("$.strips[%d]", i)
		checkItem(k, at, reflect.ValueOf(&c.Strips[i]).Elem(), stripKeys, stripChips)
		k.checkSegments(at, &c.Strips[i])
	}
	for i := range c.Clocks {
		checkItem(k, fmt.Sprintf("$.clocks[%d]", i), reflect.ValueOf(&c.Clocks[i]).Elem(), clockKeys, clockChips)
	}
	for i := range c.Buttons {
		at, v := fmt.Sprintf("$.buttons[%d]", i), reflect.ValueOf(&c.Buttons[i]).Elem()
		for _, y := range buttonKeys {
			k.checkKey(at, y, fieldByKey(v, y.name), true)
		}
	}
	k.checkButtons(c)
	k.checkWiring(c)
}

// checkAndGroupReaders checks the readers, notes two readers of one role, and gives the readers of one group their common coils.
func (k *checker) checkAndGroupReaders(c *Config) {
	taken, coils := map[string]bool{}, map[int]*mfrc522.Group{}
	for i := range c.Readers {
		r, at := &c.Readers[i], fmt.Sprintf("$.readers[%d]", i)
		checkItem(k, at, reflect.ValueOf(r).Elem(), readerKeys, readerChips)
		if isReaderRole(r.Role) && taken[r.Role] {
			k.addFault(at+".role", engine.Tf("role : deux lecteurs « %s »", "role: two readers %q", r.Role),
				engine.T("un seul par rôle", "one of each role"))
		}
		taken[r.Role] = true
		if r.Group == 0 {
			continue
		}
		if coils[r.Group] == nil {
			coils[r.Group] = &mfrc522.Group{}
		}
		r.coils = coils[r.Group]
	}
}

// checkItem sets the defaults of the reader, strip or clock v, which is at the path at, and checks it. With a known chip,
// keys of other chips are faults. With an unknown chip, all keys that are written are checked.
func checkItem[Open any](k *checker, at string, v reflect.Value, keys []key, known chips[Open]) {
	written := func(key string) bool { return k.hasWrittenValue(at + "." + key) }
	setDefaults(v, keys, written)
	for _, y := range keys {
		k.checkKey(at, y, fieldByKey(v, y.name), true)
	}
	c := known.findChip(fieldByKey(v, "chip").String())
	if c == nil {
		for _, y := range known.allKeys() {
			if written(y.name) {
				k.checkKey(at, y, fieldByKey(v, y.name), false)
			}
		}
		return
	}
	setDefaults(v, c.keys, written)
	needed := true
	for _, y := range known.allKeys() {
		if written(y.name) && !c.hasKey(y.name) {
			needed = written("chip") // a missing chip is the more likely error then
			with := known.namesWithKey(y.name)
			k.addFault(at+"."+y.name, engine.Tf("%s ne va pas avec chip: %s", "%s does not go with chip: %s", y.name, c.name),
				engine.T("enlevez-le, ou écrivez chip: "+joinWords(with, "ou"), "take it out, or write chip: "+joinWords(with, "or")))
		}
	}
	for _, y := range c.keys {
		k.checkKey(at, y, fieldByKey(v, y.name), needed)
	}
}

func isPortNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// maxNames is the most entries of the keys names and metrics.
const maxNames = 16

// isHookURL reports whether s is an address for the key hook. setDefaultsAndCheck checks http against the key plain.
func isHookURL(s string) bool { return webhook.CheckURL(s, true) == nil }

// isVenueURL reports whether s is an address for the key venue.
func isVenueURL(s string) bool { return isBrokerURL(s) || natsline.CheckURL(s) == nil }

// isBrokerURL reports whether s is an address for the key uplink.
func isBrokerURL(s string) bool { return line.CheckURL(s) == nil }
