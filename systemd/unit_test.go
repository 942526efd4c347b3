// Package systemd_test checks the units with systemd's own tools.
package systemd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const unit = "majordome.service"

// analyze runs systemd-analyze; without it the test is skipped at home and fails in CI.
func analyze(t *testing.T, args ...string) (string, error) {
	t.Helper()
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("systemd-analyze is missing: apt install systemd")
		}
		t.Skip("SKIPPED: systemd-analyze is missing: apt install systemd")
	}
	out, err := exec.Command(tool, args...).CombinedOutput()
	return string(out), err
}

// testableUnit returns a copy of the unit whose command exists on this machine: verify requires an executable, and
// the daemon is not installed where tests run.
func testableUnit(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(unit)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), unit)
	replaced := strings.Replace(string(text), "ExecStart=/usr/bin/majordome ", "ExecStart="+self+" ", 1)
	replaced = strings.Replace(replaced, "Documentation=man:majordome(1)\n", "", 1)
	if replaced == string(text) {
		t.Fatal("the unit does not start /usr/bin/majordome")
	}
	if err := os.WriteFile(path, []byte(replaced), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnitVerifies(t *testing.T) {
	out, err := analyze(t, "verify", testableUnit(t))
	if err != nil || strings.Contains(out, unit) {
		t.Fatalf("systemd-analyze verify: %v\n%s", err, out)
	}
}

func TestUnitIsHardened(t *testing.T) {
	out, err := analyze(t, "security", "--offline=yes", "--no-pager", testableUnit(t))
	if err != nil {
		t.Fatalf("systemd-analyze security: %v\n%s", err, out)
	}
	m := regexp.MustCompile(`exposure level for \S+: ([0-9.]+)`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no exposure level in:\n%s", out)
	}
	level, err := strconv.ParseFloat(m[1], 64)
	if err != nil || level > 3 {
		t.Fatalf("exposure level %s, want at most 3.0:\n%s", m[1], out)
	}
	t.Logf("exposure level %s of 10", m[1])
}

// TestAccount makes the account in an empty root and checks its groups.
func TestAccount(t *testing.T) {
	tool, err := exec.LookPath("systemd-sysusers")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("systemd-sysusers is missing: apt install systemd")
		}
		t.Skip("SKIPPED: systemd-sysusers is missing: apt install systemd")
	}
	file, err := filepath.Abs("majordome.sysusers")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, "--root="+root, file).CombinedOutput(); err != nil {
		t.Fatalf("systemd-sysusers: %v\n%s", err, out)
	}
	groups, err := os.ReadFile(filepath.Join(root, "etc", "group"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"spi", "gpio", "i2c", "dialout", "video"} {
		if !regexp.MustCompile(`(?m)^` + name + `:[^:]*:\d+:majordome$`).Match(groups) {
			t.Errorf("majordome is not in group %s:\n%s", name, groups)
		}
	}
}

// TestConfigurationFolder makes the folder in an empty root: the daemon's group may write in it.
func TestConfigurationFolder(t *testing.T) {
	tool, err := exec.LookPath("systemd-tmpfiles")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("systemd-tmpfiles is missing: apt install systemd")
		}
		t.Skip("SKIPPED: systemd-tmpfiles is missing: apt install systemd")
	}
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: it gives a folder to root")
	}
	file, err := filepath.Abs("majordome.tmpfiles")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"passwd": "root:x:0:0::/:/bin/sh\nmajordome:x:990:990::/:/bin/sh\n",
		"group":  "root:x:0:\nmajordome:x:990:\n",
	} {
		if err := os.WriteFile(filepath.Join(root, "etc", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(tool, "--create", "--root="+root, file).CombinedOutput(); err != nil {
		t.Fatalf("systemd-tmpfiles: %v\n%s", err, out)
	}
	info, err := os.Stat(filepath.Join(root, "etc/majordome"))
	if err != nil {
		t.Fatal(err)
	}
	if own := info.Sys().(*syscall.Stat_t); info.Mode().Perm() != 0o775 || own.Uid != 0 || own.Gid != 990 {
		t.Errorf("the folder is %v of %d:%d", info.Mode(), own.Uid, own.Gid)
	}
}

// TestUnitPromises checks that the unit has the lines on which the daemon's behaviour relies.
func TestUnitPromises(t *testing.T) {
	text, err := os.ReadFile(unit)
	if err != nil {
		t.Fatal(err)
	}
	for line, why := range map[string]string{
		"Wants=majordome-clock.path": "the host may set a clock that nobody has set",
		"Wants=majordome-update.path majordome-update-back.service": "the host's wish for a newer one is heard, and what was cut " +
			"off is undone",
		"After=majordome-update-back.service majordome-update-cut.service": "before the daemon opens the data",
		"Type=notify":    "the daemon says when it is ready",
		"User=majordome": "never root: on a Pi 5 root may map foreign memory",
		"SupplementaryGroups=spi gpio i2c dialout video": "the buses and serial nodes",
		"ReadWritePaths=/etc/majordome":                  "the daemon writes there what the host's page keeps",
		"StateDirectoryMode=0700":                        "the store holds every secret of the table",
		"ExecStartPre=-+udevadm settle --timeout=30": "pins without their rights yet would be missing until the next " +
			"start",
		"Restart=on-failure":               "the game stands again after a crash",
		"StartLimitIntervalSec=0":          "it never gives up for good",
		"OOMPolicy=continue":               "a Mosquitto that takes too much ends alone",
		"RuntimeDirectory=majordome":       "the daemon counts its starts there",
		"RuntimeDirectoryPreserve=restart": "so that starts in a row back off",
		"SystemCallFilter=@system-service adjtimex": "the kernel is asked whether its clock was set, and kills who " +
			"asks without this",
		"RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK": "the addresses of this machine are asked for by netlink",
	} {
		if !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("the unit lacks %q: %s", line, why)
		}
	}
	if strings.Contains(string(text), "\nProtectClock=yes") {
		t.Error("ProtectClock refuses adjtimex")
	}
	if !regexp.MustCompile(`(?m)^WatchdogSec=\d+$`).Match(text) {
		t.Error("the unit has no WatchdogSec")
	}
}

// TestDevicesPluggedInLater checks that drivers loaded after the start are allowed by major (Linux,
// Documentation/admin-guide/devices.txt): systemd looks up a name of DeviceAllow in /proc/devices when the unit
// starts, and allows nothing for a driver whose module is not loaded yet.
func TestDevicesPluggedInLater(t *testing.T) {
	text, err := os.ReadFile(unit)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^DeviceAllow=char-(\S+) rw$`).FindAllStringSubmatch(string(text), -1) {
		allowed[m[1]] = true
	}
	if n := strings.Count(string(text), "\nDeviceAllow="); n != len(allowed) {
		t.Errorf("%d lines of DeviceAllow, of which %d are understood here", n, len(allowed))
	}
	for major, driver := range map[string]string{"153": "spidev", "89": "i2c-dev", "188": "usbserial (ttyUSB)", "166": "cdc_acm (ttyACM)"} {
		if !allowed[major] {
			t.Errorf("a device of %s that appears after the start is locked out: no DeviceAllow=char-%s", driver, major)
		}
		delete(allowed, major)
	}
	builtIn := map[string]bool{"gpiochip": true, "vcio": true, "ttyAMA": true, "ttyS": true} // in the kernels of Debian and Raspberry Pi OS
	for name := range allowed {
		if !builtIn[name] {
			t.Errorf("DeviceAllow=char-%s is looked up once, at the start: is its driver there by then? If it is a module, allow its major",
				name)
		}
	}
}
