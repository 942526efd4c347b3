// Package vitals checks the health of the table's computer, from sources of the kernel: free disk
// space, wear of the storage, power supply, temperature, memory, and whether the clock was set. It
// opens no device and changes nothing.
//
//	v := m.ReadVitals()                 some small files and one system call; cheap enough for every minute
//	for _, f := range v.Findings() ...  each says what is wrong and what to do
//
// The system is read through an fs.FS of its root, so that a test can simulate any computer. A source
// that is missing, unreadable or nonsensical counts as unknown, and nothing is reported about it. No
// game depends on these values: deadlines are counted by a clock that is never set.
//
// What may leak: nothing of a game. Limits: 4 KiB of a file are read, 16 KiB of the one about the SD
// card, and 16 files of each kind.
package vitals

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"majordome/cmd/majordome/clock"
	"majordome/cmd/majordome/manual"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Machine is the computer that is checked.
type Machine struct {
	Root fs.FS  // the file system; paths in it have no leading slash
	Data string // the folder of the store
	// Statfs is syscall.Statfs, or a substitute in a test.
	Statfs func(path string, into *syscall.Statfs_t) error // nil: not called
	Now    func() time.Time                                // nil: time.Now
	// Adjtimex is syscall.Adjtimex, or a substitute in a test. It is called with the zero value, which
	// changes nothing.
	Adjtimex func(*syscall.Timex) (state int, err error) // nil: not called

	clockWasSet atomic.Bool // the clock was right once
}

// NewMachine returns the computer that this program runs on; data is the folder of its store.
func NewMachine(data string) *Machine {
	return &Machine{Root: os.DirFS("/"), Data: data, Statfs: syscall.Statfs, Adjtimex: syscall.Adjtimex}
}

// Vitals are the values that were read. A pointer is nil if its value is unknown.
type Vitals struct {
	DiskFree, DiskSize *uint64 // bytes; DiskFree is for accounts other than root
	ReadOnly           bool    // the file system of the store
	Wear               *int    // of an eMMC: used per cent of its life, rounded up to tens; 110 means more than all
	WornOut            bool    // it has used most of its spare blocks
	DiskErrors         *uint64 // errors that ext4 has recorded since the file system was last checked
	// Undervoltage now, undervoltage since the start, slowed down since the start, as the firmware of a Pi
	// reports them.
	UndervoltageNow, Undervoltage, Throttled bool
	SupplyKnown                              bool // the firmware reports these at all
	Temperature                              *int // of the processor, in thousandths of a degree Celsius
	MemoryFree                               *uint64
	ClockUnset                               bool // the clock was not set since the start
	Card                                     []CardFault
}

// CardFault is a fault in a file that the owner has written on the boot partition of our image.
type CardFault struct {
	File string      // name of the file
	Line string      // line number; empty if there is no certain one
	Said engine.Text // says what is wrong, without quoting a value
}

// MaxCardFaults is the limit of Vitals.Card: at most four faults each of five files and of all unknown names,
// and for each a count of the rest.
const MaxCardFaults = 30

// Limits beyond which there is a finding.
const (
	lowDisk     = 200 << 20 // space for a few hundred games and a package that is being installed
	fullDisk    = 20 << 20  // a backup of the store may not fit any more
	lowMemory   = 40 << 20  // bytes of memory
	wornPercent = 90        // per cent
	Hot         = 80_000    // a Pi begins to slow down
)

// ReadVitals reads all values once.
func (m *Machine) ReadVitals() (v Vitals) {
	m.readDiskSpace(&v)
	m.readStorage(&v)
	m.readPowerSupply(&v)
	m.readTemperature(&v)
	if n, ok := meminfoBytes(m.readText("proc/meminfo"), "MemAvailable:"); ok {
		v.MemoryFree = &n
	}
	v.ClockUnset = m.isClockUnset()
	v.Card = m.readCardFaults()
	return v
}

// readCardFaults reads the faults that the start of the machine has found on its boot partition
// (systemd/image/root/usr/lib/majordome/card). Each line has file, line number, French and English text,
// separated by |. Other lines are ignored.
func (m *Machine) readCardFaults() (all []CardFault) {
	for line := range strings.Lines(m.readTextUpTo("run/majordome-card/faults", maxCardFile)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		if len(part) == 4 && part[0] != "" && part[2] != "" && part[3] != "" && len(all) < MaxCardFaults {
			all = append(all, CardFault{part[0], part[1], engine.T(part[2], part[3])})
		}
	}
	return all
}

// readDiskSpace reads the free space of the file system that has or will have the store.
func (m *Machine) readDiskSpace(v *Vitals) {
	var s syscall.Statfs_t
	at := m.Data
	if m.Statfs == nil {
		return
	}
	for at != "/" && at != "." && m.Statfs(at, &s) != nil {
		at = path.Dir(at) // the folder is created at the first start
	}
	if m.Statfs(at, &s) != nil || s.Bsize <= 0 || s.Blocks == 0 {
		return
	}
	free, size := s.Bavail*uint64(s.Bsize), s.Blocks*uint64(s.Bsize)
	v.DiskFree, v.DiskSize = &free, &size
	const readOnly = 1 // ST_RDONLY of statfs(2)
	v.ReadOnly = s.Flags&readOnly != 0
}

// readStorage reads the wear of an eMMC (JESD84-B51, 7.4.43 to 7.4.45) and the errors of ext4. An SD card
// reports no wear, but its failures appear as ext4 errors first.
func (m *Machine) readStorage(v *Vitals) {
	for _, name := range m.globFiles("sys/block/mmcblk*/device/life_time") {
		for word := range strings.FieldsSeq(m.readText(name)) {
			n, err := strconv.ParseUint(word, 0, 8)
			if wear := int(n) * 10; err == nil && n >= 1 && n <= 11 && (v.Wear == nil || wear > *v.Wear) {
				v.Wear = &wear
			}
		}
		n, err := strconv.ParseUint(m.readText(path.Join(path.Dir(name), "pre_eol_info")), 0, 8)
		v.WornOut = v.WornOut || err == nil && n >= 2 && n <= 3
	}
	for _, name := range m.globFiles("sys/fs/ext4/*/errors_count") {
		if n, err := strconv.ParseUint(m.readText(name), 10, 64); err == nil {
			if v.DiskErrors != nil {
				n += *v.DiskErrors
			}
			v.DiskErrors = &n
		}
	}
}

// Bits of get_throttled (raspberrypi/documentation, vcgencmd) for now; the same bits for the time since the
// start are sixteen higher.
const (
	underVoltage = 1 << 0
	capped       = 1<<1 | 1<<2 | 1<<3 // clock capped, throttled, too warm
)

// readPowerSupply reads the firmware of a Pi. A kernel other than Raspberry Pi's own has only the alarm, which
// ends when the voltage is good again.
func (m *Machine) readPowerSupply(v *Vitals) {
	for _, name := range m.globFiles("sys/devices/platform/*/*firmware/get_throttled") {
		bits, err := strconv.ParseUint(strings.TrimPrefix(m.readText(name), "0x"), 16, 32)
		if err != nil {
			continue
		}
		v.SupplyKnown = true
		v.UndervoltageNow, v.Undervoltage = bits&underVoltage != 0, (bits|bits>>16)&underVoltage != 0
		v.Throttled = (bits|bits>>16)&capped != 0
	}
	for _, name := range m.globFiles("sys/class/hwmon/hwmon*/in0_lcrit_alarm") {
		if m.readText(path.Join(path.Dir(name), "name")) != "rpi_volt" {
			continue
		}
		if alarm := m.readText(name); alarm == "0" || alarm == "1" {
			v.SupplyKnown = true
			v.UndervoltageNow, v.Undervoltage = v.UndervoltageNow || alarm == "1", v.Undervoltage || alarm == "1"
		}
	}
}

// readTemperature reads the thermal zones of the processor; others belong to chargers and radios.
func (m *Machine) readTemperature(v *Vitals) {
	for _, name := range m.globFiles("sys/class/thermal/thermal_zone*/temp") {
		kind := m.readText(path.Join(path.Dir(name), "type"))
		t, err := strconv.Atoi(m.readText(name))
		const absurd = 150_000
		if err == nil && t > 0 && t < absurd && (kind == "" || strings.Contains(kind, "cpu") || strings.Contains(kind, "soc")) &&
			(v.Temperature == nil || t > *v.Temperature) {
			v.Temperature = &t
		}
	}
}

// isClockUnset reports whether the clock was not set since the start; a Pi has no clock that runs while it is off.
// A program that sets the clock by network informs the kernel. After some nine hours without news the kernel
// withdraws that (Linux, NTP_PHASE_LIMIT), but the clock is still right, so one success is remembered. The
// kernel does not record a clock that is set by hand; the host's page does, with clock.MarkFile.
func (m *Machine) isClockUnset() bool {
	now := time.Now()
	if m.Now != nil {
		now = m.Now()
	}
	if now.Before(clock.Earliest) { // this program did not exist then
		return true
	}
	if m.clockWasSet.Load() || m.fileExists(strings.TrimPrefix(clock.MarkFile, "/")) ||
		m.fileExists("run/systemd/timesync/synchronized") || m.hasClockBattery(now) {
		return false
	}
	known := m.Adjtimex != nil
	if known {
		const unsynchronized = 0x40 // STA_UNSYNC of adjtimex(2)
		var t syscall.Timex
		_, err := m.Adjtimex(&t)
		known = err == nil
		m.clockWasSet.Store(known && t.Status&unsynchronized == 0)
	}
	return known && !m.clockWasSet.Load()
}

// hasClockBattery reports whether there is a clock chip that ran while the computer was off, so that the kernel has the right time
// from it. Chip and kernel then agree within a day; some chips keep local time. A Pi 5 has a chip but not
// always a battery: without one the chip starts in 1970.
func (m *Machine) hasClockBattery(now time.Time) bool {
	for _, chip := range m.globFiles("sys/class/rtc/rtc*") {
		s, err := strconv.ParseInt(m.readText(path.Join(chip, "since_epoch")), 10, 64)
		if err != nil || now.Sub(time.Unix(s, 0)).Abs() <= 24*time.Hour { // an unreadable chip is assumed to be right
			return true
		}
	}
	return false
}

// meminfoBytes returns a number of /proc/meminfo in bytes.
func meminfoBytes(text, key string) (size uint64, ok bool) {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == key && f[2] == "kB" {
			n, err := strconv.ParseUint(f[1], 10, 50)
			return n << 10, err == nil
		}
	}
	return 0, false
}

const (
	maxFile     = 4 << 10
	maxCardFile = 16 << 10 // enough for MaxCardFaults lines
	maxFiles    = 16
)

// readText returns the content of a file of the kernel without surrounding blanks; empty if it cannot be
// read.
func (m *Machine) readText(name string) string { return m.readTextUpTo(name, maxFile) }

// readTextUpTo returns the first most bytes of a file without surrounding blanks; empty if it cannot be read.
func (m *Machine) readTextUpTo(name string, most int64) string {
	f, err := m.Root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return "" // half of a number is another number
	}
	return strings.TrimSpace(string(b))
}

func (m *Machine) fileExists(name string) bool {
	_, err := fs.Stat(m.Root, name)
	return err == nil
}

func (m *Machine) globFiles(pattern string) []string {
	all, _ := fs.Glob(m.Root, pattern) // the only error is a bad pattern
	return all[:min(len(all), maxFiles)]
}

// NewWarning returns a finding about something that works, but not as well as it could, with its place in the
// manual.
func NewWarning(about string, said, fix engine.Text) wire.Finding {
	return wire.Finding{About: about, State: wire.StateWarning, Said: said, Fix: fix, Help: manual.PlaceOfFaultKind(about)}
}

// FindingKinds returns all values of a finding's About.
func FindingKinds() []string {
	return []string{"disk", "storage", "supply", "heat", "memory", "date", "card"}
}

// Findings returns the troubles; within each part the serious ones come first.
func (v Vitals) Findings() (all []wire.Finding) {
	say := func(about string, grave bool, said, fix engine.Text) {
		f := NewWarning(about, said, fix)
		if grave { // something does not work, or soon will not
			f.State = wire.StateFault
		}
		all = append(all, f)
	}
	both := engine.T
	v.addDiskFindings(say)
	supply := both("Prenez l’alimentation d’origine et un câble court et gros ; donnez au ruban la sienne, et 220 µF à chaque lecteur.",
		"Use the original supply and a short, thick cable; give the strip one of its own, and each reader 220 µF.")
	switch {
	case v.UndervoltageNow:
		say("supply", true, both("La tension est trop basse en ce moment.", "The voltage is too low at this moment."), supply)
	case v.Undervoltage:
		say("supply", false, both("La tension a été trop basse depuis le démarrage : des lecteurs peuvent s’être tus.",
			"The voltage was too low since the start: readers may have fallen silent."), supply)
	}
	air := both("Laissez-lui de l’air, ou donnez-lui un radiateur.", "Give it air, or a heat sink.")
	if v.Throttled && !v.Undervoltage { // undervoltage explains it already
		say("supply", false, both("Le Pi a dû ralentir, trop chaud : une carte qui tombe peut passer sans être vue.",
			"The Pi had to slow down, too warm: a card that falls may pass unseen."), air)
	}
	if v.Temperature != nil && *v.Temperature >= Hot {
		say("heat", false, engine.Tf("Le processeur est à %[1]d °C.", "The processor is at %[1]d °C.", *v.Temperature/1000), air)
	}
	if v.MemoryFree != nil && *v.MemoryFree < lowMemory {
		say("memory", false, engine.Tf("Il ne reste que %[1]d Mio de mémoire.", "Only %[1]d MiB of memory are left.", *v.MemoryFree>>20),
			both("Arrêtez les autres programmes de cet ordinateur, ou redémarrez-le après la partie.",
				"Stop the other programs of this computer, or restart it after the game."))
	}
	if v.ClockUnset {
		say("date", false, both("Cet ordinateur n’a pas été mis à l’heure : la partie n’en dépend pas, mais les dates des "+
			"sauvegardes seront fausses.", "Nobody has set the clock of this computer: no game depends on it, but the dates "+
			"of backups will be wrong."),
			both("Reliez-le une fois à Internet, ou mettez-le à l’heure d’un appareil en haut de la page de l’hôte (ou : "+
				"sudo date -s \"2026-12-24 20:00\").",
				"Connect it to the internet once, or set it to the time of a device at the top of the host’s page (or: sudo "+
					"date -s \"2026-12-24 20:00\")."))
	}
	v.addCardFindings(say)
	return all
}

// addCardFindings adds for each file of the SD card a finding with the first fault, and the lines of the others; the screen
// of the Pi shows the rest.
func (v Vitals) addCardFindings(add func(string, bool, engine.Text, engine.Text)) {
	for i, f := range v.Card {
		sameFile := func(g CardFault) bool { return g.File == f.File }
		if slices.ContainsFunc(v.Card[:i], sameFile) {
			continue
		}
		where := engine.T(f.File, f.File)
		if f.Line != "" {
			where = engine.Tf("%[1]s, ligne %[2]s", "%[1]s, line %[2]s", f.File, f.Line)
		}
		fix := engine.T("Corrigez ce fichier sur un ordinateur, puis redémarrez.", "Mend this file on a computer, then restart.")
		if slices.ContainsFunc(v.Card[i+1:], sameFile) {
			lines := ""
			for _, g := range v.Card[i+1:] {
				if sameFile(g) && g.Line != "" && g.Line != f.Line {
					lines += ", " + g.Line
				}
			}
			if lines = strings.TrimPrefix(lines, ", "); lines != "" {
				fix = engine.T(fix.FR+" Autres lignes : "+lines+".", fix.EN+" Further lines: "+lines+".")
			}
			fix = engine.T(fix.FR+" L’écran du Pi montre le reste.", fix.EN+" The Pi’s screen shows the rest.")
		}
		const most = 90 // characters: wire.MaxFinding holds both languages
		add("card", false, engine.T(where.FR+" : "+ownfile.VisibleText(f.Said.FR, most)+".",
			where.EN+": "+ownfile.VisibleText(f.Said.EN, most)+"."), fix)
	}
}

// addDiskFindings adds the findings about free space and wear. The second argument of add means: a fault, not a warning.
func (v Vitals) addDiskFindings(add func(string, bool, engine.Text, engine.Text)) {
	both := engine.T
	room := both("Effacez d’anciennes sauvegardes, ou d’autres fichiers de la carte mémoire.",
		"Delete old backups, or other files of the memory card.")
	another := both("Faites une sauvegarde (majordome backup) et prenez une carte mémoire neuve.",
		"Make a backup (majordome backup) and take a new memory card.")
	switch {
	case v.ReadOnly:
		add("disk", true, both("La carte mémoire ne se laisse plus écrire : aucun coup ne peut être noté.",
			"The memory card cannot be written any more: no step can be recorded."),
			both("Redémarrez l’ordinateur ; si cela revient, prenez une carte mémoire neuve. Ce qui est noté y est encore.",
				"Restart the computer; if it comes back, take a new memory card. What was recorded is still there."))
	case v.DiskFree != nil && *v.DiskFree < fullDisk:
		add("disk", true, engine.Tf("La carte mémoire est pleine : il reste %[1]d Mio.",
			"The memory card is full: %[1]d MiB are left.", *v.DiskFree>>20), room)
	case v.DiskFree != nil && *v.DiskFree < lowDisk:
		add("disk", false, engine.Tf("La carte mémoire est presque pleine : il reste %[1]d Mio.",
			"The memory card is nearly full: %[1]d MiB are left.", *v.DiskFree>>20), room)
	}
	switch {
	case v.WornOut || v.Wear != nil && *v.Wear > 100:
		add("storage", true, both("La mémoire de cet ordinateur est usée, et peut se perdre d’un jour à l’autre.",
			"The storage of this computer is worn out, and may be lost from one day to the next."), another)
	case v.DiskErrors != nil && *v.DiskErrors > 0:
		add("storage", true, engine.Tf("La carte mémoire a fait des erreurs : %[1]d.",
			"The memory card has made errors: %[1]d.", *v.DiskErrors), another)
	case v.Wear != nil && *v.Wear >= wornPercent:
		add("storage", false, engine.Tf("La mémoire de cet ordinateur est usée à %[1]d %%.",
			"The storage of this computer is worn by %[1]d %%.", *v.Wear), another)
	}
}
