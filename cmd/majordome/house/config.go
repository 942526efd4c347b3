package house

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

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

// ReaderConfig is one MFRC522 on a bus of this machine.
type ReaderConfig struct {
	Role string `yaml:"role"` // "urn" or "show"
	SPI  string `yaml:"spi"`  // such as SPI1.0
	// Reset is the pin wired to NRSTPD, such as GPIO25; empty: not wired.
	Reset string `yaml:"reset"`
	KHz   int    `yaml:"khz"`  // bus clock, 4000 by default; lower it for long cables
	Gain  int    `yaml:"gain"` // receiver gain in dB: 18, 23, 33, 38, 43 or 48; 38 by default
}

// StripConfig is one strip on a bus of this machine.
type StripConfig struct {
	Chip     string `yaml:"chip"` // "ws2812" or "apa102"
	SPI      string `yaml:"spi"`
	BudgetMA int    `yaml:"budget_ma"` // what the supply may give, 850 by default
	// Brightness is the ceiling in percent, 60 by default.
	Brightness int `yaml:"brightness"`
}

// Defaults are the values of an empty file.
func Defaults() Config {
	return Config{Listen: ":8080", MQTT: ":1883", Data: "/var/lib/majordome", Site: "house", Table: "table"}
}

var level = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// ReadConfig reads a file over the defaults. Errors name the file, line and column.
func ReadConfig(path string) (Config, error) {
	c := Defaults()
	text, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("configuration: %w (see the README for an example)", err)
	}
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.Strict()); err != nil {
		return c, fmt.Errorf("configuration %s: %s", path, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, nil
}

func (c *Config) check() error {
	for name, value := range map[string]string{"site": c.Site, "table": c.Table} {
		if !level.MatchString(value) {
			return fmt.Errorf("%s: %q: use 1 to 31 of a-z, 0-9 and -, beginning with a letter or digit", name, value)
		}
	}
	seen := map[string]bool{}
	for i, r := range c.Readers {
		at := fmt.Sprintf("readers[%d]", i)
		switch {
		case r.Role != engine.ReaderUrn && r.Role != engine.ReaderShow:
			return fmt.Errorf("%s.role: %q: use %s (the urn's slot) or %s (the refutation reader)", at, r.Role, engine.ReaderUrn, engine.ReaderShow)
		case seen[r.Role]:
			return fmt.Errorf("%s.role: there are two readers %q: one of each role", at, r.Role)
		case r.SPI == "":
			return fmt.Errorf("%s.spi: missing: name the bus, such as SPI1.0", at)
		}
		seen[r.Role] = true
	}
	for i, s := range c.Strips {
		at := fmt.Sprintf("strips[%d]", i)
		switch {
		case s.Chip != "ws2812" && s.Chip != "apa102":
			return fmt.Errorf("%s.chip: %q: use ws2812 or apa102", at, s.Chip)
		case s.SPI == "":
			return fmt.Errorf("%s.spi: missing: name the bus, such as SPI0.0", at)
		case s.Brightness < 0 || s.Brightness > 100:
			return fmt.Errorf("%s.brightness: %d: use 1 to 100 percent", at, s.Brightness)
		case s.BudgetMA < 0:
			return fmt.Errorf("%s.budget_ma: %d: use the milliamperes that the supply can give", at, s.BudgetMA)
		}
	}
	return nil
}
