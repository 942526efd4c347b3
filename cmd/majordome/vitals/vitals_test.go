package vitals

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// pi returns a Raspberry Pi without troubles, with an eMMC, and a memory card as ext4 sees it.
func pi() fstest.MapFS {
	return fstest.MapFS{
		"sys/block/mmcblk0/device/life_time":                  file("0x01 0x02\n"),
		"sys/block/mmcblk0/device/pre_eol_info":               file("0x01\n"),
		"sys/fs/ext4/mmcblk0p2/errors_count":                  file("0\n"),
		"sys/fs/ext4/mmcblk0p3/errors_count":                  file("0\n"),
		"sys/devices/platform/soc/soc:firmware/get_throttled": file("0\n"),
		"sys/class/hwmon/hwmon1/name":                         file("rpi_volt\n"),
		"sys/class/hwmon/hwmon1/in0_lcrit_alarm":              file("0\n"),
		"sys/class/hwmon/hwmon2/name":                         file("other\n"),
		"sys/class/hwmon/hwmon2/in0_lcrit_alarm":              file("1\n"), // of another chip
		"sys/class/thermal/thermal_zone0/type":                file("cpu-thermal\n"),
		"sys/class/thermal/thermal_zone0/temp":                file("48300\n"),
		"sys/class/thermal/thermal_zone1/type":                file("charger\n"),
		"sys/class/thermal/thermal_zone1/temp":                file("99000\n"),
		"proc/meminfo": file("MemTotal:         440000 kB\nMemFree:            9000 kB\n" +
			"MemAvailable:     210000 kB\n"),
		"run/systemd/timesync/synchronized": file(""),
	}
}

// disk returns a statfs with so many MiB free of 28 GiB.
func disk(free uint64, flags int64) func(string, *syscall.Statfs_t) error {
	return func(_ string, s *syscall.Statfs_t) error {
		*s = syscall.Statfs_t{Bsize: 4096, Blocks: 28 << 18, Bavail: free << 8, Flags: flags}
		return nil
	}
}

// failing has one file that fails with an I/O error at the first byte, as on a dying card.
type failing struct {
	fs.FS
	name string
}

func (f failing) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err == nil && name == f.name {
		return failingFile{file}, nil
	}
	return file, err
}

type failingFile struct{ fs.File }

func (failingFile) Read([]byte) (int, error) { return 0, syscall.EIO }

func findingTexts(v Vitals) (all []string) {
	for _, t := range v.Findings() {
		mark := "warning "
		if t.State == wire.StateFault {
			mark = "fault "
		}
		all = append(all, mark+t.About+": "+t.Said.EN)
	}
	return all
}

// noon is the time of the tested machine.
var noon = time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)

// undated is the finding for a clock that was never set.
var undated = []string{"warning date: Nobody has set the clock of this computer"}

// unsyncKernel simulates a kernel whose clock was never set; it allows only reading.
func unsyncKernel(t *syscall.Timex) (int, error) {
	if *t != (syscall.Timex{}) {
		return 0, syscall.EPERM
	}
	t.Status = 0x40
	return 5, nil
}

// undatedRoot returns a machine with timesyncd, which has not received the time, and more files.
func undatedRoot(more fstest.MapFS) fstest.MapFS {
	root := fstest.MapFS{"run/systemd/timesync/synchronized": nil, "run/systemd/timesync": {Mode: fs.ModeDir | 0o755}}
	maps.Copy(root, more)
	return root
}

// TestTroubles checks the findings about each state of a machine; a machine without troubles has none.
func TestTroubles(t *testing.T) {
	const throttled = "sys/devices/platform/soc/soc:firmware/get_throttled"
	for name, c := range map[string]struct {
		change fstest.MapFS // nil in it: gone
		statfs func(string, *syscall.Statfs_t) error
		kernel func(*syscall.Timex) (int, error)
		want   []string
	}{
		"all is well": {},
		"little room": {statfs: disk(150, 0),
			want: []string{"warning disk: The memory card is nearly full: 150 MiB are left."}},
		"no room": {statfs: disk(3, 0), want: []string{"fault disk: The memory card is full: 3 MiB are left."}},
		"read-only": {statfs: disk(9000, 1|4096),
			want: []string{"fault disk: The memory card cannot be written any more: no step can be recorded."}},
		"a disk that fails": {statfs: func(string, *syscall.Statfs_t) error { return syscall.EIO }},
		"an eMMC that is worn": {change: fstest.MapFS{"sys/block/mmcblk0/device/life_time": file("0x01 0x09\n")},
			want: []string{"warning storage: The storage of this computer is worn by 90 %."}},
		"one that is worn out": {change: fstest.MapFS{"sys/block/mmcblk0/device/life_time": file("0x0b 0x01\n")},
			want: []string{"fault storage: The storage of this computer is worn out"}},
		"one without spare blocks": {change: fstest.MapFS{"sys/block/mmcblk0/device/pre_eol_info": file("0x03\n")},
			want: []string{"fault storage: The storage of this computer is worn out"}},
		"one that tells nothing": {change: fstest.MapFS{
			"sys/block/mmcblk0/device/life_time":    file("0x00 0x00\n"),
			"sys/block/mmcblk0/device/pre_eol_info": file("0x00"),
		}},
		"errors of the card": {change: fstest.MapFS{
			"sys/fs/ext4/mmcblk0p2/errors_count": file("7\n"),
			"sys/fs/ext4/mmcblk0p3/errors_count": file("1\n"),
		}, want: []string{"fault storage: The memory card has made errors: 8."}},
		"low voltage now": {change: fstest.MapFS{throttled: file("50005\n")},
			want: []string{"fault supply: The voltage is too low at this moment."}},
		"low voltage before": {change: fstest.MapFS{throttled: file("0x50000\n")},
			want: []string{"warning supply: The voltage was too low since the start"}},
		"the alarm of Debian’s kernel": {change: fstest.MapFS{throttled: nil, "sys/class/hwmon/hwmon1/in0_lcrit_alarm": file("1\n")},
			want: []string{"fault supply: The voltage is too low at this moment."}},
		"slow now, warm": {change: fstest.MapFS{throttled: file("80008\n"), "sys/class/thermal/thermal_zone0/temp": file("83100\n")},
			want: []string{"warning supply: The Pi had to slow down, too warm", "warning heat: The processor is at 83 °C."}},
		"slow before": {change: fstest.MapFS{throttled: file("80000\n")},
			want: []string{"warning supply: The Pi had to slow down, too warm"}},
		"little memory": {change: fstest.MapFS{"proc/meminfo": file("MemAvailable:  30720 kB\n")},
			want: []string{"warning memory: Only 30 MiB of memory are left."}},
		"nobody's clock": {change: undatedRoot(nil), kernel: unsyncKernel, want: undated},
		"a card that was not understood": {change: fstest.MapFS{"run/majordome-card/faults": file("wifi.txt|2|ligne non comprise|line " +
			"not understood\nwifi.txt||il y manque name=|name= is missing\nupdate.pub||aucune clé|no key\nhalf a line|3\n")},
			want: []string{"warning card: wifi.txt, line 2: line not understood.", "warning card: update.pub: no key."}},
		"a clock with a battery": {change: undatedRoot(
			fstest.MapFS{"sys/class/rtc/rtc0/since_epoch": file(fmt.Sprint(noon.Unix() - 7200))}), kernel: unsyncKernel},
		"one that tells nothing of its own": {change: undatedRoot(fstest.MapFS{"sys/class/rtc/rtc0": {Mode: fs.ModeDir | 0o755}}),
			kernel: unsyncKernel},
		"a clock chip without its battery": {change: undatedRoot(fstest.MapFS{"sys/class/rtc/rtc0/since_epoch": file("31536042")}),
			kernel: unsyncKernel, want: undated},
		"a second chip with a battery": {change: undatedRoot(fstest.MapFS{
			"sys/class/rtc/rtc0/since_epoch": file("42"),
			"sys/class/rtc/rtc1/since_epoch": file(fmt.Sprint(noon.Unix())),
		}),
			kernel: unsyncKernel},
		"a clock that the host has set": {change: undatedRoot(fstest.MapFS{"run/majordome-clock/set": file("")}), kernel: unsyncKernel},
		"another service of time": {change: fstest.MapFS{"run/systemd/timesync/synchronized": nil},
			kernel: unsyncKernel, want: undated},
		"one that has set the clock": {change: undatedRoot(nil), kernel: func(*syscall.Timex) (int, error) { return 0, nil }},
		"timesyncd, hours ago":       {kernel: unsyncKernel},
		"a kernel that does not say": {change: undatedRoot(nil), kernel: func(*syscall.Timex) (int, error) { return 0, syscall.EPERM }},
	} {
		t.Run(name, func(t *testing.T) {
			root := pi()
			for name, f := range c.change {
				if root[name] = f; f == nil {
					delete(root, name)
				}
			}
			m := &Machine{Root: root, Data: "/var/lib/majordome", Statfs: c.statfs, Adjtimex: c.kernel,
				Now: func() time.Time { return noon }}
			if c.statfs == nil {
				m.Statfs = disk(9000, 0)
			}
			got := findingTexts(m.ReadVitals())
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("said %q, want %q", got, c.want)
			}
		})
	}
}

// TestMissingFileHidesNoFinding checks that a file that is missing, garbled, or fails when it is read causes no finding, and hides no
// other.
func TestMissingFileHidesNoFinding(t *testing.T) {
	whole := pi()
	for name := range whole {
		for how, root := range map[string]fs.FS{
			"missing": withoutFile(whole, name), "garbled": withFile(whole, name, "\x00\xff-1 0xfffffffffffffffffff"),
			"empty": withFile(whole, name, ""), "endless": withFile(whole, name, strings.Repeat("9", 1<<20)), "fails": failing{whole, name},
		} {
			m := &Machine{Root: root, Data: "/var/lib/majordome", Statfs: disk(150, 0)}
			got := findingTexts(m.ReadVitals())
			if i := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, "warning disk") }); i != 0 {
				t.Errorf("%s %s: said %q", name, how, got)
			}
			got = slices.DeleteFunc(got[1:], func(s string) bool { // without that file the clock or the sensor is unknown
				return strings.HasPrefix(s, "warning date") && strings.HasPrefix(name, "run/") ||
					strings.HasPrefix(s, "warning heat") && name == "sys/class/thermal/thermal_zone1/type"
			})
			if len(got) > 0 {
				t.Errorf("%s %s: said %q", name, how, got)
			}
		}
	}
	if got := findingTexts((&Machine{Root: fstest.MapFS{}, Data: "data"}).ReadVitals()); len(got) > 0 {
		t.Errorf("a machine that tells nothing: %q", got)
	}
	early := &Machine{Root: whole, Now: func() time.Time { return time.Unix(86400, 0) }}
	if got := findingTexts(early.ReadVitals()); len(got) != 1 || !strings.HasPrefix(got[0], "warning date") {
		t.Errorf("in 1970: %q", got)
	}
}

func withFile(root fstest.MapFS, name, text string) fstest.MapFS {
	changed := fstest.MapFS{}
	for n, f := range root {
		changed[n] = f
	}
	changed[name] = file(text)
	return changed
}

func withoutFile(root fstest.MapFS, name string) fstest.MapFS {
	changed := withFile(root, name, "")
	delete(changed, name)
	return changed
}

// TestFolderOfTomorrow checks that the disk of a folder that is made only at the first start is the one of the folder
// above it.
func TestFolderOfTomorrow(t *testing.T) {
	var asked []string
	m := &Machine{Root: fstest.MapFS{}, Data: "/var/lib/majordome", Statfs: func(path string, s *syscall.Statfs_t) error {
		asked = append(asked, path)
		if path != "/var/lib" {
			return errors.New("no such folder")
		}
		return disk(150, 0)(path, s)
	}}
	if v := m.ReadVitals(); v.DiskFree == nil || *v.DiskFree != 150<<20 {
		t.Errorf("%v after %q", v.DiskFree, asked)
	}
}

// TestAllFindingsFitOnTheHostsPage checks that all findings of the worst machine fit on the host's page, in both languages.
func TestAllFindingsFitOnTheHostsPage(t *testing.T) {
	n, wear, hot, errs := uint64(1), 110, 130_000, uint64(1<<63)
	long := CardFault{strings.Repeat("f", 24), "97", engine.T(strings.Repeat("é", 300), strings.Repeat("e", 300))}
	other := func(line string) CardFault { return CardFault{long.File, line, long.Said} }
	all := Vitals{DiskFree: &n, Wear: &wear, DiskErrors: &errs, Temperature: &hot, MemoryFree: &n, Undervoltage: true, Throttled: true,
		ClockUnset: true, Card: []CardFault{long, other("98"), other("99"), other("100"), other("")}}.Findings()
	all = append(all, Vitals{ReadOnly: true, UndervoltageNow: true, DiskErrors: &errs}.Findings()...)
	all = append(all, Vitals{Throttled: true}.Findings()...)
	most := 0
	for _, x := range all {
		body, err := json.Marshal(x)
		if most = max(most, len(body)); err != nil || len(body) > wire.MaxFinding {
			t.Errorf("%d bytes: %s", len(body), body)
		}
		if x.Said.FR == "" || x.Said.EN == "" || x.Fix.FR == "" || x.Fix.EN == "" || x.Help == "" || !slices.Contains(FindingKinds(),
			x.About) {
			t.Errorf("%+v lacks something", x)
		}
	}
	t.Logf("%d troubles, the longest of %d bytes", len(all), most)
}

// TestEveryFileOfTheCard checks that all faults that the script of the card writes are read, and that each file is
// reported, with its further lines.
func TestEveryFileOfTheCard(t *testing.T) {
	var faults, want string
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.txt"} {
		for line := range 4 {
			faults += fmt.Sprintf("%s|%d|%s|%s\n", name, line+1, strings.Repeat("é", 90), strings.Repeat("e", 90))
		}
		faults += name + "||et 8 de plus dans ce fichier|and 8 more in this file\n"
		want += name + ", line 1: Mend this file on a computer, then restart. Further lines: 2, 3, 4. The Pi’s screen shows the rest.\n"
	}
	for n := range 5 {
		faults += fmt.Sprintf("wifi (%d).txt||ce nom n’est pas lu|this name is not read\n", n)
		want += fmt.Sprintf("wifi (%d).txt: Mend this file on a computer, then restart.\n", n)
	}
	got := ""
	for _, t := range (&Machine{Root: fstest.MapFS{"run/majordome-card/faults": file(faults)}}).ReadVitals().Findings() {
		where, _, _ := strings.Cut(t.Said.EN, ": ")
		got += where + ": " + t.Fix.EN + "\n"
	}
	if got != want {
		t.Errorf("said is\n%s\nwant\n%s", got, want)
	}
}

// TestClockThatWasSetStaysSet checks that a clock that was once set counts as set, even if the kernel forgets it after hours without
// the network.
func TestClockThatWasSetStaysSet(t *testing.T) {
	status := int32(0x40)
	m := &Machine{Root: fstest.MapFS{}, Now: func() time.Time { return noon }, Adjtimex: func(t *syscall.Timex) (int, error) {
		t.Status = status
		return 0, nil
	}}
	for _, c := range []struct {
		status int32
		want   bool
	}{{0x40, true}, {0, false}, {0x40, false}} {
		if status = c.status; m.ReadVitals().ClockUnset != c.want {
			t.Errorf("with status %#x it says %v", c.status, !c.want)
		}
	}
}

// TestTheKernelIsAsked checks that this computer's own kernel answers without rights.
func TestTheKernelIsAsked(t *testing.T) {
	state, err := NewMachine("/").Adjtimex(new(syscall.Timex))
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
		t.Skipf("SKIPPED: the sandbox of this test asks no kernel: %v", err)
	}
	if err != nil || state < 0 {
		t.Errorf("%d, %v", state, err)
	}
}
