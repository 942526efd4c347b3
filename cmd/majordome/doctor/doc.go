// Package doctor looks for what keeps a table from working: buses, rights, kernel settings, clock, supply, serial ports,
// programs that keep a device open, and the chips. Each finding has one sentence about the fault and one about the repair, in both
// languages. Some have the lines that a file needs.
//
//	found := m.Examine(cfg)                       asks the system; opens no device
//	found = append(found, m.AskChips(ctx, cfg)...) asks the chips; no other program may be using them
//	err := Print(w, found, fix)                   or PrintJSON(w, found)
//
// It reads the system through an fs.FS of its root, so that a test can simulate any computer. It never changes anything.
//
// What may leak: nothing of a game; findings name devices, programs and the chips' versions. Limits: it reads 64 KiB of a file, and
// the first 4096 running programs.
package doctor

import (
	"cmp"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/manual"
	"majordome/companion/wire"
	"majordome/engine"
)

// State is the severity of a finding.
type State = wire.State

const (
	OK      = wire.StateOK
	Note    = wire.StateNote
	Warning = wire.StateWarning
	Fault   = wire.StateFault
)

// Finding is a finding of the host's page, with more details for a terminal and as JSON. If its Help is empty, Print and PrintJSON give
// the manual's place for its About, but only for faults and warnings.
type Finding struct {
	wire.Finding
	// File, Line and Column are the place of the fault; empty if it is not in a file.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Lines are the lines that a file needs, and Run the commands, for the repair.
	Lines []Lines  `json:"lines,omitempty"`
	Run   []string `json:"run,omitempty"`
}

// NewFinding returns a finding.
func NewFinding(about string, state State, said, fix engine.Text) Finding {
	return Finding{Finding: wire.Finding{About: about, State: state, Said: said, Fix: fix}}
}

// Lines are lines to add to a file or, with Whole, its whole contents.
type Lines struct {
	File  string `json:"file"`
	Text  string `json:"text"`
	Whole bool   `json:"whole,omitempty"`
}

// helpPlace returns the place in the manual about a fault or warning, "" for other findings.
func (f Finding) helpPlace() string {
	if f.State != Fault && f.State != Warning {
		return ""
	}
	return cmp.Or(f.Help, manual.PlaceOfFaultKind(f.About))
}

// CountFaults counts the faults.
func CountFaults(all []Finding) (n int) {
	for _, f := range all {
		if f.State == Fault {
			n++
		}
	}
	return n
}

// Machine is the computer that the doctor examines.
type Machine struct {
	// Root is its file system, without the first slash.
	Root fs.FS
	// User is the account that the table runs as. UID 0 may do anything.
	User string
	// OwnPID is the process id of this program, which listProcesses leaves out.
	OwnPID int
	// Statfs returns the room of a file system: syscall.Statfs; nil: not checked.
	Statfs func(path string, into *syscall.Statfs_t) error
	// Adjtimex returns the state of the kernel's clock: syscall.Adjtimex; nil: not checked.
	Adjtimex func(*syscall.Timex) (state int, err error)
	// CheckStripClock returns the fault of a WS2812's or SK6812's data clock: see ws2812.CheckClock.
	CheckStripClock func() error
}

// examination is one examination of a computer, with its findings so far.
type examination struct {
	*Machine
	cfg   config.Config
	found []Finding
}

// Examine checks with the system all that a configuration needs. It opens no device.
func (m *Machine) Examine(cfg config.Config) []Finding {
	l := &examination{Machine: m, cfg: cfg}
	for _, check := range []func(*examination){(*examination).reportBoardModel, (*examination).noteIfNoDevices,
		(*examination).checkSPI, (*examination).checkPins, (*examination).checkI2C, (*examination).checkRights,
		(*examination).checkFrameSize,
		(*examination).checkClock, (*examination).checkVitals, (*examination).reportAudioOnPins, (*examination).checkPorts,
		(*examination).reportPortGrabbers,
		(*examination).checkDeviceHolders, (*examination).checkOwnedFiles, (*examination).checkMosquitto} {
		check(l)
	}
	return l.found
}

// addFinding adds a finding. The caller may complete it through the pointer until the next one is added.
func (l *examination) addFinding(about string, state State, said engine.Text) *Finding {
	l.found = append(l.found, NewFinding(about, state, said, engine.Text{}))
	return &l.found[len(l.found)-1]
}

func (f *Finding) withFix(fr, en string, args ...any) *Finding {
	f.Fix = engine.Tf(fr, en, args...)
	return f
}

func (f *Finding) withLines(file, text string) *Finding {
	f.Lines = append(f.Lines, Lines{file, strings.TrimRight(text, "\n") + "\n", false})
	return f
}

func (f *Finding) withWholeFile(file, text string) *Finding {
	f.withLines(file, text)
	f.Lines[len(f.Lines)-1].Whole = true
	return f
}

func (f *Finding) withCommand(command string) *Finding {
	f.Run = append(f.Run, command)
	return f
}

// maxFile is the limit on bytes read of a file.
const maxFile = 64 << 10

// fileText returns the text of a file, "" if it cannot be read.
func (m *Machine) fileText(name string) string {
	f, err := m.Root.Open(strings.TrimPrefix(name, "/"))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b)
}

// hasFile reports whether a device or file exists; name begins with a slash.
func (m *Machine) hasFile(name string) bool {
	_, err := fs.Stat(m.Root, strings.TrimPrefix(name, "/"))
	return err == nil
}

// matchFiles returns the names that match a pattern, without the first slash.
func (m *Machine) matchFiles(pattern string) []string {
	all, _ := fs.Glob(m.Root, pattern) // fails only for a bad pattern
	return all
}

// UnknownVariableFindings returns a note for each environment variable that has our prefix but is no setting.
func UnknownVariableFindings(cfg config.Config) []Finding {
	l := &examination{}
	for _, name := range cfg.UnknownVariables() {
		l.addFinding("environment", Note, engine.Tf("%[1]s n’est la variable d’aucun réglage", "%[1]s is the variable of no setting", name))
	}
	return l.found
}

// ConfigFindings returns the faults in the error of reading a configuration.
func ConfigFindings(err error) []Finding { return FaultFindings("configuration", err) }

// FaultFindings returns a finding for each error that err joins: a fault of a file with its place, another one with its text.
func FaultFindings(about string, err error) []Finding {
	l := &examination{}
	l.addFaults(about, err)
	return l.found
}

func (l *examination) addFaults(about string, err error) {
	for _, f := range config.FaultFindings(about, err) {
		found := Finding{Finding: f.Finding}
		if at := f.Fault; at != nil {
			where := engine.T(at.File, at.File)
			if at.Line > 0 {
				where = engine.Tf("%[1]s, ligne %[2]d", "%[1]s, line %[2]d", at.File, at.Line)
			}
			found.Said = engine.T(where.FR+" : "+at.What.FR, where.EN+": "+at.What.EN)
			found.File, found.Line, found.Column = at.File, at.Line, at.Column
		}
		l.found = append(l.found, found)
	}
}
