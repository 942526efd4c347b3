package house

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/devices/serial"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

func (k *checker) check(c *Config) {
	for _, l := range []struct{ key, value string }{{"site", c.Site}, {"table", c.Table}} {
		if !level.MatchString(l.value) {
			k.at("$."+l.key, ownfile.Bothf("%s : mauvais nom « %s »", "%s: bad name %q", l.key, ownfile.Quote(l.value)),
				ownfile.Both("de 1 à 31 caractères : a-z, 0-9 et -, en commençant par une lettre ou un chiffre", "1 to 31 of a-z, 0-9 and -, beginning with a letter or digit"))
		}
	}
	k.path("$.data", "data", c.Data)
	k.path("$.deck", "deck", c.Deck)
	if c.Data == "" {
		k.at("$.data", ownfile.Both("data : il manque le dossier", "data: the folder is missing"),
			ownfile.Both("enlevez cette ligne, ou écrivez par exemple /var/lib/majordome", "take this line out, or write, for instance, /var/lib/majordome"))
	}
	k.address("listen", c.Listen, "8080", engine.Text{})
	if c.MQTT != "off" {
		k.address("mqtt", c.MQTT, "1883", ownfile.Both(" ; off pour s’en passer", "; off to do without"))
	}
	if c.MQTT == c.Listen {
		k.at("$.mqtt", ownfile.Both("mqtt : la même adresse que listen", "mqtt: the same address as listen"), ownfile.Both("prenez un autre port, ou off", "use another port, or off"))
	}
	if u, err := url.Parse(c.URL); c.URL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.HasSuffix(c.URL, "/")) {
		k.at("$.url", ownfile.Bothf("url : mauvaise adresse « %s »", "url: bad address %q", ownfile.Quote(c.URL)),
			ownfile.Both("écrivez-la comme http://table.local:8080, sans barre à la fin", "write it like http://table.local:8080, without a slash at the end"))
	}
	k.names(c)
	roles := map[string]bool{}
	for i, r := range c.Readers {
		k.reader(fmt.Sprintf("$.readers[%d]", i), r, roles[r.Role])
		roles[r.Role] = true
	}
	for i, s := range c.Strips {
		k.strip(fmt.Sprintf("$.strips[%d]", i), s)
	}
	k.wiring(c)
}

// address checks an address to listen at; whether it is one of this machine shows when it is taken.
// port is an example, more what may stand there beside an address.
func (k *checker) address(key, addr, port string, more engine.Text) {
	if host, p, err := net.SplitHostPort(addr); err == nil && isPort(p) && (host == "" || isHost(host)) {
		return
	}
	hint := ownfile.Bothf("écrivez-la comme \":%[1]s\", 192.168.1.5:%[1]s ou [fd00::5]:%[1]s", "write it like \":%[1]s\", 192.168.1.5:%[1]s or [fd00::5]:%[1]s", port)
	if isPort(addr) {
		hint = ownfile.Bothf("vouliez-vous écrire \":%s\" ?", "did you mean \":%s\"?", addr)
	}
	k.at("$."+key, ownfile.Bothf("%s : mauvaise adresse « %s »", "%s: bad address %q", key, ownfile.Quote(addr)), engine.Text{FR: hint.FR + more.FR, EN: hint.EN + more.EN})
}

func isPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// maxPath bounds the names of folders, files and ports, in characters: messages quote them whole.
const maxPath = 128

// path checks what is to be the name of a file, folder or port.
func (k *checker) path(at, key, name string) {
	if !goodPath(name) {
		k.at(at, ownfile.Bothf("%s : mauvais nom « %s »", "%s: bad name %q", key, ownfile.Quote(name)),
			ownfile.Bothf("%d caractères au plus, sur une ligne", "at most %d characters, on one line", maxPath))
	}
}

// goodPath reports what can be the name of a file, folder or port.
func goodPath(name string) bool {
	return utf8.RuneCountInString(name) <= maxPath && deck.Printable(name)
}

// ChipSerial is the reader that prints lines, ChipNode a reader or strip of a node.
const (
	ChipSerial  = "serial"
	ChipNode    = "node"
	chipMFRC522 = "mfrc522"
)

// chipKeys are the chips of a list and the keys that go with each.
type chipKeys []struct {
	name string
	keys []string
}

var (
	readerChips = chipKeys{{chipMFRC522, []string{"spi", "reset", "khz", "gain"}}, {ChipSerial, []string{"port", "baud"}}, {ChipNode, []string{"port", "reader"}}}
	stripChips  = chipKeys{{"ws2812", []string{"spi"}}, {"apa102", []string{"spi"}}, {ChipNode, []string{"port"}}}
)

// with are the chips that a key goes with.
func (all chipKeys) with(key string) (names []string) {
	for _, c := range all {
		if slices.Contains(c.keys, key) {
			names = append(names, c.name)
		}
	}
	return names
}

// chip checks the chip of a reader or strip, and notes the keys that do not go with it. It returns what
// is to be judged: the keys that go with the chip, or with any when nobody knows which it is.
func (k *checker) chip(at, chip string, known chipKeys) (needed, judged func(key string) bool) {
	var names []string
	for _, c := range known {
		names = append(names, c.name)
	}
	if !slices.Contains(names, chip) {
		what := ownfile.Bothf("chip : « %s » inconnu", "chip: unknown %q", ownfile.Quote(chip))
		if chip == "" {
			what = ownfile.Both("chip : il manque la puce", "chip: the chip is missing")
		}
		k.at(at+".chip", what, ownfile.Both(oneOf(names, "ou"), oneOf(names, "or")))
		return func(string) bool { return false }, func(key string) bool { return k.Written(at + "." + key) }
	}
	goes := func(key string) bool { return slices.Contains(known.with(key), chip) }
	odd := false
	for _, c := range known {
		for _, key := range c.keys {
			if k.Written(at+"."+key) && !goes(key) {
				odd = true
				with := known.with(key)
				k.at(at+"."+key, ownfile.Bothf("%s ne va pas avec chip: %s", "%s does not go with chip: %s", key, chip),
					ownfile.Both("enlevez-le, ou écrivez chip: "+oneOf(with, "ou"), "take it out, or write chip: "+oneOf(with, "or")))
			}
		}
	}
	if odd && !k.Written(at+".chip") { // more likely the chip is missing than what this one needs
		return func(string) bool { return false }, goes
	}
	return goes, goes
}

// oneOf lists words: a, b or c.
func oneOf(names []string, or string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + or + " " + names[len(names)-1]
}

func (k *checker) reader(at string, r ReaderConfig, twice bool) {
	roles := ownfile.Both("urn (la fente de l’urne) ou show (le lecteur de réfutation)", "urn (the urn’s slot) or show (the refutation reader)")
	switch {
	case r.Role == "":
		k.at(at+".role", ownfile.Both("role : il manque le rôle", "role: the role is missing"), roles)
	case !isRole(r.Role):
		k.at(at+".role", ownfile.Bothf("role : « %s » inconnu", "role: unknown %q", ownfile.Quote(r.Role)), roles)
	case twice:
		k.at(at+".role", ownfile.Bothf("role : deux lecteurs « %s »", "role: two readers %q", ownfile.Quote(r.Role)), ownfile.Both("un seul par rôle", "one of each role"))
	}
	needed, judged := k.chip(at, cmp.Or(r.Chip, chipMFRC522), readerChips)
	if judged("spi") {
		k.spi(at, r.SPI, "SPI1.0", needed("spi"))
	}
	if judged("port") {
		k.port(at, r.Port, needed("port"))
	}
	if judged("khz") {
		k.number(at, "khz", r.KHz, 1, maxKHz)
	}
	if judged("reader") {
		k.number(at, "reader", r.Reader, 0, node.MaxReaders-1)
	}
	if judged("gain") && k.Written(at+".gain") && !slices.Contains(gains, r.Gain) {
		k.at(at+".gain", ownfile.Bothf("gain : %d", "gain: %d", r.Gain), ownfile.Both("une de : 18, 23, 33, 38, 43, 48 dB", "one of: 18, 23, 33, 38, 43, 48 dB"))
	}
	if judged("baud") && k.Written(at+".baud") && !serial.IsSpeed(r.Baud) {
		k.at(at+".baud", ownfile.Bothf("baud : %d", "baud: %d", r.Baud), ownfile.Bothf("115200 d’ordinaire, ou une autre de : %s", "115200 as a rule, or another of: %s", serial.Speeds()))
	}
}

func isRole(role string) bool { return role == engine.ReaderUrn || role == engine.ReaderShow }

// number checks a number that is written: what is not has its default.
func (k *checker) number(at, key string, value, least, most int) {
	if k.Written(at+"."+key) && (value < least || value > most) {
		k.at(at+"."+key, ownfile.Bothf("%s : %d", "%s: %d", key, value), ownfile.Bothf("de %d à %d", "%d to %d", least, most))
	}
}

// port checks a serial port, which need not be plugged in.
func (k *checker) port(at, port string, needed bool) {
	var advice devices.Advice
	switch {
	case port == "" && needed:
		k.at(at+".port", ownfile.Both("port : il manque le port série", "port: the serial port is missing"), ownfile.Both(serial.Known()))
	case !goodPath(port):
		k.path(at+".port", "port", port)
	case port != "" && errors.As(serial.Check(port, serial.DefaultBaud), &advice):
		k.at(at+".port", ownfile.Both(advice.FR, advice.EN), ownfile.Both(serial.Known()))
	}
}

// Limits of the MFRC522, see package mfrc522.
const maxKHz = 10_000

var gains = []int{18, 23, 33, 38, 43, 48}

// minBudget is more than all LEDs of the largest house draw when they are dark.
const minBudget = 100

func (k *checker) strip(at string, s StripConfig) {
	needed, judged := k.chip(at, s.Chip, stripChips)
	if judged("spi") {
		k.spi(at, s.SPI, "SPI0.0", needed("spi"))
	}
	if judged("port") {
		k.port(at, s.Port, needed("port"))
	}
	k.number(at, "brightness", s.Brightness, 1, 100)
	k.number(at, "places", s.Places, 1, light.MaxPlaces)
	k.number(at, "budget_ma", s.BudgetMA, minBudget, light.HardCap)
}
