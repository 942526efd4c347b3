package image_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"majordome/companion/web"
)

// hotspotRig is a machine as the hotspot script sees it: its tools only log their calls.
type hotspotRig struct {
	t                       *testing.T
	tools, boot, run, kept  string
	online, wifi, comesUp   bool
	late                    bool   // its radio is not there yet when the script starts
	cut                     bool   // another request ends it as soon as the Wi-Fi is up
	denied                  bool   // the daemon itself may not read the file in the place of its request
	connection, issue, done string // the results
	shown, said             string
}

func newRig(t *testing.T) *hotspotRig {
	t.Helper()
	s := &hotspotRig{t: t, tools: t.TempDir(), boot: t.TempDir(), run: t.TempDir(), kept: t.TempDir(), wifi: true, comesUp: true}
	for name, text := range map[string]string{
		"sleep": "", "agetty": "", "iw": "", "chgrp": "",
		"setpriv": `[ $DENIED = no ] || exit 1
while case $1 in --*) ;; *) false ;; esac; do shift; done
exec "$@"`,
		"nmcli": `case "$*" in
"-g TYPE device") printf "loopback\nethernet\n"; [ $LATE = yes ] && ! grep -q sleep "$SEEN" || echo "$WIFI" ;;
"-g TYPE,STATE,CONNECTION device")
printf "loopback:connected (externally):lo\nethernet:$CABLE:\n"; [ ! -e "$0.up" ] || echo wifi:connected:hotspot ;;
"-g NAME connection show --active") [ ! -e "$0.up" ] || echo hotspot ;;
*"connection up hotspot") rm -f "$0.up"; [ $UP = 0 ] || exit $UP; : >"$0.up"; [ $CUT = no ] || kill $PPID ;;
"connection delete hotspot") rm "$0.up" ;;
esac`,
	} {
		err := os.WriteFile(filepath.Join(s.tools, name), []byte("#!/bin/sh\necho \""+name+" $*\" >>\"$SEEN\"\n"+text+"\n"), 0o755)
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *hotspotRig) runScript() error {
	s.t.Helper()
	seen := filepath.Join(s.t.TempDir(), "seen")
	flag := func(name, yes, no string, is bool) string {
		if is {
			return name + "=" + yes
		}
		return name + "=" + no
	}
	const script = "root/usr/lib/majordome/hotspot"
	read(s.t, script) // go test caches results by the files that a test itself has opened
	c := exec.Command("sh", script, s.boot, s.run, s.kept)
	c.Env = append(os.Environ(), "PATH="+s.tools+":"+os.Getenv("PATH"), "SEEN="+seen,
		flag("CABLE", "connected", "unavailable", s.online), flag("WIFI", "wifi", "wifi-p2p", s.wifi), flag("UP", "0", "4", s.comesUp),
		flag("DENIED", "yes", "no", s.denied), flag("CUT", "yes", "no", s.cut), flag("LATE", "yes", "no", s.late))
	out, err := c.CombinedOutput()
	told := func(name string) string { text, _ := os.ReadFile(name); return string(text) } // none: nothing was written
	s.connection = told(filepath.Join(s.run, "NetworkManager/system-connections/hotspot.nmconnection"))
	s.issue = told(filepath.Join(s.run, "issue.d/majordome-hotspot.issue"))
	s.shown = told(filepath.Join(s.run, "majordome-hotspot/shown"))
	s.done, s.said = told(seen), string(out)
	password := regexp.MustCompile(`psk=(.*)`).FindStringSubmatch(s.connection)
	if password != nil && strings.Contains(string(out)+s.done, password[1]) {
		s.t.Errorf("the password stands in the log or on a command line:\n%s%s", out, s.done)
	}
	return err
}

func (s *hotspotRig) writeCardFile(text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.boot, "hotspot.txt"), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// writeRequest writes a request as the daemon does.
func (s *hotspotRig) writeRequest(use, name, password, country string) {
	s.t.Helper()
	dir := filepath.Join(s.run, "majordome")
	err := errors.Join(os.MkdirAll(dir, 0o700),
		os.WriteFile(filepath.Join(dir, "hotspot"), []byte(use+"\n"+name+"\n"+password+"\n"+country+"\n"), 0o600))
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *hotspotRig) mustRunScript() {
	s.t.Helper()
	if err := s.runScript(); err != nil {
		s.t.Fatalf("%v\n%s", err, s.said)
	}
}

// hasRestarted reports whether the Wi-Fi has started again, which disconnects all its devices.
func (s *hotspotRig) hasRestarted() bool { return strings.Contains(s.done, "connection up hotspot") }

func (s *hotspotRig) password() string {
	s.t.Helper()
	found := regexp.MustCompile(`\npsk=([a-z2-9]{10})\n`).FindStringSubmatch(s.connection)
	if found == nil {
		s.t.Fatalf("no password of ours in\n%s", s.connection)
	}
	return found[1]
}

func TestHotspotWhereThereIsNoNetwork(t *testing.T) {
	s := newRig(t)
	s.online = true
	if err := s.runScript(); err != nil || s.connection != "" || strings.Count(s.done, "sleep") != 1 {
		t.Errorf("beside a network: %v\n%s%s", err, s.connection, s.done)
	}
	s.online, s.wifi = false, false
	if err := s.runScript(); err != nil || s.connection != "" {
		t.Errorf("without any Wi-Fi: %v\n%s", err, s.connection)
	}
	s.wifi, s.comesUp = true, false
	if err := s.runScript(); err == nil || s.issue != "" || s.shown != "" {
		t.Errorf("a hotspot that does not come up is reported as %v, %q", err, s.issue)
	}
	if waited := strings.Count(s.done, "sleep 10\n"); waited != 6 {
		t.Errorf("a network has %d times 10 s to come", waited)
	}
	password := s.password()
	s.comesUp = true
	if err := s.runScript(); err != nil || s.password() != password {
		t.Errorf("%v; at the next start its password is another", err)
	}
	if s.runScript(); s.hasRestarted() || strings.Contains(s.done, "sleep") {
		t.Errorf("nothing new was requested, and the hotspot restarts: %s", s.done)
	}
	if !strings.Contains(s.issue, " Majordome ") || !strings.Contains(s.issue, " "+password+" ") {
		t.Errorf("the screen says %q", s.issue)
	}
	if s.shown != "Majordome\n"+password+"\n" {
		t.Errorf("the display says %q", s.shown)
	}
	if info, err := os.Stat(filepath.Join(s.kept, "password")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestHotspotWhenItIsAskedFor(t *testing.T) {
	s := newRig(t)
	s.online = true
	s.writeCardFile("\ufeffName = Chez l’hôte \r\npassword=a=b;c\\d e\r\ncountry=fr\r\n")
	if err := s.runScript(); err != nil || !strings.Contains(s.connection, "\npsk=a=b;c\\\\d e\n") ||
		!strings.Contains(s.connection, "ssid=67;104;101;122;32;") {
		t.Errorf("%v\n%s", err, s.connection)
	}
	if !strings.Contains(s.done, "iw reg set FR\n") || !strings.Contains(s.issue, `a=b;c\\d e`) { // agetty interprets backslashes
		t.Errorf("%s%s", s.done, s.issue)
	}
	s.writeCardFile("password=short\n")
	if err := s.runScript(); err != nil {
		t.Error(err)
	}
	s.password()
}

// TestHotspotAsTheConfigurationSays checks that the request of the daemon's configuration applies, and that
// hotspot.txt overrides it, line by line.
func TestHotspotAsTheConfigurationSays(t *testing.T) {
	s := newRig(t)
	s.online = true
	s.writeRequest("always", "Chez l’hôte", "a=b;c\\d e ", "fr")
	s.mustRunScript()
	if s.shown != "Chez l’hôte\na=b;c\\d e \n" || !strings.Contains(s.connection, "\npsk=a=b;c\\\\d e\\s\n") ||
		!strings.Contains(s.done, "iw reg set FR\n") || strings.Contains(s.done, "sleep") {
		t.Errorf("%q\n%s%s", s.shown, s.connection, s.done)
	}
	if s.mustRunScript(); s.hasRestarted() {
		t.Error("the same wish cuts everybody off")
	}
	s.writeRequest("always", "Chez l’hôte", "another password", "")
	if s.mustRunScript(); !s.hasRestarted() || s.shown != "Chez l’hôte\nanother password\n" {
		t.Errorf("another password: %q\n%s", s.shown, s.done)
	}
	if err := os.Remove(filepath.Join(s.run, "majordome/hotspot")); err != nil {
		t.Fatal(err)
	}
	if s.mustRunScript(); s.hasRestarted() || s.shown == "" {
		t.Errorf("a daemon that has stopped takes its Wi-Fi along: %q\n%s", s.shown, s.done)
	}
	s.writeRequest("off", "Chez l’hôte", "another password", "")
	if s.mustRunScript(); s.shown+s.issue != "" || !strings.Contains(s.done, "connection delete hotspot") {
		t.Errorf("off: %q, %q\n%s", s.shown, s.issue, s.done)
	}
	s.online = false
	if s.mustRunScript(); s.hasRestarted() {
		t.Error("the hotspot is off in the settings, and starts")
	}
	s.writeRequest("needed", "", "", "")
	if s.mustRunScript(); !strings.HasPrefix(s.shown, "Majordome\n") || strings.Count(s.done, "sleep 10\n") != 6 {
		t.Errorf("needed: %q\n%s", s.shown, s.done)
	}
	s.writeRequest("needed", "Salon", "", "")
	if s.mustRunScript(); !strings.HasPrefix(s.shown, "Salon\n") || strings.Contains(s.done, "sleep") {
		t.Errorf("another name, where it is needed and there: %q\n%s", s.shown, s.done)
	}
	s.writeRequest("always", "Salon", "", "")
	if s.mustRunScript(); s.hasRestarted() || s.shown == "" {
		t.Errorf("the same Wi-Fi, always: %q\n%s", s.shown, s.done)
	}
	s.writeRequest("needed", "Salon", "", "")
	s.mustRunScript()
	s.online = true
	if s.mustRunScript(); s.shown == "" {
		t.Errorf("a cable that comes cuts off who plays, when nothing else is wished for: %s", s.done)
	}
	s.writeRequest("needed", "Grenier", "", "")
	if s.mustRunScript(); s.hasRestarted() || s.shown != "" {
		t.Errorf("the hotspot is needed no longer, and stays: %q\n%s", s.shown, s.done)
	}

	s.writeRequest("off", "Salon", "from the page", "DE")
	s.writeCardFile("password=from the card\n")
	if s.mustRunScript(); s.shown != "Salon\nfrom the card\n" || !strings.Contains(s.done, "iw reg set DE\n") {
		t.Errorf("hotspot.txt: %q\n%s", s.shown, s.done)
	}
	if _, err := os.Stat(filepath.Join(s.run, "majordome-hotspot/card")); err != nil {
		t.Errorf("the daemon does not learn that hotspot.txt has the password: %v", err)
	}
}

// TestHotspotWaitsForItsRadio checks that the script waits for a radio that is slow to start, or is on USB, and for
// one that never comes no longer than for a network.
func TestHotspotWaitsForItsRadio(t *testing.T) {
	s := newRig(t)
	s.online, s.late = true, true
	s.writeRequest("always", "Salon", "12345678", "")
	if s.mustRunScript(); s.shown != "Salon\n12345678\n" || strings.Count(s.done, "sleep 10\n") != 1 {
		t.Errorf("%q\n%s%s", s.shown, s.done, s.said)
	}
	s = newRig(t)
	s.wifi = false
	for _, use := range []string{"always", "needed"} {
		s.writeRequest(use, "Salon", "12345678", "")
		if s.mustRunScript(); s.shown != "" || strings.Count(s.done, "sleep 10\n") != 6 {
			t.Errorf("%s: %q\n%s", use, s.shown, s.done)
		}
	}
}

// TestHotspotTakesBackWhatIsHalfDone checks that a request that is replaced while the script carries it out, which
// ends the script half-way, has no effect any more, and that the display shows the actual state.
func TestHotspotTakesBackWhatIsHalfDone(t *testing.T) {
	s := newRig(t)
	s.writeRequest("always", "Salon", "12345678", "")
	s.mustRunScript()
	s.writeRequest("always", "Grenier", "abcdefgh", "")
	s.cut = true
	if s.runScript(); s.shown != "" || !s.hasRestarted() {
		t.Fatalf("the long text is not cut in the middle: %q\n%s", s.shown, s.done)
	}
	s.cut = false
	s.writeRequest("always", "Salon", "12345678", "")
	if s.mustRunScript(); s.shown != "Salon\n12345678\n" || !strings.Contains(s.connection, "\npsk=12345678\n") {
		t.Errorf("%q\n%s", s.shown, s.connection)
	}
}

// TestHotspotTakesWishesForBytes checks that the daemon may write anything, even a link, in the place of its request:
// nothing of it becomes a line of a keyfile, a command of a terminal or a word of a file that the daemon may not
// read.
func TestHotspotTakesWishesForBytes(t *testing.T) {
	s := newRig(t)
	for name, w := range map[string][4]string{
		"a terminal is commanded":  {"always", "Salon\x1b[2J", "12345678", ""},
		"in UTF-8, too":            {"always", "Salon\u009b2J", "12345678", ""},
		"a carriage return":        {"always", "Salon\rpsk=00000000", "12345678", ""},
		"33 bytes":                 {"always", strings.Repeat("é", 16) + "s", "12345678", ""},
		"7 characters":             {"always", "Salon", "1234567", ""},
		"64 characters":            {"always", "Salon", strings.Repeat("0", 64), ""},
		"no plain characters":      {"always", "Salon", "pässword", ""},
		"a tabulator":              {"always", "Salon", "12345678\t", ""},
		"a country of a shell":     {"always", "Salon", "12345678", "$(id)"},
		"a country with an option": {"always", "Salon", "12345678", "-h"},
		"a use of a shell":         {"$(reboot)`reboot`", "Salon", "12345678", ""},
	} {
		s.writeRequest(w[0], w[1], w[2], w[3])
		s.mustRunScript()
		if s.shown == "" || strings.Contains(s.shown+s.issue, "\x1b") || strings.Contains(s.shown+s.issue, "\u009b") ||
			strings.Count(s.connection, "\n") != 22 || strings.Count(s.issue, "\n") != 3 || strings.Contains(s.done, "iw ") {
			t.Errorf("%s: %q, %q\n%s%s", name, s.shown, s.issue, s.connection, s.done)
		}
		if mine := strings.HasPrefix(s.shown, "Majordome\n"); mine == (w[1] == "Salon") {
			t.Errorf("%s: the name is that of %q", name, s.shown)
		}
		if w[2] != "12345678" {
			s.password() // another one
		} else if !strings.HasSuffix(s.shown, "\n12345678\n") {
			t.Errorf("%s: the password is that of %q", name, s.shown)
		}
	}
	s.writeRequest("always", strings.Repeat("s", 32), strings.Repeat("~", 63), "")
	if s.mustRunScript(); s.shown != strings.Repeat("s", 32)+"\n"+strings.Repeat("~", 63)+"\n" {
		t.Errorf("the longest: %q", s.shown)
	}

	s = newRig(t) // only with the daemon's own rights is its request read
	s.online, s.denied = true, true
	s.writeRequest("always", "root:x:0", "12345678", "")
	if s.mustRunScript(); s.shown != "" {
		t.Errorf("root reads for the daemon: %q", s.shown)
	}
	s = newRig(t)
	s.online = true
	err := errors.Join(os.Mkdir(filepath.Join(s.run, "majordome"), 0o700), syscall.Mkfifo(filepath.Join(s.run, "majordome/hotspot"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if s.mustRunScript(); s.shown != "" {
		t.Errorf("a pipe: %q", s.shown)
	}
}

// TestHotspotLeadsProbesHere checks that the table answers the names that lead to it, and that none of them is the
// name of a page that people want to read.
func TestHotspotLeadsProbesHere(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^address=/(.+)/10\.42\.0\.1$`).FindAllStringSubmatch(read(t,
		"root/etc/NetworkManager/dnsmasq-shared.d/majordome.conf"), -1)
	if len(lines) == 0 {
		t.Fatal("no names")
	}
	captive := web.NewCaptive().AnswerProbes(http.NotFoundHandler())
	for _, line := range lines {
		for name := range strings.SplitSeq(line[1], "/") {
			r := httptest.NewRequest(http.MethodGet, "http://"+name+"/anything", nil)
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(10, 42, 0, 1), Port: 80}))
			w := httptest.NewRecorder()
			captive.ServeHTTP(w, r)
			if to := w.Header().Get("Location"); to != "http://10.42.0.1/welcome" {
				t.Errorf("%s leads to %q", name, to)
			}
			if name == "www.google.com" || name == "www.apple.com" {
				t.Errorf("%s is no probe's alone", name)
			}
		}
	}
}
