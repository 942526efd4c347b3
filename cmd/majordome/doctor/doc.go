// Package doctor looks for what keeps a table from working: buses, rights, kernel settings, clock, supply, serial ports,
// programs that hold a device, and the chips themselves. Each finding is one sentence, and one more of how to mend it, in both
// languages; some come with the very lines that a file needs.
//
//	found := m.Examine(cfg)             what the system says; opens no device
//	found = append(found, Ask(...)...)  what the chips say; nobody else may be using them
//	err := Print(w, found, fix)         or JSON(w, found)
//
// The system is read through an fs.FS of its root, so that a test can be any computer. Nothing is ever changed.
//
// Leaks: nothing of a game; findings name devices, programs and the chips' versions. Limits: of a file 64 KiB are read, of
// running programs the first 4096.
package doctor

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/manual"
	"majordome/companion/catalogue"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// State is how a finding is meant.
type State = wire.State

const (
	OK      = wire.StateOK
	Note    = wire.StateNote
	Warning = wire.StateWarning
	Fault   = wire.StateFault
)

// Finding is one thing that was found, with what a terminal and a program want of it besides. Its Help is a place of its own, or empty: then Print and JSON
// give that of About; what is no fault and no warning has none.
type Finding struct {
	wire.Finding
	// File, Line and Column are where it is written; none for what is not in a file.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Lines are what a file needs for it, and Run the commands.
	Lines []Lines  `json:"lines,omitempty"`
	Run   []string `json:"run,omitempty"`
}

// New returns a finding about one thing.
func New(about string, state State, said, fix engine.Text) Finding {
	return Finding{Finding: wire.Finding{About: about, State: state, Said: said, Fix: fix}}
}

// Lines are what is to be added to a file, or all that it is to hold.
type Lines struct {
	File  string `json:"file"`
	Text  string `json:"text"`
	Whole bool   `json:"whole,omitempty"`
}

// place is where the manual explains it; "" for what is no fault and no warning.
func (f Finding) place() string {
	if f.State != Fault && f.State != Warning {
		return ""
	}
	return cmp.Or(f.Help, manual.Of(f.About))
}

// Faulty counts the faults.
func Faulty(all []Finding) (n int) {
	for _, f := range all {
		if f.State == Fault {
			n++
		}
	}
	return n
}

// Machine is the computer that is looked at.
type Machine struct {
	// Root is its file system, without the first slash.
	Root fs.FS
	// User is the account that the table runs as. UID 0 may do anything.
	User string
	// Self is the process that asks: it holds nothing that matters.
	Self int
	// Statfs asks about a file system: syscall.Statfs; nil: nobody does.
	Statfs func(path string, into *syscall.Statfs_t) error
	// Adjtimex asks the kernel about its clock: syscall.Adjtimex. With nil nothing is said of the clock.
	Adjtimex func(*syscall.Timex) (state int, err error)
	// Clock says what is wrong with the clock of a WS2812 or SK6812: see ws2812.CheckClock.
	Clock func() error
}

// look is one examination.
type look struct {
	*Machine
	cfg   config.Config
	found []Finding
}

// Examine asks the system about all that a configuration wants; it opens no device.
func (m *Machine) Examine(cfg config.Config) []Finding {
	l := &look{Machine: m, cfg: cfg}
	for _, check := range []func(*look){(*look).board, (*look).wants, (*look).buses, (*look).pins, (*look).i2c, (*look).rights, (*look).transfers,
		(*look).clock, (*look).vitals, (*look).audio, (*look).ports, (*look).meddlers, (*look).holders, (*look).ownedFiles, (*look).mosquitto} {
		check(l)
	}
	return l.found
}

// say notes a finding; what is returned may be completed at once.
func (l *look) say(about string, state State, said engine.Text) *Finding {
	l.found = append(l.found, New(about, state, said, engine.Text{}))
	return &l.found[len(l.found)-1]
}

func (f *Finding) fix(fr, en string, args ...any) *Finding {
	f.Fix = engine.Tf(fr, en, args...)
	return f
}

func (f *Finding) lines(file, text string) *Finding {
	f.Lines = append(f.Lines, Lines{file, strings.TrimRight(text, "\n") + "\n", false})
	return f
}

func (f *Finding) whole(file, text string) *Finding {
	f.lines(file, text)
	f.Lines[len(f.Lines)-1].Whole = true
	return f
}

func (f *Finding) run(command string) *Finding {
	f.Run = append(f.Run, command)
	return f
}

// maxFile is how much of a file is read.
const maxFile = 64 << 10

// text is what a file says, empty when it cannot be read.
func (m *Machine) text(name string) string {
	f, err := m.Root.Open(strings.TrimPrefix(name, "/"))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b)
}

// there reports that a device or file is there; name begins with a slash.
func (m *Machine) there(name string) bool {
	_, err := fs.Stat(m.Root, strings.TrimPrefix(name, "/"))
	return err == nil
}

// names are those that match a pattern, without the first slash.
func (m *Machine) names(pattern string) []string {
	all, _ := fs.Glob(m.Root, pattern) // only a bad pattern is an error
	return all
}

// Unknown are the variables of the environment that begin like ours and stand for no setting.
func Unknown(cfg config.Config) []Finding {
	l := &look{}
	for _, name := range cfg.Strange() {
		l.say("environment", Note, engine.Tf("%[1]s n’est la variable d’aucun réglage", "%[1]s is the variable of no setting", name))
	}
	return l.found
}

// Written are the faults of a configuration that was read.
func Written(err error) []Finding { return Faults("configuration", err) }

// Faults are those of an error, one finding each: of files with their place, of anything else what it says of itself.
func Faults(about string, err error) []Finding {
	l := &look{}
	l.faults(about, err)
	return l.found
}

func (l *look) faults(about string, err error) {
	if err == nil {
		return
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range all.Unwrap() {
			l.faults(about, e)
		}
		return
	}
	var f *ownfile.Fault
	if errors.As(err, &f) {
		where := engine.T(f.File, f.File)
		if f.Line > 0 {
			where = engine.Tf("%[1]s, ligne %[2]d", "%[1]s, line %[2]d", f.File, f.Line)
		}
		said := l.say(about, Fault, engine.T(where.FR+" : "+f.What.FR, where.EN+": "+f.What.EN))
		said.Fix, said.Help, said.File, said.Line, said.Column = f.Hint, manual.OfFault(f, about), f.File, f.Line, f.Column
		return
	}
	var both interface{ Text() engine.Text }
	var msg interface{ Msg() engine.Msg }
	switch {
	case errors.As(err, &both):
		l.say(about, Fault, both.Text())
	case errors.As(err, &msg): // the store speaks by the catalogues
		l.say(about, Fault, catalogue.Plain(msg.Msg()))
	default:
		l.say(about, Fault, engine.T(err.Error(), err.Error()))
	}
}
