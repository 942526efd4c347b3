package house

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"majordome/cmd/majordome/manual"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Setup is the configuration of a table as its owner changes it on the host's page. It outlives a House: the one that runs is told by
// attach. Each change is done to a draft, whose faults the page shows; Keep writes it as a hand would have. It is safe for concurrent use.
//
//  1. draft is text, the file as it was last seen, with changes done to it in their order.
//  2. The file is written whole or not at all, and only if it still holds text; the one before stays beside it, with .old.
//
// What may leak: nothing but to an owner. Limits: maxChanges of a draft, maxListed in a list.
type Setup struct {
	path   string
	opts   SetupOpts
	reload func() // the running House looks, shows and applies; nil: none runs

	mu        sync.Mutex
	text      []byte // of the file; nil: there is none
	stamp     stamp  // when it was read
	seen      stamp  // at the last look
	unread    error  // why it could not be, though it is there
	changes   []change
	draft     []byte
	judged    Config // what the draft says
	faults    []wire.SettingFault
	news      []engine.Text
	byHand    string
	mend      string
	running   Config
	kept      Config // what the file says, without the draft
	apart     step   // of the two
	refused   []byte // a text by which no table could be opened, and why
	refusal   []wire.SettingFault
	devices   []wire.SettingFault // those that could not be opened
	useless   []wire.SettingFault // those that were opened, and are of no use
	searching bool                // for devices
	found     []wire.Found
	wish      bool // the host wants what was kept to hold at once
	proof     *proof
	said      map[decked]error // by Judge
}

// SetupOpts are what a Setup asks others for.
type SetupOpts struct {
	// Judge says what is wrong with a configuration beyond its text, such as a deck that is none; nil: nothing.
	Judge func(Config) error
	// Find looks for devices, for up to a minute; nil: none are looked for.
	Find func(Config) []wire.Found
	// AskPort asks one serial port of those found what is there, for some seconds; nil: none is asked.
	AskPort func(c Config, port string) []wire.Found
	// Hotspot is the one that the settings are of.
	Hotspot Hotspot
}

const (
	maxChanges = 64
	maxShown   = 128         // bytes of a path that is shown: no key has a longer one
	setupEvery = time.Second // how often the file is looked at
)

// change is one that the host has made. was is what stood there.
type change struct {
	list  string // where one is added; "" otherwise
	path  string
	value any
	was   string
}

type stamp struct {
	when time.Time
	size int64
}

// NewSetup is that of a file, which need not be there.
func NewSetup(path string, o SetupOpts) *Setup {
	s := &Setup{path: path, opts: o, said: map[decked]error{}}
	s.sweep()
	s.look()
	return s
}

// sweep takes away what a power cut has left of a file that was being written; durably calls it so.
func (s *Setup) sweep() {
	file, dir := s.folder()
	for _, name := range []string{file, file + ".old"} {
		left := regexp.MustCompile(`^\.` + regexp.QuoteMeta(filepath.Base(name)) + `\.[0-9]+$`)
		all, _ := os.ReadDir(dir) // one that is not there has none
		for _, e := range all {
			if left.MatchString(e.Name()) && e.Type().IsRegular() {
				_ = os.Remove(filepath.Join(dir, e.Name())) // a folder that cannot be written to: nothing is lost
			}
		}
	}
}

// attach tells what a House runs by. reload is called when something has changed, and must not block.
func (s *Setup) attach(running Config, devices []wire.SettingFault, reload func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.devices, s.useless, s.reload, s.wish, s.found = running, devices, nil, reload, false, nil
	if s.proof != nil && s.proof.listen == running.Listen {
		s.proof.until = time.Now().Add(proveWithin)
	}
	s.weigh()
}

// onDevices takes what is wrong now with the devices that were opened.
func (s *Setup) onDevices(faults []wire.SettingFault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.useless = faults
}

// look reads the file if it is another one than last time, and does the host's changes to it anew; it reports whether
// that was so. One that changes is read at the look after: who writes it may not be done.
func (s *Setup) look() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := stamp{}
	if info, err := os.Stat(s.path); err == nil {
		now = stamp{info.ModTime(), info.Size()}
	}
	still := now == s.seen
	s.seen = now
	if s.draft != nil && (now == s.stamp && s.unread == nil || !still) {
		return false
	}
	s.stamp = now
	return s.read()
}

// read does that whatever the time of the file says. mu is held.
func (s *Setup) read() bool {
	text, err := ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	if s.unread = err; err != nil && s.draft != nil {
		s.tell(ownfile.Both("Le fichier ne peut pas être lu ; ce qui y était vaut encore, et rien n’y est écrit.", "The file cannot be read; what was in it still holds, and nothing is written to it."))
		return false
	}
	if s.draft != nil && string(text) == string(s.text) {
		return false
	}
	first := s.draft == nil
	clear(s.said)
	s.text, s.byHand, s.mend, s.draft = text, "", "", slices.Concat(text)
	if s.draft == nil {
		s.draft = []byte{}
	}
	if !first {
		s.tell(ownfile.Both("Le fichier a été changé à la main ; la page montre ce qui y est.", "The file was changed by hand; the page shows what is in it."))
	}
	s.again()
	s.weigh()
	return true
}

// again does the changes to the file as it is now. One whose place looks otherwise than it did when it was made is given up, and told. mu is held.
func (s *Setup) again() {
	changes := s.changes
	s.changes = nil
	for _, c := range changes {
		if !s.replay(c) {
			what := strings.TrimPrefix(c.path, "$.")
			s.tell(ownfile.Bothf("Le fichier a été changé au même endroit : votre %[1]s = %[2]s n’y est pas.", "The file was changed in the same place: your %[1]s = %[2]s is not in it.", what, shownValue(c.value)))
		}
	}
	s.judge()
}

func shownValue(v any) string {
	if v == nil {
		return "—"
	}
	return ownfile.Quote(fmt.Sprint(v))
}

func (s *Setup) tell(t engine.Text) {
	if !slices.Contains(s.news, t) {
		s.news = append(s.news, t)
	}
	s.news = s.news[max(0, len(s.news)-4):]
}

var itemPath = regexp.MustCompile(`^\$\.([a-z]+)\[([0-9]+)\](.*)$`)

// replay does a change to the draft, at the place that it was made for. mu is held.
func (s *Setup) replay(c change) bool {
	now := s.config()
	if c.list != "" {
		list := field(reflect.ValueOf(&now).Elem(), c.list)
		c.path = fmt.Sprintf("$.%s[%d]", c.list, list.Len())
	} else if m := itemPath.FindStringSubmatch(c.path); m != nil && s.printed(now, c.path) != c.was {
		list, moved := field(reflect.ValueOf(&now).Elem(), m[1]), false
		for i := range list.Len() {
			if at := fmt.Sprintf("$.%s[%d]", m[1], i); s.printed(now, at) == c.was {
				c.path, moved = at+m[3], true
				break
			}
		}
		if !moved {
			return false
		}
	} else if m == nil && s.printed(now, c.path) != c.was {
		return false
	}
	after, err := ownfile.Rewrite(s.draft, ownfile.Change{Path: c.path, Value: c.value})
	if err != nil {
		s.tell(ownfile.Both("Le fichier est écrit d’une façon que seule une main peut changer ici.", "The file is written in a way that only a hand can change here."))
		return false
	}
	s.draft = after
	s.changes = append(s.changes, c)
	return true
}

// config is what the draft says, the environment left out.
func (s *Setup) config() Config {
	c, _ := ParseConfig(s.path, s.draft)
	return c
}

// printed is what stands in a place: of a key at the top its value, of anything in a list all of that one.
func (s *Setup) printed(c Config, path string) string {
	of := reflect.ValueOf(plainConfig(c))
	if m := itemPath.FindStringSubmatch(path); m != nil {
		list, n := field(of, m[1]), 0
		if n, _ = strconv.Atoi(m[2]); n >= list.Len() {
			return ""
		}
		return fmt.Sprintf("%+v", list.Index(n))
	}
	return fmt.Sprintf("%+v", field(of, strings.TrimPrefix(path, "$.")))
}

// judge says what is wrong with the draft. mu is held.
func (s *Setup) judge() {
	c, err := parse(s.path, s.draft, environment())
	s.judged, s.faults = c, nil
	if err == nil {
		err = s.beyond(c)
	}
	s.faults = faultsOf(err)
}

// decked is what Judge looks at: which decks a configuration names, and where.
type decked struct {
	deck, decks, beside string
	deckAt, decksAt     place
}

// beyond is what Judge says. It reads files, which nobody waits for at each letter: it is asked again when
// other decks are named, when the file has changed, and before it is written. mu is held.
func (s *Setup) beyond(c Config) error {
	if s.opts.Judge == nil {
		return nil
	}
	of := decked{c.Deck, c.Decks, c.beside, c.deckAt, c.decksAt}
	err, known := s.said[of]
	if !known {
		err = s.opts.Judge(c)
		if len(s.said) >= 2 { // of the file, and of the draft
			clear(s.said)
		}
		s.said[of] = err
	}
	return err
}

// faultsOf are the faults of an error, one by one.
func faultsOf(err error) (all []wire.SettingFault) {
	if err == nil {
		return nil
	}
	if f, is := err.(*ownfile.Fault); is {
		return []wire.SettingFault{{Path: strings.TrimPrefix(f.Path, "$."), Said: placed(f), Fix: f.Hint, Help: manual.OfFault(f, aboutConfig)}}
	}
	if t, is := err.(interface{ Text() engine.Text }); is {
		return []wire.SettingFault{{Said: t.Text()}}
	}
	if several, is := err.(interface{ Unwrap() []error }); is {
		for _, e := range several.Unwrap() {
			all = append(all, faultsOf(e)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil {
		return faultsOf(inner)
	}
	return []wire.SettingFault{{Said: ownfile.Both(err.Error(), err.Error())}}
}

// placed is what a fault says, with its line where no key is named, or the variable or file that it is about.
func placed(f *ownfile.Fault) engine.Text {
	if f.Path != "" {
		return f.What
	}
	if f.Line == 0 {
		at := ownfile.Tail(f.File)
		return ownfile.Both(at+" : "+f.What.FR, at+": "+f.What.EN)
	}
	return ownfile.Bothf("ligne %[1]d : %[2]s", "line %[1]d: %[3]s", f.Line, f.What.FR, f.What.EN)
}

// kindOf is the type of the value at a path, such as $.readers[0].gain; ok is false where no key is.
func kindOf(path string) (t reflect.Type, ok bool) {
	rest, ok := strings.CutPrefix(path, "$")
	t = reflect.TypeFor[Config]()
	for ok && rest != "" {
		switch {
		case rest[0] == '.' && t.Kind() == reflect.Struct:
			i := strings.IndexAny(rest[1:], ".[")
			if i < 0 {
				i = len(rest) - 1
			}
			key := rest[1 : i+1]
			rest, ok = rest[i+1:], false
			for n := range t.NumField() {
				if f := t.Field(n); f.Tag.Get("yaml") == key && key != "" {
					t, ok = f.Type, true
					break
				}
			}
		case rest[0] == '.' && t.Kind() == reflect.Map:
			name := rest[1:]
			t, rest, ok = t.Elem(), "", segmentKey.MatchString(name)
		case rest[0] == '[' && t.Kind() == reflect.Slice:
			digits, after, closed := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(digits)
			t, rest, ok = t.Elem(), after, closed && err == nil && n >= 0 && n < maxListed && digits == strconv.Itoa(n) // not +0
		default:
			ok = false
		}
	}
	return t, ok
}

var segmentKey = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// valued is a value as it is written for a key of this type; text that is none stays text, and is a fault of the draft.
func valued(t reflect.Type, text string) any {
	if text == "" {
		return nil
	}
	switch t.Kind() {
	case reflect.Int:
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	case reflect.Bool:
		if text == "true" || text == "false" {
			return text == "true"
		}
	}
	return text
}

// folder is where the file is, behind what links there are.
func (s *Setup) folder() (file, dir string) {
	file = s.path
	if real, err := filepath.EvalSymlinks(s.path); err == nil {
		file = real
	}
	if whole, err := filepath.Abs(file); err == nil {
		file = whole
	}
	return file, filepath.Dir(file)
}
