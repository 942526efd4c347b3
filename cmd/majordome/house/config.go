package house

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

	deckAt, decksAt place  // where Deck and Decks are written
	beside          string // the folder of decks where Decks is not
	env, strange    []string
}

// place is a line and a column of a file, or a variable of the environment; none without one.
type place struct {
	file         string
	line, column int
}

// Defaults are the values of an empty file.
func Defaults() (c Config) {
	fill(reflect.ValueOf(&c).Elem(), configKeys, func(string) bool { return false })
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

// mqttAddress, httpsAddress and homeAddress return where these ports are opened; "" where the port is off.
func (c *Config) mqttAddress() string  { return c.addressOf(c.MQTT) }
func (c *Config) httpsAddress() string { return c.addressOf(c.HTTPS) }
func (c *Config) homeAddress() string  { return c.addressOf(c.Home) }

// aboutConfig is the kind of file that the faults of a configuration are about.
const aboutConfig = "configuration"

// DefaultFile is the configuration that nobody has to write: without it the defaults hold.
const DefaultFile = "/etc/majordome/majordome.yaml"

// ReadConfig reads a file over the defaults, and then the environment. Its error joins one *ownfile.Fault for
// each thing that is wrong. DefaultFile need not be there: then it is as an empty one, which the host's page may write.
func ReadConfig(path string) (Config, error) {
	text, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && path != DefaultFile {
		return Defaults(), &ownfile.Fault{File: path, About: aboutConfig, What: ownfile.Both("ce fichier n’existe pas", "there is no such file"), Err: err,
			Hint: ownfile.Both("indiquez le vôtre par --config, ou écrivez celui-ci d’après l’exemple de majordome help settings ; même vide, il suffit pour commencer", "name yours with --config, or write this one after the example of majordome help settings; even an empty one is enough to begin")}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Defaults(), err
	}
	return parse(path, text, environment())
}

// ParseConfig is ReadConfig of a text alone; name is the file's, for messages.
func ParseConfig(name string, text []byte) (Config, error) { return parse(name, text, nil) }

func parse(name string, text []byte, env []string) (Config, error) {
	c := Defaults()
	k := &checker{File: ownfile.Parse(name, text), env: map[string]string{}}
	k.About = aboutConfig
	k.Decode(&c)
	k.environ(&c, env)
	k.check(&c)
	for key, at := range map[string]*place{"$.deck": &c.deckAt, "$.decks": &c.decksAt} {
		if k.Written(key) {
			*at = k.placeOf(name, key)
		}
	}
	for i := range c.Readers {
		if r := &c.Readers[i]; strings.HasPrefix(r.Role, engine.ReaderPlace) {
			r.at = k.placeOf(name, fmt.Sprintf("$.readers[%d].role", i))
		}
	}
	for i := range c.Strips {
		s := &c.Strips[i]
		if len(s.Segments) > 0 {
			s.at = map[string]place{}
		}
		for segment := range s.Segments {
			s.at[segment] = k.placeOf(name, fmt.Sprintf("$.strips[%d].segments.%s", i, segment))
		}
	}
	c.beside = filepath.Join(filepath.Dir(name), "decks")
	return c, k.err()
}

// checker judges what was read: in the file, or of the environment.
type checker struct {
	*ownfile.File
	env     map[string]string // the variables that stand for keys, by path
	strange []*ownfile.Fault  // of the environment
}

// Written reports that somebody has given a value.
func (k *checker) Written(path string) bool { return k.env[path] != "" || k.File.Written(path) }

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
	if k.File.Written(item) || !slices.ContainsFunc(slices.Collect(maps.Keys(k.env)), said) {
		return ""
	}
	return strings.TrimSuffix(Environment+strings.ToUpper(m[1]+"_"+m[2]+"_"+strings.TrimPrefix(m[3], ".")), "_")
}

// placeOf is where the value at a path is written: in the file of that name, or in the environment.
func (k *checker) placeOf(file, path string) place {
	if name := k.variable(path); name != "" {
		return place{file: name}
	}
	line, column := k.Place(path)
	return place{file, line, column}
}

// at notes a fault at a YAML path, such as $.readers[0].role, or of the variable that stands for it.
func (k *checker) at(path string, what, hint engine.Text) {
	if name := k.variable(path); name != "" {
		k.strange = append(k.strange, &ownfile.Fault{File: name, Path: path, What: what, Hint: hint})
		return
	}
	k.Note(path, what, hint)
}

// err is nil, or all faults.
func (k *checker) err() error {
	err := k.Err()
	if len(k.strange) == 0 {
		return err
	}
	for _, f := range k.strange {
		f.About = aboutConfig
	}
	var all ownfile.Faults
	_ = errors.As(err, &all)
	return append(ownfile.Faults(k.strange), all...)
}
