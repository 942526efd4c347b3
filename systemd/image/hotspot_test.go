package image_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"majordome/companion/web"
)

// spot is a machine as the script of the hotspot sees it: its tools are written down, and do nothing.
type spot struct {
	t                       *testing.T
	tools, boot, run, kept  string
	online, wifi, comesUp   bool
	connection, issue, done string // what has come of it
	shown                   string
}

func newSpot(t *testing.T) *spot {
	t.Helper()
	s := &spot{t: t, tools: t.TempDir(), boot: t.TempDir(), run: t.TempDir(), kept: t.TempDir(), wifi: true, comesUp: true}
	for name, text := range map[string]string{
		"sleep": "", "agetty": "", "iw": "",
		"nmcli": `case "$*" in
"-g TYPE device") printf "loopback\nethernet\n$WIFI\n" ;;
"-g TYPE,STATE device") printf "loopback:connected (externally)\nethernet:$CABLE\n" ;;
*"connection up"*) exit $UP ;;
esac`,
	} {
		if err := os.WriteFile(filepath.Join(s.tools, name), []byte("#!/bin/sh\necho \""+name+" $*\" >>\"$SEEN\"\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *spot) starts() error {
	s.t.Helper()
	seen := filepath.Join(s.t.TempDir(), "seen")
	flag := func(name, yes, no string, is bool) string {
		if is {
			return name + "=" + yes
		}
		return name + "=" + no
	}
	c := exec.Command("sh", "root/usr/lib/majordome/hotspot", s.boot, s.run, s.kept)
	c.Env = append(os.Environ(), "PATH="+s.tools+":"+os.Getenv("PATH"), "SEEN="+seen,
		flag("CABLE", "connected", "unavailable", s.online), flag("WIFI", "wifi", "wifi-p2p", s.wifi), flag("UP", "0", "4", s.comesUp))
	out, err := c.CombinedOutput()
	told := func(name string) string { text, _ := os.ReadFile(name); return string(text) } // none: nothing was written
	s.connection = told(filepath.Join(s.run, "NetworkManager/system-connections/hotspot.nmconnection"))
	s.issue = told(filepath.Join(s.run, "issue.d/majordome-hotspot.issue"))
	s.shown = told(filepath.Join(s.run, "majordome-hotspot/shown"))
	s.done = told(seen)
	if password := regexp.MustCompile(`psk=(.*)`).FindStringSubmatch(s.connection); password != nil && strings.Contains(string(out)+s.done, password[1]) {
		s.t.Errorf("the password is told to the log or to a command line:\n%s%s", out, s.done)
	}
	return err
}

func (s *spot) writes(text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.boot, "hotspot.txt"), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *spot) password() string {
	s.t.Helper()
	found := regexp.MustCompile(`\npsk=([a-z2-9]{10})\n`).FindStringSubmatch(s.connection)
	if found == nil {
		s.t.Fatalf("no password of ours in\n%s", s.connection)
	}
	return found[1]
}

func TestHotspotWhereThereIsNoNetwork(t *testing.T) {
	s := newSpot(t)
	s.online = true
	if err := s.starts(); err != nil || s.connection != "" || strings.Count(s.done, "sleep") != 1 {
		t.Errorf("beside a network: %v\n%s%s", err, s.connection, s.done)
	}
	s.online, s.wifi = false, false
	if err := s.starts(); err != nil || s.connection != "" {
		t.Errorf("without any Wi-Fi: %v\n%s", err, s.connection)
	}
	s.wifi, s.comesUp = true, false
	if err := s.starts(); err == nil || s.issue != "" || s.shown != "" {
		t.Errorf("one that does not come up is told: %v, %q", err, s.issue)
	}
	if waited := strings.Count(s.done, "sleep 10\n"); waited != 6 {
		t.Errorf("a network has %d times 10 s to come", waited)
	}
	password := s.password()
	s.comesUp = true
	if err := s.starts(); err != nil || s.password() != password {
		t.Errorf("%v; at the next start its password is another", err)
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
	s := newSpot(t)
	s.online = true
	s.writes("\ufeffName = Chez l’hôte \r\npassword=a=b;c\\d e\r\ncountry=fr\r\n")
	if err := s.starts(); err != nil || !strings.Contains(s.connection, "\npsk=a=b;c\\\\d e\n") || !strings.Contains(s.connection, "ssid=67;104;101;122;32;") {
		t.Errorf("%v\n%s", err, s.connection)
	}
	if !strings.Contains(s.done, "iw reg set FR\n") || !strings.Contains(s.issue, `a=b;c\\d e`) { // agetty reads a backslash itself
		t.Errorf("%s%s", s.done, s.issue)
	}
	s.writes("password=short\n")
	if err := s.starts(); err != nil {
		t.Error(err)
	}
	s.password()
}

// The names that lead to the table are answered there, and are those of no page that somebody wants to read.
func TestHotspotLeadsProbesHere(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^address=/(.+)/10\.42\.0\.1$`).FindAllStringSubmatch(read(t, "root/etc/NetworkManager/dnsmasq-shared.d/majordome.conf"), -1)
	if len(lines) == 0 {
		t.Fatal("no names")
	}
	captive := web.NewCaptive().Before(http.NotFoundHandler())
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
