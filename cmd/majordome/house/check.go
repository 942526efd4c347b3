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

	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/devices/serial"
	"majordome/engine"
	"majordome/engine/ownfile"
)

func (k *checker) check(c *Config) {
	for _, l := range []struct{ key, value string }{{"site", c.Site}, {"table", c.Table}} {
		if !level.MatchString(l.value) {
			k.at("$."+l.key, sayf("%s : mauvais nom « %s »", "%s: bad name %q", l.key, ownfile.Quote(l.value)),
				say("de 1 à 31 caractères : a-z, 0-9 et -, en commençant par une lettre ou un chiffre", "1 to 31 of a-z, 0-9 and -, beginning with a letter or digit"))
		}
	}
	k.address("listen", c.Listen)
	if c.MQTT != "off" {
		k.address("mqtt", c.MQTT)
	}
	if c.MQTT == c.Listen {
		k.at("$.mqtt", say("mqtt : la même adresse que listen", "mqtt: the same address as listen"), say("prenez un autre port, ou off", "use another port, or off"))
	}
	if u, err := url.Parse(c.URL); c.URL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.HasSuffix(c.URL, "/")) {
		k.at("$.url", sayf("url : mauvaise adresse « %s »", "url: bad address %q", ownfile.Quote(c.URL)),
			say("écrivez-la comme http://table.local:8080, sans barre à la fin", "write it like http://table.local:8080, without a slash at the end"))
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
func (k *checker) address(key, addr string) {
	_, port, err := net.SplitHostPort(addr)
	if n, bad := strconv.ParseUint(port, 10, 16); err == nil && bad == nil && n <= 65535 {
		return
	}
	k.at("$."+key, sayf("%s : mauvaise adresse « %s »", "%s: bad address %q", key, ownfile.Quote(addr)),
		say("écrivez-la comme :8080, 192.168.1.5:8080 ou [fd00::5]:8080", "write it like :8080, 192.168.1.5:8080 or [fd00::5]:8080"))
}

func (k *checker) reader(at string, r ReaderConfig, twice bool) {
	switch {
	case r.Role != engine.ReaderUrn && r.Role != engine.ReaderShow:
		k.at(at+".role", sayf("role : « %s » inconnu", "role: unknown %q", ownfile.Quote(r.Role)),
			say("urn (la fente de l’urne) ou show (le lecteur de réfutation)", "urn (the urn’s slot) or show (the refutation reader)"))
	case twice:
		k.at(at+".role", sayf("role : deux lecteurs « %s »", "role: two readers %q", ownfile.Quote(r.Role)), say("un seul par rôle", "one of each role"))
	}
	switch r.Chip {
	case "", chipMFRC522:
		k.mfrc522(at, r)
	case ChipSerial:
		k.serial(at, r)
	case ChipNode:
		k.node(at, r)
	default:
		k.at(at+".chip", sayf("chip : « %s » inconnu", "chip: unknown %q", ownfile.Quote(r.Chip)), say("mfrc522, serial ou node", "mfrc522, serial or node"))
	}
}

// ChipSerial is the reader that prints lines, ChipNode a reader or strip of a node.
const (
	ChipSerial  = "serial"
	ChipNode    = "node"
	chipMFRC522 = "mfrc522"
)

func (k *checker) node(at string, r ReaderConfig) {
	if r.SPI != "" || r.Reset != "" || r.KHz != 0 || r.Gain != 0 || r.Baud != 0 {
		k.at(at, say("spi, reset, khz, gain et baud ne vont pas avec chip: node", "spi, reset, khz, gain and baud do not go with chip: node"), say("enlevez-les", "take them out"))
	}
	if r.Reader < 0 || r.Reader >= node.MaxReaders {
		k.at(at+".reader", sayf("reader : %d", "reader: %d", r.Reader), say("de 0 à 3", "0 to 3"))
	}
	k.port(at, r.Port)
}

// port checks the port of a node.
func (k *checker) port(at, port string) {
	var advice devices.Advice
	switch {
	case port == "":
		k.at(at, say("port : il manque le port série", "port: the serial port is missing"), say(serial.Known()))
	case errors.As(serial.Check(port, node.Baud), &advice):
		k.at(at+".port", say(advice.FR, advice.EN), say(serial.Known()))
	}
}

func (k *checker) serial(at string, r ReaderConfig) {
	var port, speed devices.Advice
	baud := cmp.Or(r.Baud, serial.DefaultBaud)
	if r.Reader != 0 {
		k.at(at+".reader", say("reader ne va qu’avec chip: node", "reader goes with chip: node only"), say("enlevez-le", "take it out"))
	}
	switch {
	case r.SPI != "" || r.Reset != "" || r.KHz != 0 || r.Gain != 0:
		k.at(at, say("spi, reset, khz et gain ne vont pas avec chip: serial", "spi, reset, khz and gain do not go with chip: serial"), say("enlevez-les", "take them out"))
	case r.Port == "":
		k.at(at, say("port : il manque le port série", "port: the serial port is missing"), say(serial.Known()))
	case errors.As(serial.Check(r.Port, serial.DefaultBaud), &port):
		k.at(at+".port", say(port.FR, port.EN), say(serial.Known()))
	case errors.As(serial.Check(r.Port, baud), &speed):
		k.at(at+".baud", say(speed.FR, speed.EN), say("la plupart des cartes parlent à 115200", "most boards speak at 115200"))
	}
}

func (k *checker) mfrc522(at string, r ReaderConfig) {
	if r.Port != "" || r.Baud != 0 || r.Reader != 0 {
		k.at(at, say("port, baud et reader ne vont qu’avec chip: serial ou chip: node", "port, baud and reader go with chip: serial or chip: node only"),
			say("ajoutez chip: serial ou chip: node, ou enlevez-les", "add chip: serial or chip: node, or take them out"))
		return
	}
	k.spi(at, r.SPI, "SPI1.0")
	if r.KHz < 0 || r.KHz > maxKHz {
		k.at(at+".khz", sayf("khz : %d", "khz: %d", r.KHz), sayf("de 1 à %d", "1 to %d", maxKHz))
	}
	if r.Gain != 0 && !slices.Contains(gains, r.Gain) {
		k.at(at+".gain", sayf("gain : %d", "gain: %d", r.Gain), say("une de : 18, 23, 33, 38, 43, 48 dB", "one of: 18, 23, 33, 38, 43, 48 dB"))
	}
}

// Limits of the chip, see package mfrc522.
const maxKHz = 10_000

var gains = []int{18, 23, 33, 38, 43, 48}

func (k *checker) strip(at string, s StripConfig) {
	switch {
	case s.Chip == ChipNode && s.SPI != "":
		k.at(at+".spi", say("spi ne va pas avec chip: node", "spi does not go with chip: node"), say("enlevez-le", "take it out"))
	case s.Chip == ChipNode:
		k.port(at, s.Port)
	case s.Port != "":
		k.at(at+".port", say("port ne va qu’avec chip: node", "port goes with chip: node only"), say("ajoutez chip: node, ou enlevez-le", "add chip: node, or take it out"))
	default:
		k.spi(at, s.SPI, "SPI0.0")
	}
	if s.Chip != "ws2812" && s.Chip != "apa102" && s.Chip != ChipNode {
		k.at(at+".chip", sayf("chip : « %s » inconnu", "chip: unknown %q", ownfile.Quote(s.Chip)), say("ws2812, apa102 ou node", "ws2812, apa102 or node"))
	}
	if s.Brightness < 0 || s.Brightness > 100 {
		k.at(at+".brightness", sayf("brightness : %d", "brightness: %d", s.Brightness), say("de 1 à 100 pour cent", "1 to 100 percent"))
	}
	if s.Places < 0 || s.Places > light.MaxPlaces {
		k.at(at+".places", sayf("places : %d", "places: %d", s.Places), sayf("de 1 à %d lieux", "1 to %d places", light.MaxPlaces))
	}
	if s.BudgetMA < 0 {
		k.at(at+".budget_ma", sayf("budget_ma : %d", "budget_ma: %d", s.BudgetMA),
			say("les milliampères que l’alimentation peut donner", "the milliamperes that the supply can give"))
	}
}
