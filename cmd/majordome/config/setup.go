package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"majordome/cmd/majordome/manual"
	"majordome/cmd/majordome/network/hotspot"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Setup is the configuration of a table as its owner changes it on the host's page. It outlives a House: the one that runs is told by
// Attach. The file of a hand is read and never written; what the page keeps is a file of its own (PageFile), which wins over it key by
// key. Each change is done to a draft of that file, whose faults the page shows; Keep writes it. It is safe for concurrent use.
//
//  1. draft and kept are trees of values; draft is kept with the changes that were not kept yet.
//  2. The page's file is written whole or not at all; the one before stays beside it, with .old.
//
// What may leak: nothing but to an owner. Limits: ownfile.MaxBytes for the draft as a file, maxListed in a list.
type Setup struct {
	opts   SetupOpts
	reload func() // the running House looks, shows and applies; nil: none runs

	mu         sync.Mutex
	hand, page file
	kept       []ownfile.Pair // what the page's file says
	draft      []ownfile.Pair
	judged     Config // what holds by the draft
	faults     []wire.Finding
	news       []engine.Text
	byHand     string
	mend       string
	running    Config
	sound      Config // what holds by the files, without the draft
	apart      step   // of running and sound
	refused    string // the texts of the files by which no table could be opened, and why
	refusal    []wire.Finding
	devices    []wire.Finding // those that could not be opened
	useless    []wire.Finding // those that were opened, and are of no use
	searching  bool           // for devices
	found      []wire.Found
	wish       bool // the host wants what was kept to hold at once
	proof      *proof
	said       map[decked]error // by Judge
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
	Hotspot hotspot.Hotspot
}

const (
	maxShown   = 128 // bytes of a path that is shown: no key has a longer one
	maxSummary = 160 // characters of what is told of a list
)

// file is one of the two files as it was last read.
type file struct {
	layer
	read   bool  // at all
	stamp  stamp // when it was
	seen   stamp // at the last look
	unread error // why it could not be, though it is there
}

type stamp struct {
	when time.Time
	size int64
}

func stampOf(path string) (s stamp) {
	if info, err := os.Stat(path); err == nil {
		s = stamp{info.ModTime(), info.Size()}
	}
	return s
}

// look reads the file if it is another one than last time, and reports whether its text is. One that changes is read at the look after: who
// writes it may not be done.
func (f *file) look() bool {
	now := stampOf(f.name)
	still := now == f.seen
	f.seen = now
	if f.read && (now == f.stamp && f.unread == nil || !still) {
		return false
	}
	f.stamp = now
	return f.again()
}

// again does that whatever the time of the file says. What cannot be read leaves the text that was there.
func (f *file) again() bool {
	text, err := ReadFile(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	changed := !f.read || string(text) != string(f.text)
	f.read, f.unread = true, err
	if err != nil || !changed {
		return false
	}
	f.text = text
	return true
}

// NewSetup is that of the file of a hand, which need not be there.
func NewSetup(path string, o SetupOpts) *Setup {
	s := &Setup{opts: o, said: map[decked]error{}}
	s.hand.name, s.page.name = path, PageFile(path)
	s.sweep()
	s.hand.look()
	s.page.look()
	s.kept, _ = ownfile.Parse(s.page.name, s.page.text).Tree()
	s.draft = s.kept
	s.judge()
	s.weigh()
	return s
}

// sweep takes away what a power cut has left of a file that was being written; durably calls it so.
func (s *Setup) sweep() {
	dir := filepath.Dir(s.page.name)
	for _, name := range []string{s.page.name, s.page.name + ".old"} {
		left := regexp.MustCompile(`^\.` + regexp.QuoteMeta(filepath.Base(name)) + `\.[0-9]+$`)
		all, _ := os.ReadDir(dir) // one that is not there has none
		for _, e := range all {
			if left.MatchString(e.Name()) && e.Type().IsRegular() {
				_ = os.Remove(filepath.Join(dir, e.Name())) // a folder that cannot be written to: nothing is lost
			}
		}
	}
}

// Attach tells what a House runs by. reload is called when something has changed, and must not block.
func (s *Setup) Attach(running Config, devices []wire.Finding, reload func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.devices, s.useless, s.reload, s.wish, s.found = running, devices, nil, reload, false, nil
	if s.proof != nil && s.proof.listen == running.Listen {
		s.proof.until = time.Now().Add(proveWithin)
	}
	s.weigh()
}

// OnDevices takes what is wrong now with the devices that were opened.
func (s *Setup) OnDevices(faults []wire.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.useless = faults
}

// Look reads the files if they are others than last time, and reports whether that was so.
func (s *Setup) Look() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	hand, page := s.hand.look(), s.page.look() // each has its own time
	return s.take(hand, page)
}

// take lets what was read of the files hold that have changed, and tells it. mu is held.
func (s *Setup) take(hand, page bool) bool {
	if s.hand.unread != nil {
		s.tell(ownfile.Both("Le fichier ne peut pas être lu ; ce qui y était vaut encore.", "The file cannot be read; what was in it still holds."))
	}
	unread := s.page.unread != nil
	if page {
		tree, ok := ownfile.Parse(s.page.name, s.page.text).Tree()
		if page, unread = ok, !ok; ok {
			s.kept, s.draft = tree, tree
			s.tell(ownfile.Both("Le fichier de cette page est un autre ; la page montre ce qui y est.", "The file of this page is another one; the page shows what is in it."))
		}
	}
	if unread {
		s.tell(ownfile.Both("Le fichier de cette page ne peut pas être lu ; ce qui y était vaut encore.", "The file of this page cannot be read; what was in it still holds."))
	}
	if !hand && !page {
		return false
	}
	clear(s.said)
	s.byHand, s.mend = "", ""
	if hand {
		s.tell(ownfile.Both("Le fichier a été changé à la main ; la page montre ce qui y est.", "The file was changed by hand; the page shows what is in it."))
	}
	s.judge()
	s.weigh()
	return true
}

func (s *Setup) tell(t engine.Text) {
	if !slices.Contains(s.news, t) {
		s.news = append(s.news, t)
	}
	s.news = s.news[max(0, len(s.news)-4):]
}

// handTree is what the file of a hand says, as far as it can be read. mu is held.
func (s *Setup) handTree() []ownfile.Pair {
	tree, _ := ownfile.Parse(s.hand.name, s.hand.text).Tree()
	return tree
}

// asFile is a tree as the page's file.
func (s *Setup) asFile(tree []ownfile.Pair) layer {
	by := filepath.Base(s.hand.name)
	head := "# Écrit en entier par la page de l’hôte, à chaque fois : ce qui est ici l’emporte sur " + by + ", qui est à vous.\n" +
		"# Written whole by the host's page, each time: what stands here wins over " + by + ", which is yours.\n"
	return layer{s.page.name, append([]byte(head), ownfile.Text(tree)...)}
}

// judge says what is wrong with the draft. mu is held.
func (s *Setup) judge() {
	c, err := parse(s.hand.layer, s.asFile(s.draft), environment())
	s.judged, s.faults = c, nil
	if err == nil {
		err = s.beyond(c)
	}
	s.faults = s.faultsOf(err)
}

// decked is what Judge looks at: which decks a configuration names, and where.
type decked struct {
	deck, decks, beside string
	deckAt, decksAt     place
}

// beyond is what Judge says. It reads files, which nobody waits for at each letter: it is asked again when
// other decks are named, when a file has changed, and before it is written. mu is held.
func (s *Setup) beyond(c Config) error {
	if s.opts.Judge == nil {
		return nil
	}
	of := decked{c.Deck, c.Decks, c.beside, c.deckAt, c.decksAt}
	err, known := s.said[of]
	if !known {
		err = s.opts.Judge(c)
		if len(s.said) >= 2 { // of the files, and of the draft
			clear(s.said)
		}
		s.said[of] = err
	}
	return err
}

// faultsOf are the faults of an error, one by one.
func (s *Setup) faultsOf(err error) (all []wire.Finding) {
	if err == nil {
		return nil
	}
	if f, is := err.(*ownfile.Fault); is {
		return []wire.Finding{{About: aboutConfig, State: wire.StateFault, Said: s.placed(f), Fix: f.Hint, Where: strings.TrimPrefix(f.Path, "$."), Help: manual.OfFault(f, aboutConfig)}}
	}
	if t, is := err.(interface{ Text() engine.Text }); is {
		return []wire.Finding{{About: aboutConfig, State: wire.StateFault, Said: t.Text()}}
	}
	if several, is := err.(interface{ Unwrap() []error }); is {
		for _, e := range several.Unwrap() {
			all = append(all, s.faultsOf(e)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil {
		return s.faultsOf(inner)
	}
	return []wire.Finding{{About: aboutConfig, State: wire.StateFault, Said: ownfile.Both(err.Error(), err.Error())}}
}

// placed is what a fault says, with its line where no key is named, or the variable or file that it is about.
func (s *Setup) placed(f *ownfile.Fault) engine.Text {
	if f.Path != "" {
		return f.What
	}
	at := ownfile.Tail(f.File)
	switch {
	case f.Line == 0:
		return ownfile.Both(at+" : "+f.What.FR, at+": "+f.What.EN)
	case f.File == s.page.name:
		return ownfile.Bothf("%[1]s, ligne %[2]d : %[3]s", "%[1]s, line %[2]d: %[4]s", filepath.Base(at), f.Line, f.What.FR, f.What.EN)
	}
	return ownfile.Bothf("ligne %[1]d : %[2]s", "line %[1]d: %[3]s", f.Line, f.What.FR, f.What.EN)
}
