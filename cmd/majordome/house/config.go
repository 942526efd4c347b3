package house

import (
	"errors"
	"io/fs"
	"regexp"

	"majordome/engine"
	"majordome/engine/ownfile"
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
	// Names are further names and addresses by which pages may ask for this table, such
	// as that of a proxy or of a container's host; see web.Names. At most 16.
	Names []string `yaml:"names"`
	// Metrics are the addresses or networks that may read /metrics and /healthz beside
	// this machine itself, such as 192.168.1.0/24. At most 16.
	Metrics []string `yaml:"metrics"`
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

	deckAt place // where Deck is written
}

// place is a line and a column of a file; none without one.
type place struct {
	file         string
	line, column int
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
	BudgetMA int    `yaml:"budget_ma"` // what the supply may give, 100 to 2000 mA, 850 by default
	// Places is how many places of the house it lights, 1 to 16: 7 by default, as
	// Huis Clos has them; Cluedo 2008 has 10. A game with fewer leaves the rest dark.
	Places int `yaml:"places"`
	// Brightness is the ceiling in percent, 1 to 100, 60 by default.
	Brightness int `yaml:"brightness"`
}

// Defaults are the values of an empty file.
func Defaults() Config {
	return Config{Listen: ":8080", MQTT: ":1883", Data: "/var/lib/majordome", Site: "house", Table: "table"}
}

var level = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// ReadConfig reads a file over the defaults. Its error joins one *ownfile.Fault for
// each thing that is wrong.
func ReadConfig(path string) (Config, error) {
	text, err := ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Defaults(), &ownfile.Fault{File: path, What: ownfile.Both("ce fichier n’existe pas", "there is no such file"),
			Hint: ownfile.Both("écrivez-le d’après l’exemple du README, ou indiquez le vôtre par --config", "write it after the example of the README, or name yours with --config")}
	case err != nil:
		return Defaults(), err
	}
	return ParseConfig(path, text)
}

// ParseConfig is ReadConfig of a text; name is the file's, for messages.
func ParseConfig(name string, text []byte) (Config, error) {
	c := Defaults()
	k := &checker{ownfile.Parse(name, text)}
	k.Decode(&c)
	k.check(&c)
	if c.Deck != "" {
		line, column := k.Place("$.deck")
		c.deckAt = place{name, line, column}
	}
	return c, k.Err()
}

// checker judges what was read.
type checker struct{ *ownfile.File }

// at notes a fault at a YAML path, such as $.readers[0].role.
func (k *checker) at(path string, what, hint engine.Text) { k.Note(path, what, hint) }
