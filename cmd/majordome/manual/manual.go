// Package manual says where the manual (companion/web/manual) explains each kind of fault, so that whatever tells of one can name the
// page and its place: majordome help trouble#disk prints it, and /help/fr/trouble.html#disk shows it.
//
//	manual.Of("disk")                        trouble#disk
//	manual.OfSetting("$.readers[0].gain")    settings#readers-gain: the row of the key
//	manual.OfFault(f, "deck")                the row of the key that f is about, or the place of its kind
//
// A kind is one word that stays the same: what a trouble or a finding is about, as programs read it.
package manual

import (
	"cmp"
	"regexp"
	"slices"

	"majordome/engine/ownfile"
)

// places are those of each kind. A test follows each in both languages, and another knows every kind that is told of.
var places = map[string]string{
	// The computer.
	"disk": "trouble#disk", "storage": "trouble#storage", "supply": "trouble#supply", "heat": "trouble#heat", "memory": "trouble#memory",
	"date": "trouble#date", "card": "trouble#card-file", "more": "trouble#computer", "board": "power#models",
	// Buses, pins, ports, and who may use them.
	"spi": "trouble#bus", "i2c": "trouble#bus", "gpio": "trouble#bus", "bufsiz": "trouble#bus", "rights": "trouble#rights", "port": "trouble#port",
	"line": "trouble#port", "holder": "trouble#holder", "modem": "trouble#holder", "audio": "power#sound",
	// Devices.
	"device": "trouble#device", "chip": "trouble#device", "readers": "trouble#device", "strips": "trouble#device", "bus": "slot#bus",
	"noise": "trouble#gain", "coils": "slot#coils", "lines": "lines#noise", "reader": "lines#noise", "node": "devices#node-flash",
	"strip": "devices#node-flash", "clock": "lights#colours", "clocks": "lights#clocks", "button": "lights#buttons", "buttons": "lights#buttons",
	"wiring": "build#one", "tags": "cards#enrol",
	// What was written by hand, and the files that the configuration names.
	"configuration": "settings#file", "environment": "settings#environment", "file": "trouble#file", "deck": "trouble#file",
	"account": "settings#account", "secret": "settings#secret", "authority": "settings#authority",
	// The table, and what is connected with it.
	"table": "trouble#table", "paused": "mishaps#words", "relay": "mishaps#connection", "certificate": "network#certificate",
	"uplink": "house#nothing", "home": "house#nothing", "hook": "house#nothing", "files": "trouble#start",
	// What it keeps; store- and a trouble of package store.
	"store": "care#lost", "store-not-ours": "care#files", "store-damaged": "care#lost", "store-newer": "care#update",
	"store-full": "trouble#disk", "store-readonly": "trouble#rights", "store-missing": "settings#data", "store-exists": "care#backup",
	"store-in-use": "care#files", "store-conflict": "care#files", "store-gone": "care#lost", "store-empty": "care#backup",
	"store-broken": "trouble#storage", "other-deck": "mishaps#deck", "kept-deck": "cards#names",
}

// Of is where a kind of fault is explained, as majordome help takes it; "" for a word that is no kind.
func Of(kind string) string { return places[kind] }

// lists are the keys of the configuration that hold things with keys of their own.
var lists = []string{"readers", "strips", "clocks", "buttons"}

// setting is a path of the configuration, with or without $. before it.
var setting = regexp.MustCompile(`^(?:\$\.)?([a-z_]+)(?:\[\d+\](?:\.([a-z0-9_]+))?)?`)

// OfSetting is the row of the key at a path of the configuration, the table of a thing in a list, or without a path the file as a whole.
func OfSetting(path string) string {
	m := setting.FindStringSubmatch(path)
	switch {
	case m == nil:
		return Of("configuration")
	case !slices.Contains(lists, m[1]):
		return "settings#" + m[1]
	case m[2] == "":
		return "settings#of-" + m[1]
	}
	return "settings#" + m[1] + "-" + m[2]
}

// OfFault is where a fault of a file is explained; kind is what the file is where the fault does not say it.
func OfFault(f *ownfile.Fault, kind string) string {
	if kind = cmp.Or(f.About, kind); kind == "configuration" {
		return OfSetting(f.Path)
	}
	return Of(kind)
}
