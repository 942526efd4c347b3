package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"majordome/cmd/majordome/network/hotspot"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Config is what the owner writes in majordome.yaml; configKeys says what each key means.
type Config struct {
	Listen    string         `yaml:"listen"`
	MQTT      string         `yaml:"mqtt"`  // see addressOf, or "off": the daemon's own client uses a loopback port of the system's choice
	HTTPS     string         `yaml:"https"` // likewise
	URL       string         `yaml:"url"`
	MDNS      string         `yaml:"mdns"`    // a name without .local, or "off"
	Names     []string       `yaml:"names"`   // see web.Names
	Metrics   []string       `yaml:"metrics"` // addresses or networks
	Data      string         `yaml:"data"`
	Uplink    string         `yaml:"uplink"`
	Account   string         `yaml:"account"`
	Authority string         `yaml:"authority"`
	Home      string         `yaml:"home"`      // likewise
	Discovery string         `yaml:"discovery"` // "fr", "en" or "off"
	Commands  string         `yaml:"commands"`  // "off", "home", "uplink" or "both"
	Hook      string         `yaml:"hook"`
	Secret    string         `yaml:"secret"` // the file
	Plain     bool           `yaml:"plain"`
	Site      string         `yaml:"site"`
	Table     string         `yaml:"table"`
	Deck      string         `yaml:"deck"`
	Decks     string         `yaml:"decks"`
	Calm      bool           `yaml:"calm"`
	Remember  int            `yaml:"remember"` // days
	Lock      int            `yaml:"lock"`     // minutes; 0: never
	Attract   int            `yaml:"attract"`  // likewise
	Log       string         `yaml:"log"`      // a level
	Debug     string         `yaml:"debug"`    // a part; "": none
	Readers   []ReaderConfig `yaml:"readers"`
	Strips    []StripConfig  `yaml:"strips"`
	Clocks    []ClockConfig  `yaml:"clocks"`
	Buttons   []ButtonConfig `yaml:"buttons"`

	Hotspot         string `yaml:"hotspot"` // "needed", "always" or "off"
	HotspotName     string `yaml:"hotspot_name"`
	HotspotPassword string `yaml:"hotspot_password"` // "": the machine has made one
	HotspotCountry  string `yaml:"hotspot_country"`

	deckAt, decksAt position // where Deck and Decks are written
	beside          string   // the folder of decks where Decks is not
	env, strange    []string
	page, over      []string // keys of the page's file, and those that the hand's has, too
}

// position is a line and a column of a file, or a variable of the environment; its zero value is no place.
type position struct {
	file         string
	line, column int
}

// Defaults are the values of an empty file.
func Defaults() (c Config) {
	setDefaults(reflect.ValueOf(&c).Elem(), configKeys, func(string) bool { return false })
	return c
}

// addressOf gives the address of a port that may be off, as one of the keys has it: one without a host is on that of listen, so that what is
// opened for this machine alone stays so. It returns "" where the port is off.
func (c *Config) addressOf(value string) string {
	if value == "off" {
		return ""
	}
	host, port, err := net.SplitHostPort(value)
	if err != nil || host != "" {
		return value
	}
	if host, _, err = net.SplitHostPort(c.Listen); err != nil {
		return value
	}
	return net.JoinHostPort(host, port)
}

// MQTTAddress, HTTPSAddress and HomeAddress return where these ports are opened; "" where the port is off.
func (c *Config) MQTTAddress() string  { return c.addressOf(c.MQTT) }
func (c *Config) HTTPSAddress() string { return c.addressOf(c.HTTPS) }
func (c *Config) HomeAddress() string  { return c.addressOf(c.Home) }

// ServesDevices reports that the devices of the house are served.
func (c *Config) ServesDevices() bool { return c.HomeAddress() != "" }

// Folder returns the folder of the file of a hand; "" where there is no such file.
func (c *Config) Folder() string {
	if c.beside == "" {
		return ""
	}
	return filepath.Dir(c.beside)
}

// Redacted returns the values that hold as YAML, also those that nobody wrote, for somebody else to read: without comments, which may say
// anything, and without the numbers of tags and the password of the Wi-Fi.
func (c Config) Redacted() string {
	if c.HotspotPassword != "" {
		c.HotspotPassword = "..."
	}
	c.Buttons = slices.Clone(c.Buttons)
	for i := range c.Buttons {
		if c.Buttons[i].Tag != "" {
			c.Buttons[i].Tag = "..."
		}
	}
	text, err := ownfile.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// HotspotWish returns what is wished of the Wi-Fi of this machine's own.
func (c *Config) HotspotWish() hotspot.Wish {
	return hotspot.Wish{When: c.Hotspot, Name: c.HotspotName, Password: c.HotspotPassword, Country: c.HotspotCountry}
}

// aboutConfig is the kind of file that the faults of a configuration are about.
const aboutConfig = "configuration"

// DefaultFile is the configuration that nobody has to write: without it the defaults hold.
const DefaultFile = "/etc/majordome/majordome.yaml"

// layer is a file of a configuration: the one that a hand writes, or the one that the host's page writes.
type layer struct {
	name string
	text []byte
}

// PageFile is where the host's page writes what it keeps: beside the file that a hand writes, so that both are found by one name, saved by one
// copy of their folder, and neither moves with a key that stands in them, such as data.
func PageFile(path string) string {
	kind := filepath.Ext(path)
	return strings.TrimSuffix(path, kind) + ".page" + kind
}

// ReadConfig reads the file of a hand over the defaults, then the page's own, and then the environment. Each key at the top comes from the
// last of them that has it, a list as a whole; the environment also changes single entries. A key without a value in the page's file stands
// for what holds where nobody has written it. Its error joins one *ownfile.Fault for
// each thing that is wrong. DefaultFile need not be there: then it is as an empty one. Neither need the page's.
func ReadConfig(path string) (Config, error) {
	text, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && path != DefaultFile {
		return Defaults(), &ownfile.Fault{File: path, About: aboutConfig, What: engine.T("ce fichier n’existe pas", "there is no such file"), Err: err,
			Hint: engine.T("indiquez le vôtre par --config, ou écrivez celui-ci d’après l’exemple de majordome help settings ; même vide, il suffit pour commencer", "name yours with --config, or write this one after the example of majordome help settings; even an empty one is enough to begin")}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Defaults(), err
	}
	page, err := ReadFile(PageFile(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Defaults(), err
	}
	return parse(layer{path, text}, layer{PageFile(path), page}, environment())
}

// ParseConfig is ReadConfig of a text alone; name is the file's, for messages.
func ParseConfig(name string, text []byte) (Config, error) {
	return parse(layer{name, text}, layer{}, nil)
}

func parse(hand, page layer, env []string) (Config, error) {
	c := Defaults()
	k := &checker{hand: ownfile.Parse(hand.name, hand.text), page: ownfile.Parse(page.name, page.text), handName: hand.name, pageName: page.name, env: map[string]string{}}
	k.hand.About, k.page.About, k.pageKeys = aboutConfig, aboutConfig, k.page.Keys()
	k.hand.Decode(&c)
	none := Defaults()
	for _, key := range ownfile.KeysOf(c) {
		if !slices.Contains(k.pageKeys, key) {
			continue
		}
		field(reflect.ValueOf(&c).Elem(), key).Set(field(reflect.ValueOf(none), key))
		c.page = append(c.page, key)
		if k.hand.Written("$." + key) {
			c.over = append(c.over, key)
		}
	}
	k.page.Decode(&c)
	k.readEnvironment(&c, env)
	k.checkAll(&c)
	for key, at := range map[string]*position{"$.deck": &c.deckAt, "$.decks": &c.decksAt} {
		if k.Written(key) {
			*at = k.positionOf(key)
		}
	}
	for i := range c.Readers {
		if r := &c.Readers[i]; strings.HasPrefix(r.Role, engine.ReaderPlace) {
			r.at = k.positionOf(fmt.Sprintf("$.readers[%d].role", i))
		}
	}
	for i := range c.Strips {
		s := &c.Strips[i]
		if len(s.Segments) > 0 {
			s.at = map[string]position{}
		}
		for segment := range s.Segments {
			s.at[segment] = k.positionOf(fmt.Sprintf("$.strips[%d].segments.%s", i, segment))
		}
	}
	c.beside = filepath.Join(filepath.Dir(hand.name), "decks")
	return c, k.err()
}

// FromPage are the keys at the top that the page's file has, and OverHand those of them that have a value in the file of a hand, too, in the
// order of Config. A list counts as one.
func (c Config) FromPage() []string { return c.page }
func (c Config) OverHand() []string { return c.over }

// checker judges what was read: in the two files, or of the environment.
type checker struct {
	hand, page         *ownfile.File
	handName, pageName string
	pageKeys           []string          // at the top of the page's file
	env                map[string]string // the variables that stand for keys, by path
	strange            []*ownfile.Fault  // of the environment
}

// file returns the file that a path is written in: the page's where that has its key at the top, else the hand's.
func (k *checker) file(path string) *ownfile.File {
	if k.onPage(path) {
		return k.page
	}
	return k.hand
}

func (k *checker) onPage(path string) bool { return slices.Contains(k.pageKeys, topKey(path)) }

// topKey returns the key at the top of a path such as $.readers[0].gain.
func topKey(path string) string {
	key := strings.TrimPrefix(path, "$.")
	if i := strings.IndexAny(key, ".["); i >= 0 {
		key = key[:i]
	}
	return key
}

// Written reports that somebody has given a value.
func (k *checker) Written(path string) bool { return k.env[path] != "" || k.file(path).Written(path) }

// Place is where a path is written in its file.
func (k *checker) Place(path string) (line, column int) { return k.file(path).Place(path) }

// variable is the one that a value at a YAML path comes from, or would come from in what the environment alone has
// said; "": the file.
func (k *checker) variable(path string) string {
	if name := k.env[path]; name != "" {
		return name
	}
	m := itemPath.FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	if name := k.env["$."+m[1]]; name != "" { // a list of texts
		return name
	}
	item := strings.TrimSuffix(path, m[3])
	said := func(at string) bool { return strings.HasPrefix(at, item+".") }
	if k.file(item).Written(item) || !slices.ContainsFunc(slices.Collect(maps.Keys(k.env)), said) {
		return ""
	}
	return strings.TrimSuffix(Environment+strings.ToUpper(m[1]+"_"+m[2]+"_"+strings.TrimPrefix(m[3], ".")), "_")
}

// positionOf returns where the value at a path is written: in one of the files, or in the environment.
func (k *checker) positionOf(path string) position {
	if name := k.variable(path); name != "" {
		return position{file: name}
	}
	name := k.handName
	if k.onPage(path) {
		name = k.pageName
	}
	line, column := k.Place(path)
	return position{name, line, column}
}

// addFault notes a fault at a YAML path, such as $.readers[0].role, or of the variable that stands for it.
func (k *checker) addFault(path string, what, hint engine.Text) {
	if name := k.variable(path); name != "" {
		k.strange = append(k.strange, &ownfile.Fault{File: name, Path: path, What: what, Hint: hint})
		return
	}
	k.file(path).Note(path, what, hint)
}

// err is nil, or all faults: of the environment, of the file of a hand, of the page's.
func (k *checker) err() error {
	for _, f := range k.strange {
		f.About = aboutConfig
	}
	all := ownfile.Faults(k.strange)
	for _, f := range []*ownfile.File{k.hand, k.page} {
		var its ownfile.Faults
		if errors.As(f.Err(), &its) {
			all = append(all, its...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all.First(ownfile.MaxFaults)
}
