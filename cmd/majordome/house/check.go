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
			k.at("$."+l.key, ownfile.Bothf("%s : mauvais nom « %s »", "%s: bad name %q", l.key, ownfile.Quote(l.value)),
				ownfile.Both("de 1 à 31 caractères : a-z, 0-9 et -, en commençant par une lettre ou un chiffre", "1 to 31 of a-z, 0-9 and -, beginning with a letter or digit"))
		}
	}
	k.address("listen", c.Listen)
	if c.MQTT != "off" {
		k.address("mqtt", c.MQTT)
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
func (k *checker) address(key, addr string) {
	_, port, err := net.SplitHostPort(addr)
	if n, bad := strconv.ParseUint(port, 10, 16); err == nil && bad == nil && n <= 65535 {
		return
	}
	k.at("$."+key, ownfile.Bothf("%s : mauvaise adresse « %s »", "%s: bad address %q", key, ownfile.Quote(addr)),
		ownfile.Both("écrivez-la comme :8080, 192.168.1.5:8080 ou [fd00::5]:8080", "write it like :8080, 192.168.1.5:8080 or [fd00::5]:8080"))
}

func (k *checker) reader(at string, r ReaderConfig, twice bool) {
	switch {
	case r.Role != engine.ReaderUrn && r.Role != engine.ReaderShow:
		k.at(at+".role", ownfile.Bothf("role : « %s » inconnu", "role: unknown %q", ownfile.Quote(r.Role)),
			ownfile.Both("urn (la fente de l’urne) ou show (le lecteur de réfutation)", "urn (the urn’s slot) or show (the refutation reader)"))
	case twice:
		k.at(at+".role", ownfile.Bothf("role : deux lecteurs « %s »", "role: two readers %q", ownfile.Quote(r.Role)), ownfile.Both("un seul par rôle", "one of each role"))
	}
	switch r.Chip {
	case "", chipMFRC522:
		k.mfrc522(at, r)
	case ChipSerial:
		k.serial(at, r)
	case ChipNode:
		k.node(at, r)
	default:
		k.at(at+".chip", ownfile.Bothf("chip : « %s » inconnu", "chip: unknown %q", ownfile.Quote(r.Chip)), ownfile.Both("mfrc522, serial ou node", "mfrc522, serial or node"))
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
		k.at(at, ownfile.Both("spi, reset, khz, gain et baud ne vont pas avec chip: node", "spi, reset, khz, gain and baud do not go with chip: node"), ownfile.Both("enlevez-les", "take them out"))
	}
	if r.Reader < 0 || r.Reader >= node.MaxReaders {
		k.at(at+".reader", ownfile.Bothf("reader : %d", "reader: %d", r.Reader), ownfile.Both("de 0 à 3", "0 to 3"))
	}
	k.port(at, r.Port)
}

// port checks the port of a node.
func (k *checker) port(at, port string) {
	var advice devices.Advice
	switch {
	case port == "":
		k.at(at, ownfile.Both("port : il manque le port série", "port: the serial port is missing"), ownfile.Both(serial.Known()))
	case errors.As(serial.Check(port, node.Baud), &advice):
		k.at(at+".port", ownfile.Both(advice.FR, advice.EN), ownfile.Both(serial.Known()))
	}
}

func (k *checker) serial(at string, r ReaderConfig) {
	var port, speed devices.Advice
	baud := cmp.Or(r.Baud, serial.DefaultBaud)
	if r.Reader != 0 {
		k.at(at+".reader", ownfile.Both("reader ne va qu’avec chip: node", "reader goes with chip: node only"), ownfile.Both("enlevez-le", "take it out"))
	}
	switch {
	case r.SPI != "" || r.Reset != "" || r.KHz != 0 || r.Gain != 0:
		k.at(at, ownfile.Both("spi, reset, khz et gain ne vont pas avec chip: serial", "spi, reset, khz and gain do not go with chip: serial"), ownfile.Both("enlevez-les", "take them out"))
	case r.Port == "":
		k.at(at, ownfile.Both("port : il manque le port série", "port: the serial port is missing"), ownfile.Both(serial.Known()))
	case errors.As(serial.Check(r.Port, serial.DefaultBaud), &port):
		k.at(at+".port", ownfile.Both(port.FR, port.EN), ownfile.Both(serial.Known()))
	case errors.As(serial.Check(r.Port, baud), &speed):
		k.at(at+".baud", ownfile.Both(speed.FR, speed.EN), ownfile.Both("la plupart des cartes parlent à 115200", "most boards speak at 115200"))
	}
}

func (k *checker) mfrc522(at string, r ReaderConfig) {
	if r.Port != "" || r.Baud != 0 || r.Reader != 0 {
		k.at(at, ownfile.Both("port, baud et reader ne vont qu’avec chip: serial ou chip: node", "port, baud and reader go with chip: serial or chip: node only"),
			ownfile.Both("ajoutez chip: serial ou chip: node, ou enlevez-les", "add chip: serial or chip: node, or take them out"))
		return
	}
	k.spi(at, r.SPI, "SPI1.0")
	if r.KHz < 0 || r.KHz > maxKHz {
		k.at(at+".khz", ownfile.Bothf("khz : %d", "khz: %d", r.KHz), ownfile.Bothf("de 1 à %d", "1 to %d", maxKHz))
	}
	if r.Gain != 0 && !slices.Contains(gains, r.Gain) {
		k.at(at+".gain", ownfile.Bothf("gain : %d", "gain: %d", r.Gain), ownfile.Both("une de : 18, 23, 33, 38, 43, 48 dB", "one of: 18, 23, 33, 38, 43, 48 dB"))
	}
}

// Limits of the chip, see package mfrc522.
const maxKHz = 10_000

var gains = []int{18, 23, 33, 38, 43, 48}

func (k *checker) strip(at string, s StripConfig) {
	switch {
	case s.Chip == ChipNode && s.SPI != "":
		k.at(at+".spi", ownfile.Both("spi ne va pas avec chip: node", "spi does not go with chip: node"), ownfile.Both("enlevez-le", "take it out"))
	case s.Chip == ChipNode:
		k.port(at, s.Port)
	case s.Port != "":
		k.at(at+".port", ownfile.Both("port ne va qu’avec chip: node", "port goes with chip: node only"), ownfile.Both("ajoutez chip: node, ou enlevez-le", "add chip: node, or take it out"))
	default:
		k.spi(at, s.SPI, "SPI0.0")
	}
	if s.Chip != "ws2812" && s.Chip != "apa102" && s.Chip != ChipNode {
		k.at(at+".chip", ownfile.Bothf("chip : « %s » inconnu", "chip: unknown %q", ownfile.Quote(s.Chip)), ownfile.Both("ws2812, apa102 ou node", "ws2812, apa102 or node"))
	}
	if s.Brightness < 0 || s.Brightness > 100 {
		k.at(at+".brightness", ownfile.Bothf("brightness : %d", "brightness: %d", s.Brightness), ownfile.Both("de 1 à 100 pour cent", "1 to 100 percent"))
	}
	if s.Places < 0 || s.Places > light.MaxPlaces {
		k.at(at+".places", ownfile.Bothf("places : %d", "places: %d", s.Places), ownfile.Bothf("de 1 à %d lieux", "1 to %d places", light.MaxPlaces))
	}
	if s.BudgetMA < 0 {
		k.at(at+".budget_ma", ownfile.Bothf("budget_ma : %d", "budget_ma: %d", s.BudgetMA),
			ownfile.Both("les milliampères que l’alimentation peut donner", "the milliamperes that the supply can give"))
	}
}
