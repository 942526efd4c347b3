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

	"majordome/cmd/majordome/network/hotspot"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Editor edits the configuration of a table for the host's page. It outlives a running table, which passes its
// configuration to AttachTable. It reads the owner's file and never writes it; the page saves to a file of its own
// (PageFilePath), which wins over the owner's key by key. Each change goes into a draft of that file, whose faults the page
// shows; SaveDraft writes the draft. It is safe for concurrent use.
//
//  1. draft and saved are trees of values; draft is saved with the unsaved changes.
//  2. The page's file is written completely or not at all; the former one is kept next to it, with the suffix .old.
//
// What may leak: nothing, except to an owner. Limits: ownfile.MaxBytes for the draft as a file, maxListed for a list.
type Editor struct {
	opts     EditorOpts
	onChange func() // makes the running table poll, show and apply; nil: none runs

	mu                  sync.Mutex
	ownerFile, pageFile watchedFile
	saved               []ownfile.Pair // the content of the page's file
	draft               []ownfile.Pair
	draftConfig         Config // the configuration with the draft
	faults              []wire.Finding
	news                []engine.Text
	pasteText           string // the page’s file for the host to paste by hand, if it could not be written
	permitCommand       string // the shell command that makes the file writable
	runningConfig       Config
	fileConfig          Config     // the configuration in the files, without the draft
	change              changeKind // from runningConfig to fileConfig
	refusedTexts        string     // the texts of the files with which no table could be opened; refusal says why
	refusal             []wire.Finding
	missingDevices      []wire.Finding // faults of devices that could not be opened
	brokenDevices       []wire.Finding // faults of devices that were opened but do not work
	searching           bool           // for devices
	searchResults       []wire.Found
	applyNow            bool // the host wants saved changes applied at once
	unconfirmed         *pendingListen
	deckErrs            map[deckFiles]error // results of CheckConfig
}

// EditorOpts are the functions that an Editor needs from the program.
type EditorOpts struct {
	// CheckConfig returns faults of a configuration beyond its text, such as a deck that is not valid; nil: it is not called.
	CheckConfig func(Config) error
	// FindDevices looks for devices, for up to a minute; nil: no search.
	FindDevices func(Config) []wire.Found
	// AskPort asks which device is at a serial port that FindDevices has found, for some seconds; nil: no port is asked.
	AskPort func(c Config, port string) []wire.Found
	// Hotspot is this machine's own Wi-Fi, to which the settings apply.
	Hotspot hotspot.Hotspot
}

const (
	maxShown   = 128 // bytes of a path that is shown: no key has a longer one
	maxSummary = 160 // characters of the summary of a list
)

// watchedFile is the owner's file or the page's, as it was last read.
type watchedFile struct {
	layer
	isRead      bool      // it has been read
	readState   fileState // the file's state when it was read
	polledState fileState // the file's state at the last poll
	err         error     // why it could not be read, although it exists
}

type fileState struct {
	modTime time.Time
	size    int64
}

func statFile(path string) (s fileState) {
	if info, err := os.Stat(path); err == nil {
		s = fileState{info.ModTime(), info.Size()}
	}
	return s
}

// reloadIfChanged reads the file if it has changed and reports whether its text has. A file that is just changing is read one poll
// later: it may still be being written.
func (f *watchedFile) reloadIfChanged() (textChanged bool) {
	now := statFile(f.name)
	still := now == f.polledState
	f.polledState = now
	if f.isRead && (now == f.readState && f.err == nil || !still) {
		return false
	}
	f.readState = now
	return f.readAndCompare()
}

// readAndCompare reads the file in any case, and reports whether its text has changed. If it cannot be read, the former text
// stays.
func (f *watchedFile) readAndCompare() (textChanged bool) {
	text, err := ReadFile(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	changed := !f.isRead || string(text) != string(f.text)
	f.isRead, f.err = true, err
	if err != nil || !changed {
		return false
	}
	f.text = text
	return true
}

// NewEditor returns an editor of the configuration whose owner's file is at path; the file may be missing.
func NewEditor(path string, o EditorOpts) *Editor {
	s := &Editor{opts: o, deckErrs: map[deckFiles]error{}}
	s.ownerFile.name, s.pageFile.name = path, PageFilePath(path)
	s.removeTemporaryFiles()
	s.ownerFile.reloadIfChanged()
	s.pageFile.reloadIfChanged()
	s.saved, _ = ownfile.Parse(s.pageFile.name, s.pageFile.text).Tree()
	s.draft = s.saved
	s.validateDraft()
	s.updateChangeKind()
	return s
}

// removeTemporaryFiles deletes the temporary files that a power cut left while a file was being written (package durable).
func (s *Editor) removeTemporaryFiles() {
	dir := filepath.Dir(s.pageFile.name)
	for _, name := range []string{s.pageFile.name, s.pageFile.name + ".old"} {
		left := regexp.MustCompile(`^\.` + regexp.QuoteMeta(filepath.Base(name)) + `\.[0-9]+$`)
		all, _ := os.ReadDir(dir) // a missing folder has none
		for _, e := range all {
			if left.MatchString(e.Name()) && e.Type().IsRegular() {
				_ = os.Remove(filepath.Join(dir, e.Name())) // in a folder that cannot be written to, nothing is lost
			}
		}
	}
}

// AttachTable sets the configuration of the running House and the faults of devices that it could not open. reload is called
// when something has changed, and must not block.
func (s *Editor) AttachTable(running Config, deviceFaults []wire.Finding, reload func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runningConfig, s.missingDevices, s.brokenDevices = running, deviceFaults, nil
	s.onChange, s.applyNow, s.searchResults = reload, false, nil
	if s.unconfirmed != nil && s.unconfirmed.listen == running.Listen {
		s.unconfirmed.deadline = time.Now().Add(confirmWithin)
	}
	s.updateChangeKind()
}

// SetDeviceFaults sets the current faults of the opened devices.
func (s *Editor) SetDeviceFaults(faults []wire.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.brokenDevices = faults
}

// ReloadChangedFiles reads the files if they have changed, and reports whether they had.
func (s *Editor) ReloadChangedFiles() (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hand, page := s.ownerFile.reloadIfChanged(), s.pageFile.reloadIfChanged() // separately, to poll both
	return s.adoptChangedFiles(hand, page)
}

// adoptChangedFiles makes the content of changed files the saved values and the draft, and adds to the news. It reports whether
// it adopted any. mu is held.
func (s *Editor) adoptChangedFiles(ownerChanged, pageChanged bool) (adopted bool) {
	if s.ownerFile.err != nil {
		s.addNews(engine.T("Le fichier ne peut pas être lu ; ce qui y était vaut encore.",
			"The file cannot be read; what was in it still holds."))
	}
	unread := s.pageFile.err != nil
	if pageChanged {
		tree, ok := ownfile.Parse(s.pageFile.name, s.pageFile.text).Tree()
		if pageChanged, unread = ok, !ok; ok {
			s.saved, s.draft = tree, tree
			s.addNews(engine.T("Le fichier de cette page est un autre ; la page montre ce qui y est.",
				"The file of this page is another one; the page shows what is in it."))
		}
	}
	if unread {
		s.addNews(engine.T("Le fichier de cette page ne peut pas être lu ; ce qui y était vaut encore.",
			"The file of this page cannot be read; what was in it still holds."))
	}
	if !ownerChanged && !pageChanged {
		return false
	}
	clear(s.deckErrs)
	s.pasteText, s.permitCommand = "", ""
	if ownerChanged {
		s.addNews(engine.T("Le fichier a été changé à la main ; la page montre ce qui y est.",
			"The file was changed by hand; the page shows what is in it."))
	}
	s.validateDraft()
	s.updateChangeKind()
	return true
}

func (s *Editor) addNews(t engine.Text) {
	if !slices.Contains(s.news, t) {
		s.news = append(s.news, t)
	}
	s.news = s.news[max(0, len(s.news)-4):]
}

// ownerFileTree returns the owner's file as a tree; parts that cannot be parsed are missing. mu is held.
func (s *Editor) ownerFileTree() []ownfile.Pair {
	tree, _ := ownfile.Parse(s.ownerFile.name, s.ownerFile.text).Tree()
	return tree
}

// renderPageFile returns a tree as the text of the page's file.
func (s *Editor) renderPageFile(tree []ownfile.Pair) layer {
	by := filepath.Base(s.ownerFile.name)
	head := "# Écrit en entier par la page de l’hôte, à chaque fois : ce qui est ici l’emporte sur " + by + ", qui est à vous.\n" +
		"# Written whole by the host's page, each time: what stands here wins over " + by + ", which is yours.\n"
	return layer{s.pageFile.name, append([]byte(head), ownfile.FormatTree(tree)...)}
}

// validateDraft finds the faults of the draft. mu is held.
func (s *Editor) validateDraft() {
	c, err := parseLayers(s.ownerFile.layer, s.renderPageFile(s.draft), osEnvironment())
	s.draftConfig, s.faults = c, nil
	if err == nil {
		err = s.checkDecks(c)
	}
	s.faults = s.findingsOf(err)
}

// deckFiles holds what EditorOpts.CheckConfig depends on: the decks that a configuration names, with their positions.
type deckFiles struct {
	deck, decks, beside string
	deckAt, decksAt     position
}

// checkDecks returns the result of EditorOpts.CheckConfig. That reads files, which is too slow for each typed letter, so it
// is only called again when other decks are named, when a file has changed, and before a draft is written. mu is held.
func (s *Editor) checkDecks(c Config) error {
	if s.opts.CheckConfig == nil {
		return nil
	}
	of := deckFiles{c.Deck, c.Decks, c.defaultDecksFolder, c.deckAt, c.decksAt}
	err, known := s.deckErrs[of]
	if !known {
		err = s.opts.CheckConfig(c)
		if len(s.deckErrs) >= 2 { // of the files, and of the draft
			clear(s.deckErrs)
		}
		s.deckErrs[of] = err
	}
	return err
}

// findingsOf returns the faults of an error, one by one.
func (s *Editor) findingsOf(err error) (all []wire.Finding) {
	for _, f := range FaultFindings(aboutConfig, err) {
		if f.Fault != nil {
			f.Said, f.Where = s.faultText(f.Fault), strings.TrimPrefix(f.Fault.Path, "$.")
		}
		all = append(all, f.Finding)
	}
	return all
}

// faultText returns the text of a fault. If the fault names no key, the text begins with its line, or the variable or
// file.
func (s *Editor) faultText(f *ownfile.Fault) engine.Text {
	if f.Path != "" {
		return f.What
	}
	at := ownfile.ClipFileName(f.File)
	switch {
	case f.Line == 0:
		return engine.T(at+" : "+f.What.FR, at+": "+f.What.EN)
	case f.File == s.pageFile.name:
		return engine.Tf("%[1]s, ligne %[2]d : %[3]s", "%[1]s, line %[2]d: %[4]s", filepath.Base(at), f.Line, f.What.FR, f.What.EN)
	}
	return engine.Tf("ligne %[1]d : %[2]s", "line %[1]d: %[3]s", f.Line, f.What.FR, f.What.EN)
}
