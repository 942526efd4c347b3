// Package manual finds the place in the manual (companion/web/manual) that explains a kind of fault,
// so that every report of a fault can name it: majordome help trouble#disk prints that place, and
// /help/fr/trouble.html#disk shows it.
//
//	manual.PlaceOf("disk")                      trouble#disk
//	manual.PlaceOfSetting("$.readers[0].gain")  settings#readers-gain: the row of the key
//	manual.PlaceOfFault(f, "deck")              the row of the key that f is about, or the place of its kind
//
// A kind is one word that never changes; programs read it in findings.
package manual

import (
	"cmp"
	"regexp"
	"slices"

	"majordome/engine/ownfile"
)

// places maps each kind to its place. One test follows each place in both languages, and another checks that
// all kinds are here.
var places = map[string]string{
	// The computer.
	"disk": "trouble#disk", "storage": "trouble#storage", "supply": "trouble#supply", "heat": "trouble#heat", "memory": "trouble#memory",
	"date": "trouble#date", "card": "trouble#card-file", "more": "trouble#computer", "board": "power#models",
	// Buses, pins, ports, and the permission to use them.
	"spi": "trouble#bus", "i2c": "trouble#bus", "gpio": "trouble#bus", "bufsiz": "trouble#bus",
	"rights": "trouble#rights", "port": "trouble#port",
	"line": "trouble#port", "holder": "trouble#holder", "modem": "trouble#holder", "audio": "power#sound",
	// Devices.
	"device": "trouble#device", "chip": "trouble#device", "readers": "trouble#device", "strips": "trouble#device", "bus": "slot#bus",
	"noise": "trouble#gain", "coils": "slot#coils", "lines": "lines#noise", "reader": "lines#noise", "node": "devices#node-flash",
	"strip": "devices#node-flash", "clock": "lights#colours", "clocks": "lights#clocks",
	"button": "lights#buttons", "buttons": "lights#buttons",
	"wiring": "build#one", "tags": "cards#enrol",
	// The configuration, and the files that it names.
	"configuration": "settings#file", "environment": "settings#environment", "file": "trouble#file", "deck": "trouble#file",
	"account": "settings#account", "venue_account": "settings#venue_account",
	"secret": "settings#secret", "authority": "settings#authority",
	// The table and its connections.
	"table": "trouble#table", "paused": "mishaps#words", "relay": "mishaps#connection", "certificate": "network#certificate",
	"uplink": "house#nothing", "venue": "house#nothing", "home": "house#nothing", "hook": "house#nothing", "files": "trouble#start",
	// The store: store- and a trouble of package store.
	"store": "care#lost", "store-not-ours": "care#files", "store-damaged": "care#lost", "store-newer": "care#update",
	"store-full": "trouble#disk", "store-readonly": "trouble#rights", "store-missing": "settings#data", "store-exists": "care#backup",
	"store-in-use": "care#files", "store-conflict": "care#files", "store-gone": "care#lost", "store-empty": "care#backup",
	"store-broken": "trouble#storage", "other-deck": "mishaps#deck", "kept-deck": "cards#names",
}

// PlaceOfFaultKind returns the place that explains a kind of fault, as majordome help accepts it; "" for an unknown
// kind.
func PlaceOfFaultKind(kind string) string { return places[kind] }

// listKeys are the keys of the configuration whose lists have entries with keys of their own.
var listKeys = []string{"readers", "strips", "clocks", "buttons"}

// settingPath matches a path of the configuration, with or without $. before it.
var settingPath = regexp.MustCompile(`^(?:\$\.)?([a-z_]+)(?:\[\d+\](?:\.([a-z0-9_]+))?)?`)

// PlaceOfSetting returns the place of a configuration path: the row of the key, the table of a list entry, or
// for an invalid path the page of the file.
func PlaceOfSetting(path string) string {
	m := settingPath.FindStringSubmatch(path)
	switch {
	case m == nil:
		return PlaceOfFaultKind("configuration")
	case !slices.Contains(listKeys, m[1]):
		return "settings#" + m[1]
	case m[2] == "":
		return "settings#of-" + m[1]
	}
	return "settings#" + m[1] + "-" + m[2]
}

// PlaceOfFault returns the place that explains a fault of a file; kind is the kind of the file, used if the
// fault names none.
func PlaceOfFault(f *ownfile.Fault, kind string) string {
	if kind = cmp.Or(f.About, kind); kind == "configuration" {
		return PlaceOfSetting(f.Path)
	}
	return PlaceOfFaultKind(kind)
}
