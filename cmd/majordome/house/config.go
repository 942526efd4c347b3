package house

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// Config is what the owner writes in majordome.yaml; configKeys says what each key means.
type Config struct {
	Listen  string         `yaml:"listen"`
	MQTT    string         `yaml:"mqtt"`  // "off": the daemon's own client then still uses a loopback port of the system's choice
	HTTPS   string         `yaml:"https"` // or "off"
	URL     string         `yaml:"url"`
	MDNS    string         `yaml:"mdns"`    // a name without .local, or "off"
	Names   []string       `yaml:"names"`   // see web.Names
	Metrics []string       `yaml:"metrics"` // addresses or networks
	Data    string         `yaml:"data"`
	Site    string         `yaml:"site"`
	Table   string         `yaml:"table"`
	Deck    string         `yaml:"deck"`
	Decks   string         `yaml:"decks"`
	Calm    bool           `yaml:"calm"`
	Readers []ReaderConfig `yaml:"readers"`
	Strips  []StripConfig  `yaml:"strips"`
	Clocks  []ClockConfig  `yaml:"clocks"`
	Buttons []ButtonConfig `yaml:"buttons"`

	deckAt, decksAt place  // where Deck and Decks are written
	beside          string // the folder of decks where Decks is not
	env, strange    []string
}

// place is a line and a column of a file; none without one.
type place struct {
	file         string
	line, column int
}

// Defaults are the values of an empty file.
func Defaults() (c Config) {
	fill(reflect.ValueOf(&c).Elem(), configKeys, func(string) bool { return false })
	return c
}

// DefaultFile is the configuration that nobody has to write: without it the defaults hold.
const DefaultFile = "/etc/majordome/majordome.yaml"

// ReadConfig reads a file over the defaults, and then the environment. Its error joins one *ownfile.Fault for
// each thing that is wrong. DefaultFile need not be there: then it is as an empty one, which the host's page may write.
func ReadConfig(path string) (Config, error) {
	text, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && path != DefaultFile {
		return Defaults(), &ownfile.Fault{File: path, What: ownfile.Both("ce fichier n’existe pas", "there is no such file"), Err: err,
			Hint: ownfile.Both("indiquez le vôtre par --config, ou écrivez celui-ci d’après l’exemple du README ; même vide, il suffit pour commencer", "name yours with --config, or write this one after the example of the README; even an empty one is enough to begin")}
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
	k.Decode(&c)
	k.environ(&c, env)
	k.check(&c)
	for key, at := range map[string]*place{"$.deck": &c.deckAt, "$.decks": &c.decksAt} {
		if line, column := k.Place(key); k.File.Written(key) {
			*at = place{name, line, column}
		}
	}
	for i := range c.Readers {
		if r := &c.Readers[i]; strings.HasPrefix(r.Role, engine.ReaderPlace) {
			line, column := k.Place(fmt.Sprintf("$.readers[%d].role", i))
			r.at = place{name, line, column}
		}
	}
	for i := range c.Strips {
		s := &c.Strips[i]
		if len(s.Segments) > 0 {
			s.at = map[string]place{}
		}
		for segment := range s.Segments {
			line, column := k.Place(fmt.Sprintf("$.strips[%d].segments.%s", i, segment))
			s.at[segment] = place{name, line, column}
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

// at notes a fault at a YAML path, such as $.readers[0].role, or of the variable that stands for it.
func (k *checker) at(path string, what, hint engine.Text) {
	of := path
	if list, _, entry := strings.Cut(path, "["); entry && strings.HasSuffix(path, "]") {
		of = list // of a list of texts
	}
	if name := k.env[of]; name != "" {
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
	var all ownfile.Faults
	_ = errors.As(err, &all)
	return append(ownfile.Faults(k.strange), all...)
}
