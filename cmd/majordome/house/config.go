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
	MQTT    string         `yaml:"mqtt"` // "off": the daemon's own client then still uses a loopback port of the system's choice
	URL     string         `yaml:"url"`
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
	for key, at := range map[string]*place{"$.deck": &c.deckAt, "$.decks": &c.decksAt} {
		if line, column := k.Place(key); k.Written(key) {
			*at = place{name, line, column}
		}
	}
	for i := range c.Readers {
		if r := &c.Readers[i]; strings.HasPrefix(r.Role, engine.ReaderPlace) {
			line, column := k.Place(fmt.Sprintf("$.readers[%d].role", i))
			r.at = place{name, line, column}
		}
	}
	c.beside = filepath.Join(filepath.Dir(name), "decks")
	return c, k.Err()
}

// checker judges what was read.
type checker struct{ *ownfile.File }

// at notes a fault at a YAML path, such as $.readers[0].role.
func (k *checker) at(path string, what, hint engine.Text) { k.Note(path, what, hint) }
