package house

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/devices/serial"
	"majordome/engine"
)

// Config is what the owner writes in majordome.yaml. Every field has a working
// default but Readers and Strips: a table without them is played from phones.
type Config struct {
	// Listen is where pages and MQTT over WebSocket are served.
	Listen string `yaml:"listen"`
	// MQTT is where MQTT is served on its own port; "off" for none. The
	// daemon's own client then still uses a loopback port of the system's choice.
	MQTT string `yaml:"mqtt"`
	// URL is the address that phones reach, as it stands in QR codes; empty:
	// the first address of this machine on the local network.
	URL string `yaml:"url"`
	// Data is the folder of the store.
	Data string `yaml:"data"`
	// Site and Table name this table in topics.
	Site  string `yaml:"site"`
	Table string `yaml:"table"`
	// Deck is a file with the owner's names and pairings; empty: the built-in deck.
	Deck string `yaml:"deck"`

	// Calm lights do not move: states still fade into each other.
	Calm bool `yaml:"calm"`

	Readers []ReaderConfig `yaml:"readers"`
	Strips  []StripConfig  `yaml:"strips"`
}

// ReaderConfig is one reader: an MFRC522 on a bus of this machine, a reader that prints
// lines on a serial port, see package lineread, or one of the readers of a node, see package node.
type ReaderConfig struct {
	Role string `yaml:"role"` // "urn" or "show"
	Chip string `yaml:"chip"` // "mfrc522", also when empty, "serial" or "node"

	// Of chips serial and node: Port, such as /dev/serial/by-id/usb-...
	Port string `yaml:"port"`
	// Of chip serial: bits per second, 115200 by default.
	Baud int `yaml:"baud"`
	// Of chip node: which of its readers, 0 to 3.
	Reader int `yaml:"reader"`

	// Of chip mfrc522.
	SPI string `yaml:"spi"` // such as SPI1.0
	// Reset is the pin wired to NRSTPD, such as GPIO25; empty: not wired.
	Reset string `yaml:"reset"`
	KHz   int    `yaml:"khz"`  // bus clock, 4000 by default; lower it for long cables
	Gain  int    `yaml:"gain"` // receiver gain in dB: 18, 23, 33, 38, 43 or 48; 38 by default
}

// StripConfig is one strip, on a bus of this machine or at a node.
type StripConfig struct {
	Chip     string `yaml:"chip"`      // "ws2812", "apa102" or "node"
	SPI      string `yaml:"spi"`       // of the first two
	Port     string `yaml:"port"`      // of chip node
	BudgetMA int    `yaml:"budget_ma"` // what the supply may give, 850 by default
	// Places is how many places of the house it lights, 1 to 16: 7 by default, as
	// Huis Clos has them; Cluedo 2008 has 10. A game with fewer leaves the rest dark.
	Places int `yaml:"places"`
	// Brightness is the ceiling in percent, 60 by default.
	Brightness int `yaml:"brightness"`
}

// Defaults are the values of an empty file.
func Defaults() Config {
	return Config{Listen: ":8080", MQTT: ":1883", Data: "/var/lib/majordome", Site: "house", Table: "table"}
}

var level = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// maxConfig bounds the file.
const maxConfig = 64 << 10

// ReadConfig reads a file over the defaults. Its error joins one *Fault for
// each thing that is wrong.
func ReadConfig(path string) (Config, error) {
	c := Defaults()
	text, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return c, missing(path, err)
	}
	k := &checker{file: path}
	if len(text) > maxConfig {
		k.fault(nil, say("le fichier est trop grand", "the file is too large"), say("64 Kio au plus", "64 KiB at most"))
		return c, k.err()
	}
	if k.root, err = parser.ParseBytes(text, 0); err == nil {
		err = yaml.UnmarshalWithOptions(text, &c, yaml.Strict())
	}
	if err != nil {
		k.yaml(err)
		return c, k.err()
	}
	if reflect.DeepEqual(c, Config{}) { // the library empties c for a file of comments
		c = Defaults()
	}
	k.check(&c)
	return c, k.err()
}

func missing(path string, cause error) *Fault {
	f := &Fault{File: path, What: say("ce fichier n’existe pas", "there is no such file"),
		Hint: say("écrivez-le d’après l’exemple du README, ou indiquez le vôtre par --config", "write it after the example of the README, or name yours with --config")}
	if cause != nil {
		f.What = sayf("ce fichier ne peut pas être lu : %v", "this file cannot be read: %v", cause)
		f.Hint = say("vérifiez ses droits", "check its permissions")
	}
	return f
}

// checker gathers faults and finds where in the file they stand.
type checker struct {
	file   string
	root   *ast.File
	faults []error
}

func (k *checker) err() error { return errors.Join(k.faults...) }

func (k *checker) fault(t *token.Token, what, hint engine.Text) {
	f := &Fault{File: k.file, What: what, Hint: hint}
	if t != nil && t.Position != nil {
		f.Line, f.Column = t.Position.Line, t.Position.Column
	}
	k.faults = append(k.faults, f)
}

// at notes a fault at a YAML path, such as $.readers[0].role.
func (k *checker) at(path string, what, hint engine.Text) {
	var t *token.Token
	if y, err := yaml.PathString(path); err == nil {
		if n, err := y.FilterFile(k.root); err == nil && n != nil {
			t = n.GetToken()
			if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
				t = m.Values[0].Key.GetToken() // the library answers with the colon
			}
		}
	}
	k.fault(t, what, hint)
}

// yaml notes an error of the YAML library.
func (k *checker) yaml(err error) {
	var (
		unknown *yaml.UnknownFieldError
		kind    *yaml.TypeError
		node    *yaml.UnexpectedNodeTypeError
		syntax  yaml.Error
	)
	switch {
	case errors.As(err, &unknown):
		k.fault(unknown.Token, sayf("clé inconnue « %.40s »", "unknown key %.40q", unknown.Token.Value),
			say("le README donne un exemple", "the README has an example"))
	case errors.As(err, &kind):
		k.kind(kind.Token)
	case errors.As(err, &node):
		k.kind(node.Token)
	case errors.As(err, &syntax):
		k.fault(syntax.GetToken(), say("ce n’est pas du YAML correct", "this is not correct YAML"),
			say("vérifiez le retrait, les guillemets et les deux-points de cette ligne et de la précédente",
				"check indentation, quotes and colons of this line and the one before"))
	default:
		k.fault(nil, say("le fichier ne peut pas être lu", "the file cannot be read"),
			say("le README donne un exemple", "the README has an example"))
	}
}

func (k *checker) kind(t *token.Token) {
	k.fault(t, sayf("« %.40s » n’est pas de la sorte attendue", "%.40q is not of the kind expected", t.Value),
		say("le README donne un exemple", "the README has an example"))
}

func (k *checker) check(c *Config) {
	for _, l := range []struct{ key, value string }{{"site", c.Site}, {"table", c.Table}} {
		if !level.MatchString(l.value) {
			k.at("$."+l.key, sayf("%s : mauvais nom « %.40s »", "%s: bad name %.40q", l.key, l.value),
				say("de 1 à 31 caractères : a-z, 0-9 et -, en commençant par une lettre ou un chiffre", "1 to 31 of a-z, 0-9 and -, beginning with a letter or digit"))
		}
	}
	if c.MQTT == c.Listen {
		k.at("$.mqtt", say("mqtt : la même adresse que listen", "mqtt: the same address as listen"), say("prenez un autre port, ou off", "use another port, or off"))
	}
	if u, err := url.Parse(c.URL); c.URL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.HasSuffix(c.URL, "/")) {
		k.at("$.url", sayf("url : mauvaise adresse « %.80s »", "url: bad address %.80q", c.URL),
			say("écrivez-la comme http://table.local:8080, sans barre à la fin", "write it like http://table.local:8080, without a slash at the end"))
	}
	roles := map[string]bool{}
	for i, r := range c.Readers {
		at := fmt.Sprintf("$.readers[%d]", i)
		k.reader(at, r, roles[r.Role])
		k.shared(at, r, c.Readers[:i])
		roles[r.Role] = true
	}
	for i, s := range c.Strips {
		at := fmt.Sprintf("$.strips[%d]", i)
		k.strip(at, s)
		k.sharedStrip(at, s, c.Strips[:i], c.Readers)
	}
}

func (k *checker) reader(at string, r ReaderConfig, twice bool) {
	switch {
	case r.Role != engine.ReaderUrn && r.Role != engine.ReaderShow:
		k.at(at+".role", sayf("role : « %.40s » inconnu", "role: unknown %.40q", r.Role),
			say("urn (la fente de l’urne) ou show (le lecteur de réfutation)", "urn (the urn’s slot) or show (the refutation reader)"))
	case twice:
		k.at(at+".role", sayf("role : deux lecteurs « %s »", "role: two readers %q", r.Role), say("un seul par rôle", "one of each role"))
	}
	switch r.Chip {
	case "", chipMFRC522:
		k.mfrc522(at, r)
	case ChipSerial:
		k.serial(at, r)
	case ChipNode:
		k.node(at, r)
	default:
		k.at(at+".chip", sayf("chip : « %.40s » inconnu", "chip: unknown %.40q", r.Chip), say("mfrc522, serial ou node", "mfrc522, serial or node"))
	}
}

// ChipSerial is the reader that prints lines, ChipNode a reader or strip of a node.
const (
	ChipSerial  = "serial"
	ChipNode    = "node"
	chipMFRC522 = "mfrc522"
)

// shared notes a port that cannot serve two readers: those of one node can.
func (k *checker) shared(at string, r ReaderConfig, before []ReaderConfig) {
	for _, o := range before {
		switch {
		case r.Port == "" || o.Port != r.Port:
		case r.Chip == ChipNode && o.Chip == ChipNode && r.Reader != o.Reader:
		case r.Chip == ChipNode && o.Chip == ChipNode:
			k.at(at, sayf("reader : deux fois le lecteur %d du même nœud", "reader: reader %d of the same node twice", r.Reader), say("un numéro par lecteur, de 0 à 3", "a number for each, 0 to 3"))
		default:
			k.at(at+".port", sayf("port : deux lecteurs sur %.200s", "port: two readers on %.200s", r.Port), say("un seul par port", "one on each port"))
		}
	}
}

// sharedStrip notes a port that cannot serve a strip too: a node has one strip.
func (k *checker) sharedStrip(at string, s StripConfig, before []StripConfig, readers []ReaderConfig) {
	if s.Port == "" {
		return
	}
	if slices.ContainsFunc(before, func(o StripConfig) bool { return o.Port == s.Port }) {
		k.at(at+".port", sayf("port : deux rubans sur %.200s", "port: two strips on %.200s", s.Port), say("un seul par nœud", "a node has one"))
	}
	if slices.ContainsFunc(readers, func(r ReaderConfig) bool { return r.Port == s.Port && r.Chip != ChipNode }) {
		k.at(at+".port", sayf("port : un lecteur qui n’est pas d’un nœud est déjà sur %.200s", "port: a reader that is none of a node is on %.200s already", s.Port),
			say("un autre port pour le ruban", "another port for the strip"))
	}
}

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
	if r.SPI == "" {
		k.at(at, say("spi : il manque le bus", "spi: the bus is missing"), say("par exemple SPI1.0", "such as SPI1.0"))
	}
	if r.KHz < 0 || r.KHz > maxKHz {
		k.at(at+".khz", sayf("khz : %d", "khz: %d", r.KHz), sayf("de 1 à %d", "1 to %d", maxKHz))
	}
	if r.Gain != 0 && !slices.Contains(gains, r.Gain) {
		k.at(at+".gain", sayf("gain : %d", "gain: %d", r.Gain), sayf("un de %v dB", "one of %v dB", gains))
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
	case s.SPI == "":
		k.at(at, say("spi : il manque le bus", "spi: the bus is missing"), say("par exemple SPI0.0", "such as SPI0.0"))
	}
	if s.Chip != "ws2812" && s.Chip != "apa102" && s.Chip != ChipNode {
		k.at(at+".chip", sayf("chip : « %.40s » inconnu", "chip: unknown %.40q", s.Chip), say("ws2812, apa102 ou node", "ws2812, apa102 or node"))
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
