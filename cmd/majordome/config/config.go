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

// Config holds the settings of majordome.yaml; configKeys gives the meaning of each key.
type Config struct {
	NetworkConfig `yaml:",inline"`

	Data            string `yaml:"data"`
	SmartHomeConfig `yaml:",inline"`

	Site     string         `yaml:"site"`
	Table    string         `yaml:"table"`
	Deck     string         `yaml:"deck"`
	Decks    string         `yaml:"decks"`
	Calm     bool           `yaml:"calm"`
	Remember int            `yaml:"remember"` // days
	Lock     int            `yaml:"lock"`     // minutes; 0: never
	Attract  int            `yaml:"attract"`  // minutes; 0: never
	Log      string         `yaml:"log"`      // a level
	Debug    string         `yaml:"debug"`    // a part of the program; "": none
	Readers  []ReaderConfig `yaml:"readers"`
	Strips   []StripConfig  `yaml:"strips"`
	Clocks   []ClockConfig  `yaml:"clocks"`
	Buttons  []ButtonConfig `yaml:"buttons"`

	HotspotConfig `yaml:",inline"`

	origins
}

// NetworkConfig holds the addresses and names under which the pages and the phones' broker are reached.
type NetworkConfig struct {
	Listen string `yaml:"listen"`
	// an address as in resolveListenAddress, or "off"; the daemon's own client then uses a loopback port chosen by the system
	MQTT    string   `yaml:"mqtt"`
	HTTPS   string   `yaml:"https"` // an address as in resolveListenAddress, or "off"
	URL     string   `yaml:"url"`
	MDNS    string   `yaml:"mdns"`    // a name without .local, or "off"
	Names   []string `yaml:"names"`   // see web.Names
	Metrics []string `yaml:"metrics"` // addresses or networks
}

// SmartHomeConfig holds the ways by which other devices and services hear what all at the table may know.
type SmartHomeConfig struct {
	Uplink    string `yaml:"uplink"`
	Account   string `yaml:"account"`
	Authority string `yaml:"authority"`

	Venue        string   `yaml:"venue"`
	VenueAccount string   `yaml:"venue_account"`
	VenueRights  []string `yaml:"venue_rights"` // commands, or "none"; empty: all

	Home      string `yaml:"home"`      // an address as in resolveListenAddress, or "off"
	Discovery string `yaml:"discovery"` // "fr", "en" or "off"
	Commands  string `yaml:"commands"`  // "off", "home", "uplink" or "both"
	Hook      string `yaml:"hook"`
	Secret    string `yaml:"secret"` // the path of the file
	Plain     bool   `yaml:"plain"`
}

// HotspotConfig holds the settings of this machine's own Wi-Fi.
type HotspotConfig struct {
	Hotspot         string `yaml:"hotspot"` // "needed", "always" or "off"
	HotspotName     string `yaml:"hotspot_name"`
	HotspotPassword string `yaml:"hotspot_password"` // "": the machine generates one
	HotspotCountry  string `yaml:"hotspot_country"`
}

// origins holds what a configuration knows of the files and variables it was read from.
type origins struct {
	deckAt, decksAt          position // positions of Deck and Decks in the file
	defaultDecksFolder       string   // the folder of decks if Decks is empty
	envPaths, unknownVars    []string // see EnvironmentPaths and UnknownVariables
	pageKeys, overridingKeys []string // see PageKeys and OverridingKeys
}

// position is a line and column of a file, or an environment variable (file is its name). The zero value means no
// position.
type position struct {
	file         string
	line, column int
}

// Defaults returns the configuration of an empty file.
func Defaults() (c Config) {
	setDefaults(reflect.ValueOf(&c).Elem(), configKeys, func(string) bool { return false })
	return c
}

// resolveListenAddress returns the address to listen at for the value of a key; "" if the value is "off". An address without a
// host gets the host of listen, so that a table that is served only on this machine stays so on its other ports.
func (c *Config) resolveListenAddress(value string) string {
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

// MQTTAddress, HTTPSAddress and HomeAddress return the addresses of these ports; "" if the port is off.
func (c *Config) MQTTAddress() string  { return c.resolveListenAddress(c.MQTT) }
func (c *Config) HTTPSAddress() string { return c.resolveListenAddress(c.HTTPS) }
func (c *Config) HomeAddress() string  { return c.resolveListenAddress(c.Home) }

// ServesSmartHome reports whether smart-home devices are served.
func (c *Config) ServesSmartHome() bool { return c.HomeAddress() != "" }

// OwnerFolder returns the folder of the owner's file; "" if there is no such file.
func (c *Config) OwnerFolder() string {
	if c.defaultDecksFolder == "" {
		return ""
	}
	return filepath.Dir(c.defaultDecksFolder)
}

// RedactedYAML returns all values as YAML, defaults included, in a form that other people may read: without comments, which
// may say anything, without UIDs of tags and without the Wi-Fi password.
func (c Config) RedactedYAML() string {
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

// HotspotRequest returns the settings of this machine's own Wi-Fi.
func (c *Config) HotspotRequest() hotspot.Request {
	return hotspot.Request{When: c.Hotspot, Name: c.HotspotName, Password: c.HotspotPassword, Country: c.HotspotCountry}
}

// aboutConfig is the kind of file that faults of a configuration name.
const aboutConfig = "configuration"

// DefaultFile is the path of the owner's file. It may be missing: then the defaults apply.
const DefaultFile = "/etc/majordome/majordome.yaml"

// layer is one file of a configuration: the owner's, or the one that the host's page writes.
type layer struct {
	name string
	text []byte
}

// PageFilePath returns the path of the file that the host's page writes. It is next to the owner's file: one name finds
// both, one copy of the folder saves both, and no key in them, such as data, moves them.
func PageFilePath(path string) string {
	kind := filepath.Ext(path)
	return strings.TrimSuffix(path, kind) + ".page" + kind
}

// ReadConfig reads the owner's file over the defaults, then the page's file, then the environment. Each key at the top
// comes from the last layer that has it, a list as a whole; the environment can also change single entries of a list. A
// key without a value in the page's file means its default. The error joins one *ownfile.Fault for each problem.
// DefaultFile and the page's file may be missing: then they count as empty.
func ReadConfig(path string) (Config, error) {
	text, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && path != DefaultFile {
		return Defaults(), &ownfile.Fault{File: path, About: aboutConfig, What: engine.T("ce fichier n’existe pas",
			"there is no such file"), Err: err,
			Hint: engine.T("indiquez le vôtre par --config, ou écrivez celui-ci d’après l’exemple de majordome help settings ; "+
				"même vide, il suffit pour commencer",
				"name yours with --config, or write this one after the example of majordome help settings; even an empty one "+
					"is enough to begin")}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Defaults(), err
	}
	page, err := ReadFile(PageFilePath(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Defaults(), err
	}
	return parseLayers(layer{path, text}, layer{PageFilePath(path), page}, osEnvironment())
}

// ParseConfig parses one text as the owner's file, without page and environment; name is the file's name for messages.
func ParseConfig(name string, text []byte) (Config, error) {
	return parseLayers(layer{name, text}, layer{}, nil)
}

// parseLayers merges the layers over the defaults and checks the result; it returns the same errors as ReadConfig.
func parseLayers(owner, page layer, env []string) (Config, error) {
	c := Defaults()
	k := &checker{owner: ownfile.Parse(owner.name, owner.text), page: ownfile.Parse(page.name, page.text), ownerName: owner.name,
		pageName: page.name, env: map[string]string{}}
	k.owner.About, k.page.About, k.pageKeys = aboutConfig, aboutConfig, k.page.TopKeys()
	k.owner.Decode(&c)
	none := Defaults()
	for _, key := range ownfile.YAMLKeys(c) {
		if !slices.Contains(k.pageKeys, key) {
			continue
		}
		fieldByKey(reflect.ValueOf(&c).Elem(), key).Set(fieldByKey(reflect.ValueOf(none), key))
		c.pageKeys = append(c.pageKeys, key)
		if k.owner.HasValue("$." + key) {
			c.overridingKeys = append(c.overridingKeys, key)
		}
	}
	k.page.Decode(&c)
	k.applyEnvironment(&c, env)
	k.setDefaultsAndCheck(&c)
	for key, at := range map[string]*position{"$.deck": &c.deckAt, "$.decks": &c.decksAt} {
		if k.hasWrittenValue(key) {
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
	c.defaultDecksFolder = filepath.Join(filepath.Dir(owner.name), "decks")
	return c, k.joinFaults()
}

// PageKeys returns the keys at the top that the page's file has, and OverridingKeys those of them that also have a
// value in the owner's file; both in the order of Config. A list counts as one key.
func (c Config) PageKeys() []string       { return c.pageKeys }
func (c Config) OverridingKeys() []string { return c.overridingKeys }

// checker checks what was read from the two files and the environment.
type checker struct {
	owner, page         *ownfile.File
	ownerName, pageName string
	pageKeys            []string          // keys at the top of the page's file
	env                 map[string]string // names of the variables that set a key, by its path
	envFaults           []*ownfile.Fault  // faults of environment variables
}

// sourceOf returns the file in which a YAML path counts: the page's file if that has the top key, else the owner's.
func (k *checker) sourceOf(path string) *ownfile.File {
	if k.isSetByPage(path) {
		return k.page
	}
	return k.owner
}

func (k *checker) isSetByPage(path string) bool { return slices.Contains(k.pageKeys, topKey(path)) }

// topKey returns the key at the top of a path such as $.readers[0].gain.
func topKey(path string) string {
	key := strings.TrimPrefix(path, "$.")
	if i := strings.IndexAny(key, ".["); i >= 0 {
		key = key[:i]
	}
	return key
}

// hasWrittenValue reports whether a file or the environment gives the path a value.
func (k *checker) hasWrittenValue(path string) bool {
	return k.env[path] != "" || k.sourceOf(path).HasValue(path)
}

// lineAndColumn returns the position of a path in its file.
func (k *checker) lineAndColumn(path string) (line, column int) {
	return k.sourceOf(path).Position(path)
}

// variableOf returns the environment variable that sets the value at a path; "" if it comes from a file. For a path in
// a list item that only the environment has, it returns the variable that could set it.
func (k *checker) variableOf(path string) string {
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
	if k.sourceOf(item).HasValue(item) || !slices.ContainsFunc(slices.Collect(maps.Keys(k.env)), said) {
		return ""
	}
	return strings.TrimSuffix(EnvPrefix+strings.ToUpper(m[1]+"_"+m[2]+"_"+strings.TrimPrefix(m[3], ".")), "_")
}

// positionOf returns the position of the value at a path: in one of the files or in the environment.
func (k *checker) positionOf(path string) position {
	if name := k.variableOf(path); name != "" {
		return position{file: name}
	}
	name := k.ownerName
	if k.isSetByPage(path) {
		name = k.pageName
	}
	line, column := k.lineAndColumn(path)
	return position{name, line, column}
}

// addFault notes a fault at a YAML path, such as $.readers[0].role, or at the variable that sets it.
func (k *checker) addFault(path string, what, hint engine.Text) {
	if name := k.variableOf(path); name != "" {
		k.envFaults = append(k.envFaults, &ownfile.Fault{File: name, Path: path, What: what, Hint: hint})
		return
	}
	k.sourceOf(path).AddFault(path, what, hint)
}

// joinFaults returns nil, or the faults of the environment, of the owner's file and of the page's file, at most
// ownfile.MaxFaults.
func (k *checker) joinFaults() error {
	for _, f := range k.envFaults {
		f.About = aboutConfig
	}
	all := ownfile.Faults(k.envFaults)
	for _, f := range []*ownfile.File{k.owner, k.page} {
		var its ownfile.Faults
		if errors.As(f.Err(), &its) {
			all = append(all, its...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all.Limit(ownfile.MaxFaults)
}
