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

// Editor edits the configuration of a table for the host's page. It outlives a running table, which tells by Attach what it runs by. It reads the file
// of a hand and never writes it; what the page saves is a file of its own (PageFile), which wins over it key by key. Each change is
// done to a draft of that file, whose faults the page shows; Save writes it. It is safe for concurrent use.
//
//  1. draft and saved are trees of values; draft is saved with the changes that were not saved yet.
//  2. The page's file is written whole or not at all; the one before stays beside it, with .old.
//
// What may leak: nothing but to an owner. Limits: ownfile.MaxBytes for the draft as a file, maxListed in a list.
type Editor struct {
	opts     EditorOpts
	onChange func() // the running table polls, shows and applies; nil: none runs

	mu          sync.Mutex
	hand, page  watchedFile
	saved       []ownfile.Pair // what the page's file says
	draft       []ownfile.Pair
	drafted     Config // what holds by the draft
	faults      []wire.Finding
	news        []engine.Text
	toPaste     string // the page’s file for a hand to paste, where it could not be written
	toPermit    string // the shell command after which it can be
	running     Config
	config      Config // what holds by the files, without the draft
	change      change // from running to config
	refused     string // the texts of the files by which no table could be opened, and why
	refusal     []wire.Finding
	devices     []wire.Finding // those that could not be opened
	notWorking  []wire.Finding // those that were opened, and are of no use
	searching   bool           // for devices
	found       []wire.Found
	applyNow    bool // the host wants what was saved to hold at once
	unconfirmed *unconfirmed
	deckErrs    map[deckFiles]error // by Judge
}

// EditorOpts are what an Editor asks others for.
type EditorOpts struct {
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

// watchedFile is one of the two files as it was last read.
type watchedFile struct {
	layer
	read     bool      // at all
	state    fileState // when it was
	lastSeen fileState // at the last look
	err      error     // why it could not be, though it is there
}

type fileState struct {
	when time.Time
	size int64
}

func statFile(path string) (s fileState) {
	if info, err := os.Stat(path); err == nil {
		s = fileState{info.ModTime(), info.Size()}
	}
	return s
}

// poll reads the file if it has changed, and reports whether its text has. A file that changes is read one poll later: its writer may not
// have finished.
func (f *watchedFile) poll() bool {
	now := statFile(f.name)
	still := now == f.lastSeen
	f.lastSeen = now
	if f.read && (now == f.state && f.err == nil || !still) {
		return false
	}
	f.state = now
	return f.reload()
}

// reload reads the file whatever its time says. A file that cannot be read leaves the text that was there.
func (f *watchedFile) reload() bool {
	text, err := ReadFile(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	changed := !f.read || string(text) != string(f.text)
	f.read, f.err = true, err
	if err != nil || !changed {
		return false
	}
	f.text = text
	return true
}

// NewEditor edits the configuration whose file of a hand is at path; it need not be there.
func NewEditor(path string, o EditorOpts) *Editor {
	s := &Editor{opts: o, deckErrs: map[deckFiles]error{}}
	s.hand.name, s.page.name = path, PageFile(path)
	s.removeLeftovers()
	s.hand.poll()
	s.page.poll()
	s.saved, _ = ownfile.Parse(s.page.name, s.page.text).Tree()
	s.draft = s.saved
	s.validate()
	s.compareFiles()
	return s
}

// removeLeftovers deletes what a power cut has left of a file that was being written (package durable).
func (s *Editor) removeLeftovers() {
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
func (s *Editor) Attach(running Config, devices []wire.Finding, reload func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.devices, s.notWorking, s.onChange, s.applyNow, s.found = running, devices, nil, reload, false, nil
	if s.unconfirmed != nil && s.unconfirmed.listen == running.Listen {
		s.unconfirmed.until = time.Now().Add(confirmWithin)
	}
	s.compareFiles()
}

// SetDevices shows what is wrong now with the devices that were opened.
func (s *Editor) SetDevices(faults []wire.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notWorking = faults
}

// Poll reads the files if they have changed, and reports whether they had.
func (s *Editor) Poll() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	hand, page := s.hand.poll(), s.page.poll() // each has its own time
	return s.adopt(hand, page)
}

// adopt makes what was read of the files that have changed the saved values and the draft, and adds to the news. mu is held.
func (s *Editor) adopt(hand, page bool) bool {
	if s.hand.err != nil {
		s.addNews(engine.T("Le fichier ne peut pas être lu ; ce qui y était vaut encore.", "The file cannot be read; what was in it still holds."))
	}
	unread := s.page.err != nil
	if page {
		tree, ok := ownfile.Parse(s.page.name, s.page.text).Tree()
		if page, unread = ok, !ok; ok {
			s.saved, s.draft = tree, tree
			s.addNews(engine.T("Le fichier de cette page est un autre ; la page montre ce qui y est.", "The file of this page is another one; the page shows what is in it."))
		}
	}
	if unread {
		s.addNews(engine.T("Le fichier de cette page ne peut pas être lu ; ce qui y était vaut encore.", "The file of this page cannot be read; what was in it still holds."))
	}
	if !hand && !page {
		return false
	}
	clear(s.deckErrs)
	s.toPaste, s.toPermit = "", ""
	if hand {
		s.addNews(engine.T("Le fichier a été changé à la main ; la page montre ce qui y est.", "The file was changed by hand; the page shows what is in it."))
	}
	s.validate()
	s.compareFiles()
	return true
}

func (s *Editor) addNews(t engine.Text) {
	if !slices.Contains(s.news, t) {
		s.news = append(s.news, t)
	}
	s.news = s.news[max(0, len(s.news)-4):]
}

// handTree is what the file of a hand says, as far as it can be read. mu is held.
func (s *Editor) handTree() []ownfile.Pair {
	tree, _ := ownfile.Parse(s.hand.name, s.hand.text).Tree()
	return tree
}

// render returns a tree as the page's file.
func (s *Editor) render(tree []ownfile.Pair) layer {
	by := filepath.Base(s.hand.name)
	head := "# Écrit en entier par la page de l’hôte, à chaque fois : ce qui est ici l’emporte sur " + by + ", qui est à vous.\n" +
		"# Written whole by the host's page, each time: what stands here wins over " + by + ", which is yours.\n"
	return layer{s.page.name, append([]byte(head), ownfile.Text(tree)...)}
}

// validate finds what is wrong with the draft. mu is held.
func (s *Editor) validate() {
	c, err := parse(s.hand.layer, s.render(s.draft), environment())
	s.drafted, s.faults = c, nil
	if err == nil {
		err = s.checkDecks(c)
	}
	s.faults = s.findingsOf(err)
}

// deckFiles is what Judge depends on: which decks a configuration names, and where.
type deckFiles struct {
	deck, decks, beside string
	deckAt, decksAt     position
}

// checkDecks returns what Judge says. Judge reads files, which is too slow for each letter that is typed: it is asked again when other
// decks are named, when a file has changed, and before a draft is written. mu is held.
func (s *Editor) checkDecks(c Config) error {
	if s.opts.Judge == nil {
		return nil
	}
	of := deckFiles{c.Deck, c.Decks, c.beside, c.deckAt, c.decksAt}
	err, known := s.deckErrs[of]
	if !known {
		err = s.opts.Judge(c)
		if len(s.deckErrs) >= 2 { // of the files, and of the draft
			clear(s.deckErrs)
		}
		s.deckErrs[of] = err
	}
	return err
}

// findingsOf returns the faults of an error, one by one.
func (s *Editor) findingsOf(err error) (all []wire.Finding) {
	if err == nil {
		return nil
	}
	if f, is := err.(*ownfile.Fault); is {
		return []wire.Finding{{About: aboutConfig, State: wire.StateFault, Said: s.located(f), Fix: f.Hint, Where: strings.TrimPrefix(f.Path, "$."), Help: manual.OfFault(f, aboutConfig)}}
	}
	if t, is := err.(interface{ Text() engine.Text }); is {
		return []wire.Finding{{About: aboutConfig, State: wire.StateFault, Said: t.Text()}}
	}
	if several, is := err.(interface{ Unwrap() []error }); is {
		for _, e := range several.Unwrap() {
			all = append(all, s.findingsOf(e)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil {
		return s.findingsOf(inner)
	}
	return []wire.Finding{{About: aboutConfig, State: wire.StateFault, Said: engine.T(err.Error(), err.Error())}}
}

// located returns what a fault says, with its line where no key is named, or the variable or file that it is about.
func (s *Editor) located(f *ownfile.Fault) engine.Text {
	if f.Path != "" {
		return f.What
	}
	at := ownfile.Tail(f.File)
	switch {
	case f.Line == 0:
		return engine.T(at+" : "+f.What.FR, at+": "+f.What.EN)
	case f.File == s.page.name:
		return engine.Tf("%[1]s, ligne %[2]d : %[3]s", "%[1]s, line %[2]d: %[4]s", filepath.Base(at), f.Line, f.What.FR, f.What.EN)
	}
	return engine.Tf("ligne %[1]d : %[2]s", "line %[1]d: %[3]s", f.Line, f.What.FR, f.What.EN)
}
